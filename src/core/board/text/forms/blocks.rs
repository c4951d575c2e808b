//! Boards whose rows stand in lines of their own. Each form makes cells of the rows, and of these the boards.
//!
//! ```text
//!   53..7....    5 3 . | . 7 . | ..    5,3,,,7,..    | 5 3   |   7   |..    A | 5 3 . | . 7 ..
//!   6..195...    6 . . | 1 9 5 | ..    6,,,1,9,..    | 6     | 1 9 5 |..    B | 6 . . | 1 9 ..
//!   signs        cells apart           fields        spaced                 labelled
//! ```
//!
//! Bars between cells, and lines of a frame between rows, say the sides of boxes. If they are no boxes, the board is a
//! jigsaw, and no lines are enough to read it.

use crate::board::text::cells::CellText;
use crate::board::text::symbols::TextError;
use crate::board::text::wanted::{Boards, Entry, Placed, TextLine, Wanted, position};
use crate::board::text::words::{PlacedWord, separates, words};
use crate::board::{Digits, Grid, Reason, Shape};

/// A line that can be a row of a board.
#[derive(Clone, Debug)]
pub struct BlockRow {
    /// Its number, from 1.
    pub(in crate::board::text) line: usize,
    pub(in crate::board::text) text: String,
    /// True if a line of a frame stands before it.
    pub(in crate::board::text) framed: bool,
    /// True if it may be a line of a frame itself: it has only dashes.
    pub(in crate::board::text) dashes: bool,
    /// The line as a board of its own.
    pub(in crate::board::text) whole: Option<WholeLine>,
}

/// A line as a board of its own, though it may be a row of a larger one.
#[derive(Clone, Debug)]
pub(in crate::board::text) struct WholeLine {
    pub cells: usize,
    pub board: Result<Grid, TextError>,
}

impl BlockRow {
    /// The line as a row. `dashes`: it has only dashes.
    pub(in crate::board::text) fn new(line: &TextLine<'_>, dashes: bool, wanted: &Wanted) -> BlockRow {
        let row = BlockRow { line: line.number, text: line.text.to_owned(), framed: false, dashes, whole: None };
        let whole = if dashes { None } else { row.whole_line(&line.words, wanted) };
        BlockRow { whole, ..row }
    }

