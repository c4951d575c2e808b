//! Draws the answers of a report, with a function for each kind of plot: `drawn` chooses it.
//!
//! Each of these functions returns the axes, the layers of marks, and the numbers behind them as a table (`Drawn`).
//! Where rows have weights, weighted shares are drawn over the counts: these are estimates for all minimal puzzles.

use super::answer::{Kind, ReportAnswer, shown};
use super::bins::{Bin, BinColumn, bins, columns as by_bin, counted, rounds};
use super::count;
use super::lines::{COLOUR, Line, UsedTechnique, has_symmetries, lines, used};
use crate::study::estimates::Estimate;
use crate::study::numbers::Number;
use crate::study::tally::Tally;
use sudoku_corpus_core::ladder::{Level, TECHNIQUES};
use sudoku_corpus_core::page::kinds::{self, HeatCell, Quartiles};
use sudoku_corpus_core::page::numbers::{grouped, percent, significant};
use sudoku_corpus_core::page::{Area, Axis, Colour, Layer, Marks, Table};

/// Boxes and columns of fewer puzzles are pale.
pub(super) const FEW: u64 = 20;
/// The color of weighted shares.
const OF_ALL: Colour = Colour::Series(8);
/// The number of columns that fit side by side.
const COLUMNS: u64 = 40;
/// The largest number of columns that leaves room for the shares above them.
const LABELLED: usize = 16;
/// The most columns of boxes and cells, so that their names fit in.
const PLACES: u64 = 14;
/// Number of bins of scores for each power of ten.
const BINS: f64 = 16.0;
/// The part of its bin that stays free on each side of a column.
const COLUMN_GAP: f64 = 0.08;
/// The factor by which a bin of scores is narrower on each side.
const BIN_GAP: f64 = 1.012;

pub(super) struct Drawn {
    pub x: Axis,
    pub y: Axis,
    pub layers: Vec<Layer>,
    /// Values of x that are marked, and why.
    pub marks: Vec<(f64, String)>,
    pub data: Table,
}

/// The plot of an answer. None if there is nothing to draw.
pub(super) fn drawn(answer: &ReportAnswer<'_>) -> Option<Drawn> {
    match answer.kind {
        Kind::Columns => columns(answer),
        Kind::Bars => bars(answer),
        Kind::Techniques => techniques(answer),
        Kind::Stacks => stacks(answer),
        Kind::Falling => falling(answer),
        Kind::Heat => heat(answer),
        Kind::Boxes => boxes(answer),
    }
}

fn weighted_name(answer: &ReportAnswer<'_>) -> String {
    format!("all {} (weighted), \u{b1} 2 standard errors", answer.board.population.words())
}

/// The data of an answer without rows, with these columns after its own.
fn table(answer: &ReportAnswer<'_>, more: &[&str]) -> Table {
    let mut table = Table { head: answer.columns.clone(), rows: Vec::new() };
    table.head.extend(more.iter().map(|name| (*name).to_owned()));
    table
}

/// A part in per cent of the whole.
fn percentage(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// A share as data: six digits.
fn share(part: u64, whole: u64) -> String {
    significant(part as f64 / whole.max(1) as f64, 6).to_string()
}

fn tooltip(what: &str, number: u64, whole: u64) -> String {
    format!("{what}: {}, {}", count(number, "puzzle"), percent(number, whole))
}

/// The error of a weighted share. None if it is not reliable.
fn error_of(share: &Estimate) -> Option<f64> {
    (share.doubt.is_none() && share.error > 0.0 && share.error < 0.5 * share.value).then_some(share.error)
}

/// Adds weighted shares to the numbers of a plot, if there are any.
fn add_weighted(data: &mut Table, shares: Option<&[Estimate]>) {
    let Some(shares) = shares else { return };
    data.head.extend(["weighted_share", "standard_error"].map(str::to_owned));
    for (row, share) in data.rows.iter_mut().zip(shares) {
        let error = error_of(share).map_or(String::new(), |error| significant(error, 6).to_string());
        row.extend([significant(share.value, 6).to_string(), error]);
    }
}

/// The largest of a percentage and the upper ends of weighted shares: two standard errors above each share.
fn tallest<'a>(shares: impl Iterator<Item = &'a Estimate>, percentage: f64) -> f64 {
    let mut highest = percentage;
    for share in shares {
        highest = highest.max(100.0 * (share.value + 2.0 * error_of(share).unwrap_or(0.0)));
    }
    highest
}

