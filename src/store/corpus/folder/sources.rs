//! Opens what was made before: folders of corpora, and files.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::contents::{Contents, STRAY_STEPS, stray_steps};
use super::missing::refuse_missing;
use crate::corpus::files::durable::temporary::TempFolder;
use crate::corpus::files::input::{Input, Reading};
use crate::corpus::files::names::{RECIPE_FILE, ROWS_FOLDER};
use crate::corpus::request::outline::Version;
use crate::corpus::values::error::{CorpusError, Result};

/// The files of a source: the parts that a folder has, or the file itself. What is read of a part is compared with its
/// checksums when it is read.
///
/// # Errors
/// A folder without parts; a part that is damaged; the system reports an error.
pub fn files_of(source: &Path) -> Result<Vec<PathBuf>> {
    if !source.is_dir() {
        // A folder is likely meant by a name without an ending.
        if source != Path::new("-") && source.extension().is_none() {
            refuse_missing(source)?;
        }
        return Ok(vec![source.to_owned()]);
    }
    let contents = Contents::of(source)?;
    contents.refuse_damage(source)?;
    if contents.parts.is_empty() && contents.outline.parts() > 0 {
        let reason = format!("the corpus has no rows yet: {} makes them", contents.call_that_continues(source));
        return Err(CorpusError::file(source, reason));
    }
    Ok(contents.parts.into_values().collect())
}

/// What a reader of a corpus is told: files that are no parts of it, and how many parts are missing. Nothing for other
/// sources.
///
/// # Errors
/// A part is missing before one that is there, unless `partial`; the folder cannot be read.
pub fn notes_on(source: &Path, partial: bool) -> Result<Vec<String>> {
    // The folder of a recipe that somebody wrote is an input of its run, too.
    if !source.join(RECIPE_FILE).is_file() || !source.join(ROWS_FOLDER).is_dir() {
        return Ok(Vec::new());
    }
    let contents = Contents::of(source)?;
    contents.refuse_damage(source)?;
    if let Some(part) = contents.first_gap().filter(|_| !partial) {
        let file = contents.outline.part_file(part);
        let stranger = contents.strangers.iter().find(|stranger| stranger.file == source.join(&file));
        let what = stranger.map_or("is missing".to_owned(), |other| format!("is not this part ({})", other.reason));
        let call = contents.call_that_continues(source);
        let reason = format!("{file} {what}: {call} makes it again; --partial goes on without it");
        return Err(CorpusError::file(source, reason));
    }
    let mut notes: Vec<String> = contents.strangers.iter().map(ToString::to_string).collect();
    for stray in stray_steps(source, &contents.outline)? {
        notes.push(format!("{}: {STRAY_STEPS}, so it is not read", stray.display()));
    }
    let (present, parts) = (contents.parts.len() as u64, contents.outline.parts());
    if present < parts {
        let (folder, call) = (source.display(), contents.call_that_continues(source));
        notes.push(format!("{folder}: unfinished: {present} of {parts} parts are read; {call} makes the rest"));
    }
    Ok(notes)
}

/// What a folder holds of a corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holdings {
    /// The parts that are there, in their order.
    pub parts: Vec<PathBuf>,
    /// The rows of these parts.
    pub rows: u64,
    /// The number of parts of the complete corpus.
    pub wanted: u64,
    /// True if this program continues it: its version made the rows.
    pub is_of_this_version: bool,
    /// The version that made the rows, if it is known.
    pub program_version: Option<String>,
}

/// What a folder holds of a corpus. None if it has no recipe.
///
/// # Errors
/// The folder cannot be read, or was made by version 0.4.0 or before.
pub fn holdings(folder: &Path) -> Result<Option<Holdings>> {
    if !folder.join(RECIPE_FILE).is_file() {
        return Ok(None);
    }
    let Contents { outline, version, parts, .. } = Contents::of(folder)?;
    Ok(Some(Holdings {
        rows: parts.keys().map(|&part| outline.place(part).rows).sum(),
        parts: parts.into_values().collect(),
        wanted: outline.parts(),
        is_of_this_version: version.as_ref().is_none_or(|version| *version == Version::of_this_program()),
        program_version: version.map(|version| version.program),
    }))
}

/// BLAKE3 of a source, in hexadecimal: of its file, or of the files of a corpus in their order.
///
/// # Errors
/// A file cannot be read, or a folder has no parts.
pub fn digest_of(source: &Path) -> Result<String> {
    let mut hash = blake3::Hasher::new();
    for file in files_of(source)? {
        let opened = File::open(&file).map_err(CorpusError::io("open", &file))?;
        hash.update_reader(opened).map_err(CorpusError::io("read", &file))?;
    }
    Ok(hash.finalize().to_hex().to_string())
}

/// The same files, for work that reads them twice. What can be read only once (standard input, a pipe) is copied into a
/// temporary folder, which is made if it is needed and must live as long as the files are read.
///
/// # Errors
/// A pipe that cannot be read, or a copy that cannot be written.
pub fn read_again(files: Vec<PathBuf>, folder: &mut Option<TempFolder>) -> Result<Vec<PathBuf>> {
    let mut readable = Vec::new();
    for (number, path) in files.into_iter().enumerate() {
        let is_standard_input = path == Path::new("-");
        if !is_standard_input && fs::metadata(&path).map_or(true, |data| data.is_file() || data.is_dir()) {
            readable.push(path);
            continue;
        }
        let failed = || CorpusError::io("copy", &path);
        let folder_of_copy = TempFolder::when_needed(folder).map_err(failed())?.path().join(number.to_string());
        fs::create_dir_all(&folder_of_copy).map_err(failed())?;
        // The name goes on saying what is in the file.
        let name = path.file_name().filter(|_| !is_standard_input).unwrap_or("standard-input".as_ref());
        let copy = folder_of_copy.join(name);
        let mut out = File::create(&copy).map_err(failed())?;
        let read = match is_standard_input {
            true => io::copy(&mut io::stdin().lock(), &mut out),
            false => File::open(&path).and_then(|mut pipe| io::copy(&mut pipe, &mut out)),
        };
        read.map_err(failed())?;
        readable.push(copy);
    }
    Ok(readable)
}

impl Input {
    /// Opens a file, a pipe, `-` for standard input, or the folder of a corpus.
    ///
    /// # Errors
    /// The file cannot be opened, does not agree with its name, or lacks columns; a part is damaged.
    pub fn open(source: &Path, how: impl Into<Reading>) -> Result<Input> {
        Input::of_files(files_of(source)?, how)
    }
}
