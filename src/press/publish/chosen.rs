//! The chosen rows: the second pass of a selection reads them completely, checks them and packs them.

use std::path::Path;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::PublishError;
use super::pool::Pool;
use super::request::Request;
use sudoku_corpus_core::board::{Puzzle, Shape};
use sudoku_corpus_core::rate::TECHNIQUES;
use sudoku_corpus_core::solve::{Budget, Verdict, verdict};
use sudoku_corpus_store::corpus::{COLUMNS, Picked, Record, Value};

/// A puzzle that was chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    row: Packed,
    /// The quota that it fills: a position in [`Request::quotas`], or the number of quotas if it only fills up the count.
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
        self.row.record(|_| true)
    }

    /// The puzzle.
    pub fn puzzle(&self) -> Option<Puzzle> {
        self.row.record(|column| column == "shape" || column == "puzzle").puzzle
    }

    /// The shape of the board.
    pub fn shape(&self) -> Shape {
        self.row.record(|column| column == "shape").shape
    }
}

/// A row in a tenth of the bytes of a [`Record`]: the number of each column that has a value, and the value as text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Packed(Box<[u8]>);

/// Ends the text of a value. UTF-8 has no such byte.
const END: u8 = 0xff;

impl Packed {
    /// Packs a row. Steps and columns of other programs are left out.
    fn new(record: &Record) -> Packed {
        // Techniques that were not used take no bytes.
        let mut bytes = vec![u8::from(record.counts.is_some())];
        for (number, column) in COLUMNS.iter().enumerate() {
            let text = match column.get(record) {
                Value::Null => continue,
                Value::Unsigned(0) if column.name.starts_with("n_") => continue,
                Value::Text(text) => text,
                number => number.to_string().into(),
            };
            bytes.push(number as u8);
            bytes.extend(text.bytes().chain([END]));
        }
        Packed(bytes.into())
    }

    /// The row, with those columns for which `wanted` is true.
    fn record(&self, wanted: impl Fn(&str) -> bool) -> Record {
        let mut record = Record::new(0, Shape::NINE);
        record.counts = (self.0[0] == 1).then(|| Box::new([0; TECHNIQUES.len()]));
        for value in self.0[1..].split(|byte| *byte == END) {
            let Some((number, text)) = value.split_first() else { break };
            let column = &COLUMNS[usize::from(*number)];
            if wanted(&column.name) {
                let stored = column.set(&mut record, Value::Text(String::from_utf8_lossy(text)));
                debug_assert!(stored.is_ok(), "a value of a record goes back into a record: {stored:?}");
            }
        }
        record
    }
}

/// Reads the chosen rows (number of the row, quota, class) and checks them.
pub(super) fn read(pool: &Pool, request: &Request, picked: &[(u64, usize, u128)]) -> Result<Vec<Chosen>, PublishError> {
    let mut places: Vec<(u64, usize)> = picked.iter().enumerate().map(|(at, (row, ..))| (*row, at)).collect();
    places.sort_unstable();
    let numbers: Vec<u64> = places.iter().map(|&(row, _)| row).collect();
    let of_levels = request.of_levels();
    let read = |(path, rows): (&Path, Vec<u64>)| {
        let picked = Picked::open(path, |column| request.reads(column, &of_levels))?;
        picked.rows(&rows, |record| Ok(Packed::new(&checked(record, request)?)))
    };
    let rows: Vec<Vec<Packed>> =
        pool.by_file(&numbers).into_par_iter().map(read).collect::<Result<_, PublishError>>()?;
    let mut chosen: Vec<(usize, Chosen)> = rows
        .into_iter()
        .flatten()
        .zip(&places)
        .map(|(row, &(_, at))| (at, Chosen { row, quota: picked[at].1, class: picked[at].2 }))
        .collect();
    chosen.sort_unstable_by_key(|(at, _)| *at);
    Ok(chosen.into_iter().map(|(_, chosen)| chosen).collect())
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

#[cfg(test)]
mod tests {
    use super::*;
    use sudoku_corpus_core::generate::{Method, Strength};
    use sudoku_corpus_core::random::{Rng, Stage};
    use sudoku_corpus_store::corpus::{AnalyzeDraft, Draft, Recipe};

    #[test]
    fn rows_come_back_as_they_were() {
        assert!(COLUMNS.len() < usize::from(END));
        let analyze = AnalyzeDraft { ratings: Some("er,w".parse().unwrap()), ..AnalyzeDraft::default() };
        let recipe = Recipe::new(&Draft { analyze, ..Draft::default() }).unwrap();
        for index in 0..8 {
            let record = recipe.make(index).unwrap();
            let chosen = Chosen::new(&record, 0, 0);
            assert_eq!(chosen.record(), record);
            assert_eq!((chosen.puzzle(), chosen.shape()), (record.puzzle.clone(), record.shape));
            assert!(chosen.row.0.len() < 500, "{}", chosen.row.0.len());
            let unrated = Record { counts: None, name: None, puzzle: None, ..record };
            assert_eq!(Chosen::new(&unrated, 0, 0).record(), unrated);
        }
        for (rows, columns) in [(2, 2), (2, 3), (3, 5), (4, 4), (6, 6), (20, 20)] {
            let shape = Shape::new(rows, columns).unwrap();
            let mut rng = Rng::new(1, 0, Stage::Bench, 0);
            let solution = Method::Permutation(Strength::Blocks).fill(shape, &mut rng).unwrap();
            let puzzle = solution.masked(|_| rng.below(3) == 0);
            let record = Record { solution: Some(solution), ..Record::of_puzzle(u64::MAX, puzzle) };
            assert_eq!(Chosen::new(&record, 0, 0).record(), record);
        }
    }
}
