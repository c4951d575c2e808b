//! Defines the metadata of every file: how its puzzles were made and rated.
//!
//! The metadata are one JSON object. `encode` says where a file has it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::corpus::values::levels::{LevelDraft, Levels};

/// The version of the file format: columns, their meaning, the way rows follow from a recipe.
pub(crate) const FORMAT_VERSION: u32 = 17;

/// The version of this program.
pub const PROGRAM_VERSION: &str = env!("CARGO_PKG_VERSION");

/// The rating scales, and the programs and definitions that they follow.
pub const SCALES: [(&str, &str); 7] = [
    (
        "hodoku_level",
        "HoDoKu 2.2.0; order of steps: version 4; above 9x9 the limits of scores grow with the number of cells, which has no source and is not validated",
    ),
    ("hodoku_score", "HoDoKu 2.2.0; order of steps: version 4"),
    ("search", "singles, then fewest candidates; version 1"),
    ("se_er_tenths, se_ep_tenths, se_ed_tenths", "Sudoku Explainer 1.2.1; version 2"),
    ("w", "longest whip in the best order of whips; version 3"),
    ("b", "longest braid, as published in the controlled-bias collection"),
    ("effort", "definitions of this program, version 1; not calibrated with times of people"),
];

/// BLAKE3 of `Cargo.lock`, in hexadecimal.
static LOCK: LazyLock<String> =
    LazyLock::new(|| blake3::hash(include_bytes!(env!("SUDOKU_CORPUS_LOCK"))).to_hex().to_string());

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
    /// The rating scales and their versions. `level` has the name of the scale of levels, or `own`.
    pub scales: BTreeMap<String, String>,
    /// The limits of the levels in the column `level`, easiest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<LevelDraft>,
    /// The recipe in its canonical text; only in parts of a corpus.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipe: Option<String>,
    /// The table `[analyze]` of a recipe by which `analyze` rated the rows of a file that is no part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rated: Option<String>,
    /// BLAKE3 of the format version and the recipe's canonical text, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// The part and its rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<PartPlace>,
    /// True for the file of steps of a part.
    #[serde(default, skip_serializing_if = "is_false")]
    pub of_steps: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// Place of a part in its corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartPlace {
    pub part: u64,
    pub first_row: u64,
    pub rows: u64,
}

impl Metadata {
    /// The metadata of a file that is not part of a corpus, with levels of newspapers.
    pub fn plain() -> Metadata {
        Metadata::with_levels(&Levels::default())
    }

    /// The metadata of a file that is not part of a corpus.
    pub fn with_levels(levels: &Levels) -> Metadata {
        let level = ("level", levels.name().unwrap_or("own"));
        let scales = SCALES.iter().copied().chain([level]);
        let scales = scales.map(|(scale, version)| (scale.to_owned(), version.to_owned()));
        Metadata {
            format_version: FORMAT_VERSION,
            program_version: PROGRAM_VERSION.to_owned(),
            lock: LOCK.clone(),
            scales: scales.collect(),
            levels: levels.drafts(),
            recipe: None,
            rated: None,
            fingerprint: None,
            part: None,
            of_steps: false,
        }
    }

    /// The scale of the column `level`. None for files of versions before 0.5.0.
    pub fn scale(&self) -> Option<Levels> {
        Levels::of_drafts(self.levels.clone()).ok()
    }

    /// As JSON, on one line.
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}
