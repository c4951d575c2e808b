//! Holds chosen puzzles in their order: eight bytes of memory for each. Up to 16 MB of them are in memory. More stand
//! in a temporary file without a name, which is gone when the process ends, however it ends.

use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tempfile::{SpooledTempFile, spooled_tempfile_in};

use crate::publish::choice::chosen::Chosen;
use sudoku_corpus_core::board::Shape;
use sudoku_corpus_store::corpus::sorter::in_folder;
use sudoku_corpus_store::corpus::{StopFlag, Workers};

/// Bytes of puzzles in memory.
const ROOM: usize = 16 << 20;

/// Puzzles that are read from the file together.
const BLOCK: usize = 256;

/// Chosen puzzles in their order. All are added before one is read.
#[derive(Debug)]
pub struct Puzzles {
    file: Mutex<BufWriter<SpooledTempFile>>,
    folder: PathBuf,
    /// The end of each puzzle in the file.
    ends: Vec<u64>,
    /// The kinds of their boards: few, whatever the number of puzzles.
    shapes: Vec<Shape>,
}

impl Puzzles {
    /// No puzzles. A file is made in the folder if there are many.
    pub fn new(folder: &Path) -> Puzzles {
        let file = Mutex::new(BufWriter::with_capacity(1 << 16, spooled_tempfile_in(ROOM, folder)));
        Puzzles { file, folder: folder.to_owned(), ends: Vec::new(), shapes: Vec::new() }
    }

    /// Puzzles in their order. A file is made in the folder if there are many.
    ///
    /// # Errors
    /// An error of a puzzle, or of the operating system.
    pub fn of(folder: &Path, chosen: impl IntoIterator<Item = io::Result<Chosen>>) -> io::Result<Puzzles> {
        let mut puzzles = Puzzles::new(folder);
        chosen.into_iter().try_for_each(|chosen| puzzles.add(&chosen?))?;
        Ok(puzzles)
    }

    /// Adds a puzzle.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn add(&mut self, chosen: &Chosen) -> io::Result<()> {
        let (head, row) = chosen.bytes();
        self.add_bytes(&[&head, row].concat())
    }

    /// Adds a puzzle by its bytes.
    pub(crate) fn add_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        let file = self.file.get_mut().unwrap_or_else(PoisonError::into_inner);
        file.write_all(bytes).map_err(in_folder(&self.folder))?;
        self.ends.push(self.start(self.len()) + bytes.len() as u64);
        let shape = Chosen::shape_of(bytes).kind();
        if !self.shapes.contains(&shape) {
            self.shapes.push(shape);
        }
        Ok(())
    }

    /// Number of puzzles.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there is no puzzle.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The kinds of the boards, in the order in which they first occur.
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// The puzzle at a position. A position beyond the end is an error.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn get(&self, at: usize) -> io::Result<Chosen> {
        self.block(at..at + 1)?.pop().ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }

    /// The puzzles in order. An item may be an error of the operating system.
    pub fn iter(&self) -> impl Iterator<Item = io::Result<Chosen>> {
        self.range(0..self.len())
    }

    /// The puzzles at some places, read block by block. After an error come the next blocks.
    fn range(&self, range: Range<usize>) -> impl Iterator<Item = io::Result<Chosen>> {
        let end = range.end;
        range.step_by(BLOCK).flat_map(move |start| {
            let (block, error) = match self.block(start..end.min(start + BLOCK)) {
                Ok(block) => (block, None),
                Err(error) => (Vec::new(), Some(Err(error))),
            };
            block.into_iter().map(Ok).chain(error)
        })
    }

    /// Where the puzzle at a position begins in the file.
    fn start(&self, at: usize) -> u64 {
        at.checked_sub(1).map_or(0, |before| self.ends[before])
    }

    /// The puzzles at some places, read at once. Empty beyond the end.
    fn block(&self, range: Range<usize>) -> io::Result<Vec<Chosen>> {
        let Some(ends) = self.ends.get(range.clone()) else { return Ok(Vec::new()) };
        let mut start = self.start(range.start);
        let mut bytes = vec![0; ends.last().map_or(0, |end| (end - start) as usize)];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(start))?;
        file.get_mut().read_exact(&mut bytes)?;
        drop(file);
        let mut rest = &bytes[..];
        let one = |&end: &u64| {
            let (bytes, others) = rest.split_at((end - start) as usize);
            (start, rest) = (end, others);
            Chosen::of(bytes)
        };
        Ok(ends.iter().map(one).collect())
    }
}

