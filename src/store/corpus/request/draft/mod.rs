//! Recipes as they are written: TOML in which every key is optional, and options of the command line.
//!
//! ```toml
//! seed = 20261120
//! count = 100_000
//! part_rows = 10_000
//! format = "parquet"                # or "csv.zst"
//! [grid]
//! shape = "3x3"
//! method = "permutation:blocks"     # an option of the method follows a colon
//! [dig]
//! plan = "givens=28..32"            # or minimal, within, ...: `list plans`
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
//! One structure, [`Draft`], is read from the file, takes the options of the command line, and is written as the
//! canonical text of a recipe, in the order of its fields. A key that is not in [`KEYS`] is refused with the nearest
//! known key. Every error gives line and column.

#[cfg(feature = "cli")]
mod help;
mod keys;
mod layouts;
mod text;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[cfg(feature = "cli")]
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::{Deserialize, Serialize};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub use keys::KEYS;
#[cfg(feature = "cli")]
use keys::about;
pub use layouts::Layouts;

use crate::corpus::files::format::PartFormat;
use crate::corpus::files::paths::InputPath;
use crate::corpus::values::error::RecipeError;
use crate::corpus::values::levels::{LevelDraft, Levels};
use crate::corpus::values::ratings::Ratings;
use crate::corpus::values::target::{ErRange, Techniques};
use sudoku_corpus_core::board::{Shape, Symmetry};
use sudoku_corpus_core::dig::Plan;
use sudoku_corpus_core::names;
use sudoku_corpus_core::rate::explainer::Tenths;
use sudoku_corpus_core::rate::{Ladder, Level};

/// A recipe with gaps.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
#[expect(missing_docs, reason = "keys.txt says what they are")]
pub struct Draft {
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", help = about("seed")))]
    pub seed: Option<u64>,
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", help = about("count")))]
    pub count: Option<u64>,
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", help = about("part_rows")))]
    pub part_rows: Option<u64>,
    #[cfg_attr(feature = "cli", arg(long, value_name = "FORMAT", help = about("format")))]
    #[serde(with = "text")]
    pub format: Option<PartFormat>,
    #[cfg_attr(feature = "cli", arg(skip))]
    pub levels: Option<String>,
    /// How full grids are made.
    #[cfg_attr(feature = "cli", command(flatten))]
    pub grid: GridDraft,
    /// How holes are dug, and the goal of the puzzles.
    #[cfg_attr(feature = "cli", command(flatten))]
    pub dig: GoalDraft,
    /// How each puzzle is analysed.
    #[cfg_attr(feature = "cli", command(flatten))]
    pub analyze: AnalyzeDraft,
    /// The same number of puzzles of every class.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub stock: Option<StockDraft>,
    /// Numbers of rows with goals of their own. A missing plan or symmetry is that of `dig`. If level, needs, uses,
    /// only and er are all missing, they are those of `dig` too.
    #[cfg_attr(feature = "cli", arg(skip))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub quota: Vec<GoalDraft>,
    /// The meaning of the names of levels, in the recipe itself.
    #[cfg_attr(feature = "cli", arg(skip))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub level: Vec<LevelDraft>,
    /// Commands to run on the finished corpus. They do not influence the rows.
    #[cfg_attr(feature = "cli", arg(skip))]
    #[serde(skip_serializing)]
    pub output: Vec<OutputDraft>,
}

/// How full grids are made.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
#[expect(missing_docs, reason = "keys.txt says what they are")]
pub struct GridDraft {
    #[cfg_attr(feature = "cli", arg(skip))]
    #[serde(with = "text")]
    pub shape: Option<Shape>,
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", help = about("grid.layouts")))]
    #[serde(with = "text")]
    pub layouts: Option<Layouts>,
    #[cfg_attr(feature = "cli", arg(long, value_name = "SYMMETRY", help = about("grid.layout_symmetry"), value_parser = symmetry_parser()))]
    pub layout_symmetry: Option<Symmetry>,
    #[cfg_attr(feature = "cli", arg(long, value_name = "METHOD", help = about("grid.method")))]
    pub method: Option<String>,
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE", help = about("grid.bases")))]
    pub bases: Option<InputPath>,
    #[cfg_attr(feature = "cli", arg(skip))]
    pub bases_blake3: Option<String>,
}

