//! Draws steps and hints. In a step, the base houses of the pattern are blue cells, its candidates green discs, removed
//! candidates red discs and struck out, and cells of placed digits green; lines are links. In a hint, cells are
//! circled.

use std::collections::BTreeSet;

use quick_xml::escape::escape;

use crate::draw::canvas::Canvas;
use crate::draw::measures::Size;
use crate::draw::outline::Ink;
use crate::draw::text::typeface::{Typeface, Weight};
use crate::picture::drawing::{BLUE, Caption, Drawing, GREEN, LINK, Mark, Style, Subject, board};
use crate::picture::files::Glyphs;
use sudoku_corpus_core::board::{Cell, Digits, Grid, Layout, Puzzle};
use sudoku_corpus_core::ladder::{Family, Hint, HintColour, Step, digits_at};

/// A step with its picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// The step in words.
    pub words: String,
    /// The position, with the step marked.
    pub drawing: Drawing,
}

/// Every step of a solution as a picture of the position in which it is made.
pub fn drawn(typeface: &Typeface, puzzle: &Puzzle, steps: &[Step], style: &Style) -> Vec<Drawn> {
    let drawings = drawn_steps(typeface, puzzle, steps, style, |number, step| {
        Some(Caption { left: (number + 1).to_string(), right: step.technique.name().to_owned() })
    });
    let mut drawn = Vec::with_capacity(steps.len());
    // Every step has a caption, and so a picture.
    for (drawing, step) in drawings.into_iter().flatten().zip(steps) {
        drawn.push(Drawn { words: step.words(puzzle.shape()), drawing });
    }
    drawn
}

/// The pictures of steps with the captions that they are given; those without one have no picture.
pub(crate) fn drawn_steps(
    typeface: &Typeface,
    puzzle: &Puzzle,
    steps: &[Step],
    style: &Style,
    caption: impl Fn(usize, &Step) -> Option<Caption>,
) -> Vec<Option<Drawing>> {
    let shape = puzzle.shape();
    let layout = Layout::of(shape);
    let mut values = puzzle.grid().values().to_vec();
    let mut candidates: Vec<Digits> = all_candidates(puzzle);
    let mut drawings = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        let Ok(grid) = Grid::new(shape, values.clone()) else { break };
        drawings.push(caption(number, step).map(|caption| {
            let marks = marks(step, &candidates, layout);
            let (givens, candidates) = (Some(puzzle.grid()), Some(&*candidates));
            board(typeface, &Subject { grid: &grid, givens, candidates, marks: &marks, caption }, style)
        }));
        for &(cell, digit) in &step.eliminations {
            candidates[cell.index()].remove(digit);
        }
        for &(cell, digit) in &step.placements {
            values[cell.index()] = digit.value();
            candidates[cell.index()] = Digits::EMPTY;
            for peer in layout.peers(cell) {
                candidates[peer.index()].remove(digit);
            }
        }
    }
    drawings
}

pub(crate) fn all_candidates(puzzle: &Puzzle) -> Vec<Digits> {
    (0..puzzle.shape().cells()).map(|cell| digits_at(puzzle, Cell::new(cell)).unwrap_or(Digits::EMPTY)).collect()
}

/// What is marked on the board of a step: houses, candidates of the pattern, links, what is removed and what is placed.
fn marks(step: &Step, candidates: &[Digits], layout: &Layout) -> Vec<Mark> {
    let base: BTreeSet<Cell> = step.pattern.base.iter().flat_map(|&house| layout.house(house)).copied().collect();
    let mut marks: Vec<Mark> = base.into_iter().map(|cell| Mark::Tint(cell, BLUE)).collect();
    for &cell in &step.pattern.cells {
        for digit in candidates[cell.index()].iter() {
            let is_placed = step.placements.contains(&(cell, digit));
            if step.pattern.digits.contains(digit) && !is_placed {
                marks.push(Mark::Candidate(cell, digit, GREEN));
            }
        }
    }
    marks.extend(links(step, candidates));
    marks.extend(step.eliminations.iter().map(|&(cell, digit)| Mark::Out(cell, digit)));
    marks.extend(step.placements.iter().map(|&(cell, digit)| Mark::Placed(cell, digit)));
    marks
}

/// The lines of chains, single-digit patterns and wings. In a chain or a single-digit pattern, they lead from each cell
/// to the next by a digit that both have, and are alternately solid and dashed. In a wing, they lead from the pivot to
/// the pincers.
fn links(step: &Step, candidates: &[Digits]) -> Vec<Mark> {
    let cells = &step.pattern.cells;
    let link = |from: Cell, to: Cell, dashed: bool| {
        let shared = step.pattern.digits & candidates[from.index()] & candidates[to.index()];
        shared.first().map(|digit| Mark::Link((from, digit), (to, digit), dashed))
    };
    match step.technique.info().family {
        Family::Wings => {
            let Some((pivot, pincers)) = cells.split_first() else { return Vec::new() };
            pincers.iter().filter_map(|&pincer| link(*pivot, pincer, false)).collect()
        }
        Family::Chains | Family::SingleDigit => {
            let pairs = cells.windows(2).enumerate();
            pairs.filter_map(|(number, pair)| link(pair[0], pair[1], number % 2 == 1)).collect()
        }
        _ => Vec::new(),
    }
}

