//! The study: which grids each method reaches on each board, how evenly, and how this is known.
//!
//! ```text
//!   Options -> Survey
//!                boards: shape, how many grids, orbits
//!                  rows: method, reach, distribution (whole | sampled | unknown), counts of drawn grids, tests
//! ```
//!
//! The result depends only on the options, and not on threads or time.

use crate::board::Shape;
use crate::coverage::drawn::judge::{self, Test};
use crate::coverage::drawn::sampled::{self, DrawCounts, ExactMean};
use crate::coverage::known::distribution::Distribution;
use crate::coverage::known::exact::{self, Orbit, Size};
use crate::coverage::known::likelihood::{self, DistributionSample};
use crate::coverage::known::natural::{Natural, log2};
use crate::coverage::known::process::Process;
use crate::coverage::known::small::Small;
use crate::generate::{FillError, Method, Strength};
use crate::progress::Progress;

/// The methods and boards to study, and the number of draws.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct SurveyOptions {
    pub seed: u64,
    /// Number of grids that each method draws on the 9x9 board. Other boards get fewer, see [`SurveyOptions::draws`].
    pub samples: u64,
    pub shapes: Vec<Shape>,
    /// Number of grids whose probability is computed; one in 200 of the samples by default.
    pub law_samples: Option<u64>,
    pub methods: Vec<Method>,
}

impl SurveyOptions {
    /// The permutation method with each of its options, every method that searches, and `uniform`.
    pub fn all_methods() -> Vec<Method> {
        let mut methods: Vec<Method> = Strength::ALL.map(Method::Permutation).to_vec();
        methods.extend(Method::searching_and_uniform());
        methods
    }

    /// The boards of the report: orders 4, 6 (both ways), 8, 9, and estimates for 12, 16, 25 and 36.
    pub fn all_shapes() -> Vec<Shape> {
        ["2x2", "2x3", "3x2", "2x4", "3x3", "3x4", "4x4", "5x5", "6x6"]
            .iter()
            .filter_map(|text| text.parse().ok())
            .collect()
    }

    /// Number of grids that each method draws on boards of a shape: all requested on 9x9, fewer on others.
    pub fn draws(&self, shape: Shape) -> u64 {
        let part = match shape.order() {
            9 => 1,
            ..=8 => 4,
            10..=12 => 50,
            13..=16 => 100,
            _ => return 0,
        };
        (self.samples / part).max(20)
    }

    /// Grids whose probability is computed. The default is 1 of 200, because each takes about a hundred searches.
    fn probability_draws(&self) -> u64 {
        self.law_samples.unwrap_or((self.samples / 200).max(100))
    }
}

/// How many grids a method can reach.
#[derive(Clone, Debug, PartialEq)]
pub enum ReachableGrids {
    All,
    /// The images of the template.
    Orbit(Orbit),
    /// The images of some bases.
    Bases(usize),
}

/// What is known about the distribution of a method: the probabilities of the grids that it makes.
#[derive(Clone, Debug, PartialEq)]
pub enum KnownDistribution {
    Complete(Distribution),
    /// The probability of any grid can be computed; means over drawn grids.
    Sampled(DistributionSample),
    /// All reached grids are equally likely, and there are too many for a machine word: the divergence, in bits.
    Even(f64),
    /// The probabilities cannot be computed.
    Unknown,
}

/// What is known of a method on a board.
#[derive(Clone, Debug)]
pub struct SurveyRow {
    pub method: Method,
    pub reach: ReachableGrids,
    pub distribution: KnownDistribution,
    pub counts: Option<DrawCounts>,
    /// What the drawn grids say about the distribution.
    pub tests: Vec<Test>,
}

/// A board and the methods that make it.
pub struct Board {
    pub shape: Shape,
    pub grids: Size,
    pub classes: Size,
    /// The number of maps of cells that keep all houses.
    pub maps: Natural,
    /// Orbits of the template.
    pub orbits: Vec<Orbit>,
    /// Mean number of 4-cell unavoidable sets.
    pub mean_swaps: Option<ExactMean>,
    /// The methods that make boards of this shape.
    pub rows: Vec<SurveyRow>,
    /// The reasons why the other methods do not.
    pub refused: Vec<String>,
}

/// The results of the study.
#[expect(missing_docs, reason = "the names say it")]
pub struct Survey {
    pub options: SurveyOptions,
    pub boards: Vec<Board>,
}

/// Makes the study.
///
/// # Errors
/// [`FillError`] if a method finds no grid.
pub fn survey(options: SurveyOptions, progress: &dyn Progress) -> Result<Survey, FillError> {
    let boards = options.shapes.iter().map(|&shape| board(&options, shape, progress)).collect::<Result<_, _>>()?;
    Ok(Survey { options, boards })
}

