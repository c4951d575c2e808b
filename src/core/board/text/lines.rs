//! Decodes the lines of a stream. Even a line without an end needs little memory.
//!
//! A line is UTF-8. If it is not, it is Windows-1252, as many old files are. A byte order mark at the beginning and the
//! sign of the end of files of DOS are no part of a line.

use std::borrow::Cow;
use std::io::{self, BufRead, Read as _};

use crate::board::Reason;

/// A line: its number, from 1, and its text without the line end, or the reason why it is none.
pub(super) type Line<'a> = (usize, Result<Cow<'a, str>, Reason>);

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

    /// The stream.
    pub fn into_inner(self) -> R {
        self.input
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
        if self.number == 1 {
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        }
        Ok(Some((self.number, decoded(line))))
    }
}

/// The text of a line. A line with control characters is none.
fn decoded(line: &[u8]) -> Result<Cow<'_, str>, Reason> {
    if line.iter().any(|&byte| byte < b' ' && !matches!(byte, b'\t' | b'\x0b' | b'\x0c')) {
        return Err(Reason("not a line of text".to_owned()));
    }
    Ok(match std::str::from_utf8(line) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(line.iter().map(|&byte| windows_1252(byte)).collect()),
    })
}

/// The character of a byte of Windows-1252. It is Latin-1 except for these.
fn windows_1252(byte: u8) -> char {
    const FROM_80: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘',
        '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => FROM_80[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// A line with ordinary spaces, digits and letters, and with `- | +` for drawn lines. Signs without a width go.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let plain = text.chars().filter_map(|sign| {
        Some(match sign {
            '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}' => return None,
            '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => ' ',
            // Full-width signs stand in the order of ASCII.
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(sign as u32 - 0xfee0).unwrap_or(sign),
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
