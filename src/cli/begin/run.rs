//! `run`: runs all stages and writes a folder of parts. The same command continues an interrupted run.

use std::io::Write as _;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context as _, ensure};
use serde_json::json;

use crate::cli::begin::outputs::{Extra, Outputs};
use crate::cli::line::options::{self, BoardOptions, Global, Overrides};
use crate::cli::line::paths::{absolute, check_folder};
use crate::cli::line::progress::Bars;
use crate::cli::parts::generate;
use crate::cli::parts::stage::state_of_folder;
use crate::cli::{Outcome, Usage, about_options, cannot_write, counted, tell, with_causes};
use crate::corpus::{
    Draft, InputPath, OUTPUTS_FOLDER, PROGRAM_VERSION, Recipe, RunSummary, WorkFolder, folder_of, in_words, produce,
    quoted, range,
};
use crate::library;
use crate::nights::{Earlier, RunLine};
use crate::page::numbers::grouped;

/// Make a corpus: grids, puzzles and their analysis, in a folder of parts.
///
/// Without a recipe, `run` makes 10,000 minimal 9x9 puzzles in corpus/. After an interruption, run the same command
/// again: it continues where it stopped. The same recipe gives the same bytes on every machine and with any number of
/// threads.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus run
      10,000 minimal 9x9 puzzles into the folder corpus
  sudoku-corpus run recipe:book --out stock
      600 puzzles for a book; `list recipes` has the others
  sudoku-corpus run --count 50 --level hard --symmetry rotate-180 --out hard
  sudoku-corpus run --board 6x6 --count 200 --out six
  sudoku-corpus run --count 10 --needs x_wing --out x-wings
  sudoku-corpus run --count 200 --plan givens=24..26 --seed 7 --out few
  sudoku-corpus run recipe:book --share 0/6 --out shared
      one of six workers
  sudoku-corpus run --dry-run
      print the recipe, make nothing

The guide pages `recipes`, `digging` and `terms` explain the words: sudoku-corpus guide recipes")]
pub(in crate::cli) struct Args {
    /// A recipe (TOML), or one of the program: recipe:NAME. `list recipes` and `list keys` describe them. Options on the
    /// command line override it.
    recipe: Option<InputPath>,
    /// The output: the folder of the corpus. It is created if it does not exist.
    #[arg(long, short, value_name = "FOLDER", default_value = "corpus")]
    out: WorkFolder,
    #[command(flatten)]
    board: BoardOptions,
    #[command(flatten)]
    given: Overrides,
    /// Write log_weight, the logarithm of the weight of each puzzle. Figures of all minimal puzzles need it. If the
    /// program cannot compute it, it refuses the call: `guide statistics` says when. Without this option, it writes
    /// log_weight for the plan controlled-bias, and for rated puzzles of the plan minimal. (A rating by the ladder is
    /// enough.)
    #[arg(long)]
    weight: bool,
    /// Write every step of the solutions, in a file for each part, into the folder steps of the corpus.
    #[arg(long)]
    steps: bool,
    /// Make only these parts: N, or A..B with both ends included. Other processes can make the other parts at the same
    /// time.
    #[arg(long, value_name = "A..B", value_parser = parts)]
    parts: Option<Range<u64>>,
    /// Make only one of COUNT shares of the parts. INDEX is 0 to COUNT-1, as schedulers number their tasks. The shares
    /// differ by one part at most. A share may be empty.
    #[arg(long, value_name = "INDEX/COUNT", value_parser = share, conflicts_with = "parts")]
    share: Option<Share>,
    /// Print the recipe, the number of parts and the outputs, and make nothing.
    #[arg(long)]
    dry_run: bool,
    /// Print lines of JSON on standard output. There is a line for each part, as soon as it is finished or found
    /// finished. There is also a line for each output of the recipe, and for a failure. With --dry-run, there is one
    /// line about the recipe.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    extra: Extra,
    /// Stop when standard input ends, in the same way as after SIGTERM. If another program holds the other end of the
    /// pipe, this process also stops when that program is killed.
    #[arg(long)]
    stop_with_stdin: bool,
}

