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

use super::locked_sets::LockedSets;
use super::sink::{Pattern, Sink};

/// A chain has at most this many sets.
const MOST_SETS: usize = 12;

/// The ties of the sets of a position: for each set and each of its digits the sets that it ties to.
struct Ties<S> {
    sets: LockedSets<S>,
    /// Where the digits of each set begin in `to`.
    first: Vec<usize>,
    /// [set and digit]: bit set of sets.
    to: Vec<Vec<u64>>,
    /// [set and digit]: which these are.
    owner: Vec<(usize, Digit)>,
}

impl<S: CellSet> Ties<S> {
    fn new(marks: &Candidates<S>) -> Ties<S> {
        let sets = LockedSets::new(marks);
        let words = sets.all.len().div_ceil(64);
        let holders = holders(marks, &sets, words);
        let (mut first, mut to, mut owner) = (Vec::with_capacity(sets.all.len()), Vec::new(), Vec::new());
        for (at, set) in sets.all.iter().enumerate() {
            first.push(to.len());
            for digit in set.digits {
                let (with, at_cell) = &holders[digit.index()];
                let mut tied = with.clone();
                let unseen = marks.of_digit(digit) - sets.seen(at, digit);
                for cell in unseen.cells() {
                    let rank = (marks.of_digit(digit) & below(cell)).len();
                    tied.iter_mut().zip(&at_cell[rank]).for_each(|(tied, holds)| *tied &= !holds);
                }
                to.push(tied);
                owner.push((at, digit));
            }
        }
        Ties { sets, first, to, owner }
    }

    /// The number of a set with one of its digits.
    fn at(&self, set: usize, digit: Digit) -> usize {
        self.first[set] + (self.sets.all[set].digits.0 & ((1 << digit.index()) - 1)).count_ones() as usize
    }

    fn tied(&self, set: usize, digit: Digit) -> impl Iterator<Item = usize> + '_ {
        members(&self.to[self.at(set, digit)])
    }

    fn ties(&self, set: usize, digit: Digit, other: usize) -> bool {
        self.to[self.at(set, digit)][other / 64] >> (other % 64) & 1 != 0
    }

    fn overlap(&self, a: usize, b: usize) -> bool {
        self.sets.all[a].cells.meets(self.sets.all[b].cells)
    }
}

/// The cells before a cell.
fn below<S: CellSet>(cell: crate::board::Cell) -> S {
    S::of((0..cell.index()).map(crate::board::Cell::new))
}

/// For each digit the sets that have it, and those that have it in each of its places in turn.
fn holders<S: CellSet>(marks: &Candidates<S>, sets: &LockedSets<S>, words: usize) -> Vec<(Vec<u64>, Vec<Vec<u64>>)> {
    let of = |digit: Digit| {
        let mut with = vec![0; words];
        let mut at_cell = vec![vec![0; words]; marks.of_digit(digit).len()];
        for (at, set) in sets.all.iter().enumerate().filter(|(_, set)| set.digits.contains(digit)) {
            with[at / 64] |= 1 << (at % 64);
            for (place, cell) in at_cell.iter_mut().zip(marks.of_digit(digit).cells()) {
                if set.cells.contains(cell) {
                    place[at / 64] |= 1 << (at % 64);
                }
            }
        }
        (with, at_cell)
    };
    Digits::all(marks.order()).map(of).collect()
}

fn members(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(word, &bits)| {
        let mut bits = bits;
        std::iter::from_fn(move || {
            let at = (bits != 0).then(|| 64 * word + bits.trailing_zeros() as usize)?;
            bits &= bits - 1;
            Some(at)
        })
    })
}

