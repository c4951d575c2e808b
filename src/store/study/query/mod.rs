//! Makes corpora and files of rows one table that can be queried in SQL.
//!
//! Files that are not Parquet, such as CSV, and pipes are first converted to temporary Parquet files, row by row. So
//! memory stays bounded, and there is only one way to the rows.

mod traps;

use std::path::{Path, PathBuf};

pub use traps::traps_of_condition;

use super::rated::{Difference, RatedWith, uses};
use crate::corpus::{
    CorpusError, FileFormat, Input, Levels, Metadata, NamedInput, RowSink, Scan, SourceFiles, TABLE, TempFolder, Want,
    files_of, is_published_index, quoted, write_csv_as_parquet, write_published,
};

/// The name of the table of an index of published puzzles.
const PUBLISHED: &str = "published";

/// A table of rows that can be queried.
pub struct Table {
    scan: Scan,
    made: Made,
    /// How the rows of each source were rated, in the order of the sources in `made`.
    rated: Vec<RatedWith>,
    /// The metadata of each source, and of each other table that has some.
    metadata: Vec<Option<Metadata>>,
    copies: Copies,
}

/// Temporary copies of files, which are deleted with their table.
#[derive(Default)]
struct Copies {
    folder: Option<TempFolder>,
    /// The files that were copied, each at the number of its copy.
    files: Vec<PathBuf>,
    /// Notes about columns of numbers that became texts.
    notes: Vec<String>,
}

/// What the files say about how their rows were made.
#[derive(Clone, Debug, Default)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Made {
    pub sources: Vec<String>,
    pub seeds: Vec<String>,
    pub versions: Vec<String>,
}

impl Made {
    /// Adds a source of rows, with what its first file says.
    fn add(&mut self, source: &Path, metadata: Option<&Metadata>) {
        self.sources.push(source.display().to_string());
        let Some(metadata) = metadata else { return };
        let mut lines = metadata.recipe.iter().flat_map(|recipe| recipe.lines());
        self.seeds.extend(lines.find_map(|line| line.strip_prefix("seed = ")).map(str::to_owned));
        let version = format!("sudoku-corpus {}, format {}", metadata.program_version, metadata.format_version);
        if !self.versions.contains(&version) {
            self.versions.push(version);
        }
    }
}

/// A source of rows: a folder of a corpus, a file of rows, or a table from elsewhere.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name of its own table, if it has one.
    pub name: Option<String>,
    /// Where it is.
    pub path: PathBuf,
    /// True for a table that is not a part of `puzzles`.
    pub outside: bool,
}

impl Source {
    /// A corpus or file, as `PATH` or `NAME=PATH`. An existing path may contain `=`.
    pub fn of_argument(argument: &NamedInput) -> Source {
        match argument.split() {
            (Some(name), path) if !argument.exists() => {
                Source { name: Some(name.to_owned()), path: path.to_owned(), outside: false }
            }
            _ => Source::plain(argument.to_path_buf()),
        }
    }

    /// A corpus or file without a name.
    pub fn plain(path: PathBuf) -> Source {
        Source { name: None, path, outside: false }
    }

    /// A table from elsewhere, as `NAME=FILE`.
    ///
    /// # Errors
    /// A text of another form.
    pub fn outside(argument: &NamedInput) -> Result<Source, String> {
        match argument.split() {
            (Some(name), path) if path != Path::new("") => {
                Ok(Source { name: Some(name.to_owned()), path: path.to_owned(), outside: true })
            }
            _ => Err(format!("--table {}: write NAME=FILE, as in times=times.csv", argument.display())),
        }
    }
}

impl Table {
    /// Opens folders of corpora and files of rows (.parquet, .csv.zst, .csv), all as one table.
    ///
    /// # Errors
    /// A source that cannot be read.
    pub fn open(sources: &[PathBuf]) -> Result<Table, CorpusError> {
        Table::of(&sources.iter().cloned().map(Source::plain).collect::<Vec<_>>())
    }

