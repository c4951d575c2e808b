//! The command line. Each subcommand has a file with its options, and with a function that calls the library with them.
//! Most other files are shared: `options`, `paths`, `progress`, `selection`, `source`, `stage`, `table`.
//!
//! Data goes to stdout, progress and messages to stderr. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 a check failed,
//! 4 stopped early (the same command continues), 5 another call of `nightly` is running. A closed pipe is no error.

mod analysis;
mod begin;
mod line;
mod parts;
mod publish;
mod special;
mod train;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, ensure};
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::corpus::{
    CorpusError, KEYS, RecipeError, expects_panics, in_words, notes_on, quoted, start_threads, write_only_inside,
};
pub use crate::nights::process::started_by;
use crate::nights::{Files, RunLine};
use crate::page::numbers::counted;
use crate::publish::PublishError;
use begin::outputs;
use line::call::ParsedCall;
use line::help;
use line::options::{self, GivenCommand, Global};
use line::paths::{self, Paths, Use};
use line::refused::{effects, mistakes, placeholders};

/// Makes, rates and publishes Sudoku puzzles in bulk.
#[derive(Debug, Parser)]
#[command(name = "sudoku-corpus", version, propagate_version = true, after_help = EXAMPLES)]
pub struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  sudoku-corpus run
      10,000 minimal 9x9 puzzles into the folder corpus
  sudoku-corpus export corpus --count 500 --out puzzles.sdm
  sudoku-corpus report corpus
      report.html, one page with plots
  sudoku-corpus run recipe:book --out stock
      600 puzzles for a book, by a recipe of the program
  sudoku-corpus solve puzzles.sdm > solved.csv
  sudoku-corpus guide tasks
      three short tasks: a book, a chart, a data set

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 a check failed, 4 stopped early (the same command continues), 5 another \
call of `nightly` is running";

/// Makes the enum of the commands, their groups in the help, and the function that runs one.
macro_rules! commands {
    ($($group:literal { $($name:ident $word:literal: $args:ty => $run:path,)+ })+) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($($name(Box<$args>),)+)+
        }

        /// The groups of the commands, in the order of the help.
        const GROUPS: &[(&str, &[&str])] = &[$(($group, &[$($word),+])),+];

        impl Command {
            fn run(self, global: &Global) -> anyhow::Result<Outcome> {
                match self {
                    $($(Command::$name(args) => $run(global, *args),)+)+
                }
            }
        }
    };
}

commands! {
    "Begin" {
        Run "run": begin::run::Args => begin::run::run,
        Solve "solve": begin::solve::Args => begin::solve::run,
        Hint "hint": begin::hint::Args => begin::hint::run,
        Check "check": begin::check::Args => begin::check::run,
        Guide "guide": begin::guide::Args => begin::guide::run,
        List "list": begin::list::Args => begin::list::run,
    }
    "Publish" {
        Export "export": publish::export::Args => publish::export::run,
        Book "book": publish::book::Args => publish::book::run,
        Nightly "nightly": publish::nightly::Args => publish::nightly::run,
    }
    "Analyze" {
        Analyze "analyze": analysis::analyze::Args => analysis::analyze::run,
        Query "query": analysis::query::Args => analysis::query::run,
        Stats "stats": analysis::stats::Args => analysis::stats::run,
        Report "report": analysis::report::Args => analysis::report::run,
        Audit "audit": analysis::audit::Args => analysis::audit::run,
    }
    "Train" {
        Release "release": train::release::Args => train::release::run,
        Score "score": train::score::Args => train::score::run,
    }
    "Parts" {
        Generate "generate": parts::generate::Args => parts::generate::run,
        Dig "dig": parts::dig::Args => parts::dig::run,
        Mask "mask": parts::mask::Args => parts::mask::run,
        Verify "verify": parts::verify::Args => parts::verify::run,
    }
    "Special" {
        Number "number": special::number::Args => special::number::run,
        Coverage "coverage": special::coverage::Args => special::coverage::run,
        Bench "bench": special::bench::Args => special::bench::run,
        Completions "completions": special::complete::Completions => special::complete::completions,
        Man "man": special::complete::Man => special::complete::man,
    }
}

/// How a command ended if it did not fail.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Outcome {
    /// The command did everything that was requested.
    Done,
    /// The command did everything, and it published puzzles in these files.
    Published(Files),
    /// A check found something wrong.
    CheckFailed,
    /// Stopped before the end. The same command continues the work.
    Stopped,
    /// The exit code of a call of `nightly`.
    Night(u8),
}

/// The arguments can be parsed but not used: exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Usage(String);

impl Usage {
    /// What is wrong with a file or folder.
    fn of(path: &Path, reason: impl Display) -> Usage {
        Usage(format!("{}: {reason}", path.display()))
    }
}

/// Ends a command early, although it did not fail. [`dispatch`] turns it into its outcome.
#[derive(Debug, thiserror::Error)]
#[error("ended early")]
struct Early(Outcome);

