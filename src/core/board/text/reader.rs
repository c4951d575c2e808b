//! Reads boards from a stream of text in bounded memory. The text may mix lines and blocks.
//!
//! The kinds of lines, in the order in which they are tried:
//! 1. blank, a comment (`#`), the heading `[Puzzle]`, or a frame (only `- + | = * !`, at least three of `-` or `=`):
//!    skipped; so is everything between a heading `[State]` and the next heading, because it is a game in progress;
//! 2. a line of HoDoKu's library or Sudoku Exchange's bank or a link of f-puzzles or SudokuPad, see [`dialects`]: a board;
//! 3. a word with one character for each cell of a board: a board; the rest of the line is its note;
//! 4. numbers separated by spaces, one for each cell of a board or a row: a board or a row;
//! 5. one symbol for each cell of a row, not counting `|` and spaces: one row of a block; n rows make a board.
//!
//! A line of 16 or 36 symbols could be a complete 4x4 or 6x6 board, or one row of a 16x16 or 36x36 block. If no shape
//! is given, an unbroken word is a board, and symbols separated by spaces or `|` are a row.

use std::io::{self, BufRead, Read as _};

use super::super::{Grid, Shape};
use super::{TextError, TextProblem, dialects, values_of};

/// A board and its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The line on which it begins, from 1.
    pub line: usize,
    /// The board.
    pub grid: Grid,
    /// The rest of its line, trimmed: a rating, a comment.
    pub note: String,
}

/// An iterator over the boards of a text. After an error it goes on with the next line.
///
/// ```
/// use sudoku_corpus_core::board::text::{self, PuzzleReader};
///
/// let file = "# two boards\n1 2 | . .\n. . | 1 2\n----+----\n. 1 | . .\n. . | . 1\n12..3..4....2.4. easy\n";
/// let boards: Vec<_> = PuzzleReader::new(file.as_bytes(), None).collect::<Result<_, _>>()?;
/// assert_eq!((boards[0].line, text::line(&boards[0].grid).as_str()), (2, "12....12.1.....1"));
/// assert_eq!((boards[1].line, boards[1].note.as_str()), (7, "easy"));
/// # Ok::<(), text::TextError>(())
/// ```
#[derive(Debug)]
pub struct PuzzleReader<R> {
    input: R,
    shape: Option<Shape>,
    line: usize,
    buffer: Vec<u8>,
    block: Block,
    /// An entry that waits because an error about the block before it was returned first.
    pending: Option<Result<Entry, TextError>>,
    finished: bool,
    /// True after a heading of a section that holds no puzzles. Lines are skipped until the next heading.
    skipping: bool,
}

/// The rows of a block read so far.
#[derive(Debug, Default)]
struct Block {
    first_line: usize,
    order: usize,
    values: Vec<u16>,
}

/// The meaning of a line of text.
enum Line {
    Nothing,
    Heading(bool),
    Whole(Grid, String),
    Board(Vec<u16>, usize, String),
    Row(Vec<u16>, usize),
}

/// No board needs a longer line: 400 x 400 numbers of three digits are 640,000 bytes.
const LONGEST_LINE: u64 = 1 << 20;

impl<R: BufRead> PuzzleReader<R> {
    /// A reader of boards of one shape; without a shape, the length of each line decides.
    pub fn new(input: R, shape: Option<Shape>) -> PuzzleReader<R> {
        PuzzleReader {
            input,
            shape,
            line: 0,
            buffer: Vec::new(),
            block: Block::default(),
            pending: None,
            finished: false,
            skipping: false,
        }
    }

    fn error(&self, line: usize, column: usize, problem: TextProblem) -> TextError {
        TextError { line, column, problem }
    }

