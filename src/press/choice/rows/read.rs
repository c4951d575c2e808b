//! The second pass of a selection: reads the chosen rows completely, checks them and packs them.
//!
//! ```text
//!   records of the chosen rows, by row --> batches --> items: the rows of one file --> threads read, check and pack
//!                                                                                  --> in their places in the result
//! ```

use std::io;
use std::path::Path;

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

/// The words of a record of a chosen row: the number of the row, its place in the result, its quota, and the two halves
/// of its class.
type ChosenWords = [u64; 5];

/// The chosen rows of one file.
struct FileRows<'a> {
    path: &'a Path,
    /// The numbers of the rows in the file.
    rows: Vec<u64>,
    /// The record of each of these rows.
    records: Vec<ChosenWords>,
}

/// The packed rows of a file.
#[derive(Default)]
struct PackedRows {
    /// The rows, one after the other.
    bytes: Vec<u8>,
    rows: Vec<PackedRow>,
}

/// A packed row.
struct PackedRow {
    /// Its place in the result.
    place: u64,
    /// Its kind of board.
    kind: Shape,
    /// The number of its bytes.
    length: usize,
}

/// Reads the chosen rows, checks them and puts them in their order. The records of `picked` have the words of
/// [`ChosenWords`], and are sorted by the number of the row.
pub(crate) fn read(pool: &Pool, request: &Request, mut picked: Sorted, job: &Job<'_>) -> Result<Puzzles, PublishError> {
    let level_columns = request.level_columns();
    let batches = std::iter::from_fn(|| next_batch(&mut picked).transpose());
    let items = batches.flat_map(|batch| match batch {
        Err(error) => vec![Err(error)],
        Ok(batch) => by_file(pool, &batch).into_iter().map(Ok).collect(),
    });
    let pack_item = |item: io::Result<FileRows<'_>>| packed(item?, request, &level_columns);
    let mut puzzles = PuzzleWriter::new(&job.folder);
    let is_complete = in_order(ItemSize::Large, items, &job.stop, pack_item, |results| {
        for result in results {
            let PackedRows { bytes, rows } = result?;
            let mut start = 0;
            for PackedRow { place, kind, length } in rows {
                puzzles.add(place as usize, kind, &bytes[start..start + length])?;
                start += length;
            }
        }
        Ok::<_, PublishError>(())
    })?;
    if is_complete { Ok(puzzles.finish()?) } else { Err(PublishError::Stopped) }
}

/// The next records, at most [`BATCH`] of them. None after the last.
fn next_batch(picked: &mut Sorted) -> io::Result<Option<Vec<ChosenWords>>> {
    let mut batch = Vec::new();
    while batch.len() < BATCH
        && let Some(record) = picked.advance()?
    {
        batch.push(words_of(record));
    }
    Ok(if batch.is_empty() { None } else { Some(batch) })
}

/// The rows of a batch, by the files in which they stand.
fn by_file<'a>(pool: &'a Pool, batch: &[ChosenWords]) -> Vec<FileRows<'a>> {
    let numbers: Vec<u64> = batch.iter().map(|&[row, ..]| row).collect();
    let mut items = Vec::new();
    let mut records_left = batch;
    for (path, rows) in pool.by_file(&numbers) {
        let (records, later_records) = records_left.split_at(rows.len());
        records_left = later_records;
        items.push(FileRows { path, rows, records: records.to_vec() });
    }
    items
}

/// Reads the chosen rows of a file, checks them and packs them. `level_columns` are those that the levels of the request
/// need.
fn packed(item: FileRows<'_>, request: &Request, level_columns: &[String]) -> Result<PackedRows, PublishError> {
    let picked = Picked::open(item.path, |column| request.reads(column, level_columns))?;
    let mut records = item.records.into_iter();
    let mut bytes = Vec::with_capacity(ROW_BYTES * item.rows.len());
    let rows = picked.rows(&item.rows, |record| {
        let mut record = checked(record, request)?;
        if let Pick::Weighted(_) = request.pick {
            // Rows that were drawn by their weights have equal weights from now on.
            (record.log_weight, record.log_class_weight) = (None, None);
        }
        let [_, place, quota, high, low] = records.next().unwrap_or_default();
        let chosen = Chosen::new(&record, quota as usize, u128::from(high) << 64 | u128::from(low));
        let start = bytes.len();
        let (head, row) = chosen.bytes();
        bytes.extend_from_slice(&head);
        bytes.extend_from_slice(row);
        Ok::<_, PublishError>(PackedRow { place, kind: record.shape.kind(), length: bytes.len() - start })
    })?;
    Ok(PackedRows { bytes, rows })
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
        (Verdict::Unique(solution), Some(claimed)) if solution != *claimed => {
            Err(untrue("the solution in its row is wrong"))
        }
        (Verdict::Unique(solution), None) => Ok(Record { solution: Some(solution), ..record }),
        _ => Ok(record),
    }
}