/// Columns, one for each value or for each bin of values, and rings for weighted shares.
fn columns(answer: &ReportAnswer<'_>) -> Option<Drawn> {
    let tally = &*answer.tally;
    let total = tally.total();
    let scale = if answer.number.is_in_tenths() { 10.0 } else { 1.0 };
    let bins = bins(tally, COLUMNS);
    let counts = counted(tally, &bins);
    let (first_bin, last_bin) = (bins.first()?, bins.last()?);
    let mut data = table(answer, &["puzzles", "share"]);
    data.rows.extend(tally.iter().map(|(value, rows)| vec![value.to_string(), rows.to_string(), share(rows, total)]));
    let values: Vec<u64> = tally.iter().map(|(value, _)| value).collect();
    add_weighted(&mut data, answer.weighted(values.len(), |value| values.binary_search(&value).ok()).as_deref());
    let is_single = first_bin.first == first_bin.last;
    let (smallest, largest) = (first_bin.first as f64 / scale, last_bin.last as f64 / scale);
    let x = match is_single && scale == 1.0 {
        true => Axis::integers(&answer.label, smallest, largest),
        false => Axis::linear(&answer.label, smallest - 0.5 / scale, largest + 0.5 / scale),
    };
    let weighted =
        answer.weighted(bins.len(), |value| bins.iter().position(|bin| (bin.first..=bin.last).contains(&value)));
    let highest = tallest(weighted.iter().flatten(), percentage(counts.iter().copied().max()?, total));
    let mut layers = vec![areas(&bins, &counts, total, scale)];
    if let Some(shares) = &weighted {
        layers[0].name = "rows without weights".to_owned();
        layers.extend(rings(&weighted_name(answer), &bins, shares, scale));
    } else if is_single && bins.len() <= LABELLED {
        let bins_with_puzzles = bins.iter().zip(&counts).filter(|(_, count)| **count > 0);
        layers.push(kinds::above(
            bins_with_puzzles
                .map(|(bin, &count)| (bin.first as f64 / scale, percentage(count, total), percent(count, total))),
        ));
    }
    Some(Drawn { x, y: Axis::linear("% of puzzles", 0.0, 1.1 * highest), layers, marks: Vec::new(), data })
}

/// A column for each bin with puzzles. `scale` is 10 where the values are tenths.
fn areas(bins: &[Bin], counts: &[u64], total: u64, scale: f64) -> Layer {
    let mut areas = Vec::new();
    for (bin, &count) in bins.iter().zip(counts) {
        if count == 0 {
            continue;
        }
        let (left, right) = (bin.first as f64 - 0.5, bin.last as f64 + 0.5);
        let gap = COLUMN_GAP * (right - left);
        let name = if bin.first == bin.last {
            (bin.first as f64 / scale).to_string()
        } else {
            format!("{} to {}", bin.first as f64 / scale, bin.last as f64 / scale)
        };
        let x = ((left + gap) / scale, (right - gap) / scale);
        let y = (0.0, percentage(count, total));
        areas.push(Area { x, y, strength: 1.0, tooltip: tooltip(&name, count, total) });
    }
    Layer::new("", COLOUR, Marks::Areas(areas))
}

/// The weighted shares of bins as open circles, with bars of two standard errors where a share is reliable.
fn rings(name: &str, bins: &[Bin], shares: &[Estimate], scale: f64) -> [Layer; 2] {
    let mut points = Vec::new();
    let mut bars = Vec::new();
    for (bin, share) in bins.iter().zip(shares) {
        let x = f64::midpoint(bin.first as f64, bin.last as f64) / scale;
        points.push((x, 100.0 * share.value, 0.0));
        if let Some(error) = error_of(share) {
            let [low, high] = [-2.0, 2.0].map(|errors| 100.0 * (share.value + errors * error).max(0.0));
            bars.push([(x, low), (x, high)]);
        }
    }
    [Layer::new("", OF_ALL, Marks::Strokes(bars)), Layer::new(name, OF_ALL, Marks::Rings(points))]
}

