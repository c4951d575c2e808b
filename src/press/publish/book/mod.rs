//! A puzzle book: all pages of a printed book as PDF, without the cover.
//!
//! ```text
//!   entries (puzzle, solution, level)  --order-->  parts of one level
//!        | plan: gutter <-> number of pages         which page holds what
//!        | draw: every page a list of things        black text and lines, in points
//!        v write: PDF 1.7
//! ```
//!
//! The requirements of printers: trim size, gutter by the number of pages, a number of pages that can be bound and that
//! is even, fonts embedded, no type below 7 pt, black ink only, no transparency (Kindle Direct Publishing, "Paperback
//! Submission Guidelines"; IngramSpark, "File Creation Guide"). The file is plain PDF 1.7, or PDF/X-1a or PDF/X-4.

pub(crate) mod board;
pub(crate) mod canvas;
pub(crate) mod compose;
pub(crate) mod encoding;
mod error;
mod flow;
mod fonts;
mod front;
mod hints;
mod howto;
pub(crate) mod labels;
mod leaves;
mod manuscript;
mod own;
pub(crate) mod paths;
mod pdf;
mod plan;
mod preflight;
pub(crate) mod sheet;
mod sizes;
pub(crate) mod typeface;
mod wording;

#[cfg(test)]
pub(super) mod tests;

pub use board::Symbols;
pub use error::BookError;
pub use hints::hint_cell;
pub use own::{Own, Pages};
pub use plan::check;
pub use preflight::{Intent, Standard};
pub use sheet::{Bleed, INCH, MAX_PAGES, MILLIMETRE, MIN_PAGES, Paper, TRIMS, Trim, points, thicknesses};
pub use typeface::Typeface;
pub use wording::Words;

use canvas::{Canvas, Item};
use compose::Composer;
use manuscript::Manuscript;
use pdf::{Bookmark, Document};
use plan::{PageKind, Plan};

use super::series::Day;
use sudoku_corpus_core::board::{Puzzle, Solution};
use sudoku_corpus_core::names;
use sudoku_corpus_core::rate::Technique;

/// A puzzle of a book. It has exactly one solution, as the book promises its readers.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// Its solution.
    pub solution: Solution,
    /// Its level, if known, as a position in the levels of [`Words`].
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
}

