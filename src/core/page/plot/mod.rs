//! A plot: two axes, and layers of lines, dots with error bars, areas, strokes and words.
//!
//! ```text
//!   % of puzzles                   Line     joined points            Areas    bars, stacks, cells of a heat map,
//!   |   ##                         Dots     with errors of x                  boxes between quartiles
//!   | ######   o--|                Rings    open circles             Strokes  whiskers, medians
//!   +---------- givens             Words    numbers in cells and beside bars
//! ```
//!
//! [`kinds`] makes the usual plots of these, and `drawing` draws them.

mod axis;
pub(super) mod drawing;
mod frame;
pub mod kinds;

pub use axis::{Axis, nice_step};

use super::colour::Colour;
use super::table::Table;

/// What is drawn in one colour.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Layer {
    /// Name in the legend; empty for none.
    pub name: String,
    pub colour: Colour,
    pub marks: Marks,
}

/// Things to draw, in the coordinates of the axes.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Marks {
    Line(Vec<(f64, f64)>),
    /// Filled circles at x, y, with the standard error of x, or 0. A bar shows two standard errors on each side.
    Dots(Vec<(f64, f64, f64)>),
    /// Open circles, as above.
    Rings(Vec<(f64, f64, f64)>),
    Areas(Vec<Area>),
    /// Straight strokes from one point to another.
    Strokes(Vec<[(f64, f64); 2]>),
    Words(Vec<Word>),
}

/// A rectangle.
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    /// Its left and right end, in the coordinates of the axis.
    pub x: (f64, f64),
    /// Its two ends on the vertical axis.
    pub y: (f64, f64),
    /// How much of the colour it has, 0..=1.
    pub strength: f64,
    /// The text that is shown when the reader points at it.
    pub tooltip: String,
}

/// A text in a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Word {
    /// Its place, in the coordinates of the axes.
    pub at: (f64, f64),
    /// The text.
    pub text: String,
    /// On which side of the place it stands.
    pub side: Side,
}

/// Where a word stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// In the middle of its place, on a weak area.
    Middle,
    /// In the middle of its place, on a strong area.
    Over,
    /// To the right of its place.
    Right,
    /// Above its place.
    Above,
}

/// A plot.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Plot {
    /// A short name without blanks, unique on the page. It is also the name of the files of the plot.
    pub id: String,
    /// What it is, for readers who cannot see it.
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub layers: Vec<Layer>,
    /// Values of x that are marked, and why.
    pub marks: Vec<(f64, String)>,
}

impl Layer {
    /// A layer of some marks.
    pub fn new(name: &str, colour: Colour, marks: Marks) -> Layer {
        Layer { name: name.to_owned(), colour, marks }
    }

    /// Points of the layer, for tables: x, y and the error of x.
    fn points(&self) -> Vec<(f64, f64, f64)> {
        match &self.marks {
            Marks::Line(points) => points.iter().map(|&(x, y)| (x, y, 0.0)).collect(),
            Marks::Dots(points) | Marks::Rings(points) => points.clone(),
            Marks::Areas(_) | Marks::Strokes(_) | Marks::Words(_) => Vec::new(),
        }
    }
}

impl Plot {
    /// The layers of the legend.
    pub(super) fn named(&self) -> impl Iterator<Item = &Layer> {
        let layers = self.layers.iter().enumerate().filter(|(number, layer)| {
            !layer.name.is_empty() && self.layers[..*number].iter().all(|before| before.name != layer.name)
        });
        layers.map(|(_, layer)| layer)
    }

    /// True if marks of this kind are drawn.
    pub(super) fn has(&self, kind: fn(&Marks) -> bool) -> bool {
        self.layers.iter().any(|layer| kind(&layer.marks))
    }

    /// The points of lines, dots and rings as numbers, one point a row.
    pub fn table(&self) -> Table {
        let vertical = if self.y.label.is_empty() { "name" } else { &self.y.label };
        let mut table = Table::new(&["series", &self.x.label, vertical, "standard error"]);
        for layer in &self.layers {
            table.rows.extend(layer.points().into_iter().map(|(x, y, error)| {
                let error = if error > 0.0 { error.to_string() } else { String::new() };
                vec![layer.name.clone(), self.x.label_of(x), self.y.label_of(y), error]
            }));
        }
        table
    }
}
