//! Writes a release: sorts the rows into splits, and writes them and what describes them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::choice::scale::Scale;
use crate::choice::split::{Apart, Splitter};
use crate::error::PublishError;
use crate::release::data::{
    CHECKSUMS, FileTotals, HINTS, PUZZLES, Plan, Release, Released, SHA_CHECKSUMS, STEPS, SplitFiles,
};
use crate::release::{card, made};
use sudoku_corpus_core::ladder::Ladder;
use sudoku_corpus_store::corpus::sorter::{Sorter, words_of};
use sudoku_corpus_store::corpus::{
    Analysis, COLUMNS, CorpusError, Input, ItemSize, Job, Levels, Metadata, NewFolder, OnError, Progress, Ratings,
    Record, RowSink, Silent, StepSink, StepTexts, StepsWanted, Unread, Want, copy_columns, create_folder, files_of,
    in_order, read_again,
};
use sudoku_corpus_store::study::{Summary, TargetPopulation};

/// The most rows of a file.
const SHARD: u64 = 1_000_000;

/// Bytes of classes in memory.
const ROOM: usize = 1 << 22;

/// Releases corpora and files of rows into a folder, which is created; if it exists, it must be empty, or hold a
/// release that may be replaced and nothing else. The work runs in the thread pool of the caller, and bad rows are
/// skipped: [`Job::on_error`] is not used.
///
/// # Errors
/// A folder that is not empty; a source that cannot be read; an error of the operating system;
/// [`PublishError::Stopped`].
pub fn release(sources: &[PathBuf], folder: &Path, request: &Release, job: &Job<'_>) -> Result<Released, PublishError> {
    let plan = request.plan()?;
    let folder = NewFolder::beside(folder, request.force.then_some(own_files))?;
    let released = release_into(sources, &folder.path(), request, plan, job)?;
    folder.publish()?;
    Ok(released)
}

/// The files of a release, by its checksums.
fn own_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let text = fs::read_to_string(folder.join(CHECKSUMS))?;
    let listed = text.lines().filter_map(|line| line.split_once("  ")).map(|(_, name)| name);
    Ok(listed.chain([SHA_CHECKSUMS, CHECKSUMS]).map(PathBuf::from).collect())
}

fn release_into(
    sources: &[PathBuf],
    folder: &Path,
    request: &Release,
    plan: Plan,
    job: &Job<'_>,
) -> Result<Released, PublishError> {
    let Plan { splitter, license, control } = plan;
    let splitter = &splitter;
    let files = sources.iter().map(|source| files_of(source)).collect::<Result<Vec<_>, _>>()?.concat();
    let scale = Scale::of(None, sources)
        .map_err(|error| error.with_advice("release them one by one, or rate all on one scale with `analyze`"))?;
    let mut temporary_copies = None;
    let files = read_again(files, &mut temporary_copies)?;
    let names: Vec<&str> = splitter.splits.names().collect();
    let summaries = vec![Summary::of(scale.levels.clone()); names.len()];
    let of_corpora = TargetPopulation::of(sources.iter().map(PathBuf::as_path), None)? == TargetPopulation::All;
    let mut released = Released { license, summaries, of_corpora, ..Released::default() };
    let splits_of_rows = sort_out(&files, folder, splitter, job, &mut released)?;
    if splits_of_rows.iter().all(Option::is_none) {
        return Err(PublishError::Nothing(released.left_out()));
    }
    splitter.splits.check_rows(&splits_of_rows)?;
    let made_from = MadeFrom { control, probes: names.iter().position(|name| *name == "test").unwrap_or(0) };
    let writing = Writing::new(folder, splitter, request, &scale, &splits_of_rows, made_from, &mut released)?;
    writing.write_all(&files, job)?;
    recipes(&files, &mut released)?;
    card::write(folder, request, splitter, &released)?;
    Ok(released)
}

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
    let rows = files.iter().flat_map(|file| -> Box<dyn Iterator<Item = Result<Unread, CorpusError>>> {
        match Input::open(file, Want::Most) {
            Ok(input) => Box::new(input.unread().map(Ok)),
            Err(error) => Box::new(std::iter::once(Err(error))),
        }
    });
    let read = |(number, row): (usize, Result<Unread, CorpusError>)| {
        let record = row?.read()?;
        let analyzed = if record.class.is_some() { record } else { analysis.analyze(record) };
        Ok(work(number, analyzed))
    };
    let ended = in_order(ItemSize::Small, rows.enumerate(), &job.stop, read, |results| {
        job.progress.rows(results.len() as u64);
        for result in results {
            take(OnError::Skip.sort(result, bad)?)?;
        }
        Ok::<(), PublishError>(())
    })?;
    if ended { Ok(()) } else { Err(PublishError::Stopped) }
}

