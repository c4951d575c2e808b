//! Defines the maps that turn a board into an isomorphic one: permutations of cells and of digits.
//!
//! On plain boards rows may be permuted inside a band, bands as a whole, columns inside a stack, stacks as a whole; the
//! board may be transposed, which exchanges the sides of its boxes (2x3 becomes 3x2). On boards with rules fewer maps
//! keep all houses, and some of them keep no rows: see [`crate::board::Rules`]. Digits may be relabelled on all boards.

use super::Maps;
use crate::board::{Cell, Grid, Layout, Puzzle, Shape, Solution};
use crate::random::Rng;

/// A map of boards: it permutes the cells, then relabels the digits.
///
/// ```
/// use sudoku_corpus_core::board::{Freedom, Isomorphism, Puzzle, Shape, text};
/// use sudoku_corpus_core::catalogue::Canonical;
/// use sudoku_corpus_core::random::{Rng, Stage};
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let puzzle = Puzzle::try_from(text::parse_line(line, None)?)?;
/// let map = Isomorphism::random(Shape::NINE, Freedom::ALL, &mut Rng::new(1, 0, Stage::Sample, 0));
/// let image = map.apply_to_puzzle(&puzzle);
/// assert_ne!(image, puzzle);
/// assert_eq!(map.inverse().apply_to_puzzle(&image), puzzle);
/// assert_eq!(Canonical::of(&image), Canonical::of(&puzzle));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Isomorphism {
    /// The shape of the boards that it maps.
    source: Shape,
    /// The shape of their images.
    target: Shape,
    /// Cell i of the image is cell `cells[i]` of the source.
    cells: Vec<u32>,
    /// Value v becomes `digits[v]`; `digits[0]` is 0.
    digits: Vec<u16>,
}

/// The set of maps from which a random one is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Freedom {
    /// Permute whole bands and whole stacks, besides rows inside bands and columns inside stacks.
    pub blocks: bool,
    /// Transpose with probability 1/2; only square boxes are transposed.
    pub transpose: bool,
}

impl Freedom {
    /// Every map that keeps the shape.
    pub const ALL: Freedom = Freedom { blocks: true, transpose: true };
}

/// The lines 0..groups*size, shuffled inside their groups of `size`; the groups are shuffled too if `blocks`. Rows have
/// bands as groups, columns have stacks.
pub(crate) fn random_lines(groups: usize, size: usize, blocks: bool, rng: &mut Rng) -> Vec<u16> {
    let mut lines: Vec<u16> = (0..(groups * size) as u16).collect();
    if blocks {
        let mut order: Vec<u16> = (0..groups as u16).collect();
        rng.shuffle(&mut order);
        for (lines, &group) in lines.chunks_exact_mut(size).zip(&order) {
            let first_line = group * size as u16;
            (first_line..).zip(lines).for_each(|(number, line)| *line = number);
        }
    }
    lines.chunks_exact_mut(size).for_each(|group| rng.shuffle(group));
    lines
}

/// True if a map is a permutation of the cells, and cells see each other where their images do.
fn keeps_sight(source: Shape, target: Shape, cells: &[u32]) -> bool {
    let mut sorted = cells.to_vec();
    sorted.sort_unstable();
    if !sorted.into_iter().eq(0..source.cells() as u32) {
        return false;
    }
    let (source, target) = (Layout::of(source), Layout::of(target));
    let source_of = |cell: Cell| Cell::new(cells[cell.index()] as usize);
    target.cells().all(|cell| {
        let mut peers: Vec<Cell> = target.peers(cell).iter().map(|&peer| source_of(peer)).collect();
        peers.sort_unstable();
        peers == source.peers(source_of(cell))
    })
}

impl Isomorphism {
    /// The map that changes nothing.
    pub fn identity(source: Shape) -> Isomorphism {
        let cells = (0..source.cells() as u32).collect();
        Isomorphism { source, target: source, cells, digits: (0..=source.order() as u16).collect() }
    }

    /// A map from its parts. Cell i of the image is cell `cells[i]` of the source; value v becomes `digits[v]` (n+1
    /// entries, `digits[0] == 0`). None if two cells see each other and their images do not, or the reverse, or if the
    /// digits are not a permutation; also above order 36.
    pub fn new(source: Shape, target: Shape, cells: Vec<u32>, digits: Vec<u16>) -> Option<Isomorphism> {
        let mut sorted = digits.clone();
        sorted.sort_unstable();
        let sound = source.is_solvable()
            && source.order() == target.order()
            && digits.first() == Some(&0)
            && sorted.into_iter().eq(0..=source.order() as u16)
            && keeps_sight(source, target, &cells);
        sound.then_some(Isomorphism { source, target, cells, digits })
    }

    /// A uniformly random map of the boards of a shape onto boards of the same shape. On boards with rules it keeps all
    /// houses, whatever the freedom. The draws for digits, rows, columns and transposition are made in this order.
    pub fn random(shape: Shape, freedom: Freedom, rng: &mut Rng) -> Isomorphism {
        let mut digits: Vec<u16> = (0..=shape.order() as u16).collect();
        rng.shuffle(&mut digits[1..]);
        let cells = match shape.rules() {
            Some(_) => Maps::of(shape).random(rng),
            None => {
                let rows = random_lines(shape.bands(), shape.box_rows(), freedom.blocks, rng);
                let columns = random_lines(shape.stacks(), shape.box_columns(), freedom.blocks, rng);
                let transpose = freedom.transpose && shape.is_square() && rng.below(2) == 1;
                let n = shape.order() as u32;
                let (down, across) = if transpose { (1, n) } else { (n, 1) };
                let mut cells = Vec::with_capacity(shape.cells());
                for &row in &rows {
                    cells.extend(columns.iter().map(|&column| u32::from(row) * down + u32::from(column) * across));
                }
                cells
            }
        };
        Isomorphism { source: shape, target: shape, cells, digits }
    }

