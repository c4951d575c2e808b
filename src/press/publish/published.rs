//! What was published: the index that `--remember` keeps, and the classes that `--except` reads.
//!
//! ```text
//!   sudoku-corpus index 2
//!   9f86d081884c7d65 {"output":"/books/one.pdf","request":"4e07..","classes":"00ab..ff3c.."}    the puzzles of a file
//!   60303ae22b998861 {"output":"/books/one.pdf","request":"4e07..","blake3":"6b23.."}           the file has its name
//! ```
//!
//! An index is a text to which lines are added. A line begins with 64 bits of the BLAKE3 of its rest, so damage is found
//! and told. Only a last line without an end may be dropped: a process was killed while it wrote the line, and nothing of
//! it was published. Whoever adds to an index holds its lock from the choice of puzzles to the last line, so two commands
//! never publish the same puzzle.
//!
//! A process may be killed at any moment: nothing is published that is not in the index. If the same command runs again,
//! the puzzles that only it has remembered count as new, so the file gets the same contents as without the kill. If
//! the file is there with the checksum of its line, there is nothing to do.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::PublishError;
use super::pool::parquet_classes;
use sudoku_corpus_core::board::Shape;
use sudoku_corpus_core::catalogue::canonical;
use sudoku_corpus_store::corpus::{
    CorpusError, FileFormat, Input, Manifest, Output, Record, RowError, Sealed, StopFlag, files_of, has_no_locks,
    write_file,
};

/// The first line of an index.
const HEAD: &[u8] = b"sudoku-corpus index 2\n";
/// The first bytes of an index of version 0.2.0, which is refused.
const OLD_HEAD: &[u8] = b"sudoku-classes 1";
/// Rows of a file of puzzles that are read at once.
const BLOCK: usize = 4096;

/// A line of an index, without its check.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Line {
    /// The file of the puzzles, as an absolute path.
    output: String,
    /// Digest of everything that determines which puzzles are chosen and how they are written.
    request: String,
    /// BLAKE3 of the file that got its name. None for several files, pipes and devices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    blake3: Option<String>,
    /// Classes of the puzzles; none in the line that says that the files have their names.
    #[serde(default, skip_serializing_if = "Vec::is_empty", serialize_with = "to_hex", deserialize_with = "of_hex")]
    classes: Vec<u128>,
}

fn to_hex<S: Serializer>(classes: &[u128], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&classes.iter().map(|class| format!("{class:032x}")).collect::<String>())
}

fn of_hex<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u128>, D::Error> {
    let text = <std::borrow::Cow<'_, str>>::deserialize(from)?;
    let class = |digits: &[u8]| u128::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
    let classes: Option<Vec<u128>> = text.as_bytes().chunks(32).map(class).collect();
    classes.filter(|classes| classes.len() * 32 == text.len()).ok_or_else(|| D::Error::custom("no classes"))
}

impl Line {
    fn parse(text: &[u8]) -> Option<Line> {
        let (check, rest) = text.split_at_checked(17)?;
        (check == format!("{} ", check_of(rest)).as_bytes()).then(|| serde_json::from_slice(rest).ok())?
    }

    fn text(&self) -> String {
        let rest = serde_json::to_string(self).unwrap_or_default();
        format!("{} {rest}\n", check_of(rest.as_bytes()))
    }
}

/// The check value of a line.
fn check_of(rest: &[u8]) -> String {
    blake3::hash(rest).to_hex()[..16].to_owned()
}

/// What stands in the file of an index.
struct Contents {
    /// Length of the lines that are whole; behind them is at most a torn one.
    whole: u64,
    /// The length of the file.
    length: u64,
    /// There is no file yet, or an empty one.
    fresh: bool,
    /// The last line is whole, but its end is missing.
    open: bool,
}

impl Contents {
    /// What a user has to know about a torn line.
    fn warning(&self, path: &Path) -> Option<String> {
        let torn = self.length - self.whole;
        (torn > 0).then(|| {
            format!("{}: the last line is torn ({torn} bytes); nothing of it was published: left out", path.display())
        })
    }
}

