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

use super::frame::StepFrameWriter;
use super::metadata::Metadata;
use super::output::{Out, Output, Sealed, Target};
use crate::corpus::values::error::{CorpusError, Result};
use crate::corpus::values::record::Record;
use crate::corpus::values::step_columns::StepLine;
use sudoku_corpus_core::board::{Layout, Puzzle, Shape};
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

/// The steps of a puzzle, written in the format of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepTexts {
    format: StepFormat,
    steps: usize,
    /// Objects, each with a comma; tokens, those of each step after a blank; sentences, each with the end of its line. For
    /// Parquet the board, the candidates, the tokens and the sentence of each step.
    text: String,
    /// For Parquet where these four end, and the steps without their positions.
    ends: Vec<[usize; 4]>,
    rows: Vec<StepRow>,
}

impl StepTexts {
    /// No steps of a puzzle.
    fn none(format: StepFormat, puzzle: &Puzzle) -> StepTexts {
        let cells = puzzle.shape().cells();
        let each = match format {
            StepFormat::Parquet => 6 * cells,
            StepFormat::JsonLines => 10 * cells,
            StepFormat::Tokens | StepFormat::Sentences => 80,
        };
        StepTexts { format, text: String::with_capacity(each * puzzle.grid().holes()), ..StepTexts::default() }
    }

    /// Adds the text of a step.
    fn add(&mut self, row: &StepRow, shape: Shape) {
        let text = &mut self.text;
        self.steps += 1;
        match self.format {
            StepFormat::JsonLines => {
                row.push_json(text, shape);
                text.push(',');
            }
            StepFormat::Tokens => {
                text.push(' ');
                row.push_tokens(text, shape);
            }
            StepFormat::Sentences => {
                row.push_sentence(text, shape);
                text.push('\n');
            }
            StepFormat::Parquet => {
                let texts =
                    [StepRow::push_board, StepRow::push_candidates, StepRow::push_tokens, StepRow::push_sentence];
                self.ends.push(texts.map(|push| {
                    push(row, text, shape);
                    text.len()
                }));
            }
        }
    }

    /// Adds the texts of steps, which keep their positions.
    fn add_all(&mut self, rows: Vec<StepRow>, shape: Shape) {
        rows.iter().for_each(|row| self.add(row, shape));
        self.keep(rows);
    }

    /// Keeps the steps for the columns of Parquet. Their texts were added.
    fn keep(&mut self, rows: Vec<StepRow>) {
        if self.format == StepFormat::Parquet {
            self.rows.extend(rows);
        }
    }

    /// The number of steps.
    pub fn len(&self) -> usize {
        self.steps
    }

    /// True if there are no steps.
    pub fn is_empty(&self) -> bool {
        self.steps == 0
    }

    /// The steps as rows of Parquet, for a puzzle with an index and a class.
    pub fn lines<'a>(&'a self, index: u64, class: Option<&'a str>, shape: Shape) -> impl Iterator<Item = StepLine<'a>> {
        let (layout, mut start) = (Layout::of(shape), 0);
        self.rows.iter().zip(&self.ends).map(move |(row, ends)| {
            let texts = ends.map(|end| &self.text[std::mem::replace(&mut start, end)..end]);
            StepLine { index, class, layout, row, texts }
        })
    }

    /// The solution of a puzzle as Sudoku Explainer gives it.
    pub fn of_explainer(puzzle: &Puzzle) -> StepTexts {
        let mut texts = StepTexts::none(StepFormat::Parquet, puzzle);
        let rows = explainer_rows(puzzle, |row| texts.add(row, puzzle.shape()));
        texts.keep(rows);
        texts
    }

    /// The steps that lead from a puzzle without a solution to a contradiction. None if the ladder does not find one.
    pub fn of_contradiction(puzzle: &Puzzle, ladder: &Ladder) -> Option<StepTexts> {
        let mut texts = StepTexts::none(StepFormat::Parquet, puzzle);
        texts.add_all(contradiction_rows(puzzle, ladder)?, puzzle.shape());
        Some(texts)
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
    pub fn rate(&self, puzzle: &Puzzle, record: &Record, ladder: &Ladder) -> (Rating, StepTexts) {
        let (mut texts, mut shown) = (StepTexts::none(self.format, puzzle), Vec::new());
        let (rating, rows) = rate_with_rows(puzzle, ladder, |row| {
            texts.add(row, puzzle.shape());
            shown.extend((self.wrong > 0).then(|| row.clone()));
        });
        texts.keep(rows);
        if let Some(solution) = record.solution.as_ref().filter(|_| self.wrong > 0) {
            let mut rng = Rng::new(self.seed, record.index, Stage::Sample, 0);
            texts.add_all(wrong_rows(puzzle, solution, &shown, self.wrong, &mut rng), puzzle.shape());
        }
        (rating, texts)
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
    pub(crate) fn of(output: Output, format: StepFormat, metadata: &Metadata) -> Result<StepSink> {
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
            _ if !steps.is_empty() && steps.format != self.format => {
                return Err(CorpusError::file(&self.target.path, "the steps were written for another format"));
            }
            StepFile::Parquet(frame) => frame.write(record, &steps),
            StepFile::Text(..) if steps.is_empty() => Ok(()),
            StepFile::Text(out, lines) => {
                lines.clear();
                push_lines(lines, record, &steps);
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
    pub(crate) fn seal(self) -> Result<Sealed> {
        let ended = match self.file {
            StepFile::Parquet(frame) => frame.finish(),
            StepFile::Text(mut out, _) => out.flush(),
        };
        ended.map_err(self.target.failed())?;
        self.target.seal()
    }
}

/// Appends the lines of a row with steps.
fn push_lines(lines: &mut String, record: &Record, steps: &StepTexts) {
    match steps.format {
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
            lines.push_str(&steps.text);
            lines.pop();
            lines.push_str("]}");
        }
        StepFormat::Tokens => {
            if let Some(puzzle) = &record.puzzle {
                words::push_puzzle(lines, puzzle);
                lines.push_str(&steps.text);
                lines.push_str(words::END[usize::from(record.finished == Some(true))]);
            }
        }
        StepFormat::Sentences => lines.push_str(&steps.text),
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
        with.steps = StepTexts::default();
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
