//! Writes a release: sorts the rows into splits, and writes them and what describes them.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::publish::choice::split::{Apart, Splitter};
use crate::publish::error::PublishError;
use crate::publish::release::data::{CHECKSUMS, KINDS, Release, Released, SHA_CHECKSUMS, SplitFiles};
use crate::publish::release::license::License;
use crate::publish::release::{card, made};
use sudoku_corpus_core::page::numbers::grouped;
use sudoku_corpus_core::rate::Ladder;
use sudoku_corpus_store::corpus::sorter::{Sorter, words_of};
use sudoku_corpus_store::corpus::{
    Analysis, COLUMNS, CorpusError, Input, Job, Metadata, NewFolder, OnError, Progress, Ratings, Record, RowSink,
    STOCK_FILE, Silent, StepSink, StepTexts, StepsWanted, Unread, Want, Workers, copy_columns, create_folder, files_of,
    read_again,
};

/// The most rows of a file.
const SHARD: u64 = 1_000_000;

/// Bytes of classes in memory.
const ROOM: usize = 1 << 22;

/// Releases corpora and files of rows into a folder, which is created; if it exists, it must be empty, or hold a
/// release that may be replaced and nothing else. The work runs in the thread pool of the caller, and bad rows are
/// skipped: [`Job::threads`] and [`Job::on_error`] are not used.
///
/// # Errors
/// A folder that is not empty; a source that cannot be read; an error of the operating system;
/// [`PublishError::Stopped`].
pub fn release(sources: &[PathBuf], folder: &Path, request: &Release, job: &Job<'_>) -> Result<Released, PublishError> {
    let splitter = request.splitter()?;
    let license = License::new(&request.license, request.license_file.as_deref()).map_err(PublishError::Request)?;
    let folder = NewFolder::beside(folder, request.force.then_some(own_files))?;
    let released = Released { license, ..Released::default() };
    let released = release_into(sources, &folder.path(), request, &splitter, released, job)?;
    folder.publish()?;
    Ok(released)
}

/// The files of a release, by its checksums.
fn own_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let text = fs::read_to_string(folder.join(CHECKSUMS))?;
    let listed = text.lines().filter_map(|line| line.split_once("  ")).map(|(_, name)| name);
    Ok(listed.chain([SHA_CHECKSUMS, CHECKSUMS]).map(PathBuf::from).collect())
}

/// Writes the release into a folder; `released` has what was counted in the first pass.
fn release_into(
    sources: &[PathBuf],
    folder: &Path,
    request: &Release,
    splitter: &Splitter,
    mut released: Released,
    job: &Job<'_>,
) -> Result<Released, PublishError> {
    let files = sources.iter().map(|source| files_of(source)).collect::<Result<Vec<_>, _>>()?.concat();
    let mut copies = None;
    let files = read_again(files, &mut copies)?;
    let names: Vec<&str> = splitter.splits.names().collect();
    let control = request.control.as_ref().map(|name| {
        let place = names.iter().skip(1).position(|split| split == name).map(|at| at + 1);
        place.ok_or_else(|| PublishError::Request(format!("control: '{name}' is not a split after the first")))
    });
    if names.contains(&made::PROBES) && request.probes > 0 {
        return Err(PublishError::Request(format!(
            "the name of the split '{}' is needed for the probes",
            made::PROBES
        )));
    }
    let own =
        OwnSplits { control: control.transpose()?, source: names.iter().position(|name| *name == "test").unwrap_or(0) };
    let places = sort_out(&files, folder, splitter, job, &mut released)?;
    write_rows(&files, folder, splitter, request, job, (&places, own), &mut released)?;
    recipes(&files, &mut released)?;
    for (grids, short) in sources.iter().filter_map(|source| stock(source)) {
        released.tries += grids;
        released.short.extend(short);
    }
    card::write(folder, request, splitter, &released)?;
    Ok(released)
}

/// Marks rows that are left out.
const OUT: u8 = u8::MAX;

