//! Holds chosen puzzles in their order: sixteen bytes of memory for each. Up to 16 MB of them are in memory. More stand
//! in a temporary file without a name, which is gone when the process ends, however it ends.
//!
//! ```text
//!   add, in any order -> [ 16 MB, by place ] -> file:  piece | piece | piece ...      and where each puzzle stands
//!   a block of the order <- some puzzles of each piece, which stand together
//! ```

use std::collections::BTreeSet;
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tempfile::{SpooledTempFile, spooled_tempfile_in};

use crate::choice::rows::chosen::Chosen;
use sudoku_corpus_core::board::Shape;
use sudoku_corpus_store::corpus::sorter::in_folder;
use sudoku_corpus_store::corpus::{ItemSize, StopFlag, in_order};

/// Bytes of puzzles in memory.
const ROOM: usize = 16 << 20;

/// The most puzzles that are read from the file together.
const LARGEST_BLOCK: usize = 1024;

/// The size of the first block. The first blocks are small, so that all threads have work if there are few puzzles.
const FIRST_BLOCK: usize = 16;

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
#[derive(Clone, Copy, Debug, Default)]
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
    /// The number of a kind of board.
    fn shape(&mut self, kind: Shape) -> u32 {
        let number = match self.shapes.iter().position(|shape| *shape == kind) {
            Some(number) => number,
            None => {
                self.shapes.push(kind);
                self.shapes.len() - 1
            }
        };
        number as u32
    }

    fn some(&self, positions: impl IntoIterator<Item = usize>) -> Places {
        let mut places = Places::default();
        for position in positions {
            let place = self.all[position];
            let shape = places.shape(self.shapes[place.shape as usize]);
            places.all.push(Place { shape, ..place });
        }
        places
    }
}

/// Chosen puzzles that are added one after the other, in any order. None can be read before [`PuzzleWriter::finish`].
pub(crate) struct PuzzleWriter {
    file: SpooledTempFile,
    written: u64,
    added: usize,
    folder: PathBuf,
    places: Places,
    /// Puzzles that are not in the file yet: for each its position, and its place in `bytes`.
    waiting: Vec<(usize, Place)>,
    bytes: Vec<u8>,
}

impl PuzzleWriter {
    /// No puzzles. A file is made in the folder if there are many.
    pub(crate) fn new(folder: &Path) -> PuzzleWriter {
        PuzzleWriter {
            file: spooled_tempfile_in(ROOM, folder),
            written: 0,
            added: 0,
            folder: folder.to_owned(),
            places: Places::default(),
            waiting: Vec::new(),
            bytes: Vec::new(),
        }
    }

    /// Adds a puzzle at its position, by the kind of its board and the bytes of [`Chosen::bytes`].
    pub(crate) fn add(&mut self, position: usize, kind: Shape, bytes: &[u8]) -> io::Result<()> {
        if self.bytes.len() >= ROOM {
            // They are too many for memory.
            self.file.roll().and_then(|()| self.write()).map_err(in_folder(&self.folder))?;
        }
        let shape = self.places.shape(kind);
        self.added += 1;
        self.waiting.push((position, Place { start: self.bytes.len() as u64, bytes: bytes.len() as u32, shape }));
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// Writes the puzzles that wait as a piece of the file, in their order.
    fn write(&mut self) -> io::Result<()> {
        self.waiting.sort_unstable_by_key(|(position, _)| *position);
        let mut out = BufWriter::with_capacity(1 << 16, &mut self.file);
        for (position, place) in self.waiting.drain(..) {
            out.write_all(&self.bytes[place.start as usize..place.end() as usize])?;
            if self.places.all.len() <= position {
                self.places.all.resize(position + 1, Place::default());
            }
            self.places.all[position] = Place { start: self.written, ..place };
            self.written += u64::from(place.bytes);
        }
        self.bytes.clear();
        out.flush()
    }

    /// The puzzles, which can be read now.
    ///
    /// # Errors
    /// An error of the operating system; positions without a puzzle, or with two.
    pub(crate) fn finish(mut self) -> io::Result<Puzzles> {
        self.write().map_err(in_folder(&self.folder))?;
        if self.added != self.places.all.len() || self.places.all.iter().any(|place| place.bytes == 0) {
            return Err(io::Error::other("each position needs one chosen puzzle"));
        }
        // The kinds in the order of the puzzles.
        let is_mixed = self.places.shapes.len() > 1;
        let places = if is_mixed { self.places.some(0..self.places.all.len()) } else { self.places };
        Ok(Puzzles { file: Arc::new(Mutex::new(self.file)), places })
    }
}

impl Puzzles {
    /// Puzzles in their order, for tests. They are added in another order.
    #[cfg(test)]
    pub(crate) fn of(folder: &Path, chosen: impl IntoIterator<Item = Chosen>) -> Puzzles {
        let (mut writer, chosen) = (PuzzleWriter::new(folder), chosen.into_iter().collect::<Vec<Chosen>>());
        for (at, chosen) in (0..3).flat_map(|first| chosen.iter().enumerate().skip(first).step_by(3)) {
            let (head, row) = chosen.bytes();
            writer.add(at, chosen.shape().kind(), &[&head, row].concat()).unwrap();
        }
        writer.finish().unwrap()
    }

