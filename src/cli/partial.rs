//! The first rows of an output whose command was stopped, and how they were made.
//!
//! ```text
//!   rated.partial.csv        the first rows of rated.csv
//!   rated.partial.csv.made   the checksum of that file, and a digest of the options and the version that made its rows
//! ```
//!
//! The second file is written before the first gets its name. Until then it has a line for the rows that are there and one for
//! those to come, so whatever is killed, it describes the rows that are there.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::corpus::{Input, Sealed, Want, write_file};

/// What is known about the file of the first rows.
#[derive(Clone, Debug)]
pub struct Partial {
    path: PathBuf,
}

impl Partial {
    /// The file of the first rows at a path. It need not exist.
    pub fn at(path: PathBuf) -> Partial {
        Partial { path }
    }

    /// The file of the rows.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file that says how they were made.
    pub fn made_path(&self) -> PathBuf {
        self.path.with_added_extension("made")
    }

    /// The number of rows; 0 if there is no file that can be read.
    pub fn rows(&self) -> u64 {
        let rows = self.path.exists().then(|| Input::open(&self.path, Want::Known).ok()).flatten();
        rows.map_or(0, |rows| rows.take_while(Result::is_ok).count() as u64)
    }

    /// The digest of the options with which the rows were made. None if that is not known.
    pub fn options(&self) -> io::Result<Option<String>> {
        let sum = self.sum()?;
        let lines = fs::read_to_string(self.made_path()).unwrap_or_default();
        let mut lines = lines.lines().filter_map(|line| line.split_once(' '));
        Ok(lines.find(|(of, _)| *of == sum).map(|(_, options)| options.to_owned()))
    }

    fn sum(&self) -> io::Result<String> {
        let mut hash = blake3::Hasher::new();
        hash.update_reader(File::open(&self.path)?)?;
        Ok(hash.finalize().to_hex().to_string())
    }

    /// Replaces the rows by those of a finished file, which were made with these options.
    pub fn replace(&self, rows: Sealed, options: Option<&str>) -> anyhow::Result<()> {
        if let (Some(options), Some(sum)) = (options, rows.blake3()) {
            let there = self.sum().ok().zip(self.options().ok().flatten());
            let there = there.map_or_else(String::new, |(sum, options)| format!("{sum} {options}\n"));
            write_file(&self.made_path(), format!("{there}{sum} {options}\n"))?;
        }
        Ok(rows.publish()?)
    }

    /// Removes both files, after the output got its name.
    pub fn remove(&self) {
        [&self.path, &self.made_path()].into_iter().for_each(|path| drop(fs::remove_file(path)));
    }
}