/// Horizontal bars; where rows have weights, rings show the shares of all minimal puzzles.
fn bars(answer: &ReportAnswer<'_>) -> Option<Drawn> {
    let (lines, whole) = lines(answer);
    if answer.number == Number::SYMMETRIES && !has_symmetries(&answer.tally) {
        return None;
    }
    let weighted = answer.weighted(lines.len(), |value| Some(value as usize).filter(|line| *line < lines.len()));
    let mut layers = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        let length = percentage(line.count, whole);
        let area = kinds::bar(place, length, tooltip(&line.name, line.count, whole));
        layers.push(Layer::new("", line.colour, Marks::Areas(vec![area])));
        let words = format!("{}  ({})", percent(line.count, whole), grouped(line.count.into()));
        // The words begin at the right of the bar, and of the error bar of the weighted share.
        let start = tallest(weighted.iter().map(|shares| &shares[place]), length);
        layers.push(kinds::beside([(start, place, words)]));
    }
    if let Some(shares) = &weighted {
        let mut rings = Vec::new();
        for (place, share) in shares.iter().enumerate() {
            rings.push((100.0 * share.value, place as f64, 100.0 * error_of(share).unwrap_or(0.0)));
        }
        layers.push(Layer::new(&weighted_name(answer), OF_ALL, Marks::Rings(rings)));
    }
    // One legend entry for each level, in their order.
    for level in Level::ALL.into_iter().filter(|level| lines.iter().any(|line| line.legend == level.name())) {
        layers.push(Layer::new(level.name(), Colour::Level(level as usize), Marks::Areas(Vec::new())));
    }
    let longest = lines.iter().map(|line| percentage(line.count, whole)).fold(0.0, f64::max);
    let end = tallest(weighted.iter().flatten(), longest);
    let x = Axis::linear(&answer.label, 0.0, if end > 0.0 { end } else { 1.0 });
    let y = Axis::names("", lines.iter().map(|line| line.name.clone()).collect());
    let is_of_copies = answer.number == Number::COPIES;
    let mut data = table(answer, if is_of_copies { &["puzzles"] } else { &["puzzles", "share"] });
    if is_of_copies {
        for (times, classes) in answer.tally.iter() {
            let puzzles = times.saturating_mul(classes);
            data.rows.push(vec![times.to_string(), classes.to_string(), puzzles.to_string()]);
        }
    } else {
        for Line { mut keys, count, .. } in lines {
            keys.extend([count.to_string(), share(count, whole)]);
            data.rows.push(keys);
        }
        add_weighted(&mut data, weighted.as_deref());
    }
    Some(Drawn { x, y, layers, marks: Vec::new(), data })
}

/// A dot for each technique: the share of puzzles in which the ladder uses it.
fn techniques(answer: &ReportAnswer<'_>) -> Option<Drawn> {
    let used = used(answer.board);
    let rated = answer.board.answers.rated();
    let least = used.last()?.steps.total();
    let mut data = table(answer, &[]);
    for UsedTechnique { place, steps: tally } in &used {
        let info = &TECHNIQUES[*place];
        let hardest = answer.tally.count(*place as u64);
        data.rows.push(vec![
            info.code.to_owned(),
            info.name.to_owned(),
            tally.total().to_string(),
            share(tally.total(), rated),
            significant(tally.sum() as f64 / rated as f64, 6).to_string(),
            hardest.to_string(),
            share(hardest, rated),
        ]);
    }
    let mut layers: Vec<Layer> = Vec::new();
    for level in Level::ALL {
        let mut points = Vec::new();
        for (line, technique) in used.iter().enumerate() {
            if TECHNIQUES[technique.place].level == level {
                points.push((percentage(technique.steps.total(), rated), line as f64, 0.0));
            }
        }
        if !points.is_empty() {
            layers.push(Layer::new(level.name(), Colour::Level(level as usize), Marks::Dots(points)));
        }
    }
    layers.push(kinds::beside(used.iter().enumerate().map(|(line, technique)| {
        let puzzles = technique.steps.total();
        let words = format!(" {}  {}", percent(puzzles, rated), TECHNIQUES[technique.place].level.name());
        (percentage(puzzles, rated), line, words)
    })));
    let x = Axis::log(&answer.label, percentage(least, rated), 100.0);
    let names = used.iter().map(|technique| TECHNIQUES[technique.place].name.to_owned());
    Some(Drawn { x, y: Axis::names("", names.collect()), layers, marks: Vec::new(), data })
}

/// The bin of a score: [`BINS`] of them for each power of ten.
fn score_bin(score: u64) -> i64 {
    ((score.max(1) as f64).log10() * BINS + 1e-9).floor() as i64
}

fn bin_edge(bin: i64) -> f64 {
    10f64.powf(bin as f64 / BINS)
}

