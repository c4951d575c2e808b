//! What can go wrong with a corpus, and where.

mod make;
mod recipe;

use std::io;
use std::path::{Path, PathBuf};

pub use make::MakeError;
pub(super) use make::Tries;
pub use recipe::RecipeError;

/// Why a corpus, a file of puzzles or a recipe could not be worked on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CorpusError {
    /// The system refused something about a file or folder.
    #[error("cannot {doing} {}: {source}", name_of(path, doing))]
    Io {
        /// What was tried: "write", "read", "create the folder" ...
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file that is not what it should be.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A recipe that cannot be read.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// A row that cannot be made.
    #[error(transparent)]
    Make(#[from] MakeError),
    /// Another process works on the folder.
    #[error("{}: {what} is at work on this folder; wait for it, or choose another folder", path.display())]
    Busy {
        /// The folder.
        path: PathBuf,
        /// Who holds it.
        what: &'static str,
    },
    /// The folder holds a corpus of another recipe.
    #[error("{}: this folder holds a corpus of another recipe ({difference}); choose another folder", path.display())]
    OtherRecipe {
        /// The folder, or the part in it that betrays another recipe.
        path: PathBuf,
        /// The first key that differs.
        difference: String,
    },
    /// The folder holds no corpus.
    #[error("{}: no corpus here: {missing} is missing", path.display())]
    NoCorpus {
        /// The folder.
        path: PathBuf,
        /// What a corpus would have.
        missing: &'static str,
    },
    /// Parts asked for that the corpus does not have.
    #[error("parts {start}..{end}: the recipe has parts 0..{parts}")]
    Parts {
        /// First part asked for.
        start: u64,
        /// End of the parts asked for.
        end: u64,
        /// How many parts there are.
        parts: u64,
    },
    /// A row of an input that could not be used, when the user asked to stop at the first.
    #[error(transparent)]
    Row(#[from] RowError),
    /// Threads could not be started.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        reason: String,
    },
}

/// A file as messages name it.
fn name_of(path: &Path, doing: &str) -> String {
    match (path == Path::new("-"), doing) {
        (false, _) => path.display().to_string(),
        (true, "write") => "standard output".to_owned(),
        (true, _) => "standard input".to_owned(),
    }
}

/// A row of an input that could not be used: where, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct RowError {
    /// The file; `-` is the standard input.
    pub file: PathBuf,
    /// Line of a text or CSV file, row of a Parquet file; both from 1.
    pub line: u64,
    /// Character in the line, where known.
    pub column: Option<usize>,
    /// What is wrong.
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
    /// The error of something that the system refused, for `map_err`.
    pub(super) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> CorpusError {
        let path = path.to_owned();
        move |source| CorpusError::Io { doing, path, source }
    }

    /// The exit code of the program: 2 for what was asked for and would fail again, 1 for what went wrong.
    pub fn exit_code(&self) -> u8 {
        match self {
            CorpusError::Recipe(_) | CorpusError::Parts { .. } => 2,
            CorpusError::OtherRecipe { .. } | CorpusError::Make(_) => 2,
            _ => 1,
        }
    }

    /// True when whoever read the output has gone, which is no fault: `... | head`.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, CorpusError::Io { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }

    /// The error of a file that is not what it should be.
    pub(super) fn file(path: &Path, reason: impl ToString) -> CorpusError {
        CorpusError::File { path: path.to_owned(), reason: reason.to_string() }
    }
}
