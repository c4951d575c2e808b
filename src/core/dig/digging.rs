//! The loop of digging: units (cells, or orbits of a symmetry) are tried in order. Each goes if the puzzle stays unique.
//!
//! The plain loop searches for a second solution after every unit. This loop gives the same puzzle for the same order
//! with fewer searches ("questions"):
//!
//! ```text
//!   order    a b c d e f g h i j ...            unavoidable sets known: {b d}, {c f h}
//!   guess    - - - D - - - H -                   the last of a set stays when the others go
//!   question is the puzzle without a b c e f g i unique?
//!     yes    all of them go; d and h stay, because each is the last of a set whose other cells have gone
//!     no     the cells in which the second solution differs are a new set: guess again
//! ```
//!
//! If the puzzle of a guess is unique, so is every puzzle that the plain loop meets on the way, because it has more
//! givens. And a unit that stays here also stays in the plain loop. The set of a second solution consists of cells that
//! the guess removed, so the next guess keeps the last of these cells, and no question is repeated.
//!
//! A "no" takes five to eight times as long as a "yes", because the search has to complete a second solution. So the
//! number of "no" matters most. `reports/tried.md` says what other guesses cost.

use super::unavoidable::{Demands, plain_sets};
use crate::board::{CellSet, Solution};
use crate::solve::{Answer, Prover};

/// The state of a dig.
pub(super) struct Digging<'a, S, R> {
    prover: &'a mut R,
    /// The units, in the order in which they are tried.
    pub units: Vec<S>,
    /// True if each unit is one cell.
    single: bool,
    /// The unavoidable sets that can still keep a unit.
    pub demands: Demands<S>,
    /// Further unavoidable sets, whose last unit has already stayed.
    pub spent: Vec<S>,
    /// The cells that remain.
    pub givens: S,
    /// Cells of the units that were tried and stayed: because they had to, or because the budget did not settle it.
    pub kept: S,
    /// Cells of the units that were not tried because too few givens would be left.
    pub untried: S,
    /// Cells of the units that stayed only because the budget did not settle their question.
    pub unsettled: S,
    /// The index of the first unit that was not tried.
    next: usize,
}

/// The decisions about the next units, on the assumption that all unavoidable sets are known.
struct Guess<S> {
    /// The index of the first unit after those of the guess.
    until: usize,
    /// The cells of the units that go.
    gone: S,
    /// The cells of the units that stay because of a known set.
    kept: S,
    /// The cells of the units that are not tried, because too few givens would be left.
    untried: S,
    /// The number of units that go.
    units_gone: usize,
}

impl<'a, S: CellSet, R: Prover<S>> Digging<'a, S, R> {
    /// A dig of these units in this order. Cells in no unit have already gone. The puzzle of all units is unique.
    pub(super) fn new(solution: &Solution, units: Vec<S>, prover: &'a mut R) -> Self {
        let shape = solution.shape();
        let mut demands = Demands::new(shape.cells(), &units);
        plain_sets(solution, shape.order() + 1, &mut |set| demands.insert(set));
        let givens = units.iter().fold(S::empty(), |all, &unit| all | unit);
        let [kept, untried, unsettled] = [S::empty(); 3];
        let single = units.len() == givens.len();
        Digging { prover, units, single, demands, spent: Vec::new(), givens, kept, untried, unsettled, next: 0 }
    }

    /// A second round over the units that stayed because of the budget, in the same order. `prover` answers its
    /// questions, with a larger budget.
    pub(super) fn again(self, prover: &'a mut R) -> Self {
        let unsettled = self.unsettled;
        let units: Vec<S> = self.units.into_iter().filter(|unit| unit.meets(unsettled)).collect();
        let mut demands = Demands::new(self.demands.unit_of.len(), &units);
        self.demands.sets.iter().for_each(|&set| demands.insert(set));
        Digging { prover, units, demands, kept: self.kept - unsettled, unsettled: S::empty(), next: 0, ..self }
    }

