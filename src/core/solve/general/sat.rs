//! The SAT solver for long searches. It gets the same questions as clauses, and learns a clause from each conflict.
//!
//! ```text
//!   candidates of a settled position   one variable each, "digit d stands in cell c"
//!   each of its words                  one clause "at least one", and one "not both" for every pair
//!   two cells a move apart             one clause "not both" for each digit
//!   a solution to be excluded          one clause "another digit in some empty cell"
//! ```
//!
//! This pays if a search meets the same dead end in many branches: questions about the last givens of a 36x36 board
//! take more than 20,000 positions, but 400 conflicts (medians). A conflict takes as long as 15 to 30 positions, and
//! making the clauses as long as 1,000. So the search starts, and the SAT solver takes over after a number of positions
//! without a solution (the gate). `reports/tried.md` has the measurements, also of two solvers that lost against
//! batsat.

use batsat::{Callbacks, ClauseKind, Lit, Solver, SolverInterface, SolverOpts, Var, lbool};

use super::position::{SearchPosition, bits};
use super::tables::Tables;
use crate::solve::{Budget, Candidate};
use crate::stop;

/// The number of positions that take as long as one conflict.
pub(super) const POSITIONS_A_CONFLICT: u64 = 20;
/// The largest number of clauses for pairs of candidates that exclude each other, at about 60 bytes each.
const MOST_PAIRS: usize = 1 << 20;
/// The SAT solver is used for at most this number of wanted solutions, because clauses exclude each that was found.
pub(super) const MOST_SOLUTIONS: u64 = 1_000;

/// The number of positions without a solution after which the SAT solver takes over: see `reports/tried.md`. If the
/// budget is less than four times this number, only the search is used.
pub(super) fn gate(order: usize, budget: Budget) -> u64 {
    let gate = match order {
        ..=16 => 20_000,
        17..=25 => 4_000,
        _ => 300,
    };
    if budget.0 / 4 < gate { u64::MAX } else { gate }
}

/// Counts conflicts and stops the solver after too many.
struct Meter {
    /// Conflicts that are still allowed.
    left: u64,
}

impl Callbacks for Meter {
    fn on_new_clause(&mut self, _: &[Lit], kind: ClauseKind) {
        if kind == ClauseKind::Learnt {
            self.left = self.left.saturating_sub(1);
        }
    }

    fn stop(&self) -> bool {
        stop::ask();
        self.left == 0
    }
}

/// A cell without a digit.
struct Blank {
    cell: usize,
    candidates: u64,
    /// The number of the variable of its first candidate. The variables of its other candidates follow.
    first: usize,
}

impl Blank {
    /// The number of the variable of a digit (from 0), if it is a candidate.
    fn variable(&self, digit: usize) -> Option<usize> {
        let below = self.candidates & ((1 << digit) - 1);
        (self.candidates >> digit & 1 == 1).then(|| self.first + below.count_ones() as usize)
    }
}

/// A fully propagated position as clauses.
pub(super) struct Sat {
    solver: Solver<Meter>,
    /// The variable of each candidate, by number.
    variables: Vec<Var>,
    /// For each cell 0 or the digit, from 1; empty cells get theirs from a solution.
    pub(super) values: Vec<u8>,
    /// The cells that are empty in the position.
    blanks: Vec<Blank>,
    /// Memory for the clause that is being made.
    clause: Vec<Lit>,
}

impl Sat {
    /// The clauses of a fully propagated position. `known` is empty or has a digit from 1 for each cell; these digits
    /// are tried first. None if there would be too many clauses.
    pub(super) fn new(tables: &Tables, position: &SearchPosition, known: &[u8]) -> Option<Sat> {
        let pairs = position.sizes.iter().map(|&size| usize::from(size) * usize::from(size) / 2);
        if pairs.sum::<usize>() > MOST_PAIRS {
            return None;
        }
        let mut sat = Sat {
            solver: Solver::new(SolverOpts::default(), Meter { left: 0 }),
            variables: Vec::new(),
            values: position.values.clone(),
            blanks: Vec::with_capacity(position.open),
            clause: Vec::new(),
        };
        sat.name_candidates(position.cells(), known);
        sat.state_words(tables, position);
        Some(sat)
    }

    /// Makes a variable for each candidate of each empty cell.
    fn name_candidates(&mut self, cells: &[u64], known: &[u8]) {
        for (cell, &candidates) in cells.iter().enumerate().filter(|&(_, &candidates)| candidates != 0) {
            self.blanks.push(Blank { cell, candidates, first: self.variables.len() });
            for digit in bits(candidates) {
                let is_known = known.get(cell).is_some_and(|&value| usize::from(value) == digit + 1);
                let preferred = if is_known { lbool::TRUE } else { lbool::UNDEF };
                self.variables.push(self.solver.new_var(preferred, true));
            }
        }
    }

