//! Lays out and draws a plot.
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

use super::axis::{Scale, Tick};
use super::{Area, Layer, Marks, Plot, Side, Word};
use crate::page::colour::{Colour, Paint};
use crate::page::shapes::{Anchor, Face, Item, List, Pen, Point};

/// Width of a plot, in units of its view box. All lengths in this file have this unit.
pub(super) const WIDTH: f64 = 760.0;
/// Its width on a phone, where a unit has about the size of a pixel.
pub(super) const NARROW: f64 = 380.0;
const TITLE: f64 = 26.0;
/// The room above the first line of a plot.
const TOP: f64 = 8.0;
/// The room to the right of the axes.
const RIGHT: f64 = 28.0;
/// The height of a line of the legend.
const LINE: f64 = 20.0;

/// The places of the parts of a plot, in units of the drawing from its upper left corner.
pub(super) struct Frame {
    width: f64,
    /// True with words to the right of bars and dots.
    has_words: bool,
    /// The edges of the area between the axes.
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    pub height: f64,
    /// The positions of the entries of the legend.
    entries: Vec<Point>,
}

/// An upper estimate of the width of a text in a font of 13 pixels. The reader's system chooses the font.
fn text_width(text: &str) -> f64 {
    7.6 * text.chars().count() as f64
}

impl Frame {
    /// The layout of a plot of a width, below its title if that is drawn.
    pub(super) fn of(plot: &Plot, width: f64, titled: bool) -> Frame {
        let begin = TOP + if titled { TITLE } else { 0.0 };
        let widest = plot.y.ticks(6).iter().map(|tick| text_width(&tick.label)).fold(0.0, f64::max);
        let entries = entries(plot, width, begin);
        let legend = entries.last().map_or(0.0, |last| last.1 - begin + 1.4 * LINE);
        let label = if plot.y.label.is_empty() { 6.0 } else { 30.0 };
        let inside = match &plot.y.scale {
            Scale::Names(names) if plot.has(|marks| matches!(marks, Marks::Words(words) if over(words))) => {
                30.0 * names.len() as f64
            }
            Scale::Names(names) => 24.0 * names.len() as f64 + 8.0,
            _ => 260.0,
        };
        let top = begin + legend + label;
        let bottom = top + inside;
        let below = if plot.x.label.is_empty() { 26.0 } else { 46.0 };
        // Words beside bars and dots are left out where they would leave the bars no room.
        let (left, right) = ((widest + 12.0).max(20.0), width - RIGHT);
        let words = beside(plot);
        let has_words = right - words - left >= 0.3 * width;
        let right = if has_words { right - words } else { right };
        Frame { width, has_words, left, right, top, bottom, height: bottom + below, entries }
    }

    /// The place of a value on the axis x.
    fn x(&self, plot: &Plot, value: f64) -> f64 {
        // A value outside of the axis is drawn just beyond its end.
        self.left + plot.x.place(value).clamp(-0.01, 1.01) * (self.right - self.left)
    }

    /// The place of a value on the axis y.
    fn y(&self, plot: &Plot, value: f64) -> f64 {
        let place = plot.y.place(value).clamp(-0.01, 1.01);
        // Names are read from the top.
        let place = if matches!(plot.y.scale, Scale::Names(_)) { 1.0 - place } else { place };
        self.bottom - place * (self.bottom - self.top)
    }

    pub(super) fn title(&self, list: &mut List, plot: &Plot) {
        list.text((0.0, TOP + 10.0), Anchor::Start, Face::Plain, &plot.title);
    }

