//! Writes the result of a call for people and for monitoring: a line of the log, `last.json`, a text file for
//! Prometheus, and a message by the command of `--notify`.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use chrono::Utc;
use serde::Serialize;

use super::process::{POLL, end_group, how_it_ended, in_own_group};
use super::register::Status;
use super::{Day, NightResult, now};
use crate::corpus::{StopFlag, in_words, spawn, write_file};

/// What a call did.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct CallResult {
    pub at: String,
    pub tonight: NightResult,
    /// Unfinished nights of earlier calls, and their results in this call.
    pub older: Vec<NightResult>,
    /// Nights that the next call will try again.
    pub unfinished: Vec<Day>,
    pub given_up: Vec<Day>,
    /// Why the command of `--notify` failed.
    #[serde(skip)]
    pub unsent: Option<String>,
}

/// The line of a result, for logs and monitoring.
pub(crate) fn line(result: &NightResult) -> String {
    let NightResult { night, status, rows, planned, parts, bytes, .. } = result;
    let code = result.code.map_or("-".to_owned(), |code| code.to_string());
    let mut line = format!(
        "night={night} status={} code={code} rows={rows} planned={planned} parts={parts} bytes={bytes} seconds={:.0}",
        status.name(),
        result.seconds
    );
    // The debug format escapes line ends, so the texts stay on one line.
    if let Some(reason) = &result.reason {
        line += &format!(" reason={reason:?}");
    }
    for alarm in &result.alarms {
        line += &format!(" alarm={alarm:?}");
    }
    line
}

impl CallResult {
    /// The result of a call, without what the register says of other nights.
    pub(super) fn of(tonight: NightResult, older: Vec<NightResult>) -> CallResult {
        CallResult { at: now(), tonight, older, unfinished: Vec::new(), given_up: Vec::new(), unsent: None }
    }

    /// The exit code of the call: that of the requested night, whatever the results of older ones.
    pub(crate) fn exit_code(&self) -> u8 {
        match self.tonight.status {
            Status::Ok => 0,
            Status::CheckFailed => 3,
            Status::Stopped => 4,
            Status::Busy => 5,
            Status::Refused => 2,
            _ => 1,
        }
    }

    /// True if the user should be notified.
    pub(super) fn is_worth_a_message(&self) -> bool {
        let has_problem = |result: &NightResult| result.status != Status::Ok || !result.alarms.is_empty();
        has_problem(&self.tonight) || self.older.iter().any(has_problem)
    }

    fn json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Writes `last.json` and `nights.prom`, each atomically. A file that cannot be written is an alarm.
    pub(super) fn write(&mut self, nights: &Path) {
        let written = write_file(&nights.join("last.json"), self.json());
        self.tonight.note(written);
        let written = write_file(&nights.join("nights.prom"), self.metrics());
        self.tonight.note(written);
    }

    /// The text file for Prometheus' node exporter.
    fn metrics(&self) -> String {
        let tonight = &self.tonight;
        // A night that was there already took no time.
        let rate = if tonight.seconds > 0.0 { tonight.rows as f64 / tonight.seconds } else { 0.0 };
        let status = format!("{{night=\"{}\",status=\"{}\"}}", tonight.night, tonight.status.name());
        let is_ok = f64::from(u8::from(self.exit_code() == 0));
        let time = Utc::now().timestamp() as f64;
        let mut text = metric("info", "The night of the last call, and what became of it.", &[(status, 1.0)]);
        for (name, help, value) in [
            ("ok", "1 when the night of the last call is done.", is_ok),
            ("written_timestamp_seconds", "When this file was written, in Unix time.", time),
            ("rows_planned", "Rows that the recipe plans.", tonight.planned as f64),
            ("rows_made", "Rows that are there.", tonight.rows as f64),
            ("rows_per_second", "Rows that are there, by the seconds of the last call.", rate),
            ("seconds", "Seconds that the night took in the last call.", tonight.seconds),
            ("bytes", "Bytes of the folder of the night.", tonight.bytes as f64),
            ("unfinished", "Nights that the next call tries again.", self.unfinished.len() as f64),
            ("given_up", "Nights that were given up.", self.given_up.len() as f64),
            (
                "alarms",
                "Differences from the last thirty nights, and what went wrong beside the night.",
                tonight.alarms.len() as f64,
            ),
        ] {
            text += &metric(name, help, &[(String::new(), value)]);
        }
        let outputs = tonight.outputs.iter().map(|(file, count)| (labeled("file", file), *count as f64));
        text += &metric("output_puzzles", "Puzzles of each output.", &outputs.collect::<Vec<_>>());
        let levels = tonight.levels.iter().map(|(level, count)| (labeled("level", level), *count as f64));
        text + &metric("level_rows", "Rows of each level.", &levels.collect::<Vec<_>>())
    }

