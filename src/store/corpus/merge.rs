//! Merges parts from several folders into one verified corpus.
//!
//! ```text
//!   corpus/  part 0, 1, 3        \                               corpus/  part 0, 1, 2, 3, 5
//!   worker-a/  part 2, its line   >  checksums, recipe, places             manifest.jsonl
//!   worker-b/  part 3, 5, 6 half /                               missing   4, 6      (6 is damaged)
//! ```
//!
//! A part is accepted if its file agrees with its line. KnownLines come from the manifests of all folders and from the
//! output of `run --json` where the part was made, so that a copy is compared with the original. The rows of a part without
//! a line are made again, and its bytes are compared with those that they give. If there are several files for a part,
//! the first good one is used, because good files are equal.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::atomic::{AtomicFile, create_folder, folder_of};
use super::distinct;
use super::error::{CorpusError, Result};
use super::folder::{Folder, check_header, parts_in};
use super::layout::files_in;
use super::manifest::{Entry, Manifest};
use super::part::{Fault, inspect, part_of_name, steps_path};
use super::produce::gaps;
use super::progress::{Progress, StopFlag};
use super::recipe::Recipe;
use super::verify::Problem;
use super::workers::Workers;

/// Options of [`merge`].
#[derive(Clone, Debug, Default)]
pub struct MergeOptions {
    /// Folders with parts that were made elsewhere. Missing parts are copied from them.
    pub sources: Vec<PathBuf>,
    /// KnownLines that `run --json` printed where the parts were made.
    pub lines: Vec<Entry>,
    /// Do not read parts whose size agrees with the manifest.
    pub quick: bool,
    /// Remove damaged parts from the corpus. The next run makes them again.
    pub drop_damaged: bool,
    /// The parts are out of reach, for example in an object store. Use their lines only.
    pub elsewhere: bool,
    /// The number of threads. None means one thread for each core.
    pub threads: Option<usize>,
}

/// The result of a merge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Parts of the corpus.
    pub parts: u64,
    /// Good parts in the folder.
    pub parts_good: u64,
    /// Their rows.
    pub rows: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Parts that were copied from other folders.
    pub parts_copied: u64,
    /// Damaged parts that were removed.
    pub parts_dropped: u64,
    /// Parts that are missing or damaged.
    pub missing: Vec<Range<u64>>,
    /// Problems of files and lines.
    pub problems: Vec<Problem>,
    /// True if it was stopped early.
    pub stopped: bool,
}

/// KnownLines by part, with the file that each was read from.
type KnownLines = BTreeMap<u64, (Entry, PathBuf)>;

#[derive(Default)]
struct CheckedPart {
    good: Option<Entry>,
    /// The line of a damaged file that is kept.
    damaged: Option<Entry>,
    copied: bool,
    dropped: bool,
    problems: Vec<Problem>,
}

struct Merging<'a> {
    recipe: &'a Recipe,
    folder: &'a Path,
    options: &'a MergeOptions,
    /// KnownLines of the corpus itself, for `quick`.
    own: BTreeMap<u64, Entry>,
    lines: KnownLines,
    /// Files in the sources, by part.
    files: BTreeMap<u64, Vec<PathBuf>>,
}

