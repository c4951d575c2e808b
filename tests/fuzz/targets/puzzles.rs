//! Any puzzle: both solvers agree, and no step of the ladder contradicts a unique solution.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sudoku_corpus::board::{Grid, Puzzle, Shape};
use sudoku_corpus::rate::{Ladder, replay, trace};
use sudoku_corpus::solve::{self, Budget, Verdict, general};

fuzz_target!(|data: &[u8]| {
    let values = (0..81).map(|at| u16::from(data.get(at).copied().unwrap_or(0)) % 10).collect();
    let Ok(puzzle) = Grid::new(Shape::NINE, values).and_then(Puzzle::try_from) else { return };
    let count = solve::count(&puzzle, 3, Budget::UNLIMITED);
    let other = general::count(&puzzle, 3, Budget(100_000));
    assert!(!other.exact || other.found == count.found || count.found >= 3);
    if let Verdict::Unique(solution) = solve::verdict(&puzzle, Budget::UNLIMITED) {
        let reached = replay(&puzzle, &trace(&puzzle, &Ladder::default())).expect("steps replay");
        assert!(Puzzle::try_from(reached).expect("no conflict").is_part_of(&solution));
    }
});
