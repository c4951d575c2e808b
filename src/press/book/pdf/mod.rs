//! The PDF file of a book.
//!
//! | file | purpose | main type |
//! |---|---|---|
//! | `pdf_x` | PDF/X | [`Intent`](pdf_x::Intent) |
//! | `fonts` | the fonts of the file | [`Fonts`](fonts::Fonts) |
//! | `document` | the file | [`Document`](document::Document) |

pub(crate) mod document;
pub(crate) mod fonts;
pub(crate) mod pdf_x;
