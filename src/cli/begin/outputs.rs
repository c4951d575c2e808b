//! The outputs of a recipe: each `[[output]]` entry is a command, which this program runs on the finished corpus.
//!
//! ```text
//!   [[output]]                     in the folder CORPUS/outputs:
//!   command = "book"          ->   sudoku-corpus book .. --out night.pdf --per-page 4   --force --inside
//!   out = "night.pdf"
//!   per_page = 4
//! ```
//!
//! The keys of an entry are the long options of its command. Its paths are relative to the folder of outputs, in which
//! nothing else lies. So each output may replace what it finds there, and what it writes may not leave the folder: its
//! process refuses to (`--inside`). Files to read may lie anywhere: `{recipe}` in a value stands for the folder of the
//! recipe, and a relative path names what an output before this one wrote.
//!
//! Every line is parsed before any work. A wrong key, a path that leads out, a missing file and a request that the recipe
//! cannot satisfy (more puzzles than it has rows, characters that the font lacks) are refused then.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Component, Path, PathBuf};
use std::process::{ExitStatus, Stdio};

use anyhow::{Context as _, bail, ensure};
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::cli::line::call::option;
use crate::cli::line::options::Global;
use crate::cli::line::paths::{Paths, Use, check_folder};
use crate::cli::line::refused::{gone, mistakes};
use crate::cli::{Cli, Command, Outcome, Usage, counted, with_causes};
use crate::corpus::{
    IndexPath, InputPath, Output, OutputDraft, OutputOption, PublishedPath, Recipe, RowQuota, StopFlag, create_folder,
    folder_of, stays_inside,
};
use crate::names::nearest;
use crate::nights::process::{in_own_group, status_of, this_program, wait};
use crate::nights::{Earlier, Files, LastNight, NIGHT, OutputResult, RunLine, Status};
use crate::publish::Quota;
use crate::publish::formats::Format;
use crate::publish::series::{self, Day, Weekdays};

/// The commands that an output may use. Each reads one corpus; all but `verify` write files.
const COMMANDS: [&str; 5] = ["verify", "export", "book", "report", "release"];

/// Commands that choose puzzles: they skip those that were published before, and remember their own.
const CHOOSING: [&str; 2] = ["export", "book"];

/// The corpus, as its folder of outputs sees it.
const CORPUS: &str = "..";

/// The options that a run adds to all outputs of its recipe.
#[derive(Clone, Debug, Default, clap::Args)]
pub(in crate::cli) struct Extra {
    /// Publish no isomorphs of the puzzles in these files, in the outputs of the recipe. The files are earlier exports
    /// in any format that can be read again, folders of corpora, or indexes made by --remember.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub except: Vec<PublishedPath>,
    /// Add the published puzzles to this index: those of the exports and books of the recipe.
    #[arg(long, value_name = "FILE")]
    pub remember: Option<IndexPath>,
    /// Files that the recipe names are relative to this folder, for a copy of a recipe; by default to that of the
    /// recipe.
    #[arg(long, value_name = "FOLDER", requires = "recipe", hide = true)]
    pub relative_to: Option<InputPath>,
    /// Give a key of the outputs of the recipe another value, in every output that has the key: --set dates=2027-03-01
    /// --set first_puzzle=61.
    #[arg(long, value_name = "KEY=VALUE", value_parser = set)]
    pub set: Vec<(String, String)>,
    /// The day after which outputs look for days of the week, as in dates = "monday"; the current day by default.
    #[arg(long, value_name = "DAY", hide = true)]
    pub today: Option<Day>,
    /// The folder of the nights, if the run makes one of them.
    #[arg(long, value_name = "FOLDER", requires = "today", hide = true)]
    pub nights: Option<InputPath>,
    /// What the nights before this one leave to it.
    #[arg(skip)]
    pub earlier: Earlier,
    /// The folder of the recipe.
    #[arg(skip)]
    pub home: PathBuf,
    /// The folder of the outputs.
    #[arg(skip)]
    pub folder: PathBuf,
}

pub(in crate::cli) struct Outputs {
    lines: Vec<Line>,
    folder: PathBuf,
}

/// A parsed output.
struct Line {
    /// The command line in the words of the recipe.
    words: Vec<String>,
    /// What the run adds to it.
    added: Vec<String>,
    /// The files and folders that it writes, relative to the folder of outputs.
    written: Vec<PathBuf>,
}

/// An output failed.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(in crate::cli) struct Failed {
    message: String,
    /// The exit code of its process.
    pub code: u8,
}

