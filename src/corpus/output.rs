//! Where a file goes: a file that appears whole or not at all, a pipe, a device, the standard output.
//!
//! It is opened when the work begins, so that a bad path fails at once.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};

use super::atomic::{AtomicFile, Shared};
use super::error::{CorpusError, Result};

/// An open output; what is written appears under its name with [`Output::finish`].
pub struct Output {
    path: PathBuf,
    out: Out,
    file: Option<AtomicFile>,
}

/// The writer of an output.
pub(super) enum Out {
    /// A file under a temporary name.
    Whole(Shared),
    /// A pipe or a device.
    Direct(BufWriter<File>),
    /// The standard output.
    Standard(BufWriter<Stdout>),
}

impl Output {
    /// Opens an output; `-` is the standard output.
    ///
    /// # Errors
    /// What the system says.
    pub fn create(path: &Path) -> Result<Output> {
        let wrong = |error| CorpusError::io("write", path)(error);
        let special = std::fs::metadata(path).is_ok_and(|data| !data.is_file());
        let (out, file) = if path == Path::new("-") {
            (Out::Standard(BufWriter::with_capacity(1 << 16, io::stdout())), None)
        } else if special {
            let file = OpenOptions::new().write(true).open(path).map_err(wrong)?;
            (Out::Direct(BufWriter::with_capacity(1 << 16, file)), None)
        } else {
            let file = AtomicFile::create(path).map_err(wrong)?;
            (Out::Whole(file.writer()), Some(file))
        };
        Ok(Output { path: path.to_owned(), out, file })
    }

    /// Fails when a file could not be written; pipes and devices are left alone.
    ///
    /// # Errors
    /// As [`Output::create`].
    pub fn probe(path: &Path) -> Result<()> {
        let special = std::fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir());
        if path == Path::new("-") || special { Ok(()) } else { Output::create(path).map(drop) }
    }

    /// The path, the writer, and the file to be finished when all is written.
    pub(super) fn into_parts(self) -> (PathBuf, Out, Option<AtomicFile>) {
        (self.path, self.out, self.file)
    }

    /// Ends the output and gives the file its name.
    ///
    /// # Errors
    /// As [`Output::create`].
    pub fn finish(mut self) -> Result<()> {
        self.out.flush().map_err(CorpusError::io("write", &self.path))?;
        drop(self.out);
        match self.file {
            Some(file) => file.finish().map(|_| ()).map_err(CorpusError::io("write", &self.path)),
            None => Ok(()),
        }
    }
}

impl Write for Output {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.out.write(data)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Write for Out {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        match self {
            Out::Whole(out) => out.write(data),
            Out::Direct(out) => out.write(data),
            Out::Standard(out) => out.write(data),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Out::Whole(out) => out.flush(),
            Out::Direct(out) => out.flush(),
            Out::Standard(out) => out.flush(),
        }
    }
}
