//! One verified corpus out of parts made anywhere.
//!
//! ```text
//!   corpus/  part 0, 1, 3        \                               corpus/  part 0, 1, 2, 3, 5
//!   worker-a/  part 2, its line   >  checksums, recipe, places             manifest.jsonl
//!   worker-b/  part 3, 5, 6 half /                               missing   4, 6      (6 is damaged)
//! ```
//!
//! A part is taken when its file is as its line says. Lines come from the manifests of all folders and from what
//! `run --json` printed where the part was made, so that a copy is held against what was written. A part without any
//! line is read through instead, which finds holes and lost ends but not every flipped bit. Of several files for a part
//! the first good one counts: they are the same.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::atomic::{AtomicFile, create_folder, folder_of};
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

/// How to merge.
#[derive(Clone, Debug, Default)]
pub struct MergeOptions {
    /// Folders with parts that were made elsewhere; what the corpus lacks is copied from them.
    pub sources: Vec<PathBuf>,
    /// Lines that `run --json` printed where parts were made.
    pub lines: Vec<Entry>,
    /// Believe the manifest of the corpus about parts whose size is right.
    pub quick: bool,
    /// Remove damaged parts from the corpus, so that a run makes them again.
    pub drop_damaged: bool,
    /// The parts stand where this program cannot see them, as in an object store: believe their lines.
    pub elsewhere: bool,
    /// Threads; none for one a core.
    pub threads: Option<usize>,
}

/// What a corpus is made of after merging.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Parts that the recipe asks for.
    pub parts: u64,
    /// Parts that are there and good.
    pub parts_good: u64,
    /// Their rows.
    pub rows: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Parts that were copied from other folders.
    pub parts_copied: u64,
    /// Damaged parts that were removed.
    pub parts_dropped: u64,
    /// Parts that are not there, or not good.
    pub missing: Vec<Range<u64>>,
    /// What is wrong with files and lines.
    pub problems: Vec<Problem>,
    /// True when it was stopped before the end.
    pub stopped: bool,
}

/// Lines by part, with the file that each was read from.
type Lines = BTreeMap<u64, (Entry, PathBuf)>;

/// What was found out about one part.
#[derive(Default)]
struct CheckedPart {
    good: Option<Entry>,
    /// The line of a damaged file that stays in its place.
    damaged: Option<Entry>,
    copied: bool,
    dropped: bool,
    problems: Vec<Problem>,
}

/// What all steps need.
struct Merging<'a> {
    recipe: &'a Recipe,
    folder: &'a Path,
    options: &'a MergeOptions,
    /// Lines of the corpus itself: what `quick` believes.
    own: BTreeMap<u64, Entry>,
    lines: Lines,
    /// Files in the sources, by part.
    files: BTreeMap<u64, Vec<PathBuf>>,
}

/// Makes a folder one verified corpus: its own parts and those of other folders, held against their lines.
///
/// # Errors
/// A folder that is busy or holds another corpus; what the system says. What is wrong with parts is in the result.
pub fn merge(
    recipe: &Recipe,
    folder: &Path,
    options: &MergeOptions,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Merged> {
    let mut workers = Workers::new(options.threads)?;
    let held = match Folder::open(folder, true) {
        // Others make parts there: what they finish later counts next time.
        Err(CorpusError::Busy { .. }) => Folder::open(folder, false)?,
        held => held?,
    };
    let before = held.claim(recipe)?.parts;
    held.clean_below(recipe, &(0..recipe.parts()))?;
    let mut merged = Merged { parts: recipe.parts(), ..Merged::default() };
    let mut merging =
        Merging { recipe, folder, options, own: before.clone(), lines: Lines::new(), files: BTreeMap::new() };
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

    /// Takes lines in. Two lines of a part must say the same, and all must be of this recipe.
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

    /// Goes through all parts; gives the lines of the manifest: those of good parts, and those that tell what a
    /// damaged part in the folder should be.
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
        // Parts of which nothing is known are not looked for: a recipe may have more than anybody can count.
        let known: BTreeSet<u64> = there.iter().chain(self.files.keys()).chain(self.lines.keys()).copied().collect();
        let known: Vec<u64> = known.into_iter().collect();
        let mut next = 0;
        progress.begin(Some(recipe.count), 0);
        while next < known.len() {
            let parts = known[next..known.len().min(next + workers.chunk())].to_vec();
            next += parts.len();
            let Some(found) = workers.work(parts.clone(), stop, |part| self.part(part, there.contains(&part))) else {
                merged.stopped = true;
                return Ok(lines);
            };
            for (part, found) in parts.iter().copied().zip(found) {
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
            }
            progress.rows(parts.into_iter().map(|part| recipe.place(part).rows).sum());
        }
        merged.missing = gaps(0..recipe.parts(), good.into_iter());
        Ok(lines)
    }

    /// One part: the file in its place, or the first good one elsewhere.
    fn part(&self, part: u64, there: bool) -> Result<CheckedPart> {
        let line = self.lines.get(&part).map(|(line, _)| line);
        let mut found = CheckedPart::default();
        if self.options.elsewhere {
            found.good = line.cloned();
            return Ok(found);
        }
        let target = self.folder.join(self.recipe.part_path(part));
        if there {
            found.good = self.judge(&target, part, line, &mut found)?;
        }
        for file in self.files.get(&part).into_iter().flatten() {
            if found.good.is_some() {
                break;
            }
            if let Some(entry) = self.judge(file, part, line, &mut found)? {
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

    /// The line of a file if it is good. A damaged one in the corpus is removed when that is asked for.
    fn judge(&self, file: &Path, part: u64, line: Option<&Entry>, found: &mut CheckedPart) -> Result<Option<Entry>> {
        let in_place = file.starts_with(self.folder);
        if let Some(own) = self.own.get(&part).filter(|_| self.options.quick && in_place)
            && file.metadata().is_ok_and(|data| data.len() == own.bytes)
        {
            return Ok(Some(own.clone()));
        }
        let (reason, damaged) = match inspect(file, self.recipe, part, line) {
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

/// Copies a file of a good part to its place, whole or not at all, and holds what was written against its line.
fn copy(from: &Path, target: &Path, blake3: &str) -> Result<()> {
    let parent = folder_of(target);
    create_folder(parent).map_err(CorpusError::io("create the folder", parent))?;
    let file = AtomicFile::create(target).map_err(CorpusError::io("write", target))?;
    let mut input = File::open(from).map_err(CorpusError::io("open", from))?;
    let mut buffer = vec![0; 1 << 18];
    let mut hash = blake3::Hasher::new();
    loop {
        let read = input.read(&mut buffer).map_err(CorpusError::io("read", from))?;
        if read == 0 {
            break;
        }
        hash.update(&buffer[..read]);
        file.writer().write_all(&buffer[..read]).map_err(CorpusError::io("write", target))?;
    }
    if hash.finalize().to_hex().as_str() != blake3 {
        return Err(CorpusError::file(from, "it was changed while it was copied"));
    }
    file.finish().map(|_| ()).map_err(CorpusError::io("write", target))
}

/// Reads lines that `run --json` printed; `-` is the standard input.
///
/// # Errors
/// What the system says; the number of a line that is not of this form.
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
