//! Defines the options that several commands share, and lets options override the values of a recipe.

use std::fmt::Display;
use std::path::Path;
use std::thread;
use std::time::Duration;

use anyhow::Context as _;
use clap::{Args, FromArgMatches};

use crate::board::Shape;
use crate::board::text::Signs;
use crate::cli::line::call::ParsedCall;
use crate::cli::line::paths::{Paths, Use};
use crate::cli::{Usage, say};
use crate::corpus::{self, CorpusError, Draft, GoalDraft, InputPath, Job, Levels, Progress, StopFlag, spawn};

/// Options of every command.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Global {
    /// Print no progress and no summary to stderr. Errors are still printed.
    #[arg(short, long, global = true, help_heading = "Global options")]
    pub quiet: bool,
    /// Number of threads; all cores by default. The output does not depend on it.
    #[arg(long, global = true, value_name = "N", help_heading = "Global options", value_parser = thread_count)]
    pub threads: Option<usize>,
    /// Read a corpus that has gaps: parts are missing before later ones. Commands that read no corpus refuse this option.
    #[arg(long, global = true, help_heading = "Global options")]
    pub partial: bool,
    /// For an output of a recipe: write only in the current folder, stop when standard input ends, and tell the result
    /// as a line of JSON.
    #[arg(long, global = true, hide = true)]
    pub inside: bool,
    /// The paths of the command line.
    #[arg(skip)]
    pub paths: Paths,
    /// The command and its options.
    #[arg(skip)]
    pub given: GivenCommand,
}

/// The command of a call and those of its options on which its rows may depend, as they were given.
#[derive(Clone, Debug, Default)]
pub(in crate::cli) struct GivenCommand {
    pub name: String,
    /// `--option=value`, in the order of the help.
    pub options: Vec<String>,
}

impl GivenCommand {
    /// The command and the options of a command line, without paths and options of every command.
    pub(in crate::cli) fn of(call: &ParsedCall<'_>) -> GivenCommand {
        let mut options = Vec::new();
        for argument in call.command.get_arguments() {
            let id = argument.get_id().as_str();
            let is_other = argument.is_global_set() || Use::of(argument).is_some() || ["format", "force"].contains(&id);
            if is_other || !call.is_given(id) {
                continue;
            }
            let long = argument.get_long().unwrap_or(id);
            if !argument.get_action().takes_values() {
                options.push(format!("--{long}"));
                continue;
            }
            options.extend(call.values(id).into_iter().map(|value| format!("--{long}={value}")));
        }
        GivenCommand { name: call.command.get_name().to_owned(), options }
    }
}

impl Global {
    /// Writes a message to stderr, unless the command is quiet.
    pub(in crate::cli) fn say(&self, message: impl Display) {
        if !self.quiet {
            say(message);
        }
    }

    /// Writes a note to stderr, unless the command is quiet.
    pub(in crate::cli) fn note(&self, note: impl Display) {
        self.say(format_args!("note: {note}"));
    }

    /// The job of the command.
    pub(in crate::cli) fn job<'a>(&self, progress: &'a dyn Progress, stop: &StopFlag) -> Job<'a> {
        Job { progress, stop: stop.clone(), ..Job::default() }
    }
}

/// A number of threads.
pub(in crate::cli) fn thread_count(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=1024) => Ok(threads),
        _ => Err("the number of threads must be 1 to 1024; all cores by default".into()),
    }
}

/// The scale of levels that an option names.
pub(in crate::cli) fn scale_named(name: &InputPath) -> Result<Levels, Usage> {
    Levels::open(&name.to_string_lossy(), Path::new("")).map_err(Usage)
}

/// The board, given by the size of its boxes or by its own size.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(in crate::cli) struct BoardOptions {
    /// The size of a box, rows x columns: 3x3 is the 9x9 board, 2x3 the 6x6 board, 6x6 the 36x36 board. Variants follow
    /// a plus: 3x3+x, 9+jigsaw. The default is 3x3.
    #[arg(long, value_name = "RxC")]
    shape: Option<Shape>,
    /// The size of the board, instead of --shape. The board has the usual boxes: 9x9, 6x6 (boxes of 2x3), 16x16.
    #[arg(long, value_name = "NxN", conflicts_with = "shape", value_parser = Shape::of_board)]
    board: Option<Shape>,
}

