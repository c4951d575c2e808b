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

use crate::book::printer::{CoverRules, Printer};
use crate::book::trim::{Paper, Trim};
use crate::draw::canvas::{Canvas, Item};
use crate::draw::measures::{Area, INCH};
use crate::draw::outline::Ink;
use crate::draw::text::compose::{Breaks, Setting};
use crate::draw::text::typeface::{Typeface, Weight};
use crate::picture::Drawing;

/// A template.
#[derive(Clone, Debug, PartialEq)]
pub struct Cover {
    /// The drawing, as large as the whole cover.
    pub drawing: Drawing,
    /// Width of the spine in points.
    pub spine: f64,
    /// The spine takes text.
    pub has_spine_text: bool,
    /// In words.
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
    let layout = Layout::new(printer, trim, pages, paper);
    let measures = layout.measures(pages, paper);
    let mut canvas = Canvas::new(typeface);
    layout.draw_areas(&mut canvas);
    layout.draw_frames(&mut canvas);
    layout.draw_folds(&mut canvas);
    put(&mut canvas, layout.back_safe(), "Back", &[]);
    let lines: Vec<String> = std::iter::once(printer.rules().title.clone()).chain(measures.iter().cloned()).collect();
    put(&mut canvas, layout.front_safe(), "Front", &lines);
    let Area { x, y, width, height } = layout.barcode;
    canvas.text_around(Weight::Regular, 9.0, x + width / 2.0, y + height / 2.0 + 3.0, "barcode");
    let drawing = Drawing::new(layout.width, layout.height, canvas.finish());
    Cover { drawing, spine: layout.spine.width, has_spine_text: layout.has_spine_text, measures }
}

/// The parts of a cover, in points from its upper left corner.
struct Layout {
    rules: &'static CoverRules,
    trim: Trim,
    width: f64,
    height: f64,
    back: Area,
    spine: Area,
    front: Area,
    barcode: Area,
    edge: f64,
    hinge: f64,
    /// From the edges to text and logos.
    safe: f64,
    has_spine_text: bool,
}

impl Layout {
    fn new(printer: Printer, trim: Trim, pages: usize, paper: Paper) -> Layout {
        let rules = &printer.rules().cover;
        let [edge, hinge, safe] = [rules.edge, rules.hinge, rules.safe].map(|inches| inches * INCH);
        let thickness = printer.rules().spine(pages, paper);
        let panel = |x: f64, width: f64| Area { x, y: edge, width, height: trim.height };
        let back = panel(edge, trim.width);
        let (wide, high) = (rules.barcode.width * INCH, rules.barcode.height * INCH);
        let margin = rules.barcode_margin * INCH;
        let (x, y) = (back.right() - hinge - margin - wide, back.bottom() - margin - high);
        Layout {
            rules,
            trim,
            width: 2.0 * (edge + trim.width) + thickness,
            height: 2.0 * edge + trim.height,
            back,
            spine: panel(back.right(), thickness),
            front: panel(edge + trim.width + thickness, trim.width),
            barcode: Area { x, y, width: wide, height: high },
            edge,
            hinge,
            safe,
            has_spine_text: pages >= rules.spine_text && thickness > 2.0 * rules.spine_safe * INCH,
        }
    }

    /// What is printed and not cut off.
    fn trimmed(&self) -> Area {
        Area { width: 2.0 * self.trim.width + self.spine.width, ..self.back }
    }

    fn back_safe(&self) -> Area {
        inset(self.back, self.safe, self.safe.max(self.hinge), self.safe)
    }

    fn front_safe(&self) -> Area {
        inset(self.front, self.safe.max(self.hinge), self.safe, self.safe)
    }

    /// Fills the edge, the paper, and the areas that text stays out of.
    fn draw_areas(&self, canvas: &mut Canvas<'_>) {
        canvas.inked(EDGE, Item::block(Area { x: 0.0, y: 0.0, width: self.width, height: self.height }));
        canvas.inked(PAPER, Item::block(self.trimmed()));
        if self.hinge > 0.0 {
            let back = Area { x: self.back.right() - self.hinge, width: self.hinge, ..self.back };
            canvas.inked(KEEP_OFF, Item::block(back));
            canvas.inked(KEEP_OFF, Item::block(Area { width: self.hinge, ..self.front }));
        }
        if !self.has_spine_text {
            canvas.inked(KEEP_OFF, Item::block(self.spine));
        }
        canvas.inked(KEEP_OFF, Item::block(self.barcode));
    }

