//! Draws the plots of the report.

use super::blocks::searches;
use crate::board::Shape;
use crate::coverage::drawn::judge;
use crate::coverage::drawn::sampled::{Discovered, ExactMean};
use crate::coverage::known::exact;
use crate::coverage::known::likelihood::DistributionSample;
use crate::coverage::numbers::{Estimate, Extremes};
use crate::coverage::survey::{Board, KnownDistribution, Survey, SurveyRow};
use crate::generate::Method;
use crate::page::numbers::rounded;
use crate::page::{Axis, Colour, Figure, Layer, Marks, Plot};

/// A plot with its numbers. The Markdown page shows the caption instead of the plot.
fn figure(headline: &str, plot: Plot, caption: String) -> Figure {
    Figure { headline: headline.to_owned(), caption, data: plot.table(), plot, listed: false }
}

/// The colour of a method: the same in every plot.
fn colour(survey: &Survey, method: &Method) -> Colour {
    // Colour 8 is that of `uniform`. The other methods have 0 to 7 in turn.
    if *method == Method::Uniform {
        return Colour::Series(8);
    }
    Colour::Series(biased_methods(survey).position(|biased| biased == method).unwrap_or(0) % 8)
}

/// All methods but `uniform`.
fn biased_methods(survey: &Survey) -> impl Iterator<Item = &Method> {
    survey.options.methods.iter().filter(|&method| *method != Method::Uniform)
}

/// The least of some values, and the largest of them and 0.
fn range(values: impl IntoIterator<Item = f64>) -> Extremes {
    let mut range = Extremes { least: f64::INFINITY, most: 0.0 };
    for value in values {
        range = Extremes { least: value.min(range.least), most: value.max(range.most) };
    }
    range
}

/// Two numbers as an interval, or one of them if both are printed alike.
fn interval(least: f64, most: f64) -> String {
    let [least, most] = [least, most].map(rounded);
    if least == most { least } else { format!("{least} to {most}") }
}

/// The axis with the names of methods.
fn names(rows: &[&SurveyRow]) -> Axis {
    Axis::names("", rows.iter().map(|row| row.method.to_string()).collect())
}

/// Divergence of a method from uniform in bits on a board. None if it is not known.
fn divergence(board: &Board, method: &Method) -> Option<Estimate> {
    match &board.rows.iter().find(|row| row.method == *method)?.distribution {
        KnownDistribution::Complete(distribution) => Some(Estimate { value: distribution.divergence(), error: 0.0 }),
        KnownDistribution::Sampled(DistributionSample { divergence, .. }) => {
            Some(Estimate { value: divergence.mean, error: divergence.error })
        }
        KnownDistribution::Even(bits) => Some(Estimate { value: *bits, error: 0.0 }),
        KnownDistribution::Unknown => None,
    }
}

/// The divergences in bits of some methods, on all boards.
fn divergences_of(survey: &Survey, takes: impl Fn(&Method) -> bool) -> Vec<f64> {
    let mut divergences = Vec::new();
    for method in biased_methods(survey).filter(|method| takes(method)) {
        divergences.extend(survey.boards.iter().filter_map(|board| divergence(board, method)).map(|bits| bits.value));
    }
    divergences
}

/// The divergence from uniform of each method on each board. None if none is known.
pub(super) fn divergences(survey: &Survey) -> Option<Figure> {
    let mut values: Vec<f64> = Vec::new();
    let mut layers = Vec::new();
    for (number, board) in survey.boards.iter().enumerate() {
        let mut points = Vec::new();
        for (line, method) in biased_methods(survey).enumerate() {
            if let Some(bits) = divergence(board, method).filter(|bits| bits.value > 0.0) {
                points.push((bits.value, line as f64, bits.error));
                values.push(bits.value);
            }
        }
        if !points.is_empty() {
            layers.push(Layer::new(&board.shape.to_string(), Colour::Series(number), Marks::Dots(points)));
        }
    }
    let Extremes { least, most } = range(values.iter().copied());
    let plot = Plot {
        id: "divergence".to_owned(),
        title: "Divergence from uniform".to_owned(),
        x: Axis::log("divergence from uniform, bits (logarithmic; 0 would be even)", least, most),
        y: Axis::names("", biased_methods(survey).map(ToString::to_string).collect()),
        layers,
        marks: Vec::new(),
    };
    let searching = divergences_of(survey, searches);
    let Extremes { least, most } = range(searching.iter().copied());
    let searching = if searching.is_empty() {
        String::new()
    } else {
        format!(" Searching methods have a divergence of {} bits on these boards.", interval(least, most))
    };
    let permuted = match range(divergences_of(survey, |method| matches!(method, Method::Permutation(_)))).most {
        0.0 => String::new(),
        most => format!(" `permutation` misses most grids: up to {} bits.", rounded(most)),
    };
    let caption = format!(
        "How uneven each method is on each board: the Kullback-Leibler divergence from the uniform distribution.{permuted}{searching}"
    );
    let headline = "How far each method is from making all grids equally often";
    (!values.is_empty()).then(|| figure(headline, plot, caption))
}

