//! Defines the names of files in the folder of a corpus.

use std::fs;
use std::path::{Path, PathBuf};

use crate::corpus::files::names::{BASES_FILE, MANIFEST_FILE, RECIPE_FILE, STOCK_FILE};
use crate::corpus::values::error::{CorpusError, Result};

/// How the names of files with rows of unfinished parts begin.
pub(crate) const UNFINISHED: &str = "unfinished-";

/// The first name in a path below the folder of a corpus that the corpus or its night uses itself. None if it uses
/// none.
pub fn name_of_corpus(path: &Path) -> Option<String> {
    let names = path.components().map(|piece| piece.as_os_str().to_string_lossy().into_owned());
    names.filter(|name| name != ".").find(|name| {
        let lower = name.to_ascii_lowercase();
        let taken = [RECIPE_FILE, MANIFEST_FILE, BASES_FILE, STOCK_FILE, "night.toml", "night.log"];
        let kinds = ["part-", "steps-", UNFINISHED, "."];
        taken.contains(&lower.as_str()) || kinds.iter().any(|kind| lower.starts_with(kind))
    })
}

/// Every file in a folder, sorted by name; folders are left out.
pub fn files_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(CorpusError::io("read the folder", folder))? {
        let entry = entry.map_err(CorpusError::io("read the folder", folder))?;
        let is_folder = entry.file_type().map_err(CorpusError::io("read the folder", folder))?.is_dir();
        files.extend((!is_folder).then(|| entry.path()));
    }
    files.sort_unstable();
    Ok(files)
}