    /// Runs a shell command, for [`NOTIFY`] at most. The command can read the result, as JSON, from its standard
    /// input. The variables `NIGHT`, `STATUS`, `LINE` and `NIGHTS` give the requested night, its status, its line of
    /// the log, and the folder of the nights.
    pub(super) fn notify(&self, command: &str, nights: &Path, stop: &StopFlag) -> std::result::Result<(), String> {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).env("NIGHT", self.tonight.night.to_string());
        shell.env("STATUS", self.tonight.status.name()).env("LINE", line(&self.tonight)).env("NIGHTS", nights);
        let failed = |reason: String| format!("the command of --notify failed: {reason}");
        let child = in_own_group(shell.stdin(Stdio::piped())).spawn();
        let mut child = child.map_err(|error| failed(in_words(&error)))?;
        let (input, text) = (child.stdin.take(), self.json());
        // A command need not read its input, so nobody waits for that.
        drop(spawn(move || drop(input.map(|mut input| input.write_all(text.as_bytes())))));
        match within(&mut child, NOTIFY, stop).map_err(|error| failed(in_words(&error)))? {
            Some(status) if status.success() => Ok(()),
            Some(status) => Err(failed(how_it_ended(status))),
            None => Err(failed(format!("it was ended, after {} s or by a signal", NOTIFY.as_secs()))),
        }
    }
}

/// A metric in the text format of Prometheus. Each value has its labels, which may be empty.
fn metric(name: &str, help: &str, values: &[(String, f64)]) -> String {
    let mut text = format!("# HELP sudoku_night_{name} {help}\n# TYPE sudoku_night_{name} gauge\n");
    for (labels, value) in values {
        text += &format!("sudoku_night_{name}{labels} {value}\n");
    }
    text
}

/// A label with its value, as Prometheus reads it.
fn labeled(label: &str, value: &str) -> String {
    format!("{{{label}=\"{}\"}}", value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

/// How long the command of `--notify` may take.
const NOTIFY: Duration = Duration::from_secs(60);

/// How long it may still take after a signal that stops the call.
const AFTER_STOP: Duration = Duration::from_secs(2);

/// Waits for a process in a group of its own. If it takes too long, ends the group and returns None.
fn within(child: &mut Child, limit: Duration, stop: &StopFlag) -> io::Result<Option<ExitStatus>> {
    let mut left = limit;
    loop {
        match child.try_wait()? {
            Some(status) => return Ok(Some(status)),
            None if left.is_zero() => {
                end_group(child);
                return Ok(None);
            }
            None if stop.is_set() => left = left.min(AFTER_STOP),
            None => {}
        }
        thread::sleep(POLL);
        left = left.saturating_sub(POLL);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// The command and what it started hold the pipe until they end.
    #[test]
    fn a_command_that_takes_too_long_ends_with_all_that_it_started() {
        let mut shell = Command::new("sh");
        shell.args(["-c", "sleep 1000 & sleep 1000"]).stdout(Stdio::piped());
        let mut child = in_own_group(&mut shell).spawn().unwrap();
        let mut output = child.stdout.take().unwrap();
        assert_eq!(within(&mut child, 2 * POLL, &StopFlag::new()).unwrap(), None);
        assert_eq!(io::copy(&mut output, &mut io::sink()).unwrap(), 0);
        let mut quick = in_own_group(Command::new("sh").args(["-c", "exit 7"])).spawn().unwrap();
        assert_eq!(within(&mut quick, NOTIFY, &StopFlag::new()).unwrap().and_then(|status| status.code()), Some(7));
    }
}