/// The complete command line as clap's type, for the program itself, completions, manual pages and tests.
pub fn command() -> clap::Command {
    help::arranged(Cli::command(), GROUPS)
}

/// Parses the arguments, runs the command, prints the error and returns the exit code.
pub fn main() -> ExitCode {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if panic.payload_as_str().is_some_and(|text| text.contains("null pointer")) {
            // zstd got no memory. End as the standard library does then: the report of the panic would need memory too,
            // and a file that is read is not damaged.
            say(format_args!("error: out of memory"));
            std::process::abort();
        }
        if !expects_panics() {
            usual(panic);
        }
    }));
    // Otherwise the system kills a process that makes a file above `ulimit -f`; with a handler, the write fails.
    #[cfg(unix)]
    drop(signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default()));
    ExitCode::from(run(std::env::args_os()))
}

/// Like [`main`], for programs that embed this one. The first argument is the name of the program. Such a program calls
/// [`started_by`] before.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let parsed = match Cli::parsed(&arguments) {
        Err(mistake) if mistake.use_stderr() => {
            match mistakes::sentence(&mistake, &arguments) {
                Some(sentence) => say(format_args!("error: {sentence}")),
                None => drop(mistake.print()),
            }
            return u8::try_from(mistake.exit_code()).unwrap_or(2);
        }
        // A command line, or a request for help.
        parsed => parsed,
    };
    // A `run` started this process for an output, and reads its answer.
    let is_output = parsed.as_ref().is_ok_and(|cli| cli.global.inside);
    let ended = run_parsed(parsed);
    if is_output {
        answer(&ended);
    }
    match ended {
        Ok(Outcome::Done | Outcome::Published(_)) => 0,
        Ok(Outcome::CheckFailed) => 3,
        Ok(Outcome::Stopped) => 4,
        Ok(Outcome::Night(code)) => code,
        Err(error) if is_closed_pipe(&error) => 0,
        Err(error) => {
            if !is_output {
                say(format_args!("error: {}", with_causes(&error)));
            }
            exit_code(&error)
        }
    }
}

/// Runs a command, or prints the help that was asked for.
fn run_parsed(parsed: Result<Cli, clap::Error>) -> anyhow::Result<Outcome> {
    let on_standard_output = || cannot_write(Path::new("-"));
    writable_output().with_context(on_standard_output)?;
    match parsed {
        Ok(cli) => {
            let outcome = dispatch(cli)?;
            // Flush standard output here, so that a failure is reported.
            io::stdout().flush()?;
            Ok(outcome)
        }
        Err(help) => {
            help.print().with_context(on_standard_output)?;
            io::stdout().flush().with_context(on_standard_output)?;
            Ok(Outcome::Done)
        }
    }
}

/// Tells the run of which this process is an output what it made, or why not.
fn answer(ended: &anyhow::Result<Outcome>) {
    let line = match ended {
        Ok(Outcome::Published(files)) => RunLine::Made { files: files.clone() },
        Ok(_) => return,
        Err(error) => RunLine::Failed { error: with_causes(error) },
    };
    // A run that is gone needs no answer.
    drop(tell(&line));
}

/// Prints a line for the program that started this one.
fn tell(line: &RunLine) -> anyhow::Result<()> {
    let text = serde_json::to_string(line)? + "\n";
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).with_context(|| cannot_write(Path::new("-")))
}

impl Cli {
    /// Parses a command line, and notes the paths in it.
    fn parsed(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<Cli, clap::Error> {
        let mut command = command();
        let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
        let refused = |why: String| clap::Error::raw(clap::error::ErrorKind::ArgumentConflict, why + "\n");
        if let Some(why) = mistakes::one_dash(&arguments, &command) {
            return Err(refused(why));
        }
        let matches = command.try_get_matches_from_mut(&arguments)?;
        let mut cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
        let Some(call) = ParsedCall::of(&matches, &command) else { return Ok(cli) };
        cli.global.paths = Paths::of(&call);
        cli.global.given = GivenCommand::of(&call);
        mistakes::check_order(&call, &arguments)
            .and_then(|()| effects::check(&call))
            .and_then(|()| placeholders::check(&call))
            .map_err(|Usage(why)| refused(why))?;
        Ok(cli)
    }
}

/// Fails if standard output is a descriptor that cannot be written; the standard library would lose the data.
fn writable_output() -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd as _;
        const BAD_DESCRIPTOR: i32 = 9;
        let written = io::stdout().as_fd().try_clone_to_owned().and_then(|out| std::fs::File::from(out).write(&[]));
        if let Err(error) = written
            && error.raw_os_error() == Some(BAD_DESCRIPTOR)
        {
            return Err(error);
        }
    }
    Ok(())
}

/// Writes a message to stderr. If that fails, the work goes on. Control characters, which file names and lines of input
/// may contain, are escaped, so that they do not reach the terminal.
fn say(message: impl Display) {
    drop(writeln!(io::stderr(), "{}", harmless(&message.to_string())));
}

