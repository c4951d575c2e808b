//! `nightly`: makes a corpus every night, from cron or a timer.

use std::env;
use std::io::{self, Write as _};

use anyhow::Context as _;

use super::options::{self, Global};
use super::own::absolute;
use super::{Outcome, say};
use crate::nights::{self, Call};

/// Make tonight's corpus and its outputs; for cron and timers.
///
/// The command makes a folder such as NIGHTS/2026-11-22/ from the recipe, with the date as seed. It also makes the
/// outputs of the [[output]] entries of the recipe. No night publishes an isomorph of a puzzle that an earlier night
/// published. Unfinished nights are finished first. `guide nights` describes the folder, monitoring, timers, and what
/// to do if a night fails.
///
/// The command prints a line for each night that it works on: "night=2026-11-22 status=ok ...". The exit code is about
/// the requested night: 0 done, or given up by this call; 1 failed, or given up before; 2 the recipe was refused; 3 a
/// check failed; 4 stopped early, the next call continues; 5 another call is running.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus nightly data/recipes/nightly.toml nights --keep 30
  sudoku-corpus nightly night.toml nights --except printed.index --notify 'mail -s \"$LINE\" press@example.org'
  sudoku-corpus nightly night.toml nights --retry 2026-11-19      try a failed night again
  sudoku-corpus nightly night.toml nights --give-up 2026-11-19    do not try this night any more
  15 2 * * *  cd /srv/sudoku && sudoku-corpus nightly night.toml nights --keep 30")]
pub(super) struct Args {
    #[command(flatten)]
    call: Call,
}

pub(super) fn run(global: &Global, Args { mut call }: Args) -> anyhow::Result<Outcome> {
    call.recipe = absolute(&call.recipe)?.into();
    for path in &mut call.except {
        *path = absolute(path)?.into();
    }
    call.program = env::current_exe().context("cannot find the program itself")?;
    call.threads = global.threads;
    let stop = options::stop_flag()?;
    let mut lost = Ok(());
    let made = nights::make_nights(&call, &stop, &mut |result| {
        let written = writeln!(io::stdout(), "{}", nights::line(result));
        lost = std::mem::replace(&mut lost, Ok(())).and(written);
    })?;
    for night in &made.given_up {
        let read = format!("read NIGHTS/{night}/night.log; --retry {night} tries it again");
        global.say(format_args!("{night} was given up: {read}"));
    }
    made.unsent.iter().for_each(say);
    lost.context("cannot write standard output")?;
    // Giving the night up was the request.
    Ok(if call.give_up.is_some() { Outcome::Done } else { Outcome::Night(made.exit_code()) })
}
