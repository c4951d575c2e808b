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

use crate::board::{Isomorphism, Shape, Solution};
use crate::generate::Strength;

/// Number of maps of the group of a strength that turn `from` into `to`; 0 if the shapes differ. With `from == to` it
/// is the order of the stabiliser, and with [`Strength::Transpose`] the number of automorphisms. (If boxes are not
/// square, transposition leads to another shape, so it is the same as for [`Strength::Blocks`].)
pub(crate) fn maps(from: &Solution, to: &Solution, strength: Strength) -> u64 {
    count(from, to, strength, u64::MAX)
}

/// Number of maps of a grid onto itself, among all combinations of relabelling, permutations of rows, columns, bands
/// and stacks, and transposition if boxes are square.
pub(crate) fn automorphisms(grid: &Solution) -> u64 {
    maps(grid, grid, Strength::Transpose)
}

/// True if a map of the group turns `from` into `to`.
pub(crate) fn is_image(from: &Solution, to: &Solution, strength: Strength) -> bool {
    count(from, to, strength, 1) > 0
}

/// Number of maps; counting stops at `enough`.
fn count(from: &Solution, to: &Solution, strength: Strength, enough: u64) -> u64 {
    if from.shape() != to.shape() {
        return 0;
    }
    let straight = Matching::new(from, to, strength).count(enough);
    if straight >= enough || strength < Strength::Transpose || !from.shape().is_square() {
        return straight;
    }
    straight + Matching::new(&Isomorphism::transposition(from.shape()).apply(from), to, strength).count(enough)
}

/// What is mapped. Of the row, the column and the digit of a cell, any two give the third.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Row,
    Column,
    Digit,
}

impl Kind {
    const ALL: [Kind; 3] = [Kind::Row, Kind::Column, Kind::Digit];

    /// The kind that is neither of two others.
    fn third(self, other: Kind) -> Kind {
        // The numbers 0, 1 and 2 of the kinds add up to 3.
        Kind::ALL[3 - self as usize - other as usize]
    }
}

/// For each kind the table that gives it: entry `i * n + j` for numbers i, j of the two other kinds, in their order.
fn tables(grid: &Solution) -> [Vec<usize>; 3] {
    let n = grid.shape().order();
    let mut tables = Kind::ALL.map(|_| vec![0; n * n]);
    for (cell, &value) in grid.values().iter().enumerate() {
        let (row, column, digit) = (cell / n, cell % n, usize::from(value) - 1);
        tables[Kind::Row as usize][column * n + digit] = row;
        tables[Kind::Column as usize][row * n + digit] = column;
        tables[Kind::Digit as usize][row * n + column] = digit;
    }
    tables
}

/// A thing and its image.
struct Image {
    kind: Kind,
    from: usize,
    to: usize,
}

/// A partial map of things of one kind.
#[derive(Clone)]
struct Partial {
    /// The image of each thing, if it is known yet.
    image: Vec<Option<usize>>,
    /// Whether each thing is an image.
    is_image: Vec<bool>,
    /// The things whose image is known.
    known: Vec<usize>,
}

impl Partial {
    fn new(n: usize) -> Partial {
        Partial { image: vec![None; n], is_image: vec![false; n], known: Vec::new() }
    }

    /// Maps `from` to `to`. None if one of them is already matched with another one; true if the match is new.
    fn set(&mut self, from: usize, to: usize) -> Option<bool> {
        if self.image[from] == Some(to) {
            return Some(false);
        }
        if self.image[from].is_some() || self.is_image[to] {
            return None;
        }
        self.image[from] = Some(to);
        self.is_image[to] = true;
        self.known.push(from);
        Some(true)
    }
}

/// A partial map of one grid into another.
#[derive(Clone)]
struct PartialMaps {
    /// Maps of rows, columns and digits.
    kinds: [Partial; 3],
    bands: Partial,
    stacks: Partial,
}

/// The two grids, as tables from two of row, column and digit to the third.
struct Matching {
    shape: Shape,
    from: [Vec<usize>; 3],
    to: [Vec<usize>; 3],
    fixed_blocks: bool,
}

