//! `resample`: a sample of all minimal puzzles out of a pool of weighted ones, rated if wanted.

use std::path::{Path, PathBuf};

use super::options::{self, AnalyzeOptions, Global};
use super::progress::Bars;
use super::{Outcome, Usage, stage};
use crate::corpus::{CorpusError, Draft, FileFormat, Input, Progress as _, Record, part_files};
use crate::study::resample::{Shares, choose};

/// Keep few rows of a weighted corpus so that they are a sample of all minimal puzzles.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The pool is a corpus whose rows have log_weight: plans minimal or controlled-bias, with `techniques = \"none\"` so that nothing
is rated in vain. Rows are drawn in proportion to their weights within each number of givens; each number gets the share that
is published for all minimal 9x9 puzzles, or that the pool itself has. The same pool and seed give the same bytes. When the pool
is too small, the command says by how much. What is kept needs no weights any more: log_weight is left empty.

Examples:
  sudoku-corpus resample pool --count 1000 --out sample.parquet
  sudoku-corpus resample pool --count 1000 --rate --out rated.parquet
  sudoku-corpus resample pool --count 200 --shares measured --out sample.csv")]
pub struct Args {
    /// Folders of corpora, or files of rows.
    #[arg(required = true, value_name = "POOL")]
    pool: Vec<PathBuf>,
    /// How many rows are kept.
    #[arg(long, value_name = "N")]
    count: usize,
    /// How many puzzles of each number of givens: as published for all minimal puzzles, or as the weights of the pool say.
    #[arg(long, value_enum, default_value = "published")]
    shares: Given,
    /// Where the randomness of the draw comes from.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Analyse what is kept: techniques, ratings, search depth.
    #[arg(long)]
    rate: bool,
    #[command(flatten)]
    analyze: AnalyzeOptions,
    #[command(flatten)]
    output: stage::Output,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Given {
    Published,
    Measured,
}

impl Args {
    /// The files that it writes.
    pub fn writes(&self) -> Vec<&Path> {
        vec![&self.output.out]
    }
}

/// Runs the command.
pub fn run(global: &Global, mut args: Args) -> anyhow::Result<Outcome> {
    let mut files = Vec::new();
    for source in &args.pool {
        if source.is_dir() { files.extend(part_files(source)?) } else { files.push(source.clone()) }
    }
    let bars = Bars::new(global.quiet, &["read"]);
    bars.begin(None, 0);
    let (mut pool, mut shape, mut plan) = (Vec::new(), None, None);
    for file in &files {
        for record in Input::open_known(file)? {
            let record = record?;
            pool.push(weighted(&record, file)?);
            let first = plan.get_or_insert_with(|| (record.plan.clone(), record.method.clone()));
            if *first != (record.plan.clone(), record.method.clone())
                || *shape.get_or_insert(record.shape) != record.shape
            {
                return Err(Usage(
                    "the pool mixes plans, methods or shapes: their weights are not on one scale".into(),
                )
                .into());
            }
            if pool.len().is_multiple_of(4096) {
                bars.rows(4096);
            }
        }
    }
    bars.finish();
    let shares = match args.shares {
        Given::Published if shape.is_some_and(|shape| shape != crate::board::Shape::NINE) => {
            return Err(Usage("shares are published for 9x9 only: use --shares measured".to_owned()).into());
        }
        Given::Published => Shares::Published,
        Given::Measured => Shares::Measured,
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
    let mut draft = Draft { shape, ..Draft::default() };
    args.analyze.fill(&mut draft);
    let analysis = options::recipe(&draft)?.analysis;
    if args.output.out == Path::new("-") {
        args.output.format = args.output.format.or(Some(FileFormat::Csv));
    }
    let bars = Bars::new(global.quiet, &["rate"]);
    let rows = kept(files, choice.rows).enumerate().map(|(index, record)| {
        // What is kept is a sample of equal weights, and a corpus of its own.
        record.map(|record| Record { index: index as u64, log_weight: None, log_class_weight: None, ..record })
    });
    let work = |record: Record| Ok(if args.rate { analysis.analyze(record) } else { record });
    stage::run(global, &args.output, &bars, rows, Some(args.count as u64), crate::corpus::OnError::Fail, work)
}

/// Givens and weight of a row.
fn weighted(record: &Record, file: &Path) -> anyhow::Result<(u32, f64)> {
    let weight = record.log_weight.filter(|log| log.is_finite());
    record.givens.zip(weight).ok_or_else(|| {
        Usage(format!(
            "{}: row {} has no weight: a pool is dug with the plan minimal or controlled-bias, without symmetry or target",
            file.display(),
            record.index
        ))
        .into()
    })
}

/// The rows of files at some positions, ascending.
fn kept(files: Vec<PathBuf>, positions: Vec<usize>) -> impl Iterator<Item = Result<Record, CorpusError>> {
    let mut positions = positions.into_iter().peekable();
    let rows = files.into_iter().flat_map(|file| match Input::open_records(&file) {
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
