//! Draws figures as a plot, with their intervals, and as a table of one value a cell.

use super::ask::{Figures, level_of};
use crate::study::estimates::{Finding, Statistic};
use sudoku_corpus_core::page::numbers::significant;
use sudoku_corpus_core::page::{Area, Axis, Colour, Figure, Layer, Marks, Plot, Table, kinds};

/// The colors of series, by their numbers in [`Colour::Series`].
const SERIES: [usize; 8] = [3, 6, 5, 1, 7, 2, 4, 8];
/// The color of what belongs to no series.
const NEUTRAL: Colour = Colour::Series(8);
/// The part of its place that a column takes.
const COLUMN_WIDTH: f64 = 0.84;
/// The part of a place over which the marks of several series are spread.
const SPREAD: f64 = 0.6;
/// The largest number of columns with their shares above them.
const LABELLED: usize = 16;

struct Shown<'a> {
    /// In a histogram a value of the figure, otherwise a group of the first expression of `by`.
    place: String,
    /// The groups of the other expressions; without a mean, also the value of the figure.
    series: String,
    finding: &'a Finding,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The share of each value.
    Histogram,
    /// A mean for each group.
    Means,
    /// Shares for each group.
    Shares,
}

/// The places on the horizontal axis.
struct Places {
    names: Vec<String>,
    /// Their values, if these are ascending numbers. Others stand at 0, 1, 2, ...
    numbers: Option<Vec<f64>>,
    /// Half the least distance of two places.
    half: f64,
}

/// The plot of the first figure: its mean or its share for each group, or, without groups, the share of each of its
/// values or classes. The first expression of `by` gives the places, the others give series of their own colours.
/// Reliable estimates have their 95 % interval; the others are open circles.
///
/// # Errors
/// There is nothing to draw.
pub fn plot(figures: &Figures, id: &str) -> Result<Figure, String> {
    let name = &figures.findings.first().ok_or("there is nothing to plot")?.figure;
    let findings: Vec<&Finding> = figures.findings.iter().filter(|finding| finding.figure == *name).collect();
    let kind = if figures.by.is_empty() {
        Kind::Histogram
    } else if findings.iter().any(|finding| finding.statistic == Statistic::Mean) {
        Kind::Means
    } else {
        Kind::Shares
    };
    let shown: Vec<Shown<'_>> = findings.into_iter().filter_map(|finding| Shown::of(finding, kind)).collect();
    if shown.is_empty() {
        return Err(format!(
            "'{name}' has no values or too many for a plot: choose intervals with --bins, or groups with --by"
        ));
    }
    let places = Places::of(&shown, kind);
    let mut layers = Vec::new();
    let series = series(&shown, kind);
    for (number, name) in series.iter().enumerate() {
        layers.extend(layers_of(&shown, name, number, series.len(), kind, &places));
    }
    if kind == Kind::Histogram && places.names.len() <= LABELLED {
        layers.push(kinds::above(shown.iter().map(|Shown { place, finding, .. }| {
            let share = finding.estimate.value;
            let (_, interval_end) = finding.estimate.reliable();
            (places.x_of(place), 100.0 * interval_end.max(share), format!("{} %", significant(100.0 * share, 3)))
        })));
    }
    legend(&mut layers);
    let by = figures.by.join(" and ");
    let (title, label) = match kind {
        Kind::Histogram => (format!("{name}: share of each value"), name.clone()),
        _ => (format!("{name} by {by}"), figures.by[0].clone()),
    };
    let y = vertical(name, kind, &layers);
    let plot = Plot { id: id.to_owned(), title: title.clone(), x: places.axis(&label), y, layers, marks: Vec::new() };
    let about = "Bars are 95 % intervals; open circles are estimates that are not reliable.";
    let caption = format!("{title}. {about} How it was made: {}.", how_made(figures));
    let data = table(figures, shown.into_iter().map(|shown| shown.finding));
    Ok(Figure { headline: title, plot, caption, data, listed: true })
}

fn how_made(figures: &Figures) -> String {
    let facts: Vec<String> = figures.made.iter().map(|(what, text)| format!("{what}: {text}")).collect();
    facts.join("; ")
}

