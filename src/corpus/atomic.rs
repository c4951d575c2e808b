//! Files that appear whole or not at all.
//!
//! ```text
//!   .part-000007.parquet.~host-4711-90210~x7Kq2a     written, counted and hashed here
//!          | fsync, rename, fsync of the folder
//!   part-000007.parquet
//! ```
//!
//! Two processes, on one machine or two, may write the same file at once: their temporary names differ by host, process
//! number, start time of the process and six random letters. What a killed process leaves behind is found by its name
//! and taken away by the next run: at once when nobody else can be at work on the folder, else when the process that
//! the name tells of is gone. A process that is asked to stop while it cannot drop them takes them away itself, see
//! [`remove_temporary`].

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use tempfile::{TempDir, TempPath};

/// A file being written under a temporary name. Dropping it removes the file.
#[derive(Debug)]
pub struct AtomicFile {
    target: PathBuf,
    temporary: TempPath,
    shared: Shared,
    _listed: Listed,
}

/// A folder for files that nobody else needs. Dropping it removes it.
#[derive(Debug)]
pub struct TempFolder {
    folder: TempDir,
    _listed: Listed,
}

impl TempFolder {
    /// Makes a folder where the system keeps such ones.
    ///
    /// # Errors
    /// What the system says.
    pub fn new() -> io::Result<TempFolder> {
        let folder = tempfile::tempdir()?;
        let listed = Listed::new(folder.path());
        Ok(TempFolder { folder, _listed: listed })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Temporary files and folders of this process.
static TEMPORARY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A place in the list of temporary files and folders.
#[derive(Debug)]
struct Listed(PathBuf);

impl Listed {
    fn new(path: &Path) -> Listed {
        TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned());
        Listed(path.to_owned())
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}

/// Removes the temporary files and folders of this process, which is about to end while they are in use.
pub fn remove_temporary() {
    for path in std::mem::take(&mut *TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)) {
        // What cannot be removed stays: nobody is left who could be told.
        let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        drop(removed);
    }
}

/// What the system said, without the name of the temporary file, which stands behind it: messages name the target.
fn plain(error: &io::Error) -> io::Error {
    let text = error.to_string();
    io::Error::new(error.kind(), text.split(" at path ").next().unwrap_or_default())
}

/// What was written, by size and checksum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Size in bytes.
    pub bytes: u64,
    /// BLAKE3 of the contents, in hexadecimal.
    pub blake3: String,
}

/// The writing end of an [`AtomicFile`]; writers of file formats own it while they write.
#[derive(Clone, Debug)]
pub struct Shared(Arc<Mutex<Tally>>);

#[derive(Debug)]
struct Tally {
    out: BufWriter<File>,
    bytes: u64,
    hash: blake3::Hasher,
}

impl AtomicFile {
    /// Begins a file next to its final place, so that a folder that cannot be written fails at once.
    ///
    /// # Errors
    /// What the system says.
    pub fn create(target: &Path) -> io::Result<AtomicFile> {
        let name = target.file_name().and_then(|name| name.to_str()).unwrap_or("file");
        let mut builder = tempfile::Builder::new();
        let prefix = format!(".{name}.~{}~", PROCESS.as_str());
        builder.prefix(&prefix);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = builder.tempfile_in(folder_of(target)).map_err(|error| plain(&error))?;
        let (file, temporary) = file.into_parts();
        let listed = Listed::new(&temporary);
        let tally = Tally { out: BufWriter::with_capacity(1 << 18, file), bytes: 0, hash: blake3::Hasher::new() };
        let shared = Shared(Arc::new(Mutex::new(tally)));
        Ok(AtomicFile { target: target.to_owned(), temporary, shared, _listed: listed })
    }

    /// The final path.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Where to write.
    pub fn writer(&self) -> Shared {
        self.shared.clone()
    }

    /// Makes the file durable and gives it its name, in place of any file that has it.
    ///
    /// # Errors
    /// What the system says; the temporary file is gone then.
    pub fn finish(self) -> io::Result<Written> {
        let tally = Arc::try_unwrap(self.shared.0).map_err(|_| io::Error::other("the file is still being written"))?;
        let tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
        let file = tally.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        self.temporary.persist(&self.target).map_err(|error| error.error)?;
        sync_folder(folder_of(&self.target))?;
        Ok(Written { bytes: tally.bytes, blake3: tally.hash.finalize().to_hex().to_string() })
    }
}

impl Shared {
    fn tally(&self) -> MutexGuard<'_, Tally> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for Shared {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        let mut tally = self.tally();
        let written = tally.out.write(data)?;
        tally.bytes += written as u64;
        tally.hash.update(&data[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.tally().out.flush()
    }
}

/// Writes a small file whole or not at all.
///
/// # Errors
/// What the system says.
pub fn write_whole(target: &Path, contents: &[u8]) -> io::Result<Written> {
    let file = AtomicFile::create(target)?;
    file.writer().write_all(contents)?;
    file.finish()
}

/// The folder of a file.
pub fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes a rename in a folder durable. Systems that cannot open folders are passed over.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(error) if error.kind() == io::ErrorKind::StorageFull => Err(error),
        _ => Ok(()),
    }
}

