//! The report of a study: one page as Markdown and HTML, and every figure on it as data.
//!
//! ```text
//!   Survey -> verdict, reach, claims, laws, tests, unseen grids, large boards -> Document -> Markdown | HTML
//!          -> Datum, Datum, ...                                                           -> CSV | Parquet
//! ```

pub mod data;
mod figures;
mod text;
mod verdict;

use text::{natural, scientific, share, size};

use super::exact;
use super::judge::{self, Test};
use super::survey::{Board, Law, Reach, Row, Survey};
use crate::generate::Method;
use crate::page::numbers::{grouped, p_value, rounded, with_error};
use crate::page::{Block, Document, Figure, Table};

/// The whole page.
pub fn document(survey: &Survey) -> Document {
    let mut blocks = introduction(survey);
    blocks.extend(verdict::verdict(survey).into_iter().map(Block::Verdict));
    blocks.extend(reach(survey));
    blocks.extend(claims());
    blocks.extend(laws(survey));
    blocks.extend(tests(survey));
    blocks.extend(unseen(survey));
    blocks.extend(large(survey));
    blocks.extend(limits());
    Document { title: "How much of the solution space each method reaches, and how evenly".to_owned(), blocks }
}

fn heading(text: &str) -> Block {
    Block::Heading(text.to_owned())
}

fn paragraph(text: impl Into<String>) -> Block {
    Block::Text(text.into())
}

fn plots(figures: impl IntoIterator<Item = Option<Figure>>) -> Vec<Block> {
    figures.into_iter().flatten().map(|figure| Block::Figure(Box::new(figure))).collect()
}

fn name(row: &Row) -> String {
    format!("`{}`", row.method)
}

fn introduction(survey: &Survey) -> Vec<Block> {
    let Survey { options, .. } = survey;
    let shapes: Vec<String> = options.shapes.iter().map(ToString::to_string).collect();
    let intro = format!(
        "Boards are named by the rows and columns of a box: {}. Every figure is exact unless it has an error (one \
         standard error after ±) or is called an estimate. Grids were drawn with seed {}: {} by each method on 9x9, \
         fewer on other boards. Grid i is the one that `generate` makes with this seed at index i.",
        shapes.join(", "),
        options.seed,
        grouped(options.samples.into()),
    );
    vec![paragraph(intro)]
}

fn reach(survey: &Survey) -> Vec<Block> {
    let mut table = Table::new(&["board", "all grids", "known by", "essentially different", "maps of cells"]);
    let mut orbits = Table::new(&[
        "board",
        "strength",
        "transforms",
        "stabiliser",
        "grids reached",
        "share of all",
        "classes reached",
    ]);
    for board in &survey.boards {
        table.rows.push(vec![
            board.shape.to_string(),
            size(&board.grids),
            board.grids.basis.name().to_owned(),
            size(&board.classes),
            natural(&board.maps),
        ]);
        for orbit in &board.orbits {
            orbits.rows.push(vec![
                board.shape.to_string(),
                format!("`{}`", orbit.strength),
                natural(&orbit.transforms),
                orbit.stabiliser.to_string(),
                natural(&orbit.grids),
                share(orbit.grids.log2() - board.grids.log2),
                format!("1 of {}", size(&board.classes)),
            ]);
        }
    }
    let mut blocks = vec![
        heading("What can be reached at all"),
        paragraph(
            "Two grids are essentially the same when relabelling, exchange of rows inside bands, of columns inside \
             stacks, of bands, of stacks, or transposition (square boxes) brings one onto the other.",
        ),
        Block::Table(table),
        paragraph(
            "The permutation method shuffles one template. It reaches the orbit of the template: the ways to \
             shuffle, divided by those that change nothing (the stabiliser, computed by a search for all such maps). \
             `lines` is the method as published: digits, rows inside bands, columns inside stacks. `blocks` also \
             exchanges bands and stacks, `transpose` also transposes.",
        ),
        Block::Table(orbits),
        paragraph(
            "All methods that search (row-major, jump-back, digit-by-box, seeded-cross, fewest-candidates) and \
             `uniform` can make every grid, of every class: nothing that can still be completed is ever excluded.",
        ),
    ];
    blocks.extend(plots([figures::divergences(survey)]));
    blocks
}

