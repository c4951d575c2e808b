//! The second pass of a selection: reads the chosen rows completely, checks them and packs them.

use std::sync::{Mutex, PoisonError};

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::publish::choice::chosen::Chosen;
use crate::publish::choice::pool::Pool;
use crate::publish::choice::puzzles::Puzzles;
use crate::publish::choice::request::{Request, SORTED_IN_MEMORY};
use crate::publish::error::PublishError;
use sudoku_corpus_core::solve::{Budget, Verdict, verdict};
use sudoku_corpus_store::corpus::sorter::{Sorted, Sorter, words_of};
use sudoku_corpus_store::corpus::{Job, Picked, Record};

/// Rows that are read together.
const BATCH: usize = 1 << 17;

/// Reads the chosen rows, checks them and puts them in their order. The records of `picked` are the number of a row,
/// its place in the order, its quota and its class.
pub(crate) fn read(pool: &Pool, request: &Request, mut picked: Sorted, job: &Job<'_>) -> Result<Puzzles, PublishError> {
    let of_levels = request.of_levels();
    let in_order = Mutex::new(Sorter::new(&job.folder, SORTED_IN_MEMORY));
    loop {
        if job.stop.is_set() {
            return Err(PublishError::Stopped);
        }
        let mut batch: Vec<[u64; 5]> = Vec::new();
        while batch.len() < BATCH
            && let Some(record) = picked.advance()?
        {
            batch.push(words_of(record));
        }
        if batch.is_empty() {
            break;
        }
        let numbers: Vec<u64> = batch.iter().map(|&[row, ..]| row).collect();
        let mut rest = &batch[..];
        let of_file = |(path, rows): (_, Vec<u64>)| {
            let (here, others) = rest.split_at(rows.len());
            rest = others;
            (path, rows, here)
        };
        let files: Vec<_> = pool.by_file(&numbers).into_iter().map(of_file).collect();
        // A thread that waits for polars takes up the next task. With a task for each thread, no more files are open.
        let files = Mutex::new(files.into_iter());
        let next = || files.lock().unwrap_or_else(PoisonError::into_inner).next();
        (0..rayon::current_num_threads()).into_par_iter().try_for_each(|_| {
            while let Some((path, rows, mut here)) = next() {
                let picked = Picked::open(path, |column| request.reads(column, &of_levels))?;
                let keep = |record| {
                    let record = checked(record, request)?;
                    let (&[_, place, quota, high, low], others) = here.split_first().unwrap_or((&[0; 5], &[]));
                    here = others;
                    let chosen = Chosen::new(&record, quota as usize, u128::from(high) << 64 | u128::from(low));
                    let (head, row) = chosen.bytes();
                    let mut in_order = in_order.lock().unwrap_or_else(PoisonError::into_inner);
                    Ok::<_, PublishError>(in_order.push(&[&place.to_be_bytes(), &head, row])?)
                };
                picked.rows(&rows, keep).map(drop)?;
            }
            Ok::<_, PublishError>(())
        })?;
    }
    let mut in_order = in_order.into_inner().unwrap_or_else(PoisonError::into_inner).finish()?;
    let next = || in_order.advance().map(|record| record.map(|record| Chosen::of(&record[8..]))).transpose();
    Ok(Puzzles::of(&job.folder, std::iter::from_fn(next))?)
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
