//! Draws a board on a page: lines, digits in the middle of their cells, and candidates.
//!
//! ```text
//!   +-------+-------+      frame and box lines of a book: 2 pt, in large print 2.8, on solutions 1.2 or more
//!   | 5 . 3 | . 7 . |      cell lines where there is no box line: 0.75 pt or more, in large print 1
//! ```
//!
//! All lengths and type sizes are in points. x grows to the right, and y downwards. A board on a page has two corners:
//! the outer corner of its frame, and the middle of its frame line. They are half a `box_line` apart, and cells begin
//! at the second.

use std::ops::Range;

use crate::draw::canvas::{Canvas, Item};
use crate::draw::measures::Area;
use crate::draw::outline::Ink;
use crate::draw::rules::{Sign, signs_of_houses};
use crate::draw::symbols::Symbols;
use crate::draw::text::typeface::{Typeface, Weight};
use sudoku_corpus_core::board::rules::DrawnAs;
use sudoku_corpus_core::board::{Cell, Digit, Digits, Grid, Shape};

/// A row or a column, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Row(usize),
    Column(usize),
}

impl Line {
    /// Its cells in reading order.
    pub(crate) fn cells(self, order: usize) -> impl Iterator<Item = usize> {
        (0..order).map(move |number| match self {
            Line::Row(row) => row * order + number,
            Line::Column(column) => number * order + column,
        })
    }
}

/// The gray of shaded boxes and houses.
const SHADE: Ink = Ink::Gray(0.9);
/// The gray of a marked row or column.
const MARK: Ink = Ink::Gray(0.8);
/// The gray of diagonals.
const DIAGONAL: Ink = Ink::Gray(0.6);

/// How a board is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Look {
    /// Thickness of the frame and of the lines between boxes.
    pub box_line: f64,
    /// Thickness of the lines between cells. None are drawn if it is 0.
    pub cell_line: f64,
    pub cell_side: f64,
    /// Type size of a digit.
    pub digit_size: f64,
    /// Every other box is gray.
    pub shade: bool,
    pub symbols: Symbols,
    /// A row or a column that is marked; the boxes are not shaded then.
    pub mark: Option<Line>,
}

impl Look {
    /// Thickness of box lines and cell lines in points, from those of a 9x9 board. Larger boards have thicker box
    /// lines, because thin ones are hard to see among their many cell lines: 0.4 more from order 10 on, 0.8 from 17 on.
    pub(crate) fn lines(shape: Shape, (box_line, cell_line): (f64, f64)) -> (f64, f64) {
        let thicker = match shape.order() {
            0..=9 => 0.0,
            10..=16 => 0.4,
            _ => 0.8,
        };
        (box_line + thicker, cell_line)
    }

    /// Side of a board without the outer half of its frame.
    pub(crate) fn side(&self, shape: Shape) -> f64 {
        self.cell_side * shape.order() as f64
    }

    /// Side of a board with its frame.
    pub(crate) fn outer_side(&self, shape: Shape) -> f64 {
        self.side(shape) + self.box_line
    }
}

/// Draws a board without its digits. `x` and `y` are the outer corner of its frame.
pub(crate) fn draw_board(canvas: &mut Canvas<'_>, x: f64, y: f64, shape: Shape, look: Look) {
    draw_ground(canvas, x, y, shape, look);
    draw_lines(canvas, x, y, shape, look);
}

/// Draws what lies below the lines of a board: the signs of houses, diagonals, a marked row or column, shaded boxes.
pub(crate) fn draw_ground(canvas: &mut Canvas<'_>, x: f64, y: f64, shape: Shape, look: Look) {
    let cells = Cells::of(x, y, shape, look);
    // Boards whose houses cannot be told apart are refused before they are drawn.
    let houses = signs_of_houses(shape).unwrap_or_default();
    for (house, sign) in &houses {
        for &cell in &house.cells {
            draw_sign(canvas, *sign, cells.area(Cell::new(cell.into())), look);
        }
    }
    let extras = shape.rules().map_or(&[][..], |rules| &rules.extras[..]);
    let side = look.side(shape);
    for diagonal in extras.iter().filter(|extra| extra.drawn == DrawnAs::Line) {
        let (left, right) = (cells.x, cells.x + side);
        let (from, to) = if diagonal.cells.first() == Some(&0) { (left, right) } else { (right, left) };
        let width = look.cell_line.max(0.5);
        canvas.inked(DIAGONAL, Item::Line { from: (from, cells.y), to: (to, cells.y + side), width });
    }
    for cell in look.mark.into_iter().flat_map(|line| line.cells(shape.order())) {
        canvas.inked(MARK, Item::block(cells.area(Cell::new(cell))));
    }
    if look.shade && look.mark.is_none() && can_shade_boxes(shape) {
        shade_boxes(canvas, &cells);
    }
}

