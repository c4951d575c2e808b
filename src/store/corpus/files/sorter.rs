//! Sorts records of bytes in bounded memory.
//!
//! ```text
//!   push -> [ records in memory ] -- full: sorted --> temporary file:  piece | piece | piece ...
//!   advance <- the least of the first records of the pieces
//! ```
//!
//! Small numbers of records need no file. While the pieces are read, each takes 16 kB of memory. The file has no name,
//! so it is gone when the process ends, however it ends.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, BufWriter, Read, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use rayon::slice::ParallelSliceMut as _;
use tempfile::tempfile_in;

use super::parallel::locked;
use crate::corpus::values::error::in_words;
use crate::corpus::values::reading::Steady;

/// Bytes of a piece that are read at once.
const READ: usize = 1 << 14;

/// Records to be sorted. Clones share the file, and each adds pieces of its own.
#[derive(Clone, Debug)]
pub struct Sorter {
    folder: PathBuf,
    /// Bytes of records that are kept in memory.
    room: usize,
    /// The records in memory, one after the other.
    bytes: Vec<u8>,
    /// Where the records stand in `bytes`.
    records: Vec<RecordPlace>,
    file: Option<Arc<Mutex<File>>>,
    /// The sorted pieces in the file.
    pieces: Vec<Section>,
}

/// A record in memory.
#[derive(Clone, Copy, Debug)]
struct RecordPlace {
    /// Its first eight bytes as a number, with zeros behind a shorter record. This number mostly decides the order.
    head: u64,
    start: u32,
    end: u32,
}

impl RecordPlace {
    /// The bytes of the record, out of those of all records.
    fn of(self, bytes: &[u8]) -> &[u8] {
        &bytes[self.start as usize..self.end as usize]
    }
}

/// Records in ascending order.
pub struct Sorted {
    /// The records in memory.
    memory: Sorter,
    /// The next record in memory, if there are no pieces.
    next: usize,
    pieces: Vec<BufReader<Section>>,
    /// The first record of each piece that was not passed on yet.
    heads: BinaryHeap<Reverse<(Vec<u8>, usize)>>,
    /// The least of the heads was passed on.
    passed: bool,
}

/// A part of a file.
#[derive(Clone, Debug)]
struct Section {
    file: Arc<Mutex<File>>,
    /// The next byte to read.
    start: u64,
    /// The byte after the last one.
    end: u64,
}

/// Words as the bytes of a record: records sort as their words do.
pub fn bytes_of<const N: usize>(words: [u64; N]) -> [[u8; 8]; N] {
    words.map(u64::to_be_bytes)
}

/// The first words of a record; zeros where it is shorter.
pub fn words_of<const N: usize>(record: &[u8]) -> [u64; N] {
    let words = record.as_chunks::<8>().0;
    std::array::from_fn(|place| words.get(place).map_or(0, |word| u64::from_be_bytes(*word)))
}

/// A number as an integer of the same order. Positive numbers get the highest bit, negative ones are inverted. Adding
/// 0.0 makes -0 to 0.
pub fn key_of(number: f64) -> u64 {
    let bits = (number + 0.0).to_bits();
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

/// Names the folder of a temporary file in an error about it.
pub fn in_folder(folder: &Path) -> impl Fn(io::Error) -> io::Error {
    move |error| io::Error::new(error.kind(), format!("a temporary file in {}: {}", folder.display(), in_words(&error)))
}

impl Sorter {
    /// No records. A file is made in the folder once there are more than `room` bytes of records.
    pub fn new(folder: &Path, room: usize) -> Sorter {
        let (bytes, records, pieces) = (Vec::new(), Vec::new(), Vec::new());
        Sorter { folder: folder.to_owned(), room, bytes, records, file: None, pieces }
    }

    /// Adds a record that consists of these parts, one after the other.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn push(&mut self, parts: &[&[u8]]) -> io::Result<()> {
        if self.bytes.len() >= self.room {
            self.spill().map_err(in_folder(&self.folder))?;
        }
        let start = self.bytes.len();
        for part in parts {
            self.bytes.extend_from_slice(part);
        }
        let mut head = [0; 8];
        for (head_byte, byte) in head.iter_mut().zip(&self.bytes[start..]) {
            *head_byte = *byte;
        }
        let (head, end) = (u64::from_be_bytes(head), self.bytes.len() as u32);
        self.records.push(RecordPlace { head, start: start as u32, end });
        Ok(())
    }

    /// Adds all records of another sorter. Its pieces are copied into the file of this one, so that many sorters
    /// together have one file.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn append(&mut self, other: Sorter) -> io::Result<()> {
        let folder = self.folder.clone();
        let named = in_folder(&folder);
        for mut piece in other.pieces {
            let file = self.file.get_or_insert_with(|| piece.file.clone()).clone();
            if !Arc::ptr_eq(&file, &piece.file) {
                let mut out = locked(&file);
                let start = out.seek(SeekFrom::End(0)).map_err(&named)?;
                let end = start + io::copy(&mut piece, &mut *out).map_err(&named)?;
                drop(out);
                piece = Section { file, start, end };
            }
            self.pieces.push(piece);
        }
        for record in other.records {
            self.push(&[record.of(&other.bytes)])?;
        }
        Ok(())
    }

    /// Sorts the records in memory: by their first eight bytes, then by the others.
    fn sort(&mut self) {
        let bytes = &self.bytes;
        self.records.par_sort_unstable_by(|a, b| a.head.cmp(&b.head).then_with(|| a.of(bytes).cmp(b.of(bytes))));
    }

    /// Writes the records in memory as a piece.
    fn spill(&mut self) -> io::Result<()> {
        self.sort();
        let file = match &self.file {
            Some(file) => file.clone(),
            None => self.file.insert(Arc::new(Mutex::new(tempfile_in(&self.folder)?))).clone(),
        };
        let mut open = locked(&file);
        let offset = open.seek(SeekFrom::End(0))?;
        let mut out = BufWriter::with_capacity(1 << 18, &mut *open);
        for record in &self.records {
            out.write_all(&(record.end - record.start).to_le_bytes())?;
            out.write_all(record.of(&self.bytes))?;
        }
        let end = out.stream_position()?;
        out.flush()?;
        drop(out);
        drop(open);
        self.pieces.push(Section { file, start: offset, end });
        self.records.clear();
        self.bytes.clear();
        Ok(())
    }

    /// Sorts the records.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn finish(mut self) -> io::Result<Sorted> {
        if !self.pieces.is_empty() {
            self.spill().map_err(in_folder(&self.folder))?;
            (self.bytes, self.records) = (Vec::new(), Vec::new());
        }
        self.sort();
        let pieces = std::mem::take(&mut self.pieces);
        let mut sorted = Sorted { next: 0, pieces: Vec::new(), heads: BinaryHeap::new(), passed: false, memory: self };
        for (piece, section) in pieces.into_iter().enumerate() {
            let mut reader = BufReader::with_capacity(READ, section);
            let mut head = Vec::new();
            if read_record(&mut reader, &mut head)? {
                sorted.heads.push(Reverse((head, piece)));
            }
            sorted.pieces.push(reader);
        }
        Ok(sorted)
    }
}

