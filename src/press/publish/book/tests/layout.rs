//! Tests of positions on the page.

use std::sync::LazyLock;

use super::super::plan::PageKind;
use super::super::sheet::{Area, Bleed, MAX_PAGES, MIN_PAGES, gutter};
use super::super::sizes::{LARGE_PRINT_TYPE, MIN_CELL, MIN_TYPE};
use super::super::{Answers, Difficulty, Ornament, Symbols};
use super::*;
use crate::publish::words::Language;
use crate::publish::{levels, series};

const INCH: f64 = 72.0;

/// Books with every option, small enough to draw all of their pages; drawn once for all tests.
fn books() -> &'static [(String, Drawn)] {
    static BOOKS: LazyLock<Vec<(String, Drawn)>> = LazyLock::new(draw_books);
    &BOOKS
}

fn draw_books() -> Vec<(String, Drawn)> {
    let words = words();
    let mut books = Vec::new();
    for options in all_options() {
        let name = format!("{} {:?} {}", options.trim, options.per_page, options.large_print);
        books.push((name, drawn(entries(&["3x3"], 31, 6), &words, &options)));
    }
    for shapes in [["2x2"], ["2x3"], ["3x2"], ["2x4"], ["2x5"], ["3x4"], ["4x4"], ["4x5"], ["5x5"]] {
        for name in ["5x8", "6x9", "8.5x11"] {
            let options = Options { trim: trim(name), ..Options::default() };
            books.push((format!("{} on {name}", shapes[0]), drawn(entries(&shapes, 9, 2), &words, &options)));
        }
    }
    let mixed = entries(&["3x3", "2x2", "4x4", "3x2", "2x3"], 20, 3);
    books.push(("mixed".into(), drawn(mixed, &words, &Options::default())));
    let usual = Options::default();
    let unrated = drawn(entries(&["3x3"], 20, 0), &words, &Options { bleed: Bleed::USUAL, ..usual });
    books.push(("unrated".into(), unrated));
    let everything =
        Options { difficulty: Difficulty::Stars, time: true, technique: true, hints: true, shade: true, ..usual };
    for answers in [Answers::Level, Answers::Overleaf, Answers::Below] {
        let options = Options { answers, ..everything };
        books.push((format!("everything, {answers:?}"), drawn(entries(&["3x3"], 21, 3), &words, &options)));
    }
    for symbols in [Symbols::Numbers, Symbols::Hexadecimal, Symbols::Letters] {
        let options = Options { symbols, difficulty: Difficulty::Bars, ornament: Ornament::None, ..usual };
        books.push((format!("{symbols:?}"), drawn(entries(&["4x4"], 9, 3), &words, &options)));
    }
    for tag in Language::tags() {
        let mut words = words.clone();
        words.language = Language::named(tag).unwrap();
        words.levels = levels::texts(&levels::Levels::hodoku(), &words.language);
        for options in [usual, Options { trim: trim("5x8"), ..usual }] {
            books
                .push((format!("{tag} on {}", options.trim), drawn(entries(&["3x3", "4x4"], 24, 6), &words, &options)));
        }
        let mut days = entries(&["3x3"], 40, 6);
        for (entry, day) in days.iter_mut().zip(series::days("2027-09-20".parse().unwrap(), 40)) {
            entry.day = Some(day);
        }
        let options = Options { keep_order: true, trim: trim("5x8"), ..usual };
        books.push((format!("calendar in {tag}"), drawn(days, &words, &options)));
    }
    books
}

fn overlap(one: &Area, other: &Area) -> bool {
    one.x < other.right() && other.x < one.right() && one.y < other.bottom() && other.y < one.bottom()
}

#[test]
fn everything_is_inside_the_margins_and_no_type_is_too_small() {
    for (name, book) in books() {
        let sheet = book.plan.sheet;
        assert!(sheet.inside >= gutter(book.pages.len()), "{name}");
        for (page, items) in book.pages.iter().enumerate() {
            let block = sheet.block(book.plan.is_recto(page));
            for item in items {
                let bounds = item.bounds(&book.typeface);
                let across = bounds.x >= block.x - 0.01 && bounds.right() <= block.right() + 0.01;
                assert!(across, "{name}, page {page}: {item:?} sticks out of {block:?}");
                let below = if matches!(item, Item::Text { .. }) { sheet.foot_line() } else { block.bottom() };
                let down = bounds.y >= block.y - 0.01 && bounds.bottom() <= below + 0.01;
                assert!(down, "{name}, page {page}: {item:?} sticks out of {block:?}");
                assert!(sheet.trim.height - bounds.bottom() >= 0.25 * INCH && bounds.y >= 0.25 * INCH);
                let mut texts = Vec::new();
                item.texts(&mut texts);
                let least = if book.plan.options.large_print { LARGE_PRINT_TYPE } else { MIN_TYPE };
                for (_, size, _) in texts {
                    assert!(size >= least, "{name}, page {page}: {size} pt");
                }
            }
        }
    }
}

