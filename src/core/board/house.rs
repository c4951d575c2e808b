//! Defines houses (rows, columns, boxes and those of [`super::rules`]) and the tables of the cells of each house.

use std::sync::LazyLock;

use super::kept::Kept;
use super::{Cell, Shape};

/// A house of a board of order n: rows are 0..n, columns n..2n, boxes 2n..3n, and from 3n on what the rules add.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct House(u16);

/// The kinds of houses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum HouseKind {
    /// A row.
    Row,
    /// A column.
    Column,
    /// A box.
    Box,
    /// A house of the rules beyond rows, columns and boxes: a diagonal, a window.
    Extra,
}

impl HouseKind {
    /// Rows, columns, boxes: the kinds of which every cell is in one house.
    pub(crate) const PLAIN: [HouseKind; 3] = [HouseKind::Row, HouseKind::Column, HouseKind::Box];
}

impl Cell {
    /// The number of its house of a kind, from 0. For further houses, it is the number of its box.
    pub(crate) const fn number(self, shape: Shape, kind: HouseKind) -> usize {
        match kind {
            HouseKind::Row => self.row(shape),
            HouseKind::Column => self.column(shape),
            HouseKind::Box | HouseKind::Extra => self.box_index(shape),
        }
    }
}

impl House {
    /// The house of an index.
    #[inline]
    pub const fn new(index: usize) -> House {
        House(index as u16)
    }

    /// A house of a kind by its number from 0.
    #[inline]
    pub const fn of(shape: Shape, kind: HouseKind, number: usize) -> House {
        House((kind as usize * shape.order() + number) as u16)
    }

    /// The index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its kind.
    #[inline]
    pub const fn kind(self, shape: Shape) -> HouseKind {
        let (index, order) = (self.index(), shape.order());
        if index < order {
            HouseKind::Row
        } else if index < 2 * order {
            HouseKind::Column
        } else if index < 3 * order {
            HouseKind::Box
        } else {
            HouseKind::Extra
        }
    }

    /// The number among its kind, from 0.
    #[inline]
    pub const fn number(self, shape: Shape) -> usize {
        self.index() - self.kind(shape) as usize * shape.order()
    }

    /// The name that players use, from 1: "row 4", "column 7", "box 3", "diagonal 1".
    pub fn name(self, shape: Shape) -> String {
        let kind = match self.kind(shape) {
            HouseKind::Row => "row",
            HouseKind::Column => "column",
            HouseKind::Box if shape.regions().is_some() => "region",
            HouseKind::Box => "box",
            HouseKind::Extra => {
                let extra = shape.rules().and_then(|rules| rules.extras.get(self.number(shape)));
                return extra.map_or_else(String::new, |extra| extra.name.clone());
            }
        };
        format!("{kind} {}", self.number(shape) + 1)
    }
}

