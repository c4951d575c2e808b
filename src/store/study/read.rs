//! Reads corpora into a [`Summary`]: file by file, several at once, in bounded memory.

use std::path::{Path, PathBuf};

use rayon::prelude::{IntoParallelRefIterator as _, ParallelIterator as _};

use super::summary::Summary;
use crate::corpus::{Input, OnError, Progress, Result, Want, files_of};

/// Rows between two reports of progress.
const ROWS: u64 = 4096;

/// Reads folders of corpora, files of rows, and files of puzzles in any format. Rows that cannot be read are reported
/// and left out.
pub fn summarize(sources: &[PathBuf], progress: &dyn Progress) -> Result<Summary> {
    let mut files = Vec::new();
    for source in sources {
        files.extend(files_of(source)?);
    }
    progress.begin(None, 0);
    let mut all = Summary::default();
    // As many files at once as there are threads, added up in their order. So memory does not grow with the number of
    // files.
    for batch in files.chunks(rayon::current_num_threads().max(1)) {
        let parts: Vec<Result<Summary>> = batch.par_iter().map(|file| summary_of(file, progress)).collect();
        for part in parts {
            all.merge(part?);
        }
    }
    Ok(all)
}

fn summary_of(file: &Path, progress: &dyn Progress) -> Result<Summary> {
    let mut summary = Summary::default();
    for row in Input::open(file, Want::Known)? {
        match OnError::Skip.sort(row, progress)? {
            Some(record) => summary.add(&record),
            None => summary.left_out += 1,
        }
        if (summary.rows + summary.left_out).is_multiple_of(ROWS) {
            progress.rows(ROWS);
        }
    }
    Ok(summary)
}
