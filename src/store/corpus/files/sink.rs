//! Runs a single stage over many rows (`generate`, `dig` and `analyze`), and its output: a file in any format, or
//! standard output.
//!
//! A file is opened when the work begins, so that a wrong path fails at once. It gets its name when it is complete.
//! Pipes and devices are written directly.

use std::path::Path;

use super::durable::output::{Output, Sealed, Target};
use super::encode::Encoder;
use super::format::FileFormat;
use super::frame::{FrameReader, FrameWriter};
use super::metadata::Metadata;
use super::parallel::{ItemSize, in_order};
use super::progress::Job;
use super::step_sink::StepSink;
use crate::corpus::values::error::{CorpusError, Result};
use crate::corpus::values::levels::Levels;
use crate::corpus::values::outside::Outside;
use crate::corpus::values::record::Record;

/// An open output.
pub struct RowSink {
    target: Target,
    encoder: Encoder,
    steps: Option<StepSink>,
    rows: u64,
}

impl RowSink {
    /// Opens an output by its name. `-` is standard output, which gets plain lines. `format` overrides the name.
    pub fn create(path: &Path, format: Option<FileFormat>) -> Result<RowSink> {
        RowSink::with_levels(path, format, &[], &Levels::default())
    }

    /// Like [`RowSink::create`], for rows whose levels have this scale, with columns of other programs after ours.
    pub fn with_levels(
        path: &Path,
        format: Option<FileFormat>,
        outside: &[Outside],
        levels: &Levels,
    ) -> Result<RowSink> {
        RowSink::with_metadata(path, format, outside, &Metadata::with_levels(levels))
    }

    /// Like [`RowSink::create`], with these metadata and with columns of other programs after ours.
    pub fn with_metadata(
        path: &Path,
        format: Option<FileFormat>,
        outside: &[Outside],
        metadata: &Metadata,
    ) -> Result<RowSink> {
        let usual = match path.file_name() {
            _ if path == Path::new("-") => Some(FileFormat::Text),
            Some(name) => FileFormat::of_name(&name.to_string_lossy()),
            None => None,
        };
        let format = format.or(usual).ok_or_else(|| {
            let suffixes = FileFormat::ALL.map(FileFormat::suffix).join(", ");
            let reason = format!("the name of an output must give its format; known: {suffixes}, or - for lines");
            CorpusError::refused(path, reason)
        })?;
        RowSink::of(Output::create(path)?, format, outside, metadata)
    }

    /// Writes rows to an open output, with columns of other programs after ours.
    ///
    /// # Errors
    /// An error of the operating system.
    pub fn of(output: Output, format: FileFormat, outside: &[Outside], metadata: &Metadata) -> Result<RowSink> {
        let (out, target) = output.split();
        let encoder = Encoder::new(format, out, metadata, outside).map_err(target.failed())?;
        Ok(RowSink { target, encoder, steps: None, rows: 0 })
    }

    /// Also writes the steps of rows to a file of their own.
    pub fn with_steps(self, steps: StepSink) -> RowSink {
        RowSink { steps: Some(steps), ..self }
    }

    /// The places of columns that have a value in any row of a Parquet file: in the table of columns, then in those of
    /// other programs. None for other formats.
    pub fn filled(&mut self) -> Option<Vec<usize>> {
        if let Encoder::Parquet(frame) = &mut self.encoder { Some(frame.filled()) } else { None }
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
        if self.target.is_file() { Ok(()) } else { self.encoder.flush().map_err(self.target.failed()) }
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

/// Copies a Parquet file that this program wrote, with its metadata and those columns alone whose names are kept.
/// `outside` are its columns of other programs. Nothing is decoded.
///
/// # Errors
/// A file that cannot be read or written.
pub fn copy_columns(from: &Path, to: &Path, outside: &[Outside], keep: &dyn Fn(&str) -> bool) -> Result<()> {
    let rows = FrameReader::open(from)?;
    let (out, target) = Output::create(to)?.split();
    let metadata = rows.metadata().map_or_else(|| Metadata::plain().json(), str::to_owned);
    let frame = FrameWriter::only(out, &metadata, outside, keep);
    frame.and_then(|frame| frame.copy(&rows)).map_err(target.failed())?;
    target.seal()?.publish()
}

/// The result of a stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageSummary {
    pub rows: u64,
    pub skipped: u64,
    /// Rows that may or may not have one solution.
    pub unsettled: u64,
    pub stopped: bool,
}

/// Processes every item of an input and writes the rows in order; `rows` is their number, if it is known. The sink
/// stays open. If the stage was stopped, the sink has the rows of all completed chunks.
///
/// # Errors
/// A damaged input, an output that cannot be written, and with `OnError::Fail` the first bad row.
pub fn run_stage<T: Send>(
    input: impl Iterator<Item = Result<T>>,
    work: impl Fn(T) -> Result<Record> + Sync + Send,
    sink: &mut RowSink,
    rows: Option<u64>,
    job: &Job<'_>,
) -> Result<StageSummary> {
    let mut summary = StageSummary::default();
    job.progress.begin(rows, 0);
    let work = |item: Result<T>| item.and_then(&work);
    let ended = in_order(ItemSize::Small, input, &job.stop, work, |done| {
        let items = done.len() as u64;
        for row in done {
            match job.on_error.sort(row, job.progress)? {
                Some(record) => {
                    summary.unsettled += u64::from(record.is_unsettled());
                    sink.write(record)?;
                    summary.rows += 1;
                }
                None => summary.skipped += 1,
            }
        }
        sink.flush()?;
        job.progress.rows(items);
        Ok::<(), CorpusError>(())
    })?;
    Ok(StageSummary { stopped: !ended, ..summary })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudoku_corpus_core::board::Shape;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_an_error_in_every_format() {
        for format in FileFormat::ALL {
            let full = Path::new("/dev/full");
            let mut sink = RowSink::create(full, Some(format)).unwrap();
            let puzzle = sudoku_corpus_core::board::Grid::blank(Shape::NINE).try_into().unwrap();
            let written = sink.write(Record::of_puzzle(0, puzzle)).and_then(|()| sink.finish());
            let error = written.unwrap_err().to_string();
            assert!(error.starts_with("cannot write /dev/full: the disk is full"), "{format:?}: {error}");
        }
    }
}
