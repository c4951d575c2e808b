//! What is in the folder of a corpus: its parts, and files that are none. Everything that reads or continues a corpus
//! asks here, and nowhere else.
//!
//! ```text
//!   file in rows/ --name, footer--> part k of this corpus
//!                               --> stranger: another recipe, version or number, a copy, any other file, a folder
//!                               --> damaged:  in the place of part k, but it cannot be read
//! ```
//!
//! A footer says of which recipe a part is, which rows it has, and which version made it; `recipe.toml` says it of the
//! corpus. Parts of one corpus can be made on several machines and moved into one folder: nothing else lists them.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::ops::Range;
use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use super::missing::{quoted, refuse_missing};
use crate::corpus::files::durable::inside::folder_of;
use crate::corpus::files::format::PartFormat;
use crate::corpus::files::frame::FrameReader;
use crate::corpus::files::metadata::Metadata;
use crate::corpus::files::names::{RECIPE_FILE, ROWS_FOLDER, STEPS_FOLDER, all_in, files_in, steps_name, steps_part};
use crate::corpus::request::outline::{Outline, Version, first_difference};
use crate::corpus::values::error::{CorpusError, Result, in_words};

/// A file that is not a part of the corpus in whose folder it lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stranger {
    /// The file, or a folder.
    pub file: PathBuf,
    /// What it is, as far as this is known.
    pub reason: String,
    /// True if a part would have its name.
    pub is_in_place: bool,
}

impl Display for Stranger {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: not a part of this corpus, so it is not read: {}", self.file.display(), self.reason)
    }
}

pub(crate) struct Contents {
    pub outline: Outline,
    /// The version that makes the rows. None if nothing in the folder says it.
    pub version: Option<Version>,
    pub parts: BTreeMap<u64, PathBuf>,
    /// Why the file in the place of a part is not one.
    pub damaged: BTreeMap<u64, String>,
    pub strangers: Vec<Stranger>,
}

/// What a file in the folder of the parts is.
enum FileKind {
    Part(u64),
    Damaged(u64, String),
    Stranger(Stranger),
}

impl Contents {
    /// What is in a folder, by its `recipe.toml`.
    ///
    /// # Errors
    /// It holds no corpus; the system cannot read a file.
    pub(crate) fn of(folder: &Path) -> Result<Contents> {
        refuse_missing(folder)?;
        refuse_data_set(folder)?;
        refuse_older(folder)?;
        let (outline, version) = Outline::read(folder)?.ok_or_else(|| no_corpus(folder))?;
        Contents::by(outline, version, folder, None)
    }

    /// What is in a folder that is to hold a corpus: its files, or of its parts the wanted ones alone. Without a
    /// version, that of the first part of this recipe counts.
    pub(crate) fn by(
        outline: Outline,
        version: Option<Version>,
        folder: &Path,
        wanted: Option<&Range<u64>>,
    ) -> Result<Contents> {
        let rows = folder.join(ROWS_FOLDER);
        let mut files = all_in(&rows)?;
        let number = |file: &PathBuf| outline.part_of(&file.file_name()?.to_string_lossy());
        files.retain(|file| wanted.is_none_or(|wanted| number(file).is_none_or(|part| wanted.contains(&part))));
        let version = match version {
            Some(version) => Some(version),
            None => version_of_parts(files.iter().filter(|file| number(file).is_some() && file.is_file()), &outline)?,
        };
        let kinds = files.into_par_iter().map(|file| kind_of(file, &outline, version.as_ref()));
        let kinds: Vec<FileKind> = kinds.collect::<Result<_>>()?;
        let (mut parts, mut damaged, mut strangers) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
        for kind in kinds {
            match kind {
                FileKind::Part(part) => drop(parts.insert(part, rows.join(outline.part_name(part)))),
                FileKind::Damaged(part, reason) => drop(damaged.insert(part, reason)),
                FileKind::Stranger(stranger) => strangers.push(stranger),
            }
        }
        Ok(Contents { outline, version, parts, damaged, strangers })
    }

    /// An error about the first damaged file, if there is one.
    pub(crate) fn refuse_damage(&self, folder: &Path) -> Result<()> {
        let Some((&part, reason)) = self.damaged.first_key_value() else { return Ok(()) };
        let file = folder.join(self.outline.part_file(part));
        Err(CorpusError::file(&file, format!("{reason}; {} makes the part again", self.call_that_continues(folder))))
    }

    /// The command that makes what is missing in the folder, as a user writes it.
    pub(crate) fn call_that_continues(&self, folder: &Path) -> String {
        let [corpus, recipe] = [folder, &folder.join(RECIPE_FILE)].map(|path| quoted(&path.to_string_lossy()));
        match &self.outline.command {
            None => format!("`run {recipe} --out {corpus}`"),
            Some(call) => format!("the same `{} .. --out {corpus}`", call.name),
        }
    }

    /// The first part that is missing before one that is there.
    pub(crate) fn first_gap(&self) -> Option<u64> {
        let last = *self.parts.last_key_value()?.0;
        (self.parts.len() as u64 <= last).then(|| (0..last).find(|part| !self.parts.contains_key(part))).flatten()
    }
}

