//! Publishes in an order that loses nothing: the puzzles are in the index before their file gets its name.
//!
//! ```text
//!   the steps of a call                        what the next call with the same request does if they end here
//!   1. a line with the classes of the puzzles  publishes these puzzles ("resumed"): nobody has got them
//!      the files get their names               the same
//!   2. a line without classes: it is done      nothing; if the file is gone or changed, it makes it again ("again")
//! ```

use std::fs::File;
use std::path::Path;

use crate::publish::error::PublishError;
use crate::publish::index::lines::{Line, is_index, wrong};
use crate::publish::index::locked::LockedIndex;
use sudoku_corpus_store::corpus::{Manifest, Output, Sealed, StopFlag, files_of};

/// A publication that is under way. It holds the lock of its index.
pub struct Publication {
    index: LockedIndex,
    /// The line that will be added.
    line: Line,
    /// Classes in the index, except those that an earlier call with the same request added without publishing them, and
    /// those of `again`.
    others: Vec<u128>,
    /// An earlier call with the same request was killed before its file got its name.
    resumed: bool,
    /// The puzzles of this request if it published them before: it makes the same again.
    again: Option<Vec<u128>>,
}

/// What a call with an index has to do.
pub enum Begun {
    /// Puzzles are to be chosen and published.
    New(Box<Publication>),
    /// The same request was published before, and its file is still there. These are the classes of its puzzles.
    Done(Vec<u128>),
}

/// What an index says about one request, gathered line by line.
#[derive(Default)]
struct History {
    /// Classes of other requests, and those that this one published before the last time.
    others: Vec<u128>,
    /// Classes that this request added and has not published.
    unpublished: Vec<u128>,
    /// Classes that it published last.
    published: Vec<u128>,
    /// The checksum of the file that it published last, unless another request has replaced this file.
    blake3: Option<String>,
}

impl History {
    /// Takes the next line of the index into account. `is_own`: it is of this request. `output` is the file of the
    /// request.
    fn add(&mut self, mut line: Line, is_own: bool, output: &str) {
        if !is_own {
            // Another request wrote into the same file.
            if line.output == output {
                self.blake3 = None;
            }
            self.others.append(&mut line.classes);
        } else if line.classes.is_empty() {
            // Line 2. It ends what line 1 began; without line 1 before it, the same puzzles were published again.
            if !self.unpublished.is_empty() {
                self.others.append(&mut self.published);
                self.published = std::mem::take(&mut self.unpublished);
            }
            self.blake3 = line.blake3;
        } else {
            // Line 1.
            self.unpublished.append(&mut line.classes);
        }
    }
}

impl Publication {
    /// Begins a publication that is recorded in the file `index`. Waits for other publications in this index.
    ///
    /// `output` is the file of the puzzles. `request` is a digest of all that determines them; without it, no earlier
    /// call counts as the same. `is_whole` says that all other outputs of the call are there. A request that was
    /// published in a file which is gone or changed gets its puzzles again. What went into a pipe is gone, and the next
    /// call gets others. `say` gets notes for the user.
    ///
    /// # Errors
    /// An index that is damaged or cannot be written; [`PublishError::Stopped`].
    pub fn begin(
        index: &Path,
        output: &Path,
        request: Option<String>,
        is_whole: bool,
        stop: &StopFlag,
        say: &mut dyn FnMut(&str),
    ) -> Result<Begun, PublishError> {
        let is_file = !Output::is_standard(output) && !Output::is_direct(output);
        let output = std::path::absolute(output).map_err(wrong(index))?.to_string_lossy().into_owned();
        let line = Line { output, request: request.clone().unwrap_or_default(), ..Line::default() };
        let mut history = History::default();
        let index = LockedIndex::open(index, stop, say, |other| {
            let is_own = request.is_some() && (&other.output, &other.request) == (&line.output, &line.request);
            history.add(other, is_own, &line.output);
        })?;
        let History { mut others, unpublished, mut published, blake3 } = history;
        if is_whole && unpublished.is_empty() && blake3.is_some() && blake3 == digest(Path::new(&line.output)) {
            return Ok(Begun::Done(published));
        }
        let resumed = !unpublished.is_empty();
        // A file that is gone or changed gets its puzzles again, a pipe others.
        let again = (is_file && !resumed && !published.is_empty()).then(|| std::mem::take(&mut published));
        others.append(&mut published);
        if let Some(again) = &again {
            say(&format!("note: {} gets the {} puzzles again that it had before", line.output, again.len()));
        }
        Ok(Begun::New(Box::new(Publication { index, line, others, resumed, again })))
    }

    /// True if an earlier call with the same request was stopped after it had chosen.
    pub fn is_resumed(&self) -> bool {
        self.resumed
    }

    /// The classes of the puzzles that this request published before and publishes again. None for a new request.
    pub fn again(&self) -> Option<&[u128]> {
        self.again.as_deref()
    }

    /// True if a path leads to the index of this publication.
    pub fn is_in(&self, index: &Path) -> bool {
        self.index.is_at(index)
    }

    /// Takes out the classes of the index, except those that this request has not published yet or makes again.
    pub(crate) fn take_others(&mut self) -> Vec<u128> {
        std::mem::take(&mut self.others)
    }

    /// Records the classes, gives the files their names, and calls `more`, which writes the files that are too many to
    /// be held open at once.
    ///
    /// # Errors
    /// An error of the operating system: if the same command runs again, it finishes the work. `classes` are not those
    /// that are to be published again.
    pub fn finish(
        mut self,
        classes: &[u128],
        files: Vec<Sealed>,
        more: impl FnOnce() -> Result<(), PublishError>,
    ) -> Result<(), PublishError> {
        // Only one file can be recognized later by its checksum.
        let blake3 = if let [file] = &files[..] { file.blake3().map(str::to_owned) } else { None };
        match self.again {
            None => self.index.add(&Line { classes: classes.to_vec(), ..self.line.clone() })?,
            Some(mut before) => {
                let mut classes = classes.to_vec();
                classes.sort_unstable();
                before.sort_unstable();
                if classes != before {
                    let reason = "it held other puzzles, which are not found again: choose another name for these";
                    return Err(PublishError::file(Path::new(&self.line.output), reason));
                }
            }
        }
        files.into_iter().try_for_each(Sealed::publish)?;
        more()?;
        self.index.add(&Line { blake3, ..self.line })
    }
}

/// The BLAKE3 of a file. None if it cannot be read, or is no regular file.
fn digest(path: &Path) -> Option<String> {
    // Opening a pipe would take its contents from who reads it afterwards.
    let file = path.is_file().then(|| File::open(path).ok()).flatten()?;
    let mut hash = blake3::Hasher::new();
    hash.update_reader(file).ok()?;
    Some(hash.finalize().to_hex().to_string())
}

/// A digest of a request: of its text, and of the contents of its sources (files, folders of corpora). Indexes are left
/// out, because they grow. None if one of the files is a stream, which can be read only once, or cannot be read.
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
