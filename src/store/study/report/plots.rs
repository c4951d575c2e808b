//! Draws the answers, a function for each kind of plot.

use super::answer::{Kind, ReportAnswer, shown};
use super::bins::{Bin, bins, columns as by_bin, counted, rounds};
use super::count;
use super::lines::{COLOUR, Line, has_symmetries, lines, used};
use crate::study::estimates::Estimate;
use crate::study::numbers::Number;
use crate::study::tally::Tally;
use sudoku_corpus_core::ladder::{Level, TECHNIQUES};
use sudoku_corpus_core::page::kinds::{self, HeatCell, Quartiles};
use sudoku_corpus_core::page::numbers::{grouped, percent, significant};
use sudoku_corpus_core::page::{Area, Axis, Colour, Layer, Marks, Table};

/// Boxes and columns of fewer puzzles are pale.
pub(super) const FEW: u64 = 20;
/// The colour of weighted shares.
const OF_ALL: Colour = Colour::Series(8);
/// The number of columns that fit side by side.
const COLUMNS: u64 = 40;
/// The largest number of columns that leaves room for the shares above them.
const LABELLED: usize = 16;
/// The most columns of boxes and cells, so that their names fit in.
const PLACES: u64 = 14;
/// Number of bins of scores for each power of ten.
const BINS: f64 = 16.0;
/// The name of weighted shares in a legend.
const WEIGHTED: &str = "all minimal puzzles (weighted), \u{b1} 2 standard errors";

/// A drawn answer.
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

/// The tooltip of a share.
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
    for (row, of) in data.rows.iter_mut().zip(shares) {
        let error = error_of(of).map_or(String::new(), |error| significant(error, 6).to_string());
        row.extend([significant(of.value, 6).to_string(), error]);
    }
}

/// The largest of a percentage and the upper ends of weighted shares.
fn tallest<'a>(shares: impl Iterator<Item = &'a Estimate>, percentage: f64) -> f64 {
    shares.map(|share| 100.0 * (share.value + 2.0 * error_of(share).unwrap_or(0.0))).fold(percentage, f64::max)
}

/// Columns, one for each value or for each bin of values, and rings for weighted shares.
fn columns(answer: &ReportAnswer<'_>) -> Option<Drawn> {
    let tally = &*answer.tally;
    let total = tally.total();
    let scale = if answer.number.is_in_tenths() { 10.0 } else { 1.0 };
    let bins = bins(tally, COLUMNS);
    let counts = counted(tally, &bins);
    let (first, last) = (bins.first()?, bins.last()?);
    let mut data = table(answer, &["puzzles", "share"]);
    data.rows.extend(tally.iter().map(|(value, rows)| vec![value.to_string(), rows.to_string(), share(rows, total)]));
    let values: Vec<u64> = tally.iter().map(|(value, _)| value).collect();
    add_weighted(&mut data, answer.weighted(values.len(), |value| values.binary_search(&value).ok()).as_deref());
    let is_single = first.first == first.last;
    let (from, to) = (first.first as f64 / scale, last.last as f64 / scale);
    let x = match is_single && scale == 1.0 {
        true => Axis::integers(&answer.label, from, to),
        false => Axis::linear(&answer.label, from - 0.5 / scale, to + 0.5 / scale),
    };
    let weighted =
        answer.weighted(bins.len(), |value| bins.iter().position(|bin| (bin.first..=bin.last).contains(&value)));
    let highest = tallest(weighted.iter().flatten(), percentage(counts.iter().copied().max()?, total));
    let mut layers = vec![areas(&bins, &counts, total, scale)];
    if let Some(shares) = &weighted {
        layers[0].name = "rows without weights".to_owned();
        let places = bins.iter().map(|bin| f64::midpoint(bin.first as f64, bin.last as f64) / scale);
        layers.extend(rings(places.zip(shares)));
    } else if is_single && bins.len() <= LABELLED {
        let words = bins.iter().zip(&counts).filter(|(_, count)| **count > 0);
        layers.push(kinds::above(
            words.map(|(bin, &count)| (bin.first as f64 / scale, percentage(count, total), percent(count, total))),
        ));
    }
    Some(Drawn { x, y: Axis::linear("% of puzzles", 0.0, 1.1 * highest), layers, marks: Vec::new(), data })
}

