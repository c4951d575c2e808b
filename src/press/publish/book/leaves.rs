//! Pages of puzzles and of solutions, and the head and foot of every page.

use std::ops::Range;

use super::board::{draw_digits, draw_lines};
use super::canvas::{Canvas, Ink, Item};
use super::front::range_name;
use super::howto::board_name;
use super::plan::{PageKind, Part, Plan};
use super::sheet::Area;
use super::sizes::{self, Arrangement, solutions_head};
use super::typeface::Weight;
use super::{Answers, Difficulty, Entry, Words};
use crate::publish::words::fill;
use sudoku_corpus_core::rate::TECHNIQUES;

/// The gray of the stars and bars that are not filled.
const FAINT: Ink = Ink::Gray(0.75);

/// A page with boards.
pub struct Leaf<'a> {
    /// The plan of the book.
    pub plan: &'a Plan,
    /// Position of the page.
    pub page: usize,
    /// All puzzles of the book.
    pub entries: &'a [Entry],
    /// The positions of the puzzles of this page.
    pub range: Range<usize>,
    /// The words of the book.
    pub words: &'a Words,
}

/// A page of puzzles: number and level over each, the page of the solution at the inner foot.
pub fn puzzles(canvas: &mut Canvas<'_>, leaf: &Leaf<'_>) {
    let Leaf { plan, page, entries, ref range, words } = *leaf;
    let block = plan.sheet.block(plan.is_recto(page));
    let arrangement = plan.page_of(entries[range.start].puzzle.shape(), range.len());
    let look = arrangement.look;
    for (place, at) in range.clone().enumerate() {
        let entry = &entries[at];
        let board = arrangement.board(block, place);
        caption(canvas, plan, &arrangement, board, at, entry, words);
        draw_lines(canvas, board.x, board.y, entry.puzzle.shape(), look);
        draw_digits(canvas, board.x, board.y, entry.puzzle.grid(), look, |_| Weight::Medium);
        below(canvas, plan, board, entry, words);
    }
    if plan.options.answers == Answers::Below {
        answers(canvas, plan, block, entries, range.clone());
    } else {
        where_solved(canvas, plan, page, range.clone(), words);
    }
}

/// Over a board: its number or day on the left, its difficulty on the right.
fn caption(
    canvas: &mut Canvas<'_>,
    plan: &Plan,
    arrangement: &Arrangement,
    board: Area,
    at: usize,
    entry: &Entry,
    words: &Words,
) {
    let size = plan.type_sizes.caption;
    let base = board.y - arrangement.caption + size;
    let mixed = plan.shapes.len() > 1;
    let name = mixed.then(|| board_name(entry.puzzle.shape(), &words.language));
    let level = entry.level.and_then(|level| words.levels.get(level)).map(|level| level.name.clone());
    let mut right = board.right();
    let drawn = plan.options.difficulty;
    if let (Difficulty::Stars | Difficulty::Bars, Some(level)) = (drawn, entry.level) {
        right = signs(canvas, drawn, level + 1, words.levels.len(), right, base, size) - size * 0.6;
    }
    let level = level.filter(|_| drawn == Difficulty::Words);
    let text = [name, level].into_iter().flatten().collect::<Vec<_>>().join(" · ");
    canvas.text_left_of(Weight::Regular, size, right, base, &text);
    let free = right - board.x - canvas.typeface.width(Weight::Regular, size, &text) - size * 0.5;
    match entry.day {
        None => canvas.text(Weight::SemiBold, size * 1.3, board.x, base, &(at + 1).to_string()),
        Some(day) => {
            // On narrow boards a day is written smaller, so that it does not run into the level.
            let text = words.day(day);
            let wide = canvas.typeface.width(Weight::SemiBold, size * 1.1, &text);
            let size = (size * 1.1).min(size * 1.1 * free / wide).max(sizes::smallest(&plan.options));
            canvas.text(Weight::SemiBold, size, board.x, base, &text);
        }
    }
}

