//! The publisher's own levels: bands of ER, score, givens and techniques, read from a file.
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
//! Levels are listed from the easiest to the hardest. A puzzle belongs to the first one whose conditions it meets. The same
//! levels are used everywhere: as goals of recipes, as SQL conditions that choose puzzles, in the counts of reports, and as
//! headings in print. A recipe may contain the tables; its corpus keeps them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::draft::GoalDraft;
use super::target::Judged;
use super::{Analysis, COLUMNS, RECIPE_FILE, Ratings, Record, Value};
use sudoku_corpus_core::board::Puzzle;
use sudoku_corpus_core::dig::Plan;
use sudoku_corpus_core::rate::effort::{Effort, effort};
use sudoku_corpus_core::rate::explainer::Tenths;
use sudoku_corpus_core::rate::{Ladder, Level, Technique, rate};

/// The levels of newspapers.
pub const NEWSPAPER: &str = include_str!("../../../data/levels/newspaper.toml");

/// Why a file of levels cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LevelsError {
    /// Not TOML, or a key that no level has.
    #[error("the file of levels: {0}")]
    Syntax(String),
    /// No level at all.
    #[error("the file of levels names no level: begin one with [[level]]")]
    None,
    /// A level that cannot be understood.
    #[error("level {number}: {reason}")]
    Level {
        /// Its number, from 1.
        number: usize,
        /// What is wrong.
        reason: String,
    },
    /// A file that cannot be read.
    #[error("levels '{0}': neither newspaper nor hodoku nor a file that can be read: {1}")]
    File(String, String),
    /// A name that no level has.
    #[error("no level is called '{name}'; known: {known}")]
    Unknown {
        /// The name.
        name: String,
        /// The names there are.
        known: String,
    },
}

/// A file of levels, or a recipe that has some among its other keys.
#[derive(Deserialize, Serialize)]
struct File {
    #[serde(default)]
    level: Vec<Draft>,
}

/// A level as the file has it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Draft {
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
pub struct Band {
    /// Its name on the command line, and in the texts of a language.
    pub key: String,
    /// Its name in print and its description, from the file.
    pub texts: Option<(String, String)>,
    /// ER in tenths.
    er: Option<Range>,
    levels: Option<Vec<Level>>,
    score: Option<Range>,
    givens: Option<Range>,
    ladder: Option<Ladder>,
    /// Columns of [`COLUMNS`] and their ranges.
    effort: Vec<(usize, Range)>,
    /// The level as the file has it.
    draft: Draft,
}

/// Levels, easiest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Levels(Vec<Band>);

impl Levels {
    /// Levels by name: `newspaper`, `hodoku`, or a file, relative to a folder.
    ///
    /// # Errors
    /// [`LevelsError`].
    pub fn open(name: &str, folder: &Path) -> Result<Levels, LevelsError> {
        match name {
            "hodoku" => Ok(Levels::hodoku()),
            "newspaper" => Levels::parse(NEWSPAPER),
            file => {
                let wrong = |error: std::io::Error| LevelsError::File(file.to_owned(), error.to_string());
                Levels::parse(&std::fs::read_to_string(folder.join(file)).map_err(wrong)?)
            }
        }
    }

    /// The levels of the rater, which are HoDoKu's.
    pub fn hodoku() -> Levels {
        let band = |level: Level| {
            let name = level.name().to_owned();
            Band::new(Draft { key: Some(name.clone()), level: Some(name), ..Draft::default() }).ok()
        };
        Levels(Level::ALL.into_iter().filter_map(band).collect())
    }

    /// Reads a file of levels.
    ///
    /// # Errors
    /// [`LevelsError`].
    pub fn parse(text: &str) -> Result<Levels, LevelsError> {
        let file: File =
            toml::from_str(text).map_err(|error| LevelsError::Syntax(error.to_string().trim().replace('\n', " ")))?;
        if file.level.is_empty() {
            return Err(LevelsError::None);
        }
        let bands = file
            .level
            .into_iter()
            .enumerate()
            .map(|(at, draft)| Band::new(draft).map_err(|reason| LevelsError::Level { number: at + 1, reason }));
        Ok(Levels(bands.collect::<Result<_, _>>()?))
    }

    /// The levels of corpora, if all of them have the same.
    pub fn of_corpora(sources: &[PathBuf]) -> Option<Levels> {
        let of = |source: &PathBuf| Levels::parse(&std::fs::read_to_string(source.join(RECIPE_FILE)).ok()?).ok();
        let (first, others) = sources.split_first()?;
        let levels = of(first)?;
        others.iter().all(|source| of(source).as_ref() == Some(&levels)).then_some(levels)
    }

    /// The levels as a recipe has them.
    pub(super) fn lines(&self) -> String {
        let file = File { level: self.0.iter().map(|band| band.draft.clone()).collect() };
        toml::to_string(&file).unwrap_or_default()
    }

    /// Every level, easiest first.
    pub fn bands(&self) -> &[Band] {
        &self.0
    }

