//! Tests of the refusals and their messages.

use super::*;
use crate::publish::book::{Answers, check};

fn error(entries: Vec<Entry>, options: &Options) -> String {
    make(entries, &words(), options).unwrap_err().to_string()
}

#[test]
fn an_empty_book_is_refused_and_one_puzzle_is_a_book() {
    assert_eq!(make(Vec::new(), &words(), &Options::default()).unwrap_err(), BookError::Empty);
    let book = make(entries(&["3x3"], 1, 1), &words(), &Options::default()).unwrap();
    assert_eq!((book.pages, book.notes > 0), (24, true));
}

#[test]
fn too_many_pages_are_refused() {
    let one = Options { per_page: Some(1), ..Options::default() };
    let message = error(entries(&["2x2"], 800, 1), &one);
    assert!(message.contains("800 puzzles make") && message.contains("more than 828, Kindle Direct"), "{message}");
    assert!(make(entries(&["2x2"], 740, 1), &words(), &one).unwrap().pages <= 828);
}

/// Before puzzles are chosen, only those numbers of puzzles are refused for which no book has enough pages.
#[test]
fn the_least_number_of_pages_is_known_beforehand() {
    let usual = Options::default();
    let all = [
        usual,
        Options { per_page: Some(6), answers: Answers::Level, trim: trim("8.5x11"), ..usual },
        Options { answers: Answers::Below, ..usual },
        Options { answers: Answers::Overleaf, per_page: Some(1), running_heads: true, ..usual },
        Options { large_print: true, trim: trim("8.5x11"), ..usual },
    ];
    for options in all {
        let pages = make(entries(&["3x3"], 150, 3), &words(), &options).unwrap().pages;
        let just = Options { max_pages: Some(pages), ..options };
        assert_eq!(check([(Shape::NINE, 150)], &just), Ok(()), "{options:?}");
        assert_eq!(check([(Shape::of_order(4).unwrap(), 150)], &just), Ok(()), "{options:?}");
        assert!(matches!(check([(Shape::NINE, 400)], &just), Err(BookError::TooManyPages { .. })), "{options:?}");
    }
    let large = check([(Shape::of_order(36).unwrap(), 1)], &usual).unwrap_err().to_string();
    assert!(large.contains("1 on a page of 6x9, a 36x36 board"), "{large}");
}

#[test]
fn boards_that_are_too_small_are_refused() {
    let six = Options { per_page: Some(6), ..Options::default() };
    let message = error(entries(&["4x4"], 2, 1), &six);
    assert!(
        message.contains("6 on a page of 6x9, a 16x16 board, 4x4 boxes") && message.contains("fewer on a page"),
        "{message}"
    );
    let message = error(entries(&["6x6"], 1, 1), &Options::default());
    assert!(message.contains("1 on a page of 6x9, a 36x36 board, 6x6 boxes"), "{message}");
    let large = Options { trim: trim("8.5x11"), ..Options::default() };
    assert!(make(entries(&["6x6"], 1, 1), &words(), &large).is_ok());
}

#[test]
fn the_limit_of_pages_depends_on_trim_and_paper_and_printer() {
    let one = Options { per_page: Some(1), trim: trim("8.5x11"), ..Options::default() };
    let message = error(entries(&["2x2"], 560, 1), &one);
    assert!(
        message.contains("more than 590, Kindle Direct Publishing's limit for 8.5x11, black ink on white"),
        "{message}"
    );
    assert!(make(entries(&["2x2"], 560, 1), &words(), &Options { max_pages: Some(700), ..one }).is_ok());
    let message = error(entries(&["2x2"], 5, 1), &Options { max_pages: Some(20), ..one });
    assert!(message.contains("more than 20, the limit that was asked for"), "{message}");
}

