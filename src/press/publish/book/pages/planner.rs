//! Plans a book: decides what each page holds.
//!
//! ```text
//!   i  title   ii  imprint   iii  contents   iv ..  how to play       numbered i, ii, iii, an even number of pages
//!   1  section "Easy"   2 ..  puzzles   n  section "Medium"  ..       sections and solutions begin on right-hand pages
//!   m ..  hints, solutions, steps   ..  notes                         filled up to the least number, and even
//! ```
//!
//! Editions for screens have no blank pages and no pages for notes. A book of one section has no pages that open
//! sections. A page holds boards of one shape. Alternatively, solutions are at the end of each section, on the page
//! after each page of puzzles, or upside down below the puzzles. The pages before page 1 end with one for notes where
//! it would be empty.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::publish::book::error::BookError;
use crate::publish::book::options::{Answers, Options, Sections};
use crate::publish::book::pages::plan::{ContentsPage, HintTable, OfShape, PageKind, PagePlan};
use crate::publish::book::printer::Printer;
use crate::publish::book::sheet::arrangement::{Labels, Room};
use crate::publish::book::sheet::margins::{Sheet, settle};
use crate::publish::book::text::manuscript::{Manuscript, Section};
use crate::publish::book::text::{howto, steps};
use crate::publish::book::trim::Bleed;
use crate::publish::draw::compose::Composer;
use crate::publish::draw::flow::TextBlock;
use sudoku_corpus_core::board::Shape;

/// Plans a book of puzzles that are already in order. `own` is the number of the publisher's own pages in place of
/// title page and imprint, and at the end. The gutter depends on the number of pages.
///
/// # Errors
/// See [`BookError`].
pub(crate) fn plan<'a>(
    composer: Composer<'a>,
    text: Manuscript<'a>,
    own: (usize, usize),
) -> Result<PagePlan<'a>, BookError> {
    let told = steps::told(composer, text);
    let plan = settle(text.options.printer.rules(), |gutter| {
        let plan = plan_with(composer, text, own, &told, gutter)?;
        let pages = plan.pages.len();
        Ok::<_, BookError>((plan, pages))
    })?;
    check_pages(plan.pages.len(), text.entries.len(), text.options).map(|()| plan)
}

/// Refuses a book that cannot be made, before its puzzles are rated. `boards` is the number of boards of each shape.
/// Only the pages that the book has in any case are counted: full pages of puzzles and of solutions, without a gutter.
///
/// # Errors
/// [`BookError::TooManyPages`]; [`BookError::Printer`] and [`BookError::Sections`] for options;
/// [`BookError::SmallCells`] and others for a shape.
pub fn check(boards: impl IntoIterator<Item = (Shape, usize)>, options: &Options) -> Result<(), BookError> {
    check_options(options)?;
    let room = Room { sheet: Sheet::new(options, 0.0), options, composer: None };
    let labels = Labels::default();
    let (mut pages, mut puzzles) = (0, 0);
    for (shape, count) in boards {
        check_shape(shape, options)?;
        puzzles += count;
        pages += count.div_ceil(room.puzzles(shape, &labels)?.per_page());
        let solutions = count.div_ceil(room.solutions(shape, &labels)?.per_page());
        pages += if options.answers == Answers::Below { 0 } else { solutions };
    }
    check_pages(pages, puzzles, options)
}

/// Refuses options that the printer of the book refuses ([`BookError::Printer`]), or that contradict each other
/// ([`BookError::Sections`]).
pub(crate) fn check_options(options: &Options) -> Result<(), BookError> {
    if options.sections == Sections::Board && options.answers == Answers::Level {
        return Err(BookError::Sections);
    }
    let Options { printer, trim, bleed, lines, standard, crop_marks, .. } = *options;
    let rules = printer.rules();
    let thin = lines.map(|(boxes, cells)| boxes.min(cells)).filter(|line| *line < rules.line);
    let rule = if printer == Printer::None {
        None
    } else if !rules.binds(trim) {
        Some(format!("pages of {trim} are not bound: {}", rules.sizes()))
    } else if bleed != Bleed::None && bleed != rules.bleed() {
        Some("the bleed is at top, bottom and outside only: --bleed without a length".to_owned())
    } else if crop_marks && printer.forbids("marks") {
        Some("crop marks are refused".to_owned())
    } else if let Some(line) = thin {
        Some(format!("lines of {line} pt are too thin: {} pt at least", rules.line))
    } else if !rules.standards.iter().any(|name| name == standard.name()) {
        let dated = if rules.standards[0].starts_with('x') { " with --date DAY" } else { "" };
        Some(format!("the file must be {}{dated}; {standard} was asked for", rules.standards.join(" or ")))
    } else {
        None
    };
    rule.map_or(Ok(()), |rule| Err(BookError::Printer { printer, rule }))
}

