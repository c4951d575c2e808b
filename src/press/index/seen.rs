//! Collects the classes that were seen before: those of indexes, and of files of puzzles.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use crate::error::PublishError;
use sudoku_corpus_core::board::Shape;
use sudoku_corpus_core::catalogue::canonical;
use sudoku_corpus_store::corpus::{
    Answer, CorpusError, FileFormat, Input, Least, Publication, Reading as InputReading, Record, Scan, count_rows,
    files_of, has_own_rows, in_words, published_classes,
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

    /// Adds what is in the index of a publication.
    pub fn add_index(&mut self, publication: &Publication) {
        self.add(&mut publication.classes());
    }

    /// Adds everything in a file (an index, or puzzles in any format that can be read) or in the folder of a corpus.
    ///
    /// # Errors
    /// A source that cannot be read or is damaged; a line that is not a puzzle, because it might be one that is then
    /// published again.
    pub fn add_file(&mut self, path: &Path) -> Result<(), PublishError> {
        let mut classes = Vec::new();
        for file in files_of(path)? {
            let is_regular = file != Path::new("-") && metadata(&file)?.is_file();
            if is_regular && let Some(mut published) = published_classes(&file)? {
                classes.append(&mut published);
                continue;
            }
            let is_parquet = is_regular && FileFormat::of_name(&file.to_string_lossy()) == Some(FileFormat::Parquet);
            // A file of another program may have no class, or one of another type. Then its puzzles are read.
            let has_classes =
                is_parquet && parquet_classes(&file, |mut piece| classes.append(&mut piece)).unwrap_or(false);
            if !has_classes {
                self.read_puzzles(&file, &mut classes)?;
            }
        }
        self.add(&mut classes);
        Ok(())
    }

    /// Reads a file of puzzles in the shape that it gives, and in those shapes that are never guessed because they are
    /// not the usual ones for their board size. A line must be a board in one of them.
    fn read_puzzles(&self, path: &Path, classes: &mut Vec<u128>) -> Result<(), PublishError> {
        let unusual_shapes = self.unusual_shapes(path);
        // In an unusual shape, no line need be a board.
        let open = |shape| Input::open(path, InputReading { shape, least: Least::Nothing, ..InputReading::default() });
        let mut puzzles = self.read(open(None)?, unusual_shapes.is_empty(), classes)?;
        for shape in unusual_shapes {
            // A file without boards of this size has none of this shape.
            if puzzles.wrong_lines.is_empty() && !puzzles.orders.contains(&shape.order()) {
                continue;
            }
            let in_shape = self.read(open(Some(shape))?, false, classes)?;
            puzzles.wrong_lines.retain(|line| in_shape.wrong_lines.contains(line));
            puzzles.fits |= in_shape.fits;
        }
        if let Some(line) = puzzles.wrong_lines.first() {
            // The usual reading tells what is wrong.
            let mut errors = open(None)?.filter_map(|row| row.err());
            let refusal = errors.find(|error| line_of(error) == Some(*line));
            return refusal.map_or(Ok(()), |error| Err(error.into()));
        }
        match puzzles.last_shape {
            Some(shape) if !puzzles.fits && !self.shapes.is_empty() => {
                let (last, wanted) = (shape.board(), self.shapes[0].board());
                let reason = format!("it has no board of the shape of the puzzles ({wanted}); its last is a {last}");
                Err(PublishError::file(path, reason))
            }
            _ => Ok(()),
        }
    }

    /// The shapes in which a file is read besides the one that it gives.
    fn unusual_shapes(&self, path: &Path) -> Vec<Shape> {
        // Standard input can be read only once.
        if path == Path::new("-") {
            return Vec::new();
        }
        let mut shapes = Vec::new();
        for &shape in &self.shapes {
            let is_usual = Shape::of_order(shape.order()) == Ok(shape);
            // Lines do not name the regions of a jigsaw; links do.
            let is_jigsaw = shape.regions().is_some();
            if !is_usual && !is_jigsaw {
                shapes.push(shape);
            }
        }
        shapes
    }

    /// Adds the classes of all puzzles of a file. If `is_strict`, the first line that is none is an error.
    fn read(&self, mut input: Input, is_strict: bool, classes: &mut Vec<u128>) -> Result<FileRead, PublishError> {
        let mut puzzles = FileRead::default();
        loop {
            let rows: Vec<_> = input.by_ref().take(BLOCK).collect();
            if rows.is_empty() {
                return Ok(puzzles);
            }
            let mut records = Vec::new();
            for row in rows {
                match row {
                    Ok(record) => {
                        puzzles.fits |= self.shapes.iter().any(|shape| canonical::are_one_board(*shape, record.shape));
                        puzzles.orders.insert(record.shape.order());
                        puzzles.last_shape = Some(record.shape);
                        records.push(record);
                    }
                    Err(error) => match line_of(&error) {
                        Some(line) if !is_strict => drop(puzzles.wrong_lines.insert(line)),
                        _ => return Err(error.into()),
                    },
                }
            }
            classes.append(&mut records.into_par_iter().filter_map(|record| class_of(&record)).collect());
        }
    }
}

