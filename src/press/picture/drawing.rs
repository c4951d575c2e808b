//! Draws a board: items on a page of its own.

use crate::draw::board::{Cells, Look, draw_digits, draw_ground, draw_lines};
use crate::draw::canvas::{Canvas, Item, THIN_LINE};
use crate::draw::labels::{Label, Manner, Slot};
use crate::draw::measures::{Area, MILLIMETRE};
use crate::draw::outline::{Ink, Path};
use crate::draw::paths::{paths_of, shape_of};
use crate::draw::symbols::Symbols;
use crate::draw::text::compose::{Composer, SizeRange};
use crate::draw::text::typeface::{Typeface, Weight, beginning};
use sudoku_corpus_core::board::{Cell, Digit, Digits, Grid, Shape};

/// How a board is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// Side of the board in points.
    pub size: f64,
    /// Thickness of box lines and cell lines in points.
    pub lines: (f64, f64),
    /// The symbols for the digits.
    pub symbols: Symbols,
    /// True if every other box is gray.
    pub shade: bool,
    /// White background behind the board; otherwise it is transparent.
    pub background: bool,
    /// Dots per inch of a PNG.
    pub dpi: f64,
}

impl Default for Style {
    /// 70 mm, lines of 1.4 and 0.4 pt.
    fn default() -> Style {
        Style {
            size: 70.0 * MILLIMETRE,
            lines: (1.4, 0.4),
            symbols: Symbols::USUAL,
            shade: false,
            background: true,
            dpi: 300.0,
        }
    }
}

/// The smallest type size of a caption, as a part of the usual one.
const LEAST_CAPTION: f64 = 0.6;
/// The least type size of a long symbol, in points.
const LEAST_SYMBOL: f64 = 4.0;

impl Style {
    fn look(&self, shape: Shape) -> Look {
        let (box_line, cell_line) = Look::lines(shape, self.lines);
        let cell_side = (self.size - box_line) / shape.order() as f64;
        let digit_size = cell_side * 0.62;
        Look { box_line, cell_line, cell_side, digit_size, shade: self.shade, symbols: self.symbols, mark: None }
    }

    /// Refuses a symbol that makes all symbols of a board too small to read, because all have one size.
    pub(crate) fn check_length(&self, typeface: &Typeface, shape: Shape) -> Result<(), String> {
        let look = self.look(shape);
        let size = look.digit_size * self.symbols.smallest(shape.order(), Some(typeface));
        match self.symbols.longest(shape.order(), typeface) {
            Some(longest) if size < LEAST_SYMBOL => Err(format!(
                "the symbol '{longest}' is too long: in cells of {:.1} pt, its letters would have {size:.1} pt, and \
                 {LEAST_SYMBOL} pt is the least; take shorter symbols, or a larger --size",
                look.cell_side
            )),
            _ => Ok(()),
        }
    }

    /// Refuses a caption that would be cut: see [`draw_caption`].
    pub(crate) fn check_caption(&self, typeface: &Typeface, shape: Shape, caption: &Caption) -> Result<(), String> {
        let manner = caption_manner(caption_size(self.look(shape)));
        let label = Label::new(caption.left.as_str(), caption.right.as_str());
        let fitted = Slot::of(Composer::from(typeface), manner, std::slice::from_ref(&label), self.size);
        fitted.map(drop).map_err(|text| {
            let text = beginning(&text);
            format!("the caption '{text}' does not fit over a picture: use fewer words, or a larger --size")
        })
    }
}

fn caption_size(look: Look) -> f64 {
    look.cell_side.clamp(9.0, 22.0) * 0.6
}

fn caption_manner(size: f64) -> Manner {
    let sizes = SizeRange { largest: size, smallest: size * LEAST_CAPTION };
    Manner { left_weight: Weight::SemiBold, left_part: 1.15, sizes }
}

/// A mark on a board.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A coloured cell.
    Tint(Cell, Ink),
    /// A circle inside a cell.
    Circle(Cell, Ink),
    /// A candidate on a coloured disc.
    Candidate(Cell, Digit, Ink),
    /// A candidate that is struck out.
    Out(Cell, Digit),
    /// A digit that is placed.
    Placed(Cell, Digit),
    /// A line from a candidate to another one, dashed if true.
    Link((Cell, Digit), (Cell, Digit), bool),
}

/// The texts over a picture, on the left and on the right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caption {
    pub(crate) left: String,
    pub(crate) right: String,
}

