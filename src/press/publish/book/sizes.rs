//! The sizes of type, and of the boards on a page of puzzles or of solutions.
//!
//! A page holds `columns` x `rows` units, each a label over a board of one shape. Below the board, options add labels for
//! the hardest technique, the name of the puzzle and the time. Boards leave room for the tallest label. The space left over
//! is divided between the units and around them, with a little more below than above (the optical middle of a page is above
//! its true middle).

use super::board::{Look, Symbols};
use super::canvas::{Canvas, THIN_LINE};
use super::compose::{Composer, Setting};
use super::flow::Style;
use super::labels::{Label, Manner, Slot};
use super::sheet::{Area, INCH, Sheet, Trim};
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
const LARGE_PRINT_TYPE: f64 = 16.0;
/// Type size of a digit in large print, as a part of its cell.
const LARGE_DIGIT_IN_CELL: f64 = 0.72;
/// Type size of a digit, as a part of its cell: as designed, and where cells are small.
const DIGIT_IN_CELL: (f64, f64) = (0.62, 0.78);
/// The largest part of its cell that a digit fills if it can be read well.
const WELL: f64 = 0.70;
/// The thinnest line between cells of solutions.
const SOLUTION_LINE: f64 = 0.5;

/// The type sizes of a book.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TypeSizes {
    pub body: f64,
    /// Caption over a puzzle, and page numbers.
    pub caption: f64,
    /// Captions over solutions, and other minor text.
    pub small: f64,
    /// Heading of a chapter such as "Contents".
    pub chapter: f64,
    /// The largest size for the name of a part. The title of the book may be 1.15 times as large.
    pub part: f64,
    /// The smallest size of all.
    pub least: f64,
}

impl TypeSizes {
    pub fn new(trim: Trim, large_print: bool) -> TypeSizes {
        let sizes =
            |body, caption, small, chapter, part, least| TypeSizes { body, caption, small, chapter, part, least };
        match (large_print, trim.width > 6.5 * INCH) {
            (true, _) => sizes(17.0, 18.0, LARGE_PRINT_TYPE, 30.0, 44.0, LARGE_PRINT_TYPE),
            (false, true) => sizes(11.0, 11.0, 8.5, 24.0, 40.0, MIN_TYPE),
            (false, false) => sizes(9.5, 10.0, 7.5, 20.0, 32.0, MIN_TYPE),
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
    pub fn style_for<'a>(&self, typeface: &Typeface, width: f64, terms: impl Iterator<Item = &'a str>) -> Style {
        let widths = terms.map(|term| typeface.width(Weight::SemiBold, self.body, term) + self.body * 1.2);
        let style = self.style();
        Style { term_column: widths.fold(style.term_column, f64::max).min(self.body * 11.0).min(width * 0.4), ..style }
    }
}

/// The limits for an arrangement.
#[derive(Clone, Copy, Debug)]
struct Rules {
    over: Manner,
    under: Manner,
    /// From the baseline of the label over a board to the board, and the height of a label of one line below it.
    spaces: (f64, f64),
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

/// The labels of the boards of one shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Labels {
    /// Puzzles have dates instead of numbers.
    pub is_dated: bool,
    /// Over the puzzles.
    pub over: Vec<Label>,
    /// Below the puzzles, slot by slot.
    pub under: Vec<Vec<Label>>,
    /// Over the solutions.
    pub solved: Vec<Label>,
}

/// The places of the units on a page, and how a board and its labels are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrangement {
    /// Upper left corners of the units, from the corner of the block.
    pub places: Vec<(f64, f64)>,
    /// Side of a board with its frame.
    pub side: f64,
    /// Height above the board.
    caption: f64,
    spaces: (f64, f64),
    over: Slot,
    under: Vec<Slot>,
    pub look: Look,
}

