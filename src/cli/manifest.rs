//! `manifest`: merges parts from several folders into one verified corpus.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde_json::json;

use super::options::{self, Global};
use super::progress::Bars;
use super::{Outcome, Usage, counted};
use crate::corpus::{Entry, InputPath, MergeOptions, Merged, RECIPE_FILE, Recipe, WorkFolder, merge, read_lines};

/// Merge parts from several folders into one verified corpus, and list the missing parts.
///
/// Every part is checked against its checksum and the recipe. The rows of a part without a checksum are made again and
/// compared. Parts that the corpus lacks are copied from the other folders. Each problem and each range of missing
/// parts is printed on a line: `run --parts 12..15` makes the parts of "missing 12..15". The exit code is 0 if the
/// corpus is complete, 4 if parts are missing, and 3 if something is damaged or belongs to another corpus.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus manifest corpora/tonight
  sudoku-corpus manifest corpora/all worker-1 worker-2 worker-3
  sudoku-corpus manifest corpora/all --recipe nightly.toml --lines finished.jsonl --drop-damaged")]
pub(super) struct Args {
    /// The folder of the corpus. It is created if it does not exist.
    corpus: WorkFolder,
    /// The recipe, if none of the folders has one.
    #[arg(long, value_name = "FILE")]
    recipe: Option<InputPath>,
    /// The output of `run --json`; - for standard input. Parts are checked against it.
    #[arg(long, value_name = "FILE")]
    lines: Vec<InputPath>,
    #[command(flatten)]
    how: MergeOptions,
    /// Print the outcome as one JSON object.
    #[arg(long)]
    json: bool,
}

/// Merges the parts, and says what is good, missing and damaged.
pub(super) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let recipe = Recipe::read(&recipe_file(&args)?).map_err(|error| Usage(error.to_string()))?;
    let lines = args.lines.iter().map(|path| read_lines(path)).collect::<Result<Vec<Vec<Entry>>, _>>()?.concat();
    let how = MergeOptions { lines, ..args.how };
    let stop = options::stop_soon()?;
    let merged = Bars::during(global, &["check"], |bars| merge(&recipe, &args.corpus, &how, &global.job(bars, &stop)))?;
    write_findings(&merged, args.json, &recipe)?;
    let more = |number: u64, what: &str, done: &str| match number {
        0 => String::new(),
        number => format!(", {}{done}", counted(number, what)),
    };
    let Merged { parts_good, parts, rows, .. } = merged;
    global.say(format_args!(
        "{}: {parts_good} of {parts} parts are good, {rows} rows, {:.1} MB{}{}{}{}",
        args.corpus.display(),
        merged.bytes as f64 / 1e6,
        more(merged.parts_copied, "part", " copied"),
        more(merged.parts_dropped, "damaged part", " removed"),
        more(merged.problems.len() as u64, "problem", ""),
        if merged.stopped { "; stopped before the end" } else { "" }
    ));
    Ok(match (merged.problems.is_empty(), merged.stopped || !merged.missing.is_empty()) {
        (false, _) => Outcome::CheckFailed,
        (true, true) => Outcome::Stopped,
        (true, false) => Outcome::Done,
    })
}

/// The recipe of `--recipe`, of the corpus, or of the first other folder that has one.
fn recipe_file(args: &Args) -> Result<PathBuf, Usage> {
    let folders = std::iter::once(&*args.corpus).chain(args.how.sources.iter().map(AsRef::as_ref));
    let mut found = folders.map(|folder: &Path| folder.join(RECIPE_FILE)).filter(|path| path.is_file());
    let lacking = || Usage(format!("{} has no {RECIPE_FILE}; give one with --recipe", args.corpus.display()));
    args.recipe.as_deref().map(Path::to_owned).or_else(|| found.next()).ok_or_else(lacking)
}

/// Prints problems and missing parts, or one JSON object.
fn write_findings(merged: &Merged, as_json: bool, recipe: &Recipe) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if as_json {
        let object = json!({
            "parts": merged.parts,
            "good": merged.parts_good,
            "rows": merged.rows,
            "bytes": merged.bytes,
            "copied": merged.parts_copied,
            "dropped": merged.parts_dropped,
            "repaired": merged.repaired.iter().map(ToString::to_string).collect::<Vec<_>>(),
            // Start and end, which is the number after the last part. The lines below name the last part.
            "missing": merged.missing.iter().map(|parts| [parts.start, parts.end]).collect::<Vec<_>>(),
            "problems": merged.problems.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "fingerprint": recipe.fingerprint(),
        });
        return writeln!(out, "{object}");
    }
    let told = merged.repaired.iter().chain(&merged.problems);
    told.into_iter().try_for_each(|problem| writeln!(out, "{problem}"))?;
    // As `run --parts` takes them.
    merged.missing.iter().try_for_each(|parts| match parts.end - 1 {
        last if last == parts.start => writeln!(out, "missing {last}"),
        last => writeln!(out, "missing {}..{last}", parts.start),
    })
}
