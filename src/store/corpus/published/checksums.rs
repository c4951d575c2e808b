//! The checksums of the files of a publication, by which the same command knows that they are still there.
//!
//! ```text
//!   9f86d081884c7d65..                   the output is a single file
//!
//!   9f86d081884c7d65..  /books/1.svg     several files: a line for each, as b3sum prints it
//!   60303ae22b998861..  /books/2.svg
//! ```

use std::fs::File;
use std::path::Path;

use crate::corpus::files::durable::output::Sealed;
use crate::corpus::values::error::{CorpusError, Result};

/// The checksums of outputs that have no names yet. None if some of them are no files.
pub(super) fn of(outputs: &Sealed, output: &str) -> Result<Option<String>> {
    let Some(files) = outputs.only_files() else { return Ok(None) };
    let mut lines = Vec::new();
    for file in files {
        let path = std::path::absolute(&file.path).map_err(CorpusError::io("find", &file.path))?;
        let Some(checksum) = checksum(file.file.path())? else { return Ok(None) };
        lines.push(ChecksumLine { checksum, path: path.to_string_lossy().into_owned() });
    }
    Ok(match &lines[..] {
        [] => None,
        [line] if line.path == output => Some(line.checksum.clone()),
        lines => {
            Some(lines.iter().map(|line| format!("{}  {}", line.checksum, line.path)).collect::<Vec<_>>().join("\n"))
        }
    })
}

/// True if all files are there, with the contents that they had. `output` is the name of a single file.
pub(super) fn fit(checksums: &str, output: &str) -> Result<bool> {
    for line in checksums.lines() {
        let (expected, path) = line.split_once("  ").unwrap_or((line, output));
        if checksum(Path::new(path))?.as_deref() != Some(expected) {
            return Ok(false);
        }
    }
    Ok(true)
}

struct ChecksumLine {
    checksum: String,
    path: String,
}

/// The BLAKE3 of a file. None if it is no regular file.
fn checksum(path: &Path) -> Result<Option<String>> {
    // Opening a pipe would take its contents from who reads it afterwards.
    if !path.is_file() {
        return Ok(None);
    }
    let failed = || CorpusError::io("read", path);
    let mut hash = blake3::Hasher::new();
    hash.update_reader(File::open(path).map_err(failed())?).map_err(failed())?;
    Ok(Some(hash.finalize().to_hex().to_string()))
}
