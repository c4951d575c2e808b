//! Recipe files: TOML in which every key is optional.
//!
//! ```toml
//! seed = 20261120
//! count = 100_000
//! part_rows = 10_000
//! format = "parquet"                # or "csv.zst"
//! layout = "flat"                   # or "hive"
//! [grid]
//! shape = "3x3"
//! method = "permutation:blocks"     # an option of the method follows a colon
//! [dig]
//! plan = "givens=28..32"            # or minimal, reveal, givens=30, random-holes=50
//! symmetry = "rotate-180"
//! level = "hard"                    # also needs = "x_wing", only = "singles"
//! [analyze]
//! techniques = ["singles", "x_wing"]
//! [stock]                           # or: the same number of puzzles of every class
//! by = "er"
//! count = 1000
//! [[quota]]                         # a number of rows with a goal; missing keys are those of [dig]
//! level = "easy"
//! count = 500
//! [[output]]                        # a command to run on the finished corpus, and its options
//! command = "export"
//! out = "easy.sdm"
//! ```
//!
//! A key that is not in [`KEYS`] is refused with the nearest known key. Every error gives line and column. A [`Draft`]
//! has the values of the file; a missing value is None. The command line replaces values by its own.
//! [`super::Recipe::new`] fills the remaining gaps with the defaults and checks the result.

mod keys;

use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub use keys::{KEYS, Key};

use crate::corpus::error::RecipeError;
use crate::corpus::format::PartFormat;
use crate::corpus::layout::Layout;
use crate::corpus::levels::Levels;
use crate::corpus::ratings::Ratings;
use crate::corpus::stock::StockDraft;
use sudoku_corpus_core::board::{Shape, Symmetry};
use sudoku_corpus_core::dig::Plan;
use sudoku_corpus_core::rate::explainer::Tenths;
use sudoku_corpus_core::rate::{Ladder, Level, Technique};

/// A recipe with gaps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    /// Seed of all random numbers.
    pub seed: Option<u64>,
    /// Number of rows.
    pub count: Option<u64>,
    /// Rows of a part.
    pub part_rows: Option<u64>,
    /// Format of the parts.
    pub format: Option<PartFormat>,
    /// The layout of the folder.
    pub layout: Option<Layout>,
    /// Replace rows that are essentially the same as earlier ones.
    pub distinct: Option<bool>,
    /// The meaning of the names of levels; HoDoKu's levels by default.
    pub levels: Option<Levels>,
    /// Shape of the boards.
    pub shape: Option<Shape>,
    /// The method that makes grids, with its option.
    pub method: Option<String>,
    /// Option of `base-shuffle`: a file of puzzles or grids.
    pub bases: Option<PathBuf>,
    /// BLAKE3 that the bases must have.
    pub bases_blake3: Option<String>,
    /// The goal of the puzzles.
    pub goal: GoalDraft,
    /// Numbers of rows with goals of their own.
    pub quotas: Vec<QuotaDraft>,
    /// The same number of puzzles of every class.
    pub stock: Option<StockDraft>,
    /// Commands to run on the finished corpus. They do not influence the rows.
    pub outputs: Vec<OutputDraft>,
    /// New grids to try for a row that does not meet its goal.
    pub retries: Option<u64>,
    /// Search nodes for one uniqueness test while digging.
    pub dig_budget: Option<u64>,
    /// The largest number of solutions that is counted.
    pub count_limit: Option<u64>,
    /// Compute weights.
    pub weight: Option<bool>,
    /// The ladder of techniques: `none`, or a text that [`sudoku_corpus_core::rate::Ladder`] reads.
    pub techniques: Option<String>,
    /// Ratings on published scales.
    pub ratings: Option<Ratings>,
    /// ER above this is given as a lower bound.
    pub er_limit: Option<Tenths>,
    /// Test whether puzzles are minimal.
    pub minimal: Option<bool>,
    /// Number solutions and their classes, and name puzzles.
    pub numbers: Option<bool>,
    /// Write the steps of every puzzle to a file beside each part.
    pub steps: Option<bool>,
    /// Positions that a search about a puzzle may visit.
    pub search_budget: Option<u64>,
}

