//! The forms of texts that are files of their own: a table. The first that takes the beginning of a text reads it.

use std::path::Path;

use super::Reading;
use super::csv_rows::{CsvHeader, CsvRows};
use super::encoding::{self, Head, Text, damaged};
use super::json_rows::{begins_with_json, json_rows};
use super::open_sudoku::GameRows;
use super::rows::Rows;
use super::text_rows::TextRows;
use crate::corpus::values::error::{CorpusError, in_words};
use crate::corpus::values::mapping::NoMapping;
use sudoku_corpus_core::board::text::{self, Form, PuzzleReader, TextItem};

/// Opens a text of a form. The text comes back if it has another form.
pub(super) type OpenForm = fn(Text, &Head<'_>, &Reading) -> Result<OpenedText, String>;

/// A text that was opened, or not.
pub(super) enum OpenedText {
    Rows(Rows),
    Other(Text),
}

/// The forms of texts that are files of their own. The last takes all others.
pub(super) const FORMS: &[Form<OpenForm>] = &[
    Form {
        name: "OpenSudoku, KSudoku",
        about: "their XML files of puzzles. A game that a person has begun is a bad row",
        picture: "<opensudoku><game data=\"5300..\"/>",
        example: "<opensudoku><game data=\"1200001201000040\"/></opensudoku>",
        board: "12....12.1....4.",
        read: |text, head, how| match head.content() {
            [b'<', ..] if is_foreign(how) => no_column(how).map(|()| OpenedText::Rows(Box::new(GameRows::new(text)))),
            _ => Ok(OpenedText::Other(text)),
        },
    },
    Form {
        name: "JSON",
        about: "objects in lines, in a list or indented: the names say which value is the puzzle. A board is a text, a \
                list of cells, or a list of rows; null and -1 are empty cells. Files of f-puzzles, SudokuPad and ipuz",
        picture: "{\"puzzle\": \"53..7..\", \"id\": 1}  [[5,3,0,..],..]",
        example: "{\"id\": 1, \"puzzle\": [[1, 2, 0, 0], [0, 0, 1, 2], [0, 1, 0, 0], [0, 0, 4, 0]]}",
        board: "12....12.1....4.",
        read: |text, head, how| match is_foreign(how) && begins_with_json(head) {
            true => json_rows(text, head, how).map(OpenedText::Rows),
            false => Ok(OpenedText::Other(text)),
        },
    },
    Form {
        name: "tables",
        about: "CSV with commas, semicolons, tabs or bars, and a line of names. A board is a text, which may be that of a \
                list, or several lines in quotes. In Parquet it is a text, too",
        picture: "id,puzzle,solution\n1,53..7..,534678..",
        example: "id;puzzle\n1;12....12.1....4.\n",
        board: "12....12.1....4.",
        read: open_table,
    },
    Form {
        name: "texts",
        about: "lines and blocks, as the forms of texts say. Titles are passed over",
        picture: "Grid 01\n53..7....\n6..195...",
        example: "Grid 01\n12..\n..12\n.1..\n..4.\n",
        board: "12....12.1....4.",
        read: |text, _, how| {
            no_column(how)?;
            Ok(OpenedText::Rows(Box::new(TextRows::new(text, how))))
        },
    },
];

/// All forms that are read: of files, then of lines and blocks.
pub fn forms() -> impl Iterator<Item = Form<()>> {
    FORMS.iter().map(Form::info).chain(text::FORMS.iter().map(Form::info))
}

/// True if files of other programs may be read.
fn is_foreign(how: &Reading) -> bool {
    !how.want.is_whole()
}

/// Refuses the name of a column for a file without columns.
fn no_column(how: &Reading) -> Result<(), String> {
    match &how.column {
        Some(column) => Err(format!("it has no columns; leave out --column {column}")),
        None => Ok(()),
    }
}

fn open_table(text: Text, head: &Head<'_>, how: &Reading) -> Result<OpenedText, String> {
    let is_named = [".csv", ".tsv"].iter().any(|end| head.name.contains(end));
    match CsvHeader::of(head, how) {
        Ok(header) => Ok(OpenedText::Rows(Box::new(CsvRows::new(text, header)?))),
        Err(NoMapping::Refused(reason)) => Err(reason),
        Err(reason) if !is_foreign(how) || is_named && !begins_with_board(head.bytes, how) => Err(reason.reason()),
        Err(_) => Ok(OpenedText::Other(text)),
    }
}

/// The rows of a text, in the first form that takes its beginning.
pub(super) fn rows_of_text(path: &Path, how: &Reading, text: Text) -> Result<Rows, CorpusError> {
    let (mut text, bytes) =
        encoding::decoded(text).map_err(|error| CorpusError::file(path, damaged(in_words(&error))))?;
    if bytes.contains(&0) {
        return Err(CorpusError::file(path, "the file is neither text nor Parquet, zstd or gzip"));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let head = Head { bytes: &bytes, name: &name };
    for form in FORMS {
        match (form.read)(text, &head, how).map_err(|reason| CorpusError::file(path, reason))? {
            OpenedText::Rows(rows) => return Ok(rows),
            OpenedText::Other(other) => text = other,
        }
    }
    Err(CorpusError::file(path, "no form is known that the file has"))
}

/// True if the first thing in a text that may be meant as a board is one.
fn begins_with_board(head: &[u8], how: &Reading) -> bool {
    let first = PuzzleReader::with(head, how.shape, how.signs.clone()).find_map(TextItem::board);
    first.is_some_and(|first| first.is_ok())
}