    /// The next line without its end; None at the end of the input.
    fn next_line(&mut self) -> Option<Result<String, TextProblem>> {
        self.buffer.clear();
        self.line += 1;
        match self.input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut self.buffer) {
            Err(error) => {
                self.finished = true;
                return Some(Err(TextProblem::Read(error.to_string())));
            }
            Ok(0) => return None,
            Ok(_) => {}
        }
        if self.buffer.len() as u64 == LONGEST_LINE && self.buffer.last() != Some(&b'\n') {
            if let Err(error) = skip_line(&mut self.input) {
                self.finished = true;
                return Some(Err(TextProblem::Read(error.to_string())));
            }
            return Some(Err(TextProblem::NotText));
        }
        let bytes = self.buffer.strip_prefix(b"\xef\xbb\xbf").filter(|_| self.line == 1).unwrap_or(&self.buffer);
        Some(std::str::from_utf8(bytes).map(|text| text.trim_end().to_owned()).map_err(|_| TextProblem::NotText))
    }

    fn unfinished_block(&mut self) -> Option<TextError> {
        let block = std::mem::take(&mut self.block);
        let found = block.values.len().checked_div(block.order).unwrap_or(0);
        let problem = TextProblem::Block { found, order: block.order };
        (found > 0).then(|| self.error(block.first_line, 1, problem))
    }

    fn entry(&self, line: usize, order: usize, values: Vec<u16>, note: String) -> Result<Entry, TextError> {
        let guess = Shape::of_order(order);
        let shape = self.shape.filter(|shape| shape.order() == order).map_or(guess, Ok);
        let no_board = || self.error(line, 1, TextProblem::NoBoard { found: values.len() });
        let shape = shape.map_err(|_| no_board())?;
        let found = values.len();
        let grid = Grid::new(shape, values)
            .map_err(|_| self.error(line, 1, TextProblem::Length { found, expected: shape.cells(), shape }))?;
        Ok(Entry { line, grid, note })
    }

    /// A board whose text states its shape.
    fn whole(&self, grid: Grid, note: String) -> Result<Entry, TextError> {
        match self.shape {
            Some(shape) if shape != grid.shape() => {
                let problem = TextProblem::Length { found: grid.values().len(), expected: shape.cells(), shape };
                Err(self.error(self.line, 1, problem))
            }
            _ => Ok(Entry { line: self.line, grid, note }),
        }
    }

    /// Reads one line; returns the entry that it completes.
    fn take(&mut self, text: &str) -> Option<Result<Entry, TextError>> {
        let line = self.line;
        let classified = classify(text, self.shape).map_err(|error| TextError { line, ..error });
        let found = match classified {
            Ok(Line::Nothing) => return None,
            Ok(Line::Heading(puzzles)) => {
                self.skipping = !puzzles;
                return self.unfinished_block().map(Err);
            }
            _ if self.skipping => return None,
            Ok(Line::Whole(grid, note)) => self.whole(grid, note),
            Ok(Line::Row(values, order)) => return self.take_row(values, order),
            Ok(Line::Board(values, order, note)) => self.entry(line, order, values, note),
            Err(error) => Err(error),
        };
        self.after_block(found)
    }

    fn take_row(&mut self, values: Vec<u16>, order: usize) -> Option<Result<Entry, TextError>> {
        let broken = if self.block.order == order { None } else { self.unfinished_block() };
        if self.block.values.is_empty() {
            self.block = Block { first_line: self.line, order, values: Vec::with_capacity(order * order) };
        }
        self.block.values.extend(values);
        if self.block.values.len() == order * order {
            let block = std::mem::take(&mut self.block);
            return Some(self.entry(block.first_line, order, block.values, String::new()));
        }
        broken.map(Err)
    }

    /// Returns an entry; the error of an unfinished block before it comes first.
    fn after_block(&mut self, found: Result<Entry, TextError>) -> Option<Result<Entry, TextError>> {
        match self.unfinished_block() {
            None => Some(found),
            Some(error) => {
                self.pending = Some(found);
                Some(Err(error))
            }
        }
    }
}

/// Reads to the end of a line without keeping it.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let available = input.fill_buf()?;
        let (used, done) = match available.iter().position(|&byte| byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (available.len(), available.is_empty()),
        };
        input.consume(used);
        if done {
            return Ok(());
        }
    }
}

