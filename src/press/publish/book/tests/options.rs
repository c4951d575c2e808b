//! Every option of a page, read back from the file: what the text says, which boxes pages have, what is drawn.

use super::*;
use crate::publish::book::options::{Answers, Difficulty, Ornament, Sections, Standard};
use crate::publish::book::pdf::own::Pages;
use crate::publish::book::trim::Bleed;
use crate::publish::draw::board::Line;
use crate::publish::words::language::Language;
use crate::publish::words::level_texts;
use sudoku_corpus_core::rate::Technique;
use sudoku_corpus_store::corpus::Levels;

/// Twelve puzzles with every value that can be printed beside them.
fn known(levels: usize) -> Vec<Entry> {
    let mut entries = entries(&["3x3"], 12, levels);
    for (at, entry) in entries.iter_mut().enumerate() {
        entry.technique = Some(Technique::XWing);
        entry.name = Some(format!("Name{at:016}"));
        entry.hint = Some((4, 7));
    }
    entries
}

/// A book of these puzzles, its plan, and the text of its pages.
fn read(levels: usize, options: &Options) -> Option<(Book, PagePlan<'static>, Vec<String>)> {
    let book = make(known(levels), &words(), options).unwrap();
    let texts = texts(&book)?;
    Some((book, planned(known(levels), &words(), options), texts))
}

#[test]
fn beside_a_puzzle_is_what_was_asked_for() {
    let plain = |difficulty| Options { difficulty, ..Options::default() };
    let asked = [
        ("Easy", plain(Difficulty::Words)),
        ("Time", Options { time: true, ..plain(Difficulty::Stars) }),
        ("X-Wing", Options { technique: true, ..plain(Difficulty::Bars) }),
        ("Name0000000000000", Options { names: true, ..plain(Difficulty::None) }),
    ];
    for (own, options) in &asked {
        let Some((_, plan, texts)) = read(1, options) else { return };
        for (kind, text) in plan.pages.iter().zip(&texts).filter(|(kind, _)| matches!(kind, PageKind::Puzzles(_))) {
            for (words, _) in &asked {
                assert_eq!(text.matches(words).count(), if words == own { 2 } else { 0 }, "{own}, {words}: {kind:?}");
            }
        }
    }
}

#[test]
fn running_heads_name_the_book_and_the_part() {
    let Some((_, plan, texts)) = read(3, &Options { running_heads: true, ..Options::default() }) else { return };
    for (page, text) in texts.iter().enumerate() {
        let PageKind::Puzzles(range) = &plan.pages[page] else { continue };
        let section = plan.sections.iter().find(|section| section.puzzles.contains(&range.start)).unwrap();
        let head = if plan.is_recto(page) { &*section.name } else { "Sudoku for Quiet Evenings" };
        assert_eq!(text.trim_start().lines().next().unwrap().trim(), head);
    }
}

#[test]
fn solutions_are_where_they_are_asked_for() {
    for (answers, said) in [
        (Answers::End, "The solutions are at the back"),
        (Answers::Level, "at the end of each level"),
        (Answers::Overleaf, "Turn the page to find it"),
        (Answers::Below, "upside down at the foot of the page"),
    ] {
        let Some((book, plan, texts)) = read(3, &Options { answers, ..Options::default() }) else { return };
        let message = texts[..plan.front].concat().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(message.contains(said), "{message}");
        let pages = |at| [plan.page_of_puzzle(at), plan.page_of_solution(at)].map(Option::unwrap);
        for (at, place) in book.places.iter().enumerate() {
            assert_eq!([place.page.clone(), place.solution.clone()], pages(at).map(|page| plan.label(page)));
        }
        // The first level has four puzzles.
        assert_eq!(pages(3)[1] < pages(4)[0], answers != Answers::End, "{answers:?}");
    }
}

#[test]
fn the_title_page_has_its_ornament_or_none() {
    for (ornament, digits) in [(Ornament::Board, true), (Ornament::None, false)] {
        let Some((_, _, texts)) = read(3, &Options { ornament, ..Options::default() }) else { return };
        let rows = texts[0].lines().filter(|row| row.split_whitespace().count() > 1);
        let board = rows.filter(|row| row.split_whitespace().all(|word| word.parse::<u8>().is_ok())).count();
        assert_eq!(board > 3, digits, "{}", texts[0]);
    }
}

