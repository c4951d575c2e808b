//! Applies the rules to all digits, bands and stacks at once, for [`crate::solve::nine::search`] and [`crate::solve::nine::singles`].
//!
//! A *crossing* is where a row and a box meet (three cells), or a column and a box. A digit's *way* through a band is
//! one choice of a different box for each of the three rows.
//!
//! One sweep applies four rules to the whole board, without a branch:
//!
//! 1. a cell with one candidate removes it from the rest of its row;
//! 2. in each band, each digit occurs once in each of the three rows and once in each of the three boxes. There are six
//!    ways to choose the boxes for the rows. Of the nine crossings of a row and a box, only those stay that belong to a
//!    possible way;
//! 3. in each stack, the same holds for columns and boxes;
//! 4. a digit with one place in a row removes the other digits from that cell.
//!
//! ```text
//!   band of one digit    crossings    the only way     the digit after rule 2
//!   x..|.x.|...          x x .        x . .            x..|...|...
//!   ...|.x.|xx.          . x x   ->   . x .      ->    ...|.x.|...
//!   ...|...|x.x          . . x        . . x            ...|...|x.x
//! ```
//!
//! Rules 2 and 3 contain every locked candidate, and rule 1 reaches columns and boxes through them. So all singles,
//! naked and hidden, and all locked candidates are found, usually after five to ten sweeps. The crossings of three
//! digits share a word (9 bits each), so rules 2 and 3 take a third of the operations.
//!
//! In the code a position is three vectors, `words` or `[a, b, c]`: vector v has the digits v, v + 3 and v + 6, and
//! [`super::words`] says which bit stands for which cell.
//!
//! Tried and lost: marking changed words and looking them up in tables of 512 entries, one word at a time. That is less
//! work, but each step waits for a load and a branch. Also lost: one position in nine registers, and four positions in
//! nine wide registers (`reports/tried.md`).

use super::lanes::Lanes;
use super::words::{CELLS, DigitWords, FULL, GUARDS, LOW};

/// The crossings of rows and boxes, at the first cell of each.
const CROSSINGS: u32 = LOW * 0o111;
/// First columns of the boxes, three digits side by side.
const FIRST_COLUMNS: u32 = LOW * 0o111;
/// Columns in the packed words of rule 3: nine columns of one digit, ten bits a digit.
const COLUMNS: u32 = 0x1ff;

/// What rules 1 and 4 saw before they changed a position.
#[derive(Clone, Copy)]
pub(crate) struct Singles<L> {
    /// Each cell and each row has candidates.
    pub(crate) alive: bool,
    /// Each row has one place for each digit and each cell one digit.
    pub(crate) solved: bool,
    /// The cells that are the only place in their row for one digit (or for three, or five ...).
    pub(crate) settled: L,
}

/// (mask & a) | (other bits of b)
#[inline(always)]
fn select<L: Lanes>(mask: u32, a: L, b: L) -> L {
    L::splat(mask).select(a, b)
}

/// Bits of at least two of three.
#[inline(always)]
fn majority<L: Lanes>([a, b, c]: [L; 3]) -> L {
    a.and(b).or(a.or(b).and(c))
}

#[inline(always)]
fn union<L: Lanes>([a, b, c]: [L; 3]) -> L {
    a.or3(b, c)
}

/// Cells by their number of candidates.
pub(crate) struct CellCounts<L> {
    /// Cells with at least one candidate.
    pub(crate) once: L,
    /// Cells with at least two.
    pub(crate) twice: L,
}

/// The cells with at least one candidate, and with at least two.
#[inline(always)]
pub(crate) fn cell_counts<L: Lanes>(words: [L; 3]) -> CellCounts<L> {
    let once = union(words);
    CellCounts { once: once.any_group(), twice: majority(words).any_group().or(once.several_groups()) }
}

/// Rule 1. Returns the cells that have a candidate.
#[inline(always)]
fn place_cells<L: Lanes>(words: &mut [L; 3]) -> L {
    let CellCounts { once, twice } = cell_counts(*words);
    let twice = twice.without(L::splat(GUARDS));
    for word in words {
        // The guard of a row stays if the row has a single. If a row has two singles, the second one is removed. Its
        // cell is then empty, which is a contradiction.
        let single = word.without(twice);
        // Taking 1 from each row changes its bits up to the lowest single; without a single, up to the guard.
        let below = single.minus(L::splat(LOW));
        let rows = below.and(L::splat(GUARDS));
        // 2^9 - 1: all nine cells of each row whose guard stays. Of `single`, only the lowest single is not in `below`.
        let whole = rows.minus(rows.right::<9>());
        *word = word.without(whole.without(single.without(below)));
    }
    once
}

