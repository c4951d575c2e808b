//! Aligned Pair Exclusion 6.2 and Aligned Triplet Exclusion 7.5.
//!
//! Every combination of the candidates of two (three) base cells is tested against the cells that see them. A
//! combination is impossible when two base cells in one house have the same digit, or when it takes all candidates of a
//! common peer. A candidate that is in no possible combination is removed.
//!
//! * Excluders are peers with 2 (for triplets 2 or 3) candidates. A base cell has two candidates or more, at least one
//!   excluder, and no peer with a single candidate. The base cells must have two excluders or more in common.
//! * Nothing is new about base cells of which neither they nor their excluders have lost candidates: fewer excluders
//!   never remove more.
//! * Order of pairs: base cells row by row, pairs in increasing order of their bit masks, so the *later* cell is the
//!   outer loop. The third cell of a triplet comes from the excluders of the first cell, then from those of the second,
//!   in peer order. A triplet that can be reached from three pairs is taken at the first.

use crate::explainer::found::{FoundHint, Taken, Taker};
use crate::explainer::kind::HintKind;
use crate::explainer::state::State;
use crate::explainer::tables::{PEERS, at_least, bits, cell_set, cells, count, peers_in};

/// The cells that can take part.
struct AlignedCells {
    /// Cells that can be base cells: see the header.
    cells: u128,
    pairs: u128,
    excluders: u128,
}

impl AlignedCells {
    /// The base cells of a position for these excluders.
    fn of(state: &State, excluders: u128) -> AlignedCells {
        let singles = state.cells_with(1);
        let mut bases = AlignedCells { cells: 0, pairs: state.cells_with(2), excluders };
        for (cell, &digits) in state.digits.iter().enumerate() {
            let is_base = count(digits) >= 2 && PEERS[cell] & singles == 0 && PEERS[cell] & excluders != 0;
            bases.cells |= u128::from(is_base) << cell;
        }
        bases
    }

    /// Every two base cells with two common excluders or more. May leave out those without news.
    fn each_two(&self, news: u128, mut each: impl FnMut(&BasePair) -> Taken) -> Taken {
        for second in cells(self.cells) {
            let excluders = PEERS[second] & self.excluders;
            let mut firsts = self.cells & below(second);
            if (excluders | 1 << second) & news == 0 {
                firsts &= news;
            }
            if firsts != 0 {
                firsts &= at_least(peers_of(excluders)).two;
            }
            for first in cells(firsts) {
                each(&BasePair { first, second, excluders: excluders & PEERS[first] })?;
            }
        }
        Ok(())
    }
}

/// Two base cells, the earlier one first, and the excluders that both see.
struct BasePair {
    first: usize,
    second: usize,
    excluders: u128,
}

fn peers_of(set: u128) -> impl Iterator<Item = u128> {
    cells(set).map(|cell| PEERS[cell])
}

/// The cells before a cell.
fn below(cell: usize) -> u128 {
    (1 << cell) - 1
}

fn sees(one: usize, two: usize) -> bool {
    PEERS[one] >> two & 1 != 0
}

/// A candidate of one cell is impossible when excluders that have it refuse every digit of the other cell. With fewer
/// than three of them this is a naked pair or a wing, which was found before.
pub(crate) fn aligned_pairs(state: &State, take: &mut Taker) -> Taken {
    let pairs = state.cells_with(2);
    let mut seeing_three = 0;
    for places in state.cells {
        seeing_three |= at_least(peers_of(places & pairs)).three;
    }
    if seeing_three == 0 {
        return Ok(());
    }
    let mut bases = AlignedCells::of(state, pairs);
    bases.cells &= seeing_three;
    bases.each_two(state.news.cells, |base| {
        let BasePair { first, second, excluders } = *base;
        if (excluders | 1 << first | 1 << second) & state.news.cells == 0 {
            return Ok(());
        }
        let excluded_digits = at_least(cells(excluders).map(|cell| state.digits[cell])).three;
        if excluded_digits & (state.digits[first] | state.digits[second]) == 0 {
            return Ok(());
        }
        pair(state, base, take)
    })
}

