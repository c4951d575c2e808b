//! Estimates which methods may have made some solution grids.
//!
//! Three figures are computed for each grid:
//! * the number of its unavoidable sets of four cells: two digits that can be exchanged, `a b / b a` in two rows of a
//!   band and two columns of different stacks, or transposed;
//! * the number of *pure* bands and stacks: their three mini-rows have the same three sets of digits in every box;
//! * the classes of its bands and stacks, out of 416.
//!
//! The means over a file are compared with samples of every method of this program, in standard errors. A small
//! distance does not prove that a method made the file; a large one proves that it did not.

use std::sync::LazyLock;

use sudoku_corpus_core::board::{Shape, Solution};
use sudoku_corpus_core::catalogue::band_classes;
use sudoku_corpus_core::generate::{Method, Strength};
use sudoku_corpus_core::random::{Rng, Stage};

/// Sums over the grids of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GridTraits {
    /// Grids.
    pub grids: u64,
    /// Unavoidable sets of four cells: sum and sum of squares.
    swaps: [f64; 2],
    /// Pure bands and stacks: sum and sum of squares.
    pure: [f64; 2],
    /// Bands and stacks of each of the 416 classes: sum and sum of squares. Empty without grids.
    bands: Vec<[f64; 2]>,
}

/// A class of bands is compared only if the smaller of two samples is expected to have this many of it.
const OFTEN: f64 = 5.0;

/// Grids of each method in the samples that files are compared with.
const SAMPLE: u64 = 2_000;

impl GridTraits {
    /// Adds a 9x9 grid.
    pub fn add(&mut self, solution: &Solution) {
        self.grids += 1;
        let known = band_classes();
        let mut cells = [0; 81];
        cells.iter_mut().zip(solution.values()).for_each(|(cell, &value)| *cell = value as u8);
        let mut chutes = known.chutes(&cells);
        let swaps = chutes.map(|class| known.classes[class].swaps).iter().sum::<u32>();
        add(&mut self.swaps, f64::from(swaps));
        add(&mut self.pure, f64::from(pure_chutes(solution)));
        self.bands.resize(known.classes.len(), [0.0; 2]);
        chutes.sort_unstable();
        chutes.chunk_by(|a, b| a == b).for_each(|same| add(&mut self.bands[same[0]], same.len() as f64));
    }

    /// Mean and variance from the sums of a number and of its square.
    fn mean(&self, sums: [f64; 2]) -> (f64, f64) {
        let n = self.grids.max(1) as f64;
        let mean = sums[0] / n;
        (mean, (sums[1] / n - mean * mean).max(0.0))
    }

    /// Mean number of unavoidable sets of four cells.
    pub(crate) fn mean_swaps(&self) -> f64 {
        self.mean(self.swaps).0
    }

    /// Mean number of pure bands and stacks, of six.
    pub(crate) fn mean_pure(&self) -> f64 {
        self.mean(self.pure).0
    }

    /// The distance of two samples in standard errors of their difference: the largest of the three.
    fn distance(&self, other: &GridTraits) -> f64 {
        let one = |own: [f64; 2], its: [f64; 2]| {
            let (n, its_n) = (self.grids.max(1) as f64, other.grids.max(1) as f64);
            let difference = (self.mean(own).0 - other.mean(its).0).abs();
            // The variance is estimated from both samples together: one grid alone has none.
            let mean = (own[0] + its[0]) / (n + its_n);
            let variance = ((own[1] + its[1]) / (n + its_n) - mean * mean).max(0.0);
            if difference < 1e-12 { 0.0 } else { difference / (variance * (1.0 / n + 1.0 / its_n)).sqrt().max(1e-12) }
        };
        one(self.swaps, other.swaps).max(one(self.pure, other.pure)).max(self.distance_of_bands(other))
    }

    /// Sums the squared distances over the classes that are not too rare. If the same method made both samples, the sum
    /// is about the number of these classes. The result is how far it is above that number, in standard deviations; 0
    /// if it is below.
    fn distance_of_bands(&self, other: &GridTraits) -> f64 {
        let (n, its_n) = (self.grids.max(1) as f64, other.grids.max(1) as f64);
        let expected = |sum: f64| sum / (n + its_n) * n.min(its_n);
        let pairs = self.bands.iter().zip(&other.bands);
        let squares = pairs.filter(|(own, its)| expected(own[0] + its[0]) >= OFTEN).map(|(own, its)| {
            // The variance is estimated from both samples together, because one of them may have few bands of a class.
            let mean = (own[0] + its[0]) / (n + its_n);
            let variance = (own[1] + its[1]) / (n + its_n) - mean * mean;
            (own[0] / n - its[0] / its_n).powi(2) / (variance * (1.0 / n + 1.0 / its_n)).max(1e-12)
        });
        let (sum, number) = squares.fold((0.0, 0.0), |(sum, number), square| (sum + square, number + 1.0));
        if number == 0.0 { 0.0 } else { ((sum - number) / f64::sqrt(2.0 * number)).max(0.0) }
    }
}

/// Adds a value to a sum and a sum of squares.
fn add(sums: &mut [f64; 2], value: f64) {
    sums[0] += value;
    sums[1] += value * value;
}

/// Samples of every method, made at the first call.
static KNOWN: LazyLock<Vec<(Method, GridTraits)>> = LazyLock::new(|| {
    let methods = [Method::Permutation(Strength::default())].into_iter().chain(Method::searching_and_uniform());
    let sample = |method: Method| {
        let mut origin = GridTraits::default();
        for index in 0..SAMPLE {
            let mut rng = Rng::new(416, index, Stage::Sample, 0);
            if let Ok(solution) = method.fill(Shape::NINE, &mut rng) {
                origin.add(&solution);
            }
        }
        (method, origin)
    };
    methods.map(sample).collect()
});

/// Grids that say something about their method. The figures of fewer are too far from normally distributed.
pub(super) const FEWEST: u64 = 20;

/// The methods with the distance of their grids from those of a file, the nearest first. Empty below [`FEWEST`] grids.
pub fn origin(file: &GridTraits) -> Vec<(Method, f64)> {
    if file.grids < FEWEST {
        return Vec::new();
    }
    let mut list: Vec<(Method, f64)> =
        KNOWN.iter().map(|(method, known)| (method.clone(), file.distance(known))).collect();
    list.sort_by(|a, b| a.1.total_cmp(&b.1));
    list
}

/// Bands and stacks whose mini-lines hold the same three sets of digits in every box.
fn pure_chutes(solution: &Solution) -> u32 {
    let values = solution.values();
    let set = |cells: [usize; 3]| cells.iter().fold(0u16, |set, &cell| set | 1 << values[cell]);
    let is_pure = |line_step: usize, cell_step: usize, chute: usize| {
        let sets = |block: usize| {
            let mut sets = [0, 1, 2].map(|line| {
                let first = (3 * chute + line) * line_step + 3 * block * cell_step;
                set([first, first + cell_step, first + 2 * cell_step])
            });
            sets.sort_unstable();
            sets
        };
        sets(0) == sets(1) && sets(1) == sets(2)
    };
    (0..3).map(|chute| u32::from(is_pure(9, 1, chute)) + u32::from(is_pure(1, 9, chute))).sum()
}
