//! `book`: chosen puzzles as the inside of a printed book.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use rayon::ThreadPoolBuilder;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use super::options::Global;
use super::progress::Bars;
use super::selection::{Selection, said};
use super::{Outcome, Usage, cannot_write, counted};
use crate::corpus::{Output, Record};
use crate::publish::book::{self, Book, BookError, Entry, INCH, Options, PerPage, TRIMS, Trim, Words};
use crate::publish::{Chosen, Wanted};
use crate::rate::{Ladder, rate};
use crate::solve::{Budget, solutions};

/// Positions that may be visited for a solution that a row lacks.
const SEARCH: Budget = Budget(10_000_000);

/// Make a puzzle book: a print-ready PDF of the inside, with solutions at the back.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus book corpus --count 200 --out book.pdf --title 'Quiet Evenings' --author 'A. Person'
  sudoku-corpus book corpus --level easy=50,medium=100,hard=50 --trim 8.5x11 --per-page 4 --out book.pdf
  sudoku-corpus book corpus --count 100 --level easy --large-print --trim 8.5x11 --out large.pdf
  sudoku-corpus book sixteen.csv --count 60 --seed 7 --out sixteen.pdf
  sudoku-corpus book corpus --count 120 --except seen.index --remember seen.index --out volume-2.pdf

Puzzles are ordered by level. Title page, imprint, contents and \"How to play\" have roman numbers; solutions are at the
back, each with the page of its puzzle. Books have 24 to 828 pages and an even number: a shorter one is filled up with
pages for notes, a longer one is refused. The margin at the spine follows from the number of pages.

The file is PDF 1.7 with trim and bleed boxes, embedded fonts, black only, without transparency. It is not certified as
PDF/X-1a or PDF/X-3: a printer who insists on that has to convert it. The cover is not part of it. The same puzzles and
options give the same bytes. Texts may be in Latin, Greek or Cyrillic letters; the book's own words are English.")]
pub struct Args {
    #[command(flatten)]
    selection: Selection,
    /// The PDF file; - for standard output.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// Title of the book.
    #[arg(long, value_name = "TEXT", default_value = "Sudoku", help_heading = "Book")]
    title: String,
    /// Author, at the foot of the title page.
    #[arg(long, value_name = "TEXT", help_heading = "Book")]
    author: Option<String>,
    /// Text of the imprint, line by line; where the puzzles come from by default.
    #[arg(long, value_name = "TEXT", help_heading = "Book")]
    imprint_text: Option<String>,
    /// Size of a finished page, in inches or by name.
    #[arg(long, value_name = "SIZE", default_value = TRIMS[0].name, value_parser = trim_parser(), help_heading = "Book")]
    trim: Trim,
    /// Puzzles on a page: as many as leave room for pencil marks by default, 2, or 4 on pages from 8 inches on.
    #[arg(long, value_name = "N", value_parser = per_page, help_heading = "Book")]
    per_page: Option<PerPage>,
    /// One puzzle a page, boards of at least 4.5 inches, digits of 18 to 24 points.
    #[arg(long, conflicts_with = "per_page", help_heading = "Book")]
    large_print: bool,
    /// Pages larger by 0.125 inches at top, bottom and outside; nothing is printed there.
    #[arg(long, help_heading = "Book")]
    bleed: bool,
}

/// Names of trim sizes, offered by completions and help.
fn trim_parser() -> impl clap::builder::TypedValueParser<Value = Trim> {
    use clap::builder::{PossibleValuesParser, TypedValueParser as _};
    PossibleValuesParser::new(TRIMS.map(|trim| trim.name)).try_map(|name| name.parse::<Trim>())
}

fn per_page(text: &str) -> Result<PerPage, String> {
    let found = PerPage::ALL.into_iter().find(|choice| choice.number().to_string() == text.trim());
    found.ok_or_else(|| "1, 2, 4 or 6 puzzles stand on a page".to_owned())
}