/// The rows of a release while they are sorted into splits.
struct Sorting<'a> {
    splitter: &'a Splitter,
    released: &'a mut Released,
    /// The split of each row, good or bad. None for those that are left out.
    splits_of_rows: Vec<Option<u8>>,
    /// The class and the number of each row that is in a split, so that only such rows keep copies out.
    classes: Sorter,
    /// Rows that may have neighbors, with their numbers: neighbors can be found only among all puzzles together.
    held: Vec<(usize, Record)>,
}

/// What decides about a row.
struct Decision {
    /// The puzzle is known to have one solution, and is no full grid.
    is_proper: bool,
    class: Option<u128>,
    has_key: bool,
    /// None if it is left out.
    split: Option<u8>,
    /// The row, if its neighbors are looked for.
    record: Option<Record>,
}

impl Decision {
    /// Decides about a row, but for copies and neighbors.
    fn of(record: Record, splitter: &Splitter) -> Decision {
        let is_proper = record.is_unique() && record.holes != Some(0);
        let key = splitter.key(&record);
        let split = key.filter(|_| is_proper).map(|key| splitter.split_of(key) as u8);
        let is_held = splitter.apart == Apart::Neighbor && split.is_some();
        Decision { is_proper, class: record.class, has_key: key.is_some(), split, record: is_held.then_some(record) }
    }
}

impl Sorting<'_> {
    /// Notes a row; none for a bad one.
    fn add(&mut self, row: Option<Decision>) -> Result<(), PublishError> {
        let Some(Decision { is_proper, class, has_key, split, record }) = row else {
            self.released.skipped += 1;
            self.splits_of_rows.push(None);
            return Ok(());
        };
        if let Some(class) = class.filter(|_| split.is_some()) {
            self.classes.push(&[&class.to_be_bytes(), &(self.splits_of_rows.len() as u64).to_be_bytes()])?;
        }
        self.released.improper += u64::from(!is_proper);
        self.released.unknown += u64::from(is_proper && !has_key);
        self.held.extend(record.map(|record| (self.splits_of_rows.len(), record)));
        self.splits_of_rows.push(split);
        Ok(())
    }

    /// Leaves out all rows of a class but the first, and rows that are too near to an earlier split.
    fn finish(mut self) -> Result<Vec<Option<u8>>, PublishError> {
        let mut classes = self.classes.finish()?;
        let mut last = None;
        while let Some(record) = classes.advance()? {
            let [high, low, row] = words_of(record);
            if last.replace([high, low]) == Some([high, low]) {
                self.splits_of_rows[row as usize] = None;
                self.released.copies += 1;
            }
        }
        if self.splitter.apart == Apart::Neighbor {
            self.held.retain(|(number, _)| self.splits_of_rows[*number].is_some());
            let numbers: Vec<usize> = self.held.iter().map(|(number, _)| *number).collect();
            let rows = self.held.into_iter().map(Ok::<_, PublishError>);
            let division = self.splitter.divide(rows, |(_, record)| record)?;
            self.released.near = division.near;
            for (number, split) in numbers.into_iter().zip(division.split) {
                self.splits_of_rows[number] = split;
            }
        }
        Ok(self.splits_of_rows)
    }
}

