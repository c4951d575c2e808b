//! Makes one night: its folder, and the process that fills it.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};

use super::process::{how_it_ended, status_of, this_program, wait};
use super::register::Status;
use super::{Call, Day, NightResult, OutputResult, Result, RunLine, free_name, now};
use crate::corpus::{
    CorpusError, Draft, OUTPUTS_FOLDER, RECIPE_FILE, Recipe, Silent, StopFlag, create_folder, files_in, folder_of,
    holdings, write_file,
};
use crate::library;
use crate::study::{Number, summarize};

pub(super) struct Maker<'a> {
    pub call: &'a Call,
    pub nights: &'a Path,
    pub lock: &'a File,
    pub stop: &'a StopFlag,
}

/// The recipe with which a night was started.
const RECIPE: &str = "night.toml";

impl Maker<'_> {
    fn folder(&self, night: Day) -> PathBuf {
        self.nights.join(night.to_string())
    }

    /// True if a finished night still has its recipe, its parts and its outputs.
    pub(super) fn is_whole(&self, night: Day, outputs: &[(String, u64)]) -> bool {
        let folder = self.folder(night);
        let Ok(Some(held)) = holdings(&folder) else { return false };
        folder.join(RECIPE).is_file()
            && held.parts.len() as u64 == held.wanted
            // A name with `%` or a brace stands for several files, so it is not looked for.
            && outputs.iter().all(|(file, _)| file.contains(['%', '{']) || folder.join(OUTPUTS_FOLDER).join(file).exists())
    }

    /// The folder to which the paths in the recipe are relative, also in its copy.
    fn home(&self) -> &Path {
        folder_of(&self.call.recipe)
    }

    /// The rows of the recipe with which a night was started; 0 if it cannot be read.
    pub(super) fn planned(&self, night: Day) -> u64 {
        let draft = Draft::read_in(&self.folder(night).join(RECIPE), self.home());
        draft.and_then(|draft| Recipe::new(&draft)).map_or(0, |recipe| recipe.count)
    }

    /// Makes what a night still lacks, in a process.
    pub(super) fn run(&self, night: Day) -> Result<NightResult> {
        let folder = self.folder(night);
        if fs::symlink_metadata(&folder).is_ok() && !is_ours(&folder) {
            let reason = format!("{} exists, but no night was made there", folder.display());
            return Ok(NightResult::new(night, Status::Refused, Some(reason)));
        }
        create_folder(&folder).map_err(CorpusError::io("create the folder", &folder))?;
        self.set_aside(night)?;
        // With a recipe in it, the folder holds a corpus, even if its parts are gone.
        let copy = folder.join(RECIPE);
        if !folder.join(RECIPE_FILE).is_file() || !copy.is_file() {
            // Nothing is made yet, so the current recipe counts. It is checked before it is copied.
            let checked = self.process(night, &self.call.recipe, &["--dry-run"])?;
            if !checked.status.success() {
                let refused = NightResult::new(night, Status::Refused, Some(checked.reason()));
                return Ok(NightResult { code: checked.status.code(), ..refused });
            }
            let text = library::read(&self.call.recipe).map_err(CorpusError::io("read", &self.call.recipe))?;
            write_file(&copy, &text)?;
        }
        let planned = self.planned(night);
        if let Some(reason) = self.lacks_space(&folder, planned) {
            return Ok(NightResult { planned, ..NightResult::new(night, Status::Failed, Some(reason)) });
        }
        let made = self.process(night, &copy, &[])?;
        let status = status_of(made.status, self.stop);
        let result = NightResult::new(night, status, (status != Status::Ok).then(|| made.reason()));
        let outputs = made.outputs().flat_map(|output| output.files.clone()).collect();
        Ok(self.described(NightResult { code: made.status.code(), planned, outputs, ..result }))
    }

    /// Moves an unfinished night of another version of the program aside, because this version would make other rows.
    fn set_aside(&self, night: Day) -> Result<()> {
        let folder = self.folder(night);
        let made_by = match holdings(&folder) {
            Ok(Some(held)) if !held.is_of_this_version => held.program_version.unwrap_or_default(),
            // The parts of an earlier version lie beside the recipe.
            Err(error) if !matches!(error, CorpusError::Io { .. }) => "earlier".to_owned(),
            _ => return Ok(()),
        };
        let aside = self.nights.join("set-aside");
        create_folder(&aside).map_err(CorpusError::io("create the folder", &aside))?;
        let version: String = made_by.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        fs::rename(&folder, free_name(&aside, &format!("{night}-{version}")))
            .map_err(CorpusError::io("set aside", &folder))?;
        create_folder(&folder).map_err(CorpusError::io("create the folder", &folder))
    }

    /// A message if the disk has no space for twice the largest night so far, or for twice the estimate for this night
    /// if that is larger.
    fn lacks_space(&self, folder: &Path, planned: u64) -> Option<String> {
        let largest = super::register::Register::open(self.nights).map_or(0, |register| register.largest());
        // The estimate is 300 bytes a row: a row takes about 150 bytes, and exports and books take some more.
        let wanted = largest.max(planned.saturating_mul(300)).saturating_mul(2);
        let free = free_space(folder)?;
        (free < wanted).then(|| {
            format!(
                "{:.1} MB are free, but {:.1} MB are needed: twice the largest night, or twice the estimate for this one",
                free as f64 / 1e6,
                wanted as f64 / 1e6
            )
        })
    }

    /// Runs the program on a recipe in the folder of a night, and waits for it. Its output goes to the night's log.
    fn process(&self, night: Day, recipe: &Path, more: &[&str]) -> Result<Ended> {
        let folder = self.folder(night);
        let path = folder.join("night.log");
        let mut options = OpenOptions::new();
        let mut log =
            options.create(true).read(true).append(true).open(&path).map_err(CorpusError::io("write", &path))?;
        let arguments = self.arguments(night, recipe, more)?;
        let start = log.seek(SeekFrom::End(0)).map_err(CorpusError::io("write", &path))?;
        let words: Vec<_> = arguments.iter().map(|word| word.to_string_lossy()).collect();
        writeln!(log, "{} sudoku-corpus {}", now(), words.join(" ")).map_err(CorpusError::io("write", &path))?;
        let handle = |file: &File| file.try_clone().map(Stdio::from).map_err(CorpusError::io("open", &path));
        // The lock is the standard input of the process, which holds it even if the call is killed.
        let mut command = this_program().map_err(CorpusError::io("find", Path::new("the program itself")))?;
        command.args(&arguments).stdin(handle(self.lock)?).stdout(handle(&log)?).stderr(handle(&log)?);
        let program = PathBuf::from(command.get_program());
        let mut child = command.spawn().map_err(CorpusError::io("run", &program))?;
        let status = wait(&mut child, self.stop).map_err(CorpusError::io("wait for", &program))?;
        let output = last_output(log, start).map_err(CorpusError::io("read", &path))?;
        let error = output.lines().rev().find_map(|line| line.strip_prefix("error: ")).map(str::to_owned);
        Ok(Ended { status, lines: output.lines().filter_map(RunLine::of).collect(), error })
    }

    /// The call of `run` for a night. It skips the puzzles of all other nights.
    fn arguments(&self, night: Day, recipe: &Path, more: &[&str]) -> Result<Vec<OsString>> {
        let seen = self.nights.join("seen");
        let new_index = seen.join(format!("{night}.classes"));
        let mut words: Vec<OsString> = vec!["run".into(), recipe.into(), "--json".into()];
        words.extend(more.iter().map(OsString::from));
        words.extend(["--seed".into(), seed(night).to_string().into(), "--out".into(), self.folder(night).into()]);
        words.extend(["--relative-to".into(), self.home().into(), "--today".into(), night.to_string().into()]);
        words.extend(["--nights".into(), self.nights.into()]);
        words.extend(self.call.threads.map(|threads| format!("--threads={threads}").into()));
        words.extend(["--remember".into(), new_index.clone().into()]);
        let mut except: Vec<PathBuf> = self.call.except.iter().map(|path| path.to_path_buf()).collect();
        for path in files_in(&seen)? {
            if path.extension().is_some_and(|ending| ending == "classes") && path != new_index {
                except.push(path);
            }
        }
        except.sort_unstable();
        if !except.is_empty() {
            words.push("--except".into());
            words.extend(except.into_iter().map(OsString::from));
        }
        Ok(words)
    }

    /// The result of a night, with what its folder holds.
    pub(super) fn described(&self, mut result: NightResult) -> NightResult {
        let folder = self.folder(result.night);
        if let Ok(Some(held)) = holdings(&folder) {
            result.rows = held.rows;
            result.parts = held.parts.len() as u64;
        }
        result.bytes = size(&folder);
        if result.status == Status::Ok {
            let answers = summarize(&[folder], None, &Silent).map(|summary| summary.together()).unwrap_or_default();
            let levels = answers.by_level().filter(|(_, rows)| *rows > 0);
            result.levels = levels.map(|(level, rows)| (level.to_owned(), rows)).collect();
            result.ratings = answers.tally(Number::ER).iter().map(|(er, rows)| (er.to_string(), rows)).collect();
        }
        result
    }
}

