//! Checks the paths of a call: each is an input or an output, once.
//!
//! ```text
//!   arguments with types of store/corpus/files/paths.rs  ->  Paths  ->  check, before any work
//!                                                              ^
//!   names that follow from an option:  claim(option, file), before the file is written
//! ```
//!
//! An output differs from every other output, from every input, from the files of every corpus, and from every index.
//! Two paths are one if they lead to one place through their links. Paths that differ only in upper and lower case
//! count as one output, because some file systems do not tell them apart. A file that exists is replaced only with
//! `--force`, an option of every command that writes files.

use std::any::TypeId;
use std::collections::HashMap;
use std::ffi::OsString;
#[cfg(unix)]
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use anyhow::Context as _;

use crate::cli::Usage;
use crate::corpus::{
    IndexPath, InputPath, NamedInput, Output, OutputFolder, OutputPath, PublishedPath, RECIPE_FILE, WorkFolder,
    is_published_index, name_of_corpus, resolved,
};

/// The option `--force` for a command that writes files. `release` has one of its own.
pub(in crate::cli) fn with_force(command: clap::Command) -> clap::Command {
    let has_force = command.get_arguments().any(|argument| argument.get_long() == Some(FORCE));
    let writes = command.get_arguments().filter_map(Use::of).any(|what| matches!(what, Use::Written | Use::Folder));
    if has_force || !writes {
        return command;
    }
    let force = clap::Arg::new(FORCE).long(FORCE).action(clap::ArgAction::SetTrue).help_heading(None::<&str>);
    command.arg(force.help("Replace files that exist. An input is never replaced"))
}

/// The option that lets files be replaced.
const FORCE: &str = "force";

/// What a call does with a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Use {
    Read,
    /// Read, and it may be the index of the call.
    Published,
    Written,
    /// A folder that is written.
    Folder,
    /// The index of published puzzles: read and written.
    Index,
    /// A folder that is read, and whose work is continued.
    Work,
}

