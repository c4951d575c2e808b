//! Boards of order 4 and 6. All their grids, classes and probabilities can be listed.
//!
//! ```text
//!   1 2 3 | 4 5 6      All grids with this first row: 28,200,960 / 6! = 39,168 for 2x3, 12 for 2x2. Relabelling
//!   . . . | . . .      gives the others. Grids that swaps of rows, columns, bands and stacks (and transposition) turn
//!   . . .              into each other form a class: 2 classes for 2x2, 49 for 2x3.
//! ```
//!
//! If a method treats all labels alike, all 6! relabellings of a grid are equally likely, so the tree of choices is
//! walked only below one first row. `digit-by-box` does not treat labels alike, but it treats the lines of a band
//! alike, so its tree is walked below one of the (R!)^C (C!)^R ways to place digit 1.

use std::collections::HashMap;

use super::distribution::{Distribution, Level};
use super::exact;
use super::process::{Decision, Process, ProcessPosition, Tree, crosses};
use crate::board::maps::flood::flood;
use crate::board::{Shape, Solution};
use crate::generate::Strength;
use crate::solve::{self, Budget};

/// A grid up to relabelling.
#[derive(Clone, Copy)]
pub(crate) struct PlainGrid {
    pub number: usize,
    pub class: usize,
}

/// The walks over the tree of choices that reach all grids.
struct Walks {
    /// The number of the first step.
    first_step: usize,
    /// What is decided before it: one list for each walk.
    beginnings: Vec<Vec<Decision>>,
    /// One over the probability of a beginning.
    one_in: u128,
    /// The number of grids that each leaf stands for.
    grids: u128,
}

/// All grids of a small shape, up to relabelling.
pub(crate) struct Small {
    shape: Shape,
    /// Grids whose first row is 1..=n, in lexicographic order.
    pub plain: Vec<Vec<u8>>,
    /// The number of each plain grid.
    number_of: HashMap<Vec<u8>, usize>,
    /// Class of each plain grid.
    pub class_of: Vec<usize>,
    /// Plain grids of each class.
    pub class_sizes: Vec<u32>,
}

impl Small {
    /// Lists the grids of a shape; None above order 6.
    pub(crate) fn of(shape: Shape) -> Option<Small> {
        if shape.order() > 6 {
            return None;
        }
        let plain = with_first_row(shape);
        let number_of = plain.iter().cloned().zip(0..).collect();
        let mut small = Small { shape, plain, number_of, class_of: Vec::new(), class_sizes: Vec::new() };
        small.join_classes();
        Some(small)
    }

    /// Number of grids, with all relabellings.
    pub(crate) fn grids(&self) -> u64 {
        self.plain.len() as u64 * (1..=self.shape.order() as u64).product::<u64>()
    }

    /// The plain grid that a grid becomes by relabelling. None if it is no grid.
    pub(crate) fn plain_grid(&self, values: &[u16]) -> Option<PlainGrid> {
        let plain = renamed(self.shape.order(), |cell| values[cell] as u8);
        let number = *self.number_of.get(&plain)?;
        Some(PlainGrid { number, class: self.class_of[number] })
    }

    /// Gives each plain grid its class: those that maps lead to one another are of one class.
    fn join_classes(&mut self) {
        let mut classes = vec![None; self.plain.len()];
        for start in 0..self.plain.len() {
            if classes[start].is_none() {
                let class = self.class_sizes.len();
                let members = flood(
                    &mut classes,
                    start,
                    class,
                    |grid| self.neighbours(grid).into_iter().map(|image| (image, ())),
                    |class, ()| class,
                );
                self.class_sizes.push(members.len() as u32);
            }
        }
        self.class_of = classes.into_iter().flatten().collect();
    }

    /// The plain grids that result from one by a swap of lines, bands or stacks, or by transposition.
    fn neighbours(&self, number: usize) -> Vec<usize> {
        let (n, grid) = (self.shape.order(), &self.plain[number]);
        let rows = swaps(self.shape.box_rows(), self.shape.bands());
        let columns = swaps(self.shape.box_columns(), self.shape.stacks());
        let by_rows = rows.iter().map(|map| renamed(n, |cell| grid[map[cell / n] * n + cell % n]));
        let by_columns = columns.iter().map(|map| renamed(n, |cell| grid[cell / n * n + map[cell % n]]));
        let transposed = self.shape.is_square().then(|| renamed(n, |cell| grid[cell % n * n + cell / n]));
        by_rows.chain(by_columns).chain(transposed).map(|image| self.number_of[&image]).collect()
    }

