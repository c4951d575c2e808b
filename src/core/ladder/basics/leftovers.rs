//! The law of leftovers, on jigsaws: k lines side by side and the k regions that lie most in them hold the same digits.
//!
//! ```text
//!   A A A A B B B B c      Rows 1 and 2 hold every digit twice, and so do regions A and B.
//!   A A A A A B B B B      A digit that cannot be in b has both its places in A and B in the rows.
//!   . . . . . b . . .      So it is not in c.
//! ```
//!
//! All places of the digit in the regions lie on the lines. So the rest of the lines does not have it. The same holds
//! with regions and lines exchanged. The other lines and regions of the board say the same; it is told for those that
//! are fewer. Reference: Bob Harris, "Law of Leftovers" (2006).

use std::ops::RangeInclusive;

use crate::board::{Candidates, CellSet, Digits};
use crate::ladder::position::Position;
use crate::ladder::position::laws::Law;
use crate::ladder::words::sink::{Pattern, Sink};

/// Offers what the law removes, for these numbers of lines and regions.
pub(crate) fn leftovers<S: CellSet>(position: &Position<'_, S>, sizes: RangeInclusive<usize>, sink: &mut impl Sink<S>) {
    if position.marks.shape().regions().is_some() {
        let laws = position.laws();
        laws.iter().filter(|law| sizes.contains(&law.base.len())).for_each(|law| confined(position.marks, law, sink));
    }
}

/// Offers the digits whose places in the base houses all lie in the cover houses.
fn confined<S: CellSet>(marks: &Candidates<S>, law: &Law<S>, sink: &mut impl Sink<S>) {
    for digit in Digits::all(marks.order()) {
        if !(marks.of_digit(digit) | marks.placed(digit)).meets(law.leftover) {
            sink.eliminate_one(digit, marks.of_digit(digit) & law.outside, || {
                let cells = (marks.of_digit(digit) & law.in_base).cells();
                let pattern = Pattern::of(Digits::only(digit), cells).in_houses(law.base.iter().copied());
                pattern.removing_in(law.cover.iter().copied())
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::board::{Cell, Digit, House, Layout, Shape, Symmetry};
    use crate::ladder::tests::{dug, solutions};
    use crate::ladder::words::step::PlainBoard;
    use crate::ladder::{Ladder, Step, Technique, trace};
    use crate::random::{Rng, Stage};
    use crate::solve::{Budget, general};

    const LAWS: [Technique; 3] = [Technique::LawOfLeftovers2, Technique::LawOfLeftovers3, Technique::LawOfLeftovers4];

    /// Checks that all places of the digit in the base houses are in as many cover houses, and which it removes.
    fn assert_follows(step: &Step, board: &PlainBoard, shape: Shape) {
        let pattern = &step.pattern;
        let size = 2 + LAWS.iter().position(|&law| law == step.technique).unwrap();
        assert_eq!(pattern.base.len(), pattern.cover.len());
        assert!(pattern.base.len() == size || size == 4 && (4..=shape.order() / 2).contains(&pattern.base.len()));
        let digit = pattern.digits.iter().next().unwrap();
        let is_in =
            |cell: Cell, houses: &[House]| houses.iter().any(|&house| Layout::of(shape).house(house).contains(&cell));
        let is_candidate = |cell: Cell| board.candidates[cell.index()] >> digit.index() & 1 != 0;
        for cell in Layout::of(shape).cells().filter(|&cell| is_in(cell, &pattern.base)) {
            let is_place = is_candidate(cell) || board.values[cell.index()] == digit.value();
            assert!(!is_place || is_in(cell, &pattern.cover), "{}", step.words(shape));
        }
        let outside = |&cell: &Cell| is_candidate(cell) && is_in(cell, &pattern.cover) && !is_in(cell, &pattern.base);
        let out: Vec<Cell> = Layout::of(shape).cells().filter(outside).collect();
        assert_eq!(step.eliminations.iter().map(|&(cell, _)| cell).collect::<Vec<_>>(), out);
    }

    #[test]
    fn steps_follow_from_their_houses_and_each_size_is_used() {
        let mut used = [0; 3];
        for index in 0..24 {
            let mut rng = Rng::new(21, index, Stage::Bench, 0);
            let any = format!("{}+jigsaw", [9, 9, 8, 10][index as usize % 4]).parse().unwrap();
            let shape = crate::generate::jigsaw(any, Symmetry::None, 21, index).unwrap();
            let solution = general::random_fill(shape, &mut rng, Budget::UNLIMITED).unwrap();
            let puzzle = dug(&solution, shape.cells(), &mut rng);
            assert_eq!(solutions(&puzzle, 2), std::slice::from_ref(&solution));
            let (mut board, steps) = (PlainBoard::new(&puzzle), trace(&puzzle, &Ladder::default()).steps);
            for round in steps.chunk_by(|a, b| a.round == b.round) {
                for step in round {
                    let Some(law) = LAWS.iter().position(|&law| law == step.technique) else { continue };
                    assert_follows(step, &board, shape);
                    let is_true = |&(cell, digit): &(Cell, Digit)| solution.values()[cell.index()] == digit.value();
                    assert!(!step.eliminations.iter().any(is_true), "{}", step.words(shape));
                    used[law] += 1;
                }
                round.iter().for_each(|step| board.take(step));
            }
        }
        assert!(used.iter().all(|&used| used > 3), "{used:?}");
    }
}
