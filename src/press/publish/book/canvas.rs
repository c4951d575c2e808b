//! What is drawn on a page: text, lines, frames, filled areas and circles.
//!
//! Units are points (1/72 inch) from the upper left corner of the trimmed page, y downwards. Items are black unless they
//! have another ink. A page is plain data, so that tests can check the position of every item. `pdf` writes the pages of
//! books; `publish::picture` writes SVG, EPS, PNG and PDF.

use super::sheet::Area;
use super::typeface::{Glyph, Typeface, Weight};

/// The colour of an item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ink {
    /// From 0 (black) to 1 (white). Books use only this.
    Gray(f64),
    /// Red, green and blue, each from 0 to 1. For screens.
    Rgb(f64, f64, f64),
}

/// An item on a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// Glyphs of one weight and size.
    Text {
        /// The weight.
        weight: Weight,
        /// Type size.
        size: f64,
        /// The glyphs, in reading order.
        glyphs: Vec<Glyph>,
    },
    /// A straight line that ends exactly at its end points (butt caps).
    Line {
        /// From x, y.
        from: (f64, f64),
        /// To x, y.
        to: (f64, f64),
        /// Thickness.
        width: f64,
    },
    /// The outline of a rectangle; the middle of the line runs along its edges.
    Frame {
        /// The rectangle.
        area: Area,
        /// Thickness.
        width: f64,
    },
    /// A filled polygon.
    Fill(Vec<(f64, f64)>),
    /// The outline of a circle.
    Circle {
        /// Centre x, y.
        centre: (f64, f64),
        /// Radius to the middle of the line.
        radius: f64,
        /// Thickness.
        width: f64,
    },
    /// An item in another ink than black.
    Inked(Ink, Box<Item>),
    /// Items turned upside down around a point.
    Turned((f64, f64), Vec<Item>),
}

/// A page being drawn.
pub struct Canvas<'a> {
    /// The typeface to measure and place text with.
    pub typeface: &'a Typeface,
    items: Vec<Item>,
}

impl<'a> Canvas<'a> {
    /// An empty page.
    pub fn new(typeface: &'a Typeface) -> Canvas<'a> {
        Canvas { typeface, items: Vec::new() }
    }

    /// The items of the page.
    pub fn finish(self) -> Vec<Item> {
        self.items
    }

    /// Adds an item.
    pub fn push(&mut self, item: Item) {
        self.items.push(item);
    }

    /// Text that begins at `x`.
    pub fn text(&mut self, weight: Weight, size: f64, x: f64, y: f64, text: &str) {
        if !text.is_empty() {
            let glyphs = self.typeface.place(weight, size, x, y, text);
            self.push(Item::Text { weight, size, glyphs });
        }
    }

    /// Text that ends at `x`.
    pub fn text_left_of(&mut self, weight: Weight, size: f64, x: f64, y: f64, text: &str) {
        self.text(weight, size, x - self.typeface.width(weight, size, text), y, text);
    }

    /// Text centred at `x`.
    pub fn text_around(&mut self, weight: Weight, size: f64, x: f64, y: f64, text: &str) {
        self.text(weight, size, x - self.typeface.width(weight, size, text) / 2.0, y, text);
    }

    /// Adds an item in an ink.
    pub fn inked(&mut self, ink: Ink, item: Item) {
        self.push(Item::Inked(ink, Box::new(item)));
    }

    /// A horizontal line.
    pub fn rule(&mut self, x: f64, y: f64, length: f64, width: f64) {
        self.push(Item::Line { from: (x, y), to: (x + length, y), width });
    }
}

impl Item {
    /// The same item, moved.
    pub fn moved(&self, right: f64, down: f64) -> Item {
        let point = |(x, y): (f64, f64)| (x + right, y + down);
        let area = |area: Area| Area { x: area.x + right, y: area.y + down, ..area };
        match self.clone() {
            Item::Text { weight, size, mut glyphs } => {
                glyphs.iter_mut().for_each(|glyph| (glyph.x, glyph.y) = point((glyph.x, glyph.y)));
                Item::Text { weight, size, glyphs }
            }
            Item::Line { from, to, width } => Item::Line { from: point(from), to: point(to), width },
            Item::Frame { area: frame, width } => Item::Frame { area: area(frame), width },
            Item::Fill(points) => Item::Fill(points.into_iter().map(point).collect()),
            Item::Circle { centre, radius, width } => Item::Circle { centre: point(centre), radius, width },
            Item::Inked(ink, item) => Item::Inked(ink, Box::new(item.moved(right, down))),
            Item::Turned(centre, items) => {
                Item::Turned(point(centre), items.iter().map(|item| item.moved(right, down)).collect())
            }
        }
    }

