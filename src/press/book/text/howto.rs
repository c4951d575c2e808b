//! Writes "How to play": the rules for the boards of this book, a first step shown in its first puzzle, and its levels.
//!
//! The first step is a hidden single in a box: a digit for which only one cell of the box is left. All other cells of
//! the box are filled, or are in a row or column that has the digit already.
//!
//! ```text
//!   .  . (7) | .  .  .  | .  .  .      rows 1 and 2 have a 7 already (in circles):
//!   .  .  .  | . (7) .  | .  .  .      in the third box, the only cell left for 7
//!   .  .  .  | .  .  .  | 4  *  2      is the one with the dot, shown here as *
//! ```

use crate::book::flow::{TextBlock, TextPage, paginate};
use crate::book::options::{Answers, Options};
use crate::book::sheet::margins::Sheet;
use crate::book::sheet::type_sizes::{CHAPTER_HEAD, MIN_TYPE, TypeSizes};
use crate::book::text::manuscript::{Manuscript, board_name};
use crate::book::text::wording::Wording;
use crate::draw::board::{Look, draw_board, draw_digits, draw_strip};
use crate::draw::canvas::{Canvas, Item, THIN_LINE};
use crate::draw::measures::Area;
use crate::draw::symbols::Symbols;
use crate::draw::text::compose::Composer;
use crate::draw::text::typeface::Weight;
use crate::words::language::{LevelTexts, fill};
use sudoku_corpus_core::board::{Grid, Shape};

/// How tight the chapter is set.
#[derive(Clone, Copy)]
struct Tightness {
    /// The width of the figure, as a part of the usual one.
    figure: f64,
    /// The same of the leading.
    leading: f64,
}

/// The ways to set the chapter, from loose to tight. A tighter one is taken if it saves a page.
const TIGHTER: [Tightness; 5] = [
    Tightness { figure: 1.0, leading: 1.0 },
    Tightness { figure: 0.9, leading: 0.97 },
    Tightness { figure: 0.85, leading: 0.93 },
    Tightness { figure: 0.75, leading: 0.9 },
    Tightness { figure: 0.65, leading: 0.86 },
];

/// The chapter of a book, before it is known how tight it is set.
struct Chapter<'a> {
    composer: Composer<'a>,
    text: Manuscript<'a>,
    type_sizes: TypeSizes,
    levels: Vec<&'a LevelTexts>,
    /// The area of a page; the first page has less room.
    block: Area,
    first_height: f64,
}

/// Where the example stands in the chapter.
#[derive(Clone, Copy)]
enum ExamplePlace {
    AfterRules,
    AfterPencilMarks,
    AtEnd,
}

struct Set {
    pages: Vec<TextPage>,
    /// The first step is shown.
    has_example: bool,
}

/// The pages of the chapter: as few as possible, with as much space as these pages allow.
pub(crate) fn pages(composer: Composer<'_>, sheet: &Sheet, text: Manuscript<'_>) -> Vec<TextPage> {
    let type_sizes = sheet.sizes;
    let block = type_sizes.column(sheet.block(true));
    let mut levels: Vec<usize> = text.entries.iter().filter_map(|entry| entry.level).collect();
    levels.sort_unstable();
    levels.dedup();
    let levels = levels.into_iter().filter_map(|level| text.words.levels.get(level)).collect();
    let first_height = block.height - type_sizes.chapter * CHAPTER_HEAD;
    let chapter = Chapter { composer, text, type_sizes, levels, block, first_height };
    let mut best = chapter.fullest(TIGHTER[0]);
    for tightness in &TIGHTER[1..] {
        let tighter = chapter.fullest(*tightness);
        // An example that becomes too small to read would be left out. One more page is better than that.
        if tighter.has_example == best.has_example && tighter.pages.len() < best.pages.len() {
            best = tighter;
        }
    }
    best.pages
}

