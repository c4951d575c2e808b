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
#[cfg(unix)]
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use anyhow::Context as _;

use crate::cli::Usage;
use crate::cli::line::call::{ParsedCall, option};
use crate::corpus::{
    IndexPath, InputPath, NamedInput, Output, OutputFolder, OutputPath, PublishedPath, RECIPE_FILE, WorkFolder,
    is_published_index, name_of_corpus, resolved,
};

/// The option `--force` for a command that writes files. `release` has one of its own.
pub(in crate::cli) fn with_force(command: clap::Command) -> clap::Command {
    let has_one = option(&command, FORCE).is_some();
    let writes = command.get_arguments().filter_map(Use::of).any(|what| matches!(what, Use::Written | Use::Folder));
    let force = clap::Arg::new(FORCE).long(FORCE).action(clap::ArgAction::SetTrue).help_heading(None::<&str>);
    match writes && !has_one {
        true => command.arg(force.help("Replace files that exist. An input is never replaced")),
        false => command,
    }
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
    /// By the type of an argument's values. None if they are no paths.
    pub(in crate::cli) fn of(argument: &clap::Arg) -> Option<Use> {
        Use::described(argument).map(|(what, _)| what)
    }

    /// With a description in words.
    fn described(argument: &clap::Arg) -> Option<(Use, &'static str)> {
        let values = argument.get_value_parser().type_id();
        uses().into_iter().find(|(kind, ..)| values == *kind).map(|(_, what, about)| (what, about))
    }

    fn is_read(self) -> bool {
        matches!(self, Use::Read | Use::Published)
    }

    /// True for what the call writes. A folder of work is no output: it is continued.
    fn is_written(self) -> bool {
        matches!(self, Use::Written | Use::Folder | Use::Index)
    }

    /// True for what the call makes if it is not there.
    pub(super) fn makes(self) -> bool {
        self.is_written() || self == Use::Work
    }

    /// True for what a call adds to, if it is there.
    pub(super) fn continues(self) -> bool {
        matches!(self, Use::Index | Use::Work)
    }
}

/// A path of the command line.
#[derive(Clone, Debug)]
struct Given {
    what: Use,
    /// The argument, for messages: `--out`, or the name of a value.
    argument: String,
    /// Of `NAME=PATH`, the path alone.
    path: PathBuf,
    /// One of several corpora or files whose rows are read together.
    is_source: bool,
}

/// The option to which the name of an output belongs.
#[derive(Debug)]
struct Taken {
    option: Given,
    /// The name stands in the option; it does not follow from it.
    is_literal: bool,
}

/// All paths of a call.
#[derive(Debug, Default)]
pub(in crate::cli) struct Paths {
    given: Vec<Given>,
    /// Files that exist may be replaced.
    replaces: AtomicBool,
    /// The outputs so far, by their complete paths in small letters.
    taken: Mutex<HashMap<String, Taken>>,
    /// The complete paths of all inputs.
    inputs: OnceLock<Vec<(Use, PathBuf)>>,
}

impl Paths {
    /// The paths of a command line.
    pub(in crate::cli) fn of(call: &ParsedCall<'_>) -> Paths {
        let mut given = Vec::new();
        for argument in call.command.get_arguments() {
            let Some(what) = Use::of(argument) else { continue };
            let is_named = is_named(argument);
            for path in call.raw_values(argument.get_id().as_str()).map(Path::new) {
                let named = NamedInput::from(path);
                let (table, path) = if is_named { named.split() } else { (None, path) };
                let (path, is_source) = (path.to_owned(), table.is_none() && is_source(argument));
                given.push(Given { what, argument: shown(argument), path, is_source });
            }
        }
        let force = call.matches.try_get_one::<bool>(FORCE).ok().flatten().copied().unwrap_or(false);
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
        let may_write = self.replaces.load(Ordering::Relaxed) || !Output::replaces(path);
        if may_write { Ok(()) } else { Err(Usage(format!("{} exists: --force replaces it", path.display())).into()) }
    }

    /// Refuses an input that is given twice, and an output that is an input, another output or a file of a corpus.
    pub(in crate::cli) fn check(&self) -> anyhow::Result<()> {
        self.check_sources()?;
        for given in self.given.iter().filter(|given| given.what.is_written()) {
            self.take(given, &given.path, true)?;
            if given.what == Use::Folder {
                check_folder(&given.argument, &given.path)?;
            }
        }
        Ok(())
    }

    /// Refuses a source that is another source, or lies in one: its rows would count twice.
    fn check_sources(&self) -> anyhow::Result<()> {
        let sources = self.given.iter().filter(|given| given.what == Use::Read && given.is_source);
        let mut places: Vec<(PathBuf, &Path)> =
            sources.filter_map(|source| Some((source.path.canonicalize().ok()?, &*source.path))).collect();
        // A folder stands right before what lies in it.
        places.sort_unstable();
        for pair in places.windows(2) {
            let [(first_place, first), (second_place, second)] = pair else { continue };
            if second_place.starts_with(first_place) {
                let (first, second) = (first.display(), second.display());
                return Err(Usage(format!("{second} would be read twice: {first} is given, too")).into());
            }
        }
        Ok(())
    }

