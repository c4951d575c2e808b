//! Reads the pages of a book back from the bytes of its file: glyphs, lines and frames, in points from the upper left corner
//! of the trimmed page.

use std::collections::BTreeMap;
use std::io::Read as _;

use super::super::sheet::Area;
use super::super::typeface::{Typeface, Weight};

/// Glyphs shown by one operator.
#[derive(Clone, Debug)]
pub struct Run {
    pub text: String,
    pub size: f64,
    /// Origin of the first glyph.
    pub x: f64,
    pub base: f64,
    /// The ink of each glyph.
    pub glyphs: Vec<Area>,
    pub is_turned: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Page {
    pub runs: Vec<Run>,
    /// Rectangles with the thickness of their lines.
    pub frames: Vec<(Area, f64)>,
    /// Straight lines: the box around each, and its thickness.
    pub lines: Vec<(Area, f64)>,
}

type Objects = BTreeMap<i64, (String, Vec<u8>)>;

/// The objects of a file by number: dictionary, and the inflated stream.
fn objects(file: &[u8]) -> Objects {
    let find = |from: usize, wanted: &[u8]| {
        file[from..].windows(wanted.len()).position(|found| found == wanted).map(|at| from + at)
    };
    let mut objects = Objects::new();
    let mut at = 0;
    while let Some(start) = find(at, b" 0 obj\n") {
        let digits = file[..start].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let number = std::str::from_utf8(&file[start - digits..start]).unwrap().parse().unwrap();
        let end = find(start, b"endobj").unwrap();
        let stream = find(start, b"stream\n").filter(|&stream| stream < end);
        let text = String::from_utf8_lossy(&file[start + 7..stream.unwrap_or(end)]).into_owned();
        let mut data = Vec::new();
        at = end;
        if let Some(stream) = stream {
            let length = numbers_after(&text, "/Length ")[0] as usize;
            let raw = &file[stream + 7..stream + 7 + length];
            if flate2::read::ZlibDecoder::new(raw).read_to_end(&mut data).is_err() {
                data = raw.to_vec();
            }
            at = stream + 7 + length;
        }
        objects.insert(number, (text, data));
    }
    objects
}

/// The numbers that follow a key.
fn numbers_after(text: &str, key: &str) -> Vec<f64> {
    let Some((_, rest)) = text.split_once(key) else { return Vec::new() };
    let words = rest.split(|c: char| c.is_whitespace() || c == '[' || c == ']').filter(|word| !word.is_empty());
    words.map_while(|word| word.parse().ok()).collect()
}

/// Widths and characters of the glyphs of a font, by code.
fn font(objects: &Objects, number: i64) -> Vec<(f64, char)> {
    let text = &objects[&number].0;
    let of = |key: &str| numbers_after(text, key)[0] as i64;
    let widths = numbers_after(&objects[&of("/DescendantFonts ")].0, "/W ");
    let map = String::from_utf8_lossy(&objects[&of("/ToUnicode ")].1).into_owned();
    let mut font: Vec<(f64, char)> = widths[1..].iter().map(|&width| (width, '\u{fffd}')).collect();
    for line in map.lines() {
        let parts: Vec<u32> = line
            .split(['<', '>'])
            .filter(|part| !part.trim().is_empty())
            .map_while(|part| u32::from_str_radix(part.trim(), 16).ok())
            .collect();
        if let [code, character] = parts[..]
            && let Some(glyph) = font.get_mut(code as usize)
        {
            glyph.1 = char::from_u32(character).unwrap();
        }
    }
    font
}

/// A word of a drawing.
#[derive(Debug, PartialEq)]
enum Token {
    Number(f64),
    Text(Vec<u8>),
    Word(String),
}

fn tokens(data: &[u8]) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < data.len() {
        match data[at] {
            b'(' => {
                let mut text = Vec::new();
                let mut depth = 1;
                at += 1;
                while depth > 0 {
                    match data[at] {
                        b'\\' if data[at + 1].is_ascii_digit() => {
                            let octal = std::str::from_utf8(&data[at + 1..at + 4]).unwrap();
                            text.push(u8::from_str_radix(octal, 8).unwrap());
                            at += 3;
                        }
                        b'\\' => {
                            at += 1;
                            text.push(match data[at] {
                                b'n' => b'\n',
                                b'r' => b'\r',
                                b't' => b'\t',
                                b'b' => 8,
                                b'f' => 12,
                                other => other,
                            });
                        }
                        b'(' => {
                            depth += 1;
                            text.push(b'(');
                        }
                        b')' if depth == 1 => depth = 0,
                        b')' => {
                            depth -= 1;
                            text.push(b')');
                        }
                        other => text.push(other),
                    }
                    at += 1;
                }
                tokens.push(Token::Text(text));
            }
            b'<' => {
                let end = at + data[at..].iter().position(|&byte| byte == b'>').unwrap();
                let digits = std::str::from_utf8(&data[at + 1..end]).unwrap();
                let byte = |pair: usize| u8::from_str_radix(&digits[2 * pair..2 * pair + 2], 16).unwrap();
                tokens.push(Token::Text((0..digits.len() / 2).map(byte).collect()));
                at = end + 1;
            }
            b'[' | b']' => {
                tokens.push(Token::Word(char::from(data[at]).to_string()));
                at += 1;
            }
            byte if byte.is_ascii_whitespace() => at += 1,
            _ => {
                let end = data[at..].iter().position(|byte| byte.is_ascii_whitespace() || b"[]<(".contains(byte));
                let end = end.map_or(data.len(), |end| at + end);
                let word = std::str::from_utf8(&data[at..end]).unwrap();
                tokens.push(word.parse().map_or_else(|_| Token::Word(word.to_owned()), Token::Number));
                at = end;
            }
        }
    }
    tokens
}

