//! Coverage, class by class: which of the 5,472,730,538 classes of essentially different 9x9 grids a method reaches.
//!
//! Of a number of draws it is counted exactly how many different classes they are of, and how many classes came once, twice
//! and so on; the draws are also counted by the first band of their minlex form and by their number of automorphisms. What
//! a uniform sampler would give stands beside it: a class with k automorphisms has probability 1,218,998,108,160 / k / N,
//! and the table of counts says how many classes of each first band have k.
//!
//! A class is known by the number of its minlex grid, which takes two microseconds, not by its rank, which takes a thousand.

use std::collections::BTreeMap;

use rayon::prelude::{IntoParallelIterator as _, ParallelIterator as _};

use super::numbers::{chi_square_tail, poisson_tails};
use super::sampled::nine;
use super::survey::Progress;
use crate::board::Shape;
use crate::catalogue::{AUTOMORPHISMS, BANDS, GRIDS, MAPS, counts, minlex, number_of_values};
use crate::generate::{FillError, Method};
use crate::page::numbers::{grouped, rounded};
use crate::random::{Rng, Stage};

/// The classes that some draws of a method reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The method.
    pub method: Method,
    /// Number of draws.
    pub draws: u64,
    /// Number of classes that came once, twice and so on.
    pub multiplicities: BTreeMap<u64, u64>,
    /// Draws by the first band of the minlex form.
    pub bands: Vec<u64>,
    /// Draws by number of automorphisms.
    pub automorphisms: BTreeMap<u32, u64>,
}

/// Draws grids and counts their classes. The grids are those that a corpus with this seed begins with.
///
/// # Errors
/// [`FillError`] when a method fails.
pub fn draw(method: &Method, seed: u64, draws: u64, progress: &dyn Progress) -> Result<Drawn, FillError> {
    progress.begin(&format!("classes: {method}"), draws);
    let one = |index| {
        let grid = method.fill(Shape::NINE, &mut Rng::new(seed, index, Stage::Generate, 0))?;
        let form = minlex(&nine(grid.values()));
        progress.advance(1);
        Ok((number_of_values(&form.cells), form.band, form.maps.len() as u32))
    };
    let mut classes: Vec<(u128, usize, u32)> = (0..draws).into_par_iter().map(one).collect::<Result<_, FillError>>()?;
    let mut drawn = Drawn {
        method: method.clone(),
        draws,
        multiplicities: BTreeMap::new(),
        bands: vec![0; BANDS],
        automorphisms: BTreeMap::new(),
    };
    for &(_, band, automorphisms) in &classes {
        drawn.bands[band] += 1;
        *drawn.automorphisms.entry(automorphisms).or_default() += 1;
    }
    classes.sort_unstable();
    for same in classes.chunk_by(|a, b| a.0 == b.0) {
        *drawn.multiplicities.entry(same.len() as u64).or_default() += 1;
    }
    Ok(drawn)
}

/// The probability of a class with k automorphisms under the uniform law.
fn share(automorphisms: u32) -> f64 {
    (MAPS / u128::from(automorphisms)) as f64 / GRIDS as f64
}

/// Number of classes that a uniform sampler is expected to draw exactly `times` times, or at least once for 0.
pub fn expected(draws: u64, times: u64) -> f64 {
    let of = |&(k, classes): &(u32, u64)| {
        let mean = draws as f64 * share(k);
        // Poisson, which is the binomial law to a part in 10^9 here.
        let chance = match times {
            0 => -(-mean).exp_m1(),
            _ => (1..=times).fold((-mean).exp(), |chance, at| chance * mean / at as f64),
        };
        classes as f64 * chance
    };
    AUTOMORPHISMS.iter().map(of).sum()
}

impl Drawn {
    /// Number of different classes.
    pub fn distinct(&self) -> u64 {
        self.multiplicities.values().sum()
    }

