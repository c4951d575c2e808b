//! The contents of the file as other programs read it: `qpdf`, and `pdfinfo`, `pdffonts`, `pdftotext` of Poppler. If these
//! are not installed, the tests say so and pass.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::super::plan::PageKind;
use super::super::sheet::{Area, Bleed};
use super::*;

/// The output of a tool about a file. None, with a message, if it is not installed.
fn output_of(tool: &str, arguments: &[&str], file: &Path) -> Option<String> {
    let ran = match Command::new(tool).args(arguments).arg(file).output() {
        Ok(ran) => ran,
        Err(error) => {
            eprintln!("SKIPPED: {tool} cannot be run ({error}); install qpdf and poppler-utils");
            return None;
        }
    };
    assert!(ran.status.success(), "{tool}: {}", String::from_utf8_lossy(&ran.stderr));
    // Poppler prints this for empty pages.
    let remarks = String::from_utf8_lossy(&ran.stderr).replace("no word list", "");
    assert!(remarks.trim().is_empty(), "{tool}: {remarks}");
    Some(String::from_utf8_lossy(&ran.stdout).into_owned())
}

fn written(entries: Vec<Entry>, options: &Options) -> (tempfile::TempDir, PathBuf, Book) {
    let folder = tempfile::tempdir().unwrap();
    let book = make(entries, &words(), options).unwrap();
    let file = folder.path().join("book.pdf");
    fs::write(&file, &book.pdf).unwrap();
    (folder, file, book)
}

fn some_options() -> Vec<Options> {
    let base = Options::default();
    vec![
        base,
        Options { bleed: Bleed::USUAL, per_page: Some(4), ..base },
        Options { trim: trim("A4"), bleed: Bleed::USUAL, large_print: true, ..base },
        Options { trim: trim("8.5x11"), per_page: Some(6), ..base },
    ]
}

#[test]
fn qpdf_finds_nothing_wrong_and_only_black_is_drawn() {
    for options in some_options() {
        let (folder, file, _) = written(entries(&["3x3"], 40, 3), &options);
        let Some(checked) = output_of("qpdf", &["--check"], &file) else { return };
        assert!(checked.contains("No syntax or stream encoding errors"), "{checked}");
        let plain = folder.path().join("plain.pdf");
        let arguments = ["--qdf", "--object-streams=disable", file.to_str().unwrap()];
        output_of("qpdf", &arguments, &plain).unwrap();
        let bytes = fs::read(&plain).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let operators = text.lines().filter_map(|line| line.split(' ').next_back());
        let gray = operators.clone().filter(|&operator| operator == "g" || operator == "G").count();
        assert!(gray > 0 && gray.is_multiple_of(2), "{gray}");
        assert!(
            text.lines().filter(|line| line.ends_with(" g") || line.ends_with(" G")).all(|line| line.starts_with("0 "))
        );
        for coloured in ["rg", "RG", "k", "K", "cs", "CS", "sc", "SC", "scn", "SCN", "sh", "gs", "Do"] {
            assert!(!operators.clone().any(|operator| operator == coloured), "{coloured}");
        }
        for key in ["/ExtGState", "/SMask", "/Group", "/Annots", "/JavaScript", "/CreationDate", "/ModDate", "/XObject"]
        {
            assert!(!text.contains(key), "{key}");
        }
    }
}

#[test]
fn fonts_are_embedded_and_subset() {
    let (_folder, file, _) = written(entries(&["3x3"], 8, 2), &Options::default());
    let Some(fonts) = output_of("pdffonts", &[], &file) else { return };
    let rows: Vec<&str> = fonts.lines().skip(2).collect();
    assert_eq!(rows.len(), 3, "{fonts}");
    for row in rows {
        assert!(row[6..].starts_with("+IBMPlexSans-"), "{row}");
        assert!(row.contains("CID TrueType") && row.contains("Identity-H") && row.contains("yes yes yes"), "{row}");
    }
}

