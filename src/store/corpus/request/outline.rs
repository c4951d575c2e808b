//! What a corpus consists of: the text that identifies it, and the parts into which its rows are cut.
//!
//! `recipe.toml` in the folder of a corpus says it, and so does the footer of each part:
//!
//! ```text
//!   # sudoku-corpus 0.5.0, format 17      the version that makes the rows
//!   seed = 1                              the canonical text: a recipe. `analyze`, `dig`, `generate` and `mask` add a
//!   count = 100000                        table [command], with their options and the checksums of their inputs
//!   part_rows = 10000
//!   ...
//! ```

use std::fs;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::Path;

use serde::Deserialize;

use crate::corpus::files::format::PartFormat;
use crate::corpus::files::metadata::{FORMAT_VERSION, Metadata, PROGRAM_VERSION, PartPlace};
use crate::corpus::files::names::{RECIPE_FILE, ROWS_FOLDER};
use crate::corpus::values::error::{CorpusError, Result, toml_reason};
use crate::corpus::values::levels::{LevelDraft, Levels};

/// What a corpus consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// The canonical text.
    pub text: String,
    /// The number of rows; of a command that reads a file, the number of rows of the file, good and bad.
    pub count: u64,
    /// The number of rows of a part; the last part may have fewer.
    pub part_rows: u64,
    /// The format of the parts.
    pub format: PartFormat,
    /// True if each part has a file of steps.
    pub has_steps: bool,
    /// The scale of the levels of the rows.
    pub levels: Levels,
    /// The command that made the rows of its input; then the text is no recipe of `run`.
    pub command: Option<CommandCall>,
}

/// The call of a command that makes a corpus of its input.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct CommandCall {
    /// The command.
    pub name: String,
    /// Its options, each as `--option=value`.
    #[serde(default)]
    pub options: Vec<String>,
    /// What it reads.
    #[serde(default)]
    pub input: Vec<CommandInput>,
}

/// An input of a command.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct CommandInput {
    /// The option, or the name of a value: `--levels`, `FILE`.
    pub argument: String,
    /// The name of the file without its folder, or a word that the argument knows.
    pub name: String,
    /// BLAKE3 of the file in hexadecimal. None for a word.
    pub blake3: Option<String>,
}

/// The version of the program that makes the rows of a corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Version {
    /// The version of the format of files.
    pub format: u32,
    /// The version of the program.
    pub program: String,
}

impl Version {
    /// The version of this program.
    pub(crate) fn of_this_program() -> Version {
        Version { format: FORMAT_VERSION, program: PROGRAM_VERSION.to_owned() }
    }

    /// The version that made a file.
    pub(crate) fn of(metadata: &Metadata) -> Version {
        Version { format: metadata.format_version, program: metadata.program_version.clone() }
    }

    /// The first line of `recipe.toml`.
    fn line(&self) -> String {
        format!("{HEAD}{}, format {}\n", self.program, self.format)
    }

    /// The version in the first line of `recipe.toml`.
    fn of_line(line: &str) -> Option<Version> {
        let (program, format) = line.strip_prefix(HEAD)?.split_once(", format ")?;
        Some(Version { format: format.trim_end().parse().ok()?, program: program.to_owned() })
    }
}

/// How the first line of `recipe.toml` begins.
const HEAD: &str = "# sudoku-corpus ";

/// The keys of the canonical text that say how rows are cut into parts.
#[derive(Deserialize)]
struct Keys {
    count: u64,
    part_rows: u64,
    format: String,
    #[serde(default)]
    analyze: AnalyzeKeys,
    command: Option<CommandCall>,
    levels: Option<String>,
    #[serde(default)]
    level: Vec<LevelDraft>,
}

#[derive(Default, Deserialize)]
struct AnalyzeKeys {
    #[serde(default)]
    steps: bool,
}

impl Outline {
    /// The outline of a canonical text.
    ///
    /// # Errors
    /// The text does not say how rows are cut into parts.
    pub fn of_text(text: &str) -> Result<Outline, String> {
        let keys: Keys = toml::from_str(text).map_err(|error| toml_reason(&error))?;
        let format = keys.format.parse::<PartFormat>().map_err(|error| format!("format: {error}"))?;
        if keys.part_rows == 0 {
            return Err("part_rows is 0".to_owned());
        }
        let levels = match keys.levels {
            Some(name) => Levels::open(&name, Path::new(""))?,
            None if keys.level.is_empty() => Levels::default(),
            None => Levels::of_drafts(keys.level)?,
        };
        Ok(Outline {
            text: text.to_owned(),
            count: keys.count,
            part_rows: keys.part_rows,
            format,
            has_steps: keys.analyze.steps,
            levels,
            command: keys.command,
        })
    }