/// Which cells lie in which houses, for one shape of order at most 36. Computed once for each shape.
#[derive(Debug)]
pub struct Layout {
    shape: Shape,
    /// Houses of n cells each, ascending.
    house_cells: Vec<Cell>,
    /// Row, column and box of each cell.
    houses_of: Vec<[House; 3]>,
    /// The other houses of each cell.
    extras_of: Vec<Vec<House>>,
    /// The cells that see each cell, ascending, cell after cell.
    peers: Vec<Cell>,
    /// Where the peers of each cell begin in `peers`, and where the last ones end.
    first_peer: Vec<usize>,
    /// The texts of [`Layout::shape_name`], [`Layout::cell_name`] and [`Layout::house_name`].
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
        let (extras, pairs) = shape.rules().map_or((&[][..], &[][..]), |rules| (&rules.extras[..], &rules.pairs[..]));
        let mut by_house = vec![Vec::with_capacity(n); 3 * n];
        let mut houses_of = Vec::with_capacity(n * n);
        for cell in (0..n * n).map(Cell::new) {
            let houses = HouseKind::PLAIN.map(|kind| House::of(shape, kind, cell.number(shape, kind)));
            houses.iter().for_each(|house| by_house[house.index()].push(cell));
            houses_of.push(houses);
        }
        let mut extras_of = vec![Vec::new(); n * n];
        for extra in extras {
            extra.cells.iter().for_each(|&cell| extras_of[usize::from(cell)].push(House::new(by_house.len())));
            by_house.push(extra.cells.iter().map(|&cell| Cell::new(cell.into())).collect());
        }
        let (mut peers, mut first_peer) = (Vec::new(), vec![0]);
        for cell in (0..n * n).map(Cell::new) {
            let houses = houses_of[cell.index()].iter().chain(&extras_of[cell.index()]);
            let mut sees = vec![false; n * n];
            houses.flat_map(|house| &by_house[house.index()]).for_each(|peer| sees[peer.index()] = true);
            let moves = pairs.iter().filter(|pair| pair.cells.contains(&(cell.index() as u16)));
            moves.flat_map(|pair| pair.cells).for_each(|peer| sees[usize::from(peer)] = true);
            peers.extend((0..n * n).map(Cell::new).filter(|&peer| sees[peer.index()] && peer != cell));
            first_peer.push(peers.len());
        }
        Layout {
            shape,
            houses_of,
            extras_of,
            peers,
            first_peer,
            shape_name: shape.to_string(),
            cell_names: (0..n * n).map(|cell| Cell::new(cell).name(shape)).collect(),
            house_names: (0..by_house.len()).map(|house| House::new(house).name(shape)).collect(),
            house_cells: by_house.concat(),
        }
    }

    /// The shape.
    #[inline]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    #[inline]
    pub(crate) fn house_count(&self) -> usize {
        self.house_names.len()
    }

    /// All houses: rows, columns, boxes, and those of the rules.
    #[inline]
    pub fn houses(&self) -> impl Iterator<Item = House> + use<> {
        (0..self.house_count()).map(House::new)
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

    /// Row, column and box of each cell.
    #[inline]
    pub(crate) fn plain_houses(&self) -> &[[House; 3]] {
        &self.houses_of
    }

    #[inline]
    pub(crate) fn plain_houses_of(&self, cell: Cell) -> [House; 3] {
        self.houses_of[cell.index()]
    }

    /// The houses of a cell that the rules add.
    #[inline]
    pub(crate) fn extras_of(&self, cell: Cell) -> &[House] {
        &self.extras_of[cell.index()]
    }

    #[inline]
    pub(crate) fn houses_of(&self, cell: Cell) -> impl Iterator<Item = House> + Clone {
        self.plain_houses_of(cell).into_iter().chain(self.extras_of(cell).iter().copied())
    }

    /// The cells that share a house with a cell or see it by a move, without itself, ascending.
    #[inline]
    pub fn peers(&self, cell: Cell) -> &[Cell] {
        &self.peers[self.first_peer[cell.index()]..self.first_peer[cell.index() + 1]]
    }

    /// The cells that see a cell without sharing a house with it, ascending.
    pub(crate) fn moves_of(&self, cell: Cell) -> impl Iterator<Item = Cell> {
        let has_moves = self.shape.rules().is_some_and(|rules| !rules.pairs.is_empty());
        self.peers(cell)
            .iter()
            .copied()
            .filter(move |peer| has_moves && !self.houses_of(cell).any(|house| self.house(house).contains(peer)))
    }

    /// The text of the shape, made once.
    #[inline]
    pub(crate) fn shape_name(&self) -> &str {
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
}

pub(crate) fn names(houses: &[House], shape: Shape) -> String {
    houses.iter().map(|house| house.name(shape)).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn houses_partition_the_board_three_times() {
        for shape in Shape::all(36) {
            let layout = Layout::of(shape);
            let n = shape.order();
            for kind in HouseKind::PLAIN {
                let mut cells: Vec<Cell> =
                    (0..n).flat_map(|number| layout.house(House::of(shape, kind, number)).to_vec()).collect();
                cells.sort_unstable();
                assert_eq!(cells, layout.cells().collect::<Vec<_>>(), "{shape} {kind:?}");
            }
            let peers = 3 * n - shape.box_rows() - shape.box_columns() - 1;
            assert!(layout.cells().all(|cell| layout.peers(cell).len() == peers), "{shape}");
        }
    }
}
