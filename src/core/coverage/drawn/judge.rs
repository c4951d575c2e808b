//! Tests of evenness: compares counts with the expectation if all grids are equally likely.
//!
//! ```text
//!   band classes    9x9: 416 classes in each of six chutes (bands, stacks), chi-square; the worst chute, times six
//!   grids           small boards: every grid up to relabelling, chi-square
//!   classes         small boards: essentially different grids, chi-square
//!   4-cell sets     mean number of 4-cell unavoidable sets against the exact mean, or against `uniform`
//!   same class      9x9: pairs of draws that are essentially the same grid, Poisson
//!   same grid       pairs of draws that are the same grid, Poisson
//! ```
//!
//! A p-value is the probability that an even sampler looks at least as uneven. A test is failed if it is below
//! [`LIMIT`]. A board has at most four tests, so a sampler that is exactly even fails one of them less than once in two
//! thousand reports. Passing proves nothing.

use super::classes::{Even, share};
use super::sampled::DrawCounts;
use crate::board::Shape;
use crate::catalogue::{AUTOMORPHISMS, GRIDS, band_classes};
use crate::coverage::known::exact;
use crate::coverage::known::small::Small;
use crate::coverage::numbers::{ChiSquare, Estimate, Moments, normal_tails, poisson_tails};

/// Below this p-value a test is failed.
pub(crate) const LIMIT: f64 = 1e-4;

/// One over the probability that two uniform 9x9 grids are essentially the same, which is the sum of the squares of the
/// probabilities of all classes.
pub(crate) fn same_class_one_in() -> f64 {
    1.0 / AUTOMORPHISMS.iter().map(|&(k, classes)| classes as f64 * share(Even::Grids, k).powi(2)).sum::<f64>()
}

/// The result of a test.
#[derive(Clone, Debug, PartialEq)]
pub struct Test {
    pub name: &'static str,
    pub measured: f64,
    /// Its standard error, if it is a mean.
    pub error: Option<f64>,
    /// The value of an even sampler, on average.
    pub expected: f64,
    /// The standard error of this value, if it is not exact but measured on grids of `uniform`.
    pub expected_error: Option<f64>,
    /// It counts pairs of equal draws.
    pub is_of_pairs: bool,
    /// The probability that an even sampler is at least as far from this value.
    pub p: f64,
}

impl Test {
    /// True if the result does not contradict evenness.
    pub fn passed(&self) -> bool {
        self.p >= LIMIT
    }

    /// True if an uneven method could fail: pairs of equal draws say nothing if less than one is expected, because only
    /// methods of very few grids make more.
    pub(crate) fn has_power(&self) -> bool {
        !self.is_of_pairs || self.expected >= 1.0
    }

    /// A test of a value that is no mean.
    fn new(name: &'static str, measured: f64, expected: f64, p: f64) -> Test {
        Test { name, measured, error: None, expected, expected_error: None, is_of_pairs: false, p }
    }

    fn of_chi_square(name: &'static str, chi: ChiSquare) -> Test {
        Test::new(name, chi.value, chi.freedom, chi.p())
    }

    /// Of a number of pairs of equal draws.
    fn of_pairs(name: &'static str, pairs: u64, expected: f64) -> Test {
        Test { is_of_pairs: true, ..Test::new(name, pairs as f64, expected, poisson_tails(pairs, expected)) }
    }
}

/// Chi-square of the 416 band classes in each of the six chutes: bands, then stacks. None if the board is not 9x9.
pub(crate) fn chutes(counts: &DrawCounts) -> Option<[ChiSquare; 6]> {
    let seen = counts.bands.as_ref()?;
    let all = GRIDS as f64;
    let shares: Vec<f64> = band_classes().grids().map(|grids| grids as f64 / all).collect();
    Some(std::array::from_fn(|chute| {
        ChiSquare::of(seen.iter().map(|by_chute| by_chute[chute]).zip(shares.iter().copied()), counts.draws)
    }))
}

