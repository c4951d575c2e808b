//! Writes the steps of published puzzles, in a file beside them.

use std::io;
use std::path::Path;

use crate::choice::rows::chosen::Chosen;
use crate::choice::rows::puzzles::Puzzles;
use crate::error::PublishError;
use sudoku_corpus_core::board::Reason;
use sudoku_corpus_core::ladder::Ladder;
use sudoku_corpus_core::solve::{Budget, Count, count};
use sudoku_corpus_store::corpus::{
    ItemSize, Metadata, Output, Record, Sealed, StepFormat, StepSink, StepsWanted, StopFlag, in_order,
};

/// Budget of positions for checking that a puzzle has exactly one solution.
const SEARCH: Budget = Budget(10_000_000);

/// Writes the steps of puzzles into an output that nobody sees yet; `row` in the file is the place of a
/// puzzle in the list, from 0. Puzzles that are not known to have exactly one solution have no steps.
///
/// # Errors
/// A file name with an unknown ending; boards that the format does not name; an error of the operating system.
pub fn seal_steps(path: &Path, chosen: &Puzzles) -> Result<Sealed, PublishError> {
    let format = StepFormat::of_name(path)?;
    let checked = chosen.shapes().iter().try_for_each(|shape| format.check(*shape));
    checked.map_err(|Reason(reason)| PublishError::Request(reason))?;
    let mut sink = StepSink::of(Output::held(path)?, format, &Metadata::plain())?;
    let (ladder, wanted) = (Ladder::default(), StepsWanted { format, ..Default::default() });
    let solved = |(place, chosen): (usize, io::Result<Chosen>)| {
        let chosen = chosen?;
        // The row may have been read without `solutions_exact`. Counting again takes microseconds.
        let mut record = Record { row: place as u64, class: Some(chosen.class), ..chosen.record() };
        let puzzle = record.puzzle.as_ref();
        let unique = puzzle.filter(|puzzle| count(puzzle, 2, SEARCH) == Count { found: 1, exact: true });
        let Some(puzzle) = unique else { return Ok(record) };
        let (rating, steps) = wanted.rate(puzzle, record.row, record.solution.as_ref(), &ladder);
        record.set_rating(&rating);
        Ok(Record { steps, ..record })
    };
    in_order(ItemSize::Large, chosen.iter().enumerate(), &StopFlag::new(), solved, |done| {
        done.into_iter().try_for_each(|record: io::Result<_>| Ok::<_, PublishError>(sink.write(&mut record?)?))
    })?;
    Ok(sink.seal()?)
}