/// How holes are dug, and the goal of the puzzles: the tables `[dig]` and `[[quota]]`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
#[expect(missing_docs, reason = "keys.txt says what they are")]
pub struct GoalDraft {
    #[cfg_attr(feature = "cli", arg(skip))]
    pub count: Option<u64>,
    #[cfg_attr(feature = "cli", arg(long, value_name = "PLAN", help = about("dig.plan"), long_help = help::plans()))]
    #[serde(with = "text")]
    pub plan: Option<Plan>,
    /// Number of empty cells: N, or N..M with both ends included: the plan `givens`, counted by holes.
    #[cfg_attr(feature = "cli", arg(long, value_name = "N..M", conflicts_with = "plan", value_parser = crate::corpus::range))]
    #[serde(skip)]
    pub holes: Option<(usize, usize)>,
    #[cfg_attr(feature = "cli", arg(long, value_name = "SYMMETRY", help = about("dig.symmetry"), value_parser = symmetry_parser()))]
    #[serde(with = "text")]
    pub symmetry: Option<Symmetry>,
    #[cfg_attr(feature = "cli", arg(long, value_name = "LEVEL", help = about("dig.level"), long_help = help::levels()))]
    pub level: Option<String>,
    #[cfg_attr(feature = "cli", arg(long, value_name = "LIST", help = about("dig.needs")))]
    #[serde(with = "text")]
    pub needs: Option<Techniques>,
    #[cfg_attr(feature = "cli", arg(long, value_name = "LIST", help = about("dig.uses")))]
    #[serde(with = "text")]
    pub uses: Option<Techniques>,
    #[cfg_attr(feature = "cli", arg(long, value_name = "LIST", help = about("dig.only")))]
    #[serde(with = "text")]
    pub only: Option<Ladder>,
    #[cfg_attr(feature = "cli", arg(long, value_name = "N..M", help = about("dig.er")))]
    #[serde(with = "text")]
    pub er: Option<ErRange>,
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", help = about("dig.retries")))]
    pub retries: Option<u64>,
    #[cfg_attr(feature = "cli", arg(id = "dig_budget", long = "dig-budget", value_name = "N", help = about("dig.budget")))]
    pub budget: Option<u64>,
}

/// How each puzzle is analysed.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
#[expect(missing_docs, reason = "keys.txt says what they are")]
pub struct AnalyzeDraft {
    #[cfg_attr(feature = "cli", arg(long, value_name = "LIST", help = about("analyze.techniques"), allow_hyphen_values = true))]
    #[serde(with = "text")]
    pub techniques: Option<String>,
    #[cfg_attr(feature = "cli", arg(long, value_name = "LIST", help = about("analyze.ratings"), long_help = help::ratings()))]
    #[serde(with = "text")]
    pub ratings: Option<Ratings>,
    #[cfg_attr(feature = "cli", arg(long, value_name = "RATING", help = about("analyze.er_limit")))]
    #[serde(with = "text")]
    pub er_limit: Option<Tenths>,
    /// Do not test whether puzzles are minimal.
    #[cfg_attr(feature = "cli", arg(long = "no-minimal", num_args = 0, default_missing_value = "false"))]
    pub minimal: Option<bool>,
    #[cfg_attr(feature = "cli", arg(skip))]
    pub weight: Option<bool>,
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", help = about("analyze.count_limit")))]
    pub count_limit: Option<u64>,
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", help = about("analyze.budget")))]
    pub budget: Option<u64>,
    #[cfg_attr(feature = "cli", arg(long, num_args = 0, help = about("analyze.numbers"), default_missing_value = "true"))]
    pub numbers: Option<bool>,
    #[cfg_attr(feature = "cli", arg(skip))]
    pub steps: Option<bool>,
}

names! { "kind of classes":
    /// The kinds of classes of a stock.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum By {
        /// The level of the ladder.
        Level = "level",
        /// Sudoku Explainer's ER, to the tenth.
        Er = "er",
        /// The hardest technique: the ladder up to it solves the puzzle, and the ladder without it does not.
        Technique = "technique",
    }
}

/// The same number of puzzles of every class.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct StockDraft {
    #[serde(with = "text")]
    pub by: Option<By>,
    #[serde(with = "text")]
    pub classes: Option<String>,
    pub count: Option<u64>,
    pub grids: Option<u64>,
    pub found: Option<PathBuf>,
    pub found_blake3: Option<String>,
}

/// A command on the finished corpus.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "BTreeMap<String, Spanned<toml::Value>>")]
pub struct OutputDraft {
    /// Name of the command, such as `export`.
    pub command: String,
    /// `--option`, `value`, ...: the other keys, as on the command line.
    pub options: Vec<String>,
}

