//! `controlled-bias`: random deletions that are never taken back.
//!
//! ```text
//!   full grid -> delete random givens one by one -> still unique, but no given can go: a minimal puzzle
//!                                                -> ambiguous: give up, take a new grid
//! ```
//!
//! A minimal puzzle with n of N givens is reached by n! (N-n)! of the N! orders of deletion. So a uniform grid and a
//! uniform order give each minimal puzzle with a probability proportional to 1/C(N, n). There is no bias among puzzles
//! with the same number of givens, and the weight C(N, n) corrects the bias between these numbers. On 9x9 one order in
//! 257,645 succeeds (Berthier, "Unbiased Statistics of a CSP - A Controlled-Bias Generator", CISSE 2009).
//!
//! Nearly all orders fail, so a failure must be recognised fast:
//!
//! * *Many orders for one grid.* A grid gets [`DELETION_ORDERS`] orders, which share its unavoidable sets. One of the
//!   orders that succeed is drawn, and its weight is multiplied by their number S. In the plain procedure a grid would
//!   count S times, so every weighted figure has exactly the same expectation. S is 1 for all but about 1 in 80 of the
//!   grids with a success. On smaller boards a grid gets one order.
//! * *The first deletions in one question.* No minimal puzzle with more than 40 givens is known, so the order of the
//!   first 41 deletions does not matter: the cells are a random set. If they contain an unavoidable set, the order has
//!   failed. The next nine deletions can be one question too, if no puzzle on the way is minimal. This is certain if a
//!   given is a naked or hidden single for the other givens, because such a given is redundant.
//! * *Second solutions are remembered.* The cells in which a second solution differs are an unavoidable set for all
//!   later orders.

use crate::board::candidates::Sets;
use crate::board::{Cell, CellSet, House, Narrow, Shape, Solution};
use crate::dig::job::{DigError, Dug};
use crate::dig::unavoidable::plain_sets;
use crate::random::Rng;
use crate::solve::{Answer, Prover};

/// Orders of deletion for one 9x9 grid.
const DELETION_ORDERS: u64 = 4096;

/// The largest order that the plan accepts.
const LARGEST: usize = 9;

/// Deletions in the first question on 9x9: no minimal puzzle with more than 40 givens is known.
const FIRST_DELETIONS: usize = 41;

/// Number of deletions before the second question on 9x9. Nearly every order has failed by then.
const SECOND_DELETIONS: usize = 50;

/// The largest unavoidable sets that are read off the grid have this number of cells.
const READ_OFF: usize = 12;

/// Digs one solution: tries [`DELETION_ORDERS`] orders of deletion on 9x9, one order on other boards.
///
/// # Errors
/// [`DigError::Ambiguous`] if no order succeeded.
pub(super) fn dig<R: Prover<Narrow>>(solution: &Solution, prover: &mut R, rng: &mut Rng) -> Result<Dug, DigError> {
    let nine = solution.shape() == Shape::NINE;
    let orders = if nine { DELETION_ORDERS } else { 1 };
    let mut orders_of_grid = DeletionOrders::new(solution, prover);
    let (mut successes, mut chosen) = (0usize, None);
    for _ in 0..orders {
        let givens = if nine { orders_of_grid.in_leaps(rng) } else { orders_of_grid.step_by_step(Narrow(0), rng) };
        if let Some(givens) = givens {
            successes += 1;
            // So all successes are equally likely to be the one that remains.
            if rng.below(successes) == 0 {
                chosen = Some(givens);
            }
        }
    }
    let givens = chosen.ok_or(DigError::Ambiguous { orders })?;
    let cells = solution.shape().cells();
    let log_weight = log_binomial(cells, givens.len()) + libm::log(successes as f64);
    Ok(Dug { log_weight: Some(log_weight), orders, ..Dug::unique(solution, givens, Some(true)) })
}

/// The natural logarithm of the number of sets of `k` things out of `n`, the same on every machine.
pub(super) fn log_binomial(n: usize, k: usize) -> f64 {
    (1..=k.min(n - k)).map(|i| libm::log((n + 1 - i) as f64) - libm::log(i as f64)).sum()
}

struct DeletionOrders<'a, R> {
    prover: &'a mut R,
    /// Every cell of the board.
    all: u128,
    /// The number of cells of the board.
    cells: usize,
    /// Unavoidable sets that are known, small ones first.
    sets: Vec<u128>,
    /// The cells of each digit.
    places: Vec<u128>,
    /// The cells that see each cell.
    peers: Vec<u128>,
    /// The cells of each house.
    houses: Vec<u128>,
}

