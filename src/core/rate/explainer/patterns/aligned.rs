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

use crate::rate::explainer::found::{FoundHint, Search, Taker};
use crate::rate::explainer::kind::HintKind;
use crate::rate::explainer::state::State;
use crate::rate::explainer::tables::{PEERS, bits, cells, count, peers_in};

/// The cells that can take part.
struct Bases {
    /// Cells that can be base cells: see the header.
    cells: u128,
    /// Cells with two candidates.
    pairs: u128,
    /// Excluders.
    excluding: u128,
}

impl Bases {
    /// The base cells of a position. `excluding` are the cells that can be excluders.
    fn of(state: &State, excluding: u128) -> Bases {
        let (singles, pairs) = (state.cells_with(1), state.cells_with(2));
        let is_base = |&cell: &usize| {
            count(state.digits[cell]) >= 2 && PEERS[cell] & singles == 0 && PEERS[cell] & excluding != 0
        };
        Bases { cells: (0..81).filter(is_base).fold(0, |set, cell| set | 1 << cell), pairs, excluding }
    }

    /// Every two base cells with two common excluders or more, and these excluders. May leave out those without news.
    fn each_two(&self, news: u128, mut found: impl FnMut(usize, usize, u128) -> Search) -> Search {
        cells(self.cells).try_for_each(|two| {
            let excluders = PEERS[two] & self.excluding;
            let mut ones = self.cells & below(two);
            if (excluders | 1 << two) & news == 0 {
                ones &= news;
            }
            if ones != 0 {
                ones &= seeing_two(excluders);
            }
            cells(ones).try_for_each(|one| found(one, two, excluders & PEERS[one]))
        })
    }
}

/// The cells that see two cells of a set or more, and those that see three.
fn seeing_two_and_three(set: u128) -> (u128, u128) {
    let add = |(one, two, three): (u128, u128, u128), cell: usize| {
        (one | PEERS[cell], two | one & PEERS[cell], three | two & PEERS[cell])
    };
    let (_, two, three) = cells(set).fold((0, 0, 0), add);
    (two, three)
}

/// The cells that see two or more cells of a set.
fn seeing_two(set: u128) -> u128 {
    seeing_two_and_three(set).0
}

/// The cells before a cell.
fn below(cell: usize) -> u128 {
    (1 << cell) - 1
}

/// A candidate of one cell is impossible when excluders that have it refuse every digit of the other cell. With fewer
/// than three of them this is a naked pair or a wing, which was found before.
pub(crate) fn aligned_pairs(state: &State, take: &mut Taker) -> Search {
    let pairs = state.cells_with(2);
    let seeing_three = |all: u128, own: &u128| all | seeing_two_and_three(own & pairs).1;
    let seeing_three = state.cells.iter().fold(0, seeing_three);
    if seeing_three == 0 {
        return Ok(());
    }
    let mut bases = Bases::of(state, pairs);
    bases.cells &= seeing_three;
    bases.each_two(state.news.cells, |one, two, common| {
        if (common | 1 << one | 1 << two) & state.news.cells == 0 {
            return Ok(());
        }
        let digits = cells(common).map(|cell| state.digits[cell]);
        let add = |(once, twice, thrice), digits| (once | digits, twice | once & digits, thrice | twice & digits);
        let (_, _, thrice) = digits.fold((0, 0, 0), add);
        if thrice & (state.digits[one] | state.digits[two]) != 0 { pair(state, one, two, common, take) } else { Ok(()) }
    })
}

/// Offers what a pair of base cells removes. `common` are the excluders that both see.
fn pair(state: &State, one: usize, two: usize, common: u128, take: &mut Taker) -> Search {
    let mut refused = [0u16; 9];
    for pair in cells(common).map(|cell| state.digits[cell]) {
        bits(pair).for_each(|digit| refused[digit] |= pair & !(1 << digit));
    }
    let peers = PEERS[one] >> two & 1 != 0;
    let (mut left_one, mut left_two) = (0u16, 0u16);
    for digit in bits(state.digits[one]) {
        let same = u16::from(peers) << digit;
        let partners = state.digits[two] & !refused[digit] & !same;
        left_one |= u16::from(partners != 0) << digit;
        left_two |= partners;
    }
    offer(state, HintKind::AlignedPairExclusion, &[(one, left_one), (two, left_two)], take)
}

/// Offers the candidates that are in no possible combination.
fn offer(state: &State, kind: HintKind, left: &[(usize, u16)], take: &mut Taker) -> Search {
    if left.iter().all(|&(cell, left)| left == state.digits[cell]) {
        return Ok(());
    }
    let mut found = FoundHint::new(kind);
    for &(cell, left) in left {
        found.cells |= 1 << cell;
        bits(state.digits[cell] & !left).for_each(|digit| found.remove[digit] |= 1 << cell);
    }
    take(&found)
}

/// Aligned triplets. With `bounded`, each is looked at once, and only if it has enough excluders to remove anything,
/// and news.
pub(crate) fn triplets(state: &State, bounded: bool, take: &mut Taker) -> Search {
    let bases = Bases::of(state, state.cells_with(2) | state.cells_with(3));
    bases.each_two(u128::MAX, |one, two, common| third(state, &bases, (one, two), common, bounded, take))
}