impl Outputs {
    /// Parses all outputs, so that a wrong one is found before the work.
    ///
    /// # Errors
    /// A key of `--set` that no output has; the number of the first wrong output, and why.
    pub(in crate::cli) fn parse(drafts: &[OutputDraft], recipe: &Recipe, extra: &Extra) -> anyhow::Result<Outputs> {
        for (name, _) in &extra.set {
            let mut options = drafts.iter().flat_map(|draft| &draft.options);
            let has_value = options.any(|option| option.name == *name && option.value.is_some());
            ensure!(has_value, Usage(format!("--set: no [[output]] has a value for the key {}", key_of(name))));
        }
        let chooses = drafts.iter().any(|draft| CHOOSING.contains(&draft.command.as_str()));
        let given = [("--except", !extra.except.is_empty()), ("--remember", extra.remember.is_some())];
        // A night has them, whatever its recipe makes.
        if let Some((option, _)) = given.iter().find(|(_, is_given)| *is_given && !chooses && extra.nights.is_none()) {
            bail!(Usage(format!("{option} has no effect here: it needs an [[output]] that is an export or a book")));
        }
        let mut lines: Vec<Line> = Vec::new();
        // The number of the output that writes each file.
        let mut writers: HashMap<String, usize> = HashMap::new();
        for (number, draft) in (1..).zip(drafts) {
            let refused = |reason: String| Usage(format!("[[output]] {number}: {reason}"));
            let line = Line::new(draft, recipe, extra, &lines).map_err(refused)?;
            for path in &line.written {
                // Some file systems do not tell small letters from capitals.
                let name = without_dots(path).to_string_lossy().to_lowercase();
                if let Some(first) = writers.insert(name, number) {
                    bail!(refused(format!("{} is a file of [[output]] {first} too", path.display())));
                }
            }
            lines.push(line);
        }
        Ok(Outputs { lines, folder: extra.folder.clone() })
    }

    pub(in crate::cli) fn lines(&self) -> impl Iterator<Item = String> {
        self.lines.iter().map(|line| line.words.join(" "))
    }

    /// Refuses an output that is an input of the run, one whose folder is a file, and a link in place of their folder.
    pub(in crate::cli) fn check_paths(&self, global: &Global) -> anyhow::Result<()> {
        if self.folder.is_symlink() {
            let shown = self.folder.display();
            bail!(Usage(format!("{shown} is a link; outputs are written in a folder of the corpus itself")));
        }
        for path in self.lines.iter().flat_map(|line| &line.written) {
            let file = self.folder.join(path);
            global.paths.check_later_file(&file)?;
            check_folder(&folder_of(path).display().to_string(), folder_of(&file))?;
        }
        Ok(())
    }

    /// Makes the outputs one after the other, and passes on the result of each. Stops at the first that is stopped,
    /// finds a problem or fails.
    pub(in crate::cli) fn make(
        &self,
        global: &Global,
        stop: &StopFlag,
        tell: &mut dyn FnMut(OutputResult) -> anyhow::Result<()>,
    ) -> anyhow::Result<Outcome> {
        for (number, line) in (1..).zip(&self.lines) {
            let output = line.words.join(" ");
            global.say(format_args!("output: {output}"));
            let mut ended = line.run(global, &self.folder, stop).with_context(|| format!("output '{output}'"))?;
            let status = status_of(ended.status, stop);
            let outcome = match status {
                Status::Ok => None,
                Status::CheckFailed => Some(Outcome::CheckFailed),
                Status::Stopped => Some(Outcome::Stopped),
                _ => {
                    let error = ended.error.take().unwrap_or_else(|| ended.status.to_string());
                    let code = ended.status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
                    bail!(Failed { message: format!("[[output]] {number}, '{output}': {error}"), code });
                }
            };
            tell(OutputResult { output, status, files: ended.files })?;
            if let Some(outcome) = outcome {
                return Ok(outcome);
            }
        }
        Ok(Outcome::Done)
    }
}

/// How the process of an output ended, and what it said.
struct Ended {
    status: ExitStatus,
    files: Files,
    error: Option<String>,
}

impl Line {
    /// Parses the command line of an output. `before` are the outputs before it.
    ///
    /// # Errors
    /// A sentence about what is wrong.
    fn new(draft: &OutputDraft, recipe: &Recipe, extra: &Extra, before: &[Line]) -> Result<Line, String> {
        if extra.remember.is_some() && draft.options.iter().any(|option| option.name == "--remember") {
            let who = if extra.nights.is_some() { "`nightly`" } else { "the command line" };
            return Err(format!("{who} gives --remember for all outputs; leave out the key remember"));
        }
        let words = words(draft, extra)?;
        let added = added(&words, extra);
        let line = std::iter::once("sudoku-corpus").chain(words.iter().chain(&added).map(String::as_str));
        let cli = Cli::parsed(line).map_err(|error| refusal(&error, &words[0]))?;
        let paths = &cli.global.paths;
        let written = written(paths, &extra.folder)?;
        check_inputs(paths, &extra.folder, before)?;
        // What an output before this one writes is not there yet.
        if paths.given(Use::Read).filter(|path| is_file(path)).all(Path::is_absolute) {
            check_request(&cli.command, recipe).map_err(|error| with_causes(&error))?;
        }
        Ok(Line { words, added, written })
    }

