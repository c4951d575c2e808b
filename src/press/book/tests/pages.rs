//! Reads the pages of a book back from the bytes of its file: glyphs, lines and frames, in points from the upper left
//! corner of the trimmed page.

use std::collections::BTreeMap;
use std::io::Read as _;

use crate::draw::measures::Area;
use crate::draw::text::typeface::{Cut, Typeface, Weight};

/// Glyphs shown by one operator.
#[derive(Clone, Debug)]
pub(crate) struct Run {
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
pub(crate) struct Page {
    /// The whole sheet.
    pub sheet: Area,
    /// Those with ink.
    pub runs: Vec<Run>,
    /// Rectangles.
    pub frames: Vec<Stroke>,
    /// Straight lines.
    pub lines: Vec<Stroke>,
    /// Filled areas of straight edges.
    pub fills: Vec<Fill>,
    /// The grays that are set, from 0 (black) to 1 (white).
    pub grays: Vec<f64>,
}

/// A rectangle or a straight line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stroke {
    /// The box around it.
    pub area: Area,
    /// The thickness of the line.
    pub width: f64,
}

/// A filled area of straight edges.
#[derive(Clone, Debug)]
pub(crate) struct Fill {
    /// The box around it.
    pub area: Area,
    /// The number of its corners.
    pub corners: usize,
    pub first_corner: (f64, f64),
}

/// A path as it is painted.
#[derive(Clone, Debug)]
pub(crate) struct Painted {
    /// Its corners; of curves the control points too.
    pub corners: Vec<(f64, f64)>,
    pub is_curved: bool,
    pub is_closed: bool,
    /// From 0 (black) to 1 (white); None for colours.
    pub gray: Option<f64>,
    /// The thickness of a line; None for an area.
    pub line: Option<f64>,
}

impl Painted {
    /// The box around it.
    pub(crate) fn area(&self) -> Area {
        let corners = self.corners.iter().map(|&corner| around(corner, corner));
        corners.reduce(both).unwrap_or(around((0.0, 0.0), (0.0, 0.0)))
    }
}

/// An object: what stands in it, and its stream, inflated.
#[derive(Default)]
struct Object {
    text: String,
    stream: Vec<u8>,
}

impl Object {
    /// The numbers of an array of this name.
    fn numbers(&self, name: &str) -> Vec<f64> {
        let array = self.text.split(&format!("/{name} [")).nth(1).unwrap().split(']').next().unwrap();
        array.split_whitespace().map(|number| number.trim_start_matches('[').parse().unwrap()).collect()
    }

    /// The number of the first object to which the entry of this name refers.
    fn number_after(&self, name: &str) -> Option<u32> {
        self.text.split(&format!("/{name} ")).nth(1)?.trim_start_matches('[').split_whitespace().next()?.parse().ok()
    }
}

/// The objects of a file by their numbers. This program writes each as it is, one after the other.
fn objects(file: &[u8]) -> BTreeMap<u32, Object> {
    let find = |from: usize, wanted: &[u8]| {
        file[from..].windows(wanted.len()).position(|part| part == wanted).map(|offset| from + offset)
    };
    let (mut offset, mut objects) = (0, BTreeMap::new());
    while let Some(head) = find(offset, b" 0 obj\n") {
        let digits = file[..head].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let number = String::from_utf8_lossy(&file[head - digits..head]).parse().unwrap();
        let end = find(head, b"endobj").unwrap();
        let mut object = Object::default();
        offset = match find(head, b"\nstream\n").filter(|start| *start < end) {
            None => end,
            Some(start) => {
                object.text = String::from_utf8_lossy(&file[head + 7..start]).into_owned();
                let length: usize = object.number_after("Length").unwrap() as usize;
                let data = &file[start + 8..][..length];
                let is_deflated = object.text.contains("/FlateDecode");
                match is_deflated {
                    true => drop(flate2::read::ZlibDecoder::new(data).read_to_end(&mut object.stream).unwrap()),
                    false => object.stream = data.to_vec(),
                }
                start + 8 + length
            }
        };
        if object.text.is_empty() {
            object.text = String::from_utf8_lossy(&file[head + 7..end]).into_owned();
        }
        objects.insert(number, object);
    }
    objects
}

/// The streams of a file, inflated where they are deflated.
pub(crate) fn streams(file: &[u8]) -> Vec<Vec<u8>> {
    objects(file).into_values().map(|object| object.stream).filter(|stream| !stream.is_empty()).collect()
}

/// A glyph of a font.
struct FontGlyph {
    /// In thousandths of the type size.
    width: f64,
    character: char,
}

