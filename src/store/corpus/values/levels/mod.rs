//! Levels of difficulty. A scale names ranges of ER, HoDoKu's score, givens and techniques.
//!
//! A corpus has one scale: that of newspapers, HoDoKu's, or one from a file:
//!
//! ```toml
//! [[level]]
//! name = "Teuflisch"              # in print; or key = "hard" for the name that the book's language has
//! about = "Nur für Geübte."       # optional
//! er = "4.5..7.2"                 # Sudoku Explainer's rating, both ends included
//! hodoku_level = "unfair,extreme" # HoDoKu's levels; with er, for boards that have no ER
//! hodoku_score = "1000..1800"
//! givens = "22..26"
//! techniques = "singles,x_wing"   # the ladder uses no others
//! effort = { steps = "0..3" }     # columns effort_...
//! ```
//!
//! Levels are listed from the easiest to the hardest. A puzzle belongs to the first one whose conditions it meets. The
//! column `level` has its key. The same table of ranges gives the goals of recipes, the test of a row, and the
//! conditions in SQL for rows that have levels of another scale. A recipe may contain the tables; every file of rows
//! keeps them in its metadata.

mod condition;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Serialize};

use super::ratings::{RatingKind, Ratings};
use super::record::{COLUMNS, Record};
use super::target::ErRange;
use crate::corpus::values::error::{in_words, toml_in_words};
use crate::corpus::values::reading::read_small_text;
use condition::{Condition, column, hardness};
use sudoku_corpus_core::board::Shape;
use sudoku_corpus_core::explainer::Tenths;
use sudoku_corpus_core::ladder::{Ladder, Level, Technique};
use sudoku_corpus_core::names::{self, UnknownName};

/// The levels of newspapers, which are the default.
static NEWSPAPER: LazyLock<Levels> =
    LazyLock::new(|| Levels::parse(include_str!("newspaper.toml")).unwrap_or_else(|_| Levels(Arc::from([]))));

/// The levels of the ladder of techniques.
static HODOKU: LazyLock<Levels> = LazyLock::new(|| {
    let ranges = Level::ALL.into_iter().filter_map(|level| {
        let name = level.name().to_owned();
        LevelRange::new(LevelDraft { key: Some(name.clone()), hodoku_level: Some(name), ..LevelDraft::default() }).ok()
    });
    Levels(ranges.collect())
});

/// A file of levels, or a recipe that has some among its other keys.
#[derive(Deserialize, Serialize)]
struct File {
    #[serde(default)]
    level: Vec<LevelDraft>,
}

/// A level as the file has it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LevelDraft {
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    er: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hodoku_level: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hodoku_score: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    givens: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    techniques: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) effort: Option<BTreeMap<String, String>>,
}

/// No ER is above this, in tenths.
pub(crate) const HIGHEST: u32 = 200;

/// A range that includes both ends.
type Range = (u32, u32);

/// A level with its values parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelRange {
    /// Its name on the command line, and in the texts of a language.
    pub key: String,
    /// Its name in print and its description, from the file.
    pub texts: Option<(String, String)>,
    /// ER in tenths.
    pub(crate) er: Option<Range>,
    pub(crate) hodoku_levels: Option<Vec<Level>>,
    /// The techniques that the ladder may use.
    pub(crate) ladder: Option<Ladder>,
    pub(crate) givens: Option<Range>,
    /// What a row must meet: all of these.
    conditions: Vec<Condition>,
    /// The level as the file has it.
    pub(crate) draft: LevelDraft,
}

/// A scale: levels, easiest first. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Levels(Arc<[LevelRange]>);

/// The scale of newspapers.
impl Default for Levels {
    fn default() -> Levels {
        NEWSPAPER.clone()
    }
}

/// The scales that have a name, the default first.
pub(crate) const SCALE_NAMES: [&str; 2] = ["newspaper", "hodoku"];

impl Levels {
    /// A scale by name: `newspaper`, `hodoku`, or a file, relative to a folder.
    pub fn open(name: &str, folder: &Path) -> Result<Levels, String> {
        match name {
            "newspaper" => return Ok(Levels::default()),
            "hodoku" => return Ok(Levels::hodoku()),
            _ => {}
        }
        let text = read_small_text(&folder.join(name)).map_err(|error| {
            let scales = "scales of the program are newspaper and hodoku";
            let first = name.split(['=', ',']).next().unwrap_or_default();
            let is_level = Levels::default().place(first).is_ok();
            let level = if is_level { "; a level is asked for by `level`, without s" } else { "" };
            format!("levels '{name}': {}; {scales}{level}", in_words(&error))
        })?;
        Levels::parse(&text).map_err(|reason| format!("{name}: {reason}"))
    }

