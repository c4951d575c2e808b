//! `run`: all stages into a folder of parts, resumable.

use std::ops::Range;
use std::path::PathBuf;

use super::options::{self, AnalyzeOptions, DigOptions, Global, GridOptions};
use super::progress::Bars;
use super::{Outcome, Usage};
use crate::corpus::{Draft, Format, ProduceOptions, Recipe, Summary, produce};

/// Make a corpus: grids, puzzles and their analysis, into a folder of parts.
///
/// Without a recipe: 10,000 minimal 9x9 puzzles into corpus/. Run the same command again after an interruption, and it
/// goes on where it stopped. The same recipe gives the same bytes on every machine and with any number of threads.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus run
  sudoku-corpus run nightly.toml --out corpora/tonight
  sudoku-corpus run --count 1000000 --plan givens=24..26 --symmetry rotate-180 --out corpora/symmetric
  sudoku-corpus run nightly.toml --parts 0..50 --out /shared/corpus     one of several workers
  sudoku-corpus run --dry-run                                           the recipe, and what it would make")]
pub struct Args {
    /// A recipe; `list keys` tells its keys. Options given here win over it.
    recipe: Option<PathBuf>,
    /// The folder of the corpus; it is made if it does not exist.
    #[arg(long, value_name = "DIR", default_value = "corpus")]
    out: PathBuf,
    /// Number of puzzles.
    #[arg(long, value_name = "N")]
    count: Option<u64>,
    /// Where all randomness comes from.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Rows of a part, the unit of work.
    #[arg(long, value_name = "N")]
    part_rows: Option<u64>,
    /// parquet or csv.zst.
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    #[command(flatten)]
    grid: GridOptions,
    #[command(flatten)]
    dig: DigOptions,
    #[command(flatten)]
    analyze: AnalyzeOptions,
    /// Compute log_weight, the weight of each puzzle in an unbiased mean (plan minimal, no symmetry).
    #[arg(long)]
    weight: bool,
    /// Only the parts A to B-1, beside other processes that make other parts.
    #[arg(long, value_name = "A..B", value_parser = parts)]
    parts: Option<Range<u64>>,
    /// Print the recipe and the plan of work, and make nothing.
    #[arg(long)]
    dry_run: bool,
    /// One JSON object on stdout for every finished part.
    #[arg(long)]
    json: bool,
}

fn parts(text: &str) -> Result<Range<u64>, String> {
    let wrong = || format!("'{text}' is not of the form A..B");
    let (start, end) = text.split_once("..").ok_or_else(wrong)?;
    Ok(start.parse().map_err(|_| wrong())?..end.parse().map_err(|_| wrong())?)
}

fn draft(args: &mut Args) -> anyhow::Result<Draft> {
    let mut draft = match &args.recipe {
        Some(path) => Draft::read(path).map_err(|error| Usage(error.to_string()))?,
        None => Draft::default(),
    };
    std::mem::take(&mut args.grid).fill(&mut draft);
    std::mem::take(&mut args.dig).fill(&mut draft);
    std::mem::take(&mut args.analyze).fill(&mut draft);
    draft.count = args.count.or(draft.count);
    draft.seed = args.seed.or(draft.seed);
    draft.part_rows = args.part_rows.or(draft.part_rows);
    draft.format = args.format.or(draft.format);
    if args.weight {
        draft.weight = Some(true);
    }
    Ok(draft)
}

/// Runs the command.
pub fn run(global: &Global, mut args: Args) -> anyhow::Result<Outcome> {
    let recipe = options::recipe(&draft(&mut args)?)?;
    if args.dry_run {
        return dry_run(&recipe, &args);
    }
    let stop = options::stop_flag()?;
    let bars = Bars::new(global.quiet, &["generate", "dig", "analyze", "write"]).with_json(args.json);
    let wanted = ProduceOptions { parts: args.parts.clone(), threads: global.threads };
    let made = produce(&recipe, &args.out, &wanted, &bars, &stop);
    bars.finish();
    let summary = made?;
    if !global.quiet {
        eprintln!("{}", describe(&summary, &args));
    }
    Ok(if summary.is_stopped() { Outcome::Stopped } else { Outcome::Done })
}

fn dry_run(recipe: &Recipe, args: &Args) -> anyhow::Result<Outcome> {
    use std::io::Write as _;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", recipe.canonical())?;
    let there = format!("# {} rows in {} parts into {}", recipe.count, recipe.parts(), args.out.display());
    writeln!(out, "{there}\n# fingerprint {}", recipe.fingerprint())?;
    Ok(Outcome::Done)
}

/// What was made, what was there, and how to go on.
fn describe(summary: &Summary, args: &Args) -> String {
    let folder = args.out.display();
    let rate = summary.rows_made as f64 / summary.seconds.max(1e-9);
    let made = format!(
        "{} rows in {} parts made ({:.1} MB, {:.1} s, {rate:.0} rows a second)",
        summary.rows_made,
        summary.parts_made,
        summary.bytes_made as f64 / 1e6,
        summary.seconds
    );
    let kept = match summary.parts_kept {
        0 => String::new(),
        kept => format!(", {kept} parts were there"),
    };
    let state = if summary.is_stopped() {
        format!("stopped with {} parts to go; the same command goes on", summary.parts_missing)
    } else if summary.is_complete() {
        format!("{folder} is complete: {} parts", summary.parts)
    } else {
        format!("{folder} has {} of {} parts", summary.parts_there, summary.parts)
    };
    format!("{made}{kept}\n{state}")
}