    /// Digs until every unit was tried or `floor` givens are left: first a guess in which `first_window` units go, then
    /// unit by unit. A unit with more cells than may still go is skipped.
    pub(super) fn run(&mut self, first_window: usize, floor: usize) {
        let mut window = first_window.max(1);
        while self.next < self.units.len() && (floor == 0 || self.givens.len() > floor) {
            let guess = self.guess(window, floor);
            match self.ask(&guess) {
                Answer::None => {
                    self.commit(&guess);
                    window = 1;
                }
                // The unit is the last of this set, and it stays.
                Answer::Differs(set) if window == 1 => {
                    self.spent.push(set);
                    self.keep(guess);
                }
                Answer::Differs(set) => {
                    // Any other set would not change the next guess, and the same question would be repeated for ever.
                    assert!(
                        set.meets(guess.gone) && !set.meets(self.givens - guess.gone),
                        "not a second solution: {set:?}"
                    );
                    self.demands.insert(set);
                    window = window.div_ceil(2);
                }
                // A question about fewer units may be settled.
                Answer::Unknown if window > 1 => window = (guess.units_gone / 2).max(1),
                Answer::Unknown => {
                    self.unsettled = self.unsettled | guess.gone;
                    self.keep(guess);
                }
            }
        }
    }

    /// Guesses for the next units whether they go or stay, until `window` units go.
    fn guess(&self, window: usize, floor: usize) -> Guess<S> {
        let mut guess =
            Guess { until: self.next, gone: S::empty(), kept: S::empty(), untried: S::empty(), units_gone: 0 };
        // Without a floor the cells need not be counted.
        let mut to_go = if floor == 0 { usize::MAX } else { self.givens.len().saturating_sub(floor) };
        let mut stay = self.kept | self.untried;
        while guess.until < self.units.len() && guess.units_gone < window {
            let unit = self.units[guess.until];
            if floor > 0 && unit.len() > to_go {
                guess.untried = guess.untried | unit;
                stay = stay | unit;
            } else if self.demands.hold(guess.until, stay) {
                guess.kept = guess.kept | unit;
                stay = stay | unit;
            } else {
                guess.gone = guess.gone | unit;
                guess.units_gone += 1;
                if floor > 0 {
                    to_go -= unit.len();
                }
            }
            guess.until += 1;
        }
        guess
    }

    /// The question: has the puzzle of a guess a second solution?
    fn ask(&mut self, guess: &Guess<S>) -> Answer<S> {
        let left = self.givens - guess.gone;
        match guess.gone.first() {
            None => Answer::None,
            Some(cell) if S::only(cell) == guess.gone => self.prover.second_without(left, cell),
            Some(_) => self.prover.second(left),
        }
    }

    /// Makes the decisions of a guess final.
    fn commit(&mut self, guess: &Guess<S>) {
        self.next = guess.until;
        self.givens = self.givens - guess.gone;
        self.kept = self.kept | guess.kept;
        self.untried = self.untried | guess.untried;
    }

    /// Commits a guess, but keeps the only unit that was to go. It is the last unit of the guess, so the other
    /// decisions do not depend on it.
    fn keep(&mut self, guess: Guess<S>) {
        self.commit(&Guess { gone: S::empty(), kept: guess.kept | guess.gone, ..guess });
    }

    /// Is the puzzle minimal, cell by cell? The results of the dig save questions.
    pub(super) fn is_minimal(&mut self) -> Option<bool> {
        // Of units of one cell, each that was kept was asked about. Of larger units, single cells were not.
        let asked = if self.single { self.kept } else { self.unsettled };
        let minimal = is_minimal(self.prover, self.givens, asked, &self.demands.sets);
        minimal.filter(|&minimal| !minimal || self.unsettled.is_empty())
    }
}

/// Is a unique puzzle minimal? There is no question about the givens in `asked`, whose answer the caller has, nor about
/// the only given of an unavoidable set. None if no given is redundant as far as is known, but a question is open.
pub(super) fn is_minimal<S: CellSet, R: Prover<S>>(prover: &mut R, givens: S, asked: S, sets: &[S]) -> Option<bool> {
    let mut open = givens - asked;
    if open.is_empty() {
        return Some(true);
    }
    for &set in sets {
        let hit = set & givens;
        if hit.first().is_some_and(|only| S::only(only) == hit) {
            open = open - hit;
        }
    }
    let mut unsettled = false;
    for cell in open.cells() {
        match prover.second_without(givens - S::only(cell), cell) {
            Answer::None => return Some(false),
            Answer::Differs(_) => {}
            Answer::Unknown => unsettled = true,
        }
    }
    if unsettled { None } else { Some(true) }
}