/// Some of the chosen puzzles, with their positions among all.
#[derive(Clone, Debug)]
pub(crate) struct Rows<'a> {
    all: &'a Puzzles,
    /// The positions, in order.
    ranges: Vec<Range<usize>>,
}

impl<'a> Rows<'a> {
    /// None of the puzzles.
    pub(crate) fn none(all: &'a Puzzles) -> Rows<'a> {
        Rows { all, ranges: Vec::new() }
    }

    /// All puzzles.
    pub(crate) fn all(all: &'a Puzzles) -> Rows<'a> {
        let all_places = 0..all.len();
        Rows { all, ranges: Vec::from_iter([all_places]) }
    }

    /// Adds the puzzle at a position after all others.
    pub(crate) fn add(&mut self, at: usize) {
        match self.ranges.last_mut() {
            Some(last) if last.end == at => last.end += 1,
            _ => self.ranges.push(at..at + 1),
        }
    }

    /// The positions.
    pub(crate) fn places(&self) -> impl Iterator<Item = usize> {
        self.ranges.iter().cloned().flatten()
    }

    /// The puzzles with their positions. An item may be an error of the operating system.
    pub(crate) fn iter(&self) -> impl Iterator<Item = io::Result<(usize, Chosen)>> {
        let all = self.all;
        let rows = move |range: &Range<usize>| range.clone().zip(all.range(range.clone()));
        self.ranges.iter().flat_map(rows).map(|(at, chosen)| Ok((at, chosen?)))
    }

    /// Makes something of each puzzle by its position, in parallel, and passes it on in order.
    ///
    /// # Errors
    /// An error of the operating system, or the first of `take`.
    pub(crate) fn each<T: Send, E: From<io::Error>>(
        &self,
        make: impl Fn(usize, Chosen) -> T + Sync + Send,
        mut take: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let made = |row: io::Result<(usize, Chosen)>| row.map(|(at, chosen)| make(at, chosen));
        let taken = |made: Vec<io::Result<T>>| made.into_iter().try_for_each(|made| take(made?));
        Workers::here().run(self.iter(), &StopFlag::new(), made, taken).map(drop)
    }

    /// Writes the text of each puzzle.
    ///
    /// # Errors
    /// An error of the operating system, or the first of `text`.
    pub(crate) fn write(
        &self,
        out: &mut dyn Write,
        text: impl Fn(usize, Chosen) -> io::Result<String> + Sync + Send,
    ) -> io::Result<()> {
        self.each(text, |text| out.write_all(text?.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudoku_corpus_store::corpus::Record;

    #[test]
    fn puzzles_come_back_in_order_from_memory_and_from_a_file() {
        let folder = tempfile::tempdir().unwrap();
        for count in [0, 1, 300, 40_000] {
            let chosen = |at: usize| {
                let name = Some("n".repeat(at % 1_000));
                Chosen::new(&Record { name, ..Record::new(at as u64, Shape::NINE) }, at % 64, at as u128)
            };
            let puzzles = Puzzles::of(folder.path(), (0..count).map(|at| Ok(chosen(at)))).unwrap();
            assert_eq!((puzzles.len(), puzzles.shapes().len()), (count, count.min(1)));
            assert_eq!(puzzles.file.lock().unwrap().get_ref().is_rolled(), count == 40_000);
            for (at, found) in puzzles.iter().enumerate() {
                assert_eq!(found.unwrap(), chosen(at));
            }
            assert!(puzzles.get(count).is_err());
            let mut some = Rows::none(&puzzles);
            let places: Vec<usize> = (0..count).filter(|at| at % 7 < 3).collect();
            places.iter().for_each(|at| some.add(*at));
            assert!(some.places().eq(places.iter().copied()));
            for (row, at) in some.iter().zip(places) {
                assert_eq!(row.unwrap(), (at, chosen(at)));
            }
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }
}
