//! Every option of a page, read back from the file: what the text says, which boxes pages have, what is drawn.

use std::fs;
use std::process::Command;

use super::super::plan::PageKind;
use super::super::sheet::Bleed;
use super::super::{Answers, Difficulty, Ornament, Pages, Paper, Symbols};
use super::*;
use crate::publish::levels;
use sudoku_corpus_core::rate::Technique;

/// The text of each page as Poppler finds it. None, with a message, if Poppler is not installed.
fn texts(book: &Book) -> Option<Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("book.pdf");
    fs::write(&file, &book.pdf).unwrap();
    match Command::new("pdftotext").args(["-layout", file.to_str().unwrap(), "-"]).output() {
        Ok(ran) => {
            let text = String::from_utf8_lossy(&ran.stdout).into_owned();
            Some(text.split('\u{c}').take(book.pages).map(str::to_owned).collect())
        }
        Err(error) => {
            eprintln!("SKIPPED: pdftotext cannot be run ({error}); install poppler-utils");
            None
        }
    }
}

/// Puzzles with every value that can be printed beside them.
fn known(shapes: &[&str], count: usize) -> Vec<Entry> {
    let mut entries = entries(shapes, count, 3);
    for (at, entry) in entries.iter_mut().enumerate() {
        entry.technique = Some(Technique::XWing);
        entry.name = Some(format!("Name{at:016}"));
        entry.hint = Some((4, 7));
    }
    entries
}

/// A book, its plan, and the text of its pages.
fn read(shapes: &[&str], options: &Options) -> Option<(Book, Plan<'static>, Vec<String>)> {
    let book = make(known(shapes, 12), &words(), options).unwrap();
    let plan = drawn(known(shapes, 12), &words(), options).plan;
    let texts = texts(&book)?;
    assert_eq!((texts.len(), plan.pages.len()), (book.pages, book.pages));
    Some((book, plan, texts))
}

/// The texts of the pages of puzzles.
fn of_puzzles<'a>(plan: &Plan<'_>, texts: &'a [String]) -> Vec<&'a str> {
    let pages = plan.pages.iter().zip(texts).filter(|(kind, _)| matches!(kind, PageKind::Puzzles(_)));
    pages.map(|(_, text)| text.as_str()).collect()
}

#[test]
fn lines_below_a_puzzle_are_there_when_they_are_asked_for() {
    let plain = Options::default();
    for (options, words) in [
        (Options { time: true, ..plain }, "Time"),
        (Options { technique: true, ..plain }, "X-Wing"),
        (Options { names: true, ..plain }, "Name0000000000000"),
    ] {
        let Some((_, plan, texts)) = read(&["3x3"], &options) else { return };
        assert!(of_puzzles(&plan, &texts).iter().all(|text| text.matches(words).count() == 2), "{words}");
        let (_, plan, texts) = read(&["3x3"], &plain).unwrap();
        assert!(of_puzzles(&plan, &texts).iter().all(|text| !text.contains(words)), "{words}");
    }
}

#[test]
fn hints_and_running_heads_have_their_words() {
    let options = Options { hints: true, running_heads: true, ..Options::default() };
    let Some((_, plan, texts)) = read(&["3x3"], &options) else { return };
    let hints: Vec<&String> = plan
        .pages
        .iter()
        .zip(&texts)
        .filter(|(kind, _)| matches!(kind, PageKind::Hints(_)))
        .map(|(_, text)| text)
        .collect();
    assert_eq!(hints.iter().map(|text| text.matches("row 4, column 7").count()).sum::<usize>(), 12);
    for (page, text) in texts.iter().enumerate() {
        let PageKind::Puzzles(range) = &plan.pages[page] else { continue };
        let head = if plan.is_recto(page) {
            &*plan.parts.iter().find(|part| part.puzzles.contains(&range.start)).unwrap().name
        } else {
            "Sudoku for Quiet Evenings"
        };
        assert_eq!(text.trim_start().lines().next().unwrap().trim(), head);
    }
}

#[test]
fn solutions_are_where_they_are_asked_for() {
    for answers in [Answers::End, Answers::Level, Answers::Overleaf, Answers::Below] {
        let options = Options { answers, ..Options::default() };
        let Some((book, plan, texts)) = read(&["3x3"], &options) else { return };
        let message = texts[..plan.front].concat().split_whitespace().collect::<Vec<_>>().join(" ");
        let said = match answers {
            Answers::End => "The solutions are at the back",
            Answers::Level => "at the end of each level",
            Answers::Overleaf => "Turn the page to find it",
            Answers::Below => "upside down at the foot of the page",
        };
        assert!(message.contains(said), "{message}");
        for at in 0..12 {
            let (puzzle, solution) = (plan.page_of_puzzle(at).unwrap(), plan.page_of_solution(at).unwrap());
            match answers {
                Answers::Below => assert_eq!(solution, puzzle),
                Answers::Overleaf => assert_eq!(solution, puzzle + 1),
                _ => {
                    assert!(solution > puzzle && texts[puzzle].contains(&format!("page {}", plan.label(solution))))
                }
            }
            assert_eq!(book.places[at].solution, plan.label(solution));
        }
    }
}

