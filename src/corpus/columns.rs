//! The schema: the one place that says which columns a corpus has.
//!
//! ```text
//!                      COLUMNS: name, kind, unit, about, get, set
//!                     /        |            |           \
//!      Parquet schema     CSV header    `query --schema`   reading back
//! ```
//!
//! A column is one line of [`FIXED`], or comes from a row of the rater's table of techniques (`n_<code>`). Every value
//! may be missing: a line of a text file has a puzzle and nothing else.
//!
//! Whole numbers are stored as `UInt32` or `UInt64`. `UInt8` and `UInt16` were left out: Parquet stores both as 32-bit
//! words, which dictionaries and run lengths shrink to the same bytes, and they cost minutes of compilation.

use std::borrow::Cow;
use std::str::FromStr;
use std::sync::LazyLock;

use super::record::Record;
use crate::board::{Grid, Puzzle, Shape, Solution, Symmetry, text};
use crate::rate::{Level, TECHNIQUES};
use crate::solve::probe::Search;

/// The value of a column in a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// Not known.
    Null,
    /// True or false.
    Flag(bool),
    /// A whole number, not negative.
    Whole(u64),
    /// A real number.
    Real(f64),
    /// A text.
    Text(Cow<'a, str>),
}

/// For messages: texts in quotes and not too long.
impl std::fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Null => f.write_str("nothing"),
            Value::Flag(flag) => write!(f, "{flag}"),
            Value::Whole(number) => write!(f, "{number}"),
            Value::Real(number) => write!(f, "{number}"),
            Value::Text(text) => write!(f, "'{}'", text.chars().take(100).collect::<String>()),
        }
    }
}

/// How the values of a column are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// True or false.
    Flag,
    /// A whole number below 2^32.
    Whole32,
    /// A whole number below 2^64.
    Whole64,
    /// A real number of 64 bits.
    Real,
    /// A text.
    Text,
}

impl Kind {
    /// The name of the type in Parquet readers.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Flag => "Boolean",
            Kind::Whole32 => "UInt32",
            Kind::Whole64 => "UInt64",
            Kind::Real => "Float64",
            Kind::Text => "String",
        }
    }
}

/// A column: its name and type, what it means, and where its values are in a [`Record`].
#[derive(Clone, Debug)]
pub struct Column {
    /// The name in files.
    pub name: Cow<'static, str>,
    /// The type in files.
    pub kind: Kind,
    /// The unit; empty for texts and flags.
    pub unit: &'static str,
    /// What it means.
    pub about: Cow<'static, str>,
    /// Which technique, for the columns of techniques.
    technique: usize,
    get: fn(&Record, usize) -> Value<'_>,
    set: fn(&mut Record, usize, Value<'_>) -> Set,
}

/// The outcome of writing a value into a record; the error says what is wrong with the value.
type Set = Result<(), String>;

impl Column {
    /// The value of this column in a row.
    pub fn get<'a>(&self, record: &'a Record) -> Value<'a> {
        (self.get)(record, self.technique)
    }

    /// Writes a value that was read from a file.
    ///
    /// # Errors
    /// The reason why the value cannot stand in this column.
    pub fn set(&self, record: &mut Record, value: Value<'_>) -> Result<(), String> {
        match value {
            Value::Null => Ok(()),
            value => (self.set)(record, self.technique, value).map_err(|reason| format!("{}: {reason}", self.name)),
        }
    }
}

/// Every column, in the order of the files.
pub static COLUMNS: LazyLock<Vec<Column>> = LazyLock::new(|| {
    let (before, after) = FIXED.split_at(FIXED.len() - 1);
    before.iter().cloned().chain((0..TECHNIQUES.len()).map(technique_column)).chain(after.iter().cloned()).collect()
});

/// The column of a technique.
fn technique_column(technique: usize) -> Column {
    let info = &TECHNIQUES[technique];
    Column {
        name: format!("n_{}", info.code).into(),
        kind: Kind::Whole32,
        unit: "steps",
        about: format!("how often the ladder used {}", info.name).into(),
        technique,
        get: |record, technique| whole(record.counts.as_ref().map(|counts| counts[technique])),
        set: |record, technique, value| {
            record.counts.get_or_insert([0; TECHNIQUES.len()])[technique] = small(value)?;
            Ok(())
        },
    }
}

