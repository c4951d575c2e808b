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

use crate::bits::members_of_word;
use crate::explainer::found::{FoundHint, Taken, Taker};
use crate::explainer::kind::HintKind;
use crate::explainer::state::State;
use crate::explainer::tables::{
    HOUSE, HOUSE_SET, HOUSES_OF, HouseType, OF, PEERS, bits, cell_set, cells, count, house_bits, subsets_of,
};

/// Offers the first of the easiest unique loops. With `pruned`, walks start only where cells make up a loop.
pub(crate) fn unique_loops(state: &State, pruned: bool, take: &mut Taker) -> Taken {
    let bivalue = state.cells_with(2);
    let mut search = LoopSearch {
        state,
        loop_digits: [0; 2],
        with_both: 0,
        bivalue: 0,
        trivalue: state.cells_with(3),
        viable: 0,
        path: [0; 81],
        seen: Vec::new(),
        best: None,
    };
    // For each pair of digits the cells that may lie on a loop.
    let mut viable_cells = [None; 81];
    for start in cells(bivalue) {
        let mut digits = bits(state.digits[start]);
        let (Some(one), Some(two)) = (digits.next(), digits.next()) else { continue };
        search.loop_digits = [one, two];
        search.with_both = state.cells[one] & state.cells[two];
        search.bivalue = search.with_both & bivalue;
        search.viable = match pruned {
            true => *viable_cells[9 * one + two].get_or_insert_with(|| search.viable()),
            false => u128::MAX,
        };
        if search.viable >> start & 1 != 0 {
            let houses = [HOUSES_OF[start], 0];
            search.path[0] = start as u8;
            search.walk(LoopWalk { length: 1, allowed: 2, extra: 0, came: None, houses, cells: 1 << start });
        }
    }
    search.best.map_or(Ok(()), |hint| take(&hint))
}

/// The search for the loops of all pairs of digits; the pair changes from start to start.
struct LoopSearch<'a> {
    state: &'a State,
    loop_digits: [usize; 2],
    with_both: u128,
    /// Cells with both digits and no other.
    bivalue: u128,
    /// All cells with three candidates.
    trivalue: u128,
    /// Cells that a walk may enter.
    viable: u128,
    path: [u8; 81],
    /// The loops with two extra cells so far, each with the first of these.
    seen: Vec<(u128, usize)>,
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
    extra: u16,
}

/// A walk from the start to a cell.
#[derive(Clone, Copy)]
struct LoopWalk {
    length: usize,
    /// How many more cells with extra digits may be entered, whatever their extra digits are.
    allowed: i8,
    /// Extra digits seen.
    extra: u16,
    /// The type of the house by which the last cell was entered; None at the start.
    came: Option<HouseType>,
    /// Houses visited at even and at odd positions.
    houses: [u32; 2],
    cells: u128,
}

/// The two cells with extra digits of a loop, in a house that they share.
struct RescuePair {
    cells: [usize; 2],
    /// The extra digits of both.
    extra: u16,
    house: usize,
    /// The places of the two cells in the house.
    places: [usize; 2],
}

/// A set without its first cell: empty if the set has one cell or none.
fn without_first(set: u128) -> u128 {
    set & set.wrapping_sub(1)
}

/// Decides between hints: the easier one, then the one of the earlier type.
fn rank(hint: &FoundHint) -> (f64, u8) {
    match hint.kind {
        HintKind::UniqueLoop(kind, _) => (hint.rating, kind),
        _ => (hint.rating, 0),
    }
}