/// True for a board whose boxes can be shaded: it has boxes, and no shaded houses for which they could be taken.
pub fn can_shade_boxes(shape: Shape) -> bool {
    shape.regions().is_none() && signs_of_houses(shape).unwrap_or_default().is_empty()
}

fn shade_boxes(canvas: &mut Canvas<'_>, cells: &Cells) {
    let shape = cells.shape;
    let (width, height) = (shape.box_columns() as f64 * cells.side, shape.box_rows() as f64 * cells.side);
    for band in 0..shape.bands() {
        for stack in (0..shape.stacks()).filter(|stack| (band + stack) % 2 == 1) {
            let (x, y) = (cells.x + stack as f64 * width, cells.y + band as f64 * height);
            canvas.inked(SHADE, Item::block(Area { x, y, width, height }));
        }
    }
}

/// Draws the lines and the frame of a board. Thick lines come last, so that they cover the ends of thin ones.
pub(crate) fn draw_lines(canvas: &mut Canvas<'_>, x: f64, y: f64, shape: Shape, look: Look) {
    let Cells { x, y, .. } = Cells::of(x, y, shape, look);
    for (is_thick, width) in [(false, look.cell_line), (true, look.box_line)] {
        for line in (1..shape.order()).filter(|_| width > 0.0) {
            for run in runs_of_borders(shape, Line::Column(line), is_thick) {
                let across = x + line as f64 * look.cell_side;
                let [from, to] = [run.start, run.end].map(|along| (across, y + along as f64 * look.cell_side));
                canvas.push(Item::Line { from, to, width });
            }
            for run in runs_of_borders(shape, Line::Row(line), is_thick) {
                let down = y + line as f64 * look.cell_side;
                let [from, to] = [run.start, run.end].map(|along| (x + along as f64 * look.cell_side, down));
                canvas.push(Item::Line { from, to, width });
            }
        }
    }
    let side = look.side(shape);
    canvas.push(Item::Frame { area: Area { x, y, width: side, height: side }, width: look.box_line });
}

/// The pieces of the line before a row or a column that divide boxes, or those that do not: one for each run of cells,
/// so a whole line between boxes.
fn runs_of_borders(shape: Shape, line: Line, is_thick: bool) -> Vec<Range<usize>> {
    let n = shape.order();
    let mut runs: Vec<Range<usize>> = Vec::new();
    for along in 0..n {
        let divides = match line {
            Line::Row(row) => shape.box_of(row - 1, along) != shape.box_of(row, along),
            Line::Column(column) => shape.box_of(along, column - 1) != shape.box_of(along, column),
        };
        match runs.last_mut() {
            _ if divides != is_thick => {}
            Some(run) if run.end == along => run.end += 1,
            _ => runs.push(along..along + 1),
        }
    }
    runs
}

/// Draws the sign of a house into the area of a cell.
fn draw_sign(canvas: &mut Canvas<'_>, sign: Sign, area: Area, look: Look) {
    let (side, width) = (look.cell_side, look.cell_line.max(0.5));
    let middle = (area.x + side / 2.0, area.y + side / 2.0);
    match sign {
        Sign::Gray => canvas.inked(SHADE, Item::block(area)),
        Sign::Ring => canvas.inked(DIAGONAL, Item::Circle { centre: middle, radius: side * 0.43, width }),
        Sign::Square => {
            let (x, y) = (area.x + side * 0.1, area.y + side * 0.1);
            let area = Area { x, y, width: side * 0.8, height: side * 0.8 };
            canvas.inked(DIAGONAL, Item::Frame { area, width });
        }
        Sign::Diamond => {
            let reach = side * 0.47;
            let corners = [(0.0, -reach), (reach, 0.0), (0.0, reach), (-reach, 0.0)];
            let corners = corners.map(|(across, down)| (middle.0 + across, middle.1 + down));
            for (number, &from) in corners.iter().enumerate() {
                canvas.inked(DIAGONAL, Item::Line { from, to: corners[(number + 1) % 4], width });
            }
        }
    }
}

/// Draws the digits of a board in reading order, each with its `weight`. `x`, `y`: the outer corner of its frame.
pub(crate) fn draw_digits(
    canvas: &mut Canvas<'_>,
    x: f64,
    y: f64,
    grid: &Grid,
    look: Look,
    weight: impl Fn(usize) -> Weight,
) {
    let (x, y) = (x + look.box_line / 2.0, y + look.box_line / 2.0);
    draw_values(canvas, x, y, grid.values(), grid.shape().order(), look, weight);
}