/// A line of the table of fixed columns.
const fn column(
    name: &'static str,
    kind: Kind,
    unit: &'static str,
    about: &'static str,
    get: fn(&Record, usize) -> Value<'_>,
    set: fn(&mut Record, usize, Value<'_>) -> Set,
) -> Column {
    Column { name: Cow::Borrowed(name), kind, unit, about: Cow::Borrowed(about), technique: 0, get, set }
}

/// The columns that do not depend on the techniques; those of the techniques go before the last one.
static FIXED: [Column; 31] = [
    column(
        "index",
        Kind::Whole64,
        "rows",
        "number of the row in its corpus or input, from 0",
        |r, _| Value::Whole(r.index),
        |r, _, v| keep(&mut r.index, large(v)),
    ),
    column(
        "shape",
        Kind::Text,
        "",
        "rows x columns of a box: 3x3 is the ordinary board",
        |r, _| Value::Text(r.shape.to_string().into()),
        |r, _, v| keep(&mut r.shape, parsed(v)),
    ),
    column(
        "method",
        Kind::Text,
        "",
        "how the full grid was made",
        |r, _| text_of(r.method.as_deref()),
        |r, _, v| keep(&mut r.method, words(v).map(Some)),
    ),
    column(
        "plan",
        Kind::Text,
        "",
        "how the holes were dug, as a recipe writes it",
        |r, _| text_of(r.plan.as_deref()),
        |r, _, v| keep(&mut r.plan, words(v).map(Some)),
    ),
    column(
        "symmetry",
        Kind::Text,
        "",
        "the symmetry of the pattern of givens that was asked for",
        |r, _| text_of(r.symmetry.map(Symmetry::name)),
        |r, _, v| keep(&mut r.symmetry, parsed(v).map(Some)),
    ),
    column(
        "tries",
        Kind::Whole64,
        "grids",
        "full grids, or orders of digging a given one, tried until the puzzle came out as asked; 1 where nothing can miss",
        |r, _| r.tries.map_or(Value::Null, Value::Whole),
        |r, _, v| keep(&mut r.tries, large(v).map(Some)),
    ),
    column(
        "puzzle",
        Kind::Text,
        "",
        "the cells row by row, '.' for a blank one",
        |r, _| board_text(r.puzzle.as_ref().map(Puzzle::grid)),
        |r, _, v| {
            let grid = board(r.shape, v)?;
            keep(&mut r.puzzle, Puzzle::try_from(grid).map(Some).map_err(|error| error.to_string()))
        },
    ),
    column(
        "solution",
        Kind::Text,
        "",
        "the solution from which the puzzle was dug, or its only one; null when it has several or none",
        |r, _| board_text(r.solution.as_ref().map(Solution::grid)),
        |r, _, v| {
            let grid = board(r.shape, v)?;
            keep(&mut r.solution, Solution::try_from(grid).map(Some).map_err(|error| error.to_string()))
        },
    ),
    column(
        "givens",
        Kind::Whole32,
        "cells",
        "cells with a digit",
        |r, _| whole(r.givens),
        |r, _, v| keep(&mut r.givens, small(v).map(Some)),
    ),
    column(
        "holes",
        Kind::Whole32,
        "cells",
        "blank cells",
        |r, _| whole(r.holes),
        |r, _, v| keep(&mut r.holes, small(v).map(Some)),
    ),
    column(
        "minimal",
        Kind::Flag,
        "",
        "no single given can be left out, whatever the symmetry; null when not known or when there are several solutions",
        |r, _| flag_of(r.minimal),
        |r, _, v| keep(&mut r.minimal, flag(v).map(Some)),
    ),
    column(
        "solutions",
        Kind::Whole64,
        "solutions",
        "solutions found: 1 for a proper puzzle; counted up to a limit",
        |r, _| r.solutions.map_or(Value::Null, Value::Whole),
        |r, _, v| keep(&mut r.solutions, large(v).map(Some)),
    ),
    column(
        "solutions_exact",
        Kind::Flag,
        "",
        "there are no other solutions; false when counting stopped at the limit or the budget",
        |r, _| flag_of(r.solutions_exact),
        |r, _, v| keep(&mut r.solutions_exact, flag(v).map(Some)),
    ),
    column(
        "class",
        Kind::Text,
        "",
        "hash of the puzzle's canonical form, 32 hexadecimal digits: equal for puzzles that are essentially the same",
        |r, _| r.class.map_or(Value::Null, |class| Value::Text(format!("{class:032x}").into())),
        |r, _, v| keep(&mut r.class, hexadecimal(v).map(Some)),
    ),
    column(
        "automorphisms",
        Kind::Whole32,
        "maps",
        "rotations, reflections and shuffles that turn the puzzle into a relabelling of itself; 1 for nearly all; 9x9",
        |r, _| whole(r.automorphisms),
        |r, _, v| keep(&mut r.automorphisms, small(v).map(Some)),
    ),
    column(
        "search_guesses",
        Kind::Whole64,
        "guesses",
        "values tried at branches by the reference search until the solution is reached",
        |r, _| r.search.map_or(Value::Null, |search| Value::Whole(search.guesses)),
        |r, _, v| keep(&mut search(r).guesses, large(v)),
    ),
    column(
        "search_depth",
        Kind::Whole32,
        "guesses",
        "the most guesses that were open at once in the reference search",
        |r, _| whole(r.search.map(|search| search.depth)),
        |r, _, v| keep(&mut search(r).depth, small(v)),
    ),
    column(
        "search_nodes",
        Kind::Whole64,
        "positions",
        "positions that the reference search visited",
        |r, _| r.search.map_or(Value::Null, |search| Value::Whole(search.nodes)),
        |r, _, v| keep(&mut search(r).nodes, large(v)),
    ),
    column(
        "level",
        Kind::Text,
        "",
        "level of difficulty on the rater's scale",
        |r, _| text_of(r.level.map(Level::name)),
        |r, _, v| keep(&mut r.level, parsed(v).map(Some)),
    ),
    column(
        "score",
        Kind::Whole32,
        "points",
        "sum of the scores of all steps on the rater's scale",
        |r, _| whole(r.score),
        |r, _, v| keep(&mut r.score, small(v).map(Some)),
    ),
    column(
        "hardest",
        Kind::Text,
        "",
        "the hardest technique used; null when none was",
        |r, _| text_of(r.hardest.map(|technique| TECHNIQUES[technique as usize].code)),
        |r, _, v| keep(&mut r.hardest, parsed(v).map(Some)),
    ),
    column(
        "finished",
        Kind::Flag,
        "",
        "the ladder of techniques solved the puzzle",
        |r, _| flag_of(r.finished),
        |r, _, v| keep(&mut r.finished, flag(v).map(Some)),
    ),
    column(
        "open_cells",
        Kind::Whole32,
        "cells",
        "cells that the ladder left blank: 0 when it solved the puzzle",
        |r, _| whole(r.open_cells),
        |r, _, v| keep(&mut r.open_cells, small(v).map(Some)),
    ),
    column(
        "se_er_tenths",
        Kind::Whole32,
        "tenths",
        "rating of the hardest step on Sudoku Explainer 1.2.1's scale (ER): 45 is 4.5; 9x9",
        |r, _| whole(r.se_er_tenths),
        |r, _, v| keep(&mut r.se_er_tenths, small(v).map(Some)),
    ),
    column(
        "se_ep_tenths",
        Kind::Whole32,
        "tenths",
        "as ER, of the hardest step up to the first digit placed (EP); null when none is reached below the limit",
        |r, _| whole(r.se_ep_tenths),
        |r, _, v| keep(&mut r.se_ep_tenths, small(v).map(Some)),
    ),
    column(
        "se_ed_tenths",
        Kind::Whole32,
        "tenths",
        "as ER, of the first step (ED); null when it is above the limit",
        |r, _| whole(r.se_ed_tenths),
        |r, _, v| keep(&mut r.se_ed_tenths, small(v).map(Some)),
    ),
    column(
        "se_exact",
        Kind::Flag,
        "",
        "ER is exact; false: the search ended at the limit, and ER is at least this",
        |r, _| flag_of(r.se_exact),
        |r, _, v| keep(&mut r.se_exact, flag(v).map(Some)),
    ),
    column(
        "w",
        Kind::Whole32,
        "candidates",
        "length of the longest whip needed (Berthier's W), 0 when singles do; null when whips do not solve it; 9x9",
        |r, _| whole(r.w),
        |r, _, v| keep(&mut r.w, small(v).map(Some)),
    ),
    column(
        "b",
        Kind::Whole32,
        "candidates",
        "length of the longest braid needed (Berthier's B); as w",
        |r, _| whole(r.b),
        |r, _, v| keep(&mut r.b, small(v).map(Some)),
    ),
    column(
        "wb_exact",
        Kind::Flag,
        "",
        "w and b are exact; false: the search was stopped, and what it did not settle by then is a lower bound",
        |r, _| flag_of(r.wb_exact),
        |r, _, v| keep(&mut r.wb_exact, flag(v).map(Some)),
    ),
    column(
        "log_weight",
        Kind::Real,
        "ln",
        "natural logarithm of the weight of the puzzle in a mean over all minimal puzzles; null when not asked for",
        |r, _| r.log_weight.map_or(Value::Null, Value::Real),
        |r, _, v| keep(&mut r.log_weight, real(v).map(Some)),
    ),
];

/// Puts a value that was understood into its place.
fn keep<T>(place: &mut T, value: Result<T, String>) -> Set {
    *place = value?;
    Ok(())
}

/// A whole number, or nothing.
fn whole(value: Option<u32>) -> Value<'static> {
    value.map_or(Value::Null, |value| Value::Whole(value.into()))
}

