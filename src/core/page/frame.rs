//! The layout and the drawing of a plot.
//!
//! ```text
//!   legend                        entries one after the other, in as many lines as they need
//!   label of y
//!   name |                   |
//!   name |                   |    height: 24 or 30 per name, or 260
//!        +-------------------+
//!          tick    tick
//!              label of x
//! ```

use super::axis::Scale;
use super::plot::{Area, Layer, Marks, Plot, Side, Word};
use super::svg::{Svg, escaped};

/// Width of every plot, in units of its view box. All lengths in this file have this unit.
pub(super) const WIDTH: f64 = 760.0;
const TOP: f64 = 8.0;
const RIGHT: f64 = 28.0;
const LINE: f64 = 20.0;

pub(super) struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    pub height: f64,
    /// The positions of the entries of the legend.
    entries: Vec<(f64, f64)>,
}

/// An upper estimate of the width of a text in a font of 13 pixels. The exact width is not known, because the reader's
/// system chooses the font.
fn text_width(text: &str) -> f64 {
    7.6 * text.chars().count() as f64
}

impl Frame {
    pub fn of(plot: &Plot) -> Frame {
        let widest = plot.y.ticks(6).iter().map(|(_, name)| text_width(name)).fold(0.0, f64::max);
        let entries = entries(plot);
        let legend = entries.last().map_or(0.0, |last| last.1 - TOP + 1.4 * LINE);
        let label = if plot.y.label.is_empty() { 6.0 } else { 30.0 };
        let inside = match &plot.y.scale {
            Scale::Names(names) if plot.has(|marks| matches!(marks, Marks::Words(words) if over(words))) => {
                30.0 * names.len() as f64
            }
            Scale::Names(names) => 24.0 * names.len() as f64 + 8.0,
            _ => 260.0,
        };
        let top = TOP + legend + label;
        let bottom = top + inside;
        let below = if plot.x.label.is_empty() { 26.0 } else { 46.0 };
        let right = WIDTH - RIGHT - beside(plot);
        Frame { left: (widest + 12.0).max(20.0), right, top, bottom, height: bottom + below, entries }
    }

    fn x(&self, plot: &Plot, value: f64) -> f64 {
        self.left + plot.x.place(value).clamp(-0.01, 1.01) * (self.right - self.left)
    }

    fn y(&self, plot: &Plot, value: f64) -> f64 {
        let place = plot.y.place(value).clamp(-0.01, 1.01);
        // Names are read from the top.
        let place = if matches!(plot.y.scale, Scale::Names(_)) { 1.0 - place } else { place };
        self.bottom - place * (self.bottom - self.top)
    }