fn claims() -> Vec<Block> {
    let mut table = Table::new(&["about", "the article says", "the truth"]);
    table.rows.extend(
        exact::claims()
            .into_iter()
            .map(|claim| vec![claim.subject.to_owned(), claim.claimed.to_owned(), claim.verdict]),
    );
    vec![
        heading("The claims of the article on the permutation method"),
        paragraph(
            "The permutation method (Jesper Niedermann's .NET blog, 2009-08-03) says how complete it thinks it is. \
             In its own numbers:",
        ),
        Block::Table(table),
    ]
}

fn laws(survey: &Survey) -> Vec<Block> {
    let mut blocks = vec![
        heading("How evenly: the laws"),
        paragraph(
            "A depth-first search that tries values in random order makes grid G with probability P(G) = product of \
             1/e, where e is the number of values that could still be completed at each choice. So P(G) is computed \
             for any grid. With u = N P(G), which is 1 everywhere for an even method: the divergence is the mean of \
             log2 u over grids that the method makes; the effective support is 1 / mean of u, the share of all grids \
             that a collector of coincidences would believe in; the mean of 1/u is the share of all grids that can \
             come at all, 1 for plain backtracking: a self-test. On small boards the whole law is written out and \
             nothing is sampled; elsewhere means are taken over drawn grids.",
        ),
    ];
    for board in survey.boards.iter().filter(|board| board.shape.order() <= 9) {
        blocks.push(Block::Subheading(format!("Boards of {}", board.shape)));
        let mut table = Table::new(&[
            "method",
            "law",
            "entropy, bits",
            "divergence, bits",
            "effective support",
            "smallest u",
            "largest u",
            "mean of 1/u",
        ]);
        table.rows.extend(board.rows.iter().map(|row| law_row(board, row)));
        blocks.push(Block::Table(table));
        blocks.extend(plots([figures::spread(survey, board), figures::lorenz(survey, board)]));
    }
    blocks
}

fn law_row(board: &Board, row: &Row) -> Vec<String> {
    let mut cells = vec![name(row)];
    let figures = match &row.law {
        Law::Whole(law) => {
            let (least, most) = law.extremes();
            [
                "whole".to_owned(),
                format!("{:.4}", law.entropy()),
                format!("{:.4}", law.divergence()),
                share(law.effective_support().log2()),
                rounded(least),
                rounded(most),
                rounded(law.mean(|u| 1.0 / u)),
            ]
        }
        Law::Sampled(law) => {
            let (least, most) = law.extremes();
            let u = law.concentration;
            [
                format!("of {} drawn", grouped(law.divergence.count.into())),
                with_error(board.grids.log2 - law.divergence.mean, law.divergence.error),
                with_error(law.divergence.mean, law.divergence.error),
                format!("{} %", with_error(100.0 / u.mean, 100.0 * u.error / (u.mean * u.mean))),
                format!("{} seen", rounded(least)),
                format!("{} seen", rounded(most)),
                with_error(law.reach.mean, law.reach.error),
            ]
        }
        Law::Even(bits) => [
            "even".to_owned(),
            rounded(board.grids.log2 - bits),
            rounded(*bits),
            share(-bits),
            String::new(),
            String::new(),
            String::new(),
        ],
        Law::Unknown => ["no closed form", "", "", "", "", "", ""].map(str::to_owned),
    };
    cells.extend(figures);
    cells
}

fn tests(survey: &Survey) -> Vec<Block> {
    let mut blocks = vec![
        heading("Tests on drawn grids"),
        paragraph(format!(
            "Whatever the law, an even method passes these tests, but for one in {} by bad luck. A cell shows what \
             was measured, what is expected, and the chance p that an even method is as far off; failed means p \
             below {}. Band classes: chi-square of the 416 classes in the worst of the six chutes (p times six). \
             Grids and classes: chi-square over all grids up to the names of digits, and over all essentially \
             different ones. 4-cell sets: mean number of unavoidable sets of four cells. Same class, same grid: \
             pairs of equal draws.",
            grouped((1.0 / judge::LIMIT).round() as u128),
            judge::LIMIT
        )),
    ];
    for board in survey.boards.iter().filter(|board| board.rows.iter().any(|row| !row.tests.is_empty())) {
        blocks.push(Block::Subheading(format!("Boards of {}", board.shape)));
        blocks.extend(board.mean_swaps.map(|(sum, count)| {
            paragraph(format!(
                "Exact mean number of 4-cell unavoidable sets: {} / {} = {:.9}.",
                grouped(sum),
                grouped(count),
                sum as f64 / count as f64
            ))
        }));
        if board.shape == crate::board::Shape::NINE {
            blocks.push(paragraph(format!(
                "The 416 classes of bands hold all {} grids: class size times completions, summed over the classes, \
                 is that number to the last digit. Two even draws share a class with probability 1 in {}.",
                size(&board.grids),
                grouped(judge::same_class_one_in().round() as u128)
            )));
        }
        blocks.push(Block::Table(test_table(board)));
        blocks.extend(plots([figures::chutes(board), figures::four_cell_sets(board)]));
    }
    blocks
}

