//! Any bytes in a file (text, CSV, zstd, gzip, Parquet) give rows or errors, never a panic.
#![no_main]

use std::io::Write as _;

use libfuzzer_sys::fuzz_target;
use sudoku_corpus::corpus::Input;

fuzz_target!(|data: &[u8]| {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(data).expect("bytes in it");
    for open in [|path: &_| Input::open(path, None), |path: &_| Input::open_records(path)] {
        if let Ok(input) = open(file.path()) {
            input.take(1000).for_each(drop);
        }
    }
});
