//! Writes drawings as SVG and PDF. Each file is self-contained: it needs no fonts and no links. Only `live_svg`
//! names a typeface instead of drawing its outlines.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use pdf_writer::{Content, Filter, Finish as _, Pdf, Rect, Ref};

use crate::draw::canvas::Item;
use crate::draw::encoding::{compress, rounded};
use crate::draw::measures::MILLIMETRE;
use crate::draw::outline::{Ink, Path, PathCover, Segment};
use crate::draw::paths::{draw, outline, paths_of, set_ink};
use crate::draw::text::typeface::{Glyph, Typeface, Weight};
use crate::picture::drawing::Drawing;
use crate::picture::raster::bytes_of;

/// A number with at most three decimals, as short as possible.
fn short(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn numbers(segment: &Segment) -> String {
    let numbers = segment.points().iter().flat_map(|&(x, y)| [short(x), short(y)]);
    numbers.collect::<Vec<_>>().join(" ")
}

fn push(text: &mut String, what: std::fmt::Arguments<'_>) {
    let written = text.write_fmt(what);
    debug_assert!(written.is_ok(), "writing to a string does not fail");
}

fn hexadecimal(ink: Ink) -> String {
    let [red, green, blue] = bytes_of(ink);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// A drawing as SVG 1.1: paths only, its size in millimetres.
pub fn svg(typeface: &Typeface, drawing: &Drawing) -> String {
    DECLARATION.to_owned() + &svg_element(typeface, drawing)
}

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// The element of [`svg`] alone.
pub(crate) fn svg_element(typeface: &Typeface, drawing: &Drawing) -> String {
    Element::written(typeface, drawing, "", Letters::Outlines)
}

/// A drawing as SVG whose texts are texts, which layout programs can edit, in the typeface by its name.
pub(crate) fn live_svg(typeface: &Typeface, drawing: &Drawing) -> String {
    DECLARATION.to_owned() + &live_element(typeface, drawing)
}

/// The element of [`live_svg`] alone.
pub(crate) fn live_element(typeface: &Typeface, drawing: &Drawing) -> String {
    Element::written(typeface, drawing, "", Letters::Texts)
}

/// The numbers of weights on pages of the web.
pub(crate) const WEIGHTS: [u16; 3] = [400, 500, 600];

/// How the texts of a drawing are written.
enum Letters<'a> {
    /// As paths.
    Outlines,
    /// As texts in the typeface by its name.
    Texts,
    /// As references to outlines that stand elsewhere on the page; these glyphs are used.
    References(&'a mut BTreeSet<(Weight, u16)>),
}

struct Element<'a> {
    typeface: &'a Typeface,
    letters: Letters<'a>,
    text: String,
}

impl Element<'_> {
    /// The element of a drawing, with more attributes.
    fn written(typeface: &Typeface, drawing: &Drawing, attributes: &str, letters: Letters<'_>) -> String {
        let text = format!("{}>\n", opening(drawing, attributes));
        let mut element = Element { typeface, letters, text };
        drawing.background().iter().for_each(|path| push_path(&mut element.text, path));
        drawing.items.iter().for_each(|item| element.push(item, Ink::Gray(0.0)));
        element.text + "</svg>\n"
    }

    /// Appends an item that is drawn in an ink.
    fn push(&mut self, item: &Item, ink: Ink) {
        match (item, &mut self.letters) {
            (Item::Inked(ink, item), _) => self.push(item, *ink),
            (Item::Text { weight, size, glyphs, is_turned: false }, Letters::Texts) => {
                self.push_texts(*weight, *size, glyphs, ink);
            }
            (Item::Text { weight, size, glyphs, is_turned: false }, Letters::References(used)) => {
                used.extend(glyphs.iter().filter(|glyph| glyph.character != ' ').map(|glyph| (*weight, glyph.id)));
                self.push_references(*weight, *size, glyphs, ink);
            }
            _ => paths_of(self.typeface, item, ink).iter().for_each(|path| push_path(&mut self.text, path)),
        }
    }

    /// Appends texts. Letters that follow each other are one text; each digit of a board is one.
    fn push_texts(&mut self, weight: Weight, size: f64, glyphs: &[Glyph], ink: Ink) {
        let family = quick_xml::escape::escape(self.typeface.family.as_str());
        let weight = WEIGHTS[weight as usize];
        for run in glyphs.chunk_by(|one, next| one.y == next.y && (next.x - one.x).abs() < size * 1.2) {
            let shown: String = run.iter().map(|glyph| glyph.character).collect();
            let (x, y, size, ink) = (short(run[0].x), short(run[0].y), short(size), hexadecimal(ink));
            let shown = quick_xml::escape::escape(shown);
            push(
                &mut self.text,
                format_args!(
                    "<text x=\"{x}\" y=\"{y}\" font-family=\"{family}\" font-weight=\"{weight}\" font-size=\"{size}\" \
                     fill=\"{ink}\">{shown}</text>\n"
                ),
            );
        }
    }

    fn push_references(&mut self, weight: Weight, size: f64, glyphs: &[Glyph], ink: Ink) {
        let scale = short(size * OUTLINE_SCALE);
        push(&mut self.text, format_args!("<g fill=\"{}\">", hexadecimal(ink)));
        for glyph in glyphs.iter().filter(|glyph| glyph.character != ' ') {
            let (x, y, name) = (short(glyph.x), short(glyph.y), Glyphs::name(weight, glyph.id));
            push(
                &mut self.text,
                format_args!("<use href=\"#{name}\" transform=\"translate({x} {y})scale({scale})\"/>"),
            );
        }
        self.text.push_str("</g>\n");
    }
}

