//! Editions for screens: links in PDF as qpdf reads them, EPUB as epubcheck reads it, the page to play on in a browser.

use std::path::Path;

use serde_json::Value;

use super::*;
use crate::book::options::Standard;
use crate::words::Language;

fn edition(standard: Standard, shapes: &[&str], count: usize, options: Options) -> Book {
    let options = Options { standard, day: Some("2027-01-31".parse().unwrap()), ..options };
    let mut words = words();
    words.language = Language::named("de").unwrap();
    // It must not end or hide anything.
    words.title = "Ruhige & <!--<script> </script>".to_owned();
    make(entries(shapes, count, 2), &words, &options).unwrap()
}

/// From each puzzle a link leads to the page of its solution, from there one leads back; the contents lead to their
/// pages; no page is empty, and the margins of all pages are the same.
#[test]
fn a_pdf_for_screens_leads_from_puzzles_to_solutions_and_back() {
    let book = edition(Standard::Screen, &["3x3"], 20, Options::default());
    assert!(book.pages < 24 && book.notes == 0, "{} pages", book.pages);
    let Some(json) = output_of("qpdf", &["--json", "FILE"], &book.data) else { return };
    let json: Value = serde_json::from_str(&json).unwrap();
    let objects = &json["qpdf"][1];
    let object = |name: &Value| &objects[format!("obj:{}", name.as_str().unwrap())]["value"];
    let pages: Vec<&Value> = json["pages"].as_array().unwrap().iter().map(|page| &page["object"]).collect();
    let targets = |page: usize| -> Vec<usize> {
        let annotations = object(pages[page])["/Annots"].as_array();
        let target = |link: &Value| {
            let to = &object(link)["/A"]["/D"][0];
            pages.iter().position(|page| *page == to).unwrap()
        };
        annotations.into_iter().flatten().map(target).collect()
    };
    let all: Vec<Vec<usize>> = (0..pages.len()).map(targets).collect();
    let Some(texts) = texts(&book) else { return };
    let mut seen = 0;
    for (page, targets) in all.iter().enumerate() {
        for &target in targets.iter().filter(|target| **target > page) {
            let is_contents = texts[page].contains("Inhalt");
            if !is_contents {
                assert!(all[target].contains(&page), "no link leads from page {target} back to {page}");
                seen += 1;
            }
        }
    }
    assert!(seen >= book.places.len(), "{seen} links");
}

#[test]
fn an_epub_is_well_formed_and_its_links_lead_somewhere() {
    let wide = Options { hints: true, large_print: true, trim: trim("8.5x11"), ..Options::default() };
    let below = Options { answers: crate::book::options::Answers::Below, shade: true, ..Options::default() };
    for (shapes, options) in [(&["3x3"][..], Options::default()), (&["2x3"], wide), (&["2x2", "3x3"], below)] {
        let book = edition(Standard::Epub, shapes, 9, options);
        assert_eq!(book, edition(Standard::Epub, shapes, 9, options));
        // Readers look for the media type at this place.
        assert_eq!(&book.data[30..58], b"mimetypeapplication/epub+zip");
        let archive = rawzip::ZipArchive::from_slice(&book.data).unwrap();
        let names: Vec<String> = archive
            .entries()
            .map(|entry| entry.unwrap().file_path().try_normalize().unwrap().as_ref().to_owned())
            .collect();
        assert_eq!(names.iter().filter(|name| name.starts_with("book/page-")).count(), book.pages);
        assert!(names.iter().any(|name| name == "book/cover.png"), "{names:?}");
        let text = |name: &str| String::from_utf8(inflated(&archive, name)).unwrap();
        assert!(text("book/package.opf").contains("properties=\"cover-image\""));
        assert!(inflated(&archive, "book/cover.png").starts_with(b"\x89PNG"));
        let navigation = text("book/contents.xhtml");
        for kind in ["toc", "landmarks", "page-list", "titlepage", "bodymatter"] {
            assert!(navigation.contains(&format!("epub:type=\"{kind}\"")), "{kind}: {navigation}");
        }
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("book.epub");
        fs::write(&file, &book.data).unwrap();
        let program = Path::new("/usr/share/java/epubcheck.jar");
        if !program.exists() {
            eprintln!("SKIPPED: epubcheck is missing; install epubcheck");
            continue;
        }
        match Command::new("java").arg("-jar").arg(program).arg(&file).output() {
            Ok(ran) => {
                let said = String::from_utf8_lossy(&ran.stdout) + String::from_utf8_lossy(&ran.stderr);
                assert!(ran.status.success() && said.contains("No errors or warnings"), "{said}");
            }
            Err(error) => eprintln!("SKIPPED: java cannot be run ({error}); install openjdk-17-jre-headless"),
        }
    }
}

/// The contents of a file in an archive.
pub(crate) fn inflated(archive: &rawzip::ZipSliceArchive<&Vec<u8>>, name: &str) -> Vec<u8> {
    use std::io::Read as _;
    let mut entries = archive.entries().map(Result::unwrap);
    let is = |entry: &rawzip::ZipFileHeaderRecord<'_>| entry.file_path().try_normalize().unwrap().as_ref() == name;
    let place = entries.find(is).unwrap().wayfinder();
    let mut data = Vec::new();
    let file = archive.get_entry(place).unwrap();
    flate2::read::DeflateDecoder::new(file.data()).read_to_end(&mut data).unwrap();
    data
}

/// The page is opened in a browser, and a script uses it as people do.
#[test]
fn the_page_to_play_on_can_be_solved_with_the_keyboard_and_with_buttons() {
    let script = include_str!("play.js");
    for shapes in [&["3x3"][..], &["2x2"], &["4x4"]] {
        let book = edition(Standard::Play, shapes, 3, Options { shade: true, ..Options::default() });
        let page = String::from_utf8(book.data).unwrap();
        assert!(
            !page.contains("{{") && !page.contains(" src="),
            "something is not filled in, or another file is needed"
        );
        let page = page.replace("</body>", &format!("<script>{script}</script></body>"));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("play.html");
        fs::write(&file, page).unwrap();
        let profile = format!("--user-data-dir={}", folder.path().join("profile").display());
        let address = format!("file://{}", file.display());
        let options = ["--headless", "--no-sandbox", "--disable-gpu", &profile, "--dump-dom", &address];
        match Command::new("chromium").args(options).output() {
            Ok(ran) => {
                let shown = String::from_utf8_lossy(&ran.stdout);
                let result = shown.split("id=\"result\">").nth(1).and_then(|rest| rest.split('<').next());
                assert_eq!(result, Some("all is well"), "{}", String::from_utf8_lossy(&ran.stderr));
            }
            Err(error) => eprintln!("SKIPPED: chromium cannot be run ({error}); install chromium"),
        }
    }
}