/// Removes temporary files of dead processes from a folder; when `alone`, those of parts whoever wrote them. Says how
/// many.
///
/// # Errors
/// What the system says when the folder cannot be read. Files that cannot be removed stay.
pub fn clean(folder: &Path, alone: bool) -> io::Result<usize> {
    let mut removed = 0;
    for entry in fs::read_dir(folder)?.flatten() {
        let name = entry.file_name();
        let name = name.to_str().unwrap_or_default();
        let is_left = |owner| (alone && name.starts_with(".part-")) || is_dead(owner);
        if owner_of_temporary(name).is_some_and(is_left) && fs::remove_file(entry.path()).is_ok() {
            removed += 1;
        }
    }
    Ok(removed)
}

/// The process that a temporary name tells of; none when the name is not one of ours.
pub(super) fn owner_of_temporary(name: &str) -> Option<&str> {
    let mut pieces = name.strip_prefix('.')?.rsplitn(3, '~');
    let random = pieces.next()?;
    let owner = pieces.next()?;
    let rest = pieces.next()?;
    (random.len() == 6 && rest.ends_with('.') && owner.split('-').count() >= 3).then_some(owner)
}

/// Host, number and start time of this process: `host-4711-90210`.
static PROCESS: LazyLock<String> = LazyLock::new(|| {
    let process = std::process::id();
    format!("{}-{process}-{}", host(), start_time(process).unwrap_or(0))
});

/// The name of this machine, as far as it can be part of a file name.
fn host() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").or_else(|_| fs::read_to_string("/etc/hostname"));
    let name = name.ok().or_else(|| std::env::var("COMPUTERNAME").ok()).unwrap_or_default();
    let plain = |c: &char| c.is_ascii_alphanumeric() || *c == '.' || *c == '-';
    let name: String = name.trim().chars().filter(plain).take(64).collect();
    if name.is_empty() { "host".to_owned() } else { name }
}

/// When a process started, in the system's ticks; none when there is no such process or no way to know.
fn start_time(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program stands in parentheses and may hold anything; 22nd field, the third is first behind it.
    status.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}

/// Is the process that a temporary name tells of certainly gone?
fn is_dead(owner: &str) -> bool {
    let mut pieces = owner.rsplitn(3, '-');
    let (start, process, name) = (pieces.next(), pieces.next(), pieces.next());
    let number = |text: Option<&str>| text.and_then(|text| text.parse::<u64>().ok());
    let (Some(start), Some(process)) = (number(start), number(process)) else { return false };
    let here = name == Some(host().as_str()) && Path::new("/proc/self/stat").exists();
    here && u32::try_from(process).map_or(true, |process| start_time(process) != Some(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("part.csv");
        let file = AtomicFile::create(&target).unwrap();
        file.writer().write_all(b"half").unwrap();
        assert!(!target.exists());
        drop(file);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        let written = write_whole(&target, b"whole").unwrap();
        assert_eq!(written.bytes, 5);
        assert_eq!(written.blake3, blake3::hash(b"whole").to_hex().to_string());
        assert_eq!(fs::read(&target).unwrap(), b"whole");
        write_whole(&target, b"newer").unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"newer");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_dead_processes_left_is_cleaned_and_what_living_ones_write_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let living = AtomicFile::create(&path("part-000001.parquet")).unwrap();
        let dead = format!(".part-000002.parquet.~{}-4000000000-1~abcdef", host());
        let reused = format!(".part-000002.parquet.~{}-{}-1~abcdef", host(), std::process::id());
        let elsewhere = ".part-000003.parquet.~another-host-7-1~abcdef";
        for name in [dead.as_str(), reused.as_str(), elsewhere, "part-000000.parquet", ".hidden", ".~a~b"] {
            fs::write(path(name), b"x").unwrap();
        }
        assert_eq!(clean(folder.path(), false).unwrap(), 2);
        assert!(path(elsewhere).exists() && !path(&dead).exists() && !path(&reused).exists());
        living.writer().write_all(b"y").unwrap();
        living.finish().unwrap();
        assert_eq!(clean(folder.path(), true).unwrap(), 1);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4);
    }

    #[test]
    fn a_folder_that_is_not_there_fails_at_once() {
        let error = AtomicFile::create(Path::new("/nonexistent/folder/file")).unwrap_err();
        assert_eq!(error.to_string(), "No such file or directory (os error 2)");
    }

    #[test]
    fn temporary_files_are_listed_while_they_are_there() {
        let listed = |path: &Path| TEMPORARY.lock().unwrap().contains(path);
        let folder = TempFolder::new().unwrap();
        let path = folder.path().to_owned();
        let file = AtomicFile::create(&path.join("file")).unwrap();
        let temporary = file.temporary.to_path_buf();
        assert!(listed(&path) && listed(&temporary));
        file.finish().unwrap();
        assert!(listed(&path) && !listed(&temporary));
        drop(folder);
        assert!(!listed(&path) && !path.exists());
    }
}
