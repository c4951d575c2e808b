//! Plots one quantity: how often each of its values occurs.

use super::bins::{Bin, bins, counted};
use super::{Board, WEIGHTED, add_weighted, error_of, percentage, share, shares, tallest, tooltip};
use crate::study::counts::RATINGS;
use crate::study::stats::Tally;
use crate::study::weights::{self, Share};
use sudoku_corpus_core::page::numbers::{grouped, percent, tenths, with_error};
use sudoku_corpus_core::page::{Area, Axis, Colour, Figure, Layer, Marks, Table, kinds};

/// The colour of the columns.
const COLOUR: Colour = Colour::Series(3);
/// The number of columns that fit side by side.
const COLUMNS: u64 = 40;
/// The largest number of columns that leaves room for the shares above them.
const LABELLED: usize = 16;

/// A quantity and the texts of its plot.
struct QuantityPlot<'a> {
    id: &'a str,
    title: &'a str,
    /// The label of the axis of values.
    label: &'a str,
    /// The name of the column of values in the data.
    column: &'a str,
    tally: &'a Tally,
    /// The key of its weighted shares.
    key: weights::Quantity,
}

impl QuantityPlot<'_> {
    /// Columns, one for each value or for each bin of values. None without values.
    fn figure(self, board: &Board<'_>, headline: String, caption: String) -> Option<Figure> {
        let (tally, total) = (self.tally, self.tally.total());
        let scale = if self.column.ends_with("_tenths") { 10.0 } else { 1.0 };
        let bins = bins(tally, COLUMNS);
        let counts = counted(tally, &bins);
        let (first, last) = (bins.first()?, bins.last()?);
        let mut data = shares(self.column, tally.iter(), total);
        let values: Vec<u64> = tally.iter().map(|(value, _)| value).collect();
        let of_values = board.weighted(self.key, values.len(), |value| values.binary_search(&value).ok());
        add_weighted(&mut data, of_values.iter().flatten());
        // Each bin has a single value.
        let single = first.first == first.last;
        let (from, to) = (first.first as f64 / scale, last.last as f64 / scale);
        let x = match single && scale == 1.0 {
            true => Axis::integers(self.label, from, to),
            false => Axis::linear(self.label, from - 0.5 / scale, to + 0.5 / scale),
        };
        let bin_of = |value| bins.iter().position(|bin| (bin.first..=bin.last).contains(&value));
        let weighted = board.weighted(self.key, bins.len(), bin_of);
        let highest = tallest(weighted.iter().flatten(), percentage(counts.iter().copied().max()?, total));
        let mut layers = vec![columns(&bins, &counts, total, scale)];
        if let Some(shares) = &weighted {
            layers[0].name = "rows without weights".to_owned();
            let places = bins.iter().map(|bin| f64::midpoint(bin.first as f64, bin.last as f64) / scale);
            layers.extend(rings(places.zip(shares)));
        } else if single && bins.len() <= LABELLED {
            let words = bins.iter().zip(&counts).filter(|(_, count)| **count > 0);
            layers.push(kinds::above(
                words.map(|(bin, &count)| (bin.first as f64 / scale, percentage(count, total), percent(count, total))),
            ));
        }
        let plot = board.plot(self.id, self.title, x, Axis::linear("% of puzzles", 0.0, 1.1 * highest), layers);
        Some(Figure { headline, plot, caption, data, listed: true })
    }
}

/// A column for each bin with puzzles. `scale` is 10 where the values are tenths.
fn columns(bins: &[Bin], counts: &[u64], total: u64, scale: f64) -> Layer {
    let column = |(bin, &count): (&Bin, &u64)| {
        let (first, last) = (bin.first as f64 - 0.5, bin.last as f64 + 0.5);
        let gap = 0.08 * (last - first);
        let name = if bin.first == bin.last {
            (bin.first as f64 / scale).to_string()
        } else {
            format!("{} to {}", bin.first as f64 / scale, bin.last as f64 / scale)
        };
        let x = ((first + gap) / scale, (last - gap) / scale);
        Area { x, y: (0.0, percentage(count, total)), strength: 1.0, tooltip: tooltip(&name, count, total) }
    };
    let areas = bins.iter().zip(counts).filter(|(_, count)| **count > 0).map(column);
    Layer::new("", COLOUR, Marks::Areas(areas.collect()))
}

