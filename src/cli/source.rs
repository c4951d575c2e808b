//! Where the puzzles of `solve`, `hint` and `check` come from: a file, standard input, or the argument itself.

use std::path::{Path, PathBuf};

use super::Usage;
use super::options;
use crate::board::Shape;
use crate::corpus::{Input, Record};

/// Puzzles to look at.
#[derive(Debug, clap::Args)]
pub struct Source {
    /// A puzzle, a file of puzzles (lines, blocks, CSV or Parquet), or - for standard input.
    #[arg(default_value = "-", value_name = "PUZZLE or FILE")]
    puzzles: String,
    /// Rows x columns of a box, where the text does not tell.
    #[arg(long, value_name = "RxC", value_parser = options::solvable)]
    shape: Option<Shape>,
}

/// Cells of a 4x4 board.
const SHORTEST_BOARD: usize = 16;

impl Source {
    /// Opens it. A name that is no file is read as a puzzle.
    pub fn open(&self) -> anyhow::Result<Input> {
        let path = Path::new(&self.puzzles);
        if self.puzzles == "-" || path.exists() {
            return Ok(Input::open(path, self.shape)?);
        }
        // A word too short for any board is more likely the name of a file.
        if self.puzzles.chars().count() < SHORTEST_BOARD {
            return Err(Usage(format!("{}: no such file, and not a puzzle", self.puzzles)).into());
        }
        Ok(Input::of_puzzle(&self.puzzles, self.shape))
    }

    /// True when the puzzle stands on the command line.
    pub fn is_literal(&self) -> bool {
        self.puzzles != "-" && !PathBuf::from(&self.puzzles).exists()
    }
}

/// The board of a row as a puzzle; a full grid is one without blanks.
pub fn puzzle_of(record: &Record) -> Option<crate::board::Puzzle> {
    record.puzzle.clone().or_else(|| record.solution.clone().map(Into::into))
}
