//! Depth-first search over positions: the choice of the next guess, and the weights learnt from dead ends.
//!
//! ```text
//!   level 0   propagated         A guess is one candidate. It is tried in a copy of the position. If it fails, the
//!   level 1   + r3c4 = 7         candidate is removed from the position itself, which is propagated again. The next
//!   level 2   + r1c9 = 2         guess may be in any other cell.
//! ```
//!
//! The weight of a word is the number of times that it became empty. The guess is made in the word with the highest
//! weight among the words with two bits, in the latest one on a tie (Boussemart, Hemery, Lecoutre, Sais, "Boosting
//! systematic search by weighting constraints", 2004). Digging a minimal 16x16 puzzle then takes a fifth of the nodes
//! that it takes with the first word with two bits, and a fifteenth of those with the latest one. Tried and lost:
//! weights that decay, and weights for words of every size (size divided by weight).

use super::givens::Givens;
use super::position::{Contradiction, Position};
use super::tables::Tables;

/// What to do after a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    /// Look for more.
    Continue,
    Stop,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchEnd {
    /// The search is complete.
    Exhausted,
    Stopped,
    /// The budget was used up, or the gate was reached. The first position is fully propagated. It still allows every
    /// solution that was not found, and perhaps some solutions that were.
    Spent,
    /// There were too many dead ends before the first solution.
    Tired,
}

/// A candidate to try; digit from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Guess {
    pub(super) cell: usize,
    pub(super) digit: usize,
}

/// The positions from the root to where the search is, and the weights of the words.
#[derive(Clone, Debug)]
pub(super) struct Search {
    tables: &'static Tables,
    stack: Vec<Position>,
    guesses: Vec<Guess>,
    /// How often each word became empty.
    weights: Vec<u32>,
    /// Positions that may still be visited.
    budget: u64,
    /// The number of positions that may be visited without a solution.
    gate: u64,
    /// The number of positions visited since the last solution.
    idle: u64,
}

impl Search {
    /// A search of boards of one shape. It can be started many times and keeps its weights.
    pub(super) fn new(tables: &'static Tables) -> Search {
        let weights = vec![0; 4 * tables.spots.len()];
        Search {
            tables,
            stack: vec![Position::default()],
            guesses: Vec::new(),
            weights,
            budget: 0,
            gate: u64::MAX,
            idle: 0,
        }
    }

    /// Sets the number of positions that may be visited from now on (the budget), and how many of them in a row may
    /// give no solution (the gate).
    pub(super) fn allow(&mut self, budget: u64, gate: u64) {
        self.budget = budget;
        self.gate = gate;
        self.idle = 0;
    }

    /// Positions that are still allowed.
    pub(super) fn left(&self) -> u64 {
        self.budget
    }

    /// Counts a position; false if no more are allowed.
    #[inline]
    pub(super) fn visit(&mut self) -> bool {
        let may = self.budget > 0 && self.idle < self.gate;
        self.budget -= u64::from(may);
        self.idle += u64::from(may);
        may
    }

    /// The first position of some givens, before any propagation.
    pub(super) fn start(&mut self, givens: &Givens) -> Result<&mut Position, Contradiction> {
        let root = &mut self.stack[0];
        root.start(givens)?;
        Ok(root)
    }

    pub(super) fn root(&mut self) -> &mut Position {
        &mut self.stack[0]
    }

    /// Searches from the root, which must be fully propagated. `known` is empty or has a digit from 1 for each cell;
    /// these digits are tried first. `patience` is the number of dead ends allowed before the first solution.
    pub(super) fn run(&mut self, known: &[u8], mut patience: u64, mut found: impl FnMut(&[u8]) -> Then) -> SearchEnd {
        self.guesses.clear();
        loop {
            let level = self.guesses.len();
            let mut sound = false;
            if self.stack[level].open() == 0 {
                if found(self.stack[level].values()) == Then::Stop {
                    return SearchEnd::Stopped;
                }
                patience = u64::MAX;
                self.idle = 0;
            } else {
                if !self.visit() {
                    return SearchEnd::Spent;
                }
                sound = self.descend(known);
            }
            while !sound {
                let Some(guess) = self.guesses.pop() else { return SearchEnd::Exhausted };
                if patience == 0 {
                    return SearchEnd::Tired;
                }
                patience -= 1;
                if !self.visit() {
                    return SearchEnd::Spent;
                }
                let level = self.guesses.len();
                let end = self.stack[level].remove(self.tables, guess.cell, guess.digit);
                sound = self.settle(level, end);
            }
        }
    }

    /// Makes a guess in a copy of the last position; false if it leads to a contradiction.
    fn descend(&mut self, known: &[u8]) -> bool {
        let level = self.guesses.len();
        if self.stack.len() < level + 2 {
            self.stack.push(Position::default());
        }
        let (above, below) = self.stack.split_at_mut(level + 1);
        let (parent, child) = (&mut above[level], &mut below[0]);
        let guess = choose(self.tables, &self.weights, parent, known);
        self.guesses.push(guess);
        child.copy(parent);
        let end = child.place(self.tables, guess.cell, guess.digit);
        self.settle(level + 1, end)
    }

    /// Propagates after a change. After a contradiction the weight of the empty word grows.
    fn settle(&mut self, level: usize, change: Result<(), Contradiction>) -> bool {
        let position = &mut self.stack[level];
        let sound = change.and_then(|()| position.settle(self.tables)).is_ok();
        if !sound && let Some(word) = position.wiped() {
            self.weights[word] = self.weights[word].saturating_add(1);
        }
        sound
    }
}

/// The next guess at a fully propagated position with empty cells.
fn choose(tables: &Tables, weights: &[u32], position: &mut Position, known: &[u8]) -> Guess {
    let heaviest = position.pairs().iter().copied().max_by_key(|&word| weights[usize::from(word)]);
    let word = heaviest.map_or_else(|| fewest(position.sizes()), usize::from);
    let mut first = None;
    for bit in super::position::bits(position.domain(word)) {
        let (cell, digit) = tables.candidate(word, bit);
        let guess = Guess { cell, digit };
        if known.get(cell).is_some_and(|&value| usize::from(value) == digit + 1) {
            return guess;
        }
        first.get_or_insert(guess);
    }
    first.unwrap_or_else(|| unreachable!("a settled position with open cells has words with bits"))
}

/// The first of the words with the fewest bits, ignoring empty words.
fn fewest(sizes: &[u8]) -> usize {
    (0..sizes.len()).min_by_key(|&word| sizes[word].wrapping_sub(1)).unwrap_or_default()
}
