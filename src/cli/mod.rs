//! The command line. Each subcommand has a file with its options, and with a function that calls the library with them.
//! Most other files are shared: `options`, `paths`, `progress`, `selection`, `source`, `stage`, `table`.
//!
//! Data goes to stdout, progress and messages to stderr. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 a check failed,
//! 4 stopped early (the same command continues), 5 another call of `nightly` is running. A closed pipe is no error.

mod analyze;
mod audit;
mod bench;
mod book;
mod check;
mod complete;
mod cover;
mod coverage;
mod dig;
mod export;
mod generate;
mod gone;
mod guide;
mod hint;
mod list;
mod manifest;
mod mask;
mod name;
mod names;
mod nightly;
mod number;
mod options;
mod outputs;
mod own;
mod partial;
mod paths;
mod preflight;
mod progress;
mod query;
mod rating_profile;
mod release;
mod report;
mod resample;
mod run;
mod score;
mod selection;
mod solve;
mod source;
mod stage;
mod stats;
mod table;
mod verify;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::corpus::{CorpusError, RecipeError, check_complete, expects_panics, start_threads, write_only_claimed};
use crate::publish::PublishError;
use options::Global;
use paths::{Paths, Role};

/// Makes, digs, analyses and publishes corpora of Sudoku puzzles.
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
  sudoku-corpus run                                   10,000 minimal 9x9 puzzles into corpus/
  sudoku-corpus run nightly.toml --out corpora/tonight
  sudoku-corpus generate --count 1000 | sudoku-corpus dig - | sudoku-corpus analyze - --out rated.csv
  sudoku-corpus report corpora/tonight                one page with plots
  sudoku-corpus export corpora/tonight --count 500 --out puzzles.sdm
  sudoku-corpus solve puzzles.txt
  sudoku-corpus <command> --help                      options and examples of a command
  sudoku-corpus guide terms                           what minimal, plan, ladder and ER mean

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 a check failed, 4 stopped early (the same command continues), 5 another \
call of `nightly` is running";

/// Makes the enum of the commands, and the function that runs one.
macro_rules! commands {
    ($($(#[$about:meta])* $name:ident: $args:ty => $run:path,)+) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($(#[$about])* $name(Box<$args>),)+
        }

        impl Command {
            fn run(self, global: &Global) -> anyhow::Result<Outcome> {
                match self {
                    $(Command::$name(args) => $run(global, *args),)+
                }
            }
        }
    };
}

commands! {
    Run: run::Args => run::run,
    Nightly: nightly::Args => nightly::run,
    Generate: generate::Args => generate::run,
    Dig: dig::Args => dig::run,
    Mask: mask::Args => mask::run,
    Analyze: analyze::Args => analyze::run,
    Solve: solve::Args => solve::run,
    Hint: hint::Args => hint::run,
    Check: check::Args => check::run,
    Number: number::Args => number::run,
    Name: name::Args => name::run,
    Verify: verify::Args => verify::run,
    Manifest: manifest::Args => manifest::run,
    Query: query::Args => query::run,
    Stats: stats::Args => stats::run,
    Resample: resample::Args => resample::run,
    Report: report::Args => report::run,
    Audit: audit::Args => audit::run,
    Score: score::Args => score::run,
    Release: release::Args => release::run,
    Export: export::Args => export::run,
    Book: book::Args => book::run,
    Preflight: preflight::Args => preflight::run,
    Cover: cover::Args => cover::run,
    Coverage: coverage::Args => coverage::run,
    Bench: bench::Args => bench::run,
    List: list::Args => list::run,
    Guide: guide::Args => guide::run,
    Completions: complete::Completions => complete::completions,
    Man: complete::Man => complete::man,
}

/// How a command ended if it did not fail.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Outcome {
    /// The command did everything that was requested.
    Done,
    /// The command did everything, and it published puzzles.
    Published(Published),
    /// A check found something wrong.
    CheckFailed,
    /// Stopped before the end. The same command continues the work.
    Stopped,
    /// The exit code of a call of `nightly`.
    Night(u8),
}

/// The puzzles that a command published.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Published {
    /// Their classes.
    classes: Vec<u128>,
    /// The files, and the number of puzzles in each.
    files: Vec<(PathBuf, u64)>,
}

/// The arguments can be parsed but not used: exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Usage(String);

/// A command ended early, but did not fail.
#[derive(Debug, thiserror::Error)]
#[error("ended early")]
struct Early(Outcome);

/// The complete command line as clap's type, for the program itself, completions, manual pages and tests. `-h` shows
/// the first sentence of the help of an option, `--help` all of it.
pub fn command() -> clap::Command {
    fn short(command: clap::Command) -> clap::Command {
        command.mut_args(|argument| {
            let argument = match Role::of(&argument) {
                Some(_) => argument.value_hint(clap::ValueHint::AnyPath),
                None => argument,
            };
            let help = argument.get_help().filter(|_| argument.get_long_help().is_none());
            let all = help.map(|help| help.ansi().to_string()).unwrap_or_default();
            match first_sentence(&all) {
                Some(first) => argument.help(first.to_owned()).long_help(all),
                None => argument,
            }
        })
    }
    short(Cli::command()).mut_subcommands(short)
}

