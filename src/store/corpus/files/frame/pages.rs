//! Checks the page headers of a Parquet file, before polars decodes the pages.
//!
//! ```text
//!   column chunk:  header | page | header | page | ...        header: type, sizes, number of values
//! ```
//!
//! polars trusts the number of values in a header and reserves memory for it. With a damaged byte there, it may try to
//! reserve 2^61 bytes. This aborts the process, and no caller can catch it. Here every header must fit into its chunk
//! and its row group.
//! Reference: parquet.thrift of the Apache Parquet format, `PageHeader`.

use polars_parquet_format::thrift::protocol::TCompactInputProtocol;
use polars_parquet_format::{PageHeader, PageType};

/// The most bytes of the values of one column in one row group, which are decoded together. Three million rows have
/// this many bytes of 9x9 puzzles, at 81 characters each.
const MOST_BYTES: u64 = 1 << 28;

/// Checks the headers of the pages of one flat column in one row group of `rows` rows.
pub(super) fn check_pages(chunk: &[u8], rows: u64) -> Result<(), String> {
    let mut rest = chunk;
    let (mut values_so_far, mut bytes) = (0, 0u64);
    while values_so_far < rows {
        let header = header(&mut rest)?;
        let packed = usize::try_from(header.compressed_page_size).ok();
        let page = packed.and_then(|size| rest.split_at_checked(size));
        let (Some((_, behind)), Ok(unpacked)) = (page, u64::try_from(header.uncompressed_page_size)) else {
            return Err("damaged: a page is larger than its column".to_owned());
        };
        rest = behind;
        bytes += unpacked;
        if bytes > MOST_BYTES {
            return Err(TOO_LARGE.to_owned());
        }
        match header.type_ {
            PageType::DICTIONARY_PAGE => check_dictionary(&header, unpacked, rows)?,
            PageType::DATA_PAGE | PageType::DATA_PAGE_V2 => {
                let first = header.data_page_header.map(|page| page.num_values);
                let values = first.or(header.data_page_header_v2.map(|page| page.num_values));
                match values.and_then(|values| u64::try_from(values).ok()) {
                    Some(values) if values <= rows - values_so_far => values_so_far += values,
                    _ => return Err("damaged: a page has more values than its row group has rows".to_owned()),
                }
            }
            // Index pages and unknown ones.
            _ => {}
        }
    }
    Ok(())
}

const TOO_LARGE: &str = "its row groups would take more than 256 MiB of memory for one column";

/// Checks a dictionary of so many bytes. An unpacked column takes about its rows times the mean of the dictionary's
/// values. The largest value is not known before the dictionary is unpacked.
fn check_dictionary(header: &PageHeader, unpacked: u64, rows: u64) -> Result<(), String> {
    let values = header.dictionary_page_header.as_ref().map(|page| page.num_values);
    match values.and_then(|values| u64::try_from(values).ok()) {
        Some(values) if values <= unpacked => match (unpacked / values.max(1)).saturating_mul(rows) {
            column if values > 0 && column > MOST_BYTES => Err(TOO_LARGE.to_owned()),
            _ => Ok(()),
        },
        _ => Err("damaged: a dictionary has more values than bytes".to_owned()),
    }
}

/// Reads a page header from the beginning of the bytes.
fn header(bytes: &mut &[u8]) -> Result<PageHeader, String> {
    let most = bytes.len();
    let header = PageHeader::read_from_in_protocol(&mut TCompactInputProtocol::new(bytes, most));
    header.map_err(|_| "damaged: a page header cannot be read".to_owned())
}

#[cfg(test)]
mod tests {
    use polars_parquet_format::thrift::protocol::TCompactOutputProtocol;
    use polars_parquet_format::{DataPageHeader, DictionaryPageHeader, Encoding};

    use super::*;

    /// A page whose header gives the numbers of values and of packed bytes, and 100 unpacked bytes. `bytes` is the
    /// number of bytes that really follow the header.
    fn page(kind: PageType, values: i32, packed: i32, bytes: usize) -> Vec<u8> {
        let plain = Encoding::PLAIN;
        let mut header = PageHeader::new(kind, 100, packed, None, None, None, None, None);
        match kind {
            PageType::DATA_PAGE => {
                header.data_page_header = Some(DataPageHeader::new(values, plain, plain, plain, None));
            }
            _ => header.dictionary_page_header = Some(DictionaryPageHeader::new(values, plain, None)),
        }
        let mut written = Vec::new();
        header.write_to_out_protocol(&mut TCompactOutputProtocol::new(&mut written)).unwrap();
        written.resize(written.len() + bytes, 0xab);
        written
    }

    fn data(values: i32, packed: i32, bytes: usize) -> Vec<u8> {
        page(PageType::DATA_PAGE, values, packed, bytes)
    }

    fn dictionary(values: i32) -> Vec<u8> {
        page(PageType::DICTIONARY_PAGE, values, 20, 20)
    }

    fn check(pages: &[Vec<u8>]) -> Result<(), String> {
        check_pages(&pages.concat(), 100)
    }

    #[test]
    fn correct_page_headers_are_accepted() {
        assert_eq!(check(&[dictionary(9), data(60, 30, 30), data(40, 7, 7)]), Ok(()));
    }

    #[test]
    fn wrong_page_headers_are_refused() {
        let values = "damaged: a page has more values than its row group has rows";
        assert_eq!(check(&[data(-448, 9, 9)]).unwrap_err(), values);
        assert_eq!(check(&[data(i32::MAX, 9, 9)]).unwrap_err(), values);
        assert_eq!(check(&[data(60, 9, 9), data(41, 9, 9)]).unwrap_err(), values);
        assert_eq!(check(&[data(100, 90, 9)]).unwrap_err(), "damaged: a page is larger than its column");
        assert_eq!(check(&[data(100, -1, 9)]).unwrap_err(), "damaged: a page is larger than its column");
        assert!(check(&[dictionary(101)]).unwrap_err().contains("dictionary"));
        let large = check_pages(&[dictionary(1), data(60, 9, 9)].concat(), 1 << 28);
        assert!(large.unwrap_err().contains("256 MiB"));
        // A header that is cut off, unknown types, structs in structs, and a text that is longer than the chunk.
        let wrong = [data(60, 9, 9), vec![0x1f; 99], vec![0x1c; 99], vec![0x18, 0xff, 0xff, 0xff, 0xff, 0x7f]];
        for bytes in wrong {
            assert!(check(&[bytes]).unwrap_err().contains("cannot be read"));
        }
    }
}
