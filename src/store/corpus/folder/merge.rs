//! Merges parts from several folders into one verified corpus.
//!
//! ```text
//!   corpus/  part 0, 1, 3        \                               corpus/  part 0, 1, 2, 3, 5
//!   worker-a/  part 2, its line   >  checksums, recipe, places             manifest.jsonl
//!   worker-b/  part 3, 5, 6 half /                               missing   4, 6      (6 is damaged)
//! ```
//!
//! A part is accepted if its file agrees with its line. Lines come from the manifests of all folders and from the
//! output of `run --json` where the part was made, so that a copy is compared with the original. The rows of a part
//! without a line are made again, and its bytes are compared with those that they give. If there are several files for
//! a part, the first good one is used, because good files are equal.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::corpus_folder::{Folder, check_header, parts_in};
use super::layout::files_in;
use super::manifest::{Entry, Manifest, Parts};
use super::part::{State, judge, judge_unlisted, part_of, steps_path};
use super::produce::gaps;
use super::verify::Problem;
use crate::corpus::files::atomic::AtomicFile;
use crate::corpus::files::paths::InputPath;
use crate::corpus::files::progress::Job;
use crate::corpus::files::workers::Workers;
use crate::corpus::request::recipe::Recipe;
use crate::corpus::values::error::{CorpusError, Result};

/// Options of [`merge`].
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct MergeOptions {
    /// Folders with parts that were made elsewhere. Their manifests are used if they exist.
    #[cfg_attr(feature = "cli", arg(value_name = "FOLDER"))]
    pub sources: Vec<InputPath>,
    /// Lines that `run --json` printed where the parts were made.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub lines: Vec<Entry>,
    /// Do not read parts of CORPUS whose size agrees with its manifest.
    #[cfg_attr(feature = "cli", arg(long))]
    pub quick: bool,
    /// Remove damaged parts from CORPUS. The next run makes them again.
    #[cfg_attr(feature = "cli", arg(long))]
    pub drop_damaged: bool,
    /// Write the manifest from --lines alone, because the parts are elsewhere, for example in an object store.
    #[cfg_attr(feature = "cli", arg(long, conflicts_with_all = ["sources", "quick", "drop_damaged"]))]
    pub elsewhere: bool,
}

/// The result of a merge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Merged {
    pub parts: u64,
    pub parts_good: u64,
    pub rows: u64,
    pub bytes: u64,
    /// Parts that were copied from other folders.
    pub parts_copied: u64,
    /// Damaged parts that were removed.
    pub parts_dropped: u64,
    /// Parts that are missing or damaged, or belong to another corpus.
    pub missing: Vec<Range<u64>>,
    /// Damaged parts that were removed or replaced, and why.
    pub repaired: Vec<Problem>,
    pub problems: Vec<Problem>,
    pub stopped: bool,
}

/// What was found of a part.
#[derive(Default)]
struct CheckedPart {
    /// Its line, if a good file is in its place.
    good: Option<Entry>,
    /// The line of a file that is not good and stays.
    kept: Option<Entry>,
    /// What is wrong with the file in its place, until it is known what happens to it.
    damaged: Option<Problem>,
    copied: bool,
    repaired: Option<Problem>,
    problems: Vec<Problem>,
}

/// What is known before parts are checked.
struct Merging<'a> {
    recipe: &'a Recipe,
    folder: &'a Path,
    options: &'a MergeOptions,
    /// Lines of the corpus itself, for `quick`.
    own: Parts,
    /// All lines, with the file that each was read from.
    lines: BTreeMap<u64, (Entry, PathBuf)>,
    /// Files in the sources, by part.
    files: BTreeMap<u64, Vec<PathBuf>>,
}

