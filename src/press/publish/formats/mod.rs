//! The formats in which puzzles are exchanged: one table, and one source file for each format that needs more than a
//! line.
//!
//! Syntax: sudocue.net's "File Formats" (`.sdk`, `.sdm`), Sudopedia's "Sudoku Clipboard and File Formats" (`.ss`), the
//! sources of OpenSudoku's import, the README of sudoku-exchange-puzzle-bank, the header of HoDoKu's `reglib`;
//! ipuz.org's specification 2.0; links that Penpa+ 3.0 and SudokuPad write and read.
//!
//! A file knows those above it in this table:
//!
//! | file | purpose | main type |
//! |---|---|---|
//! | `picture_options` | captions, and how pictures are made | [`PictureOptions`] |
//! | `format` | the table of formats | [`Format`] |
//! | `heading` | what all formats share | [`Heading`] |
//! | `blocks` `csv` `exchange` `ipuz` `json` `links` `open_sudoku` `penpa` | one format, or several that are alike, each | |
//! | `pictures` | pictures of many puzzles | `Pictures` |
//! | `write` | puzzles into files | |
//! | `steps` | the steps of solutions, beside the puzzles | |

mod blocks;
mod csv;
mod exchange;
mod format;
mod heading;
mod ipuz;
mod json;
mod links;
mod open_sudoku;
mod penpa;
mod picture_options;
mod pictures;
mod steps;
mod write;

pub use format::{FORMATS, Format, FormatInfo};
pub use heading::{Heading, OutFile};
pub use json::schema;
pub use picture_options::{Caption, Options as PictureOptions};
pub use steps::seal_steps;
pub use write::{files, seal, write, write_many};

#[cfg(test)]
mod tests;
