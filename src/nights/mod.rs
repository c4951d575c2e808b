//! Makes a corpus every night: dated folders, a lock, retries, pruning, and files for monitoring.
//!
//! ```text
//!   nights/
//!     nights.jsonl           the register: what happened to each night; it decides what a call does
//!     nights.log             a line for every night that a call worked on
//!     last.json nights.prom  the result of the last call, for programs and for Prometheus
//!     latest -> 2026-11-22   the newest night that is done
//!     seen/2026-11-22.classes  the puzzles that the night published; kept when its folder is pruned
//!     2026-11-22/            the corpus, its outputs, night.toml (the recipe it was started with), night.log
//!     set-aside/             unfinished nights of other versions of the program
//! ```
//!
//! A separate process makes a night, so that running out of memory stops the night and not the call. This process also
//! holds the lock of the nights: if the call is killed and the process survives, the next call reports `busy`.

mod alarm;
mod night;
mod register;
mod watch;

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use chrono::{SecondsFormat, Utc};
use serde::Serialize;

use crate::corpus::{CorpusError, Result, StopFlag, clean, create_folder, has_no_locks};
use crate::publish::series::Day;

use night::Maker;
use register::{Event, Register, Status};
pub use watch::{Summary, line};

#[derive(Clone, Debug, clap::Args)]
pub struct Call {
    /// The recipe; `list keys` describes its keys. The date replaces its seed, and `distinct` is true by default.
    pub recipe: PathBuf,
    /// The folder of the nights. It is created if it does not exist.
    pub nights: PathBuf,
    /// The night to make; today by default.
    #[arg(long, value_name = "YYYY-MM-DD", default_value_t = Day::today(), hide_default_value = true)]
    pub date: Day,
    /// Remove all finished nights except the last N. Their puzzles are still not published again.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub keep: Option<u32>,
    /// Give up a night after N failures.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub tries: u32,
    /// Try only this night again, even if it was given up.
    #[arg(long, value_name = "YYYY-MM-DD", conflicts_with_all = ["date", "give_up"])]
    pub retry: Option<Day>,
    /// Give up this night, and make no other.
    #[arg(long, value_name = "YYYY-MM-DD", conflicts_with = "date")]
    pub give_up: Option<Day>,
    /// A shell command to run if a night is not ok, was given up, or differs from the nights before. It gets $NIGHT,
    /// $STATUS, $LINE and $NIGHTS (the folder), and reads last.json from stdin.
    #[arg(long, value_name = "COMMAND")]
    pub notify: Option<String>,
    /// Puzzles that no night may publish: files of puzzles, folders of corpora, or indexes made by --remember.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub except: Vec<PathBuf>,
    /// Let the outputs of the recipe write files outside the folder of the night.
    #[arg(long)]
    pub allow_outside: bool,
    /// The threads and the file of the program that makes a night.
    #[arg(skip)]
    pub threads: Option<usize>,
    #[arg(skip)]
    pub program: PathBuf,
}

#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    pub night: Day,
    /// `ok`, `failed`, `check-failed`, `refused`, `stopped`, `given-up` or `busy`.
    pub status: Status,
    /// Exit code of the process that made it. None if it was killed or did not exist.
    pub code: Option<i32>,
    /// The reason, if it is not ok.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    pub planned: u64,
    pub rows: u64,
    pub parts: u64,
    pub bytes: u64,
    pub seconds: f64,
    /// Puzzles of each output, from the output of its command.
    pub outputs: Vec<(String, u64)>,
    /// Whether two outputs have all, some or no puzzles in common.
    pub common: Vec<String>,
    pub levels: register::Counts,
    /// Rows of each ER, in tenths.
    pub ratings: register::Counts,
    pub alarms: Vec<String>,
}

impl Outcome {
    fn new(night: Day, status: Status, reason: Option<String>) -> Outcome {
        Outcome {
            night,
            status,
            code: None,
            reason,
            planned: 0,
            rows: 0,
            parts: 0,
            bytes: 0,
            seconds: 0.0,
            outputs: Vec::new(),
            common: Vec::new(),
            levels: register::Counts::new(),
            ratings: register::Counts::new(),
            alarms: Vec::new(),
        }
    }
}