#[test]
fn large_print_that_is_not_large_is_refused() {
    let small = Options { trim: trim("5x8"), large_print: true, ..Options::default() };
    let message = error(entries(&["3x3"], 1, 1), &small);
    assert!(message.contains("large print needs digits of 28 pt") && message.contains("on 5x8"), "{message}");
    let large = Options { trim: trim("8.5x11"), large_print: true, ..Options::default() };
    assert!(make(entries(&["4x4"], 1, 1), &words(), &large).is_ok());
    assert!(error(entries(&["6x6"], 1, 1), &large).contains("6x6"));
}

#[test]
fn cells_that_are_hard_to_write_into_are_mentioned() {
    let small = Options { trim: trim("5x8"), ..Options::default() };
    let book = make(entries(&["5x5"], 3, 1), &words(), &small).unwrap();
    assert!(
        book.warnings[0].contains("25x25 board, 5x5 boxes: its cells on 5x8") && book.warnings[0].contains("mm"),
        "{:?}",
        book.warnings
    );
    assert!(make(entries(&["3x3"], 3, 1), &words(), &small).unwrap().warnings.is_empty());
}

#[test]
fn a_solution_of_another_puzzle_is_refused() {
    let mut wrong = entries(&["3x3"], 3, 1);
    wrong[1].solution = wrong[0].solution.clone();
    assert_eq!(make(wrong, &words(), &Options::default()).unwrap_err(), BookError::Solution { number: 2 });
}

#[test]
fn words_that_cannot_be_set_are_named() {
    let message = |title: &str, author: Option<&str>, imprint: Option<&str>| {
        let checked = Words::new(title, author, imprint).and_then(|words| words.check(&Typeface::open()?));
        checked.unwrap_err().to_string()
    };
    assert!(message("数独", None, None).starts_with("the title holds '数', '独'"));
    assert!(message("x", Some("\u{202e}evil"), None).contains("author holds '\\u{202e}'"));
    assert!(message("x", None, Some("bell \u{7}")).contains("imprint holds '\\u{7}'"));
    assert_eq!(message(" \n ", None, None), "the title is empty");
    assert_eq!(message("x", Some(""), None), "the author is empty");
    assert!(message(&"long ".repeat(100), None, None).contains("499 characters; 200 at most"));
    assert!(message("x", None, Some(&"word ".repeat(5000))).contains("20000 at most"));
    assert!(Words::new("Cafe\u{301} Судоку Σουντόκου", None, None).is_ok());
}

#[test]
fn an_imprint_that_does_not_fit_its_page_is_refused() {
    let words = Words::new("x", None, Some(&"A line of the imprint.\n".repeat(80))).unwrap();
    let message = make(entries(&["3x3"], 1, 1), &words, &Options::default()).unwrap_err().to_string();
    assert!(message.contains("no room for 'A line of the imprint."), "{message}");
}

#[test]
fn hostile_titles_stay_on_their_page() {
    let titles = ["W".repeat(200), "supercalifragilistic ".repeat(9), ")\\(<>/%".repeat(20), "a ".repeat(100)];
    for title in titles {
        for options in [Options::default(), Options { trim: trim("5x8"), ..Options::default() }] {
            let words = Words::new(&title, Some(&title), Some(&title)).unwrap();
            let book = drawn(entries(&["3x3"], 2, 1), &words, &options);
            for page in 0..2 {
                let block = book.plan.sheet.block(book.plan.is_recto(page));
                for bounds in book.pages[page].iter().map(|item| item.bounds(book.typeface)) {
                    assert!(bounds.right() <= block.right() + 0.01, "{title}");
                    assert!(bounds.y >= block.y && bounds.bottom() <= block.bottom() + 0.01, "{title}");
                }
            }
        }
    }
}

#[test]
fn the_same_book_has_the_same_bytes_and_another_has_not() {
    let book = |count, title| {
        let words = Words::new(title, None, None).unwrap();
        make(entries(&["3x3"], count, 2), &words, &Options::default()).unwrap().pdf
    };
    assert_eq!(book(30, "One"), book(30, "One"));
    assert_ne!(book(30, "One"), book(31, "One"));
    assert_ne!(book(30, "One"), book(30, "Two"));
}
