//! Almost locked sets that take a digit from each other: XZ rule, XY-Wing, chains.
//!
//! ```text
//!   A = 1 2 3     x = 3 goes to A or to B, not to both (a restricted common digit:
//!   B = 3 4 1     every place of it in A sees every place of it in B)
//!                 so A or B is locked without it, and z = 1 stands in A or in B
//! ```
//!
//! * **ALS-XZ**: two sets with a restricted common digit x: another common digit z is ruled out where all its places in
//!   both are seen. With a second restricted digit y (doubly linked) each set has lost exactly one of x and y: both are
//!   ruled out where all their places in A and B are seen, and every other digit where its places in one set are seen.
//! * **ALS-XY-Wing**: A and B are tied to a third set C by different digits x and y. C lacks one of them at most, so A
//!   lacks x or B lacks y: z common to A and B is ruled out as before.
//! * **ALS chain**: the same with more sets in between; neighbouring ties have different digits, z is neither the first
//!   nor the last of them.
//!
//! Sets may overlap, as long as the tying digit is not in the overlap (it would not see itself). Chains without overlap
//! of neighbours come first. Shortest chains from all ends are found at once, as in [`super::links`].
//!
//! Reference: Sudopedia, "ALS-XZ", "ALS-XY-Wing", "ALS-XY-Chain"; HoDoKu, Almost Locked Sets.

use crate::board::{Candidates, CellSet, Digit, Digits};

use super::position::Position;
use super::sink::{Pattern, Sink};
use super::ties::{Ties, has, members_of_word};

/// A chain has at most this many sets.
const MOST_SETS: usize = 12;

/// Every use of the XZ rule, singly and doubly linked.
pub fn als_xz<S: CellSet>(position: &Position<'_, S>, sink: &mut impl Sink<S>) {
    let (marks, ties) = (position.marks, position.ties());
    for a in 0..ties.sets.all.len() {
        for x in ties.sets.all[a].digits {
            for b in ties.tied(a, x).filter(|&b| b > a) {
                let turn = u32::from(ties.overlap(a, b));
                let out = common(marks, ties, a, b, Digits::only(x));
                sink.eliminate_in_turn(turn, &out, || pattern(ties, &[a, b]));
                let second = ties.sets.all[a].digits & ties.sets.all[b].digits;
                for y in second.filter(|&y| y > x && ties.ties(a, y, b)) {
                    let [of_a, of_b] = [true, false].map(|of_a| doubly_linked(marks, ties, [a, b], [x, y], of_a));
                    sink.eliminate_in_turn(turn, &united(&of_a, &of_b), || pattern(ties, &[a, b]));
                    for out in [of_a, of_b] {
                        sink.eliminate_in_turn(turn + 2, &out, || pattern(ties, &[a, b]));
                    }
                }
            }
        }
    }
}

/// What two sets rule out of which one is locked: their common digits but some.
fn common<S: CellSet>(marks: &Candidates<S>, ties: &Ties<S>, a: usize, b: usize, but: Digits) -> Vec<(Digit, S)> {
    let sets = &ties.sets;
    ((sets.all[a].digits & sets.all[b].digits) - but)
        .map(|z| (z, marks.of_digit(z) & sets.seen(a, z) & sets.seen(b, z)))
        .filter(|(_, out)| !out.is_empty())
        .collect()
}

/// What the linking digits and one of two doubly linked sets rule out.
fn doubly_linked<S: CellSet>(
    marks: &Candidates<S>,
    ties: &Ties<S>,
    [a, b]: [usize; 2],
    [x, y]: [Digit; 2],
    of_a: bool,
) -> Vec<(Digit, S)> {
    let sets = &ties.sets;
    let set = if of_a { a } else { b };
    let seen = |digit: Digit| match digit == x || digit == y {
        true => sets.seen(a, digit) & sets.seen(b, digit),
        false => sets.seen(set, digit),
    };
    let out = sets.all[set].digits.map(|digit| (digit, marks.of_digit(digit) & seen(digit)));
    out.filter(|(_, out)| !out.is_empty()).collect()
}

/// Two lists of candidates as one.
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

fn pattern<S: CellSet>(ties: &Ties<S>, path: &[usize]) -> Pattern {
    let digits = path.iter().fold(Digits::EMPTY, |all, &set| all | ties.sets.all[set].digits);
    let cells = path.iter().flat_map(|&set| ties.sets.all[set].cells.cells()).collect();
    Pattern { digits, cells, ..Pattern::default() }
}

