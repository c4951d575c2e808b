//! Checks the page headers of a Parquet file, before polars decodes the pages.
//!
//! ```text
//!   column chunk:  header | page | header | page | ...        header: Thrift, compact protocol
//!                  type, sizes, number of values
//! ```
//!
//! polars trusts the number of values in a header and reserves memory for it. With a damaged byte there, it may try to
//! reserve 2^61 bytes. This aborts the process, and no caller can catch it. Here every header must fit into its chunk
//! and its row group.
//! Reference: parquet.thrift of the Apache Parquet format, `PageHeader`; the Thrift compact protocol.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;

/// A page header.
#[derive(Debug, Default)]
struct PageHeader {
    kind: Option<i64>,
    uncompressed: Option<i64>,
    compressed: Option<i64>,
    /// The number of values of a data page, a dictionary page or a data page of version 2.
    values: Option<i64>,
}

/// Types of pages. Index pages and unknown ones are skipped.
const DATA: i64 = 0;
const DICTIONARY: i64 = 2;
const DATA_2: i64 = 3;

/// The most bytes of the values of one column in one row group, which are decoded together. Three million rows have
/// this many bytes of 9x9 puzzles, at 81 characters each.
const MOST_BYTES: u64 = 1 << 28;

/// Checks the headers of the pages of one flat column in one row group of `rows` rows.
pub(super) fn check_pages(file: impl Read + Seek, chunk: Range<u64>, rows: u64) -> Result<(), String> {
    let cut = |error: io::Error| format!("damaged: a page header cannot be read: {error}");
    let mut input = BufReader::with_capacity(4096, file);
    input.seek(SeekFrom::Start(chunk.start)).map_err(cut)?;
    let (mut seen, mut bytes) = (0, 0u64);
    while seen < rows {
        let left = chunk.end.saturating_sub(input.stream_position().map_err(cut)?);
        let header = header(&mut input.by_ref().take(left)).map_err(cut)?;
        let left = chunk.end.saturating_sub(input.stream_position().map_err(cut)?);
        let fits =
            |size: Option<i64>, most: u64| size.and_then(|size| u64::try_from(size).ok()).filter(|&size| size <= most);
        let (Some(size), Some(unpacked)) = (fits(header.compressed, left), fits(header.uncompressed, i32::MAX as u64))
        else {
            return Err("damaged: a page is larger than its column".to_owned());
        };
        bytes += unpacked;
        // An estimate of an unpacked dictionary column: its rows times the mean of its values. The largest value is not
        // known before the dictionary is unpacked.
        let of_dictionary = match (header.kind, header.values) {
            (Some(DICTIONARY), Some(values @ 1..)) => (unpacked / values as u64).saturating_mul(rows),
            _ => 0,
        };
        if bytes > MOST_BYTES || of_dictionary > MOST_BYTES {
            return Err("its row groups would take more than 256 MiB of memory for one column".to_owned());
        }
        match header.kind {
            Some(DATA | DATA_2) => match fits(header.values, rows - seen) {
                Some(values) => seen += values,
                None => return Err("damaged: a page has more values than its row group has rows".to_owned()),
            },
            Some(DICTIONARY) if fits(header.values, unpacked).is_none() => {
                return Err("damaged: a dictionary has more values than bytes".to_owned());
            }
            _ => {}
        }
        input.seek_relative(size as i64).map_err(cut)?;
    }
    Ok(())
}

/// Reads a page header from the beginning of the input.
fn header(input: &mut impl BufRead) -> io::Result<PageHeader> {
    let mut header = PageHeader::default();
    let mut field = 0;
    while let Some(kind) = next_field(input, &mut field)? {
        match (field, kind) {
            (1, SHORT..=LONG) => header.kind = Some(signed(input)?),
            (2, SHORT..=LONG) => header.uncompressed = Some(signed(input)?),
            (3, SHORT..=LONG) => header.compressed = Some(signed(input)?),
            // The number of values comes first in the header of each kind of page.
            (5 | 7 | 8, STRUCT) => header.values = first_number(input)?,
            _ => skip(input, kind, DEPTH)?,
        }
    }
    Ok(header)
}

/// The integer in field 1 of a struct. The struct is read to its end.
fn first_number(input: &mut impl BufRead) -> io::Result<Option<i64>> {
    let (mut field, mut number) = (0, None);
    while let Some(kind) = next_field(input, &mut field)? {
        match (field, kind) {
            (1, SHORT..=LONG) => number = Some(signed(input)?),
            _ => skip(input, kind, DEPTH)?,
        }
    }
    Ok(number)
}

/// Codes of types of the compact protocol: integers of 16, 32 and 64 bits, and structs.
const SHORT: u8 = 4;
const LONG: u8 = 6;
const STRUCT: u8 = 12;

/// The deepest nesting of a header.
const DEPTH: u32 = 8;

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// The next byte.
fn byte(input: &mut impl BufRead) -> io::Result<u8> {
    let mut byte = [0];
    input.read_exact(&mut byte)?;
    Ok(byte[0])
}

