//! Writes records in any of the four file formats.
//!
//! | name | what |
//! |---|---|
//! | `.parquet` | every column, zstd inside, metadata in the footer |
//! | `.csv.zst` | every column, metadata in a frame behind the data |
//! | `.csv` | every column |
//! | `.txt` | one board a line: the puzzle, or the full grid where there is no puzzle |

use std::io::{self, Write};

use super::columns::{COLUMNS, Value};
use super::frame::FrameWriter;
use super::metadata::{Metadata, skippable_frame};
use super::record::Record;
use crate::board::{Puzzle, Solution, text};

/// How records are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// Parquet with zstd.
    Parquet,
    /// CSV in a zstd frame.
    CsvZst,
    /// Plain CSV.
    Csv,
    /// One board a line.
    Text,
}

impl FileFormat {
    /// Every format.
    pub const ALL: [FileFormat; 4] = [FileFormat::Parquet, FileFormat::CsvZst, FileFormat::Csv, FileFormat::Text];

    /// The end of file names.
    pub const fn suffix(self) -> &'static str {
        match self {
            FileFormat::Parquet => ".parquet",
            FileFormat::CsvZst => ".csv.zst",
            FileFormat::Csv => ".csv",
            FileFormat::Text => ".txt",
        }
    }

    /// The format that a file name asks for; `.sdm` is lines, too.
    pub fn of_name(name: &str) -> Option<FileFormat> {
        let name = name.to_ascii_lowercase();
        let lines = name.ends_with(".sdm").then_some(FileFormat::Text);
        FileFormat::ALL.into_iter().find(|format| name.ends_with(format.suffix())).or(lines)
    }
}

/// zstd level of CSV: 1 is a tenth larger, 9 five times slower for a tenth less.
const CSV_LEVEL: i32 = 3;

/// A file of records being written.
pub enum Encoder<W: Write> {
    /// To Parquet.
    Parquet(Box<FrameWriter<W>>),
    /// To CSV in zstd; the text is written behind the frame.
    CsvZst(Box<csv::Writer<zstd::Encoder<'static, W>>>, String),
    /// To CSV.
    Csv(Box<csv::Writer<W>>),
    /// To lines.
    Text(W, String),
}

impl<W: Write> Encoder<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// What the writer says.
    pub fn new(format: FileFormat, out: W, metadata: &Metadata) -> io::Result<Encoder<W>> {
        match format {
            FileFormat::Parquet => Ok(Encoder::Parquet(Box::new(FrameWriter::new(out, &metadata.json())?))),
            FileFormat::CsvZst => {
                let mut zstd = zstd::Encoder::new(out, CSV_LEVEL)?;
                zstd.include_checksum(true)?;
                Ok(Encoder::CsvZst(Box::new(csv_writer(zstd)?), metadata.json()))
            }
            FileFormat::Csv => Ok(Encoder::Csv(Box::new(csv_writer(out)?))),
            FileFormat::Text => Ok(Encoder::Text(out, String::new())),
        }
    }

    /// Writes a record.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write(&mut self, record: Record) -> io::Result<()> {
        match self {
            Encoder::Parquet(writer) => writer.write(record),
            Encoder::CsvZst(writer, _) => csv_row(writer, &record),
            Encoder::Csv(writer) => csv_row(writer, &record),
            Encoder::Text(out, line) => {
                let grid = record.puzzle.as_ref().map(Puzzle::grid).or(record.solution.as_ref().map(Solution::grid));
                let Some(grid) = grid else { return Ok(()) };
                line.clear();
                text::push_line(line, grid);
                line.push('\n');
                out.write_all(line.as_bytes())
            }
        }
    }

    /// Hands on what was held back, as far as the format allows: for pipes that someone reads while they are written.
    ///
    /// # Errors
    /// What the writer says.
    pub fn flush(&mut self) -> io::Result<()> {
        match self {
            Encoder::Csv(writer) => writer.flush(),
            Encoder::Text(out, _) => out.flush(),
            Encoder::Parquet(_) | Encoder::CsvZst(..) => Ok(()),
        }
    }

    /// Ends the file.
    ///
    /// # Errors
    /// What the writer says.
    pub fn finish(self) -> io::Result<()> {
        match self {
            Encoder::Parquet(writer) => writer.finish(),
            Encoder::CsvZst(writer, metadata) => {
                let mut out = writer.into_inner().map_err(|error| error.into_error())?.finish()?;
                out.write_all(&skippable_frame(&metadata))?;
                out.flush()
            }
            Encoder::Csv(mut writer) => writer.flush(),
            Encoder::Text(mut out, _) => out.flush(),
        }
    }
}

/// A CSV writer that has written the header.
fn csv_writer<W: Write>(out: W) -> io::Result<csv::Writer<W>> {
    let mut writer = csv::WriterBuilder::new().buffer_capacity(1 << 16).from_writer(out);
    writer.write_record(COLUMNS.iter().map(|column| column.name.as_ref())).map_err(csv_error)?;
    Ok(writer)
}

/// One row: an empty field where nothing is known.
fn csv_row<W: Write>(writer: &mut csv::Writer<W>, record: &Record) -> io::Result<()> {
    let mut number = String::new();
    for column in COLUMNS.iter() {
        let written = match column.get(record) {
            Value::Null => writer.write_field(""),
            Value::Text(text) => writer.write_field(text.as_bytes()),
            Value::Flag(flag) => writer.write_field(if flag { "true" } else { "false" }),
            Value::Whole(whole) => writer.write_field(formatted(&mut number, whole)),
            Value::Real(real) => writer.write_field(formatted(&mut number, real)),
        };
        written.map_err(csv_error)?;
    }
    writer.write_record(None::<&[u8]>).map_err(csv_error)
}

/// A number as text, in a buffer that is used again. Real numbers get the shortest text that reads back as the same.
fn formatted(buffer: &mut String, number: impl std::fmt::Display) -> &str {
    use std::fmt::Write as _;
    buffer.clear();
    let written = write!(buffer, "{number}");
    debug_assert!(written.is_ok(), "writing to a string does not fail");
    buffer
}

/// What the CSV writer says: it only fails when the writer below does.
fn csv_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}