/// Makes a folder one verified corpus from its own parts and those of other folders.
///
/// # Errors
/// The folder is busy or holds another corpus; the system reports an error, so that nothing is known about a part.
/// Problems of parts are in the result.
pub fn merge(recipe: &Recipe, folder: &Path, options: &MergeOptions, job: &Job<'_>) -> Result<Merged> {
    let mut workers = Workers::new(job.threads)?;
    let held = match Folder::open(folder, true) {
        // Other processes make parts there. Parts that they finish later count next time.
        Err(CorpusError::Busy { .. }) => Folder::open(folder, false)?,
        held => held?,
    };
    let own = held.claim(recipe)?;
    let all = 0..recipe.parts();
    let mut merged = Merged { parts: recipe.parts(), ..Merged::default() };
    let mut merging =
        Merging { recipe, folder, options, own: own.clone(), lines: BTreeMap::new(), files: BTreeMap::new() };
    merging.gather(&mut merged.problems)?;
    let there = parts_in(folder, recipe, &all)?;
    // Only parts with a line or a file are looked at, because a recipe may have too many parts to enumerate.
    let known: BTreeSet<u64> = there.iter().chain(merging.files.keys()).chain(merging.lines.keys()).copied().collect();
    // The lines of good parts, and those of damaged parts that are kept.
    let mut lines = Parts::new();
    let mut good = Vec::new();
    job.progress.begin(Some(recipe.count), 0);
    let check = |part| (part, merging.part(part, there.contains(&part)));
    let ended = workers.run(known, &job.stop, check, |found| {
        for (part, found) in found {
            let found = found?;
            merged.parts_copied += u64::from(found.copied);
            merged.parts_dropped += u64::from(found.repaired.is_some() && !found.copied);
            merged.repaired.extend(found.repaired);
            merged.problems.extend(found.problems);
            if let Some(entry) = &found.good {
                merged.rows += entry.rows;
                merged.bytes += entry.bytes;
                good.push(part);
            }
            lines.extend(found.good.or(found.kept).map(|entry| (part, entry)));
            job.progress.rows(recipe.place(part).rows);
        }
        Ok::<(), CorpusError>(())
    })?;
    merged.parts_good = good.len() as u64;
    if !ended {
        return Ok(Merged { stopped: true, ..merged });
    }
    merged.missing = gaps(all, good.into_iter());
    held.rewrite(recipe, |parts| {
        // Lines that others appended since stay.
        parts.retain(|part, line| own.get(part) != Some(line));
        parts.extend(lines);
        Ok(merged)
    })
}

