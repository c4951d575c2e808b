//! Refuses CSV text whose quotes are wrong, which a lenient reader would take for something else.
//!
//! ```text
//!   1,"a,b"        a field in quotes: commas and ends of lines belong to it, and "" is a quote
//!   2,27" screen   a quote inside of a field is a letter like others
//!   3,"a           no end: the rest of the file would be one field
//!   4,"a"b         text behind the end: the reader would drop the quotes (so does "a\"b", where "" is meant)
//! ```

use std::io::{self, ErrorKind, Read};

/// The most bytes of a row, as of a row of JSON.
const LONGEST_ROW: usize = 8 << 20;

/// Where the text stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    FieldStart,
    Field,
    InQuotes,
    /// Behind a quote in quotes: it ends the field, or is the first of two.
    AfterQuote,
}

/// Passes text on until a quote is wrong, or a row too long.
pub(super) struct CheckedQuotes<R> {
    text: R,
    place: Place,
    /// The number of the line, from 1.
    line: u64,
    /// The line in which the field in quotes began.
    opened: u64,
    /// The bytes of the row so far.
    row_bytes: usize,
}

impl<R: Read> CheckedQuotes<R> {
    pub(super) fn new(text: R) -> CheckedQuotes<R> {
        CheckedQuotes { text, place: Place::FieldStart, line: 1, opened: 0, row_bytes: 0 }
    }

    /// Goes over the next byte.
    fn pass(&mut self, byte: u8) -> io::Result<()> {
        self.row_bytes += 1;
        self.place = match (self.place, byte) {
            (Place::InQuotes, b'"') => Place::AfterQuote,
            (Place::InQuotes, _) => Place::InQuotes,
            (Place::FieldStart, b'"') => {
                self.opened = self.line;
                Place::InQuotes
            }
            (Place::AfterQuote, b'"') => Place::InQuotes,
            (_, b',') => Place::FieldStart,
            (_, b'\n' | b'\r') => {
                self.row_bytes = 0;
                Place::FieldStart
            }
            (Place::AfterQuote, _) => {
                let reason = "text behind the end of a field in quotes; a quote inside of quotes is written twice";
                return Err(wrong(self.line, reason));
            }
            // The mark of UTF-8 at the start of a file is no text.
            (Place::FieldStart, 0xef | 0xbb | 0xbf) if self.line == 1 && self.row_bytes <= 3 => Place::FieldStart,
            (Place::FieldStart | Place::Field, _) => Place::Field,
        };
        self.line += u64::from(byte == b'\n');
        if self.row_bytes > LONGEST_ROW {
            let is_quoted = self.place == Place::InQuotes;
            let line = if is_quoted { self.opened } else { self.line };
            let why = if is_quoted { ": perhaps a field in quotes has no end" } else { "" };
            return Err(wrong(line, &format!("a row of more than {} MB{why}", LONGEST_ROW >> 20)));
        }
        Ok(())
    }
}

impl<R: Read> Read for CheckedQuotes<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.text.read(buffer)?;
        if count == 0 && !buffer.is_empty() && self.place == Place::InQuotes {
            return Err(wrong(self.opened, "a field in quotes has no end"));
        }
        buffer[..count].iter().try_for_each(|byte| self.pass(*byte))?;
        Ok(count)
    }
}

fn wrong(line: u64, reason: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, format!("line {line}: {reason}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_quotes_are_refused_with_their_line() {
        let read = |text: &str| {
            let mut checked = CheckedQuotes::new(text.as_bytes());
            io::copy(&mut checked, &mut io::sink()).map_err(|error| error.to_string())
        };
        for good in ["", "a,b\n", "\u{feff}\"a\",b\n", "\"a\nb\",\"\"\r\n\"\"\"\",27\" screen", "\"a\""] {
            assert_eq!(read(good), Ok(good.len() as u64));
        }
        for (text, message) in [
            ("x,y\n3,\"4\n5,6\n", "line 2: a field in quotes has no end"),
            ("x\n\"a\\\"b\"\n", "line 2: text behind the end of a field in quotes"),
            ("x\n1\n\"a\"b\n", "line 3: text behind the end of a field in quotes"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(message), "{error}");
        }
        let long = "a".repeat(LONGEST_ROW + 1);
        assert_eq!(read(&format!("x\n{long}")).unwrap_err(), "line 2: a row of more than 8 MB");
        let open = read(&format!("x\n1,\"{long}")).unwrap_err();
        assert_eq!(open, "line 2: a row of more than 8 MB: perhaps a field in quotes has no end");
        assert_eq!(read(&"123456789\n".repeat(LONGEST_ROW / 9)), Ok(LONGEST_ROW as u64 / 9 * 10));
    }
}
