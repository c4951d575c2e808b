//! The formats in which puzzles are exchanged: one table, and one source file for each format that needs more than a line.
//!
//! Syntax: sudocue.net's "File Formats" (`.sdk`, `.sdm`), Sudopedia's "Sudoku Clipboard and File Formats" (`.ss`), the
//! sources of OpenSudoku's import, the README of sudoku-exchange-puzzle-bank, the header of HoDoKu's `reglib`.

mod blocks;
mod csv;
mod exchange;
mod json;
mod links;
mod open_sudoku;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

pub use json::schema;

use super::chosen::Chosen;
use super::levels::Levels;
use super::picture::export::{self, PictureKind};
use super::{PublishError, seal_data};
use sudoku_corpus_core::board::{Grid, Shape, text};
use sudoku_corpus_core::names::{self, UnknownName};
use sudoku_corpus_store::corpus::{
    COLUMNS, ColumnType, CorpusError, DatabaseColumn, DatabaseWriter, FileFormat, Output, Outside, Record, RowSink,
    Sealed, Value, corpus_columns,
};

/// A format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the table says what each format is")]
pub enum Format {
    Lines,
    Csv,
    Kaggle,
    JsonLines,
    Json,
    Sdk,
    Ss,
    OpenSudoku,
    Exchange,
    Hodoku,
    FPuzzles,
    Parquet,
    CsvZst,
    Sqlite,
    Picture(PictureKind),
}

/// The name and the properties of a format.
#[derive(Debug)]
pub struct FormatInfo {
    /// The format.
    pub format: Format,
    /// Its name on the command line.
    pub name: &'static str,
    /// The endings of its file names.
    pub ends: &'static [&'static str],
    /// What it is.
    pub about: &'static str,
    /// The boards that it can hold, in words.
    pub boards: &'static str,
    /// True if it can hold boards of a shape.
    pub holds: fn(Shape) -> bool,
}

