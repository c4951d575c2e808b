//! Opens outputs: a file that becomes visible when it is complete, a pipe, a device, or standard output.
//!
//! An output is opened when the work begins, so that a wrong path fails at once. Symbolic links are followed and kept.
//! Devices, pipes and descriptors (`/dev/stdout`, `/dev/fd/3`) are written directly and never replaced.

use std::env;
use std::fs::OpenOptions;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::atomic::{AtomicFile, FileSum, SealedFile, clean, folder_of};
use crate::corpus::values::error::{CorpusError, Result};

/// The writer of an output: a file under a temporary name, a pipe, a device or the standard output.
pub(crate) type Out = Box<dyn Write + Send>;

/// An open output. A file gets its name with [`Output::finish`].
pub struct Output {
    out: Out,
    target: Target,
}

/// Where an output goes: its path, and the file to finish at the end unless it is written directly.
pub(crate) struct Target {
    pub path: PathBuf,
    pub file: Option<AtomicFile>,
}

impl Target {
    /// An error of the system while the output is written, for `map_err`.
    pub(crate) fn failed(&self) -> impl FnOnce(io::Error) -> CorpusError + use<> {
        CorpusError::io("write", &self.path)
    }

    /// Ends the output, whose writer is gone. The file is durable but has no name yet.
    pub(crate) fn seal(self) -> Result<Sealed> {
        let failed = self.failed();
        let file = self.file.map(AtomicFile::seal).transpose().map_err(failed)?;
        Ok(Sealed(vec![(self.path, file)]))
    }
}

impl Output {
    /// True if an output of this name would replace a file. Devices, pipes and descriptors are written directly.
    pub fn replaces(path: &Path) -> bool {
        !Output::is_standard(path)
            && !Output::is_direct(path)
            && std::fs::metadata(path).is_ok_and(|data| data.is_file())
    }

    /// True for standard output, by any of its names.
    pub fn is_standard(path: &Path) -> bool {
        path == Path::new("-") || descriptor(path).as_deref() == Some("1")
    }

    /// True for what is written directly: a device, a pipe, a descriptor of this process.
    pub fn is_direct(path: &Path) -> bool {
        descriptor(path).is_some() || std::fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir())
    }

    /// The folder for temporary files of an output: its own, if that is there, and that of the system for devices and
    /// pipes.
    pub fn work_folder(path: &Path) -> PathBuf {
        if Output::is_standard(path) || Output::is_direct(path) {
            return env::temp_dir();
        }
        let there = folder_of(path).ancestors().find(|folder| folder.is_dir());
        there.unwrap_or(Path::new(".")).to_owned()
    }

    /// Opens an output; `-` is the standard output.
    pub fn create(path: &Path) -> Result<Output> {
        let out: Out = if Output::is_standard(path) {
            Box::new(BufWriter::with_capacity(1 << 16, io::stdout()))
        } else if Output::is_direct(path) {
            // Other processes may write to the same descriptor, so keep its contents.
            let file = OpenOptions::new().append(true).open(path).map_err(CorpusError::io("write", path))?;
            Box::new(BufWriter::with_capacity(1 << 16, file))
        } else {
            // Remove temporary files of killed commands. A folder that cannot be read is no obstacle to writing.
            drop(clean(folder_of(path)));
            return Output::file(path);
        };
        Ok(Output { out, target: Target { path: path.to_owned(), file: None } })
    }

    /// Begins a file in a folder that has no temporary files of killed commands.
    pub(crate) fn file(path: &Path) -> Result<Output> {
        let told = |error: io::Error| match error.kind() == io::ErrorKind::NotFound && !folder_of(path).is_dir() {
            true => io::Error::other(format!("the folder {} does not exist", folder_of(path).display())),
            false => error,
        };
        let file = AtomicFile::create(path).map_err(told).map_err(CorpusError::io("write", path))?;
        Ok(Output { out: Box::new(file.writer()), target: Target { path: path.to_owned(), file: Some(file) } })
    }

    /// Fails if a file cannot be written. Pipes and devices are not checked.
    pub fn probe(path: &Path) -> Result<()> {
        if Output::is_standard(path) || Output::is_direct(path) { Ok(()) } else { Output::create(path).map(drop) }
    }

    /// The writer, for the writer of a file format, and where the output goes.
    pub(crate) fn split(self) -> (Out, Target) {
        (self.out, self.target)
    }

    /// Ends the output and gives the file its name.
    pub fn finish(self) -> Result<()> {
        self.seal()?.publish()
    }

    /// Ends the output. The file is durable but has no name yet.
    pub fn seal(mut self) -> Result<Sealed> {
        self.out.flush().map_err(self.target.failed())?;
        drop(self.out);
        self.target.seal()
    }
}

