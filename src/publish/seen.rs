//! Puzzles that were published before, by their classes: those of indexes, and of puzzles in any file.
//!
//! Classes from files are kept in memory, and from four million on in sorted runs, which are indexes in a temporary
//! folder.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::PublishError;
use super::index::{Index, is_index, write_index};
use crate::board::canonical;
use crate::corpus::{CorpusError, Input, OnError, Record, Scan, TempFolder, part_files};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// Rows that are read at once.
const BLOCK: usize = 4096;
/// Classes kept in memory before a run is written.
const RUN: usize = 4 << 20;

/// Classes that must not be published again.
#[derive(Default)]
pub struct Seen {
    indexes: Vec<PathBuf>,
    loose: BTreeSet<u128>,
    runs: Option<TempFolder>,
    run: usize,
}

impl Seen {
    /// Nothing was seen.
    pub fn new() -> Seen {
        Seen::default()
    }

    /// True when nothing was seen.
    pub fn is_empty(&self) -> bool {
        self.indexes.is_empty() && self.loose.is_empty()
    }

    /// Adds everything in a file: an index, or puzzles in any format that can be read; or in the folder of a corpus.
    /// Gives the number of puzzles; lines that are none go to `skipped`.
    ///
    /// # Errors
    /// What cannot be read, and why; a file with lines that are no puzzles and none that is one; with
    /// [`OnError::Fail`] the first of such lines.
    pub fn add_file(
        &mut self,
        path: &Path,
        on_error: OnError,
        skipped: &mut dyn FnMut(&CorpusError),
    ) -> Result<u64, PublishError> {
        if path.is_dir() {
            let mut puzzles = 0;
            for part in part_files(path)? {
                puzzles += self.add_file(&part, on_error, skipped)?;
            }
            return Ok(puzzles);
        }
        if is_index(path)? {
            let length = Index::open(path)?.length;
            self.indexes.push(path.to_owned());
            return Ok(length);
        }
        self.add_puzzles(path, on_error, skipped)
    }

    /// Adds the puzzles of a file, by the classes that stand in it where it is one of this program.
    fn add_puzzles(
        &mut self,
        path: &Path,
        on_error: OnError,
        skipped: &mut dyn FnMut(&CorpusError),
    ) -> Result<u64, PublishError> {
        if let Some(classes) = classes_in(path) {
            let puzzles = classes.len() as u64;
            classes.into_iter().try_for_each(|class| self.add(class))?;
            return Ok(puzzles);
        }
        let (mut puzzles, mut left_out) = (0, 0u64);
        let mut input = Input::open(path, None)?;
        loop {
            let mut records = Vec::new();
            for row in input.by_ref().take(BLOCK) {
                match row {
                    Ok(record) => records.push(record),
                    Err(error) if error.is_about_a_row() && on_error == OnError::Skip => {
                        left_out += 1;
                        skipped(&error);
                    }
                    Err(error) => return Err(error.into()),
                }
            }
            puzzles += self.add_records(&records)?;
            if input.is_at_end() && puzzles == 0 && left_out > 0 {
                // Passing over a wrong file would publish again what stands in the right one.
                return Err(CorpusError::File { path: path.to_owned(), reason: "no puzzles in it".to_owned() }.into());
            }
            if input.is_at_end() {
                return Ok(puzzles);
            }
        }
    }

    fn add_records(&mut self, records: &[Record]) -> Result<u64, PublishError> {
        let classes: Vec<u128> = records.into_par_iter().filter_map(class_of).collect();
        let puzzles = classes.len() as u64;
        classes.into_iter().try_for_each(|class| self.add(class))?;
        Ok(puzzles)
    }

    /// Adds a class.
    ///
    /// # Errors
    /// A temporary folder that cannot be written.
    pub fn add(&mut self, class: u128) -> Result<(), PublishError> {
        self.loose.insert(class);
        if self.loose.len() < RUN { Ok(()) } else { self.write_run() }
    }

    /// Writes the classes in memory into an index of their own.
    fn write_run(&mut self) -> Result<(), PublishError> {
        let refused = |source: std::io::Error| PublishError::Index {
            path: PathBuf::from("a temporary folder"),
            reason: source.to_string(),
        };
        let folder = match &self.runs {
            Some(folder) => folder,
            None => self.runs.insert(TempFolder::new().map_err(refused)?),
        };
        let path = folder.path().join(format!("run-{}", self.run));
        self.run += 1;
        write_index(&path, std::mem::take(&mut self.loose).into_iter().map(Ok))?;
        self.indexes.push(path);
        Ok(())
    }

    /// Which of some classes, sorted, were seen.
    ///
    /// # Errors
    /// An index that cannot be read or is damaged.
    pub fn mark(&self, sorted: &[u128]) -> Result<Vec<bool>, PublishError> {
        let mut marks: Vec<bool> = sorted.iter().map(|class| self.loose.contains(class)).collect();
        for path in &self.indexes {
            Index::open(path)?.mark(sorted, &mut marks)?;
        }
        Ok(marks)
    }
}

/// The classes in a Parquet file whose rows all have one; none when they have not, or it is another file.
fn classes_in(path: &Path) -> Option<Vec<u128>> {
    if path.extension().is_none_or(|end| end != "parquet") {
        return None;
    }
    let answer = Scan::open(&[path.to_owned()]).ok()?.ask("SELECT class FROM puzzles").ok()?;
    let mut classes = Vec::with_capacity(answer.len());
    answer.texts(0, |class| classes.extend(class.and_then(|class| u128::from_str_radix(class, 16).ok()))).ok()?;
    (classes.len() == answer.len()).then_some(classes)
}

/// The class of the puzzle of a row: as the row says, or by its canonical form.
pub fn class_of(record: &Record) -> Option<u128> {
    record.class.or_else(|| record.puzzle.as_ref().map(canonical::class))
}