    /// What `recipe.toml` in a folder says, and the version in it. None if there is no such file.
    ///
    /// # Errors
    /// The file cannot be read, or says not what a corpus consists of.
    pub(crate) fn read(folder: &Path) -> Result<Option<(Outline, Option<Version>)>> {
        let path = folder.join(RECIPE_FILE);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) if error.kind() == ErrorKind::InvalidData => {
                return Err(CorpusError::file(&path, "damaged: it is not UTF-8 text"));
            }
            text => text.map_err(CorpusError::io("read", &path))?,
        };
        let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
        let version = Version::of_line(first);
        let canonical = if version.is_some() { rest } else { &text };
        let outline = Outline::of_text(canonical)
            .map_err(|reason| CorpusError::file(&path, format!("not the recipe of a corpus: {reason}; without this file, the command that made the corpus writes it again")))?;
        Ok(Some((outline, version)))
    }

    /// The contents of `recipe.toml`.
    pub fn file(&self) -> String {
        Version::of_this_program().line() + &self.text
    }

    /// The number of parts.
    pub fn parts(&self) -> u64 {
        self.count.div_ceil(self.part_rows)
    }

    /// The rows of a part. A part after the last one has none.
    pub fn place(&self, part: u64) -> PartPlace {
        let first_row = part.saturating_mul(self.part_rows).min(self.count);
        PartPlace { part, first_row, rows: self.part_rows.min(self.count - first_row) }
    }

    /// The number of rows of some parts together.
    pub(crate) fn rows(&self, parts: &Range<u64>) -> u64 {
        self.place(parts.end).first_row - self.place(parts.start).first_row
    }

    /// The name of the file of a part.
    pub(crate) fn part_name(&self, part: u64) -> String {
        format!("part-{part:06}{}", self.format.file_format().suffix())
    }

    /// The file of a part, relative to the folder of the corpus.
    pub(crate) fn part_file(&self, part: u64) -> String {
        format!("{ROWS_FOLDER}/{}", self.part_name(part))
    }

    /// The number of the part that has this name.
    pub(crate) fn part_of(&self, name: &str) -> Option<u64> {
        let part = name.strip_prefix("part-")?.split('.').next()?.parse().ok()?;
        (part < self.parts() && name == self.part_name(part)).then_some(part)
    }

    /// BLAKE3 of the format version and the text, in hexadecimal.
    pub fn fingerprint(&self) -> String {
        let named = format!("sudoku-corpus format {FORMAT_VERSION}\n{}", self.text);
        blake3::hash(named.as_bytes()).to_hex().to_string()
    }

    /// The metadata of a part.
    pub(crate) fn metadata(&self, part: u64) -> Metadata {
        Metadata {
            recipe: Some(self.text.clone()),
            fingerprint: Some(self.fingerprint()),
            part: Some(self.place(part)),
            ..Metadata::with_levels(&self.levels)
        }
    }
}

/// A line in which two canonical texts differ: "seed = 2 in the folder, seed = 1 now". Keys that follow from others come
/// last.
pub(crate) fn difference(here: &str, folder: &str) -> String {
    const FOLLOWING: [&str; 3] = ["part_rows ", "retries ", "plan "];
    let follows = |line: &&str| FOLLOWING.iter().any(|key| line.starts_with(key));
    let mut here_only: Vec<&str> = here.lines().filter(|line| !folder.lines().any(|other| other == *line)).collect();
    here_only.sort_by_key(follows);
    let Some(line) = here_only.first() else { return "one of them has more lines".to_owned() };
    let key = line.split(" = ").next().unwrap_or(line);
    match folder.lines().find(|other| other.split(" = ").next() == Some(key)) {
        Some(other) => format!("{other} in the folder, {line} now"),
        None => format!("{line} now, and no {key} in the folder"),
    }
}

/// The first lines in which two canonical texts differ. None if one is the beginning of the other.
pub(crate) fn first_difference<'a>(one: &'a str, two: &'a str) -> Option<(&'a str, &'a str)> {
    one.lines().zip(two.lines()).find(|(one, two)| one != two)
}