impl Draft {
    /// Reads a recipe file. Paths in it are relative to its folder.
    ///
    /// # Errors
    /// The reason, with file, line and column. A wrong value is an error even if a later one replaces it.
    pub fn read(path: &Path) -> Result<Draft, RecipeError> {
        Draft::read_in(path, path.parent().unwrap_or(Path::new("")))
    }

    /// Like [`Draft::read`], for a copy of a recipe: its paths are relative to `folder`.
    pub fn read_in(path: &Path, folder: &Path) -> Result<Draft, RecipeError> {
        let read = || {
            let bytes = std::fs::read(path).map_err(|error| format!("cannot be read: {error}"))?;
            let text = std::str::from_utf8(&bytes).map_err(|_| "the file is not UTF-8 text")?;
            Draft::parse_in(text, folder)
        };
        read().map_err(|error| RecipeError { file: Some(path.to_owned()), ..error })
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
        let document = DeTable::parse(text).map_err(|wrong| error(start(&wrong), one_line(wrong.message())))?;
        let entries = entries(document.get_ref());
        if let Some(entry) = entries.iter().find(|entry| !entry.is_known()) {
            return Err(error(entry.at, unknown(entry.table, entry.name)));
        }
        let mut draft: Draft = toml::from_str(text).map_err(|wrong| {
            let at = start(&wrong);
            // Of a table and a key in it, the key comes later.
            let key = entries.iter().rev().find(|entry| entry.value.span().contains(&at));
            let named = key.map_or(String::new(), |entry| format!("{}: ", entry.name));
            error(at, named + &one_line(&wrong.message().replace("u64", WHOLE)))
        })?;
        let beside = |path: &mut PathBuf| *path = folder.join(&*path);
        draft.grid.bases.iter_mut().for_each(|path| *path = folder.join(&*path).into());
        draft.stock.iter_mut().filter_map(|stock| stock.found.as_mut()).for_each(beside);
        if let Some(name) = draft.levels.as_mut().filter(|name| !Levels::is_built_in(name)) {
            *name = folder.join(&*name).to_string_lossy().into_owned();
        }
        // Names of levels are checked here, so that a mistake is reported with its place.
        let is_levels = |entry: &&Entry<'_>| entry.table.is_empty() && ["level", "levels"].contains(&entry.name);
        let own = draft.own_levels().map_err(|reason| match entries.iter().find(is_levels) {
            Some(entry) => error(entry.value.span().start, reason),
            None => reason.into(),
        })?;
        for entry in entries.iter().filter(|entry| entry.name == "level" && ["dig", "quota"].contains(&entry.table)) {
            let Some(name) = entry.value.get_ref().as_str() else { continue };
            let named = match &own {
                Some(levels) => levels.place(name).map(drop),
                None => name.parse::<Level>().map(drop).map_err(|error| error.to_string()),
            };
            named.map_err(|reason| error(entry.value.span().start, format!("level: {reason}")))?;
        }
        Ok(draft)
    }

    /// The meaning of the names of levels, if it is not HoDoKu's.
    pub(crate) fn own_levels(&self) -> Result<Option<Levels>, String> {
        let levels = match (&self.levels, &self.level[..]) {
            (None, []) => return Ok(None),
            (Some(name), []) => Levels::open(name, Path::new("")),
            (None, levels) => Levels::of_drafts(levels.to_vec()),
            (Some(_), _) => return Err("give levels or [[level]], not both".to_owned()),
        };
        Ok(Some(levels?).filter(|levels| *levels != Levels::hodoku()))
    }
}

/// The keys of an output, in the order of the file. `per_page = 4` becomes `--per-page 4`, `bleed = true` becomes
/// `--bleed`, and a list repeats its option.
impl TryFrom<BTreeMap<String, Spanned<toml::Value>>> for OutputDraft {
    type Error = String;

    fn try_from(table: BTreeMap<String, Spanned<toml::Value>>) -> Result<OutputDraft, String> {
        let mut keys: Vec<_> = table.into_iter().collect();
        keys.sort_by_key(|(_, value)| value.span().start);
        let mut output = OutputDraft::default();
        for (name, value) in keys {
            match (name.as_str(), value.into_inner()) {
                ("command", toml::Value::String(command)) => output.command = command,
                ("command", _) => return Err("command: a text in quotes expected".to_owned()),
                (_, value) => output.add(&name, &value)?,
            }
        }
        Ok(output)
    }
}

