//! Defines lengths and areas on paper, in points of 1/72 inch.

pub(crate) const INCH: f64 = 72.0;
pub(crate) const MILLIMETRE: f64 = INCH / 25.4;

/// The points of a length with its unit: `70mm`, `2.5in` or `200pt`. None for other texts.
pub fn points(text: &str) -> Option<f64> {
    let units = [("mm", MILLIMETRE), ("in", INCH), ("pt", 1.0)];
    let (number, unit) = units.iter().find_map(|(unit, points)| Some((text.strip_suffix(unit)?, points)))?;
    number.trim().parse::<f64>().ok().map(|number| number * unit)
}

/// A width and a height.
#[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize)]
pub(crate) struct Size {
    pub width: f64,
    pub height: f64,
}

/// A rectangle; `x` and `y` of its upper left corner, y downwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Area {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Area {
    pub(crate) fn right(&self) -> f64 {
        self.x + self.width
    }

    pub(crate) fn bottom(&self) -> f64 {
        self.y + self.height
    }

    /// Clockwise from the upper left corner.
    pub(crate) fn corners(&self) -> [(f64, f64); 4] {
        [(self.x, self.y), (self.right(), self.y), (self.right(), self.bottom()), (self.x, self.bottom())]
    }
}
