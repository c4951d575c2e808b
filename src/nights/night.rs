//! Makes one night: its folder, and the process that fills it.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;

use super::process::{POLL, ask_to_stop};
use super::register::Status;
use super::{Call, Day, NightResult, OutputResult, Result, RunLine, free_name, now};
use crate::corpus::{
    CorpusError, Draft, FORMAT_VERSION, Manifest, PROGRAM_VERSION, Recipe, Silent, StopFlag, create_folder, folder_of,
    part_files, write_file,
};
use crate::rate::Level;
use crate::study::summarize;

/// What it takes to make a night.
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
        let Ok(Some(manifest)) = Manifest::read(&folder) else { return false };
        let files = part_files(&folder).unwrap_or_default();
        let bytes: u64 = files.iter().map(|file| fs::metadata(file).map_or(0, |data| data.len())).sum();
        let parts = || manifest.parts.values();
        folder.join(RECIPE).is_file()
            && parts().map(|part| part.rows).sum::<u64>() == manifest.header.count
            && (parts().count(), parts().map(|part| part.bytes).sum::<u64>()) == (files.len(), bytes)
            // A name with `%` or a brace stands for several files, so it is not looked for.
            && outputs.iter().all(|(file, _)| file.contains(['%', '{']) || folder.join(file).exists())
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
        // A manifest with parts is enough: even if the files are gone, the folder holds the corpus of its recipe.
        let listed = Manifest::read(&folder).is_ok_and(|manifest| manifest.is_some_and(|all| !all.parts.is_empty()));
        let has_parts = listed || part_files(&folder).is_ok();
        let copy = folder.join(RECIPE);
        if !has_parts || !copy.is_file() {
            // No part is made yet, so the current recipe counts. It is checked before it is copied.
            let checked = self.process(night, &self.call.recipe, &["--dry-run"])?;
            if !checked.status.success() {
                let refused = NightResult::new(night, Status::Refused, Some(checked.reason()));
                return Ok(NightResult { code: checked.status.code(), ..refused });
            }
            let text = fs::read(&self.call.recipe).map_err(CorpusError::io("read", &self.call.recipe))?;
            write_file(&copy, &text)?;
        }
        let planned = self.planned(night);
        if let Some(reason) = self.lacks_space(&folder, planned) {
            return Ok(NightResult { planned, ..NightResult::new(night, Status::Failed, Some(reason)) });
        }
        let made = self.process(night, &copy, &[])?;
        let status = match made.status.code() {
            Some(0) => Status::Ok,
            Some(3) => Status::CheckFailed,
            Some(4) => Status::Stopped,
            _ if self.stop.is_set() => Status::Stopped,
            _ => Status::Failed,
        };
        let result = NightResult::new(night, status, (status != Status::Ok).then(|| made.reason()));
        let outputs = made.outputs().flat_map(|output| output.files.clone()).collect();
        let common = made.outputs().flat_map(|output| output.common.clone()).collect();
        Ok(self.described(NightResult { code: made.status.code(), planned, outputs, common, ..result }))
    }

    /// Moves an unfinished night of another version of the program aside, because this version would make other rows.
    fn set_aside(&self, night: Day) -> Result<()> {
        let folder = self.folder(night);
        let Ok(Some(Manifest { header, .. })) = Manifest::read(&folder) else { return Ok(()) };
        if (header.format_version, header.program_version.as_str()) == (FORMAT_VERSION, PROGRAM_VERSION) {
            return Ok(());
        }
        let aside = self.nights.join("set-aside");
        create_folder(&aside).map_err(CorpusError::io("create the folder", &aside))?;
        let version: String =
            header.program_version.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
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
        let free = fs4::available_space(folder).ok()?;
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
        let begin = log.seek(SeekFrom::End(0)).map_err(CorpusError::io("write", &path))?;
        let words: Vec<_> = arguments.iter().map(|word| word.to_string_lossy()).collect();
        writeln!(log, "{} sudoku-corpus {}", now(), words.join(" ")).map_err(CorpusError::io("write", &path))?;
        let handle = |file: &File| file.try_clone().map(Stdio::from).map_err(CorpusError::io("open", &path));
        // The lock is the standard input of the process, which holds it even if the call is killed.
        let mut command = Command::new(&self.call.program);
        command.args(&arguments).stdin(handle(self.lock)?).stdout(handle(&log)?).stderr(handle(&log)?);
        let mut child = command.spawn().map_err(CorpusError::io("run", &self.call.program))?;
        let status = self.wait(&mut child).map_err(CorpusError::io("wait for", &self.call.program))?;
        // The last lines tell the outputs and the reason of a failure.
        let end = log.seek(SeekFrom::End(0)).map_err(CorpusError::io("read", &path))?;
        let mut said = Vec::new();
        let read = log.seek(SeekFrom::Start(begin.max(end.saturating_sub(1 << 20))));
        read.and_then(|_| log.take(1 << 20).read_to_end(&mut said)).map_err(CorpusError::io("read", &path))?;
        Ok(Ended { status, lines: RunLine::all(&String::from_utf8_lossy(&said)) })
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
                ask_to_stop(child);
            }
            thread::sleep(POLL);
        }
    }

    /// The call of `run` for a night. It skips the puzzles of all other nights.
    fn arguments(&self, night: Day, recipe: &Path, more: &[&str]) -> Result<Vec<OsString>> {
        let seen = self.nights.join("seen");
        let own = seen.join(format!("{night}.classes"));
        let mut words: Vec<OsString> = vec!["run".into(), recipe.into(), "--json".into()];
        words.extend(more.iter().map(OsString::from));
        words.extend(["--seed".into(), seed(night).to_string().into(), "--out".into(), self.folder(night).into()]);
        words.extend(["--relative-to".into(), self.home().into(), "--today".into(), night.to_string().into()]);
        words.extend(self.call.allow_outside.then(|| "--allow-outside".into()));
        words.extend(self.call.threads.map(|threads| format!("--threads={threads}").into()));
        words.extend(["--remember".into(), own.clone().into()]);
        let mut except: Vec<PathBuf> = self.call.except.iter().map(|path| path.to_path_buf()).collect();
        let entries = fs::read_dir(&seen).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
        let indexes = entries.map_err(CorpusError::io("read the folder", &seen))?.into_iter().map(|entry| entry.path());
        except.extend(indexes.filter(|path| path.extension().is_some_and(|end| end == "classes") && *path != own));
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
        if let Ok(Some(manifest)) = Manifest::read(&folder) {
            result.rows = manifest.parts.values().map(|part| part.rows).sum();
            result.parts = manifest.parts.len() as u64;
        }
        result.bytes = size(&folder);
        if result.status == Status::Ok {
            let counts = summarize(&[folder], &Silent).map(|call_result| call_result.together()).unwrap_or_default();
            let levels = Level::ALL.into_iter().map(|level| level.name().to_owned()).zip(counts.levels);
            result.levels = levels.filter(|(_, rows)| *rows > 0).collect();
            result.ratings = counts.ratings[0].iter().map(|(er, rows)| (er.to_string(), rows)).collect();
        }
        result
    }
}

