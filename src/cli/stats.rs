//! `stats`: computes weighted statistics of corpora, with standard errors.

use std::ffi::OsStr;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::{Context as _, bail, ensure};

use super::options::{self, Global};
use super::table::Columns;
use super::{Outcome, Usage, cannot_write};
use crate::corpus::{InputPath, NamedInput, Output, OutputPath, csv_cell, write_file};
use crate::publish::book::Typeface;
use crate::publish::picture::{self, pdf};
use crate::study::weighted::{Figures, FiguresQuery, Finding, ask::ask, plot::plot};
use crate::study::{Source, Table};
use sudoku_corpus_core::page::numbers::p_value;

/// Compute weighted means, shares and quantiles of corpora, with standard errors.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A figure is a column or an SQL expression. For a number, the command prints mean, standard deviation and quantiles, and also \
the share of each value if there are few values. For a flag or a text, it prints the share of each value. If rows have \
log_weight, figures are weighted: they estimate values for all minimal puzzles and undo the bias of digging. Rows of the same \
grid are not treated as independent. A figure is marked as NOT RELIABLE, and has no interval, if there are too few rows or the \
weights vary too much. The mark says why. `guide statistics` explains the columns and the marks.

Examples:
  sudoku-corpus stats 'givens, se_er_tenths / 10.0 AS er, level' corpora/unbiased
  sudoku-corpus stats 'finished, score' corpora/unbiased --by givens
  sudoku-corpus stats givens corpora/controlled --total                 number of minimal puzzles of a grid, by givens
  sudoku-corpus stats 'se_er_tenths / 10.0 AS er' corpora/controlled --by givens --plot er.pdf
  sudoku-corpus stats 'se_er_tenths / 10.0 AS er' corpora/controlled --classes 0.5 --plot er.svg
  sudoku-corpus stats 'se_er_tenths / 10.0 AS er, givens' corpora/controlled --fit 'er ~ givens' --plot scatter.svg
  sudoku-corpus stats 'se_er_tenths / 10.0 AS er' corpora/controlled --by level --facets --plot levels.svg
  sudoku-corpus stats 'score, level' corpus --shares published
  sudoku-corpus stats seconds corpus --table times=times.csv --join 'times USING (puzzle)' --grid puzzle --unweighted
  sudoku-corpus stats 'n_x_wing > 0 AS x_wing' corpus --unweighted --format csv")]
pub(super) struct Args {
    #[command(flatten)]
    query: FiguresQuery,
    /// Folders of corpora, or files of rows (.parquet, .csv.zst, .csv). A CSV file with other columns is a table of its
    /// own.
    #[arg(default_value = "corpus")]
    corpora: Vec<InputPath>,
    /// Another table (.csv or .parquet), for --join and for subqueries.
    #[arg(long, value_name = "NAME=FILE")]
    table: Vec<NamedInput>,
    /// Draw the first figure: its mean or shares for each group, or its histogram; with --fit 'y ~ x' a scatter plot.
    /// The name ends in .svg or .pdf; a .csv with the numbers, one value a cell, is written beside it.
    #[arg(long, value_name = "FILE")]
    plot: Option<OutputPath>,
    /// The output file. Its name gives the format: .csv, .json. The default is a table on standard output.
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    out: OutputPath,
    /// The format, if the name of the output does not give it.
    #[arg(long, value_enum)]
    format: Option<FigureFormat>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum FigureFormat {
    Table,
    Csv,
    Json,
}

/// The columns after those of the groups.
const HEAD: &str = "figure,statistic,estimate,standard_error,low_95,high_95,reliable,rows,grids,effective_rows,pareto_k,\
                    doubt,rows_for_1_percent,p_value,p_corrected,made";

/// Checks the options, asks the table, and writes the figures; with --plot also the plot.
pub(super) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let usual = match args.out.extension().and_then(OsStr::to_str) {
        _ if args.out == Path::new("-") => Some(FigureFormat::Table),
        Some("csv") => Some(FigureFormat::Csv),
        Some("json") => Some(FigureFormat::Json),
        Some("txt") => Some(FigureFormat::Table),
        _ => None,
    };
    let unknown = || Usage(format!("{}: the name must end in .csv, .json or .txt", args.out.display()));
    let format = args.format.or(usual).ok_or_else(unknown)?;
    if let Some(bad) = args.query.quantiles.iter().find(|q| !(0.0..=100.0).contains(*q)) {
        bail!(Usage(format!("--quantiles: {bad} is not between 0 and 100")));
    }
    if let Some(path) = &args.plot {
        let refused = || Usage(format!("{}: the name of a plot must end in .svg or .pdf", path.display()));
        ensure!(["svg", "pdf"].iter().any(|end| path.extension() == Some(OsStr::new(end))), refused());
    }
    args.plot.iter().try_for_each(|plot| global.paths.claim(plot, &plot.with_extension("csv")))?;
    options::stop_at_once()?;
    if args.query.classes.is_some_and(|width| !(width > 0.0 && width.is_finite())) {
        bail!(Usage("--classes: a width is a number above 0".to_owned()));
    }
    let own = args.corpora.iter().map(|path| Ok(Source::plain(path.to_path_buf())));
    let sources = own.chain(args.table.iter().map(Source::outside)).collect::<Result<Vec<_>, _>>().map_err(Usage)?;
    let table = Table::of(&sources)?;
    let found = ask(&table, &FiguresQuery { drawn: args.plot.is_some(), ..args.query })?;
    found.notes.iter().for_each(|note| global.say(format_args!("note: {note}")));
    if let Some(path) = &args.plot {
        draw(&found, path)?;
    }
    let mut out = Output::create(&args.out)?;
    write(&found, format, &mut out).with_context(|| cannot_write(&args.out))?;
    out.finish()?;
    Ok(Outcome::Done)
}

