//! The maps that turn a board into an isomorphic one: transposition and permutations of rows, columns and digits.
//!
//! Rows may be permuted inside a band, bands as a whole, columns inside a stack, stacks as a whole; digits may be
//! relabelled; the board may be transposed, which exchanges the sides of its boxes (2x3 becomes 3x2).

use super::{Grid, Puzzle, Shape, Solution};
use crate::random::Rng;

/// A map of boards. It transposes first, then permutes rows and columns of the result, then relabels the digits.
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
    /// Shape of the boards it maps from.
    source: Shape,
    transpose: bool,
    /// Row i of the image is row `rows[i]` of the (transposed) source.
    rows: Vec<u16>,
    /// Column i of the image is column `columns[i]` of the (transposed) source.
    columns: Vec<u16>,
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

/// The lines 0..groups*size, shuffled inside their groups of `size`; the groups are shuffled too if `blocks`.
pub fn random_lines(groups: usize, size: usize, blocks: bool, rng: &mut Rng) -> Vec<u16> {
    let mut lines: Vec<u16> = (0..(groups * size) as u16).collect();
    if blocks {
        let mut order: Vec<u16> = (0..groups as u16).collect();
        rng.shuffle(&mut order);
        for (group, &from) in lines.chunks_exact_mut(size).zip(&order) {
            (from * size as u16..).zip(group).for_each(|(line, slot)| *slot = line);
        }
    }
    lines.chunks_exact_mut(size).for_each(|group| rng.shuffle(group));
    lines
}

fn inverse(map: &[u16]) -> Vec<u16> {
    let mut result = vec![0; map.len()];
    map.iter().enumerate().for_each(|(from, &to)| result[usize::from(to)] = from as u16);
    result
}

/// True if `lines` is a permutation that keeps groups of `size` consecutive lines together.
fn keeps_groups(lines: &[u16], size: usize) -> bool {
    let mut sorted = lines.to_vec();
    sorted.sort_unstable();
    sorted.iter().enumerate().all(|(at, &line)| at == usize::from(line))
        && lines
            .chunks_exact(size)
            .all(|group| group.iter().all(|&line| usize::from(line) / size == usize::from(group[0]) / size))
}

impl Isomorphism {
    /// The map that changes nothing.
    pub fn identity(source: Shape) -> Isomorphism {
        let lines: Vec<u16> = (0..source.order() as u16).collect();
        Isomorphism {
            source,
            transpose: false,
            rows: lines.clone(),
            columns: lines,
            digits: (0..=source.order() as u16).collect(),
        }
    }

    /// A map from its parts. Row i of the image is row `rows[i]` of the (transposed) source, and in the same way for
    /// columns. Value v becomes `digits[v]` (n+1 entries, `digits[0] == 0`). None if the parts do not keep bands and
    /// stacks together, or if the digits are not a permutation.
    pub fn new(
        source: Shape,
        transpose: bool,
        rows: Vec<u16>,
        columns: Vec<u16>,
        digits: Vec<u16>,
    ) -> Option<Isomorphism> {
        let target = if transpose { source.transposed() } else { source };
        let n = target.order();
        let sound = rows.len() == n
            && columns.len() == n
            && digits.len() == n + 1
            && digits[0] == 0
            && keeps_groups(&rows, target.box_rows())
            && keeps_groups(&columns, target.box_columns())
            && keeps_groups(&digits, 1);
        sound.then_some(Isomorphism { source, transpose, rows, columns, digits })
    }

    /// A uniformly random map of the boards of a shape onto boards of the same shape.
    pub fn random(shape: Shape, freedom: Freedom, rng: &mut Rng) -> Isomorphism {
        let mut digits: Vec<u16> = (0..=shape.order() as u16).collect();
        rng.shuffle(&mut digits[1..]);
        let rows = random_lines(shape.bands(), shape.box_rows(), freedom.blocks, rng);
        let columns = random_lines(shape.stacks(), shape.box_columns(), freedom.blocks, rng);
        let transpose = freedom.transpose && shape.is_square() && rng.below(2) == 1;
        Isomorphism { source: shape, transpose, rows, columns, digits }
    }

    /// Transposition alone.
    pub fn transposition(source: Shape) -> Isomorphism {
        Isomorphism { transpose: true, ..Isomorphism::identity(source) }
    }

    /// The shape of the images.
    pub fn target(&self) -> Shape {
        if self.transpose { self.source.transposed() } else { self.source }
    }

    fn map_values(&self, values: &[u16]) -> Vec<u16> {
        let n = self.source.order();
        debug_assert_eq!(values.len(), n * n);
        let (row_step, column_step) = if self.transpose { (1, n) } else { (n, 1) };
        let mut image = vec![0; n * n];
        for (line, &row) in image.chunks_exact_mut(n).zip(&self.rows) {
            let row = usize::from(row) * row_step;
            for (value, &column) in line.iter_mut().zip(&self.columns) {
                *value = self.digits[usize::from(values[row + usize::from(column) * column_step])];
            }
        }
        image
    }

    /// The image of a solution, which is a solution.
    ///
    /// # Panics
    /// If the shape is not the source of the map. The same holds for the next two functions.
    pub fn apply(&self, solution: &Solution) -> Solution {
        assert_eq!(solution.shape(), self.source);
        Solution::trusted(self.target(), self.map_values(solution.values()))
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
        let (rows, columns) = (inverse(&self.rows), inverse(&self.columns));
        let (rows, columns) = if self.transpose { (columns, rows) } else { (rows, columns) };
        Isomorphism { source: self.target(), transpose: self.transpose, rows, columns, digits: inverse(&self.digits) }
    }

    /// The composition: this map first, then another one.
    ///
    /// # Panics
    /// If the other map does not start from the shape that this one gives.
    pub fn then(&self, next: &Isomorphism) -> Isomorphism {
        assert_eq!(self.target(), next.source);
        let (rows, columns) = if next.transpose { (&self.columns, &self.rows) } else { (&self.rows, &self.columns) };
        let through = |outer: &[u16], inner: &[u16]| outer.iter().map(|&at| inner[usize::from(at)]).collect();
        Isomorphism {
            source: self.source,
            transpose: self.transpose != next.transpose,
            rows: through(&next.rows, rows),
            columns: through(&next.columns, columns),
            digits: through(&self.digits, &next.digits),
        }
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
                assert_eq!(
                    Isomorphism::new(shape, map.transpose, map.rows.clone(), map.columns.clone(), map.digits.clone()),
                    Some(map)
                );
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
    fn parts_that_break_a_band_are_refused() {
        let identity = Isomorphism::identity(Shape::NINE);
        let broken = vec![0, 1, 3, 2, 4, 5, 6, 7, 8];
        assert_eq!(
            Isomorphism::new(Shape::NINE, false, broken, identity.columns.clone(), identity.digits.clone()),
            None
        );
        assert_eq!(Isomorphism::new(Shape::NINE, false, identity.rows.clone(), identity.columns, vec![1; 10]), None);
    }
}