/// Reads an index and passes on its lines. None if the file begins like something else. No file and an empty one are
/// indexes without lines.
fn read(path: &Path, mut each: impl FnMut(Line)) -> Result<Option<Contents>, PublishError> {
    let wrong = wrong(path);
    let file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Ok(Some(Contents { whole: 0, length: 0, fresh: true, open: false }));
        }
        file => file.map_err(&wrong)?,
    };
    let length = file.metadata().map_err(&wrong)?.len();
    let mut input = BufReader::with_capacity(1 << 16, file);
    let mut head = Vec::new();
    (&mut input).take(HEAD.len() as u64).read_to_end(&mut head).map_err(&wrong)?;
    if head.is_empty() {
        return Ok(Some(Contents { whole: 0, length, fresh: true, open: false }));
    }
    if head.starts_with(OLD_HEAD) {
        return Err(PublishError::file(path, format!("an index of version 0.2.0. {ANEW}")));
    }
    if head != HEAD {
        return Ok(None);
    }
    let (mut whole, mut text) = (HEAD.len() as u64, Vec::new());
    for number in 2.. {
        text.clear();
        input.read_until(b'\n', &mut text).map_err(&wrong)?;
        let open = text.last() != Some(&b'\n');
        let content = if open { &text[..] } else { &text[..text.len() - 1] };
        match Line::parse(content) {
            _ if text.is_empty() => break,
            Some(line) => each(line),
            // If the line is whole without its last byte, this byte was its end.
            None if open && Line::parse(&text[..text.len() - 1]).is_none() => break,
            None => {
                return Err(damaged(path, &format!("line {number}: its check value does not fit")));
            }
        }
        whole += text.len() as u64;
        if open {
            return Ok(Some(Contents { whole, length, fresh: false, open }));
        }
    }
    Ok(Some(Contents { whole, length, fresh: false, open: false }))
}

/// How to replace an index that cannot be read.
const ANEW: &str = "What was published makes a new one: `export FILE ... --all --out - --remember NEW-INDEX`";

fn damaged(path: &Path, what: &str) -> PublishError {
    PublishError::file(path, format!("a damaged index, {what}. {ANEW}"))
}

fn wrong(path: &Path) -> impl Fn(std::io::Error) -> PublishError {
    move |error| PublishError::file(path, error)
}

/// An index whose lock this process holds.
struct Index {
    path: PathBuf,
    contents: Contents,
    _lock: File,
}

impl Index {
    /// Locks an index, waiting until no other process uses it, and passes on its lines.
    fn open(
        path: &Path,
        stop: &StopFlag,
        say: &mut dyn FnMut(&str),
        each: impl FnMut(Line),
    ) -> Result<Index, PublishError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let beside = path.with_file_name(format!(".{name}.lock"));
        let mut options = OpenOptions::new();
        // NFS requires a file that is open for writing.
        let lock = options.create(true).truncate(false).read(true).write(true).open(&beside).map_err(wrong(path))?;
        let mut waits = false;
        while let Err(error) = lock.try_lock() {
            match error {
                // Some network file systems have no locks.
                TryLockError::Error(error) if has_no_locks(&error) => break,
                TryLockError::Error(error) => return Err(wrong(path)(error)),
                TryLockError::WouldBlock if stop.is_set() => return Err(PublishError::Stopped),
                TryLockError::WouldBlock if !waits => say(&format!("waiting for {}: in use", path.display())),
                TryLockError::WouldBlock => {}
            }
            waits = true;
            thread::sleep(Duration::from_millis(50));
        }
        let none = || PublishError::file(path, "not an index of published puzzles");
        let contents = read(path, each)?.ok_or_else(none)?;
        Output::probe(path)?;
        contents.warning(path).iter().for_each(|warning| say(warning));
        Ok(Index { path: path.to_owned(), contents, _lock: lock })
    }

    /// Adds a line, durably.
    fn add(&mut self, line: &Line) -> Result<(), PublishError> {
        let wrong = wrong(&self.path);
        let mut text = line.text();
        if self.contents.fresh {
            let all = [HEAD, text.as_bytes()].concat();
            write_file(&self.path, &all)?;
            self.contents = Contents { whole: all.len() as u64, length: 0, fresh: false, open: false };
            return Ok(());
        }
        if std::mem::take(&mut self.contents.open) {
            text.insert(0, '\n');
        }
        let mut file = OpenOptions::new().append(true).open(&self.path).map_err(&wrong)?;
        file.set_len(self.contents.whole).map_err(&wrong)?;
        let added = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
        if added.is_err() {
            // What was written of the line would be a torn line, which does no harm.
            drop(file.set_len(self.contents.whole));
        }
        self.contents.whole += text.len() as u64;
        added.map_err(wrong)
    }
}

/// Adds classes to an index, which is created if needed. Returns the number of classes that were new.
///
/// # Errors
/// A file that is not an index, is damaged, or cannot be written.
pub fn remember(path: &Path, classes: impl IntoIterator<Item = u128>) -> Result<u64, PublishError> {
    let mut there = Vec::new();
    let mut index = Index::open(path, &StopFlag::new(), &mut |_| {}, |line| there.extend(line.classes))?;
    there.sort_unstable();
    let mut classes: Vec<u128> = classes.into_iter().filter(|class| there.binary_search(class).is_err()).collect();
    classes.sort_unstable();
    classes.dedup();
    let new = classes.len() as u64;
    if new > 0 {
        index.add(&Line { classes, ..Line::default() })?;
    }
    Ok(new)
}