impl Chapter<'_> {
    /// The chapter with its example after the rules, after the advice about pencil marks, or at the end: where it leaves
    /// the least room empty on pages that are followed by others.
    fn fullest(&self, tightness: Tightness) -> Set {
        let mut best = self.set(tightness, ExamplePlace::AfterRules);
        if best.has_example && best.pages.len() > 1 {
            for place in [ExamplePlace::AfterPencilMarks, ExamplePlace::AtEnd] {
                let moved = self.set(tightness, place);
                if (moved.pages.len(), self.empty(&moved.pages)) < (best.pages.len(), self.empty(&best.pages)) {
                    best = moved;
                }
            }
        }
        best
    }

    fn set(&self, tightness: Tightness, place: ExamplePlace) -> Set {
        let Manuscript { entries, words, options, .. } = self.text;
        let width = self.block.width;
        let example = entries.first().and_then(|entry| {
            let grid = entry.puzzle.grid();
            example(self.composer, grid, self.type_sizes, width * tightness.figure, words, options.symbols)
        });
        let has_example = example.is_some();
        let mut blocks = rules(self.composer, self.text, self.type_sizes, width);
        let after_rules = blocks.len();
        blocks.extend(advice(&self.levels, words, options));
        let start = match place {
            ExamplePlace::AfterRules => after_rules,
            // The advice about pencil marks has two blocks.
            ExamplePlace::AfterPencilMarks => after_rules + 2,
            ExamplePlace::AtEnd => blocks.len(),
        };
        blocks.splice(start..start, example.into_iter().flatten());
        let names = self.levels.iter().map(|level| level.name.as_str());
        let mut style = self.type_sizes.style_for(self.composer.typeface, width, names);
        // Large print keeps its leading.
        let leading = if options.large_print { 1.0 } else { tightness.leading };
        style.body.leading *= leading;
        style.heading.leading *= leading;
        let heights = [self.first_height, self.block.height];
        Set { pages: paginate(self.composer, style, width, &heights, blocks), has_example }
    }

    /// The room that is empty on pages before the last, in quarters of a page, rounded down.
    fn empty(&self, pages: &[TextPage]) -> usize {
        let mut quarters = 0.0;
        for (number, page) in pages[..pages.len() - 1].iter().enumerate() {
            let height = if number == 0 { self.first_height } else { self.block.height };
            quarters += (height - page.bottom()) / height * 4.0;
        }
        quarters as usize
    }
}

/// The text after the rules: pencil marks, the levels of the book, where the solutions are.
fn advice(levels: &[&LevelTexts], words: &Wording, options: &Options) -> Vec<TextBlock> {
    let language = &words.language;
    let mut blocks = vec![
        TextBlock::Heading(language.text("how_to.pencil_marks").to_owned()),
        TextBlock::Paragraph(language.text("how_to.pencil_marks_text").to_owned()),
    ];
    if !levels.is_empty() {
        blocks.push(TextBlock::Heading(if levels.len() == 1 {
            language.text("how_to.difficulty").to_owned()
        } else {
            language.text("how_to.levels").to_owned()
        }));
        blocks.extend(
            levels.iter().map(|level| TextBlock::Term { term: level.name.clone(), meaning: level.about.clone() }),
        );
    }
    let where_they_are = match options.answers {
        Answers::End => language.text("how_to.solutions_end"),
        Answers::Level => language.text("how_to.solutions_level"),
        Answers::Overleaf => language.text("how_to.solutions_behind"),
        Answers::Below => language.text("how_to.solutions_below"),
    };
    blocks.extend([
        TextBlock::Heading(language.text("how_to.solutions").to_owned()),
        TextBlock::Paragraph(where_they_are.to_owned()),
    ]);
    blocks
}

fn rules(composer: Composer<'_>, text: Manuscript<'_>, type_sizes: TypeSizes, width: f64) -> Vec<TextBlock> {
    let Manuscript { words, options, .. } = text;
    let mut blocks = Vec::new();
    let shapes = text.shapes();
    for &shape in &shapes {
        if shapes.len() > 1 {
            blocks.push(TextBlock::Heading(board_name(shape, &words.language)));
        }
        blocks.push(TextBlock::Paragraph(text.rules(shape)));
        // Pictures have to be shown; words are shown beside them.
        if options.symbols.own_names().is_some() {
            let n = shape.order();
            let cell_side = (width / n as f64).min(type_sizes.body * 3.0);
            let least = type_sizes.least / options.symbols.smallest(n, Some(composer.typeface));
            let (digit_size, shade, symbols) = ((cell_side * 0.62).max(least), false, options.symbols);
            let look = Look { box_line: 0.0, cell_line: 0.0, cell_side, digit_size, shade, symbols, mark: None };
            let mut canvas = Canvas::new(composer);
            draw_strip(&mut canvas, 0.0, 0.0, n, look);
            blocks.push(TextBlock::Figure { width: cell_side * n as f64, height: cell_side, items: canvas.finish() });
        }
    }
    blocks
}

/// A hidden single: a digit, and its only place in a box. Cells are numbered row by row from 0.
struct FirstStep {
    value: u16,
    /// The cell that is left for it.
    cell: usize,
    /// The cells with this digit that rule out the other cells of the box.
    witnesses: Vec<usize>,
    /// The number of empty cells that are ruled out.
    ruled_out: usize,
}

/// The hidden single in a box that rules out most empty cells, by the fewest digits; ties: the lowest digit, then box.
fn first_step(grid: &Grid) -> Option<FirstStep> {
    let n = grid.shape().order();
    let mut best: Option<FirstStep> = None;
    for value in 1..=n as u16 {
        for box_number in 0..n {
            let Some(step) = hidden_single(grid, value, box_number) else { continue };
            if best.as_ref().is_none_or(|best| step.merit() > best.merit()) {
                best = Some(step);
            }
        }
    }
    best
}

impl FirstStep {
    /// More is better.
    fn merit(&self) -> (usize, std::cmp::Reverse<usize>) {
        (self.ruled_out, std::cmp::Reverse(self.witnesses.len()))
    }
}

