//! Unique loops: two digits in a ring of six or more open cells that meets every house twice or not at all.
//!
//! ```text
//!   ab  .  . | ab   .  . | .  .  .       neighbours in the ring share a house and take a and b in turn;
//!   .   .  . | ab+  .  ab| .  .  .       every house with one of the cells has one of each kind:
//!   ab  .  . | .    .  ab| .  .  .       a deadly pattern, the two digits could be exchanged
//! ```
//!
//! The conclusions are the four of [`super::uniqueness`]. Rings of four cells are rectangles (see
//! [`super::rectangles`]). The search walks from the first cell with just the two digits over cells that have both;
//! cells of one kind never see each other, and a house with one cell of each kind takes no other. More than two roof
//! cells are only of use when all have the same extra digit.
//!
//! Reference: Sudopedia, "Unique Loop". HoDoKu does not know it: score and level are those of its uniqueness tests, and
//! the default ladder, which is HoDoKu's, leaves it out.

use crate::board::{Candidates, Cell, CellSet, Digits};

use super::sink::Sink;
use super::uniqueness::{UniquenessType, conclude};

/// The longest ring that is searched.
const MAX_LENGTH: usize = 16;
/// The `to` of [`unique_loops`] that means: as long as rings are searched.
pub const ANY_LENGTH: usize = MAX_LENGTH + 2;

/// Every use of a ring with a number of cells from `from` to `to` (without it), in every kind of conclusion.
pub fn unique_loops<S: CellSet>(marks: &Candidates<S>, from: usize, to: usize, sink: &mut impl Sink<S>) {
    let pairs = marks.with_two();
    for start in pairs.cells() {
        let pair = marks.of_cell(start);
        let both = pair.iter().fold(marks.open(), |cells, digit| cells & marks.of_digit(digit));
        let before = S::of(both.cells().filter(|&cell| cell < start && marks.of_cell(cell) == pair));
        if (both - before).len() >= from {
            let walk = Walk { marks, pair, allowed: both - before, longest: to - 1 };
            walk.on(&mut vec![start], [S::only(start), S::empty()], Digits::EMPTY, &mut |ring| {
                if ring.len() >= from {
                    let base: Vec<(Cell, Digits)> = ring.iter().map(|&cell| (cell, pair)).collect();
                    UniquenessType::ALL.into_iter().for_each(|kind| conclude(marks, kind, &base, sink));
                }
            });
        }
    }
}

struct Walk<'a, S: 'static> {
    marks: &'a Candidates<S>,
    pair: Digits,
    allowed: S,
    longest: usize,
}

impl<S: CellSet> Walk<'_, S> {
    /// Goes on from the last cell of a path. `kinds` are the cells at even and at odd places of it.
    fn on(&self, path: &mut Vec<Cell>, kinds: [S; 2], extras: Digits, found: &mut impl FnMut(&[Cell])) {
        let (first, last, next_kind) = (path[0], path[path.len() - 1], path.len() % 2);
        // Each ring comes up in both directions; one will do.
        if next_kind == 0 && self.marks.peers(first).contains(last) && path[1] < last && self.is_ring(kinds) {
            found(path);
        }
        if path.len() >= self.longest {
            return;
        }
        for cell in (self.allowed & self.marks.peers(last)).cells() {
            let own = kinds[next_kind];
            if own.contains(cell) || kinds[1 - next_kind].contains(cell) || own.meets(self.marks.peers(cell)) {
                continue;
            }
            let new = self.marks.of_cell(cell) - self.pair;
            let roofs = path.iter().filter(|&&cell| self.marks.of_cell(cell) != self.pair).count();
            if !new.is_empty() && roofs >= 2 && (extras | new).len() > 1 {
                continue;
            }
            let mut next = kinds;
            next[next_kind].insert(cell);
            if self.is_blocked(cell, kinds[1 - next_kind]) {
                continue;
            }
            path.push(cell);
            self.on(path, next, extras | new, found);
            path.pop();
        }
    }

    /// True when a house of the cell already has two cells of the other kind, which can not both stay.
    fn is_blocked(&self, cell: Cell, others: S) -> bool {
        let houses = self.marks.sets().layout().houses_of(cell);
        houses.into_iter().any(|house| (others & self.marks.house(house)).len() > 1)
    }

    /// True when every house of every cell has one cell of each kind.
    fn is_ring(&self, kinds: [S; 2]) -> bool {
        let one_in = |kind: S, cell| {
            let houses = self.marks.sets().layout().houses_of(cell);
            houses.into_iter().all(|house| (kind & self.marks.house(house)).len() == 1)
        };
        kinds[0].cells().all(|cell| one_in(kinds[1], cell)) && kinds[1].cells().all(|cell| one_in(kinds[0], cell))
    }
}
