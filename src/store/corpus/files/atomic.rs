//! Makes files that become visible when they are complete.
//!
//! ```text
//!   .part-000007.parquet.~sudoku-corpus~x7Kq2a     written, counted and hashed here, under a lock
//!          | fsync, rename, fsync of the folder
//!   part-000007.parquet
//! ```
//!
//! Several processes, on one machine or many, may write the same file at once: their temporary names differ in six
//! random letters. A process holds a lock on every temporary file that it writes, and the system releases the lock when
//! the process dies. (Host names and process numbers would not do: containers share them.) The next command that writes
//! into the folder removes temporary files without a lock, under their lock. A temporary folder holds a locked file,
//! which is also its marker: nobody else makes a file with its name and text. A folder without the marker is removed
//! only if it is empty. The marker is removed last. Where a file system has no locks, temporary files that are older
//! than a day count as abandoned.

mod folders;

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use folders::{FOLDER, MARKER, MARKER_TEXT, abandoned, clean_temporary_folders, remove_folder};
use serde::{Deserialize, Serialize};
use tempfile::TempPath;

/// A file that is written under a temporary name. Dropping it removes the file.
#[derive(Debug)]
pub(crate) struct AtomicFile {
    target: PathBuf,
    temporary: TempPath,
    shared: Shared,
    _listed: Listed,
}

/// A file that is complete and durable under its temporary name. Dropping it removes the file.
#[derive(Debug)]
pub(crate) struct SealedFile {
    target: PathBuf,
    temporary: TempPath,
    /// Kept open, and so locked, until the file has its name.
    _file: File,
    pub written: FileSum,
    _listed: Listed,
}

/// A temporary folder. Dropping it removes it.
#[derive(Debug)]
pub struct TempFolder {
    path: PathBuf,
    /// Kept open, and so locked, until the folder is gone.
    lock: File,
    _listed: Listed,
}

/// Marks the temporary names of this program.
const MARK: &str = "sudoku-corpus";

impl TempFolder {
    /// Creates a temporary folder in the folder of the system, and removes those of killed processes.
    pub fn new() -> io::Result<TempFolder> {
        TempFolder::in_folder(&std::env::temp_dir())
    }

    /// Creates a temporary folder beside a path that is to be made, so that what is made can be renamed.
    pub fn beside(target: &Path) -> io::Result<TempFolder> {
        TempFolder::in_folder(folder_of(target))
    }

    /// Makes a temporary folder with its marker in a folder.
    fn in_folder(place: &Path) -> io::Result<TempFolder> {
        clean_temporary_folders(place);
        for _ in 0..100 {
            let path = tempfile::Builder::new().prefix(FOLDER).tempdir_in(place)?.keep();
            let listed = Listed::new(&path);
            let marker = path.join(MARKER);
            let mut folder = match OpenOptions::new().create_new(true).read(true).write(true).open(&marker) {
                // A process that cleans may remove the folder before it holds a marker that is locked.
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                Err(error) => {
                    drop(fs::remove_dir(&path));
                    return Err(error);
                }
                Ok(lock) => TempFolder { path, lock, _listed: listed },
            };
            if hold(&folder.lock, &marker)? {
                folder.lock.write_all(MARKER_TEXT.as_bytes())?;
                // After a power cut, files without a marker would stay.
                folder.lock.sync_all()?;
                return Ok(folder);
            }
        }
        Err(io::Error::other("other processes remove the temporary folders of this one"))
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        // What cannot be removed now is removed by the next command.
        drop(remove_folder(&self.path));
    }
}

/// Temporary files and folders of this process.
static TEMPORARY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A place in the list of temporary files and folders.
#[derive(Debug)]
struct Listed(PathBuf);

impl Listed {
    /// Lists a folder as one to be removed when the process ends.
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
        // The process is ending, so an error cannot be reported.
        drop(if path.is_dir() { remove_folder(&path) } else { fs::remove_file(&path) });
    }
}

/// The files that this process says it is going to write, and folders in which it writes. None if it need not say.
static CLAIMED: Mutex<Option<BTreeSet<PathBuf>>> = Mutex::new(None);

/// From now on, this process writes only files that it claims, files in folders that it claims, and temporary ones. So
/// a program that compares each claim with its inputs and its other outputs cannot write a file that was never
/// compared.
pub fn write_only_claimed() {
    CLAIMED.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default();
}