/// Studies a board: a row for each method that makes it, then the tests, which compare the others with `uniform`.
fn board(options: &SurveyOptions, shape: Shape, progress: &dyn Progress) -> Result<Board, FillError> {
    let small = Small::of(shape);
    let (accepted, refused): (Vec<&Method>, Vec<&Method>) =
        options.methods.iter().partition(|method| method.accepts(shape).is_ok());
    let mean_swaps = sampled::mean_swaps(shape, small.as_ref());
    let mut rows = accepted
        .into_iter()
        .map(|method| row(options, shape, method, small.as_ref(), progress))
        .collect::<Result<Vec<SurveyRow>, FillError>>()?;
    let mean = mean_swaps.map(ExactMean::value);
    let uniform = rows.iter().find(|row| row.method == Method::Uniform).and_then(|row| row.counts.clone());
    for row in &mut rows {
        let reference = uniform.as_ref().filter(|_| row.method != Method::Uniform);
        let tests = row.counts.as_ref().map(|counts| judge::judge(shape, counts, small.as_ref(), mean, reference));
        row.tests = tests.unwrap_or_default();
    }
    Ok(Board {
        shape,
        grids: exact::grids(shape),
        classes: exact::classes(shape),
        maps: exact::cell_maps(shape),
        orbits: Strength::ALL.into_iter().filter_map(|strength| exact::orbit(shape, strength)).collect(),
        mean_swaps,
        rows,
        refused: refused.iter().filter_map(|method| method.accepts(shape).err()).map(|why| why.to_string()).collect(),
    })
}

/// Studies a method on a board: what it reaches, its probabilities, and drawn grids. The tests come later.
fn row(
    options: &SurveyOptions,
    shape: Shape,
    method: &Method,
    small: Option<&Small>,
    progress: &dyn Progress,
) -> Result<SurveyRow, FillError> {
    let reach = match method {
        Method::Permutation(strength) => {
            exact::orbit(shape, *strength).map_or(ReachableGrids::All, ReachableGrids::Orbit)
        }
        Method::BaseShuffle(bases) => ReachableGrids::Bases(bases.len()),
        _ => ReachableGrids::All,
    };
    let distribution = distribution(options, shape, method, small, &reach, progress)?;
    // Above order 9, only the distribution of the permutation method is known. All grids of its orbit have the same
    // number of 4-cell sets, so drawing them would show nothing.
    let draws = if shape.order() > 9 && distribution != KnownDistribution::Unknown { 0 } else { options.draws(shape) };
    let mut counts = None;
    if draws > 0 {
        progress.stage(&format!("{shape}: {method}, drawing"), draws);
        counts = Some(sampled::count(method, shape, small, options.seed, draws, progress)?);
    }
    Ok(SurveyRow { method: method.clone(), reach, distribution, counts, tests: Vec::new() })
}

/// What is known of the probabilities of a method. With a process (see [`Process`]) they are computed: on small boards
/// for all grids, on others for drawn grids. Without one they are known if all reached grids are equally likely.
fn distribution(
    options: &SurveyOptions,
    shape: Shape,
    method: &Method,
    small: Option<&Small>,
    reach: &ReachableGrids,
    progress: &dyn Progress,
) -> Result<KnownDistribution, FillError> {
    if let Some(process) = Process::of(method, shape) {
        if let Some(small) = small {
            return Ok(KnownDistribution::Complete(small.distribution(process)));
        }
        let draws = options.probability_draws();
        progress.stage(&format!("{shape}: {method}, probabilities"), draws);
        let sample = likelihood::sample(method, process, shape, options.seed, draws, progress);
        return sample.map(KnownDistribution::Sampled);
    }
    let all = exact::grids(shape);
    // All of these are equally likely.
    let reached = match (method, reach) {
        (Method::Permutation(_), ReachableGrids::Orbit(orbit)) => Some(&orbit.grids),
        (Method::Uniform, _) => all.exact.as_ref(),
        _ => None,
    };
    Ok(reached.map_or(KnownDistribution::Unknown, |reached| {
        match (u128::try_from(reached), all.exact.as_ref().map(u128::try_from)) {
            (Ok(reached), Some(Ok(all))) => KnownDistribution::Complete(Distribution::even(reached, all)),
            _ => KnownDistribution::Even(all.log2 - log2(reached)),
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Jumps;
    use crate::progress::Silent;

    /// In a small study each method has a row on each board or is refused, and distributions are of the right kind.
    #[test]
    fn every_method_is_studied_or_refused_on_every_board() {
        let options = SurveyOptions {
            seed: 1,
            samples: 400,
            shapes: ["2x2", "3x3", "5x5"].map(|text| text.parse().unwrap()).to_vec(),
            law_samples: None,
            methods: SurveyOptions::all_methods(),
        };
        let survey = survey(options.clone(), &Silent).unwrap();
        for board in &survey.boards {
            assert_eq!(board.rows.len() + board.refused.len(), options.methods.len(), "{}", board.shape);
            for row in &board.rows {
                assert_eq!(row.counts.is_some(), board.shape.order() <= 9, "{}: {}", board.shape, row.method);
            }
        }
        let nine = &survey.boards[1];
        let distribution = |method: &Method| &nine.rows.iter().find(|row| row.method == *method).unwrap().distribution;
        assert!(
            matches!(distribution(&Method::Uniform), KnownDistribution::Complete(distribution) if distribution.divergence() == 0.0)
        );
        assert!(matches!(distribution(&Method::RowMajor), KnownDistribution::Sampled(_)));
        assert_eq!(distribution(&Method::JumpBack(Jumps::default())), &KnownDistribution::Unknown);
    }
}
