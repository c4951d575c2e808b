//! Keeps the register of nights: one JSON object a line. Lines are appended; only a register with unreadable lines is
//! written again when it is opened.
//!
//! ```text
//!   {"at":"2026-11-22T02:15:00Z","night":"2026-11-22","status":"begun",..}
//!   {"at":"2026-11-22T02:31:10Z","night":"2026-11-22","status":"ok","rows":100000,"levels":{"easy":20000,..},..}
//! ```
//!
//! The register, and not the names of folders or the clock, decides which nights a call continues, prunes or gives up.
//! There is one exception: a requested night that is done, and was not pruned, is made again if its folder has lost its
//! recipe, rows or outputs.
//!
//! Lines that cannot be read, for example after a crash, are moved to `nights.jsonl.damaged`.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Day, NightResult, Result, append, now};
use crate::corpus::{CorpusError, write_file};
use crate::names;

/// Files with puzzles, and the number of puzzles in each.
pub(crate) type Files = Vec<(String, u64)>;

/// What stands for the day of a night in the values of a recipe.
pub(crate) const NIGHT: &str = "{night}";

/// The number of rows for each value.
pub(super) type Tally = BTreeMap<String, u64>;

names! { "status":
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Status {
        Begun = "begun",
        Ok = "ok",
        Failed = "failed",
        /// One of its outputs found a problem.
        CheckFailed = "check-failed",
        /// The recipe cannot be used. This is not a failure of the night: the next call reads the recipe again.
        Refused = "refused",
        /// The night was stopped. The next call continues.
        Stopped = "stopped",
        /// The night failed too often, or the user gave it up.
        GivenUp = "given-up",
        /// The user wants to try it again: failures are counted from zero.
        Retry = "retry",
        Pruned = "pruned",
        /// Another call was running. Not in the register.
        Busy = "busy",
    }
}

/// A line of the register.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Event {
    at: String,
    pub night: Day,
    pub status: Status,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(default)]
    rows: u64,
    #[serde(default)]
    bytes: u64,
    #[serde(default)]
    seconds: f64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Files,
    #[serde(default, skip_serializing_if = "Tally::is_empty")]
    pub levels: Tally,
    #[serde(default, skip_serializing_if = "Tally::is_empty")]
    pub ratings: Tally,
}

impl Event {
    pub(super) fn new(night: Day, status: Status) -> Event {
        Event::of(&NightResult::new(night, status, None))
    }

    /// The line about a result.
    pub(super) fn of(result: &NightResult) -> Event {
        let NightResult { night, status, reason, rows, bytes, seconds, outputs, levels, ratings, .. } = result.clone();
        Event { at: now(), night, status, reason, rows, bytes, seconds, outputs, levels, ratings }
    }
}

pub(super) struct Register {
    path: PathBuf,
    events: Vec<Event>,
    /// The number of complete lines that could not be read. A last line that was cut off is not counted.
    pub damaged: usize,
}

