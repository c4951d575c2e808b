//! The second pass of a selection: reads the chosen rows completely, checks them and packs them.

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
use sudoku_corpus_store::corpus::sorter::{Sorted, bytes_of, words_of};
use sudoku_corpus_store::corpus::{ItemSize, Job, Picked, Record, in_order};

/// The most rows that are read together: as many as a row group has.
const BATCH: usize = 1 << 15;

/// Most packed rows of 9x9 boards take fewer bytes.
const ROW_BYTES: usize = 320;

/// A chosen row.
#[derive(Clone, Copy)]
pub(crate) struct PickedRow {
    /// Its number in the pool.
    pub row: u64,
    /// Its place in the order of the result.
    pub place: u64,
    pub quota: usize,
    pub class: u128,
}

impl PickedRow {
    /// As a record that sorts by row.
    pub(crate) fn by_row(self) -> [[u8; 8]; 5] {
        let PickedRow { row, place, quota, class } = self;
        bytes_of([row, place, quota as u64, (class >> 64) as u64, class as u64])
    }

    pub(crate) fn of(record: &[u8]) -> PickedRow {
        let [row, place, quota, high, low] = words_of(record);
        PickedRow { row, place, quota: quota as usize, class: u128::from(high) << 64 | u128::from(low) }
    }
}

struct RowsOfFile<'a> {
    path: &'a Path,
    rows: Vec<PickedRow>,
    /// The numbers of the rows in the file.
    numbers: Vec<u64>,
}

/// Packed rows, one after the other.
struct PackedRows {
    bytes: Vec<u8>,
    rows: Vec<PackedRow>,
}

/// What is known of a packed row.
struct PackedRow {
    place: usize,
    kind: Shape,
    length: usize,
}

/// Reads the chosen rows, checks them and puts them in their order. `picked` has their records by row.
pub(crate) fn read(pool: &Pool, request: &Request, mut picked: Sorted, job: &Job<'_>) -> Result<Puzzles, PublishError> {
    let level_columns = request.level_columns();
    let batches = std::iter::from_fn(|| next_batch(&mut picked).transpose());
    let files = batches.flat_map(|batch| match batch {
        Ok(batch) => rows_of_files(pool, batch).into_iter().map(Ok).collect(),
        Err(error) => vec![Err(error)],
    });
    let pack = |file: io::Result<RowsOfFile<'_>>| packed(file?, request, &level_columns);
    let mut puzzles = PuzzleWriter::new(&job.folder);
    let ended = in_order(ItemSize::Large, files, &job.stop, pack, |files| {
        for packed in files {
            let PackedRows { bytes, rows } = packed?;
            let mut rest = bytes.as_slice();
            for PackedRow { place, kind, length } in rows {
                let (row, later) = rest.split_at(length);
                puzzles.add(place, kind, row)?;
                rest = later;
            }
        }
        Ok::<(), PublishError>(())
    })?;
    if ended { Ok(puzzles.finish()?) } else { Err(PublishError::Stopped) }
}

/// The next rows. None after the last.
fn next_batch(picked: &mut Sorted) -> io::Result<Option<Vec<PickedRow>>> {
    let mut batch = Vec::new();
    while batch.len() < BATCH
        && let Some(record) = picked.advance()?
    {
        batch.push(PickedRow::of(record));
    }
    Ok((!batch.is_empty()).then_some(batch))
}

/// Divides rows by their files.
fn rows_of_files(pool: &Pool, batch: Vec<PickedRow>) -> Vec<RowsOfFile<'_>> {
    let numbers: Vec<u64> = batch.iter().map(|row| row.row).collect();
    let mut rest = batch.into_iter();
    let mut files = Vec::new();
    for (path, numbers) in pool.by_file(&numbers) {
        files.push(RowsOfFile { path, rows: rest.by_ref().take(numbers.len()).collect(), numbers });
    }
    files
}

/// Reads the chosen rows of a file, checks them and packs them.
fn packed(file: RowsOfFile<'_>, request: &Request, level_columns: &[String]) -> Result<PackedRows, PublishError> {
    let mut bytes = Vec::with_capacity(ROW_BYTES * file.numbers.len());
    let mut next = 0;
    let rows =
        Picked::open(file.path, |column| request.reads(column, level_columns))?.rows(&file.numbers, |record| {
            let PickedRow { place, quota, class, .. } = file.rows[next];
            next += 1;
            let mut record = checked(record, request)?;
            if let Pick::Weighted(_) = request.pick {
                record.log_weight = None;
                record.log_class_weight = None;
            }
            let chosen = Chosen::new(&record, quota, class);
            let (head, row) = chosen.bytes();
            bytes.extend_from_slice(&head);
            bytes.extend_from_slice(row);
            let length = head.len() + row.len();
            Ok::<_, PublishError>(PackedRow { place: place as usize, kind: record.shape.kind(), length })
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
        (Verdict::Unique(found), Some(said)) if found != *said => Err(untrue("the solution in its row is wrong")),
        (Verdict::Unique(found), None) => Ok(Record { solution: Some(found), ..record }),
        _ => Ok(record),
    }
}
