//! The formats in which puzzles are exchanged: one table, and one source file for each format that needs more than a
//! line.
//!
//! In these files, the *place* of a puzzle is its position among all chosen puzzles, from 0. Numbers and days follow from
//! it.
//!
//! Syntax of lines: sudocue.net's "File Formats" (`.sdm`), the header of HoDoKu's `reglib`.
//!
//! A file knows those above it in this table:
//!
//! | file | purpose | main type |
//! |---|---|---|
//! | `picture_options` | captions, and how pictures are made | [`PictureOptions`] |
//! | `format` | the table of formats | [`Format`] |
//! | `heading` | what all formats share | [`Heading`] |
//! | `csv` `json` | tables, and objects | |
//! | `programs/` | formats of other programs | |
//! | `pictures` | pictures of many puzzles | `Pictures` |
//! | `write` | puzzles into files | |
//! | `steps` | the steps of solutions, beside the puzzles | |

mod csv;
mod format;
mod heading;
mod json;
mod picture_options;
mod pictures;
mod programs;
mod steps;
mod write;

pub use crate::picture::drawing::Caption;
pub use format::{FORMATS, Format, FormatInfo};
pub use heading::{Heading, OutFile};
pub use json::schema;
pub use picture_options::PictureOptions;
pub use steps::seal_steps;
pub use write::{crowded, files, is_crowded, seal};

#[cfg(test)]
pub(crate) mod tests;