    /// Draws the trim, the barcode and the borders of safe areas.
    fn draw_frames(&self, canvas: &mut Canvas<'_>) {
        const WIDTH: f64 = 0.75;
        for area in [self.trimmed(), self.barcode] {
            canvas.inked(Ink::Gray(0.0), Item::Frame { area, width: WIDTH });
        }
        let mut safe_areas = vec![self.back_safe(), self.front_safe()];
        if self.has_spine_text {
            let spine_safe = self.rules.spine_safe * INCH;
            safe_areas.push(inset(self.spine, spine_safe, spine_safe, self.safe));
        }
        for area in safe_areas {
            canvas.inked(SAFE, Item::Frame { area, width: WIDTH });
        }
    }

    fn draw_folds(&self, canvas: &mut Canvas<'_>) {
        for x in [self.spine.x, self.spine.right()] {
            let mut y = 0.0;
            while y < self.height {
                let to = (y + 6.0_f64).min(self.height);
                canvas.inked(FOLD, Item::Line { from: (x, y), to: (x, to), width: 0.75 });
                y += 10.0;
            }
        }
    }

    /// The measures in words.
    fn measures(&self, pages: usize, paper: Paper) -> Vec<String> {
        let length = |points: f64| self.trim.length(points);
        let size = |width: f64, height: f64| format!("{} x {}", length(width), length(height));
        let CoverRules { spine_safe, spine_text, barcode_margin, .. } = self.rules;
        let on_spine = match self.has_spine_text {
            true => format!("the spine takes text, {} from its folds", length(spine_safe * INCH)),
            false => format!("the spine takes no text: {spine_text} pages at least"),
        };
        let outside = if self.hinge > 0.0 { "around the boards" } else { "bleed" };
        let (barcode, margin) = (size(self.barcode.width, self.barcode.height), length(barcode_margin * INCH));
        let mut measures = vec![
            format!("whole cover {}", size(self.width, self.height)),
            format!("front and back {}", size(self.trim.width, self.trim.height)),
            format!("spine {} for {pages} pages on {} paper", length(self.spine.width), paper.name()),
            on_spine,
            format!("{outside}: {} on all sides", length(self.edge)),
            format!("text and logos at least {} from the edges (green)", length(self.safe)),
            format!("barcode {barcode}, {margin} from the edges: keep it free"),
        ];
        if self.hinge > 0.0 {
            measures.push(format!("hinges {} beside the spine: no text there", length(self.hinge)));
        }
        measures
    }
}

/// An area, smaller on the left, on the right, and at top and bottom.
fn inset(area: Area, left: f64, right: f64, y: f64) -> Area {
    Area { x: area.x + left, y: area.y + y, width: area.width - left - right, height: area.height - 2.0 * y }
}

/// Writes a title and lines below it into an area.
fn put(canvas: &mut Canvas<'_>, area: Area, title: &str, lines: &[String]) {
    let mut y = area.y + 40.0;
    canvas.text(Weight::SemiBold, 16.0, area.x + 14.0, y, title);
    for line in lines {
        let setting = Setting::boxed(Weight::Regular, 9.5);
        let broken = canvas.composer.lines(setting, area.width - 28.0, line, Breaks::Even);
        y += 17.0;
        canvas.lines(setting, area.x + 14.0, y, &broken);
        y += (broken.len() - 1) as f64 * setting.leading;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The size that Kindle Direct Publishing's calculator gave for a paperback: 334.6 x 234.95 mm, spine 23.45 mm.
    #[test]
    fn covers_have_the_size_that_the_printer_computes() {
        let typeface = Typeface::open().unwrap();
        let cover_of = |printer, pages| cover(&typeface, printer, "6x9".parse().unwrap(), pages, Paper::White);
        let paperback = cover_of(Printer::Kdp, 410);
        let millimetres = |points: f64| points / INCH * 25.4;
        assert!((millimetres(paperback.spine) - 23.45).abs() < 0.01);
        assert!((millimetres(paperback.drawing.width) - 334.6).abs() < 0.01);
        assert!((millimetres(paperback.drawing.height) - 234.95).abs() < 0.01);
        let hard = cover_of(Printer::KdpHardcover, 200);
        assert!((hard.drawing.height / INCH - 10.418).abs() < 0.002 && hard.drawing.width > paperback.drawing.width);
        let takes = |pages| cover_of(Printer::Kdp, pages).has_spine_text;
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