/// Reads the numbers of parts: N, or A..B with both ends included.
fn parts(text: &str) -> Result<Range<u64>, String> {
    let (first, last) = range(text)?;
    let full = first <= last && last < usize::MAX;
    if full {
        Ok(first as u64..last as u64 + 1)
    } else {
        Err(format!("the range {text} is empty: write the smaller number first"))
    }
}

/// One of `count` shares of the parts, by its number from 0.
#[derive(Clone, Copy, Debug)]
struct Share {
    index: u64,
    count: u64,
}

fn share(text: &str) -> Result<Share, String> {
    let numbers = text.split_once('/');
    let share =
        numbers.and_then(|(index, count)| Some(Share { index: index.parse().ok()?, count: count.parse().ok()? }));
    let share = share.filter(|share| share.index < share.count);
    share.ok_or_else(|| format!("'{text}' is not INDEX/COUNT with an INDEX from 0 to COUNT-1, such as 0/8"))
}

/// The parts to make; None for all.
fn wanted_parts(args: &Args, parts: u64) -> Option<Range<u64>> {
    let Some(Share { index, count }) = args.share else { return args.parts.clone() };
    let begin = |index: u64| (u128::from(parts) * u128::from(index) / u128::from(count)) as u64;
    Some(begin(index)..begin(index + 1))
}

/// The recipe of the file, with the options of the command line written over it.
fn draft(args: &Args) -> anyhow::Result<Draft> {
    let mut draft = match (&args.recipe, &args.extra.relative_to) {
        (Some(path), _) if path.to_str().is_some_and(library::is_ours) => {
            let text = library::read(path).map_err(|error| Usage::of(path, in_words(&error)))?;
            Draft::parse(std::str::from_utf8(&text)?)?
        }
        (Some(path), Some(folder)) => Draft::read_in(path, folder)?,
        (Some(path), None) => Draft::read(path)?,
        (None, _) => Draft::default(),
    };
    draft.grid.shape = args.board.shape().or(draft.grid.shape);
    args.given.clone().write_over(&mut draft)?;
    draft.analyze.weight = args.weight.then_some(true).or(draft.analyze.weight);
    draft.analyze.steps = args.steps.then_some(true).or(draft.analyze.steps);
    Ok(draft)
}

/// Makes the corpus and its outputs. With --json, a failure is a line too.
pub(in crate::cli) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let json = args.json;
    let has_recipe = args.recipe.is_some();
    let ended = make(global, args).map_err(|error| if has_recipe { error } else { about_options(error) });
    if let (true, Err(error)) = (json, &ended) {
        tell(&RunLine::Failed { error: with_causes(error) })?;
    }
    ended
}

/// The command itself, whose failure `run` reports as JSON.
fn make(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let draft = draft(&args)?;
    let recipe = Recipe::new(&draft)?;
    ensure!(recipe.count > 0, Usage("a corpus has at least one row, but count is 0".to_owned()));
    let outputs = Outputs::parse(&draft.output, &recipe, &extra(&args)?)?;
    if args.dry_run {
        return dry_run(&recipe, &outputs, &args);
    }
    check_folder("--out", &args.out)?;
    let stop = options::stop_soon()?;
    if args.stop_with_stdin {
        options::stop_with_stdin(&stop)?;
    }
    let mut bars = Bars::new(global, &["generate", "dig", "analyze", "write"]);
    bars.json = args.json;
    let (rows, board) = (counted(grouped(recipe.count.into()), "puzzle"), recipe.shape.board());
    if !global.quiet {
        bars.title.push(format!("making {rows} in {}: {board}", args.out.display()));
        bars.title.extend(generate::few_grids(recipe.shape));
    }
    let wanted = wanted_parts(&args, recipe.parts());
    let is_whole = wanted.is_none();
    if is_whole {
        outputs.check_paths(global)?;
    }
    let job = global.job(&bars, &stop);
    let made = produce(&recipe, &args.out, wanted, &job);
    bars.finish();
    let summary = made?;
    global.say(describe(&summary, &args.out));
    // A night or a script uses outputs or --remember, and needs no advice.
    let by_hand = draft.output.is_empty() && args.extra.remember.is_none();
    let first = by_hand && summary.is_complete() && summary.parts_kept == 0;
    let outcome = match (summary.is_stopped(), is_whole) {
        (true, _) => Outcome::Stopped,
        // One of several machines. The call that finds all parts in one folder makes the outputs.
        (false, false) => Outcome::Done,
        (false, true) => {
            let mut tell = |result| if args.json { tell(&RunLine::Output(result)) } else { Ok(()) };
            outputs.make(global, &stop, &mut tell)?
        }
    };
    if first && !args.json {
        global.say(next_commands(&args.out, recipe.count));
    }
    bars.written().with_context(|| cannot_write(Path::new("-")))?;
    Ok(outcome)
}

