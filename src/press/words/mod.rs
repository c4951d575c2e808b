//! Texts in the languages of books and captions.
//!
//! | file | purpose | main type |
//! |---|---|---|
//! | `language` | the texts of a language | [`Language`] |
//! | `rules` | the rules of boards | |
//! | `levels` | the names of levels | |
//! | `numbering` | numbers, days and levels in captions and names of files | [`Numbering`](numbering::Numbering) |

pub(crate) mod language;
pub(crate) mod levels;
pub(crate) mod numbering;
pub(crate) mod rules;

pub use language::{Address, Language, check_names, fill};
pub use levels::texts as level_texts;
pub use rules::{complete_rules, rules_of};