impl OutputDraft {
    /// Adds an option of an output, once for each item of a list. False leaves it out.
    fn add(&mut self, name: &str, value: &toml::Value) -> Result<(), String> {
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte)) {
            return Err(format!("'{name}' is not the name of an option"));
        }
        let word = match value {
            toml::Value::String(text) => Some(text.clone()),
            toml::Value::Integer(_) | toml::Value::Float(_) => Some(value.to_string()),
            toml::Value::Boolean(true) => None,
            toml::Value::Boolean(false) => return Ok(()),
            toml::Value::Array(items) => return items.iter().try_for_each(|item| self.add(name, item)),
            _ => return Err(format!("{name}: a text, number, true, false or a list of them expected")),
        };
        self.options.push(format!("--{}", name.replace('_', "-")));
        self.options.extend(word);
        Ok(())
    }
}

/// Reads a symmetry. Completions and help list the names.
#[cfg(feature = "cli")]
fn symmetry_parser() -> impl TypedValueParser<Value = Symmetry> {
    PossibleValuesParser::new(Symmetry::ALL.map(Symmetry::name)).try_map(|name| name.parse::<Symmetry>())
}

/// What messages call the type of numbers.
const WHOLE: &str = "an integer from 0 to 9223372036854775807";

/// Keys of earlier versions, and what to do instead.
pub const GONE_KEYS: [(&str, &str); 2] = [
    (
        "distinct",
        "a row depends on the recipe and its number alone; make some more rows, and take puzzles that are essentially \
         different with `export --count N`, which never takes two that are not",
    ),
    (
        "layout",
        "the parts are in the folder of the corpus itself; `WHERE index < N` skips parts in a query, and gives a fair sample \
         of a corpus without quotas",
    ),
];

/// Tables that come as lists, `[[quota]]`.
const LISTS: [&str; 3] = ["level", "quota", "output"];

/// A key of the document, at the top or in a table.
struct Entry<'a> {
    /// The place in bytes.
    at: usize,
    table: &'a str,
    name: &'a str,
    value: &'a Spanned<DeValue<'a>>,
}

impl Entry<'_> {
    /// True if a recipe has this key. Levels check their own keys, and the commands of outputs check theirs.
    fn is_known(&self) -> bool {
        let Entry { table, name, value, .. } = self;
        let value = value.get_ref();
        let is_head = match LISTS.contains(name) {
            true => value.as_array().is_some_and(|items| items.iter().all(|item| item.get_ref().is_table())),
            false => value.is_table() && KEYS.iter().any(|key| key.table == *name),
        };
        let is_key = KEYS.iter().any(|key| key.table == *table && key.name == *name);
        is_key || ["level", "output"].contains(table) || (table.is_empty() && is_head)
    }
}

/// All keys of the document down to the second level, in the order of the text.
fn entries<'a>(document: &'a DeTable<'a>) -> Vec<Entry<'a>> {
    let mut found = Vec::new();
    let mut add = |table: &'a str, inner: &'a DeTable<'a>| {
        found.extend(inner.iter().map(|(name, value)| Entry {
            at: name.span().start,
            table,
            name: name.get_ref(),
            value,
        }));
    };
    add("", document);
    for (name, value) in document {
        match value.get_ref() {
            DeValue::Table(inner) => add(name.get_ref(), inner),
            DeValue::Array(items) if LISTS.contains(&&**name.get_ref()) => {
                items.iter().filter_map(|item| item.get_ref().as_table()).for_each(|inner| add(name.get_ref(), inner));
            }
            _ => {}
        }
    }
    found.sort_by_key(|entry| entry.at);
    found
}

/// What is wrong with an unknown key: the nearest known one.
fn unknown(table: &str, name: &str) -> String {
    if table.is_empty() && LISTS.contains(&name) {
        return format!("'{name}' is a list of tables: write [[{name}]] and the keys below it, once for each item");
    }
    if table.is_empty() && KEYS.iter().any(|key| key.table == name) {
        return format!("'{name}' is a table: write [{name}] and the keys below it");
    }
    if let Some((_, instead)) = GONE_KEYS.iter().find(|(gone, _)| table.is_empty() && *gone == name) {
        return format!("'{name}' is gone: {instead}");
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

/// The place of an error in the text, in bytes.
fn start(error: &toml::de::Error) -> usize {
    error.span().map_or(0, |span| span.start)
}

fn one_line(message: &str) -> String {
    message.lines().collect::<Vec<_>>().join(", ")
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
