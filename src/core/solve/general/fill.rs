//! Makes random full grids of every shape: randomised search, fewest candidates first.
//!
//! ```text
//!   d d d . . . . . .     The boxes on the diagonal share no row or column: their digits are drawn freely.
//!   d d d . . . . . .     Then each guess is made in a word with fewest bits (a cell, or a digit in a
//!   d d d . . . . . .     house), and its value is drawn among the bits of the word. Between guesses naked and
//!   . . . d d d . . .     hidden singles are placed.
//!   . . . d d d . . .
//!   . . . d d d . . .     At a dead end the guess is undone and eliminated. After many dead ends, or when the
//!   . . . . . . d d d     stored guesses are used up, the search restarts.
//!   . . . . . . d d d
//!   . . . . . . d d d
//! ```
//!
//! The guess is drawn from the words with two bits that became empty most often since the first start. If no word has
//! two bits, it is drawn from the words with fewest bits. Every grid can be the result, but not with equal probability.
//!
//! Tried and lost: starting with the empty board (three times as many guesses at order 9, six times as many at order
//! 25, and many more dead ends); drawing among all words with two bits (3.3 times as many positions at order 36);
//! always taking the first of them, or the latest; drawing two of them and taking the one with the higher weight.

use std::collections::VecDeque;

use super::givens::Givens;
use super::position::{SearchPosition, bits};
use super::tables::Tables;
use crate::board::{Shape, Solution};
use crate::random::Rng;
use crate::solve::{Budget, Candidate};
use crate::stop;

/// How many guesses are stored; older guesses are final. So at order 36 the search needs only a few megabytes.
const REMEMBERED: usize = 64;

/// A random full grid of any shape of order at most 36. None if the budget (positions visited, over all
/// restarts) is used up, or if the order is above 36.
pub(crate) fn random_fill(shape: Shape, rng: &mut Rng, budget: Budget) -> Option<Solution> {
    if !shape.is_solvable() {
        return None;
    }
    let mut fill = Fill::new(Tables::of(shape), budget);
    loop {
        if fill.attempt(rng)? {
            let values = fill.position.values.iter().map(|&value| value.into()).collect();
            return Some(Solution::trusted(shape, values));
        }
    }
}

struct Guess {
    before: SearchPosition,
    candidate: Candidate,
}

/// A search that makes its oldest guesses final.
struct Fill {
    tables: &'static Tables,
    /// The positions that may still be visited, over all restarts.
    budget: u64,
    position: SearchPosition,
    /// The last guesses.
    trail: VecDeque<Guess>,
    /// Positions whose memory is reused.
    spare: Vec<SearchPosition>,
    /// Words among which a guess is drawn.
    words: Vec<u16>,
    /// How often each word became empty, over all restarts.
    weights: Vec<u32>,
}

impl Fill {
    fn new(tables: &'static Tables, budget: Budget) -> Fill {
        Fill {
            tables,
            budget: budget.0,
            position: SearchPosition::default(),
            trail: VecDeque::new(),
            spare: Vec::new(),
            words: Vec::new(),
            weights: vec![0; tables.words],
        }
    }

    /// Searches once from the start. True if `position` is complete, false if stuck, None if the budget is used up.
    fn attempt(&mut self, rng: &mut Rng) -> Option<bool> {
        self.spare.extend(self.trail.drain(..).rev().map(|guess| guess.before));
        self.budget = self.budget.checked_sub(1)?;
        let start = self.position.start(&free_cells(self.tables, rng));
        let mut sound = start.and_then(|()| self.position.settle(self.tables)).is_some();
        // Dead ends that are still allowed: two for each cell.
        let mut patience = 2 * self.tables.spots.len();
        while self.position.open > 0 || !sound {
            stop::ask();
            self.budget = self.budget.checked_sub(1)?;
            if sound {
                sound = self.guess(rng);
            } else {
                let Some(guess) = self.trail.pop_back().filter(|_| patience > 0) else { return Some(false) };
                patience -= 1;
                sound = self.take_back(guess);
            }
        }
        Some(true)
    }

