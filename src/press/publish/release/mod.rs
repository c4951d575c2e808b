//! Releases: a corpus as a data set with a card and checksums.
//!
//! ```text
//!   FOLDER/README.md                          the card: YAML header for `datasets`, then text for readers
//!         /puzzles/train-00000-of-00002.parquet   every column of the rows, by split
//!         /steps/train-00000-of-00002.parquet     if steps were asked for
//!         /CHECKSUMS.b3                       BLAKE3 of every other file, as `b3sum --check` reads it
//!         /CITATION.cff  /recipe.toml
//! ```
//!
//! Rows are read twice: first to find the split of each row and the copies, then to write them. Memory is 33 bytes per row;
//! with `neighbour`, all puzzles are in memory at once. No file has a date: the same corpus and options give the same
//! bytes.

mod card;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::PublishError;
use super::request::Job;
use super::split::{Apart, Splitter};
use sudoku_corpus_core::rate::Ladder;
use sudoku_corpus_store::corpus::{
    Analysis, CorpusError, Input, Metadata, OnError, Progress, Ratings, Record, RowSink, Silent, StepSink, StepsWanted,
    TempFolder, Want, Workers, create_folder, files_of, folder_of, sync_folder, write_file,
};
use sudoku_corpus_store::study::Summary;

/// The request for a release.
#[derive(Clone, Debug)]
pub struct Release {
    /// The name of the data set.
    pub title: String,
    /// Who made it; may be empty.
    pub author: String,
    /// An SPDX identifier in small letters, as the card's header wants it: cc0-1.0, cc-by-4.0, mit.
    pub license: String,
    /// The splits; None for one, `train`.
    pub splitter: Option<Splitter>,
    /// Write the steps of every puzzle.
    pub steps: bool,
    /// Keep puzzles that are essentially the same as an earlier one.
    pub keep_copies: bool,
}

/// The result of a release.
#[derive(Clone, Debug, Default)]
pub struct Released {
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
}

/// The files of a split.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SplitFiles {
    /// Its name.
    pub name: String,
    /// Rows.
    pub rows: u64,
    /// Bytes of its files of rows.
    pub bytes: u64,
    /// Steps of its puzzles.
    pub steps: u64,
    /// Bytes of its files of steps.
    pub step_bytes: u64,
}

/// The most rows of a file.
const SHARD: u64 = 1_000_000;

/// Releases corpora and files of rows into a folder, which is created; if it exists, it must be empty. The work runs in
/// the thread pool of the caller, and bad rows are skipped: [`Job::threads`] and [`Job::on_error`] are not used.
///
/// # Errors
/// A folder that is not empty; a source that cannot be read; an error of the operating system;
/// [`PublishError::Stopped`].
pub fn release(sources: &[PathBuf], folder: &Path, request: &Release, job: &Job<'_>) -> Result<Released, PublishError> {
    let wrong = |error| PublishError::from(CorpusError::Io { doing: "write", path: folder.to_owned(), source: error });
    let folder = std::path::absolute(folder).map_err(wrong)?;
    let is_full = || fs::read_dir(&folder).is_ok_and(|mut entries| entries.next().is_some());
    let full = || PublishError::Request(format!("{}: the folder is not empty", folder.display()));
    if is_full() {
        return Err(full());
    }
    // The release is written in a temporary folder of its own and renamed at the end. So a folder with the final name is
    // complete, and two releases at the same time do not meet.
    create_folder(folder_of(&folder)).map_err(wrong)?;
    let temporary = TempFolder::beside(&folder).map_err(wrong)?;
    let made = temporary.path().join("release");
    create_folder(&made).map_err(wrong)?;
    let released = release_into(sources, &made, request, job)?;
    match fs::rename(&made, &folder) {
        Err(_) if is_full() => Err(full()),
        renamed => renamed.and_then(|()| sync_folder(folder_of(&folder))).map(|()| released).map_err(wrong),
    }
}

