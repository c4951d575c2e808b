//! Coverage of classes: how many of the 5,472,730,538 classes of essentially different 9x9 grids a method reaches.
//!
//! For a number of draws, this module counts the different classes and how many classes came once, twice and so on. It
//! also counts the draws by the first band of their minlex form and by their number of automorphisms. The expectation
//! for a uniform sampler is shown for comparison. A class with k automorphisms has probability 1,218,998,108,160 / k /
//! N, and the table of counts says how many classes of each first band have k automorphisms.
//!
//! A class is identified by the number of its minlex grid, which takes two microseconds. Its rank would take hundreds.

use std::collections::BTreeMap;

use rayon::prelude::{IntoParallelIterator as _, ParallelIterator as _};

use crate::board::Shape;
use crate::catalogue::{AUTOMORPHISMS, BANDS, CLASSES, GRIDS, MAPS, Minlex, counts, minlex, number_of_values};
use crate::coverage::numbers::{ChiSquare, poisson_tails};
use crate::generate::{FillError, Method};
use crate::page::numbers::{grouped, rounded};
use crate::progress::Progress;
use crate::random::{Rng, Stage};

/// The classes that some draws of a method reached.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Drawn {
    pub method: Method,
    pub draws: u64,
    /// Number of classes that were drawn once, twice and so on.
    pub multiplicities: BTreeMap<u64, u64>,
    /// Draws by the first band of the minlex form.
    pub bands: Vec<u64>,
    /// Draws by number of automorphisms.
    pub automorphisms: BTreeMap<u32, u64>,
}

/// The class of a drawn grid.
struct DrawnClass {
    /// The number of its minlex grid.
    number: u128,
    band: usize,
    automorphisms: u32,
}

/// Draws grids and counts their classes. A corpus with this seed begins with the same grids.
///
/// # Errors
/// [`FillError`] if a method fails.
pub fn draw(method: &Method, seed: u64, draws: u64, progress: &dyn Progress) -> Result<Drawn, FillError> {
    progress.stage(&format!("classes: {method}"), draws);
    let grids = (0..draws).into_par_iter().map(|index| {
        let form = minlex_of_draw(method, seed, index)?;
        progress.rows(1);
        let automorphisms = form.maps.len() as u32;
        Ok(DrawnClass { number: number_of_values(&form.cells), band: form.band_class, automorphisms })
    });
    let mut classes: Vec<DrawnClass> = grids.collect::<Result<_, FillError>>()?;
    let mut drawn = Drawn {
        method: method.clone(),
        draws,
        multiplicities: BTreeMap::new(),
        bands: vec![0; BANDS],
        automorphisms: BTreeMap::new(),
    };
    for class in &classes {
        drawn.bands[class.band] += 1;
        *drawn.automorphisms.entry(class.automorphisms).or_default() += 1;
    }
    classes.sort_unstable_by_key(|class| class.number);
    for same in classes.chunk_by(|a, b| a.number == b.number) {
        *drawn.multiplicities.entry(same.len() as u64).or_default() += 1;
    }
    Ok(drawn)
}

/// The minlex form of the 9x9 grid that a method draws with a seed at an index.
fn minlex_of_draw(method: &Method, seed: u64, index: u64) -> Result<Minlex, FillError> {
    let grid = method.fill(Shape::NINE, &mut Rng::new(seed, index, Stage::Generate, 0))?;
    let Some(values) = grid.grid().nine() else { unreachable!("no 9x9 grid") };
    Ok(minlex(&values))
}

/// The two kinds of even samplers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Even {
    /// All grids are equally likely, so a class with more automorphisms is less likely.
    Grids,
    /// All classes are equally likely.
    Classes,
}

impl Even {
    /// The even sampler that a method is compared with.
    pub(crate) fn compared_with(method: &Method) -> Even {
        if *method == Method::UniformClasses { Even::Classes } else { Even::Grids }
    }
}

/// The probability of a class with k automorphisms under an even sampler.
pub fn share(even: Even, automorphisms: u32) -> f64 {
    match even {
        Even::Grids => (MAPS / u128::from(automorphisms)) as f64 / GRIDS as f64,
        Even::Classes => 1.0 / CLASSES as f64,
    }
}

/// The probability of some classes together: pairs of a number of automorphisms and a number of classes.
fn share_of_all<'a>(classes: impl IntoIterator<Item = (&'a u32, &'a u64)>, even: Even) -> f64 {
    classes.into_iter().map(|(&k, &classes)| classes as f64 * share(even, k)).sum()
}

/// How many classes an even sampler is expected to draw exactly n times, where n is `times`.
fn expected_drawn(even: Even, draws: u64, times: u64) -> f64 {
    let expected = AUTOMORPHISMS.iter().map(|&(k, classes)| {
        let mean = draws as f64 * share(even, k);
        // Poisson, which here agrees with the binomial distribution to a part in 10^9.
        classes as f64 * (1..=times).fold(libm::exp(-mean), |chance, time| chance * mean / time as f64)
    });
    expected.sum()
}

