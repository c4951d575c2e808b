//! Makes the finds of a stock: grids, their minimal puzzles, and givens that are put back.

use super::recipe::Recipe;
use super::stock::Find;
use crate::corpus::values::error::MakeError;
use sudoku_corpus_core::board::{Puzzle, Solution};
use sudoku_corpus_core::dig::{DigError, Dug};
use sudoku_corpus_core::random::{Rng, Stage};

/// A grid of the search and its minimal puzzle. None if the plan failed.
pub(crate) fn dug(recipe: &Recipe, grid: u64) -> Result<Option<(Solution, Dug)>, MakeError> {
    let solution = recipe.fill(grid, 0)?;
    let goal = &recipe.goal;
    let mut rng = Rng::new(recipe.seed, grid, Stage::Dig, 0);
    match goal.plan.dig(&solution, goal.symmetry, &recipe.dig, &mut rng) {
        Ok(dug) => Ok(Some((solution, dug))),
        Err(DigError::OutOfReach { .. }) => Ok(None),
        Err(error) => Err(MakeError::Dig { index: grid, error }),
    }
}

/// Makes a find again: its solution and its puzzle. None if there is no such find.
pub(crate) fn again(recipe: &Recipe, find: Find) -> Result<Option<(Solution, Dug)>, MakeError> {
    let Find(grid, back) = find;
    let Some((solution, mut dug)) = dug(recipe, grid)? else { return Ok(None) };
    if back > 0 {
        let Some(puzzle) = put_back(recipe, grid, &solution, &dug.puzzle).nth(back as usize) else { return Ok(None) };
        (dug.puzzle, dug.minimal) = (puzzle, Some(false));
    }
    Ok(Some((solution, dug)))
}

/// The minimal puzzle of a grid, and those to which givens are put back one by one (orbit by orbit, if it is
/// symmetric), in random order.
pub(crate) fn put_back<'a>(
    recipe: &Recipe,
    grid: u64,
    solution: &'a Solution,
    puzzle: &Puzzle,
) -> impl Iterator<Item = Puzzle> + use<'a> {
    let mut given: Vec<bool> = puzzle.grid().values().iter().map(|&value| value != 0).collect();
    let mut units = recipe.goal.symmetry.orbits(solution.shape());
    units.retain(|unit| unit.iter().any(|cell| !given[cell.index()]));
    Rng::new(recipe.seed, grid, Stage::Sample, 0).shuffle(&mut units);
    // The last one is put back first. Before it, nothing is: the first puzzle is the minimal one.
    let units = std::iter::once(Vec::new()).chain(units.into_iter().rev());
    units.map(move |unit| {
        unit.iter().for_each(|cell| given[cell.index()] = true);
        solution.masked(|cell| given[cell.index()])
    })
}
