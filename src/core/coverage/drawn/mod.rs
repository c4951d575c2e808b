//! Measures with drawn grids how many grids a method reaches, and how evenly.
//!
//! | file | purpose | main item |
//! |---|---|---|
//! | `sampled` | counts on drawn grids | `Counts` |
//! | `judge` | tests of evenness | `judge` |
//! | `classes` | how many of the 5,472,730,538 classes a method reaches | [`Even`](classes::Even) |

pub mod classes;
pub(crate) mod judge;
pub(crate) mod sampled;
