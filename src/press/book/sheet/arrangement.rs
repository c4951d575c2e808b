//! Computes the sizes and the places of the boards on a page of puzzles or of solutions.
//!
//! A page holds `columns` x `rows` units, each a label over a board of one shape. Below the board, options add labels
//! for the hardest technique, the name of the puzzle and the time. Boards leave room for the tallest label. The space
//! left over is divided between the units and around them, with a little more below than above (the optical middle of a
//! page is above its true middle). Lengths are in points.

use crate::book::error::BookError;
use crate::book::options::{Answers, Options};
use crate::book::sheet::margins::Sheet;
use crate::book::sheet::type_sizes::{LARGE_PRINT_TYPE, MIN_TYPE, TypeSizes};
use crate::draw::board::{Cells, Look};
use crate::draw::canvas::{Canvas, THIN_LINE};
use crate::draw::labels::{Label, Manner, Slot};
use crate::draw::measures::{Area, INCH, Size};
use crate::draw::outline::Point;
use crate::draw::symbols::Symbols;
use crate::draw::text::compose::Composer;
use crate::draw::text::typeface::Weight;
use sudoku_corpus_core::board::Shape;

/// The smallest cell that a person can write a digit into, in points: 3.9 mm.
pub(crate) const MIN_CELL: f64 = 11.0;
/// Smaller cells are hard to write into, and the maker of the book gets a warning: 5.3 mm.
pub(crate) const SMALL_CELL: f64 = 15.0;
/// Cells of this width leave room for pencil marks. The default number of puzzles on a page is chosen by it.
const EASY_CELL: f64 = 20.0;
/// The largest cell: a larger one is no easier to use.
const MAX_CELL: f64 = 54.0;
/// The smallest type size of digits in large print, on boards up to 9x9.
const LARGE_PRINT_DIGIT: f64 = 28.0;
/// The smallest type size of digits in large print if several puzzles are asked for on a page.
const SEVERAL_LARGE_PRINT_DIGIT: f64 = 20.0;
/// The smallest type size of digits in large print, on larger boards.
const LARGE_PRINT_DIGIT_ABOVE_9: f64 = 18.0;
/// The largest type size of digits in large print.
const MAX_LARGE_PRINT_DIGIT: f64 = 36.0;
/// The share of its cell that the type size of a digit takes in large print.
const LARGE_DIGIT_SHARE: f64 = 0.72;
/// The share of its cell that the type size of a digit takes in other books.
const DIGIT_SHARE: f64 = 0.62;
/// The largest share of its cell that a digit may take, where cells are small.
const MAX_DIGIT_SHARE: f64 = 0.78;
/// The largest share of its cell that a digit may take if it is to be read well.
const GOOD_DIGIT_SHARE: f64 = 0.70;
/// The least space between a symbol and the lines of boxes, on both sides together, in points.
const CLEAR: f64 = 2.2;

/// The distance from a board to the strip of symbols below it, in cells. The strip is one cell high.
pub(crate) const STRIP_GAP: f64 = 0.15;

/// What an arrangement depends on besides the number of units.
#[derive(Clone, Copy, Debug)]
struct Rules<'a> {
    shape: Shape,
    room: Size,
    labels: &'a [Vec<Label>],
    /// How the labels over boards are set.
    over: Manner,
    /// How the labels below boards are set.
    under: Manner,
    spaces: LabelSpaces,
    /// The least distances from unit to unit, beside and below each other.
    gap: Size,
    /// The thickness of box lines and of cell lines of a 9x9 board.
    lines: (f64, f64),
    most_cell: f64,
    digits: DigitSizes,
    /// The smallest type size of all that is printed.
    least_type: f64,
    shade: bool,
    /// The height of what stands close below a board, in cells.
    strip: f64,
    /// Boards of a unit that stand beside or below each other.
    boards: usize,
    symbols: Symbols,
    /// The smallest symbol, as a part of a digit.
    smallest_symbol: f64,
    /// The room that the largest symbol takes, in type sizes of a digit.
    largest_symbol: f64,
}

/// The space that labels take besides their lines.
#[derive(Clone, Copy, Debug, PartialEq)]
struct LabelSpaces {
    /// From the baseline of the label over a board to the board.
    over: f64,
    /// The height of a label of one line below a board.
    below: f64,
}

