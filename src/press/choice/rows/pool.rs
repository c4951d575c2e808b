//! Opens the rows to choose from: corpora and files of puzzles, all as Parquet with the columns of this program.
//!
//! ```text
//!   Parquet of this program       read in place
//!   CSV of this program           converted to Parquet in a temporary folder
//!   other files with our columns  each row is compared with its puzzle, then converted too
//!   any other file of puzzles     solved, rated if the request needs ratings, then converted too
//! ```
//!
//! The parts of a corpus are Parquet or packed CSV. A file is of this program if it carries its checksums.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::choice::quota::Quota;
use crate::choice::request::Request;
use crate::choice::scale::Scale;
use crate::error::PublishError;
use crate::index::seen::classes_of;
use crate::tally::ShortQuota;
use sudoku_corpus_core::board::Shape;
use sudoku_corpus_store::corpus::{
    Analysis, Answer, Copied, CorpusError, FileFormat, Input, Job, KEY_COLUMNS, Reading, Record, RowSink, Scan,
    TempFolder, Want, count_rows, files_of, has_own_rows, quoted, run_stage,
};

/// The largest number of rows for one query.
pub(crate) const BATCH: u64 = 20_000;

/// Files with rows to choose from; rows are numbered through all of them.
pub struct Pool {
    files: Vec<PoolFile>,
    /// The rows of files that were skipped, because they cannot be used.
    pub(crate) skipped: u64,
    /// Temporary files of this pool, which are deleted with it.
    temporary: Option<TempFolder>,
}

struct PoolFile {
    path: PathBuf,
    columns: Vec<String>,
    /// The numbers of its rows in the pool.
    rows: Range<u64>,
}

/// The columns of a Parquet file, and how many rows it has.
struct TableFacts {
    columns: Vec<String>,
    rows: u64,
}

impl TableFacts {
    fn of(path: &Path) -> Result<TableFacts, PublishError> {
        let wrong = |reason| CorpusError::File { path: path.to_owned(), reason };
        let columns = Scan::open(&[path.to_owned()]).map_err(wrong)?.columns();
        Ok(TableFacts { columns, rows: count_rows(path)? })
    }
}

/// Rows of the pool for one query.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    pub files: Vec<PathBuf>,
    /// Number in the pool of the first row of the first file.
    pub first: u64,
    /// The rows to use, if not all: the first one, and how many.
    pub slice: Option<(u64, u64)>,
    /// How many rows it has.
    pub rows: u64,
}

impl Pool {
    /// Opens folders of corpora and files of puzzles. Files without the columns of this program are analysed first, as
    /// far as the request needs it.
    ///
    /// # Errors
    /// A source cannot be read, a temporary file cannot be written; the work was stopped ([`PublishError::Stopped`]).
    pub fn open(sources: &[PathBuf], request: &Request, job: &Job<'_>) -> Result<Pool, PublishError> {
        let mut pool = Pool { files: Vec::new(), skipped: 0, temporary: None };
        let analysis = request.analysis();
        for source in sources {
            if source.is_dir() {
                let parts = files_of(source)?;
                let looked_at: Vec<_> = parts.par_iter().map(|part| look_at(part)).collect();
                for (part, looked_at) in parts.into_iter().zip(looked_at) {
                    pool.add(&part, looked_at?, None, &analysis, job)?;
                }
            } else {
                pool.add(source, look_at(source)?, request.shape, &analysis, job)?;
            }
        }
        Ok(pool)
    }

    /// Number of rows.
    pub fn rows(&self) -> u64 {
        self.files.last().map_or(0, |file| file.rows.end)
    }

