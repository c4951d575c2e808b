//! How large everything is: type, and the boards of a page of puzzles or of solutions.
//!
//! A page holds `columns` x `rows` units, each a caption over a board. The largest board of the book decides how large a
//! unit is; what room is left over goes between the units and around them, a little more below than above (the optical
//! middle of a page lies over its true one).

use super::board::Look;
use super::flow::{Setting, Style};
use super::sheet::{Area, Sheet, Trim};
use super::typeface::Weight;
use super::{BookError, Options};
use crate::board::Shape;

/// The smallest cell that a person can write a digit into, in points: 3.9 mm.
pub const MIN_CELL: f64 = 11.0;
/// Cells as wide as this leave room for pencil marks; the number of puzzles on a page is chosen so, when it is free.
const EASY_CELL: f64 = 20.0;
/// Larger cells help nobody.
const MAX_CELL: f64 = 54.0;
/// The smallest type.
pub const MIN_TYPE: f64 = 7.0;
/// A board in large print is at least so wide: 4.5 in.
const LARGE_PRINT_SIDE: f64 = 324.0;
/// Cells in large print that suit the largest digits.
const LARGE_PRINT_CELL: f64 = 46.0;
/// Digits in large print.
const LARGE_PRINT_DIGITS: (f64, f64) = (18.0, 24.0);
/// Type size of a digit, as a part of its cell: as designed, and where cells are small.
const DIGIT_IN_CELL: (f64, f64) = (0.62, 0.78);

/// The type sizes of a book.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TypeSizes {
    /// Running text.
    pub body: f64,
    /// Caption over a puzzle, and page numbers.
    pub caption: f64,
    /// Captions over solutions, and what else is beside the point.
    pub small: f64,
    /// Heading of a chapter such as "Contents".
    pub chapter: f64,
    /// Title of a part and, at most, of the book.
    pub part: f64,
}

impl TypeSizes {
    /// Sizes for a trim size.
    pub fn new(trim: Trim, large_print: bool) -> TypeSizes {
        match (large_print, trim.width > 6.5 * super::sheet::INCH) {
            (true, _) => TypeSizes { body: 14.0, caption: 16.0, small: 12.0, chapter: 26.0, part: 40.0 },
            (false, true) => TypeSizes { body: 11.0, caption: 11.0, small: 8.5, chapter: 24.0, part: 40.0 },
            (false, false) => TypeSizes { body: 9.5, caption: 10.0, small: 7.5, chapter: 20.0, part: 32.0 },
        }
    }

    /// The part of a block that running text fills: lines of more than some 80 characters are hard to read.
    pub fn column(&self, block: Area) -> Area {
        Area { width: block.width.min(self.body * 39.0), ..block }
    }

    /// How running text is set.
    pub fn style(&self) -> Style {
        Style {
            body: Setting { weight: Weight::Regular, size: self.body, leading: self.body * 1.42 },
            heading: Setting { weight: Weight::SemiBold, size: self.body * 1.15, leading: self.body * 1.6 },
            term_column: self.body * 5.6,
        }
    }
}

/// Where the units of a page stand, and how large a board may be.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrangement {
    /// Upper left corners of the units, from the corner of the block.
    pub places: Vec<(f64, f64)>,
    /// Width of a unit: the side of the largest board with its frame.
    pub side: f64,
    /// Height of the caption, with the space between it and the board.
    pub caption: f64,
    /// Thickness of box lines and cell lines.
    lines: (f64, f64),
    /// Largest cell, but for boards that would be smaller than the least side.
    cell: f64,
    least_side: f64,
    /// Least and greatest type size of digits.
    digits: (f64, f64),
}

/// What an arrangement has to respect.
#[derive(Clone, Copy, Debug)]
struct Rules {
    caption: f64,
    gap: (f64, f64),
    lines: (f64, f64),
    cell: f64,
    least_side: f64,
    digits: (f64, f64),
}

