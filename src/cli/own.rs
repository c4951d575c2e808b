//! Lists the files that the outputs of a corpus made. When the outputs are made again, these alone are replaced.
//!
//! The list is the file `.outputs` in the folder of the corpus: a JSON text a line, relative to the folder if the file
//! is in it. A name is in the list before its file is written, so a run that goes on after a kill may write it again.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::Context as _;

use super::{Usage, cannot_write};

/// The name of the list.
const LIST: &str = ".outputs";

/// The list of a corpus.
#[derive(Debug)]
pub(super) struct OwnFiles {
    folder: PathBuf,
    /// The lines of the list.
    names: Mutex<BTreeSet<String>>,
}

impl OwnFiles {
    /// Reads the list of a corpus, if there is one.
    pub(super) fn of(folder: &Path) -> anyhow::Result<OwnFiles> {
        let folder = absolute(folder)?;
        let path = folder.join(LIST);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            text => text.with_context(|| format!("cannot read {}", path.display()))?,
        };
        // A line that a killed process did not finish names a file that was not written.
        let names = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        Ok(OwnFiles { folder, names: Mutex::new(names) })
    }

    /// The name of a file in the list.
    fn name(&self, file: &Path) -> anyhow::Result<String> {
        let file = absolute(file)?;
        Ok(file.strip_prefix(&self.folder).unwrap_or(&file).to_string_lossy().into_owned())
    }

    /// Refuses a file that is there, or a folder with files, that no output of this corpus made. Pipes and devices are no
    /// files.
    pub(super) fn check(&self, file: &Path) -> anyhow::Result<()> {
        let holds = |data: &fs::Metadata| data.is_dir() && fs::read_dir(file).is_ok_and(|mut all| all.next().is_some());
        let there = fs::metadata(file).is_ok_and(|data| data.is_file() || holds(&data));
        let own = self.names.lock().unwrap_or_else(PoisonError::into_inner).contains(&self.name(file)?);
        let what = "exists, and no output of this corpus made it: remove it, or write force = true";
        if there && !own { Err(Usage(format!("{} {what}", file.display())).into()) } else { Ok(()) }
    }

    /// Adds a file to the list.
    pub(super) fn add(&self, file: &Path) -> anyhow::Result<()> {
        let name = self.name(file)?;
        let path = self.folder.join(LIST);
        let mut names = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if names.insert(name.clone()) {
            append(&path, &name).with_context(|| cannot_write(&path))?;
        }
        Ok(())
    }
}

/// The absolute form of a path.
pub(super) fn absolute(path: &Path) -> anyhow::Result<PathBuf> {
    std::path::absolute(path).with_context(|| format!("{}: no such path", path.display()))
}

/// Adds a line, durably. The newline before it ends a line that a killed process did not finish.
fn append(path: &Path, name: &str) -> io::Result<()> {
    let line = format!("\n{}\n", serde_json::to_string(name)?);
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(line.as_bytes())?;
    file.sync_data()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_in_the_list_may_be_replaced_also_after_a_torn_line() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let own = OwnFiles::of(folder.path()).unwrap();
        own.check(&at("a.csv")).unwrap();
        own.add(&at("a.csv")).unwrap();
        fs::write(at("a.csv"), "").unwrap();
        fs::write(at("b.csv"), "mine").unwrap();
        own.check(&at("a.csv")).unwrap();
        assert!(own.check(&at("b.csv")).unwrap_err().is::<Usage>());
        let list = at(LIST);
        fs::write(&list, fs::read_to_string(&list).unwrap() + "\"torn").unwrap();
        let again = OwnFiles::of(folder.path()).unwrap();
        again.add(&at("c d.csv")).unwrap();
        fs::write(at("c d.csv"), "").unwrap();
        let last = OwnFiles::of(folder.path()).unwrap();
        assert!(
            ["a.csv", "c d.csv"].iter().all(|name| last.check(&at(name)).is_ok()) && last.check(&at("b.csv")).is_err()
        );
    }
}
