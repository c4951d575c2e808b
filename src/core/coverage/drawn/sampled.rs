//! Draws grids by a method and counts them, for the tests of evenness.
//!
//! ```text
//!   4-cell unavoidable sets      class of each chute        9x9: which of 416 in each of the six chutes
//!     . 3 . | . 7 . | . . .      a number per grid          small boards: which grid up to relabelling
//!     . 7 . | . 3 . | . . .      whose mean is known        all: which grids and which classes came before
//! ```
//!
//! Grid i is the one that `generate` makes with the same seed at index i, so every figure can be checked. Counts are
//! integers that are added up in index order, so they are the same for any number of threads.

use rayon::prelude::{IntoParallelIterator as _, ParallelIterator as _, ParallelSliceMut as _};

use crate::board::{Shape, Solution};
use crate::catalogue::{band_classes, canonical};
use crate::coverage::known::small::{PlainGrid, Small};
use crate::coverage::numbers::{Estimate, Moments};
use crate::generate::{FillError, Method};
use crate::progress::Progress;
use crate::random::{Rng, Stage, finalise};

/// Draws that are counted together.
const BLOCK: u64 = 1 << 14;

/// The counts of the drawn grids of a method.
#[derive(Clone, Debug)]
pub struct DrawCounts {
    pub draws: u64,
    /// 4-cell unavoidable sets of each chute, bands before stacks: mean and error.
    pub swaps_by_chute: Vec<Moments>,
    /// 4-cell unavoidable sets of a grid.
    pub swaps: Moments,
    /// 9x9: how often each of the 416 classes occurred in each of the six chutes.
    pub bands: Option<Vec<[u64; 6]>>,
    /// Small boards: how often each grid was drawn, up to relabelling.
    pub plain: Option<Vec<u64>>,
    pub grids: Species,
    /// Essentially different grids; 9x9 and small boards.
    pub classes: Option<Species>,
    /// Different grids among the first 1, 2, 4, ... draws, and among all.
    pub discovered: Vec<Discovered>,
}

/// How many different grids came in the first draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Discovered {
    pub draws: u64,
    pub distinct: u64,
}

/// How often different things were drawn. The estimators come from ecology, where the things are species.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Species {
    pub draws: u64,
    pub distinct: u64,
    /// Things that were drawn exactly once.
    pub once: u64,
    /// Things that were drawn exactly twice.
    pub twice: u64,
    /// Pairs of draws of the same thing.
    pub pairs: u64,
}

impl Species {
    /// From the sizes of the groups of equal draws.
    fn of(sizes: impl Iterator<Item = u64>) -> Species {
        sizes.fold(Species::default(), |so_far, size| Species {
            draws: so_far.draws + size,
            distinct: so_far.distinct + 1,
            once: so_far.once + u64::from(size == 1),
            twice: so_far.twice + u64::from(size == 2),
            pairs: so_far.pairs + size * (size - 1) / 2,
        })
    }

    /// From draws, where equal things have equal numbers.
    fn of_equal(mut draws: Vec<u128>) -> Species {
        draws.par_sort_unstable();
        Species::of(draws.chunk_by(|a, b| a == b).map(|group| group.len() as u64))
    }

    /// The estimated probability that the next draw is new: the share that came once (Good-Turing; Robbins; Esty 1983).
    pub(crate) fn unseen_mass(&self) -> Estimate {
        let (n, once, twice) = (self.draws as f64, self.once as f64, self.twice as f64);
        let variance = once * (1.0 - once / n) + 2.0 * twice;
        Estimate { value: once / n, error: variance.max(0.0).sqrt() / n }
    }

    /// Chao's lower bound for the number of different things (Chao 1984, bias-corrected).
    pub(crate) fn at_least(&self) -> f64 {
        let (once, twice) = (self.once as f64, self.twice as f64);
        self.distinct as f64 + once * (once - 1.0).max(0.0) / (2.0 * (twice + 1.0))
    }

    /// The standard error of [`Species::at_least`] (Chao 1987).
    pub(crate) fn at_least_error(&self) -> f64 {
        let (once, twice) = (self.once as f64, self.twice.max(1) as f64);
        let ratio = once / twice;
        (twice * (ratio.powi(4) / 4.0 + ratio.powi(3) + ratio * ratio / 2.0)).sqrt()
    }
}