#[test]
fn page_boxes_are_trim_and_bleed() {
    for options in some_options() {
        let (_folder, file, book) = written(entries(&["3x3"], 6, 2), &options);
        let last = book.pages.to_string();
        let Some(about) = output_of("pdfinfo", &["-box", "-f", "1", "-l", &last], &file) else { return };
        assert!(about.contains("Sudoku for Quiet Evenings") && about.contains("A. Person"), "{about}");
        assert!(about.lines().any(|line| line.starts_with("Pages:") && line.ends_with(&format!(" {last}"))));
        let bleed = if options.bleed == Bleed::USUAL { 9.0 } else { 0.0 };
        let boxes = |name: &str| -> Vec<[f64; 4]> {
            let rows = about.lines().filter(|line| line.contains(name));
            let numbers = |row: &str| row.split_whitespace().filter_map(|word| word.parse().ok()).collect::<Vec<f64>>();
            rows.map(|row| numbers(row)[numbers(row).len() - 4..].try_into().unwrap()).collect()
        };
        let (trims, medias, bleeds) = (boxes("TrimBox:"), boxes("MediaBox:"), boxes("BleedBox:"));
        assert_eq!((trims.len(), medias.len()), (book.pages, book.pages));
        assert_eq!(medias, bleeds);
        for (page, (trim, media)) in trims.iter().zip(&medias).enumerate() {
            let near = |found: f64, wanted: f64| assert!((found - wanted).abs() < 0.011, "{trim:?} {media:?}");
            near(trim[2] - trim[0], options.trim.width);
            near(trim[3] - trim[1], options.trim.height);
            // The spine is on the left of right-hand pages, and has no bleed.
            let (left, right) = if page % 2 == 0 { (0.0, bleed) } else { (bleed, 0.0) };
            near(trim[0] - media[0], left);
            near(media[2] - trim[2], right);
            near(trim[1] - media[1], bleed);
            near(media[3] - trim[3], bleed);
        }
    }
}

/// The words of each page with their places, as Poppler finds them.
fn found_words(file: &Path) -> Option<Vec<Vec<(Area, String)>>> {
    // The last argument is where to write: standard output.
    let text = output_of("pdftotext", &["-bbox", file.to_str().unwrap()], Path::new("-"))?;
    let word = |row: &str| {
        let number = |name: &str| -> f64 {
            row.split(&format!("{name}=\"")).nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
        };
        let (x, y) = (number("xMin"), number("yMin"));
        let area = Area { x, y, width: number("xMax") - x, height: number("yMax") - y };
        let text = row.split('>').nth(1).unwrap().split('<').next().unwrap();
        (area, text.to_owned())
    };
    let page = |page: &str| page.lines().filter(|row| row.contains("<word")).map(word).collect();
    Some(text.split("<page ").skip(1).map(page).collect())
}

/// The tests of random books read files with `pages`. Poppler finds the same words at the same places.
#[test]
fn poppler_reads_what_our_own_reader_reads() {
    let base = Options::default();
    let books: [(&[&str], usize, Options); 5] = [
        (&["3x3"], 30, base),
        (&["3x3"], 10, Options { large_print: true, trim: trim("7x10"), ..base }),
        (&["3x3"], 14, Options { per_page: Some(6), trim: trim("5x8"), ..base }),
        (&["6x6"], 2, Options { trim: trim("8.5x11"), ..base }),
        (&["2x2", "3x2", "3x4", "3x3"], 12, base),
    ];
    let typeface = Typeface::open().unwrap();
    for (shapes, count, options) in books {
        let (_folder, file, book) = written(entries(shapes, count, 2), &options);
        let Some(found) = found_words(&file) else { return };
        let own = pages::read(&book.pdf, &typeface);
        assert_eq!(found.len(), own.len());
        for (page, (words, own)) in found.iter().zip(&own).enumerate() {
            let letters = |texts: &mut dyn Iterator<Item = &str>| {
                let mut letters: Vec<char> = texts.flat_map(str::chars).filter(|c| !c.is_whitespace()).collect();
                letters.sort_unstable();
                letters
            };
            let ours = letters(&mut own.runs.iter().map(|run| run.text.as_str()));
            let theirs: Vec<String> = words.iter().map(|(_, text)| text.replace("&amp;", "&")).collect();
            assert_eq!(ours, letters(&mut theirs.iter().map(String::as_str)), "page {page}");
            for run in own.runs.iter().filter(|run| !run.is_turned && !run.text.trim().is_empty()) {
                let Some(first) = run.text.chars().next().filter(|c| c.is_alphanumeric()) else { continue };
                let near = |(area, text): &&(Area, String)| {
                    text.contains(first) && (area.x - run.x).abs() < 0.5 && (area.y..area.bottom()).contains(&run.base)
                };
                assert!(words.iter().any(|word| near(&word)), "page {page}: {}", run.text);
            }
        }
    }
}

