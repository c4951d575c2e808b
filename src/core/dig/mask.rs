//! Puzzles with givens exactly on a pattern: a heart, a letter, any set of cells.
//!
//! ```text
//!   random grid -> its digits on the pattern -> many solutions   change one or two givens
//!                                               fewer            keep the change, change again
//!                                               one              the puzzle
//! ```
//!
//! This is a local search that reduces the number of solutions, and takes a new grid when it is stuck. It sometimes
//! accepts slightly more solutions, so that it can leave a local minimum.
//!
//! Some patterns have no puzzle. [`Mask::obstacle`] recognises some of them at once; for the others the search ends
//! with its budget, which counts trials and not time.

use std::fmt;
use std::str::FromStr;

use crate::board::{Grid, Puzzle, Reason, Shape, Solution};
use crate::page::numbers::counted;
use crate::random::Rng;
use crate::solve::{Budget, Count, general, solutions};

/// The fewest givens of a 9x9 puzzle with one solution (McGuire, Tugemann and Civario, 2012).
const FEWEST: usize = 17;
/// The limit for counting solutions at the start of a descent.
const MOST_SOLUTIONS: usize = 4_000;
/// Trials without progress after which a descent is given up.
const PATIENCE: u64 = 600;

/// A pattern of givens on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mask {
    shape: Shape,
    /// True for each cell that is a given, row by row.
    given: Vec<bool>,
}

/// Solutions of some digits.
struct SolutionCount {
    /// Their number, up to a limit.
    count: usize,
    /// One of them.
    example: Solution,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct MaskSearch {
    /// A puzzle with givens exactly on the pattern, and its only solution. None if the budget was used
    /// up, if no grid could be made, or if the pattern cannot have a single solution.
    pub puzzle: Option<(Puzzle, Solution)>,
    /// Number of tries: each is one choice of digits on the pattern.
    pub trials: u64,
}

impl FromStr for Mask {
    type Err = Reason;

    /// Reads the cells row by row, and ignores line breaks and blanks between them.
    fn from_str(text: &str) -> Result<Mask, Reason> {
        let cells = text.chars().filter(|character| !character.is_whitespace());
        let given = cells.map(|character| match character {
            'x' | 'X' | '#' | '*' | '1'..='9' => Ok(true),
            '.' | '0' | '-' | '_' => Ok(false),
            other => Err(Reason(format!(
                "'{other}' is not a cell: write x, # or 1 to 9 for a given, and . 0 - or _ for an empty cell"
            ))),
        });
        let given: Vec<bool> = given.collect::<Result<_, _>>()?;
        let order = given.len().isqrt();
        let shape = Shape::of_order(order).ok().filter(|shape| shape.cells() == given.len() && order <= 16);
        let Some(shape) = shape else {
            return Err(Reason(format!(
                "the pattern has {}, which is not the size of a board up to 16x16; a 9x9 board has 81 cells, in one line \
                 or several",
                counted(given.len(), "cell")
            )));
        };
        Ok(Mask { shape, given })
    }
}

impl fmt::Display for Mask {
    /// One line, with `x` for a given and `.` for an empty cell.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.given.iter().map(|&given| if given { 'x' } else { '.' }).collect::<String>())
    }
}

impl Mask {
    /// The shape of the board.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// How many givens it has.
    pub fn givens(&self) -> usize {
        self.given.iter().filter(|given| **given).count()
    }

    /// A reason why no puzzle can have its givens there, if one is found: too few givens, or two lines of a band or
    /// stack without givens, which can be exchanged.
    pub fn obstacle(&self) -> Option<String> {
        let n = self.shape.order();
        if self.shape == Shape::NINE && self.givens() < FEWEST {
            return Some(format!(
                "it has {}, and no 9x9 puzzle has fewer than {FEWEST}",
                counted(self.givens(), "given")
            ));
        }
        let rows: Vec<usize> = (0..n).filter(|row| (0..n).all(|column| !self.given[row * n + column])).collect();
        let columns: Vec<usize> = (0..n).filter(|column| (0..n).all(|row| !self.given[row * n + column])).collect();
        let blank_lines = [("rows", rows, self.shape.box_rows()), ("columns", columns, self.shape.box_columns())];
        for (name, lines, size) in &blank_lines {
            let mut pairs = lines.windows(2);
            if let Some(pair) = pairs.find(|pair| pair[0] / size == pair[1] / size) {
                return Some(format!(
                    "{name} {} and {} have no givens, so they can be exchanged and no puzzle has one solution",
                    pair[0] + 1,
                    pair[1] + 1
                ));
            }
        }
        None
    }

    /// Looks for a puzzle, with at most `most` trials. The result depends only on the arguments.
    pub fn search(&self, rng: &mut Rng, most: u64) -> MaskSearch {
        let mut trials = 0;
        if self.obstacle().is_some() {
            return MaskSearch { puzzle: None, trials };
        }
        let cells: Vec<usize> = (0..self.given.len()).filter(|&cell| self.given[cell]).collect();
        while trials < most {
            let Some(grid) = general::random_fill(self.shape, rng, Budget(1_000_000)) else { break };
            let values = grid.values().iter().zip(&self.given).map(|(&value, &given)| if given { value } else { 0 });
            if let Some(puzzle) = self.descend(values.collect(), &cells, rng, most, &mut trials) {
                return MaskSearch { puzzle: Some(puzzle), trials };
            }
            // The digits that a descent begins with are a trial too.
            trials = most.min(trials + 1);
        }
        MaskSearch { puzzle: None, trials }
    }