    /// A filled rectangle.
    pub fn block(area: Area) -> Item {
        let Area { x, y, .. } = area;
        Item::Fill(vec![(x, y), (area.right(), y), (area.right(), area.bottom()), (x, area.bottom())])
    }

    /// A filled star with five points.
    pub fn star((x, y): (f64, f64), radius: f64) -> Item {
        let corner = |at: usize| {
            let angle = std::f64::consts::PI * (at as f64 / 5.0 - 0.5);
            let radius = if at.is_multiple_of(2) { radius } else { radius * 0.42 };
            (x + radius * angle.cos(), y + radius * angle.sin())
        };
        Item::Fill((0..10).map(corner).collect())
    }

    /// All text in the item.
    pub fn texts<'a>(&'a self, found: &mut Vec<(Weight, f64, &'a [Glyph])>) {
        match self {
            Item::Text { weight, size, glyphs } => found.push((*weight, *size, glyphs)),
            Item::Inked(_, item) => item.texts(found),
            Item::Turned(_, items) => items.iter().for_each(|item| item.texts(found)),
            _ => {}
        }
    }
}

#[cfg(test)]
impl Item {
    /// The smallest rectangle around the ink; for text from the baseline up to the height of capitals.
    pub fn bounds(&self, typeface: &Typeface) -> Area {
        let around = |left: f64, top: f64, right: f64, bottom: f64, margin: f64| Area {
            x: left - margin,
            y: top - margin,
            width: right - left + 2.0 * margin,
            height: bottom - top + 2.0 * margin,
        };
        match self {
            Item::Text { weight, size, glyphs } => {
                let end = |glyph: &Glyph| glyph.x + typeface.advance(*weight, *size, glyph.character);
                let height = typeface.cap_height(*weight) * size;
                around(
                    glyphs.iter().map(|glyph| glyph.x).fold(f64::INFINITY, f64::min),
                    glyphs.iter().map(|glyph| glyph.y - height).fold(f64::INFINITY, f64::min),
                    glyphs.iter().map(end).fold(f64::NEG_INFINITY, f64::max),
                    glyphs.iter().map(|glyph| glyph.y).fold(f64::NEG_INFINITY, f64::max),
                    0.0,
                )
            }
            Item::Line { from, to, width } => {
                let half = width / 2.0;
                let (across, down) = if from.1 == to.1 { (0.0, half) } else { (half, 0.0) };
                Area {
                    x: from.0.min(to.0) - across,
                    y: from.1.min(to.1) - down,
                    width: (to.0 - from.0).abs() + 2.0 * across,
                    height: (to.1 - from.1).abs() + 2.0 * down,
                }
            }
            Item::Frame { area, width } => around(area.x, area.y, area.right(), area.bottom(), width / 2.0),
            Item::Fill(points) => {
                let least = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).fold(f64::INFINITY, f64::min);
                let most = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
                around(least(|p| p.0), least(|p| p.1), most(|p| p.0), most(|p| p.1), 0.0)
            }
            Item::Inked(_, item) => item.bounds(typeface),
            Item::Turned((x, y), items) => {
                let bounds: Vec<Area> = items.iter().map(|item| item.bounds(typeface)).collect();
                let left = bounds.iter().map(|area| area.x).fold(f64::INFINITY, f64::min);
                let top = bounds.iter().map(|area| area.y).fold(f64::INFINITY, f64::min);
                let right = bounds.iter().map(Area::right).fold(f64::NEG_INFINITY, f64::max);
                let bottom = bounds.iter().map(Area::bottom).fold(f64::NEG_INFINITY, f64::max);
                around(2.0 * x - right, 2.0 * y - bottom, 2.0 * x - left, 2.0 * y - top, 0.0)
            }
            Item::Circle { centre, radius, width } => {
                around(centre.0, centre.1, centre.0, centre.1, radius + width / 2.0)
            }
        }
    }
}
