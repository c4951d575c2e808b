//! Reads the publisher's own levels from a file: ranges of ER, score, givens and techniques.
//!
//! ```toml
//! [[level]]
//! name = "Teuflisch"              # in print; or key = "hard" for the name that the book's language has
//! about = "Nur für Geübte."       # optional
//! er = "4.5..7.2"                 # Sudoku Explainer's rating, both ends included
//! level = "unfair,extreme"        # HoDoKu's levels; with er, for puzzles whose ER is not known
//! score = "1000..1800"
//! givens = "22..26"
//! techniques = "singles,x_wing"   # the ladder uses no others
//! effort = { steps = "0..3" }     # columns effort_...
//! ```
//!
//! Levels are listed from the easiest to the hardest. A puzzle belongs to the first one whose conditions it meets. The
//! same levels are used everywhere: as goals of recipes, as SQL conditions that choose puzzles, in the counts of
//! reports, and as headings in print. A recipe may contain the tables; its corpus keeps them.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::analyze::Analysis;
use super::ratings::{RatingKind, Ratings};
use super::record::COLUMNS;
use super::record::Record;
use super::target::{ErRange, Judged, explain};
use super::value::Value;
use sudoku_corpus_core::board::Puzzle;
use sudoku_corpus_core::names::{self, UnknownName};
use sudoku_corpus_core::rate::effort::effort;
use sudoku_corpus_core::rate::explainer::Tenths;
use sudoku_corpus_core::rate::{End, Ladder, Level, Technique, rate};

/// The levels of newspapers.
pub(crate) const NEWSPAPER: &str = include_str!("newspaper.toml");

/// A file of levels, or a recipe that has some among its other keys.
#[derive(Deserialize)]
struct File {
    #[serde(default)]
    level: Vec<LevelDraft>,
}

/// A level as the file has it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LevelDraft {
    key: Option<String>,
    name: Option<String>,
    about: Option<String>,
    er: Option<String>,
    level: Option<String>,
    score: Option<String>,
    givens: Option<String>,
    techniques: Option<String>,
    effort: Option<BTreeMap<String, String>>,
}

/// No ER is above this, in tenths.
const HIGHEST: u32 = 200;

/// A range that includes both ends.
type Range = (u32, u32);

/// A level with its values parsed.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelRange {
    /// Its name on the command line, and in the texts of a language.
    pub key: String,
    /// Its name in print and its description, from the file.
    pub texts: Option<(String, String)>,
    /// ER in tenths.
    er: Option<Range>,
    levels: Option<Vec<Level>>,
    /// The techniques that the ladder may use.
    pub(crate) ladder: Option<Ladder>,
    pub(crate) givens: Option<Range>,
    /// What a row must meet: all of these.
    conditions: Vec<Condition>,
    /// The level as the file has it.
    draft: LevelDraft,
}

/// Levels, easiest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Levels(Vec<LevelRange>);

impl Levels {
    /// Levels by name: `newspaper`, `hodoku`, or a file, relative to a folder.
    pub fn open(name: &str, folder: &Path) -> Result<Levels, String> {
        let text = match name {
            "hodoku" => return Ok(Levels::hodoku()),
            "newspaper" => Ok(NEWSPAPER.to_owned()),
            file => std::fs::read_to_string(folder.join(file)),
        };
        let wrong =
            |error| format!("levels '{name}': neither newspaper nor hodoku nor a file that can be read: {error}");
        Levels::parse(&text.map_err(wrong)?)
    }

    /// The levels of the rater, which are HoDoKu's.
    pub fn hodoku() -> Levels {
        let range = |level: Level| {
            let name = level.name().to_owned();
            LevelRange::new(LevelDraft { key: Some(name.clone()), level: Some(name), ..LevelDraft::default() }).ok()
        };
        Levels(Level::ALL.into_iter().filter_map(range).collect())
    }

    /// Reads a file of levels.
    pub fn parse(text: &str) -> Result<Levels, String> {
        let wrong = |error: toml::de::Error| error.to_string().trim().replace('\n', " ");
        let file: File = toml::from_str(text).map_err(|error| format!("the file of levels: {}", wrong(error)))?;
        Levels::of_drafts(file.level)
    }

