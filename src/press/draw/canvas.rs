//! Defines what is drawn on a page: text, lines, frames, filled areas and circles.
//!
//! Units are points (1/72 inch) from the upper left corner of the trimmed page, y downwards. Items are black unless
//! they have another ink. A page is plain data, so that tests can check the position of every item. `pdf` writes the
//! pages of books; `picture` writes SVG, PNG and PDF.

use crate::draw::measures::{Area, Size};
use crate::draw::outline::{Ink, Picture, Point};
use crate::draw::text::compose::{Composer, Fitted, Setting, SizeRange};
use crate::draw::text::typeface::{Glyph, Typeface, Weight};

/// The gray of the stars and bars that are not filled.
pub(crate) const FAINT: Ink = Ink::Gray(0.75);
/// Thickness of thin lines: the least that Kindle Direct Publishing accepts, as others report its rules.
pub(crate) const THIN_LINE: f64 = 0.75;

/// A thing on a page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Item {
    /// Glyphs of one weight and size.
    Text {
        weight: Weight,
        size: f64,
        /// In reading order.
        glyphs: Vec<Glyph>,
        /// Upside down.
        is_turned: bool,
    },
    /// A straight line that ends exactly at its end points (butt caps).
    Line { from: (f64, f64), to: (f64, f64), width: f64 },
    /// The outline of a rectangle; the middle of the line runs along its edges.
    Frame { area: Area, width: f64 },
    /// A filled polygon, by its corners.
    Fill(Vec<(f64, f64)>),
    /// The outline of a circle.
    Circle {
        centre: (f64, f64),
        /// Radius to the middle of the line.
        radius: f64,
        width: f64,
    },
    /// A picture in colours of its own, around a point. Its longer side is `side`; a negative one turns it upside down.
    Picture { picture: &'static Picture, centre: Point, side: f64 },
    /// An item in another ink than black.
    Inked(Ink, Box<Item>),
}

/// The corner of a box at which a text begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Corner {
    TopLeft,
    BottomLeft,
    BottomRight,
}

/// An area that leads to a page, by position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Link {
    pub area: Area,
    pub page: usize,
}

pub(crate) struct Canvas<'a> {
    pub composer: Composer<'a>,
    pub typeface: &'a Typeface,
    /// Areas that lead to pages, in editions for screens.
    pub links: Vec<Link>,
    /// The first text that did not fit its box.
    pub misfit: Option<String>,
    items: Vec<Item>,
}

