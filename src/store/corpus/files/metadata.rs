//! The metadata of every file: how its puzzles were made and rated.
//!
//! The metadata are one JSON object. In Parquet it is the value of the key `sudoku-corpus`, in the footer and in the Arrow
//! schema. In `.csv.zst` it is in a skippable frame after the data, which readers ignore:
//!
//! ```text
//!   zstd frame with the CSV | 50 2A 4D 18 | length, 4 bytes | JSON | length of the JSON, 4 bytes | "SCM1"
//!                             skippable frame, RFC 8878 section 3.1.2
//! ```
//!
//! All numbers are little-endian. The tail lets a reader find the JSON without decompressing anything.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::format::FileFormat;
use super::frame::FrameReader;
use crate::corpus::values::error::{CorpusError, Result};

/// The version of the file format: columns, their meaning, the way rows follow from a recipe.
pub const FORMAT_VERSION: u32 = 15;

/// The version of this program.
pub const PROGRAM_VERSION: &str = env!("CARGO_PKG_VERSION");

/// The rating scales, and the programs and definitions that they follow.
pub const SCALES: [(&str, &str); 7] = [
    (
        "level",
        "HoDoKu 2.2.0; order of steps: version 3; above 9x9 the limits of scores grow with the number of cells, which has no source and is not validated",
    ),
    ("score", "HoDoKu 2.2.0; order of steps: version 3"),
    ("search", "singles, then fewest candidates; version 1"),
    ("se_er_tenths, se_ep_tenths, se_ed_tenths", "Sudoku Explainer 1.2.1"),
    ("w", "longest whip in the best order of whips; version 3"),
    ("b", "longest braid, as published in the controlled-bias collection"),
    ("effort", "definitions of this program, version 1; not calibrated with times of people"),
];

/// BLAKE3 of `Cargo.lock`, in hexadecimal.
static LOCK: LazyLock<String> = LazyLock::new(|| {
    blake3::hash(include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.lock"))).to_hex().to_string()
});

/// The metadata of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metadata {
    /// [`FORMAT_VERSION`] of the program that wrote it.
    pub format_version: u32,
    /// Version of the program that wrote it.
    pub program_version: String,
    /// BLAKE3 of the list of exact dependency versions (`Cargo.lock`) that the program was built from.
    #[serde(default)]
    pub lock: String,
    /// The rating scales and their versions.
    pub scales: BTreeMap<String, String>,
    /// The recipe in its canonical text; only in parts of a corpus.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipe: Option<String>,
    /// BLAKE3 of the recipe's canonical text, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// The part and its rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<PartPlace>,
}

/// Place of a part in its corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct PartPlace {
    pub part: u64,
    pub first_row: u64,
    pub rows: u64,
}

impl Metadata {
    /// The metadata of a file that is not part of a corpus.
    pub fn plain() -> Metadata {
        let scales = SCALES.iter().map(|&(scale, version)| (scale.to_owned(), version.to_owned()));
        Metadata {
            format_version: FORMAT_VERSION,
            program_version: PROGRAM_VERSION.to_owned(),
            lock: LOCK.clone(),
            scales: scales.collect(),
            recipe: None,
            fingerprint: None,
            part: None,
        }
    }

    /// As JSON, on one line.
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads the metadata of a file. None if this program did not write it, or if its format has no metadata.
    ///
    /// # Errors
    /// The file cannot be read or is damaged, or its metadata have another form.
    pub fn of_file(path: &Path) -> Result<Option<Metadata>> {
        let json = match FileFormat::of_name(&path.to_string_lossy()) {
            Some(FileFormat::Parquet) => FrameReader::open(path)?.metadata().map(str::to_owned),
            Some(FileFormat::CsvZst) => {
                let file = File::open(path).map_err(CorpusError::io("open", path))?;
                trailer(file).map_err(CorpusError::io("read", path))?
            }
            _ => None,
        };
        let parse = |json: String| {
            let read = serde_json::from_str(&json);
            read.map_err(|error| CorpusError::file(path, format!("its metadata cannot be read: {error}")))
        };
        json.map(parse).transpose()
    }
}

const SKIPPABLE: u32 = 0x184D_2A50;
const TAIL: &[u8; 4] = b"SCM1";
/// The largest size of metadata in bytes.
const LONGEST: u64 = 1 << 24;

/// The skippable frame that holds a text.
pub(crate) fn skippable_frame(json: &str) -> Vec<u8> {
    let length = json.len() as u32;
    let parts: [&[u8]; 5] =
        [&SKIPPABLE.to_le_bytes(), &(length + 8).to_le_bytes(), json.as_bytes(), &length.to_le_bytes(), TAIL];
    parts.concat()
}

/// The text of the skippable frame at the end of a file, if there is one.
fn trailer(mut file: File) -> std::io::Result<Option<String>> {
    let size = file.metadata()?.len();
    let mut tail = [0; 8];
    if size < 16 {
        return Ok(None);
    }
    file.seek(SeekFrom::End(-8))?;
    file.read_exact(&mut tail)?;
    let length = u64::from(u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]));
    if &tail[4..] != TAIL || length + 16 > size || length > LONGEST {
        return Ok(None);
    }
    file.seek(SeekFrom::Start(size - length - 16))?;
    let mut frame = vec![0; length as usize + 8];
    file.read_exact(&mut frame)?;
    let json = std::str::from_utf8(&frame[8..]).unwrap_or_default();
    Ok((frame[..8] == skippable_frame(json)[..8]).then(|| json.to_owned()))
}