/// The contents of a picture.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    /// The digits.
    pub grid: &'a Grid,
    /// The givens, if the board also has digits that were found. Those are drawn lighter.
    pub givens: Option<&'a Grid>,
    /// Candidates of open cells.
    pub candidates: Option<&'a [Digits]>,
    /// The marks.
    pub marks: &'a [Mark],
    /// Stands over the board.
    pub caption: Caption,
}

impl<'a> Subject<'a> {
    /// A puzzle without anything else.
    pub fn of(grid: &'a Grid) -> Subject<'a> {
        Subject { grid, givens: None, candidates: None, marks: &[], caption: Caption::default() }
    }
}

/// A picture: items on a page of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// Width in points.
    pub width: f64,
    /// Height in points.
    pub height: f64,
    /// White background behind everything.
    pub background: bool,
    pub(crate) items: Vec<Item>,
}

impl Drawing {
    /// Items on a white page.
    pub(crate) fn new(width: f64, height: f64, items: Vec<Item>) -> Drawing {
        Drawing { width, height, background: true, items }
    }

    /// Its background and its items as paths, lowest first.
    pub(crate) fn paths(&self, typeface: &Typeface) -> Vec<Path> {
        let mut all_paths: Vec<Path> = self.background().into_iter().collect();
        all_paths.extend(self.items.iter().flat_map(|item| paths_of(typeface, item, Ink::Gray(0.0))));
        all_paths
    }

    pub(crate) fn background(&self) -> Option<Path> {
        let all = Item::block(Area { x: 0.0, y: 0.0, width: self.width, height: self.height });
        let (segments, cover) = shape_of(&all);
        self.background.then_some(Path { segments, ink: Ink::Gray(1.0), cover })
    }
}

/// Candidates of a pattern, and cells in which a digit is placed.
pub(crate) const GREEN: Ink = Ink::Rgb(0.62, 0.88, 0.62);
/// Candidates that are removed.
pub(crate) const RED: Ink = Ink::Rgb(0.98, 0.66, 0.62);
/// Houses of a pattern.
pub(crate) const BLUE: Ink = Ink::Rgb(0.90, 0.94, 1.0);
/// Lines between candidates, and circles without another colour.
pub(crate) const LINK: Ink = Ink::Rgb(0.20, 0.35, 0.75);

/// Draws a board.
pub fn board(typeface: &Typeface, subject: &Subject<'_>, style: &Style) -> Drawing {
    let shape = subject.grid.shape();
    let look = style.look(shape);
    let mut canvas = Canvas::new(typeface);
    let top = draw_caption(&mut canvas, &subject.caption, caption_size(look), style.size);
    let cells = Cells::of(0.0, top, shape, look);
    // The signs of houses cover coloured cells, so that no house is lost, but no other mark.
    draw_tints(&mut canvas, &cells, subject.marks);
    draw_ground(&mut canvas, 0.0, top, shape, look);
    draw_marks_below(&mut canvas, &cells, subject.marks);
    draw_lines(&mut canvas, 0.0, top, shape, look);
    draw_digits(&mut canvas, 0.0, top, subject.grid, look, |cell| match subject.givens {
        Some(givens) if givens.values()[cell] == 0 => Weight::Regular,
        _ => Weight::Medium,
    });
    if let Some(candidates) = subject.candidates {
        // A cell that gets its digit in this picture shows only that digit.
        let is_placed = |cell: Cell| {
            subject.marks.iter().any(|mark| matches!(mark, Mark::Placed(placed_cell, _) if *placed_cell == cell))
        };
        let mut shown_candidates = Vec::new();
        for (number, &digits) in candidates.iter().enumerate() {
            let cell = Cell::new(number);
            if subject.grid.get(cell).is_none() && !is_placed(cell) {
                shown_candidates.push((cell, digits));
            }
        }
        cells.draw_candidates(&mut canvas, shown_candidates.into_iter(), style.symbols);
    }
    draw_marks_above(&mut canvas, &cells, subject.marks, look);
    Drawing { width: style.size, height: style.size + top, background: style.background, items: canvas.finish() }
}