/// The glyphs of a font, by code.
fn font(objects: &BTreeMap<u32, Object>, font: &Object) -> Vec<FontGlyph> {
    let descendant = &objects[&font.number_after("DescendantFonts").unwrap()];
    // The first code, and the widths from there on.
    let widths = descendant.numbers("W");
    assert_eq!(widths[0], 0.0);
    let mut glyphs: Vec<FontGlyph> =
        widths[1..].iter().map(|width| FontGlyph { width: *width, character: '\u{fffd}' }).collect();
    let map = &objects[&font.number_after("ToUnicode").unwrap()].stream;
    for line in String::from_utf8_lossy(map).lines() {
        let parts = line.split(['<', '>']).filter(|part| !part.trim().is_empty());
        let parts: Vec<u32> = parts.map_while(|part| u32::from_str_radix(part.trim(), 16).ok()).collect();
        if let [code, character] = parts[..]
            && let Some(glyph) = glyphs.get_mut(code as usize)
        {
            glyph.character = char::from_u32(character).unwrap();
        }
    }
    glyphs
}

/// A piece of the content of a page.
#[derive(Clone, Debug)]
enum Token {
    Number(f64),
    Name(String),
    Codes(Vec<u8>),
    Array(Vec<Token>),
    Operator(String),
}

impl Token {
    fn number(&self) -> Option<f64> {
        if let Token::Number(number) = self { Some(*number) } else { None }
    }
}

