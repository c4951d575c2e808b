//! Letters, words and lines.
//!
//! | file | purpose | main type |
//! |---|---|---|
//! | `typeface` | fonts, and the places of glyphs | [`Typeface`](typeface::Typeface) |
//! | `compose` | breaks text into lines | [`Composer`](compose::Composer) |

pub(crate) mod compose;
pub(crate) mod typeface;
