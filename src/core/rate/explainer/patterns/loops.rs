//! Unique rectangles and loops, types 1 to 4.
//!
//! ```text
//!   12  .  . | 12  .  .        a closed walk over cells that all have the digits 1 and 2, from house to house;
//!    .  .  . |  .  .  .        every house on it holds exactly two of its cells, one at an even, one at an
//!   12  .  . | 12x .  .        odd position of the walk. Without the x there would be two solutions.
//! ```
//! | rating | loop of 4 | 6 | 8 | 10 and more |
//! |---|---|---|---|---|
//! | type 1, 2, 4 | 4.5 | 4.6 | 4.7 | 5.0 |
//! | type 3 | + 0.1 for each cell of the naked set, or of the hidden set, beyond the first | | | |
//!
//! All loops of the grid are collected. The hint with the smallest (rating, type) is taken, and among equals the first.
//!
//! **The walk** starts at every bivalue cell, row by row, and goes depth first: block, row, column, but not through the
//! kind of house by which it came, with the cells of a house in order. A cell with more than the two digits may be
//! entered in two cases: fewer than two such cells are in the walk, or the extra digits *seen so far* are one single
//! digit. "Seen" is wider than "in the walk". The extra digits of every cell that was looked at in the same step count,
//! also those of neighbours that the walk did not enter.
//!
//! Cells that cannot be on a loop are looked at, but not entered: see [`LoopSearch::viable`].
//!
//! **The types** depend on the number of cells with extra digits. One: type 1, the cell loses the two digits. Three or
//! more: type 2, cells that see all of them lose their common extra digit. Two: type 2 if they have one extra digit
//! together, else type 3; and type 4 in both cases. The original drops repeated loops, which changes nothing.

use crate::rate::bits::members_of_word;
use crate::rate::explainer::found::{FoundHint, Search, Taker};
use crate::rate::explainer::kind::HintKind;
use crate::rate::explainer::state::State;
use crate::rate::explainer::tables::{
    HOUSE, HOUSE_SET, HOUSES_OF, OF, PEERS, bits, cells, count, house_bits, subsets_of,
};

/// Offers the first of the easiest unique loops. With `pruned`, walks start only where cells make up a loop.
pub(crate) fn unique_loops(state: &State, pruned: bool, take: &mut Taker) -> Search {
    let (pairs, threes) = (state.cells_with(2), state.cells_with(3));
    let mut search = LoopSearch {
        state,
        pair: [0; 2],
        both: 0,
        pairs: 0,
        threes,
        viable: 0,
        path: [0; 81],
        seen: Vec::new(),
        best: None,
    };
    // For each pair of digits the cells that may lie on a loop.
    let mut known = [None; 81];
    for start in cells(pairs) {
        let mut digits = bits(state.digits[start]);
        let (Some(one), Some(two)) = (digits.next(), digits.next()) else { continue };
        search.pair = [one, two];
        search.both = state.cells[one] & state.cells[two];
        search.pairs = search.both & pairs;
        search.viable = if pruned { *known[9 * one + two].get_or_insert_with(|| search.viable()) } else { u128::MAX };
        if search.viable >> start & 1 != 0 {
            let (even, odd) = (HOUSES_OF[start], 0);
            search.path[0] = start as u8;
            search.walk(LoopWalk { length: 1, allowed: 2, extra: 0, came: 3, houses: [even, odd], used: 1 << start });
        }
    }
    search.best.map_or(Ok(()), |found| take(&found))
}

/// The search for the loops of all pairs of digits; the pair changes from start to start.
struct LoopSearch<'a> {
    state: &'a State,
    /// The two digits of the loop.
    pair: [usize; 2],
    /// Cells with both digits.
    both: u128,
    /// Cells with both digits and no other.
    pairs: u128,
    /// All cells with three candidates.
    threes: u128,
    /// Cells that a walk may enter.
    viable: u128,
    /// The cells of the walk.
    path: [u8; 81],
    /// The loops with two extra cells so far, each with the first of these.
    seen: Vec<(u128, usize)>,
    /// The easiest hint so far.
    best: Option<FoundHint>,
}

/// Some of the cells of a loop.
#[derive(Clone, Copy)]
struct LoopPart {
    cells: u128,
    /// The houses that have exactly one of them.
    half: u32,
    /// Cells that may be added.
    open: u128,
    /// Extra digits.
    extra: u16,
}