/// Makes the requested night, after the unfinished ones. Calls `report` with every outcome. The summary is about the
/// requested night.
pub fn call(call: &Call, stop: &StopFlag, report: &mut dyn FnMut(&Outcome)) -> Result<Summary> {
    let nights = std::path::absolute(&call.nights).map_err(CorpusError::io("find", &call.nights))?;
    let made = make(call, &nights, stop, report);
    // Without the folder of the nights, a message is all that can be left.
    let failed =
        |error: &CorpusError| Outcome::new(call.retry.unwrap_or(call.date), Status::Failed, Some(error.to_string()));
    if let (Err(error), Some(command)) = (&made, &call.notify) {
        drop(Summary::of(failed(error), Vec::new()).notify(command, &nights));
    }
    made
}

fn make(call: &Call, nights: &Path, stop: &StopFlag, report: &mut dyn FnMut(&Outcome)) -> Result<Summary> {
    create_folder(&nights.join("seen")).map_err(CorpusError::io("create the folder", nights))?;
    let mut tell = |outcome: &Outcome| {
        report(outcome);
        log(nights, &line(outcome))
    };
    let Some(lock) = lock(nights)? else {
        let busy = Outcome::new(call.date, Status::Busy, Some("another call or its process is running".to_owned()));
        tell(&busy)?;
        return Ok(Summary::of(busy, Vec::new()));
    };
    let mut register = Register::open(nights)?;
    if let Some(date) = call.give_up {
        let outcome = Outcome::new(date, Status::GivenUp, Some("by --give-up".to_owned()));
        register.add(Event::of(&outcome))?;
        mark_given_up(nights, date, "by --give-up")?;
        tell(&outcome)?;
        return finished(call, nights, &register, outcome, Vec::new());
    }
    let wanted = call.retry.unwrap_or(call.date);
    if call.retry.is_some() {
        register.add(Event::new(wanted, Status::Retry))?;
        drop(fs::remove_file(nights.join(wanted.to_string()).join(GIVEN_UP)));
    }
    let maker = Maker { call, nights, lock: &lock, stop };
    let mut older = Vec::new();
    let unfinished = if call.retry.is_some() { Vec::new() } else { register.unfinished() };
    for night in unfinished.into_iter().filter(|night| *night != wanted) {
        let outcome = attempt(&maker, &mut register, night)?;
        tell(&outcome)?;
        older.push(outcome);
    }
    let mut outcome = match register.done(wanted) {
        Some(Event { outputs, common, .. }) if maker.is_whole(wanted, outputs) => {
            let described = maker.described(Outcome::new(wanted, Status::Ok, None));
            let (outputs, common) = (outputs.clone(), common.clone());
            Outcome { planned: maker.planned(wanted), outputs, common, ..described }
        }
        _ if register.status(wanted) == Some(Status::GivenUp) => {
            Outcome::new(wanted, Status::GivenUp, Some("given up before; --retry tries it again".to_owned()))
        }
        _ => attempt(&maker, &mut register, wanted)?,
    };
    if register.damaged > 0 {
        let lines = register.damaged;
        outcome.alarms.push(format!("{lines} lines of nights.jsonl could not be read: see nights.jsonl.damaged"));
    }
    tell(&outcome)?;
    if outcome.status == Status::Ok {
        point_latest(nights, wanted)?;
    }
    if let Some(keep) = call.keep {
        for night in register.to_prune(keep as usize, wanted) {
            if prune(nights, night)? {
                register.add(Event::new(night, Status::Pruned))?;
            }
        }
    }
    finished(call, nights, &register, outcome, older)
}

/// The beginning of the lines in which a run compares the puzzles of its outputs.
pub const COMPARED: &str = "puzzles: ";

/// The file that marks the folder of a night that was given up.
const GIVEN_UP: &str = "GIVEN-UP";

