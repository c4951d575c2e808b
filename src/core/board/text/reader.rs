//! Reads boards from a stream of text in bounded memory. Everything that stands there is a [`Item::Board`], a
//! [`Item::Heading`] or [`Item::Bad`]; blank lines, comments (`#`) and frames are none of them.
//!
//! ```text
//!   a line      Windows-1252 or UTF-8, unusual spaces, drawn lines and wide digits as ordinary ones     lines
//!   is          a comment, a frame, a heading, boards with notes, or a row in one or several readings   rows, dialects
//!   a block     rows of one order up to a blank line; bands may be apart from each other                here
//!   its signs   which are digits, and which stands for an empty cell, for the whole board               signs
//! ```
//!
//! A line of 16 or 36 cells can be a board of order 4 or 6, or a row of order 16 or 36. If no shape is given, as many
//! such lines as a board has rows are one board if at least half of them are no boards of their own.

use std::collections::VecDeque;
use std::io::BufRead;

use super::dialects;
use super::lines::{Lines, plain};
use super::rows::{self, Frame, PencilMarks, Reading, no_board, shape_of_board, shape_of_row, words};
use super::signs::{Alphabet, Cell, Signs, decide};
use super::symbols::{TextError, TextProblem, plain_line};
use crate::board::{Digits, Grid, Reason, Shape};

/// A board and its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The line on which it begins, from 1.
    pub line: usize,
    /// The board.
    pub grid: Grid,
    /// The full grid after it on its line, if it is a solution of the board.
    pub solution: Option<Grid>,
    /// The candidates of each cell, if the text lists them: the board is a position in the middle of a game.
    pub candidates: Option<Vec<Digits>>,
    /// The rest of its line, trimmed: a rating, a comment.
    pub note: String,
}

/// What stands in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A board.
    Board(Entry),
    /// Words that are no board: a title, a name, a section that holds no puzzle.
    Heading {
        /// Its line, from 1.
        line: usize,
        /// The words.
        text: String,
    },
    /// What may be meant as a board, but is none; and why.
    Bad(TextError),
}

impl Item {
    /// The board or the error; None for a heading.
    pub fn board(self) -> Option<Result<Entry, TextError>> {
        match self {
            Item::Board(entry) => Some(Ok(entry)),
            Item::Bad(error) => Some(Err(error)),
            Item::Heading { .. } => None,
        }
    }
}

/// An iterator over a text. After a bad line it goes on with the next one. If the text cannot be read, it ends.
///
/// ```
/// use sudoku_corpus_core::board::text::{self, Item, PuzzleReader};
///
/// let file = "# two boards\n1 2 | . .\n. . | 1 2\n----+----\n. 1 | . .\n. . | . 1\n\nGrid 02\n12..3..4....2.4. easy\n";
/// let items = PuzzleReader::new(file.as_bytes(), None).filter_map(Item::board);
/// let boards: Vec<_> = items.collect::<Result<_, _>>()?;
/// assert_eq!((boards[0].line, text::line(&boards[0].grid).as_str()), (2, "12....12.1.....1"));
/// assert_eq!((boards[1].line, boards[1].note.as_str()), (9, "easy"));
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

/// Rows that are not boards yet, and items that were found.
#[derive(Debug)]
struct Blocks {
    /// The only shape that boards may have; None if the text decides.
    shape: Option<Shape>,
    /// The signs that the caller asked for.
    signs: Signs,
    /// The signs of digits that boards of an order had so far.
    known: Vec<(usize, Alphabet)>,
    /// The signs of digits of boards of every order, if they are not known otherwise.
    hint: Option<Alphabet>,
    /// Rows that are not boards yet.
    rows: VecDeque<Row>,
    /// True if the next row begins a paragraph.
    apart: bool,
    /// True if a line of a frame stands before the next row.
    framed: bool,
    /// True after a heading of a section that holds no puzzles. Lines are skipped until the next heading.
    skipping: bool,
    /// True if the first line has names of columns.
    names: bool,
    /// Items that the iterator has still to give.
    found: VecDeque<Item>,
}

/// A line as a board of its own: the number of its cells, and the board or the error.
type Whole = (usize, Result<(Grid, Alphabet), TextError>);

/// A line that can be a row of a board.
#[derive(Debug)]
struct Row {
    line: usize,
    text: String,
    /// The ways to read it as a row.
    readings: Vec<Reading>,
    /// The candidates of its cells, if it lists them.
    marks: Option<PencilMarks>,
    /// The line as a board of its own.
    whole: Option<Whole>,
    /// True if a blank line stands before it.
    apart: bool,
    /// True if a line of a frame stands before it.
    framed: bool,
    /// `-` if it may be a line of a frame, `#` if it may be a comment: its sign for empty cells, if it is a row.
    doubt: Option<char>,
}

impl Row {
    /// The orders of its readings without a label.
    fn orders(&self) -> Vec<usize> {
        self.readings.iter().filter(|reading| reading.label.is_none()).map(|reading| reading.order).collect()
    }

    /// The reading as a row of an order, with or without a label before it.
    fn reading(&self, order: usize, labelled: bool) -> Option<&Reading> {
        self.readings.iter().find(|reading| reading.order == order && reading.label.is_some() == labelled)
    }

    /// True if it can be a row of an order, without a label.
    fn has(&self, order: usize) -> bool {
        self.reading(order, false).is_some()
    }
}

/// A line that begins with `#`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comment {
    /// A comment, and nothing else.
    Yes,
    /// Or a row in which `#` stands for empty cells.
    Perhaps,
}

/// Rows that wait for the end of their paragraph, at least; more only if a board has more.
const WAITING: usize = 64;

/// No row of a board is longer.
const LONGEST_ROW: usize = 8 * Shape::MAX_ORDER;

impl<R: BufRead> PuzzleReader<R> {
    /// A reader of boards of one shape; without a shape, the length of each line decides.
    pub fn new(input: R, shape: Option<Shape>) -> PuzzleReader<R> {
        PuzzleReader::with(input, shape, Signs::default())
    }

    /// A reader of boards with these signs.
    pub fn with(input: R, shape: Option<Shape>, signs: Signs) -> PuzzleReader<R> {
        let blocks = Blocks {
            shape,
            signs,
            known: Vec::new(),
            hint: None,
            rows: VecDeque::new(),
            apart: true,
            framed: false,
            skipping: false,
            names: false,
            found: VecDeque::new(),
        };
        PuzzleReader { lines: Lines::new(input), blocks, finished: false }
    }

    /// The text, if nothing was read yet.
    pub fn into_text(self) -> R {
        self.lines.into_inner()
    }

    /// Reads the first line that is neither blank nor a comment as a heading: names of columns.
    pub fn after_names(mut self) -> PuzzleReader<R> {
        self.blocks.names = true;
        self
    }

    /// Boards whose signs are not clear have these.
    pub(super) fn knowing(mut self, known: Option<&Alphabet>) -> PuzzleReader<R> {
        self.blocks.hint = known.cloned();
        self
    }