    /// The shapes of its boards.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn shapes(&self) -> Result<Vec<Shape>, PublishError> {
        let mut shapes = BTreeSet::new();
        for batch in self.batches(BATCH) {
            let answer = batch.ask("SELECT shape FROM puzzles GROUP BY shape")?;
            answer.texts(0, |shape| shapes.extend(shape.map(str::to_owned))).map_err(batch.wrong())?;
        }
        Ok(shapes.iter().filter_map(|shape| shape.parse().ok()).collect())
    }

    /// The fewest and the most givens of the rows. None if no row has givens.
    fn givens(&self) -> Result<Option<(u64, u64)>, PublishError> {
        let mut numbers: Vec<u64> = Vec::new();
        for batch in self.batches(BATCH) {
            let answer = batch.ask("SELECT DISTINCT givens AS n FROM puzzles WHERE givens > 0")?;
            numbers.extend(answer.integers(0).map_err(batch.wrong())?);
        }
        Ok(numbers.iter().copied().min().zip(numbers.iter().copied().max()))
    }

    /// The levels of a scale that occur, each with its number of rows.
    fn counts_of_levels(&self, scale: &Scale) -> Result<Vec<String>, PublishError> {
        let mut counts_of_levels = Vec::new();
        for (place, level) in scale.levels.keys().enumerate() {
            let condition = scale.condition(place);
            let counts = self.batches(BATCH).into_iter().map(|batch| batch.count(&condition));
            let count = counts.sum::<Result<u64, PublishError>>()?;
            counts_of_levels.extend((count > 0).then(|| format!("{level} {count}")));
        }
        Ok(counts_of_levels)
    }

    /// What the rows have instead of the levels and givens that were asked for, and the command that makes more puzzles.
    /// It has no number of givens below the fewest of the rows, because digging hardly gets there.
    pub(crate) fn instead(
        &self,
        mut conditions: Vec<String>,
        request: &Request,
        short: &[ShortQuota],
    ) -> Result<String, PublishError> {
        conditions.extend(request.filters.iter().cloned());
        // A list of one kind stands in parentheses.
        let inner = |text: &String| text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).map(str::to_owned);
        let kinds: Vec<String> = conditions.iter().filter_map(inner).collect();
        let wanted = short.iter().map(|quota| quota.wanted - quota.found).fold(0, u64::saturating_add);
        let missing = wanted.saturating_mul(2);
        let (mut occurring, mut options) = (Vec::new(), Vec::new());
        let scale = &request.scale;
        if let Some(level) = kinds.iter().find_map(|kind| scale.level_of(kind)) {
            let name = scale.levels.name().filter(|name| *name != "newspaper");
            let named_scale = name.map_or_else(String::new, |name| format!(" --levels {name}"));
            options.push(format!("--level {}{named_scale}", quoted(&scale.levels.ranges()[level].key)));
            occurring = self.counts_of_levels(scale)?;
        }
        let shape = self.shapes()?.first().copied().unwrap_or(Shape::NINE);
        if let Some(asked) = kinds.iter().find_map(|kind| Quota::givens_of(kind))
            && let Some((fewest, most)) = self.givens()?
        {
            occurring.push(format!("{fewest} to {most} givens"));
            let can_be_dug = u64::from(*asked.end()) + 2 >= fewest && (*asked.end() as usize) < shape.cells();
            options.extend(can_be_dug.then(|| format!("--plan givens={}..{}", asked.start(), asked.end())));
        }
        if shape != Shape::NINE && !options.is_empty() {
            options.push(format!("--shape {}", shape.kind()));
        }
        let mut instead = String::new();
        if !occurring.is_empty() {
            instead += &format!(" (the rows have: {})", occurring.join(", "));
        }
        if !options.is_empty() {
            instead += &format!(", or make some: run {} --count {missing} --out more", options.join(" "));
        }
        Ok(instead)
    }

    /// Adds a file. It is converted unless its facts are known, because it is read in place.
    fn add(
        &mut self,
        name: &Path,
        known: Option<TableFacts>,
        shape: Option<Shape>,
        analysis: &Analysis,
        job: &Job<'_>,
    ) -> Result<(), PublishError> {
        let (path, TableFacts { columns, rows }) = match known {
            Some(facts) => (name.to_owned(), facts),
            None => {
                let converted = self.convert(name, shape, analysis, job)?;
                let facts = TableFacts::of(&converted)?;
                (converted, facts)
            }
        };
        let first = self.rows();
        self.files.push(PoolFile { path, columns, rows: first..first + rows });
        Ok(())
    }

    /// Converts a file to Parquet, and analyses its puzzles if it does not have our columns, or only some of them.
    fn convert(
        &mut self,
        name: &Path,
        shape: Option<Shape>,
        analysis: &Analysis,
        job: &Job<'_>,
    ) -> Result<PathBuf, PublishError> {
        let folder = TempFolder::when_needed(&mut self.temporary);
        let folder = folder.map_err(CorpusError::io("make a temporary folder for", name))?;
        let path = folder.path().join(format!("{}.parquet", self.files.len()));
        let input = Input::open(name, Reading { want: Want::Most, shape, copy: Copied::Typed, ..Reading::default() })?;
        let mut sink = RowSink::with_levels(&path, None, &input.outside(), &analysis.levels)?;
        let whole = input.is_whole();
        let work = |mut record: Record| {
            if !whole || is_cut(&record) {
                return Ok(analysis.analyze(counted_cells(record)));
            }
            analysis.levels.fill_in(&mut record);
            Ok(record)
        };
        let summary = run_stage(input, work, &mut sink, None, job)?;
        job.progress.unsettled(summary.unsettled, analysis.budget.0);
        if summary.stopped {
            return Err(PublishError::Stopped);
        }
        sink.finish()?;
        self.skipped += summary.skipped;
        Ok(path)
    }

    /// The pool in batches of at most `most` rows: files with the same columns come together, larger files are divided.
    pub(crate) fn batches(&self, most: u64) -> Vec<Batch> {
        let mut batches: Vec<Batch> = Vec::new();
        let mut columns: &[String] = &[];
        for file in self.files.iter().filter(|file| !file.rows.is_empty()) {
            let rows = file.rows.end - file.rows.start;
            if rows > most {
                columns = &[];
                batches.extend((0..rows).step_by(most.max(1) as usize).map(|start| {
                    let count = most.min(rows - start);
                    let slice = Some((start, count));
                    Batch { files: vec![file.path.clone()], first: file.rows.start, slice, rows: count }
                }));
                continue;
            }
            let is_like_previous = columns == file.columns;
            columns = &file.columns;
            match batches.last_mut() {
                Some(last) if is_like_previous && last.slice.is_none() && last.rows + rows <= most => {
                    last.files.push(file.path.clone());
                    last.rows += rows;
                }
                _ => batches.push(Batch { files: vec![file.path.clone()], first: file.rows.start, slice: None, rows }),
            }
        }
        batches
    }

    pub(crate) fn first_row(&self) -> Option<Batch> {
        let file = self.files.iter().find(|file| !file.rows.is_empty())?;
        Some(Batch { files: vec![file.path.clone()], first: file.rows.start, slice: Some((0, 1)), rows: 1 })
    }

    /// Divides ascending row numbers of the pool by file. The numbers count from the first row of the file.
    pub(crate) fn by_file(&self, numbers: &[u64]) -> Vec<(&Path, Vec<u64>)> {
        let mut start = 0;
        let mut chosen = Vec::new();
        for file in &self.files {
            let end = numbers.partition_point(|number| *number < file.rows.end);
            if end > start {
                let rows = numbers[start..end].iter().map(|number| number - file.rows.start).collect();
                chosen.push((file.path.as_path(), rows));
            }
            start = end;
        }
        chosen
    }
}

