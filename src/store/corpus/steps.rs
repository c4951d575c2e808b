//! The steps of solutions, in a file of their own beside the rows.
//!
//! | name of the file | what |
//! |---|---|
//! | `.parquet` | one row for each step, lists as nested columns; the same columns as `steps` in the Python package |
//! | `.jsonl` | one object for each puzzle, with its steps; for programs that show hints |
//! | `.tokens` | one line for each puzzle: tokens of a fixed vocabulary, see [`sudoku_corpus_core::rate::step_rows::words`] |
//! | `.txt` | one line for each step: a sentence in plain English; an empty line follows each puzzle |
//!
//! The threads that rate also make the texts; the sink only writes. Parquet and JSON lines have the `index` and the
//! `class` of the row.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::atomic::AtomicFile;
use super::error::{CorpusError, Result};
use super::frame::StepFrameWriter;
use super::metadata::Metadata;
use super::output::{Out, Output, Sealed};
use super::record::Record;
use sudoku_corpus_core::board::{Cell, Digit, House, Puzzle, Shape};
use sudoku_corpus_core::random::{Rng, Stage};
use sudoku_corpus_core::rate::explainer::SeStep;
use sudoku_corpus_core::rate::step_rows::contradiction::contradiction_rows;
use sudoku_corpus_core::rate::step_rows::words::solution_tokens;
use sudoku_corpus_core::rate::step_rows::wrong::wrong_rows;
use sudoku_corpus_core::rate::step_rows::{RowKind, StepRow, explainer_rows, rate_with_rows};
use sudoku_corpus_core::rate::{Ladder, Rating};

/// A step and its texts.
#[derive(Clone, Debug, PartialEq)]
pub struct StepText {
    /// The step and the position before it.
    pub row: StepRow,
    /// The board before the step.
    pub board: String,
    /// The candidates before the step, see [`StepRow::candidate_words`].
    pub candidates: String,
    /// The step as tokens.
    pub tokens: String,
    /// The step as a sentence.
    pub sentence: String,
    /// The name and the rating of the step, if it is a hint of Sudoku Explainer.
    pub hint: Option<(String, u16)>,
}

impl StepText {
    /// Writes a row as text.
    pub fn new(row: StepRow, shape: Shape) -> StepText {
        StepText {
            board: row.board(shape),
            candidates: row.candidate_words(shape),
            tokens: row.tokens(shape),
            sentence: row.sentence(shape),
            row,
            hint: None,
        }
    }

    /// The solution of a puzzle as Sudoku Explainer gives it.
    pub fn of_explainer(puzzle: &Puzzle) -> Vec<StepText> {
        let shape = puzzle.shape();
        let text = |(row, hint): (StepRow, SeStep)| {
            let code = hint.kind.code();
            let texts = StepText { tokens: row.tokens_named(&code, shape), ..StepText::new(row, shape) };
            StepText { sentence: hint.to_string(), hint: Some((code, hint.tenths)), ..texts }
        };
        explainer_rows(puzzle).into_iter().map(text).collect()
    }

    /// The steps that lead from a puzzle without a solution to a contradiction. None if the ladder does not find one.
    pub fn of_contradiction(puzzle: &Puzzle, ladder: &Ladder) -> Option<Vec<StepText>> {
        let rows = contradiction_rows(puzzle, ladder)?;
        Some(rows.into_iter().map(|row| StepText::new(row, puzzle.shape())).collect())
    }
}

/// The steps to write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepsWanted {
    /// Wrong steps to add for each puzzle.
    pub wrong: usize,
    /// The seed from which wrong steps are drawn.
    pub seed: u64,
}

impl StepsWanted {
    /// Rates the puzzle of a row with one solution, and returns its steps.
    pub fn rate(&self, puzzle: &Puzzle, record: &Record, ladder: &Ladder) -> (Rating, Vec<StepText>) {
        let (rating, mut rows) = rate_with_rows(puzzle, ladder);
        if let (Some(solution), true) = (&record.solution, self.wrong > 0) {
            let mut rng = Rng::new(self.seed, record.index, Stage::Sample, 0);
            let more = wrong_rows(puzzle, solution, &rows, self.wrong, &mut rng);
            rows.extend(more);
        }
        let shape = puzzle.shape();
        (rating, rows.into_iter().map(|row| StepText::new(row, shape)).collect())
    }
}

