//! Answers of any length in bounded memory: batches are written while the query still runs.
//!
//! ```text
//!   a thread runs the query -> batch -> batch -> ...   at most one batch waits
//!   the caller writes                   |
//!   a caller that fails (a closed pipe, a full disk) ends the query
//! ```

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use polars::io::parquet::write::BatchedWriter;
use polars::prelude::{DataFrame, Engine, LazyFrame, ParquetWriter, PlanCallback};

use super::scan::{Answer, AskError, Scan};
use super::{Failure, Watched, guarded, io_error, zstd};

/// The approximate number of rows of a batch, and of a row group of an answer in Parquet.
const BATCH: usize = 32_768;

impl Scan {
    /// Answers a query and passes the rows to `take` in order, in batches. The first call has no rows and gives the
    /// names of the columns. The inner result is that of `take`.
    ///
    /// # Errors
    /// The same as for [`Scan::ask`].
    pub fn ask_in_batches<E>(
        &self,
        sql: &str,
        mut take: impl FnMut(Answer) -> Result<(), E>,
    ) -> Result<Result<(), E>, AskError> {
        let (rows, schema) = self.planned(sql)?;
        let mut outcome = take(Answer(DataFrame::empty_with_schema(&schema)));
        if outcome.is_err() {
            return Ok(outcome);
        }
        let (send, receive) = sync_channel(1);
        let ended = thread::scope(|scope| {
            let running = scope.spawn(move || run(rows, send));
            for batch in &receive {
                outcome = take(Answer(batch));
                if outcome.is_err() {
                    break;
                }
            }
            // The sender learns that the receiver has stopped.
            drop(receive);
            running.join().unwrap_or_else(|_| Err("the query could not be answered".to_owned()))
        });
        match outcome {
            Err(_) => Ok(outcome),
            Ok(()) => ended.map(Ok).map_err(|reason| self.blamed(sql, reason)),
        }
    }
}

/// Runs a query to its end, or until the receiver stops.
fn run(rows: LazyFrame, send: SyncSender<DataFrame>) -> Result<(), String> {
    let callback = PlanCallback::new(move |batch: DataFrame| Ok(send.send(batch).is_err()));
    guarded(|| {
        let answered = rows.sink_batches(callback, true, NonZeroUsize::new(BATCH))?;
        answered.collect_with_engine(Engine::Streaming).map(|_| ())
    })
}

/// Writes answers as Parquet.
pub struct AnswerWriter<W: Write> {
    writer: BatchedWriter<Watched<W>>,
    failure: Failure,
}

impl<W: Write> AnswerWriter<W> {
    /// Begins a file with the columns of an answer.
    ///
    /// # Errors
    /// The system or polars reports an error.
    pub fn new(out: W, answer: &Answer) -> io::Result<AnswerWriter<W>> {
        let failure = Failure::default();
        let out = Watched { out, failure: failure.clone() };
        let begun = zstd().and_then(|zstd| {
            ParquetWriter::new(out).with_compression(zstd).set_parallel(false).batched(answer.0.schema())
        });
        let writer = begun.map_err(|error| io_error(&failure, &error))?;
        Ok(AnswerWriter { writer, failure })
    }

    /// Writes the rows of a batch.
    ///
    /// # Errors
    /// The same as for [`AnswerWriter::new`]; usually the disk is full.
    pub fn write(&mut self, answer: &Answer) -> io::Result<()> {
        let written = if answer.is_empty() { Ok(()) } else { self.writer.write_batch(&answer.0) };
        written.map_err(|error| io_error(&self.failure, &error))
    }

    /// Writes the end of the file.
    ///
    /// # Errors
    /// The same as for [`AnswerWriter::write`].
    pub fn finish(self) -> io::Result<()> {
        self.writer.finish().map(|_| ()).map_err(|error| io_error(&self.failure, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{Cells, write_table};

    const ROWS: usize = 100_000;

    fn scan(folder: &std::path::Path) -> Scan {
        let path = folder.join("numbers.parquet");
        let cells = Cells::Real((0..ROWS).map(|number| Some(number as f64)).collect());
        write_table(&path, vec![("number", cells)]).unwrap();
        Scan::open(&[path]).unwrap()
    }

    #[test]
    fn batches_together_are_the_answer_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let (mut batches, mut next) = (0, 0.0);
        let outcome = scan(folder.path()).ask_in_batches("SELECT number FROM puzzles", |answer| {
            assert_eq!(answer.names(), ["number"]);
            batches += 1;
            for row in 0..answer.len() {
                assert_eq!(answer.row(row).unwrap(), [next]);
                next += 1.0;
            }
            Ok::<(), ()>(())
        });
        assert_eq!(outcome, Ok(Ok(())));
        assert!(next == ROWS as f64 && batches >= 3, "{next} rows in {batches} batches");
    }

    #[test]
    fn a_receiver_that_fails_ends_the_query() {
        let folder = tempfile::tempdir().unwrap();
        let scan = scan(folder.path());
        for after in 0..3 {
            let mut taken = 0;
            let outcome = scan.ask_in_batches("SELECT number FROM puzzles", |_| {
                taken += 1;
                if taken > after { Err("full") } else { Ok(()) }
            });
            assert_eq!((outcome, taken), (Ok(Err("full")), after + 1));
        }
        let wrong = scan.ask_in_batches("SELECT nubmer FROM puzzles", |_| Ok::<(), ()>(()));
        assert!(wrong.unwrap_err().to_string().contains("did you mean 'number'"));
    }

    #[test]
    fn batches_are_written_and_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let scan = scan(folder.path());
        for (question, rows) in
            [("SELECT number AS n FROM puzzles", ROWS), ("SELECT number AS n FROM puzzles WHERE number < 0", 0)]
        {
            let path = folder.path().join("answer.parquet");
            let mut writer = None;
            let outcome = scan.ask_in_batches(question, |answer| match &mut writer {
                None => {
                    AnswerWriter::new(std::fs::File::create(&path).unwrap(), &answer).map(|begun| writer = Some(begun))
                }
                Some(writer) => writer.write(&answer),
            });
            assert!(outcome.unwrap().is_ok());
            writer.unwrap().finish().unwrap();
            let read = Scan::open(&[path]).unwrap().ask("SELECT count(*) AS n FROM puzzles").unwrap();
            assert_eq!(read.row(0).unwrap(), [rows]);
        }
    }
}