/// The split of every row; None for those that are left out. The folder is for a temporary file.
fn sort_out(
    files: &[PathBuf],
    folder: &Path,
    splitter: &Splitter,
    job: &Job<'_>,
    released: &mut Released,
) -> Result<Vec<Option<u8>>, PublishError> {
    let quick = Analysis { ladder: None, ratings: Ratings::NONE, minimal: false, ..Analysis::default() };
    let classes = Sorter::new(folder, ROOM);
    let mut sorting = Sorting { splitter, released, splits_of_rows: Vec::new(), classes, held: Vec::new() };
    job.progress.begin(None, 0);
    let decided = |_, record: Record| Decision::of(record, splitter);
    each_row(files, job, &quick, job.progress, decided, |row| sorting.add(row))?;
    sorting.finish()
}

/// A split being written: files of [`SHARD`] rows each. Names tell how many there are, so files get them last.
struct Shards {
    folder: PathBuf,
    name: String,
    levels: Levels,
    /// Steps and hints are written too.
    steps: bool,
    written: u64,
    /// The steps of the ladder, and the hints of Sudoku Explainer so far.
    steps_written: u64,
    hints_written: u64,
    open: Option<OpenShard>,
    /// Columns that have a value in some row.
    columns: BTreeSet<String>,
}

struct OpenShard {
    /// Rows, and the steps of the ladder if they are written.
    rows: RowSink,
    hints: Option<StepSink>,
}

/// A row with the hints of Sudoku Explainer.
struct Row {
    record: Record,
    hints: StepTexts,
}

impl Row {
    /// A row; `with_steps` adds the steps of its solution, if it has one.
    fn new(record: Record, with_steps: bool) -> Row {
        let puzzle = record.puzzle.as_ref().filter(|_| with_steps && record.solutions == Some(1)).cloned();
        let Some(puzzle) = puzzle else { return Row { record, hints: StepTexts::default() } };
        let (_, steps) = StepsWanted::default().rate(&puzzle, record.row, None, &Ladder::default());
        // Beyond the limit of ratings, hints take seconds.
        let is_explained = record.se_er_tenths.is_none_or(|er| er <= u32::from(Ratings::ER_LIMIT.0));
        let hints = if is_explained { StepTexts::of_explainer(&puzzle) } else { StepTexts::default() };
        Row { record: Record { steps, ..record }, hints }
    }
}

impl Shards {
    /// A split without rows. `steps`: its rows get files of steps and of hints.
    fn new(folder: &Path, name: &str, levels: &Levels, steps: bool) -> Shards {
        Shards {
            levels: levels.clone(),
            folder: folder.to_owned(),
            name: name.to_owned(),
            steps,
            written: 0,
            steps_written: 0,
            hints_written: 0,
            open: None,
            columns: BTreeSet::new(),
        }
    }

    /// The final name of a file; all rows are written.
    fn path(&self, folder: &str, shard: u64) -> PathBuf {
        let shards = self.written.div_ceil(SHARD).max(1);
        self.folder.join(folder).join(format!("{}-{shard:05}-of-{shards:05}.parquet", self.name))
    }

    /// A file that has no name yet.
    fn draft(&self, folder: &str, shard: u64) -> PathBuf {
        self.folder.join(folder).join(format!("{}-{shard}.parquet", self.name))
    }

    /// Writes a row, in a new file after every [`SHARD`] rows.
    fn write(&mut self, Row { record, hints }: Row) -> Result<(), PublishError> {
        self.steps_written += record.steps.len() as u64;
        self.hints_written += hints.len() as u64;
        let mut open = match self.open.take() {
            Some(open) => open,
            None => self.next_shard()?,
        };
        if let Some(hint_sink) = &mut open.hints {
            // What files of steps have of a row.
            let Record { row, shape, class, .. } = record;
            hint_sink.write(&mut Record { row, shape, class, steps: hints, ..Record::default() })?;
        }
        open.rows.write(record)?;
        self.open = Some(open);
        self.written += 1;
        if self.written.is_multiple_of(SHARD) { self.close() } else { Ok(()) }
    }