impl Batch {
    fn scan(&self) -> Result<Scan, PublishError> {
        Ok(Scan::numbered(&self.files, self.slice).map_err(self.wrong())?)
    }

    /// Asks about the rows of the batch, which are the table `puzzles` with the column [`ROW_NUMBER`].
    ///
    /// [`ROW_NUMBER`]: sudoku_corpus_store::corpus::ROW_NUMBER
    pub(crate) fn ask(&self, sql: &str) -> Result<Answer, PublishError> {
        Ok(self.scan()?.ask(sql)?)
    }

    /// How many rows with a puzzle fulfil a condition.
    pub(crate) fn count(&self, condition: &str) -> Result<u64, PublishError> {
        self.count_rows(&format!("givens IS NOT NULL AND ({condition})"))
    }

    /// How many rows fulfil a condition, also full grids.
    pub(crate) fn count_rows(&self, condition: &str) -> Result<u64, PublishError> {
        let sql = format!("SELECT count(*) AS n FROM puzzles WHERE {condition}");
        Ok(self.ask(&sql)?.integers(0).map_err(self.wrong())?.first().copied().unwrap_or(0))
    }

    /// True if a row with a puzzle has a value in a column, which may not exist.
    pub(crate) fn has(&self, column: &str) -> Result<bool, PublishError> {
        let exists = self.scan()?.columns().iter().any(|name| name == column);
        Ok(exists && self.count(&format!("{column} IS NOT NULL"))? > 0)
    }

    pub(crate) fn classes(&self, answer: &Answer, column: usize) -> Result<Vec<Option<u128>>, PublishError> {
        Ok(classes_of(answer, column).map_err(self.wrong())?)
    }

    /// The error for an answer that cannot be read.
    pub(crate) fn wrong(&self) -> impl Fn(String) -> CorpusError {
        |reason| CorpusError::file(&self.files[0], reason)
    }
}

/// True for a row of this program with a puzzle of which nothing else is known: another program has left out columns.
fn is_cut(record: &Record) -> bool {
    record.puzzle.is_some() && (record.class.is_none() || record.solutions.is_none())
}

/// Adds the numbers of givens and of empty cells to a row with a puzzle. A number of solutions of which nobody says
/// whether it is exact is not known.
fn counted_cells(record: Record) -> Record {
    let Some(puzzle) = &record.puzzle else { return record };
    let (givens, holes) = (puzzle.grid().givens() as u32, puzzle.grid().holes() as u32);
    let solutions = record.solutions.filter(|_| record.solutions_exact.is_some());
    Record { givens: Some(givens), holes: Some(holes), solutions, ..record }
}