/// An open file of steps.
pub struct StepSink {
    file: StepFile,
    path: PathBuf,
    steps: u64,
}

enum StepFile {
    Parquet(Box<StepFrameWriter<Out>>, Option<AtomicFile>),
    /// The lines of a row come from its steps.
    Text(Output, fn(&Record, &[StepText]) -> String),
}

impl StepSink {
    /// Opens a file of steps by its name.
    pub fn create(path: &Path) -> Result<StepSink> {
        StepSink::create_with(path, &Metadata::plain())
    }

    /// Like [`StepSink::create`], with metadata for Parquet.
    pub(super) fn create_with(path: &Path, metadata: &Metadata) -> Result<StepSink> {
        let known = "the name of a file of steps must end in .parquet, .jsonl, .tokens or .txt";
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
        let text = |text: fn(&Record, &[StepText]) -> String| -> Result<StepFile> {
            Ok(StepFile::Text(Output::create(path)?, text))
        };
        let file = match ending.as_str() {
            "jsonl" | "ndjson" => text(|record, steps| json_of(record, steps).to_string()),
            "tokens" => text(line_of_tokens),
            "txt" => text(|_, steps| steps.iter().map(|step| format!("{}\n", step.sentence)).collect()),
            "parquet" => {
                let (_, out, file) = Output::create(path)?.into_parts();
                let writer = StepFrameWriter::new(out, &metadata.json()).map_err(CorpusError::io("write", path))?;
                Ok(StepFile::Parquet(Box::new(writer), file))
            }
            _ => Err(CorpusError::file(path, known)),
        };
        Ok(StepSink { file: file?, path: path.to_owned(), steps: 0 })
    }

    /// Writes the steps of a row and removes them from the row.
    pub fn write(&mut self, record: &mut Record) -> Result<()> {
        let steps = std::mem::take(&mut record.steps);
        self.steps += steps.len() as u64;
        let written = match &mut self.file {
            StepFile::Parquet(frame, _) => frame.write(record, steps),
            StepFile::Text(..) if steps.is_empty() => Ok(()),
            StepFile::Text(out, text) => writeln!(out, "{}", text(record, &steps)),
        };
        written.map_err(CorpusError::io("write", &self.path))
    }

    /// Ends the file, gives it its name, and returns the number of steps.
    pub fn finish(self) -> Result<u64> {
        let steps = self.steps;
        self.seal()?.publish()?;
        Ok(steps)
    }

    /// Ends the file. It is durable but has no name yet.
    pub(super) fn seal(self) -> Result<Sealed> {
        match self.file {
            StepFile::Parquet(frame, file) => {
                let sealed = frame.finish().and_then(|()| file.map(AtomicFile::seal).transpose());
                let sealed = sealed.map_err(CorpusError::io("write", &self.path))?;
                Ok(Sealed::new(self.path, sealed))
            }
            StepFile::Text(output, _) => output.seal(),
        }
    }
}

/// The tokens of a row's solution, in one line.
fn line_of_tokens(record: &Record, steps: &[StepText]) -> String {
    let Some(puzzle) = &record.puzzle else { return String::new() };
    let mut text = solution_tokens(puzzle, &[], record.finished == Some(true));
    let end = text.rfind(' ').unwrap_or(text.len());
    let steps: String = steps.iter().map(|step| format!(" {}", step.tokens)).collect();
    text.insert_str(end, &steps);
    text
}

/// A row's solution as one object.
fn json_of(record: &Record, steps: &[StepText]) -> Value {
    let shape = record.shape;
    json!({
        "index": record.index,
        "class": record.class.map(|class| format!("{class:032x}")),
        "shape": shape.to_string(),
        "puzzle": record.puzzle.as_ref().map(ToString::to_string),
        "solution": record.solution.as_ref().map(ToString::to_string),
        "finished": record.finished,
        "steps": steps.iter().map(|step| json_of_step(step, shape)).collect::<Vec<Value>>(),
    })
}

