//! `run`: runs all stages and writes a folder of parts. The same command continues an interrupted run.

use std::io::Write as _;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context as _, ensure};
use serde_json::json;

use super::options::{self, BoardOptions, Global, Overrides};
use super::outputs::{Extra, Outputs};
use super::own::absolute;
use super::paths::may_be_folder;
use super::progress::Bars;
use super::{Outcome, Usage, cannot_write, counted, with_causes};
use crate::board::Shape;
use crate::corpus::{
    Draft, Goal, InputPath, PROGRAM_VERSION, RECIPE_FILE, Recipe, Summary, WorkFolder, find_share, find_stock,
    folder_of, produce, range,
};
use crate::nights::RunLine;
use crate::page::numbers::{grouped, significant};
use crate::solve::{Budget, Count, grids_up_to_digits};
use crate::study::Table;
use crate::study::weighted::{FiguresQuery, Finding, ask::ask};

/// Make a corpus: grids, puzzles and their analysis, in a folder of parts.
///
/// Without a recipe, `run` makes 10,000 minimal 9x9 puzzles in corpus/. After an interruption, run the same command
/// again: it continues where it stopped. The same recipe gives the same bytes on every machine and with any number of
/// threads.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus run
  sudoku-corpus run nightly.toml --out corpora/tonight
  sudoku-corpus run --board 6x6 --count 500 --out corpora/six
  sudoku-corpus run --count 500 --level hard --symmetry rotate-180 --out corpora/hard
  sudoku-corpus run --count 100 --needs x_wing --out corpora/x-wings
  sudoku-corpus run --count 1000000 --plan givens=24..26 --symmetry rotate-180 --out corpora/symmetric
  sudoku-corpus run nightly.toml --share 0/20 --out /shared/corpus      one of 20 workers
  sudoku-corpus run nightly.toml --parts 7 --json    --stop-with-stdin  ends when the driver that started it ends
  sudoku-corpus run --dry-run                                           print the recipe, make nothing
  sudoku-corpus run r.toml --dry-run --pilot small --figure givens      and how many rows the figure needs

The guide pages `recipes`, `digging` and `terms` explain the words: sudoku-corpus guide recipes")]
pub(super) struct Args {
    /// A recipe (TOML); `list keys` describes its keys. Options on the command line override it.
    recipe: Option<InputPath>,
    /// The folder of the corpus. It is created if it does not exist.
    #[arg(long, value_name = "DIR", default_value = "corpus")]
    out: WorkFolder,
    #[command(flatten)]
    board: BoardOptions,
    #[command(flatten)]
    given: Overrides,
    /// Write log_weight, the weight of each puzzle in an unbiased mean, or fail. Without this option it is written for
    /// the plan controlled-bias, and for rated puzzles of the plan minimal. It cannot be computed for other plans, with
    /// a symmetry or a level, or above order 9. Grids must come from the methods uniform or uniform-classes, or from
    /// others with --numbers if their probabilities are known.
    #[arg(long)]
    weight: bool,
    /// Write every step of the solutions to a file steps-000000.parquet beside each part.
    #[arg(long)]
    steps: bool,
    /// Make only these parts: N, or A..B with both ends included. Other processes can make the other parts at the same
    /// time.
    #[arg(long, value_name = "A..B", value_parser = parts)]
    parts: Option<Range<u64>>,
    /// Make only one of COUNT shares of the parts. INDEX is 0 to COUNT-1, as schedulers number their tasks. The shares
    /// differ by one part at most; they may be empty. Of a stock that is still to be searched: one share of the search.
    #[arg(long, value_name = "INDEX/COUNT", value_parser = share, conflicts_with = "parts")]
    share: Option<(u64, u64)>,
    /// Print the recipe, the number of parts and the outputs, and make nothing.
    #[arg(long)]
    dry_run: bool,
    /// With --dry-run: how many rows give the wanted error of this figure, a column or an SQL expression. A pilot
    /// answers: a small corpus of the same recipe.
    #[arg(long, value_name = "EXPRESSION", requires_all = ["dry_run", "pilot"])]
    figure: Option<String>,
    /// The pilot of --figure.
    #[arg(long, value_name = "CORPUS", requires = "figure")]
    pilot: Option<InputPath>,
    /// The wanted error of --figure: half of its 95 % interval, in per cent of the figure.
    #[arg(long, value_name = "PER CENT", default_value_t = 1.0, value_parser = percent, requires = "figure")]
    error: f64,
    /// Print a JSON object to stdout for every part, when it is finished or was there already, for every output of the
    /// recipe, and for a failure. With --dry-run, print one object about the recipe.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    extra: Extra,
    /// Stop when standard input ends, as after SIGTERM. If a driver holds the other end of the pipe, this process also
    /// stops when the driver is killed.
    #[arg(long)]
    stop_with_stdin: bool,
}