/// A histogram in bins of equal ratio, with the levels on top of each other.
fn stacks(answer: &ReportAnswer<'_>) -> Option<Drawn> {
    let scores = &*answer.tally;
    let total = scores.total();
    let (first_bin, last_bin) = (score_bin(scores.min()?), score_bin(scores.max()?));
    // How many puzzles the levels so far have in each bin: the next level stands on them.
    let mut heights = vec![0u64; (last_bin - first_bin + 1) as usize];
    let mut data = table(answer, &["puzzles", "share"]);
    let mut layers = Vec::new();
    for (level, tally) in answer.joint?.iter() {
        let name = Level::ALL.get(level as usize)?.name();
        let mut level_counts = vec![0u64; heights.len()];
        for (score, count) in tally.iter() {
            level_counts[(score_bin(score) - first_bin) as usize] += count;
            data.rows.push(vec![name.to_owned(), score.to_string(), count.to_string(), share(count, total)]);
        }
        let mut areas = Vec::new();
        for (bin, (&count, height)) in (first_bin..).zip(level_counts.iter().zip(&mut heights)) {
            if count == 0 {
                continue;
            }
            let (left, right) = (bin_edge(bin), bin_edge(bin + 1));
            let y = (percentage(*height, total), percentage(*height + count, total));
            *height += count;
            let what = format!("{name}, {left:.0} to {right:.0} points");
            let x = (left * BIN_GAP, right / BIN_GAP);
            areas.push(Area { x, y, strength: 1.0, tooltip: tooltip(&what, count, total) });
        }
        layers.push(Layer::new(name, Colour::Level(level as usize), Marks::Areas(areas)));
    }
    let highest = percentage(heights.iter().copied().max()?, total);
    let median = scores.quantile(0.5)?;
    let marks = vec![(median.max(1) as f64, format!("median {}", grouped(median.into())))];
    let x = Axis::log(&answer.label, bin_edge(first_bin), bin_edge(last_bin + 1));
    Some(Drawn { x, y: Axis::linear("% of solved puzzles", 0.0, 1.05 * highest), layers, marks, data })
}

/// A falling line: the share of puzzles that have more than each number. None if all have 0.
fn falling(answer: &ReportAnswer<'_>) -> Option<Drawn> {
    let tally = &*answer.tally;
    let total = tally.total();
    let most = tally.max().filter(|&most| most > 0)?;
    let mut data = table(answer, &[]);
    let mut points = Vec::new();
    let mut lowest = 100.0f64;
    // The puzzles that have more than the number before.
    let mut more_before = total;
    for (value, count) in tally.iter() {
        let more = more_before - count;
        data.rows.push(vec![value.to_string(), count.to_string(), share(more, total)]);
        // The share is constant up to this number and falls there.
        let x = value.max(1) as f64;
        let top = percentage(if value == 0 { more } else { more_before }, total);
        points.push((x, top));
        lowest = lowest.min(top);
        if more > 0 {
            let bottom = percentage(more, total);
            points.push((x, bottom));
            lowest = lowest.min(bottom);
        }
        more_before = more;
    }
    let x = Axis::log(&answer.label, 1.0, most as f64);
    let y = Axis::log("% of puzzles that need more guesses (logarithmic)", lowest, 100.0);
    Some(Drawn { x, y, layers: vec![Layer::new("", COLOUR, Marks::Line(points))], marks: Vec::new(), data })
}

/// How strongly a box or a column of these values is drawn, 0..=1: pale if there are few.
fn strength(tally: &Tally) -> f64 {
    if tally.total() < FEW { 0.3 } else { 1.0 }
}

/// A map of cells. A column is a value, or a bin of values, of the first number; its cells are the shares of the values
/// of the second number.
fn heat(answer: &ReportAnswer<'_>) -> Option<Drawn> {
    let joint = answer.joint?;
    let rows = bins(&answer.tally, PLACES);
    let columns = by_bin(joint, bins(&joint.first(), PLACES));
    let mut cells = Vec::new();
    for (x, column) in columns.iter().enumerate() {
        for (row, count) in counted(&column.tally, &rows).into_iter().enumerate() {
            if count > 0 {
                cells.push(heat_cell(answer, x, column, &rows, row, count));
            }
        }
    }
    let x = Axis::names(answer.by.name(), columns.iter().map(|column| column.bin.name(answer.by)).collect());
    let y = Axis::names(&answer.label, rows.iter().rev().map(|bin| bin.name(answer.number)).collect());
    let mut data = table(answer, &[]);
    for (x, tally) in joint.iter() {
        data.rows.extend(tally.iter().map(|(y, count)| [x, y, count].map(|number| number.to_string()).to_vec()));
    }
    Some(Drawn { x, y, layers: kinds::heat(COLOUR, &cells).into(), marks: Vec::new(), data })
}

