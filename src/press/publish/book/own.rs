//! The publisher's own pages, from PDF files: a logo, pages before the contents, pages at the end.
//!
//! A page of the file becomes a picture inside a page of the book (a form XObject), with everything that it uses. Its
//! contents are not checked: colours, fonts and transparency stay as they are.

use hayro_write::hayro_syntax::Pdf as Source;
use hayro_write::{ChunkSettings, ExtractionQuery, extract};
use pdf_writer::{Pdf, Ref};

use super::plan::{PageKind, Plan};
use super::sheet::{Area, Sheet};
use super::{BookError, Options, Standard};

/// By how many points the size of a page may differ.
const TOLERANCE: f64 = 1.5;
/// The part of the text block's width and height that a logo may take.
const LOGO: (f64, f64) = (0.35, 0.12);

/// The pages of a PDF file.
pub struct Pages {
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
    /// [`BookError::Pages`].
    pub fn read(name: &str, data: Vec<u8>) -> Result<Pages, BookError> {
        let wrong = |why: &str| BookError::Pages(name.to_owned(), why.to_owned());
        let hash = *blake3::hash(&data).as_bytes();
        let source = Source::new(data).map_err(|_| wrong("it is no PDF file, or it has a password"))?;
        let size = |(width, height): (f32, f32)| (f64::from(width), f64::from(height));
        let sizes: Vec<(f64, f64)> = source.pages().iter().map(|page| size(page.render_dimensions())).collect();
        if sizes.iter().all(|(width, height)| *width > 0.0 && *height > 0.0) && !sizes.is_empty() {
            Ok(Pages { name: name.to_owned(), hash, source, sizes })
        } else {
            Err(wrong("it has no pages"))
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
            _ => Err(BookError::Pages(
                self.name.clone(),
                format!(
                    "page {} is {:.2} x {:.2} in; the book has {:.2} x {:.2} in, with bleed {:.2} x {:.2} in",
                    at + 1,
                    width / 72.0,
                    height / 72.0,
                    trim.width / 72.0,
                    trim.height / 72.0,
                    whole.0 / 72.0,
                    whole.1 / 72.0,
                ),
            )),
        }
    }
}

/// The files that a publisher adds to a book.
#[derive(Default)]
pub struct Own {
    /// The first page of this file is the logo at the foot of the title page.
    pub logo: Option<Pages>,
    /// Pages instead of title page and imprint.
    pub front: Option<Pages>,
    /// Pages at the end.
    pub back: Option<Pages>,
}

/// A page of a file with its place in the book.
pub struct Placed<'a> {
    /// Position of the page in the book.
    pub page: usize,
    /// The area on that page.
    pub area: Area,
    pages: &'a Pages,
    at: usize,
}

impl Own {
    /// The number of own pages before the contents and at the end.
    pub fn counts(&self) -> (usize, usize) {
        let count = |pages: &Option<Pages>| pages.as_ref().map_or(0, |pages| pages.sizes.len());
        (count(&self.front), count(&self.back))
    }

    /// The place of each own page in a book.
    ///
    /// # Errors
    /// [`BookError::Pages`] for pages of another size, and for PDF/X.
    pub(super) fn place(&self, plan: &Plan) -> Result<Vec<Placed<'_>>, BookError> {
        let mut placed = Vec::new();
        for (page, kind) in plan.pages.iter().enumerate() {
            let (pages, at) = match kind {
                PageKind::Title => (&self.logo, 0),
                PageKind::Front(at) => (&self.front, *at),
                PageKind::Back(at) => (&self.back, *at),
                _ => continue,
            };
            let Some(pages) = pages else { continue };
            if plan.options.standard != Standard::Plain {
                let why = format!("the program does not check that they conform to {}", plan.options.standard.name());
                return Err(BookError::Pages(pages.name.clone(), why));
            }
            let area = match kind {
                PageKind::Title => logo(&plan.sheet, pages.sizes[0]),
                _ => pages.area(at, page, &plan.options)?,
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

/// The form XObject of an own page, with its sizes.
pub struct Form {
    /// The number of its PDF object.
    pub object: Ref,
    /// Its original size in points.
    pub size: (f64, f64),
    /// Its place on the page of the book.
    pub area: Area,
}

/// Writes the forms of all own pages, by page of the book.
pub fn write(
    pdf: &mut Pdf,
    placed: &[Placed<'_>],
    hash: &mut blake3::Hasher,
    mut next: impl FnMut() -> Ref,
) -> Vec<(usize, Form)> {
    let mut forms = Vec::new();
    for file in placed.chunk_by(|one, other| std::ptr::eq(one.pages, other.pages)) {
        let pages = file[0].pages;
        hash.update(&pages.hash);
        let wanted: Vec<ExtractionQuery> = file.iter().map(|placed| ExtractionQuery::new_xobject(placed.at)).collect();
        let Ok(made) = extract(&pages.source, Box::new(&mut next), ChunkSettings::default(), &wanted) else { continue };
        pdf.extend(&made.chunk);
        for (placed, object) in file.iter().zip(made.root_refs) {
            let Ok(object) = object else { continue };
            forms.push((placed.page, Form { object, size: pages.sizes[placed.at], area: placed.area }));
        }
    }
    forms
}