/// All tests for boards of this shape; there are none above order 9. `mean_swaps` is the exact mean number of 4-cell
/// sets, `reference` holds the counts of the uniform method.
pub(crate) fn judge(
    shape: Shape,
    counts: &DrawCounts,
    small: Option<&Small>,
    mean_swaps: Option<f64>,
    reference: Option<&DrawCounts>,
) -> Vec<Test> {
    let mut tests = Vec::new();
    if shape.order() > 9 {
        return tests;
    }
    let worst_chute = chutes(counts).and_then(|chutes| chutes.into_iter().max_by(|a, b| a.value.total_cmp(&b.value)));
    if let Some(chi) = worst_chute {
        let test = Test::of_chi_square("band classes", chi);
        tests.push(Test { p: (6.0 * test.p).min(1.0), ..test });
    }
    if let (Some(small), Some(plain)) = (small, &counts.plain) {
        let even = 1.0 / small.plain.len() as f64;
        tests.push(Test::of_chi_square("grids", ChiSquare::of(plain.iter().map(|&seen| (seen, even)), counts.draws)));
        tests.push(Test::of_chi_square("classes", classes(small, plain, counts.draws)));
    }
    let exact = mean_swaps.map(|value| Estimate { value, error: 0.0 });
    let drawn = reference.map(|reference| Estimate { value: reference.swaps.mean, error: reference.swaps.error });
    if let Some(Estimate { value: expected, error }) = exact.or(drawn) {
        let swaps = counts.swaps;
        let spread = Moments { error: swaps.error.hypot(error), ..swaps };
        tests.push(Test {
            error: Some(swaps.error),
            expected_error: Some(error).filter(|error| *error > 0.0),
            ..Test::new("4-cell sets", swaps.mean, expected, normal_tails(spread.distance(expected)))
        });
    }
    tests.extend(collisions(shape, counts));
    tests
}

/// Essentially different grids of a small board.
fn classes(small: &Small, plain: &[u64], draws: u64) -> ChiSquare {
    let mut seen = vec![0; small.class_sizes.len()];
    plain.iter().zip(&small.class_of).for_each(|(count, &class)| seen[class] += count);
    let shares = small.class_sizes.iter().map(|&size| f64::from(size) / small.plain.len() as f64);
    ChiSquare::of(seen.into_iter().zip(shares), draws)
}

/// Pairs of equal draws, if few are expected.
fn collisions(shape: Shape, counts: &DrawCounts) -> Vec<Test> {
    let pairs = counts.draws as f64 * (counts.draws as f64 - 1.0) / 2.0;
    let mut tests = Vec::new();
    if shape == Shape::NINE
        && let Some(classes) = counts.classes
    {
        tests.push(Test::of_pairs("same class", classes.pairs, pairs / same_class_one_in()));
    }
    let expected = pairs * libm::exp2(-exact::grids(shape).log2);
    tests.push(Test::of_pairs("same grid", counts.grids.pairs, expected));
    tests.retain(|test| test.expected < 1e6);
    tests
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::drawn::sampled;
    use crate::generate::{Jumps, Method, Strength};
    use crate::progress::Silent;

    #[test]
    fn two_uniform_grids_share_a_class_as_rarely_as_the_table_says() {
        let one_in = same_class_one_in();
        assert!((one_in - 5_472_587_464.3).abs() < 20.0, "{one_in}");
    }

    #[test]
    fn rare_cells_are_combined() {
        let cells = [(50, 0.5), (46, 0.46), (3, 0.03), (1, 0.01)];
        let chi = ChiSquare::of(cells.into_iter(), 100);
        assert_eq!((chi.value, chi.freedom), (0.0, 2.0));
        let rare = std::iter::repeat_n((1, 0.01), 100);
        assert_eq!(ChiSquare::of(rare, 100), ChiSquare { value: 0.0, freedom: 19.0 });
        assert!((ChiSquare::of([(60, 0.5), (40, 0.5)].into_iter(), 100).value - 4.0).abs() < 1e-12);
    }

    /// On 9x9, 4,000 draws are enough to recognise the most biased methods. `uniform` passes.
    #[test]
    fn uniform_passes_and_permutation_fails() {
        let judged = |method: Method| {
            let counts = sampled::count(&method, Shape::NINE, None, 1, 4000, &Silent).unwrap();
            let mean = sampled::mean_swaps(Shape::NINE, None).unwrap().value();
            judge(Shape::NINE, &counts, None, Some(mean), None)
        };
        let names = ["band classes", "4-cell sets", "same class", "same grid"];
        let uniform = judged(Method::Uniform);
        assert_eq!(uniform.iter().map(|test| test.name).collect::<Vec<_>>(), names);
        assert!(uniform.iter().all(Test::passed), "{uniform:?}");
        assert!(judged(Method::Permutation(Strength::Lines)).iter().filter(|test| !test.passed()).count() >= 3);
        assert!(judged(Method::DigitByBox).iter().any(|test| !test.passed()));
    }

    #[test]
    fn small_boards_are_judged_by_every_grid() {
        let shape: Shape = "2x2".parse().unwrap();
        let small = Small::of(shape).unwrap();
        let judged = |method: Method| {
            let counts = sampled::count(&method, shape, Some(&small), 1, 5000, &Silent).unwrap();
            judge(shape, &counts, Some(&small), Some(2.0), None)
        };
        assert!(judged(Method::Uniform)[..2].iter().all(Test::passed));
        assert!(!judged(Method::JumpBack(Jumps::default()))[..2].iter().all(Test::passed));
    }
}
