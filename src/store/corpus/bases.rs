//! The bases of `base-shuffle`, from a file of puzzles or full grids.
//!
//! A corpus depends on the boards in the file, not on its path or its format. The recipe holds a hash of the boards,
//! one per line, and the folder of the corpus keeps them in `bases.txt`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::draft::Draft;
use super::error::RecipeError;
use super::input::Input;
use sudoku_corpus_core::board::{Puzzle, Shape, Solution, text};
use sudoku_corpus_core::generate::{Bases, Method};
use sudoku_corpus_core::solve::Budget;

/// A file of bases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BasesFile {
    /// The path it was read from.
    pub path: PathBuf,
    /// Its boards, one per line. The folder of a corpus keeps them.
    pub lines: Arc<str>,
    /// BLAKE3 of the lines, in hexadecimal.
    pub blake3: String,
}

/// The name under which a corpus folder keeps the bases.
pub const BASES_FILE: &str = "bases.txt";

/// Search nodes that may be used to solve one base.
const BUDGET: Budget = Budget(10_000_000);

/// The method that a draft names, with its bases if it has any.
///
/// # Errors
/// An unknown method or option; a file that cannot be read or used.
pub(super) fn method(draft: &Draft, shape: Shape) -> Result<(Method, Option<BasesFile>), RecipeError> {
    let name = draft.grid.method.as_deref().unwrap_or_else(|| usual(shape));
    let Some(path) = draft.grid.bases.as_deref() else {
        return Ok((Method::from_name(name, None).map_err(RecipeError::of)?, None));
    };
    if name.trim() != "base-shuffle" {
        return Err(RecipeError::of(format!("bases are for the method base-shuffle, not for '{name}'")));
    }
    let (bases, file) = read(path, shape)?;
    if let Some(wanted) = draft.grid.bases_blake3.as_deref().filter(|&wanted| wanted != file.blake3) {
        let reason =
            format!("{}: the bases have the checksum {}, but the recipe gives {wanted}", path.display(), file.blake3);
        return Err(RecipeError::of(reason));
    }
    Ok((Method::from_name(name, Some(Arc::new(bases))).map_err(RecipeError::of)?, Some(file)))
}

/// The default method: the one without bias if it makes boards of the shape.
fn usual(shape: Shape) -> &'static str {
    let best = if Method::Uniform.accepts(shape).is_ok() { Method::Uniform } else { Method::FewestCandidates };
    best.name().name()
}

fn read(path: &Path, shape: Shape) -> Result<(Bases, BasesFile), RecipeError> {
    let mut puzzles = Vec::new();
    let mut solutions = Vec::new();
    let mut lines = String::new();
    let input = Input::open(path, Some(shape)).map_err(|error| RecipeError::of(format!("bases: {error}")))?;
    for record in input {
        let record = record.map_err(|error| RecipeError::of(format!("bases: {error}")))?;
        let (puzzle, solution) = (record.puzzle, record.solution);
        let Some(base) = puzzle.or_else(|| solution.clone().map(Puzzle::from)) else { continue };
        text::push_line(&mut lines, base.grid());
        lines.push('\n');
        solutions.extend(Solution::try_from(base.grid().clone()).ok());
        puzzles.push(base);
    }
    let all_full = solutions.len() == puzzles.len();
    let bases = if all_full { Bases::of_solutions(solutions) } else { Bases::new(puzzles, BUDGET) };
    let bases = bases.map_err(|error| RecipeError::of(format!("{}: {error}", path.display())))?;
    let blake3 = blake3::hash(lines.as_bytes()).to_hex().to_string();
    Ok((bases, BasesFile { path: path.to_owned(), lines: lines.into(), blake3 }))
}