/// The columns and the number of rows of a file that is read in place: Parquet that this program wrote, with the columns
/// that every selection needs. None for other files.
fn look_at(path: &Path) -> Result<Option<TableFacts>, PublishError> {
    if FileFormat::of_name(&path.to_string_lossy()) != Some(FileFormat::Parquet) {
        return Ok(None);
    }
    let facts = TableFacts::of(path)?;
    let has_needed = KEY_COLUMNS.iter().all(|name| facts.columns.iter().any(|column| column == name));
    Ok(if has_needed && has_own_rows(path)? { Some(facts) } else { None })
}

#[cfg(test)]
mod tests {
    use sudoku_corpus_store::corpus::{ColumnType, Value, copy_columns, write_table};

    use super::*;

    fn pool(files: &[(&str, u64, &str)]) -> Pool {
        let mut pool = Pool { files: Vec::new(), skipped: 0, temporary: None };
        for (name, rows, columns) in files {
            let first = pool.rows();
            let columns = columns.split(',').map(str::to_owned).collect();
            pool.files.push(PoolFile { path: PathBuf::from(name), columns, rows: first..first + rows });
        }
        pool
    }

    #[test]
    fn pieces_cover_every_row_once_and_hold_files_that_go_together() {
        let pool =
            pool(&[("a", 10, "x"), ("b", 0, "x"), ("c", 20, "x"), ("d", 5, "x,y"), ("e", 100, "x"), ("f", 30, "x")]);
        for most in [7, 30, 45, 1000] {
            let batches = pool.batches(most);
            let mut next = 0;
            for batch in &batches {
                // A slice counts from the first row of its file.
                assert_eq!(batch.first + batch.slice.map_or(0, |(start, _)| start), next, "{most}");
                assert!(batch.rows <= most && batch.slice.is_none_or(|(_, count)| count == batch.rows));
                next += batch.rows;
            }
            assert_eq!(next, 165, "{most}");
            let mixed = |batch: &&Batch| batch.files.contains(&"d".into()) && batch.files.len() > 1;
            assert_eq!(batches.iter().filter(mixed).count(), 0, "{most}");
        }
        assert_eq!(pool.batches(1000)[0].files.len(), 2);
    }

    /// Another program may leave out columns of a part, and keep its metadata.
    #[test]
    fn what_a_part_of_few_columns_lacks_is_found_out() {
        let folder = tempfile::tempdir().unwrap();
        let [whole, cut] = ["whole.parquet", "cut.parquet"].map(|name| folder.path().join(name));
        let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        let record = Input::of_puzzle(line, Reading::default()).next().unwrap().unwrap();
        let mut sink = RowSink::create(&whole, None).unwrap();
        sink.write(Analysis::default().analyze(record)).unwrap();
        sink.finish().unwrap();
        for columns in
            [&["puzzle", "solution"][..], &["puzzle", "class"], &["puzzle", "solution", "solutions", "shape"]]
        {
            copy_columns(&whole, &cut, &[], &|name| columns.contains(&name)).unwrap();
            let pool = Pool::open(std::slice::from_ref(&cut), &Request::default(), &Job::default()).unwrap();
            let batch = pool.first_row().unwrap();
            let condition = "solutions = 1 AND solutions_exact AND class IS NOT NULL";
            assert_eq!(batch.count(condition).unwrap(), 1, "{columns:?}");
            std::fs::remove_file(&cut).unwrap();
        }
    }

    /// Another program writes numbers with signs, and numbers in place of flags.
    #[test]
    fn a_table_of_another_program_is_compared_with_its_puzzles() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("other.parquet");
        let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        let input = Input::of_puzzle(puzzle, Reading::default()).next().unwrap().unwrap();
        let class = format!("{:032x}", Analysis::default().analyze(input).class.unwrap());
        let other_class = "0".repeat(32);
        let columns = KEY_COLUMNS.map(|name| match name {
            "shape" | "puzzle" | "class" => (name, ColumnType::Text),
            _ => (name, ColumnType::Signed),
        });
        write_table(&path, columns, 2, |row, column| match KEY_COLUMNS[column] {
            "shape" => "3x3".into(),
            "puzzle" => puzzle.into(),
            "class" => [class.as_str(), &other_class][row].to_owned().into(),
            "givens" => Value::Signed(30),
            _ => Value::Signed(1),
        })
        .unwrap();
        let pool = Pool::open(&[path], &Request::default(), &Job::default()).unwrap();
        assert_eq!((pool.rows(), pool.first_row().unwrap().count("solutions = 1").unwrap()), (1, 1));
    }

    #[test]
    fn rows_are_found_in_their_files() {
        let pool = pool(&[("a", 3, "x"), ("b", 0, "x"), ("c", 2, "x")]);
        let found = pool.by_file(&[0, 2, 3, 4]);
        assert_eq!(found, [(Path::new("a"), vec![0, 2]), (Path::new("c"), vec![0, 1])]);
    }
}
