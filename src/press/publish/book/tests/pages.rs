//! Reads the pages of a book back from the bytes of its file: glyphs, lines and frames, in points from the upper left
//! corner of the trimmed page.

use hayro_write::hayro_syntax::content::UntypedIter;
use hayro_write::hayro_syntax::object::{Array, Dict, Number, Object, Stream};
use hayro_write::hayro_syntax::{Pdf, page};

use crate::publish::draw::measures::Area;
use crate::publish::draw::typeface::{Typeface, Weight};

/// Glyphs shown by one operator.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub text: String,
    pub size: f64,
    /// Origin of the first glyph.
    pub x: f64,
    pub base: f64,
    /// The ink of each glyph, and of all of them.
    pub glyphs: Vec<Area>,
    pub ink: Area,
    pub is_turned: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Page {
    /// The whole sheet.
    pub sheet: Area,
    /// Those with ink.
    pub runs: Vec<Run>,
    /// Rectangles with the thickness of their lines.
    pub frames: Vec<(Area, f64)>,
    /// Straight lines: the box around each, and its thickness.
    pub lines: Vec<(Area, f64)>,
    /// Filled areas of straight edges: the box around each, its corners, and the first of them.
    pub fills: Vec<(Area, usize, (f64, f64))>,
}

/// Widths and characters of the glyphs of a font, by code.
fn font(font: &Dict<'_>) -> Vec<(f64, char)> {
    let descendant = font.get::<Array<'_>>("DescendantFonts").unwrap().iter::<Dict<'_>>().next().unwrap();
    // The first code, and the widths from there on.
    let widths = descendant.get::<Array<'_>>("W").unwrap();
    let mut widths = widths.flex_iter();
    assert_eq!(widths.next::<Number>().unwrap().as_i64(), 0);
    let mut glyphs: Vec<(f64, char)> =
        numbers(&widths.next().unwrap()).into_iter().map(|width| (width, '\u{fffd}')).collect();
    let map = font.get::<Stream<'_>>("ToUnicode").unwrap().decoded().unwrap();
    for line in String::from_utf8_lossy(&map).lines() {
        let parts = line.split(['<', '>']).filter(|part| !part.trim().is_empty());
        let parts: Vec<u32> = parts.map_while(|part| u32::from_str_radix(part.trim(), 16).ok()).collect();
        if let [code, character] = parts[..]
            && let Some(glyph) = glyphs.get_mut(code as usize)
        {
            glyph.1 = char::from_u32(character).unwrap();
        }
    }
    glyphs
}

fn numbers(array: &Array<'_>) -> Vec<f64> {
    array.iter::<Number>().map(|number| number.as_f64()).collect()
}

pub(super) fn read(file: &[u8], typeface: &Typeface) -> Vec<Page> {
    Pdf::new(file.to_vec()).unwrap().pages().iter().map(|page| read_page(page, typeface)).collect()
}

fn around((x, y): (f64, f64), (other_x, other_y): (f64, f64)) -> Area {
    Area { x: x.min(other_x), y: y.min(other_y), width: (x - other_x).abs(), height: (y - other_y).abs() }
}

fn both(one: Area, other: Area) -> Area {
    let end = (one.right().max(other.right()), one.bottom().max(other.bottom()));
    around((one.x.min(other.x), one.y.min(other.y)), end)
}

fn read_page(page: &page::Page<'_>, typeface: &Typeface) -> Page {
    const NAMES: [&str; 3] = ["R", "M", "B"];
    let fonts = NAMES.map(|name| page.resources().fonts.get::<Dict<'_>>(name).map_or(Vec::new(), |of| font(&of)));
    let trim = numbers(&page.raw().get("TrimBox").unwrap());
    let place = |x: f64, y: f64| (x - trim[0], trim[3] - y);
    let media = numbers(&page.raw().get("MediaBox").unwrap());
    let sheet = around(place(media[0], media[1]), place(media[2], media[3]));
    let mut read = Page { sheet, runs: Vec::new(), frames: Vec::new(), lines: Vec::new(), fills: Vec::new() };
    let (mut weight, mut size, mut origin, mut ahead, mut width) = (0, 0.0, (0.0, 0.0), 1.0, 1.0);
    let mut path: Vec<(f64, f64)> = Vec::new();
    let mut operations = UntypedIter::new(page.page_stream().unwrap_or_default());
    while let Some(operation) = operations.next() {
        let operands: Vec<Object<'_>> = operation.operands().cloned().collect();
        let number =
            |object: &Object<'_>| if let Object::Number(number) = object { Some(number.as_f64()) } else { None };
        let numbers: Vec<f64> = operands.iter().filter_map(number).collect();
        let operator: &[u8] = operation.operator;
        match (operator, operands.as_slice()) {
            (b"w", _) => width = numbers[0],
            (b"m", _) => path = vec![place(numbers[0], numbers[1])],
            (b"l", _) => path.push(place(numbers[0], numbers[1])),
            (b"S", _) => match path[..] {
                [from, _, to, _] => read.frames.push((around(from, to), width)),
                [from, to] => read.lines.push((around(from, to), width)),
                _ => {}
            },
            (b"f", _) => {
                let corners = path.iter().map(|&corner| around(corner, corner));
                read.fills.extend(corners.reduce(both).map(|area| (area, path.len(), path[0])));
            }
            (b"Tf", [Object::Name(name), _]) => {
                weight = NAMES.iter().position(|known| known.as_bytes() == &**name).unwrap();
                size = numbers[0];
            }
            (b"Tm", _) => (ahead, origin) = (numbers[0], (numbers[4], numbers[5])),
            (b"TJ", [Object::Array(shown)]) => {
                let cut = typeface.cut(Weight::ALL[weight]);
                let scale = size / cut.units * ahead;
                let (x, base) = place(origin.0, origin.1);
                let (text, glyphs, ink) = (String::new(), Vec::new(), around((x, base), (x, base)));
                let mut run = Run { text, size, x, base, glyphs, ink, is_turned: ahead < 0.0 };
                let mut x = origin.0;
                for item in shown.iter::<Object<'_>>() {
                    x -= number(&item).unwrap_or(0.0) * ahead * size / 1000.0;
                    let Object::String(codes) = item else { continue };
                    for code in codes.as_bytes().chunks(2) {
                        let (wide, character) = fonts[weight][usize::from(code[0]) << 8 | usize::from(code[1])];
                        run.text.push(character);
                        let ink = cut.face.glyph_index(character).and_then(|id| cut.face.glyph_bounding_box(id));
                        if let Some(ink) = ink {
                            let at = |across: i16, up: i16| {
                                place(x + f64::from(across) * scale, origin.1 + f64::from(up) * scale)
                            };
                            run.glyphs.push(around(at(ink.x_min, ink.y_min), at(ink.x_max, ink.y_max)));
                        }
                        x += wide * ahead * size / 1000.0;
                    }
                }
                if let Some(ink) = run.glyphs.iter().copied().reduce(both) {
                    read.runs.push(Run { ink, ..run });
                }
            }
            _ => {}
        }
    }
    read
}
