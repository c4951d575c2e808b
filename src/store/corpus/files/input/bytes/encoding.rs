//! What the first bytes of a file say: Parquet, a compression, an encoding of text.
//!
//! A byte order mark names UTF-8 or UTF-16. Without one, text in which every second byte is 0 is UTF-16. Lines that end
//! with CR alone get LF.

use std::io::{self, BufRead, BufReader, Cursor, Read};

use sudoku_corpus_core::board::text::Lines;

/// What the first bytes of a file say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::corpus::files::input) enum FileKind {
    Parquet,
    Zstd,
    Gzip,
    Text,
}

impl FileKind {
    /// The kind of a file that begins with these bytes.
    pub(in crate::corpus::files::input) fn of(head: &[u8]) -> FileKind {
        match head {
            [b'P', b'A', b'R', b'1', ..] => FileKind::Parquet,
            // A frame of data, or one that readers skip.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => FileKind::Zstd,
            [0x1f, 0x8b, ..] => FileKind::Gzip,
            _ => FileKind::Text,
        }
    }
}

/// The first bytes of a stream; fewer only if it is shorter. They are taken from the stream.
pub(in crate::corpus::files::input) fn taken(input: impl Read, bytes: u64) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    input.take(bytes).read_to_end(&mut head)?;
    Ok(head)
}

/// The bytes that are looked at to know a format.
const HEAD: u64 = 1 << 16;

/// A text in UTF-8, and its beginning. The beginning is still part of the text.
pub(in crate::corpus::files::input) fn decoded(mut input: Text) -> io::Result<(Text, Vec<u8>)> {
    let head = taken(&mut input, HEAD)?;
    // True if the bytes at 0 (or 1) and every second one after it are 0, and none of the others.
    let zeros = |first: usize| {
        let sample = &head[..head.len().min(64)];
        sample.len() >= 4
            && sample.iter().skip(first).step_by(2).all(|byte| *byte == 0)
            && !sample.iter().skip(1 - first).step_by(2).any(|byte| *byte == 0)
    };
    const LITTLE_ENDIAN: Option<fn([u8; 2]) -> u16> = Some(u16::from_le_bytes);
    const BIG_ENDIAN: Option<fn([u8; 2]) -> u16> = Some(u16::from_be_bytes);
    // The length of the byte order mark, and how UTF-16 is read. None for UTF-8.
    let (mark_length, utf16_unit) = match head.as_slice() {
        [0xef, 0xbb, 0xbf, ..] => (3, None),
        [0xff, 0xfe, ..] => (2, LITTLE_ENDIAN),
        [0xfe, 0xff, ..] => (2, BIG_ENDIAN),
        _ if zeros(1) => (0, LITTLE_ENDIAN),
        _ if zeros(0) => (0, BIG_ENDIAN),
        _ => (0, None),
    };
    let rest = Cursor::new(head[mark_length..].to_vec()).chain(input);
    let mut text: Text = match utf16_unit {
        None => Box::new(rest),
        Some(unit) => buffered(Utf16 { input: rest, unit, utf8: Cursor::new(Vec::new()), high: None }),
    };
    let head = taken(&mut text, HEAD)?;
    let is_mac = head.windows(2).any(|pair| pair[0] == b'\r' && pair[1] != b'\n');
    let rest = Cursor::new(head.clone()).chain(text);
    if !is_mac {
        return Ok((Box::new(rest), head));
    }
    let head = head.iter().map(|&byte| if byte == b'\r' { b'\n' } else { byte }).collect();
    Ok((buffered(LineEnds(rest)), head))
}

/// Reads UTF-16 as UTF-8.
struct Utf16<R> {
    input: R,
    /// Makes a unit of two bytes, in the order of the file.
    unit: fn([u8; 2]) -> u16,
    utf8: Cursor<Vec<u8>>,
    /// The first half of a character of two units.
    high: Option<u16>,
}

/// The bytes of UTF-16 that are read at once.
const CHUNK: u64 = 1 << 13;

/// The units that are the first half of a character.
const HIGH_UNITS: std::ops::Range<u16> = 0xd800..0xdc00;

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.utf8.position() == self.utf8.get_ref().len() as u64 {
            let bytes = taken(&mut self.input, CHUNK)?;
            let units = bytes.chunks_exact(2).map(|pair| (self.unit)([pair[0], pair[1]]));
            let mut units: Vec<u16> = self.high.take().into_iter().chain(units).collect();
            // Its second half comes with the next bytes, if there are any.
            self.high = units.pop_if(|last| HIGH_UNITS.contains(last) && bytes.len() as u64 == CHUNK);
            self.utf8 = Cursor::new(String::from_utf16_lossy(&units).into_bytes());
        }
        self.utf8.read(out)
    }
}

/// Reads a text whose lines end with CR, and gives LF.
struct LineEnds<R>(R);

impl<R: Read> Read for LineEnds<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(out)?;
        out[..read].iter_mut().filter(|byte| **byte == b'\r').for_each(|byte| *byte = b'\n');
        Ok(read)
    }
}

/// The beginning of a text of a file.
pub(in crate::corpus::files::input) struct Head<'a> {
    pub bytes: &'a [u8],
    /// The name of the file, in small letters.
    pub name: &'a str,
}

impl<'a> Head<'a> {
    /// The beginning without blank lines and comments before anything else.
    pub(in crate::corpus::files::input) fn content(&self) -> &'a [u8] {
        let lines = self.bytes.split_inclusive(|byte| *byte == b'\n');
        let passed: usize = lines.take_while(|line| !has_content(line)).map(<[u8]>::len).sum();
        &self.bytes[passed..]
    }

    /// The beginning without a last line that may be cut.
    pub(in crate::corpus::files::input) fn whole_lines(&self) -> &'a [u8] {
        let is_cut = self.bytes.len() as u64 >= HEAD;
        let end = self.bytes.iter().rposition(|byte| *byte == b'\n').filter(|_| is_cut);
        &self.bytes[..end.unwrap_or(self.bytes.len())]
    }
}

/// True for a line that is neither blank nor a comment.
pub(in crate::corpus::files::input) fn has_content(line: &[u8]) -> bool {
    !matches!(line.trim_ascii_start(), [] | [b'#', ..])
}

/// What was read of a line, or why nothing was.
pub(in crate::corpus::files::input) struct Numbered<T> {
    /// The number of the line, from 1.
    pub line: u64,
    pub content: Result<T, String>,
}

/// The next line of a text. None at the end.
pub(in crate::corpus::files::input) fn next_line<R: BufRead>(
    lines: &mut Lines<R>,
) -> io::Result<Option<Numbered<String>>> {
    let Some((number, text)) = lines.next_line()? else { return Ok(None) };
    let content = text.map(str::to_owned).map_err(|reason| reason.to_string());
    Ok(Some(Numbered { line: number as u64, content }))
}

/// A text stream that is already unpacked.
pub(crate) type Text = Box<dyn BufRead + Send>;

pub(in crate::corpus::files::input) fn buffered(text: impl Read + Send + 'static) -> Text {
    Box::new(BufReader::with_capacity(1 << 16, text))
}

/// The message when reading fails in the middle.
pub(in crate::corpus::files::input) fn damaged(error: impl ToString) -> String {
    format!("damaged or cut short: {}", error.to_string())
}
