//! `preflight`: checks a finished book against the rules of a printer.

use std::io::{self, Write as _};

use anyhow::Context as _;

use super::options::Global;
use super::{Outcome, Usage, paths};
use crate::corpus::InputPath;
use crate::publish::book::{Finding, Paper, Printer, preflight};

/// Check a PDF file of a book against the rules of a printer.
///
/// Prints a line for each rule: whether the file keeps it, what was found, and the pages that break it. The exit code
/// is 3 if a rule is broken. `printers.toml` in the source says where each rule was read, and when.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus preflight book.pdf                          Kindle Direct Publishing, paperback
  sudoku-corpus preflight book.pdf --printer kdp-hardcover --paper cream
  sudoku-corpus preflight book.pdf --printer ingram")]
pub(super) struct Args {
    /// The PDF file of the inside of a book.
    #[arg(value_name = "FILE")]
    file: InputPath,
    /// The printer: kdp, kdp-hardcover or ingram.
    #[arg(long, default_value = "kdp")]
    printer: Printer,
    /// The paper, white or cream.
    #[arg(long, default_value = "white")]
    paper: Paper,
}

/// Prints what the printer's rules say about the file, rule by rule.
pub(super) fn run(_: &Global, args: Args) -> anyhow::Result<Outcome> {
    let name = paths::name(&args.file);
    let data = std::fs::read(&*args.file).with_context(|| format!("cannot read {name}"))?;
    let findings = preflight(&name, data, args.printer, args.paper).map_err(|error| Usage(error.to_string()))?;
    let mut out = io::stdout().lock();
    writeln!(out, "{name}: {}", args.printer.rules().title)?;
    for Finding { rule, is_kept, text } in &findings {
        writeln!(out, "{:<5} {rule}: {text}", if *is_kept { "ok" } else { "WRONG" })?;
    }
    let is_kept = findings.iter().all(|finding| finding.is_kept);
    Ok(if is_kept { Outcome::Done } else { Outcome::CheckFailed })
}