    /// The line as a board of cells with spaces or commas between them, or in groups. None if it has not as many cells
    /// as a board.
    fn whole_line(&self, words: &[PlacedWord<'_>], wanted: &Wanted) -> Option<WholeLine> {
        let cells = self.cells(words);
        if let (Some(shape), Some(cells)) = (wanted.shape_of_cells(words.len()), &cells) {
            return Some(WholeLine { cells: cells.len(), board: wanted.board(shape, cells) });
        }
        // The digits of a row of numbers may be as many as the cells of a smaller board.
        let is_numbers = cells.is_some_and(|cells| {
            cells.iter().any(|cell| matches!(cell.cell, CellText::Number(_)))
                && wanted.shape_of_row(cells.len()).is_some()
        });
        let signs = self.sign_cells();
        let is_board = !is_numbers && are_groups(words);
        let shape = wanted.shape_of_cells(signs.len()).filter(|shape| shape.is_solvable() && is_board)?;
        Some(WholeLine { cells: signs.len(), board: wanted.board(shape, &signs) })
    }

    /// True if the line is a board of its own.
    pub(in crate::board::text) fn is_board(&self) -> bool {
        self.whole.as_ref().is_some_and(|whole| whole.board.is_ok())
    }

    /// The number of its cells, if it has a sign for each; for messages, too.
    pub(in crate::board::text) fn signs(&self) -> usize {
        BlockRow::signs_of(&self.text)
    }

    /// The number of signs of a line.
    pub(in crate::board::text) fn signs_of(text: &str) -> usize {
        text.chars().filter(|sign| !separates(*sign)).count()
    }

    /// The largest order of a board of which it can be a row; 1 if there is none.
    pub(in crate::board::text) fn largest_order(&self, wanted: &Wanted) -> usize {
        let fields = DELIMITERS.map(|delimiter| self.fields(delimiter).map_or(0, |fields| fields.len()));
        let sizes = [words(&self.text).len(), self.signs()].into_iter().chain(fields);
        sizes.filter(|&size| wanted.shape_of_row(size).is_some()).max().unwrap_or(1)
    }

    fn placed(&self, column: u32, cell: CellText) -> Placed {
        Placed { line: self.line, column, cell }
    }

    /// Its words as cells; None if one of them is none.
    fn cells(&self, words: &[PlacedWord<'_>]) -> RowCells {
        words.iter().map(|word| Some(self.placed(word.column, CellText::of(word.text)?))).collect()
    }

    /// Its signs as cells.
    fn sign_cells(&self) -> Vec<Placed> {
        let signs = (1..).zip(self.text.chars()).filter(|(_, sign)| !separates(*sign));
        signs.map(|(column, sign)| self.placed(column, CellText::of_sign(sign))).collect()
    }

    /// The cells between delimiters, blank ones too. Nothing before the first and after the last bar is a cell.
    fn fields(&self, delimiter: char) -> RowCells {
        // A blank cell at the end of a table of tabs is no more than a tab.
        let text = if delimiter == '\t' { &self.text } else { self.text.trim() };
        if !text.contains(delimiter) {
            return None;
        }
        let is_bar = delimiter == '|';
        let without_bar = text.strip_prefix('|').filter(|_| is_bar).unwrap_or(text);
        let inner = without_bar.strip_suffix('|').filter(|_| is_bar).unwrap_or(without_bar);
        let mut column = 1 + u32::from(without_bar.len() < text.len());
        let mut cells = Vec::new();
        for field in inner.split(delimiter) {
            let word = field.trim_matches(|sign: char| separates(sign) && sign != delimiter);
            cells.push(self.placed(column, CellText::of(word)?));
            column += field.chars().count() as u32 + 1;
            if cells.len() > Shape::MAX_ORDER + 1 {
                return None;
            }
        }
        Some(cells)
    }

    /// The number of cells before each bar that stands between cells.
    fn bars(&self, cells: &[Placed]) -> Vec<usize> {
        let bars = (1..).zip(self.text.chars()).filter(|(_, sign)| *sign == '|');
        let places = bars.map(|(bar, _)| cells.iter().filter(|cell| cell.column < bar).count());
        let mut places: Vec<usize> = places.collect();
        places.dedup();
        places.retain(|place| (1..cells.len()).contains(place));
        places
    }
}

/// True for words of the same length, which may be the rows of a board, or groups of its cells.
fn are_groups(words: &[PlacedWord<'_>]) -> bool {
    words.iter().all(|word| word.length() == words[0].length())
}

/// What may stand between the fields of a table.
const DELIMITERS: [char; 4] = [',', ';', '\t', '|'];

/// The cells of a row; None if it has another form.
type RowCells = Option<Vec<Placed>>;

/// The boards of the cells of rows, if all rows have as many, and boards of this order have as many rows.
fn of_order(cells: impl Iterator<Item = RowCells>, rows: &[BlockRow], wanted: &Wanted) -> Option<Boards> {
    let cells: Vec<Vec<Placed>> = cells.collect::<Option<_>>()?;
    let order = cells.first()?.len();
    let is_square = rows.len().is_multiple_of(order.max(1)) && cells.iter().all(|row| row.len() == order);
    wanted.shape_of_row(order).filter(|_| is_square)?;
    Some(rows.chunks(order).zip(cells.chunks(order)).map(|(rows, cells)| board(rows, cells, wanted)).collect())
}

/// The board of rows of cells.
fn board(rows: &[BlockRow], cells: &[Vec<Placed>], wanted: &Wanted) -> Result<Entry, TextError> {
    let line = rows[0].line;
    let shape = shape_of(rows, cells, wanted).map_err(|reason| TextError::new(line, 1, reason))?;
    wanted.board(shape, &cells.concat()).map(|grid| Entry::new(line, grid))
}

/// A word for each cell.
pub(super) fn cells_apart(rows: &[BlockRow], wanted: &Wanted) -> Option<Boards> {
    of_order(rows.iter().map(|row| row.cells(&words(&row.text))), rows, wanted)
}

/// A sign for each cell.
pub(super) fn signs(rows: &[BlockRow], wanted: &Wanted) -> Option<Boards> {
    if rows.iter().any(|row| row.signs() > Shape::MAX_SOLVABLE_ORDER) {
        return None;
    }
    let boards = of_order(rows.iter().map(|row| Some(row.sign_cells())), rows, wanted)?;
    for row in rows {
        // A number beside a row that lost a cell is no cell.
        let words = words(&row.text);
        if words.len() == 2 && !row.text.contains('|') && !are_groups(&words) {
            let reason =
                Reason("a row of a board is a word, groups of as many cells, or a word for each cell".to_owned());
            return Some(vec![Err(TextError::new(row.line, 1, reason))]);
        }
    }
    Some(boards)
}

/// Rows with labels that count up, A B C or 1 2 3, and labels of columns before them, or rows with one of both.
pub(super) fn labelled(rows: &[BlockRow], wanted: &Wanted) -> Option<Boards> {
    let lines: Vec<Vec<PlacedWord<'_>>> = rows.iter().map(|row| words(&row.text)).collect();
    let head = lines.first()?;
    let has_head = count_up(head.iter().map(|word| word.text), true);
    let rows = &rows[usize::from(has_head)..];
    let words_of_rows = &lines[usize::from(has_head)..];
    let labels = words_of_rows.iter().map(|words| words.first().map_or("", |word| word.text));
    // Numbers before rows are labels only under labels of columns.
    if !count_up(labels, has_head) || has_head && head.len() != rows.len() {
        return None;
    }
    of_order(rows.iter().zip(words_of_rows).map(|(row, words)| row.cells(words.get(1..)?)), rows, wanted)
}

/// True if labels are A, B, C, .. or, if they may be numbers, 1, 2, 3, ..
fn count_up<'a>(labels: impl Iterator<Item = &'a str>, may_be_numbers: bool) -> bool {
    (0..).zip(labels).all(|(place, label)| {
        let is_letter = char::from_u32('A' as u32 + place).is_some_and(|letter| label == letter.to_string());
        is_letter || may_be_numbers && label == (place + 1).to_string()
    })
}

/// A field for each cell. The last may be the blank after a delimiter at the end.
pub(super) fn fields(rows: &[BlockRow], wanted: &Wanted) -> Option<Boards> {
    for delimiter in DELIMITERS {
        let fields: Vec<RowCells> = rows.iter().map(|row| row.fields(delimiter)).collect();
        let mut without_last = fields.clone();
        for row in &mut without_last {
            let last = row.as_mut().and_then(Vec::pop);
            *row = row.take().filter(|_| last.is_some_and(|last| last.cell == CellText::Blank));
        }
        for cells in [without_last, fields] {
            if let Some(boards) = of_order(cells.into_iter(), rows, wanted) {
                return Some(boards);
            }
        }
    }
    None
}

/// Rows in which spaces are empty cells: all cells have the same width.
pub(super) fn spaced(rows: &[BlockRow], wanted: &Wanted) -> Option<Boards> {
    let order = rows.len();
    wanted.shape_of_row(order).filter(|shape| shape.is_solvable())?;
    // Ends of lines may have lost their spaces.
    let width = rows.iter().map(|row| row.text.trim_end().chars().count()).max()?;
    if rows.first()?.text.contains('|') {
        return of_order(rows.iter().map(|row| between_bars(row, width, order)), rows, wanted);
    }
    let step = width.div_ceil(order);
    // A column for each cell, or two with a space between cells.
    if !(step == 1 && width == order || step == 2 && width == 2 * order - 1) {
        return None;
    }
    let cells = rows.iter().map(|row| {
        let signs: Vec<char> = row.text.chars().collect();
        let cells = (0..order).map(|place| {
            let cell = signs.get(place * step).map_or(CellText::Blank, |&sign| CellText::of_sign(sign));
            row.placed((place * step) as u32 + 1, cell)
        });
        Some(cells.collect())
    });
    of_order(cells, rows, wanted)
}

/// The cells of a row between bars.
fn between_bars(row: &BlockRow, width: usize, order: usize) -> RowCells {
    let mut signs: Vec<char> = row.text.trim_end().chars().collect();
    let start = signs.iter().take_while(|sign| sign.is_whitespace()).count();
    let has_outer_bar = signs.get(start) == Some(&'|');
    if !has_outer_bar {
        signs.resize(width.max(signs.len()), ' ');
    }
    let mut column = if has_outer_bar { start + 1 } else { 0 };
    let inner = signs.get(column..)?;
    let inner = if has_outer_bar { inner.strip_suffix(&['|']).unwrap_or(inner) } else { inner };
    let parts = inner.split(|sign| *sign == '|').filter(|part| !part.is_empty()).count();
    if parts == 0 || !order.is_multiple_of(parts) {
        return None;
    }
    let cells_of_part = order / parts;
    let mut cells = Vec::with_capacity(order);
    for part in inner.split(|sign| *sign == '|') {
        let step = part.len() / cells_of_part;
        if !part.is_empty() {
            // Spaces that do not belong to a cell stand on the left.
            let left = part.len().checked_sub(step * cells_of_part).filter(|_| step > 0)?;
            if part[..left].iter().any(|sign| !sign.is_whitespace()) {
                return None;
            }
            for (place, signs) in part[left..].chunks(step).enumerate() {
                let word: String = signs.iter().collect();
                let first = column + left + place * step;
                cells.push(row.placed(first as u32 + 1, CellText::of(word.trim())?));
            }
        }
        column += part.len() + 1;
    }
    Some(cells)
}

/// The candidates of the cells of positions, a group for each cell: a line of 81 groups, or nine of nine.
pub(super) fn candidates(rows: &[BlockRow], wanted: &Wanted) -> Option<Boards> {
    let length = match words(&rows[0].text).len() {
        81 => 1,
        9 => 9,
        _ => return None,
    };
    let mut positions = Vec::new();
    for rows in rows.chunks(length).filter(|_| wanted.is_nine()) {
        let groups = rows.iter().flat_map(|row| words(&row.text)).map(|word| group(word.text));
        let groups: Vec<Digits> = groups.collect::<Option<_>>()?;
        let is_position = groups.len() == Shape::NINE.cells() && groups.iter().any(|group| group.len() > 1);
        positions.push(is_position.then(|| position(rows[0].line, groups))?);
    }
    (!positions.is_empty()).then_some(positions)
}

/// The candidates that a word lists in ascending order, as solvers print them: `124`, `<5>`, `u5`.
fn group(word: &str) -> Option<Digits> {
    let digits = word.strip_prefix('u').unwrap_or(word).trim_matches('*');
    let mut bits = 0u64;
    for digit in digits.chars() {
        let bit = 1 << digit.to_digit(10)?.checked_sub(1)?;
        // The digit is not above those before it.
        if bits >= bit {
            return None;
        }
        bits |= bit;
    }
    (bits > 0).then_some(Digits(bits))
}

/// The shape of a board of `order` rows: the requested one, or the one whose boxes the lines of the frame show.
///
/// # Errors
/// Lines inside the board that are no sides of boxes.
fn shape_of(rows: &[BlockRow], cells: &[Vec<Placed>], wanted: &Wanted) -> Result<Shape, Reason> {
    let order = cells.len();
    let usual = wanted.shape_of_row(order).ok_or_else(|| wanted.no_board(order))?;
    if wanted.shape.is_some() {
        return Ok(usual);
    }
    let lines_down = rows[0].bars(&cells[0]);
    let lines_across: Vec<usize> = (1..order).filter(|&row| rows[row].framed).collect();
    let is_same = rows.iter().zip(cells).all(|(row, cells)| row.bars(cells) == lines_down);
    match (spacing(&lines_across, order), spacing(&lines_down, order)) {
        _ if !is_same => {}
        (Spacing::NoBoxes, Spacing::NoBoxes) => return Ok(usual),
        (Spacing::Boxes(height), Spacing::NoBoxes) => return Shape::new(height, order / height),
        (Spacing::NoBoxes, Spacing::Boxes(width)) => return Shape::new(order / width, width),
        (Spacing::Boxes(height), Spacing::Boxes(width)) if height * width == order => return Shape::new(height, width),
        _ => {}
    }
    Err(Reason(format!(
        "the lines inside the board are no sides of boxes; if they are the regions of a jigsaw, \
         --shape {order}+jigsaw:REGIONS names the region of each cell"
    )))
}

/// What parallel lines inside a board show.
enum Spacing {
    /// There are none, or one beside every cell.
    NoBoxes,
    /// They stand between boxes of this height or width.
    Boxes(usize),
    Uneven,
}

/// What lines before these rows, or columns, show.
fn spacing(places: &[usize], order: usize) -> Spacing {
    let side = places.first().copied().unwrap_or(order);
    if !order.is_multiple_of(side) || !places.iter().copied().eq((side..order).step_by(side)) {
        return Spacing::Uneven;
    }
    if side == 1 || side == order { Spacing::NoBoxes } else { Spacing::Boxes(side) }
}
