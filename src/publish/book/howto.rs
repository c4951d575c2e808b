//! "How to play": the rules for the boards of this book, a first step shown in its first puzzle, and its levels.
//!
//! The first step is a hidden single in a box: a digit whose places in the box are all taken or crossed by rows and
//! columns that hold it already, all but one.
//!
//! ```text
//!   . . 7 | . . .        rows 1 and 2 hold a 7 already, column 5 too:
//!   . . . | 7 . .  -->   in the box below, 7 can only stand at the circle
//! ```

use super::board::{Look, draw_digits, draw_lines};
use super::canvas::{Canvas, Item};
use super::flow::{Block, Page, paginate_evenly};
use super::sheet::Sheet;
use super::sizes::{MIN_TYPE, TypeSizes};
use super::typeface::{Typeface, Weight};
use super::{Entry, level_name};
use crate::board::text::symbol;
use crate::board::{Grid, Shape};
use crate::rate::Level;

/// Height of the heading of a chapter, as a part of its type size.
pub const CHAPTER_HEAD: f64 = 2.3;

/// The pages of the chapter. `levels` are those of the puzzles that were rated, in order.
pub fn pages(
    typeface: &Typeface,
    sheet: &Sheet,
    type_sizes: TypeSizes,
    entries: &[Entry],
    shapes: &[Shape],
    levels: &[Level],
) -> Vec<Page> {
    let block = type_sizes.column(sheet.block(true));
    let mut blocks = rules(shapes);
    let example = entries.first().and_then(|entry| example(typeface, entry.puzzle.grid(), type_sizes, block.width));
    blocks.extend(example.into_iter().flatten());
    blocks.push(Block::Heading("Pencil marks".into()));
    blocks.push(Block::Paragraph(
        "When no place is certain, note in small figures what each empty cell can still hold, and strike out what \
         every new digit rules out in its row, its column and its box."
            .into(),
    ));
    if !levels.is_empty() {
        blocks.push(Block::Heading(if levels.len() == 1 { "Difficulty".into() } else { "Levels".into() }));
        let term = |&level: &Level| Block::Term(level_name(level).into(), level_about(level).into());
        blocks.extend(levels.iter().map(term));
    }
    blocks.push(Block::Heading("Solutions".into()));
    blocks.push(Block::Paragraph(
        "Every puzzle has exactly one solution. The solutions are at the back, by number; the foot of a page says \
         where to find those of its puzzles."
            .into(),
    ));
    let first = block.height - type_sizes.chapter * CHAPTER_HEAD;
    paginate_evenly(typeface, type_sizes.style(), block.width, first, block.height, &blocks)
}

/// The rules of every shape in the book.
fn rules(shapes: &[Shape]) -> Vec<Block> {
    let mut blocks = Vec::new();
    for &shape in shapes {
        if shapes.len() > 1 {
            blocks.push(Block::Heading(board_name(shape)));
        }
        blocks.push(Block::Paragraph(rules_of(shape)));
    }
    blocks
}

/// "16 × 16", with the box where that does not follow: "6 × 6 (boxes 2 × 3)".
pub fn board_name(shape: Shape) -> String {
    let n = shape.order();
    match Shape::of_order(n).is_ok_and(|usual| usual == shape) {
        true => format!("{n} × {n}"),
        false => format!("{n} × {n} (boxes {} × {})", shape.box_rows(), shape.box_columns()),
    }
}

fn rules_of(shape: Shape) -> String {
    let n = shape.order();
    let boxes = match shape.is_square() {
        true => format!("boxes of {0} by {0} cells", shape.box_rows()),
        false => format!("boxes {} rows high and {} columns wide", shape.box_rows(), shape.box_columns()),
    };
    let and = match symbols(n) {
        (digits, None) => digits,
        (digits, Some(letters)) => format!("{digits} and {letters}"),
    };
    format!(
        "The board has {n} rows, {n} columns and {n} {boxes}. Some cells are filled from the start. Fill the others \
         so that each row, each column and each box holds {and}, every one exactly once."
    )
}

