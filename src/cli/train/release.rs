//! `release`: makes a data set with a card from corpora.

use crate::cli::line::options::{self, Global};
use crate::cli::line::paths::{self, plain};
use crate::cli::line::progress::Bars;
use crate::cli::{Outcome, counted, skipped};
use crate::corpus::{InputPath, OutputFolder};
use crate::publish::release::{Release, release};

/// Make a data set from corpora: Parquet files by split, a card, checksums, recipe and citation.
///
/// The Python library `datasets` loads the folder as it is.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Only puzzles with exactly one solution are released. Of isomorphic puzzles, only the first is released. The same corpus and \
options give the same bytes.

Examples:
  sudoku-corpus release corpus --out released --license CC0-1.0
  sudoku-corpus release stock --out splits --license CC-BY-4.0 \\
      --title 'Six hundred puzzles' --author 'A. Person' \\
      --split train=0.9,test=0.1 --apart grid --steps")]
pub(in crate::cli) struct Args {
    /// Folders of corpora, or files of puzzles. Rows that were not analyzed are analyzed.
    #[arg(default_value = "corpus", value_name = "CORPUS or FILE")]
    sources: Vec<InputPath>,
    /// The output: the folder of the data set. It must be empty or not exist; with --force, it may hold a release.
    #[arg(long, short, value_name = "FOLDER")]
    out: OutputFolder,
    #[command(flatten)]
    request: Release,
}

impl Args {
    /// Checks what can be checked without the rows, for recipes, which check their outputs before any work.
    pub(in crate::cli) fn check(&self) -> anyhow::Result<()> {
        Ok(self.request.check()?)
    }
}

/// Makes the data set, and says how many puzzles each split has and how many were left out.
pub(in crate::cli) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let stop = options::stop_soon()?;
    let released = Bars::during(global, &["release"], |progress| {
        release(&plain(&args.sources), &args.out, &args.request, &global.job(progress, &stop))
    })?;
    released.fewer_probes(&args.request).iter().for_each(|note| global.note(note));
    let splits: Vec<String> =
        released.splits.iter().map(|split| format!("{} {}", split.puzzles.rows, split.name)).collect();
    let left_out = released.rows_left_out();
    let (rows, splits, skipped) = (counted(released.rows(), "puzzle"), splits.join(", "), skipped(released.skipped));
    global.say(format_args!("{rows} ({splits}) in {}; left out {left_out}{skipped}", paths::name(&args.out)));
    Ok(Outcome::Done)
}
