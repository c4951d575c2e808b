//! A corpus on disk: its parts, its manifest, and the work on all of them.
//!
//! | file | about | main type |
//! |---|---|---|
//! | `layout` | where the parts of a folder stand | [`FolderLayout`](layout::FolderLayout) |
//! | `manifest` | the list of complete parts | [`Manifest`](manifest::Manifest) |
//! | `part` | a part: its place, writing it, judging it | [`PartWriter`](part::PartWriter) |
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
pub(crate) mod verify;
