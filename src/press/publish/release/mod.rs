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
//! Rows are read twice: first to find the side of each row and the copies, then to write them. Memory is 33 bytes per row;
//! with `neighbour`, all puzzles are in memory at once. No file has a date: the same corpus and options give the same
//! bytes.

mod card;

use std::borrow::Cow;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::PublishError;
use super::effort::Effort;
use super::split::{Apart, Sides, Split};
use sudoku_corpus_core::rate::Ladder;
use sudoku_corpus_store::corpus::{
    Analysis, CorpusError, Input, Metadata, OnError, Ratings, Record, RowSink, StepSink, StepsWanted, Want, Workers,
    create_folder, files_of, folder_of, sync_folder, write_file,
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
    /// The split; None for one side `train`.
    pub split: Option<Split>,
    /// Write the steps of every puzzle.
    pub steps: bool,
    /// Keep puzzles that are essentially the same as an earlier one.
    pub keep_copies: bool,
}

/// The result of a release.
#[derive(Clone, Debug, Default)]
pub struct Released {
    /// Name, rows, bytes and steps of each side.
    pub sides: Vec<Side>,
    /// Copies that were left out.
    pub copies: u64,
    /// Puzzles that were left out because they are not known to have one solution, and full grids.
    pub improper: u64,
    /// Rows that were left out because the split has no key for them.
    pub unknown: u64,
    /// Rows that were left out because they are too near to an earlier side.
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

/// One side of a release.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Side {
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
/// the thread pool of the caller, and bad rows are skipped: [`Effort::threads`] and [`Effort::on_error`] are not used.
///
/// # Errors
/// A folder that is not empty; a source that cannot be read; an error of the operating system;
/// [`PublishError::Stopped`].
pub fn release(
    sources: &[PathBuf],
    folder: &Path,
    wanted: &Release,
    effort: &Effort<'_>,
) -> Result<Released, PublishError> {
    let wrong = |error| PublishError::from(CorpusError::Io { doing: "write", path: folder.to_owned(), source: error });
    let folder = std::path::absolute(folder).map_err(wrong)?;
    if fs::read_dir(&folder).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(PublishError::Wish(format!("{}: the folder is not empty", folder.display())));
    }
    // The release is written beside its place and renamed at the end. So a folder with the final name is complete, and the
    // remains of a killed process are overwritten.
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let beside = folder.with_file_name(format!(".{name}.~sudoku-corpus~release"));
    drop(fs::remove_dir_all(&beside));
    create_folder(&beside).map_err(wrong)?;
    let made = release_into(sources, &beside, wanted, effort).and_then(|released| {
        let named = fs::rename(&beside, &folder).and_then(|()| sync_folder(folder_of(&folder)));
        named.map(|()| released).map_err(wrong)
    });
    if made.is_err() {
        drop(fs::remove_dir_all(&beside));
    }
    made
}

fn release_into(
    sources: &[PathBuf],
    folder: &Path,
    wanted: &Release,
    effort: &Effort<'_>,
) -> Result<Released, PublishError> {
    let files = sources.iter().map(|source| files_of(source)).collect::<Result<Vec<_>, _>>()?.concat();
    let split = wanted.split.clone().unwrap_or_else(whole);
    let mut released = Released::default();
    let places = sort_out(&files, &split, wanted, effort, &mut released)?;
    write_rows(&files, folder, &split, wanted, effort, &places, &mut released)?;
    recipes(&files, &mut released)?;
    card::write(folder, wanted, &split, &released)?;
    Ok(released)
}

/// The split with one side.
fn whole() -> Split {
    let sides: Result<Sides, _> = "train=1".parse();
    Split { sides: sides.unwrap_or_else(|error| unreachable!("{error}")), apart: Apart::Exact, seed: 0 }
}

/// Marks rows that are left out.
const OUT: u8 = u8::MAX;

