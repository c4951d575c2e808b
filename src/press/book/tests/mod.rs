//! Tests of whole books: positions on the page, refusals, and the contents of the file as PDF tools read it.

pub(crate) mod editions;
mod layout;
mod options;
pub(crate) mod pages;
mod printers;
mod random;
mod readers;
mod refusals;
mod standards;

use std::fs;
use std::process::Command;

use crate::book::error::BookError;
use crate::book::make::Book;
use crate::book::options::{Entry, Options, order};
use crate::book::pages::plan::{PageKind, PagePlan};
use crate::book::pages::planner;
use crate::book::pdf::pdf_x::Intent;
use crate::book::text::manuscript::Manuscript;
use crate::book::text::wording::Wording;
use crate::book::trim::{TRIMS, Trim};
use crate::draw::text::compose::Composer;
use crate::draw::text::typeface::Typeface;
use sudoku_corpus_core::board::{Freedom, Isomorphism, Shape, Solution};
use sudoku_corpus_core::random::{Rng, Stage};

/// `count` puzzles of the shapes in turn, spread over `levels` levels; without levels if that is 0.
fn entries(shapes: &[&str], count: usize, levels: usize) -> Vec<Entry> {
    let entry = |at: usize| {
        let shape: Shape = shapes[at % shapes.len()].parse().unwrap();
        let mut rng = Rng::new(2, at as u64, Stage::Dig, 0);
        let solution = Isomorphism::random(shape, Freedom::ALL, &mut rng).apply(&Solution::template(shape));
        let puzzle = solution.masked(|_| rng.below(100) < 40);
        Entry::new(puzzle, solution, (levels > 0).then(|| at * levels / count))
    };
    (0..count).map(entry).collect()
}

/// A puzzle of a shape.
pub(crate) fn entry(shape: &str) -> Entry {
    entries(&[shape], 1, 1).remove(0)
}

/// A book in the program's typeface.
pub(crate) fn make(entries: Vec<Entry>, words: &Wording, options: &Options) -> Result<Book, BookError> {
    crate::book::make::make(entries, words, options, &Typeface::open()?, &Intent::default())
}

pub(crate) fn words() -> Wording {
    Wording::new("Sudoku for Quiet Evenings", Some("A. Person"), None).unwrap()
}

fn trim(name: &str) -> Trim {
    name.parse().unwrap()
}

/// The plan of a book. What it borrows stays in memory until the tests end.
fn planned(mut entries: Vec<Entry>, words: &Wording, options: &Options) -> PagePlan<'static> {
    options.order(&mut entries);
    let typeface: &Typeface = Box::leak(Box::new(Typeface::open().unwrap()));
    let (words, options) = (Box::leak(Box::new(words.clone())), Box::leak(Box::new(*options)));
    let composer = Composer::new(typeface, words.language.tag());
    planner::plan(composer, Manuscript::new(entries.leak(), words, options)).unwrap()
}

/// The output of a tool about a file, whose name is FILE in the arguments. None, with a message, if it is not
/// installed.
pub(crate) fn output_of(tool: &str, arguments: &[&str], pdf: &[u8]) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file.pdf");
    fs::write(&file, pdf).unwrap();
    let name = |argument: &&str| argument.replace("FILE", file.to_str().unwrap());
    match Command::new(tool).args(arguments.iter().map(name)).output() {
        Ok(ran) => {
            // Poppler prints this for empty pages.
            let remarks = String::from_utf8_lossy(&ran.stderr).replace("no word list", "");
            assert!(ran.status.success() && remarks.trim().is_empty(), "{tool}: {remarks}");
            Some(String::from_utf8_lossy(&ran.stdout).into_owned())
        }
        Err(error) => {
            eprintln!("SKIPPED: {tool} cannot be run ({error}); install qpdf and poppler-utils");
            None
        }
    }
}

/// The text of each page as Poppler finds it.
fn texts(book: &Book) -> Option<Vec<String>> {
    let text = output_of("pdftotext", &["-layout", "FILE", "-"], &book.data)?;
    let texts: Vec<String> = text.split_terminator('\u{c}').map(str::to_owned).collect();
    assert_eq!(texts.len(), book.pages);
    Some(texts)
}

/// Every valid combination of trim size, number of puzzles on a page, and large print.
fn all_options() -> Vec<Options> {
    let mut all = Vec::new();
    for trim in TRIMS {
        let choices = [1, 2, 4, 6].map(Some).into_iter().chain([None]);
        all.extend(choices.map(|per_page| Options { trim, per_page, ..Options::default() }));
        if !["5x8", "5.5x8.5"].contains(&trim.name) {
            all.push(Options { trim, large_print: true, ..Options::default() });
        }
    }
    all
}
