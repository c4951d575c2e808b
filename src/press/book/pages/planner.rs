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

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::book::error::BookError;
use crate::book::flow::TextBlock;
use crate::book::options::{Answers, Options};
use crate::book::pages::plan::{ContentsPage, HintTable, PageKind, PagePlan, ShapeArrangements};
use crate::book::sheet::arrangement::{Labels, Room};
use crate::book::sheet::margins::{Sheet, settle};
use crate::book::text::manuscript::Manuscript;
use crate::book::text::{howto, steps};
use crate::draw::text::compose::Composer;
use sudoku_corpus_core::board::Shape;

/// Plans a book of puzzles that are already in order. The gutter depends on the number of pages.
///
/// # Errors
/// See [`BookError`].
pub(crate) fn plan<'a>(composer: Composer<'a>, text: Manuscript<'a>) -> Result<PagePlan<'a>, BookError> {
    let step_texts = steps::told(composer, text);
    let plan = settle(text.options.printer.rules(), |gutter| {
        let plan = plan_with(composer, text, &step_texts, gutter)?;
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
    options.check()?;
    let room = Room { sheet: Sheet::new(options, 0.0), options, composer: None };
    let labels = Labels::default();
    let (mut pages, mut puzzles) = (0, 0);
    for (shape, count) in boards {
        options.check_shape(shape)?;
        puzzles += count;
        pages += count.div_ceil(room.puzzles(shape, &labels)?.per_page());
        let solutions = count.div_ceil(room.solutions(shape, &labels)?.per_page());
        pages += if options.answers == Answers::Below { 0 } else { solutions };
    }
    let least = if options.standard.is_screen() { 0 } else { options.printer.rules().least_pages };
    check_pages(pages.max(least), puzzles, options)
}

/// Refuses more pages than the printer binds, or than were asked for. For screens no printer limits them.
fn check_pages(pages: usize, puzzles: usize, options: &Options) -> Result<(), BookError> {
    let fewer = "take fewer puzzles, more on a page, or --volumes";
    let (most, limit) = match options.max_pages {
        None if options.standard.is_screen() => return Ok(()),
        Some(most) => (most, format!("the limit of --max-pages: leave it out, or {fewer}")),
        None => {
            let (rules, Options { trim, paper, .. }) = (options.printer.rules(), *options);
            let limit = format!("the limit of {} for {trim}, black ink on {} paper", rules.title, paper.name());
            (rules.most_pages(trim, paper), format!("{limit}: {fewer}; or set --max-pages"))
        }
    };
    if pages > most { Err(BookError::TooManyPages { pages, puzzles, most, limit }) } else { Ok(()) }
}

/// The plan with a given gutter. `step_texts` are the texts of the steps.
fn plan_with<'a>(
    composer: Composer<'a>,
    text: Manuscript<'a>,
    step_texts: &[TextBlock],
    gutter: f64,
) -> Result<PagePlan<'a>, BookError> {
    let sheet = Sheet::new(text.options, gutter);
    let room = Room { sheet, options: text.options, composer: Some(composer) };
    let shapes =
        text.shapes().into_iter().map(|shape| arrangements_of(&room, text, shape)).collect::<Result<_, _>>()?;
    let hints = HintTable::new(composer, &sheet, text)?;
    let how_to = howto::pages(composer, &sheet, text);
    let steps = steps::pages(composer, &sheet, text, step_texts);
    let (sections, contents, pages) = (text.sections(), Vec::new(), Vec::new());
    let mut plan =
        PagePlan { text, composer, sheet, shapes, sections, how_to, hints, steps, contents, pages, front: 0 };
    // The contents name pages, whose numbers depend on how many pages the contents take. At most three rounds, so that it
    // ends.
    for _ in 0..3 {
        lay_out(&mut plan);
        let contents = if text.options.no_contents { Vec::new() } else { ContentsPage::all(&plan) };
        let settled = contents.len() == plan.contents.len();
        plan.contents = contents;
        if settled {
            break;
        }
    }
    Ok(plan)
}

