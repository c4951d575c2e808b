//! What to say of a folder that is not there.

use std::fs;
use std::path::Path;

use crate::corpus::files::durable::inside::folder_of;
use crate::corpus::values::error::{CorpusError, Result};
use sudoku_corpus_core::names::nearest;

/// Refuses a folder that is not there.
pub(super) fn refuse_missing(folder: &Path) -> Result<()> {
    if folder.exists() { Ok(()) } else { Err(CorpusError::file(folder, no_folder(folder))) }
}

/// What to say of a folder that is not there: the name of one beside it that is nearly the same, or how to make it.
fn no_folder(source: &Path) -> String {
    let entries = fs::read_dir(folder_of(source)).into_iter().flatten().flatten();
    let folders =
        entries.filter(|entry| entry.path().is_dir()).map(|entry| entry.file_name().to_string_lossy().into_owned());
    let folders: Vec<String> = folders.collect();
    let name = source.file_name().unwrap_or_default().to_string_lossy();
    match nearest(&name, folders.iter().map(String::as_str)) {
        Some(near) => {
            let near = quoted(&source.with_file_name(near).to_string_lossy());
            format!("there is no such file or folder; did you mean {near}?")
        }
        // A folder is seldom called like a share or like a recipe of the program.
        None if !name.chars().all(|sign| sign.is_alphanumeric() || "._- ".contains(sign)) => {
            "there is no such file or folder".to_owned()
        }
        None => {
            let name = quoted(&source.to_string_lossy());
            format!("there is no such file or folder; make a corpus first: `sudoku-corpus run --out {name}`")
        }
    }
}

/// A word as a shell reads it.
pub fn quoted(word: &str) -> String {
    match !word.is_empty() && word.chars().all(|sign| sign.is_alphanumeric() || "/._-=:,+%@".contains(sign)) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