/// A publication that is under way. It holds the lock of its index.
pub struct Publication {
    index: Index,
    line: Line,
    /// Classes in the index, except those that an earlier call with the same request added without publishing them.
    others: Vec<u128>,
    resumed: bool,
}

impl Publication {
    /// Begins a publication that is recorded in an index. Waits for other publications in this index. If the same request
    /// was published before and its file is still there, the inner error has the classes of its puzzles. Without a request,
    /// nothing counts as the same.
    ///
    /// # Errors
    /// An index that is damaged or cannot be written; [`PublishError::Stopped`].
    pub fn begin(
        index: &Path,
        output: &Path,
        request: Option<String>,
        stop: &StopFlag,
        say: &mut dyn FnMut(&str),
    ) -> Result<Result<Publication, Vec<u128>>, PublishError> {
        let output = std::path::absolute(output).map_err(wrong(index))?.to_string_lossy().into_owned();
        let line = Line { output, request: request.clone().unwrap_or_default(), ..Line::default() };
        let mine = |other: &Line| request.is_some() && (&other.output, &other.request) == (&line.output, &line.request);
        let (mut others, mut own, mut published, mut done) = (Vec::new(), Vec::new(), Vec::new(), None);
        let index = Index::open(index, stop, say, |mut other| match (mine(&other), other.classes.is_empty()) {
            (true, true) => {
                published.clone_from(&own);
                others.append(&mut own);
                done = other.blake3;
            }
            (true, false) => own.append(&mut other.classes),
            (false, _) => {
                if other.output == line.output {
                    done = None;
                }
                others.append(&mut other.classes);
            }
        })?;
        if own.is_empty() && done.is_some() && done == digest(Path::new(&line.output)) {
            return Ok(Err(published));
        }
        Ok(Ok(Publication { index, line, others, resumed: !own.is_empty() }))
    }

    /// True if an earlier call with the same request was stopped after it had chosen.
    pub fn is_resumed(&self) -> bool {
        self.resumed
    }

    /// Records the classes, gives the files their names, and calls `more`, which writes the files that are too many to
    /// be held open at once.
    ///
    /// # Errors
    /// An error of the operating system. If the same command runs again, it finishes the work.
    pub fn finish(
        mut self,
        classes: &[u128],
        files: Vec<Sealed>,
        more: impl FnOnce() -> Result<(), PublishError>,
    ) -> Result<(), PublishError> {
        let blake3 = if let [file] = &files[..] { file.blake3().map(str::to_owned) } else { None };
        self.index.add(&Line { classes: classes.to_vec(), ..self.line.clone() })?;
        files.into_iter().try_for_each(Sealed::publish)?;
        more()?;
        self.index.add(&Line { blake3, ..self.line })
    }
}

/// The BLAKE3 of a file.
pub(super) fn digest(path: &Path) -> Option<String> {
    let stream = path == Path::new("-");
    let file = File::open(path).ok().filter(|file| !stream && file.metadata().is_ok_and(|data| data.is_file()))?;
    let mut hash = blake3::Hasher::new();
    hash.update_reader(file).ok()?;
    Some(hash.finalize().to_hex().to_string())
}

/// True for a file that begins like an index, or is empty.
fn is_index(path: &Path) -> bool {
    let mut head = Vec::new();
    let file = File::open(path).ok().filter(|file| file.metadata().is_ok_and(|data| data.is_file()));
    let read = file.and_then(|file| file.take(HEAD.len() as u64).read_to_end(&mut head).ok());
    read.is_some() && HEAD.starts_with(&head)
}

/// A digest of a request: of texts, and of the contents of files. Indexes are left out, because they grow. None if one of
/// the files is a stream, which can be read only once.
///
/// # Errors
/// A folder of a corpus that cannot be read.
pub fn request_digest(text: &str, sources: &[&Path]) -> Result<Option<String>, PublishError> {
    let mut hash = blake3::Hasher::new();
    hash.update(text.as_bytes());
    for source in sources {
        let files = files_of(source)?;
        let manifest = Manifest::read(source).ok().flatten();
        // The parts of a folder were compared with their checksums before.
        let sums: Option<Vec<String>> = match manifest.filter(|manifest| manifest.parts.len() == files.len()) {
            Some(manifest) => Some(manifest.parts.into_values().map(|part| part.blake3).collect()),
            None => files.iter().filter(|file| !is_index(file)).map(|file| digest(file)).collect(),
        };
        let Some(sums) = sums else { return Ok(None) };
        hash.update(sums.concat().as_bytes());
    }
    Ok(Some(hash.finalize().to_hex().to_string()))
}

/// Classes that must not be published again: 16 bytes each.
#[derive(Default)]
pub struct Seen {
    /// Shapes in which boards are also read if a text does not give their shape.
    shapes: Vec<Shape>,
    /// In order.
    classes: Vec<u128>,
}

