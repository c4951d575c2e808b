//! Makes a corpus every night: dated folders, a lock, retries, pruning, and files for monitoring.
//!
//! ```text
//!   nights/
//!     nights.jsonl           the register: what happened to each night; it decides what a call does
//!     nights.log             a line for every night that a call worked on
//!     last.json nights.prom  the result of the last call, for programs and for Prometheus
//!     latest -> 2026-11-22   the newest night that is done and there
//!     seen/2026-11-22.classes  the puzzles that the night published; kept when its folder is pruned
//!     2026-11-22/            the corpus, its outputs, night.toml (the recipe it was started with), night.log
//!     set-aside/             unfinished nights of other versions of the program
//!     .pruned/               pruned nights that could not be removed completely
//! ```
//!
//! The call starts a process for each night, so that running out of memory stops the night and not the call. The
//! process of the night holds the lock of the nights too: if the call is killed and this process survives, the next
//! call reports `busy`.
//!
//! What the register says of a night, and which function adds it:
//!
//! ```text
//!   attempt: begun -> ok --------------------------------> pruned       prune
//!                     refused | stopped                                 the next call tries again
//!                     failed | check-failed -> given-up                 attempt, after too many failures
//!   run_locked:                               given-up                  --give-up
//!                                             retry -> begun -> ..      --retry
//! ```

mod alarm;
mod night;
pub(crate) mod process;
mod register;
mod results;
mod watch;

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use chrono::{SecondsFormat, Utc};
use serde::Serialize;

use crate::corpus::{
    CorpusError, InputPath, OUTPUTS_FOLDER, PublishedPath, Result, StopFlag, WorkFolder, clean, create_folder,
    has_no_locks,
};
use crate::publish::series::Day;

use crate::page::numbers::counted;
use night::Maker;
use register::{Event, Register};
pub(crate) use register::{Files, NIGHT, Status};
pub(crate) use results::{OutputResult, RunLine};
pub(crate) use watch::{CallResult, line};

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Call {
    /// The recipe; `list keys` describes its keys. The date replaces its seed.
    pub recipe: InputPath,
    /// The folder of the nights. It is created if it does not exist.
    pub nights: WorkFolder,
    /// The night to make; today by default.
    #[arg(id = "night", long, value_name = "YYYY-MM-DD", default_value_t = Day::today(), hide_default_value = true)]
    pub date: Day,
    /// Remove all finished nights except the last N. Their puzzles are still not published again.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub keep: Option<u32>,
    /// Give up a night after N failures.
    #[arg(long = "give-up-after", value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub tries: u32,
    /// Try only this night again, even if it was given up.
    #[arg(long, value_name = "YYYY-MM-DD", conflicts_with_all = ["night", "give_up"])]
    pub retry: Option<Day>,
    /// Give up this night, and make no other.
    #[arg(long, value_name = "YYYY-MM-DD", conflicts_with = "night")]
    pub give_up: Option<Day>,
    /// A shell command to run if a night is not ok, was given up, or differs from the nights before, or if another call
    /// is running. It gets $NIGHT, $STATUS, $LINE and $NIGHTS (the folder), reads last.json from stdin, and is ended
    /// after a minute.
    #[arg(long, value_name = "COMMAND")]
    pub notify: Option<String>,
    /// Publish no isomorphs of the puzzles in these files, in any night: earlier exports in any format that can be
    /// read again, folders of corpora, or indexes made by --remember.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub except: Vec<PublishedPath>,
    /// The threads of the process of a night.
    #[arg(skip)]
    pub threads: Option<usize>,
}

/// What became of a night in a call.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct NightResult {
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
    /// The files of its outputs, and the number of puzzles in each.
    pub outputs: Files,
    pub levels: register::Tally,
    /// Rows of each ER, in tenths.
    pub ratings: register::Tally,
    pub alarms: Vec<String>,
}

impl NightResult {
    /// The result of a night, without figures.
    fn new(night: Day, status: Status, reason: Option<String>) -> NightResult {
        NightResult {
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
            levels: register::Tally::new(),
            ratings: register::Tally::new(),
            alarms: Vec::new(),
        }
    }

