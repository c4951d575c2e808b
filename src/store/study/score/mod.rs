//! Scores predictions: how many puzzles of a set a model solved, by everything that the set says of them.
//!
//! ```text
//!   predictions (JSON lines, CSV, Parquet) --> puzzle -> answer -+
//!   the set: rows with puzzle and solution  ---------------------+--> right, wrong, invalid, missing -> groups -> page
//! ```
//!
//! **The rules.** A puzzle is solved if its answer ends with the solution ([`grid_of`] says which grid that is), or with
//! any grid that completes it by the rules, unless the set says that it has only one solution. A grid in which a given
//! was changed, and an answer without a grid, are invalid. A puzzle without a prediction counts as not solved. For the
//! probe `two_solutions` either solution is right, and so is an answer that says "two solutions" and ends with no grid;
//! for `no_solution` one that says "no solution" and ends with no grid. The accuracy is the share of solved puzzles among
//! *all* puzzles of a group, with Wilson's 95 % interval.
//!
//! | file | purpose | main item |
//! |---|---|---|
//! | `answer` | the grid in the answer of a model | [`grid_of`] |
//! | `rows` | rows of a grid and their labels | `grid_of_rows` |
//! | `marks` | HTML, LaTeX and signs that look like others | `plain` |
//! | `words` | what an answer says of itself and of the puzzle | `claim_of` |
//! | `page` | the score as a page | [`document`] |

mod answer;
mod marks;
mod page;
mod rows;
mod words;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

use super::{Source, Table};
use crate::corpus::{AskLimits, CorpusError, SourceScales, in_words};
use sudoku_corpus_core::board::{Grid, Shape, Solution, text};
use sudoku_corpus_core::page::numbers::{counted, tenths};

pub use answer::grid_of;
use answer::without_thoughts;
pub use page::document;
use words::{SolutionClaim, claim_of};

/// The names that a column of answers has without a word from the user. `solution` is none: it may be the truth.
const ANSWERS: [&str; 6] = ["answer", "prediction", "predicted", "output", "response", "completion"];

/// The most bytes of a line of predictions: a megabyte of text, escaped.
const LONGEST_LINE: u64 = 8 << 20;

/// The answers of a model.
#[derive(Clone, Debug, Default)]
pub struct Predictions {
    /// By puzzle, as [`key`] writes it.
    answers: HashMap<String, Answer>,
}

/// What counts of an answer. Its text may be long, and is not kept.
#[derive(Clone, Debug)]
struct Answer {
    /// The number of its line or row, for messages.
    number: u64,
    /// The cells of the grid that it ends with.
    grid: Option<Vec<u16>>,
    /// What it says of the number of solutions.
    claim: Option<SolutionClaim>,
}

impl Answer {
    /// Reads an answer to a puzzle, of which only the number of cells counts.
    fn of(number: u64, puzzle: &str, text: &str) -> Answer {
        let grid = grid_of(text, puzzle.chars().count().isqrt());
        Answer { number, grid, claim: claim_of(without_thoughts(text)) }
    }
}

/// A puzzle as the key of its answer: a line as this program writes it. What is no board that can be read alone, such
/// as a jigsaw, has at least dots for empty cells and capital letters, without blanks.
fn key(puzzle: &str) -> String {
    if let Some(grid) = text::parse_line(puzzle, None).ok().filter(|grid| grid.shape().order() <= 36) {
        return text::line(&grid);
    }
    let signs: String = puzzle.split_whitespace().collect::<String>().to_ascii_uppercase();
    // On boards of 36x36, `0` is the first digit. On all others it is an empty cell.
    let is_zero_empty = signs.chars().count() != 36 * 36;
    signs.replace(|sign: char| !sign.is_ascii_alphanumeric() || sign == '0' && is_zero_empty, ".")
}

impl Predictions {
    /// Adds the answer to a puzzle, unless it is empty. `number` is that of its line or row, from 1, for messages.
    ///
    /// # Errors
    /// There was an answer to this puzzle, which the new one has replaced; or the answer is a number that has lost its
    /// digits.
    pub fn add(&mut self, number: u64, puzzle: &str, answer: &str) -> Result<(), String> {
        if answer.trim().is_empty() {
            return Ok(());
        }
        if answer.contains(['e', 'E']) && answer.trim().parse::<f64>().is_ok() {
            let what = "with numbers that were rounded, such as";
            return Err(format!("{what} {number}, {}: write the answers anew, as texts", answer.trim()));
        }
        let key = key(puzzle);
        let answer = Answer::of(number, &key, answer);
        match self.answers.insert(key, answer) {
            Some(Answer { number: earlier, .. }) => {
                Err(format!("{number} and {earlier} are answers to the same puzzle, {}", self::key(puzzle)))
            }
            None => Ok(()),
        }
    }

