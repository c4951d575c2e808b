//! Defines the request for a release, and its result.

use std::collections::{BTreeMap, BTreeSet};

use crate::calendar::series::Day;
use crate::choice::split::{Apart, Splits, Splitter};
use crate::error::PublishError;
use crate::release::license::License;
use crate::release::made::{self, PROBES};
use crate::tally::counted_reasons;
use sudoku_corpus_core::page::numbers::counted;
use sudoku_corpus_store::corpus::{InputPath, Record, StepTexts};
use sudoku_corpus_store::study::Summary;

/// The request for a release.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct Release {
    /// The license under which you publish it, by its name in the SPDX list: CC0-1.0, CC-BY-4.0, ODbL-1.0, MIT.
    #[cfg_attr(feature = "cli", arg(long, value_name = "SPDX"))]
    pub(crate) license: String,
    /// The text of a license that is not in the SPDX list. It becomes the file LICENSE.
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE"))]
    pub(crate) license_file: Option<InputPath>,
    /// Title, the name of the data set.
    #[cfg_attr(feature = "cli", arg(long, value_name = "TEXT", default_value = "Sudoku puzzles"))]
    pub(crate) title: String,
    /// Author, in the card and in `CITATION.cff`.
    #[cfg_attr(feature = "cli", arg(long, value_name = "TEXT", default_value = ""))]
    pub(crate) author: String,
    /// Day of publication, such as 2027-01-31, for `croissant.json` and `CITATION.cff`.
    #[cfg_attr(feature = "cli", arg(long, value_name = "DAY"))]
    pub(crate) date: Option<Day>,
    /// Names and shares of the splits, such as train=0.9,test=0.1. The default is a single split, `train`.
    #[cfg_attr(feature = "cli", arg(long, value_name = "SHARES"))]
    pub(crate) split: Option<Splits>,
    /// What two splits never share: exact (equal puzzles), isomorph (isomorphic puzzles), grid (isomorphic solutions),
    /// or neighbor (isomorphic solutions, and puzzles that differ in only one or two givens: the second one is left
    /// out).
    #[cfg_attr(feature = "cli", arg(long, value_name = "WHAT", default_value = "grid", requires = "split"))]
    pub(crate) apart: Apart,
    /// Seed of all random numbers, from 0; default 20261120.
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", hide_default_value = true, requires = "split",
        default_value_t = sudoku_corpus_core::random::DEFAULT_SEED))]
    pub(crate) seed: u64,
    /// Write every step of the solutions, as further configurations of the data set: those of the ladder, and the hints
    /// of Sudoku Explainer.
    #[cfg_attr(feature = "cli", arg(long))]
    pub(crate) steps: bool,
    /// Add leaks to this split: isomorphs, puzzles of the same grid and neighbors of puzzles of the first split. Each
    /// kind is a tenth of the split, and a column labels them. A test on this split measures what a leak is worth.
    #[cfg_attr(feature = "cli", arg(long, value_name = "NAME", requires = "split"))]
    pub(crate) control: Option<String>,
    /// Add a split of probes, at most N of each kind: full grids with one to five empty cells, puzzles with no solution and
    /// with two, other boards, and up to ten isomorphs of a puzzle. They are made from puzzles of the split `test`, or of the
    /// first split.
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", default_value_t = 0))]
    pub(crate) probes: u64,
    /// Replace files that exist: a release that is in the folder. A folder with other files, such as notes or a `.git`, is
    /// refused.
    #[cfg_attr(feature = "cli", arg(long))]
    pub(crate) force: bool,
}

/// A request that was checked: what it means for every row.
pub(crate) struct Plan {
    pub(crate) splitter: Splitter,
    pub(crate) license: License,
    /// The number of the split with leaks.
    pub(crate) control: Option<usize>,
}

impl Release {
    /// Checks what can be checked without the rows.
    ///
    /// # Errors
    /// See [`Release::plan`].
    pub fn check(&self) -> Result<(), PublishError> {
        self.plan().map(drop)
    }

    /// The plan of the release.
    ///
    /// # Errors
    /// Too many splits, a split with the name of the probes, a license that is not known or a file of it that cannot be
    /// read, a control split that is the first one or none.
    pub(crate) fn plan(&self) -> Result<Plan, PublishError> {
        let license = License::new(&self.license, self.license_file.as_deref()).map_err(PublishError::Request)?;
        let splitter = self.splitter()?;
        let names: Vec<&str> = splitter.splits.names().collect();
        if names.contains(&PROBES) && self.probes > 0 {
            let reason = format!("the name of the split '{PROBES}' is needed for the probes");
            return Err(PublishError::Request(reason));
        }
        let mut control = None;
        if let Some(name) = &self.control {
            control = (1..names.len()).find(|split| names[*split] == name);
            if control.is_none() {
                let later = names[1..].join(", ");
                let hint = if later.is_empty() { String::new() } else { format!("; known: {later}") };
                let reason = format!("--control {name}: --split has no split of this name after the first one{hint}");
                return Err(PublishError::Request(reason));
            }
        }
        Ok(Plan { splitter, license, control })
    }

