//! Checks the paths of a call: each is an input or an output, once.
//!
//! ```text
//!   arguments with types of store/corpus/files/paths.rs  ->  Paths  ->  check, before any work
//!                                                              ^
//!   names that follow from an option:  claim(option, file), before the file is written
//! ```
//!
//! An output differs from every other output, from every input and from the files of every corpus and index, whether or
//! not the call reads it. Files are the same if the system says so (links), or if they have one path. Paths that differ
//! only in upper and lower case count as one, because some file systems do not tell them apart. Existing outputs are
//! replaced only with `--force`, where a command has it.
//!
//! The program writes no other files: it says so to [`write_only_claimed`](crate::corpus::write_only_claimed), so a
//! command whose file nobody has claimed ends with an error.

use std::any::TypeId;
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context as _;

use super::own::OwnFiles;
use super::{Usage, cannot_write};
use crate::corpus::{
    self, IndexPath, InputPath, MANIFEST_FILE, NamedInput, Output, OutputFolder, OutputPath, PublishedPath,
    RECIPE_FILE, WorkFolder, files_in, folder_of, name_of_corpus, through_links,
};
use crate::publish::holds_index;

/// Whether an existing file may be replaced.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(super) struct Replace {
    /// Replace existing outputs. An input is never replaced.
    #[arg(long)]
    force: bool,
}

impl Replace {
    /// Files may be replaced.
    pub(super) const ALWAYS: Replace = Replace { force: true };

    /// Refuses to replace a file without `--force`. Pipes, devices and descriptors may always be written.
    pub(super) fn may_write(self, path: &Path) -> anyhow::Result<()> {
        if Output::replaces(path) && !self.force {
            return Err(Usage(format!("{} exists: --force replaces it", path.display())).into());
        }
        Ok(())
    }
}

/// What a call does with a path: a role for each type of `store/corpus/files/paths.rs`, in the order there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Input,
    Named,
    Published,
    Output,
    Folder,
    Index,
    Work,
}

impl Role {
    /// The role of an argument, by the type of its values. None if they are no paths.
    pub(super) fn of(argument: &clap::Arg) -> Option<Role> {
        let roles = [
            (TypeId::of::<InputPath>(), Role::Input),
            (TypeId::of::<NamedInput>(), Role::Named),
            (TypeId::of::<PublishedPath>(), Role::Published),
            (TypeId::of::<OutputPath>(), Role::Output),
            (TypeId::of::<OutputFolder>(), Role::Folder),
            (TypeId::of::<IndexPath>(), Role::Index),
            (TypeId::of::<WorkFolder>(), Role::Work),
        ];
        let values = argument.get_value_parser().type_id();
        roles.into_iter().find(|(kind, _)| values == *kind).map(|(_, role)| role)
    }

    /// The role of an option, such as `--out`, of a command.
    pub(super) fn of_option(command: &clap::Command, option: &str) -> Option<Role> {
        let named =
            |argument: &&clap::Arg| argument.get_long().is_some_and(|long| option.strip_prefix("--") == Some(long));
        Role::of(command.get_arguments().find(named)?)
    }

    /// What a call does with it, in words.
    fn about(self) -> &'static str {
        match self {
            Role::Input => "read",
            Role::Named => "read, as PATH or NAME=PATH",
            Role::Published => "read, also the index of the call",
            Role::Output => "written",
            Role::Folder => "written, a folder",
            Role::Index => "read, and lines are added",
            Role::Work => "read and continued, a folder",
        }
    }

    /// True for what is read and not written.
    pub(super) fn is_read(self) -> bool {
        matches!(self, Role::Input | Role::Named | Role::Published)
    }

    /// True for what the call writes. A folder of work is no output: it is continued.
    pub(super) fn is_written(self) -> bool {
        matches!(self, Role::Output | Role::Folder | Role::Index)
    }
}

/// A path of the command line.
#[derive(Clone, Debug)]
struct Given {
    role: Role,
    /// The argument, for messages: `--out`, or the name of a value.
    argument: String,
    /// As it was given; of `NAME=PATH`, there is also an entry with the path alone.
    path: PathBuf,
}