    /// Levels in their order.
    pub(crate) fn of_drafts(drafts: Vec<LevelDraft>) -> Result<Levels, String> {
        if drafts.is_empty() {
            return Err("the file of levels names no level: begin one with [[level]]".to_owned());
        }
        let range = |(draft, number)| LevelRange::new(draft).map_err(|reason| format!("level {number}: {reason}"));
        drafts.into_iter().zip(1..).map(range).collect::<Result<_, _>>().map(Levels)
    }

    /// True for the names of levels that are not files.
    pub(crate) fn is_built_in(name: &str) -> bool {
        ["hodoku", "newspaper"].contains(&name)
    }

    pub(crate) fn drafts(&self) -> Vec<LevelDraft> {
        self.0.iter().map(|range| range.draft.clone()).collect()
    }

    /// Every level, easiest first.
    pub fn ranges(&self) -> &[LevelRange] {
        &self.0
    }

    /// The place of a level, by its name or key.
    pub fn place(&self, name: &str) -> Result<usize, String> {
        let same = |other: &str| other.to_lowercase() == name.to_lowercase();
        let is_meant =
            |range: &LevelRange| same(&range.key) || range.texts.as_ref().is_some_and(|(name, _)| same(name));
        self.0.iter().position(is_meant).ok_or_else(|| {
            let names: Vec<&str> = self.0.iter().map(|range| range.key.as_str()).collect();
            format!("no level is called '{name}'; known: {}", names.join(", "))
        })
    }

    /// The SQL condition of the rows of a level.
    pub fn condition(&self, at: usize) -> String {
        if *self == Levels::hodoku() {
            // HoDoKu's levels do not overlap.
            return self.0[at].sql();
        }
        // If levels overlap, the puzzle belongs to the first one.
        let earlier = self.0[..at].iter().map(|range| format!(" AND ({}) IS NOT TRUE", range.sql()));
        format!("({}){}", self.0[at].sql(), earlier.collect::<String>())
    }

    /// The level of a row: the first whose conditions it meets. None if it meets those of no level.
    pub fn of(&self, record: &Record) -> Option<usize> {
        self.0.iter().position(|range| range.conditions.iter().all(|condition| condition.holds(record)))
    }

    /// The columns that the level of a row depends on and that not every row has: those of effort, and of techniques.
    pub fn columns(&self) -> Vec<String> {
        let columns = self.0.iter().flat_map(|range| &range.conditions).flat_map(Condition::columns);
        let mut names: Vec<String> = columns.map(|column| COLUMNS[column].name.to_string()).collect();
        names.retain(|name| name.starts_with("effort_") || name.starts_with("n_") || name == "finished");
        names
    }
}

/// A publisher's own level as a goal. The values of the row decide, because levels may overlap and the ladder may use
/// other techniques than those that would suffice.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnLevel {
    /// All levels; a puzzle that has several belongs to the first.
    levels: Levels,
    at: usize,
}

impl OwnLevel {
    /// A level by its name; an error if there is none.
    pub(crate) fn new(levels: &Levels, name: &str) -> Result<OwnLevel, String> {
        let at = levels.place(name)?;
        Ok(OwnLevel { levels: levels.clone(), at })
    }

    pub(crate) fn range(&self) -> &LevelRange {
        &self.levels.0[self.at]
    }

    /// Its name on the command line.
    pub fn key(&self) -> &str {
        &self.range().key
    }

    /// True if digging cannot aim at a part of its conditions.
    pub(crate) fn may_miss(&self) -> bool {
        let LevelRange { er, levels, draft, .. } = self.range();
        let several = er.is_none() && levels.as_ref().is_some_and(|levels| levels.len() != 1);
        several || draft.score.is_some() || draft.effort.is_some()
    }

    /// Checks that the rows have the values that decide about the level.
    pub(crate) fn check(&self, analysis: &Analysis) -> Result<(), String> {
        let LevelRange { key, er, levels, ladder, draft, .. } = self.range();
        if draft.effort.is_some() && !analysis.ratings.has(RatingKind::Effort) {
            return Err(format!("the level '{key}' needs the columns of effort: add effort to ratings"));
        }
        let known_by_er = er.is_some() && analysis.ratings.has(RatingKind::Er);
        if er.is_some() && !known_by_er && levels.is_none() {
            return Err(format!("the level '{key}' needs ER: add er to ratings"));
        }
        let rated = draft.score.is_some() || ladder.is_some() || (levels.is_some() && !known_by_er);
        if rated && analysis.ladder.is_none() {
            return Err(format!("the level '{key}' needs a rating, but techniques is \"none\""));
        }
        Ok(())
    }

