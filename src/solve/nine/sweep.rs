//! The rules, applied to all digits, bands and stacks at once.
//!
//! One sweep asks four things of the whole board, without a branch:
//!
//! 1. a cell with one candidate takes it from the rest of its row;
//! 2. in each band, each digit goes into three rows and three boxes, one each: of the nine crossings of a row and a
//!    box only those stay that are part of one of the six ways to do that;
//! 3. in each stack the same with columns and boxes;
//! 4. a digit with one place in a row takes that cell from the other digits.
//!
//! ```text
//!   band of one digit    crossings     ways    what stays
//!   x..|.x.|...          x x .         x..     x . .      row 2 must use box 1 or 3,
//!   ...|.x.|xx.          . x x         .x.     . x .      here only one way is left
//!   ..x|...|x.x          x . x  ->     ..x  -> . . x  ...
//! ```
//!
//! Steps 2 and 3 hold every locked candidate, and step 1 reaches columns and boxes through them; so all
//! singles, naked and hidden, and all locked candidates are found, usually after five to ten sweeps. Crossings of three digits
//! share a word (9 bits each), which makes the six ways a third as dear.
//!
//! Tried and lost: dirty marks for words and tables of 512 entries, one word at a time. Less work, but each step waits
//! for a load and a branch; the plain sweep of all 27 words is about 450 vector operations without either.

use super::lanes::Lanes;
use super::words::{CELLS, FULL, GUARDS, LOW};

/// The crossings of rows and boxes, at the first cell of each.
const CROSSINGS: u32 = LOW * 0o111;
/// First cells of the rows of a box, by column.
const FIRST_COLUMNS: u32 = LOW * 0o111;
/// Columns in the packed words of step 3: nine columns of one digit, ten bits a digit.
const COLUMNS: u32 = 0x1ff;

/// What a sweep left, one bit a lane.
pub(super) struct Signs {
    /// Lanes in which no cell and no row has run out of candidates.
    pub(super) alive: u32,
    /// Lanes that the sweep did not change.
    pub(super) still: u32,
    /// Lanes in which each row has one place for each digit and each cell one digit.
    pub(super) solved: u32,
}

/// (mask & a) | (other bits of b)
#[inline(always)]
fn select<L: Lanes>(mask: u32, a: L, b: L) -> L {
    let mask = L::splat(mask);
    a.and(mask).or(b.without(mask))
}

/// Step 1. Returns the cells that have a candidate.
#[inline(always)]
fn place_cells<L: Lanes>(words: &mut [L; 9]) -> L {
    let mut once = words[0];
    let mut twice = L::splat(GUARDS);
    for word in &words[1..] {
        twice = twice.or(once.and(*word));
        once = once.or(*word);
    }
    for word in words {
        let single = word.without(twice);
        // The guard of a row stays where there is a single; two singles in a row: the second one goes, its cell dies.
        let below = single.or(L::splat(GUARDS)).minus(L::splat(LOW));
        let rows = below.and(L::splat(GUARDS));
        let whole = rows.minus(rows.right::<9>());
        *word = word.without(whole.without(single.without(below)));
    }
    once
}

/// The part of nine crossings, three digits in a word, that is in one of the six ways. `first` and `second` are the
/// crossings with their rows (or bands) moved by one and by two; the box (or column) is moved here, inside groups
/// of three that are `STEP` bits apart.
#[inline(always)]
fn ways<L: Lanes, const STEP: i32, const BACK: i32>(crossings: L, first: L, second: L, ends: [u32; 2]) -> L {
    let turn = |word: L| select(ends[0], word.left::<BACK>(), word.right::<STEP>());
    let back = |word: L| select(ends[1], word.right::<BACK>(), word.left::<STEP>());
    let down = turn(first).and(back(second));
    let up = back(first).and(turn(second));
    crossings.and(down.or(up))
}

