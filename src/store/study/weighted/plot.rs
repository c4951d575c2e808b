//! Draws figures as a plot, with their intervals, and as a table of one value a cell.

use super::ask::{Cloud, Figures, level_of};
use super::values::Finding;
use sudoku_corpus_core::page::numbers::significant;
use sudoku_corpus_core::page::{Area, Axis, Colour, Figure, Layer, Marks, Plot, Table, kinds};

/// The colours of series.
const SERIES: [usize; 8] = [3, 6, 5, 1, 7, 2, 4, 8];
/// The largest number of panels in one plot.
const PANELS: usize = 24;

/// The values of a group without that of its panel, and the name of its panel, which is empty if there is one only.
fn panel_of<'a>(found: &Figures, group: &'a [String]) -> (&'a [String], String) {
    match group.split_last() {
        Some((last, rest)) if found.facets => (rest, format!("{}: {last}", found.by[found.by.len() - 1])),
        _ => (group, String::new()),
    }
}

/// The colour of a series; levels have their own.
fn colour_of(name: &str, number: usize, levels: bool) -> Colour {
    let level = level_of(name).filter(|_| levels);
    level.map_or(Colour::Series(SERIES[number % SERIES.len()]), |level| Colour::Level(level as usize))
}

/// A figure with its caption.
fn figure(found: &Figures, plot: Plot, about: &str, data: Table) -> Figure {
    let made: Vec<String> = found.made.iter().map(|(what, text)| format!("{what}: {text}")).collect();
    let caption = format!("{}. {about} How it was made: {}.", plot.title, made.join("; "));
    Figure { headline: plot.title.clone(), plot, caption, data, listed: true }
}

/// The ends of an axis for some values, and by how much equal whole numbers are spread so that all are seen.
fn ends(values: impl Iterator<Item = f64> + Clone) -> (f64, f64, f64) {
    let spread = if values.clone().all(|value| value.fract() == 0.0) { 0.7 } else { 0.0 };
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)));
    let margin = 0.02 * (high - low) + spread / 2.0;
    (low - margin, high + margin, spread)
}

/// A scatter plot of two figures, in a colour of its own for each group, with the lines of the fit.
fn scatter(found: &Figures, [across, up]: &[String; 2], id: &str) -> Result<Figure, String> {
    let clouds: Vec<&Cloud> = found.clouds.iter().filter(|cloud| !cloud.points.is_empty()).collect();
    if clouds.is_empty() {
        return Err("there is nothing to plot: no row knows both figures".to_owned());
    }
    let points = || clouds.iter().flat_map(|cloud| &cloud.points);
    let (x, y) = (ends(points().map(|point| point.0)), ends(points().map(|point| point.1)));
    // Half the sides of a square: parts of the axes. Panels are narrow, so they have wider squares.
    let across_panels = if found.facets { 2.0 } else { 1.0 };
    let (wide, high) = (across_panels * (x.1 - x.0) / 360.0, (y.1 - y.0) / 140.0);
    // The groups without their panels, which give the colours, in the order in which they come.
    let mut names: Vec<String> = Vec::new();
    let (mut layers, mut lines) = (Vec::new(), Vec::new());
    for cloud in &clouds {
        let (rest, panel) = panel_of(found, &cloud.group);
        let name = rest.join(", ");
        let number = names.iter().position(|known| *known == name).unwrap_or(names.len());
        if number == names.len() {
            names.push(name.clone());
        }
        let colour = colour_of(&name, number, true);
        let square = |(at, point): (usize, &(f64, f64))| {
            // Parts of 1 that no small number of steps repeats.
            let part = |step: f64| (at as f64 * step).fract() - 0.5;
            let (left, low) = (point.0 + x.2 * part(0.618_034), point.1 + y.2 * part(0.754_878));
            let (x, y) = ((left - wide, left + wide), (low - high, low + high));
            Area { x, y, strength: 0.5, tooltip: String::new() }
        };
        let squares = Marks::Areas(cloud.points.iter().enumerate().map(square).collect());
        layers.push(Layer { panel: panel.clone(), ..Layer::new(&name, colour, squares) });
        let (from, to, spread) = ends(cloud.points.iter().map(|point| point.0));
        lines.extend(cloud.line.map(|[slope, intercept]| {
            let line = [from + spread / 2.0, to - spread / 2.0].map(|x| (x, slope * x + intercept)).to_vec();
            let colour = if rest.is_empty() { Colour::Series(8) } else { colour };
            Layer { panel, ..Layer::new("", colour, Marks::Line(line)) }
        }));
    }
    // Lines lie over all squares.
    layers.extend(lines);
    let mut data = Table { head: found.by.clone(), rows: Vec::new() };
    data.head.extend([across.clone(), up.clone()]);
    for cloud in clouds {
        let row = |point: &(f64, f64)| [point.0, point.1].map(|number| number.to_string());
        data.rows.extend(cloud.points.iter().map(|point| cloud.group.iter().cloned().chain(row(point)).collect()));
    }
    let about = format!(
        "Each square is a row, of {} that were drawn in proportion to their weights; whole numbers are spread a little. Lines are fits \
         of all rows.",
        data.rows.len()
    );
    let by = if found.by.is_empty() { String::new() } else { format!(", by {}", found.by.join(" and ")) };
    let (x, y) = (Axis::linear(across, x.0, x.1), Axis::linear(up, y.0, y.1));
    let title = format!("{up} and {across}{by}");
    Ok(figure(found, Plot { id: id.to_owned(), title, x, y, layers, marks: Vec::new() }, &about, data))
}