/// The boards of a page: areas with their frames.
fn boards(book: &Drawn, page: usize) -> Vec<Area> {
    let frames = book.pages[page].iter().filter(|item| matches!(item, Item::Frame { .. }));
    frames.map(|frame| frame.bounds(&book.typeface)).collect()
}

#[test]
fn boards_do_not_touch_and_captions_are_between_them() {
    for (name, book) in books() {
        for (page, kind) in book.plan.pages.iter().enumerate() {
            let (PageKind::Puzzles(range) | PageKind::Solutions(range)) = kind else { continue };
            let boards = boards(book, page);
            assert_eq!(boards.len(), range.len(), "{name}, page {page}");
            let words = if book.plan.options.symbols == Symbols::Numbers { 0 } else { 1 };
            let inside = |area: &Area| boards.iter().any(|board| overlap(area, board));
            let captions: Vec<Area> = book.pages[page]
                .iter()
                .filter(|item| matches!(item, Item::Text { .. }))
                .flat_map(|item| single_glyphs(item, &book.typeface))
                .filter(|glyph| !inside(glyph))
                .collect();
            assert!(captions.len() >= (1 + words) * range.len(), "{name}, page {page}");
            for (at, board) in boards.iter().enumerate() {
                assert!(boards[at + 1..].iter().all(|other| !overlap(board, other)), "{name}, page {page}");
                let around =
                    Area { x: board.x - 2.0, y: board.y - 2.0, width: board.width + 4.0, height: board.height + 4.0 };
                assert!(captions.iter().all(|caption| !overlap(&around, caption)), "{name}, page {page}");
            }
        }
    }
}

/// Every glyph of a text as an item of its own.
fn single_glyphs(item: &Item, typeface: &Typeface) -> Vec<Area> {
    let Item::Text { weight, size, glyphs } = item else { return Vec::new() };
    let single = |glyph: &_| Item::Text { weight: *weight, size: *size, glyphs: vec![*glyph] }.bounds(typeface);
    glyphs.iter().filter(|glyph| glyph.character != ' ').map(single).collect()
}

#[test]
fn no_two_pieces_of_text_overlap() {
    for (name, book) in books() {
        for (page, items) in book.pages.iter().enumerate() {
            let texts: Vec<(usize, Area)> = items
                .iter()
                .enumerate()
                .flat_map(|(at, item)| single_glyphs(item, &book.typeface).into_iter().map(move |area| (at, area)))
                .collect();
            for (place, (at, one)) in texts.iter().enumerate() {
                let other = texts[place + 1..].iter().find(|(other, area)| other != at && overlap(one, area));
                assert_eq!(other, None, "{name}, page {page}: {one:?}");
            }
        }
    }
}

#[test]
fn lines_have_the_thickness_that_printers_ask_for() {
    for (name, book) in books() {
        for (page, kind) in book.plan.pages.iter().enumerate() {
            if !matches!(kind, PageKind::Puzzles(_) | PageKind::Solutions(_)) {
                continue;
            }
            for item in &book.pages[page] {
                if let Item::Line { width, .. } | Item::Frame { width, .. } = item {
                    let good = (1.2..=2.2).contains(width) || (0.3..=0.5).contains(width);
                    assert!(good, "{name}, page {page}: {width}");
                }
            }
        }
        let cells = book.plan.shapes.iter().map(|(_, puzzles, _)| puzzles.look.cell);
        assert!(cells.into_iter().all(|cell| cell >= MIN_CELL), "{name}");
    }
}

#[test]
fn large_print_is_large() {
    for options in all_options().into_iter().filter(|options| options.large_print) {
        for shape in ["2x2", "2x3", "3x3"] {
            let book = drawn(entries(&[shape], 3, 1), &words(), &options);
            let (_, puzzles, solutions) = &book.plan.shapes[0];
            let block = book.plan.sheet.block(true);
            assert_eq!(puzzles.per_page(), 1);
            assert!((28.0..=36.0).contains(&puzzles.look.digit), "{} {shape}: {:?}", options.trim, puzzles.look);
            // As wide as the page allows; cells grow by quarters of a point.
            assert!(puzzles.side > block.width - 3.0, "{} {shape}: {:?}", options.trim, puzzles.look);
            assert!(
                solutions.look.digit >= 16.0
                    && solutions.per_page() <= 4
                    && (solutions.per_page() > 1 || options.trim.name == "A5"),
                "{} {shape}",
                options.trim
            );
            // Larger than with one puzzle a page in ordinary print.
            let one = Options { large_print: false, per_page: Some(PerPage::One), ..options };
            let plain = drawn(entries(&[shape], 3, 1), &words(), &one);
            assert!(puzzles.look.digit > plain.plan.shapes[0].1.look.digit - 1e-9, "{} {shape}", options.trim);
        }
    }
}

