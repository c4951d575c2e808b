//! Writes the steps of published puzzles, in a file beside them.

use std::path::Path;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::publish::choice::puzzles::{Puzzles, blocks};
use crate::publish::error::PublishError;
use sudoku_corpus_core::board::Puzzle;
use sudoku_corpus_core::rate::Ladder;
use sudoku_corpus_core::solve::{Budget, Count, count};
use sudoku_corpus_store::corpus::{Record, Sealed, StepFormat, StepSink, StepsWanted};

/// Number of puzzles that are solved before their steps are written; about 50 MB of steps.
const AT_ONCE: usize = 1_024;
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
    for (block, first) in blocks(chosen.iter(), AT_ONCE).zip((0u64..).step_by(AT_ONCE)) {
        let solved: Vec<Option<Record>> = block?
            .par_iter()
            .map(|chosen| {
                // The row may have been read without `solutions_exact`. Counting again takes microseconds.
                let unique = |puzzle: &&Puzzle| count(puzzle, 2, SEARCH) == Count { found: 1, exact: true };
                let record = chosen.record();
                let puzzle = record.puzzle.as_ref().filter(unique)?;
                let (rating, steps) = wanted.rate(puzzle, (record.index, record.solution.as_ref()), &ladder);
                Some(Record { steps, class: Some(chosen.class), ..record }.with_rating(&rating))
            })
            .collect();
        for (record, index) in solved.into_iter().zip(first..) {
            if let Some(record) = record {
                sink.write(&mut Record { index, ..record })?;
            }
        }
    }
    Ok(sink.seal()?)
}