/// The symbols of a board in words: digits, and letters where there are some.
fn symbols(order: usize) -> (String, Option<String>) {
    let first = symbol(1, order);
    let last = symbol(order as u16, order);
    match (last, order) {
        ('1'..='9', _) => (format!("the digits {first} to {last}"), None),
        ('A', _) => (format!("the digits {first} to 9"), Some("the letter A".into())),
        ('B', _) => (format!("the digits {first} to 9"), Some("the letters A and B".into())),
        _ => (format!("the digits {first} to 9"), Some(format!("the letters A to {last}"))),
    }
}

/// What a level asks of a person, after the scale of the rater.
pub fn level_about(level: Level) -> &'static str {
    match level {
        Level::Easy => {
            "Every step is a single: a cell that can hold one digit only, or a digit that has one place only in its \
             row, column or box."
        }
        Level::Medium => {
            "A longer way, or a little more than singles: a digit that a box confines to one line, pairs and triples."
        }
        Level::Hard => "Steps that span the board: fish, wings and patterns of a single digit.",
        Level::Unfair => "Chains of candidates, almost locked sets and larger fish.",
        Level::Extreme => "The hardest steps that have a name, forcing chains and nets among them, or a very long way.",
        Level::Beyond => "Harder than the techniques by which these puzzles were rated.",
    }
}

/// A digit, its only place in a box, and the cells elsewhere that rule out the other places.
struct FirstStep {
    value: u16,
    place: usize,
    witnesses: Vec<usize>,
}

/// The hidden single in a box that rules out most empty cells, by the fewest digits; ties: the lowest digit, then box.
fn first_step(grid: &Grid) -> Option<FirstStep> {
    let n = grid.shape().order();
    let mut best: Option<((usize, std::cmp::Reverse<usize>), FirstStep)> = None;
    for value in 1..=n as u16 {
        for number in 0..n {
            let Some((step, ruled_out)) = hidden_single(grid, value, number) else { continue };
            let merit = (ruled_out, std::cmp::Reverse(step.witnesses.len()));
            if best.as_ref().is_none_or(|(most, _)| merit > *most) {
                best = Some((merit, step));
            }
        }
    }
    best.map(|(_, step)| step)
}

/// The only place of a digit in a box, if it has one place, and how many empty cells are ruled out.
fn hidden_single(grid: &Grid, value: u16, number: usize) -> Option<(FirstStep, usize)> {
    let (shape, values) = (grid.shape(), grid.values());
    let n = shape.order();
    let cells: Vec<usize> = (0..n * n).filter(|at| shape.box_of(at / n, at % n) == number).collect();
    if cells.iter().any(|&at| values[at] == value) {
        return None;
    }
    let in_row = |at: usize| (at / n * n..at / n * n + n).find(|&other| values[other] == value);
    let in_column = |at: usize| (at % n..n * n).step_by(n).find(|&other| values[other] == value);
    let empty: Vec<usize> = cells.into_iter().filter(|&at| values[at] == 0).collect();
    let (ruled_out, open): (Vec<usize>, Vec<usize>) =
        empty.into_iter().partition(|&at| in_row(at).is_some() || in_column(at).is_some());
    let &[place] = open.as_slice() else { return None };
    let mut witnesses: Vec<usize> = ruled_out.iter().filter_map(|&at| in_row(at).or_else(|| in_column(at))).collect();
    witnesses.sort_unstable();
    witnesses.dedup();
    let count = ruled_out.len();
    (count >= 2).then_some((FirstStep { value, place, witnesses }, count))
}

/// The paragraph and the figure of the first step; none when the puzzle has no such step or the figure would be too
/// small to read.
fn example(typeface: &Typeface, grid: &Grid, type_sizes: TypeSizes, width: f64) -> Option<[Block; 3]> {
    let shape = grid.shape();
    let n = shape.order();
    let cell = (width * 0.45 / n as f64).min(type_sizes.body * 1.7).floor();
    let digit = (cell * 0.62).max(MIN_TYPE);
    if digit > cell * 0.7 {
        return None;
    }
    let step = first_step(grid)?;
    let look = Look { box_line: 1.2, cell_line: 0.3, cell, digit };
    let mut canvas = Canvas::new(typeface);
    draw_lines(&mut canvas, 0.0, 0.0, shape, look);
    draw_digits(&mut canvas, 0.0, 0.0, grid, look, |_| Weight::Medium);
    mark(&mut canvas, shape, look, &step);
    let side = look.outer_side(shape);
    let sign = symbol(step.value, n);
    let seen = match step.witnesses.len() {
        1 => format!("The {sign} in a circle stands"),
        count => format!("The {} in circles stand", plural(sign, count)),
    };
    let text = format!(
        "Take the first puzzle and look for the {sign} in the box with the black dot. {seen} in the same rows and \
         columns as the other empty cells of the box and {} them out. The dot is the only place left: put {sign} there.",
        if step.witnesses.len() == 1 { "rules" } else { "rule" }
    );
    let figure = Block::Figure(side, side, canvas.finish());
    Some([Block::Heading("A first step".into()), Block::Paragraph(text), figure])
}

