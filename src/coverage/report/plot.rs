//! Plots as SVG, by hand: two axes, lines, dots with error bars, a legend. Colours come from the page's style sheet.
//!
//! ```text
//!   y |      o--|     dots with errors, or lines;        Axis::linear, Axis::log (decades)
//!     |  o--|         a dashed mark where something      Axis::names: one line a name, for comparisons
//!     +------- x      is expected
//! ```
//!
//! A plotting library draws these too, with more code than is here and in fixed colours; a page that is to be read on
//! light, on dark and on paper needs colours by name.

use std::fmt::Write as _;

use super::document::escaped;

const WIDTH: f64 = 860.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 46.0;
const RIGHT: f64 = 20.0;

/// What stands along one side.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    label: String,
    scale: Scale,
}

#[derive(Clone, Debug, PartialEq)]
enum Scale {
    Linear(f64, f64),
    /// Limits as powers of ten.
    Log(f64, f64),
    Names(Vec<String>),
}

impl Axis {
    /// From one number to another.
    pub fn linear(label: &str, from: f64, to: f64) -> Axis {
        Axis { label: label.to_owned(), scale: Scale::Linear(from, if to > from { to } else { from + 1.0 }) }
    }

    /// From one positive number to another, by decades.
    pub fn log(label: &str, from: f64, to: f64) -> Axis {
        let (low, high) = (from.log10().floor(), to.log10().ceil());
        Axis { label: label.to_owned(), scale: Scale::Log(low, if high > low { high } else { low + 1.0 }) }
    }

    /// Names, the first one on top; coordinates are 0, 1, 2, ...
    pub fn names(names: Vec<String>) -> Axis {
        Axis { label: String::new(), scale: Scale::Names(names) }
    }

    /// Where a value lies, 0 at the beginning and 1 at the end.
    fn place(&self, value: f64) -> f64 {
        match &self.scale {
            Scale::Linear(from, to) => (value - from) / (to - from),
            Scale::Log(low, high) => (value.max(f64::MIN_POSITIVE).log10() - low) / (high - low),
            Scale::Names(names) => 1.0 - (value + 0.5) / names.len().max(1) as f64,
        }
    }

    /// Values that are named at the axis, with their names.
    fn ticks(&self) -> Vec<(f64, String)> {
        match &self.scale {
            Scale::Linear(from, to) => {
                let step = nice_step(to - from);
                let first = (from / step).ceil() as i64;
                let last = (to / step + 1e-9).floor() as i64;
                (first..=last).map(|at| (at as f64 * step, plain(at as f64 * step, step))).collect()
            }
            Scale::Log(low, high) => {
                let every = ((high - low) / 8.0).ceil().max(1.0);
                let count = ((high - low) / every).floor() as i32;
                (0..=count).map(|at| low + f64::from(at) * every).map(|p| (10f64.powf(p), power(p))).collect()
            }
            Scale::Names(names) => names.iter().enumerate().map(|(at, name)| (at as f64, name.clone())).collect(),
        }
    }
}

/// A step of 1, 2 or 5 times a power of ten that divides a span into four to ten parts.
fn nice_step(span: f64) -> f64 {
    let rough = span / 7.0;
    let unit = 10f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * unit).find(|&step| step >= rough).unwrap_or(unit)
}

/// A tick of a linear axis, with as many digits as its step needs.
fn plain(value: f64, step: f64) -> String {
    let digits = (-step.log10().floor()).max(0.0) as usize;
    format!("{value:.digits$}")
}

/// A tick of a logarithmic axis.
fn power(exponent: f64) -> String {
    match exponent {
        -3.0..=4.0 => format!("{}", 10f64.powf(exponent)),
        _ => format!("1e{exponent:.0}"),
    }
}

/// How the points of a series are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Joined by a line.
    Line,
    /// Filled circles.
    Dots,
    /// Open circles.
    Rings,
}

/// Points that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name in the legend; empty for none.
    pub name: String,
    /// Number of its colour, 0..9.
    pub colour: usize,
    /// How it is drawn.
    pub style: Style,
    /// x, y and the error of x.
    pub points: Vec<(f64, f64, f64)>,
}

