//! Releases: a corpus as a data set with a card and checksums.
//!
//! ```text
//!   FOLDER/README.md                          the card: YAML header for `datasets`, then text for readers
//!         /puzzles/train-00000-of-00002.parquet   the columns that have values, by split
//!         /steps/train-00000-of-00002.parquet     if steps were asked for: those of the ladder
//!         /hints/train-00000-of-00002.parquet     and those of Sudoku Explainer
//!         /CHECKSUMS.b3  /SHA256SUMS          of all other files, as `b3sum --check` and `sha256sum --check` read them
//!         /croissant.json                     the data set for programs: files, columns, origin, limits
//!         /CITATION.cff  /recipe.toml
//! ```
//!
//! Rows are read twice: first to find the split of each row and the copies, then to write them. Which columns have no
//! value in any row is known after that, so the files are written once more without them. Copies are found by sorting
//! classes in a temporary file, and the memory is a byte for each row. The same corpus and options give the same bytes.
//!
//! A file knows those above it in this table:
//!
//! | file | purpose | main type |
//! |---|---|---|
//! | `license` | licenses by their SPDX names | `License` |
//! | `made` | rows that the release makes: leaks and probes | |
//! | `data` | the request and the result | [`Release`], [`Released`] |
//! | `croissant` | the data set for programs | |
//! | `card` | the data set for readers, and the checksums | |
//! | `write` | the rows by split, and all of it together | |

mod card;
mod croissant;
mod data;
mod license;
mod made;
mod write;

pub use data::{FileTotals, Release, Released, SplitFiles};
pub use write::release;
