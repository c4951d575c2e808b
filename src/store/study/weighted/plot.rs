//! Figures as a plot, with their intervals, and as a table of one value a cell.

use super::ask::{Figures, level_of};
use super::values::Finding;
use sudoku_corpus_core::page::numbers::significant;
use sudoku_corpus_core::page::{Area, Axis, Colour, Figure, Layer, Marks, Plot, Table, kinds};

/// The largest number of series in one plot.
const SERIES: usize = 8;

/// The plot of the first figure: its mean or its share for each group, or, without groups, the share of each of its values or
/// classes. The first expression of `by` gives the places, the others give series of their own colours. Reliable estimates have
/// their 95 % interval; the others are open circles.
///
/// # Errors
/// There is nothing to draw.
pub fn plot(found: &Figures, id: &str) -> Result<Figure, String> {
    let name = &found.findings.first().ok_or("there is nothing to plot: no row knows the figures")?.figure;
    let own = |finding: &&Finding| finding.figure == *name;
    let value = |finding: &Finding| finding.statistic.strip_prefix("share ").map(str::to_owned);
    let has_mean = found.findings.iter().filter(own).any(|finding| finding.statistic == "mean");
    let is_histogram = found.by.is_empty();
    // Each estimate with its place and its series.
    let shown: Vec<(String, String, &Finding)> = found
        .findings
        .iter()
        .filter(own)
        .filter_map(|finding| match finding.group.split_first() {
            None => value(finding).map(|value| (value, String::new(), finding)),
            Some((place, rest)) => {
                let own = if has_mean {
                    (finding.statistic == "mean").then(Vec::new)
                } else {
                    value(finding).map(|value| vec![value])
                };
                own.map(|own| (place.clone(), rest.iter().cloned().chain(own).collect::<Vec<_>>().join(", "), finding))
            }
        })
        .collect();
    if shown.is_empty() {
        return Err(format!(
            "'{name}' has too many values for a plot: choose classes with --classes, or groups with --by"
        ));
    }
    let (mut places, mut series): (Vec<&String>, Vec<&String>) = (Vec::new(), Vec::new());
    for (place, one, _) in &shown {
        if !places.contains(&place) {
            places.push(place);
        }
        if !series.contains(&one) {
            series.push(one);
        }
    }
    // Levels in their order; of other series those with the largest estimates.
    let levels: Option<Vec<f64>> = series.iter().map(|name| level_of(name)).collect();
    if let Some(levels) = &levels {
        let mut order: Vec<(f64, &String)> = levels.iter().copied().zip(series).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        series = order.into_iter().map(|(_, name)| name).collect();
    } else if !has_mean {
        let sum =
            |name: &String| shown.iter().filter(|one| one.1 == *name).map(|one| one.2.estimate.value).sum::<f64>();
        series.sort_by(|a, b| sum(b).total_cmp(&sum(a)));
    }
    series.truncate(SERIES);
    if is_histogram && places.iter().all(|place| level_of(place).is_some()) {
        places.sort_by(|a, b| level_of(a).partial_cmp(&level_of(b)).unwrap_or(std::cmp::Ordering::Equal));
    }
    let numbers: Option<Vec<f64>> = places.iter().map(|place| place.parse().ok()).collect();
    let step = |numbers: &[f64]| numbers.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
    let numbers = numbers.filter(|numbers| numbers.len() > 1 && step(numbers) > 0.0);
    let half = numbers.as_deref().map_or(0.5, step) / 2.0;
    let at = |place: &String| {
        let at = places.iter().position(|known| *known == place).unwrap_or(0);
        numbers.as_ref().map_or(at as f64, |numbers| numbers[at])
    };
    let scale = if has_mean && !is_histogram { 1.0 } else { 100.0 };
    let mut layers = Vec::new();
    for (number, &name) in series.iter().enumerate() {
        let colour = match level_of(name) {
            _ if is_histogram => Colour::Series(3),
            Some(level) if levels.is_some() => Colour::Level(level as usize),
            _ => Colour::Series([3, 6, 5, 1, 7, 2, 4, 8][number % SERIES]),
        };
        // Series stand beside each other, so that their intervals do not cover each other.
        let shift = half * 0.6 * ((number as f64 + 0.5) / series.len().max(1) as f64 - 0.5) * 2.0;
        let (mut bars, mut dots, mut rings, mut columns) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (place, _, finding) in shown.iter().filter(|one| one.1 == *name) {
            let estimate = finding.estimate;
            let (x, y) = (at(place) + if is_histogram { 0.0 } else { shift }, scale * estimate.value);
            if is_histogram {
                let tooltip = format!("{place}: {} %", significant(y, 4));
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
        let name = if series.len() > 1 { name.as_str() } else { "" };
        if is_histogram {
            layers.push(Layer::new("", colour, Marks::Areas(columns)));
            layers.push(Layer::new("", Colour::Series(8), Marks::Strokes(bars)));
        } else {
            layers.push(Layer::new("", colour, Marks::Strokes(bars)));
            layers.push(Layer::new(name, colour, Marks::Dots(dots)));
        }
        layers.push(Layer::new("", colour, Marks::Rings(rings)));
    }
    let has = |wanted: fn(&Marks) -> bool| layers.iter().any(|layer| wanted(&layer.marks));
    let bars = has(|marks| matches!(marks, Marks::Strokes(strokes) if !strokes.is_empty()));
    let rings = has(|marks| matches!(marks, Marks::Rings(points) if !points.is_empty()));
    layers.extend(bars.then(|| Layer::new("95 % interval", Colour::Series(8), Marks::Strokes(Vec::new()))));
    layers.extend(rings.then(|| Layer::new("not reliable: no interval", Colour::Series(8), Marks::Rings(Vec::new()))));
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
    let label = if is_histogram { name.clone() } else { found.by[0].clone() };
    let x = match &numbers {
        Some(numbers) => Axis::linear(&label, numbers[0] - half, numbers[numbers.len() - 1] + half),
        None => Axis::names(&label, places.iter().map(|place| (*place).clone()).collect()),
    };
    if is_histogram && places.len() <= 16 {
        let words = shown.iter().map(|(place, _, finding)| {
            let top = finding.estimate.reliable().1.max(finding.estimate.value);
            (at(place), scale * top, format!("{} %", significant(scale * finding.estimate.value, 3)))
        });
        layers.push(kinds::above(words));
    }
    let by = found.by.join(" and ");
    let title = if is_histogram { format!("{name}: share of each value") } else { format!("{name} by {by}") };
    let plot = Plot { id: id.to_owned(), title: title.clone(), x, y, layers, marks: Vec::new() };
    let made: Vec<String> = found.made.iter().map(|(what, text)| format!("{what}: {text}")).collect();
    let caption = format!(
        "{title}. Bars are 95 % intervals; open circles are estimates that are not reliable. How it was made: {}.",
        made.join("; ")
    );
    Ok(Figure { headline: title, plot, caption, data: table(found, shown.into_iter().map(|one| one.2)), listed: true })
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