#[test]
fn difficulty_is_shown_in_words_or_signs_or_not_at_all() {
    for difficulty in [Difficulty::Words, Difficulty::Stars, Difficulty::Bars, Difficulty::None] {
        let options = Options { difficulty, ..Options::default() };
        let Some((_, plan, texts)) = read(&["3x3"], &options) else { return };
        let named = of_puzzles(&plan, &texts).iter().any(|text| text.contains("Easy"));
        assert_eq!(named, difficulty == Difficulty::Words, "{difficulty:?}");
    }
}

#[test]
fn symbols_are_those_that_were_asked_for() {
    for (symbols, there, not) in [
        (Symbols::Usual, "G", "0"),
        (Symbols::Hexadecimal, "F", "G"),
        (Symbols::Letters, "P", "1"),
        (Symbols::Numbers, "16", "G"),
    ] {
        let options = Options { symbols, difficulty: Difficulty::None, ..Options::default() };
        let Some((_, plan, texts)) = read(&["4x4"], &options) else { return };
        // Lines with a digit or two are numbers of puzzles and of pages.
        let boards: Vec<&str> = of_puzzles(&plan, &texts).into_iter().flat_map(str::lines).collect();
        let rows: Vec<&&str> =
            boards.iter().filter(|row| row.split_whitespace().count() > 3 && !row.contains("page")).collect();
        let shown = |sign: &str| rows.iter().any(|row| row.split_whitespace().any(|word| word == sign));
        assert!(rows.len() > 20 && shown(there) && !shown(not), "{symbols:?}");
    }
}

#[test]
fn the_title_page_has_its_ornament_or_none() {
    for (ornament, digits) in [(Ornament::Board, true), (Ornament::None, false)] {
        let options = Options { ornament, ..Options::default() };
        let Some((_, _, texts)) = read(&["3x3"], &options) else { return };
        let rows = texts[0].lines().filter(|row| row.split_whitespace().count() > 1);
        let board = rows.filter(|row| row.split_whitespace().all(|word| word.parse::<u8>().is_ok())).count();
        assert_eq!(board > 3, digits, "{}", texts[0]);
    }
}

#[test]
fn marks_and_bleed_make_room_around_the_trim_and_paper_makes_the_spine() {
    let options = Options { bleed: Bleed::All(8.5), crop_marks: true, ..Options::default() };
    let book = make(known(&["3x3"], 2), &words(), &options).unwrap();
    let text = String::from_utf8_lossy(&book.pdf).into_owned();
    // 432 x 648 with 8.5 of bleed and 24 for marks on all sides.
    assert!(text.contains("/MediaBox [0 0 497 713]") && text.contains("/TrimBox [32.5 32.5 464.5 680.5]"), "boxes");
    let cream = make(known(&["3x3"], 2), &words(), &Options { paper: Paper::Cream, ..options }).unwrap();
    assert!((book.spine - 24.0 * 0.002_252 * 72.0).abs() < 1e-9 && (cream.spine - 24.0 * 0.0025 * 72.0).abs() < 1e-9);
}