    /// True if it may write this file. % and names in braces may stand for anything.
    fn may_write(&self, file: &Path) -> bool {
        let file = without_dots(file);
        self.written.iter().any(|path| is_pattern(path) || file.starts_with(without_dots(path)))
    }

    /// Runs it in a process of its own, in the folder of outputs. The process ends if this one does: it reads a pipe
    /// that nobody writes.
    fn run(&self, global: &Global, folder: &Path, stop: &StopFlag) -> io::Result<Ended> {
        for path in self.written.iter().map(|path| folder_of(path)) {
            // The command knows what % and {split} in a name stand for.
            if !is_pattern(path) {
                create_folder(&folder.join(without_dots(path)))?;
            }
        }
        create_folder(folder)?;
        let mut stdout = tempfile::tempfile()?;
        let mut command = this_program()?;
        command.args(self.words.iter().chain(&self.added)).arg("--inside").args(global.quiet.then_some("--quiet"));
        command.args(global.threads.map(|threads| OsString::from(format!("--threads={threads}"))));
        command.current_dir(folder).stdin(Stdio::piped()).stdout(stdout.try_clone()?);
        let mut child = in_own_group(&mut command).spawn()?;
        let status = wait(&mut child, stop)?;
        let mut text = Vec::new();
        stdout.rewind()?;
        stdout.read_to_end(&mut text)?;
        let mut ended = Ended { status, files: Files::new(), error: None };
        for line in String::from_utf8_lossy(&text).lines() {
            match RunLine::of(line) {
                Some(RunLine::Made { files }) => ended.files = files,
                Some(RunLine::Failed { error }) => ended.error = Some(error),
                _ => writeln!(io::stdout(), "{line}")?,
            }
        }
        Ok(ended)
    }
}

fn added(words: &[String], extra: &Extra) -> Vec<String> {
    let mut added = Vec::new();
    if CHOOSING.contains(&words[0].as_str()) {
        for file in &extra.except {
            added.extend(["--except".to_owned(), file.display().to_string()]);
        }
        if let Some(index) = &extra.remember {
            added.extend(["--remember".to_owned(), index.display().to_string()]);
        }
    }
    let has_force = takes_value(&words[0], "--force").is_some();
    if has_force && !words.iter().any(|word| word == "--force") {
        added.push("--force".to_owned());
    }
    added
}

/// The files and folders that an output writes. Each has a name, and stays in the folder of outputs.
fn written(paths: &Paths, folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut written = Vec::new();
    for path in paths.given(Use::Written).chain(paths.given(Use::Folder)) {
        if Output::is_standard(path) {
            return Err(format!("{}: give the output a name", path.display()));
        }
        stays_inside(folder, path).map_err(|error| error.to_string())?;
        written.push(path.to_owned());
    }
    Ok(written)
}

/// Refuses a file to read that is not there, and that no output before this one writes.
fn check_inputs(paths: &Paths, folder: &Path, before: &[Line]) -> Result<(), String> {
    for path in paths.read().filter(|path| is_file(path)) {
        let is_index = paths.given(Use::Index).any(|index| index == path);
        let is_made = before.iter().any(|line| line.may_write(path));
        if !is_index && !is_made && !folder.join(path).exists() {
            return Err(missing(path, folder));
        }
    }
    Ok(())
}

/// True for a name that stands for several files.
fn is_pattern(path: &Path) -> bool {
    path.to_string_lossy().contains(['%', '{'])
}

/// A path without the name `.`.
fn without_dots(path: &Path) -> PathBuf {
    path.components().filter(|piece| *piece != Component::CurDir).collect()
}

fn missing(path: &Path, folder: &Path) -> String {
    let (shown, folder) = (path.display(), folder.display());
    match path.is_absolute() {
        true => format!("{shown}: there is no such file"),
        false => format!(
            "{shown}: there is no such file in {folder}, and no output before this one writes it; a file beside the \
             recipe is {{recipe}}/{shown}"
        ),
    }
}

/// True for the name of a file, and not for the corpus or a word that an option knows, such as `hodoku` or `none`: a word
/// has no ending and no folder.
fn is_file(path: &Path) -> bool {
    let is_word = path.extension().is_none() && path.components().count() == 1 && path != Path::new("-");
    !is_word && path != Path::new(CORPUS)
}

