//! The contents of the file as other programs read it: `qpdf`, and `pdfinfo`, `pdffonts`, `pdftotext` of Poppler. If
//! these are not installed, the tests say so and pass.

use super::*;
use crate::book::trim::Bleed;
use crate::draw::measures::Area;

/// The tests of random books read files with `pages`. Poppler finds the same words at the same places; `qpdf` finds
/// nothing wrong, and all fonts are embedded subsets.
#[test]
fn other_programs_read_what_our_own_reader_reads() {
    let base = Options::default();
    let books: [(&[&str], usize, Options); 6] = [
        (&["3x3"], 30, base),
        (&["3x3"], 10, Options { large_print: true, trim: trim("7x10"), ..base }),
        (&["3x3"], 14, Options { per_page: Some(6), trim: trim("5x8"), ..base }),
        (&["3x3"], 6, Options { large_print: true, trim: trim("A4"), bleed: Bleed::USUAL, ..base }),
        (&["6x6"], 2, Options { trim: trim("8.5x11"), ..base }),
        (&["2x2", "3x2", "3x4", "3x3"], 12, base),
    ];
    let typeface = Typeface::open().unwrap();
    for (shapes, count, options) in books {
        let book = make(entries(shapes, count, 2), &words(), &options).unwrap();
        let Some(checked) = output_of("qpdf", &["--check", "FILE"], &book.data) else { return };
        assert!(checked.contains("No syntax or stream encoding errors"), "{checked}");
        let Some(fonts) = output_of("pdffonts", &["FILE"], &book.data) else { return };
        let is_subset = |row: &str| {
            let kind = ["CID TrueType", "Identity-H", "yes yes yes"];
            row[6..].starts_with("+IBMPlexSans-") && kind.iter().all(|kind| row.contains(kind))
        };
        assert!(fonts.lines().count() == 5 && fonts.lines().skip(2).all(is_subset), "{fonts}");
        let found = output_of("pdftotext", &["-bbox", "FILE", "-"], &book.data).unwrap();
        let word = |row: &str| {
            let number = |name: &str| -> f64 {
                row.split(&format!("{name}=\"")).nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
            };
            let (x, y) = (number("xMin"), number("yMin"));
            let area = Area { x, y, width: number("xMax") - x, height: number("yMax") - y };
            let text = row.split('>').nth(1).unwrap().split('<').next().unwrap();
            (area, text.replace("&amp;", "&"))
        };
        let found =
            found.split("<page ").skip(1).map(|page| page.lines().filter(|row| row.contains("<word")).map(word));
        let found: Vec<Vec<(Area, String)>> = found.map(Iterator::collect).collect();
        let own = pages::read(&book.data, &typeface);
        assert_eq!(found.len(), own.len());
        // Positions count from the corner of the media box.
        let bleed =
            |page: usize| (if page.is_multiple_of(2) { 0.0 } else { options.bleed.sides().0 }, options.bleed.sides().0);
        for (page, (words, own)) in found.iter().zip(&own).enumerate() {
            let letters = |texts: Vec<&str>| {
                let mut letters: Vec<char> = texts.concat().chars().filter(|c| !c.is_whitespace()).collect();
                letters.sort_unstable();
                letters
            };
            let ours = letters(own.runs.iter().map(|run| &*run.text).collect());
            assert_eq!(ours, letters(words.iter().map(|(_, text)| &**text).collect()), "page {page}");
            let (left, top) = bleed(page);
            for run in own.runs.iter().filter(|run| !run.is_turned) {
                let Some(first) = run.text.chars().next().filter(|c| c.is_alphanumeric()) else { continue };
                let (x, base) = (run.x + left, run.base + top);
                let near = |(area, text): &(Area, String)| {
                    text.contains(first) && (area.x - x).abs() < 0.5 && (area.y..area.bottom()).contains(&base)
                };
                assert!(words.iter().any(near), "page {page}: {}", run.text);
            }
        }
    }
}

#[test]
fn contents_and_bookmarks_name_the_right_pages() {
    let book = make(entries(&["3x3"], 60, 3), &words(), &Options::default()).unwrap();
    let plan = planned(entries(&["3x3"], 60, 3), &words(), &Options::default());
    let text = String::from_utf8_lossy(&book.data);
    for title in ["(Contents)", "(How to play)", "(Easy)", "(Medium)", "(Hard)", "(Solutions)"] {
        assert!(text.contains(&format!("/Title {title}")), "{title}");
    }
    for key in ["/PageLabels", "/S /r", "/S /D", "/Outlines", "/TwoPageRight"] {
        assert!(text.contains(key), "{key}");
    }
    let Some(texts) = texts(&book) else { return };
    let contents = &texts[plan.first(|kind| matches!(kind, PageKind::Contents(_))).unwrap()];
    for (number, (level, puzzles)) in [("Easy", "1–20"), ("Medium", "21–40"), ("Hard", "41–60")].into_iter().enumerate()
    {
        let row = contents.lines().find(|row| row.contains(level)).unwrap();
        let opening = plan.label(plan.first(|kind| *kind == PageKind::Section(number)).unwrap());
        assert!(row.contains(&format!("Puzzles {puzzles}")) && row.ends_with(&format!(" {opening}")), "{row}");
    }
}

#[test]
fn words_in_other_letters_come_back() {
    let words = Wording::new("Судоку — Σουντόκου — Żółć", Some("Ñandú Ærø"), Some("Łódź (2) \\ /a")).unwrap();
    let book = make(entries(&["3x3"], 2, 1), &words, &Options::default()).unwrap();
    let Some(texts) = texts(&book) else { return };
    for word in ["Судоку", "Σουντόκου", "Żółć", "Ñandú", "Ærø"] {
        assert!(texts[0].contains(word), "{word}: {}", texts[0]);
    }
    assert!(texts[1].contains("Łódź (2) \\ /a"), "{}", texts[1]);
    let about = output_of("pdfinfo", &["FILE"], &book.data).unwrap();
    assert!(about.contains("Судоку — Σουντόκου — Żółć") && about.contains("Ñandú Ærø"), "{about}");
}
