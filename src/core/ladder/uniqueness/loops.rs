//! Unique loops: two digits in a loop of six or more open cells, with two of its cells or none in every house.
//!
//! ```text
//!   ab  .  . | ab   .  . | .  .  .       neighbours in the loop share a house and take a and b alternately;
//!   .   .  . | ab+  .  ab| .  .  .       every house with one of the cells has one of each kind:
//!   ab  .  . | .    .  ab| .  .  .       a deadly pattern, because the two digits could be exchanged
//! ```
//!
//! The four conclusions are those of [`super::conclusions`]. Loops of four cells are rectangles (see
//! [`super::rectangles`]). The search starts from a cell with only the two digits and walks over cells that have both.
//! The cells at even places of the loop are one kind, those at odd places the other. A house contains at most one cell
//! of each kind. A loop with more than two roof cells is useful only if all of them have the same extra digit.
//!
//! Reference: Sudopedia, "Unique Loop". HoDoKu does not know this technique. Score and level are those of its
//! uniqueness tests, and the default ladder, which is HoDoKu's, leaves it out.

use crate::board::{Candidates, Cell, CellSet, Digits};

use super::conclusions::{UniquenessType, conclude};
use crate::ladder::words::sink::Sink;

const MAX_LENGTH: usize = 16;
/// A value for `to` of [`unique_loops`] that sets no limit besides that of the search.
pub(crate) const ANY_LENGTH: usize = MAX_LENGTH + 2;

/// Offers every conclusion of every type from a loop with at least `from` and fewer than `to` cells.
pub(crate) fn unique_loops<S: CellSet>(marks: &Candidates<S>, from: usize, to: usize, sink: &mut impl Sink<S>) {
    let pairs = marks.with_candidates(2);
    for start in pairs.cells() {
        let pair = marks.of_cell(start);
        let both = pair.iter().fold(marks.open(), |cells, digit| cells & marks.of_digit(digit));
        // Loops through an earlier cell that has only the pair were found from there.
        let before = S::of(both.cells().filter(|&cell| cell < start && marks.of_cell(cell) == pair));
        if (both - before).len() >= from {
            let walk = PairLoops { marks, pair, allowed: both - before, longest: to - 1 };
            walk.on(&mut vec![start], [S::only(start), S::empty()], Digits::EMPTY, &mut |ring| {
                if ring.len() >= from {
                    let base: Vec<(Cell, Digits)> = ring.iter().map(|&cell| (cell, pair)).collect();
                    UniquenessType::ALL.into_iter().for_each(|kind| conclude(marks, kind, &base, sink));
                }
            });
        }
    }
}

/// The search for loops of a pair of digits.
struct PairLoops<'a, S: 'static> {
    marks: &'a Candidates<S>,
    pair: Digits,
    /// The cells that have both digits.
    allowed: S,
    longest: usize,
}

impl<S: CellSet> PairLoops<'_, S> {
    /// Continues from the last cell of a path. `kinds` are the cells at its even and at its odd places.
    fn on(&self, path: &mut Vec<Cell>, kinds: [S; 2], extras: Digits, visit: &mut impl FnMut(&[Cell])) {
        let (first, last, next_kind) = (path[0], path[path.len() - 1], path.len() % 2);
        // The search meets each loop in both directions; one of them is enough.
        if next_kind == 0 && self.marks.peers(first).contains(last) && path[1] < last && self.is_ring(kinds) {
            visit(path);
        }
        if path.len() >= self.longest {
            return;
        }
        for cell in (self.allowed & self.marks.peers(last)).cells() {
            let same_kind = kinds[next_kind];
            let is_on_path = same_kind.contains(cell) || kinds[1 - next_kind].contains(cell);
            if is_on_path || same_kind.meets(self.marks.peers(cell)) {
                continue;
            }
            let cell_extras = self.marks.of_cell(cell) - self.pair;
            let roofs = path.iter().filter(|&&cell| self.marks.of_cell(cell) != self.pair).count();
            if !cell_extras.is_empty() && roofs >= 2 && (extras | cell_extras).len() > 1 {
                continue;
            }
            let mut longer_kinds = kinds;
            longer_kinds[next_kind].insert(cell);
            path.push(cell);
            self.on(path, longer_kinds, extras | cell_extras, visit);
            path.pop();
        }
    }

    /// True when every house of every cell has one cell of each kind.
    fn is_ring(&self, kinds: [S; 2]) -> bool {
        for (kind, other_kind) in [(kinds[0], kinds[1]), (kinds[1], kinds[0])] {
            for cell in kind.cells() {
                let mut houses = self.marks.sets().houses_of(cell);
                if houses.any(|house| (other_kind & self.marks.house(house)).len() != 1) {
                    return false;
                }
            }
        }
        true
    }
}
