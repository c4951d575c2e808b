//! Boards whose rows stand in lines of their own: blocks. [`super::super::reader`] collects the rows ([`BlockRow`]) and
//! gives them to one form after the other, as the table [`super::FORMS`] has them. A form makes cells of each row, and
//! [`boards_of_rows`] makes boards of the cells.
//!
//! ```text
//!   53..7....    5 3 . | . 7 . | ..    5,3,,,7,..    | 5 3   |   7   |..    A | 5 3 . | . 7 ..
//!   6..195...    6 . . | 1 9 5 | ..    6,,,1,9,..    | 6     | 1 9 5 |..    B | 6 . . | 1 9 ..
//!   signs        cells apart           fields        spaced                 labelled
//! ```
//!
//! Bars between cells, and lines of a frame (`---+---`) between rows, say the sides of boxes. If they are no boxes, the
//! board is a jigsaw, and no lines are enough to read it.

use crate::board::text::cells::CellText;
use crate::board::text::symbols::TextError;
use crate::board::text::wanted::{Boards, Entry, PlacedCell, TextLine, Wanted, position};
use crate::board::text::words::{PlacedWord, separates, words};
use crate::board::{Digits, Grid, Reason, Shape};

/// A line that can be a row of a board.
#[derive(Clone, Debug)]
pub struct BlockRow {
    /// Its number, from 1.
    pub(crate) line: usize,
    pub(crate) text: String,
    /// True if a line of a frame stands before it.
    pub(crate) framed: bool,
    /// True if it may be a line of a frame itself: it has only dashes.
    pub(crate) dashes: bool,
    /// The line as a board of its own, if it has as many cells as one.
    pub(crate) whole: Option<WholeLine>,
}

/// A line as a board of its own, though it may be a row of a larger one: 16 cells are a 4x4 board or a row of 16x16.
#[derive(Clone, Debug)]
pub(crate) struct WholeLine {
    /// The number of its cells.
    pub cells: usize,
    pub board: Result<Grid, TextError>,
}

impl BlockRow {
    /// The line as a row. `dashes`: it has only dashes.
    pub(crate) fn new(line: &TextLine<'_>, dashes: bool, wanted: &Wanted) -> BlockRow {
        let row = BlockRow { line: line.number, text: line.text.to_owned(), framed: false, dashes, whole: None };
        let whole = if dashes { None } else { row.whole_line(&line.words, wanted) };
        BlockRow { whole, ..row }
    }