/// The command line of an output, as the recipe says it.
fn words(draft: &OutputDraft, extra: &Extra) -> Result<Vec<String>, String> {
    let names = COMMANDS.join(", ");
    match draft.command.as_str() {
        "" => return Err(format!("command is missing; one of {names}")),
        name if !COMMANDS.contains(&name) => return Err(format!("command is '{name}'; an output can be {names}")),
        _ => {}
    }
    let mut words = vec![draft.command.clone(), CORPUS.to_owned()];
    for OutputOption { name, value } in &draft.options {
        match (takes_value(&draft.command, name), value) {
            (Some(false), Some(_)) => return Err(format!("the key {} is true or false", key_of(name))),
            (Some(true), None) => return Err(format!("the key {} needs a value, not true", key_of(name))),
            _ => {}
        }
        let value = value.as_ref().map(|value| value_of(draft, name, value, extra)).transpose()?;
        match value {
            Some(value) if value.starts_with('-') => words.push(format!("{name}={value}")),
            value => words.extend(std::iter::once(name.clone()).chain(value)),
        }
    }
    Ok(words)
}

/// Whether an option of a command takes a value. None if the command has no such option.
fn takes_value(command: &str, name: &str) -> Option<bool> {
    let program = crate::cli::command();
    let option = option(program.find_subcommand(command)?, name.trim_start_matches('-'))?;
    Some(option.get_action().takes_values() && option.get_num_args().is_none_or(|count| count.min_values() > 0))
}

/// The value of an option: that of `--set`, with what stands for days, for the night, for the nights before it and for
/// the folder of the recipe. A run that is no night is like the first night.
fn value_of(draft: &OutputDraft, name: &str, value: &str, extra: &Extra) -> Result<String, String> {
    let set = extra.set.iter().rev().find(|(option, _)| option == name);
    let value = set.map_or(value, |(_, value)| value);
    let today = extra.today.unwrap_or_else(Day::today);
    match (name, value) {
        ("--dates", day) => series::first_day(day, today).map(|day| day.to_string()).map_err(|error| error.to_string()),
        ("--first-puzzle", "next") if option_of(draft, "--split").is_some() => {
            Err("first_puzzle = \"next\" counts the puzzles of one file: leave out split".to_owned())
        }
        ("--first-puzzle", "next") => {
            let published = files(draft).next().and_then(|file| extra.earlier.puzzles.get(file)).copied();
            Ok((published.unwrap_or(0) + 1).to_string())
        }
        ("--previous", "last night") => last_night(draft, extra.earlier.last.as_ref()),
        _ => Ok(value.replace("{recipe}", &extra.home.to_string_lossy()).replace(NIGHT, &today.to_string())),
    }
}

/// The files that an output writes, in the words of the recipe.
fn files(draft: &OutputDraft) -> impl Iterator<Item = &str> {
    draft.options.iter().filter(|option| option.name == "--out").filter_map(|option| option.value.as_deref())
}

/// The last file with puzzles of an output in the night before; `none` without such a night or file.
///
/// # Errors
/// None of its files can be read again, or their names do not follow from the night alone; its days are wrong.
fn last_night(draft: &OutputDraft, last: Option<&LastNight>) -> Result<String, String> {
    let rule = "previous = \"last night\" needs a file in out that can be read again, such as day.csv; its name may have \
                {date} and {night}, and no other name in braces and no %";
    let file = files(draft).find(|file| is_read_again(file)).ok_or(rule)?;
    let Some(LastNight { night, outputs }) = last else { return Ok("none".to_owned()) };
    let mut name = file.replace(NIGHT, &night.to_string());
    if name.contains(DATE) {
        name = name.replace(DATE, &last_day(draft, *night)?.to_string());
    }
    let path = outputs.join(name);
    Ok(if path.is_file() { path.display().to_string() } else { "none".to_owned() })
}

/// What stands for the day of a puzzle in the name of a file.
const DATE: &str = "{date}";

/// True for a file that can be read again, and whose name follows from the night.
fn is_read_again(file: &str) -> bool {
    let format = Format::of_name(Path::new(file)).ok().flatten();
    let is_read = format.is_some_and(|format| !matches!(format, Format::Picture(_) | Format::Sqlite | Format::Penpa));
    is_read && !is_pattern(Path::new(&file.replace(NIGHT, "").replace(DATE, "")))
}

/// The last day of the puzzles that an output made in a night.
fn last_day(draft: &OutputDraft, night: Day) -> Result<Day, String> {
    let first = option_of(draft, "--dates").ok_or("{date} in out needs the key dates")?;
    let first = series::first_day(first, night).map_err(|error| error.to_string())?;
    let count = option_of(draft, "--count").and_then(|count| count.parse().ok());
    let count = count.ok_or("previous = \"last night\" with {date} in out needs the key count")?;
    let on = option_of(draft, "--days").map(str::parse::<Weekdays>).transpose().map_err(|error| error.to_string())?;
    Ok(series::days(first, count, on.unwrap_or_default()).pop().unwrap_or(first))
}