    /// Some of these puzzles, by their positions, in any order.
    pub fn some(&self, positions: impl IntoIterator<Item = usize>) -> Puzzles {
        Puzzles { file: Arc::clone(&self.file), places: self.places.some(positions) }
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
    pub fn get(&self, position: usize) -> io::Result<Chosen> {
        self.block(&[position])?.pop().ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }

    /// The puzzles in order. An item may be an error of the operating system.
    pub fn iter(&self) -> impl Iterator<Item = io::Result<Chosen>> {
        self.read(0..self.len()).map(|row| Ok(row?.1))
    }

    /// The classes of the puzzles.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn classes(&self) -> io::Result<Vec<u128>> {
        let mut classes = Vec::with_capacity(self.len());
        Rows::all(self).each(
            |_, chosen| chosen.class,
            |class| {
                classes.push(class);
                Ok::<_, io::Error>(())
            },
        )?;
        Ok(classes)
    }

    /// The puzzles at some positions, with these. After an error come the next blocks.
    fn read(&self, positions: impl Iterator<Item = usize>) -> impl Iterator<Item = io::Result<(usize, Chosen)>> {
        blocks(positions).flat_map(|block| {
            let (chosen, error) = match self.block(&block) {
                Ok(chosen) => (chosen, None),
                Err(error) => (Vec::new(), Some(Err(error))),
            };
            block.into_iter().zip(chosen).map(Ok).chain(error)
        })
    }

    /// The puzzles at some positions. Those that stand near each other in the file are read at once. A position beyond
    /// the end is an error.
    fn block(&self, positions: &[usize]) -> io::Result<Vec<Chosen>> {
        // Where the puzzles stand in the file, each with its number in the block.
        let mut places: Vec<(Place, usize)> = Vec::with_capacity(positions.len());
        for (number, position) in positions.iter().enumerate() {
            let place = self.places.all.get(*position).ok_or(io::ErrorKind::UnexpectedEof)?;
            places.push((*place, number));
        }
        places.sort_unstable_by_key(|(place, _)| place.start);
        let mut block = vec![None; places.len()];
        for neighbors in places.chunk_by(|(place, _), (next, _)| next.start.saturating_sub(place.end()) <= GAP) {
            let (first, _) = neighbors[0];
            let (last, _) = neighbors[neighbors.len() - 1];
            let mut bytes = vec![0; (last.end() - first.start) as usize];
            let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(first.start))?;
            file.read_exact(&mut bytes)?;
            drop(file);
            for (place, number) in neighbors {
                let start = (place.start - first.start) as usize;
                block[*number] = Some(Chosen::of(&bytes[start..start + place.bytes as usize]));
            }
        }
        Ok(block.into_iter().flatten().collect())
    }
}

