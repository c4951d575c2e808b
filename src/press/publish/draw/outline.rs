//! Outlines: paths to be painted, and pictures made of them, which are read from SVG files.
//!
//! `usvg` reads the files: it knows styles, transformations and shapes of all kinds, and turns lines into areas.

use usvg::tiny_skia_path::{self, PathSegment};
use usvg::{Group, Node, Paint};

/// A point, in points from the upper left corner.
pub(crate) type Point = (f64, f64);

/// The colour of an item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ink {
    /// From 0 (black) to 1 (white). Printed books use only this.
    Gray(f64),
    /// Red, green and blue, each from 0 to 1. For screens.
    Rgb(f64, f64, f64),
}

/// A piece of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Segment {
    /// Begins a contour.
    Move(Point),
    /// A straight line.
    Line(Point),
    /// A cubic curve: two control points and the end.
    Curve([Point; 3]),
    /// Ends a contour where it began.
    Close,
}

impl Segment {
    /// Its control points and its end.
    pub(crate) fn points(&self) -> &[Point] {
        match self {
            Segment::Move(end) | Segment::Line(end) => std::slice::from_ref(end),
            Segment::Curve(points) => points,
            Segment::Close => &[],
        }
    }

    /// This segment with its points moved.
    pub(crate) fn mapped(&self, point: impl Fn(Point) -> Point) -> Segment {
        match *self {
            Segment::Move(end) => Segment::Move(point(end)),
            Segment::Line(end) => Segment::Line(point(end)),
            Segment::Curve(points) => Segment::Curve(points.map(point)),
            Segment::Close => Segment::Close,
        }
    }
}

/// What a path covers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cover {
    /// Its inside, by the rule "nonzero".
    Inside,
    /// Its inside, by the rule "even-odd".
    EvenOdd,
    /// A line of a thickness along it.
    Line(f64),
}

/// A path to be painted.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Path {
    pub segments: Vec<Segment>,
    pub ink: Ink,
    pub cover: Cover,
}

/// A picture: filled paths, lowest first, around 0, 0. Its longer side is 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture(Vec<Path>);

impl Picture {
    /// Reads an SVG file.
    ///
    /// # Errors
    /// It is not SVG, it has nothing to draw, or something besides areas and lines of one colour.
    pub fn read(data: &[u8]) -> Result<Picture, String> {
        let tree = usvg::Tree::from_data(data, &usvg::Options::default()).map_err(|error| error.to_string())?;
        let mut paths = Vec::new();
        collect(tree.root(), &mut paths)?;
        let points = || paths.iter().flat_map(|path: &Path| &path.segments).flat_map(|segment| segment.points());
        let span = |along: fn(&Point) -> f64| {
            let ends = points()
                .map(along)
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)));
            ((ends.0 + ends.1) / 2.0, ends.1 - ends.0)
        };
        let ((x, width), (y, height)) = (span(|point| point.0), span(|point| point.1));
        let side = width.max(height);
        if !(side.is_finite() && side > 0.0) {
            return Err("nothing is drawn in it".to_owned());
        }
        let placed = |point: Point| ((point.0 - x) / side, (point.1 - y) / side);
        for path in &mut paths {
            path.segments.iter_mut().for_each(|segment| *segment = segment.mapped(placed));
        }
        Ok(Picture(paths))
    }

    /// Its paths around a point, with a longer side of a length. A negative one turns it upside down.
    pub(crate) fn paths(&self, (x, y): Point, side: f64) -> impl Iterator<Item = Path> {
        self.0.iter().map(move |path| {
            let placed = path.segments.iter().map(|segment| segment.mapped(|at| (x + at.0 * side, y + at.1 * side)));
            Path { segments: placed.collect(), ..*path }
        })
    }
}

/// Adds the paths of a group of an SVG file. An error if something in it is not printed.
fn collect(group: &Group, paths: &mut Vec<Path>) -> Result<(), String> {
    let plain = group.clip_path().is_none() && group.mask().is_none() && group.filters().is_empty();
    if !plain || group.opacity().get() < 1.0 {
        return Err("it has transparency, masks or filters: only areas and lines of one colour are printed".to_owned());
    }
    for node in group.children() {
        match node {
            Node::Group(inner) => collect(inner, paths)?,
            Node::Path(path) if path.is_visible() => {
                let to_page = |data: &tiny_skia_path::Path| data.clone().transform(path.abs_transform());
                if let Some(fill) = path.fill() {
                    let cover = if fill.rule() == usvg::FillRule::EvenOdd { Cover::EvenOdd } else { Cover::Inside };
                    let ink = ink(fill.paint(), fill.opacity())?;
                    paths.extend(to_page(path.data()).map(|data| Path { segments: segments(&data), ink, cover }));
                }
                if let Some(stroke) = path.stroke() {
                    let ink = ink(stroke.paint(), stroke.opacity())?;
                    let style = stroke.to_tiny_skia();
                    // A line becomes an area: first the dashes, then their edges.
                    let dashed = style.dash.as_ref().and_then(|dash| path.data().dash(dash, 1.0));
                    let line = dashed.as_ref().unwrap_or(path.data()).stroke(&style, FINE);
                    let line = line.as_ref().and_then(to_page);
                    paths.extend(line.map(|data| Path { segments: segments(&data), ink, cover: Cover::Inside }));
                }
            }
            Node::Path(_) => {}
            Node::Image(_) => {
                return Err("it has a picture of pixels: only areas and lines of one colour are printed".to_owned());
            }
            Node::Text(_) => return Err("it has text: turn it into outlines".to_owned()),
        }
    }
    Ok(())
}