/// Claims a file, or a folder and all files in it.
///
/// # Errors
/// The path is empty.
pub fn claim(path: &Path) -> io::Result<()> {
    if let Some(claimed) = &mut *CLAIMED.lock().unwrap_or_else(PoisonError::into_inner) {
        claimed.insert(std::path::absolute(path)?);
    }
    Ok(())
}

/// True for a file that may be written.
fn may_write(path: &Path) -> io::Result<bool> {
    let path = std::path::absolute(path)?;
    let holds = |places: &BTreeSet<PathBuf>| path.ancestors().any(|place| places.contains(place));
    if CLAIMED.lock().unwrap_or_else(PoisonError::into_inner).as_ref().is_none_or(holds) {
        return Ok(true);
    }
    let temporary = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(temporary.iter().any(|place| std::path::absolute(place).is_ok_and(|place| path.starts_with(place))))
}

/// The error of the system without the name of the temporary file. Messages give the name of the target.
fn plain(error: &io::Error) -> io::Error {
    let text = error.to_string();
    io::Error::new(error.kind(), text.split(" at path ").next().unwrap_or_default())
}

/// Size and checksum of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileSum {
    /// Its size in bytes.
    pub bytes: u64,
    /// Its BLAKE3, in hexadecimal.
    pub blake3: String,
}

impl FileSum {
    /// The sum of a file.
    pub(crate) fn of_file(path: &Path) -> io::Result<FileSum> {
        let mut hash = blake3::Hasher::new();
        hash.update_reader(File::open(path)?)?;
        Ok(FileSum::of(&hash))
    }

    /// The sum of what was hashed.
    pub(crate) fn of(hash: &blake3::Hasher) -> FileSum {
        FileSum { bytes: hash.count(), blake3: hash.finalize().to_hex().to_string() }
    }
}

/// The writing end of an [`AtomicFile`]. Writers of file formats own it while they write.
#[derive(Clone, Debug)]
pub(crate) struct Shared(Arc<Mutex<HashingWriter>>);

/// Hashes what is written.
#[derive(Debug)]
struct HashingWriter {
    out: BufWriter<File>,
    hash: blake3::Hasher,
}

impl AtomicFile {
    /// Begins a file beside its final place, so that a folder that cannot be written fails at once. A symbolic link is
    /// kept, and its target is written.
    pub(crate) fn create(target: &Path) -> io::Result<AtomicFile> {
        if !may_write(target)? {
            return Err(io::Error::other("no output of this call has this name: a fault of the program"));
        }
        let target = through_links(target)?;
        if target.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        let name = target.file_name().and_then(|name| name.to_str()).unwrap_or("file");
        // File names have at most 255 bytes.
        let name: String = name.chars().take(50).collect();
        let prefix = format!(".{name}.~{MARK}~");
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            // As for any new file: the mask of the process decides.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        for _ in 0..100 {
            let file = builder.tempfile_in(folder_of(&target)).map_err(|error| plain(&error))?;
            let (file, temporary) = file.into_parts();
            if !hold(&file, &temporary)? {
                continue;
            }
            keep_mode(&target, &file, true)?;
            let listed = Listed::new(&temporary);
            let out = BufWriter::with_capacity(1 << 18, file);
            let writer = HashingWriter { out, hash: blake3::Hasher::new() };
            let shared = Shared(Arc::new(Mutex::new(writer)));
            return Ok(AtomicFile { target, temporary, shared, _listed: listed });
        }
        Err(io::Error::other("other processes remove the temporary files of this one"))
    }

    pub(crate) fn writer(&self) -> Shared {
        self.shared.clone()
    }

    /// Makes the file durable and gives it its name. An existing file is replaced.
    pub(crate) fn finish(self) -> io::Result<FileSum> {
        self.seal()?.publish()
    }

    /// Makes the file durable under its temporary name.
    pub(crate) fn seal(self) -> io::Result<SealedFile> {
        let AtomicFile { target, temporary, shared, _listed } = self;
        let writer = Arc::try_unwrap(shared.0).map_err(|_| io::Error::other("the file is still being written"))?;
        let writer = writer.into_inner().unwrap_or_else(PoisonError::into_inner);
        let file = writer.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        keep_mode(&target, &file, false)?;
        file.sync_all()?;
        Ok(SealedFile { target, temporary, _file: file, written: FileSum::of(&writer.hash), _listed })
    }
}

impl SealedFile {
    /// With another name in the same folder.
    pub(crate) fn renamed(self, target: &Path) -> SealedFile {
        SealedFile { target: self.target.with_file_name(target.file_name().unwrap_or_default()), ..self }
    }