/// Runs the command.
pub fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let words = Words::new(&args.title, args.author.as_deref(), args.imprint_text.as_deref()).map_err(told)?;
    let options =
        Options { trim: args.trim, per_page: args.per_page, large_print: args.large_print, bleed: args.bleed };
    let wanted = args.selection.wanted()?;
    let bars = Bars::new(global.quiet, &["book"]);
    let Some(publication) = args.selection.begin(&args.out, &format!("{args:?}"))? else {
        if !global.quiet {
            bars.say(&format!("{} holds these puzzles already", name(&args.out)));
        }
        return Ok(Outcome::Done);
    };
    // Opened now, so that a path that cannot be written fails before the work.
    let mut out = Output::create(&args.out)?;
    let choice = match args.selection.choose(global, &bars, &wanted, &publication)? {
        Ok(choice) => choice,
        Err(outcome) => return Ok(outcome),
    };
    let entries = entries(global, &choice.chosen)?;
    let book = book::make(entries, &words, &options).map_err(told)?;
    out.write_all(&book.pdf).with_context(|| cannot_write(&args.out))?;
    publication.finish(&choice.chosen, vec![out.seal()?])?;
    if !global.quiet {
        bars.say(&format!("{} into {}: {}", said(&choice, &wanted), name(&args.out), about(&book, &options)));
    }
    Ok(Outcome::Done)
}

impl Args {
    /// The files that it writes.
    pub fn writes(&self) -> Vec<&Path> {
        std::iter::once(self.out.as_path()).chain(self.selection.index()).collect()
    }

    /// Which puzzles it takes; an error when its options or its texts cannot be.
    pub fn wanted_of(&self) -> anyhow::Result<Wanted> {
        Words::new(&self.title, self.author.as_deref(), self.imprint_text.as_deref()).map_err(told)?;
        self.selection.wanted()
    }
}

fn name(out: &Path) -> String {
    if out == Path::new("-") { "standard output".to_owned() } else { out.display().to_string() }
}

/// What the book is like, in a line or two.
fn about(book: &Book, options: &Options) -> String {
    let margin = book.inside / INCH;
    let Book { pages, per_page, solutions_per_page, notes, .. } = book;
    let mut text = format!(
        "{pages} pages of {}, {} and {} on a page, {margin:.3} in at the spine",
        options.trim,
        counted(*per_page as u64, "puzzle"),
        counted(*solutions_per_page as u64, "solution")
    );
    if *notes > 1 {
        text += &format!("\n{notes} pages are for notes: printers bind {} pages at least", book::MIN_PAGES);
    }
    text
}

/// The chosen rows as the book wants them, on the threads of the command.
fn entries(global: &Global, chosen: &[Chosen]) -> anyhow::Result<Vec<Entry>> {
    let workers = ThreadPoolBuilder::new().num_threads(global.threads.unwrap_or(0)).build()?;
    let ladder = Ladder::default();
    workers.install(|| chosen.par_iter().map(|chosen| entry(&chosen.record, &ladder)).collect())
}

/// A row of a text file may lack the solution, though there is one; captions name the level, so a chosen puzzle
/// without one is rated.
fn entry(record: &Record, ladder: &Ladder) -> anyhow::Result<Entry> {
    let Some(puzzle) = record.puzzle.clone() else { anyhow::bail!("row {} has no puzzle", record.index) };
    let solution = match record.solution.clone() {
        Some(solution) => solution,
        None => {
            let (mut found, _) = solutions(&puzzle, 1, SEARCH);
            found.pop().ok_or_else(|| anyhow::anyhow!("row {}: no solution was found", record.index))?
        }
    };
    let level = record.level.unwrap_or_else(|| rate(&puzzle, ladder).level);
    Ok(Entry { puzzle, solution, level: Some(level) })
}

/// Errors that another option or word would mend are wrong usage.
fn told(error: BookError) -> anyhow::Error {
    match error {
        BookError::Solution { .. } | BookError::Font(_) | BookError::Empty => error.into(),
        _ => Usage(error.to_string()).into(),
    }
}
