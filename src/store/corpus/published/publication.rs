//! Publishes in an order that loses nothing and doubles nothing.
//!
//! ```text
//!   the steps of a call                            what the next call with the same request does if they end here
//!   a new index gets its name, with its tables     the same as the first
//!   all outputs are made, and seen by nobody       the same as the first
//!   1. commit: the puzzles, "begun"                publishes these puzzles: nobody has got them
//!      the files get their names                   the same
//!   2. commit: "done"                              nothing; if a file is gone or changed, it makes all again
//!      pipes and devices get their bytes           chooses other puzzles: somebody may have got these
//! ```
//!
//! An index always has its tables, so a file of 0 bytes is one that was emptied: it is refused. A command that publishes
//! nothing removes the index that it made; one that is killed leaves an index without publications.
//!
//! Without files, there is only the second commit. Everything that can be refused is refused before the first commit;
//! after it, only the operating system can fail.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, params};

use super::checksums;
use super::entry::{Entry, emptied};
use super::reading::{
    APPLICATION, IndexKind, TABLES, TABLES_VERSION, checked, connection, digest_of, failed, other_version, state,
};
use super::text;
use crate::corpus::files::durable::atomic::sync_folder;
use crate::corpus::files::durable::inside::{folder_of, through_links};
use crate::corpus::files::durable::output::Sealed;
use crate::corpus::files::durable::temporary::{TempFolder, plain};
use crate::corpus::files::metadata::PROGRAM_VERSION;
use crate::corpus::files::progress::StopFlag;
use crate::corpus::values::error::{CorpusError, Result};
use sudoku_corpus_core::page::numbers::counted;

/// A publication that is under way. It holds the lock of its index.
pub struct Publication {
    /// The database. A transaction is open until the puzzles are committed. After that, the lock is still held.
    base: Connection,
    path: PathBuf,
    /// The file with this path when it was locked.
    file: Option<FileNumber>,
    entries: Vec<Entry>,
    entry: Entry,
    /// The place in `entries` of an earlier call with this request: this one makes the same again.
    earlier: Option<usize>,
}

/// What a call with an index has to do.
pub enum Begun {
    /// Puzzles are to be chosen and published.
    New(Box<Publication>),
    /// The same request was published before, and its files are still there. These are the classes of its puzzles.
    Done(Vec<u128>),
    /// Nothing: the work was stopped.
    Stopped,
}

/// A call that publishes.
pub struct PublicationCall<'a> {
    /// The index.
    pub index: &'a Path,
    /// The output, or the first of several.
    pub output: &'a Path,
    /// A digest of all that determines the puzzles and how they are written; without it, no earlier call counts as the
    /// same.
    pub request: Option<String>,
    /// The day of the call: YYYY-MM-DD.
    pub day: String,
    /// An output of the call is a pipe, a device or standard output.
    pub has_streams: bool,
}

impl Publication {
    /// Begins a publication, and waits until no other process uses the index. A missing index is made; of one of 0.3.0 or
    /// 0.4.0, which is a text, a database is made.
    ///
    /// A request that was published in files of which one is gone or changed gets its puzzles again. What went into a
    /// pipe is gone, and the next call gets others. `say` gets notes for the user.
    ///
    /// # Errors
    /// A file that is no index; an index that is damaged or cannot be written; a file system without locks.
    pub fn begin(call: PublicationCall<'_>, stop: &StopFlag, say: &mut dyn FnMut(&str)) -> Result<Begun> {
        let output = std::path::absolute(call.output).map_err(CorpusError::io("find", call.output))?;
        let output = output.to_string_lossy().into_owned();
        let path = through_links(call.index).map_err(CorpusError::io("read", call.index))?;
        let Some(Opened { base, file, entries }) = opened(&path, stop, say)? else { return Ok(Begun::Stopped) };
        let is_same_call = |entry: &Entry| entry.output == output && call.request.as_ref() == Some(&entry.request);
        let mut earlier = entries.iter().rposition(is_same_call);
        if let Some(place) = earlier {
            let entry = &entries[place];
            if let Some(checksums) = &entry.blake3
                && entry.is_done
                && checksums::fit(checksums, &entry.output)?
            {
                return Ok(Begun::Done(entry.classes.clone()));
            }
            // What was not done has given nothing to a pipe.
            if call.has_streams && entry.is_done {
                earlier = None;
            } else {
                let how = if entry.is_done { "again that it had before" } else { "that an earlier call chose for it" };
                say(&format!("note: {output} gets {} {how}", counted(entry.classes.len(), "puzzle")));
            }
        }
        let (request, version) = (call.request.unwrap_or_default(), Some(PROGRAM_VERSION.to_owned()));
        let entry = Entry { output, request, day: Some(call.day), version, ..Entry::default() };
        Ok(Begun::New(Box::new(Publication { base, path, file, entries, entry, earlier })))
    }

