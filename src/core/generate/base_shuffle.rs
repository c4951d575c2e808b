//! Base shuffle: a random image of a random base grid, or of the solution of a random base puzzle.
//!
//! ```text
//!   bases  ->  draw one  ->  relabel, transpose, shuffle rows, columns, bands, stacks  ->  grid
//! ```
//!
//! The idea is from the discussion of "Sudoku Algorithm: Generates a Valid Sudoku in 0.018 seconds" (The ANZAC,
//! CodeProject, 2008-2009): keep many base puzzles, pick one at random, relabel, rotate, reflect, shuffle rows and
//! columns inside blocks and the blocks themselves. Rotations and reflections are compositions of the maps used here.
//!
//! **Bias.** There are only as many essentially different results as there are essentially different bases. All bases
//! are equally likely, and so are all images of a base.

use crate::board::{Freedom, Isomorphism, Puzzle, Reason, Shape, Solution};
use crate::random::Rng;
use crate::solve::{Budget, Verdict, verdict};

/// The grids of base puzzles of one shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bases {
    shape: Shape,
    /// Never empty.
    bases: Vec<Solution>,
}

impl Bases {
    /// Bases from puzzles with one solution each; full grids are allowed. Each is solved here, once.
    ///
    /// # Errors
    /// Which puzzle is wrong, counted from 1, and why.
    pub fn new(puzzles: Vec<Puzzle>, budget: Budget) -> Result<Bases, Reason> {
        let shape = puzzles.first().ok_or_else(empty)?.shape();
        let solved = (1..).zip(puzzles).map(|(number, puzzle)| {
            check_shape(shape, puzzle.shape(), number)?;
            let reason = match verdict(&puzzle, budget) {
                Verdict::Unique(solution) => return Ok(solution),
                Verdict::Several(..) => "has more than one solution".to_owned(),
                Verdict::Unsolvable => "has no solution".to_owned(),
                Verdict::Unknown => format!("could not be solved within {} search nodes", budget.0),
            };
            Err(Reason(format!("base {number} {reason}")))
        });
        Ok(Bases { shape, bases: solved.collect::<Result<_, _>>()? })
    }

    /// Bases from full grids of any order up to 400.
    ///
    /// # Errors
    /// If there are none, or if they differ in shape.
    pub fn of_solutions(solutions: Vec<Solution>) -> Result<Bases, Reason> {
        let shape = solutions.first().ok_or_else(empty)?.shape();
        for (number, solution) in (1..).zip(&solutions) {
            check_shape(shape, solution.shape(), number)?;
        }
        Ok(Bases { shape, bases: solutions })
    }

    /// The shape of every base.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Number of bases, at least 1.
    #[expect(clippy::len_without_is_empty, reason = "bases are never empty")]
    pub fn len(&self) -> usize {
        self.bases.len()
    }

    /// A random image of the solution of a random base.
    pub(crate) fn shuffle_solution(&self, rng: &mut Rng) -> Solution {
        let base = &self.bases[rng.below(self.bases.len())];
        Isomorphism::random(self.shape, Freedom::ALL, rng).apply(base)
    }
}

/// The reason to refuse a list of no bases.
fn empty() -> Reason {
    Reason("there is no base puzzle or grid".to_owned())
}

/// Refuses a base of another shape than base 1. `number` is its number, from 1.
fn check_shape(first: Shape, shape: Shape, number: usize) -> Result<(), Reason> {
    if first == shape {
        return Ok(());
    }
    Err(Reason(format!("base {number} is of the {}, but base 1 is of the {}", shape.board(), first.board())))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::board::{Cell, Grid};
    use crate::random::Stage;

    fn four(text: &str) -> Puzzle {
        let values = text.bytes().map(|byte| u16::from(byte - b'0')).collect();
        Puzzle::try_from(Grid::new("2x2".parse().unwrap(), values).unwrap()).unwrap()
    }

    /// The template's class has 192 grids, the other class 96.
    #[test]
    fn images_of_both_classes_are_all_grids_of_4x4() {
        let others = [four("1234341221434321"), four("1234341223414123")];
        let bases = Bases::new(others.to_vec(), Budget::UNLIMITED).unwrap();
        let mut rng = Rng::new(1, 0, Stage::Bench, 0);
        let grids: HashSet<_> = (0..6000).map(|_| bases.shuffle_solution(&mut rng).values().to_vec()).collect();
        assert_eq!(grids.len(), 288);
    }

    #[test]
    fn wrong_bases_are_named() {
        let message = |puzzles: Vec<Puzzle>| Bases::new(puzzles, Budget::UNLIMITED).unwrap_err().to_string();
        let good = four("1000000300200004");
        assert_eq!(message(vec![]), "there is no base puzzle or grid");
        assert_eq!(message(vec![good.clone(), four("1000000000000000")]), "base 2 has more than one solution");
        assert_eq!(message(vec![good.clone(), four("1200003000000000")]), "base 2 has no solution");
        let nine = Solution::template(Shape::NINE).masked(|cell| cell != Cell::new(7));
        assert_eq!(
            message(vec![good, nine]),
            "base 2 is of the 9x9 board, 3x3 boxes, but base 1 is of the 4x4 board, 2x2 boxes"
        );
    }

    #[test]
    fn bases_above_order_36_may_be_grids() {
        let shape: Shape = "7x7".parse().unwrap();
        let bases = Bases::of_solutions(vec![Solution::template(shape)]).unwrap();
        let image = bases.shuffle_solution(&mut Rng::new(1, 0, Stage::Bench, 0));
        assert!(Solution::try_from(image.into_grid()).is_ok());
    }
}