    /// Reads a file: objects with `puzzle` and an answer, one a line (.jsonl, .ndjson, .json), or a table with such
    /// columns (.csv, .parquet and what else `query` reads). The answers of a file are in one column: the one that is
    /// named, or else the only one of the usual names that the file has. Rows without a value there are no predictions.
    ///
    /// # Errors
    /// A file that cannot be read; no column of answers, or several; a line that is no such object; two answers to one
    /// puzzle; no answer at all.
    pub fn read(path: &Path, answer: Option<&str>) -> Result<Predictions, CorpusError> {
        let name = path.to_string_lossy().to_ascii_lowercase();
        let predictions = match [".jsonl", ".ndjson", ".json"].iter().any(|ending| name.ends_with(ending)) {
            true => Predictions::of_lines(path, answer)?,
            false => Predictions::of_table(path, answer)?,
        };
        if predictions.is_empty() {
            let column = answer.map_or(String::new(), |column| format!(" in '{column}'"));
            return Err(refused(path, format!("there is no answer{column}")));
        }
        Ok(predictions)
    }

    /// Reads a table.
    fn of_table(path: &Path, answer: Option<&str>) -> Result<Predictions, CorpusError> {
        let source = Source { name: Some("predictions".to_owned()), path: path.to_owned(), outside: true };
        let table = Table::of(&[source])?;
        let answered = table.ask("SELECT * FROM predictions LIMIT 0")?;
        let column =
            column_of(answered.names().iter().map(String::as_str), answer).map_err(|reason| refused(path, reason))?;
        let sql =
            format!("SELECT CAST(puzzle AS TEXT), CAST(\"{}\" AS TEXT) FROM predictions", column.replace('"', "\"\""));
        let (mut predictions, mut number) = (Predictions::default(), 0);
        let all_taken = table.ask_in_batches(&sql, &AskLimits::default(), |batch| {
            (0..batch.len()).try_for_each(|row| {
                number += 1;
                let row = batch.row(row)?;
                match (row[0].as_str(), row[1].as_str()) {
                    (Some(puzzle), Some(text)) => {
                        predictions.add(number, puzzle, text).map_err(|reason| format!("rows {reason}"))
                    }
                    _ => Ok(()),
                }
            })
        })?;
        all_taken.map(|()| predictions).map_err(|reason| refused(path, reason))
    }

    /// Reads objects, one a line.
    fn of_lines(path: &Path, answer: Option<&str>) -> Result<Predictions, CorpusError> {
        let mut file = BufReader::new(File::open(path).map_err(CorpusError::io("read", path))?);
        let mut predictions = Predictions::default();
        let mut column = AnswerColumn { asked: answer, last: None };
        let mut line = String::new();
        for number in 1.. {
            line.clear();
            let bytes = (&mut file).take(LONGEST_LINE).read_line(&mut line).map_err(CorpusError::io("read", path))?;
            if bytes as u64 == LONGEST_LINE {
                return Err(refused(path, format!("line {number} is longer than {LONGEST_LINE} bytes")));
            }
            if bytes == 0 {
                break;
            }
            if line.trim().is_empty() {
                continue;
            }
            let prediction =
                column.of_line(&line).map_err(|reason| refused(path, format!("line {number}: {reason}")))?;
            if let Some((puzzle, text)) = prediction {
                predictions.add(number, &puzzle, &text).map_err(|reason| refused(path, format!("lines {reason}")))?;
            }
        }
        Ok(predictions)
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

/// The error about a file.
fn refused(path: &Path, reason: String) -> CorpusError {
    CorpusError::File { path: path.to_owned(), reason }
}

/// The column of answers in a file of objects.
struct AnswerColumn<'a> {
    /// The one that was named.
    asked: Option<&'a str>,
    /// That of the lines before.
    last: Option<String>,
}

impl AnswerColumn<'_> {
    /// The puzzle of a line, and the answer to it. None if the line has no answer.
    ///
    /// # Errors
    /// The line is no object with a puzzle, or its answer may be in another column than those of the lines before.
    fn of_line(&mut self, line: &str) -> Result<Option<(String, String)>, String> {
        let object: Value = serde_json::from_str(&with_texts_of_digits(line)).map_err(|error| in_words(&error))?;
        let fields = object.as_object().ok_or("it is no object")?;
        if let Ok(RepeatedName(Some(name))) = serde_json::from_str(line) {
            return Err(format!("two fields are called '{name}'"));
        }
        let has_other = fields.keys().any(|name| ANSWERS.contains(&name.as_str()) && Some(name) != self.last.as_ref());
        let column = match (self.asked, &self.last) {
            (Some(asked), _) => asked.to_owned(),
            (None, Some(last)) if !has_other => last.clone(),
            (None, _) => column_of(fields.keys().map(String::as_str), None)?,
        };
        if self.last.as_ref().is_some_and(|last| *last != column) {
            return Err(format!("'{column}', but the lines before have another column: use --answer"));
        }
        let puzzle = fields.get("puzzle").and_then(Value::as_str).ok_or("there is no 'puzzle'")?;
        let answer = fields.get(&column).filter(|answer| !answer.is_null());
        let answer = answer.map(|answer| answer.as_str().map_or_else(|| answer.to_string(), str::to_owned));
        self.last = Some(column);
        Ok(answer.map(|answer| (puzzle.to_owned(), answer)))
    }
}