/// The tag of the element, still open, with attributes.
fn opening(drawing: &Drawing, attributes: &str) -> String {
    let (width, height) = (drawing.width, drawing.height);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}mm\" height=\"{}mm\" viewBox=\"0 0 {} {}\"{attributes}",
        short(width / MILLIMETRE),
        short(height / MILLIMETRE),
        short(width),
        short(height)
    )
}

fn push_path(text: &mut String, path: &Path) {
    text.push_str("<path d=\"");
    push_segments(text, &path.segments);
    let ink = hexadecimal(path.ink);
    match path.cover {
        PathCover::Line(width) => {
            let width = short(width);
            push(text, format_args!("\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"{width}\"/>\n"));
        }
        PathCover::EvenOdd => push(text, format_args!("\" fill=\"{ink}\" fill-rule=\"evenodd\"/>\n")),
        PathCover::Inside => push(text, format_args!("\" fill=\"{ink}\"/>\n")),
    }
}

fn push_segments(text: &mut String, segments: &[Segment]) {
    for segment in segments {
        let letter = match segment {
            Segment::Move(_) => 'M',
            Segment::Line(_) => 'L',
            Segment::Curve(_) => 'C',
            Segment::Close => 'Z',
        };
        push(text, format_args!("{letter}{}", numbers(segment)));
    }
}

/// Elements for a page of HTML. The outline of each glyph is in the page once, and boards refer to it.
pub(crate) struct Glyphs<'a> {
    typeface: &'a Typeface,
    /// The glyphs of the elements so far.
    used: BTreeSet<(Weight, u16)>,
}

impl<'a> Glyphs<'a> {
    pub(crate) fn new(typeface: &'a Typeface) -> Glyphs<'a> {
        Glyphs { typeface, used: BTreeSet::new() }
    }

    /// The name of an outline on the page: a letter for the weight, and the number of the glyph.
    fn name(weight: Weight, id: u16) -> String {
        format!("{}{id}", ["r", "m", "b"][weight as usize])
    }

    /// A drawing with a label for readers who cannot see it.
    pub(crate) fn element(&mut self, drawing: &Drawing, label: &str) -> String {
        let label = quick_xml::escape::escape(label);
        let attributes = format!(" role=\"img\" aria-label=\"{label}\"");
        Element::written(self.typeface, drawing, &attributes, Letters::References(&mut self.used))
    }

    /// The outlines that the elements refer to.
    pub(crate) fn definitions(&self) -> String {
        let mut text =
            "<svg width=\"0\" height=\"0\" aria-hidden=\"true\" style=\"position:absolute\"><defs>\n".to_owned();
        for &(weight, id) in &self.used {
            push(&mut text, format_args!("<path id=\"{}\" d=\"", Glyphs::name(weight, id)));
            push_segments(&mut text, &outline(self.typeface, weight, id, 1.0 / OUTLINE_SCALE, (0.0, 0.0)));
            text.push_str("\"/>\n");
        }
        text + "</defs></svg>\n"
    }
}

/// The outlines of a page are drawn in the type size 1 / `OUTLINE_SCALE`, so that few decimals are enough. Where they
/// are used, they are scaled to the size of the text.
const OUTLINE_SCALE: f64 = 0.01;

/// Drawings as PDF 1.4, one per page, without fonts and dates.
pub fn pdf(typeface: &Typeface, drawings: &[Drawing]) -> Vec<u8> {
    let mut pdf = Pdf::new();
    pdf.set_version(1, 4);
    let (catalog, tree) = (Ref::new(1), Ref::new(2));
    let page = |number: usize| (Ref::new(3 + 2 * number as i32), Ref::new(4 + 2 * number as i32));
    pdf.catalog(catalog).pages(tree);
    pdf.pages(tree).count(drawings.len() as i32).kids((0..drawings.len()).map(|number| page(number).0));
    for (number, drawing) in drawings.iter().enumerate() {
        let (object, content) = page(number);
        let area = Rect::new(0.0, 0.0, rounded(drawing.width), rounded(drawing.height));
        let mut writer = pdf.page(object);
        writer.parent(tree).media_box(area).trim_box(area).contents(content);
        writer.resources();
        writer.finish();
        let data = compress(&content_of(&drawing.paths(typeface), drawing.height));
        pdf.stream(content, &data).filter(Filter::FlateDecode);
    }
    pdf.finish()
}

/// The content stream of a page of PDF. PDF has its origin at the lower left, so `height` turns the page over.
fn content_of(paths: &[Path], height: f64) -> Vec<u8> {
    let mut content = Content::new();
    for Path { segments, ink, cover } in paths {
        set_ink(&mut content, *ink);
        if let PathCover::Line(width) = cover {
            content.set_line_width(rounded(*width));
        }
        draw(&mut content, segments, *cover, |(x, y)| (rounded(x), rounded(height - y)));
    }
    content.finish().into_vec()
}
