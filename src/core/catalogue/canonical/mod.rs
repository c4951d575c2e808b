//! Canonical (minlex) form of 9x9 boards: the smallest of all isomorphic boards, read as a string of 81 characters.
//!
//! Two boards are equivalent (isomorphic) if one becomes the other by transposition and by permutations of bands, of
//! rows inside bands, of stacks, of columns inside stacks, and of digits: 3,359,232 maps of cells, times 9!
//! relabellings. The smallest string ("minlex") is the same for all of them; a blank is smaller than any digit.
//!
//! ```text
//!   . . 3 | . 2 .      . . . | . . 1 ...        Rows are chosen one by one from the top. Only the
//!   ...           ->   . . . | 2 . . ...        choices with the smallest string so far are kept.
//! ```
//!
//! The number of maps of cells that reach the smallest string is the number of automorphisms: the maps that turn a
//! board into a relabelling of itself. Full grids use another algorithm than puzzles, because after relabelling all
//! their first rows are equal: see [`minlex`] and [`puzzle`].
//!
//! The minlex form is in common use in the field. Russell & Jarvis, "Mathematics of Sudoku II" (2006), count classes by
//! their automorphisms, which gives numbers to compare with.

mod form;
mod general;
mod key;
pub(super) mod puzzle;

pub use form::Canonical;
pub use key::{Without, key, keys_without};

use crate::board::maps::{Maps, TurnedBoard, upright};
use crate::board::{Puzzle, Shape};
use crate::catalogue::classes::minlex::minlex;
use form::hash;

/// The canonical form of a puzzle or of a full grid. Values above 9 count as empty. If givens contradict each other,
/// the result is an isomorphic board, but another isomorph of the puzzle may give another result.
pub fn canonical(values: &[u8; 81]) -> Canonical {
    if is_solution(values) { minlex(values).into() } else { puzzle::canonical(values) }
}

impl Canonical {
    /// The form of a puzzle; None if it is not 9x9.
    pub fn of(puzzle: &Puzzle) -> Option<Canonical> {
        puzzle.grid().nine().as_ref().map(canonical)
    }
}

/// The class of a puzzle, see [`Canonical::class`].
pub fn class_of(values: &[u8; 81]) -> u128 {
    canonical(values).class()
}

/// The class of a puzzle of any shape: see [`Canonical::class`] for 9x9. On boards with rules it is the hash of their
/// name and of the smallest board under the maps that keep all houses. The board is turned first: the eight turns of
/// its rules, such as 2x3+x and 3x2+x, or both diagonals, are one.
pub fn class(puzzle: &Puzzle) -> u128 {
    class_and_automorphisms(puzzle).0
}

/// The class of a puzzle, and the number of maps of cells that turn it into a relabelling of itself. The number is not
/// known on plain boards other than 9x9, nor if there are too many maps to follow.
pub fn class_and_automorphisms(puzzle: &Puzzle) -> (u128, Option<u32>) {
    if let Some(form) = Canonical::of(puzzle) {
        return (form.class(), Some(form.automorphisms));
    }
    if puzzle.shape().is_plain() {
        return (general::class(puzzle), None);
    }
    let TurnedBoard { shape, map } = upright(puzzle.shape());
    let values: Vec<u16> = map.iter().map(|&cell| puzzle.grid().values()[usize::from(cell)]).collect();
    let smallest = Maps::of(*shape).smallest(&values);
    // If there are too many maps on the way, which does not happen on 9x9 boards, the board itself is its form.
    let (form, maps) = smallest.map_or_else(|| (values, None), |(form, maps)| (form, Some(maps)));
    let name = shape.to_string();
    let letters =
        name.as_bytes().chunks(8).map(|part| part.iter().fold(0, |word, &letter| word << 8 | u64::from(letter)));
    let cells = form.chunks(4).map(|part| part.iter().rev().fold(0, |word, &cell| word << 16 | u64::from(cell)));
    // A board that is its own form for want of a better one has a beginning of its own.
    let start = u64::from(maps.is_none()) << 32 | name.len() as u64;
    (hash(std::iter::once(start).chain(letters).chain(cells)), maps)
}

/// True if puzzles of two boards can be isomorphic: the boards are equal, or one is the other turned over.
pub fn are_one_board(first: Shape, second: Shape) -> bool {
    match first.is_plain() && second.is_plain() {
        true => first == second || first.transposed() == second,
        false => first.order() == second.order() && upright(first).shape == upright(second).shape,
    }
}

/// True if every house has every digit.
fn is_solution(values: &[u8; 81]) -> bool {
    const ALL: u16 = 0x3fe;
    let mut columns = [0u16; 9];
    let mut whole = values.iter().all(|&value| value <= 9);
    for band in values.chunks_exact(27) {
        let mut boxes = [0u16; 3];
        for row in band.chunks_exact(9) {
            // Without `& 15` a large value would shift too far; `whole` refuses it.
            let bits: [u16; 9] = std::array::from_fn(|column| 1 << (row[column] & 15));
            columns.iter_mut().zip(bits).for_each(|(column, bit)| *column |= bit);
            let triads = [0, 3, 6].map(|start| bits[start] | bits[start + 1] | bits[start + 2]);
            boxes.iter_mut().zip(triads).for_each(|(all, triad)| *all |= triad);
            whole &= triads[0] | triads[1] | triads[2] == ALL;
        }
        whole &= boxes == [ALL; 3];
    }
    whole && columns == [ALL; 9]
}

#[cfg(test)]
mod tests;
