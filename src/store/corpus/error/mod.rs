//! The errors of corpora, files and recipes.

mod make;
mod recipe;

use std::io;
use std::path::{Path, PathBuf};

pub use make::MakeError;
pub(super) use make::Tries;
pub use recipe::RecipeError;

/// Why work on a corpus, a file of puzzles or a recipe failed.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// The system reported an error about a file or folder.
    #[error("cannot {doing} {}: {source}", name_of(path, doing))]
    Io {
        /// The action: "write", "read", "create the folder" ...
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A file has the wrong contents.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// A recipe cannot be read.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// A row cannot be made.
    #[error(transparent)]
    Make(#[from] MakeError),
    /// Another process works on the folder.
    #[error("{}: {what} is working on this folder; wait until it ends, or choose another folder", path.display())]
    Busy {
        /// The folder.
        path: PathBuf,
        /// The process that holds the lock.
        what: &'static str,
    },
    /// The folder holds a corpus of another recipe.
    #[error("{}: this folder holds a corpus of another recipe ({difference}); choose another folder", path.display())]
    OtherRecipe {
        /// The folder, or the part in it that shows another recipe.
        path: PathBuf,
        /// The first key that differs.
        difference: String,
    },
    /// The folder does not hold a corpus.
    #[error("{}: not a corpus: {missing} is missing", path.display())]
    NoCorpus {
        /// The folder.
        path: PathBuf,
        /// The file that is missing.
        missing: &'static str,
    },
    /// The corpus does not have the requested parts.
    #[error("parts {start}..{}: the recipe has {parts} parts, from 0", end - 1)]
    Parts {
        /// The first requested part.
        start: u64,
        /// The end of the requested parts.
        end: u64,
        /// The number of parts of the corpus.
        parts: u64,
    },
    /// A row of an input cannot be used, and the user asked to stop at the first one.
    #[error(transparent)]
    Row(#[from] RowError),
    /// Threads could not be started.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// The number of threads.
        threads: usize,
        /// The error of the system.
        reason: String,
    },
}

/// The name of a file in messages.
fn name_of(path: &Path, doing: &str) -> String {
    match (path == Path::new("-"), doing) {
        (false, _) => path.display().to_string(),
        (true, "write") => "standard output".to_owned(),
        (true, _) => "standard input".to_owned(),
    }
}

/// An input row that cannot be used: where it is, and the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct RowError {
    /// The file; `-` is the standard input.
    pub file: PathBuf,
    /// Line of a text or CSV file, or row of a Parquet file; both count from 1.
    pub line: u64,
    /// Character in the line, if known.
    pub column: Option<usize>,
    /// The reason.
    pub reason: String,
}

impl std::fmt::Display for RowError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = if self.file == Path::new("-") { Path::new("standard input") } else { &self.file };
        write!(f, "{}:{}", name.display(), self.line)?;
        if let Some(column) = self.column {
            write!(f, ":{column}")?;
        }
        write!(f, ": {}", self.reason)
    }
}

/// A result with a [`CorpusError`].
pub type Result<T, E = CorpusError> = std::result::Result<T, E>;

impl CorpusError {
    /// Makes a [`CorpusError::Io`], for `map_err`.
    pub(super) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> CorpusError {
        let path = path.to_owned();
        move |source| CorpusError::Io { doing, path, source }
    }

    /// The exit code of the program: 2 if the request itself is wrong, 1 if the work failed.
    pub fn exit_code(&self) -> u8 {
        match self {
            CorpusError::Recipe(_) | CorpusError::Parts { .. } => 2,
            CorpusError::OtherRecipe { .. } | CorpusError::Make(_) => 2,
            _ => 1,
        }
    }

    /// True if the reader of the output has closed the pipe, as in `... | head`. This is not a fault.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, CorpusError::Io { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Makes a [`CorpusError::File`].
    pub(super) fn file(path: &Path, reason: impl ToString) -> CorpusError {
        CorpusError::File { path: path.to_owned(), reason: reason.to_string() }
    }
}