/// What lies in the folder of the steps and is of no part of a corpus, by its name.
pub(crate) fn stray_steps(folder: &Path, outline: &Outline) -> Result<Vec<PathBuf>> {
    let mut files = all_in(&folder.join(STEPS_FOLDER))?;
    let is_of_part = |file: &Path| steps_part(file).is_some_and(|part| outline.has_steps && part < outline.parts());
    files.retain(|file| file.is_dir() || !is_of_part(file));
    Ok(files)
}

/// What is told of each of them.
pub(crate) const STRAY_STEPS: &str = "not the steps of a part of this corpus";

/// True for a hidden file: of the system, or of a program that is still copying. Readers of a folder skip these.
pub(crate) fn is_hidden(file: &Path) -> bool {
    file.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// Refuses a data set that `release` made: it has a recipe, too.
fn refuse_data_set(folder: &Path) -> Result<()> {
    let is_one = folder.join(DATA_SET_FOLDER).is_dir() && !folder.join(ROWS_FOLDER).exists();
    if is_one { Err(no_corpus(folder)) } else { Ok(()) }
}

/// The folder of the puzzles in a data set that `release` made.
const DATA_SET_FOLDER: &str = "puzzles";

/// The error for a folder that does not hold a corpus, because its recipe is missing.
fn no_corpus(folder: &Path) -> CorpusError {
    let puzzles = folder.join(DATA_SET_FOLDER);
    let reason = match puzzles.is_dir() {
        true => format!("not a corpus but a data set: give its files, {}/*.parquet", puzzles.display()),
        false => format!("not a corpus: {RECIPE_FILE} is missing; give a folder that `run` made, or a file"),
    };
    CorpusError::file(folder, reason)
}

/// Refuses a folder with the parts of an earlier version, which lie beside the recipe, and the folder of the parts
/// itself.
pub(crate) fn refuse_older(folder: &Path) -> Result<()> {
    let is_part = |file: &PathBuf| {
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with("part-") && [".parquet", ".csv.zst"].iter().any(|end| name.ends_with(end))
    };
    let older = !folder.join(ROWS_FOLDER).exists() && folder.is_dir() && files_in(folder)?.iter().any(is_part);
    if !older {
        return Ok(());
    }
    if let Some(corpus) = corpus_of_rows(folder) {
        let reason = format!("it holds the parts of a corpus: give the folder above it, {}", corpus.display());
        return Err(CorpusError::file(folder, reason));
    }
    let shown = folder.display();
    let reason = format!(
        "its parts lie beside recipe.toml, as version 0.4.0 made them: read the files themselves ({shown}/part-*), or move \
         them into {shown}/{ROWS_FOLDER}; only the version that made a corpus can continue it"
    );
    Err(CorpusError::file(folder, reason))
}

/// The corpus of whose parts this is the folder: nothing in it says what the corpus consists of. None for other folders.
fn corpus_of_rows(folder: &Path) -> Option<PathBuf> {
    let full = fs::canonicalize(folder).ok()?;
    let above = full.parent().filter(|above| above.join(RECIPE_FILE).is_file())?;
    if full.file_name()? != ROWS_FOLDER || full.join(RECIPE_FILE).exists() {
        return None;
    }
    let is_named = folder.file_name().is_some_and(|name| name == ROWS_FOLDER);
    Some(if is_named { folder_of(folder).to_owned() } else { above.to_owned() })
}

/// The version of the first file that is a part of a recipe.
fn version_of_parts<'a>(files: impl Iterator<Item = &'a PathBuf>, outline: &Outline) -> Result<Option<Version>> {
    for file in files {
        match Metadata::of_file(file) {
            Err(error) if error.is_of_system() => return Err(error),
            Ok(Some(metadata)) if metadata.recipe.as_ref() == Some(&outline.text) => {
                return Ok(Some(Version::of(&metadata)));
            }
            _ => {}
        }
    }
    Ok(None)
}

/// What a file in the folder of the parts is, by its name and its footer.
fn kind_of(file: PathBuf, outline: &Outline, version: Option<&Version>) -> Result<FileKind> {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let part = outline.part_of(&name);
    let stranger =
        |file: PathBuf, reason: String| Ok(FileKind::Stranger(Stranger { file, reason, is_in_place: part.is_some() }));
    let data = match fs::metadata(&file) {
        // A link that leads nowhere.
        Err(error) if error.kind() == ErrorKind::NotFound => return stranger(file, "it leads nowhere".to_owned()),
        data => data.map_err(CorpusError::io("open", &file))?,
    };
    if data.is_dir() {
        // Other programs read the folder of the parts with all that lies below it.
        return stranger(file, "it is a folder".to_owned());
    }
    if !data.is_file() {
        // Opening a pipe would wait for a writer.
        return stranger(file, "it is not an ordinary file".to_owned());
    }
    let metadata = match (Metadata::of_file(&file), part) {
        (Err(error), _) if error.is_of_system() => return Err(error),
        (Err(error), Some(part)) => return Ok(FileKind::Damaged(part, plain(&file, &error))),
        (Err(error), None) => {
            let reason = plain(&file, &error);
            return stranger(file, reason);
        }
        (Ok(metadata), _) => metadata,
    };
    if let (None, Some(part)) = (&metadata, part) {
        return Ok(FileKind::Damaged(part, "damaged: it has no metadata of this program".to_owned()));
    }
    match differs(metadata.as_ref(), part, outline, version, false) {
        Some(reason) => stranger(file, reason),
        None => Ok(FileKind::Part(part.unwrap_or_default())),
    }
}

