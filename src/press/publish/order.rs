//! Orders of puzzles: by columns, by chance, as they come.
//!
//! Every order is turned into integer keys, so that sorting does not depend on columns:
//!
//! ```text
//!   level,-score     medium, 912   ->   [ 1.0 as an integer ][ 912.0 as an integer, all bits flipped ]
//!   by chance        class         ->   [ hash of seed and class ]
//! ```

use std::str::FromStr;

use sudoku_corpus_core::board::Symmetry;
use sudoku_corpus_core::random::{Rng, Stage};
use sudoku_corpus_core::rate::{Level, TECHNIQUES, nearest};
use sudoku_corpus_store::corpus::{COLUMNS, Column, ColumnType, Record, Value};

/// The most columns that an order can have.
pub const MOST_COLUMNS: usize = 3;

/// A column by which puzzles are ordered, ascending or descending; rows without a value come last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortColumn {
    /// Place in [`COLUMNS`].
    column: usize,
    descending: bool,
}

/// Why an order cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OrderError {
    /// No such column.
    #[error("no column '{found}'; did you mean '{near}'?")]
    Unknown {
        /// The name as written.
        found: String,
        /// The most similar name.
        near: String,
    },
    /// A column of texts that have no order but the alphabet's.
    #[error("column '{0}' has no order; numbers, flags, level, symmetry and hardest have one")]
    Unordered(String),
    /// Too many columns.
    #[error("{0} columns to sort by, at most {MOST_COLUMNS}")]
    TooMany(usize),
}

/// Which puzzles are taken first if there are more than are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pick {
    /// A random choice. It is the same for the same seed and the same puzzles, whatever their order and their files.
    Random(u64),
    /// The first ones of the input.
    Input,
    /// The first ones by these columns. Ties are broken by the puzzles, not by their order in the input.
    Columns(Vec<SortColumn>),
}

/// The sort key of a row: smaller keys come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The keys of the columns.
    pub words: [u64; MOST_COLUMNS],
    /// The class, which breaks ties; 0 if puzzles are taken in the order of the input.
    pub class: u128,
    /// Number of the row in the input. Among copies of a puzzle, [`super::select`] chooses one by their cells.
    pub row: u64,
}

impl SortColumn {
    /// The column.
    pub fn column(&self) -> &'static Column {
        &COLUMNS[self.column]
    }

    /// The value by which rows are ordered, as SQL: a real number, or NULL.
    pub fn sql(&self) -> String {
        let column = self.column();
        let name = &column.name;
        match ranks(name) {
            Some(ranks) => {
                let cases = ranks.iter().enumerate().map(|(rank, text)| format!(" WHEN '{text}' THEN {rank}.0"));
                format!("CASE {name}{} END", cases.collect::<String>())
            }
            None => format!("CAST({name} AS DOUBLE)"),
        }
    }

    /// The value by which a row is ordered.
    fn value(&self, record: &Record) -> Option<f64> {
        let column = self.column();
        match column.get(record) {
            Value::Null => None,
            Value::Flag(flag) => Some(f64::from(u8::from(flag))),
            Value::Unsigned(number) => Some(number as f64),
            Value::Signed(number) => Some(number as f64),
            Value::Real(number) => Some(number),
            Value::Text(text) => ranks(&column.name)?.iter().position(|rank| *rank == text).map(|rank| rank as f64),
        }
    }

    /// The integer key of a value: smaller for rows that come first.
    pub fn word(&self, value: Option<f64>) -> u64 {
        // Positive numbers compare like their bits; negative numbers are below them and compare the other way round.
        let ascending = |value: f64| {
            let bits = (value + 0.0).to_bits();
            if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
        };
        match value.filter(|value| !value.is_nan()) {
            None => u64::MAX,
            Some(value) if self.descending => !ascending(value),
            Some(value) => ascending(value),
        }
    }
}

