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

use super::bits::{insert, members_of_word, row_mut};
use super::position::Position;
use super::restricted_commons::RestrictedCommons;
use super::sink::{Pattern, Sink, removals};

pub fn als_xz<S: CellSet>(position: &Position<'_, S>, sink: &mut impl Sink<S>) {
    let (marks, commons) = (position.marks, position.restricted_commons());
    let mut found = Vec::new();
    let mut search = PairSearch::new(commons);
    for a in 0..commons.sets.all.len() {
        found.clear();
        search.later(a, &mut found);
        found.sort_unstable();
        for &(x, b) in &found {
            let out = common(marks, commons, a, b, Digits::only(x));
            sink.eliminate(&out, || pattern(commons, &[a, b]));
            let second = commons.sets.all[a].digits & commons.sets.all[b].digits;
            for y in second.iter().filter(|&y| y > x && commons.are_linked(a, y, b)) {
                let [of_a, of_b] = [true, false].map(|of_a| doubly_linked(marks, commons, [a, b], [x, y], of_a));
                sink.eliminate(&united(&of_a, &of_b), || pattern(commons, &[a, b]));
                for out in [of_a, of_b] {
                    sink.eliminate_at(1, &out, || pattern(commons, &[a, b]));
                }
            }
        }
    }
}

/// The search for pairs of sets that may remove something.
struct PairSearch<'c, S> {
    commons: &'c RestrictedCommons<S>,
    /// [candidate][word]: the sets that remove each candidate if they have its digit.
    removing: Vec<u64>,
    of_digit: Vec<OfDigit<'c>>,
}

/// What the search knows about a digit of the first set.
struct OfDigit<'c> {
    digit: Digit,
    /// The sets that are linked by it.
    to: &'c [u64],
    /// The candidates that the first set removes if it has the digit.
    rivals: &'c [u32],
    /// A word of the sets with which the first set removes candidates of the digit.
    with: u64,
}

impl<'c, S: CellSet> PairSearch<'c, S> {
    fn new(commons: &'c RestrictedCommons<S>) -> Self {
        let words = commons.words;
        let mut removing = vec![0; commons.candidates * words];
        for set in 0..commons.sets.all.len() {
            for &candidate in (0..commons.sets.all[set].digits.len()).flat_map(|rank| commons.rivals(set, rank)) {
                insert(row_mut(&mut removing, candidate as usize, words), set);
            }
        }
        PairSearch { commons, removing, of_digit: Vec::new() }
    }

    /// Adds the later sets that are linked to a set, each with the digit, if both remove something by another common
    /// digit, or if they have two links.
    fn later(&mut self, a: usize, found: &mut Vec<(Digit, usize)>) {
        let PairSearch { commons, removing, of_digit } = self;
        let digits = commons.sets.all[a].digits.iter().enumerate();
        let new =
            |(rank, digit)| OfDigit { digit, to: commons.row(a, digit), rivals: commons.rivals(a, rank), with: 0 };
        of_digit.clear();
        of_digit.extend(digits.map(new));
        for word in a / 64..commons.words {
            let [mut remove, mut remove_two, mut linked, mut linked_twice] = [0; 4];
            for of_digit in &mut *of_digit {
                let to = of_digit.to[word];
                let row = |with, &rival: &u32| with | removing[rival as usize * commons.words + word];
                let with = of_digit.rivals.iter().fold(0, row);
                of_digit.with = with;
                (remove_two, remove) = (remove_two | (remove & with), remove | with);
                (linked_twice, linked) = (linked_twice | (linked & to), linked | to);
            }
            let after = if word == a / 64 { !1 << (a % 64) } else { u64::MAX };
            for &OfDigit { digit, to, with, .. } in &*of_digit {
                let worth = to[word] & after & ((remove & !with) | remove_two | linked_twice);
                found.extend(members_of_word(word, worth).map(|b| (digit, b)));
            }
        }
    }
}

/// What two sets remove if one of them is locked: their common digits, except the digits in `but`.
pub(super) fn common<S: CellSet>(
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

fn united<S: CellSet>(first: &[(Digit, S)], second: &[(Digit, S)]) -> Vec<(Digit, S)> {
    let mut all: Vec<(Digit, S)> = first.iter().chain(second).copied().collect();
    all.sort_unstable_by_key(|&(digit, _)| digit);
    all.dedup_by(|later, kept| {
        let same = later.0 == kept.0;
        if same {
            kept.1 = kept.1 | later.1;
        }
        same
    });
    all
}

pub(super) fn pattern<S: CellSet>(commons: &RestrictedCommons<S>, path: &[usize]) -> Pattern {
    let sets = || path.iter().map(|&set| &commons.sets.all[set]);
    Pattern::of(sets().fold(Digits::EMPTY, |all, set| all | set.digits), sets().flat_map(|set| set.cells.cells()))
}