impl<'a, R: Prover<Narrow>> DeletionOrders<'a, R> {
    fn new(solution: &Solution, prover: &'a mut R) -> Self {
        let shape = solution.shape();
        let mut sets = Vec::with_capacity(256);
        plain_sets(solution, READ_OFF.max(shape.order() + 1), &mut |set: Narrow| sets.push(set.0));
        sets.sort_by_key(|set| set.count_ones());
        let mut places = vec![0; shape.order()];
        for (cell, &digit) in solution.values().iter().enumerate() {
            places[usize::from(digit) - 1] |= 1 << cell;
        }
        let cells = shape.cells();
        let layout = Sets::<Narrow>::of(shape);
        let houses = (0..3 * shape.order()).map(|house| layout.house(House::new(house)).0).collect();
        let peers = (0..cells).map(|cell| layout.peers(Cell::new(cell)).0).collect();
        DeletionOrders { prover, all: (1 << cells) - 1, cells, sets, places, peers, houses }
    }

    /// Tries one order, with many deletions in each of the first two questions. Returns the givens of a minimal puzzle,
    /// or None if the order failed.
    #[inline]
    fn in_leaps(&mut self, rng: &mut Rng) -> Option<Narrow> {
        let first = self.random_set(FIRST_DELETIONS, rng);
        if self.known(first).is_some() {
            return None;
        }
        let mut next = [0; SECOND_DELETIONS - FIRST_DELETIONS];
        let mut second = first;
        for cell in &mut next {
            *cell = self.random_given(second, rng);
            second |= 1 << *cell;
        }
        let Some(set) = self.known(second).or_else(|| self.ask(second)) else {
            // The puzzle is unique, so none of the larger puzzles was minimal.
            return self.step_by_step(Narrow(second), rng);
        };
        // One of the nine deletions takes the last given of the set. If the puzzle before it has a redundant given,
        // that given is redundant in all earlier puzzles too, so none of them is minimal.
        let last = next.iter().rposition(|&cell| set >> cell & 1 == 1).unwrap_or(0);
        let before = next[..last].iter().fold(first, |gone, &cell| gone | 1 << cell);
        let givens = self.all & !before;
        if self.has_naked_single(givens) || self.has_hidden_single(givens) {
            return None;
        }
        self.in_order(first, &next)
    }

    /// Continues from `gone` with deletions in this order, which together make the puzzle ambiguous.
    fn in_order(&mut self, mut gone: u128, next: &[usize]) -> Option<Narrow> {
        if self.ask(gone).is_some() {
            return None;
        }
        for &cell in next {
            if self.is_needed(gone, cell) {
                return self.minimal(gone);
            }
            gone |= 1 << cell;
        }
        None
    }

    /// Continues from `gone`, which leaves a unique puzzle, with random deletions one by one.
    fn step_by_step(&mut self, gone: Narrow, rng: &mut Rng) -> Option<Narrow> {
        let mut gone = gone.0;
        while gone != self.all {
            let cell = self.random_given(gone, rng);
            if self.is_needed(gone, cell) {
                return self.minimal(gone);
            }
            gone |= 1 << cell;
        }
        None
    }

    /// The givens that are left without the cells `gone`, if all of them are needed: then the puzzle is minimal.
    fn minimal(&mut self, gone: u128) -> Option<Narrow> {
        let givens = self.all & !gone;
        if self.has_naked_single(givens) {
            return None;
        }
        Narrow(givens).cells().all(|cell| self.is_needed(gone, cell.index())).then_some(Narrow(givens))
    }

    /// True if the puzzle without the cells `gone`, which is unique, becomes ambiguous without one more cell.
    fn is_needed(&mut self, gone: u128, cell: usize) -> bool {
        let gone = gone | 1 << cell;
        if self.known(gone).is_some() {
            return true;
        }
        match self.prover.second_without(Narrow(self.all & !gone), Cell::new(cell)) {
            Answer::None => false,
            Answer::Differs(set) => {
                self.learn(set.0);
                true
            }
            // Questions have no budget here, so this does not happen.
            Answer::Unknown => true,
        }
    }

    /// A known unavoidable set whose cells have all gone.
    #[inline]
    fn known(&self, gone: u128) -> Option<u128> {
        self.sets.iter().copied().find(|set| set & !gone == 0)
    }

    /// An unavoidable set whose cells have all gone, found by a search.
    fn ask(&mut self, gone: u128) -> Option<u128> {
        match self.prover.second(Narrow(self.all & !gone)) {
            Answer::Differs(set) => {
                self.learn(set.0);
                Some(set.0)
            }
            Answer::None | Answer::Unknown => None,
        }
    }

    /// Inserts a set by its size: small sets are hit most often, so they come first.
    fn learn(&mut self, set: u128) {
        let place = self.sets.partition_point(|smaller| smaller.count_ones() <= set.count_ones());
        self.sets.insert(place, set);
    }