/// Passes the rows of all files to `take`, in chunks. Rows without a class are analysed first. Bad rows are reported
/// and left out.
fn each_chunk(
    files: &[PathBuf],
    effort: &Effort<'_>,
    analysis: &Analysis,
    mut take: impl FnMut(Vec<Record>) -> Result<(), PublishError>,
) -> Result<(), PublishError> {
    let known = |record: Record| if record.class.is_some() { record } else { analysis.analyze(record) };
    let work = |row: Result<Record, CorpusError>| row.map(known);
    for file in files {
        let input = Input::open(file, Want::Everything).or_else(|_| Input::open(file, None))?;
        let ended = Workers::here().run(input, &effort.stop, work, |done| {
            effort.progress.rows(done.len() as u64);
            let rows = done.into_iter().filter_map(|row| OnError::Skip.sort(row, effort.progress).transpose());
            take(rows.collect::<Result<Vec<_>, _>>()?)
        })?;
        if !ended {
            return Err(PublishError::Stopped);
        }
    }
    Ok(())
}

/// The side of every row, or [`OUT`].
fn sort_out(
    files: &[PathBuf],
    split: &Split,
    wanted: &Release,
    effort: &Effort<'_>,
    released: &mut Released,
) -> Result<Vec<u8>, PublishError> {
    let quick = Analysis { ladder: None, ratings: Ratings::NONE, minimal: false, ..Analysis::default() };
    let mut places: Vec<u8> = Vec::new();
    let mut seen: HashSet<u128> = HashSet::new();
    // Neighbours can be found only among all puzzles together.
    let mut held: Vec<Record> = Vec::new();
    let mut held_places: Vec<usize> = Vec::new();
    effort.progress.begin(None, 0);
    each_chunk(files, effort, &quick, |records| {
        let keys: Vec<Option<u128>> = (&records).into_par_iter().map(|record| split.key(record)).collect();
        for (record, key) in records.into_iter().zip(keys) {
            let proper = record.solutions == Some(1) && record.solutions_exact == Some(true) && record.holes != Some(0);
            let copy = !wanted.keep_copies && proper && record.class.is_some_and(|class| !seen.insert(class));
            released.improper += u64::from(!proper);
            released.copies += u64::from(copy);
            match (proper && !copy, key) {
                (false, _) => places.push(OUT),
                (true, None) => {
                    released.unknown += 1;
                    places.push(OUT);
                }
                (true, Some(key)) => {
                    places.push(split.side_of(key) as u8);
                    if split.apart == Apart::Neighbour {
                        held_places.push(places.len() - 1);
                        held.push(record);
                    }
                }
            }
        }
        Ok(())
    })?;
    if split.apart == Apart::Neighbour {
        let division = split.divide(&held, |row| Cow::Borrowed(row));
        released.near = division.near;
        for (place, side) in held_places.into_iter().zip(division.side) {
            places[place] = side.map_or(OUT, |side| side as u8);
        }
    }
    Ok(places)
}

/// One side being written: files of [`SHARD`] rows each.
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
    split: &Split,
    wanted: &Release,
    effort: &Effort<'_>,
    places: &[u8],
    released: &mut Released,
) -> Result<(), PublishError> {
    for kind in ["puzzles", "steps"].iter().take(1 + usize::from(wanted.steps)) {
        let path = folder.join(kind);
        create_folder(&path).map_err(|source| CorpusError::Io { doing: "create", path, source })?;
    }
    let counts = |side: usize| places.iter().filter(|&&place| usize::from(place) == side).count() as u64;
    let shards = |(side, name): (usize, &str)| Shards {
        folder: folder.to_owned(),
        name: name.to_owned(),
        total: counts(side),
        steps: wanted.steps,
        written: 0,
        open: None,
        files: Vec::new(),
    };
    let mut sides: Vec<Shards> = split.sides.names().enumerate().map(shards).collect();
    let mut steps = vec![0; sides.len()];
    let ladder = Ladder::default();
    let with_steps = |record: Record| match record.puzzle.clone().filter(|_| wanted.steps) {
        None => record,
        Some(puzzle) => {
            let (_, steps) = StepsWanted::default().rate(&puzzle, &record, &ladder);
            Record { steps, ..record }
        }
    };
    let mut row = 0;
    effort.progress.begin(Some(places.len() as u64), 0);
    each_chunk(files, effort, &Analysis::default(), |records| {
        let first = row;
        row += records.len();
        let here: Vec<(u8, Record)> = places[first..row].iter().copied().zip(records).collect();
        let done: Vec<(u8, Record)> = here
            .into_par_iter()
            .filter(|(place, _)| *place != OUT)
            .map(|(place, record)| (place, with_steps(record)))
            .collect();
        for (place, record) in done {
            released.count(&record);
            steps[usize::from(place)] += record.steps.len() as u64;
            sides[usize::from(place)].write(record)?;
        }
        Ok(())
    })?;
    for (mut side, steps) in sides.into_iter().zip(steps) {
        side.close()?;
        let size = |path: &Path| fs::metadata(path).map_or(0, |data| data.len());
        let of_steps = |path: &PathBuf| folder.join("steps").join(path.file_name().unwrap_or_default());
        released.sides.push(Side {
            rows: side.written,
            bytes: side.files.iter().map(|path| size(path)).sum(),
            steps,
            step_bytes: side.files.iter().map(|path| size(&of_steps(path))).sum(),
            name: side.name,
        });
    }
    Ok(())
}