/// Escapes control characters, except line ends and tabs.
fn harmless(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for symbol in text.chars() {
        if symbol.is_control() && symbol != '\n' && symbol != '\t' {
            escaped.extend(symbol.escape_unicode());
        } else {
            escaped.push(symbol);
        }
    }
    escaped
}

/// Checks the paths and runs the command.
fn dispatch(Cli { global, command }: Cli) -> anyhow::Result<Outcome> {
    // An output of a `run` stops with it, and writes only into the folder of the outputs.
    if global.inside {
        options::stop_with_run()?;
        let folder = std::env::current_dir().context("cannot find the current folder")?;
        write_only_inside(&folder).context("cannot read the current folder")?;
    }
    global.paths.check()?;
    // A call with an index may be one that has published before: that is known later.
    if global.paths.given(Use::Index).next().is_none() {
        global.paths.refuse_existing()?;
    }
    start_threads(global.threads)?;
    // `verify` reports what is missing.
    let sources: BTreeSet<_> = match command {
        Command::Verify(_) => BTreeSet::new(),
        _ => global.paths.read().collect(),
    };
    let reads_corpus = sources.iter().any(|source| source.is_dir());
    ensure!(!global.partial || reads_corpus, Usage("--partial has no effect here: it needs a corpus to read".into()));
    for source in sources {
        for note in notes_on(source, global.partial)? {
            global.say(note);
        }
    }
    match command.run(&global) {
        Err(error) if matches!(error.downcast_ref(), Some(PublishError::Stopped)) => {
            say("stopped; nothing was written");
            Ok(Outcome::Stopped)
        }
        ended => ended.or_else(|error| error.downcast().map(|Early(outcome)| outcome)),
    }
}

/// An error with its causes, in words. A cause that the message already contains at its end is not repeated.
fn with_causes(error: &anyhow::Error) -> String {
    let mut message = String::new();
    for cause in error.chain().map(in_words) {
        if message.is_empty() {
            message = cause;
        } else if !message.ends_with(&cause) {
            message = format!("{message}: {cause}");
        }
    }
    message
}

/// An error about a recipe that the options of a command line made: its keys become options.
fn about_options(error: anyhow::Error) -> anyhow::Error {
    let is_of_recipe = error.is::<RecipeError>()
        || matches!(error.downcast_ref(), Some(CorpusError::Recipe(_) | CorpusError::Make(_)));
    if is_of_recipe { Usage(with_options(&with_causes(&error))).into() } else { error }
}

/// A message in whose backticks keys of recipes are options: `level = "hard"` becomes `--level hard`, and `er` becomes
/// `--er`.
fn with_options(message: &str) -> String {
    let mut pieces: Vec<String> = message.split('`').map(str::to_owned).collect();
    for piece in pieces.iter_mut().skip(1).step_by(2) {
        let (key, value) = piece.split_once(" = ").map_or((&**piece, None), |(key, value)| (key, Some(value)));
        if !KEYS.iter().any(|known| known.name == key) {
            continue;
        }
        let option = format!("--{}", key.replace('_', "-"));
        *piece = value.map_or(option.clone(), |value| format!("{option} {}", quoted(value.trim_matches('"'))));
    }
    pieces.join("`")
}

/// The context of an error in writing an output.
fn cannot_write(out: &Path) -> String {
    format!("cannot write {}", paths::name(out))
}

/// The context of an error in reading an input.
fn cannot_read(input: &Path) -> String {
    format!("cannot read {}", input.display())
}

/// What a message says of bad rows that were left out: ", 3 skipped". Nothing if there are none.
fn skipped(rows: u64) -> String {
    if rows > 0 { format!(", {rows} skipped") } else { String::new() }
}

/// 2 if the command was wrong, 1 if the work failed.
fn exit_code(error: &anyhow::Error) -> u8 {
    if error.is::<Usage>() || error.is::<RecipeError>() {
        return 2;
    }
    if let Some(output) = error.downcast_ref::<outputs::Failed>() {
        return output.code;
    }
    let published = error.downcast_ref().map(PublishError::exit_code);
    published.or_else(|| error.downcast_ref().map(CorpusError::exit_code)).unwrap_or(1)
}

/// True if the reader of the output went away, as in `... | head`.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io_error = match cause.downcast_ref().map(csv::Error::kind) {
            Some(csv::ErrorKind::Io(io_error)) => Some(io_error),
            _ => cause.downcast_ref::<io::Error>(),
        };
        io_error.is_some_and(|io_error| io_error.kind() == io::ErrorKind::BrokenPipe)
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn errors_name_each_cause_once() {
        let missing = std::io::Error::from_raw_os_error(2);
        let error = crate::corpus::CorpusError::Io { doing: "write", path: "-".into(), source: missing };
        let said = "cannot write standard output: there is no such file or folder";
        assert_eq!(super::with_causes(&error.into()), said);
        assert_eq!(super::with_causes(&anyhow::anyhow!("full").context("cannot write x")), "cannot write x: full");
    }

    #[test]
    fn the_command_line_is_well_formed() {
        super::command().debug_assert();
    }
}
