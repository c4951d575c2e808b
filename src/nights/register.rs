//! The register of nights: one JSON object a line. Lines are only appended.
//!
//! ```text
//!   {"at":"2026-11-22T02:15:00Z","night":"2026-11-22","status":"begun"}
//!   {"at":"2026-11-22T02:31:10Z","night":"2026-11-22","status":"ok","rows":100000,"levels":{"easy":20000,..},..}
//! ```
//!
//! The register, and not the names of folders or the clock, decides which nights a call continues, prunes or gives up.
//! There is one exception: a requested night that is done is made again if its folder has lost its recipe.
//!
//! A line that a crash cut off is skipped.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::date::now;
use super::{Date, NightsError, Outcome, Result, io};

/// The number of rows for each value.
pub type Counts = BTreeMap<String, u64>;

/// The status of a night.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// A call has begun to make it.
    Begun,
    /// It is done.
    Ok,
    /// Its process failed.
    Failed,
    /// One of its outputs found a problem.
    CheckFailed,
    /// The recipe cannot be used. This is not a failure of the night: the next call reads the recipe again.
    Refused,
    /// It was stopped. The next call continues.
    Stopped,
    /// It failed too often, or the user gave it up.
    GivenUp,
    /// The user wants to try it again: failures are counted from zero.
    Retry,
    /// Its folder was removed.
    Pruned,
    /// Another call was running. Not in the register.
    Busy,
}

impl Status {
    /// The word in messages.
    pub fn name(self) -> &'static str {
        match self {
            Status::Begun => "begun",
            Status::Ok => "ok",
            Status::Failed => "failed",
            Status::CheckFailed => "check-failed",
            Status::Refused => "refused",
            Status::Stopped => "stopped",
            Status::GivenUp => "given-up",
            Status::Retry => "retry",
            Status::Pruned => "pruned",
            Status::Busy => "busy",
        }
    }
}

/// A line of the register.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Event {
    at: String,
    pub night: Date,
    pub status: Status,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(default)]
    rows: u64,
    #[serde(default)]
    bytes: u64,
    #[serde(default)]
    seconds: f64,
    #[serde(default, skip_serializing_if = "Counts::is_empty")]
    pub levels: Counts,
    #[serde(default, skip_serializing_if = "Counts::is_empty")]
    pub ratings: Counts,
}

impl Event {
    pub fn new(night: Date, status: Status) -> Event {
        let (levels, ratings) = (Counts::new(), Counts::new());
        Event { at: now(), night, status, reason: None, rows: 0, bytes: 0, seconds: 0.0, levels, ratings }
    }

    pub fn because(self, reason: &str) -> Event {
        Event { reason: Some(reason.to_owned()), ..self }
    }

    pub fn of(outcome: &Outcome) -> Event {
        Event {
            reason: outcome.reason.clone(),
            rows: outcome.rows,
            bytes: outcome.bytes,
            seconds: outcome.seconds,
            levels: outcome.levels.clone(),
            ratings: outcome.ratings.clone(),
            ..Event::new(outcome.night, outcome.status)
        }
    }
}

/// The register of a folder of nights.
pub(super) struct Register {
    path: PathBuf,
    events: Vec<Event>,
    /// The last line was cut off.
    torn: bool,
}

