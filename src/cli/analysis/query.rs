//! `query`: answers SQL queries over corpora and files of rows.

use std::collections::BTreeSet;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde::Serializer as _;
use serde_json::Value;

use crate::cli::analysis::table::{Columns, MOST_WRAPPED};
use crate::cli::line::options::{self, Global};
use crate::cli::line::paths::other_ending;
use crate::cli::{Outcome, Usage, cannot_write, counted, harmless};
use crate::corpus::{
    Answer, AnswerWriter, AskLimits, COLUMNS, DatabaseWriter, Metadata, NamedInput, Output, OutputPath, csv_cell,
};
use crate::study::{Source as TableSource, Table};

/// Query corpora in SQL. The table is called `puzzles`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus query 'SELECT level, count(*) FROM puzzles GROUP BY level'
  sudoku-corpus query 'SELECT * FROM puzzles WHERE n_x_wing > 0' corpus \\
      --out x_wings.parquet
  sudoku-corpus query 'SELECT source, count(*) FROM puzzles GROUP BY source' \\
      ours=corpus books=stock
  sudoku-corpus query 'SELECT p.level, avg(t.seconds) FROM puzzles p
      JOIN times t ON t.puzzle = p.puzzle GROUP BY p.level' \\
      corpus --table times=times.csv
  sudoku-corpus query 'SELECT * FROM published LIMIT 1' seen.index

`sudoku-corpus guide queries` describes the dialect.")]
pub(in crate::cli) struct Args {
    /// The query: one SELECT statement, which may begin with WITH, in the dialect of SQLite; see `guide queries`.
    sql: String,
    /// Folders of corpora, or files of rows (.parquet, .csv.zst, .csv). Together they are the table `puzzles`.
    /// NAME=PATH also makes a table NAME, and its rows have NAME in the column `source`. An index of published puzzles is
    /// the table `published`.
    #[arg(default_value = "corpus", value_name = "[NAME=]PATH")]
    corpora: Vec<NamedInput>,
    /// Another table (.csv or .parquet), for joins.
    #[arg(long, value_name = "NAME=FILE")]
    table: Vec<NamedInput>,
    /// The output: a file, whose name gives the format: .csv, .jsonl, .parquet, .txt, .sqlite (a database with the
    /// table `answer`). The default is a table on standard output. On a terminal, a table of more than twelve columns
    /// shows those that fit.
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    out: OutputPath,
    /// The format, if the name does not give it.
    #[arg(long, value_enum)]
    format: Option<AnswerFormat>,
    /// End the query with an error after this time.
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum AnswerFormat {
    Table,
    Csv,
    Jsonl,
    Parquet,
    Sqlite,
}

impl AnswerFormat {
    /// The format that belongs to the name of a file.
    fn of_name(path: &Path) -> Option<AnswerFormat> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "csv" => Some(AnswerFormat::Csv),
            "jsonl" | "ndjson" => Some(AnswerFormat::Jsonl),
            "parquet" => Some(AnswerFormat::Parquet),
            "sqlite" | "db" | "sqlite3" => Some(AnswerFormat::Sqlite),
            "txt" => Some(AnswerFormat::Table),
            _ => None,
        }
    }
}