/// The middle of each bin of a histogram, from an empty one to an empty one, and the share of ascending values in it.
fn histogram(values: &[f64]) -> Option<Vec<(f64, f64)>> {
    let (first, last) = (values.first()?.floor() as i64, values.last()?.floor() as i64);
    let mut bins = Vec::new();
    for bin in first - 1..=last + 1 {
        let count = values.iter().filter(|value| value.floor() as i64 == bin).count();
        bins.push((bin as f64 + 0.5, count as f64 / values.len() as f64));
    }
    Some(bins)
}

/// Histograms of the probabilities of drawn grids, for methods whose probabilities are sampled. None if there is none.
pub(super) fn spread(survey: &Survey, board: &Board) -> Option<Figure> {
    let mut points: Vec<(f64, f64)> = Vec::new();
    let mut layers = Vec::new();
    for row in &board.rows {
        if let KnownDistribution::Sampled(distribution) = &row.distribution
            && let Some(bins) = histogram(&distribution.log2_u)
        {
            points.extend(&bins);
            layers.push(Layer::new(&row.method.to_string(), colour(survey, &row.method), Marks::Line(bins)));
        }
    }
    if layers.is_empty() {
        return None;
    }
    let logarithms = range(points.iter().map(|point| point.0).chain([-1.0, 1.0]));
    let shares = range(points.iter().map(|point| point.1));
    let caption = format!(
        "{}: the probability of a drawn grid, divided by the probability under an even method, in powers of two. For an even \
         method all grids are at 0. At 3 a grid is 8 times too likely, at -2 it is 4 times too rare.",
        board.shape
    );
    let plot = Plot {
        id: format!("spread-{}", board.shape),
        title: format!("Probabilities of drawn grids, {}", board.shape),
        x: Axis::linear("log2 of N times the probability of a drawn grid", logarithms.least, logarithms.most),
        y: Axis::linear("share of drawn grids", 0.0, shares.most * 1.05),
        layers,
        marks: vec![(0.0, "uniform".to_owned())],
    };
    Some(figure("How much too likely or too rare the drawn grids are", plot, caption))
}

/// Cumulative probability against cumulative share of grids, for methods whose probabilities are all known. None if
/// there are fewer than two such methods.
pub(super) fn lorenz(survey: &Survey, board: &Board) -> Option<Figure> {
    let mut layers = Vec::new();
    for row in &board.rows {
        let KnownDistribution::Complete(distribution) = &row.distribution else { continue };
        if matches!(row.method, Method::Permutation(_)) && distribution.effective_support() <= 0.01 {
            continue;
        }
        // The grids that are never made come first, then the levels of equal probability, the rarest first.
        let all = distribution.all as f64;
        let missing = 1.0 - distribution.reached() as f64 / all;
        let mut points = vec![(0.0, 0.0), (missing, 0.0)];
        let (mut share, mut probability) = (missing, 0.0);
        for level in distribution.levels.iter().rev() {
            share += level.grids as f64 / all;
            probability += level.grids as f64 / level.one_in as f64;
            points.push((share, probability));
        }
        layers.push(Layer::new(&row.method.to_string(), colour(survey, &row.method), Marks::Line(points)));
    }
    let caption = format!(
        "{}: the share x of all grids that are rarest have the probability y together. The diagonal is an even method. Methods \
         that reach less than 1 % of all grids are not shown.",
        board.shape
    );
    let plot = Plot {
        id: format!("lorenz-{}", board.shape),
        title: format!("Cumulative probability, {}", board.shape),
        x: Axis::linear("share of all grids, rarest first", 0.0, 1.0),
        y: Axis::linear("their probability", 0.0, 1.0),
        layers,
        marks: Vec::new(),
    };
    (plot.layers.len() > 1).then(|| figure("How much of the probability the rarest grids have", plot, caption))
}

