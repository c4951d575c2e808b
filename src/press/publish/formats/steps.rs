//! Writes the steps of published puzzles, in a file beside them.

use std::io;
use std::path::Path;

use crate::publish::choice::chosen::Chosen;
use crate::publish::choice::puzzles::Puzzles;
use crate::publish::error::PublishError;
use sudoku_corpus_core::board::Puzzle;
use sudoku_corpus_core::rate::Ladder;
use sudoku_corpus_core::solve::{Budget, Count, count};
use sudoku_corpus_store::corpus::{Record, Sealed, StepFormat, StepSink, StepsWanted, StopFlag, Workers};

/// Budget of positions for checking that a puzzle has exactly one solution.
const SEARCH: Budget = Budget(10_000_000);

/// Writes the steps of puzzles into a file that does not have its name yet; `index` in the file is the place of a
/// puzzle in the list, from 0. Puzzles that do not have exactly one solution have no steps.
///
/// # Errors
/// A file name with an unknown ending; an error of the operating system.
pub fn seal_steps(path: &Path, chosen: &Puzzles) -> Result<Sealed, PublishError> {
    let mut sink = StepSink::create(path)?;
    let (ladder, wanted) =
        (Ladder::default(), StepsWanted { format: StepFormat::of_name(path)?, ..Default::default() });
    let solved = |(at, chosen): (usize, io::Result<Chosen>)| {
        let chosen = chosen?;
        // The row may have been read without `solutions_exact`. Counting again takes microseconds.
        let unique = |puzzle: &&Puzzle| count(puzzle, 2, SEARCH) == Count { found: 1, exact: true };
        let record = chosen.record();
        let Some(puzzle) = record.puzzle.as_ref().filter(unique) else { return Ok(None) };
        let (rating, steps) = wanted.rate(puzzle, (record.index, record.solution.as_ref()), &ladder);
        Ok(Some(Record { steps, index: at as u64, class: Some(chosen.class), ..record }.with_rating(&rating)))
    };
    Workers::here().of_large().run(chosen.iter().enumerate(), &StopFlag::new(), solved, |done| {
        let mut write = |record: Option<Record>| record.map_or(Ok(()), |mut record| sink.write(&mut record));
        done.into_iter().try_for_each(|record: io::Result<_>| Ok::<_, PublishError>(write(record?)?))
    })?;
    Ok(sink.seal()?)
}