pub fn read(file: &[u8], typeface: &Typeface) -> Vec<Page> {
    let objects = objects(file);
    let tree = &objects.values().find(|(text, _)| text.contains("/Type /Pages")).unwrap().0;
    let kids = tree.split_once("/Kids [").unwrap().1.split(']').next().unwrap();
    let pages = kids.split(" 0 R").filter_map(|number| number.trim().parse::<i64>().ok());
    pages.map(|page| read_page(&objects, &objects[&page].0, typeface)).collect()
}

fn read_page(objects: &Objects, page: &str, typeface: &Typeface) -> Page {
    let fonts = Weight::ALL.map(|weight| {
        let name = ["/R ", "/M ", "/B "][weight as usize];
        let number = page.split_once("/Font").and_then(|(_, fonts)| numbers_after(fonts, name).first().copied());
        (weight, number.map_or(Vec::new(), |number| font(objects, number as i64)))
    });
    let trim = numbers_after(page, "/TrimBox ");
    let content = &objects[&(numbers_after(page, "/Contents ")[0] as i64)].1;
    let mut read = Page::default();
    let mut stack: Vec<Token> = Vec::new();
    let (mut weight, mut size, mut origin, mut ahead, mut width) = (0, 0.0, (0.0, 0.0), 1.0, 1.0);
    let mut path: Vec<(f64, f64)> = Vec::new();
    for token in tokens(content) {
        let Token::Word(word) = &token else {
            stack.push(token);
            continue;
        };
        if word.starts_with('/') || word == "[" {
            stack.push(token);
            continue;
        }
        if word == "]" {
            continue;
        }
        let numbers: Vec<f64> = stack
            .iter()
            .filter_map(|token| if let Token::Number(number) = token { Some(*number) } else { None })
            .collect();
        let place = |x: f64, y: f64| (x - trim[0], trim[3] - y);
        let around = |(x, y): (f64, f64), (other_x, other_y): (f64, f64)| Area {
            x: x.min(other_x),
            y: y.min(other_y),
            width: (x - other_x).abs(),
            height: (y - other_y).abs(),
        };
        match word.as_str() {
            "w" => width = numbers[0],
            "m" => path = vec![place(numbers[0], numbers[1])],
            "l" => path.push(place(numbers[0], numbers[1])),
            "S" => match path[..] {
                [from, _, to, _] => read.frames.push((around(from, to), width)),
                [from, to] => read.lines.push((around(from, to), width)),
                _ => {}
            },
            "Tf" => {
                let name = stack
                    .iter()
                    .find_map(|token| if let Token::Word(name) = token { Some(name.as_str()) } else { None });
                weight = ["/R", "/M", "/B"].iter().position(|known| Some(*known) == name).unwrap();
                size = numbers[0];
            }
            "Tm" => (ahead, origin) = (numbers[0], (numbers[4], numbers[5])),
            "TJ" => {
                let (of_weight, font) = &fonts[weight];
                let cut = typeface.cut(*of_weight);
                let scale = size / cut.units();
                let (x, base) = place(origin.0, origin.1);
                let (text, glyphs) = (String::new(), Vec::new());
                let mut run = Run { text, size, x, base, glyphs, is_turned: ahead < 0.0 };
                let mut x = origin.0;
                for token in &stack {
                    match token {
                        Token::Number(gap) => x -= gap * ahead * size / 1000.0,
                        Token::Text(codes) => {
                            for code in codes.chunks(2) {
                                let (wide, character) = font[usize::from(code[0]) << 8 | usize::from(code[1])];
                                run.text.push(character);
                                let ink =
                                    cut.face.glyph_index(character).and_then(|id| cut.face.glyph_bounding_box(id));
                                if let Some(ink) = ink {
                                    let at = |across: i16, up: i16| {
                                        place(
                                            x + f64::from(across) * scale * ahead,
                                            origin.1 + f64::from(up) * scale * ahead,
                                        )
                                    };
                                    run.glyphs.push(around(at(ink.x_min, ink.y_min), at(ink.x_max, ink.y_max)));
                                }
                                x += wide * ahead * size / 1000.0;
                            }
                        }
                        Token::Word(_) => {}
                    }
                }
                read.runs.push(run);
            }
            _ => {}
        }
        stack.clear();
    }
    read
}