    /// The signs of digits that were learned last, if a board had others than those that this program writes.
    pub(super) fn alphabet(&self) -> Option<Alphabet> {
        self.blocks.known.last().map(|known| known.1.clone())
    }
}

impl<R: BufRead> Iterator for PuzzleReader<R> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            if let Some(item) = self.blocks.found.pop_front() {
                return Some(item);
            }
            if self.finished {
                return None;
            }
            match self.lines.next_line() {
                Ok(Some((number, Ok(text)))) => self.blocks.take(number, &text),
                Ok(Some((number, Err(reason)))) => self.blocks.bad(TextError::new(number, 1, reason)),
                Ok(None) => {
                    self.finished = true;
                    self.blocks.resolve(true);
                }
                Err(error) => {
                    self.finished = true;
                    self.blocks.resolve(true);
                    let problem = TextProblem::Read(error.to_string());
                    self.blocks.found.push_back(Item::Bad(TextError { line: 0, column: 1, problem }));
                }
            }
        }
    }
}

impl Blocks {
    /// Ends the block of rows and adds an error after its boards.
    fn bad(&mut self, error: TextError) {
        self.resolve(true);
        self.found.push_back(Item::Bad(error));
    }

    /// Ends the block of rows and adds a heading.
    fn heading(&mut self, line: usize, text: &str) {
        self.resolve(true);
        self.found.push_back(Item::Heading { line, text: text.trim().to_owned() });
    }

    /// Ends the block of rows and adds a board.
    fn board(&mut self, line: usize, grid: Grid, note: &str) {
        self.resolve(true);
        let entry = Entry { line, grid, solution: None, candidates: None, note: note.to_owned() };
        self.found.push_back(Item::Board(entry));
    }

    /// Reads one line.
    fn take(&mut self, line: usize, text: &str) {
        let text = &*plain(text);
        let trimmed = text.trim();
        if trimmed.is_empty() {
            self.apart = true;
            self.resolve(false);
            return;
        }
        if let Some(name) = section(trimmed) {
            self.heading(line, trimmed);
            self.skipping = ["state", "pencilmarks", "pencil marks", "marks", "candidates"].contains(&name.as_str());
            return;
        }
        if self.names && !trimmed.starts_with('#') {
            self.names = false;
            return self.heading(line, trimmed);
        }
        let comment = self.comment(trimmed);
        if self.skipping || comment == Some(Comment::Yes) || self.plain(line, trimmed) {
            return;
        }
        if self.simple_row(line, text, trimmed) {
            return;
        }
        let doubt = comment.map(|_| '#');
        let frame = rows::frame(trimmed);
        if frame == Some(Frame::Rule) {
            self.framed = true;
            return;
        }
        if let Some(found) = dialects::read(trimmed) {
            let right = |grid: &Grid| self.shape.filter(|&shape| shape != grid.shape());
            match found.map(|(grid, note)| (right(&grid), grid, note)) {
                Ok((None, grid, note)) => self.board(line, grid, &note),
                Ok((Some(shape), grid, _)) => {
                    self.bad(TextError::new(line, 1, shape.other_length(grid.values().len())))
                }
                Err(reason) => self.bad(TextError::new(line, 1, reason)),
            }
            return;
        }
        let words = words(text);
        if words.is_empty() && [',', ';', '|'].iter().all(|mark| trimmed.matches(*mark).count() < 3) {
            // Brackets alone.
            return;
        }
        // A line of a frame that is too long to be a row.
        if frame.is_some() && text.len() > LONGEST_ROW {
            return;
        }
        if frame.is_none() && self.boards(line, text, &words) {
            return;
        }
        self.row(line, text, &words, frame.map(|_| '-').or(doubt));
    }

    /// What a line that begins with `#` is: a comment, or what may be a row or a board whose first cell is empty. None
    /// for other lines.
    fn comment(&self, trimmed: &str) -> Option<Comment> {
        let rest = trimmed.strip_prefix('#').filter(|_| self.signs.empty != Some('#'))?;
        let words = words(trimmed);
        let first = words.first().map_or("", |first| first.1);
        let cells = first.len();
        let signs = first.bytes().all(|byte| byte == b'#' || byte.is_ascii_alphanumeric());
        let is_board = signs && shape_of_board(cells, self.shape).is_some();
        // A board whose first cell is `#`: a long word, or a word with more of these signs.
        if is_board && (cells >= 64 || words.len() == 1 && rest.contains('#')) {
            return None;
        }
        let is_row = match words.as_slice() {
            [_] => signs && shape_of_row(cells, self.shape).is_some(),
            words => {
                shape_of_row(words.len(), self.shape).is_some()
                    && words.iter().all(|(_, word)| Cell::of(word).is_some())
            }
        };
        Some(if is_row { Comment::Perhaps } else { Comment::Yes })
    }

    /// Takes a board as this program and most others write it: the first word of a line, with digits or letters for
    /// digits, and after it no second board. False if the line is no such board, or if slower ways have to decide:
    /// * it may be a row of a larger board (16 or 36 cells);
    /// * a second board, or a solution, may follow: the rest is at least half as long as the board;
    /// * the signs are others: the caller has named them, or earlier boards of this order had them.
    fn plain(&mut self, line: usize, trimmed: &str) -> bool {
        let end = trimmed.find(|sign: char| sign.is_whitespace() || ",;".contains(sign)).unwrap_or(trimmed.len());
        let (word, rest) = trimmed.split_at(end);
        let Some(shape) = shape_of_board(word.len(), self.shape) else { return false };
        // 729 signs may also list the nine candidates of each cell.
        if word.len() == 9 * Shape::NINE.cells() {
            return false;
        }
        let may_be_row = self.shape.is_none() && shape_of_row(word.len(), None).is_some_and(Shape::is_solvable);
        if may_be_row
            || rest.len() >= word.len() / 2
            || self.signs != Signs::default()
            || self.known(shape.order()).is_some()
        {
            return false;
        }
        let Some(grid) = plain_line(word, shape) else { return false };
        self.board(line, grid, rest.trim_matches(|sign: char| sign.is_whitespace() || ",;".contains(sign)));
        true
    }

    /// Takes a row of digits and dots with nothing between them, as most blocks have.
    fn simple_row(&mut self, line: usize, text: &str, trimmed: &str) -> bool {
        let order = trimmed.len();
        let is_row = trimmed.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
            && shape_of_row(order, self.shape).is_some_and(Shape::is_solvable)
            && shape_of_board(order, self.shape).is_none();
        if is_row {
            let first = (text.len() - text.trim_start().len()) as u32 + 1;
            let cells = (first..).zip(trimmed.chars().map(Cell::of_sign)).collect();
            let readings = vec![Reading { order, label: None, cells }];
            let (text, marks, whole, doubt) = (text.to_owned(), None, None, None);
            self.add(Row { line, text, readings, marks, whole, apart: false, framed: false, doubt });
        }
        is_row
    }

    /// The signs of digits of earlier boards of an order, or those that hold for every order.
    fn known(&self, order: usize) -> Option<&Alphabet> {
        self.known.iter().find(|known| known.0 == order).map(|known| &known.1).or(self.hint.as_ref())
    }

