//! The PDF file of a book.
//!
//! | file | purpose | main type |
//! |---|---|---|
//! | `preflight` | PDF/X | [`Intent`](preflight::Intent) |
//! | `fonts` | the fonts of the file | [`Fonts`](fonts::Fonts) |
//! | `own` | the publisher's own pages | [`OwnPages`](own::OwnPages) |
//! | `document` | the file | [`Document`](document::Document) |

pub(crate) mod document;
pub(crate) mod fonts;
pub(crate) mod own;
pub(crate) mod preflight;
