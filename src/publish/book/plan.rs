//! Which page holds what: the plan of a book, before anything is drawn.
//!
//! ```text
//!   i  title   ii  imprint   iii  contents   iv ..  how to play        numbered i, ii, iii, an even number of pages
//!   1  part "Easy"   2 ..  puzzles   n  part "Medium"  ..              parts and solutions begin on right-hand pages
//!   m ..  solutions   ..  notes                                        filled up to 24 pages and an even number
//! ```
//!
//! A book of one level has no pages that open parts.

use std::ops::Range;

use super::flow::Page as TextPage;
use super::sheet::{self, MAX_PAGES, MIN_PAGES, Sheet};
use super::sizes::{self, Arrangement, TypeSizes};
use super::typeface::Typeface;
use super::{BookError, Entry, Options, howto};
use crate::board::Shape;
use crate::rate::Level;

/// What stands on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The title page.
    Title,
    /// The imprint, on the back of the title page.
    Imprint,
    /// The contents.
    Contents,
    /// How to play, page by page.
    HowTo(usize),
    /// The page that opens a part.
    Part(usize),
    /// Puzzles, by position in the book.
    Puzzles(Range<usize>),
    /// Solutions, by position in the book.
    Solutions(Range<usize>),
    /// Lines to write on.
    Notes,
    /// Nothing.
    Blank,
}

/// Puzzles of one level, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Their level; none for puzzles that were not rated.
    pub level: Option<Level>,
    /// Positions in the book, from 0.
    pub puzzles: Range<usize>,
}

/// The plan of a book.
pub struct Plan {
    /// Margins.
    pub sheet: Sheet,
    /// Type sizes.
    pub type_sizes: TypeSizes,
    /// How puzzles stand on a page.
    pub puzzles: Arrangement,
    /// How solutions stand on a page.
    pub solutions: Arrangement,
    /// Every shape of the book, by order.
    pub shapes: Vec<Shape>,
    /// Runs of puzzles of one level.
    pub parts: Vec<Part>,
    /// The text of "How to play".
    pub how_to: Vec<TextPage>,
    /// Every page.
    pub pages: Vec<Kind>,
    /// How many pages stand before page 1.
    pub front: usize,
}

/// Plans a book of puzzles that are in order. The gutter follows from the number of pages.
///
/// # Errors
/// See [`BookError`].
pub fn plan(typeface: &Typeface, entries: &[Entry], options: &Options) -> Result<Plan, BookError> {
    let shapes = shapes(entries);
    let plan = sheet::settle(|gutter| {
        let plan = plan_with(typeface, entries, &shapes, options, gutter)?;
        let pages = plan.pages.len();
        Ok((plan, pages))
    })?;
    if plan.pages.len() > MAX_PAGES {
        return Err(BookError::TooManyPages { pages: plan.pages.len(), puzzles: entries.len() });
    }
    Ok(plan)
}

/// Every shape of the book, by order.
pub fn shapes(entries: &[Entry]) -> Vec<Shape> {
    let mut shapes: Vec<Shape> = entries.iter().map(|entry| entry.puzzle.shape()).collect();
    shapes.sort_by_key(|shape| (shape.order(), shape.box_rows()));
    shapes.dedup();
    shapes
}

fn plan_with(
    typeface: &Typeface,
    entries: &[Entry],
    shapes: &[Shape],
    options: &Options,
    gutter: f64,
) -> Result<Plan, BookError> {
    let type_sizes = TypeSizes::new(options.trim, options.large_print);
    let sheet = Sheet::new(options.trim, gutter, options.large_print, type_sizes.caption);
    let parts = parts(entries);
    let levels: Vec<Level> = parts.iter().filter_map(|part| part.level).collect();
    let mut plan = Plan {
        sheet,
        type_sizes,
        puzzles: sizes::puzzles(&sheet, type_sizes, shapes, options)?,
        solutions: sizes::solutions(&sheet, type_sizes, shapes, options)?,
        how_to: howto::pages(typeface, &sheet, type_sizes, entries, shapes, &levels),
        shapes: shapes.to_vec(),
        parts,
        pages: Vec::new(),
        front: 0,
    };
    plan.lay_out(entries.len());
    Ok(plan)
}