/// Why a file with these metadata is not a part with this number. None if it is one.
fn differs(
    metadata: Option<&Metadata>,
    part: Option<u64>,
    outline: &Outline,
    version: Option<&Version>,
    of_steps: bool,
) -> Option<String> {
    let Some(metadata) = metadata else { return Some("it has no metadata of this program".to_owned()) };
    let recipe = metadata.recipe.as_deref().unwrap_or_default();
    if recipe != outline.text {
        let differing = first_difference(recipe, &outline.text);
        let lines = differing.map_or(String::new(), |(other, ours)| format!(": {other}, not {ours}"));
        return Some(format!("it is of another recipe{lines}"));
    }
    let made = Version::of(metadata);
    if version.is_some_and(|version| *version != made) {
        return Some(format!("it was made by version {}", made.program));
    }
    if metadata.of_steps != of_steps {
        return Some(if of_steps { "it has rows and no steps" } else { "it has steps and no rows" }.to_owned());
    }
    let number = metadata.part.map(|place| place.part);
    match (part, number) {
        (Some(part), _) if metadata.part == Some(outline.place(part)) => None,
        (Some(part), Some(number)) if number == part => Some("it has other rows than this part".to_owned()),
        (_, Some(number)) => Some(format!("it is a copy of {}", outline.part_name(number))),
        (_, None) => Some("it does not say which rows it has".to_owned()),
    }
}

/// An error about a file, without its path.
pub(crate) fn plain(file: &Path, error: &CorpusError) -> String {
    let text = match error {
        CorpusError::Row(row) => row.reason.clone(),
        other => other.to_string(),
    };
    text.strip_prefix(&format!("{}: ", file.display())).unwrap_or(&text).to_owned()
}

/// Why a part of a corpus, whose footer is right, is damaged: its other bytes, or its file of steps. None if all bytes
/// have their checksums.
pub(crate) fn damage(folder: &Path, outline: &Outline, part: u64) -> Result<Option<Damage>> {
    let rows = folder.join(outline.part_file(part));
    let checked = match outline.format {
        PartFormat::Parquet => check_parquet(&rows, outline, part, false),
        PartFormat::CsvZst => check_zstd(&rows),
    };
    if let Some(reason) = reason_of(&rows, checked)? {
        return Ok(Some(Damage { file: rows, reason }));
    }
    let steps = folder.join(STEPS_FOLDER).join(steps_name(part));
    if !outline.has_steps {
        return Ok(None);
    }
    if !steps.is_file() {
        return Ok(Some(Damage { file: steps, reason: "missing".to_owned() }));
    }
    let checked = check_parquet(&steps, outline, part, true);
    Ok(reason_of(&steps, checked)?.map(|reason| Damage { file: steps, reason }))
}

pub(crate) struct Damage {
    pub file: PathBuf,
    pub reason: String,
}

/// The reason of a failed check. An error of the system is none.
fn reason_of(file: &Path, checked: Result<()>) -> Result<Option<String>> {
    match checked {
        Err(error) if error.is_of_system() => Err(error),
        Err(error) => Ok(Some(plain(file, &error))),
        Ok(()) => Ok(None),
    }
}

/// Compares all bytes of a Parquet file of a part with their checksums, and its place with that of the part.
fn check_parquet(path: &Path, outline: &Outline, part: u64, of_steps: bool) -> Result<()> {
    let frame = FrameReader::open(path)?;
    let metadata = Metadata::of_file(path)?;
    if let Some(reason) = differs(metadata.as_ref(), Some(part), outline, None, of_steps) {
        return Err(CorpusError::file(path, reason));
    }
    // Files of older versions have none.
    let has_sums = frame.has_sums() || metadata.is_some_and(|metadata| metadata.format_version < FIRST_WITH_SUMS);
    let checked = if has_sums { frame.check_all() } else { Err("damaged: its checksums are missing".to_owned()) };
    checked.map_err(|reason| CorpusError::file(path, reason))
}

/// The first version of the format with checksums in the footer.
const FIRST_WITH_SUMS: u32 = 17;

/// Decodes a file, whose zstd frame ends with a checksum.
fn check_zstd(path: &Path) -> Result<()> {
    let file = File::open(path).map_err(CorpusError::io("open", path))?;
    let mut decoder = zstd::Decoder::new(file).map_err(CorpusError::io("read", path))?;
    io::copy(&mut decoder, &mut io::sink()).map(drop).map_err(|error| match error.raw_os_error() {
        Some(_) => CorpusError::io("read", path)(error),
        None => CorpusError::file(path, format!("damaged: {}", in_words(&error))),
    })
}
