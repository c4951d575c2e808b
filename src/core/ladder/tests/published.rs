//! For tests: collections of puzzles with published ratings, and random puzzles.
//!
//! The collections stay with their owners. The tests read them from `SUDOKU_CORPUS_DATA`, or from `shared/data` beside
//! the checkout. A test whose files are missing says so and checks nothing.

use std::path::PathBuf;
use std::process::Command;

use crate::board::{Freedom, Grid, Isomorphism, Puzzle, Shape, Solution, text};
use crate::random::Rng;
use crate::solve;

pub(crate) fn puzzle(line: &str) -> Puzzle {
    Puzzle::try_from(text::parse_line(line, None).unwrap()).unwrap()
}

/// The lines of a file in `tests/fixtures`, split at tabs.
pub(crate) fn fixture(name: &str) -> Vec<Vec<String>> {
    let file = format!("{}/../../tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(file).unwrap();
    text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

pub(crate) fn data() -> PathBuf {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    std::env::var_os("SUDOKU_CORPUS_DATA").map_or_else(beside, PathBuf::from)
}

/// Every `step`-th puzzle of a file in the folder `ratings`, split at tabs. Empty if the file is missing.
pub(crate) fn sample(name: &str, step: usize) -> Vec<Vec<String>> {
    let file = data().join("ratings").join(name);
    let output = Command::new("gzip").arg("-dc").arg(&file).output();
    let text = output.ok().filter(|output| output.status.success()).map(|output| output.stdout);
    let Some(text) = text.and_then(|text| String::from_utf8(text).ok()) else {
        eprintln!("SKIPPED: {} cannot be read; set SUDOKU_CORPUS_DATA", file.display());
        return Vec::new();
    };
    let fields = |line: &str| line.split('\t').map(str::to_owned).collect();
    // The first two lines hold the source and the names of the fields.
    text.lines().skip(2).step_by(step).map(fields).collect()
}

/// A random isomorph of a puzzle, and the same turned over.
pub(crate) fn isomorphs(puzzle: &Puzzle, rng: &mut Rng) -> [Puzzle; 2] {
    let image = Isomorphism::random(puzzle.shape(), Freedom::ALL, rng).apply_to_puzzle(puzzle);
    [Isomorphism::transposition(puzzle.shape()).apply_to_puzzle(&image), image]
}

/// A random minimal 9x9 puzzle and its solution.
pub(crate) fn random_puzzle(rng: &mut Rng) -> (Puzzle, Solution) {
    let full = solve::nine::random_fill(rng);
    let mut values = full;
    let mut cells: Vec<usize> = (0..81).collect();
    for at in (0..81).rev() {
        let cell = cells.swap_remove(rng.below(at + 1));
        values[cell] = 0;
        if solve::nine::count(&values, 2) != 1 {
            values[cell] = full[cell];
        }
    }
    let grid = |values: &[u8; 81]| Grid::new(Shape::NINE, values.map(u16::from).to_vec()).unwrap();
    (Puzzle::try_from(grid(&values)).unwrap(), Solution::try_from(grid(&full)).unwrap())
}
