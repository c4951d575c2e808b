//! `release`: makes a data set with a card from corpora.

use std::path::PathBuf;

use super::options::{self, Global};
use super::progress::Bars;
use super::{Outcome, Usage, counted};
use crate::publish::release::{Release, release};
use crate::publish::{Apart, Job, PublishError, Splits, Splitter};

/// Make a data set from corpora: Parquet files by split, a card, checksums, recipe and citation.
///
/// The Python library `datasets` loads the folder as it is.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Only puzzles with exactly one solution are released. Of isomorphic puzzles, only the first is released. The same corpus and
options give the same bytes.

Examples:
  sudoku-corpus release corpus --out release --license cc0-1.0
  sudoku-corpus release corpora/* --out release --license cc-by-4.0 --title 'Ten million puzzles' --author 'A. Person' \\
      --split train=0.9,test=0.05,validation=0.05 --apart grid --steps")]
pub struct Args {
    /// Folders of corpora, or files of puzzles. Rows that were not analysed are analysed.
    #[arg(default_value = "corpus", value_name = "CORPUS or FILE")]
    sources: Vec<PathBuf>,
    /// The folder of the data set. It must be empty or not exist.
    #[arg(long, short, value_name = "FOLDER")]
    out: PathBuf,
    /// The licence under which you publish it: cc0-1.0, cc-by-4.0, mit, or another identifier of data set hubs.
    #[arg(long, value_name = "ID", value_parser = license)]
    license: String,
    /// The name of the data set.
    #[arg(long, value_name = "TEXT", default_value = "Sudoku puzzles")]
    title: String,
    /// The author of the data set.
    #[arg(long, value_name = "TEXT", default_value = "")]
    author: String,
    /// Names and shares of the splits, such as train=0.9,test=0.1. The default is a single split, `train`.
    #[arg(long, value_name = "SHARES")]
    split: Option<Splits>,
    /// What two splits never share: exact, isomorph, grid or neighbour; `export --help` explains these words.
    #[arg(long, value_name = "WHAT", default_value = "grid", requires = "split")]
    apart: Apart,
    /// Seed of the split. Another seed gives another split.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "split")]
    split_seed: u64,
    /// Add the steps of every solution, as a second configuration of the data set.
    #[arg(long)]
    steps: bool,
    /// Keep puzzles that are isomorphic to an earlier one.
    #[arg(long)]
    keep_copies: bool,
}

fn license(text: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '.';
    match !text.is_empty() && text.chars().all(plain) {
        true => Ok(text.to_owned()),
        false => Err("write an identifier of small letters, digits, dots and dashes, such as cc0-1.0".to_owned()),
    }
}

pub fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    if args.split.as_ref().is_some_and(|splits| splits.names().count() > 200) {
        return Err(Usage("--split: at most 200 splits".into()).into());
    }
    let bars = Bars::new(global.quiet, &["release"]);
    let job = Job { threads: global.threads, progress: &bars, stop: options::stop_flag()?, ..Job::default() };
    options::end_soon_after(&job.stop);
    let request = Release {
        title: args.title,
        author: args.author,
        license: args.license,
        splitter: args.split.map(|splits| Splitter { splits, apart: args.apart, seed: args.split_seed }),
        steps: args.steps,
        keep_copies: args.keep_copies,
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(global.threads.unwrap_or(0)).build()?;
    let outcome = pool.install(|| release(&args.sources, &args.out, &request, &job));
    bars.finish();
    let released = match outcome {
        Err(PublishError::Stopped) => {
            bars.say("stopped; nothing was written");
            return Ok(Outcome::Stopped);
        }
        outcome => outcome?,
    };
    if !global.quiet {
        let splits: Vec<String> =
            released.splits.iter().map(|split| format!("{} {}", split.rows, split.name)).collect();
        let left_out = released.copies + released.improper + released.unknown + released.near;
        let rows = counted(released.rows(), "puzzle");
        bars.say(&format!("{rows} ({}) in {}; left out {left_out}", splits.join(", "), args.out.display()));
    }
    Ok(Outcome::Done)
}
