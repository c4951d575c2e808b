//! Houses: rows, columns and boxes, and the tables of the cells of each house.

use std::sync::LazyLock;

use super::shape::Kept;
use super::{Cell, Shape};

/// A house of a board of order n: rows are 0..n, columns n..2n, boxes 2n..3n.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct House(u16);

/// The three kinds of houses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum HouseKind {
    /// A row.
    Row,
    /// A column.
    Column,
    /// A box.
    Box,
}

impl HouseKind {
    /// Rows, columns, boxes.
    pub(crate) const ALL: [HouseKind; 3] = [HouseKind::Row, HouseKind::Column, HouseKind::Box];
}

impl House {
    /// The house of an index 0..3n.
    #[inline]
    pub const fn new(index: usize) -> House {
        House(index as u16)
    }

    /// A row, a column or a box by its number from 0.
    #[inline]
    pub const fn of(shape: Shape, kind: HouseKind, number: usize) -> House {
        House((kind as usize * shape.order() + number) as u16)
    }

    /// The index in 0..3n.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Row, column or box.
    #[inline]
    pub const fn kind(self, shape: Shape) -> HouseKind {
        let (at, order) = (self.index(), shape.order());
        if at < order {
            HouseKind::Row
        } else if at < 2 * order {
            HouseKind::Column
        } else {
            HouseKind::Box
        }
    }

    /// The number among its kind, from 0.
    #[inline]
    pub const fn number(self, shape: Shape) -> usize {
        self.index() % shape.order()
    }

    /// The name that players use, from 1: "row 4", "column 7", "box 3".
    pub fn name(self, shape: Shape) -> String {
        let kind = match self.kind(shape) {
            HouseKind::Row => "row",
            HouseKind::Column => "column",
            HouseKind::Box => "box",
        };
        format!("{kind} {}", self.number(shape) + 1)
    }
}

/// Which cells lie in which houses, for one shape of order at most 36. Computed once for each shape.
#[derive(Debug)]
pub struct Layout {
    shape: Shape,
    /// 3n houses of n cells each, ascending.
    house_cells: Vec<Cell>,
    /// Row, column and box of each cell.
    houses_of: Vec<[House; 3]>,
    /// The cells that see each cell, ascending. All cells have the same number of peers.
    peers: Vec<Cell>,
    /// The names of the shape, of the cells and of the houses.
    shape_name: String,
    cell_names: Vec<String>,
    house_names: Vec<String>,
}

impl Layout {
    /// The tables of a shape. They are computed at the first call and live as long as the program.
    ///
    /// # Panics
    /// If the order is above [`Shape::MAX_SOLVABLE_ORDER`].
    pub fn of(shape: Shape) -> &'static Layout {
        static NINE: LazyLock<Layout> = LazyLock::new(|| Layout::compute(Shape::NINE));
        static OTHERS: Kept<Shape, Layout> = Kept::new();
        if shape == Shape::NINE { &NINE } else { OTHERS.get(shape, || Box::new(Layout::compute(shape))) }
    }

    fn compute(shape: Shape) -> Layout {
        assert!(shape.is_solvable(), "no tables for order {}", shape.order());
        let n = shape.order();
        let mut by_house = vec![Vec::with_capacity(n); 3 * n];
        let mut houses_of = Vec::with_capacity(n * n);
        for cell in (0..n * n).map(Cell::new) {
            let houses = HouseKind::ALL.map(|kind| House::of(shape, kind, cell.number(shape, kind)));
            houses.iter().for_each(|house| by_house[house.index()].push(cell));
            houses_of.push(houses);
        }
        let sees = |a: usize, b: usize| a != b && (0..3).any(|kind| houses_of[a][kind] == houses_of[b][kind]);
        let peers = (0..n * n).flat_map(|a| (0..n * n).filter(move |&b| sees(a, b)).map(Cell::new)).collect();
        Layout {
            shape,
            house_cells: by_house.concat(),
            houses_of,
            peers,
            shape_name: shape.to_string(),
            cell_names: (0..n * n).map(|cell| Cell::new(cell).name(shape)).collect(),
            house_names: (0..3 * n).map(|house| House::new(house).name(shape)).collect(),
        }
    }

    /// The shape.
    #[inline]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// All 3n houses: rows, columns, boxes.
    #[inline]
    pub fn houses(&self) -> impl Iterator<Item = House> + use<> {
        (0..3 * self.shape.order()).map(House::new)
    }

    /// All cells.
    #[inline]
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        (0..self.shape.cells()).map(Cell::new)
    }

    /// The n cells of a house, ascending.
    #[inline]
    pub fn house(&self, house: House) -> &[Cell] {
        let n = self.shape.order();
        &self.house_cells[house.index() * n..][..n]
    }

    /// Row, column and box of a cell.
    #[inline]
    pub fn houses_of(&self, cell: Cell) -> [House; 3] {
        self.houses_of[cell.index()]
    }

    /// The cells that share a house with a cell, without itself, ascending.
    #[inline]
    pub fn peers(&self, cell: Cell) -> &[Cell] {
        let count = self.peers.len() / self.houses_of.len();
        &self.peers[cell.index() * count..][..count]
    }

    /// The text of the shape, made once.
    #[inline]
    pub fn shape_name(&self) -> &str {
        &self.shape_name
    }

    /// The text of [`Cell::name`], made once.
    #[inline]
    pub fn cell_name(&self, cell: Cell) -> &str {
        &self.cell_names[cell.index()]
    }

    /// The text of [`House::name`], made once.
    #[inline]
    pub fn house_name(&self, house: House) -> &str {
        &self.house_names[house.index()]
    }

    /// True if two different cells share a house.
    #[inline]
    pub fn sees(&self, a: Cell, b: Cell) -> bool {
        let (x, y) = (self.houses_of(a), self.houses_of(b));
        a != b && (x[0] == y[0] || x[1] == y[1] || x[2] == y[2])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn houses_partition_the_board_three_times() {
        for shape in Shape::all(36) {
            let layout = Layout::of(shape);
            let n = shape.order();
            for kind in HouseKind::ALL {
                let mut cells: Vec<Cell> =
                    (0..n).flat_map(|number| layout.house(House::of(shape, kind, number)).to_vec()).collect();
                cells.sort_unstable();
                assert_eq!(cells, layout.cells().collect::<Vec<_>>(), "{shape} {kind:?}");
            }
            let peers = 3 * n - shape.box_rows() - shape.box_columns() - 1;
            assert!(layout.cells().all(|cell| layout.peers(cell).len() == peers), "{shape}");
        }
    }

    #[test]
    fn names_count_from_one() {
        let names = [3, 15, 20].map(|index| House::new(index).name(Shape::NINE));
        assert_eq!(names, ["row 4", "column 7", "box 3"]);
    }
}
