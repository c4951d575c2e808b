//! The second pass of a selection: reads the chosen rows completely, checks them and packs them.

use std::io;

use crate::publish::choice::chosen::Chosen;
use crate::publish::choice::pool::Pool;
use crate::publish::choice::puzzles::{PuzzleWriter, Puzzles};
use crate::publish::choice::request::{Request, SORTED_IN_MEMORY};
use crate::publish::error::PublishError;
use sudoku_corpus_core::solve::{Budget, Verdict, verdict};
use sudoku_corpus_store::corpus::sorter::{Sorted, Sorter, words_of};
use sudoku_corpus_store::corpus::{Job, Picked, Record, Workers};

/// The most rows that are read together: as many as a row group has.
const BATCH: usize = 1 << 15;

/// Reads the chosen rows, checks them and puts them in their order. The records of `picked` are the number of a row,
/// its place in the order, its quota and its class.
pub(crate) fn read(pool: &Pool, request: &Request, mut picked: Sorted, job: &Job<'_>) -> Result<Puzzles, PublishError> {
    let of_levels = request.of_levels();
    let batch = || -> Option<io::Result<Vec<[u64; 5]>>> {
        let next = || picked.advance().map(|record| record.map(words_of)).transpose();
        let batch: io::Result<Vec<_>> = std::iter::from_fn(next).take(BATCH).collect();
        Some(batch).filter(|batch| batch.as_ref().map_or(true, |batch| !batch.is_empty()))
    };
    // The rows of one file in each item.
    let items = std::iter::from_fn(batch).flat_map(|batch| match batch {
        Err(error) => Vec::from_iter([Err(error)]),
        Ok(batch) => {
            let numbers: Vec<u64> = batch.iter().map(|&[row, ..]| row).collect();
            let mut rest = batch.into_iter();
            let files = pool.by_file(&numbers).into_iter();
            files.map(|(path, rows)| Ok((path, rest.by_ref().take(rows.len()).collect::<Vec<_>>(), rows))).collect()
        }
    });
    let checked = |item: io::Result<(_, Vec<[u64; 5]>, Vec<u64>)>| {
        let (path, here, rows) = item?;
        let (picked, mut here) = (Picked::open(path, |column| request.reads(column, &of_levels))?, here.into_iter());
        picked.rows(&rows, |record| {
            let record = checked(record, request)?;
            let [_, place, quota, high, low] = here.next().unwrap_or_default();
            Ok((place, Chosen::new(&record, quota as usize, u128::from(high) << 64 | u128::from(low))))
        })
    };
    let mut in_order = Sorter::new(&job.folder, SORTED_IN_MEMORY);
    let ended = Workers::new(job.threads)?.of_large().run(items, &job.stop, checked, |done| {
        done.into_iter().try_for_each(|chosen: Result<Vec<(u64, Chosen)>, PublishError>| {
            for (place, chosen) in chosen? {
                let (head, row) = chosen.bytes();
                in_order.push(&[&place.to_be_bytes(), &head, row])?;
            }
            Ok::<_, PublishError>(())
        })
    })?;
    if !ended {
        return Err(PublishError::Stopped);
    }
    let (mut in_order, mut puzzles) = (in_order.finish()?, PuzzleWriter::new(&job.folder));
    while let Some(record) = in_order.advance()? {
        // Without the place in the order.
        puzzles.add(&record[8..])?;
    }
    Ok(puzzles.finish()?)
}

/// The budget for solving a chosen puzzle again. 9x9 boards need a few hundred positions at most.
const CHECK: Budget = Budget(100_000);

/// Checks that the puzzle of a row has exactly one solution, and that the row gives this solution. A missing solution
/// is added. Boards above 9x9 are not checked, and nothing is checked if puzzles with several solutions are allowed.
fn checked(record: Record, request: &Request) -> Result<Record, PublishError> {
    let Some(puzzle) = &record.puzzle else { return Ok(record) };
    let untrue = |reason| PublishError::Untrue { puzzle: puzzle.to_string(), reason };
    if request.any_solutions || puzzle.shape().order() > 9 {
        return Ok(record);
    }
    match (verdict(puzzle, CHECK), &record.solution) {
        (Verdict::Several(..), _) => Err(untrue("its row says that it has one solution, but it has several")),
        (Verdict::Unsolvable, _) => Err(untrue("its row says that it has one solution, but it has none")),
        (Verdict::Unique(found), Some(said)) if found != *said => Err(untrue("the solution in its row is wrong")),
        (Verdict::Unique(found), None) => Ok(Record { solution: Some(found), ..record }),
        _ => Ok(record),
    }
}
