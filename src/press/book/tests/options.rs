//! Every option of a page, read back from the file: what the text says, which boxes pages have, what is drawn.

use super::*;
use crate::book::options::{Answers, Difficulty, Ornament, Sections, Standard};
use crate::book::tests::pages::Fill;
use crate::book::trim::Bleed;
use crate::draw::board::Line;
use crate::draw::outline::Picture;
use crate::words::language::Language;
use crate::words::level_texts;
use sudoku_corpus_core::ladder::Technique;
use sudoku_corpus_store::corpus::Levels;

/// Twelve puzzles with every value that can be printed beside them.
fn known(levels: usize) -> Vec<Entry> {
    let mut entries = entries(&["3x3"], 12, levels);
    for (index, entry) in entries.iter_mut().enumerate() {
        entry.technique = Some(Technique::XWing);
        entry.name = Some(format!("Name{index:016}"));
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
        let pages = |index| [plan.page_of_puzzle(index), plan.page_of_solution(index)].map(Option::unwrap);
        for (index, place) in book.places.iter().enumerate() {
            assert_eq!([place.page.clone(), place.solution.clone()], pages(index).map(|page| plan.label(page)));
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

/// The pages that are left empty have their numbers and nothing else. `qpdf` puts other pages in their place; boxes,
/// bookmarks and what PDF/X asks for stay.
#[test]
fn pages_are_left_empty_for_others() {
    let x4 = Options { standard: Standard::X4, day: "2027-01-31".parse().ok(), ..Options::default() };
    let options = Options { front_pages: 3, back_pages: 2, running_heads: true, ..x4 };
    let book = make(known(3), &words(), &options).unwrap();
    let Some(read) = texts(&book) else { return };
    let trimmed = |text: &String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(read[..4].iter().map(trimmed).collect::<Vec<_>>(), ["i", "ii", "iii", ""]);
    assert!(book.pages.is_multiple_of(2) && read[4].contains("Contents") && !read.concat().contains("A. Person"));
    for (page, text) in read.iter().enumerate().skip(book.pages - 2) {
        assert_eq!(trimmed(text), (page - 5).to_string());
    }
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    fs::write(file("book.pdf"), &book.data).unwrap();
    let guest = make(known(1), &Wording::new("Guest", None, None).unwrap(), &Options::default()).unwrap();
    fs::write(file("front.pdf"), guest.data).unwrap();
    let words = "book.pdf --pages front.pdf 1-3 book.pdf 4-z -- final.pdf".split(' ');
    assert!(Command::new("qpdf").args(words).current_dir(folder.path()).status().unwrap().success());
    let whole = fs::read(file("final.pdf")).unwrap();
    let text = output_of("pdftotext", &["-layout", "FILE", "-"], &whole).unwrap();
    let pages: Vec<&str> = text.split_terminator('\u{c}').collect();
    assert!(pages.len() == book.pages && pages[0].contains("Guest") && pages[4].contains("Contents"), "{text}");
    let plain = output_of("qpdf", &["--qdf", "--object-streams=disable", "FILE", "-"], &whole).unwrap();
    for key in ["/GTS_PDFX", "/Outlines", "/PageLabels", "/TrimBox", "/Metadata"] {
        assert!(plain.contains(key), "{key}");
    }
    // Nothing can be put into the other files.
    for (standard, said) in [(Standard::Epub, "EPUB files"), (Standard::Play, "HTML files")] {
        let refused = make(known(1), &super::words(), &Options { standard, ..options }).unwrap_err().to_string();
        assert!(refused.contains(said), "{refused}");
    }
}

/// A logo is as large as its room at the foot of the title page, on the right, and gray in print.
#[test]
fn a_logo_is_on_the_title_page() {
    let typeface = Typeface::open().unwrap();
    for (width, height) in [(40, 20), (20, 40), (400, 10)] {
        let file = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}'>\
             <rect width='{width}' height='{height}' fill='#ff0000'/></svg>"
        );
        let picture = Box::leak(Box::new(Picture::read(file.as_bytes()).unwrap()));
        let options = Options { logo: Some(picture), ornament: Ornament::None, ..Options::default() };
        let book = make(known(1), &words(), &options).unwrap();
        let page = &pages::read(&book.data, &typeface)[0];
        let [Fill { area, corners: 4, .. }] = page.fills[..] else { panic!("{:?}", page.fills) };
        let block = planned(known(1), &words(), &options).block(0);
        assert!((area.right() - block.right()).abs() < 0.1 && (area.bottom() - block.bottom()).abs() < 0.1);
        assert!((area.width / area.height - f64::from(width) / f64::from(height)).abs() < 0.05, "{area:?}");
        assert!(area.width <= block.width * 0.36 && area.height <= block.height * 0.13, "{area:?}");
        assert!(page.grays.iter().any(|gray| (gray - 0.3).abs() < 0.01), "{:?}", page.grays);
    }
    let picture = Box::leak(Box::new(
        Picture::read(b"<svg xmlns='http://www.w3.org/2000/svg'><rect width='9' height='9'/></svg>").unwrap(),
    ));
    let play = Options { standard: Standard::Play, logo: Some(picture), ..Options::default() };
    assert!(make(known(1), &words(), &play).unwrap_err().to_string().contains("leave out --logo"));
}

/// Small boards first, each with a page that has its rules, and levels in order within each.
#[test]
fn a_book_can_have_a_section_for_each_board() {
    let options = Options { sections: Sections::Board, ..Options::default() };
    let book = make(entries(&["3x3", "2x2", "2x3"], 18, 3), &words(), &options).unwrap();
    let orders: Vec<usize> = book.places.iter().map(|place| place.puzzle.shape().order()).collect();
    assert_eq!(orders, [[4; 6], [6; 6], [9; 6]].concat());
    for levels in book.places.chunks(6) {
        let levels: Vec<&str> = levels.iter().map(|place| &*place.level).collect();
        assert_eq!(levels, ["Easy", "Easy", "Medium", "Medium", "Hard", "Hard"]);
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
    // The check before the puzzles are known takes the board of the word.
    for (word, order) in [("STAR", Some(4)), ("PLANET", Some(6)), ("ABCDEFGHI", Some(9)), ("MONDAYS", None)] {
        let smallest = spelling(word).smallest_board();
        assert_eq!(smallest.map(Shape::order), order);
        assert_eq!(planner::check(smallest.map(|shape| (shape, 4)), &spelling(word)), Ok(()), "{word}");
    }
}

/// Puzzles without a level stand in a section that is called "Puzzles".
#[test]
fn a_section_without_a_level_says_once_that_it_has_puzzles() {
    for (count, levels, name, held) in
        [(12, 0, "Puzzles", "1–12"), (1, 0, "Puzzles", "1"), (12, 1, "Easy", "Puzzles 1–12")]
    {
        let plan = planned(entries(&["3x3"], count, levels), &words(), &Options::default());
        let section = &plan.sections[0];
        assert_eq!((section.name.as_str(), plan.text.held(section).as_str()), (name, held));
    }
}
