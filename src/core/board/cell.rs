//! Defines a cell, and sets of cells.
//!
//! Techniques are written once for all types of [`CellSet`] and compiled for a few widths. *Tried and lost*: one wide
//! type for all boards, which makes 9x9 ten times slower; and `[u64; 2]` instead of `u128`, a quarter slower.

use std::fmt;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, Sub};

use super::Shape;

/// A cell, numbered row by row from 0 in the upper left corner.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(u32);

impl Cell {
    /// The cell of an index from 0.
    #[inline]
    pub const fn new(index: usize) -> Cell {
        Cell(index as u32)
    }

    /// The cell of a row and a column, both from 0.
    #[inline]
    pub const fn at(shape: Shape, row: usize, column: usize) -> Cell {
        Cell::new(row * shape.order() + column)
    }

    /// The index, from 0.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The row, from 0.
    #[inline]
    pub const fn row(self, shape: Shape) -> usize {
        self.index() / shape.order()
    }

    /// The column, from 0.
    #[inline]
    pub const fn column(self, shape: Shape) -> usize {
        self.index() % shape.order()
    }

    /// The box, from 0, row by row.
    #[inline]
    pub const fn box_index(self, shape: Shape) -> usize {
        shape.box_of(self.row(shape), self.column(shape))
    }

    /// The cell of a board with a name such as r4c7, in lower or upper case. None if the board has no such cell.
    pub fn named(shape: Shape, name: &str) -> Option<Cell> {
        let (row, column) = name.strip_prefix(['r', 'R'])?.split_once(['c', 'C'])?;
        let line = |text: &str| text.parse::<usize>().ok().filter(|line| (1..=shape.order()).contains(line));
        Some(Cell::at(shape, line(row)? - 1, line(column)? - 1))
    }

    /// The name that players use: row and column from 1, as in r4c7.
    pub fn name(self, shape: Shape) -> String {
        format!("r{}c{}", self.row(shape) + 1, self.column(shape) + 1)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cell {}", self.0)
    }
}

/// A set of cells: `&` intersection, `|` union, `-` difference.
///
/// ```
/// use sudoku_corpus_core::board::{Cell, CellSet, House, HouseKind, Layout, Narrow, Shape};
///
/// let layout = Layout::of(Shape::NINE);
/// let cells = |kind| Narrow::of(layout.house(House::of(Shape::NINE, kind, 0)).iter().copied());
/// let (row, block) = (cells(HouseKind::Row), cells(HouseKind::Box));
/// assert_eq!(((row & block).len(), (row | block).len()), (3, 15));
/// let rest = row - block;
/// assert_eq!(rest.first(), Some(Cell::at(Shape::NINE, 0, 3)));
/// assert!(rest.within(row) && !rest.meets(block));
/// ```
pub trait CellSet:
    Copy
    + Eq
    + Ord
    + Hash
    + Default
    + fmt::Debug
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Sub<Output = Self>
    + 'static
{
    /// The largest number of cells that the type can hold.
    const CAPACITY: usize;

    /// Adds a cell.
    fn insert(&mut self, cell: Cell);

    /// Removes a cell.
    fn remove(&mut self, cell: Cell);

    /// True if the cell is in the set.
    fn contains(self, cell: Cell) -> bool;

    /// Number of cells.
    fn len(self) -> usize;

    /// The cell with the lowest index.
    fn first(self) -> Option<Cell>;

    /// The set without the cell with the lowest index.
    #[inline]
    fn without_first(mut self) -> Self {
        if let Some(first) = self.first() {
            self.remove(first);
        }
        self
    }

    /// True if the set has at most `count` cells. For a small count this is faster than counting all cells.
    #[inline]
    fn is_at_most(self, count: usize) -> bool {
        let (mut rest, mut left) = (self, count);
        while left > 0 && !rest.is_empty() {
            rest = rest.without_first();
            left -= 1;
        }
        rest.is_empty()
    }

    /// The first 128 cells as bits.
    fn low(self) -> u128;

    /// The set of some of the first 128 cells, given as bits.
    fn from_low(bits: u128) -> Self;

    /// The empty set.
    #[inline]
    fn empty() -> Self {
        Self::default()
    }

    /// True if the set is empty.
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// True if the sets share a cell.
    #[inline]
    fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    /// True if every cell of this set is in the other.
    #[inline]
    fn within(self, other: Self) -> bool {
        (self - other).is_empty()
    }

    /// The set of one cell.
    #[inline]
    fn only(cell: Cell) -> Self {
        let mut set = Self::default();
        set.insert(cell);
        set
    }

    /// The set of the cells that an iterator gives.
    #[inline]
    fn of<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        let mut set = Self::default();
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }

    /// The cells in ascending order.
    #[inline]
    fn cells(self) -> Cells<Self> {
        Cells(self)
    }
}