/// Works on the rows of all files in parallel, by their numbers. `take` gets the results in order, and none for a bad
/// row, which is reported to `bad`. Rows without a class are analysed first.
fn each_row<T: Send>(
    files: &[PathBuf],
    job: &Job<'_>,
    analysis: &Analysis,
    bad: &dyn Progress,
    work: impl Fn(usize, Record) -> T + Sync + Send,
    mut take: impl FnMut(Option<T>) -> Result<(), PublishError>,
) -> Result<(), PublishError> {
    let known = |record: Record| if record.class.is_some() { record } else { analysis.analyze(record) };
    let rows = files.iter().flat_map(|file| -> Box<dyn Iterator<Item = Result<Unread, CorpusError>>> {
        match Input::open(file, Want::Most) {
            Ok(input) => Box::new(input.unread().map(Ok)),
            Err(error) => Box::new(std::iter::once(Err(error))),
        }
    });
    let read = |(number, row): (usize, Result<Unread, CorpusError>)| Ok(work(number, known(row?.read()?)));
    let ended = Workers::here().run(rows.enumerate(), &job.stop, read, |done| {
        job.progress.rows(done.len() as u64);
        done.into_iter().try_for_each(|row| take(OnError::Skip.sort(row, bad)?))
    })?;
    if ended { Ok(()) } else { Err(PublishError::Stopped) }
}

/// The split of every row, or [`OUT`]. The folder is for a temporary file.
fn sort_out(
    files: &[PathBuf],
    folder: &Path,
    splitter: &Splitter,
    job: &Job<'_>,
    released: &mut Released,
) -> Result<Vec<u8>, PublishError> {
    let quick = Analysis { ladder: None, ratings: Ratings::NONE, minimal: false, ..Analysis::default() };
    // One for each row, good or bad.
    let mut places: Vec<u8> = Vec::new();
    // The class and the number of each row that may be a copy.
    let mut classes = Sorter::new(folder, ROOM);
    // Neighbours can be found only among all puzzles together.
    let mut held: Vec<(usize, Record)> = Vec::new();
    job.progress.begin(None, 0);
    let sorted = |_, record: Record| {
        let proper = record.solutions == Some(1) && record.solutions_exact == Some(true) && record.holes != Some(0);
        let (class, key) = (record.class, splitter.key(&record));
        let place = key.filter(|_| proper).map_or(OUT, |key| splitter.split_of(key) as u8);
        let record = (splitter.apart == Apart::Neighbour && place != OUT).then_some(record);
        (proper, class, key, place, record)
    };
    each_row(files, job, &quick, job.progress, sorted, |row| {
        let Some((proper, class, key, place, record)) = row else {
            places.push(OUT);
            return Ok(());
        };
        if let Some(class) = class.filter(|_| proper) {
            classes.push(&[&class.to_be_bytes(), &(places.len() as u64).to_be_bytes()])?;
        }
        released.improper += u64::from(!proper);
        released.unknown += u64::from(proper && key.is_none());
        held.extend(record.map(|record| (places.len(), record)));
        places.push(place);
        Ok(())
    })?;
    // The first row of each class stays.
    let (mut classes, mut last) = (classes.finish()?, None);
    while let Some(record) = classes.advance()? {
        let [high, low, row] = words_of(record);
        if last.replace([high, low]) == Some([high, low]) {
            let place = std::mem::replace(&mut places[row as usize], OUT);
            // Proper rows that are out were counted as unknown.
            released.unknown -= u64::from(place == OUT);
            released.copies += 1;
        }
    }
    held.retain(|(at, _)| places[*at] != OUT);
    if splitter.apart == Apart::Neighbour {
        let at: Vec<usize> = held.iter().map(|(at, _)| *at).collect();
        let division = splitter.divide(held.into_iter().map(Ok::<_, PublishError>), |(_, record)| record)?;
        released.near = division.near;
        for (place, split) in at.into_iter().zip(division.split) {
            places[place] = split.unwrap_or(OUT);
        }
    }
    Ok(places)
}

/// The splits for rows that the release makes: where leaks go, and where probes come from.
#[derive(Clone, Copy)]
struct OwnSplits {
    /// The split that gets leaks.
    control: Option<usize>,
    /// The split whose puzzles become probes.
    source: usize,
}

/// A split being written: files of [`SHARD`] rows each. Names tell how many there are, so files get them last.
struct Shards {
    folder: PathBuf,
    name: String,
    /// Steps and hints are written too.
    steps: bool,
    /// The rows so far.
    written: u64,
    /// The file that is being written: rows with steps of the ladder, and hints.
    open: Option<(RowSink, Option<StepSink>)>,
    /// Columns that have a value in some row.
    columns: BTreeSet<String>,
}

/// A row with the hints of Sudoku Explainer.
struct Row {
    record: Record,
    hints: StepTexts,
}

impl Shards {
    /// A split without rows. `steps`: its rows get files of steps and of hints.
    fn new(folder: &Path, name: &str, steps: bool) -> Shards {
        Shards {
            folder: folder.to_owned(),
            name: name.to_owned(),
            steps,
            written: 0,
            open: None,
            columns: BTreeSet::new(),
        }
    }

