//! A book as EPUB 3 whose pages have a fixed layout: the pages of the edition for screens, each a drawing whose texts
//! are texts, with links over it. The fonts are in the file.
//!
//! Standards: W3C, "EPUB 3.3", chapters 4 (container), 5 (package document), 6.3.1 (fixed layouts), 7 (navigation
//! document). `rawzip` writes the container. The file depends on its contents and its date only.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use quick_xml::escape::escape;
use rawzip::{CompressionMethod, ZipArchiveWriter};

use crate::book::error::BookError;
use crate::book::options::Standard;
use crate::book::pages::plan::PageKind;
use crate::book::pdf::document::{Bookmark, Document};
use crate::draw::canvas::Link;
use crate::draw::measures::INCH;
use crate::draw::text::typeface::{FontError, Weight};
use crate::picture::drawing::Drawing;
use crate::picture::files::{WEIGHTS, live_element};
use crate::picture::raster::png;

/// The bytes of the file. [`BookError::NoDate`] without a date.
pub(crate) fn write(document: &Document<'_>) -> Result<Vec<u8>, BookError> {
    let (plan, title) = (document.plan, Standard::Epub.title());
    let day = plan.text.options.day.ok_or(BookError::NoDate(title))?;
    let typeface = plan.composer.typeface;
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for index in 0..document.pages.len() {
        files.push((format!("book/{}", page_name(index)), page(document, index).into_bytes()));
    }
    files.push(("book/style.css".to_owned(), style(document).into_bytes()));
    files.push(("book/cover.png".to_owned(), cover(document)?));
    files.push(("book/contents.xhtml".to_owned(), navigation(document).into_bytes()));
    for weight in Weight::ALL {
        files.push((format!("book/{}", font_name(document, weight)), typeface.cut(weight).data.to_vec()));
    }
    let mut hash = blake3::Hasher::new();
    for (_, data) in &files {
        hash.update(data);
    }
    // The package names a hash of the other files, so it is made after them. It stands before them.
    let identity: String = hash.finalize().to_hex().chars().take(32).collect();
    files.insert(0, ("book/package.opf".to_owned(), package(document, &identity, &day.to_string()).into_bytes()));
    let container = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
        <container version=\"1.0\" xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\">\n<rootfiles>\
        <rootfile full-path=\"book/package.opf\" media-type=\"application/oebps-package+xml\"/></rootfiles>\n</container>\n";
    files.insert(0, ("META-INF/container.xml".to_owned(), container.into()));
    Ok(zip(&files).map_err(|error| FontError::new(title, error))?)
}

/// The first page as pixels: shops show it beside the book.
fn cover(document: &Document<'_>) -> Result<Vec<u8>, BookError> {
    let trim = document.plan.sheet.trim;
    let first = document.pages.first().cloned().unwrap_or_default();
    let drawing = Drawing::new(trim.width, trim.height, first);
    let made = png(document.plan.composer.typeface, &drawing, COVER_HEIGHT / trim.height * INCH);
    made.map_err(|error| FontError::new(Standard::Epub.title(), error).into())
}

/// In pixels.
const COVER_HEIGHT: f64 = 1600.0;

/// The files in a container that begins with its media type, as readers expect.
fn zip(files: &[(String, Vec<u8>)]) -> Result<Vec<u8>, rawzip::Error> {
    let mut archive = ZipArchiveWriter::new(Vec::new());
    let (mut entry, config) = archive.new_file("mimetype").start()?;
    let mut writer = config.wrap(&mut entry);
    writer.write_all(b"application/epub+zip")?;
    let (_, descriptor) = writer.finish()?;
    entry.finish(descriptor)?;
    for (name, data) in files {
        let (mut entry, config) =
            archive.new_file(name.as_str()).compression_method(CompressionMethod::DEFLATE).start()?;
        let mut writer = config.wrap(DeflateEncoder::new(&mut entry, Compression::new(7)));
        writer.write_all(data)?;
        let (encoder, descriptor) = writer.finish()?;
        encoder.finish()?;
        entry.finish(descriptor)?;
    }
    archive.finish()
}