/// The goal of puzzles, with gaps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GoalDraft {
    /// Plan of digging.
    pub plan: Option<Plan>,
    /// Symmetry of the givens.
    pub symmetry: Option<Symmetry>,
    /// The user's level that gives the other values.
    pub band: Option<String>,
    /// Digging cannot aim at this level, so puzzles are tried until one has it.
    pub sought: bool,
    /// Their level.
    pub level: Option<Level>,
    /// Techniques that the puzzles must need.
    pub needs: Option<Vec<Technique>>,
    /// Techniques that the ladder must use.
    pub uses: Option<Vec<Technique>>,
    /// Techniques that alone must solve the puzzles.
    pub only: Option<Ladder>,
    /// Sudoku Explainer's ER, from and to.
    pub er: Option<(Tenths, Tenths)>,
}

impl GoalDraft {
    /// Takes the values of a level. A plan that the recipe gives is kept.
    fn take(&mut self, level: GoalDraft) {
        self.band = level.band.or(self.band.take());
        self.sought |= level.sought;
        self.level = level.level.or(self.level.take());
        self.only = level.only.or(self.only.take());
        self.er = level.er.or(self.er.take());
        self.plan = self.plan.take().or(level.plan);
    }
}

/// A number of rows with a goal, with gaps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QuotaDraft {
    /// The number of rows; quotas without one share what the others leave of the recipe's count.
    pub count: Option<u64>,
    /// Their goal. A missing plan or symmetry is that of the recipe. If level, needs, uses, only and er are all
    /// missing, they are those of the recipe too.
    pub goal: GoalDraft,
}

/// A command on the finished corpus, and its options as on the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutputDraft {
    /// Name of the command, such as `export`.
    pub command: String,
    /// `--option`, `value`, ...: from the other keys.
    pub options: Vec<String>,
}

impl Draft {
    /// Reads a recipe file.
    ///
    /// # Errors
    /// The reason, with file, line and column. A wrong value is an error even if a later one replaces it.
    pub fn read(path: &Path) -> Result<Draft, RecipeError> {
        let unreadable = |reason: String| RecipeError { file: Some(path.to_owned()), place: None, reason };
        let bytes = std::fs::read(path).map_err(|error| unreadable(format!("cannot be read: {error}")))?;
        let text = std::str::from_utf8(&bytes).map_err(|_| unreadable("the file is not UTF-8 text".to_owned()))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut draft =
            Draft::parse_in(text, folder).map_err(|error| RecipeError { file: Some(path.to_owned()), ..error })?;
        if let (Some(bases), Some(folder)) = (&mut draft.bases, path.parent()) {
            *bases = folder.join(&*bases);
        }
        let found = draft.stock.as_mut().and_then(|stock| stock.found.as_mut());
        if let (Some(found), Some(folder)) = (found, path.parent()) {
            *found = folder.join(&*found);
        }
        Ok(draft)
    }

    /// Reads the text of a recipe.
    ///
    /// # Errors
    /// The reason, with line and column.
    pub fn parse(text: &str) -> Result<Draft, RecipeError> {
        Draft::parse_in(text, Path::new(""))
    }

    /// Reads the text of a recipe in a folder.
    fn parse_in(text: &str, folder: &Path) -> Result<Draft, RecipeError> {
        let error = |at: usize, reason: String| RecipeError { file: None, place: Some(place(text, at)), reason };
        let document = DeTable::parse(text).map_err(|wrong| {
            let reason = wrong.message().lines().collect::<Vec<_>>().join(", ");
            error(wrong.span().map_or(0, |span| span.start), reason)
        })?;
        let levels = own_levels(text, document.get_ref(), folder).map_err(|(at, reason)| error(at, reason))?;
        let mut draft = Draft { levels, ..Draft::default() };
        for entry in entries(document.get_ref()) {
            draft.read_entry(&entry).map_err(|(at, reason)| error(at, reason))?;
        }
        Ok(draft)
    }

    /// Reads one key. The error gives the place in the text.
    fn read_entry(&mut self, entry: &Entry<'_>) -> Result<(), (usize, String)> {
        let Entry { at, table, name, value } = *entry;
        let Some(value) = value else {
            match table {
                "quota" => self.quotas.push(QuotaDraft::default()),
                "level" => {}
                _ => self.outputs.push(OutputDraft::default()),
            }
            return Ok(());
        };
        let wrong = |reason: String| (value.span().start, format!("{name}: {reason}"));
        match KEYS.iter().find(|key| key.table == table && key.name == name) {
            Some(key) => (key.set)(self, value.get_ref()).map_err(wrong),
            None if table == "output" => {
                keys::output(self).options.extend(keys::option_words(name, value.get_ref()).map_err(wrong)?);
                Ok(())
            }
            // `own_levels` has read these.
            None if table == "level" => Ok(()),
            None if table.is_empty() && is_head(name, value.get_ref()) => Ok(()),
            None => Err((at, unknown(table, name))),
        }
    }
}