impl Released {
    /// Rows of all sides.
    pub fn rows(&self) -> u64 {
        self.sides.iter().map(|side| side.rows).sum()
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
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let format = match sudoku_corpus_store::corpus::FileFormat::of_name(name) {
            Some(sudoku_corpus_store::corpus::FileFormat::Parquet) => sudoku_corpus_store::corpus::PartFormat::Parquet,
            Some(sudoku_corpus_store::corpus::FileFormat::CsvZst) => sudoku_corpus_store::corpus::PartFormat::CsvZst,
            _ => continue,
        };
        let recipe = Metadata::read(file, format)?.and_then(|metadata| metadata.recipe);
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
    use sudoku_corpus_store::corpus::{Draft, OnError, ProduceOptions, Recipe, Silent, StopFlag, produce};

    fn corpus(folder: &Path) {
        let draft = Draft { count: Some(120), part_rows: Some(50), ..Draft::default() };
        let recipe = Recipe::new(&draft).unwrap();
        produce(&recipe, folder, &ProduceOptions::default(), &Silent, &StopFlag::new()).unwrap();
    }

    #[test]
    fn a_release_has_every_row_once_and_the_same_bytes_again() {
        let folder = tempfile::tempdir().unwrap();
        corpus(&folder.path().join("corpus"));
        let wanted = Release {
            title: "Puzzles".to_owned(),
            author: "A. Person".to_owned(),
            license: "cc0-1.0".to_owned(),
            split: Some(Split { sides: "train=0.7,test=0.3".parse().unwrap(), apart: Apart::Grid, seed: 0 }),
            steps: true,
            keep_copies: false,
        };
        let effort = Effort { threads: None, on_error: OnError::Fail, progress: &Silent, stop: StopFlag::new() };
        // The same source twice: all rows of the second are copies.
        let source = folder.path().join("corpus");
        let make = |name: &str| {
            let out = folder.path().join(name);
            (release(&[source.clone(), source.clone()], &out, &wanted, &effort).unwrap(), out)
        };
        let (released, out) = make("one");
        assert_eq!((released.rows(), released.copies, released.sides.len()), (120, 120, 2));
        assert!(released.sides.iter().all(|side| side.rows > 10 && side.steps > side.rows));
        let checksums = fs::read_to_string(out.join("CHECKSUMS.b3")).unwrap();
        assert_eq!(checksums.lines().count(), 7, "{checksums}");
        let card = fs::read_to_string(out.join("README.md")).unwrap();
        assert!(card.starts_with("---\n") && card.contains("license: cc0-1.0"), "{card}");
        let (_, again) = make("two");
        assert_eq!(fs::read_to_string(again.join("CHECKSUMS.b3")).unwrap(), checksums);
        assert!(
            release(std::slice::from_ref(&source), &out, &wanted, &effort).is_err(),
            "not into a folder with something in it"
        );
        let classes = |side: &str| -> HashSet<u128> {
            let path = out.join("puzzles").join(format!("{side}-00000-of-00001.parquet"));
            Input::open(&path, Want::Everything).unwrap().map(|row| row.unwrap().solution_class.unwrap()).collect()
        };
        assert!(classes("train").is_disjoint(&classes("test")));
    }
}
