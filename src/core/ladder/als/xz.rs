//! Two almost locked sets that share a restricted common digit: the XZ rule.
//!
//! ```text
//!   A = 1 2 3     x = 3 is a restricted common digit: every place of it in A sees every place of it in B.
//!   B = 3 4 1     So A or B has no 3, and that set is locked.
//!                 So z = 1 is in A or in B.
//! ```
//!
//! * **ALS-XZ**: two sets have a restricted common digit x. Cells that see all places of another common digit z lose
//!   it.
//! * **Doubly linked**: the sets have a second restricted common digit y. Then each set has lost exactly one of x and
//!   y. Both digits are removed from the cells that see all their places in A and B. Every other digit is removed from
//!   the cells that see all its places in one set.
//!
//! The sets do not overlap, as in HoDoKu by default. For chains of more than two sets see [`super::als_chains`].
//!
//! Reference: Sudopedia, "ALS-XZ"; HoDoKu, Almost Locked Sets.

use crate::board::{Candidates, CellSet, Digit, Digits};

use crate::ladder::position::Position;
use crate::ladder::position::restricted_commons::{Holder, RestrictedCommons};
use crate::ladder::words::sink::{Pattern, Sink, removals};

/// Offers what two sets with one restricted common digit remove, or with two.
pub(crate) fn als_xz<S: CellSet>(position: &Position<'_, S>, sink: &mut impl Sink<S>) {
    let (marks, commons) = (position.marks, position.restricted_commons());
    let mut is_fruitless = true;
    for (state, &Holder { set: a, digit: x }) in commons.holders.iter().enumerate() {
        for partner in commons.linked(state).filter(|&partner| partner > state) {
            let b = commons.holders[partner].set;
            if !commons.are_news(a, b) {
                continue;
            }
            if commons.remove_together(state, partner) {
                let out = common(marks, commons, a, b, Digits::only(x));
                is_fruitless &= out.is_empty();
                sink.eliminate(&out, || pattern(commons, &[a, b]));
            }
            let second = commons.sets.all[a].digits & commons.sets.all[b].digits;
            for y in second.iter().filter(|&y| y > x && commons.are_linked(a, y, b)) {
                // First what both sets remove together, then what one of them does.
                let [of_a, of_b] = [true, false].map(|of_a| doubly_linked(marks, commons, [a, b], [x, y], of_a));
                is_fruitless &= of_a.is_empty() && of_b.is_empty();
                sink.eliminate(&united(&of_a, &of_b), || pattern(commons, &[a, b]));
                for out in [of_a, of_b] {
                    sink.eliminate_at(1, &out, || pattern(commons, &[a, b]));
                }
            }
        }
    }
    commons.is_fruitless.set(is_fruitless);
}

/// What two sets remove if one of them is locked: their common digits, except the digits in `but`.
pub(crate) fn common<S: CellSet>(
    marks: &Candidates<S>,
    commons: &RestrictedCommons<S>,
    a: usize,
    b: usize,
    but: Digits,
) -> Vec<(Digit, S)> {
    let sets = &commons.sets;
    removals(marks, (sets.all[a].digits & sets.all[b].digits) - but, |z| sets.seen(a, z) & sets.seen(b, z))
}

/// What the linking digits and one of two doubly linked sets remove.
fn doubly_linked<S: CellSet>(
    marks: &Candidates<S>,
    commons: &RestrictedCommons<S>,
    [a, b]: [usize; 2],
    [x, y]: [Digit; 2],
    of_a: bool,
) -> Vec<(Digit, S)> {
    let sets = &commons.sets;
    let set = if of_a { a } else { b };
    removals(marks, sets.all[set].digits, |digit| match digit == x || digit == y {
        true => sets.seen(a, digit) & sets.seen(b, digit),
        false => sets.seen(set, digit),
    })
}

/// Both lists of removals as one, digit by digit.
fn united<S: CellSet>(first: &[(Digit, S)], second: &[(Digit, S)]) -> Vec<(Digit, S)> {
    let mut removals: Vec<(Digit, S)> = first.iter().chain(second).copied().collect();
    removals.sort_unstable_by_key(|&(digit, _)| digit);
    removals.dedup_by(|later, earlier| {
        let is_same = later.0 == earlier.0;
        earlier.1 = if is_same { earlier.1 | later.1 } else { earlier.1 };
        is_same
    });
    removals
}

/// The sets of a path as they are shown.
pub(crate) fn pattern<S: CellSet>(commons: &RestrictedCommons<S>, path: &[usize]) -> Pattern {
    let (mut digits, mut cells) = (Digits::EMPTY, Vec::new());
    for &set in path {
        digits = digits | commons.sets.all[set].digits;
        cells.extend(commons.sets.all[set].cells.cells());
    }
    Pattern::of(digits, cells)
}