    /// Judges a puzzle with one solution by the values that its row will have, as far as they decide. `known` has
    /// ratings that were made before. Returns all ratings if the puzzle has the level.
    pub(crate) fn judge(&self, puzzle: &Puzzle, analysis: &Analysis, known: Judged) -> Option<Judged> {
        let ranges = &self.levels.0[..=self.at];
        let er = analysis.ratings.has(RatingKind::Er) && ranges.iter().any(|range| range.er.is_some());
        let explained = known.explained.or_else(|| er.then(|| explain(puzzle, analysis.er_limit)));
        let mut record = Record::of_puzzle(0, puzzle.clone());
        let ratings = if er { Ratings::of(&[RatingKind::Er]) } else { Ratings::NONE };
        ratings.rate(&mut record, puzzle, (analysis.er_limit, explained));
        // A rating that was stopped early does not say the level.
        let mut rating = known.rating.filter(|rating| rating.end != End::Stopped);
        if analysis.ratings.has(RatingKind::Effort) && ranges.iter().any(|range| range.draft.effort.is_some()) {
            let ladder = analysis.ladder.clone().unwrap_or_default();
            let (effort, whole) = effort(puzzle, &ladder);
            (record.effort, rating) = (effort, Some(whole));
        }
        if let Some(ladder) = &analysis.ladder {
            record.set_rating(rating.get_or_insert_with(|| rate(puzzle, ladder)));
        }
        (self.levels.of(&record) == Some(self.at)).then_some(Judged { rating, explained, ..known })
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
            return Err("it has no condition: er, level, score, givens, techniques or effort".to_owned());
        }
        let whole = |text: &str| text.parse::<u32>().ok();
        let tenths = |text: &str| {
            let value: f64 = text.parse().ok()?;
            ((0.0..=99.0).contains(&value)).then(|| (value * 10.0).round() as u32)
        };
        let givens = draft.givens.as_deref().map(|text| range("givens", text, whole)).transpose()?;
        let score = draft.score.as_deref().map(|text| range("score", text, whole)).transpose()?;
        let er = draft.er.as_deref().map(|text| range("er", text, tenths)).transpose()?;
        let ladder = draft.techniques.as_deref().map(str::parse::<Ladder>).transpose();
        let ladder = ladder.map_err(|error| error.to_string())?;
        let mut ranges = Vec::new();
        ranges.extend(column("score").zip(score));
        ranges.extend(column("givens").zip(givens));
        let forbidden = |technique: &Technique| ladder.as_ref().is_some_and(|ladder| !ladder.has(*technique));
        let names = Technique::all().filter(forbidden).map(|technique| format!("n_{}", technique.code()));
        ranges.extend(names.filter_map(|name| Some((column(&name)?, (0, 0)))));
        for effort in draft.effort.iter().flatten() {
            ranges.push(of_effort(effort)?);
        }
        let texts = name.map(|name| (name, draft.about.clone().unwrap_or_default()));
        let levels = draft.level.as_deref().map(levels).transpose()?;
        let conditions = conditions(er, levels.as_deref(), ladder.as_ref(), ranges);
        let conditions = conditions.ok_or("a column that levels need does not exist")?;
        Ok(LevelRange { key, texts, er, levels, conditions, ladder, givens, draft })
    }

    /// HoDoKu's level, if digging can aim at it alone.
    pub(crate) fn only_level(&self) -> Option<Level> {
        self.levels.as_deref().filter(|levels| levels.len() == 1 && self.er.is_none()).map(|levels| levels[0])
    }

    /// The range of ER, if it is a condition.
    pub(crate) fn er_range(&self) -> Option<ErRange> {
        let tenths = |value: u32| Tenths(value.min(HIGHEST) as u16);
        self.er.map(|(from, to)| ErRange(tenths(from), tenths(to)))
    }

    /// The conditions of the level in SQL.
    fn sql(&self) -> String {
        self.conditions.iter().map(Condition::sql).collect::<Vec<_>>().join(" AND ")
    }
}

