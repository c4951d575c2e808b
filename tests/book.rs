//! Tests of the command `book`: files, messages, exit codes, and the same puzzles as `export` for the same options.

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::{fail, program, skip, stderr, succeed};

/// Runs, expects success and returns stderr.
fn good(folder: &Path, arguments: &[&str]) -> String {
    stderr(&succeed(program(folder, "").args(arguments), ""))
}

/// Runs and expects an exit code, words in the message, and no file.
fn bad(folder: &Path, arguments: &[&str], code: i32, message: &str) {
    fail(program(folder, "").args(arguments), "", code, &[message]);
    assert!(!folder.join("bad.pdf").exists(), "{arguments:?} wrote a file");
}

/// A folder with a corpus of some 9x9 puzzles.
fn corpus(count: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["run", "--quiet", "--count", count, "--techniques", "singles,intersections,subsets"];
    good(folder.path(), &arguments);
    folder
}

/// The output of a tool about a file. None, with a message, if the tool is not installed.
fn told(tool: &str, arguments: &[&str]) -> Option<String> {
    match Command::new(tool).args(arguments).output() {
        Ok(ran) => Some(String::from_utf8_lossy(&ran.stdout).into_owned()),
        Err(error) => {
            skip(&format!("{tool} cannot be run ({error}); install qpdf and poppler-utils"));
            None
        }
    }
}

#[test]
fn a_book_holds_the_puzzles_that_export_gives_for_the_same_options() {
    let folder = corpus("300");
    let path = folder.path();
    let said = good(
        path,
        &["book", "corpus", "--count", "40", "--seed", "3", "--uniqueness", "--out", "book.pdf", "--per-page", "1"],
    );
    assert!(said.contains("40 puzzles") && said.contains("pages of 6x9, 1 puzzle and 12 solutions"), "{said}");
    good(path, &["export", "corpus", "--count", "40", "--seed", "3", "--out", "book.txt"]);
    let Some(text) = told("pdftotext", &["-raw", path.join("book.pdf").to_str().unwrap(), "-"]) else { return };
    let pages: Vec<String> = text.split('\u{c}').map(|page| page.split_whitespace().collect()).collect();
    let puzzles = fs::read_to_string(path.join("book.txt")).unwrap();
    let mut found = 0;
    for puzzle in puzzles.lines() {
        let givens: String = puzzle.chars().take(81).filter(char::is_ascii_digit).collect();
        let holding = pages.iter().filter(|page| page.contains(&givens) && page.contains("Solutiononpage"));
        assert_eq!(holding.count(), 1, "{puzzle}");
        found += 1;
    }
    assert_eq!(found, 40);
}

#[test]
fn names_below_puzzles_lead_back_to_them() {
    let folder = corpus("30");
    let path = folder.path();
    good(path, &["book", "corpus", "--count", "6", "--uniqueness", "--names", "--time", "--out", "named.pdf"]);
    good(path, &["export", "corpus", "--count", "6", "--out", "named.txt"]);
    let Some(text) = told("pdftotext", &["-raw", path.join("named.pdf").to_str().unwrap(), "-"]) else { return };
    let named = succeed(program(path, "").args(["name", "named.txt"]), "");
    let names = String::from_utf8(named.stdout).unwrap();
    assert_eq!(names.lines().count(), 6);
    for name in names.lines() {
        assert_eq!(text.matches(name).count(), 1, "{name} in {text}");
    }
}

#[test]
fn the_same_options_give_the_same_bytes_with_any_number_of_threads() {
    let folder = corpus("60");
    let path = folder.path();
    let book = |out: &str, more: &[&str]| {
        let arguments = ["book", "corpus", "--count", "25", "--title", "Судоку", "--out", out];
        good(path, &[&arguments[..], more].concat());
        fs::read(path.join(out)).unwrap()
    };
    let one = book("one.pdf", &["--threads", "1"]);
    assert!(one.starts_with(b"%PDF-1.7"));
    assert!(one == book("two.pdf", &["--threads", "3"]), "threads change the bytes");
    assert!(one != book("three.pdf", &["--seed", "9"]), "the seed changes nothing");
    assert!(one != book("four.pdf", &["--bleed"]), "bleed changes nothing");
    assert!(one == book("one.pdf", &["--force"]), "a book that is made again has other bytes");
    let output = succeed(program(path, "book corpus --count 25 --out - --quiet --title").arg("Судоку"), "");
    assert!(output.stdout == one && output.stderr.is_empty(), "{}", stderr(&output));
}