    /// True if an earlier call with the same request was stopped after it had chosen.
    pub fn is_resumed(&self) -> bool {
        self.earlier.is_some_and(|place| !self.entries[place].is_done)
    }

    /// The classes of the puzzles that this request published before, or was about to publish, and publishes again. None
    /// for a new request.
    pub fn again(&self) -> Option<&[u128]> {
        self.earlier.map(|place| &*self.entries[place].classes)
    }

    /// True if a path leads to the index of this publication.
    pub fn is_in(&self, index: &Path) -> bool {
        let (Ok(index), Ok(own_index)) = (index.canonicalize(), self.path.canonicalize()) else { return false };
        index == own_index
    }

    /// The classes of all puzzles of the index.
    pub fn classes(&self) -> Vec<u128> {
        self.entries.iter().flat_map(|entry| &entry.classes).copied().collect()
    }

    /// Commits the classes, and then lets everybody see the outputs. False if the work was stopped before the commit.
    ///
    /// # Errors
    /// `classes` are not those that are to be published again: nothing is published then. An error of the operating
    /// system: before the commit nothing is published; after it, the same command finishes the work if it runs again.
    pub fn finish(
        self,
        classes: &[u128],
        mut outputs: Sealed,
        stop: &StopFlag,
        say: &mut dyn FnMut(&str),
    ) -> Result<bool> {
        let has_files = outputs.has_files();
        let blake3 = checksums::of(&outputs, &self.entry.output)?;
        // Publications are never removed, so their numbers are those of their places.
        let number = self.earlier.unwrap_or(self.entries.len()) as i64 + 1;
        if let Some(earlier_classes) = self.again() {
            if sorted(classes) != sorted(earlier_classes) {
                let reason = "it held other puzzles, which are not found again: choose another name for these";
                return Err(CorpusError::file(Path::new(&self.entry.output), reason));
            }
            let sql = "UPDATE publication SET state = 'begun', blake3 = ? WHERE number = ?";
            self.base.execute(sql, params![blake3, number]).map_err(failed(&self.path))?;
        } else {
            let entry = Entry { blake3, is_done: !has_files, classes: classes.to_vec(), ..self.entry.clone() };
            insert(&self.base, number, &entry).map_err(failed(&self.path))?;
        }
        // Set only now: a process that waits for the lock of another one would keep that one from its commit.
        self.base.execute_batch("PRAGMA locking_mode = EXCLUSIVE").map_err(failed(&self.path))?;
        if !wait_for_lock(&self.path, stop, say, || ran_unless_busy(&self.base, &self.path, "COMMIT"))? {
            return Ok(false);
        }
        outputs.publish_files()?;
        if has_files {
            let sql = "UPDATE publication SET state = 'done' WHERE number = ?";
            self.base.execute(sql, [number]).map_err(failed(&self.path))?;
        }
        // A reader may take its time. Other commands need not wait for it.
        drop(self);
        outputs.publish_streams().map(|()| true)
    }
}

impl Drop for Publication {
    fn drop(&mut self) {
        // A command that publishes nothing, so its transaction is still open, leaves no index. The lock is still held.
        let is_unused = self.entries.is_empty() && !self.base.is_autocommit();
        if is_unused && self.file == FileNumber::of(&self.path) {
            drop(fs::remove_file(&self.path));
        }
    }
}

fn sorted(classes: &[u128]) -> Vec<u128> {
    let mut classes = classes.to_vec();
    classes.sort_unstable();
    classes
}

/// Tells one file of a system from all others. It never opens them: closing an index would give up its lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileNumber {
    device: u64,
    number: u64,
}

impl FileNumber {
    /// The file that has a name now. Where the system has no such numbers, all files have the same.
    fn of(path: &Path) -> Option<FileNumber> {
        let data = fs::metadata(path).ok()?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            Some(FileNumber { device: data.dev(), number: data.ino() })
        }
        #[cfg(not(unix))]
        {
            data.is_file().then_some(FileNumber { device: 0, number: 0 })
        }
    }
}

/// An index that is locked, with its publications.
struct Opened {
    base: Connection,
    file: Option<FileNumber>,
    entries: Vec<Entry>,
}

