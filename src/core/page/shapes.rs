//! The display list of a drawing: what is drawn, in order, in units of its view box, y downwards. `svg` writes it as
//! markup, and other crates draw it in other formats.

use super::colour::{Colour, Paint};

/// A drawing as data.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Drawing {
    pub width: f64,
    pub height: f64,
    /// Lowest first.
    pub items: Vec<Item>,
}

/// A thing that is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// Straight strokes, each from one point to another.
    Strokes {
        /// Their ends.
        ends: Vec<[Point; 2]>,
        /// How they are drawn.
        pen: Pen,
    },
    /// A line through points.
    Line {
        /// The points.
        points: Vec<Point>,
        /// How it is drawn.
        pen: Pen,
    },
    /// A filled rectangle.
    Area {
        /// Its upper left corner.
        at: Point,
        /// Its width and its height.
        size: Point,
        /// Its colour.
        fill: Paint,
        /// How much of the colour it has, 0..=1.
        strength: f64,
        /// The text that is shown when the reader points at it; may be empty.
        tooltip: String,
    },
    /// A circle.
    Dot {
        /// Its middle.
        at: Point,
        /// The colour inside.
        fill: Paint,
        /// The colour of its edge.
        edge: Paint,
    },
    /// A text on one line.
    Text {
        /// Where its baseline begins, has its middle, or ends.
        at: Point,
        /// Which of these.
        anchor: Anchor,
        /// How it is set.
        face: Face,
        /// The text.
        text: String,
    },
}

/// A place: across, and down.
pub type Point = (f64, f64);

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pen {
    /// A line that leads the eye.
    Rule,
    /// The line on which bars stand.
    Base,
    /// A dashed line at a value: [`Pen::DASHES`].
    Mark,
    /// A line around a box of a board.
    Box,
    /// A line of data of this thickness.
    Data(Colour, f64),
}

/// Where a text has its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// As names at an axis.
    Plain,
    /// As labels of axes.
    Soft,
    /// As numbers in cells.
    Small,
    /// As numbers in cells, on a strong area.
    Over,
    /// As numbers in cells, with a rim of the colour of the page.
    Halo,
    /// As symbols on a board.
    Symbol,
}

impl Item {
    /// The radius of a circle, and the thickness of its edge.
    pub const DOT: (f64, f64) = (4.5, 1.5);
}

impl Pen {
    /// The lengths of the dashes and of the gaps of [`Pen::Mark`].
    pub const DASHES: (f64, f64) = (4.0, 3.0);

    /// Its colour.
    pub fn paint(self) -> Paint {
        match self {
            Pen::Rule => Paint::Rule,
            Pen::Base => Paint::Soft,
            Pen::Mark | Pen::Box => Paint::Ink,
            Pen::Data(colour, _) => Paint::Data(colour),
        }
    }

    /// Its thickness.
    pub fn width(self) -> f64 {
        match self {
            Pen::Rule | Pen::Base | Pen::Mark => 1.0,
            Pen::Box => 2.5,
            Pen::Data(_, width) => width,
        }
    }
}

impl Face {
    /// The size of its type.
    pub fn size(self) -> f64 {
        match self {
            Face::Plain | Face::Soft => 13.0,
            Face::Small | Face::Over | Face::Halo => 12.0,
            Face::Symbol => 20.0,
        }
    }

    /// Its colour.
    pub fn paint(self) -> Paint {
        match self {
            Face::Soft => Paint::Soft,
            Face::Over => Paint::Page,
            Face::Plain | Face::Small | Face::Halo | Face::Symbol => Paint::Ink,
        }
    }
}

/// The list of a drawing while it grows.
#[derive(Default)]
pub(super) struct List(pub Vec<Item>);

impl List {
    pub(super) fn stroke(&mut self, from: Point, to: Point, pen: Pen) {
        self.0.push(Item::Strokes { ends: vec![[from, to]], pen });
    }

    pub(super) fn text(&mut self, at: Point, anchor: Anchor, face: Face, text: &str) {
        self.0.push(Item::Text { at, anchor, face, text: text.to_owned() });
    }
}
