//! One night: its folder, and the process that makes it.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use super::date::now;
use super::register::{Counts, Status};
use super::{Call, Date, Outcome, Result, io};
use crate::corpus::{
    Draft, FORMAT_VERSION, Manifest, PROGRAM_VERSION, Recipe, Scan, StopFlag, create_folder, part_files, write_file,
};

/// Makes nights.
pub(super) struct Maker<'a> {
    pub call: &'a Call,
    pub nights: &'a Path,
    pub lock: &'a File,
    pub stop: &'a StopFlag,
}

/// The recipe with which a night was started.
const RECIPE: &str = "night.toml";

impl Maker<'_> {
    fn folder(&self, night: Date) -> PathBuf {
        self.nights.join(night.to_string())
    }

    /// True if the folder of a night contains the recipe with which the night was started.
    pub fn is_there(&self, night: Date) -> bool {
        self.folder(night).join(RECIPE).is_file()
    }

    /// Rows that the recipe of a night plans.
    pub fn planned(&self, night: Date) -> u64 {
        Recipe::read(&self.folder(night).join(RECIPE)).map_or(0, |recipe| recipe.count)
    }

    /// Makes a night, or continues it.
    pub fn make(&self, night: Date) -> Result<Outcome> {
        let folder = self.folder(night);
        create_folder(&folder).map_err(io("create the folder", &folder))?;
        self.set_aside(night)?;
        let has_parts = part_files(&folder).is_ok();
        let copy = folder.join(RECIPE);
        if !has_parts || !copy.is_file() {
            // No part is made yet, so the current recipe counts. It is checked before it is copied.
            let checked = self.process(night, &self.call.recipe, &["--dry-run"])?;
            if !checked.status.success() {
                return Ok(Outcome { code: checked.status.code(), ..failed(night, Status::Refused, checked.reason()) });
            }
            let text = fs::read(&self.call.recipe).map_err(io("read", &self.call.recipe))?;
            write_file(&copy, &text).map_err(io("write", &copy))?;
        }
        let planned = self.planned(night);
        if let Some(reason) = self.lacks_space(&folder, planned) {
            return Ok(Outcome { planned, ..failed(night, Status::Failed, reason) });
        }
        let made = self.process(night, &copy, &[])?;
        let status = match made.status.code() {
            Some(0) => Status::Ok,
            Some(3) => Status::CheckFailed,
            Some(4) => Status::Stopped,
            _ if self.stop.is_set() => Status::Stopped,
            _ => Status::Failed,
        };
        let outcome = Outcome::new(night, status, (status != Status::Ok).then(|| made.reason()));
        let outcome = Outcome { code: made.status.code(), planned, outputs: made.outputs(), ..outcome };
        Ok(self.described(outcome))
    }

    /// Moves an unfinished night of another version of the program aside, because this version would make other rows.
    fn set_aside(&self, night: Date) -> Result<()> {
        let folder = self.folder(night);
        let Ok(Some(Manifest { header, .. })) = Manifest::read(&folder) else { return Ok(()) };
        if (header.format_version, header.program_version.as_str()) == (FORMAT_VERSION, PROGRAM_VERSION) {
            return Ok(());
        }
        let aside = self.nights.join("set-aside");
        create_folder(&aside).map_err(io("create the folder", &aside))?;
        let version: String =
            header.program_version.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let places = (1..).map(|number| aside.join(format!("{night}-{version}-{number}")));
        let place = places.into_iter().find(|place| !place.exists()).unwrap_or_else(|| aside.join("night"));
        fs::rename(&folder, &place).map_err(io("set aside", &folder))?;
        create_folder(&folder).map_err(io("create the folder", &folder))
    }

    /// A message if the disk has no space for twice the largest night so far, or for twice the estimate for this night
    /// if that is larger.
    fn lacks_space(&self, folder: &Path, planned: u64) -> Option<String> {
        let largest = super::register::Register::open(self.nights).map_or(0, |register| register.largest());
        // The estimate is 300 bytes a row: a row takes about 150 bytes, and exports and books take some more.
        let wanted = largest.max(planned.saturating_mul(300)).saturating_mul(2);
        let free = fs4::available_space(folder).ok()?;
        (free < wanted).then(|| {
            format!(
                "{:.1} MB are free, but {:.1} MB are needed: twice the largest night, or twice the estimate for this one",
                free as f64 / 1e6,
                wanted as f64 / 1e6
            )
        })
    }

    /// Runs the program on a recipe in the folder of a night, and waits for it. Its output goes to the log of the
    /// night.
    fn process(&self, night: Date, recipe: &Path, more: &[&str]) -> Result<Ended> {
        let folder = self.folder(night);
        let path = folder.join("night.log");
        let mut options = OpenOptions::new();
        let mut log = options.create(true).read(true).append(true).open(&path).map_err(io("write", &path))?;
        let arguments = self.arguments(night, recipe, more);
        let begin = log.seek(SeekFrom::End(0)).map_err(io("write", &path))?;
        let words: Vec<_> = arguments.iter().map(|word| word.to_string_lossy()).collect();
        writeln!(log, "{} sudoku-corpus {}", now(), words.join(" ")).map_err(io("write", &path))?;
        let handle = |file: &File| file.try_clone().map(Stdio::from).map_err(io("open", &path));
        // The lock is the standard input of the process, so it is held while the process lives, even if the call is
        // killed.
        let mut command = Command::new(&self.call.program);
        command.args(&arguments).stdin(handle(self.lock)?).stdout(handle(&log)?).stderr(handle(&log)?);
        let mut child = command.spawn().map_err(io("run", &self.call.program))?;
        let status = self.wait(&mut child).map_err(io("wait for", &self.call.program))?;
        let mut said = String::new();
        let read = log.seek(SeekFrom::Start(begin)).and_then(|_| log.take(1 << 20).read_to_string(&mut said));
        // If the log is not text, the outcome is reported without a reason.
        drop(read);
        Ok(Ended { status, said: said.lines().skip(1).map(str::to_owned).collect() })
    }

    /// Waits for the process, and passes a stop on to it.
    fn wait(&self, child: &mut Child) -> std::io::Result<ExitStatus> {
        let mut asked = false;
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(status);
            }
            if self.stop.is_set() && !asked {
                asked = true;
                // The standard library can only kill a process. The command `kill` asks the process to stop.
                let passed_on = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
                if passed_on.is_err() {
                    child.kill()?;
                }
            }
            thread::sleep(Duration::from_millis(50));
        }
    }

    fn arguments(&self, night: Date, recipe: &Path, more: &[&str]) -> Vec<OsString> {
        let seen = self.nights.join("seen");
        let own = seen.join(format!("{night}.classes"));
        let mut words: Vec<OsString> = vec!["run".into(), recipe.into()];
        words.extend(more.iter().map(OsString::from));
        words.extend(["--seed".into(), night.seed().to_string().into(), "--out".into(), self.folder(night).into()]);
        let draft = Draft::read(&self.call.recipe).unwrap_or_default();
        // Isomorphic puzzles of a night would leave its outputs with too few puzzles.
        words.extend((draft.distinct.is_none()).then(|| "--distinct".into()));
        // The path is relative to the recipe itself, not to its copy.
        let bases = draft.grid.bases.and_then(|bases| std::path::absolute(bases).ok());
        words.extend(bases.into_iter().flat_map(|bases| ["--bases".into(), bases.into()]));
        words.extend(self.call.arguments.iter().cloned());
        words.extend(["--remember".into(), own.clone().into()]);
        let mut except: Vec<PathBuf> = self.call.except.clone();
        let indexes = fs::read_dir(&seen).into_iter().flatten().flatten().map(|entry| entry.path());
        except.extend(indexes.filter(|path| path.extension().is_some_and(|end| end == "classes") && *path != own));
        except.sort_unstable();
        if !except.is_empty() {
            words.push("--except".into());
            words.extend(except.into_iter().map(OsString::from));
        }
        words
    }

    /// An outcome with the contents of the folder of its night.
    pub fn described(&self, mut outcome: Outcome) -> Outcome {
        let folder = self.folder(outcome.night);
        if let Ok(Some(manifest)) = Manifest::read(&folder) {
            outcome.rows = manifest.parts.values().map(|part| part.rows).sum();
            outcome.parts = manifest.parts.len() as u64;
        }
        outcome.bytes = size(&folder);
        if outcome.status == Status::Ok {
            outcome.levels = counts(&folder, "level");
            outcome.ratings = counts(&folder, "se_er_tenths");
        }
        outcome
    }
}

