//! Writes the book as PDF: page boxes, fonts, bookmarks, page labels. The version is PDF 1.7, or PDF/X as `pdf_x`
//! defines it.
//!
//! All colours are DeviceGray, except in the edition for screens, which has links too.
//! The file has no transparency, other annotations, interactive forms or scripts of its own. The plain file has no
//! date, and its identifier is a hash of its contents (title, author, fonts and what is drawn), so that the same book
//! gives the same bytes.
//!
//! `pdf-writer` writes the objects. *Tried and lost*: `krilla`, which is built on it. It hides the page content and
//! needs fifteen more crates, for pictures, gradients and tags that a puzzle book does not have.

use pdf_writer::types::{ActionType, AnnotationType, NumberingStyle, PageLayout};
use pdf_writer::{Content, Filter, Finish as _, Pdf, Rect, Ref, TextStr};
use rayon::iter::{IndexedParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};

use crate::book::error::BookError;
use crate::book::options::Standard;
use crate::book::pages::plan::PagePlan;
use crate::book::pdf::fonts::Fonts;
use crate::book::pdf::pdf_x::{self, Intent};
use crate::book::text::manuscript::Manuscript;
use crate::book::trim::Trim;
use crate::draw::canvas::{Item, Link};
use crate::draw::encoding::{compress, rounded};
use crate::draw::outline::{Ink, PathCover};
use crate::draw::paths;
use crate::draw::text::typeface::Weight;

/// Room for crop marks around the bleed, in points.
const MARK_ROOM: f64 = 24.0;
/// Length of a crop mark, in points.
const MARK_LENGTH: f64 = 18.0;
/// Its distance from the bleed, in points.
const MARK_GAP: f64 = 3.0;

/// An entry of the outline, with entries below it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bookmark {
    pub title: String,
    /// Position of its page, from 0.
    pub page: usize,
    /// Entries below it, closed at first.
    pub below: Vec<Bookmark>,
}

pub(crate) struct Document<'a> {
    pub plan: &'a PagePlan<'a>,
    /// The printing condition of a PDF/X file.
    pub intent: &'a Intent,
    /// Pages in order, right-hand pages at even positions.
    pub pages: Vec<Vec<Item>>,
    /// The links of each page, for editions for screens.
    pub links: Vec<Vec<Link>>,
    /// The outline.
    pub bookmarks: Vec<Bookmark>,
}

/// The bytes of the file.
///
/// # Errors
/// [`BookError::Font`] if a subset of a font cannot be made, [`BookError::NoDate`] for PDF/X without a date.
pub(crate) fn write(document: &Document<'_>) -> Result<Vec<u8>, BookError> {
    let mut next = Ref::new(1);
    let [catalog, tree, properties, outline] = [(); 4].map(|()| next.bump());
    let options = document.plan.text.options;
    let fonts = Fonts::of(document.plan.composer.typeface, &document.pages, &mut next)?;
    let pages: Vec<PageObjects> =
        document.pages.iter().map(|_| PageObjects { page: next.bump(), content: next.bump() }).collect();
    let (standard, day) = (options.standard, options.day);
    let is_x = standard.is_x();
    if is_x && day.is_none() {
        return Err(BookError::NoDate(standard.title()));
    }
    let mut pdf = Pdf::new();
    let (major, minor) = standard.version();
    pdf.set_version(major, minor);
    let mut hash = blake3::Hasher::new();
    let x_objects = is_x.then(|| XObjects { profile: next.bump(), metadata: next.bump() });
    write_catalog(&mut pdf, document, catalog, tree, outline, x_objects, &mut next);
    pdf.pages(tree).count(pages.len() as i32).kids(pages.iter().map(|objects| objects.page));
    write_properties(&mut pdf, properties, document, &mut hash);
    fonts.write(&mut pdf, &mut hash);
    // Compressing takes longer than all else here, and a page does not depend on others.
    let contents = document.pages.par_iter().enumerate();
    let contents: Vec<Vec<u8>> =
        contents.map(|(index, items)| compress(&PageFrame::new(document, index).content(&fonts, items))).collect();
    for (index, (items, objects)) in document.pages.iter().zip(&pages).enumerate() {
        let (frame, data) = (PageFrame::new(document, index), &contents[index]);
        hash.update(data);
        pdf.stream(objects.content, data).filter(Filter::FlateDecode);
        let links = if standard == Standard::Screen { &*document.links[index] } else { &[] };
        let links: Vec<(Link, Ref)> = links.iter().map(|link| (*link, next.bump())).collect();
        frame.write(&mut pdf, tree, *objects, &fonts, items, &links);
        links.iter().for_each(|link| frame.write_link(&mut pdf, link, &pages));
    }
    let top = PageFrame::new(document, 0).height;
    if let Some((first, last)) = write_bookmarks(&mut pdf, &document.bookmarks, outline, top, &pages, &mut next) {
        pdf.outline(outline).first(first).last(last).count(document.bookmarks.len() as i32);
    }
    let identity = hash.finalize().as_bytes()[..16].to_vec();
    if let (Some(XObjects { profile, metadata }), Some(day)) = (x_objects, day) {
        document.intent.write(&mut pdf, profile);
        if standard == Standard::X4 {
            pdf_x::write_metadata(&mut pdf, metadata, document.plan.text.words, PRODUCER, day, &identity);
        }
    }
    pdf.set_file_id((identity.clone(), identity));
    Ok(pdf.finish())
}