/// Reads the numbers of parts: N, or A..B with both ends included.
fn parts(text: &str) -> Result<Range<u64>, String> {
    let (first, last) = range(text)?;
    let full = first <= last && last < usize::MAX;
    if full { Ok(first as u64..last as u64 + 1) } else { Err(format!("the range {text} is empty")) }
}

/// A number of per cent.
fn percent(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=100.0).contains(number) && *number > 0.0);
    number.ok_or_else(|| "it must be above 0 and at most 100".to_owned())
}

/// Reads INDEX/COUNT.
fn share(text: &str) -> Result<(u64, u64), String> {
    let numbers = text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
    let wrong = || format!("'{text}' is not INDEX/COUNT with an INDEX from 0 to COUNT-1, such as 0/8");
    numbers.filter(|(index, count)| index < count).ok_or_else(wrong)
}

/// The parts to make; None for all.
fn wanted_parts(args: &Args, parts: u64) -> Option<Range<u64>> {
    let begin = |index: u64, count: u64| (u128::from(parts) * u128::from(index) / u128::from(count)) as u64;
    let shared = args.share.map(|(index, count)| begin(index, count)..begin(index + 1, count));
    shared.or_else(|| args.parts.clone())
}

/// The recipe of the file, with the options of the command line written over it.
fn draft(args: &Args) -> anyhow::Result<Draft> {
    let mut draft = match (&args.recipe, &args.extra.relative_to) {
        (Some(path), Some(folder)) => Draft::read_in(path, folder)?,
        (Some(path), None) => Draft::read(path)?,
        (None, _) => Draft::default(),
    };
    draft.grid.shape = args.board.shape().or(draft.grid.shape);
    // Before its search, a stock has no number of rows: --count is the number for each class.
    let sought = draft.stock.as_ref().is_some_and(|stock| stock.found.is_none());
    let rows = if sought { draft.count.take() } else { None };
    args.given.clone().write_over(&mut draft)?;
    if let Some(stock) = draft.stock.as_mut().filter(|_| sought) {
        stock.count = draft.count.take().or(stock.count);
        draft.count = rows;
    }
    draft.analyze.weight = args.weight.then_some(true).or(draft.analyze.weight);
    draft.analyze.steps = args.steps.then_some(true).or(draft.analyze.steps);
    Ok(draft)
}

/// Makes the corpus and its outputs. With --json, a failure is a line too.
pub(super) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let json = args.json;
    let ended = make(global, args);
    if let (true, Err(error)) = (json, &ended) {
        tell(&RunLine::Failed { error: with_causes(error) })?;
    }
    ended
}

/// Prints a line for programs.
fn tell(line: &RunLine) -> anyhow::Result<()> {
    let text = serde_json::to_string(line)? + "\n";
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).with_context(|| cannot_write(Path::new("-")))
}

