//! The classes of puzzles that were published before, from indexes and from files of puzzles.
//!
//! Classes from files are kept in memory. From four million on, they are written as sorted runs, which are indexes in a
//! temporary folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::PublishError;
use super::index::{Index, is_index, write_index};
use sudoku_corpus_core::board::{Shape, canonical};
use sudoku_corpus_store::corpus::{
    CorpusError, Input, OnError, Record, RowError, Scan, StopFlag, TempFolder, Workers, files_of,
};

/// Classes kept in memory before a run is written.
const RUN: usize = 4 << 20;

/// Classes that must not be published again.
#[derive(Default)]
pub struct Seen {
    indexes: Vec<PathBuf>,
    /// An index, and those of its classes that are ignored.
    forgiven: Option<(PathBuf, BTreeSet<u128>)>,
    /// Shapes in which boards are also read if a text does not give their shape.
    shapes: Vec<Shape>,
    /// Classes in memory, which are in no index.
    loose: BTreeSet<u128>,
    /// The folder of the runs.
    runs: Option<TempFolder>,
    /// Number of runs written so far.
    run: usize,
}

impl Seen {
    /// No puzzles.
    pub fn new() -> Seen {
        Seen::default()
    }

    /// No puzzles. A line of a board can mean 2x3 or 3x2 boxes, so lines are also read in these shapes, the shapes of
    /// the puzzles to be chosen.
    pub fn for_shapes(shapes: Vec<Shape>) -> Seen {
        Seen { shapes, ..Seen::default() }
    }

    /// Ignores some classes of an index.
    pub fn forgive(&mut self, index: &Path, classes: &[u128]) {
        self.forgiven = Some((index.to_owned(), classes.iter().copied().collect()));
    }

    /// True if there are no puzzles.
    pub fn is_empty(&self) -> bool {
        self.indexes.is_empty() && self.loose.is_empty()
    }

