//! Writes Sudoku Exchange's puzzle bank: records of 100 bytes, with a rating by Sudoku Explainer.
//!
//! ```text
//! 0000183b305c 050703060007000800000816000000030000005000100730040086906000204840572093000409000  1.2
//! 12 digits of  the 81 cells, 0 for a blank one                                                   ER, four
//! their SHA-1                                                                                     characters
//! ```
//!
//! The bank is rated by Sukaku Explainer, a descendant of Sudoku Explainer. If a row has no ER, it is computed here up
//! to 10.4; above that, it is a lower bound.

use std::io::{self, Write};

use sha1::{Digest as _, Sha1};

use crate::publish::choice::puzzles::Rows;
use crate::publish::formats::heading::with_zeros;
use sudoku_corpus_core::board::Puzzle;
use sudoku_corpus_core::page::numbers::tenths;
use sudoku_corpus_core::rate::explainer::{Options, Scope, rate};
use sudoku_corpus_store::corpus::Record;

/// ER above this many tenths is a lower bound, because harder puzzles take seconds each.
const LIMIT: u16 = 104;

/// Writes a record for each puzzle.
pub(crate) fn write(out: &mut dyn Write, rows: &Rows<'_>) -> io::Result<()> {
    rows.write(out, |_, chosen| Ok(record(&chosen.record()).unwrap_or_default()))
}

/// A record with its newline.
fn record(row: &Record) -> Option<String> {
    let puzzle = row.puzzle.as_ref()?;
    let cells = with_zeros(puzzle.grid());
    let hash = Sha1::digest(cells.as_bytes());
    let hash: String = hash.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    // 99.9 is the most that four characters hold.
    let er = row.se_er_tenths.or_else(|| er(puzzle)).unwrap_or(0).min(999);
    Some(format!("{hash} {cells} {:>4}\n", tenths(er)))
}

/// ER in tenths, for a row that has none; above [`LIMIT`] a lower bound.
fn er(puzzle: &Puzzle) -> Option<u32> {
    rate(puzzle, &Options { scope: Scope::Er, at_most: Some(LIMIT) }).er_tenths.map(u32::from)
}