    /// The place of a level, by its name or key.
    ///
    /// # Errors
    /// [`LevelsError::Unknown`].
    pub fn place(&self, name: &str) -> Result<usize, LevelsError> {
        let same = |other: &str| other.to_lowercase() == name.to_lowercase();
        let is_meant = |band: &Band| same(&band.key) || band.texts.as_ref().is_some_and(|(name, _)| same(name));
        self.0.iter().position(is_meant).ok_or_else(|| {
            let names: Vec<&str> = self.0.iter().map(|band| band.key.as_str()).collect();
            LevelsError::Unknown { name: name.to_owned(), known: names.join(", ") }
        })
    }

    /// The SQL condition of the rows of a level.
    pub fn condition(&self, at: usize) -> String {
        if *self == Levels::hodoku() {
            return self.0[at].sql();
        }
        // If levels overlap, the puzzle belongs to the first one.
        let earlier = self.0[..at].iter().map(|band| format!(" AND ({}) IS NOT TRUE", band.sql()));
        format!("({}){}", self.0[at].sql(), earlier.collect::<String>())
    }

    /// The goal of digging for a level. Digging aims at ER, at one of HoDoKu's levels, givens and techniques; a level with
    /// other conditions is sought.
    ///
    /// # Errors
    /// A name that no level has.
    pub(super) fn aim(&self, name: &str) -> Result<GoalDraft, String> {
        let at = self.place(name).map_err(|error| error.to_string())?;
        let Band { key, er, levels, score, givens, ladder, effort, .. } = &self.0[at];
        let (level, several) = match (er, levels.as_deref()) {
            (None, Some([one])) => (Some(*one), false),
            (er, levels) => (None, er.is_none() && levels.is_some()),
        };
        Ok(GoalDraft {
            band: Some(key.clone()),
            sought: several || score.is_some() || !effort.is_empty(),
            level,
            only: ladder.clone(),
            er: er.map(|(from, to)| (Tenths(from.min(HIGHEST) as u16), Tenths(to.min(HIGHEST) as u16))),
            plan: givens.map(|(from, to)| Plan::Givens(from as usize..=to as usize)),
            ..GoalDraft::default()
        })
    }

    /// The level of a row: the first whose conditions it meets.
    pub fn of(&self, record: &Record) -> Option<usize> {
        self.0.iter().position(|band| band.holds(record))
    }

    /// The columns that the level of a row depends on and that not every row has: those of effort, and of techniques.
    pub fn columns(&self) -> Vec<String> {
        let effort = self.0.iter().flat_map(|band| &band.effort).map(|&(column, _)| COLUMNS[column].name.to_string());
        let counts = Technique::all().map(|technique| format!("n_{}", technique.code()));
        let counts = counts.chain(["finished".to_owned()]).filter(|_| self.0.iter().any(|band| band.ladder.is_some()));
        effort.chain(counts).collect()
    }
}

/// A level that puzzles are tried for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sought<'a> {
    /// All levels; a puzzle that has several belongs to the first.
    pub levels: &'a Levels,
    /// Its place.
    pub at: usize,
}

impl Sought<'_> {
    /// Checks that the rows have the values that decide about the level.
    ///
    /// # Errors
    /// What the recipe must ask for.
    pub fn check(&self, analysis: &Analysis) -> Result<(), String> {
        let (key, bands) = (&self.levels.0[self.at].key, &self.levels.0[..=self.at]);
        if bands.iter().any(|band| !band.effort.is_empty()) && !analysis.ratings.effort {
            return Err(format!("the level '{key}' needs the columns of effort: add effort to ratings"));
        }
        if bands.iter().any(|band| band.er.is_some()) && !analysis.ratings.er {
            return Err(format!("the level '{key}' needs ER: add er to ratings"));
        }
        if analysis.ladder.is_none() {
            return Err(format!("the level '{key}' needs a rating, but techniques is \"none\""));
        }
        Ok(())
    }

    /// Judges a puzzle with one solution by the values that its row will have. If it has the level, returns its ratings.
    pub fn judge(&self, puzzle: &Puzzle, analysis: &Analysis, known: Judged) -> Option<Judged> {
        let (bands, ladder) = (&self.levels.0[..=self.at], analysis.ladder.as_ref()?);
        let er = analysis.ratings.er && bands.iter().any(|band| band.er.is_some());
        let record = Record::of_puzzle(0, puzzle.clone());
        let record = Ratings { er, ..Ratings::NONE }.rate(record, puzzle, (analysis.er_limit, known.explained));
        let (effort, rating) = match bands.iter().any(|band| !band.effort.is_empty()) {
            true => effort(puzzle, ladder),
            false => (Effort::default(), rate(puzzle, ladder)),
        };
        let record = Record { effort, ..record.with_rating(&rating) };
        (self.levels.of(&record) == Some(self.at)).then_some(Judged { rating: Some(rating), ..known })
    }
}