fn json_of_step(text: &StepText, shape: Shape) -> Value {
    let row = &text.row;
    let cells = |cells: &[Cell]| cells.iter().map(|cell| cell.name(shape).to_string()).collect::<Vec<_>>();
    let houses = |houses: &[House]| houses.iter().map(|house| house.name(shape).to_string()).collect::<Vec<_>>();
    let pairs = |list: &[(Cell, Digit)]| -> Vec<Value> {
        list.iter().map(|(cell, digit)| json!({"cell": cell.name(shape).to_string(), "digit": digit.value()})).collect()
    };
    let mut object = json!({
        "kind": row.kind.name(),
        "board": text.board,
        "candidates": text.candidates,
        "solutions": row.solutions,
        "tokens": text.tokens,
        "sentence": text.sentence,
    });
    if let (Some(step), Some(object)) = (&row.step, object.as_object_mut()) {
        let digits: Vec<u16> = step.pattern.digits.iter().map(Digit::value).collect();
        object.extend([
            ("step".to_owned(), json!(row.number)),
            ("round".to_owned(), json!(step.round)),
            ("technique".to_owned(), json!(step.technique.code())),
            ("name".to_owned(), json!(step.technique.name())),
            ("digits".to_owned(), json!(digits)),
            ("cells".to_owned(), json!(cells(&step.pattern.cells))),
            ("base".to_owned(), json!(houses(&step.pattern.base))),
            ("cover".to_owned(), json!(houses(&step.pattern.cover))),
            ("place".to_owned(), json!(pairs(&step.placements))),
            ("remove".to_owned(), json!(pairs(&step.eliminations))),
            ("score".to_owned(), json!(row.score())),
            ("se_tenths".to_owned(), json!(row.se_tenths())),
            ("right".to_owned(), json!(row.kind == RowKind::Step)),
        ]);
    }
    object
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{Analysis, Scan};
    use sudoku_corpus_core::board::text;

    fn analyzed(wrong: usize) -> Record {
        let line = "1............8.2......37.45.....197..3...5.2.8.1.42..........9..64..3....7851.6..";
        let puzzle = Puzzle::try_from(text::parse_line(line, None).unwrap()).unwrap();
        let wanted = Some(StepsWanted { wrong, seed: 1 });
        Analysis { steps: wanted, ..Analysis::default() }.analyze(Record::of_puzzle(7, puzzle))
    }

    #[test]
    fn steps_change_nothing_else_in_a_row() {
        let mut with = analyzed(4);
        let plain = Analysis::default().analyze(Record::of_puzzle(7, with.puzzle.clone().unwrap()));
        assert!(with.steps.len() > 4 && plain.steps.is_empty());
        with.steps.clear();
        assert_eq!(with, plain);
    }

    #[test]
    fn every_format_has_every_step() {
        let folder = tempfile::tempdir().unwrap();
        let record = analyzed(2);
        let steps = record.steps.len() as u64;
        let write = |name: &str| {
            let path = folder.path().join(name);
            let mut sink = StepSink::create(&path).unwrap();
            (0..2).for_each(|_| sink.write(&mut record.clone()).unwrap());
            assert_eq!(sink.finish().unwrap(), 2 * steps);
            path
        };
        let lines = std::fs::read_to_string(write("a.jsonl")).unwrap();
        let object: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
        assert_eq!(object["steps"].as_array().unwrap().len() as u64, steps);
        assert_eq!(object["index"], 7);
        let tokens = std::fs::read_to_string(write("a.tokens")).unwrap();
        assert_eq!(tokens.lines().count(), 2);
        assert!(tokens.lines().all(|line| line.starts_with("puzzle d1 . ") && line.ends_with(" solved")));
        let right = tokens.lines().next().unwrap().split(' ').filter(|token| *token == "step").count();
        assert!(right > 40 && (right as u64) < steps);
        let sentences = std::fs::read_to_string(write("a.txt")).unwrap();
        assert_eq!(sentences.lines().filter(|line| !line.is_empty()).count() as u64, 2 * steps);
        let parquet = write("a.parquet");
        let answer =
            Scan::open(&[parquet]).unwrap().ask("SELECT count(*) FROM puzzles WHERE class IS NOT NULL").unwrap();
        assert_eq!(answer.integers(0).unwrap(), [2 * steps]);
        assert!(StepSink::create(Path::new("a.csv")).err().unwrap().to_string().contains(".jsonl"));
    }
}