/// The cell of a column and a row, with `count` puzzles. The first row is the lowest.
fn heat_cell(
    answer: &ReportAnswer<'_>,
    x: usize,
    column: &BinColumn,
    rows: &[Bin],
    row: usize,
    count: u64,
) -> HeatCell {
    let total = column.tally.total();
    let share = count as f64 / total as f64;
    let text = if share < 0.005 { "<1".to_owned() } else { format!("{:.0}", 100.0 * share) };
    let tooltip = format!(
        "{} {}, depth {}: {} of {} puzzles, {}",
        column.bin.name(answer.by),
        answer.by.name(),
        rows[row].name(answer.number),
        grouped(count.into()),
        grouped(total.into()),
        percent(count, total)
    );
    // Square roots make differences below a tenth visible.
    let strength = share.sqrt() * strength(&column.tally);
    HeatCell { x, y: rows.len() - 1 - row, strength, text, tooltip }
}

/// The place of a value on the axis; guesses are shifted by one, because 0 has no logarithm.
fn place(number: Number, value: u64) -> f64 {
    match number {
        Number::ER => value as f64 / 10.0,
        Number::GUESSES => value as f64 + 1.0,
        Number::SCORE => value.max(1) as f64,
        _ => value as f64,
    }
}

/// Quartiles of the second number for each value, or bin of values, of the first. None if scales never vary.
fn boxes(answer: &ReportAnswer<'_>) -> Option<Drawn> {
    let joint = answer.joint?;
    let (first, second) = (answer.by, answer.number);
    if first != Number::HOLES {
        joint.correlation()?;
    }
    let bins = match first {
        // Most scores and numbers of guesses are small, so bins of one width would leave nearly all puzzles in one.
        Number::SCORE | Number::GUESSES => rounds(&joint.first()),
        Number::HOLES => bins(&joint.first(), PLACES),
        _ => bins(&joint.first(), PLACES - 2),
    };
    let mut columns = by_bin(joint, bins);
    columns.retain(|column| column.tally.total() > 0);
    let mut data = Table::new(&[first.name(), "puzzles", "mean", "q05", "q25", "median", "q75", "q95"]);
    let mut boxes = Vec::new();
    let (mut lowest, mut highest) = (f64::INFINITY, 0.0f64);
    for (x, BinColumn { bin, tally }) in columns.iter().enumerate() {
        let quantiles = [0.05, 0.25, 0.5, 0.75, 0.95].map(|q| tally.quantile(q).unwrap_or(0));
        let texts = quantiles.map(|value| shown(second, value));
        let mean = tally.moments().map_or(0.0, |(mean, _)| if second.is_in_tenths() { mean / 10.0 } else { mean });
        let mut row = vec![bin.name(first), tally.total().to_string(), significant(mean, 6).to_string()];
        row.extend(texts.iter().map(|text| text.replace(',', "")));
        data.rows.push(row);
        let tooltip =
            format!("{} {}, {}: {}", first.name(), bin.name(first), count(tally.total(), "puzzle"), texts.join(" / "));
        let places = quantiles.map(|value| place(second, value));
        for end in places {
            lowest = lowest.min(end);
            highest = highest.max(end);
        }
        boxes.push(Quartiles { x: x as f64, at: places, strength: strength(tally), tooltip });
    }
    let y = match second {
        Number::W => Axis::integers(second.name(), lowest, highest),
        Number::SCORE => Axis::log("score, points (logarithmic)", lowest, highest.max(1.0)),
        Number::GUESSES => Axis::log("guesses + 1 (logarithmic)", lowest, highest),
        _ => Axis::linear(second.name(), lowest.floor(), highest),
    };
    let x = Axis::names(first.name(), columns.iter().map(|column| column.bin.name(first)).collect());
    let colour = if first == Number::HOLES { COLOUR } else { Colour::Series(5) };
    Some(Drawn { x, y, layers: kinds::boxes(colour, &boxes).into(), marks: Vec::new(), data })
}
