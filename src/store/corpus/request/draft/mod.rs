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
//! level = "hard"                    # of the recipe's scale; also needs = "x_wing", only = "singles"
//! [analyze]
//! techniques = ["singles", "x_wing"]
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
use std::path::Path;

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
use crate::corpus::values::error::{RecipeError, in_words, place, toml_reason};
use crate::corpus::values::levels::{LevelDraft, Levels};
use crate::corpus::values::ratings::Ratings;
use crate::corpus::values::reading::read_small;
use crate::corpus::values::target::{ErRange, Techniques};
use sudoku_corpus_core::board::{Shape, Symmetry};
use sudoku_corpus_core::dig::Plan;
use sudoku_corpus_core::explainer::Tenths;
use sudoku_corpus_core::ladder::Ladder;
use sudoku_corpus_core::names;

/// A recipe with gaps.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
#[expect(missing_docs, reason = "keys.txt says what they are")]
pub struct Draft {
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", help = about("seed")))]
    pub seed: Option<u64>,
    #[cfg_attr(feature = "cli", arg(long, short = 'n', value_name = "N", help = about("count")))]
    pub count: Option<u64>,
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", help = about("part_rows")))]
    pub part_rows: Option<u64>,
    #[cfg_attr(feature = "cli", arg(long, value_name = "FORMAT", help = about("format")))]
    #[serde(with = "text")]
    pub format: Option<PartFormat>,
    #[cfg_attr(feature = "cli", arg(long, value_name = "LEVELS", help = about("levels")))]
    pub levels: Option<InputPath>,
    /// How full grids are made.
    #[cfg_attr(feature = "cli", command(flatten))]
    pub grid: GridDraft,
    /// How holes are dug, and the goal of the puzzles.
    #[cfg_attr(feature = "cli", command(flatten))]
    pub dig: GoalDraft,
    /// How each puzzle is analysed.
    #[cfg_attr(feature = "cli", command(flatten))]
    pub analyze: AnalyzeDraft,
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
    /// Number of empty cells: N, or N..M with both ends included. This is the plan `givens`, counted by empty cells.
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
    #[cfg_attr(feature = "cli", arg(skip))]
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
    #[cfg_attr(feature = "cli", arg(skip))]
    pub minimal: Option<bool>,
    #[cfg_attr(feature = "cli", arg(skip))]
    pub weight: Option<bool>,
    #[cfg_attr(feature = "cli", arg(skip))]
    pub count_limit: Option<u64>,
    #[cfg_attr(feature = "cli", arg(long, value_name = "N", help = about("analyze.budget")))]
    pub budget: Option<u64>,
    #[cfg_attr(feature = "cli", arg(long, num_args = 0, help = about("analyze.numbers"), default_missing_value = "true"))]
    pub numbers: Option<bool>,
    #[cfg_attr(feature = "cli", arg(skip))]
    pub steps: Option<bool>,
}

/// A command on the finished corpus.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "BTreeMap<String, Spanned<toml::Value>>")]
pub struct OutputDraft {
    /// Name of the command, such as `export`.
    pub command: String,
    /// The other keys, in the order of the file.
    pub options: Vec<OutputOption>,
}

