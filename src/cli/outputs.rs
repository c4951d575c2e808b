//! The outputs of a recipe: each `[[output]]` entry is a command line that runs on the finished corpus.
//!
//! ```text
//!   [[output]]
//!   command = "book"          ->    sudoku-corpus book FOLDER --out FOLDER/night.pdf --per-page 4
//!   out = "night.pdf"
//!   per_page = 4
//! ```
//!
//! The keys of an entry are the long options of its command. The parser of the command line reads them, so a wrong key
//! is refused before any row is made. Files to write are relative to the folder of the corpus. Files to read (levels,
//! words, fonts, logos, pages) lie beside the recipe; others are outputs before this one. Only what outputs of the
//! corpus made before is replaced ([`OwnFiles`]). An output may not use a name that the corpus itself uses, and it may
//! leave the folder only with `--allow-outside`: this holds for every option that names a file to write. A request that
//! the recipe cannot satisfy (more puzzles than it has rows, characters that the font lacks) is refused beforehand too,
//! and folders for the outputs are made before the work.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail, ensure};

use super::names::may_meet;
use super::options::Global;
use super::own::{OwnFiles, absolute};
use super::paths::Role;
use super::{Cli, Command, Outcome, Published, Usage, counted, dispatch, with_causes};
use crate::corpus::{
    IndexPath, InputPath, Levels, OutputDraft, PublishedPath, Recipe, RowQuota, create_folder, folder_of,
    name_of_corpus,
};
use crate::nights::{OutputResult, Status};
use crate::publish::Quota;
use crate::publish::series::{self, Day};

/// The commands that an output may use. Each reads one corpus; all but `verify` write files.
pub(super) const COMMANDS: [&str; 6] = ["verify", "export", "book", "report", "resample", "release"];

/// Commands that choose puzzles: they skip those that were published before, and remember their own.
const CHOOSING: [&str; 2] = ["export", "book"];

/// The option that replaces existing files.
const FORCE: &str = "--force";

/// The options that a run adds to all outputs of its recipe.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct Extra {
    /// Puzzles that the outputs of the recipe must not publish again: files of puzzles, or indexes made by --remember.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub except: Vec<PublishedPath>,
    /// The index to which the exports and books of the recipe add the puzzles that they publish.
    #[arg(long, value_name = "FILE")]
    pub remember: Option<IndexPath>,
    /// Let the outputs of the recipe write files outside the folder of the corpus.
    #[arg(long)]
    pub allow_outside: bool,
    /// Files that the recipe names are relative to this folder, for a copy of a recipe; by default to that of the
    /// recipe.
    #[arg(long, value_name = "DIR", requires = "recipe", hide = true)]
    pub relative_to: Option<InputPath>,
    /// Give a key of the outputs of the recipe another value, wherever it stands: --set dates=2027-03-01 --set
    /// first_puzzle=61.
    #[arg(long, value_name = "KEY=VALUE", value_parser = set)]
    pub set: Vec<(String, String)>,
    /// The day after which outputs look for days of the week, as in dates = "monday"; the current day by default.
    #[arg(long, value_name = "DAY", hide = true)]
    pub today: Option<Day>,
    #[arg(skip)]
    pub quiet: bool,
    /// The folder of the recipe.
    #[arg(skip)]
    pub home: PathBuf,
    /// The folder of the corpus.
    #[arg(skip)]
    pub folder: PathBuf,
}

/// The parsed outputs of a recipe.
pub(super) struct Outputs {
    commands: Vec<Planned>,
    extra: Extra,
}

/// A parsed output.
struct Planned {
    /// The command line in the words of the recipe, for messages.
    words: String,
    /// The command line with complete paths.
    cli: Cli,
    /// The recipe itself says `force = true`.
    forced: bool,
    /// The files that it writes, relative to the folder of the corpus.
    writes: Vec<PathBuf>,
    /// The names that its files may get.
    names: Vec<String>,
    /// Its index, which may be that of other outputs.
    index: Option<String>,
}