/// A condition of rows. Its SQL, which can skip row groups, and the test of a row, which takes nanoseconds, follow from
/// one structure. Columns are places in [`COLUMNS`].
#[derive(Clone, Debug, PartialEq)]
enum Condition {
    /// A number of a column is in a range, with both ends.
    Within(usize, Range),
    Is(usize, &'static str),
    IsTrue(usize),
    IsMissing(usize),
    All(Vec<Condition>),
    Any(Vec<Condition>),
}

impl Condition {
    /// True if a row meets it.
    fn holds(&self, record: &Record) -> bool {
        let value = |column: usize| COLUMNS[column].get(record);
        match self {
            Condition::Within(column, (first, last)) => {
                matches!(value(*column), Value::Unsigned(number) if ((*first).into()..=(*last).into()).contains(&number))
            }
            Condition::Is(column, text) => matches!(value(*column), Value::Text(found) if found == *text),
            Condition::IsTrue(column) => value(*column) == Value::Flag(true),
            Condition::IsMissing(column) => value(*column) == Value::Null,
            Condition::All(all) => all.iter().all(|condition| condition.holds(record)),
            Condition::Any(any) => any.iter().any(|condition| condition.holds(record)),
        }
    }

    /// The condition in SQL.
    fn sql(&self) -> String {
        let name = |column: usize| &COLUMNS[column].name;
        let joined = |conditions: &[Condition], word: &str| match conditions {
            [only] => only.sql(),
            several => format!("({})", several.iter().map(Condition::sql).collect::<Vec<_>>().join(word)),
        };
        match self {
            Condition::Within(column, (first, last)) => format!("{} BETWEEN {first} AND {last}", name(*column)),
            Condition::Is(column, text) => format!("{} = '{text}'", name(*column)),
            Condition::IsTrue(column) => name(*column).to_string(),
            Condition::IsMissing(column) => format!("{} IS NULL", name(*column)),
            Condition::All(all) => joined(all, " AND "),
            Condition::Any(any) => joined(any, " OR "),
        }
    }

    /// The columns that it reads.
    fn columns(&self) -> Vec<usize> {
        match self {
            Condition::Within(column, _)
            | Condition::Is(column, _)
            | Condition::IsTrue(column)
            | Condition::IsMissing(column) => vec![*column],
            Condition::All(parts) | Condition::Any(parts) => parts.iter().flat_map(Condition::columns).collect(),
        }
    }
}

/// What a row of a level must meet: ER or, where it is not known, HoDoKu's level; that the ladder solves it, if
/// techniques are a condition; and the ranges of columns. None if a column does not exist.
fn conditions(
    er: Option<Range>,
    levels: Option<&[Level]>,
    ladder: Option<&Ladder>,
    ranges: Vec<(usize, Range)>,
) -> Option<Vec<Condition>> {
    let er = er.map(|range| Some((column("se_er_tenths")?, range))).map_or(Some(None), |er| er.map(Some))?;
    let level = column("level")?;
    let levels = levels.map(|levels| Condition::Any(levels.iter().map(|of| Condition::Is(level, of.name())).collect()));
    let hard = match (er, levels) {
        (Some((er, range)), Some(levels)) => {
            let unknown = Condition::All(vec![Condition::IsMissing(er), levels]);
            Some(Condition::Any(vec![Condition::Within(er, range), unknown]))
        }
        (Some((er, range)), None) => Some(Condition::Within(er, range)),
        (None, levels) => levels,
    };
    let finished = match ladder {
        Some(_) => Some(Condition::IsTrue(column("finished")?)),
        None => None,
    };
    let ranges = ranges.into_iter().map(|(column, range)| Condition::Within(column, range));
    Some(hard.into_iter().chain(finished).chain(ranges).collect())
}

/// The place of a column.
fn column(name: &str) -> Option<usize> {
    COLUMNS.iter().position(|column| column.name == name)
}

/// A column of effort, by its name without `effort_`, and its range.
fn of_effort((name, text): (&String, &String)) -> Result<(usize, Range), String> {
    let known = COLUMNS.iter().filter_map(|column| column.name.strip_prefix("effort_")).collect::<Vec<_>>().join(", ");
    let column = column(&format!("effort_{name}"))
        .ok_or_else(|| format!("no column is called effort_{name}; known: {known}"))?;
    Ok((column, range(name, text, |text| if text.is_empty() { Some(u32::MAX) } else { text.parse().ok() })?))
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