fn pair(state: &State, base: &BasePair, take: &mut Taker) -> Taken {
    let BasePair { first, second, excluders } = *base;
    let mut refused = [0u16; 9];
    for excluder in cells(excluders) {
        refuse(state.digits[excluder], &mut refused);
    }
    let are_peers = u16::from(sees(first, second));
    let mut possible = [0u16; 2];
    for digit in bits(state.digits[first]) {
        let partners = state.digits[second] & !refused[digit] & !(are_peers << digit);
        possible[0] |= u16::from(partners != 0) << digit;
        possible[1] |= partners;
    }
    offer(state, HintKind::AlignedPairExclusion, [first, second], possible, take)
}

/// An excluder with two digits: neither goes with the other. `refused[d]` are the digits that cannot go with d.
fn refuse(pair: u16, refused: &mut [u16; 9]) {
    for digit in bits(pair) {
        refused[digit] |= pair & !(1 << digit);
    }
}

/// Offers the candidates of the base cells that are in no possible combination.
fn offer<const N: usize>(
    state: &State,
    kind: HintKind,
    base: [usize; N],
    possible: [u16; N],
    take: &mut Taker,
) -> Taken {
    if possible == base.map(|cell| state.digits[cell]) {
        return Ok(());
    }
    let mut hint = FoundHint { cells: cell_set(base), ..FoundHint::new(kind) };
    for (cell, possible) in base.into_iter().zip(possible) {
        bits(state.digits[cell] & !possible).for_each(|digit| hint.remove[digit] |= 1 << cell);
    }
    take(&hint)
}

/// Aligned triplets. With `bounded`, each is looked at once, and only if it has news and enough excluders.
pub(crate) fn triplets(state: &State, bounded: bool, take: &mut Taker) -> Taken {
    let bases = AlignedCells::of(state, state.cells_with(2) | state.cells_with(3));
    bases.each_two(u128::MAX, |base| third(state, &bases, base, bounded, take))
}

/// Tries the triplets of a pair with a third cell that is an excluder of one of the two. `bounded`: see [`triplets`].
fn third(state: &State, bases: &AlignedCells, base: &BasePair, bounded: bool, take: &mut Taker) -> Taken {
    let BasePair { first, second, excluders } = *base;
    let news = if bounded { state.news.cells } else { u128::MAX };
    let mut thirds = bases.cells & bases.excluders & !(1 << first | 1 << second);
    if (excluders | 1 << first | 1 << second) & news == 0 {
        thirds &= news;
    }
    if thirds & (PEERS[first] | PEERS[second]) == 0 {
        return Ok(());
    }
    thirds &= at_least(peers_of(excluders)).two;
    if bounded {
        // A triplet is known if an earlier pair, of the third cell and `partner`, has `last` as an excluder. So one of
        // the two must see `last`.
        for (last, partner) in [(second, first), (first, second)] {
            if bases.excluders >> last & 1 != 0 {
                thirds &= !(below(last) & if sees(last, partner) { u128::MAX } else { PEERS[last] });
            }
        }
    }
    for cell in [first, second] {
        for third in peers_in(cell, thirds) {
            let triplet = [first, second, third];
            let common = excluders & PEERS[third];
            let is_new = (common | cell_set(triplet)) & news != 0;
            if is_new && (!bounded || may_exclude(state, bases, triplet, common)) {
                exclude(state, triplet, common, take)?;
            }
        }
        // The excluders of the first cell have had their turn.
        thirds &= !PEERS[cell];
    }
    Ok(())
}

