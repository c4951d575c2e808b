//! Reads corpora into a [`Summary`]: file by file, several at once, in bounded memory.

use std::path::PathBuf;

use super::summary::Summary;
use crate::corpus::{CorpusError, Input, OnError, Progress, Result, StopFlag, Unread, Want, Workers, files_of};

/// Reads folders of corpora, files of rows, and files of puzzles in any format. Wrong rows are reported and left out.
pub fn summarize(sources: &[PathBuf], progress: &dyn Progress) -> Result<Summary> {
    let mut files = Vec::new();
    for source in sources {
        files.extend(files_of(source)?);
    }
    progress.begin(None, 0);
    let never = StopFlag::new();
    let of_file = |file: PathBuf| {
        let mut summary = Summary::default();
        Workers::here().run(Input::open(&file, Want::Known)?.unread(), &never, Unread::read, |rows| {
            progress.rows(rows.len() as u64);
            for row in rows {
                match OnError::Skip.sort(row, progress)? {
                    Some(record) => summary.add(&record),
                    None => summary.left_out += 1,
                }
            }
            Ok::<(), CorpusError>(())
        })?;
        Ok(summary)
    };
    if let [file] = &files[..] {
        return of_file(file.clone());
    }
    // Several files at once, added up in their order.
    let mut all = Summary::default();
    Workers::here().run(files, &never, of_file, |parts: Vec<Result<Summary>>| {
        parts.into_iter().try_for_each(|part| part.map(|part| all.merge(part)))
    })?;
    Ok(all)
}
