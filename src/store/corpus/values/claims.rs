//! Compares what a row says of its puzzle with the puzzle.
//!
//! A file that carries checksums of this program has the rows that it wrote. Rows of any other file may have been edited:
//! a given blanked, a class replaced. What a puzzle decides in microseconds is found again for such rows; ratings,
//! levels, names and weights are believed.

use std::sync::LazyLock;

use super::analyze::Analysis;
use super::ratings::Ratings;
use super::record::{COLUMNS, Record};
use super::value::Value;

/// The columns that are found again. The number of solutions is compared by [`solutions_of`].
const FOUND_AGAIN: [&str; 7] = ["givens", "holes", "solution", "minimal", "class", "solution_class", "automorphisms"];

/// The analyses that take microseconds.
static QUICK: LazyLock<Analysis> =
    LazyLock::new(|| Analysis { ladder: None, ratings: Ratings::NONE, count_limit: 2, ..Analysis::default() });

/// The row, if what it says of its puzzle is true. What cannot be proved within the budget of an analysis becomes
/// unknown.
///
/// # Errors
/// The row says one thing, and its puzzle another.
pub(crate) fn confirmed(said: Record) -> Result<Record, String> {
    let Some(puzzle) = said.puzzle.clone() else { return without_puzzle(said) };
    let analysis =
        Analysis { budget: Analysis::budget_of(said.shape), minimal: said.minimal.is_some(), ..QUICK.clone() };
    let analyzed = analysis.analyze(Record::of_puzzle(said.row, puzzle));
    compare_solutions(&said, &analyzed)?;
    for column in COLUMNS.iter().filter(|column| FOUND_AGAIN.contains(&&*column.name)) {
        let (of_row, of_puzzle) = (column.get(&said), column.get(&analyzed));
        if of_row != Value::Null && of_puzzle != Value::Null && of_row != of_puzzle {
            return Err(untrue(&format!("{} {of_row}", column.name), &of_puzzle.to_string()));
        }
    }
    let is_proved = solutions_of(&analyzed).is_some();
    Ok(Record {
        solutions: said.solutions.filter(|_| is_proved),
        solutions_exact: said.solutions_exact.filter(|_| is_proved),
        minimal: said.minimal.and(analyzed.minimal),
        class: said.class.and(analyzed.class),
        solution_class: said.solution_class.and(analyzed.solution_class),
        automorphisms: said.automorphisms.and(analyzed.automorphisms),
        ..said
    })
}

/// A row without a puzzle, which says nothing of one.
fn without_puzzle(said: Record) -> Result<Record, String> {
    match said.givens {
        Some(givens) => Err(format!("the row says givens {givens}, but it has no puzzle")),
        None => Ok(said),
    }
}

/// Refuses a row with a wrong number of solutions.
fn compare_solutions(said: &Record, analyzed: &Record) -> Result<(), String> {
    match (solutions_of(said), solutions_of(analyzed)) {
        (Some(of_row), Some(of_puzzle)) if of_row != of_puzzle => Err(untrue(of_row, of_puzzle)),
        _ => Ok(()),
    }
}

/// How many solutions a row has: none, one or several. None if it is not known.
fn solutions_of(record: &Record) -> Option<&'static str> {
    match (record.solutions?, record.solutions_exact) {
        (0, Some(true)) => Some("no solution"),
        (1, Some(true)) => Some("one solution"),
        (2.., _) => Some("several solutions"),
        _ => None,
    }
}

fn untrue(of_row: &str, of_puzzle: &str) -> String {
    format!("the row says {of_row}, but its puzzle has {of_puzzle}; `analyze` makes the row again")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::tests::{PUZZLE, puzzle};

    #[test]
    fn a_row_that_contradicts_its_puzzle_is_refused() {
        let row = Analysis::default().analyze(Record::of_puzzle(7, puzzle(PUZZLE)));
        assert_eq!(confirmed(row.clone()).as_ref(), Ok(&row));
        let blanked = format!("{}{}", &PUZZLE[..40], ".".repeat(41));
        let other = puzzle(&PUZZLE.replacen("53..7", "534.7", 1));
        let several = Analysis::default().analyze(Record::of_puzzle(0, puzzle(&blanked)));
        for (edited, words) in [
            (Record { puzzle: Some(puzzle(&blanked)), ..row.clone() }, "says one solution, but its puzzle has several"),
            (Record { solutions: Some(1), solutions_exact: Some(true), ..several }, "has several solutions"),
            (Record { puzzle: Some(other), ..row.clone() }, "says givens 30, but its puzzle has 31"),
            (Record { class: Some(5), ..row.clone() }, "says class '00000000000000000000000000000005'"),
            (Record { solution_class: Some(5), ..row.clone() }, "says solution_class"),
            (Record { holes: Some(5), ..row.clone() }, "says holes 5, but its puzzle has 51"),
            (Record { minimal: row.minimal.map(|minimal| !minimal), ..row.clone() }, "says minimal"),
            (Record { solutions: Some(0), ..row.clone() }, "says no solution, but its puzzle has one solution"),
        ] {
            let reason = confirmed(edited).unwrap_err();
            assert!(reason.contains(words) && reason.ends_with("`analyze` makes the row again"), "{words}: {reason}");
        }
        assert!(confirmed(Record { puzzle: None, ..row }).unwrap_err().contains("it has no puzzle"));
    }

    #[test]
    fn what_a_row_does_not_say_stays_unknown() {
        let bare = Record::of_puzzle(0, puzzle(PUZZLE));
        assert_eq!(confirmed(bare.clone()), Ok(bare));
    }
}