/// An option of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputOption {
    /// Its name, such as `--per-page`.
    pub name: String,
    /// Its value. None for an option without one, such as `--bleed`.
    pub value: Option<String>,
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
            let bytes = read_small(path).map_err(|error| format!("cannot be read: {}", in_words(&error)))?;
            let text = std::str::from_utf8(&bytes).map_err(|_| "the file is not UTF-8 text")?;
            Draft::parse_in(text, folder)
        };
        let is_toml = path.extension().is_some_and(|ending| ending == "toml");
        let hint = if is_toml { "" } else { "; a recipe is a file of TOML: `list recipes` has some" };
        read().map_err(|error| RecipeError { file: Some(path.to_owned()), reason: error.reason + hint, ..error })
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
        let error =
            |offset: usize, reason: String| RecipeError { file: None, place: Some(place(text, offset)), reason };
        let document = DeTable::parse(text).map_err(|wrong| error(start(&wrong), toml_reason(&wrong)))?;
        let entries = entries(document.get_ref());
        if let Some(entry) = entries.iter().find(|entry| !entry.is_known()) {
            return Err(error(entry.offset, unknown(entry.table, entry.name)));
        }
        let mut draft: Draft = toml::from_str(text).map_err(|wrong| {
            let position = start(&wrong);
            // Of a table and a key in it, the key comes later.
            let key = entries.iter().rev().find(|entry| entry.value.span().contains(&position));
            let named = key.map_or(String::new(), |entry| format!("{}: ", entry.name));
            error(position, named + &toml_reason(&wrong))
        })?;
        draft.grid.bases.iter_mut().for_each(|path| *path = folder.join(&*path).into());
        if let Some(file) = draft.levels.as_mut().filter(|name| !Levels::is_built_in(&name.to_string_lossy())) {
            *file = folder.join(&**file).into();
        }
        // Names of levels are checked here, so that a mistake is reported with its place.
        let named = entries.iter().find(|entry| entry.table.is_empty() && ["level", "levels"].contains(&entry.name));
        let levels = draft.scale().map_err(|reason| match named {
            Some(entry) => error(entry.value.span().start, reason),
            None => reason.into(),
        })?;
        for entry in entries.iter().filter(|entry| entry.name == "level" && ["dig", "quota"].contains(&entry.table)) {
            let Some(name) = entry.value.get_ref().as_str() else { continue };
            levels.place(name).map_err(|reason| error(entry.value.span().start, format!("level: {reason}")))?;
        }
        Ok(draft)
    }

    /// Names the scale of its levels, or lists them if it has no name.
    pub fn set_scale(&mut self, levels: &Levels) {
        self.levels = levels.name().map(InputPath::from);
        self.level = if self.levels.is_none() { levels.drafts() } else { Vec::new() };
    }

    /// The scale of its levels: the newspaper's if it names none.
    pub(crate) fn scale(&self) -> Result<Levels, String> {
        match (&self.levels, &self.level[..]) {
            (None, []) => Ok(Levels::default()),
            (Some(name), []) => Levels::open(&name.to_string_lossy(), Path::new("")),
            (None, levels) => Levels::of_drafts(levels.to_vec()),
            (Some(_), _) => Err("give levels or [[level]], not both".to_owned()),
        }
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
        let value = match value {
            toml::Value::String(text) => Some(text.clone()),
            toml::Value::Integer(_) | toml::Value::Float(_) => Some(value.to_string()),
            toml::Value::Boolean(true) => None,
            toml::Value::Boolean(false) => return Ok(()),
            toml::Value::Array(items) => return items.iter().try_for_each(|item| self.add(name, item)),
            _ => return Err(format!("{name}: a text, number, true, false or a list of them expected")),
        };
        self.options.push(OutputOption { name: format!("--{}", name.replace('_', "-")), value });
        Ok(())
    }
}

/// Reads a symmetry. Completions and help list the names.
#[cfg(feature = "cli")]
fn symmetry_parser() -> impl TypedValueParser<Value = Symmetry> {
    PossibleValuesParser::new(Symmetry::ALL.map(Symmetry::name)).try_map(|name| name.parse::<Symmetry>())
}

/// Keys of earlier versions, and what to do instead.
pub const GONE_KEYS: [(&str, &str); 3] = [
    (
        "distinct",
        "a row depends on the recipe and its number alone; make some more rows, and take some \
         of them with `export --count N`, which never takes two isomorphic puzzles",
    ),
    (
        "layout",
        "the parts are in the folder of the corpus itself; `WHERE row < N` skips parts in a query, and gives a fair sample \
         of a corpus without quotas",
    ),
    (
        "stock",
        "write a [[quota]] for each class, with level, er or needs and a count; quotas without a count share the count of \
         the recipe evenly, as in data/recipes/benchmark.toml",
    ),
];

/// Tables that come as lists, `[[quota]]`.
const LISTS: [&str; 3] = ["level", "quota", "output"];

/// A key of the document, at the top or in a table.
struct KeyEntry<'a> {
    /// Where it begins, in bytes.
    offset: usize,
    table: &'a str,
    name: &'a str,
    value: &'a Spanned<DeValue<'a>>,
}