/// A column for each bin with puzzles. `scale` is 10 where the values are tenths.
fn areas(bins: &[Bin], counts: &[u64], total: u64, scale: f64) -> Layer {
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

/// Weighted shares as open circles, with bars of two standard errors where the share does not rest on a few rows.
fn rings<'a>(shares: impl Iterator<Item = (f64, &'a Estimate)> + Clone) -> [Layer; 2] {
    let points = shares.clone().map(|(x, share)| (x, 100.0 * share.value, 0.0)).collect();
    let bar = |(x, share): (f64, &Estimate)| {
        let error = error_of(share)?;
        let [low, high] = [-2.0, 2.0].map(|errors| 100.0 * (share.value + errors * error).max(0.0));
        Some([(x, low), (x, high)])
    };
    let bars = shares.filter_map(bar).collect();
    [Layer::new("", OF_ALL, Marks::Strokes(bars)), Layer::new(WEIGHTED, OF_ALL, Marks::Rings(points))]
}

/// Horizontal bars; where rows have weights, rings show the shares of all minimal puzzles.
fn bars(answer: &ReportAnswer<'_>) -> Option<Drawn> {
    let (lines, whole) = lines(answer);
    if answer.number == Number::SYMMETRIES && !has_symmetries(&answer.tally) {
        return None;
    }
    let weighted = answer.weighted(lines.len(), |value| Some(value as usize).filter(|at| *at < lines.len()));
    let mut layers = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let length = percentage(line.count, whole);
        let area = kinds::bar(at, length, tooltip(&line.name, line.count, whole));
        layers.push(Layer::new("", line.colour, Marks::Areas(vec![area])));
        let words = format!("{}  ({})", percent(line.count, whole), grouped(line.count.into()));
        // The words begin at the right of the bar, and of the error bar of the weighted share.
        layers.push(kinds::beside([(tallest(weighted.iter().map(|shares| &shares[at]), length), at, words)]));
    }
    if let Some(shares) = &weighted {
        let ring =
            |(at, share): (usize, &Estimate)| (100.0 * share.value, at as f64, 100.0 * error_of(share).unwrap_or(0.0));
        layers.push(Layer::new(WEIGHTED, OF_ALL, Marks::Rings(shares.iter().enumerate().map(ring).collect())));
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
        let row = |(times, classes): (u64, u64)| [times, classes, times.saturating_mul(classes)];
        data.rows.extend(answer.tally.iter().map(|pair| row(pair).map(|number| number.to_string()).to_vec()));
    } else {
        let row = |line: Line| [line.keys, vec![line.count.to_string(), share(line.count, whole)]].concat();
        data.rows.extend(lines.into_iter().map(row));
        add_weighted(&mut data, weighted.as_deref());
    }
    Some(Drawn { x, y, layers, marks: Vec::new(), data })
}

/// A dot for each technique: the share of puzzles in which the ladder uses it.
fn techniques(answer: &ReportAnswer<'_>) -> Option<Drawn> {
    let (used, rated) = (used(answer.board), answer.board.answers.rated());
    let least = used.last()?.1.total();
    let mut data = table(answer, &[]);
    for (place, tally) in &used {
        let (info, hardest) = (&TECHNIQUES[*place], answer.tally.count(*place as u64));
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
        let of_level = used.iter().enumerate().filter(|(_, (place, _))| TECHNIQUES[*place].level == level);
        let points: Vec<(f64, f64, f64)> =
            of_level.map(|(at, (_, tally))| (percentage(tally.total(), rated), at as f64, 0.0)).collect();
        if !points.is_empty() {
            layers.push(Layer::new(level.name(), Colour::Level(level as usize), Marks::Dots(points)));
        }
    }
    layers.push(kinds::beside(used.iter().enumerate().map(|(at, (place, tally))| {
        let words = format!(" {}  {}", percent(tally.total(), rated), TECHNIQUES[*place].level.name());
        (percentage(tally.total(), rated), at, words)
    })));
    let x = Axis::log(&answer.label, percentage(least, rated), 100.0);
    let y = Axis::names("", used.iter().map(|(place, _)| TECHNIQUES[*place].name.to_owned()).collect());
    Some(Drawn { x, y, layers, marks: Vec::new(), data })
}