    /// The final name of a file; all rows are written.
    fn path(&self, kind: &str, shard: u64) -> PathBuf {
        let of = self.written.div_ceil(SHARD).max(1);
        self.folder.join(kind).join(format!("{}-{shard:05}-of-{of:05}.parquet", self.name))
    }

    /// A file that has no name yet.
    fn draft(&self, kind: &str, shard: u64) -> PathBuf {
        self.folder.join(kind).join(format!("{}-{shard}.parquet", self.name))
    }

    /// Writes a row, in a new file after every [`SHARD`] rows.
    fn write(&mut self, Row { record, hints }: Row) -> Result<(), PublishError> {
        if self.open.is_none() {
            let shard = self.written / SHARD;
            let rows = RowSink::with_outside(&self.draft(KINDS[0], shard), None, &made::columns())?;
            self.open = Some(match self.steps {
                false => (rows, None),
                true => (
                    rows.with_steps(StepSink::create(&self.draft(KINDS[1], shard))?),
                    Some(StepSink::create(&self.draft(KINDS[2], shard))?),
                ),
            });
        }
        if let Some((rows, explained)) = &mut self.open {
            if let Some(explained) = explained {
                explained.write(&mut Record { steps: hints, ..named(&record) })?;
            }
            rows.write(record)?;
        }
        self.written += 1;
        if self.written.is_multiple_of(SHARD) { self.close() } else { Ok(()) }
    }

    /// Ends the file that is being written, and notes which columns have values.
    fn close(&mut self) -> Result<(), PublishError> {
        if let Some((mut rows, hints)) = self.open.take() {
            let names = COLUMNS.iter().map(|column| column.name.as_ref()).chain(made::COLUMNS.map(|(name, _)| name));
            let (names, filled): (Vec<&str>, _) = (names.collect(), rows.filled().unwrap_or_default());
            self.columns.extend(filled.into_iter().map(|at| names[at].to_owned()));
            rows.finish()?;
            hints.map(StepSink::finish).transpose()?;
        }
        Ok(())
    }

    /// Gives the files their names, and leaves out columns without values. Returns the bytes of each kind.
    fn name(self, columns: &BTreeSet<String>) -> Result<[u64; 3], PublishError> {
        let mut bytes = [0; 3];
        for shard in 0..self.written.div_ceil(SHARD) {
            for (kind, bytes) in KINDS.into_iter().zip(&mut bytes).take(if self.steps { 3 } else { 1 }) {
                let (draft, path) = (self.draft(kind, shard), self.path(kind, shard));
                let wrong = |source| CorpusError::Io { doing: "rename", path: draft.clone(), source };
                if kind == KINDS[0] {
                    copy_columns(&draft, &path, &made::columns(), &|name| columns.contains(name))?;
                    fs::remove_file(&draft).map_err(wrong)?;
                } else {
                    fs::rename(&draft, &path).map_err(wrong)?;
                }
                *bytes += fs::metadata(&path).map_err(wrong)?.len();
            }
        }
        Ok(bytes)
    }
}

/// What files of steps have of a row.
fn named(record: &Record) -> Record {
    Record { index: record.index, shape: record.shape, class: record.class, ..Record::default() }
}

