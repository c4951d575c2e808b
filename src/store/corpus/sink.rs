//! The output of a single stage: a file in any format, or standard output.
//!
//! A file is opened when the work begins, so that a wrong path fails at once. It gets its name when it is complete.
//! Pipes and devices are written directly.

use std::path::Path;

use super::columns::Outside;
use super::encode::Encoder;
use super::error::{CorpusError, Result};
use super::format::FileFormat;
use super::frame::FrameWriter;
use super::metadata::Metadata;
use super::output::{Out, Output, Sealed, Target};
use super::record::Record;
use super::steps::StepSink;

/// An open output.
pub struct RowSink {
    target: Target,
    encoder: Encoder<Out>,
    steps: Option<StepSink>,
    rows: u64,
}

impl RowSink {
    /// Opens an output by its name. `-` is standard output, which gets plain lines. `format` overrides the name.
    pub fn create(path: &Path, format: Option<FileFormat>) -> Result<RowSink> {
        RowSink::with_outside(path, format, &[])
    }

    /// Like [`RowSink::create`], with columns of other programs after ours.
    pub fn with_outside(path: &Path, format: Option<FileFormat>, outside: &[Outside]) -> Result<RowSink> {
        let named = || FileFormat::of_name(&path.file_name()?.to_string_lossy());
        let usual = if path == Path::new("-") { Some(FileFormat::Text) } else { named() };
        let format = format.or(usual).ok_or_else(|| {
            let known = FileFormat::ALL.map(FileFormat::suffix).join(", ");
            let reason = format!("the name of an output must give its format; known: {known}, or - for lines");
            CorpusError::file(path, reason)
        })?;
        RowSink::of(Output::create(path)?, format, &Metadata::plain(), outside)
    }

    /// Opens a Parquet file with some of the columns only.
    pub fn with_columns(path: &Path, outside: &[Outside], keep: &dyn Fn(&str) -> bool) -> Result<RowSink> {
        let (out, target) = Output::create(path)?.split();
        let frame = FrameWriter::only(out, &Metadata::plain().json(), outside, keep).map_err(target.failed())?;
        Ok(RowSink { target, encoder: Encoder::Parquet(Box::new(frame)), steps: None, rows: 0 })
    }

    /// Writes rows to an open output.
    pub(super) fn of(output: Output, format: FileFormat, metadata: &Metadata, outside: &[Outside]) -> Result<RowSink> {
        let (out, target) = output.split();
        let encoder = Encoder::new(format, out, metadata, outside).map_err(target.failed())?;
        Ok(RowSink { target, encoder, steps: None, rows: 0 })
    }

    /// Also writes the steps of rows to a file of their own.
    pub fn with_steps(self, steps: StepSink) -> RowSink {
        RowSink { steps: Some(steps), ..self }
    }

    /// The number of rows written so far.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Writes a row.
    pub fn write(&mut self, mut record: Record) -> Result<()> {
        self.rows += 1;
        if let Some(steps) = &mut self.steps {
            steps.write(&mut record)?;
        }
        self.encoder.write(record).map_err(self.target.failed())
    }

    /// Writes what is buffered to a pipe or device, so that its reader gets the rows early. Does nothing for files.
    pub fn flush(&mut self) -> Result<()> {
        if self.target.file.is_some() { Ok(()) } else { self.encoder.flush().map_err(self.target.failed()) }
    }

    /// Ends the output, gives the file its name, and returns the number of rows.
    pub fn finish(self) -> Result<u64> {
        let rows = self.rows;
        self.seal()?.publish()?;
        Ok(rows)
    }

    /// Ends the output. The file is durable but has no name yet.
    pub fn seal(self) -> Result<Sealed> {
        self.encoder.finish().map_err(self.target.failed())?;
        let steps = self.steps.map(StepSink::seal).transpose()?;
        Ok(self.target.seal()?.after(steps))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use sudoku_corpus_core::board::Shape;

    #[test]
    fn an_output_becomes_visible_when_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let mut sink = RowSink::create(&path, None).unwrap();
        sink.write(Record::new(0, Shape::NINE)).unwrap();
        assert!(!path.exists());
        drop(sink);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        let mut sink = RowSink::create(&path, None).unwrap();
        sink.write(Record::new(0, Shape::NINE)).unwrap();
        assert_eq!(sink.finish().unwrap(), 1);
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 2);
    }

    #[test]
    fn bad_outputs_fail_at_once_and_are_named() {
        let message = |path: &str| RowSink::create(Path::new(path), None).err().unwrap().to_string();
        assert_eq!(
            message("a.xlsx"),
            "a.xlsx: the name of an output must give its format; known: .parquet, .csv.zst, .csv, .txt, or - for lines"
        );
        assert!(message("/nonexistent/a.csv").starts_with("cannot write /nonexistent/a.csv: "));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_an_error_in_every_format() {
        for format in FileFormat::ALL {
            let full = Path::new("/dev/full");
            let mut sink = RowSink::create(full, Some(format)).unwrap();
            let puzzle = sudoku_corpus_core::board::Grid::blank(Shape::NINE).try_into().unwrap();
            let written = sink.write(Record::of_puzzle(0, puzzle)).and_then(|()| sink.finish());
            let error = written.unwrap_err().to_string();
            assert!(error.starts_with("cannot write /dev/full: No space left on device"), "{format:?}: {error}");
        }
    }
}