impl Outputs {
    /// Parses all outputs, so that a wrong one is found before the work.
    ///
    /// # Errors
    /// A key of `--set` that no output has; the number of the first wrong output, and why; a file that two outputs may
    /// both write.
    pub(super) fn parse(drafts: &[OutputDraft], recipe: &Recipe, extra: &Extra) -> anyhow::Result<Outputs> {
        let is_value = |pair: &[String], option: &String| pair[0] == *option && !pair[1].starts_with("--");
        let has = |option| drafts.iter().any(|draft| draft.options.windows(2).any(|pair| is_value(pair, option)));
        if let Some((option, _)) = extra.set.iter().find(|(option, _)| !has(option)) {
            let key = option.trim_start_matches('-').replace('-', "_");
            bail!(Usage(format!("--set: no [[output]] has a value for the key {key}")));
        }
        let parsed = (1..).zip(drafts).map(|(number, draft)| {
            Planned::new(draft, recipe, extra).map_err(|error| Usage(format!("[[output]] {number}: {error}")).into())
        });
        let commands: Vec<Planned> = parsed.collect::<anyhow::Result<_>>()?;
        for (at, one) in commands.iter().enumerate() {
            let mut others = commands[..at].iter().enumerate();
            if let Some((other, name)) = others.find_map(|(at, other)| Some((at, one.common(other)?))) {
                let (one, other) = (at + 1, other + 1);
                bail!(Usage(format!("[[output]] {one}: {name} may be a file of [[output]] {other} too")));
            }
        }
        Ok(Outputs { commands, extra: extra.clone() })
    }

    /// Their command lines, in order.
    pub(super) fn lines(&self) -> impl Iterator<Item = &str> {
        self.commands.iter().map(|planned| planned.words.as_str())
    }

