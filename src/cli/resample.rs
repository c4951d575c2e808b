//! `resample`: draws an unweighted sample of all minimal puzzles from a weighted corpus.

use std::path::{Path, PathBuf};

use anyhow::ensure;

use super::options::Global;
use super::progress::Bars;
use super::{Outcome, Usage, stage};
use crate::board::Shape;
use crate::corpus::{AnalyzeDraft, CorpusError, Input, InputPath, OnError, Record, Want, files_of, read_again};
use crate::progress::Progress as _;
use crate::study::resample::{Stratum, TargetShares, choose};

/// Draw an unweighted sample of all minimal puzzles from a weighted corpus.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The pool is a corpus whose rows have log_weight: its plan is controlled-bias, or minimal with `weight = true`. Make it \
without ratings, because only the sample needs them. Among the rows with the same number of givens, rows are drawn in proportion to their \
weights. The share of each number of givens in the sample is the published share among all minimal 9x9 puzzles, or the share \
that the weights of the pool give. The same pool and seed give the same bytes. If the pool is too small, the command prints \
how many rows are missing. The rows of the sample have equal weights, so log_weight is left empty.

Examples:
  sudoku-corpus resample pool --count 1000 --out sample.parquet
  sudoku-corpus resample pool --count 1000 --rate --out rated.parquet
  sudoku-corpus resample pool --count 200 --shares measured --out sample.csv")]
pub(super) struct Args {
    /// Folders of corpora, or files of rows.
    #[arg(required = true, value_name = "POOL")]
    pool: Vec<InputPath>,
    /// Number of rows to draw.
    #[arg(long, value_name = "N")]
    count: usize,
    /// Shares of the numbers of givens: as published for all minimal puzzles, or as measured by the weights of the
    /// pool.
    #[arg(long, value_enum, default_value = "published")]
    shares: TargetShares,
    /// Seed of the draw. Another seed gives another sample.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Analyse the sample: techniques, ratings, search depth.
    #[arg(long)]
    rate: bool,
    #[command(flatten)]
    analyze: AnalyzeDraft,
    #[command(flatten)]
    output: stage::StageOutput,
}

/// Reads the weights of the pool, draws rows, reads these once more, and writes them.
pub(super) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let mut output = args.output;
    let files = args.pool.iter().map(|source| files_of(source)).collect::<Result<Vec<_>, _>>()?.concat();
    let mut copies = None;
    let files = read_again(files, &mut copies)?;
    let (pool, shape) = Bars::during(global, &["read"], |bars| read(&files, bars))?;
    let nine = shape.is_none_or(|shape| shape == Shape::NINE);
    let unpublished = "shares are published for 9x9 boards only: use --shares measured";
    ensure!(nine || args.shares == TargetShares::Measured, Usage(unpublished.into()));
    let choice = choose(&pool, args.count, args.shares, args.seed).map_err(anyhow::Error::msg)?;
    global.say("givens      pool  effective      kept");
    for Stratum { givens, pool, effective, kept, .. } in choice.strata.iter().filter(|stratum| stratum.kept > 0) {
        global.say(format_args!("{givens:>6} {pool:>9} {effective:>10.0} {kept:>9}"));
    }
    let analysis = stage::analysis(shape, args.analyze)?;
    output.keep_analysis();
    let rows = kept(files, choice.rows).enumerate().map(|(index, record)| {
        // The sample has equal weights and its own row numbers.
        record.map(|record| Record { index: index as u64, log_weight: None, log_class_weight: None, ..record })
    });
    let work = |record: Record| Ok(if args.rate { analysis.analyze(record) } else { record });
    stage::run(global, &output, &["rate"], rows, Some(args.count as u64), OnError::Fail, work)
}

/// The number of givens and the weight of a row.
type Weighted = (u32, f64);

/// The number of givens and the weight of every row, and the shape of the boards. None if there are no rows.
fn read(files: &[PathBuf], bars: &Bars) -> anyhow::Result<(Vec<Weighted>, Option<Shape>)> {
    bars.begin(None, 0);
    let (mut pool, mut first) = (Vec::new(), None);
    for file in files {
        for record in Input::open(file, Want::Known)? {
            let record = record?;
            pool.push(weighted(&record, file)?);
            let kind = (record.shape, record.plan, record.method);
            let mixed = "the pool mixes plans, methods or shapes; their weights cannot be compared";
            ensure!(*first.get_or_insert_with(|| kind.clone()) == kind, Usage(mixed.into()));
            if pool.len().is_multiple_of(4096) {
                bars.rows(4096);
            }
        }
    }
    Ok((pool, first.map(|(shape, ..)| shape)))
}

/// An error if the row has no weight.
fn weighted(record: &Record, file: &Path) -> Result<Weighted, Usage> {
    let weight = record.log_weight.filter(|log| log.is_finite());
    let how = "dig the pool with --plan controlled-bias, or with --weight; without symmetry or level";
    let lacking = || Usage(format!("{}: row {} has no weight: {how}", file.display(), record.index));
    record.givens.zip(weight).ok_or_else(lacking)
}

/// The rows of files at the given positions, in ascending order. An error if the files have become shorter.
fn kept(files: Vec<PathBuf>, positions: Vec<usize>) -> impl Iterator<Item = Result<Record, CorpusError>> {
    let (first, drawn) = (files.first().cloned().unwrap_or_default(), positions.len());
    let mut positions = positions.into_iter().peekable();
    let rows = files.into_iter().flat_map(|file| match Input::open(&file, Want::Everything) {
        Ok(input) => Box::new(input) as Box<dyn Iterator<Item = Result<Record, CorpusError>>>,
        Err(error) => Box::new(std::iter::once(Err(error))),
    });
    let taken = move |(at, row): &(usize, Result<_, _>)| positions.next_if_eq(at).is_some() || row.is_err();
    let mut given = 0;
    // The last item, None, is the end: there it is told if rows are missing.
    let rows = rows.enumerate().filter(taken).map(|(_, row)| row).map(Some).chain(std::iter::once(None));
    rows.filter_map(move |row| {
        given += usize::from(row.is_some());
        let short = row.is_none() && given < drawn;
        row.or_else(|| short.then(|| Err(CorpusError::file(&first, "the pool was changed while it was read"))))
    })
}