    /// The same map of boards without further rules; None if it turns a row, a column or a box into something else.
    #[cfg(test)]
    pub(crate) fn on_plain_boards(&self) -> Option<Isomorphism> {
        Isomorphism::new(self.source.plain(), self.target.plain(), self.cells.clone(), self.digits.clone())
    }

    /// Transposition alone, of a plain board.
    pub fn transposition(source: Shape) -> Isomorphism {
        let n = source.order() as u32;
        let cells = (0..n).flat_map(|row| (0..n).map(move |column| column * n + row)).collect();
        Isomorphism { target: source.transposed(), cells, ..Isomorphism::identity(source) }
    }

    /// The shape of the images.
    pub fn target(&self) -> Shape {
        self.target
    }

    /// The image of the n*n values of a board of the source's shape.
    fn map_values(&self, values: &[u16]) -> Vec<u16> {
        self.cells.iter().map(|&cell| self.digits[usize::from(values[cell as usize])]).collect()
    }

    /// The image of a solution, which is a solution.
    ///
    /// # Panics
    /// If the shape is not the source of the map. The same holds for the next two functions.
    pub fn apply(&self, solution: &Solution) -> Solution {
        assert_eq!(solution.shape(), self.source);
        Solution::trusted(self.target, self.map_values(solution.values()))
    }

    /// The image of a grid.
    pub fn apply_to_grid(&self, grid: &Grid) -> Grid {
        assert_eq!(grid.shape(), self.source);
        Grid::new(self.target(), self.map_values(grid.values())).unwrap_or_else(|error| unreachable!("{error}"))
    }

    /// The image of a puzzle, which is a puzzle with as many solutions.
    pub fn apply_to_puzzle(&self, puzzle: &Puzzle) -> Puzzle {
        Puzzle::try_from(self.apply_to_grid(puzzle.grid())).unwrap_or_else(|error| unreachable!("{error}"))
    }

    /// The inverse of this map.
    pub fn inverse(&self) -> Isomorphism {
        let mut inverse = Isomorphism { source: self.target, target: self.source, ..self.clone() };
        (0..).zip(&self.cells).for_each(|(image, &cell)| inverse.cells[cell as usize] = image);
        (0..).zip(&self.digits).for_each(|(value, &digit)| inverse.digits[usize::from(digit)] = value);
        inverse
    }

    /// The composition: this map first, then another one.
    ///
    /// # Panics
    /// If the other map does not start from the shape that this one gives.
    pub fn then(&self, next: &Isomorphism) -> Isomorphism {
        assert_eq!(self.target, next.source);
        let cells = next.cells.iter().map(|&cell| self.cells[cell as usize]).collect();
        let digits = self.digits.iter().map(|&digit| next.digits[usize::from(digit)]).collect();
        Isomorphism { source: self.source, target: next.target, cells, digits }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stage;

    #[test]
    fn images_of_solutions_are_solutions_and_inverses_undo() {
        for shape in Shape::all(36) {
            for index in 0..20 {
                let mut rng = Rng::new(3, index, Stage::Bench, 0);
                let mut map = Isomorphism::random(shape, Freedom::ALL, &mut rng);
                if index % 3 == 0 {
                    map = map.then(&Isomorphism::transposition(shape));
                }
                let solution = Solution::template(shape);
                let image = map.apply(&solution);
                assert!(Solution::try_from(image.grid().clone()).is_ok(), "{shape}");
                assert_eq!(map.inverse().apply(&image), solution, "{shape}");
                assert_eq!(map.then(&map.inverse()), Isomorphism::identity(shape));
                if index == 0 {
                    let again = Isomorphism::new(shape, map.target, map.cells.clone(), map.digits.clone());
                    assert_eq!(again, Some(map));
                }
            }
        }
    }

    #[test]
    fn composition_is_application_in_turn() {
        for shape in Shape::all(16) {
            let mut rng = Rng::new(4, 0, Stage::Bench, 0);
            let first = Isomorphism::random(shape, Freedom::ALL, &mut rng).then(&Isomorphism::transposition(shape));
            let second = Isomorphism::random(first.target(), Freedom::ALL, &mut rng);
            assert_eq!(
                first.then(&second).apply(&Solution::template(shape)),
                second.apply(&first.apply(&Solution::template(shape))),
                "{shape}"
            );
        }
    }

    #[test]
    fn parts_that_break_a_house_are_refused() {
        let Isomorphism { cells, digits, .. } = Isomorphism::identity(Shape::NINE);
        let mut broken = cells.clone();
        broken.swap(0, 80);
        let refused = |cells: &[u32], digits: &[u16]| {
            Isomorphism::new(Shape::NINE, Shape::NINE, cells.to_vec(), digits.to_vec()).is_none()
        };
        assert!(!refused(&cells, &digits));
        assert!(refused(&broken, &digits) && refused(&cells, &[1; 10]) && refused(&cells[1..], &digits));
        let x = Shape::NINE.with("x").unwrap();
        assert!(Isomorphism::new(Shape::NINE, x, cells, digits).is_none());
    }
}
