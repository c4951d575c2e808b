//! Writes every step of the solutions: placements one after the other in a paragraph, other steps with a picture.

use crate::publish::book::sheet::margins::Sheet;
use crate::publish::book::sheet::type_sizes::CHAPTER_HEAD;
use crate::publish::book::text::manuscript::Manuscript;
use crate::publish::draw::board::Cells;
use crate::publish::draw::canvas::THIN_LINE;
use crate::publish::draw::compose::Composer;
use crate::publish::draw::flow::{Page, TextBlock, paginate};
use crate::publish::picture::drawing::Style;
use crate::publish::picture::steps::drawn_steps;
use crate::publish::words::language::fill;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use sudoku_corpus_core::board::{Cell, Digit};
use sudoku_corpus_core::rate::{Family, Ladder, Step, trace};

/// The text of the chapter, with pictures that fit the page whatever its gutter; none if there is no such chapter.
pub(crate) fn told(composer: Composer<'_>, text: Manuscript<'_>) -> Vec<TextBlock> {
    if !text.options.steps {
        return Vec::new();
    }
    let (sheet, ladder) =
        (Sheet::new(text.options, text.options.printer.rules().gutter(usize::MAX)), Ladder::default());
    let width = sheet.sizes.column(sheet.block(true)).width;
    let texts = text.words.language.texts();
    let intro = fill(&texts.how_to.steps_text, &[("cell", &cell_name(text, 2, 5))]);
    let of_puzzle = |at: usize| solution(composer, &sheet, text, &ladder, width, at);
    let solutions: Vec<Vec<TextBlock>> = (0..text.entries.len()).into_par_iter().map(of_puzzle).collect();
    std::iter::once(TextBlock::Paragraph(intro)).chain(solutions.into_iter().flatten()).collect()
}

/// The pages of the chapter.
pub(crate) fn pages(composer: Composer<'_>, sheet: &Sheet, told: &[TextBlock]) -> Vec<Page> {
    if told.is_empty() {
        return Vec::new();
    }
    let (sizes, block) = (sheet.sizes, sheet.sizes.column(sheet.block(true)));
    let first = block.height - sizes.chapter * CHAPTER_HEAD;
    paginate(composer, sizes.style(), block.width, (first, block.height), told.to_vec())
}

/// The name of a cell by its row and its column, from 1.
fn cell_name(text: Manuscript<'_>, row: usize, column: usize) -> String {
    let name = &text.words.language.texts().book.cell;
    fill(name, &[("row", &row.to_string()), ("column", &column.to_string())])
}

/// The steps of a puzzle under its name.
fn solution(
    composer: Composer<'_>,
    sheet: &Sheet,
    text: Manuscript<'_>,
    ladder: &Ladder,
    width: f64,
    at: usize,
) -> Vec<TextBlock> {
    let (puzzle, language) = (&text.entries[at].puzzle, &text.words.language);
    let (shape, symbols) = (puzzle.shape(), text.options.symbols);
    let n = shape.order();
    let steps = trace(puzzle, ladder).steps;
    let is_single = |step: &Step| step.technique.info().family == Family::Singles;
    let name = |cell: &Cell| cell_name(text, cell.index() / n + 1, cell.index() % n + 1);
    let says = |(cell, digit): &(Cell, Digit), sign: &str| {
        // A conclusion stays on a line.
        format!("{}\u{a0}{sign}\u{a0}{}", name(cell), symbols.text(digit.value(), n)).replace(' ', "\u{a0}")
    };
    // Candidates in pictures are no smaller than other text; where that is impossible, there are no pictures.
    let part = Cells::smallest_candidate_part(shape, symbols, Some(composer.typeface));
    let least = sheet.sizes.least / part * n as f64 + 2.0;
    let size = least.max(width * 0.55);
    let style = Style { size, lines: (1.5, THIN_LINE), symbols, background: false, ..Style::default() };
    let shown = |_: usize, step: &Step| (size <= width && !is_single(step)).then(Default::default);
    let drawings = drawn_steps(composer.typeface, puzzle, &steps, &style, shown);
    let mut blocks = vec![TextBlock::Heading(text.puzzles(&(at..at + 1)))];
    let mut placed: Vec<String> = Vec::new();
    // Writes the digits of the singles before, as one paragraph.
    let flush = |placed: &mut Vec<String>, blocks: &mut Vec<TextBlock>| {
        if !placed.is_empty() {
            blocks.push(TextBlock::Paragraph(std::mem::take(placed).join(", ")));
        }
    };
    for (step, drawing) in steps.iter().zip(drawings) {
        let found: Vec<String> = step.placements.iter().map(|placed| says(placed, "=")).collect();
        if is_single(step) {
            placed.extend(found);
            continue;
        }
        flush(&mut placed, &mut blocks);
        let info = step.technique.info();
        let cells = step.pattern.cells.iter().map(name).collect::<Vec<_>>().join(", ");
        let out = step.eliminations.iter().map(|out| says(out, "<>"));
        let conclusions = found.into_iter().chain(out).collect::<Vec<_>>().join(", ");
        let cells = if cells.is_empty() { String::new() } else { format!(" ({cells})") };
        blocks
            .push(TextBlock::Paragraph(format!("{}{cells}: {conclusions}", language.technique(info.code, info.name))));
        blocks.extend(drawing.map(|drawing| TextBlock::Figure(drawing.width, drawing.height, drawing.items)));
    }
    flush(&mut placed, &mut blocks);
    blocks
}
