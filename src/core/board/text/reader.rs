//! Reads boards from a stream of text in bounded memory. Everything that stands there is a [`TextItem::Board`], a
//! [`TextItem::Heading`] or [`TextItem::Bad`]; blank lines, comments (`#`) and frames are none of them.
//!
//! ```text
//!   a line       a comment, a frame, a heading, a form of a line (a board, a link ..) or a row     words, forms
//!   a block      rows up to a blank line or a heading: a form of rows, or lines that are boards    here, forms
//!   its cells    which signs are digits, and which stands for an empty cell, for one board         cells
//! ```
//!
//! Nothing goes from one board to the next. A heading or a comment that names a rule (`# Windoku`) is about all boards
//! below: they are bad unless the user or their own line says the shape.
//!
//! A line of 16 or 36 cells can be a board of order 4 or 6, or a row of order
//! 16 or 36: the lines of a block are boards of their own if more than half of them can be. Lines of other lengths have no
//! voice in this where the block is no board.
//!
//! Behind a board of rows, letters may say the regions of a jigsaw. So such a board waits for the next line.

use std::collections::VecDeque;
use std::io::BufRead;

use super::cells::{CellText, Signs};
use super::forms::blocks::BlockRow;
use super::forms::{FORMS, TextForm, oneline};
use super::lines::{Lines, plain};
use super::rules_named::{advice, rule_named};
use super::symbols::TextError;
use super::wanted::{Boards, Entry, TextLine, Wanted};
use super::words::{FrameLine, PlacedWord, are_names, frame, is_heading, section, separates};
use crate::board::{Reason, Shape};

/// What stands in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextItem {
    /// A board.
    Board(Entry),
    /// The line, from 1, of words that are no board: a title, a name, a section that holds no puzzle.
    Heading(usize),
    /// What may be meant as a board, but is none; and why.
    Bad(TextError),
}

impl TextItem {
    /// The board or the error; None for a heading.
    pub fn board(self) -> Option<Result<Entry, TextError>> {
        match self {
            TextItem::Board(entry) => Some(Ok(entry)),
            TextItem::Bad(error) => Some(Err(error)),
            TextItem::Heading(_) => None,
        }
    }
}

/// An iterator over a text. After a bad line it goes on with the next one. If the text cannot be read, it ends.
///
/// ```
/// use sudoku_corpus_core::board::text::{self, PuzzleReader, TextItem};
///
/// let file = "# two boards\n1 2 | . .\n. . | 1 2\n----+----\n. 1 | . .\n. . | . 1\n\nGrid 02\n12..3..4....2.4. easy\n";
/// let items = PuzzleReader::new(file.as_bytes(), None).filter_map(TextItem::board);
/// let boards: Vec<_> = items.collect::<Result<_, _>>()?;
/// assert_eq!((boards[0].line, text::line(&boards[0].grid).as_str()), (2, "12....12.1.....1"));
/// assert_eq!((boards[1].line, text::line(&boards[1].grid).as_str()), (9, "12..3..4....2.4."));
/// # Ok::<(), text::TextError>(())
/// ```
#[derive(Debug)]
pub struct PuzzleReader<R> {
    /// The rest of the text.
    lines: Lines<R>,
    blocks: Blocks,
    /// True after the last line.
    finished: bool,
}

/// Rows that are not boards yet, and items that the iterator has still to give.
#[derive(Debug, Default)]
struct Blocks {
    wanted: Wanted,
    /// The rows of the open block.
    rows: Vec<BlockRow>,
    /// The line of tabs just before the open block: a blank line, or an empty first row of the block.
    tabs_before: Option<BlockRow>,
    /// True if a line of a frame stands before the next row.
    framed: bool,
    /// The rule that a heading or a comment above named, with its line and with what to do about it.
    rule_above: Option<String>,
    /// True after a heading of a section that holds no puzzles. Lines are skipped until the next heading.
    skipping: bool,
    /// Letters and titles behind a board of rows, which waits among the items; None if no board waits.
    lines_behind: Option<Vec<LineBehind>>,
    /// The last lines of letters, if all have as many: perhaps the regions of a jigsaw.
    letters: Vec<String>,
    /// Items that the iterator has still to give.
    items: VecDeque<TextItem>,
}

