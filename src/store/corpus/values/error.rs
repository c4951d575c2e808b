//! Defines the errors of corpora, files, recipes and rows.

use std::io;
use std::path::{Path, PathBuf};

use sudoku_corpus_core::dig::DigError;
use sudoku_corpus_core::generate::FillError;

/// A result with a [`CorpusError`].
pub type Result<T, E = CorpusError> = std::result::Result<T, E>;

/// Why work on a corpus, a file of puzzles or a recipe failed.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the fields are what the messages show")]
pub enum CorpusError {
    #[error("cannot {doing} {}: {source}", name_of(path, doing))]
    Io { doing: &'static str, path: PathBuf, source: io::Error },
    #[error("{}: {reason}", name_of(path, "read"))]
    File { path: PathBuf, reason: String },
    #[error("{0}")]
    Query(String),
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    #[error(transparent)]
    Make(#[from] MakeError),
    #[error("{}: {what} is working on this folder; wait until it ends, or choose another folder", path.display())]
    Busy { path: PathBuf, what: &'static str },
    /// An output that was asked for by a name that it cannot have.
    #[error("{}: {reason}", path.display())]
    Refused { path: PathBuf, reason: String },
    #[error("{}: this folder holds a corpus of another recipe ({difference}); choose another folder", path.display())]
    OtherRecipe { path: PathBuf, difference: String },
    #[error("parts {start}..{}: the recipe has {parts} parts, from 0", end - 1)]
    Parts { start: u64, end: u64, parts: u64 },
    /// A row of an input cannot be used, and the user asked to stop at the first one.
    #[error(transparent)]
    Row(#[from] RowError),
    #[error("cannot start threads: {reason}")]
    Threads { reason: String },
}

/// The name of a file in messages.
fn name_of(path: &Path, doing: &str) -> String {
    match (path == Path::new("-"), doing) {
        (false, _) => path.display().to_string(),
        (true, "write") => "standard output".to_owned(),
        (true, _) => "standard input".to_owned(),
    }
}

impl CorpusError {
    /// Makes a [`CorpusError::Io`], for `map_err`.
    pub fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> CorpusError + use<> {
        let path = path.to_owned();
        move |source| CorpusError::Io { doing, path, source }
    }

    /// Makes a [`CorpusError::File`].
    pub fn file(path: &Path, reason: impl ToString) -> CorpusError {
        CorpusError::File { path: path.to_owned(), reason: reason.to_string() }
    }

    /// Makes a [`CorpusError::Refused`].
    pub(crate) fn refused(path: &Path, reason: impl ToString) -> CorpusError {
        CorpusError::Refused { path: path.to_owned(), reason: reason.to_string() }
    }

    /// The exit code of the program: 2 if the request itself is wrong, 1 if the work failed.
    pub fn exit_code(&self) -> u8 {
        match self {
            CorpusError::Query(_) | CorpusError::Recipe(_) | CorpusError::Parts { .. } => 2,
            CorpusError::OtherRecipe { .. } | CorpusError::Refused { .. } | CorpusError::Make(_) => 2,
            _ => 1,
        }
    }

    /// True if only one row is wrong, so that the next may be good.
    pub(crate) fn is_about_a_row(&self) -> bool {
        matches!(self, CorpusError::Row(_) | CorpusError::Make(_))
    }

    /// True if the system could not do something: read a file, start a thread. Such an error says nothing about the
    /// contents of a file.
    pub(crate) fn is_of_system(&self) -> bool {
        matches!(self, CorpusError::Io { .. } | CorpusError::Threads { .. })
    }

    /// A folder that does not hold a corpus, because a file is missing.
    pub(crate) fn no_corpus(folder: &Path, missing: &str) -> CorpusError {
        CorpusError::file(folder, format!("not a corpus: {missing} is missing"))
    }
}

/// An input row that cannot be used: where it is, and the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}:{line}{}: {reason}", name_of(file, "read"), column.map_or(String::new(), |column| format!(":{column}")))]
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

/// Why a text is not a recipe, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{}{}: {reason}",
    file.as_ref().map_or("recipe".to_owned(), |file| file.display().to_string()),
    place.map_or(String::new(), |(line, column)| format!(":{line}:{column}"))
)]
pub struct RecipeError {
    /// The file, if the recipe came from one.
    pub file: Option<PathBuf>,
    /// Line and column, both from 1, if known.
    pub place: Option<(usize, usize)>,
    /// The reason.
    pub reason: String,
}

/// An error about the complete recipe.
impl<T: Into<String>> From<T> for RecipeError {
    fn from(reason: T) -> RecipeError {
        RecipeError { file: None, place: None, reason: reason.into() }
    }
}

/// Why a row cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the fields are what the messages show")]
pub enum MakeError {
    #[error("row {index}: {error}")]
    Fill { index: u64, error: FillError },
    #[error("row {index}: {error}")]
    Dig { index: u64, error: DigError },
    #[error("row {index}: no puzzle with {goal} {found}; change the goal, or raise retries")]
    OutOfReach { index: u64, goal: String, found: Tries },
    #[error("row {index}: stopped")]
    Stopped { index: u64 },
    #[error("row {index}: not a full grid, so it cannot be dug")]
    NotFull { index: u64 },
}

/// The tries at a row that could not be made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tries {
    /// The number of grids or orders that were dug.
    pub tries: u64,
    /// The fewest givens among the tries that could not remove enough givens.
    pub best: Option<usize>,
    /// Puzzles that were dug by the plan but do not meet the goal.
    pub missed: u64,
}

impl std::fmt::Display for Tries {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "in {} tries", self.tries)?;
        self.best.map_or(Ok(()), |best| write!(f, "; fewest givens: {best}"))?;
        match self.missed {
            0 => Ok(()),
            missed => write!(f, "; {missed} puzzles did not meet the goal"),
        }
    }
}