/// Writes a small output that does not have its name yet.
pub fn seal_file(path: &Path, contents: impl AsRef<[u8]>) -> Result<Sealed> {
    let mut out = Output::create(path)?;
    out.write_all(contents.as_ref()).map_err(CorpusError::io("write", path))?;
    out.seal()
}

/// Writes a small output. A file appears complete or not at all; devices and descriptors are written directly.
pub fn write_file(path: &Path, contents: impl AsRef<[u8]>) -> Result<()> {
    seal_file(path, contents)?.publish()
}

/// Complete outputs that have no name yet, except for pipes and devices. Dropping it removes the files.
#[derive(Debug)]
pub struct Sealed(Vec<(PathBuf, Option<SealedFile>)>);

impl Sealed {
    /// Together with other outputs, which get their names before this one.
    pub(crate) fn after(mut self, others: Option<Sealed>) -> Sealed {
        self.0.splice(0..0, others.into_iter().flat_map(|others| others.0));
        self
    }

    /// With other names for the files.
    pub fn renamed(self, name: impl Fn(&Path) -> PathBuf) -> Sealed {
        let renamed = |(path, file): (PathBuf, Option<SealedFile>)| {
            let path = name(&path);
            (path.clone(), file.map(|file| file.renamed(&path)))
        };
        Sealed(self.0.into_iter().map(renamed).collect())
    }

    /// BLAKE3 of the contents, in hexadecimal; none for pipes and devices.
    pub fn blake3(&self) -> Option<&str> {
        self.0.last()?.1.as_ref().map(|file| file.written.blake3.as_str())
    }

    /// Gives the files their names.
    pub fn publish(self) -> Result<()> {
        self.published().map(drop)
    }

    /// Gives the files their names. Returns their sizes and checksums, in this order.
    pub(crate) fn published(self) -> Result<Vec<FileSum>> {
        let publish = |(path, file): (PathBuf, Option<SealedFile>)| {
            file.map(|file| file.publish().map_err(CorpusError::io("write", &path)))
        };
        self.0.into_iter().filter_map(publish).collect()
    }
}

/// The number of the descriptor that a path names: `/dev/stdout`, `/dev/fd/1`, `/proc/self/fd/1`, or a link to them.
fn descriptor(path: &Path) -> Option<String> {
    let mut path = path.to_owned();
    // Linux follows at most 40 links.
    for _ in 0..40 {
        let folder = std::fs::canonicalize(folder_of(&path)).ok()?;
        let of_descriptors = folder == Path::new("/dev/fd") || (folder.starts_with("/proc") && folder.ends_with("fd"));
        let name = path.file_name()?.to_str()?;
        if of_descriptors && name.bytes().all(|byte| byte.is_ascii_digit()) {
            return Some(name.to_owned());
        }
        path = folder.join(std::fs::read_link(&path).ok()?);
    }
    None
}

impl Write for Output {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.out.write(data)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn descriptors_are_known_by_all_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("/dev/stdout", &link).unwrap();
        for path in [Path::new("/dev/stdout"), Path::new("/dev/fd/1"), Path::new("/proc/self/fd/1"), &link] {
            assert!(Output::is_standard(path), "{}", path.display());
        }
        assert_eq!(descriptor(Path::new("/dev/stderr")).as_deref(), Some("2"));
        assert!(Output::is_direct(Path::new("/dev/fd/2")) && Output::is_direct(Path::new("/dev/null")));
        for path in [folder.path().join("file"), folder.path().to_owned(), PathBuf::from("file")] {
            assert!(!Output::is_standard(&path) && !Output::is_direct(&path), "{}", path.display());
        }
    }
}
