//! Reads the answers of a model from a file, and keeps what counts of each.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::answer::{grid_of, without_thoughts};
use super::words::{SolutionClaim, claim_of};
use crate::corpus::{AskLimits, CorpusError, in_words};
use crate::study::{Source, Table};
use sudoku_corpus_core::board::text;

/// The names that a column of answers has without a word from the user. `solution` is none: it may be the truth.
const USUAL_NAMES: [&str; 6] = ["answer", "prediction", "predicted", "output", "response", "completion"];

/// The most bytes of a line of predictions: a megabyte of text, escaped.
const LONGEST_LINE: u64 = 8 << 20;

/// The most names of columns in a message.
const LISTED_NAMES: usize = 12;

/// The answers of a model.
#[derive(Clone, Debug, Default)]
pub struct Predictions {
    /// By puzzle, as [`key`] writes it.
    answers: HashMap<String, ModelAnswer>,
}

/// What counts of an answer. Its text may be long, and is not kept.
#[derive(Clone, Debug)]
pub(super) struct ModelAnswer {
    /// The number of its line or row, for messages.
    number: u64,
    /// The cells of the grid that it ends with.
    pub grid: Option<Vec<u16>>,
    /// What it says of the number of solutions.
    pub claim: Option<SolutionClaim>,
}

impl ModelAnswer {
    /// Reads an answer to a puzzle, of which only the number of cells counts.
    pub(super) fn of(number: u64, puzzle: &str, text: &str) -> ModelAnswer {
        let grid = grid_of(text, puzzle.chars().count().isqrt());
        ModelAnswer { number, grid, claim: claim_of(without_thoughts(text)) }
    }
}

