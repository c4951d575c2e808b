//! Recipes as people write them: TOML, every key optional.
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
//! plan = "givens=28..32"            # or minimal, reveal, givens=30, random-holes=50
//! symmetry = "rotate-180"
//! [analyze]
//! techniques = ["singles", "x_wing"]
//! ```
//!
//! A key that is not in [`KEYS`] is refused with the nearest one; every error says line and column. A [`Draft`] is the
//! file with gaps; the command line fills in its own values; [`super::Recipe::new`] fills the rest and checks the whole.

use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::recipe::{Format, RecipeError};
use crate::board::{Shape, Symmetry};
use crate::dig::Plan;

/// A recipe with gaps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    /// Where all randomness comes from.
    pub seed: Option<u64>,
    /// Number of rows.
    pub count: Option<u64>,
    /// Rows of a part.
    pub part_rows: Option<u64>,
    /// Format of the parts.
    pub format: Option<Format>,
    /// Shape of the boards.
    pub shape: Option<Shape>,
    /// The method that makes grids, with its option.
    pub method: Option<String>,
    /// Option of `base-shuffle`: a file of puzzles or grids.
    pub bases: Option<PathBuf>,
    /// BLAKE3 of the bases, when the recipe insists on certain ones.
    pub bases_blake3: Option<String>,
    /// Plan of digging.
    pub plan: Option<Plan>,
    /// Symmetry of the givens.
    pub symmetry: Option<Symmetry>,
    /// New grids tried for a row whose plan is out of reach.
    pub retries: Option<u64>,
    /// Search nodes for one question while digging.
    pub dig_budget: Option<u64>,
    /// How far solutions are counted.
    pub count_limit: Option<u64>,
    /// Compute weights.
    pub weight: Option<bool>,
    /// The ladder of techniques: `none`, or as [`crate::rate::Ladder`] reads it.
    pub techniques: Option<String>,
    /// Find out whether puzzles are minimal.
    pub minimal: Option<bool>,
    /// Positions that a search about a puzzle may visit.
    pub search_budget: Option<u64>,
}

/// A key of the recipe.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The table it stands in; empty for the top.
    pub table: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What it says, and its default.
    pub about: &'static str,
    set: fn(&mut Draft, &DeValue<'_>) -> Result<(), String>,
}