    /// Starts with some digits on the pattern and changes them until they have one solution, or until [`PATIENCE`]
    /// trials in a row brought no progress.
    fn descend(
        &self,
        mut values: Vec<u16>,
        cells: &[usize],
        rng: &mut Rng,
        most: u64,
        trials: &mut u64,
    ) -> Option<(Puzzle, Solution)> {
        let mut current = self.solutions(&values, MOST_SOLUTIONS)?.count;
        let mut best = current;
        let mut idle = 0;
        while *trials < most && idle < PATIENCE {
            if current == 1 {
                let solution = self.solutions(&values, 2)?.example;
                let puzzle = Puzzle::try_from(Grid::new(self.shape, values).ok()?).ok()?;
                return Some((puzzle, solution));
            }
            *trials += 1;
            let changed = self.changed(&values, cells, rng);
            // Sometimes up to a tenth more solutions are accepted.
            let slack = if rng.below(8) == 0 { current / 10 + 1 } else { 0 };
            // More solutions than would be accepted are not counted.
            let limit = (current + slack).min(MOST_SOLUTIONS) + 1;
            if let Some(solutions) = self.solutions(&changed, limit)
                && solutions.count < limit
            {
                (values, current) = (changed, solutions.count);
            }
            idle = if current < best { 0 } else { idle + 1 };
            best = best.min(current);
        }
        None
    }

    /// The same digits with one or two of them changed, or with two of them exchanged.
    fn changed(&self, values: &[u16], cells: &[usize], rng: &mut Rng) -> Vec<u16> {
        let mut values = values.to_vec();
        let n = self.shape.order();
        if rng.below(3) == 0 && cells.len() > 1 {
            let (first, second) = (rng.choose(cells), rng.choose(cells));
            values.swap(first, second);
            return values;
        }
        for _ in 0..=rng.below(2) {
            values[rng.choose(cells)] = 1 + rng.below(n) as u16;
        }
        values
    }

    /// The solutions of some digits. None if there is no solution.
    fn solutions(&self, values: &[u16], limit: usize) -> Option<SolutionCount> {
        let puzzle = Puzzle::try_from(Grid::new(self.shape, values.to_vec()).ok()?).ok()?;
        let (mut found, Count { found: count, exact }) = solutions(&puzzle, limit, Budget(100_000));
        // If the budget was used up, the number counts as the limit.
        let count = if exact || count as usize >= limit { count as usize } else { limit };
        Some(SolutionCount { count, example: found.pop()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stage;
    use crate::solve::{Verdict, verdict};

    const HEART: &str = "..xx.xx.. .xxxxxxx. xx..x..xx x...x...x xx.....xx .xx...xx. ..xx.xx.. ...xxx... ....x....";

    #[test]
    fn a_puzzle_has_its_givens_exactly_on_the_pattern_and_one_solution() {
        for (text, board, most) in [(HEART, "3x3", 20_000), ("x..x .x.. ..x. x..x", "2x2", 5_000)] {
            let mask: Mask = text.parse().unwrap();
            assert_eq!(mask.shape(), board.parse().unwrap());
            let search = || mask.search(&mut Rng::new(1, 0, Stage::Dig, 0), most);
            let (puzzle, solution) = search().puzzle.expect("both patterns have puzzles");
            assert_eq!(puzzle.grid().values().iter().map(|&value| value != 0).collect::<Vec<_>>(), mask.given);
            assert_eq!(verdict(&puzzle, Budget(1_000_000)), Verdict::Unique(solution));
            assert_eq!(search().puzzle.map(|found| found.0), Some(puzzle));
        }
    }

    #[test]
    fn patterns_without_a_puzzle_are_recognised() {
        let rows = format!("{}{}", ".".repeat(18), "x".repeat(63)).parse::<Mask>().unwrap();
        assert!(rows.obstacle().unwrap().starts_with("rows 1 and 2 have no givens"));
        let columns = "..xxxxxxx".repeat(9).parse::<Mask>().unwrap();
        assert!(columns.obstacle().unwrap().starts_with("columns 1 and 2"));
        let few = format!("{}{}", "x".repeat(16), ".".repeat(65)).parse::<Mask>().unwrap();
        assert!(few.obstacle().unwrap().contains("has 16 givens"));
        assert_eq!(few.search(&mut Rng::new(1, 0, Stage::Dig, 0), 100), MaskSearch { puzzle: None, trials: 0 });
        // This pattern is not recognised, and the search for it ends with its budget.
        let blocks: Mask = format!("{}{}", "xxx......".repeat(3), "...xxxxxx".repeat(6)).parse().unwrap();
        assert!(blocks.obstacle().is_none());
        let found = blocks.search(&mut Rng::new(1, 0, Stage::Dig, 0), 50);
        assert!(found.puzzle.is_some() || found.trials == 50);
    }

    #[test]
    fn texts_that_are_not_patterns_are_refused() {
        for (text, reason) in [("xx.", "has 3 cells"), ("", "has 0 cells"), ("?", "'?' is not a cell")] {
            assert!(text.parse::<Mask>().unwrap_err().to_string().contains(reason), "{text}");
        }
        let mask: Mask = HEART.parse().unwrap();
        assert_eq!(mask.to_string().parse(), Ok(mask));
    }
}
