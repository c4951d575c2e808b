//! The second pass of a selection: reads the chosen rows completely and checks them.

use std::path::Path;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::PublishError;
use super::best::Candidate;
use super::pool::Pool;
use super::wish::Wanted;
use crate::board::Puzzle;
use crate::corpus::{Picked, Record};
use crate::solve::{Budget, Verdict, verdict};

/// A puzzle that was chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// Its row; it has a puzzle. Columns that no format needs are missing, unless all were asked for.
    pub record: Record,
    /// The quota that it fills: a position in [`Wanted::quotas`], or the number of quotas if it only fills up the count.
    pub quota: usize,
    /// Its class.
    pub class: u128,
}

impl Chosen {
    /// The puzzle.
    pub fn puzzle(&self) -> Option<&Puzzle> {
        self.record.puzzle.as_ref()
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
        let records = Picked::open(path, |column| wanted.reads(column))?.rows(&rows)?;
        records.into_iter().map(|record| checked(record, wanted)).collect::<Result<Vec<Record>, PublishError>>()
    };
    let records: Vec<Vec<Record>> = files.into_par_iter().map(read).collect::<Result<_, _>>()?;
    // The rows of each file are moved here and freed, so that there is never a second copy.
    let mut chosen = Vec::with_capacity(picked.len());
    for (record, &(_, at)) in records.into_iter().flatten().zip(&places) {
        chosen.push(Chosen { record, quota: quotas[at], class: picked[at].class });
    }
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

/// Checks that the puzzle of a row has exactly the solution of the row. Large boards are not solved again.
fn checked(record: Record, wanted: &Wanted) -> Result<Record, PublishError> {
    let Some(puzzle) = &record.puzzle else { return Ok(record) };
    let untrue = |reason| PublishError::Untrue { puzzle: puzzle.to_string(), reason };
    if wanted.any_solutions || puzzle.shape().order() > 9 {
        return Ok(record);
    }
    match (verdict(puzzle, CHECK), &record.solution) {
        (Verdict::Several(..), _) => Err(untrue("its row says that it has one solution, but it has several")),
        (Verdict::Unsolvable, _) => Err(untrue("its row says that it has one solution, but it has none")),
        (Verdict::Unique(found), Some(said)) if found != *said => Err(untrue("its solution is another one")),
        (Verdict::Unique(found), None) => Ok(Record { solution: Some(found), ..record }),
        _ => Ok(record),
    }
}

#[cfg(test)]
mod tests {
    use crate::random::{Rng, Stage};

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
