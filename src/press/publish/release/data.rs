//! Defines the request for a release, and its result.

use std::collections::{BTreeMap, BTreeSet};

use crate::publish::calendar::series::Day;
use crate::publish::choice::split::{Apart, Splits, Splitter};
use crate::publish::error::PublishError;
use crate::publish::release::license::License;
use crate::publish::release::made;
use sudoku_corpus_store::corpus::{InputPath, Record, StepTexts};
use sudoku_corpus_store::study::Summary;

/// The request for a release.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct Release {
    /// The licence under which you publish it, by its name in the SPDX list: CC0-1.0, CC-BY-4.0, ODbL-1.0, MIT.
    #[cfg_attr(feature = "cli", arg(long, value_name = "SPDX"))]
    pub(crate) license: String,
    /// The text of a licence that is not in the SPDX list. It becomes the file LICENSE.
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE"))]
    pub(crate) license_file: Option<InputPath>,
    /// The name of the data set.
    #[cfg_attr(feature = "cli", arg(long, value_name = "TEXT", default_value = "Sudoku puzzles"))]
    pub(crate) title: String,
    /// The author of the data set.
    #[cfg_attr(feature = "cli", arg(long, value_name = "TEXT", default_value = ""))]
    pub(crate) author: String,
    /// The day of publication, for `croissant.json` and `CITATION.cff`.
    #[cfg_attr(feature = "cli", arg(long, value_name = "YYYY-MM-DD"))]
    pub(crate) date: Option<Day>,
    /// Names and shares of the splits, such as train=0.9,test=0.1. The default is a single split, `train`.
    #[cfg_attr(feature = "cli", arg(long, value_name = "SHARES"))]
    pub(crate) split: Option<Splits>,
    /// What two splits never share: exact, isomorph, grid or neighbour; `export --help` explains these words.
    #[cfg_attr(feature = "cli", arg(long, value_name = "WHAT", default_value = "grid", requires = "split"))]
    pub(crate) apart: Apart,
    /// Seed of the split. Another seed gives another split.
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", default_value_t = 0, requires = "split"))]
    pub(crate) split_seed: u64,
    /// Add the steps of every solution, as further configurations of the data set: in the order of the ladder, and the
    /// hints of Sudoku Explainer.
    #[cfg_attr(feature = "cli", arg(long))]
    pub(crate) steps: bool,
    /// Add leaks to this split: isomorphs, puzzles of the same grid and neighbours of puzzles of the first split. Each
    /// kind is a tenth of the split, and a column labels them. A test on this split measures what a leak is worth.
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME", requires = "split"))]
    pub(crate) control: Option<String>,
    /// Add a split of probes, N of each kind: full grids with one to five empty cells, puzzles with no solution and
    /// with two, other boards, and ten isomorphs of a puzzle. They are made from puzzles of the split `test`, or of the
    /// first split.
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", default_value_t = 0))]
    pub(crate) probes: u64,
    /// Replace a release that is in the folder. A folder with other files, such as notes or a `.git`, is refused.
    #[cfg_attr(feature = "cli", arg(long))]
    pub(crate) force: bool,
}

impl Release {
    /// The splits; one, `train`, if none were asked for.
    pub(crate) fn splitter(&self) -> Result<Splitter, PublishError> {
        let Some(splits) = self.split.clone() else {
            return Ok(Splitter { splits: "train=1".parse()?, apart: Apart::Exact, seed: 0 });
        };
        if splits.names().count() > 200 {
            return Err(PublishError::Request("--split: at most 200 splits".to_owned()));
        }
        Ok(Splitter { splits, apart: self.apart, seed: self.split_seed })
    }

    pub(crate) fn author(&self) -> &str {
        if self.author.is_empty() { "The authors of the data set" } else { &self.author }
    }
}

/// The result of a release.
#[derive(Clone, Debug, Default)]
pub struct Released {
    pub(crate) license: License,
    /// Name, rows, bytes and steps of each split.
    pub splits: Vec<SplitFiles>,
    /// Copies that were left out.
    pub copies: u64,
    /// Puzzles that were left out because they are not known to have one solution, and full grids.
    pub improper: u64,
    /// Rows that were left out because the split has no key for them.
    pub unknown: u64,
    /// Rows that were left out because they are too near to an earlier split.
    pub near: u64,
    /// Counts of the rows.
    pub summary: Summary,
    /// Number of grids that were dug for all rows together, if the rows have it.
    pub tries: u64,
    /// The first rows, for the card.
    pub samples: Vec<Record>,
    /// Recipes of the parts, each once.
    pub recipes: Vec<String>,
    /// Columns that have a value in some row.
    pub columns: BTreeSet<String>,
    /// Rows of each split and role.
    pub roles: BTreeMap<(String, String), u64>,
    /// Rows of each ER, in tenths, by split.
    pub ratings: BTreeMap<u32, Vec<u64>>,
    /// The classes of stocks that have too few puzzles.
    pub short: Vec<String>,
}

/// The files of a split.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SplitFiles {
    /// Its name.
    pub name: String,
    /// Puzzles, steps of the ladder and hints of Sudoku Explainer.
    pub rows: [u64; 3],
    /// Bytes of the files of each.
    pub bytes: [u64; 3],
}

impl Released {
    /// Rows of all splits.
    pub fn rows(&self) -> u64 {
        self.splits.iter().map(|split| split.rows[0]).sum()
    }

    /// Counts a row. The summary is about rows of the corpora, not about those that the release made.
    pub(crate) fn count(&mut self, record: &Record, split: usize, name: &str, splits: usize) {
        let role = made::role(record);
        if let Some(role) = &role {
            *self.roles.entry((name.to_owned(), role.clone())).or_default() += 1;
        }
        if split >= splits || role.is_some_and(|role| role != made::CLEAN) {
            return;
        }
        if let Some(er) = record.se_er_tenths {
            self.ratings.entry(er).or_insert_with(|| vec![0; splits])[split] += 1;
        }
        self.summary.add(record);
        self.tries += record.tries.unwrap_or(0);
        if self.samples.len() < 3 {
            self.samples.push(Record { steps: StepTexts::default(), ..record.clone() });
        }
    }
}

/// The file with checksums for `b3sum`. A folder that has it is a release, and it lists the files of the release.
pub(crate) const CHECKSUMS: &str = "CHECKSUMS.b3";
/// The file with checksums for `sha256sum`, which is not in the list.
pub(crate) const SHA_CHECKSUMS: &str = "SHA256SUMS";
/// The folders of files: rows, steps of the ladder, hints of Sudoku Explainer.
pub(crate) const KINDS: [&str; 3] = ["puzzles", "steps", "hints"];

/// A configuration of the data set: the name of its folder, what its rows are, and its columns with types and meanings.
pub(crate) struct Config {
    pub name: &'static str,
    pub about: &'static str,
    pub features: Vec<(String, String, String)>,
}

/// A file of the release, with its checksums.
pub(crate) struct Sum {
    pub name: String,
    pub bytes: u64,
    pub blake3: String,
    pub sha256: String,
}