    /// The board of these cells, row by row, and the signs of its digits. `place` gives the line and the column of a
    /// cell, by its index, for the error.
    fn decide(
        &self,
        shape: Shape,
        cells: &[Cell],
        place: impl Fn(usize) -> (usize, u32),
    ) -> Result<(Grid, Alphabet), TextError> {
        decide(shape, cells, &self.signs, self.known(shape.order())).map_err(|(at, reason)| {
            let (line, column) = place(at);
            TextError::new(line, column as usize, reason)
        })
    }

    /// Keeps the signs of a board, if they are unusual: later boards of its order have them where theirs are not clear.
    fn learn(&mut self, order: usize, alphabet: Alphabet) {
        if matches!(alphabet, Alphabet::FromZero | Alphabet::Letters) && self.known.iter().all(|known| known.0 != order)
        {
            self.known.push((order, alphabet));
        }
    }

    /// The board of a word with a sign for each cell, or with two digits for each cell of a board of order 10 or more.
    /// `column` is the place of the word in its line. None if no board has as many cells; an error if its signs are
    /// none of a board.
    fn of_word(&self, line: usize, column: u32, word: &str) -> Option<Result<(Grid, Alphabet), TextError>> {
        let length = word.chars().count();
        let shape = shape_of_board(length, self.shape).filter(|shape| shape.is_solvable());
        let signs = || word.chars().map(Cell::of_sign).collect::<Vec<_>>();
        if let Some(shape) = shape {
            return Some(self.decide(shape, &signs(), |at| (line, column + at as u32)));
        }
        // Numbers of two digits each.
        let shape = shape_of_board(length / 2, self.shape)
            .filter(|shape| (10..100).contains(&shape.order()) && length.is_multiple_of(2))?;
        if !word.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let numbers: Option<Vec<Cell>> = (0..length / 2).map(|at| Cell::of(&word[2 * at..2 * at + 2])).collect();
        self.decide(shape, &numbers?, |at| (line, column + 2 * at as u32)).ok().map(Ok)
    }

    /// Takes the boards of a line: the first word that is one, and then each word with as many cells. A full grid after
    /// a board with empty cells must be its solution; if it is not, the line is bad. What stands after both is the
    /// note, up to the next board. False if there are none.
    ///
    /// ```text
    ///   7.  12....12.1.....1  1234431221433421  easy  12....12.1.....1
    ///   label     board            solution     note  the next board
    /// ```
    fn boards(&mut self, line: usize, text: &str, words: &[(u32, &str)]) -> bool {
        if words.len() == 1 && self.halves(line, words[0]) {
            return true;
        }
        // The first word that is a board. Words may stand before it: any before one of 64 cells or more, only numbers
        // and points before a smaller one, because a word of prose can be as long. The first word counts even if its
        // signs are none of a board: then it is an error.
        let is_label = |word: &str| word.chars().all(|sign| sign.is_ascii_digit() || ".:)=#".contains(sign));
        let first = words.iter().enumerate().find_map(|(at, &(column, word))| {
            let board = self.of_word(line, column, word)?;
            let large = word.len() >= 64 || words[..at].iter().all(|(_, word)| is_label(word));
            (at == 0 || board.is_ok() && large).then_some((at, word, board))
        });
        let Some((at, word, board)) = first else { return false };
        let cells = word.chars().count();
        // A word of prose may have as many letters as a board has cells.
        if board.is_err() && (cells < 64 || text.contains(' ')) && rows::is_prose(text) {
            return false;
        }
        let row = self.shape.is_none() && shape_of_row(cells, None).is_some_and(Shape::is_solvable);
        if words.len() == 1 && row {
            // A row of 16 or 36 cells.
            return false;
        }
        let (grid, alphabet) = match board {
            Ok(decided) => decided,
            Err(error) => {
                self.bad(error);
                return true;
            }
        };
        let shape = grid.shape();
        self.learn(shape.order(), alphabet.clone());
        self.resolve(true);
        // From here: `entry` is the board whose note and solution are still sought, and its note begins at `note`.
        let offset = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
        let mut entry = Entry { line, grid, solution: None, candidates: None, note: String::new() };
        let mut note = offset(word) + word.len();
        let finish = |mut entry: Entry, from: usize, to: usize| {
            let note = text[from..to].trim_matches(|sign: char| sign.is_whitespace() || ",;|\"'()[]".contains(sign));
            entry.note = note.to_owned();
            Item::Board(entry)
        };
        for &(column, word) in &words[at + 1..] {
            let length = word.chars().count();
            let signs = word.chars().all(|sign| sign.is_ascii_digit() || Cell::of_sign(sign).is_mark());
            // A word of signs that is nearly as long is a board too, with cells missing or too many.
            if length != cells && !(signs && cells >= 64 && length.abs_diff(cells) <= cells / 9) {
                continue;
            }
            let second: Vec<Cell> = word.chars().map(Cell::of_sign).collect();
            let second = match length == cells {
                true => decide(shape, &second, &self.signs, Some(&alphabet)),
                false => Err((0, no_board(length, Some(shape)))),
            };
            match second {
                Ok((grid, _)) if grid.holes() == 0 && entry.grid.holes() > 0 && entry.solution.is_none() => {
                    let part = entry.grid.given_cells().all(|(cell, digit)| grid.get(cell) == Some(digit));
                    if !part {
                        let reason = "the full grid on this line is no solution of the board before it".to_owned();
                        self.found.push_back(Item::Bad(TextError::new(line, column as usize, Reason(reason))));
                        return true;
                    }
                    entry.solution = Some(grid);
                    note = offset(word) + word.len();
                }
                Ok((grid, _)) => {
                    let next = Entry { line, grid, solution: None, candidates: None, note: String::new() };
                    let whole = std::mem::replace(&mut entry, next);
                    self.found.push_back(finish(whole, note, offset(word)));
                    note = offset(word) + word.len();
                }
                // A hash may be as long as a board.
                Err(_) if !signs => {}
                Err((at, reason)) => {
                    let error = TextError::new(line, column as usize + at, reason);
                    self.found.push_back(Item::Bad(error));
                }
            }
        }
        self.found.push_back(finish(entry, note, text.len()));
        true
    }

