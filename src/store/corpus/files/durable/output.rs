//! Opens outputs: a file that becomes visible when it is complete, a pipe, a device, or standard output.
//!
//! An output is opened when the work begins, so that a wrong path fails at once. Symbolic links are followed and kept.
//! Devices, pipes and descriptors (`/dev/stdout`, `/dev/fd/3`) are written directly and never replaced.

use std::collections::BTreeSet;
use std::env;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek as _, Write};
use std::path::{Path, PathBuf};

use super::atomic::{AtomicFile, SealedFile, sync_folder};
use super::inside::{MOST_LINKS, folder_of, may_make};
use crate::corpus::values::error::{CorpusError, Result, in_words};

/// The writer of an output: a file under a temporary name, a pipe, a device or the standard output.
pub(crate) type Out<'o> = Box<dyn Write + Send + 'o>;

/// An open output. A file gets its name with [`Output::finish`].
pub struct Output {
    out: Out<'static>,
    target: Target,
}

pub(crate) struct Target {
    pub path: PathBuf,
    end: End,
}

/// What is to be done at the end of an output.
enum End {
    /// Nothing: its bytes went into a pipe or a device.
    Direct,
    /// A file gets its name.
    File(AtomicFile),
    /// Bytes that were held back in a file without a name go into a pipe or a device.
    Held { bytes: File, pipe: Out<'static> },
}

impl Target {
    /// An error of the system while the output is written, for `map_err`.
    pub(crate) fn failed(&self) -> impl FnOnce(io::Error) -> CorpusError + use<> {
        CorpusError::io("write", &self.path)
    }

    /// True for a file, which nobody reads before its end.
    pub(crate) fn is_file(&self) -> bool {
        matches!(self.end, End::File(_))
    }

    /// Ends the output, whose writer was flushed. A file is durable but has no name yet.
    pub(crate) fn seal(self) -> Result<Sealed> {
        let failed = self.failed();
        let mut sealed = Sealed::default();
        match self.end {
            End::Direct => {}
            End::File(file) => sealed.files.push(NewFile { path: self.path, file: file.seal().map_err(failed)? }),
            End::Held { bytes, pipe } => sealed.streams.push(HeldStream { path: self.path, bytes, pipe }),
        }
        Ok(sealed)
    }
}

impl Output {
    /// True if an output of this name would replace a file. Devices, pipes and descriptors are written directly.
    pub fn replaces(path: &Path) -> bool {
        !Output::is_stream(path) && fs::metadata(path).is_ok_and(|data| data.is_file())
    }

    /// True for standard output, by any of its names.
    pub fn is_standard(path: &Path) -> bool {
        path == Path::new("-") || descriptor(path).as_deref() == Some("1")
    }

    /// True for what is written directly: a device, a pipe, a descriptor of this process.
    pub fn is_direct(path: &Path) -> bool {
        descriptor(path).is_some() || fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir())
    }

    /// True for standard output and for what is written directly: no file.
    pub fn is_stream(path: &Path) -> bool {
        Output::is_standard(path) || Output::is_direct(path)
    }

    /// The folder for temporary files of an output: its own, if that is there, and that of the system for devices and
    /// pipes.
    pub fn work_folder(path: &Path) -> PathBuf {
        if Output::is_stream(path) {
            return env::temp_dir();
        }
        let folder = folder_of(path).ancestors().find(|folder| folder.is_dir());
        folder.unwrap_or(Path::new(".")).to_owned()
    }

    /// Opens an output; `-` is the standard output.
    pub fn create(path: &Path) -> Result<Output> {
        match direct(path, false)? {
            Some(out) => Ok(Output { out, target: Target { path: path.to_owned(), end: End::Direct } }),
            None => Output::new_file(path),
        }
    }

    /// Begins a file. If it is there, it is replaced; one that comes meanwhile is not.
    fn new_file(path: &Path) -> Result<Output> {
        Output::of_file(path, AtomicFile::create(path).map(AtomicFile::keeping_newer))
    }

    /// Opens an output of which nothing is seen before [`Sealed::publish`]: pipes and devices are opened, but get their
    /// bytes only then, and files get their names. A device that takes no bytes is refused.
    pub fn held(path: &Path) -> Result<Output> {
        let Some(pipe) = direct(path, true)? else { return Output::new_file(path) };
        let failed = || CorpusError::io("hold back", path);
        let bytes = tempfile::tempfile().map_err(failed())?;
        let out = Box::new(BufWriter::new(bytes.try_clone().map_err(failed())?));
        Ok(Output { out, target: Target { path: path.to_owned(), end: End::Held { bytes, pipe } } })
    }

