//! Draws jigsaws from a seed: boards whose boxes are connected regions of any form.
//!
//! ```text
//!   A A A B B B ..      A A A B B B ..      The walk begins with boxes (rows, where the order is prime). A step moves
//!   A A A B B B ..  ->  A A B B B B ..      a cell of a region to a neighbour, and a cell of this one back, if both
//!   A A A B B B ..      A A A A B B ..      stay connected. With a symmetry, all images of the two cells move too.
//! ```
//!
//! A layout of which no grid is found within a budget is drawn again. So most layouts that have no grid never come, and
//! some that have one do not come either. Of turns of one layout only one comes, see [`turned_among`].

use crate::board::maps::turned_among;
use crate::board::{Reason, Shape, Symmetry};
use crate::random::{Rng, Stage};
use crate::solve::{Budget, general};

/// The positions that are visited to find a grid of a layout.
const BUDGET: Budget = Budget(2_000);
/// How often a layout is drawn before the search is given up.
const DRAWS: u64 = 200;
/// How many walks to one layout may come to nothing.
const STUCK: u64 = 8;

/// The orders of boards for which layouts are drawn.
pub(crate) const ORDERS: std::ops::RangeInclusive<usize> = 5..=12;

/// Layout `index` of a seed, for any jigsaw of an order ("9+jigsaw", "9+jigsaw+x"). Regions have the symmetry.
///
/// # Errors
/// If the shape is another one, if no layouts are drawn for the order, or if no layout with a grid was found.
pub fn jigsaw(any: Shape, symmetry: Symmetry, seed: u64, index: u64) -> Result<Shape, Reason> {
    let order = any.order();
    if !any.is_any_jigsaw() {
        return Err(Reason(format!("the {} is no jigsaw of any regions", any.board())));
    }
    if !ORDERS.contains(&order) {
        let (least, most) = (ORDERS.start(), ORDERS.end());
        return Err(Reason(format!("jigsaws are drawn for orders {least} to {most}, not for order {order}")));
    }
    let first = start(order);
    let walk = LayoutWalk { order, moves: symmetry.moves(order).collect() };
    if !walk.is_symmetric(&first) {
        return Err(Reason(format!("jigsaws of order {order} are not drawn with the symmetry {symmetry}")));
    }
    let mut stuck = 0;
    for attempt in 0..DRAWS {
        let mut rng = Rng::new(seed, index, Stage::Layout, attempt);
        let Some(regions) = walk.walked(first.clone(), &mut rng) else {
            stuck += 1;
            if stuck < STUCK {
                continue;
            }
            return Err(Reason(format!("no walk leads to a jigsaw of order {order} with the symmetry {symmetry}")));
        };
        if whole_lines(order, &regions) > order / 3 {
            continue;
        }
        let Ok(shape) = any.with_drawn(&regions) else { continue };
        // A mirror would become another one by a turn.
        let shape = walk.turned(shape);
        if shape.regions().is_some() && general::random_fill(shape, &mut rng, BUDGET).is_some() {
            return Ok(shape);
        }
    }
    Err(Reason(format!("no grid was found for any of {DRAWS} jigsaws of order {order}")))
}

/// The boxes of the usual shape; the rows, if the order is prime.
fn start(order: usize) -> Vec<u8> {
    let shape = Shape::of_order(order).ok();
    let regions = (0..order * order).map(|cell| {
        let (row, column) = (cell / order, cell % order);
        shape.map_or(row, |shape| shape.box_of(row, column)) as u8
    });
    regions.collect()
}

/// How many rows and columns are regions. A walk that began with rows may have gone back and forth.
fn whole_lines(order: usize, regions: &[u8]) -> usize {
    let mut whole_lines = 0;
    for line in 0..order {
        let row = &regions[line * order..][..order];
        let mut column = regions[line..].iter().step_by(order);
        whole_lines += usize::from(row.iter().all(|region| *region == row[0]));
        whole_lines += usize::from(column.all(|region| *region == regions[line]));
    }
    whole_lines
}

/// What is fixed while a layout is drawn.
struct LayoutWalk {
    order: usize,
    /// The maps of the symmetry.
    moves: Vec<Vec<usize>>,
}

impl LayoutWalk {
    /// The regions after two to four possible steps for each row. None if too many steps are not possible.
    fn walked(&self, mut regions: Vec<u8>, rng: &mut Rng) -> Option<Vec<u8>> {
        let n = self.order;
        let mut left = 2 * n + rng.below(2 * n + 1);
        for _ in 0..2_000 * n {
            if left == 0 {
                return Some(regions);
            }
            let step = self.step(&regions, rng);
            let possible = step.filter(|next| self.is_connected(next) && self.is_symmetric(next));
            if let Some(next) = possible {
                regions = next;
                left -= 1;
            }
        }
        None
    }

