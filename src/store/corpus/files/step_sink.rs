//! Writes files of steps, beside the rows. [`steps`](crate::corpus::values::steps) says what the formats are. Parquet
//! and JSON lines have the number (`row`) and the `class` of the row.

use std::io::Write as _;
use std::path::Path;

use serde_json::json;

use super::durable::output::{Out, Output, Sealed, Target};
use super::frame::StepFrameWriter;
use super::metadata::Metadata;
use crate::corpus::values::error::{CorpusError, Result};
use crate::corpus::values::record::Record;
use crate::corpus::values::steps::{StepFormat, StepTexts};
use sudoku_corpus_core::board::Reason;
use sudoku_corpus_core::steps::words;

/// An open file of steps.
pub struct StepSink {
    target: Target,
    file: StepFile,
    format: StepFormat,
    steps: u64,
}

enum StepFile {
    Parquet(Box<StepFrameWriter>),
    Text(Out<'static>, String),
}

impl StepSink {
    /// Opens a file of steps by its name.
    pub fn create(path: &Path) -> Result<StepSink> {
        StepSink::of(Output::create(path)?, StepFormat::of_name(path)?, &Metadata::plain())
    }

    /// Writes steps to an open output. Only Parquet holds metadata.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn of(output: Output, format: StepFormat, metadata: &Metadata) -> Result<StepSink> {
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
        if let Err(Reason(reason)) = self.format.check(record.shape) {
            return Err(CorpusError::file(&self.target.path, reason));
        }
        let written = match &mut self.file {
            _ if !steps.is_empty() && steps.format != self.format => {
                return Err(CorpusError::file(&self.target.path, "the steps were written for another format"));
            }
            StepFile::Parquet(frame) => frame.write(record, steps),
            // A puzzle without a step has its line, too: line n is puzzle n.
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
    pub fn seal(self) -> Result<Sealed> {
        let ended = match self.file {
            StepFile::Parquet(frame) => frame.finish(),
            StepFile::Text(mut out, _) => out.flush(),
        };
        ended.map_err(self.target.failed())?;
        self.target.seal()
    }
}

fn push_lines(lines: &mut String, format: StepFormat, record: &Record, steps: &StepTexts) {
    match format {
        StepFormat::Parquet => {}
        StepFormat::JsonLines => {
            let object = json!({
                "class": record.class.map(|class| format!("{class:032x}")),
                "finished": record.finished,
                "row": record.row,
                "puzzle": record.puzzle.as_ref().map(ToString::to_string),
                "shape": record.shape.to_string(),
                "solution": record.solution.as_ref().map(ToString::to_string),
                "steps": [],
            });
            lines.push_str(&object.to_string());
            // The list of steps is the last value. It is closed again in place of the last comma.
            lines.truncate(lines.len() - "]}".len());
            lines.push_str(steps.text.trim_end_matches(','));
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
    use crate::corpus::tests::puzzle;
    use crate::corpus::{Analysis, Scan, StepsWanted};

    fn analyzed(wrong: usize, format: StepFormat) -> Record {
        let line = "1............8.2......37.45.....197..3...5.2.8.1.42..........9..64..3....7851.6..";
        let wanted = Some(StepsWanted { wrong, seed: 1, format });
        Analysis { steps: wanted, ..Analysis::default() }.analyze(Record::of_puzzle(7, puzzle(line)))
    }

    #[test]
    fn steps_change_nothing_else_in_a_row() {
        let mut with = analyzed(4, StepFormat::Parquet);
        let plain = Analysis::default().analyze(Record::of_puzzle(7, with.puzzle.clone().unwrap()));
        assert!(with.steps.len() > 4 && plain.steps.is_empty());
        with.steps = StepTexts::default();
        assert_eq!(with, plain);
    }

    /// Puzzles without a step: no technique of the ladder finds anything, or there is no solution.
    #[test]
    fn puzzles_without_a_step_have_a_line() {
        let folder = tempfile::tempdir().unwrap();
        let lines = [
            "1............8.2......37.45.....197..3...5.2.8.1.42..........9..64..3....7851.6..",
            ".................................................................................",
        ];
        for name in ["a.jsonl", "a.tokens", "a.txt"] {
            let path = folder.path().join(name);
            let mut sink = StepSink::create(&path).unwrap();
            for ladder in ["full_house", "default"] {
                for line in lines {
                    let steps = Some(StepsWanted { format: StepFormat::of_name(&path).unwrap(), ..Default::default() });
                    let ladder = Some(ladder.parse().unwrap());
                    let analysis = Analysis { steps, ladder, ..Analysis::default() };
                    sink.write(&mut analysis.analyze(Record::of_puzzle(7, puzzle(line)))).unwrap();
                }
            }
            sink.finish().unwrap();
            let text = std::fs::read_to_string(&path).unwrap();
            match name {
                "a.jsonl" => {
                    let objects: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
                    let steps: Vec<usize> =
                        objects.iter().map(|object| object["steps"].as_array().unwrap().len()).collect();
                    assert!(matches!(steps[..], [0, 0, some, 0] if some > 40), "{steps:?}");
                }
                "a.tokens" => {
                    let of_lines: Vec<bool> = text.lines().map(|line| line.ends_with(" solved")).collect();
                    assert_eq!(of_lines, [false, false, true, false]);
                    assert!(text.lines().all(|line| line.starts_with("puzzle ")));
                }
                _ => assert_eq!(text.lines().filter(|line| line.is_empty()).count(), 4),
            }
        }
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
        assert_eq!(object["row"], 7);
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
