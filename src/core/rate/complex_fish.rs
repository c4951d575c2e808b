//! Fish with fins, with boxes, with mixed lines. Size is a parameter: X-Wing 2, Swordfish 3, Jellyfish 4.
//!
//! ```text
//!           c3      c8  c9
//!   r2  . . [x] . . [x]  .     base rows 2 and 6, cover columns 3 and 8
//!   r5  . .  .  . .  -   .     r6c9 is a fin: only cells that also see it lose the digit
//!   r6  . . [x] . . [x] (x)
//! ```
//!
//! * **Finned**: lines against lines, with fins. **Sashimi**: a finned fish in which a base line has fewer than two
//!   places besides the fins, so that it would not be a fish without them.
//! * **Franken**: a box is among the base or cover houses. **Mutant**: rows and columns are on the same side, or rows
//!   (columns) are on both sides. Both exist with and without fins.
//! * **Siamese**: two fish with the same base remove different candidates and count as one.
//!
//! [`super::fish_search`] describes what a fish removes and how it is found. Basic fish without fins have a faster
//! search of their own (see [`super::fish`]). References: Sudopedia, "Finned Fish", "Sashimi Fish", "Franken Fish",
//! "Mutant Fish", "Siamese Fish".

use crate::board::{Candidates, CellSet};

use super::fish_search::{Fish, Make};
use super::sink::Sink;

/// Every finned fish with lines only, sashimi or not.
pub fn finned_fish<S: CellSet>(marks: &Candidates<S>, size: usize, sashimi: bool, sink: &mut impl Sink<S>) {
    Make::Basic.search(marks, size, &mut |fish| {
        if !fish.fins.is_empty() && fish.is_sashimi(marks) == sashimi {
            sink.eliminate(&[(fish.digit, fish.out)], || fish.pattern(marks));
        }
    });
}

/// Every Franken fish, finned or not.
pub fn franken_fish<S: CellSet>(marks: &Candidates<S>, size: usize, finned: bool, sink: &mut impl Sink<S>) {
    of_make(marks, Make::Franken, size, finned, sink);
}

/// Every mutant fish, finned or not.
pub fn mutant_fish<S: CellSet>(marks: &Candidates<S>, size: usize, finned: bool, sink: &mut impl Sink<S>) {
    of_make(marks, Make::Mutant, size, finned, sink);
}

fn of_make<S: CellSet>(marks: &Candidates<S>, make: Make, size: usize, finned: bool, sink: &mut impl Sink<S>) {
    make.search(marks, size, &mut |fish| {
        if fish.fins.is_empty() != finned {
            sink.eliminate(&[(fish.digit, fish.out)], || fish.pattern(marks));
        }
    });
}

/// Every pair of finned fish with lines only and the same base. If `sashimi` is true, at least one of the two is
/// sashimi. If it is false, at least one is not.
pub fn siamese_fish<S: CellSet>(marks: &Candidates<S>, size: usize, sashimi: bool, sink: &mut impl Sink<S>) {
    twins(marks, Make::Basic, size, |fish| fish.is_sashimi(marks) == sashimi, sink);
}

/// Every pair of finned Franken fish with the same base.
pub fn siamese_franken_fish<S: CellSet>(marks: &Candidates<S>, size: usize, sink: &mut impl Sink<S>) {
    twins(marks, Make::Franken, size, |_| true, sink);
}

/// Every pair of finned mutant fish with the same base.
pub fn siamese_mutant_fish<S: CellSet>(marks: &Candidates<S>, size: usize, sink: &mut impl Sink<S>) {
    twins(marks, Make::Mutant, size, |_| true, sink);
}

fn twins<S: CellSet>(
    marks: &Candidates<S>,
    make: Make,
    size: usize,
    fits: impl Fn(&Fish<S>) -> bool,
    sink: &mut impl Sink<S>,
) {
    let mut all: Vec<Fish<S>> = Vec::new();
    make.search(marks, size, &mut |fish| {
        if !fish.fins.is_empty() {
            all.push(fish);
        }
    });
    all.sort_unstable_by_key(|fish| (fish.digit, fish.base, fish.cover));
    all.dedup();
    for same_base in all.chunk_by(|a, b| (a.digit, a.base) == (b.digit, b.base)) {
        for (at, first) in same_base.iter().enumerate() {
            for second in &same_base[at + 1..] {
                if (fits(first) || fits(second)) && !first.out.within(second.out) && !second.out.within(first.out) {
                    sink.eliminate(&[(first.digit, first.out | second.out)], || {
                        let mut pattern = first.pattern(marks);
                        pattern.cover = super::fish_search::houses(first.cover | second.cover).collect();
                        pattern
                    });
                }
            }
        }
    }
}