/// The command itself, whose failure `run` reports as JSON.
fn make(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let draft = draft(&args)?;
    let recipe = Recipe::new(&draft)?;
    let outputs = Outputs::parse(&draft.output, &recipe, &extra(global, &args)?)?;
    if args.dry_run {
        return dry_run(global, &recipe, &outputs, &args);
    }
    may_be_folder("--out", &args.out)?;
    let stop = options::stop_soon()?;
    if args.stop_with_stdin {
        options::stop_with_stdin(&stop)?;
    }
    let mut bars = Bars::new(global, &["generate", "dig", "analyze", "write"]);
    bars.json = args.json;
    let (rows, board) = (grouped(recipe.count.into()), recipe.shape.board());
    global.say(format_args!("making {rows} puzzles in {}: {board}", args.out.display()));
    if let Some(note) = few_grids(recipe.shape)? {
        global.say(note);
    }
    let wanted = wanted_parts(&args, recipe.parts());
    let is_whole = wanted.is_none();
    if is_whole {
        outputs.make_folders(global, &args.out)?;
    }
    let job = global.job(&bars, &stop);
    if let Some(share) = args.share.filter(|_| recipe.stock.as_ref().is_some_and(|stock| stock.found.is_none())) {
        let done = find_share(&recipe, &args.out, share, &job);
        bars.finish();
        return Ok(if done? { Outcome::Done } else { Outcome::Stopped });
    }
    let found = if is_whole { find_stock(&recipe, &args.out, &job) } else { Ok(Some(recipe.clone())) };
    let made = found.and_then(|found| match found {
        Some(recipe) => produce(&recipe, &args.out, wanted, &job),
        None => Ok(Summary::stopped(&recipe)),
    });
    bars.finish();
    let summary = made?;
    global.say(describe(&summary, &args));
    // A night or a script uses outputs or --remember, and needs no advice.
    let by_hand = draft.output.is_empty() && args.extra.remember.is_none();
    let first = by_hand && summary.is_complete() && summary.parts_kept == 0;
    let outcome = match (summary.is_stopped(), is_whole) {
        (true, _) => Outcome::Stopped,
        // One of several workers. The one who merges the parts makes the outputs.
        (false, false) => Outcome::Done,
        (false, true) => {
            let mut tell = |result| if args.json { tell(&RunLine::Output(result)) } else { Ok(()) };
            outputs.make(global, &args.out, &mut tell)?
        }
    };
    if first && !args.json {
        global.say(next_commands(&args.out, recipe.count));
    }
    bars.written().with_context(|| cannot_write(Path::new("-")))?;
    Ok(outcome)
}

/// A note about a board with rules that has so few grids that solutions come again. An error if it has no grid.
fn few_grids(shape: Shape) -> anyhow::Result<Option<String>> {
    const MANY: u64 = 10_000;
    if shape.is_plain() || shape.is_any_jigsaw() {
        return Ok(None);
    }
    let Count { found, exact } = grids_up_to_digits(shape, MANY, Budget(1_000_000));
    ensure!(found > 0 || !exact, Usage(format!("there is no grid of the {}", shape.board())));
    let grids = grouped(found.into());
    Ok((exact && found < MANY).then(|| {
        format!(
            "note: the {} has {grids} full grids up to the names of the digits, so solutions come again",
            shape.board()
        )
    }))
}

/// The options that apply to all outputs of the recipe.
fn extra(global: &Global, args: &Args) -> anyhow::Result<Extra> {
    let beside = || args.recipe.as_deref().map_or(Path::new("."), folder_of);
    let Extra { except, remember, relative_to, .. } = &args.extra;
    Ok(Extra {
        quiet: global.quiet,
        except: except.iter().map(|path| Ok(absolute(path)?.into())).collect::<anyhow::Result<_>>()?,
        remember: remember.as_deref().map(absolute).transpose()?.map(Into::into),
        folder: absolute(&args.out)?,
        home: absolute(relative_to.as_deref().unwrap_or_else(beside))?,
        ..args.extra.clone()
    })
}

/// The figures of the pilot.
fn figures(global: &Global, recipe: &Recipe, args: &Args) -> anyhow::Result<Vec<Finding>> {
    let (Some(figure), Some(pilot)) = (&args.figure, &args.pilot) else { return Ok(Vec::new()) };
    let file = pilot.join(RECIPE_FILE);
    if file.exists() {
        let of = |Recipe { shape, method, goal: Goal { plan, symmetry, .. }, .. }: &Recipe| {
            format!("{shape} {method} {plan}, symmetry {symmetry}")
        };
        let (made, asked, pilot) = (of(&Recipe::read(&file)?), of(recipe), pilot.display());
        let other = || Usage(format!("--pilot {pilot}: its rows are {made}; those of the recipe are {asked}"));
        ensure!(made == asked, other());
    }
    let query = FiguresQuery { figures: figure.clone(), ..FiguresQuery::default() };
    let found = ask(&Table::open(&[pilot.to_path_buf()])?, &query)?;
    found.notes.iter().for_each(|note| global.say(format_args!("note: {note}")));
    Ok(found.findings)
}

