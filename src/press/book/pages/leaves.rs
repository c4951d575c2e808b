//! Draws pages of puzzles and of solutions, and the head and foot of every page.

use std::ops::Range;

use crate::book::options::Answers;
use crate::book::pages::plan::{PageKind, PagePlan};
use crate::book::sheet::arrangement::{Arrangement, FootAnswers, STRIP_GAP};
use crate::draw::board::{Cells, Look, draw_board, draw_digits, draw_strip};
use crate::draw::canvas::{Canvas, Corner};
use crate::draw::measures::Area;
use crate::draw::text::typeface::Weight;
use crate::words::language::fill;
use sudoku_corpus_core::board::{Cell, Digits};
use sudoku_corpus_core::ladder::digits_at;

/// Draws a page of puzzles: number and level over each, the page of the solution at the inner foot.
pub(crate) fn puzzles(canvas: &mut Canvas<'_>, plan: &PagePlan<'_>, page: usize, range: &Range<usize>) {
    let (block, arrangement, text) = (plan.block(page), plan.page_of(range), plan.text);
    for (unit, index) in range.clone().enumerate() {
        let (board, entry) = (arrangement.board(block, unit), &text.entries[index]);
        let (puzzle, shape) = (&entry.puzzle, entry.puzzle.shape());
        let look = Look { mark: entry.line, ..arrangement.look };
        draw_board(canvas, board.x, board.y, shape, look);
        draw_digits(canvas, board.x, board.y, puzzle.grid(), look, |_| Weight::Medium);
        if text.options.candidates {
            let open_cells = (0..shape.cells()).map(Cell::new).filter(|cell| puzzle.grid().get(*cell).is_none());
            let candidates = open_cells.map(|cell| (cell, digits_at(puzzle, cell).unwrap_or(Digits::EMPTY)));
            Cells::of(board.x, board.y, shape, look).draw_candidates(canvas, candidates, look.symbols);
        }
        if text.options.strip {
            draw_strip(canvas, board.x, board.bottom() + look.cell_side * STRIP_GAP, shape.order(), look);
        }
        if let Some(second) = arrangement.second(block, unit) {
            draw_board(canvas, second.x, second.y, shape, look);
        }
        arrangement.draw_labels(canvas, board, &text.beside(index));
        canvas.link(board, plan.page_of_solution(index).filter(|solved| *solved != page));
    }
    if let Some(FootAnswers { arrangement, height }) = arrangement.answers.as_deref() {
        // Turned around the middle of their area, so that the first is on the left for a reader who turns the book.
        let area = Area { y: block.bottom() - height, height: *height, ..block };
        let mut upright = Canvas::new(canvas.composer);
        for (unit, index) in range.clone().enumerate() {
            solution(&mut upright, plan, arrangement, area, unit, index);
        }
        let centre = (area.x + area.width / 2.0, area.y + area.height / 2.0);
        for item in upright.finish() {
            canvas.push(item.turned(centre));
        }
    }
}

/// Draws a page of solutions: number and page of the puzzle over each.
pub(crate) fn solutions(canvas: &mut Canvas<'_>, plan: &PagePlan<'_>, page: usize, range: &Range<usize>) {
    let (block, sizes) = (plan.block(page), plan.sheet.sizes);
    let head = sizes.solutions_head();
    let title = Area { height: head - sizes.caption * 0.5, ..block };
    let name = plan.text.name_of_solutions(range);
    canvas.set(Weight::SemiBold, sizes.down_from(sizes.caption * 1.3), title, Corner::TopLeft, &name);
    let below = Area { y: block.y + head, height: block.height - head, ..block };
    let arrangement = &plan.arrangements_for(plan.text.shape(range.start)).solutions;
    for (unit, index) in range.clone().enumerate() {
        solution(canvas, plan, arrangement, below, unit, index);
        canvas.link(arrangement.board(below, unit), plan.page_of_puzzle(index));
    }
}

/// Draws a solved board with its number. Givens are bolder than the other digits.
fn solution(
    canvas: &mut Canvas<'_>,
    plan: &PagePlan<'_>,
    arrangement: &Arrangement,
    area: Area,
    unit: usize,
    index: usize,
) {
    let (board, entry) = (arrangement.board(area, unit), &plan.text.entries[index]);
    let page = plan.page_of_puzzle(index).map_or(String::new(), |page| plan.label(page));
    arrangement.draw_labels(canvas, board, &[plan.text.solved(index, &page)]);
    let (givens, look) = (entry.puzzle.grid().values(), Look { mark: entry.line, ..arrangement.look });
    draw_board(canvas, board.x, board.y, entry.puzzle.shape(), look);
    draw_digits(canvas, board.x, board.y, entry.solution.grid(), look, |cell| match givens[cell] {
        0 => Weight::Regular,
        _ => Weight::SemiBold,
    });
}