/// A line that may be a row of the regions of a jigsaw.
#[derive(Debug)]
struct LineBehind {
    number: usize,
    text: String,
}

/// A block with more rows is read in parts of whole boards.
const MOST_ROWS: usize = 1_024;

/// A line with fewer tabs is no row of empty cells.
const FEWEST_TABS: usize = 3;

/// No row of a board is longer.
const LONGEST_ROW: usize = 8 * Shape::MAX_ORDER;

impl<R: BufRead> PuzzleReader<R> {
    /// A reader of boards of one shape; without a shape, the length of each line decides.
    pub fn new(input: R, shape: Option<Shape>) -> PuzzleReader<R> {
        PuzzleReader::with(input, shape, Signs::default())
    }

    /// A reader of boards with these signs.
    pub fn with(input: R, shape: Option<Shape>, signs: Signs) -> PuzzleReader<R> {
        let blocks = Blocks { wanted: Wanted { shape, signs }, ..Blocks::default() };
        PuzzleReader { lines: Lines::new(input), blocks, finished: false }
    }
}

impl<R: BufRead> Iterator for PuzzleReader<R> {
    type Item = TextItem;

    fn next(&mut self) -> Option<TextItem> {
        loop {
            if self.blocks.lines_behind.is_none()
                && let Some(item) = self.blocks.items.pop_front()
            {
                return Some(item);
            }
            if self.finished {
                return None;
            }
            match self.lines.next_line() {
                Ok(Some((number, Ok(text)))) => self.blocks.take(number, text),
                Ok(Some((number, Err(reason)))) => {
                    self.blocks.pass_letters();
                    self.blocks.give(TextItem::Bad(TextError::new(number, 1, reason)));
                }
                Ok(None) => {
                    self.finished = true;
                    self.blocks.finish();
                }
                Err(error) => {
                    self.finished = true;
                    self.blocks.finish();
                    let reason = Reason(format!("cannot be read: {error}"));
                    self.blocks.items.push_back(TextItem::Bad(TextError::new(0, 1, reason)));
                }
            }
        }
    }
}

impl Blocks {
    /// Ends the blocks before an item, and adds it.
    fn give(&mut self, item: TextItem) {
        self.end();
        self.items.push_back(item);
    }

    fn heading(&mut self, number: usize, text: &str) {
        self.give(TextItem::Heading(number));
        self.note_rule(number, text);
    }

    /// Notes that a heading or a comment names a rule: without a shape, the boards below it would lose it.
    fn note_rule(&mut self, number: usize, text: &str) {
        if self.rule_above.is_some() || self.wanted.shape.is_some() {
            return;
        }
        if let Some(rule) = rule_named(text) {
            // The boards above it have no rule.
            self.end();
            self.rule_above = Some(format!("line {number}: {}", advice(&rule)));
        }
    }

    /// A board as an item, or what is wrong with it.
    fn item(&self, board: Result<Entry, TextError>) -> TextItem {
        let entry = match board {
            Ok(entry) => entry,
            Err(error) => return TextItem::Bad(error),
        };
        let shape = entry.grid.shape();
        let refused = match &self.rule_above {
            Some(lost_rule) if shape.is_plain() => Err(Reason(lost_rule.clone())),
            _ => self.wanted.check_shape(shape),
        };
        match refused {
            Ok(()) => TextItem::Board(entry),
            Err(reason) => TextItem::Bad(TextError::new(entry.line, 1, reason)),
        }
    }

    fn push(&mut self, boards: Boards) {
        for board in boards {
            let item = self.item(board);
            self.items.push_back(item);
        }
    }