/// The plot of the first figure: its mean or its share for each group, or, without groups, the share of each of its
/// values or classes. The first expression of `by` gives the places, the others give series of their own colours.
/// Reliable estimates have their 95 % interval; the others are open circles. With facets, the last expression of `by`
/// gives panels; with a fit, this is a scatter plot.
///
/// # Errors
/// There is nothing to draw.
pub fn plot(found: &Figures, id: &str) -> Result<Figure, String> {
    if let Some(names) = &found.scatter {
        return scatter(found, names, id);
    }
    let name = &found.findings.first().ok_or("there is nothing to plot: no row knows the figures")?.figure;
    let own = |finding: &&Finding| finding.figure == *name;
    let value = |finding: &Finding| finding.statistic.strip_prefix("share ").map(str::to_owned);
    let has_mean = found.findings.iter().filter(own).any(|finding| finding.statistic == "mean");
    let is_histogram = found.by.len() == usize::from(found.facets);
    // Each estimate with its panel, its place and its series. In a histogram the places are the values. Otherwise they
    // are the groups of the first expression, and without a mean each value of the figure is a series too.
    let shown: Vec<(String, (String, String, &Finding))> = found
        .findings
        .iter()
        .filter(own)
        .map(|finding| (panel_of(found, &finding.group), finding))
        .filter_map(|((group, panel), finding)| {
            let place = match group.split_first() {
                None => value(finding).map(|value| (value, String::new(), finding)),
                Some((place, rest)) => {
                    let own = if has_mean {
                        (finding.statistic == "mean").then(Vec::new)
                    } else {
                        value(finding).map(|value| vec![value])
                    };
                    own.map(|own| {
                        (place.clone(), rest.iter().cloned().chain(own).collect::<Vec<_>>().join(", "), finding)
                    })
                }
            };
            place.map(|place| (panel, place))
        })
        .collect();
    if shown.is_empty() {
        return Err(format!(
            "'{name}' has too many values for a plot: choose classes with --classes, or groups with --by"
        ));
    }
    // Places, series and panels, each once, in the order in which they come.
    let (mut places, mut series): (Vec<&String>, Vec<&String>) = (Vec::new(), Vec::new());
    let mut panels: Vec<&String> = Vec::new();
    for (panel, (place, one, _)) in &shown {
        if !panels.contains(&panel) {
            panels.push(panel);
        }
        if !places.contains(&place) {
            places.push(place);
        }
        if !series.contains(&one) {
            series.push(one);
        }
    }
    if panels.len() > PANELS {
        return Err(format!("--facets gives {} panels; at most {PANELS} are drawn", panels.len()));
    }
    // Levels in their order; of other series those with the largest estimates.
    let levels: Option<Vec<f64>> = series.iter().map(|name| level_of(name)).collect();
    if let Some(levels) = &levels {
        let mut order: Vec<(f64, &String)> = levels.iter().copied().zip(series).collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        series = order.into_iter().map(|(_, name)| name).collect();
    } else if !has_mean {
        let sum =
            |name: &String| shown.iter().filter(|one| one.1.1 == *name).map(|one| one.1.2.estimate.value).sum::<f64>();
        series.sort_by(|a, b| sum(b).total_cmp(&sum(a)));
    }
    series.truncate(SERIES.len());
    // A panel need not have all places, so their order is not always that of the first.
    let first = |name: &str| name.split(' ').next().and_then(|number| number.parse::<f64>().ok());
    if found.facets && places.iter().all(|place| first(place).is_some()) {
        places.sort_by(|a, b| first(a).partial_cmp(&first(b)).unwrap_or(std::cmp::Ordering::Equal));
    }
    if is_histogram && places.iter().all(|place| level_of(place).is_some()) {
        places.sort_by(|a, b| level_of(a).partial_cmp(&level_of(b)).unwrap_or(std::cmp::Ordering::Equal));
    }
    // Places that are ascending numbers stand at their values on the axis, others at 0, 1, 2, ... `half` is half the
    // least distance of two places.
    let numbers: Option<Vec<f64>> = places.iter().map(|place| place.parse().ok()).collect();
    let step = |numbers: &[f64]| numbers.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
    let numbers = numbers.filter(|numbers| numbers.len() > 1 && step(numbers) > 0.0);
    let half = numbers.as_deref().map_or(0.5, step) / 2.0;
    let at = |place: &String| {
        let at = places.iter().position(|known| *known == place).unwrap_or(0);
        numbers.as_ref().map_or(at as f64, |numbers| numbers[at])
    };
    // Shares are drawn in per cent.
    let scale = if has_mean && !is_histogram { 1.0 } else { 100.0 };
    let mut layers = Vec::new();
    let series_of = |panel| series.iter().enumerate().map(move |(number, name)| (panel, number, name.as_str()));
    for (panel, number, name) in panels.iter().flat_map(|panel| series_of(panel.as_str())) {
        let colour = if is_histogram { Colour::Series(3) } else { colour_of(name, number, levels.is_some()) };
        // Series stand beside each other, so that their intervals do not cover each other.
        let shift = half * 0.6 * ((number as f64 + 0.5) / series.len().max(1) as f64 - 0.5) * 2.0;
        let (mut bars, mut dots, mut rings, mut columns) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (place, _, finding) in shown.iter().filter(|one| one.0 == panel && one.1.1 == name).map(|one| &one.1) {
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
        let name = if series.len() > 1 { name } else { "" };
        let mut own = match is_histogram {
            true => vec![
                Layer::new("", colour, Marks::Areas(columns)),
                Layer::new("", Colour::Series(8), Marks::Strokes(bars)),
            ],
            false => {
                vec![Layer::new("", colour, Marks::Strokes(bars)), Layer::new(name, colour, Marks::Dots(dots))]
            }
        };
        own.push(Layer::new("", colour, Marks::Rings(rings)));
        if is_histogram && places.len() <= 16 {
            let words = shown.iter().filter(|one| one.0 == panel).map(|(_, (place, _, finding))| {
                let top = finding.estimate.reliable().1.max(finding.estimate.value);
                (at(place), scale * top, format!("{} %", significant(scale * finding.estimate.value, 3)))
            });
            own.push(kinds::above(words));
        }
        layers.extend(own.into_iter().map(|layer| Layer { panel: panel.to_owned(), ..layer }));
    }
    // The legend explains the bars and the rings, if there are any.
    let has = |wanted: fn(&Marks) -> bool| layers.iter().any(|layer| wanted(&layer.marks));
    let bars = has(|marks| matches!(marks, Marks::Strokes(strokes) if !strokes.is_empty()));
    let rings = has(|marks| matches!(marks, Marks::Rings(points) if !points.is_empty()));
    layers.extend(bars.then(|| Layer::new("95 % interval", Colour::Series(8), Marks::Strokes(Vec::new()))));
    layers.extend(rings.then(|| Layer::new("not reliable: no interval", Colour::Series(8), Marks::Rings(Vec::new()))));
    // The axis reaches over all intervals and estimates.
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
    let by = found.by.join(" and ");
    let title = match (is_histogram, found.facets) {
        (true, false) => format!("{name}: share of each value"),
        (true, true) => format!("{name}: share of each value, by {by}"),
        (false, _) => format!("{name} by {by}"),
    };
    let plot = Plot { id: id.to_owned(), title, x, y, layers, marks: Vec::new() };
    let about = "Bars are 95 % intervals; open circles are estimates that are not reliable.";
    Ok(figure(found, plot, about, table(found, shown.into_iter().map(|one| one.1.2))))
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
