//! Reads a set of puzzles for a score: its files, and of each row the puzzle, its solutions and its groups.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::corpus::{AskLimits, CorpusError, files_in, hash_of_board};
use crate::study::Table;
use sudoku_corpus_core::board::{Grid, Shape, Solution, text};
use sudoku_corpus_core::page::numbers::tenths;

/// The columns of a row, in the order in which [`SetRow::of`] has them. All but those of ER and of the number of
/// solutions are read as texts: a board of order 4 or less may look like a number.
const COLUMNS: [&str; 11] = [
    "puzzle", "shape", "level", "role", "se_er_tenths", "se_exact", "solutions", "solutions_exact", "solution",
    "first_solution", "second_solution",
];

/// A file of a set.
pub(super) struct SetFile {
    /// The name of its split: the name of the file up to `-00000-of-00001`, or without its ending if it has no such
    /// number.
    split: String,
    pub path: PathBuf,
}

/// What a set says of a puzzle. Texts of columns that it does not have are empty.
#[derive(Default)]
pub(super) struct SetRow {
    /// The name of its split, from the name of its file.
    pub split: String,
    pub puzzle: String,
    /// Every solution that is right; none for the probe `no_solution`.
    pub solutions: Vec<String>,
    /// The shape as in the column `shape`.
    pub shape: String,
    pub level: Option<String>,
    /// ER as a text; a lower bound says that it is one.
    pub er: Option<String>,
    /// The kind of probe, as `two_solutions`.
    pub role: Option<String>,
    /// The set says that the puzzle has exactly one solution.
    pub is_unique: bool,
}

/// The files of a set: the Parquet files in the folder `puzzles` of a release, or else the path itself.
///
/// # Errors
/// The folder `puzzles` cannot be read.
pub(super) fn files_of_set(path: &Path) -> Result<Vec<SetFile>, CorpusError> {
    let folder = path.join("puzzles");
    let mut paths = if folder.is_dir() { files_in(&folder)? } else { Vec::new() };
    paths.retain(|file| file.extension().is_some_and(|ending| ending == "parquet"));
    if paths.is_empty() {
        paths.push(path.to_owned());
    }
    Ok(paths.into_iter().map(|path| SetFile { split: split_of(&path), path }).collect())
}

/// The name of the split in a file: `test` of `test-00000-of-00001.parquet`.
fn split_of(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let numbered = stem.rsplit_once("-of-").and_then(|(start, _)| start.rsplit_once('-'));
    numbered.map_or(&*stem, |(split, _)| split).to_owned()
}

impl SetFile {
    /// Calls `take` with every row of the file.
    ///
    /// # Errors
    /// A file that cannot be read, or that has no solutions; what `take` refuses.
    pub(super) fn read(self, mut take: impl FnMut(&SetRow) -> Result<(), String>) -> Result<(), CorpusError> {
        let table = Table::open(std::slice::from_ref(&self.path))?;
        if !table.has("solution") {
            return Err(CorpusError::file(&self.path, "the rows have no solutions"));
        }
        let columns = COLUMNS.map(|name| match name {
            name if !table.has(name) => format!("NULL AS {name}"),
            "se_er_tenths" | "se_exact" | "solutions" | "solutions_exact" => name.to_owned(),
            text => format!("CAST({text} AS TEXT) AS {text}"),
        });
        let sql = format!("SELECT {} FROM puzzles", columns.join(", "));
        let taken = table.ask_in_batches(&sql, &AskLimits::default(), |batch| {
            (0..batch.len()).try_for_each(|row| take(&SetRow::of(&self.split, &batch.row(row)?)?))
        })?;
        taken.map_err(|reason| CorpusError::file(&self.path, reason))
    }
}

impl SetRow {
    /// A row of a split from its [`COLUMNS`].
    fn of(split: &str, values: &[Value]) -> Result<SetRow, String> {
        let [puzzle, shape, level, role, er_tenths, er_exact, count, count_exact, solutions @ ..] = values else {
            return Err(format!("a row has {} of {} columns", values.len(), COLUMNS.len()));
        };
        let text = |value: &Value| value.as_str().map(str::to_owned);
        // SQL has no flags, but numbers.
        let is_false = |flag: &Value| flag.as_bool() == Some(false) || flag.as_u64() == Some(0);
        let is_bound = is_false(er_exact);
        let er = er_tenths.as_u64().map(tenths);
        Ok(SetRow {
            split: split.to_owned(),
            puzzle: text(puzzle).unwrap_or_default(),
            solutions: solutions.iter().filter_map(text).collect(),
            shape: text(shape).unwrap_or_default(),
            level: text(level),
            er: er.map(|er| if is_bound { er + " or more" } else { er }),
            role: text(role),
            is_unique: count.as_u64() == Some(1) && !is_false(count_exact),
        })
    }

    /// The shape of the board: that of the column, or the usual one of its size.
    fn board_shape(&self) -> Option<Shape> {
        let shape = self.shape.parse().ok();
        shape.or_else(|| Shape::of_order(self.puzzle.chars().count().isqrt()).ok())
    }

    /// Refuses a solution that changes a given, or breaks the rules of a board whose shape the set names.
    pub(super) fn check_solution(&self, solution: &[u16], givens: &[u16]) -> Result<(), String> {
        let is_full = |shape: Shape| is_full_grid(solution, shape);
        match keeps(solution, givens) && self.shape.parse().ok().is_none_or(is_full) {
            true => Ok(()),
            false => Err(format!("the set has a wrong solution beside the puzzle {}", self.puzzle)),
        }
    }

    /// True if a grid completes the puzzle by its rules, and the set does not say that only the solution does.
    pub(super) fn has_other_solution(&self, grid: &[u16]) -> bool {
        !self.is_unique && self.board_shape().is_some_and(|shape| is_full_grid(grid, shape))
    }

    /// A hash of the puzzle, whose key is given: the same cells are another puzzle on a board of another shape.
    pub(super) fn hash(&self, key: &str) -> u128 {
        match self.board_shape() {
            Some(shape) => hash_of_board(shape, key),
            None => hash_of_board(&self.shape, key),
        }
    }

    /// The values of the cells in a line, which is the puzzle or a solution.
    ///
    /// # Errors
    /// The line is no board of this shape.
    pub(super) fn cells_of(&self, line: &str) -> Result<Vec<u16>, String> {
        match text::parse_line(line, self.board_shape()) {
            Ok(grid) => Ok(grid.values().to_vec()),
            Err(error) => Err(format!("'{line}' in the set is no board: {}", error.reason)),
        }
    }
}

/// True if cells have all givens of a puzzle.
pub(super) fn keeps(cells: &[u16], givens: &[u16]) -> bool {
    givens.iter().zip(cells).all(|(&given, &cell)| given == 0 || given == cell)
}

/// True for the cells of a full grid that keeps the rules.
fn is_full_grid(cells: &[u16], shape: Shape) -> bool {
    Grid::new(shape, cells.to_vec()).is_ok_and(|grid| Solution::try_from(grid).is_ok())
}
