//! The conditions of a level, about the columns of a row.

use super::{HIGHEST, Range};
use crate::corpus::values::record::{COLUMNS, Record};
use crate::corpus::values::value::Value;
use sudoku_corpus_core::ladder::Level;

/// A condition of rows. Its SQL, which can skip row groups, and the test of a row, which takes nanoseconds, follow from
/// one structure. Columns are places in [`COLUMNS`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    /// A number of a column is in a range, with both ends.
    Within(usize, Range),
    Is(usize, &'static str),
    IsNot(usize, &'static str),
    IsTrue(usize),
    /// True or not known.
    IsNotFalse(usize),
    All(Vec<Condition>),
    Any(Vec<Condition>),
}

impl Condition {
    pub(super) fn holds(&self, record: &Record) -> bool {
        let value = |column: usize| COLUMNS[column].get(record);
        match self {
            Condition::Within(column, (first, last)) => {
                matches!(value(*column), Value::Unsigned(number) if ((*first).into()..=(*last).into()).contains(&number))
            }
            Condition::Is(column, text) => matches!(value(*column), Value::Text(value) if value == *text),
            Condition::IsNot(column, text) => matches!(value(*column), Value::Text(value) if value != *text),
            Condition::IsTrue(column) => value(*column) == Value::Flag(true),
            Condition::IsNotFalse(column) => value(*column) != Value::Flag(false),
            Condition::All(all) => all.iter().all(|condition| condition.holds(record)),
            Condition::Any(any) => any.iter().any(|condition| condition.holds(record)),
        }
    }

    pub(super) fn sql(&self) -> String {
        let name = |column: usize| &COLUMNS[column].name;
        match self {
            Condition::Within(column, (first, last)) => format!("{} BETWEEN {first} AND {last}", name(*column)),
            Condition::Is(column, text) => format!("{} = '{text}'", name(*column)),
            Condition::IsNot(column, text) => format!("{} <> '{text}'", name(*column)),
            Condition::IsTrue(column) => name(*column).to_string(),
            Condition::IsNotFalse(column) => format!("{} IS NOT FALSE", name(*column)),
            Condition::All(all) => joined(all, " AND "),
            Condition::Any(any) => joined(any, " OR "),
        }
    }

    pub(super) fn columns(&self) -> Vec<usize> {
        match self {
            Condition::Within(column, _)
            | Condition::Is(column, _)
            | Condition::IsNot(column, _)
            | Condition::IsTrue(column)
            | Condition::IsNotFalse(column) => vec![*column],
            Condition::All(parts) | Condition::Any(parts) => parts.iter().flat_map(Condition::columns).collect(),
        }
    }
}

/// Several conditions in SQL, with a word between them.
fn joined(conditions: &[Condition], word: &str) -> String {
    match conditions {
        [only] => only.sql(),
        several => format!("({})", several.iter().map(Condition::sql).collect::<Vec<_>>().join(word)),
    }
}

/// What a row of a level must meet: ER or, on boards that have none, HoDoKu's level.
pub(super) fn hardness(er: Option<Range>, levels: Option<&[Level]>) -> Option<Condition> {
    let by_er = er.map(|range| match Condition::Within(column("se_er_tenths"), range) {
        // An ER that is a lower bound is enough for a level without an upper end.
        within if range.1 >= HIGHEST => within,
        within => Condition::All(vec![within, Condition::IsNotFalse(column("se_exact"))]),
    });
    let by_level = levels.map(|levels| {
        Condition::Any(levels.iter().map(|level| Condition::Is(column("hodoku_level"), level.name())).collect())
    });
    match (by_er, by_level) {
        (Some(by_er), Some(by_level)) => {
            let without_er = Condition::All(vec![Condition::IsNot(column("shape"), NINE), by_level]);
            Some(Condition::Any(vec![by_er, without_er]))
        }
        (by_er, by_level) => by_er.or(by_level),
    }
}

/// The shape of boards that have an ER, as rows have it.
const NINE: &str = "3x3";

/// The place of a column that rows have.
pub(super) fn column(name: &str) -> usize {
    let place = COLUMNS.iter().position(|column| column.name == name);
    place.unwrap_or_else(|| unreachable!("{name} is a column"))
}
