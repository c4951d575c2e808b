//! The index of published puzzles: which puzzles left the house, in which output and when. It is a database of SQLite.
//!
//! ```text
//!   publication   a call that published puzzles: its number, output, request, day, version of the program; begun or done
//!   puzzle        a puzzle of a publication: its number, its class
//!   published     the view of both that users ask: a row for each puzzle
//! ```
//!
//! 1. Whoever publishes holds the lock of the database from before the choice of puzzles until their files have their
//!    names. A second command waits. So no two commands publish the same puzzle. Without locks nothing is published.
//! 2. The puzzles are committed before the first byte of their output is seen by anybody.
//! 3. A publication has the number and a digest of its classes. So rows that are lost and bits that are changed are
//!    found, also where the pages of the database are sound.
//!
//! | file | about | main type |
//! |---|---|---|
//! | `entry` | a publication of an index | [`Entry`](entry::Entry) |
//! | `reading` | what an index holds, and whether it is sound | |
//! | `text` | indexes of 0.3.0 and 0.4.0, which were texts | |
//! | `checksums` | the checksums of the files of a publication | |
//! | `publication` | publishing in an order that loses nothing and doubles nothing | [`Publication`] |

mod checksums;
mod entry;
mod publication;
mod reading;
mod text;

pub use publication::{Begun, Publication, PublicationCall};
pub(crate) use reading::write_published;
pub use reading::{is_published_index, published_classes};

#[cfg(test)]
mod tests;
