//! A corpus on disk: its parts, its manifest, and the work on all of them.
//!
//! | file | about | main type |
//! |---|---|---|
//! | `layout` | the names of files in the folder | [`files_in`](layout::files_in) |
//! | `manifest` | the list of complete parts | [`Manifest`](manifest::Manifest) |
//! | `part` | a part: its place, writing it, judging it | [`PartWriter`](part::PartWriter) |
//! | `unfinished` | rows of parts whose run was stopped | [`Unfinished`](unfinished::Unfinished) |
//! | `intake` | the checked files of a folder that is read | |
//! | `corpus_folder` | a folder that is worked on: its lock, its recipe, what is missing | [`Folder`](corpus_folder::Folder) |
//! | `stock/` | the search for a stock | |
//! | `produce` | makes the missing parts | [`Summary`](produce::Summary) |
//! | `merge` | joins folders of parts | [`Merged`](merge::Merged) |
//! | `verify` | checks all promises of a corpus | [`Report`](verify::Report) |

pub(crate) mod corpus_folder;
pub(crate) mod intake;
pub(crate) mod layout;
pub(crate) mod manifest;
pub(crate) mod merge;
pub(crate) mod part;
pub(crate) mod produce;
pub(crate) mod stock;
pub(crate) mod unfinished;
pub(crate) mod verify;
