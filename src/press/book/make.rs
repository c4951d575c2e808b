//! Makes a book: plans its pages, draws them and writes the file.

use crate::book::error::BookError;
use crate::book::options::{Answers, Entry, Options, Standard};
use crate::book::pages::plan::{PageKind, PagePlan, ShapeArrangements};
use crate::book::pages::{front, leaves, planner};
use crate::book::pdf::document::{self, Bookmark, Document};
use crate::book::pdf::pdf_x::Intent;
use crate::book::sheet::arrangement::SMALL_CELL;
use crate::book::text::manuscript::Manuscript;
use crate::book::text::steps;
use crate::book::text::wording::Wording;
use crate::book::trim::Trim;
use crate::book::{epub, play};
use crate::calendar::series::Day;
use crate::draw::canvas::{Canvas, Item, Link};
use crate::draw::measures::{Area, MILLIMETRE};
use crate::draw::symbols::SET_OF_SYMBOLS;
use crate::draw::text::compose::Composer;
use crate::draw::text::typeface::Typeface;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use sudoku_corpus_core::board::Puzzle;

/// A finished book.
#[derive(Clone, Debug, PartialEq)]
pub struct Book {
    /// The file.
    pub data: Vec<u8>,
    /// Number of pages.
    pub pages: usize,
    /// How many of these pages are for notes. They fill the book up to the least number that the printer binds, and an
    /// even one.
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

/// Makes a book of puzzles in a typeface. It orders them by level first, unless the options keep their order. The same
/// puzzles, words and options give the same bytes. `intent` is the printing condition of PDF/X.
///
/// # Errors
/// See [`BookError`].
pub fn make(
    mut entries: Vec<Entry>,
    words: &Wording,
    options: &Options,
    typeface: &Typeface,
    intent: &Intent,
) -> Result<Book, BookError> {
    options.order(&mut entries);
    options.check()?;
    check_entries(&entries, options)?;
    if options.spell {
        entries = entries.into_iter().map(Entry::spelled).collect();
    }
    let bold = options.large_print.then(|| typeface.bold());
    let typeface = bold.as_ref().unwrap_or(typeface);
    let words = &words.filled_in(entries.len());
    words.check_filled(typeface)?;
    // Pages name pictures, too.
    typeface.check(SET_OF_SYMBOLS, &options.symbols.own_names().unwrap_or_default().concat())?;
    options.symbols.check(typeface)?;
    // The plan says what stands on each page; then each page is drawn by itself.
    let composer = Composer::new(typeface, words.language.tag());
    let plan = planner::plan(composer, Manuscript::new(&entries, words, options))?;
    let warnings = warnings(&plan);
    // Each puzzle has a shape, and there is one.
    let first_shape = &plan.shapes[0];
    let drawn = (0..plan.pages.len()).into_par_iter().map(|page| draw(composer, &plan, page));
    let (pages, links) = drawn.collect::<Result<Vec<_>, BookError>>()?.into_iter().unzip();
    let bare = options.no_bookmarks || options.printer.forbids("bookmarks");
    let bookmarks = if bare { Vec::new() } else { bookmarks(&plan) };
    let document = Document { plan: &plan, intent, pages, links, bookmarks };
    Ok(Book {
        data: match options.standard {
            Standard::Epub => epub::write(&document)?,
            Standard::Play => play::page(&plan).into_bytes(),
            _ => document::write(&document)?,
        },
        pages: plan.pages.len(),
        notes: plan.notes(),
        inside: plan.sheet.inside,
        spine: options.printer.rules().thickness(plan.pages.len(), options.paper),
        per_page: first_shape.puzzles.per_page(),
        solutions_per_page: match options.answers {
            Answers::Below => first_shape.puzzles.per_page(),
            _ => first_shape.solutions.per_page(),
        },
        places: (0..entries.len()).map(|index| place(&plan, index)).collect(),
        warnings,
    })
}

/// The place of a puzzle, by its index in the order of the book.
fn place(plan: &PagePlan<'_>, index: usize) -> Place {
    let label = |page: Option<usize>| page.map_or(String::new(), |page| plan.label(page));
    let entry = &plan.text.entries[index];
    Place {
        number: plan.text.options.before + index + 1,
        day: entry.day,
        puzzle: entry.puzzle.clone(),
        level: plan.text.level(index).unwrap_or_default().to_owned(),
        page: label(plan.page_of_puzzle(index)),
        solution: label(plan.page_of_solution(index)),
    }
}

/// Warnings about choices that are allowed but may be regretted.
fn warnings(plan: &PagePlan<'_>) -> Vec<String> {
    let options = plan.text.options;
    let (trim, rules) = (options.trim, options.printer.rules());
    let mut warnings: Vec<String> =
        plan.shapes.iter().filter_map(|boards| warning_of_small_cells(boards, trim)).collect();
    if let Some(line) = options.thin_line() {
        warnings.push(format!("lines of {line} pt: {} asks for {} pt at least", rules.title, rules.line));
    }
    if !rules.binds(trim) && !options.standard.is_screen() {
        warnings.push(format!("{} does not bind pages of {trim}", rules.title));
    }
    warnings
}

/// The warning about boards of a shape whose cells are small. None for others.
fn warning_of_small_cells(boards: &ShapeArrangements, trim: Trim) -> Option<String> {
    let (board, cell) = (boards.shape.board(), boards.puzzles.look.cell_side);
    let millimetres = cell / MILLIMETRE;
    (cell < SMALL_CELL).then(|| {
        format!("{board}: its cells on {trim} are {cell:.1} pt ({millimetres:.1} mm) wide, small to write into")
    })
}

/// Refuses a book without puzzles, boards that do not fit, and solutions that are none of their puzzle.
fn check_entries(entries: &[Entry], options: &Options) -> Result<(), BookError> {
    if entries.is_empty() {
        return Err(BookError::Empty);
    }
    for entry in entries {
        options.check_shape(entry.puzzle.shape())?;
        if !entry.puzzle.is_part_of(&entry.solution) {
            return Err(BookError::Solution { puzzle: entry.puzzle.to_string() });
        }
    }
    Ok(())
}

/// The items and the links of a page, by its index. An error if something on it does not fit.
fn draw(composer: Composer<'_>, plan: &PagePlan<'_>, page: usize) -> Result<(Vec<Item>, Vec<Link>), BookError> {
    let mut canvas = Canvas::new(composer);
    let block = plan.block(page);
    let column = plan.sheet.sizes.column(block);
    let kind = &plan.pages[page];
    match kind {
        PageKind::Title => front::title(&mut canvas, plan, block),
        PageKind::Imprint => front::imprint(&mut canvas, plan, block),
        PageKind::Contents(number) => plan.contents[*number].draw(&mut canvas, plan, column),
        PageKind::HowTo(number) => {
            let how_to = plan.text.words.language.text("book.how_to_play");
            let y = if *number == 0 { front::chapter(&mut canvas, plan, block, how_to) } else { block.y };
            plan.how_to[*number].draw(&mut canvas, Area { y, ..column });
        }
        PageKind::Section(number) => front::section(&mut canvas, plan, block, &plan.sections[*number]),
        PageKind::Puzzles(range) => leaves::puzzles(&mut canvas, plan, page, range),
        PageKind::Hints(range) => plan.hints.draw(&mut canvas, plan, block, range),
        PageKind::Steps(number) => {
            let heading = plan.text.words.language.text("book.steps");
            let y = if *number == 0 { front::chapter(&mut canvas, plan, block, heading) } else { block.y };
            steps::draw(&plan.steps[*number], &mut canvas, block, y, &plan.sheet);
        }
        PageKind::Solutions(range) => leaves::solutions(&mut canvas, plan, page, range),
        PageKind::Notes => front::notes(&mut canvas, plan, block),
        PageKind::Front | PageKind::Back | PageKind::Blank => {}
    }
    // Pages without a number at their foot. A page that the publisher replaces has one: it is counted.
    let is_bare = matches!(kind, PageKind::Title | PageKind::Imprint | PageKind::Section(_) | PageKind::Blank);
    if !is_bare {
        leaves::foot(&mut canvas, plan, page);
        if plan.text.options.running_heads && page >= plan.front && *kind != PageKind::Back {
            leaves::running_head(&mut canvas, plan, page);
        }
    }
    match canvas.misfit.take() {
        Some(text) => Err(BookError::NoRoom { text, trim: plan.sheet.trim }),
        None => {
            let links = std::mem::take(&mut canvas.links);
            Ok((canvas.finish(), links))
        }
    }
}

/// The outline: chapters, levels with their pages of puzzles, solutions with their pages.
fn bookmarks(plan: &PagePlan<'_>) -> Vec<Bookmark> {
    let language = &plan.text.words.language;
    let single = |title: String, page| Bookmark { title, page, below: Vec::new() };
    let chapter = |title: &str, is_of_chapter: fn(&PageKind) -> bool| {
        plan.first(is_of_chapter).map(|page| single(title.to_owned(), page))
    };
    let mut bookmarks = Vec::new();
    bookmarks.extend(chapter(language.text("book.contents"), |kind| matches!(kind, PageKind::Contents(_))));
    bookmarks.extend(chapter(language.text("book.how_to_play"), |kind| matches!(kind, PageKind::HowTo(_))));
    for (number, section) in plan.sections.iter().enumerate() {
        let mut below = Vec::new();
        for (page, kind) in plan.pages.iter().enumerate() {
            if let PageKind::Puzzles(range) = kind
                && section.puzzles.contains(&range.start)
            {
                below.push(single(plan.text.name_of_puzzles(range), page));
            }
        }
        // A section without a page of its own opens with its first puzzles.
        let opening_page = plan.first(|kind| *kind == PageKind::Section(number));
        let page = opening_page.or_else(|| Some(below.first()?.page));
        bookmarks.extend(page.map(|page| Bookmark { title: section.name.clone(), page, below }));
    }
    bookmarks.extend(chapter(language.text("book.hints"), |kind| matches!(kind, PageKind::Hints(_))));
    if let Some(page) = plan.solutions_chapter() {
        let mut below = Vec::new();
        for (page, kind) in plan.pages.iter().enumerate() {
            if let PageKind::Solutions(range) = kind {
                below.push(single(plan.text.name_of_solutions(range), page));
            }
        }
        bookmarks.push(Bookmark { title: language.text("book.solutions").to_owned(), page, below });
    }
    bookmarks.extend(chapter(language.text("book.steps"), |kind| matches!(kind, PageKind::Steps(_))));
    bookmarks
}
