//! Collects the classes that were seen before: those of indexes, and of files of puzzles.

use std::fs;
use std::path::Path;

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use crate::publish::error::PublishError;
use crate::publish::index::lines::{read, wrong};
use crate::publish::index::publication::Publication;
use sudoku_corpus_core::board::Shape;
use sudoku_corpus_core::catalogue::canonical;
use sudoku_corpus_store::corpus::{
    Answer, CorpusError, FileFormat, Input, Least, Reading as InputReading, Record, RowError, Scan, count_rows,
    files_of,
};

/// Rows of a file of puzzles that are read at once.
const BLOCK: usize = 4096;

/// Classes that must not be published again: 16 bytes each.
#[derive(Default)]
pub struct Seen {
    /// Shapes in which boards are also read if a text does not give their shape.
    shapes: Vec<Shape>,
    /// In order.
    classes: Vec<u128>,
}

impl Seen {
    /// No puzzles. A line of a board can mean 2x3 or 3x2 boxes, so lines are also read in these shapes, the shapes of
    /// the puzzles to be chosen.
    pub fn for_shapes(shapes: Vec<Shape>) -> Seen {
        Seen { shapes, ..Seen::default() }
    }

    /// The puzzles of some classes.
    pub fn of(classes: &[u128]) -> Seen {
        let mut seen = Seen::default();
        seen.add(&mut classes.to_vec());
        seen
    }

    /// True for the class of a puzzle that was seen.
    pub fn has(&self, class: u128) -> bool {
        self.classes.binary_search(&class).is_ok()
    }

    /// Takes more classes.
    fn add(&mut self, classes: &mut Vec<u128>) {
        self.classes.append(classes);
        // What is in order already takes one pass.
        self.classes.sort();
        self.classes.dedup();
    }

    /// Adds what is in the index of a publication, except its own puzzles.
    pub fn add_index(&mut self, publication: &mut Publication) {
        self.add(&mut publication.take_others());
    }

    /// Adds everything in a file (an index, or puzzles in any format that can be read) or in the folder of a corpus.
    /// `say` receives warnings.
    ///
    /// # Errors
    /// A source that cannot be read or is damaged; a line that is not a puzzle, because it might be one that is then
    /// published again.
    pub fn add_file(&mut self, path: &Path, say: &mut dyn FnMut(&str)) -> Result<(), PublishError> {
        let mut classes = Vec::new();
        for file in files_of(path)? {
            let regular = file != Path::new("-") && fs::metadata(&file).map_err(wrong(&file))?.is_file();
            let index = if regular { read(&file, |line| classes.extend(line.classes))? } else { None };
            if let Some(contents) = index {
                contents.warning(&file).iter().for_each(|warning| say(warning));
                continue;
            }
            let parquet = regular && FileFormat::of_name(&file.to_string_lossy()) == Some(FileFormat::Parquet);
            // A file of another program may have no class, or one of another type.
            if !(parquet && parquet_classes(&file, |mut some| classes.append(&mut some)).unwrap_or(false)) {
                self.read_puzzles(&file, &mut classes)?;
            }
        }
        self.add(&mut classes);
        Ok(())
    }

    /// Reads a file of puzzles in the shape that it gives, and in those shapes that are never guessed because they are
    /// not the usual ones for their board size. A line must be a board in one of them.
    fn read_puzzles(&self, path: &Path, classes: &mut Vec<u128>) -> Result<(), PublishError> {
        // Lines do not name the regions of a jigsaw; links do.
        let is_jigsaw = |shape: &Shape| shape.regions().is_some();
        let unusual =
            |shape: &Shape| Shape::of_order(shape.order()) != Ok(*shape) && !is_jigsaw(shape) && path != Path::new("-");
        let mut usual = Reading::open(path, None)?;
        let mut others = Vec::new();
        for shape in self.shapes.iter().copied().filter(unusual) {
            others.push(Reading::open(path, Some(shape))?);
        }
        while let Some(error) = usual.next_wrong(classes)? {
            let mut wrong = true;
            for other in &mut others {
                wrong &= other.is_wrong(error.line, classes)?;
            }
            if wrong {
                return Err(CorpusError::Row(error).into());
            }
        }
        // The rest of the file, in the other shapes.
        others.iter_mut().try_for_each(|other| other.is_wrong(u64::MAX, classes).map(drop))
    }
}

