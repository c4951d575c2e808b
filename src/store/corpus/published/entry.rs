//! A publication of an index, and the message about an index that is damaged.

use std::path::Path;

use crate::corpus::values::error::CorpusError;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    /// The output, as an absolute path.
    pub output: String,
    /// Digest of everything that determines which puzzles are chosen and how they are written; empty if it is not known.
    pub request: String,
    /// The day of the call: YYYY-MM-DD. None for those of earlier versions.
    pub day: Option<String>,
    /// The version of the program; likewise.
    pub version: Option<String>,
    /// BLAKE3 of the output; if there are several files, their checksums and names. None if a pipe took a part of it.
    pub blake3: Option<String>,
    /// All of its files have their names. If not, nobody has got a byte of it from a pipe either.
    pub is_done: bool,
    /// The classes of its puzzles, in the order of the output.
    pub classes: Vec<u128>,
}

/// The error of an index that cannot be used.
pub(super) fn damaged(path: &Path, what: &str) -> CorpusError {
    let reason = format!(
        "a damaged index of published puzzles ({what}). Put the newest copy back; or make a new index of what was \
         published: `export FILE ... --all --out - --remember NEW-INDEX`"
    );
    CorpusError::file(path, reason)
}

/// The error of a file of 0 bytes in the place of an index, or of a file of published puzzles.
pub(super) fn emptied(path: &Path) -> CorpusError {
    let reason = "the file is empty, so what was published is not known. Put the newest copy back; or remove the file if \
                  nothing was published";
    CorpusError::file(path, reason)
}
