//! Defines the kinds of files that hold pictures.

use crate::draw::text::typeface::Typeface;
use crate::picture::drawing::Drawing;
use crate::picture::files;
use crate::picture::raster::png;
use sudoku_corpus_core::board::Reason;

/// Kinds of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureKind {
    /// SVG.
    Svg,
    /// PDF: a file for each puzzle, or one file with a page for each.
    Pdf,
    /// PNG.
    Png,
    /// A page of HTML with all puzzles.
    Html,
}

/// A file with one picture; of a page of HTML, the picture alone.
///
/// # Errors
/// Pixels that are too many, or none.
pub fn picture(kind: PictureKind, typeface: &Typeface, drawing: Drawing, dpi: f64) -> Result<Vec<u8>, Reason> {
    Ok(match kind {
        PictureKind::Svg | PictureKind::Html => files::svg(typeface, &drawing).into_bytes(),
        PictureKind::Pdf => files::pdf(typeface, &[drawing]),
        PictureKind::Png => return png(typeface, &drawing, dpi),
    })
}