    /// Chi-square of the draws by first band against the uniform law: value, degrees of freedom and p. Bands that are
    /// expected less than five times are taken together.
    pub fn bands_chi_square(&self) -> (f64, f64, f64) {
        let (mut value, mut kinds, mut rare) = (0.0, 0.0, (0.0, 0.0));
        // Bands that the table lacks have what is left of the draws.
        let mut left = (self.draws as f64, self.draws as f64);
        for (band, &seen) in self.bands.iter().enumerate().filter(|&(band, _)| counts().is_known(band)) {
            let shares = counts().band(band).automorphisms.iter().map(|(&k, &classes)| classes as f64 * share(k));
            let expected = self.draws as f64 * shares.sum::<f64>();
            left = (left.0 - seen as f64, left.1 - expected);
            if expected < 5.0 {
                rare = (rare.0 + seen as f64, rare.1 + expected);
            } else {
                value += (seen as f64 - expected).powi(2) / expected;
                kinds += 1.0;
            }
        }
        for (seen, expected) in [rare, left].into_iter().filter(|&(_, expected)| expected > 0.5) {
            value += (seen - expected).powi(2) / expected;
            kinds += 1.0;
        }
        (value, kinds - 1.0, chi_square_tail(value, kinds - 1.0))
    }
}

/// What was counted, as Markdown, with the uniform law beside it.
pub fn text(drawn: &[Drawn]) -> String {
    let mut lines = vec!["# Classes of essentially different 9x9 grids reached".to_owned(), String::new()];
    lines.push("| method | draws | distinct classes | uniform: expected | share of all 5,472,730,538 | p |".to_owned());
    lines.push("|---|---|---|---|---|---|".to_owned());
    for drawn in drawn {
        let (distinct, mean) = (drawn.distinct(), expected(drawn.draws, 0));
        // Draws beyond the first of their class are nearly Poisson while few classes come twice.
        let p = poisson_tails(drawn.draws - distinct, drawn.draws as f64 - mean);
        let share = distinct as f64 / crate::catalogue::CLASSES as f64;
        lines.push(format!(
            "| {} | {} | {} | {} | {:.6} % | {} |",
            drawn.method,
            grouped(drawn.draws.into()),
            grouped(distinct.into()),
            grouped(mean.round() as u128),
            100.0 * share,
            rounded(p)
        ));
    }
    for drawn in drawn {
        lines.push(format!("\n## {}\n", drawn.method));
        lines.push("| times drawn | classes | uniform: expected |\n|---|---|---|".to_owned());
        for (&times, &classes) in drawn.multiplicities.iter().take(20) {
            lines.push(format!(
                "| {times} | {} | {} |",
                grouped(classes.into()),
                rounded(expected(drawn.draws, times))
            ));
        }
        lines.push("\n| automorphisms | draws | uniform: expected |\n|---|---|---|".to_owned());
        for (k, classes) in AUTOMORPHISMS {
            let seen = drawn.automorphisms.get(&k).copied().unwrap_or(0);
            let mean = drawn.draws as f64 * classes as f64 * share(k);
            lines.push(format!("| {k} | {} | {} |", grouped(seen.into()), rounded(mean)));
        }
        let (value, freedom, p) = drawn.bands_chi_square();
        lines.push(format!(
            "\nDraws by the first band of the minlex form: chi-square {} with {freedom} degrees of freedom, p = {}.",
            rounded(value),
            rounded(p)
        ));
    }
    lines.push(String::new());
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coverage::survey::Silent;

    #[test]
    fn expectations_add_up() {
        let draws = 1_000_000;
        let distinct: f64 = (1..10).map(|times| expected(draws, times)).sum();
        assert!((distinct - expected(draws, 0)).abs() < 1e-3);
        let all: f64 = (1..10).map(|times| times as f64 * expected(draws, times)).sum();
        assert!((all - draws as f64).abs() < 1e-2, "{all}");
        // About 91 pairs of a million grids share a class.
        assert!((draws as f64 - expected(draws, 0) - 91.4).abs() < 0.1, "{}", expected(draws, 0));
    }

    #[test]
    fn uniform_is_even_and_the_template_is_one_class() {
        let uniform = draw(&Method::Uniform, 5, 20_000, &Silent).unwrap();
        assert!(uniform.distinct() > 19_990, "{}", uniform.distinct());
        assert!(uniform.bands_chi_square().2 > 1e-4, "{:?}", uniform.bands_chi_square());
        let template = draw(&Method::Permutation(crate::generate::Strength::Transpose), 5, 200, &Silent).unwrap();
        assert_eq!(template.multiplicities, BTreeMap::from([(200, 1)]));
        assert!(text(&[uniform, template]).contains("## uniform"));
    }
}
