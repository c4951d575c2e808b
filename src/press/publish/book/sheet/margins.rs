//! The sheet of paper: gutters and margins. All lengths are in points of 1/72 inch.
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
//! The gutter depends on the number of pages (Kindle Direct Publishing, "Set Trim Size, Bleed, and Margins"), and the
//! number of pages depends on the gutter. [`settle`] iterates until both agree.

use crate::publish::book::options::Options;
use crate::publish::book::sheet::type_sizes::TypeSizes;
use crate::publish::book::trim::{Bleed, Trim};
use crate::publish::draw::measures::{Area, INCH};

/// The narrowest inside margin for a number of pages, in points.
pub fn gutter(pages: usize) -> f64 {
    let inches = match pages {
        0..=150 => 0.375,
        151..=300 => 0.5,
        301..=500 => 0.625,
        501..=700 => 0.75,
        _ => 0.875,
    };
    inches * INCH
}

/// The least margin at the three edges that are not bound.
fn least_margin(bleed: Bleed) -> f64 {
    if bleed == Bleed::None { 0.25 * INCH } else { 0.375 * INCH }
}

/// The layout whose gutter fits its own number of pages. `layout` returns a layout and its number of pages for a
/// gutter. The search begins with the narrowest gutter and widens it as long as the number of pages requires it. The
/// gutter never becomes narrower, so the search ends.
///
/// # Errors
/// The first error of `layout`.
pub fn settle<T, E>(mut layout: impl FnMut(f64) -> Result<(T, usize), E>) -> Result<T, E> {
    let mut width = gutter(0);
    loop {
        let (made, pages) = layout(width)?;
        let wanted = gutter(pages);
        if wanted <= width {
            return Ok(made);
        }
        width = wanted;
    }
}

/// The margins of every page of a book.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sheet {
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
    pub sizes: TypeSizes,
}

impl Sheet {
    /// Margins for a gutter. Large print uses the smallest margins that printers allow; the ordinary book has wider ones.
    pub fn new(options: &Options, gutter: f64) -> Sheet {
        let Options { trim, large_print, .. } = *options;
        let sizes = TypeSizes::new(trim, large_print);
        let (outside, beside) = match large_print {
            true => (0.375 * INCH, 0.0625 * INCH),
            false => ((trim.width / 11.0).clamp(32.0, 54.0), 0.125 * INCH),
        };
        let inside = outside.max(gutter + beside);
        let mut top = if large_print { 0.5 * INCH } else { (trim.height / 15.0).max(36.0) };
        if options.running_heads {
            top += sizes.running_head();
        }
        let foot = (trim.height / 20.0).max(least_margin(options.bleed));
        let bottom = foot + if large_print { 2.0 } else { 2.6 } * sizes.caption;
        Sheet { trim, inside, outside, top, bottom, foot, sizes }
    }

    /// The area for text and grids on a right-hand page (recto) or a left-hand one.
    pub fn block(&self, recto: bool) -> Area {
        Area {
            x: if recto { self.inside } else { self.outside },
            y: self.top,
            width: self.trim.width - self.inside - self.outside,
            height: self.trim.height - self.top - self.bottom,
        }
    }

    /// The baseline of the page number.
    pub fn foot_line(&self) -> f64 {
        self.trim.height - self.foot
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::publish::book::trim::TRIMS;

    #[test]
    fn gutters_are_those_of_the_printers_table() {
        let inches = [24, 150, 151, 300, 301, 500, 501, 700, 701, 828].map(|pages| gutter(pages) / INCH);
        assert_eq!(inches, [0.375, 0.375, 0.5, 0.5, 0.625, 0.625, 0.75, 0.75, 0.875, 0.875]);
    }

    #[test]
    fn the_gutter_settles_where_it_fits_its_own_pages() {
        // Each point of gutter adds pages, which require a wider gutter again.
        for start in 1..900 {
            for cost in [0.0, 0.5, 1.0, 3.0, 10.0] {
                let pages = |gutter: f64| start + ((gutter - 27.0) * cost) as usize;
                let settled = settle(|gutter| Ok::<_, ()>(((gutter, pages(gutter)), pages(gutter)))).unwrap();
                assert_eq!(settled.1, pages(settled.0));
                assert!(settled.0 >= gutter(settled.1), "{start} {cost}: {settled:?}");
            }
        }
    }

    #[test]
    fn a_gutter_that_swings_settles_on_the_wider_one() {
        let pages = |gutter: f64| if gutter < 30.0 { 160 } else { 140 };
        assert_eq!(settle(|gutter| Ok::<_, ()>((gutter, pages(gutter)))), Ok(36.0));
        assert_eq!(settle(|_| Err::<((), usize), _>("no")), Err("no"));
    }

    #[test]
    fn margins_are_never_below_what_printers_ask_for() {
        for trim in TRIMS {
            for pages in [24, 200, 400, 600, 828] {
                for large_print in [false, true] {
                    let options = Options { trim, large_print, ..Options::default() };
                    let sheet = Sheet::new(&options, gutter(pages));
                    assert!(sheet.inside >= gutter(pages) && sheet.outside >= 0.375 * INCH);
                    assert!(sheet.top >= 0.375 * INCH && sheet.foot >= 0.375 * INCH && sheet.bottom > sheet.foot);
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