    /// Begins a file, with the temporary one beside it or in another folder of the same file system.
    pub(crate) fn file_by_way_of(folder: Option<&Path>, path: &Path) -> Result<Output> {
        Output::of_file(path, AtomicFile::create_by(folder, path))
    }

    /// An output into a file that was begun, or the reason why it cannot be.
    fn of_file(path: &Path, begun: io::Result<AtomicFile>) -> Result<Output> {
        let file = begun.and_then(|file| Ok((file.writer()?, file)));
        let file = file.map_err(|error| match error.kind() == io::ErrorKind::NotFound && !folder_of(path).is_dir() {
            true => io::Error::other(format!("the folder {} does not exist", folder_of(path).display())),
            false => error,
        });
        let (out, file) = file.map_err(CorpusError::io("write", path))?;
        Ok(Output { out: Box::new(out), target: Target { path: path.to_owned(), end: End::File(file) } })
    }

    /// Fails if a file cannot be written. Pipes and devices are not checked.
    pub fn probe(path: &Path) -> Result<()> {
        if Output::is_stream(path) { Ok(()) } else { Output::create(path).map(drop) }
    }

    pub(crate) fn split(self) -> (Out<'static>, Target) {
        (self.out, self.target)
    }

    /// Ends the output and gives the file its name.
    pub fn finish(self) -> Result<()> {
        self.seal()?.publish()
    }

    /// Ends the output. The file is durable but has no name yet.
    pub fn seal(mut self) -> Result<Sealed> {
        self.out.flush().map_err(self.target.failed())?;
        self.target.seal()
    }
}

/// The writer of a pipe, a device or standard output. None for a file.
///
/// # Errors
/// It cannot be opened; if it is to be `asked`, it takes no bytes.
fn direct(path: &Path, asked: bool) -> Result<Option<Out<'static>>> {
    let wrong = CorpusError::io("write", path);
    if Output::is_standard(path) {
        if asked {
            ask_standard().map_err(wrong)?;
        }
        return Ok(Some(Box::new(BufWriter::with_capacity(1 << 16, io::stdout()))));
    }
    if !Output::is_direct(path) {
        return Ok(None);
    }
    Ok(Some(Box::new(BufWriter::with_capacity(1 << 16, open_direct(path, asked).map_err(wrong)?))))
}

/// Opens a pipe or a device, and asks it if wanted.
fn open_direct(path: &Path, asked: bool) -> io::Result<File> {
    may_make(path)?;
    // Other processes may write to the same descriptor, so keep its contents.
    let file = OpenOptions::new().append(true).open(path)?;
    if asked {
        ask(&file)?;
    }
    Ok(file)
}

/// Fails if a pipe or a device takes no bytes, as `/dev/full`: it is asked to take none.
fn ask(mut pipe: &File) -> io::Result<()> {
    pipe.write(&[]).map(drop)
}

fn ask_standard() -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd as _;
        ask(&io::stdout().as_fd().try_clone_to_owned()?.into())?;
    }
    Ok(())
}

/// Writes a small output. A file appears complete or not at all; devices and descriptors are written directly.
pub fn write_file(path: &Path, contents: impl AsRef<[u8]>) -> Result<()> {
    filled(Output::create(path)?, contents.as_ref())?.publish()
}

/// Writes a small output of which nothing is seen before [`Sealed::publish`].
pub fn seal_file(path: &Path, contents: impl AsRef<[u8]>) -> Result<Sealed> {
    filled(Output::held(path)?, contents.as_ref())
}

fn filled(mut out: Output, contents: &[u8]) -> Result<Sealed> {
    out.write_all(contents).map_err(out.target.failed())?;
    out.seal()
}

/// Complete outputs that nobody has seen yet: files without their names, and what is held back from pipes. Everything
/// that can be refused was refused before. After that only the operating system can fail. Dropping it removes the files.
#[derive(Default)]
pub struct Sealed {
    files: Vec<NewFile>,
    streams: Vec<HeldStream>,
    /// The outputs that everybody can see.
    published: Vec<PathBuf>,
}

/// A complete file that does not have its name yet.
pub(crate) struct NewFile {
    /// The path that it was asked for by, which may be a link.
    pub path: PathBuf,
    pub file: SealedFile,
}