/// The name of the file of a page, by its index.
fn page_name(index: usize) -> String {
    format!("page-{:04}.xhtml", index + 1)
}

fn font_name(document: &Document<'_>, weight: Weight) -> String {
    format!("{}.{}", WEIGHTS[weight as usize], font_format(document, weight))
}

/// The ending of the name of a font, which is also the last word of its media type.
fn font_format(document: &Document<'_>, weight: Weight) -> &'static str {
    if document.plan.composer.typeface.cut(weight).data.starts_with(b"OTTO") { "otf" } else { "ttf" }
}

/// The beginning of a document with a title.
fn head(document: &Document<'_>, title: &str, more: &str) -> String {
    let (language, title) = (document.plan.text.words.language.tag(), escape(title));
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" \
         xmlns:epub=\"http://www.idpf.org/2007/ops\" lang=\"{language}\" xml:lang=\"{language}\">\n<head>\n<title>{title}</title>\n\
         {more}</head>\n"
    )
}

/// A page: its drawing, and links over it.
fn page(document: &Document<'_>, index: usize) -> String {
    let (plan, trim) = (document.plan, document.plan.sheet.trim);
    let drawing = Drawing::new(trim.width, trim.height, document.pages[index].clone());
    let percent = |length: f64, whole: f64| format!("{:.2}%", length / whole * 100.0);
    let link = |link: &Link| {
        let area = link.area;
        let label = plan.text.words.language.text("book.page").replace("{page}", &plan.label(link.page));
        format!(
            "<a href=\"{}\" aria-label=\"{}\" style=\"left:{};top:{};width:{};height:{}\"></a>\n",
            page_name(link.page),
            escape(label.as_str()),
            percent(area.x, trim.width),
            percent(area.y, trim.height),
            percent(area.width, trim.width),
            percent(area.height, trim.height)
        )
    };
    let links: String = document.links[index].iter().map(link).collect();
    let (width, height) = (trim.width.round(), trim.height.round());
    let view = format!(
        "<meta name=\"viewport\" content=\"width={width}, height={height}\"/>\n<link rel=\"stylesheet\" href=\"style.css\"/>\n"
    );
    let title = format!("{}, {}", plan.text.words.title, plan.label(index));
    let svg = live_element(plan.composer.typeface, &drawing);
    head(document, &title, &view) + &format!("<body>\n{svg}{links}</body>\n</html>\n")
}

/// The style sheet of all pages: the fonts, and boxes of the size of the trim.
fn style(document: &Document<'_>) -> String {
    let trim = document.plan.sheet.trim;
    let family = &document.plan.composer.typeface.family;
    let faces = Weight::ALL.map(|weight| {
        let number = WEIGHTS[weight as usize];
        let file = font_name(document, weight);
        format!("@font-face {{ font-family: \"{family}\"; font-weight: {number}; src: url(\"{file}\"); }}\n")
    });
    let faces = faces.concat();
    let (width, height) = (trim.width.round(), trim.height.round());
    format!(
        "{faces}html, body {{ margin: 0; padding: 0; width: {width}px; height: {height}px; }}\n\
         body {{ position: relative; }}\nsvg {{ position: absolute; left: 0; top: 0; width: 100%; height: 100%; }}\n\
         a {{ position: absolute; display: block; }}\nnav a {{ position: static; }}\n"
    )
}

