//! Writes bytes and numbers as a PDF file stores them.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;

pub(crate) fn compress(data: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::with_capacity(data.len() / 4), Compression::new(7));
    // Writing to memory does not fail. If it did, the stream would be empty, and tests would fail.
    drop(encoder.write_all(data));
    encoder.finish().unwrap_or_default()
}

/// Thousandths of a point: finer than any printer, and short to write.
pub(crate) fn rounded(value: f64) -> f32 {
    ((value * 1000.0).round() / 1000.0) as f32
}