impl BoardOptions {
    /// The requested shape.
    pub(in crate::cli) fn shape(self) -> Option<Shape> {
        self.shape.or(self.board)
    }
}

/// How a file of puzzles is read: what it does not say itself.
#[derive(Clone, Debug, Default, clap::Args)]
pub(in crate::cli) struct ReadOptions {
    /// The size of a box, rows x columns, in the input: 2x3 is the 6x6 board. Variants follow a plus: 3x3+x is a board
    /// with diagonals. The default is what the input says.
    #[arg(long, value_name = "RxC", value_parser = solvable)]
    pub shape: Option<Shape>,
    /// The signs of the digits 1, 2, 3, .. in the input, for example 0123456789ABCDEF. The default is 1-9, A-Z.
    #[arg(long, value_name = "SIGNS", value_parser = signs)]
    digits: Option<std::sync::Arc<str>>,
    /// The sign of an empty cell in the input. The default is 0, x up to 9x9, or the only sign that is neither a letter
    /// nor a digit.
    #[arg(long, value_name = "SIGN")]
    empty: Option<char>,
    /// The column of a table, or the name in JSON, that holds the boards.
    #[arg(long, value_name = "NAME")]
    column: Option<String>,
}

/// The signs of digits: at least four, each once.
fn signs(text: &str) -> Result<std::sync::Arc<str>, String> {
    let twice = text.char_indices().any(|(place, sign)| has_sign(&text[..place], sign));
    let count = text.chars().count();
    match count < 4 || twice {
        true => Err("write 4 or more different signs, in the order of the digits".to_owned()),
        false => Ok(text.into()),
    }
}

/// True if a text has a sign. Capital and small letters are the same sign.
fn has_sign(text: &str, sign: char) -> bool {
    text.chars().any(|other| other.eq_ignore_ascii_case(&sign))
}

impl ReadOptions {
    /// How to read. Refuses one sign for a digit and for an empty cell.
    pub(in crate::cli) fn reading(&self) -> Result<corpus::Reading, Usage> {
        if let (Some(digits), Some(empty)) = (&self.digits, self.empty)
            && has_sign(digits, empty)
        {
            return Err(Usage(format!("--empty {empty}: this sign is a digit of --digits {digits}")));
        }
        let signs = Signs { digits: self.digits.clone(), empty: self.empty };
        Ok(corpus::Reading { shape: self.shape, signs, column: self.column.clone(), ..Default::default() })
    }
}

/// The options of a recipe that were given. They replace the values of a file.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Overrides(clap::ArgMatches);

impl Overrides {
    /// Writes the given options over a recipe. A level replaces the values that followed from the recipe's level. A
    /// scale gives the recipe's level another meaning.
    ///
    /// # Errors
    /// An option about the goal of the rows, if every quota of the recipe has a goal of its own.
    pub(in crate::cli) fn write_over(mut self, draft: &mut Draft) -> anyhow::Result<()> {
        let has_own = |says: SaysOwn| !draft.quota.is_empty() && draft.quota.iter().all(says);
        if let Some((option, _)) = OF_QUOTAS.iter().find(|(option, says)| self.0.contains_id(option) && has_own(*says))
        {
            let reason = format!("--{option} has no effect here: every [[quota]] of the recipe says its own");
            return Err(Usage(reason).into());
        }
        if self.0.contains_id("level") {
            draft.forget_level();
        }
        if self.0.contains_id("levels") {
            draft.forget_scale();
        }
        Ok(draft.update_from_arg_matches_mut(&mut self.0)?)
    }
}

/// Tells whether a quota has a value of its own.
type SaysOwn = fn(&GoalDraft) -> bool;