    /// Rules, ticks and labels of both axes.
    pub fn axes(&self, svg: &mut Svg, plot: &Plot) {
        if !plot.y.label.is_empty() {
            let y = self.top - 16.0;
            svg.line(format_args!("<text x=\"0\" y=\"{y:.1}\" class=\"soft\">{}</text>", escaped(&plot.y.label)));
        }
        self.x_axis(svg, plot);
        // A line for each name leads the eye to a dot. A bar does not need it, because it begins at the name.
        let rules = !plot.y.is_stepped() || plot.has(|marks| matches!(marks, Marks::Dots(_) | Marks::Rings(_)));
        for (value, name) in plot.y.ticks(6) {
            let y = self.y(plot, value);
            if rules {
                svg.line(format_args!("<path class=\"rule\" d=\"M{:.1} {y:.1}H{:.1}\"/>", self.left, self.right));
            }
            svg.line(format_args!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                self.left - 8.0,
                y + 4.5,
                escaped(&name)
            ));
        }
    }

    fn x_axis(&self, svg: &mut Svg, plot: &Plot) {
        let ticks = plot.x.ticks(7);
        let widest = ticks.iter().map(|(_, name)| text_width(name)).fold(0.0, f64::max) + 8.0;
        let room = (self.right - self.left) / ticks.len().max(1) as f64;
        // If names do not fit beside each other, only every second or third is written.
        let every = if matches!(plot.x.scale, Scale::Names(_)) { (widest / room).ceil().max(1.0) as usize } else { 1 };
        for (at, (value, name)) in ticks.iter().enumerate() {
            let x = self.x(plot, *value);
            if !plot.x.is_stepped() {
                svg.line(format_args!("<path class=\"rule\" d=\"M{x:.1} {:.1}V{:.1}\"/>", self.top, self.bottom));
            }
            if at.is_multiple_of(every) {
                let y = self.bottom + 18.0;
                svg.line(format_args!(
                    "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{}</text>",
                    escaped(name)
                ));
            }
        }
        let (middle, y) = (f64::midpoint(self.left, self.right), self.bottom + 39.0);
        svg.line(format_args!(
            "<text x=\"{middle:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" class=\"soft\">{}</text>",
            escaped(&plot.x.label)
        ));
    }

    /// The baseline of bars, drawn over their lower ends.
    pub fn baseline(&self, svg: &mut Svg, plot: &Plot) {
        let (left, right, top, bottom) = (self.left, self.right, self.top, self.bottom);
        if matches!(plot.x.scale, Scale::Whole(..) | Scale::Names(_)) {
            svg.line(format_args!("<path class=\"base\" d=\"M{left:.1} {bottom:.1}H{right:.1}\"/>"));
        } else if plot.has(|marks| matches!(marks, Marks::Areas(_))) && plot.y.is_stepped() {
            svg.line(format_args!("<path class=\"base\" d=\"M{left:.1} {top:.1}V{bottom:.1}\"/>"));
        }
    }

    /// A dashed line at a value of x. Its text is on the side that has room.
    pub fn mark(&self, svg: &mut Svg, plot: &Plot, value: f64, why: &str) {
        let x = self.x(plot, value);
        svg.line(format_args!("<path class=\"mark\" d=\"M{x:.1} {:.1}V{:.1}\"/>", self.top, self.bottom));
        let (x, anchor) = if x > 0.6 * WIDTH { (x - 5.0, "end") } else { (x + 5.0, "start") };
        let (y, why) = (self.top + 12.0, escaped(why));
        svg.line(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" class=\"small halo\">{why}</text>"
        ));
    }

    pub fn layer(&self, svg: &mut Svg, plot: &Plot, layer: &Layer) {
        let colour = layer.colour.css();
        match &layer.marks {
            Marks::Line(points) => {
                let place = |&(x, y): &(f64, f64)| format!("{:.1},{:.1}", self.x(plot, x), self.y(plot, y));
                let path = points.iter().map(place).collect::<Vec<_>>().join(" ");
                svg.line(format_args!(
                    "<polyline points=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" \
                     stroke-linejoin=\"round\"/>"
                ));
            }
            Marks::Dots(points) => points.iter().for_each(|&point| self.dot(svg, plot, point, &colour, &colour)),
            Marks::Rings(points) => points.iter().for_each(|&point| self.dot(svg, plot, point, &colour, "var(--page)")),
            Marks::Areas(areas) => areas.iter().for_each(|area| self.area(svg, plot, area, &colour)),
            Marks::Strokes(strokes) => strokes.iter().for_each(|&[from, to]| {
                let ([x, y], [u, v]) =
                    ([from, to].map(|point| self.x(plot, point.0)), [from, to].map(|p| self.y(plot, p.1)));
                svg.line(format_args!(
                    "<path d=\"M{x:.1} {u:.1}L{y:.1} {v:.1}\" stroke=\"{colour}\" stroke-width=\"1.5\"/>"
                ));
            }),
            Marks::Words(words) => words.iter().for_each(|word| self.word(svg, plot, word)),
        }
    }

    fn dot(&self, svg: &mut Svg, plot: &Plot, (x, y, error): (f64, f64, f64), colour: &str, fill: &str) {
        let (low, high) = (self.x(plot, x - 2.0 * error), self.x(plot, x + 2.0 * error));
        let (x, y) = (self.x(plot, x), self.y(plot, y));
        if high - low > 1.0 {
            svg.line(format_args!("<path d=\"M{low:.1} {y:.1}H{high:.1}\" stroke=\"{colour}\" stroke-width=\"2\"/>"));
        }
        svg.line(format_args!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"1.5\"/>"
        ));
    }

    fn area(&self, svg: &mut Svg, plot: &Plot, area: &Area, colour: &str) {
        let (x, right) = (self.x(plot, area.x.0), self.x(plot, area.x.1));
        let (v, w) = (self.y(plot, area.y.0), self.y(plot, area.y.1));
        let (width, y, height) = ((right - x).max(0.0), v.min(w), (w - v).abs());
        let strength =
            if area.strength < 1.0 { format!(" fill-opacity=\"{:.3}\"", area.strength) } else { String::new() };
        let open = format!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{colour}\"{strength}"
        );
        match area.tooltip.is_empty() {
            true => svg.line(format_args!("{open}/>")),
            false => svg.line(format_args!("{open}><title>{}</title></rect>", escaped(&area.tooltip))),
        }
    }

    fn word(&self, svg: &mut Svg, plot: &Plot, word: &Word) {
        let (x, y) = (self.x(plot, word.at.0), self.y(plot, word.at.1));
        let (x, y, how) = match word.side {
            Side::Middle => (x, y + 4.5, "text-anchor=\"middle\" class=\"small\""),
            Side::Over => (x, y + 4.5, "text-anchor=\"middle\" class=\"small over\""),
            Side::Right => (x + 9.0, y + 4.5, "class=\"small halo\""),
            Side::Above => (x, y - 5.0, "text-anchor=\"middle\" class=\"small halo\""),
        };
        svg.line(format_args!("<text x=\"{x:.1}\" y=\"{y:.1}\" {how}>{}</text>", escaped(&word.text)));
    }

    /// The names of the layers.
    pub fn legend(&self, svg: &mut Svg, plot: &Plot) {
        for (layer, &(x, y)) in plot.named().zip(&self.entries) {
            let colour = layer.colour.css();
            let (left, up) = (x + 1.0, y - 6.0);
            match layer.marks {
                Marks::Dots(_) | Marks::Rings(_) => {
                    let fill = if matches!(layer.marks, Marks::Rings(_)) { "var(--page)" } else { &colour };
                    let x = x + 7.0;
                    svg.line(format_args!(
                        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"{fill}\" stroke=\"{colour}\" \
                         stroke-width=\"1.5\"/>"
                    ));
                }
                Marks::Areas(_) => svg.line(format_args!(
                    "<rect x=\"{left:.1}\" y=\"{up:.1}\" width=\"12\" height=\"12\" fill=\"{colour}\"/>"
                )),
                _ => svg.line(format_args!("<path d=\"M{x:.1} {y:.1}h15\" stroke=\"{colour}\" stroke-width=\"3\"/>")),
            }
            svg.line(format_args!("<text x=\"{:.1}\" y=\"{:.1}\">{}</text>", x + 20.0, y + 4.5, escaped(&layer.name)));
        }
    }
}

/// Room for the words to the right of the longest bar or the last dot.
fn beside(plot: &Plot) -> f64 {
    let words =
        plot.layers.iter().filter_map(|layer| if let Marks::Words(words) = &layer.marks { Some(words) } else { None });
    let right = words.flatten().filter(|word| word.side == Side::Right);
    right.map(|word| 0.95 * text_width(&word.text) + 8.0).fold(0.0, f64::max)
}

/// True if the words are in the cells of a heat map.
fn over(words: &[Word]) -> bool {
    words.iter().any(|word| matches!(word.side, Side::Middle | Side::Over))
}

/// The positions of the entries of the legend.
fn entries(plot: &Plot) -> Vec<(f64, f64)> {
    let (mut x, mut y) = (0.0, TOP + 6.0);
    let mut places = Vec::new();
    for layer in plot.named() {
        let width = text_width(&layer.name) + 38.0;
        if x > 0.0 && x + width > WIDTH {
            (x, y) = (0.0, y + LINE);
        }
        places.push((x, y));
        x += width;
    }
    places
}
