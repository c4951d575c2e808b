//! `nightly`: a corpus every night, from cron or a timer.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Context as _;

use super::options::{self, Global};
use super::outputs::absolute;
use super::{Outcome, say};
use crate::nights::{self, Call, Date};

/// Make tonight's corpus and what its recipe makes of it; for cron and timers.
///
/// Makes NIGHTS/2026-11-22/ from the recipe, with the date as seed, and whatever its [[output]] entries ask for. No night
/// publishes a puzzle that another one had, up to symmetry. Nights that were left unfinished are finished first. `guide
/// nights` describes the folder, monitoring, timers, and what to do about a night that fails.
///
/// stdout: a line for each night that was worked on, "night=2026-11-22 status=ok ...". Exit codes are those of the night
/// that was wanted: 0 done, 1 failed, 2 the recipe cannot be made, 3 a check failed, 4 stopped early and the next call
/// goes on; 5 another call is at work.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus nightly data/recipes/nightly.toml nights --keep 30
  sudoku-corpus nightly night.toml nights --except printed.index --notify 'mail -s \"$LINE\" press@example.org'
  sudoku-corpus nightly night.toml nights --retry 2026-11-19      a night that failed, once more
  sudoku-corpus nightly night.toml nights --give-up 2026-11-19    and no more
  15 2 * * *  cd /srv/sudoku && sudoku-corpus nightly night.toml nights --keep 30")]
pub struct Args {
    /// The recipe; `list keys` tells its keys. Its seed is the date, and `distinct` is true unless it says otherwise.
    recipe: PathBuf,
    /// The folder of the nights; it is made if it does not exist.
    nights: PathBuf,
    /// The night that is wanted; today by default.
    #[arg(long, value_name = "YYYY-MM-DD")]
    date: Option<Date>,
    /// Remove finished nights but for the last N that were made. Their puzzles stay known.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    keep: Option<u32>,
    /// Give a night up that failed so often.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    tries: u32,
    /// Try this night again, also when it was given up, and no other.
    #[arg(long, value_name = "YYYY-MM-DD", conflicts_with_all = ["date", "give_up"])]
    retry: Option<Date>,
    /// Give this night up, and make none.
    #[arg(long, value_name = "YYYY-MM-DD", conflicts_with = "date")]
    give_up: Option<Date>,
    /// A command of the shell for when a night is not ok: it gets $NIGHT, $STATUS, $LINE, and last.json as its input.
    #[arg(long, value_name = "COMMAND")]
    notify: Option<String>,
    /// Puzzles that no night publishes: files of puzzles, folders of corpora, or indexes of --remember.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    except: Vec<PathBuf>,
    /// Outputs of the recipe may write files outside the folder of the night.
    #[arg(long)]
    allow_outside: bool,
}

/// Runs the command.
pub fn run(global: &Global, args: &Args) -> anyhow::Result<Outcome> {
    let mut arguments: Vec<OsString> = Vec::new();
    arguments.extend(args.allow_outside.then(|| "--allow-outside".into()));
    arguments.extend(global.threads.map(|threads| format!("--threads={threads}").into()));
    let call = Call {
        recipe: absolute(&args.recipe)?,
        nights: args.nights.clone(),
        date: args.date.unwrap_or_else(Date::today),
        keep: args.keep.map(|keep| keep as usize),
        tries: args.tries,
        retry: args.retry,
        give_up: args.give_up,
        notify: args.notify.clone(),
        program: env::current_exe().context("cannot find the program itself")?,
        arguments,
        except: args.except.iter().map(|path| absolute(path)).collect::<anyhow::Result<_>>()?,
    };
    let stop = options::stop_flag()?;
    let mut lost = Ok(());
    let summary = nights::call(&call, &stop, &mut |outcome| {
        use std::io::Write as _;
        let line = nights::Summary::line(outcome);
        let written = writeln!(std::io::stdout(), "{line}");
        if lost.is_ok() {
            lost = written;
        }
    })?;
    if !global.quiet {
        for night in &summary.given_up {
            say(format_args!("{night} was given up: see NIGHTS/{night}/night.log, then --retry {night} or leave it"));
        }
    }
    lost.context("cannot write standard output")?;
    // To give a night up is what was asked for.
    Ok(if args.give_up.is_some() { Outcome::Done } else { Outcome::Night(summary.exit_code()) })
}