/// Writes the plot, and its numbers beside it.
fn draw(found: &Figures, path: &Path) -> anyhow::Result<()> {
    let id = path.file_stem().map_or("figure".into(), |name| name.to_string_lossy());
    let figure = plot(found, &id.replace(' ', "-")).map_err(Usage)?;
    let bytes = if path.extension() == Some(OsStr::new("pdf")) {
        let typeface = Typeface::open()?;
        pdf(&typeface, &[picture::figure(&typeface, &figure.plot)])
    } else {
        figure.svg_file().into_bytes()
    };
    write_file(path, &bytes)?;
    Ok(write_file(&path.with_extension("csv"), figure.data.csv())?)
}

/// Writes the findings in a format.
fn write(found: &Figures, format: FigureFormat, out: &mut Output) -> anyhow::Result<()> {
    let mut out = BufWriter::new(out);
    match format {
        FigureFormat::Table => table(found, &mut out)?,
        FigureFormat::Csv => {
            let mut out = csv::Writer::from_writer(&mut out);
            let made = found.made.iter().map(|(what, text)| format!("{what}: {text}")).collect::<Vec<_>>().join("; ");
            out.write_record(found.by.iter().map(String::as_str).chain(HEAD.split(',')))?;
            for finding in &found.findings {
                let rows = finding.rows_for(0.01).map_or(String::new(), |rows| format!("{rows:.0}"));
                let tested = finding.p_value.map_or_else(Default::default, |tested| tested.map(number));
                let cells = finding.group.iter().cloned().chain(fields(finding)).chain([rows]).chain(tested);
                let cells = cells.chain([made.clone()]);
                out.write_record(cells.map(|cell| csv_cell(&cell).into_owned()))?;
            }
            out.flush()?;
        }
        FigureFormat::Json => {
            let made = found.made.iter().map(|(what, text)| ((*what).to_owned(), text.clone().into()));
            let figures = serde_json::json!({
                "made": made.collect::<serde_json::Map<_, _>>(),
                "notes": found.notes,
                "figures": found.findings.iter().map(|finding| object(found, finding)).collect::<Vec<_>>(),
            });
            writeln!(out, "{figures:#}")?;
        }
    }
    Ok(out.flush()?)
}

/// A number with six decimal places or six significant digits; an empty text if it is not known.
fn number(value: f64) -> String {
    match value {
        value if !value.is_finite() => String::new(),
        value if value != 0.0 && !(1e-4..1e9).contains(&value.abs()) => format!("{value:.5e}"),
        value => format!("{:.6}", value).trim_end_matches('0').trim_end_matches('.').to_owned(),
    }
}

/// The columns of a finding, from its figure to its doubt.
fn fields(finding: &Finding) -> [String; 12] {
    let Finding { estimate, .. } = finding;
    let (low, high) = estimate.reliable();
    let finite = |shape: f64| if shape.is_finite() { format!("{shape:.2}") } else { "none".into() };
    [
        finding.figure.clone(),
        finding.statistic.clone(),
        number(estimate.value),
        number(estimate.error),
        number(low),
        number(high),
        estimate.doubt.is_none().to_string(),
        finding.rows.to_string(),
        finding.grids.to_string(),
        format!("{:.0}", finding.effective),
        finding.shape.map_or(String::new(), finite),
        finding.doubt().unwrap_or_default(),
    ]
}

/// A figure as an object of JSON.
fn object(found: &Figures, finding: &Finding) -> serde_json::Value {
    let Finding { estimate, .. } = finding;
    let group = found.by.iter().cloned().zip(finding.group.iter().cloned().map(Into::into));
    serde_json::json!({
        "group": group.collect::<serde_json::Map<_, _>>(),
        "figure": finding.figure,
        "statistic": finding.statistic,
        "estimate": estimate.value,
        "standard_error": estimate.error,
        "low_95": estimate.reliable().0,
        "high_95": estimate.reliable().1,
        "reliable": estimate.doubt.is_none(),
        "doubt": finding.doubt(),
        "rows_for_1_percent": finding.rows_for(0.01),
        "p_value": finding.p_value.map(|tested| tested[0]),
        "p_corrected": finding.p_value.map(|tested| tested[1]),
        "rows": finding.rows,
        "grids": finding.grids,
        "effective_rows": finding.effective,
        "pareto_k": finding.shape.filter(|shape| shape.is_finite()),
    })
}

/// A table for people.
fn table(found: &Figures, out: &mut impl Write) -> io::Result<()> {
    // Only differences, slopes and correlations have p-values.
    let tests = found.findings.iter().any(|finding| finding.p_value.is_some());
    let head = ["figure", "statistic", "estimate", "95 % interval", "rows", "effective", "k", "p, corrected", ""];
    let head = head.into_iter().filter(|name| tests || *name != "p, corrected").map(str::to_owned);
    let names = found.by.iter().cloned().chain(head).collect();
    let mut columns = Columns::new(out, names, None);
    for finding in &found.findings {
        let [figure, statistic, value, _, low, high, _, rows, _, effective, shape, doubt] = fields(finding);
        let (interval, doubt) = match doubt.is_empty() {
            true => (format!("{low} .. {high}"), doubt),
            false => ("-".to_owned(), format!("NOT RELIABLE: {doubt}")),
        };
        let cells = [figure, statistic, value, interval, rows, effective, shape];
        let p = finding.p_value.map_or(String::new(), |[_, corrected]| p_value(corrected));
        let cells = finding.group.iter().cloned().chain(cells).chain(tests.then_some(p)).chain([doubt]);
        columns.write(cells.map(|cell| (cell, false)))?;
    }
    columns.finish()
}