/// The options that apply to all outputs of the recipe.
fn extra(args: &Args) -> anyhow::Result<Extra> {
    let recipe_folder = args.recipe.as_deref().map_or(Path::new("."), folder_of);
    let Extra { except, remember, relative_to, nights, today, .. } = &args.extra;
    let earlier = nights.as_deref().zip(*today).map(|(nights, night)| Earlier::of(nights, night)).transpose()?;
    Ok(Extra {
        except: except.iter().map(|path| Ok(absolute(path)?.into())).collect::<anyhow::Result<_>>()?,
        remember: remember.as_deref().map(absolute).transpose()?.map(Into::into),
        folder: absolute(&args.out)?.join(OUTPUTS_FOLDER),
        home: absolute(relative_to.as_deref().unwrap_or(recipe_folder))?,
        earlier: earlier.unwrap_or_default(),
        ..args.extra.clone()
    })
}

fn dry_run(recipe: &Recipe, outputs: &Outputs, args: &Args) -> anyhow::Result<Outcome> {
    let mut out = std::io::stdout().lock();
    if args.json {
        let about = json!({
            "count": recipe.count,
            "part_rows": recipe.part_rows,
            "parts": recipe.parts(),
            "fingerprint": recipe.fingerprint(),
            "program_version": PROGRAM_VERSION,
            "recipe": recipe.outline().file(),
            "bases": recipe.bases.as_ref().map(|bases| &*bases.lines),
        });
        writeln!(out, "{about}")?;
        return Ok(Outcome::Done);
    }
    writeln!(out, "{}", recipe.canonical())?;
    let (rows, parts) = (counted(recipe.count, "row"), counted(recipe.parts(), "part"));
    writeln!(out, "# {rows} in {parts} into {} ({})", args.out.display(), recipe.shape.board())?;
    writeln!(out, "# fingerprint {}", recipe.fingerprint())?;
    outputs.lines().try_for_each(|words| writeln!(out, "# output: {words}"))?;
    Ok(Outcome::Done)
}

/// The commands that people try after their first run.
fn next_commands(corpus: &Path, rows: u64) -> String {
    let name = quoted(&corpus.display().to_string());
    format!(
        "Try next:\n  sudoku-corpus report {name}\n  sudoku-corpus export {name} --count {} --out puzzles.csv\n  \
         sudoku-corpus query 'SELECT level, count(*) FROM puzzles GROUP BY level' {name}",
        rows.min(100)
    )
}

/// A message about the parts that were made, the parts that existed before, and how to continue.
fn describe(summary: &RunSummary, folder: &Path) -> String {
    let RunSummary { rows_made, seconds, .. } = summary;
    let rate = *rows_made as f64 / seconds.max(1e-9);
    let (rows, made) = (counted(*rows_made, "row"), counted(summary.parts_made, "part"));
    let megabytes = summary.bytes_made as f64 / 1e6;
    let mut text = format!("made {rows} in {made} ({megabytes:.1} MB, {seconds:.1} s, {rate:.0} rows a second)");
    if summary.parts_kept > 0 {
        let verb = if summary.parts_kept == 1 { "was" } else { "were" };
        text += &format!("; {} {verb} there already", counted(summary.parts_kept, "part"));
    }
    text + &state_of_folder(summary, folder)
}