/// The bits `a` of the first word, the bits `b` of the second, all others of the third.
#[inline(always)]
fn merge<L: Lanes>([a, b]: [u32; 2], words: [L; 3]) -> L {
    select(a, words[0], select(b, words[1], words[2]))
}

/// A digit's crossings moved in the four directions. `down` are those moved by one row and one box, and by two rows and
/// two boxes. `up` are those moved by one row and two boxes, and by two rows and one box. In a stack, bands and columns
/// take the place of rows and boxes.
pub(crate) struct Moved<L> {
    down: [L; 2],
    up: [L; 2],
}

impl<L: Lanes> Moved<L> {
    /// For each crossing, is it on a whole way of the first three, and of the last three?
    #[inline(always)]
    fn ways(&self) -> [L; 2] {
        [self.down[0].and(self.down[1]), self.up[0].and(self.up[1])]
    }
}

/// The boxes of each row of crossings moved by one, cyclically.
#[inline(always)]
fn boxes_turned<L: Lanes>(word: L) -> L {
    select(LOW * 0o700, word.left::<6>(), word.right::<3>())
}

/// The rows of crossings moved by one and by two, cyclically.
#[inline(always)]
fn rows_moved<L: Lanes>(word: L) -> [L; 2] {
    [word.right::<10>().or(word.left::<20>()), word.right::<20>().or(word.left::<10>())]
}

/// The columns of each box moved by one and by two, cyclically.
#[inline(always)]
fn columns_moved<L: Lanes>(word: L) -> [L; 2] {
    [
        select(FIRST_COLUMNS << 2, word.left::<2>(), word.right::<1>()),
        select(FIRST_COLUMNS, word.right::<2>(), word.left::<1>()),
    ]
}

/// The crossings of rows and boxes, three digits in a word.
#[inline(always)]
fn row_crossings<L: Lanes>([a, b, c]: [L; 3]) -> L {
    let a = a.or3(a.right::<1>(), a.right::<2>());
    let b = b.or3(b.left::<1>(), b.right::<1>());
    let c = c.or3(c.left::<1>(), c.left::<2>());
    merge([CROSSINGS << 2, CROSSINGS << 1], [c, b, a])
}

/// The crossings of rows and boxes in the four directions.
#[inline(always)]
fn row_moved<L: Lanes>(crossings: L) -> Moved<L> {
    let turn = boxes_turned(crossings);
    let [turn_one, turn_two] = rows_moved(turn);
    let [back_one, back_two] = rows_moved(boxes_turned(turn));
    Moved { down: [turn_one, back_two], up: [back_one, turn_two] }
}

/// The cells of crossings, where the digits of a crossing and its cells are `ONE` bits apart. `bits` are those of the
/// first two digits. Guards of the result mean nothing.
#[inline(always)]
fn merged<L: Lanes, const ONE: i32, const TWO: i32>(crossings: L, bits: [u32; 2]) -> [L; 3] {
    let (up, up2) = (crossings.left::<ONE>(), crossings.left::<TWO>());
    let (down, down2) = (crossings.right::<ONE>(), crossings.right::<TWO>());
    [merge(bits, [crossings, up, up2]), merge(bits, [down, crossings, up]), merge(bits, [down2, down, crossings])]
}

/// The cells of crossings. If [`Lanes::SELECTS`], guards of the result mean nothing.
#[inline(always)]
fn row_cells<L: Lanes>(crossings: L) -> [L; 3] {
    if L::SELECTS {
        return merged::<L, 1, 2>(crossings, [CROSSINGS, CROSSINGS << 1]);
    }
    let a = crossings.and(L::splat(CROSSINGS));
    let b = crossings.and(L::splat(CROSSINGS << 1));
    let c = crossings.and(L::splat(CROSSINGS << 2));
    // 8 - 1 = 7: all three cells of a crossing.
    [a.left::<3>().minus(a), b.left::<2>().minus(b.right::<1>()), c.left::<1>().minus(c.right::<2>())]
}

/// Rule 2: the crossings that go.
#[inline(always)]
fn lock_rows<L: Lanes>(words: [L; 3]) -> L {
    let crossings = row_crossings(words);
    let [down, up] = row_moved(crossings).ways();
    crossings.without(down.or(up))
}

