//! The reference search: how many candidate values a defined search tries before it reaches the solution.
//!
//! ```text
//!   singles                          position 1
//!   |  r2c5 has 2 candidates, and no cell has fewer
//!   +- 3: singles, contradiction     position 2     guess 1, depth 1
//!   +- 8: singles                    position 3     guess 2, depth 1
//!      |  r1c1 has 2 candidates
//!      +- 1: singles, solved         position 4     guess 3, depth 2        guesses 3, depth 2, nodes 4
//! ```
//!
//! The program of the article "Sudoku" (Whack! My world of hacks) shows this number after solving; it "might be a hint"
//! at the difficulty for people. Here it is defined exactly:
//!
//! * Naked and hidden singles are placed until there is none. The result, contradictions included, does not depend on
//!   their order.
//! * Then the search branches on the cell with fewest candidates, the lowest cell on a tie, and tries its candidates in
//!   ascending order. Each is tried from the same position: a value that failed is not eliminated for the next one.
//! * The search ends with the first solution, even if the puzzle has several.
//!
//! The numbers depend on the labelling: they can change when the puzzle is relabelled, rotated or transposed.

use std::cell::RefCell;

use super::general::{Givens, SearchPosition, Tables};
use super::nine::{SinglesPlaced, VariantRules, VariantSingles};
use super::nine::{singles_after, singles_of, variant_singles_after, variant_singles_of};
use super::{Budget, nine_values};
use crate::board::digit::bits;
use crate::board::{Puzzle, Shape};
use crate::stop;

/// The cost of the reference search up to the first solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize)]
pub struct SearchCost {
    /// Number of candidate values tried at branches. It includes values that led to a contradiction, values on the way
    /// to the solution, and the last value of a cell whose other values have failed.
    pub guesses: u64,
    /// The largest number of guesses that were open at the same time. A guess that led to a contradiction counts too.
    pub depth: u32,
    /// Number of positions visited: the puzzle itself and the position after each guess, including contradictory ones.
    /// So it is one more than the guesses.
    pub nodes: u64,
}

/// The search cost of a puzzle. None if the puzzle has no solution, if none was found within the budget of positions,
/// or if the order is above 36.
pub fn search_depth(puzzle: &Puzzle, budget: Budget) -> Option<SearchCost> {
    let shape = puzzle.shape();
    if !shape.is_solvable() || budget.0 == 0 {
        return None;
    }
    let mut search = SearchCost { nodes: 1, ..SearchCost::default() };
    let is_solved = if shape == Shape::NINE {
        reaches_solution(&singles_of(puzzle)?, 0, &mut search, budget)?
    } else if let Some(rules) = VariantRules::of(shape) {
        reaches_solution(&variant_singles_of(&nine_values(puzzle), rules)?, 0, &mut search, budget)?
    } else {
        let spare = SpareMemory::default();
        reaches_solution(&AnyPosition::of(puzzle, &spare)?, 0, &mut search, budget)?
    };
    is_solved.then_some(search)
}

/// A cell to branch on, and its candidates as bits.
pub(crate) struct BranchCell {
    pub cell: usize,
    pub digits: u64,
}

/// A position in which every naked and hidden single is placed.
pub(crate) trait Settled: Sized {
    /// True if every cell has a digit.
    fn is_full(&self) -> bool;

    /// The cell with fewest candidates, the lowest on a tie.
    fn narrowest(&self) -> BranchCell;

    /// The position after placing a digit, from 0, in a cell. None if it contradicts itself.
    fn after(&self, cell: usize, digit: usize) -> Option<Self>;
}

impl Settled for SinglesPlaced {
    fn is_full(&self) -> bool {
        self.digits == 0
    }

    fn narrowest(&self) -> BranchCell {
        BranchCell { cell: self.cell, digits: self.digits.into() }
    }

    fn after(&self, cell: usize, digit: usize) -> Option<SinglesPlaced> {
        singles_after(self, cell, digit)
    }
}

impl Settled for VariantSingles {
    fn is_full(&self) -> bool {
        self.digits == 0
    }

    fn narrowest(&self) -> BranchCell {
        BranchCell { cell: self.cell, digits: self.digits.into() }
    }

    fn after(&self, cell: usize, digit: usize) -> Option<VariantSingles> {
        variant_singles_after(self, cell, digit)
    }
}

/// The memory of positions that are not needed any more.
#[derive(Default)]
pub(crate) struct SpareMemory(RefCell<Vec<SearchPosition>>);

/// A settled position of any board.
pub(crate) struct AnyPosition<'a> {
    position: SearchPosition,
    tables: &'a Tables,
    spare: &'a SpareMemory,
}