impl Register {
    /// Reads the register. It is empty if there is no file. Lines that cannot be read are moved to a file of their own.
    pub(super) fn open(nights: &Path) -> Result<Register> {
        let path = nights.join("nights.jsonl");
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            bytes => bytes.map_err(CorpusError::io("read", &path))?,
        };
        let (mut events, mut good, mut bad) = (Vec::new(), Vec::new(), Vec::new());
        let mut damaged = 0;
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            match serde_json::from_slice(line) {
                Ok(event) => {
                    events.push(event);
                    good.extend(line);
                }
                Err(_) if line.trim_ascii().is_empty() => {}
                Err(_) => {
                    damaged += usize::from(line.ends_with(b"\n"));
                    bad.extend(line);
                }
            }
        }
        // The last line may be complete but for its end.
        if good.last().is_some_and(|last| *last != b'\n') {
            good.push(b'\n');
        }
        if good != bytes {
            append(&path.with_extension("jsonl.damaged"), &bad)?;
            write_file(&path, &good)?;
        }
        Ok(Register { path, events, damaged })
    }

    /// Appends a line, durably.
    pub(super) fn add(&mut self, event: Event) -> Result<()> {
        let line = serde_json::to_string(&event).unwrap_or_default() + "\n";
        let file = append(&self.path, line.as_bytes())?;
        file.sync_data().map_err(CorpusError::io("write", &self.path))?;
        self.events.push(event);
        Ok(())
    }

    /// The events of a night, the oldest first.
    fn of(&self, night: Day) -> impl DoubleEndedIterator<Item = &Event> {
        self.events.iter().filter(move |event| event.night == night)
    }

    pub(super) fn status(&self, night: Day) -> Option<Status> {
        self.of(night).next_back().map(|event| event.status)
    }

    /// The event in which a night was finished, if it is done.
    pub(super) fn done(&self, night: Day) -> Option<&Event> {
        self.of(night).next_back().filter(|event| event.status == Status::Ok)
    }

    /// All nights with their last status, the oldest first.
    fn nights(&self) -> BTreeMap<Day, Status> {
        self.events.iter().map(|event| (event.night, event.status)).collect()
    }

    /// Nights that were started and are neither done nor given up, the oldest first.
    pub(super) fn unfinished(&self) -> Vec<Day> {
        use Status::{Begun, CheckFailed, Failed, Refused, Retry, Stopped};
        self.nights_with(|status| matches!(status, Begun | Failed | CheckFailed | Refused | Stopped | Retry))
    }

    /// The nights that are done, by their dates.
    pub(super) fn finished(&self) -> Vec<Day> {
        self.nights_with(|status| status == Status::Ok)
    }

    pub(super) fn given_up(&self) -> Vec<Day> {
        self.nights_with(|status| status == Status::GivenUp)
    }

    /// The nights whose last status is one of some, the oldest first.
    fn nights_with(&self, is_wanted: impl Fn(Status) -> bool) -> Vec<Day> {
        self.nights().into_iter().filter(|(_, status)| is_wanted(*status)).map(|(night, _)| night).collect()
    }

    /// The puzzles that the outputs of other nights published before this night was done, by the names of their files in
    /// the recipe: `{night}` stands for the night.
    pub(super) fn published_before(&self, night: Day) -> Tally {
        let finished = self.events.iter().filter(|event| event.status == Status::Ok);
        // Of a night that was made twice, the last time counts.
        let mut other_nights: BTreeMap<Day, &Event> = BTreeMap::new();
        for event in finished.take_while(|event| event.night != night) {
            other_nights.insert(event.night, event);
        }
        let mut puzzles = Tally::new();
        for event in other_nights.values() {
            for (file, count) in &event.outputs {
                *puzzles.entry(file.replace(&event.night.to_string(), NIGHT)).or_default() += count;
            }
        }
        puzzles
    }

    /// The number of failures of a night since it was last retried.
    pub(super) fn failures(&self, night: Day) -> u32 {
        let since_retry = self.of(night).rev().take_while(|event| event.status != Status::Retry);
        since_retry.filter(|event| matches!(event.status, Status::Failed | Status::CheckFailed)).count() as u32
    }

    /// The finished nights to remove: all except the last `keep` that were made, whatever their dates. The requested
    /// night is never removed.
    pub(super) fn to_prune(&self, keep: usize, wanted: Day) -> Vec<Day> {
        let mut done: Vec<Day> = Vec::new();
        for event in self.events.iter().filter(|event| event.status == Status::Ok) {
            done.retain(|night| *night != event.night);
            done.push(event.night);
        }
        done.retain(|night| self.status(*night) == Some(Status::Ok));
        let surplus = done.len().saturating_sub(keep);
        done[..surplus].iter().copied().filter(|night| *night != wanted).collect()
    }

    /// The largest folder of a night so far, in bytes.
    pub(super) fn largest(&self) -> u64 {
        self.events.iter().map(|event| event.bytes).max().unwrap_or(0)
    }

    /// The last thirty times that another night was finished. A night made twice counts twice.
    pub(super) fn earlier(&self, night: Day) -> Vec<&Event> {
        let finished = self.events.iter().rev().filter(|event| event.status == Status::Ok && event.night != night);
        finished.take(30).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn night(day: u64) -> Day {
        format!("2026-11-{day:02}").parse().unwrap()
    }

    #[test]
    fn what_is_pruned_is_what_was_made_first_not_what_has_the_oldest_name() {
        let folder = tempfile::tempdir().unwrap();
        let mut register = Register::open(folder.path()).unwrap();
        let wrong: Day = "2099-01-01".parse().unwrap();
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
    fn lines_that_cannot_be_read_are_moved_aside_and_counted() {
        let folder = tempfile::tempdir().unwrap();
        let mut register = Register::open(folder.path()).unwrap();
        register.add(Event::new(night(1), Status::Ok)).unwrap();
        let path = folder.path().join("nights.jsonl");
        let text = fs::read(&path).unwrap();
        // A crash cut a line off; the bytes of another are damaged; a piece of a third ends as a whole line does.
        for (bad, damaged) in [(&text[..30], 0), (b"\xff\xfe\n", 1), (b"{\"night\":{}\n", 1), (b"\0\0\0\n", 1)] {
            fs::write(&path, [&text, bad].concat()).unwrap();
            let mut register = Register::open(folder.path()).unwrap();
            assert_eq!(register.damaged, damaged);
            register.add(Event::new(night(2), Status::Ok)).unwrap();
            let again = Register::open(folder.path()).unwrap();
            assert_eq!((again.status(night(1)), again.status(night(2))), (Some(Status::Ok), Some(Status::Ok)));
            assert_eq!(again.damaged, 0);
        }
        assert!(fs::read(folder.path().join("nights.jsonl.damaged")).unwrap().starts_with(&text[..30]));
    }

    #[test]
    fn puzzles_are_counted_under_the_names_of_the_recipe() {
        let folder = tempfile::tempdir().unwrap();
        let mut register = Register::open(folder.path()).unwrap();
        for day in [1, 2] {
            let outputs = vec![(format!("p-{}.csv", night(day)), 3), ("{date}.csv".to_owned(), 1)];
            register.add(Event { outputs, ..Event::new(night(day), Status::Ok) }).unwrap();
        }
        let published = register.published_before(night(3));
        assert_eq!((published["p-{night}.csv"], published["{date}.csv"]), (6, 2));
    }
}
