//! Defines the table of formats.

use std::path::Path;
use std::str::FromStr;

use crate::publish::picture::kind::PictureKind;
use sudoku_corpus_core::board::rules::Drawn;
use sudoku_corpus_core::board::{Grid, Shape, text, variants};
use sudoku_corpus_core::names::{self, UnknownName};

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
/// All boards. The constants below are the boards of other formats.
const ALL: Boards = ("all boards", |_| true);
const NINE: Boards = ("9x9", |shape| shape == Shape::NINE);
const UNNAMED: Boards = ("all boards without variants; the file does not name the shape of the boxes", Shape::is_plain);
const SYMBOLS: Boards =
    ("up to order 35, without variants; box shapes as in lines", |shape| shape.is_plain() && shape.order() < 36);
const ZONES: Boards =
    ("up to order 35, without variants but jigsaw", |shape| shape == shape.plain() && shape.order() < 36);
/// Boards without further rules: plain ones, and jigsaws.
const DIVIDED: Boards =
    ("orders 4 to 16, without variants but jigsaw", |shape| shape == shape.plain() && shape.order() <= 16);
const RULED_LINKS: Boards = ("orders 4 to 16, with variants", |shape| shape.order() <= 16);
const GAMES: Boards = ("orders 4 to 16, without variants or with x, jigsaw", |shape| {
    shape.order() <= 16 && (shape.is_any_jigsaw() || text::game_of(&Grid::blank(shape)).is_some())
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
    info(Format::SudokuPad, "sudokupad", &[".sudokupad.txt"], RULED_LINKS)
        .about("links that open in SudokuPad, with the solution, one per line; of its own kind for boards without further rules"),
    info(Format::Penpa, "penpa", &[".penpa.txt"], DIVIDED).about("links that open in Penpa+ to be solved, one per line"),
    info(Format::Tatham, "tatham", &[".tatham.txt"], GAMES).about("game ids of Simon Tatham's Solo, one per line"),
    info(Format::Ipuz, "ipuz", &[".ipuz"], ZONES).about("ipuz 2: JSON, with the solution; one puzzle per file"),
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

impl Format {
    /// Its line of the table.
    pub fn info(self) -> &'static FormatInfo {
        FORMATS.iter().find(|info| info.format == self).unwrap_or(&FORMATS[0])
    }

    /// The format of a file name: the one with the longest ending that fits. None if no ending does.
    pub fn of_name(path: &Path) -> Option<Format> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let ends = FORMATS.iter().flat_map(|info| info.ends.iter().map(move |end| (info.format, end)));
        ends.filter(|(_, end)| name.ends_with(**end)).max_by_key(|(_, end)| end.len()).map(|(format, _)| format)
    }

    /// True if the format has values that a selection does not read by default, so every column is read.
    pub fn is_whole(self) -> bool {
        matches!(self, Format::JsonLines | Format::Json | Format::Parquet | Format::CsvZst | Format::Sqlite)
    }

    /// True if a file holds one puzzle only.
    pub(crate) fn is_single(self) -> bool {
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
