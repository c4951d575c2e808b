//! Keeps the rows of a part whose run was stopped. The next run takes them over, so that a stop costs only the rows
//! that were being made.
//!
//! ```text
//!   unfinished-000007-3c1f5a90d2e47b68.parquet     rows of part 7 in ascending order, perhaps with gaps
//!                     BLAKE3 of the file           another checksum: it is damaged, and is not used
//! ```
//!
//! It has the form and the metadata of a part, so only a run of the same recipe and version takes it. When the part is
//! complete, it is removed.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::iter::Peekable;
use std::path::{Path, PathBuf};

use super::layout::{UNFINISHED, files_in};
use crate::corpus::files::atomic::FileSum;
use crate::corpus::files::input::Input;
use crate::corpus::files::metadata::Metadata;
use crate::corpus::request::recipe::Recipe;
use crate::corpus::values::error::{CorpusError, Result};
use crate::corpus::values::mapping::Want;
use crate::corpus::values::record::Record;

/// The unfinished parts in a folder.
pub(crate) struct Unfinished(BTreeMap<u64, Vec<PathBuf>>);

/// The rows of an unfinished part, in ascending order.
pub(crate) struct KeptRows<'a> {
    recipe: &'a Recipe,
    rows: Peekable<Input>,
}

/// The name of the file with rows of a part, by its checksum.
pub(crate) fn name_of(recipe: &Recipe, part: u64, blake3: &str) -> String {
    format!("{UNFINISHED}{part:06}-{}{}", blake3.get(..16).unwrap_or(blake3), recipe.format.file_format().suffix())
}

impl Unfinished {
    /// The unfinished rows that are in a folder now.
    pub(crate) fn of(folder: &Path) -> Result<Unfinished> {
        let mut found: BTreeMap<u64, Vec<PathBuf>> = BTreeMap::new();
        for file in files_in(folder)? {
            let part = file
                .file_name()
                .and_then(|name| name.to_str()?.strip_prefix(UNFINISHED)?.split('-').next()?.parse().ok());
            part.into_iter().for_each(|part: u64| found.entry(part).or_default().push(file.clone()));
        }
        Ok(Unfinished(found))
    }

    /// The rows that are kept of a part. If there are several files, one of them is used.
    ///
    /// # Errors
    /// The system cannot read the file.
    pub(crate) fn rows<'a>(&self, recipe: &'a Recipe, part: u64) -> Result<Option<KeptRows<'a>>> {
        let ours = Some(recipe.metadata(recipe.place(part)));
        for file in self.0.get(&part).into_iter().flatten() {
            let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let blake3 = match FileSum::of_file(file) {
                // Another process has completed the part.
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                sum => sum.map_err(CorpusError::io("read", file))?.blake3,
            };
            if name == name_of(recipe, part, &blake3) && Metadata::of_file(file)? == ours {
                let rows = Input::of_files(vec![file.clone()], Want::Everything)?.peekable();
                return Ok(Some(KeptRows { recipe, rows }));
            }
        }
        Ok(None)
    }

    /// Removes the files of a part, which is complete or has another file now.
    pub(crate) fn remove(&self, part: u64, other: Option<&Path>) -> Result<()> {
        self.0
            .get(&part)
            .into_iter()
            .flatten()
            .filter(|file| Some(file.as_path()) != other)
            .try_for_each(|file| remove(file))
    }

    /// Removes all of them. The corpus is complete.
    pub(crate) fn remove_all(&self) -> Result<()> {
        self.0.values().flatten().try_for_each(|file| remove(file))
    }
}

impl KeptRows<'_> {
    /// True if a row was kept. The numbers that are asked for must ascend.
    pub(crate) fn has(&mut self, index: u64) -> Result<bool> {
        while self.next_before(index)?.is_some() {}
        Ok(self.next_before(index + 1)?.is_some())
    }

    /// The next row, with its steps, if its number is below another one.
    pub(crate) fn before(&mut self, end: u64) -> Result<Option<Record>> {
        let mut row = self.next_before(end)?;
        if let Some(row) = &mut row {
            self.recipe.analysis.with_steps(row);
        }
        Ok(row)
    }

    /// The next row, if its number is below `end`.
    fn next_before(&mut self, end: u64) -> Result<Option<Record>> {
        let before = |row: &Result<Record>| !matches!(row, Ok(row) if row.index >= end);
        self.rows.next_if(before).transpose()
    }
}

/// Removes a file, if it is there.
fn remove(file: &Path) -> Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(CorpusError::io("remove", file)(error)),
        _ => Ok(()),
    }
}