impl Sorted {
    /// The next record.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn advance(&mut self) -> io::Result<Option<&[u8]>> {
        if self.pieces.is_empty() {
            self.next += 1;
            let record = self.memory.records.get(self.next - 1);
            return Ok(record.map(|record| record.of(&self.memory.bytes)));
        }
        if std::mem::replace(&mut self.passed, true)
            && let Some(mut least) = self.heads.peek_mut()
        {
            let Reverse((head, piece)) = &mut *least;
            if !read_record(&mut self.pieces[*piece], head)? {
                PeekMut::pop(least);
            }
        }
        Ok(self.heads.peek().map(|Reverse((head, _))| &head[..]))
    }
}

/// Reads the next record of a piece. False at its end.
fn read_record(piece: &mut BufReader<Section>, record: &mut Vec<u8>) -> io::Result<bool> {
    if piece.fill_buf()?.is_empty() {
        return Ok(false);
    }
    let mut length = [0; 4];
    piece.read_exact(&mut length)?;
    record.resize(u32::from_le_bytes(length) as usize, 0);
    piece.read_exact(record)?;
    Ok(true)
}

impl Read for Section {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.end - self.start).unwrap_or(usize::MAX).min(buffer.len());
        let mut file = locked(&self.file);
        file.seek(SeekFrom::Start(self.start))?;
        let length = Steady(&mut *file).read(&mut buffer[..most])?;
        self.start += length as u64;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudoku_corpus_core::random::{Rng, Stage};

    #[test]
    fn sorters_that_are_joined_share_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let mut all = Sorter::new(folder.path(), 100);
        for number in 0..50u64 {
            let mut sorter = Sorter::new(folder.path(), 100);
            (0..40).for_each(|place| sorter.push(&[&(place * 50 + number).to_be_bytes()]).unwrap());
            all.append(sorter).unwrap();
        }
        let file = all.file.clone().unwrap();
        assert!(all.pieces.len() > 50 && all.pieces.iter().all(|piece| Arc::ptr_eq(&piece.file, &file)));
        let mut sorted = all.finish().unwrap();
        for number in 0..2_000u64 {
            assert_eq!(sorted.advance().unwrap(), Some(&number.to_be_bytes()[..]));
        }
    }

    #[test]
    fn records_come_in_order_from_memory_and_from_a_file() {
        let folder = tempfile::tempdir().unwrap();
        for count in [0, 1, 1_000, 500_000] {
            let mut rng = Rng::new(1, count, Stage::Bench, 0);
            let mut sorter = Sorter::new(folder.path(), 16 << 20);
            let mut expected = Vec::new();
            for _ in 0..count {
                // Short ones too, and many that begin with the same bytes.
                let length = rng.below(120);
                let record: Vec<u8> =
                    (0..length).map(|place| rng.below(if place < 8 { 2 } else { 256 }) as u8).collect();
                let (start, rest) = record.split_at(length / 2);
                sorter.push(&[start, rest]).unwrap();
                expected.push(record);
            }
            expected.sort();
            let mut sorted = sorter.finish().unwrap();
            assert_eq!(sorted.pieces.len() > 1, count == 500_000);
            for record in &expected {
                assert_eq!(sorted.advance().unwrap(), Some(&record[..]));
            }
            assert!(sorted.advance().unwrap().is_none() && sorted.advance().unwrap().is_none());
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        }
    }
}