impl Entry {
    /// A puzzle with nothing known but the level.
    pub fn new(puzzle: Puzzle, solution: Solution, level: Option<usize>) -> Entry {
        Entry { puzzle, solution, level, effort: 0, technique: None, name: None, hint: None, day: None }
    }
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

/// How a book is made up: the options of the command `book` about pages.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "cli", derive(clap::Args), command(next_help_heading = "Pages"))]
pub struct Options {
    /// Size of a finished page: 6x9, 8.5x11, 8x10, 7x10, 5x8, 5.5x8.5, A4, A5, or width x height (170x240mm, 7.5x9.25).
    #[cfg_attr(feature = "cli", arg(long, value_name = "SIZE", default_value = TRIMS[0].name))]
    pub trim: Trim,
    /// Puzzles on a page, up to 12. By default as many as leave room for pencil marks: 2, or 4 on pages from 8 inches on.
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", value_parser = up_to(12)))]
    pub per_page: Option<usize>,
    /// One puzzle per page, as wide as the page allows: digits of 28 to 36 points, no type below 16 points.
    #[cfg_attr(feature = "cli", arg(long, conflicts_with = "per_page"))]
    pub large_print: bool,
    /// Make pages larger than the trim: by 0.125in at top, bottom and outside, or by a given length (3mm) on all four sides.
    #[cfg_attr(feature = "cli", arg(long, value_name = "SIZE", num_args = 0..=1, default_value = "none",
        default_missing_value = "usual", hide_default_value = true))]
    pub bleed: Bleed,
    /// Lines outside the trim that show where to cut.
    #[cfg_attr(feature = "cli", arg(long))]
    pub crop_marks: bool,
    /// The paper, white or cream. It determines how many pages can be bound and how thick the spine is.
    #[cfg_attr(feature = "cli", arg(long, default_value = "white"))]
    pub paper: Paper,
    /// The largest number of pages that your printer binds, instead of Kindle Direct Publishing's limits.
    #[cfg_attr(feature = "cli", arg(long, value_name = "N"))]
    pub max_pages: Option<usize>,
    /// Title and level at the head of every page.
    #[cfg_attr(feature = "cli", arg(long))]
    pub running_heads: bool,
    /// How the difficulty of a puzzle is shown: words, stars, bars or none.
    #[cfg_attr(feature = "cli", arg(long, default_value = "words"))]
    pub difficulty: Difficulty,
    /// Thickness of box lines and cell lines in points. By default 2 and 0.75, in large print 2.8 and 1. Large boards get
    /// thicker box lines; lines of solutions are thinner.
    #[cfg_attr(feature = "cli", arg(long, value_name = "BOX,CELL", value_parser = thicknesses))]
    pub lines: Option<(f64, f64)>,
    /// Print every other box on light gray.
    #[cfg_attr(feature = "cli", arg(long))]
    pub shade: bool,
    /// A line below each puzzle to note the time.
    #[cfg_attr(feature = "cli", arg(long))]
    pub time: bool,
    /// The hardest technique below each puzzle.
    #[cfg_attr(feature = "cli", arg(long))]
    pub technique: bool,
    /// The name of its class below each 9x9 puzzle; the command `name` finds the puzzle by it.
    #[cfg_attr(feature = "cli", arg(long))]
    pub names: bool,
    /// Pages with a hint for each puzzle.
    #[cfg_attr(feature = "cli", arg(long))]
    pub hints: bool,
    /// Where the solutions are: end (at the back), level (at the end of each level), behind (on the next page), or below
    /// (upside down on the same page).
    #[cfg_attr(feature = "cli", arg(long, default_value = "end"))]
    pub answers: Answers,
    /// Solutions on a page. By default as many as can be read well: 6 to 12, in large print 2 to 4.
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", value_parser = up_to(30)))]
    pub solutions_per_page: Option<usize>,
    /// The ornament of the title page: board (the first of the book) or none.
    #[cfg_attr(feature = "cli", arg(long, default_value = "board"))]
    pub ornament: Ornament,
    /// Symbols of the digits: usual (1-9A-Z), hex (0-9A-Z, 0-F at 16x16), letters (A-P) or numbers (1-16).
    #[cfg_attr(feature = "cli", arg(long = "digits", default_value = "usual"))]
    pub symbols: Symbols,
    /// The standard of the file: pdf (PDF 1.7), x1a (PDF/X-1a:2001) or x4 (PDF/X-4). Both PDF/X standards need --date.
    #[cfg_attr(feature = "cli", arg(long, default_value = "pdf"))]
    pub standard: Standard,
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
    /// Puzzles keep the order of the input instead of being ordered by level.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub keep_order: bool,
    /// The date in the metadata of a PDF/X file.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub day: Option<Day>,
}

/// Reads a number from 1 to a limit.
#[cfg(feature = "cli")]
fn up_to(most: i64) -> impl clap::builder::TypedValueParser<Value = usize> {
    use clap::builder::TypedValueParser as _;
    clap::value_parser!(u16).range(1..=most).map(usize::from)
}

/// A finished book.
#[derive(Clone, Debug, PartialEq)]
pub struct Book {
    /// The PDF file.
    pub pdf: Vec<u8>,
    /// Number of pages.
    pub pages: usize,
    /// How many of these pages are for notes. They fill the book up to at least 24 pages and an even number.
    pub notes: usize,
    /// Margin at the spine, in points.
    pub inside: f64,
    /// Thickness of the book without its cover, in points, on the paper of the options.
    pub spine: f64,
    /// The place of each puzzle: its number, its page and the page of its solution, in the order of the book.
    pub places: Vec<Place>,
    /// Warnings for the maker of the book.
    pub warnings: Vec<String>,
    /// Puzzles on a page.
    pub per_page: usize,
    /// Solutions on a page.
    pub solutions_per_page: usize,
}

