//! Keeps the first rows of an output whose command was stopped, and says how they were made.
//!
//! ```text
//!   rated.partial.csv        the first rows of rated.csv
//!   rated.partial.csv.made   the checksum of that file, a digest of the options and the version that made its rows,
//!                            and which items before the last of them have no row yet: 17,64
//!   rated.partial.csv.rows   the journal of a command that rates puzzles; the next call takes it over after `kill -9`
//! ```
//!
//! The second file is written before the first gets its name. Until then it has a line for the rows that are there and
//! one for those to come, so whatever is killed, it describes the rows that are there.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::corpus::{FileFormat, Input, LeftRows, RowSink, Sealed, Want, write_file};

/// What is known about the file of the first rows.
#[derive(Clone, Debug)]
pub(super) struct Partial {
    /// The first file of the three.
    path: PathBuf,
}

impl Partial {
    /// The file of the first rows at a path. It need not exist.
    pub(super) fn at(path: PathBuf) -> Partial {
        Partial { path }
    }

    /// The file of the rows.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// All files, of which it writes some.
    pub(super) fn files(&self) -> [PathBuf; 3] {
        [self.path.clone(), self.made_path(), self.journal_path()]
    }

    /// The journal of a command that is writing the output, or was killed.
    pub(super) fn journal_path(&self) -> PathBuf {
        self.path.with_added_extension("rows")
    }

    /// Takes over the rows of a journal that nobody writes any more, if they are more than those that are there.
    pub(super) fn take_over(&self, format: Option<FileFormat>) -> anyhow::Result<()> {
        let path = self.journal_path();
        let take = || -> anyhow::Result<()> {
            let Some(mut left) = LeftRows::open(&path)? else { return Ok(()) };
            let options = left.options.clone();
            let mut sink = RowSink::with_outside(&self.path, format, &left.outside())?;
            let (mut missing, mut next) = (BTreeSet::new(), 0);
            for row in left.by_ref() {
                let (position, row) = row?;
                missing.extend(next..position);
                next = position + 1;
                sink.write(row)?;
            }
            if sink.rows() > self.rows() {
                self.replace(sink.seal()?, Some(&options), &missing)?;
            }
            Ok(fs::remove_file(&path)?)
        };
        take().with_context(|| format!("cannot take over the rows of a stopped command in {}", path.display()))
    }

    /// The file that says how they were made.
    fn made_path(&self) -> PathBuf {
        self.path.with_added_extension("made")
    }

    /// The number of rows; 0 if there is no file that can be read.
    pub(super) fn rows(&self) -> u64 {
        let rows = self.path.exists().then(|| Input::open(&self.path, Want::Known).ok()).flatten();
        rows.map_or(0, |rows| rows.take_while(Result::is_ok).count() as u64)
    }

    /// The digest of the options with which the rows were made, and the items without a row before the last that has
    /// one. None if that is not known.
    pub(super) fn made(&self) -> io::Result<Option<(String, BTreeSet<u64>)>> {
        let line = self.made_line()?;
        let fields = line.as_ref().map(|line| line.split_once(' ').unwrap_or((line, "")));
        let numbers = |list: &str| list.split(',').filter_map(|number| number.parse().ok()).collect();
        Ok(fields.map(|(options, missing)| (options.to_owned(), numbers(missing))))
    }

    /// The line about the rows that are there, without their checksum.
    fn made_line(&self) -> io::Result<Option<String>> {
        let sum = self.sum()?;
        let lines = fs::read_to_string(self.made_path()).unwrap_or_default();
        let mut lines = lines.lines().filter_map(|line| line.split_once(' '));
        Ok(lines.find(|(of, _)| *of == sum).map(|(_, made)| made.to_owned()))
    }

    /// The checksum of the rows that are there.
    fn sum(&self) -> io::Result<String> {
        let mut hash = blake3::Hasher::new();
        hash.update_reader(File::open(&self.path)?)?;
        Ok(hash.finalize().to_hex().to_string())
    }

    /// Replaces the rows by those of a finished file, which were made with these options, except the missing ones.
    pub(super) fn replace(&self, rows: Sealed, options: Option<&str>, missing: &BTreeSet<u64>) -> anyhow::Result<()> {
        if let (Some(options), Some(sum)) = (options, rows.blake3()) {
            let there = self.sum().ok().zip(self.made_line().ok().flatten());
            let there = there.map_or_else(String::new, |(sum, made)| format!("{sum} {made}\n"));
            let missing: String = missing.iter().map(|number| format!(",{number}")).collect();
            write_file(&self.made_path(), format!("{there}{sum} {options} {}\n", missing.trim_start_matches(',')))?;
        }
        Ok(rows.publish()?)
    }

    /// Removes the first two of the files, after the output got its name.
    pub(super) fn remove(&self) {
        [&self.path, &self.made_path()].into_iter().for_each(|path| drop(fs::remove_file(path)));
    }
}
