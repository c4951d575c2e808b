//! Outlines: paths to be painted, and pictures made of them, which are read from SVG files.
//!
//! `usvg` reads the files: it knows styles, transformations and shapes of all kinds, and turns lines into areas.

use quick_xml::events::Event;
use usvg::roxmltree::{Document, ParsingOptions};
use usvg::tiny_skia_path::{self, PathSegment};
use usvg::{Group, Node, Paint};
use zeno::{Command, Fill, Mask, Origin, Placement, Stroke, Transform};

use crate::draw::measures::Size;

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

impl Ink {
    /// How it prints in black ink, from 0 (black) to 1 (white): as bright as the colour is to the eye.
    pub(crate) fn gray(self) -> f64 {
        match self {
            Ink::Gray(gray) => gray,
            Ink::Rgb(red, green, blue) => 0.3 * red + 0.6 * green + 0.1 * blue,
        }
    }
}

/// A piece of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Segment {
    /// Begins a contour.
    Move(Point),
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
pub(crate) enum PathCover {
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
    pub cover: PathCover,
}

impl Path {
    /// Passes on each pixel of a picture of a width and a height that is covered: its index, row by row, and how far it
    /// is covered, from 1 to 255. `scale` is the number of pixels for each point.
    pub(crate) fn each_covered(&self, scale: f32, width: usize, height: usize, mut take: impl FnMut(usize, u8)) {
        let (cover, rectangle) = self.covered(scale);
        for (row, line) in cover.chunks(rectangle.width.max(1) as usize).enumerate() {
            let y = i64::from(rectangle.top) + row as i64;
            for (column, &cover) in line.iter().enumerate() {
                let x = i64::from(rectangle.left) + column as i64;
                if cover > 0 && (0..width as i64).contains(&x) && (0..height as i64).contains(&y) {
                    take(y as usize * width + x as usize, cover);
                }
            }
        }
    }

    /// How far each pixel of a rectangle is covered, row by row from 0 to 255, and where the rectangle is.
    fn covered(&self, scale: f32) -> (Vec<u8>, Placement) {
        let point = |&(x, y): &Point| [x as f32, y as f32].into();
        let commands = self.segments.iter().map(|segment| match segment {
            Segment::Move(to) => Command::MoveTo(point(to)),
            Segment::Line(to) => Command::LineTo(point(to)),
            Segment::Curve([a, b, to]) => Command::CurveTo(point(a), point(b), point(to)),
            Segment::Close => Command::Close,
        });
        let commands: Vec<Command> = commands.collect();
        let mut mask = Mask::new(commands.as_slice());
        mask.origin(Origin::TopLeft).transform(Some(Transform::scale(scale, scale)));
        match self.cover {
            PathCover::Line(width) => mask.style(Stroke::new(width as f32)),
            PathCover::EvenOdd => mask.style(Fill::EvenOdd),
            PathCover::Inside => mask.style(Fill::NonZero),
        };
        mask.render()
    }
}

/// A picture: filled paths, lowest first, around 0, 0. Its longer side is 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture(Vec<Path>);

impl Picture {
    /// Reads an SVG file.
    ///
    /// # Errors
    /// It is not SVG, it is too large, it has nothing to draw, or something besides areas and lines of one colour.
    pub fn read(data: &[u8]) -> Result<Picture, String> {
        let text = checked(data)?;
        // Texts and comments between elements are nodes, too.
        let nodes_limit = 5 * MOST_ELEMENTS as u32;
        let options = ParsingOptions { allow_dtd: true, nodes_limit, ..ParsingOptions::default() };
        let document = Document::parse_with_options(text, options).map_err(|error| {
            let place = error.pos();
            format!("it is no SVG drawing: line {}, character {}", place.row, place.col)
        })?;
        if document.descendants().any(|node| node.is_element() && node.tag_name().name() == "text") {
            return Err("it has text: turn it into outlines".to_owned());
        }
        let tree = usvg::Tree::from_xmltree(&document, &usvg::Options::default())
            .map_err(|_| "it is no SVG drawing with a width and a height above 0".to_owned())?;
        let mut paths = Vec::new();
        collect(tree.root(), &mut paths)?;
        if paths.iter().map(|path| path.segments.len()).sum::<usize>() > MOST_SEGMENTS {
            return Err(format!("it has more than {MOST_SEGMENTS} pieces of lines: make it simpler"));
        }
        let (mut left, mut right) = (f64::INFINITY, f64::NEG_INFINITY);
        let (mut top, mut bottom) = (f64::INFINITY, f64::NEG_INFINITY);
        for &(x, y) in points_of(&paths) {
            (left, right) = (left.min(x), right.max(x));
            (top, bottom) = (top.min(y), bottom.max(y));
        }
        let (middle_x, middle_y) = ((left + right) / 2.0, (top + bottom) / 2.0);
        let side = (right - left).max(bottom - top);
        if !(side.is_finite() && side > 0.0) {
            return Err("nothing is drawn in it".to_owned());
        }
        for segment in paths.iter_mut().flat_map(|path| &mut path.segments) {
            *segment = segment.mapped(|(x, y)| ((x - middle_x) / side, (y - middle_y) / side));
        }
        Ok(Picture(paths))
    }

