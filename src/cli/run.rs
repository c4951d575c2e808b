//! `run`: all stages into a folder of parts, resumable.

use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::options::{self, AnalyzeOptions, DigOptions, Global, GridOptions};
use super::outputs::{self, Extra, Outputs};
use super::progress::Bars;
use super::{Outcome, Usage, cannot_write, counted, say};
use crate::corpus::{Draft, Format, Layout, PROGRAM_VERSION, ProduceOptions, Recipe, Summary, produce};

/// Make a corpus: grids, puzzles and their analysis, into a folder of parts.
///
/// Without a recipe: 10,000 minimal 9x9 puzzles into corpus/. Run the same command again after an interruption, and it
/// goes on where it stopped. The same recipe gives the same bytes on every machine and with any number of threads.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus run
  sudoku-corpus run nightly.toml --out corpora/tonight
  sudoku-corpus run --count 500 --level hard --symmetry rotate-180 --out corpora/hard
  sudoku-corpus run --count 100 --needs x_wing --out corpora/x-wings
  sudoku-corpus run --count 1000000 --plan givens=24..26 --symmetry rotate-180 --out corpora/symmetric
  sudoku-corpus run nightly.toml --parts 0..50 --out /shared/corpus     one of several workers
  sudoku-corpus run nightly.toml --parts 7..8 --json --stop-with-stdin  under a driver that must not leave it behind
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
    /// flat, or hive: folders that name shape, method, seed and block of the rows below.
    #[arg(long, value_name = "LAYOUT")]
    layout: Option<Layout>,
    #[command(flatten)]
    grid: GridOptions,
    #[command(flatten)]
    dig: DigOptions,
    #[command(flatten)]
    analyze: AnalyzeOptions,
    /// Insist on log_weight, the weight of each puzzle in an unbiased mean. It is written anyway where it is known:
    /// for the plans minimal and controlled-bias, without symmetry or target, to order 9.
    #[arg(long)]
    weight: bool,
    /// No two rows are essentially the same: those that repeat an earlier one are made again.
    #[arg(long)]
    distinct: bool,
    /// Write every step of the solutions, a file steps-000000.parquet beside each part.
    #[arg(long)]
    steps: bool,
    /// Only the parts A to B-1, beside other processes that make other parts.
    #[arg(long, value_name = "A..B", value_parser = parts)]
    parts: Option<Range<u64>>,
    /// Print the recipe and the plan of work, and make nothing.
    #[arg(long)]
    dry_run: bool,
    /// One JSON object on stdout for every part that was asked for, when it is finished or was there; with --dry-run
    /// one object about the recipe.
    #[arg(long)]
    json: bool,
    /// Puzzles that the outputs of the recipe must not publish again: files of puzzles, or indexes of --remember.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    except: Vec<PathBuf>,
    /// The index in which the exports and books of the recipe keep what they publish.
    #[arg(long, value_name = "FILE")]
    remember: Option<PathBuf>,
    /// Outputs of the recipe may write files outside the folder of the corpus.
    #[arg(long)]
    allow_outside: bool,
    /// Stop as by SIGTERM when the standard input ends: a driver that holds its other end takes this process with it,
    /// however it dies.
    #[arg(long)]
    stop_with_stdin: bool,
}

pub(super) fn parts(text: &str) -> Result<Range<u64>, String> {
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
    draft.layout = args.layout.or(draft.layout);
    if args.weight {
        draft.weight = Some(true);
    }
    if args.steps {
        draft.steps = Some(true);
    }
    if args.distinct {
        draft.distinct = Some(true);
    }
    Ok(draft)
}

/// Runs the command.
pub fn run(global: &Global, mut args: Args) -> anyhow::Result<Outcome> {
    let draft = draft(&mut args)?;
    let recipe = options::recipe(&draft)?;
    let outputs = Outputs::parse(&draft.outputs, &recipe, &extra(global, &args)?)?;
    if args.dry_run {
        return dry_run(&recipe, &outputs, &args);
    }
    let stop = options::stop_flag()?;
    if args.stop_with_stdin {
        options::stop_with_stdin(&stop);
    }
    options::end_soon_after(&stop);
    let bars = Bars::new(global.quiet, &["generate", "dig", "analyze", "write"]).with_json(args.json);
    let wanted = ProduceOptions { parts: args.parts.clone(), threads: global.threads };
    let made = produce(&recipe, &args.out, &wanted, &bars, &stop);
    bars.finish();
    let summary = made?;
    if !global.quiet {
        say(describe(&summary, &args));
    }
    let outcome = match (summary.is_stopped(), args.parts) {
        (true, _) => Outcome::Stopped,
        // One of several workers: what is made of the corpus is for the one who puts it together.
        (false, Some(_)) => Outcome::Done,
        (false, None) => outputs.make(&args.out, global.quiet)?,
    };
    bars.written().with_context(|| cannot_write(Path::new("-")))?;
    Ok(outcome)
}

/// What the command line adds to the outputs of the recipe.
fn extra(global: &Global, args: &Args) -> anyhow::Result<Extra> {
    Ok(Extra {
        quiet: global.quiet,
        allow_outside: args.allow_outside,
        except: args.except.iter().map(|path| outputs::absolute(path)).collect::<anyhow::Result<_>>()?,
        remember: args.remember.as_deref().map(outputs::absolute).transpose()?,
    })
}

fn dry_run(recipe: &Recipe, outputs: &Outputs, args: &Args) -> anyhow::Result<Outcome> {
    use std::io::Write as _;
    let mut out = std::io::stdout().lock();
    if args.json {
        let about = serde_json::json!({
            "count": recipe.count,
            "part_rows": recipe.part_rows,
            "parts": recipe.parts(),
            "fingerprint": recipe.fingerprint(),
            "program_version": PROGRAM_VERSION,
            "recipe": recipe.canonical(),
            "bases": recipe.bases.as_ref().map(|bases| &bases.lines),
        });
        writeln!(out, "{about}")?;
        return Ok(Outcome::Done);
    }
    writeln!(out, "{}", recipe.canonical())?;
    let there = format!("# {} rows in {} parts into {}", recipe.count, recipe.parts(), args.out.display());
    writeln!(out, "{there}\n# fingerprint {}", recipe.fingerprint())?;
    outputs.lines().try_for_each(|words| writeln!(out, "# output: {words}"))?;
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
    let damaged = match summary.parts_damaged {
        0 => String::new(),
        parts => format!("\n{} damaged, made again", counted(parts, "part")),
    };
    let replaced = match summary.rows_replaced {
        0 => String::new(),
        rows => format!("\n{} repeated others, replaced", counted(rows, "row")),
    };
    let state = if summary.is_stopped() {
        format!("stopped with {} parts to go; the same command goes on", summary.parts_missing)
    } else if summary.is_complete() {
        format!("{folder} is complete: {} parts", summary.parts)
    } else {
        format!("{folder} has {} of {} parts", summary.parts_there, summary.parts)
    };
    let short: String = summary.short.iter().map(|class| format!("\nshort: {class}")).collect();
    format!("{made}{kept}{damaged}{replaced}{short}\n{state}")
}