/// A file of puzzles that is read in one shape.
struct Reading {
    input: Input,
    /// Wrong lines of the last block.
    wrong: std::collections::VecDeque<RowError>,
    /// All lines were read.
    ended: bool,
}

impl Reading {
    /// Opens a file whose classes are to be read.
    fn open(path: &Path, shape: Option<Shape>) -> Result<Reading, PublishError> {
        // In an unusual shape, no line need be a board.
        let how = InputReading { shape, least: Least::Nothing, ..InputReading::default() };
        Ok(Reading { input: Input::open(path, how)?, wrong: Default::default(), ended: false })
    }

    /// The next line that is not a puzzle. Adds the classes of the puzzles before it.
    fn next_wrong(&mut self, classes: &mut Vec<u128>) -> Result<Option<RowError>, PublishError> {
        while self.wrong.is_empty() && !self.ended {
            let mut records = Vec::new();
            self.ended = true;
            for row in self.input.by_ref().take(BLOCK) {
                self.ended = false;
                match row {
                    Ok(record) => records.push(record),
                    Err(CorpusError::Row(error)) => self.wrong.push_back(error),
                    Err(error) => return Err(error.into()),
                }
            }
            classes.append(&mut records.into_par_iter().filter_map(|record| class_of(&record)).collect());
        }
        Ok(self.wrong.pop_front())
    }

    /// True if a line, after all that were asked for, is not a puzzle.
    fn is_wrong(&mut self, line: u64, classes: &mut Vec<u128>) -> Result<bool, PublishError> {
        while let Some(error) = self.next_wrong(classes)? {
            if error.line >= line {
                let found = error.line == line;
                self.wrong.push_front(error);
                return Ok(found);
            }
        }
        Ok(false)
    }
}

/// Rows of a Parquet file that are read together.
const PIECE: u64 = 50_000;

/// Passes the classes of a Parquet file on, piece by piece. False if it does not give the class of every row.
fn parquet_classes(path: &Path, mut each: impl FnMut(Vec<u128>)) -> Result<bool, PublishError> {
    let refused = |reason: String| PublishError::file(path, reason);
    let rows = count_rows(path)?;
    for start in (0..rows).step_by(PIECE as usize) {
        let piece = Scan::numbered(&[path.to_owned()], Some((start, PIECE.min(rows - start)))).map_err(refused)?;
        if !piece.columns().iter().any(|name| name == "class") {
            return Ok(false);
        }
        let classes = classes_of(&piece.ask("SELECT class FROM puzzles")?, 0).map_err(refused)?;
        if classes.contains(&None) {
            return Ok(false);
        }
        each(classes.into_iter().flatten().collect());
    }
    Ok(true)
}

/// A column of classes of an answer.
pub(crate) fn classes_of(answer: &Answer, column: usize) -> Result<Vec<Option<u128>>, String> {
    let mut classes = Vec::with_capacity(answer.len());
    answer.texts(column, |class| classes.push(class.and_then(|class| u128::from_str_radix(class, 16).ok())))?;
    Ok(classes)
}

/// The class of the puzzle of a row: from the row, or computed from its canonical form.
pub(crate) fn class_of(record: &Record) -> Option<u128> {
    record.class.or_else(|| record.puzzle.as_ref().map(canonical::class))
}

#[cfg(test)]
mod tests {
    use tempfile::tempdir;

    use super::*;

    #[test]
    fn wrong_lines_are_found_in_bounded_memory_and_in_every_shape() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let good = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        fs::write(&path, format!("{good}\n{}{good}\n", "1234567\n".repeat(3 * BLOCK))).unwrap();
        assert!(Seen::default().add_file(&path, &mut |_| {}).err().unwrap().to_string().contains("a.txt:2"));
        let mut reading = Reading::open(&path, None).unwrap();
        let (mut classes, mut lines) = (Vec::new(), 2..);
        while let Some(error) = reading.next_wrong(&mut classes).unwrap() {
            assert_eq!(Some(error.line), lines.next());
            assert!(reading.wrong.len() < BLOCK);
        }
        assert_eq!((lines.next(), classes.len()), (Some(3 * BLOCK as u64 + 2), 2));
    }
}
