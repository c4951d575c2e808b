//! Holds chosen puzzles in their order: sixteen bytes of memory for each. Up to 16 MB of them are in memory. More stand
//! in a temporary file without a name, which is gone when the process ends, however it ends.

use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tempfile::{SpooledTempFile, spooled_tempfile_in};

use crate::publish::choice::chosen::Chosen;
use sudoku_corpus_core::board::Shape;
use sudoku_corpus_store::corpus::sorter::in_folder;
use sudoku_corpus_store::corpus::{StopFlag, Workers};

/// Bytes of puzzles in memory.
const ROOM: usize = 16 << 20;

/// Puzzles that are read from the file together.
const BLOCK: usize = 256;

/// Bytes between two puzzles that are read as well, because this takes less time than another call.
const GAP: u64 = 4096;

/// Chosen puzzles in their order. [`PuzzleWriter`] makes them.
#[derive(Debug)]
pub struct Puzzles {
    /// [`Puzzles::some`] stand in the same file.
    file: Arc<Mutex<SpooledTempFile>>,
    places: Places,
}

/// Where puzzles stand in the file, in their order.
#[derive(Debug, Default)]
struct Places {
    all: Vec<Place>,
    /// The kinds of their boards: few, whatever the number of puzzles.
    shapes: Vec<Shape>,
}

/// Where a puzzle stands in the file.
#[derive(Clone, Copy, Debug)]
struct Place {
    start: u64,
    bytes: u32,
    /// The kind of its board: a position in [`Places::shapes`].
    shape: u32,
}

impl Place {
    fn end(self) -> u64 {
        self.start + u64::from(self.bytes)
    }
}

impl Places {
    fn push(&mut self, start: u64, bytes: u32, kind: Shape) {
        let shape = self.shapes.iter().position(|shape| *shape == kind).unwrap_or_else(|| {
            self.shapes.push(kind);
            self.shapes.len() - 1
        });
        self.all.push(Place { start, bytes, shape: shape as u32 });
    }
}

/// Chosen puzzles that are written one after the other. None can be read before [`PuzzleWriter::finish`], and none can
/// be added after it.
pub(crate) struct PuzzleWriter {
    file: BufWriter<SpooledTempFile>,
    folder: PathBuf,
    places: Places,
}

impl PuzzleWriter {
    /// No puzzles. A file is made in the folder if there are many.
    pub(crate) fn new(folder: &Path) -> PuzzleWriter {
        let file = BufWriter::with_capacity(1 << 16, spooled_tempfile_in(ROOM, folder));
        PuzzleWriter { file, folder: folder.to_owned(), places: Places::default() }
    }

    /// Adds a puzzle by the bytes of [`Chosen::bytes`].
    pub(crate) fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes).map_err(in_folder(&self.folder))?;
        let start = self.places.all.last().map_or(0, |last| last.end());
        self.places.push(start, bytes.len() as u32, Chosen::shape_of(bytes).kind());
        Ok(())
    }

    /// The puzzles, which can be read now.
    pub(crate) fn finish(self) -> io::Result<Puzzles> {
        let file = self.file.into_inner().map_err(|error| in_folder(&self.folder)(error.into_error()))?;
        Ok(Puzzles { file: Arc::new(Mutex::new(file)), places: self.places })
    }
}

impl Puzzles {
    /// Puzzles in their order, for tests.
    #[cfg(test)]
    pub(crate) fn of(folder: &Path, chosen: impl IntoIterator<Item = Chosen>) -> Puzzles {
        let mut writer = PuzzleWriter::new(folder);
        for chosen in chosen {
            let (head, row) = chosen.bytes();
            writer.add(&[&head, row].concat()).unwrap();
        }
        writer.finish().unwrap()
    }

    /// Some of these puzzles, by their positions, in any order.
    pub fn some(&self, positions: impl IntoIterator<Item = usize>) -> Puzzles {
        let mut places = Places::default();
        for position in positions {
            let Place { start, bytes, shape } = self.places.all[position];
            places.push(start, bytes, self.places.shapes[shape as usize]);
        }
        Puzzles { file: Arc::clone(&self.file), places }
    }

    /// Number of puzzles.
    pub fn len(&self) -> usize {
        self.places.all.len()
    }

    /// True if there is no puzzle.
    pub fn is_empty(&self) -> bool {
        self.places.all.is_empty()
    }

    /// The kinds of the boards, in the order in which they first occur.
    pub fn shapes(&self) -> &[Shape] {
        &self.places.shapes
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

    /// The puzzles at some places. Those that stand near each other are read at once. Empty beyond the end.
    fn block(&self, range: Range<usize>) -> io::Result<Vec<Chosen>> {
        let places = self.places.all.get(range).unwrap_or_default();
        let mut block = Vec::with_capacity(places.len());
        let is_near = |one: &Place, next: &Place| next.start.checked_sub(one.end()).is_some_and(|gap| gap <= GAP);
        for near in places.chunk_by(is_near) {
            let (start, end) = (near[0].start, near[near.len() - 1].end());
            let mut bytes = vec![0; (end - start) as usize];
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(start))?;
            file.read_exact(&mut bytes)?;
            drop(file);
            let of = |place: &Place| Chosen::of(&bytes[(place.start - start) as usize..][..place.bytes as usize]);
            block.extend(near.iter().map(of));
        }
        Ok(block)
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
            let puzzles = Puzzles::of(folder.path(), (0..count).map(chosen));
            assert_eq!((puzzles.len(), puzzles.shapes().len()), (count, count.min(1)));
            assert_eq!(puzzles.file.lock().unwrap().is_rolled(), count == 40_000);
            for (at, found) in puzzles.iter().enumerate() {
                assert_eq!(found.unwrap(), chosen(at));
            }
            assert!(puzzles.get(count).is_err());
            let order: Vec<usize> = (0..count).filter(|at| at % 90 < 40).chain((0..count).rev().step_by(7)).collect();
            let in_order = puzzles.some(order.iter().copied());
            assert_eq!((in_order.len(), in_order.shapes().len()), (order.len(), count.min(1)));
            assert!(in_order.iter().map(Result::unwrap).eq(order.into_iter().map(chosen)));
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
