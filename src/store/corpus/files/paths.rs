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

/// Makes the types of paths. `standard` says whether `-`, the standard input or output, is a value.
macro_rules! paths {
    ($($(#[$about:meta])* $name:ident: standard = $standard:literal,)+) => {$(
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
            type Parser = TryMapValueParser<PathBufValueParser, fn(PathBuf) -> Result<$name, &'static str>>;

            fn value_parser() -> Self::Parser {
                PathBufValueParser::new().try_map(|path| match path == Path::new("-") && !$standard {
                    true => Err("this cannot go to standard output; give it a name"),
                    false => Ok($name(path)),
                })
            }
        }
    )+};
}

paths! {
    /// A file or folder to read.
    InputPath: standard = true,
    /// A file or folder to read, as `PATH` or `NAME=PATH`.
    NamedInput: standard = true,
    /// Puzzles that were published before: a file, a folder, or an index, which may be that of the same call.
    PublishedPath: standard = true,
    /// A file to write.
    OutputPath: standard = true,
    /// A folder for outputs, in which no input lies.
    OutputFolder: standard = false,
    /// An index of published puzzles, which is read and to which puzzles are added.
    IndexPath: standard = false,
    /// A folder in which the work of earlier calls is continued.
    WorkFolder: standard = false,
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