    /// Makes a random guess; false if it leads to a contradiction.
    fn guess(&mut self, rng: &mut Rng) -> bool {
        let candidate = self.choose(rng);
        let oldest = if self.trail.len() < REMEMBERED { None } else { self.trail.pop_front() };
        let mut before = oldest.map(|guess| guess.before).or_else(|| self.spare.pop()).unwrap_or_default();
        before.copy(&self.position);
        self.trail.push_back(Guess { before, candidate });
        let change = self.position.place(self.tables, candidate.cell, candidate.digit);
        self.position.settles(self.tables, change, &mut self.weights)
    }

    /// Goes back to the position before a guess and eliminates the guess; false if that is a contradiction.
    fn take_back(&mut self, Guess { before, candidate }: Guess) -> bool {
        self.spare.push(std::mem::replace(&mut self.position, before));
        let change = self.position.remove(self.tables, candidate.cell, candidate.digit);
        self.position.settles(self.tables, change, &mut self.weights)
    }

    /// Draws the next guess, see the header of this file.
    fn choose(&mut self, rng: &mut Rng) -> Candidate {
        self.words.clear();
        let pairs = self.position.pairs();
        if pairs.is_empty() {
            // Empty words belong to placed digits. `wrapping_sub` makes them very large.
            let sizes = &self.position.sizes;
            let least = sizes.iter().map(|size| size.wrapping_sub(1)).min();
            let words = (0..).zip(sizes).filter(|(_, size)| Some(size.wrapping_sub(1)) == least);
            self.words.extend(words.map(|(word, _)| word));
        } else {
            let heaviest = pairs.iter().map(|&word| self.weights[usize::from(word)]).max();
            let words = pairs.iter().copied();
            self.words.extend(words.filter(|&word| Some(self.weights[usize::from(word)]) == heaviest));
        }
        let word = usize::from(rng.choose(&self.words));
        let drawn = rng.below(self.position.sizes[word].into());
        self.tables.candidate(word, bits(self.position.domains[word]).nth(drawn).unwrap_or_default())
    }
}

/// Random digits in cells that take any: the boxes (0, 0), (1, 1), .. of a plain board, the first row of others.
fn free_cells(tables: &'static Tables, rng: &mut Rng) -> Givens {
    let (n, shape) = (tables.order, tables.shape);
    let mut givens = Givens::none(tables);
    let mut digits: Vec<usize> = (0..n).collect();
    if !shape.is_plain() {
        rng.shuffle(&mut digits);
        digits.iter().enumerate().for_each(|(cell, &digit)| givens.toggle(cell, digit));
        return givens;
    }
    for block in 0..shape.bands().min(shape.stacks()) {
        rng.shuffle(&mut digits);
        for (place, &digit) in digits.iter().enumerate() {
            let row = block * shape.box_rows() + place / shape.box_columns();
            let column = block * shape.box_columns() + place % shape.box_columns();
            givens.toggle(row * n + column, digit);
        }
    }
    givens
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::random::Stage;

    fn rng(index: u64) -> Rng {
        Rng::new(11, index, Stage::Bench, 0)
    }

    #[test]
    fn every_shape_is_filled() {
        for shape in Shape::all(Shape::MAX_SOLVABLE_ORDER) {
            if shape.order() <= 25 || shape.box_rows() == 2 || shape.is_square() {
                let solution = random_fill(shape, &mut rng(0), Budget::UNLIMITED).unwrap();
                assert!(Solution::try_from(solution.into_grid()).is_ok(), "{shape}");
            }
        }
    }

    #[test]
    fn all_288_grids_of_order_4_are_made() {
        let shape = Shape::of_order(4).unwrap();
        let grids: HashSet<Solution> =
            (0..5000).map(|index| random_fill(shape, &mut rng(index), Budget::UNLIMITED).unwrap()).collect();
        assert_eq!(grids.len(), 288);
    }

    #[test]
    fn the_same_generator_gives_the_same_grid_and_a_spent_budget_none() {
        for shape in ["3x3", "2x5", "4x4"].map(|text| text.parse::<Shape>().unwrap()) {
            let fill = |budget| random_fill(shape, &mut rng(3), Budget(budget));
            assert_eq!(fill(100_000), fill(200_000));
            assert!(fill(100_000).is_some());
            assert_eq!(fill(3), None);
        }
    }
}
