//! `nightly`: a corpus every night, from cron or a timer.

use std::env;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::PathBuf;

use anyhow::Context as _;

use super::options::{self, Global};
use super::outputs::absolute;
use super::selection;
use super::{Outcome, say};
use crate::nights::{self, Call};
use crate::publish::series::Day;

/// Make tonight's corpus and its outputs; for cron and timers.
///
/// The command makes a folder such as NIGHTS/2026-11-22/ from the recipe, with the date as seed. It also makes the
/// outputs of the [[output]] entries of the recipe. No night publishes an isomorph of a puzzle that an earlier night
/// published. Unfinished nights are finished first. `guide nights` describes the folder, monitoring, timers, and what
/// to do if a night fails.
///
/// The command prints a line for each night that it works on: "night=2026-11-22 status=ok ...". The exit code is about
/// the requested night: 0 done, 1 failed, 2 the recipe cannot be made, 3 a check failed, 4 stopped early and the next
/// call continues. Exit code 5 means that another call is running.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus nightly data/recipes/nightly.toml nights --keep 30
  sudoku-corpus nightly night.toml nights --except printed.index --notify 'mail -s \"$LINE\" press@example.org'
  sudoku-corpus nightly night.toml nights --retry 2026-11-19      try a failed night again
  sudoku-corpus nightly night.toml nights --give-up 2026-11-19    do not try this night any more
  15 2 * * *  cd /srv/sudoku && sudoku-corpus nightly night.toml nights --keep 30")]
pub struct Args {
    /// The recipe; `list keys` describes its keys. The date replaces its seed, and `distinct` is true by default.
    recipe: PathBuf,
    /// The folder of the nights. It is created if it does not exist.
    nights: PathBuf,
    /// The night to make; today by default.
    #[arg(long, value_name = "YYYY-MM-DD")]
    date: Option<Day>,
    /// Remove all finished nights except the last N. Their puzzles are still not published again.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    keep: Option<u32>,
    /// Give up a night after N failures.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    tries: u32,
    /// Try only this night again, even if it was given up.
    #[arg(long, value_name = "YYYY-MM-DD", conflicts_with_all = ["date", "give_up"])]
    retry: Option<Day>,
    /// Give up this night, and make no other.
    #[arg(long, value_name = "YYYY-MM-DD", conflicts_with = "date")]
    give_up: Option<Day>,
    /// A shell command to run if a night is not ok, was given up, or differs from the nights before. It gets $NIGHT,
    /// $STATUS, $LINE and $NIGHTS (the folder), and reads last.json from stdin.
    #[arg(long, value_name = "COMMAND")]
    notify: Option<String>,
    /// Puzzles that no night may publish: files of puzzles, folders of corpora, or indexes made by --remember.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    except: Vec<PathBuf>,
    /// Let the outputs of the recipe write files outside the folder of the night.
    #[arg(long)]
    allow_outside: bool,
}

pub fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let mut arguments: Vec<OsString> = Vec::new();
    arguments.extend(args.allow_outside.then(|| "--allow-outside".into()));
    arguments.extend(global.threads.map(|threads| format!("--threads={threads}").into()));
    let call = Call {
        recipe: absolute(&args.recipe)?,
        nights: args.nights,
        date: args.date.unwrap_or_else(selection::today),
        keep: args.keep.map(|keep| keep as usize),
        tries: args.tries,
        retry: args.retry,
        give_up: args.give_up,
        notify: args.notify,
        program: env::current_exe().context("cannot find the program itself")?,
        arguments,
        except: args.except.iter().map(|path| absolute(path)).collect::<anyhow::Result<_>>()?,
    };
    let stop = options::stop_flag()?;
    let mut lost = Ok(());
    let summary = nights::call(&call, &stop, &mut |outcome| {
        let written = writeln!(io::stdout(), "{}", nights::line(outcome));
        lost = std::mem::replace(&mut lost, Ok(())).and(written);
    })?;
    for night in &summary.given_up {
        let read = format!("read NIGHTS/{night}/night.log; --retry {night} tries it again");
        global.say(format_args!("{night} was given up: {read}"));
    }
    summary.unsent.iter().for_each(say);
    lost.context("cannot write standard output")?;
    // Giving the night up was the request.
    Ok(if args.give_up.is_some() { Outcome::Done } else { Outcome::Night(summary.exit_code()) })
}
