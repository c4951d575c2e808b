//! Writes drawings as PNG, in gray if there are no colours and the background is not transparent. `zeno` fills the
//! paths and needs no other crate. The rest of PNG is a header, checksums and a zlib stream, which `flate2` writes. The
//! format: W3C, "Portable Network Graphics (PNG) Specification", third edition, chapters 5 (chunks), 9 (filters) and 11
//! (IHDR, pHYs, IDAT, IEND).

use std::io::Write as _;

use flate2::{Compression, Crc, write::ZlibEncoder};

use crate::draw::outline::{Ink, Path};
use crate::draw::text::typeface::Typeface;
use crate::picture::drawing::Drawing;
use sudoku_corpus_core::board::Reason;

/// The largest number of pixels of a side.
const MOST_PIXELS: f64 = 10_000.0;

/// Red, green, blue and opacity of each pixel.
struct Pixels {
    width: usize,
    height: usize,
    data: Vec<[u8; 4]>,
}

/// A drawing as PNG with a number of dots per inch.
///
/// # Errors
/// A picture that is too large, or without a pixel.
pub fn png(typeface: &Typeface, drawing: &Drawing, dpi: f64) -> Result<Vec<u8>, Reason> {
    let scale = dpi / 72.0;
    let (width, height) = pixels(drawing.width, drawing.height, dpi)?;
    let blank = if drawing.background { [255; 4] } else { [0; 4] };
    let mut pixels = Pixels { width, height, data: vec![blank; width * height] };
    let paths = drawing.paths(typeface);
    paths.iter().for_each(|path| pixels.paint(path, scale as f32));
    let is_gray = drawing.background && paths.iter().all(|path| matches!(path.ink, Ink::Gray(_)));
    Ok(encoded(&pixels, is_gray, dpi))
}

/// The number of pixels of a width and a height in points.
///
/// # Errors
/// Too many pixels, or none.
pub fn pixels(width: f64, height: f64, dpi: f64) -> Result<(usize, usize), Reason> {
    let (width, height) = ((width * dpi / 72.0).round(), (height * dpi / 72.0).round());
    if !(1.0..=MOST_PIXELS).contains(&width) || !(1.0..=MOST_PIXELS).contains(&height) {
        return Err(Reason(format!(
            "a picture of {width} x {height} pixels cannot be made: 1 to 10000 a side; change --dpi or --size"
        )));
    }
    Ok((width as usize, height as usize))
}

impl Pixels {
    /// Paints a path. `scale` is the number of pixels for each point. A pixel that is covered in part gets a part of
    /// the ink.
    fn paint(&mut self, path: &Path, scale: f32) {
        let ink = bytes_of(path.ink);
        path.each_covered(scale, self.width, self.height, |pixel, cover| blend(&mut self.data[pixel], ink, cover));
    }
}

/// Red, green and blue of an ink, each from 0 to 255.
pub(super) fn bytes_of(ink: Ink) -> [u8; 3] {
    let channels = match ink {
        Ink::Gray(gray) => [gray; 3],
        Ink::Rgb(red, green, blue) => [red, green, blue],
    };
    channels.map(|part| (part.clamp(0.0, 1.0) * 255.0).round() as u8)
}

/// Blends ink over a pixel in proportion to the covered area.
fn blend(pixel: &mut [u8; 4], ink: [u8; 3], cover: u8) {
    let (over, under) = (u32::from(cover), u32::from(pixel[3]) * (255 - u32::from(cover)) / 255);
    let all = (over + under).max(1);
    for (part, ink) in pixel.iter_mut().zip(ink) {
        *part = ((u32::from(ink) * over + u32::from(*part) * under + all / 2) / all) as u8;
    }
    pixel[3] = all.min(255) as u8;
}

fn encoded(pixels: &Pixels, is_gray: bool, dpi: f64) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    // Eight bits a channel; gray, or red, green, blue and opacity; zlib, usual filters, not interlaced.
    let (width, height) = ((pixels.width as u32).to_be_bytes(), (pixels.height as u32).to_be_bytes());
    let kind = [8, if is_gray { 0 } else { 6 }, 0, 0, 0];
    chunk(&mut file, *b"IHDR", &[width.as_slice(), &height, &kind].concat());
    let per_metre = ((dpi / 0.0254).round() as u32).to_be_bytes();
    chunk(&mut file, *b"pHYs", &[per_metre.as_slice(), &per_metre, &[1]].concat());
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(6));
    let mut line = Vec::new();
    for row in pixels.data.chunks(pixels.width) {
        // Filter 0: bytes without change. Boards are mostly white, and other filters do not make such files smaller.
        line.clear();
        line.push(0);
        match is_gray {
            true => line.extend(row.iter().map(|pixel| pixel[0])),
            false => line.extend(row.iter().flatten()),
        }
        // Writing to memory does not fail.
        drop(encoder.write_all(&line));
    }
    chunk(&mut file, *b"IDAT", &encoder.finish().unwrap_or_default());
    chunk(&mut file, *b"IEND", &[]);
    file
}

/// Writes a chunk: length, name, data, checksum.
fn chunk(file: &mut Vec<u8>, name: [u8; 4], data: &[u8]) {
    file.extend((data.len() as u32).to_be_bytes());
    let mut checksum = Crc::new();
    checksum.update(&name);
    checksum.update(data);
    file.extend(name);
    file.extend(data);
    file.extend(checksum.sum().to_be_bytes());
}