/// Draws the symbols of a board beside each other, in a row as wide as the board and as high as a cell. `x` and `y` are
/// its upper left corner.
pub(crate) fn draw_strip(canvas: &mut Canvas<'_>, x: f64, y: f64, order: usize, look: Look) {
    let values: Vec<u16> = (1..=order as u16).collect();
    draw_values(canvas, x + look.box_line / 2.0, y, &values, order, look, |_| Weight::Medium);
}

/// Draws the symbol of a value in a cell whose upper left corner is the origin.
pub(crate) fn draw_symbol(canvas: &mut Canvas<'_>, value: u16, order: usize, look: Look) {
    draw_values(canvas, 0.0, 0.0, &[value], order, look, |_| Weight::Medium);
}

/// Draws values from 1, 0 for an empty cell, in rows of `n` cells. The first cell has its upper left corner at `x`, `y`.
fn draw_values(
    canvas: &mut Canvas<'_>,
    x: f64,
    y: f64,
    values: &[u16],
    n: usize,
    look: Look,
    weight: impl Fn(usize) -> Weight,
) {
    // Neighbors of one weight and size are one text. Texts lie over pictures.
    let mut texts: Vec<Item> = Vec::new();
    for (cell, &value) in values.iter().enumerate() {
        if value == 0 {
            continue;
        }
        let weight = weight(cell);
        let (row, column) = ((cell / n) as f64, (cell % n) as f64);
        let (x, y) = (x + column * look.cell_side, y + row * look.cell_side);
        if let Some((picture, part)) = look.symbols.picture(value, weight) {
            let centre = (x + look.cell_side / 2.0, y + look.cell_side / 2.0);
            canvas.push(Item::Picture { picture, centre, side: look.digit_size * part });
            continue;
        }
        let text = look.symbols.text(value, n);
        let size = look.digit_size * look.symbols.part(value, n, canvas.typeface);
        let left = (look.cell_side - canvas.typeface.width(weight, size, &text)) / 2.0;
        let base = (look.cell_side + canvas.typeface.cap_height(weight) * size) / 2.0;
        let placed = canvas.typeface.place(weight, size, x + left, y + base, &text);
        match texts.last_mut() {
            Some(Item::Text { weight: last_weight, size: last_size, glyphs, .. })
                if (*last_weight, *last_size) == (weight, size) =>
            {
                glyphs.extend(placed);
            }
            _ => texts.push(Item::Text { weight, size, glyphs: placed, is_turned: false }),
        }
    }
    texts.into_iter().for_each(|text| canvas.push(text));
}

/// The places of the cells of a board and of their candidates.
pub(crate) struct Cells {
    /// The upper left corner of the first cell.
    pub x: f64,
    pub y: f64,
    /// Side of a cell.
    pub side: f64,
    pub shape: Shape,
    digit_size: f64,
}

/// The part of the side of a cell that its candidates share, in the middle.
const ROOM: f64 = 0.92;
/// The margin around this room.
const MARGIN: f64 = 0.04;
/// The type size of a candidate, as a part of its own room in a cell.
const CANDIDATE: f64 = 0.98;
/// The largest type size of a candidate, as a part of that of a digit.
const CANDIDATE_OF_DIGIT: f64 = 0.55;
/// The largest type size of a candidate, as a part of the side of a cell.
const CANDIDATE_OF_CELL: f64 = 0.34;

impl Cells {
    /// The cells of a board. `x` and `y` are the outer corner of its frame.
    pub(crate) fn of(x: f64, y: f64, shape: Shape, look: Look) -> Cells {
        let (x, y) = (x + look.box_line / 2.0, y + look.box_line / 2.0);
        Cells { x, y, side: look.cell_side, shape, digit_size: look.digit_size }
    }

    fn corner(&self, cell: Cell) -> (f64, f64) {
        let n = self.shape.order();
        let (row, column) = (cell.index() / n, cell.index() % n);
        (self.x + column as f64 * self.side, self.y + row as f64 * self.side)
    }

    pub(crate) fn centre(&self, cell: Cell) -> (f64, f64) {
        let (x, y) = self.corner(cell);
        (x + self.side / 2.0, y + self.side / 2.0)
    }

    pub(crate) fn area(&self, cell: Cell) -> Area {
        let (x, y) = self.corner(cell);
        Area { x, y, width: self.side, height: self.side }
    }

