//! `stats`: computes weighted statistics of corpora, with standard errors.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::{Context as _, bail};

use crate::cli::analysis::table::Columns;
use crate::cli::line::options::{self, Global};
use crate::cli::line::paths::{other_ending, plain};
use crate::cli::{Outcome, Usage, cannot_write};
use crate::corpus::{InputPath, Output, OutputPath, csv_cell, write_file};
use crate::publish::book::Typeface;
use crate::publish::picture::{self, pdf};
use crate::study::Table;
use crate::study::estimates::Finding;
use crate::study::figures::{Figures, FiguresQuery, ask::ask, plot::plot, replicates::ask_and_write};

/// Compute weighted means, shares and quantiles of corpora, with standard errors.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A figure is a column or an SQL expression. For a number, the command prints mean, standard deviation and quantiles. If there are \
few values, it also prints the share of each. For a flag or a text, it prints the share of each value.

Digging makes some puzzles too often: this is a bias. The column log_weight has weights that undo it. If rows have this column, \
figures are weighted: they estimate values for all minimal puzzles. Rows of the same grid are not treated as independent.

If there are too few rows, or the weights vary too much, a figure is marked as NOT RELIABLE, and has no interval. The mark says \
why. `guide statistics` explains the columns and the marks.

Examples:
  sudoku-corpus stats 'givens, se_er_tenths / 10.0 AS er, level'
  sudoku-corpus stats 'finished, hodoku_score' corpus --by givens
  sudoku-corpus stats 'se_er_tenths / 10.0 AS er' --by givens --plot means.pdf
  sudoku-corpus stats 'se_er_tenths / 10.0 AS er' --bins 0.5 --plot er.svg
  sudoku-corpus stats 'hodoku_score, givens' --replicates rows.csv
      for regressions and tests in R and Python
  sudoku-corpus stats hodoku_score corpus --shares published --unweighted
  sudoku-corpus stats seconds times.csv --grid puzzle --unweighted")]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    query: FiguresQuery,
    /// Folders of corpora, or files of rows (.parquet, .csv.zst, .csv). A CSV file with other columns is a table of its
    /// own.
    #[arg(default_value = "corpus", value_name = "CORPUS or FILE")]
    corpora: Vec<InputPath>,
    /// Also write the rows for programs that compute regressions and tests, such as R's survey and Python's samplics.
    /// The file has the figures, the weight, and sets of weights in which some rows have the weight 0 (jackknife
    /// weights). With these, such a program gets the same standard errors as this command. With --shares, it gets
    /// nearly the same. The name ends in .csv or .parquet.
    #[arg(long, value_name = "FILE")]
    replicates: Option<OutputPath>,
    /// Draw the first figure: its mean or shares for each group, or its histogram. The name ends in .svg or .pdf. A
    /// .csv with the numbers is written beside it, with one value in each cell.
    #[arg(long, value_name = "FILE")]
    plot: Option<OutputPath>,
    /// The output: a file, whose name gives the format: .csv, .json, or .txt for a table. The default is a table on
    /// standard output.
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    out: OutputPath,
    /// The format, if the name does not give it.
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
                    doubt,rows_for_1_percent,made";

/// The format that the name of an output gives.
fn format_of_name(out: &Path) -> Option<FigureFormat> {
    match out.extension().and_then(OsStr::to_str) {
        _ if out == Path::new("-") => Some(FigureFormat::Table),
        Some("csv") => Some(FigureFormat::Csv),
        Some("json") => Some(FigureFormat::Json),
        Some("txt") => Some(FigureFormat::Table),
        _ => None,
    }
}

