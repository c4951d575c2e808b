//! Tests of positions on the page.

use super::*;
use crate::book::printer::Printer;
use crate::book::sheet::arrangement::MIN_CELL;
use crate::book::tests::pages::Stroke;
use crate::draw::measures::INCH;

#[test]
fn lines_have_the_thickness_that_printers_ask_for() {
    let usual = Options::default();
    let large = Options { large_print: true, ..usual };
    let own = Options { lines: Some((1.4, 0.4)), ..usual };
    for (options, puzzles, solutions) in
        [(usual, (2.0, 0.75), (1.3, 0.75)), (large, (2.8, 1.0), (1.82, 0.75)), (own, (1.4, 0.4), (1.2, 0.4))]
    {
        let plan = planned(entries(&["3x3"], 31, 6), &words(), &options);
        let book = make(entries(&["3x3"], 31, 6), &words(), &options).unwrap();
        for (page, kind) in pages::read(&book.data, plan.composer.typeface).iter().zip(&plan.pages) {
            let (boxes, cells) = match kind {
                PageKind::Puzzles(_) => puzzles,
                PageKind::Solutions(_) => solutions,
                _ => continue,
            };
            for Stroke { width, .. } in page.frames.iter().chain(&page.lines) {
                let near = |line: f64| (width - line).abs() < 0.01;
                assert!(near(boxes) || near(cells), "{kind:?}: {width}");
            }
        }
        assert!(plan.shapes.iter().all(|of| of.puzzles.look.cell_side >= MIN_CELL));
    }
}

#[test]
fn large_print_is_large() {
    for options in all_options().into_iter().filter(|options| options.large_print) {
        for shape in ["2x2", "2x3", "3x3"] {
            let plan = planned(entries(&[shape], 3, 1), &words(), &options);
            let (puzzles, solutions) = (&plan.shapes[0].puzzles, &plan.shapes[0].solutions);
            let (block, trim) = (plan.sheet.block(true), options.trim);
            assert_eq!(puzzles.per_page(), 1);
            assert!((28.0..=36.0).contains(&puzzles.look.digit_size), "{trim} {shape}: {:?}", puzzles.look);
            // As wide as the page allows; cells grow by quarters of a point.
            assert!(puzzles.side > block.width - 3.0, "{trim} {shape}: {:?}", puzzles.look);
            let few = if ["A5", "6x9"].contains(&trim.name) { 1..=4 } else { 2..=4 };
            assert!(solutions.look.digit_size >= 18.0 && few.contains(&solutions.per_page()), "{trim} {shape}");
            // Larger than with one puzzle a page in ordinary print.
            let one = Options { large_print: false, per_page: Some(1), ..options };
            let plain = planned(entries(&[shape], 3, 1), &words(), &one);
            assert!(puzzles.look.digit_size > plain.shapes[0].puzzles.look.digit_size - 1e-9, "{trim} {shape}");
        }
    }
}

#[test]
fn small_boards_do_not_suffer_from_large_ones() {
    let mixed = planned(entries(&["2x3", "4x4"], 24, 1), &words(), &Options::default());
    let alone = planned(entries(&["2x3"], 24, 1), &words(), &Options::default());
    assert_eq!(mixed.shapes[0].puzzles.look, alone.shapes[0].puzzles.look);
    assert_eq!(mixed.shapes.len(), 2);
}

#[test]
fn pages_are_even_and_parts_begin_on_right_hand_pages() {
    let words = words();
    for count in [1, 2, 3, 4, 5, 20, 37, 100, 311] {
        for (levels, per_page) in [(0, 1), (1, 2), (3, 4), (6, 6)] {
            let options = Options { per_page: Some(per_page), ..Options::default() };
            let plan = planned(entries(&["3x3"], count, levels), &words, &options);
            let pages = plan.pages.len();
            let least = Printer::None.rules().least_pages;
            assert!(pages.is_multiple_of(2) && (least..=828).contains(&pages));
            assert!(plan.front.is_multiple_of(2) && plan.label(plan.front) == "1" && plan.label(0) == "i");
            assert!(plan.notes() < 2 || pages == least, "no more notes than needed");
            for (page, kind) in plan.pages.iter().enumerate() {
                let opens = match kind {
                    PageKind::Title | PageKind::Section(_) => true,
                    PageKind::Solutions(range) => range.start == 0,
                    _ => page == plan.front,
                };
                assert!(!opens || plan.is_recto(page), "{kind:?} on page {page}");
            }
            let of_kind = |range: fn(&PageKind) -> Option<&std::ops::Range<usize>>| -> Vec<usize> {
                plan.pages.iter().filter_map(range).flat_map(Clone::clone).collect()
            };
            let all: Vec<usize> = (0..count).collect();
            assert_eq!(of_kind(|kind| if let PageKind::Puzzles(range) = kind { Some(range) } else { None }), all);
            assert_eq!(of_kind(|kind| if let PageKind::Solutions(range) = kind { Some(range) } else { None }), all);
        }
    }
}

#[test]
fn solutions_are_6_to_12_a_page_where_boards_can_be_read_so() {
    for options in all_options().into_iter().filter(|options| !options.large_print) {
        for shape in ["2x2", "2x3", "2x4", "3x3"] {
            let plan = planned(entries(&[shape], 3, 1), &words(), &options);
            let per_page = plan.shapes[0].solutions.per_page();
            assert!((6..=12).contains(&per_page), "{} {shape}: {per_page}", options.trim);
        }
    }
}

#[test]
fn more_pages_make_a_wider_gutter() {
    for (count, pages, inches) in [(100, 24..=150, 0.375), (700, 701..=828, 0.875)] {
        let options = Options { per_page: Some(1), ..Options::default() };
        let plan = planned(entries(&["2x2"], count, 1), &words(), &options);
        assert!(pages.contains(&plan.pages.len()) && plan.sheet.inside >= (inches + 0.1) * INCH, "{count}");
    }
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
        crate::book::pages::front::subtitle(&planned(entries(shapes, count, levels), &words(), &Options::default()))
    };
    assert_eq!(subtitle(&["3x3"], 1, 0), "1 puzzle");
    assert_eq!(subtitle(&["3x3"], 30, 1), "30 puzzles · Easy");
    assert_eq!(subtitle(&["3x3"], 30, 3), "30 puzzles · Easy to Hard");
    assert_eq!(subtitle(&["4x4"], 4, 1), "4 puzzles · 16 × 16 · Easy");
    assert_eq!(subtitle(&["3x3", "2x2"], 30, 5), "30 puzzles · 4 × 4 to 9 × 9 · Easy to Extreme");
}