/// The cells of a set in ascending order.
#[derive(Clone, Debug)]
pub struct Cells<S>(S);

impl<S: CellSet> Iterator for Cells<S> {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        let first = self.0.first()?;
        self.0 = self.0.without_first();
        Some(first)
    }
}

/// Up to 128 cells in one `u128`: boards up to order 11.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Narrow(pub u128);

impl CellSet for Narrow {
    const CAPACITY: usize = 128;

    #[inline]
    fn insert(&mut self, cell: Cell) {
        self.0 |= 1 << cell.index();
    }

    #[inline]
    fn remove(&mut self, cell: Cell) {
        self.0 &= !(1 << cell.index());
    }

    #[inline]
    fn contains(self, cell: Cell) -> bool {
        self.0 >> cell.index() & 1 != 0
    }

    #[inline]
    fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    #[inline]
    fn first(self) -> Option<Cell> {
        if self.0 == 0 { None } else { Some(Cell::new(self.0.trailing_zeros() as usize)) }
    }

    #[inline]
    fn without_first(self) -> Self {
        // Clears the lowest bit.
        Narrow(self.0 & self.0.wrapping_sub(1))
    }

    #[inline]
    fn low(self) -> u128 {
        self.0
    }

    #[inline]
    fn from_low(bits: u128) -> Self {
        Narrow(bits)
    }
}

set_operators!([] Narrow: u128, |a, b, apply| Narrow(apply(a.0, b.0)), cells);

/// Up to 64 W cells in W words: `Wide<4>` up to order 16, `Wide<10>` up to 25, `Wide<21>` up to 36.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Wide<const W: usize>(pub [u64; W]);

impl<const W: usize> Default for Wide<W> {
    #[inline]
    fn default() -> Self {
        Wide([0; W])
    }
}

impl<const W: usize> CellSet for Wide<W> {
    const CAPACITY: usize = 64 * W;

    #[inline]
    fn insert(&mut self, cell: Cell) {
        self.0[cell.index() / 64] |= 1 << (cell.index() % 64);
    }

    #[inline]
    fn remove(&mut self, cell: Cell) {
        self.0[cell.index() / 64] &= !(1 << (cell.index() % 64));
    }

    #[inline]
    fn contains(self, cell: Cell) -> bool {
        self.0[cell.index() / 64] >> (cell.index() % 64) & 1 != 0
    }

    #[inline]
    fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    #[inline]
    fn first(self) -> Option<Cell> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(Cell::new(64 * word + self.0[word].trailing_zeros() as usize))
    }

    #[inline]
    fn low(self) -> u128 {
        u128::from(self.0[0]) | u128::from(self.0[1]) << 64
    }

    #[inline]
    fn from_low(bits: u128) -> Self {
        let mut set = Self::default();
        (set.0[0], set.0[1]) = (bits as u64, (bits >> 64) as u64);
        set
    }
}

set_operators!([const W: usize] Wide<W>: u64, |a, b, apply| Wide(std::array::from_fn(|i| apply(a.0[i], b.0[i]))), cells);

#[cfg(test)]
mod tests {
    use super::*;

    fn laws<S: CellSet>() {
        let a = S::of([0, 5, 63, 64, 100, S::CAPACITY - 1].map(Cell::new));
        let b = S::of([5, 100].map(Cell::new));
        assert_eq!(a.len(), 6);
        assert_eq!((a - b).len(), 4);
        assert_eq!(a & b, b);
        assert_eq!(a | b, a);
        assert!(b.within(a) && !a.within(b) && a.meets(b) && !(a - b).meets(b));
        assert_eq!(a.cells().map(Cell::index).collect::<Vec<_>>(), [0, 5, 63, 64, 100, S::CAPACITY - 1]);
        assert!(S::empty().is_empty() && S::empty().first().is_none() && S::empty().without_first().is_empty());
        assert_eq!(a.without_first(), a - S::only(Cell::new(0)));
        assert!((0..9).all(|count| a.is_at_most(count) == (count >= 6) && S::empty().is_at_most(count)));
        let [low, high] = [0..128, 128..S::CAPACITY].map(|cells| S::of(cells.map(Cell::new)));
        assert_eq!(S::from_low((a & low).low()), a - high);
    }

    #[test]
    fn set_laws_hold_at_every_width() {
        laws::<Narrow>();
        laws::<Wide<4>>();
        laws::<Wide<10>>();
        laws::<Wide<21>>();
    }
}
