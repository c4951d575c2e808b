//! The formats in which puzzles are exchanged: one table, and one source file for each format that needs more than a line.
//!
//! Syntax: sudocue.net's "File Formats" (`.sdk`, `.sdm`), Sudopedia's "Sudoku Clipboard and File Formats" (`.ss`), the
//! sources of OpenSudoku's import, the README of sudoku-exchange-puzzle-bank, the header of HoDoKu's `reglib`; ipuz.org's
//! specification 2.0; links that Penpa+ 3.0 and SudokuPad write and read.

mod blocks;
mod csv;
mod exchange;
mod ipuz;
mod json;
mod links;
mod open_sudoku;
mod penpa;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

pub use json::schema;

use super::PublishError;
use super::levels::Levels;
use super::numbering::Numbering;
use super::picture::export::{self, PictureKind, Pictures};
use super::puzzles::{Puzzles, Rows};
use sudoku_corpus_core::board::rules::Drawn;
use sudoku_corpus_core::board::{Grid, Puzzle, Shape, text, variants};
use sudoku_corpus_core::names::{self, UnknownName};
use sudoku_corpus_store::corpus::{
    COLUMNS, ColumnType, CorpusError, DatabaseColumn, DatabaseWriter, FileFormat, Output, Outside, Record, RowSink,
    Sealed, Value, corpus_columns, seal_file, write_file,
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
    SudokuPad,
    Penpa,
    Tatham,
    Ipuz,
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
const NINE: Boards = ("9x9", |shape| shape == Shape::NINE);
const UNNAMED: Boards = ("all boards without variants; the file does not name the shape of the boxes", Shape::is_plain);
const SYMBOLS: Boards =
    ("up to order 35, without variants; box shapes as in lines", |shape| shape.is_plain() && shape.order() < 36);
const LINKS: Boards = ("orders 4 to 16, without variants", |shape| shape.is_plain() && shape.order() <= 16);
const RULED_LINKS: Boards = ("orders 4 to 16, with variants", |shape| shape.order() <= 16);
const GAMES: Boards = ("orders 4 to 16, without variants or with x", |shape| {
    shape.order() <= 16 && text::game_of(&Grid::blank(shape)).is_some()
});
const DRAWN: Boards = ("up to order 36, with variants that are drawn", |shape| {
    shape.is_solvable() && variants::of(shape).all(|variant| variant.drawn != Drawn::Nothing)
});

/// Every format, in the order of the documentation.
pub static FORMATS: [FormatInfo; 23] = [
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
    info(Format::FPuzzles, "f-puzzles", &[".fpuzzles.txt"], RULED_LINKS)
        .about("links that open in f-puzzles and SudokuPad, one per line"),
    info(Format::SudokuPad, "sudokupad", &[".sudokupad.txt"], LINKS)
        .about("links of SudokuPad's own kind, with the solution, one per line"),
    info(Format::Penpa, "penpa", &[".penpa.txt"], LINKS).about("links that open in Penpa+ to be solved, one per line"),
    info(Format::Tatham, "tatham", &[".tatham.txt"], GAMES).about("game ids of Simon Tatham's Solo, one per line"),
    info(Format::Ipuz, "ipuz", &[".ipuz"], SYMBOLS).about("ipuz 2: JSON, with the solution; one puzzle per file"),
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
    /// The day of publication, as text, if puzzles have no days of their own. It is never the day of the export.
    pub date: Option<String>,
    /// The numbers, the days and the levels of the puzzles.
    pub numbering: Numbering,
    /// How pictures are made.
    pub pictures: export::Options,
    /// The publisher's own levels, which are written beside HoDoKu's, or in their place where there is room for one.
    pub levels: Option<Levels>,
}

/// A file of an output.
#[derive(Debug)]
pub struct OutFile<'a> {
    /// Its name.
    pub path: PathBuf,
    pub(super) rows: Rows<'a>,
    /// It is a picture of the solution.
    pub(super) solved: bool,
    /// The solutions of its puzzles are in another file.
    pub(super) has_solutions_apart: bool,
}

impl Heading {
    /// The day of a puzzle as text.
    fn date(&self, at: usize) -> Option<String> {
        self.numbering.day(at).map(|day| day.to_string()).or_else(|| self.date.clone())
    }

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
        match self {
            Format::Sdk | Format::Ss | Format::Ipuz => true,
            Format::Picture(kind) => !matches!(kind, PictureKind::Html | PictureKind::Pdf),
            _ => false,
        }
    }
}

impl FromStr for Format {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Format, UnknownName> {
        names::find("format", name, FORMATS.iter().map(|info| (info.name, info.format)))
    }
}