/// The type sizes that digits may have.
#[derive(Clone, Copy, Debug)]
struct DigitSizes {
    least: f64,
    most: f64,
    /// The share of its cell that a digit takes where both limits allow it.
    share: f64,
}

/// Units on a page: their number, and the columns in which their boards stand.
#[derive(Clone, Copy, Debug)]
struct Units {
    columns: usize,
    count: usize,
}

impl Rules<'_> {
    fn manner(&self, slot: usize) -> Manner {
        if slot == 0 { self.over } else { self.under }
    }

    /// The smallest type size of digits. Numbers of two figures are set smaller than digits and must be readable too.
    fn least_digit(&self) -> f64 {
        self.digits.least.max(self.least_type / self.smallest_symbol)
    }

    /// The largest type size of digits in a cell: the largest symbol is clear of the lines of boxes.
    fn most_digit(&self, cell: f64) -> f64 {
        let (box_line, _) = Look::lines(self.shape, self.lines);
        (cell * MAX_DIGIT_SHARE).min(((cell - box_line - CLEAR) / self.largest_symbol.max(0.1)).max(0.1))
    }

    /// The smallest cell in which digits can have their smallest type size, in quarters of a point as cells are.
    fn readable_cell(&self) -> f64 {
        let digit = self.least_digit();
        let (box_line, _) = Look::lines(self.shape, self.lines);
        let cell = (digit / MAX_DIGIT_SHARE).max(digit * self.largest_symbol + box_line + CLEAR);
        (cell * 4.0 - 1e-9).ceil() / 4.0
    }

    /// How a board is drawn in a square: as large as the square and the largest cell allow, in quarters of a point.
    fn look(&self, side: f64) -> Look {
        let (box_line, cell_line) = Look::lines(self.shape, self.lines);
        let cell = ((side - box_line) / self.shape.order() as f64).min(self.most_cell);
        let cell_side = if cell > 4.0 { (cell * 4.0 + 1e-9).floor() / 4.0 } else { cell.max(0.1) };
        let DigitSizes { most, share, .. } = self.digits;
        let largest = self.most_digit(cell_side);
        let least = self.least_digit().min(largest);
        let digit_size = (cell_side * share).min(largest).clamp(least, most.max(least));
        Look { box_line, cell_line, cell_side, digit_size, shade: self.shade, symbols: self.symbols, mark: None }
    }
}

/// The labels of the boards of one shape, slot by slot. The first slot is over the board, the others are below it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Labels {
    /// Puzzles have dates instead of numbers.
    pub is_dated: bool,
    pub puzzles: Vec<Vec<Label>>,
    pub solutions: Vec<Vec<Label>>,
}

/// The places of the units on a page, and how a board and its labels are drawn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Arrangement {
    /// Upper left corners of the boards with their labels, from the corner of the block.
    places: Vec<Point>,
    boards: usize,
    /// Height of what stands close below a board.
    strip: f64,
    /// Side of a board with its frame.
    pub side: f64,
    /// Height above the board.
    caption: f64,
    spaces: LabelSpaces,
    slots: Vec<Slot>,
    pub look: Look,
    /// The answers at the foot of a page of puzzles.
    pub answers: Option<Box<FootAnswers>>,
}

/// The solutions of a page of puzzles at its foot.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FootAnswers {
    pub arrangement: Arrangement,
    pub height: f64,
}

impl Arrangement {
    /// The arrangement of units. The slots say how many lines each label takes.
    fn new(units: Units, rules: Rules<'_>, slots: Vec<Slot>) -> Arrangement {
        let (columns, count) = (units.columns, units.count * rules.boards);
        let rows = count.div_ceil(columns);
        let caption = rules.over.sizes.largest + rules.spaces.over + slots[0].more_height();
        let below = slots[1..].iter().map(|slot| rules.spaces.below + slot.more_height()).sum::<f64>();
        let wide = (rules.room.width - (columns as f64 - 1.0) * rules.gap.width) / columns as f64;
        let high = (rules.room.height - (rows as f64 - 1.0) * rules.gap.height) / rows as f64 - caption - below;
        // A board has n cells, and the strip below it is as high as some more.
        let n = rules.shape.order() as f64;
        let look = rules.look(wide.min(high * n / (n + rules.strip)).max(0.0));
        let (side, strip) = (look.outer_side(rules.shape), look.cell_side * rules.strip);
        let height = side + strip + caption + below;
        let across = Spread::of(rules.room.width, side, columns, rules.gap.width, 0.5, true);
        let down = Spread::of(rules.room.height, height, rows, rules.gap.height, 0.42, false);
        let places = (0..count).map(|number| (across.start(number % columns), down.start(number / columns))).collect();
        Arrangement {
            places,
            boards: rules.boards,
            strip,
            side,
            caption,
            spaces: rules.spaces,
            slots,
            look,
            answers: None,
        }
    }

