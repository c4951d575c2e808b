//! The rules of printers, in finished books: as the reader of these tests finds them in every random book, and as other
//! programs find them in some: qpdf, `pdffonts` and `pdfimages` of Poppler, MuPDF, pikepdf.

use serde_json::Value;

use super::*;
use crate::book::options::Standard;
use crate::book::printer::Printer;
use crate::book::tests::pages::{Page, Stroke};
use crate::book::trim::Bleed;
use crate::draw::measures::Area;

/// What differs by less, in points, is equal.
const SLACK: f64 = 0.3;

/// How far a page reaches beyond its trim: left, top, right, bottom. The spine is on the left of right-hand pages.
fn bleed_of(options: &Options, page: usize) -> [f64; 4] {
    let (outer, spine) = options.bleed.sides();
    let (left, right) = if page.is_multiple_of(2) { (spine, outer) } else { (outer, spine) };
    [left, outer, right, outer]
}

/// Everything that is drawn on a page.
fn ink(page: &Page) -> Vec<Area> {
    let frame = |Stroke { area, width }: &Stroke| Area {
        x: area.x - width / 2.0,
        y: area.y - width / 2.0,
        width: area.width + width,
        height: area.height + width,
    };
    let texts = page.runs.iter().map(|run| run.ink);
    let shapes = page.fills.iter().map(|fill| fill.area).chain(page.lines.iter().map(|line| line.area));
    texts.chain(shapes).chain(page.frames.iter().map(frame)).collect()
}

/// Checks a book against the rules of its printer: size and number of pages, margins, lines, gray, type, empty pages.
pub(super) fn keeps_rules(book: &Book, pages: &[Page], options: &Options) {
    let (rules, trim) = (options.printer.rules(), options.trim);
    let most = rules.most_pages(trim, options.paper);
    assert!(pages.len().is_multiple_of(2) && (rules.least_pages..=most).contains(&pages.len()), "{}", pages.len());
    assert!(rules.binds(trim), "{trim}");
    let (margin, gutter) = (rules.margin(options.bleed != Bleed::None), rules.gutter(pages.len()));
    for (number, page) in pages.iter().enumerate() {
        let [left, top, right, bottom] = bleed_of(options, number);
        let sheet = [page.sheet.x, page.sheet.y, page.sheet.right() - trim.width, page.sheet.bottom() - trim.height];
        let is_as_large =
            sheet.iter().zip([-left, -top, right, bottom]).all(|(one, other)| (one - other).abs() < SLACK);
        assert!(is_as_large, "page {number}: {:?}", page.sheet);
        let (inside, outside) = if number.is_multiple_of(2) { (gutter, margin) } else { (margin, gutter) };
        for area in ink(page) {
            let is_in = area.x >= inside - SLACK && area.right() <= trim.width - outside + SLACK;
            let is_in = is_in && area.y >= margin - SLACK && area.bottom() <= trim.height - margin + SLACK;
            assert!(is_in, "page {number}: {area:?} is in the margins");
        }
        for Stroke { area, width } in page.lines.iter().chain(&page.frames) {
            assert!(*width >= rules.line - 0.005, "page {number}: a line of {width} pt: {area:?}");
        }
        // Pictures are as thin as their maker drew them.
        for fill in page.fills.iter().filter(|fill| fill.corners == 4) {
            let width = fill.area.width.min(fill.area.height);
            assert!(width >= rules.line - 0.005, "page {number}: an area is a line: {fill:?}");
        }
        let is_seen = |gray: &f64| *gray == 1.0 || *gray <= 1.0 - rules.ink + 1e-6;
        assert!(page.grays.iter().all(is_seen), "page {number}: {:?}", page.grays);
        let least = page.runs.iter().map(|run| run.size).fold(f64::INFINITY, f64::min);
        assert!(least >= rules.type_size - 0.01, "page {number}: type of {least} pt");
    }
    let is_empty: Vec<bool> = pages.iter().map(|page| ink(page).is_empty()).collect();
    assert!(!is_empty.windows(2).any(|two| two == [true, true]), "two empty pages in a row: {is_empty:?}");
    let file = String::from_utf8_lossy(&book.data);
    let is_x = options.standard.is_x();
    for what in &rules.forbidden {
        let keys: &[&str] = match what.as_str() {
            "bookmarks" => &["/Outlines"],
            "metadata" if is_x => &[],
            "metadata" => &["/Info ", "/Metadata "],
            "annotations" => &["/Annots", "/AcroForm"],
            "transparency" => &["/SMask", "/ca ", "/CA ", "/BM ", "/Group", "/ExtGState"],
            "encryption" => &["/Encrypt"],
            "marks" => &[],
            other => panic!("no check for '{other}'"),
        };
        assert_eq!(keys.iter().find(|key| file.contains(**key)), None, "{what}");
    }
    assert!(rules.standards.iter().any(|name| name == options.standard.name()));
    assert_eq!(file.contains("/GTS_PDFX"), is_x);
}