/// The types of paths, and what a call does with them.
fn uses() -> [(TypeId, Use, &'static str); 7] {
    [
        (TypeId::of::<InputPath>(), Use::Read, "read"),
        (TypeId::of::<NamedInput>(), Use::Read, "read, as PATH or NAME=PATH"),
        (TypeId::of::<PublishedPath>(), Use::Published, "read, also the index of the call"),
        (TypeId::of::<OutputPath>(), Use::Written, "written"),
        (TypeId::of::<OutputFolder>(), Use::Folder, "written, a folder"),
        (TypeId::of::<IndexPath>(), Use::Index, "read, and puzzles are added"),
        (TypeId::of::<WorkFolder>(), Use::Work, "read and continued, a folder"),
    ]
}

impl Use {
    /// What a call does with the values of an argument, by their type. None if they are no paths.
    pub(in crate::cli) fn of(argument: &clap::Arg) -> Option<Use> {
        Use::described(argument).map(|(what, _)| what)
    }

    /// The same, with a description in words.
    fn described(argument: &clap::Arg) -> Option<(Use, &'static str)> {
        let value_type = argument.get_value_parser().type_id();
        let (_, what, about) = uses().into_iter().find(|(path_type, ..)| value_type == *path_type)?;
        Some((what, about))
    }

    fn is_read(self) -> bool {
        matches!(self, Use::Read | Use::Published)
    }

    /// True for what the call writes. A folder of work is no output: it is continued.
    fn is_written(self) -> bool {
        matches!(self, Use::Written | Use::Folder | Use::Index)
    }
}

/// A path of the command line, or a default.
#[derive(Clone, Debug)]
struct GivenPath {
    what: Use,
    /// The argument, for messages: `--out`, or the name of a value.
    argument: String,
    /// Of `NAME=PATH`, the path alone.
    path: PathBuf,
}

/// The option to which the name of an output belongs.
#[derive(Debug)]
struct NameOwner {
    option: GivenPath,
    /// True if the name itself stands in the option, false if it only follows from the option.
    is_literal: bool,
}

/// All paths of a call.
#[derive(Debug, Default)]
pub(in crate::cli) struct Paths {
    given: Vec<GivenPath>,
    /// Files that exist may be replaced.
    replaces: AtomicBool,
    /// The owners of the outputs so far, by the complete paths of the outputs in small letters.
    owners: Mutex<HashMap<String, NameOwner>>,
    /// The complete paths of all inputs.
    inputs: OnceLock<Vec<(Use, PathBuf)>>,
}

impl Paths {
    /// The paths of a command line.
    pub(in crate::cli) fn of(matches: &clap::ArgMatches, command: &clap::Command) -> Paths {
        let Some((name, matches)) = matches.subcommand() else { return Paths::default() };
        let arguments = command.find_subcommand(name).into_iter().flat_map(clap::Command::get_arguments);
        let mut given = Vec::new();
        for argument in arguments {
            let Some(what) = Use::of(argument) else { continue };
            let is_named = is_named(argument);
            let Ok(Some(values)) = matches.try_get_raw(argument.get_id().as_str()) else { continue };
            for value in values {
                let mut path = PathBuf::from(OsString::from(value));
                if is_named {
                    path = NamedInput::from(path).split().1.to_owned();
                }
                given.push(GivenPath { what, argument: shown(argument), path });
            }
        }
        let force = matches.try_get_one::<bool>(FORCE).ok().flatten().copied().unwrap_or(false);
        Paths { given, replaces: AtomicBool::new(force), ..Paths::default() }
    }

    /// The paths with this use, as they were given or by default.
    pub(in crate::cli) fn given(&self, what: Use) -> impl Iterator<Item = &Path> {
        self.given.iter().filter(move |given| given.what == what).map(|given| &*given.path)
    }

    /// The files and folders that the call writes.
    pub(in crate::cli) fn written(&self) -> impl Iterator<Item = &Path> {
        self.given.iter().filter(|given| given.what.is_written()).map(|given| &*given.path)
    }

    /// The arguments that are read, with their paths.
    pub(in crate::cli) fn read_arguments(&self) -> impl Iterator<Item = (&str, &Path)> {
        let read = self.given.iter().filter(|given| given.what.is_read());
        read.map(|given| (given.argument.as_str(), &*given.path))
    }

    /// What the call reads.
    pub(in crate::cli) fn read(&self) -> impl Iterator<Item = &Path> {
        self.given.iter().filter(|given| given.what.is_read()).map(|given| &*given.path)
    }

    /// Refuses files that exist, unless they may be replaced. Pipes, devices and descriptors may always be written.
    pub(in crate::cli) fn refuse_existing(&self) -> anyhow::Result<()> {
        self.given(Use::Written).try_for_each(|path| self.check_replaced(path))
    }

    /// Lets this call replace the files of a call that was stopped.
    pub(in crate::cli) fn replace(&self) {
        self.replaces.store(true, Ordering::Relaxed);
    }

    /// Refuses a file that exists, unless it may be replaced.
    fn check_replaced(&self, path: &Path) -> anyhow::Result<()> {
        if Output::replaces(path) && !self.replaces.load(Ordering::Relaxed) {
            return Err(Usage(format!("{} exists: --force replaces it", path.display())).into());
        }
        Ok(())
    }

    /// Refuses an output that is an input, another output or a file of a corpus.
    pub(in crate::cli) fn check(&self) -> anyhow::Result<()> {
        for given in self.given.iter().filter(|given| given.what.is_written()) {
            self.reserve(given, &given.path, true)?;
            if given.what == Use::Folder {
                check_folder(&given.argument, &given.path)?;
            }
        }
        Ok(())
    }

    /// Checks a file whose name follows from an option, before it is written. Each file is claimed once.
    pub(in crate::cli) fn claim(&self, option: &Path, file: &Path) -> anyhow::Result<()> {
        let given = self.given.iter().find(|given| given.what.is_written() && given.path == option).cloned();
        let given = given.unwrap_or_else(|| GivenPath {
            what: Use::Written,
            argument: "another output".to_owned(),
            path: option.to_owned(),
        });
        self.reserve(&given, file, false)?;
        self.check_replaced(file)
    }

    /// Reserves the name of an output for an option. An error if the name is not free.
    fn reserve(&self, option: &GivenPath, path: &Path, is_literal: bool) -> anyhow::Result<()> {
        // Some file systems do not tell small letters from capitals.
        let name = match place(path) {
            Some(place) => {
                self.check_place(option.what, path, &place)?;
                place.to_string_lossy().to_lowercase()
            }
            None if Output::is_standard(path) => "/dev/stdout".to_owned(),
            None => return Ok(()),
        };
        let mut owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(owner) = owners.get(&name) {
            // A file that follows from an option may have the name that stands in this option.
            let is_own_name = !is_literal && owner.is_literal && owner.option.path == option.path;
            if !is_own_name {
                let (first, second) = (&owner.option.argument, &option.argument);
                let both =
                    if first == second { format!("{first} names it twice") } else { format!("{first} and {second}") };
                return Err(Usage(format!("{}: two outputs cannot have one name ({both})", path.display())).into());
            }
        }
        owners.insert(name, NameOwner { option: option.clone(), is_literal });
        Ok(())
    }

    /// Refuses a file of a later call, such as an output of a recipe, that this call reads.
    pub(in crate::cli) fn check_later_file(&self, file: &Path) -> anyhow::Result<()> {
        place(file).map_or(Ok(()), |place| self.check_place(Use::Written, file, &place))
    }

    /// Refuses an output that is an input, a folder with an input, a file of a corpus, or an index of published puzzles.
    /// `path` is its name in messages, `output` its complete path.
    fn check_place(&self, what: Use, path: &Path, output: &Path) -> anyhow::Result<()> {
        let shown = path.display();
        for (input_use, input) in self.inputs() {
            // The index of the call may be read as the index of earlier exports, too.
            if *input_use == Use::Published && what == Use::Index {
                continue;
            }
            if input == output || is_one_file(input, output) {
                return Err(Usage(format!("{shown} is an input: it would be replaced")).into());
            }
            if input.starts_with(output) {
                return Err(Usage(format!("{shown}: the input {} lies in this folder", input.display())).into());
            }
        }
        if Output::is_standard(path) || Output::is_direct(path) {
            return Ok(());
        }
        for folder in output.ancestors().skip(1) {
            let corpus_name = output.strip_prefix(folder).ok().and_then(name_of_corpus);
            if let Some(name) = corpus_name
                && folder.join(RECIPE_FILE).is_file()
            {
                return Err(
                    Usage(format!("{shown}: the corpus {} itself uses the name {name}", folder.display())).into()
                );
            }
        }
        if what != Use::Index && is_published_index(output)? {
            return Err(Usage(format!("{shown} is an index of published puzzles: it would be replaced")).into());
        }
        Ok(())
    }

    /// The complete paths of the inputs, as far as they exist.
    fn inputs(&self) -> &[(Use, PathBuf)] {
        self.inputs.get_or_init(|| {
            let mut inputs = Vec::new();
            for given in self.given.iter().filter(|given| given.what.is_read()) {
                let path = if given.path == Path::new("-") { Path::new("/dev/stdin") } else { &given.path };
                if let Ok(complete) = path.canonicalize() {
                    inputs.push((given.what, complete));
                }
            }
            inputs
        })
    }
}

/// True for two names of one file.
fn is_one_file(left: &Path, right: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let device_and_inode =
            |path: &Path| path.metadata().ok().filter(fs::Metadata::is_file).map(|data| (data.dev(), data.ino()));
        device_and_inode(left).is_some_and(|left_file| device_and_inode(right) == Some(left_file))
    }
    #[cfg(not(unix))]
    {
        left == right
    }
}