    /// The longer side is 1.
    pub(crate) fn size(&self) -> Size {
        let (mut right, mut bottom) = (0.0f64, 0.0f64);
        for &(x, y) in points_of(&self.0) {
            (right, bottom) = (right.max(x), bottom.max(y));
        }
        // The middle is at 0, 0.
        Size { width: 2.0 * right, height: 2.0 * bottom }
    }

    /// The ink of each point of a square of [`Inks::SIDE`] points around it: as it prints, in gray, or in colours.
    fn look(&self, is_coloured: bool) -> Inks {
        let side = Inks::SIDE as f64;
        let mut inks = vec![[0.0; 3]; Inks::SIDE * Inks::SIDE];
        for path in self.paths((side / 2.0, side / 2.0), side - 2.0) {
            let ink = match path.ink {
                Ink::Gray(gray) => [1.0 - gray; 3],
                Ink::Rgb(red, green, blue) if is_coloured => [1.0 - red, 1.0 - green, 1.0 - blue],
                colour => [1.0 - colour.gray(); 3],
            };
            path.each_covered(1.0, Inks::SIDE, Inks::SIDE, |pixel, cover| {
                let part = f64::from(cover) / 255.0;
                for (channel, ink) in inks[pixel].iter_mut().zip(ink) {
                    *channel += (ink - *channel) * part;
                }
            });
        }
        Inks(inks)
    }

    /// True if a part of it has a tenth of the ink of black, so that it is seen.
    pub(crate) fn is_seen(&self) -> bool {
        self.look(false).0.iter().any(|[ink, ..]| *ink >= 0.1)
    }

    /// True if nobody can tell two pictures apart: their inks differ by less than a tenth.
    pub(crate) fn is_like(&self, other: &Picture, is_coloured: bool) -> bool {
        let (inks, other_inks) = (self.look(is_coloured), other.look(is_coloured));
        let pairs = inks.channels().zip(other_inks.channels());
        let difference: f64 = pairs.map(|(ink, other_ink)| (ink - other_ink).abs()).sum();
        let most = inks.channels().sum::<f64>().max(other_inks.channels().sum());
        difference < most * 0.1
    }

    /// Its paths around a point, with a longer side of a length. A negative one turns it upside down.
    pub(crate) fn paths(&self, (x, y): Point, side: f64) -> impl Iterator<Item = Path> {
        self.0.iter().map(move |path| {
            let placed = |segment: &Segment| segment.mapped(|(right, down)| (x + right * side, y + down * side));
            Path { segments: path.segments.iter().map(placed).collect(), ..*path }
        })
    }
}

fn points_of(paths: &[Path]) -> impl Iterator<Item = &Point> {
    paths.iter().flat_map(|path| &path.segments).flat_map(Segment::points)
}

/// The most bytes of a file.
const MOST_BYTES: usize = 1_000_000;
/// The most elements of a file.
const MOST_ELEMENTS: usize = 20_000;
/// The most attributes of an element.
const MOST_ATTRIBUTES: usize = 200;
/// The most segments of all paths together.
const MOST_SEGMENTS: usize = 100_000;

/// The text of an SVG file. The time that readers of XML and SVG take may grow with the square of its elements and
/// attributes, so these are counted first.
fn checked(data: &[u8]) -> Result<&str, String> {
    let too_large = |most: usize, what: &str| Err(format!("it has more than {most} {what}: make it simpler"));
    if data.len() > MOST_BYTES {
        return too_large(MOST_BYTES, "bytes");
    }
    let text = std::str::from_utf8(data).map_err(|_| "it is no SVG file in UTF-8".to_owned())?;
    let mut reader = quick_xml::Reader::from_str(text);
    let mut elements = 0;
    loop {
        match reader.read_event() {
            Ok(Event::Start(element) | Event::Empty(element)) => {
                elements += 1;
                if elements > MOST_ELEMENTS {
                    return too_large(MOST_ELEMENTS, "elements");
                }
                if element.attributes().with_checks(false).take(MOST_ATTRIBUTES + 1).count() > MOST_ATTRIBUTES {
                    return too_large(MOST_ATTRIBUTES, "attributes in one element");
                }
            }
            // The reader of SVG says what is wrong.
            Ok(Event::Eof) | Err(_) => return Ok(text),
            Ok(_) => {}
        }
    }
}

