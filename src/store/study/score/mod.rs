//! Scores predictions: how many puzzles of a set a model solved, by everything that the set says of them.
//!
//! ```text
//!   predictions (JSON lines, CSV, Parquet) --> puzzle -> answer -+
//!   the set: rows with puzzle and solution  ---------------------+--> right, wrong, invalid, missing -> groups -> page
//! ```
//!
//! **The rules.** A puzzle is solved if its answer ends with the solution ([`grid_of`] says which grid that is). A grid
//! in which a given was changed, and an answer without a grid, are invalid. A puzzle without a prediction counts as not
//! solved. For the probe `two_solutions` either solution is right, and for `no_solution` an answer that says "no
//! solution" and ends with no grid. The accuracy is the share of solved puzzles among *all* puzzles of a group, with
//! Wilson's 95 % interval.
//!
//! | file | purpose | main item |
//! |---|---|---|
//! | `answer` | the grid in the answer of a model | [`grid_of`] |
//! | `page` | the score as a page | [`document`] |

mod answer;
mod page;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

use super::{Source, Table};
use crate::corpus::{AskLimits, CorpusError};
use sudoku_corpus_core::board::{Shape, text};
use sudoku_corpus_core::page::numbers::tenths;

pub use answer::grid_of;
pub use page::document;

/// The names of the column with the answers, the first one that a file has.
pub(crate) const ANSWERS: [&str; 7] =
    ["answer", "prediction", "predicted", "output", "response", "completion", "solution"];

/// The answers of a model.
#[derive(Clone, Debug, Default)]
pub struct Predictions {
    /// By puzzle: the number of the line or row, and the answer.
    answers: HashMap<String, (u64, String)>,
}

/// A puzzle as the key of its answer: with dots for open cells and capital letters, without blanks.
fn key(puzzle: &str) -> String {
    let signs = || puzzle.chars().filter(|sign| !sign.is_whitespace());
    // On boards of 36x36, `0` is the first digit. On all others it is an open cell.
    let is_digit = signs().count() == 36 * 36;
    let sign = |sign: char| if sign == '_' || sign == '0' && !is_digit { '.' } else { sign.to_ascii_uppercase() };
    signs().map(sign).collect()
}

impl Predictions {
    /// Adds the answer to a puzzle. `number` is that of its line or row, from 1, for messages.
    ///
    /// # Errors
    /// There was an answer to this puzzle. The new one has replaced it.
    pub fn add(&mut self, number: u64, puzzle: &str, answer: &str) -> Result<(), String> {
        match self.answers.insert(key(puzzle), (number, answer.to_owned())) {
            Some((earlier, _)) => {
                Err(format!("{number} and {earlier} are answers to the same puzzle, {}", key(puzzle)))
            }
            None => Ok(()),
        }
    }

    /// Reads a file: objects with `puzzle` and one of [`ANSWERS`], one a line (.jsonl, .ndjson, .json), or a table with
    /// such columns (.csv, .parquet and what else `query` reads).
    ///
    /// # Errors
    /// A file that cannot be read or has no such columns, a line that is no such object, two answers to one puzzle.
    pub fn read(path: &Path) -> Result<Predictions, CorpusError> {
        let wrong = |reason: String| CorpusError::File { path: path.to_owned(), reason };
        let mut read = Predictions::default();
        let name = path.to_string_lossy().to_ascii_lowercase();
        if ![".jsonl", ".ndjson", ".json"].iter().any(|ending| name.ends_with(ending)) {
            let source = Source { name: Some("predictions".to_owned()), path: path.to_owned(), outside: true };
            let table = Table::of(&[source])?;
            let has = |name: &str| table.ask(&format!("SELECT \"{name}\" FROM predictions LIMIT 0")).is_ok();
            let answer = ANSWERS.into_iter().find(|name| has(name));
            let answer = answer.filter(|_| has("puzzle")).ok_or_else(|| wrong(no_columns()))?;
            let sql = format!("SELECT CAST(puzzle AS TEXT), CAST(\"{answer}\" AS TEXT) FROM predictions");
            let mut number = 0;
            return table
                .ask_in_batches(&sql, &AskLimits::default(), |batch| {
                    (0..batch.len()).try_for_each(|row| {
                        number += 1;
                        let row = batch.row(row)?;
                        let text = |at: usize| row[at].as_str().unwrap_or_default();
                        read.add(number, text(0), text(1)).map_err(|reason| format!("rows {reason}"))
                    })
                })?
                .map(|()| read)
                .map_err(wrong);
        }
        let file = File::open(path).map_err(CorpusError::io("read", path))?;
        for (number, line) in (1..).zip(BufReader::new(file).lines()) {
            let line = line.map_err(CorpusError::io("read", path))?;
            if line.trim().is_empty() {
                continue;
            }
            let object: Value =
                serde_json::from_str(&line).map_err(|error| wrong(format!("line {number}: {error}")))?;
            let field = |name: &str| object.get(name);
            let answer = ANSWERS.into_iter().find_map(field);
            let (Some(puzzle), Some(answer)) = (field("puzzle").and_then(Value::as_str), answer) else {
                return Err(wrong(format!("line {number}: {}", no_columns())));
            };
            let answer = answer.as_str().map_or_else(|| answer.to_string(), str::to_owned);
            read.add(number, puzzle, &answer).map_err(|reason| wrong(format!("lines {reason}")))?;
        }
        Ok(read)
    }