/// Writes the foot of a page: its number on the outer side; on the inner side of pages of puzzles the pages of
/// solutions, of pages of steps the puzzle whose steps begin the page.
pub(crate) fn foot(canvas: &mut Canvas<'_>, plan: &PagePlan<'_>, page: usize) {
    let (block, is_recto) = (plan.block(page), plan.is_recto(page));
    let (sizes, base, label) = (plan.sheet.sizes, plan.sheet.foot_line(), plan.label(page));
    let label_width = canvas.typeface.width(Weight::SemiBold, sizes.caption, &label);
    let label_x = if is_recto { block.right() - label_width } else { block.x };
    canvas.text(Weight::SemiBold, sizes.caption, label_x, base, &label);
    // The rest of the line.
    let (top, used) = (block.bottom() + sizes.small * 0.5, label_width + sizes.caption);
    let (x, corner) = if is_recto { (block.x, Corner::BottomLeft) } else { (block.x + used, Corner::BottomRight) };
    let area = Area { x, y: top, width: block.width - used, height: base - top };
    match &plan.pages[page] {
        PageKind::Steps(number) => {
            // The page may begin in the middle of a solution.
            canvas.set(Weight::Regular, sizes.down_from(sizes.small), area, corner, &plan.steps[*number].name);
        }
        PageKind::Puzzles(range) if plan.text.options.answers != Answers::Below => {
            let text = pages_of_solutions(plan, range);
            canvas.set(Weight::Regular, sizes.down_from(sizes.small), area, corner, &text);
            canvas.link(area, plan.page_of_solution(range.start));
        }
        _ => {}
    }
}

/// Where the solutions of puzzles are: "Solutions on pages 13, 14 and 15".
fn pages_of_solutions(plan: &PagePlan<'_>, range: &Range<usize>) -> String {
    let mut labels = Vec::new();
    for index in range.clone() {
        labels.push(plan.page_of_solution(index).map_or(String::new(), |page| plan.label(page)));
    }
    labels.dedup();
    let language = &plan.text.words.language;
    let text = match (labels.len(), range.len()) {
        (1, 1) => language.text("book.solution_on"),
        (1, _) => language.text("book.solutions_on"),
        _ => language.text("book.solutions_on_two"),
    };
    let last = labels.pop().unwrap_or_default();
    let others = if labels.is_empty() { last.clone() } else { labels.join(", ") };
    fill(text, &[("page", &others), ("other", &last)])
}

/// Writes the running head: the title of the book over left-hand pages, the section over right-hand pages.
pub(crate) fn running_head(canvas: &mut Canvas<'_>, plan: &PagePlan<'_>, page: usize) {
    let (block, sizes) = (plan.block(page), plan.sheet.sizes);
    let (size, base) = (sizes.small, plan.sheet.top - sizes.running_head() + sizes.small);
    let language = &plan.text.words.language;
    let text = match (&plan.pages[page], plan.is_recto(page)) {
        (_, false) => plan.text.words.title.clone(),
        (PageKind::Puzzles(range), true) if plan.sections.len() > 1 => {
            let section = plan.sections.iter().find(|section| section.puzzles.contains(&range.start));
            section.map_or(String::new(), |section| section.name.clone())
        }
        (PageKind::Puzzles(range), true) => plan.text.name_of_puzzles(range),
        (PageKind::Solutions(_), true) => language.text("book.solutions").to_owned(),
        (PageKind::Hints(_), true) => language.text("book.hints").to_owned(),
        (PageKind::Steps(_), true) => language.text("book.steps").to_owned(),
        _ => return,
    };
    // Smaller if it must be; otherwise the book is refused with the text.
    let natural = canvas.typeface.width(Weight::Regular, size, &text);
    let size = if natural > block.width { size * block.width / natural } else { size };
    if size < sizes.least {
        canvas.misfit.get_or_insert_with(|| text.clone());
    }
    match plan.is_recto(page) {
        true => canvas.text_left_of(Weight::Regular, size, block.right(), base, &text),
        false => canvas.text(Weight::Regular, size, block.x, base, &text),
    }
}
