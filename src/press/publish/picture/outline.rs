//! Items as paths: glyphs become outlines, circles become curves, and rotations are applied.

use ttf_parser::{GlyphId, OutlineBuilder};

use super::Drawing;
use crate::publish::book::canvas::{Ink, Item};
use crate::publish::book::typeface::Typeface;

/// A piece of a path, in points from the upper left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Segment {
    /// Begins a contour.
    Move(f64, f64),
    /// A straight line.
    Line(f64, f64),
    /// A cubic curve: two control points and the end.
    Curve([f64; 6]),
    /// Ends a contour where it began.
    Close,
}

/// A path to be painted.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Its pieces.
    pub segments: Vec<Segment>,
    /// Its colour.
    pub ink: Ink,
    /// Thickness of its line; None to fill it (by the "nonzero" rule).
    pub line: Option<f64>,
}

/// The paths of a drawing, lowest first.
pub fn paths(typeface: &Typeface, drawing: &Drawing) -> Vec<Path> {
    let mut paths = Vec::new();
    if drawing.background {
        let (width, height) = (drawing.width, drawing.height);
        let corners = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)];
        paths.push(Path { segments: polygon(&corners), ink: Ink::Gray(1.0), line: None });
    }
    let mut writer = Writer { typeface, paths, turned: None };
    drawing.items.iter().for_each(|item| writer.item(item, Ink::Gray(0.0)));
    writer.paths
}

struct Writer<'a> {
    typeface: &'a Typeface,
    paths: Vec<Path>,
    turned: Option<(f64, f64)>,
}

fn polygon(points: &[(f64, f64)]) -> Vec<Segment> {
    let mut segments = Vec::with_capacity(points.len() + 1);
    for (at, &(x, y)) in points.iter().enumerate() {
        segments.push(if at == 0 { Segment::Move(x, y) } else { Segment::Line(x, y) });
    }
    segments.push(Segment::Close);
    segments
}

impl Writer<'_> {
    fn push(&mut self, segments: Vec<Segment>, ink: Ink, line: Option<f64>) {
        let segments = match self.turned {
            None => segments,
            Some((x, y)) => segments.into_iter().map(|segment| turned(segment, 2.0 * x, 2.0 * y)).collect(),
        };
        self.paths.push(Path { segments, ink, line });
    }

    fn item(&mut self, item: &Item, ink: Ink) {
        match item {
            Item::Text { weight, size, glyphs } => {
                let cut = self.typeface.cut(*weight);
                let mut outline =
                    Outline { segments: Vec::new(), x: 0.0, y: 0.0, scale: size / cut.units(), at: (0.0, 0.0) };
                for glyph in glyphs {
                    (outline.x, outline.y) = (glyph.x, glyph.y);
                    cut.face.outline_glyph(GlyphId(glyph.id), &mut outline);
                }
                self.push(outline.segments, ink, None);
            }
            Item::Line { from, to, width } => {
                self.push(vec![Segment::Move(from.0, from.1), Segment::Line(to.0, to.1)], ink, Some(*width));
            }
            Item::Frame { area, width } => {
                let corners =
                    [(area.x, area.y), (area.right(), area.y), (area.right(), area.bottom()), (area.x, area.bottom())];
                self.push(polygon(&corners), ink, Some(*width));
            }
            Item::Fill(points) => self.push(polygon(points), ink, None),
            Item::Circle { centre, radius, width } => self.push(circle(*centre, *radius), ink, Some(*width)),
            Item::Inked(ink, item) => self.item(item, *ink),
            Item::Turned(centre, items) => {
                let before = self.turned.replace(*centre);
                items.iter().for_each(|item| self.item(item, ink));
                self.turned = before;
            }
        }
    }
}

fn turned(segment: Segment, x: f64, y: f64) -> Segment {
    match segment {
        Segment::Move(a, b) => Segment::Move(x - a, y - b),
        Segment::Line(a, b) => Segment::Line(x - a, y - b),
        Segment::Curve([a, b, c, d, e, f]) => Segment::Curve([x - a, y - b, x - c, y - d, x - e, y - f]),
        Segment::Close => Segment::Close,
    }
}

/// A circle of four curves.
fn circle((x, y): (f64, f64), radius: f64) -> Vec<Segment> {
    // The distance of control points that brings the curves closest to a circle.
    let control = radius * 4.0 / 3.0 * (std::f64::consts::SQRT_2 - 1.0);
    let mut segments = vec![Segment::Move(x + radius, y)];
    for (across, down) in [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)] {
        let next: (f64, f64) = (-down, across);
        segments.push(Segment::Curve([
            x + radius * across + control * next.0,
            y + radius * down + control * next.1,
            x + radius * next.0 + control * across,
            y + radius * next.1 + control * down,
            x + radius * next.0,
            y + radius * next.1,
        ]));
    }
    segments.push(Segment::Close);
    segments
}

/// Collects the outline of a glyph at its place.
struct Outline {
    segments: Vec<Segment>,
    x: f64,
    y: f64,
    scale: f64,
    /// The end of the last segment.
    at: (f64, f64),
}

impl Outline {
    fn point(&self, x: f32, y: f32) -> (f64, f64) {
        (self.x + f64::from(x) * self.scale, self.y - f64::from(y) * self.scale)
    }
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.at = self.point(x, y);
        self.segments.push(Segment::Move(self.at.0, self.at.1));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.at = self.point(x, y);
        self.segments.push(Segment::Line(self.at.0, self.at.1));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        // The cubic curve with the same course.
        let ((fx, fy), (cx, cy), (tx, ty)) = (self.at, self.point(x1, y1), self.point(x, y));
        let third = |end: f64, control: f64| end + (control - end) * 2.0 / 3.0;
        self.at = (tx, ty);
        self.segments.push(Segment::Curve([third(fx, cx), third(fy, cy), third(tx, cx), third(ty, cy), tx, ty]));
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((ax, ay), (bx, by), to) = (self.point(x1, y1), self.point(x2, y2), self.point(x, y));
        self.at = to;
        self.segments.push(Segment::Curve([ax, ay, bx, by, to.0, to.1]));
    }

    fn close(&mut self) {
        self.segments.push(Segment::Close);
    }
}