/// Makes a folder one verified corpus from its own parts and those of other folders.
///
/// # Errors
/// The folder is busy or holds another corpus; the system reports an error. Problems of parts are in the result.
pub fn merge(
    recipe: &Recipe,
    folder: &Path,
    options: &MergeOptions,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Merged> {
    let mut workers = Workers::new(options.threads)?;
    let held = match Folder::open(folder, true) {
        // Other processes make parts there. Parts that they finish later count next time.
        Err(CorpusError::Busy { .. }) => Folder::open(folder, false)?,
        held => held?,
    };
    let before = held.claim(recipe)?.parts;
    held.clean_below(recipe, &(0..recipe.parts()))?;
    let mut merged = Merged { parts: recipe.parts(), ..Merged::default() };
    let mut merging =
        Merging { recipe, folder, options, own: before.clone(), lines: KnownLines::new(), files: BTreeMap::new() };
    merging.gather(&mut merged.problems)?;
    let lines = merging.settle(&mut workers, progress, stop, &mut merged)?;
    if !merged.stopped {
        held.replace(recipe, &before, lines)?;
    }
    Ok(merged)
}

impl Merging<'_> {
    /// Collects lines and files of all folders.
    fn gather(&mut self, problems: &mut Vec<Problem>) -> Result<()> {
        let own: Vec<Entry> = self.own.values().cloned().collect();
        self.add_lines(own, &Manifest::path(self.folder), problems);
        self.own.retain(|part, entry| self.lines.get(part).is_some_and(|(line, _)| line == entry));
        self.add_lines(self.options.lines.clone(), Path::new("lines"), problems);
        for source in &self.options.sources {
            let path = Manifest::path(source);
            if let Some(manifest) = Manifest::read(source)? {
                check_header(source, &manifest.header, self.recipe)?;
                self.add_lines(manifest.parts.into_values().collect(), &path, problems);
            }
            for file in files_in(source)? {
                let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
                let part = part_of_name(name, self.recipe).filter(|part| *part < self.recipe.parts());
                part.into_iter().for_each(|part| self.files.entry(part).or_default().push(file.clone()));
            }
        }
        Ok(())
    }

    /// Adds lines. Two lines of a part must be equal, and all lines must belong to this recipe.
    fn add_lines(&mut self, entries: Vec<Entry>, from: &Path, problems: &mut Vec<Problem>) {
        for entry in entries {
            let part = entry.part;
            let mut wrong = |reason| problems.push(Problem { file: from.to_owned(), row: None, reason });
            let place = self.recipe.place(part);
            if part >= self.recipe.parts() || (entry.first_row, entry.rows) != (place.first_row, place.rows) {
                wrong(format!("part {part}: the recipe has no part with this number and these rows"));
                continue;
            }
            match self.lines.get(&part) {
                Some((known, place)) if known.blake3 != entry.blake3 || known.bytes != entry.bytes => {
                    wrong(format!("part {part}: its checksum differs from the one in {}", place.display()));
                }
                Some(_) => {}
                None => {
                    self.lines.insert(part, (entry, from.to_owned()));
                }
            }
        }
    }

    /// Checks all parts. Returns the lines of the manifest: those of good parts, and those of damaged parts that are
    /// kept.
    fn settle(
        &self,
        workers: &mut Workers,
        progress: &dyn Progress,
        stop: &StopFlag,
        merged: &mut Merged,
    ) -> Result<BTreeMap<u64, Entry>> {
        let recipe = self.recipe;
        let there = parts_in(self.folder, recipe, &(0..recipe.parts()))?;
        let mut lines = BTreeMap::new();
        let mut good = BTreeSet::new();
        // Only parts with a line or a file are looked at, because a recipe may have too many parts to enumerate.
        let known: BTreeSet<u64> = there.iter().chain(self.files.keys()).chain(self.lines.keys()).copied().collect();
        progress.begin(Some(recipe.count), 0);
        let work = |part| (part, self.part(part, there.contains(&part)));
        let ended = workers.run(known, stop, work, |found| {
            for (part, found) in found {
                let found = found?;
                merged.parts_copied += u64::from(found.copied);
                merged.parts_dropped += u64::from(found.dropped);
                merged.problems.extend(found.problems);
                if let Some(entry) = &found.good {
                    merged.parts_good += 1;
                    merged.rows += entry.rows;
                    merged.bytes += entry.bytes;
                    good.insert(part);
                }
                lines.extend(found.good.or(found.damaged).map(|entry| (part, entry)));
                progress.rows(recipe.place(part).rows);
            }
            Ok::<(), CorpusError>(())
        })?;
        if !ended {
            merged.stopped = true;
            return Ok(lines);
        }
        merged.missing = gaps(0..recipe.parts(), good.into_iter());
        if recipe.distinct && merged.missing.is_empty() && merged.problems.is_empty() && !self.options.elsewhere {
            merged.problems = distinct::problems(recipe, self.folder)?;
        }
        Ok(lines)
    }

    /// Checks one part: the file in its place, or the first good file elsewhere.
    fn part(&self, part: u64, there: bool) -> Result<CheckedPart> {
        let line = self.lines.get(&part).map(|(line, _)| line);
        let mut found = CheckedPart::default();
        if self.options.elsewhere {
            found.good = line.cloned();
            return Ok(found);
        }
        let target = self.folder.join(self.recipe.part_path(part));
        if there {
            found.good = self.judge(&target, part, line, true, &mut found)?;
        }
        let in_place = target.canonicalize().ok();
        for file in self.files.get(&part).into_iter().flatten() {
            if found.good.is_some() {
                break;
            }
            // A source may be this corpus itself.
            if in_place.is_some() && file.canonicalize().ok() == in_place {
                continue;
            }
            if let Some(entry) = self.judge(file, part, line, false, &mut found)? {
                if let Some(steps) = &entry.steps {
                    copy(&steps_path(file), &steps_path(&target), &steps.blake3)?;
                }
                copy(file, &target, &entry.blake3)?;
                found.copied = true;
                found.good = Some(entry);
            }
        }
        Ok(found)
    }

    /// The line of a file if it is good. A damaged file of the corpus is removed if this was requested.
    fn judge(
        &self,
        file: &Path,
        part: u64,
        line: Option<&Entry>,
        in_place: bool,
        found: &mut CheckedPart,
    ) -> Result<Option<Entry>> {
        if let Some(own) = self.own.get(&part).filter(|_| self.options.quick && in_place)
            && file.metadata().is_ok_and(|data| data.len() == own.bytes)
        {
            return Ok(Some(own.clone()));
        }
        let (reason, damaged) = match inspect(file, self.recipe, part, line, false) {
            Ok(Ok(entry)) => return Ok(Some(entry)),
            Ok(Err(Fault::Damaged(reason))) => (format!("damaged: {reason}"), true),
            Ok(Err(Fault::Foreign(difference))) => (format!("it belongs to another corpus ({difference})"), false),
            Err(error) => (error.to_string(), false),
        };
        if damaged && in_place && self.options.drop_damaged {
            std::fs::remove_file(file).map_err(CorpusError::io("remove", file))?;
            found.dropped = true;
        } else {
            found.damaged = if in_place { line.cloned() } else { found.damaged.take() };
            found.problems.push(Problem { file: file.to_owned(), row: None, reason });
        }
        Ok(None)
    }
}