impl<R: BufRead> Iterator for PuzzleReader<R> {
    type Item = Result<Entry, TextError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(pending) = self.pending.take() {
            return Some(pending);
        }
        while !self.finished {
            let found = match self.next_line() {
                None => {
                    self.finished = true;
                    return self.unfinished_block().map(Err);
                }
                Some(Ok(text)) => self.take(&text),
                Some(Err(problem)) => {
                    let error = self.error(self.line, 1, problem);
                    self.after_block(Err(error))
                }
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }
}

/// True for a line of a block's frame. A line of dashes alone is a frame unless its length is the number of cells of a
/// board.
fn is_frame(text: &str, shape: Option<Shape>) -> bool {
    let has = |any: &str| text.chars().any(|c| any.contains(c));
    let dashes = text.chars().filter(|c| "-=".contains(*c)).count();
    let crossed = has("+|=") || (has("*") && has("-"));
    text.chars().all(|c| "-+|=*! \t".contains(c)) && dashes >= 3 && (crossed || board_order(dashes, shape).is_none())
}

/// The order of a board with this number of cells: a board of the requested shape, or of any shape if none was
/// requested.
fn board_order(cells: usize, shape: Option<Shape>) -> Option<usize> {
    match shape {
        Some(shape) => (shape.cells() == cells).then_some(shape.order()),
        None => Shape::of_cells(cells).map(Shape::order),
    }
}

/// The order of a board whose rows have this number of cells. Like [`board_order`], it keeps to the requested shape.
fn row_order(cells: usize, shape: Option<Shape>) -> Option<usize> {
    match shape {
        Some(shape) => (shape.order() == cells).then_some(cells),
        None => Shape::of_order(cells).ok().map(Shape::order),
    }
}

/// Classifies a line. Errors have line 1.
fn classify(text: &str, shape: Option<Shape>) -> Result<Line, TextError> {
    let trimmed = text.trim();
    if trimmed.is_empty() || trimmed.starts_with('#') {
        return Ok(Line::Nothing);
    }
    if trimmed.starts_with('[') && trimmed.ends_with(']') {
        return Ok(Line::Heading(trimmed.eq_ignore_ascii_case("[puzzle]")));
    }
    if let Some(found) = dialects::read(trimmed) {
        let whole = found.map(|(grid, note)| Line::Whole(grid, note));
        return whole.map_err(|problem| TextError { line: 1, column: 1, problem });
    }
    if is_frame(trimmed, shape) {
        return Ok(Line::Nothing);
    }
    let indent = text.chars().take_while(|c| c.is_whitespace()).count();
    let shifted = |error: TextError| TextError { column: error.column + indent, ..error };
    let end = trimmed.find(|c: char| c.is_whitespace() || ",;".contains(c)).unwrap_or(trimmed.len());
    let (word, rest) = trimmed.split_at(end);
    let cells = word.chars().count();
    if let Some(order) = board_order(cells, shape).filter(|&order| order <= 36) {
        let note = rest.trim_start_matches(|c: char| c.is_whitespace() || ",;".contains(c)).to_owned();
        return Ok(Line::Board(values_of(word, order).map_err(shifted)?, order, note));
    }
    if let Some(numbers) = numbers_of(trimmed, shape) {
        return numbers.map_err(shifted);
    }
    symbols_of(text, shape)
}

/// A board or a row as numbers separated by spaces. None if the line has another form.
fn numbers_of(text: &str, shape: Option<Shape>) -> Option<Result<Line, TextError>> {
    let words: Vec<&str> = text.split([' ', '\t', '|', ',']).filter(|word| !word.is_empty()).collect();
    let board = board_order(words.len(), shape);
    let row = row_order(words.len(), shape);
    // 16 or 36 numbers: a board if no number is above its order, otherwise a row.
    let number = |word: &&str| if *word == "." { Some(0) } else { word.parse::<u16>().ok() };
    let values: Vec<u16> = words.iter().map(number).collect::<Option<_>>()?;
    let long = words.iter().any(|word| word.len() > 1);
    let order = board.or(row)?;
    if !long && order <= 36 {
        return None;
    }
    let largest = usize::from(values.iter().copied().max().unwrap_or(0));
    let (order, whole) = match (board, row) {
        (Some(order), _) if largest <= order => (order, true),
        (_, Some(order)) if largest <= order => (order, false),
        _ => {
            let at = values.iter().position(|&value| usize::from(value) > order).unwrap_or(0);
            let column = words[at].as_ptr() as usize - text.as_ptr() as usize + 1;
            let problem = TextProblem::Number { found: words[at].to_owned(), order };
            return Some(Err(TextError { line: 1, column, problem }));
        }
    };
    Some(Ok(if whole { Line::Board(values, order, String::new()) } else { Line::Row(values, order) }))
}

/// A row of a block, or a board with spaces between its symbols.
fn symbols_of(text: &str, shape: Option<Shape>) -> Result<Line, TextError> {
    let kept: Vec<(usize, char)> =
        text.chars().enumerate().filter(|(_, c)| !c.is_whitespace() && !"|!".contains(*c)).collect();
    let order = row_order(kept.len(), shape).filter(|&order| order <= 36);
    let whole = board_order(kept.len(), shape).filter(|&order| order <= 36);
    let Some(order) = order.or(whole) else {
        let found = kept.len();
        let problem = match shape {
            Some(shape) => TextProblem::Length { found, expected: shape.cells(), shape },
            None => TextProblem::NoBoard { found },
        };
        return Err(TextError { line: 1, column: 1, problem });
    };
    let symbols: String = kept.iter().map(|&(_, symbol)| symbol).collect();
    let values =
        values_of(&symbols, order).map_err(|error| TextError { column: kept[error.column - 1].0 + 1, ..error });
    let is_row = row_order(kept.len(), shape).is_some_and(|row| row <= 36);
    values.map(|values| if is_row { Line::Row(values, order) } else { Line::Board(values, order, String::new()) })
}

#[cfg(test)]
mod tests {
    use super::super::line;
    use super::*;
    use crate::random::{Rng, Stage};

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn read(text: &str, shape: Option<Shape>) -> Vec<Result<Entry, TextError>> {
        PuzzleReader::new(text.as_bytes(), shape).collect()
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
        assert_eq!(entries.iter().map(|entry| line(&entry.grid)).collect::<Vec<_>>(), [PUZZLE; 4]);
        assert_eq!(entries.iter().map(|entry| entry.line).collect::<Vec<_>>(), [3, 4, 5, 8]);
        assert_eq!(entries[0].note, "2.3 # easy");
        assert_eq!(entries[1].note, PUZZLE);
    }

