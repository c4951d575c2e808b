//! How many maps of a group turn one full grid into another: stabilisers, automorphisms, membership of an orbit.
//!
//! ```text
//!   wanted: rows p, columns q, digits s with  s(A[i][j]) = B[p(i)][q(j)]  for all i, j
//!
//!   known row, known column   ->  a digit        the images of one row and one column are guessed; known images
//!   known row, known digit    ->  a column       give others; if some are still open, one of them is guessed
//!   known column, known digit ->  a row
//! ```
//!
//! This is fast because the 3,359,232 maps of cells of a 9x9 grid are not tried one by one: 81 first guesses are
//! refuted or completed in a few steps each. It works for all boards that the solver accepts.

use crate::board::{Isomorph, Shape, Solution};
use crate::generate::Strength;

const NONE: usize = usize::MAX;

/// Number of maps of the group of a strength that turn `from` into `to`; 0 if the shapes differ. With `from == to` it
/// is the order of the stabiliser, and with [`Strength::Transpose`] the number of automorphisms. (If boxes are not
/// square, transposition leads to another shape, so it is the same as for [`Strength::Blocks`].)
pub fn maps(from: &Solution, to: &Solution, strength: Strength) -> u64 {
    if from.shape() != to.shape() {
        return 0;
    }
    count(from, to, strength, u64::MAX)
}

/// Number of maps of a grid onto itself, among all combinations of relabelling, permutations of rows, columns, bands
/// and stacks, and transposition if boxes are square.
pub fn automorphisms(grid: &Solution) -> u64 {
    maps(grid, grid, Strength::Transpose)
}

/// True if a map of the group turns `from` into `to`.
pub fn is_image(from: &Solution, to: &Solution, strength: Strength) -> bool {
    from.shape() == to.shape() && count(from, to, strength, 1) > 0
}

/// Number of maps; counting stops at `enough`.
fn count(from: &Solution, to: &Solution, strength: Strength, enough: u64) -> u64 {
    let straight = Matching::new(from, to, strength).count(enough);
    if straight >= enough || strength < Strength::Transpose || !from.shape().is_square() {
        return straight;
    }
    straight + Matching::new(&Isomorph::transposition(from.shape()).apply(from), to, strength).count(enough)
}

/// One of the two grids, with the places of its digits.
struct Board {
    values: Vec<usize>,
    /// Column of digit d in row i: `column_in_row[i * n + d]`.
    column_in_row: Vec<usize>,
    /// Row of digit d in column j: `row_in_column[j * n + d]`.
    row_in_column: Vec<usize>,
}

impl Board {
    fn new(grid: &Solution) -> Board {
        let n = grid.shape().order();
        let values: Vec<usize> = grid.values().iter().map(|&value| usize::from(value) - 1).collect();
        let (mut column_in_row, mut row_in_column) = (vec![0; n * n], vec![0; n * n]);
        for (at, &digit) in values.iter().enumerate() {
            column_in_row[at / n * n + digit] = at % n;
            row_in_column[at % n * n + digit] = at / n;
        }
        Board { values, column_in_row, row_in_column }
    }
}

/// A partial map of the lines of one kind, or of digits: the image and the origin of each, [`NONE`] if it is not known
/// yet.
#[derive(Clone)]
struct Partial {
    image: Vec<usize>,
    origin: Vec<usize>,
    known: Vec<usize>,
}

impl Partial {
    fn new(n: usize) -> Partial {
        Partial { image: vec![NONE; n], origin: vec![NONE; n], known: Vec::new() }
    }

    /// Maps `from` to `to`. None if one of them is already matched with another one; true if the match is new.
    fn set(&mut self, from: usize, to: usize) -> Option<bool> {
        if self.image[from] == to {
            return Some(false);
        }
        if self.image[from] != NONE || self.origin[to] != NONE {
            return None;
        }
        self.image[from] = to;
        self.origin[to] = from;
        self.known.push(from);
        Some(true)
    }
}

/// The partial maps of rows and bands, of columns and stacks, and of digits.
#[derive(Clone)]
struct Maps {
    rows: Partial,
    bands: Partial,
    columns: Partial,
    stacks: Partial,
    digits: Partial,
}

/// An image that is known and whose conclusions have not been drawn.
#[derive(Clone, Copy)]
enum News {
    Row(usize),
    Column(usize),
    Digit(usize),
}

struct Matching {
    shape: Shape,
    from: Board,
    to: Board,
    fixed_blocks: bool,
}

impl Matching {
    fn new(from: &Solution, to: &Solution, strength: Strength) -> Matching {
        let fixed_blocks = strength < Strength::Blocks;
        Matching { shape: to.shape(), from: Board::new(from), to: Board::new(to), fixed_blocks }
    }

    fn count(&self, enough: u64) -> u64 {
        let n = self.shape.order();
        let maps = Maps {
            rows: Partial::new(n),
            bands: Partial::new(self.shape.bands()),
            columns: Partial::new(n),
            stacks: Partial::new(self.shape.stacks()),
            digits: Partial::new(n),
        };
        self.extend(&maps, enough)
    }

    /// Number of complete maps that extend a partial one; counting stops at `enough`.
    fn extend(&self, maps: &Maps, enough: u64) -> u64 {
        let n = self.shape.order();
        let open = |partial: &Partial| (0..n).find(|&line| partial.image[line] == NONE);
        let guess = match (maps.rows.known.is_empty(), open(&maps.columns), open(&maps.rows)) {
            (true, _, Some(row)) | (_, None, Some(row)) => News::Row(row),
            (_, Some(column), _) => News::Column(column),
            (_, None, None) => return 1,
        };
        let extended = |to: usize| {
            let mut maps = maps.clone();
            let set = match guess {
                News::Row(row) => self.set_row(&mut maps, row, to),
                News::Column(column) | News::Digit(column) => self.set_column(&mut maps, column, to),
            };
            set.and_then(|_| self.spread(&mut maps, guess)).map_or(0, |()| self.extend(&maps, enough))
        };
        (0..n).fold(0, |found, to| if found >= enough { found } else { found + extended(to) })
    }

