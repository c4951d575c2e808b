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
    /// Unavoidable sets of four cells.
    swaps: Sums,
    /// Pure bands and stacks.
    pure: Sums,
    /// Bands and stacks of each of the 416 classes. Empty without grids.
    bands: Vec<Sums>,
}

/// Sums of a number over grids.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sums {
    sum: f64,
    squares: f64,
}

impl Sums {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.squares += value * value;
    }

    /// The variance over the grids of two samples together: one grid alone has no variance, and one sample may have few
    /// bands of a class. `grids` is the number of grids of both samples.
    fn joint_variance(self, other: Sums, grids: f64) -> f64 {
        let mean = (self.sum + other.sum) / grids;
        (self.squares + other.squares) / grids - mean * mean
    }
}

/// A class of bands is compared only if the smaller of two samples is expected to have this many of it.
const OFTEN: f64 = 5.0;

/// Grids of each method in the samples that files are compared with.
const SAMPLE: u64 = 2_000;

impl GridTraits {
    /// Adds a 9x9 grid.
    pub fn add(&mut self, solution: &Solution) {
        self.grids += 1;
        let table = band_classes();
        let mut cells = [0; 81];
        for (cell, &value) in cells.iter_mut().zip(solution.values()) {
            *cell = value as u8;
        }
        let mut chute_classes = table.chutes(&cells);
        let swaps: u32 = chute_classes.iter().map(|&class| table.classes[class].swaps).sum();
        self.swaps.add(f64::from(swaps));
        self.pure.add(f64::from(pure_chutes(solution)));
        self.bands.resize(table.classes.len(), Sums::default());
        chute_classes.sort_unstable();
        for same_class in chute_classes.chunk_by(|a, b| a == b) {
            self.bands[same_class[0]].add(same_class.len() as f64);
        }
    }

    /// The number of grids as a divisor.
    fn size(&self) -> f64 {
        self.grids.max(1) as f64
    }

    /// Mean number of unavoidable sets of four cells.
    pub(crate) fn mean_swaps(&self) -> f64 {
        self.swaps.sum / self.size()
    }

    /// Mean number of pure bands and stacks, of six.
    pub(crate) fn mean_pure(&self) -> f64 {
        self.pure.sum / self.size()
    }

    /// The distance of two samples in standard errors of their difference: the largest of the three.
    fn distance(&self, other: &GridTraits) -> f64 {
        let swaps = self.distance_of_means(self.swaps, other.swaps, other);
        let pure = self.distance_of_means(self.pure, other.pure, other);
        swaps.max(pure).max(self.distance_of_bands(other))
    }

    /// The distance of the means of a number in this sample and in another.
    fn distance_of_means(&self, sums: Sums, other_sums: Sums, other: &GridTraits) -> f64 {
        let (n, m) = (self.size(), other.size());
        let difference = (sums.sum / n - other_sums.sum / m).abs();
        if difference < 1e-12 {
            return 0.0;
        }
        let variance = sums.joint_variance(other_sums, n + m).max(0.0);
        difference / (variance * (1.0 / n + 1.0 / m)).sqrt().max(1e-12)
    }

    /// Sums the squared distances over the classes that are not too rare. If the same method made both samples, the sum
    /// is about the number of these classes. The result is how far it is above that number, in standard deviations; 0
    /// if it is below.
    fn distance_of_bands(&self, other: &GridTraits) -> f64 {
        let (n, m) = (self.size(), other.size());
        let mut squares = 0.0;
        let mut classes = 0.0;
        for (sums, other_sums) in self.bands.iter().zip(&other.bands) {
            let expected = (sums.sum + other_sums.sum) / (n + m) * n.min(m);
            if expected >= OFTEN {
                let variance = sums.joint_variance(*other_sums, n + m);
                let difference = sums.sum / n - other_sums.sum / m;
                squares += difference.powi(2) / (variance * (1.0 / n + 1.0 / m)).max(1e-12);
                classes += 1.0;
            }
        }
        if classes == 0.0 { 0.0 } else { ((squares - classes) / f64::sqrt(2.0 * classes)).max(0.0) }
    }
}

/// Samples of every method, made at the first call.
static METHOD_SAMPLES: LazyLock<Vec<(Method, GridTraits)>> = LazyLock::new(|| {
    let mut samples = Vec::new();
    for method in [Method::Permutation(Strength::default())].into_iter().chain(Method::searching_and_uniform()) {
        let mut traits = GridTraits::default();
        for index in 0..SAMPLE {
            let mut rng = Rng::new(416, index, Stage::Sample, 0);
            if let Ok(solution) = method.fill(Shape::NINE, &mut rng) {
                traits.add(&solution);
            }
        }
        samples.push((method, traits));
    }
    samples
});

/// Grids that say something about their method. The figures of fewer are too far from normally distributed.
pub(super) const FEWEST: u64 = 20;

/// The methods with the distance of their grids from those of a file, the nearest first. Empty below [`FEWEST`] grids.
pub fn origin(file: &GridTraits) -> Vec<(Method, f64)> {
    if file.grids < FEWEST {
        return Vec::new();
    }
    let mut distances: Vec<(Method, f64)> = Vec::new();
    for (method, sample) in METHOD_SAMPLES.iter() {
        distances.push((method.clone(), file.distance(sample)));
    }
    distances.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    distances
}

/// Bands and stacks whose mini-lines hold the same three sets of digits in every box.
fn pure_chutes(solution: &Solution) -> u32 {
    let mut pure = 0;
    for chute in 0..3 {
        // In a band, lines are nine cells apart and the cells of a line one; in a stack the other way round.
        for (line_step, cell_step) in [(9, 1), (1, 9)] {
            let first = 3 * chute * line_step;
            let [left, middle, right] = [0, 1, 2]
                .map(|block| mini_line_sets(solution.values(), first + 3 * block * cell_step, line_step, cell_step));
            pure += u32::from(left == middle && middle == right);
        }
    }
    pure
}

/// The sets of digits of the three mini-lines of a box, in ascending order. `first` is the first cell of the box.
fn mini_line_sets(values: &[u16], first: usize, line_step: usize, cell_step: usize) -> [u16; 3] {
    let mut sets = [0, 1, 2].map(|line| {
        let start = first + line * line_step;
        1 << values[start] | 1 << values[start + cell_step] | 1 << values[start + 2 * cell_step]
    });
    sets.sort_unstable();
    sets
}
