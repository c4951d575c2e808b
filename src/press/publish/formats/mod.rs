//! The formats in which puzzles are exchanged: one table, and one source file for each format that needs more than a line.
//!
//! | name | file | what |
//! |---|---|---|
//! | `lines` | here | one board per line |
//! | `csv`, `kaggle` | [`csv`] | tables |
//! | `jsonl` | [`json`] | JSON lines, with a JSON Schema |
//! | `sdk`, `ss` | [`blocks`] | a block per puzzle |
//! | `opensudoku` | [`open_sudoku`] | XML |
//! | `exchange` | [`exchange`] | 100 bytes per puzzle |
//! | `hodoku` | here | HoDoKu's library lines |
//! | `f-puzzles` | [`links`] | links that open a puzzle in a browser |
//! | `sqlite` | here | a database: every column, and their descriptions |
//! | `parquet`, `csv.zst` | the writers of corpora | every column |
//! | `svg`, `pdf`, `png`, `eps`, `html` | [`picture`](super::picture) | pictures |
//!
//! Syntax: sudocue.net's "File Formats" (`.sdk`, `.sdm`), Sudopedia's "Sudoku Clipboard and File Formats" (`.ss`), the
//! sources of OpenSudoku's import, the README of sudoku-exchange-puzzle-bank, the header of HoDoKu's `reglib`.

pub mod blocks;
pub mod csv;
pub mod exchange;
pub mod json;
pub mod links;
pub mod open_sudoku;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::chosen::Chosen;
use super::picture::export::{self, PictureKind};
use super::{PublishError, seal_data};
use sudoku_corpus_core::board::{Shape, text};
use sudoku_corpus_store::corpus::{
    COLUMNS, CorpusError, DatabaseWriter, FileFormat, Output, RowSink, Sealed, corpus_columns,
};

/// A format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One board per line.
    Lines,
    /// A table with the columns that most readers want.
    Csv,
    /// A table of puzzles and solutions.
    Kaggle,
    /// JSON lines.
    JsonLines,
    /// SadMan Software's Sudoku.
    Sdk,
    /// Simple Sudoku.
    Ss,
    /// OpenSudoku.
    OpenSudoku,
    /// Sudoku Exchange's bank.
    Exchange,
    /// HoDoKu's library.
    Hodoku,
    /// Links to f-puzzles.
    FPuzzles,
    /// Every column, as Parquet.
    Parquet,
    /// Every column, as CSV in zstd.
    CsvZst,
    /// Every column, as a database of SQLite.
    Sqlite,
    /// A picture of a puzzle.
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
    /// A file holds one puzzle only.
    pub single: bool,
}

/// Every format, in the order of the documentation.
pub static FORMATS: [FormatInfo; 18] = [
    FormatInfo {
        format: Format::Lines,
        name: "lines",
        ends: &[".sdm", ".txt"],
        about: "one board per line, '.' for a blank cell",
        boards: "all boards; the file does not name the shape of the boxes",
        holds: any,
        single: false,
    },
    FormatInfo {
        format: Format::Csv,
        name: "csv",
        ends: &[".csv"],
        about: "a table: id,puzzle,solution,clues,difficulty,score,hardest,er,symmetry,shape,class",
        boards: "all boards",
        holds: any,
        single: false,
    },
    FormatInfo {
        format: Format::Kaggle,
        name: "kaggle",
        ends: &[".kaggle.csv"],
        about: "a table: puzzle,solution, '0' for a blank cell, as in the well-known sets of millions",
        boards: "up to order 35; box shapes as in lines",
        holds: |shape| shape.order() < 36,
        single: false,
    },
    FormatInfo {
        format: Format::JsonLines,
        name: "jsonl",
        ends: &[".jsonl", ".ndjson"],
        about: "one object per line: puzzle, solution, ratings, techniques; `export --schema` prints its JSON Schema",
        boards: "all boards",
        holds: any,
        single: false,
    },
    FormatInfo {
        format: Format::Sdk,
        name: "sdk",
        ends: &[".sdk"],
        about: "SadMan Software's Sudoku: headers and a block; one puzzle per file",
        boards: "9x9",
        holds: nine,
        single: true,
    },
    FormatInfo {
        format: Format::Ss,
        name: "ss",
        ends: &[".ss"],
        about: "Simple Sudoku: a framed block; one puzzle per file",
        boards: "9x9",
        holds: nine,
        single: true,
    },
    FormatInfo {
        format: Format::OpenSudoku,
        name: "opensudoku",
        ends: &[".opensudoku", ".xml"],
        about: "OpenSudoku for Android: XML, version 1",
        boards: "9x9",
        holds: nine,
        single: false,
    },
    FormatInfo {
        format: Format::Exchange,
        name: "exchange",
        ends: &[".exchange.txt"],
        about: "Sudoku Exchange's puzzle bank: 100 bytes per puzzle, with ER, which is computed if the row has none",
        boards: "9x9",
        holds: nine,
        single: false,
    },
    FormatInfo {
        format: Format::Hodoku,
        name: "hodoku",
        ends: &[".hodoku.txt"],
        about: "HoDoKu's library: :0000:x:<cells>:::",
        boards: "9x9",
        holds: nine,
        single: false,
    },
    FormatInfo {
        format: Format::FPuzzles,
        name: "f-puzzles",
        ends: &[".fpuzzles.txt"],
        about: "links that open in f-puzzles and SudokuPad, one per line",
        boards: "orders 4 to 16",
        holds: |shape| shape.order() <= 16,
        single: false,
    },
    FormatInfo {
        format: Format::Parquet,
        name: "parquet",
        ends: &[".parquet"],
        about: "every column of a corpus",
        boards: "all boards",
        holds: any,
        single: false,
    },
    FormatInfo {
        format: Format::CsvZst,
        name: "csv.zst",
        ends: &[".csv.zst"],
        about: "every column of a corpus, as CSV in zstd",
        boards: "all boards",
        holds: any,
        single: false,
    },
    FormatInfo {
        format: Format::Sqlite,
        name: "sqlite",
        ends: &[".sqlite", ".db"],
        about: "a database of SQLite: the table puzzles with every column of a corpus, the table columns with their meanings",
        boards: "all boards",
        holds: any,
        single: false,
    },
    picture(PictureKind::Svg, "svg", &[".svg"], "a picture with outlines for digits; one puzzle per file"),
    picture(
        PictureKind::Pdf,
        "pdf",
        &[".pdf"],
        "one picture per page with outlines for digits; one puzzle per file with % in its name",
    ),
    picture(PictureKind::Png, "png", &[".png"], "a picture of pixels, --dpi; one puzzle per file"),
    picture(
        PictureKind::Eps,
        "eps",
        &[".eps"],
        "a picture in PostScript with outlines for digits; one puzzle per file",
    ),
    picture(PictureKind::Html, "html", &[".html"], "a sheet of puzzles to print at home, with --with-solutions"),
];