impl Arrangement {
    /// Units in `columns` x `rows` on a block, boards of `shapes` on them.
    fn new(block: (f64, f64), columns: usize, rows: usize, shapes: &[Shape], rules: Rules) -> Arrangement {
        let (across, down) = (columns as f64, rows as f64);
        let wide = (block.0 - (across - 1.0) * rules.gap.0) / across;
        let high = (block.1 - (down - 1.0) * rules.gap.1) / down - rules.caption;
        let room = wide.min(high).max(0.0);
        let mut arrangement = Arrangement {
            places: Vec::new(),
            side: room,
            caption: rules.caption,
            lines: rules.lines,
            cell: rules.cell,
            least_side: rules.least_side,
            digits: rules.digits,
        };
        let sides = shapes.iter().map(|&shape| arrangement.look(shape).outer_side(shape));
        arrangement.side = sides.fold(0.0, f64::max);
        let unit = arrangement.side + rules.caption;
        let (left, step_x) = spread(block.0, arrangement.side, columns, rules.gap.0, 0.5, true);
        let (top, step_y) = spread(block.1, unit, rows, rules.gap.1, 0.42, false);
        let place = |at: usize| (left + (at % columns) as f64 * step_x, top + (at / columns) as f64 * step_y);
        arrangement.places = (0..columns * rows).map(place).collect();
        arrangement
    }

    /// How a board of a shape is drawn: as large as the unit and the largest cell allow, in quarters of a point.
    pub fn look(&self, shape: Shape) -> Look {
        let (box_line, cell_line) = self.lines;
        let n = shape.order() as f64;
        let cell = ((self.side - box_line) / n).min(self.cell.max(self.least_side / n));
        let cell = if cell > 4.0 { (cell * 4.0 + 1e-9).floor() / 4.0 } else { cell.max(0.1) };
        let least = self.digits.0.min(cell * DIGIT_IN_CELL.1);
        Look { box_line, cell_line, cell, digit: (cell * DIGIT_IN_CELL.0).clamp(least, self.digits.1.max(least)) }
    }

    /// Units on a page.
    pub fn per_page(&self) -> usize {
        self.places.len()
    }

    /// The unit at a place of a block.
    pub fn unit(&self, block: Area, place: usize) -> Area {
        let (x, y) = self.places[place];
        Area { x: block.x + x, y: block.y + y, width: self.side, height: self.side + self.caption }
    }
}

/// Start of the first of `count` things of a size, and the distance from one to the next. Where the gaps stay small
/// beside the things, these reach from edge to edge; else what is left over goes into the gaps up to a share, and
/// around all, the part `before` of it in front.
fn spread(room: f64, size: f64, count: usize, gap: f64, before: f64, to_edges: bool) -> (f64, f64) {
    if count < 2 {
        return ((room - size).max(0.0) * before, size);
    }
    let gaps = (count - 1) as f64;
    let left_over = (room - count as f64 * size - gaps * gap).max(0.0);
    let more = left_over / gaps;
    let more = if to_edges && gap + more <= size * 0.8 { more } else { (left_over / (gaps + 1.0)).min(size * 0.3) };
    ((left_over - more * gaps) * before, size + gap + more)
}

/// The arrangement of the pages of puzzles.
///
/// # Errors
/// [`BookError::SmallCells`] when cells are too small to write into, [`BookError::LargePrint`] when they are too small
/// for large print.
pub fn puzzles(
    sheet: &Sheet,
    type_sizes: TypeSizes,
    shapes: &[Shape],
    options: &Options,
) -> Result<Arrangement, BookError> {
    let block = sheet.block(true);
    let rules = puzzle_rules(type_sizes, options.large_print);
    let arrange = |per_page: usize| {
        let columns = if per_page > 2 { 2 } else { 1 };
        Arrangement::new((block.width, block.height), columns, per_page / columns, shapes, rules)
    };
    if options.large_print {
        let arrangement = arrange(1);
        return check_large_print(&arrangement, shapes, sheet.trim).map(|()| arrangement);
    }
    let smallest = |arrangement: &Arrangement| {
        let looks = shapes.iter().map(|&shape| (arrangement.look(shape).cell, shape));
        looks.min_by(|one, other| one.0.total_cmp(&other.0))
    };
    let chosen = match options.per_page {
        Some(per_page) => arrange(per_page.number()),
        None => {
            let most = if sheet.trim.width > 7.5 * super::sheet::INCH { 4 } else { 2 };
            let fits = |arrangement: &Arrangement| smallest(arrangement).is_none_or(|(cell, _)| cell >= EASY_CELL);
            [4, 2].into_iter().filter(|&count| count <= most).map(arrange).find(fits).unwrap_or_else(|| arrange(1))
        }
    };
    match smallest(&chosen) {
        Some((cell, shape)) if cell < MIN_CELL => {
            Err(BookError::SmallCells { shape, per_page: chosen.per_page(), trim: sheet.trim.name, cell })
        }
        _ => Ok(chosen),
    }
}