/// The three rows of each band, three digits in a word.
#[inline(always)]
fn column_rows<L: Lanes>([a, b, c]: [L; 3]) -> [L; 3] {
    const X: [u32; 3] = [COLUMNS, COLUMNS << 10, COLUMNS << 20];
    let first = merge([X[2], X[1]], [c.left::<20>(), b.left::<10>(), a]);
    let second = merge([X[2], X[0]], [c.left::<10>(), a.right::<10>(), b]);
    let third = merge([X[1], X[0]], [b.right::<10>(), a.right::<20>(), c]);
    [first, second, third]
}

/// The crossings of columns and boxes, three digits in a word: bit 10 v + c of a band is column c of vector v's digit.
#[inline(always)]
fn column_crossings<L: Lanes>([a, b, c]: [L; 3]) -> L {
    let a = a.or3(a.right::<10>(), a.right::<20>());
    let b = b.or3(b.left::<10>(), b.right::<10>());
    let c = c.or3(c.left::<10>(), c.left::<20>());
    merge([COLUMNS << 20, COLUMNS << 10], [c, b, a])
}

/// The crossings of columns and boxes in the four directions.
#[inline(always)]
fn column_moved<L: Lanes>(crossings: L) -> Moved<L> {
    let [turn, back] = columns_moved(crossings);
    Moved { down: [turn.next_band(), back.previous_band()], up: [back.next_band(), turn.previous_band()] }
}

/// The cells of crossings of columns and boxes. If [`Lanes::SELECTS`], guards of the result mean nothing.
#[inline(always)]
fn column_cells<L: Lanes>(crossings: L) -> [L; 3] {
    if L::SELECTS {
        return merged::<L, 10, 20>(crossings, [COLUMNS, COLUMNS << 10]);
    }
    let a = crossings.and(L::splat(COLUMNS));
    let b = crossings.and(L::splat(COLUMNS << 10));
    let c = crossings.and(L::splat(COLUMNS << 20));
    [
        a.or3(a.left::<10>(), a.left::<20>()),
        b.or3(b.left::<10>(), b.right::<10>()),
        c.or3(c.right::<10>(), c.right::<20>()),
    ]
}

/// Rule 3: the crossings that go.
#[inline(always)]
fn lock_columns<L: Lanes>(words: [L; 3]) -> L {
    let crossings = column_crossings(words);
    let [down, up] = column_moved(crossings).ways();
    crossings.without(down.or(up))
}

/// The crossings with at least three of the nine digits, at the bit of the first digit of a word. The other two digits
/// of the word are `A` and `B` bits above it.
#[inline(always)]
fn three<L: Lanes, const A: i32, const B: i32>(word: L) -> L {
    let (ones, twos) = (word.odd_groups(), word.several_groups());
    let [ones_a, ones_b] = [ones.right::<A>(), ones.right::<B>()];
    let [twos_a, twos_b] = [twos.right::<A>(), twos.right::<B>()];
    // Each place has a sum over the groups in binary. Three places together have three or more if there is a one and a
    // two, or three ones, or two twos.
    let one_and_two = ones.or3(ones_a, ones_b).and(twos.or3(twos_a, twos_b));
    one_and_two.or3(ones.and(ones_a).and(ones_b), majority([twos, twos_a, twos_b]))
}

/// A triad (three cells of a row or column in a box) has three digits: if three must be there, others go. True after
/// changes.
#[inline(always)]
pub(crate) fn triads<L: Lanes>(words: &mut [L; 3]) -> bool {
    let crossings = row_crossings(*words);
    let [next_row, last_row] = rows_moved(crossings);
    let next_box = boxes_turned(crossings);
    let last_box = boxes_turned(next_box);
    // A digit must be in a crossing if it has no other one in its box, or no other one in its row.
    let sure = crossings.without(next_row.or(last_row).and(next_box.or(last_box)));
    let full = three::<L, 1, 2>(sure).and(L::splat(CROSSINGS));
    // 8 - 1 = 7: all three digits of a crossing.
    let rows = crossings.and(full.left::<3>().minus(full)).without(sure);
    let crossings = column_crossings(*words);
    let [next_column, last_column] = columns_moved(crossings);
    let other_bands = crossings.next_band().or(crossings.previous_band());
    let sure = crossings.without(next_column.or(last_column).and(other_bands));
    let full = three::<L, 10, 20>(sure).and(L::splat(COLUMNS));
    let columns = crossings.and(full.or3(full.left::<10>(), full.left::<20>())).without(sure);
    if rows.or(columns).same(L::splat(0)) {
        return false;
    }
    for (word, (row, column)) in words.iter_mut().zip(row_cells(rows).into_iter().zip(column_cells(columns))) {
        *word = word.without(row.or(column).and(L::splat(CELLS)));
    }
    true
}

