//! Computes houses and peers as sets of cells of one width, and chooses the width for a shape.

use std::any::{Any, TypeId};
use std::sync::LazyLock;

use super::super::kept::Kept;
use super::super::{Cell, CellSet, House, Layout, Narrow, Shape};

/// Houses and peers of a shape as sets of one width. Computed once for each shape and width.
#[derive(Debug)]
pub struct Sets<S> {
    /// The tables that these sets are made from.
    layout: &'static Layout,
    /// False if every cell has three houses, as on all plain boards.
    has_extras: bool,
    /// The houses, in the order of [`House`].
    houses: Vec<S>,
    /// The cells that see each cell, without itself.
    peers: Vec<S>,
}

impl<S: CellSet> Sets<S> {
    /// The sets of a shape. They are computed at the first call and live as long as the program.
    ///
    /// # Panics
    /// If the board has more cells than `S` holds, or an order above [`Shape::MAX_SOLVABLE_ORDER`].
    pub fn of(shape: Shape) -> &'static Sets<S> {
        static NINE: LazyLock<Sets<Narrow>> = LazyLock::new(|| Sets::compute(Shape::NINE));
        if shape == Shape::NINE
            && let Some(sets) = (&*NINE as &'static dyn Any).downcast_ref()
        {
            return sets;
        }
        static KNOWN: Kept<(TypeId, Shape), dyn Any + Send + Sync> = Kept::new();
        let sets = KNOWN.get((TypeId::of::<S>(), shape), || Box::new(Sets::<S>::compute(shape)));
        sets.downcast_ref().unwrap_or_else(|| unreachable!("the key holds the type"))
    }

    fn compute(shape: Shape) -> Sets<S> {
        assert!(shape.cells() <= S::CAPACITY, "{} cells in a set of {}", shape.cells(), S::CAPACITY);
        let layout = Layout::of(shape);
        let set = |cells: &[Cell]| S::of(cells.iter().copied());
        Sets {
            layout,
            has_extras: layout.cells().any(|cell| !layout.extras_of(cell).is_empty()),
            houses: layout.houses().map(|house| set(layout.house(house))).collect(),
            peers: layout.cells().map(|cell| set(layout.peers(cell))).collect(),
        }
    }

    /// The shape.
    #[inline]
    pub fn shape(&self) -> Shape {
        self.layout.shape()
    }

    /// The tables that these sets were made from.
    #[inline]
    pub fn layout(&self) -> &'static Layout {
        self.layout
    }

    /// The cells of a house.
    #[inline]
    pub fn house(&self, house: House) -> S {
        self.houses[house.index()]
    }

    /// The cells that see a cell, without itself.
    #[inline]
    pub fn peers(&self, cell: Cell) -> S {
        self.peers[cell.index()]
    }

    #[inline(always)]
    pub(crate) fn houses_of(&self, cell: Cell) -> impl Iterator<Item = House> + Clone + use<S> {
        let extras: &'static [House] = if self.has_extras { self.layout.extras_of(cell) } else { &[] };
        self.layout.plain_houses_of(cell).into_iter().chain(extras.iter().copied())
    }

    /// Visits all houses of a cell. A loop over [`Sets::houses_of`] keeps the state of a chain; this one does not.
    #[inline(always)]
    pub(super) fn each_house_of(&self, cell: Cell, mut visit: impl FnMut(House)) {
        for house in self.layout.plain_houses_of(cell) {
            visit(house);
        }
        if self.has_extras {
            self.layout.extras_of(cell).iter().for_each(|&house| visit(house));
        }
    }
}

/// The value of an expression with a type: the narrowest [`CellSet`] for candidates on a shape of order at most 36.
macro_rules! at_width {
    (@ $width:ty, $set:ident, $value:expr) => {{
        type $set = $width;
        $value
    }};
    ($shape:expr, $set:ident => $value:expr) => {
        match $shape.cells() {
            0..=128 => at_width!(@ $crate::board::Narrow, $set, $value),
            129..=256 => at_width!(@ $crate::board::Wide<4>, $set, $value),
            257..=640 => at_width!(@ $crate::board::Wide<10>, $set, $value),
            _ => at_width!(@ $crate::board::Wide<21>, $set, $value),
        }
    };
}
pub(crate) use at_width;

/// A set of houses of one board; at most 128.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Houses(pub(crate) u128);

impl Houses {
    #[inline]
    pub(super) fn insert(&mut self, house: House) {
        self.0 |= 1 << house.index();
    }

    #[inline]
    pub(super) fn remove(&mut self, house: House) {
        self.0 &= !(1 << house.index());
    }

    /// True if the house is in the set.
    #[inline]
    pub fn has(self, house: House) -> bool {
        self.0 >> house.index() & 1 != 0
    }

    /// The houses in ascending order.
    #[inline]
    pub fn iter(mut self) -> impl Iterator<Item = House> + Clone {
        std::iter::from_fn(move || {
            let first = self.0.trailing_zeros() as usize;
            self.0 &= self.0.checked_sub(1)?;
            Some(House::new(first))
        })
    }

    /// The houses of this set or another.
    #[inline]
    pub fn or(self, other: Houses) -> Houses {
        Houses(self.0 | other.0)
    }

    /// The houses of this set and another.
    #[inline]
    pub fn and(self, other: Houses) -> Houses {
        Houses(self.0 & other.0)
    }

    /// The boxes among them, on a board of order n: the bits from 2n to 3n - 1.
    #[inline]
    pub fn boxes(self, order: usize) -> Houses {
        Houses(self.0 & !(u128::MAX << order) << (2 * order))
    }

    /// The houses that are no boxes, on a board of order n.
    #[inline]
    pub(crate) fn without_boxes(self, order: usize) -> Houses {
        Houses(self.0 & !(!(u128::MAX << order) << (2 * order)))
    }
}