#[cfg(test)]
mod tests {
    use super::super::orbits;
    use super::super::testing::{is_minimal, is_unique, plain_loop, rng, shapes, solution, variants};
    use super::*;
    use crate::board::{Cell, Narrow, Shape, Symmetry, Wide};
    use crate::solve::Budget;
    use crate::solve::general::ProverOf;
    use crate::solve::nine::Prover9;

    /// The same order gives the same puzzle as the plain loop, puzzle by puzzle.
    fn same_as_plain<S: CellSet, R: Prover<S>>(
        shape: Shape,
        symmetry: Symmetry,
        index: u64,
        prover_of: impl Fn(&Solution) -> R,
    ) {
        let mut rng = rng(index);
        let solution = solution(shape, &mut rng);
        let units: Vec<S> = orbits::shuffled(shape, symmetry, &mut rng);
        for (window, floor) in [(1, 0), (units.len() / 2, 0), (units.len(), 0), (units.len() / 3, shape.cells() / 2)] {
            let mut prover = prover_of(&solution);
            let mut digging = Digging::new(&solution, units.clone(), &mut prover);
            digging.run(window, floor);
            let givens = digging.givens;
            assert_eq!(givens, plain_loop(&solution, &units, floor), "{shape} {symmetry} {window} {floor}");
            assert_eq!(
                digging.is_minimal(),
                Some(is_minimal(&solution, givens)),
                "{shape} {symmetry} {window} {floor}"
            );
        }
    }

    #[test]
    fn the_same_order_gives_the_same_puzzle_as_the_plain_loop() {
        for shape in shapes() {
            for symmetry in Symmetry::ALL {
                same_as_plain::<Narrow, _>(shape, symmetry, 1, |known| ProverOf::new(known, Budget::UNLIMITED));
            }
        }
        let shape = Shape::new(2, 4).unwrap();
        same_as_plain::<Wide<4>, _>(shape, Symmetry::None, 2, |known| ProverOf::new(known, Budget::UNLIMITED));
    }

    #[test]
    fn the_9x9_solver_digs_the_same_puzzles_as_the_plain_loop() {
        for index in 0..300 {
            let symmetry = if index < 60 { Symmetry::ALL[index as usize % 8] } else { Symmetry::None };
            same_as_plain(Shape::NINE, symmetry, index, |known| Prover9::new(known).unwrap());
        }
        for (index, shape) in variants(9).into_iter().filter(|shape| shape.order() == 9).enumerate() {
            for symmetry in [Symmetry::None, Symmetry::Rotate180] {
                same_as_plain(shape, symmetry, index as u64, |known| Prover9::new(known).unwrap());
            }
        }
    }

    /// Answers correctly or, at random, "unknown".
    struct Forgetful<R>(R, crate::random::Rng);

    impl<S: CellSet, R: Prover<S>> Prover<S> for Forgetful<R> {
        fn second(&mut self, givens: S) -> Answer<S> {
            if self.1.below(3) == 0 { Answer::Unknown } else { self.0.second(givens) }
        }

        fn second_without(&mut self, givens: S, cell: Cell) -> Answer<S> {
            if self.1.below(3) == 0 { Answer::Unknown } else { self.0.second_without(givens, cell) }
        }
    }

    #[test]
    fn an_unknown_answer_keeps_the_cell_and_never_proves_minimality() {
        let mut doubts = 0;
        for index in 0..30 {
            let mut rng = rng(index);
            let solution = solution(Shape::NINE, &mut rng);
            let units: Vec<Narrow> = orbits::shuffled(Shape::NINE, Symmetry::ALL[index as usize % 8], &mut rng);
            let mut prover = Forgetful(Prover9::new(&solution).unwrap(), rng);
            let mut digging = Digging::new(&solution, units.clone(), &mut prover);
            digging.run(40, 0);
            assert!(is_unique(&solution, digging.givens));
            doubts += digging.unsettled.len();
            assert!(digging.unsettled.is_empty() || digging.is_minimal() != Some(true));
            let truth = is_minimal(&solution, digging.givens);
            assert!(digging.is_minimal().is_none_or(|minimal| minimal == truth));
        }
        assert!(doubts > 30, "{doubts}");
    }
}