/// The next piece of a content, from an offset on.
fn token(content: &[u8], offset: &mut usize) -> Option<Token> {
    let is_end = |byte: u8| byte.is_ascii_whitespace() || b"[]<>()/".contains(&byte);
    *offset += content[*offset..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let first = *content.get(*offset)?;
    *offset += 1;
    let word = |offset: &mut usize| {
        let length = content[*offset..].iter().take_while(|byte| !is_end(**byte)).count();
        *offset += length;
        String::from_utf8_lossy(&content[*offset - length..*offset]).into_owned()
    };
    Some(match first {
        b'/' => Token::Name(word(offset)),
        b'<' => {
            let hex = word(offset);
            *offset += 1;
            let byte = |start: usize| u8::from_str_radix(&hex[start..start + 2], 16).unwrap();
            Token::Codes((0..hex.len()).step_by(2).map(byte).collect())
        }
        b'(' => Token::Codes(literal(content, offset)),
        b'[' => {
            let mut inside = Vec::new();
            while content[*offset..].trim_ascii_start().first() != Some(&b']') {
                inside.push(token(content, offset).unwrap());
            }
            *offset += content[*offset..].iter().take_while(|byte| **byte != b']').count() + 1;
            Token::Array(inside)
        }
        _ => {
            *offset -= 1;
            let word = word(offset);
            word.parse().map_or(Token::Operator(word), Token::Number)
        }
    })
}

/// A string in parentheses, behind the first of them.
fn literal(content: &[u8], offset: &mut usize) -> Vec<u8> {
    let (mut codes, mut depth) = (Vec::new(), 1);
    loop {
        let byte = content[*offset];
        *offset += 1;
        match byte {
            b'\\' => {
                let next = content[*offset];
                *offset += 1;
                codes.push(match next {
                    b'n' => b'\n',
                    b'r' => b'\r',
                    b't' => b'\t',
                    b'b' => 8,
                    b'f' => 12,
                    b'0'..=b'7' => {
                        *offset += 2;
                        let digits = String::from_utf8_lossy(&content[*offset - 3..*offset]);
                        u8::from_str_radix(&digits, 8).unwrap()
                    }
                    byte => byte,
                });
                continue;
            }
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return codes;
        }
        codes.push(byte);
    }
}

/// An operator of a content with its operands.
struct Operation {
    operator: String,
    operands: Vec<Token>,
    /// Those operands that are numbers.
    numbers: Vec<f64>,
}

/// What the content of a page does.
fn operations(objects: &BTreeMap<u32, Object>, page: &Object) -> Vec<Operation> {
    let content = &objects[&page.number_after("Contents").unwrap()].stream;
    let (mut offset, mut operands, mut operations) = (0, Vec::new(), Vec::new());
    while let Some(next) = token(content, &mut offset) {
        match next {
            Token::Operator(operator) => {
                let numbers = operands.iter().filter_map(Token::number).collect();
                operations.push(Operation { operator, operands: std::mem::take(&mut operands), numbers });
            }
            operand => operands.push(operand),
        }
    }
    operations
}

/// The paths of each page of a file in the order in which they are painted, without glyphs.
pub(crate) fn painted_in_pdf(file: &[u8]) -> Vec<Vec<Painted>> {
    let objects = objects(file);
    let pages = objects.values().filter(|object| object.text.contains("/Type /Page\n"));
    let painted = |page: &Object| {
        let trim = page.numbers("TrimBox");
        let mut painted = Vec::new();
        let (mut gray, mut width) = (Some(0.0), 1.0);
        let mut path: Vec<(f64, f64)> = Vec::new();
        let (mut is_curved, mut is_closed) = (false, false);
        for Operation { operator, numbers, .. } in operations(&objects, page) {
            match operator.as_bytes() {
                b"w" => width = numbers[0],
                b"g" => gray = Some(numbers[0]),
                b"rg" => gray = None,
                b"m" | b"l" | b"c" => {
                    path.extend(numbers.chunks(2).map(|point| (point[0] - trim[0], trim[3] - point[1])));
                    is_curved |= operator == "c";
                }
                b"h" => is_closed = true,
                b"S" | b"f" | b"f*" => {
                    let (corners, line) = (std::mem::take(&mut path), (operator == "S").then_some(width));
                    painted.push(Painted { corners, is_curved, is_closed, gray, line });
                    (is_curved, is_closed) = (false, false);
                }
                _ => {}
            }
        }
        painted
    };
    pages.map(painted).collect()
}

/// The pages of a book that was set in this typeface.
pub(crate) fn read(file: &[u8], typeface: &Typeface) -> Vec<Page> {
    let objects = objects(file);
    let pages = objects.values().filter(|object| object.text.contains("/Type /Page\n"));
    pages.map(|page| read_page(&objects, page, typeface)).collect()
}

fn around((x, y): (f64, f64), (other_x, other_y): (f64, f64)) -> Area {
    Area { x: x.min(other_x), y: y.min(other_y), width: (x - other_x).abs(), height: (y - other_y).abs() }
}

fn both(one: Area, other: Area) -> Area {
    let end = (one.right().max(other.right()), one.bottom().max(other.bottom()));
    around((one.x.min(other.x), one.y.min(other.y)), end)
}

fn read_page(objects: &BTreeMap<u32, Object>, page: &Object, typeface: &Typeface) -> Page {
    const NAMES: [&str; 3] = ["R", "M", "B"];
    let fonts = NAMES.map(|name| page.number_after(name).map_or(Vec::new(), |number| font(objects, &objects[&number])));
    let trim = page.numbers("TrimBox");
    let place = |x: f64, y: f64| (x - trim[0], trim[3] - y);
    let media = page.numbers("MediaBox");
    let sheet = around(place(media[0], media[1]), place(media[2], media[3]));
    let mut read =
        Page { sheet, runs: Vec::new(), frames: Vec::new(), lines: Vec::new(), fills: Vec::new(), grays: Vec::new() };
    let mut state = TextState { weight: 0, size: 0.0, origin: (0.0, 0.0), x_scale: 1.0 };
    let mut width = 1.0;
    let mut path: Vec<(f64, f64)> = Vec::new();
    for Operation { operator, operands, numbers } in operations(objects, page) {
        match (operator.as_bytes(), operands.as_slice()) {
            (b"w", _) => width = numbers[0],
            (b"m", _) => path = vec![place(numbers[0], numbers[1])],
            (b"l", _) => path.push(place(numbers[0], numbers[1])),
            (b"S", _) => match path[..] {
                [from, _, to, _] => read.frames.push(Stroke { area: around(from, to), width }),
                [from, to] => read.lines.push(Stroke { area: around(from, to), width }),
                _ => {}
            },
            (b"f", _) => {
                let area = path.iter().map(|&corner| around(corner, corner)).reduce(both);
                read.fills.extend(area.map(|area| Fill { area, corners: path.len(), first_corner: path[0] }));
            }
            (b"g" | b"G", _) => read.grays.push(numbers[0]),
            (b"Tf", [Token::Name(name), _]) => {
                state.weight = NAMES.iter().position(|known| known == name).unwrap();
                state.size = numbers[0];
            }
            (b"Tm", _) => (state.x_scale, state.origin) = (numbers[0], (numbers[4], numbers[5])),
            (b"TJ", [Token::Array(shown)]) => {
                let cut = typeface.cut(Weight::ALL[state.weight]);
                read.runs.extend(read_run(shown, &state, &fonts[state.weight], cut, place));
            }
            _ => {}
        }
    }
    read
}

/// How the next glyphs are set.
struct TextState {
    weight: usize,
    size: f64,
    origin: (f64, f64),
    /// How much wider than high glyphs are: 1, or -1 where they run to the left.
    x_scale: f64,
}

/// The glyphs of an operator. None if they have no ink.
fn read_run(
    shown: &[Token],
    state: &TextState,
    font: &[FontGlyph],
    cut: &Cut,
    place: impl Fn(f64, f64) -> (f64, f64),
) -> Option<Run> {
    let TextState { size, origin, x_scale, .. } = *state;
    let scale = size / cut.units * x_scale;
    let (mut text, mut glyphs) = (String::new(), Vec::new());
    let mut x = origin.0;
    for item in shown {
        x -= item.number().unwrap_or(0.0) * x_scale * size / 1000.0;
        let Token::Codes(codes) = item else { continue };
        for code in codes.chunks(2) {
            let FontGlyph { width, character } = font[usize::from(code[0]) << 8 | usize::from(code[1])];
            text.push(character);
            if let Some(ink) = cut.face.glyph_index(character).and_then(|id| cut.face.glyph_bounding_box(id)) {
                let corner =
                    |across: i16, up: i16| place(x + f64::from(across) * scale, origin.1 + f64::from(up) * scale);
                glyphs.push(around(corner(ink.x_min, ink.y_min), corner(ink.x_max, ink.y_max)));
            }
            x += width * x_scale * size / 1000.0;
        }
    }
    let ink = glyphs.iter().copied().reduce(both)?;
    let (x, base) = place(origin.0, origin.1);
    Some(Run { text, size, x, base, glyphs, ink, is_turned: x_scale < 0.0 })
}
