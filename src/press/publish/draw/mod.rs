//! What is drawn on a page: text, lines, frames, filled areas and circles, for books and pictures.
//!
//! A file knows those above it in this table:
//!
//! | file | purpose | main type |
//! |---|---|---|
//! | `measures` | lengths and areas | [`Area`](measures::Area) |
//! | `encoding` | numbers and streams of PDF | |
//! | `typeface` | fonts, and the places of glyphs | [`Typeface`](typeface::Typeface) |
//! | `compose` | breaks text into lines | [`Composer`](compose::Composer) |
//! | `outline` | paths, and pictures from SVG files | [`Picture`](outline::Picture) |
//! | `canvas` | the items of a page | [`Canvas`](canvas::Canvas) |
//! | `paths` | items as outlines |  |
//! | `symbols` | what stands for digits | [`Symbols`](symbols::Symbols) |
//! | `board` | lines and digits of a board | [`Look`](board::Look) |
//! | `labels` | texts over and below boards | [`Label`](labels::Label) |
//! | `flow` | running text on pages | [`Page`](flow::Page) |

pub(super) mod board;
pub(super) mod canvas;
pub(super) mod compose;
pub(super) mod encoding;
pub(super) mod flow;
pub(super) mod labels;
pub(super) mod measures;
pub(super) mod outline;
pub(super) mod paths;
pub(super) mod symbols;
pub(super) mod typeface;
