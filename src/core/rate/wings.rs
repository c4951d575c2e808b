//! Wings: two or three cells with two or three candidates.
//!
//! ```text
//!   XY-Wing                 XYZ-Wing                W-Wing
//!   xy . xz | .             xyz . xz | .            xz ......... z .......... xz
//!   .  .  . | .             yz   -  -|               |  x has two places in  |
//!   yz .  - | .                                      x ---- this house ----- x
//! ```
//!
//! * **XY-Wing**: the pivot xy sees the pincers xz and yz. Whatever digit the pivot takes, one pincer is z. So z is
//!   removed from the cells that see both.
//! * **XYZ-Wing**: the pivot xyz sees the pincers xz and yz. One of the three is z. So z is removed from the cells that
//!   see all three.
//! * **W-Wing**: two cells have the candidates xz, and a house has exactly two places for x, one seen by each of the
//!   two cells. If both cells were x, the house would have no x. So one of them is z, and z is removed from the cells
//!   that see both.
//!
//! Reference: Sudopedia, "XY-Wing", "XYZ-Wing", "W-Wing".

use crate::board::{Candidates, Cell, CellSet, Digit, Digits, House};

use super::single_digit::ends;
use super::sink::{Pattern, Sink};

pub fn xy_wings<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    let pairs = marks.with_two();
    for pivot in pairs.cells() {
        pincers(marks, pivot, pairs, &mut |first, second| {
            let z = (marks.of_cell(first) & marks.of_cell(second)) - marks.of_cell(pivot);
            let seen = marks.peers(first) & marks.peers(second);
            offer(marks, z, seen, [pivot, first, second], sink);
        });
    }
}

pub fn xyz_wings<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    let pairs = marks.with_two();
    for pivot in marks.with_three().cells() {
        pincers(marks, pivot, pairs, &mut |first, second| {
            let z = marks.of_cell(first) & marks.of_cell(second);
            let seen = marks.peers(first) & marks.peers(second) & marks.peers(pivot);
            offer(marks, z, seen, [pivot, first, second], sink);
        });
    }
}

/// Calls `found` with every two cells of `pairs` that the pivot sees, if each has all but one of the pivot's
/// candidates, and the three cells have three different candidates together.
fn pincers<S: CellSet>(marks: &Candidates<S>, pivot: Cell, pairs: S, found: &mut impl FnMut(Cell, Cell)) {
    let core = marks.of_cell(pivot);
    let fits = |&cell: &Cell| (marks.of_cell(cell) & core).len() == core.len() - 1;
    let near: Vec<Cell> = (pairs & marks.peers(pivot)).cells().filter(fits).collect();
    for (at, &first) in near.iter().enumerate() {
        for &second in &near[at + 1..] {
            let (a, b) = (marks.of_cell(first), marks.of_cell(second));
            if a != b && (a | b | core).len() == 3 {
                found(first, second);
            }
        }
    }
}

fn offer<S: CellSet>(marks: &Candidates<S>, z: Digits, seen: S, cells: [Cell; 3], sink: &mut impl Sink<S>) {
    let Some(digit) = z.single() else { return };
    let out = marks.of_digit(digit) & seen;
    let digits = || cells.iter().fold(Digits::EMPTY, |all, &cell| all | marks.of_cell(cell));
    sink.eliminate_one(digit, out, || Pattern::of(digits(), cells));
}

pub fn w_wings<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    let pairs: Vec<Cell> = marks.with_two().cells().collect();
    for (at, &first) in pairs.iter().enumerate() {
        for &second in pairs[at + 1..].iter().filter(|&&second| marks.of_cell(second) == marks.of_cell(first)) {
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
    marks.with_two_places(x).iter().find_map(|house| {
        let [a, b] = ends(marks, x, house)?;
        let sees = |cell: Cell, end: Cell| marks.peers(cell).contains(end);
        if sees(first, a) && sees(second, b) {
            Some((house, [a, b]))
        } else if sees(first, b) && sees(second, a) {
            Some((house, [b, a]))
        } else {
            None
        }
    })
}
