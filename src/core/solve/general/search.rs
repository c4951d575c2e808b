//! Searches for solutions depth first: chooses each guess by weights that it learns from dead ends.
//!
//! A [`SearchPosition`] consists of *words*: bit sets of the digits of a cell, or of the places of a digit in a house. To
//! *propagate* a position is to place its singles (words with one bit) until there are none. A word that becomes empty
//! is a contradiction, so the search is at a *dead end*.
//!
//! ```text
//!   level 0   propagated         A guess is one candidate. It is tried in a copy of the position. If it fails, the
//!   level 1   + r3c4 = 7         candidate is removed from the position itself, which is propagated again. The next
//!   level 2   + r1c9 = 2         guess may be in any other cell.
//! ```
//!
//! The weight of a word is the number of times that it became empty. The guess is made in the word with the highest
//! weight among the words with two bits (Boussemart, Hemery, Lecoutre, Sais, "Boosting systematic search by weighting
//! constraints", 2004). If several have this weight, it is made in the one that got two bits last. Digging a minimal
//! 16x16 puzzle then visits a fifth of the positions that it visits if guesses are made in the first word with two
//! bits, and a fifteenth of those if they are made in the last one. Tried and lost: weights that decay, and weights for
//! words of every size (size divided by weight).

use super::position::{SearchPosition, bits};
use super::tables::Tables;
use crate::solve::Candidate;
use crate::stop;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchEnd {
    /// The search is complete.
    Exhausted,
    /// The receiver of the solutions wanted no more.
    Stopped,
    /// The budget was used up, or the gate was reached (see [`Search::allow`]). The root is fully propagated. It still
    /// allows every solution that was not found, and perhaps some that were found.
    Spent,
    /// There were more dead ends before the first solution than allowed.
    Tired,
}

/// The positions from the root to where the search is, and the weights of the words.
#[derive(Clone, Debug)]
pub(super) struct Search {
    tables: &'static Tables,
    /// The root, then the position after each open guess. Further positions are memory that is used again.
    stack: Vec<SearchPosition>,
    /// The guesses that have not failed so far, in order.
    guesses: Vec<Candidate>,
    /// How often each word became empty.
    weights: Vec<u32>,
    /// Positions that may still be visited.
    pub(super) budget: u64,
    /// The number of positions in a row that may be visited without a solution.
    gate: u64,
    /// The number of positions visited since the last solution.
    idle: u64,
}

impl Search {
    /// A search of boards of one shape. It can be started many times and keeps its weights.
    pub(super) fn new(tables: &'static Tables) -> Search {
        Search {
            tables,
            stack: vec![SearchPosition::default()],
            guesses: Vec::new(),
            weights: vec![0; tables.words],
            budget: 0,
            gate: u64::MAX,
            idle: 0,
        }
    }

    /// Sets the number of positions that may be visited from now on (the budget), and how many of them in a row may
    /// give no solution (the gate).
    pub(super) fn allow(&mut self, budget: u64, gate: u64) {
        (self.budget, self.gate, self.idle) = (budget, gate, 0);
    }

    /// Counts a position; false if no more are allowed.
    #[inline]
    pub(super) fn visit(&mut self) -> bool {
        stop::ask();
        let may = self.budget > 0 && self.idle < self.gate;
        self.budget -= u64::from(may);
        self.idle += u64::from(may);
        may
    }

    /// The position from which the search starts.
    pub(super) fn root(&mut self) -> &mut SearchPosition {
        &mut self.stack[0]
    }

    /// Searches from the root, which must be fully propagated. `known` is empty, or has a digit from 1 for each cell:
    /// these digits are tried first. `patience` is the number of dead ends that are allowed before the first solution.
    /// `take` gets each solution, a digit from 1 for each cell, and returns whether to go on.
    pub(super) fn run(&mut self, known: &[u8], mut patience: u64, mut take: impl FnMut(&[u8]) -> bool) -> SearchEnd {
        self.guesses.clear();
        loop {
            let level = self.guesses.len();
            // True if the last position has no contradiction.
            let mut sound = false;
            if self.stack[level].open == 0 {
                if !take(&self.stack[level].values) {
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
                let Some(Candidate { cell, digit }) = self.guesses.pop() else { return SearchEnd::Exhausted };
                if patience == 0 {
                    return SearchEnd::Tired;
                }
                patience -= 1;
                if !self.visit() {
                    return SearchEnd::Spent;
                }
                let position = &mut self.stack[self.guesses.len()];
                let change = position.remove(self.tables, cell, digit);
                sound = position.settles(self.tables, change, &mut self.weights);
            }
        }
    }

    /// Makes a guess in a copy of the last position, and propagates. False if this leads to a contradiction.
    fn descend(&mut self, known: &[u8]) -> bool {
        let level = self.guesses.len();
        if self.stack.len() < level + 2 {
            self.stack.push(SearchPosition::default());
        }
        let (above, below) = self.stack.split_at_mut(level + 1);
        let (parent, child) = (&mut above[level], &mut below[0]);
        let guess = choose(self.tables, &self.weights, parent, known);
        self.guesses.push(guess);
        child.copy(parent);
        let change = child.place(self.tables, guess.cell, guess.digit);
        child.settles(self.tables, change, &mut self.weights)
    }
}

/// The next guess at a fully propagated position with open cells: in the heaviest word with two bits, otherwise in the
/// first word with the fewest bits. The guess is the candidate of that word that `known` has, otherwise its first one.
fn choose(tables: &Tables, weights: &[u32], position: &mut SearchPosition, known: &[u8]) -> Candidate {
    let heaviest = position.pairs().iter().copied().max_by_key(|&word| weights[usize::from(word)]);
    let sizes = &position.sizes;
    let word = match heaviest {
        Some(word) => word.into(),
        // `wrapping_sub` puts empty words last.
        None => (0..sizes.len()).min_by_key(|&word| sizes[word].wrapping_sub(1)).unwrap_or_default(),
    };
    let mut first_guess = None;
    for bit in bits(position.domains[word]) {
        let guess = tables.candidate(word, bit);
        if known.get(guess.cell).copied().map(usize::from) == Some(guess.digit + 1) {
            return guess;
        }
        first_guess = first_guess.or(Some(guess));
    }
    first_guess.unwrap_or_else(|| unreachable!("a settled position with empty cells has words with bits"))
}