    /// The number of answers.
    pub fn len(&self) -> usize {
        self.answers.len()
    }

    /// True if there is no answer.
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }
}

/// The message for predictions without the columns.
fn no_columns() -> String {
    format!("a prediction has a 'puzzle' and one of {}", ANSWERS.join(", "))
}

/// What a set says of a puzzle. Texts of columns that it does not have are empty.
#[derive(Default)]
struct Row {
    /// The name of its split, from the name of its file.
    split: String,
    puzzle: String,
    /// Every solution that is right; none for the probe `no_solution`.
    solutions: Vec<String>,
    /// The shape as in the column `shape`.
    shape: String,
    level: Option<String>,
    /// ER in tenths.
    er: Option<u64>,
    /// The kind of probe, as `two_solutions`.
    role: Option<String>,
}

/// What an answer is worth.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Solved,
    /// The number of cells that differ from the solution.
    Wrong(u64),
    Invalid,
    Missing,
}

/// The puzzles of a group and what was done with them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Group {
    /// What the group is by: `split`, `role`, `board`, `level` or `er`; empty for all puzzles.
    pub by: String,
    /// Its value, such as `test` or `3.4`.
    pub group: String,
    /// The puzzles of the set.
    pub puzzles: u64,
    /// Puzzles whose answer is right.
    pub solved: u64,
    /// Puzzles whose answer keeps the givens but is another grid.
    pub wrong: u64,
    /// Puzzles whose answer has no grid, or one in which a given was changed; and every answer to a probe `no_solution`
    /// that is not right.
    pub invalid: u64,
    /// Puzzles without an answer.
    pub missing: u64,
    /// Cells that differ from the solution, in wrong answers.
    pub wrong_cells: u64,
    /// The share of the puzzles that were solved, and its 95 % interval.
    pub accuracy: f64,
    #[expect(missing_docs, reason = "the line above says it")]
    pub low: f64,
    #[expect(missing_docs, reason = "the line above says it")]
    pub high: f64,
}

impl Group {
    /// Counts a puzzle.
    fn add(&mut self, verdict: Verdict) {
        self.puzzles += 1;
        match verdict {
            Verdict::Solved => self.solved += 1,
            Verdict::Wrong(cells) => (self.wrong, self.wrong_cells) = (self.wrong + 1, self.wrong_cells + cells),
            Verdict::Invalid => self.invalid += 1,
            Verdict::Missing => self.missing += 1,
        }
    }

    /// With the shares, after the last puzzle.
    fn ended(mut self) -> Group {
        (self.low, self.high) = wilson(self.solved, self.puzzles);
        self.accuracy = self.solved as f64 / self.puzzles.max(1) as f64;
        self
    }
}

/// The 95 % interval of a share by Wilson's method.
fn wilson(part: u64, whole: u64) -> (f64, f64) {
    const Z: f64 = 1.959_963_984_540_054;
    let (n, z2) = (whole.max(1) as f64, Z * Z);
    let share = part as f64 / n;
    let middle = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z / (1.0 + z2 / n) * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    // Rounding must not move the ends of a share of nothing or of everything.
    (if part == 0 { 0.0 } else { middle - half }, if part >= whole { 1.0 } else { middle + half })
}

/// A whole score.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Score {
    /// Answers to puzzles that the set does not have.
    pub foreign: u64,
    /// All puzzles, and then groups by split, role, board, level and tenth of ER.
    pub groups: Vec<Group>,
}

/// The columns of a set that are read, if it has them.
const COLUMNS: [&str; 8] =
    ["puzzle", "solution", "shape", "level", "se_er_tenths", "role", "first_solution", "second_solution"];

