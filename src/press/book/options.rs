//! Defines what a book is made of: its puzzles, and the options of its maker.

use crate::book::error::BookError;
use crate::book::printer::Printer;
use crate::book::trim::{Bleed, Paper, Trim};
#[cfg(feature = "cli")]
use crate::book::trim::{TRIMS, thicknesses};
use crate::calendar::series::Day;
use crate::draw::board::Line;
use crate::draw::outline::Picture;
use crate::draw::rules::Told;
use crate::draw::symbols::Symbols;
use sudoku_corpus_core::board::{Isomorphism, Puzzle, Shape, Solution};
use sudoku_corpus_core::ladder::Technique;
use sudoku_corpus_core::names;

/// A puzzle of a book. It has exactly one solution, as the book promises its readers.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// Its solution.
    pub solution: Solution,
    /// Its level, if known, as a position in the levels of the words of the book.
    pub level: Option<usize>,
    /// Its difficulty within its level, in any unit.
    pub effort: u32,
    /// The hardest technique that it needs.
    pub technique: Option<Technique>,
    /// The name of its class.
    pub name: Option<String>,
    /// The hint: row and column, from 1, of a cell that can be filled next.
    pub hint: Option<(usize, usize)>,
    /// The day of a calendar.
    pub day: Option<Day>,
    /// The row or column in which the solution spells a word.
    pub(crate) line: Option<Line>,
}

impl Entry {
    /// A puzzle with nothing known but the level.
    pub fn new(puzzle: Puzzle, solution: Solution, level: Option<usize>) -> Entry {
        Entry { puzzle, solution, level, effort: 0, technique: None, name: None, hint: None, day: None, line: None }
    }

    /// The same puzzle with its symbols exchanged so that its solution has them in order in a row or a column: the
    /// first of those with the fewest givens, rows before columns.
    pub(crate) fn spelled(self) -> Entry {
        let (shape, n) = (self.puzzle.shape(), self.puzzle.shape().order());
        let (givens, solved) = (self.puzzle.grid().values(), self.solution.grid().values());
        let lines = (0..n).map(Line::Row).chain((0..n).map(Line::Column));
        let line = lines.min_by_key(|line| line.cells(n).filter(|&cell| givens[cell] != 0).count());
        // The new digit for each old one: the number of its cell in the line, from 1.
        let mut digits = vec![0; n + 1];
        for (number, cell) in (1..).zip(line.into_iter().flat_map(|line| line.cells(n))) {
            digits[usize::from(solved[cell])] = number;
        }
        match Isomorphism::new(shape, shape, (0..shape.cells() as u32).collect(), digits) {
            Some(map) => {
                let (puzzle, solution) = (map.apply_to_puzzle(&self.puzzle), map.apply(&self.solution));
                Entry { puzzle, solution, line, ..self }
            }
            None => self,
        }
    }
}

impl Options {
    /// Orders the puzzles of a book, by level ([`order`]) or by board. A book that keeps its input's order stays.
    pub fn order(&self, entries: &mut [Entry]) {
        match self.sections {
            _ if self.keep_order => {}
            Sections::Level => order(entries),
            Sections::Board => entries.sort_by_cached_key(|entry| {
                let shape = entry.puzzle.shape().kind();
                (shape.order(), shape, entry.level.is_none(), entry.level, entry.effort)
            }),
        }
    }

    /// Refuses options that contradict each other, that have no effect on the file, or that the printer refuses.
    ///
    /// # Errors
    /// [`BookError::Printer`], [`BookError::Sections`], [`BookError::NoDate`] and others.
    pub fn check(&self) -> Result<(), BookError> {
        let standard = self.standard;
        if standard.is_dated() && self.day.is_none() {
            return Err(BookError::NoDate(standard.title()));
        }
        if self.sections == Sections::Board && self.answers == Answers::Level {
            return Err(BookError::Sections);
        }
        if matches!(standard, Standard::Epub | Standard::Play) && self.front_pages + self.back_pages > 0 {
            return Err(BookError::NoPages(standard.title()));
        }
        if standard == Standard::Play && self.logo.is_some() {
            return Err(BookError::NoTitlePage);
        }
        if let Some((one, other)) = self.symbols.alike_in_print().filter(|_| !standard.is_screen()) {
            return Err(BookError::Alike(one, other));
        }
        let printer = self.printer;
        self.broken_rule().map_or(Ok(()), |rule| Err(BookError::Printer { printer, rule }))
    }

