//! A corpus on disk: its parts, and the work on all of them.
//!
//! | file | about | main type |
//! |---|---|---|
//! | `contents` | what is in the folder: parts, strangers, damage | [`Contents`](contents::Contents) |
//! | `missing` | what to say of a folder that is not there | |
//! | `sources` | the files of a folder that is read | |
//! | `scales` | the scales of levels of what is read | [`SourceScales`](scales::SourceScales) |
//! | `part` | a part that is written | [`PartWriter`](part::PartWriter) |
//! | `corpus_folder` | a folder that is worked on: its lock, its recipe, what is missing | [`Folder`](corpus_folder::Folder) |
//! | `produce` | makes the missing parts | [`RunSummary`](produce::RunSummary) |
//! | `verify` | checks all promises of a corpus | [`Report`](verify::Report) |

pub(crate) mod contents;
pub(crate) mod corpus_folder;
pub(crate) mod missing;
pub(crate) mod part;
pub(crate) mod produce;
pub(crate) mod scales;
pub(crate) mod sources;
pub(crate) mod verify;
