//! Names the reasons why a book cannot be made.

use crate::book::printer::Printer;
use crate::book::trim::Trim;
use crate::draw::symbols::too_few;
use crate::draw::text::typeface::{FontError, TextFault, beginning};
use sudoku_corpus_core::board::{Reason, Shape};
use sudoku_corpus_core::page::numbers::counted;

/// Why a book cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum BookError {
    #[error("a book needs at least one puzzle")]
    Empty,
    #[error("the puzzle {puzzle} and its solution do not belong together")]
    Solution { puzzle: String },
    #[error("a {board} has more symbols than there are digits and letters: order {max} at most", board = .0.board(), max = Shape::MAX_SOLVABLE_ORDER)]
    Order(Shape),
    #[error("{} make at least {pages} pages, more than {most}, {limit}", counted(puzzles, "puzzle"))]
    TooManyPages { pages: usize, puzzles: usize, most: usize, limit: String },
    #[error("{}", too_few(*most, *shape))]
    Symbols { shape: Shape, most: usize },
    #[error("no program puts other pages into {0} files: leave out --front-pages and --back-pages")]
    NoPages(&'static str),
    #[error("a page to play on has no title page: leave out --logo")]
    NoTitlePage,
    #[error("{0}")]
    Rules(Reason),
    #[error("printed in black ink, the pictures '{0}' and '{1}' look the same: take others, or --standard screen")]
    Alike(&'static str, &'static str),
    #[error("{fault}{advice}", fault = .0, advice = advice(.0))]
    Text(TextFault),
    #[error("to spell a word, --symbols needs {} different letters for a {}", .0.order(), .0.board())]
    Word(Shape),
    #[error("{0} needs a date: give --date 2027-01-31")]
    NoDate(&'static str),
    #[error(
        "{per_page} on a page of {trim}, a {board} has cells of {cell:.1} pt, too small to read or to write into: put \
         fewer on a page, or take a larger page", board = .shape.board()
    )]
    SmallCells { shape: Shape, per_page: usize, trim: Trim, cell: f64 },
    #[error(
        "the symbol '{symbol}' is too long for a {board} on {trim}: in cells of {cell:.1} pt, its letters would be too small to \
         read; take shorter symbols or a larger page", board = .shape.board()
    )]
    LongSymbol { symbol: &'static str, shape: Shape, trim: Trim, cell: f64 },
    #[error(
        "large print needs digits of {least} pt, but on {trim} those of a {board} have {digit:.1} pt: take a larger page, or \
         fewer puzzles on a page", board = .shape.board()
    )]
    LargePrint { shape: Shape, trim: Trim, digit: f64, least: f64 },
    #[error("the {0} is empty")]
    NoWords(&'static str),
    #[error("the {what} '{short}' has {found} characters; {most} at most", short = beginning(text))]
    TooLong { what: &'static str, text: String, found: usize, most: usize },
    #[error("on a page of {trim} there is no room for '{short}': use fewer words or a larger page", short = beginning(text))]
    NoRoom { text: String, trim: Trim },
    #[error("with --sections board, no level has an end for its solutions: take --answers end, behind or below")]
    Sections,
    #[error("--printer {printer}: {rule}")]
    Printer { printer: Printer, rule: String },
    #[error(transparent)]
    Font(#[from] FontError),
}

impl From<TextFault> for BookError {
    fn from(fault: TextFault) -> BookError {
        BookError::Text(fault)
    }
}

/// What helps against a fault of a text.
fn advice(fault: &TextFault) -> &'static str {
    match fault {
        TextFault::RightToLeft { .. } => "",
        TextFault::Characters { .. } | TextFault::Alike { .. } => ": --font names another one",
    }
}