/// The numbers of the objects of a page.
#[derive(Clone, Copy)]
struct PageObjects {
    page: Ref,
    content: Ref,
}

/// The numbers of the objects that only files of PDF/X have.
#[derive(Clone, Copy)]
struct XObjects {
    profile: Ref,
    metadata: Ref,
}

/// The program that makes files.
const PRODUCER: &str = concat!("sudoku-corpus ", env!("CARGO_PKG_VERSION"));

/// Writes title, author and program as an object. Files of PDF/X have title and date, whatever the printer forbids.
fn write_properties(pdf: &mut Pdf, object: Ref, document: &Document<'_>, hash: &mut blake3::Hasher) {
    let Manuscript { words, options, .. } = document.plan.text;
    let standard = options.standard;
    hash.update(words.title.as_bytes());
    hash.update(words.author.as_deref().unwrap_or_default().as_bytes());
    if !standard.is_x() && options.printer.forbids("metadata") {
        return;
    }
    let mut about = pdf.document_info(object);
    about.title(TextStr(&words.title));
    words.author.as_ref().map(|author| about.author(TextStr(author)));
    about.creator(TextStr(PRODUCER));
    if let Some(day) = options.day.filter(|_| standard.is_x()) {
        about.producer(TextStr(PRODUCER));
        pdf_x::write_properties(&mut about, standard, day);
        hash.update(format!("{} {day}", standard.title()).as_bytes());
    }
}

/// Writes the catalog as the object `object`. `tree` and `outline` are the objects of the pages and of the outline.
/// `next` gives further object numbers.
fn write_catalog(
    pdf: &mut Pdf,
    document: &Document<'_>,
    object: Ref,
    tree: Ref,
    outline: Ref,
    x_objects: Option<XObjects>,
    next: &mut Ref,
) {
    let [roman, arabic] = [(); 2].map(|()| next.bump());
    let mut catalog = pdf.catalog(object);
    catalog.pages(tree);
    let Manuscript { words, options, .. } = document.plan.text;
    let standard = options.standard;
    if standard == Standard::X1a {
        // Facing pages and the language came with later versions of PDF.
        catalog.page_layout(PageLayout::TwoColumnRight);
    } else {
        let layout = if standard == Standard::Screen { PageLayout::SinglePage } else { PageLayout::TwoPageRight };
        catalog.page_layout(layout).lang(TextStr(words.language.tag()));
        if x_objects.is_some() || !options.printer.forbids("metadata") {
            catalog.viewer_preferences().display_doc_title(true);
        }
    }
    if let Some(XObjects { profile, metadata }) = x_objects {
        document.intent.refer(&mut catalog, profile);
        if standard == Standard::X4 {
            catalog.metadata(metadata);
        }
    }
    if !document.bookmarks.is_empty() {
        catalog.outlines(outline);
    }
    let mut labels = catalog.page_labels();
    let mut entries = labels.nums();
    // The first pages have Roman numbers.
    if document.plan.front > 0 {
        entries.insert(0, roman);
    }
    entries.insert(document.plan.front as i32, arabic);
    entries.finish();
    labels.finish();
    catalog.finish();
    for (label, style) in [(roman, NumberingStyle::LowerRoman), (arabic, NumberingStyle::Arabic)] {
        pdf.indirect(label).start::<pdf_writer::writers::PageLabel>().style(style).offset(1);
    }
}

