//! Opens what was made before: folders of corpora, and files.
//!
//! ```text
//!   folder -> parts --size and BLAKE3, where the manifest has them--> files
//!   file   -----------------------------------------------------------> files
//! ```
//!
//! A flipped bit in a part would change answers without any error, so parts are compared with the manifest before they
//! are read. A list in the user's cache folder holds the parts that were good, by path, size and time of change, so
//! that a part is hashed only once.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use super::corpus_folder::part_files;
use super::manifest::{Entry, Manifest};
use super::part::{differs, number};
use crate::corpus::files::atomic::TempFolder;
use crate::corpus::files::input::{Input, Reading};
use crate::corpus::files::names::RECIPE_FILE;
use crate::corpus::values::error::{CorpusError, Result};
use crate::corpus::values::levels::Levels;

/// The largest size of the list of good parts in bytes. A longer list is started again.
const LONGEST_LIST: u64 = 64 << 20;

/// The files of a source: the parts that a folder has, checked, or the file itself.
///
/// # Errors
/// A folder without parts; a part that is damaged; the system reports an error.
pub fn files_of(source: &Path) -> Result<Vec<PathBuf>> {
    if !source.is_dir() {
        // A folder is likely meant by a name without an ending.
        if source != Path::new("-") && source.extension().is_none() && !source.exists() {
            let name = source.display();
            let reason = format!("No such file or directory; make a corpus first: `sudoku-corpus run --out {name}`");
            return Err(CorpusError::file(source, reason));
        }
        return Ok(vec![source.to_owned()]);
    }
    let files = part_files(source)?;
    // A manifest that cannot be read says nothing about parts. `verify` reports its problem.
    let Ok(Some(manifest)) = Manifest::read(source) else { return Ok(files) };
    let known = KnownParts::read();
    let entries = files.iter().filter_map(|file| Some((file, manifest.parts.get(&number(file)?)?)));
    let unchecked: Vec<(&PathBuf, &Entry, String)> = entries
        .map(|(file, entry)| (file, entry, key(file, entry)))
        .filter(|(_, _, key)| !known.keys.contains(key))
        .collect();
    let wrong = |file: &Path, entry: &Entry| match differs(file, entry) {
        Ok(reason) => reason.map(|reason| {
            let advice = "`verify` reports details, and `run` makes the part again";
            CorpusError::file(file, format!("damaged: {reason}; {advice}"))
        }),
        Err(error) => Some(error),
    };
    if let Some(error) = unchecked.par_iter().find_map_first(|(file, entry, _)| wrong(file, entry)) {
        return Err(error);
    }
    known.add(unchecked.into_iter().map(|(_, _, key)| key));
    Ok(files)
}

/// The same files, for work that reads them twice. What can be read only once (standard input, a pipe) is copied into a
/// temporary folder, which is made if it is needed and must live as long as the files are read.
///
/// # Errors
/// A pipe that cannot be read, or a copy that cannot be written.
pub fn read_again(files: Vec<PathBuf>, folder: &mut Option<TempFolder>) -> Result<Vec<PathBuf>> {
    let copied = |(at, path): (usize, PathBuf)| {
        let standard = path == Path::new("-");
        if !standard && fs::metadata(&path).map_or(true, |data| data.is_file() || data.is_dir()) {
            return Ok(path);
        }
        let failed = || CorpusError::io("copy", &path);
        if folder.is_none() {
            *folder = Some(TempFolder::new().map_err(failed())?);
        }
        let place = folder.as_ref().map_or(Path::new("."), TempFolder::path).join(at.to_string());
        fs::create_dir_all(&place).map_err(failed())?;
        // The name goes on saying what is in the file.
        let name = path.file_name().filter(|_| !standard).unwrap_or("standard-input".as_ref());
        let copy = place.join(name);
        let mut out = File::create(&copy).map_err(failed())?;
        let read = match standard {
            true => io::copy(&mut io::stdin().lock(), &mut out),
            false => File::open(&path).and_then(|mut pipe| io::copy(&mut pipe, &mut out)),
        };
        read.map(|_| copy).map_err(failed())
    };
    files.into_iter().enumerate().map(copied).collect()
}

