//! Defines the size of a finished page, the paper, and how far paper extends beyond the trim.

use std::fmt;
use std::str::FromStr;

use crate::draw::measures::{INCH, MILLIMETRE, points};
use sudoku_corpus_core::board::Reason;
use sudoku_corpus_core::names;

/// How far the paper extends beyond the trim.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Bleed {
    /// Pages have their final size.
    #[default]
    None,
    /// This many points at top, bottom and outside, and none at the spine, as print on demand requires.
    Outer(f64),
    /// This many points on all four sides, as offset printers require.
    All(f64),
}

impl Bleed {
    /// 0.125 in on the three edges that are not bound.
    pub(crate) const USUAL: Bleed = Bleed::Outer(0.125 * INCH);

    /// Bleed at top, bottom and outside; bleed at the spine.
    pub const fn sides(self) -> (f64, f64) {
        match self {
            Bleed::None => (0.0, 0.0),
            Bleed::Outer(points) => (points, 0.0),
            Bleed::All(points) => (points, points),
        }
    }
}

impl FromStr for Bleed {
    type Err = String;

    /// `none`, `usual`, or a length on all four sides.
    fn from_str(text: &str) -> Result<Bleed, String> {
        match text {
            "none" => Ok(Bleed::None),
            "usual" => Ok(Bleed::USUAL),
            text => match points(text) {
                Some(points) if (0.0..=INCH).contains(&points) => Ok(Bleed::All(points)),
                _ => Err("write 3mm or 0.125in, at most 25.4mm".to_owned()),
            },
        }
    }
}

names! { "paper":
    /// The paper. It determines how many pages can be bound and how thick the book is.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Paper {
        /// White paper of 90 g/m².
        #[default]
        White = "white",
        /// Cream paper of 90 g/m².
        Cream = "cream",
    }
}

/// The size of a finished page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trim {
    /// The name on the command line: `6x9` in inches, or `A4`; empty for a size that has none.
    pub name: &'static str,
    /// Width in points.
    pub width: f64,
    /// Height in points.
    pub height: f64,
    /// People measure it in millimeters, not in inches.
    pub is_metric: bool,
}

/// Two thicknesses of lines in points, of boxes and of cells: `1.4,0.4`.
///
/// # Errors
/// A text of another form, or a thickness that nothing prints.
pub fn thicknesses(text: &str) -> Result<(f64, f64), String> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|width| (0.05..=20.0).contains(width));
    let pair = text.split_once(',').and_then(|(boxes, cells)| Some((number(boxes)?, number(cells)?)));
    pair.ok_or_else(|| "write two thicknesses in points, such as 1.4,0.4; each is from 0.05 to 20".to_owned())
}

const fn inches(name: &'static str, width: f64, height: f64) -> Trim {
    Trim { name, width: width * INCH, height: height * INCH, is_metric: false }
}

const fn millimetres(name: &'static str, width: f64, height: f64) -> Trim {
    Trim { name, width: width * MILLIMETRE, height: height * MILLIMETRE, is_metric: true }
}

impl Trim {
    /// A length in the unit of the trim: "0.505 in", "12.8 mm".
    pub fn length(&self, points: f64) -> String {
        if self.is_metric { format!("{:.1} mm", points / MILLIMETRE) } else { format!("{:.3} in", points / INCH) }
    }
}

/// Every trim size, the usual one first.
pub(crate) const TRIMS: [Trim; 8] = [
    inches("6x9", 6.0, 9.0),
    inches("8.5x11", 8.5, 11.0),
    inches("8x10", 8.0, 10.0),
    inches("7x10", 7.0, 10.0),
    inches("5x8", 5.0, 8.0),
    inches("5.5x8.5", 5.5, 8.5),
    millimetres("A4", 210.0, 297.0),
    millimetres("A5", 148.0, 210.0),
];

impl Default for Trim {
    fn default() -> Trim {
        TRIMS[0]
    }
}

impl fmt::Display for Trim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, name) = if self.is_metric { (MILLIMETRE, "mm") } else { (INCH, "in") };
        let size = |points: f64| (points / unit * 1000.0).round() / 1000.0;
        match self.name {
            "" => f.pad(&format!("{}x{}{name}", size(self.width), size(self.height))),
            known => f.pad(known),
        }
    }
}

impl FromStr for Trim {
    type Err = Reason;

    fn from_str(text: &str) -> Result<Trim, Reason> {
        Trim::parsed(text).ok_or_else(|| {
            let names = TRIMS.map(|trim| trim.name).join(", ");
            let meant =
                Trim::meant(text).map_or("; known".to_owned(), |meant| format!("; did you mean {meant}? Known"));
            let others = "and sizes from 3x4 to 12x17 inches such as 7.5x9.25 or 170x240mm";
            Reason(format!("unknown size '{text}'{meant}: {names}, {others}"))
        })
    }
}

impl Trim {
    /// What people write otherwise: a name of paper, centimeters, millimeters without their unit, another sign.
    fn meant(text: &str) -> Option<String> {
        let plain = text.trim().to_ascii_lowercase().replace("us-", "").replace("letter", "8.5x11");
        let plain = plain.replace(['*', ','], "x");
        let in_millimetres = plain.replace('x', "0x").replace("cm", "0mm");
        let tried = [format!("{plain}mm"), if plain.contains("cm") { in_millimetres } else { plain }];
        tried.into_iter().find(|text| Trim::parsed(text).is_some())
    }

    /// The size with a name, or with a width and a height.
    fn parsed(text: &str) -> Option<Trim> {
        let lower = text.trim().to_ascii_lowercase().replace('×', "x");
        let named = lower.strip_suffix("in").unwrap_or(&lower).trim();
        if let Some(trim) = TRIMS.into_iter().find(|trim| trim.name.eq_ignore_ascii_case(named)) {
            return Some(trim);
        }
        let (sizes, unit) = match lower.strip_suffix("mm") {
            Some(sizes) => (sizes, MILLIMETRE),
            None => (lower.as_str(), INCH),
        };
        let length = |text: &str| {
            let number = text.trim();
            number.strip_suffix("in").unwrap_or(number).trim().parse::<f64>().ok().map(|number| number * unit)
        };
        if let Some((width, height)) = sizes.split_once('x')
            && let (Some(width), Some(height)) = (length(width), length(height))
            && (3.0 * INCH..=12.0 * INCH).contains(&width)
            && (4.0 * INCH..=17.0 * INCH).contains(&height)
        {
            return Some(Trim { name: "", width, height, is_metric: unit == MILLIMETRE });
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trims_are_read_by_name() {
        for trim in TRIMS {
            assert_eq!(trim.name.parse(), Ok(trim));
            assert_eq!(trim.name.to_lowercase().parse(), Ok(trim));
        }
        assert_eq!(" 8.5X11in ".parse::<Trim>().unwrap().height, 792.0);
        let a4: Trim = "a4".parse().unwrap();
        assert!((a4.width - 595.276).abs() < 0.001 && (a4.height - 841.890).abs() < 0.001);
        for (text, shown) in [("170x240mm", "170x240mm"), ("7.5 x 9.25 in", "7.5x9.25in"), ("9x6", "9x6in")] {
            assert_eq!(text.parse::<Trim>().unwrap().to_string(), shown);
        }
        for text in ["", "letter", "6", "A3", "in", "1x2", "6x99", "nanxnan", "6xinf", "-6x9", "6x9inin"] {
            assert!(text.parse::<Trim>().unwrap_err().to_string().contains("8.5x11"), "{text}");
        }
    }
}