    /// The levels of the ladder of techniques, which are HoDoKu's.
    pub fn hodoku() -> Levels {
        HODOKU.clone()
    }

    /// Reads a file of levels.
    pub fn parse(text: &str) -> Result<Levels, String> {
        let file: File = toml::from_str(text).map_err(|error| toml_in_words(text, &error))?;
        Levels::of_drafts(file.level)
    }

    /// Levels in their order.
    pub(crate) fn of_drafts(drafts: Vec<LevelDraft>) -> Result<Levels, String> {
        if drafts.is_empty() {
            return Err("no level is named: begin one with [[level]]".to_owned());
        }
        let mut ranges: Vec<LevelRange> = Vec::new();
        for (number, draft) in (1..).zip(drafts) {
            let range = LevelRange::new(draft).map_err(|reason| format!("level {number}: {reason}"))?;
            if ranges.iter().any(|earlier| earlier.names().any(|name| range.is_called(name))) {
                return Err(format!("level {number}: an earlier level is called '{}', too", range.key));
            }
            ranges.push(range);
        }
        Ok(Levels(ranges.into()))
    }

    /// True for the names of scales that are not files.
    pub(crate) fn is_built_in(name: &str) -> bool {
        SCALE_NAMES.contains(&name)
    }

    /// The name of the scale in recipes, if it is not a file.
    pub fn name(&self) -> Option<&'static str> {
        let scales = [Levels::default(), Levels::hodoku()];
        scales.iter().position(|scale| scale == self).map(|number| SCALE_NAMES[number])
    }

    /// The scale in words: "the newspaper's scale".
    pub fn scale(&self) -> &'static str {
        match self.name() {
            Some("newspaper") => "the newspaper's scale",
            Some(_) => "HoDoKu's scale",
            None => "your own scale",
        }
    }

    /// Its tables `[[level]]` in a recipe: empty if it has a name, which the key `levels` gives then.
    pub fn tables(&self) -> String {
        let file = File { level: if self.name().is_none() { self.drafts() } else { Vec::new() } };
        if file.level.is_empty() { String::new() } else { toml::to_string(&file).unwrap_or_default() }
    }

    pub(crate) fn drafts(&self) -> Vec<LevelDraft> {
        self.0.iter().map(|range| range.draft.clone()).collect()
    }

    /// Every level, easiest first.
    pub fn ranges(&self) -> &[LevelRange] {
        &self.0
    }

    /// The keys of the levels, easiest first.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|range| range.key.as_str())
    }

    /// The place of a level, by its name or key.
    ///
    /// # Errors
    /// The levels of the scale. For a level of another scale, how to take it.
    pub fn place(&self, name: &str) -> Result<usize, String> {
        self.0.iter().position(|range| range.is_called(name)).ok_or_else(|| self.has_no(name.trim()))
    }

    /// The message about a level that the scale does not have.
    fn has_no(&self, name: &str) -> String {
        let elsewhere = match name.parse::<Level>() {
            Ok(_) if self.name() != Some("hodoku") => "; HoDoKu's scale has it: add --levels hodoku".to_owned(),
            Err(_) if Levels::default().0.iter().any(|range| range.is_called(name)) => {
                "; the newspaper's scale has it: add --levels newspaper".to_owned()
            }
            _ if name.contains(':') => format!("; write {}", name.replace(':', "=")),
            _ if name.contains(',') => "; several levels are quotas of a recipe: `guide recipes`".to_owned(),
            _ if name.contains('=') => "; write the name alone, and the number as --count 50".to_owned(),
            _ => match names::nearest(name, self.keys()) {
                Some(near) => format!("; did you mean '{near}'?"),
                None => String::new(),
            },
        };
        let keys = self.keys().collect::<Vec<_>>().join(", ");
        format!("no level '{name}': {} has {keys}{elsewhere}", self.scale())
    }

    /// The SQL condition of the rows that are in the ranges of a level, whatever their column `level` says.
    pub fn condition(&self, place: usize) -> String {
        if *self == Levels::hodoku() {
            // HoDoKu's levels do not overlap.
            return self.0[place].sql();
        }
        // If levels overlap, the puzzle belongs to the first one.
        let earlier = self.0[..place].iter().map(|range| format!(" AND ({}) IS NOT TRUE", range.sql()));
        format!("({}){}", self.0[place].sql(), earlier.collect::<String>())
    }

    /// The SQL condition of the rows whose column `level` has this level.
    pub fn is_level(&self, place: usize) -> String {
        format!("level = '{}'", self.0[place].key.replace('\'', "''"))
    }

    /// The level by the ratings of a row: the first whose conditions it meets. None if it meets those of no level.
    pub fn rated(&self, record: &Record) -> Option<usize> {
        self.0.iter().position(|range| range.conditions.iter().all(|condition| condition.holds(record)))
    }

    /// Fills in the column `level` from the ratings of the row.
    pub fn fill_in(&self, record: &mut Record) {
        record.level = self.rated(record).map(|place| Cow::Owned(self.0[place].key.clone()));
    }

    /// The place of the level that a row has in the column `level`.
    pub fn of(&self, record: &Record) -> Option<usize> {
        let level = record.level.as_deref()?;
        self.0.iter().position(|range| range.key == level)
    }

    /// The columns that decide about levels.
    pub fn columns(&self) -> Vec<String> {
        let columns = self.0.iter().flat_map(|range| &range.conditions).flat_map(Condition::columns);
        let mut names: Vec<String> = columns.map(|column| COLUMNS[column].name.to_string()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The ratings that decide about levels, besides those of the ladder.
    pub fn ratings(&self) -> Ratings {
        let mut all = Ratings::NONE;
        for column in self.columns() {
            all = all.and(match Ratings::of_column(&column) {
                Ratings::SE => Ratings::of(&[RatingKind::Er]),
                ratings => ratings,
            });
        }
        all
    }

    /// A line for each level: its key, and its limits in words.
    pub fn limits(&self) -> Vec<(String, String)> {
        self.0.iter().map(|range| (range.key.clone(), range.limits())).collect()
    }
}

/// What the hardest steps of HoDoKu's levels are.
fn hardest_steps(level: Level) -> &'static str {
    match level {
        Level::Easy => "singles",
        Level::Medium => "intersections and small subsets",
        Level::Hard => "fish, wings and patterns of a single digit",
        Level::Unfair => "chains, almost locked sets and larger fish",
        Level::Extreme => "forcing chains and nets, or a very long solution",
        Level::Beyond => "the ladder of techniques does not solve the puzzle",
    }
}