impl Register {
    /// Reads the register. It is empty if there is no file.
    pub fn open(nights: &Path) -> Result<Register> {
        let path = nights.join("nights.jsonl");
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            text => text.map_err(io("read", &path))?,
        };
        let mut events = Vec::new();
        for (line, text) in (1..).zip(text.split_inclusive('\n')) {
            match serde_json::from_str(text) {
                Ok(event) => events.push(event),
                // A complete line is a complete object. Only a line that a crash cut off is not.
                Err(_) if !text.ends_with("}\n") => {}
                Err(error) => return Err(NightsError::Register { path, line, reason: error.to_string() }),
            }
        }
        Ok(Register { torn: !text.is_empty() && !text.ends_with('\n'), path, events })
    }

    /// Appends a line, durably.
    pub fn add(&mut self, event: Event) -> Result<()> {
        let mut line = serde_json::to_string(&event).unwrap_or_default() + "\n";
        if std::mem::take(&mut self.torn) {
            line.insert(0, '\n');
        }
        let mut file =
            OpenOptions::new().create(true).append(true).open(&self.path).map_err(io("write", &self.path))?;
        file.write_all(line.as_bytes()).and_then(|()| file.sync_data()).map_err(io("write", &self.path))?;
        self.events.push(event);
        Ok(())
    }

    fn of(&self, night: Date) -> impl DoubleEndedIterator<Item = &Event> {
        self.events.iter().filter(move |event| event.night == night)
    }

    /// The last status of a night.
    pub fn status(&self, night: Date) -> Option<Status> {
        self.of(night).next_back().map(|event| event.status)
    }

    /// All nights with their last status, the oldest first.
    fn nights(&self) -> BTreeMap<Date, Status> {
        self.events.iter().map(|event| (event.night, event.status)).collect()
    }

    /// Nights that were started and are neither done nor given up, the oldest first.
    pub fn unfinished(&self) -> Vec<Date> {
        use Status::{Begun, CheckFailed, Failed, Refused, Retry, Stopped};
        let open = |status: &Status| matches!(status, Begun | Failed | CheckFailed | Refused | Stopped | Retry);
        self.nights().into_iter().filter(|(_, status)| open(status)).map(|(night, _)| night).collect()
    }

    /// Nights that were given up.
    pub fn given_up(&self) -> Vec<Date> {
        let nights = self.nights().into_iter();
        nights.filter(|(_, status)| *status == Status::GivenUp).map(|(night, _)| night).collect()
    }

    /// The number of failures of a night since it was last retried.
    pub fn failures(&self, night: Date) -> u32 {
        let since = self.of(night).rev().take_while(|event| event.status != Status::Retry);
        since.filter(|event| matches!(event.status, Status::Failed | Status::CheckFailed)).count() as u32
    }

    /// The finished nights to remove: all except the last `keep` that were made, whatever their dates. The requested
    /// night is never removed.
    pub fn to_prune(&self, keep: usize, wanted: Date) -> Vec<Date> {
        let mut done: Vec<Date> = Vec::new();
        for event in self.events.iter().filter(|event| event.status == Status::Ok) {
            done.retain(|night| *night != event.night);
            done.push(event.night);
        }
        done.retain(|night| self.status(*night) == Some(Status::Ok));
        let kept = done.len().saturating_sub(keep);
        done[..kept].iter().copied().filter(|night| *night != wanted).collect()
    }

    /// The largest folder of a night so far, in bytes.
    pub fn largest(&self) -> u64 {
        self.events.iter().map(|event| event.bytes).max().unwrap_or(0)
    }

    /// Levels and ratings of the last thirty finished nights, except this one.
    pub fn earlier(&self, night: Date) -> Vec<(&Counts, &Counts)> {
        let done = self.events.iter().rev().filter(|event| event.status == Status::Ok && event.night != night);
        done.take(30).map(|event| (&event.levels, &event.ratings)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn night(day: u64) -> Date {
        format!("2026-11-{day:02}").parse().unwrap()
    }

    #[test]
    fn what_is_pruned_is_what_was_made_first_not_what_has_the_oldest_name() {
        let folder = tempfile::tempdir().unwrap();
        let mut register = Register::open(folder.path()).unwrap();
        let wrong: Date = "2099-01-01".parse().unwrap();
        for date in [wrong, night(1), night(2)] {
            register.add(Event::new(date, Status::Begun)).unwrap();
            register.add(Event::new(date, Status::Ok)).unwrap();
            assert!(!register.to_prune(1, date).contains(&date));
        }
        assert_eq!(register.to_prune(1, night(2)), [wrong, night(1)]);
        assert_eq!(register.to_prune(2, night(2)), [wrong]);
        assert_eq!(register.to_prune(1, wrong), [night(1)]);
        register.add(Event::new(wrong, Status::Pruned)).unwrap();
        assert_eq!(Register::open(folder.path()).unwrap().to_prune(1, night(2)), [night(1)]);
    }

    #[test]
    fn failures_are_counted_since_the_last_retry() {
        let folder = tempfile::tempdir().unwrap();
        let mut register = Register::open(folder.path()).unwrap();
        for status in [Status::Begun, Status::Failed, Status::Stopped, Status::CheckFailed] {
            register.add(Event::new(night(3), status)).unwrap();
        }
        assert_eq!((register.failures(night(3)), register.unfinished()), (2, vec![night(3)]));
        register.add(Event::new(night(3), Status::GivenUp)).unwrap();
        assert_eq!((register.unfinished(), register.given_up()), (vec![], vec![night(3)]));
        register.add(Event::new(night(3), Status::Retry)).unwrap();
        assert_eq!((register.failures(night(3)), register.unfinished()), (0, vec![night(3)]));
    }

    #[test]
    fn a_line_that_was_cut_short_is_passed_over_and_others_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let mut register = Register::open(folder.path()).unwrap();
        register.add(Event::new(night(1), Status::Ok)).unwrap();
        let path = folder.path().join("nights.jsonl");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{text}{}", &text[..30])).unwrap();
        let mut register = Register::open(folder.path()).unwrap();
        register.add(Event::new(night(2), Status::Ok)).unwrap();
        let again = Register::open(folder.path()).unwrap();
        assert_eq!((again.status(night(1)), again.status(night(2))), (Some(Status::Ok), Some(Status::Ok)));
        fs::write(&path, "{\"night\":\"2026-13-45\",\"status\":\"ok\"}\n").unwrap();
        assert!(Register::open(folder.path()).is_err());
    }
}
