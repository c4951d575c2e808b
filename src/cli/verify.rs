//! `verify`: checks every promise of a corpus: its parts, its rows, and that the recipe makes them again.

use super::options::{self, Global};
use super::progress::Bars;
use super::{Outcome, counted, paths};
use crate::corpus::{InputPath, Report, verify};
use std::io::{self, Write as _};

/// Check a corpus: compare it with its manifest and its recipe, and solve its puzzles.
///
/// The checks of a part are its checksum, size, metadata and schema. The checks of a row are that the solution is
/// valid, that it contains the puzzle, and that givens and holes are counted correctly. Then every row, or a sample of
/// the rows, is solved by an independent solver and made again from the recipe. The exit code is 3 if a check fails.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus verify corpus
  sudoku-corpus verify corpora/tonight --sample 10000")]
pub(super) struct Args {
    /// The folder of the corpus.
    corpus: InputPath,
    /// Solve and make again only N rows, drawn at random; all rows by default.
    #[arg(long, value_name = "N")]
    sample: Option<u64>,
}

/// Verifies the corpus, and prints what is wrong with it.
pub(super) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let stop = options::stop_soon()?;
    let report = Bars::during(global, &["verify"], |bars| verify(&args.corpus, args.sample, &global.job(bars, &stop)))?;
    let mut out = io::stdout().lock();
    report.problems.iter().try_for_each(|problem| writeln!(out, "{problem}"))?;
    let hidden = report.problem_count - report.problems.len() as u64;
    if hidden > 0 {
        writeln!(out, "and {hidden} more problems")?;
    }
    report.notes.iter().for_each(|note| global.say(note));
    let Report { parts_good, parts, rows, rows_solved, rows_remade, seconds, .. } = report;
    let undecided = match report.undecided {
        0 => String::new(),
        rows => format!(", {rows} undecided"),
    };
    global.say(format_args!(
        "{parts_good} of {parts} parts, {rows} rows read, {rows_solved} solved{undecided}, {rows_remade} made again, \
         {seconds:.1} s",
    ));
    let (verdict, outcome) = match (report.problem_count, report.stopped) {
        (0, false) => ("sound".to_owned(), Outcome::Done),
        (0, true) => ("stopped early; no problem so far".to_owned(), Outcome::Stopped),
        (problems, _) => (counted(problems, "problem"), Outcome::CheckFailed),
    };
    global.say(format_args!("{}: {verdict}", paths::name(&args.corpus)));
    Ok(outcome)
}