fn test_table(board: &Board) -> Table {
    let mut names: Vec<&'static str> = Vec::new();
    for test in board.rows.iter().flat_map(|row| &row.tests) {
        if !names.contains(&test.name) {
            names.push(test.name);
        }
    }
    let mut table = Table::new(&["method", "draws"]);
    table.head.extend(names.iter().map(|name| (*name).to_owned()));
    table.head.push("verdict".to_owned());
    for row in board.rows.iter().filter(|row| row.counts.is_some()) {
        let draws = row.counts.as_ref().map_or(0, |counts| counts.draws);
        let mut cells = vec![name(row), grouped(draws.into())];
        let cell = |name: &&str| row.tests.iter().find(|test| test.name == *name).map_or(String::new(), test_cell);
        cells.extend(names.iter().map(cell));
        let failed = row.tests.iter().filter(|test| !test.passed()).count();
        cells.push(match failed {
            0 if row.tests.is_empty() => "reference".to_owned(),
            0 => "passes all".to_owned(),
            failed => format!("fails {failed} of {}", row.tests.len()),
        });
        table.rows.push(cells);
    }
    table
}

fn test_cell(test: &Test) -> String {
    let measured = test.error.map_or_else(|| rounded(test.measured), |error| with_error(test.measured, error));
    let verdict = if test.passed() { "" } else { ", failed" };
    format!("{measured} for {}; p {}{verdict}", rounded(test.expected), p_value(test.p))
}

fn unseen(survey: &Survey) -> Vec<Block> {
    let mut blocks = vec![
        heading("What has not been seen"),
        paragraph(
            "The unseen mass is the chance that the next draw is a grid not drawn before (Good-Turing: the share of \
             draws that came once). 'At least' is Chao's lower bound for the number of different things that the \
             method makes, from how many came once and twice. Draws until a share of all grids has been seen are \
             averages: exact where the whole law is known, else from the probabilities of drawn grids.",
        ),
    ];
    for board in survey.boards.iter().filter(|board| board.shape.order() <= 9) {
        blocks.push(Block::Subheading(format!("Boards of {}", board.shape)));
        let mut table = Table::new(&[
            "method",
            "different grids",
            "unseen mass",
            "grids, at least",
            "classes seen",
            "classes, at least",
            "50 % after",
            "90 % after",
            "99 % after",
        ]);
        table.rows.extend(board.rows.iter().map(|row| unseen_row(board, row)));
        blocks.push(Block::Table(table));
        if figures::is_small(board.shape) {
            blocks.extend(plots([figures::discovery(survey, board)]));
        }
    }
    blocks
}

fn unseen_row(board: &Board, row: &Row) -> Vec<String> {
    let mut cells = vec![name(row)];
    let species = |species: super::sampled::Species| {
        let bound =
            if species.twice == 0 && species.once > 1 { "no bound".to_owned() } else { rounded(species.at_least()) };
        (grouped(species.distinct.into()), bound)
    };
    match &row.counts {
        Some(counts) => {
            let (mass, error) = counts.grids.unseen_mass();
            let (distinct, bound) = species(counts.grids);
            cells.extend([distinct, with_error(mass, error), bound]);
            let (distinct, bound) = counts.classes.map_or((String::new(), String::new()), species);
            cells.extend([distinct, bound]);
        }
        None => cells.extend(std::iter::repeat_n(String::new(), 5)),
    }
    cells.extend([0.5, 0.9, 0.99].map(|part| match &row.law {
        Law::Whole(law) => law.draws_until(part).map_or_else(|| "never".to_owned(), |draws| scientific(draws.log2())),
        Law::Sampled(law) => law.draws_until(part).map_or_else(
            || "not seen".to_owned(),
            |(draws, error)| {
                let text = scientific(draws.log2() + board.grids.log2);
                format!("{text} ± {:.0} %", 100.0 * error / draws)
            },
        ),
        Law::Even(_) => "never".to_owned(),
        Law::Unknown => String::new(),
    }));
    cells
}