/// Writes bookmarks of one level and those below. They lead to the upper edge of a page, at the height `top`. Returns
/// the first and the last; None if there are none.
fn write_bookmarks(
    pdf: &mut Pdf,
    bookmarks: &[Bookmark],
    parent: Ref,
    top: f64,
    pages: &[PageObjects],
    next: &mut Ref,
) -> Option<(Ref, Ref)> {
    let items: Vec<Ref> = bookmarks.iter().map(|_| next.bump()).collect();
    for (index, bookmark) in bookmarks.iter().enumerate() {
        let ends = write_bookmarks(pdf, &bookmark.below, items[index], top, pages, next);
        let mut item = pdf.outline_item(items[index]);
        item.title(TextStr(&bookmark.title)).parent(parent);
        if let Some(&before) = index.checked_sub(1).and_then(|before| items.get(before)) {
            item.prev(before);
        }
        if let Some(&after) = items.get(index + 1) {
            item.next(after);
        }
        if let Some((first, last)) = ends {
            item.first(first).last(last).count(-(bookmark.below.len() as i32));
        }
        if let Some(objects) = pages.get(bookmark.page) {
            item.dest().page(objects.page).xyz(0.0, rounded(top), None);
        }
    }
    Some((*items.first()?, *items.last()?))
}

/// The place of a page on its sheet. PDF counts from the lower left corner of the media box.
struct PageFrame {
    media: Rect,
    bleed: Rect,
    trim: Rect,
    /// Crop marks, in points of the page.
    marks: Vec<Item>,
    /// From the left edge of the sheet to that of the page.
    left: f64,
    /// From the lower edge of the sheet to the upper edge of the page.
    height: f64,
    /// Colours stay colours.
    is_coloured: bool,
}

impl PageFrame {
    /// The sheet of a page. The spine is on the left of right-hand pages.
    fn new(document: &Document<'_>, index: usize) -> PageFrame {
        let options = document.plan.text.options;
        let (bleed, spine) = options.bleed.sides();
        let (before, after) = if index.is_multiple_of(2) { (spine, bleed) } else { (bleed, spine) };
        let Trim { width, height, .. } = options.trim;
        let room = if options.crop_marks { MARK_ROOM } else { 0.0 };
        let box_of = |left: f64, low: f64, right: f64, high: f64| {
            Rect::new(rounded(left), rounded(low), rounded(right), rounded(high))
        };
        let (left, low) = (room + before, room + bleed);
        PageFrame {
            media: box_of(0.0, 0.0, left + width + after + room, low + height + bleed + room),
            bleed: box_of(room, room, left + width + after, low + height + bleed),
            trim: box_of(left, low, left + width, low + height),
            marks: if options.crop_marks { crop_marks(options.trim, before, after, bleed) } else { Vec::new() },
            left,
            height: low + height,
            is_coloured: options.standard == Standard::Screen,
        }
    }

    /// Writes the page below `tree`, the object of all pages.
    fn write(
        &self,
        pdf: &mut Pdf,
        tree: Ref,
        objects: PageObjects,
        fonts: &Fonts<'_>,
        items: &[Item],
        links: &[(Link, Ref)],
    ) {
        let mut page = pdf.page(objects.page);
        page.parent(tree).media_box(self.media).bleed_box(self.bleed).trim_box(self.trim).contents(objects.content);
        if !links.is_empty() {
            page.annotations(links.iter().map(|(_, object)| *object));
        }
        let mut resources = page.resources();
        let mut dictionary = resources.fonts();
        for weight in Weight::ALL {
            if items.iter().filter_map(Item::text).any(|(text_weight, _)| text_weight == weight) {
                fonts.refer(weight, &mut dictionary);
            }
        }
    }

