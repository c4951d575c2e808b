//! Writes every step of the solutions: placements one after the other in a paragraph, other steps with a picture.

use crate::book::flow::{TextBlock, TextPage, paginate};
use crate::book::sheet::margins::Sheet;
use crate::book::sheet::type_sizes::CHAPTER_HEAD;
use crate::book::text::manuscript::Manuscript;
use crate::draw::board::Cells;
use crate::draw::canvas::{Canvas, THIN_LINE};
use crate::draw::measures::Area;
use crate::draw::text::compose::Composer;
use crate::picture::drawing::{Drawing, Style};
use crate::picture::steps::drawn_steps;
use crate::words::language::fill;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use sudoku_corpus_core::board::{Cell, Digit, Shape};
use sudoku_corpus_core::ladder::{Family, Ladder, Step, trace};

pub(crate) struct StepsPage {
    /// One column, or two beside each other.
    pub columns: Vec<TextPage>,
    /// The puzzle whose steps begin the page.
    pub name: String,
}

/// The distance of two columns, in type sizes.
const COLUMN_GAP: f64 = 2.0;

/// The number of columns of the chapter, and their width in a block: two if all pictures fit in half of the narrowest
/// block that the book may have.
fn columns(composer: Composer<'_>, text: Manuscript<'_>, block: f64) -> (usize, f64) {
    let widest_gutter = text.options.printer.rules().gutter(usize::MAX);
    let sheet = Sheet::new(text.options, widest_gutter);
    let half = |width: f64| (width - sheet.sizes.body * COLUMN_GAP) / 2.0;
    let shapes = text.shapes();
    let narrowest = half(sheet.block(true).width);
    let fit = shapes.iter().all(|shape| least_picture(composer, &sheet, text, *shape) <= narrowest);
    match fit && !text.options.large_print {
        true => (2, half(block)),
        false => (1, block.min(sheet.sizes.column(sheet.block(true)).width)),
    }
}

/// The smallest side of a picture whose candidates are no smaller than other text.
fn least_picture(composer: Composer<'_>, sheet: &Sheet, text: Manuscript<'_>, shape: Shape) -> f64 {
    let part = Cells::smallest_candidate_part(shape, text.options.symbols, Some(composer.typeface));
    sheet.sizes.least / part * shape.order() as f64 + 2.0
}

/// The text of the chapter, with pictures that fit the page whatever its gutter; none if there is no such chapter.
pub(crate) fn told(composer: Composer<'_>, text: Manuscript<'_>) -> Vec<TextBlock> {
    if !text.options.steps {
        return Vec::new();
    }
    let widest_gutter = text.options.printer.rules().gutter(usize::MAX);
    let (sheet, ladder) = (Sheet::new(text.options, widest_gutter), Ladder::default());
    let (_, width) = columns(composer, text, sheet.block(true).width);
    let language = &text.words.language;
    let intro = fill(language.text("how_to.steps_text"), &[("cell", &cell_name(text, 2, 5))]);
    let mut blocks = vec![TextBlock::Paragraph(intro)];
    let indexes = (0..text.entries.len()).into_par_iter();
    let solutions: Vec<Vec<TextBlock>> =
        indexes.map(|index| solution(composer, &sheet, text, &ladder, width, index)).collect();
    blocks.extend(solutions.into_iter().flatten());
    blocks
}

/// The pages of the chapter, whose text is `blocks`.
pub(crate) fn pages(
    composer: Composer<'_>,
    sheet: &Sheet,
    text: Manuscript<'_>,
    blocks: &[TextBlock],
) -> Vec<StepsPage> {
    if blocks.is_empty() {
        return Vec::new();
    }
    let (sizes, block) = (sheet.sizes, sheet.block(true));
    let (count, width) = columns(composer, text, block.width);
    let mut heights = vec![block.height - sizes.chapter * CHAPTER_HEAD; count];
    heights.push(block.height);
    let mut columns_left = paginate(composer, sizes.style(), width, &heights, blocks.to_vec());
    let mut pages = Vec::new();
    // The last heading of the pages so far: a page may begin in the middle of a solution.
    let mut last_heading = String::new();
    while !columns_left.is_empty() {
        let columns: Vec<TextPage> = columns_left.drain(..count.min(columns_left.len())).collect();
        let name = match columns[0].headings().next() {
            Some((heading, true)) => heading.to_owned(),
            _ => last_heading.clone(),
        };
        if let Some((heading, _)) = columns.iter().flat_map(TextPage::headings).last() {
            last_heading = heading.to_owned();
        }
        pages.push(StepsPage { columns, name });
    }
    pages
}

