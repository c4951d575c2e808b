//! What is drawn on the pages of a finished PDF file: how far it reaches, and the thinnest line, the faintest gray, the
//! smallest type and the coarsest picture.
//!
//! The content of a page is followed as a printer would: paths, text, pictures and forms within the clip. Texts reach
//! as far as the glyphs of their embedded fonts; those of other fonts as far as letters usually do.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use hayro_write::hayro_syntax::Pdf;
use hayro_write::hayro_syntax::content::UntypedIter;
use hayro_write::hayro_syntax::object::{Array, Dict, Name, Number, Object, ObjectIdentifier, Rect, Stream};
use hayro_write::hayro_syntax::page::{Page, Resources};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

use crate::publish::draw::measures::Area;

/// What is on a page. Lengths in points.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PageMarks {
    /// Width and height of the trimmed page.
    pub size: (f64, f64),
    /// How far the page reaches beyond its trim: left, right, top, bottom.
    pub bleed: [f64; 4],
    /// The box around all ink, from the upper left corner of the trimmed page. None for a blank page.
    pub ink: Option<Area>,
    /// The thinnest line.
    pub line: Option<f64>,
    /// The faintest ink, from 0 to 1.
    pub faint: Option<f64>,
    /// The smallest type.
    pub type_size: Option<f64>,
    /// The dots per inch of the coarsest picture.
    pub dpi: Option<f64>,
    /// Something is drawn outside the page with its bleed.
    pub has_crop_marks: bool,
}

/// Forms in forms, at most.
const MOST_DEPTH: usize = 12;
/// How far letters usually reach below and above their baseline, in type sizes.
const USUAL_REACH: (f64, f64) = (-0.22, 0.75);

/// A transformation of PDF: `x' = a x + c y + e`, `y' = b x + d y + f`. Here y grows upwards.
type Matrix = [f64; 6];
/// A point in points of the page, from its lower left corner.
type Point = (f64, f64);

/// The transformation that changes nothing.
const IDENTITY: Matrix = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];

/// First one matrix, then another.
fn then(one: Matrix, two: Matrix) -> Matrix {
    let [a, b, c, d, e, f] = one;
    let [g, h, i, j, k, l] = two;
    [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l]
}

/// Where a transformation takes a point.
fn apply([a, b, c, d, e, f]: Matrix, (x, y): Point) -> Point {
    (a * x + c * y + e, b * x + d * y + f)
}

/// How much lengths grow on average: the square root of how much areas grow.
fn scale([a, b, c, d, ..]: Matrix) -> f64 {
    (a * d - b * c).abs().sqrt()
}