/// Chi-square of the band classes in each chute, divided by its degrees of freedom.
pub(super) fn chutes(board: &Board) -> Option<Figure> {
    let rows: Vec<&SurveyRow> =
        board.rows.iter().filter(|row| row.counts.as_ref().is_some_and(|counts| counts.bands.is_some())).collect();
    let values: Vec<[f64; 6]> = rows
        .iter()
        .filter_map(|row| judge::chutes(row.counts.as_ref()?))
        .map(|chutes| chutes.map(|chute| chute.value / chute.freedom.max(1.0)))
        .collect();
    let (mut bands, mut stacks) = (Vec::new(), Vec::new());
    for (line, chutes) in values.iter().enumerate() {
        bands.extend(chutes[..3].iter().map(|&value| (value, line as f64, 0.0)));
        stacks.extend(chutes[3..].iter().map(|&value| (value, line as f64, 0.0)));
    }
    let Extremes { least, most } = range(values.iter().flatten().copied().chain([1.0]));
    let plot = Plot {
        id: "bands".to_owned(),
        title: "Band classes in the six chutes".to_owned(),
        x: Axis::log("chi-square of the 416 classes / degrees of freedom (logarithmic)", least.max(1e-3), most),
        y: names(&rows),
        layers: vec![
            Layer::new("the three bands", Colour::Series(3), Marks::Dots(bands)),
            Layer::new("the three stacks", Colour::Series(6), Marks::Rings(stacks)),
        ],
        marks: vec![(1.0, "even".to_owned())],
    };
    let caption = "How far the 416 classes of bands are from their exact shares, in each of the six chutes. All six are \
                   tested because row-major filling shows its bias in some chutes and hardly in others.";
    let headline = "How far the classes of bands are from their shares";
    (!values.is_empty()).then(|| figure(headline, plot, caption.to_owned()))
}

/// Mean number of 4-cell unavoidable sets against the exact mean.
pub(super) fn four_cell_sets(board: &Board) -> Option<Figure> {
    let exact = board.mean_swaps.map(ExactMean::value);
    let (mut rows, mut points, mut ends) = (Vec::new(), Vec::new(), Vec::from_iter(exact));
    for row in board.rows.iter().filter(|row| !matches!(row.method, Method::Permutation(_))) {
        if let Some(counts) = &row.counts {
            let swaps = counts.swaps;
            points.push((swaps.mean, rows.len() as f64, swaps.error));
            ends.extend([swaps.mean - 3.0 * swaps.error, swaps.mean + 3.0 * swaps.error]);
            rows.push(row);
        }
    }
    let Extremes { least, most } = range(ends);
    let plot = Plot {
        id: format!("four-cell-sets-{}", board.shape),
        title: format!("4-cell unavoidable sets, {}", board.shape),
        x: Axis::linear("mean number of 4-cell unavoidable sets of a grid", least, most),
        y: names(&rows),
        layers: vec![Layer::new("", Colour::Series(3), Marks::Dots(points))],
        marks: exact.map(|exact| (exact, format!("exact mean {}", rounded(exact)))).into_iter().collect(),
    };
    let caption = format!(
        "{}: mean number of 4-cell unavoidable sets, with two standard errors to each side. This is the fastest test. \
         `permutation` is not shown, because all its grids have the same number.",
        board.shape
    );
    (rows.len() > 1).then(|| figure("How many 4-cell unavoidable sets a grid has", plot, caption))
}

/// Share of all grids seen against draws: lines are computed, rings were drawn.
pub(super) fn discovery(survey: &Survey, board: &Board) -> Option<Figure> {
    let all = u128::try_from(board.grids.exact.as_ref()?).ok()? as f64;
    let tiny = all < 1000.0;
    let (from, to) = if tiny { (1.0, 10.0 * all) } else { (all / 1000.0, 30.0 * all) };
    let mut layers = Vec::new();
    for row in &board.rows {
        let (name, colour) = (row.method.to_string(), colour(survey, &row.method));
        let mut legend = name.clone();
        if let KnownDistribution::Complete(distribution) = &row.distribution {
            let draws = (0..=100).map(|step| from * libm::pow(to / from, f64::from(step) / 100.0));
            let points = draws.map(|draws| (draws, distribution.seen_after(draws))).collect();
            layers.push(Layer::new(&name, colour, Marks::Line(points)));
            // The line has the name, so the rings need none.
            legend.clear();
        }
        if let Some(counts) = &row.counts {
            let mut points = Vec::new();
            for &Discovered { draws, distinct } in &counts.discovered {
                if (from..=to).contains(&(draws as f64)) {
                    points.push((draws as f64, distinct as f64 / all, 0.0));
                }
            }
            layers.push(Layer::new(&legend, colour, Marks::Rings(points)));
        }
    }
    let plot = Plot {
        id: format!("discovery-{}", board.shape),
        title: format!("Distinct grids against draws, {}", board.shape),
        x: Axis::log("draws (logarithmic)", from, to),
        y: Axis::linear("share of all grids seen", 0.0, 1.0),
        layers,
        marks: vec![(all, "as many draws as grids".to_owned())],
    };
    let caption = format!(
        "{}: share of all grids seen after a number of draws. Lines are computed from the probabilities, rings were drawn.",
        board.shape
    );
    (!plot.layers.is_empty()).then(|| figure("How soon all grids have been seen", plot, caption))
}

/// True for boards up to 6x6 whose number of grids is known.
pub(super) fn is_small(shape: Shape) -> bool {
    shape.order() <= 6 && exact::grids(shape).exact.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_of_numbers_that_are_printed_alike_is_one_number() {
        assert_eq!([interval(0.084_961, 0.084_962), interval(0.08, 0.5)], ["0.08496", "0.08000 to 0.5000"]);
    }
}
