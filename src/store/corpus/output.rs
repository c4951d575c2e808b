//! Outputs: a file that becomes visible when it is complete, a pipe, a device, or standard output.
//!
//! An output is opened when the work begins, so that a wrong path fails at once. Symbolic links are followed and kept.
//! Devices, pipes and descriptors (`/dev/stdout`, `/dev/fd/3`) are written directly and never replaced.

use std::fs::OpenOptions;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::atomic::{AtomicFile, FileSum, SealedFile, clean, folder_of};
use super::error::{CorpusError, Result};

/// An open output. A file gets its name with [`Output::finish`].
pub struct Output {
    path: PathBuf,
    out: Out,
    file: Option<AtomicFile>,
}

/// The writer of an output: a file under a temporary name, a pipe, a device or the standard output.
pub(super) type Out = Box<dyn Write + Send>;

impl Output {
    /// True if an output of this name would replace a file. Devices, pipes and descriptors are written directly.
    pub fn replaces(path: &Path) -> bool {
        !is_standard(path) && !is_direct(path) && std::fs::metadata(path).is_ok_and(|data| data.is_file())
    }

    /// Opens an output; `-` is the standard output.
    pub fn create(path: &Path) -> Result<Output> {
        let wrong = |error| CorpusError::io("write", path)(error);
        let (out, file): (Out, _) = if is_standard(path) {
            (Box::new(BufWriter::with_capacity(1 << 16, io::stdout())), None)
        } else if is_direct(path) {
            // Other processes may write to the same descriptor, so keep its contents.
            let file = OpenOptions::new().append(true).open(path).map_err(wrong)?;
            (Box::new(BufWriter::with_capacity(1 << 16, file)), None)
        } else {
            // Remove temporary files of killed commands. A folder that cannot be read is no obstacle to writing.
            drop(clean(folder_of(path)));
            let file = AtomicFile::create(path).map_err(wrong)?;
            (Box::new(file.writer()), Some(file))
        };
        Ok(Output { path: path.to_owned(), out, file })
    }

    /// Fails if a file cannot be written. Pipes and devices are not checked.
    pub fn probe(path: &Path) -> Result<()> {
        if is_standard(path) || is_direct(path) { Ok(()) } else { Output::create(path).map(drop) }
    }

    /// The path, the writer, and the file to finish at the end.
    pub(super) fn into_parts(self) -> (PathBuf, Out, Option<AtomicFile>) {
        (self.path, self.out, self.file)
    }

    /// Ends the output and gives the file its name.
    pub fn finish(self) -> Result<()> {
        self.seal()?.publish()
    }

    /// Ends the output. The file is durable but has no name yet.
    pub fn seal(mut self) -> Result<Sealed> {
        self.out.flush().map_err(CorpusError::io("write", &self.path))?;
        drop(self.out);
        let path = self.path;
        let file = self.file.map(AtomicFile::seal).transpose().map_err(CorpusError::io("write", &path))?;
        Ok(Sealed::new(path, file))
    }
}

/// Writes a small file atomically. Devices and descriptors are written directly.
pub fn write_file(path: &Path, contents: &[u8]) -> io::Result<()> {
    let plain = |error| match error {
        CorpusError::Io { source, .. } => source,
        error => io::Error::other(error.to_string()),
    };
    let mut out = Output::create(path).map_err(plain)?;
    out.write_all(contents)?;
    out.finish().map_err(plain)
}

/// Complete outputs that have no name yet, except for pipes and devices. Dropping it removes the files.
#[derive(Debug)]
pub struct Sealed(Vec<(PathBuf, Option<SealedFile>)>);

impl Sealed {
    pub(super) fn new(path: PathBuf, file: Option<SealedFile>) -> Sealed {
        Sealed(vec![(path, file)])
    }

    /// Together with another output, which gets its name before this one.
    pub(super) fn after(mut self, other: Sealed) -> Sealed {
        self.0.splice(0..0, other.0);
        self
    }

    /// With other names for the files.
    pub fn renamed(self, name: impl Fn(&Path) -> PathBuf) -> Sealed {
        let file = |(path, file): (PathBuf, Option<SealedFile>)| {
            let path = name(&path);
            let file = file.map(|file| file.renamed(&path));
            (path, file)
        };
        Sealed(self.0.into_iter().map(file).collect())
    }

    /// Sizes and checksums of the files, in the order in which they get their names.
    pub(super) fn sums(&self) -> Vec<FileSum> {
        self.0.iter().filter_map(|(_, file)| Some(file.as_ref()?.written().clone())).collect()
    }

    /// BLAKE3 of the contents, in hexadecimal; none for pipes and devices.
    pub fn blake3(&self) -> Option<&str> {
        self.0.last()?.1.as_ref().map(|file| file.written().blake3.as_str())
    }

    /// Gives the files their names.
    pub fn publish(self) -> Result<()> {
        self.0.into_iter().try_for_each(|(path, file)| {
            file.map(SealedFile::publish).transpose().map(drop).map_err(CorpusError::io("write", &path))
        })
    }
}

/// True for standard output, by any of its names.
fn is_standard(path: &Path) -> bool {
    path == Path::new("-") || descriptor(path).as_deref() == Some("1")
}

/// True for what is written directly: a device, a pipe, a descriptor of this process.
fn is_direct(path: &Path) -> bool {
    descriptor(path).is_some() || std::fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir())
}

/// The number of the descriptor that a path names: `/dev/stdout`, `/dev/fd/1`, `/proc/self/fd/1`, or a link to them.
fn descriptor(path: &Path) -> Option<String> {
    let mut path = path.to_owned();
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
            assert!(is_standard(path), "{}", path.display());
        }
        assert_eq!(descriptor(Path::new("/dev/stderr")).as_deref(), Some("2"));
        assert!(is_direct(Path::new("/dev/fd/2")) && is_direct(Path::new("/dev/null")));
        for path in [folder.path().join("file"), folder.path().to_owned(), PathBuf::from("file")] {
            assert!(!is_standard(&path) && !is_direct(&path), "{}", path.display());
        }
    }
}
