//! Writes one part of a corpus.

use std::path::Path;

use crate::corpus::files::durable::atomic::create_folder;
use crate::corpus::files::durable::output::Output;
use crate::corpus::files::metadata::{Metadata, PartPlace};
use crate::corpus::files::names::{ROWS_FOLDER, STEPS_FOLDER, steps_name};
use crate::corpus::files::sink::RowSink;
use crate::corpus::files::step_sink::StepSink;
use crate::corpus::request::outline::Outline;
use crate::corpus::values::error::{CorpusError, Result};
use crate::corpus::values::outside::Outside;
use crate::corpus::values::record::Record;
use crate::corpus::values::steps::StepFormat;

/// A part that is being written. Dropping it removes the file.
pub(crate) struct PartWriter {
    pub place: PartPlace,
    sink: RowSink,
}

impl PartWriter {
    /// Begins a part of a corpus in its folder. Until it is complete, its file lies outside of the folder of the parts,
    /// where other programs would take it for one.
    pub(crate) fn create(folder: &Path, outline: &Outline, part: u64, outside: &[Outside]) -> Result<PartWriter> {
        let metadata = outline.metadata(part);
        let open = |below: &str, name: &str| {
            let place = folder.join(below);
            create_folder(&place).map_err(CorpusError::io("create the folder", &place))?;
            Output::file_by_way_of(Some(folder), &place.join(name))
        };
        let rows = open(ROWS_FOLDER, &outline.part_name(part))?;
        let mut sink = RowSink::of(rows, outline.format.file_format(), outside, &metadata)?;
        if outline.has_steps {
            let steps = open(STEPS_FOLDER, &steps_name(part))?;
            sink = sink.with_steps(StepSink::of(steps, StepFormat::Parquet, &Metadata { of_steps: true, ..metadata })?);
        }
        Ok(PartWriter { place: outline.place(part), sink })
    }

    pub(crate) fn write(&mut self, record: Record) -> Result<()> {
        self.sink.write(record)
    }

    /// Gives the file of steps its name, and then the part.
    pub(crate) fn finish(self) -> Result<()> {
        self.sink.finish().map(drop)
    }
}