fn failed(night: Date, status: Status, reason: String) -> Outcome {
    Outcome::new(night, status, Some(reason))
}

/// A process that has ended.
struct Ended {
    status: ExitStatus,
    said: Vec<String>,
}

impl Ended {
    /// The reason of a failure: the last line that begins with "error: ", the last line, or the exit status.
    fn reason(&self) -> String {
        let error = self.said.iter().rev().find(|line| line.starts_with("error: "));
        let last = error.or(self.said.last()).map(|line| line.trim_start_matches("error: ").to_owned());
        match (self.status.code(), last) {
            (Some(_), Some(line)) => line,
            _ => self.status.to_string(),
        }
    }

    /// The outputs and how many puzzles each has: "100 puzzles of 100 rows into puzzles.sdm".
    fn outputs(&self) -> Vec<(String, u64)> {
        let output = |line: &String| {
            let (head, file) = line.split_once(" into ")?;
            let (number, rest) = head.split_once(' ')?;
            let file = file.split(": ").next().unwrap_or(file);
            rest.starts_with("puzzle").then(|| Some((file.to_owned(), number.parse().ok()?)))?
        };
        self.said.iter().filter_map(output).collect()
    }
}

/// The number of rows for each value of a column. Empty if this cannot be computed.
fn counts(folder: &Path, column: &str) -> Counts {
    let count = || -> Option<Counts> {
        let scan = Scan::open(&part_files(folder).ok()?).ok()?;
        let sql = format!("SELECT CAST({column} AS VARCHAR) AS v, count(*) AS n FROM puzzles GROUP BY {column}");
        let answer = scan.ask(&sql).ok()?;
        let mut values = Vec::new();
        answer.texts(0, |value| values.push(value.map(str::to_owned))).ok()?;
        let numbers = answer.integers(1).ok()?;
        Some(values.into_iter().zip(numbers).filter_map(|(value, number)| Some((value?, number))).collect())
    };
    count().unwrap_or_default()
}

/// The bytes of all files in a folder.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.file_type() {
            Ok(kind) if kind.is_dir() => size(&entry.path()),
            _ => entry.metadata().map_or(0, |data| data.len()),
        })
        .sum()
}