/// "two 7s", "three As".
fn plural(sign: char, count: usize) -> String {
    const WORDS: [&str; 7] = ["no", "one", "two", "three", "four", "five", "six"];
    match WORDS.get(count) {
        Some(word) => format!("{word} {sign}s"),
        None => format!("{count} {sign}s"),
    }
}

/// Circles around the digits that rule out, a dot at the place that is left.
fn mark(canvas: &mut Canvas<'_>, shape: Shape, look: Look, step: &FirstStep) {
    let n = shape.order();
    let centre = |at: usize| {
        let middle = |place: usize| look.box_line / 2.0 + (place as f64 + 0.5) * look.cell;
        (middle(at % n), middle(at / n))
    };
    for &at in &step.witnesses {
        canvas.push(Item::Circle { centre: centre(at), radius: look.cell * 0.42, width: 0.75 });
    }
    let radius = look.cell * 0.1;
    canvas.push(Item::Circle { centre: centre(step.place), radius, width: 2.0 * radius });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::text::parse_line;

    #[test]
    fn the_rules_name_the_symbols_and_boxes_of_the_board() {
        let told = |shape: &str| rules_of(shape.parse().unwrap());
        assert!(
            told("3x3").contains("9 boxes of 3 by 3 cells") && told("3x3").contains("holds the digits 1 to 9, every")
        );
        assert!(told("2x3").contains("6 boxes 2 rows high and 3 columns wide. Some"));
        assert!(told("2x5").contains("the digits 1 to 9 and the letter A, every"));
        assert!(told("4x4").contains("the digits 1 to 9 and the letters A to G, every"));
        assert!(told("6x6").contains("the digits 0 to 9 and the letters A to Z, every"));
        assert_eq!(symbols(11).1.as_deref(), Some("the letters A and B"));
        assert_eq!(board_name("2x3".parse().unwrap()), "6 × 6");
        assert_eq!(board_name("3x2".parse().unwrap()), "6 × 6 (boxes 3 × 2)");
    }

    #[test]
    fn the_first_step_is_right() {
        let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        let solution = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
        let (grid, solution) = (parse_line(puzzle, None).unwrap(), parse_line(solution, None).unwrap());
        let step = first_step(&grid).unwrap();
        assert_eq!(solution.values()[step.place], step.value);
        assert_eq!(grid.values()[step.place], 0);
        assert!(!step.witnesses.is_empty() && step.witnesses.iter().all(|&at| grid.values()[at] == step.value));
        // Every step that is found in any box is the digit of the solution.
        let all = (1..=9).flat_map(|value| (0..9).map(move |number| (value, number)));
        let found: Vec<_> = all.filter_map(|(value, number)| hidden_single(&grid, value, number)).collect();
        assert!(found.len() > 3);
        assert!(found.iter().all(|(step, _)| solution.values()[step.place] == step.value));
    }

    #[test]
    fn a_board_without_a_first_step_or_too_large_for_a_figure_has_no_example() {
        let typeface = Typeface::open().unwrap();
        let sizes = TypeSizes::new(crate::publish::book::Trim::default(), false);
        assert!(example(&typeface, &Grid::blank(Shape::NINE), sizes, 350.0).is_none());
        let large = Grid::blank("5x5".parse().unwrap());
        assert!(example(&typeface, &large, sizes, 350.0).is_none());
    }

    #[test]
    fn every_level_is_described() {
        let about: Vec<&str> = Level::ALL.into_iter().map(level_about).collect();
        assert!(about.iter().all(|text| text.ends_with('.') && text.len() > 30));
    }
}