/// The second pass: writes each row into its split, and then the rows that the release makes itself, leaks and probes.
/// `places` has the split of each row, or [`OUT`]. `released` gets the counts.
///
/// # Errors
/// The sources have changed since the first pass; a file cannot be read or written.
fn write_rows(
    files: &[PathBuf],
    folder: &Path,
    splitter: &Splitter,
    request: &Release,
    job: &Job<'_>,
    (places, own): (&[u8], OwnSplits),
    released: &mut Released,
) -> Result<(), PublishError> {
    for kind in KINDS.into_iter().take(if request.steps { 3 } else { 1 }) {
        let path = folder.join(kind);
        create_folder(&path).map_err(|source| CorpusError::Io { doing: "create", path, source })?;
    }
    let rows_of = |split: usize| places.iter().filter(|&&place| usize::from(place) == split).count() as u64;
    let names = splitter.splits.names().chain((request.probes > 0).then_some(made::PROBES));
    let mut splits: Vec<Shards> = names.map(|name| Shards::new(folder, name, request.steps)).collect();
    // For each split the numbers of rows, steps and hints written, and the number of rows read so far.
    let (mut rows, mut at) = (vec![[0; 3]; splits.len()], vec![0; splits.len()]);
    let ladder = Ladder::default();
    let with_steps = |record: Record| {
        let puzzle = record.puzzle.as_ref().filter(|_| request.steps && record.solutions == Some(1)).cloned();
        let Some(puzzle) = puzzle else { return Row { record, hints: StepTexts::default() } };
        let (_, steps) = StepsWanted::default().rate(&puzzle, (record.index, None), &ladder);
        // Beyond the limit of ratings, hints take seconds.
        let explained = record.se_er_tenths.is_none_or(|er| er <= u32::from(Ratings::ER_LIMIT.0));
        let hints = if explained { StepTexts::of_explainer(&puzzle) } else { StepTexts::default() };
        Row { record: Record { steps, ..record }, hints }
    };
    let mut write = |released: &mut Released, split: usize, row: Row| {
        released.count(&row.record, split, &splits[split].name, splitter.splits.names().count());
        let more = [1, row.record.steps.len() as u64, row.hints.len() as u64];
        rows[split].iter_mut().zip(more).for_each(|(rows, more)| *rows += more);
        splits[split].write(row)
    };
    // The puzzles from which leaks and probes are made: their places in their splits, and the puzzles.
    // There are three kinds of leaks. Not every puzzle gives a probe of each kind, so there are four times as many.
    let leaks = own.control.map_or(0, |control| 3 * made::leaks_of_each(rows_of(control)));
    let wanted = [(0, leaks), (own.source, 4 * request.probes)];
    let spaced = wanted.map(|(split, number)| made::spaced(rows_of(split), number).collect::<BTreeSet<u64>>());
    let mut taken: [Vec<Record>; 2] = Default::default();
    let (mut rows_read, mut next_index) = (0, 0);
    let changed = || PublishError::Request("the sources were changed while they were read".to_owned());
    job.progress.begin(Some(places.len() as u64), 0);
    let in_place = |number: usize, record: Record| match places.get(number).copied() {
        Some(OUT) => None,
        place => Some((place.map(usize::from), with_steps(record))),
    };
    each_row(files, job, &Analysis::default(), &Silent, in_place, |row| {
        rows_read += 1;
        let Some((split, mut row)) = row.flatten() else { return Ok(()) };
        let split = split.ok_or_else(changed)?;
        next_index = next_index.max(row.record.index + 1);
        for ((taken, spaced), (of, _)) in taken.iter_mut().zip(&spaced).zip(wanted) {
            if of == split && spaced.contains(&at[split]) {
                taken.push(Record { steps: StepTexts::default(), ..row.record.clone() });
            }
        }
        at[split] += 1;
        let is_control = own.control == Some(split);
        row.record.outside = if is_control { made::said(made::CLEAN, None, &[]) } else { Vec::new() };
        write(released, split, row)
    })?;
    if rows_read != places.len() {
        return Err(changed());
    }
    let seed = splitter.seed;
    let leaks = own.control.map_or_else(Vec::new, |_| made::leaks(&taken[0], seed));
    let probes = if request.probes > 0 { made::probes(&taken[1], request.probes, seed) } else { Vec::new() };
    for (split, made) in [(own.control.unwrap_or(0), leaks), (splitter.splits.names().count(), probes)] {
        let made: Vec<Row> = made.into_par_iter().map(with_steps).collect();
        for mut row in made {
            row.record.index = next_index;
            next_index += 1;
            write(released, split, row)?;
        }
    }
    for split in &mut splits {
        split.close()?;
        released.columns.append(&mut split.columns);
    }
    for (split, rows) in splits.into_iter().zip(rows) {
        let (name, bytes) = (split.name.clone(), split.name(&released.columns)?);
        released.splits.push(SplitFiles { name, rows, bytes });
    }
    Ok(())
}

/// The grids that the search of a stock in a folder dug, and its classes that have too few puzzles.
fn stock(source: &Path) -> Option<(u64, Vec<String>)> {
    let text = fs::read_to_string(source.join(STOCK_FILE)).ok()?;
    let head: serde_json::Value = serde_json::from_str(text.lines().next()?).ok()?;
    let lines = text.lines().skip(1).map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let classes = lines.map(|line| {
        let line = line?;
        let found = line["finds"].as_array()?.len() as u64;
        Some((line["class"].as_str()?.to_owned(), found, line["grids"].as_u64()?))
    });
    let classes: Vec<(String, u64, u64)> = classes.collect::<Option<_>>()?;
    let most = classes.iter().map(|(_, found, _)| *found).max()?;
    let short = classes.into_iter().filter(|(_, found, _)| *found < most);
    let short =
        short.map(|(class, found, grids)| format!("{class}: {found} puzzles in {} grids", grouped(grids.into())));
    Some((head["grids"].as_u64()?, short.collect()))
}

