//! Checksums in the footer of a Parquet file, so that a flipped bit is an error and never another value.
//!
//! ```text
//!   PAR1 | column chunk | column chunk | ...     | page indexes | footer | length | PAR1
//!          '------------ a sum each ------------'  '---------- one sum -----------'
//! ```
//!
//! The sum of a chunk covers the bytes up to the next chunk. Those of all chunks, in the order of the file, are the
//! value of [`CHUNKS`], after the place where the last chunk ends. The value of [`TAIL`] is the sum of what follows,
//! which is computed with [`UNKNOWN`] in its place. Each sum is the first 8 bytes of a BLAKE3. Other programs see two
//! more texts among the metadata. Files of other programs, and those of older versions, have no sums.

use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use polars_parquet::read::FileMetadata;
use polars_parquet::write::KeyValue;

use crate::corpus::files::parallel::locked;

/// The key of the sums of the column chunks.
const CHUNKS: &str = "sudoku-corpus-checksums";

/// The key of the sum of all that follows the column chunks.
const TAIL: &str = "sudoku-corpus-footer-checksum";

/// What stands for the sum of the tail while it is computed.
const UNKNOWN: &[u8; 16] = b"****************";

const SIZE: usize = 8;

fn sum(bytes: &[u8]) -> [u8; SIZE] {
    first_bytes(&blake3::hash(bytes))
}

fn first_bytes(hash: &blake3::Hash) -> [u8; SIZE] {
    std::array::from_fn(|place| hash.as_bytes()[place])
}

/// Sums what is written. The writer of the file and the writer below it share it.
#[derive(Clone, Debug, Default)]
pub(super) struct WrittenSums(Arc<Mutex<Written>>);

#[derive(Debug, Default)]
struct Written {
    /// The number of bytes before the tail.
    bytes: u64,
    chunk: Option<blake3::Hasher>,
    sums: Vec<u8>,
    /// The tail, which is kept until its sum is known.
    tail: Option<Vec<u8>>,
}

impl WrittenSums {
    /// Ends the chunk before, if there is one, and begins the next.
    pub(super) fn begin_chunk(&self) {
        self.end_chunk();
        locked(&self.0).chunk = Some(blake3::Hasher::new());
    }

    /// Ends the last chunk of a row group.
    pub(super) fn end_chunk(&self) {
        let mut written = locked(&self.0);
        if let Some(hash) = written.chunk.take() {
            written.sums.extend(first_bytes(&hash.finalize()));
        }
    }

    /// Begins the tail. Returns what its footer must say.
    pub(super) fn begin_tail(&self) -> [KeyValue; 2] {
        let mut written = locked(&self.0);
        written.tail = Some(Vec::new());
        let chunks = [&written.bytes.to_le_bytes()[..], &written.sums].concat();
        let pair = |key: &str, value: String| KeyValue { key: key.to_owned(), value: Some(value) };
        [pair(CHUNKS, STANDARD.encode(chunks)), pair(TAIL, String::from_utf8_lossy(UNKNOWN).into_owned())]
    }

    /// Keeps bytes of the tail, and returns true. False for other bytes, which are to be written.
    pub(super) fn keeps(&self, data: &[u8]) -> bool {
        locked(&self.0).tail.as_mut().map(|tail| tail.extend_from_slice(data)).is_some()
    }

    pub(super) fn add(&self, data: &[u8]) {
        let mut written = locked(&self.0);
        written.bytes += data.len() as u64;
        if let Some(hash) = &mut written.chunk {
            hash.update(data);
        }
    }

    /// The tail with its sum.
    pub(super) fn tail(&self) -> Vec<u8> {
        let mut tail = locked(&self.0).tail.take().unwrap_or_default();
        let hex = hex(sum(&tail));
        if let Some(place) = last_place(&tail, UNKNOWN) {
            tail[place..place + hex.len()].copy_from_slice(hex.as_bytes());
        }
        tail
    }
}

/// A sum as 16 digits.
fn hex(sum: [u8; SIZE]) -> String {
    format!("{:016x}", u64::from_be_bytes(sum))
}

/// The last place of a text in some bytes.
fn last_place(bytes: &[u8], text: &[u8]) -> Option<usize> {
    bytes.windows(text.len()).rposition(|window| window == text)
}

/// The sums of a file that is read.
#[derive(Clone, Debug)]
pub(super) struct FileSums {
    /// Where the tail begins.
    end: u64,
    chunks: Vec<u8>,
}

impl FileSums {
    /// The sums that a footer has, compared with the tail of the file. None if the file has no sums.
    ///
    /// # Errors
    /// The tail is damaged.
    pub(super) fn of(bytes: &[u8], metadata: &FileMetadata) -> Result<Option<FileSums>, String> {
        let pairs = metadata.key_value_metadata().as_ref();
        let value = |key: &str| pairs?.iter().find(|pair| pair.key == key)?.value.as_deref();
        let (Some(chunks), Some(said)) = (value(CHUNKS), value(TAIL)) else { return Ok(None) };
        let damaged = || "damaged: its footer has another checksum than it says".to_owned();
        let decoded = STANDARD.decode(chunks).map_err(|_| damaged())?;
        let (end, chunks) = decoded.split_first_chunk().ok_or_else(damaged)?;
        let end = u64::from_le_bytes(*end);
        let mut tail = bytes.get(end as usize..).ok_or_else(damaged)?.to_vec();
        let place = last_place(&tail, said.as_bytes()).filter(|_| said.len() == UNKNOWN.len()).ok_or_else(damaged)?;
        tail[place..place + UNKNOWN.len()].copy_from_slice(UNKNOWN);
        let columns = metadata.row_groups.iter().map(|group| group.parquet_columns().len()).sum::<usize>();
        if hex(sum(&tail)) != said || chunks.len() != columns * SIZE || !bytes.starts_with(b"PAR1") {
            return Err(damaged());
        }
        Ok(Some(FileSums { end, chunks: chunks.to_vec() }))
    }

    /// Checks the bytes of a column chunk, by its row group and its number in it.
    pub(super) fn check(
        &self,
        bytes: &[u8],
        metadata: &FileMetadata,
        group: usize,
        column: usize,
    ) -> Result<(), String> {
        let groups = &metadata.row_groups;
        let start = |group: usize, column: usize| {
            groups.get(group)?.parquet_columns().get(column).map(|chunk| chunk.byte_range().start)
        };
        let before: usize = groups[..group].iter().map(|group| group.parquet_columns().len()).sum();
        let next = start(group, column + 1).or_else(|| start(group + 1, 0)).unwrap_or(self.end);
        let chunk = start(group, column).and_then(|start| bytes.get(start as usize..next as usize));
        let said = self.chunks.chunks_exact(SIZE).nth(before + column);
        if chunk.is_some() && chunk.map(sum).as_ref().map(<[u8; SIZE]>::as_slice) == said {
            return Ok(());
        }
        let name = groups[group].parquet_columns()[column].descriptor().path_in_schema.first();
        let name = name.map_or(String::new(), ToString::to_string);
        Err(format!("damaged: the column '{name}' has another checksum than the footer says"))
    }
}
