//! Where everything stands.

use std::sync::LazyLock;

use super::super::plan::Kind;
use super::super::sheet::{Area, MAX_PAGES, MIN_PAGES, gutter};
use super::super::sizes::{MIN_CELL, MIN_TYPE};
use super::*;

const INCH: f64 = 72.0;

/// Books of every make-up, small enough to draw all of their pages; drawn once for all tests.
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
    let unrated = drawn(entries(&["3x3"], 20, 0), &words, &Options { bleed: true, ..Options::default() });
    books.push(("unrated".into(), unrated));
    books
}

fn overlap(one: &Area, other: &Area) -> bool {
    one.x < other.right() && other.x < one.right() && one.y < other.bottom() && other.y < one.bottom()
}

#[test]
fn everything_stands_inside_the_margins_and_no_type_is_too_small() {
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
                if let Item::Text { size, .. } = item {
                    assert!(*size >= MIN_TYPE, "{name}, page {page}: {size} pt");
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
fn boards_stand_apart_and_captions_between_them() {
    for (name, book) in books() {
        for (page, kind) in book.plan.pages.iter().enumerate() {
            let (Kind::Puzzles(range) | Kind::Solutions(range)) = kind else { continue };
            let boards = boards(book, page);
            assert_eq!(boards.len(), range.len(), "{name}, page {page}");
            let inside = |area: &Area| boards.iter().any(|board| overlap(area, board));
            let captions: Vec<Area> = book.pages[page]
                .iter()
                .filter(|item| matches!(item, Item::Text { .. }))
                .flat_map(|item| single_glyphs(item, &book.typeface))
                .filter(|glyph| !inside(glyph))
                .collect();
            assert!(captions.len() >= 2 * range.len(), "{name}, page {page}");
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
            if !matches!(kind, Kind::Puzzles(_) | Kind::Solutions(_)) {
                continue;
            }
            for item in &book.pages[page] {
                if let Item::Line { width, .. } | Item::Frame { width, .. } = item {
                    let good = (1.2..=1.5).contains(width) || (0.3..=0.5).contains(width);
                    assert!(good, "{name}, page {page}: {width}");
                }
            }
        }
        let cells = book.plan.shapes.iter().map(|&shape| book.plan.puzzles.look(shape).cell);
        assert!(cells.into_iter().all(|cell| cell >= MIN_CELL), "{name}");
    }
}

#[test]
fn large_print_is_large() {
    for options in all_options().into_iter().filter(|options| options.large_print) {
        for shape in ["2x2", "2x3", "3x3"] {
            let book = drawn(entries(&[shape], 3, 1), &words(), &options);
            let look = book.plan.puzzles.look(shape.parse().unwrap());
            assert_eq!(book.plan.puzzles.per_page(), 1);
            assert!((18.0..=24.0).contains(&look.digit), "{} {shape}: {look:?}", options.trim);
            assert!(look.outer_side(shape.parse().unwrap()) >= 4.49 * INCH, "{} {shape}: {look:?}", options.trim);
        }
    }
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
                    Kind::Title | Kind::Part(_) => true,
                    Kind::Solutions(range) => range.start == 0,
                    _ => page == plan.front,
                };
                assert!(!opens || plan.is_recto(page), "{kind:?} on page {page}");
            }
            let puzzles: Vec<usize> =
                of_kind(plan, |kind| if let Kind::Puzzles(range) = kind { Some(range) } else { None });
            let solved: Vec<usize> =
                of_kind(plan, |kind| if let Kind::Solutions(range) = kind { Some(range) } else { None });
            assert_eq!(puzzles, (0..count).collect::<Vec<_>>());
            assert_eq!(solved, puzzles);
        }
    }
}

fn of_kind(plan: &Plan, range: fn(&Kind) -> Option<&std::ops::Range<usize>>) -> Vec<usize> {
    plan.pages.iter().filter_map(range).flat_map(Clone::clone).collect()
}

#[test]
fn solutions_are_6_to_12_a_page_where_boards_can_be_read_so() {
    for options in all_options() {
        for shape in ["2x2", "2x3", "2x4", "3x3"] {
            if options.large_print && shape == "2x2" {
                continue;
            }
            let book = drawn(entries(&[shape], 3, 1), &words(), &options);
            let per_page = book.plan.solutions.per_page();
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
fn puzzles_are_ordered_by_level_and_keep_their_order_within_it() {
    let mut mixed = entries(&["3x3"], 30, 0);
    for (at, entry) in mixed.iter_mut().enumerate() {
        entry.level = [Some(Level::Hard), None, Some(Level::Easy)][at % 3];
    }
    let given = mixed.clone();
    order(&mut mixed);
    let expected = [2, 0, 1].into_iter().flat_map(|first| given.iter().skip(first).step_by(3).cloned());
    assert_eq!(mixed, expected.collect::<Vec<_>>());
}

#[test]
fn the_title_page_says_what_is_in_the_book() {
    let subtitle = |shapes: &[&str], count: usize, levels: usize| {
        let book = drawn(entries(shapes, count, levels), &words(), &Options::default());
        super::super::front::subtitle(&book.entries, &book.plan)
    };
    assert_eq!(subtitle(&["3x3"], 1, 0), "One puzzle");
    assert_eq!(subtitle(&["3x3"], 30, 1), "30 easy puzzles");
    assert_eq!(subtitle(&["3x3"], 30, 3), "30 puzzles, easy to hard");
    assert_eq!(subtitle(&["4x4"], 4, 1), "4 easy puzzles, 16 × 16");
    assert_eq!(subtitle(&["3x3", "2x2"], 30, 5), "30 puzzles, 4 × 4 to 9 × 9, easy to extreme");
    assert_eq!(subtitle(&["3x3"], 30, 6), "30 puzzles");
}