/// A plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// What it is, for those who cannot see it.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn.
    pub series: Vec<Series>,
    /// A value of x that is marked, and why.
    pub mark: Option<(f64, String)>,
}

impl Plot {
    /// The series that stand in the legend.
    fn named(&self) -> impl Iterator<Item = &Series> {
        self.series.iter().filter(|series| !series.name.is_empty())
    }

    /// The drawing as an SVG element.
    pub fn svg(&self) -> String {
        let frame = Frame::of(self);
        let mut svg = String::new();
        let (width, height) = (WIDTH, frame.height);
        let title = escaped(&self.title);
        line(&mut svg, format_args!("<svg viewBox=\"0 0 {width} {height:.0}\" role=\"img\" aria-label=\"{title}\">"));
        frame.axes(&mut svg, self);
        if let Some((value, why)) = &self.mark {
            let x = frame.x(self, *value);
            line(&mut svg, format_args!("<path class=\"mark\" d=\"M{x:.1} {:.1}V{:.1}\"/>", frame.top, frame.bottom));
            // The text stands on the side that has room for it.
            let (x, anchor) = if x > 0.45 * WIDTH { (x - 5.0, "end") } else { (x + 5.0, "start") };
            let (y, why) = (frame.top + 12.0, escaped(why));
            line(
                &mut svg,
                format_args!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" class=\"soft\">{why}</text>"),
            );
        }
        self.series.iter().for_each(|series| frame.series(&mut svg, self, series));
        frame.legend(&mut svg, self);
        svg.push_str("</svg>\n");
        svg
    }
}

fn line(svg: &mut String, text: std::fmt::Arguments<'_>) {
    let written = svg.write_fmt(text);
    debug_assert!(written.is_ok(), "writing to a string does not fail");
    svg.push('\n');
}

/// Where the axes are.
struct Frame {
    left: f64,
    top: f64,
    bottom: f64,
    height: f64,
    /// Entries in a line of the legend.
    per_line: usize,
}

/// Width of a text of 12 pixels, about.
fn text_width(text: &str) -> f64 {
    6.4 * text.chars().count() as f64
}

impl Frame {
    fn of(plot: &Plot) -> Frame {
        let widest = plot.y.ticks().iter().map(|(_, name)| text_width(name)).fold(0.0, f64::max);
        let label = if plot.y.label.is_empty() { 0.0 } else { 20.0 };
        let entry = plot.named().map(|series| text_width(&series.name)).fold(0.0, f64::max) + 34.0;
        let per_line = ((WIDTH - 40.0) / entry).floor().max(1.0) as usize;
        let legend = 18.0 * plot.named().count().div_ceil(per_line) as f64;
        let inside = match &plot.y.scale {
            Scale::Names(names) => 26.0 * names.len() as f64 + 10.0,
            _ => 300.0,
        };
        let top = TOP + legend;
        Frame { left: widest + label + 14.0, top, bottom: top + inside, height: top + inside + BOTTOM, per_line }
    }

    fn x(&self, plot: &Plot, value: f64) -> f64 {
        self.left + plot.x.place(value).clamp(-0.01, 1.01) * (WIDTH - RIGHT - self.left)
    }

    fn y(&self, plot: &Plot, value: f64) -> f64 {
        self.bottom - plot.y.place(value).clamp(-0.01, 1.01) * (self.bottom - self.top)
    }

    fn axes(&self, svg: &mut String, plot: &Plot) {
        for (value, name) in plot.x.ticks() {
            let x = self.x(plot, value);
            line(svg, format_args!("<path class=\"rule\" d=\"M{x:.1} {:.1}V{:.1}\"/>", self.top, self.bottom));
            line(
                svg,
                format_args!(
                    "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" class=\"soft\">{}</text>",
                    self.bottom + 16.0,
                    escaped(&name)
                ),
            );
        }
        for (value, name) in plot.y.ticks() {
            let y = self.y(plot, value);
            line(svg, format_args!("<path class=\"rule\" d=\"M{:.1} {y:.1}H{:.1}\"/>", self.left, WIDTH - RIGHT));
            line(
                svg,
                format_args!(
                    "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                    self.left - 8.0,
                    y + 4.0,
                    escaped(&name)
                ),
            );
        }
        let middle = f64::midpoint(self.left, WIDTH - RIGHT);
        line(
            svg,
            format_args!(
                "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                self.bottom + 36.0,
                escaped(&plot.x.label)
            ),
        );
        if !plot.y.label.is_empty() {
            let middle = f64::midpoint(self.top, self.bottom);
            line(
                svg,
                format_args!(
                    "<text x=\"12\" y=\"{middle:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 12 {middle:.1})\">{}</text>",
                    escaped(&plot.y.label)
                ),
            );
        }
    }

