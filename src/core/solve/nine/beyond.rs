//! Second solutions on boards of order 9 with houses or moves beyond rows, columns and boxes, and on jigsaws; and, for
//! the reference search, positions of these boards in which every single is placed.
//!
//! ```text
//!   rest     in vector instructions, until nothing changes: the rules of plain boards; on jigsaws only those of cells
//!            and rows
//!   settle   rest; then these rules, and all again until nothing changes:
//!              a cell has one candidate                       no cell that sees it has this digit
//!              a digit has one place in another house         the place has no other digit
//!              a digit has two or three places in a house     no cell that sees all of them has this digit
//!   branch   a guess in one of the cells with fewest candidates: if possible, one that may still have the digit of the
//!            known solution; of these, the one in which most guesses failed; the digit of the known solution first
//! ```
//!
//! The reference search knows only singles. So its rules are those of cells and rows, and the first two of `settle`, in
//! all houses.
//!
//! A set of cells is one word of 128 bits here: the words of a digit side by side. Only houses with a cell that a digit
//! lost since they were last looked at are looked at again.

use super::rules::lanes::Lanes;
use super::rules::sweep::narrowest;
use super::rules::words::{CELLS, DigitWords, PackedCandidates, gather, only};
use super::search::cells::first_of;
use super::search::changes::candidates;
use super::search::{SettledState, load, narrow_cells_with, rest_with};
use crate::board::digit::bits as bits_of_word;
use crate::board::kept::Kept;
use crate::board::{Cell, Layout, Narrow, Shape};
use crate::solve::Candidate;

/// The number of rows, columns and boxes.
const PLAIN_HOUSES: usize = 27;
/// The bits of a set of cells, and some between them.
const BITS: usize = 96;

/// The words of a digit side by side.
#[inline(always)]
const fn to_bits([a, b, c, _]: DigitWords) -> u128 {
    a as u128 | (b as u128) << 32 | (c as u128) << 64
}

/// The inverse of [`to_bits`], with empty padding.
#[inline(always)]
const fn to_words(cells: u128) -> DigitWords {
    [cells as u32, (cells >> 32) as u32, (cells >> 64) as u32, 0]
}

/// All cells.
const ALL: u128 = to_bits([CELLS; 4]);

#[inline(always)]
fn bits(set: u128) -> impl Iterator<Item = usize> {
    bits_of_word(set as u64).chain(bits_of_word((set >> 64) as u64).map(|bit| 64 + bit))
}

#[derive(Debug)]
pub(in crate::solve) struct VariantRules {
    /// True if it has boxes, so that the rules of plain boards hold; false if it has the regions of a jigsaw.
    has_boxes: bool,
    /// The cells of each house.
    houses: Vec<u128>,
    /// The houses that the search for second solutions looks at, as bits: those beyond rows, columns and boxes; in
    /// jigsaws, and with moves, all.
    searched_houses: u64,
    /// For each bit of a set the houses of the cell, as bits.
    houses_of: [u64; BITS],
    /// For each bit of a set the cells that see the cell.
    peers: [u128; BITS],
}

impl VariantRules {
    /// The rules of a board of order 9; None for plain boards, for other orders, and for boards of more than 64 houses.
    pub(in crate::solve) fn of(shape: Shape) -> Option<&'static VariantRules> {
        static COMPUTED: Kept<Shape, VariantRules> = Kept::new();
        let rules = shape.rules()?;
        // A word has a bit for each house.
        if shape.order() != 9 || rules.extras.len() + PLAIN_HOUSES > 64 {
            return None;
        }
        Some(COMPUTED.get(shape, || Box::new(VariantRules::compute(shape, rules.pairs.is_empty()))))
    }

    /// The rules of a board; `no_moves` if no cells see each other by moves.
    fn compute(shape: Shape, no_moves: bool) -> VariantRules {
        let layout = Layout::of(shape);
        let has_boxes = shape.regions().is_none();
        let searched_houses = if has_boxes && no_moves { u64::MAX << PLAIN_HOUSES } else { u64::MAX };
        let houses: Vec<u128> = layout.houses().map(|house| cells_as_bits(layout.house(house))).collect();
        let mut houses_of = [0; BITS];
        let mut peers = [0; BITS];
        for cell in layout.cells() {
            let bit = cells_as_bits(&[cell]).trailing_zeros() as usize;
            for (number, house) in houses.iter().enumerate() {
                houses_of[bit] |= u64::from(house >> bit & 1 != 0) << number;
            }
            peers[bit] = cells_as_bits(layout.peers(cell));
        }
        VariantRules { has_boxes, houses, searched_houses, houses_of, peers }
    }
}

