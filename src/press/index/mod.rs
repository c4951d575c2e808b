//! What was published: the classes that `--except` reads, and the digest by which an index knows a request again. The
//! index itself, a database, is a room of `store`: `corpus/published`.

pub(crate) mod seen;

use std::path::Path;

pub use seen::Seen;

use crate::error::PublishError;
use sudoku_corpus_store::corpus::{digest_of, files_of, is_published_index};

/// A digest of a request: of its text, and of the contents of its sources (files, folders of corpora). Indexes are left
/// out, because they grow. None if one of the files is a stream, which can be read only once.
///
/// # Errors
/// A source that cannot be read. Without its contents, an index would not know the request again.
pub fn request_digest(text: &str, sources: &[&Path]) -> Result<Option<String>, PublishError> {
    let mut request = text.to_owned();
    for source in sources {
        for file in files_of(source)? {
            // Opening a pipe would take its contents from who reads it afterwards.
            if !file.is_file() {
                return Ok(None);
            }
            if !is_published_index(&file)? {
                request += &digest_of(&file)?;
            }
        }
    }
    Ok(Some(blake3::hash(request.as_bytes()).to_hex().to_string()))
}