    pub(crate) fn per_page(&self) -> usize {
        self.places.len() / self.boards
    }

    /// The board, with its frame, of a unit of a block.
    pub(crate) fn board(&self, block: Area, unit: usize) -> Area {
        self.board_at(block, unit * self.boards)
    }

    /// The empty grid beside the board of a unit, if there is one.
    pub(crate) fn second(&self, block: Area, unit: usize) -> Option<Area> {
        (self.boards > 1).then(|| self.board_at(block, unit * self.boards + 1))
    }

    /// The area of the board with a number, from 0, in the block of the page.
    fn board_at(&self, block: Area, number: usize) -> Area {
        let (x, y) = self.places[number];
        Area { x: block.x + x, y: block.y + y + self.caption, width: self.side, height: self.side }
    }

    /// Draws the labels of a board, one for each slot.
    pub(crate) fn draw_labels(&self, canvas: &mut Canvas<'_>, board: Area, labels: &[Label]) {
        let mut base = board.y - self.spaces.over;
        for (number, (slot, label)) in self.slots.iter().zip(labels).enumerate() {
            if number > 0 {
                base += self.spaces.below + slot.more_height();
            }
            slot.draw(canvas, label, board.x, board.width, base);
            if number == 0 {
                base = board.bottom() + self.strip - self.spaces.below * 0.16;
            }
        }
    }
}

/// The places of units in a row or a column.
struct Spread {
    /// Where the first one starts.
    first: f64,
    /// From the start of one to that of the next.
    step: f64,
}

impl Spread {
    /// Spreads `count` units of a size. If `to_edges` is set and the gaps are small compared with the units, the units
    /// reach from edge to edge. Otherwise some of the space left over goes into the gaps, up to a limit. The rest goes
    /// around all units; `before` is the part of it in front of the first one.
    fn of(room: f64, size: f64, count: usize, gap: f64, before: f64, to_edges: bool) -> Spread {
        if count < 2 {
            return Spread { first: (room - size).max(0.0) * before, step: size };
        }
        let gaps = (count - 1) as f64;
        let left_over = (room - count as f64 * size - gaps * gap).max(0.0);
        // What each gap gets besides its least width.
        let mut extra = left_over / gaps;
        if !to_edges || gap + extra > size * 0.35 {
            extra = (left_over / (gaps + 1.0)).min(size * 0.3);
        }
        Spread { first: (left_over - extra * gaps) * before, step: size + gap + extra }
    }

    fn start(&self, number: usize) -> f64 {
        self.first + number as f64 * self.step
    }
}

/// Everything that the layout of a page depends on.
pub(crate) struct Room<'a> {
    pub sheet: Sheet,
    pub options: &'a Options,
    /// None while nothing is known of the puzzles but their number.
    pub composer: Option<Composer<'a>>,
}

/// An arrangement, or why there is none.
type Arranged = Result<Arrangement, BookError>;

/// Side of a cell; 0 without an arrangement.
fn cell_of(arranged: &Arranged) -> f64 {
    arranged.as_ref().map_or(0.0, |arrangement| arrangement.look.cell_side)
}