    /// Takes a line of one word that is a board and its solution side by side, or has nine signs for the candidates of
    /// each cell of a 9x9 board. False if it is neither.
    fn halves(&mut self, line: usize, (column, word): (u32, &str)) -> bool {
        let length = word.len();
        if word.is_ascii() && length % 2 == 0 && shape_of_board(length / 2, self.shape).is_some() && length >= 128 {
            let half = |at: usize| {
                self.of_word(line, column + (at * length / 2) as u32, &word[at * length / 2..(at + 1) * length / 2])
            };
            if let (Some(Ok((grid, _))), Some(Ok((full, _)))) = (half(0), half(1))
                && full.holes() == 0
                && grid.given_cells().all(|(cell, digit)| full.get(cell) == Some(digit))
            {
                self.board(line, grid, "");
                if let Some(Item::Board(entry)) = self.found.back_mut() {
                    entry.solution = Some(full);
                }
                return true;
            }
        }
        // A sign for each candidate: its digit, or a sign that it is none.
        if length == 9 * Shape::NINE.cells() && self.shape.is_none_or(|shape| shape == Shape::NINE) {
            let digit = |at: usize, sign: u8| (sign == b'1' + (at % 9) as u8).then_some(1 << (at % 9));
            let none = |sign: u8| sign == b'0' || !sign.is_ascii_alphanumeric();
            let bits = word.bytes().enumerate().map(|(at, sign)| digit(at, sign).or(none(sign).then_some(0)));
            if let Some(bits) = bits.collect::<Option<Vec<u64>>>() {
                let cells = bits.chunks(9).map(|cell| cell.iter().sum()).collect();
                self.position(line, cells);
                return true;
            }
        }
        false
    }

    /// Takes a position: for each cell of a 9x9 board its candidates, digit d as bit d - 1. A cell with one candidate
    /// is taken as filled.
    fn position(&mut self, line: usize, cells: Vec<u64>) {
        let candidates: Vec<Digits> = cells.into_iter().map(Digits).collect();
        let single = |digits: &Digits| digits.single().map_or(0, |digit| digit.value());
        match Grid::new(Shape::NINE, candidates.iter().map(single).collect()) {
            Ok(grid) => {
                let entry = Entry { line, grid, solution: None, candidates: Some(candidates), note: String::new() };
                self.found.push_back(Item::Board(entry));
            }
            Err(reason) => self.found.push_back(Item::Bad(TextError::new(line, 1, reason))),
        }
    }

    /// Takes a line that is none of the clear cases. In this order it is taken as
    /// 1. a position: 81 words, each with the candidates of a cell;
    /// 2. a board of cells with spaces or commas between them, unless it may be a row of a larger board as well;
    /// 3. a heading: words;
    /// 4. a board in which spaces are the empty cells;
    /// 5. a row of a board, with all its readings, which waits for the other rows.
    ///
    /// `doubt` is `-` if the line may be one of a frame, `#` if it may be a comment.
    fn row(&mut self, line: usize, text: &str, words: &[(u32, &str)], doubt: Option<char>) {
        let readings = if text.len() <= LONGEST_ROW { rows::readings(text, self.shape) } else { Vec::new() };
        // The digits of a row of numbers may be as many as the cells of a smaller board.
        let is_numbers = readings.iter().any(|reading| reading.order == words.len() && reading.fits());
        // The cells of a board: each word is one, or all signs of all words are.
        let separated = |words: &[(u32, &str)]| -> Option<(Shape, Vec<(u32, Cell)>)> {
            let signs = words.iter().map(|(_, word)| word.chars().count()).sum();
            if let Some(shape) = shape_of_board(words.len(), self.shape)
                && let Some(cells) = words.iter().map(|&(column, word)| Some((column, Cell::of(word)?))).collect()
            {
                return Some((shape, cells));
            }
            let shape = shape_of_board(signs, self.shape).filter(|shape| shape.is_solvable() && !is_numbers)?;
            let cells = words.iter().flat_map(|&(column, word)| (column..).zip(word.chars().map(Cell::of_sign)));
            Some((shape, cells.collect()))
        };
        let decided = |(shape, cells): (Shape, Vec<(u32, Cell)>)| {
            let signs: Vec<Cell> = cells.iter().map(|cell| cell.1).collect();
            (cells.len(), self.decide(shape, &signs, |at| (line, cells[at].0)))
        };
        // A line of a frame is no board of its own.
        let whole = if doubt == Some('-') { None } else { separated(words).map(decided) };
        if readings.is_empty()
            && words.len() == Shape::NINE.cells()
            && self.shape.is_none_or(|shape| shape == Shape::NINE)
            && whole.as_ref().is_none_or(|whole| whole.1.is_err())
            && let Some(cells) = words.iter().map(|(_, word)| rows::mark(word)).collect()
        {
            self.resolve(true);
            return self.position(line, cells);
        }
        let is_row = |cells: usize| readings.iter().any(|reading| reading.order == cells);
        match whole {
            Some((cells, Ok((grid, alphabet)))) if !is_row(cells) => {
                self.learn(grid.shape().order(), alphabet);
                return self.board(line, grid, "");
            }
            Some((_, Err(error))) if readings.is_empty() && !rows::is_prose(text) => return self.bad(error),
            _ => {}
        }
        let is_row =
            readings.iter().any(|reading| !rows::is_word(&reading.cells, text) || self.is_unfinished(reading.order));
        if rows::is_remark(text) || !is_row && rows::is_prose(text) {
            return self.heading(line, text);
        }
        if let Some(shape) = shape_of_board(text.chars().count(), self.shape).filter(|shape| shape.order() >= 8)
            && readings.iter().all(|reading| reading.order != words.len() || !reading.fits())
            && !text.contains(['|', ',', ';', '\t'])
        {
            // Spaces are empty cells.
            let cells: Vec<Cell> = text.chars().map(Cell::of_sign).collect();
            if let Ok((grid, _)) = self.decide(shape, &cells, |at| (line, at as u32 + 1)) {
                return self.board(line, grid, "");
            }
        }
        if text.len() > LONGEST_ROW {
            let cells = words.iter().map(|(_, word)| word.chars().count()).sum();
            return self.bad(TextError::new(line, 1, no_board(cells, self.shape)));
        }
        let marks = rows::marks(text).filter(|_| self.shape.is_none_or(|shape| shape == Shape::NINE));
        self.add(Row { line, text: text.to_owned(), readings, marks, whole, apart: false, framed: false, doubt });
    }

    /// True if a block of rows of this order needs more of them. A row may be a word: boards of letters have such rows.
    fn is_unfinished(&self, order: usize) -> bool {
        let begin = self.rows.iter().rposition(|row| row.apart).unwrap_or(0);
        !self.apart
            && !(self.rows.len() - begin).is_multiple_of(order)
            && self.rows.back().is_some_and(|row| row.has(order))
    }

    /// Adds a row to the block. What stands before it is known here.
    fn add(&mut self, row: Row) {
        let (apart, framed) = (std::mem::take(&mut self.apart), std::mem::take(&mut self.framed));
        self.rows.push_back(Row { apart, framed, ..row });
        self.resolve(false);
    }

    /// Makes boards of the rows. `ended`: no other row will follow.
    fn resolve(&mut self, ended: bool) {
        while let Some(taken) = self.first_block(ended) {
            self.rows.drain(..taken.min(self.rows.len()));
        }
        if ended {
            (self.apart, self.framed) = (true, false);
        }
    }