/// The glyphs of a font.
enum Outlines {
    TrueType(Box<Face<'static>>),
    Cff(Box<ttf_parser::cff::Table<'static>>),
    None,
}

/// A font as far as places and sizes of glyphs need it.
struct Font {
    outlines: Outlines,
    /// A code has two bytes and is the number of a glyph.
    is_composite: bool,
    /// Widths by code, in thousandths of the type size.
    widths: HashMap<u32, f64>,
    /// The width of codes without one.
    usual_width: f64,
    /// What [`Font::reach`] has found.
    boxes: RefCell<HashMap<u32, Option<[f64; 4]>>>,
}

/// Ignores an outline, whose box is all that matters.
struct Nothing;

impl OutlineBuilder for Nothing {
    fn move_to(&mut self, _: f32, _: f32) {}
    fn line_to(&mut self, _: f32, _: f32) {}
    fn quad_to(&mut self, _: f32, _: f32, _: f32, _: f32) {}
    fn curve_to(&mut self, _: f32, _: f32, _: f32, _: f32, _: f32, _: f32) {}
    fn close(&mut self) {}
}

impl Font {
    /// Reads a font from its dictionary.
    ///
    /// A composite font has its widths in the array `W` of its descendant: "c [w w ..]" gives widths to the codes
    /// from c on, "first last w" one width to all codes from first to last. A simple font has an array that begins with
    /// the code `FirstChar`.
    fn of(font: &Dict<'_>) -> Font {
        let descendant = font.get::<Array<'_>>("DescendantFonts").and_then(|all| all.iter::<Dict<'_>>().next());
        let (own, is_composite) = descendant.map_or_else(|| (font.clone(), false), |own| (own, true));
        let mut widths = HashMap::new();
        if is_composite {
            let mut items =
                own.get::<Array<'_>>("W").into_iter().flat_map(|all| all.iter::<Object<'_>>().collect::<Vec<_>>());
            while let (Some(Object::Number(first)), Some(next)) = (items.next(), items.next()) {
                let first = first.as_f64() as u32;
                match next {
                    Object::Array(some) => {
                        let some = some.iter::<Number>().enumerate();
                        widths.extend(some.map(|(at, width)| (first + at as u32, width.as_f64())));
                    }
                    Object::Number(last) => {
                        let Some(Object::Number(width)) = items.next() else { break };
                        widths.extend(
                            (first..=(last.as_f64() as u32).min(first + 0xffff)).map(|code| (code, width.as_f64())),
                        );
                    }
                    _ => break,
                }
            }
        } else {
            let first = own.get::<Number>("FirstChar").map_or(0, |first| first.as_f64() as u32);
            let all = own.get::<Array<'_>>("Widths");
            let all = all.iter().flat_map(|all| all.iter::<Number>().collect::<Vec<_>>()).enumerate();
            widths.extend(all.map(|(at, width)| (first + at as u32, width.as_f64())));
        }
        let usual_width =
            own.get::<Number>("DW").map_or(if is_composite { 1000.0 } else { 500.0 }, |width| width.as_f64());
        let file = |name: &str| {
            let file = own.get::<Dict<'_>>("FontDescriptor")?.get::<Stream<'_>>(name)?.decoded().ok()?;
            // A face borrows its file. A program looks at one book.
            Some(&*Box::leak(file.into_owned().into_boxed_slice()))
        };
        let outlines = match (is_composite, file("FontFile2"), file("FontFile3")) {
            (true, Some(file), _) => {
                Face::parse(file, 0).map_or(Outlines::None, |face| Outlines::TrueType(Box::new(face)))
            }
            (true, _, Some(file)) => {
                ttf_parser::cff::Table::parse(file).map_or(Outlines::None, |table| Outlines::Cff(Box::new(table)))
            }
            _ => Outlines::None,
        };
        Font { outlines, is_composite, widths, usual_width, boxes: RefCell::default() }
    }

    /// The codes of a text.
    fn codes(&self, text: &[u8]) -> Vec<u32> {
        match self.is_composite {
            true => text.chunks_exact(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(pair[1])).collect(),
            false => text.iter().map(|code| u32::from(*code)).collect(),
        }
    }

    /// The distance to the next glyph, in type sizes.
    fn width(&self, code: u32) -> f64 {
        self.widths.get(&code).copied().unwrap_or(self.usual_width) / 1000.0
    }

    /// What [`Font::box_of`] gives, which is computed once for each code.
    fn reach(&self, code: u32) -> Option<[f64; 4]> {
        *self.boxes.borrow_mut().entry(code).or_insert_with(|| self.box_of(code))
    }

    /// The box around the ink of a glyph: left, low, right, high, in type sizes, from the start of its baseline. None
    /// if it has no ink.
    fn box_of(&self, code: u32) -> Option<[f64; 4]> {
        let id = GlyphId(code as u16);
        let (found, units) = match &self.outlines {
            Outlines::TrueType(face) => (face.glyph_bounding_box(id), f64::from(face.units_per_em())),
            Outlines::Cff(table) => (table.outline(id, &mut Nothing).ok(), 1000.0),
            Outlines::None => {
                let is_blank = !self.is_composite && code == 32;
                return (!is_blank).then_some([0.0, USUAL_REACH.0, self.width(code), USUAL_REACH.1]);
            }
        };
        let part = |units_of: i16| f64::from(units_of) / units;
        found.map(|ink| [part(ink.x_min), part(ink.y_min), part(ink.x_max), part(ink.y_max)])
    }
}