/// An unsigned number of at most 64 bits. Each byte has seven bits of it, the lowest bits first.
fn unsigned(input: &mut impl BufRead) -> io::Result<u64> {
    let mut number = 0u64;
    for shift in (0..64).step_by(7) {
        let next = byte(input)?;
        number |= u64::from(next & 0x7f) << shift;
        if next < 0x80 {
            return Ok(number);
        }
    }
    Err(invalid("a number of more than 64 bits"))
}

/// A number with its sign in the lowest bit (zigzag).
fn signed(input: &mut impl BufRead) -> io::Result<i64> {
    let number = unsigned(input)?;
    Ok((number >> 1) as i64 ^ -((number & 1) as i64))
}

/// The code of the type of the next field of a struct. Its number goes to `field`. None at the end of the struct.
fn next_field(input: &mut impl BufRead, field: &mut i64) -> io::Result<Option<u8>> {
    let head = byte(input)?;
    if head == 0 {
        return Ok(None);
    }
    *field = match head >> 4 {
        0 => signed(input)?,
        delta => field.saturating_add(i64::from(delta)),
    };
    Some(head & 0xf)
        .filter(|code| (1..=STRUCT).contains(code))
        .map_or(Err(invalid("unknown type")), |code| Ok(Some(code)))
}

/// Skips a value.
fn skip(input: &mut impl BufRead, kind: u8, depth: u32) -> io::Result<()> {
    let depth = depth.checked_sub(1).ok_or_else(|| invalid("nested too deeply"))?;
    let bytes = match kind {
        // The code of a flag is also its value, so no byte follows.
        1 | 2 => 0,
        3 => 1,
        SHORT..=LONG => return unsigned(input).map(|_| ()),
        // A double, and bytes.
        7 => 8,
        8 => unsigned(input)?,
        STRUCT => {
            let mut field = 0;
            while let Some(kind) = next_field(input, &mut field)? {
                skip(input, kind, depth)?;
            }
            return Ok(());
        }
        _ => return Err(invalid("a list where a header has none")),
    };
    let passed = io::copy(&mut input.take(bytes), &mut io::sink())?;
    if passed == bytes { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// A page of a type (0 data, 2 dictionary). Its header gives the numbers of values and of packed bytes, and 100
    /// unpacked bytes. `bytes` is the number of bytes that really follow the header.
    fn page(kind: u8, values: i64, packed: i64, bytes: usize) -> Vec<u8> {
        let number = |number: i64| {
            let mut rest = ((number << 1) ^ (number >> 63)) as u64;
            let mut written = Vec::new();
            while rest >= 0x80 {
                written.push(rest as u8 | 0x80);
                rest >>= 7;
            }
            written.push(rest as u8);
            written
        };
        // Field 1 (type), 2 and 3 (sizes), 5 or 7 (the header of its kind: values, encoding), ends of both structs.
        let inner = if kind == 0 { 0x2c } else { 0x4c };
        let pieces: [&[u8]; 12] = [
            &[0x15, kind * 2],
            &[0x15],
            &number(100),
            &[0x15],
            &number(packed),
            &[inner, 0x15],
            &number(values),
            &[0x15, 0],
            &[0x18, 3, b'a', b'b', b'c'],
            &[0],
            &[0],
            &vec![0xab; bytes],
        ];
        pieces.concat()
    }

    fn check(pages: &[Vec<u8>], rows: u64) -> Result<(), String> {
        let bytes = [vec![0; 4], pages.concat(), vec![0; 40]].concat();
        check_pages(Cursor::new(&bytes), 4..bytes.len() as u64 - 40, rows)
    }

    #[test]
    fn correct_page_headers_are_accepted() {
        assert_eq!(check(&[page(2, 9, 20, 20), page(0, 60, 30, 30), page(0, 40, 7, 7)], 100), Ok(()));
    }

    #[test]
    fn wrong_page_headers_are_refused() {
        let values = "damaged: a page has more values than its row group has rows";
        assert_eq!(check(&[page(0, -448, 9, 9)], 100).unwrap_err(), values);
        assert_eq!(check(&[page(0, 1 << 40, 9, 9)], 100).unwrap_err(), values);
        assert_eq!(check(&[page(0, 60, 9, 9), page(0, 41, 9, 9)], 100).unwrap_err(), values);
        assert_eq!(check(&[page(0, 100, 90, 9)], 100).unwrap_err(), "damaged: a page is larger than its column");
        assert_eq!(check(&[page(0, 100, -1, 9)], 100).unwrap_err(), "damaged: a page is larger than its column");
        assert!(check(&[page(2, 101, 9, 9)], 100).unwrap_err().contains("dictionary"));
        assert!(check(&[page(0, 60, 9, 9)], 100).unwrap_err().contains("cannot be read"));
        assert!(check(&[vec![0x1f; 99]], 100).unwrap_err().contains("unknown type"));
        assert!(check(&[vec![0x1c; 99]], 100).unwrap_err().contains("nested too deeply"));
        assert!(check(&[vec![0x18, 0xff, 0xff, 0xff, 0xff, 0x7f]], 100).is_err());
    }
}