/// The place of a puzzle in a book.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Its number.
    pub number: usize,
    /// Its day in a calendar.
    pub day: Option<Day>,
    /// Its puzzle.
    pub puzzle: Puzzle,
    /// Name of its level.
    pub level: String,
    /// The number printed on its page.
    pub page: String,
    /// The number printed on the page of its solution.
    pub solution: String,
}

/// Puzzles in the order of a book: by level, unrated ones last; within a level small boards first, then from the
/// easiest to the hardest.
pub fn order(entries: &mut [Entry]) {
    entries.sort_by_key(|entry| {
        let shape = entry.puzzle.shape();
        (entry.level.is_none(), entry.level, shape.order(), shape, entry.effort)
    });
}

/// Makes a book of puzzles in a typeface. It orders them by level first, unless the options keep their order. The same
/// puzzles, words and options give the same bytes.
///
/// # Errors
/// See [`BookError`].
pub fn make(
    mut entries: Vec<Entry>,
    words: &Words,
    options: &Options,
    typeface: &Typeface,
    intent: &Intent,
    own: &Own,
) -> Result<Book, BookError> {
    if !options.keep_order {
        order(&mut entries);
    }
    check_entries(&entries, options)?;
    words.check(typeface)?;
    let composer = Composer::new(typeface, words.language.tag());
    let plan = plan::plan(composer, Manuscript::new(&entries, words, options), own.counts())?;
    let placed = own.place(&plan)?;
    let mut warnings = warnings(&plan);
    warnings.extend(own.warnings(options.standard)?);
    let pages: Result<Vec<Vec<Item>>, BookError> =
        (0..plan.pages.len()).map(|page| draw(composer, &plan, page)).collect();
    let bookmarks = if options.no_bookmarks { Vec::new() } else { bookmarks(&plan) };
    let document = Document { plan: &plan, intent, placed, pages: pages?, bookmarks };
    Ok(Book {
        pdf: pdf::write(&document)?,
        pages: plan.pages.len(),
        notes: plan.notes(),
        inside: plan.sheet.inside,
        spine: plan.pages.len() as f64 * options.paper.page_thickness(),
        per_page: plan.shapes[0].puzzles.per_page(),
        solutions_per_page: plan.shapes[0].solutions.per_page(),
        places: (0..entries.len()).map(|at| place(&plan, at)).collect(),
        warnings,
    })
}

fn place(plan: &Plan<'_>, at: usize) -> Place {
    let label = |page: Option<usize>| page.map_or(String::new(), |page| plan.label(page));
    let entry = &plan.text.entries[at];
    Place {
        number: plan.text.options.before + at + 1,
        day: entry.day,
        puzzle: entry.puzzle.clone(),
        level: plan.text.level(at).unwrap_or_default().to_owned(),
        page: label(plan.page_of_puzzle(at)),
        solution: label(plan.page_of_solution(at)),
    }
}

/// Warnings about choices that are allowed but may be regretted.
fn warnings(plan: &Plan<'_>) -> Vec<String> {
    let small = |of: &plan::OfShape| {
        let (cell, trim) = (of.puzzles.look.cell, plan.sheet.trim);
        let (board, millimetres) = (of.shape.board(), cell / MILLIMETRE);
        (cell < sizes::SMALL_CELL).then(|| {
            format!("{board}: its cells on {trim} are {cell:.1} pt ({millimetres:.1} mm) wide, small to write into")
        })
    };
    plan.shapes.iter().filter_map(small).collect()
}

fn check_entries(entries: &[Entry], options: &Options) -> Result<(), BookError> {
    if entries.is_empty() {
        return Err(BookError::Empty);
    }
    for (at, entry) in entries.iter().enumerate() {
        plan::check_shape(entry.puzzle.shape(), options)?;
        if !entry.puzzle.is_part_of(&entry.solution) {
            return Err(BookError::Solution { number: at + 1 });
        }
    }
    Ok(())
}