/// The state of drawing.
#[derive(Clone)]
struct State {
    matrix: Matrix,
    /// The width of lines.
    width: f64,
    /// The ink of lines and of areas.
    inks: (f64, f64),
    /// The box of the clip in points of the page.
    clip: Option<[f64; 4]>,
    font: Option<Rc<Font>>,
    size: f64,
    /// Space after characters, after words, and the distance of lines.
    spaces: (f64, f64, f64),
    /// The width of glyphs, as a part of the usual one.
    stretch: f64,
    /// How far text is above its baseline.
    rise: f64,
    is_invisible: bool,
}

/// Fonts by the number of their object.
type Fonts = HashMap<ObjectIdentifier, Rc<Font>>;

/// What was found on a page so far.
struct Reader<'a> {
    /// The box around all ink: left, low, right, high.
    ink: Option<[f64; 4]>,
    marks: PageMarks,
    fonts: &'a mut Fonts,
}

/// The box around some points: left, low, right, high.
fn around(points: &[Point]) -> Option<[f64; 4]> {
    let (&first, rest) = points.split_first()?;
    let start = [first.0, first.1, first.0, first.1];
    Some(
        rest.iter()
            .fold(start, |[left, low, right, high], (x, y)| [left.min(*x), low.min(*y), right.max(*x), high.max(*y)]),
    )
}

/// The box around two boxes.
fn both([a, b, c, d]: [f64; 4], [e, f, g, h]: [f64; 4]) -> [f64; 4] {
    [a.min(e), b.min(f), c.max(g), d.max(h)]
}

/// The part that two boxes share, if there is one.
fn common([a, b, c, d]: [f64; 4], [e, f, g, h]: [f64; 4]) -> Option<[f64; 4]> {
    let part = [a.max(e), b.max(f), c.min(g), d.min(h)];
    (part[0] <= part[2] && part[1] <= part[3]).then_some(part)
}

/// Keeps the smaller of two values.
fn least(known: &mut Option<f64>, value: f64) {
    *known = Some(known.map_or(value, |known| known.min(value)));
}

/// The ink of a colour: gray, red-green-blue or cyan-magenta-yellow-black. Patterns are full ink.
fn ink_of(colour: &[f64]) -> f64 {
    let ink = match colour {
        [gray] => 1.0 - gray,
        [red, green, blue] => 1.0 - (0.3 * red + 0.6 * green + 0.1 * blue),
        [cyan, magenta, yellow, black] => 0.3 * cyan + 0.6 * magenta + 0.1 * yellow + black,
        _ => 1.0,
    };
    ink.clamp(0.0, 1.0)
}

/// What is drawn on each page of a file.
pub(crate) fn all(file: &Pdf) -> Vec<PageMarks> {
    let mut fonts = Fonts::new();
    file.pages().iter().map(|page| marks(page, &mut fonts)).collect()
}

/// What is drawn on a page. Boxes of PDF are left, low, right, high from the lower left corner; those of [`PageMarks`]
/// are measured from the upper left corner of the trim.
fn marks(page: &Page<'_>, fonts: &mut Fonts) -> PageMarks {
    let rect = |name: &str| {
        let numbers: Vec<f64> =
            page.raw().get::<Array<'_>>(name)?.iter::<Number>().map(|number| number.as_f64()).collect();
        let [a, b, c, d] = numbers[..] else { return None };
        Some([a.min(c), b.min(d), a.max(c), b.max(d)])
    };
    let of = |rect: Rect| [rect.x0, rect.y0, rect.x1, rect.y1];
    let media = of(page.media_box());
    let trim = rect("TrimBox").or_else(|| rect("CropBox")).unwrap_or(media);
    let bleed = rect("BleedBox").filter(|_| rect("TrimBox").is_some()).unwrap_or(media);
    let state = State {
        matrix: IDENTITY,
        width: 1.0,
        inks: (1.0, 1.0),
        clip: Some(media),
        font: None,
        size: 0.0,
        spaces: (0.0, 0.0, 0.0),
        stretch: 1.0,
        rise: 0.0,
        is_invisible: false,
    };
    let mut reader = Reader { ink: None, marks: PageMarks::default(), fonts };
    reader.run(page.page_stream().unwrap_or_default(), page.resources(), state, 0);
    let has_crop_marks = reader.ink.is_some_and(|ink| {
        let outside = |one: f64, other: f64| one < other - 0.5;
        outside(ink[0], bleed[0]) || outside(ink[1], bleed[1]) || outside(bleed[2], ink[2]) || outside(bleed[3], ink[3])
    });
    let ink = reader.ink.map(|[left, low, right, high]| Area {
        x: left - trim[0],
        y: trim[3] - high,
        width: right - left,
        height: high - low,
    });
    let beyond = [trim[0] - bleed[0], bleed[2] - trim[2], bleed[3] - trim[3], trim[1] - bleed[1]];
    PageMarks { size: (trim[2] - trim[0], trim[3] - trim[1]), bleed: beyond, ink, has_crop_marks, ..reader.marks }
}

