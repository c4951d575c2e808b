//! `coverage`: measures which part of the space of all grids each method reaches, and how evenly.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Context as _;

use super::options::{Global, solvable};
use super::progress::Bars;
use super::{Outcome, Usage};
use crate::board::{Shape, Solution};
use crate::corpus::{
    Cells, Input, OnError, Record, RowSink, StageOptions, StopFlag, Want, run_stage, write_file, write_table,
};
use crate::coverage::likelihood::{Chance, chance};
use crate::coverage::report::data::{self, Datum};
use crate::coverage::strata::{self, Reached, Strata};
use crate::coverage::{Options, Recount, classes, portrait, recount, report, survey};
use crate::generate::Method;

/// Report which part of the space of all grids each method reaches, and how evenly.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The report compares the permutation method with each of its options (lines, blocks, transpose), every searching method and
`uniform`. It covers the 4x4 board, the 6x6 boards (boxes of 2x3 and 3x2), the 8x8 board (2x4) and the 9x9 board, with
estimates for the boards with boxes of 3x4, 4x4, 5x5 and 6x6. It takes about two minutes on two cores.

Examples:
  sudoku-corpus coverage > coverage.md
  sudoku-corpus coverage --out reports/coverage
  sudoku-corpus coverage --shape 3x3 --method row-major --method uniform --samples 100000
  sudoku-corpus coverage --grid grids.txt
  sudoku-corpus coverage --grid corpus --out reweighted.parquet
  sudoku-corpus coverage --recount
  sudoku-corpus coverage --classes --method row-major --method uniform --samples 1000000
  sudoku-corpus coverage --classes --strata 1000 --method uniform --samples 100000000 --out ranks.parquet")]
pub struct Args {
    /// Write NAME.md, NAME.html, NAME.csv and NAME.parquet; the default is Markdown on standard output. With --grid,
    /// write the rows with the column log2_probability to this file: .parquet, .csv.zst or .csv. With --strata, write
    /// the ranks of the classes that were reached, and how often, to this Parquet file.
    #[arg(long, value_name = "NAME", conflicts_with = "recount")]
    out: Option<PathBuf>,
    /// Seed of all random numbers. Another seed gives other samples.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Grids that each method draws on the 9x9 board. Other boards get fewer.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = samples)]
    samples: u64,
    /// Grids whose probability is computed; one in 200 of the samples by default. Some grids are far more likely than
    /// others, so with few grids the standard errors are too small.
    #[arg(long, value_name = "N", value_parser = samples)]
    law_samples: Option<u64>,
    /// Only the board with boxes of this size, rows x columns. May be repeated.
    #[arg(long, value_name = "RxC")]
    shape: Vec<Shape>,
    /// Only the board of this size, with the usual boxes: 6x6 has boxes of 2x3. May be repeated.
    #[arg(long, value_name = "NxN", value_parser = Shape::of_board)]
    board: Vec<Shape>,
    /// Only this method. May be repeated.
    #[arg(long, value_name = "METHOD", value_parser = method)]
    method: Vec<Method>,
    /// Describe each full grid of a file: its probability under each method, its class, automorphisms and bands. With
    /// --out, copy the rows and add the probability of each grid under the method that made it, or under --method.
    #[arg(long, value_name = "FILE", conflicts_with = "recount")]
    grid: Option<PathBuf>,
    /// Count all grids again in independent ways, and print the proof. This takes about half a minute for the 9x9 board
    /// on two cores, and some minutes for the 10x10 board.
    #[arg(long)]
    recount: bool,
    /// Count the classes of essentially different 9x9 grids that each method reaches with a million draws (or
    /// --samples).
    #[arg(long, conflicts_with_all = ["grid", "recount", "shape", "board"])]
    classes: bool,
    /// With --classes: study only one start in N, but all its classes. A start is a first band and a fourth row.
    #[arg(long, value_name = "N", requires = "classes", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    strata: Option<u64>,
}

fn samples(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(samples @ 100..=100_000_000) => Ok(samples),
        _ => Err("the number of grids must be 100 to 100000000".into()),
    }
}

fn method(text: &str) -> Result<Method, String> {
    Method::from_name(text, None).map_err(|error| error.to_string())
}