/// Options about the goal of the rows, and whether a quota of a recipe takes their place.
const OF_QUOTAS: [(&str, SaysOwn); 8] = [
    ("level", GoalDraft::gives_target),
    ("needs", GoalDraft::gives_target),
    ("uses", GoalDraft::gives_target),
    ("only", GoalDraft::gives_target),
    ("er", GoalDraft::gives_target),
    ("plan", has_plan),
    ("holes", has_plan),
    ("symmetry", |quota| quota.symmetry.is_some()),
];

fn has_plan(quota: &GoalDraft) -> bool {
    quota.plan.is_some()
}

impl FromArgMatches for Overrides {
    fn from_arg_matches(matches: &clap::ArgMatches) -> Result<Overrides, clap::Error> {
        Ok(Overrides(matches.clone()))
    }

    fn update_from_arg_matches(&mut self, matches: &clap::ArgMatches) -> Result<(), clap::Error> {
        self.0 = matches.clone();
        Ok(())
    }
}

impl Args for Overrides {
    fn augment_args(command: clap::Command) -> clap::Command {
        Draft::augment_args(command)
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Draft::augment_args_for_update(command)
    }
}

/// A flag that SIGINT, SIGTERM and SIGHUP set. A second signal ends the program at once.
pub(in crate::cli) fn stop_flag() -> anyhow::Result<StopFlag> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let stop = StopFlag::new();
    for signal in [SIGINT, SIGTERM].into_iter().chain((!ignores_hangup()).then_some(SIGHUP)) {
        signal_hook::flag::register_conditional_shutdown(signal, 4, stop.shared())
            .and_then(|_| signal_hook::flag::register(signal, stop.shared()))
            .context("cannot listen for signals")?;
    }
    Ok(stop)
}

/// True if this process shall survive its terminal, as `nohup` asks, and where this is not known.
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    // SIGHUP is signal 1, the lowest bit.
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_none_or(|mask| mask & 1 == 1)
}

/// Sets the flag when standard input ends. The system closes a pipe when the process at its other end dies, even by
/// `kill -9`, on every platform and across `ssh`. A parent-death signal would work on Linux only, and it follows the
/// thread that started the child, not the process.
pub(in crate::cli) fn stop_with_stdin(stop: &StopFlag) -> Result<(), CorpusError> {
    let stop = stop.clone();
    after_stdin(move || stop.set())
}

/// Stops this process, an output of a recipe, as by SIGTERM when its run is gone.
pub(in crate::cli) fn stop_with_run() -> Result<(), CorpusError> {
    after_stdin(|| drop(signal_hook::low_level::raise(signal_hook::consts::SIGTERM)))
}

/// Does something when standard input ends.
fn after_stdin(then: impl FnOnce() + Send + 'static) -> Result<(), CorpusError> {
    spawn(|| {
        drop(std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink()));
        then();
    })
}

/// Like [`stop_flag`], with [`end_soon_after`].
pub(in crate::cli) fn stop_soon() -> anyhow::Result<StopFlag> {
    let stop = stop_flag()?;
    end_soon_after(&stop)?;
    Ok(stop)
}

/// Ends the program with exit code 4 if the work has not ended five seconds after the flag was set. Searches ask for
/// the stop, so this happens only where a disk does not answer.
pub(in crate::cli) fn end_soon_after(stop: &StopFlag) -> Result<(), CorpusError> {
    end_after(stop, Duration::from_secs(5), StopFlag::new())
}

/// Removes temporary files and ends the program with exit code 4 as soon as the flag is set. For work that cannot be
/// stopped in another way, and that leaves no unfinished files.
pub(in crate::cli) fn stop_at_once() -> anyhow::Result<StopFlag> {
    let stop = stop_flag()?;
    end_after(&stop, Duration::ZERO, StopFlag::new())?;
    Ok(stop)
}

/// Opens what may wait for another process, such as a pipe. A signal ends the program while it waits.
pub(in crate::cli) fn opening<T>(
    stop: &StopFlag,
    open: impl FnOnce() -> Result<T, CorpusError>,
) -> Result<T, CorpusError> {
    let done = StopFlag::new();
    end_after(stop, Duration::ZERO, done.clone())?;
    let opened = open();
    done.set();
    opened
}