/// Refuses numbers out of range, names of files with other endings, and two columns with one name. Returns the format
/// of the output.
fn check(args: &Args) -> anyhow::Result<FigureFormat> {
    let format = args.format.or_else(|| format_of_name(&args.out));
    let format = format.ok_or_else(|| other_ending(&args.out, &[".csv", ".json", ".txt"]))?;
    if let Some(bad) = args.query.quantiles.iter().find(|q| !(0.0..=100.0).contains(*q)) {
        bail!(Usage(format!("--quantiles: {bad} is not between 0 and 100")));
    }
    for (path, ends) in [(&args.plot, [".svg", ".pdf"]), (&args.replicates, [".csv", ".parquet"])] {
        if let Some(path) = path.as_deref().filter(|path| !ends.iter().any(|end| path.to_string_lossy().ends_with(end)))
        {
            bail!(other_ending(path, &ends));
        }
    }
    if args.query.classes.is_some_and(|width| !(width > 0.0 && width.is_finite())) {
        bail!(Usage("--bins: a width is a number above 0".to_owned()));
    }
    let mut columns: BTreeSet<&str> = HEAD.split(',').filter(|_| format == FigureFormat::Csv).collect();
    let by_names = args.query.by_names();
    if let Some(twice) = by_names.iter().find(|name| format != FigureFormat::Table && !columns.insert(name)) {
        bail!(Usage(format!("--by: two columns of the output are called '{twice}': name one with AS")));
    }
    Ok(format)
}

/// Checks the options, asks the table, and writes the figures; with --plot also the plot.
pub(in crate::cli) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let format = check(&args)?;
    args.plot.iter().try_for_each(|plot| global.paths.claim(plot, &plot.with_extension("csv")))?;
    for path in [Some(&args.out), args.plot.as_ref(), args.replicates.as_ref()].into_iter().flatten() {
        Output::probe(path)?;
    }
    options::stop_at_once()?;
    if let Some(fraction) = args.query.quantiles.iter().find(|q| (0.0..1.0).contains(*q) && **q > 0.0) {
        global.note(format_args!("--quantiles are percentages (50 is the median): {fraction} is {fraction} %"));
    }
    let table = Table::open(&plain(&args.corpora))?;
    let query = FiguresQuery { drawn: args.plot.is_some(), ..args.query };
    let answer = match &args.replicates {
        Some(path) => ask_and_write(&table, &query, path)?,
        None => ask(&table, &query)?,
    };
    answer.notes.iter().for_each(|note| global.note(note));
    if let Some(path) = &args.plot {
        draw(&answer, path)?;
    }
    let mut out = Output::create(&args.out)?;
    write(&answer, format, &mut out).with_context(|| cannot_write(&args.out))?;
    out.finish()?;
    Ok(Outcome::Done)
}