/// Refuses boards that cannot be printed.
pub(crate) fn check_shape(shape: Shape, options: &Options) -> Result<(), BookError> {
    match shape.order() {
        _ if !shape.is_solvable() => Err(BookError::Order(shape)),
        order if options.spell && (options.symbols.word().is_none() || order != options.symbols.reach()) => {
            Err(BookError::Word(shape))
        }
        order if order > options.symbols.reach() => Err(BookError::Symbols { shape, most: options.symbols.reach() }),
        _ => Ok(()),
    }
}

/// Refuses more pages than the printer binds, or than were asked for. For screens no printer limits them.
fn check_pages(pages: usize, puzzles: usize, options: &Options) -> Result<(), BookError> {
    let (most, limit) = match options.max_pages {
        None if options.standard.is_screen() => return Ok(()),
        Some(most) => (most, "the limit that was asked for".to_owned()),
        None => {
            let (rules, Options { trim, paper, .. }) = (options.printer.rules(), *options);
            let limit = format!("the limit of {} for {trim}, black ink on {} paper", rules.title, paper.name());
            (rules.most_pages(trim, paper), limit)
        }
    };
    if pages > most { Err(BookError::TooManyPages { pages, puzzles, most, limit }) } else { Ok(()) }
}

/// The plan with a given gutter. `own` are the numbers of the publisher's pages at the front and at the back, `told` is
/// the text of the steps.
fn plan_with<'a>(
    composer: Composer<'a>,
    text: Manuscript<'a>,
    own: (usize, usize),
    told: &[TextBlock],
    gutter: f64,
) -> Result<PagePlan<'a>, BookError> {
    let sheet = Sheet::new(text.options, gutter);
    let room = Room { sheet, options: text.options, composer: Some(composer) };
    let arranged = |shape: Shape| {
        let labels = text.labels(shape);
        let puzzles = room.puzzles(shape, &labels)?;
        let full = puzzles.per_page();
        let sections = text.sections().into_iter().flat_map(|section| pieces(text, section.puzzles, true, |_| full));
        let counts = sections.filter(|piece| text.shape(piece.start) == shape).map(|piece| piece.len());
        // A page that is not full has an arrangement for its number of puzzles.
        let fewer = counts
            .filter(|count| *count < full)
            .collect::<BTreeSet<usize>>()
            .into_iter()
            .map(|count| Ok((count, room.some_puzzles(shape, count, &labels, puzzles.look.cell)?)));
        let fewer = fewer.collect::<Result<_, BookError>>()?;
        Ok(OfShape { shape, fewer, puzzles, solutions: room.solutions(shape, &labels)? })
    };
    let shapes = text.shapes().into_iter().map(arranged).collect::<Result<Vec<_>, BookError>>()?;
    let hints = HintTable::new(composer, &sheet, text)?;
    let how_to = howto::pages(composer, &sheet, text);
    let steps = steps::pages(composer, &sheet, told);
    let (sections, contents, pages) = (text.sections(), Vec::new(), Vec::new());
    let mut plan =
        PagePlan { text, composer, sheet, shapes, sections, how_to, hints, steps, contents, pages, front: 0 };
    // The contents name pages, whose numbers depend on how many pages the contents take.
    for _ in 0..3 {
        lay_out(&mut plan, own);
        let contents = if text.options.no_contents { Vec::new() } else { ContentsPage::all(&plan) };
        let settled = contents.len() == plan.contents.len();
        plan.contents = contents;
        if settled {
            break;
        }
    }
    Ok(plan)
}