/// The seed of a night: 20261122.
fn seed(Day { year, month, day }: Day) -> u64 {
    u64::from(year) * 10_000 + u64::from(month) * 100 + u64::from(day)
}

/// How the process of a night ended, and what it printed.
struct Ended {
    status: ExitStatus,
    lines: Vec<RunLine>,
}

impl Ended {
    /// The reason of a failure.
    fn reason(&self) -> String {
        let told = |line: &RunLine| match line {
            RunLine::Failed { error } => Some(error.clone()),
            RunLine::Output(OutputResult { status: Status::CheckFailed, output, .. }) => {
                Some(format!("the output '{output}' found a problem"))
            }
            RunLine::Output(_) => None,
        };
        self.lines.iter().rev().find_map(told).unwrap_or_else(|| self.status.to_string())
    }

    fn outputs(&self) -> impl Iterator<Item = &OutputResult> {
        self.lines.iter().filter_map(|line| if let RunLine::Output(output) = line { Some(output) } else { None })
    }
}

/// True for an empty folder, or one in which a night was begun. Other folders are neither written nor removed.
pub(super) fn is_ours(folder: &Path) -> bool {
    let is_folder = fs::symlink_metadata(folder).is_ok_and(|data| data.is_dir());
    let is_empty = || fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
    is_folder && (["night.log", RECIPE].iter().any(|name| folder.join(name).is_file()) || is_empty())
}

/// The bytes of all files in a folder and below.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.file_type() {
            Ok(kind) if kind.is_dir() => size(&entry.path()),
            _ => entry.metadata().map_or(0, |data| data.len()),
        })
        .sum()
}