/// Stars or bars, `filled` of `all`, that end at `right`. Returns their left edge.
fn signs(
    canvas: &mut Canvas<'_>,
    drawn: Difficulty,
    filled: usize,
    all: usize,
    right: f64,
    base: f64,
    size: f64,
) -> f64 {
    let step = if drawn == Difficulty::Stars { size * 1.02 } else { size * 0.5 };
    let left = right - step * all as f64;
    for at in 0..all {
        let x = left + at as f64 * step;
        let item = match drawn {
            Difficulty::Stars => Item::star((x + step / 2.0, base - size * 0.36), size * 0.47),
            _ => {
                let height = size * (0.3 + 0.5 * (at + 1) as f64 / all as f64);
                Item::block(Area { x: x + step * 0.25, y: base - height, width: step * 0.75, height })
            }
        };
        match at < filled {
            true => canvas.push(item),
            false => canvas.inked(FAINT, item),
        }
    }
    left
}

/// Below a board: the hardest technique, the name, and a line for the time.
fn below(canvas: &mut Canvas<'_>, plan: &Plan, board: Area, entry: &Entry, words: &Words) {
    let size = plan.type_sizes.small;
    let mut base = board.bottom();
    if plan.options.technique {
        base += size * 1.6;
        if let Some(technique) = entry.technique {
            let row = &TECHNIQUES[technique as usize];
            canvas.text(Weight::Regular, size, board.x, base, words.language.technique(row.code, row.name));
        }
    }
    if plan.options.names {
        base += size * 1.6;
        canvas.text(Weight::Regular, size, board.x, base, entry.name.as_deref().unwrap_or_default());
    }
    if plan.options.time {
        base += size * 1.6;
        let text = &words.language.texts().book.time;
        canvas.text(Weight::Regular, size, board.x, base, text);
        let from = board.x + canvas.typeface.width(Weight::Regular, size, text) + size * 0.5;
        canvas.rule(from, base + 1.0, (board.right() - from).min(size * 9.0), 0.4);
    }
}

/// Answers upside down at the foot of a page. Turning them around the middle of their area makes the first the last, so
/// they are set from right to left.
fn answers(canvas: &mut Canvas<'_>, plan: &Plan, block: Area, entries: &[Entry], range: Range<usize>) {
    let shape = entries[range.start].puzzle.shape();
    let height = block.height * sizes::ANSWERS_BELOW - plan.type_sizes.caption;
    let area = Area { y: block.bottom() - height, height, ..block };
    let arrangement = plan.room().answers_below(shape, range.len());
    let mut inner = Canvas::new(canvas.typeface);
    let count = range.len();
    for (place, at) in range.enumerate() {
        let board = arrangement.board(area, count - 1 - place);
        solution(&mut inner, plan, &arrangement, board, at, &entries[at]);
    }
    let centre = (area.x + area.width / 2.0, area.y + area.height / 2.0);
    canvas.push(Item::Turned(centre, inner.finish()));
}

/// At the inner foot: the pages of the solutions.
fn where_solved(canvas: &mut Canvas<'_>, plan: &Plan, page: usize, range: Range<usize>, words: &Words) {
    let block = plan.sheet.block(plan.is_recto(page));
    let texts = &words.language.texts().book;
    let (Some(first), Some(last)) = (plan.page_of_solution(range.start), plan.page_of_solution(range.end - 1)) else {
        return;
    };
    let text = match (first == last, range.len()) {
        (true, 1) => &texts.solution_on,
        (true, _) => &texts.solutions_on,
        (false, _) => &texts.solutions_on_two,
    };
    let text = fill(text, &[("page", &plan.label(first)), ("other", &plan.label(last))]);
    let (small, y) = (plan.type_sizes.small, plan.sheet.foot_line());
    match plan.is_recto(page) {
        true => canvas.text(Weight::Regular, small, block.x, y, &text),
        false => canvas.text_left_of(Weight::Regular, small, block.right(), y, &text),
    }
}