impl Merging<'_> {
    /// Collects lines and files of all folders. `problems` gets lines that contradict others or the recipe.
    ///
    /// # Errors
    /// A source holds another corpus, or cannot be read.
    fn gather(&mut self, problems: &mut Vec<Problem>) -> Result<()> {
        // The lines of the folder itself come first, so that those of other folders are compared with them. An own line
        // that does not fit the recipe is forgotten.
        let own: Vec<Entry> = self.own.values().cloned().collect();
        self.add_lines(own, &Manifest::path(self.folder), problems);
        self.own.retain(|part, entry| self.lines.get(part).is_some_and(|(line, _)| line == entry));
        self.add_lines(self.options.lines.clone(), Path::new("lines"), problems);
        for source in &self.options.sources {
            if let Some(manifest) = Manifest::read(source)? {
                check_header(source, &manifest.header, self.recipe)?;
                self.add_lines(manifest.parts.into_values(), &Manifest::path(source), problems);
            }
            for file in files_in(source)? {
                let part = part_of(&file, self.recipe).filter(|part| *part < self.recipe.parts());
                part.into_iter().for_each(|part| self.files.entry(part).or_default().push(file.clone()));
            }
        }
        Ok(())
    }

    /// Adds lines that were read from `from`. The first line of a part counts. Others must have the same size and
    /// checksum of its file; all must belong to this recipe.
    fn add_lines(&mut self, entries: impl IntoIterator<Item = Entry>, from: &Path, problems: &mut Vec<Problem>) {
        for entry in entries {
            let part = entry.part;
            let wrong = if part >= self.recipe.parts() || !entry.is_at(self.recipe.place(part)) {
                "the recipe has no part with this number and these rows".to_owned()
            } else {
                let known = self.lines.entry(part).or_insert_with(|| (entry.clone(), from.to_owned()));
                if (&known.0.blake3, known.0.bytes) == (&entry.blake3, entry.bytes) {
                    continue;
                }
                format!("its checksum differs from the one in {}", known.1.display())
            };
            problems.push(Problem { file: from.to_owned(), row: None, reason: format!("part {part}: {wrong}") });
        }
    }

    /// Checks one part: the file in its place if it is `there`, or the first good file elsewhere, which is copied.
    fn part(&self, part: u64, there: bool) -> Result<CheckedPart> {
        let line = self.lines.get(&part).map(|(line, _)| line);
        if self.options.elsewhere {
            return Ok(CheckedPart { good: line.cloned(), ..CheckedPart::default() });
        }
        let mut found = CheckedPart::default();
        let target = self.folder.join(self.recipe.part_name(part));
        if there {
            found.good = self.judge(&target, part, line, true, &mut found)?;
        }
        let in_place = target.canonicalize().ok();
        for file in self.files.get(&part).into_iter().flatten() {
            // A source may be this corpus itself.
            if found.good.is_some() || (in_place.is_some() && file.canonicalize().ok() == in_place) {
                continue;
            }
            found.good = self.judge(file, part, line, false, &mut found)?;
            if let Some(entry) = &found.good {
                if let Some(steps) = &entry.steps {
                    copy(&steps_path(file), &steps_path(&target), &steps.blake3)?;
                }
                // The copy takes the place of a damaged file.
                copy(file, &target, &entry.blake3)?;
                found.copied = true;
            }
        }
        if let Some(mut damaged) = found.damaged.take() {
            if found.copied {
                damaged.reason += "; a good copy replaced it";
                found.repaired = Some(damaged);
            } else if self.options.drop_damaged {
                fs::remove_file(&target).map_err(CorpusError::io("remove", &target))?;
                damaged.reason += "; removed";
                found.repaired = Some(damaged);
            } else {
                found.kept = line.cloned();
                found.problems.push(damaged);
            }
        }
        Ok(found)
    }

    /// The line of a file if it is good. `line` is the known line of its part; without one, its rows are made again.
    /// `in_place`: the file is the one of the corpus. If this one is damaged, `found.damaged` says why; all else that
    /// is wrong is added to `found.problems`.
    fn judge(
        &self,
        file: &Path,
        part: u64,
        line: Option<&Entry>,
        in_place: bool,
        found: &mut CheckedPart,
    ) -> Result<Option<Entry>> {
        if let Some(own) = self.own.get(&part).filter(|_| self.options.quick && in_place)
            && file.metadata().map_err(CorpusError::io("open", file))?.len() == own.bytes
        {
            return Ok(Some(own.clone()));
        }
        let problem = |reason| Problem { file: file.to_owned(), row: None, reason };
        let state = match judge(file, self.recipe, part, line, false)? {
            State::Unlisted => judge_unlisted(file, self.recipe, part)?,
            state => state,
        };
        match state {
            State::Good(entry) => return Ok(Some(entry)),
            State::Damaged(reason) if in_place => found.damaged = Some(problem(format!("damaged: {reason}"))),
            State::Damaged(reason) => found.problems.push(problem(format!("damaged: {reason}"))),
            State::Foreign(difference) => {
                // Its line stays, unless a good copy is found.
                found.kept = line.filter(|_| in_place).cloned();
                found.problems.push(problem(format!("it belongs to another corpus ({difference})")));
            }
            State::Missing | State::Unlisted => {}
        }
        Ok(None)
    }
}

/// Copies the file of a good part atomically, and compares the copy with its line.
fn copy(from: &Path, target: &Path, blake3: &str) -> Result<()> {
    let failed = || CorpusError::io("write", target);
    let file = AtomicFile::create(target).map_err(failed())?;
    let mut input = File::open(from).map_err(CorpusError::io("open", from))?;
    io::copy(&mut input, &mut file.writer()).map_err(failed())?;
    let copied = file.seal().map_err(failed())?;
    if copied.written.blake3 != blake3 {
        return Err(CorpusError::file(from, "it was changed while it was copied"));
    }
    copied.publish().map(drop).map_err(failed())
}

/// Reads the output of `run --json`, a line for each part; `-` is standard input.
///
/// # Errors
/// A file that cannot be read, or a line that is none of a part.
pub fn read_lines(path: &Path) -> Result<Vec<Entry>> {
    let input: Box<dyn Read> = match path == Path::new("-") {
        true => Box::new(io::stdin()),
        false => Box::new(File::open(path).map_err(CorpusError::io("open", path))?),
    };
    let mut entries = Vec::new();
    for (number, line) in (1..).zip(BufReader::new(input).lines()) {
        let line = line.map_err(CorpusError::io("read", path))?;
        if !line.trim().is_empty() {
            let entry = serde_json::from_str(&line);
            entries.push(entry.map_err(|error| CorpusError::file(path, format!("line {number}: {error}")))?);
        }
    }
    Ok(entries)
}