    /// Writes an area that leads to a page.
    fn write_link(&self, pdf: &mut Pdf, (link, object): &(Link, Ref), pages: &[PageObjects]) {
        let (left, high) = self.point((link.area.x, link.area.y));
        let (right, low) = self.point((link.area.right(), link.area.bottom()));
        let mut annotation = pdf.annotation(*object);
        annotation.subtype(AnnotationType::Link).rect(Rect::new(left, low, right, high)).border(0.0, 0.0, 0.0, None);
        if let Some(objects) = pages.get(link.page) {
            annotation.action().action_type(ActionType::GoTo).destination().page(objects.page).fit();
        }
    }

    fn content(&self, fonts: &Fonts<'_>, items: &[Item]) -> Vec<u8> {
        let mut content = Content::new();
        content.set_fill_gray(0.0).set_stroke_gray(0.0);
        let mut width_set = None;
        for item in self.marks.iter().chain(items) {
            self.item(&mut content, fonts, &mut width_set, item);
        }
        content.finish().into_vec()
    }

    /// Writes an item. `width_set` is the line width that the content has set last.
    fn item(&self, content: &mut Content, fonts: &Fonts<'_>, width_set: &mut Option<f32>, item: &Item) {
        match item {
            Item::Text { weight, size, glyphs, is_turned } => {
                let ahead = if *is_turned { -1.0 } else { 1.0 };
                fonts.show(content, *weight, *size, ahead, glyphs, |point| self.point(point));
            }
            Item::Inked(ink, item) => {
                self.set_ink(content, *ink);
                self.item(content, fonts, width_set, item);
                self.set_ink(content, Ink::Gray(0.0));
            }
            Item::Picture { picture, centre, side } => {
                for path in picture.paths(*centre, *side) {
                    self.set_ink(content, path.ink);
                    paths::draw(content, &path.segments, path.cover, |point| self.point(point));
                }
                self.set_ink(content, Ink::Gray(0.0));
            }
            shape => {
                let (segments, cover) = paths::shape_of(shape);
                if let PathCover::Line(width) = cover {
                    let width = rounded(width);
                    if width_set.replace(width) != Some(width) {
                        content.set_line_width(width);
                    }
                }
                paths::draw(content, &segments, cover, |point| self.point(point));
            }
        }
    }

    /// Sets the ink of all that follows. In print, colours become gray. A gray lighter than [`LIGHTEST`] becomes that
    /// one, but white stays white.
    fn set_ink(&self, content: &mut Content, ink: Ink) {
        if matches!(ink, Ink::Rgb(..)) && self.is_coloured {
            return paths::set_ink(content, ink);
        }
        let gray = ink.gray();
        paths::set_ink(content, Ink::Gray(if gray > 0.999 { 1.0 } else { gray.min(LIGHTEST) }));
    }

    /// A point of the page, from its upper left corner, as a point of the sheet, from its lower left corner.
    fn point(&self, (x, y): (f64, f64)) -> (f32, f32) {
        (rounded(self.left + x), rounded(self.height - y))
    }
}

/// The lightest gray that printers accept, besides white.
const LIGHTEST: f64 = 0.9;

/// Eight lines outside the bleed, in line with the edges of the trim. The bleed is that on the left and on the right,
/// and that at top and bottom, in points.
fn crop_marks(trim: Trim, left: f64, right: f64, bleed: f64) -> Vec<Item> {
    let mut marks = Vec::new();
    // Where each mark begins, and the direction in which it leads out.
    for (x, direction) in [(-(left + MARK_GAP), -1.0), (trim.width + (right + MARK_GAP), 1.0)] {
        for y in [0.0, trim.height] {
            marks.push(Item::Line { from: (x, y), to: (x + direction * MARK_LENGTH, y), width: 0.25 });
        }
    }
    for (y, direction) in [(-(bleed + MARK_GAP), -1.0), (trim.height + (bleed + MARK_GAP), 1.0)] {
        for x in [0.0, trim.width] {
            marks.push(Item::Line { from: (x, y), to: (x, y + direction * MARK_LENGTH), width: 0.25 });
        }
    }
    marks
}