    /// Gives the file its name, durably. An existing file is replaced.
    pub(crate) fn publish(self) -> io::Result<FileSum> {
        fs::rename(&self.temporary, &self.target)?;
        self.temporary.keep().map_err(|error| error.error)?;
        sync_folder(folder_of(&self.target))?;
        Ok(self.written)
    }
}

impl Shared {
    fn locked(&self) -> MutexGuard<'_, HashingWriter> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for Shared {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        let mut writer = self.locked();
        let written = writer.out.write(data)?;
        writer.hash.update(&data[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.locked().out.flush()
    }
}

/// Writes a small file atomically.
pub(crate) fn write_atomically(target: &Path, contents: &[u8]) -> io::Result<FileSum> {
    let file = AtomicFile::create(target)?;
    file.writer().write_all(contents)?;
    file.finish()
}

/// The folder of a file.
pub fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes the names in a folder durable. Does nothing on systems that cannot open or synchronise folders.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(not(unix)) {
        return Ok(());
    }
    let opened = match File::open(folder) {
        // A folder may allow writing and forbid reading.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => return Ok(()),
        opened => opened?,
    };
    match opened.sync_all() {
        Err(error) if matches!(error.kind(), ErrorKind::Unsupported | ErrorKind::InvalidInput) => Ok(()),
        synced => synced,
    }
}

/// Creates a folder and its missing parents, durably.
pub fn create_folder(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let parent = folder_of(folder);
    if parent != folder && !parent.as_os_str().is_empty() {
        create_folder(parent)?;
    }
    match fs::create_dir(folder) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists && folder.is_dir() => Ok(()),
        made => made.and_then(|()| sync_folder(parent)),
    }
}

/// The file that a path leads to. Symbolic links are followed, even if the last target does not exist.
pub fn through_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..40 {
        match fs::read_link(&path) {
            Ok(next) => path = folder_of(&path).join(next),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// A file that is replaced keeps its mode, so that nobody else may read the new one. Its owner may write it meanwhile.
fn keep_mode(target: &Path, file: &File, writing: bool) -> io::Result<()> {
    #[cfg(unix)]
    if let Some(data) = fs::metadata(target).ok().filter(fs::Metadata::is_file) {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = data.permissions().mode() & 0o777 | if writing { 0o600 } else { 0 };
        file.set_permissions(fs::Permissions::from_mode(mode))?;
    }
    #[cfg(not(unix))]
    let _ = (target, file, writing);
    Ok(())
}

/// Takes the lock of a temporary file. False if another process removed the file before.
fn hold(file: &File, path: &Path) -> io::Result<bool> {
    match file.lock() {
        Err(error) if !has_no_locks(&error) => Err(error),
        _ => path.try_exists(),
    }
}

/// True if this error of a lock means that the file system has no locks. NFS without its lock service gives ENOLCK.
pub fn has_no_locks(error: &io::Error) -> bool {
    const NO_LOCKS: i32 = if cfg!(target_os = "linux") { 37 } else { 77 };
    error.kind() == ErrorKind::Unsupported || (cfg!(unix) && error.raw_os_error() == Some(NO_LOCKS))
}

/// Removes abandoned temporary files from a folder. Returns their number.
pub fn clean(folder: &Path) -> io::Result<usize> {
    let mut removed = 0;
    for entry in fs::read_dir(folder)?.flatten() {
        let ours = entry.file_name().to_str().is_some_and(is_temporary);
        let abandoned = ours.then(|| lock_abandoned(&entry.path())).flatten();
        if abandoned.is_some() && fs::remove_file(entry.path()).is_ok() {
            removed += 1;
        }
    }
    Ok(removed)
}

/// True for the names of temporary files: `.NAME.~sudoku-corpus~x7Kq2a`.
pub(crate) fn is_temporary(name: &str) -> bool {
    let mut pieces = name.strip_prefix('.').unwrap_or_default().rsplitn(3, '~');
    let (random, mark, rest) = (pieces.next(), pieces.next(), pieces.next());
    random.is_some_and(|random| random.len() == 6) && mark == Some(MARK) && rest.is_some_and(|rest| rest.ends_with('.'))
}

/// The lock of a file that no process writes any more. Whoever removes the file keeps the lock until it is gone, so
/// that two processes that clean do not meet in it.
fn lock_abandoned(path: &Path) -> Option<File> {
    let is_file = fs::symlink_metadata(path).is_ok_and(|data| data.is_file());
    is_file.then(|| OpenOptions::new().read(true).write(true).open(path).ok()).flatten().and_then(abandoned)
}

#[cfg(test)]
mod tests;