    /// Adds everything in a file (an index, or puzzles in any format that can be read) or in the folder of a corpus. Returns
    /// the number of puzzles. Lines that are not puzzles go to `skipped`.
    ///
    /// # Errors
    /// A source that cannot be read; a file with lines of which none is a puzzle; with [`OnError::Fail`] the first line that
    /// is not a puzzle.
    pub fn add_file(
        &mut self,
        path: &Path,
        on_error: OnError,
        skipped: &mut dyn FnMut(&CorpusError),
    ) -> Result<u64, PublishError> {
        if path.is_dir() {
            let mut puzzles = 0;
            for part in files_of(path)? {
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

    /// Adds the puzzles of a file. A file of this program has the classes already.
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
        // A shape that is not the usual one for its board size is never guessed, so the file is read in this shape too.
        let unusual = |shape: &Shape| Shape::of_order(shape.order()) != Ok(*shape) && path != Path::new("-");
        let also: Vec<Shape> = self.shapes.iter().copied().filter(unusual).collect();
        let (mut puzzles, mut left_out) = self.add_in_shape(path, None)?;
        for shape in also {
            let (more, wrong) = self.add_in_shape(path, Some(shape))?;
            puzzles = puzzles.max(more);
            left_out.meet(wrong);
        }
        let Some(first) = left_out.first.values().next() else { return Ok(puzzles) };
        if puzzles == 0 {
            // If a wrong file were ignored, puzzles of the right file could be published again.
            return Err(CorpusError::File { path: path.to_owned(), reason: "no puzzles in it".to_owned() }.into());
        }
        if on_error == OnError::Fail {
            return Err(CorpusError::Row(first.clone()).into());
        }
        left_out.first.into_values().for_each(|error| skipped(&CorpusError::Row(error)));
        Ok(puzzles)
    }

    /// Adds the puzzles of a file, read in a shape if one is given. Returns the lines that are not puzzles.
    fn add_in_shape(&mut self, path: &Path, shape: Option<Shape>) -> Result<(u64, LeftOut), PublishError> {
        let (mut puzzles, mut left_out) = (0, LeftOut::default());
        let work = |row: Result<Record, CorpusError>| row.map(|record| class_of(&record));
        Workers::here().run(Input::open(path, shape)?, &StopFlag::new(), work, |found| {
            for row in found {
                match row {
                    Ok(class) => {
                        puzzles += u64::from(class.is_some());
                        class.map_or(Ok(()), |class| self.add(class))?;
                    }
                    Err(CorpusError::Row(error)) => left_out.add(error),
                    Err(error) => return Err(error.into()),
                }
            }
            Ok::<(), PublishError>(())
        })?;
        Ok((puzzles, left_out))
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

    /// For each of some sorted classes, whether it was seen.
    ///
    /// # Errors
    /// An index that cannot be read or is damaged.
    pub fn mark(&self, sorted: &[u128]) -> Result<Vec<bool>, PublishError> {
        let mut marks: Vec<bool> = sorted.iter().map(|class| self.loose.contains(class)).collect();
        for path in &self.indexes {
            match self.forgiven.as_ref().filter(|(index, _)| index == path) {
                None => Index::open(path)?.mark(sorted, &mut marks)?,
                Some((_, forgiven)) => {
                    let mut these = vec![false; sorted.len()];
                    Index::open(path)?.mark(sorted, &mut these)?;
                    let counts = these.into_iter().zip(sorted).map(|(seen, class)| seen && !forgiven.contains(class));
                    marks.iter_mut().zip(counts).for_each(|(mark, seen)| *mark |= seen);
                }
            }
        }
        Ok(marks)
    }
}

/// The lines of a file that are not puzzles.
#[derive(Default)]
struct LeftOut {
    /// The first of them, by line, at most [`LINES`]: a small compressed file may have a billion.
    first: BTreeMap<u64, RowError>,
    /// A bit for each line of the file.
    lines: Vec<u64>,
}

/// Errors of lines that are kept.
const LINES: usize = 1_000;

impl LeftOut {
    fn add(&mut self, error: RowError) {
        let word = error.line as usize / 64;
        self.lines.resize(self.lines.len().max(word + 1), 0);
        self.lines[word] |= 1 << (error.line % 64);
        if self.first.len() < LINES {
            self.first.insert(error.line, error);
        }
    }

    /// Keeps the lines that are wrong in both readings: a line that is a board in one of the shapes is not wrong.
    fn meet(&mut self, other: LeftOut) {
        self.lines.truncate(other.lines.len());
        self.lines.iter_mut().zip(other.lines).for_each(|(word, others)| *word &= others);
        self.first.extend(other.first);
        let lines = &self.lines;
        let wrong = |line: u64| lines.get(line as usize / 64).is_some_and(|word| word >> (line % 64) & 1 == 1);
        let known = self.first.values().next().cloned();
        self.first.retain(|line, _| wrong(*line));
        if let (true, Some(known)) = (self.first.is_empty(), known)
            && let Some(word) = lines.iter().position(|word| *word != 0)
        {
            let line = 64 * word as u64 + u64::from(lines[word].trailing_zeros());
            self.first.insert(line, RowError { line, column: None, reason: "no puzzle".to_owned(), ..known });
        }
    }
}

/// The classes in a Parquet file whose rows all have one. None if a row has no class, and for other files.
fn classes_in(path: &Path) -> Option<Vec<u128>> {
    if path.extension().is_none_or(|end| end != "parquet") {
        return None;
    }
    let answer = Scan::open(&[path.to_owned()]).ok()?.ask("SELECT class FROM puzzles").ok()?;
    let mut classes = Vec::with_capacity(answer.len());
    answer.texts(0, |class| classes.extend(class.and_then(|class| u128::from_str_radix(class, 16).ok()))).ok()?;
    (classes.len() == answer.len()).then_some(classes)
}

/// The class of the puzzle of a row: from the row, or computed from its canonical form.
pub fn class_of(record: &Record) -> Option<u128> {
    record.class.or_else(|| record.puzzle.as_ref().map(canonical::class))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_wrong_if_they_are_wrong_in_every_shape() {
        let of = |lines: &mut dyn Iterator<Item = u64>| {
            let mut left_out = LeftOut::default();
            let error = |line| RowError { file: PathBuf::new(), line, column: None, reason: String::new() };
            lines.for_each(|line| left_out.add(error(line)));
            left_out
        };
        let mut all = of(&mut (1..=100_000));
        assert!(all.first.len() == LINES && all.lines.len() < 2_000);
        all.meet(of(&mut [5, 99_999].into_iter()));
        assert_eq!(all.first.keys().copied().collect::<Vec<_>>(), [5, 99_999]);
        let mut odd = of(&mut (1..=100_000).step_by(2));
        odd.meet(of(&mut (2..=100_000).step_by(2)));
        assert!(odd.first.is_empty());
        let mut late = of(&mut (1..=5_000));
        late.meet(of(&mut (1_999..3_000)));
        assert!(late.first.keys().all(|line| (1_999..3_000).contains(line)) && !late.first.is_empty());
    }
}