/// A file that the call is going to write.
#[derive(Clone, Debug)]
struct Claim {
    /// The place of its argument in the list of paths.
    of: Option<usize>,
    /// Its name stands on the command line.
    literal: bool,
    file: FileId,
}

/// All paths of a call.
#[derive(Debug, Default)]
pub(super) struct Paths {
    given: Vec<Given>,
    claims: Mutex<Vec<Claim>>,
    /// For an output of a recipe: the files that may be replaced, and whether the recipe lets it replace others too.
    own: Option<(Arc<OwnFiles>, bool)>,
}

impl Paths {
    /// The paths of a command line.
    pub(super) fn of(matches: &clap::ArgMatches, command: &clap::Command) -> Paths {
        let Some((name, matches)) = matches.subcommand() else { return Paths::default() };
        let arguments = command.find_subcommand(name).into_iter().flat_map(clap::Command::get_arguments);
        let mut given = Vec::new();
        for argument in arguments {
            let Some(role) = Role::of(argument) else { continue };
            let id = argument.get_id().as_str();
            let shown = shown(argument);
            let values = matches.try_get_raw(id).ok().flatten().into_iter().flatten();
            for path in values.map(|value| PathBuf::from(OsString::from(value))) {
                if role == Role::Named {
                    let named = NamedInput::from(path.clone());
                    given.push(Given { role, argument: shown.clone(), path: named.split().1.to_owned() });
                }
                given.push(Given { role, argument: shown.clone(), path });
            }
        }
        Paths { given, ..Paths::default() }
    }

    /// The files and folders that the call writes, as they were given or by default. Indexes come last.
    pub(super) fn written(&self) -> impl Iterator<Item = &Path> {
        let of = |index: bool| self.given.iter().filter(move |given| (given.role == Role::Index) == index);
        of(false).chain(of(true)).filter(|given| given.role.is_written()).map(|given| &*given.path)
    }

    /// What the call reads.
    pub(super) fn read(&self) -> impl Iterator<Item = &Path> {
        self.given.iter().filter(|given| given.role.is_read()).map(|given| &*given.path)
    }

    /// The index of published puzzles.
    pub(super) fn index(&self) -> Option<&Path> {
        self.given.iter().find(|given| given.role == Role::Index).map(|given| &*given.path)
    }

    /// From now on, only own files are replaced, or all if it is `forced`; and what is written is one of them.
    pub(super) fn keep_own(&mut self, own: Arc<OwnFiles>, forced: bool) {
        self.own = Some((own, forced));
    }

    /// For an output of a recipe: refuses a file of others, and adds it to the list of own files.
    fn check_own(&self, path: &Path) -> anyhow::Result<()> {
        match &self.own {
            Some(_) if Output::is_standard(path) => Ok(()),
            Some((own, forced)) => (if *forced { Ok(()) } else { own.check(path) }).and_then(|()| own.add(path)),
            None => Ok(()),
        }
    }