/// Boards that a format can hold: in words, and for a shape.
type Boards = (&'static str, fn(Shape) -> bool);
const ALL: Boards = ("all boards", |_| true);
const NINE: Boards = ("9x9", |shape| matches!(shape, Shape::NINE));
const UNNAMED: Boards = ("all boards; the file does not name the shape of the boxes", |_| true);
const SYMBOLS: Boards = ("up to order 35; box shapes as in lines", |shape| shape.order() < 36);
const LINKS: Boards = ("orders 4 to 16", |shape| shape.order() <= 16);
const DRAWN: Boards = ("up to order 36", |shape| shape.is_solvable());

/// Every format, in the order of the documentation.
pub static FORMATS: [FormatInfo; 19] = [
    info(Format::Lines, "lines", &[".sdm", ".txt"], UNNAMED).about("one board per line, '.' for a blank cell"),
    info(Format::Csv, "csv", &[".csv"], ALL)
        .about("a table: id,puzzle,solution,clues,difficulty,score,hardest,er,symmetry,shape,class"),
    info(Format::Kaggle, "kaggle", &[".kaggle.csv"], SYMBOLS)
        .about("a table: puzzle,solution, '0' for a blank cell, as in the well-known sets of millions"),
    info(Format::JsonLines, "jsonl", &[".jsonl", ".ndjson"], ALL)
        .about("one object per line: puzzle, solution, ratings, techniques; `export --schema` prints its JSON Schema"),
    info(Format::Json, "json", &[".json"], ALL).about("an array of the objects of jsonl, one per line"),
    info(Format::Sdk, "sdk", &[".sdk"], NINE)
        .about("SadMan Software's Sudoku: headers and a block; one puzzle per file"),
    info(Format::Ss, "ss", &[".ss"], NINE).about("Simple Sudoku: a framed block; one puzzle per file"),
    info(Format::OpenSudoku, "opensudoku", &[".opensudoku", ".xml"], NINE)
        .about("OpenSudoku for Android: XML, version 1"),
    info(Format::Exchange, "exchange", &[".exchange.txt"], NINE)
        .about("Sudoku Exchange's puzzle bank: 100 bytes per puzzle, with ER, which is computed if the row has none"),
    info(Format::Hodoku, "hodoku", &[".hodoku.txt"], NINE).about("HoDoKu's library: :0000:x:<cells>:::"),
    info(Format::FPuzzles, "f-puzzles", &[".fpuzzles.txt"], LINKS)
        .about("links that open in f-puzzles and SudokuPad, one per line"),
    info(Format::Parquet, "parquet", &[".parquet"], ALL).about("every column of a corpus"),
    info(Format::CsvZst, "csv.zst", &[".csv.zst"], ALL).about("every column of a corpus, as CSV in zstd"),
    info(Format::Sqlite, "sqlite", &[".sqlite", ".db"], ALL).about(
        "a database of SQLite: the table puzzles with every column of a corpus, the table columns with their meanings",
    ),
    info(Format::Picture(PictureKind::Svg), "svg", &[".svg"], DRAWN)
        .about("a picture with outlines for digits; one puzzle per file"),
    info(Format::Picture(PictureKind::Pdf), "pdf", &[".pdf"], DRAWN)
        .about("one picture per page with outlines for digits; one puzzle per file with % in its name"),
    info(Format::Picture(PictureKind::Png), "png", &[".png"], DRAWN)
        .about("a picture of pixels, --dpi; one puzzle per file"),
    info(Format::Picture(PictureKind::Eps), "eps", &[".eps"], DRAWN)
        .about("a picture in PostScript with outlines for digits; one puzzle per file"),
    info(Format::Picture(PictureKind::Html), "html", &[".html"], DRAWN)
        .about("a sheet of puzzles to print at home, with --with-solutions"),
];

const fn info(format: Format, name: &'static str, ends: &'static [&'static str], boards: Boards) -> FormatInfo {
    FormatInfo { format, name, ends, about: "", boards: boards.0, holds: boards.1 }
}

impl FormatInfo {
    const fn about(self, about: &'static str) -> FormatInfo {
        FormatInfo { about, ..self }
    }
}

/// The text above the puzzles, in formats that have a place for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heading {
    /// Title of the collection.
    pub title: Option<String>,
    /// Who made it.
    pub author: Option<String>,
    /// The source of the puzzles.
    pub source: Option<String>,
    /// The day of publication, as text. It is never the day of the export.
    pub date: Option<String>,
    /// How pictures are made.
    pub pictures: export::Options,
    /// The publisher's own levels, which are written beside HoDoKu's, or in their place where there is room for one.
    pub levels: Option<Levels>,
}

impl Heading {
    /// The name and the rank, from 1, of the publisher's own level of a row.
    fn own_level(&self, record: &Record) -> Option<(String, u32)> {
        let levels = self.levels.as_ref()?;
        let at = levels.of(record)?;
        let level = &levels.bands()[at];
        Some((level.texts.as_ref().map_or(&level.key, |(name, _)| name).clone(), at as u32 + 1))
    }

    /// The columns for the publisher's own levels in tables with every column.
    fn own_columns(&self) -> Vec<Outside> {
        let column = |(name, kind): (&str, ColumnType)| Outside { name: name.to_owned(), kind };
        let columns = [("own_level", ColumnType::Text), ("own_level_rank", ColumnType::Unsigned32)];
        columns.map(column).into_iter().filter(|_| self.levels.is_some()).collect()
    }

    /// The values of these columns.
    fn own_values(&self, record: &Record) -> Vec<Value<'static>> {
        let (name, rank) = self.own_level(record).unzip();
        let name = name.map_or(Value::Null, |name| Value::Text(name.into()));
        let rank = rank.map_or(Value::Null, |rank| Value::Unsigned(rank.into()));
        [name, rank].into_iter().filter(|_| self.levels.is_some()).collect()
    }

    /// The level of a row, by its name: the publisher's own, or HoDoKu's if there are no others.
    fn level(&self, record: &Record) -> Option<String> {
        match self.levels {
            Some(_) => self.own_level(record).map(|(name, _)| name),
            None => record.level.map(|level| level.name().to_owned()),
        }
    }
}