fn release_into(
    sources: &[PathBuf],
    folder: &Path,
    request: &Release,
    job: &Job<'_>,
) -> Result<Released, PublishError> {
    let files = sources.iter().map(|source| files_of(source)).collect::<Result<Vec<_>, _>>()?.concat();
    let splitter = request.splitter.clone().map_or_else(whole, Ok)?;
    let mut released = Released::default();
    let places = sort_out(&files, &splitter, request, job, &mut released)?;
    write_rows(&files, folder, &splitter, request, job, &places, &mut released)?;
    recipes(&files, &mut released)?;
    card::write(folder, request, &splitter, &released)?;
    Ok(released)
}

/// One split.
fn whole() -> Result<Splitter, PublishError> {
    Ok(Splitter { splits: "train=1".parse()?, apart: Apart::Exact, seed: 0 })
}

/// Marks rows that are left out.
const OUT: u8 = u8::MAX;

/// Passes the rows of all files to `take`, in chunks. Rows without a class are analysed first. Bad rows are reported to
/// `bad` and left out.
fn each_chunk(
    files: &[PathBuf],
    job: &Job<'_>,
    analysis: &Analysis,
    bad: &dyn Progress,
    mut take: impl FnMut(Vec<Record>) -> Result<(), PublishError>,
) -> Result<(), PublishError> {
    let known = |record: Record| if record.class.is_some() { record } else { analysis.analyze(record) };
    let work = |row: Result<Record, CorpusError>| row.map(known);
    for file in files {
        let input = Input::open(file, Want::Most)?;
        let ended = Workers::here().run(input, &job.stop, work, |done| {
            job.progress.rows(done.len() as u64);
            let rows = done.into_iter().filter_map(|row| OnError::Skip.sort(row, bad).transpose());
            take(rows.collect::<Result<Vec<_>, _>>()?)
        })?;
        if !ended {
            return Err(PublishError::Stopped);
        }
    }
    Ok(())
}

/// The split of every row, or [`OUT`].
fn sort_out(
    files: &[PathBuf],
    splitter: &Splitter,
    request: &Release,
    job: &Job<'_>,
    released: &mut Released,
) -> Result<Vec<u8>, PublishError> {
    let quick = Analysis { ladder: None, ratings: Ratings::NONE, minimal: false, ..Analysis::default() };
    let mut places: Vec<u8> = Vec::new();
    let mut seen: HashSet<u128> = HashSet::new();
    // Neighbours can be found only among all puzzles together.
    let mut held: Vec<(usize, Record)> = Vec::new();
    job.progress.begin(None, 0);
    each_chunk(files, job, &quick, job.progress, |records| {
        let keys: Vec<Option<u128>> = (&records).into_par_iter().map(|record| splitter.key(record)).collect();
        for (record, key) in records.into_iter().zip(keys) {
            let proper = record.solutions == Some(1) && record.solutions_exact == Some(true) && record.holes != Some(0);
            let copy = !request.keep_copies && proper && record.class.is_some_and(|class| !seen.insert(class));
            let taken = proper && !copy;
            released.improper += u64::from(!proper);
            released.copies += u64::from(copy);
            released.unknown += u64::from(taken && key.is_none());
            places.push(key.filter(|_| taken).map_or(OUT, |key| splitter.split_of(key) as u8));
            if splitter.apart == Apart::Neighbour && places.last() != Some(&OUT) {
                held.push((places.len() - 1, record));
            }
        }
        Ok(())
    })?;
    if splitter.apart == Apart::Neighbour {
        let division = splitter.divide(&held, |(_, record)| record.clone());
        released.near = division.near;
        for ((place, _), split) in held.into_iter().zip(division.split) {
            places[place] = split.map_or(OUT, |split| split as u8);
        }
    }
    Ok(places)
}

/// A split being written: files of [`SHARD`] rows each.
struct Shards {
    folder: PathBuf,
    name: String,
    total: u64,
    steps: bool,
    written: u64,
    open: Option<RowSink>,
    files: Vec<PathBuf>,
}

impl Shards {
    fn path(&self, kind: &str) -> PathBuf {
        let of = self.total.div_ceil(SHARD).max(1);
        let file = format!("{}-{:05}-of-{of:05}.parquet", self.name, self.written / SHARD);
        self.folder.join(kind).join(file)
    }