/// What is counted of one grid.
struct GridCounts {
    swaps: Vec<u32>,
    bands: Option<[usize; 6]>,
    plain: Option<PlainGrid>,
    hash: u64,
    class: Option<u128>,
}

impl GridCounts {
    fn of(grid: &Solution, small: Option<&Small>) -> GridCounts {
        let nine = grid.grid().nine();
        GridCounts {
            swaps: swaps(grid),
            plain: small.and_then(|small| small.plain_grid(grid.values())),
            hash: hash(grid.values()),
            class: nine.as_ref().map(canonical::class_of),
            bands: nine.map(|nine| band_classes().chutes(&nine)),
        }
    }
}

/// A draw, by its number, and the hash of its grid. They are sorted by the hashes first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct HashedDraw {
    hash: u64,
    number: u64,
}

/// The sum of some numbers, and that of their squares.
#[derive(Clone, Copy, Default)]
struct Sums {
    sum: u64,
    squares: u64,
}

/// The counts of the grids drawn so far.
struct Tally {
    /// The 4-cell sets of each chute, then of the grid.
    sums: Vec<Sums>,
    bands: Option<Vec<[u64; 6]>>,
    plain: Option<Vec<u64>>,
    small_classes: Option<Vec<u64>>,
    nine_classes: Vec<u128>,
    hashes: Vec<u64>,
}

impl Tally {
    fn new(shape: Shape, small: Option<&Small>) -> Tally {
        Tally {
            sums: vec![Sums::default(); shape.bands() + shape.stacks() + 1],
            bands: (shape == Shape::NINE).then(|| vec![[0; 6]; band_classes().classes.len()]),
            plain: small.map(|small| vec![0; small.plain.len()]),
            small_classes: small.map(|small| vec![0; small.class_sizes.len()]),
            nine_classes: Vec::new(),
            hashes: Vec::new(),
        }
    }

    fn add(&mut self, drawn: GridCounts) {
        let whole = drawn.swaps.iter().sum();
        for (sums, value) in self.sums.iter_mut().zip(drawn.swaps.into_iter().chain([whole])) {
            sums.sum += u64::from(value);
            sums.squares += u64::from(value) * u64::from(value);
        }
        for (chute, class) in drawn.bands.into_iter().flatten().enumerate() {
            self.bands.iter_mut().for_each(|bands| bands[class][chute] += 1);
        }
        if let Some(PlainGrid { number, class }) = drawn.plain {
            self.plain.iter_mut().for_each(|plain| plain[number] += 1);
            self.small_classes.iter_mut().for_each(|classes| classes[class] += 1);
        }
        self.hashes.push(drawn.hash);
        self.nine_classes.extend(drawn.class);
    }

    fn counts(self, draws: u64) -> DrawCounts {
        let draws_by_hash = self.hashes.into_iter().zip(0..).map(|(hash, number)| HashedDraw { hash, number });
        let mut draws_by_hash: Vec<HashedDraw> = draws_by_hash.collect();
        draws_by_hash.par_sort_unstable();
        let same: Vec<&[HashedDraw]> = draws_by_hash.chunk_by(|a, b| a.hash == b.hash).collect();
        let moments = self.sums.iter().map(|sums| Moments::of_sums(draws, sums.sum, sums.squares));
        let mut moments: Vec<Moments> = moments.collect();
        let Some(swaps) = moments.pop() else { unreachable!("the last sum is that of the grid") };
        let classes = match self.small_classes {
            Some(classes) => Some(Species::of(classes.into_iter().filter(|&count| count > 0))),
            None => self.bands.is_some().then(|| Species::of_equal(self.nine_classes)),
        };
        DrawCounts {
            draws,
            swaps_by_chute: moments,
            swaps,
            bands: self.bands,
            plain: self.plain,
            grids: Species::of(same.iter().map(|group| group.len() as u64)),
            classes,
            discovered: discovered(draws, same.iter().map(|group| group[0].number)),
        }
    }
}