#[test]
fn page_boxes_are_trim_and_bleed_with_room_for_marks() {
    let (usual, bleed) = (Options::default(), Bleed::USUAL);
    // The bleed outside, the bleed at the spine, the room for marks.
    for (options, [outer, spine, marks]) in [
        (usual, [0.0; 3]),
        (Options { bleed, per_page: Some(4), ..usual }, [9.0, 0.0, 0.0]),
        (Options { bleed, trim: trim("A4"), large_print: true, ..usual }, [9.0, 0.0, 0.0]),
        (Options { bleed: Bleed::All(8.5), crop_marks: true, ..usual }, [8.5, 8.5, 24.0]),
    ] {
        let book = make(known(2), &words(), &options).unwrap();
        let text = String::from_utf8_lossy(&book.data);
        let pages = || text.split("/Type /Page\n").skip(1);
        assert_eq!(pages().count(), book.pages);
        for (at, page) in pages().enumerate() {
            // The spine is on the left of right-hand pages.
            let (left, right) = if at.is_multiple_of(2) { (spine, outer) } else { (outer, spine) };
            let corner = (marks + left + options.trim.width, marks + outer + options.trim.height);
            let (wide, high) = (corner.0 + right, corner.1 + outer);
            for (name, wanted) in [
                ("MediaBox", [0.0, 0.0, wide + marks, high + marks]),
                ("BleedBox", [marks, marks, wide, high]),
                ("TrimBox", [marks + left, marks + outer, corner.0, corner.1]),
            ] {
                let found = page.split(&format!("/{name} [")).nth(1).unwrap().split(']').next().unwrap();
                let found: Vec<f64> = found.split_whitespace().map(|number| number.parse().unwrap()).collect();
                let near = found.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 0.01);
                assert!(near && found.len() == 4, "{at} {name}: {found:?}, {wanted:?}");
            }
        }
    }
}