/// The recipes that the parts carry.
fn recipes(files: &[PathBuf], released: &mut Released) -> Result<(), PublishError> {
    for file in files {
        let recipe = Metadata::of_file(file)?.and_then(|metadata| metadata.recipe);
        released.recipes.extend(recipe.filter(|recipe| !released.recipes.contains(recipe)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use sudoku_corpus_store::corpus::{Draft, Recipe, produce, solution_class};

    fn corpus(folder: &Path) {
        let draft = Draft { count: Some(120), part_rows: Some(50), ..Draft::default() };
        let recipe = Recipe::new(&draft).unwrap();
        produce(&recipe, folder, None, &Job::default()).unwrap();
    }

    fn request(license: &str, steps: bool) -> Release {
        Release { license: license.to_owned(), steps, ..Release::default() }
    }

    #[test]
    fn a_release_has_every_row_once_and_the_same_bytes_again() {
        let folder = tempfile::tempdir().unwrap();
        corpus(&folder.path().join("corpus"));
        let request = Release {
            author: "A. Person".to_owned(),
            date: Some("2027-01-31".parse().unwrap()),
            split: Some("train=0.7,test=0.3".parse().unwrap()),
            ..request("CC0-1.0", true)
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
        assert!(released.splits.iter().all(|split| split.rows[0] > 10 && split.rows[1] > split.rows[0]));
        let checksums = fs::read_to_string(out.join("CHECKSUMS.b3")).unwrap();
        assert_eq!(checksums.lines().count(), 10, "{checksums}");
        let card = fs::read_to_string(out.join("README.md")).unwrap();
        assert!(card.starts_with("---\n") && card.contains("license: cc0-1.0"), "{card}");
        for (file, date) in
            [("croissant.json", "\"datePublished\": \"2027-01-31\""), ("CITATION.cff", "date-released: 2027-01-31\n")]
        {
            assert!(fs::read_to_string(out.join(file)).unwrap().contains(date), "{file}");
        }
        let (_, again) = make("two");
        assert_eq!(fs::read_to_string(again.join("CHECKSUMS.b3")).unwrap(), checksums);
        assert!(
            release(std::slice::from_ref(&source), &out, &request, &job).is_err(),
            "not into a folder with something in it"
        );
        let classes = |split: &str| -> HashSet<u128> {
            let path = out.join("puzzles").join(format!("{split}-00000-of-00001.parquet"));
            let rows = Input::open(&path, Want::Boards).unwrap();
            rows.map(|row| solution_class(&row.unwrap().solution.unwrap()).unwrap()).collect()
        };
        assert!(classes("train").is_disjoint(&classes("test")));
    }

    #[test]
    fn a_release_of_a_release_has_the_same_rows() {
        let folder = tempfile::tempdir().unwrap();
        // W is no default: it is lost if the rows are analysed again.
        let recipe = Recipe::new(&Draft::parse("count = 30\n[analyze]\nratings = \"er,w\"").unwrap()).unwrap();
        produce(&recipe, &folder.path().join("corpus"), None, &Job::default()).unwrap();
        let request = request("CC0-1.0", true);
        let file =
            |release: &str, kind: &str| folder.path().join(release).join(kind).join("train-00000-of-00001.parquet");
        let make =
            |from: &Path, name: &str| release(&[from.to_owned()], &folder.path().join(name), &request, &Job::default());
        make(&folder.path().join("corpus"), "one").unwrap();
        make(&file("one", "puzzles"), "two").unwrap();
        assert!(fs::read(file("one", "puzzles")).unwrap() == fs::read(file("two", "puzzles")).unwrap());
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test may panic")]
    fn two_releases_at_once_do_not_mix_and_long_runs_of_bad_lines_end_nothing() {
        let folder = tempfile::tempdir().unwrap();
        corpus(&folder.path().join("corpus"));
        let source = folder.path().join("puzzles.txt");
        let part = files_of(&folder.path().join("corpus")).unwrap().remove(0);
        let rows = Input::open(&part, Want::Everything).unwrap();
        let good: Vec<String> = rows.map(|row| row.unwrap().puzzle.unwrap().to_string()).collect();
        fs::write(&source, format!("{}\n{}{}\n", good[0], "1234567\n".repeat(9_000), good[1..].join("\n"))).unwrap();
        let out = folder.path().join("out");
        let one = |steps: bool| {
            let request = request("mit", steps);
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
