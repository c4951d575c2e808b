//! Takes over the publisher's own pages, from PDF files: a logo, pages before the contents, pages at the end.
//!
//! A page of the file becomes a picture inside a page of the book (a form XObject), with everything that it uses.
//! Colours, fonts and transparency stay as they are. What printers refuse gives a warning in PDF files of the standards
//! `pdf` and `screen`, and an error in all others.

use std::collections::BTreeSet;

use hayro_write::hayro_syntax::Pdf as Source;
use hayro_write::hayro_syntax::content::UntypedIter;
use hayro_write::hayro_syntax::object::{Dict, Name, Number, Object, ObjectIdentifier, Stream};
use hayro_write::hayro_syntax::page::Page;
use hayro_write::{ChunkSettings, ExtractionQuery, extract};
use pdf_writer::{Pdf, Ref};

use crate::publish::book::error::BookError;
use crate::publish::book::options::{Options, Standard};
use crate::publish::book::pages::plan::{PageKind, PagePlan};
use crate::publish::book::sheet::margins::Sheet;
use crate::publish::draw::measures::Area;

/// By how many points the size of a page may differ.
const TOLERANCE: f64 = 1.5;
/// The part of the text block's width and height that a logo may take.
const LOGO: (f64, f64) = (0.35, 0.12);

/// The pages of a PDF file.
pub struct Pages {
    /// The name of the file, for messages.
    name: String,
    /// BLAKE3 of the file.
    hash: [u8; 32],
    source: Source,
    /// Widths and heights in points.
    sizes: Vec<(f64, f64)>,
}

impl Pages {
    /// Reads a file.
    ///
    /// # Errors
    /// [`BookError::Pages`] if it is no PDF file, has a password, or has no pages.
    pub fn read(name: &str, data: Vec<u8>) -> Result<Pages, BookError> {
        let wrong = |why: &str| BookError::Pages(name.to_owned(), why.to_owned());
        let hash = *blake3::hash(&data).as_bytes();
        let source = Source::new(data).map_err(|_| wrong("it is no PDF file, or it has a password"))?;
        let size = |(width, height): (f32, f32)| (f64::from(width), f64::from(height));
        let sizes: Vec<(f64, f64)> = source.pages().iter().map(|page| size(page.render_dimensions())).collect();
        match sizes.is_empty() || sizes.iter().any(|(width, height)| *width <= 0.0 || *height <= 0.0) {
            true => Err(wrong("it has no pages")),
            false => Ok(Pages { name: name.to_owned(), hash, source, sizes }),
        }
    }

    /// The place of a page of the file on a page of the book. The page of the file must have the size of the trim, or
    /// of the trim with its bleed.
    fn area(&self, at: usize, book_page: usize, options: &Options) -> Result<Area, BookError> {
        let (width, height) = self.sizes[at];
        let near = |wide: f64, high: f64| (width - wide).abs() <= TOLERANCE && (height - high).abs() <= TOLERANCE;
        let (trim, (bleed, spine)) = (options.trim, options.bleed.sides());
        let whole = (trim.width + bleed + spine, trim.height + 2.0 * bleed);
        let left = if book_page.is_multiple_of(2) { spine } else { bleed };
        match (near(trim.width, trim.height), near(whole.0, whole.1)) {
            (true, _) => Ok(Area { x: 0.0, y: 0.0, width: trim.width, height: trim.height }),
            (_, true) => Ok(Area { x: -left, y: -bleed, width: whole.0, height: whole.1 }),
            _ => {
                let size = |(width, height)| format!("{} x {}", trim.length(width), trim.length(height));
                let (own, book, whole) = (size(self.sizes[at]), size((trim.width, trim.height)), size(whole));
                let why = format!("page {} is {own}; the book has {book}, with bleed {whole}", at + 1);
                Err(BookError::Pages(self.name.clone(), why))
            }
        }
    }
}

/// The files that a publisher adds to a book.
#[derive(Default)]
pub struct OwnPages {
    /// The first page of this file is the logo at the foot of the title page.
    pub logo: Option<Pages>,
    /// Pages instead of title page and imprint.
    pub front: Option<Pages>,
    /// Pages at the end.
    pub back: Option<Pages>,
}

/// A page of a file with its place in the book.
pub(crate) struct Placed<'a> {
    /// Position of the page in the book.
    pub page: usize,
    /// The area on that page.
    pub area: Area,
    pages: &'a Pages,
    /// The position of the page in its file.
    at: usize,
}

impl OwnPages {
    /// The number of own pages before the contents and at the end.
    pub fn counts(&self) -> (usize, usize) {
        let count = |pages: &Option<Pages>| pages.as_ref().map_or(0, |pages| pages.sizes.len());
        (count(&self.front), count(&self.back))
    }