/// The complete path of an output, also of one that standard output or a descriptor leads to. None for devices and pipes,
/// which take everything.
fn place(path: &Path) -> Option<PathBuf> {
    let path = if Output::is_standard(path) { Path::new("/dev/stdout") } else { path };
    match Output::is_direct(path) {
        true => path.canonicalize().ok().filter(|file| file.is_file()),
        false => resolved(path),
    }
}

/// Refuses the name of a folder that is the name of a file, or lies below one.
pub(in crate::cli) fn check_folder(argument: &str, path: &Path) -> Result<(), Usage> {
    match path.ancestors().find(|above| above.exists()) {
        Some(file) if !file.is_dir() => {
            Err(Usage(format!("{argument} names a folder, but {} is a file", file.display())))
        }
        _ => Ok(()),
    }
}

/// The paths of all commands: the command, the argument, and what is done with it.
pub(in crate::cli) fn table() -> impl Iterator<Item = [String; 3]> {
    let mut rows = Vec::new();
    for command in crate::cli::command().get_subcommands() {
        for argument in command.get_arguments().filter(|argument| !argument.is_hide_set()) {
            if let Some((_, about)) = Use::described(argument) {
                rows.push([command.get_name().to_owned(), shown(argument), about.to_owned()]);
            }
        }
    }
    rows.into_iter()
}

