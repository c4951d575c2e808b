//! Orders puzzles: by columns, by chance, as they come.
//!
//! Every order is turned into integer keys, so that sorting does not depend on columns:
//!
//! ```text
//!   level,-hodoku_score   medium, 912   ->   [ 1.0 as an integer ][ 912.0 as an integer, all bits flipped ]
//!   by chance             class         ->   [ three random words from the seed and the class ]
//!   as they come          row 17        ->   [ 17 ]
//! ```

use crate::choice::scale::Scale;
use crate::error::PublishError;
use sudoku_corpus_core::board::Symmetry;
use sudoku_corpus_core::ladder::{Level, TECHNIQUES};
use sudoku_corpus_core::names::UnknownName;
use sudoku_corpus_core::random::{Rng, Stage};
use sudoku_corpus_store::corpus::sorter::key_of;
use sudoku_corpus_store::corpus::{COLUMNS, ColumnType, columns_of_condition};

/// The most columns that an order can have.
pub(crate) const MOST_COLUMNS: usize = 3;

/// The place of a row in an order: a key for each of its columns, then zeros. The first keys that differ decide.
pub(crate) type Keys = [u64; MOST_COLUMNS];

/// A column by which puzzles are ordered, ascending or descending; rows without a value come last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortColumn {
    /// The value by which rows are ordered, as SQL: a real number, or NULL.
    sql: String,
    descending: bool,
}

/// Which puzzles are taken first if there are more than are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pick {
    /// A random choice. It is the same for the same seed and the same puzzles, whatever their order and their files.
    Random(u64),
    /// A random choice from rows with weights: the probability of a row is proportional to exp(log_weight). So the choice
    /// is a sample of what the weights stand for, and its rows count once: they have no log_weight.
    Weighted(u64),
    /// The first ones of the input.
    Input,
    /// The first ones by these columns. Ties are broken by the puzzles, not by their order in the input.
    Columns(Vec<SortColumn>),
}

impl Default for Pick {
    fn default() -> Pick {
        Pick::Random(0)
    }
}

impl SortColumn {
    pub(crate) fn sql(&self) -> &str {
        &self.sql
    }

    pub(crate) fn columns(&self) -> Vec<String> {
        columns_of_condition(&self.sql)
    }

    /// The integer key of a value: smaller for rows that come first.
    pub(crate) fn sort_key(&self, value: Option<f64>) -> u64 {
        match value.filter(|value| !value.is_nan()).map(key_of) {
            None => u64::MAX,
            Some(key) if self.descending => !key,
            Some(key) => key,
        }
    }
}

/// The conditions of the values of a column in their order. None for columns of numbers and of other texts.
fn ranks(column: &str, scale: &Scale) -> Option<Vec<String>> {
    let equal = |text: &str| format!("{column} = '{text}'");
    match column {
        "level" => Some((0..scale.levels.ranges().len()).map(|level| scale.condition(level)).collect()),
        "hodoku_level" => Some(Level::ALL.map(|level| equal(level.name())).to_vec()),
        "symmetry" => Some(Symmetry::ALL.map(|symmetry| equal(symmetry.name())).to_vec()),
        "hardest" => Some(TECHNIQUES.iter().map(|technique| equal(technique.code)).collect()),
        _ => None,
    }
}

/// Reads columns separated by commas, with `-` before those that descend. The column `level` has the order of the scale.
///
/// # Errors
/// A column that does not exist or has no order; too many columns.
pub fn parse_columns(text: &str, scale: &Scale) -> Result<Vec<SortColumn>, PublishError> {
    let columns = text.split(',').map(|column| parse_column(column.trim(), scale)).collect::<Result<Vec<_>, _>>();
    let columns = columns.map_err(PublishError::Request)?;
    match columns.len() {
        0..=MOST_COLUMNS => Ok(columns),
        many => Err(PublishError::Request(format!("{many} columns to sort by, at most {MOST_COLUMNS}"))),
    }
}

