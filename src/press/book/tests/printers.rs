//! Checks that finished books keep the rules of their printers. `keeps_rules` reads the pages with the reader of these
//! tests, in every random book. `others_agree` reads some books with other programs: qpdf, Poppler, MuPDF, pikepdf.

use serde_json::Value;

use super::*;
use crate::book::options::Standard;
use crate::book::printer::{Printer, Rules};
use crate::book::tests::pages::{Page, Stroke};
use crate::book::trim::Bleed;
use crate::draw::measures::{Area, INCH};

/// What differs by less, in points, is equal.
const SLACK: f64 = 0.3;

/// A page with its bleed, in points from the upper left corner of the trim. The spine is on the left of right-hand pages.
fn sheet_of(options: &Options, page: usize) -> Area {
    let (outer, spine) = options.bleed.sides();
    let left = if page.is_multiple_of(2) { spine } else { outer };
    Area { x: -left, y: -outer, width: options.trim.width + outer + spine, height: options.trim.height + 2.0 * outer }
}

/// The part of a page, in points from the same corner, that the margins leave to print on.
fn print_area(options: &Options, pages: usize, page: usize) -> Area {
    let (rules, trim) = (options.printer.rules(), options.trim);
    let (margin, gutter) = (rules.margin(options.bleed != Bleed::None), rules.gutter(pages));
    let left = if page.is_multiple_of(2) { gutter } else { margin };
    Area { x: left, y: margin, width: trim.width - margin - gutter, height: trim.height - 2.0 * margin }
}

/// True for white, and for a gray that is dark enough to be printed.
fn is_seen(gray: f64, rules: &Rules) -> bool {
    gray == 1.0 || gray <= 1.0 - rules.ink + 1e-6
}

/// True if numbers differ by less than `slack`.
fn are_near(numbers: &[f64], expected: &[f64], slack: f64) -> bool {
    numbers.iter().zip(expected).all(|(number, expected)| (number - expected).abs() < slack)
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
    for (number, page) in pages.iter().enumerate() {
        let [sheet, expected] =
            [page.sheet, sheet_of(options, number)].map(|area| [area.x, area.y, area.right(), area.bottom()]);
        assert!(are_near(&sheet, &expected, SLACK), "page {number}: {:?}", page.sheet);
        let free = print_area(options, pages.len(), number);
        for area in ink(page) {
            let is_in_width = area.x >= free.x - SLACK && area.right() <= free.right() + SLACK;
            let is_in_height = area.y >= free.y - SLACK && area.bottom() <= free.bottom() + SLACK;
            assert!(is_in_width && is_in_height, "page {number}: {area:?} is in the margins");
        }
        for Stroke { area, width } in page.lines.iter().chain(&page.frames) {
            assert!(*width >= rules.line - 0.005, "page {number}: a line of {width} pt: {area:?}");
        }
        // Pictures are as thin as their maker drew them.
        for fill in page.fills.iter().filter(|fill| fill.corners == 4) {
            let width = fill.area.width.min(fill.area.height);
            assert!(width >= rules.line - 0.005, "page {number}: an area is a line: {fill:?}");
        }
        assert!(page.grays.iter().all(|gray| is_seen(*gray, rules)), "page {number}: {:?}", page.grays);
        let smallest_type = page.runs.iter().map(|run| run.size).fold(f64::INFINITY, f64::min);
        assert!(smallest_type >= rules.type_size - 0.01, "page {number}: type of {smallest_type} pt");
    }
    let is_empty: Vec<bool> = pages.iter().map(|page| ink(page).is_empty()).collect();
    assert!(!is_empty.windows(2).any(|two| two == [true, true]), "two empty pages in a row: {is_empty:?}");
    let file = String::from_utf8_lossy(&book.data);
    let is_x = options.standard.is_x();
    for feature in &rules.forbidden {
        let keys: &[&str] = match feature.as_str() {
            "bookmarks" => &["/Outlines"],
            "metadata" if is_x => &[],
            "metadata" => &["/Info ", "/Metadata "],
            "annotations" => &["/Annots", "/AcroForm"],
            "transparency" => &["/SMask", "/ca ", "/CA ", "/BM ", "/Group", "/ExtGState"],
            "encryption" => &["/Encrypt"],
            "marks" => &[],
            _ => panic!("no check for '{feature}'"),
        };
        assert_eq!(keys.iter().find(|key| file.contains(**key)), None, "{feature}");
    }
    assert!(rules.standards.iter().any(|name| name == options.standard.name()));
    assert_eq!(file.contains("/GTS_PDFX"), is_x);
}

