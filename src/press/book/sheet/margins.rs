//! Computes the gutters and margins of a sheet of paper. All lengths are in points of 1/72 inch.
//!
//! ```text
//!     verso (even page)            recto (odd page)
//!   +------------------+         +------------------+
//!   |  top             |         |             top  |
//!   | o +-----------+ i|  spine  |i +-----------+ o |      i  inside: the gutter and a little more
//!   | u |  block    | n|    |    |n |  block    | u |      o  outside
//!   | t |           | s|    |    |s |           | t |
//!   |   +-----------+  |         |  +-----------+   |
//!   |  12              |         |              13  |      page number on the outer foot
//!   +------------------+         +------------------+
//! ```
//!
//! The gutter depends on the number of pages, by the table of the printer, and the number of pages depends on the
//! gutter. [`settle`] widens the gutter until it is wide enough for its number of pages.

use crate::book::options::Options;
use crate::book::printer::Rules;
use crate::book::sheet::type_sizes::TypeSizes;
use crate::book::trim::{Bleed, Trim};
use crate::draw::measures::{Area, INCH};

/// The layout whose gutter fits its own number of pages by a printer's rules. `layout` returns a layout and its number
/// of pages for a gutter. The search begins with the narrowest gutter and widens it as long as the number of pages
/// requires it. The gutter never becomes narrower, so the search ends.
///
/// # Errors
/// The first error of `layout`.
pub(crate) fn settle<T, E>(rules: &Rules, mut layout: impl FnMut(f64) -> Result<(T, usize), E>) -> Result<T, E> {
    let mut width = rules.gutter(0);
    loop {
        let (made, pages) = layout(width)?;
        let wanted = rules.gutter(pages);
        if wanted <= width {
            return Ok(made);
        }
        width = wanted;
    }
}

/// The margins of every page of a book.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sheet {
    /// Size of a finished page.
    pub trim: Trim,
    /// Margin at the spine.
    pub inside: f64,
    /// Margin opposite the spine.
    pub outside: f64,
    /// Margin above the block.
    pub top: f64,
    /// Margin below the block.
    pub bottom: f64,
    /// From the lower edge of the page to the baseline of the page number.
    pub foot: f64,
    /// The type sizes of the book.
    pub sizes: TypeSizes,
}

impl Sheet {
    /// Margins for a gutter in points. Large print has 0.375 in outside and 0.5 in above; of the ordinary book they
    /// grow with the page, from 32 and 36 pt. None is below what the printer asks for. On screens, both sides have the
    /// margin of the outside.
    pub(crate) fn new(options: &Options, gutter: f64) -> Sheet {
        let Options { trim, large_print, .. } = *options;
        let sizes = TypeSizes::new(trim, large_print);
        let (outside, beside) = match large_print {
            true => (0.375 * INCH, 0.0625 * INCH),
            false => ((trim.width / 11.0).clamp(32.0, 54.0), 0.125 * INCH),
        };
        // Letters such as J reach a little beyond the place where they begin.
        let least = options.printer.rules().margin(options.bleed != Bleed::None) + 1.5;
        let outside = outside.max(least);
        let is_screen = options.standard.is_screen();
        let inside = if is_screen { outside } else { outside.max(gutter + beside) };
        let mut top = if large_print { 0.5 * INCH } else { (trim.height / 15.0).max(36.0) }.max(least);
        if options.running_heads {
            top += sizes.running_head();
        }
        // Letters such as g reach below the line.
        let foot = (trim.height / 20.0).max(least + 0.25 * sizes.caption);
        let bottom = foot + if large_print { 2.0 } else { 2.6 } * sizes.caption;
        Sheet { trim, inside, outside, top, bottom, foot, sizes }
    }

    /// The area for text and grids on a right-hand page (recto) or a left-hand one.
    pub(crate) fn block(&self, recto: bool) -> Area {
        Area {
            x: if recto { self.inside } else { self.outside },
            y: self.top,
            width: self.trim.width - self.inside - self.outside,
            height: self.trim.height - self.top - self.bottom,
        }
    }

    pub(crate) fn foot_line(&self) -> f64 {
        self.trim.height - self.foot
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::printer::Printer;
    use crate::book::trim::TRIMS;

    #[test]
    fn the_gutter_settles_where_it_fits_its_own_pages() {
        // Each point of gutter adds pages, which require a wider gutter again.
        let rules = Printer::None.rules();
        for start in 1..900 {
            for cost in [0.0, 0.5, 1.0, 3.0, 10.0] {
                let pages = |gutter: f64| start + ((gutter - 27.0) * cost) as usize;
                let settled = settle(rules, |gutter| Ok::<_, ()>(((gutter, pages(gutter)), pages(gutter)))).unwrap();
                assert_eq!(settled.1, pages(settled.0));
                assert!(settled.0 >= rules.gutter(settled.1), "{start} {cost}: {settled:?}");
            }
        }
    }

    #[test]
    fn a_gutter_that_swings_settles_on_the_wider_one() {
        let pages = |gutter: f64| if gutter < 30.0 { 160 } else { 140 };
        let rules = Printer::None.rules();
        assert_eq!(settle(rules, |gutter| Ok::<_, ()>((gutter, pages(gutter)))), Ok(36.0));
        assert_eq!(settle(rules, |_| Err::<((), usize), _>("no")), Err("no"));
    }

    #[test]
    fn margins_are_never_below_what_printers_ask_for() {
        let all = Printer::ALL.into_iter().flat_map(|printer| TRIMS.map(|trim| (printer, trim)));
        for (printer, trim) in all {
            let rules = printer.rules();
            for pages in [24, 200, 400, 600, 828] {
                for large_print in [false, true] {
                    let options = Options { trim, large_print, printer, ..Options::default() };
                    let sheet = Sheet::new(&options, rules.gutter(pages));
                    let least = rules.margin(false).max(0.375 * INCH);
                    assert!(sheet.inside >= rules.gutter(pages) && sheet.outside >= least);
                    assert!(sheet.top >= least && sheet.foot >= least && sheet.bottom > sheet.foot);
                    for recto in [false, true] {
                        let block = sheet.block(recto);
                        let left = if recto { sheet.inside } else { sheet.outside };
                        assert_eq!(block.x, left);
                        assert!((block.right() + sheet.inside + sheet.outside - left - trim.width).abs() < 1e-9);
                    }
                }
            }
        }
    }
}