fn arrangements_of(room: &Room<'_>, text: Manuscript<'_>, shape: Shape) -> Result<ShapeArrangements, BookError> {
    let labels = text.labels(shape);
    let puzzles = room.puzzles(shape, &labels)?;
    let full = puzzles.per_page();
    let mut counts = BTreeSet::new();
    for section in text.sections() {
        let pieces = pieces(text, section.puzzles, true, |_| full);
        let pieces = pieces.iter().filter(|piece| text.shape(piece.start) == shape);
        counts.extend(pieces.map(Range::len));
    }
    // A page that is not full has an arrangement for its number of puzzles.
    let mut fewer = BTreeMap::new();
    for count in counts.into_iter().filter(|&count| count < full) {
        fewer.insert(count, room.some_puzzles(shape, count, &labels, puzzles.look.cell_side)?);
    }
    let solutions = room.solutions(shape, &labels)?;
    Ok(ShapeArrangements { shape, fewer, puzzles, solutions })
}

/// Decides what each page holds, from the first to the last, and which page has the number 1.
fn lay_out(plan: &mut PagePlan<'_>) {
    let (options, count) = (plan.text.options, plan.text.entries.len());
    lay_out_front(plan);
    for (number, section) in plan.sections.clone().into_iter().enumerate() {
        if plan.sections.len() > 1 && !options.no_dividers {
            pad_to_right_hand(plan);
            plan.pages.push(PageKind::Section(number));
        }
        lay_out_section(plan, section.puzzles);
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
    if !options.standard.is_screen() {
        let pages = plan.pages.len() + options.back_pages;
        let even_count = pages.max(options.printer.rules().least_pages).next_multiple_of(2);
        plan.pages.extend(std::iter::repeat_n(PageKind::Notes, even_count - pages));
    }
    plan.pages.extend(std::iter::repeat_n(PageKind::Back, options.back_pages));
}

fn lay_out_front(plan: &mut PagePlan<'_>) {
    plan.pages = match plan.text.options.front_pages {
        0 => vec![PageKind::Title, PageKind::Imprint],
        count => vec![PageKind::Front; count],
    };
    if !plan.contents.is_empty() {
        pad_to_right_hand(plan);
    }
    plan.pages.extend((0..plan.contents.len()).map(PageKind::Contents));
    plan.pages.extend((0..plan.how_to.len()).map(PageKind::HowTo));
    if !plan.text.options.standard.is_screen() && !plan.pages.len().is_multiple_of(2) {
        plan.pages.push(PageKind::Notes);
    }
    plan.front = plan.pages.len();
}

/// The puzzles of a section, with their solutions if these stand overleaf or at its end.
fn lay_out_section(plan: &mut PagePlan<'_>, puzzles: Range<usize>) {
    let answers = plan.text.options.answers;
    for piece in pieces(plan.text, puzzles.clone(), true, |shape| plan.arrangements_for(shape).puzzles.per_page()) {
        if answers == Answers::Overleaf {
            pad_to_right_hand(plan);
        }
        plan.pages.push(PageKind::Puzzles(piece.clone()));
        if answers == Answers::Overleaf {
            plan.pages.extend(solutions(plan, piece));
        }
    }
    if answers == Answers::Level {
        plan.pages.extend(solutions(plan, puzzles));
    }
}

fn solutions(plan: &PagePlan<'_>, puzzles: Range<usize>) -> Vec<PageKind> {
    let pieces = pieces(plan.text, puzzles, false, |shape| plan.arrangements_for(shape).solutions.per_page());
    pieces.into_iter().map(PageKind::Solutions).collect()
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
        let end = (start..range.end).find(|&index| text.shape(index) != shape).unwrap_or(range.end);
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
    use crate::book::{Entry, Wording};

    #[test]
    fn pages_are_filled_by_shape_and_the_last_one_is_not_left_with_one_board() {
        let pieces = |counts: &[(&str, usize)], even: bool, size: usize| {
            let entries: Vec<Entry> = counts
                .iter()
                .flat_map(|&(shape, count)| (0..count).map(move |_| shape))
                .map(crate::book::tests::entry)
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