/// The contents as readers show them, and the numbers of pages.
fn navigation(document: &Document<'_>) -> String {
    fn list(bookmarks: &[Bookmark]) -> String {
        let mut items = String::new();
        for Bookmark { title, page, below } in bookmarks {
            let sublist = if below.is_empty() { String::new() } else { list(below) };
            items += &format!("<li><a href=\"{}\">{}</a>{sublist}</li>\n", page_name(*page), escape(title.as_str()));
        }
        format!("<ol>\n{items}</ol>\n")
    }
    let plan = document.plan;
    let start = [Bookmark { title: plan.text.words.title.clone(), page: 0, below: Vec::new() }];
    let all = if document.bookmarks.is_empty() { &start[..] } else { &document.bookmarks };
    let contents = plan.first(|kind| matches!(kind, PageKind::Contents(_)));
    let puzzles = plan.text.name_of_puzzles(&(0..plan.text.entries.len()));
    let landmark = |kind: &str, file: String, title: &str| {
        format!("<li><a epub:type=\"{kind}\" href=\"{file}\">{}</a></li>\n", escape(title))
    };
    let landmarks = [
        landmark("titlepage", page_name(0), &plan.text.words.title),
        landmark(
            "toc",
            contents.map_or_else(|| "contents.xhtml".to_owned(), page_name),
            plan.text.words.language.text("book.contents"),
        ),
        landmark("bodymatter", page_name(plan.front), &puzzles),
    ];
    let landmarks = landmarks.concat();
    let page_item = |index| format!("<li><a href=\"{}\">{}</a></li>\n", page_name(index), plan.label(index));
    let pages: String = (0..document.pages.len()).map(page_item).collect();
    head(document, &plan.text.words.title, "")
        + &format!(
            "<body>\n<nav epub:type=\"toc\">\n{}</nav>\n<nav epub:type=\"landmarks\" hidden=\"hidden\">\n\
             <ol>\n{landmarks}</ol>\n</nav>\n<nav epub:type=\"page-list\" hidden=\"hidden\">\n<ol>\n{pages}</ol>\n</nav>\n\
             </body>\n</html>\n",
            list(all)
        )
}

/// The package document: metadata, the list of all files, and the order of the pages. `identity` has the 32 digits of a
/// UUID, `day` is the date of the file.
fn package(document: &Document<'_>, identity: &str, day: &str) -> String {
    let words = document.plan.text.words;
    let (language, title) = (words.language.tag(), escape(words.title.as_str()));
    let author = words.author.iter().map(|author| format!("<dc:creator>{}</dc:creator>\n", escape(author.as_str())));
    // The groups of digits of a UUID.
    let identity: Vec<&str> = [0..8, 8..12, 12..16, 16..20, 20..32].map(|part| &identity[part]).to_vec();
    let fonts = Weight::ALL.map(|weight| {
        let (name, format) = (font_name(document, weight), font_format(document, weight));
        format!("<item id=\"f{}\" href=\"{name}\" media-type=\"font/{format}\"/>\n", WEIGHTS[weight as usize])
    });
    let (mut items, mut order) = (String::new(), String::new());
    for number in 1..=document.pages.len() {
        let (name, media_type) = (page_name(number - 1), "application/xhtml+xml");
        items += &format!("<item id=\"p{number}\" href=\"{name}\" media-type=\"{media_type}\" properties=\"svg\"/>\n");
        order += &format!("<itemref idref=\"p{number}\"/>\n");
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<package xmlns=\"http://www.idpf.org/2007/opf\" version=\"3.0\" \
         unique-identifier=\"id\" xml:lang=\"{language}\">\n<metadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n\
         <dc:identifier id=\"id\">urn:uuid:{}</dc:identifier>\n<dc:title>{title}</dc:title>\n<dc:language>{language}</dc:language>\n{}\
         <meta property=\"dcterms:modified\">{day}T00:00:00Z</meta>\n<meta property=\"rendition:layout\">pre-paginated</meta>\n\
         <meta property=\"rendition:spread\">none</meta>\n</metadata>\n<manifest>\n\
         <item id=\"nav\" href=\"contents.xhtml\" media-type=\"application/xhtml+xml\" properties=\"nav\"/>\n\
         <item id=\"style\" href=\"style.css\" media-type=\"text/css\"/>\n\
         <item id=\"cover\" href=\"cover.png\" media-type=\"image/png\" properties=\"cover-image\"/>\n{}{items}</manifest>\n<spine>\n{order}</spine>\n</package>\n",
        identity.join("-"),
        author.collect::<String>(),
        fonts.concat()
    )
}
