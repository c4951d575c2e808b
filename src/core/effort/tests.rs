//! The numbers compared with those of a plain second implementation, and with those of isomorphs.

use std::collections::BTreeSet;

use super::*;
use crate::board::Shape;
use crate::ladder::tests::{find_all, isomorphs, puzzle, sample};
use crate::ladder::words::step::PlainBoard;
use crate::ladder::{End, Step, rate};
use crate::random::{Rng, Stage};
use crate::whip::depth::te_depth;

/// A board on which singles are filled in rounds.
#[derive(Clone)]
struct Plain {
    board: PlainBoard,
    is_broken: bool,
}

impl Plain {
    fn new(puzzle: &Puzzle) -> Plain {
        Plain { board: PlainBoard::new(puzzle), is_broken: false }
    }

    fn fill(&mut self, cell: Cell, digit: Digit) {
        self.is_broken |= self.board.candidates[cell.index()] >> digit.index() & 1 == 0;
        self.board.place(cell, digit);
    }

    /// The candidates of an open cell.
    fn digits(&self, cell: Cell) -> Digits {
        Digits(self.board.candidates[cell.index()])
    }

    /// Fills all singles at once and gives their number.
    fn fill_singles(&mut self) -> usize {
        let naked = self.board.open_cells().filter_map(|cell| Some((cell, self.digits(cell).single()?)));
        let mut hidden = self.board.places();
        hidden.retain(|places| places.cells.len() == 1);
        let hidden = hidden.iter().map(|places| (places.cells[0], places.digit));
        let singles: BTreeSet<(Cell, Digit)> = naked.chain(hidden).collect();
        singles.iter().for_each(|&(cell, digit)| self.fill(cell, digit));
        singles.len()
    }

    /// Rounds from an assumption to a contradiction.
    fn refuted(&self, cell: Cell, digit: Digit) -> Option<u32> {
        let mut after = self.clone();
        after.fill(cell, digit);
        let mut rounds = 1;
        while !after.is_broken && !after.board.is_broken() {
            (after.fill_singles() > 0).then_some(())?;
            rounds += 1;
        }
        Some(rounds)
    }

    fn refutation(mut self) -> Option<u32> {
        let mut total = 0;
        loop {
            while self.fill_singles() > 0 {}
            let open: Vec<Cell> = self.board.open_cells().collect();
            if open.is_empty() {
                return Some(total);
            }
            let (mut placements, mut removals) = (Vec::new(), Vec::new());
            for cell in open {
                let (mut refuted, mut possible) = (Vec::new(), Vec::new());
                for digit in self.digits(cell) {
                    match self.refuted(cell, digit) {
                        Some(rounds) => refuted.push(Cost { rounds, cell, digit }),
                        None => possible.push(digit),
                    }
                }
                if let [digit] = possible[..] {
                    let rounds = refuted.iter().map(|cost| cost.rounds).sum();
                    placements.push(Cost { rounds, cell, digit });
                }
                removals.extend(refuted);
            }
            let fills = !placements.is_empty();
            let costs = if fills { placements } else { removals };
            let least = costs.iter().map(|cost| cost.rounds).min()?;
            total += least;
            for Cost { cell, digit, .. } in costs.into_iter().filter(|cost| cost.rounds == least) {
                match fills {
                    true => self.fill(cell, digit),
                    false => self.board.candidates[cell.index()] &= !(1 << digit.index()),
                }
            }
        }
    }
}

/// What it costs to place a digit, or to remove a candidate.
struct Cost {
    rounds: u32,
    cell: Cell,
    digit: Digit,
}

/// The number of steps in each round, from the lists of all instances. None if the ladder does not solve the puzzle.
fn plain_rounds(puzzle: &Puzzle, ladder: &Ladder) -> Option<Vec<usize>> {
    at_width!(puzzle.shape(), S => {
        let mut marks = Candidates::<S>::new(puzzle);
        let mut rounds = Vec::new();
        while !marks.open().is_empty() {
            let techniques = ladder.techniques().iter();
            let all: Vec<Step> = techniques.flat_map(|&technique| find_all(technique, &marks)).collect();
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
    })
}

fn unique() -> Vec<Puzzle> {
    let is_unique = |puzzle: &Puzzle| {
        puzzle.shape().order() <= 9 && matches!(verdict(puzzle, Budget::UNLIMITED), Verdict::Unique(_))
    };
    sample().into_iter().filter(is_unique).collect()
}

#[test]
fn a_plain_implementation_gives_the_same_numbers() {
    let ladder: Ladder = "singles,intersections,subsets,skyscraper,x_wing".parse().unwrap();
    let (mut finished, mut refuted) = (0, 0);
    for puzzle in unique() {
        let (numbers, rating) = effort(&puzzle, &ladder);
        assert_eq!(rating, rate(&puzzle, &ladder));
        assert_eq!(numbers.refutation, Plain::new(&puzzle).refutation(), "{puzzle:?}");
        let depth = te_depth(&puzzle).and_then(|depth| depth.te);
        assert!(puzzle.shape() != Shape::NINE || numbers.refutation.is_some() == (depth <= Some(1)), "{puzzle:?}");
        refuted += u32::from(numbers.refutation > Some(0));
        if rating.end != End::Finished {
            assert_eq!(numbers, Effort { refutation: numbers.refutation, ..Effort::default() });
            continue;
        }
        let rounds = plain_rounds(&puzzle, &ladder).unwrap();
        assert_eq!(numbers.rounds, Some(rounds.len() as u32), "{puzzle:?}");
        let mean = (10.0 * rounds.iter().sum::<usize>() as f64 / rounds.len() as f64).round();
        assert_eq!(numbers.open_tenths, Some(mean as u32));
        // The first four techniques are the singles.
        let singles: u32 = rating.counts[..4].iter().sum();
        let points = crate::ladder::TECHNIQUES[..4].iter().zip(rating.counts).map(|(info, count)| info.score * count);
        assert_eq!(numbers.steps, Some(rating.counts.iter().sum::<u32>() - singles));
        assert_eq!(numbers.points, Some(rating.score - points.sum::<u32>()));
        let mut plain = Plain::new(&puzzle);
        let by_singles: usize = std::iter::from_fn(|| Some(plain.fill_singles()).filter(|&more| more > 0)).sum();
        let share = (100.0 * by_singles as f64 / puzzle.grid().holes() as f64).round();
        assert_eq!(numbers.singles_percent, Some(share as u32));
        assert_eq!(numbers.steps == Some(0), numbers.wait == Some(0));
        finished += u32::from(numbers.steps > Some(0));
    }
    assert!(finished >= 15 && refuted >= 30, "{finished} {refuted}");
}

#[test]
fn isomorphs_have_the_same_numbers() {
    let mut rng = Rng::new(33, 0, Stage::Bench, 0);
    for puzzle in unique() {
        let numbers = effort(&puzzle, &Ladder::default()).0;
        for image in isomorphs(&puzzle, &mut rng) {
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
