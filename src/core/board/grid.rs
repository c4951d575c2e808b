//! Defines grid, puzzle and solution: three types, from "any assignment of digits to cells" to "complete and valid".

use super::rules::Conflict;
use super::{Cell, Digit, House, HouseKind, Reason, Shape};

/// The cells of a board. Each is empty or holds a digit of the board. Digits may conflict.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Grid {
    shape: Shape,
    /// Row by row; 0 is blank, 1..=n a digit.
    values: Vec<u16>,
}

/// A grid in which no two cells that see each other hold the same digit. It may have no solution, one, or many.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Puzzle(Grid);

/// A grid without empty cells in which every house holds every digit once.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Solution(Grid);

impl Grid {
    /// A board without digits.
    pub fn blank(shape: Shape) -> Grid {
        Grid { shape, values: vec![0; shape.cells()] }
    }

    /// A grid from n*n values row by row, 0 for blank.
    ///
    /// # Errors
    /// If there are not n*n values, or if one is above n.
    pub fn new(shape: Shape, values: Vec<u16>) -> Result<Grid, Reason> {
        if values.len() != shape.cells() {
            return Err(shape.other_length(values.len()));
        }
        if let Some(place) = values.iter().position(|&value| usize::from(value) > shape.order()) {
            let (cell, value, most) = (Cell::new(place).name(shape), values[place], shape.order());
            return Err(Reason(format!("{cell} holds {value}, but the largest digit is {most}")));
        }
        Ok(Grid { shape, values })
    }

    /// The shape.
    #[inline]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The n*n values row by row, 0 for blank.
    #[inline]
    pub fn values(&self) -> &[u16] {
        &self.values
    }

    /// The digit of a cell. None for a blank.
    #[inline]
    pub fn get(&self, cell: Cell) -> Option<Digit> {
        match self.values[cell.index()] {
            0 => None,
            value => Some(Digit::new(value)),
        }
    }

    /// The values of a 9x9 board as bytes; None if it has another shape.
    pub fn nine(&self) -> Option<[u8; 81]> {
        let values: &[u16; 81] = self.values.as_slice().try_into().ok()?;
        (self.shape == Shape::NINE).then(|| values.map(|value| value as u8))
    }

    /// Writes a digit, or a blank, into a cell.
    #[inline]
    pub fn set(&mut self, cell: Cell, digit: Option<Digit>) {
        self.values[cell.index()] = digit.map_or(0, Digit::value);
    }

    /// Number of cells with a digit.
    pub fn givens(&self) -> usize {
        self.values.iter().filter(|&&value| value != 0).count()
    }

    /// The number of empty cells.
    pub fn holes(&self) -> usize {
        self.values.len() - self.givens()
    }

    /// The cells with a digit, and the digits.
    pub fn given_cells(&self) -> impl Iterator<Item = (Cell, Digit)> + '_ {
        self.values
            .iter()
            .enumerate()
            .filter(|&(_, &value)| value != 0)
            .map(|(place, &value)| (Cell::new(place), Digit::new(value)))
    }

    /// True if it is sure that no row, column or box holds a digit twice. Above order 64 this is not computed: false.
    /// Nearly every board that is read has no conflict, and finding the place of a conflict takes five times as long.
    fn is_free_of_conflicts(&self) -> bool {
        const LARGEST: usize = 64;
        let (n, shape) = (self.shape.order(), self.shape);
        if n > LARGEST {
            return false;
        }
        // Divisions are slow, so each column has its stack and each row its band.
        let mut stacks = [0; LARGEST];
        (0..n).for_each(|column| stacks[column] = column / shape.box_columns());
        let (mut columns, mut boxes) = ([0u64; LARGEST], [0u64; LARGEST]);
        let mut twice = 0;
        for (row, values) in self.values.chunks_exact(n).enumerate() {
            let first_box = row / shape.box_rows() * shape.stacks();
            let regions = shape.regions().map(|regions| &regions[row * n..][..n]);
            let mut in_row = 0;
            for (column, &value) in values.iter().enumerate() {
                // No bit in an empty cell.
                let digit = u64::from(value != 0) << (value.wrapping_sub(1) & 63);
                let house = regions.map_or(first_box + stacks[column], |regions| regions[column].into());
                twice |= (in_row | columns[column] | boxes[house]) & digit;
                in_row |= digit;
                columns[column] |= digit;
                boxes[house] |= digit;
            }
        }
        twice == 0
    }

    /// The first conflict, rows before columns before boxes before further rules; None if there is none.
    pub fn conflict(&self) -> Option<Reason> {
        let in_plain_house = self.conflict_in_plain_houses();
        let Conflict { cells, rule } = in_plain_house.or_else(|| self.shape.rules()?.conflict(&self.values))?;
        let digit = Digit::new(self.values[cells[0]]);
        let [first, second] = cells.map(|cell| Cell::new(cell).name(self.shape));
        Some(Reason(format!("digit {digit:?} stands twice {rule}: {first} and {second}")))
    }

    /// The first conflict in a row, column or box, rows first.
    fn conflict_in_plain_houses(&self) -> Option<Conflict> {
        if self.is_free_of_conflicts() {
            return None;
        }
        let (n, shape) = (self.shape.order(), self.shape);
        let mut seen = vec![None; 3 * n * n];
        for kind in HouseKind::PLAIN {
            for (cell, digit) in self.given_cells() {
                let house = House::of(shape, kind, cell.number(shape, kind));
                if let Some(first) = seen[house.index() * n + digit.index()].replace(cell.index()) {
                    return Some(Conflict { cells: [first, cell.index()], rule: format!("in {}", house.name(shape)) });
                }
            }
        }
        None
    }
}

