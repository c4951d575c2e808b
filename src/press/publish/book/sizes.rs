//! The sizes of type, and of the boards on a page of puzzles or of solutions.
//!
//! A page holds `columns` x `rows` units, each a caption over a board of one shape. Below the board, options add lines for
//! the hardest technique, the name of the puzzle and the time. The space left over is divided between the units and around
//! them, with a little more below than above (the optical middle of a page is above its true middle).

use super::board::{Look, Symbols};
use super::flow::{Setting, Style};
use super::sheet::{Area, Sheet, Trim};
use super::typeface::{Typeface, Weight};
use super::{Answers, BookError, Options};
use sudoku_corpus_core::board::Shape;

/// The smallest cell that a person can write a digit into, in points: 3.9 mm.
pub const MIN_CELL: f64 = 11.0;
/// Smaller cells are hard to write into, and the maker of the book gets a warning: 5.3 mm.
pub const SMALL_CELL: f64 = 15.0;
/// Cells of this width leave room for pencil marks. The default number of puzzles on a page is chosen by it.
const EASY_CELL: f64 = 20.0;
/// The largest cell: a larger one is no easier to use.
const MAX_CELL: f64 = 54.0;
/// The smallest type.
pub const MIN_TYPE: f64 = 7.0;
/// Type sizes of digits in large print: the smallest on boards up to 9x9, the smallest on larger boards, and the largest.
const LARGE_PRINT_DIGITS: (f64, f64, f64) = (28.0, 18.0, 36.0);
/// The smallest type in large print.
pub const LARGE_PRINT_TYPE: f64 = 16.0;
/// Type size of a digit in large print, as a part of its cell.
const LARGE_DIGIT_IN_CELL: f64 = 0.72;
/// Type size of a digit, as a part of its cell: as designed, and where cells are small.
const DIGIT_IN_CELL: (f64, f64) = (0.62, 0.78);

/// The type sizes of a book.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TypeSizes {
    /// Running text.
    pub body: f64,
    /// Caption over a puzzle, and page numbers.
    pub caption: f64,
    /// Captions over solutions, and other minor text.
    pub small: f64,
    /// Heading of a chapter such as "Contents".
    pub chapter: f64,
    /// The largest size for the name of a part. The title of the book may be 1.15 times as large.
    pub part: f64,
}

impl TypeSizes {
    /// Sizes for a trim size.
    pub fn new(trim: Trim, large_print: bool) -> TypeSizes {
        match (large_print, trim.width > 6.5 * super::sheet::INCH) {
            (true, _) => TypeSizes { body: 17.0, caption: 18.0, small: LARGE_PRINT_TYPE, chapter: 30.0, part: 44.0 },
            (false, true) => TypeSizes { body: 11.0, caption: 11.0, small: 8.5, chapter: 24.0, part: 40.0 },
            (false, false) => TypeSizes { body: 9.5, caption: 10.0, small: 7.5, chapter: 20.0, part: 32.0 },
        }
    }

    /// The part of a block that running text fills: lines of more than some 80 characters are hard to read.
    pub fn column(&self, block: Area) -> Area {
        Area { width: block.width.min(self.body * 39.0), ..block }
    }

    /// Height of a running head with the space below it.
    pub fn running_head(&self) -> f64 {
        self.small * 2.2
    }

    /// How running text is set.
    pub fn style(&self) -> Style {
        Style {
            body: Setting { weight: Weight::Regular, size: self.body, leading: self.body * 1.42 },
            heading: Setting { weight: Weight::SemiBold, size: self.body * 1.15, leading: self.body * 1.6 },
            term_column: self.body * 5.6,
        }
    }

    /// The same with a column of terms that is as wide as its widest term.
    pub fn style_for<'a>(&self, typeface: &Typeface, terms: impl Iterator<Item = &'a str>) -> Style {
        let widths = terms.map(|term| typeface.width(Weight::SemiBold, self.body, term) + self.body * 1.2);
        let style = self.style();
        Style { term_column: widths.fold(style.term_column, f64::max).min(self.body * 11.0), ..style }
    }
}

/// The places of the units on a page, and how a board is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrangement {
    /// Upper left corners of the units, from the corner of the block.
    pub places: Vec<(f64, f64)>,
    /// Side of a board with its frame.
    pub side: f64,
    /// Height of the caption, with the space between it and the board.
    pub caption: f64,
    /// Height of the lines below the board.
    pub below: f64,
    /// How a board is drawn.
    pub look: Look,
}

/// The limits for an arrangement.
#[derive(Clone, Copy, Debug)]
struct Rules {
    caption: f64,
    below: f64,
    gap: (f64, f64),
    lines: (f64, f64),
    /// The largest cell.
    cell: f64,
    /// Smallest and largest type size of digits, and their part of a cell.
    digits: (f64, f64, f64),
    /// The smallest type size of all that is printed.
    smallest: f64,
    shade: bool,
    symbols: Symbols,
}

impl Rules {
    /// The smallest type size of digits. Numbers of two figures are set smaller than digits and must be readable too.
    fn least_digit(&self, shape: Shape) -> f64 {
        self.digits.0.max(self.smallest / self.symbols.smallest(shape.order()))
    }
}