/// True if the values of an argument are `NAME=PATH`.
fn is_named(argument: &clap::Arg) -> bool {
    argument.get_value_parser().type_id() == TypeId::of::<NamedInput>()
}

/// An argument in messages: `--out`, or the name of a value.
fn shown(argument: &clap::Arg) -> String {
    argument.get_long().map_or_else(|| argument.get_id().as_str().to_uppercase(), |long| format!("--{long}"))
}

/// The name of an output in messages.
pub(in crate::cli) fn name(out: &Path) -> String {
    if out == Path::new("-") { "standard output".to_owned() } else { out.display().to_string() }
}

/// Paths as the libraries take them.
pub(in crate::cli) fn plain(paths: &[impl AsRef<Path>]) -> Vec<PathBuf> {
    paths.iter().map(|path| path.as_ref().to_owned()).collect()
}

/// The absolute form of a path.
pub(in crate::cli) fn absolute(path: &Path) -> anyhow::Result<PathBuf> {
    std::path::absolute(path).with_context(|| format!("{}: no such path", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::folder_of;

    /// A new option for a file or a folder has one of the types of paths, so that the law holds for it.
    #[test]
    fn every_argument_that_names_a_file_has_a_type_of_paths() {
        let plain = [TypeId::of::<PathBuf>(), TypeId::of::<OsString>()];
        let words = ["FILE", "DIR", "FOLDER", "PATH", "CORPUS", "POOL"];
        let mut paths = 0;
        for command in crate::cli::command().get_subcommands() {
            for argument in command.get_arguments() {
                let values = argument.get_value_parser().type_id();
                let names = argument.get_value_names().unwrap_or_default();
                let like_path = names.iter().any(|name| words.iter().any(|word| name.contains(word)));
                let plain = plain.iter().any(|kind| values == *kind);
                let known = Use::of(argument).is_some() || !argument.get_action().takes_values();
                let place = format!("{} {}", command.get_name(), argument.get_id());
                assert!(known || (!plain && !like_path), "{place}: use a type of store/corpus/files/paths.rs");
                paths += usize::from(Use::of(argument).is_some());
            }
        }
        assert!(paths > 60, "{paths}");
    }

    /// The paths of a call.
    fn paths(given: &[(Use, PathBuf)]) -> Paths {
        let one =
            |(what, path): &(Use, PathBuf)| GivenPath { what: *what, argument: "--x".to_owned(), path: path.clone() };
        Paths { given: given.iter().map(one).collect(), ..Paths::default() }
    }

    /// Every kind of path that is written, in every relation to every other kind, and to files of a corpus and an index
    /// that the call does not read.
    #[cfg(unix)]
    #[test]
    fn every_output_differs_from_every_other_path() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| if name == "-" { PathBuf::from(name) } else { folder.path().join(name) };
        for name in ["there", "corpus/recipe.toml", "corpus/rows/part-000001.parquet"] {
            fs::create_dir_all(folder_of(&at(name))).unwrap();
            fs::write(at(name), "").unwrap();
        }
        fs::write(at("seen"), "sudoku-corpus index 2\n").unwrap();
        std::os::unix::fs::symlink("there", at("link")).unwrap();
        std::os::unix::fs::symlink("new", at("dangling")).unwrap();
        fs::hard_link(at("there"), at("hard")).unwrap();
        let same = ["there", "./there", "corpus/../there", "link", "hard"].map(|name| (name, "there"));
        let outputs = [("new", "new"), ("new", "./new"), ("dangling", "new"), ("New", "new"), ("no/../new", "new")];
        let mut tried = 0;
        let mut is_refused = |given: &[(Use, &str)]| {
            tried += 1;
            let given: Vec<_> = given.iter().map(|(what, name)| (*what, at(name))).collect();
            paths(&given).check().is_err()
        };
        let uses = uses().map(|(_, what, _)| what);
        for writes in uses.into_iter().filter(|what| what.is_written()) {
            for name in ["corpus/rows/part-000001.parquet", "corpus/rows/mine.csv", "corpus/recipe.toml"] {
                assert!(is_refused(&[(writes, name)]), "{writes:?} {name}");
            }
            assert_eq!(is_refused(&[(writes, "seen")]), writes != Use::Index);
            assert_eq!(is_refused(&[(writes, "there/below")]), writes == Use::Folder);
            assert!(!is_refused(&[(writes, "other"), (Use::Read, "there")]));
            for what in uses {
                // The index of a call holds what was published before, too.
                let is_own = (writes, what) == (Use::Index, Use::Published);
                for (one, two) in same.into_iter().filter(|_| what.is_read()) {
                    assert_eq!(
                        is_refused(&[(writes, one), (what, two)]),
                        !is_own || writes == Use::Folder,
                        "{what:?} {one}"
                    );
                }
                for (one, two) in outputs.into_iter().chain([("-", "/dev/stdout")]).filter(|_| what.is_written()) {
                    assert!(is_refused(&[(writes, one), (what, two)]), "{what:?} {one}");
                }
                if writes == Use::Folder && what.is_read() {
                    assert!(is_refused(&[(writes, "corpus"), (what, "corpus/rows/part-000001.parquet")]));
                }
            }
        }
        assert!(tried > 60, "{tried}");
    }

    #[test]
    fn every_command_that_writes_files_replaces_them_only_with_force() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("there");
        fs::write(&file, "").unwrap();
        let written = paths(&[(Use::Written, file.clone())]);
        assert!(written.refuse_existing().is_err() && written.claim(&file, &file).is_err());
        written.replace();
        written.refuse_existing().unwrap();
        let program = crate::cli::command();
        let writes = |command: &&clap::Command| command.get_arguments().any(|one| Use::of(one) == Some(Use::Written));
        for command in program.get_subcommands().filter(writes) {
            assert!(command.get_arguments().any(|one| one.get_long() == Some(FORCE)), "{}", command.get_name());
        }
    }

    /// Names that follow from options are compared by a table, not one by one.
    #[test]
    fn a_name_is_taken_once_and_its_own_option_may_have_it() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let paths = paths(&["p-%.svg", "p-7.svg"].map(|name| (Use::Written, at(name))));
        paths.check().unwrap();
        let claim = |option: &str, file: &str| paths.claim(&at(option), &at(file));
        claim("p-7.svg", "p-7.svg").unwrap();
        assert!(claim("p-7.svg", "p-7.svg").is_err() && claim("p-%.svg", "p-7.svg").is_err());
        claim("p-%.svg", "p-8.svg").unwrap();
        for same in ["./p-8.svg", "P-8.SVG", "x/../p-8.svg"] {
            assert!(claim("p-%.svg", same).is_err(), "{same}");
        }
        claim("p-%.svg", "x/p-8.svg").unwrap();
        claim("p-%.svg", "/dev/null").and(claim("p-%.svg", "/dev/null")).unwrap();
    }
}