/// Scores predictions against a set: folders of releases or corpora, or files of rows.
///
/// # Errors
/// A source that cannot be read, or that has no puzzles with solutions.
pub fn score(predictions: &Predictions, set: &[PathBuf]) -> Result<Score, CorpusError> {
    let mut groups: BTreeMap<(usize, String), Group> = BTreeMap::new();
    let (mut seen, mut matched) = (0, HashSet::new());
    let files: Vec<_> = set.iter().map(|path| files_by_split(path)).collect::<Result<_, _>>()?;
    for (split, file) in files.into_iter().flatten() {
        let table = Table::open(std::slice::from_ref(&file))?;
        let known = table.columns();
        let wanted: Vec<&str> = COLUMNS.into_iter().filter(|name| known.iter().any(|column| column == name)).collect();
        if !wanted.contains(&"solution") {
            return Err(CorpusError::File { path: file, reason: "the rows have no solutions".to_owned() });
        }
        let sql = format!("SELECT {} FROM puzzles", wanted.join(", "));
        let taken = table.ask_in_batches(&sql, &AskLimits::default(), |batch| {
            (0..batch.len()).try_for_each(|at| -> Result<(), String> {
                let row = Row { split: split.clone(), ..row_of(&wanted, &batch.row(at)?) };
                let key = key(&row.puzzle);
                let answer = predictions.answers.get(&key);
                let verdict = answer.map_or(Ok(Verdict::Missing), |(_, answer)| judged(&row, answer))?;
                if answer.is_some() {
                    matched.insert(key);
                }
                seen += 1;
                for (order, by, group) in row.groups() {
                    let fresh = || Group { by: by.to_owned(), group: group.clone(), ..Group::default() };
                    groups.entry((order, sortable(&group))).or_insert_with(fresh).add(verdict);
                }
                Ok(())
            })
        })?;
        taken.map_err(|reason| CorpusError::File { path: file, reason })?;
    }
    if seen == 0 {
        let path = set.first().cloned().unwrap_or_default();
        return Err(CorpusError::File { path, reason: "the set has no puzzles".to_owned() });
    }
    let groups = groups.into_values().map(Group::ended).collect();
    Ok(Score { foreign: (predictions.len() - matched.len()) as u64, groups })
}

/// The files of a set with the names of their splits: the Parquet files in the folder `puzzles` of a release, or else
/// the path itself. The split is the name of the file up to `-00000-of-00001`, or without its ending if it has no such
/// number.
///
/// # Errors
/// The folder `puzzles` cannot be read.
fn files_by_split(path: &Path) -> Result<Vec<(String, PathBuf)>, CorpusError> {
    let folder = path.join("puzzles");
    let list =
        || -> std::io::Result<Vec<PathBuf>> { std::fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect() };
    let mut files = if folder.is_dir() { list().map_err(CorpusError::io("read", &folder))? } else { Vec::new() };
    files.retain(|file| file.extension().is_some_and(|ending| ending == "parquet"));
    files.sort();
    if files.is_empty() {
        files.push(path.to_owned());
    }
    let split = |file: &PathBuf| {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let numbered = stem.rsplit_once("-of-").and_then(|(start, _)| start.rsplit_once('-'));
        numbered.map_or(stem.clone(), |(split, _)| split.to_owned())
    };
    Ok(files.into_iter().map(|file| (split(&file), file)).collect())
}

/// Numbers in their order, not in that of their digits.
fn sortable(group: &str) -> String {
    if group.starts_with(|first: char| first.is_ascii_digit()) { format!("{group:>12}") } else { group.to_owned() }
}

/// A row of the set from its columns, without its split.
fn row_of(names: &[&str], values: &[Value]) -> Row {
    let value = |name: &str| names.iter().position(|known| *known == name).map(|at| &values[at]);
    let text = |name: &str| value(name).and_then(Value::as_str).map(str::to_owned);
    Row {
        split: String::new(),
        puzzle: text("puzzle").unwrap_or_default(),
        solutions: ["solution", "first_solution", "second_solution"].into_iter().filter_map(text).collect(),
        shape: text("shape").unwrap_or_default(),
        level: text("level"),
        er: value("se_er_tenths").and_then(Value::as_u64),
        role: text("role"),
    }
}

