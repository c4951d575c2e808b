//! Makes the layers of the usual kinds of plots.
//!
//! ```text
//!   bars      one line per name               heat    shares in a grid of cells, numbers in them
//!                                             boxes   quartiles, median, whiskers from 5 % to 95 %
//! ```

use super::{Area, Layer, Marks, Side, Word};
use crate::page::colour::Colour;

/// Half the width of a column, as a part of its place. The gaps between horizontal bars are twice as wide.
const FILL: f64 = 0.42;
/// In a cell of a heat map whose strength is above this, the text has the colour of the page.
const STRONG: f64 = 0.85;

/// Words above columns.
pub fn above(words: impl IntoIterator<Item = (f64, f64, String)>) -> Layer {
    let words = words.into_iter().map(|(x, height, text)| Word { at: (x, height), text, side: Side::Above });
    Layer::new("", Colour::Series(8), Marks::Words(words.collect()))
}

/// A horizontal bar on a line, from 0 to a length.
pub fn bar(line: usize, length: f64, tooltip: String) -> Area {
    let y = line as f64;
    Area { x: (0.0, length), y: (y - 0.5 + (0.5 - FILL) * 2.0, y + 0.5 - (0.5 - FILL) * 2.0), strength: 1.0, tooltip }
}

/// Words to the right of places on lines: x, line, text.
pub fn beside(words: impl IntoIterator<Item = (f64, usize, String)>) -> Layer {
    let words = words.into_iter().map(|(x, line, text)| Word { at: (x, line as f64), text, side: Side::Right });
    Layer::new("", Colour::Series(8), Marks::Words(words.collect()))
}

/// A cell of a heat map.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct HeatCell {
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
pub fn heat(colour: Colour, cells: &[HeatCell]) -> [Layer; 2] {
    let (mut areas, mut words) = (Vec::new(), Vec::new());
    for cell in cells {
        let (x, y) = (cell.x as f64, cell.y as f64);
        areas.push(Area {
            x: (x - 0.48, x + 0.48),
            y: (y - 0.48, y + 0.48),
            strength: 0.04 + 0.96 * cell.strength,
            tooltip: cell.tooltip.clone(),
        });
        let side = if cell.strength > STRONG { Side::Over } else { Side::Middle };
        words.push(Word { at: (x, y), text: cell.text.clone(), side });
    }
    [Layer::new("", colour, Marks::Areas(areas)), Layer::new("", Colour::Series(8), Marks::Words(words))]
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
    let (mut whiskers, mut areas, mut medians) = (Vec::new(), Vec::new(), Vec::new());
    for value in values {
        let (x, [low, first, median, third, high]) = (value.x, value.at);
        whiskers.extend([[(x, low), (x, first)], [(x, third), (x, high)]]);
        let tooltip = value.tooltip.clone();
        areas.push(Area { x: (x - HALF, x + HALF), y: (first, third), strength: value.strength, tooltip });
        medians.push([(x - HALF, median), (x + HALF, median)]);
    }
    [
        Layer::new("", colour, Marks::Strokes(whiskers)),
        Layer::new("", colour, Marks::Areas(areas)),
        Layer::new("", Colour::Series(8), Marks::Strokes(medians)),
    ]
}