    /// Reads one line. With the last row of the regions of a jigsaw, the board before it is refused.
    fn take(&mut self, number: usize, text: &str) {
        let regions = self.regions_ending_with(text);
        if !self.keep_behind(number, text) {
            self.pass_letters();
            self.take_line(number, text);
        }
        if let Some(reason) = regions {
            self.refuse(number, reason);
        }
    }

    /// The reason to refuse a board beside letters that end with this line: they are the regions of a jigsaw.
    fn regions_ending_with(&mut self, text: &str) -> Option<Reason> {
        let first = text.chars().find(|sign| !separates(*sign))?;
        let is_short = text.len() <= 4 * Shape::MAX_SOLVABLE_ORDER;
        if !first.is_ascii_alphabetic() || !is_short || self.skipping {
            self.letters.clear();
            return None;
        }
        let row = letters(text);
        let order = row.len();
        let is_row = order >= 4 && order == BlockRow::signs_of(text);
        if !is_row || self.letters.first().is_some_and(|first| first.len() != order) {
            self.letters.clear();
        }
        if !is_row {
            return None;
        }
        self.letters.push(row);
        if self.letters.len() > order {
            self.letters.remove(0);
        }
        let is_square = self.letters.len() == order;
        if is_square { oneline::regions_beside(&self.letters.concat(), &self.wanted) } else { None }
    }

    /// Keeps a line behind a board of rows that may belong to the regions of a jigsaw. False for all other lines.
    fn keep_behind(&mut self, number: usize, text: &str) -> bool {
        let Some(lines) = &mut self.lines_behind else { return false };
        if text.trim().is_empty() && tabs(text) == 0 {
            self.tabs_before = None;
            return true;
        }
        let may_stand = !self.letters.is_empty() || is_heading(text);
        if may_stand && lines.len() <= 2 * Shape::MAX_SOLVABLE_ORDER {
            lines.push(LineBehind { number, text: text.to_owned() });
            return true;
        }
        false
    }

    /// Lets the board of rows go that waits, and reads the lines behind it, which are no regions.
    fn pass_letters(&mut self) {
        for line in self.lines_behind.take().into_iter().flatten() {
            self.take_line(line.number, &line.text);
        }
    }

    /// Makes the last board a bad one, because of a rule behind it. If it does not wait, the line of the rule is bad.
    fn refuse(&mut self, number: usize, reason: Reason) {
        self.lines_behind = None;
        self.letters.clear();
        for item in self.items.iter_mut().rev() {
            if let TextItem::Board(entry) = item {
                *item = TextItem::Bad(TextError::new(entry.line, 1, reason));
                return;
            }
        }
        self.items.push_back(TextItem::Bad(TextError::new(number, 1, reason)));
    }

    /// Ends the last block.
    fn finish(&mut self) {
        self.pass_letters();
        self.end();
        self.lines_behind = None;
    }