/// Refuses a corpus that lacks parts which its manifest lists: [`files_of`] reads those that are there. Returns a
/// message if the corpus is unfinished: its recipe asks for parts that the manifest does not list.
///
/// # Errors
/// A part is missing; the folder cannot be read.
pub fn check_complete(source: &Path) -> Result<Option<String>> {
    let Ok(Some(manifest)) = Manifest::read(source) else { return Ok(None) };
    let there: HashSet<u64> = part_files(source)?.iter().filter_map(|file| number(file)).collect();
    if let Some(part) = manifest.parts.keys().find(|part| !there.contains(part)) {
        let reason = format!(
            "part {part} is missing, but the manifest lists it: `run` makes it again; --partial goes on without it"
        );
        return Err(CorpusError::file(source, reason));
    }
    let (listed, parts) =
        (manifest.parts.len() as u64, manifest.header.count.div_ceil(manifest.header.part_rows.max(1)));
    Ok((listed < parts).then(|| format!("{}: unfinished: {listed} of {parts} parts are read", source.display())))
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

impl Levels {
    /// The levels of corpora, if all of them have the same.
    pub fn of_corpora(sources: &[PathBuf]) -> Option<Levels> {
        let of = |source: &PathBuf| Levels::parse(&fs::read_to_string(source.join(RECIPE_FILE)).ok()?).ok();
        let (first, others) = sources.split_first()?;
        let levels = of(first)?;
        others.iter().all(|source| of(source).as_ref() == Some(&levels)).then_some(levels)
    }
}

/// The key of a part in the list: a hash of its path, size, time of change and required checksum.
fn key(file: &Path, entry: &Entry) -> String {
    let place = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let data = fs::metadata(file).ok();
    let time = data.as_ref().and_then(|data| data.modified().ok()?.duration_since(UNIX_EPOCH).ok());
    let about = format!("{}\n{:?}\n{time:?}\n{}", place.display(), data.map(|data| data.len()), entry.blake3);
    blake3::hash(about.as_bytes()).to_hex()[..32].to_owned()
}

/// The parts that were good before.
struct KnownParts {
    list: Option<PathBuf>,
    keys: HashSet<String>,
}

impl KnownParts {
    /// Reads the list of parts that were checked before, from the cache of the user.
    fn read() -> KnownParts {
        let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
        let cache = cache.or_else(|| std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache")));
        let list = cache.map(|cache| cache.join("sudoku-corpus").join("checked-parts"));
        let short = |list: &&PathBuf| fs::metadata(list).is_ok_and(|data| data.len() <= LONGEST_LIST);
        let text = list.as_ref().filter(short).and_then(|list| fs::read_to_string(list).ok()).unwrap_or_default();
        KnownParts { keys: text.lines().map(str::to_owned).collect(), list }
    }

    /// Adds parts to the list. If it cannot be written, parts are hashed again next time.
    fn add(&self, keys: impl Iterator<Item = String>) {
        let lines: String = keys.map(|key| key + "\n").collect();
        let Some(list) = self.list.as_ref().filter(|_| !lines.is_empty()) else { return };
        let long = fs::metadata(list).is_ok_and(|data| data.len() > LONGEST_LIST);
        let written = fs::create_dir_all(list.parent().unwrap_or(list)).and_then(|()| {
            let mut file = File::options().create(true).append(!long).write(true).truncate(long).open(list)?;
            file.write_all(lines.as_bytes())
        });
        drop(written);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{Job, produce, tests::recipe};

    #[test]
    fn a_damaged_or_missing_part_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let recipe = recipe("count = 20\npart_rows = 10\n[analyze]\ntechniques = \"none\"\nratings = \"none\"");
        produce(&recipe.unwrap(), folder.path(), None, &Job::default()).unwrap();
        assert_eq!(files_of(folder.path()).unwrap().len(), 2);
        assert_eq!(check_complete(folder.path()).unwrap(), None);
        let part = folder.path().join("part-000001.parquet");
        let mut bytes = fs::read(&part).unwrap();
        bytes[1000] ^= 4;
        fs::write(&part, bytes).unwrap();
        let message = files_of(folder.path()).unwrap_err().to_string();
        assert!(message.contains("part-000001.parquet: damaged: its checksum"), "{message}");
        assert_eq!(files_of(&part).unwrap(), std::slice::from_ref(&part));
        fs::remove_file(part).unwrap();
        assert_eq!(files_of(folder.path()).unwrap().len(), 1);
        let message = check_complete(folder.path()).unwrap_err().to_string();
        assert!(message.contains("part 1 is missing, but the manifest lists it"), "{message}");
        let manifest = fs::read_to_string(Manifest::path(folder.path())).unwrap();
        let without: Vec<&str> = manifest.lines().filter(|line| !line.contains("\"part\":1,")).collect();
        fs::write(Manifest::path(folder.path()), without.join("\n") + "\n").unwrap();
        let message = check_complete(folder.path()).unwrap().unwrap();
        assert!(message.ends_with("unfinished: 1 of 2 parts are read"), "{message}");
    }
}