    /// A cell beside another region goes over to it, and a cell of that region that lies beside the first goes back;
    /// and so do their images. None if the drawn cells do not fit.
    fn step(&self, regions: &[u8], rng: &mut Rng) -> Option<Vec<u8>> {
        let cells = regions.len();
        let from = rng.below(cells);
        let neighbours: Vec<usize> = self.neighbours(from).filter(|&cell| regions[cell] != regions[from]).collect();
        // Of four possible neighbours, so that every pair of cells is drawn equally often.
        let into = regions[*neighbours.get(rng.below(4))?];
        let mut touching = Vec::new();
        for cell in (0..cells).filter(|&cell| regions[cell] == into) {
            if self.neighbours(cell).any(|near| regions[near] == regions[from] && near != from) {
                touching.push(cell);
            }
        }
        let back = *touching.get(rng.below(touching.len().max(1)))?;
        let mut next = regions.to_vec();
        let mut pairs = vec![[from, back]];
        let mut done = 0;
        while let Some(&pair) = pairs.get(done) {
            if pair.iter().any(|&cell| next[cell] != regions[cell]) {
                return None;
            }
            next.swap(pair[0], pair[1]);
            for map in &self.moves {
                let image = pair.map(|cell| map[cell]);
                if !pairs.iter().any(|&[a, b]| image == [a, b] || image == [b, a]) {
                    pairs.push(image);
                }
            }
            done += 1;
        }
        Some(next)
    }

    /// The cells above, below, left and right of a cell.
    fn neighbours(&self, cell: usize) -> impl Iterator<Item = usize> + use<> {
        let (n, row, column) = (self.order, cell / self.order, cell % self.order);
        let near = [
            (row > 0).then(|| cell - n),
            (column > 0).then(|| cell - 1),
            (column + 1 < n).then(|| cell + 1),
            (row + 1 < n).then(|| cell + n),
        ];
        near.into_iter().flatten()
    }

    /// True if the cells of each region hang together.
    fn is_connected(&self, regions: &[u8]) -> bool {
        let mut seen = vec![false; regions.len()];
        let mut parts = 0;
        for start in 0..regions.len() {
            if seen[start] {
                continue;
            }
            parts += 1;
            seen[start] = true;
            let mut open = vec![start];
            while let Some(cell) = open.pop() {
                for near in self.neighbours(cell).filter(|&near| regions[near] == regions[cell]) {
                    if !std::mem::replace(&mut seen[near], true) {
                        open.push(near);
                    }
                }
            }
        }
        parts == self.order
    }

    /// The layout turned over so that its name is the smallest among the turns that have the symmetry.
    fn turned(&self, shape: Shape) -> Shape {
        let regions = shape.regions().unwrap_or_default();
        if regions.is_empty() {
            return turned_among(shape, |_| true).shape;
        }
        let turned = turned_among(shape, |turn| {
            let image: Vec<u8> = turn.iter().map(|&cell| regions[usize::from(cell)]).collect();
            self.is_symmetric(&image)
        });
        turned.shape
    }

    /// True if every map of the symmetry turns regions into regions.
    fn is_symmetric(&self, regions: &[u8]) -> bool {
        self.moves.iter().all(|map| {
            let mut image = vec![None; self.order];
            let mut cells = map.iter().zip(regions);
            cells.all(|(&to, &region)| *image[usize::from(region)].get_or_insert(regions[to]) == regions[to])
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn layouts_are_connected_symmetric_and_have_grids() {
        for order in ORDERS {
            for symmetry in Symmetry::ALL {
                let of = |index| jigsaw(Shape::any_jigsaw(order).unwrap(), symmetry, 7, index);
                let Ok(first) = of(0) else {
                    assert!(symmetry != Symmetry::None, "{order}");
                    continue;
                };
                let shapes: Vec<Shape> = (0..6).filter_map(|index| of(index).ok()).collect();
                assert!(symmetry != Symmetry::None || shapes.len() == 6, "{order}");
                assert_eq!(shapes[0], first);
                // Few layouts of order 5 have a symmetry.
                let different = shapes.iter().collect::<HashSet<_>>().len();
                let most = if order == 5 { different > 1 } else { different * 2 > shapes.len() };
                assert!(most || symmetry == Symmetry::Full, "{order} {symmetry}: {different}");
                for shape in shapes {
                    let regions = shape.regions().unwrap();
                    let walk = LayoutWalk { order, moves: symmetry.moves(order).collect() };
                    assert!(walk.is_connected(regions), "{shape}");
                    assert!(walk.is_symmetric(regions), "{symmetry}: {shape}");
                    assert_eq!(walk.turned(shape), shape);
                }
            }
        }
        let of = |text: &str| jigsaw(text.parse().unwrap(), Symmetry::None, 1, 0);
        assert!(["4+jigsaw", "13+jigsaw", "3x3+x"].into_iter().all(|text| of(text).is_err()));
        assert!("9+jigsaw+windoku".parse::<Shape>().is_err());
        let x = of("9+jigsaw+x").unwrap();
        assert!(x.to_string().ends_with("+x") && x.kind().to_string() == "9+jigsaw+x");
    }
}