    /// Reads a line that does not belong to the regions of a jigsaw.
    fn take_line(&mut self, number: usize, text: &str) {
        let text = &*plain(text);
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return self.take_blank(number, text);
        }
        if let Some(name) = section(trimmed) {
            let has_regions = ["regions", "region"].contains(&name.as_str());
            self.skipping =
                has_regions || ["state", "pencilmarks", "pencil marks", "marks", "candidates"].contains(&name.as_str());
            self.heading(number, trimmed);
            if has_regions && self.wanted.shape.is_none() {
                let advice = "--shape 9+jigsaw:REGIONS names the region of each cell";
                self.refuse(number, Reason(format!("the section [{name}] has the regions of a jigsaw: {advice}")));
            }
            return;
        }
        if self.skipping {
            return;
        }
        if oneline::is_comment(trimmed, &self.wanted, self.rows.last().map(BlockRow::signs)) {
            return self.note_rule(number, trimmed);
        }
        if let Some(entry) = oneline::plain(number, trimmed, &self.wanted) {
            let item = self.item(Ok(entry));
            return self.give(item);
        }
        let frame = frame(trimmed);
        if frame == Some(FrameLine::Rule) || frame.is_some() && text.len() > LONGEST_ROW {
            self.framed = true;
            return;
        }
        let line = TextLine::new(number, text);
        if line.words.is_empty() && [',', ';', '|'].iter().all(|mark| trimmed.matches(*mark).count() < 3) {
            // Brackets alone.
            return;
        }
        if frame.is_none() {
            let read = FORMS.iter().find_map(|form| match form.read {
                TextForm::Line(read) => read(&line, &self.wanted),
                TextForm::Block(_) => None,
            });
            if let Some(boards) = read {
                self.end();
                return self.push(boards);
            }
        }
        self.take_row(&line, frame.is_some());
    }

    /// Takes a line without cells. It ends a block. Under a row of a table of tabs, a line with as many tabs is a row of
    /// empty cells, unless the board before it is whole: then the line stands between boards.
    fn take_blank(&mut self, number: usize, text: &str) {
        let tabs = tabs(text);
        let row = BlockRow::new(&TextLine::new(number, text), false, &self.wanted);
        let is_row = tabs >= FEWEST_TABS && self.rows.last().is_some_and(|last| self::tabs(&last.text) == tabs);
        if is_row && !self.rows.len().is_multiple_of(self.order_of(tabs)) {
            return self.rows.push(row);
        }
        self.end();
        self.tabs_before = (tabs >= FEWEST_TABS).then_some(row);
    }

    /// The order of the board of the open block, whose rows have this number of tabs. Each may end with a tab.
    fn order_of(&self, tabs: usize) -> usize {
        let has_last_tab = self.rows.iter().all(|row| row.text.ends_with('\t'));
        if has_last_tab && self.wanted.shape_of_row(tabs).is_some() { tabs } else { tabs + 1 }
    }

    /// Takes a line that has no form of its own: a heading, a row of a block, or none of them.
    fn take_row(&mut self, line: &TextLine<'_>, dashes: bool) {
        let row = BlockRow::new(line, dashes, &self.wanted);
        let (is_board, signs) = (row.is_board(), row.signs());
        if !is_board && is_heading(line.text) && !self.may_be_row(line, signs) {
            return self.heading(line.number, line.text);
        }
        // A word that is longer than a row of signs is meant as a board. It is bad, and no row.
        let longest = line.words.iter().map(PlacedWord::length).max().unwrap_or(0);
        let is_long_word = longest > Shape::MAX_SOLVABLE_ORDER
            && (line.words.len() == 1 || !is_board && Shape::of_cells(longest).is_none());
        if is_long_word || line.text.len() > LONGEST_ROW && !is_board {
            let error = match row.whole.map(|whole| whole.board) {
                Some(Err(error)) => error,
                _ => line.error_at(1, self.wanted.no_board(if is_long_word { longest } else { signs })),
            };
            return self.give(TextItem::Bad(error));
        }
        self.rows.push(BlockRow { framed: std::mem::take(&mut self.framed), ..row });
        if self.rows.len() >= MOST_ROWS && self.rows.len().is_multiple_of(self.rows[0].largest_order(&self.wanted)) {
            self.end();
        }
    }

    /// True if words can be the row of a board with so many signs.
    fn may_be_row(&self, line: &TextLine<'_>, signs: usize) -> bool {
        let cells = || line.words.iter().map(|word| CellText::of(word.text));
        // No title is made of cells and of words for nothing, such as null.
        let has_null = || cells().all(|cell| cell.is_some()) && cells().any(|cell| cell == Some(CellText::Blank));
        let order = line.words.len();
        if order > 3 && self.wanted.shape_of_row(order).is_some_and(Shape::is_solvable) && has_null() {
            return true;
        }
        signs > 3
            && self.wanted.shape_of_row(signs).is_some_and(Shape::is_solvable)
            && (line.words.len() == signs
                || self.rows.last().is_some_and(|row| row.signs() == signs)
                || !are_names(&line.words) && self.are_cells(line, signs))
    }

    /// True if the signs of a line are cells of a board, at most one letter aside, which may stand for empty cells; or
    /// if it is a word with several signs of empty cells: its letters may be digits.
    fn are_cells(&self, line: &TextLine<'_>, order: usize) -> bool {
        let Wanted { signs, .. } = &self.wanted;
        let is_mark = |sign: &char| *sign != '=' && signs.is_mark(CellText::of_sign(*sign), order);
        let all = || line.words.iter().flat_map(|word| word.text.chars());
        let mut others = all().filter(|sign| *sign != '0' && !is_mark(sign) && signs.digit(*sign, order).is_none());
        others.next().is_none_or(|first| others.all(|sign| sign == first))
            || order >= 9 && line.words.len() == 1 && all().filter(is_mark).count() >= 3
    }

    /// Ends the open block: a blank line, a heading, a board, the end of the text.
    fn end(&mut self) {
        // A line of other tabs than in the rows is a blank line.
        let tabs_before = self.tabs_before.take();
        let tabs_before = tabs_before.filter(|line| self.rows.iter().all(|row| tabs(&row.text) == tabs(&line.text)));
        let lacks_row = tabs_before
            .as_ref()
            .is_some_and(|line| (self.rows.len() + 1).is_multiple_of(self.order_of(tabs(&line.text))));
        let mut rows = std::mem::take(&mut self.rows);
        let Some(first) = rows.first().map(|row| row.line) else { return };
        self.framed = false;
        match tabs_before {
            Some(_) if rows.last().is_some_and(|row| row.signs() == 0) => {
                let reason = "empty rows stand before and after these rows, and either may be a row of the board: write 0 or \
                              a point into empty cells";
                return self.items.push_back(TextItem::Bad(TextError::new(first, 1, Reason(reason.to_owned()))));
            }
            // Below line 1 it may stand between two boards, the second of which lost a row.
            Some(first_row) if lacks_row && first_row.line == 1 => rows.insert(0, first_row),
            _ => {}
        }
        self.read_block(rows);
    }

    fn read_block(&mut self, rows: Vec<BlockRow>) {
        if are_boards(&rows) {
            return self.push(rows.iter().map(|row| self.board_of_line(row)).collect());
        }
        let without_dashes = if rows.iter().any(|row| row.dashes) { without_dashes(&rows) } else { Vec::new() };
        let mut wrong = None;
        for rows in [&without_dashes, &rows] {
            match self.boards_of_forms(without_head(rows)) {
                Some(boards) if boards.iter().all(Result::is_ok) => {
                    let has_usual_signs = self.wanted.signs.digits.is_none();
                    self.lines_behind = (self.wanted.shape.is_none() && has_usual_signs).then(Vec::new);
                    return self.push(boards);
                }
                boards => wrong = wrong.or(boards),
            }
        }
        let error_of_line = match &rows[..] {
            [row] => self.error_of_line(row),
            _ => None,
        };
        match (error_of_line, wrong) {
            (Some(error), _) => self.push(vec![Err(error)]),
            (None, Some(boards)) => self.push(boards),
            (None, None) if rows.windows(2).any(is_number) => self.read_numbered(&rows),
            (None, None) => {
                rows.chunk_by(|row, next| row.signs() == next.signs()).for_each(|rows| self.take_alike(rows))
            }
        }
    }

    /// Reads a block in which a number or a letter stands over each board.
    fn read_numbered(&mut self, rows: &[BlockRow]) {
        let starts = (0..rows.len()).filter(|&row| rows.get(row..row + 2).is_some_and(is_number));
        let starts: Vec<usize> = starts.collect();
        if starts[0] > 0 {
            self.read_block(rows[..starts[0]].to_vec());
        }
        for (place, &start) in starts.iter().enumerate() {
            let end = starts.get(place + 1).copied().unwrap_or(rows.len());
            self.items.push_back(TextItem::Heading(rows[start].line));
            self.read_block(rows[start + 1..end].to_vec());
        }
    }

    fn board_of_line(&self, row: &BlockRow) -> Result<Entry, TextError> {
        match &row.whole {
            Some(whole) => whole.board.clone().map(|grid| Entry::new(row.line, grid)),
            None => Err(TextError::new(row.line, 1, self.wanted.no_board(row.signs()))),
        }
    }

    /// What is wrong with a line that has as many cells as a board, and is none.
    fn error_of_line(&self, row: &BlockRow) -> Option<TextError> {
        let whole = row.whole.as_ref()?;
        let mut error = whole.board.clone().err()?;
        let cells = whole.cells;
        if cells <= 36 {
            let advice = format!("; for a row of a {cells}x{cells} board, give the size of its boxes with --shape");
            error.reason.0.push_str(&advice);
        }
        Some(error)
    }

    /// The boards of rows in the first form that reads all of them; else in the first that reads any, if there is one.
    fn boards_of_forms(&self, rows: &[BlockRow]) -> Option<Boards> {
        if rows.is_empty() {
            return None;
        }
        let mut wrong = None;
        for form in FORMS {
            let TextForm::Block(read) = form.read else { continue };
            match read(rows, &self.wanted) {
                Some(boards) if boards.iter().all(Result::is_ok) => return Some(boards),
                boards => wrong = wrong.or(boards),
            }
        }
        wrong
    }

    /// Takes rows of as many cells, which are not the rows of a board: boards of their own, or none.
    fn take_alike(&mut self, rows: &[BlockRow]) {
        if are_boards(rows) {
            return self.push(rows.iter().map(|row| self.board_of_line(row)).collect());
        }
        let (count, cells) = (rows.len(), rows[0].signs());
        let reason = match self.wanted.shape_of_row(cells) {
            Some(_) if count.is_multiple_of(cells) => Reason(format!(
                "this block has {count} rows of {cells} cells, and other lines: put empty lines between them"
            )),
            Some(_) => {
                let rows = if count == 1 { "one row".to_owned() } else { format!("this block has {count} rows") };
                Reason(format!("{rows} of {cells} cells: a board has {cells} rows, without empty lines between them"))
            }
            None if count > 1 => {
                Reason(format!("this block of {count} lines is no board: its first line has {cells} cells"))
            }
            None => self.wanted.no_board(cells),
        };
        self.items.push_back(TextItem::Bad(TextError::new(rows[0].line, 1, reason)));
    }
}

