//! Finds our columns in a file, and makes records from its values.
//!
//! Files of this program use our names. Other files name puzzles and solutions with a few common words. The well-known
//! collections of one million and of nine million puzzles use `quizzes,solutions` and `puzzle,solution`.

use super::outside::Outside;
use super::record::Record;
use super::record::{COLUMNS, Column};
use super::value::{ColumnType, Value};
use sudoku_corpus_core::board::{Grid, Shape, text};

/// The columns to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Want {
    /// Boards and their origin, from any file.
    #[default]
    Boards,
    /// Every column; from files of this program.
    Everything,
    /// Every column, and those of other programs, from files of this program.
    Rows,
    /// Every column from files of this program, boards from others.
    Most,
    /// The columns that statistics need, if they exist, from any file. Solutions are skipped because they take longest
    /// to read.
    Known,
}

/// The reason for refusing a row with the solution of another puzzle.
pub const NOT_PART: &str = "the puzzle is not part of the solution";

/// Common names for the column of puzzles, and for the column of solutions that belongs to it.
const FOREIGN: [(&str, &str); 9] = [
    ("puzzle", "solution"),
    ("quizzes", "solutions"),
    ("quiz", "solution"),
    ("puzzles", "solutions"),
    ("sudoku", "solution"),
    ("grid", "solution"),
    ("board", "solution"),
    ("question", "answer"),
    ("problem", "solution"),
];

/// The places of our columns in a file.
#[derive(Clone, Debug)]
pub(crate) struct Mapping {
    want: Want,
    /// Column of the schema and its place in the file, in the order of the schema.
    columns: Vec<(usize, usize)>,
    /// The places in the file of shape, puzzle and solution.
    board: [Option<usize>; 3],
    /// Place in the file of each column of another program that is copied through.
    outside: Vec<(usize, Outside)>,
}

impl Mapping {
    /// The mapping for a file with these columns.
    pub(crate) fn new(names: &[String], want: Want) -> Result<Mapping, String> {
        let columns = match want {
            Want::Everything => everything(names, false)?,
            Want::Rows => everything(names, true)?,
            Want::Most => {
                return Mapping::new(names, Want::Rows).or_else(|_| Mapping::new(names, Want::Boards));
            }
            Want::Known if names.iter().any(|name| name == "shape") => {
                return Ok(Mapping { want, ..Mapping::known(names, |name| name != "solution") });
            }
            Want::Boards | Want::Known => boards(names)?,
        };
        Ok(Mapping::of(want, columns, Vec::new()))
    }

    fn of(want: Want, columns: Vec<(usize, usize)>, outside: Vec<(usize, Outside)>) -> Mapping {
        let place =
            |name: &str| columns.iter().find(|(column, _)| COLUMNS[*column].name == name).map(|&(_, place)| place);
        Mapping { want, board: ["shape", "puzzle", "solution"].map(place), columns, outside }
    }

    /// The mapping of the named columns that the file has. Its rows are read as they are.
    pub(crate) fn known(names: &[String], wanted: impl Fn(&str) -> bool) -> Mapping {
        Mapping::of(Want::Everything, present(names, wanted), Vec::new())
    }

    /// Also copies columns of other programs whose type is known. A file with a column `shape` is a file of this
    /// program: its columns with our names have our meaning.
    pub(crate) fn with_outside(mut self, names: &[String], kind: impl Fn(usize) -> Option<ColumnType>) -> Mapping {
        let ours = names.iter().any(|name| name == "shape");
        let known = |name: &str| ours && COLUMNS.iter().any(|column| column.name == name);
        let read = |place: usize| self.columns.iter().any(|(_, read)| *read == place);
        let others = names.iter().enumerate().filter(|&(place, name)| !read(place) && !known(name));
        let others: Vec<(usize, &str, ColumnType)> =
            others.filter_map(|(place, name)| Some((place, name.as_str(), kind(place)?))).collect();
        let names = Outside::names(others.iter().map(|&(place, name, _)| (place, name)));
        let outside = others.iter().zip(names);
        self.outside = outside.map(|(&(place, _, kind), name)| (place, Outside { name, kind })).collect();
        self
    }

    /// True if the file has every column of the schema, and all are read.
    pub(crate) fn is_whole(&self) -> bool {
        matches!(self.want, Want::Everything | Want::Rows)
    }

    /// The columns of other programs that are copied, with their places in the file.
    pub(crate) fn outside(&self) -> &[(usize, Outside)] {
        &self.outside
    }