impl<'a> Shown<'a> {
    /// Where a finding is drawn. None if it is not.
    fn of(finding: &'a Finding, kind: Kind) -> Option<Shown<'a>> {
        match (kind, &finding.statistic) {
            (Kind::Histogram, Statistic::Share(value)) => {
                Some(Shown { place: value.clone(), series: String::new(), finding })
            }
            (Kind::Means, Statistic::Mean) => {
                let (place, other_groups) = finding.group.split_first()?;
                Some(Shown { place: place.clone(), series: other_groups.join(", "), finding })
            }
            (Kind::Shares, Statistic::Share(value)) => {
                let (place, other_groups) = finding.group.split_first()?;
                let series = [other_groups, std::slice::from_ref(value)].concat();
                Some(Shown { place: place.clone(), series: series.join(", "), finding })
            }
            _ => None,
        }
    }
}

/// Each text once, in the order in which they come.
fn distinct<'t>(texts: impl Iterator<Item = &'t String>) -> Vec<String> {
    let mut distinct: Vec<String> = Vec::new();
    for text in texts {
        if !distinct.contains(text) {
            distinct.push(text.clone());
        }
    }
    distinct
}

fn are_levels(texts: &[String]) -> bool {
    texts.iter().all(|text| level_of(text).is_some())
}

/// The names of the series that are drawn: levels in their order, of other shares those with the largest estimates.
fn series(shown: &[Shown<'_>], kind: Kind) -> Vec<String> {
    let mut series = distinct(shown.iter().map(|shown| &shown.series));
    if are_levels(&series) {
        sort_by_level(&mut series);
    } else if kind == Kind::Shares {
        let sum = |name: &String| -> f64 {
            shown.iter().filter(|shown| shown.series == *name).map(|shown| shown.finding.estimate.value).sum()
        };
        series.sort_by(|a, b| sum(b).total_cmp(&sum(a)));
    }
    series.truncate(SERIES.len());
    series
}

/// Sorts the names of levels from the easiest to the hardest.
fn sort_by_level(names: &mut [String]) {
    names.sort_by(|a, b| level_of(a).partial_cmp(&level_of(b)).unwrap_or(std::cmp::Ordering::Equal));
}

/// The least difference of two numbers that follow each other; negative if they do not ascend.
fn least_step(numbers: &[f64]) -> f64 {
    numbers.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min)
}