/// Asks the query, and writes the answer as it comes, batch by batch.
pub(in crate::cli) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let is_standard = args.out == Path::new("-");
    let format_of_name = if is_standard { Some(AnswerFormat::Table) } else { AnswerFormat::of_name(&args.out) };
    let format = args
        .format
        .or(format_of_name)
        .ok_or_else(|| other_ending(&args.out, &[".csv", ".jsonl", ".parquet", ".sqlite", ".txt"]))?;
    check_sources(&args)?;
    let stop = options::stop_at_once()?;
    let limits = AskLimits { until: args.timeout.map(deadline).transpose()?.flatten(), stop: Some(stop.clone()) };
    let sources = args.corpora.iter().map(|path| Ok(TableSource::of_argument(path)));
    let sources = sources.chain(args.table.iter().map(TableSource::outside));
    let table = Table::of(&sources.collect::<Result<Vec<_>, _>>().map_err(Usage)?)?;
    table.notes(&args.sql).iter().for_each(|note| global.note(note));
    let mut out = Output::create(&args.out)?;
    // The writer begins with the first batch, because it has the names of the columns. It takes the output then.
    let mut unused_output = Some(&mut out);
    let mut writer = None;
    let mut rows = 0;
    let terminal = is_standard.then(|| terminal_size::terminal_size_of(io::stdout())).flatten();
    let scales = table.scales();
    let room = terminal.map(|(width, _)| width.0.into());
    let answered = table.ask_in_batches(&args.sql, &limits, |answer| {
        rows += answer.len();
        match (&mut writer, unused_output.take()) {
            (Some(writer), _) => AnswerSink::write(writer, &answer),
            (None, Some(out)) => {
                AnswerSink::begin(format, &answer, scales.as_ref(), out, room).map(|begun| writer = Some(begun))
            }
            (None, None) => Ok(()),
        }
    });
    if stop.is_set() {
        return Ok(Outcome::Stopped);
    }
    let written = answered?.and_then(|()| writer.map_or(Ok(()), AnswerSink::finish));
    written.with_context(|| cannot_write(&args.out))?;
    out.finish()?;
    if !is_standard {
        let out = args.out.display();
        global.say(format_args!("{} into {out}", counted(rows as u64, "row")));
    }
    Ok(Outcome::Done)
}

/// Refuses a query of the table `puzzles` in which the rows of a source would count twice. As tables of their own, two
/// sources may be one: a query may join a table with itself.
fn check_sources(args: &Args) -> Result<(), Usage> {
    let mut words = args.sql.split(|sign: char| !(sign.is_alphanumeric() || sign == '_'));
    if !words.any(|word| word.eq_ignore_ascii_case("puzzles")) {
        return Ok(());
    }
    let mut places = BTreeSet::new();
    for path in args.corpora.iter().map(|argument| TableSource::of_argument(argument).path) {
        if path.canonicalize().is_ok_and(|place| !places.insert(place)) {
            let twice = format!("{} would be read twice, in the table puzzles", path.display());
            return Err(Usage(format!("{twice}: give it once, or query only the tables with names")));
        }
    }
    Ok(())
}

/// The time at which a query is ended that may take so many seconds. None if it lies beyond the clock.
fn deadline(seconds: f64) -> Result<Option<Instant>, Usage> {
    let length = Duration::try_from_secs_f64(seconds).map_err(|_| Usage(format!("--timeout: {seconds}")))?;
    Ok(Instant::now().checked_add(length))
}

/// Prints every column with its type, meaning and unit.
pub(in crate::cli) fn columns(out: &mut impl Write) -> io::Result<()> {
    for column in COLUMNS.iter() {
        let unit = if column.unit.is_empty() { String::new() } else { format!(" [{}]", column.unit) };
        writeln!(out, "{:<28} {:<8} {}{unit}", column.name, column.kind.name(), column.about)?;
    }
    Ok(())
}

/// The rows of a batch.
fn rows(answer: &Answer) -> impl Iterator<Item = anyhow::Result<Vec<Value>>> {
    (0..answer.len()).map(|row| answer.row(row).map_err(anyhow::Error::msg))
}

/// A value as text, for tables and CSV.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