/// Decides what each page holds, from the first to the last, and which page has the number 1. `own`: number of own
/// pages instead of title page and imprint, and at the end.
fn lay_out(plan: &mut PagePlan<'_>, own: (usize, usize)) {
    let (options, count) = (plan.text.options, plan.text.entries.len());
    plan.pages = match own.0 {
        0 => vec![PageKind::Title, PageKind::Imprint],
        count => (0..count).map(PageKind::Front).collect(),
    };
    let contents = plan.contents.len();
    if contents > 0 {
        pad_to_right_hand(plan);
    }
    plan.pages.extend((0..contents).map(PageKind::Contents));
    plan.pages.extend((0..plan.how_to.len()).map(PageKind::HowTo));
    if !options.standard.is_screen() && !plan.pages.len().is_multiple_of(2) {
        plan.pages.push(PageKind::Notes);
    }
    plan.front = plan.pages.len();
    let solutions = |plan: &PagePlan<'_>, range: Range<usize>| -> Vec<PageKind> {
        let pieces = pieces(plan.text, range, false, |shape| plan.of_shape(shape).solutions.per_page());
        pieces.into_iter().map(PageKind::Solutions).collect()
    };
    for (number, Section { puzzles, .. }) in plan.sections.clone().into_iter().enumerate() {
        if plan.sections.len() > 1 && !options.no_dividers {
            pad_to_right_hand(plan);
            plan.pages.push(PageKind::Section(number));
        }
        for piece in pieces(plan.text, puzzles.clone(), true, |shape| plan.of_shape(shape).puzzles.per_page()) {
            let overleaf = options.answers == Answers::Overleaf;
            if overleaf {
                pad_to_right_hand(plan);
            }
            plan.pages.push(PageKind::Puzzles(piece.clone()));
            if overleaf {
                plan.pages.extend(solutions(plan, piece));
            }
        }
        if options.answers == Answers::Level {
            plan.pages.extend(solutions(plan, puzzles));
        }
    }
    if options.hints {
        let per_page = plan.hints.per_page();
        let starts = (0..count).step_by(per_page);
        plan.pages.extend(starts.map(|start| PageKind::Hints(start..(start + per_page).min(count))));
    }
    if options.answers == Answers::End {
        pad_to_right_hand(plan);
        plan.pages.extend(solutions(plan, 0..count));
    }
    plan.pages.extend((0..plan.steps.len()).map(PageKind::Steps));
    let (least, is_screen) = (options.printer.rules().least_pages, options.standard.is_screen());
    let is_open = |pages: usize| pages < least || !pages.is_multiple_of(2);
    while !is_screen && is_open(plan.pages.len() + own.1) {
        plan.pages.push(PageKind::Notes);
    }
    plan.pages.extend((0..own.1).map(PageKind::Back));
}

/// Leaves a page empty if the next one would be a left-hand page.
fn pad_to_right_hand(plan: &mut PagePlan<'_>) {
    if !plan.text.options.standard.is_screen() && !plan.pages.len().is_multiple_of(2) {
        plan.pages.push(PageKind::Blank);
    }
}

/// Divides positions into pieces of one shape and of a given size. If `even` is set and fewer than size / 2 (rounded
/// down) puzzles would be left for the last piece, the last two pieces share their puzzles: at size 4, nine puzzles are
/// divided into 4, 3 and 2.
fn pieces(text: Manuscript<'_>, range: Range<usize>, even: bool, size: impl Fn(Shape) -> usize) -> Vec<Range<usize>> {
    let mut pieces: Vec<Range<usize>> = Vec::new();
    let mut start = range.start;
    while start < range.end {
        let shape = text.shape(start);
        let end = (start..range.end).find(|&at| text.shape(at) != shape).unwrap_or(range.end);
        let (left, size) = (end - start, size(shape).max(1));
        let is_shared = even && (size + 1..size + size / 2).contains(&left);
        let taken = if is_shared { left - left / 2 } else { left.min(size) };
        pieces.push(start..start + taken);
        start += taken;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::publish::book::{Entry, Wording};

    #[test]
    fn pages_are_filled_by_shape_and_the_last_one_is_not_left_with_one_board() {
        let pieces = |counts: &[(&str, usize)], even: bool, size: usize| {
            let entries: Vec<Entry> = counts
                .iter()
                .flat_map(|&(shape, count)| (0..count).map(move |_| shape))
                .map(crate::publish::book::tests::entry)
                .collect();
            let (words, options) = (Wording::new("x", None, None).unwrap(), Options::default());
            let text = Manuscript::new(&entries, &words, &options);
            pieces(text, 0..entries.len(), even, |_| size).iter().map(Range::len).collect::<Vec<_>>()
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
