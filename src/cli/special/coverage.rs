//! `coverage`: measures which part of the space of all grids each method reaches, and how evenly.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context as _, ensure};

use crate::board::{Shape, Solution};
use crate::cli::line::options::{Global, solvable};
use crate::cli::line::progress::Bars;
use crate::cli::{Outcome, Usage, cannot_write, counted};
use crate::corpus::{
    ColumnType, Input, InputPath, Job, OnError, OutputPath, Record, RowSink, SourceScales, Value, Want, folder_of,
    run_stage, write_file, write_table,
};
use crate::coverage::likelihood::{Chance, chance};
use crate::coverage::report::data::{self, Datum};
use crate::coverage::{SurveyOptions, classes, portrait, report, survey};
use crate::generate::Method;
use crate::random::DEFAULT_SEED;

/// Report which part of the space of all grids each method reaches, and how evenly.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The command answers one of three questions:

  (nothing)    How evenly does each method make grids? This is the report.
  FILE         How likely is each grid of a file under each method?
  --classes    How many classes of 9x9 grids does each method reach?

A method makes full grids. (`list methods` describes all.) A class is a grid with all its isomorphs.

The report compares three kinds of methods: the permutation method with each of its options (lines, blocks, transpose), every \
method that searches, and `uniform`. It has figures for the boards 4x4, 6x6, 8x8 and 9x9, and estimates for 12x12, 16x16, 25x25 and 36x36. It takes about two \
minutes on two cores.

Examples:
  sudoku-corpus coverage > coverage.md
  sudoku-corpus coverage --out coverage
      the page, its plots and its numbers
  sudoku-corpus coverage --shape 3x3 --method uniform --samples 1000
  sudoku-corpus coverage grids.txt
  sudoku-corpus coverage --classes --method row-major --samples 1000")]
pub(in crate::cli) struct Args {
    /// Describe each full grid of this file: its probability under each method, its class, automorphisms and bands.
    /// With --out, copy the rows into a file instead, and add the column log2_probability. This is the logarithm, to
    /// base 2, of the probability under the method that made the grid, or under --method.
    #[arg(value_name = "FILE")]
    file: Option<InputPath>,
    /// The output: the report as NAME.md, NAME.html, NAME.csv and NAME.parquet. Without this option, it is Markdown on
    /// standard output. With FILE, the output is one file of rows: .parquet, .csv.zst or .csv.
    #[arg(long, short, value_name = "NAME")]
    out: Option<OutputPath>,
    /// Seed of all random numbers, from 0; default 20261120.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED, hide_default_value = true)]
    seed: u64,
    /// Grids that each method draws on the 9x9 board. Other boards get fewer.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = samples)]
    samples: u64,
    /// Grids of each method whose probability is computed, for the report. The default is one in 200 of --samples. With
    /// few grids, the standard errors are too small, because some grids are far more likely than others.
    #[arg(long, value_name = "N", value_parser = samples)]
    law_samples: Option<u64>,
    /// The size of a box, rows x columns: only this board. May be repeated.
    #[arg(long, value_name = "RxC", value_parser = solvable)]
    shape: Vec<Shape>,
    /// The method that makes full grids: only this one. May be repeated.
    #[arg(long, value_name = "METHOD", value_parser = method)]
    method: Vec<Method>,
    /// Count the classes of 9x9 grids that each method reaches with the draws of --samples.
    #[arg(long, conflicts_with_all = ["file", "out", "shape"])]
    classes: bool,
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

/// Makes the study, or answers one of the other questions of the options about grids.
pub(in crate::cli) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    for shape in &args.shape {
        shape.only_plain("coverage").map_err(|reason| Usage(reason.0))?;
    }
    let one_shape = "the grids of a file are read as boards of one --shape";
    ensure!(args.file.is_none() || args.shape.len() <= 1, Usage(one_shape.to_owned()));
    if let (Some(path), Some(out)) = (&args.file, &args.out) {
        return add_probabilities(global, path, out, &args.method);
    }
    let methods = if args.method.is_empty() { SurveyOptions::all_methods() } else { args.method.clone() };
    if let Some(path) = &args.file {
        return portraits(path, args.shape.first().copied(), &methods);
    }
    if args.classes {
        return classes(global, &args, &methods);
    }
    let shapes = if args.shape.is_empty() { SurveyOptions::all_shapes() } else { args.shape };
    let files = args.out.as_deref().map(|out| files_of_report(global, out)).transpose()?;
    let options =
        SurveyOptions { seed: args.seed, samples: args.samples, shapes, law_samples: args.law_samples, methods };
    let survey = Bars::during(global, &[], |bars| survey(options, bars))?;
    let page = report::document(&survey);
    let Some([markdown, html, csv, parquet]) = files else {
        io::stdout().write_all(page.markdown().as_bytes())?;
        return Ok(Outcome::Done);
    };
    let data = data::data(&survey);
    for (path, contents) in [(markdown, page.markdown().into()), (html, page.html().into()), (csv, data::csv(&data)?)] {
        write_file(&path, contents)?;
    }
    let columns = data::COLUMNS.into_iter().zip(COLUMN_TYPES);
    let written = write_table(&parquet, columns, data.len(), |row, column| values(&data[row])[column].clone());
    written.with_context(|| cannot_write(&parquet))?;
    Ok(Outcome::Done)
}