    /// What printers refuse in the pages, file by file.
    ///
    /// # Errors
    /// [`BookError::Pages`] for pages that cannot be read; except for `pdf` and `screen`, also instead of a warning.
    pub(crate) fn warnings(&self, standard: Standard) -> Result<Vec<String>, BookError> {
        let mut warnings = Vec::new();
        for (pages, count) in [(&self.logo, 1), (&self.front, usize::MAX), (&self.back, usize::MAX)] {
            let Some(pages) = pages else { continue };
            let mut seen = Seen::default();
            for (at, page) in pages.source.pages().iter().enumerate().take(count) {
                let unread = || BookError::Pages(pages.name.clone(), format!("page {} cannot be read", at + 1));
                seen.page(page).ok_or_else(unread)?;
            }
            let said = seen.said();
            match (said.is_empty(), standard) {
                (true, _) => {}
                (_, Standard::Plain | Standard::Screen) => {
                    warnings.push(format!("the pages of {} have {said}", pages.name))
                }
                _ => {
                    let why = format!("{} refuses {said}", standard.title());
                    return Err(BookError::Pages(pages.name.clone(), why));
                }
            }
        }
        Ok(warnings)
    }

    /// The place of each own page in a book.
    ///
    /// # Errors
    /// [`BookError::Pages`] for pages of another size.
    pub(crate) fn place(&self, plan: &PagePlan<'_>) -> Result<Vec<Placed<'_>>, BookError> {
        let mut placed = Vec::new();
        for (page, kind) in plan.pages.iter().enumerate() {
            let (pages, at) = match kind {
                PageKind::Title => (&self.logo, 0),
                PageKind::Front(at) => (&self.front, *at),
                PageKind::Back(at) => (&self.back, *at),
                _ => continue,
            };
            let Some(pages) = pages else { continue };
            let area = match kind {
                PageKind::Title => logo(&plan.sheet, pages.sizes[0]),
                _ => pages.area(at, page, plan.text.options)?,
            };
            placed.push(Placed { page, area, pages, at });
        }
        Ok(placed)
    }
}

/// A logo at the foot of the title page, on the right, as large as its room allows.
fn logo(sheet: &Sheet, (width, height): (f64, f64)) -> Area {
    let block = sheet.block(true);
    let scale = (block.width * LOGO.0 / width).min(block.height * LOGO.1 / height);
    let (width, height) = (width * scale, height * scale);
    Area { x: block.right() - width, y: block.bottom() - height, width, height }
}

impl Placed<'_> {
    /// The size of the page in its file, in points.
    pub(crate) fn size(&self) -> (f64, f64) {
        self.pages.sizes[self.at]
    }
}

/// What printers refuse in pages.
#[derive(Default)]
pub(crate) struct Seen {
    pub colour: bool,
    pub transparency: bool,
    /// Names of fonts that are not embedded.
    pub fonts: BTreeSet<String>,
    /// Objects that were looked at.
    pub objects: BTreeSet<ObjectIdentifier>,
}

/// How deep objects may be nested in one another.
const MOST_DEPTH: usize = 40;

impl Seen {
    /// In words; empty if there is nothing.
    fn said(&self) -> String {
        let fonts = self.fonts.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        let fonts = (!fonts.is_empty()).then(|| format!("fonts that are not embedded ({fonts})"));
        let colour = self.colour.then(|| "colour".to_owned());
        let transparency = self.transparency.then(|| "transparency".to_owned());
        [colour, transparency, fonts].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// Looks at a page and all that it uses. None if something cannot be read.
    pub(crate) fn page(&mut self, page: &Page<'_>) -> Option<()> {
        let used = page.resources();
        let dictionaries =
            [&used.fonts, &used.x_objects, &used.color_spaces, &used.patterns, &used.shadings, &used.ext_g_states];
        let content = page.page_stream().or((!page.raw().contains_key("Contents")).then_some(b"".as_slice()))?;
        // The reader takes what it can from a damaged stream.
        let is_deflated =
            |stream: &Stream<'_>| stream.dict().get::<Name<'_>>("Filter").is_some_and(|name| &*name == b"FlateDecode");
        let stream = page.raw().get::<Stream<'_>>("Contents").filter(is_deflated);
        let is_damaged = |stream: Stream<'_>| {
            std::io::copy(&mut flate2::read::ZlibDecoder::new(&*stream.raw_data()), &mut std::io::sink()).is_err()
        };
        if stream.is_some_and(is_damaged) {
            return None;
        }
        self.content(content);
        dictionaries.into_iter().try_for_each(|dictionary| self.dictionary(dictionary, 0))
    }

    /// Looks at an object and at all that it refers to, at most [`MOST_DEPTH`] deep. None if a stream cannot be read.
    fn object(&mut self, object: Object<'_>, depth: usize) -> Option<()> {
        match object {
            Object::Dict(dictionary) => self.dictionary(&dictionary, depth),
            Object::Stream(stream) => self.stream(&stream, depth),
            Object::Array(array) => array.iter::<Object<'_>>().try_for_each(|item| self.object(item, depth + 1)),
            Object::Name(name) => {
                self.colour |= [b"DeviceRGB".as_slice(), b"DeviceCMYK", b"CalRGB", b"Lab"].contains(&&*name);
                Some(())
            }
            _ => Some(()),
        }
    }

