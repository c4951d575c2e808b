//! Turns a file of any encoding and line ends into UTF-8 with LF at the end of each line.
//!
//! A byte order mark names UTF-8 or UTF-16. Without one, text in which every second byte is 0 is UTF-16. Lines that are
//! not UTF-8 are decoded where lines are read, as Windows-1252.

use std::borrow::Cow;
use std::io::{self, BufRead, Cursor, Read};

use super::{Text, buffered};

/// What is looked at to know a format.
pub(super) const HEAD: u64 = 1 << 16;

/// A text, and its beginning. The beginning is still part of the text.
pub(super) fn decoded(mut input: Text) -> (Text, Vec<u8>) {
    let (head, failed) = taken(&mut input);
    // True if the bytes at 0 (or 1) and every second one after it are 0, and none of the others.
    let zeros = |first: usize| {
        let sample = &head[..head.len().min(64)];
        let zero = |odd: usize| sample.iter().skip(odd).step_by(2).all(|byte| *byte == 0);
        sample.len() >= 4 && zero(first) && !sample.iter().skip(1 - first).step_by(2).any(|byte| *byte == 0)
    };
    let (mark, wide) = match head.as_slice() {
        [0xef, 0xbb, 0xbf, ..] => (3, None),
        [0xff, 0xfe, ..] => (2, Some(u16::from_le_bytes as fn([u8; 2]) -> u16)),
        [0xfe, 0xff, ..] => (2, Some(u16::from_be_bytes as fn([u8; 2]) -> u16)),
        _ if zeros(1) => (0, Some(u16::from_le_bytes as fn([u8; 2]) -> u16)),
        _ if zeros(0) => (0, Some(u16::from_be_bytes as fn([u8; 2]) -> u16)),
        _ => (0, None),
    };
    let rest = Cursor::new(head[mark..].to_vec()).chain(failed).chain(input);
    let mut text = match wide {
        None => buffered(LineEnds { input: rest, after_return: false }),
        Some(unit) => {
            let wide = Wide { input: rest, unit, utf8: Cursor::new(Vec::new()), high: None };
            buffered(LineEnds { input: wide, after_return: false })
        }
    };
    let (head, failed) = taken(&mut text);
    let text = buffered(Cursor::new(head.clone()).chain(failed).chain(text));
    (text, head)
}

/// The beginning of a text. An error comes when what stands before it was read.
fn taken(input: &mut Text) -> (Vec<u8>, Failed) {
    let mut head = Vec::new();
    let failed = input.by_ref().take(HEAD).read_to_end(&mut head).err();
    (head, Failed(failed))
}

/// An error that comes once.
struct Failed(Option<io::Error>);

impl Read for Failed {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// Reads UTF-16 as UTF-8.
struct Wide<R> {
    input: R,
    /// Makes a unit of two bytes, in the order of the file.
    unit: fn([u8; 2]) -> u16,
    utf8: Cursor<Vec<u8>>,
    /// The first half of a character of two units.
    high: Option<u16>,
}

impl<R: Read> Read for Wide<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.utf8.position() == self.utf8.get_ref().len() as u64 {
            let mut bytes = Vec::new();
            self.input.by_ref().take(1 << 13).read_to_end(&mut bytes)?;
            let units =
                self.high.take().into_iter().chain(bytes.chunks_exact(2).map(|pair| (self.unit)([pair[0], pair[1]])));
            let mut units: Vec<u16> = units.collect();
            // Its second half comes with the next bytes, if there are any.
            self.high = units.pop_if(|last| (0xd800..0xdc00).contains(last) && bytes.len() == 1 << 13);
            self.utf8 = Cursor::new(String::from_utf16_lossy(&units).into_bytes());
        }
        self.utf8.read(out)
    }
}

/// Reads a text whose lines end with CR or with CR LF, and gives LF at the end of each line.
struct LineEnds<R> {
    input: R,
    /// True after a CR, so that a following LF is no line end of its own.
    after_return: bool,
}

impl<R: Read> Read for LineEnds<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.input.read(out)?;
            if !self.after_return && !out[..read].contains(&b'\r') {
                return Ok(read);
            }
            let mut kept = 0;
            for at in 0..read {
                let byte = out[at];
                // The LF of a CR LF pair does not end another line.
                if !(byte == b'\n' && self.after_return) {
                    out[kept] = if byte == b'\r' { b'\n' } else { byte };
                    kept += 1;
                }
                self.after_return = byte == b'\r';
            }
            if kept > 0 || read == 0 {
                return Ok(kept);
            }
        }
    }
}

/// The number of a line, and what was read of it or why nothing was.
pub(super) type Numbered<T> = (u64, Result<T, String>);

/// The next line and its number. None at the end.
pub(super) fn next_line<R: BufRead>(
    lines: &mut sudoku_corpus_core::board::text::Lines<R>,
) -> io::Result<Option<Numbered<String>>> {
    let line = lines.next_line()?;
    Ok(line.map(|(number, line)| (number as u64, line.map(Cow::into_owned).map_err(|reason| reason.to_string()))))
}

/// True for a line that is neither blank nor a comment.
pub(super) fn is_row((_, line): &Numbered<String>) -> bool {
    line.as_ref().map_or(true, |line| !matches!(line.trim().as_bytes(), [] | [b'#', ..]))
}

/// The next line that is neither blank nor a comment, and its number. None at the end.
pub(super) fn next_row<R: BufRead>(
    lines: &mut sudoku_corpus_core::board::text::Lines<R>,
) -> io::Result<Option<Numbered<String>>> {
    loop {
        match next_line(lines)? {
            Some(line) if !is_row(&line) => {}
            line => return Ok(line),
        }
    }
}