impl Arrangement {
    /// `count` units in `columns` on a block, if each slot has a number of lines.
    fn new(
        block: (f64, f64),
        (columns, count): (usize, usize),
        shape: Shape,
        rules: Rules,
        (over, under): (Slot, &[Slot]),
    ) -> Arrangement {
        let rows = count.div_ceil(columns);
        let (across, down) = (columns as f64, rows as f64);
        let caption = rules.over.sizes.0 + rules.spaces.0 + over.more_height();
        let below = under.iter().map(|slot| rules.spaces.1 + slot.more_height()).sum::<f64>();
        let wide = (block.0 - (across - 1.0) * rules.gap.0) / across;
        let high = (block.1 - (down - 1.0) * rules.gap.1) / down - caption - below;
        let look = look(wide.min(high).max(0.0), shape, rules);
        let side = look.outer_side(shape);
        let (left, step_x) = spread(block.0, side, columns, rules.gap.0, 0.5, true);
        let (top, step_y) = spread(block.1, side + caption + below, rows, rules.gap.1, 0.42, false);
        let place = |at: usize| (left + (at % columns) as f64 * step_x, top + (at / columns) as f64 * step_y);
        let places = (0..count).map(place).collect();
        Arrangement { places, side, caption, spaces: rules.spaces, over, under: under.to_vec(), look }
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

    /// Draws the label over a board, and those below it.
    pub fn draw_labels(&self, canvas: &mut Canvas<'_>, board: Area, over: &Label, under: &[Label]) {
        let span = (board.x, board.width);
        self.over.draw(canvas, over, span, board.y - self.spaces.0);
        let mut base = board.bottom() - self.spaces.1 * 0.16;
        for (slot, label) in self.under.iter().zip(under) {
            base += self.spaces.1 + slot.more_height();
            slot.draw(canvas, label, span, base);
        }
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

/// Everything that the layout of a page depends on.
pub struct Room<'a> {
    pub sheet: &'a Sheet,
    pub type_sizes: TypeSizes,
    pub options: &'a Options,
    /// None while nothing is known of the puzzles but their number.
    pub composer: Option<Composer<'a>>,
}

/// An arrangement, or why there is none.
type Arranged = Result<Arrangement, BookError>;

impl Room<'_> {
    /// `count` units in `columns`, with room for all labels.
    fn arrange(
        &self,
        block: (f64, f64),
        (columns, count): (usize, usize),
        shape: Shape,
        rules: Rules,
        (over, under): (&[Label], &[Vec<Label>]),
    ) -> Arranged {
        let mut slots = (Slot::new(rules.over), vec![Slot::new(rules.under); under.len()]);
        loop {
            let found = Arrangement::new(block, (columns, count), shape, rules, (slots.0, &slots.1));
            // Boards that are much too small are refused without their labels.
            let Some(composer) = self.composer.filter(|_| found.look.cell >= 4.0) else { return Ok(found) };
            let wrong = |text| BookError::NoRoom { text, trim: self.sheet.trim.to_string() };
            let set = |manner, labels: &[Label]| Slot::of(composer, manner, labels, found.side).map_err(wrong);
            let over = set(rules.over, over)?;
            let under: Vec<Slot> = under.iter().map(|labels| set(rules.under, labels)).collect::<Result<_, _>>()?;
            let is_taller = |slot: &Slot, had: &Slot| slot.more_height() > had.more_height() + 1e-9;
            if !is_taller(&over, &slots.0) && !under.iter().zip(&slots.1).any(|(slot, had)| is_taller(slot, had)) {
                return Ok(Arrangement { over, under, ..found });
            }
            let taller = |slot: Slot, had: Slot| if is_taller(&slot, &had) { slot } else { had };
            slots.0 = taller(over, slots.0);
            slots.1 = under.into_iter().zip(slots.1).map(|(slot, had)| taller(slot, had)).collect();
        }
    }

    /// `count` units in as many columns as give the largest boards.
    fn widest(
        &self,
        block: (f64, f64),
        count: usize,
        shape: Shape,
        rules: Rules,
        labels: (&[Label], &[Vec<Label>]),
    ) -> Arranged {
        let mut best: Arranged = self.arrange(block, (1, count), shape, rules, labels);
        for columns in 2..=count {
            let other = self.arrange(block, (columns, count), shape, rules, labels);
            let cell = |arranged: &Arranged| arranged.as_ref().map_or(0.0, |arranged| arranged.look.cell);
            if cell(&other) > cell(&best) {
                best = other;
            }
        }
        best
    }

    /// The arrangement of full pages of puzzles of a shape.
    ///
    /// # Errors
    /// [`BookError::SmallCells`] if cells are too small to write into, [`BookError::LargePrint`] if they are too small for
    /// large print, [`BookError::NoRoom`] for a label.
    pub fn puzzles(&self, shape: Shape, labels: &Labels) -> Arranged {
        let arrange = |count| self.some_puzzles(shape, count, labels, f64::INFINITY);
        if self.options.large_print {
            let arrangement = arrange(1)?;
            return check_large_print(&arrangement, shape, self.options).map(|()| arrangement);
        }
        let chosen = match self.options.per_page {
            Some(per_page) => arrange(per_page)?,
            None => {
                let most = if self.sheet.trim.width > 7.5 * INCH { 4 } else { 2 };
                let fits = |arrangement: &Arrangement| arrangement.look.cell >= EASY_CELL;
                let several = [4, 2].into_iter().filter(|&count| count <= most).flat_map(arrange).find(fits);
                several.map_or_else(|| arrange(1), Ok)?
            }
        };
        let least = self.puzzle_rules().least_digit(shape) / DIGIT_IN_CELL.1;
        self.large_enough(shape, chosen, MIN_CELL.max(least))
    }

    /// The arrangement, or an error if its cells are smaller than a size.
    fn large_enough(&self, shape: Shape, found: Arrangement, least: f64) -> Arranged {
        let (per_page, cell) = (found.per_page(), found.look.cell);
        let small = || BookError::SmallCells { shape, per_page, trim: self.sheet.trim.to_string(), cell };
        if cell < least { Err(small()) } else { Ok(found) }
    }

    /// The arrangement of a page with a number of puzzles whose cells are no larger than a size.
    ///
    /// # Errors
    /// [`BookError::NoRoom`] for a label, [`BookError::SmallCells`] for the answers.
    pub fn some_puzzles(&self, shape: Shape, count: usize, labels: &Labels, cell: f64) -> Arranged {
        let block = self.sheet.block(true);
        let mut height = block.height;
        if self.options.answers == Answers::Below {
            height -= self.answers_below(shape, count, labels)?.1 + self.type_sizes.caption;
        }
        let mut rules = self.puzzle_rules();
        rules.cell = rules.cell.min(cell);
        if labels.is_dated {
            // Dates have letters with accents, which are taller than figures.
            rules.over.left.1 = 1.0;
        }
        self.widest((block.width, height), count, shape, rules, (&labels.over, &labels.under))
    }

    /// The arrangement of the answers at the foot of a page of puzzles, and its height: as many side by side as can be read
    /// well.
    ///
    /// # Errors
    /// [`BookError::SmallCells`] if not even one board can be read.
    pub fn answers_below(&self, shape: Shape, count: usize, labels: &Labels) -> Result<(Arrangement, f64), BookError> {
        let block = self.sheet.block(true);
        let mut rules = self.solution_rules();
        let (least, gap) = (rules.least_digit(shape), rules.gap.1);
        rules.cell = (least / WELL).max(MIN_CELL);
        let arrange = |columns, height, rules| {
            self.arrange((block.width, height), (columns, count), shape, rules, (&labels.solved, &[]))
        };
        let is_well =
            |columns: &usize| arrange(*columns, block.height, rules).is_ok_and(|found| found.look.cell >= least / WELL);
        let columns = (1..=count).rev().find(is_well).unwrap_or(1);
        let found = arrange(columns, block.height, rules)?;
        let found = self.large_enough(shape, found, least / DIGIT_IN_CELL.1)?;
        let rows = count.div_ceil(columns) as f64;
        let height = rows * (found.side + found.caption) + (rows - 1.0) * gap;
        Ok((arrange(columns, height, Rules { cell: found.look.cell, ..rules })?, height))
    }

    fn manner(&self, weight: Weight, part: f64, size: f64) -> Manner {
        Manner { left: (weight, part), sizes: (size, self.type_sizes.least) }
    }

    fn puzzle_rules(&self) -> Rules {
        let (cell, digits, lines) = match self.options.large_print {
            true => (f64::INFINITY, (LARGE_PRINT_DIGITS.1, LARGE_PRINT_DIGITS.2, LARGE_DIGIT_IN_CELL), (2.8, 1.0)),
            false => (MAX_CELL, (MIN_TYPE, 30.0, DIGIT_IN_CELL.0), (2.0, THIN_LINE)),
        };
        let TypeSizes { caption, small, .. } = self.type_sizes;
        Rules {
            over: self.manner(Weight::SemiBold, 1.3, caption),
            under: self.manner(Weight::Regular, 1.0, small),
            spaces: (caption * 0.7, small * 1.9),
            gap: (caption * 1.8, caption * 1.2),
            lines: self.options.lines.unwrap_or(lines),
            cell,
            digits,
            smallest: self.type_sizes.least,
            shade: self.options.shade,
            symbols: self.options.symbols,
        }
    }

    /// Lines of solutions are thinner than those of puzzles.
    fn solution_rules(&self) -> Rules {
        let (puzzles, least, large) = (self.puzzle_rules(), self.type_sizes.least, self.options.large_print);
        let thinner = |line: f64, least: f64| (line * 0.65).max(least).min(line);
        let small = self.type_sizes.small;
        Rules {
            over: self.manner(Weight::SemiBold, 1.1, small),
            spaces: (small * 0.55, 0.0),
            gap: (small * 2.0, small * 1.6),
            lines: (thinner(puzzles.lines.0, 1.2), thinner(puzzles.lines.1, SOLUTION_LINE)),
            cell: if large { 34.0 } else { 16.0 },
            digits: (least, if large { 24.0 } else { 14.0 }, DIGIT_IN_CELL.0),
            ..puzzles
        }
    }

    /// The arrangement of the pages of solutions of a shape: as many as were asked for; overleaf, as many as there are
    /// puzzles on a page; otherwise as many as can be read well, 6 to 12 on a page, or 2 to 4 in large print. There are fewer
    /// if the boards are too large for that.
    ///
    /// # Errors
    /// [`BookError::SmallCells`] when not even one board can be read on a page, or not as many as were asked for.
    pub fn solutions(&self, shape: Shape, labels: &Labels) -> Arranged {
        let block = self.sheet.block(true);
        let rules = self.solution_rules();
        let least = rules.least_digit(shape);
        let height = block.height - solutions_head(self.type_sizes);
        let arrange =
            |count: usize, rules: Rules| self.widest((block.width, height), count, shape, rules, (&labels.solved, &[]));
        let large = self.options.large_print;
        let fixed = match self.options.answers {
            Answers::Overleaf => {
                let puzzles = self.puzzles(shape, labels)?;
                let digits = (least, if large { 24.0 } else { 20.0 }, rules.digits.2);
                Some((puzzles.per_page(), Rules { cell: puzzles.look.cell, digits, ..rules }))
            }
            _ => self.options.solutions_per_page.map(|count| (count, rules)),
        };
        // Digits of the smallest size can be read well if they fill at most 70 % of their cell, and they can be read at
        // all if they fill at most 78 %.
        let (well, at_all) = (least / WELL, least / DIGIT_IN_CELL.1);
        if let Some((count, rules)) = fixed {
            return self.large_enough(shape, arrange(count, rules)?, at_all);
        }
        let wanted: &[usize] = if large { &[4, 2] } else { &[12, 9, 8, 6] };
        let usual = |count: &usize| arrange(*count, rules).ok();
        let found = wanted.iter().filter_map(usual).find(|found| found.look.cell >= well);
        let fewer = wanted.iter().rev().chain(&[4, 3, 2]);
        let found = found.or_else(|| fewer.filter_map(usual).find(|found| found.look.cell >= at_all));
        self.large_enough(shape, found.map_or_else(|| arrange(1, rules), Ok)?, at_all)
    }
}

fn check_large_print(arrangement: &Arrangement, shape: Shape, options: &Options) -> Result<(), BookError> {
    let trim = options.trim;
    let least = if shape.order() > 9 { LARGE_PRINT_DIGITS.1 } else { LARGE_PRINT_DIGITS.0 };
    let least = least.max(LARGE_PRINT_TYPE / options.symbols.smallest(shape.order()));
    let Look { cell, digit, .. } = arrangement.look;
    if digit < least - 1e-6 || digit > cell * DIGIT_IN_CELL.1 {
        let side = arrangement.side / INCH;
        let digit = digit.min(cell * LARGE_DIGIT_IN_CELL);
        return Err(BookError::LargePrint { shape, trim: trim.to_string(), side, digit, least });
    }
    Ok(())
}

/// Height of the head of a page of solutions, above the units.
pub fn solutions_head(type_sizes: TypeSizes) -> f64 {
    type_sizes.caption * 2.4
}