/// Givens; if rows have weights, also an estimate for all minimal puzzles.
pub(super) fn givens(board: &Board<'_>) -> Option<Figure> {
    let counts = board.counts;
    let tally = &counts.givens;
    let (mean, deviation) = tally.moments()?;
    let quantile = |q| tally.quantile(q).unwrap_or(0);
    let weighted = board.weights().and_then(|weights| weights.mean(weights::Quantity::Givens));
    let headline = match (tally.min()?, tally.max()?, weighted) {
        (least, most, _) if least == most => format!("All these puzzles have {least} givens"),
        (_, _, Some((weighted, error))) => format!(
            "All minimal puzzles have {} givens on average; these rows have {mean:.1}",
            with_error(weighted, error)
        ),
        _ => format!(
            "These puzzles have {mean:.1} givens on average, and nine in ten have {} to {}",
            quantile(0.05),
            quantile(0.95)
        ),
    };
    let caption = format!(
        "Givens are the cells with a digit; the others are holes. Mean {mean:.4}, standard deviation {deviation:.4}, from {} \
         to {}.",
        tally.min()?,
        tally.max()?
    );
    let key = weights::Quantity::Givens;
    let quantity = QuantityPlot { id: "givens", title: "Givens", label: "givens", column: "givens", tally, key };
    quantity.figure(board, headline, caption)
}

/// Weighted shares as open circles, with bars of two standard errors where the share does not rest on a few rows.
fn rings<'a>(shares: impl Iterator<Item = (f64, &'a Share)> + Clone) -> [Layer; 2] {
    let points = shares.clone().map(|(x, share)| (x, 100.0 * share.share, 0.0)).collect();
    let bar = |(x, share): (f64, &Share)| {
        let error = error_of(share)?;
        let [low, high] = [-2.0, 2.0].map(|errors| 100.0 * (share.share + errors * error).max(0.0));
        Some([(x, low), (x, high)])
    };
    let bars = shares.filter_map(bar).collect();
    let colour = Colour::Series(8);
    [Layer::new("", colour, Marks::Strokes(bars)), Layer::new(WEIGHTED, colour, Marks::Rings(points))]
}

/// One of the columns of [`RATINGS`], by its place there. None if no row has it.
pub(super) fn rating(board: &Board<'_>, at: usize) -> Option<Figure> {
    let explainer = "rating of Sudoku Explainer 1.2.1";
    let (name, label, about) = match RATINGS[at] {
        "se_er_tenths" => ("ER", explainer, "ER is the rating of the hardest step"),
        "se_ep_tenths" => ("EP", explainer, "EP is the rating of the hardest step up to the first digit"),
        "se_ed_tenths" => ("ED", explainer, "ED is the rating of the first step"),
        "w" => ("W", "candidates", "W is the length of the longest whip needed, 0 if singles are enough (Berthier)"),
        _ => ("B", "candidates", "B is the length of the longest braid needed, 0 if singles are enough (Berthier)"),
    };
    let tally = &board.counts.ratings[at];
    let in_tenths = RATINGS[at].ends_with("_tenths");
    let shown = |value: Option<u64>| {
        let value = value.unwrap_or(0);
        if in_tenths { tenths(value) } else { value.to_string() }
    };
    let known = tally.total();
    let key = weights::Quantity::Rating(at);
    let (whose, half) = board.median(key, tally, shown);
    let headline = format!(
        "Half of {whose} have {name} up to {half}; the largest of these {} is {}",
        grouped(known.into()),
        shown(tally.max())
    );
    let caption = format!(
        "{about}. Known for {} ({}). Quartiles {} / {} / {}; 99 % have at most {}.",
        super::count(known, "puzzle"),
        percent(known, board.counts.rows),
        shown(tally.quantile(0.25)),
        shown(tally.quantile(0.5)),
        shown(tally.quantile(0.75)),
        shown(tally.quantile(0.99))
    );
    let (id, column) = (RATINGS[at].trim_end_matches("_tenths"), RATINGS[at]);
    let (title, label) = (format!("Rating {name}"), format!("{name}, {label}"));
    QuantityPlot { id, title: &title, label: &label, column, tally, key }.figure(board, headline, caption)
}

