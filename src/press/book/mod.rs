//! A puzzle book: all pages of a printed book as PDF, without the cover.
//!
//! ```text
//!   entries (puzzle, solution, level)  --order-->  sections of one level
//!        | plan: gutter <-> number of pages         which page holds what
//!        | draw: every page a list of things        black text and lines, in points
//!        v write: PDF 1.7
//! ```
//!
//! The requirements of printers are in `printers.toml`: trim size, margins, gutter by the number of pages, a number of
//! pages that can be bound and that is even, lines, gray, type. Every book has embedded fonts, black ink only and no
//! transparency. The file is plain PDF 1.7, or PDF/X-1a or PDF/X-4.
//!
//! A file knows those above it in this table:
//!
//! | file | purpose | main type |
//! |---|---|---|
//! | `trim` | the size of a page, paper, bleed | [`Trim`] |
//! | `printer` | the rules of printers | [`Printer`] |
//! | `options` | puzzles and options of a book | [`Options`] |
//! | `error` | why there is no book | [`BookError`] |
//! | `flow` | running text on pages | [`TextPage`](flow::TextPage) |
//! | `sheet/` | margins, sizes of type, boards on a page | [`Sheet`](sheet::margins::Sheet) |
//! | `text/` | what is printed besides boards | [`Manuscript`](text::manuscript::Manuscript) |
//! | `pages/` | which page holds what, and drawing it | [`PagePlan`](pages::plan::PagePlan) |
//! | `pdf/` | the file | [`Document`](pdf::document::Document) |
//! | `epub` | the pages as EPUB | |
//! | `play` | a page of HTML to play on | |
//! | `make` | all of it together | [`Book`] |
//! | `cover` | a template for the cover | [`Cover`] |

pub(crate) mod cover;
pub(crate) mod epub;
pub(crate) mod error;
pub(crate) mod flow;
pub(crate) mod make;
pub(crate) mod options;
pub(crate) mod pages;
pub(crate) mod pdf;
pub(crate) mod play;
pub(crate) mod printer;
pub(crate) mod sheet;
pub(crate) mod text;
pub(crate) mod trim;

#[cfg(test)]
pub(crate) mod tests;

pub use crate::draw::measures::points;
pub use crate::draw::outline::Picture;
pub use crate::draw::symbols::Symbols;
pub use crate::draw::text::typeface::Typeface;
pub use cover::{Cover, cover};
pub use error::BookError;
pub use make::{Book, Place, make};
pub use options::{Answers, Difficulty, Entry, Options, Ornament, Sections, Standard, order};
pub use pages::planner::check;
pub use pdf::pdf_x::Intent;
pub use printer::{CoverRules, Printer, Rules, Source};
pub use text::hints::hint_cell;
pub use text::wording::Wording;
pub use trim::{Bleed, Paper, Trim, thicknesses};