/// Writes the plot, and its numbers beside it.
fn draw(figures: &Figures, path: &Path) -> anyhow::Result<()> {
    let id = path.file_stem().map_or("figure".into(), |name| name.to_string_lossy());
    let figure = plot(figures, &id.replace(' ', "-")).map_err(Usage)?;
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
fn write(figures: &Figures, format: FigureFormat, out: &mut Output) -> anyhow::Result<()> {
    let mut out = BufWriter::new(out);
    match format {
        FigureFormat::Table => table(figures, &mut out)?,
        FigureFormat::Csv => {
            let mut out = csv::Writer::from_writer(&mut out);
            let made = figures.made.iter().map(|(what, text)| format!("{what}: {text}")).collect::<Vec<_>>().join("; ");
            out.write_record(figures.by.iter().map(String::as_str).chain(HEAD.split(',')))?;
            for finding in &figures.findings {
                let rows = finding.rows_for(0.01).map_or(String::new(), |rows| format!("{rows:.0}"));
                let cells = finding.group.iter().cloned().chain(csv_fields(finding)).chain([rows, made.clone()]);
                out.write_record(cells.map(|cell| csv_cell(&cell).into_owned()))?;
            }
            out.flush()?;
        }
        FigureFormat::Json => {
            let made = figures.made.iter().map(|(what, text)| ((*what).to_owned(), text.clone().into()));
            let figures = serde_json::json!({
                "made": made.collect::<serde_json::Map<_, _>>(),
                "notes": figures.notes,
                "figures": figures.findings.iter().map(|finding| object(figures, finding)).collect::<Vec<_>>(),
            });
            writeln!(out, "{figures:#}")?;
        }
    }
    Ok(out.flush()?)
}

/// A number with six decimal places, or six significant digits of a small one, or all digits of a large one; an empty
/// text if it is not known.
fn number(value: f64) -> String {
    match value {
        value if !value.is_finite() => String::new(),
        value if value != 0.0 && value.abs() < 1e-4 => format!("{value:.5e}"),
        value if value.abs() >= 1e15 => format!("{value:e}"),
        value if value.abs() >= 1e9 => value.to_string(),
        value => format!("{:.6}", value).trim_end_matches('0').trim_end_matches('.').to_owned(),
    }
}

/// The tail of the weights of a finding.
fn pareto_k(finding: &Finding) -> String {
    match finding.shape {
        None => String::new(),
        Some(shape) if shape.is_finite() => format!("{shape:.2}"),
        Some(_) => "none".to_owned(),
    }
}

/// The columns of CSV of a finding, from its figure to its doubt, in the order of [`HEAD`].
fn csv_fields(finding: &Finding) -> [String; 12] {
    let Finding { estimate, .. } = finding;
    let (low, high) = estimate.reliable();
    [
        finding.figure.clone(),
        finding.statistic.to_string(),
        number(estimate.value),
        number(estimate.error),
        number(low),
        number(high),
        estimate.doubt.is_none().to_string(),
        finding.rows.to_string(),
        finding.grids.to_string(),
        format!("{:.0}", finding.effective),
        pareto_k(finding),
        finding.doubt().unwrap_or_default(),
    ]
}

/// A figure as an object of JSON.
fn object(figures: &Figures, finding: &Finding) -> serde_json::Value {
    let Finding { estimate, .. } = finding;
    let group = figures.by.iter().cloned().zip(finding.group.iter().cloned().map(Into::into));
    serde_json::json!({
        "group": group.collect::<serde_json::Map<_, _>>(),
        "figure": finding.figure,
        "statistic": finding.statistic.to_string(),
        "estimate": estimate.value,
        "standard_error": estimate.error,
        "low_95": estimate.reliable().0,
        "high_95": estimate.reliable().1,
        "reliable": estimate.doubt.is_none(),
        "doubt": finding.doubt(),
        "rows_for_1_percent": finding.rows_for(0.01),
        "rows": finding.rows,
        "grids": finding.grids,
        "effective_rows": finding.effective,
        "pareto_k": finding.shape.filter(|shape| shape.is_finite()),
    })
}

/// A table for people.
fn table(figures: &Figures, out: &mut impl Write) -> io::Result<()> {
    let head = ["figure", "statistic", "estimate", "95 % interval", "rows", "effective", "k", ""];
    let names = figures.by.iter().cloned().chain(head.map(str::to_owned)).collect();
    let mut columns = Columns::new(out, names, None);
    for finding in &figures.findings {
        let (low, high) = finding.estimate.reliable();
        let (interval, mark) = match finding.doubt() {
            None => (format!("{} .. {}", number(low), number(high)), String::new()),
            Some(doubt) => ("-".to_owned(), format!("NOT RELIABLE: {doubt}")),
        };
        let cells = [
            finding.figure.clone(),
            finding.statistic.to_string(),
            number(finding.estimate.value),
            interval,
            finding.rows.to_string(),
            format!("{:.0}", finding.effective),
            pareto_k(finding),
            mark,
        ];
        columns.write(finding.group.iter().cloned().chain(cells).map(|cell| (cell, false)))?;
    }
    columns.finish()
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn large_numbers_have_all_digits() {
        let numbers = [1_700_000_005.0, -1_700_000_005.25, 1e9, 1e15, 1.5e200, 0.1 + 0.2, 12.0, -1.234_567_89e-5, 0.0];
        let shown = ["1700000005", "-1700000005.25", "1000000000", "1e15", "1.5e200", "0.3", "12", "-1.23457e-5", "0"];
        assert_eq!(numbers.map(number), shown);
    }
}