/// The runs of one level.
fn parts(entries: &[Entry]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        match parts.last_mut() {
            Some(part) if part.level == entry.level => part.puzzles.end = at + 1,
            _ => parts.push(Part { level: entry.level, puzzles: at..at + 1 }),
        }
    }
    parts
}

impl Plan {
    fn lay_out(&mut self, puzzles: usize) {
        self.pages = vec![Kind::Title, Kind::Imprint, Kind::Contents];
        self.pages.extend((0..self.how_to.len()).map(Kind::HowTo));
        self.pad_to_right_hand();
        self.front = self.pages.len();
        for (number, part) in self.parts.clone().into_iter().enumerate() {
            if self.has_part_pages() {
                self.pad_to_right_hand();
                self.pages.push(Kind::Part(number));
            }
            self.pages.extend(chunks(part.puzzles, self.puzzles.per_page()).map(Kind::Puzzles));
        }
        self.pad_to_right_hand();
        self.pages.extend(chunks(0..puzzles, self.solutions.per_page()).map(Kind::Solutions));
        while self.pages.len() < MIN_PAGES || !self.pages.len().is_multiple_of(2) {
            self.pages.push(Kind::Notes);
        }
    }

    /// Leaves a page empty where the next one would be a left-hand page.
    fn pad_to_right_hand(&mut self) {
        if !self.pages.len().is_multiple_of(2) {
            self.pages.push(Kind::Blank);
        }
    }

    /// True when every level has a page that opens it.
    pub fn has_part_pages(&self) -> bool {
        self.parts.len() > 1
    }

    /// True for right-hand pages, which have odd numbers.
    pub fn is_recto(&self, page: usize) -> bool {
        page.is_multiple_of(2)
    }

    /// The number printed on a page: roman before page 1.
    pub fn label(&self, page: usize) -> String {
        if page < self.front { roman(page + 1) } else { (page - self.front + 1).to_string() }
    }

    /// The first page of a kind.
    pub fn first(&self, is: impl Fn(&Kind) -> bool) -> Option<usize> {
        self.pages.iter().position(is)
    }

    /// The page of a puzzle, by position.
    pub fn page_of_puzzle(&self, puzzle: usize) -> Option<usize> {
        self.first(|kind| matches!(kind, Kind::Puzzles(range) if range.contains(&puzzle)))
    }

    /// The page of a solution, by position.
    pub fn page_of_solution(&self, puzzle: usize) -> Option<usize> {
        self.first(|kind| matches!(kind, Kind::Solutions(range) if range.contains(&puzzle)))
    }

    /// How many pages for notes fill the book up.
    pub fn notes(&self) -> usize {
        self.pages.iter().filter(|kind| **kind == Kind::Notes).count()
    }
}

/// A range in pieces of a size.
fn chunks(range: Range<usize>, size: usize) -> impl Iterator<Item = Range<usize>> {
    let end = range.end;
    range.step_by(size).map(move |start| start..(start + size).min(end))
}

/// A number below 4000 in small roman figures.
fn roman(mut number: usize) -> String {
    const FIGURES: [(usize, &str); 13] = [
        (1000, "m"),
        (900, "cm"),
        (500, "d"),
        (400, "cd"),
        (100, "c"),
        (90, "xc"),
        (50, "l"),
        (40, "xl"),
        (10, "x"),
        (9, "ix"),
        (5, "v"),
        (4, "iv"),
        (1, "i"),
    ];
    let mut text = String::new();
    for (value, figure) in FIGURES {
        while number >= value {
            text.push_str(figure);
            number -= value;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roman_numbers() {
        let written = [1, 2, 3, 4, 5, 6, 9, 14, 40, 90, 400, 1994, 3999].map(roman).join(" ");
        assert_eq!(written, "i ii iii iv v vi ix xiv xl xc cd mcmxciv mmmcmxcix");
    }

    #[test]
    fn ranges_are_cut_into_pieces() {
        assert_eq!(chunks(3..10, 3).collect::<Vec<_>>(), [3..6, 6..9, 9..10]);
        assert_eq!(chunks(5..5, 3).count(), 0);
    }
}
