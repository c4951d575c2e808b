//! Pictures of boards: one puzzle, its solution, a step or a hint, as SVG, PDF or PNG.
//!
//! ```text
//!   grid, candidates, marks  --board-->  Drawing: the items that books use, in points
//!        | outline: glyphs become paths, so that no file needs a font
//!        v files: SVG, PDF      raster: PNG
//! ```
//!
//! A file knows those above it in this table:
//!
//! | file | purpose | main type |
//! |---|---|---|
//! | `drawing` | a board as items | [`Drawing`] |
//! | `files` | SVG, PDF | |
//! | `raster` | PNG | |
//! | `kind` | the kinds of files | [`PictureKind`] |
//! | `steps` | pictures of the steps of a solution | [`Drawn`](steps::Drawn) |
//! | `figure` | plots as PDF | |

pub(crate) mod drawing;
mod figure;
pub(crate) mod files;
pub(crate) mod kind;
pub(crate) mod raster;
pub mod steps;

pub use crate::draw::board::can_shade_boxes;
pub use crate::draw::rules::Told;
pub use drawing::{Caption, Drawing, Mark, Style, Subject, board};
pub use figure::figure;
pub use files::{pdf, svg};
pub use kind::{PictureKind, picture};
pub use raster::{pixels, png};

#[cfg(test)]
pub(crate) mod tests;
