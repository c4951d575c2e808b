//! The second pass of a selection: reads the chosen rows completely, checks them and packs them.

use std::path::Path;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::PublishError;
use super::best::Candidate;
use super::packed::Packed;
use super::pool::Pool;
use super::wish::Wanted;
use sudoku_corpus_core::board::{Puzzle, Shape};
use sudoku_corpus_core::solve::{Budget, Verdict, verdict};
use sudoku_corpus_store::corpus::{Picked, Record};

/// A puzzle that was chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    row: Packed,
    /// The quota that it fills: a position in [`Wanted::quotas`], or the number of quotas if it only fills up the count.
    pub quota: usize,
    /// Its class.
    pub class: u128,
}

impl Chosen {
    /// A row with a puzzle that was chosen.
    pub fn new(record: &Record, quota: usize, class: u128) -> Chosen {
        Chosen { row: Packed::new(record), quota, class }
    }

    /// Its row. Columns that no format needs are missing, unless all were asked for. It is unpacked at each call.
    pub fn record(&self) -> Record {
        self.row.record()
    }

    /// The puzzle.
    pub fn puzzle(&self) -> Option<Puzzle> {
        self.row.puzzle()
    }

    /// The shape of the board.
    pub fn shape(&self) -> Shape {
        self.row.shape()
    }
}

/// Reads the chosen rows and checks them.
pub(super) fn read(
    pool: &Pool,
    wanted: &Wanted,
    picked: &[Candidate],
    quotas: &[usize],
) -> Result<Vec<Chosen>, PublishError> {
    let mut places: Vec<(u64, usize)> =
        picked.iter().enumerate().map(|(at, candidate)| (candidate.key.row, at)).collect();
    places.sort_unstable();
    let numbers: Vec<u64> = places.iter().map(|&(row, _)| row).collect();
    let files = pool.by_file(&numbers);
    let read = |(path, rows): (&Path, Vec<u64>)| {
        let picked = Picked::open(path, |column| wanted.reads(column))?;
        picked.rows(&rows, |record| Ok(Packed::new(&checked(record, wanted)?)))
    };
    let rows: Vec<Vec<Packed>> = files.into_par_iter().map(read).collect::<Result<_, PublishError>>()?;
    let rows = rows.into_iter().flatten().zip(&places);
    let mut chosen: Vec<Chosen> =
        rows.map(|(row, &(_, at))| Chosen { row, quota: quotas[at], class: picked[at].class }).collect();
    put_in_place(&mut chosen, places.into_iter().map(|(_, at)| at).collect());
    Ok(chosen)
}

/// Moves each item to its place, with at most one exchange per item.
fn put_in_place<T>(items: &mut [T], mut places: Vec<usize>) {
    for from in 0..items.len() {
        while let Some(to) = places.get(from).copied().filter(|&to| to != from && to < items.len()) {
            items.swap(from, to);
            places.swap(from, to);
        }
    }
}

/// The budget for solving a chosen puzzle again. 9x9 boards need a few hundred positions at most.
const CHECK: Budget = Budget(100_000);

/// Checks that the puzzle of a row has exactly one solution, and that the row gives this solution. A missing solution
/// is added. Boards above 9x9 are not checked, and nothing is checked if puzzles with several solutions are allowed.
fn checked(record: Record, wanted: &Wanted) -> Result<Record, PublishError> {
    let Some(puzzle) = &record.puzzle else { return Ok(record) };
    let untrue = |reason| PublishError::Untrue { puzzle: puzzle.to_string(), reason };
    if wanted.any_solutions || puzzle.shape().order() > 9 {
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

#[cfg(test)]
mod tests {
    use sudoku_corpus_core::random::{Rng, Stage};

    #[test]
    fn items_are_put_in_their_places() {
        for index in 0..200 {
            let mut rng = Rng::new(1, index, Stage::Bench, 0);
            let mut places: Vec<usize> = (0..rng.below(30)).collect();
            rng.shuffle(&mut places);
            let mut items = places.clone();
            super::put_in_place(&mut items, places);
            assert!(items.iter().copied().eq(0..items.len()), "{items:?}");
        }
    }
}