const fn key(
    table: &'static str,
    name: &'static str,
    about: &'static str,
    set: fn(&mut Draft, &DeValue<'_>) -> Result<(), String>,
) -> Key {
    Key { table, name, about, set }
}

/// Every key, in the order of the documentation.
pub static KEYS: [Key; 17] = [
    key("", "seed", "where all randomness comes from, from 0; default 20261120", |d, v| put(&mut d.seed, whole(v))),
    key("", "count", "number of rows; default 10000", |d, v| put(&mut d.count, whole(v))),
    key("", "part_rows", "rows of a part, the unit of work; default 10000", |d, v| put(&mut d.part_rows, whole(v))),
    key("", "format", "\"parquet\" (default) or \"csv.zst\"", |d, v| put(&mut d.format, parsed(v))),
    key("grid", "shape", "rows x columns of a box; default \"3x3\"", |d, v| put(&mut d.shape, shape(v))),
    key(
        "grid",
        "method",
        "how full grids are made; default \"uniform\", where there is none \"fewest-candidates\"",
        |d, v| put(&mut d.method, text(v)),
    ),
    key("grid", "bases", "of base-shuffle: a file of puzzles or grids, seen from the recipe", |d, v| {
        put(&mut d.bases, text(v).map(PathBuf::from))
    }),
    key("grid", "bases_blake3", "checksum that the bases must have", |d, v| put(&mut d.bases_blake3, text(v))),
    key("dig", "plan", "minimal (default), reveal, givens=N, givens=N..M, random-holes=N", |d, v| {
        put(&mut d.plan, parsed(v))
    }),
    key("dig", "symmetry", "symmetry of the pattern of givens; default \"none\"", |d, v| {
        put(&mut d.symmetry, parsed(v))
    }),
    key("dig", "retries", "new grids tried when a number of givens is out of reach; default 1000", |d, v| {
        put(&mut d.retries, whole(v))
    }),
    key("dig", "budget", "search nodes for one question; default no bound to order 9, 5000 above", |d, v| {
        put(&mut d.dig_budget, whole(v))
    }),
    key(
        "analyze",
        "techniques",
        "\"default\", \"all\", \"none\", or techniques and families such as \"singles,x_wing\" or \"-fish\"",
        |d, v| put(&mut d.techniques, list(v)),
    ),
    key(
        "analyze",
        "minimal",
        "find out whether puzzles are minimal where digging does not tell; default true",
        |d, v| put(&mut d.minimal, flag(v)),
    ),
    key("analyze", "weight", "compute log_weight, for the plan minimal without symmetry; default false", |d, v| {
        put(&mut d.weight, flag(v))
    }),
    key("analyze", "count_limit", "how far the solutions of a puzzle are counted; default 1000", |d, v| {
        put(&mut d.count_limit, whole(v))
    }),
    key("analyze", "budget", "positions that counting and the reference search may visit; default 1000000", |d, v| {
        put(&mut d.search_budget, whole(v))
    }),
];

/// Tables that a later version will read.
const LATER: [&str; 2] = ["quota", "output"];

impl Draft {
    /// Reads a recipe file.
    ///
    /// # Errors
    /// What is wrong, with file, line and column. A bad value is an error even if another one replaces it later.
    pub fn read(path: &Path) -> Result<Draft, RecipeError> {
        let unreadable = |reason: String| RecipeError { file: Some(path.to_owned()), place: None, reason };
        let bytes = std::fs::read(path).map_err(|error| unreadable(format!("cannot be read: {error}")))?;
        let text = std::str::from_utf8(&bytes).map_err(|_| unreadable("not a text in UTF-8".to_owned()))?;
        let mut draft = Draft::parse(text).map_err(|error| RecipeError { file: Some(path.to_owned()), ..error })?;
        if let (Some(bases), Some(folder)) = (&mut draft.bases, path.parent()) {
            *bases = folder.join(&*bases);
        }
        Ok(draft)
    }

    /// Reads the text of a recipe.
    ///
    /// # Errors
    /// What is wrong, with line and column.
    pub fn parse(text: &str) -> Result<Draft, RecipeError> {
        let error = |at: usize, reason: String| RecipeError { file: None, place: Some(place(text, at)), reason };
        let document = DeTable::parse(text).map_err(|wrong| {
            let reason = wrong.message().lines().collect::<Vec<_>>().join(", ");
            error(wrong.span().map_or(0, |span| span.start), reason)
        })?;
        let mut draft = Draft::default();
        for (at, table, name, value) in entries(document.get_ref()) {
            let found = KEYS.iter().find(|key| key.table == table && key.name == name);
            let outcome = match (found, value) {
                (Some(key), value) => (key.set)(&mut draft, value.get_ref())
                    .map_err(|reason| (value.span().start, format!("{name}: {reason}"))),
                (None, value) if is_table(table, name, value.get_ref()) => Ok(()),
                (None, _) => Err((at, unknown(table, name))),
            };
            outcome.map_err(|(at, reason)| error(at, reason))?;
        }
        Ok(draft)
    }
}

/// Where a key stands (byte), its table and name, and its value.
type Entry<'a> = (usize, &'a str, &'a str, &'a Spanned<DeValue<'a>>);

/// All keys of the document to depth two, in the order of the text.
fn entries<'a>(document: &'a DeTable<'a>) -> Vec<Entry<'a>> {
    let mut found = Vec::new();
    for (name, value) in document {
        found.push((name.span().start, "", name.get_ref().as_ref(), value));
        for (inner, value) in value.get_ref().as_table().into_iter().flatten() {
            found.push((inner.span().start, name.get_ref().as_ref(), inner.get_ref().as_ref(), value));
        }
    }
    found.sort_by_key(|entry| entry.0);
    found
}

/// Is this the head of a table that has keys?
fn is_table(table: &str, name: &str, value: &DeValue<'_>) -> bool {
    table.is_empty() && value.is_table() && KEYS.iter().any(|key| key.table == name)
}

/// What to say about a key that does not exist.
fn unknown(table: &str, name: &str) -> String {
    if table.is_empty() && LATER.contains(&name) {
        return format!("'{name}' is not supported by this version: recipes make rows, they do not select or export");
    }
    if table.is_empty() && KEYS.iter().any(|key| key.table == name) {
        return format!("'{name}' is a table: write [{name}] and its keys below");
    }
    let shown = |table: &str, name: &str| if table.is_empty() { name.to_owned() } else { format!("{table}.{name}") };
    let tables = ["grid", "dig", "analyze"].map(|table| ("", table));
    let known = KEYS.iter().map(|key| (key.table, key.name)).chain(tables);
    // The same table first, then the same word elsewhere, then what is written most alike.
    let nearest = known.min_by_key(|key| (distance(key.1, name) + usize::from(key.0 != table), key.0 != table));
    let nearest = nearest.map_or(String::new(), |(table, name)| format!("; did you mean '{}'?", shown(table, name)));
    format!("unknown key '{}'{nearest}", shown(table, name))
}

/// Letters to change, add or take away to get from one word to the other (Levenshtein).
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for letter in from.chars().take(64) {
        let mut diagonal = row[0];
        row[0] += 1;
        for (at, other) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *other);
            diagonal = row[at + 1];
            row[at + 1] = replaced.min(row[at] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}

/// Line and column of a byte, both from 1; columns count characters.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = &text.as_bytes()[..at.min(text.len())];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    (line, String::from_utf8_lossy(&before[start..]).chars().count() + 1)
}

