//! The numbers compared with those of a plain second implementation, and with those of isomorphs.

use std::rc::Rc;

use super::*;
use crate::board::{Freedom, Isomorphism, Layout, Shape};
use crate::random::{Rng, Stage};
use crate::rate::Step;
use crate::rate::depth::te_depth;
use crate::rate::tests::{puzzle, sample};
use crate::rate::{End, find_all, rate};

/// Bits of candidates of each cell, and which cells are filled.
#[derive(Clone)]
struct Plain {
    shape: Shape,
    bits: Vec<u32>,
    filled: Vec<bool>,
    houses: Rc<Vec<Vec<usize>>>,
}

impl Plain {
    fn new(puzzle: &Puzzle) -> Plain {
        let (n, cells, layout) = (puzzle.shape().order(), puzzle.shape().cells(), Layout::of(puzzle.shape()));
        let in_house = |house| move |&cell: &Cell| layout.houses_of(cell).iter().any(|of| of.index() == house);
        let houses = (0..3 * n).map(|house| layout.cells().filter(in_house(house)).map(Cell::index).collect());
        let (bits, filled) = (vec![(1 << n) - 1; cells], vec![false; cells]);
        let mut plain = Plain { shape: puzzle.shape(), bits, filled, houses: Rc::new(houses.collect()) };
        for (cell, digit) in puzzle.grid().given_cells() {
            plain.fill(cell.index(), 1 << digit.index());
        }
        plain
    }

    fn fill(&mut self, cell: usize, bit: u32) {
        self.filled[cell] = true;
        self.bits[cell] &= bit;
        for house in Rc::clone(&self.houses).iter().filter(|house| house.contains(&cell)) {
            house.iter().filter(|&&other| other != cell).for_each(|&other| self.bits[other] &= !bit);
        }
    }

    fn is_broken(&self) -> bool {
        let all = (1 << self.shape.order()) - 1;
        let lacks = |house: &Vec<usize>| house.iter().fold(0, |bits, &cell| bits | self.bits[cell]) != all;
        self.bits.contains(&0) || self.houses.iter().any(lacks)
    }

    /// Fills all singles at once and gives their number.
    fn fill_singles(&mut self) -> usize {
        let mut found = BTreeSet::new();
        for house in self.houses.iter() {
            for bit in (0..self.shape.order()).map(|digit| 1 << digit) {
                let places: Vec<usize> = house.iter().copied().filter(|&cell| self.bits[cell] & bit != 0).collect();
                found.extend(places.first().filter(|_| places.len() == 1).map(|&cell| (cell, bit)));
            }
            found.extend(house.iter().filter(|&&cell| self.bits[cell].count_ones() == 1).map(|&c| (c, self.bits[c])));
        }
        found.retain(|&(cell, _)| !self.filled[cell]);
        found.iter().for_each(|&(cell, bit)| self.fill(cell, bit));
        found.len()
    }

    /// Rounds from an assumption to a contradiction.
    fn refuted(&self, cell: usize, bit: u32) -> Option<u32> {
        let mut after = self.clone();
        after.fill(cell, bit);
        let mut rounds = 1;
        while !after.is_broken() {
            (after.fill_singles() > 0).then_some(())?;
            rounds += 1;
        }
        Some(rounds)
    }

    fn refutation(mut self) -> Option<u32> {
        let mut total = 0;
        loop {
            while self.fill_singles() > 0 {}
            if self.filled.iter().all(|&filled| filled) {
                return Some(total);
            }
            let (mut cells, mut all) = (Vec::new(), Vec::new());
            for cell in (0..self.bits.len()).filter(|&cell| !self.filled[cell]) {
                let bits = (0..self.shape.order()).map(|digit| 1 << digit).filter(|bit| self.bits[cell] & bit != 0);
                let costs: Vec<_> = bits.map(|bit| (self.refuted(cell, bit), bit)).collect();
                let refuted = costs.iter().filter_map(|&(rounds, bit)| Some((rounds?, cell, bit)));
                all.extend(refuted.clone());
                if refuted.clone().count() + 1 == costs.len() {
                    let left = costs.iter().find(|(rounds, _)| rounds.is_none()).map_or(0, |&(_, bit)| bit);
                    cells.push((refuted.map(|(rounds, ..)| rounds).sum::<u32>(), cell, left));
                }
            }
            let fills = !cells.is_empty();
            let costs = if fills { cells } else { all };
            let least = costs.iter().map(|cost| cost.0).min()?;
            total += least;
            for &(_, cell, bit) in costs.iter().filter(|cost| cost.0 == least) {
                if fills { self.fill(cell, bit) } else { self.bits[cell] &= !bit }
            }
        }
    }
}