impl LevelRange {
    /// Reads a level of a table of levels.
    ///
    /// # Errors
    /// No name, no condition, or a condition that is not understood.
    fn new(draft: LevelDraft) -> Result<LevelRange, String> {
        let name = draft.name.clone();
        let key = draft.key.clone().or(name.clone()).ok_or("it has neither a name nor a key")?;
        if (LevelDraft { key: None, name: None, about: None, ..draft.clone() }) == LevelDraft::default() {
            return Err("it has no condition: write one, such as er = \"2.0..3.0\" or givens = \"24..30\"".to_owned());
        }
        let givens = draft.givens.as_deref().map(|text| range("givens", text, whole)).transpose()?;
        let score = draft.hodoku_score.as_deref().map(|text| range("hodoku_score", text, whole)).transpose()?;
        let er = draft.er.as_deref().map(|text| range("er", text, tenths)).transpose()?;
        let ladder = draft.techniques.as_deref().map(str::parse::<Ladder>).transpose();
        let ladder = ladder.map_err(|error| error.to_string())?;
        let hodoku_levels = draft.hodoku_level.as_deref().map(levels).transpose()?;
        let mut conditions = Vec::new();
        conditions.extend(hardness(er, hodoku_levels.as_deref()));
        if ladder.is_some() {
            conditions.push(Condition::IsTrue(column("finished")));
        }
        conditions.extend(score.map(|score| Condition::Within(column("hodoku_score"), score)));
        conditions.extend(givens.map(|givens| Condition::Within(column("givens"), givens)));
        if let Some(ladder) = &ladder {
            for technique in Technique::all().filter(|technique| !ladder.has(*technique)) {
                conditions.push(Condition::Within(column(&format!("n_{}", technique.code())), (0, 0)));
            }
        }
        for (name, text) in draft.effort.iter().flatten() {
            conditions.push(of_effort(name, text)?);
        }
        let texts = name.map(|name| (name, draft.about.clone().unwrap_or_default()));
        Ok(LevelRange { key, texts, er, hodoku_levels, conditions, ladder, givens, draft })
    }