impl Band {
    fn new(draft: Draft) -> Result<Band, String> {
        let name = draft.name.clone();
        let key = draft.key.clone().or(name.clone()).ok_or("it has neither a name nor a key")?;
        if (Draft { key: None, name: None, about: None, ..draft.clone() }) == Draft::default() {
            return Err("it has no condition: er, level, score, givens, techniques or effort".to_owned());
        }
        let whole = |text: &str| text.parse::<u32>().ok();
        let tenths = |text: &str| {
            let value: f64 = text.parse().ok()?;
            ((0.0..=99.0).contains(&value)).then(|| (value * 10.0).round() as u32)
        };
        let ladder =
            |text: &String| text.parse().map_err(|error: sudoku_corpus_core::rate::LadderError| error.to_string());
        Ok(Band {
            key,
            texts: name.map(|name| (name, draft.about.clone().unwrap_or_default())),
            er: draft.er.as_ref().map(|text| range("er", text, tenths)).transpose()?,
            levels: draft.level.as_ref().map(|text| levels(text)).transpose()?,
            score: draft.score.as_ref().map(|text| range("score", text, whole)).transpose()?,
            givens: draft.givens.as_ref().map(|text| range("givens", text, whole)).transpose()?,
            ladder: draft.techniques.as_ref().map(ladder).transpose()?,
            effort: draft.effort.iter().flatten().map(of_effort).collect::<Result<_, _>>()?,
            draft,
        })
    }

    fn holds(&self, record: &Record) -> bool {
        let within = |range: Option<Range>, value: Option<u32>| {
            range.is_none_or(|(first, last)| value.is_some_and(|value| (first..=last).contains(&value)))
        };
        let in_levels =
            || self.levels.as_ref().is_some_and(|levels| record.level.is_some_and(|of| levels.contains(&of)));
        let hard = match (self.er, record.se_er_tenths) {
            (Some((first, last)), Some(er)) => (first..=last).contains(&er),
            (None, _) if self.levels.is_none() => true,
            _ => in_levels(),
        };
        let known = self.ladder.as_ref().is_none_or(|ladder| {
            let unused = |counts: &[u32; Technique::COUNT]| {
                Technique::all().zip(counts).all(|(technique, &count)| count == 0 || ladder.has(technique))
            };
            record.finished == Some(true) && record.counts.as_ref().is_some_and(unused)
        });
        let has_effort = self.effort.iter().all(|&(column, (first, last))| match COLUMNS[column].get(record) {
            Value::Unsigned(value) => (first.into()..=last.into()).contains(&value),
            _ => false,
        });
        hard && known && has_effort && within(self.score, record.score) && within(self.givens, record.givens)
    }

    /// The conditions of the level in SQL.
    fn sql(&self) -> String {
        let within = |column: &str, range: Option<Range>| {
            range.map(|(first, last)| format!("{column} BETWEEN {first} AND {last}"))
        };
        let levels = self.levels.as_ref().map(|levels| {
            let names: Vec<String> = levels.iter().map(|level| format!("level = '{}'", level.name())).collect();
            if names.len() == 1 { names.join("") } else { format!("({})", names.join(" OR ")) }
        });
        let hard = match (within("se_er_tenths", self.er), levels) {
            (Some(er), Some(levels)) => Some(format!("({er} OR (se_er_tenths IS NULL AND {levels}))")),
            (Some(only), None) | (None, Some(only)) => Some(only),
            (None, None) => None,
        };
        let known = self.ladder.as_ref().map(|ladder| {
            let others = Technique::all().filter(|technique| !ladder.has(*technique));
            others.fold("finished".to_owned(), |sql, technique| format!("{sql} AND n_{} = 0", technique.code()))
        });
        let all = [hard, within("score", self.score), within("givens", self.givens), known];
        let effort = self.effort.iter().map(|&(column, range)| within(&COLUMNS[column].name, Some(range)));
        all.into_iter().chain(effort).flatten().collect::<Vec<_>>().join(" AND ")
    }
}

/// A column of effort, by its name without `effort_`, and its range.
fn of_effort((name, text): (&String, &String)) -> Result<(usize, Range), String> {
    let column = COLUMNS.iter().position(|column| column.name.strip_prefix("effort_") == Some(name));
    let known = COLUMNS.iter().filter_map(|column| column.name.strip_prefix("effort_")).collect::<Vec<_>>().join(", ");
    let column = column.ok_or_else(|| format!("no column is called effort_{name}; known: {known}"))?;
    Ok((column, range(name, text, |text| if text.is_empty() { Some(u32::MAX) } else { text.parse().ok() })?))
}

fn range(key: &str, text: &str, number: impl Fn(&str) -> Option<u32>) -> Result<Range, String> {
    let wrong = || format!("{key} is '{text}'; write a range such as 3..5");
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let ends = number(first.trim()).zip(number(last.trim().trim_start_matches('=')));
    ends.filter(|(first, last)| first <= last).ok_or_else(wrong)
}

fn levels(text: &str) -> Result<Vec<Level>, String> {
    text.split(',')
        .map(|name| name.trim().parse().map_err(|error: sudoku_corpus_core::names::UnknownName| error.to_string()))
        .collect()
}

#[cfg(test)]
mod tests;
