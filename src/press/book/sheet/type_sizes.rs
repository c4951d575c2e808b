//! Computes the sizes of type, in points of 1/72 inch.

use crate::book::flow::TextStyle;
use crate::book::trim::Trim;
use crate::draw::measures::{Area, INCH};
use crate::draw::text::compose::{Setting, SizeRange};
use crate::draw::text::typeface::{Typeface, Weight};

/// The smallest type.
pub(crate) const MIN_TYPE: f64 = 7.0;
/// The smallest type in large print.
pub(crate) const LARGE_PRINT_TYPE: f64 = 18.0;
/// Height of the heading of a chapter, as a share of its type size.
pub(crate) const CHAPTER_HEAD: f64 = 2.3;

/// Width of a column of running text, in its type size: some 80 characters.
const COLUMN_WIDTH: f64 = 39.0;
/// Height of the head of a page of solutions, as a share of the size of captions.
const SOLUTIONS_HEAD: f64 = 2.4;
/// Height of a running head with the space below it, as a share of its type size.
const RUNNING_HEAD: f64 = 2.2;
/// The usual width of a column of terms, in the type size of running text.
const TERM_COLUMN: f64 = 5.6;

/// The type sizes of a book.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TypeSizes {
    pub body: f64,
    /// Caption over a puzzle, and page numbers.
    pub caption: f64,
    /// Captions over solutions, and other minor text.
    pub small: f64,
    /// Heading of a chapter such as "Contents".
    pub chapter: f64,
    /// The largest size for the name of a section. The title of the book may be 1.15 times as large.
    pub section: f64,
    /// The smallest size of all.
    pub least: f64,
    /// From baseline to baseline of running text, as a part of its type size.
    leading: f64,
}

impl TypeSizes {
    /// The sizes of a book: larger on large pages, and in large print.
    pub(crate) fn new(trim: Trim, large_print: bool) -> TypeSizes {
        let (small, least) = (LARGE_PRINT_TYPE, LARGE_PRINT_TYPE);
        let large = TypeSizes { body: 18.0, caption: 20.0, small, chapter: 30.0, section: 44.0, least, leading: 1.5 };
        let (least, leading) = (MIN_TYPE, 1.42);
        let wide = TypeSizes { body: 11.0, caption: 11.0, small: 8.5, chapter: 24.0, section: 40.0, least, leading };
        let narrow = TypeSizes { body: 9.5, caption: 10.0, small: 7.5, chapter: 20.0, section: 32.0, least, leading };
        match (large_print, trim.width > 6.5 * INCH) {
            (true, _) => large,
            (false, true) => wide,
            (false, false) => narrow,
        }
    }

    /// The share of a block that running text fills: longer lines are hard to read.
    pub(crate) fn column(&self, block: Area) -> Area {
        Area { width: block.width.min(self.body * COLUMN_WIDTH), ..block }
    }

    /// From a size down to the smallest one.
    pub(crate) fn down_from(&self, largest: f64) -> SizeRange {
        SizeRange { largest, smallest: self.least }
    }

    pub(crate) fn solutions_head(&self) -> f64 {
        self.caption * SOLUTIONS_HEAD
    }

    pub(crate) fn running_head(&self) -> f64 {
        self.small * RUNNING_HEAD
    }

    pub(crate) fn style(&self) -> TextStyle {
        TextStyle {
            body: Setting { weight: Weight::Regular, size: self.body, leading: self.body * self.leading },
            heading: Setting { weight: Weight::SemiBold, size: self.body * 1.15, leading: self.body * 1.6 },
            term_column: self.body * TERM_COLUMN,
        }
    }

    /// The style of running text with a column of terms that is as wide as its widest term.
    pub(crate) fn style_for<'a>(
        &self,
        typeface: &Typeface,
        width: f64,
        terms: impl Iterator<Item = &'a str>,
    ) -> TextStyle {
        let widths = terms.map(|term| typeface.width(Weight::SemiBold, self.body, term) + self.body * 1.2);
        let style = self.style();
        TextStyle {
            term_column: widths.fold(style.term_column, f64::max).min(self.body * 11.0).min(width * 0.4),
            ..style
        }
    }
}
