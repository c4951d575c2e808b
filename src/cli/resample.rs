//! `resample`: draws an unweighted sample of all minimal puzzles from a weighted corpus.

use std::path::{Path, PathBuf};

use super::options::Global;
use super::progress::Bars;
use super::{Outcome, Usage, stage};
use crate::corpus::{
    AnalyzeDraft, CorpusError, Draft, FileFormat, GridDraft, Input, OnError, Recipe, Record, Want, files_of,
};
use crate::coverage::Progress as _;
use crate::study::resample::{Shares, choose};

/// Draw an unweighted sample of all minimal puzzles from a weighted corpus.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The pool is a corpus whose rows have log_weight: its plan is controlled-bias, or minimal with `weight = true`. Make it
without ratings, because only the sample needs them. Among the rows with the same number of givens, rows are drawn in proportion to their
weights. The share of each number of givens in the sample is the published share among all minimal 9x9 puzzles, or the share
that the weights of the pool give. The same pool and seed give the same bytes. If the pool is too small, the command prints
how many rows are missing. The rows of the sample have equal weights, so log_weight is left empty.

Examples:
  sudoku-corpus resample pool --count 1000 --out sample.parquet
  sudoku-corpus resample pool --count 1000 --rate --out rated.parquet
  sudoku-corpus resample pool --count 200 --shares measured --out sample.csv")]
pub struct Args {
    /// Folders of corpora, or files of rows.
    #[arg(required = true, value_name = "POOL")]
    pool: Vec<PathBuf>,
    /// Number of rows to draw.
    #[arg(long, value_name = "N")]
    count: usize,
    /// Shares of the numbers of givens: as published for all minimal puzzles, or as measured by the weights of the
    /// pool.
    #[arg(long, value_enum, default_value = "published")]
    shares: ShareSource,
    /// Seed of the draw. Another seed gives another sample.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Analyse the sample: techniques, ratings, search depth.
    #[arg(long)]
    rate: bool,
    #[command(flatten)]
    analyze: AnalyzeDraft,
    #[command(flatten)]
    output: stage::Output,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ShareSource {
    Published,
    Measured,
}

pub fn run(global: &Global, mut args: Args) -> anyhow::Result<Outcome> {
    let files = args.pool.iter().map(|source| files_of(source)).collect::<Result<Vec<_>, _>>()?.concat();
    let bars = Bars::new(global.quiet, &["read"]);
    bars.begin(None, 0);
    let (mut pool, mut shape, mut plan) = (Vec::new(), None, None);
    for file in &files {
        for record in Input::open(file, Want::Known)? {
            let record = record?;
            pool.push(weighted(&record, file)?);
            let first = plan.get_or_insert_with(|| (record.plan.clone(), record.method.clone()));
            if *first != (record.plan.clone(), record.method.clone())
                || *shape.get_or_insert(record.shape) != record.shape
            {
                return Err(
                    Usage("the pool mixes plans, methods or shapes; their weights cannot be compared".into()).into()
                );
            }
            if pool.len().is_multiple_of(4096) {
                bars.rows(4096);
            }
        }
    }
    bars.finish();
    let shares = match args.shares {
        ShareSource::Published if shape.is_some_and(|shape| shape != crate::board::Shape::NINE) => {
            return Err(Usage("shares are published for 9x9 boards only: use --shares measured".to_owned()).into());
        }
        ShareSource::Published => Shares::Published,
        ShareSource::Measured => Shares::Measured,
    };
    let choice = choose(&pool, args.count, shares, args.seed).map_err(anyhow::Error::msg)?;
    if !global.quiet {
        super::say(format_args!("givens      pool  effective      kept"));
        for stratum in choice.strata.iter().filter(|stratum| stratum.kept > 0) {
            super::say(format_args!(
                "{:>6} {:>9} {:>10.0} {:>9}",
                stratum.givens, stratum.pool, stratum.effective, stratum.kept
            ));
        }
    }
    let grid = GridDraft { shape, ..GridDraft::default() };
    let draft = Draft { grid, analyze: args.analyze, ..Draft::default() };
    let analysis = Recipe::new(&draft)?.analysis;
    if args.output.out == Path::new("-") {
        args.output.format = args.output.format.or(Some(FileFormat::Csv));
    }
    let bars = Bars::new(global.quiet, &["rate"]);
    let rows = kept(files, choice.rows).enumerate().map(|(index, record)| {
        // The sample has equal weights and its own row numbers.
        record.map(|record| Record { index: index as u64, log_weight: None, log_class_weight: None, ..record })
    });
    let work = |record: Record| Ok(if args.rate { analysis.analyze(record) } else { record });
    stage::run(global, &args.output, &bars, rows, Some(args.count as u64), OnError::Fail, work)
}

/// The number of givens and the weight of a row.
fn weighted(record: &Record, file: &Path) -> anyhow::Result<(u32, f64)> {
    let weight = record.log_weight.filter(|log| log.is_finite());
    record.givens.zip(weight).ok_or_else(|| {
        Usage(format!(
            "{}: row {} has no weight: dig the pool with --plan controlled-bias, or with --weight; without symmetry or level",
            file.display(),
            record.index
        ))
        .into()
    })
}

/// The rows of files at the given positions, in ascending order.
fn kept(files: Vec<PathBuf>, positions: Vec<usize>) -> impl Iterator<Item = Result<Record, CorpusError>> {
    let mut positions = positions.into_iter().peekable();
    let rows = files.into_iter().flat_map(|file| match Input::open(&file, Want::Everything) {
        Ok(input) => Box::new(input) as Box<dyn Iterator<Item = Result<Record, CorpusError>>>,
        Err(error) => Box::new(std::iter::once(Err(error))),
    });
    rows.enumerate().filter_map(move |(at, row)| match positions.peek() {
        Some(&next) if next == at => {
            positions.next();
            Some(row)
        }
        _ => row.is_err().then_some(row),
    })
}