/// Writes puzzles into files, which appear complete or not at all; `-` is the standard output. See [`files`].
///
/// # Errors
/// Boards that the format cannot hold; an error of the operating system.
pub fn write(path: &Path, format: Format, chosen: &Puzzles, heading: &Heading) -> Result<(), PublishError> {
    seal(path, format, chosen, heading)?.into_iter().try_for_each(Sealed::publish)?;
    write_many(path, format, chosen, heading)
}

/// Like [`write()`], but the file, complete and durable, does not have its name yet. None if there are several files, which
/// [`write_many`] writes.
///
/// # Errors
/// The same as for [`write()`].
pub fn seal(path: &Path, format: Format, chosen: &Puzzles, heading: &Heading) -> Result<Option<Sealed>, PublishError> {
    let info = format.info();
    if let Some(other) = chosen.shapes().iter().find(|shape| !(info.holds)(**shape)) {
        let (name, boards) = (info.name, info.boards);
        return Err(PublishError::Request(format!(
            "the format {name} holds {boards}, but a {} was chosen",
            other.board()
        )));
    }
    let files = files(path, format, chosen, heading)?;
    let [only] = &files[..] else { return Ok(None) };
    let pictures = Pictures::of(format, chosen, heading)?;
    seal_one(only, format, pictures.as_ref(), heading).map(Some)
}

/// Writes the files that [`seal`] leaves out because they are too many to be held open until all are complete.
///
/// # Errors
/// The same as for [`write()`].
pub fn write_many(path: &Path, format: Format, chosen: &Puzzles, heading: &Heading) -> Result<(), PublishError> {
    let files = files(path, format, chosen, heading)?;
    if files.len() == 1 {
        return Ok(());
    }
    let pictures = Pictures::of(format, chosen, heading)?;
    let one = |file: &OutFile<'_>| {
        let is_table = heading.pictures.merge.as_ref() == Some(&file.path);
        match &pictures {
            Some(pictures) if is_table => Ok(write_file(&file.path, pictures.merge(&files)?)?),
            pictures => Ok(seal_one(file, format, pictures.as_ref(), heading)?.publish()?),
        }
    };
    files.par_iter().try_for_each(one)
}

fn seal_one(
    file: &OutFile<'_>,
    format: Format,
    pictures: Option<&Pictures<'_>>,
    heading: &Heading,
) -> Result<Sealed, PublishError> {
    let OutFile { path, rows, .. } = file;
    if let (Format::Picture(kind), Some(pictures)) = (format, pictures) {
        return Ok(seal_file(path, pictures.data(kind, file)?)?);
    }
    if let Some(table) = table(format) {
        let mut sink = RowSink::with_outside(path, Some(table), &heading.own_columns())?;
        for row in rows.iter() {
            let mut record = row?.1.record();
            record.outside = heading.own_values(&record);
            sink.write(record)?;
        }
        return Ok(sink.seal()?);
    }
    let mut out = Output::create(path)?;
    let refused = |source| CorpusError::Io { doing: "write", path: path.to_owned(), source };
    write_to(&mut out, format, rows, heading).map_err(refused)?;
    Ok(out.seal()?)
}

