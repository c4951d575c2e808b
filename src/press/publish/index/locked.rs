//! Locks and reads an index, so that only this process may add to it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::publish::error::PublishError;
use crate::publish::index::lines::{Contents, HEAD, Line, count_file, read, wrong};
use sudoku_corpus_store::corpus::{StopFlag, folder_of, has_no_locks, sync_folder};

/// An index whose lock this process holds. The lock is that of the file, so it is the same for all links to it.
pub(crate) struct LockedIndex {
    path: PathBuf,
    file: File,
    /// False on file systems without locks.
    is_locked: bool,
    /// The file was made by this process.
    is_new: bool,
    /// What stands in the file.
    contents: Contents,
}

impl LockedIndex {
    /// Locks an index, waiting until no other process uses it, and passes on its lines. A missing one is created.
    pub(crate) fn open(
        path: &Path,
        stop: &StopFlag,
        say: &mut dyn FnMut(&str),
        each: impl FnMut(Line),
    ) -> Result<LockedIndex, PublishError> {
        let none = || PublishError::file(path, "not an index of published puzzles");
        let mut index = loop {
            let is_new = !path.exists();
            let file = OpenOptions::new().create(true).read(true).append(true).open(path).map_err(wrong(path))?;
            if !file.metadata().map_err(wrong(path))?.is_file() {
                return Err(none());
            }
            let mut waits = false;
            let is_locked = loop {
                match file.try_lock() {
                    Ok(()) => break true,
                    // Some network file systems have no locks.
                    Err(TryLockError::Error(error)) if has_no_locks(&error) => break false,
                    Err(TryLockError::Error(error)) => return Err(wrong(path)(error)),
                    Err(TryLockError::WouldBlock) if stop.is_set() => return Err(PublishError::Stopped),
                    Err(TryLockError::WouldBlock) if !waits => say(&format!("waiting for {}: in use", path.display())),
                    Err(TryLockError::WouldBlock) => {}
                }
                waits = true;
                thread::sleep(Duration::from_millis(50));
            };
            // Another process may have removed or replaced the file while this one waited.
            if is_same_file(&file, path) {
                let contents = Contents::default();
                break LockedIndex { path: path.to_owned(), file, is_locked, is_new, contents };
            }
        };
        if !index.is_locked {
            say(&format!(
                "{}: this file system has no locks; let only one command at a time use this index",
                path.display()
            ));
        }
        index.contents = read(path, each)?.ok_or_else(none)?;
        index.contents.warning(path).iter().for_each(|warning| say(warning));
        Ok(index)
    }

    /// True if a path leads to this index.
    pub(crate) fn is_at(&self, path: &Path) -> bool {
        is_same_file(&self.file, path)
    }

    /// Adds a line, durably.
    pub(crate) fn add(&mut self, line: &Line) -> Result<(), PublishError> {
        let wrong = wrong(&self.path);
        let Contents { chain, whole_bytes, bytes, lacks_end, .. } = &self.contents;
        // Possible only without locks.
        if self.file.metadata().map_err(&wrong)?.len() != *bytes {
            let reason = "another command has added to this index meanwhile; nothing was published: run this one again";
            return Err(PublishError::file(&self.path, reason));
        }
        if bytes > whole_bytes {
            if !self.is_locked {
                let reason = "its last line is torn, and without locks it cannot be removed safely: remove it by hand";
                return Err(PublishError::file(&self.path, reason));
            }
            self.file.set_len(*whole_bytes).map_err(&wrong)?;
        }
        let text = Line { after: Some(chain.clone()), ..line.clone() }.text();
        let is_first = *whole_bytes == 0;
        let before: &[u8] = if is_first {
            HEAD
        } else if *lacks_end {
            b"\n"
        } else {
            b""
        };
        let all = [before, text.as_bytes()].concat();
        // What was written of a line if this fails is a torn line, which does no harm.
        self.file.write_all(&all).and_then(|()| self.file.sync_all()).map_err(&wrong)?;
        if is_first {
            sync_folder(folder_of(&self.path)).map_err(&wrong)?;
        }
        self.contents.whole_bytes += all.len() as u64;
        self.contents.bytes = self.contents.whole_bytes;
        self.contents.lacks_end = false;
        self.contents.extend(text.as_bytes());
        // Without a count, a loss at the end is not noticed, which is no reason to publish nothing.
        drop(fs::write(count_file(&self.path), format!("{}\n", self.contents.lines)));
        Ok(())
    }
}

impl Drop for LockedIndex {
    fn drop(&mut self) {
        // A command that publishes nothing leaves no index. The lock is still held.
        let is_empty = || self.file.metadata().is_ok_and(|data| data.len() == 0);
        if self.is_new && self.is_locked && is_empty() && is_same_file(&self.file, &self.path) {
            drop(self.path.canonicalize().and_then(fs::remove_file));
        }
    }
}

/// True if a path leads to an open file.
fn is_same_file(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let of = |data: &fs::Metadata| (data.dev(), data.ino());
        matches!((file.metadata(), fs::metadata(path)), (Ok(one), Ok(other)) if of(&one) == of(&other))
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}
