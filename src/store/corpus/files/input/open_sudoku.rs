//! Games of OpenSudoku's XML files, versions 1 and 2: the attribute `data` of each element `game`.
//!
//! ```text
//!   <opensudoku>                                   <opensudoku version="2">
//!     <name>..</name> <level>easy</level>            <folder name="..">
//!     <game data="0300...81 digits"/>                  <game data="0300..." state="1"/>
//! ```
//!
//! Started games, whose cells are written one by one, are bad rows. An element may have at most four million bytes, so
//! even an element without an end needs little memory.

use std::io::{self, BufRead, Read};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::{Row, RowReader, damaged, of_grid};
use sudoku_corpus_core::board::{Grid, Shape, text};

pub(super) struct GameRows<R> {
    reader: Reader<Counted<R>>,
    buffer: Vec<u8>,
    inside: bool,
}

/// The most bytes between two events of the XML reader.
const LONGEST: u64 = 1 << 22;

/// The line of a game, and its board or what is wrong with it.
type Game = (u64, Result<Grid, String>);

impl<R: BufRead> GameRows<R> {
    pub(super) fn new(input: R) -> GameRows<R> {
        let mut reader = Reader::from_reader(Counted { input, lines: 1, since: 0 });
        reader.config_mut().check_end_names = false;
        GameRows { reader, buffer: Vec::new(), inside: false }
    }

    /// The next game: its line and its board, or the error. None at the end.
    fn game(&mut self, shape: Option<Shape>) -> Result<Option<Game>, String> {
        loop {
            self.buffer.clear();
            self.reader.get_mut().since = 0;
            let event = self.reader.read_event_into(&mut self.buffer).map_err(|error| error.to_string())?;
            let line = self.reader.get_ref().lines;
            match event {
                Event::Start(element) | Event::Empty(element) => match element.name().as_ref() {
                    b"opensudoku" => self.inside = true,
                    _ if !self.inside => return Err("the first element is not 'opensudoku'".to_owned()),
                    b"game" => return Ok(Some((line, board(&element, shape)))),
                    _ => {}
                },
                Event::Eof if self.inside => return Ok(None),
                Event::Eof => return Err("it has no element 'opensudoku'".to_owned()),
                _ => {}
            }
        }
    }
}

impl<R: BufRead + Send> RowReader for GameRows<R> {
    fn next(&mut self, index: u64, shape: Option<Shape>) -> Result<Option<Row>, String> {
        let Some((line, grid)) = self.game(shape).map_err(damaged)? else { return Ok(None) };
        Ok(Some(grid.and_then(|grid| of_grid(index, grid)).map_err(|reason| (line, None, reason))))
    }
}

fn board(game: &BytesStart<'_>, shape: Option<Shape>) -> Result<Grid, String> {
    let data = game.try_get_attribute("data").map_err(|error| error.to_string())?;
    let data = data.ok_or_else(|| "a game without the attribute 'data'".to_owned())?;
    let data = std::str::from_utf8(&data.value).map_err(|_| "not a text".to_owned())?.trim();
    if data.starts_with("version") {
        return Err("a game that was started; only puzzles are read".to_owned());
    }
    text::parse_line(data, shape).map_err(|error| error.problem.to_string())
}

/// A reader that counts lines, and bytes since the last event.
struct Counted<R> {
    input: R,
    lines: u64,
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