    fn next_shard(&self) -> Result<OpenShard, PublishError> {
        let shard = self.written / SHARD;
        let rows = RowSink::with_levels(&self.draft(PUZZLES, shard), None, &made::columns(), &self.levels)?;
        if !self.steps {
            return Ok(OpenShard { rows, hints: None });
        }
        let rows = rows.with_steps(StepSink::create(&self.draft(STEPS, shard))?);
        Ok(OpenShard { rows, hints: Some(StepSink::create(&self.draft(HINTS, shard))?) })
    }

    /// Ends the files that are being written, and notes which columns have values.
    fn close(&mut self) -> Result<(), PublishError> {
        let Some(OpenShard { mut rows, hints }) = self.open.take() else { return Ok(()) };
        let our_names = COLUMNS.iter().map(|column| column.name.as_ref());
        let names: Vec<&str> = our_names.chain(made::COLUMNS.map(|(name, _)| name)).collect();
        for column in rows.filled().unwrap_or_default() {
            self.columns.insert(names[column].to_owned());
        }
        rows.finish()?;
        hints.map(StepSink::finish).transpose()?;
        Ok(())
    }

    /// Gives all files their names, and leaves out columns of puzzles without values.
    fn name(self, columns: &BTreeSet<String>) -> Result<SplitFiles, PublishError> {
        let mut files = SplitFiles {
            puzzles: FileTotals { rows: self.written, bytes: self.name_files(PUZZLES, columns)? },
            ..SplitFiles::default()
        };
        if self.steps {
            files.steps = FileTotals { rows: self.steps_written, bytes: self.name_files(STEPS, columns)? };
            files.hints = FileTotals { rows: self.hints_written, bytes: self.name_files(HINTS, columns)? };
        }
        Ok(SplitFiles { name: self.name, ..files })
    }

    /// Gives the files in a folder their names. Returns their bytes.
    fn name_files(&self, folder: &str, columns: &BTreeSet<String>) -> Result<u64, PublishError> {
        let mut bytes = 0;
        for shard in 0..self.written.div_ceil(SHARD) {
            let draft = self.draft(folder, shard);
            let path = self.path(folder, shard);
            if folder == PUZZLES {
                copy_columns(&draft, &path, &made::columns(), &|name| columns.contains(name))?;
                fs::remove_file(&draft).map_err(CorpusError::io("rename", &draft))?;
            } else {
                fs::rename(&draft, &path).map_err(CorpusError::io("rename", &draft))?;
            }
            bytes += fs::metadata(&path).map_err(CorpusError::io("rename", &draft))?.len();
        }
        Ok(bytes)
    }
}

/// The splits from whose puzzles the release makes rows of its own.
#[derive(Clone, Copy)]
struct MadeFrom {
    control: Option<usize>,
    /// The split whose puzzles become probes.
    probes: usize,
}

/// The puzzles of a split from which leaks or probes are made: evenly spaced.
struct Sample {
    split: usize,
    /// Their numbers in the split.
    wanted: BTreeSet<u64>,
    rows: Vec<Record>,
}

impl Sample {
    /// `number` puzzles of a split with a number of rows, none of them taken yet.
    fn new(split: usize, rows: u64, number: u64) -> Sample {
        Sample { split, wanted: made::spaced(rows, number).collect(), rows: Vec::new() }
    }

    /// Takes a row if its number in its split is wanted.
    fn offer(&mut self, split: usize, number_in_split: u64, record: &Record) {
        if self.split == split && self.wanted.contains(&number_in_split) {
            self.rows.push(Record { steps: StepTexts::default(), ..record.clone() });
        }
    }
}

/// The second pass: writes each row into its split, and then the rows that the release makes itself, leaks and probes.
struct Writing<'a> {
    splitter: &'a Splitter,
    request: &'a Release,
    scale: &'a Scale,
    /// The split of each row; None for those that are left out.
    splits_of_rows: &'a [Option<u8>],
    control: Option<usize>,
    splits: Vec<Shards>,
    leaked: Sample,
    probed: Sample,
    /// The number of a row that the release makes next.
    next_row: u64,
    released: &'a mut Released,
}