/// Tries a night once, and gives it up after too many failures.
fn attempt(maker: &Maker<'_>, register: &mut Register, night: Day) -> Result<Outcome> {
    let began = Instant::now();
    register.add(Event::new(night, Status::Begun))?;
    let mut outcome = maker.make(night)?;
    outcome.seconds = began.elapsed().as_secs_f64();
    if outcome.status == Status::Ok {
        outcome.alarms = alarm::alarms(&outcome.levels, &outcome.ratings, register.earlier(night));
    }
    register.add(Event::of(&outcome))?;
    if register.failures(night) >= maker.call.tries {
        let last = outcome.reason.take().unwrap_or_default();
        let reason = format!("{} failures, the last one: {last}", register.failures(night));
        register.add(Event::of(&Outcome::new(night, Status::GivenUp, Some(reason.clone()))))?;
        mark_given_up(maker.nights, night, &reason)?;
        outcome = Outcome { status: Status::GivenUp, reason: Some(reason), ..outcome };
    }
    Ok(outcome)
}

/// Writes the files for monitoring, and runs the command of `--notify` if something is wrong.
fn finished(call: &Call, nights: &Path, register: &Register, outcome: Outcome, older: Vec<Outcome>) -> Result<Summary> {
    let summary =
        Summary { unfinished: register.unfinished(), given_up: register.given_up(), ..Summary::of(outcome, older) };
    summary.write(nights)?;
    // Temporary files that an earlier call could not remove; a finished night has no other command that would.
    for folder in [&summary.tonight.night.to_string(), "seen"] {
        drop(clean(&nights.join(folder)));
    }
    let command = call.notify.as_deref().filter(|_| summary.is_worth_a_message());
    // The night is what it is, whether or not its message could be sent.
    let unsent = command.and_then(|command| summary.notify(command, nights).err());
    unsent.iter().try_for_each(|reason| log(nights, reason))?;
    Ok(Summary { unsent, ..summary })
}

/// Takes the lock of the nights. None if another process has it.
fn lock(nights: &Path) -> Result<Option<File>> {
    let path = nights.join(".lock");
    let mut options = OpenOptions::new();
    let file = options.create(true).truncate(false).read(true).write(true).open(&path);
    let file = file.map_err(CorpusError::io("open", &path))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) if has_no_locks(&error) => Ok(Some(file)),
        Err(TryLockError::Error(error)) => Err(CorpusError::io("lock", &path)(error)),
    }
}

/// The current time: `2026-11-22T02:15:00Z`.
fn now() -> String {
    Utc::now().to_rfc3339_opts(SecondsFormat::Secs, true)
}

fn log(nights: &Path, line: &str) -> Result<()> {
    let path = nights.join("nights.log");
    let file = OpenOptions::new().create(true).append(true).open(&path);
    let line = format!("{} {line}\n", now());
    file.and_then(|mut file| file.write_all(line.as_bytes())).map_err(CorpusError::io("write", &path))
}

fn mark_given_up(nights: &Path, night: Day, reason: &str) -> Result<()> {
    let folder = nights.join(night.to_string());
    if folder.is_dir() {
        let path = folder.join(GIVEN_UP);
        fs::write(&path, format!("{reason}\n")).map_err(CorpusError::io("write", &path))?;
    }
    Ok(())
}

/// Points the link `latest` to a night, atomically.
fn point_latest(nights: &Path, night: Day) -> Result<()> {
    let latest = nights.join("latest");
    if cfg!(not(unix)) || fs::read_link(&latest).is_ok_and(|now| now == Path::new(&night.to_string())) {
        return Ok(());
    }
    let fresh = nights.join(".latest");
    drop(fs::remove_file(&fresh));
    #[cfg(unix)]
    std::os::unix::fs::symlink(night.to_string(), &fresh).map_err(CorpusError::io("write", &fresh))?;
    fs::rename(&fresh, &latest).map_err(CorpusError::io("write", &latest))
}

/// Removes the folder of a night. False if something else has its name.
fn prune(nights: &Path, night: Day) -> Result<bool> {
    let folder = nights.join(night.to_string());
    match fs::symlink_metadata(&folder) {
        Ok(_) if !night::is_ours(&folder) => Ok(false),
        Ok(_) => fs::remove_dir_all(&folder).map(|()| true).map_err(CorpusError::io("remove", &folder)),
        Err(_) => Ok(true),
    }
}