    /// What the printer of the book refuses, in words.
    fn broken_rule(&self) -> Option<String> {
        let Options { printer, trim, bleed, standard, .. } = *self;
        if printer == Printer::None {
            return None;
        }
        let rules = printer.rules();
        if !rules.binds(trim) {
            return Some(format!("pages of {trim} are not bound: {}; for example --trim 6x9", rules.sizes()));
        }
        if bleed != Bleed::None && bleed != rules.bleed() {
            return Some("the bleed is at top, bottom and outside only: write --bleed without a length".to_owned());
        }
        if self.crop_marks && printer.forbids("marks") {
            return Some("crop marks are refused".to_owned());
        }
        if let Some(line) = self.thin_line() {
            return Some(format!("lines of {line} pt are too thin: {} pt at least", rules.line));
        }
        if rules.standards.iter().any(|name| name == standard.name()) {
            return None;
        }
        let first = &rules.standards[0];
        let dated = if first.starts_with('x') { " --date 2027-01-31" } else { "" };
        let standards = rules.standards.join(" or ");
        Some(format!("the file must be {standards}, not {standard}: add --standard {first}{dated}"))
    }

    /// The thinnest line, if it is thinner than the printer asks for.
    pub(crate) fn thin_line(&self) -> Option<f64> {
        let thinnest = self.lines.map(|(boxes, cells)| boxes.min(cells));
        thinnest.filter(|line| *line < self.printer.rules().line)
    }

    /// The board that takes the least room of those that the book may have. None if that is not known.
    pub fn smallest_board(&self) -> Option<Shape> {
        let letters = self.symbols.word().filter(|_| self.spell).map(|word| word.chars().count());
        Shape::of_order(letters.unwrap_or(4)).ok().filter(|shape| shape.order() <= self.symbols.reach())
    }

    /// Refuses boards that cannot be printed.
    pub(crate) fn check_shape(&self, shape: Shape) -> Result<(), BookError> {
        let (order, most) = (shape.order(), self.symbols.reach());
        if !shape.is_solvable() {
            return Err(BookError::Order(shape));
        }
        if self.spell && (self.symbols.word().is_none() || order != most) {
            return Err(BookError::Word(shape));
        }
        if order > most {
            return Err(BookError::Symbols { shape, most });
        }
        Told::DrawingAndWords.holds(shape).map_err(BookError::Rules)
    }
}

/// Puzzles in the order of a book: by level, unrated ones last; within a level small boards first, then from the
/// easiest to the hardest.
pub fn order(entries: &mut [Entry]) {
    entries.sort_by_cached_key(|entry| {
        let shape = entry.puzzle.shape().kind();
        (entry.level.is_none(), entry.level, shape.order(), shape, entry.effort)
    });
}

names! { "place of solutions":
    /// Where the solutions are: at the back, at the end of each level, overleaf, or upside down on the same page.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    #[expect(missing_docs, reason = "the names say it")]
    pub enum Answers {
        #[default]
        End = "end",
        Level = "level",
        Overleaf = "behind",
        Below = "below",
    }
}

names! { "sign of difficulty":
    /// How the difficulty of a puzzle is shown: the name of its level, stars, bars of growing height, or not at all.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    #[expect(missing_docs, reason = "the names say it")]
    pub enum Difficulty {
        #[default]
        Words = "words",
        Stars = "stars",
        Bars = "bars",
        None = "none",
    }
}

names! { "section":
    /// What a section of a book has in common. It has a page that opens it and a line in the contents.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Sections {
        /// The level.
        #[default]
        Level = "level",
        /// The board: its size, its boxes and its variants. The page that opens it has the rules.
        Board = "board",
    }
}

names! { "ornament":
    /// What adorns the title page: the first board of the book, or nothing.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    #[expect(missing_docs, reason = "the names say it")]
    pub enum Ornament {
        #[default]
        Board = "board",
        None = "none",
    }
}