    /// Rules, ticks and labels of both axes.
    pub(super) fn axes(&self, list: &mut List, plot: &Plot) {
        if !plot.y.label.is_empty() {
            list.text((0.0, self.top - 16.0), Anchor::Start, Face::Soft, &plot.y.label);
        }
        self.x_axis(list, plot);
        // A line for each name leads the eye to a dot. A bar does not need it, because it begins at the name.
        let rules = !plot.y.is_stepped() || plot.has(|marks| matches!(marks, Marks::Dots(_) | Marks::Rings(_)));
        for Tick { value, label } in plot.y.ticks(6) {
            let y = self.y(plot, value);
            if rules {
                list.stroke((self.left, y), (self.right, y), Pen::Rule);
            }
            list.text((self.left - 8.0, y + 4.5), Anchor::End, Face::Plain, &label);
        }
    }

    /// Draws the axis x: its rules, their values and its label.
    fn x_axis(&self, list: &mut List, plot: &Plot) {
        let ticks = plot.x.ticks(if self.width < WIDTH { 4 } else { 7 });
        let widest = ticks.iter().map(|tick| text_width(&tick.label)).fold(0.0, f64::max) + 8.0;
        let room = (self.right - self.left) / ticks.len().max(1) as f64;
        // If labels do not fit beside each other, only every second or third is written.
        let every = (widest / room.max(1.0)).ceil().max(1.0) as usize;
        for (number, Tick { value, label }) in ticks.iter().enumerate() {
            let x = self.x(plot, *value);
            if !plot.x.is_stepped() {
                list.stroke((x, self.top), (x, self.bottom), Pen::Rule);
            }
            if number.is_multiple_of(every) {
                list.text((x, self.bottom + 18.0), Anchor::Middle, Face::Plain, label);
            }
        }
        let middle = (f64::midpoint(self.left, self.right), self.bottom + 39.0);
        list.text(middle, Anchor::Middle, Face::Soft, &plot.x.label);
    }

    /// Draws the baseline of bars over their lower ends.
    pub(super) fn baseline(&self, list: &mut List, plot: &Plot) {
        let (left, right, top, bottom) = (self.left, self.right, self.top, self.bottom);
        if matches!(plot.x.scale, Scale::Whole(..) | Scale::Names(_)) {
            list.stroke((left, bottom), (right, bottom), Pen::Base);
        } else if plot.has(|marks| matches!(marks, Marks::Areas(_))) && plot.y.is_stepped() {
            list.stroke((left, top), (left, bottom), Pen::Base);
        }
    }

    /// Draws a dashed line at a value of x. Its text is on the side that has room.
    pub(super) fn mark(&self, list: &mut List, plot: &Plot, value: f64, why: &str) {
        let x = self.x(plot, value);
        list.stroke((x, self.top), (x, self.bottom), Pen::Mark);
        let (x, anchor) = if x > 0.6 * self.width { (x - 5.0, Anchor::End) } else { (x + 5.0, Anchor::Start) };
        list.text((x, self.top + 12.0), anchor, Face::Halo, why);
    }

    /// Draws the marks of a layer. Words are left out if they would cover each other.
    pub(super) fn layer(&self, list: &mut List, plot: &Plot, layer: &Layer) {
        let (colour, fill) = (layer.colour, Paint::Data(layer.colour));
        let place = |point: &(f64, f64)| (self.x(plot, point.0), self.y(plot, point.1));
        match &layer.marks {
            Marks::Line(points) => {
                list.0.push(Item::Line { points: points.iter().map(place).collect(), pen: Pen::Data(colour, 2.0) });
            }
            Marks::Dots(points) => points.iter().for_each(|&point| self.dot(list, plot, point, colour, fill)),
            Marks::Rings(points) => points.iter().for_each(|&point| self.dot(list, plot, point, colour, Paint::Page)),
            Marks::Areas(areas) => areas.iter().for_each(|area| list.0.push(self.area(plot, area, fill))),
            Marks::Strokes(strokes) => strokes.iter().for_each(|[from, to]| {
                list.stroke(place(from), place(to), Pen::Data(colour, 1.5));
            }),
            Marks::Words(words) if self.fit(plot, words) => words.iter().for_each(|word| self.word(list, plot, word)),
            Marks::Words(_) => {}
        }
    }