/// The text that a process wrote into a log from a position on, at most its last megabyte: the last lines tell the
/// outputs and the reason of a failure.
fn last_output(mut log: File, start: u64) -> std::io::Result<String> {
    const MOST_BYTES: u64 = 1 << 20;
    let end = log.seek(SeekFrom::End(0))?;
    log.seek(SeekFrom::Start(start.max(end.saturating_sub(MOST_BYTES))))?;
    let mut bytes = Vec::new();
    log.take(MOST_BYTES).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The seed of a night: 20261122.
fn seed(Day { year, month, day }: Day) -> u64 {
    u64::from(year) * 10_000 + u64::from(month) * 100 + u64::from(day)
}

/// How the process of a night ended, and what it printed.
struct Ended {
    status: ExitStatus,
    lines: Vec<RunLine>,
    /// The last error, in words: one of the command line has no line of JSON.
    error: Option<String>,
}

impl Ended {
    fn reason(&self) -> String {
        for line in self.lines.iter().rev() {
            match line {
                RunLine::Failed { error } => return error.clone(),
                RunLine::Output(OutputResult { status: Status::CheckFailed, output, .. }) => {
                    return format!("the output '{output}' found a problem");
                }
                RunLine::Output(_) | RunLine::Made { .. } => {}
            }
        }
        self.error.clone().unwrap_or_else(|| how_it_ended(self.status))
    }

    fn outputs(&self) -> impl Iterator<Item = &OutputResult> {
        self.lines.iter().filter_map(|line| if let RunLine::Output(output) = line { Some(output) } else { None })
    }
}

/// True for an empty folder, or one in which a night was begun. Other folders are neither written nor removed.
pub(super) fn is_ours(folder: &Path) -> bool {
    let is_folder = fs::symlink_metadata(folder).is_ok_and(|data| data.is_dir());
    is_folder
        && (["night.log", RECIPE].iter().any(|name| folder.join(name).is_file())
            || fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none()))
}

/// The bytes of all files in a folder and below.
fn size(folder: &Path) -> u64 {
    let mut bytes = 0;
    // What cannot be read counts as empty.
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        bytes += match entry.file_type() {
            Ok(kind) if kind.is_dir() => size(&entry.path()),
            _ => entry.metadata().map_or(0, |data| data.len()),
        };
    }
    bytes
}

/// The bytes that a file system has free for this user. None if it does not say.
#[cfg(unix)]
fn free_space(folder: &Path) -> Option<u64> {
    let space = rustix::fs::statvfs(folder).ok()?;
    space.f_frsize.checked_mul(space.f_bavail)
}

/// Other systems are not asked.
#[cfg(not(unix))]
fn free_space(_: &Path) -> Option<u64> {
    None
}