/// The value of an option, in the words of the recipe.
fn option_of<'a>(draft: &'a OutputDraft, name: &str) -> Option<&'a str> {
    draft.options.iter().find(|option| option.name == name)?.value.as_deref()
}

/// Reads KEY=VALUE as an option and its value.
///
/// # Errors
/// There is no `=`.
pub(in crate::cli) fn set(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("write KEY=VALUE, such as dates=2027-01-04")?;
    Ok((format!("--{}", key.trim().replace('_', "-")), value.to_owned()))
}

/// Checks what a command asks for: its own options, that the recipe makes enough puzzles for it, and that their rows have
/// the columns of its conditions.
fn check_request(command: &Command, recipe: &Recipe) -> anyhow::Result<()> {
    let request = match command {
        Command::Report(args) => return Ok(args.check()?),
        Command::Release(args) => return args.check(),
        Command::Export(args) => args.request_of(recipe.shape, recipe.levels.clone())?,
        Command::Book(args) => args.request_of(recipe.levels.clone())?,
        _ => return Ok(()),
    };
    request.check_columns()?;
    let quotas = request.quotas.iter().map(|quota| quota.count).fold(0, u64::saturating_add);
    let (needed, rows) = (request.count.unwrap_or(quotas), recipe.count);
    ensure!(needed <= rows, "this output needs {}, but the recipe makes {rows}", counted(needed, "puzzle"));
    // If every quota of the recipe has a level, the number of puzzles of each level is known.
    let levels = &recipe.levels;
    let mut rows_of_level = vec![0; levels.ranges().len()];
    for RowQuota { count, goal } in &recipe.quotas {
        let Some(level) = goal.level_name().and_then(|name| levels.place(name).ok()) else { return Ok(()) };
        rows_of_level[level] += count;
    }
    for Quota { name, count, condition, .. } in request.quotas.iter().filter(|_| !recipe.quotas.is_empty()) {
        let level = (0..rows_of_level.len()).find(|&level| levels.is_level(level) == *condition);
        let Some(rows) = level.map(|level| rows_of_level[level]) else { continue };
        let needed = counted(count, &format!("{name} puzzle"));
        ensure!(*count <= rows, "this output needs {needed}, but the recipe makes {rows}");
    }
    Ok(())
}

/// What is wrong with the keys of an output, which are options of its command.
fn refusal(error: &clap::Error, command: &str) -> String {
    if let Some(sentence) = gone::instead(error, command) {
        return sentence;
    }
    let invalid = error.get(ContextKind::InvalidArg);
    if let (ErrorKind::MissingRequiredArgument, Some(ContextValue::Strings(missing))) = (error.kind(), invalid) {
        let keys: Vec<String> = missing.iter().map(|shown| key_of(shown)).collect();
        return format!("{command} needs the key {}", keys.join(" and the key "));
    }
    let (ErrorKind::UnknownArgument, Some(ContextValue::String(option))) = (error.kind(), invalid) else {
        let words = ["sudoku-corpus", command].map(OsString::from);
        return mistakes::sentence(error, &words).unwrap_or_else(|| plain(error));
    };
    let key = key_of(option);
    let program = crate::cli::command();
    let options = program.find_subcommand(command).into_iter().flat_map(clap::Command::get_arguments);
    let keys: Vec<String> = options.filter_map(|option| Some(option.get_long()?.replace('-', "_"))).collect();
    let near = match key.as_str() {
        "file" | "output" => "; the file to write is the key out".to_owned(),
        _ => {
            nearest(&key, keys.iter().map(String::as_str)).map_or(String::new(), |key| format!("; did you mean {key}?"))
        }
    };
    format!("{command} has no key '{key}'{near}")
}

/// The key of an option, which the parser shows as in `--first-puzzle <N>`.
fn key_of(shown: &str) -> String {
    shown.trim_start_matches('-').split(' ').next().unwrap_or_default().replace('-', "_")
}