impl Format {
    /// Its line of the table.
    pub fn info(self) -> &'static FormatInfo {
        FORMATS.iter().find(|info| info.format == self).unwrap_or(&FORMATS[0])
    }

    /// The format of a file name: the one with the longest ending that fits.
    pub fn of_name(path: &Path) -> Option<Format> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let ends = FORMATS.iter().flat_map(|info| info.ends.iter().map(move |end| (info.format, end)));
        ends.filter(|(_, end)| name.ends_with(**end)).max_by_key(|(_, end)| end.len()).map(|(format, _)| format)
    }

    /// True if the format has values that a selection does not read by default, so that every column must be read for
    /// it.
    pub fn is_whole(self) -> bool {
        matches!(self, Format::JsonLines | Format::Json | Format::Parquet | Format::CsvZst | Format::Sqlite)
    }

    /// True if a file holds one puzzle only.
    fn is_single(self) -> bool {
        matches!(self, Format::Sdk | Format::Ss)
    }
}

impl FromStr for Format {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Format, UnknownName> {
        names::find("format", name, FORMATS.iter().map(|info| (info.name, info.format)))
    }
}

/// Writes puzzles into a file, which appears complete or not at all; `-` is the standard output. If a file holds a single
/// puzzle and there are several, `%` in its name is replaced by the number of the puzzle.
///
/// # Errors
/// Boards that the format cannot hold; an error of the operating system.
pub fn write(path: &Path, format: Format, chosen: &[Chosen], heading: &Heading) -> Result<(), PublishError> {
    seal(path, format, chosen, heading)?.into_iter().try_for_each(Sealed::publish)?;
    write_many(path, format, chosen, heading)
}

/// Like [`write()`], but the files, complete and durable, do not have their names yet.
///
/// # Errors
/// The same as for [`write()`].
pub fn seal(path: &Path, format: Format, chosen: &[Chosen], heading: &Heading) -> Result<Vec<Sealed>, PublishError> {
    let info = format.info();
    if let Some(other) = chosen.iter().map(Chosen::shape).find(|shape| !(info.holds)(*shape)) {
        let (name, boards) = (info.name, info.boards);
        return Err(PublishError::Request(format!(
            "the format {name} holds {boards}, but a {} was chosen",
            other.board()
        )));
    }
    if let Some(table) = table(format) {
        let mut sink = RowSink::with_outside(path, Some(table), &heading.own_columns())?;
        for mut record in chosen.iter().map(Chosen::record) {
            record.outside = heading.own_values(&record);
            sink.write(record)?;
        }
        return Ok(vec![sink.seal()?]);
    }
    if is_many(path, format, chosen.len(), heading) {
        return Ok(Vec::new());
    }
    if let Format::Picture(kind) = format {
        return Ok(vec![seal_data(path, &export::together(path, kind, chosen, &heading.pictures)?)?]);
    }
    Ok(vec![seal_file(path, format, chosen, 0, heading)?])
}

/// Writes the files that [`seal`] leaves out: one for each puzzle, too many to be held open until all are complete.
///
/// # Errors
/// The same as for [`write()`].
pub fn write_many(path: &Path, format: Format, chosen: &[Chosen], heading: &Heading) -> Result<(), PublishError> {
    match format {
        _ if !is_many(path, format, chosen.len(), heading) => Ok(()),
        Format::Picture(kind) => export::write(path, kind, chosen, &heading.pictures),
        _ => chosen.iter().enumerate().try_for_each(|(at, one)| {
            let name = numbered(path, at, chosen.len())?;
            Ok(seal_file(&name, format, std::slice::from_ref(one), at, heading)?.publish()?)
        }),
    }
}

/// True if each puzzle gets a file of its own.
fn is_many(path: &Path, format: Format, count: usize, heading: &Heading) -> bool {
    path != Path::new("-")
        && match format {
            Format::Picture(kind) => !export::is_one(path, kind, count, &heading.pictures),
            _ => format.is_single() && count > 1,
        }
}

fn seal_file(
    path: &Path,
    format: Format,
    chosen: &[Chosen],
    first: usize,
    heading: &Heading,
) -> Result<Sealed, PublishError> {
    let mut out = Output::create(path)?;
    let refused = |source| CorpusError::Io { doing: "write", path: path.to_owned(), source };
    write_to(&mut out, format, chosen, first, heading).map_err(refused)?;
    Ok(out.seal()?)
}

