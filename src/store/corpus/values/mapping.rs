//! Finds our columns in a file, and makes records from its values.
//!
//! Files of this program use our names. Other files name puzzles and solutions with a few common words. The well-known
//! collections of one million and of nine million puzzles use `quizzes,solutions` and `puzzle,solution`.

use super::outside::Outside;
use super::record::Record;
use super::record::{COLUMNS, Column};
use super::value::{ColumnType, Value};
use sudoku_corpus_core::board::text::{Alphabet, Signs};
use sudoku_corpus_core::board::{Grid, Shape, text};

/// The columns to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Want {
    /// Boards and, in files of this program, what was known before the analysis; from any file.
    #[default]
    Boards,
    /// Every column; from files of this program.
    Everything,
    /// Every column, and those of other programs, from files of this program.
    Rows,
    /// Every column from files of this program, boards from others.
    Most,
    /// The columns that statistics need, if they exist, from any file. In files of this program, solutions, which take
    /// longest, are skipped.
    Known,
}

/// The reason for refusing a row with the solution of another puzzle.
pub(crate) const NOT_PART: &str = "the puzzle is not part of the solution";

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
    /// The mapping for a file with columns of these names.
    ///
    /// # Errors
    /// A column that is missing, that does not belong to the schema, or that is there twice; for people.
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

    /// The mapping of columns of the schema, by name, to places in a file with columns of the names `names`.
    ///
    /// # Errors
    /// Rows are wanted as this program writes them, or no column is of the schema.
    pub(crate) fn of_columns(names: &[String], want: Want, columns: &[(&str, usize)]) -> Result<Mapping, String> {
        let of = |name: &str| COLUMNS.iter().position(|column| column.name == name);
        let columns: Vec<(usize, usize)> =
            columns.iter().filter_map(|&(name, place)| Some((of(name)?, place))).collect();
        match want {
            Want::Everything | Want::Rows => Err("rows of this program name their columns".to_owned()),
            _ if columns.is_empty() => Err(format!("no such column among: {}", listed(names))),
            _ => Ok(Mapping::of(if want == Want::Known { want } else { Want::Boards }, columns, Vec::new())),
        }
    }

    /// True if it has a column of puzzles.
    pub(crate) fn has_puzzle(&self) -> bool {
        self.board[1].is_some()
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

    /// Also copies columns of other programs whose type is known: `kind` returns that of the column at a place. A file
    /// with a column `shape` is a file of this program: its columns with our names have our meaning.
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

    /// True if the rows are read as rows of this program: with all columns, or with those that the file has (see
    /// [`Mapping::known`]).
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

    /// The record of a row with a number. The shape is that of the row, of the request (`shape`) or of the length of
    /// the board; `signs` are those of its cells. `get` returns the value at a place.
    ///
    /// # Errors
    /// A value or a board that cannot be read, a row without a board where one is wanted, the solution of another
    /// puzzle.
    pub(crate) fn record<'a>(
        &self,
        index: u64,
        shape: Option<Shape>,
        signs: &Signs,
        get: impl Fn(usize) -> Result<Value<'a>, String>,
    ) -> Result<Record, String> {
        let mut record = Record::new(index, self.shape(shape, signs, &get)?);
        let schema: &[Column] = &COLUMNS;
        let boards = self.boards(record.shape, signs, &get)?;
        for &(column, place) in &self.columns {
            match &boards {
                Some(boards) if self.board[1..].contains(&Some(place)) => {
                    let board = &boards[usize::from(self.board[2] == Some(place))];
                    let value = board.as_ref().map_or(Value::Null, |board| Value::Text(text::line(board).into()));
                    schema[column].set(&mut record, value)?;
                }
                _ => schema[column].set(&mut record, get(place)?)?,
            }
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
            // It also counts the givens and the holes.
            Want::Boards => {
                if let Some(puzzle) = record.puzzle.clone() {
                    record.set_puzzle(puzzle);
                }
                Ok(record)
            }
        }
    }

    /// The puzzle and the solution of a row, if they are not written as this program writes them: both have the same
    /// signs. None if they are.
    ///
    /// # Errors
    /// A board that cannot be read.
    fn boards<'a>(
        &self,
        shape: Shape,
        signs: &Signs,
        get: &impl Fn(usize) -> Result<Value<'a>, String>,
    ) -> Result<Option<[Option<Grid>; 2]>, String> {
        let places = [self.board[1], self.board[2]];
        let values = places.map(|place| place.map_or(Ok(Value::Null), get));
        let [Ok(puzzle), Ok(solution)] = values else { return Ok(None) };
        let is_plain = |value: &Value<'_>| match value {
            Value::Text(text) => text::plain_line(text, shape).is_some(),
            _ => true,
        };
        if *signs == Signs::default() && is_plain(&puzzle) && is_plain(&solution) {
            return Ok(None);
        }
        let parse = |value: &Value<'_>, known: Option<&Alphabet>| match value {
            Value::Text(text) => text::parse(text, Some(shape), signs, known)
                .map(Some)
                .map_err(|error| spoiled(text, &error.problem.to_string())),
            _ => Ok(None),
        };
        let both = |known: Option<&Alphabet>| -> Result<[Option<Grid>; 2], String> {
            let puzzle = parse(&puzzle, known).map_err(|reason| format!("puzzle: {reason}"))?;
            let found = puzzle.as_ref().and_then(|puzzle| puzzle.1.as_ref()).or(known);
            let solution = parse(&solution, found).map_err(|reason| format!("solution: {reason}"))?;
            Ok([puzzle, solution].map(|board| board.map(|board| board.0)))
        };
        let boards = both(None)?;
        // A puzzle without the digit 0 does not show that digits begin with 0, but its solution does.
        if let [Some(_), Some(solution)] = &boards
            && solution.holes() == shape.order()
            && let Ok([Some(puzzle), Some(solution)]) = both(Some(&Alphabet::FromZero))
            && puzzle.given_cells().all(|(cell, digit)| solution.get(cell) == Some(digit))
        {
            return Ok(Some([Some(puzzle), Some(solution)]));
        }
        Ok(Some(boards))
    }

    /// The shape of a row: from its column, from the request (`asked`), or from the length of its board.
    ///
    /// # Errors
    /// A shape that cannot be read or that is not the one asked for; a row without a board, or with one of no known
    /// length.
    fn shape<'a>(
        &self,
        asked: Option<Shape>,
        signs: &Signs,
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
            (Value::Text(board), _) | (_, Value::Text(board)) => match Shape::of_cells(board.len()) {
                Some(shape) if text::plain_line(&board, shape).is_some() => Ok(shape),
                _ => text::parse(&board, None, signs, None)
                    .map(|(grid, _)| grid.shape())
                    .map_err(|error| spoiled(&board, &error.problem.to_string())),
            },
            _ => Err("the row has neither a puzzle nor a solution".to_owned()),
        }
    }
}