    /// Takes a board from the first rows, or reports what is wrong with them: the number of rows that are done with.
    /// None if further rows are needed. `ended`: none will follow.
    ///
    /// A paragraph of rows is *closed* when its last row is known. The attempts, in order: lines that are boards of
    /// their own; rows of one order (of several orders, the first that gives a board); nine rows of candidates; a board
    /// whose bands are paragraphs; rows in which spaces are empty cells.
    fn first_block(&mut self, ended: bool) -> Option<usize> {
        self.rows.front()?;
        // The length of the first paragraph. Without an end of it, no board needs more rows than `waits`.
        let mut length = self.rows.iter().skip(1).position(|row| row.apart).map(|at| at + 1);
        if length.is_none() && (ended || self.apart) {
            length = Some(self.rows.len());
        }
        let waits = WAITING.max(self.rows[0].readings.iter().map(|reading| reading.order + 2).max().unwrap_or(0));
        let (length, closed) = match length {
            Some(length) => (length, true),
            None if self.rows.len() > waits => (self.rows.len(), false),
            None => return None,
        };
        if let Some(removed) = self.without_doubtful(length) {
            // The rows are others now.
            return Some(removed);
        }
        if let Some(taken) = self.whole(length) {
            return Some(taken);
        }
        // `skip` rows are labels of columns. `rows` are left, which may be of these orders.
        let (skip, labelled) = self.header(length);
        let rows = length - skip;
        let orders: Vec<usize> = match labelled {
            Some(order) => vec![order],
            None => self.rows[skip].orders(),
        };
        let mut error = None;
        for &order in &orders {
            let same =
                |from: usize| (from..from + order).all(|at| self.rows[at].reading(order, labelled.is_some()).is_some());
            // A block that has ended consists of whole boards.
            if rows < order || closed && rows % order != 0 || !same(skip) {
                continue;
            }
            match self.of_rows(skip, order, labelled.is_some()) {
                Ok(entry) => {
                    self.found.push_back(Item::Board(entry));
                    return Some(skip + order);
                }
                Err(found) => error = error.or(Some((skip + order, found))),
            }
        }
        if let Some((taken, error)) = error {
            self.found.push_back(Item::Bad(error));
            return Some(taken);
        }
        if rows >= 9 && (!closed || rows % 9 == 0) && (skip..skip + 9).all(|at| self.rows[at].marks.is_some()) {
            let cells = (skip..skip + 9).flat_map(|at| self.rows[at].marks.clone().unwrap_or_default()).collect();
            self.position(self.rows[skip].line, cells);
            return Some(skip + 9);
        }
        if closed && skip == 0 {
            match self.bands(length, ended) {
                Some(Some(taken)) => return Some(taken),
                Some(None) => return None,
                None => {}
            }
        }
        if closed && shape_of_row(rows, self.shape).is_some_and(Shape::is_solvable) {
            let texts = (skip..length).map(|at| self.rows[at].text.as_str());
            if let Some(cells) = rows::spaced(texts, rows) {
                let lines: Vec<usize> = (skip..length).map(|at| self.rows[at].line).collect();
                let decided = self.of_cells(rows, &lines, cells);
                if let Ok(entry) = decided {
                    self.found.push_back(Item::Board(entry));
                    return Some(length);
                }
            }
        }
        Some(self.no_block(length, closed))
    }

    /// Removes from the first `length` rows one that is a line of a frame or a comment after all: no other row there
    /// has its sign (`-` or `#`) for an empty cell. It gives 0, because the caller begins again with the other rows.
    /// None if there is no such row.
    fn without_doubtful(&mut self, length: usize) -> Option<usize> {
        let orders = |row: &Row| row.readings.iter().map(|reading| reading.order).collect::<Vec<_>>();
        let has_sign = |row: &Row, sign: char, order: usize| {
            // The first sign of a comment says nothing.
            let from = usize::from(row.doubt == Some('#'));
            let cells = |reading: &Reading| reading.cells.iter().skip(from).any(|cell| cell.1 == Cell::Sign(sign));
            row.doubt != Some('-') && row.readings.iter().any(|reading| reading.order == order && cells(reading))
        };
        let is_used = |sign: char, order: usize| {
            let rows = || self.rows.iter().take(length);
            rows().any(|row| has_sign(row, sign, order))
                || sign == '#' && rows().filter(|row| row.doubt == Some('#') && row.has(order)).count() >= order
        };
        let at = (0..length).find(|&at| {
            let row = &self.rows[at];
            row.doubt.is_some_and(|sign| orders(row).iter().all(|&order| !is_used(sign, order)))
        })?;
        let removed = self.rows.remove(at)?;
        // What stood before the removed row stands before the next one of its block now.
        match self.rows.get_mut(at) {
            Some(next) if at + 1 < length || !next.apart => {
                next.framed |= removed.doubt == Some('-');
                next.apart |= removed.apart;
            }
            _ => {}
        }
        Some(0)
    }

    /// Takes the first row if it can be a board of its own: as that board, or with the rows after it as one larger
    /// board. The larger board is taken if at least half of these rows are no boards of their own. The number of rows
    /// that are done with; None if the other ways of reading have to decide.
    fn whole(&mut self, length: usize) -> Option<usize> {
        let order = self.rows[0].whole.as_ref()?.0;
        let is_block = length >= order && (0..order).all(|at| self.rows[at].has(order));
        if is_block {
            let bad =
                (0..order).filter(|&at| self.rows[at].whole.as_ref().is_none_or(|whole| whole.1.is_err())).count();
            if 2 * bad >= order
                && let Ok(entry) = self.of_rows(0, order, false)
            {
                self.found.push_back(Item::Board(entry));
                return Some(order);
            }
        }
        let row = &mut self.rows[0];
        match row.whole.take()?.1 {
            Ok((grid, alphabet)) => {
                let entry = Entry { line: row.line, grid, solution: None, candidates: None, note: String::new() };
                self.learn(entry.grid.shape().order(), alphabet);
                self.found.push_back(Item::Board(entry));
                Some(1)
            }
            Err(mut error)
                if length == 1 || self.rows.iter().take(length).all(|row| row.whole.is_some() || row.has(order)) =>
            {
                if let TextProblem::NoBoard(Reason(reason)) = &mut error.problem {
                    reason.push_str(&format!("; for a row of a {order}x{order} board, give --board {order}x{order}"));
                }
                self.found.push_back(Item::Bad(error));
                Some(1)
            }
            Err(_) => None,
        }
    }