    /// Refuses an output that is an input, another output or a file of a corpus.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        for (at, given) in self.given.iter().enumerate() {
            let Given { role, argument, path } = given;
            if matches!(role, Role::Folder | Role::Work | Role::Index) && path == Path::new("-") {
                return Err(Usage(format!("{argument} -: this cannot go to standard output; give it a name")).into());
            }
            match role {
                Role::Output | Role::Index => self.claim_for(Some(at), true, path)?,
                Role::Folder => {
                    self.keep_folder_apart(path)?;
                    self.claim_for(Some(at), true, path)?;
                    may_be_folder(argument, path)?;
                }
                Role::Work => corpus::claim(path).with_context(|| cannot_write(path))?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Checks a file whose name follows from an option, before it is written. Each file is claimed once.
    pub(super) fn claim(&self, option: &Path, file: &Path) -> anyhow::Result<()> {
        let of = self.given.iter().position(|given| given.role.is_written() && given.path == option);
        self.claim_for(of, false, file)
    }

    /// Refuses a file of a later call, such as an output of a recipe, that this call reads or continues.
    pub(super) fn keeps_apart(&self, file: &Path) -> Result<(), Usage> {
        self.keep_apart(None, file)
    }

    /// Checks a file, and notes that the call writes it. `of` and `literal` are those of [`Claim`].
    fn claim_for(&self, of: Option<usize>, literal: bool, path: &Path) -> anyhow::Result<()> {
        self.keep_apart(of, path)?;
        let file = FileId::of(path);
        let mut claims = self.claims.lock().unwrap_or_else(PoisonError::into_inner);
        // A file may have the name that stands in its own option.
        let own = |other: &Claim| other.literal && of.is_some() && other.of == of;
        if let Some(other) = claims.iter().find(|other| other.file.is(&file) && !own(other)) {
            let option = |of: Option<usize>| of.map_or("another output", |of| &*self.given[of].argument);
            let (first, second) = (option(other.of), option(of));
            let both =
                if first == second { format!("{first} names it twice") } else { format!("{first} and {second}") };
            return Err(Usage(format!("{}: two outputs cannot have one name ({both})", path.display())).into());
        }
        claims.push(Claim { of, literal, file });
        corpus::claim(path).with_context(|| cannot_write(path))?;
        if of.is_some_and(|of| self.given[of].role == Role::Index) { Ok(()) } else { self.check_own(path) }
    }

    /// Refuses an output that is an input, by any of its names, or that has a name of a corpus. Reports and books may
    /// lie beside the parts of a corpus.
    fn keep_apart(&self, of: Option<usize>, path: &Path) -> Result<(), Usage> {
        let shown = path.display();
        let role = of.map(|of| self.given[of].role);
        let file = FileId::of(path);
        for given in self.given.iter().filter(|given| given.role.is_read() || given.role == Role::Work) {
            let source = if given.path == Path::new("-") { Path::new("/dev/stdin") } else { &given.path };
            // The index of the call may be one of the files of --except or --only.
            if role == Some(Role::Index) && given.role == Role::Published && FileId::of(source).is(&file) {
                continue;
            }
            let folder = source.canonicalize().ok().filter(|folder| folder.is_dir());
            // A folder of work need not exist yet.
            let folder = folder.or_else(|| resolved(source).filter(|_| given.role == Role::Work));
            let below = folder.as_ref().and_then(|folder| file.path.as_ref()?.strip_prefix(folder).ok());
            if let Some(name) = below.and_then(name_of_corpus) {
                return Err(Usage(format!("{shown}: the corpus {} itself uses the name {name}", source.display())));
            }
            let linked = || folder.as_ref().and_then(|folder| files_in(folder).ok()).into_iter().flatten();
            if file.is_same_file(source) || (file.has_links && linked().any(|other| file.is_same_file(&other))) {
                return Err(Usage(format!("{shown} is an input: it would be replaced")));
            }
        }
        let above = file.path.iter().flat_map(|path| path.ancestors().skip(1));
        for folder in above.filter(|folder| [RECIPE_FILE, MANIFEST_FILE].iter().any(|own| folder.join(own).is_file())) {
            let below = file.path.as_ref().and_then(|path| path.strip_prefix(folder).ok());
            if let Some(name) = below.and_then(name_of_corpus) {
                return Err(Usage(format!("{shown}: the corpus {} itself uses the name {name}", folder.display())));
            }
        }
        match role {
            Some(Role::Index) => Ok(()),
            _ if holds_index(path) => {
                Err(Usage(format!("{shown} is an index of published puzzles: it would be replaced")))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a folder in which an input lies, or that is one.
    fn keep_folder_apart(&self, folder: &Path) -> Result<(), Usage> {
        let shown = folder.display();
        let Some(full) = resolved(folder) else { return Ok(()) };
        let inputs = self.given.iter().filter(|given| given.role.is_read()).map(|given| &given.path);
        let inside = |path: &&PathBuf| path.canonicalize().is_ok_and(|path| path.starts_with(&full));
        match inputs.clone().find(inside) {
            Some(input) => Err(Usage(format!("{shown}: the input {} lies in this folder", input.display()))),
            None => Ok(()),
        }
    }
}

/// Refuses the name of a folder that is the name of a file, or lies below one.
pub(super) fn may_be_folder(argument: &str, path: &Path) -> Result<(), Usage> {
    match path.ancestors().find(|above| above.exists()) {
        Some(file) if !file.is_dir() => {
            Err(Usage(format!("{argument} names a folder, but {} is a file", file.display())))
        }
        _ => Ok(()),
    }
}

/// What tells a file from others.
#[derive(Clone, Debug)]
struct FileId {
    /// It is the standard output.
    standard: bool,
    /// What all names and links of an existing file or named pipe have in common.
    node: Option<String>,
    /// It has several names.
    has_links: bool,
    /// The complete path after following links, whether or not the file exists. None for devices and descriptors.
    path: Option<PathBuf>,
}

impl FileId {
    fn of(path: &Path) -> FileId {
        let standard = Output::is_standard(path);
        let path = if standard { Path::new("/dev/stdout") } else { path };
        let (node, has_links) = node(path).unzip();
        let direct = standard || Output::is_direct(path);
        FileId { standard, node, has_links: has_links == Some(true), path: (!direct).then(|| resolved(path)).flatten() }
    }

    /// True if both are one output.
    fn is(&self, other: &FileId) -> bool {
        let folded = |file: &FileId| file.path.as_ref().map(|path| path.to_string_lossy().to_lowercase());
        let path = folded(self);
        (self.standard && other.standard)
            || (self.node.is_some() && self.node == other.node)
            || (path.is_some() && path == folded(other))
    }

    /// True if it is an existing file, by any of its names.
    fn is_same_file(&self, path: &Path) -> bool {
        let file = fs::metadata(path).is_ok_and(|data| data.is_file());
        file && self.node.is_some() && self.node == node(path).map(|(node, _)| node)
    }
}

/// What all names of an existing file or named pipe have in common, and whether it has several. None for devices and
/// folders.
fn node(path: &Path) -> Option<(String, bool)> {
    let data = fs::metadata(path).ok()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
        let known = data.is_file() || data.file_type().is_fifo();
        known.then(|| (format!("{}:{}", data.dev(), data.ino()), data.nlink() > 1))
    }
    #[cfg(not(unix))]
    {
        data.is_file().then(|| Some((path.canonicalize().ok()?.display().to_string(), true)))?
    }
}

/// The complete path of a file that may not exist, after following links.
fn resolved(path: &Path) -> Option<PathBuf> {
    let path = through_links(path).ok()?;
    if let Ok(found) = path.canonicalize() {
        return Some(found);
    }
    match path.components().next_back()? {
        Component::Normal(name) => Some(resolved(folder_of(&path))?.join(name)),
        Component::ParentDir => Some(resolved(path.parent()?)?.parent()?.to_owned()),
        _ => None,
    }
}

/// The paths of all commands: the command, the argument, and what is done with it.
pub(super) fn table() -> impl Iterator<Item = [String; 3]> {
    let of_command = |command: &clap::Command| -> Vec<[String; 3]> {
        let paths = command.get_arguments().filter_map(|argument| Some((argument, Role::of(argument)?)));
        let row = |(argument, role): (&clap::Arg, Role)| {
            [command.get_name().to_owned(), shown(argument), role.about().to_owned()]
        };
        paths.map(row).collect()
    };
    super::command().get_subcommands().map(of_command).collect::<Vec<_>>().into_iter().flatten()
}

/// An argument in messages: `--out`, or the name of a value.
fn shown(argument: &clap::Arg) -> String {
    argument.get_long().map_or_else(|| argument.get_id().as_str().to_uppercase(), |long| format!("--{long}"))
}

/// The name of an output in messages: below the current folder, without it.
pub(super) fn name(out: &Path) -> String {
    if out == Path::new("-") {
        return "standard output".to_owned();
    }
    let here = std::env::current_dir().ok();
    here.and_then(|here| out.strip_prefix(here).ok()).unwrap_or(out).display().to_string()
}

/// Paths as the libraries take them.
pub(super) fn plain(paths: &[impl AsRef<Path>]) -> Vec<PathBuf> {
    paths.iter().map(|path| path.as_ref().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
                let known = Role::of(argument).is_some() || !argument.get_action().takes_values();
                let place = format!("{} {}", command.get_name(), argument.get_id());
                assert!(known || (!plain && !like_path), "{place}: use a type of store/corpus/files/paths.rs");
                paths += usize::from(Role::of(argument).is_some());
            }
        }
        assert!(paths > 60, "{paths}");
    }

    /// The result of the check of a call of a command with these options. None if clap forbids them together.
    fn checked(
        program: &clap::Command,
        command: &clap::Command,
        given: &[(&clap::Arg, String)],
    ) -> Option<anyhow::Result<()>> {
        let word = |argument: &clap::Arg, value: &str| match argument.get_long() {
            Some(long) => format!("--{long}={value}"),
            None => value.to_owned(),
        };
        // Positional arguments stand in their order, each with a value of its own.
        let any = |argument: &clap::Arg| match argument.get_possible_values().first() {
            Some(value) => value.get_name().to_owned(),
            None if Role::of(argument).is_some() => format!("unrelated-{}", argument.get_id()),
            None => "1".to_owned(),
        };
        let value_of = |argument: &clap::Arg| given.iter().find(|(other, _)| other.get_id() == argument.get_id());
        let mut words = vec!["sudoku-corpus".to_owned(), command.get_name().to_owned()];
        words.extend(
            command
                .get_positionals()
                .map(|argument| value_of(argument).map_or_else(|| any(argument), |(_, v)| v.clone())),
        );
        words.extend(
            given.iter().filter(|(argument, _)| !argument.is_positional()).map(|(argument, v)| word(argument, v)),
        );
        for _ in 0..9 {
            let error = match program.clone().try_get_matches_from(&words) {
                Ok(matches) => return Some(Paths::of(&matches, program).check()),
                Err(error) => error,
            };
            // What clap finds missing is added.
            let missing = match error.get(clap::error::ContextKind::InvalidArg) {
                Some(clap::error::ContextValue::Strings(missing)) => missing.clone(),
                _ => Vec::new(),
            };
            match error.kind() {
                clap::error::ErrorKind::ArgumentConflict => return None,
                clap::error::ErrorKind::MissingRequiredArgument => {}
                kind => panic!("{kind} {words:?}: {error}"),
            }
            for missing in missing {
                let named = |argument: &&clap::Arg| {
                    argument.get_long().is_some_and(|long| missing.split(' ').next() == Some(&format!("--{long}")))
                };
                let argument = command.get_arguments().find(named).unwrap_or_else(|| panic!("{words:?}: {missing}"));
                let value = if argument.get_action().takes_values() { word(argument, &any(argument)) } else { missing };
                words.push(value);
            }
        }
        panic!("{words:?}: no call was found");
    }

    /// Every path that a command writes, in every relation to every other path of the command, and to files of a corpus
    /// and an index that the call does not read. The table of the program itself gives the commands and their paths.
    #[cfg(unix)]
    #[test]
    fn every_output_of_every_command_differs_from_every_other_path() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).display().to_string();
        for name in ["there", "corpus/recipe.toml", "corpus/part-000001.parquet"] {
            fs::create_dir_all(folder_of(&folder.path().join(name))).unwrap();
            fs::write(folder.path().join(name), "").unwrap();
        }
        fs::write(folder.path().join("seen"), "sudoku-corpus index 2\n").unwrap();
        std::os::unix::fs::symlink("there", folder.path().join("link")).unwrap();
        std::os::unix::fs::symlink("new", folder.path().join("dangling")).unwrap();
        fs::hard_link(folder.path().join("there"), folder.path().join("hard")).unwrap();
        fs::hard_link(folder.path().join("corpus/part-000001.parquet"), folder.path().join("hard-part")).unwrap();
        let same = [
            ("there", "there"),
            ("./there", "there"),
            ("corpus/../there", "there"),
            ("link", "there"),
            ("hard", "there"),
        ];
        let outputs = [("new", "new"), ("new", "./new"), ("dangling", "new"), ("New", "new"), ("no/../new", "new")];
        let of_corpus = ["corpus/part-000001.parquet", "corpus/part-000009.csv", "corpus/recipe.toml"];
        let program = crate::cli::command();
        let mut tried = [0; 4];
        for command in program.get_subcommands() {
            let roles: Vec<(&clap::Arg, Role)> =
                command.get_arguments().filter_map(|argument| Some((argument, Role::of(argument)?))).collect();
            let refused = |given: &[(&clap::Arg, String)]| {
                let told: Vec<_> = given.iter().map(|(argument, path)| (argument.get_id(), path)).collect();
                match checked(&program, command, given) {
                    Some(Ok(())) => panic!("{} {told:?} is not refused", command.get_name()),
                    Some(Err(_)) => 1,
                    None => 0,
                }
            };
            for &(out, _) in roles.iter().filter(|(_, role)| matches!(role, Role::Folder | Role::Index | Role::Work)) {
                tried[3] += refused(&[(out, "-".into())]);
            }
            for &(out, _) in roles.iter().filter(|(_, role)| *role == Role::Folder) {
                tried[3] += refused(&[(out, at("there"))]) + refused(&[(out, at("there/below"))]);
            }
            for &(out, writes) in roles.iter().filter(|(_, role)| role.is_written()) {
                for own in of_corpus {
                    tried[0] += refused(&[(out, at(own))]);
                }
                if writes == Role::Output {
                    tried[0] += refused(&[(out, at("seen"))]);
                }
                for &(other, role) in &roles {
                    let several = matches!(out.get_action(), clap::ArgAction::Append);
                    if other.get_id() == out.get_id() && !several {
                        continue;
                    }
                    let path = |name: &str| match role {
                        Role::Named => format!("t={}", at(name)),
                        _ => at(name),
                    };
                    let both_written = role.is_written();
                    // The index of a call holds what was published before, too.
                    if role.is_read() && !(writes == Role::Index && role == Role::Published) || both_written {
                        for (one, two) in same {
                            tried[1] += refused(&[(out, at(one)), (other, path(two))]);
                        }
                    }
                    if both_written {
                        for (one, two) in outputs {
                            tried[1] += refused(&[(out, at(one)), (other, path(two))]);
                        }
                        tried[1] += refused(&[(out, "-".into()), (other, "/dev/stdout".into())]);
                    }
                    if role.is_read() && writes != Role::Folder {
                        tried[2] += refused(&[(out, at("hard-part")), (other, path("corpus"))]);
                    }
                    if role == Role::Work {
                        tried[2] += refused(&[(out, at("work/part-000001.parquet")), (other, path("work"))]);
                    }
                    if role.is_read() && writes == Role::Folder {
                        tried[2] += refused(&[(out, at("corpus")), (other, path("corpus/part-000001.parquet"))]);
                    }
                }
                assert!(
                    matches!(checked(&program, command, &[(out, at("other"))]), Some(Ok(()))),
                    "{}",
                    command.get_name()
                );
            }
        }
        assert!(tried[0] > 80 && tried[1] > 400 && tried[2] > 60 && tried[3] > 5, "{tried:?}");
    }

    #[test]
    fn files_that_do_not_exist_are_compared_by_their_complete_paths() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| FileId::of(&folder.path().join(name));
        assert!(at("a").is(&at("./a")) && at("a").is(&at("A")) && at("x/../a").is(&at("a")));
        assert!(!at("a").is(&at("b")) && !at("x/a").is(&at("a")));
        assert!(FileId::of(Path::new("-")).is(&FileId::of(Path::new("-"))));
        assert!(!FileId::of(Path::new("/dev/null")).is(&FileId::of(Path::new("/dev/null"))));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("a", folder.path().join("link")).unwrap();
            assert!(at("link").is(&at("a")));
            std::fs::write(folder.path().join("a"), "").unwrap();
            std::fs::hard_link(folder.path().join("a"), folder.path().join("hard")).unwrap();
            assert!(at("hard").is(&at("link")) && at("hard").has_links);
        }
    }
}