/// Why a text is no board, or what a spreadsheet may have made of it.
fn spoiled(text: &str, reason: &str) -> String {
    let missing = Shape::NINE.cells().wrapping_sub(text.len());
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    if digits && (1..=20).contains(&missing) {
        let cells = text.len();
        return format!("{cells} cells; if a spreadsheet removed zeros at its beginning, {missing} are missing");
    }
    if text.contains(['E', 'e']) && text.parse::<f64>().is_ok() {
        return "a spreadsheet has rounded this number, and the puzzle is lost".to_owned();
    }
    reason.to_owned()
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

/// Requires every column of the schema. Others are accepted only if `others` is true.
///
/// # Errors
/// A column that is missing or does not belong to the schema.
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

/// The columns about the board and its origin, with their places.
///
/// # Errors
/// Two columns are named `puzzle` or `solution`, or none holds puzzles.
fn boards(names: &[String]) -> Result<Vec<(usize, usize)>, String> {
    let column = |name: &str| COLUMNS.iter().position(|column| column.name == name);
    let is = |found: &str, name: &str| found.trim().eq_ignore_ascii_case(name);
    let place = |name: &str| names.iter().position(|found| is(found, name));
    for name in ["puzzle", "solution"] {
        if names.iter().filter(|found| is(found, name)).count() > 1 {
            return Err(format!("several columns are named '{name}'"));
        }
    }
    let pair = |&(puzzle, solution): &(&str, &str)| {
        let (puzzle, solution) = (place(puzzle)?, place(solution));
        Some((column("puzzle").zip(Some(puzzle)), column("solution").zip(solution)))
    };
    // The first names are ours.
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

/// Refuses a file that lacks a column of the schema or has it with another type. `types` are the columns of the file,
/// each with the name of its type; `name_of` gives the name of a type of the schema.
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