fn puzzle_rules(type_sizes: TypeSizes, large_print: bool) -> Rules {
    let (cell, least_side, digits) = match large_print {
        true => (LARGE_PRINT_CELL, LARGE_PRINT_SIDE, LARGE_PRINT_DIGITS),
        false => (MAX_CELL, 0.0, (MIN_TYPE, 30.0)),
    };
    let gap = (type_sizes.caption * 2.4, type_sizes.caption * 2.0);
    Rules { caption: type_sizes.caption * 1.7, gap, lines: (1.4, 0.4), cell, least_side, digits }
}

fn check_large_print(arrangement: &Arrangement, shapes: &[Shape], trim: Trim) -> Result<(), BookError> {
    for &shape in shapes {
        let look = arrangement.look(shape);
        if look.outer_side(shape) < LARGE_PRINT_SIDE - 1.0 || look.digit < LARGE_PRINT_DIGITS.0 {
            let side = look.outer_side(shape) / super::sheet::INCH;
            return Err(BookError::LargePrint { shape, trim: trim.name, side, digit: look.digit });
        }
    }
    Ok(())
}

/// The arrangement of the pages of solutions: 6 to 12 on a page, as many as can be read well; fewer where boards are
/// too large for that.
///
/// # Errors
/// [`BookError::SmallCells`] when not even one board of the largest shape can be read on a page.
pub fn solutions(
    sheet: &Sheet,
    type_sizes: TypeSizes,
    shapes: &[Shape],
    options: &Options,
) -> Result<Arrangement, BookError> {
    let block = sheet.block(true);
    let least = if options.large_print { 9.0 } else { MIN_TYPE };
    let rules = Rules {
        caption: type_sizes.small * 1.55,
        gap: (type_sizes.small * 2.0, type_sizes.small * 1.6),
        lines: (1.2, 0.3),
        cell: if options.large_print { 20.0 } else { 16.0 },
        least_side: 0.0,
        digits: (least, 14.0),
    };
    let height = block.height - solutions_head(type_sizes);
    let arrange =
        |&(columns, rows): &(usize, usize)| Arrangement::new((block.width, height), columns, rows, shapes, rules);
    let smallest = |arrangement: &Arrangement| {
        shapes.iter().map(|&shape| arrangement.look(shape).cell).fold(f64::INFINITY, f64::min)
    };
    // Digits of the least size fill so much of their cell, where it can be read well and where it can be read at all.
    let well = |arrangement: &Arrangement| smallest(arrangement) >= least / 0.70;
    let at_all = |arrangement: &Arrangement| smallest(arrangement) >= least / DIGIT_IN_CELL.1;
    let wanted = [(3, 4), (3, 3), (2, 4), (2, 3)];
    let fewer = [(2, 2), (1, 3), (1, 2), (1, 1)];
    let found = wanted.iter().map(arrange).find(well);
    let found = found.or_else(|| wanted.iter().rev().map(arrange).find(at_all));
    let found = found.or_else(|| fewer.iter().map(arrange).find(at_all));
    found.ok_or_else(|| {
        let largest = shapes.iter().copied().max_by_key(|shape| shape.order()).unwrap_or(Shape::NINE);
        let cell = smallest(&arrange(&(1, 1)));
        BookError::SmallCells { shape: largest, per_page: 1, trim: sheet.trim.name, cell }
    })
}

/// Height of the head of a page of solutions, above the units.
pub fn solutions_head(type_sizes: TypeSizes) -> f64 {
    type_sizes.caption * 2.4
}