/// Draws the texts over a board, and returns their height. If they are too long for a line, they are smaller, down to
/// six tenths, or take several lines: see [`Slot::of`]. Texts of more than six lines are cut.
fn draw_caption(canvas: &mut Canvas<'_>, Caption { left, right }: &Caption, size: f64, width: f64) -> f64 {
    if left.is_empty() && right.is_empty() {
        return 0.0;
    }
    let manner = caption_manner(size);
    let label = Label::new(left.as_str(), right.as_str());
    let typeface = canvas.typeface;
    let fitted = Slot::of(canvas.composer, manner, std::slice::from_ref(&label), width);
    let (slot, label) = fitted.map(|slot| (slot, label)).unwrap_or_else(|_| {
        let least_size = size * LEAST_CAPTION;
        let least = Slot::new(Manner { sizes: SizeRange { largest: least_size, smallest: least_size }, ..manner });
        let text = |weight, text| typeface.shortened(weight, size * 0.69, text, width * 0.45);
        (least, Label::new(text(Weight::SemiBold, left), text(Weight::Regular, right)))
    });
    let extra_height = slot.more_height();
    slot.draw(canvas, &label, 0.0, width, size + extra_height);
    size * 1.7 + extra_height
}

fn draw_tints(canvas: &mut Canvas<'_>, cells: &Cells, marks: &[Mark]) {
    for mark in marks {
        if let Mark::Tint(cell, ink) = mark {
            canvas.inked(*ink, Item::block(cells.area(*cell)));
        }
    }
}

/// Draws the other marks below the lines and digits.
fn draw_marks_below(canvas: &mut Canvas<'_>, cells: &Cells, marks: &[Mark]) {
    for mark in marks {
        match mark {
            Mark::Placed(cell, _) => canvas.inked(GREEN, Item::block(cells.area(*cell))),
            Mark::Candidate(cell, digit, ink) => disc(canvas, cells, *cell, *digit, *ink),
            Mark::Out(cell, digit) => disc(canvas, cells, *cell, *digit, RED),
            Mark::Circle(cell, ink) => {
                let circle =
                    Item::Circle { centre: cells.centre(*cell), radius: cells.side * 0.44, width: cells.side * 0.06 };
                canvas.inked(*ink, circle);
            }
            Mark::Tint(..) | Mark::Link(..) => {}
        }
    }
}

fn disc(canvas: &mut Canvas<'_>, cells: &Cells, cell: Cell, digit: Digit, ink: Ink) {
    let radius = cells.candidate_size() * 0.26;
    canvas.inked(ink, Item::Circle { centre: cells.candidate(cell, digit), radius, width: 2.0 * radius });
}

/// Draws the marks over the lines and digits.
fn draw_marks_above(canvas: &mut Canvas<'_>, cells: &Cells, marks: &[Mark], look: Look) {
    let size = cells.candidate_size();
    for mark in marks {
        match mark {
            Mark::Out(cell, digit) => {
                let (x, y) = cells.candidate(*cell, *digit);
                let half = size * 0.42;
                let (from, to) = ((x - half, y + half), (x + half, y - half));
                canvas.push(Item::Line { from, to, width: (size * 0.09).max(THIN_LINE) });
            }
            Mark::Placed(cell, digit) => {
                let order = cells.shape.order();
                let (x, y) = cells.centre(*cell);
                if let Some((picture, part)) = look.symbols.picture(digit.value(), Weight::SemiBold) {
                    canvas.push(Item::Picture { picture, centre: (x, y), side: look.digit_size * part });
                    continue;
                }
                let size = look.digit_size * look.symbols.part(digit.value(), order, canvas.typeface);
                let text = look.symbols.text(digit.value(), order);
                let base = y + canvas.typeface.cap_height(Weight::SemiBold) * size / 2.0;
                canvas.text_around(Weight::SemiBold, size, x, base, &text);
            }
            Mark::Link(from, to, dashed) => {
                link(canvas, cells.candidate(from.0, from.1), cells.candidate(to.0, to.1), size, *dashed);
            }
            Mark::Tint(..) | Mark::Circle(..) | Mark::Candidate(..) => {}
        }
    }
}

/// Draws a line between two candidates that does not cover them.
fn link(canvas: &mut Canvas<'_>, from: (f64, f64), to: (f64, f64), size: f64, dashed: bool) {
    let (across, down) = (to.0 - from.0, to.1 - from.1);
    let length = across.hypot(down);
    let free = size * 0.55;
    if length <= 2.0 * free {
        return;
    }
    let point_at = |distance: f64| (from.0 + across * distance / length, from.1 + down * distance / length);
    let width = (size * 0.10).max(THIN_LINE);
    let mut line =
        |start: f64, end: f64| canvas.inked(LINK, Item::Line { from: point_at(start), to: point_at(end), width });
    if !dashed {
        return line(free, length - free);
    }
    let (mut start, step) = (free, size * 0.34);
    while start < length - free {
        line(start, (start + step).min(length - free));
        start += 2.0 * step;
    }
}