names! { "standard":
    /// The standard to which a file conforms.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Standard {
        /// PDF 1.7, without dates.
        #[default]
        Plain = "pdf",
        /// PDF/X-1a:2001.
        X1a = "x1a",
        /// PDF/X-4.
        X4 = "x4",
        /// PDF 1.7 for screens: pages with even margins, links from puzzles to solutions and back.
        Screen = "screen",
        /// EPUB 3 with pages of a fixed layout.
        Epub = "epub",
        /// A page of HTML to play on.
        Play = "html",
    }
}

impl Standard {
    /// Its name in print.
    pub const fn title(self) -> &'static str {
        match self {
            Standard::Plain => "PDF 1.7",
            Standard::X1a => "PDF/X-1a:2001",
            Standard::X4 => "PDF/X-4",
            Standard::Screen => "PDF 1.7 for screens",
            Standard::Epub => "EPUB",
            Standard::Play => "HTML",
        }
    }

    /// True for PDF/X.
    pub const fn is_x(self) -> bool {
        matches!(self, Standard::X1a | Standard::X4)
    }

    /// True for editions that are read on screens: no page is left empty, and nothing is bound.
    pub const fn is_screen(self) -> bool {
        matches!(self, Standard::Screen | Standard::Epub | Standard::Play)
    }

    /// True for files that contain a date.
    pub const fn is_dated(self) -> bool {
        self.is_x() || matches!(self, Standard::Epub)
    }

    /// The version of PDF.
    pub const fn version(self) -> (u8, u8) {
        match self {
            Standard::Plain | Standard::Screen | Standard::Epub | Standard::Play => (1, 7),
            Standard::X1a => (1, 3),
            Standard::X4 => (1, 6),
        }
    }
}