impl Puzzle {
    /// The grid of the givens.
    #[inline]
    pub fn grid(&self) -> &Grid {
        &self.0
    }

    /// Converts it into its grid.
    pub fn into_grid(self) -> Grid {
        self.0
    }

    /// The shape.
    #[inline]
    pub fn shape(&self) -> Shape {
        self.0.shape
    }

    /// True if the solution holds every given of the puzzle.
    pub fn is_part_of(&self, solution: &Solution) -> bool {
        self.shape() == solution.shape()
            && self.0.values.iter().zip(solution.values()).all(|(&given, &value)| given == 0 || given == value)
    }
}

impl Solution {
    /// A solution from values that a generator or a solver of this crate made.
    /// Debug builds check the values. Data from outside must go through `Solution::try_from(grid)`.
    #[inline]
    pub fn trusted(shape: Shape, values: Vec<u16>) -> Solution {
        let grid = Grid { shape, values };
        debug_assert!(
            grid.values.len() == shape.cells() && grid.holes() == 0 && grid.conflict().is_none(),
            "not a solution: {grid:?}"
        );
        Solution(grid)
    }

    /// The cyclic grid of a plain shape: row i is 1..=n shifted by [`Solution::template_shift`] places.
    pub fn template(shape: Shape) -> Solution {
        let n = shape.order();
        let mut values = Vec::with_capacity(n * n);
        for row in 0..n {
            let shift = Solution::template_shift(shape, row);
            values.extend((0..n).map(|column| ((column + shift) % n) as u16 + 1));
        }
        Solution::trusted(shape, values)
    }

    /// How far a row of the cyclic grid is shifted: C (i mod R) + (i div R) for boxes of R rows and C columns.
    pub(crate) const fn template_shift(shape: Shape, row: usize) -> usize {
        shape.box_columns() * (row % shape.box_rows()) + row / shape.box_rows()
    }

    /// The grid.
    #[inline]
    pub fn grid(&self) -> &Grid {
        &self.0
    }

    /// Converts it into its grid.
    pub fn into_grid(self) -> Grid {
        self.0
    }

    /// The shape.
    #[inline]
    pub fn shape(&self) -> Shape {
        self.0.shape
    }

    /// The n*n values row by row.
    #[inline]
    pub fn values(&self) -> &[u16] {
        &self.0.values
    }

    /// The digit of a cell.
    #[inline]
    pub fn digit(&self, cell: Cell) -> Digit {
        Digit::new(self.0.values[cell.index()])
    }

    /// The puzzle that keeps the cells for which `keep` is true.
    pub fn masked(&self, mut keep: impl FnMut(Cell) -> bool) -> Puzzle {
        let values = self
            .values()
            .iter()
            .enumerate()
            .map(|(cell, &value)| if keep(Cell::new(cell)) { value } else { 0 })
            .collect();
        Puzzle(Grid { shape: self.shape(), values })
    }
}

impl TryFrom<Grid> for Puzzle {
    type Error = Reason;

    fn try_from(grid: Grid) -> Result<Puzzle, Reason> {
        grid.conflict().map_or(Ok(Puzzle(grid)), Err)
    }
}

impl TryFrom<Grid> for Solution {
    type Error = Reason;

    fn try_from(grid: Grid) -> Result<Solution, Reason> {
        let Puzzle(grid) = Puzzle::try_from(grid)?;
        match grid.values.iter().position(|&value| value == 0) {
            Some(place) => Err(Reason(format!("{} is empty", Cell::new(place).name(grid.shape)))),
            None => Ok(Solution(grid)),
        }
    }
}

impl From<Solution> for Puzzle {
    fn from(solution: Solution) -> Puzzle {
        Puzzle(solution.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn four(values: [u16; 16]) -> Grid {
        Grid::new("2x2".parse().unwrap(), values.to_vec()).unwrap()
    }

    #[test]
    fn errors_say_where() {
        for (cell, message) in
            [(3, "row 1: r1c1 and r1c4"), (8, "column 1: r1c1 and r3c1"), (5, "box 1: r1c1 and r2c2")]
        {
            let mut values = [0; 16];
            (values[0], values[cell]) = (1, 1);
            let error = Puzzle::try_from(four(values)).unwrap_err();
            assert_eq!(error.to_string(), format!("digit 1 stands twice in {message}"));
        }
        let error = Grid::new("2x2".parse().unwrap(), vec![5; 16]).unwrap_err();
        assert_eq!(error.to_string(), "r1c1 holds 5, but the largest digit is 4");
    }

    #[test]
    fn conflicts_are_seen_in_every_cell_of_every_shape() {
        for shape in ["2x2", "2x3", "3x3", "2x5", "5x5", "6x6"] {
            let shape: Shape = shape.parse().unwrap();
            let n = shape.order();
            for cell in 0..shape.cells() {
                let value = (cell % n + 1) as u16;
                let alone = |other: usize| {
                    let mut values = vec![0; shape.cells()];
                    (values[cell], values[other]) = (value, value);
                    Grid::new(shape, values).unwrap()
                };
                assert_eq!(alone(cell).conflict(), None);
                let other = (cell + n) % shape.cells();
                assert!(alone(other).conflict().is_some(), "{shape} {cell} {other}");
            }
        }
    }

    #[test]
    fn a_solution_has_no_blank() {
        let full = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1];
        assert!(Solution::try_from(four(full)).is_ok());
        let mut holed = full;
        holed[7] = 0;
        assert_eq!(Solution::try_from(four(holed)).unwrap_err().to_string(), "r2c4 is empty");
        let solution = Solution::try_from(four(full)).unwrap();
        assert!(Puzzle::try_from(four(holed)).unwrap().is_part_of(&solution));
    }
}