/// How much finer than a unit of the file the edges of lines are.
const FINE: f32 = 20.0;

/// The ink of a paint. An error for what is not printed.
fn ink(paint: &Paint, opacity: usvg::Opacity) -> Result<Ink, String> {
    match paint {
        Paint::Color(colour) if opacity.get() >= 1.0 => {
            let part = |byte: u8| f64::from(byte) / 255.0;
            let (red, green, blue) = (part(colour.red), part(colour.green), part(colour.blue));
            Ok(if red == green && green == blue { Ink::Gray(red) } else { Ink::Rgb(red, green, blue) })
        }
        Paint::Color(_) => Err("a colour in it is transparent".to_owned()),
        _ => Err("it has gradients or patterns: only areas and lines of one colour are printed".to_owned()),
    }
}

/// The pieces of a path, with curves of second order as cubic ones.
fn segments(path: &tiny_skia_path::Path) -> Vec<Segment> {
    let point = |point: tiny_skia_path::Point| (f64::from(point.x), f64::from(point.y));
    let mut at = (0.0, 0.0);
    let segment = |segment| {
        let found = match segment {
            PathSegment::MoveTo(to) => Segment::Move(point(to)),
            PathSegment::LineTo(to) => Segment::Line(point(to)),
            PathSegment::QuadTo(control, to) => quadratic(at, point(control), point(to)),
            PathSegment::CubicTo(one, other, to) => Segment::Curve([point(one), point(other), point(to)]),
            PathSegment::Close => Segment::Close,
        };
        at = found.points().last().copied().unwrap_or(at);
        found
    };
    path.segments().map(segment).collect()
}

/// The cubic curve with the same course as a quadratic one.
pub(crate) fn quadratic(from: Point, control: Point, to: Point) -> Segment {
    let third = |end: f64, control: f64| end + (control - end) * 2.0 / 3.0;
    let near = |end: Point| (third(end.0, control.0), third(end.1, control.1));
    Segment::Curve([near(from), near(to), to])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(inside: &str) -> Result<Picture, String> {
        Picture::read(format!("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 20'>{inside}</svg>").as_bytes())
    }

    /// The box around all points.
    fn bounds(paths: &[Path]) -> [f64; 4] {
        let points: Vec<Point> =
            paths.iter().flat_map(|path| &path.segments).flat_map(|segment| segment.points().to_vec()).collect();
        let fold = |along: fn(&Point) -> f64, pick: fn(f64, f64) -> f64| points.iter().map(along).reduce(pick).unwrap();
        [fold(|p| p.0, f64::min), fold(|p| p.1, f64::min), fold(|p| p.0, f64::max), fold(|p| p.1, f64::max)]
    }

    #[test]
    fn pictures_are_centred_and_as_large_as_their_place() {
        let found =
            picture("<g transform='rotate(90)'><rect x='2' y='-9' width='8' height='4' fill='#ff0000'/></g>").unwrap();
        let paths: Vec<Path> = found.paths((100.0, 50.0), 10.0).collect();
        assert_eq!((paths.len(), paths[0].ink), (1, Ink::Rgb(1.0, 0.0, 0.0)));
        let near = bounds(&paths).iter().zip([97.5, 45.0, 102.5, 55.0]).all(|(one, other)| (one - other).abs() < 1e-3);
        assert!(near, "{:?}", bounds(&paths));
        // A line covers its thickness; the inner circle of a ring stays empty.
        let line = picture("<path d='M0 5H10' stroke='black' stroke-width='2'/>").unwrap();
        let [x, y, right, bottom] = bounds(&line.paths((0.0, 0.0), 10.0).collect::<Vec<_>>());
        assert!((right - x - 10.0).abs() < 1e-3 && (bottom - y - 2.0).abs() < 1e-3);
        let ring = picture("<path fill-rule='evenodd' d='M0 0H9V9H0ZM3 3H6V6H3Z'/>").unwrap();
        assert_eq!(ring.paths((0.0, 0.0), 1.0).next().unwrap().cover, Cover::EvenOdd);
    }

    #[test]
    fn what_cannot_be_printed_is_refused_with_the_reason() {
        for (inside, reason) in [
            ("", "nothing is drawn"),
            ("<rect width='5' height='5' opacity='0.5'/>", "transparen"),
            ("<rect width='5' height='5' fill-opacity='0.5'/>", "transparen"),
            (
                "<linearGradient id='g'><stop offset='0' stop-color='red'/><stop offset='1' stop-color='blue'/></linearGradient>\
              <rect width='5' height='5' fill='url(#g)'/>",
                "gradients",
            ),
        ] {
            let error = picture(inside).unwrap_err();
            assert!(error.contains(reason), "{inside}: {error}");
        }
        assert!(Picture::read(b"GIF89a").is_err());
    }
}
