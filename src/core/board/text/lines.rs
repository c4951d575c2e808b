//! Splits a stream of UTF-8 into lines. Even a line without an end needs little memory.
//!
//! The sign of the end of files of DOS is no part of a line.

use std::borrow::Cow;
use std::io::{self, BufRead, Read as _};

use crate::board::Reason;

/// A line: its number, from 1, and its text without the line end, or the reason why it is none.
pub(super) type Line<'a> = (usize, Result<&'a str, Reason>);

/// Lines of a stream.
#[derive(Debug)]
pub struct Lines<R> {
    /// The rest of the stream.
    input: R,
    /// The number of the last line, from 1.
    number: usize,
    /// The bytes of the last line.
    buffer: Vec<u8>,
}

/// The longest line, in bytes. Rows of order 400 have 1.3 MB.
const LONGEST: u64 = 1 << 22;

impl<R: BufRead> Lines<R> {
    /// The lines of a stream that is at its beginning.
    pub fn new(input: R) -> Lines<R> {
        Lines { input, number: 0, buffer: Vec::new() }
    }

    /// The next line. None at the end.
    ///
    /// # Errors
    /// The stream cannot be read.
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        self.buffer.clear();
        self.number += 1;
        if self.input.by_ref().take(LONGEST).read_until(b'\n', &mut self.buffer)? == 0 {
            return Ok(None);
        }
        if self.buffer.len() as u64 == LONGEST && self.buffer.last() != Some(&b'\n') {
            self.input.skip_until(b'\n')?;
            return Ok(Some((self.number, Err(Reason("the line is longer than any row".to_owned())))));
        }
        let mut line = self.buffer.strip_suffix(b"\n").unwrap_or(&self.buffer);
        line = line.strip_suffix(b"\r").unwrap_or(line);
        line = line.strip_suffix(b"\x1a").unwrap_or(line);
        Ok(Some((self.number, decoded(line))))
    }
}

/// The text of a line. A line with bytes below the space is none, except for tabs, vertical tabs and form feeds.
fn decoded(line: &[u8]) -> Result<&str, Reason> {
    if line.iter().any(|&byte| byte < b' ' && !matches!(byte, b'\t' | b'\x0b' | b'\x0c')) {
        return Err(Reason("not a line of text".to_owned()));
    }
    std::str::from_utf8(line).map_err(|_| {
        let advice = "if the file is Windows-1252, convert it: iconv -f WINDOWS-1252 -t UTF-8 old.csv > new.csv";
        Reason(format!("the line is not UTF-8; {advice}"))
    })
}

/// A line with ordinary spaces, and with `- | +` for drawn lines. Signs without a width go.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let plain = text.chars().filter_map(|sign| {
        Some(match sign {
            '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}' => return None,
            '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => ' ',
            '│' | '┃' | '╎' | '╏' | '┆' | '┇' | '┊' | '┋' | '║' | '╽' | '╿' | '▏' | '▕' => {
                '|'
            }
            '─' | '━' | '┄' | '┅' | '┈' | '┉' | '═' | '╌' | '╍' | '╼' | '╾' | '–' | '—' | '―' | '−' => {
                '-'
            }
            '\u{2500}'..='\u{257f}' => '+',
            _ => sign,
        })
    });
    Cow::Owned(plain.collect())
}