fn line_of(error: &CorpusError) -> Option<u64> {
    if let CorpusError::Row(error) = error { Some(error.line) } else { None }
}

/// What was read of a file of puzzles.
#[derive(Default)]
struct FileRead {
    /// The lines that are no puzzles.
    wrong_lines: BTreeSet<u64>,
    /// True if a board has one of the shapes of the puzzles to be chosen, perhaps turned over.
    fits: bool,
    orders: BTreeSet<usize>,
    last_shape: Option<Shape>,
}

fn metadata(path: &Path) -> Result<fs::Metadata, PublishError> {
    fs::metadata(path).map_err(|error| PublishError::file(path, in_words(&error)))
}

/// Rows of a Parquet file that are read together.
const PIECE: u64 = 50_000;

/// Passes the classes of a Parquet file on, piece by piece. False if it does not give the class of every row, or if the
/// file may have been edited: then the classes are those of its puzzles.
fn parquet_classes(path: &Path, mut each: impl FnMut(Vec<u128>)) -> Result<bool, PublishError> {
    let refused = |reason: String| PublishError::file(path, reason);
    if !has_own_rows(path)? {
        return Ok(false);
    }
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
    use sudoku_corpus_core::board::{Grid, Puzzle};
    use sudoku_corpus_store::corpus::RowSink;
    use tempfile::tempdir;

    use super::*;

    #[test]
    fn the_first_line_that_is_no_puzzle_is_told() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let good = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        let six = format!("12{}", ".".repeat(34));
        fs::write(&path, format!("{good}\n{six}\n{}{good}\n", format!("55{}\n", ".".repeat(79)).repeat(3 * BLOCK)))
            .unwrap();
        let error = Seen::default().add_file(&path).err().unwrap().to_string();
        assert!(error.contains("a.txt:3"), "{error}");
    }

    /// Boards of another shape could never be among the puzzles: the file was meant for another corpus.
    #[test]
    fn a_file_of_other_shapes_is_refused() {
        let folder = tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(&path, format!("12{}\n", ".".repeat(79))).unwrap();
        let added = |shape: &str| Seen::for_shapes(vec![shape.parse().unwrap()]).add_file(&path);
        assert!(["3x3", "3x3+x"].into_iter().all(|shape| added(shape).is_ok()));
        let error = added("3x2").err().unwrap().to_string();
        assert!(
            error.contains("no board of the shape of the puzzles (6x6 board, 3x2 boxes); its last is a 9x9 board"),
            "{error}"
        );
        // A board that is turned over is the same.
        for (wanted, shape) in [("3x2", "2x3"), ("3x3+diagonal", "3x3+antidiagonal"), ("2x3+x", "3x2+x")] {
            let blank = Puzzle::try_from(Grid::blank(shape.parse().unwrap())).unwrap();
            let mut rows = RowSink::create(&folder.path().join("a.parquet"), None).unwrap();
            rows.write(Record { class: None, ..Record::of_puzzle(0, blank) }).and_then(|()| rows.finish()).unwrap();
            let mut seen = Seen::for_shapes(vec![wanted.parse().unwrap()]);
            assert!(seen.add_file(&folder.path().join("a.parquet")).is_ok(), "{wanted} {shape}");
        }
    }
}