/// Writes an answer that comes in batches. The first batch has no rows and gives the names of the columns.
enum AnswerSink<'a> {
    Table(Columns<&'a mut Output>),
    Csv(Box<csv::Writer<&'a mut Output>>),
    /// JSON lines; the names of the columns are the keys.
    Lines(Vec<String>, BufWriter<&'a mut Output>),
    Parquet(Box<AnswerWriter<'a>>),
    Sqlite(Box<DatabaseWriter<'a>>),
}

impl<'a> AnswerSink<'a> {
    /// Writes what comes before the rows. A table shows the columns that fit into `room`, the width of the terminal, if
    /// it has more than [`MOST_WRAPPED`].
    fn begin(
        format: AnswerFormat,
        answer: &Answer,
        scales: Option<&Metadata>,
        out: &'a mut Output,
        room: Option<usize>,
    ) -> anyhow::Result<AnswerSink<'a>> {
        let names = answer.names();
        Ok(match format {
            AnswerFormat::Table => {
                let room = room.filter(|_| names.len() > MOST_WRAPPED);
                AnswerSink::Table(Columns::new(out, names, room))
            }
            AnswerFormat::Csv => {
                let mut out = csv::Writer::from_writer(out);
                out.write_record(names)?;
                AnswerSink::Csv(Box::new(out))
            }
            AnswerFormat::Jsonl => AnswerSink::Lines(names, BufWriter::new(out)),
            AnswerFormat::Parquet => AnswerSink::Parquet(Box::new(AnswerWriter::new(out, answer, scales)?)),
            AnswerFormat::Sqlite => {
                AnswerSink::Sqlite(Box::new(DatabaseWriter::new(out, "answer", &answer.database_columns())?))
            }
        })
    }

    /// Writes the rows of a batch.
    fn write(&mut self, answer: &Answer) -> anyhow::Result<()> {
        match self {
            AnswerSink::Table(out) => rows(answer).try_for_each(|row| {
                let row = row?;
                Ok(out.write(row.iter().map(|value| (table_text(value), value.is_number())))?)
            }),
            AnswerSink::Csv(out) => rows(answer).try_for_each(|row| Ok(out.write_record(row?.iter().map(csv_text))?)),
            AnswerSink::Lines(names, out) => rows(answer).try_for_each(|row| {
                // The keys stand in the order of the columns. A map of serde_json would sort them.
                serde_json::Serializer::new(&mut *out).collect_map(names.iter().zip(&row?)).map_err(io::Error::from)?;
                Ok(writeln!(out)?)
            }),
            AnswerSink::Parquet(out) => Ok(out.write(answer)?),
            AnswerSink::Sqlite(out) => Ok(answer.write_to(out)?),
        }
    }

    /// Writes what comes after the last row.
    fn finish(self) -> anyhow::Result<()> {
        match self {
            AnswerSink::Table(out) => out.finish()?,
            AnswerSink::Csv(mut out) => out.flush()?,
            AnswerSink::Lines(_, mut out) => out.flush()?,
            AnswerSink::Parquet(out) => out.finish()?,
            AnswerSink::Sqlite(out) => out.finish()?,
        }
        Ok(())
    }
}

/// Like [`shown`], but control characters are escaped, and real numbers have four places. Small ones have four digits,
/// and those beyond the digits of a double a power of ten.
fn table_text(value: &Value) -> String {
    let Some(real) = value.as_f64().filter(|_| value.is_f64()) else { return harmless(&shown(value)) };
    match real.abs() {
        0.0 => "0.0000".to_owned(),
        size if (0.1..1e15).contains(&size) => format!("{real:.4}"),
        size if (1e-4..0.1).contains(&size) => format!("{real:.*}", (3.0 - size.log10().floor()) as usize),
        _ => format!("{real:.3e}"),
    }
}

/// Like [`shown`], as a cell of CSV.
fn csv_text(value: &Value) -> String {
    csv_cell(&shown(value)).into_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_are_neither_formulas_nor_terminal_commands() {
        for (value, csv, table) in [
            (json!("=1+2"), "'=1+2", "=1+2"),
            (json!("@SUM(A1)"), "'@SUM(A1)", "@SUM(A1)"),
            (json!("-2+3"), "'-2+3", "-2+3"),
            (json!("-2.5"), "-2.5", "-2.5"),
            (json!(-7), "-7", "-7"),
            (json!(2.0 / 3.0), "0.6666666666666666", "0.6667"),
            (json!(0.000_012_34), "0.00001234", "1.234e-5"),
            (json!(-0.0012), "-0.0012", "-0.001200"),
            (json!(-0.0), "-0.0", "0.0000"),
            (json!(1e300), "1e+300", "1.000e300"),
            (json!("5..3"), "5..3", "5..3"),
            (json!("\u{1b}[2J"), "\u{1b}[2J", "\\u{1b}[2J"),
        ] {
            assert_eq!((csv_text(&value).as_str(), table_text(&value).as_str()), (csv, table));
        }
    }
}