    /// All probabilities of a process on these boards.
    pub(crate) fn distribution(&self, process: Process) -> Distribution {
        let tree = Tree::new(self.shape);
        let walks = self.walks(process);
        let mut leaves = Vec::new();
        for decided in &walks.beginnings {
            if let Some(start) = tree.begun(process, walks.first_step, decided) {
                walk(&tree, process, &start, &mut leaves);
            }
        }
        let levels = leaves.into_iter().map(|leaf| Level { one_in: leaf * walks.one_in, grids: walks.grids });
        Distribution::new(levels, u128::from(self.grids()))
    }

    /// The walks of a process: see the head of this file.
    fn walks(&self, process: Process) -> Walks {
        let n = self.shape.order();
        let relabellings = (1..=n as u128).product::<u128>();
        let row: Vec<Decision> = (0..n).map(|column| Decision { cell: column, digit: 1 << column }).collect();
        match process {
            Process::SeededCross => {
                let columns = self.first_columns();
                let beginnings = columns.iter().map(|column| [row.as_slice(), column].concat()).collect();
                Walks { first_step: 0, beginnings, one_in: crosses(self.shape), grids: relabellings }
            }
            Process::DigitByBox => {
                let ones = Solution::template(self.shape);
                let cells = (0..n * n).filter(|&cell| ones.values()[cell] == 1);
                let places = cells.map(|cell| Decision { cell, digit: 1 }).collect();
                let lines = u128::try_from(exact::transforms(self.shape, Strength::Lines)).unwrap_or(0) / relabellings;
                Walks { first_step: n, beginnings: vec![places], one_in: lines, grids: lines }
            }
            Process::RowMajor | Process::FewestCandidates => {
                Walks { first_step: n, beginnings: vec![row], one_in: relabellings, grids: relabellings }
            }
        }
    }

    /// The first columns of all grids whose first row is 1..=n, without the corner.
    fn first_columns(&self) -> Vec<Vec<Decision>> {
        let n = self.shape.order();
        let mut columns: Vec<Vec<Decision>> = Vec::new();
        for grid in &self.plain {
            let cells = (1..n).map(|row| row * n);
            columns.push(cells.map(|cell| Decision { cell, digit: 1 << (grid[cell] - 1) }).collect());
        }
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    /// The grids with first row 1..=n.
    pub(crate) fn plain_grids(&self) -> impl Iterator<Item = Solution> + '_ {
        self.plain.iter().map(|grid| {
            let values = grid.iter().map(|&value| value.into()).collect();
            Solution::trusted(self.shape, values)
        })
    }
}

/// Appends 1 / P of each grid that a position can lead to, where P is the probability if the position has been reached.
fn walk(tree: &Tree, process: Process, position: &ProcessPosition, leaves: &mut Vec<u128>) {
    let Some(choices) = tree.choices(process, position) else {
        leaves.push(1);
        return;
    };
    let (start, mut possible) = (leaves.len(), 0);
    for choice in &choices {
        let before = leaves.len();
        walk(tree, process, choice, leaves);
        possible += u128::from(leaves.len() > before);
    }
    // The first choice in random order that can be completed is taken, so each of these is equally likely.
    leaves[start..].iter_mut().for_each(|leaf| *leaf *= possible);
}

/// Swaps of neighbouring lines inside groups of `size`, and of neighbouring groups.
fn swaps(size: usize, groups: usize) -> Vec<Vec<usize>> {
    let identity: Vec<usize> = (0..size * groups).collect();
    let mut maps = Vec::new();
    for line in (0..size * groups).filter(|line| line % size != 0) {
        let mut map = identity.clone();
        map.swap(line - 1, line);
        maps.push(map);
    }
    for group in 1..groups {
        let mut map = identity.clone();
        map[(group - 1) * size..(group + 1) * size].rotate_left(size);
        maps.push(map);
    }
    maps
}

/// A grid with its digits renamed so that the first row is 1..=n.
fn renamed(n: usize, value: impl Fn(usize) -> u8) -> Vec<u8> {
    let mut name = vec![0; n + 1];
    (0..n).for_each(|column| name[usize::from(value(column))] = column as u8 + 1);
    (0..n * n).map(|cell| name[usize::from(value(cell))]).collect()
}