/// The first sentence of several, without its full stop.
fn first_sentence(text: &str) -> Option<&str> {
    let mut ends = text.match_indices(". ").map(|(at, _)| at);
    let end = ends.find(|at| text[at + 2..].starts_with(|next: char| next.is_uppercase() || next == '('));
    end.map(|at| &text[..at])
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
    write_only_claimed();
    ExitCode::from(run(std::env::args_os()))
}

/// Like [`main`], for programs that embed this one. The first argument is the name of the program.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let parsed = match Cli::parsed(arguments) {
        Err(mistake) if mistake.use_stderr() => {
            match gone::instead(&mistake) {
                Some(sentence) => say(format_args!("error: {sentence}")),
                None => drop(mistake.print()),
            }
            return u8::try_from(mistake.exit_code()).unwrap_or(2);
        }
        parsed => parsed,
    };
    let standard = || cannot_write(Path::new("-"));
    let ended = writable_output().with_context(standard).and_then(|()| match parsed {
        // Flush standard output here, so that a failure is reported.
        Ok(cli) => dispatch(cli).and_then(|outcome| Ok(io::stdout().flush().map(|()| outcome)?)),
        Err(help) => help.print().and_then(|()| io::stdout().flush()).map(|()| Outcome::Done).with_context(standard),
    });
    match ended {
        Ok(Outcome::Done | Outcome::Published(_)) => 0,
        Ok(Outcome::CheckFailed) => 3,
        Ok(Outcome::Stopped) => 4,
        Ok(Outcome::Night(code)) => code,
        Err(error) if is_closed_pipe(&error) => 0,
        Err(error) => {
            say(format_args!("error: {}", with_causes(&error)));
            exit_code(&error)
        }
    }
}

impl Cli {
    /// Parses a command line, and notes the paths in it.
    fn parsed(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<Cli, clap::Error> {
        let mut command = command();
        let matches = command.try_get_matches_from_mut(arguments)?;
        let mut cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
        cli.global.paths = Paths::of(&matches, &command);
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
    let mut shown = String::with_capacity(text.len());
    for symbol in text.chars() {
        match symbol.is_control() && !matches!(symbol, '\n' | '\t') {
            true => shown.extend(symbol.escape_unicode()),
            false => shown.push(symbol),
        }
    }
    shown
}

/// Checks the paths and runs the command. A run calls it again for each output of its recipe.
fn dispatch(Cli { global, command }: Cli) -> anyhow::Result<Outcome> {
    global.paths.check()?;
    start_threads(global.threads);
    // `verify` reports what is missing, and `manifest` merges corpora that are unfinished.
    if !global.partial && !matches!(command, Command::Verify(_)) {
        for corpus in global.paths.read().collect::<BTreeSet<_>>() {
            if let Some(unfinished) = check_complete(corpus)?
                && !matches!(command, Command::Manifest(_))
            {
                global.say(unfinished);
            }
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

/// An error with its causes. A cause that the message already contains at its end is not repeated.
fn with_causes(error: &anyhow::Error) -> String {
    error.chain().map(ToString::to_string).fold(String::new(), |message, cause| match () {
        () if message.is_empty() => cause,
        () if message.ends_with(&cause) => message,
        () => format!("{message}: {cause}"),
    })
}

/// The context of an error in writing an output.
fn cannot_write(out: &Path) -> String {
    let name = if out == Path::new("-") { Path::new("standard output") } else { out };
    format!("cannot write {}", name.display())
}

/// "1 row", "2 rows".
fn counted(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// 2 if the command was wrong, 1 if the work failed.
fn exit_code(error: &anyhow::Error) -> u8 {
    if error.is::<Usage>() || error.is::<RecipeError>() {
        return 2;
    }
    let published = error.downcast_ref().map(PublishError::exit_code);
    published.or_else(|| error.downcast_ref().map(CorpusError::exit_code)).unwrap_or(1)
}

/// True if the reader of the output went away, as in `... | head`.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| match (cause.downcast_ref(), cause.downcast_ref().map(csv::Error::kind)) {
        (Some(cause), _) | (_, Some(csv::ErrorKind::Io(cause))) => io::Error::kind(cause) == io::ErrorKind::BrokenPipe,
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn errors_name_each_cause_once() {
        let missing = std::io::Error::from_raw_os_error(2);
        let error = crate::corpus::CorpusError::Io { doing: "write", path: "-".into(), source: missing };
        let said = "cannot write standard output: No such file or directory (os error 2)";
        assert_eq!(super::with_causes(&error.into()), said);
        assert_eq!(super::with_causes(&anyhow::anyhow!("full").context("cannot write x")), "cannot write x: full");
        assert_eq!([super::counted(1, "row"), super::counted(0, "row")], ["1 row", "0 rows"]);
    }

    #[test]
    fn the_command_line_is_well_formed() {
        super::command().debug_assert();
    }
}