/// Draws grids and counts. `small` are the tables of the shape, if it is small. [`FillError`] if the method fails.
pub(crate) fn count(
    method: &Method,
    shape: Shape,
    small: Option<&Small>,
    seed: u64,
    draws: u64,
    progress: &dyn Progress,
) -> Result<DrawCounts, FillError> {
    let mut tally = Tally::new(shape, small);
    for begin in (0..draws).step_by(BLOCK as usize) {
        let grids = (begin..draws.min(begin + BLOCK)).into_par_iter().map(|index| {
            let grid = method.fill(shape, &mut Rng::new(seed, index, Stage::Generate, 0))?;
            Ok(GridCounts::of(&grid, small))
        });
        let block: Vec<GridCounts> = grids.collect::<Result<_, FillError>>()?;
        progress.rows(block.len() as u64);
        block.into_iter().for_each(|drawn| tally.add(drawn));
    }
    Ok(tally.counts(draws))
}

/// Number of 4-cell unavoidable sets in each chute, bands before stacks. A set consists of the crossings of two lines
/// of a chute with two lines across, in two boxes, where the same two digits cross. Each set lies in one chute.
pub(crate) fn swaps(grid: &Solution) -> Vec<u32> {
    let (shape, values) = (grid.shape(), grid.values());
    let n = shape.order();
    let bands =
        (0..shape.bands()).map(|band| crossings(n, shape.box_rows(), band, |row, column| values[row * n + column]));
    let stacks = (0..shape.stacks())
        .map(|stack| crossings(n, shape.box_columns(), stack, |column, row| values[row * n + column]));
    bands.chain(stacks).collect()
}

/// The number of sets in one chute of `size` lines; `value(line, place)` reads along the lines.
fn crossings(n: usize, size: usize, chute: usize, value: impl Fn(usize, usize) -> u16) -> u32 {
    let mut count = 0;
    let mut place_of = [0; Shape::MAX_ORDER + 1];
    for lower in chute * size..(chute + 1) * size {
        (0..n).for_each(|place| place_of[usize::from(value(lower, place))] = place);
        for upper in chute * size..lower {
            for place in 0..n {
                // Where the lower line has the digit that the upper line has here. Do the two digits cross?
                let crossed = place_of[usize::from(value(upper, place))];
                count += u32::from(place < crossed && value(upper, crossed) == value(lower, place));
            }
        }
    }
    count
}

/// A 64-bit hash of values. Among a million different grids, some two have the same hash with probability 3e-8.
fn hash(values: &[u16]) -> u64 {
    values.iter().fold(0, |hash, &value| finalise(hash ^ u64::from(value)))
}

/// The number of different things among the first 1, 2, 4, ... draws. `first` gives the first draw of each thing.
fn discovered(draws: u64, first: impl Iterator<Item = u64>) -> Vec<Discovered> {
    let marks = (0..63).map(|power| 1 << power).take_while(|&mark| mark < draws).chain([draws]);
    let mut discovered: Vec<Discovered> = marks.map(|draws| Discovered { draws, distinct: 0 }).collect();
    for index in first {
        let later = discovered.partition_point(|mark| mark.draws <= index);
        discovered[later].distinct += 1;
    }
    for later in 1..discovered.len() {
        discovered[later].distinct += discovered[later - 1].distinct;
    }
    discovered
}

/// An exact mean in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactMean {
    pub sum: u128,
    pub count: u128,
}

impl ExactMean {
    pub(crate) fn value(self) -> f64 {
        self.sum as f64 / self.count as f64
    }
}