fn draw(composer: Composer<'_>, plan: &Plan<'_>, page: usize) -> Result<Vec<Item>, BookError> {
    let mut canvas = Canvas::new(composer);
    let block = plan.block(page);
    let column = plan.sheet.sizes.column(block);
    let kind = &plan.pages[page];
    match kind {
        PageKind::Title => front::title(&mut canvas, plan, block),
        PageKind::Imprint => front::imprint(&mut canvas, plan, block),
        PageKind::Contents(number) => plan.contents[*number].draw(&mut canvas, plan, column),
        PageKind::HowTo(number) => {
            let how_to = &plan.text.words.language.texts().book.how_to_play;
            let y = if *number == 0 { front::chapter(&mut canvas, plan, block, how_to) } else { block.y };
            plan.how_to[*number].draw(&mut canvas, sheet::Area { y, ..column });
        }
        PageKind::Part(number) => front::part(&mut canvas, plan, block, &plan.parts[*number]),
        PageKind::Puzzles(range) => leaves::puzzles(&mut canvas, plan, page, range),
        PageKind::Hints(range) => plan.hints.draw(&mut canvas, plan, block, range),
        PageKind::Solutions(range) => leaves::solutions(&mut canvas, plan, page, range),
        PageKind::Notes => front::notes(&mut canvas, plan, block),
        PageKind::Front(_) | PageKind::Back(_) | PageKind::Blank => {}
    }
    let is_bare = matches!(
        kind,
        PageKind::Title
            | PageKind::Imprint
            | PageKind::Part(_)
            | PageKind::Front(_)
            | PageKind::Back(_)
            | PageKind::Blank
    );
    if !is_bare {
        leaves::foot(&mut canvas, plan, page);
        if plan.text.options.running_heads && page >= plan.front {
            leaves::running_head(&mut canvas, plan, page);
        }
    }
    match canvas.misfit.take() {
        Some(text) => Err(BookError::NoRoom { text, trim: plan.sheet.trim }),
        None => Ok(canvas.finish()),
    }
}

/// The outline: chapters, levels with their pages of puzzles, solutions with their pages.
fn bookmarks(plan: &Plan<'_>) -> Vec<Bookmark> {
    let texts = &plan.text.words.language.texts().book;
    let leaf = |title: String, page| Bookmark { title, page, below: Vec::new() };
    let chapter = |title: &str, is: fn(&PageKind) -> bool| plan.first(is).map(|page| leaf(title.to_owned(), page));
    let mut bookmarks = Vec::new();
    bookmarks.extend(chapter(&texts.contents, |kind| matches!(kind, PageKind::Contents(_))));
    bookmarks.extend(chapter(&texts.how_to_play, |kind| matches!(kind, PageKind::HowTo(_))));
    let pages = || plan.pages.iter().enumerate();
    for (number, part) in plan.parts.iter().enumerate() {
        let below = pages().filter_map(|(page, kind)| match kind {
            PageKind::Puzzles(range) if part.puzzles.contains(&range.start) => {
                Some(leaf(plan.text.puzzles(range), page))
            }
            _ => None,
        });
        let below: Vec<Bookmark> = below.collect();
        let opening = plan.first(|kind| *kind == PageKind::Part(number)).or_else(|| Some(below.first()?.page));
        bookmarks.extend(opening.map(|page| Bookmark { title: part.name.clone(), page, below }));
    }
    bookmarks.extend(chapter(&texts.hints, |kind| matches!(kind, PageKind::Hints(_))));
    if let Some(page) = plan.solutions_chapter() {
        let below = pages().filter_map(|(page, kind)| match kind {
            PageKind::Solutions(range) => Some(leaf(plan.text.solutions(range), page)),
            _ => None,
        });
        bookmarks.push(Bookmark { title: texts.solutions.clone(), page, below: below.collect() });
    }
    bookmarks
}
