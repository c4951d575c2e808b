//! Reads the bases of `base-shuffle`, from a file of puzzles or full grids.
//!
//! A corpus depends on the boards in the file, not on its path or its format. The recipe holds a hash of the boards,
//! one per line, and the folder of the corpus keeps them in `bases.txt`.

use std::path::Path;
use std::sync::Arc;

use super::draft::GridDraft;
use crate::corpus::files::input::Input;
use crate::corpus::files::names::BASES_FILE;
use crate::corpus::values::error::{CorpusError, RecipeError};
use crate::corpus::values::record::Record;
use sudoku_corpus_core::board::{Puzzle, Shape, Solution, text};
use sudoku_corpus_core::generate::{Bases, Method};
use sudoku_corpus_core::solve::Budget;

/// A file of bases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BasesFile {
    /// Its boards, one per line. The folder of a corpus keeps them.
    pub lines: Arc<str>,
    /// BLAKE3 of the lines, in hexadecimal.
    pub blake3: String,
}

/// The cells of all bases together, which are kept in memory: half a million 9x9 boards.
const MOST_CELLS: usize = 40_500_000;

/// Search nodes that may be used to solve one base.
const BUDGET: Budget = Budget(10_000_000);

/// The method that a draft names, with its bases if it has any. The draft then names both as a corpus keeps them.
///
/// # Errors
/// An unknown method or option; a file that cannot be read or used.
pub(crate) fn method(draft: &mut GridDraft, shape: Shape) -> Result<(Method, Option<BasesFile>), RecipeError> {
    let name = draft.method.take().unwrap_or_else(|| usual(shape).to_owned());
    let (bases, file) = match &draft.bases {
        Some(path) if name.trim() == "base-shuffle" => {
            let (bases, file) = read(path, shape, draft.bases_blake3.as_deref())?;
            (Some(bases), Some(file))
        }
        Some(_) => {
            return Err(format!(
                "bases are for the method base-shuffle, not for '{name}': write `method = \"base-shuffle\"`"
            )
            .into());
        }
        None => (None, None),
    };
    let method = Method::from_name(&name, bases.map(Arc::new)).map_err(|error| error.to_string())?;
    draft.method = Some(method.to_string());
    draft.bases = file.as_ref().map(|_| BASES_FILE.into());
    draft.bases_blake3 = file.as_ref().map(|file| file.blake3.clone());
    Ok((method, file))
}

/// The default method: the one without bias if it makes boards of the shape.
fn usual(shape: Shape) -> &'static str {
    let best = if Method::Uniform.accepts(shape).is_ok() { Method::Uniform } else { Method::FewestCandidates };
    best.name().name()
}

/// The bases of a file, all of one shape. `wanted` is the checksum that a recipe asks for.
fn read(path: &Path, shape: Shape, wanted: Option<&str>) -> Result<(Bases, BasesFile), String> {
    let wrong = |error: CorpusError| format!("bases: {error}");
    let mut boards = Vec::new();
    let mut lines = String::new();
    let most = MOST_CELLS / shape.cells();
    for record in Input::of_files(vec![path.to_owned()], Some(shape)).map_err(wrong)? {
        let Record { puzzle, solution, .. } = record.map_err(wrong)?;
        let Some(board) = puzzle.or_else(|| solution.map(Puzzle::from)) else { continue };
        if boards.len() == most {
            return Err(format!("{}: a recipe has at most {most} bases of this size", path.display()));
        }
        text::push_line(&mut lines, board.grid());
        lines.push('\n');
        boards.push(board);
    }
    // Full grids need not be solved. A board that is no solution is refused with the puzzles.
    let solutions: Option<Vec<Solution>> =
        boards.iter().map(|board| Solution::try_from(board.grid().clone()).ok()).collect();
    let bases = match solutions {
        Some(solutions) => Bases::of_solutions(solutions),
        None => Bases::new(boards, BUDGET),
    };
    let bases = bases.map_err(|error| format!("{}: {error}", path.display()))?;
    let blake3 = blake3::hash(lines.as_bytes()).to_hex().to_string();
    match wanted {
        Some(wanted) if wanted != blake3 => {
            Err(format!("{}: the bases have the checksum {blake3}, but the recipe gives {wanted}", path.display()))
        }
        _ => Ok((bases, BasesFile { lines: lines.into(), blake3 })),
    }
}
