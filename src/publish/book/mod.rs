//! A puzzle book: the inside of a printed book as PDF, cover to cover without the cover.
//!
//! ```text
//!   entries (puzzle, solution, level)  --order-->  parts of one level
//!        | plan: gutter <-> number of pages         which page holds what
//!        | draw: every page a list of things        black text and lines, in points
//!        v write: PDF 1.7
//! ```
//!
//! What printers ask for: trim size, gutter by the number of pages, 24 to 828 pages and an even number, fonts embedded,
//! no type below 7 pt, black only, no transparency (Kindle Direct Publishing, "Paperback Submission Guidelines";
//! IngramSpark, "File Creation Guide"). The file is plain PDF 1.7: nobody has certified it as PDF/X.

mod board;
mod canvas;
mod encoding;
mod flow;
mod fonts;
mod front;
mod howto;
mod leaves;
mod pdf;
mod plan;
mod sheet;
mod sizes;
mod typeface;

#[cfg(test)]
mod tests;

pub use sheet::{INCH, MAX_PAGES, MIN_PAGES, TRIMS, Trim, UnknownTrim};

use canvas::{Canvas, Item};
use pdf::{Bookmark, Document};
use plan::{Kind, Plan};
use typeface::{Typeface, tidy};

use crate::board::{Puzzle, Shape, Solution};
use crate::rate::Level;

/// A puzzle of a book. It has the one solution: the book says so to its readers.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// Its solution.
    pub solution: Solution,
    /// How hard it is, where that is known.
    pub level: Option<Level>,
}

/// How many puzzles stand on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PerPage {
    /// One.
    One,
    /// Two, one over the other.
    Two,
    /// Four, two by two.
    Four,
    /// Six, in two columns.
    Six,
}

impl PerPage {
    /// Every choice.
    pub const ALL: [PerPage; 4] = [PerPage::One, PerPage::Two, PerPage::Four, PerPage::Six];

    /// The number.
    pub const fn number(self) -> usize {
        match self {
            PerPage::One => 1,
            PerPage::Two => 2,
            PerPage::Four => 4,
            PerPage::Six => 6,
        }
    }
}

/// How a book is made up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// Size of a finished page.
    pub trim: Trim,
    /// Puzzles on a page; none chooses as many as leave room for pencil marks.
    pub per_page: Option<PerPage>,
    /// One puzzle a page, boards of 4.5 inches at least, digits of 18 pt at least.
    pub large_print: bool,
    /// Pages 0.125 in larger on the three edges that are not bound.
    pub bleed: bool,
}

/// The words of a book, as the typeface can set them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words {
    title: String,
    author: Option<String>,
    /// Paragraphs; an empty one is an empty line.
    imprint: Vec<String>,
}

/// A finished book.
#[derive(Clone, Debug, PartialEq)]
pub struct Book {
    /// The PDF file.
    pub pdf: Vec<u8>,
    /// Number of pages.
    pub pages: usize,
    /// How many of them are for notes, so that the book has 24 pages and an even number.
    pub notes: usize,
    /// Margin at the spine, in points.
    pub inside: f64,
    /// Puzzles on a page.
    pub per_page: usize,
    /// Solutions on a page.
    pub solutions_per_page: usize,
}

