//! Packs chosen rows into few bytes, for [`super::puzzles`].

use sudoku_corpus_core::board::{Puzzle, Shape};
use sudoku_corpus_core::ladder::TECHNIQUES;
use sudoku_corpus_store::corpus::{COLUMNS, Record, Value};

/// A puzzle that was chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// Its row in a tenth of the bytes of a [`Record`]. The first byte says whether techniques were counted; then come
    /// for each value its column, its text and [`END`].
    row: Box<[u8]>,
    /// The quota that it fills: a position in [`Request::quotas`](super::super::request::Request::quotas), or the number of
    /// quotas if it only fills up the count. It is stored in one byte: there are few quotas.
    pub quota: usize,
    /// The class of the puzzle under isomorphism, as a number.
    pub class: u128,
}

/// Ends the text of a value. UTF-8 has no such byte.
const END: u8 = 0xff;

/// Bytes of the quota and the class.
const HEAD: usize = 17;

impl Chosen {
    /// A row with a puzzle that was chosen, without steps and columns of other programs. `quota` is at most 255.
    pub fn new(record: &Record, quota: usize, class: u128) -> Chosen {
        // Techniques that were not used take no bytes.
        let mut row = vec![u8::from(record.counts.is_some())];
        for (number, column) in COLUMNS.iter().enumerate() {
            let text = match column.get(record) {
                Value::Null => continue,
                Value::Unsigned(0) if column.name.starts_with("n_") => continue,
                Value::Text(text) => text,
                number => number.to_string().into(),
            };
            row.push(number as u8);
            row.extend(text.bytes().chain([END]));
        }
        Chosen { row: row.into(), quota, class }
    }

    /// A puzzle from its bytes: what [`Chosen::bytes`] returns, one after the other. Fewer bytes than those of
    /// quota and class give a row without a puzzle.
    pub(crate) fn of(bytes: &[u8]) -> Chosen {
        let (head, row) = bytes.split_at_checked(HEAD).unwrap_or((&[0; HEAD], &[0]));
        let class = u128::from_be_bytes(std::array::from_fn(|at| head[at + 1]));
        Chosen { row: row.into(), quota: head[0].into(), class }
    }

    /// Its bytes: quota and class, and its row.
    pub(crate) fn bytes(&self) -> ([u8; HEAD], &[u8]) {
        let mut head = [self.quota as u8; HEAD];
        head[1..].copy_from_slice(&self.class.to_be_bytes());
        (head, &self.row)
    }

    /// Its row, without its steps and the columns of other programs. It has the columns that the choice has read: those
    /// that formats need, or all. It is unpacked at each call.
    pub fn record(&self) -> Record {
        self.unpacked(|_| true)
    }

    /// Its row with these columns alone.
    pub fn record_of(&self, columns: &[&str]) -> Record {
        self.unpacked(|column| columns.contains(&column))
    }

    /// Its row, with those columns for which `wanted` is true.
    fn unpacked(&self, wanted: impl Fn(&str) -> bool) -> Record {
        let mut record = Record::new(0, Shape::NINE);
        record.counts = (self.row[0] == 1).then(|| Box::new([0; TECHNIQUES.len()]));
        for (number, text) in self.row[1..].split(|byte| *byte == END).filter_map(<[u8]>::split_first) {
            let column = &COLUMNS[usize::from(*number)];
            if wanted(&column.name) {
                let stored = column.set(&mut record, Value::Text(String::from_utf8_lossy(text)));
                debug_assert!(stored.is_ok(), "a value of a record goes back into a record: {stored:?}");
            }
        }
        record
    }

    /// The puzzle, if the row has one.
    pub fn puzzle(&self) -> Option<Puzzle> {
        self.record_of(&["shape", "puzzle"]).puzzle
    }

    /// The shape of the board; 3x3 if there is none, as every row has one.
    pub fn shape(&self) -> Shape {
        self.record_of(&["shape"]).shape
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
            let (head, row) = chosen.bytes();
            assert_eq!(Chosen::of(&[&head[..], row].concat()), chosen);
            assert_eq!(chosen.record(), record);
            assert_eq!((chosen.puzzle(), chosen.shape()), (record.puzzle.clone(), record.shape));
            assert!(chosen.row.len() < 500, "{}", chosen.row.len());
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