    /// The number of rows and columns in which the candidates of a cell stand: those of a box. In a jigsaw they stand
    /// in the smallest square with room for all, without its empty rows.
    fn of_candidates(shape: Shape) -> (usize, usize) {
        match shape.regions() {
            None => (shape.box_rows(), shape.box_columns()),
            Some(_) => {
                let columns = (1..).find(|side| side * side >= shape.order()).unwrap_or(1);
                (shape.order().div_ceil(columns), columns)
            }
        }
    }

    pub(crate) fn candidate(&self, cell: Cell, digit: Digit) -> (f64, f64) {
        let (rows, columns) = Cells::of_candidates(self.shape);
        let index = usize::from(digit.value()) - 1;
        let (row, column) = ((index / columns) as f64, (index % columns) as f64);
        let ((x, y), room, margin) = (self.corner(cell), self.side * ROOM, self.side * MARGIN);
        let (width, height) = (room / columns as f64, room / rows as f64);
        (x + margin + (column + 0.5) * width, y + margin + (row + 0.5) * height)
    }

    /// The type size of a candidate that is a digit.
    pub(crate) fn candidate_size(&self) -> f64 {
        (self.side * Cells::candidate_part(self.shape)).min(self.digit_size * CANDIDATE_OF_DIGIT)
    }

    /// That size as a part of the side of a cell. The limit is for boards with few digits, whose candidates would
    /// otherwise be almost as large as digits.
    fn candidate_part(shape: Shape) -> f64 {
        let (rows, columns) = Cells::of_candidates(shape);
        (ROOM * CANDIDATE / rows.max(columns) as f64).min(CANDIDATE_OF_CELL)
    }

    /// The type size of candidates as a part of the side of a cell, if the widest symbol has to fit beside others.
    fn symbol_part(shape: Shape, symbols: Symbols, typeface: &Typeface) -> f64 {
        let (_, columns) = Cells::of_candidates(shape);
        let widths = (1..=shape.order() as u16).map(|value| symbols.text_width(value, shape.order(), typeface));
        let widest = widths.fold(1.0, f64::max);
        Cells::candidate_part(shape).min(ROOM * CANDIDATE / columns as f64 / widest)
    }

    /// The type size of the smallest candidate, as a part of the side of a cell. Without a typeface, symbols of several
    /// characters count as narrow ones, so the size may come out too large.
    pub(crate) fn smallest_candidate_part(shape: Shape, symbols: Symbols, typeface: Option<&Typeface>) -> f64 {
        let part = typeface.map(|typeface| Cells::symbol_part(shape, symbols, typeface));
        symbols.smallest(shape.order(), typeface) * part.unwrap_or_else(|| Cells::candidate_part(shape))
    }