/// Positions in blocks that are read together.
fn blocks(mut positions: impl Iterator<Item = usize>) -> impl Iterator<Item = Vec<usize>> {
    let mut size = FIRST_BLOCK;
    std::iter::from_fn(move || {
        let block: Vec<usize> = positions.by_ref().take(size).collect();
        size = LARGEST_BLOCK.min(2 * size);
        if block.is_empty() { None } else { Some(block) }
    })
}

/// Some of the chosen puzzles, with their positions among all.
#[derive(Clone, Debug)]
pub(crate) struct Rows<'a> {
    all: &'a Puzzles,
    /// The positions, in order.
    ranges: Vec<Range<usize>>,
}

impl<'a> Rows<'a> {
    pub(crate) fn none(all: &'a Puzzles) -> Rows<'a> {
        Rows { all, ranges: Vec::new() }
    }

    pub(crate) fn all(all: &'a Puzzles) -> Rows<'a> {
        let whole = 0..all.len();
        Rows { all, ranges: Vec::from_iter([whole]) }
    }

    /// Adds the puzzle at a position after all others.
    pub(crate) fn add(&mut self, position: usize) {
        match self.ranges.last_mut() {
            Some(last) if last.end == position => last.end += 1,
            _ => self.ranges.push(position..position + 1),
        }
    }

    pub(crate) fn positions(&self) -> impl Iterator<Item = usize> {
        self.ranges.iter().cloned().flatten()
    }

    /// The kinds of the boards.
    pub(crate) fn shapes(&self) -> BTreeSet<Shape> {
        let Places { all, shapes } = &self.all.places;
        self.positions().map(|position| shapes[all[position].shape as usize]).collect()
    }

    /// The puzzles with their positions. An item may be an error of the operating system.
    pub(crate) fn iter(&self) -> impl Iterator<Item = io::Result<(usize, Chosen)>> {
        self.all.read(self.positions())
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
        self.each_block(
            |block| block.map(|(position, chosen)| make(position, chosen)).collect::<Vec<T>>(),
            |results| results.into_iter().try_for_each(&mut take),
        )
    }

    /// Like [`Rows::each`], with a block of puzzles at a time. Each block is read where it is worked on.
    fn each_block<T: Send, E: From<io::Error>>(
        &self,
        make: impl Fn(&mut dyn Iterator<Item = (usize, Chosen)>) -> T + Sync + Send,
        mut take: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let make_block = |positions: Vec<usize>| {
            let chosen = self.all.block(&positions)?;
            Ok(make(&mut positions.into_iter().zip(chosen)))
        };
        in_order(ItemSize::Large, blocks(self.positions()), &StopFlag::new(), make_block, |results| {
            results.into_iter().try_for_each(|result: io::Result<T>| take(result?))
        })?;
        Ok(())
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
        self.each_block(
            |block| block.map(|(position, chosen)| text(position, chosen)).collect::<io::Result<String>>(),
            |texts| out.write_all(texts?.as_bytes()),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudoku_corpus_store::corpus::Record;

    #[test]
    fn each_position_has_one_puzzle() {
        let folder = tempfile::tempdir().unwrap();
        let finished = |positions: &[usize]| {
            let mut writer = PuzzleWriter::new(folder.path());
            positions.iter().for_each(|&at| writer.add(at, Shape::NINE, b"row").unwrap());
            writer.finish().map(|puzzles| puzzles.len())
        };
        assert_eq!(finished(&[2, 0, 1]).unwrap(), 3);
        assert!([&[0, 2][..], &[0, 1, 1], &[0, 2, 2]].into_iter().all(|positions| finished(positions).is_err()));
    }

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
            assert!(some.positions().eq(places.iter().copied()));
            for (row, at) in some.iter().zip(places) {
                assert_eq!(row.unwrap(), (at, chosen(at)));
            }
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }
}