/// Tries the triplets of a pair with a third cell that is an excluder of one of the two. `common` are the excluders
/// that both have in common. With `bounded`, triplets that show nothing new are left out.
fn third(
    state: &State,
    bases: &Bases,
    (one, two): (usize, usize),
    common: u128,
    bounded: bool,
    take: &mut Taker,
) -> Search {
    let news = if bounded { state.news.cells } else { u128::MAX };
    let mut open = bases.cells & bases.excluding & !(1 << one | 1 << two);
    if (common | 1 << one | 1 << two) & news == 0 {
        open &= news;
    }
    if open & (PEERS[one] | PEERS[two]) == 0 {
        return Ok(());
    }
    open &= seeing_two(common);
    if bounded {
        // A triplet is known if an earlier pair, of the third cell and `other`, has `last` as an excluder. So one of
        // the two must see `last`.
        for (last, other) in [(two, one), (one, two)].into_iter().filter(|&(last, _)| bases.excluding >> last & 1 != 0)
        {
            open &= !(below(last) & if PEERS[last] >> other & 1 != 0 { u128::MAX } else { PEERS[last] });
        }
    }
    for base in [one, two] {
        for three in peers_in(base, open) {
            let common = common & PEERS[three];
            let of = |set: u128| (common & set).count_ones();
            let is_new = (common | 1 << one | 1 << two | 1 << three) & news != 0;
            let worth = || !bounded || may_exclude(state, [one, two, three], [of(bases.pairs), of(!bases.pairs)]);
            if is_new && worth() {
                triplet(state, [one, two, three], common, take)?;
            }
        }
        // The excluders of the first cell have had their turn.
        open &= !PEERS[base];
    }
    Ok(())
}

/// True if this number of excluders can leave a candidate of one cell without a possible combination: see [`ENOUGH`].
fn may_exclude(state: &State, base: [usize; 3], [pairs, threes]: [u32; 2]) -> bool {
    let Some(enough) = ENOUGH.get(pairs as usize).and_then(|all| all.get(threes as usize)) else { return true };
    let sizes = base.map(|cell| count(state.digits[cell]) as usize);
    (0..3).any(|at| {
        let [one, two, three] = [at, (at + 1) % 3, (at + 2) % 3];
        let see = |a: usize, b: usize| (PEERS[base[a]] >> base[b] & 1) as usize;
        let mask = enough[see(two, three)][sizes[two] - see(one, two)];
        mask >> (sizes[three] - see(one, three)) & 1 != 0
    })
}

/// The numbers of digits of the third cell, as bits, with which all combinations of a candidate of the first cell can
/// be impossible. The indices are the numbers of excluders with two and with three candidates, whether the two other
/// cells see each other, and the number of digits that the second cell can have together with this candidate. An
/// excluder with two candidates, one of them that of the first cell, takes a digit from each of the others. Any other
/// excluder takes two combinations.
const ENOUGH: [[[[u16; 10]; 2]; 8]; 8] = {
    let (mut all, mut at) = ([[[[0; 10]; 2]; 8]; 8], 0);
    while at < 8 * 8 * 2 * 10 * 10 * 8 {
        // `at` counts through all indices, and through `taking`: the excluders with two candidates that have that of
        // the first cell.
        let (pairs, threes, see) = (at / 12_800, at / 1_600 % 8, at / 800 % 2);
        let (two, three, taking): (usize, usize, usize) = (at / 80 % 10, at / 8 % 10, at % 8);
        let (two_left, three_left) = (two.saturating_sub(taking), three.saturating_sub(taking));
        let equal = see * if two_left < three_left { two_left } else { three_left };
        if taking <= pairs && two_left * three_left <= 2 * (pairs + threes - taking) + equal {
            all[pairs][threes][see][two] |= 1 << three;
        }
        at += 1;
    }
    all
};

/// Tests the combinations of three base cells, and offers what is in none of the possible ones. `common` are their
/// common excluders.
fn triplet(state: &State, base: [usize; 3], common: u128, take: &mut Taker) -> Search {
    let [one, two, three] = base;
    let see = |a: usize, b: usize| PEERS[a] >> b & 1 != 0;
    let (one_two, one_three, two_three) = (see(one, two), see(one, three), see(two, three));
    // refused[d]: digits that cannot go with d, because a bivalue excluder has exactly these two.
    let mut refused = [0u16; 9];
    let (mut threes, mut number) = ([0u16; 20], 0);
    for digits in cells(common).map(|cell| state.digits[cell]) {
        if count(digits) == 2 {
            bits(digits).for_each(|digit| refused[digit] |= digits & !(1 << digit));
        } else {
            threes[number] = digits;
            number += 1;
        }
    }
    let threes = &threes[..number];
    let (all, mut left) = (base.map(|cell| state.digits[cell]), [0u16; 3]);
    for a in bits(all[0]) {
        let partners = all[1] & !refused[a] & !(u16::from(one_two) << a);
        for b in bits(partners) {
            // Nearly all combinations are possible. Those that show nothing new are skipped.
            if left[2] == all[2] && left[0] >> a & left[1] >> b & 1 != 0 {
                continue;
            }
            let same = u16::from(one_three) << a | u16::from(two_three) << b;
            let mut thirds = all[2] & !refused[a] & !refused[b] & !same;
            for &digits in threes {
                let rest = digits & !(1 << a) & !(1 << b);
                if rest.is_power_of_two() {
                    thirds &= !rest;
                }
            }
            if thirds != 0 {
                left = [left[0] | 1 << a, left[1] | 1 << b, left[2] | thirds];
            }
        }
    }
    let left = [(one, left[0]), (two, left[1]), (three, left[2])];
    offer(state, HintKind::AlignedTripletExclusion, &left, take)
}
