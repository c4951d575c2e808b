//! Reads games of OpenSudoku's XML files, versions 1 and 2: the attribute `data` of each element `game`.
//!
//! ```text
//!   <opensudoku>                                   <opensudoku version="2">
//!     <name>..</name> <level>easy</level>            <folder name="..">
//!     <game data="0300...81 digits"/>                  <game data="0300..." state="1"/>
//! ```
//!
//! Names may have capital letters. KSudoku's files are read too: the cells stand in the element `values`. Started
//! games, whose cells are written one by one, are bad rows. An element may have at most a million bytes, and elements
//! stand at most sixteen deep, so even a file without an end needs little memory.

use std::io::{self, BufRead, Read};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::{Reading, Row, RowReader, damaged, of_grid};
use sudoku_corpus_core::board::{Grid, Shape, text};

/// The games of a file.
pub(super) struct GameRows<R> {
    reader: Reader<Counted<R>>,
    buffer: Vec<u8>,
    /// True after the element of the whole file has begun.
    inside: bool,
    /// The elements that are open.
    depth: usize,
    /// True in a file of KSudoku.
    foreign: bool,
    /// True inside KSudoku's element with the cells.
    values: bool,
}

/// The most bytes between two events of the XML reader.
const LONGEST: u64 = 1 << 20;

/// The most elements around an element. The XML reader keeps all their names.
const DEEPEST: usize = 16;

/// The line of a game, and its board or what is wrong with it.
type Game = (u64, Result<Grid, String>);

impl<R: BufRead> GameRows<R> {
    pub(super) fn new(input: R) -> GameRows<R> {
        let mut reader = Reader::from_reader(Counted { input, lines: 1, since: 0 });
        reader.config_mut().check_end_names = false;
        GameRows { reader, buffer: Vec::new(), inside: false, depth: 0, foreign: false, values: false }
    }

    /// The next game: its line and its board, or the error. None at the end.
    fn game(&mut self, shape: Option<Shape>) -> Result<Option<Game>, String> {
        loop {
            self.buffer.clear();
            self.reader.get_mut().since = 0;
            let event = self.reader.read_event_into(&mut self.buffer).map_err(|error| error.to_string())?;
            let line = self.reader.get_ref().lines;
            match &event {
                Event::Start(_) => self.depth += 1,
                Event::End(_) => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            if self.depth > DEEPEST {
                return Err(format!("line {line}: more than {DEEPEST} elements inside each other"));
            }
            match event {
                Event::Start(element) | Event::Empty(element) => {
                    let is = |name: &str| element.name().as_ref().eq_ignore_ascii_case(name.as_bytes());
                    self.values = is("values");
                    match () {
                        () if is("opensudoku") || is("ksudoku") => (self.inside, self.foreign) = (true, is("ksudoku")),
                        () if !self.inside => {
                            return Err("the first element is neither 'opensudoku' nor 'ksudoku'".to_owned());
                        }
                        () if is("game") => match data_of(&element) {
                            Ok(Some(data)) => return Ok(Some((line, board(&data, shape)))),
                            // KSudoku's games have their cells inside.
                            Ok(None) if self.foreign => {}
                            Ok(None) => return Ok(Some((line, Err("a game without the attribute 'data'".to_owned())))),
                            Err(reason) => return Ok(Some((line, Err(reason)))),
                        },
                        () => {}
                    }
                }
                Event::Text(cells) if std::mem::take(&mut self.values) => {
                    let cells = std::str::from_utf8(&cells).map_err(|_| "not a text".to_owned());
                    return Ok(Some((line, cells.and_then(|cells| board(cells, shape)))));
                }
                Event::Eof if self.inside => return Ok(None),
                Event::Eof => return Err("it has no element 'opensudoku'".to_owned()),
                _ => {}
            }
        }
    }
}

impl<R: BufRead + Send> RowReader for GameRows<R> {
    fn next(&mut self, index: u64, how: &Reading) -> Result<Option<Row>, String> {
        let Some((line, grid)) = self.game(how.shape).map_err(damaged)? else { return Ok(None) };
        Ok(Some((line, grid.and_then(|grid| of_grid(index, grid)).map_err(|reason| (None, reason)))))
    }
}

/// The cells of a game, if they are an attribute.
fn data_of(game: &BytesStart<'_>) -> Result<Option<String>, String> {
    for attribute in game.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        if attribute.key.as_ref().eq_ignore_ascii_case(b"data") {
            return std::str::from_utf8(&attribute.value)
                .map(|data| Some(data.to_owned()))
                .map_err(|_| "not a text".to_owned());
        }
    }
    Ok(None)
}

/// The board of a game's text.
fn board(data: &str, shape: Option<Shape>) -> Result<Grid, String> {
    if data.trim_start().starts_with("version") {
        return Err("a game that was started; only puzzles are read".to_owned());
    }
    text::parse_line(data.trim(), shape).map_err(|error| error.problem.to_string())
}

/// A reader that counts lines, and bytes since the last event.
struct Counted<R> {
    input: R,
    /// The line, from 1.
    lines: u64,
    /// Bytes since the last event.
    since: u64,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let taken = available.len().min(buffer.len());
        buffer[..taken].copy_from_slice(&available[..taken]);
        self.consume(taken);
        Ok(taken)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.since > LONGEST {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "an element has no end"));
        }
        self.input.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        // Looking at bytes does not consume them.
        if let Ok(available) = self.input.fill_buf() {
            self.lines += available[..amount.min(available.len())].iter().filter(|byte| **byte == b'\n').count() as u64;
        }
        self.since += amount as u64;
        self.input.consume(amount);
    }
}