fn letters(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphabetic).collect()
}

fn tabs(text: &str) -> usize {
    text.matches('\t').count()
}

/// True for a row that is a number or a letter, and for a longer one after it: the number of a board.
fn is_number(rows: &[BlockRow]) -> bool {
    let [title, row] = rows else { return false };
    let name = title.text.trim();
    let is_digits = name.len() <= 7 && name.bytes().all(|byte| byte.is_ascii_digit());
    let is_letter = name.len() == 1 && name.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_word = !name.is_empty() && !title.text.contains('\t');
    is_word && (is_digits || is_letter) && row.signs() >= 4 && title.signs() < row.signs()
}

/// True for rows more than half of which are boards of their own.
fn are_boards(rows: &[BlockRow]) -> bool {
    2 * rows.iter().filter(|row| row.is_board()).count() > rows.len()
}

/// The rows without those that may be lines of a frame.
fn without_dashes(rows: &[BlockRow]) -> Vec<BlockRow> {
    let mut rows_of_cells = Vec::with_capacity(rows.len());
    let mut framed = false;
    for row in rows {
        if row.dashes {
            framed = true;
        } else {
            rows_of_cells.push(BlockRow { framed: row.framed || std::mem::take(&mut framed), ..row.clone() });
        }
    }
    rows_of_cells
}

/// The rows without the head of a table of Markdown: a line of a frame follows it, and no other.
fn without_head(rows: &[BlockRow]) -> &[BlockRow] {
    match rows {
        [first, second, rest @ ..] if !first.framed && second.framed && rest.len() > 1 => {
            if rest.iter().any(|row| row.framed) { rows } else { &rows[1..] }
        }
        _ => rows,
    }
}
