//! From the bytes of a file to its text: `gzip` unpacks them, `encoding` decodes UTF-8 and UTF-16 and tells the kinds of
//! files by their first bytes.

pub(super) mod encoding;
pub(super) mod gzip;
