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
use std::path::Path;

use serde_json::json;

use super::error::{CorpusError, Result};
use super::frame::StepFrameWriter;
use super::metadata::Metadata;
use super::output::{Out, Output, Sealed, Target};
use super::record::Record;
use sudoku_corpus_core::board::{Puzzle, Shape};
use sudoku_corpus_core::random::{Rng, Stage};
use sudoku_corpus_core::rate::step_rows::contradiction::contradiction_rows;
use sudoku_corpus_core::rate::step_rows::words;
use sudoku_corpus_core::rate::step_rows::wrong::wrong_rows;
use sudoku_corpus_core::rate::step_rows::{StepRow, explainer_rows, rate_with_rows};
use sudoku_corpus_core::rate::{Ladder, Rating};

/// The format of a file of steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepFormat {
    /// Parquet.
    #[default]
    Parquet,
    /// An object for each puzzle.
    JsonLines,
    /// A line of tokens for each puzzle.
    Tokens,
    /// A sentence for each step.
    Sentences,
}

impl StepFormat {
    /// The format of a file by its name.
    ///
    /// # Errors
    /// An unknown ending.
    pub fn of_name(path: &Path) -> Result<StepFormat> {
        let known = "the name of a file of steps must end in .parquet, .jsonl, .tokens or .txt";
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
        match ending.as_str() {
            "parquet" => Ok(StepFormat::Parquet),
            "jsonl" | "ndjson" => Ok(StepFormat::JsonLines),
            "tokens" => Ok(StepFormat::Tokens),
            "txt" => Ok(StepFormat::Sentences),
            _ => Err(CorpusError::file(path, known)),
        }
    }
}

/// A step and its text in the format of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct StepText {
    /// The step, without the position before it.
    pub row: StepRow,
    format: StepFormat,
    /// An object, tokens or a sentence. For Parquet the board, the candidates, the tokens and the sentence.
    text: String,
    /// Where the first three texts of Parquet end.
    ends: [usize; 3],
}

impl StepText {
    /// Writes a row as text.
    pub fn new(row: StepRow, shape: Shape, format: StepFormat) -> StepText {
        let room = match format {
            StepFormat::Parquet => 8 * shape.cells(),
            StepFormat::JsonLines => 16 * shape.cells(),
            StepFormat::Tokens | StepFormat::Sentences => 128,
        };
        let (mut text, mut ends) = (String::with_capacity(room), [0; 3]);
        match format {
            StepFormat::JsonLines => row.push_json(&mut text, shape),
            StepFormat::Tokens => row.push_tokens(&mut text, shape),
            StepFormat::Sentences => row.push_sentence(&mut text, shape),
            StepFormat::Parquet => {
                let texts = [StepRow::push_board, StepRow::push_candidates, StepRow::push_tokens];
                for (push, end) in texts.into_iter().zip(&mut ends) {
                    push(&row, &mut text, shape);
                    *end = text.len();
                }
                row.push_sentence(&mut text, shape);
            }
        }
        // The position is in the text. Its lists would take half of the memory.
        let row = StepRow { values: Vec::new(), candidates: Vec::new(), ..row };
        StepText { row, format, text, ends }
    }

    /// One of the texts of a step that was written for Parquet: the board before it, its candidates, the tokens or the
    /// sentence.
    pub fn text(&self, at: usize) -> &str {
        let begin = if at > 0 { self.ends[at - 1] } else { 0 };
        &self.text[begin..self.ends.get(at).copied().unwrap_or(self.text.len())]
    }

    /// The solution of a puzzle as Sudoku Explainer gives it.
    pub fn of_explainer(puzzle: &Puzzle) -> Vec<StepText> {
        StepText::of_rows(explainer_rows(puzzle), puzzle.shape(), StepFormat::Parquet)
    }

    /// The steps that lead from a puzzle without a solution to a contradiction. None if the ladder does not find one.
    pub fn of_contradiction(puzzle: &Puzzle, ladder: &Ladder) -> Option<Vec<StepText>> {
        Some(StepText::of_rows(contradiction_rows(puzzle, ladder)?, puzzle.shape(), StepFormat::Parquet))
    }

    fn of_rows(rows: Vec<StepRow>, shape: Shape, format: StepFormat) -> Vec<StepText> {
        rows.into_iter().map(|row| StepText::new(row, shape, format)).collect()
    }
}

/// The steps to write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepsWanted {
    /// Wrong steps to add for each puzzle.
    pub wrong: usize,
    /// The seed from which wrong steps are drawn.
    pub seed: u64,
    /// The format of their file.
    pub format: StepFormat,
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
        (rating, StepText::of_rows(rows, puzzle.shape(), self.format))
    }
}

/// An open file of steps.
pub struct StepSink {
    target: Target,
    file: StepFile,
    format: StepFormat,
    steps: u64,
}

enum StepFile {
    Parquet(Box<StepFrameWriter<Out>>),
    /// The writer, and the lines of a row.
    Text(Out, String),
}