/// The first name of a field of an object that is that of an earlier field.
struct RepeatedName(Option<String>);

impl<'de> Deserialize<'de> for RepeatedName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RepeatedName, D::Error> {
        deserializer.deserialize_map(FieldNames)
    }
}

/// Reads the names of the fields of an object.
struct FieldNames;

impl<'de> Visitor<'de> for FieldNames {
    type Value = RepeatedName;

    fn expecting(&self, text: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        text.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<RepeatedName, A::Error> {
        let (mut names, mut repeated) = (HashSet::new(), None);
        while let Some((name, IgnoredAny)) = fields.next_entry::<String, IgnoredAny>()? {
            if !names.insert(name.clone()) {
                repeated.get_or_insert(name);
            }
        }
        Ok(RepeatedName(repeated))
    }
}

/// A line of JSON in which numbers of more digits than a double has are texts, so that none is lost.
fn with_texts_of_digits(line: &str) -> String {
    const EXACT: usize = 15;
    let mut text = String::with_capacity(line.len());
    let (mut is_quoted, mut is_escaped) = (false, false);
    let mut rest = line;
    while let Some(sign) = rest.chars().next() {
        let is_number = !is_quoted && (sign == '-' || sign.is_ascii_digit());
        let ends_number = |sign: char| !(sign.is_ascii_alphanumeric() || ".+-".contains(sign));
        let length = if is_number { rest.find(ends_number).unwrap_or(rest.len()) } else { sign.len_utf8() };
        let (part, behind) = rest.split_at(length);
        match part.len() > EXACT && part.bytes().all(|digit| digit.is_ascii_digit()) {
            true => text.extend(["\"", part, "\""]),
            false => text.push_str(part),
        }
        is_quoted ^= sign == '"' && !is_escaped;
        is_escaped = sign == '\\' && !is_escaped;
        rest = behind;
    }
    text
}

/// The first names of columns.
fn listed(names: &[&str]) -> String {
    const MOST: usize = 12;
    match names.get(..MOST) {
        Some(first) if names.len() > MOST => format!("{}, ..", first.join(", ")),
        _ => names.join(", "),
    }
}

/// The column of answers among the columns of a file: the one that is named, or the only one with a usual name.
///
/// # Errors
/// There is none, or there are several; there is no column `puzzle`.
fn column_of<'n>(names: impl Iterator<Item = &'n str>, answer: Option<&str>) -> Result<String, String> {
    let names: Vec<&str> = names.collect();
    if !names.contains(&"puzzle") {
        return Err(format!(
            "the first line has to name the columns, as puzzle,answer; here it has {}",
            listed(&names)
        ));
    }
    let usual: Vec<&str> = ANSWERS.into_iter().filter(|name| names.contains(name)).collect();
    match (answer, &usual[..]) {
        (Some(answer), _) if names.contains(&answer) => Ok(answer.to_owned()),
        (Some(answer), _) => Err(format!("there is no column '{answer}'; the columns are {}", listed(&names))),
        (None, [only]) => Ok((*only).to_owned()),
        (None, []) => Err(format!(
            "no column is one of {}: name the answers with --answer COLUMN; the columns are {}",
            ANSWERS.join(", "),
            listed(&names)
        )),
        (None, several) => {
            Err(format!("{} may all be the answers: choose one with --answer COLUMN", several.join(" and ")))
        }
    }
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
    /// ER as a text; a lower bound says that it is one.
    er: Option<String>,
    /// The kind of probe, as `two_solutions`.
    role: Option<String>,
    /// The set says that the puzzle has exactly one solution.
    is_unique: bool,
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
pub struct ScoreGroup {
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

impl ScoreGroup {
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
    fn ended(mut self) -> ScoreGroup {
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
    /// Rows of the set whose puzzle stands in an earlier row. They are not counted.
    pub copies: u64,
    /// The scale of the levels; none if some files do not say it.
    pub level_scale: Option<String>,
    /// All puzzles, and then groups by split, role, board, level and tenth of ER.
    pub groups: Vec<ScoreGroup>,
}

/// The columns of a set that are read, if it has them.
const COLUMNS: [&str; 11] = [
    "puzzle", "solution", "shape", "level", "se_er_tenths", "se_exact", "role", "first_solution", "second_solution",
    "solutions", "solutions_exact",
];

/// Those that are texts. A column of boards of order 4 or less may look like numbers.
const TEXTS: [&str; 7] = ["puzzle", "solution", "shape", "level", "role", "first_solution", "second_solution"];

/// Scores predictions against a set: folders of releases or corpora, or files of rows.
///
/// # Errors
/// A source that cannot be read, or that has no puzzles with solutions; sources whose levels have different scales.
pub fn score(predictions: &Predictions, set: &[PathBuf]) -> Result<Score, CorpusError> {
    let mut scoring = Scoring::of(predictions);
    let mut files = Vec::new();
    for path in set {
        files.extend(files_by_split(path)?);
    }
    let paths: Vec<PathBuf> = files.iter().map(|(_, file)| file.clone()).collect();
    let scales = SourceScales::of(&paths)?;
    let levels = scales.common().map_err(|error| {
        CorpusError::Query(format!("{error}; score them one by one, or rate all on one scale with `analyze`"))
    })?;
    let level_scale = scales.are_all(&levels).then(|| levels.scale().to_owned());
    for (split, file) in files {
        let table = Table::open(std::slice::from_ref(&file))?;
        let known = table.columns();
        let wanted: Vec<&str> = COLUMNS.into_iter().filter(|name| known.iter().any(|column| column == name)).collect();
        if !wanted.contains(&"solution") {
            return Err(CorpusError::File { path: file, reason: "the rows have no solutions".to_owned() });
        }
        let asked: Vec<String> = wanted.iter().map(|name| asked(name)).collect();
        let sql = format!("SELECT {} FROM puzzles", asked.join(", "));
        let taken = table.ask_in_batches(&sql, &AskLimits::default(), |batch| {
            (0..batch.len()).try_for_each(|at| -> Result<(), String> {
                scoring.add(&Row { split: split.clone(), ..row_of(&wanted, &batch.row(at)?) })
            })
        })?;
        taken.map_err(|reason| CorpusError::File { path: file, reason })?;
    }
    Ok(Score { level_scale, ..scoring.ended(set)? })
}

/// A score while rows of the set are added.
struct Scoring<'a> {
    predictions: &'a Predictions,
    groups: ScoreGroups,
    /// A hash of each puzzle that was counted.
    puzzles: HashSet<u128>,
    copies: u64,
    /// The keys of the puzzles that have an answer.
    matched: HashSet<String>,
}

impl Scoring<'_> {
    fn of(predictions: &Predictions) -> Scoring<'_> {
        let (groups, puzzles, matched) = (ScoreGroups::default(), HashSet::new(), HashSet::new());
        Scoring { predictions, groups, puzzles, copies: 0, matched }
    }

    /// Adds a row. A puzzle that stands in several rows, or in several files, counts in the first one alone.
    ///
    /// # Errors
    /// The row has a puzzle or a solution that is none.
    fn add(&mut self, row: &Row) -> Result<(), String> {
        let key = key(&row.puzzle);
        if !self.puzzles.insert(row.hash(&key)) {
            self.copies += 1;
            return Ok(());
        }
        let answer = self.predictions.answers.get(&key);
        let verdict = answer.map_or(Ok(Verdict::Missing), |answer| judged(row, answer))?;
        if answer.is_some() {
            self.matched.insert(key);
        }
        self.groups.add(row, verdict);
        Ok(())
    }

    /// The score.
    ///
    /// # Errors
    /// The set has no puzzles, or none that was answered.
    fn ended(self, set: &[PathBuf]) -> Result<Score, CorpusError> {
        let Scoring { predictions, groups, puzzles, copies, matched } = self;
        if puzzles.is_empty() {
            return Err(refused_set(set, "the set has no puzzles".to_owned()));
        }
        if matched.is_empty() && !predictions.is_empty() {
            let answers = counted(predictions.len() as u64, "answer");
            let reason = format!("it has none of the puzzles that were answered ({answers}); is it the right set?");
            return Err(refused_set(set, reason));
        }
        let foreign = (predictions.len() - matched.len()) as u64;
        Ok(Score { foreign, copies, level_scale: None, groups: groups.ended() })
    }
}

