//! Draws a template for the cover of a book: back, spine and front side by side, with what is cut off or folded.
//!
//! ```text
//!   +--------------------------------------------+   edge: bleed, or the part around the boards of a hardcover
//!   |  +------------------+--+----------------+  |
//!   |  |  back            |sp|  front         |  |   trim, folds of the spine, hinges of a hardcover
//!   |  |    +-----+       |in|                |  |   safe areas inside of it: text and logos stay there
//!   |  |    | bar |       |e |                |  |   barcode: stays free, the printer puts it there
//!   |  +------------------+--+----------------+  |
//!   +--------------------------------------------+
//! ```

use crate::publish::book::printer::{CoverRules, Printer};
use crate::publish::book::trim::{Paper, Trim};
use crate::publish::draw::canvas::{Canvas, Item};
use crate::publish::draw::compose::{Breaks, Setting};
use crate::publish::draw::measures::{Area, INCH};
use crate::publish::draw::outline::Ink;
use crate::publish::draw::typeface::{Typeface, Weight};
use crate::publish::picture::Drawing;

/// A template.
#[derive(Clone, Debug, PartialEq)]
pub struct Cover {
    /// The drawing, as large as the whole cover.
    pub drawing: Drawing,
    /// Width of the spine in points.
    pub spine: f64,
    /// The spine takes text.
    pub has_spine_text: bool,
    /// The measures in words.
    pub measures: Vec<String>,
}

// The colours of the drawing above.
/// The edge.
const EDGE: Ink = Ink::Rgb(0.97, 0.80, 0.78);
/// Areas that text stays out of.
const KEEP_OFF: Ink = Ink::Rgb(0.99, 0.93, 0.80);
/// All else.
const PAPER: Ink = Ink::Gray(1.0);
/// Folds of the spine.
const FOLD: Ink = Ink::Rgb(0.10, 0.30, 0.75);
/// Borders of safe areas.
const SAFE: Ink = Ink::Rgb(0.10, 0.55, 0.25);