    /// Opens sources, those with names also as tables of their own. An index of published puzzles is a table of its own,
    /// [`PUBLISHED`] if it has no name, and not a part of all rows.
    ///
    /// # Errors
    /// A source that cannot be read; two tables with one name.
    pub fn of(sources: &[Source]) -> Result<Table, CorpusError> {
        let (mut made, mut rated, mut metadata) = (Made::default(), Vec::new(), Vec::new());
        let (mut copies, mut opened) = (Copies::default(), Vec::<SourceFiles>::new());
        for source in sources {
            let path = &source.path;
            let mut files = files_of(path)?;
            let is_index = match &files[..] {
                [file] => is_published_index(file)?,
                _ => false,
            };
            let name = source.name.clone().or_else(|| is_index.then(|| PUBLISHED.to_owned()));
            let outside = source.outside || is_index;
            // A pipe is not asked how its rows were made, because it can be read only once.
            let first_file = files.first().filter(|file| file.is_file() && !is_index);
            let data = first_file.map(|file| Metadata::of_file(file)).transpose()?.flatten();
            // The first file says how all rows of the source were made and rated.
            if first_file.is_some() && !outside {
                made.add(path, data.as_ref());
                rated.push(data.as_ref().map(RatedWith::of).unwrap_or_default());
            }
            if !outside || data.is_some() {
                metadata.push(data);
            }
            for file in &mut files {
                // A pipe cannot be read twice, so it is copied, as a text file is.
                let is_pipe = std::fs::metadata(&*file).is_ok_and(|data| !data.is_file() && !data.is_dir());
                if is_index {
                    *file = copies.of_index(file)?;
                } else if is_pipe || FileFormat::of_name(&file.to_string_lossy()) != Some(FileFormat::Parquet) {
                    *file = copies.converted(file, outside)?;
                }
            }
            if let Some(name) = &name {
                let mut names = opened.iter().filter_map(|other| other.name.as_deref()).chain([TABLE]);
                if names.any(|other| other.eq_ignore_ascii_case(name)) {
                    let reason = format!("another table has the name '{name}'; give this one another: NAME=PATH");
                    return Err(CorpusError::file(path, reason));
                }
            }
            let label = source.name.clone().unwrap_or_else(|| path.display().to_string());
            opened.push(SourceFiles { label, name, files, outside });
        }
        let scan = Scan::of(opened).map_err(|error| match error {
            // Such an error names no file, so the first source stands for all.
            CorpusError::Query(reason) => {
                let path = sources.first().map(|source| source.path.clone()).unwrap_or_default();
                CorpusError::File { path, reason }
            }
            CorpusError::File { path, reason } => CorpusError::File { path: copies.original(path), reason },
            error => error,
        })?;
        Ok(Table { scan, made, rated, metadata, copies })
    }

    /// What the files say about how their rows were made.
    pub fn made(&self) -> &Made {
        &self.made
    }

    /// The metadata of a file of rows of the table: the scales of all sources. None if they do not all have the same.
    pub fn scales(&self) -> Option<Metadata> {
        let mut all = self.metadata.iter().map(Option::as_ref);
        let first = all.next()??;
        first.scale()?;
        let are_same =
            all.all(|other| other.is_some_and(|other| other.scales == first.scales && other.levels == first.levels));
        let (scales, levels) = (first.scales.clone(), first.levels.clone());
        are_same.then(|| Metadata { scales, levels, ..Metadata::plain() })
    }

    /// True if `puzzles` has a column.
    pub fn has(&self, column: &str) -> bool {
        self.columns().iter().any(|known| known == column)
    }

    /// What differs between the ratings of the sources, of what this SQL uses.
    pub(crate) fn differences(&self, sql: &str) -> Vec<Difference> {
        let mut differences = RatedWith::differences(&self.rated.iter().collect::<Vec<_>>());
        differences.retain(|difference| difference.concerns(sql));
        differences
    }

    /// Notes for the reader of an answer to this SQL: about traps, about ratings that differ or that may differ, and
    /// about columns of numbers that became texts.
    pub fn notes(&self, sql: &str) -> Vec<String> {
        let mut notes = traps::traps(sql, &|name| self.scan.kind_of(name));
        notes.extend(self.differences(sql).iter().map(Difference::note));
        let mut unknown: Vec<&str> = Vec::new();
        for (source, rated) in self.made.sources.iter().zip(&self.rated) {
            if !rated.is_known() {
                unknown.push(source);
            }
        }
        if self.rated.len() > 1 && !unknown.is_empty() && uses(sql, RatedWith::columns()) {
            notes.push(format!(
                "it is not known how the rows of {} were rated: ratings can be compared only if all were made in the same way",
                unknown.join(", ")
            ));
        }
        notes.extend(self.copies.notes.iter().cloned());
        notes
    }
}