/// Why a book cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BookError {
    /// Nothing to print.
    #[error("a book needs at least one puzzle")]
    Empty,
    /// A solution that is not the puzzle's.
    #[error("puzzle {number} and its solution do not belong together")]
    Solution {
        /// Number in the book, from 1.
        number: usize,
    },
    /// More symbols than there are digits and letters.
    #[error("a board of {0} has more symbols than there are digits and letters: order {max} at most", max = Shape::MAX_SOLVABLE_ORDER)]
    Order(Shape),
    /// More pages than printers bind.
    #[error(
        "{puzzles} puzzles make {pages} pages, printers bind {MAX_PAGES} at most: take fewer puzzles, or more on a page"
    )]
    TooManyPages {
        /// Pages it would have.
        pages: usize,
        /// Puzzles asked for.
        puzzles: usize,
    },
    /// Cells that are too small to write into, or to read.
    #[error(
        "boards of {shape}, {per_page} on a page of {trim}, have cells of {cell:.1} pt, too small to read or to write \
         into: put fewer on a page, or take a larger page"
    )]
    SmallCells {
        /// The shape.
        shape: Shape,
        /// Boards on a page.
        per_page: usize,
        /// Name of the trim size.
        trim: &'static str,
        /// Side of a cell in points.
        cell: f64,
    },
    /// Not large enough for large print.
    #[error(
        "large print needs a board of 4.5 in and digits of 18 pt; on {trim}, {shape} comes to {side:.2} in and \
         {digit:.1} pt: take a larger page"
    )]
    LargePrint {
        /// The shape.
        shape: Shape,
        /// Name of the trim size.
        trim: &'static str,
        /// Side of the board in inches.
        side: f64,
        /// Size of a digit in points.
        digit: f64,
    },
    /// Characters that the typeface cannot set.
    #[error("the {what} holds {characters}, which the book's typeface (Latin, Greek, Cyrillic) cannot set")]
    Characters {
        /// Title, author or imprint.
        what: &'static str,
        /// The characters, as Rust escapes them.
        characters: String,
    },
    /// A text without a word.
    #[error("the {0} is empty")]
    NoWords(&'static str),
    /// A text that is too long for its page.
    #[error("the {what} has {found} characters; {most} at most")]
    TooLong {
        /// Title or author.
        what: &'static str,
        /// Characters it has.
        found: usize,
        /// Characters it may have.
        most: usize,
    },
    /// An imprint that is too long for its page.
    #[error("the imprint takes {lines} lines, and its page has room for {room}")]
    LongImprint {
        /// Lines it takes.
        lines: usize,
        /// Lines there are.
        room: usize,
    },
    /// A font file of the program is damaged.
    #[error("the font {0} cannot be used")]
    Font(&'static str),
}

/// The most characters of a title or an author's name.
const MAX_TITLE: usize = 200;
/// The most characters of an imprint, before its lines are counted.
const MAX_IMPRINT: usize = 20_000;

impl Words {
    /// Checks and tidies the words of a book; an imprint that is not given says where the puzzles come from.
    ///
    /// # Errors
    /// [`BookError::NoWords`], [`BookError::TooLong`] or [`BookError::Characters`].
    pub fn new(title: &str, author: Option<&str>, imprint: Option<&str>) -> Result<Words, BookError> {
        let typeface = Typeface::open()?;
        let title = check(&typeface, "title", title, MAX_TITLE)?;
        let author = author.map(|author| check(&typeface, "author", author, MAX_TITLE)).transpose()?;
        let imprint = match imprint {
            Some(text) => {
                check(&typeface, "imprint", text, MAX_IMPRINT)?;
                text.trim_end().lines().map(tidy).collect()
            }
            None => usual_imprint(&title, author.as_deref()),
        };
        Ok(Words { title, author, imprint })
    }
}

fn check(typeface: &Typeface, what: &'static str, text: &str, most: usize) -> Result<String, BookError> {
    let tidied = tidy(text);
    let found = tidied.chars().count();
    if found == 0 {
        return Err(BookError::NoWords(what));
    }
    if found > most {
        return Err(BookError::TooLong { what, found, most });
    }
    let missing = typeface.missing(&tidied);
    if !missing.is_empty() {
        let shown: Vec<String> = missing.iter().take(10).map(|character| format!("{character:?}")).collect();
        return Err(BookError::Characters { what, characters: shown.join(", ") });
    }
    Ok(tidied)
}

fn usual_imprint(title: &str, author: Option<&str>) -> Vec<String> {
    let program = concat!("The puzzles were made, rated and set by sudoku-corpus ", env!("CARGO_PKG_VERSION"), ".");
    let lines = [
        title,
        author.unwrap_or_default(),
        "",
        program,
        "Every puzzle has exactly one solution.",
        "Typeface: IBM Plex Sans.",
    ];
    let there = |(at, line): &(usize, &str)| *at == 2 || !line.is_empty();
    lines.into_iter().enumerate().filter(there).map(|(_, line)| line.to_owned()).collect()
}

/// Puzzles in the order of a book: by level, unrated ones last; within a level small boards first, else as given.
pub fn order(entries: &mut [Entry]) {
    entries.sort_by_key(|entry| {
        let shape = entry.puzzle.shape();
        (entry.level.is_none(), entry.level, shape.order(), shape.box_rows())
    });
}

/// Makes a book of puzzles, ordered by level first. The same puzzles, words and options give the same bytes.
///
/// # Errors
/// See [`BookError`].
pub fn make(mut entries: Vec<Entry>, words: &Words, options: &Options) -> Result<Book, BookError> {
    order(&mut entries);
    check_entries(&entries)?;
    let typeface = Typeface::open()?;
    let plan = plan::plan(&typeface, &entries, options)?;
    let pages: Result<Vec<Vec<Item>>, BookError> =
        (0..plan.pages.len()).map(|page| draw(&typeface, &plan, page, &entries, words)).collect();
    let document = Document {
        typeface: &typeface,
        title: &words.title,
        author: words.author.as_deref(),
        trim: options.trim,
        bleed: options.bleed,
        pages: pages?,
        front: plan.front,
        bookmarks: bookmarks(&plan),
    };
    Ok(Book {
        pdf: pdf::write(&document)?,
        pages: plan.pages.len(),
        notes: plan.notes(),
        inside: plan.sheet.inside,
        per_page: plan.puzzles.per_page(),
        solutions_per_page: plan.solutions.per_page(),
    })
}

fn check_entries(entries: &[Entry]) -> Result<(), BookError> {
    if entries.is_empty() {
        return Err(BookError::Empty);
    }
    for (at, entry) in entries.iter().enumerate() {
        if !entry.puzzle.shape().is_solvable() {
            return Err(BookError::Order(entry.puzzle.shape()));
        }
        if !entry.puzzle.is_part_of(&entry.solution) {
            return Err(BookError::Solution { number: at + 1 });
        }
    }
    Ok(())
}

/// Draws a page.
fn draw(
    typeface: &Typeface,
    plan: &Plan,
    page: usize,
    entries: &[Entry],
    words: &Words,
) -> Result<Vec<Item>, BookError> {
    let mut canvas = Canvas::new(typeface);
    let block = plan.sheet.block(plan.is_recto(page));
    let kind = &plan.pages[page];
    match kind {
        Kind::Title => front::title(&mut canvas, plan, block, entries, words),
        Kind::Imprint => front::imprint(&mut canvas, plan, block, words)?,
        Kind::Contents => front::contents(&mut canvas, plan, plan.type_sizes.column(block)),
        Kind::HowTo(number) => {
            let mut area = plan.type_sizes.column(block);
            if *number == 0 {
                area.y = front::chapter(&mut canvas, plan, block, "How to play");
            }
            plan.how_to[*number].draw(&mut canvas, plan.type_sizes.style(), area);
        }
        Kind::Part(number) => front::part(&mut canvas, plan, block, *number),
        Kind::Puzzles(range) => leaves::puzzles(&mut canvas, plan, page, entries, range.clone()),
        Kind::Solutions(range) => leaves::solutions(&mut canvas, plan, page, entries, range.clone()),
        Kind::Notes => front::notes(&mut canvas, plan, block),
        Kind::Blank => {}
    }
    if !matches!(kind, Kind::Title | Kind::Imprint | Kind::Part(_) | Kind::Blank) {
        leaves::page_number(&mut canvas, plan, page);
    }
    Ok(canvas.finish())
}

/// The outline: chapters, levels with their pages of puzzles, solutions with their pages.
fn bookmarks(plan: &Plan) -> Vec<Bookmark> {
    let leaf = |title: String, page| Bookmark { title, page, below: Vec::new() };
    let chapter = |title: &str, is: fn(&Kind) -> bool| plan.first(is).map(|page| leaf(title.to_owned(), page));
    let mut bookmarks: Vec<Bookmark> = [
        chapter("Contents", |kind| *kind == Kind::Contents),
        chapter("How to play", |kind| matches!(kind, Kind::HowTo(_))),
    ]
    .into_iter()
    .flatten()
    .collect();
    for (number, part) in plan.parts.iter().enumerate() {
        let pages = plan.pages.iter().enumerate().filter_map(|(page, kind)| match kind {
            Kind::Puzzles(range) if part.puzzles.contains(&range.start) => {
                Some(leaf(front::range_name(range.start, range.end), page))
            }
            _ => None,
        });
        let below: Vec<Bookmark> = pages.collect();
        let opening = plan.first(|kind| *kind == Kind::Part(number)).or_else(|| Some(below.first()?.page));
        if let Some(page) = opening {
            bookmarks.push(Bookmark { title: front::part_name(part.level).to_owned(), page, below });
        }
    }
    let solutions = plan.pages.iter().enumerate().filter_map(|(page, kind)| match kind {
        Kind::Solutions(range) => Some(leaf(front::range_name(range.start, range.end), page)),
        _ => None,
    });
    let below: Vec<Bookmark> = solutions.collect();
    if let Some(page) = below.first().map(|first| first.page) {
        bookmarks.push(Bookmark { title: "Solutions".into(), page, below });
    }
    bookmarks
}

/// The name of a level in print.
fn level_name(level: Level) -> &'static str {
    match level {
        Level::Easy => "Easy",
        Level::Medium => "Medium",
        Level::Hard => "Hard",
        Level::Unfair => "Unfair",
        Level::Extreme => "Extreme",
        Level::Beyond => "Beyond",
    }
}