/// How a book is made up: the options of the command `book` about pages.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "cli", derive(clap::Args), command(next_help_heading = "Pages"))]
pub struct Options {
    /// Size of a finished page: 6x9, 8.5x11, 8x10, 7x10, 5x8, 5.5x8.5, A4, A5, or width x height (170x240mm, 7.5x9.25).
    #[cfg_attr(feature = "cli", arg(long, value_name = "SIZE", default_value = TRIMS[0].name))]
    pub trim: Trim,
    /// The printer whose rules the book keeps: kdp, kdp-hardcover, ingram or none. Margins, limits, lines and what is
    /// in the file follow from it; what it refuses is an error. Without one, margins and limits are those of kdp.
    #[cfg_attr(feature = "cli", arg(long, default_value = "none"))]
    pub printer: Printer,
    /// Puzzles on a page, up to 12. By default as many as leave room for pencil marks: for 9x9 mostly 2, or 4 on pages
    /// from 8 inches on.
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", value_parser = number_in(1..=12)))]
    pub per_page: Option<usize>,
    /// Bold type of 18 to 20 points with leading 1.5. One puzzle per page, as wide as the page allows, with digits of
    /// 28 to 36 points; with --per-page, as many as fit with digits of 20 points.
    #[cfg_attr(feature = "cli", arg(long))]
    pub large_print: bool,
    /// Make pages larger than the trim: by 0.125in at top, bottom and outside, or by a given length (3mm) on all four
    /// sides.
    #[cfg_attr(feature = "cli", arg(long, value_name = "SIZE", num_args = 0..=1, default_value = "none",
        default_missing_value = "usual", hide_default_value = true))]
    pub bleed: Bleed,
    /// Lines outside the trim that show where to cut.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub crop_marks: bool,
    /// The paper, white or cream. It determines how many pages can be bound and how thick the spine is.
    #[cfg_attr(feature = "cli", arg(long, default_value = "white"))]
    pub paper: Paper,
    /// The largest number of pages that your printer binds, instead of the limits of --printer.
    #[cfg_attr(feature = "cli", arg(long, value_name = "N"))]
    pub max_pages: Option<usize>,
    /// The title over left-hand pages; the level, "Solutions" or "Hints" over right-hand pages.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub running_heads: bool,
    /// How the difficulty of a puzzle is shown: words, stars, bars or none.
    #[cfg_attr(feature = "cli", arg(long, default_value = "words"))]
    pub difficulty: Difficulty,
    /// Thickness of box lines and cell lines in points. By default 2 and 0.75, in large print 2.8 and 1. Large boards
    /// get thicker box lines; lines of solutions are thinner.
    #[cfg_attr(feature = "cli", arg(long, value_name = "BOX,CELL", value_parser = thicknesses))]
    pub lines: Option<(f64, f64)>,
    /// Print every other box on light gray.
    #[cfg_attr(feature = "cli", arg(long))]
    pub shade: bool,
    /// Print candidates in empty cells.
    #[cfg_attr(feature = "cli", arg(long))]
    pub candidates: bool,
    /// The symbols below each puzzle, to strike out those that are done.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub strip: bool,
    /// An empty grid beside each puzzle, to try things out.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub second_grid: bool,
    /// A line below each puzzle to note the time.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub time: bool,
    /// The hardest technique below each puzzle.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub technique: bool,
    /// The name of its class below each 9x9 puzzle; `number --name` finds the puzzle by it.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub names: bool,
    /// Pages with a hint for each puzzle.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub hints: bool,
    /// Pages with every step of the solutions, at the end.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub steps: bool,
    /// Where the solutions are: end (at the back), level (at the end of each level), behind (on the next page), or
    /// below (upside down on the same page).
    #[cfg_attr(feature = "cli", arg(long, default_value = "end"))]
    pub answers: Answers,
    /// The sections of the book: level, or board (4x4, then 6x6, then 9x9, each opened by a page with its rules).
    #[cfg_attr(feature = "cli", arg(long, default_value = "level"))]
    pub sections: Sections,
    /// Solutions on a page. By default as many as can be read well: for 9x9 mostly 6 to 12, in large print 1 to 4.
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", value_parser = number_in(1..=30)))]
    pub solutions_per_page: Option<usize>,
    /// The ornament of the title page: board (the first of the book) or none.
    #[cfg_attr(feature = "cli", arg(long, default_value = "board"))]
    pub ornament: Ornament,
    /// Symbols of the digits: usual (1-9A-Z), hex (0-9A-Z, 0-F at 16x16), letters (A-P), numbers (1-16), a word of
    /// different letters (STAR), or texts between commas (red,green,blue,gray).
    #[cfg_attr(
        feature = "cli",
        arg(long = "symbols", value_name = "SYMBOLS", default_value = "usual", hide_default_value = true)
    )]
    pub symbols: Symbols,
    /// Each solution spells the word of --symbols in a row or a column, which is marked.
    #[cfg_attr(feature = "cli", arg(long))]
    pub spell: bool,
    /// The standard of a PDF file: pdf (PDF 1.7), x1a (PDF/X-1a:2001), x4 (PDF/X-4), or screen (PDF 1.7 with links from
    /// puzzles to solutions and back, and colors). Both PDF/X standards need --date.
    #[cfg_attr(feature = "cli", arg(long, default_value = "pdf"))]
    pub standard: Standard,
    /// Leave this number of pages empty instead of the title page and the imprint, for pages of your own. `guide books`
    /// shows how qpdf puts them there.
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", default_value = "0", hide_default_value = true, value_parser = number_in(0..=99)))]
    pub front_pages: usize,
    /// Leave this number of pages empty at the end, for pages of your own.
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", default_value = "0", hide_default_value = true, value_parser = number_in(0..=99)))]
    pub back_pages: usize,
    /// The logo at the foot of the title page. It stays in memory until the program ends.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub logo: Option<&'static Picture>,
    /// Puzzles in earlier volumes: numbers go on after them.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub before: usize,
    /// The book has no table of contents.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub no_contents: bool,
    /// The book has no pages that open levels.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub no_dividers: bool,
    /// The file has no bookmarks.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub no_bookmarks: bool,
    /// Levels follow from ER, not from the ladder whose techniques the book names.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub levels_by_er: bool,
    /// Puzzles keep the order of the input instead of being ordered by level.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub keep_order: bool,
    /// The date in the metadata of a PDF/X file or an EPUB.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub day: Option<Day>,
}

/// Reads a number in a range.
#[cfg(feature = "cli")]
fn number_in(range: std::ops::RangeInclusive<i64>) -> impl clap::builder::TypedValueParser<Value = usize> {
    use clap::builder::TypedValueParser as _;
    clap::value_parser!(u16).range(range).map(usize::from)
}