/// Copies the file of a good part atomically, and compares the copy with its line.
fn copy(from: &Path, target: &Path, blake3: &str) -> Result<()> {
    let parent = folder_of(target);
    create_folder(parent).map_err(CorpusError::io("create the folder", parent))?;
    let file = AtomicFile::create(target).map_err(CorpusError::io("write", target))?;
    let mut input = File::open(from).map_err(CorpusError::io("open", from))?;
    io::copy(&mut input, &mut file.writer()).map_err(CorpusError::io("write", target))?;
    let copied = file.seal().map_err(CorpusError::io("write", target))?;
    if copied.written().blake3 != blake3 {
        return Err(CorpusError::file(from, "it was changed while it was copied"));
    }
    copied.publish().map(|_| ()).map_err(CorpusError::io("write", target))
}

/// Reads the output of `run --json`; `-` is standard input.
pub fn read_lines(path: &Path) -> Result<Vec<Entry>> {
    let input: Box<dyn Read> = match path == Path::new("-") {
        true => Box::new(io::stdin()),
        false => Box::new(File::open(path).map_err(CorpusError::io("open", path))?),
    };
    let mut entries = Vec::new();
    for (number, line) in (1..).zip(BufReader::new(input).lines()) {
        let line = line.map_err(CorpusError::io("read", path))?;
        if line.trim().is_empty() {
            continue;
        }
        let wrong = |error| CorpusError::file(path, format!("line {number}: {error}"));
        entries.push(serde_json::from_str(&line).map_err(wrong)?);
    }
    Ok(entries)
}