const fn picture(
    kind: PictureKind,
    name: &'static str,
    ends: &'static [&'static str],
    about: &'static str,
) -> FormatInfo {
    // One file may hold all pictures; `write` decides this.
    let format = Format::Picture(kind);
    FormatInfo {
        format,
        name,
        ends,
        about,
        boards: "up to order 36",
        holds: |shape| shape.is_solvable(),
        single: false,
    }
}

fn any(_: Shape) -> bool {
    true
}

fn nine(shape: Shape) -> bool {
    shape == Shape::NINE
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
        matches!(self, Format::JsonLines | Format::Parquet | Format::CsvZst | Format::Sqlite)
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(name: &str) -> Result<Format, String> {
        let found = FORMATS.iter().find(|info| info.name == name);
        found.map(|info| info.format).ok_or_else(|| {
            let names: Vec<&str> = FORMATS.iter().map(|info| info.name).collect();
            format!("known formats: {}", names.join(", "))
        })
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
        return Err(PublishError::Wish(format!(
            "the format {name} holds {boards}, but a {} was chosen",
            other.board()
        )));
    }
    if let Some(table) = table(format) {
        let mut sink = RowSink::create(path, Some(table))?;
        for chosen in chosen {
            sink.write(chosen.record())?;
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
            _ => format.info().single && count > 1,
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
///
/// # Errors
/// The writer fails.
pub fn write_to(
    out: &mut dyn Write,
    format: Format,
    chosen: &[Chosen],
    first: usize,
    heading: &Heading,
) -> io::Result<()> {
    match format {
        Format::Lines => lines(out, chosen, "", ""),
        Format::Hodoku => lines(out, chosen, ":0000:x:", ":::"),
        Format::Csv => csv::plain(out, chosen, first),
        Format::Kaggle => csv::kaggle(out, chosen),
        Format::JsonLines => json::write(out, chosen, first),
        Format::Sdk => blocks::sdk(out, chosen, first, heading),
        Format::Ss => blocks::ss(out, chosen),
        Format::OpenSudoku => open_sudoku::write(out, chosen, heading),
        Format::Exchange => exchange::write(out, chosen),
        Format::FPuzzles => links::write(out, chosen, first, heading),
        Format::Sqlite => database(out, chosen),
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
        _ if format.info().single && count > 1 && path != Path::new("-") => {
            (0..count).map(|at| numbered(path, at, count)).collect()
        }
        _ => Ok(vec![path.to_owned()]),
    }
}

/// The name of the file of one of several puzzles.
pub(super) fn numbered(path: &Path, at: usize, of: usize) -> Result<PathBuf, PublishError> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if !name.contains('%') {
        return Err(PublishError::Wish(format!(
            "{}: such a file holds one puzzle; write % for the number in its name, as in puzzle-%.sdk",
            path.display()
        )));
    }
    let width = of.to_string().len();
    Ok(path.with_file_name(name.replacen('%', &format!("{:0width$}", at + 1), 1)))
}

/// A database with every column.
fn database(out: &mut dyn Write, chosen: &[Chosen]) -> io::Result<()> {
    let mut database = DatabaseWriter::new(out, "puzzles", &corpus_columns())?;
    for chosen in chosen {
        let record = chosen.record();
        database.write(COLUMNS.iter().map(|column| column.get(&record)))?;
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
fn with_zeros(grid: &sudoku_corpus_core::board::Grid) -> String {
    text::line(grid).replace('.', "0")
}

#[cfg(test)]
mod tests;