/// A puzzle as the key of its answer: a line as this program writes it. What is no board that can be read alone, such
/// as a jigsaw, has at least dots for empty cells and capital letters, without blanks.
pub(super) fn key(puzzle: &str) -> String {
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
        let answer = ModelAnswer::of(number, &key, answer);
        match self.answers.insert(key.clone(), answer) {
            Some(earlier) => Err(format!("{number} and {} are answers to the same puzzle, {key}", earlier.number)),
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
    pub fn read(path: &Path, column: Option<&str>) -> Result<Predictions, CorpusError> {
        let name = path.to_string_lossy().to_ascii_lowercase();
        let predictions = match [".jsonl", ".ndjson", ".json"].iter().any(|ending| name.ends_with(ending)) {
            true => Predictions::of_lines(path, column)?,
            false => Predictions::of_table(path, column)?,
        };
        if predictions.is_empty() {
            let place = column.map_or(String::new(), |column| format!(" in '{column}'"));
            return Err(CorpusError::file(path, format!("there is no answer{place}")));
        }
        Ok(predictions)
    }

    fn of_table(path: &Path, column: Option<&str>) -> Result<Predictions, CorpusError> {
        let source = Source { name: Some("predictions".to_owned()), path: path.to_owned(), outside: true };
        let table = Table::of(&[source])?;
        let names = table.ask("SELECT * FROM predictions LIMIT 0")?.names();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let column =
            answer_column(&names, column).map_err(|reason| CorpusError::file(path, reason))?.replace('"', "\"\"");
        let sql = format!("SELECT CAST(puzzle AS TEXT), CAST(\"{column}\" AS TEXT) FROM predictions");
        let mut predictions = Predictions::default();
        let mut number = 0;
        let taken = table.ask_in_batches(&sql, &AskLimits::default(), |batch| {
            for row in 0..batch.len() {
                number += 1;
                let values = batch.row(row)?;
                if let (Some(puzzle), Some(answer)) = (values[0].as_str(), values[1].as_str()) {
                    predictions.add(number, puzzle, answer).map_err(|reason| format!("rows {reason}"))?;
                }
            }
            Ok::<(), String>(())
        })?;
        taken.map_err(|reason| CorpusError::file(path, reason))?;
        Ok(predictions)
    }

    /// Reads objects, one a line.
    fn of_lines(path: &Path, column: Option<&str>) -> Result<Predictions, CorpusError> {
        let mut file = BufReader::new(File::open(path).map_err(CorpusError::io("read", path))?);
        let mut predictions = Predictions::default();
        let mut objects = PredictionObjects { column: column.map(str::to_owned), is_named: column.is_some() };
        let mut line = String::new();
        for number in 1.. {
            line.clear();
            let bytes = (&mut file).take(LONGEST_LINE).read_line(&mut line).map_err(CorpusError::io("read", path))?;
            if bytes as u64 == LONGEST_LINE {
                return Err(CorpusError::file(path, format!("line {number} is longer than {LONGEST_LINE} bytes")));
            }
            if bytes == 0 {
                break;
            }
            if line.trim().is_empty() {
                continue;
            }
            let prediction =
                objects.read(&line).map_err(|reason| CorpusError::file(path, format!("line {number}: {reason}")))?;
            if let Some(Prediction { puzzle, answer }) = prediction {
                predictions
                    .add(number, &puzzle, &answer)
                    .map_err(|reason| CorpusError::file(path, format!("lines {reason}")))?;
            }
        }
        Ok(predictions)
    }

    pub(super) fn answer(&self, key: &str) -> Option<&ModelAnswer> {
        self.answers.get(key)
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

/// What an object in a file of predictions says.
struct Prediction {
    puzzle: String,
    answer: String,
}

/// Reads the objects of a file, whose answers are all in one column.
struct PredictionObjects {
    /// The column of the answers: the one that the user named, or else that of the first object.
    column: Option<String>,
    /// The user named the column.
    is_named: bool,
}

impl PredictionObjects {
    /// The prediction in a line. None if it has no answer.
    ///
    /// # Errors
    /// The line is no object with a puzzle, or its answer may be in another column than those of the lines before.
    fn read(&mut self, line: &str) -> Result<Option<Prediction>, String> {
        let object: Value = serde_json::from_str(&with_texts_of_digits(line)).map_err(|error| in_words(&error))?;
        let fields = object.as_object().ok_or("it is no object")?;
        if let Ok(RepeatedName(Some(name))) = serde_json::from_str(line) {
            return Err(format!("two fields are called '{name}'"));
        }
        let column = self.column_of(fields)?;
        let puzzle = fields.get("puzzle").and_then(Value::as_str).ok_or("there is no 'puzzle'")?;
        let answer = match fields.get(&column) {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => Some(text.clone()),
            Some(other) => Some(other.to_string()),
        };
        self.column = Some(column);
        Ok(answer.map(|answer| Prediction { puzzle: puzzle.to_owned(), answer }))
    }

    /// The column of the answer in an object.
    fn column_of(&self, fields: &Map<String, Value>) -> Result<String, String> {
        let names: Vec<&str> = fields.keys().map(String::as_str).collect();
        let Some(column) = &self.column else { return answer_column(&names, None) };
        let has_another = names.iter().any(|name| name != column && USUAL_NAMES.contains(name));
        if self.is_named || !has_another {
            return Ok(column.clone());
        }
        let another = answer_column(&names, None)?;
        Err(format!("'{another}', but the lines before have another column: use --answer"))
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

/// The first names of columns, and the beginnings of long ones.
fn listed(names: &[&str]) -> String {
    const LETTERS: usize = 24;
    let mut shown = Vec::new();
    for name in names {
        shown.push(match name.char_indices().nth(LETTERS) {
            Some((end, _)) => format!("{}..", &name[..end]),
            None => (*name).to_owned(),
        });
    }
    match shown.get(..LISTED_NAMES) {
        Some(first) if shown.len() > LISTED_NAMES => format!("{}, ..", first.join(", ")),
        _ => shown.join(", "),
    }
}

/// The column of answers among the columns of a file: the one that is named, or the only one with a usual name.
///
/// # Errors
/// There is none, or there are several; there is no column `puzzle`.
fn answer_column(names: &[&str], named: Option<&str>) -> Result<String, String> {
    if !names.contains(&"puzzle") {
        let columns = listed(names);
        return Err(format!("the first line has to name the columns, as puzzle,answer; here it has {columns}"));
    }
    if let Some(named) = named {
        return match names.contains(&named) {
            true => Ok(named.to_owned()),
            false => Err(format!("there is no column '{named}'; the columns are {}", listed(names))),
        };
    }
    let usual: Vec<&str> = USUAL_NAMES.into_iter().filter(|name| names.contains(name)).collect();
    match &usual[..] {
        [only] => Ok((*only).to_owned()),
        [] => Err(format!(
            "no column is one of {}: name the answers with --answer COLUMN; the columns are {}",
            USUAL_NAMES.join(", "),
            listed(names)
        )),
        several => Err(format!("{} may all be the answers: choose one with --answer COLUMN", several.join(" and "))),
    }
}