/// Clap's message up to its usage, on one line.
fn plain(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let text = text.trim_start_matches("error: ");
    let first = text.split("\n\nUsage").next().unwrap_or(text);
    first.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Draft;

    fn of_corpus() -> Extra {
        Extra { folder: PathBuf::from("corpus/outputs"), home: PathBuf::from("/recipes"), ..Extra::default() }
    }

    fn parse_with(text: &str, extra: &Extra) -> Result<Outputs, String> {
        let draft = Draft::parse(text).map_err(|error| error.to_string())?;
        let recipe = Recipe::new(&draft).map_err(|error| error.to_string())?;
        Outputs::parse(&draft.output, &recipe, extra).map_err(|error| error.to_string())
    }

    /// The message about a recipe whose outputs are wrong; empty if they are right.
    fn refusal(text: &str) -> String {
        parse_with(text, &of_corpus()).err().unwrap_or_default()
    }

    /// Every option with which an output can write. The program's own table gives the options, so a new one is tried too.
    #[cfg(unix)]
    #[test]
    fn no_option_of_an_output_leads_out_of_the_folder_of_outputs() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("corpus/outputs");
        std::fs::create_dir_all(folder.join("below")).unwrap();
        std::os::unix::fs::symlink("../..", folder.join("link")).unwrap();
        std::os::unix::fs::symlink("../../nothing.csv", folder.join("dangling.csv")).unwrap();
        std::os::unix::fs::symlink("../../nothing", folder.join("dangling")).unwrap();
        std::os::unix::fs::symlink("below", folder.join("within")).unwrap();
        let extra = Extra { folder, ..of_corpus() };
        let absolute = place.path().join("x.csv").display().to_string();
        let outside = ["../x.csv", "below/../../x.csv", &absolute, "link/x.csv", "dangling.csv", "/dev/null"];
        let program = crate::cli::command();
        let mut tried = 0;
        for command in COMMANDS {
            let arguments = program.find_subcommand(command).unwrap().get_arguments();
            for argument in arguments.filter(|argument| matches!(Use::of(argument), Some(Use::Written | Use::Folder))) {
                let option = argument.get_long().unwrap();
                let others = match command {
                    "report" => "",
                    "release" => "license = \"CC0-1.0\"\n",
                    _ => "count = 5\n",
                };
                let out = match (option, command) {
                    ("out", _) => "",
                    (_, "book") => "out = \"ok.pdf\"\n",
                    (_, "export") => "out = \"ok-%.svg\"\n",
                    _ => "out = \"ok.html\"\n",
                };
                // No folder has the ending of a file.
                let is_folder = Use::of(argument) == Some(Use::Folder);
                let mut refused = |path: &str, reason: &str| {
                    tried += 1;
                    let path = if is_folder { path.trim_end_matches(".csv").trim_end_matches(".html") } else { path };
                    let text = format!("[[output]]\ncommand = \"{command}\"\n{others}{out}{option} = \"{path}\"");
                    let error = parse_with(&text, &extra).err().unwrap_or_default();
                    assert!(error.contains(reason), "{command} {option} {path}: {error}");
                    error
                };
                outside.iter().for_each(|path| drop(refused(path, "where this output has to stay")));
                ["-", "/dev/stdout"].iter().for_each(|path| drop(refused(path, " a name")));
                assert!(!refused("within/below.html", "").contains("has to stay"), "{command} {option}");
            }
        }
        assert!(tried >= 72, "{tried}");
        // A key is the name of an option and nothing more.
        assert_ne!(refusal("[[output]]\ncommand = \"export\"\ncount = 5\n\"out=../x.sdm\" = true"), "");
    }

    #[test]
    fn requests_that_a_recipe_cannot_satisfy_are_refused_beforehand() {
        let two = "[[quota]]\nlevel = \"easy\"\ncount = 60\n[[quota]]\nlevel = \"hard\"\ncount = 40\n";
        let own = "[[level]]\nname = \"Monday\"\nhodoku_score = \"0..200\"\n[[quota]]\nlevel = \"monday\"\ncount = 9\n";
        let wide = "[grid]\nshape = \"2x3\"\n";
        let book = |level: &str| format!("command = \"book\"\nlevel = \"{level}\"\nout = \"x.pdf\"");
        let export = |keys: &str, out: &str| format!("command = \"export\"\n{keys}\nout = \"{out}\"");
        let release = |keys: &str| match keys.contains("out = ") {
            true => format!("command = \"release\"\n{keys}"),
            false => format!("command = \"release\"\nout = \"set\"\n{keys}"),
        };
        for (head, output, message) in [
            (two, export("count = 200", "x.sdm"), "this output needs 200 puzzles, but the recipe makes 100"),
            (two, export("count = 2\nwhere = \"givns > 24\"", "x.sdm"), "no column 'givns'; did you mean 'givens'?"),
            (two, book("hard=50"), "50 hard puzzles, but the recipe makes 40"),
            (two, book("unfair=5"), "HoDoKu's scale has it: add --levels hodoku"),
            (two, book("easy=9") + "\ntitle = \"\u{6570}\u{72ec}\"", "\u{6570}"),
            (two, export("count = 9\nlevel = \"ezy=4\"", "x.sdm"), "level"),
            (own, book("monday=10"), "10 puzzles, but the recipe makes 9"),
            (own, book("tuesday=1"), "no level 'tuesday': your own scale has Monday"),
            (wide, export("count = 9", "x.hodoku.txt"), "hodoku does not hold the 6x6 board, 2x3 boxes; it holds: 9x9"),
            (two, export("count = 9", "x.svg"), "such a file holds one puzzle; write % for the number"),
            (two, export("count = 1\ndpi = 90000", "x.png"), "pixels cannot be made"),
            (
                two,
                export("count = 9\nsteps_out = \"s.csv\"", "x.sdm"),
                "s.csv: the name of a file of steps must end in",
            ),
            (two, export("count = 9\nsplit = \"a=0.5,b=0.5\"", "x.sdm"), "the name must contain {split}"),
            (two, export("all = \"yes\"", "x.sdm"), "the key all is true or false"),
            (two, "command = \"report\"\nout = \"x.pdf\"".to_owned(), "x.pdf: the name must end in .html or .md"),
            (two, "command = \"report\"\ndata = \"none\"".to_owned(), "--no-data writes the page only"),
            (two, release("license = \"CC9\""), "no SPDX license 'CC9'"),
            (
                two,
                release("license = \"MIT\"\nsplit = \"a=0.5,b=0.5\"\ncontrol = \"c\""),
                "--control c: --split has no split",
            ),
            (
                two,
                release("license = \"MIT\"\nout = \"set.zip\""),
                "this makes a folder, and .zip is the ending of a file",
            ),
        ] {
            let error = refusal(&format!("{head}[[output]]\n{output}"));
            assert!(error.starts_with("[[output]] 1: ") && error.contains(message), "{output}: {error}");
        }
        assert_eq!(refusal(&format!("{own}[[output]]\n{}", book("monday=9"))), "");
        // How many puzzles another scale has is not known beforehand.
        assert_eq!(refusal(&format!("{two}[[output]]\n{}\nlevels = \"hodoku\"", book("hard=50"))), "");
    }

    #[test]
    fn a_file_to_read_is_there_or_an_output_before_writes_it() {
        let export = |keys: &str| format!("[[output]]\ncommand = \"export\"\ncount = 2\n{keys}\n");
        let first = |out: &str| export(&format!("out = \"{out}\""));
        let among_a = export("among = \"a.sdm\"\nout = \"b.sdm\"");
        for (text, message) in [
            (first("c.sdm") + &among_a, "[[output]] 2: a.sdm: there is no such file"),
            (among_a, "[[output]] 1: a.sdm: there is no such file in corpus/outputs"),
            (export("levels = \"own.toml\"\nout = \"b.sdm\""), "is {recipe}/own.toml"),
            (export("levels = \"{recipe}/own.toml\"\nout = \"b.sdm\""), "/recipes/own.toml: there is no such file"),
            (export("among = \"-\"\nout = \"b.sdm\""), "[[output]] 1: -: there is no such file"),
            (first("x.sdm") + &first("./X.sdm"), "[[output]] 2: ./X.sdm is a file of [[output]] 1 too"),
            (export("out = \"a.sdm\"\namong = \"a.sdm\""), "a.sdm: there is no such file"),
        ] {
            let error = refusal(&text);
            assert!(error.contains(message), "{text}: {error}");
        }
        for text in [
            first("a.sdm")
                + &export("among = \"./a.sdm\"\nexcept = \"old.index\"\nremember = \"old.index\"\nout = \"b.sdm\""),
            first("p-%.svg") + &export("previous = \"p-1.svg\"\nout = \"b-%.svg\""),
            export("levels = \"newspaper\"\nprevious = \"none\"\nout = \"b-%.svg\""),
        ] {
            assert_eq!(refusal(&text), "", "{text}");
        }
    }

    #[test]
    fn days_of_the_week_and_changed_values_stand_in_the_command_lines() {
        let text = "[[output]]\ncommand = \"export\"\nall = true\ndates = \"monday\"\nfirst_puzzle = 1\nout = \"{date}.svg\"\n\
            caption = \"- 1 -\"\n[[output]]\ncommand = \"verify\"";
        let lines = |more: &[&str]| {
            let set: Vec<_> = more.iter().map(|text| set(text).unwrap()).collect();
            let extra = Extra { set, today: "2026-11-22".parse().ok(), ..of_corpus() };
            parse_with(text, &extra).map(|outputs| outputs.lines().collect::<Vec<_>>().join(";"))
        };
        let week = "export .. --all --dates 2026-11-23 --first-puzzle 1 --out {date}.svg --caption=- 1 -;verify ..";
        assert_eq!(lines(&[]), Ok(week.to_owned()));
        let next = week.replace("2026-11-23", "2026-11-25").replace("puzzle 1", "puzzle 7");
        assert_eq!(lines(&["dates=wed", "first_puzzle=6", "first_puzzle=7"]), Ok(next));
        assert!(lines(&["dates=someday"]).unwrap_err().contains("[[output]] 1: 'someday' is not a day"));
        assert!(lines(&["out=../x.svg"]).unwrap_err().contains("where this output has to stay"));
        assert_eq!(
            lines(&["first_pussle=7"]).unwrap_err(),
            "--set: no [[output]] has a value for the key first_pussle"
        );
        assert!(lines(&["all=9"]).unwrap_err().contains("key all"));
        assert!(set("dates").is_err());
    }

    #[test]
    fn books_and_exports_remember_what_they_publish() {
        let extra = Extra { remember: Some("/own".into()), except: vec!["/dev/null".into()], ..of_corpus() };
        let text = "[[output]]\ncommand = \"book\"\ncount = 2\nout = \"a.pdf\"\n[[output]]\ncommand = \"export\"\n\
            count = 2\nforce = true\nout = \"a.sdm\"\n[[output]]\ncommand = \"report\"";
        let outputs = parse_with(text, &extra).unwrap();
        let added: Vec<String> = outputs.lines.iter().map(|line| line.added.join(" ")).collect();
        let own = "--except /dev/null --remember /own";
        assert_eq!(added, [format!("{own} --force"), own.to_owned(), "--force".to_owned()]);
        let twice = text.replace("force = true", "remember = \"/other\"");
        let error = parse_with(&twice, &extra).map(drop).unwrap_err();
        let reason = "the command line gives --remember for all outputs; leave out the key remember";
        assert_eq!(error, format!("[[output]] 2: {reason}"));
    }

    #[test]
    fn wrong_outputs_are_refused_with_their_number() {
        let verify = "[[output]]\ncommand = \"verify\"\n";
        for (text, message) in [
            ("[[output]]\nout = \"x\"", "[[output]] 1: command is missing"),
            (
                "[[output]]\ncommand = \"rm\"",
                "[[output]] 1: command is 'rm'; an output can be verify, export, book, report",
            ),
            (&format!("{verify}{verify}sampel = 3"), "[[output]] 2: verify has no key 'sampel'; did you mean sample?"),
            (&format!("{verify}sample = \"many\""), "[[output]] 1: --sample 'many': "),
        ] {
            let error = refusal(text);
            assert!(error.starts_with(message), "{text}: {error}");
        }
        assert!(Draft::parse("[[output]]\ncommand = { a = 1 }").is_err());
        assert!(Draft::parse(&format!("{verify}sample = {{ a = 1 }}")).is_err());
    }
    #[test]
    fn the_puzzles_of_the_last_night_are_those_of_this_output() {
        let place = tempfile::tempdir().unwrap();
        let names = ["2027-01-07.csv", "best.csv", "day-2027-01-06.csv", "2027-01-09.csv"];
        names.iter().for_each(|name| std::fs::write(place.path().join(name), "").unwrap());
        let last = LastNight { night: "2027-01-06".parse().unwrap(), outputs: place.path().to_owned() };
        let file_of = |keys: &str| {
            let text = format!("[[output]]\ncommand = \"export\"\nprevious = \"last night\"\n{keys}");
            let draft = Draft::parse(&text).unwrap();
            let file = last_night(&draft.output[0], Some(&last))?;
            Ok::<_, String>(file.rsplit('/').next().unwrap_or_default().to_owned())
        };
        let tomorrow = "dates = \"tomorrow\"\ncount = 1\n";
        let out = |names: &str| format!("{tomorrow}out = [{names}]");
        assert_eq!(file_of(&out("\"{date}.svg\", \"{date}.csv\"")).as_deref(), Ok("2027-01-07.csv"));
        assert_eq!(file_of(&out("\"day-{night}.csv\"")).as_deref(), Ok("day-2027-01-06.csv"));
        assert_eq!(file_of(&out("\"day-{date}.csv\"")).as_deref(), Ok("none"));
        assert_eq!(file_of(&out("\"{date}.csv\"").replace("= 1", "= 3")).as_deref(), Ok("2027-01-09.csv"));
        for wrong in ["\"{level}-{date}.csv\"", "\"%.sdk\"", "\"{date}.svg\""] {
            assert!(file_of(&out(wrong)).unwrap_err().contains("that can be read again"), "{wrong}");
        }
        let first =
            last_night(&Draft::parse("[[output]]\ncommand = \"export\"\nout = \"a.csv\"").unwrap().output[0], None);
        assert_eq!(first.as_deref(), Ok("none"));
        let split =
            "[[output]]\ncommand = \"export\"\nsplit = \"a=0.5,b=0.5\"\nfirst_puzzle = \"next\"\nout = \"{split}.csv\"";
        assert!(refusal(split).contains("leave out split"));
    }
}