/// Every ALS-XY-Wing.
pub fn als_xy_wings<S: CellSet>(position: &Position<'_, S>, sink: &mut impl Sink<S>) {
    chains(position, 3..=3, sink);
}

/// Every pair of ends of an ALS chain of four or more sets, by a shortest chain.
pub fn als_chains<S: CellSet>(position: &Position<'_, S>, sink: &mut impl Sink<S>) {
    chains(position, 4..=MOST_SETS, sink);
}

/// Offers what the ends of chains rule out, length by length.
fn chains<S: CellSet>(position: &Position<'_, S>, lengths: std::ops::RangeInclusive<usize>, sink: &mut impl Sink<S>) {
    let (marks, ties) = (position.marks, position.ties());
    let mut walk = Walk::new(ties, marks.order());
    for overlapping in [false, true] {
        for start in 0..ties.sets.all.len() {
            let mates = ties.mates(marks, start);
            if mates.iter().all(|&word| word == 0) {
                continue;
            }
            for first in ties.sets.all[start].digits {
                walk.begin(start, first, overlapping);
                for length in 2..=*lengths.end() {
                    let turn = 2 * length as u32 + u32::from(overlapping);
                    if turn > sink.last_turn() {
                        break;
                    }
                    walk.advance();
                    for &(end, last) in &walk.reached {
                        if lengths.contains(&length) && end > start && has(mates, end) {
                            let out = common(marks, ties, start, end, Digits::only(first) | Digits::only(last));
                            sink.eliminate_in_turn(turn, &out, || pattern(ties, &walk.path(end, last)));
                        }
                    }
                }
            }
        }
    }
}

/// Breadth-first search over (set, digit that it loses), from a set that has lost something else than `first`.
struct Walk<'a, S> {
    ties: &'a Ties<S>,
    overlapping: bool,
    start: usize,
    first: Digit,
    /// [digit][word]: the sets that were reached and lose this digit, and the start.
    known: Vec<u64>,
    /// For each (set, digit) that was reached, from which (set, digit).
    from: Vec<Option<u32>>,
    front: Vec<(usize, Digit)>,
    /// The ends of the chains of this length: set and digit that it loses.
    reached: Vec<(usize, Digit)>,
    length: usize,
}

impl<'a, S: CellSet> Walk<'a, S> {
    fn new(ties: &'a Ties<S>, order: usize) -> Walk<'a, S> {
        let (known, from) = (vec![0; order * ties.words], vec![None; ties.owner.len()]);
        let (front, reached, first) = (Vec::new(), Vec::new(), Digit::new(1));
        Walk { ties, overlapping: false, start: 0, first, known, from, front, reached, length: 1 }
    }

    fn begin(&mut self, start: usize, first: Digit, overlapping: bool) {
        (self.start, self.first, self.overlapping, self.length) = (start, first, overlapping, 1);
        self.known.fill(0);
        let of_start = self.known.iter_mut().skip(start / 64).step_by(self.ties.words);
        of_start.for_each(|word| *word = 1 << (start % 64));
        self.front.clear();
        self.reached.clear();
    }

    /// Chains that are one set longer.
    fn advance(&mut self) {
        std::mem::swap(&mut self.front, &mut self.reached);
        self.reached.clear();
        if self.length == 1 {
            self.step(self.start, Digits::only(self.first), None);
        }
        for at in 0..self.front.len() {
            let (set, lost) = self.front[at];
            let from = self.ties.at(set, lost) as u32;
            self.step(set, self.ties.sets.all[set].digits - Digits::only(lost), Some(from));
        }
        self.length += 1;
    }

    /// From a set over some of its digits.
    fn step(&mut self, set: usize, digits: Digits, from: Option<u32>) {
        let (ties, words) = (self.ties, self.ties.words);
        for digit in digits {
            let known = &mut self.known[digit.index() * words..(digit.index() + 1) * words];
            for (word, known) in known.iter_mut().enumerate() {
                let apart = if self.overlapping { u64::MAX } else { !ties.overlaps(set)[word] };
                let new = ties.row(set, digit)[word] & apart & !*known;
                *known |= new;
                for next in members_of_word(word, new) {
                    self.from[ties.at(next, digit)] = from;
                    self.reached.push((next, digit));
                }
            }
        }
    }

    fn path(&self, end: usize, last: Digit) -> Vec<usize> {
        let mut path = vec![end];
        let mut at = self.from[self.ties.at(end, last)];
        while let Some(from) = at {
            path.push(self.ties.owner[from as usize].0);
            at = self.from[from as usize];
        }
        path.push(self.start);
        path.reverse();
        path
    }
}