/// A flag, or nothing.
fn flag_of(value: Option<bool>) -> Value<'static> {
    value.map_or(Value::Null, Value::Flag)
}

/// A text, or nothing.
fn text_of(value: Option<&str>) -> Value<'_> {
    value.map_or(Value::Null, |text| Value::Text(text.into()))
}

/// The line of a board, or nothing.
fn board_text(grid: Option<&Grid>) -> Value<'static> {
    grid.map_or(Value::Null, |grid| Value::Text(text::line(grid).into()))
}

fn large(value: Value<'_>) -> Result<u64, String> {
    match &value {
        Value::Whole(number) => Ok(*number),
        Value::Real(number) if number.fract() == 0.0 && (0.0..=9e15).contains(number) => Ok(*number as u64),
        Value::Text(text) => text.trim().parse().map_err(|_| format!("{value} is not a whole number")),
        _ => Err(format!("{value} is not a whole number")),
    }
}

fn small(value: Value<'_>) -> Result<u32, String> {
    let number = large(value)?;
    u32::try_from(number).map_err(|_| format!("{number} is too large"))
}

fn real(value: Value<'_>) -> Result<f64, String> {
    match &value {
        Value::Real(number) => Ok(*number),
        Value::Whole(number) => Ok(*number as f64),
        Value::Text(text) => text.trim().parse().map_err(|_| format!("{value} is not a number")),
        _ => Err(format!("{value} is not a number")),
    }
}

