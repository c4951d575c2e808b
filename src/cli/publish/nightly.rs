//! `nightly`: makes a corpus every night, from cron or a timer.

use std::io::{self, Write as _};

use anyhow::Context as _;

use crate::cli::line::options::{self, Global};
use crate::cli::line::paths::absolute;
use crate::cli::{Outcome, say};
use crate::library;
use crate::nights::{self, Call};

/// Make tonight's corpus and its outputs; for cron and timers.
///
/// The command makes a folder such as NIGHTS/2026-11-22/ from the recipe, with the date as seed. It also makes the
/// outputs of the [[output]] entries of the recipe. No night publishes an isomorph of a puzzle that an earlier night
/// published. Unfinished nights are finished first. `guide nights` describes the folder, monitoring, timers, and what
/// to do if a night fails.
///
/// The command prints a line for each night that it works on: "night=2026-11-22 status=ok ...". The exit code is about
/// the requested night: 0 done, or given up with --give-up; 1 failed, or given up after too many failures; 2 the recipe
/// was refused; 3 a check failed; 4 stopped early, the next call continues; 5 another call is running.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus nightly recipe:nightly nights --keep 30
      100,000 puzzles every night; the thirty newest nights stay
  sudoku-corpus nightly recipe:nightly nights --notify 'echo \"$LINE\" | mail me'
  sudoku-corpus nightly recipe:nightly nights --except printed.index
      without the puzzles that you printed
  sudoku-corpus nightly recipe:nightly nights --retry 2026-11-19
      try a failed night again
  sudoku-corpus nightly recipe:nightly nights --give-up 2026-11-19
      do not try this night any more")]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    call: Call,
}

/// Makes the night, and prints a line for each night that was worked on. The exit code is that of the requested night.
pub(in crate::cli) fn run(global: &Global, Args { mut call }: Args) -> anyhow::Result<Outcome> {
    if !call.recipe.to_str().is_some_and(library::is_ours) {
        call.recipe = absolute(&call.recipe)?.into();
    }
    for path in &mut call.except {
        *path = absolute(path)?.into();
    }
    call.threads = global.threads;
    let folder = call.nights.to_path_buf();
    let stop = options::stop_flag()?;
    // A line that cannot be printed does not stop the nights. The first error is told at the end.
    let mut print_error = None;
    let made = nights::make_nights(&call, &stop, &mut |result| {
        if let Err(error) = writeln!(io::stdout(), "{}", nights::line(result)) {
            print_error.get_or_insert(error);
        }
    })?;
    for night in &made.given_up {
        let log = folder.join(night.to_string()).join("night.log");
        let advice = if log.is_file() { format!("read {}; ", log.display()) } else { String::new() };
        global.say(format_args!("{night} was given up: {advice}--retry {night} tries it again"));
    }
    made.unsent.iter().for_each(say);
    print_error.map_or(Ok(()), Err).context("cannot write standard output")?;
    // Giving the night up was the request.
    Ok(if call.give_up.is_some() { Outcome::Done } else { Outcome::Night(made.exit_code()) })
}
