//! Defines the errors of corpora, files, recipes and rows.

use std::error::Error;
use std::io::{self, ErrorKind};
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};
use std::path::{Path, PathBuf};

use sudoku_corpus_core::dig::DigError;
use sudoku_corpus_core::generate::FillError;
use sudoku_corpus_core::names::nearest;
use sudoku_corpus_core::page::numbers::counted;

/// A result with a [`CorpusError`].
pub type Result<T, E = CorpusError> = std::result::Result<T, E>;

/// Why work on a corpus, a file of puzzles or a recipe failed.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the fields are what the messages show")]
pub enum CorpusError {
    #[error("cannot {doing} {}: {}", name_of(path, doing), in_words(source))]
    Io { doing: &'static str, path: PathBuf, source: io::Error },
    #[error("{}: {reason}", name_of(path, "read"))]
    File { path: PathBuf, reason: String },
    #[error("{0}")]
    Query(String),
    #[error("the time for the query is over")]
    Late,
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    #[error(transparent)]
    Make(#[from] MakeError),
    #[error("{}: {what} is working on this folder; wait until it ends, or choose another folder", path.display())]
    Busy { path: PathBuf, what: &'static str },
    /// An output that was asked for by a name that it cannot have.
    #[error("{}: {reason}", path.display())]
    Refused { path: PathBuf, reason: String },
    #[error("{}: this folder holds a corpus of another recipe ({difference}); choose another folder with --out, or move this one away", path.display())]
    OtherRecipe { path: PathBuf, difference: String },
    #[error("parts {start}..{}: the recipe has {}, and the numbers of parts begin with 0", end - 1, counted(parts, "part"))]
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
}

/// An input row that cannot be used: where it is, and the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {reason}", place_of_row(file, *line, *column))]
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

/// Where a row is. Nothing but its name for the beginning of a puzzle on the command line.
fn place_of_row(file: &Path, line: u64, column: Option<usize>) -> String {
    match (name_of(file, "read"), line, column) {
        (name, 1, None | Some(1)) if name == ARGUMENT => name,
        (name, line, column) => format!("{name}:{line}{}", column.map_or(String::new(), |column| format!(":{column}"))),
    }
}

/// What stands in place of the path of a puzzle on the command line.
pub(crate) const ARGUMENT: &str = "the puzzle";

/// Why a text is not a recipe, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{reason}", origin(file.as_deref(), *place))]
pub struct RecipeError {
    /// The file, if the recipe came from one.
    pub file: Option<PathBuf>,
    /// Line and column, both from 1, if known.
    pub place: Option<(usize, usize)>,
    /// The reason.
    pub reason: String,
}

/// Where in a recipe an error is. Nothing for the options of a command line.
fn origin(file: Option<&Path>, place: Option<(usize, usize)>) -> String {
    let place = place.map(|(line, column)| format!(":{line}:{column}"));
    match (file, place) {
        (Some(file), place) => format!("{}{}: ", file.display(), place.unwrap_or_default()),
        (None, Some(place)) => format!("recipe{place}: "),
        (None, None) => String::new(),
    }
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
    #[error("row {index}: no puzzle with {goal} {found}; {advice}")]
    OutOfReach { index: u64, goal: String, found: Tries, advice: String },
    #[error("row {index}: stopped")]
    Stopped { index: u64 },
    #[error("row {index}: not a full grid, so it cannot be dug; `generate` makes full grids")]
    NotFull { index: u64 },
}

/// A setting that a message proposes, as a recipe has it: `level = "hard"` in backticks.
pub(crate) fn setting(key: &str, value: impl std::fmt::Display) -> String {
    format!("`{key} = \"{value}\"`")
}

impl MakeError {
    /// The same error with its advice in other words.
    pub fn with_advice(mut self, words: impl Fn(&str) -> String) -> MakeError {
        if let MakeError::OutOfReach { advice, .. } = &mut self {
            *advice = words(advice);
        }
        self
    }
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
        write!(f, "in {}", counted(self.tries, "try"))?;
        self.best.map_or(Ok(()), |best| write!(f, "; fewest givens: {best}"))?;
        match self.missed {
            0 => Ok(()),
            missed => write!(f, "; dug but not as asked for: {}", counted(missed, "puzzle")),
        }
    }
}

/// What an error says in the words of this program: errors of the system and of libraries by their kind, not by their
/// text. Errors of the program have its words.
pub fn in_words(error: &(dyn Error + 'static)) -> String {
    if let Some(error) = error.downcast_ref() {
        return system_in_words(error);
    }
    if let Some(error) = error.downcast_ref::<csv::Error>() {
        return csv_in_words(error);
    }
    if let Some(error) = error.downcast_ref::<serde_json::Error>() {
        return json_in_words(error);
    }
    let number = error.downcast_ref::<ParseIntError>().map(|error| match error.kind() {
        IntErrorKind::Empty => "a whole number is missing",
        IntErrorKind::PosOverflow => "the number is too large",
        IntErrorKind::NegOverflow => "the number is too small",
        _ => "it is no whole number in digits, such as 24",
    });
    let real = error.is::<ParseFloatError>().then_some("it is no number, such as 0.5");
    let truth = error.is::<std::str::ParseBoolError>().then_some("it is neither true nor false");
    let sign = error.is::<std::char::ParseCharError>().then_some("it is not one sign");
    let is_no_text = error.is::<std::str::Utf8Error>() || error.is::<std::string::FromUtf8Error>();
    let text = is_no_text.then_some(NO_TEXT);
    number.or(real).or(truth).or(sign).or(text).map_or_else(|| error.to_string(), str::to_owned)
}

/// What is said of bytes that are no text.
const NO_TEXT: &str = "it is no text in UTF-8";
/// What makes text of old files.
const TO_UTF8: &str = "if it is Windows-1252, convert it: iconv -f WINDOWS-1252 -t UTF-8 old.csv > new.csv";

/// An error of the system, or one that this program or a library made of a reason.
fn system_in_words(error: &io::Error) -> String {
    if let Some(reason) = error.get_ref() {
        return in_words(reason);
    }
    let words = match error.kind() {
        ErrorKind::NotFound => "there is no such file or folder",
        ErrorKind::PermissionDenied => "the permission is missing",
        ErrorKind::AlreadyExists => "it exists already",
        ErrorKind::IsADirectory => "it is a folder, not a file",
        ErrorKind::NotADirectory => "a part of the path is a file",
        ErrorKind::DirectoryNotEmpty => "the folder is not empty",
        ErrorKind::ReadOnlyFilesystem => "the disk can only be read",
        ErrorKind::StorageFull => "the disk is full",
        ErrorKind::QuotaExceeded => "the disk has no more room for this user",
        ErrorKind::FileTooLarge => "the file would be too large for this system",
        ErrorKind::InvalidFilename => "the name is too long",
        ErrorKind::UnexpectedEof => "it is cut short",
        ErrorKind::InvalidData => NO_TEXT,
        ErrorKind::OutOfMemory => "the memory is full",
        ErrorKind::BrokenPipe => "the reader went away",
        _ => return told_by_system(error),
    };
    words.to_owned()
}

/// The system's own words for one of its rarer errors, without its number.
fn told_by_system(error: &io::Error) -> String {
    let message = error.to_string();
    let number = error.raw_os_error().map(|code| format!(" (os error {code})"));
    number.and_then(|number| message.strip_suffix(&number)).unwrap_or(&message).to_owned()
}

fn csv_in_words(error: &csv::Error) -> String {
    let line = error.position().map_or(String::new(), |place| format!("line {}: ", place.line()));
    match error.kind() {
        csv::ErrorKind::Io(error) => system_in_words(error),
        csv::ErrorKind::Utf8 { .. } => format!("{line}{NO_TEXT}; {TO_UTF8}"),
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("{line}the row has {}, and the first row {expected_len}", counted(len, "value"))
        }
        _ => error.to_string(),
    }
}

fn json_in_words(error: &serde_json::Error) -> String {
    let place = format!("line {}, character {}", error.line(), error.column());
    match (error.io_error_kind(), error.classify()) {
        (Some(kind), _) => system_in_words(&kind.into()),
        (None, serde_json::error::Category::Eof) => "the JSON is cut short".to_owned(),
        (None, serde_json::error::Category::Syntax) => format!("it is no JSON: {place}"),
        (None, _) => error.to_string(),
    }
}

/// What is wrong with a text of TOML, after its place there.
pub fn toml_in_words(text: &str, error: &toml::de::Error) -> String {
    let (line, column) = place(text, error.span().map_or(0, |span| span.start));
    format!("line {line}, character {column}: {}", toml_reason(error))
}

/// How the messages of the library about a text of TOML begin, and what is said instead.
const TOML_WORDS: &[(&str, &str)] = &[
    ("duplicate key", "this key has a value already: give it once"),
    ("extra `=`", "one = is too many"),
    ("invalid basic string", "the text has no quote at its end"),
    ("invalid literal string", "the text has no quote at its end"),
    ("unclosed", "a bracket is not closed"),
    ("unexpected key or value", "a line has one key = value; numbers have no commas, and texts have quotes"),
    ("missing value for key", "a line is key = value, a table such as [dig], or a list such as [[quota]]"),
];

/// What is wrong with a text of TOML. A library says what it expected in words of its own.
pub(crate) fn toml_reason(error: &toml::de::Error) -> String {
    let message = error.message().lines().collect::<Vec<_>>().join(", ");
    if let Some((_, ours)) = TOML_WORDS.iter().find(|(theirs, _)| message.starts_with(*theirs)) {
        return (*ours).to_owned();
    }
    let unknown = message.strip_prefix("unknown field `").and_then(|rest| rest.split_once('`'));
    if let Some((key, names)) = unknown {
        let names = names.trim_start_matches(", expected one of ").trim_start_matches(", expected ").replace('`', "");
        let near = nearest(key, names.split(", ")).map_or_else(String::new, |near| format!("did you mean '{near}'? "));
        return format!("unknown key '{key}'; {near}known: {names}");
    }
    let kinds = [
        ("a sequence", "a list of tables in double brackets, as [[level]]; the level of the puzzles is level in [dig]"),
        ("a string", "a text in quotes"),
        ("a boolean", "true or false"),
        ("u64", "a whole number from 0 on, without quotes"),
    ];
    let is_kind = message.starts_with("invalid type") || message.starts_with("invalid value");
    let wanted = message.rsplit_once("expected ").filter(|_| is_kind).map(|(_, wanted)| wanted);
    match kinds.iter().find(|(theirs, _)| wanted == Some(*theirs)) {
        Some((_, ours)) if message.starts_with("invalid type: sequence") => {
            format!("expected {ours}, not a list; rows with several goals are tables [[quota]]")
        }
        Some((_, ours)) => format!("expected {ours}"),
        None if is_kind => wanted.map_or(message.clone(), |wanted| format!("expected {wanted}")),
        None if ["invalid boolean", "invalid float", "string values"]
            .iter()
            .any(|begin| message.starts_with(begin)) =>
        {
            "a value is a number, true, false, or a text in quotes, such as \"hard\"".to_owned()
        }
        None if message.starts_with("invalid key-value pair") || message.starts_with("key with no value") => {
            "a line is key = value, a table such as [dig], or a list such as [[quota]]".to_owned()
        }
        None => message,
    }
}

/// Line and column of a byte, both from 1. Columns count characters.
pub(crate) fn place(text: &str, offset: usize) -> (usize, usize) {
    let before = &text.as_bytes()[..offset.min(text.len())];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    (line, String::from_utf8_lossy(&before[start..]).chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Errors of each kind, as the system and the libraries make them.
    #[test]
    fn errors_are_told_by_their_kind() {
        let system = |code| in_words(&io::Error::from_raw_os_error(code));
        assert_eq!(system(2), "there is no such file or folder");
        assert_eq!(system(21), "it is a folder, not a file");
        assert_eq!(system(28), "the disk is full");
        // A kind that this program does not name.
        assert!(!system(5).contains("os error"), "{}", system(5));
        let wrapped = io::Error::other(io::Error::from_raw_os_error(13));
        assert_eq!(in_words(&wrapped), "the permission is missing");
        assert_eq!(in_words(&"x".parse::<u64>().unwrap_err()), "it is no whole number in digits, such as 24");
        assert_eq!(in_words(&"300".parse::<u8>().unwrap_err()), "the number is too large");
        assert_eq!(in_words(&"x".parse::<f64>().unwrap_err()), "it is no number, such as 0.5");
        assert_eq!(in_words(&"x".parse::<bool>().unwrap_err()), "it is neither true nor false");
        assert_eq!(in_words(&"xy".parse::<char>().unwrap_err()), "it is not one sign");
        assert_eq!(in_words(&String::from_utf8(vec![255]).unwrap_err()), NO_TEXT);
        assert_eq!(in_words(&serde_json::from_str::<Vec<u8>>("[").unwrap_err()), "the JSON is cut short");
        assert_eq!(in_words(&serde_json::from_str::<u8>("x").unwrap_err()), "it is no JSON: line 1, character 1");
        let mut table = csv::Reader::from_reader(&b"a,b\n1\n"[..]);
        let uneven = table.records().next().unwrap().unwrap_err();
        assert_eq!(in_words(&uneven), "line 2: the row has 1 value, and the first row 2");
        let wrong = |text: &str| toml_in_words(text, &text.parse::<toml::Table>().unwrap_err());
        assert_eq!(
            wrong("a = 1\nb = ten"),
            "line 2, character 5: a value is a number, true, false, or a text in quotes, such as \"hard\""
        );
        assert_eq!(
            wrong("{"),
            "line 1, character 1: a line is key = value, a table such as [dig], or a list such as [[quota]]"
        );
    }
}