    fn write(&mut self, record: Record) -> Result<(), PublishError> {
        if self.open.is_none() {
            let path = self.path("puzzles");
            let mut sink = RowSink::create(&path, None)?;
            self.files.push(path);
            if self.steps {
                sink = sink.with_steps(StepSink::create(&self.path("steps"))?);
            }
            self.open = Some(sink);
        }
        if let Some(sink) = &mut self.open {
            sink.write(record)?;
        }
        self.written += 1;
        if self.written.is_multiple_of(SHARD) { self.close() } else { Ok(()) }
    }

    fn close(&mut self) -> Result<(), PublishError> {
        self.open.take().map(RowSink::finish).transpose()?;
        Ok(())
    }
}

fn write_rows(
    files: &[PathBuf],
    folder: &Path,
    splitter: &Splitter,
    request: &Release,
    job: &Job<'_>,
    places: &[u8],
    released: &mut Released,
) -> Result<(), PublishError> {
    for kind in ["puzzles", "steps"].iter().take(1 + usize::from(request.steps)) {
        let path = folder.join(kind);
        create_folder(&path).map_err(|source| CorpusError::Io { doing: "create", path, source })?;
    }
    let shards = |(split, name): (usize, &str)| Shards {
        folder: folder.to_owned(),
        name: name.to_owned(),
        total: places.iter().filter(|&&place| usize::from(place) == split).count() as u64,
        steps: request.steps,
        written: 0,
        open: None,
        files: Vec::new(),
    };
    let mut splits: Vec<Shards> = splitter.splits.names().enumerate().map(shards).collect();
    let mut steps = vec![0; splits.len()];
    let ladder = Ladder::default();
    let with_steps = |record: Record| match record.puzzle.clone().filter(|_| request.steps) {
        None => record,
        Some(puzzle) => {
            let (_, steps) = StepsWanted::default().rate(&puzzle, &record, &ladder);
            Record { steps, ..record }
        }
    };
    let mut row = 0;
    job.progress.begin(Some(places.len() as u64), 0);
    each_chunk(files, job, &Analysis::default(), &Silent, |records| {
        let first = row;
        row += records.len();
        let here: Vec<(u8, Record)> = places[first..row].iter().copied().zip(records).collect();
        let here = here.into_par_iter().filter(|(place, _)| *place != OUT);
        let done: Vec<(u8, Record)> = here.map(|(place, record)| (place, with_steps(record))).collect();
        for (place, record) in done {
            released.count(&record);
            steps[usize::from(place)] += record.steps.len() as u64;
            splits[usize::from(place)].write(record)?;
        }
        Ok(())
    })?;
    for (mut split, steps) in splits.into_iter().zip(steps) {
        split.close()?;
        let size = |path: &Path| fs::metadata(path).map_or(0, |data| data.len());
        let of_steps = |path: &PathBuf| folder.join("steps").join(path.file_name().unwrap_or_default());
        released.splits.push(SplitFiles {
            rows: split.written,
            bytes: split.files.iter().map(|path| size(path)).sum(),
            steps,
            step_bytes: split.files.iter().map(|path| size(&of_steps(path))).sum(),
            name: split.name,
        });
    }
    Ok(())
}

impl Released {
    /// Rows of all splits.
    pub fn rows(&self) -> u64 {
        self.splits.iter().map(|split| split.rows).sum()
    }

    fn count(&mut self, record: &Record) {
        self.summary.add(record);
        self.tries += record.tries.unwrap_or(0);
        if self.samples.len() < 3 {
            self.samples.push(Record { steps: Vec::new(), ..record.clone() });
        }
    }
}

/// The recipes that the parts carry.
fn recipes(files: &[PathBuf], released: &mut Released) -> Result<(), PublishError> {
    for file in files {
        let recipe = Metadata::of_file(file)?.and_then(|metadata| metadata.recipe);
        released.recipes.extend(recipe.filter(|recipe| !released.recipes.contains(recipe)));
    }
    Ok(())
}