/// Mean number of 4-cell unavoidable sets of all grids: from the 416 classes for 9x9, by listing all grids for small
/// boards. None for other boards.
pub(crate) fn mean_swaps(shape: Shape, small: Option<&Small>) -> Option<ExactMean> {
    let (sum, count) = if shape == Shape::NINE {
        let classes = band_classes();
        let swaps = classes.grids().zip(&classes.classes).map(|(grids, class)| grids * u128::from(class.swaps));
        (6 * swaps.sum::<u128>(), classes.grids().sum())
    } else {
        let small = small?;
        let swaps = small.plain_grids().map(|grid| u128::from(swaps(&grid).iter().sum::<u32>()));
        (swaps.sum(), small.plain.len() as u128)
    };
    let divisor = gcd(sum, count);
    Some(ExactMean { sum: sum / divisor, count: count / divisor })
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Strength;
    use crate::progress::Silent;

    #[test]
    fn four_cell_sets_are_swappable_and_counted_in_every_chute() {
        for text in ["2x2", "2x3", "3x2", "3x3", "3x4"] {
            let shape: Shape = text.parse().unwrap();
            let grid = Method::FewestCandidates.fill(shape, &mut Rng::new(1, 0, Stage::Bench, 0)).unwrap();
            assert_eq!(swaps(&grid).iter().sum::<u32>(), by_brute_force(&grid), "{text}");
        }
    }

    /// Every rectangle of cells with two digits that cross: exchange them and look whether the grid is valid.
    fn by_brute_force(grid: &Solution) -> u32 {
        let n = grid.shape().order();
        let pairs = || (0..n).flat_map(|low| (0..low).map(move |high| (high, low)));
        let swappable = |((top, bottom), (left, right)): ((usize, usize), (usize, usize))| {
            let corners = [top * n + left, top * n + right, bottom * n + left, bottom * n + right];
            let [a, b, c, d] = corners.map(|at| grid.values()[at]);
            let mut values = grid.values().to_vec();
            corners.iter().zip([b, a, d, c]).for_each(|(&at, value)| values[at] = value);
            let changed = crate::board::Grid::new(grid.shape(), values).unwrap();
            a == d && b == c && Solution::try_from(changed).is_ok()
        };
        pairs().flat_map(|rows| pairs().map(move |columns| (rows, columns))).filter(|&pair| swappable(pair)).count()
            as u32
    }

    #[test]
    fn the_mean_number_of_four_cell_sets_lies_between_11_and_12() {
        let mean = mean_swaps(Shape::NINE, None).unwrap().value();
        assert!(11.0 < mean && mean < 12.0, "{mean}");
        let small = Small::of("2x2".parse().unwrap()).unwrap();
        let whole: u32 = small.solutions().map(|grid| swaps(&grid).iter().sum::<u32>()).sum();
        let mean = mean_swaps("2x2".parse().unwrap(), Some(&small)).unwrap();
        assert_eq!(u128::from(whole) * mean.count, 288 * mean.sum);
    }

    #[test]
    fn images_of_a_grid_are_of_its_class_and_other_grids_are_not() {
        let draws = 100;
        let method = Method::Permutation(Strength::Transpose);
        let counts = count(&method, Shape::NINE, None, 5, draws, &Silent).unwrap();
        let species = Species { draws, distinct: 1, once: 0, twice: 0, pairs: draws * (draws - 1) / 2 };
        assert_eq!(counts.classes, Some(species));
        let counts = count(&Method::FewestCandidates, Shape::NINE, None, 5, draws, &Silent).unwrap();
        assert_eq!(counts.classes.unwrap(), Species { draws, distinct: draws, once: draws, twice: 0, pairs: 0 });
        assert_eq!(counts.bands.unwrap().iter().map(|seen| seen[4]).sum::<u64>(), draws);
    }

    #[test]
    fn species_of_known_groups() {
        let species = Species::of([1, 1, 2, 3].into_iter());
        assert_eq!(species, Species { draws: 7, distinct: 4, once: 2, twice: 1, pairs: 4 });
        assert!((species.unseen_mass().value - 2.0 / 7.0).abs() < 1e-12);
        assert!((species.at_least() - 4.5).abs() < 1e-12);
        let expected = [(1, 1), (2, 2), (4, 2), (5, 3)].map(|(draws, distinct)| Discovered { draws, distinct });
        assert_eq!(discovered(5, [0, 1, 4].into_iter()), expected);
    }

    #[test]
    fn counts_do_not_depend_on_the_chunks() {
        let small = Small::of("2x3".parse().unwrap()).unwrap();
        let one = count(&Method::RowMajor, "2x3".parse().unwrap(), Some(&small), 1, 5000, &Silent).unwrap();
        assert_eq!(one.plain.as_ref().unwrap().iter().sum::<u64>(), 5000);
        assert_eq!(one.classes.unwrap().draws, 5000);
        assert_eq!(one.discovered.last(), Some(&Discovered { draws: 5000, distinct: one.grids.distinct }));
    }
}
