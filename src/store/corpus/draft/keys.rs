//! The table of the keys of a recipe. The reader, `list keys` and tests use it.

use std::path::PathBuf;

use toml::de::DeValue;

use super::{Draft, GoalDraft, OutputDraft, QuotaDraft};
use crate::corpus::ratings::UnknownRating;
use crate::corpus::stock::StockDraft;
use crate::corpus::target;
use sudoku_corpus_core::board::{Reason, Shape};
use sudoku_corpus_core::rate::explainer::Tenths;
use sudoku_corpus_core::rate::{Ladder, Technique};

/// A key of the recipe.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The table of the key; empty for the top level.
    pub table: &'static str,
    /// The name.
    pub name: &'static str,
    /// The meaning and the default.
    pub about: &'static str,
    pub(super) set: fn(&mut Draft, &DeValue<'_>) -> Result<(), String>,
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
pub static KEYS: [Key; 43] = [
    key("", "seed", "seed of all random numbers, from 0; default 20261120", |d, v| put(&mut d.seed, integer(v))),
    key("", "count", "number of rows; default 10000", |d, v| put(&mut d.count, integer(v))),
    key("", "part_rows", "number of rows in a part, which is the unit of work; default 10000", |d, v| {
        put(&mut d.part_rows, integer(v))
    }),
    key("", "format", "\"parquet\" (default) or \"csv.zst\"", |d, v| put(&mut d.format, parsed(v))),
    key("", "layout", "\"flat\" (default) or \"hive\": folders that name shape, method, seed and block", |d, v| {
        put(&mut d.layout, parsed(v))
    }),
    key(
        "",
        "distinct",
        "a run of the complete corpus replaces rows that are essentially the same as earlier ones; default false",
        |d, v| put(&mut d.distinct, flag(v)),
    ),
    key(
        "",
        "levels",
        "the meaning of levels: \"hodoku\" (default), \"newspaper\", or a file; or tables [[level]]; see `guide publishing`",
        // Read before all other keys, see `own_levels`.
        |_, v| text(v).map(drop),
    ),
    key(
        "grid",
        "shape",
        "rows x columns of a box: \"3x3\" (default) is the 9x9 board, \"2x3\" the 6x6 board, \"6x6\" the 36x36 board",
        |d, v| put(&mut d.shape, shape(v)),
    ),
    key(
        "grid",
        "method",
        "the method that makes full grids; default \"uniform\", or \"fewest-candidates\" for boards without it",
        |d, v| put(&mut d.method, text(v)),
    ),
    key("grid", "bases", "for base-shuffle: a file of puzzles or grids, relative to the recipe", |d, v| {
        put(&mut d.bases, text(v).map(PathBuf::from))
    }),
    key("grid", "bases_blake3", "checksum that the bases must have", |d, v| put(&mut d.bases_blake3, text(v))),
    key(
        "dig",
        "plan",
        "minimal, reveal, givens=N, givens=N..M, random-holes=N, within or controlled-bias; default minimal, or within if level, only or er is given",
        |d, v| put(&mut d.goal.plan, parsed(v)),
    ),
    key("dig", "symmetry", "symmetry of the pattern of givens; default \"none\"", |d, v| {
        put(&mut d.goal.symmetry, parsed(v))
    }),
    key("dig", "level", "level of each puzzle: easy, medium, hard, unfair, extreme, beyond", |d, v| {
        let aim = aim(d, v)?;
        d.goal.take(aim);
        Ok(())
    }),
    key(
        "dig",
        "needs",
        "techniques that each puzzle needs, such as \"x_wing\": without it only a harder one would do",
        |d, v| put(&mut d.goal.needs, techniques(v)),
    ),
    key("dig", "uses", "techniques that the ladder uses for each puzzle; another one might do as well", |d, v| {
        put(&mut d.goal.uses, techniques(v))
    }),
    key("dig", "only", "techniques that alone solve each puzzle, such as \"singles\"", |d, v| {
        put(&mut d.goal.only, ladder(v))
    }),
    key("dig", "er", "Sudoku Explainer's ER of each 9x9 puzzle: \"4.5\" or \"1.5..4.5\"", |d, v| {
        put(&mut d.goal.er, ratings(v))
    }),
    key(
        "dig",
        "retries",
        "how many more grids to try for a row that does not meet its goal; default 1000, or 100000 with level, needs, uses, only, er or [stock]",
        |d, v| put(&mut d.retries, integer(v)),
    ),
    key(
        "dig",
        "budget",
        "search nodes for one uniqueness test; default no limit up to order 9, 5000 up to order 16, 100 above",
        |d, v| put(&mut d.dig_budget, integer(v)),
    ),
    key(
        "analyze",
        "techniques",
        "\"default\", \"all\", \"none\", or techniques and families such as \"singles,x_wing\" or \"-fish\"",
        |d, v| put(&mut d.techniques, list(v)),
    ),
    key(
        "analyze",
        "ratings",
        "ratings of 9x9 puzzles on published scales: none, er, ep, ed, w, b, te, bxb, er_canonical, tridagon, effort, or se (er,ep,ed; default), whips (w,b), all",
        |d, v| put(&mut d.ratings, list(v).and_then(|text| text.parse().map_err(|e: UnknownRating| e.to_string()))),
    ),
    key(
        "analyze",
        "er_limit",
        "a higher ER is given as a lower bound, with se_exact = false; default \"10.4\"; \"20.0\" is no limit: the hardest puzzles take some seconds each",
        |d, v| put(&mut d.er_limit, parsed(v)),
    ),
    key("analyze", "minimal", "test whether puzzles are minimal if digging does not show it; default true", |d, v| {
        put(&mut d.minimal, flag(v))
    }),
    key(
        "analyze",
        "numbers",
        "fill the columns grid_number, class_rank and name, which takes a millisecond for each puzzle; default false",
        |d, v| put(&mut d.numbers, flag(v)),
    ),
    key(
        "analyze",
        "steps",
        "write every step of the solutions to a file steps-000000.parquet beside each part; default false",
        |d, v| put(&mut d.steps, flag(v)),
    ),
    key(
        "analyze",
        "weight",
        "write log_weight; default true for the plans minimal and controlled-bias without symmetry or level, up to order 9",
        |d, v| put(&mut d.weight, flag(v)),
    ),
    key("analyze", "count_limit", "count the solutions of a puzzle up to this number; default 1000", |d, v| {
        put(&mut d.count_limit, integer(v))
    }),
    key(
        "analyze",
        "budget",
        "positions that counting and the reference search may visit; default 1000000 up to order 16, 100000 above",
        |d, v| put(&mut d.search_budget, integer(v)),
    ),
    key("stock", "by", "the kind of the classes of a stock: \"level\", \"er\" or \"technique\"", |d, v| {
        put(&mut stock(d).by, parsed(v))
    }),
    key(
        "stock",
        "classes",
        "the classes: \"easy,hard\", \"1.2..8.5\", or techniques; default all levels except beyond, 1.0..10.4, all techniques of the ladder",
        |d, v| put(&mut stock(d).classes, list(v)),
    ),
    key("stock", "count", "puzzles of each class, no two essentially the same", |d, v| {
        put(&mut stock(d).count, integer(v))
    }),
    key(
        "stock",
        "found",
        "the file of finds; written into the recipe of a corpus when the search is finished",
        |d, v| put(&mut stock(d).found, text(v).map(PathBuf::from)),
    ),
    key("stock", "found_blake3", "checksum of that file", |d, v| put(&mut stock(d).found_blake3, text(v))),
    key(
        "quota",
        "count",
        "number of rows of this quota; quotas without it share the rest of the recipe's count evenly",
        |d, v| put(&mut quota(d).count, integer(v)),
    ),
    key(
        "quota",
        "level",
        "their level; if level, needs, uses, only and er are all missing, those of [dig] apply",
        |d, v| {
            let aim = aim(d, v)?;
            quota(d).goal.take(aim);
            Ok(())
        },
    ),
    key("quota", "needs", "techniques that they need", |d, v| put(&mut quota(d).goal.needs, techniques(v))),
    key("quota", "uses", "techniques that the ladder uses", |d, v| put(&mut quota(d).goal.uses, techniques(v))),
    key("quota", "only", "techniques that alone solve them", |d, v| put(&mut quota(d).goal.only, ladder(v))),
    key("quota", "er", "their ER", |d, v| put(&mut quota(d).goal.er, ratings(v))),
    key("quota", "plan", "their plan; default the plan of [dig]", |d, v| put(&mut quota(d).goal.plan, parsed(v))),
    key("quota", "symmetry", "their symmetry; default the symmetry of [dig]", |d, v| {
        put(&mut quota(d).goal.symmetry, parsed(v))
    }),
    key(
        "output",
        "command",
        "a command to run on the finished corpus: export, book, report, resample or verify; the other keys are its options",
        |d, v| {
            output(d).command = text(v)?;
            Ok(())
        },
    ),
];

/// The stock that is being read.
fn stock(draft: &mut Draft) -> &mut StockDraft {
    draft.stock.get_or_insert_default()
}

/// The goal of a level, by the levels of the recipe.
fn aim(draft: &Draft, value: &DeValue<'_>) -> Result<GoalDraft, String> {
    match &draft.levels {
        None => Ok(GoalDraft { level: Some(parsed(value)?), ..GoalDraft::default() }),
        Some(levels) => levels.aim(&text(value)?),
    }
}

/// The quota that is being read.
fn quota(draft: &mut Draft) -> &mut QuotaDraft {
    last(&mut draft.quotas)
}

/// The output that is being read.
pub(super) fn output(draft: &mut Draft) -> &mut OutputDraft {
    last(&mut draft.outputs)
}

/// The last item of a list. The head of its table has added it.
fn last<T: Default>(list: &mut Vec<T>) -> &mut T {
    if list.is_empty() {
        list.push(T::default());
    }
    let last = list.len() - 1;
    &mut list[last]
}

/// Stores a parsed value.
fn put<T>(place: &mut Option<T>, value: Result<T, String>) -> Result<(), String> {
    *place = Some(value?);
    Ok(())
}

fn integer(value: &DeValue<'_>) -> Result<u64, String> {
    let number = value.as_integer().and_then(|number| i64::from_str_radix(number.as_str(), number.radix()).ok());
    let number = number.and_then(|number| u64::try_from(number).ok());
    number.ok_or_else(|| format!("an integer from 0 to {} expected, not {}", i64::MAX, shown(value)))
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

/// Reads a shape, or an order without quotes.
fn shape(value: &DeValue<'_>) -> Result<Shape, String> {
    match integer(value) {
        Ok(order) => order.to_string().parse().map_err(|error: Reason| error.to_string()),
        Err(_) => parsed(value),
    }
}

/// Reads the techniques that puzzles must need.
fn techniques(value: &DeValue<'_>) -> Result<Vec<Technique>, String> {
    target::needed(&list(value)?)
}

/// Reads the techniques that alone must solve puzzles.
fn ladder(value: &DeValue<'_>) -> Result<Ladder, String> {
    target::only(&list(value)?)
}

/// Reads a rating or a range of ratings, as a text or as a number.
fn ratings(value: &DeValue<'_>) -> Result<(Tenths, Tenths), String> {
    match value {
        DeValue::Float(number) => target::er(number.as_str()),
        DeValue::Integer(number) => target::er(number.as_str()),
        value => target::er(&text(value)?),
    }
}

/// Reads a text, or a list of texts, which are joined by commas.
fn list(value: &DeValue<'_>) -> Result<String, String> {
    match value.as_array() {
        Some(items) => Ok(items.iter().map(|item| text(item.get_ref())).collect::<Result<Vec<_>, _>>()?.join(",")),
        None => text(value),
    }
}

/// Turns a key of an output into words of the command line: `per_page = 4` becomes `--per-page 4`, and `bleed = true`
/// becomes `--bleed`. A list repeats its option.
pub(super) fn option_words(name: &str, value: &DeValue<'_>) -> Result<Vec<String>, String> {
    let option = format!("--{}", name.replace('_', "-"));
    let with = |word: String| vec![option.clone(), word];
    match value {
        DeValue::String(text) => Ok(with(text.to_string())),
        DeValue::Integer(_) => Ok(with(integer(value)?.to_string())),
        DeValue::Float(number) => Ok(with(number.as_str().to_owned())),
        DeValue::Boolean(true) => Ok(vec![option]),
        DeValue::Boolean(false) => Ok(Vec::new()),
        DeValue::Array(items) => {
            let words = items.iter().map(|item| option_words(name, item.get_ref()));
            Ok(words.collect::<Result<Vec<_>, _>>()?.concat())
        }
        other => Err(format!("a text, number, true, false or a list of them expected, not {}", shown(other))),
    }
}

/// A value for a message.
pub(super) fn shown(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("\"{}\"", text.chars().take(40).collect::<String>()),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(flag) => flag.to_string(),
        other => format!("a value of type {}", other.type_str()),
    }
}
