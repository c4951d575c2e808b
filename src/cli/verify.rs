//! `verify`: checks a corpus.

use std::io::{self, Write as _};
use std::path::PathBuf;

use super::options::{self, Global};
use super::progress::Bars;
use super::{Outcome, counted, say};
use crate::corpus::{Report, VerifyOptions, verify};

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
pub struct Args {
    /// The folder of the corpus.
    corpus: PathBuf,
    /// Solve and make again only N rows, drawn at random; all rows by default.
    #[arg(long, value_name = "N")]
    sample: Option<u64>,
}

pub fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let stop = options::stop_flag()?;
    options::end_soon_after(&stop);
    let bars = Bars::new(global.quiet, &["verify"]);
    let how = VerifyOptions { sample: args.sample, threads: global.threads };
    let checked = verify(&args.corpus, &how, &bars, &stop);
    bars.finish();
    let report = checked?;
    let mut out = io::stdout().lock();
    for problem in &report.problems {
        writeln!(out, "{problem}")?;
    }
    let hidden = report.problem_count - report.problems.len() as u64;
    if hidden > 0 {
        writeln!(out, "and {hidden} more problems")?;
    }
    if !global.quiet {
        describe(&args, &report);
    }
    Ok(match (report.is_sound(), report.stopped) {
        (false, _) => Outcome::CheckFailed,
        (true, true) => Outcome::Stopped,
        (true, false) => Outcome::Done,
    })
}

fn describe(args: &Args, report: &Report) {
    for note in &report.notes {
        say(note);
    }
    let undecided = match report.undecided {
        0 => String::new(),
        rows => format!(", {rows} undecided"),
    };
    say(format_args!(
        "{} of {} parts, {} rows read, {} solved{undecided}, {} made again, {:.1} s",
        report.parts_good, report.parts, report.rows, report.rows_solved, report.rows_remade, report.seconds
    ));
    let verdict = match (report.problem_count, report.stopped) {
        (0, false) => "sound".to_owned(),
        (0, true) => "stopped early; no problem so far".to_owned(),
        (problems, _) => counted(problems, "problem"),
    };
    say(format_args!("{}: {verdict}", args.corpus.display()));
}
