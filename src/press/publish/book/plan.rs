//! The plan of a book: the contents of each page, before anything is drawn.
//!
//! ```text
//!   i  title   ii  imprint   iii  contents   iv ..  how to play        numbered i, ii, iii, an even number of pages
//!   1  part "Easy"   2 ..  puzzles   n  part "Medium"  ..              parts and solutions begin on right-hand pages
//!   m ..  solutions   ..  notes                                        filled up to 24 pages and an even number
//! ```
//!
//! A book of one part has no pages that open parts. A page holds boards of one shape. Alternatively, solutions are at the
//! end of each part, on the page after each page of puzzles, or upside down below the puzzles.

use std::ops::Range;

use super::flow::Page as TextPage;
use super::sheet::{self, MIN_PAGES, Sheet};
use super::sizes::{Arrangement, Room, TypeSizes};
use super::typeface::Typeface;
use super::{Answers, BookError, Entry, Options, Words, howto};
use sudoku_corpus_core::board::Shape;

/// The kind of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageKind {
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
    /// Puzzles, by their positions in the book.
    Puzzles(Range<usize>),
    /// Hints, by positions of puzzles.
    Hints(Range<usize>),
    /// Solutions, by positions of puzzles.
    Solutions(Range<usize>),
    /// Lines to write on.
    Notes,
    /// The publisher's own page before the contents.
    Front(usize),
    /// The publisher's own page at the end.
    Back(usize),
    /// Nothing.
    Blank,
}

/// Puzzles of one level, or of one month, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name in print.
    pub name: String,
    /// A sentence or two about it; may be empty.
    pub about: String,
    /// The level of its puzzles. None if they were not rated, or if the book keeps the order of the input, as calendars
    /// do.
    pub level: Option<usize>,
    /// Positions in the book, from 0.
    pub puzzles: Range<usize>,
}

/// The plan of a book.
pub struct Plan {
    /// Margins.
    pub sheet: Sheet,
    /// Type sizes.
    pub type_sizes: TypeSizes,
    /// The options of the book.
    pub options: Options,
    /// Every shape of the book, small boards first: the arrangement of its puzzles on a full page, and of its solutions.
    pub shapes: Vec<(Shape, Arrangement, Arrangement)>,
    /// The parts, in order.
    pub parts: Vec<Part>,
    /// The text of "How to play".
    pub how_to: Vec<TextPage>,
    /// Every page.
    pub pages: Vec<PageKind>,
    /// Number of pages before page 1.
    pub front: usize,
}

/// Plans a book of puzzles that are already in order. `own` is the number of the publisher's own pages in place of
/// title page and imprint, and at the end. The gutter depends on the number of pages.
///
/// # Errors
/// See [`BookError`].
pub fn plan(
    typeface: &Typeface,
    entries: &[Entry],
    words: &Words,
    options: &Options,
    own: (usize, usize),
) -> Result<Plan, BookError> {
    let plan = sheet::settle(|gutter| {
        let plan = plan_with(typeface, entries, words, options, own, gutter)?;
        let pages = plan.pages.len();
        Ok((plan, pages))
    })?;
    check_pages(plan.pages.len(), entries.len(), options).map(|()| plan)
}

/// Refuses a book that cannot be made, before its puzzles are rated. `boards` is the number of boards of each shape.
/// Only the pages that the book has in any case are counted: full pages of puzzles and of solutions, laid out without a
/// gutter.
///
/// # Errors
/// [`BookError::TooManyPages`], and what is wrong with a shape.
pub fn check(boards: impl IntoIterator<Item = (Shape, usize)>, options: &Options) -> Result<(), BookError> {
    let (sheet, type_sizes) = sheet_of(options, 0.0);
    let room = Room { sheet: &sheet, type_sizes, options };
    let (mut pages, mut puzzles) = (0, 0);
    for (shape, count) in boards {
        check_shape(shape, options)?;
        puzzles += count;
        pages += count.div_ceil(room.puzzles(shape)?.per_page());
        let solutions = count.div_ceil(room.solutions(shape)?.per_page());
        pages += if options.answers == Answers::Below { 0 } else { solutions };
    }
    check_pages(pages, puzzles, options)
}

/// Refuses boards that cannot be printed.
pub fn check_shape(shape: Shape, options: &Options) -> Result<(), BookError> {
    match shape.order() {
        _ if !shape.is_solvable() => Err(BookError::Order(shape)),
        order if order > options.symbols.reach() => Err(BookError::Symbols(shape)),
        _ => Ok(()),
    }
}

fn check_pages(pages: usize, puzzles: usize, options: &Options) -> Result<(), BookError> {
    let (most, limit) = match options.max_pages {
        Some(most) => (most, "the limit that was asked for".to_owned()),
        None => options.paper.most_pages(options.trim),
    };
    if pages > most { Err(BookError::TooManyPages { pages, puzzles, most, limit }) } else { Ok(()) }
}

