//! Existing outputs are replaced only with `--force`, and inputs never.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::Usage;
use crate::corpus::{Output, files_in, folder_of, name_of_corpus};

/// Whether an existing file may be replaced.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct Replace {
    /// Replace existing outputs. An input is never replaced.
    #[arg(long)]
    force: bool,
}

impl Replace {
    /// Files may be replaced.
    pub const ALWAYS: Replace = Replace { force: true };

    /// Refuses to replace a file without `--force`. Pipes, devices and descriptors may always be written.
    pub fn may_write(self, path: &Path) -> anyhow::Result<()> {
        if Output::replaces(path) && !self.force {
            return Err(Usage(format!("{} exists: --force replaces it", path.display())).into());
        }
        Ok(())
    }
}

/// The arguments that name files: what a command reads and what it writes.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// Values of all other arguments. Those that are no files do no harm.
    sources: Vec<PathBuf>,
    outputs: Vec<PathBuf>,
    index: Option<PathBuf>,
}

/// The options that name outputs. A new option for an output belongs here; a test looks for it.
const OUTPUTS: [&str; 7] = ["out", "index", "steps", "json", "data", "merge", "plot"];

/// The options of the outputs of a recipe that name files to read.
const READS: &str = "--license-file --except --only --words --font --logo --front-pages --back-pages --icc --previous \
                     --levels";

/// The index of published puzzles, which is read and written.
const REMEMBER: &str = "remember";

/// True for an option, such as `--out`, that names a file to write.
pub fn writes(option: &str) -> bool {
    option.strip_prefix("--").is_some_and(|name| OUTPUTS.contains(&name) || name == REMEMBER)
}

/// True for an option of the outputs of a recipe that names a file to read.
pub fn reads(option: &str) -> bool {
    READS.split(' ').any(|read| read == option)
}

impl Files {
    /// The files of a command line.
    pub fn of(matches: &clap::ArgMatches, command: &clap::Command) -> Files {
        let mut files = Files::default();
        let Some((name, matches)) = matches.subcommand() else { return files };
        let arguments = command.find_subcommand(name).into_iter().flat_map(clap::Command::get_arguments);
        for argument in arguments.filter(|argument| argument.get_action().takes_values()) {
            let id = argument.get_id().as_str();
            let values = matches.try_get_raw(id).ok().flatten().into_iter().flatten();
            let mut values = values.map(|value| PathBuf::from(OsString::from(value)));
            match id {
                // A run continues in its folder, and reads recipes and bases that lie there.
                "out" if name == "run" => {}
                _ if OUTPUTS.contains(&id) => files.outputs.extend(values),
                REMEMBER => files.index = values.next_back(),
                _ => files.sources.extend(values),
            }
        }
        files
    }

    /// Refuses outputs that are inputs.
    pub fn check(&self) -> Result<(), Usage> {
        self.outputs.iter().try_for_each(|out| self.keeps_apart(out))
    }

    /// Refuses an output that is an input, by any of its names, or that has a name of a corpus that is an input. Reports
    /// and books may lie beside its parts.
    pub fn keeps_apart(&self, out: &Path) -> Result<(), Usage> {
        let shown = out.display();
        let out = if out == Path::new("-") { Path::new("/dev/stdout") } else { out };
        let target = identity(out);
        let parent = folder_of(out).canonicalize().ok().zip(out.file_name());
        let place = out.canonicalize().ok().or_else(|| parent.map(|(parent, name)| parent.join(name)));
        for source in self.sources.iter().chain(&self.index) {
            let source = if source == Path::new("-") { Path::new("/dev/stdin") } else { source };
            let folder = source.canonicalize().ok().filter(|folder| folder.is_dir());
            let below = folder.as_ref().and_then(|folder| place.as_ref()?.strip_prefix(folder).ok());
            if let Some(name) = below.and_then(name_of_corpus) {
                return Err(Usage(format!("{shown}: the corpus {} itself uses the name {name}", source.display())));
            }
            let same = |path: &Path| target.is_some() && identity(path) == target;
            let linked = || folder.as_ref().and_then(|folder| files_in(folder).ok()).into_iter().flatten();
            if same(source) || (has_links(out) && linked().any(|file| same(&file))) {
                return Err(Usage(format!("{shown} is an input: it would be replaced")));
            }
        }
        Ok(())
    }
}

/// What all names and links of a file have in common. None for devices, pipes and folders.
fn identity(path: &Path) -> Option<String> {
    let data = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        Some(format!("{}:{}", data.dev(), data.ino()))
    }
    #[cfg(not(unix))]
    {
        drop(data);
        Some(path.canonicalize().ok()?.display().to_string())
    }
}

/// True for a file with several names.
fn has_links(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        fs::metadata(path).is_ok_and(|data| data.is_file() && data.nlink() > 1)
    }
    #[cfg(not(unix))]
    {
        path.is_file()
    }
}

/// The name of an output in messages.
pub fn name(out: &Path) -> String {
    if out == Path::new("-") { "standard output".to_owned() } else { out.display().to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::outputs::COMMANDS;

    #[test]
    fn every_option_with_a_file_is_known_to_be_written_or_read() {
        // Options with a file to read, of commands that make no output of a recipe.
        const OTHERS: [&str; 8] =
            ["--bases", "--pilot", "--relative-to", "--library", "--recipe", "--lines", "--grid", "--rating"];
        for command in crate::cli::command().get_subcommands() {
            let name = command.get_name();
            for option in command.get_arguments().filter(|option| option.get_long().is_some()) {
                let of_path = option.get_value_parser().type_id() == std::any::TypeId::of::<PathBuf>();
                let option = format!("--{}", option.get_long().unwrap_or_default());
                let other = !COMMANDS.contains(&name) && (OTHERS.contains(&option.as_str()));
                assert!(!of_path || writes(&option) || reads(&option) || other, "{name} {option}");
            }
        }
    }
}
