//! Makes the layers of the usual kinds of plots.
//!
//! ```text
//!   columns   counts of integers              heat    shares in a grid of cells, numbers in them
//!   bars      one line per name               boxes   quartiles, median, whiskers from 5 % to 95 %
//! ```

use super::colour::Colour;
use super::plot::{Area, Layer, Marks, Side, Word};

/// Half the width of a column, as a part of its place. The gaps between horizontal bars are twice as wide.
const FILL: f64 = 0.42;
/// In a cell of a heat map whose strength is above this, the text has the colour of the page.
const STRONG: f64 = 0.85;

/// Vertical columns: x, height and tooltip of each.
pub fn columns(colour: Colour, values: &[(f64, f64, String)]) -> Layer {
    let area = |&(x, height, ref tooltip): &(f64, f64, String)| Area {
        x: (x - FILL, x + FILL),
        y: (0.0, height),
        strength: 1.0,
        tooltip: tooltip.clone(),
    };
    Layer::new("", colour, Marks::Areas(values.iter().map(area).collect()))
}

/// Words above the columns of [`columns`].
pub fn above(words: impl IntoIterator<Item = (f64, f64, String)>) -> Layer {
    let word = |(x, height, text)| Word { at: (x, height), text, side: Side::Above };
    Layer::new("", Colour::Series(8), Marks::Words(words.into_iter().map(word).collect()))
}

/// A horizontal bar on line `at`, from 0 to a length.
pub fn bar(at: usize, length: f64, tooltip: String) -> Area {
    let y = at as f64;
    Area { x: (0.0, length), y: (y - 0.5 + (0.5 - FILL) * 2.0, y + 0.5 - (0.5 - FILL) * 2.0), strength: 1.0, tooltip }
}

/// Words to the right of places on lines: x, line, text.
pub fn beside(words: impl IntoIterator<Item = (f64, usize, String)>) -> Layer {
    let word = |(x, at, text)| Word { at: (x, at as f64), text, side: Side::Right };
    Layer::new("", Colour::Series(8), Marks::Words(words.into_iter().map(word).collect()))
}

/// A cell of a heat map.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Cell {
    /// Number of its column.
    pub x: usize,
    /// Number of its row, from the top.
    pub y: usize,
    /// Strength of its colour, 0..=1.
    pub strength: f64,
    pub text: String,
    pub tooltip: String,
}

/// The cells of a heat map and the texts in them. Both axes have names.
pub fn heat(colour: Colour, cells: &[Cell]) -> [Layer; 2] {
    let area = |cell: &Cell| {
        let (x, y) = (cell.x as f64, cell.y as f64);
        let (x, y) = ((x - 0.48, x + 0.48), (y - 0.48, y + 0.48));
        Area { x, y, strength: 0.04 + 0.96 * cell.strength, tooltip: cell.tooltip.clone() }
    };
    let word = |cell: &Cell| {
        let side = if cell.strength > STRONG { Side::Over } else { Side::Middle };
        Word { at: (cell.x as f64, cell.y as f64), text: cell.text.clone(), side }
    };
    [
        Layer::new("", colour, Marks::Areas(cells.iter().map(area).collect())),
        Layer::new("", Colour::Series(8), Marks::Words(cells.iter().map(word).collect())),
    ]
}

/// A box: its position, the quantiles 5 %, 25 %, 50 %, 75 %, 95 %, the strength of its colour, and its tooltip.
#[derive(Clone, Debug, PartialEq)]
pub struct Quartiles {
    /// Place on the axis of x.
    pub x: f64,
    /// The five quantiles, ascending.
    pub at: [f64; 5],
    /// 1 for many values, less for few.
    pub strength: f64,
    /// Its tooltip.
    pub tooltip: String,
}

/// Vertical boxes between the quartiles, whiskers, and strokes at the medians.
pub fn boxes(colour: Colour, values: &[Quartiles]) -> [Layer; 3] {
    const HALF: f64 = 0.28;
    let whisker = |value: &Quartiles| {
        let [low, first, _, third, high] = value.at;
        [[(value.x, low), (value.x, first)], [(value.x, third), (value.x, high)]]
    };
    let area = |value: &Quartiles| Area {
        x: (value.x - HALF, value.x + HALF),
        y: (value.at[1], value.at[3]),
        strength: value.strength,
        tooltip: value.tooltip.clone(),
    };
    let median = |value: &Quartiles| [(value.x - HALF, value.at[2]), (value.x + HALF, value.at[2])];
    [
        Layer::new("", colour, Marks::Strokes(values.iter().flat_map(whisker).collect())),
        Layer::new("", colour, Marks::Areas(values.iter().map(area).collect())),
        Layer::new("", Colour::Series(8), Marks::Strokes(values.iter().map(median).collect())),
    ]
}