/// The ways of all digits through all bands and stacks: the first three of the rows, the last three; of the columns.
#[inline(always)]
pub(crate) fn all_ways<L: Lanes>(words: [L; 3]) -> [L; 4] {
    let crossings = row_crossings(words);
    let [down, up] = row_moved(crossings).ways();
    let stacks = column_crossings(words);
    let [stacks_down, stacks_up] = column_moved(stacks).ways();
    [crossings.and(down), crossings.and(up), stacks.and(stacks_down), stacks.and(stacks_up)]
}

/// Removes some candidates of each vector, as [`row_cells`] and [`column_cells`] give them.
#[inline(always)]
fn remove<L: Lanes>(words: &mut [L; 3], gone: [L; 3]) {
    for (word, gone) in words.iter_mut().zip(gone) {
        *word = word.without_cells(gone);
    }
}

/// What rule 4 finds.
struct RowPlaces<L> {
    /// Guards of rows that have a place for every digit.
    served: L,
    /// Guards of rows that have several places for some digit.
    several: L,
    /// The cells that are the only place in their row for one digit (or for three, or five ...).
    settled: L,
    /// The candidates that go.
    gone: [L; 3],
}

/// Rule 4.
#[inline(always)]
fn place_rows<L: Lanes>(words: [L; 3]) -> RowPlaces<L> {
    let mut only = words;
    let mut several = L::splat(0);
    let mut served = L::splat(FULL);
    for word in &mut only {
        // The guard of a row outlives the first subtraction if the row has a place, the second if it has several.
        let below = word.minus(L::splat(LOW));
        served = served.and(below);
        let rows = word.and(below).minus(L::splat(LOW)).and(L::splat(GUARDS));
        several = several.or(rows);
        *word = word.clear(rows.minus(rows.right::<9>()));
    }
    let settled = only[0].xor(only[1]).xor(only[2]).odd_groups();
    // A digit loses the settled cells that are not its own only place.
    let gone = [settled.xor(only[0]), settled.xor(only[1]), settled.xor(only[2])];
    RowPlaces { served, several, settled, gone }
}

/// Removes the peers of some places of each digit; the places have no guards. A sweep would do the same for single
/// candidates, but find what follows from it only in the next one.
#[inline(always)]
pub(crate) fn clear_peers<L: Lanes>(words: &mut [L; 3], places: [L; 3]) {
    let columns = column_crossings(places);
    let boxes = columns.or3(columns.right::<1>(), columns.right::<2>()).and(L::splat(FIRST_COLUMNS));
    let boxes = boxes.or3(boxes.left::<1>(), boxes.left::<2>());
    let peers = column_cells(columns.or3(columns.next_band(), columns.previous_band()).or(boxes));
    for ((word, places), peers) in words.iter_mut().zip(places).zip(peers) {
        let rows = places.or(L::splat(GUARDS)).minus(L::splat(LOW)).and(L::splat(GUARDS));
        let rows = rows.minus(rows.right::<9>());
        *word = word.without(peers.or(rows).without(places));
    }
}

/// Columns and boxes for the digits of a position, three digits in a word. A box is the first of its columns; other bits
/// of `boxes` and `crowded_boxes` mean nothing.
struct ColumnsAndBoxes<L> {
    /// Columns with a place.
    columns: L,
    /// Columns with several places.
    crowded_columns: L,
    /// Boxes with a place.
    boxes: L,
    /// Boxes with several places.
    crowded_boxes: L,
}

#[inline(always)]
fn columns_and_boxes<L: Lanes>(words: &[L; 3]) -> ColumnsAndBoxes<L> {
    let rows = column_rows(*words);
    let (once, twice) = (union(rows), majority(rows));
    let bands = [once, once.next_band(), once.previous_band()];
    let triads = [once, once.right::<1>(), once.right::<2>()];
    let crowded_columns = majority(bands).or(twice.or3(twice.next_band(), twice.previous_band()));
    let crowded_boxes = majority(triads).or(twice.or3(twice.right::<1>(), twice.right::<2>()));
    ColumnsAndBoxes { columns: union(bands), crowded_columns, boxes: union(triads), crowded_boxes }
}

