//! What is printed besides boards.
//!
//! | file | purpose | main type |
//! |---|---|---|
//! | `wording` | the words that a book is given | [`Words`](wording::Words) |
//! | `hints` | the cell that a hint names | |
//! | `rules` | the rules of a board | |
//! | `manuscript` | puzzles in order, and how each is called | [`Manuscript`](manuscript::Manuscript) |
//! | `howto` | "How to play" | |

pub mod hints;
pub mod howto;
pub mod manuscript;
pub mod rules;
pub mod wording;