/// Writes puzzles. Nothing is written for Parquet, `csv.zst` and pictures, which have writers of their own.
fn write_to(out: &mut dyn Write, format: Format, rows: &Rows<'_>, heading: &Heading) -> io::Result<()> {
    match format {
        Format::Lines => lines(out, rows, "", ""),
        Format::Hodoku => lines(out, rows, ":0000:x:", ":::"),
        Format::Tatham => games(out, rows),
        Format::Csv => csv::plain(out, rows, heading),
        Format::Kaggle => csv::kaggle(out, rows),
        Format::JsonLines => json::lines(out, rows, heading),
        Format::Json => json::array(out, rows, heading),
        Format::Sdk => blocks::sdk(out, rows, heading),
        Format::Ss => blocks::ss(out, rows),
        Format::OpenSudoku => open_sudoku::write(out, rows, heading),
        Format::Exchange => exchange::write(out, rows),
        Format::FPuzzles => links::f_puzzles(out, rows, heading),
        Format::SudokuPad => links::sudoku_pad(out, rows, heading),
        Format::Penpa => penpa::write(out, rows, heading),
        Format::Ipuz => ipuz::write(out, rows, heading),
        Format::Sqlite => database(out, rows, heading),
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

/// The files of an output, with their puzzles. Puzzles for which the names in braces ([`Numbering::file`]) give the same
/// name are in one file. In formats with a single puzzle in a file, and in PDF, `%` is the number too. The last file is
/// the table of pictures, if there is one.
///
/// # Errors
/// Unknown names in braces; several puzzles for a file that holds one.
pub fn files<'a>(
    path: &Path,
    format: Format,
    chosen: &'a Puzzles,
    heading: &Heading,
) -> Result<Vec<OutFile<'a>>, PublishError> {
    let pictures = &heading.pictures;
    let percent = format.is_single() || format == Format::Picture(PictureKind::Pdf);
    let name = match path.file_name().filter(|_| percent) {
        Some(name) => path.with_file_name(name.to_string_lossy().replacen('%', "{number}", 1)),
        None => path.to_owned(),
    };
    let name = name.to_string_lossy();
    heading.numbering.check("--out", &name)?;
    let mut files: BTreeMap<PathBuf, Rows<'_>> = BTreeMap::new();
    if chosen.is_empty() || !name.contains('{') {
        files.insert(path.to_owned(), Rows::all(chosen));
    } else {
        for (at, one) in chosen.iter().enumerate() {
            let path = heading.numbering.file(&name, at, chosen.len(), &one?.record());
            files.entry(path).or_insert_with(|| Rows::none(chosen)).add(at);
        }
    }
    let mut files: Vec<OutFile<'_>> = files
        .into_iter()
        .map(|(path, rows)| OutFile { path, rows, solved: false, has_solutions_apart: false })
        .collect();
    let crowded =
        |file: &&OutFile<'_>| file.rows.places().nth(1).is_some() && format.is_single() && file.path != Path::new("-");
    if let Some(file) = files.iter().find(crowded) {
        return Err(PublishError::Request(format!(
            "{}: such a file holds one puzzle; write % for the number in its name, as in puzzle-%.sdk",
            file.path.display()
        )));
    }
    if !matches!(format, Format::Picture(_)) {
        return Ok(files);
    }
    let each = (format.is_single() || percent && ["{number}", "{date}"].iter().any(|one| name.contains(one)))
        && path != Path::new("-");
    if each && pictures.with_solutions {
        let solution = |file: &OutFile<'a>| {
            let path = &file.path;
            let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            let end = path.extension().map(|end| format!(".{}", end.to_string_lossy())).unwrap_or_default();
            let path = path.with_file_name(format!("{name}-solution{end}"));
            OutFile { path, rows: file.rows.clone(), solved: true, has_solutions_apart: false }
        };
        let solutions: Vec<OutFile<'_>> = files.iter().map(solution).collect();
        files.iter_mut().for_each(|file| file.has_solutions_apart = true);
        files.extend(solutions);
    }
    match &pictures.merge {
        None => {}
        Some(table) if each => files.push(OutFile {
            path: table.clone(),
            rows: Rows::none(chosen),
            solved: false,
            has_solutions_apart: false,
        }),
        Some(_) => {
            let wrong = "--merge lists a picture for each puzzle: write % for the number in the name of the output";
            return Err(PublishError::Request(wrong.to_owned()));
        }
    }
    Ok(files)
}

/// A database with every column.
fn database(out: &mut dyn Write, rows: &Rows<'_>, heading: &Heading) -> io::Result<()> {
    let about = |column: Outside| DatabaseColumn {
        about: "the publisher's own level of the puzzle, by name or by rank from 1".to_owned(),
        name: column.name,
        kind: Some(column.kind),
        unit: String::new(),
    };
    let own = heading.own_columns().into_iter().map(about);
    let columns: Vec<DatabaseColumn> = corpus_columns().into_iter().chain(own).collect();
    let mut database = DatabaseWriter::new(out, "puzzles", &columns)?;
    for row in rows.iter() {
        let record = row?.1.record();
        database.write(COLUMNS.iter().map(|column| column.get(&record)).chain(heading.own_values(&record)))?;
    }
    database.finish()
}

/// Boards in lines, each between a prefix and a suffix.
/// Writes one game id of Simon Tatham's Solo per line.
fn games(out: &mut dyn Write, rows: &Rows<'_>) -> io::Result<()> {
    puzzles(rows).try_for_each(|puzzle| writeln!(out, "{}", text::game_of(puzzle?.grid()).unwrap_or_default()))
}

fn lines(out: &mut dyn Write, rows: &Rows<'_>, before: &str, after: &str) -> io::Result<()> {
    let mut line = String::new();
    for puzzle in puzzles(rows) {
        let puzzle = puzzle?;
        line.clear();
        line.push_str(before);
        text::push_line(&mut line, puzzle.grid());
        line.push_str(after);
        line.push('\n');
        out.write_all(line.as_bytes())?;
    }
    Ok(())
}

fn puzzles(rows: &Rows<'_>) -> impl Iterator<Item = io::Result<Puzzle>> {
    rows.iter().filter_map(|row| row.map(|(_, chosen)| chosen.puzzle()).transpose())
}

/// A board in a line with `0` for blank cells.
fn with_zeros(grid: &Grid) -> String {
    text::line(grid).replace('.', "0")
}

#[cfg(test)]
mod tests;