/// Ends the program some time after the flag was set, unless the work is done.
fn end_after(stop: &StopFlag, patience: Duration, done: StopFlag) -> Result<(), CorpusError> {
    let stop = stop.clone();
    spawn(move || {
        while !stop.is_set() && !done.is_set() {
            thread::sleep(Duration::from_millis(100));
        }
        if done.is_set() {
            return;
        }
        thread::sleep(patience);
        corpus::remove_temporary();
        std::process::exit(4);
    })
}

/// Reads a shape, for commands that do more than generate. Refuses a board that is too large to be solved.
pub(in crate::cli) fn solvable(text: &str) -> Result<Shape, String> {
    let shape: Shape = text.parse().map_err(|error: crate::board::Reason| error.0)?;
    let (meant, most) = (Shape::did_you_mean_board(shape.box_rows(), shape.box_columns()), Shape::MAX_SOLVABLE_ORDER);
    if shape.is_any_jigsaw() {
        return Err(format!("{shape} stands for many boards: write its regions, a letter for each cell: {shape}:.."));
    }
    let solvable = shape.is_solvable().then_some(shape);
    solvable.ok_or_else(|| format!("{}: boards above order {most} are not solved{meant}", shape.board()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{Recipe, range};

    #[test]
    fn ranges_are_read() {
        assert_eq!(["40", "40..45", " 40 ..= 45 "].map(range), [Ok((40, 40)), Ok((40, 45)), Ok((40, 45))]);
        assert!(["x", "1..", "..", "-1"].iter().all(|text| range(text).is_err()));
    }

    /// The canonical text of a recipe after options were written over it.
    fn over(recipe: &str, options: &str) -> String {
        let matches = Overrides::augment_args(clap::Command::new("run"))
            .get_matches_from(std::iter::once("run").chain(options.split_whitespace()));
        let mut draft = Draft::parse(recipe).unwrap();
        Overrides::from_arg_matches(&matches).unwrap().write_over(&mut draft).unwrap();
        Recipe::new(&draft).unwrap().canonical()
    }

    /// A level brings its own plan, ladder and ER, also if the recipe is the complete one of a corpus.
    #[test]
    fn another_level_replaces_all_that_followed_from_the_first() {
        let levels = "[[level]]\nname = \"a\"\ngivens = \"24..26\"\n[[level]]\nname = \"b\"\ner = \"2.0..3.0\"\n\
                      [[level]]\nname = \"c\"\ntechniques = \"singles\"\n";
        let of = |level: &str| format!("dig.level = \"{level}\"\n{levels}");
        // Retries, weights and rows of a part of a complete recipe are values of its own.
        let rest = |text: String| {
            let own = ["retries", "weight", "part_rows"];
            let lines = text.lines().filter(|line| !own.iter().any(|key| line.starts_with(key)));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        for first in ["a", "b", "c"] {
            for second in ["a", "b", "c"] {
                for recipe in [of(first), over(&of(first), "")] {
                    let made = over(&recipe, &format!("--level {second}"));
                    assert_eq!(rest(made), rest(over(&of(second), "")), "{first} {second}");
                }
            }
        }
        for level in ["hard", "beyond"] {
            let hodoku = "levels = \"hodoku\"\n";
            let made = over(&over(&format!("{hodoku}dig.level = \"easy\""), ""), &format!("--level {level}"));
            assert_eq!(rest(made), rest(over(hodoku, &format!("--level {level}"))));
            let named = over(&over("dig.level = \"easy\"", ""), &format!("--levels hodoku --level {level}"));
            assert_eq!(rest(named), rest(over(hodoku, &format!("--level {level}"))));
        }
        let easy = over(&over("dig.level = \"easy\"", ""), "--levels hodoku");
        assert_eq!(rest(easy), rest(over("levels = \"hodoku\"\ndig.level = \"easy\"", "")));
        assert!(over("[dig]\nplan = \"minimal\"\nlevel = \"easy\"", "--level hard").contains("plan = \"minimal\""));
    }
}