    /// The number of rows before the first row of a board, 0 or 1: labels of columns. And the order of the board, if
    /// its rows have labels too.
    ///
    /// ```text
    ///       1 2 3 4             A 1 . . 4            | A | B | C | D |
    ///     A 1 . . 4             B . . 2 .            |---|---|---|---|
    ///     B . . 2 .   ...       ...                  | 1 |   |   | 4 |  ...
    ///     (1, Some(4))          (0, Some(4))         (1, None)
    /// ```
    fn header(&self, length: usize) -> (usize, Option<usize>) {
        // Labels count up from 1 or A: 1 2 3 .. 9 10 11 or A B C.
        let follow = |pair: &[Cell]| match (pair[0], pair[1]) {
            (Cell::Sign('9'), Cell::Number(10)) => true,
            (Cell::Sign(before), Cell::Sign(sign)) => sign as u32 == before as u32 + 1,
            (Cell::Number(before), Cell::Number(number)) => number == before + 1,
            _ => false,
        };
        let counts =
            |labels: &[Cell]| matches!(labels.first(), Some(Cell::Sign('1' | 'A'))) && labels.windows(2).all(follow);
        let signs = |reading: &Reading| reading.cells.iter().map(|cell| cell.1).collect::<Vec<_>>();
        let front = &self.rows[0];
        // True if this many rows have labels that count.
        let labels = |from: usize, order: usize| {
            let row = |at: usize| self.rows.get(at)?.reading(order, true)?.label;
            let labels: Option<Vec<Cell>> = (from..from + order).map(row).collect();
            from + order <= length && labels.is_some_and(|labels| counts(&labels))
        };
        // Labels of columns, and then of rows.
        for reading in front.readings.iter().filter(|reading| reading.label.is_none()) {
            if counts(&signs(reading)) && labels(1, reading.order) {
                return (1, Some(reading.order));
            }
        }
        for reading in front.readings.iter().filter(|reading| matches!(reading.label, Some(Cell::Sign('A')))) {
            // A row with a label may also be a row of one more cell.
            if labels(0, reading.order) && !length.is_multiple_of(reading.order + 1) {
                return (0, Some(reading.order));
            }
        }
        // The head of a table of Markdown: a line of a frame follows it, and no other.
        let framed = |at: usize| self.rows.get(at).is_some_and(|row| row.framed);
        let markdown = length >= 3 && !front.framed && framed(1) && !(2..length).any(framed);
        let head = front.readings.iter().any(|reading| {
            let blank = reading.cells.iter().all(|cell| cell.1 == Cell::Blank);
            length == reading.order + 1 && (blank || counts(&signs(reading)))
        });
        (usize::from(markdown && head), None)
    }

    /// The board of `order` rows from one on, read with or without their labels.
    fn of_rows(&mut self, from: usize, order: usize, labelled: bool) -> Result<Entry, TextError> {
        let rows = (from..from + order).filter_map(|at| self.rows[at].reading(order, labelled));
        let cells: Vec<Vec<rows::Placed>> = rows.map(|reading| reading.cells.clone()).collect();
        let lines: Vec<usize> = (from..from + order).map(|at| self.rows[at].line).collect();
        self.of_cells(order, &lines, cells)
    }

    /// The board of rows of cells; `lines` are the lines of the rows in the text.
    fn of_cells(&mut self, order: usize, lines: &[usize], cells: Vec<Vec<rows::Placed>>) -> Result<Entry, TextError> {
        let line = lines[0];
        let shape =
            shape_of_row(order, self.shape).ok_or_else(|| TextError::new(line, 1, no_board(order, self.shape)))?;
        let signs: Vec<Cell> = cells.iter().flatten().map(|cell| cell.1).collect();
        let (grid, alphabet) = self.decide(shape, &signs, |at| (lines[at / order], cells[at / order][at % order].0))?;
        self.learn(order, alphabet);
        Ok(Entry { line, grid, solution: None, candidates: None, note: String::new() })
    }

    /// Takes a board whose bands are paragraphs of `length` rows each. `Some(Some(rows))`: a board, or an error in one,
    /// of this number of rows. `Some(None)`: further rows must be known first. None: the rows are no such board.
    fn bands(&mut self, length: usize, ended: bool) -> Option<Option<usize>> {
        for order in self.rows[0].orders() {
            if length >= order || order % length != 0 {
                continue;
            }
            let have = order.min(self.rows.len());
            // Each paragraph has as many rows as the first.
            let regular = (0..have).all(|at| {
                self.rows[at].has(order) && self.rows[at].apart == (at % length == 0 || at == 0 && self.rows[0].apart)
            });
            if !regular || self.rows.get(order).is_some_and(|row| !row.apart) {
                continue;
            }
            if self.rows.len() < order || self.rows.len() == order && !ended && !self.apart {
                if ended {
                    continue;
                }
                return Some(None);
            }
            return match self.of_rows(0, order, false) {
                Ok(entry) => {
                    self.found.push_back(Item::Board(entry));
                    Some(Some(order))
                }
                Err(error) => {
                    self.found.push_back(Item::Bad(error));
                    Some(Some(order))
                }
            };
        }
        None
    }

    /// Reports what is wrong with the first rows, and returns how many of them it is about: those of a whole board in
    /// which one row is wrong, all `length` rows of a `closed` paragraph, or one row.
    fn no_block(&mut self, length: usize, closed: bool) -> usize {
        let front = &self.rows[0];
        let (line, order) = (front.line, front.readings.iter().map(|reading| reading.order).max());
        let has = |order: usize| move |row: &&Row| row.has(order);
        // Rows of a board in which one is wrong keep their places.
        if let Some(order) = order.filter(|&order| length >= order && (!closed || length.is_multiple_of(order)))
            && let Some(wrong) = self.rows.iter().take(order).find(|row| !row.has(order))
        {
            let cells: usize = words(&wrong.text).iter().map(|(_, word)| word.chars().count()).sum();
            let reason = format!("{cells} cells in a row of a board with rows of {order} cells");
            let error = TextError::new(wrong.line, 1, Reason(reason));
            self.found.push_back(Item::Bad(error));
            return order;
        }
        let taken = if closed && order.is_some() { length } else { 1 };
        let reason = match order {
            Some(order) if self.rows.iter().take(taken).all(|row| has(order)(&row)) => Reason(match taken > order {
                true => format!("this block has {taken} rows of {order} cells: these are not whole boards"),
                false => format!("this block has only {taken} rows of {order} cells: it needs {order} rows"),
            }),
            _ => {
                let cells: usize = words(&front.text).iter().map(|(_, word)| word.chars().count()).sum();
                if taken > 1 {
                    Reason(format!("this block of {taken} lines is no board: its first line has {cells} cells"))
                } else {
                    no_board(cells, self.shape)
                }
            }
        };
        self.found.push_back(Item::Bad(TextError::new(line, 1, reason)));
        taken
    }
}