/// A histogram in bins of equal ratio, with the levels on top of each other.
fn stacks(answer: &ReportAnswer<'_>) -> Option<Drawn> {
    let all = &*answer.tally;
    // The bin of a score, and the score at which a bin begins.
    let bin = |score: u64| ((score.max(1) as f64).log10() * BINS + 1e-9).floor() as i64;
    let edge = |bin: i64| 10f64.powf(bin as f64 / BINS);
    let (first, last) = (bin(all.min()?), bin(all.max()?));
    let mut heights = vec![0u64; (last - first + 1) as usize];
    let mut data = table(answer, &["puzzles", "share"]);
    let mut layers = Vec::new();
    // `heights` has what the levels so far have in each bin: the next one stands on it.
    for (level, tally) in answer.joint?.iter() {
        let mut of_level = vec![0u64; heights.len()];
        tally.iter().for_each(|(score, count)| of_level[(bin(score) - first) as usize] += count);
        let name = Level::ALL.get(level as usize)?.name();
        data.rows.extend(tally.iter().map(|(score, count)| {
            vec![name.to_owned(), score.to_string(), count.to_string(), share(count, all.total())]
        }));
        let mut areas = Vec::new();
        for (at, (&more, height)) in of_level.iter().zip(&mut heights).enumerate().filter(|(_, (more, _))| **more > 0) {
            let (from, to) = (edge(first + at as i64), edge(first + at as i64 + 1));
            let y = (percentage(*height, all.total()), percentage(*height + more, all.total()));
            *height += more;
            let what = format!("{name}, {from:.0} to {to:.0} points");
            let x = (from * 1.012, to / 1.012);
            areas.push(Area { x, y, strength: 1.0, tooltip: tooltip(&what, more, all.total()) });
        }
        layers.push(Layer::new(name, Colour::Level(level as usize), Marks::Areas(areas)));
    }
    let highest = percentage(heights.iter().copied().max()?, all.total());
    let median = all.quantile(0.5)?;
    let marks = vec![(median.max(1) as f64, format!("median {}", grouped(median.into())))];
    let x = Axis::log(&answer.label, edge(first), edge(last + 1));
    Some(Drawn { x, y: Axis::linear("% of solved puzzles", 0.0, 1.05 * highest), layers, marks, data })
}

/// A falling line: the share of puzzles that have more than each number. None if all have 0.
fn falling(answer: &ReportAnswer<'_>) -> Option<Drawn> {
    let tally = &*answer.tally;
    let total = tally.total();
    let most = tally.max().filter(|&most| most > 0)?;
    let mut data = table(answer, &[]);
    let (mut points, mut left, mut before) = (Vec::new(), total, total);
    for (value, count) in tally.iter() {
        left -= count;
        data.rows.push(vec![value.to_string(), count.to_string(), share(left, total)]);
        // The share is constant up to this number and falls there.
        let x = value.max(1) as f64;
        points.push((x, percentage(if value == 0 { left } else { before }, total)));
        if left > 0 {
            points.push((x, percentage(left, total)));
        }
        before = left;
    }
    let lowest = points.iter().map(|point| point.1).fold(100.0, f64::min);
    let x = Axis::log(&answer.label, 1.0, most as f64);
    let y = Axis::log("% of puzzles that need more guesses (logarithmic)", lowest, 100.0);
    Some(Drawn { x, y, layers: vec![Layer::new("", COLOUR, Marks::Line(points))], marks: Vec::new(), data })
}

