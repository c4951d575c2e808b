//! Says how many rows a part has, if a recipe does not: so many that two threads make it in about a minute, because a
//! part that is not complete is lost with its process. Small corpora have one part all the same.

use super::goal::Goal;
use crate::corpus::values::analyze::Analysis;
use sudoku_corpus_core::board::Shape;
use sudoku_corpus_core::dig::{DigOptions, Plan};

/// The most rows of a part.
const MOST: u64 = 10_000;

/// The least rows of a part. A part of fewer rows is mostly footer.
const LEAST: u64 = 10;

/// The work for a part, in milliseconds of a thread.
const WORK: u64 = 120_000;

/// Milliseconds for a minimal puzzle with its ladder, by the largest order of the board. Measured, and rounded up.
const BOARDS: [(usize, u64); 6] = [(9, 2), (12, 8), (16, 40), (20, 150), (25, 350), (usize::MAX, 3_000)];

/// Milliseconds for all ratings of a 9x9 puzzle.
const RATINGS: u64 = 5;

/// The usual number of rows in a part.
pub(crate) fn usual_part_rows<'a>(
    shape: Shape,
    goals: impl Iterator<Item = &'a Goal>,
    dig: &DigOptions,
    analysis: &Analysis,
) -> u64 {
    let board = BOARDS.iter().find(|(order, _)| shape.order() <= *order).map_or(1, |(_, cost)| *cost);
    // A larger budget for the proofs of a large board takes longer, but not in proportion.
    let usual = DigOptions::of(shape).budget;
    let factor = if shape.order() > 9 && dig.budget > usual { 10 } else { 1 };
    let ratings = if analysis.rates() { RATINGS } else { 0 };
    let cost = board * factor + ratings + goals.map(search).max().unwrap_or(0);
    let rows = (WORK / cost).clamp(LEAST, MOST);
    // 1, 2 or 5 times a power of ten.
    let power = 10u64.pow(rows.ilog10());
    [5, 2, 1].into_iter().map(|digit| digit * power).find(|&round| round <= rows).unwrap_or(rows)
}

/// Milliseconds for the search for a puzzle that meets a goal. Rare techniques and ratings take longer: `part_rows` says
/// it then.
fn search(goal: &Goal) -> u64 {
    let plan = if goal.plan == Plan::ControlledBias { 170 } else { 0 };
    let techniques = if goal.needs.0.is_empty() && goal.uses.0.is_empty() { 0 } else { 100 };
    let er = if goal.er.is_some() { 60 } else { 0 };
    let level = if goal.level.is_some() { 10 } else { 0 };
    plan + techniques + er + level
}

#[cfg(test)]
mod tests {
    use crate::corpus::tests::recipe;

    #[test]
    fn parts_of_costly_rows_have_fewer_rows() {
        let rows = |text: &str| recipe(text).unwrap().part_rows;
        let cases = [
            ("", 10_000),
            ("[analyze]\nratings = \"all\"", 10_000),
            ("[dig]\nlevel = \"easy\"", 1_000),
            ("levels = \"hodoku\"\n[dig]\nlevel = \"easy\"", 5_000),
            ("[dig]\ner = \"4.2\"", 1_000),
            ("[dig]\nneeds = \"x_wing\"", 1_000),
            ("[[quota]]\ncount = 9\nlevel = \"easy\"\n[[quota]]\ncount = 9\nneeds = \"x_wing\"", 1_000),
            ("[dig]\nplan = \"controlled-bias\"", 500),
            ("grid.shape = \"4x4\"", 2_000),
            ("grid.shape = \"5x5\"", 200),
            ("grid.shape = \"5x5\"\n[dig]\nbudget = 1000000", 20),
            ("grid.shape = \"6x6\"", 20),
            ("part_rows = 7\n[dig]\nneeds = \"x_wing\"", 7),
        ];
        for (text, expected) in cases {
            assert_eq!(rows(text), expected, "{text}");
        }
    }
}