#[test]
fn books_of_large_and_small_boards_are_made_from_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/samples");
    let sixteen = samples.join("sixteen.txt");
    let trim = ["--trim", "8.5x11", "--large-print"];
    let said = good(path, &[&["book", sixteen.to_str().unwrap(), "--all", "--out", "large.pdf"][..], &trim].concat());
    assert!(said.contains("pages of 8.5x11, 1 puzzle and") && said.contains("pages are for notes"), "{said}");
    let puzzles = fs::read_to_string(samples.join("puzzles.txt")).unwrap();
    fs::write(path.join("nine.txt"), format!("{puzzles}nonsense\n")).unwrap();
    let said = good(path, &["book", "nine.txt", "--all", "--out", "nine.pdf"]);
    assert!(said.contains("8 puzzles") && said.contains("nine.txt:9:1"), "{said}");
    good(path, &["run", "--quiet", "--count", "9", "--shape", "2x3", "--out", "six"]);
    let said = good(path, &["book", "six", "--all", "--per-page", "6", "--trim", "A4", "--out", "six.pdf"]);
    assert!(said.contains("9 puzzles") && said.contains("pages of A4, 6 puzzles"), "{said}");
}

#[test]
fn wrong_options_are_refused_before_anything_is_written() {
    let folder = corpus("30");
    let path = folder.path();
    let with = |more: &[&'static str]| [&["book", "corpus", "--count", "5", "--out", "bad.pdf"], more].concat();
    bad(path, &with(&["--per-page", "3"]), 2, "1, 2, 4 or 6");
    bad(path, &with(&["--trim", "letter"]), 2, "8.5x11");
    bad(path, &with(&["--large-print", "--per-page", "4"]), 2, "cannot be used with");
    bad(path, &with(&["--large-print", "--trim", "5x8"]), 2, "large print needs digits of 28 pt");
    bad(path, &with(&["--title", "数独"]), 2, "the title holds '数', '独'");
    bad(path, &with(&["--author", " "]), 2, "the author is empty");
    bad(path, &with(&["--level", "esay=3"]), 2, "easy");
    bad(path, &with(&["--where", "no_such_column = 1"]), 2, "no_such_column");
    bad(path, &["book", "corpus", "--out", "bad.pdf"], 2, "say how many puzzles");
    bad(path, &["book", "corpus", "--count", "5"], 2, "--out");
    bad(path, &["book", "corpus", "--count", "31", "--uniqueness", "--out", "bad.pdf"], 1, "too few puzzles: 30 of 31");
    fs::write(path.join("there.pdf"), "").unwrap();
    fail(
        &mut program(path, "book corpus --count 5 --out there.pdf"),
        "",
        2,
        &["there.pdf exists: --force replaces it"],
    );
    bad(path, &["book", "nowhere", "--count", "5", "--out", "bad.pdf"], 1, "nowhere");
    bad(path, &["book", "corpus", "--count", "5", "--out", "no/such/folder/bad.pdf"], 1, "no/such/folder");
}

#[test]
fn a_second_volume_repeats_no_puzzle() {
    let folder = corpus("40");
    let path = folder.path();
    let volume = |out: &'static str| {
        vec!["book", "corpus", "--count", "20", "--out", out, "--except", "seen.index", "--remember", "seen.index"]
    };
    good(path, &["book", "corpus", "--count", "20", "--out", "one.pdf", "--remember", "seen.index"]);
    good(path, &volume("two.pdf"));
    bad(path, &volume("bad.pdf"), 1, "stand in earlier exports");
    assert_ne!(fs::read(path.join("one.pdf")).unwrap(), fs::read(path.join("two.pdf")).unwrap());
}
