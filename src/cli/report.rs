//! `report`: one page of statistics about a corpus.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::Outcome;
use super::options::Global;
use super::progress::Bars;
use crate::corpus::{Input, Progress as _, part_files};
use crate::study::Summary;

/// Write one page of statistics about a corpus: givens, search depth, levels, techniques.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus report corpus
  sudoku-corpus report rated.parquet --title 'Published puzzles' --out published.md")]
pub struct Args {
    /// The folder of a corpus, or a file of rows (.parquet, .csv.zst, .csv).
    corpus: PathBuf,
    /// The page, in Markdown; - for standard output.
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// The heading; the name of the corpus by default.
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
}

/// Runs the command.
pub fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let mut out: Box<dyn std::io::Write> = match args.out == Path::new("-") {
        true => Box::new(std::io::stdout()),
        false => {
            Box::new(std::fs::File::create(&args.out).with_context(|| format!("cannot write {}", args.out.display()))?)
        }
    };
    let files = if args.corpus.is_dir() { part_files(&args.corpus)? } else { vec![args.corpus.clone()] };
    let bars = Bars::new(global.quiet, &["read"]);
    bars.begin(None, 0);
    let mut summary = Summary::default();
    for file in &files {
        for record in Input::open_records(file)? {
            summary.add(&record?);
            if summary.rows().is_multiple_of(4096) {
                bars.rows(4096);
            }
        }
    }
    bars.finish();
    let name = args.corpus.file_name().map(|name| name.to_string_lossy().into_owned());
    let title = args.title.or(name).unwrap_or_else(|| "Corpus".to_owned());
    out.write_all(summary.markdown(&title).as_bytes())?;
    out.flush()?;
    Ok(Outcome::Done)
}