impl Arrangement {
    /// Units in `columns` x `rows` on a block.
    fn new(block: (f64, f64), columns: usize, rows: usize, shape: Shape, rules: Rules) -> Arrangement {
        let (across, down) = (columns as f64, rows as f64);
        let wide = (block.0 - (across - 1.0) * rules.gap.0) / across;
        let high = (block.1 - (down - 1.0) * rules.gap.1) / down - rules.caption - rules.below;
        let look = look(wide.min(high).max(0.0), shape, rules);
        let side = look.outer_side(shape);
        let unit = side + rules.caption + rules.below;
        let (left, step_x) = spread(block.0, side, columns, rules.gap.0, 0.5, true);
        let (top, step_y) = spread(block.1, unit, rows, rules.gap.1, 0.42, false);
        let place = |at: usize| (left + (at % columns) as f64 * step_x, top + (at / columns) as f64 * step_y);
        let places = (0..columns * rows).map(place).collect();
        Arrangement { places, side, caption: rules.caption, below: rules.below, look }
    }

    /// Units on a page.
    pub fn per_page(&self) -> usize {
        self.places.len()
    }

    /// The board, with its frame, at a place of a block.
    pub fn board(&self, block: Area, place: usize) -> Area {
        let (x, y) = self.places[place];
        Area { x: block.x + x, y: block.y + y + self.caption, width: self.side, height: self.side }
    }
}

/// How a board of a shape is drawn in some room: as large as the room and the largest cell allow, in quarters of a point.
fn look(room: f64, shape: Shape, rules: Rules) -> Look {
    let (box_line, cell_line) = Look::lines(shape, rules.lines);
    let cell = ((room - box_line) / shape.order() as f64).min(rules.cell);
    let cell = if cell > 4.0 { (cell * 4.0 + 1e-9).floor() / 4.0 } else { cell.max(0.1) };
    let (_, most, part) = rules.digits;
    let least = rules.least_digit(shape).min(cell * DIGIT_IN_CELL.1);
    let digit = (cell * part).clamp(least, most.max(least));
    Look { box_line, cell_line, cell, digit, shade: rules.shade, symbols: rules.symbols }
}

/// Start of the first of `count` units of a size, and the distance from the start of one to the next. If `to_edges` is
/// set and the gaps are small compared with the units, the units reach from edge to edge. Otherwise some of the space
/// left over goes into the gaps, up to a limit. The rest goes around all units; `before` is the part of it in front of
/// the first one.
fn spread(room: f64, size: f64, count: usize, gap: f64, before: f64, to_edges: bool) -> (f64, f64) {
    if count < 2 {
        return ((room - size).max(0.0) * before, size);
    }
    let gaps = (count - 1) as f64;
    let left_over = (room - count as f64 * size - gaps * gap).max(0.0);
    let more = left_over / gaps;
    let more = if to_edges && gap + more <= size * 0.35 { more } else { (left_over / (gaps + 1.0)).min(size * 0.3) };
    ((left_over - more * gaps) * before, size + gap + more)
}

/// The part of a page for its answers, if they are on the same page.
pub const ANSWERS_BELOW: f64 = 0.27;

/// Everything that the layout of a page depends on.
pub struct Room<'a> {
    /// Margins.
    pub sheet: &'a Sheet,
    /// Type sizes.
    pub type_sizes: TypeSizes,
    /// How the book is made up.
    pub options: &'a Options,
}

