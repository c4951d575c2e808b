//! What was published: the index that `--remember` keeps, and the classes that `--except` reads.
//!
//! | file | purpose | main type |
//! |---|---|---|
//! | `lines` | the text of an index: its lines, their checks and their chain | `Line` |
//! | `locked` | an index that this process may add to | `LockedIndex` |
//! | `publication` | puzzles are in the index before their file has its name | [`Publication`] |
//! | `seen` | the classes of indexes and of files of puzzles | [`Seen`] |
//!
//! ```text
//!   sudoku-corpus index 3
//!   9f86d081884c7d65 {"after":"..","output":"/books/one.pdf","request":"4e07..","classes":"00ab..ff3c.."}   the puzzles of a file
//!   60303ae22b998861 {"after":"..","output":"/books/one.pdf","request":"4e07..","blake3":"6b23.."}          the file has its name
//! ```
//!
//! An index is a text to which lines are added. These hold:
//!
//! 1. A line begins with 64 bits of the BLAKE3 of its rest, so damage is found and told.
//! 2. A line names all lines before it (`after`: a digest of their checks in this order), so a line that is missing
//!    before it is found and told.
//! 3. Beside the index stands `.NAME.count`: how many lines it had when a command added to it. An index with fewer
//!    lines has lost its end, or is an older copy: it is refused. A copy in another folder has no count, so there a
//!    loss at the end of a line cannot be noticed.
//! 4. Only a last line without an end may be dropped: a process was killed while it wrote the line, and nothing of it
//!    was published.
//! 5. Whoever adds to an index holds a lock on the file itself from the choice of puzzles to the last line. So two
//!    commands never publish the same puzzle, whatever links lead to the index. On a file system without locks, which
//!    is told, a command that finds lines that another one has added meanwhile publishes nothing.
//! 6. A line is durable before the output that it names gets its final name: nothing is published that is not in the
//!    index.
//!
//! If a command that was killed runs again, the puzzles that only it has remembered count as new, so the file gets the
//! same contents as without the kill. If the file is there with the checksum of its line, there is nothing to do.
//!
//! Version 0.3.0 wrote `sudoku-corpus index 2`, whose lines do not name the lines before. Such an index is read, and
//! lines that are added to it name all before them.

mod lines;
mod locked;
mod publication;
pub(crate) mod seen;

pub use lines::holds_index;
pub use publication::{Begun, Publication, request_digest};
pub use seen::Seen;

#[cfg(test)]
mod tests;