/// The name in a heading in brackets: `[Puzzle]`, `[/code]`. A list is none.
fn section(trimmed: &str) -> Option<String> {
    let name = trimmed.strip_prefix('[')?.strip_suffix(']')?.trim();
    let is_name = name.starts_with(|sign: char| sign.is_alphabetic() || sign == '/')
        && name.contains(char::is_alphabetic)
        && name.chars().all(|sign| sign.is_alphanumeric() || " /-_.:=#".contains(sign));
    let words = name.split_whitespace();
    let list = words.clone().count() > 1 && words.clone().all(|word| Cell::of(word).is_some());
    let cells = name.chars().count();
    let row = !name.contains(' ') && cells >= 16;
    (is_name && !list && !row).then(|| name.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::super::line;
    use super::*;
    use crate::random::{Rng, Stage};

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn read(text: &str, shape: Option<Shape>) -> Vec<Result<Entry, TextError>> {
        PuzzleReader::new(text.as_bytes(), shape).filter_map(Item::board).collect()
    }

    #[test]
    fn notes_comments_blanks_and_frames_are_understood() {
        let zeros = PUZZLE.replace('.', "0");
        let stars = PUZZLE.replace('.', "*");
        let framed: String = PUZZLE
            .as_bytes()
            .chunks(9)
            .enumerate()
            .map(|(row, cells)| {
                let cells = std::str::from_utf8(cells).unwrap();
                let rule = if row % 3 == 0 { "|---+---+---|\n" } else { "" };
                format!("{rule}|{}|{}|{}|\n", &cells[..3], &cells[3..6], &cells[6..])
            })
            .collect();
        let text = format!(
            "\u{feff}# two\n\n{PUZZLE} 2.3 # easy\r\n  {zeros},{PUZZLE}\n{stars}\n *-----------*\n{framed} *-----------*\n"
        );
        let entries: Vec<Entry> = read(&text, None).into_iter().map(Result::unwrap).collect();
        assert_eq!(entries.iter().map(|entry| line(&entry.grid)).collect::<Vec<_>>(), [PUZZLE; 5]);
        assert_eq!(entries.iter().map(|entry| entry.line).collect::<Vec<_>>(), [3, 4, 4, 5, 8]);
        assert_eq!(entries[0].note, "2.3 # easy");
    }

    #[test]
    fn sixteen_symbols_are_a_board_or_a_row() {
        let rows = |row: &str, count: usize| format!("{row}\n").repeat(count);
        for (text, shape, order) in [
            ("1234341221434321".to_owned(), None, 4),
            (rows("1 2 3 4 | 5 6 7 8 | 9 A B C | D E F G", 16), None, 16),
            (rows("123456789ABCDEFG", 16), Some("4x4".parse().unwrap()), 16),
            (rows("123456789ABCDEFG", 16), None, 16),
            (rows("1234341221434321", 16), None, 4),
            (rows("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16", 16), None, 16),
            (rows("123 456 789", 9), None, 9),
        ] {
            assert_eq!(read(&text, shape)[0].as_ref().unwrap().grid.shape().order(), order, "{text}");
        }
    }

    #[test]
    fn a_bad_line_does_not_spoil_the_next() {
        let text = format!("{PUZZLE}\nhello\n5 3 . . 7 . . . .\n{PUZZLE}\n{}\n", &PUZZLE[..80]);
        let items: Vec<Item> = PuzzleReader::new(text.as_bytes(), None).collect();
        assert_eq!(items[1], Item::Heading { line: 2, text: "hello".to_owned() });
        let entries = read(&text, None);
        assert_eq!(entries.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, true, false]);
        let errors: Vec<TextError> = entries.into_iter().filter_map(Result::err).collect();
        assert_eq!(errors.iter().map(|error| error.line).collect::<Vec<_>>(), [3, 5]);
        assert_eq!(errors[0].problem.to_string(), "this block has only 1 rows of 9 cells: it needs 9 rows");
    }

    #[test]
    fn bytes_that_are_not_text_are_an_error_of_their_line() {
        let mut bytes = format!("{PUZZLE}\n").into_bytes();
        bytes.extend(b"\xff\xfe\x00\n");
        bytes.extend(format!("{PUZZLE} Caf\u{e9}\n").chars().map(|sign| sign as u8));
        let entries: Vec<_> = PuzzleReader::new(&bytes[..], None).filter_map(Item::board).collect();
        assert_eq!(entries.len(), 3);
        assert_eq!(entries[1].as_ref().unwrap_err().problem.to_string(), "not a line of text");
        assert_eq!(entries[2].as_ref().unwrap().note, "Caf\u{e9}");
        let endless = vec![b'1'; 10 << 20];
        assert_eq!(PuzzleReader::new(&endless[..], None).count(), 1);
    }

    #[test]
    fn games_in_play_after_a_heading_are_skipped() {
        let rows: String =
            PUZZLE.as_bytes().chunks(9).map(|row| std::str::from_utf8(row).unwrap().to_owned() + "\n").collect();
        let text = format!("#ARuud\n[Puzzle]\n{rows}\n[State]\n{rows}rubbish\n[Puzzle]\n{rows}");
        let entries: Vec<_> = read(&text, None).into_iter().map(|entry| line(&entry.unwrap().grid)).collect();
        assert_eq!(entries, [PUZZLE, PUZZLE]);
    }

    /// Random bytes, mostly characters of boards. Every result except a panic is allowed.
    #[test]
    fn no_input_panics() {
        let alphabet = b"123456789.0*-_XxAZ |+=#!,;:[]\n\n\t\r\xff\xc3\xa9";
        for index in 0..20_000 {
            let mut rng = Rng::new(9, index, Stage::Bench, 0);
            let length = rng.below(400);
            let bytes: Vec<u8> = (0..length).map(|_| rng.choose(alphabet)).collect();
            let shape =
                [None, Some(Shape::NINE), Some("2x2".parse().unwrap()), Some("6x6".parse().unwrap())][rng.below(4)];
            assert!(PuzzleReader::new(&bytes[..], shape).count() <= length + 1);
        }
    }

    /// A board with every digit of its order, and holes.
    fn board_of(order: usize, rng: &mut Rng) -> Grid {
        let shape = Shape::of_order(order).unwrap();
        let template = crate::board::Solution::template(shape);
        let first: usize = rng.below(shape.cells());
        let keep = |at: usize| at / order == first / order || !(at * 7 + first).is_multiple_of(3);
        let values = template.values().iter().enumerate().map(|(at, &value)| if keep(at) { value } else { 0 });
        Grid::new(shape, values.collect()).unwrap()
    }

    /// The text of a board in one of many forms.
    fn written(grid: &Grid, rng: &mut Rng) -> String {
        let (shape, n) = (grid.shape(), grid.shape().order());
        let from_zero = rng.below(4) == 0;
        let empty = match from_zero {
            true => rng.choose(&['.', '_', '*', '-', '?', '~']),
            false => rng.choose(&['.', '_', '*', '-', '0', '?', '~', '/', '@', '#', '□', '·']),
        };
        let numbers = n > 36 || n > 9 && rng.below(3) == 0;
        // 0 is a digit of 36x36.
        let empty = if n == 36 && !numbers && empty == '0' { '.' } else { empty };
        let letters = !numbers && !from_zero && n <= 26 && rng.below(4) == 0;
        let sign = |value: u16| match value {
            0 => empty.to_string(),
            _ if numbers => (value - u16::from(from_zero)).to_string(),
            _ if letters => char::from(b'A' + value as u8 - 1).to_string(),
            _ if from_zero => crate::board::text::symbol(value, 36).to_string(),
            _ => crate::board::text::symbol(value, n).to_string(),
        };
        let rows: Vec<Vec<String>> =
            grid.values().chunks(n).map(|row| row.iter().map(|&value| sign(value)).collect()).collect();
        // A line of 16 or 36 cells alone is not clear.
        let form = if numbers { 3 + rng.below(4) } else { rng.below(7) };
        let lines = |between: &str| rows.iter().map(|row| row.join(between)).collect::<Vec<_>>();
        match form {
            0 => format!("{}{}\n", lines("").concat(), rng.choose(&["", " ", " # a note", ",easy", "\t2.3"])),
            1 => lines("").join("\n") + "\n",
            2 => lines("").join("\r\n") + "\r\n",
            3 => lines(" ").join("\n") + "\n",
            4 => lines(",").join("\n") + "\n",
            5 => lines("\t").join("\n") + "\n",
            _ => {
                let (bar, dash, cross) = rng.choose(&[("|", "-", "+"), ("│", "─", "┼"), ("║", "═", "╬")]);
                let rule = vec![dash.repeat(3 * shape.box_columns()); shape.stacks()].join(cross) + "\n";
                let band = |rows: &[Vec<String>]| {
                    let row = |row: &Vec<String>| {
                        let parts = row.chunks(shape.box_columns()).map(|part| format!(" {} ", part.join(" ")));
                        format!("{bar}{}{bar}\n", parts.collect::<Vec<_>>().join(bar))
                    };
                    rows.iter().map(row).collect::<String>()
                };
                let bands: Vec<String> = rows.chunks(shape.box_rows()).map(band).collect();
                format!("{cross}{rule}{}{cross}{rule}", bands.join(&rule))
            }
        }
    }

    /// Texts of random boards of every order, in random forms and signs, between headings, comments and damaged boards:
    /// what was read and what was told is what is there.
    #[test]
    fn everything_in_a_text_is_read_or_told() {
        let mut wrong = Vec::new();
        for seed in 0..1_000 {
            let mut rng = Rng::new(seed, 49, Stage::Bench, 0);
            let (mut text, mut boards, mut headings, mut bad) = (String::new(), Vec::new(), 0, 0);
            let order = rng.choose(&[6, 8, 9, 9, 9, 10, 12, 16, 25, 35, 36, 40]);
            for _ in 0..1 + rng.below(5) {
                match rng.below(8) {
                    0 => {
                        let titles = [
                            "Grid 01", "[easy]", "; two puzzles", "Simple Sudoku", "// next", "Version 4.2n",
                            "=== hard ===", "--- 4 ---", "1.",
                        ];
                        text += &format!("{}\n", rng.choose(&titles));
                        headings += 1;
                    }
                    1 => text += "# 53..7....\n\n",
                    2 => {
                        text += &format!("\n{}\n\n", &PUZZLE[..rng.below(30) + 45]);
                        bad += 1;
                    }
                    _ => {
                        let grid = board_of(order, &mut rng);
                        text += &format!("\n{}\n", written(&grid, &mut rng));
                        boards.push(grid);
                    }
                }
            }
            let items: Vec<Item> = PuzzleReader::new(text.as_bytes(), None).collect();
            let found = items.iter().filter(|item| matches!(item, Item::Heading { .. })).count();
            let entries: Vec<_> = items.into_iter().filter_map(Item::board).collect();
            let read: Vec<&Grid> =
                entries.iter().filter_map(|entry| entry.as_ref().ok().map(|entry| &entry.grid)).collect();
            let told = entries.iter().filter(|entry| entry.is_err()).count();
            let right = read.iter().zip(&boards).all(|(read, board)| *read == board) && read.len() == boards.len();
            if !right || (found, told) != (headings, bad) {
                wrong.push(format!("seed {seed}: {entries:?}\n{text}"));
            }
        }
        assert!(wrong.is_empty(), "{} of 1000 texts:\n{}", wrong.len(), wrong[..wrong.len().min(4)].join("\n"));
    }

    #[test]
    fn positions_are_read_with_their_candidates() {
        let row = "5 3 124 | 26 7 2468 | 1489 1249 248\n";
        let text = format!("{row}{}", "1 2 3 | 4 5 6 | 7 8 19\n".repeat(8));
        let one = read(&text, None).remove(0).unwrap();
        let candidates = one.candidates.unwrap();
        assert_eq!((candidates[0].len(), candidates[2], candidates[5].len()), (1, Digits(0b1011), 4));
        assert_eq!(one.grid.givens(), 2 + 1 + 8 * 8);
        let all: String = candidates
            .iter()
            .flat_map(|digits| {
                (1..=9).map(|digit| if digits.0 >> (digit - 1) & 1 == 1 { char::from(b'0' + digit) } else { '.' })
            })
            .collect();
        assert_eq!(read(&all, None)[0].as_ref().unwrap().candidates.as_ref(), Some(&candidates));
    }

    #[test]
    fn rows_may_be_words() {
        let full = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
        let letter = |sign: char| "ABEKOPRST".as_bytes()[sign as usize - '1' as usize] as char;
        let rows: Vec<String> = full
            .as_bytes()
            .chunks(9)
            .map(|row| row.iter().map(|&sign| letter(char::from(sign))).collect::<String>() + "\n")
            .collect();
        let text = format!("WORDOKU 1\n{}", rows.concat().replacen('O', ".", 1));
        let found = read(&text, None);
        let expected = full.replacen('5', ".", 1);
        assert_eq!(found.iter().map(|entry| line(&entry.as_ref().unwrap().grid)).collect::<Vec<_>>(), [expected]);
    }

    #[test]
    fn spaces_labels_and_bands_are_understood() {
        let grid = super::super::parse_line(PUZZLE, None).unwrap();
        let rows: Vec<String> =
            line(&grid).as_bytes().chunks(9).map(|row| String::from_utf8(row.to_vec()).unwrap()).collect();
        let spaced = |row: &String| row.replace('.', " ");
        let barred = |row: &String| {
            let cells: Vec<String> = spaced(row).chars().map(|cell| format!("{cell} ")).collect();
            format!("| {}| {}| {}|", cells[..3].concat(), cells[3..6].concat(), cells[6..].concat())
        };
        let wide = |row: &String| row.chars().map(|cell| format!("{cell} ")).collect::<String>();
        let labelled = |(label, row): (char, &String)| format!("{label} | {}|", wide(row));
        for text in [
            rows.iter().map(spaced).collect::<Vec<_>>().join("\n"),
            rows.iter().map(barred).collect::<Vec<_>>().join("\n"),
            rows.iter().map(|row| spaced(row).trim_end().to_owned()).collect::<Vec<_>>().join("\n"),
            rows.chunks(3).map(|band| band.join("\n")).collect::<Vec<_>>().join("\n\n"),
            format!("  1 2 3 4 5 6 7 8 9\n{}", ('A'..).zip(&rows).map(labelled).collect::<Vec<_>>().join("\n")),
            spaced(&rows.concat()),
            rows.iter()
                .map(|row| format!("[{}],\n", wide(row).trim().replace('.', "None").replace(' ', ", ")))
                .collect(),
            format!(
                "{}{}",
                rows.concat(),
                "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
            ),
        ] {
            let found: Vec<_> =
                read(&text, None).into_iter().map(|entry| entry.map(|entry| line(&entry.grid))).collect();
            assert_eq!(found, [Ok(PUZZLE.to_owned())], "{text}");
        }
    }
}