/// Every use of the XZ rule, singly and doubly linked.
pub fn als_xz<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    let ties = Ties::new(marks);
    for a in 0..ties.sets.all.len() {
        for x in ties.sets.all[a].digits {
            for b in ties.tied(a, x).filter(|&b| b > a) {
                let turn = u32::from(ties.overlap(a, b));
                let out = common(marks, &ties, a, b, Digits::only(x));
                sink.eliminate_in_turn(turn, &out, || pattern(&ties, &[a, b]));
                let second = ties.sets.all[a].digits & ties.sets.all[b].digits;
                for y in second.filter(|&y| y > x && ties.ties(a, y, b)) {
                    let [of_a, of_b] = [true, false].map(|of_a| doubly_linked(marks, &ties, [a, b], [x, y], of_a));
                    sink.eliminate_in_turn(turn, &united(&of_a, &of_b), || pattern(&ties, &[a, b]));
                    for out in [of_a, of_b] {
                        sink.eliminate_in_turn(turn + 2, &out, || pattern(&ties, &[a, b]));
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
pub fn als_xy_wings<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    chains(marks, 3..=3, sink);
}

/// Every pair of ends of an ALS chain of four or more sets, by a shortest chain.
pub fn als_chains<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    chains(marks, 4..=MOST_SETS, sink);
}

/// Offers what the ends of chains rule out, length by length.
fn chains<S: CellSet>(marks: &Candidates<S>, lengths: std::ops::RangeInclusive<usize>, sink: &mut impl Sink<S>) {
    let ties = Ties::new(marks);
    let mates = mates(marks, &ties);
    let mut walk = Walk::new(&ties);
    for overlapping in [false, true] {
        for start in (0..ties.sets.all.len()).filter(|&start| mates[start].iter().any(|&word| word != 0)) {
            for first in ties.sets.all[start].digits {
                walk.begin(start, first, overlapping);
                for length in 2..=*lengths.end() {
                    let turn = 2 * length as u32 + u32::from(overlapping);
                    if turn > sink.last_turn() {
                        break;
                    }
                    walk.advance();
                    for &(end, last) in &walk.reached {
                        let is_mate = end > start && mates[start][end / 64] >> (end % 64) & 1 != 0;
                        if lengths.contains(&length) && is_mate {
                            let out = common(marks, &ties, start, end, Digits::only(first) | Digits::only(last));
                            sink.eliminate_in_turn(turn, &out, || pattern(&ties, &walk.path(end, last)));
                        }
                    }
                }
            }
        }
    }
}

/// For each set those with which it would rule something out if one of the two were locked.
fn mates<S: CellSet>(marks: &Candidates<S>, ties: &Ties<S>) -> Vec<Vec<u64>> {
    let count = ties.sets.all.len();
    let mut mates = vec![vec![0; count.div_ceil(64)]; count];
    for digit in Digits::all(marks.order()) {
        for cell in marks.of_digit(digit).cells() {
            let sees =
                |&set: &usize| ties.sets.all[set].digits.contains(digit) && ties.sets.seen(set, digit).contains(cell);
            let near: Vec<usize> = (0..count).filter(sees).collect();
            let mut bits = vec![0; count.div_ceil(64)];
            near.iter().for_each(|&set| bits[set / 64] |= 1 << (set % 64));
            for &set in &near {
                mates[set].iter_mut().zip(&bits).for_each(|(all, bits)| *all |= bits);
            }
        }
    }
    mates
}

/// Breadth-first search over (set, digit that it loses), from a set that has lost something else than `first`.
struct Walk<'a, S> {
    ties: &'a Ties<S>,
    overlapping: bool,
    start: usize,
    first: Digit,
    /// For each (set, digit) the walk that reached it last, and from which (set, digit) it did.
    from: Vec<(u32, Option<u32>)>,
    walk: u32,
    front: Vec<(usize, Digit)>,
    /// The ends of the chains of this length: set and digit that it loses.
    reached: Vec<(usize, Digit)>,
    length: usize,
}

impl<'a, S: CellSet> Walk<'a, S> {
    fn new(ties: &'a Ties<S>) -> Walk<'a, S> {
        let from = vec![(0, None); ties.owner.len()];
        let (front, reached, first) = (Vec::new(), Vec::new(), Digit::new(1));
        Walk { ties, overlapping: false, start: 0, first, from, walk: 0, front, reached, length: 1 }
    }

    fn begin(&mut self, start: usize, first: Digit, overlapping: bool) {
        (self.start, self.first, self.overlapping, self.length) = (start, first, overlapping, 1);
        self.walk += 1;
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
        for digit in digits {
            for next in self.ties.tied(set, digit) {
                let apart = self.overlapping || !self.ties.overlap(set, next);
                let known = &mut self.from[self.ties.at(next, digit)];
                if next != self.start && apart && known.0 != self.walk {
                    *known = (self.walk, from);
                    self.reached.push((next, digit));
                }
            }
        }
    }

    fn path(&self, end: usize, last: Digit) -> Vec<usize> {
        let mut path = vec![end];
        let mut at = self.from[self.ties.at(end, last)].1;
        while let Some(from) = at {
            path.push(self.ties.owner[from as usize].0);
            at = self.from[from as usize].1;
        }
        path.push(self.start);
        path.reverse();
        path
    }
}
