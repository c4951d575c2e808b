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

use super::dialects;
use super::symbols::{TextError, TextProblem, no_board, values_of};
use crate::board::{Grid, Reason, Shape};

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
    block: Option<Block>,
    /// An entry that waits because an error about the block before it was returned first.
    pending: Option<Result<Entry, TextError>>,
    finished: bool,
    /// True after a heading of a section that holds no puzzles. Lines are skipped until the next heading.
    skipping: bool,
}

/// The rows of a block read so far.
#[derive(Debug)]
struct Block {
    first_line: usize,
    shape: Shape,
    values: Vec<u16>,
}

/// The meaning of a line of text.
enum Line {
    Nothing,
    /// True if puzzles follow.
    Heading(bool),
    /// A board and its note.
    Board(Grid, String),
    Row(Shape, Vec<u16>),
}

/// The meaning of a line, or a column and what is wrong there.
type Classified = Result<Line, (usize, Reason)>;

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
            block: None,
            pending: None,
            finished: false,
            skipping: false,
        }
    }

    /// The next line without its end, or None if it is not text.
    fn next_line(&mut self) -> io::Result<Option<String>> {
        self.buffer.clear();
        self.line += 1;
        self.finished = self.input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut self.buffer)? == 0;
        if self.buffer.len() as u64 == LONGEST_LINE && self.buffer.last() != Some(&b'\n') {
            self.input.skip_until(b'\n')?;
            return Ok(None);
        }
        let bytes = self.buffer.strip_prefix(b"\xef\xbb\xbf").filter(|_| self.line == 1).unwrap_or(&self.buffer);
        Ok(std::str::from_utf8(bytes).ok().map(|text| text.trim_end().to_owned()))
    }

    fn unfinished_block(&mut self) -> Option<TextError> {
        let Block { first_line, shape, values } = self.block.take()?;
        let (found, order) = (values.len() / shape.order(), shape.order());
        let reason = format!("this block has only {found} rows of {order} cells: it needs {order} rows");
        Some(TextError::new(first_line, 1, Reason(reason)))
    }

    /// Reads one line; returns the entry that it completes.
    fn take(&mut self, text: &str) -> Option<Result<Entry, TextError>> {
        let line = self.line;
        let found = match classify(text, self.shape) {
            Ok(Line::Nothing) => return None,
            Ok(Line::Heading(puzzles)) => {
                self.skipping = !puzzles;
                return self.unfinished_block().map(Err);
            }
            _ if self.skipping => return None,
            Ok(Line::Row(shape, values)) => return self.take_row(shape, values),
            Ok(Line::Board(grid, note)) => Ok(Entry { line, grid, note }),
            Err((column, reason)) => Err(TextError::new(line, column, reason)),
        };
        self.after_block(found)
    }

    fn take_row(&mut self, shape: Shape, row: Vec<u16>) -> Option<Result<Entry, TextError>> {
        let continues = self.block.as_ref().is_some_and(|block| block.shape == shape);
        let broken = if continues { None } else { self.unfinished_block() };
        let begun = Block { first_line: self.line, shape, values: Vec::new() };
        let block = self.block.get_or_insert(begun);
        block.values.extend(row);
        if block.values.len() < shape.cells() {
            return broken.map(Err);
        }
        let Block { first_line: line, values, .. } = self.block.take()?;
        let grid = Grid::new(shape, values).map_err(|reason| TextError::new(line, 1, reason));
        Some(grid.map(|grid| Entry { line, grid, note: String::new() }))
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

impl<R: BufRead> Iterator for PuzzleReader<R> {
    type Item = Result<Entry, TextError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(pending) = self.pending.take() {
            return Some(pending);
        }
        while !self.finished {
            let found = match self.next_line() {
                Ok(_) if self.finished => self.unfinished_block().map(Err),
                Ok(Some(text)) => self.take(&text),
                Ok(None) => {
                    let reason = Reason("not a line of text".to_owned());
                    self.after_block(Err(TextError::new(self.line, 1, reason)))
                }
                Err(error) => {
                    self.finished = true;
                    let problem = TextProblem::Read(error.to_string());
                    self.after_block(Err(TextError { line: self.line, column: 1, problem }))
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
    text.chars().all(|c| "-+|=*! \t".contains(c)) && dashes >= 3 && (crossed || shape_of_board(dashes, shape).is_none())
}

/// The shape of a board with this number of cells, if it is the requested one or none was requested.
fn shape_of_board(cells: usize, requested: Option<Shape>) -> Option<Shape> {
    requested.map_or_else(|| Shape::of_cells(cells), |shape| (shape.cells() == cells).then_some(shape))
}

/// The shape of a board whose rows have this number of cells, in the same way.
fn shape_of_row(cells: usize, requested: Option<Shape>) -> Option<Shape> {
    requested.map_or_else(|| Shape::of_order(cells).ok(), |shape| (shape.order() == cells).then_some(shape))
}

fn board(shape: Shape, values: Vec<u16>, note: &str) -> Classified {
    Grid::new(shape, values).map(|grid| Line::Board(grid, note.to_owned())).map_err(|reason| (1, reason))
}

fn classify(text: &str, shape: Option<Shape>) -> Classified {
    let trimmed = text.trim();
    if trimmed.is_empty() || trimmed.starts_with('#') {
        return Ok(Line::Nothing);
    }
    if trimmed.starts_with('[') && trimmed.ends_with(']') {
        return Ok(Line::Heading(trimmed.eq_ignore_ascii_case("[puzzle]")));
    }
    if let Some(found) = dialects::read(trimmed) {
        let (grid, note) = found.map_err(|reason| (1, reason))?;
        return match shape.filter(|&shape| shape != grid.shape()) {
            Some(shape) => Err((1, shape.other_length(grid.values().len()))),
            None => Ok(Line::Board(grid, note)),
        };
    }
    if is_frame(trimmed, shape) {
        return Ok(Line::Nothing);
    }
    let indent = text.chars().take_while(|c| c.is_whitespace()).count();
    let shifted = |(column, reason)| (column + indent, reason);
    let separates = |c: char| c.is_whitespace() || ",;".contains(c);
    let (word, rest) = trimmed.split_at(trimmed.find(separates).unwrap_or(trimmed.len()));
    if let Some(shape) = shape_of_board(word.chars().count(), shape).filter(|shape| shape.is_solvable()) {
        let values = values_of(word, shape.order()).map_err(shifted)?;
        return board(shape, values, rest.trim_start_matches(separates));
    }
    numbers_of(trimmed, shape).map_or_else(|| symbols_of(text, shape), |numbers| numbers.map_err(shifted))
}

/// A board or a row as numbers separated by spaces. None if the line has another form.
fn numbers_of(text: &str, shape: Option<Shape>) -> Option<Classified> {
    let words: Vec<&str> = text.split([' ', '\t', '|', ',']).filter(|word| !word.is_empty()).collect();
    let number = |word: &&str| if *word == "." { Some(0) } else { word.parse::<u16>().ok() };
    let values: Vec<u16> = words.iter().map(number).collect::<Option<_>>()?;
    let [whole, row] = [shape_of_board(words.len(), shape), shape_of_row(words.len(), shape)];
    let expected = whole.or(row)?;
    if expected.is_solvable() && words.iter().all(|word| word.len() == 1) {
        return None;
    }
    // 16 or 36 numbers: a board if no number is above its order, otherwise a row.
    let above = |shape: Shape| values.iter().position(|&value| usize::from(value) > shape.order());
    let [whole, row] = [whole, row].map(|shape| shape.filter(|&shape| above(shape).is_none()));
    Some(match (whole, row) {
        (Some(shape), _) => board(shape, values, ""),
        (None, Some(shape)) => Ok(Line::Row(shape, values)),
        (None, None) => {
            let (word, order) = (words[above(expected).unwrap_or(0)], expected.order());
            let column = word.as_ptr() as usize - text.as_ptr() as usize + 1;
            Err((column, Reason(format!("the number {word} is not a digit of a {order}x{order} board"))))
        }
    })
}

/// A row of a block, or a board with spaces between its symbols.
fn symbols_of(text: &str, shape: Option<Shape>) -> Classified {
    let kept: Vec<(usize, char)> =
        text.chars().enumerate().filter(|(_, c)| !c.is_whitespace() && !"|!".contains(*c)).collect();
    let row = shape_of_row(kept.len(), shape).filter(|shape| shape.is_solvable());
    let whole = || shape_of_board(kept.len(), shape).filter(|shape| shape.is_solvable());
    let Some(found) = row.or_else(whole) else {
        return Err((1, shape.map_or_else(|| no_board(kept.len()), |shape| shape.other_length(kept.len()))));
    };
    let symbols: String = kept.iter().map(|&(_, symbol)| symbol).collect();
    let values = values_of(&symbols, found.order()).map_err(|(at, reason)| (kept[at - 1].0 + 1, reason))?;
    if row.is_some() { Ok(Line::Row(found, values)) } else { board(found, values, "") }
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
        let rows = |row: &str, count: usize| format!("{row}\n").repeat(count);
        for (text, shape, order) in [
            ("1234341221434321".to_owned(), None, 4),
            (rows("1 2 3 4 | 5 6 7 8 | 9 A B C | D E F G", 16), None, 16),
            (rows("123456789ABCDEFG", 16), Some("4x4".parse().unwrap()), 16),
            (rows("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16", 16), None, 16),
            (rows("123 456 789", 9), None, 9),
        ] {
            assert_eq!(read(&text, shape)[0].as_ref().unwrap().grid.shape().order(), order, "{text}");
        }
    }

    #[test]
    fn a_bad_line_does_not_spoil_the_next() {
        let text = format!("{PUZZLE}\nhello\n5 3 . . 7 . . . .\n{PUZZLE}\n{}\n", &PUZZLE[..80]);
        let entries = read(&text, None);
        assert_eq!(entries.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, false, false, true, false]);
        let errors: Vec<TextError> = entries.into_iter().filter_map(Result::err).collect();
        assert_eq!(errors.iter().map(|error| error.line).collect::<Vec<_>>(), [2, 3, 5]);
        assert_eq!(errors[1].problem.to_string(), "this block has only 1 rows of 9 cells: it needs 9 rows");
    }

    #[test]
    fn bytes_that_are_not_text_are_an_error_of_their_line() {
        let mut bytes = format!("{PUZZLE}\n").into_bytes();
        bytes.extend(b"\xff\xfe\x00\n");
        bytes.extend(PUZZLE.as_bytes());
        let entries: Vec<_> = PuzzleReader::new(&bytes[..], None).collect();
        assert_eq!(entries.len(), 3);
        assert_eq!(entries[1].as_ref().unwrap_err().problem.to_string(), "not a line of text");
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