    /// Draws a dot, with a bar of two standard errors to each side where this is wide enough to be seen.
    fn dot(&self, list: &mut List, plot: &Plot, (x, y, error): (f64, f64, f64), colour: Colour, fill: Paint) {
        let (low, high) = (self.x(plot, x - 2.0 * error), self.x(plot, x + 2.0 * error));
        let (x, y) = (self.x(plot, x), self.y(plot, y));
        if high - low > 1.0 {
            list.stroke((low, y), (high, y), Pen::Data(colour, 2.0));
        }
        list.0.push(Item::Dot { at: (x, y), fill, edge: Paint::Data(colour) });
    }

    /// A bar or a bin.
    fn area(&self, plot: &Plot, area: &Area, fill: Paint) -> Item {
        let (left, right) = (self.x(plot, area.x.0), self.x(plot, area.x.1));
        // Which end of y is the upper one depends on the axis.
        let (start, end) = (self.y(plot, area.y.0), self.y(plot, area.y.1));
        let size = ((right - left).max(0.0), (end - start).abs());
        Item::Area { at: (left, start.min(end)), size, fill, strength: area.strength, tooltip: area.tooltip.clone() }
    }

    /// False if words in or above columns would cover each other.
    fn fit(&self, plot: &Plot, words: &[Word]) -> bool {
        let inside = || words.iter().filter(|word| word.side != Side::Right);
        let mut places: Vec<f64> = inside().map(|word| self.x(plot, word.at.0)).collect();
        places.sort_by(f64::total_cmp);
        let gaps = places.windows(2).map(|pair| pair[1] - pair[0]).filter(|gap| *gap > 0.1);
        let widest = inside().map(|word| 0.8 * text_width(&word.text)).fold(0.0, f64::max);
        let is_beside = words.iter().any(|word| word.side == Side::Right);
        (self.has_words || !is_beside) && widest <= gaps.fold(f64::INFINITY, f64::min)
    }

    fn word(&self, list: &mut List, plot: &Plot, word: &Word) {
        let (x, y) = (self.x(plot, word.at.0), self.y(plot, word.at.1));
        let (at, anchor, face) = match word.side {
            Side::Middle => ((x, y + 4.5), Anchor::Middle, Face::Small),
            Side::Over => ((x, y + 4.5), Anchor::Middle, Face::Over),
            Side::Right => ((x + 9.0, y + 4.5), Anchor::Start, Face::Halo),
            Side::Above => ((x, y - 5.0), Anchor::Middle, Face::Halo),
        };
        list.text(at, anchor, face, &word.text);
    }

    pub(super) fn legend(&self, list: &mut List, plot: &Plot) {
        for (layer, &(x, y)) in plot.named().zip(&self.entries) {
            let paint = Paint::Data(layer.colour);
            let (tooltip, strength) = (String::new(), 1.0);
            match layer.marks {
                Marks::Dots(_) => list.0.push(Item::Dot { at: (x + 7.0, y), fill: paint, edge: paint }),
                Marks::Rings(_) => list.0.push(Item::Dot { at: (x + 7.0, y), fill: Paint::Page, edge: paint }),
                Marks::Areas(_) => {
                    let (at, size) = ((x + 1.0, y - 6.0), (12.0, 12.0));
                    list.0.push(Item::Area { at, size, fill: paint, strength, tooltip });
                }
                _ => list.stroke((x, y), (x + 15.0, y), Pen::Data(layer.colour, 3.0)),
            }
            list.text((x + 20.0, y + 4.5), Anchor::Start, Face::Plain, &layer.name);
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
fn entries(plot: &Plot, room: f64, begin: f64) -> Vec<Point> {
    let (mut x, mut y) = (0.0, begin + 6.0);
    let mut places = Vec::new();
    for layer in plot.named() {
        let width = text_width(&layer.name) + 38.0;
        if x > 0.0 && x + width > room {
            (x, y) = (0.0, y + LINE);
        }
        places.push((x, y));
        x += width;
    }
    places
}