impl Seen {
    /// No puzzles. A line of a board can mean 2x3 or 3x2 boxes, so lines are also read in these shapes, the shapes of
    /// the puzzles to be chosen.
    pub fn for_shapes(shapes: Vec<Shape>) -> Seen {
        Seen { shapes, ..Seen::default() }
    }

    /// True for the class of a puzzle that was seen.
    pub fn has(&self, class: u128) -> bool {
        self.classes.binary_search(&class).is_ok()
    }

    fn add(&mut self, classes: &mut Vec<u128>) {
        self.classes.append(classes);
        // What is in order already takes one pass.
        self.classes.sort();
        self.classes.dedup();
    }

    /// Adds what is in the index of a publication, except its own puzzles.
    pub fn add_index(&mut self, publication: &mut Publication) {
        self.add(&mut publication.others);
    }

    /// Adds everything in a file (an index, or puzzles in any format that can be read) or in the folder of a corpus. `say`
    /// receives warnings.
    ///
    /// # Errors
    /// A source that cannot be read or is damaged; a line that is not a puzzle, because it might be one that is then
    /// published again.
    pub fn add_file(&mut self, path: &Path, say: &mut dyn FnMut(&str)) -> Result<(), PublishError> {
        let mut classes = Vec::new();
        for file in files_of(path)? {
            let regular = file != Path::new("-") && fs::metadata(&file).map_err(wrong(&file))?.is_file();
            let index = if regular { read(&file, |line| classes.extend(line.classes))? } else { None };
            if let Some(contents) = index {
                contents.warning(&file).iter().for_each(|warning| say(warning));
                continue;
            }
            let parquet = regular && FileFormat::of_name(&file.to_string_lossy()) == Some(FileFormat::Parquet);
            // A file of another program may have no class, or one of another type.
            if !(parquet && parquet_classes(&file, |mut some| classes.append(&mut some)).unwrap_or(false)) {
                self.read_puzzles(&file, &mut classes)?;
            }
        }
        self.add(&mut classes);
        Ok(())
    }

    /// Reads a file of puzzles in the shape that it gives, and in those shapes that are never guessed because they are not
    /// the usual ones for their board size. A line must be a board in one of them.
    fn read_puzzles(&self, path: &Path, classes: &mut Vec<u128>) -> Result<(), PublishError> {
        let unusual = |shape: &Shape| Shape::of_order(shape.order()) != Ok(*shape) && path != Path::new("-");
        let mut usual = Reading::open(path, None)?;
        let mut others = Vec::new();
        for shape in self.shapes.iter().copied().filter(unusual) {
            others.push(Reading::open(path, Some(shape))?);
        }
        while let Some(error) = usual.next_wrong(classes)? {
            let mut wrong = true;
            for other in &mut others {
                wrong &= other.is_wrong(error.line, classes)?;
            }
            if wrong {
                return Err(CorpusError::Row(error).into());
            }
        }
        others.iter_mut().try_for_each(|other| other.is_wrong(u64::MAX, classes).map(drop))
    }
}

/// A file of puzzles that is read in one shape.
struct Reading {
    input: Input,
    /// Wrong lines of the last block.
    wrong: std::collections::VecDeque<RowError>,
    ended: bool,
}

impl Reading {
    fn open(path: &Path, shape: Option<Shape>) -> Result<Reading, PublishError> {
        Ok(Reading { input: Input::open(path, shape)?, wrong: Default::default(), ended: false })
    }

    /// The next line that is not a puzzle. Adds the classes of the puzzles before it.
    fn next_wrong(&mut self, classes: &mut Vec<u128>) -> Result<Option<RowError>, PublishError> {
        while self.wrong.is_empty() && !self.ended {
            let mut records = Vec::new();
            self.ended = true;
            for row in self.input.by_ref().take(BLOCK) {
                self.ended = false;
                match row {
                    Ok(record) => records.push(record),
                    Err(CorpusError::Row(error)) => self.wrong.push_back(error),
                    Err(error) => return Err(error.into()),
                }
            }
            classes.append(&mut records.into_par_iter().filter_map(|record| class_of(&record)).collect());
        }
        Ok(self.wrong.pop_front())
    }

    /// True if a line, after all that were asked for, is not a puzzle.
    fn is_wrong(&mut self, line: u64, classes: &mut Vec<u128>) -> Result<bool, PublishError> {
        while let Some(error) = self.next_wrong(classes)? {
            if error.line >= line {
                let found = error.line == line;
                self.wrong.push_front(error);
                return Ok(found);
            }
        }
        Ok(false)
    }
}

/// The class of the puzzle of a row: from the row, or computed from its canonical form.
pub(super) fn class_of(record: &Record) -> Option<u128> {
    record.class.or_else(|| record.puzzle.as_ref().map(canonical::class))
}

#[cfg(test)]
mod tests;