pub fn run(global: &Global, mut args: Args) -> anyhow::Result<Outcome> {
    args.shape.append(&mut args.board);
    args.shape.iter().try_for_each(|&shape| solvable(shape).map(drop))?;
    let bars = Bars::new(global.quiet, &[]);
    if args.recount {
        return recounting(&args, &bars);
    }
    let methods = if args.method.is_empty() { Options::all_methods() } else { args.method.clone() };
    if args.classes {
        return classes(&args, &methods, &bars);
    }
    if let Some(path) = &args.grid {
        return match &args.out {
            Some(out) => add_probabilities(path, out, &args.method, &bars),
            None => portraits(path, args.shape.first().copied(), &methods),
        };
    }
    let shapes = if args.shape.is_empty() { Options::all_shapes() } else { args.shape };
    let outputs = args.out.as_deref().map(|out| Outputs::open(global, out)).transpose()?;
    let options = Options { seed: args.seed, samples: args.samples, shapes, law_samples: args.law_samples, methods };
    let survey = survey(options, &bars)?;
    bars.finish();
    let page = report::document(&survey);
    match outputs {
        None => std::io::stdout().write_all(page.markdown().as_bytes())?,
        Some(outputs) => outputs.write(&page.markdown(), &page.html(), data::data(&survey))?,
    }
    Ok(Outcome::Done)
}

/// Counts the classes that draws reach: among all classes, or among those of sampled strata.
fn classes(args: &Args, methods: &[Method], bars: &Bars) -> anyhow::Result<Outcome> {
    let text = match (args.strata, &args.out) {
        (None, None) => {
            let drawn = methods.iter().map(|method| classes::draw(method, args.seed, args.samples, bars));
            classes::text(&drawn.collect::<Result<Vec<_>, _>>()?)
        }
        (None, Some(_)) => {
            return Err(Usage("--classes --out writes ranks, so it needs --strata".to_owned()).into());
        }
        (Some(every), out) => {
            let drawn = methods.iter().map(|method| strata::draw(method, args.seed, args.samples, every, bars));
            let drawn = drawn.collect::<Result<Vec<_>, _>>()?;
            if let Some(out) = out {
                write_table(out, ranks(&drawn)).with_context(|| super::cannot_write(out))?;
            }
            strata::text(&drawn)
        }
    };
    bars.finish();
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(Outcome::Done)
}

/// The classes that were reached, as columns.
fn ranks(drawn: &[Strata]) -> Vec<(&'static str, Cells)> {
    let rows = || drawn.iter().flat_map(|strata| strata.reached().map(|class| (strata.method.to_string(), class)));
    let integers =
        |value: fn(Reached) -> u64| Cells::Integer(rows().map(|(_, class)| Some(value(class) as i64)).collect());
    vec![
        ("method", Cells::Text(rows().map(|(method, _)| Some(method)).collect())),
        ("class_rank", integers(|class| class.rank)),
        ("band", integers(|class| class.band as u64 + 1)),
        ("automorphisms", integers(|class| class.automorphisms.into())),
        ("times", integers(|class| class.times)),
    ]
}

/// Counts the grids of the requested boards, or of all boards whose grids can be counted.
fn recounting(args: &Args, bars: &Bars) -> anyhow::Result<Outcome> {
    let shapes = if args.shape.is_empty() { recount::shapes() } else { args.shape.clone() };
    let counts: Vec<Recount> = shapes.iter().flat_map(|&shape| recount::recount(shape, bars)).collect();
    bars.finish();
    if counts.is_empty() {
        let known: Vec<String> = recount::shapes().iter().map(|shape| shape.board()).collect();
        return Err(Usage(format!(
            "these boards have too many grids to count; boards that can be counted: {}",
            known.join("; ")
        ))
        .into());
    }
    std::io::stdout().write_all(recount::proof(&counts).as_bytes())?;
    Ok(if counts.iter().all(Recount::agrees) { Outcome::Done } else { Outcome::CheckFailed })
}

/// Describes each grid of a file.
fn portraits(path: &Path, shape: Option<Shape>, methods: &[Method]) -> anyhow::Result<Outcome> {
    let mut out = std::io::stdout().lock();
    for (at, record) in Input::open(path, shape)?.enumerate() {
        let record = record?;
        let puzzle = record.puzzle.map(|puzzle| Solution::try_from(puzzle.into_grid()));
        let full = puzzle.transpose().with_context(|| format!("grid {} of {}", at + 1, path.display()))?;
        let grid = full
            .or(record.solution)
            .with_context(|| format!("grid {} of {}: the row has no full grid", at + 1, path.display()))?;
        anyhow::ensure!(
            grid.shape().is_solvable(),
            "grid {} of {}: the board is larger than 36x36",
            at + 1,
            path.display()
        );
        let gap = if at == 0 { "" } else { "\n" };
        write!(out, "{gap}{}", portrait(&grid, methods).text())?;
    }
    Ok(Outcome::Done)
}

