//! Wings: two or three cells with two or three candidates.
//!
//! ```text
//!   XY-Wing                 XYZ-Wing                W-Wing
//!   xy . xz | .             xyz . xz | .            xz ......... z .......... xz
//!   .  .  . | .             yz   -  -|               |  x has two places in  |
//!   yz .  - | .                                      x ---- this house ----- x
//! ```
//!
//! * **XY-Wing**: the pivot xy sees the pincers xz and yz. One pincer is z, so cells that see both lose z.
//! * **XYZ-Wing**: the pivot xyz sees the pincers xz and yz. One of the three is z, so cells that see all three lose z.
//! * **W-Wing**: two cells have the candidates xz, and a house has exactly two places for x, one seen by each of the
//!   two cells. If both cells were x, the house would have no x. So one is z, and cells that see both lose z.
//!
//! Reference: Sudopedia, "XY-Wing", "XYZ-Wing", "W-Wing".

use crate::board::{Candidates, Cell, CellSet, Digit, Digits, House};

use crate::ladder::position::common::ends;
use crate::ladder::words::sink::{Pattern, Sink};

/// XY-Wings, whose pivot has two candidates, or XYZ-Wings, whose pivot has three.
pub(crate) fn wings<S: CellSet>(marks: &Candidates<S>, is_xyz: bool, sink: &mut impl Sink<S>) {
    let pairs = marks.with_candidates(2);
    for pivot in if is_xyz { marks.with_candidates(3) } else { pairs }.cells() {
        let core = marks.of_cell(pivot);
        // Cells with at least one, and with at least two, of the pivot's candidates.
        let (mut once, mut twice) = (S::empty(), S::empty());
        for digit in core {
            twice = twice | (once & marks.of_digit(digit));
            once = once | marks.of_digit(digit);
        }
        // A pincer has all but one of the pivot's candidates. So two different pincers with one z have three in all.
        let mut later = pairs & marks.peers(pivot) & if is_xyz { twice } else { once - twice };
        while let Some(first) = later.first() {
            later.remove(first);
            for second in later.cells() {
                let (a, b) = (marks.of_cell(first), marks.of_cell(second));
                let z = (a & b) - if is_xyz { Digits::EMPTY } else { core };
                let (true, Some(z)) = (a != b, z.single()) else { continue };
                let both = marks.of_digit(z) & marks.peers(first) & marks.peers(second);
                let out = if is_xyz { both & marks.peers(pivot) } else { both };
                sink.eliminate_one(z, out, || Pattern::of(a | b | core, [pivot, first, second]));
            }
        }
    }
}

pub(crate) fn w_wings<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    let mut later = marks.with_candidates(2);
    while let Some(first) = later.first() {
        later.remove(first);
        let alike = marks.of_cell(first).iter().fold(later, |cells, digit| cells & marks.of_digit(digit));
        for second in alike.cells() {
            for z in marks.of_cell(first) {
                let out = marks.of_digit(z) & marks.peers(first) & marks.peers(second);
                let x = (marks.of_cell(first) - Digits::only(z)).single();
                let Some(x) = x.filter(|_| !out.is_empty()) else { continue };
                let Some((house, link)) = link(marks, x, [first, second]) else { continue };
                sink.eliminate_one(z, out, || {
                    Pattern::of(marks.of_cell(first), [first, link[0], link[1], second]).in_houses([house])
                });
            }
        }
    }
}

/// A house with exactly two places for x, one seen by each of two cells that are not in the house themselves.
fn link<S: CellSet>(marks: &Candidates<S>, x: Digit, [first, second]: [Cell; 2]) -> Option<(House, [Cell; 2])> {
    marks.with_places(x, 2).iter().find_map(|house| {
        let [a, b] = ends(marks, x, house)?;
        [[a, b], [b, a]]
            .into_iter()
            .find(|places| marks.peers(first).contains(places[0]) && marks.peers(second).contains(places[1]))
            .map(|places| (house, places))
    })
}