/// Opens an index, takes its lock and reads it; begins anew if another process removed it. None if the work was stopped.
fn opened(path: &Path, stop: &StopFlag, say: &mut dyn FnMut(&str)) -> Result<Option<Opened>> {
    check_place(path)?;
    loop {
        match IndexKind::of(path).map_err(CorpusError::io("read", path))? {
            IndexKind::Missing => make_index(path)?,
            IndexKind::Empty => return Err(emptied(path)),
            IndexKind::Database => {}
            IndexKind::Text if take_over(path, stop, say)? => continue,
            IndexKind::Text => return Ok(None),
            IndexKind::OtherVersion => return Err(other_version(path)),
            IndexKind::Other => {
                return Err(CorpusError::file(path, "not an index of published puzzles; give the name of a new file"));
            }
        }
        let file = FileNumber::of(path);
        let base = match connection(path, OpenFlags::empty()) {
            // A process that published nothing has removed it.
            Err(_) if !path.exists() => continue,
            opened => opened.map_err(failed(path))?,
        };
        base.busy_timeout(Duration::ZERO).map_err(failed(path))?;
        if base.is_readonly("main").map_err(failed(path))? {
            return Err(CorpusError::file(path, "the index cannot be written"));
        }
        // EXTRA: a commit also outlives a power cut. To set it, SQLite reads the database.
        for statement in ["PRAGMA synchronous = EXTRA", "BEGIN IMMEDIATE"] {
            if !wait_for_lock(path, stop, say, || ran_unless_busy(&base, path, statement))? {
                return Ok(None);
            }
        }
        // A process that published nothing may have removed it while this one waited.
        if file.is_some() && file == FileNumber::of(path) {
            let entries = checked(&base, path)?;
            return Ok(Some(Opened { base, file, entries }));
        }
    }
}

/// Makes an index without publications, unless another process makes it first. It has its tables before it has its name,
/// so that an empty file is never taken for it.
fn make_index(path: &Path) -> Result<()> {
    let not_written = |error| CorpusError::io("write", path)(error);
    let folder = TempFolder::inside(folder_of(path)).map_err(not_written)?;
    let made = folder.new_path();
    fill(&made, &[]).map_err(failed(path))?;
    // SQLite would take the journal of a lost index for one of this index.
    let mut journal = path.to_owned().into_os_string();
    journal.push("-journal");
    let journal = PathBuf::from(journal);
    if !path.exists() && journal.exists() {
        fs::remove_file(&journal).map_err(CorpusError::io("remove", &journal))?;
    }
    let made = tempfile::TempPath::try_from_path(made).map_err(not_written)?;
    let named = made.persist_noclobber(path).or_else(|refused| {
        match refused.error.kind() {
            ErrorKind::AlreadyExists => Ok(()),
            // The file system cannot give a name that must be new.
            ErrorKind::Unsupported | ErrorKind::PermissionDenied => copy_to_new(&refused.path, path),
            _ => Err(plain(&refused.error)),
        }
    });
    named.and_then(|()| sync_folder(folder_of(path))).map_err(not_written)
}

/// Copies a small file to a name that must be new.
fn copy_to_new(from: &Path, path: &Path) -> io::Result<()> {
    let contents = fs::read(from)?;
    let mut file = File::create_new(path)?;
    file.write_all(&contents)?;
    file.sync_all()
}

fn make_tables(base: &Connection) -> rusqlite::Result<()> {
    let tables = TABLES.join("; ");
    base.execute_batch(&format!(
        "PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {TABLES_VERSION}; {tables}"
    ))
}

fn insert(base: &Connection, number: i64, entry: &Entry) -> rusqlite::Result<()> {
    let Entry { output, request, day, version, blake3, is_done, classes } = entry;
    let sql = "INSERT INTO publication(number, output, request, day, version, blake3, puzzles, digest, state) \
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
    let (puzzles, digest) = (classes.len() as i64, digest_of(classes));
    base.execute(sql, params![number, output, request, day, version, blake3, puzzles, digest, state(*is_done)])?;
    let mut statement = base.prepare("INSERT INTO puzzle(publication, class) VALUES (?, ?)")?;
    for class in classes {
        statement.execute(params![number, class.to_be_bytes()])?;
    }
    Ok(())
}