/// How strongly a box or a column of these values is drawn, 0..=1: pale if there are few.
fn strength(tally: &Tally) -> f64 {
    if tally.total() < FEW { 0.3 } else { 1.0 }
}

/// Cells with shares: for each value of the first number, of those of the second.
fn heat(answer: &ReportAnswer<'_>) -> Option<Drawn> {
    let joint = answer.joint?;
    let first = answer.by;
    let rows = bins(&answer.tally, PLACES);
    let columns = by_bin(joint, bins(&joint.first(), PLACES));
    let mut cells = Vec::new();
    for (x, (bin, tally)) in columns.iter().enumerate() {
        for (y, (row, count)) in rows.iter().zip(counted(tally, &rows)).enumerate().filter(|(_, (_, count))| *count > 0)
        {
            let part = count as f64 / tally.total() as f64;
            let text = if part < 0.005 { "<1".to_owned() } else { format!("{:.0}", 100.0 * part) };
            let tooltip = format!(
                "{} {}, depth {}: {} of {} puzzles, {}",
                bin.name(first),
                first.name(),
                row.name(answer.number),
                grouped(count.into()),
                grouped(tally.total().into()),
                percent(count, tally.total())
            );
            // Square roots make differences below a tenth visible.
            let strength = part.sqrt() * strength(tally);
            cells.push(HeatCell { x, y: rows.len() - 1 - y, strength, text, tooltip });
        }
    }
    let x = Axis::names(first.name(), columns.iter().map(|(bin, _)| bin.name(first)).collect());
    let y = Axis::names(&answer.label, rows.iter().rev().map(|bin| bin.name(answer.number)).collect());
    let mut data = table(answer, &[]);
    for (x, tally) in joint.iter() {
        data.rows.extend(tally.iter().map(|(y, count)| [x, y, count].map(|number| number.to_string()).to_vec()));
    }
    Some(Drawn { x, y, layers: kinds::heat(COLOUR, &cells).into(), marks: Vec::new(), data })
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
    columns.retain(|(_, tally)| tally.total() > 0);
    let mut data = Table::new(&[first.name(), "puzzles", "mean", "q05", "q25", "median", "q75", "q95"]);
    let mut boxes = Vec::new();
    for (x, (bin, tally)) in columns.iter().enumerate() {
        let quantiles = [0.05, 0.25, 0.5, 0.75, 0.95].map(|q| tally.quantile(q).unwrap_or(0));
        let texts = quantiles.map(|value| shown(second, value));
        let mean = tally.moments().map_or(0.0, |(mean, _)| if second.is_in_tenths() { mean / 10.0 } else { mean });
        let mut row = vec![bin.name(first), tally.total().to_string(), significant(mean, 6).to_string()];
        row.extend(texts.iter().map(|text| text.replace(',', "")));
        data.rows.push(row);
        let tooltip =
            format!("{} {}, {}: {}", first.name(), bin.name(first), count(tally.total(), "puzzle"), texts.join(" / "));
        let at = quantiles.map(|value| place(second, value));
        boxes.push(Quartiles { x: x as f64, at, strength: strength(tally), tooltip });
    }
    let ends = || boxes.iter().flat_map(|one| one.at);
    let low = ends().fold(f64::INFINITY, f64::min);
    let high = ends().fold(0.0, f64::max);
    let y = match second {
        Number::W => Axis::integers(second.name(), low, high),
        Number::SCORE => Axis::log("score, points (logarithmic)", low, high.max(1.0)),
        Number::GUESSES => Axis::log("guesses + 1 (logarithmic)", low, high),
        _ => Axis::linear(second.name(), low.floor(), high),
    };
    let x = Axis::names(first.name(), columns.iter().map(|(bin, _)| bin.name(first)).collect());
    let colour = if first == Number::HOLES { COLOUR } else { Colour::Series(5) };
    Some(Drawn { x, y, layers: kinds::boxes(colour, &boxes).into(), marks: Vec::new(), data })
}