/// A table is queried as its scan is.
impl std::ops::Deref for Table {
    type Target = Scan;

    fn deref(&self) -> &Scan {
        &self.scan
    }
}

impl Copies {
    fn of_index(&mut self, file: &Path) -> Result<PathBuf, CorpusError> {
        let path = self.new_path(file)?;
        write_published(file, &path)?;
        Ok(path)
    }

    /// Converts a file of rows to Parquet. A table from elsewhere keeps its own columns, and so does a file `.csv` that
    /// cannot be read as rows of ours.
    fn converted(&mut self, file: &Path, outside: bool) -> Result<PathBuf, CorpusError> {
        let path = self.new_path(file)?;
        if outside {
            let notes = write_csv_as_parquet(file, &path);
            self.notes.extend(notes.map_err(|reason| CorpusError::file(file, reason))?);
            return Ok(path);
        }
        let opened = Input::open(file, Want::Rows);
        let is_csv = FileFormat::of_name(&file.to_string_lossy()) == Some(FileFormat::Csv);
        if matches!(opened, Err(CorpusError::File { .. })) && is_csv {
            // That it has other columns is no error, so what is wrong is why it is no table at all.
            let notes = write_csv_as_parquet(file, &path);
            self.notes.extend(notes.map_err(|reason| message(CorpusError::file(file, reason), file))?);
            return Ok(path);
        }
        let input = opened.map_err(|error| message(error, file))?;
        let mut sink = RowSink::with_levels(&path, None, &input.outside(), &Levels::default())?;
        self.notes.extend(input.notes().iter().cloned());
        for record in input {
            sink.write(record?)?;
        }
        sink.finish()?;
        Ok(path)
    }

    /// The name of a new Parquet file for the rows of a file, in a temporary folder that is made if it is needed.
    fn new_path(&mut self, file: &Path) -> Result<PathBuf, CorpusError> {
        let folder = TempFolder::when_needed(&mut self.folder);
        let folder = folder.map_err(CorpusError::io("make a temporary folder for", file))?;
        let path = folder.path().join(format!("{}.parquet", self.files.len()));
        self.files.push(file.to_owned());
        Ok(path)
    }

    /// The file of which a path is the copy; other paths as they are.
    fn original(&self, path: PathBuf) -> PathBuf {
        let folder = self.folder.as_ref().map(TempFolder::path);
        let number = path.file_stem().and_then(|stem| stem.to_str()?.parse::<usize>().ok());
        let file = number.filter(|_| path.parent() == folder).and_then(|number| self.files.get(number));
        file.cloned().unwrap_or(path)
    }
}