/// The words on the same line as a word and to its right, up to a distance.
fn after(found: &[(Area, String)], number: &str, reach: f64) -> Option<String> {
    let (place, _) = found.iter().find(|(_, text)| text == number)?;
    let beside =
        |area: &Area| (area.bottom() - place.bottom()).abs() < 3.0 && area.x > place.x && area.x < place.x + reach;
    let mut words: Vec<&(Area, String)> = found.iter().filter(|(area, _)| beside(area)).collect();
    words.sort_by(|one, other| one.0.x.total_cmp(&other.0.x));
    Some(words.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(" "))
}

#[test]
fn contents_and_bookmarks_name_the_right_pages() {
    let (folder, file, _) = written(entries(&["3x3"], 60, 3), &Options::default());
    let Some(found) = found_words(&file) else { return };
    let book = drawn(entries(&["3x3"], 60, 3), &words(), &Options::default());
    let plan = &book.plan;
    let contents = &found[plan.first(|kind| matches!(kind, PageKind::Contents(_))).unwrap()];
    let opening = |number: usize| plan.label(plan.first(|kind| *kind == PageKind::Part(number)).unwrap());
    for (number, (level, puzzles)) in [("Easy", "1–20"), ("Medium", "21–40"), ("Hard", "41–60")].into_iter().enumerate()
    {
        let row = after(contents, level, 400.0).unwrap();
        assert!(row.starts_with(&format!("Puzzles {puzzles}")) && row.ends_with(&opening(number)), "{row}");
    }
    let plain = folder.path().join("plain.pdf");
    if output_of("qpdf", &["--qdf", file.to_str().unwrap()], &plain).is_none() {
        return;
    }
    let bytes = fs::read(&plain).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    for title in ["(Contents)", "(How to play)", "(Easy)", "(Medium)", "(Hard)", "(Solutions)"] {
        assert!(text.contains(&format!("/Title {title}")), "{title}");
    }
    for key in ["/PageLabels", "/S /r", "/S /D", "/Outlines", "/TwoPageRight"] {
        assert!(text.contains(key), "{key}");
    }
}

#[test]
fn words_in_other_letters_come_back() {
    let words = Words::new("Судоку — Σουντόκου — Żółć", Some("Ñandú Ærø"), Some("Łódź (2) \\ /a")).unwrap();
    let book = make(entries(&["3x3"], 2, 1), &words, &Options::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("book.pdf");
    fs::write(&file, book.pdf).unwrap();
    let Some(found) = found_words(&file) else { return };
    let text = |page: usize| found[page].iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(" ");
    for word in ["Судоку", "Σουντόκου", "Żółć", "Ñandú", "Ærø"] {
        assert!(text(0).contains(word), "{word}: {}", text(0));
    }
    assert!(text(1).contains("Łódź (2) \\ /a"), "{}", text(1));
    let about = output_of("pdfinfo", &[], &file).unwrap();
    assert!(about.contains("Судоку — Σουντόκου — Żółć") && about.contains("Ñandú Ærø"), "{about}");
}
