//! Lines of a text in which every row is a line. Blank lines and comments are skipped. Even a line without an end needs
//! little memory.

use std::io::{self, BufRead, Read as _};

/// A line: its number, and its bytes without the line end, or the error.
pub(super) type Line<'a> = (u64, Result<&'a [u8], String>);

pub(super) struct Lines<R> {
    input: R,
    number: u64,
    line: Vec<u8>,
}

/// The longest line, in bytes. Rows of order 400 have 1.3 MB.
const LONGEST: u64 = 1 << 22;

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Lines<R> {
        Lines { input, number: 0, line: Vec::new() }
    }

    /// The next line that is neither blank nor a comment. None at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        loop {
            self.line.clear();
            self.number += 1;
            if self.input.by_ref().take(LONGEST).read_until(b'\n', &mut self.line)? == 0 {
                return Ok(None);
            }
            if self.line.len() as u64 == LONGEST && self.line.last() != Some(&b'\n') {
                self.input.skip_until(b'\n')?;
                return Ok(Some((self.number, Err("the line is longer than any row".to_owned()))));
            }
            let start = if self.number == 1 && self.line.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
            let words = self.line[start..].trim_ascii();
            if !words.is_empty() && !words.starts_with(b"#") {
                let end = self.line.iter().rposition(|byte| !b"\r\n".contains(byte)).map_or(0, |last| last + 1);
                return Ok(Some((self.number, Ok(&self.line[start..end]))));
            }
        }
    }
}