/// Writes puzzles. `first` is the number of the first one, from 0. Nothing is written for Parquet, `csv.zst` and
/// pictures, which have writers of their own.
fn write_to(out: &mut dyn Write, format: Format, chosen: &[Chosen], first: usize, heading: &Heading) -> io::Result<()> {
    match format {
        Format::Lines => lines(out, chosen, "", ""),
        Format::Hodoku => lines(out, chosen, ":0000:x:", ":::"),
        Format::Csv => csv::plain(out, chosen, first, heading),
        Format::Kaggle => csv::kaggle(out, chosen),
        Format::JsonLines => json::lines(out, chosen, first, heading),
        Format::Json => json::array(out, chosen, first, heading),
        Format::Sdk => blocks::sdk(out, chosen, first, heading),
        Format::Ss => blocks::ss(out, chosen),
        Format::OpenSudoku => open_sudoku::write(out, chosen, heading),
        Format::Exchange => exchange::write(out, chosen),
        Format::FPuzzles => links::write(out, chosen, first, heading),
        Format::Sqlite => database(out, chosen, heading),
        Format::Parquet | Format::CsvZst | Format::Picture(_) => Ok(()),
    }
}

/// The corpus format that is the same as a format, if there is one.
fn table(format: Format) -> Option<FileFormat> {
    match format {
        Format::Parquet => Some(FileFormat::Parquet),
        Format::CsvZst => Some(FileFormat::CsvZst),
        _ => None,
    }
}

/// The files for a number of puzzles.
///
/// # Errors
/// A name without `%` for several files.
pub fn files(path: &Path, format: Format, count: usize, heading: &Heading) -> Result<Vec<PathBuf>, PublishError> {
    match format {
        Format::Picture(kind) => {
            let (puzzles, solutions) = export::names(path, kind, count, &heading.pictures)?;
            Ok(puzzles.into_iter().chain(solutions).chain(heading.pictures.merge.clone()).collect())
        }
        _ if format.is_single() && count > 1 && path != Path::new("-") => {
            (0..count).map(|at| numbered(path, at, count)).collect()
        }
        _ => Ok(vec![path.to_owned()]),
    }
}

/// The name of the file of one of several puzzles.
pub(super) fn numbered(path: &Path, at: usize, of: usize) -> Result<PathBuf, PublishError> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if !name.contains('%') {
        return Err(PublishError::Request(format!(
            "{}: such a file holds one puzzle; write % for the number in its name, as in puzzle-%.sdk",
            path.display()
        )));
    }
    let width = of.to_string().len();
    Ok(path.with_file_name(name.replacen('%', &format!("{:0width$}", at + 1), 1)))
}

/// A database with every column.
fn database(out: &mut dyn Write, chosen: &[Chosen], heading: &Heading) -> io::Result<()> {
    let about = |column: Outside| DatabaseColumn {
        about: "the publisher's own level of the puzzle, by name or by rank from 1".to_owned(),
        name: column.name,
        kind: Some(column.kind),
        unit: String::new(),
    };
    let own = heading.own_columns().into_iter().map(about);
    let columns: Vec<DatabaseColumn> = corpus_columns().into_iter().chain(own).collect();
    let mut database = DatabaseWriter::new(out, "puzzles", &columns)?;
    for chosen in chosen {
        let record = chosen.record();
        database.write(COLUMNS.iter().map(|column| column.get(&record)).chain(heading.own_values(&record)))?;
    }
    database.finish()
}

/// Boards in lines, each between a prefix and a suffix.
fn lines(out: &mut dyn Write, chosen: &[Chosen], before: &str, after: &str) -> io::Result<()> {
    let mut line = String::new();
    for puzzle in chosen.iter().filter_map(Chosen::puzzle) {
        line.clear();
        line.push_str(before);
        text::push_line(&mut line, puzzle.grid());
        line.push_str(after);
        line.push('\n');
        out.write_all(line.as_bytes())?;
    }
    Ok(())
}

/// A board in a line with `0` for blank cells.
fn with_zeros(grid: &Grid) -> String {
    text::line(grid).replace('.', "0")
}

#[cfg(test)]
mod tests;
