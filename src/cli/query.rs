//! `query`: SQL over corpora and files of rows.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::{Map, Value};

use super::options::Global;
use super::{Outcome, Usage};
use crate::corpus::{Answer, COLUMNS};
use crate::study::Table;

/// Ask corpora in SQL. The table is called `puzzles`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus query 'SELECT givens, count(*) AS n, avg(score) FROM puzzles GROUP BY givens ORDER BY givens'
  sudoku-corpus query \"SELECT puzzle FROM puzzles WHERE level = 'hard' LIMIT 5\" corpora/monday corpora/tuesday
  sudoku-corpus query 'SELECT * FROM puzzles WHERE n_x_wing > 0' corpus --out x_wings.parquet
  sudoku-corpus query --schema")]
pub struct Args {
    /// The question. SELECT with WHERE, GROUP BY, ORDER BY, window functions, common table expressions.
    #[arg(required_unless_present = "schema")]
    sql: Option<String>,
    /// Folders of corpora, or files of rows (.parquet, .csv.zst, .csv); together they are the table.
    #[arg(default_value = "corpus")]
    corpora: Vec<PathBuf>,
    /// Explain every column.
    #[arg(long)]
    schema: bool,
    /// Where the answer goes; its name says the format: .csv, .jsonl, .parquet. A table on standard output by default.
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// table, csv, jsonl or parquet, when the name does not say it.
    #[arg(long, value_enum)]
    format: Option<Format>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Table,
    Csv,
    Jsonl,
    Parquet,
}

impl Format {
    fn of_name(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()? {
            "csv" => Some(Format::Csv),
            "jsonl" | "ndjson" => Some(Format::Jsonl),
            "parquet" => Some(Format::Parquet),
            "txt" => Some(Format::Table),
            _ => None,
        }
    }
}

/// Runs the command.
pub fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    if args.schema {
        columns(&mut io::stdout().lock())?;
        return Ok(Outcome::Done);
    }
    let standard = args.out == Path::new("-");
    let usual = if standard { Some(Format::Table) } else { Format::of_name(&args.out) };
    let format = args.format.or(usual).ok_or_else(|| {
        Usage(format!("{}: the name says no format; known: .csv, .jsonl, .parquet, .txt", args.out.display()))
    })?;
    let table = Table::open(&args.corpora)?;
    let mut answer = table.ask(args.sql.as_deref().unwrap_or_default()).map_err(Usage)?;
    let out: Box<dyn Write> = match standard {
        true => Box::new(io::stdout().lock()),
        false => Box::new(File::create(&args.out).with_context(|| format!("cannot write {}", args.out.display()))?),
    };
    let mut out = BufWriter::new(out);
    match format {
        Format::Table => write_table(&mut out, &answer)?,
        Format::Csv => write_csv(&mut out, &answer)?,
        Format::Jsonl => write_lines(&mut out, &answer)?,
        Format::Parquet => answer.write_parquet(&mut out).map_err(anyhow::Error::msg)?,
    }
    out.flush()?;
    if !global.quiet && !standard {
        eprintln!("{} rows into {}", answer.len(), args.out.display());
    }
    Ok(Outcome::Done)
}

/// Prints every column with its type, meaning and unit.
pub fn columns(out: &mut impl Write) -> io::Result<()> {
    for column in COLUMNS.iter() {
        let unit = if column.unit.is_empty() { String::new() } else { format!(" [{}]", column.unit) };
        writeln!(out, "{:<28} {:<8} {}{unit}", column.name, column.kind.name(), column.about)?;
    }
    Ok(())
}

fn row(answer: &Answer, row: usize) -> anyhow::Result<Vec<Value>> {
    answer.row(row).map_err(anyhow::Error::msg)
}

/// A value as it stands in tables and CSV.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Columns side by side, numbers to the right.
fn write_table(out: &mut impl Write, answer: &Answer) -> anyhow::Result<()> {
    let names = answer.names();
    let rows = (0..answer.len()).map(|at| row(answer, at)).collect::<anyhow::Result<Vec<_>>>()?;
    let number: Vec<bool> = (0..names.len()).map(|at| rows.iter().any(|row| row[at].is_number())).collect();
    let texts: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(table_text).collect()).collect();
    let longest = |at: usize| texts.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = names.iter().enumerate().map(|(at, name)| longest(at).max(name.chars().count())).collect();
    for line in std::iter::once(&names).chain(&texts) {
        let cells = line.iter().enumerate().map(|(at, text)| match number[at] {
            true => format!("{text:>width$}", width = widths[at]),
            false => format!("{text:<width$}", width = widths[at]),
        });
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(())
}

/// As [`shown`], real numbers with four places.
fn table_text(value: &Value) -> String {
    match value.as_f64() {
        Some(real) if value.is_f64() => format!("{real:.4}"),
        _ => shown(value),
    }
}

fn write_csv(out: &mut impl Write, answer: &Answer) -> anyhow::Result<()> {
    let mut out = csv::Writer::from_writer(out);
    out.write_record(answer.names())?;
    for at in 0..answer.len() {
        out.write_record(row(answer, at)?.iter().map(shown))?;
    }
    out.flush()?;
    Ok(())
}

fn write_lines(out: &mut impl Write, answer: &Answer) -> anyhow::Result<()> {
    let names = answer.names();
    for at in 0..answer.len() {
        let object: Map<String, Value> = names.iter().cloned().zip(row(answer, at)?).collect();
        serde_json::to_writer(&mut *out, &object)?;
        writeln!(out)?;
    }
    Ok(())
}