impl Matching {
    fn new(from: &Solution, to: &Solution, strength: Strength) -> Matching {
        Matching { shape: to.shape(), from: tables(from), to: tables(to), fixed_blocks: strength < Strength::Blocks }
    }

    fn count(&self, enough: u64) -> u64 {
        let maps = PartialMaps {
            kinds: Kind::ALL.map(|_| Partial::new(self.shape.order())),
            bands: Partial::new(self.shape.bands()),
            stacks: Partial::new(self.shape.stacks()),
        };
        self.extend(&maps, enough)
    }

    /// Number of complete maps that extend a partial one; counting stops at `enough`.
    fn extend(&self, maps: &PartialMaps, enough: u64) -> u64 {
        let has_row = !maps.kinds[Kind::Row as usize].known.is_empty();
        // After the first row, columns.
        let kinds = if has_row { [Kind::Column, Kind::Row] } else { [Kind::Row, Kind::Column] };
        let without_image = |kind: Kind| maps.kinds[kind as usize].image.iter().position(Option::is_none);
        let Some((kind, from)) = kinds.into_iter().find_map(|kind| Some((kind, without_image(kind)?))) else {
            return 1;
        };
        let mut count = 0;
        for to in 0..self.shape.order() {
            let mut maps = maps.clone();
            let image = Image { kind, from, to };
            if self.set(&mut maps, &image).is_some() && self.spread(&mut maps, image) {
                count += self.extend(&maps, enough);
            }
            if count >= enough {
                break;
            }
        }
        count
    }

    /// Notes an image, and that of its band or stack; true if it is new, None at a contradiction.
    fn set(&self, maps: &mut PartialMaps, image: &Image) -> Option<bool> {
        let &Image { kind, from, to } = image;
        let chutes = match kind {
            Kind::Row => Some((&mut maps.bands, self.shape.box_rows())),
            Kind::Column => Some((&mut maps.stacks, self.shape.box_columns())),
            Kind::Digit => None,
        };
        if let Some((chutes, size)) = chutes {
            if self.fixed_blocks && from / size != to / size {
                return None;
            }
            chutes.set(from / size, to / size)?;
        }
        maps.kinds[kind as usize].set(from, to)
    }

    /// Draws all conclusions from a new image: with each known image of another kind it gives one of the third kind.
    /// False at a contradiction.
    fn spread(&self, maps: &mut PartialMaps, image: Image) -> bool {
        let n = self.shape.order();
        let mut news = vec![image];
        while let Some(Image { kind, from, to }) = news.pop() {
            for other in Kind::ALL.into_iter().filter(|&other| other != kind) {
                let third = kind.third(other);
                // The tables of the third kind are indexed by the smaller of the other two kinds first.
                let [factor, other_factor] = if kind < other { [n, 1] } else { [1, n] };
                for other_from in maps.kinds[other as usize].known.clone() {
                    let Some(other_to) = maps.kinds[other as usize].image[other_from] else { continue };
                    let image = Image {
                        kind: third,
                        from: self.from[third as usize][from * factor + other_from * other_factor],
                        to: self.to[third as usize][to * factor + other_to * other_factor],
                    };
                    match self.set(maps, &image) {
                        None => return false,
                        Some(true) => news.push(image),
                        Some(false) => {}
                    }
                }
            }
        }
        true
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
            let image = Isomorphism::random(shape, Freedom::ALL, &mut rng).apply(&base);
            assert!(is_image(&base, &image, Strength::Transpose), "{text}");
            assert_eq!(automorphisms(&base), automorphisms(&image), "{text}");
        }
    }

    #[test]
    fn other_shapes_and_other_classes_are_not_images() {
        let smallest = "123456789456789123789123456214365897365897214897214365531642978642978531978531642";
        assert!(!is_image(&Solution::template(Shape::NINE), &grid(smallest), Strength::Transpose));
        let [wide, high] = ["2x3", "3x2"].map(|text| Solution::template(text.parse().unwrap()));
        assert!(!is_image(&wide, &high, Strength::Transpose));
    }
}