/// Prints what a run would make.
fn dry_run(global: &Global, recipe: &Recipe, outputs: &Outputs, args: &Args) -> anyhow::Result<Outcome> {
    let found = figures(global, recipe, args)?;
    let needed = |finding: &Finding| finding.rows_for(args.error / 100.0).map(|rows| significant(rows, 2));
    let mut out = std::io::stdout().lock();
    if args.json {
        let rows_needed = found.iter().map(|finding| {
            json!({
                "figure": finding.figure,
                "statistic": finding.statistic,
                "rows": needed(finding),
                "doubt": finding.doubt(),
            })
        });
        let about = json!({
            "count": recipe.count,
            "part_rows": recipe.part_rows,
            "parts": recipe.parts(),
            "fingerprint": recipe.fingerprint(),
            "program_version": PROGRAM_VERSION,
            "recipe": recipe.canonical(),
            "bases": recipe.bases.as_ref().map(|bases| &*bases.lines),
            "rows_needed": rows_needed.collect::<Vec<_>>(),
        });
        writeln!(out, "{about}")?;
        return Ok(Outcome::Done);
    }
    writeln!(out, "{}", recipe.canonical())?;
    let (rows, parts) = (counted(recipe.count, "row"), counted(recipe.parts(), "part"));
    writeln!(out, "# {rows} in {parts} into {} ({})", args.out.display(), recipe.shape.board())?;
    writeln!(out, "# fingerprint {}", recipe.fingerprint())?;
    outputs.lines().try_for_each(|words| writeln!(out, "# output: {words}"))?;
    for finding in &found {
        let rows = match (finding.doubt(), needed(finding)) {
            (Some(doubt), _) => format!("the pilot is too small: {doubt}"),
            (None, Some(rows)) => format!("about {} rows for +- {} %", grouped(rows as u128), args.error),
            (None, None) => "no error is known".to_owned(),
        };
        writeln!(out, "# {} {}: {rows}", finding.figure, finding.statistic)?;
    }
    Ok(Outcome::Done)
}

/// The commands that people try after their first run.
fn next_commands(corpus: &Path, rows: u64) -> String {
    let plain = |symbol: char| symbol.is_alphanumeric() || "/._-".contains(symbol);
    let name = corpus.display().to_string();
    let name = if name.chars().all(plain) { name } else { format!("'{}'", name.replace('\'', r"'\''")) };
    // A corpus with own levels has HoDoKu's in its column of that name.
    let own = crate::publish::levels::Levels::of_corpora(&[corpus.to_owned()]).is_some();
    let level = if own { "level AS hodoku_level" } else { "level" };
    format!(
        "Try next:\n  sudoku-corpus report {name}\n  sudoku-corpus export {name} --count {} --out puzzles.csv\n  \
         sudoku-corpus query 'SELECT {level}, count(*) FROM puzzles GROUP BY level' {name}",
        rows.min(100)
    )
}

/// A message about the parts that were made, the parts that existed before, and how to continue.
fn describe(summary: &Summary, args: &Args) -> String {
    let Summary { rows_made, parts, parts_there, parts_missing, seconds, .. } = summary;
    let rate = *rows_made as f64 / seconds.max(1e-9);
    let (rows, made) = (counted(*rows_made, "row"), counted(summary.parts_made, "part"));
    let megabytes = summary.bytes_made as f64 / 1e6;
    let mut text = format!("made {rows} in {made} ({megabytes:.1} MB, {seconds:.1} s, {rate:.0} rows a second)");
    if summary.rows_kept > 0 {
        text += &format!("; kept {} of unfinished parts", counted(summary.rows_kept, "row"));
    }
    if summary.parts_kept > 0 {
        let verb = if summary.parts_kept == 1 { "was" } else { "were" };
        text += &format!("; {} {verb} there already", counted(summary.parts_kept, "part"));
    }
    if summary.parts_damaged > 0 {
        text += &format!("\nreplaced {} that were damaged", counted(summary.parts_damaged, "part"));
    }
    summary.short.iter().for_each(|class| text += &format!("\nshort: {class}"));
    let folder = args.out.display();
    text += &match (summary.is_stopped(), summary.is_complete()) {
        (true, _) => format!("\nstopped; {parts_missing} parts are missing; to continue, run the same command"),
        (false, true) => format!("\n{folder} is complete: {}", counted(*parts, "part")),
        (false, false) => format!("\n{folder} has {parts_there} of {parts} parts"),
    };
    text
}