/// All naked and hidden singles, those that are placed among them. None if a cell has no candidate or two hidden
/// singles, or if a house has no place for a digit.
#[inline(always)]
pub(crate) fn all_singles<L: Lanes>(words: &[L; 3]) -> Option<[L; 3]> {
    let ColumnsAndBoxes { columns, crowded_columns, boxes, crowded_boxes } = columns_and_boxes(words);
    // The columns and boxes in which a digit has no two places.
    let alone = L::splat(FIRST_COLUMNS).without(crowded_boxes);
    let alone = L::splat(CELLS).without(crowded_columns).or(alone.or3(alone.left::<1>(), alone.left::<2>()));
    let CellCounts { once: held, twice: several } = cell_counts(*words);
    // Bits that a rule does not check are set. So all are set if every cell, column and box is served, and every row.
    let mut served = held.and(columns.or(L::splat(GUARDS))).and(boxes.or(L::splat(FULL & !FIRST_COLUMNS)));
    let mut singles = column_cells(alone);
    for (single, &word) in singles.iter_mut().zip(words) {
        let below = word.minus(L::splat(LOW));
        served = served.and(below.or(L::splat(CELLS)));
        let rows = word.and(below).minus(L::splat(LOW)).and(L::splat(GUARDS));
        let rows = rows.minus(rows.right::<9>());
        *single = word.without(several.and(rows).without(*single)).and(L::splat(CELLS));
    }
    let twice = cell_counts(singles).twice;
    if served.without(twice).same(L::splat(FULL)) { Some(singles) } else { None }
}

/// True if some digit has two of these places in a house.
#[inline(always)]
pub(crate) fn clash<L: Lanes>(places: &[L; 3]) -> bool {
    let ColumnsAndBoxes { crowded_columns, crowded_boxes, .. } = columns_and_boxes(places);
    let mut twice = crowded_columns.and(L::splat(CELLS)).or(crowded_boxes.and(L::splat(FIRST_COLUMNS)));
    for places in places {
        // All places of a row but the lowest.
        twice = twice.or(places.and(places.or(L::splat(GUARDS)).minus(L::splat(LOW))));
    }
    !twice.same(L::splat(0))
}

/// Removes from the cells of some places all other digits.
#[inline(always)]
pub(crate) fn clear_other_digits<L: Lanes>(words: &mut [L; 3], places: &[L; 3]) {
    let cells = union(*places).any_group();
    for (word, places) in words.iter_mut().zip(places) {
        *word = word.without(cells.without(*places));
    }
}

/// The cells that have a common candidate in two positions.
#[inline(always)]
pub(crate) fn cells_of_both<L: Lanes>([a, b, c]: &[L; 3], [d, e, f]: &[L; 3]) -> L {
    union([a.and(*d), b.and(*e), c.and(*f)]).any_group()
}

/// The first half of a sweep: rules 1 and 4.
#[inline(always)]
pub(crate) fn singles<L: Lanes>(words: &mut [L; 3]) -> Singles<L> {
    let RowPlaces { served, several, settled, gone } = place_rows(*words);
    let held = place_cells(words);
    for (word, gone) in words.iter_mut().zip(gone) {
        *word = word.without(gone);
    }
    // The padding of each group has several places in each row, and nothing is settled there.
    let real: DigitWords = [FULL, FULL, FULL, 0];
    let open = several.or(settled.xor(L::splat(FULL)));
    Singles {
        alive: held.and(served.or(L::splat(CELLS))).same(L::splat(FULL)),
        solved: open.meets(L::repeat(&real)) & 0xfff == 0,
        settled,
    }
}

/// The second half of a sweep: rules 2 and 3. Returns the crossings that went.
#[inline(always)]
pub(crate) fn lock<L: Lanes>(words: &mut [L; 3]) -> L {
    let rows = lock_rows(*words);
    remove(words, row_cells(rows));
    let columns = lock_columns(*words);
    remove(words, column_cells(columns));
    rows.or(columns)
}

/// True if no crossings went and some cell has several candidates.
#[inline(always)]
pub(crate) fn quiet<L: Lanes>(words: &[L; 3], gone: L) -> bool {
    let cells = L::repeat(&[CELLS, CELLS, CELLS, 0]);
    gone.and(cells).same(L::splat(0)) && !cell_counts(*words).twice.and(cells).same(L::splat(0))
}