/// The four files of a report. They are checked before the long work begins.
fn files_of_report(global: &Global, name: &Path) -> anyhow::Result<[PathBuf; 4]> {
    ensure!(name.file_name().is_some(), Usage(format!("'{}' is not a name for files", name.display())));
    let paths = ["md", "html", "csv", "parquet"].map(|end| name.with_added_extension(end));
    paths.iter().try_for_each(|path| global.paths.claim(name, path))?;
    // A first try to write, which leaves an existing report alone. The message names the folder, not the temporary file.
    let folder = folder_of(name);
    let written = tempfile::NamedTempFile::new_in(folder).map_err(|error| std::io::Error::from(error.kind()));
    written.with_context(|| format!("cannot write into {}", folder.display()))?;
    Ok(paths)
}

/// Counts the classes that draws reach.
fn classes(global: &Global, args: &Args, methods: &[Method]) -> anyhow::Result<Outcome> {
    let drawn = Bars::during(global, &[], |bars| {
        methods.iter().map(|method| classes::draw(method, args.seed, args.samples, bars)).collect::<Result<Vec<_>, _>>()
    })?;
    io::stdout().write_all(classes::text(&drawn).as_bytes())?;
    Ok(Outcome::Done)
}

/// Describes each grid of a file.
fn portraits(path: &Path, shape: Option<Shape>, methods: &[Method]) -> anyhow::Result<Outcome> {
    let mut out = io::stdout().lock();
    for (number, record) in (1..).zip(Input::open(path, shape)?) {
        let record = record?;
        let name = || format!("grid {number} of {}", path.display());
        let full_puzzle = record.puzzle.map(|puzzle| Solution::try_from(puzzle.into_grid())).transpose();
        let full_puzzle = full_puzzle.with_context(|| format!("{} is not full", name()))?;
        let grid = full_puzzle.or(record.solution).with_context(|| format!("{}: the row has no full grid", name()))?;
        ensure!(grid.shape().is_solvable(), "{}: the board is larger than 36x36", name());
        grid.shape().only_plain("coverage")?;
        let gap = if number == 1 { "" } else { "\n" };
        write!(out, "{gap}{}", portrait(&grid, methods))?;
    }
    Ok(Outcome::Done)
}

/// Copies the rows of a corpus or a file, and adds the probability of each grid under a method, or that of its row.
fn add_probabilities(global: &Global, path: &Path, out: &Path, methods: &[Method]) -> anyhow::Result<Outcome> {
    let too_many = "give one --method, because a row has one log2_probability";
    ensure!(methods.len() < 2, Usage(too_many.to_owned()));
    let input = Input::open(path, Want::Rows)?;
    let levels = SourceScales::of(&[path.to_owned()])?.common().unwrap_or_default();
    let mut sink = RowSink::with_levels(out, None, &input.outside(), &levels)?;
    let [unknown, never_made] = [const { AtomicU64::new(0) }; 2];
    let work = |record: Record| {
        let log2_probability = log2_probability(&record, methods.first());
        unknown.fetch_add(u64::from(log2_probability.is_none()), Ordering::Relaxed);
        never_made.fetch_add(u64::from(log2_probability == Some(f64::NEG_INFINITY)), Ordering::Relaxed);
        Ok(Record { log2_probability: log2_probability.filter(|log| log.is_finite()), ..record })
    };
    let summary = Bars::during(global, &[], |progress| {
        run_stage(input, work, &mut sink, None, &Job { on_error: OnError::Fail, progress, ..Job::default() })
    })?;
    sink.finish()?;
    for (count, reason) in [
        (unknown, "the row has no full grid, or the probabilities of its method are not known"),
        (never_made, "the method never makes the grid: its probability is 0, which has no logarithm"),
    ] {
        let (count, rows) = (count.into_inner(), summary.rows);
        if count > 0 {
            crate::cli::say(format_args!("note: {} of {rows} without a value: {reason}", counted(count, "row")));
        }
    }
    Ok(Outcome::Done)
}

/// The logarithm of the probability that the requested method, or else the method of the row, makes its grid: minus
/// infinity if it never does.
fn log2_probability(record: &Record, method: Option<&Method>) -> Option<f64> {
    let named = record.method.as_deref().and_then(|name| Method::from_name(name, None).ok());
    let solution = record.solution.as_ref().filter(|solution| solution.shape().is_solvable())?;
    chance(method.or(named.as_ref())?, solution).map(Chance::log2)
}

/// The types of [`values`].
const COLUMN_TYPES: [ColumnType; 8] = {
    let (text, real) = (ColumnType::Text, ColumnType::Real);
    [text, text, text, real, real, real, text, text]
};

/// The values of a figure, in the order of [`data::COLUMNS`].
fn values(datum: &Datum) -> [Value<'_>; 8] {
    let text = |text: &str| Value::from(text.to_owned());
    let real = |number: Option<f64>| number.map_or(Value::Null, Value::Real);
    let Datum { shape, method, quantity, at, value, error, exact, basis } = datum;
    [
        text(shape),
        if method.is_empty() { Value::Null } else { text(method) },
        text(quantity),
        real(*at),
        Value::Real(*value),
        real(*error),
        exact.as_deref().map_or(Value::Null, text),
        text(basis),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::text;

    #[test]
    fn a_grid_that_is_never_made_has_a_known_probability() {
        let line = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
        let solution = Solution::try_from(text::parse_line(line, None).unwrap()).unwrap();
        let log2 = |record: &Record, name: &str| log2_probability(record, Some(&method(name).unwrap()));
        let record = Record::of_solution(0, solution);
        assert_eq!(log2(&record, "permutation"), Some(f64::NEG_INFINITY));
        assert!(log2(&record, "uniform").is_some_and(f64::is_finite));
        assert_eq!(log2(&Record::default(), "uniform"), None);
    }
}
