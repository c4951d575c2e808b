//! Tests of the refusals and their messages.

use super::*;
use crate::book::options::Answers;
use crate::book::pages::planner::check;
use crate::book::printer::Printer;
use crate::book::trim::Bleed;

#[test]
fn books_that_cannot_be_made_are_refused_with_the_reason() {
    let usual = Options::default();
    let one = Options { per_page: Some(1), ..usual };
    let wide = Options { trim: trim("8.5x11"), ..usual };
    let large_print = |name: &str| Options { trim: trim(name), large_print: true, ..usual };
    let refused: [(&str, usize, Options, &[&str]); 8] = [
        ("3x3", 0, usual, &["a book needs at least one puzzle"]),
        ("2x2", 800, one, &["800 puzzles make", "more than 828, the limit of Kindle Direct"]),
        (
            "2x2",
            560,
            Options { per_page: Some(1), ..wide },
            &["more than 590, the limit of Kindle Direct Publishing, paperback for 8.5x11, black ink on white"],
        ),
        ("2x2", 5, Options { max_pages: Some(20), ..one }, &["more than 20, the limit of --max-pages: leave it out"]),
        (
            "4x4",
            2,
            Options { per_page: Some(6), ..usual },
            &["6 on a page of 6x9, a 16x16 board, 4x4 boxes", "fewer on a page"],
        ),
        ("6x6", 1, usual, &["1 on a page of 6x9, a 36x36 board, 6x6 boxes"]),
        ("3x3", 1, large_print("5x8"), &["large print needs digits of 28 pt", "on 5x8"]),
        ("6x6", 1, large_print("8.5x11"), &["6x6"]),
    ];
    for (shape, count, options, said) in refused {
        let message = make(entries(&[shape], count, 1), &words(), &options).unwrap_err().to_string();
        assert!(said.iter().all(|said| message.contains(said)), "{message}");
    }
    for (shape, count, options) in [
        ("2x2", 740, one),
        ("2x2", 560, Options { per_page: Some(1), max_pages: Some(700), ..wide }),
        ("6x6", 1, wide),
        ("4x4", 1, large_print("8.5x11")),
    ] {
        assert!(make(entries(&[shape], count, 1), &words(), &options).unwrap().pages <= 828, "{shape}");
    }
    let book = make(entries(&["3x3"], 1, 1), &words(), &usual).unwrap();
    assert_eq!((book.pages, book.notes > 0), (24, true));
    assert!((book.spine - 24.0 * 0.002_252 * 72.0).abs() < 1e-9);
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
fn cells_that_are_hard_to_write_into_are_mentioned() {
    let small = Options { trim: trim("5x8"), ..Options::default() };
    let warning = &make(entries(&["5x5"], 3, 1), &words(), &small).unwrap().warnings[0];
    assert!(warning.contains("25x25 board, 5x5 boxes: its cells on 5x8") && warning.contains("mm"), "{warning}");
    assert!(make(entries(&["3x3"], 3, 1), &words(), &small).unwrap().warnings.is_empty());
}

#[test]
fn a_solution_of_another_puzzle_is_refused() {
    let mut wrong = entries(&["3x3"], 3, 1);
    wrong[1].solution = wrong[0].solution.clone();
    // The book has another order, so that a number would be that of another puzzle.
    wrong[1].level = Some(0);
    let puzzle = wrong[1].puzzle.to_string();
    let error = make(wrong, &words(), &Options::default()).unwrap_err();
    assert!(error.to_string().contains(&puzzle));
    assert_eq!(error, BookError::Solution { puzzle });
}

#[test]
fn a_symbol_that_makes_all_of_them_small_is_named() {
    let message = |symbols: &str| {
        let options = Options { symbols: symbols.parse().unwrap(), ..Options::default() };
        make(entries(&["2x2"], 1, 1), &words(), &options).map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(message("red,green,blue,gray"), Ok(()));
    let error = message(&format!("a,b,c,{}", "d".repeat(120))).unwrap_err();
    assert!(error.contains("dd' is too long for a 4x4 board"), "{error}");
    assert!(message("A\u{410}BC").unwrap_err().ends_with("look the same: --font names another one"));
}

#[test]
fn words_that_cannot_be_set_are_named() {
    let message = |title: &str, author: Option<&str>, imprint: Option<&str>| {
        let checked = Wording::new(title, author, imprint).and_then(|words| words.check(&Typeface::open()?));
        checked.unwrap_err().to_string()
    };
    assert!(message("数独", None, None).starts_with("the title holds '数', '独'"));
    for (title, author) in [("ספר סודוקו", None), ("سودوكو", None), ("x", Some("\u{202e}evil"))] {
        let said = message(title, author, None);
        let what = if author.is_some() { "author" } else { "title" };
        assert!(said.starts_with(&format!("the {what} '")) && said.contains("run from right to left"), "{said}");
    }
    assert!(message("x", None, Some("bell \u{7}")).contains("imprint holds '\\u{7}'"));
    assert_eq!(message(" \n ", None, None), "the title is empty");
    assert_eq!(message("x", Some(""), None), "the author is empty");
    assert!(message(&"long ".repeat(100), None, None).contains("the title 'long long"));
    assert!(message(&"long ".repeat(100), None, None).contains("…' has 499 characters; 200 at most"));
    assert!(message("x", None, Some(&"word ".repeat(5000))).contains("20000 at most"));
    assert!(Wording::new("Cafe\u{301} Судоку Σουντόκου", None, None).is_ok());
}

/// What a printer refuses is an error if that printer was named.
#[test]
fn a_printer_refuses_what_it_cannot_print() {
    let usual = Options { printer: Printer::Kdp, ..Options::default() };
    let ingram = Options { printer: Printer::Ingram, ..usual };
    let hard = Options { printer: Printer::KdpHardcover, ..usual };
    for (options, said) in [
        (Options { trim: trim("12x17"), ..usual }, "pages of 12x17in are not bound: 4 to 8.5 by 6 to 11.69 in"),
        (Options { trim: trim("8x10"), ..hard }, "not bound: 5.5x8.5, 6x9"),
        (Options { bleed: Bleed::All(8.5), ..usual }, "--bleed without a length"),
        (Options { crop_marks: true, ..usual }, "crop marks are refused"),
        (Options { lines: Some((1.4, 0.4)), ..usual }, "lines of 0.4 pt are too thin: 0.75 pt at least"),
        (ingram, "the file must be x1a or x4"),
    ] {
        let message = make(entries(&["3x3"], 2, 1), &words(), &options).unwrap_err().to_string();
        assert!(message.contains(said) && message.contains("--printer"), "{message}");
    }
    let pages = |options: &Options| make(entries(&["3x3"], 2, 1), &words(), options).unwrap().pages;
    assert_eq!((pages(&usual), pages(&hard)), (24, 76));
}

#[test]
fn an_imprint_that_does_not_fit_its_page_is_refused() {
    let words = Wording::new("x", None, Some(&"A line of the imprint.\n".repeat(80))).unwrap();
    let message = make(entries(&["3x3"], 1, 1), &words, &Options::default()).unwrap_err().to_string();
    assert!(message.contains("no room for 'A line of the imprint."), "{message}");
}