/// True if two positions have the same candidates.
#[inline(always)]
pub(crate) fn equal<L: Lanes>([a, b, c]: &[L; 3], other: &[L; 3]) -> bool {
    let moved = a.xor(other[0]).or_difference(*b, other[1]).or_difference(*c, other[2]);
    moved.same(L::splat(0))
}

/// True if a position that [`singles`] called solved is a solution. The rules may have emptied a column or a box.
#[inline(always)]
pub(crate) fn is_solution<L: Lanes>(words: &[L; 3]) -> bool {
    let [a, b, c] = *words;
    each_house(a) && each_house(b) && each_house(c)
}

/// Has each digit of a vector a place in each column and each box?
#[inline(always)]
fn each_house<L: Lanes>(word: L) -> bool {
    let columns = word.or(word.right::<10>()).or(word.right::<20>()).and(L::splat(COLUMNS));
    let boxes = columns.or(columns.right::<1>()).or(columns.right::<2>()).and(L::splat(0o111));
    let all = columns.or(columns.next_band()).or(columns.previous_band());
    boxes.same(L::splat(0o111)) && all.same(L::splat(COLUMNS))
}

/// The cells whose number of candidates lacks this bit; all cells if there are none.
#[inline(always)]
fn smaller<L: Lanes>(cells: L, bit: L) -> L {
    let fewer = cells.without(bit);
    if fewer.same(L::splat(0)) { cells } else { fewer }
}

/// The cells with fewest candidates among those with two or more. If the fewest are two, only the cells that share a
/// row and a digit with another one of them, if there are any. Padding is empty.
#[inline(always)]
pub(crate) fn fewest<L: Lanes>(words: &[L; 3]) -> L {
    let NarrowCells { cells, are_pairs } = narrowest(words);
    if are_pairs { linked(words, cells) } else { cells }
}

/// Cells with equally few candidates.
pub(crate) struct NarrowCells<L> {
    pub(crate) cells: L,
    /// True if each has two candidates.
    pub(crate) are_pairs: bool,
}

/// The cells with fewest candidates among those with two or more. Padding is empty.
#[inline(always)]
pub(crate) fn narrowest<L: Lanes>(words: &[L; 3]) -> NarrowCells<L> {
    let [a, b, c] = *words;
    // The number of candidates of each cell in binary, a vector for each bit: first of three digits, then of all nine.
    let [ones, twos] = [a.xor(b).xor(c), majority(*words)];
    let [carry, ones] = [ones.several_groups(), ones.odd_groups()];
    let [fours, odd] = [twos.several_groups(), twos.odd_groups()];
    let [carry, twos] = [odd.and(carry), odd.xor(carry)];
    let [eights, fours] = [fours.and(carry), fours.xor(carry)];
    let real = L::repeat(&[CELLS, CELLS, CELLS, 0]);
    let pairs = twos.without(ones.or(fours).or(eights)).and(real);
    if !pairs.same(L::splat(0)) {
        return NarrowCells { cells: pairs, are_pairs: true };
    }
    let several = eights.or(fours).or(twos).and(real);
    // From the highest bit of the counts down, cells without the bit have fewer candidates than those with it.
    let cells = smaller(smaller(smaller(smaller(several, eights), fours), twos), ones);
    NarrowCells { cells, are_pairs: false }
}

/// The cells of a set that share a row and a digit with another cell of the set; the whole set if there are none.
#[inline(always)]
pub(crate) fn linked<L: Lanes>(words: &[L; 3], cells: L) -> L {
    let linked = union([in_rows(words[0], cells), in_rows(words[1], cells), in_rows(words[2], cells)]);
    let linked = linked.any_group().and(cells);
    if linked.same(L::splat(0)) { cells } else { linked }
}

/// The cells of a set in which each digit of a vector has a place, in rows where it has two or more such cells.
#[inline(always)]
fn in_rows<L: Lanes>(word: L, cells: L) -> L {
    let places = word.and(cells).or(L::splat(GUARDS));
    let rows = places.and(places.minus(L::splat(LOW)));
    // A row without places has lost its guard by now. The next subtraction takes the guard of a row with one place. So
    // only rows with several places keep it.
    let rows = rows.minus(L::splat(LOW)).and(rows).and(L::splat(GUARDS));
    rows.minus(rows.right::<9>()).and(places)
}