    fn series(&self, svg: &mut String, plot: &Plot, series: &Series) {
        let colour = format!("var(--c{})", series.colour % 9);
        let at = |&(x, y, _): &(f64, f64, f64)| (self.x(plot, x), self.y(plot, y));
        if series.style == Style::Line {
            let path: Vec<String> = series.points.iter().map(at).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
            line(
                svg,
                format_args!(
                    "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
                    path.join(" ")
                ),
            );
            return;
        }
        for point in &series.points {
            let (x, y) = at(point);
            let (low, high) = (self.x(plot, point.0 - 2.0 * point.2), self.x(plot, point.0 + 2.0 * point.2));
            if high - low > 1.0 {
                line(
                    svg,
                    format_args!("<path d=\"M{low:.1} {y:.1}H{high:.1}\" stroke=\"{colour}\" stroke-width=\"2\"/>"),
                );
            }
            dot(svg, x, y, &colour, series.style);
        }
    }

    fn legend(&self, svg: &mut String, plot: &Plot) {
        let step = (WIDTH - 40.0) / self.per_line as f64;
        for (at, series) in plot.named().enumerate() {
            let x = 20.0 + step * (at % self.per_line) as f64;
            let y = TOP + 18.0 * (at / self.per_line) as f64;
            let colour = format!("var(--c{})", series.colour % 9);
            match series.style {
                Style::Line => line(
                    svg,
                    format_args!("<path d=\"M{:.1} {y:.1}h16\" stroke=\"{colour}\" stroke-width=\"3\"/>", x - 8.0),
                ),
                style => dot(svg, x, y, &colour, style),
            }
            line(
                svg,
                format_args!("<text x=\"{:.1}\" y=\"{:.1}\">{}</text>", x + 13.0, y + 4.0, escaped(&series.name)),
            );
        }
    }
}

fn dot(svg: &mut String, x: f64, y: f64, colour: &str, style: Style) {
    let fill = if style == Style::Rings { "none" } else { colour };
    line(
        svg,
        format_args!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"1.5\"/>"
        ),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers() {
        let names = |axis: Axis| axis.ticks().into_iter().map(|(_, name)| name).collect::<Vec<_>>().join(" ");
        assert_eq!(names(Axis::linear("", 0.0, 1.0)), "0.0 0.2 0.4 0.6 0.8 1.0");
        assert_eq!(names(Axis::linear("", 10.4, 11.8)), "10.5 11.0 11.5");
        assert_eq!(names(Axis::log("", 0.5, 900.0)), "0.1 1 10 100 1000");
        assert_eq!(names(Axis::names(vec!["a".to_owned(), "b".to_owned()])), "a b");
    }

    #[test]
    fn everything_is_drawn_inside_of_the_frame() {
        let points = vec![(1.0, 0.0, 0.1), (1e9, 1.0, 0.0)];
        let series = Series { name: "<x>".to_owned(), colour: 3, style: Style::Dots, points };
        let plot = Plot {
            title: "t".to_owned(),
            x: Axis::log("draws", 1.0, 100.0),
            y: Axis::names(vec!["one".to_owned(), "two".to_owned()]),
            series: vec![series.clone(), Series { style: Style::Line, ..series }],
            mark: Some((10.0, "here".to_owned())),
        };
        let svg = plot.svg();
        assert_eq!(svg.matches("<circle").count(), 3);
        assert_eq!(svg.matches("<polyline").count(), 1);
        assert!(svg.contains("&lt;x&gt;") && svg.contains("class=\"mark\"") && !svg.contains("NaN"));
    }
}