impl Places {
    fn of(shown: &[Shown<'_>], kind: Kind) -> Places {
        let mut names = distinct(shown.iter().map(|shown| &shown.place));
        if kind == Kind::Histogram && are_levels(&names) {
            sort_by_level(&mut names);
        }
        let numbers: Option<Vec<f64>> = names.iter().map(|place| place.parse().ok()).collect();
        let numbers = numbers.filter(|numbers| numbers.len() > 1 && least_step(numbers) > 0.0);
        let half = numbers.as_deref().map_or(0.5, least_step) / 2.0;
        Places { names, numbers, half }
    }

    /// Where a place stands on the axis.
    fn x_of(&self, place: &String) -> f64 {
        let number = self.names.iter().position(|name| name == place).unwrap_or(0);
        self.numbers.as_ref().map_or(number as f64, |numbers| numbers[number])
    }

    fn axis(&self, label: &str) -> Axis {
        match &self.numbers {
            Some(numbers) => Axis::linear(label, numbers[0] - self.half, numbers[numbers.len() - 1] + self.half),
            None => Axis::names(label, self.names.clone()),
        }
    }
}

/// The marks of a series: number `number` of `count` series. Shares are drawn in per cent.
fn layers_of(shown: &[Shown<'_>], name: &str, number: usize, count: usize, kind: Kind, places: &Places) -> Vec<Layer> {
    let colour = match level_of(name) {
        Some(level) if kind != Kind::Histogram => Colour::Level(level as usize),
        _ => Colour::Series(SERIES[number % SERIES.len()]),
    };
    let scale = if kind == Kind::Means { 1.0 } else { 100.0 };
    // Series stand beside each other, so that their intervals do not cover each other.
    let shift = places.half * SPREAD * ((number as f64 + 0.5) / count as f64 - 0.5) * 2.0;
    let (mut bars, mut dots, mut rings, mut columns) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for Shown { place, finding, .. } in shown.iter().filter(|shown| shown.series == name) {
        let estimate = finding.estimate;
        let (x, y) = (places.x_of(place) + shift, scale * estimate.value);
        if kind == Kind::Histogram {
            let tooltip = format!("{place}: {} %", significant(y, 4));
            columns.push(Area {
                x: (x - COLUMN_WIDTH * places.half, x + COLUMN_WIDTH * places.half),
                y: (0.0, y),
                strength: 1.0,
                tooltip,
            });
        }
        match estimate.doubt {
            None => {
                bars.push([(x, scale * estimate.interval.0), (x, scale * estimate.interval.1)]);
                dots.push((x, y, 0.0));
            }
            Some(_) if y.is_finite() => rings.push((x, y, 0.0)),
            Some(_) => {}
        }
    }
    let legend = if count > 1 { name } else { "" };
    let rings = Layer::new("", colour, Marks::Rings(rings));
    if kind == Kind::Histogram {
        let bars = Layer::new("", NEUTRAL, Marks::Strokes(bars));
        return vec![Layer::new("", colour, Marks::Areas(columns)), bars, rings];
    }
    let bars = Layer::new("", colour, Marks::Strokes(bars));
    vec![bars, Layer::new(legend, colour, Marks::Dots(dots)), rings]
}

/// The legend explains the bars and the rings, if there are any.
fn legend(layers: &mut Vec<Layer>) {
    let (mut has_bars, mut has_rings) = (false, false);
    for layer in layers.iter() {
        match &layer.marks {
            Marks::Strokes(strokes) => has_bars |= !strokes.is_empty(),
            Marks::Rings(points) => has_rings |= !points.is_empty(),
            _ => {}
        }
    }
    if has_bars {
        layers.push(Layer::new("95 % interval", NEUTRAL, Marks::Strokes(Vec::new())));
    }
    if has_rings {
        layers.push(Layer::new("not reliable: no interval", NEUTRAL, Marks::Rings(Vec::new())));
    }
}

/// The vertical axis, which reaches over all intervals and estimates.
fn vertical(name: &str, kind: Kind, layers: &[Layer]) -> Axis {
    let mut heights: Vec<f64> = Vec::new();
    for layer in layers {
        match &layer.marks {
            Marks::Strokes(strokes) => heights.extend(strokes.iter().flatten().map(|(_, y)| *y)),
            Marks::Dots(points) | Marks::Rings(points) => heights.extend(points.iter().map(|(_, y, _)| *y)),
            _ => {}
        }
    }
    heights.retain(|y| y.is_finite());
    let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
    let high = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let margin = 0.06 * (high - low).max(1e-9);
    match kind {
        Kind::Means => Axis::linear(&format!("mean of {name}"), low - margin, high + margin),
        _ => Axis::linear("% of puzzles", 0.0, high.max(0.0) + margin),
    }
}

/// Findings as a table, one value a cell.
fn table<'a>(figures: &Figures, findings: impl Iterator<Item = &'a Finding>) -> Table {
    let head = ["figure", "statistic", "estimate", "low", "high", "effective", "doubt", "made"];
    let made = how_made(figures);
    let mut table = Table { head: figures.by.clone(), rows: Vec::new() };
    table.head.extend(head.map(str::to_owned));
    for finding in findings {
        let (low, high) = finding.estimate.reliable();
        let numbers = [finding.estimate.value, low, high, finding.effective].map(|number| match number.is_finite() {
            true => significant(number, 6).to_string(),
            false => String::new(),
        });
        let mut row = finding.group.clone();
        row.extend([finding.figure.clone(), finding.statistic.to_string()]);
        row.extend(numbers);
        row.extend([finding.doubt().unwrap_or_default(), made.clone()]);
        table.rows.push(row);
    }
    table
}
