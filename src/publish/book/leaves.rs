//! Pages of puzzles and of solutions, and the foot of every page.

use std::ops::Range;

use super::board::{draw_digits, draw_lines};
use super::canvas::Canvas;
use super::howto::board_name;
use super::plan::Plan;
use super::sheet::Area;
use super::sizes::solutions_head;
use super::typeface::Weight;
use super::{Entry, level_name};

/// Puzzles in their places: number and level over each, the page of the solution at the inner foot.
pub fn puzzles(canvas: &mut Canvas<'_>, plan: &Plan, page: usize, entries: &[Entry], range: Range<usize>) {
    let block = plan.sheet.block(plan.is_recto(page));
    let size = plan.type_sizes.caption;
    let mixed = plan.shapes.len() > 1;
    for (place, at) in range.clone().enumerate() {
        let entry = &entries[at];
        let shape = entry.puzzle.shape();
        let look = plan.puzzles.look(shape);
        let unit = plan.puzzles.unit(block, place);
        let board = centred(unit, plan.puzzles.caption, look.outer_side(shape));
        let base = board.y - plan.puzzles.caption + size;
        canvas.text(Weight::SemiBold, size * 1.3, board.x, base, &(at + 1).to_string());
        let level = entry.level.map_or("", level_name).to_owned();
        let words: Vec<String> = [mixed.then(|| board_name(shape)), Some(level)].into_iter().flatten().collect();
        let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| !word.is_empty()).collect();
        canvas.text_left_of(Weight::Regular, size, board.right(), base, &words.join(" · "));
        draw_lines(canvas, board.x, board.y, shape, look);
        draw_digits(canvas, board.x, board.y, entry.puzzle.grid(), look, |_| Weight::Medium);
    }
    let pages = (plan.page_of_solution(range.start), plan.page_of_solution(range.end - 1));
    let text = match pages {
        (Some(first), Some(last)) if first == last => format!("Solutions on page {}", plan.label(first)),
        (Some(first), Some(last)) => format!("Solutions on pages {} and {}", plan.label(first), plan.label(last)),
        _ => return,
    };
    let text = if range.len() == 1 { text.replace("Solutions", "Solution") } else { text };
    let (small, y) = (plan.type_sizes.small, plan.sheet.foot_line());
    match plan.is_recto(page) {
        true => canvas.text(Weight::Regular, small, block.x, y, &text),
        false => canvas.text_left_of(Weight::Regular, small, block.right(), y, &text),
    }
}

/// Solutions in their places: number and page of the puzzle over each; givens stronger than what was to be found.
pub fn solutions(canvas: &mut Canvas<'_>, plan: &Plan, page: usize, entries: &[Entry], range: Range<usize>) {
    let block = plan.sheet.block(plan.is_recto(page));
    let sizes = plan.type_sizes;
    let name = match range.len() {
        1 => format!("Solution {}", range.end),
        _ => format!("Solutions {}–{}", range.start + 1, range.end),
    };
    canvas.text(Weight::SemiBold, sizes.caption * 1.3, block.x, block.y + sizes.caption, &name);
    let head = solutions_head(sizes);
    let below = Area { y: block.y + head, height: block.height - head, ..block };
    for (place, at) in range.enumerate() {
        let entry = &entries[at];
        let shape = entry.puzzle.shape();
        let look = plan.solutions.look(shape);
        let unit = plan.solutions.unit(below, place);
        let board = centred(unit, plan.solutions.caption, look.outer_side(shape));
        let base = board.y - plan.solutions.caption + sizes.small;
        canvas.text(Weight::SemiBold, sizes.small * 1.1, board.x, base, &(at + 1).to_string());
        if let Some(from) = plan.page_of_puzzle(at) {
            let text = format!("page {}", plan.label(from));
            canvas.text_left_of(Weight::Regular, sizes.small, board.right(), base, &text);
        }
        draw_lines(canvas, board.x, board.y, shape, look);
        let givens = entry.puzzle.grid().values();
        let weight = |at: usize| if givens[at] == 0 { Weight::Regular } else { Weight::SemiBold };
        draw_digits(canvas, board.x, board.y, entry.solution.grid(), look, weight);
    }
}

/// A board of a side in the middle of its unit, under the caption.
fn centred(unit: Area, caption: f64, side: f64) -> Area {
    let free = (unit.width - side) / 2.0;
    Area { x: unit.x + free, y: unit.y + caption + free, width: side, height: side }
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