    /// Checks a file whose name follows from an option, before it is written. Each file is claimed once.
    pub(in crate::cli) fn claim(&self, option: &Path, file: &Path) -> anyhow::Result<()> {
        let given = self.given.iter().find(|given| given.what.is_written() && given.path == option).cloned();
        let given = given.unwrap_or_else(|| Given {
            what: Use::Written,
            argument: "another output".to_owned(),
            path: option.to_owned(),
            is_source: false,
        });
        self.take(&given, file, false)?;
        self.check_replaced(file)
    }

    /// Notes the name of an output of an option.
    fn take(&self, option: &Given, path: &Path, is_literal: bool) -> anyhow::Result<()> {
        let place = place(path);
        place.iter().try_for_each(|place| self.check_place(option.what, path, place))?;
        // Some file systems do not tell small letters from capitals.
        let name = place.map(|place| place.to_string_lossy().to_lowercase());
        let Some(name) = name.or_else(|| Output::is_standard(path).then(|| "/dev/stdout".to_owned())) else {
            return Ok(());
        };
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        // A file may have the name that stands in its own option.
        if let Some(earlier) = taken.get(&name)
            && (is_literal || !earlier.is_literal || earlier.option.path != option.path)
        {
            let (first, second) = (&earlier.option.argument, &option.argument);
            let both =
                if first == second { format!("{first} names it twice") } else { format!("{first} and {second}") };
            return Err(Usage::of(path, format_args!("two outputs cannot have one name ({both})")).into());
        }
        taken.insert(name, Taken { option: option.clone(), is_literal });
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
        for (_, input) in self.inputs().iter().filter(|(read, _)| (*read, what) != (Use::Published, Use::Index)) {
            if input == output || is_one_file(input, output) {
                return Err(Usage(format!("{shown} is an input: give the output another name")).into());
            }
            if input.starts_with(output) {
                return Err(Usage(format!("{shown}: the input {} lies in this folder", input.display())).into());
            }
        }
        if Output::is_stream(path) {
            return Ok(());
        }
        for folder in output.ancestors().skip(1) {
            let name = output.strip_prefix(folder).ok().and_then(name_of_corpus);
            if let Some(name) = name.filter(|_| folder.join(RECIPE_FILE).is_file()) {
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
            let read = self.given.iter().filter(|given| given.what.is_read());
            let inputs = read.filter_map(|given| {
                let path = if given.path == Path::new("-") { Path::new("/dev/stdin") } else { &given.path };
                Some((given.what, path.canonicalize().ok()?))
            });
            inputs.collect()
        })
    }
}

/// True for two names of one file.
fn is_one_file(one: &Path, two: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let place =
            |path: &Path| path.metadata().ok().filter(fs::Metadata::is_file).map(|data| (data.dev(), data.ino()));
        place(one).is_some_and(|place_of_one| place(two) == Some(place_of_one))
    }
    #[cfg(not(unix))]
    {
        one == two
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

/// True for the argument of all corpora and files that a command reads together.
fn is_source(argument: &clap::Arg) -> bool {
    argument.is_positional() && matches!(argument.get_action(), clap::ArgAction::Append)
}

/// An argument in messages: `--out`, or the name of a value.
pub(super) fn shown(argument: &clap::Arg) -> String {
    argument.get_long().map_or_else(|| argument.get_id().as_str().to_uppercase(), |long| format!("--{long}"))
}

/// The name of an output in messages.
pub(in crate::cli) fn name(out: &Path) -> String {
    if out == Path::new("-") { "standard output".to_owned() } else { out.display().to_string() }
}

/// The error about a name that ends otherwise than in one of these, such as ".html".
pub(in crate::cli) fn other_ending(path: &Path, ends: &[&str]) -> Usage {
    let (last, others) = ends.split_last().unwrap_or((&"", &[]));
    let meant = meant_ending(path, |end| ends.contains(&end));
    Usage::of(path, format_args!("the name must end in {} or {last}{meant}", others.join(", ")))
}

/// Endings of other programs, and the one here that comes nearest.
const ENDINGS: &[(&str, &str)] = &[
    ("xls xlsx ods tsv", ".csv"),
    ("json", ".jsonl"),
    ("jpg jpeg gif bmp tif tiff webp eps", ".png"),
    ("mobi azw azw3", ".epub"),
    ("doc docx odt rtf txt", ".pdf"),
    ("doc docx odt rtf txt pdf", ".html"),
];

/// To be added to a message: the name with the ending that comes nearest to one of another program.
pub(in crate::cli) fn meant_ending(path: &Path, is_taken: impl Fn(&str) -> bool) -> String {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let mut near = ENDINGS.iter().filter(|(endings, _)| endings.split(' ').any(|one| one == ending));
    let near = near.find(|(_, end)| is_taken(end));
    near.map_or(String::new(), |(_, end)| format!(", such as {}", path.with_extension(&end[1..]).display()))
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
    use std::ffi::OsString;

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
        let one = |(what, path): &(Use, PathBuf)| Given {
            what: *what,
            argument: "--x".to_owned(),
            path: path.clone(),
            is_source: false,
        };
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
            assert!(option(command, FORCE).is_some(), "{}", command.get_name());
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
