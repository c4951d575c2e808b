//! Detects the packing of a file by its first bytes, and compares it with the name of the file.

use std::fs::File;
use std::io::{self, Read, Seek as _};
use std::path::Path;

use crate::corpus::error::{CorpusError, Result};

/// The packing by the first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    Parquet,
    Zstd,
    Gzip,
    Text,
}

impl Packing {
    pub fn of(head: &[u8]) -> Packing {
        match head {
            [b'P', b'A', b'R', b'1', ..] => Packing::Parquet,
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Packing::Zstd,
            [0x1f, 0x8b, ..] => Packing::Gzip,
            _ => Packing::Text,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Packing::Parquet => "Parquet",
            Packing::Zstd => "zstd",
            Packing::Gzip => "gzip",
            Packing::Text => "text",
        }
    }

    /// The packing by the file name, if it gives one.
    pub fn of_name(name: &str) -> Option<Packing> {
        match name.to_ascii_lowercase().rsplit_once('.')?.1 {
            "parquet" => Some(Packing::Parquet),
            "zst" => Some(Packing::Zstd),
            "gz" => Some(Packing::Gzip),
            "txt" | "sdm" | "sdk" | "ss" | "csv" | "tsv" | "jsonl" | "ndjson" | "opensudoku" | "xml" => {
                Some(Packing::Text)
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
pub(super) fn check_name(path: &Path, packing: Packing, head: &[u8]) -> Result<()> {
    let promised = path.file_name().and_then(|name| name.to_str()).and_then(Packing::of_name);
    match promised {
        Some(promised) if promised != packing => {
            let found = match packing {
                Packing::Text if head.is_empty() => "it is empty".to_owned(),
                Packing::Text => format!("the first bytes are not those of this format ({})", shown(head)),
                _ => format!("it is {}", packing.name()),
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