/// A key of the document. Without a value, it is the head of a new table of a list.
#[derive(Clone, Copy)]
struct Entry<'a> {
    /// The place in bytes.
    at: usize,
    table: &'a str,
    name: &'a str,
    value: Option<&'a Spanned<DeValue<'a>>>,
}

/// Tables that come as lists, `[[quota]]`.
const LISTS: [&str; 3] = ["level", "quota", "output"];

/// Reads the meaning of levels before the first key that names a level. The error gives the place in the text.
fn own_levels(text: &str, document: &DeTable<'_>, folder: &Path) -> Result<Option<Levels>, (usize, String)> {
    let levels = match (document.get("levels"), document.get("level")) {
        (None, None) => return Ok(None),
        (Some(value), None) => {
            let name = value.get_ref().as_str().unwrap_or_default();
            Levels::open(name, folder).map_err(|wrong| (value.span().start, wrong.to_string()))?
        }
        (None, Some(value)) => Levels::parse(text).map_err(|wrong| (value.span().start, wrong.to_string()))?,
        (Some(value), Some(_)) => return Err((value.span().start, "give levels or [[level]], not both".to_owned())),
    };
    // These are HoDoKu's levels, the default.
    Ok(Some(levels).filter(|levels| *levels != Levels::hodoku()))
}

/// All keys of the document down to the second level, in the order of the text.
fn entries<'a>(document: &'a DeTable<'a>) -> Vec<Entry<'a>> {
    let mut found = Vec::new();
    for (name, value) in document {
        let (at, name) = (name.span().start, name.get_ref().as_ref());
        found.push(Entry { at, table: "", name, value: Some(value) });
        found.extend(value.get_ref().as_table().into_iter().flat_map(|inner| inside(name, inner)));
        let list = value.get_ref().as_array().filter(|_| LISTS.contains(&name));
        for item in list.into_iter().flat_map(|items| items.iter()) {
            let Some(inner) = item.get_ref().as_table() else { continue };
            let keys: Vec<Entry<'a>> = inside(name, inner).collect();
            let first = keys.iter().map(|key| key.at).min().unwrap_or(item.span().start);
            found.push(Entry { at: first, table: name, name: "", value: None });
            found.extend(keys);
        }
    }
    found.sort_by_key(|entry| entry.at);
    found
}

/// The keys of an inner table.
fn inside<'a>(table: &'a str, inner: &'a DeTable<'a>) -> impl Iterator<Item = Entry<'a>> {
    inner.iter().map(move |(name, value)| {
        let (at, name) = (name.span().start, name.get_ref().as_ref());
        Entry { at, table, name, value: Some(value) }
    })
}

/// True if a key of the top level is the name of a table, and its value is such a table or list of tables.
fn is_head(name: &str, value: &DeValue<'_>) -> bool {
    match LISTS.contains(&name) {
        true => value.as_array().is_some_and(|items| items.iter().all(|item| item.get_ref().is_table())),
        false => value.is_table() && KEYS.iter().any(|key| key.table == name),
    }
}

/// The message about an unknown key.
fn unknown(table: &str, name: &str) -> String {
    if table.is_empty() && LISTS.contains(&name) {
        return format!("'{name}' is a list of tables: write [[{name}]] and the keys below it, once for each item");
    }
    if table.is_empty() && KEYS.iter().any(|key| key.table == name) {
        return format!("'{name}' is a table: write [{name}] and the keys below it");
    }
    let shown = |table: &str, name: &str| if table.is_empty() { name.to_owned() } else { format!("{table}.{name}") };
    let tables = ["grid", "dig", "analyze", "stock", "quota", "output"].map(|table| ("", table));
    let known = KEYS.iter().map(|key| (key.table, key.name)).chain(tables);
    // Prefer the same table, then the same word in another table, then the most similar word.
    let nearest =
        known.min_by_key(|key| (strsim::osa_distance(key.1, name) + usize::from(key.0 != table), key.0 != table));
    let nearest = nearest.map_or(String::new(), |(table, name)| format!("; did you mean '{}'?", shown(table, name)));
    format!("unknown key '{}'{nearest}", shown(table, name))
}

/// Line and column of a byte, both from 1. Columns count characters.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = &text.as_bytes()[..at.min(text.len())];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    (line, String::from_utf8_lossy(&before[start..]).chars().count() + 1)
}

#[cfg(test)]
mod tests;