impl KeyEntry<'_> {
    /// True if a recipe has this key. Levels check their own keys, and the commands of outputs check theirs.
    fn is_known(&self) -> bool {
        let KeyEntry { table, name, value, .. } = self;
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
fn entries<'a>(document: &'a DeTable<'a>) -> Vec<KeyEntry<'a>> {
    let mut entries = Vec::new();
    let mut add = |table: &'a str, inner: &'a DeTable<'a>| {
        entries.extend(inner.iter().map(|(name, value)| KeyEntry {
            offset: name.span().start,
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
    entries.sort_by_key(|entry| entry.offset);
    entries
}

/// What is wrong with an unknown key: the nearest known one.
fn unknown(table: &str, name: &str) -> String {
    if table.is_empty() && name == "level" {
        let scale = "a scale of your own is a list [[level]]";
        return format!("the level of the puzzles stands in [dig]: write [dig] and below it level; {scale}");
    }
    if table.is_empty() && LISTS.contains(&name) {
        return format!("'{name}' is a list of tables: write [[{name}]] and the keys below it, once for each item");
    }
    if table.is_empty() && KEYS.iter().any(|key| key.table == name) {
        return format!("'{name}' is a table: write [{name}] and the keys below it");
    }
    if let Some((_, instead)) = GONE_KEYS.iter().find(|(gone, _)| table.is_empty() && *gone == name) {
        return format!("'{name}' is gone: {instead}");
    }
    let spelled = name.to_lowercase().replace('-', "_");
    if table.is_empty() && OPTIONS.contains(&&*spelled) {
        return format!(
            "'{name}' is no key of a recipe but an option: write --{} behind `run`",
            spelled.replace('_', "-")
        );
    }
    if ["givens", "clues", "holes"].contains(&&*spelled) {
        return format!("'{name}' is no key; a number of givens is a plan: plan = \"givens=24..30\" in [dig]");
    }
    if table.is_empty() && name == "command" {
        let made = "'command' stands in the recipes of folders that analyze, dig, generate and mask made";
        return format!("{made}; to continue one, repeat that command");
    }
    let shown = if table.is_empty() { name.to_owned() } else { format!("{table}.{name}") };
    let meant = MEANT_KEYS.iter().find(|(words, _)| words.split(' ').any(|word| word == spelled));
    let meant = meant.map_or(&*spelled, |(_, key)| key);
    let keys: Vec<&str> = KEYS.iter().filter(|key| key.table == table).map(|key| key.name).collect();
    // The same word in another table is nearer than a similar one in this table.
    let is_elsewhere = !keys.contains(&meant) && KEYS.iter().any(|key| key.name == meant);
    if !is_elsewhere && let Some(near) = names::nearest(meant, keys.iter().copied()) {
        return format!("unknown key '{shown}'; did you mean '{near}'?");
    }
    if let Some(near) = names::nearest(meant, KEYS.iter().map(|key| key.table).filter(|_| table.is_empty())) {
        return format!("unknown key '{shown}'; did you mean {}?", head(near));
    }
    let instead = elsewhere(table, meant).unwrap_or_else(|| format!("known here: {}", keys.join(", ")));
    format!("unknown key '{shown}'; {instead}")
}

/// Where a word is a key, outside of a table.
fn elsewhere(table: &str, meant: &str) -> Option<String> {
    let others = || KEYS.iter().filter(|key| key.table != table);
    let same = others().find(|key| key.name == meant);
    let key = same.or_else(|| others().find(|key| names::nearest(meant, [key.name]).is_some()))?;
    let (name, head) = (key.name, head(key.table));
    Some(match key.table {
        "" => format!("{name} stands before all tables: write {name} = .. at the top"),
        _ => format!("{name} stands in {head}: write {head} and below it {name} = .."),
    })
}

/// The line with which a table begins.
fn head(table: &str) -> String {
    if LISTS.contains(&table) { format!("[[{table}]]") } else { format!("[{table}]") }
}

/// Words that people write for a key.
const MEANT_KEYS: [(&str, &str); 4] = [
    ("rows puzzles number amount total share percent", "count"),
    ("board size boxes", "shape"),
    ("difficulty hardness", "level"),
    ("file_format type", "format"),
];

/// Options of `run` that are no keys.
const OPTIONS: [&str; 8] = ["out", "threads", "quiet", "parts", "dry_run", "json", "except", "remember"];

/// The place of an error in the text, in bytes.
fn start(error: &toml::de::Error) -> usize {
    error.span().map_or(0, |span| span.start)
}

#[cfg(test)]
mod tests;