    /// Makes an alarm of something beside the night that went wrong.
    fn note(&mut self, done: Result<()>) {
        self.alarms.extend(done.err().map(|error| error.to_string()));
    }
}

/// What the nights before a night leave to it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Earlier {
    /// The newest night before it that is done and there.
    pub last: Option<LastNight>,
    /// The puzzles that other nights published before it was done, by the names of the outputs.
    pub puzzles: register::Tally,
}

/// A night that is done, whose outputs are there.
#[derive(Clone, Debug)]
pub(crate) struct LastNight {
    pub night: Day,
    /// The folder of its outputs.
    pub outputs: PathBuf,
}

impl Earlier {
    /// What the register in the folder of the nights says.
    ///
    /// # Errors
    /// The register cannot be read.
    pub(crate) fn of(nights: &Path, night: Day) -> Result<Earlier> {
        let register = Register::open(nights)?;
        let done = register.finished().into_iter().rev().filter(|other| *other < night);
        let mut done =
            done.map(|other| LastNight { night: other, outputs: nights.join(other.to_string()).join(OUTPUTS_FOLDER) });
        Ok(Earlier { last: done.find(|last| last.outputs.is_dir()), puzzles: register.published_before(night) })
    }
}

/// Makes the requested night, after the unfinished ones. Calls `report` with the result of each. The result of the call
/// is about the requested night.
pub(crate) fn make_nights(call: &Call, stop: &StopFlag, report: &mut dyn FnMut(&NightResult)) -> Result<CallResult> {
    let nights = std::path::absolute(&call.nights).map_err(CorpusError::io("find", &call.nights))?;
    // The lock is released when this returns, so a command of --notify that hangs stops no other call.
    let made = run_locked(call, &nights, stop, report);
    let wanted = call.give_up.or(call.retry).unwrap_or(call.date);
    let call_result = match &made {
        Ok(call_result) => call_result.clone(),
        // Without the folder of the nights, a message is all that can be left.
        Err(error) => CallResult::of(NightResult::new(wanted, Status::Failed, Some(error.to_string())), Vec::new()),
    };
    let command = call.notify.as_deref().filter(|_| call_result.is_worth_a_message());
    let unsent = command.and_then(|command| call_result.notify(command, &nights, stop).err());
    // The night is what it is, whether or not its message could be sent.
    unsent.iter().for_each(|reason| drop(log(&nights, reason)));
    made.map(|call_result| CallResult { unsent, ..call_result })
}

/// Makes the nights while it holds their lock.
fn run_locked(call: &Call, nights: &Path, stop: &StopFlag, report: &mut dyn FnMut(&NightResult)) -> Result<CallResult> {
    create_folder(&nights.join("seen")).map_err(CorpusError::io("create the folder", nights))?;
    let mut tell = |result: &mut NightResult| {
        result.note(log(nights, &line(result)));
        report(result);
    };
    let Some(lock) = lock(nights)? else {
        let reason = "another call or its process is running".to_owned();
        let mut busy = NightResult::new(call.date, Status::Busy, Some(reason));
        tell(&mut busy);
        return Ok(CallResult::of(busy, Vec::new()));
    };
    let mut register = Register::open(nights)?;
    check_named(&register, call).map_err(|reason| CorpusError::Refused { path: nights.to_owned(), reason })?;
    if let Some(date) = call.give_up {
        let mut result = NightResult::new(date, Status::GivenUp, Some("by --give-up".to_owned()));
        register.add(Event::of(&result))?;
        result.note(mark_given_up(nights, date, "by --give-up"));
        return Ok(finished(nights, &mut register, &[], result, Vec::new(), &mut tell));
    }
    let maker = Maker { call, nights, lock: &lock, stop };
    let mut older = Vec::new();
    if let Some(night) = call.retry {
        register.add(Event::new(night, Status::Retry))?;
        drop(fs::remove_file(nights.join(night.to_string()).join(GIVEN_UP)));
    } else {
        for night in register.unfinished().into_iter().filter(|night| *night != call.date) {
            let mut result = attempt(&maker, &mut register, night)?;
            tell(&mut result);
            older.push(result);
        }
    }
    let wanted = call.retry.unwrap_or(call.date);
    let mut result = requested(&maker, &mut register, wanted)?;
    if register.damaged > 0 {
        let lines = counted(register.damaged, "line");
        result.alarms.push(format!("nights.jsonl has {lines} that cannot be read: see nights.jsonl.damaged"));
    }
    let old = call.keep.map_or_else(Vec::new, |keep| register.to_prune(keep as usize, wanted));
    Ok(finished(nights, &mut register, &old, result, older, &mut tell))
}

