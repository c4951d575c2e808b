//! `audit`: what anybody's file of puzzles is like, and what two files share.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::options::{self, Global};
use super::progress::Bars;
use super::{Outcome, Usage};
use crate::corpus::{Output, Progress as _};
use crate::study::audit::{AuditOptions, Facts, audit, document, json};
use crate::study::report::{Form, write_page};

/// Check anybody's files of puzzles: one solution? minimal? copies? how hard? made how? And what do two files share?
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Nothing that a file says about itself is believed. Two files are compared cell by cell, up to symmetry, and by the solution
grid: what a test set must not share with a training set.

Examples:
  sudoku-corpus audit puzzles.csv                         Markdown on standard output
  sudoku-corpus audit train.csv test.csv --out audit.html --json audit.json
  sudoku-corpus audit corpora/monday --rate --out monday.html")]
pub struct Args {
    /// A file of puzzles in any format, or the folder of a corpus.
    #[arg(value_name = "A")]
    first: PathBuf,
    /// Another one, to be compared with the first.
    #[arg(value_name = "B")]
    second: Option<PathBuf>,
    /// Rate the puzzles, too: levels and ER. About a millisecond each.
    #[arg(long)]
    rate: bool,
    /// The page: .html or .md; - for Markdown on standard output.
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// The same numbers as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Runs the command.
pub fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let standard = args.out == Path::new("-");
    let form = if standard { Some(Form::Markdown) } else { Form::of_name(&args.out) };
    let form =
        form.ok_or_else(|| Usage(format!("{}: the name says no form; known: .html, .md", args.out.display())))?;
    Output::probe(&args.out)?;
    args.json.as_deref().map(Output::probe).transpose()?;
    let stop = options::stop_flag()?;
    let bars = Bars::new(global.quiet, &["audit"]);
    bars.begin(None, 0);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(global.threads.unwrap_or(0)).build()?;
    let read = |path: &Path| -> anyhow::Result<Facts> {
        let mut facts = pool.install(|| audit(&[path.to_owned()], AuditOptions { rate: args.rate }, &bars, &stop))?;
        facts.name = name_of(path);
        Ok(facts)
    };
    let first = read(&args.first)?;
    let second = args.second.as_deref().map(read).transpose()?;
    bars.finish();
    if stop.is_set() {
        return Ok(Outcome::Stopped);
    }
    if let Some(path) = &args.json {
        let mut out = Output::create(path)?;
        writeln!(out, "{:#}", json(&first, second.as_ref()))?;
        out.finish()?;
    }
    let page = document(&first, second.as_ref());
    match standard {
        true => io::stdout().write_all(page.markdown().as_bytes())?,
        false => write_page(&page, form, &args.out)?,
    }
    Ok(Outcome::Done)
}

fn name_of(path: &Path) -> String {
    let whole = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    whole.file_name().map_or_else(|| "puzzles".to_owned(), |name| name.to_string_lossy().into_owned())
}