#[test]
fn own_pages_and_a_logo_are_in_the_book() {
    let typeface = Typeface::open().unwrap();
    let with = |options: &Options, own: &Own| {
        super::super::make(known(&["3x3"], 12), &words(), options, &typeface, &Intent::default(), own)
    };
    // The file of own pages is also a book of this program: 24 pages of 6x9.
    let guest = make(known(&["3x3"], 2), &Words::new("Guest", None, None).unwrap(), &Options::default()).unwrap().pdf;
    let pages = || Some(Pages::read("guest.pdf", guest.clone()).unwrap());
    let plain = Options::default();
    let own = Own { front: pages(), back: pages(), logo: None };
    let book = with(&plain, &own).unwrap();
    assert_eq!(book.pdf, with(&plain, &own).unwrap().pdf, "the same bytes again");
    let Some(read) = texts(&book) else { return };
    assert!(read.len() == book.pages && book.pages >= 24 + 12 + 24 && book.pages.is_multiple_of(2));
    assert!(read[0].contains("Guest") && read[24].contains("Contents") && !read.concat().contains("Quiet Evenings"));
    assert!(read[book.pages - 24].contains("Guest"));
    let logo = with(&plain, &Own { logo: pages(), ..Own::default() }).unwrap();
    let title = &texts(&logo).unwrap()[0];
    assert!(title.contains("Quiet Evenings") && title.contains("Guest"), "{title}");
    let folder = tempfile::tempdir().unwrap();
    for (name, book) in [("own.pdf", &book), ("logo.pdf", &logo)] {
        fs::write(folder.path().join(name), &book.pdf).unwrap();
        let Ok(ran) = Command::new("qpdf").arg("--check").arg(folder.path().join(name)).output() else { return };
        assert!(ran.status.success(), "{name}: {}", String::from_utf8_lossy(&ran.stderr));
    }
    // Refused: another size, and a file that is not PDF.
    let small = Options { trim: trim("5x8"), ..plain };
    let message = |result: Result<Book, BookError>| result.unwrap_err().to_string();
    assert!(message(with(&small, &own)).contains("page 1 is 6.000 in x 9.000 in; the book has 5.000 in x 8.000 in"));
    let metric = Options { trim: "A5".parse().unwrap(), ..small };
    assert!(message(with(&metric, &own)).contains("page 1 is 152.4 mm x 228.6 mm; the book has 148.0 mm x 210.0 mm"));
    assert!(Pages::read("x.pdf", b"nonsense".to_vec()).is_err());
    // Pages with black text in embedded fonts bring no warning, and PDF/X takes them.
    let x4 = Options { standard: super::super::Standard::X4, day: "2027-01-31".parse().ok(), ..plain };
    assert!(book.warnings.is_empty() && with(&x4, &own).is_ok(), "{:?}", book.warnings);
    // Pages with colour, transparency or fonts of the reader's machine bring one, and PDF/X refuses them.
    let back = |page: Vec<u8>| Own { back: Some(Pages::read("mine.pdf", page).unwrap()), ..Own::default() };
    for (content, said) in [
        (b"1 0 0 rg 10 10 50 50 re f".as_slice(), "colour"),
        (b"0.2 0 0 0 k 10 10 50 50 re f", "colour"),
        (b"/T gs 0 g 10 10 50 50 re f", "transparency"),
        (b"BT /H 12 Tf (x) Tj ET", "fonts that are not embedded (Helvetica)"),
    ] {
        let own = back(one_page(content, said, true));
        let warned = with(&plain, &own).unwrap().warnings;
        assert_eq!(warned, [format!("the pages of mine.pdf have {said}")]);
        assert!(message(with(&x4, &own)).contains(&format!("PDF/X-4 refuses {said}")));
    }
    let black = back(one_page(b"0 0 0 rg 0 0 0 1 K 10 10 50 50 re f", "", true));
    assert!(with(&plain, &black).unwrap().warnings.is_empty() && with(&x4, &black).is_ok());
    // A page that cannot be read is an error, not an empty page.
    assert!(
        message(with(&plain, &back(one_page(b"0 g 10 10 50 50 re f", "", false)))).contains("page 1 cannot be read")
    );
}

/// A file of one page of 6x9 that uses a font or a graphics state, or whose contents are damaged.
fn one_page(content: &[u8], uses: &str, is_sound: bool) -> Vec<u8> {
    use pdf_writer::{Filter, Name, Pdf, Rect, Ref};
    let [catalog, tree, page, stream, font, state] = [1, 2, 3, 4, 5, 6].map(Ref::new);
    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(tree);
    pdf.pages(tree).count(1).kids([page]);
    let mut writer = pdf.page(page);
    writer.parent(tree).media_box(Rect::new(0.0, 0.0, 432.0, 648.0)).contents(stream);
    let mut resources = writer.resources();
    if uses.starts_with("fonts") {
        resources.fonts().pair(Name(b"H"), font);
    }
    if uses == "transparency" {
        resources.ext_g_states().pair(Name(b"T"), state);
    }
    drop(resources);
    drop(writer);
    pdf.type1_font(font).base_font(Name(b"Helvetica"));
    pdf.ext_graphics(state).non_stroking_alpha(0.5);
    let mut stream = pdf.stream(stream, content);
    if !is_sound {
        stream.filter(Filter::FlateDecode);
    }
    drop(stream);
    pdf.finish()
}

#[test]
fn how_to_play_has_at_most_two_pages_in_the_default_book_and_one_in_english() {
    for tag in crate::publish::words::Language::tags() {
        let mut words = words();
        words.language = crate::publish::words::Language::named(tag).unwrap();
        words.levels = levels::texts(&levels::Levels::open("newspaper", "".as_ref()).unwrap(), &words.language);
        let plan = drawn(entries(&["3x3"], 12, 3), &words, &Options::default()).plan;
        assert!(plan.how_to.len() <= 2, "{tag}: {} pages", plan.how_to.len());
        assert!(tag != "en" || plan.how_to.len() == 1, "English takes one page");
    }
}
