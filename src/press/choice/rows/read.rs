//! The second pass of a selection: reads the chosen rows completely, checks them and packs them.

use std::io;

use crate::choice::order::Pick;
use crate::choice::request::Request;
use crate::choice::rows::chosen::Chosen;
use crate::choice::rows::pool::Pool;
use crate::choice::rows::puzzles::{PuzzleWriter, Puzzles};
use crate::error::PublishError;
use sudoku_corpus_core::board::Shape;
use sudoku_corpus_core::solve::{Budget, Verdict, verdict};
use sudoku_corpus_store::corpus::sorter::{Sorted, words_of};
use sudoku_corpus_store::corpus::{ItemSize, Job, Picked, Record, in_order};

/// The most rows that are read together: as many as a row group has.
const BATCH: usize = 1 << 15;

/// Most packed rows of 9x9 boards take fewer bytes.
const ROW_BYTES: usize = 320;

/// The packed rows of an item, one after the other, and for each its place in the order, its kind of board and its bytes.
type PackedRows = (Vec<u8>, Vec<(u64, Shape, usize)>);

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
    let packed = |item: io::Result<(_, Vec<[u64; 5]>, Vec<u64>)>| -> Result<PackedRows, PublishError> {
        let (path, here, rows) = item?;
        let (picked, mut here) = (Picked::open(path, |column| request.reads(column, &of_levels))?, here.into_iter());
        let mut bytes = Vec::with_capacity(ROW_BYTES * rows.len());
        let rows = picked.rows(&rows, |record| {
            let mut record = checked(record, request)?;
            if let Pick::Weighted(_) = request.pick {
                (record.log_weight, record.log_class_weight) = (None, None);
            }
            let [_, place, quota, high, low] = here.next().unwrap_or_default();
            let chosen = Chosen::new(&record, quota as usize, u128::from(high) << 64 | u128::from(low));
            let (start, (head, row)) = (bytes.len(), chosen.bytes());
            bytes.extend_from_slice(&head);
            bytes.extend_from_slice(row);
            Ok::<_, PublishError>((place, record.shape.kind(), bytes.len() - start))
        })?;
        Ok((bytes, rows))
    };
    let mut puzzles = PuzzleWriter::new(&job.folder);
    let ended = in_order(ItemSize::Large, items, &job.stop, packed, |done| {
        done.into_iter().try_for_each(|packed| {
            let (bytes, rows) = packed?;
            let mut rest = &bytes[..];
            rows.into_iter().try_for_each(|(place, kind, length)| {
                let (row, after) = rest.split_at(length);
                rest = after;
                Ok::<_, PublishError>(puzzles.add(place as usize, kind, row)?)
            })
        })
    })?;
    if ended { Ok(puzzles.finish()?) } else { Err(PublishError::Stopped) }
}

/// The budget for solving a chosen puzzle again. 9x9 boards need a few hundred positions at most.
const CHECK: Budget = Budget(100_000);

/// Checks that the puzzle of a row has exactly one solution, and that the row gives this solution. A missing solution
/// is added. Boards above 9x9 are not checked, and nothing is checked if puzzles with several solutions are allowed.
fn checked(mut record: Record, request: &Request) -> Result<Record, PublishError> {
    request.scale.fill_in(&mut record);
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