/// Margins and type sizes with a gutter.
fn sheet_of(options: &Options, gutter: f64) -> (Sheet, TypeSizes) {
    let type_sizes = TypeSizes::new(options.trim, options.large_print);
    let mut sheet = Sheet::new(options.trim, gutter, options.large_print, type_sizes.caption);
    if options.running_heads {
        sheet.top += type_sizes.running_head();
    }
    (sheet, type_sizes)
}

fn plan_with(
    typeface: &Typeface,
    entries: &[Entry],
    words: &Words,
    options: &Options,
    own: (usize, usize),
    gutter: f64,
) -> Result<Plan, BookError> {
    let (sheet, type_sizes) = sheet_of(options, gutter);
    let parts = parts(entries, words, options);
    let mut shapes: Vec<Shape> = entries.iter().map(|entry| entry.puzzle.shape()).collect();
    shapes.sort_by_key(|shape| (shape.order(), shape.box_rows()));
    shapes.dedup();
    let arranged = |&shape: &Shape| {
        let room = Room { sheet: &sheet, type_sizes, options };
        Ok((shape, room.puzzles(shape)?, room.solutions(shape)?))
    };
    let mut plan = Plan {
        sheet,
        type_sizes,
        options: *options,
        how_to: howto::pages(typeface, &sheet, type_sizes, entries, words, options, &shapes),
        shapes: shapes.iter().map(arranged).collect::<Result<_, BookError>>()?,
        parts,
        pages: Vec::new(),
        front: 0,
    };
    plan.lay_out(entries, own);
    Ok(plan)
}

/// The runs of puzzles of one level, or of one month if puzzles have a day.
fn parts(entries: &[Entry], words: &Words, options: &Options) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut before = None;
    for (at, entry) in entries.iter().enumerate() {
        let level = entry.level.filter(|_| !options.keep_order);
        let month = entry.day.map(|day| (day.year, day.month));
        match parts.last_mut() {
            Some(part) if part.level == level && before == month => part.puzzles.end = at + 1,
            _ => {
                let texts = level.and_then(|level| words.levels.get(level));
                let name = match (month, texts) {
                    (Some((year, month)), _) => words.month(year, month),
                    (None, Some(texts)) => texts.name.clone(),
                    (None, None) => words.language.texts().book.unrated.clone(),
                };
                let about = texts.map(|texts| texts.about.clone()).unwrap_or_default();
                parts.push(Part { name, about, level, puzzles: at..at + 1 });
            }
        }
        before = month;
    }
    parts
}

impl Plan {
    /// `own`: number of own pages instead of title page and imprint, and at the end.
    fn lay_out(&mut self, entries: &[Entry], own: (usize, usize)) {
        self.pages = match own.0 {
            0 => vec![PageKind::Title, PageKind::Imprint],
            count => (0..count).map(PageKind::Front).collect(),
        };
        self.pad_to_right_hand();
        self.pages.push(PageKind::Contents);
        self.pages.extend((0..self.how_to.len()).map(PageKind::HowTo));
        self.pad_to_right_hand();
        self.front = self.pages.len();
        let per_page = |plan: &Plan, shape| plan.arrangements(shape).0.per_page();
        let solutions = |plan: &Plan, range: Range<usize>| -> Vec<PageKind> {
            let pieces = pieces(entries, range, false, |shape| plan.arrangements(shape).1.per_page());
            pieces.into_iter().map(PageKind::Solutions).collect()
        };
        for (number, part) in self.parts.clone().into_iter().enumerate() {
            if self.has_part_pages() {
                self.pad_to_right_hand();
                self.pages.push(PageKind::Part(number));
            }
            for piece in pieces(entries, part.puzzles.clone(), true, |shape| per_page(self, shape)) {
                let overleaf = self.options.answers == Answers::Overleaf;
                if overleaf {
                    self.pad_to_right_hand();
                }
                self.pages.push(PageKind::Puzzles(piece.clone()));
                if overleaf {
                    self.pages.extend(solutions(self, piece));
                }
            }
            if self.options.answers == Answers::Level {
                self.pages.extend(solutions(self, part.puzzles));
            }
        }
        if self.options.hints {
            let per_page = self.hints_per_page();
            let starts = (0..entries.len()).step_by(per_page);
            self.pages.extend(starts.map(|start| PageKind::Hints(start..(start + per_page).min(entries.len()))));
        }
        if self.options.answers == Answers::End {
            self.pad_to_right_hand();
            self.pages.extend(solutions(self, 0..entries.len()));
        }
        while self.pages.len() + own.1 < MIN_PAGES || !(self.pages.len() + own.1).is_multiple_of(2) {
            self.pages.push(PageKind::Notes);
        }
        self.pages.extend((0..own.1).map(PageKind::Back));
    }

    /// Number of hints on a page, in two columns.
    pub fn hints_per_page(&self) -> usize {
        let height = self.sheet.block(true).height - self.type_sizes.chapter * howto::CHAPTER_HEAD;
        let rows = (height / (self.type_sizes.body * 1.7)).floor() as usize;
        (2 * rows.saturating_sub(2)).max(2)
    }