    #[test]
    fn sixteen_symbols_are_a_board_or_a_row() {
        let board = "1234341221434321";
        assert_eq!(read(board, None)[0].as_ref().unwrap().grid.shape().order(), 4);
        let row = "1 2 3 4 | 5 6 7 8 | 9 A B C | D E F G\n";
        assert_eq!(read(&row.repeat(16), None)[0].as_ref().unwrap().grid.shape().order(), 16);
        let unbroken = "123456789ABCDEFG\n".repeat(16);
        let shape = Some("4x4".parse().unwrap());
        assert_eq!(read(&unbroken, shape)[0].as_ref().unwrap().grid.shape().order(), 16);
        let numbers = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n".repeat(16);
        assert_eq!(read(&numbers, None)[0].as_ref().unwrap().grid.shape().order(), 16);
        let three_groups = "123 456 789\n".repeat(9);
        assert_eq!(read(&three_groups, None)[0].as_ref().unwrap().grid.shape().order(), 9);
    }

    #[test]
    fn a_bad_line_does_not_spoil_the_next() {
        let text = format!("{PUZZLE}\nhello\n5 3 . . 7 . . . .\n{PUZZLE}\n{}\n", &PUZZLE[..80]);
        let entries = read(&text, None);
        assert_eq!(entries.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, false, true, false]);
        let errors: Vec<TextError> = entries.into_iter().filter_map(Result::err).collect();
        assert_eq!(errors.iter().map(|error| error.line).collect::<Vec<_>>(), [2, 3, 5]);
        assert_eq!(errors[1].problem, TextProblem::Block { found: 1, order: 9 });
    }

    #[test]
    fn bytes_that_are_not_text_are_an_error_of_their_line() {
        let mut bytes = format!("{PUZZLE}\n").into_bytes();
        bytes.extend(b"\xff\xfe\x00\n");
        bytes.extend(PUZZLE.as_bytes());
        let entries: Vec<_> = PuzzleReader::new(&bytes[..], None).collect();
        assert_eq!(entries.len(), 3);
        assert_eq!(entries[1].as_ref().unwrap_err().problem, TextProblem::NotText);
        let endless = vec![b'1'; 3 << 20];
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
}
