//! `release`: makes a data set with a card from corpora.

use std::path::PathBuf;

use super::options::{self, Global};
use super::progress::Bars;
use super::{Outcome, Usage, counted};
use crate::corpus::thread_pool;
use crate::publish::release::{License, Release, release};
use crate::publish::series::Day;
use crate::publish::{Apart, Splits, Splitter};

/// Make a data set from corpora: Parquet files by split, a card, checksums, recipe and citation.
///
/// The Python library `datasets` loads the folder as it is.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Only puzzles with exactly one solution are released. Of isomorphic puzzles, only the first is released. The same corpus and
options give the same bytes.

Examples:
  sudoku-corpus release corpus --out release --license CC0-1.0
  sudoku-corpus release corpora/* --out release --license CC-BY-4.0 --title 'Ten million puzzles' --author 'A. Person' \\
      --split train=0.9,test=0.05,validation=0.05 --apart grid --steps")]
pub struct Args {
    /// Folders of corpora, or files of puzzles. Rows that were not analysed are analysed.
    #[arg(default_value = "corpus", value_name = "CORPUS or FILE")]
    sources: Vec<PathBuf>,
    /// The folder of the data set. It must be empty or not exist.
    #[arg(long, short, value_name = "FOLDER")]
    out: PathBuf,
    /// The licence under which you publish it, by its name in the SPDX list: CC0-1.0, CC-BY-4.0, ODbL-1.0, MIT.
    #[arg(long, value_name = "SPDX")]
    license: String,
    /// The text of a licence that is not in the SPDX list. It becomes the file LICENSE.
    #[arg(long, value_name = "FILE")]
    license_file: Option<PathBuf>,
    /// The name of the data set.
    #[arg(long, value_name = "TEXT", default_value = "Sudoku puzzles")]
    title: String,
    /// The author of the data set.
    #[arg(long, value_name = "TEXT", default_value = "")]
    author: String,
    /// The day of publication, for `croissant.json` and `CITATION.cff`.
    #[arg(long, value_name = "YYYY-MM-DD")]
    date: Option<Day>,
    /// Names and shares of the splits, such as train=0.9,test=0.1. The default is a single split, `train`.
    #[arg(long, value_name = "SHARES")]
    split: Option<Splits>,
    /// What two splits never share: exact, isomorph, grid or neighbour; `export --help` explains these words.
    #[arg(long, value_name = "WHAT", default_value = "grid", requires = "split")]
    apart: Apart,
    /// Seed of the split. Another seed gives another split.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "split")]
    split_seed: u64,
    /// Add the steps of every solution, as further configurations of the data set: in the order of the ladder, and the hints of Sudoku
    /// Explainer.
    #[arg(long)]
    steps: bool,
    /// Add leaks to this split: isomorphs, puzzles of the same grid and neighbours of puzzles of the first split. Each kind is a
    /// tenth of the split, and a column labels them. A test on this split measures what a leak is worth.
    #[arg(long, value_name = "NAME", requires = "split")]
    control: Option<String>,
    /// Add a split of probes, N of each kind: full grids with one to five empty cells, puzzles with no solution and with two, other
    /// boards, and ten isomorphs of a puzzle. They are made from puzzles of the split `test`, or of the first split.
    #[arg(long, value_name = "N", default_value_t = 0)]
    probes: u64,
    /// Replace a release that is in the folder.
    #[arg(long)]
    force: bool,
    /// Keep puzzles that are isomorphic to an earlier one.
    #[arg(long)]
    keep_copies: bool,
}

pub fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let few = args.split.as_ref().is_none_or(|splits| splits.names().count() <= 200);
    anyhow::ensure!(few, Usage("--split: at most 200 splits".into()));
    let request = Release {
        title: args.title,
        author: args.author,
        date: args.date,
        license: License::new(&args.license, args.license_file.as_deref()).map_err(Usage)?,
        splitter: args.split.map(|splits| Splitter { splits, apart: args.apart, seed: args.split_seed }),
        steps: args.steps,
        keep_copies: args.keep_copies,
        control: args.control,
        probes: args.probes,
        replace: args.force,
    };
    let (stop, pool) = (options::stop_soon()?, thread_pool(global.threads)?);
    let released = Bars::during(global, &["release"], |progress| {
        pool.install(|| release(&args.sources, &args.out, &request, &global.job(progress, &stop)))
    })?;
    let splits: Vec<String> = released.splits.iter().map(|split| format!("{} {}", split.rows[0], split.name)).collect();
    let left_out = released.copies + released.improper + released.unknown + released.near;
    let (rows, splits) = (counted(released.rows(), "puzzle"), splits.join(", "));
    global.say(format_args!("{rows} ({splits}) in {}; left out {left_out}", args.out.display()));
    Ok(Outcome::Done)
}