impl Room<'_> {
    /// The arrangement of full pages of puzzles of a shape.
    ///
    /// # Errors
    /// [`BookError::SmallCells`] if cells are too small to write into, [`BookError::LargePrint`] if they are too small for
    /// large print.
    pub fn puzzles(&self, shape: Shape) -> Result<Arrangement, BookError> {
        let arrange = |count| self.some_puzzles(shape, count);
        if self.options.large_print {
            let arrangement = arrange(1);
            return check_large_print(&arrangement, shape, self.options).map(|()| arrangement);
        }
        let chosen = match self.options.per_page {
            Some(per_page) => arrange(per_page.number()),
            None if self.options.answers == Answers::Below => arrange(1),
            None => {
                let most = if self.sheet.trim.width > 7.5 * super::sheet::INCH { 4 } else { 2 };
                let fits = |arrangement: &Arrangement| arrangement.look.cell >= EASY_CELL;
                [4, 2].into_iter().filter(|&count| count <= most).map(arrange).find(fits).unwrap_or_else(|| arrange(1))
            }
        };
        let least = self.puzzle_rules().least_digit(shape) / DIGIT_IN_CELL.1;
        match chosen.look.cell {
            cell if cell < MIN_CELL.max(least) => Err(BookError::SmallCells {
                shape,
                per_page: chosen.per_page(),
                trim: self.sheet.trim.to_string(),
                cell,
            }),
            _ => Ok(chosen),
        }
    }

    /// The arrangement of a page with a number of puzzles. The last page of a level may have fewer puzzles than the others,
    /// and a single one may be larger.
    pub fn some_puzzles(&self, shape: Shape, count: usize) -> Arrangement {
        let mut block = self.sheet.block(true);
        let rules = self.puzzle_rules();
        let columns = if count > 2 { 2 } else { 1 };
        if self.options.answers == Answers::Below {
            block.height *= 1.0 - ANSWERS_BELOW;
        }
        Arrangement::new((block.width, block.height), columns, count.div_ceil(columns), shape, rules)
    }

    /// The arrangement of the answers at the foot of a page of puzzles, side by side.
    pub fn answers_below(&self, shape: Shape, count: usize) -> Arrangement {
        let block = self.sheet.block(true);
        let height = block.height * ANSWERS_BELOW - self.type_sizes.caption;
        let rules = self.solution_rules();
        Arrangement::new((block.width, height), count.max(1), 1, shape, rules)
    }

    fn puzzle_rules(&self) -> Rules {
        let (cell, digits) = match self.options.large_print {
            true => (f64::INFINITY, (LARGE_PRINT_DIGITS.1, LARGE_PRINT_DIGITS.2, LARGE_DIGIT_IN_CELL)),
            false => (MAX_CELL, (MIN_TYPE, 30.0, DIGIT_IN_CELL.0)),
        };
        let line = self.type_sizes.small * 1.9;
        let below = line
            * [self.options.time, self.options.technique, self.options.names].into_iter().filter(|line| *line).count()
                as f64;
        Rules {
            caption: self.type_sizes.caption * 1.7,
            below,
            gap: (self.type_sizes.caption * 1.8, self.type_sizes.caption * 1.2),
            lines: (1.4, 0.4),
            cell,
            digits,
            smallest: smallest(self.options),
            shade: self.options.shade,
            symbols: self.options.symbols,
        }
    }

    fn solution_rules(&self) -> Rules {
        let least = smallest(self.options);
        Rules {
            caption: self.type_sizes.small * 1.55,
            below: 0.0,
            gap: (self.type_sizes.small * 2.0, self.type_sizes.small * 1.6),
            lines: (1.2, 0.3),
            cell: if self.options.large_print { 34.0 } else { 16.0 },
            digits: (least, if self.options.large_print { 24.0 } else { 14.0 }, DIGIT_IN_CELL.0),
            smallest: least,
            shade: self.options.shade,
            symbols: self.options.symbols,
        }
    }

    /// The arrangement of the pages of solutions of a shape: as many as can be read well, 6 to 12 on a page, or 2 to 4
    /// in large print. There are fewer if the boards are too large for that.
    ///
    /// # Errors
    /// [`BookError::SmallCells`] when not even one board can be read on a page.
    pub fn solutions(&self, shape: Shape) -> Result<Arrangement, BookError> {
        let block = self.sheet.block(true);
        let rules = self.solution_rules();
        let least = rules.least_digit(shape);
        let height = block.height - solutions_head(self.type_sizes);
        let arrange =
            |&(columns, rows): &(usize, usize)| Arrangement::new((block.width, height), columns, rows, shape, rules);
        // Digits of the smallest size can be read well if they fill at most 70 % of their cell, and they can be read at
        // all if they fill at most 78 %.
        let well = |arrangement: &Arrangement| arrangement.look.cell >= least / 0.70;
        let at_all = |arrangement: &Arrangement| arrangement.look.cell >= least / DIGIT_IN_CELL.1;
        let wanted: &[(usize, usize)] = match self.options.large_print {
            true => &[(2, 2), (1, 2)],
            false => &[(3, 4), (3, 3), (2, 4), (2, 3)],
        };
        let fewer = [(2, 2), (1, 3), (1, 2), (1, 1)];
        let found = wanted.iter().map(arrange).find(well);
        let found = found.or_else(|| wanted.iter().rev().map(arrange).find(at_all));
        let found = found.or_else(|| fewer.iter().map(arrange).find(at_all));
        found.ok_or_else(|| {
            let cell = arrange(&(1, 1)).look.cell;
            BookError::SmallCells { shape, per_page: 1, trim: self.sheet.trim.to_string(), cell }
        })
    }
}

/// The smallest type of a book.
pub fn smallest(options: &Options) -> f64 {
    if options.large_print { LARGE_PRINT_TYPE } else { MIN_TYPE }
}

fn check_large_print(arrangement: &Arrangement, shape: Shape, options: &Options) -> Result<(), BookError> {
    let trim = options.trim;
    let least = if shape.order() > 9 { LARGE_PRINT_DIGITS.1 } else { LARGE_PRINT_DIGITS.0 };
    let least = least.max(LARGE_PRINT_TYPE / options.symbols.smallest(shape.order()));
    let Look { cell, digit, .. } = arrangement.look;
    if digit < least - 1e-6 || digit > cell * DIGIT_IN_CELL.1 {
        let side = arrangement.side / super::sheet::INCH;
        let digit = digit.min(cell * LARGE_DIGIT_IN_CELL);
        return Err(BookError::LargePrint { shape, trim: trim.to_string(), side, digit, least });
    }
    Ok(())
}

/// Height of the head of a page of solutions, above the units.
pub fn solutions_head(type_sizes: TypeSizes) -> f64 {
    type_sizes.caption * 2.4
}