fn cells_as_bits(cells: &[Cell]) -> u128 {
    cells.iter().fold(0, |bits, cell| bits | to_bits(only(cell.index())))
}

#[derive(Clone, Copy, Debug)]
pub(super) struct VariantPosition {
    places: PackedCandidates,
    /// The cells with one candidate that was removed from their peers.
    done: u128,
    /// The places of each digit when its houses were last looked at.
    looked_at: [u128; 9],
    /// The number of the bit of the cell of the last guess.
    guessed: usize,
}

impl VariantPosition {
    /// The position with these candidates, to which no rule was applied.
    pub(super) fn of(places: PackedCandidates) -> VariantPosition {
        VariantPosition { places, done: 0, looked_at: [ALL; 9], guessed: 0 }
    }

    #[inline(always)]
    fn places(&self, digit: usize) -> u128 {
        to_bits(*self.places.digit(digit)) & ALL
    }

    #[inline(always)]
    fn remove(&mut self, digit: usize, cells: u128) {
        self.places.digit_mut(digit).iter_mut().zip(to_words(cells)).for_each(|(word, cells)| *word &= !cells);
    }

    /// Leaves one candidate in a cell.
    #[inline(always)]
    fn put(&mut self, digit: usize, cell: u128) {
        (0..9).filter(|&removed| removed != digit).for_each(|removed| self.remove(removed, cell));
    }

    /// Applies all rules, or `ONLY_SINGLES`, until nothing changes.
    #[inline(always)]
    fn settle<L: Lanes, const ONLY_SINGLES: bool>(&mut self, rules: &VariantRules) -> SettledState {
        let searched_houses = if ONLY_SINGLES { u64::MAX } else { rules.searched_houses };
        loop {
            let (state, singles) = rest_with::<L>(&mut self.places, rules.has_boxes && !ONLY_SINGLES);
            if state == SettledState::Dead {
                return state;
            }
            let new_singles = to_bits(singles) & ALL & !self.done;
            self.done |= new_singles;
            let mut is_changed = false;
            for digit in 0..9 {
                let before = self.places(digit);
                let mut seen = bits(before & new_singles).fold(0, |seen, cell| seen | rules.peers[cell]);
                let remaining = before & !seen;
                let lost = self.looked_at[digit] & !remaining;
                self.looked_at[digit] = remaining;
                let houses = bits(lost).fold(0, |houses, cell| houses | rules.houses_of[cell]);
                for house in bits_of_word(houses & searched_houses) {
                    match self.look_at_house::<ONLY_SINGLES>(rules, digit, remaining & rules.houses[house]) {
                        HouseNews::Dead => return SettledState::Dead,
                        HouseNews::Placed => is_changed = true,
                        HouseNews::Seen(seen_by_all) => seen |= seen_by_all,
                    }
                }
                if seen & before != 0 {
                    self.remove(digit, seen);
                    is_changed = true;
                }
            }
            if !is_changed {
                return state;
            }
        }
    }

    /// Applies the rules of a digit and its places in a house.
    #[inline(always)]
    fn look_at_house<const ONLY_SINGLES: bool>(
        &mut self,
        rules: &VariantRules,
        digit: usize,
        places: u128,
    ) -> HouseNews {
        match places.count_ones() {
            0 => HouseNews::Dead,
            1 if places & self.done == 0 => {
                self.put(digit, places);
                HouseNews::Placed
            }
            2 | 3 if !ONLY_SINGLES => HouseNews::Seen(bits(places).fold(ALL, |seen, cell| seen & rules.peers[cell])),
            _ => HouseNews::Seen(0),
        }
    }
}

/// What a digit's places in a house tell.
enum HouseNews {
    /// It has no place.
    Dead,
    /// Its only place lost all other digits.
    Placed,
    /// These cells see all its places, of two or three.
    Seen(u128),
}