/// The error about a set, which names its first path.
fn refused_set(set: &[PathBuf], reason: String) -> CorpusError {
    refused(set.first().map_or(Path::new(""), PathBuf::as_path), reason)
}

/// A column of a set as SQL asks for it.
fn asked(name: &str) -> String {
    if TEXTS.contains(&name) { format!("CAST({name} AS TEXT) AS {name}") } else { name.to_owned() }
}

/// The groups of a score while rows are added.
#[derive(Default)]
struct ScoreGroups {
    groups: BTreeMap<GroupKey, ScoreGroup>,
}

/// What tells groups apart, in their order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct GroupKey {
    /// The place of the kind of group.
    order: usize,
    name: String,
    /// For a role, the split in which it stands: a split may give a role a meaning of its own.
    split: String,
}

impl ScoreGroups {
    /// Adds a row to all of its groups.
    fn add(&mut self, row: &Row, verdict: Verdict) {
        for (order, by, group) in row.groups() {
            let split = if by == "role" { row.split.clone() } else { String::new() };
            let key = GroupKey { order, name: sortable(&group), split };
            let fresh = || ScoreGroup { by: by.to_owned(), group, ..ScoreGroup::default() };
            self.groups.entry(key).or_insert_with(fresh).add(verdict);
        }
    }