impl LoopSearch<'_> {
    fn mask(&self) -> u16 {
        1 << self.loop_digits[0] | 1 << self.loop_digits[1]
    }

    /// The cells of all loops that may give a new hint.
    fn viable(&self) -> u128 {
        let (mut open, mut all) = (self.with_both, 0);
        for start in cells(self.bivalue) {
            self.add_loops(&self.with(&LoopPart { cells: 0, half: 0, open, extra: 0 }, start), &mut all);
            open &= !(1 << start);
        }
        all
    }

    /// Adds cells until each house has two of them or none, in all ways.
    fn add_loops(&self, part: &LoopPart, all: &mut u128) {
        // Completes a house that has one cell. If possible, one with at most one cell to add.
        let mut partners = 0;
        for house in members_of_word(0, part.half.into()) {
            partners = part.open & HOUSE_SET[house];
            if without_first(partners) == 0 {
                break;
            }
        }
        cells(partners).for_each(|cell| self.add_loops(&self.with(part, cell), all));
        if part.half == 0 && self.is_new(part.cells) {
            *all |= part.cells;
        }
    }

    /// Adds a cell. A third cell with extra digits must have the single one of the others.
    fn with(&self, part: &LoopPart, cell: usize) -> LoopPart {
        let houses = HOUSES_OF[cell];
        // A house that has one cell already is full with the new one.
        let full = members_of_word(0, (part.half & houses).into()).fold(1 << cell, |set, house| set | HOUSE_SET[house]);
        let mut longer = LoopPart {
            cells: part.cells | 1 << cell,
            half: part.half ^ houses,
            open: part.open & !full,
            extra: part.extra,
        };
        if self.bivalue >> cell & 1 != 0 {
            return longer;
        }
        longer.extra |= self.state.digits[cell] & !self.mask();
        if without_first(longer.cells & !self.bivalue) != 0 {
            longer.open &= match longer.extra.is_power_of_two() {
                true => self.bivalue | self.trivalue & self.state.cells[longer.extra.trailing_zeros() as usize],
                false => self.bivalue,
            };
        }
        longer
    }

    /// True when a loop gives a new hint. If no cell has changed, the loop is known: only with three extra cells does
    /// it matter which other cells the walk sees. What a known loop removes is new only in a house of two extra cells.
    fn is_new(&self, set: u128) -> bool {
        let news = self.state.news.cells;
        let rescue = set & !self.bivalue;
        set & news != 0
            || without_first(without_first(rescue)) != 0
            || HOUSE_SET.iter().any(|house| house & news != 0 && without_first(house & rescue) != 0)
    }

    /// Continues a walk by one cell, in all ways, and calls [`LoopSearch::closed`] where it is back at its start.
    fn walk(&mut self, mut walk: LoopWalk) {
        let cell = self.path[walk.length - 1] as usize;
        let start = self.path[0];
        for house_type in HouseType::ALL.into_iter().filter(|&house_type| Some(house_type) != walk.came) {
            let (house, _) = OF[cell][house_type as usize];
            for next in cells(self.with_both & HOUSE_SET[house as usize]) {
                if next == start as usize && walk.length >= 4 {
                    self.closed(&walk);
                } else if walk.cells >> next & 1 == 0 {
                    let digits = self.state.digits[next];
                    // Even if the walk does not enter the cell: see the header.
                    walk.extra = (walk.extra | digits) & !self.mask();
                    let is_pair = count(digits) == 2;
                    let enters = self.viable >> next & 1 != 0;
                    if enters && (is_pair || count(walk.extra) == 1 || walk.allowed > 0) {
                        self.enter(&walk, next, house_type, is_pair);
                    }
                }
            }
        }
    }

    /// Enters the next cell, unless one of its houses was visited at a position of the same parity: no loop does that.
    fn enter(&mut self, walk: &LoopWalk, next: usize, house_type: HouseType, is_pair: bool) {
        let (side, houses) = (walk.length % 2, HOUSES_OF[next]);
        if walk.houses[side] & houses != 0 {
            return;
        }
        let mut longer = *walk;
        longer.houses[side] |= houses;
        longer.cells |= 1 << next;
        longer.came = Some(house_type);
        longer.allowed -= i8::from(!is_pair);
        longer.length += 1;
        self.path[walk.length] = next as u8;
        self.walk(longer);
    }

    /// Takes a walk that is back at its start. It is a loop if its even positions have the same houses as its odd ones.
    fn closed(&mut self, walk: &LoopWalk) {
        if walk.houses[0] != walk.houses[1] {
            return;
        }
        // The cells with extra digits: one of these must be true, so they rescue the puzzle from two solutions.
        let rescue = walk.cells & !self.bivalue;
        match rescue.count_ones() {
            0 => {}
            1 => self.type_1(walk, rescue.trailing_zeros() as usize),
            2 => self.types_2_to_4(walk, rescue),
            _ => self.type_2(walk, rescue),
        }
    }

    /// Offers the types of a loop with two cells with extra digits, unless it was met before with the same first one.
    fn types_2_to_4(&mut self, walk: &LoopWalk, rescue: u128) {
        let path = self.path[..walk.length].iter().map(|&cell| usize::from(cell));
        let mut on_path = path.filter(|&cell| rescue >> cell & 1 != 0);
        let (Some(first), Some(second)) = (on_path.next(), on_path.next()) else { return };
        if self.seen.contains(&(walk.cells, first)) {
            return;
        }
        self.seen.push((walk.cells, first));
        let extra = (self.state.digits[first] | self.state.digits[second]) & !self.mask();
        if count(extra) == 1 {
            self.type_2(walk, rescue);
        } else {
            self.type_3(walk, [first, second], extra);
        }
        self.type_4(walk, first, second);
    }

    /// The hint of a loop of a type, without what it removes.
    fn hint(&self, walk: &LoopWalk, kind: u8) -> FoundHint {
        let kind = HintKind::UniqueLoop(kind, walk.length as u8);
        let mut hint = FoundHint { cells: walk.cells, digits: self.mask(), ..FoundHint::new(kind) };
        hint.rating = match walk.length {
            ..6 => 4.5,
            6..8 => 4.5 + 0.1,
            8..10 => 4.5 + 0.2,
            _ => 4.5 + 0.3 + 0.2,
        };
        hint
    }

    /// Keeps a hint if it removes something and is easier than the best.
    fn offer(&mut self, hint: FoundHint) {
        let is_easier = self.best.as_ref().is_none_or(|best| rank(&hint) < rank(best));
        if is_easier && hint.removes_any() {
            self.best = Some(hint);
        }
    }

    /// Offers type 1. Only one cell has extra digits: it loses the two digits of the loop.
    fn type_1(&mut self, walk: &LoopWalk, rescue: usize) {
        let mut hint = self.hint(walk, 1);
        self.loop_digits.iter().for_each(|&digit| hint.remove[digit] = 1 << rescue);
        self.offer(hint);
    }

    /// Offers type 2. The cells with extra digits have one extra digit: cells that see all of them lose it.
    fn type_2(&mut self, walk: &LoopWalk, rescue: u128) {
        let mut hint = self.hint(walk, 2);
        let extra = self.state.digits[rescue.trailing_zeros() as usize] & !self.mask();
        let digit = extra.trailing_zeros() as usize;
        let seen = cells(rescue).fold(u128::MAX, |set, cell| set & PEERS[cell]);
        hint.remove[digit] = seen & !rescue & self.state.cells[digit];
        self.offer(hint);
    }

    /// Offers type 3. The extra cells count as one member of a naked or hidden set in a house that they share.
    fn type_3(&mut self, walk: &LoopWalk, cells: [usize; 2], extra: u16) {
        for size in count(extra) as usize..=7 {
            let [first, second] = cells.map(|cell| OF[cell]);
            for ((house, first_place), (second_house, second_place)) in first.into_iter().zip(second) {
                if house != second_house {
                    continue;
                }
                let house = house as usize;
                let places = [first_place, second_place].map(usize::from);
                let pair = RescuePair { cells, extra, house, places };
                let open = count(self.state.open[house]) as usize;
                // Naked sets have at most half of the open cells, hidden sets fewer than half.
                if size * 2 <= open {
                    self.naked(walk, &pair, size);
                }
                if size * 2 < open {
                    self.hidden(walk, &pair, size);
                }
            }
        }
    }

    /// Offers naked sets that contain the first cell and not the second. The digits of the other members, together with
    /// the extra digits that both cells have, must make up the set. The other extra digits must be in it.
    fn naked(&mut self, walk: &LoopWalk, pair: &RescuePair, size: usize) {
        let &RescuePair { cells: [first, second], extra, house, .. } = pair;
        let shared = extra & self.state.digits[first] & self.state.digits[second];
        let house_cells = HOUSE[house].iter().map(|&cell| usize::from(cell));
        let open_cells: Vec<usize> =
            house_cells.filter(|cell| !pair.cells.contains(cell) && count(self.state.digits[*cell]) > 1).collect();
        for choice in subsets_of(open_cells.len(), size - 1) {
            let members = bits(choice).map(|member| open_cells[member]);
            let digits = members.clone().fold(0, |digits, cell| digits | self.state.digits[cell]);
            if count(shared | digits) as usize != size || count(extra | digits) as usize != size {
                continue;
            }
            let set_cells = cell_set(members.chain(pair.cells));
            let mut hint = self.hint(walk, 3);
            hint.rating += (size - 1) as f64 * 0.1;
            hint.base = 1 << house;
            for digit in bits(extra | digits) {
                hint.remove[digit] = self.state.cells[digit] & HOUSE_SET[house] & !set_cells;
            }
            self.offer(hint);
        }
    }

    /// Offers hidden sets of the loop digits and of digits that are no extra ones, not at the place of the second cell.
    fn hidden(&mut self, walk: &LoopWalk, pair: &RescuePair, size: usize) {
        let &RescuePair { extra, house, places: [first_place, second_place], .. } = pair;
        let mut free_digits: Vec<usize> = bits(0x1ff & !extra & !self.mask()).collect();
        if size - 2 > free_digits.len() || free_digits.is_empty() {
            return;
        }
        let places = self.state.places[house].map(|places| places & !(1 << second_place));
        if self.loop_digits.iter().any(|&digit| places[digit] == 0) {
            return;
        }
        free_digits.retain(|&digit| places[digit] != 0);
        for choice in subsets_of(free_digits.len(), size - 2) {
            let digits = bits(choice).fold(self.mask(), |digits, member| digits | 1 << free_digits[member]);
            let set_places = bits(digits).fold(0, |set, digit| set | places[digit]);
            if count(set_places) as usize != size {
                continue;
            }
            let members = set_places & !(1 << first_place);
            let mut hint = self.hint(walk, 3);
            hint.rating += (members.count_ones() as f64 - 1.0) * 0.1;
            hint.base = 1 << house;
            for place in bits(members) {
                let cell = HOUSE[house][place] as usize;
                bits(self.state.digits[cell] & !digits).for_each(|digit| hint.remove[digit] |= 1 << cell);
            }
            self.offer(hint);
        }
    }

    /// Offers type 4. One of the two digits is locked in the two cells of a house: the other one is removed from both.
    fn type_4(&mut self, walk: &LoopWalk, one: usize, two: usize) {
        let cells = 1 << one | 1 << two;
        let [first, second] = self.loop_digits;
        for (locked, removed) in [(first, second), (second, first)] {
            let mut houses = house_bits(HOUSES_OF[one] & HOUSES_OF[two]);
            if houses.any(|house| self.state.cells[locked] & HOUSE_SET[house] & !cells == 0) {
                let mut hint = self.hint(walk, 4);
                hint.remove[removed] = cells;
                return self.offer(hint);
            }
        }
    }
}