#[test]
fn small_boards_do_not_suffer_from_large_ones() {
    let mixed = drawn(entries(&["2x3", "4x4"], 24, 1), &words(), &Options::default());
    let alone = drawn(entries(&["2x3"], 24, 1), &words(), &Options::default());
    assert_eq!(mixed.plan.shapes[0].1, alone.plan.shapes[0].1);
    assert_eq!(mixed.plan.shapes.len(), 2);
}

#[test]
fn pages_are_even_and_parts_begin_on_right_hand_pages() {
    let words = words();
    for count in [1, 2, 3, 4, 5, 20, 37, 100, 311] {
        for (levels, per_page) in [(0, PerPage::One), (1, PerPage::Two), (3, PerPage::Four), (6, PerPage::Six)] {
            let options = Options { per_page: Some(per_page), ..Options::default() };
            let book = drawn(entries(&["3x3"], count, levels), &words, &options);
            let (plan, pages) = (&book.plan, book.pages.len());
            assert!(pages.is_multiple_of(2) && (MIN_PAGES..=MAX_PAGES).contains(&pages));
            assert!(plan.front.is_multiple_of(2) && plan.label(plan.front) == "1" && plan.label(0) == "i");
            assert!(plan.notes() < 2 || pages == MIN_PAGES, "no more notes than needed");
            for (page, kind) in plan.pages.iter().enumerate() {
                let opens = match kind {
                    PageKind::Title | PageKind::Part(_) => true,
                    PageKind::Solutions(range) => range.start == 0,
                    _ => page == plan.front,
                };
                assert!(!opens || plan.is_recto(page), "{kind:?} on page {page}");
            }
            let puzzles: Vec<usize> =
                of_kind(plan, |kind| if let PageKind::Puzzles(range) = kind { Some(range) } else { None });
            let solved: Vec<usize> =
                of_kind(plan, |kind| if let PageKind::Solutions(range) = kind { Some(range) } else { None });
            assert_eq!(puzzles, (0..count).collect::<Vec<_>>());
            assert_eq!(solved, puzzles);
        }
    }
}

fn of_kind(plan: &Plan, range: fn(&PageKind) -> Option<&std::ops::Range<usize>>) -> Vec<usize> {
    plan.pages.iter().filter_map(range).flat_map(Clone::clone).collect()
}

#[test]
fn solutions_are_6_to_12_a_page_where_boards_can_be_read_so() {
    for options in all_options() {
        for shape in ["2x2", "2x3", "2x4", "3x3"] {
            if options.large_print {
                continue;
            }
            let book = drawn(entries(&[shape], 3, 1), &words(), &options);
            let per_page = book.plan.shapes[0].2.per_page();
            assert!((6..=12).contains(&per_page), "{} {shape}: {per_page}", options.trim);
        }
    }
}

#[test]
fn more_pages_make_a_wider_gutter() {
    let words = words();
    let inside = |count: usize| {
        let options = Options { per_page: Some(PerPage::One), ..Options::default() };
        let book = drawn(entries(&["2x2"], count, 1), &words, &options);
        assert!(book.plan.sheet.inside >= gutter(book.pages.len()) + 0.1 * INCH);
        (book.pages.len(), book.plan.sheet.inside)
    };
    let (small, large) = (inside(100), inside(700));
    assert!(small.0 <= 150 && large.0 > 700, "{small:?} {large:?}");
    assert!(large.1 > small.1);
}

#[test]
fn puzzles_are_ordered_by_level_and_by_difficulty_within_it() {
    let mut mixed = entries(&["3x3"], 30, 0);
    for (at, entry) in mixed.iter_mut().enumerate() {
        entry.level = [Some(2), None, Some(0)][at % 3];
        entry.effort = (at * 7 % 30) as u32;
    }
    order(&mut mixed);
    let keys: Vec<(bool, Option<usize>, u32)> =
        mixed.iter().map(|entry| (entry.level.is_none(), entry.level, entry.effort)).collect();
    assert!(keys.is_sorted(), "{keys:?}");
}

#[test]
fn the_title_page_says_what_is_in_the_book() {
    let subtitle = |shapes: &[&str], count: usize, levels: usize| {
        let book = drawn(entries(shapes, count, levels), &words(), &Options::default());
        super::super::front::subtitle(&book.entries, &book.plan, &words())
    };
    assert_eq!(subtitle(&["3x3"], 1, 0), "1 puzzle");
    assert_eq!(subtitle(&["3x3"], 30, 1), "30 puzzles · Easy");
    assert_eq!(subtitle(&["3x3"], 30, 3), "30 puzzles · Easy to Hard");
    assert_eq!(subtitle(&["4x4"], 4, 1), "4 puzzles · 16 × 16 · Easy");
    assert_eq!(subtitle(&["3x3", "2x2"], 30, 5), "30 puzzles · 4 × 4 to 9 × 9 · Easy to Extreme");
}
