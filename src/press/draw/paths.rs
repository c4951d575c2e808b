//! Turns items into paths: glyphs become outlines, circles become curves.

use pdf_writer::Content;
use ttf_parser::{GlyphId, OutlineBuilder};

use crate::draw::canvas::Item;
use crate::draw::encoding::rounded;
use crate::draw::outline::{Ink, Path, PathCover, Point, Segment, quadratic};
use crate::draw::text::typeface::{Typeface, Weight};

/// The paths of an item that is drawn in an ink.
pub(crate) fn paths_of(typeface: &Typeface, item: &Item, ink: Ink) -> Vec<Path> {
    let (segments, cover) = match item {
        Item::Inked(ink, item) => return paths_of(typeface, item, *ink),
        Item::Picture { picture, centre, side } => return picture.paths(*centre, *side).collect(),
        Item::Text { weight, size, glyphs, is_turned } => {
            // A negative size turns outlines upside down.
            let size = if *is_turned { -size } else { *size };
            let outlines =
                glyphs.iter().flat_map(|glyph| outline(typeface, *weight, glyph.id, size, (glyph.x, glyph.y)));
            (outlines.collect(), PathCover::Inside)
        }
        shape => shape_of(shape),
    };
    vec![Path { segments, ink, cover }]
}

/// The outline of a glyph in a type size, from its origin on.
pub(crate) fn outline(typeface: &Typeface, weight: Weight, id: u16, size: f64, origin: Point) -> Vec<Segment> {
    let cut = typeface.cut(weight);
    let mut outline = Outline { segments: Vec::new(), origin, scale: size / cut.units, pen: (0.0, 0.0) };
    cut.face.outline_glyph(GlyphId(id), &mut outline);
    outline.segments
}

/// The path of an item that is neither text nor a picture, and what it covers.
pub(crate) fn shape_of(item: &Item) -> (Vec<Segment>, PathCover) {
    match item {
        Item::Line { from, to, width } => (vec![Segment::Move(*from), Segment::Line(*to)], PathCover::Line(*width)),
        Item::Frame { area, width } => (polygon(&area.corners()), PathCover::Line(*width)),
        Item::Fill(points) => (polygon(points), PathCover::Inside),
        Item::Circle { centre, radius, width } => (circle(*centre, *radius), PathCover::Line(*width)),
        Item::Inked(_, item) => shape_of(item),
        Item::Text { .. } | Item::Picture { .. } => (Vec::new(), PathCover::Inside),
    }
}

/// Sets the ink of all that follows in a PDF.
pub(crate) fn set_ink(content: &mut Content, ink: Ink) {
    match ink {
        Ink::Gray(gray) => content.set_fill_gray(rounded(gray)).set_stroke_gray(rounded(gray)),
        Ink::Rgb(red, green, blue) => {
            let [red, green, blue] = [red, green, blue].map(rounded);
            content.set_fill_rgb(red, green, blue).set_stroke_rgb(red, green, blue)
        }
    };
}

/// Draws a path into a PDF: `point` returns its points in the units of the page.
pub(crate) fn draw(content: &mut Content, segments: &[Segment], cover: PathCover, point: impl Fn(Point) -> (f32, f32)) {
    for segment in segments {
        match segment.points().iter().map(|&corner| point(corner)).collect::<Vec<_>>()[..] {
            [(x, y)] if matches!(segment, Segment::Move(_)) => content.move_to(x, y),
            [(x, y)] => content.line_to(x, y),
            [(a, b), (c, d), (e, f)] => content.cubic_to(a, b, c, d, e, f),
            _ => content.close_path(),
        };
    }
    match cover {
        PathCover::Line(_) => content.stroke(),
        PathCover::Inside => content.fill_nonzero(),
        PathCover::EvenOdd => content.fill_even_odd(),
    };
}

/// A closed path through some points.
fn polygon(points: &[Point]) -> Vec<Segment> {
    let mut segments = Vec::new();
    for (number, &point) in points.iter().enumerate() {
        segments.push(if number == 0 { Segment::Move(point) } else { Segment::Line(point) });
    }
    segments.push(Segment::Close);
    segments
}

fn circle((x, y): Point, radius: f64) -> Vec<Segment> {
    // The distance of control points that brings the curves closest to a circle.
    let control = radius * 4.0 / 3.0 * (std::f64::consts::SQRT_2 - 1.0);
    let mut segments = vec![Segment::Move((x + radius, y))];
    // The directions from the middle to the beginning of each quarter; the quarter ends a right angle further.
    for (across, down) in [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)] {
        let (next_across, next_down): (f64, f64) = (-down, across);
        segments.push(Segment::Curve([
            (x + radius * across + control * next_across, y + radius * down + control * next_down),
            (x + radius * next_across + control * across, y + radius * next_down + control * down),
            (x + radius * next_across, y + radius * next_down),
        ]));
    }
    segments.push(Segment::Close);
    segments
}

/// Collects the outline of a glyph at its place.
struct Outline {
    segments: Vec<Segment>,
    origin: Point,
    scale: f64,
    /// The end of the last segment.
    pen: Point,
}

impl Outline {
    fn point(&self, x: f32, y: f32) -> Point {
        (self.origin.0 + f64::from(x) * self.scale, self.origin.1 - f64::from(y) * self.scale)
    }
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.pen = self.point(x, y);
        self.segments.push(Segment::Move(self.pen));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.pen = self.point(x, y);
        self.segments.push(Segment::Line(self.pen));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (start, control, end) = (self.pen, self.point(x1, y1), self.point(x, y));
        self.pen = end;
        self.segments.push(quadratic(start, control, end));
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.pen = self.point(x, y);
        self.segments.push(Segment::Curve([self.point(x1, y1), self.point(x2, y2), self.pen]));
    }

    fn close(&mut self) {
        self.segments.push(Segment::Close);
    }
}