    fn set_row(&self, maps: &mut Maps, from: usize, to: usize) -> Option<bool> {
        let size = self.shape.box_rows();
        self.set_group(&mut maps.bands, from / size, to / size)?;
        maps.rows.set(from, to)
    }

    fn set_column(&self, maps: &mut Maps, from: usize, to: usize) -> Option<bool> {
        let size = self.shape.box_columns();
        self.set_group(&mut maps.stacks, from / size, to / size)?;
        maps.columns.set(from, to)
    }

    fn set_group(&self, groups: &mut Partial, from: usize, to: usize) -> Option<bool> {
        if self.fixed_blocks && from != to { None } else { groups.set(from, to) }
    }

    /// Draws all conclusions from one image; None at a contradiction.
    fn spread(&self, maps: &mut Maps, first: News) -> Option<()> {
        let mut news = vec![first];
        while let Some(item) = news.pop() {
            match item {
                News::Row(row) => {
                    for column in maps.columns.known.clone() {
                        self.cross(maps, row, column, &mut news)?;
                    }
                    for digit in maps.digits.known.clone() {
                        self.digit_in_row(maps, row, digit, &mut news)?;
                    }
                }
                News::Column(column) => {
                    for row in maps.rows.known.clone() {
                        self.cross(maps, row, column, &mut news)?;
                    }
                    for digit in maps.digits.known.clone() {
                        self.digit_in_column(maps, column, digit, &mut news)?;
                    }
                }
                News::Digit(digit) => {
                    for row in maps.rows.known.clone() {
                        self.digit_in_row(maps, row, digit, &mut news)?;
                    }
                    for column in maps.columns.known.clone() {
                        self.digit_in_column(maps, column, digit, &mut news)?;
                    }
                }
            }
        }
        Some(())
    }

    /// A known row and a known column give a digit.
    fn cross(&self, maps: &mut Maps, row: usize, column: usize, news: &mut Vec<News>) -> Option<()> {
        let n = self.shape.order();
        let from = self.from.values[row * n + column];
        let to = self.to.values[maps.rows.image[row] * n + maps.columns.image[column]];
        if maps.digits.set(from, to)? {
            news.push(News::Digit(from));
        }
        Some(())
    }

    /// A known row and a known digit give a column.
    fn digit_in_row(&self, maps: &mut Maps, row: usize, digit: usize, news: &mut Vec<News>) -> Option<()> {
        let n = self.shape.order();
        let from = self.from.column_in_row[row * n + digit];
        let to = self.to.column_in_row[maps.rows.image[row] * n + maps.digits.image[digit]];
        if self.set_column(maps, from, to)? {
            news.push(News::Column(from));
        }
        Some(())
    }

    /// A known column and a known digit give a row.
    fn digit_in_column(&self, maps: &mut Maps, column: usize, digit: usize, news: &mut Vec<News>) -> Option<()> {
        let n = self.shape.order();
        let from = self.from.row_in_column[column * n + digit];
        let to = self.to.row_in_column[maps.columns.image[column] * n + maps.digits.image[digit]];
        if self.set_row(maps, from, to)? {
            news.push(News::Row(from));
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Freedom, Grid};
    use crate::random::{Rng, Stage};

    fn grid(line: &str) -> Solution {
        let values = line.bytes().map(|byte| u16::from(byte - b'0')).collect();
        Solution::try_from(Grid::new(Shape::NINE, values).unwrap()).unwrap()
    }

    /// The largest minlex grid has 72 automorphisms (published), the template of the permutation method 54.
    #[test]
    fn automorphisms_of_known_grids() {
        let largest = "123456789457893612986217354274538196531964827698721435342685971715349268869172543";
        assert_eq!(automorphisms(&grid(largest)), 72);
        assert_eq!(automorphisms(&Solution::template(Shape::NINE)), 54);
        // A grid with the largest group of all, 648 maps: bands and stacks of cyclic boxes.
        let most = "123456789456789123789123456231564897564897231897231564312645978645978312978312645";
        assert_eq!(automorphisms(&grid(most)), 648);
    }

    #[test]
    fn images_have_as_many_automorphisms_and_are_recognised() {
        for text in ["2x2", "2x3", "3x2", "2x4", "3x3", "3x4", "4x4", "5x5"] {
            let shape: Shape = text.parse().unwrap();
            let base = Solution::template(shape);
            let mut rng = Rng::new(1, 0, Stage::Bench, 0);
            let image = Isomorph::random(shape, Freedom::ALL, &mut rng).apply(&base);
            assert!(is_image(&base, &image, Strength::Transpose), "{text}");
            assert_eq!(automorphisms(&base), automorphisms(&image), "{text}");
        }
    }

    #[test]
    fn other_shapes_and_other_classes_are_not_images() {
        let smallest = "123456789456789123789123456214365897365897214897214365531642978642978531978531642";
        assert!(!is_image(&Solution::template(Shape::NINE), &grid(smallest), Strength::Transpose));
        assert!(!is_image(
            &Solution::template("2x3".parse().unwrap()),
            &Solution::template("3x2".parse().unwrap()),
            Strength::Transpose
        ));
    }
}