/// A page of solutions: number and page of the puzzle over each.
pub fn solutions(canvas: &mut Canvas<'_>, leaf: &Leaf<'_>) {
    let Leaf { plan, page, entries, ref range, words } = *leaf;
    let block = plan.sheet.block(plan.is_recto(page));
    let sizes = plan.type_sizes;
    let texts = &words.language.texts().book;
    let name = if range.len() == 1 { &texts.solution } else { &texts.solution_range };
    let name = fill(name, &[("first", &(range.start + 1).to_string()), ("last", &range.end.to_string())]);
    canvas.text(Weight::SemiBold, sizes.caption * 1.3, block.x, block.y + sizes.caption, &name);
    let head = solutions_head(sizes);
    let below = Area { y: block.y + head, height: block.height - head, ..block };
    let arrangement = plan.arrangements(entries[range.start].puzzle.shape()).1;
    for (place, at) in range.clone().enumerate() {
        let board = arrangement.board(below, place);
        solution(canvas, plan, arrangement, board, at, &entries[at]);
        if let Some(from) = plan.page_of_puzzle(at) {
            let text = fill(&texts.page, &[("page", &plan.label(from))]);
            let base = board.y - arrangement.caption + sizes.small;
            canvas.text_left_of(Weight::Regular, sizes.small, board.right(), base, &text);
        }
    }
}

/// A solved board with its number. Givens are bolder than the other digits.
fn solution(canvas: &mut Canvas<'_>, plan: &Plan, arrangement: &Arrangement, board: Area, at: usize, entry: &Entry) {
    let small = plan.type_sizes.small;
    let base = board.y - arrangement.caption + small;
    canvas.text(Weight::SemiBold, small * 1.1, board.x, base, &(at + 1).to_string());
    draw_lines(canvas, board.x, board.y, entry.puzzle.shape(), arrangement.look);
    let givens = entry.puzzle.grid().values();
    let weight = |at: usize| if givens[at] == 0 { Weight::Regular } else { Weight::SemiBold };
    draw_digits(canvas, board.x, board.y, entry.solution.grid(), arrangement.look, weight);
}

/// The number of a page on its outer foot.
pub fn page_number(canvas: &mut Canvas<'_>, plan: &Plan, page: usize) {
    let block = plan.sheet.block(plan.is_recto(page));
    let (size, y, label) = (plan.type_sizes.caption, plan.sheet.foot_line(), plan.label(page));
    match plan.is_recto(page) {
        true => canvas.text_left_of(Weight::SemiBold, size, block.right(), y, &label),
        false => canvas.text(Weight::SemiBold, size, block.x, y, &label),
    }
}

/// The running head: the title of the book over left-hand pages, the part over right-hand pages.
pub fn running_head(canvas: &mut Canvas<'_>, plan: &Plan, page: usize, words: &Words) {
    let block = plan.sheet.block(plan.is_recto(page));
    let size = plan.type_sizes.small;
    let base = plan.sheet.top - plan.type_sizes.running_head() + size;
    let texts = &words.language.texts().book;
    let text = match (&plan.pages[page], plan.is_recto(page)) {
        (_, false) => words.title.clone(),
        (PageKind::Puzzles(range), true) => plan.part_of(range.start).map_or(String::new(), |part: &Part| {
            if plan.has_part_pages() { part.name.clone() } else { range_name(&words.language, range.start, range.end) }
        }),
        (PageKind::Solutions(_), true) => texts.solutions.clone(),
        (PageKind::Hints(_), true) => texts.hints.clone(),
        _ => return,
    };
    let text = canvas.typeface.shortened(Weight::Regular, size, &text, block.width);
    match plan.is_recto(page) {
        true => canvas.text_left_of(Weight::Regular, size, block.right(), base, &text),
        false => canvas.text(Weight::Regular, size, block.x, base, &text),
    }
}
