//! Defines types of paths, by what a call does with them.
//!
//! The arguments of all commands have these types and no others for paths. So one check knows every path of a call: it
//! sees that an output is no input, no other output, and no file of a corpus. An option that names a file without one
//! of these types fails a test.
//!
//! | type | the call | example |
//! |---|---|---|
//! | [`InputPath`] | reads a file or folder; a word that is no file does no harm | `analyze FILE`, `--font`, `--levels` |
//! | [`NamedInput`] | reads PATH of NAME=PATH | `query --table times=times.csv` |
//! | [`PublishedPath`] | reads puzzles that were published, also from the index of the same call | `--except` |
//! | [`OutputPath`] | writes a file, and those whose names follow from it | `--out`, `--steps` |
//! | [`OutputFolder`] | makes a folder as a whole, or files in it | `release --out`, `report --data` |
//! | [`IndexPath`] | reads an index of published puzzles and adds to it | `--remember` |
//! | [`WorkFolder`] | continues in a folder of its own | `run --out`, `nightly NIGHTS` |

use std::ops::Deref;
use std::path::{Path, PathBuf};

#[cfg(feature = "cli")]
use clap::builder::{PathBufValueParser, TryMapValueParser, TypedValueParser as _, ValueParserFactory};
use serde::{Deserialize, Serialize};

/// Makes the types of paths. Each has a check of its values.
macro_rules! paths {
    ($($(#[$about:meta])* $name:ident: $check:ident,)+) => {$(
        $(#[$about])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
        #[serde(transparent)]
        pub struct $name(PathBuf);

        impl Deref for $name {
            type Target = Path;

            fn deref(&self) -> &Path {
                &self.0
            }
        }

        impl AsRef<Path> for $name {
            fn as_ref(&self) -> &Path {
                &self.0
            }
        }

        impl PartialEq<Path> for $name {
            fn eq(&self, path: &Path) -> bool {
                self.0 == path
            }
        }

        impl PartialEq<&Path> for $name {
            fn eq(&self, path: &&Path) -> bool {
                self.0 == *path
            }
        }

        impl<P: Into<PathBuf>> From<P> for $name {
            fn from(path: P) -> $name {
                $name(path.into())
            }
        }

        #[cfg(feature = "cli")]
        impl ValueParserFactory for $name {
            type Parser = TryMapValueParser<PathBufValueParser, fn(PathBuf) -> Result<$name, String>>;

            fn value_parser() -> Self::Parser {
                PathBufValueParser::new().try_map(|path| $check(&path).map(|()| $name(path)))
            }
        }
    )+};
}

paths! {
    /// A file or folder to read.
    InputPath: any,
    /// A file or folder to read, as `PATH` or `NAME=PATH`.
    NamedInput: any,
    /// Puzzles that were published before: a file, a folder, or an index, which may be that of the same call.
    PublishedPath: any,
    /// A file to write.
    OutputPath: any,
    /// A folder for outputs, in which no input lies.
    OutputFolder: folder,
    /// An index of published puzzles, which is read and to which puzzles are added.
    IndexPath: named,
    /// A folder in which the work of earlier calls is continued.
    WorkFolder: folder,
}

/// Endings of files, and of no folder.
#[cfg(feature = "cli")]
const ENDINGS_OF_FILES: [&str; 16] = [
    "csv", "zst", "parquet", "json", "jsonl", "pdf", "epub", "html", "md", "txt", "svg", "png", "db", "zip", "tar",
    "gz",
];

/// Takes every path; `-` is the standard input or output.
#[cfg(feature = "cli")]
fn any(_: &Path) -> Result<(), String> {
    Ok(())
}

/// Refuses the standard output.
#[cfg(feature = "cli")]
fn named(path: &Path) -> Result<(), String> {
    match path == Path::new("-") {
        true => Err("this cannot go to standard output; give it a name".to_owned()),
        false => Ok(()),
    }
}

/// Refuses the standard output, and the name of a file for a folder that is not there yet.
#[cfg(feature = "cli")]
fn folder(path: &Path) -> Result<(), String> {
    named(path)?;
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    match ENDINGS_OF_FILES.contains(&ending.as_str()) && !path.exists() {
        true => Err(format!("this makes a folder, and .{ending} is the ending of a file: leave it out")),
        false => Ok(()),
    }
}

impl NamedInput {
    /// The name, if the text begins with one and `=`, and the path behind it.
    pub fn split(&self) -> (Option<&str>, &Path) {
        let named = self.to_str().and_then(|text| text.split_once('=')).filter(|(name, _)| is_name(name));
        named.map_or((None, &self.0), |(name, path)| (Some(name), Path::new(path)))
    }
}

/// True if a table can have this name without quotes.
fn is_name(text: &str) -> bool {
    let first = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    first && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