/// The number of steps in each round, from the lists of all instances. None if the ladder does not solve the puzzle.
fn plain_rounds(puzzle: &Puzzle, ladder: &Ladder) -> Option<Vec<usize>> {
    struct Rounds<'a>(&'a Puzzle, &'a Ladder);
    impl AtWidth for Rounds<'_> {
        type Output = Option<Vec<usize>>;
        fn run<S: CellSet>(self) -> Self::Output {
            let mut marks = Candidates::<S>::new(self.0);
            let mut rounds = Vec::new();
            while !marks.open().is_empty() {
                let all: Vec<Step> = self.1.techniques().iter().flat_map(|&one| find_all(one, &marks)).collect();
                let order = |step: &Step| match step.technique.info().family {
                    Family::Singles => 0,
                    _ => step.technique.info().order,
                };
                let first = all.iter().map(order).min()?;
                let taken = all.into_iter().filter(|step| order(step) == first);
                let taken: BTreeSet<_> = taken.map(|step| (step.placements, step.eliminations)).collect();
                for (placed, out) in &taken {
                    placed.iter().for_each(|&(cell, digit)| marks.place(cell, digit));
                    out.iter().for_each(|&(cell, digit)| marks.eliminate(cell, digit));
                }
                rounds.push(taken.len());
            }
            Some(rounds)
        }
    }
    at_width(puzzle.shape(), Rounds(puzzle, ladder))
}

fn unique() -> Vec<Puzzle> {
    let is_unique = |puzzle: &Puzzle| {
        use crate::solve::{Budget, Verdict, verdict};
        puzzle.shape().order() <= 9 && matches!(verdict(puzzle, Budget::UNLIMITED), Verdict::Unique(_))
    };
    sample().into_iter().filter(is_unique).collect()
}

#[test]
fn a_plain_implementation_gives_the_same_numbers() {
    let ladder: Ladder = "singles,intersections,subsets,skyscraper,x_wing".parse().unwrap();
    let (mut finished, mut refuted) = (0, 0);
    for puzzle in unique() {
        let (found, rating) = effort(&puzzle, &ladder);
        assert_eq!(rating, rate(&puzzle, &ladder));
        assert_eq!(found.refutation, Plain::new(&puzzle).refutation(), "{puzzle:?}");
        let depth = te_depth(&puzzle).and_then(|depth| depth.te);
        assert!(puzzle.shape() != Shape::NINE || found.refutation.is_some() == (depth <= Some(1)), "{puzzle:?}");
        refuted += u32::from(found.refutation > Some(0));
        if rating.end != End::Finished {
            assert_eq!(found, Effort { refutation: found.refutation, ..Effort::default() });
            continue;
        }
        let rounds = plain_rounds(&puzzle, &ladder).unwrap();
        assert_eq!(found.rounds, Some(rounds.len() as u32), "{puzzle:?}");
        let mean = (10.0 * rounds.iter().sum::<usize>() as f64 / rounds.len() as f64).round();
        assert_eq!(found.open_tenths, Some(mean as u32));
        let singles: u32 = rating.counts[..4].iter().sum();
        let points: u32 = (0..4).map(|at| crate::rate::TECHNIQUES[at].score * rating.counts[at]).sum();
        assert_eq!(found.steps, Some(rating.counts.iter().sum::<u32>() - singles));
        assert_eq!(found.points, Some(rating.score - points));
        let mut plain = Plain::new(&puzzle);
        let by_singles: usize = std::iter::from_fn(|| Some(plain.fill_singles()).filter(|&more| more > 0)).sum();
        let share = (100.0 * by_singles as f64 / puzzle.grid().holes() as f64).round();
        assert_eq!(found.singles_percent, Some(share as u32));
        assert_eq!(found.steps == Some(0), found.wait == Some(0));
        finished += u32::from(found.steps > Some(0));
    }
    assert!(finished >= 15 && refuted >= 30, "{finished} {refuted}");
}

#[test]
fn isomorphs_have_the_same_numbers() {
    let mut rng = Rng::new(33, 0, Stage::Bench, 0);
    for puzzle in unique() {
        let numbers = effort(&puzzle, &Ladder::default()).0;
        let map = Isomorphism::random(puzzle.shape(), Freedom::ALL, &mut rng);
        let image = map.apply_to_puzzle(&puzzle);
        let turned = Isomorphism::transposition(puzzle.shape()).apply_to_puzzle(&image);
        for image in [image, turned] {
            assert_eq!(effort(&image, &Ladder::default()).0, numbers, "{puzzle:?}\n{image:?}");
        }
    }
}

/// A puzzle that needs more than singles, an easy puzzle, and a full grid.
#[test]
fn numbers_of_simple_puzzles() {
    let line = "..........5724...98....947...9..3...5..9..12...3.1.9...6....25....56.....7......6";
    let (numbers, _) = effort(&puzzle(line), &Ladder::default());
    assert!(numbers.steps > Some(0) && numbers.singles_percent < Some(100) && numbers.refutation > Some(0));
    let easy = puzzle("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79");
    let (numbers, _) = effort(&easy, &Ladder::default());
    assert_eq!((numbers.steps, numbers.points, numbers.wait, numbers.refutation), (Some(0), Some(0), Some(0), Some(0)));
    assert_eq!(numbers.singles_percent, Some(100));
    assert!(numbers.rounds < Some(20) && numbers.open_tenths > Some(20), "{numbers:?}");
    let full = puzzle("534678912672195348198342567859761423426853791713924856961537284287419635345286179");
    assert_eq!(effort(&full, &Ladder::default()).0, Effort { refutation: Some(0), ..Effort::default() });
}