/// A pipe or a device, and the bytes that are held back from it.
struct HeldStream {
    path: PathBuf,
    bytes: File,
    pipe: Out<'static>,
}

impl Sealed {
    /// Together with other outputs, which get their names before this one.
    pub(crate) fn after(self, others: Option<Sealed>) -> Sealed {
        others.into_iter().chain([self]).collect()
    }

    /// The files, in their order. None if there are pipes or devices, too.
    pub(crate) fn only_files(&self) -> Option<&[NewFile]> {
        self.streams.is_empty().then_some(&self.files)
    }

    /// True if there are files, which get their names.
    pub(crate) fn has_files(&self) -> bool {
        !self.files.is_empty()
    }

    /// Gives the files their names, and then pipes and devices their bytes.
    ///
    /// # Errors
    /// An error of the operating system. Of several outputs, it names those that are published and those that are not.
    pub fn publish(mut self) -> Result<()> {
        self.publish_files()?;
        self.publish_streams()
    }

    /// Gives the files their names, durably, in their order.
    pub(crate) fn publish_files(&mut self) -> Result<()> {
        let mut folders = BTreeSet::new();
        let mut files = std::mem::take(&mut self.files).into_iter();
        while let Some(NewFile { path, file }) = files.next() {
            let folder = file.folder().to_owned();
            if let Err(error) = file.name() {
                let streams = self.streams.iter().map(|stream| stream.path.clone());
                let unpublished: Vec<PathBuf> = files.map(|new| new.path).chain(streams).collect();
                return Err(self.failed(&path, error, &unpublished));
            }
            folders.insert(folder);
            self.published.push(path);
        }
        folders.iter().try_for_each(|folder| sync_folder(folder).map_err(CorpusError::io("write", folder)))
    }

    /// Gives pipes and devices their bytes. One that is closed early keeps none of the others from theirs.
    pub(crate) fn publish_streams(mut self) -> Result<()> {
        let mut failures = Vec::new();
        for HeldStream { path, mut bytes, mut pipe } in std::mem::take(&mut self.streams) {
            let copied = bytes.rewind().and_then(|()| io::copy(&mut bytes, &mut pipe)).and_then(|_| pipe.flush());
            match copied {
                Ok(()) => self.published.push(path),
                Err(error) => failures.push((path, error)),
            }
        }
        let mut failures = failures.into_iter();
        let Some((path, error)) = failures.next() else { return Ok(()) };
        let unpublished: Vec<PathBuf> = failures.map(|(path, _)| path).collect();
        Err(self.failed(&path, error, &unpublished))
    }

    /// The error of an output. `unpublished` are the others that nobody can see.
    fn failed(&self, path: &Path, error: io::Error, unpublished: &[PathBuf]) -> CorpusError {
        if self.published.is_empty() && unpublished.is_empty() {
            return CorpusError::io("write", path)(error);
        }
        let (why, published, unpublished) = (in_words(&error), list(&self.published), list(unpublished));
        let text = format!("{why}; published: {published}; not published: {unpublished}");
        CorpusError::io("write", path)(io::Error::new(error.kind(), text))
    }
}

fn list(paths: &[PathBuf]) -> String {
    match paths {
        [] => "none".to_owned(),
        paths => paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", "),
    }
}

impl FromIterator<Sealed> for Sealed {
    fn from_iter<I: IntoIterator<Item = Sealed>>(all: I) -> Sealed {
        let mut together = Sealed::default();
        for mut sealed in all {
            together.files.append(&mut sealed.files);
            together.streams.append(&mut sealed.streams);
            together.published.append(&mut sealed.published);
        }
        together
    }
}

/// The number of the descriptor that a path names: `/dev/stdout`, `/dev/fd/1`, `/proc/self/fd/1`, or a link to them.
fn descriptor(path: &Path) -> Option<String> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let folder = fs::canonicalize(folder_of(&path)).ok()?;
        let of_descriptors = folder == Path::new("/dev/fd") || (folder.starts_with("/proc") && folder.ends_with("fd"));
        let name = path.file_name()?.to_str()?;
        if of_descriptors && name.bytes().all(|byte| byte.is_ascii_digit()) {
            return Some(name.to_owned());
        }
        path = folder.join(fs::read_link(&path).ok()?);
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
            assert!(!Output::is_stream(&path), "{}", path.display());
        }
    }
}