/// The message about a file with other columns. It says how to make rows of a file of puzzles.
fn message(error: CorpusError, file: &Path) -> CorpusError {
    match error {
        CorpusError::File { path, reason } if file.is_file() && Input::open(file, None).is_ok() => {
            let rows = format!("analyze {} --out rows.csv", quoted(&file.to_string_lossy()));
            CorpusError::File { path, reason: format!("{reason}; if it has puzzles, make rows of them: {rows}") }
        }
        error => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::tests::{PUZZLE, puzzle, write_rows};
    use crate::corpus::{AnswerWriter, AskLimits, Record};

    /// Ten rows, the first four minimal, written in a format.
    fn rows(folder: &Path, name: &str) -> PathBuf {
        let path = folder.join(name);
        let row = |index| Record { minimal: Some(index < 4), ..Record::of_puzzle(index, puzzle(PUZZLE)) };
        write_rows(&path, (0..10).map(row));
        path
    }

    #[test]
    fn questions_have_the_same_answer_in_every_format_and_files_are_one_table() {
        let folder = tempfile::tempdir().unwrap();
        let files = ["rows.parquet", "rows.csv.zst", "rows.csv"].map(|name| rows(folder.path(), name));
        let asked = |files: &[PathBuf]| {
            let sql = "SELECT minimal, count(*) AS n, avg(givens) AS g FROM puzzles GROUP BY minimal ORDER BY n";
            let answer = Table::open(files).unwrap().ask(sql).unwrap();
            assert_eq!(answer.names(), ["minimal", "n", "g"]);
            let read: Vec<_> = (0..answer.len()).map(|row| answer.row(row).unwrap()).collect();
            serde_json::to_string(&read).unwrap()
        };
        for file in &files {
            assert_eq!(asked(std::slice::from_ref(file)), "[[true,4,30.0],[false,6,30.0]]", "{}", file.display());
        }
        assert_eq!(asked(&files), "[[true,12,30.0],[false,18,30.0]]");
        assert!(Table::open(&[folder.path().join("nowhere.parquet")]).is_err());
    }

    /// Only the columns of the files count, wherever the files lie.
    #[test]
    fn folders_are_no_columns() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("method=x/seed=7");
        std::fs::create_dir_all(&place).unwrap();
        let table = Table::open(&[rows(&place, "a.parquet")]).unwrap();
        assert!(!table.columns().iter().any(|column| column == "seed"));
        let answer = table.ask("SELECT count(*) AS n FROM puzzles WHERE method = 'x'").unwrap();
        assert_eq!(answer.row(0).unwrap(), [0]);
    }

    /// Also of files that only `pandas` or a query writes, and of those with other columns.
    #[test]
    fn columns_of_csv_are_flags_and_numbers_or_a_note_says_why_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let rows = "minimal,x,y,code,big\nTrue,-0,inf,007,9007199254740993\nFalse,3,1.5,8,0.5\n,,,,\n";
        std::fs::write(&path, rows).unwrap();
        let table = Table::open(&[path]).unwrap();
        let sql = "SELECT sum(minimal), sum(x), max(y) > 9, (SELECT count(*) FROM puzzles WHERE minimal) FROM puzzles";
        let answer = table.ask(sql).unwrap();
        assert_eq!(serde_json::to_string(&answer.row(0).unwrap()).unwrap(), "[1,3.0,1,1]");
        let notes = table.notes(sql);
        let [code, big] = &notes[..] else { panic!("{notes:?}") };
        assert!(code.contains("'code'") && code.contains("0 or +"), "{code}");
        assert!(big.contains("'big'") && big.contains("too long"), "{big}");
    }

    /// A folder says in its recipe how its rows were rated, and a file of `analyze` in its metadata; CSV does not.
    #[test]
    fn ratings_that_differ_are_told_if_they_are_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, rated: Option<&str>| {
            let path = folder.path().join(name);
            let metadata = Metadata { rated: rated.map(str::to_owned), ..Metadata::plain() };
            let mut sink = RowSink::with_metadata(&path, None, &[], &metadata).unwrap();
            let puzzle = puzzle(PUZZLE);
            sink.write(Record { hodoku_score: Some(4), ..Record::of_puzzle(0, puzzle) }).unwrap();
            sink.finish().unwrap();
            path
        };
        let usual = file("usual.parquet", Some("[analyze]\ntechniques = \"default\"\n"));
        let singles = file("singles.csv.zst", Some("[analyze]\ntechniques = \"singles\"\n"));
        let unknown = file("unknown.csv", None);
        let notes = |files: &[&PathBuf], sql: &str| {
            let files: Vec<PathBuf> = files.iter().map(|&file| file.clone()).collect();
            Table::open(&files).unwrap().notes(sql).join("; ")
        };
        let score = "avg(hodoku_score)";
        let both = notes(&[&usual, &singles], score);
        assert!(both.starts_with("the sources were rated with different ladders of techniques:"), "{both}");
        let one = notes(&[&usual, &unknown], score);
        assert!(one.starts_with("it is not known how the rows of") && one.contains("unknown.csv"), "{one}");
        for (files, sql) in [(vec![&usual, &usual], score), (vec![&unknown], score), (vec![&usual, &singles], "givens")]
        {
            assert_eq!(notes(&files, sql), "");
        }
    }

    /// Whatever else is called `level` is on no scale.
    #[test]
    fn answers_with_levels_name_their_scale() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.parquet");
        let mut sink = RowSink::with_levels(&path, None, &[], &Levels::hodoku()).unwrap();
        let puzzle = puzzle(PUZZLE);
        sink.write(Record { level: Some("unfair".into()), ..Record::of_puzzle(0, puzzle) }).unwrap();
        sink.finish().unwrap();
        let scale = |sources: &[PathBuf], sql: &str| {
            let (table, out) = (Table::open(sources).unwrap(), folder.path().join("answer.parquet"));
            let mut writer: Option<AnswerWriter<'_>> = None;
            let written = table.ask_in_batches(sql, &AskLimits::default(), |answer| match &mut writer {
                Some(writer) => writer.write(&answer),
                None => {
                    let file = std::fs::File::create(&out)?;
                    AnswerWriter::new(file, &answer, table.scales().as_ref()).map(|begun| writer = Some(begun))
                }
            });
            written.unwrap().unwrap();
            writer.unwrap().finish().unwrap();
            Metadata::of_file(&out).unwrap().and_then(|data| data.scale())
        };
        let one = [path.clone()];
        for sql in ["SELECT * FROM puzzles", "SELECT level, upper(puzzle) FROM (SELECT level, puzzle FROM puzzles)"] {
            assert_eq!(scale(&one, sql), Some(Levels::hodoku()), "{sql}");
        }
        for sql in ["SELECT puzzle FROM puzzles", "SELECT hodoku_level AS level FROM puzzles"] {
            assert_eq!(scale(&one, sql), None, "{sql}");
        }
        let plain = rows(folder.path(), "rows.csv");
        assert_eq!(scale(&[path, plain], "SELECT level FROM puzzles"), None);
    }

    /// SQL has no flags: 'true' is a text, which no flag is equal to.
    #[test]
    fn flags_are_not_compared_with_texts() {
        let folder = tempfile::tempdir().unwrap();
        let table = Table::open(&[rows(folder.path(), "rows.parquet")]).unwrap();
        let count = |condition: &str| table.ask(&format!("SELECT count(*) FROM puzzles WHERE {condition}"));
        for condition in ["minimal <> 'true'", "\"Minimal\" IS NOT 'False'", "'TRUE' = minimal", "minimal IN ('true')"]
        {
            let refusal = count(condition).unwrap_err().to_string();
            assert!(refusal.contains("write minimal, or NOT minimal"), "{condition}: {refusal}");
        }
        for condition in ["NOT minimal", "puzzle <> 'true' AND NOT minimal", "minimal = (puzzle = 'true')"] {
            assert_eq!(count(condition).unwrap().row(0).unwrap(), [6], "{condition}");
        }
    }

    /// A temporary copy is nothing that a user knows.
    #[test]
    fn an_error_about_the_columns_of_a_file_names_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        for header in ["X,x", "puzzle,X,x"] {
            std::fs::write(&path, format!("{header}\n1,2,3\n")).unwrap();
            let source = Source { name: Some("t".to_owned()), path: path.clone(), outside: true };
            let error = Table::of(&[source]).err().unwrap().to_string();
            assert!(error.contains("a.csv") && error.contains("two columns are called 'x'"), "{error}");
        }
    }

    /// Their columns are no fault: any others are those of a table of its own.
    #[test]
    fn csv_that_is_no_table_is_refused_for_what_is_wrong() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        for (text, reason) in
            [("x,y\n1,2\n3\n", "line 3: the row has 1 value, and the first row 2"), ("x,x\n1,2\n", "'x'")]
        {
            std::fs::write(&path, text).unwrap();
            let error = Table::open(std::slice::from_ref(&path)).err().unwrap().to_string();
            assert!(error.contains(reason) && !error.contains("schema"), "{error}");
        }
    }

    /// As in Parquet: the columns are those of the file.
    #[test]
    fn csv_with_other_columns_is_a_table_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        std::fs::write(&path, format!("id,puzzle,seconds\n1,{PUZZLE},600\n2,{PUZZLE},640\n")).unwrap();
        let answer = Table::open(&[path]).unwrap().ask("SELECT puzzle, avg(seconds), max(id) FROM puzzles").unwrap();
        assert_eq!(answer.row(0).unwrap(), [serde_json::json!(PUZZLE), serde_json::json!(620.0), serde_json::json!(2)]);
    }
}