    /// Draws the candidates of cells: symbols, or pictures in their place.
    pub(crate) fn draw_candidates(
        &self,
        canvas: &mut Canvas<'_>,
        open: impl Iterator<Item = (Cell, Digits)>,
        symbols: Symbols,
    ) {
        let (size, order) = (self.candidate_size(), self.shape.order());
        let size = size.min(self.side * Cells::symbol_part(self.shape, symbols, canvas.typeface));
        for (cell, digit) in open.flat_map(|(cell, digits)| digits.iter().map(move |digit| (cell, digit))) {
            let (x, y) = self.candidate(cell, digit);
            if let Some((picture, _)) = symbols.picture(digit.value(), Weight::Medium) {
                canvas.push(Item::Picture { picture, centre: (x, y), side: size * 0.8 });
                continue;
            }
            let size = size * symbols.part(digit.value(), order, canvas.typeface);
            let base = y + canvas.typeface.cap_height(Weight::Regular) * size / 2.0;
            canvas.text_around(Weight::Regular, size, x, base, &symbols.text(digit.value(), order));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use sudoku_corpus_core::board::text::symbol;

    const LOOK: Look = Look {
        box_line: 1.4,
        cell_line: 0.4,
        cell_side: 20.0,
        digit_size: 12.0,
        shade: false,
        symbols: Symbols::USUAL,
        mark: None,
    };

    #[test]
    fn boxes_are_separated_by_thick_lines_and_cells_by_thin_ones() {
        let typeface = Typeface::open().unwrap();
        for shape in Shape::all(36) {
            let mut canvas = Canvas::new(&typeface);
            draw_board(&mut canvas, 10.0, 20.0, shape, LOOK);
            let (n, side) = (shape.order(), LOOK.side(shape));
            let mut lines = BTreeSet::new();
            for item in canvas.finish() {
                let Item::Line { from, to, width } = item else {
                    let area = Area { x: 10.7, y: 20.7, width: side, height: side };
                    assert_eq!(item, Item::Frame { area, width: LOOK.box_line }, "{shape}");
                    continue;
                };
                let is_column = from.0 == to.0;
                let (offset, size) =
                    if is_column { (from.0 - 10.7, shape.box_columns()) } else { (from.1 - 20.7, shape.box_rows()) };
                let place = (offset / LOOK.cell_side).round() as usize;
                assert!(
                    (offset - place as f64 * LOOK.cell_side).abs() < 1e-6 && (1..n).contains(&place),
                    "{shape}: {offset}"
                );
                assert!((to.0 - from.0 + to.1 - from.1 - side).abs() < 1e-6, "{shape}");
                assert_eq!(width, if place.is_multiple_of(size) { LOOK.box_line } else { LOOK.cell_line }, "{shape}");
                assert!(lines.insert((is_column, place)));
            }
            assert_eq!(lines.len(), 2 * (n - 1), "{shape}");
        }
    }

    /// Cells of windows are shaded, not four boxes; diagonals join corners. An asterisk that touches windows has rings.
    #[test]
    fn houses_of_the_rules_are_drawn() {
        let typeface = Typeface::open().unwrap();
        let drawn = |variants: &str| {
            let mut canvas = Canvas::new(&typeface);
            draw_board(&mut canvas, 0.0, 0.0, Shape::NINE.with(variants).unwrap(), Look { shade: true, ..LOOK });
            let items = canvas.finish();
            let count =
                |wanted: Ink| items.iter().filter(|item| matches!(item, Item::Inked(ink, _) if *ink == wanted)).count();
            (count(SHADE), count(DIAGONAL))
        };
        assert_eq!([drawn("windoku"), drawn("x"), drawn("windoku+asterisk")], [(36, 0), (4, 2), (36, 9)]);
        assert_eq!(drawn("anti-knight"), (4, 0));
    }

    /// Every border of two regions is drawn once, thick, and every other line between cells thin.
    #[test]
    fn regions_are_divided_by_thick_lines() {
        let typeface = Typeface::open().unwrap();
        let shape: Shape = "4+jigsaw:AAABCABBCCDBCDDD".parse().unwrap();
        let mut canvas = Canvas::new(&typeface);
        draw_board(&mut canvas, 0.0, 0.0, shape, LOOK);
        let mut length = [0.0; 2];
        for item in canvas.finish() {
            if let Item::Line { from, to, width } = item {
                length[usize::from(width == LOOK.box_line)] += (to.0 - from.0 + to.1 - from.1) / LOOK.cell_side;
            }
        }
        let near =
            |cell: usize| [(cell % 4 < 3).then_some(cell + 1), (cell < 12).then_some(cell + 4)].into_iter().flatten();
        let borders = (0..16).flat_map(|cell| near(cell).map(move |other| (cell, other)));
        let region = |cell: usize| shape.box_of(cell / 4, cell % 4);
        let thick = borders.filter(|&(cell, other)| region(cell) != region(other)).count() as f64;
        assert_eq!(length.map(f64::round), [24.0 - thick, thick]);
    }

    #[test]
    fn every_digit_is_in_the_middle_of_its_cell() {
        let typeface = Typeface::open().unwrap();
        for shape in Shape::all(36) {
            let n = shape.order();
            let values = (0..n * n).map(|cell| (cell % (n + 1)) as u16).collect();
            let grid = Grid::new(shape, values).unwrap();
            let mut canvas = Canvas::new(&typeface);
            draw_digits(&mut canvas, 0.0, 0.0, &grid, LOOK, |cell| Weight::ALL[cell % 2]);
            let mut seen = Vec::new();
            for item in canvas.finish() {
                let Item::Text { weight, size, glyphs, .. } = item else { panic!() };
                for glyph in glyphs {
                    let width = typeface.advance(weight, size, glyph.character);
                    let across = (glyph.x + width / 2.0 - 0.7) / LOOK.cell_side;
                    let down = (glyph.y - typeface.cap_height(weight) * size / 2.0 - 0.7) / LOOK.cell_side;
                    let (row, column) = (down.floor() as usize, across.floor() as usize);
                    assert!((across - column as f64 - 0.5).abs() < 1e-6 && (down - row as f64 - 0.5).abs() < 1e-6);
                    assert!(width < LOOK.cell_side);
                    seen.push((row * n + column, glyph.character));
                }
            }
            let given: Vec<_> =
                grid.given_cells().map(|(cell, digit)| (cell.index(), symbol(digit.value(), n))).collect();
            assert_eq!(seen, given, "{shape}");
        }
    }
}