    /// The arrangements of full pages of a shape: of puzzles, and of solutions.
    pub fn arrangements(&self, shape: Shape) -> (&Arrangement, &Arrangement) {
        // A book without boards is refused before it is planned.
        let found = self.shapes.iter().find(|(of, ..)| *of == shape).unwrap_or(&self.shapes[0]);
        (&found.1, &found.2)
    }

    /// What the arrangement of a page depends on.
    pub fn room(&self) -> Room<'_> {
        Room { sheet: &self.sheet, type_sizes: self.type_sizes, options: &self.options }
    }

    /// The arrangement of a page with some puzzles of a shape.
    pub fn page_of(&self, shape: Shape, count: usize) -> Arrangement {
        let full = self.arrangements(shape).0;
        if count == 1 && full.per_page() > 1 {
            return self.room().some_puzzles(shape, 1);
        }
        full.clone()
    }

    /// Leaves a page empty if the next one would be a left-hand page.
    fn pad_to_right_hand(&mut self) {
        if !self.pages.len().is_multiple_of(2) {
            self.pages.push(PageKind::Blank);
        }
    }

    /// True if every part has a page that opens it.
    pub fn has_part_pages(&self) -> bool {
        self.parts.len() > 1
    }

    /// The first page of the solutions, if all are at one place.
    pub fn solutions_chapter(&self) -> Option<usize> {
        let one_place = self.options.answers == Answers::End;
        self.first(|kind| matches!(kind, PageKind::Solutions(_))).filter(|_| one_place)
    }

    /// The part of a puzzle.
    pub fn part_of(&self, puzzle: usize) -> Option<&Part> {
        self.parts.iter().find(|part| part.puzzles.contains(&puzzle))
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
    pub fn first(&self, is: impl Fn(&PageKind) -> bool) -> Option<usize> {
        self.pages.iter().position(is)
    }

    /// The page of a puzzle, by position.
    pub fn page_of_puzzle(&self, puzzle: usize) -> Option<usize> {
        self.first(|kind| matches!(kind, PageKind::Puzzles(range) if range.contains(&puzzle)))
    }

    /// The page of a solution, by position.
    pub fn page_of_solution(&self, puzzle: usize) -> Option<usize> {
        match self.options.answers {
            Answers::Below => self.page_of_puzzle(puzzle),
            _ => self.first(|kind| matches!(kind, PageKind::Solutions(range) if range.contains(&puzzle))),
        }
    }

    /// Number of pages for notes that fill the book up.
    pub fn notes(&self) -> usize {
        self.pages.iter().filter(|kind| **kind == PageKind::Notes).count()
    }
}

/// Divides positions into pieces of one shape and of a given size. If `even` is set and the last piece would be less
/// than half full, the last two pieces share their puzzles: at size 4, nine puzzles are divided into 4, 3 and 2.
fn pieces(entries: &[Entry], range: Range<usize>, even: bool, size: impl Fn(Shape) -> usize) -> Vec<Range<usize>> {
    let mut pieces: Vec<Range<usize>> = Vec::new();
    let mut start = range.start;
    while start < range.end {
        let shape = entries[start].puzzle.shape();
        let end = (start..range.end).find(|&at| entries[at].puzzle.shape() != shape).unwrap_or(range.end);
        let size = size(shape).max(1);
        let (count, rest) = ((end - start) / size, (end - start) % size);
        let share = even && count > 0 && rest > 0 && rest < size / 2;
        let full = if share { count - 1 } else { count };
        let mut ends: Vec<usize> = (1..=full).map(|piece| start + piece * size).collect();
        if share {
            ends.push(end - (size + rest) / 2);
        }
        ends.push(end);
        let mut from = start;
        for until in ends.into_iter().filter(|&until| until > start) {
            if until > from {
                pieces.push(from..until);
                from = until;
            }
        }
        start = end;
    }
    pieces
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
    fn pages_are_filled_by_shape_and_the_last_one_is_not_left_with_one_board() {
        let pieces = |counts: &[(&str, usize)], even: bool, size: usize| {
            let entries: Vec<Entry> = counts
                .iter()
                .flat_map(|&(shape, count)| (0..count).map(move |_| shape))
                .map(crate::publish::book::tests::entry)
                .collect();
            pieces(&entries, 0..entries.len(), even, |_| size).iter().map(Range::len).collect::<Vec<_>>()
        };
        assert_eq!(pieces(&[("3x3", 9)], false, 4), [4, 4, 1]);
        assert_eq!(pieces(&[("3x3", 9)], true, 4), [4, 3, 2]);
        assert_eq!(pieces(&[("3x3", 13)], true, 6), [6, 4, 3]);
        assert_eq!(pieces(&[("3x3", 5)], true, 2), [2, 2, 1]);
        assert_eq!(pieces(&[("3x3", 1)], true, 4), [1]);
        assert_eq!(pieces(&[("2x2", 3), ("3x3", 5)], true, 4), [3, 3, 2]);
        assert_eq!(pieces(&[], true, 4), [0; 0]);
    }
}