    /// True if some given is the only digit that the other givens leave for its cell. Then it is redundant.
    fn has_naked_single(&self, givens: u128) -> bool {
        let mut seen = [0u128; LARGEST];
        let order = self.places.len();
        for (seen, &places) in seen.iter_mut().zip(&self.places) {
            let mut rest = places & givens;
            while rest != 0 {
                *seen |= self.peers[rest.trailing_zeros() as usize];
                rest &= rest - 1;
            }
        }
        // The cells that see all digits except their own.
        let mut after = [u128::MAX; LARGEST + 1];
        for digit in (0..order).rev() {
            after[digit] = after[digit + 1] & seen[digit];
        }
        let mut before = u128::MAX;
        (0..order).any(|digit| {
            let others = before & after[digit + 1];
            before &= seen[digit];
            self.places[digit] & givens & others != 0
        })
    }

    /// True if some given is a hidden single for the other givens: in one of its houses, they leave no other cell for
    /// its digit. Then it is redundant.
    fn has_hidden_single(&self, givens: u128) -> bool {
        self.places.iter().any(|places| {
            let same_digit = Narrow(places & givens);
            same_digit.cells().any(|cell| {
                let others = Narrow(same_digit.0 & !(1 << cell.index()));
                let seen = others.cells().fold(0, |seen, other| seen | self.peers[other.index()]);
                let open = self.all & !(givens | seen) | 1 << cell.index();
                self.houses.iter().any(|&house| house >> cell.index() & 1 == 1 && house & open == 1 << cell.index())
            })
        })
    }

    /// A uniformly random set of `size` cells: random bits, then random cells are added or removed.
    #[inline]
    fn random_set(&self, size: usize, rng: &mut Rng) -> u128 {
        let mut set = (u128::from(rng.word()) << 64 | u128::from(rng.word())) & self.all;
        let mut count = set.count_ones() as usize;
        while count < size {
            set |= 1 << self.random_given(set, rng);
            count += 1;
        }
        while count > size {
            set &= !(1 << self.random_given(self.all & !set, rng));
            count -= 1;
        }
        set
    }

