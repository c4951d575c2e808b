//! Writes what is printed besides boards.
//!
//! | file | purpose | main type |
//! |---|---|---|
//! | `wording` | the words that a book is given | [`Wording`](wording::Wording) |
//! | `hints` | the cell that a hint names | |
//! | `manuscript` | puzzles in order, and how each is called | [`Manuscript`](manuscript::Manuscript) |
//! | `howto` | "How to play" | |
//! | `steps` | the steps of the solutions | |

pub(crate) mod hints;
pub(crate) mod howto;
pub(crate) mod manuscript;
pub(crate) mod steps;
pub(crate) mod wording;