/// The only cell of a digit in a box. None if the box has the digit already, if the digit has several cells or none, or
/// if fewer than two empty cells are ruled out.
fn hidden_single(grid: &Grid, value: u16, box_number: usize) -> Option<FirstStep> {
    let (shape, values) = (grid.shape(), grid.values());
    let n = shape.order();
    let mut cells_left = Vec::new();
    let mut ruled_out = 0;
    let mut witnesses = Vec::new();
    for cell in (0..n * n).filter(|cell| shape.box_of(cell / n, cell % n) == box_number) {
        if values[cell] == value {
            return None;
        }
        if values[cell] != 0 {
            continue;
        }
        // A cell with the digit in the row or the column of this one.
        let mut row = cell / n * n..cell / n * n + n;
        let mut column = (cell % n..n * n).step_by(n);
        let has_value = |cell: &usize| values[*cell] == value;
        match row.find(has_value).or_else(|| column.find(has_value)) {
            Some(witness) => {
                ruled_out += 1;
                witnesses.push(witness);
            }
            None => cells_left.push(cell),
        }
    }
    let &[cell] = cells_left.as_slice() else { return None };
    if ruled_out < 2 {
        return None;
    }
    witnesses.sort_unstable();
    witnesses.dedup();
    Some(FirstStep { value, cell, witnesses, ruled_out })
}

/// The paragraph and the figure of the first step. None if the puzzle has no such step, or if the figure would be too
/// small to read.
fn example(
    composer: Composer<'_>,
    grid: &Grid,
    type_sizes: TypeSizes,
    width: f64,
    words: &Wording,
    symbols: Symbols,
) -> Option<[TextBlock; 3]> {
    let shape = grid.shape();
    let n = shape.order();
    // Large print has a larger figure, because no digit may be smaller than the text.
    let least = type_sizes.least;
    let part = if least > MIN_TYPE { 0.7 } else { 0.45 };
    let cell_side = (width * part / n as f64).min(type_sizes.body * 1.7).floor();
    let digit_size = (cell_side * 0.62).max(least / symbols.smallest(n, Some(composer.typeface)));
    if digit_size > cell_side * 0.7 {
        return None;
    }
    let step = first_step(grid)?;
    let look = Look { box_line: 1.4, cell_line: THIN_LINE, cell_side, digit_size, shade: false, symbols, mark: None };
    let mut canvas = Canvas::new(composer);
    draw_board(&mut canvas, 0.0, 0.0, shape, look);
    draw_digits(&mut canvas, 0.0, 0.0, grid, look, |_| Weight::Medium);
    mark(&mut canvas, shape, look, &step);
    let side = look.outer_side(shape);
    let language = &words.language;
    let text = fill(language.text("how_to.first_step_text"), &[("digit", &symbols.text(step.value, n))]);
    let figure = TextBlock::Figure { width: side, height: side, items: canvas.finish() };
    Some([TextBlock::Heading(language.text("how_to.first_step").to_owned()), TextBlock::Paragraph(text), figure])
}

/// Circles around the digits that rule out cells, and a dot in the cell that is left.
fn mark(canvas: &mut Canvas<'_>, shape: Shape, look: Look, step: &FirstStep) {
    let n = shape.order();
    let centre = |cell: usize| {
        let middle = |line: usize| look.box_line / 2.0 + (line as f64 + 0.5) * look.cell_side;
        (middle(cell % n), middle(cell / n))
    };
    for &cell in &step.witnesses {
        canvas.push(Item::Circle { centre: centre(cell), radius: look.cell_side * 0.42, width: THIN_LINE });
    }
    let radius = look.cell_side * 0.1;
    canvas.push(Item::Circle { centre: centre(step.cell), radius, width: 2.0 * radius });
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudoku_corpus_core::board::text::parse_line;

    #[test]
    fn the_first_step_is_right() {
        let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        let solution = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
        let (grid, solution) = (parse_line(puzzle, None).unwrap(), parse_line(solution, None).unwrap());
        let step = first_step(&grid).unwrap();
        assert_eq!(solution.values()[step.cell], step.value);
        assert_eq!(grid.values()[step.cell], 0);
        assert!(!step.witnesses.is_empty() && step.witnesses.iter().all(|&cell| grid.values()[cell] == step.value));
        // Every step that is found in any box is the digit of the solution.
        let all = (1..=9).flat_map(|value| (0..9).map(move |number| (value, number)));
        let found: Vec<_> = all.filter_map(|(value, number)| hidden_single(&grid, value, number)).collect();
        assert!(found.len() > 3);
        assert!(found.iter().all(|step| solution.values()[step.cell] == step.value));
    }

    #[test]
    fn a_board_without_a_first_step_or_too_large_for_a_figure_has_no_example() {
        let typeface = crate::draw::text::typeface::Typeface::open().unwrap();
        let sizes = TypeSizes::new(crate::book::trim::Trim::default(), false);
        let words = Wording::new("x", None, None).unwrap();
        for shape in [Shape::NINE, "5x5".parse().unwrap()] {
            assert!(example((&typeface).into(), &Grid::blank(shape), sizes, 350.0, &words, Symbols::USUAL).is_none());
        }
    }
}
