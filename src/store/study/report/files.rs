//! Writes the files of a report: the page, and a folder with every plot as SVG and its numbers as CSV.
//!
//! ```text
//!   report.html
//!   report-data/
//!     givens.svg givens.csv
//!     levels.svg levels.csv ...
//! ```

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::corpus::{CorpusError, Result, write_file};
use sudoku_corpus_core::page::Document;

/// How a page is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One file with all plots.
    Html,
    /// Text and tables.
    Markdown,
}

impl Form {
    /// The form that a file name asks for, if its ending is known.
    pub fn of_name(path: &Path) -> Option<Form> {
        match path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase).as_deref() {
            Some("html" | "htm") => Some(Form::Html),
            Some("md" | "markdown") => Some(Form::Markdown),
            _ => None,
        }
    }
}

/// Writes a page into a file, which appears under its name only when it is complete.
pub fn write_page(page: &Document, form: Form, path: &Path) -> Result<()> {
    match form {
        Form::Html => write_file(path, page.html()),
        Form::Markdown => write_file(path, page.markdown()),
    }
}

/// Writes every plot as SVG and its numbers as CSV into a folder, which is created if needed.
pub fn write_data(page: &Document, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(CorpusError::io("write", folder))?;
    for figure in page.figures() {
        write_file(&folder.join(format!("{}.svg", figure.plot.id)), figure.svg_file())?;
        write_file(&folder.join(format!("{}.csv", figure.plot.id)), figure.data.csv())?;
    }
    Ok(())
}

/// The folder of the data of a page: REPORT-data beside REPORT.html.
pub fn data_beside(page: &Path) -> PathBuf {
    let mut name = page.file_stem().unwrap_or_default().to_owned();
    name.push("-data");
    page.with_file_name(name)
}
