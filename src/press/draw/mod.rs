//! What is drawn on a page: text, lines, frames, filled areas and circles, for books and pictures.
//!
//! A file knows those above it in this table:
//!
//! | file | purpose | main type |
//! |---|---|---|
//! | `measures` | lengths and areas | [`Area`](measures::Area) |
//! | `encoding` | numbers and streams of PDF | |
//! | `text/` | fonts, and breaking text into lines | [`Typeface`](text::typeface::Typeface) |
//! | `outline` | paths, and pictures from SVG files | [`Picture`](outline::Picture) |
//! | `canvas` | the items of a page | [`Canvas`](canvas::Canvas) |
//! | `paths` | items as outlines |  |
//! | `symbols` | what stands for digits | [`Symbols`](symbols::Symbols) |
//! | `rules` | what a drawing says of the rules of a board | [`Told`](rules::Told) |
//! | `board` | lines and digits of a board | [`Look`](board::Look) |
//! | `labels` | texts over and below boards | [`Label`](labels::Label) |

pub(super) mod board;
pub(super) mod canvas;
pub(super) mod encoding;
pub(super) mod labels;
pub(super) mod measures;
pub(super) mod outline;
pub(super) mod paths;
pub(super) mod rules;
pub(super) mod symbols;
pub(super) mod text;