/// Runs a program; None, with a message, if it is not installed.
fn ran(command: &mut Command, package: &str) -> Option<String> {
    match command.output() {
        Ok(output) if output.status.success() => Some(String::from_utf8_lossy(&output.stdout).into_owned()),
        Ok(output) if String::from_utf8_lossy(&output.stderr).contains("No module named") => {
            eprintln!("SKIPPED: {command:?}; install {package}");
            None
        }
        Ok(output) => panic!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)),
        Err(error) => {
            eprintln!("SKIPPED: {command:?} cannot be run ({error}); install {package}");
            None
        }
    }
}

/// Checks a book against the rules of its printer as other programs see it.
pub(super) fn others_agree(book: &Book, options: &Options) {
    let rules = options.printer.rules();
    if let Some(checked) = output_of("qpdf", &["--check", "FILE"], &book.data) {
        assert!(checked.contains("No syntax or stream encoding errors"), "{checked}");
    }
    if let Some(fonts) = output_of("pdffonts", &["FILE"], &book.data) {
        let is_embedded = |row: &str| row.contains(" yes yes yes ");
        assert!(fonts.lines().count() > 2 && fonts.lines().skip(2).all(is_embedded), "{fonts}");
    }
    if let Some(pictures) = output_of("pdfimages", &["-list", "FILE"], &book.data) {
        assert_eq!(pictures.lines().count(), 2, "{pictures}");
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("book.pdf");
    fs::write(&file, &book.data).unwrap();
    let pixels = folder.path().join("%d.pgm");
    let drawing = ["draw", "-q", "-r", "100", "-c", "gray", "-F", "pgm", "-o"];
    if ran(Command::new("mutool").args(drawing).arg(&pixels).arg(&file), "mupdf-tools").is_some() {
        margins_as_mupdf_draws_them(folder.path(), book, options);
    }
    let script = folder.path().join("judge.py");
    fs::write(&script, include_str!("judge.py")).unwrap();
    let Some(judged) = ran(Command::new("python3").arg(&script).arg(&file), "pikepdf") else { return };
    let judged: Value = serde_json::from_str(&judged).unwrap();
    assert_eq!((&judged["encrypted"], judged["problems"].as_array().unwrap().len()), (&Value::Bool(false), 0));
    let fonts = &judged["fonts"];
    assert!(fonts.as_object().unwrap().values().all(|is_embedded| is_embedded == true), "{fonts}");
    let wanted = if options.standard.is_x() { vec!["/GTS_PDFX"] } else { Vec::new() };
    assert_eq!(judged["intents"], serde_json::json!(wanted));
    let keys: Vec<&str> = judged["keys"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let refused = "/ca /CA /SMask /BM /Group /XObject /AcroForm /JS /JavaScript /AA /OpenAction /EmbeddedFiles /OCProperties /Annots";
    assert_eq!(refused.split(' ').find(|key| keys.contains(key)), None);
    let (trim, pages) = (options.trim, judged["pages"].as_array().unwrap());
    assert_eq!(pages.len(), book.pages);
    for (number, page) in pages.iter().enumerate() {
        let numbers = |name: &str| -> Vec<f64> {
            page[name].as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
        };
        let [left, top, right, bottom] = bleed_of(options, number);
        let near =
            |found: Vec<f64>, wanted: [f64; 4]| found.iter().zip(wanted).all(|(one, other)| (one - other).abs() < 0.01);
        let whole = [0.0, 0.0, left + trim.width + right, bottom + trim.height + top];
        assert!(near(numbers("trim"), [left, bottom, left + trim.width, bottom + trim.height]), "page {number}");
        assert!(near(numbers("media"), whole) && near(numbers("bleed"), whole), "page {number}");
        assert!(page["turned"] == false && page["refused"].as_array().unwrap().is_empty(), "page {number}");
        assert!(page["thinnest"].as_f64().is_none_or(|thinnest| thinnest >= rules.line - 0.005), "page {number}");
        let is_seen = |gray: &f64| *gray == 1.0 || *gray <= 1.0 - rules.ink + 1e-6;
        assert!(numbers("grays").iter().all(is_seen), "page {number}");
    }
}

/// The ink of each page that MuPDF has drawn, with 100 pixels in an inch: nothing is in the margins.
fn margins_as_mupdf_draws_them(folder: &std::path::Path, book: &Book, options: &Options) {
    const PIXEL: f64 = 0.72;
    let rules = options.printer.rules();
    let (margin, gutter) = (rules.margin(options.bleed != Bleed::None), rules.gutter(book.pages));
    for number in 0..book.pages {
        let file = fs::read(folder.join(format!("{}.pgm", number + 1))).unwrap();
        // "P5", width and height, 255, each followed by a single blank; then a byte for each pixel.
        let head: Vec<&[u8]> = file.splitn(5, |byte| byte.is_ascii_whitespace()).collect();
        let size = |part: &[u8]| String::from_utf8_lossy(part).parse::<usize>().unwrap();
        let ([b"P5", width, height, b"255", pixels], true) = (&head[..], head.len() == 5) else {
            panic!("page {number}: not the pixels of MuPDF")
        };
        let (width, height) = (size(width), size(height));
        assert_eq!(pixels.len(), width * height);
        let [before, above, ..] = bleed_of(options, number);
        let (inside, outside) = if number.is_multiple_of(2) { (gutter, margin) } else { (margin, gutter) };
        let (right, bottom) = (options.trim.width - outside, options.trim.height - margin);
        for (at, _) in pixels.iter().enumerate().filter(|(_, gray)| **gray < 245) {
            let (x, y) = ((at % width) as f64 * PIXEL - before, (at / width) as f64 * PIXEL - above);
            let is_in = x >= inside - PIXEL && x <= right && y >= margin - PIXEL && y <= bottom;
            assert!(is_in, "page {number}: ink at {x:.1}, {y:.1}");
        }
    }
}

/// A book for each printer and each thing that is drawn in a way of its own.
#[test]
fn other_programs_find_the_rules_of_printers_kept() {
    let date = Some("2027-01-31".parse().unwrap());
    let logo = crate::draw::outline::Picture::read(
        b"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 40 20'><rect width='40' height='20' fill='#c00'/></svg>",
    );
    let logo: Option<&'static _> = Some(Box::leak(Box::new(logo.unwrap())));
    let usual = Options { bleed: Bleed::None, shade: true, strip: true, ..Options::default() };
    let books = [
        Options { printer: Printer::Kdp, candidates: true, logo, ..usual },
        Options { printer: Printer::Kdp, bleed: Bleed::USUAL, trim: trim("8.5x11"), large_print: true, ..usual },
        Options { printer: Printer::KdpHardcover, trim: trim("8.25x11"), steps: true, back_pages: 3, ..usual },
        Options { printer: Printer::Ingram, standard: Standard::X1a, day: date, front_pages: 5, ..usual },
        Options { printer: Printer::Ingram, standard: Standard::X4, day: date, time: true, hints: true, ..usual },
    ];
    let typeface = Typeface::open().unwrap();
    for options in books {
        let mut known = entries(&["3x3", "2x3"], 14, 3);
        known.iter_mut().for_each(|entry| entry.hint = options.hints.then_some((4, 5)));
        let book = make(known, &words(), &options).unwrap();
        keeps_rules(&book, &pages::read(&book.data, &typeface), &options);
        others_agree(&book, &options);
    }
}