    /// The line as a board of cells with spaces or commas between them, or in groups. None if no board has as many.
    fn whole_line(&self, words: &[PlacedWord<'_>], wanted: &Wanted) -> Option<WholeLine> {
        let mut is_row_of_numbers = false;
        if let Some(cells) = self.cells_of_words(words) {
            if let Some(shape) = wanted.shape_of_cells(cells.len()) {
                return Some(WholeLine { cells: cells.len(), board: wanted.board(shape, &cells) });
            }
            let has_numbers = cells.iter().any(|cell| matches!(cell.text, CellText::Number(_)));
            is_row_of_numbers = has_numbers && wanted.shape_of_row(cells.len()).is_some();
        }
        // The digits of a row of numbers may be as many as the cells of a smaller board.
        if is_row_of_numbers || !are_groups(words) {
            return None;
        }
        let cells = self.cells_of_signs();
        let shape = wanted.shape_of_cells(cells.len()).filter(|shape| shape.is_solvable())?;
        Some(WholeLine { cells: cells.len(), board: wanted.board(shape, &cells) })
    }

    /// True if the line is a board of its own.
    pub(crate) fn is_board(&self) -> bool {
        self.whole.as_ref().is_some_and(|whole| whole.board.is_ok())
    }

    /// The number of its signs: of its cells, if it has a sign for each. Messages name it as that of cells.
    pub(crate) fn signs(&self) -> usize {
        BlockRow::signs_of(&self.text)
    }

    pub(crate) fn signs_of(text: &str) -> usize {
        text.chars().filter(|sign| !separates(*sign)).count()
    }

    /// The largest order of a board of which it can be a row; 1 if there is none.
    pub(crate) fn largest_order(&self, wanted: &Wanted) -> usize {
        let fields = DELIMITERS.map(|delimiter| self.fields(delimiter).map_or(0, |fields| fields.len()));
        let sizes = [words(&self.text).len(), self.signs()].into_iter().chain(fields);
        sizes.filter(|&size| wanted.shape_of_row(size).is_some()).max().unwrap_or(1)
    }

    fn cell(&self, column: u32, text: CellText) -> PlacedCell {
        PlacedCell { line: self.line, column, text }
    }

    /// A cell for each word; None if a word is no cell.
    fn cells_of_words(&self, words: &[PlacedWord<'_>]) -> Option<Vec<PlacedCell>> {
        words.iter().map(|word| Some(self.cell(word.column, CellText::of(word.text)?))).collect()
    }

    fn cells_of_signs(&self) -> Vec<PlacedCell> {
        let signs = (1..).zip(self.text.chars()).filter(|(_, sign)| !separates(*sign));
        signs.map(|(column, sign)| self.cell(column, CellText::of_sign(sign))).collect()
    }

    /// The cells between delimiters, blank ones too. Nothing before the first and after the last bar is a cell. None if
    /// the row has no such delimiter, or something else than cells between them.
    fn fields(&self, delimiter: char) -> Option<Vec<PlacedCell>> {
        // A blank cell at the end of a table of tabs is no more than a tab.
        let text = if delimiter == '\t' { &self.text } else { self.text.trim() };
        if !text.contains(delimiter) {
            return None;
        }
        let outer_bar = if delimiter == '|' { "|" } else { "" };
        let without_first = text.strip_prefix(outer_bar).unwrap_or(text);
        let inner = without_first.strip_suffix(outer_bar).unwrap_or(without_first);
        let mut column = 1 + u32::from(without_first.len() < text.len());
        let mut cells = Vec::new();
        for field in inner.split(delimiter) {
            let word = field.trim_matches(|sign: char| separates(sign) && sign != delimiter);
            cells.push(self.cell(column, CellText::of(word)?));
            column += field.chars().count() as u32 + 1;
            if cells.len() > Shape::MAX_ORDER + 1 {
                return None;
            }
        }
        Some(cells)
    }

    /// The number of cells before each bar that stands between cells.
    fn cells_before_bars(&self, cells: &[PlacedCell]) -> Vec<usize> {
        let mut counts = Vec::new();
        for (bar_column, sign) in (1..).zip(self.text.chars()) {
            if sign == '|' {
                counts.push(cells.iter().filter(|cell| cell.column < bar_column).count());
            }
        }
        counts.dedup();
        counts.retain(|count| (1..cells.len()).contains(count));
        counts
    }
}

/// True for words of the same length, which may be rows of a board, or groups of cells: `53. .7. ...`.
fn are_groups(words: &[PlacedWord<'_>]) -> bool {
    words.iter().all(|word| word.length() == words[0].length())
}

/// What may stand between the fields of a table.
const DELIMITERS: [char; 4] = [',', ';', '\t', '|'];

/// The boards of rows, from the cells of each row. None if a row has none (it has another form), if the rows have not
/// the same number of cells, or if they are not as many as boards of this order have.
fn boards_of_rows(
    cells_of_rows: impl Iterator<Item = Option<Vec<PlacedCell>>>,
    rows: &[BlockRow],
    wanted: &Wanted,
) -> Option<Boards> {
    let cells: Vec<Vec<PlacedCell>> = cells_of_rows.collect::<Option<_>>()?;
    let order = cells.first()?.len();
    let are_alike = cells.iter().all(|row| row.len() == order);
    if !are_alike || !rows.len().is_multiple_of(order.max(1)) {
        return None;
    }
    wanted.shape_of_row(order)?;
    Some(rows.chunks(order).zip(cells.chunks(order)).map(|(rows, cells)| board(rows, cells, wanted)).collect())
}

fn board(rows: &[BlockRow], cells: &[Vec<PlacedCell>], wanted: &Wanted) -> Result<Entry, TextError> {
    let line = rows[0].line;
    let shape = shape_of(rows, cells, wanted).map_err(|reason| TextError::new(line, 1, reason))?;
    wanted.board(shape, &cells.concat()).map(|grid| Entry::new(line, grid))
}

/// A word for each cell.
pub(super) fn cells_apart(rows: &[BlockRow], wanted: &Wanted) -> Option<Boards> {
    boards_of_rows(rows.iter().map(|row| row.cells_of_words(&words(&row.text))), rows, wanted)
}

/// A sign for each cell.
pub(super) fn signs(rows: &[BlockRow], wanted: &Wanted) -> Option<Boards> {
    if rows.iter().any(|row| row.signs() > Shape::MAX_SOLVABLE_ORDER) {
        return None;
    }
    let boards = boards_of_rows(rows.iter().map(|row| Some(row.cells_of_signs())), rows, wanted)?;
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

/// Rows with labels that count up, A B C or 1 2 3; over them may stand a line with the labels of the columns.
pub(super) fn labelled(rows: &[BlockRow], wanted: &Wanted) -> Option<Boards> {
    let words_of_lines: Vec<Vec<PlacedWord<'_>>> = rows.iter().map(|row| words(&row.text)).collect();
    let head = words_of_lines.first()?;
    let has_head = count_up(head.iter().map(|word| word.text), true);
    let first_row = usize::from(has_head);
    let rows = &rows[first_row..];
    let words_of_rows = &words_of_lines[first_row..];
    if has_head && head.len() != rows.len() {
        return None;
    }
    // Numbers before rows are labels only under labels of columns.
    let labels = words_of_rows.iter().map(|words| words.first().map_or("", |label| label.text));
    if !count_up(labels, has_head) {
        return None;
    }
    boards_of_rows(rows.iter().zip(words_of_rows).map(|(row, words)| row.cells_of_words(words.get(1..)?)), rows, wanted)
}

/// True if labels are A, B, C, .. or, if they may be numbers, 1, 2, 3, ..
fn count_up<'a>(labels: impl Iterator<Item = &'a str>, may_be_numbers: bool) -> bool {
    (0..).zip(labels).all(|(index, label)| {
        let is_letter = char::from_u32('A' as u32 + index).is_some_and(|letter| label == letter.to_string());
        is_letter || may_be_numbers && label == (index + 1).to_string()
    })
}

/// A field for each cell. The last may be the blank after a delimiter at the end.
pub(super) fn fields(rows: &[BlockRow], wanted: &Wanted) -> Option<Boards> {
    for delimiter in DELIMITERS {
        let fields_of_rows: Vec<Option<Vec<PlacedCell>>> = rows.iter().map(|row| row.fields(delimiter)).collect();
        let without_last = fields_of_rows.iter().map(|fields| {
            let (last, cells) = fields.as_ref()?.split_last()?;
            (last.text == CellText::Blank).then(|| cells.to_vec())
        });
        let boards = boards_of_rows(without_last, rows, wanted);
        if let Some(boards) = boards.or_else(|| boards_of_rows(fields_of_rows.iter().cloned(), rows, wanted)) {
            return Some(boards);
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
        return boards_of_rows(rows.iter().map(|row| cells_between_bars(row, width, order)), rows, wanted);
    }
    let columns_of_cell = if width == order {
        1
    } else if width == 2 * order - 1 {
        // A space stands between cells.
        2
    } else {
        return None;
    };
    let cells_of_rows = rows.iter().map(|row| {
        let signs = row.text.chars().chain(std::iter::repeat(' '));
        let first_signs = (1..).zip(signs).step_by(columns_of_cell).take(order);
        Some(first_signs.map(|(column, sign)| row.cell(column, CellText::of_sign(sign))).collect())
    });
    boards_of_rows(cells_of_rows, rows, wanted)
}

/// The cells of a row that bars divide into pieces with the same number of cells: `| 5 3   |   7   |  ..`. The row fills
/// `width` columns, unless a bar stands at its end.
fn cells_between_bars(row: &BlockRow, width: usize, order: usize) -> Option<Vec<PlacedCell>> {
    let mut signs: Vec<char> = row.text.trim_end().chars().collect();
    let indent = signs.iter().take_while(|sign| sign.is_whitespace()).count();
    // The index in `signs` at which a piece begins.
    let mut start = 0;
    if signs.get(indent) == Some(&'|') {
        start = indent + 1;
        signs.pop_if(|sign| *sign == '|');
    } else {
        signs.resize(width, ' ');
    }
    let pieces = signs.get(start..)?.split(|sign| *sign == '|');
    let pieces_with_cells = pieces.clone().filter(|piece| !piece.is_empty()).count();
    if pieces_with_cells == 0 || !order.is_multiple_of(pieces_with_cells) {
        return None;
    }
    let cells_of_piece = order / pieces_with_cells;
    let mut cells = Vec::with_capacity(order);
    for piece in pieces {
        if !piece.is_empty() {
            let cell_width = piece.len() / cells_of_piece;
            // Spaces that do not belong to a cell stand on the left.
            let (margin, signs_of_cells) = piece.split_at(piece.len() % cells_of_piece);
            if cell_width == 0 || margin.iter().any(|sign| !sign.is_whitespace()) {
                return None;
            }
            let mut column = start + margin.len() + 1;
            for signs in signs_of_cells.chunks(cell_width) {
                let word: String = signs.iter().collect();
                cells.push(row.cell(column as u32, CellText::of(word.trim())?));
                column += cell_width;
            }
        }
        start += piece.len() + 1;
    }
    Some(cells)
}

/// The candidates of the cells of positions, a group for each cell: a line of 81 groups, or nine of nine.
pub(super) fn candidates(rows: &[BlockRow], wanted: &Wanted) -> Option<Boards> {
    let rows_of_position = match words(&rows[0].text).len() {
        81 => 1,
        9 => 9,
        _ => return None,
    };
    if !wanted.is_nine() {
        return None;
    }
    let mut positions = Vec::new();
    for rows in rows.chunks(rows_of_position) {
        let groups = rows.iter().flat_map(|row| words(&row.text)).map(|word| group(word.text));
        let groups: Vec<Digits> = groups.collect::<Option<_>>()?;
        let has_choices = groups.iter().any(|group| group.len() > 1);
        if groups.len() != Shape::NINE.cells() || !has_choices {
            return None;
        }
        positions.push(position(rows[0].line, groups));
    }
    Some(positions)
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

/// The shape of a board: the requested one, or the one whose boxes bars and lines of the frame show.
///
/// # Errors
/// Lines inside the board that are no sides of boxes.
fn shape_of(rows: &[BlockRow], cells: &[Vec<PlacedCell>], wanted: &Wanted) -> Result<Shape, Reason> {
    let order = cells.len();
    let usual = wanted.shape_of_row(order).ok_or_else(|| wanted.no_board(order))?;
    if wanted.shape.is_some() {
        return Ok(usual);
    }
    let bars = rows[0].cells_before_bars(&cells[0]);
    let frame_lines: Vec<usize> = (1..order).filter(|&row| rows[row].framed).collect();
    let has_straight_bars = rows.iter().zip(cells).all(|(row, cells)| row.cells_before_bars(cells) == bars);
    match (spacing(&frame_lines, order), spacing(&bars, order)) {
        _ if !has_straight_bars => {}
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

/// What lines show. `rows_before` has, for each line, the number of rows above it, or of columns on its left.
fn spacing(rows_before: &[usize], order: usize) -> Spacing {
    let side = rows_before.first().copied().unwrap_or(order);
    let is_even = rows_before.iter().copied().eq((side..order).step_by(side));
    if !order.is_multiple_of(side) || !is_even {
        return Spacing::Uneven;
    }
    if side == 1 || side == order { Spacing::NoBoxes } else { Spacing::Boxes(side) }
}
