//! Makes corpora and files of rows one table that can be queried in SQL.
//!
//! Files that are not Parquet, such as CSV, and pipes are first converted to temporary Parquet files, row by row. So
//! memory stays bounded, and there is only one way to the rows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::corpus::{
    CorpusError, FileFormat, Input, Metadata, NamedInput, RowSink, Scan, SourceFiles, TABLE, TempFolder, Want,
    files_of, write_csv_as_parquet,
};

/// A table of rows that can be queried.
pub struct Table {
    scan: Scan,
    made: Made,
    /// Why the scales of the sources differ, if they do.
    differing: Option<String>,
    /// Temporary files of this table, which are deleted with it.
    _temporary: Option<TempFolder>,
}

/// What the files say about how their rows were made.
#[derive(Clone, Debug, Default)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Made {
    pub sources: Vec<String>,
    pub seeds: Vec<String>,
    pub versions: Vec<String>,
}

/// What the files of some sources say, each source by its first file, and scales in different versions.
fn made(sources: &[(&Path, PathBuf)]) -> Result<(Made, Option<String>), CorpusError> {
    let mut made = Made::default();
    let mut scales: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (source, file) in sources {
        made.sources.push(source.display().to_string());
        let Some(data) = Metadata::of_file(file)? else { continue };
        let seed =
            data.recipe.as_deref().and_then(|recipe| recipe.lines().find_map(|line| line.strip_prefix("seed = ")));
        made.seeds.extend(seed.map(str::to_owned));
        let version = format!("sudoku-corpus {}, format {}", data.program_version, data.format_version);
        if !made.versions.contains(&version) {
            made.versions.push(version);
        }
        data.scales.into_iter().for_each(|(scale, version)| _ = scales.entry(scale).or_default().insert(version));
    }
    let differ: Vec<String> =
        scales.into_iter().filter(|(_, versions)| versions.len() > 1).map(|(scale, _)| scale).collect();
    let note = format!(
        "the corpora have different versions of the scales of {}: their values cannot be compared; `analyze` rates all rows in \
         the same way",
        differ.join(", ")
    );
    Ok((made, (!differ.is_empty()).then_some(note)))
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

    /// Opens sources, those with names also as tables of their own.
    ///
    /// # Errors
    /// A source that cannot be read; two tables with one name.
    pub fn of(sources: &[Source]) -> Result<Table, CorpusError> {
        let (mut temporary, mut firsts) = (None, Vec::new());
        let mut opened: Vec<SourceFiles> = Vec::new();
        for source in sources {
            let path = &source.path;
            let mut files = files_of(path)?;
            // The first file says how its rows were made. A pipe is not asked, because it can be read only once.
            let first = files.first().filter(|file| !source.outside && file.is_file());
            firsts.extend(first.map(|file| (path.as_path(), file.clone())));
            for file in &mut files {
                // A pipe cannot be read twice, so it is copied, as a text file is.
                let pipe = std::fs::metadata(&*file).is_ok_and(|data| !data.is_file() && !data.is_dir());
                if pipe || FileFormat::of_name(&file.to_string_lossy()) != Some(FileFormat::Parquet) {
                    *file = converted(file, source.outside, &mut temporary)?;
                }
            }
            let wrong = |reason: &str| CorpusError::File { path: path.clone(), reason: reason.to_owned() };
            let named = |name: &String| {
                opened.iter().any(|other| other.name.as_ref().is_some_and(|known| known.eq_ignore_ascii_case(name)))
            };
            if source.name.as_ref().is_some_and(|name| named(name) || name.eq_ignore_ascii_case(TABLE)) {
                return Err(wrong("another table has this name"));
            }
            let label = source.name.clone().unwrap_or_else(|| path.display().to_string());
            opened.push(SourceFiles { label, name: source.name.clone(), files, outside: source.outside });
        }
        let scan = Scan::of(opened).map_err(|error| match error {
            // Such an error names no file, so the first source stands for all.
            CorpusError::Query(reason) => {
                let path = sources.first().map(|source| source.path.clone()).unwrap_or_default();
                CorpusError::File { path, reason }
            }
            error => error,
        })?;
        let (made, differing) = made(&firsts)?;
        Ok(Table { scan, made, differing, _temporary: temporary })
    }

    /// What the files say about how their rows were made.
    pub fn made(&self) -> &Made {
        &self.made
    }

    /// The note that sources have different versions of a scale, if they do.
    pub fn differing_scales(&self) -> Option<&str> {
        self.differing.as_deref()
    }
}

/// A table is queried as its scan is.
impl std::ops::Deref for Table {
    type Target = Scan;

    fn deref(&self) -> &Scan {
        &self.scan
    }
}

/// Converts a file of rows to Parquet in a temporary folder. A table from elsewhere keeps its own columns, and so does
/// a file `.csv` that cannot be read as rows of ours.
fn converted(file: &Path, outside: bool, made: &mut Option<TempFolder>) -> Result<PathBuf, CorpusError> {
    let refused = |source| CorpusError::Io { doing: "make a temporary folder for", path: file.to_owned(), source };
    let folder = match made.take() {
        Some(folder) => folder,
        None => TempFolder::new().map_err(refused)?,
    };
    let number = std::fs::read_dir(folder.path()).map_err(refused)?.count();
    let path = folder.path().join(format!("{number}.parquet"));
    *made = Some(folder);
    let table = || write_csv_as_parquet(file, &path);
    if outside {
        table().map_err(|reason| CorpusError::File { path: file.to_owned(), reason })?;
        return Ok(path);
    }
    let input = match Input::open(file, Want::Rows) {
        Err(CorpusError::File { .. })
            if FileFormat::of_name(&file.to_string_lossy()) == Some(FileFormat::Csv) && table().is_ok() =>
        {
            return Ok(path);
        }
        opened => opened.map_err(|error| message(error, file))?,
    };
    let mut sink = RowSink::with_outside(&path, None, &input.outside())?;
    for record in input {
        sink.write(record?)?;
    }
    sink.finish()?;
    Ok(path)
}

/// The message about a file with other columns. It says how to make rows of a file of puzzles.
fn message(error: CorpusError, file: &Path) -> CorpusError {
    match error {
        CorpusError::File { path, reason } if file.is_file() && Input::open(file, None).is_ok() => {
            CorpusError::File { path, reason: format!("{reason}; `analyze` makes rows of puzzles in any file") }
        }
        error => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Record;
    use sudoku_corpus_core::board::{Puzzle, text};

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    /// Ten rows, the first four minimal, written in a format.
    fn rows(folder: &Path, name: &str) -> PathBuf {
        let path = folder.join(name);
        let mut sink = RowSink::create(&path, None).unwrap();
        let puzzle = Puzzle::try_from(text::parse_line(PUZZLE, None).unwrap()).unwrap();
        for index in 0..10 {
            sink.write(Record { minimal: Some(index < 4), ..Record::of_puzzle(index, puzzle.clone()) }).unwrap();
        }
        sink.finish().unwrap();
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