/// True if so many common excluders can leave a candidate of one cell no possible combination: see [`ENOUGH`].
fn may_exclude(state: &State, bases: &AlignedCells, base: [usize; 3], common: u128) -> bool {
    let [pairs, threes] = [bases.pairs, !bases.pairs].map(|set| (common & set).count_ones() as usize);
    let Some(enough) = ENOUGH.get(pairs).and_then(|rows| rows.get(threes)) else { return true };
    let sizes = base.map(|cell| count(state.digits[cell]) as usize);
    [[0, 1, 2], [1, 2, 0], [2, 0, 1]].into_iter().any(|[first, second, third]| {
        let [first_cell, second_cell, third_cell] = [base[first], base[second], base[third]];
        let second_size = sizes[second] - usize::from(sees(first_cell, second_cell));
        let third_size = sizes[third] - usize::from(sees(first_cell, third_cell));
        enough[usize::from(sees(second_cell, third_cell))][second_size] >> third_size & 1 != 0
    })
}

/// `[pairs][threes][see][second]`: the numbers of digits of the third cell, as bits, with which all combinations of a
/// candidate of the first cell can be impossible. `pairs` and `threes` are the numbers of excluders with two and with
/// three candidates. `see` is 1 if the second and the third cell see each other. `second` is the number of digits that
/// the second cell can have together with the candidate. An excluder with two candidates, one of them that of the first
/// cell, takes a digit from each of the others. Any other excluder takes two combinations.
const ENOUGH: [[[[u16; 10]; 2]; 8]; 8] = {
    let (mut table, mut index) = ([[[[0; 10]; 2]; 8]; 8], 0);
    while index < 8 * 8 * 2 * 10 * 10 * 8 {
        // `index` counts through all indices, through `third`, the number of digits of the third cell, and through
        // `taking`, the number of excluders with two candidates that have that of the first cell.
        let (pairs, threes, see) = (index / 12_800, index / 1_600 % 8, index / 800 % 2);
        let (second, third, taking): (usize, usize, usize) = (index / 80 % 10, index / 8 % 10, index % 8);
        let (second_left, third_left) = (second.saturating_sub(taking), third.saturating_sub(taking));
        // Combinations of two equal digits are impossible if the cells see each other.
        let equal = see * if second_left < third_left { second_left } else { third_left };
        if taking <= pairs && second_left * third_left <= 2 * (pairs + threes - taking) + equal {
            table[pairs][threes][see][second] |= 1 << third;
        }
        index += 1;
    }
    table
};

/// Tests the combinations of three base cells, and offers what is in no possible one. All three see the `excluders`.
fn exclude(state: &State, base: [usize; 3], excluders: u128, take: &mut Taker) -> Taken {
    let [first, second, third] = base;
    let [one_two, one_three, two_three] =
        [(first, second), (first, third), (second, third)].map(|(one, two)| u16::from(sees(one, two)));
    let mut refused = [0u16; 9];
    let (mut wide_excluders, mut wide_count) = ([0u16; 20], 0);
    for excluder in cells(excluders) {
        let digits = state.digits[excluder];
        if count(digits) == 2 {
            refuse(digits, &mut refused);
        } else {
            wide_excluders[wide_count] = digits;
            wide_count += 1;
        }
    }
    let candidates = base.map(|cell| state.digits[cell]);
    let mut possible = [0u16; 3];
    for a in bits(candidates[0]) {
        let partners = candidates[1] & !refused[a] & !(one_two << a);
        for b in bits(partners) {
            // Nearly all combinations are possible. Those that show nothing new are skipped.
            if possible[2] == candidates[2] && possible[0] >> a & possible[1] >> b & 1 != 0 {
                continue;
            }
            let same = one_three << a | two_three << b;
            let mut thirds = candidates[2] & !refused[a] & !refused[b] & !same;
            for &digits in &wide_excluders[..wide_count] {
                let rest = digits & !(1 << a) & !(1 << b);
                if rest.is_power_of_two() {
                    thirds &= !rest;
                }
            }
            if thirds != 0 {
                possible = [possible[0] | 1 << a, possible[1] | 1 << b, possible[2] | thirds];
            }
        }
    }
    offer(state, HintKind::AlignedTripletExclusion, base, possible, take)
}