/// The texts of a column in their order. None for columns of numbers and of other texts.
fn ranks(column: &str) -> Option<Vec<&'static str>> {
    match column {
        "level" => Some(Level::ALL.map(Level::name).to_vec()),
        "symmetry" => Some(Symmetry::ALL.map(Symmetry::name).to_vec()),
        "hardest" => Some(TECHNIQUES.iter().map(|technique| technique.code).collect()),
        _ => None,
    }
}

impl FromStr for SortColumn {
    type Err = OrderError;

    /// Reads the name of a column; a `-` before it means descending.
    fn from_str(text: &str) -> Result<SortColumn, OrderError> {
        let text = text.trim();
        let name = text.trim_start_matches('-');
        let place = COLUMNS.iter().position(|column| column.name == name).ok_or_else(|| {
            let near = nearest(name, COLUMNS.iter().map(|column| column.name.as_ref())).unwrap_or("score");
            OrderError::Unknown { found: name.to_owned(), near: near.to_owned() }
        })?;
        if COLUMNS[place].kind == ColumnType::Text && ranks(name).is_none() {
            return Err(OrderError::Unordered(name.to_owned()));
        }
        Ok(SortColumn { column: place, descending: text.starts_with('-') })
    }
}

/// Reads columns separated by commas.
///
/// # Errors
/// [`OrderError`].
pub fn parse_columns(text: &str) -> Result<Vec<SortColumn>, OrderError> {
    let columns: Vec<SortColumn> = text.split(',').map(str::parse).collect::<Result<_, _>>()?;
    if columns.len() > MOST_COLUMNS { Err(OrderError::TooMany(columns.len())) } else { Ok(columns) }
}

/// The keys of a row by some columns.
pub fn words(columns: &[SortColumn], record: &Record) -> [u64; MOST_COLUMNS] {
    let mut words = [0; MOST_COLUMNS];
    for (word, column) in words.iter_mut().zip(columns) {
        *word = column.word(column.value(record));
    }
    words
}

/// The keys of a puzzle in a random order.
pub fn random_words(seed: u64, class: u128) -> [u64; MOST_COLUMNS] {
    let mut rng = Rng::new(seed, class as u64, Stage::Sample, (class >> 64) as u64);
    std::array::from_fn(|_| rng.word())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudoku_corpus_core::board::Shape;

    #[test]
    fn words_compare_as_the_values_do() {
        let column: SortColumn = "log_weight".parse().unwrap();
        let values = [f64::NEG_INFINITY, -1e9, -1.5, -0.0, 0.0, 1e-300, 2.0, 1e300, f64::INFINITY];
        let ascending: Vec<u64> = values.iter().map(|&value| column.word(Some(value))).collect();
        assert!(ascending.is_sorted() && ascending[3] == ascending[4]);
        let column: SortColumn = "-log_weight".parse().unwrap();
        let descending: Vec<u64> = values.iter().rev().map(|&value| column.word(Some(value))).collect();
        assert!(descending.is_sorted() && descending.iter().all(|&word| word < column.word(None)));
        assert_eq!(column.word(Some(f64::NAN)), column.word(None));
    }

    #[test]
    fn levels_are_ordered_by_difficulty() {
        let columns = parse_columns("level, -score").unwrap();
        let row = |level, score| {
            words(&columns, &Record { level: Some(level), score: Some(score), ..Record::new(0, Shape::NINE) })
        };
        let rows = [row(Level::Easy, 9), row(Level::Easy, 3), row(Level::Hard, 5), row(Level::Extreme, 7)];
        assert!(rows.is_sorted(), "{rows:?}");
        assert!(columns[0].sql().starts_with("CASE level WHEN 'easy' THEN 0.0 WHEN 'medium' THEN 1.0"));
        assert_eq!(columns[1].sql(), "CAST(score AS DOUBLE)");
    }

    #[test]
    fn wrong_orders_are_refused_with_the_reason() {
        let message = |text: &str| parse_columns(text).unwrap_err().to_string();
        assert_eq!(message("scor"), "no column 'scor'; did you mean 'score'?");
        assert!(message("puzzle").contains("has no order"));
        assert_eq!(message("score,givens,holes,index"), "4 columns to sort by, at most 3");
    }
}