/// Copies the rows of a corpus or a file, and adds the probability of each grid.
fn add_probabilities(path: &Path, out: &Path, methods: &[Method], bars: &Bars) -> anyhow::Result<Outcome> {
    let [.., last] = methods else { return add_probabilities_of(None, path, out, bars) };
    if methods.len() > 1 {
        return Err(Usage("give one --method, because a row has one log2_probability".to_owned()).into());
    }
    add_probabilities_of(Some(last), path, out, bars)
}

/// [`add_probabilities`] under a method, or under the method that each row names.
fn add_probabilities_of(method: Option<&Method>, path: &Path, out: &Path, bars: &Bars) -> anyhow::Result<Outcome> {
    let input = Input::open(path, Want::Rows)?;
    let mut sink = RowSink::with_outside(out, None, &input.outside())?;
    let unknown = AtomicU64::new(0);
    let work = |record: Record| {
        let log2_probability = log2_probability(&record, method);
        unknown.fetch_add(u64::from(log2_probability.is_none()), Ordering::Relaxed);
        Ok(Record { log2_probability, ..record })
    };
    let how = StageOptions { on_error: OnError::Fail, ..StageOptions::default() };
    let rows = run_stage(input, work, &mut sink, &how, bars, &StopFlag::new())?.rows;
    sink.finish()?;
    bars.finish();
    let unknown = unknown.into_inner();
    if unknown > 0 {
        super::say(format_args!(
            "note: {unknown} of {rows} rows get no probability: the row has no full grid, or the probabilities of its method \
             are not known"
        ));
    }
    Ok(Outcome::Done)
}

/// The logarithm of the probability that the requested method, or else the method of the row, makes its grid.
fn log2_probability(record: &Record, method: Option<&Method>) -> Option<f64> {
    let named = record.method.as_deref().and_then(|name| Method::from_name(name, None).ok());
    let solution = record.solution.as_ref().filter(|solution| solution.shape().is_solvable())?;
    chance(method.or(named.as_ref())?, solution).map(Chance::log2).filter(|log| log.is_finite())
}

/// The four files of a report. They are checked before the long work begins.
struct Outputs {
    paths: [PathBuf; 4],
}

impl Outputs {
    fn open(global: &Global, name: &Path) -> anyhow::Result<Outputs> {
        if name.file_name().is_none() {
            return Err(Usage(format!("'{}' is not a name for files", name.display())).into());
        }
        let paths = ["md", "html", "csv", "parquet"].map(|ending| {
            let mut path = name.as_os_str().to_owned();
            path.push(format!(".{ending}"));
            PathBuf::from(path)
        });
        paths.iter().try_for_each(|path| global.files.keeps_apart(path))?;
        // An existing report is not touched until the new one is complete.
        let folder = name.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        tempfile::NamedTempFile::new_in(folder).with_context(|| format!("cannot write into {}", folder.display()))?;
        Ok(Outputs { paths })
    }

    fn write(&self, markdown: &str, html: &str, data: Vec<Datum>) -> anyhow::Result<()> {
        let [markdown_file, html_file, csv_file, parquet_file] = &self.paths;
        let files =
            [(markdown_file, markdown.as_bytes()), (html_file, html.as_bytes()), (csv_file, &data::csv(&data)?)];
        for (path, contents) in files {
            write_file(path, contents).with_context(|| format!("cannot write {}", path.display()))?;
        }
        write_table(parquet_file, columns(data)).with_context(|| format!("cannot write {}", parquet_file.display()))?;
        Ok(())
    }
}

/// The figures as columns.
fn columns(data: Vec<Datum>) -> Vec<(&'static str, Cells)> {
    let text = |value: fn(&Datum) -> Option<String>| Cells::Text(data.iter().map(value).collect());
    let real = |value: fn(&Datum) -> Option<f64>| Cells::Real(data.iter().map(value).collect());
    let cells = [
        text(|datum| Some(datum.shape.clone())),
        text(|datum| Some(datum.method.clone()).filter(|method| !method.is_empty())),
        text(|datum| Some(datum.quantity.clone())),
        real(|datum| datum.at),
        real(|datum| Some(datum.value)),
        real(|datum| datum.error),
        text(|datum| datum.exact.clone()),
        text(|datum| Some(datum.basis.to_owned())),
    ];
    data::COLUMNS.into_iter().zip(cells).collect()
}