/// Writes a text of the release.
fn write_text(path: &Path, text: &str) -> Result<(), PublishError> {
    let wrong = |source| CorpusError::Io { doing: "write", path: path.to_owned(), source };
    Ok(write_file(path, text.as_bytes()).map_err(wrong)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudoku_corpus_store::corpus::{Draft, ProduceOptions, Recipe, Silent, StopFlag, produce};

    fn corpus(folder: &Path) {
        let draft = Draft { count: Some(120), part_rows: Some(50), ..Draft::default() };
        let recipe = Recipe::new(&draft).unwrap();
        produce(&recipe, folder, &ProduceOptions::default(), &Silent, &StopFlag::new()).unwrap();
    }

    #[test]
    fn a_release_has_every_row_once_and_the_same_bytes_again() {
        let folder = tempfile::tempdir().unwrap();
        corpus(&folder.path().join("corpus"));
        let request = Release {
            title: "Puzzles".to_owned(),
            author: "A. Person".to_owned(),
            license: "cc0-1.0".to_owned(),
            splitter: Some(Splitter { splits: "train=0.7,test=0.3".parse().unwrap(), apart: Apart::Grid, seed: 0 }),
            steps: true,
            keep_copies: false,
        };
        let job = Job::default();
        // The same source twice: all rows of the second are copies.
        let source = folder.path().join("corpus");
        let make = |name: &str| {
            let out = folder.path().join(name);
            (release(&[source.clone(), source.clone()], &out, &request, &job).unwrap(), out)
        };
        let (released, out) = make("one");
        assert_eq!((released.rows(), released.copies, released.splits.len()), (120, 120, 2));
        assert!(released.splits.iter().all(|split| split.rows > 10 && split.steps > split.rows));
        let checksums = fs::read_to_string(out.join("CHECKSUMS.b3")).unwrap();
        assert_eq!(checksums.lines().count(), 7, "{checksums}");
        let card = fs::read_to_string(out.join("README.md")).unwrap();
        assert!(card.starts_with("---\n") && card.contains("license: cc0-1.0"), "{card}");
        let (_, again) = make("two");
        assert_eq!(fs::read_to_string(again.join("CHECKSUMS.b3")).unwrap(), checksums);
        assert!(
            release(std::slice::from_ref(&source), &out, &request, &job).is_err(),
            "not into a folder with something in it"
        );
        let classes = |split: &str| -> HashSet<u128> {
            let path = out.join("puzzles").join(format!("{split}-00000-of-00001.parquet"));
            Input::open(&path, Want::Everything).unwrap().map(|row| row.unwrap().solution_class.unwrap()).collect()
        };
        assert!(classes("train").is_disjoint(&classes("test")));
    }

    #[test]
    fn two_releases_at_once_do_not_mix_and_long_runs_of_bad_lines_end_nothing() {
        let folder = tempfile::tempdir().unwrap();
        corpus(&folder.path().join("corpus"));
        let source = folder.path().join("puzzles.txt");
        let part = files_of(&folder.path().join("corpus")).unwrap().remove(0);
        let rows = Input::open(&part, Want::Everything).unwrap();
        let good: Vec<String> = rows.map(|row| row.unwrap().puzzle.unwrap().to_string()).collect();
        fs::write(&source, format!("{}\n{}{}\n", good[0], "wrong\n".repeat(9_000), good[1..].join("\n"))).unwrap();
        let out = folder.path().join("out");
        let one = |steps: bool| {
            let (title, license) = ("Puzzles".to_owned(), "mit".to_owned());
            let request = Release { title, author: String::new(), license, splitter: None, steps, keep_copies: false };
            release(std::slice::from_ref(&source), &out, &request, &Job::default())
        };
        let made = std::thread::scope(|scope| {
            let both = [false, true].map(|steps| scope.spawn(move || one(steps)));
            both.map(|thread| thread.join().unwrap())
        });
        let refused: Vec<String> = made.iter().filter_map(|made| Some(made.as_ref().err()?.to_string())).collect();
        assert!(refused.len() == 1 && refused[0].ends_with("out: the folder is not empty"), "{refused:?}");
        assert_eq!(made.iter().flatten().map(Released::rows).collect::<Vec<_>>(), [50]);
        for line in fs::read_to_string(out.join("CHECKSUMS.b3")).unwrap().lines() {
            let (sum, name) = line.split_once("  ").unwrap();
            assert_eq!(blake3::hash(&fs::read(out.join(name)).unwrap()).to_hex().as_str(), sum, "{name}");
        }
        // Only the sources and the release are left.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    }
}