    /// Places in the file of all columns to read: those of the schema in its order, then those of other programs.
    pub(crate) fn places(&self) -> impl Iterator<Item = usize> + '_ {
        self.columns.iter().map(|&(_, place)| place).chain(self.outside.iter().map(|&(place, _)| place))
    }

    /// The mapping after all columns except [`Mapping::places`] were removed.
    pub(crate) fn packed(&self) -> Mapping {
        let columns = self.columns.iter().enumerate().map(|(place, &(column, _))| (column, place)).collect();
        let first = self.columns.len();
        let outside = self.outside.iter().enumerate().map(|(at, (_, column))| (first + at, column.clone())).collect();
        Mapping::of(self.want, columns, outside)
    }

    /// The record of a row. `get` returns the value at a place.
    pub(crate) fn record<'a>(
        &self,
        index: u64,
        shape: Option<Shape>,
        get: impl Fn(usize) -> Result<Value<'a>, String>,
    ) -> Result<Record, String> {
        let mut record = Record::new(index, self.shape(shape, &get)?);
        let schema: &[Column] = &COLUMNS;
        for &(column, place) in &self.columns {
            schema[column].set(&mut record, get(place)?)?;
        }
        for (place, column) in &self.outside {
            record.outside.push(column.value(get(*place)?)?);
        }
        if let (Some(puzzle), Some(solution)) = (&record.puzzle, &record.solution)
            && !puzzle.is_part_of(solution)
        {
            return Err(NOT_PART.to_owned());
        }
        match self.want {
            Want::Everything | Want::Rows | Want::Most => Ok(record),
            Want::Known => Ok(counted(record)),
            Want::Boards if record.puzzle.is_none() && record.solution.is_none() => {
                Err("the row has neither a puzzle nor a solution".to_owned())
            }
            Want::Boards => Ok(match record.puzzle.clone() {
                Some(puzzle) => record.with_puzzle(puzzle),
                None => record,
            }),
        }
    }

    /// The shape of a row: from its column, from the request, or from the length of its board.
    fn shape<'a>(
        &self,
        asked: Option<Shape>,
        get: &impl Fn(usize) -> Result<Value<'a>, String>,
    ) -> Result<Shape, String> {
        let value = |of: usize| self.board[of].map_or(Ok(Value::Null), get);
        if let Value::Text(said) = value(0)? {
            let said: Shape = said.parse().map_err(|error: sudoku_corpus_core::board::Reason| error.to_string())?;
            return match asked {
                Some(asked) if asked != said => {
                    Err(format!("the row is of the {}, but the {} was asked for", said.board(), asked.board()))
                }
                _ => Ok(said),
            };
        }
        if let Some(shape) = asked {
            return Ok(shape);
        }
        match (value(1)?, value(2)?) {
            (Value::Text(board), _) | (_, Value::Text(board)) => {
                text::parse_line(&board, None).map(|grid| grid.shape()).map_err(|error| error.to_string())
            }
            _ => Err("the row has neither a puzzle nor a solution".to_owned()),
        }
    }
}

/// Adds the numbers of givens and holes to a row with a puzzle if they are missing.
fn counted(record: Record) -> Record {
    let count = |count: fn(&Grid) -> usize| record.puzzle.as_ref().map(|puzzle| count(puzzle.grid()) as u32);
    let (givens, holes) = (record.givens.or_else(|| count(Grid::givens)), record.holes.or_else(|| count(Grid::holes)));
    Record { givens, holes, ..record }
}

/// The columns of the schema that a file has and that are wanted, with their places in the file.
fn present(names: &[String], wanted: impl Fn(&str) -> bool) -> Vec<(usize, usize)> {
    let place = |name: &str| names.iter().position(|found| found == name);
    let columns = COLUMNS.iter().enumerate().filter(|(_, info)| wanted(&info.name));
    columns.filter_map(|(column, info)| Some((column, place(&info.name)?))).collect()
}

/// Requires every column of the schema. Others are accepted only if allowed.
fn everything(names: &[String], others: bool) -> Result<Vec<(usize, usize)>, String> {
    let missing = COLUMNS.iter().find(|column| names.iter().all(|name| column.name != *name));
    let unknown = names.iter().find(|name| COLUMNS.iter().all(|column| column.name != **name));
    match (missing, unknown) {
        (missing, Some(unknown)) if missing.is_some() || !others => {
            Err(format!("column '{unknown}' does not belong to the schema"))
        }
        (Some(missing), _) => Err(format!("column '{}' is missing", missing.name)),
        (None, _) => Ok(present(names, |_| true)),
    }
}

/// The columns about the board and its origin.
fn boards(names: &[String]) -> Result<Vec<(usize, usize)>, String> {
    let column = |name: &str| COLUMNS.iter().position(|column| column.name == name);
    let place = |name: &str| names.iter().position(|found| found.trim().eq_ignore_ascii_case(name));
    let pair = |&(puzzle, solution): &(&str, &str)| {
        let (puzzle, solution) = (place(puzzle)?, place(solution));
        Some((column("puzzle").zip(Some(puzzle)), column("solution").zip(solution)))
    };
    if let Some((puzzle, solution)) = FOREIGN[1..].iter().find_map(pair).filter(|_| place("puzzle").is_none()) {
        return Ok(puzzle.into_iter().chain(solution).collect());
    }
    if place("puzzle").is_none() && place("solution").is_none() {
        return Err(format!("no column 'puzzle' among its columns: {}", listed(names)));
    }
    // A column of another program may have one of our names with another meaning. Ours come with a column `shape`. Then
    // what was known before the analysis is read: the columns up to the solution, and the weights.
    let (ours, last) = (place("shape").is_some(), column("solution"));
    let wanted = COLUMNS.iter().enumerate().filter(|(at, info)| match info.name.as_ref() {
        "puzzle" | "solution" => true,
        name => ours && (Some(*at) < last || name.starts_with("log_")),
    });
    Ok(wanted.filter_map(|(at, info)| Some((at, place(&info.name)?))).collect())
}

/// Names for a message, at most a line of them.
fn listed(names: &[String]) -> String {
    let shown: Vec<&str> = names.iter().take(12).map(String::as_str).collect();
    let text: String = shown.join(", ").chars().take(200).collect();
    if names.len() > shown.len() { format!("{text}, ...") } else { text }
}

/// Refuses a file that lacks a column of the schema or has it with another type.
pub(crate) fn check_types(types: &[(String, String)], name_of: impl Fn(ColumnType) -> String) -> Result<(), String> {
    for column in COLUMNS.iter() {
        let found = types.iter().find(|(name, _)| *name == column.name);
        let Some((_, found)) = found else { return Err(format!("column '{}' is missing", column.name)) };
        let wanted = name_of(column.kind);
        if *found != wanted {
            return Err(format!("column '{}' is of type {found}, not {wanted}", column.name));
        }
    }
    Ok(())
}
