//! Detects the compression of a file, or Parquet, by its first bytes, and compares it with the name of the file.

use std::fs::File;
use std::io::{self, Read, Seek as _};
use std::path::Path;

use crate::corpus::values::error::{CorpusError, Result};

/// What the first bytes say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileKind {
    Parquet,
    Zstd,
    Gzip,
    Text,
}

impl FileKind {
    /// The kind of a file that begins with these bytes.
    pub(super) fn of(head: &[u8]) -> FileKind {
        match head {
            [b'P', b'A', b'R', b'1', ..] => FileKind::Parquet,
            // A frame of data, or one that readers skip.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => FileKind::Zstd,
            [0x1f, 0x8b, ..] => FileKind::Gzip,
            _ => FileKind::Text,
        }
    }

    /// Its name in messages.
    pub(super) const fn name(self) -> &'static str {
        match self {
            FileKind::Parquet => "Parquet",
            FileKind::Zstd => "zstd",
            FileKind::Gzip => "gzip",
            FileKind::Text => "text",
        }
    }

    /// What the file name says, if it says anything.
    pub(super) fn of_name(name: &str) -> Option<FileKind> {
        match name.to_ascii_lowercase().rsplit_once('.')?.1 {
            "parquet" => Some(FileKind::Parquet),
            "zst" => Some(FileKind::Zstd),
            "gz" => Some(FileKind::Gzip),
            "txt" | "sdm" | "sdk" | "ss" | "csv" | "tsv" | "jsonl" | "ndjson" | "opensudoku" | "xml" => {
                Some(FileKind::Text)
            }
            _ => None,
        }
    }
}

/// The first bytes of a stream; fewer only if it is shorter. They are taken from the stream.
pub(super) fn peek(input: &mut impl Read, bytes: u64) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    input.take(bytes).read_to_end(&mut head)?;
    Ok(head)
}

/// Refuses a file whose first bytes do not agree with its name.
pub(super) fn check_name(path: &Path, kind: FileKind, head: &[u8]) -> Result<()> {
    let promised = path.file_name().and_then(|name| FileKind::of_name(&name.to_string_lossy()));
    match promised {
        Some(promised) if promised != kind => {
            let found = match kind {
                FileKind::Text if head.is_empty() => "it is empty".to_owned(),
                FileKind::Text => format!("the first bytes are not those of this format ({})", shown(head)),
                _ => format!("it is {}", kind.name()),
            };
            Err(CorpusError::file(path, format!("its name says {}, but {found}", promised.name())))
        }
        _ => Ok(()),
    }
}

fn shown(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")
}

/// Copies a Parquet file from a pipe into a temporary file, because its index is at the end.
pub(super) fn spooled(mut input: impl Read) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(&mut input, &mut file)?;
    file.rewind()?;
    Ok(file)
}