#[test]
fn own_pages_and_a_logo_are_in_the_book() {
    let typeface = Typeface::open().unwrap();
    let with = |options: &Options, own: &OwnPages| {
        crate::publish::book::make::make(known(3), &words(), options, &typeface, &Intent::default(), own)
    };
    // The file of own pages is also a book of this program: 24 pages of 6x9.
    let guest = make(known(1), &Wording::new("Guest", None, None).unwrap(), &Options::default()).unwrap().data;
    let pages = || Some(Pages::read("guest.pdf", guest.clone()).unwrap());
    let plain = Options::default();
    let own = OwnPages { front: pages(), back: pages(), logo: None };
    let book = with(&plain, &own).unwrap();
    assert_eq!(book.data, with(&plain, &own).unwrap().data, "the same bytes again");
    let Some(read) = texts(&book) else { return };
    assert!(book.pages >= 24 + 12 + 24 && book.pages.is_multiple_of(2));
    assert!(read[0].contains("Guest") && read[24].contains("Contents") && !read.concat().contains("Quiet Evenings"));
    assert!(read[book.pages - 24].contains("Guest"));
    let logo = with(&plain, &OwnPages { logo: pages(), ..OwnPages::default() }).unwrap();
    let title = &texts(&logo).unwrap()[0];
    assert!(title.contains("Quiet Evenings") && title.contains("Guest"), "{title}");
    for book in [&book, &logo] {
        output_of("qpdf", &["--check", "FILE"], &book.data);
    }
    // Refused: another size, and a file that is not PDF.
    let message = |result: Result<Book, BookError>| result.unwrap_err().to_string();
    for (name, said) in [
        ("5x8", "page 1 is 6.000 in x 9.000 in; the book has 5.000 in x 8.000 in"),
        ("A5", "page 1 is 152.4 mm x 228.6 mm; the book has 148.0 mm x 210.0 mm"),
    ] {
        assert!(message(with(&Options { trim: trim(name), ..plain }, &own)).contains(said), "{name}");
    }
    assert!(Pages::read("x.pdf", b"nonsense".to_vec()).is_err());
    // Pages with black text in embedded fonts bring no warning, and PDF/X takes them.
    let x4 = Options { standard: Standard::X4, day: "2027-01-31".parse().ok(), ..plain };
    assert!(book.warnings.is_empty() && with(&x4, &own).is_ok(), "{:?}", book.warnings);
    // Pages with colour, transparency or fonts of the reader's machine bring one, and PDF/X refuses them.
    let back = |page: Vec<u8>| OwnPages { back: Some(Pages::read("mine.pdf", page).unwrap()), ..OwnPages::default() };
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
    let damaged = back(one_page(b"0 g 10 10 50 50 re f", "", false));
    assert!(message(with(&plain, &damaged)).contains("page 1 cannot be read"));
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

/// Small boards first, each with a page that has its rules, and levels in order within each.
#[test]
fn a_book_can_have_a_section_for_each_board() {
    let options = Options { sections: Sections::Board, ..Options::default() };
    let book = make(entries(&["3x3", "2x2", "2x3"], 18, 3), &words(), &options).unwrap();
    let orders: Vec<usize> = book.places.iter().map(|place| place.puzzle.shape().order()).collect();
    assert_eq!(orders, [[4; 6], [6; 6], [9; 6]].concat());
    for levels in book.places.chunks(6) {
        assert_eq!(
            levels.iter().map(|place| &*place.level).collect::<Vec<_>>(),
            ["Easy", "Easy", "Medium", "Medium", "Hard", "Hard"]
        );
    }
    if let Some(texts) = texts(&book) {
        let squeezed: Vec<String> = texts.iter().map(|text| text.split_whitespace().collect()).collect();
        for (board, rules) in [("4×4", "has4rows"), ("6×6", "has6rows"), ("9×9", "has9rows")] {
            let opens = |text: &&String| text.starts_with(board) && text.contains(rules);
            assert!(squeezed.iter().any(|text| opens(&text)), "{board}: {squeezed:?}");
        }
    }
    let level = Options { answers: Answers::Level, ..options };
    assert_eq!(make(entries(&["3x3"], 2, 1), &words(), &level).unwrap_err(), BookError::Sections);
}

#[test]
fn how_to_play_has_at_most_two_pages_in_the_default_book_and_one_in_english() {
    for tag in Language::tags() {
        let mut words = words();
        words.language = Language::named(tag).unwrap();
        words.levels = level_texts(&Levels::open("newspaper", "".as_ref()).unwrap(), &words.language);
        let plan = planned(entries(&["3x3"], 12, 3), &words, &Options::default());
        assert!(plan.how_to.len() <= 2, "{tag}: {} pages", plan.how_to.len());
        assert!(tag != "en" || plan.how_to.len() == 1, "English takes one page");
    }
}

/// The givens stay where they were, and the marked line has as few of them as any.
#[test]
fn every_solution_spells_the_word_in_its_marked_line() {
    for shape in ["2x2", "2x3", "3x3"] {
        for entry in entries(&[shape], 20, 1) {
            let spelled = entry.clone().spelled();
            let n = entry.puzzle.shape().order();
            let line = spelled.line.unwrap();
            let values: Vec<u16> = line.cells(n).map(|at| spelled.solution.grid().values()[at]).collect();
            assert_eq!(values, (1..=n as u16).collect::<Vec<_>>());
            assert!(spelled.puzzle.is_part_of(&spelled.solution));
            let givens =
                |entry: &Entry| -> Vec<bool> { entry.puzzle.grid().values().iter().map(|value| *value != 0).collect() };
            assert_eq!(givens(&entry), givens(&spelled));
            let count = |line: Line| line.cells(n).filter(|at| givens(&entry)[*at]).count();
            let fewest = (0..n).flat_map(|at| [Line::Row(at), Line::Column(at)]).map(count).min();
            assert_eq!(Some(count(line)), fewest);
        }
    }
    let four = entries(&["2x2"], 4, 1);
    let spelling = |symbols: &str| Options { spell: true, symbols: symbols.parse().unwrap(), ..Options::default() };
    assert!(make(four.clone(), &words(), &spelling("STAR")).is_ok());
    for wrong in ["STARE", "red,blue,green,pink", "usual"] {
        let error = make(four.clone(), &words(), &spelling(wrong)).unwrap_err();
        assert!(error.to_string().contains("needs 4 different letters"), "{error}");
    }
}