/// Number of different classes that an even sampler is expected to draw.
pub(crate) fn expected_distinct(even: Even, draws: u64) -> f64 {
    AUTOMORPHISMS.iter().map(|&(k, classes)| classes as f64 * -libm::expm1(-(draws as f64) * share(even, k))).sum()
}

/// The probability that an even sampler is at least as far from the expected number of different classes. The number of
/// draws that repeat a class is nearly Poisson while few classes come twice.
pub(crate) fn p_of_distinct(even: Even, draws: u64, distinct: u64) -> f64 {
    poisson_tails(draws - distinct, draws as f64 - expected_distinct(even, draws))
}

impl Drawn {
    /// Number of different classes.
    pub fn distinct(&self) -> u64 {
        self.multiplicities.values().sum()
    }

    /// Draws by first band, compared with an even sampler.
    pub(crate) fn bands_chi_square(&self) -> ChiSquare {
        let even = Even::compared_with(&self.method);
        let shares = (0..BANDS).map(|band| share_of_all(&counts().band(band).automorphisms, even));
        ChiSquare::of(self.bands.iter().copied().zip(shares), self.draws)
    }
}

/// The counts as Markdown, with the expectation for an even sampler.
pub fn text(drawn: &[Drawn]) -> String {
    let mut lines = vec!["# Classes of 9x9 grids reached".to_owned(), String::new()];
    lines.push("| method | draws | distinct classes | even: expected | share of all 5,472,730,538 | p |".to_owned());
    lines.push("|---|---|---|---|---|---|".to_owned());
    for drawn in drawn {
        let (even, distinct) = (Even::compared_with(&drawn.method), drawn.distinct());
        lines.push(format!(
            "| {} | {} | {} | {} | {:.6} % | {} |",
            drawn.method,
            grouped(drawn.draws.into()),
            grouped(distinct.into()),
            grouped(expected_distinct(even, drawn.draws).round() as u128),
            100.0 * distinct as f64 / CLASSES as f64,
            rounded(p_of_distinct(even, drawn.draws, distinct))
        ));
    }
    lines.push("\nThe even law is that of `uniform`, for `uniform-classes` its own.".to_owned());
    for drawn in drawn {
        let even = Even::compared_with(&drawn.method);
        lines.push(format!("\n## {}\n", drawn.method));
        lines.push("| times drawn | classes | even: expected |\n|---|---|---|".to_owned());
        for (&times, &classes) in drawn.multiplicities.iter().take(20) {
            let mean = expected_drawn(even, drawn.draws, times);
            lines.push(format!("| {times} | {} | {} |", grouped(classes.into()), rounded(mean)));
        }
        lines.push("\n| automorphisms | draws | even: expected |\n|---|---|---|".to_owned());
        for (k, classes) in AUTOMORPHISMS {
            let seen = drawn.automorphisms.get(&k).copied().unwrap_or(0);
            let mean = drawn.draws as f64 * classes as f64 * share(even, k);
            lines.push(format!("| {k} | {} | {} |", grouped(seen.into()), rounded(mean)));
        }
        lines.push(format!("\nDraws by the first band of the minlex form: {}.", chi_square(drawn.bands_chi_square())));
    }
    lines.push(String::new());
    lines.join("\n")
}

/// A chi-square sum in words.
fn chi_square(chi: ChiSquare) -> String {
    format!("chi-square {} with {} degrees of freedom, p = {}", rounded(chi.value), chi.freedom, rounded(chi.p()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;

    #[test]
    fn expectations_add_up() {
        let draws = 1_000_000;
        for even in [Even::Grids, Even::Classes] {
            let of = |times| expected_drawn(even, draws, times);
            let distinct: f64 = (1..10).map(of).sum();
            assert!((distinct - expected_distinct(even, draws)).abs() < 1e-3);
            let sum: f64 = (1..10).map(|times| times as f64 * of(times)).sum();
            assert!((sum - draws as f64).abs() < 1e-2, "{sum}");
        }
        // About 91 pairs of a million grids share a class.
        let pairs = draws as f64 - expected_distinct(Even::Grids, draws);
        assert!((pairs - 91.4).abs() < 0.1, "{pairs}");
    }

    #[test]
    fn uniform_is_even_and_the_template_is_one_class() {
        let uniform = draw(&Method::Uniform, 5, 20_000, &Silent).unwrap();
        assert!(uniform.distinct() > 19_990, "{}", uniform.distinct());
        assert!(uniform.bands_chi_square().p() > 1e-4, "{:?}", uniform.bands_chi_square());
        let template = draw(&Method::Permutation(crate::generate::Strength::Transpose), 5, 200, &Silent).unwrap();
        assert_eq!(template.multiplicities, BTreeMap::from([(200, 1)]));
        assert!(text(&[uniform, template]).contains("## uniform"));
    }
}