impl Reader<'_> {
    /// Adds an area that is drawn with an ink. Returns whether anything is seen of it.
    fn draw(&mut self, state: &State, area: Option<[f64; 4]>, ink: f64) -> bool {
        let seen = area.and_then(|area| state.clip.map_or(Some(area), |clip| common(area, clip)));
        let Some(seen) = seen.filter(|_| ink > 0.0) else { return false };
        self.ink = Some(self.ink.map_or(seen, |ink| both(ink, seen)));
        least(&mut self.marks.faint, ink);
        true
    }

    /// Follows the operators of a content stream: those that paint add to what was found, the others change the state.
    /// `first` is the state at the beginning, `depth` the number of forms around the stream. Operators as in ISO
    /// 32000-2, annex A; those that this reader needs not know are passed over.
    fn run(&mut self, content: &[u8], resources: &Resources<'_>, first: State, depth: usize) {
        let mut state = first;
        let mut stack: Vec<State> = Vec::new();
        let mut path: Vec<Point> = Vec::new();
        let (mut line_matrix, mut text_matrix, mut clips) = (IDENTITY, IDENTITY, false);
        let mut operations = UntypedIter::new(content);
        while let Some(operation) = operations.next() {
            let operands: Vec<Object<'_>> = operation.operands().cloned().collect();
            let number =
                |object: &Object<'_>| if let Object::Number(number) = object { Some(number.as_f64()) } else { None };
            let numbers: Vec<f64> = operands.iter().filter_map(number).collect();
            let operator: &[u8] = operation.operator;
            match (operator, numbers.as_slice()) {
                // The state of graphics: matrix, line width, colours of areas (small letters) and of lines.
                (b"q", _) => stack.push(state.clone()),
                (b"Q", _) => state = stack.pop().unwrap_or(state),
                (b"cm", &[a, b, c, d, e, f]) => state.matrix = then([a, b, c, d, e, f], state.matrix),
                (b"w", [width]) => state.width = *width,
                (b"g" | b"rg" | b"k" | b"sc" | b"scn", colour) => state.inks.1 = ink_of(colour),
                (b"G" | b"RG" | b"K" | b"SC" | b"SCN", colour) => state.inks.0 = ink_of(colour),
                (b"cs", _) => state.inks.1 = 1.0,
                (b"CS", _) => state.inks.0 = 1.0,
                // Paths. A curve stays within the box around its control points.
                (b"m" | b"l", &[x, y]) => path.push(apply(state.matrix, (x, y))),
                (b"c", &[a, b, c, d, e, f]) => {
                    path.extend([(a, b), (c, d), (e, f)].map(|point| apply(state.matrix, point)));
                }
                (b"v" | b"y", &[a, b, c, d]) => path.extend([(a, b), (c, d)].map(|point| apply(state.matrix, point))),
                (b"re", &[x, y, wide, high]) => {
                    let corners = [(x, y), (x + wide, y), (x, y + high), (x + wide, y + high)];
                    path.extend(corners.map(|point| apply(state.matrix, point)));
                }
                (b"W" | b"W*", _) => clips = true,
                (b"S" | b"s" | b"f" | b"F" | b"f*" | b"B" | b"B*" | b"b" | b"b*" | b"n", _) => {
                    self.paint(&mut state, operator, &std::mem::take(&mut path), std::mem::take(&mut clips));
                }
                // A shading fills the clip. Then forms and pictures.
                (b"sh", _) => {
                    self.draw(&state, state.clip, 1.0);
                }
                (b"Do", _) => {
                    if let Some(Object::Name(name)) = operands.first() {
                        self.form(name, resources, &state, depth);
                    }
                }
                (b"BI", _) => {
                    self.draw(&state, unit_square(state.matrix), 1.0);
                }
                // Text: font and size, spaces, and where the next line begins.
                (b"BT", _) => (line_matrix, text_matrix) = (IDENTITY, IDENTITY),
                (b"Tf", [size]) => {
                    state.size = *size;
                    if let Some(Object::Name(name)) = operands.first() {
                        state.font = self.font(name, resources);
                    }
                }
                (b"Tc", [space]) => state.spaces.0 = *space,
                (b"Tw", [space]) => state.spaces.1 = *space,
                (b"TL", [leading]) => state.spaces.2 = *leading,
                (b"Tz", [percent]) => state.stretch = percent / 100.0,
                (b"Ts", [rise]) => state.rise = *rise,
                (b"Tr", [mode]) => state.is_invisible = [3.0, 7.0].contains(mode),
                (b"Tm", &[a, b, c, d, e, f]) => {
                    line_matrix = [a, b, c, d, e, f];
                    text_matrix = line_matrix;
                }
                (b"Td" | b"TD", &[x, y]) => {
                    if operator == b"TD" {
                        state.spaces.2 = -y;
                    }
                    line_matrix = then([1.0, 0.0, 0.0, 1.0, x, y], line_matrix);
                    text_matrix = line_matrix;
                }
                (b"T*" | b"'" | b"\"" | b"Tj" | b"TJ", _) => {
                    // All but Tj and TJ begin a new line first.
                    if !operator.starts_with(b"T") || operator == b"T*" {
                        line_matrix = then([1.0, 0.0, 0.0, 1.0, 0.0, -state.spaces.2], line_matrix);
                        text_matrix = line_matrix;
                    }
                    if let (b"\"", &[words, characters]) = (operator, numbers.as_slice()) {
                        (state.spaces.1, state.spaces.0) = (words, characters);
                    }
                    let shown = match operands.last() {
                        Some(Object::Array(array)) => array.iter::<Object<'_>>().collect(),
                        Some(text @ Object::String(_)) => vec![text.clone()],
                        _ => Vec::new(),
                    };
                    self.text(&state, &mut text_matrix, &shown);
                }
                _ => {}
            }
        }
    }

    /// Ends a path with a painting operator: fills it, draws its line, or neither. With `clips`, it becomes part of the
    /// clip. Only the box around it counts.
    fn paint(&mut self, state: &mut State, operator: &[u8], path: &[Point], clips: bool) {
        let area = around(path);
        // All other operators fill the path.
        if operator != b"S" && operator != b"s" && operator != b"n" {
            self.draw(state, area, state.inks.1);
        }
        // These draw it as a line.
        if operator.starts_with(b"S")
            || operator.starts_with(b"s")
            || operator.starts_with(b"B")
            || operator.starts_with(b"b")
        {
            let width = state.width * scale(state.matrix);
            let grown = area.map(|[a, b, c, d]| {
                // Ends of straight lines are cut off where the line ends.
                let (across, up) = if a == c { (width / 2.0, 0.0) } else { (0.0, width / 2.0) };
                let (across, up) = if a != c && b != d { (width / 2.0, width / 2.0) } else { (across, up) };
                [a - across, b - up, c + across, d + up]
            });
            if self.draw(state, grown, state.inks.0) {
                least(&mut self.marks.line, width);
            }
        }
        if clips {
            state.clip = match (area, state.clip) {
                // If nothing is left, the clip is a point.
                (Some(area), Some(clip)) => Some(common(area, clip).unwrap_or([0.0; 4])),
                (area, clip) => area.or(clip),
            };
        }
    }

    /// Draws what `name` stands for in the resources: a picture, or a form, which is a content stream of its own.
    fn form(&mut self, name: &Name<'_>, resources: &Resources<'_>, state: &State, depth: usize) {
        let Some(stream) = resources.get_x_object(name).filter(|_| depth < MOST_DEPTH) else { return };
        let dictionary = stream.dict();
        if dictionary.get::<Name<'_>>("Subtype").is_some_and(|kind| &*kind == b"Image") {
            let side = |name: &str| dictionary.get::<Number>(name).map_or(0.0, |number| number.as_f64());
            let [a, b, c, d, ..] = state.matrix;
            let across = side("Width") * 72.0 / a.hypot(b).max(1e-9);
            let down = side("Height") * 72.0 / c.hypot(d).max(1e-9);
            least(&mut self.marks.dpi, across.min(down));
            self.draw(state, unit_square(state.matrix), 1.0);
            return;
        }
        let Ok(content) = stream.decoded() else { return };
        let numbers = |name: &str| -> Vec<f64> {
            let array = dictionary.get::<Array<'_>>(name);
            array
                .iter()
                .flat_map(|array| array.iter::<Number>().collect::<Vec<_>>())
                .map(|number| number.as_f64())
                .collect()
        };
        let mut inner = state.clone();
        if let [a, b, c, d, e, f] = numbers("Matrix")[..] {
            inner.matrix = then([a, b, c, d, e, f], inner.matrix);
        }
        if let [a, b, c, d] = numbers("BBox")[..] {
            let corners = [(a, b), (c, b), (a, d), (c, d)].map(|point| apply(inner.matrix, point));
            let clip = around(&corners).zip(inner.clip).and_then(|(area, clip)| common(area, clip));
            let Some(clip) = clip else { return };
            inner.clip = Some(clip);
        }
        let own = dictionary.get::<Dict<'_>>("Resources").map(Resources::new);
        self.run(&content, own.as_ref().unwrap_or(resources), inner, depth + 1);
    }

    /// The font that `name` stands for in the resources. None if there is none.
    fn font(&mut self, name: &Name<'_>, resources: &Resources<'_>) -> Option<Rc<Font>> {
        let font = resources.get_font(name)?;
        let Some(id) = font.obj_id() else { return Some(Rc::new(Font::of(&font))) };
        Some(self.fonts.entry(id).or_insert_with(|| Rc::new(Font::of(&font))).clone())
    }

    /// Shows text, and moves `matrix` on behind it. `shown` are strings of codes, and numbers that move the next string
    /// to the left by thousandths of the type size.
    fn text(&mut self, state: &State, matrix: &mut Matrix, shown: &[Object<'_>]) {
        let Some(font) = state.font.clone() else { return };
        let move_on = |matrix: &mut Matrix, by: f64| *matrix = then([1.0, 0.0, 0.0, 1.0, by, 0.0], *matrix);
        for object in shown {
            match object {
                Object::Number(gap) => move_on(matrix, -gap.as_f64() / 1000.0 * state.size * state.stretch),
                Object::String(codes) => {
                    for code in font.codes(codes.as_bytes()) {
                        // From the space of a glyph, in type sizes, to the page.
                        let whole = then(
                            [state.size * state.stretch, 0.0, 0.0, state.size, 0.0, state.rise],
                            then(*matrix, state.matrix),
                        );
                        if let Some([a, b, c, d]) = font.reach(code).filter(|_| !state.is_invisible) {
                            let corners = [(a, b), (c, b), (a, d), (c, d)].map(|point| apply(whole, point));
                            if self.draw(state, around(&corners), state.inks.1) {
                                least(&mut self.marks.type_size, whole[2].hypot(whole[3]));
                            }
                        }
                        let word = if code == 32 && !font.is_composite { state.spaces.1 } else { 0.0 };
                        let by = font.width(code) * state.size + state.spaces.0 + word;
                        move_on(matrix, by * state.stretch);
                    }
                }
                _ => {}
            }
        }
    }
}

/// The place of a picture: pictures fill the square from 0 to 1, which the matrix takes to the page.
fn unit_square(matrix: Matrix) -> Option<[f64; 4]> {
    around(&[(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)].map(|point| apply(matrix, point)))
}