/// How many different techniques the ladder uses for a puzzle.
pub(super) fn kinds(board: &Board<'_>) -> Option<Figure> {
    let tally = &board.counts.kinds;
    let (mean, _) = tally.moments()?;
    let key = weights::Quantity::Kinds;
    let (whose, half) = board.median(key, tally, |value| value.unwrap_or(0).to_string());
    let headline = format!("The ladder solves half of {whose} with at most {half} different techniques");
    let caption = format!(
        "How many different techniques the ladder uses for a puzzle that it solves, including naked and hidden singles: \
         {mean:.2} on average, at most {}.",
        tally.max()?
    );
    let (id, label) = ("techniques-per-puzzle", "different techniques used");
    let quantity = QuantityPlot { id, title: "Techniques per puzzle", label, column: "techniques", tally, key };
    quantity.figure(board, headline, caption)
}

/// The depth of the reference search. None if no row has it.
pub(super) fn depth(board: &Board<'_>) -> Option<Figure> {
    let tally = &board.counts.holes_depth.second();
    let key = weights::Quantity::Depth;
    let of_all = board.weighted(key, 1, |depth| (depth == 0).then_some(0));
    let without = match of_all.as_deref() {
        Some([Share { share, error }]) => {
            format!("{} % of all minimal puzzles", with_error(100.0 * share, 100.0 * error))
        }
        _ => format!("{} of these puzzles", percent(tally.count(0), tally.total())),
    };
    let headline = format!(
        "{without} are solved without a guess; the deepest search of these rows has {} guesses open at once",
        tally.max()?
    );
    let caption = "A reference search places naked and hidden singles until none is left. Then it tries the candidates of the \
                   cell with the fewest candidates. The search depth is the largest number of guesses that are open at once. \
                   It depends on the order of the cells and digits of the puzzle.";
    let (id, label, column) = ("search-depth", "search depth, guesses", "search_depth");
    QuantityPlot { id, title: "Search depth", label, column, tally, key }.figure(board, headline, caption.to_owned())
}

/// Guesses: a falling line, the share of puzzles that need more than each number. None if no puzzle needs a guess.
pub(super) fn guesses(board: &Board<'_>) -> Option<Figure> {
    let tally = &board.counts.guesses;
    let total = tally.total();
    let (mean, _) = tally.moments()?;
    let most = tally.max().filter(|&most| most > 0)?;
    let mut data = Table::new(&["search_guesses", "puzzles", "share_with_more"]);
    let (mut points, mut left, mut before) = (Vec::new(), total, total);
    for (guesses, count) in tally.iter() {
        left -= count;
        data.rows.push(vec![guesses.to_string(), count.to_string(), share(left, total)]);
        // The share is constant up to this number and falls there.
        let x = guesses.max(1) as f64;
        points.push((x, percentage(if guesses == 0 { left } else { before }, total)));
        if left > 0 {
            points.push((x, percentage(left, total)));
        }
        before = left;
    }
    let lowest = points.iter().map(|point| point.1).fold(100.0, f64::min);
    let quantile = |q| grouped(tally.quantile(q).unwrap_or(0).into());
    let x = Axis::log("guesses (logarithmic)", 1.0, most as f64);
    let y = Axis::log("% of puzzles that need more guesses (logarithmic)", lowest, 100.0);
    let layers = vec![Layer::new("", COLOUR, Marks::Line(points))];
    let plot = board.plot("search-guesses", "Guesses of the reference search", x, y, layers);
    let headline = format!(
        "All but one in a hundred of these puzzles need at most {} guesses; the largest number is {}",
        quantile(0.99),
        grouped(most.into())
    );
    let caption = format!(
        "Guesses are the values that the reference search tries until it finds the solution. Mean {mean:.2}, quartiles {} / \
         {} / {}; {} of these puzzles need none.",
        quantile(0.25),
        quantile(0.5),
        quantile(0.75),
        percent(tally.count(0), total)
    );
    Some(Figure { headline, plot, caption, data, listed: false })
}
