//! Names the reasons why nothing was published.

use std::fmt::Display;
use std::io;
use std::path::Path;

use crate::tally::Short;
use sudoku_corpus_store::corpus::{CorpusError, in_words};

/// Why nothing was published.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// An error about a corpus or a file of puzzles.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// A request that contradicts itself, or a text of one that cannot be read.
    #[error("{0}")]
    Request(String),
    /// Not enough puzzles.
    #[error(transparent)]
    Short(#[from] Short),
    /// Nothing is left to publish.
    #[error("no puzzle is left: {0}")]
    Nothing(String),
    /// A puzzle in a corpus that contradicts its row.
    #[error("{puzzle}: {reason}")]
    #[expect(missing_docs, reason = "the fields are what the message shows")]
    Untrue { puzzle: String, reason: &'static str },
    /// The system reported an error about a temporary file.
    #[error("{}", in_words(.0))]
    Temporary(#[from] io::Error),
    /// Stopped by the user; nothing was written.
    #[error("stopped; nothing was written")]
    Stopped,
}

impl PublishError {
    /// A file that cannot be used.
    pub(crate) fn file(path: &Path, reason: impl ToString) -> PublishError {
        CorpusError::File { path: path.to_owned(), reason: reason.to_string() }.into()
    }

    /// A condition that cannot be used.
    pub(crate) fn condition(condition: &str, reason: impl Display) -> PublishError {
        PublishError::Request(format!("the condition '{condition}': {reason}"))
    }

    /// A wrong request, with what to do instead. Other errors stay as they are.
    pub fn with_advice(self, advice: &str) -> PublishError {
        match self {
            PublishError::Request(reason) => PublishError::Request(format!("{reason}; {advice}")),
            error => error,
        }
    }

    /// The exit code of the program: 2 for a wrong request, 1 for a failure, 4 if stopped.
    pub fn exit_code(&self) -> u8 {
        match self {
            PublishError::Corpus(error) => error.exit_code(),
            PublishError::Request(_) => 2,
            PublishError::Short(_)
            | PublishError::Nothing(_)
            | PublishError::Untrue { .. }
            | PublishError::Temporary(_) => 1,
            PublishError::Stopped => 4,
        }
    }
}
