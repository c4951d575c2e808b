//! Formats of other programs, one file each, or one for several that are alike.
//!
//! Syntax: sudocue.net's "File Formats" (`.sdk`), the sources of OpenSudoku's import; ipuz.org's specification 2.0; links
//! that Penpa+ 3.0 and SudokuPad write and read.

pub(crate) mod blocks;
pub(crate) mod ipuz;
pub(crate) mod links;
pub(crate) mod open_sudoku;
pub(crate) mod penpa;