    /// Its key, and its name in print if it has one.
    fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.key.as_str()).chain(self.texts.iter().map(|(name, _)| name.as_str()))
    }

    /// True if this is its key or its name, without regard to case.
    fn is_called(&self, name: &str) -> bool {
        self.names().any(|level| level.to_lowercase() == name.trim().to_lowercase())
    }

    /// HoDoKu's level, if digging can aim at it alone.
    pub(crate) fn only_level(&self, shape: Shape) -> Option<Level> {
        let is_by_er = self.er.is_some() && shape == Shape::NINE;
        self.hodoku_levels.as_deref().filter(|levels| levels.len() == 1 && !is_by_er).map(|levels| levels[0])
    }

    /// The range of ER, if it is a condition on these boards.
    pub(crate) fn er_range(&self, shape: Shape) -> Option<ErRange> {
        let tenths = |value: u32| Tenths(value.min(HIGHEST) as u16);
        self.er.filter(|_| shape == Shape::NINE).map(|(from, to)| ErRange(tenths(from), tenths(to)))
    }

    fn limits(&self) -> String {
        let LevelDraft { hodoku_score, givens, techniques, effort, .. } = &self.draft;
        let mut limits = Vec::new();
        limits.extend(self.er.map(|(from, to)| match (from, to) {
            (0, to) => format!("ER up to {}", Tenths(to as u16)),
            (from, HIGHEST..) => format!("ER {} or more", Tenths(from as u16)),
            (from, to) => format!("ER {} to {}", Tenths(from as u16), Tenths(to as u16)),
        }));
        limits.extend(self.hodoku_levels.as_deref().map(|levels| self.hodoku_limits(levels)));
        for (name, text) in [("hodoku_score", hodoku_score), ("givens", givens), ("techniques", techniques)] {
            limits.extend(text.as_ref().map(|text| format!("{name} {text}")));
        }
        limits.extend(effort.iter().flatten().map(|(name, text)| format!("effort_{name} {text}")));
        limits.join("; ")
    }

    /// The limits by HoDoKu's levels in words.
    fn hodoku_limits(&self, levels: &[Level]) -> String {
        let text = format!("hodoku_level {}", self.draft.hodoku_level.clone().unwrap_or_default());
        match levels {
            _ if self.er.is_some() => format!("boards without ER: {text}"),
            [level] if self.key == level.name() => {
                let cap = level.cap().map_or(String::new(), |cap| format!("; up to {cap} points on 9x9"));
                format!("{}{cap}", hardest_steps(*level))
            }
            _ => text,
        }
    }

    fn sql(&self) -> String {
        self.conditions.iter().map(Condition::sql).collect::<Vec<_>>().join(" AND ")
    }
}

/// The end of a range that has none.
const NO_END: u32 = u32::MAX;

/// The condition of a column of effort, by its name without `effort_`.
fn of_effort(name: &str, text: &str) -> Result<Condition, String> {
    let named = format!("effort_{name}");
    let place = COLUMNS.iter().position(|column| column.name == named).ok_or_else(|| {
        let names = COLUMNS.iter().filter_map(|column| column.name.strip_prefix("effort_"));
        format!("no column is called {named}; known: {}", names.collect::<Vec<_>>().join(", "))
    })?;
    // A range without an end, such as 3.., has none.
    let end = |text: &str| if text.is_empty() { Some(NO_END) } else { whole(text) };
    match range(name, text, end)? {
        (NO_END, _) => Err(format!("{name} is '{text}'; write a range such as 3..5, or 3.. without an end")),
        limits => Ok(Condition::Within(place, limits)),
    }
}

fn whole(text: &str) -> Option<u32> {
    text.parse().ok()
}

/// An ER of at most one decimal, in tenths.
fn tenths(text: &str) -> Option<u32> {
    let is_plain = text.bytes().all(|sign| sign.is_ascii_digit() || sign == b'.');
    let tenths = 10.0 * text.parse::<f64>().ok().filter(|_| is_plain)?;
    let is_whole = (tenths - tenths.round()).abs() < 1e-6;
    (is_whole && tenths <= 990.0).then(|| tenths.round() as u32)
}

/// The range of a condition: "3..5", or one value.
fn range(key: &str, text: &str, number: impl Fn(&str) -> Option<u32>) -> Result<Range, String> {
    let wrong = || format!("{key} is '{text}'; write a range such as 3..5");
    let (first, last) = names::ends(text, |text| number(text).ok_or_else(wrong))?;
    if first <= last { Ok((first, last)) } else { Err(wrong()) }
}

/// Some of HoDoKu's levels, with commas between them.
fn levels(text: &str) -> Result<Vec<Level>, String> {
    text.split(',').map(|name| name.trim().parse().map_err(|error: UnknownName| error.to_string())).collect()
}

#[cfg(test)]
mod tests;