/// Puts a value that was understood into its place.
fn put<T>(place: &mut Option<T>, value: Result<T, String>) -> Result<(), String> {
    *place = Some(value?);
    Ok(())
}

fn whole(value: &DeValue<'_>) -> Result<u64, String> {
    let number = value.as_integer().and_then(|number| i64::from_str_radix(number.as_str(), number.radix()).ok());
    let number = number.and_then(|number| u64::try_from(number).ok());
    number.ok_or_else(|| format!("a whole number from 0 to {} expected, not {}", i64::MAX, shown(value)))
}

fn flag(value: &DeValue<'_>) -> Result<bool, String> {
    value.as_bool().ok_or_else(|| format!("true or false expected, not {}", shown(value)))
}

fn text(value: &DeValue<'_>) -> Result<String, String> {
    value.as_str().map(str::to_owned).ok_or_else(|| format!("a text in quotes expected, not {}", shown(value)))
}

fn parsed<T: std::str::FromStr<Err: std::fmt::Display>>(value: &DeValue<'_>) -> Result<T, String> {
    text(value)?.parse().map_err(|error: T::Err| error.to_string())
}

/// A shape, also as an order without quotes.
fn shape(value: &DeValue<'_>) -> Result<Shape, String> {
    match whole(value) {
        Ok(order) => order.to_string().parse().map_err(|error: crate::board::ShapeError| error.to_string()),
        Err(_) => parsed(value),
    }
}

/// A text, or a list of texts as one with commas.
fn list(value: &DeValue<'_>) -> Result<String, String> {
    match value.as_array() {
        Some(items) => Ok(items.iter().map(|item| text(item.get_ref())).collect::<Result<Vec<_>, _>>()?.join(",")),
        None => text(value),
    }
}