/// The ink of each point of a square: three channels from 0 (white) to 1.
struct Inks(Vec<[f64; 3]>);

impl Inks {
    const SIDE: usize = 32;

    fn channels(&self) -> impl Iterator<Item = f64> {
        self.0.iter().flatten().copied()
    }
}

/// Adds the paths of a group of an SVG file. An error if something in it is not printed.
fn collect(group: &Group, paths: &mut Vec<Path>) -> Result<(), String> {
    let has_effects = group.clip_path().is_some() || group.mask().is_some() || !group.filters().is_empty();
    if has_effects || group.opacity().get() < 1.0 {
        return Err("it has transparency, masks or filters: only areas and lines of one color are printed".to_owned());
    }
    for node in group.children() {
        match node {
            Node::Group(inner) => collect(inner, paths)?,
            Node::Path(path) if path.is_visible() => {
                let to_page = |data: &tiny_skia_path::Path| data.clone().transform(path.abs_transform());
                if let Some(fill) = path.fill() {
                    let cover =
                        if fill.rule() == usvg::FillRule::EvenOdd { PathCover::EvenOdd } else { PathCover::Inside };
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
                    paths.extend(line.map(|data| Path { segments: segments(&data), ink, cover: PathCover::Inside }));
                }
            }
            Node::Path(_) => {}
            Node::Image(_) => {
                return Err("it has a picture of pixels: only areas and lines of one color are printed".to_owned());
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
        Paint::Color(_) => Err("a color in it is transparent".to_owned()),
        _ => Err("it has gradients or patterns: only areas and lines of one color are printed".to_owned()),
    }
}

/// The pieces of a path, with curves of second order as cubic ones.
fn segments(path: &tiny_skia_path::Path) -> Vec<Segment> {
    let point = |point: tiny_skia_path::Point| (f64::from(point.x), f64::from(point.y));
    // The end of the last segment.
    let mut pen = (0.0, 0.0);
    let mut segments = Vec::new();
    for segment in path.segments() {
        let segment = match segment {
            PathSegment::MoveTo(end) => Segment::Move(point(end)),
            PathSegment::LineTo(end) => Segment::Line(point(end)),
            PathSegment::QuadTo(control, end) => quadratic(pen, point(control), point(end)),
            PathSegment::CubicTo(control, control_2, end) => {
                Segment::Curve([point(control), point(control_2), point(end)])
            }
            PathSegment::Close => Segment::Close,
        };
        if let Some(end) = segment.points().last() {
            pen = *end;
        }
        segments.push(segment);
    }
    segments
}

/// The cubic curve with the same course as a quadratic one. Its control points lie two thirds of the way from each end
/// to the control point of the quadratic curve.
pub(crate) fn quadratic(start: Point, control: Point, end: Point) -> Segment {
    let (control_x, control_y) = control;
    let two_thirds = |(x, y): Point| (x + (control_x - x) * 2.0 / 3.0, y + (control_y - y) * 2.0 / 3.0);
    Segment::Curve([two_thirds(start), two_thirds(end), end])
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
        assert_eq!(ring.paths((0.0, 0.0), 1.0).next().unwrap().cover, PathCover::EvenOdd);
    }

    #[test]
    fn what_cannot_be_printed_is_refused_with_the_reason() {
        for (inside, reason) in [
            ("", "nothing is drawn"),
            ("<rect width='30' height='5'/><text y='9'>A</text>", "it has text"),
            ("<text y='9'><tspan>A</tspan></text>", "it has text"),
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
        let attributes: String = (0..20_000).map(|number| format!(" a{number}='1'")).collect();
        assert!(picture(&format!("<rect width='5' height='5'{attributes}/>")).unwrap_err().contains("200 attributes"));
        assert!(picture(&"<g/>".repeat(30_000)).unwrap_err().contains("20000 elements"));
        let line = format!("<path d='M0 0{}'/>", "L9 9 9 0".repeat(60_000));
        assert!(picture(&line).unwrap_err().contains("100000 pieces"));
    }
}