/// Looks for second solutions of one board.
#[derive(Clone, Debug)]
pub(super) struct VariantSearch {
    rules: &'static VariantRules,
    /// The places of each digit in the known solution.
    solution: [u128; 9],
    stack: Vec<VariantPosition>,
    /// For each bit of a set how often a guess in the cell failed. Later questions use it too.
    failures: [u32; BITS],
}

impl VariantSearch {
    pub(super) fn new(rules: &'static VariantRules, solution: &PackedCandidates) -> VariantSearch {
        let solution = std::array::from_fn(|digit| to_bits(*solution.digit(digit)) & ALL);
        VariantSearch { rules, solution, stack: Vec::new(), failures: [0; BITS] }
    }

    /// Goes on with a candidate of a cell and pushes the position without it.
    #[inline(always)]
    fn branch<L: Lanes>(&mut self, position: &mut VariantPosition) {
        let cells = to_bits(narrow_cells_with::<L>(&position.places)) & ALL;
        // The cells that may still have the digit of the known solution.
        let agreeing = (0..9).fold(0, |cells, digit| cells | self.solution[digit] & position.places(digit));
        let cells = if cells & agreeing == 0 { cells } else { cells & agreeing };
        // The first of those with most failures.
        position.guessed = bits(cells).max_by_key(|&bit| (self.failures[bit], BITS - bit)).unwrap_or_default();
        let cell = 1 << position.guessed;
        let digits = (0..9).filter(|&digit| position.places(digit) & cell != 0);
        let digit = digits.min_by_key(|&digit| self.solution[digit] & cell == 0).unwrap_or_default();
        self.stack.push(*position);
        if let Some(without) = self.stack.last_mut() {
            without.remove(digit, cell);
        }
        position.put(digit, cell);
    }
}

/// The cells in which a second solution, without the candidate `barred`, differs from the known one.
#[inline(always)]
pub(super) fn second_with<L: Lanes>(
    search: &mut VariantSearch,
    givens: DigitWords,
    barred: Option<Candidate>,
) -> Option<Narrow> {
    let done = to_bits(givens);
    let mut position = VariantPosition { done, ..VariantPosition::of(PackedCandidates::BLANK) };
    for (digit, places) in search.solution.iter().enumerate() {
        let seen = bits(places & done).fold(0, |seen, cell| seen | search.rules.peers[cell]);
        position.remove(digit, seen | done & !places);
    }
    if let Some(Candidate { cell, digit }) = barred {
        position.remove(digit, to_bits(only(cell)));
    }
    search.stack.clear();
    loop {
        match position.settle::<L, false>(search.rules) {
            SettledState::Open => {
                search.branch::<L>(&mut position);
                continue;
            }
            SettledState::Solved => {
                let differing = (0..9).fold(0, |cells, digit| cells | search.solution[digit] ^ position.places(digit));
                if differing != 0 {
                    return Some(Narrow(gather(to_words(differing))));
                }
            }
            SettledState::Dead => search.failures[position.guessed] += 1,
        }
        position = search.stack.pop()?;
    }
}

/// A position of a board with rules in which every single is placed.
pub(in crate::solve) struct VariantSingles {
    position: VariantPosition,
    rules: &'static VariantRules,
    /// As in [`SinglesPlaced`](super::singles::SinglesPlaced).
    pub(in crate::solve) cell: usize,
    /// As in [`SinglesPlaced`](super::singles::SinglesPlaced).
    pub(in crate::solve) digits: u32,
}

impl VariantSingles {
    /// The rules of the board.
    pub(super) fn rules(&self) -> &'static VariantRules {
        self.rules
    }

    /// The position after placing a digit, from 0, in a cell, and before any single that follows.
    pub(super) fn with(&self, cell: usize, digit: usize) -> VariantPosition {
        let mut position = self.position;
        position.put(digit, to_bits(only(cell)));
        position
    }
}

/// Places all singles of a position. None at a contradiction.
#[inline(always)]
pub(super) fn place_variant_singles_with<L: Lanes>(
    mut position: VariantPosition,
    rules: &'static VariantRules,
) -> Option<VariantSingles> {
    if position.settle::<L, true>(rules) == SettledState::Dead {
        return None;
    }
    let words = load::<L>(&position.places);
    // There is no cell if the board is full.
    let cell = first_of(&narrowest(&words).cells.group());
    let digits = cell.map_or(0, |cell| candidates(&words, cell));
    Some(VariantSingles { position, rules, cell: cell.unwrap_or_default(), digits })
}