    /// A uniformly random cell that is not in a set.
    #[inline]
    fn random_given(&self, gone: u128, rng: &mut Rng) -> usize {
        loop {
            let cell = rng.below(self.cells);
            if gone >> cell & 1 == 0 {
                return cell;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::board::Symmetry;
    use crate::dig::testing::{all_minimal, givens_of, grids_of_4x4, rng, solution};
    use crate::dig::{DigOptions, Plan};
    use crate::solve::{Budget, general::ProverOf, nine::Prover9};

    /// The probability of each 4x4 puzzle with n givens is 1/C(16, n). 9.6148 % of the tries succeed, with 4.496421
    /// givens on average. The weights give the true mean 4.717489 and the true number 85,632.
    #[test]
    fn on_4x4_the_probabilities_agree_with_an_enumeration() {
        let (mut chance, mut givens, mut number, mut weighted) = (0.0, 0.0, 0.0, 0.0);
        for (solution, images) in grids_of_4x4() {
            for n in all_minimal(&solution).into_iter().map(CellSet::len) {
                let share = images / 288.0 / log_binomial(16, n).exp();
                chance += share;
                givens += share * n as f64;
                number += images;
                weighted += images * n as f64;
            }
        }
        assert!((chance - 0.096_148).abs() < 1e-6 && (givens / chance - 4.496_421).abs() < 1e-6, "{chance}");
        assert!((number - 85_632.0).abs() < 1e-6 && (weighted / number - 4.717_489).abs() < 1e-6, "{number}");

        let [_, (solution, _)] = grids_of_4x4();
        let options = DigOptions::of(solution.shape());
        let mut rng = rng(4);
        let mut counts: HashMap<Narrow, f64> = HashMap::new();
        let tries = 400_000;
        for _ in 0..tries {
            if let Ok(dug) = Plan::ControlledBias.dig(&solution, Symmetry::None, &options, &mut rng) {
                assert_eq!(dug.orders, 1);
                *counts.entry(givens_of(&dug.puzzle)).or_default() += 1.0;
            }
        }
        let all = all_minimal(&solution);
        assert_eq!(all.len(), counts.len(), "every minimal puzzle comes, and no other");
        let square = |set: &Narrow| {
            let expected = f64::from(tries) / log_binomial(16, set.len()).exp();
            (counts[set] - expected).powi(2) / expected
        };
        let (chi, freedom) = (all.iter().map(square).sum::<f64>(), all.len() as f64);
        assert!((chi - freedom).abs() < 4.0 * (2.0 * freedom).sqrt(), "chi-square {chi}, {freedom} degrees");
    }

    /// Compares the fast procedure with the plain one, order by order: the same deletions have the same result.
    #[test]
    fn leaps_end_as_single_steps_do() {
        let mut rng = rng(9);
        let mut minimal_ones = 0;
        for index in 0..30 {
            let solution = solution(Shape::NINE, &mut rng);
            let mut prover = Prover9::new(&solution).unwrap();
            let mut orders = DeletionOrders::new(&solution, &mut prover);
            let mut steps = ProverOf::<Narrow>::new(&solution, Budget::UNLIMITED);
            for _ in 0..400 {
                let mut again = rng.clone();
                let first = orders.random_set(FIRST_DELETIONS, &mut again);
                let found = orders.in_leaps(&mut rng);
                // The same cells are deleted, but as the plan is defined: without known sets, and after the first
                // question one by one.
                let mut plain = DeletionOrders { sets: Vec::new(), ..DeletionOrders::new(&solution, &mut steps) };
                let expected = match plain.ask(first) {
                    Some(_) => None,
                    None => plain.step_by_step(Narrow(first), &mut again),
                };
                assert_eq!(found, expected, "{index}");
                minimal_ones += usize::from(found.is_some());
            }
        }
        assert!(minimal_ones <= 2, "{minimal_ones} of 12,000: one in 257,645 is expected");
    }

    /// An order that a known set rejects draws no further cells. So rows depend on which second solutions are found.
    #[test]
    fn the_same_second_solutions_are_found() {
        let (mut rng, mut digest) = (rng(6), 0u128);
        for _ in 0..300 {
            let solution = solution(Shape::NINE, &mut rng);
            let mut prover = Prover9::new(&solution).unwrap();
            let mut orders = DeletionOrders { sets: Vec::new(), ..DeletionOrders::new(&solution, &mut prover) };
            let gone = orders.random_set(SECOND_DELETIONS, &mut rng);
            digest = digest.wrapping_mul(31).wrapping_add(orders.ask(gone).unwrap_or(0));
        }
        assert_eq!(digest, 220_382_429_798_681_358_687_189_636_994_603_270_045);
    }

    #[test]
    fn random_sets_are_uniform_and_have_the_requested_size() {
        let solution = solution(Shape::NINE, &mut rng(1));
        let mut prover = Prover9::new(&solution).unwrap();
        let orders = DeletionOrders::new(&solution, &mut prover);
        let mut rng = rng(2);
        let mut counts = [[0u32; 81]; 81];
        for _ in 0..40_000 {
            let set = orders.random_set(FIRST_DELETIONS, &mut rng);
            assert_eq!(set.count_ones() as usize, FIRST_DELETIONS);
            let cells: Vec<usize> = Narrow(set).cells().map(Cell::index).collect();
            cells.iter().for_each(|&a| cells.iter().for_each(|&b| counts[a][b] += 1));
        }
        // One cell in 41 of 81 sets, two in 41*40 of 81*80. The limit is 5 standard deviations.
        for (a, row) in counts.iter().enumerate() {
            for (b, &count) in row.iter().enumerate() {
                let share = if a == b { 41.0 / 81.0 } else { 41.0 * 40.0 / (81.0 * 80.0) };
                let error = (f64::from(count) - 40_000.0 * share).abs() / (40_000.0 * share * (1.0 - share)).sqrt();
                assert!(error < 5.0, "{a} {b}: {error}");
            }
        }
    }

    #[test]
    fn naked_and_hidden_singles_are_redundant() {
        let mut rng = rng(3);
        let (mut seen, mut hidden) = (0, 0);
        for _ in 0..200 {
            let solution = solution(Shape::NINE, &mut rng);
            let mut prover = Prover9::new(&solution).unwrap();
            let orders = DeletionOrders::new(&solution, &mut prover);
            let givens = orders.all & !orders.random_set(48, &mut rng);
            let puzzle = solution.masked(|cell| Narrow(givens).contains(cell));
            let digits_around = |cell: Cell| {
                let others = orders.peers[cell.index()] & givens;
                let mut digits: Vec<u16> = Narrow(others).cells().map(|peer| solution.values()[peer.index()]).collect();
                digits.sort_unstable();
                digits.dedup();
                digits.len()
            };
            let slow = puzzle.grid().given_cells().any(|(cell, _)| digits_around(cell) == 8);
            assert_eq!(orders.has_naked_single(givens), slow);
            seen += usize::from(slow);
            // If one of the two tests says so, some given must be redundant.
            let mut steps = ProverOf::<Narrow>::new(&solution, Budget::UNLIMITED);
            let redundant = Narrow(givens)
                .cells()
                .any(|cell| steps.second_without(Narrow(givens & !(1 << cell.index())), cell) == Answer::None);
            assert!(redundant || !(slow || orders.has_hidden_single(givens)));
            hidden += usize::from(orders.has_hidden_single(givens));
        }
        assert!((40..190).contains(&seen) && hidden > seen, "{seen} {hidden}");
    }
}
