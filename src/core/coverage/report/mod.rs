//! The report of a study: one page as Markdown and HTML, and every figure on it as data.
//!
//! ```text
//!   Survey -> verdict, reach, claims, distributions, tests, classes, unseen, large boards -> Document -> .md, .html
//!          -> Datum, Datum, ...                                                     -> .csv, .parquet
//! ```

mod blocks;
mod classes;
pub mod data;
mod evenness;
mod figures;
mod reach;
mod text;
mod verdict;

use super::survey::Survey;
use crate::page::numbers::grouped;
use crate::page::{Block, Document};
use blocks::{heading, paragraph};

/// The page about the complete study.
pub fn document(survey: &Survey) -> Document {
    let blocks = [
        introduction(survey),
        verdict::verdict(survey),
        reach::reach(survey),
        reach::claims(),
        evenness::distributions(survey),
        evenness::tests(survey),
        classes::classes(survey),
        evenness::unseen(survey),
        reach::large(survey),
        limits(),
    ];
    let title = "How much of the solution space each method reaches, and how evenly".to_owned();
    Document { title, blocks: blocks.concat() }
}

/// How the figures are to be read, and how the grids were drawn.
fn introduction(survey: &Survey) -> Vec<Block> {
    let options = &survey.options;
    let shapes: Vec<String> = options.shapes.iter().map(ToString::to_string).collect();
    vec![paragraph(format!(
        "Boards are named by the rows and columns of a box: {}. Every figure is exact unless it has an error (one \
         standard error after ±), or its column says that it is drawn, measured, seen or an estimate. Grids were drawn by sudoku-corpus {} with seed {}: {} by each \
         method on 9x9, fewer on other boards. `generate` makes the same grids with this seed.",
        shapes.join(", "),
        env!("CARGO_PKG_VERSION"),
        options.seed,
        grouped(options.samples.into()),
    ))]
}

/// What the study cannot show.
fn limits() -> Vec<Block> {
    vec![
        heading("Limits"),
        Block::Items(
            [
                "A passed test proves nothing. `uniform` is even by construction: each grid has a number, and it draws one of these numbers.",
                "The probabilities are those of the methods as implemented here, for boards up to 9x9, where no search is given up. \
                 A method that restarts at a dead end instead of going back has other probabilities.",
                "Every mean of u weights each grid equally, not each class of grids. The two differ by about 5e-5 on 9x9.",
                "If not all probabilities are known, the smallest and largest u are those among the drawn grids.",
                "The means of u and of 1/u have heavy tails, so their errors are too small if there are few grids. \
                 `--law-samples` computes more of them.",
            ]
            .map(str::to_owned)
            .to_vec(),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::survey::{SurveyOptions, survey};
    use crate::progress::Silent;

    fn small_survey(shapes: &[&str]) -> Survey {
        let shapes = shapes.iter().map(|text| text.parse().unwrap()).collect();
        survey(
            SurveyOptions { seed: 1, samples: 1000, shapes, law_samples: None, methods: SurveyOptions::all_methods() },
            &Silent,
        )
        .unwrap()
    }

    #[test]
    fn the_report_has_the_known_numbers_and_every_plot() {
        let page = document(&small_survey(&["2x2", "2x3", "3x3", "3x4", "6x6"]));
        let text = page.markdown();
        let facts = "6,670,903,752,021,072,936,960;28,200,960;22,574,039,040;5,472,730,538;make only 96 of the 288 grids;\
                     1.83493E+21;1,834,933,472,251,084,800,000;264,539,520;2,380,855,680;5,643,509,760;416 classes;\
                     | `uniform` | 1,000 | 1,000 | 1,000 | 0.000018 % | 0 |";
        for fact in facts.split(';') {
            assert!(text.contains(fact), "{fact}");
        }
        let html = page.html();
        assert!(html.matches("<svg").count() >= 7 && !html.contains("NaN") && !html.contains("inf"), "{html}");
        assert!(!text.contains("NaN"));
    }

    #[test]
    fn the_same_options_give_the_same_bytes() {
        let page = || document(&small_survey(&["2x2", "3x3"])).html();
        assert_eq!(page(), page());
    }
}