impl Room<'_> {
    /// The arrangement of units with room for all labels.
    fn arrange(&self, units: Units, rules: Rules<'_>) -> Arranged {
        let mut slots: Vec<Slot> = (0..rules.labels.len().max(1)).map(|slot| Slot::new(rules.manner(slot))).collect();
        // Taller labels leave less room for the boards, and over narrower boards labels may take more lines. This goes
        // on until no label gets taller.
        loop {
            let arrangement = Arrangement::new(units, rules, slots.clone());
            // Boards that are much too small are refused without their labels.
            let Some(composer) = self.composer.filter(|_| arrangement.look.cell_side >= 4.0) else {
                return Ok(arrangement);
            };
            let mut fitted = Vec::new();
            for (slot, labels) in rules.labels.iter().enumerate() {
                let slot = Slot::of(composer, rules.manner(slot), labels, arrangement.side);
                fitted.push(slot.map_err(|text| BookError::NoRoom { text, trim: self.sheet.trim })?);
            }
            if !fitted.iter().zip(&slots).any(|(slot, before)| slot.is_taller_than(before)) {
                return Ok(Arrangement { slots: fitted, ..arrangement });
            }
            for (before, slot) in slots.iter_mut().zip(fitted) {
                if slot.is_taller_than(before) {
                    *before = slot;
                }
            }
        }
    }

    /// `count` units in as many columns as give the largest boards.
    fn widest(&self, count: usize, rules: Rules<'_>) -> Arranged {
        let mut best: Option<Arranged> = None;
        for columns in 1..=count * rules.boards {
            // The boards of a unit are not torn.
            if columns > 1 && !columns.is_multiple_of(rules.boards) {
                continue;
            }
            let next = self.arrange(Units { columns, count }, rules);
            if best.as_ref().is_none_or(|best| cell_of(&next) > cell_of(best)) {
                best = Some(next);
            }
        }
        best.unwrap_or(Err(BookError::Empty))
    }

    /// The arrangement of full pages of puzzles of a shape.
    ///
    /// # Errors
    /// [`BookError::SmallCells`] if cells are too small to write into, [`BookError::LargePrint`] if they are too small
    /// for large print, [`BookError::NoRoom`] for a label.
    pub(crate) fn puzzles(&self, shape: Shape, labels: &Labels) -> Arranged {
        let arrange = |count| self.some_puzzles(shape, count, labels, f64::INFINITY);
        if self.options.large_print {
            let arrangement = self.large_print(shape, arrange(self.options.per_page.unwrap_or(1))?)?;
            return self.large_enough(shape, arrangement, self.least_cell(shape));
        }
        let arrangement = match self.options.per_page {
            Some(per_page) => arrange(per_page)?,
            None => {
                // Several puzzles on a page, if there is room for pencil marks.
                let counts: &[usize] = if self.sheet.trim.width > 7.5 * INCH { &[4, 2] } else { &[2] };
                let easy_cell = EASY_CELL.max(self.least_cell(shape));
                let mut several = counts.iter().filter_map(|count| arrange(*count).ok());
                match several.find(|arrangement| arrangement.look.cell_side >= easy_cell) {
                    Some(arrangement) => arrangement,
                    None => arrange(1)?,
                }
            }
        };
        let readable_cell = self.puzzle_rules(shape, labels).readable_cell();
        self.large_enough(shape, arrangement, self.least_cell(shape).max(readable_cell))
    }

    /// The smallest cell that a person can write into, or in which candidates can be read.
    fn least_cell(&self, shape: Shape) -> f64 {
        let typeface = self.composer.map(|composer| composer.typeface);
        let candidate = Cells::smallest_candidate_part(shape, self.options.symbols, typeface);
        if self.options.candidates { self.sheet.sizes.least / candidate } else { MIN_CELL }
    }

    /// The arrangement, or an error if its cells are smaller than a size.
    fn large_enough(&self, shape: Shape, arrangement: Arrangement, least: f64) -> Arranged {
        let (per_page, cell) = (arrangement.per_page(), arrangement.look.cell_side);
        if cell >= least {
            return Ok(arrangement);
        }
        if let Some(error) = self.long_symbol(shape, cell) {
            return Err(error);
        }
        Err(BookError::SmallCells { shape, per_page, trim: self.sheet.trim, cell })
    }

    /// The error of a symbol whose length makes all symbols small, where cells are large enough for digits.
    fn long_symbol(&self, shape: Shape, cell: f64) -> Option<BookError> {
        let symbol = self.options.symbols.longest(shape.order(), self.composer?.typeface)?;
        (cell >= MIN_CELL).then_some(BookError::LongSymbol { symbol, shape, trim: self.sheet.trim, cell })
    }

    /// The arrangement, or an error if its digits are too small for large print.
    fn large_print(&self, shape: Shape, arrangement: Arrangement) -> Arranged {
        let least_digit = match self.options.per_page {
            _ if shape.order() > 9 => LARGE_PRINT_DIGIT_ABOVE_9,
            Some(2..) => SEVERAL_LARGE_PRINT_DIGIT,
            _ => LARGE_PRINT_DIGIT,
        };
        // Symbols that are smaller than digits must be large, too.
        let least = least_digit.max(LARGE_PRINT_TYPE / self.smallest_symbol(shape));
        let Look { cell_side: cell, digit_size: digit, .. } = arrangement.look;
        if digit >= least - 1e-6 {
            return Ok(arrangement);
        }
        if digit >= least_digit - 1e-6
            && let Some(error) = self.long_symbol(shape, cell)
        {
            return Err(error);
        }
        let digit = digit.min(cell * LARGE_DIGIT_SHARE);
        Err(BookError::LargePrint { shape, trim: self.sheet.trim, digit, least })
    }

    /// The arrangement of a page with a number of puzzles whose cells are no larger than a size.
    ///
    /// # Errors
    /// [`BookError::NoRoom`] for a label, [`BookError::SmallCells`] for the answers.
    pub(crate) fn some_puzzles(&self, shape: Shape, count: usize, labels: &Labels, most_cell: f64) -> Arranged {
        let mut rules = self.puzzle_rules(shape, labels);
        rules.most_cell = rules.most_cell.min(most_cell);
        let mut answers = None;
        if self.options.answers == Answers::Below {
            let below = self.answers_below(shape, count, labels)?;
            rules.room.height -= below.height + self.sheet.sizes.caption;
            answers = Some(Box::new(below));
        }
        Ok(Arrangement { answers, ..self.widest(count, rules)? })
    }

    /// The answers at the foot of a page of puzzles: as many beside each other as can be read well.
    ///
    /// # Errors
    /// [`BookError::SmallCells`] if not even one board can be read.
    fn answers_below(&self, shape: Shape, count: usize, labels: &Labels) -> Result<FootAnswers, BookError> {
        let mut rules = self.solution_rules(shape, labels);
        let good_cell = (rules.least_digit() / GOOD_DIGIT_SHARE).max(rules.readable_cell());
        rules.most_cell = good_cell.max(MIN_CELL);
        let mut units = Units { columns: count.max(1), count };
        while units.columns > 1 && cell_of(&self.arrange(units, rules)) < good_cell {
            units.columns -= 1;
        }
        // First in the whole block, then in no more height than these boards take.
        let loose = self.large_enough(shape, self.arrange(units, rules)?, rules.readable_cell())?;
        let rows = count.div_ceil(units.columns) as f64;
        let height = rows * (loose.side + loose.caption) + (rows - 1.0) * rules.gap.height;
        rules.room.height = height;
        rules.most_cell = loose.look.cell_side;
        Ok(FootAnswers { arrangement: self.arrange(units, rules)?, height })
    }

    /// The type size of the smallest symbol, as a part of that of a digit.
    fn smallest_symbol(&self, shape: Shape) -> f64 {
        self.options.symbols.smallest(shape.order(), self.composer.map(|composer| composer.typeface))
    }

    fn manner(&self, left_weight: Weight, left_part: f64, size: f64) -> Manner {
        Manner { left_weight, left_part, sizes: self.sheet.sizes.down_from(size) }
    }

    /// What the boards of puzzles of a shape must keep to: sizes of cells and digits, labels, lines.
    fn puzzle_rules<'l>(&self, shape: Shape, labels: &'l Labels) -> Rules<'l> {
        let (most_cell, digits, lines) = match self.options.large_print {
            true => {
                let (least, most) = (LARGE_PRINT_DIGIT_ABOVE_9, MAX_LARGE_PRINT_DIGIT);
                (f64::INFINITY, DigitSizes { least, most, share: LARGE_DIGIT_SHARE }, (2.8, 1.0))
            }
            false => (MAX_CELL, DigitSizes { least: MIN_TYPE, most: 30.0, share: DIGIT_SHARE }, (2.0, THIN_LINE)),
        };
        let (TypeSizes { caption, small, least, .. }, block) = (self.sheet.sizes, self.sheet.block(true));
        // Dates have letters with accents, which are taller than figures.
        let name_part = if labels.is_dated { 1.0 } else { 1.3 };
        Rules {
            shape,
            room: Size { width: block.width, height: block.height },
            labels: &labels.puzzles,
            over: self.manner(Weight::SemiBold, name_part, caption),
            under: self.manner(Weight::Regular, 1.0, small),
            spaces: LabelSpaces { over: caption * 0.7, below: small * 1.9 },
            gap: Size { width: caption * 1.8, height: caption * 1.2 },
            lines: self.options.lines.unwrap_or(lines),
            most_cell,
            digits,
            least_type: least,
            shade: self.options.shade,
            strip: if self.options.strip { STRIP_GAP + 1.0 } else { 0.0 },
            boards: if self.options.second_grid { 2 } else { 1 },
            symbols: self.options.symbols,
            smallest_symbol: self.smallest_symbol(shape),
            largest_symbol: self.options.symbols.extent(shape.order(), self.composer.map(|composer| composer.typeface)),
        }
    }

    /// Lines of solutions are thinner than those of puzzles.
    fn solution_rules<'l>(&self, shape: Shape, labels: &'l Labels) -> Rules<'l> {
        let (puzzles, large) = (self.puzzle_rules(shape, labels), self.options.large_print);
        let thinner = |line: f64, least: f64| (line * 0.65).max(least).min(line);
        let TypeSizes { small, least, .. } = self.sheet.sizes;
        let rules = Rules {
            labels: &labels.solutions,
            over: self.manner(Weight::SemiBold, 1.1, small),
            spaces: LabelSpaces { over: small * 0.55, below: 0.0 },
            gap: Size { width: small * 2.0, height: small * 1.6 },
            strip: 0.0,
            boards: 1,
            lines: (thinner(puzzles.lines.0, 1.2), thinner(puzzles.lines.1, THIN_LINE)),
            most_cell: if large { 34.0 } else { 16.0 },
            digits: DigitSizes { least, most: if large { 24.0 } else { 14.0 }, share: DIGIT_SHARE },
            ..puzzles
        };
        // Wide symbols need larger cells.
        Rules { most_cell: rules.most_cell.max(rules.readable_cell()), ..rules }
    }

    /// The arrangement of the pages of solutions of a shape. There are as many on a page as were asked for, or overleaf
    /// as many as there are puzzles on a page. Otherwise there are as many as can be read well: 6 to 12, or 1 to 4 in
    /// large print. There are fewer if the boards are too large for that.
    ///
    /// # Errors
    /// [`BookError::SmallCells`] when not even one board can be read on a page, or not as many as were asked for.
    pub(crate) fn solutions(&self, shape: Shape, labels: &Labels) -> Arranged {
        let (mut rules, large) = (self.solution_rules(shape, labels), self.options.large_print);
        rules.room.height -= self.sheet.sizes.solutions_head();
        let least = rules.least_digit();
        let mut fixed = self.options.solutions_per_page;
        if self.options.answers == Answers::Overleaf {
            let puzzles = self.puzzles(shape, labels)?;
            fixed = Some(puzzles.per_page());
            rules.most_cell = puzzles.look.cell_side;
            rules.digits = DigitSizes { least, most: if large { 24.0 } else { 20.0 }, ..rules.digits };
        }
        // Digits of the smallest size can be read well if they fill at most 70 % of their cell, and they can be read at
        // all if they fill at most 78 %.
        let readable_cell = rules.readable_cell();
        let good_cell = (least / GOOD_DIGIT_SHARE).max(readable_cell);
        // Whoever asks for one or two on a page wants them large.
        if fixed.is_some_and(|count| count <= 2) && self.options.answers != Answers::Overleaf {
            rules.most_cell = MAX_CELL;
            rules.digits.most = if large { MAX_LARGE_PRINT_DIGIT } else { 30.0 };
        }
        if let Some(count) = fixed {
            return self.large_enough(shape, self.widest(count, rules)?, readable_cell);
        }
        let usual_counts: &[usize] = if large { &[4, 2] } else { &[12, 9, 8, 6] };
        // As many as can be read well; otherwise as few as can be read at all.
        let few_counts = usual_counts.iter().rev().chain(&[4, 3, 2]);
        let tries =
            usual_counts.iter().map(|count| (count, good_cell)).chain(few_counts.map(|count| (count, readable_cell)));
        for (count, least_cell) in tries {
            if let Ok(arrangement) = self.widest(*count, rules)
                && arrangement.look.cell_side >= least_cell
            {
                return self.large_enough(shape, arrangement, readable_cell);
            }
        }
        self.large_enough(shape, self.widest(1, rules)?, readable_cell)
    }
}