fn large(survey: &Survey) -> Vec<Block> {
    let boards: Vec<&Board> = survey.boards.iter().filter(|board| board.shape.order() > 9).collect();
    if boards.is_empty() {
        return Vec::new();
    }
    let mut table = Table::new(&[
        "board",
        "method",
        "grids reached",
        "share of all grids",
        "divergence, bits",
        "draws",
        "4-cell sets",
    ]);
    for board in &boards {
        for row in &board.rows {
            let orbit = match &row.reach {
                Reach::Orbit(orbit) => [natural(&orbit.grids), share(orbit.grids.log2() - board.grids.log2)],
                Reach::Bases(bases) => [format!("images of {bases}"), String::new()],
                Reach::All => ["all".to_owned(), "100 %".to_owned()],
            };
            let bits = if let Law::Even(bits) = row.law { rounded(bits) } else { "unknown".to_owned() };
            let drawn = row.counts.as_ref().map_or(["0".to_owned(), String::new()], |counts| {
                [grouped(counts.draws.into()), with_error(counts.swaps.mean, counts.swaps.error)]
            });
            table
                .rows
                .push([vec![board.shape.to_string(), name(row)], orbit.to_vec(), vec![bits], drawn.to_vec()].concat());
        }
    }
    let mut blocks = vec![
        heading("Large boards: estimates"),
        paragraph(
            "Orbits are exact here too. The number of all grids is published for 3x4; for larger boards it is our \
             estimate (bands and stacks taken as independent, see the documentation of `coverage::exact`), so shares \
             and divergences are estimates. No method is known to be even here, nor the law of any search; the mean \
             numbers of 4-cell sets differ from method to method, so at most one of them could be even.",
        ),
        Block::Table(table),
    ];
    let refused: Vec<String> = boards.iter().flat_map(|board| board.refused.iter().cloned()).collect();
    if !refused.is_empty() {
        blocks.push(paragraph("Not made:"));
        blocks.push(Block::Items(refused));
    }
    blocks.extend(plots(boards.iter().map(|board| figures::four_cell_sets(board))));
    blocks
}

fn limits() -> Vec<Block> {
    vec![
        heading("Limits"),
        Block::Items(
            [
                "A passed test proves nothing; `uniform` is even by construction: `coverage --recount` prints the proof.",
                "Laws hold for the methods as implemented here, to order 9, where no search is ever broken off. \
                 Restarting at a dead end instead of going back would be another law.",
                "Means of u are means over grids, not over classes; the two differ by about 5e-5 on 9x9.",
                "Smallest and largest u are those among the drawn grids where the whole law is not known.",
                "The means of u and of 1/u have heavy tails: their errors are honest but not small.",
            ]
            .map(str::to_owned)
            .to_vec(),
        ),
    ]
}

/// True when a method is one that searches, so that it can reach every grid without being even.
fn searches(method: &Method) -> bool {
    !matches!(method, Method::Permutation(_) | Method::BaseShuffle(_) | Method::Uniform)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::survey::{Options, Silent, survey};

    fn small_survey(shapes: &[&str]) -> Survey {
        let shapes = shapes.iter().map(|text| text.parse().unwrap()).collect();
        survey(Options { seed: 1, samples: 1000, shapes, methods: Options::all_methods() }, &Silent).unwrap()
    }

    #[test]
    fn the_report_says_what_is_known_and_draws_every_plot() {
        let page = document(&small_survey(&["2x2", "2x3", "3x3", "3x4", "6x6"]));
        let text = page.markdown();
        for fact in [
            "6,670,903,752,021,072,936,960",
            "28,200,960",
            "22,574,039,040",
            "5,472,730,538",
            "1.83493E+21",
            "264,539,520",
            "2,380,855,680",
            "416 classes",
        ] {
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