    /// The splits; one, `train`, if none were asked for.
    fn splitter(&self) -> Result<Splitter, PublishError> {
        let Some(splits) = self.split.clone() else {
            return Ok(Splitter { splits: "train=1".parse()?, apart: Apart::Exact, seed: 0 });
        };
        if splits.names().count() > 200 {
            return Err(PublishError::Request("--split: at most 200 splits".to_owned()));
        }
        Ok(Splitter { splits, apart: self.apart, seed: self.seed })
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
    /// Rows that were left out because they cannot be read, or say what is not true of their puzzle.
    pub skipped: u64,
    /// Copies that were left out.
    pub copies: u64,
    /// Puzzles that were left out because they are not known to have one solution, and full grids.
    pub improper: u64,
    /// Rows that were left out because the split has no key for them.
    pub unknown: u64,
    /// Rows that were left out because they are too near to an earlier split.
    pub near: u64,
    pub(crate) of_corpora: bool,
    /// What is counted of the rows of each split.
    pub(crate) summaries: Vec<Summary>,
    /// The first rows, for the card.
    pub samples: Vec<Record>,
    /// Recipes of the parts, each once.
    pub recipes: Vec<String>,
    /// Columns that have a value in some row.
    pub columns: BTreeSet<String>,
    /// Rows of each split and role.
    pub roles: BTreeMap<(String, String), u64>,
}

/// The files of a split.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SplitFiles {
    /// Its name.
    pub name: String,
    /// The files of puzzles.
    pub puzzles: FileTotals,
    /// The files of the steps of the ladder.
    pub steps: FileTotals,
    /// The files of the hints of Sudoku Explainer.
    pub hints: FileTotals,
}

/// What some files hold together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct FileTotals {
    pub rows: u64,
    pub bytes: u64,
}

impl Released {
    /// Why puzzles were left out, with their numbers.
    pub(crate) fn left_out(&self) -> String {
        let reasons = [
            (self.skipped, "that cannot be used"),
            (self.improper, "that are no puzzle with exactly one solution"),
            (self.copies, "isomorphic to others"),
            (self.unknown, "whose solution has no class (for boards above 9x9, add --apart isomorph)"),
            (self.near, "too near to another split"),
        ];
        let text = counted_reasons(&reasons).join(", ");
        if text.is_empty() { "the sources have none".to_owned() } else { text }
    }

    /// Rows of the sources that were left out, for any reason.
    pub fn rows_left_out(&self) -> u64 {
        self.skipped + self.copies + self.improper + self.unknown + self.near
    }

    /// Rows of all splits.
    pub fn rows(&self) -> u64 {
        self.splits.iter().map(|split| split.puzzles.rows).sum()
    }

    /// The note that the release has fewer probes of some kinds than were asked for, because few puzzles give one.
    pub fn fewer_probes(&self, request: &Release) -> Option<String> {
        let mut short_kinds = Vec::new();
        for kind in made::PROBE_KINDS {
            let rows = self.roles.get(&(PROBES.to_owned(), kind.to_owned())).copied().unwrap_or(0);
            if rows < request.probes {
                short_kinds.push(format!("{rows} of {kind}"));
            }
        }
        let asked = counted(request.probes, "probe");
        let note = format!("of {asked} of each kind, the puzzles gave only {}", short_kinds.join(", "));
        (!short_kinds.is_empty()).then_some(note)
    }

    /// Counts a row. The summaries are about rows of the corpora, not about those that the release made.
    pub(crate) fn count(&mut self, record: &Record, split: usize, name: &str) {
        let role = made::role(record);
        if let Some(role) = &role {
            *self.roles.entry((name.to_owned(), role.clone())).or_default() += 1;
        }
        let Some(summary) = self.summaries.get_mut(split) else { return };
        if role.is_some_and(|role| role != made::CLEAN) {
            return;
        }
        summary.add(record);
        if self.samples.len() < 3 {
            self.samples.push(Record { steps: StepTexts::default(), ..record.clone() });
        }
    }
}

/// The file with checksums for `b3sum`. A folder that has it is a release, and it lists the files of the release.
pub(crate) const CHECKSUMS: &str = "CHECKSUMS.b3";
/// The file with checksums for `sha256sum`, which is not in the list.
pub(crate) const SHA_CHECKSUMS: &str = "SHA256SUMS";
/// The folder of the files of rows.
pub(crate) const PUZZLES: &str = "puzzles";
pub(crate) const STEPS: &str = "steps";
pub(crate) const HINTS: &str = "hints";

/// A configuration of the data set: the name of its folder, what its rows are, and its columns.
pub(crate) struct Config {
    pub name: &'static str,
    pub about: &'static str,
    pub features: Vec<Feature>,
}

/// A column on the card.
#[derive(Clone)]
pub(crate) struct Feature {
    pub name: String,
    /// Its type, as the header of the card has it.
    pub kind: String,
    /// Empty for columns of steps.
    pub about: String,
}

/// A file of the release, with its checksums.
pub(crate) struct Sum {
    pub name: String,
    pub bytes: u64,
    pub blake3: String,
    pub sha256: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_tells_which_probes_are_fewer() {
        let rows = made::PROBE_KINDS.map(|kind| if kind == "no_solution" { 3 } else { 5 });
        let roles = made::PROBE_KINDS.iter().map(|kind| (made::PROBES.to_owned(), (*kind).to_owned())).zip(rows);
        let released = Released { roles: roles.collect(), ..Released::default() };
        let note = |probes| released.fewer_probes(&Release { probes, ..Release::default() });
        assert_eq!([0, 3].map(note), [None, None]);
        assert_eq!(note(5).unwrap(), "of 5 probes of each kind, the puzzles gave only 3 of no_solution");
    }
}