/// Reads a column, with `-` before it if the order is descending.
fn parse_column(text: &str, scale: &Scale) -> Result<SortColumn, String> {
    let (name, descending) = text.strip_prefix('-').map_or((text, false), |name| (name, true));
    let Some(column) = COLUMNS.iter().find(|column| column.name == name) else {
        let unknown = UnknownName::new("column", name, COLUMNS.iter().map(|column| column.name.as_ref()));
        let meant =
            name.split_once(' ').map(|(column, _)| format!("write {column}, or -{column} for large ones first"));
        return Err(meant.unwrap_or_else(|| unknown.to_string()));
    };
    let sql = match ranks(name, scale) {
        Some(ranks) => {
            let cases = ranks.iter().enumerate().map(|(rank, condition)| format!(" WHEN {condition} THEN {rank}.0"));
            format!("CASE{} END", cases.collect::<String>())
        }
        None if column.kind == ColumnType::Text => {
            return Err(format!(
                "column '{name}' has no order; numbers, flags, level, hodoku_level, symmetry and hardest have one"
            ));
        }
        None => format!("CAST({name} AS DOUBLE)"),
    };
    Ok(SortColumn { sql, descending })
}

/// The keys of a puzzle in a random order.
pub(crate) fn random_keys(seed: u64, class: u128) -> Keys {
    let mut rng = Rng::new(seed, class as u64, Stage::Sample, (class >> 64) as u64);
    std::array::from_fn(|_| rng.word())
}

/// A number above 0 and below 1 of a random word: the middle of one of 2^53 parts. The last would be rounded to 1.
pub(crate) fn uniform(word: u64) -> f64 {
    (((word >> 11) as f64 + 0.5) * 2f64.powi(-53)).min(1.0 - f64::EPSILON / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudoku_corpus_store::corpus::Levels;

    fn parse(text: &str) -> Vec<SortColumn> {
        parse_columns(text, &Scale::default()).unwrap()
    }

    #[test]
    fn words_compare_as_the_values_do() {
        let column = &parse("log_weight")[0];
        let values = [f64::NEG_INFINITY, -1e9, -1.5, -0.0, 0.0, 1e-300, 2.0, 1e300, f64::INFINITY];
        let ascending: Vec<u64> = values.iter().map(|&value| column.sort_key(Some(value))).collect();
        assert!(ascending.is_sorted() && ascending[3] == ascending[4]);
        let column = &parse("-log_weight")[0];
        let descending: Vec<u64> = values.iter().rev().map(|&value| column.sort_key(Some(value))).collect();
        assert!(descending.is_sorted() && descending.iter().all(|&word| word < column.sort_key(None)));
        assert_eq!(column.sort_key(Some(f64::NAN)), column.sort_key(None));
    }

    #[test]
    fn random_numbers_are_neither_0_nor_1() {
        assert!([0, 1 << 11, u64::MAX - (1 << 11), u64::MAX].map(uniform).is_sorted());
        assert!(uniform(0) > 0.0 && uniform(u64::MAX) < 1.0);
        assert_eq!(uniform(1 << 62), 0.25 + 2f64.powi(-54));
    }

    #[test]
    fn levels_are_ordered_by_difficulty() {
        let columns = parse("level, -hodoku_score");
        assert!(columns[0].sql().starts_with("CASE WHEN level = 'easy' THEN 0.0 WHEN level = 'medium' THEN 1.0"));
        assert!(columns[1].sql() == "CAST(hodoku_score AS DOUBLE)" && columns[1].columns() == ["hodoku_score"]);
        let levels = Levels::parse("[[level]]\nname = \"Late\"\nhodoku_score = \"9..12\"").unwrap();
        let columns = parse_columns("level", &Scale { levels, by_ratings: true }).unwrap();
        assert!(columns[0].sql().contains("hodoku_score BETWEEN 9 AND 12") && columns[0].columns() == ["hodoku_score"]);
    }

    #[test]
    fn wrong_orders_are_refused_with_the_reason() {
        let message = |text: &str| parse_columns(text, &Scale::default()).unwrap_err().to_string();
        assert_eq!(message("holse"), "unknown column 'holse'; did you mean 'holes'?");
        assert!(message("--givens").starts_with("unknown column '-givens'"));
        assert!(message("puzzle").contains("has no order"));
        assert_eq!(message("hodoku_score,givens,holes,row"), "4 columns to sort by, at most 3");
    }
}