    /// Makes the folders of all outputs. A wrong path fails here, before the work, and so does an input of the run.
    pub(super) fn make_folders(&self, global: &Global, corpus: &Path) -> anyhow::Result<()> {
        let is_index =
            |planned: &Planned, path: &Path| planned.index.as_deref().is_some_and(|own| Path::new(own) == path);
        let files = self.commands.iter().flat_map(|planned| planned.writes.iter().map(move |path| (planned, path)));
        let files = files.filter(|(planned, path)| *path != Path::new("-") && !is_index(planned, path));
        let own = OwnFiles::of(corpus)?;
        for (planned, path) in files {
            global.paths.keeps_apart(&corpus.join(path))?;
            if !planned.forced {
                own.check(&corpus.join(path))?;
            }
        }
        let paths = self.commands.iter().flat_map(|planned| &planned.writes);
        // The command knows what % and {split} in a name stand for.
        for path in paths.filter(|path| !folder_of(path).to_string_lossy().contains(['%', '{'])) {
            resolved(path, corpus, &self.extra).map_err(Usage)?;
            // Without `.`, which `create_folder` would make before the folder that contains it.
            let folder: PathBuf = corpus.join(folder_of(path)).components().collect();
            create_folder(&folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
        Ok(())
    }

    /// Makes the outputs one after the other in the folder of a corpus, and passes on the result of each. Stops at the
    /// first that is stopped, finds a problem or fails.
    pub(super) fn make(
        self,
        global: &Global,
        folder: &Path,
        tell: &mut dyn FnMut(OutputResult) -> anyhow::Result<()>,
    ) -> anyhow::Result<Outcome> {
        if self.commands.is_empty() {
            return Ok(Outcome::Done);
        }
        let own = Arc::new(OwnFiles::of(folder)?);
        let mut published: Vec<(String, HashSet<u128>)> = Vec::new();
        for Planned { words, mut cli, writes, forced, .. } in self.commands {
            let refused = |reason| Usage(format!("output '{words}': {reason}"));
            writes.iter().try_for_each(|path| resolved(path, folder, &self.extra)).map_err(refused)?;
            global.say(format_args!("output: {words}"));
            cli.global.paths.keep_own(Arc::clone(&own), forced);
            let outcome = dispatch(cli).with_context(|| format!("output '{words}'"))?;
            let status = match outcome {
                Outcome::CheckFailed => Status::CheckFailed,
                Outcome::Stopped => Status::Stopped,
                _ => Status::Ok,
            };
            let mut result = OutputResult { output: words, status, files: Vec::new(), common: Vec::new() };
            let ended = match outcome {
                Outcome::Published(Published { classes, files }) => {
                    let name = writes.first().map_or_else(|| result.output.clone(), |path| path.display().to_string());
                    let classes = classes.into_iter().collect();
                    let others = published.iter().map(|(other, theirs)| compared((&name, &classes), (other, theirs)));
                    result.common = others.collect();
                    result.common.iter().for_each(|common| global.say(format_args!("puzzles: {common}")));
                    let inside =
                        |file: &PathBuf| file.strip_prefix(&self.extra.folder).unwrap_or(file).display().to_string();
                    result.files = files.iter().map(|(file, count)| (inside(file), *count)).collect();
                    published.push((name, classes));
                    None
                }
                Outcome::Done => None,
                ended => Some(ended),
            };
            tell(result)?;
            if let Some(ended) = ended {
                return Ok(ended);
            }
        }
        Ok(Outcome::Done)
    }
}

impl Planned {
    /// Parses the command line of an output twice: with its own paths for the checks, then with complete ones.
    fn new(draft: &OutputDraft, recipe: &Recipe, extra: &Extra) -> Result<Planned, String> {
        let options = changed(&draft.options, extra)?;
        let words = words(&draft.command, &options, extra)?;
        // A run that continues after a stop makes its outputs again: the list of its own files says what is replaced.
        let replaces = CHOOSING.contains(&words[1].as_str()) || words[1] == "release";
        let forced = words.iter().any(|word| word == FORCE);
        let line: Vec<String> = words.iter().cloned().chain((replaces && !forced).then(|| FORCE.to_owned())).collect();
        let cli = Cli::parsed(&line).map_err(|error| plain(&error))?;
        // The index of the call may be anywhere.
        let own = cli.global.paths.written().filter(|path| extra.remember.as_deref() != Some(path));
        let writes: Vec<PathBuf> = own.map(Path::to_owned).collect();
        writes.iter().try_for_each(|path| place(path, extra))?;
        check(&cli.command, recipe).map_err(|error| with_causes(&error))?;
        let plain = |path: &Path| {
            let pieces = path.components().filter(|piece| *piece != Component::CurDir);
            pieces.collect::<PathBuf>().to_string_lossy().into_owned()
        };
        let names = match &cli.command {
            Command::Export(args) => args.names(&recipe.levels.clone().unwrap_or_else(Levels::hodoku)),
            Command::Book(args) => args.names().map_err(|error| error.to_string())?,
            _ => cli.global.paths.written().map(plain).collect(),
        };
        let names = names.iter().map(|name| plain(Path::new(name))).filter(|name| name != "-").collect();
        let index = cli.global.paths.index().map(plain);
        let cli = Cli::parsed(in_folder(&line, &extra.folder)).map_err(|error| self::plain(&error))?;
        Ok(Planned { words: words[1..].join(" "), cli, forced, writes, names, index })
    }

    /// A name that files of both outputs may get.
    fn common(&self, other: &Planned) -> Option<&String> {
        let names = other.names.iter().chain(&other.index);
        let found = self.names.iter().find(|one| names.clone().any(|two| may_meet(one, two)));
        found.or_else(|| self.index.as_ref().filter(|index| other.names.iter().any(|name| may_meet(index, name))))
    }
}

/// Says whether two outputs have all, some or no puzzles in common, and how many.
fn compared((name, classes): (&str, &HashSet<u128>), (other, theirs): (&str, &HashSet<u128>)) -> String {
    let both = classes.intersection(theirs).count();
    let (all, of_others) = (classes.len(), theirs.len());
    match (both, both == all, both == of_others) {
        (0, ..) => format!("no puzzle of {name} is in {other}"),
        (_, true, true) => format!("{name} has the same {} as {other}", counted(all as u64, "puzzle")),
        (_, true, false) => format!("all {all} puzzles of {name} are among the {of_others} of {other}"),
        (_, false, true) => format!("all {of_others} puzzles of {other} are among the {all} of {name}"),
        _ => {
            let (all, how) = (counted(all as u64, "puzzle"), "the keys only and except, with a file of puzzles");
            format!("{both} of the {all} of {name} are in {other}; {how}, make it all or none")
        }
    }
}

/// The options of an output, with the values of `--set`, and with days in place of days of the week.
fn changed(options: &[String], extra: &Extra) -> Result<Vec<String>, String> {
    let before = std::iter::once("").chain(options.iter().map(String::as_str));
    let value = |(option, value): (&str, &String)| {
        let set = extra.set.iter().rev().find(|(of, _)| of == option && !value.starts_with("--"));
        let value = set.map_or(value, |(_, value)| value);
        if option != "--dates" {
            return Ok(value.clone());
        }
        let day = series::first_day(value, extra.today.unwrap_or_else(Day::today));
        day.map(|day| day.to_string()).map_err(|error| error.to_string())
    };
    before.zip(options).map(value).collect()
}

/// Reads KEY=VALUE as an option and its value. A file to read is relative to the current folder.
///
/// # Errors
/// There is no `=`.
pub(super) fn set(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("write KEY=VALUE, such as dates=2027-01-04")?;
    let option = format!("--{}", key.trim().replace('_', "-"));
    let program = super::command();
    let mut commands = COMMANDS.iter().filter_map(|command| program.find_subcommand(command));
    let is_read = commands.any(|command| Role::of_option(command, &option).is_some_and(Role::is_read));
    let file = Some(Path::new(value)).filter(|file| is_read && file.is_file());
    let file = file.and_then(|file| absolute(file).ok());
    Ok((option, file.map_or_else(|| value.to_owned(), |file| file.display().to_string())))
}

/// Checks that the recipe makes enough puzzles for a command.
fn check(command: &Command, recipe: &Recipe) -> anyhow::Result<()> {
    let wanted = match command {
        Command::Export(args) => args.request_of(recipe.shape, recipe.levels.clone())?,
        Command::Book(args) => args.request_of(recipe.levels.clone())?,
        _ => return Ok(()),
    };
    let quotas = wanted.quotas.iter().map(|quota| quota.count).fold(0, u64::saturating_add);
    let (needed, rows) = (wanted.count.unwrap_or(quotas), recipe.count);
    ensure!(needed <= rows, "this output needs {needed} puzzles, but the recipe makes {rows}");
    // If every quota of the recipe has a level, the number of puzzles of each level is known.
    let levels = recipe.levels.clone().unwrap_or_else(Levels::hodoku);
    let made = |rows: &RowQuota| Some((levels.place(rows.goal.level_name()?).ok()?, rows.count));
    let made: Vec<_> = recipe.quotas.iter().map(made).collect::<Option<_>>().unwrap_or_default();
    for Quota { name, count, condition, .. } in wanted.quotas.iter().filter(|_| !made.is_empty()) {
        let Some(at) = (0..levels.ranges().len()).find(|&at| levels.condition(at) == *condition) else { continue };
        let made = made.iter().filter(|(of, _)| *of == at).map(|(_, rows)| rows).sum::<u64>();
        ensure!(*count <= made, "this output needs {count} {name} puzzles, but the recipe makes {made}");
    }
    Ok(())
}

/// Checks that an output may be written to this path.
fn place(path: &Path, extra: &Extra) -> Result<(), String> {
    let shown = path.display();
    let leaves = path.components().any(|piece| !matches!(piece, Component::Normal(_) | Component::CurDir));
    match name_of_corpus(path) {
        _ if path == Path::new("-") || (leaves && extra.allow_outside) => Ok(()),
        _ if leaves => Err(format!("{shown} is outside the folder of the corpus; see --allow-outside")),
        Some(name) => Err(format!("{shown}: the corpus itself uses the name {name}")),
        None => Ok(()),
    }
}

/// Like [`place`], after following the links of what exists of the path: a link in the folder may lead out.
fn resolved(path: &Path, corpus: &Path, extra: &Extra) -> Result<(), String> {
    let full = corpus.join(path);
    let there = full.ancestors().find(|path| path.symlink_metadata().is_ok());
    match (there.map(Path::canonicalize), corpus.canonicalize()) {
        (Some(Ok(there)), Ok(corpus)) => place(there.strip_prefix(corpus).unwrap_or(&there), extra),
        (Some(Err(error)), Ok(_)) if !extra.allow_outside => Err(format!("{}: {error}", path.display())),
        // The folder of the corpus is still to be made.
        _ => Ok(()),
    }
}

/// The command line of an output.
fn words(command: &str, options: &[String], extra: &Extra) -> Result<Vec<String>, String> {
    let known = COMMANDS.join(", ");
    match command {
        "" => return Err(format!("command is missing; one of {known}")),
        other if !COMMANDS.contains(&other) => return Err(format!("command is '{other}'; an output can be {known}")),
        _ => {}
    }
    let mut words = vec!["sudoku-corpus".to_owned(), command.to_owned(), ".".to_owned()];
    let program = super::command();
    let role = |option: &str| Role::of_option(program.find_subcommand(command)?, option);
    let mut is_read = false;
    for option in options {
        let beside = extra.home.join(option);
        words.push(if is_read && beside.is_file() { beside.display().to_string() } else { option.clone() });
        is_read = role(option).is_some_and(Role::is_read);
    }
    if CHOOSING.contains(&command) {
        let except = extra.except.iter().map(|file| ("--except", &**file));
        for (option, file) in except.chain(extra.remember.iter().map(|index| ("--remember", &**index))) {
            words.extend([option.to_owned(), file.display().to_string()]);
        }
    }
    words.extend(extra.quiet.then(|| "--quiet".to_owned()));
    Ok(words)
}

/// What options of paths take besides paths.
const NO_PATHS: [&str; 4] = ["-", "newspaper", "hodoku", "none"];

/// A command line whose relative paths are in the folder of the corpus; also the default paths of what it writes.
fn in_folder(line: &[String], folder: &Path) -> Vec<OsString> {
    let program = super::command();
    let arguments = || program.find_subcommand(&line[1]).into_iter().flat_map(clap::Command::get_arguments);
    let named = |argument: &clap::Arg| argument.get_long().map(|long| format!("--{long}"));
    let inside = |path: &str| if NO_PATHS.contains(&path) { path.into() } else { folder.join(path).into_os_string() };
    let mut found: Vec<OsString> = vec![line[0].clone().into(), line[1].clone().into(), folder.into()];
    let mut is_path = false;
    for word in &line[3..] {
        found.push(if is_path { inside(word) } else { word.into() });
        is_path = arguments().any(|argument| Role::of(argument).is_some() && named(argument).as_ref() == Some(word));
    }
    let written = |argument: &&clap::Arg| Role::of(argument).is_some_and(Role::is_written);
    for argument in arguments().filter(written) {
        let Some(option) = named(argument).filter(|option| !line.contains(option)) else { continue };
        for value in argument.get_default_values() {
            found.extend([option.clone().into(), inside(&value.to_string_lossy())]);
        }
    }
    found
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

    /// What a run adds to the outputs of a corpus.
    fn of_corpus() -> Extra {
        Extra { folder: PathBuf::from("corpus"), ..Extra::default() }
    }

    fn parse(text: &str) -> Result<Outputs, String> {
        let draft = Draft::parse(text).map_err(|error| error.to_string())?;
        let recipe = Recipe::new(&draft).map_err(|error| error.to_string())?;
        Outputs::parse(&draft.output, &recipe, &of_corpus()).map_err(|error| error.to_string())
    }

    /// The message about a recipe whose outputs are wrong; empty if they are right.
    fn refusal(text: &str) -> String {
        parse(text).err().unwrap_or_default()
    }

    #[test]
    fn outputs_stay_away_from_the_corpus_and_inside_its_folder() {
        let written = |command: &str, option: &str, path: &str| {
            let needed = match (command, option) {
                ("report", _) => "",
                (_, "out") => "count = 5\n",
                ("book", _) => "count = 5\nout = \"x.pdf\"\n",
                _ => "count = 5\nout = \"x.sdm\"\n",
            };
            refusal(&format!("[[output]]\ncommand = \"{command}\"\n{needed}{option} = \"{path}\""))
        };
        let taken = ["part-000000.parquet", "./part-9.csv", "part-7.sdm", ".lock.sdm", "recipe.toml"];
        let more = ["./manifest.jsonl", "steps-000000.parquet", "Part-1.x"];
        for option in ["out", "steps", "merge", "index", "data", "remember"] {
            let command = match option {
                "data" => "report",
                "index" => "book",
                _ => "export",
            };
            for name in taken.iter().chain(&more) {
                let error = written(command, option, name);
                assert!(error.contains("the corpus itself uses the name"), "{option} {name}: {error}");
            }
            for outside in ["../x.sdm", "/tmp/x.sdm", "a/../../x.sdm"] {
                let error = written(command, option, outside);
                assert!(error.contains("see --allow-outside"), "{option} {outside}: {error}");
            }
        }
        // A key is the name of an option and nothing more.
        assert_ne!(refusal("[[output]]\ncommand = \"export\"\ncount = 5\n\"out=../x.sdm\" = true"), "");
        assert_eq!(["books/x.sdm", "x-part-1.sdm", "-"].map(|out| written("export", "out", out)), ["", "", ""]);
    }

    #[test]
    fn requests_that_a_recipe_cannot_satisfy_are_refused_beforehand() {
        let two = "[[quota]]\nlevel = \"easy\"\ncount = 60\n[[quota]]\nlevel = \"hard\"\ncount = 40\n";
        let own = "[[level]]\nname = \"Monday\"\nscore = \"0..200\"\n[[quota]]\nlevel = \"monday\"\ncount = 9\n";
        let wide = "[grid]\nshape = \"2x3\"\n";
        let book = |level: &str| format!("command = \"book\"\nlevel = \"{level}\"\nout = \"x.pdf\"");
        let export = |keys: &str, out: &str| format!("command = \"export\"\n{keys}\nout = \"{out}\"");
        for (head, output, message) in [
            (two, export("count = 200", "x.sdm"), "this output needs 200 puzzles, but the recipe makes 100"),
            (two, book("hard=50") + "\nlevels = \"hodoku\"", "50 hard puzzles, but the recipe makes 40"),
            (two, book("easy=9") + "\ntitle = \"\u{6570}\u{72ec}\"", "\u{6570}"),
            (two, export("count = 9\nlevel = \"ezy=4\"", "x.sdm"), "level"),
            (own, book("monday=10"), "10 puzzles, but the recipe makes 9"),
            (own, book("tuesday=1"), "no level is called 'tuesday'; known: Monday"),
            (wide, export("count = 9", "x.hodoku.txt"), "hodoku does not hold the 6x6 board, 2x3 boxes; it holds: 9x9"),
        ] {
            let error = refusal(&format!("{head}[[output]]\n{output}"));
            assert!(error.starts_with("[[output]] 1: ") && error.contains(message), "{output}: {error}");
        }
        assert_eq!(refusal(&format!("{own}[[output]]\n{}", book("monday=9"))), "");
    }

    #[test]
    fn days_of_the_week_and_changed_values_stand_in_the_command_lines() {
        let text = "[[output]]\ncommand = \"export\"\nall = true\ndates = \"monday\"\nfirst_puzzle = 1\nout = \"{date}.svg\"\n\
            [[output]]\ncommand = \"verify\"";
        let lines = |more: &[&str]| {
            let set: Vec<_> = more.iter().map(|text| set(text).unwrap()).collect();
            let extra = Extra { set, today: "2026-11-22".parse().ok(), ..of_corpus() };
            let draft = Draft::parse(text).unwrap();
            let outputs = Outputs::parse(&draft.output, &Recipe::new(&draft).unwrap(), &extra);
            outputs.map(|outputs| outputs.lines().collect::<Vec<_>>().join(";")).map_err(|error| error.to_string())
        };
        let week = "export . --all --dates 2026-11-23 --first-puzzle 1 --out {date}.svg;verify .";
        assert_eq!(lines(&[]), Ok(week.to_owned()));
        let next = week.replace("2026-11-23", "2026-11-25").replace("puzzle 1", "puzzle 7");
        assert_eq!(lines(&["dates=wed", "first_puzzle=6", "first_puzzle=7"]), Ok(next));
        assert!(lines(&["dates=someday"]).unwrap_err().contains("[[output]] 1: 'someday' is not a day"));
        assert!(lines(&["out=../x.svg"]).unwrap_err().contains("see --allow-outside"));
        assert_eq!(
            lines(&["first_pussle=7"]).unwrap_err(),
            "--set: no [[output]] has a value for the key first_pussle"
        );
        assert!(lines(&["all=9"]).unwrap_err().contains("key all"));
        assert!(set("dates").is_err());
    }

    #[test]
    fn books_and_exports_remember_what_they_publish() {
        let extra = Extra { remember: Some("own".into()), except: vec!["a".into(), "b".into()], ..Extra::default() };
        let line = |command: &str| words(command, &[], &extra).unwrap()[1..].join(" ");
        assert_eq!(line("book"), "book . --except a --except b --remember own");
        assert_eq!(line("export"), "export . --except a --except b --remember own");
        assert_eq!(line("report"), "report .");
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
            (&format!("{verify}{verify}sampel = 3"), "[[output]] 2: unexpected argument '--sampel'"),
            (&format!("{verify}sample = \"many\""), "[[output]] 1: invalid value 'many'"),
        ] {
            let error = refusal(text);
            assert!(error.starts_with(message), "{text}: {error}");
        }
        assert!(parse("[[output]]\ncommand = { a = 1 }").is_err());
        assert!(parse(&format!("{verify}sample = {{ a = 1 }}")).is_err());
    }
}
