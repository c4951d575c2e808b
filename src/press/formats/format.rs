//! Defines the table of formats.

use std::path::Path;
use std::str::FromStr;

use crate::choice::rows::puzzles::Puzzles;
use crate::draw::rules::Told;
use crate::error::PublishError;
use crate::picture::kind::PictureKind;
use sudoku_corpus_core::board::{Grid, Reason, Shape, text};
use sudoku_corpus_core::names;

/// A format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the table says what each format is")]
pub enum Format {
    Lines,
    Csv,
    JsonLines,
    Json,
    Sdk,
    OpenSudoku,
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

/// A format of earlier versions.
struct Gone {
    name: &'static str,
    end: &'static str,
    /// What does its work now.
    instead: &'static str,
}

const GONE: [Gone; 4] = [
    Gone {
        name: "kaggle",
        end: ".kaggle.csv",
        instead: "`query \"SELECT replace(puzzle, '.', '0') AS puzzle, solution FROM puzzles\" CORPUS --out puzzles.csv` writes the same table",
    },
    Gone { name: "ss", end: ".ss", instead: "`sdk` holds the same board" },
    Gone { name: "exchange", end: ".exchange.txt", instead: "`csv` has the columns puzzle and er" },
    Gone { name: "eps", end: ".eps", instead: "`svg` and `pdf` hold the same picture" },
];

impl Gone {
    fn reason(&self) -> Reason {
        Reason(format!("the format {} is gone: {}", self.name, self.instead))
    }
}

/// Boards that a format can hold.
struct Boards {
    /// In words.
    about: &'static str,
    holds: fn(Shape) -> bool,
}

const ALL: Boards = Boards { about: "all boards", holds: |_| true };
const NINE: Boards = Boards { about: "9x9 without variants", holds: |shape| shape == Shape::NINE };
const UNNAMED: Boards = Boards {
    about: "all boards without variants; the file does not name the shape of the boxes",
    holds: |shape| Told::Nothing.holds(shape).is_ok(),
};
const ZONES: Boards = Boards {
    about: "up to order 35, without variants but jigsaw",
    holds: |shape| Told::Regions.holds(shape).is_ok() && shape.order() < 36,
};
const DIVIDED: Boards = Boards {
    about: "orders 4 to 16, without variants but jigsaw, each region in one piece",
    holds: |shape| Told::Borders.holds(shape).is_ok() && shape.order() <= 16,
};
const RULED_LINKS: Boards = Boards { about: "orders 4 to 16, with variants", holds: |shape| shape.order() <= 16 };
const GAMES: Boards = Boards {
    about: "orders 4 to 16, without variants or with x, jigsaw, each region in one piece",
    holds: |shape| {
        shape.order() <= 16
            && Told::DrawingAndWords.holds(shape).is_ok()
            && (shape.is_any_jigsaw() || text::game_of(&Grid::blank(shape)).is_some())
    },
};
const DRAWN: Boards = Boards {
    about: "up to order 36, with variants that a drawing can show",
    holds: |shape| shape.is_solvable() && Told::Drawing.holds(shape).is_ok(),
};
const SAID: Boards = Boards {
    about: "up to order 36, with variants; their rules stand above the puzzles, or at each puzzle if boards are of several kinds",
    holds: |shape| shape.is_solvable() && Told::DrawingAndWords.holds(shape).is_ok(),
};

/// Every format, in the order of the documentation.
pub static FORMATS: [FormatInfo; 19] = [
    info(Format::Lines, "lines", &[".sdm", ".txt"], UNNAMED).about("one board per line, '.' for an empty cell"),
    info(Format::Csv, "csv", &[".csv"], ALL)
        .about("a table: id,puzzle,solution,clues,level,hodoku_score,hardest,er,symmetry,shape,class"),
    info(Format::JsonLines, "jsonl", &[".jsonl", ".ndjson"], ALL)
        .about("one object per line: puzzle, solution, ratings, techniques; `list schema` prints its JSON Schema"),
    info(Format::Json, "json", &[".json"], ALL).about("an array of the objects of jsonl, one per line"),
    info(Format::Sdk, "sdk", &[".sdk"], NINE)
        .about("SadMan Software's Sudoku: headers and a block; one puzzle per file"),
    info(Format::OpenSudoku, "opensudoku", &[".opensudoku", ".xml"], NINE)
        .about("OpenSudoku for Android: XML, version 1"),
    info(Format::Hodoku, "hodoku", &[".hodoku.txt"], NINE).about("HoDoKu's library: :0000:x:<cells>:::"),
    info(Format::FPuzzles, "f-puzzles", &[".fpuzzles.txt"], RULED_LINKS)
        .about("links that open in f-puzzles and SudokuPad, one per line"),
    info(Format::SudokuPad, "sudokupad", &[".sudokupad.txt"], RULED_LINKS).about(
        "links that open in SudokuPad, with the solution, one per line; for boards with more rules, links of f-puzzles",
    ),
    info(Format::Penpa, "penpa", &[".penpa.txt"], DIVIDED)
        .about("links that open in Penpa+ to be solved, one per line"),
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
        .about("a picture of pixels; --dpi is its resolution; one puzzle per file"),
    info(Format::Picture(PictureKind::Html), "html", &[".html"], SAID)
        .about("a sheet of puzzles to print at home; with --with-solutions, also the solutions"),
];

const fn info(format: Format, name: &'static str, ends: &'static [&'static str], boards: Boards) -> FormatInfo {
    FormatInfo { format, name, ends, about: "", boards: boards.about, holds: boards.holds }
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
    ///
    /// # Errors
    /// The ending is that of a format that is gone.
    pub fn of_name(path: &Path) -> Result<Option<Format>, Reason> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        if let Some(gone) = GONE.iter().find(|gone| name.ends_with(gone.end)) {
            return Err(gone.reason());
        }
        let ends = FORMATS.iter().flat_map(|info| info.ends.iter().map(move |end| (info.format, end)));
        let fitting = ends.filter(|(_, end)| name.ends_with(**end)).max_by_key(|(_, end)| end.len());
        Ok(fitting.map(|(format, _)| format))
    }

    /// True if the format has values that a selection does not read by default, so every column is read.
    pub fn is_whole(self) -> bool {
        matches!(self, Format::JsonLines | Format::Json | Format::Parquet | Format::CsvZst | Format::Sqlite)
    }

    /// True if a file has a place for a title and an author, and tells levels or rules in words.
    pub fn is_titled(self) -> bool {
        let is_link = matches!(self, Format::FPuzzles | Format::SudokuPad | Format::Penpa);
        is_link || matches!(self, Format::Sdk | Format::OpenSudoku | Format::Ipuz)
    }

    /// True if a file has a place for a source.
    pub fn has_source(self) -> bool {
        matches!(self, Format::Sdk | Format::OpenSudoku | Format::Ipuz)
    }

    /// True if a file has a place for a date.
    pub fn is_dated(self) -> bool {
        self.is_titled() && self != Format::Penpa
    }

    /// True if a file has the number of each puzzle.
    pub fn is_numbered(self) -> bool {
        let is_link = matches!(self, Format::FPuzzles | Format::SudokuPad);
        is_link || self.is_whole() || matches!(self, Format::Csv | Format::Sdk | Format::Ipuz)
    }

    /// Checks that files of the format can hold the boards of puzzles. Of jigsaws, each board is looked at.
    ///
    /// # Errors
    /// The first board that it cannot hold; an error of the operating system.
    pub(crate) fn check(self, chosen: &Puzzles) -> Result<(), PublishError> {
        let FormatInfo { name, boards, holds, .. } = self.info();
        let check = |shape: Shape| match holds(shape) {
            true => Ok(()),
            false => {
                let board = shape.board();
                Err(PublishError::Request(format!(
                    "the format {name} cannot hold puzzles of the {board}; it holds {boards}"
                )))
            }
        };
        chosen.shapes().iter().try_for_each(|shape| check(*shape))?;
        match chosen.shapes().iter().any(|shape| shape.regions().is_some()) {
            true => chosen.iter().try_for_each(|one| check(one?.shape())),
            false => Ok(()),
        }
    }

    pub(crate) fn is_single(self) -> bool {
        match self {
            Format::Sdk | Format::Ipuz => true,
            Format::Picture(kind) => !matches!(kind, PictureKind::Html | PictureKind::Pdf),
            _ => false,
        }
    }
}

impl FromStr for Format {
    type Err = Reason;

    fn from_str(name: &str) -> Result<Format, Reason> {
        if let Some(gone) = GONE.iter().find(|gone| gone.name == name) {
            return Err(gone.reason());
        }
        let names = FORMATS.iter().map(|info| (info.name, info.format));
        let end = name.trim_start_matches('.').to_lowercase();
        names::find("format", name, names).map_err(|unknown| match Format::of_name(Path::new(&format!("x.{end}"))) {
            Ok(Some(format)) => Reason(format!("files .{end} have --format {}", format.info().name)),
            _ => Reason(unknown.to_string()),
        })
    }
}