    /// The groups in their order. A role that stands in several splits is named with each of them.
    fn ended(self) -> Vec<ScoreGroup> {
        let mut splits: BTreeMap<String, usize> = BTreeMap::new();
        for group in self.groups.values().filter(|group| group.by == "role") {
            *splits.entry(group.group.clone()).or_default() += 1;
        }
        let named = |(key, group): (GroupKey, ScoreGroup)| match splits.get(&group.group) {
            Some(2..) if group.by == "role" => ScoreGroup { group: format!("{}: {}", key.split, group.group), ..group },
            _ => group,
        };
        self.groups.into_iter().map(named).map(ScoreGroup::ended).collect()
    }
}

/// The files of a set with the names of their splits: the Parquet files in the folder `puzzles` of a release, or else
/// the path itself. The split is the name of the file up to `-00000-of-00001`, or without its ending if it has no such
/// number.
///
/// # Errors
/// The folder `puzzles` cannot be read.
fn files_by_split(path: &Path) -> Result<Vec<(String, PathBuf)>, CorpusError> {
    let folder = path.join("puzzles");
    let mut files = Vec::new();
    if folder.is_dir() {
        let unreadable = CorpusError::io("read", &folder);
        let entries = std::fs::read_dir(&folder).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
        files.extend(entries.map_err(unreadable)?.iter().map(std::fs::DirEntry::path));
    }
    files.retain(|file| file.extension().is_some_and(|ending| ending == "parquet"));
    files.sort();
    if files.is_empty() {
        files.push(path.to_owned());
    }
    Ok(files.into_iter().map(|file| (split_of(&file), file)).collect())
}

/// The name of the split in a file: `test` of `test-00000-of-00001.parquet`.
fn split_of(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let numbered = stem.rsplit_once("-of-").and_then(|(start, _)| start.rsplit_once('-'));
    numbered.map_or(stem.clone(), |(split, _)| split.to_owned())
}

/// Numbers in their order, not in that of their digits.
fn sortable(group: &str) -> String {
    // "1.2 or more" stands behind 1.2.
    let (number, rest) = group.split_once(' ').unwrap_or((group, ""));
    match number.starts_with(|first: char| first.is_ascii_digit()) {
        true => format!("{number:>12} {rest}"),
        false => group.to_owned(),
    }
}

/// A row of the set from its columns, without its split.
fn row_of(names: &[&str], values: &[Value]) -> Row {
    let value = |name: &str| names.iter().position(|known| *known == name).map(|at| &values[at]);
    let text = |name: &str| value(name).and_then(Value::as_str).map(str::to_owned);
    // SQL has no flags, but numbers.
    let is_false =
        |name: &str| value(name).is_some_and(|flag| flag.as_bool() == Some(false) || flag.as_u64() == Some(0));
    let is_bound = is_false("se_exact");
    let er = value("se_er_tenths").and_then(Value::as_u64).map(tenths);
    Row {
        split: String::new(),
        puzzle: text("puzzle").unwrap_or_default(),
        solutions: ["solution", "first_solution", "second_solution"].into_iter().filter_map(text).collect(),
        shape: text("shape").unwrap_or_default(),
        level: text("level"),
        er: er.map(|er| if is_bound { er + " or more" } else { er }),
        role: text("role"),
        is_unique: value("solutions").and_then(Value::as_u64) == Some(1) && !is_false("solutions_exact"),
    }
}

impl Row {
    /// The shape of the board: that of the column, or the usual one of its size.
    fn board_shape(&self) -> Option<Shape> {
        let usual = || Shape::of_order(self.puzzle.chars().count().isqrt()).ok();
        self.shape.parse().ok().or_else(usual)
    }

    /// A hash of the puzzle, whose key is given: the same cells are another puzzle on a board of another shape.
    fn hash(&self, key: &str) -> u128 {
        let shape = self.board_shape().map_or_else(|| self.shape.clone(), |shape| shape.to_string());
        let hash = blake3::hash(format!("{shape} {key}").as_bytes());
        u128::from_le_bytes(std::array::from_fn(|place| hash.as_bytes()[place]))
    }