impl<'a> AnyPosition<'a> {
    /// The position of a puzzle of order 36 at most. None if it contradicts itself.
    pub(crate) fn of(puzzle: &Puzzle, spare: &'a SpareMemory) -> Option<AnyPosition<'a>> {
        let tables = Tables::of(puzzle.shape());
        let mut start = AnyPosition { position: SearchPosition::default(), tables, spare };
        start.position.start(&Givens::of(tables, puzzle))?;
        start.position.settle(tables)?;
        Some(start)
    }

    /// The digits of all cells, from 1; 0 in an empty cell.
    pub(crate) fn values(&self) -> Vec<u16> {
        self.position.values.iter().map(|&value| value.into()).collect()
    }
}

impl Drop for AnyPosition<'_> {
    fn drop(&mut self) {
        self.spare.0.borrow_mut().push(std::mem::take(&mut self.position));
    }
}

impl Settled for AnyPosition<'_> {
    fn is_full(&self) -> bool {
        self.position.open == 0
    }

    fn narrowest(&self) -> BranchCell {
        let cells = self.position.cells();
        // A cell with a placed digit has no candidates: the wrapping subtraction gives it a huge number.
        let pair = cells.iter().position(|candidates| candidates.count_ones() == 2);
        let cell = pair.or_else(|| (0..cells.len()).min_by_key(|&cell| cells[cell].count_ones().wrapping_sub(1)));
        let cell = cell.unwrap_or_default();
        BranchCell { cell, digits: cells[cell] }
    }

    fn after(&self, cell: usize, digit: usize) -> Option<Self> {
        let position = self.spare.0.borrow_mut().pop().unwrap_or_default();
        let mut after = AnyPosition { position, tables: self.tables, spare: self.spare };
        after.position.copy(&self.position);
        after.position.place(self.tables, cell, digit).and_then(|()| after.position.settle(self.tables))?;
        Some(after)
    }
}

/// The search from a position after some guesses. None if the budget is spent.
fn reaches_solution(from: &impl Settled, guesses: u32, search: &mut SearchCost, budget: Budget) -> Option<bool> {
    if from.is_full() {
        return Some(true);
    }
    let BranchCell { cell, digits } = from.narrowest();
    for digit in bits(digits) {
        if search.nodes >= budget.0 {
            return None;
        }
        stop::ask();
        search.guesses += 1;
        search.nodes += 1;
        search.depth = search.depth.max(guesses + 1);
        if let Some(after) = from.after(cell, digit)
            && reaches_solution(&after, guesses + 1, search, budget)?
        {
            return Some(true);
        }
    }
    Some(false)
}

#[cfg(test)]
mod tests {
    use super::super::general;
    use super::*;
    use crate::board::{Cell, Digit, Grid, Layout, text};
    use crate::random::{Rng, Stage};

    /// The definition, word by word, on plain lists of candidates.
    struct Plain {
        layout: &'static Layout,
        search: SearchCost,
    }

    impl Plain {
        fn candidates(&self, grid: &Grid, cell: Cell) -> Vec<Digit> {
            let n = grid.shape().order();
            let is_free = |digit: &Digit| !self.layout.peers(cell).iter().any(|&peer| grid.get(peer) == Some(*digit));
            if grid.get(cell).is_some() { Vec::new() } else { (0..n).map(Digit::from_index).filter(is_free).collect() }
        }

        /// A naked or hidden single. Err if a cell has no candidate, or a digit has no place in a house.
        fn single(&self, grid: &Grid) -> Result<Option<(Cell, Digit)>, ()> {
            let blank = |cell: &Cell| grid.get(*cell).is_none();
            let mut single = None;
            for cell in self.layout.cells().filter(blank) {
                match self.candidates(grid, cell)[..] {
                    [] => return Err(()),
                    [digit] => single = Some((cell, digit)),
                    _ => (),
                }
            }
            for house in self.layout.houses() {
                let cells = self.layout.house(house);
                for digit in (0..cells.len()).map(Digit::from_index) {
                    if cells.iter().any(|&cell| grid.get(cell) == Some(digit)) {
                        continue;
                    }
                    let fits = |cell: &&Cell| self.candidates(grid, **cell).contains(&digit);
                    let places: Vec<&Cell> = cells.iter().filter(fits).collect();
                    match places[..] {
                        [] => return Err(()),
                        [&cell] => single = Some((cell, digit)),
                        _ => (),
                    }
                }
            }
            Ok(single)
        }