/// A walk from the start to a cell.
#[derive(Clone, Copy)]
struct LoopWalk {
    /// The number of its cells.
    length: usize,
    /// How many more cells with extra digits may be entered, whatever their extra digits are.
    allowed: i8,
    /// Extra digits seen.
    extra: u16,
    /// Kind of house by which the last cell was entered; 3 at the start.
    came: usize,
    /// Houses visited at even and at odd positions.
    houses: [u32; 2],
    /// Its cells.
    used: u128,
}

/// A set without its first cell: empty if the set has one cell or none.
fn without_first(set: u128) -> u128 {
    set & set.wrapping_sub(1)
}

impl LoopSearch<'_> {
    /// The two digits as a set.
    fn mask(&self) -> u16 {
        1 << self.pair[0] | 1 << self.pair[1]
    }

    /// The cells of all loops that may give a new hint.
    fn viable(&self) -> u128 {
        let (mut open, mut all) = (self.both, 0);
        for start in cells(self.pairs) {
            self.add_loops(&self.with(&LoopPart { cells: 0, half: 0, open, extra: 0 }, start), &mut all);
            open &= !(1 << start);
        }
        all
    }

    /// Adds cells until each house has two of them or none, in all ways.
    fn add_loops(&self, part: &LoopPart, all: &mut u128) {
        // Completes a house that has one cell. If possible, one with at most one cell to add.
        let mut next = 0;
        for house in members_of_word(0, part.half.into()) {
            next = part.open & HOUSE_SET[house];
            if without_first(next) == 0 {
                break;
            }
        }
        cells(next).for_each(|cell| self.add_loops(&self.with(part, cell), all));
        if part.half == 0 && self.is_new(part.cells) {
            *all |= part.cells;
        }
    }

    /// Adds a cell. A third cell with extra digits must have the single one of the others.
    fn with(&self, part: &LoopPart, cell: usize) -> LoopPart {
        let houses = HOUSES_OF[cell];
        // A house that has one cell already is full with the new one.
        let full = members_of_word(0, (part.half & houses).into()).fold(1 << cell, |set, house| set | HOUSE_SET[house]);
        let (cells, half, open) = (part.cells | 1 << cell, part.half ^ houses, part.open & !full);
        let mut next = LoopPart { cells, half, open, ..*part };
        if self.pairs >> cell & 1 == 0 {
            next.extra |= self.state.digits[cell] & !self.mask();
            if without_first(next.cells & !self.pairs) != 0 {
                let digit = Some(next.extra).filter(|extra| extra.is_power_of_two()).map(u16::trailing_zeros);
                next.open &= self.pairs | digit.map_or(0, |digit| self.threes & self.state.cells[digit as usize]);
            }
        }
        next
    }

    /// True when a loop gives a new hint. If no cell has changed, the loop is known: only with three extra cells does
    /// it matter which other cells the walk sees. What a known loop removes can be new only in a house that has two
    /// cells with extra digits.
    fn is_new(&self, set: u128) -> bool {
        let (news, extra) = (self.state.news.cells, set & !self.pairs);
        let is_new = |house: &u128| house & news != 0 && without_first(house & extra) != 0;
        set & news != 0 || without_first(without_first(extra)) != 0 || HOUSE_SET.iter().any(is_new)
    }

    /// Continues a walk by one cell, in all ways, and calls [`LoopSearch::closed`] where it is back at its start.
    fn walk(&mut self, mut at: LoopWalk) {
        let cell = self.path[at.length - 1] as usize;
        let start = self.path[0];
        for kind in (0..3).filter(|&kind| kind != at.came) {
            let house = OF[cell][kind].0 as usize;
            for next in cells(self.both & HOUSE_SET[house]) {
                if next == start as usize && at.length >= 4 {
                    self.closed(&at);
                } else if at.used >> next & 1 == 0 {
                    let digits = self.state.digits[next];
                    // Even if the walk does not enter the cell: see the header.
                    at.extra = (at.extra | digits) & !self.mask();
                    let is_pair = count(digits) == 2;
                    let enters = self.viable >> next & 1 != 0;
                    if enters && (is_pair || count(at.extra) == 1 || at.allowed > 0) {
                        self.enter(&at, next, kind, is_pair);
                    }
                }
            }
        }
    }

    /// Enters the next cell, unless one of its houses was visited at a position of the same parity: no loop does that.
    fn enter(&mut self, at: &LoopWalk, next: usize, kind: usize, is_pair: bool) {
        let (side, visited) = (at.length % 2, HOUSES_OF[next]);
        if at.houses[side] & visited != 0 {
            return;
        }
        let mut deeper = *at;
        deeper.houses[side] |= visited;
        deeper.used |= 1 << next;
        deeper.came = kind;
        deeper.allowed -= i8::from(!is_pair);
        deeper.length += 1;
        self.path[at.length] = next as u8;
        self.walk(deeper);
    }

    /// Takes a walk that is back at its start. It is a loop if its even positions have the same houses as its odd ones.
    fn closed(&mut self, at: &LoopWalk) {
        if at.houses[0] != at.houses[1] {
            return;
        }
        // The cells with extra digits: one of these must be true, so they rescue the puzzle from two solutions.
        let rescue = at.used & !self.pairs;
        let (first, others) = (rescue.trailing_zeros() as usize, without_first(rescue));
        match (rescue, others) {
            (0, _) => {}
            (_, 0) => self.type_1(at, first),
            (_, others) if without_first(others) != 0 => self.type_2(at, rescue),
            _ => self.types_2_to_4(at, first, others.trailing_zeros() as usize),
        }
    }

    /// Offers the types of a loop with two cells with extra digits, unless it was met before with the same first one.
    fn types_2_to_4(&mut self, at: &LoopWalk, low: usize, high: usize) {
        let mut path = self.path[..at.length].iter().map(|&cell| usize::from(cell));
        let is_low_first = path.find(|&cell| cell == low || cell == high) == Some(low);
        let (one, two) = if is_low_first { (low, high) } else { (high, low) };
        if self.seen.contains(&(at.used, one)) {
            return;
        }
        self.seen.push((at.used, one));
        let extra = (self.state.digits[one] | self.state.digits[two]) & !self.mask();
        if count(extra) == 1 {
            self.type_2(at, 1 << one | 1 << two);
        } else {
            self.type_3(at, one, two, extra);
        }
        self.type_4(at, one, two);
    }

    /// The hint of a loop of a type, without what it removes.
    fn found(&self, at: &LoopWalk, kind: u8) -> FoundHint {
        let kind = HintKind::UniqueLoop(kind, at.length as u8);
        let mut found = FoundHint { cells: at.used, digits: self.mask(), ..FoundHint::new(kind) };
        found.rating = match at.length {
            ..6 => 4.5,
            6..8 => 4.5 + 0.1,
            8..10 => 4.5 + 0.2,
            _ => 4.5 + 0.3 + 0.2,
        };
        found
    }

    /// Keeps a hint if it removes something and is easier than the best.
    fn offer(&mut self, found: FoundHint) {
        let rank = |found: &FoundHint| match found.kind {
            HintKind::UniqueLoop(kind, _) => (found.rating, kind),
            _ => (found.rating, 0),
        };
        if found.is_worth() && self.best.as_ref().is_none_or(|best| rank(&found) < rank(best)) {
            self.best = Some(found);
        }
    }

    /// Offers type 1. Only one cell has extra digits: it loses the two digits of the loop.
    fn type_1(&mut self, at: &LoopWalk, rescue: usize) {
        let mut found = self.found(at, 1);
        self.pair.iter().for_each(|&digit| found.remove[digit] = 1 << rescue);
        self.offer(found);
    }

    /// Offers type 2. The cells with extra digits have one extra digit: cells that see all of them lose it.
    fn type_2(&mut self, at: &LoopWalk, rescue: u128) {
        let mut found = self.found(at, 2);
        let extra = self.state.digits[rescue.trailing_zeros() as usize] & !self.mask();
        let digit = extra.trailing_zeros() as usize;
        let seen = cells(rescue).fold(u128::MAX, |set, cell| set & PEERS[cell]);
        found.remove[digit] = seen & !rescue & self.state.cells[digit];
        self.offer(found);
    }

    /// Offers type 3. The extra cells count as one member of a naked set, or of a hidden set, in a house that they
    /// share.
    fn type_3(&mut self, at: &LoopWalk, one: usize, two: usize, extra: u16) {
        for size in count(extra) as usize..=7 {
            for ((house, place_one), (other, place_two)) in OF[one].into_iter().zip(OF[two]) {
                if house != other {
                    continue;
                }
                let house = house as usize;
                let open = count(self.state.open[house]) as usize;
                let places = (place_one as usize, place_two as usize);
                // Naked sets have at most half of the open cells, hidden sets fewer than half.
                if size * 2 <= open {
                    self.naked(at, (one, two), extra, size, house, places);
                }
                if size * 2 < open {
                    self.hidden(at, extra, size, house, places);
                }
            }
        }
    }

    /// Offers naked sets that contain the first cell and not the second. The digits of the other members, together with
    /// the extra digits that both cells have, must make up the set. The other extra digits must be in it.
    fn naked(
        &mut self,
        at: &LoopWalk,
        (one, two): (usize, usize),
        extra: u16,
        size: usize,
        house: usize,
        (place_one, place_two): (usize, usize),
    ) {
        let shared = extra & self.state.digits[one] & self.state.digits[two];
        let (mut cells, mut open) = ([0; 9], 0);
        for place in (0..9).filter(|&place| place != place_one && place != place_two) {
            cells[open] = HOUSE[house][place] as usize;
            open += usize::from(count(self.state.digits[cells[open]]) > 1);
        }
        for choice in subsets_of(open, size - 1) {
            let members = || bits(choice).map(|at| cells[at]);
            let others = members().fold(0, |set, cell| set | self.state.digits[cell]);
            if count(shared | others) as usize != size || count(extra | others) as usize != size {
                continue;
            }
            let mut found = self.found(at, 3);
            found.rating += (size - 1) as f64 * 0.1;
            found.base = 1 << house;
            let own = members().fold(1 << one | 1 << two, |set, cell| set | 1u128 << cell);
            for digit in bits(extra | others) {
                found.remove[digit] = self.state.cells[digit] & HOUSE_SET[house] & !own;
            }
            self.offer(found);
        }
    }

    /// Offers hidden sets of the loop digits and of digits that are not extra ones, without the place of the second
    /// cell.
    fn hidden(&mut self, at: &LoopWalk, extra: u16, size: usize, house: usize, (place_one, place_two): (usize, usize)) {
        let mut rest: Vec<usize> = bits(0x1ff & !extra & !self.mask()).collect();
        if size - 2 > rest.len() || rest.is_empty() {
            return;
        }
        let places = |digit: usize| self.state.places[house][digit] & !(1 << place_two);
        if self.pair.iter().any(|&digit| places(digit) == 0) {
            return;
        }
        rest.retain(|&digit| places(digit) != 0);
        for choice in subsets_of(rest.len(), size - 2) {
            let digits = bits(choice).fold(self.mask(), |set, at| set | 1 << rest[at]);
            let union = bits(digits).fold(0, |set, digit| set | places(digit));
            if count(union) as usize != size {
                continue;
            }
            let members = union & !(1 << place_one);
            let mut found = self.found(at, 3);
            found.rating += (members.count_ones() as f64 - 1.0) * 0.1;
            found.base = 1 << house;
            for cell in bits(members).map(|place| HOUSE[house][place] as usize) {
                bits(self.state.digits[cell] & !digits).for_each(|digit| found.remove[digit] |= 1 << cell);
            }
            self.offer(found);
        }
    }

    /// Offers type 4. One of the two digits is locked in the two cells of a house: the other one is removed from both.
    fn type_4(&mut self, at: &LoopWalk, one: usize, two: usize) {
        let own = 1 << one | 1 << two;
        let locked = |digit: usize| {
            let mut houses = house_bits(HOUSES_OF[one] & HOUSES_OF[two]);
            houses.any(|house| self.state.cells[digit] & HOUSE_SET[house] & !own == 0)
        };
        let [first, second] = self.pair;
        if let Some((_, gone)) = [(first, second), (second, first)].into_iter().find(|&(digit, _)| locked(digit)) {
            let mut found = self.found(at, 4);
            found.remove[gone] = own;
            self.offer(found);
        }
    }
}
