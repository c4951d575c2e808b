//! Death Blossom: a cell each of whose candidates belongs to an almost locked set that it locks.
//!
//! ```text
//!   stem 12       petal of 1: a set with 1 and z, and the stem sees all its places of 1
//!                 petal of 2: a set with 2 and z, and the stem sees all its places of 2
//! ```
//!
//! Let z be a digit that all petals have and that none of them loses. Whatever digit the stem takes, the petal of that
//! digit loses it. This petal is then locked and contains z. So cells that see all places of z in all petals lose it.
//!
//! Petals without overlap come first. Reference: Sudopedia, "Death Blossom"; HoDoKu, Almost Locked Sets: Death Blossom.

use crate::board::{Candidates, Cell, CellSet, Digit, Digits};

use crate::ladder::position::Position;
use crate::ladder::position::locked_sets::LockedSets;
use crate::ladder::words::sink::{Pattern, Sink};

/// The most petals, and so the most candidates of a stem.
const MOST_PETALS: usize = 5;

/// A stem and the petals chosen so far.
struct Flower<S> {
    stem: Cell,
    /// The petals, as indices of almost locked sets.
    petals: Vec<usize>,
    /// The cells of all petals.
    cells: S,
    /// True if two petals have a cell in common.
    overlapping: bool,
    /// The digits that all petals have, each with the places of the digit that see all its places in the petals.
    shared: Vec<(Digit, S)>,
}

/// Offers every Death Blossom: for each stem, every choice of a petal for each of its digits.
pub(crate) fn death_blossoms<S: CellSet>(position: &Position<'_, S>, sink: &mut impl Sink<S>) {
    let (marks, sets) = (position.marks, position.sets());
    for stem in marks.open().cells() {
        let digits = marks.of_cell(stem);
        if !(2..=MOST_PETALS).contains(&digits.len()) {
            continue;
        }
        let mut petals: Vec<Vec<usize>> = Vec::with_capacity(digits.len());
        for digit in digits {
            let fitting = sets.all.iter().enumerate().filter(|(number, set)| {
                set.digits.contains(digit) && !set.cells.contains(stem) && sets.seen(*number, digit).contains(stem)
            });
            petals.push(fitting.map(|(number, _)| number).collect());
        }
        if petals.iter().all(|choices| !choices.is_empty()) {
            let shared = (Digits::all(marks.order()) - digits).iter().map(|digit| (digit, marks.of_digit(digit)));
            let flower =
                Flower { stem, petals: Vec::new(), cells: S::empty(), overlapping: false, shared: shared.collect() };
            grow(sets, marks, &petals, &flower, sink);
        }
    }
}

/// Chooses a petal for the next candidate of the stem.
fn grow<S: CellSet>(
    sets: &LockedSets<S>,
    marks: &Candidates<S>,
    petals: &[Vec<usize>],
    flower: &Flower<S>,
    sink: &mut impl Sink<S>,
) {
    let Some((choices, rest)) = petals.split_first() else {
        sink.eliminate_at(u32::from(flower.overlapping), &flower.shared, || pattern(sets, marks, flower));
        return;
    };
    for &petal in choices {
        let set = &sets.all[petal];
        let mut shared = flower.shared.clone();
        shared.retain_mut(|(digit, cells)| {
            set.digits.contains(*digit) && {
                *cells = *cells & sets.seen(petal, *digit);
                !cells.is_empty()
            }
        });
        let overlapping = flower.overlapping || set.cells.meets(flower.cells);
        if !shared.is_empty() && u32::from(overlapping) <= sink.last_priority() {
            let petals = flower.petals.iter().chain([&petal]).copied().collect();
            let cells = flower.cells | set.cells;
            grow(sets, marks, rest, &Flower { stem: flower.stem, petals, cells, overlapping, shared }, sink);
        }
    }
}

/// A flower as it is shown: the stem comes first.
fn pattern<S: CellSet>(sets: &LockedSets<S>, marks: &Candidates<S>, flower: &Flower<S>) -> Pattern {
    let mut digits = marks.of_cell(flower.stem);
    let mut cells = vec![flower.stem];
    for &petal in &flower.petals {
        digits = digits | sets.all[petal].digits;
        cells.extend(sets.all[petal].cells.cells());
    }
    Pattern::of(digits, cells)
}
