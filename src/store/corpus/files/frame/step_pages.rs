//! Makes the pages of the columns of steps. What these columns hold is known, so no encoding is tried.
//!
//! ```text
//!   numbers, names, sentences    page of words    page: levels | bits of a key | keys
//!   boards, candidates                            page: levels | texts, each after its length
//!   numbers of rows                               page: levels | numbers
//! ```
//!
//! Both encodings (plain, and keys of a dictionary) are read by all programs. *Tried and lost*: candidates as what
//! differs from those before (delta encodings of Parquet) make files 3 % smaller, but fastparquet and Spark 3.1 refuse them.
//!
//! Levels say where a value is missing and where a list begins. No list is missing, and no value of a list.
//! Reference: Encodings.md of the Apache Parquet format.

use std::io;

use polars_parquet::parquet::CowBuffer;
use polars_parquet::parquet::encoding::{Encoding, bitpacked, uleb128};
use polars_parquet::parquet::metadata::Descriptor;
use polars_parquet::parquet::page::{DataPage, DataPageHeader, DataPageHeaderV1, DictPage, Page};
use polars_parquet::parquet::statistics::{ParquetStatistics, PrimitiveStatistics};
use sudoku_corpus_core::steps::columns::{Gathered, Values};

/// The pages of a column: a page of words if it has one, then one page of all values. `rows` is the number of steps.
///
/// # Errors
/// The column has more than 2^31 values.
pub(super) fn pages(column: Gathered, descriptor: &Descriptor, rows: usize) -> io::Result<Vec<Page>> {
    let (mut buffer, mut pages, mut statistics) = (Vec::new(), Vec::new(), None);
    // Appends the number of their bytes, and then the levels. Returns how many they are.
    let mut push_levels = |levels: Vec<u32>, bits| {
        let mut packed = Vec::new();
        push_keys(&mut packed, &levels, bits);
        buffer.extend_from_slice(&(packed.len() as u32).to_le_bytes());
        buffer.append(&mut packed);
        levels.len()
    };
    // Each array has the level of what is missing or empty, of a first value, and of a further value of a list. A list is
    // optional and so are its values: an empty list has the second of four levels.
    let levels = if descriptor.max_rep_level > 0 {
        push_levels(column.levels([0, 0, 1]), 1);
        push_levels(column.levels([1, 3, 3]), 2)
    } else {
        push_levels(column.levels([0, 1, 1]), 1)
    };
    let encoding = match column.values {
        Values::Rows(rows) => {
            statistics = Some(limits(&rows, descriptor));
            buffer.extend(rows.iter().flat_map(|row| row.to_le_bytes()));
            Encoding::Plain
        }
        Values::Words(words) => {
            let bits = (u32::BITS - words.count.saturating_sub(1).leading_zeros()).max(1) as usize;
            buffer.push(bits as u8);
            push_keys(&mut buffer, &words.keys, bits);
            pages.push(Page::Dict(DictPage::new(CowBuffer::Owned(words.bytes), words.count as usize, false)));
            Encoding::RleDictionary
        }
        Values::Positions(texts) => {
            buffer.reserve(texts.iter().map(Vec::len).sum());
            texts.iter().for_each(|texts| buffer.extend_from_slice(texts));
            Encoding::Plain
        }
    };
    let header = DataPageHeader::V1(DataPageHeaderV1 {
        num_values: i32::try_from(levels).map_err(io::Error::other)?,
        encoding: encoding.into(),
        definition_level_encoding: Encoding::Rle.into(),
        repetition_level_encoding: Encoding::Rle.into(),
        statistics,
    });
    pages.push(Page::Data(DataPage::new(header, CowBuffer::Owned(buffer), descriptor.clone(), rows)));
    Ok(pages)
}

/// Appends keys of `bits` bits each, all as one run: one key and how often it stands there, or groups of eight keys.
fn push_keys(buffer: &mut Vec<u8>, keys: &[u32], bits: usize) {
    match keys.first() {
        None => {}
        Some(first) if keys[1..] == keys[..keys.len() - 1] => {
            push_unsigned(buffer, (keys.len() as u64) << 1);
            buffer.extend_from_slice(&first.to_le_bytes()[..bits.div_ceil(8)]);
        }
        Some(_) => {
            push_unsigned(buffer, (keys.len().div_ceil(8) as u64) << 1 | 1);
            // Keys are packed 32 at a time, and the file has groups of eight.
            let start = buffer.len();
            buffer.resize(start + keys.len().div_ceil(32) * 4 * bits, 0);
            bitpacked::encode(keys, bits, &mut buffer[start..]);
            buffer.truncate(start + keys.len().div_ceil(8) * bits);
        }
    }
}

/// Appends a number, seven bits in a byte, the lowest first.
fn push_unsigned(buffer: &mut Vec<u8>, number: u64) {
    let mut bytes = [0; 10];
    let len = uleb128::encode(number, &mut bytes);
    buffer.extend_from_slice(&bytes[..len]);
}

/// The least and the greatest number, by which readers pass over row groups.
fn limits(rows: &[u64], descriptor: &Descriptor) -> ParquetStatistics {
    let [min_value, max_value] = [rows.iter().min(), rows.iter().max()].map(|limit| limit.map(|&row| row as i64));
    let primitive_type = descriptor.primitive_type.clone();
    PrimitiveStatistics { primitive_type, null_count: Some(0), distinct_count: None, min_value, max_value }.serialize()
}