/// The template for a number of pages of a size.
pub fn cover(typeface: &Typeface, printer: Printer, trim: Trim, pages: usize, paper: Paper) -> Cover {
    let rules = printer.rules();
    let CoverRules { edge, hinge, safe, spine_safe, barcode, barcode_margin, spine_text } = rules.cover;
    let [edge, hinge, safe, spine_safe, margin] =
        [edge, hinge, safe, spine_safe, barcode_margin].map(|inches| inches * INCH);
    let spine = rules.spine(pages, paper);
    let (width, height) = (2.0 * (edge + trim.width) + spine, 2.0 * edge + trim.height);
    let has_spine_text = pages >= spine_text && spine > 2.0 * spine_safe;
    let panel = |x: f64, width: f64| Area { x, y: edge, width, height: trim.height };
    let (back, front) = (panel(edge, trim.width), panel(edge + trim.width + spine, trim.width));
    let spine_area = panel(back.right(), spine);
    let mut canvas = Canvas::new(typeface);
    canvas.inked(EDGE, Item::block(Area { x: 0.0, y: 0.0, width, height }));
    canvas.inked(PAPER, Item::block(Area { width: 2.0 * trim.width + spine, ..back }));
    let hinges = [Area { x: back.right() - hinge, width: hinge, ..back }, Area { width: hinge, ..front }];
    hinges.iter().filter(|_| hinge > 0.0).for_each(|area| canvas.inked(KEEP_OFF, Item::block(*area)));
    if !has_spine_text {
        canvas.inked(KEEP_OFF, Item::block(spine_area));
    }
    let (wide, high) = (barcode.0 * INCH, barcode.1 * INCH);
    let box_of_code =
        Area { x: back.right() - hinge - margin - wide, y: back.bottom() - margin - high, width: wide, height: high };
    canvas.inked(KEEP_OFF, Item::block(box_of_code));
    let mut frame = |ink: Ink, area: Area| canvas.inked(ink, Item::Frame { area, width: 0.75 });
    frame(Ink::Gray(0.0), Area { width: 2.0 * trim.width + spine, ..back });
    frame(Ink::Gray(0.0), box_of_code);
    let inset = |area: Area, left: f64, right: f64, y: f64| Area {
        x: area.x + left,
        y: area.y + y,
        width: area.width - left - right,
        height: area.height - 2.0 * y,
    };
    let (back_safe, front_safe) = (inset(back, safe, safe.max(hinge), safe), inset(front, safe.max(hinge), safe, safe));
    frame(SAFE, back_safe);
    frame(SAFE, front_safe);
    if has_spine_text {
        frame(SAFE, inset(spine_area, spine_safe, spine_safe, safe));
    }
    for x in [spine_area.x, spine_area.right()] {
        let mut y = 0.0;
        while y < height {
            let to = (y + 6.0_f64).min(height);
            canvas.inked(FOLD, Item::Line { from: (x, y), to: (x, to), width: 0.75 });
            y += 10.0;
        }
    }
    let length = |points: f64| trim.length(points);
    let size = |width: f64, height: f64| format!("{} x {}", length(width), length(height));
    let text = match has_spine_text {
        true => format!("the spine takes text, {} from its folds", length(spine_safe)),
        false => format!("the spine takes no text: {spine_text} pages at least"),
    };
    let outside = if hinge > 0.0 { "around the boards" } else { "bleed" };
    let mut measures = vec![
        format!("whole cover {}", size(width, height)),
        format!("front and back {}", size(trim.width, trim.height)),
        format!("spine {} for {pages} pages on {} paper", length(spine), paper.name()),
        text,
        format!("{outside}: {} on all sides", length(edge)),
        format!("text and logos at least {} from the edges (green)", length(safe)),
        format!("barcode {}, {} from the edges: keep it free", size(wide, high), length(margin)),
    ];
    measures.extend((hinge > 0.0).then(|| format!("hinges {} beside the spine: no text there", length(hinge))));
    let put = |canvas: &mut Canvas<'_>, area: Area, title: &str, lines: &[String]| {
        let mut y = area.y + 40.0;
        canvas.text(Weight::SemiBold, 16.0, area.x + 14.0, y, title);
        for line in lines {
            let setting = Setting::boxed(Weight::Regular, 9.5);
            let broken = canvas.composer.lines(setting, area.width - 28.0, line, Breaks::Even);
            y += 17.0;
            canvas.lines(setting, area.x + 14.0, y, &broken);
            y += (broken.len() - 1) as f64 * setting.leading;
        }
    };
    put(&mut canvas, back_safe, "Back", &[]);
    let told: Vec<String> = std::iter::once(rules.title.clone()).chain(measures.iter().cloned()).collect();
    put(&mut canvas, front_safe, "Front", &told);
    canvas.text_around(Weight::Regular, 9.0, box_of_code.x + wide / 2.0, box_of_code.y + high / 2.0 + 3.0, "barcode");
    let drawing = Drawing::new(width, height, canvas.finish());
    Cover { drawing, spine, has_spine_text, measures }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The size that Kindle Direct Publishing's calculator gave for a paperback: 334.6 x 234.95 mm, spine 23.45 mm.
    #[test]
    fn covers_have_the_size_that_the_printer_computes() {
        let typeface = Typeface::open().unwrap();
        let of = |printer, pages| cover(&typeface, printer, "6x9".parse().unwrap(), pages, Paper::White);
        let found = of(Printer::Kdp, 410);
        let millimetres = |points: f64| points / INCH * 25.4;
        assert!((millimetres(found.spine) - 23.45).abs() < 0.01);
        assert!((millimetres(found.drawing.width) - 334.6).abs() < 0.01);
        assert!((millimetres(found.drawing.height) - 234.95).abs() < 0.01);
        let hard = of(Printer::KdpHardcover, 200);
        assert!((hard.drawing.height / INCH - 10.418).abs() < 0.002 && hard.drawing.width > found.drawing.width);
        let takes = |pages| of(Printer::Kdp, pages).has_spine_text;
        assert_eq!([24, 78, 79, 80].map(takes), [false, false, true, true]);
    }

    #[test]
    fn everything_is_on_the_cover_and_the_barcode_on_the_back() {
        let typeface = Typeface::open().unwrap();
        for printer in Printer::ALL {
            for trim in ["5x8", "6x9", "8.25x11", "A5", "110x170mm"] {
                for pages in [24, 100, 550] {
                    let trim: Trim = trim.parse().unwrap();
                    let Cover { drawing, measures, .. } = cover(&typeface, printer, trim, pages, Paper::Cream);
                    assert!(measures.len() >= 7);
                    for item in &drawing.items {
                        if let Some((_, glyphs)) = item.text() {
                            assert!(glyphs.iter().all(|glyph| {
                                (0.0..drawing.width).contains(&glyph.x) && (0.0..drawing.height).contains(&glyph.y)
                            }));
                        }
                    }
                }
            }
        }
    }
}
