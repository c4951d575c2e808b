//! `query --engine duckdb`: passes a query and its files to an installed DuckDB.
//!
//! The tables have the same names, columns and types as here: all integers become signed 64-bit integers. DuckDB may read
//! the files of the command line and write the output, and nothing else.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail, ensure};

use super::query::AnswerFormat;
use super::{Outcome, Usage, cannot_write};
use crate::corpus::{TempFolder, check_query};
use crate::study::Table;

/// The message if DuckDB is missing.
const NOT_INSTALLED: &str = "DuckDB is not installed: get the program from https://duckdb.org, or `pip install duckdb`";

/// Runs statements in DuckDB's Python package. The last one is the query.
const PYTHON: &str = "import sys, duckdb
base = duckdb.connect()
views, question = sys.stdin.read().split('\\0')
base.execute(views)
if sys.argv[1:]:
    base.execute(question)
else:
    base.sql(question).show(max_width=10000, max_rows=1000000)
";

/// Runs a query in DuckDB. A table is printed; the answer in another format is written.
pub fn ask(table: &Table, sql: &str, format: AnswerFormat, out: &Path) -> anyhow::Result<Outcome> {
    let (copies, standard) = (format != AnswerFormat::Table, out == Path::new("-"));
    let ends = "with --engine duckdb, the output must end in .csv, .jsonl or .parquet";
    ensure!(format != AnswerFormat::Sqlite && (copies || standard), Usage(ends.to_owned()));
    check_query(sql).map_err(Usage)?;
    let question = sql.trim().trim_end_matches(';');
    // DuckDB would truncate a file to which standard output is appended, so let it write a temporary file first.
    let folder = TempFolder::new().context("cannot make a temporary folder")?;
    let answer = folder.path().join("answer");
    let target = if standard { answer.as_path() } else { out };
    let text = |path: &Path| format!("'{}'", path.display().to_string().replace('\'', "''"));
    let views = format!(
        "{}SET allowed_paths = [{}];\nSET enable_external_access = false;\nSET lock_configuration = true;\n",
        table.views(),
        table.files().chain([target]).map(text).collect::<Vec<_>>().join(", ")
    );
    let how = match format {
        AnswerFormat::Csv => "FORMAT csv, HEADER",
        AnswerFormat::Jsonl => "FORMAT json",
        _ => "FORMAT parquet, COMPRESSION zstd",
    };
    let copied = format!("COPY ({question}\n) TO {} ({how})", text(target));
    let question = if copies { &copied } else { question };
    let status = if installed("duckdb", &["--version"]) {
        run(Command::new("duckdb").args(["-batch", "-bail"]), &format!("{views}\n{question};\n"))?
    } else if installed("python3", &["-c", "import duckdb"]) {
        let arguments = copies.then_some("copy");
        run(Command::new("python3").args(["-c", PYTHON]).args(arguments), &format!("{views}\0{question}"))?
    } else {
        bail!(NOT_INSTALLED);
    };
    ensure!(status, Usage("DuckDB failed; see its message above".to_owned()));
    if standard && copies {
        let mut answer = File::open(&answer).context("cannot read the answer of DuckDB")?;
        io::copy(&mut answer, &mut io::stdout().lock()).with_context(|| cannot_write(out))?;
    }
    Ok(Outcome::Done)
}

fn installed(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Runs a program with a text on its standard input.
fn run(command: &mut Command, text: &str) -> anyhow::Result<bool> {
    let mut child = command.stdin(Stdio::piped()).spawn().context("cannot start DuckDB")?;
    if let Some(mut input) = child.stdin.take() {
        // A program that ends at once reports the reason itself.
        drop(input.write_all(text.as_bytes()));
    }
    Ok(child.wait().context("cannot wait for DuckDB")?.success())
}