    /// The groups that the row belongs to: the place of the kind of group, its name, and the value.
    fn groups(&self) -> impl Iterator<Item = (usize, &'static str, String)> {
        // Jigsaws are one group, whatever their regions.
        let board = self.shape.parse().map_or(self.shape.clone(), |shape: Shape| shape.kind().to_string());
        let groups = [
            ("", Some("all".to_owned())),
            ("split", Some(self.split.clone())),
            ("role", self.role.clone()),
            ("board", Some(board).filter(|board| !board.is_empty())),
            ("level", self.level.clone()),
            ("er", self.er.clone()),
        ];
        groups.into_iter().enumerate().filter_map(|(order, (by, group))| Some((order, by, group?)))
    }
}

/// What an answer to a row is worth. An answer that differs from all solutions beside the puzzle is measured by the
/// nearest.
///
/// # Errors
/// The set has a puzzle or a solution that is none.
fn judged(row: &Row, answer: &Answer) -> Result<Verdict, String> {
    let shape = row.board_shape();
    let read = |line: &str| match text::parse_line(line, shape) {
        Ok(grid) => Ok(grid.values().to_vec()),
        Err(error) => Err(format!("'{line}' in the set is no board: {}", error.reason)),
    };
    let puzzle = read(&row.puzzle)?;
    if row.solutions.is_empty() {
        if row.role.as_deref() != Some("no_solution") {
            return Err(format!("the puzzle {} of the set has no solution beside it", row.puzzle));
        }
        let is_right = answer.claim == Some(SolutionClaim::NoSolution) && answer.grid.is_none();
        return Ok(if is_right { Verdict::Solved } else { Verdict::Invalid });
    }
    let solutions = row.solutions.iter().map(|line| read(line)).collect::<Result<Vec<_>, _>>()?;
    // The rules of a board whose shape the set does not name may be others.
    let rules: Option<Shape> = row.shape.parse().ok();
    let is_solution = |cells: &[u16]| keeps(cells, &puzzle) && rules.is_none_or(|shape| is_full_grid(cells, shape));
    if let Some((line, _)) = row.solutions.iter().zip(&solutions).find(|(_, solution)| !is_solution(solution)) {
        return Err(format!("the set has a wrong solution, {line}, beside the puzzle {}", row.puzzle));
    }
    let Some(grid) = &answer.grid else {
        let is_right =
            row.role.as_deref() == Some("two_solutions") && answer.claim == Some(SolutionClaim::SeveralSolutions);
        return Ok(if is_right { Verdict::Solved } else { Verdict::Invalid });
    };
    if !keeps(grid, &puzzle) {
        return Ok(Verdict::Invalid);
    }
    let wrong_cells =
        |solution: &Vec<u16>| solution.iter().zip(grid).filter(|(one, other)| one != other).count() as u64;
    let fewest = solutions.iter().map(wrong_cells).min().unwrap_or(u64::MAX);
    let is_other_solution = !row.is_unique && shape.is_some_and(|shape| is_full_grid(grid, shape));
    Ok(if fewest == 0 || is_other_solution { Verdict::Solved } else { Verdict::Wrong(fewest) })
}

/// True if cells have all givens of a puzzle.
fn keeps(cells: &[u16], puzzle: &[u16]) -> bool {
    puzzle.iter().zip(cells).all(|(&given, &cell)| given == 0 || given == cell)
}

