//! Figures as a plot, with their intervals, and as a table of one value a cell.

use super::ask::Figures;
use super::values::Finding;
use sudoku_corpus_core::page::numbers::significant;
use sudoku_corpus_core::page::{Area, Axis, Colour, Figure, Layer, Marks, Plot, Table, kinds};

/// The largest number of series in one plot.
const SERIES: usize = 8;

/// The plot of the first figure: its mean or its share for each group, or, without groups, the share of each of its values.
/// Reliable estimates have their 95 % interval; the others are open circles.
///
/// # Errors
/// There is nothing to draw.
pub fn plot(found: &Figures, id: &str) -> Result<Figure, String> {
    let name = &found.findings.first().ok_or("there is nothing to plot: no row knows the figures")?.figure;
    let own = |finding: &&Finding| finding.figure == *name;
    let value = |finding: &Finding| finding.statistic.strip_prefix("share ").map(str::to_owned);
    let has_mean = found.findings.iter().filter(own).any(|finding| finding.statistic == "mean");
    let shown: Vec<(String, &Finding)> = found
        .findings
        .iter()
        .filter(own)
        .filter_map(|finding| match (found.by.is_empty(), has_mean) {
            (false, true) => (finding.statistic == "mean").then(|| ("mean".to_owned(), finding)),
            _ => value(finding).map(|value| (value, finding)),
        })
        .collect();
    if shown.is_empty() {
        return Err(format!(
            "'{name}' has too many values for a plot: group them, as in 'score / 100 * 100 AS score', or use --by"
        ));
    }
    let is_histogram = found.by.is_empty();
    let place = |(value, finding): &(String, &Finding)| {
        if is_histogram { value.clone() } else { finding.group.join(", ") }
    };
    let (mut places, mut series): (Vec<String>, Vec<&String>) = (Vec::new(), Vec::new());
    for one in &shown {
        if !places.contains(&place(one)) {
            places.push(place(one));
        }
        if !is_histogram && !series.contains(&&one.0) {
            series.push(&one.0);
        }
    }
    // The values with the largest shares.
    let sum = |name: &String| shown.iter().filter(|one| one.0 == *name).map(|one| one.1.estimate.value).sum::<f64>();
    series.sort_by(|a, b| sum(b).total_cmp(&sum(a)));
    series.truncate(SERIES);
    let numbers: Option<Vec<f64>> = places.iter().map(|place| place.parse().ok()).collect();
    let step = |numbers: &[f64]| numbers.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
    let numbers = numbers.filter(|numbers| numbers.len() > 1 && step(numbers) > 0.0);
    let half = numbers.as_deref().map_or(0.5, step) / 2.0;
    let at = |one: &(String, &Finding)| {
        let at = places.iter().position(|known| *known == place(one)).unwrap_or(0);
        numbers.as_ref().map_or(at as f64, |numbers| numbers[at])
    };
    let scale = if has_mean && !is_histogram { 1.0 } else { 100.0 };
    let mut layers = Vec::new();
    let drawn: Vec<Option<&String>> =
        if is_histogram { vec![None] } else { series.iter().copied().map(Some).collect() };
    for (number, &name) in drawn.iter().enumerate() {
        let colour = Colour::Series(if is_histogram { 3 } else { [3, 6, 5, 1, 7, 2, 4, 8][number % SERIES] });
        // Series stand beside each other, so that their intervals do not cover each other.
        let shift = half * 0.6 * ((number as f64 + 0.5) / series.len().max(1) as f64 - 0.5) * 2.0;
        let of: Vec<&(String, &Finding)> = shown.iter().filter(|one| name.is_none_or(|name| *name == one.0)).collect();
        let mut bars = Vec::new();
        let (mut dots, mut rings, mut columns) = (Vec::new(), Vec::new(), Vec::new());
        for one in of {
            let estimate = one.1.estimate;
            let (x, y) = (at(one) + if is_histogram { 0.0 } else { shift }, scale * estimate.value);
            if is_histogram {
                let tooltip = format!("{}: {} %", one.0, significant(y, 4));
                columns.push(Area { x: (x - 0.84 * half, x + 0.84 * half), y: (0.0, y), strength: 1.0, tooltip });
            }
            match estimate.doubt {
                None => {
                    bars.push([(x, scale * estimate.interval.0), (x, scale * estimate.interval.1)]);
                    dots.push((x, y, 0.0));
                }
                Some(_) => rings.push((x, y, 0.0)),
            }
        }
        let name = name.filter(|_| series.len() > 1).map_or("", |name| name.as_str());
        if is_histogram {
            layers.push(Layer::new("", colour, Marks::Areas(columns)));
            layers.push(Layer::new("", Colour::Series(8), Marks::Strokes(bars)));
        } else {
            layers.push(Layer::new("", colour, Marks::Strokes(bars)));
            layers.push(Layer::new(name, colour, Marks::Dots(dots)));
        }
        layers.push(Layer::new("", colour, Marks::Rings(rings)));
    }
    let ends = layers.iter().flat_map(|layer| match &layer.marks {
        Marks::Strokes(strokes) => strokes.iter().flatten().map(|point| point.1).collect(),
        Marks::Dots(points) | Marks::Rings(points) => points.iter().map(|point| point.1).collect(),
        _ => Vec::new(),
    });
    let ends: Vec<f64> = ends.filter(|end| end.is_finite()).collect();
    let (low, high) = ends.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &y| (low.min(y), high.max(y)));
    let margin = 0.06 * (high - low).max(1e-9);
    let y = match has_mean && !is_histogram {
        true => Axis::linear(&format!("mean of {name}"), low - margin, high + margin),
        false => Axis::linear("% of puzzles", 0.0, high.max(0.0) + margin),
    };
    let label = if is_histogram { name.clone() } else { found.by.join(", ") };
    let x = match &numbers {
        Some(numbers) => Axis::linear(&label, numbers[0] - half, numbers[numbers.len() - 1] + half),
        None => Axis::names(&label, places.clone()),
    };
    if is_histogram && places.len() <= 16 {
        let words = shown.iter().map(|one| {
            let top = one.1.estimate.interval.1.max(one.1.estimate.value);
            (at(one), scale * top, format!("{} %", significant(scale * one.1.estimate.value, 3)))
        });
        layers.push(kinds::above(words));
    }
    let title = if is_histogram { format!("{name}: share of each value") } else { format!("{name} by {label}") };
    let plot = Plot { id: id.to_owned(), title: title.clone(), x, y, layers, marks: Vec::new() };
    let made: Vec<String> = found.made.iter().map(|(what, text)| format!("{what}: {text}")).collect();
    let caption = format!(
        "{title}. Bars are 95 % intervals; open circles are estimates that are not reliable. How it was made: {}.",
        made.join("; ")
    );
    Ok(Figure { headline: title, plot, caption, data: table(found, shown.into_iter().map(|one| one.1)), listed: true })
}

/// Findings as a table, one value a cell.
pub fn table<'a>(found: &Figures, findings: impl Iterator<Item = &'a Finding>) -> Table {
    let head = ["figure", "statistic", "estimate", "low", "high", "effective", "doubt", "made"];
    let made: Vec<String> = found.made.iter().map(|(what, text)| format!("{what}: {text}")).collect();
    let made = made.join("; ");
    let mut table = Table { head: found.by.clone(), rows: Vec::new() };
    table.head.extend(head.map(str::to_owned));
    for finding in findings {
        let estimate = &finding.estimate;
        let mut row = finding.group.clone();
        row.extend([finding.figure.clone(), finding.statistic.clone()]);
        let (low, high) = estimate.reliable();
        let numbers = [estimate.value, low, high, finding.effective];
        row.extend(
            numbers.map(|number| if number.is_finite() { significant(number, 6).to_string() } else { String::new() }),
        );
        row.extend([finding.doubt().unwrap_or_default(), made.clone()]);
        table.rows.push(row);
    }
    table
}