/// Makes a database of an index that is a text, and keeps the text under the name with `.old`. False if the work was
/// stopped.
fn take_over(path: &Path, stop: &StopFlag, say: &mut dyn FnMut(&str)) -> Result<bool> {
    let not_written = |error| CorpusError::io("write", path)(error);
    // The earlier versions locked their text so.
    let file = OpenOptions::new().read(true).append(true).open(path).map_err(not_written)?;
    let is_locked = wait_for_lock(path, stop, say, || match file.try_lock() {
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(not_written(error)),
        Ok(()) => Ok(true),
    })?;
    if !is_locked {
        return Ok(false);
    }
    if IndexKind::of(path).map_err(not_written)? != IndexKind::Text {
        // Another process has done it while this one waited.
        return Ok(true);
    }
    let (entries, text) = (text::read(path)?, fs::read(path).map_err(not_written)?);
    let old_text = PathBuf::from(format!("{}.old", path.display()));
    let is_kept_already = fs::read(&old_text).is_ok_and(|old| old == text);
    if old_text.exists() && !is_kept_already {
        let reason =
            format!("its text is to be kept in {}, but that is another file: move it away", old_text.display());
        return Err(CorpusError::file(path, reason));
    }
    let folder = TempFolder::inside(folder_of(path)).map_err(not_written)?;
    let (copy, made) = (folder.new_path(), folder.new_path());
    if !is_kept_already {
        let written = fs::write(&copy, &text).and_then(|()| File::open(&copy)?.sync_all());
        written.and_then(|()| fs::rename(&copy, &old_text)).map_err(CorpusError::io("write", &old_text))?;
        sync_folder(folder_of(&old_text)).map_err(not_written)?;
    }
    fill(&made, &entries).map_err(failed(path))?;
    fs::rename(&made, path).and_then(|()| sync_folder(folder_of(path))).map_err(not_written)?;
    drop(fs::remove_file(text::count_file(path)));
    let (shown, old_text) = (path.display(), old_text.display());
    say(&format!(
        "note: {shown} was a text of an earlier version; it is a database now, and the text is kept in {old_text}"
    ));
    Ok(true)
}

fn fill(path: &Path, entries: &[Entry]) -> rusqlite::Result<()> {
    let base = connection(path, OpenFlags::SQLITE_OPEN_CREATE)?;
    base.execute_batch("BEGIN")?;
    make_tables(&base)?;
    for (number, entry) in (1..).zip(entries) {
        insert(&base, number, entry)?;
    }
    base.execute_batch("COMMIT")
}

/// Refuses a database that SQLite could not keep safe, and a folder in which it can make no journal.
fn check_place(path: &Path) -> Result<()> {
    let folder = folder_of(path);
    if !folder.is_dir() {
        return Err(CorpusError::file(path, format!("the folder {} does not exist", folder.display())));
    }
    let probe = tempfile::tempfile_in(folder).map_err(|error| CorpusError::io("write", path)(plain(&error)))?;
    // SQLite would take a missing lock service for a busy file. Nobody else has this file open.
    #[cfg(unix)]
    if rustix::fs::fcntl_lock(&probe, rustix::fs::FlockOperation::NonBlockingLockExclusive).is_err() {
        let reason = "this file system has no locks, so two commands could publish the same puzzles: nothing was \
                      published. Keep the index on a file system with locks";
        return Err(CorpusError::file(path, reason));
    }
    #[cfg(unix)]
    if has_several_names(path) {
        let reason = "the index has several names (hard links), and a crash could damage it: give it one name";
        return Err(CorpusError::file(path, reason));
    }
    drop(probe);
    Ok(())
}

/// True for a file with several names (hard links). A file that is just getting its name has two on some systems, for a
/// moment, so one that has two is asked again.
#[cfg(unix)]
fn has_several_names(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (0..5).all(|time| {
        thread::sleep(Duration::from_millis(20 * time));
        fs::metadata(path).is_ok_and(|data| data.is_file() && data.nlink() > 1)
    })
}

/// Tries to take a lock until no other process has it. False if the work was stopped.
fn wait_for_lock(
    path: &Path,
    stop: &StopFlag,
    say: &mut dyn FnMut(&str),
    mut attempt: impl FnMut() -> Result<bool>,
) -> Result<bool> {
    let mut was_told = false;
    while !attempt()? {
        if stop.is_set() {
            return Ok(false);
        }
        if !was_told {
            say(&format!("waiting for {}: in use", path.display()));
            was_told = true;
        }
        thread::sleep(Duration::from_millis(50));
    }
    Ok(true)
}

/// Runs a statement. False if another process keeps it from its lock.
fn ran_unless_busy(base: &Connection, path: &Path, statement: &str) -> Result<bool> {
    match base.execute_batch(statement) {
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => Ok(false),
        done => done.map(|()| true).map_err(failed(path)),
    }
}