impl StepSink {
    /// Opens a file of steps by its name.
    pub fn create(path: &Path) -> Result<StepSink> {
        StepSink::of(Output::create(path)?, StepFormat::of_name(path)?, &Metadata::plain())
    }

    /// Writes steps to an open output. Only Parquet holds metadata.
    pub(super) fn of(output: Output, format: StepFormat, metadata: &Metadata) -> Result<StepSink> {
        let (out, target) = output.split();
        let file = match format {
            StepFormat::Parquet => {
                let writer = StepFrameWriter::new(out, &metadata.json()).map_err(target.failed())?;
                StepFile::Parquet(Box::new(writer))
            }
            _ => StepFile::Text(out, String::new()),
        };
        Ok(StepSink { target, file, format, steps: 0 })
    }

    /// Writes the steps of a row and removes them from the row.
    ///
    /// # Errors
    /// Steps that were written for another format; an error of the operating system.
    pub fn write(&mut self, record: &mut Record) -> Result<()> {
        let steps = std::mem::take(&mut record.steps);
        self.steps += steps.len() as u64;
        let written = match &mut self.file {
            _ if steps.iter().any(|step| step.format != self.format) => {
                return Err(CorpusError::file(&self.target.path, "the steps were written for another format"));
            }
            StepFile::Parquet(frame) => frame.write(record, steps),
            StepFile::Text(..) if steps.is_empty() => Ok(()),
            StepFile::Text(out, lines) => {
                lines.clear();
                push_lines(lines, self.format, record, &steps);
                out.write_all(lines.as_bytes())
            }
        };
        written.map_err(self.target.failed())
    }

    /// Ends the file, gives it its name, and returns the number of steps.
    pub fn finish(self) -> Result<u64> {
        let steps = self.steps;
        self.seal()?.publish()?;
        Ok(steps)
    }

    /// Ends the file. It is durable but has no name yet.
    pub(super) fn seal(self) -> Result<Sealed> {
        let ended = match self.file {
            StepFile::Parquet(frame) => frame.finish(),
            StepFile::Text(mut out, _) => out.flush(),
        };
        ended.map_err(self.target.failed())?;
        self.target.seal()
    }
}

/// Appends the lines of a row, whose steps are written in this format.
fn push_lines(lines: &mut String, format: StepFormat, record: &Record, steps: &[StepText]) {
    let join = |lines: &mut String, before: &str, after: &str| {
        steps.iter().for_each(|step| lines.extend([before, &step.text, after]));
    };
    match format {
        StepFormat::Parquet => {}
        StepFormat::JsonLines => {
            let object = json!({
                "class": record.class.map(|class| format!("{class:032x}")),
                "finished": record.finished,
                "index": record.index,
                "puzzle": record.puzzle.as_ref().map(ToString::to_string),
                "shape": record.shape.to_string(),
                "solution": record.solution.as_ref().map(ToString::to_string),
                "steps": [],
            });
            lines.push_str(&object.to_string());
            // The list of steps is the last value. It is closed again in place of the last comma.
            lines.truncate(lines.len() - "]}".len());
            join(lines, "", ",");
            lines.pop();
            lines.push_str("]}");
        }
        StepFormat::Tokens => {
            if let Some(puzzle) = &record.puzzle {
                words::push_puzzle(lines, puzzle);
                join(lines, " ", "");
                lines.push_str(words::END[usize::from(record.finished == Some(true))]);
            }
        }
        StepFormat::Sentences => join(lines, "", "\n"),
    }
    lines.push('\n');
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::corpus::{Analysis, Scan};
    use sudoku_corpus_core::board::text;

    fn analyzed(wrong: usize, format: StepFormat) -> Record {
        let line = "1............8.2......37.45.....197..3...5.2.8.1.42..........9..64..3....7851.6..";
        let puzzle = Puzzle::try_from(text::parse_line(line, None).unwrap()).unwrap();
        let wanted = Some(StepsWanted { wrong, seed: 1, format });
        Analysis { steps: wanted, ..Analysis::default() }.analyze(Record::of_puzzle(7, puzzle))
    }

    #[test]
    fn steps_change_nothing_else_in_a_row() {
        let mut with = analyzed(4, StepFormat::Parquet);
        let plain = Analysis::default().analyze(Record::of_puzzle(7, with.puzzle.clone().unwrap()));
        assert!(with.steps.len() > 4 && plain.steps.is_empty());
        with.steps.clear();
        assert_eq!(with, plain);
    }

    #[test]
    fn every_format_has_every_step() {
        let folder = tempfile::tempdir().unwrap();
        let steps = analyzed(2, StepFormat::Parquet).steps.len() as u64;
        let write = |name: &str| {
            let path = folder.path().join(name);
            let format = StepFormat::of_name(&path).unwrap();
            let record = analyzed(2, format);
            let mut sink = StepSink::create(&path).unwrap();
            let other = if format == StepFormat::Parquet { StepFormat::Tokens } else { StepFormat::Parquet };
            assert!(sink.write(&mut analyzed(0, other)).is_err());
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
