//! Defines the names of files in the folder of a corpus.
//!
//! ```text
//!   corpus/
//!     recipe.toml                    the canonical recipe, and the version that makes the rows
//!     bases.txt                      its bases, if it has any
//!     rows/part-000000.parquet ...   the parts, and nothing else: other programs open this folder as one table
//!     steps/steps-000000.parquet ... the steps of each part, if the recipe asks for them
//!     outputs/                       what the outputs of the recipe write
//!     set-aside/                     damaged files that were in the place of a part
//!     .lock                          empty; held while processes work here
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use crate::corpus::values::error::{CorpusError, Result};

/// The recipe in its canonical text.
pub const RECIPE_FILE: &str = "recipe.toml";

/// The folder of the outputs, which holds nothing else.
pub const OUTPUTS_FOLDER: &str = "outputs";

/// The boards that a method starts from.
pub(crate) const BASES_FILE: &str = "bases.txt";

pub(crate) const ROWS_FOLDER: &str = "rows";

/// The folder of the steps of parts.
pub(crate) const STEPS_FOLDER: &str = "steps";

pub(crate) const ASIDE_FOLDER: &str = "set-aside";

/// The first name in a path below the folder of a corpus that the corpus or its night uses itself. None if it uses
/// none. Outputs have a folder of their own, and any name in it.
pub fn name_of_corpus(path: &Path) -> Option<String> {
    if path.starts_with(OUTPUTS_FOLDER) {
        return None;
    }
    let names = path.components().map(|piece| piece.as_os_str().to_string_lossy().into_owned());
    let folders = [ROWS_FOLDER, STEPS_FOLDER, ASIDE_FOLDER];
    let files = [RECIPE_FILE, BASES_FILE, "night.toml", "night.log"];
    for (depth, name) in names.filter(|name| name != ".").enumerate() {
        let lower = name.to_ascii_lowercase();
        let is_folder = depth == 0 && folders.contains(&lower.as_str());
        if is_folder || files.contains(&lower.as_str()) || lower.starts_with('.') {
            return Some(name);
        }
    }
    None
}

struct Entry {
    path: PathBuf,
    /// A link to a folder is none.
    is_folder: bool,
}

/// The entries of a folder, sorted by name.
fn entries(folder: &Path) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).map_err(CorpusError::io("read the folder", folder))? {
        let entry = entry.map_err(CorpusError::io("read the folder", folder))?;
        let is_folder = entry.file_type().map_err(CorpusError::io("read the folder", folder))?.is_dir();
        entries.push(Entry { path: entry.path(), is_folder });
    }
    entries.sort_unstable_by(|one, other| one.path.cmp(&other.path));
    Ok(entries)
}

/// Every file in a folder, sorted by name; folders are left out.
pub fn files_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let files = entries(folder)?.into_iter().filter(|entry| !entry.is_folder);
    Ok(files.map(|entry| entry.path).collect())
}

/// Every file and every folder in a folder, sorted by name. Nothing if the folder is not there.
pub(crate) fn all_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = if folder.is_dir() { entries(folder)? } else { Vec::new() };
    Ok(entries.into_iter().map(|entry| entry.path).collect())
}

/// The name of the file of steps of a part.
pub(crate) fn steps_name(part: u64) -> String {
    format!("steps-{part:06}.parquet")
}

/// The number of the part whose steps a file has, by its name.
pub(crate) fn steps_part(file: &Path) -> Option<u64> {
    let name = file.file_name()?.to_str()?;
    let part = name.strip_prefix("steps-")?.strip_suffix(".parquet")?.parse().ok()?;
    (name == steps_name(part)).then_some(part)
}
