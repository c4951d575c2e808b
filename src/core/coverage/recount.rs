//! Counts all grids in several ways that share as little as possible. This proves that `uniform` is exact.
//!
//! ```text
//!   3x3   by bands      44 classes of column contents (*gangsters*): the tables that the sampler draws from
//!         by boxes      an L of five boxes, 683 parts: shares only the 280 partitions with the bands
//!         by classes    5,472,730,538 classes, each with its orbit: the catalogue
//!   2xC   by formula    rows of digits, then columns of stacks: the sampler's tables for 4x4, 6x6, 8x8; also 2x5
//!         by listing    4x4 and 6x6: every grid is written down
//! ```
//!
//! The sampler draws an integer below the number of things that the first route counts, makes the thing with this
//! number, and shuffles what the count did not distinguish. If the count is right to the last digit, nothing is missing
//! and nothing is counted twice. It is very unlikely that a wrong count agrees with a second route.

use rayon::prelude::{IntoParallelIterator as _, ParallelIterator as _};

use crate::board::Shape;
use crate::catalogue::{FiveBoxes, TwoRowCount, bands, counts};
use crate::coverage::known::exact;
use crate::coverage::known::natural::{Natural, grouped};
use crate::coverage::known::small::Small;
use crate::progress::Progress;

/// One count of all grids of a shape.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Recount {
    pub shape: Shape,
    pub route: String,
    pub grids: Natural,
}

impl Recount {
    fn new(shape: Shape, route: &str, grids: u128) -> Recount {
        Recount { shape, route: route.to_owned(), grids: Natural::from(grids) }
    }

    /// True if it is the published number.
    pub fn agrees(&self) -> bool {
        exact::grids(self.shape).exact.as_ref() == Some(&self.grids)
    }
}

/// The shapes that can be counted here: boxes with two rows of 2 to 5 columns, and 3x3.
pub fn shapes() -> Vec<Shape> {
    ["2x2", "2x3", "2x4", "3x3", "2x5"].iter().filter_map(|text| text.parse().ok()).collect()
}

/// All counts of a shape of [`shapes`], or of its transpose. They take seconds of one core, for 2x5 some minutes.
pub fn recount(shape: Shape, progress: &dyn Progress) -> Vec<Recount> {
    if shape == Shape::NINE {
        let by_bands = format!("by bands, {} classes of column contents", bands().classes().len());
        let boxes = FiveBoxes::default();
        let by_boxes = in_parts("3x3: L of five boxes", boxes.parts(), progress, |part| boxes.part(part));
        return vec![
            Recount::new(shape, &by_bands, bands().grids()),
            Recount::new(shape, "by an L of five boxes", by_boxes),
            Recount::new(shape, "by the classes of the table, each with its orbit", counts().grids()),
        ];
    }
    let columns = shape.box_rows().max(shape.box_columns());
    if shape.box_rows().min(shape.box_columns()) != 2 {
        return Vec::new();
    }
    let formula = TwoRowCount::new(columns).map(|formula| {
        let grids = in_parts(&format!("{shape}: formula"), formula.parts(), progress, |part| formula.part(part));
        Recount::new(shape, "by the formula for two rows", grids)
    });
    let listed = Small::of(shape).map(|small| Recount::new(shape, "by listing every grid", small.grids().into()));
    formula.into_iter().chain(listed).collect()
}

/// Adds up the parts of a count, in parallel, and reports each.
fn in_parts(stage: &str, parts: usize, progress: &dyn Progress, part: impl Fn(usize) -> u128 + Sync) -> u128 {
    progress.stage(stage, parts as u64);
    let counts = (0..parts).into_par_iter().map(|number| {
        let grids = part(number);
        progress.rows(1);
        grids
    });
    counts.sum()
}

/// The counts as text, with an explanation.
pub fn proof(counts: &[Recount]) -> String {
    let mut text = String::new();
    for count in counts {
        let agrees = if count.agrees() { "agrees" } else { "DIFFERS from the published number" };
        text.push_str(&format!("{}  {:>41}  {}: {agrees}\n", count.shape, grouped(&count.grids), count.route));
    }
    text.push_str(
        "\nThe sampler of `uniform` uses the first count of a shape (for 3x3 by bands, else by the formula). It divides the\n\
         count by the number of shuffles that it applies afterwards, draws an integer below the result, and builds the\n\
         grid with this number. Each number gives one grid, and every grid comes from the same number of pairs of a\n\
         number and a shuffle. The counts use only integers; no step rounds and no step rejects.\n",
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;

    /// All routes except the five boxes and 2x5, which are slow.
    #[test]
    fn small_boards_are_counted_by_all_routes() {
        for (text, routes) in [("2x2", 2), ("2x3", 2), ("3x2", 2), ("2x4", 1)] {
            let counts = recount(text.parse().unwrap(), &Silent);
            assert_eq!(counts.len(), routes, "{text}");
            assert!(counts.iter().all(Recount::agrees), "{counts:?}");
        }
        assert_eq!(recount("3x4".parse().unwrap(), &Silent), []);
    }

    #[test]
    fn a_wrong_count_is_reported() {
        let wrong = Recount { shape: Shape::NINE, route: "by guess".to_owned(), grids: Natural::from(1u32) };
        assert!(!wrong.agrees() && proof(&[wrong]).contains("DIFFERS"));
    }
}