/// All grids whose first row is 1..=n, in lexicographic order.
fn with_first_row(shape: Shape) -> Vec<Vec<u8>> {
    let first_row = Solution::template(shape).masked(|cell| cell.index() < shape.order());
    let (grids, _) = solve::solutions(&first_row, usize::MAX, Budget::UNLIMITED);
    let mut plain: Vec<Vec<u8>> = Vec::new();
    for grid in &grids {
        plain.push(grid.values().iter().map(|&value| value as u8).collect());
    }
    plain.sort_unstable();
    plain
}

#[cfg(test)]
impl Small {
    /// All grids of the shape, with all relabellings; for tiny boards.
    pub(crate) fn solutions(&self) -> impl Iterator<Item = Solution> {
        let blank = crate::board::Grid::blank(self.shape).try_into().unwrap();
        solve::solutions(&blank, 1000, Budget::UNLIMITED).0.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::known::likelihood;
    use crate::coverage::numbers::ChiSquare;
    use crate::generate::Method;
    use crate::random::{Rng, Stage};

    const SHAPES: [&str; 3] = ["2x2", "2x3", "3x2"];

    fn small(text: &str) -> Small {
        Small::of(text.parse().unwrap()).unwrap()
    }

    const METHODS: [Method; 3] = [Method::RowMajor, Method::DigitByBox, Method::SeededCross];

    fn process(method: &Method, small: &Small) -> Process {
        Process::of(method, small.shape).unwrap()
    }

    #[test]
    fn grids_and_classes_are_as_many_as_published() {
        let sizes = small("2x2");
        assert_eq!((sizes.grids(), sizes.class_sizes.as_slice()), (288, [4, 8].as_slice()));
        for text in ["2x3", "3x2"] {
            let small = small(text);
            assert_eq!((small.grids(), small.class_sizes.len()), (28_200_960, 49), "{text}");
        }
        assert!(Small::of("2x4".parse().unwrap()).is_none());
    }

    /// P(G) sums to exactly 1, over all 288 grids and over all 28,200,960. The orientation matters: 2x3 and 3x2 have
    /// different probabilities.
    #[test]
    fn probabilities_add_up_to_1_and_depend_on_the_orientation() {
        let boards = SHAPES.map(small);
        for method in METHODS {
            let distributions = boards.each_ref().map(|small| small.distribution(process(&method, small)));
            for (small, distribution) in boards.iter().zip(&distributions) {
                assert!(distribution.is_whole(), "{method} {}", small.shape);
                assert_eq!(distribution.reached(), u128::from(small.grids()), "{method} {}", small.shape);
                assert!(distribution.divergence() > 0.0, "{method} {}", small.shape);
            }
            assert_ne!(distributions[1], distributions[2], "{method}");
        }
    }

    /// The walk over the tree and the formula for single grids give the same probabilities.
    #[test]
    fn walks_agree_with_the_probabilities_of_all_288_grids() {
        let small = small("2x2");
        for method in METHODS {
            let one_in = |grid: Solution| match likelihood::chance(&method, &grid) {
                Some(likelihood::Chance::OneIn(one_in)) => Level { one_in, grids: 1 },
                other => panic!("{other:?}"),
            };
            let single = Distribution::new(small.solutions().map(one_in), 288);
            assert_eq!(small.distribution(process(&method, &small)), single, "{method}");
        }
    }

    #[test]
    fn sampled_frequencies_agree_with_the_probabilities() {
        let small = small("2x2");
        let tree = Tree::new(small.shape);
        for method in METHODS {
            let process = process(&method, &small);
            let distribution = small.distribution(process);
            let mut seen = vec![0u64; distribution.levels.len()];
            let draws = 10_000;
            for index in 0..draws {
                let grid = method.fill(small.shape, &mut Rng::new(6, index, Stage::Bench, 0)).unwrap();
                let one_in = likelihood::reciprocal(&tree, process, &grid).unwrap();
                seen[distribution.levels.iter().position(|level| level.one_in == one_in).unwrap()] += 1;
            }
            let shares = distribution.levels.iter().map(|level| level.grids as f64 / level.one_in as f64);
            let chi = ChiSquare::of(seen.into_iter().zip(shares), draws);
            assert!(chi.p() > 1e-4, "{method}: {chi:?}");
        }
    }
}