        fn visit(&mut self, mut grid: Grid, depth: u32) -> bool {
            self.search.nodes += 1;
            self.search.depth = self.search.depth.max(depth);
            while let Some((cell, digit)) = match self.single(&grid) {
                Ok(single) => single,
                Err(()) => return false,
            } {
                grid.set(cell, Some(digit));
            }
            let blank = self.layout.cells().filter(|&cell| grid.get(cell).is_none());
            let Some(cell) = blank.min_by_key(|&cell| self.candidates(&grid, cell).len()) else { return true };
            self.candidates(&grid, cell).into_iter().any(|digit| {
                self.search.guesses += 1;
                let mut after = grid.clone();
                after.set(cell, Some(digit));
                self.visit(after, depth + 1)
            })
        }
    }

    fn plain(puzzle: &Puzzle) -> Option<SearchCost> {
        let mut plain = Plain { layout: Layout::of(puzzle.shape()), search: SearchCost::default() };
        plain.visit(puzzle.grid().clone(), 0).then_some(plain.search)
    }

    fn rng(index: u64) -> Rng {
        Rng::new(13, index, Stage::Bench, 0)
    }

    #[test]
    fn the_numbers_are_those_of_the_definition() {
        let mut deepest = 0;
        let plain_shapes = [("2x2", 15), ("2x3", 20), ("3x2", 20), ("2x4", 25), ("3x3", 28), ("2x5", 33), ("3x4", 38)];
        let nine_by_nine_with_rules = [
            ("3x3+x", 20),
            ("3x3+windoku+x", 18),
            ("3x3+anti-knight", 18),
            ("9+jigsaw:AAAABBBBCAAAABCCCCABBBBCCCCDDDDEEEFFDDEEEEFFFDDDEGFFFFHHHEGGIIIHHHGGGIIIHHHGGGIII+x", 20),
        ];
        for (text, keep) in plain_shapes.into_iter().chain(nine_by_nine_with_rules) {
            let shape: Shape = text.parse().unwrap();
            // Boards of order 9 have positions of their own.
            for index in 0..if shape.order() == 9 { 100 } else { 25 } {
                let rng = &mut rng(index);
                let solution = general::random_fill(shape, rng, Budget::UNLIMITED).unwrap();
                let keep = keep + rng.below(15);
                let mut grid = solution.masked(|_| rng.below(100) < keep).into_grid();
                // One more digit may make the puzzle unsolvable.
                grid.set(Cell::new(rng.below(shape.cells())), Some(Digit::from_index(rng.below(shape.order()))));
                let Ok(puzzle) = Puzzle::try_from(grid) else { continue };
                match search_depth(&puzzle, Budget(300)) {
                    None if general::count(&puzzle, 1, Budget::UNLIMITED).found > 0 => {}
                    None => assert_eq!(search_depth(&puzzle, Budget::UNLIMITED), None),
                    found => {
                        assert_eq!(found, plain(&puzzle), "{puzzle:?}");
                        deepest = deepest.max(found.map_or(0, |search| search.depth));
                    }
                }
            }
        }
        assert!(deepest > 5, "{deepest}");
    }

    fn nine(line: &str) -> Puzzle {
        Puzzle::try_from(text::parse_line(line, None).unwrap()).unwrap()
    }

    /// A puzzle with 17 givens that falls to singles, and Arto Inkala's "AI Escargot", which does not.
    #[test]
    fn singles_cost_no_guess() {
        let easy = nine("000000010400000000020000000000050407008000300001090000300400200050100000000806000");
        assert_eq!(search_depth(&easy, Budget(1)), Some(SearchCost { guesses: 0, depth: 0, nodes: 1 }));
        let hard = nine("1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..");
        let search = search_depth(&hard, Budget::UNLIMITED).unwrap();
        assert_eq!(Some(search), plain(&hard));
        assert!(search.guesses > 10 && search.nodes == search.guesses + 1);
    }

    #[test]
    fn a_spent_budget_no_solution_and_a_large_board_have_no_result() {
        let hard = nine("1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..");
        let nodes = search_depth(&hard, Budget::UNLIMITED).unwrap().nodes;
        assert_eq!(search_depth(&hard, Budget(nodes)).map(|search| search.nodes), Some(nodes));
        let mut grid = hard.grid().clone();
        grid.set(Cell::new(1), Some(Digit::new(2)));
        let wrong = Puzzle::try_from(grid).unwrap();
        let blank = Puzzle::try_from(Grid::blank("2x19".parse().unwrap())).unwrap();
        for (puzzle, budget) in [(&hard, nodes - 1), (&hard, 0), (&wrong, u64::MAX), (&blank, u64::MAX)] {
            assert_eq!(search_depth(puzzle, Budget(budget)), None);
        }
    }
}
