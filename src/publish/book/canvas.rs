//! What is drawn on a page: text, lines, frames, filled blocks and circles, black on nothing.
//!
//! Points of 1/72 inch from the upper left corner of the trimmed page, y downwards. A page is plain data, so that a test
//! can ask where everything stands; `pdf` writes it down.

use super::sheet::Area;
use super::typeface::{Glyph, Typeface, Weight};

/// A thing on a page.
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
    /// A straight line with square ends at its end points.
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
    /// A filled rectangle.
    Block(Area),
    /// The outline of a circle.
    Circle {
        /// Centre x, y.
        centre: (f64, f64),
        /// Radius to the middle of the line.
        radius: f64,
        /// Thickness.
        width: f64,
    },
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

    /// The page, done.
    pub fn finish(self) -> Vec<Item> {
        self.items
    }

    /// Adds a thing.
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

    /// A line across.
    pub fn rule(&mut self, x: f64, y: f64, length: f64, width: f64) {
        self.push(Item::Line { from: (x, y), to: (x + length, y), width });
    }
}

impl Item {
    /// The same thing, moved.
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
            Item::Block(block) => Item::Block(area(block)),
            Item::Circle { centre, radius, width } => Item::Circle { centre: point(centre), radius, width },
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
            Item::Block(area) => *area,
            Item::Circle { centre, radius, width } => {
                around(centre.0, centre.1, centre.0, centre.1, radius + width / 2.0)
            }
        }
    }
}
