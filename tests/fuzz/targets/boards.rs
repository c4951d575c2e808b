//! Any text gives boards or errors, and what is read is printed and read again unchanged.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sudoku_corpus::board::text::{self, PuzzleReader};

fuzz_target!(|data: &[u8]| {
    for entry in PuzzleReader::new(data, None).flatten() {
        let shape = entry.grid.shape();
        for written in [text::line(&entry.grid), text::block(&entry.grid)] {
            assert_eq!(text::parse_line(&written, Some(shape)).as_ref(), Ok(&entry.grid));
        }
    }
});