/// Step 2 for three digits.
#[inline(always)]
fn lock_rows<L: Lanes>(words: [&mut L; 3]) {
    let [a, b, c] = words;
    let any = |word: L| word.or(word.right::<1>()).or(word.right::<2>());
    let pair = select(CROSSINGS, any(*a), any(*b).left::<1>()).and(L::splat(CROSSINGS * 3));
    let crossings = pair.or(any(*c).and(L::splat(CROSSINGS)).left::<2>());
    let first = crossings.right::<10>().or(crossings.left::<20>());
    let second = crossings.right::<20>().or(crossings.left::<10>());
    let kept = ways::<L, 3, 6>(crossings, first, second, [LOW * 0o700, LOW * 0o7]);
    let [one, two, three] = [0, 1, 2].map(|digit| kept.and(L::splat(CROSSINGS << digit)));
    let guards = L::splat(GUARDS);
    *a = a.and(one.left::<3>().minus(one).or(guards));
    *b = b.and(two.left::<2>().minus(two.right::<1>()).or(guards));
    *c = c.and(three.left::<1>().minus(three.right::<2>()).or(guards));
}

/// Step 3 for three digits.
#[inline(always)]
fn lock_columns<L: Lanes>(words: [&mut L; 3]) {
    let [a, b, c] = words;
    let any = |word: L| word.or(word.right::<10>()).or(word.right::<20>()).and(L::splat(COLUMNS));
    let crossings = any(*a).or(any(*b).left::<10>()).or(any(*c).left::<20>());
    let (first, second) = (crossings.next_band(), crossings.last_band());
    let kept = ways::<L, 1, 2>(crossings, first, second, [FIRST_COLUMNS << 2, FIRST_COLUMNS]);
    let [one, two, three] = [0, 10, 20].map(|shift| kept.and(L::splat(COLUMNS << shift)));
    let guards = L::splat(GUARDS);
    *a = a.and(one.or(one.left::<10>()).or(one.left::<20>()).or(guards));
    *b = b.and(two.or(two.left::<10>()).or(two.right::<10>()).or(guards));
    *c = c.and(three.or(three.right::<10>()).or(three.right::<20>()).or(guards));
}

/// Step 4. Returns guards of rows that have a place for every digit; guards of rows that have several for some digit;
/// cells that are the only place in their row for one digit (or for three, or five ...).
#[inline(always)]
fn place_rows<L: Lanes>(words: &mut [L; 9]) -> [L; 3] {
    let mut only = *words;
    let mut settled = L::splat(0);
    let mut several = L::splat(0);
    let mut served = L::splat(FULL);
    for word in &mut only {
        let below = word.minus(L::splat(LOW));
        served = served.and(below);
        let rows = word.and(below).minus(L::splat(LOW)).and(L::splat(GUARDS));
        several = several.or(rows);
        *word = word.without(rows.minus(rows.right::<9>()));
        settled = settled.xor(*word);
    }
    for (word, only) in words.iter_mut().zip(only) {
        *word = word.without(settled.xor(only));
    }
    [served, several, settled]
}

/// One sweep.
#[inline(always)]
pub(super) fn sweep<L: Lanes>(words: &mut [L; 9]) -> Signs {
    let before = *words;
    let held = place_cells(words);
    let [a, b, c, d, e, f, g, h, i] = words;
    lock_rows([a, b, c]);
    lock_rows([d, e, f]);
    lock_rows([g, h, i]);
    lock_columns([a, b, c]);
    lock_columns([d, e, f]);
    lock_columns([g, h, i]);
    let [served, several, settled] = place_rows(words);
    let mut moved = L::splat(0);
    for (before, after) in before.iter().zip(words.iter()) {
        moved = moved.or(before.xor(*after));
    }
    let alive = held.and(served.or(L::splat(CELLS))).equal(L::splat(FULL));
    Signs {
        alive,
        still: moved.equal(L::splat(0)),
        solved: alive & several.equal(L::splat(0)) & settled.equal(L::splat(FULL)),
    }
}