/// Draws a page into the block of its text, from a height on.
pub(crate) fn draw(page: &StepsPage, canvas: &mut Canvas<'_>, block: Area, y: f64, sheet: &Sheet) {
    let gap = sheet.sizes.body * COLUMN_GAP;
    let mut width = sheet.sizes.column(block).width;
    if page.columns.len() > 1 {
        width = (block.width - gap) / 2.0;
    }
    for (number, column) in page.columns.iter().enumerate() {
        column.draw(canvas, Area { x: block.x + number as f64 * (width + gap), y, width, ..block });
    }
}

/// The name of a cell by its row and its column, from 1.
fn cell_name(text: Manuscript<'_>, row: usize, column: usize) -> String {
    let name = text.words.language.text("book.cell");
    fill(name, &[("row", &row.to_string()), ("column", &column.to_string())])
}

/// The steps of a puzzle that are written so far.
struct Solution<'a> {
    text: Manuscript<'a>,
    /// The number of rows of the board.
    n: usize,
    blocks: Vec<TextBlock>,
    /// The digits of singles that are not written yet.
    placed: Vec<String>,
}

impl Solution<'_> {
    fn name(&self, cell: Cell) -> String {
        cell_name(self.text, cell.index() / self.n + 1, cell.index() % self.n + 1)
    }

    /// A conclusion, which stays on a line.
    fn says(&self, (cell, digit): (Cell, Digit), sign: &str) -> String {
        let symbol = self.text.options.symbols.text(digit.value(), self.n);
        format!("{} {sign} {symbol}", self.name(cell)).replace(' ', "\u{a0}")
    }

    /// Writes the digits of the singles before, as one paragraph.
    fn flush(&mut self) {
        if !self.placed.is_empty() {
            self.blocks.push(TextBlock::Paragraph(std::mem::take(&mut self.placed).join(", ")));
        }
    }

    /// Writes a step, with its picture if it has one.
    fn add(&mut self, step: &Step, drawing: Option<Drawing>) {
        let placed: Vec<String> = step.placements.iter().map(|placed| self.says(*placed, "=")).collect();
        if is_single(step) {
            self.placed.extend(placed);
            return;
        }
        self.flush();
        let info = step.technique.info();
        let technique = self.text.words.language.technique(info.code, info.name);
        let cells: Vec<String> = step.pattern.cells.iter().map(|cell| self.name(*cell)).collect();
        let pattern = if cells.is_empty() { String::new() } else { format!(" ({})", cells.join(", ")) };
        let mut conclusions = placed;
        conclusions.extend(step.eliminations.iter().map(|removed| self.says(*removed, "<>")));
        let conclusions = conclusions.join(", ");
        self.blocks.push(TextBlock::Paragraph(format!("{technique}{pattern}: {conclusions}")));
        if let Some(drawing) = drawing {
            self.blocks.push(TextBlock::Figure { width: drawing.width, height: drawing.height, items: drawing.items });
        }
    }
}

fn is_single(step: &Step) -> bool {
    step.technique.info().family == Family::Singles
}

/// The steps of a puzzle under its name.
fn solution(
    composer: Composer<'_>,
    sheet: &Sheet,
    text: Manuscript<'_>,
    ladder: &Ladder,
    width: f64,
    index: usize,
) -> Vec<TextBlock> {
    let puzzle = &text.entries[index].puzzle;
    let (shape, symbols) = (puzzle.shape(), text.options.symbols);
    let steps = trace(puzzle, ladder).steps;
    // Candidates in pictures are no smaller than other text; where that is impossible, there are no pictures.
    let most = width.min(sheet.block(true).height - sheet.sizes.style().body.leading);
    let size = least_picture(composer, sheet, text, shape).max((width * 0.55).min(most));
    let style = Style { size, lines: (1.5, THIN_LINE), symbols, background: false, ..Style::default() };
    let drawings = drawn_steps(composer.typeface, puzzle, &steps, &style, |_, step| {
        (size <= most && !is_single(step)).then(Default::default)
    });
    let heading = TextBlock::Heading(text.name_of_puzzles(&(index..index + 1)));
    let mut solution = Solution { text, n: shape.order(), blocks: vec![heading], placed: Vec::new() };
    for (step, drawing) in steps.iter().zip(drawings) {
        solution.add(step, drawing);
    }
    solution.flush();
    solution.blocks
}