impl<'a> Writing<'a> {
    /// No rows yet; makes the folders of the files.
    fn new(
        folder: &Path,
        splitter: &'a Splitter,
        request: &'a Release,
        scale: &'a Scale,
        splits_of_rows: &'a [Option<u8>],
        made_from: MadeFrom,
        released: &'a mut Released,
    ) -> Result<Writing<'a>, PublishError> {
        let folders: &[&str] = if request.steps { &[PUZZLES, STEPS, HINTS] } else { &[PUZZLES] };
        for name in folders {
            let path = folder.join(name);
            create_folder(&path).map_err(CorpusError::io("create", &path))?;
        }
        let rows_of = |split: usize| splits_of_rows.iter().filter(|row| **row == Some(split as u8)).count() as u64;
        let names = splitter.splits.names().chain((request.probes > 0).then_some(made::PROBES));
        let splits = names.map(|name| Shards::new(folder, name, &scale.levels, request.steps)).collect();
        let MadeFrom { control, probes } = made_from;
        // There are three kinds of leaks. Not every puzzle gives a probe of each kind, so there are four times as many.
        let leaks = control.map_or(0, |control| 3 * made::leaks_of_each(rows_of(control)));
        let leaked = Sample::new(0, rows_of(0), leaks);
        let probed = Sample::new(probes, rows_of(probes), 4 * request.probes);
        Ok(Writing { splitter, request, scale, splits_of_rows, control, splits, leaked, probed, next_row: 0, released })
    }

    /// Writes all rows.
    ///
    /// # Errors
    /// The sources have changed since the first pass; a file cannot be read or written.
    fn write_all(mut self, files: &[PathBuf], job: &Job<'_>) -> Result<(), PublishError> {
        let (request, scale, splits_of_rows) = (self.request, self.scale, self.splits_of_rows);
        let analysis = Analysis::with_levels(&scale.levels);
        let placed = |number: usize, mut record: Record| {
            scale.fill_in(&mut record);
            let split = splits_of_rows.get(number).copied().flatten()?;
            Some((usize::from(split), Row::new(record, request.steps)))
        };
        let mut rows_read = 0;
        job.progress.begin(Some(splits_of_rows.len() as u64), 0);
        each_row(files, job, &analysis, &Silent, placed, |row| {
            rows_read += 1;
            let Some((split, row)) = row.flatten() else { return Ok(()) };
            self.write_source(split, row)
        })?;
        if rows_read != splits_of_rows.len() {
            return Err(PublishError::Request("the sources were changed while they were read".to_owned()));
        }
        self.write_made()?;
        self.finish()
    }

    fn write_source(&mut self, split: usize, mut row: Row) -> Result<(), PublishError> {
        self.next_row = self.next_row.max(row.record.row + 1);
        let number_in_split = self.splits[split].written;
        self.leaked.offer(split, number_in_split, &row.record);
        self.probed.offer(split, number_in_split, &row.record);
        let is_control = self.control == Some(split);
        row.record.outside = if is_control { made::column_values(made::CLEAN, None, &[]) } else { Vec::new() };
        self.write(split, row)
    }

    fn write_made(&mut self) -> Result<(), PublishError> {
        let (seed, with_steps) = (self.splitter.seed, self.request.steps);
        let leaks = self.control.map_or_else(Vec::new, |_| made::leaks(&self.leaked.rows, seed));
        self.write_new(self.control.unwrap_or(0), leaks, with_steps)?;
        let probes = match self.request.probes {
            0 => Vec::new(),
            number => made::probes(&self.probed.rows, number, seed),
        };
        self.write_new(self.splitter.splits.names().count(), probes, with_steps)
    }

    /// Writes new rows into a split, with numbers of their own.
    fn write_new(&mut self, split: usize, records: Vec<Record>, with_steps: bool) -> Result<(), PublishError> {
        let rows: Vec<Row> = records.into_par_iter().map(|record| Row::new(record, with_steps)).collect();
        for mut row in rows {
            row.record.row = self.next_row;
            self.scale.levels.fill_in(&mut row.record);
            self.next_row += 1;
            self.write(split, row)?;
        }
        Ok(())
    }

    fn write(&mut self, split: usize, row: Row) -> Result<(), PublishError> {
        let shards = &mut self.splits[split];
        self.released.count(&row.record, split, &shards.name);
        shards.write(row)
    }

    fn finish(mut self) -> Result<(), PublishError> {
        for split in &mut self.splits {
            split.close()?;
            self.released.columns.append(&mut split.columns);
        }
        for split in self.splits {
            self.released.splits.push(split.name(&self.released.columns)?);
        }
        Ok(())
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
        assert!(released.splits.iter().all(|split| split.puzzles.rows > 10 && split.steps.rows > split.puzzles.rows));
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

    /// A row without a solution has no key for its split, and keeps no copy with a solution out.
    #[test]
    fn the_order_of_the_sources_loses_no_class() {
        let folder = tempfile::tempdir().unwrap();
        corpus(&folder.path().join("corpus"));
        let part = files_of(&folder.path().join("corpus")).unwrap().remove(0);
        let row = Input::open(&part, Want::Everything).unwrap().next().unwrap().unwrap();
        let file = |name: &str, row: &Record| {
            let path = folder.path().join(name);
            let mut sink = RowSink::create(&path, None).unwrap();
            sink.write(row.clone()).unwrap();
            sink.finish().unwrap();
            path
        };
        let bare = file("bare.parquet", &Record { solution: None, solution_class: None, ..row.clone() });
        let full = file("full.parquet", &row);
        let split = Some("train=1".parse().unwrap());
        let request = Release { split, apart: Apart::Grid, ..request("mit", false) };
        for (name, sources) in [("one", [bare.clone(), full.clone()]), ("two", [full, bare])] {
            let released = release(&sources, &folder.path().join(name), &request, &Job::default());
            let released = released.unwrap();
            assert_eq!((released.rows(), released.copies, released.unknown), (1, 0, 1), "{name}");
        }
    }

    /// A table that anybody may have edited: its row keeps `solutions` 1 though a given is blanked.
    #[test]
    fn a_row_that_contradicts_its_puzzle_is_not_released() {
        let folder = tempfile::tempdir().unwrap();
        corpus(&folder.path().join("corpus"));
        let part = files_of(&folder.path().join("corpus")).unwrap().remove(0);
        let mut rows: Vec<Record> = Input::open(&part, Want::Everything).unwrap().map(Result::unwrap).collect();
        let mut grid = rows[0].puzzle.as_ref().unwrap().grid().clone();
        let (cell, _) = grid.given_cells().next().unwrap();
        grid.set(cell, None);
        rows[0].puzzle = Some(grid.try_into().unwrap());
        rows[1].solution_class = Some(1);
        let table = folder.path().join("edited.csv");
        let mut sink = RowSink::create(&table, None).unwrap();
        rows.iter().for_each(|row| sink.write(row.clone()).unwrap());
        sink.finish().unwrap();
        let out = folder.path().join("out");
        let released = release(&[table], &out, &request("mit", false), &Job::default()).unwrap();
        assert_eq!([released.rows(), released.skipped, released.rows_left_out()], [rows.len() as u64 - 2, 2, 2]);
        let card = fs::read_to_string(out.join("README.md")).unwrap();
        assert!(card.contains("2 because they cannot be read or say what is not true"), "{card}");
        assert!(card.contains("of this release. Those of rows that are not in it are not counted."), "{card}");
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
        assert!(refused.len() == 1 && refused[0].contains("out: the folder is not empty"), "{refused:?}");
        assert_eq!(made.iter().flatten().map(Released::rows).collect::<Vec<_>>(), [50]);
        for line in fs::read_to_string(out.join("CHECKSUMS.b3")).unwrap().lines() {
            let (sum, name) = line.split_once("  ").unwrap();
            assert_eq!(blake3::hash(&fs::read(out.join(name)).unwrap()).to_hex().as_str(), sum, "{name}");
        }
        // Only the sources and the release are left.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    }
}