/// Refuses to give up a night that was never begun, and to retry one that is done or was never begun.
fn check_named(register: &Register, call: &Call) -> std::result::Result<(), String> {
    let (option, named) = match (call.give_up, call.retry) {
        (Some(night), _) => ("--give-up", night),
        (None, Some(night)) => ("--retry", night),
        (None, None) => return Ok(()),
    };
    match register.status(named) {
        None => Err(format!("{option} {named}: this night was never begun; --night {named} makes it")),
        // A night that is done can be withdrawn, and a pruned one can be made again.
        Some(Status::Ok) if call.retry.is_some() => Err(format!("{option} {named}: this night is done")),
        Some(_) => Ok(()),
    }
}

/// The result of the requested night, which is made unless it is there, or was there and pruned, or was given up.
fn requested(maker: &Maker<'_>, register: &mut Register, night: Day) -> Result<NightResult> {
    if let Some(Event { outputs, .. }) = register.done(night)
        && maker.is_whole(night, outputs)
    {
        let described = maker.described(NightResult::new(night, Status::Ok, None));
        return Ok(NightResult { planned: maker.planned(night), outputs: outputs.clone(), ..described });
    }
    match register.status(night) {
        Some(Status::GivenUp) => {
            let reason = "given up before; --retry tries it again".to_owned();
            Ok(NightResult::new(night, Status::GivenUp, Some(reason)))
        }
        // Its puzzles are published, so it is not made a second time.
        Some(Status::Pruned) => {
            let reason = format!("{night} is done (its folder was removed)");
            Ok(NightResult::new(night, Status::Ok, Some(reason)))
        }
        _ => attempt(maker, register, night),
    }
}

/// The file that marks the folder of a night that was given up.
const GIVEN_UP: &str = "GIVEN-UP";

/// Tries a night once, and gives it up after too many failures.
fn attempt(maker: &Maker<'_>, register: &mut Register, night: Day) -> Result<NightResult> {
    let began = Instant::now();
    register.add(Event::new(night, Status::Begun))?;
    // One night that cannot be made, for example in a folder that cannot be written, does not stop the others.
    let mut result =
        maker.run(night).unwrap_or_else(|error| NightResult::new(night, Status::Failed, Some(error.to_string())));
    result.seconds = began.elapsed().as_secs_f64();
    if result.status == Status::Ok {
        result.alarms = alarm::alarms(&result.levels, &result.ratings, &register.earlier(night));
    }
    register.add(Event::of(&result))?;
    if register.failures(night) >= maker.call.tries {
        let last = result.reason.take().unwrap_or_default();
        let reason = format!("{}, the last one: {last}", counted(register.failures(night), "failure"));
        register.add(Event::of(&NightResult::new(night, Status::GivenUp, Some(reason.clone()))))?;
        result.note(mark_given_up(maker.nights, night, &reason));
        result = NightResult { status: Status::GivenUp, reason: Some(reason), ..result };
    }
    Ok(result)
}