    /// Adds the clauses that in each word exactly one bit is true.
    fn state_words(&mut self, tables: &Tables, position: &SearchPosition) {
        let mut blank_of = vec![0; position.cells().len()];
        self.blanks.iter().enumerate().for_each(|(index, blank)| blank_of[blank.cell] = index);
        let mut literals = Vec::new();
        if let Some(beyond) = &tables.beyond {
            self.state_moves(&beyond.moves, &blank_of);
        }
        for (word, &domain) in position.domains.iter().enumerate() {
            literals.clear();
            literals.extend(bits(domain).filter_map(|bit| {
                let Candidate { cell, digit } = tables.candidate(word, bit);
                let variable = self.blanks[blank_of[cell]].variable(digit)?;
                Some(Lit::new(self.variables[variable], true))
            }));
            if literals.is_empty() {
                continue;
            }
            self.add(literals.iter().copied());
            for (index, &second) in literals.iter().enumerate() {
                literals[..index].iter().for_each(|&first| self.add([!second, !first]));
            }
        }
    }

    /// Adds a clause "not both" for each digit of two empty cells that see each other by a move.
    fn state_moves(&mut self, moves: &[Vec<u16>], blank_of: &[usize]) {
        for index in 0..self.blanks.len() {
            let cell = self.blanks[index].cell;
            for peer in moves[cell].iter().map(|&peer| usize::from(peer)).filter(|&peer| peer < cell) {
                let peer_index = blank_of[peer];
                if self.blanks[peer_index].cell != peer {
                    continue; // The cell has its digit.
                }
                for digit in bits(self.blanks[index].candidates & self.blanks[peer_index].candidates) {
                    let variables = [index, peer_index].map(|blank| self.blanks[blank].variable(digit));
                    let literals =
                        variables.into_iter().flatten().map(|number| Lit::new(self.variables[number], false));
                    let literals: Vec<Lit> = literals.collect();
                    self.add(literals);
                }
            }
        }
    }

    /// Adds the clause "at least one of these literals is true".
    fn add(&mut self, literals: impl IntoIterator<Item = Lit>) {
        self.clause.clear();
        self.clause.extend(literals);
        self.solver.add_clause_reuse(&mut self.clause);
    }

    /// Excludes a solution. The solution may be excluded already.
    pub(super) fn forbid(&mut self, values: &[u8]) {
        let mut literals = Vec::with_capacity(self.blanks.len());
        for blank in &self.blanks {
            let Some(number) = blank.variable(usize::from(values[blank.cell]) - 1) else { return };
            literals.push(Lit::new(self.variables[number], false));
        }
        self.add(literals);
    }

    pub(super) fn forbid_last(&mut self) {
        let values = std::mem::take(&mut self.values);
        self.forbid(&values);
        self.values = values;
    }

    /// Searches for a solution, which is in `values` then, and subtracts the conflicts that it needs from `left`. False
    /// if there is none; None if the conflicts were used up.
    pub(super) fn solve(&mut self, left: &mut u64) -> Option<bool> {
        self.solver.cb_mut().left = *left;
        let result = self.solver.solve_limited(&[]);
        *left = self.solver.cb().left;
        if result != lbool::TRUE {
            return (result == lbool::FALSE).then_some(false);
        }
        for blank in &self.blanks {
            self.values[blank.cell] = 0;
            for (digit, number) in bits(blank.candidates).zip(blank.first..) {
                if self.solver.value_var(self.variables[number]) == lbool::TRUE {
                    self.values[blank.cell] = digit as u8 + 1;
                    break;
                }
            }
        }
        Some(true)
    }
}

#[cfg(test)]
mod tests {
    use super::super::givens::Givens;
    use super::*;
    use crate::board::Shape;

    /// The blank board of order 36 has 3.3 million pairs of candidates that exclude each other.
    #[test]
    fn too_many_clauses_are_refused() {
        let shape = Shape::of_order(36).unwrap();
        let tables = Tables::of(shape);
        let mut position = SearchPosition::default();
        position.start(&Givens::none(tables)).unwrap();
        assert!(Sat::new(tables, &position, &[]).is_none());
    }

    #[test]
    fn small_budgets_are_for_the_search_alone() {
        for order in [4, 9, 16, 20, 25, 30, 36] {
            let gate_of = |budget| gate(order, Budget(budget));
            assert_eq!(gate_of(1_000), u64::MAX);
            assert!(gate_of(u64::MAX) < 100_000 && gate_of(1_000_000) == gate_of(u64::MAX));
            assert!(
                (1..1_000_000).step_by(997).all(|budget| gate_of(budget) == u64::MAX || 4 * gate_of(budget) <= budget)
            );
        }
    }
}
