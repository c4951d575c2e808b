//! Shared code of the tests of digging: solutions of every shape, the plain loop, slow checks by counting solutions.

use crate::board::{Cell, CellSet, Freedom, Isomorphism, Shape, Solution};
use crate::random::{Rng, Stage};
use crate::solve::{self, Budget};

/// Shapes that every plan is tested on.
pub const SHAPES: [(usize, usize); 6] = [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (2, 5)];

/// A generator for test number `index`.
pub fn rng(index: u64) -> Rng {
    Rng::new(20_261_121, index, Stage::Bench, 0)
}

/// A random solution: a random isomorph of the cyclic grid, emptied in three cells of five and filled otherwise.
pub fn solution(shape: Shape, rng: &mut Rng) -> Solution {
    let image = Isomorphism::random(shape, Freedom::ALL, rng).apply(&Solution::template(shape));
    let emptied = image.masked(|_| rng.below(5) < 2);
    let (mut found, _) = solve::solutions(&emptied, 40, Budget(100_000));
    found.pop().unwrap_or(image)
}

/// True if these givens have one solution, by counting.
pub fn unique<S: CellSet>(solution: &Solution, givens: S) -> bool {
    let puzzle = solution.masked(|cell| givens.contains(cell));
    let count = solve::count(&puzzle, 2, Budget::UNLIMITED);
    assert!(count.found == 2 || count.exact);
    count.found == 1
}

/// The plain loop: counts solutions, up to two, for every unit.
pub fn plain_loop<S: CellSet>(solution: &Solution, units: &[S], floor: usize) -> S {
    let mut givens = units.iter().fold(S::empty(), |all, &unit| all | unit);
    for &unit in units {
        if givens.len() - unit.len().min(givens.len()) >= floor && unique(solution, givens - unit) {
            givens = givens - unit;
        }
    }
    givens
}

/// True if no given can go, by counting solutions.
pub fn minimal<S: CellSet>(solution: &Solution, givens: S) -> bool {
    givens.cells().all(|cell| !unique(solution, givens - S::only(cell)))
}

pub fn givens_of<S: CellSet>(puzzle: &crate::board::Puzzle) -> S {
    S::of(puzzle.grid().given_cells().map(|(cell, _)| cell))
}

pub fn all_cells<S: CellSet>(shape: Shape) -> S {
    S::of((0..shape.cells()).map(Cell::new))
}
