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

use crate::board::{Candidates, CellSet, Digits, House, HouseKind, Shape};
use crate::ladder::words::sink::{Pattern, Sink};

/// Offers what the law removes, for these numbers of lines and regions.
pub(crate) fn leftovers<S: CellSet>(marks: &Candidates<S>, sizes: RangeInclusive<usize>, sink: &mut impl Sink<S>) {
    let shape = marks.shape();
    if shape.regions().is_none() {
        return;
    }
    for lines in
        windows(shape).into_iter().filter(|lines| sizes.contains(&lines.len().min(shape.order() - lines.len())))
    {
        if let Some([lines, regions]) = side(marks, &lines) {
            confined(marks, &regions, &lines, sink);
            confined(marks, &lines, &regions, sink);
        }
    }
}

/// Lines side by side, at least two, and at least two others. Of two windows that make up the board, only one.
fn windows(shape: Shape) -> Vec<Vec<House>> {
    let n = shape.order();
    let mut windows = Vec::new();
    for kind in [HouseKind::Row, HouseKind::Column] {
        for first in 0..n {
            for count in (2..n - 1).take_while(|count| first + count <= n) {
                let is_at_edge = first == 0 || first + count == n;
                if count * 2 < n || !is_at_edge || (count * 2 == n && first == 0) {
                    windows.push((first..first + count).map(|line| House::of(shape, kind, line)).collect());
                }
            }
        }
    }
    windows
}

/// The lines and the regions that lie most in them, or the other lines and regions if these are fewer. None if the last
/// of the regions overlaps the lines as much as the next one, so that turned boards have the same steps.
fn side<S: CellSet>(marks: &Candidates<S>, lines: &[House]) -> Option<[Vec<House>; 2]> {
    let (shape, n, count) = (marks.shape(), marks.order(), lines.len());
    let in_lines = all_of(marks, lines);
    let boxes = (0..n).map(|number| House::of(shape, HouseKind::Box, number));
    let mut overlaps: Vec<(usize, House)> =
        boxes.map(|region| ((marks.house(region) & in_lines).len(), region)).collect();
    overlaps.sort_by_key(|&(overlap, _)| std::cmp::Reverse(overlap));
    if overlaps[count - 1].0 == overlaps[count].0 {
        return None;
    }
    let mut regions: Vec<House> = overlaps.into_iter().map(|(_, region)| region).collect();
    if count * 2 <= n {
        regions.truncate(count);
        regions.sort_unstable();
        return Some([lines.to_vec(), regions]);
    }
    let kind = lines[0].kind(shape);
    let others = (0..n).map(|number| House::of(shape, kind, number)).filter(|line| !lines.contains(line));
    let mut regions = regions.split_off(count);
    regions.sort_unstable();
    Some([others.collect(), regions])
}

/// The cells of some houses.
fn all_of<S: CellSet>(marks: &Candidates<S>, houses: &[House]) -> S {
    houses.iter().fold(S::empty(), |all, &house| all | marks.house(house))
}

/// Offers the digits whose places in some houses all lie in as many others.
fn confined<S: CellSet>(marks: &Candidates<S>, base: &[House], cover: &[House], sink: &mut impl Sink<S>) {
    let (in_base, in_cover) = (all_of(marks, base), all_of(marks, cover));
    let (leftover, outside) = (in_base - in_cover, in_cover - in_base);
    for digit in Digits::all(marks.order()).iter() {
        if !(marks.of_digit(digit) | marks.placed(digit)).meets(leftover) {
            let cells = (marks.of_digit(digit) & in_base).cells();
            sink.eliminate_one(digit, marks.of_digit(digit) & outside, || {
                let pattern = Pattern::of(Digits::only(digit), cells).in_houses(base.iter().copied());
                pattern.removing_in(cover.iter().copied())
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Cell, Digit, Layout, Symmetry};
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
