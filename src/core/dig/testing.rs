//! Shared code of the tests of digging: solutions of every shape, the plain loop, slow checks by counting solutions.

use super::{DigError, DigOptions, Dug, Plan};
use crate::board::{Cell, CellSet, Freedom, Grid, Isomorphism, Narrow, Puzzle, Shape, Solution, Symmetry, VARIANTS};
use crate::generate;
use crate::random::{Rng, Stage};
use crate::solve::{self, Budget};

/// Shapes that every plan is tested on.
pub(crate) fn shapes() -> impl Iterator<Item = Shape> {
    [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (2, 5)]
        .map(|(rows, columns)| Shape::new(rows, columns).unwrap())
        .into_iter()
}

/// Boards up to an order with each of the variants, and with some mixtures, that have grids.
pub(crate) fn variants(order: usize) -> Vec<Shape> {
    let mixtures =
        ["windoku+x", "disjoint+x+anti-king", "anti-knight+anti-king", "extra:r1c1r2c2r3c3r4c5r5c4r6c6r7c8r8c7r9c9"];
    let named = VARIANTS.iter().map(|info| info.name).chain(mixtures);
    let shapes: Vec<Shape> = Shape::all(order).into_iter().filter(|shape| shape.order() > 5).collect();
    let all = named.flat_map(|name| shapes.iter().filter_map(move |shape| shape.with(name).ok()));
    let with_grids = all.filter(|&shape| solve::general::random_fill(shape, &mut rng(0), Budget(20_000)).is_some());
    let jigsaws = ["5+jigsaw", "6+jigsaw+x", "7+jigsaw", "9+jigsaw", "9+jigsaw+x", "9+jigsaw+anti-king+diagonal"];
    let jigsaws = jigsaws.map(jigsaw).into_iter().filter(|shape| shape.order() <= order);
    with_grids.chain(jigsaws).collect()
}

/// A jigsaw of some regions that has grids; which regions they are does not matter.
fn jigsaw(kind: &str) -> Shape {
    const SEED: u64 = 11;
    generate::jigsaw(kind.parse().unwrap(), Symmetry::None, SEED, 0).unwrap()
}

/// A generator for test number `index`.
pub(crate) fn rng(index: u64) -> Rng {
    Rng::new(20_261_121, index, Stage::Bench, 0)
}

/// A random solution: a random isomorph of the cyclic grid, emptied in three cells of five and filled otherwise. On
/// boards with variants or jigsaw regions: a random fill.
pub(crate) fn solution(shape: Shape, rng: &mut Rng) -> Solution {
    if !shape.is_plain() {
        return solve::general::random_fill(shape, rng, Budget::UNLIMITED).unwrap();
    }
    let image = Isomorphism::random(shape, Freedom::ALL, rng).apply(&Solution::template(shape));
    let emptied = image.masked(|_| rng.below(5) < 2);
    let (mut solutions, _) = solve::solutions(&emptied, 40, Budget(100_000));
    solutions.pop().unwrap_or(image)
}

/// Both grids of 4x4 that are essentially different, with their numbers of images.
pub(crate) fn grids_of_4x4() -> [(Solution, f64); 2] {
    [("1234341221434321", 96.0), ("1234341223414123", 192.0)].map(|(line, images)| {
        (Solution::try_from(crate::board::text::parse_line(line, None).unwrap()).unwrap(), images)
    })
}

/// All minimal puzzles of a 4x4 grid, among all 65,536 sets of givens. A set is unique if no other of the 288 grids
/// agrees with it.
pub(crate) fn all_minimal(solution: &Solution) -> Vec<Narrow> {
    let blank = Puzzle::try_from(Grid::blank(solution.shape())).unwrap();
    let (grids, _) = solve::solutions(&blank, 1000, Budget::UNLIMITED);
    assert_eq!(grids.len(), 288);
    let agreement = |grid: &Solution| -> usize {
        (0..16).filter(|&cell| grid.values()[cell] == solution.values()[cell]).map(|cell| 1 << cell).sum()
    };
    let others: Vec<usize> = grids.iter().map(agreement).filter(|&agreement| agreement != 0xffff).collect();
    let is_unique: Vec<bool> = (0..1 << 16).map(|set| others.iter().all(|other| set & !other != 0)).collect();
    let minimal = (0..1 << 16).filter(|&set: &usize| {
        is_unique[set] && (0..16).all(|cell| set >> cell & 1 == 0 || !is_unique[set ^ 1 << cell])
    });
    minimal.map(|set| Narrow(set as u128)).collect()
}

/// Digs random solution number `index` with the default options.
pub(crate) fn dig(plan: &Plan, shape: Shape, symmetry: Symmetry, index: u64) -> Result<Dug, DigError> {
    let mut rng = rng(index);
    plan.dig(&solution(shape, &mut rng), symmetry, &DigOptions::of(shape), &mut rng)
}

/// The givens of a puzzle, which are cells of the solution and a union of orbits.
pub(crate) fn symmetric_givens(puzzle: &Puzzle, solution: &Solution, symmetry: Symmetry) -> Narrow {
    let givens: Narrow = givens_of(puzzle);
    assert!(puzzle.is_part_of(solution), "{puzzle:?}");
    for orbit in symmetry.orbits(solution.shape()) {
        let orbit = Narrow::of(orbit);
        assert!(orbit.within(givens) || !orbit.meets(givens), "{symmetry} {puzzle:?}");
    }
    givens
}

/// True if these givens have one solution, by counting.
pub(crate) fn is_unique<S: CellSet>(solution: &Solution, givens: S) -> bool {
    let puzzle = solution.masked(|cell| givens.contains(cell));
    let count = solve::count(&puzzle, 2, Budget::UNLIMITED);
    assert!(count.found == 2 || count.exact);
    count.found == 1
}

/// The plain loop: counts solutions, up to two, for every unit.
pub(crate) fn plain_loop<S: CellSet>(solution: &Solution, units: &[S], floor: usize) -> S {
    let mut givens = units.iter().fold(S::empty(), |all, &unit| all | unit);
    for &unit in units {
        if givens.len() - unit.len().min(givens.len()) >= floor && is_unique(solution, givens - unit) {
            givens = givens - unit;
        }
    }
    givens
}

/// True if no given can go, by counting solutions.
pub(crate) fn is_minimal<S: CellSet>(solution: &Solution, givens: S) -> bool {
    givens.cells().all(|cell| !is_unique(solution, givens - S::only(cell)))
}

pub(crate) fn givens_of<S: CellSet>(puzzle: &Puzzle) -> S {
    S::of(puzzle.grid().given_cells().map(|(cell, _)| cell))
}

pub(crate) fn all_cells<S: CellSet>(shape: Shape) -> S {
    S::of((0..shape.cells()).map(Cell::new))
}