impl<'a> Canvas<'a> {
    pub(crate) fn new(composer: impl Into<Composer<'a>>) -> Canvas<'a> {
        let composer = composer.into();
        Canvas { composer, typeface: composer.typeface, links: Vec::new(), misfit: None, items: Vec::new() }
    }

    /// Adds an area that leads to a page, by position. Adds nothing without a page.
    pub(crate) fn link(&mut self, area: Area, page: Option<usize>) {
        self.links.extend(page.map(|page| Link { area, page }));
    }

    pub(crate) fn finish(self) -> Vec<Item> {
        self.items
    }

    pub(crate) fn push(&mut self, item: Item) {
        self.items.push(item);
    }

    /// Sets a line of text that begins at `x` on the baseline `y`.
    pub(crate) fn text(&mut self, weight: Weight, size: f64, x: f64, y: f64, text: &str) {
        if !text.is_empty() {
            let glyphs = self.typeface.place(weight, size, x, y, text);
            self.push(Item::Text { weight, size, glyphs, is_turned: false });
        }
    }

    /// Sets a text into a box. Returns its last baseline.
    pub(crate) fn set(&mut self, weight: Weight, sizes: SizeRange, area: Area, corner: Corner, text: &str) -> f64 {
        let room = Size { width: area.width, height: area.height };
        let Some(Fitted { setting, lines }) = self.composer.fit(weight, sizes, room, text) else {
            self.misfit.get_or_insert_with(|| text.to_owned());
            return area.bottom();
        };
        let above = (lines.len() as f64 - 1.0) * setting.leading;
        let first = if corner == Corner::TopLeft { area.y + setting.size } else { area.bottom() - above };
        for (number, line) in lines.iter().enumerate() {
            let base = first + number as f64 * setting.leading;
            match corner {
                Corner::BottomRight => self.text_left_of(weight, setting.size, area.right(), base, line),
                Corner::TopLeft | Corner::BottomLeft => self.text(weight, setting.size, area.x, base, line),
            }
        }
        first + above
    }

    /// Lines that begin at `x`, the first on the baseline `y`.
    pub(crate) fn lines(&mut self, setting: Setting, x: f64, y: f64, lines: &[String]) {
        for (number, line) in lines.iter().enumerate() {
            self.text(setting.weight, setting.size, x, y + number as f64 * setting.leading, line);
        }
    }

    /// Adds text that ends at `x`.
    pub(crate) fn text_left_of(&mut self, weight: Weight, size: f64, x: f64, y: f64, text: &str) {
        self.text(weight, size, x - self.typeface.width(weight, size, text), y, text);
    }

    /// Sets a line of text with its middle at `x`.
    pub(crate) fn text_around(&mut self, weight: Weight, size: f64, x: f64, y: f64, text: &str) {
        self.text(weight, size, x - self.typeface.width(weight, size, text) / 2.0, y, text);
    }

    pub(crate) fn inked(&mut self, ink: Ink, item: Item) {
        self.push(Item::Inked(ink, Box::new(item)));
    }

    pub(crate) fn rule(&mut self, x: f64, y: f64, length: f64, width: f64) {
        self.push(Item::Line { from: (x, y), to: (x + length, y), width });
    }
}

impl Item {
    pub(crate) fn moved(&self, right: f64, down: f64) -> Item {
        self.mapped(|(x, y)| (x + right, y + down), false)
    }

    /// This item, upside down: turned around a point.
    pub(crate) fn turned(&self, (centre_x, centre_y): (f64, f64)) -> Item {
        self.mapped(|(x, y)| (2.0 * centre_x - x, 2.0 * centre_y - y), true)
    }

    /// The item with all its points mapped. Text is turned if `turns`.
    fn mapped(&self, point: impl Fn((f64, f64)) -> (f64, f64) + Copy, turns: bool) -> Item {
        match self.clone() {
            Item::Text { weight, size, mut glyphs, is_turned } => {
                glyphs.iter_mut().for_each(|glyph| (glyph.x, glyph.y) = point((glyph.x, glyph.y)));
                Item::Text { weight, size, glyphs, is_turned: is_turned != turns }
            }
            Item::Line { from, to, width } => Item::Line { from: point(from), to: point(to), width },
            Item::Frame { area, width } => {
                let ((x, y), (other_x, other_y)) = (point((area.x, area.y)), point((area.right(), area.bottom())));
                Item::Frame { area: Area { x: x.min(other_x), y: y.min(other_y), ..area }, width }
            }
            Item::Fill(points) => Item::Fill(points.into_iter().map(point).collect()),
            Item::Circle { centre, radius, width } => Item::Circle { centre: point(centre), radius, width },
            Item::Picture { picture, centre, side } => {
                Item::Picture { picture, centre: point(centre), side: if turns { -side } else { side } }
            }
            Item::Inked(ink, item) => Item::Inked(ink, Box::new(item.mapped(point, turns))),
        }
    }

    pub(crate) fn block(area: Area) -> Item {
        Item::Fill(area.corners().to_vec())
    }

    /// A filled star with five points.
    pub(crate) fn star(x: f64, y: f64, radius: f64) -> Item {
        let corners = (0..10_usize).map(|corner| {
            let angle = std::f64::consts::PI * (corner as f64 / 5.0 - 0.5);
            let radius = if corner.is_multiple_of(2) { radius } else { radius * 0.42 };
            (x + radius * angle.cos(), y + radius * angle.sin())
        });
        Item::Fill(corners.collect())
    }

    /// The weight and the glyphs of a text.
    pub(crate) fn text(&self) -> Option<(Weight, &[Glyph])> {
        match self {
            Item::Text { weight, glyphs, .. } => Some((*weight, glyphs)),
            Item::Inked(_, item) => item.text(),
            _ => None,
        }
    }
}