/// A value for a message.
fn shown(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("\"{}\"", text.chars().take(40).collect::<String>()),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(flag) => flag.to_string(),
        other => format!("a value of type {}", other.type_str()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Rng, Stage};

    fn message(text: &str) -> String {
        Draft::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn every_key_is_understood() {
        let text = "seed = 0x10\ncount = 1_000\npart_rows = 10\nformat = \"csv.zst\"\n\
                    grid.shape = 6\ngrid.method = \"permutation:blocks\"\ngrid.bases = \"b.txt\"\ngrid.bases_blake3 = \"00\"\n\
                    [dig]\nplan = \"givens = 10..12\"\nsymmetry = \"rotate-180\"\nretries = 3\nbudget = 4\n\
                    [analyze]\ntechniques = [\"singles\", \"x-wing\"]\nminimal = false\nweight = true\ncount_limit = 5\nbudget = 6";
        let draft = Draft::parse(text).unwrap();
        let expected = Draft {
            seed: Some(16),
            count: Some(1_000),
            part_rows: Some(10),
            format: Some(Format::CsvZst),
            shape: Some(Shape::new(2, 3).unwrap()),
            method: Some("permutation:blocks".to_owned()),
            bases: Some("b.txt".into()),
            bases_blake3: Some("00".to_owned()),
            plan: Some(Plan::Givens(10..=12)),
            symmetry: Some(Symmetry::Rotate180),
            retries: Some(3),
            dig_budget: Some(4),
            count_limit: Some(5),
            weight: Some(true),
            techniques: Some("singles,x-wing".to_owned()),
            minimal: Some(false),
            search_budget: Some(6),
        };
        assert_eq!(draft, expected);
        assert_eq!(Draft::parse("").unwrap(), Draft::default());
        for key in &KEYS {
            let shown = if key.table.is_empty() { key.name.to_owned() } else { format!("{}.{}", key.table, key.name) };
            assert!(text.contains(key.name) && !key.about.is_empty(), "{shown}");
        }
    }

    #[test]
    fn unknown_keys_get_the_nearest_and_their_place() {
        assert_eq!(message("count = 1\nsede = 2"), "recipe:2:1: unknown key 'sede'; did you mean 'seed'?");
        assert_eq!(message("[grid]\n  methd = 2"), "recipe:2:3: unknown key 'grid.methd'; did you mean 'grid.method'?");
        assert_eq!(message("method = \"x\""), "recipe:1:1: unknown key 'method'; did you mean 'grid.method'?");
        assert_eq!(message("[grdi]\nshape = \"3x3\""), "recipe:1:2: unknown key 'grdi'; did you mean 'grid'?");
        assert_eq!(message("grid = 3"), "recipe:1:1: 'grid' is a table: write [grid] and its keys below");
        assert!(message("[[quota]]\nlevel = \"hard\"").contains("'quota' is not supported by this version"));
    }

    #[test]
    fn wrong_values_say_where_and_what() {
        assert_eq!(
            message("seed = -1"),
            "recipe:1:8: seed: a whole number from 0 to 9223372036854775807 expected, not -1"
        );
        assert_eq!(
            message("count = \"many\""),
            "recipe:1:9: count: a whole number from 0 to 9223372036854775807 expected, not \"many\""
        );
        assert_eq!(message("format = \"xls\""), "recipe:1:10: format: unknown format 'xls'; known: parquet, csv.zst");
        assert!(message("[grid]\nshape = \"1x9\"").starts_with("recipe:2:9: shape: a box of 1x9 "));
        assert!(message("[dig]\nplan = \"maximal\"").starts_with("recipe:2:8: plan: unknown plan 'maximal'"));
        assert_eq!(message("[analyze]\nminimal = 1"), "recipe:2:11: minimal: true or false expected, not 1");
        assert!(message("seed = 1\nseed = 2").starts_with("recipe:2:1: duplicate key"));
        assert!(message("seed =").starts_with("recipe:1:"));
    }

    /// Recipes with random bytes put in: a draft or an error, never a panic.
    #[test]
    fn no_text_panics() {
        let text =
            "seed = 1\n[grid]\nshape = \"3x3\"\n[dig]\nplan = \"givens=20..30\"\n[analyze]\ntechniques = [\"all\"]\n";
        let alphabet = b"\"'[]{}=.#\n\r\t 0_x-,\\\xc3\xa9";
        for index in 0..3_000 {
            let mut rng = Rng::new(3, index, Stage::Bench, 0);
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..=rng.below(5) {
                let at = rng.below(bytes.len());
                bytes.splice(at..at + rng.below(bytes.len() - at).min(3), [rng.choose(alphabet)]);
            }
            let _ =
                Draft::parse(&String::from_utf8_lossy(&bytes)).map(|draft| super::super::Recipe::new(&draft).is_ok());
        }
    }
}
