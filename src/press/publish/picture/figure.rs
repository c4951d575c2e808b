//! Plots of pages as drawings, for PDF: what `page` writes as SVG, read back line by line.

use quick_xml::escape::unescape;

use crate::publish::draw::canvas::{Canvas, Ink, Item};
use crate::publish::draw::typeface::{Typeface, Weight};
use crate::publish::picture::drawing::Drawing;

/// The value of an attribute.
fn attribute<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(&format!(" {name}=\""))?;
    rest.split('"').next()
}

fn number(line: &str, name: &str) -> f64 {
    attribute(line, name).and_then(|text| text.parse().ok()).unwrap_or(0.0)
}

/// `#rrggbb` as ink.
fn ink(colour: &str) -> Option<Ink> {
    let hex = colour.strip_prefix('#').filter(|hex| hex.len() == 6)?;
    let part = |at: usize| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok().map(|byte| f64::from(byte) / 255.0);
    Some(Ink::Rgb(part(0)?, part(2)?, part(4)?))
}

/// The ink of a line or a text: its own stroke, or that of its class.
fn ink_of(line: &str, name: &str) -> Ink {
    let class = attribute(line, "class").unwrap_or("");
    let gray = |class: &str| match class {
        "rule" => 0.88,
        "base" | "soft" => 0.38,
        _ => 0.1,
    };
    attribute(line, name).and_then(ink).unwrap_or(Ink::Gray(gray(class)))
}

/// The two ends of a path of one stroke: `M1 2H3`, `M1 2V3`, `M1 2L3 4`.
fn ends(path: &str) -> Option<[(f64, f64); 2]> {
    let (from, rest) = path.strip_prefix('M')?.split_at(path.find(|c: char| c.is_alphabetic() && c != 'M')? - 1);
    let pair = |text: &str| text.split_once(' ').and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)));
    let from: (f64, f64) = pair(from)?;
    let (way, rest) = rest.split_at(1);
    let to = match way {
        "H" => (rest.parse().ok()?, from.1),
        "h" => (from.0 + rest.parse::<f64>().ok()?, from.1),
        "V" => (from.0, rest.parse().ok()?),
        _ => pair(rest)?,
    };
    Some([from, to])
}

/// A plot as a drawing. `svg` is the file that a figure of a page writes.
pub fn figure(typeface: &Typeface, svg: &str) -> Drawing {
    let first = svg.lines().next().unwrap_or("");
    let mut canvas = Canvas::new(typeface);
    for line in svg.lines() {
        let (x, y) = (number(line, "x"), number(line, "y"));
        if line.starts_with("<text") {
            let small = attribute(line, "class").is_some_and(|class| class.contains("small"));
            let size = if small { 12.0 } else { 13.0 };
            let text = line.split_once('>').map_or("", |(_, rest)| rest.trim_end_matches("</text>"));
            let text = unescape(text).unwrap_or_default();
            let x = match attribute(line, "text-anchor") {
                Some("end") => x - typeface.width(Weight::Regular, size, &text),
                Some("middle") => x - typeface.width(Weight::Regular, size, &text) / 2.0,
                _ => x,
            };
            let glyphs = typeface.place(Weight::Regular, size, x, y, &text);
            canvas.inked(ink_of(line, "fill"), Item::Text { weight: Weight::Regular, size, glyphs, is_turned: false });
        } else if line.starts_with("<rect") && !line.contains("100%") {
            let (right, bottom) = (x + number(line, "width"), y + number(line, "height"));
            let corners = vec![(x, y), (right, y), (right, bottom), (x, bottom)];
            canvas.inked(ink_of(line, "fill"), Item::Fill(corners));
        } else if let Some([from, to]) = attribute(line, "d").and_then(ends) {
            let width = attribute(line, "stroke-width").and_then(|text| text.parse().ok()).unwrap_or(1.0);
            canvas.inked(ink_of(line, "stroke"), Item::Line { from, to, width });
        } else if let Some(points) = attribute(line, "points") {
            let points: Vec<(f64, f64)> = points
                .split(' ')
                .filter_map(|point| point.split_once(','))
                .filter_map(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)))
                .collect();
            for pair in points.windows(2) {
                canvas.inked(ink_of(line, "stroke"), Item::Line { from: pair[0], to: pair[1], width: 2.0 });
            }
        } else if line.starts_with("<circle") {
            let (centre, radius) = ((number(line, "cx"), number(line, "cy")), number(line, "r"));
            // 32 corners: each is the one before, turned by 11.25 degrees.
            let turned = |&(x, y): &(f64, f64)| {
                let (cos, sin) = (0.980_785_280_403_230_4, 0.195_090_322_016_128_27);
                Some((x * cos - y * sin, x * sin + y * cos))
            };
            let corners = std::iter::successors(Some((radius, 0.0)), turned).take(32);
            let corners = corners.map(|(x, y)| (centre.0 + x, centre.1 + y)).collect();
            canvas.inked(ink_of(line, "fill"), Item::Fill(corners));
            canvas.inked(ink_of(line, "stroke"), Item::Circle { centre, radius, width: 1.5 });
        }
    }
    let (width, height) = (number(first, "width"), number(first, "height"));
    Drawing { width, height, background: true, items: canvas.finish() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strokes_of_every_form_are_read() {
        assert_eq!(ends("M1.5 2H3"), Some([(1.5, 2.0), (3.0, 2.0)]));
        assert_eq!(ends("M1 2h15"), Some([(1.0, 2.0), (16.0, 2.0)]));
        assert_eq!(ends("M1 2V-3"), Some([(1.0, 2.0), (1.0, -3.0)]));
        assert_eq!(ends("M1 2L3 4"), Some([(1.0, 2.0), (3.0, 4.0)]));
        assert_eq!(ends("1 2"), None);
    }

    #[test]
    fn everything_in_a_plot_is_drawn() {
        let svg = "<svg xmlns=\"\" width=\"760\" height=\"300\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
                   <text x=\"9\" y=\"8\" class=\"soft\">a &amp; b</text>\n<path class=\"rule\" d=\"M1 2H3\"/>\n\
                   <circle cx=\"5\" cy=\"6\" r=\"4.5\" fill=\"#0072b2\" stroke=\"#0072b2\"/>\n\
                   <polyline points=\"1,2 3,4 5,6\" fill=\"none\" stroke=\"#0072b2\"/>\n\
                   <rect x=\"1\" y=\"2\" width=\"3\" height=\"4\" fill=\"#d55e00\"><title>x</title></rect>\n</svg>\n";
        let drawing = figure(&Typeface::open().unwrap(), svg);
        assert_eq!((drawing.width, drawing.height, drawing.items.len()), (760.0, 300.0, 7));
        assert!(crate::publish::picture::pdf(&Typeface::open().unwrap(), &[drawing]).starts_with(b"%PDF"));
    }
}