    /// Looks at a stream. What it draws is followed only if it is a form or a pattern.
    fn stream(&mut self, stream: &Stream<'_>, depth: usize) -> Option<()> {
        let dictionary = stream.dict();
        let is_drawn = dictionary.get::<Name<'_>>("Subtype").is_some_and(|kind| &*kind == b"Form")
            || dictionary.contains_key("PatternType");
        // The number of colours of an ICC profile.
        self.colour |=
            dictionary.get::<i32>("N").is_some_and(|colours| colours > 1) && dictionary.contains_key("Alternate");
        if is_drawn && !dictionary.obj_id().is_some_and(|id| self.objects.contains(&id)) {
            self.content(&stream.decoded().ok()?);
        }
        self.dictionary(dictionary, depth)
    }

    /// Looks at a dictionary, once, and at its entries except those that lead back to pages.
    fn dictionary(&mut self, dictionary: &Dict<'_>, depth: usize) -> Option<()> {
        if depth > MOST_DEPTH || dictionary.obj_id().is_some_and(|id| !self.objects.insert(id)) {
            return Some(());
        }
        let is_faint = |key: &str| dictionary.get::<Number>(key).is_some_and(|value| value.as_f64() < 1.0);
        let is_group = dictionary.get::<Name<'_>>("S").is_some_and(|kind| &*kind == b"Transparency");
        let is_masked = dictionary.get::<Object<'_>>("SMask").is_some_and(|mask| !matches!(mask, Object::Name(_)));
        self.transparency |= is_faint("ca") || is_faint("CA") || is_group || is_masked;
        self.font(dictionary);
        let keys: Vec<Name<'_>> =
            dictionary.keys().filter(|key| !["Parent", "P"].map(str::as_bytes).contains(&&**key)).collect();
        keys.into_iter()
            .filter_map(|key| dictionary.get::<Object<'_>>(&*key))
            .try_for_each(|item| self.object(item, depth + 1))
    }

    /// Notes a font without a file. Fonts of Type 3 are drawings, and composite fonts have their files further down.
    fn font(&mut self, dictionary: &Dict<'_>) {
        let kind = dictionary.get::<Name<'_>>("Subtype");
        let kinds = [b"Type1".as_slice(), b"MMType1", b"TrueType", b"CIDFontType0", b"CIDFontType2"];
        let Some(name) = dictionary.get::<Name<'_>>("BaseFont") else { return };
        if !kind.is_some_and(|kind| kinds.contains(&&*kind)) {
            return;
        }
        let descriptor = dictionary.get::<Dict<'_>>("FontDescriptor").unwrap_or_default();
        if !["FontFile", "FontFile2", "FontFile3"].iter().any(|file| descriptor.contains_key(file)) {
            self.fonts.insert(String::from_utf8_lossy(&name).into_owned());
        }
    }

    /// Notes operators that set colours. Black alone is no colour.
    fn content(&mut self, data: &[u8]) {
        let mut operations = UntypedIter::new(data);
        while let Some(operation) = operations.next() {
            let values: Vec<f32> = operation.operands().filter_map(|value| value.clone().into_f32()).collect();
            let operator: &[u8] = operation.operator;
            self.colour |= match (operator, values.as_slice()) {
                (b"rg" | b"RG", [red, green, blue]) => red != green || green != blue,
                (b"k" | b"K", [inks @ .., _]) => inks.iter().any(|ink| *ink != 0.0),
                _ => false,
            };
        }
    }
}

/// Writes the own pages as form XObjects, one for each.
///
/// # Errors
/// [`BookError::Pages`] for a page that cannot be taken over.
pub(crate) fn write(
    pdf: &mut Pdf,
    placed: &[Placed<'_>],
    hash: &mut blake3::Hasher,
    next: &mut Ref,
) -> Result<Vec<Ref>, BookError> {
    let mut forms = Vec::new();
    for file in placed.chunk_by(|one, other| std::ptr::eq(one.pages, other.pages)) {
        let pages = file[0].pages;
        hash.update(&pages.hash);
        let wanted: Vec<ExtractionQuery> = file.iter().map(|placed| ExtractionQuery::new_xobject(placed.at)).collect();
        let lost = |at: usize| BookError::Pages(pages.name.clone(), format!("page {} cannot be taken over", at + 1));
        let made = extract(&pages.source, Box::new(|| next.bump()), ChunkSettings::default(), &wanted);
        let made = made.map_err(|_| lost(file[0].at))?;
        pdf.extend(&made.chunk);
        for (placed, object) in file.iter().zip(made.root_refs) {
            forms.push(object.map_err(|_| lost(placed.at))?);
        }
    }
    Ok(forms)
}