/// Points `latest`, prunes the old nights, and writes the files for monitoring and the line of the requested night. The
/// night is what it is: what goes wrong here is an alarm.
fn finished(
    nights: &Path,
    register: &mut Register,
    old: &[Day],
    result: NightResult,
    older: Vec<NightResult>,
    tell: &mut dyn FnMut(&mut NightResult),
) -> CallResult {
    let mut call_result = CallResult::of(result, older);
    let tonight = &mut call_result.tonight;
    tonight.note(point_latest(nights, register, old));
    for night in old {
        tonight.note(prune(nights, register, *night));
    }
    tonight.note(remove_pruned(nights));
    (call_result.unfinished, call_result.given_up) = (register.unfinished(), register.given_up());
    call_result.write(nights);
    let tonight = &mut call_result.tonight;
    tell(tonight);
    // Temporary files that an earlier call could not remove; a finished night has no other command that would.
    for folder in [&tonight.night.to_string(), "seen"] {
        clean(&nights.join(folder));
    }
    call_result
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

/// Adds a line with the time to `nights.log`.
fn log(nights: &Path, line: &str) -> Result<()> {
    append(&nights.join("nights.log"), format!("{} {line}\n", now()).as_bytes()).map(drop)
}

/// Adds bytes to the end of a file, which is made if it is not there.
fn append(path: &Path, bytes: &[u8]) -> Result<File> {
    let mut file = OpenOptions::new().create(true).append(true).open(path).map_err(CorpusError::io("write", path))?;
    file.write_all(bytes).map_err(CorpusError::io("write", path))?;
    Ok(file)
}

/// Marks the folder of a night as given up, if it is there.
fn mark_given_up(nights: &Path, night: Day, reason: &str) -> Result<()> {
    let folder = nights.join(night.to_string());
    if folder.is_dir() {
        let path = folder.join(GIVEN_UP);
        fs::write(&path, format!("{reason}\n")).map_err(CorpusError::io("write", &path))?;
    }
    Ok(())
}

/// Points the link `latest` to the newest night that is done and stays, atomically. Without one there is no link.
fn point_latest(nights: &Path, register: &Register, old: &[Day]) -> Result<()> {
    let latest = nights.join("latest");
    let now = fs::read_link(&latest).ok();
    let newest = register
        .finished()
        .into_iter()
        .rev()
        .find(|night| !old.contains(night) && nights.join(night.to_string()).is_dir())
        .map(|night| PathBuf::from(night.to_string()));
    match newest {
        _ if cfg!(not(unix)) || now == newest => Ok(()),
        None => fs::remove_file(&latest).map_err(CorpusError::io("remove", &latest)),
        Some(newest) => {
            let new_link = nights.join(".latest");
            drop(fs::remove_file(&new_link));
            #[cfg(unix)]
            std::os::unix::fs::symlink(newest, &new_link).map_err(CorpusError::io("write", &new_link))?;
            fs::rename(&new_link, &latest).map_err(CorpusError::io("write", &latest))
        }
    }
}

/// The folder of nights that are pruned and still to be removed.
const PRUNED: &str = ".pruned";

/// Takes the folder of a night away in one step, so that the night is there whole or not at all. Something else with
/// its name stays.
fn prune(nights: &Path, register: &mut Register, night: Day) -> Result<()> {
    let folder = nights.join(night.to_string());
    if fs::symlink_metadata(&folder).is_ok() {
        if !night::is_ours(&folder) {
            return Ok(());
        }
        let aside = nights.join(PRUNED);
        create_folder(&aside).map_err(CorpusError::io("create the folder", &aside))?;
        fs::rename(&folder, free_name(&aside, &night.to_string())).map_err(CorpusError::io("prune", &folder))?;
    }
    register.add(Event::new(night, Status::Pruned))
}

/// Removes what is pruned. What cannot be removed stays for the next call.
fn remove_pruned(nights: &Path) -> Result<()> {
    let aside = nights.join(PRUNED);
    let Ok(entries) = fs::read_dir(&aside) else { return Ok(()) };
    for folder in entries.flatten().map(|entry| entry.path()) {
        // Each folder is tried, whether or not another one can be removed.
        drop(fs::remove_dir_all(folder));
    }
    fs::remove_dir_all(&aside).map_err(CorpusError::io("remove", &aside))
}

/// A path in a folder that nothing has yet: the name and a number.
fn free_name(folder: &Path, name: &str) -> PathBuf {
    let mut number = 1;
    loop {
        let path = folder.join(format!("{name}-{number}"));
        if fs::symlink_metadata(&path).is_err() {
            return path;
        }
        number += 1;
    }
}