/// Runs a program; None, with a message, if it is not installed.
fn run(command: &mut Command, package: &str) -> Option<String> {
    let output = command.output();
    let skip = |reason: &str| eprintln!("SKIPPED: {command:?} cannot be run ({reason}); install {package}");
    let output = output.inspect_err(|error| skip(&error.to_string())).ok()?;
    let remarks = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() && remarks.contains("No module named") {
        skip(&remarks);
        return None;
    }
    assert!(output.status.success(), "{command:?}: {remarks}");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
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
    if run(Command::new("mutool").args(drawing).arg(&pixels).arg(&file), "mupdf-tools").is_some() {
        margins_as_mupdf_draws_them(folder.path(), book, options);
    }
    let script = folder.path().join("judge.py");
    fs::write(&script, include_str!("judge.py")).unwrap();
    let Some(judged) = run(Command::new("python3").arg(&script).arg(&file), "pikepdf") else { return };
    let judged: Value = serde_json::from_str(&judged).unwrap();
    assert!(judged["encrypted"] == false && judged["problems"].as_array().unwrap().is_empty());
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
        // Boxes of a PDF file: left, bottom, right and top, from the lower left corner of the sheet.
        let sheet = sheet_of(options, number);
        let (left, bottom) = (-sheet.x, sheet.bottom() - trim.height);
        let trim_box = [left, bottom, left + trim.width, bottom + trim.height];
        let whole = [0.0, 0.0, sheet.width, sheet.height];
        for (name, expected) in [("trim", trim_box), ("media", whole), ("bleed", whole)] {
            assert!(are_near(&numbers(name), &expected, 0.01), "page {number}: {name}");
        }
        assert!(page["turned"] == false && page["refused"].as_array().unwrap().is_empty(), "page {number}");
        assert!(page["thinnest"].as_f64().is_none_or(|thinnest| thinnest >= rules.line - 0.005), "page {number}");
        assert!(numbers("grays").iter().all(|gray| is_seen(*gray, rules)), "page {number}");
    }
}

/// Checks that no ink is in the margins of the pages that MuPDF has drawn, with 100 pixels in an inch.
fn margins_as_mupdf_draws_them(folder: &std::path::Path, book: &Book, options: &Options) {
    const PIXEL: f64 = INCH / 100.0;
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
        let (sheet, free) = (sheet_of(options, number), print_area(options, book.pages, number));
        for (pixel, _) in pixels.iter().enumerate().filter(|(_, gray)| **gray < 245) {
            let x = sheet.x + (pixel % width) as f64 * PIXEL;
            let y = sheet.y + (pixel / width) as f64 * PIXEL;
            let is_in_width = x >= free.x - PIXEL && x <= free.right();
            let is_in_height = y >= free.y - PIXEL && y <= free.bottom();
            assert!(is_in_width && is_in_height, "page {number}: ink at {x:.1}, {y:.1}");
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
        let mut puzzles = entries(&["3x3", "2x3"], 14, 3);
        puzzles.iter_mut().for_each(|entry| entry.hint = options.hints.then_some((4, 5)));
        let book = make(puzzles, &words(), &options).unwrap();
        keeps_rules(&book, &pages::read(&book.data, &typeface), &options);
        others_agree(&book, &options);
    }
}