/// True for the cells of a full grid that keeps the rules.
fn is_full_grid(cells: &[u16], shape: Shape) -> bool {
    Grid::new(shape, cells.to_vec()).is_ok_and(|grid| Solution::try_from(grid).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{Levels, Record, RowSink};
    use sudoku_corpus_core::board::Puzzle;

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    #[test]
    fn levels_on_two_scales_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let files = ["newspaper.parquet", "hodoku.parquet"].map(|name| folder.path().join(name));
        for (file, levels) in files.iter().zip([Levels::default(), Levels::hodoku()]) {
            RowSink::with_levels(file, None, &[], &levels).unwrap().finish().unwrap();
        }
        let mut predictions = Predictions::default();
        predictions.add(1, PUZZLE, SOLUTION).unwrap();
        let error = score(&predictions, &files).unwrap_err().to_string();
        assert!(error.contains("different scales") && error.contains("`analyze`"), "{error}");
    }

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
            score(&Predictions::read(&file, None).unwrap(), std::slice::from_ref(&path)).unwrap()
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
    fn a_puzzle_that_stands_twice_counts_once() {
        let folder = tempfile::tempdir().unwrap();
        let (path, puzzles) = set(folder.path());
        let doubled = folder.path().join("doubled.csv");
        let row = format!("{PUZZLE},{SOLUTION}\n");
        std::fs::write(&doubled, format!("puzzle,solution\n{row}{}", row.replace('.', "0"))).unwrap();
        let mut answers = Predictions::default();
        answers.add(1, &puzzles[0], SOLUTION).unwrap();
        for (set, copies, counted) in
            [(vec![doubled.clone()], 1, 1), (vec![path.clone(), path.clone()], 4, 4), (vec![path, doubled], 2, 4)]
        {
            let scored = score(&answers, &set).unwrap();
            let all = &scored.groups[0];
            assert_eq!((scored.copies, all.puzzles, all.solved), (copies, counted, 1), "{set:?}");
        }
    }

    #[test]
    fn puzzles_are_found_by_all_signs_of_empty_cells_and_with_blanks() {
        let open = |signs: &str| signs.replace('.', "0");
        let spaced = |signs: &str| signs.chars().map(|sign| format!("{sign} ")).collect::<String>();
        let sixteen = format!("1.G{}", ".".repeat(253));
        let mut written = vec![(PUZZLE, spaced(&open(PUZZLE))), (&*sixteen, open(&sixteen).to_lowercase())];
        written.extend(["*", "-", "_", "?", "x", " "].map(|sign| (PUZZLE, PUZZLE.replace('.', sign))));
        for (puzzle, written) in written {
            let mut answers = Predictions::default();
            answers.add(1, &written, "x").unwrap();
            assert!(answers.answers.contains_key(&key(puzzle)), "{written}");
            assert_eq!(key(puzzle), puzzle);
        }
        let large = format!("0.Z{}", ".".repeat(1_293));
        assert_eq!([key(&large), key(&spaced(&large))], [large.clone(), large], "0 is a digit of 36x36");
    }

    /// Whoever completes a puzzle by the rules has solved it, unless it is known that it has one solution.
    #[test]
    fn any_solution_of_a_puzzle_with_several_is_right_and_a_wrong_one_is_refused() {
        // Two rows of a band, exchanged.
        let other = format!("{}{}{}", &SOLUTION[9..18], &SOLUTION[..9], &SOLUTION[18..]);
        let open = format!("{}{}", ".".repeat(18), &SOLUTION[18..]);
        let verdict = |shape: &str, is_unique: bool, solution: &str, answer: &str| {
            let (shape, puzzle) = (shape.to_owned(), open.clone());
            let row = Row { shape, puzzle, solutions: vec![solution.to_owned()], is_unique, ..Row::default() };
            judged(&row, &Answer::of(1, &open, answer))
        };
        assert!(verdict("3x3", false, SOLUTION, &other) == Ok(Verdict::Solved));
        assert!(verdict("", false, SOLUTION, &other) == Ok(Verdict::Solved));
        assert!(verdict("3x3", true, SOLUTION, &other) == Ok(Verdict::Wrong(18)));
        let broken = other.replacen("672", "772", 1);
        assert!(matches!(verdict("3x3", false, SOLUTION, &broken), Ok(Verdict::Wrong(_))));
        let foreign = format!("{}{}{}", &SOLUTION[..63], &SOLUTION[72..], &SOLUTION[63..72]);
        for wrong in [&foreign, &broken] {
            let refusal = verdict("3x3", false, wrong, SOLUTION).err().unwrap_or_default();
            assert!(refusal.contains("a wrong solution"), "{wrong}: {refusal}");
        }
    }

    /// A line of digits may stand in JSON without quotes.
    #[test]
    fn numbers_with_all_digits_are_answers_and_rounded_ones_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (set, _) = set(folder.path());
        let scored = |answer: &str| -> Result<u64, String> {
            let path = folder.path().join("answers.jsonl");
            std::fs::write(&path, format!("{{\"puzzle\": \"{PUZZLE}\", \"answer\": {answer}}}\n")).unwrap();
            let predictions = Predictions::read(&path, None).map_err(|error| error.to_string())?;
            Ok(score(&predictions, std::slice::from_ref(&set)).unwrap().groups[0].solved)
        };
        let rows: Vec<String> = (0..9).map(|row| SOLUTION[9 * row..9 * row + 9].replace("", ".0,")).collect();
        let floats: Vec<&str> = rows.iter().map(|row| row.trim_start_matches(".0,").trim_end_matches(',')).collect();
        for answer in [SOLUTION.to_owned(), format!("[{SOLUTION}]"), format!("[[{}]]", floats.join("],["))] {
            assert_eq!(scored(&answer), Ok(1), "{answer}");
        }
        let refusal: String = scored("5.34678912672195E+80").unwrap_err();
        assert!(refusal.contains("rounded"), "{refusal}");
    }

    #[test]
    fn a_role_of_several_splits_is_a_group_in_each() {
        let mut groups = ScoreGroups::default();
        for (split, role) in [("control", "isomorph"), ("probes", "isomorph"), ("probes", "no_solution")] {
            let row = Row { split: split.to_owned(), role: Some(role.to_owned()), ..row_of(&[], &[]) };
            groups.add(&row, if split == "control" { Verdict::Solved } else { Verdict::Missing });
        }
        let roles: Vec<ScoreGroup> = groups.ended().into_iter().filter(|group| group.by == "role").collect();
        let shown = roles.iter().map(|group| format!("{} {} {}", group.group, group.puzzles, group.solved));
        let expected = ["control: isomorph 1 1", "probes: isomorph 1 0", "no_solution 1 0"];
        assert!(shown.eq(expected), "{roles:?}");
    }

    #[test]
    fn a_probe_is_answered_in_words() {
        let none = ["It does not have a solution.", "No solution", "It can't be solved", "Impossible!", "unsolvable"];
        let several = ["There are two solutions", "The solution is not unique.", "It isn't unique"];
        let nothing = ["I cannot find it", "It is not true that it has no solution", "<think>no solution</think>?", ""];
        for (role, right) in [("no_solution", &none[..]), ("two_solutions", &several[..]), ("empty_1", &[][..])] {
            let mut row = Row { puzzle: PUZZLE.to_owned(), role: Some(role.to_owned()), ..row_of(&[], &[]) };
            row.solutions.extend((role != "no_solution").then(|| SOLUTION.to_owned()));
            for text in none.into_iter().chain(several).chain(nothing) {
                let verdict = judged(&row, &Answer::of(1, PUZZLE, text)).unwrap();
                assert_eq!(verdict == Verdict::Solved, right.contains(&text), "{role}: {text}");
            }
        }
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
            ("c.csv", format!("puzzle,guess\n{PUZZLE},a\n"), "--answer"),
            ("d.jsonl", "{\"puzzle\":\"1\"}".to_owned(), "--answer"),
            // The truth is no answer, and one file has its answers in one column.
            ("f.csv", format!("puzzle,solution,generated_text\n{PUZZLE},{SOLUTION},I give up\n"), "--answer"),
            ("g.csv", format!("puzzle,answer,output\n{PUZZLE},a,b\n"), "answer and output"),
            (
                "h.jsonl",
                format!("{{\"puzzle\":\"{PUZZLE}\",\"answer\":\"x\"}}\n{{\"puzzle\":\"1\",\"output\":\"y\"}}"),
                "line 2",
            ),
            ("i.csv", format!("puzzle,answer\n{PUZZLE},\n"), "no answer"),
            ("j.jsonl", format!("{{\"puzzle\":\"{PUZZLE}\",\"answer\":\"x\",\"answer\":\"y\"}}"), "two fields"),
            ("k.jsonl", " ".repeat(9 << 20), "longer than"),
            ("e.jsonl", "nonsense".to_owned(), "line 1"),
        ] {
            let path = folder.path().join(name);
            std::fs::write(&path, contents).unwrap();
            let error = Predictions::read(&path, None).unwrap_err().to_string();
            assert!(error.contains(words), "{name}: {error}");
        }
        let (path, _) = set(folder.path());
        let lines = folder.path().join("own.jsonl");
        let given_up = format!("{{\"puzzle\":\"{PUZZLE}\",\"solution\":\"{SOLUTION}\",\"text\":\"I give up\"}}\n");
        let without = format!("{{\"puzzle\":\"{}\",\"solution\":\"x\"}}\n", ".".repeat(81));
        std::fs::write(&lines, given_up + &without).unwrap();
        let own = Predictions::read(&lines, Some("text")).unwrap();
        let scored = score(&own, std::slice::from_ref(&path)).unwrap();
        assert_eq!((own.len(), scored.groups[0].solved, scored.groups[0].invalid), (1, 0, 1));
        let csv = folder.path().join("good.csv");
        std::fs::write(&csv, format!("puzzle,prediction\n{PUZZLE},{SOLUTION}\n{},x\n", ".".repeat(81))).unwrap();
        let scored = score(&Predictions::read(&csv, None).unwrap(), &[path]).unwrap();
        assert_eq!((scored.groups[0].solved, scored.foreign), (1, 1));
    }

    /// The digits of a small board look like a number; and an ER that is a lower bound is no group of that ER.
    #[test]
    fn boards_of_digits_are_texts_and_lower_bounds_say_so() {
        let folder = tempfile::tempdir().unwrap();
        let [set, answers] = ["set.csv", "answers.jsonl"].map(|name| folder.path().join(name));
        let rows = "1000341221434321,1234341221434321,12,false\n1234341221430021,1234341221434321,12,true\n";
        std::fs::write(&set, format!("puzzle,solution,se_er_tenths,se_exact\n{rows}")).unwrap();
        std::fs::write(&answers, "{\"puzzle\":\"1000341221434321\",\"answer\":\"1234341221434321\"}\n").unwrap();
        let scored = score(&Predictions::read(&answers, None).unwrap(), &[set]).unwrap();
        let groups: Vec<_> = scored.groups.iter().map(|group| (&*group.group, group.solved, group.missing)).collect();
        assert_eq!(scored.foreign, 0);
        assert!(groups.contains(&("all", 1, 1)), "{groups:?}");
        assert_eq!(scored.level_scale, None, "a CSV file says no scale");
        assert!(groups.contains(&("1.2 or more", 1, 0)) && groups.contains(&("1.2", 0, 1)), "{groups:?}");
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
