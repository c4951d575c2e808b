//! Publishing: chooses puzzles of each kind, no two of them essentially the same, and writes them in the formats of
//! printers, players and programs.
//!
//! ```text
//!   corpora, files of puzzles -> pool -> select (request, quota, index) -> chosen puzzles -> formats
//! ```

pub mod book;
mod chosen;
pub mod formats;
mod index;
pub mod levels;
mod numbering;
mod order;
pub mod picture;
mod pool;
mod puzzles;
mod quota;
pub mod release;
mod request;
mod select;
pub mod series;
mod split;
mod steps;
mod tally;
pub mod words;

use std::fmt::Display;
use std::io;
use std::path::Path;

use sudoku_corpus_store::corpus::CorpusError;

pub use chosen::Chosen;
pub use index::{Begun, Publication, Seen, holds_index, request_digest};
pub use numbering::{NO_LEVEL, Numbering, file_word};
pub use order::{Pick, SortColumn, parse_columns};
pub use pool::Pool;
pub use puzzles::{Puzzles, blocks};
pub use quota::Quota;
pub use request::Request;
pub use select::{Choice, choose};
pub use split::{Apart, Division, Splits, Splitter};
pub use steps::seal_steps;
pub use tally::{RowCounts, Short};

/// Why nothing was published.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// An error about a corpus or a file of puzzles.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// A request that contradicts itself, or a text that is none.
    #[error("{0}")]
    Request(String),
    /// Not enough puzzles.
    #[error(transparent)]
    Short(#[from] Short),
    /// A puzzle in a corpus that contradicts its row.
    #[error("{puzzle}: {reason}")]
    #[expect(missing_docs, reason = "the fields are what the message shows")]
    Untrue { puzzle: String, reason: &'static str },
    /// The system reported an error about a temporary file.
    #[error("{0}")]
    Temporary(#[from] io::Error),
    /// Stopped by the user; nothing was written.
    #[error("stopped; nothing was written")]
    Stopped,
}

impl PublishError {
    /// A file that cannot be used.
    fn file(path: &Path, reason: impl ToString) -> PublishError {
        CorpusError::File { path: path.to_owned(), reason: reason.to_string() }.into()
    }

    /// A condition that cannot be used.
    fn condition(condition: &str, reason: impl Display) -> PublishError {
        PublishError::Request(format!("the condition '{condition}': {reason}"))
    }

    /// The exit code of the program: 2 for a wrong request, 1 for a failure, 4 if stopped.
    pub fn exit_code(&self) -> u8 {
        match self {
            PublishError::Corpus(error) => error.exit_code(),
            PublishError::Request(_) => 2,
            PublishError::Short(_) | PublishError::Untrue { .. } | PublishError::Temporary(_) => 1,
            PublishError::Stopped => 4,
        }
    }
}

#[cfg(test)]
mod tests;