/// A hint: candidates, and a circle in every cell with the fewest candidates; red for one, then orange, yellow.
pub fn hint(typeface: &Typeface, puzzle: &Puzzle, hint: &Hint, next: Option<&Step>, style: &Style) -> Drawing {
    let ink = match hint.colour {
        Some(HintColour::Red) => Ink::Rgb(0.86, 0.15, 0.12),
        Some(HintColour::Orange) => Ink::Rgb(0.95, 0.55, 0.10),
        Some(HintColour::Yellow) => Ink::Rgb(0.93, 0.80, 0.10),
        None => LINK,
    };
    let marks: Vec<Mark> = hint.cells.iter().map(|&cell| Mark::Circle(cell, ink)).collect();
    let left = next.map_or(String::new(), |step| step.technique.name().to_owned());
    let caption = Caption { left, right: String::new() };
    let subject = Subject { candidates: Some(&hint.candidates), marks: &marks, caption, ..Subject::of(puzzle.grid()) };
    board(typeface, &subject, style)
}

/// The steps as one self-contained page of HTML, below the rules of the board in words.
pub fn html(typeface: &Typeface, title: &str, rules: &str, steps: &[Drawn], end: &str) -> String {
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{0}</title>\n<style>\n\
         body {{ font: 14px/1.45 system-ui, sans-serif; margin: 2em auto; padding: 0 1em; max-width: 66em; color: #111; }}\n\
         h1 {{ overflow-wrap: anywhere; }}\n\
         section {{ display: inline-block; vertical-align: top; width: 30em; margin: 0 1.2em 1.6em 0; \
         break-inside: avoid; }}\nsvg {{ width: 28em; height: auto; }}\n\
         @media print {{ body {{ margin: 0; max-width: none; font-size: 9pt; }} section {{ width: 46%; }} \
         svg {{ width: 100%; }} }}\n</style>\n</head>\n<body>\n<h1>{0}</h1>\n<p>{1}</p>\n",
        escape(title),
        escape(rules)
    );
    let mut glyphs = Glyphs::new(typeface);
    for step in steps {
        page.push_str("<section>\n");
        page.push_str(&glyphs.element(&step.drawing, &step.words));
        page.push_str(&format!("<p>{}</p>\n</section>\n", escape(&step.words)));
    }
    page + &format!("<p><b>{}</b></p>\n{}</body>\n</html>\n", escape(end), glyphs.definitions())
}

/// The steps as A4 pages, two beside each other, each with its text below. A page has as many as fit, up to six.
pub fn sheets(typeface: &Typeface, steps: &[Drawn]) -> Vec<Drawing> {
    const PAGE: Size = Size { width: 595.276, height: 841.89 };
    const MARGIN: f64 = 42.0;
    const GAP: f64 = 24.0;
    const SIZE: f64 = 7.5;
    const LINE: f64 = 9.5;
    let width = (PAGE.width - 2.0 * MARGIN - GAP) / 2.0;
    let mut pages: Vec<Canvas<'_>> = Vec::new();
    // Below every page, so that the first pair begins one.
    let mut top = f64::INFINITY;
    for pair in steps.chunks(2) {
        let texts: Vec<Vec<String>> = pair.iter().map(|step| wrapped(typeface, &step.words, SIZE, width)).collect();
        let mut height = 0.0;
        for (step, lines) in pair.iter().zip(&texts) {
            height = f64::max(height, step.drawing.height + LINE * (lines.len() + 1) as f64);
        }
        if top + height > PAGE.height - MARGIN / 2.0 {
            pages.push(Canvas::new(typeface));
            top = MARGIN;
        }
        let Some(canvas) = pages.last_mut() else { continue };
        for (number, (step, lines)) in pair.iter().zip(&texts).enumerate() {
            let x = MARGIN + number as f64 * (width + GAP);
            step.drawing.items.iter().for_each(|item| canvas.push(item.moved(x, top)));
            for (line, text) in lines.iter().enumerate() {
                canvas.text(Weight::Regular, SIZE, x, top + step.drawing.height + 11.0 + LINE * line as f64, text);
            }
        }
        top += height + LINE;
    }
    let Size { width, height } = PAGE;
    let pages = pages.into_iter().map(Canvas::finish);
    pages.map(|items| Drawing { width, height, background: false, items }).collect()
}

/// Side of the boards of [`sheets`] in points.
pub const SHEET_BOARD: f64 = 205.0;

/// A text in lines no wider than a width.
fn wrapped(typeface: &Typeface, text: &str, size: f64, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if typeface.width(Weight::Regular, size, &format!("{line} {word}")) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