impl Row {
    /// The groups that the row belongs to: the place of the kind of group, its name, and the value.
    fn groups(&self) -> impl Iterator<Item = (usize, &'static str, String)> {
        let er = self.er.map(tenths);
        // Jigsaws are one group, whatever their regions.
        let kind = |shape: &String| shape.parse().map_or(shape.clone(), |shape: Shape| shape.kind().to_string());
        let board = Some(&self.shape).filter(|shape| !shape.is_empty()).map(kind);
        let of = [
            ("", Some("all".to_owned())),
            ("split", Some(self.split.clone())),
            ("role", self.role.clone()),
            ("board", board),
            ("level", self.level.clone()),
            ("er", er),
        ];
        of.into_iter().enumerate().filter_map(|(order, (by, group))| group.map(|group| (order, by, group)))
    }
}

/// What an answer to a row is worth. An answer that differs from all solutions beside the puzzle is measured by the
/// nearest.
///
/// # Errors
/// The set has a puzzle or a solution that is none.
fn judged(row: &Row, answer: &str) -> Result<Verdict, String> {
    let shape = row.shape.parse::<Shape>().ok().or_else(|| Shape::of_order(row.puzzle.chars().count().isqrt()).ok());
    let read = |line: &str| match text::parse_line(line, shape) {
        Ok(grid) => Ok((grid.shape(), grid.values().to_vec())),
        Err(error) => Err(format!("'{line}' in the set is no board: {}", error.problem)),
    };
    let (shape, puzzle) = read(&row.puzzle)?;
    let grid = grid_of(answer, shape);
    if row.solutions.is_empty() {
        if row.role.as_deref() != Some("no_solution") {
            return Err(format!("the puzzle {} of the set has no solution beside it", row.puzzle));
        }
        let says_none = answer.to_ascii_lowercase().contains("no solution");
        return Ok(if says_none && grid.is_none() { Verdict::Solved } else { Verdict::Invalid });
    }
    let Some(grid) = grid else { return Ok(Verdict::Invalid) };
    if puzzle.iter().zip(&grid).any(|(&given, &cell)| given > 0 && given != cell) {
        return Ok(Verdict::Invalid);
    }
    let mut fewest = u64::MAX;
    for line in &row.solutions {
        let (_, solution) = read(line)?;
        fewest = fewest.min(solution.iter().zip(&grid).filter(|(one, other)| one != other).count() as u64);
    }
    Ok(if fewest == 0 { Verdict::Solved } else { Verdict::Wrong(fewest) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{Record, RowSink};
    use sudoku_corpus_core::board::{Puzzle, Solution};

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    /// A set of four puzzles: this one with up to three more givens, of ER 1.2 and 2.3 by turns.
    fn set(folder: &Path) -> (PathBuf, Vec<String>) {
        let path = folder.join("test-00000-of-00001.parquet");
        let mut sink = RowSink::create(&path, None).unwrap();
        let read = |line: &str| text::parse_line(line, None).unwrap();
        let solution = Solution::try_from(read(SOLUTION)).unwrap();
        let mut line = PUZZLE.to_owned();
        let mut puzzles = Vec::new();
        for index in 0..4 {
            let record = Record::of_puzzle(index, Puzzle::try_from(read(&line)).unwrap());
            let er = Some(12 + 11 * (index as u32 % 2));
            sink.write(Record { solution: Some(solution.clone()), se_er_tenths: er, ..record }).unwrap();
            let open = line.find('.').unwrap();
            let more = format!("{}{}{}", &line[..open], &SOLUTION[open..=open], &line[open + 1..]);
            puzzles.push(std::mem::replace(&mut line, more));
        }
        sink.finish().unwrap();
        (path, puzzles)
    }

    #[test]
    fn every_puzzle_of_the_set_is_solved_wrong_invalid_or_missing() {
        let folder = tempfile::tempdir().unwrap();
        let (path, puzzles) = set(folder.path());
        let answers = |texts: &[&str]| {
            let file = folder.path().join("predictions.jsonl");
            let line = |(answer, puzzle): (&&str, &String)| {
                serde_json::json!({"puzzle": puzzle.replace('.', "0"), "output": answer}).to_string()
            };
            let lines: Vec<String> = texts.iter().zip(&puzzles).map(line).collect();
            std::fs::write(&file, lines.join("\n")).unwrap();
            score(&Predictions::read(&file).unwrap(), std::slice::from_ref(&path)).unwrap()
        };
        let wrong = format!("{}43", &SOLUTION[..79]);
        let whole = answers(&[SOLUTION, &wrong]);
        let all = &whole.groups[0];
        assert_eq!((all.puzzles, all.solved, all.wrong + all.invalid), (4, 1, 1));
        assert_eq!(all.missing, 2);
        assert_eq!(whole.groups.iter().filter(|group| group.by == "er").map(|group| group.puzzles).sum::<u64>(), 4);
        assert_eq!(whole.groups.iter().find(|group| group.by == "split").unwrap().group, "test");
        let none = answers(&["I do not know", "no solution"]);
        assert_eq!((none.groups[0].invalid, none.groups[0].solved, none.foreign), (2, 0, 0));
        let cells = format!("{}8", &SOLUTION[..80]);
        let part = answers(&[&cells]);
        assert_eq!((part.groups[0].wrong, part.groups[0].invalid), (0, 1), "the last cell is a given");
        let swapped = SOLUTION.replacen("78912", "78921", 1);
        let part = answers(&[&swapped]);
        assert_eq!((part.groups[0].wrong, part.groups[0].wrong_cells), (1, 2));
    }

    #[test]
    fn puzzles_are_found_by_zeros_and_with_blanks() {
        let mut answers = Predictions::default();
        let open = |signs: &str| signs.replace('.', "0");
        let spaced = |signs: &str| signs.chars().map(|sign| format!("{sign} ")).collect::<String>();
        let sixteen = format!("1.G{}", ".".repeat(253));
        for (puzzle, written) in [(PUZZLE, spaced(&open(PUZZLE))), (&sixteen, open(&sixteen).to_lowercase())] {
            answers.add(1, &written, "x").unwrap();
            assert!(answers.answers.contains_key(&key(puzzle)), "{written}");
            assert_eq!(key(puzzle), puzzle);
        }
        let large = format!("0.Z{}", ".".repeat(1_293));
        assert_eq!([key(&large), key(&spaced(&large))], [large.clone(), large], "0 is a digit of 36x36");
    }

    #[test]
    fn jigsaws_are_one_group() {
        let row = |shape: &str| Row { shape: shape.to_owned(), ..row_of(&[], &[]) };
        let board = |shape| row(shape).groups().find(|(_, by, _)| *by == "board").map(|(_, _, group)| group);
        assert_eq!(board("4+jigsaw:AAABCABBCCDBCDDD").as_deref(), Some("4+jigsaw"));
        assert_eq!(board("3x3+x").as_deref(), Some("3x3+x"));
        assert_eq!(board(""), None);
    }

    #[test]
    fn two_answers_to_a_puzzle_and_files_without_answers_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        for (name, contents, words) in [
            ("a.jsonl", format!("{{\"puzzle\":\"{PUZZLE}\",\"answer\":\"x\"}}\n").repeat(2), "lines 2 and 1"),
            ("b.csv", format!("puzzle,answer\n{PUZZLE},a\n{},b\n", PUZZLE.replace('.', "0")), "rows 2 and 1"),
            ("c.csv", format!("puzzle,guess\n{PUZZLE},a\n"), "one of answer"),
            ("d.jsonl", "{\"puzzle\":\"1\"}".to_owned(), "one of answer"),
            ("e.jsonl", "nonsense".to_owned(), "line 1"),
        ] {
            let path = folder.path().join(name);
            std::fs::write(&path, contents).unwrap();
            let error = Predictions::read(&path).unwrap_err().to_string();
            assert!(error.contains(words), "{name}: {error}");
        }
        let (path, _) = set(folder.path());
        let csv = folder.path().join("good.csv");
        std::fs::write(&csv, format!("puzzle,prediction\n{PUZZLE},{SOLUTION}\n{},x\n", ".".repeat(81))).unwrap();
        let scored = score(&Predictions::read(&csv).unwrap(), &[path]).unwrap();
        assert_eq!((scored.groups[0].solved, scored.foreign), (1, 1));
    }

    /// From the definition: the shares p with |share - p| = z * sqrt(p * (1 - p) / n).
    #[test]
    fn the_interval_is_wilsons() {
        for (part, whole) in [(0, 10), (3, 10), (10, 10), (123, 1_000)] {
            let (low, high) = wilson(part, whole);
            let share = part as f64 / whole as f64;
            for end in [low, high].into_iter().filter(|end| *end > 0.0 && *end < 1.0) {
                let z = (share - end).abs() / (end * (1.0 - end) / whole as f64).sqrt();
                assert!((z - 1.959_964).abs() < 1e-4, "{part}/{whole}: {z}");
            }
            assert!(low <= share && share <= high);
        }
    }
}