fn flag(value: Value<'_>) -> Result<bool, String> {
    match &value {
        Value::Flag(flag) => Ok(*flag),
        Value::Text(text) if text.eq_ignore_ascii_case("true") => Ok(true),
        Value::Text(text) if text.eq_ignore_ascii_case("false") => Ok(false),
        _ => Err(format!("{value} is neither true nor false")),
    }
}

fn words(value: Value<'_>) -> Result<Cow<'static, str>, String> {
    match value {
        Value::Text(text) => Ok(text.into_owned().into()),
        other => Err(format!("{other} is not a text")),
    }
}

/// A number of 128 bits in 32 hexadecimal digits.
fn hexadecimal(value: Value<'_>) -> Result<u128, String> {
    let text = words(value)?;
    let number = u128::from_str_radix(&text, 16).ok().filter(|_| text.len() == 32 && !text.starts_with('+'));
    number.ok_or_else(|| format!("'{text}' is not 32 hexadecimal digits"))
}

fn parsed<T: FromStr<Err: std::fmt::Display>>(value: Value<'_>) -> Result<T, String> {
    words(value)?.parse().map_err(|error: T::Err| error.to_string())
}

/// A board of a known shape. Lines of symbols, which are nearly all, are read without asking what else they may be.
fn board(shape: Shape, value: Value<'_>) -> Result<Grid, String> {
    let Value::Text(line) = &value else { return Err(format!("{value} is not a text")) };
    let order = shape.order();
    if order <= Shape::MAX_SOLVABLE_ORDER && line.len() == shape.cells() {
        let values: Option<Vec<u16>> = line.chars().map(|symbol| text::value_of(symbol, order)).collect();
        if let Some(grid) = values.and_then(|values| Grid::new(shape, values).ok()) {
            return Ok(grid);
        }
    }
    text::parse_line(line, Some(shape)).map_err(|error| error.to_string())
}

/// The search of a record whose columns are being read.
fn search(record: &mut Record) -> &mut Search {
    record.search.get_or_insert(Search { guesses: 0, depth: 0, nodes: 0 })
}
