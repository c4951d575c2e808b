//! Levels of the publisher's own: bands of ER, score, givens and techniques, read from a file.
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
//! ```
//!
//! Levels are named from the easiest to the hardest; a puzzle belongs to the first one whose conditions it meets. The same
//! mapping chooses puzzles (as an SQL condition) and heads them in print (by the row).

use serde::Deserialize;

use super::quota::Quota;
use super::words::{Language, LevelTexts};
use crate::corpus::Record;
use crate::rate::{Ladder, Level, Technique};

/// The levels of newspapers.
pub const NEWSPAPER: &str = include_str!("../../data/levels/newspaper.toml");

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
    /// A name that no level has.
    #[error("no level is called '{name}'; known: {known}")]
    Unknown {
        /// The name.
        name: String,
        /// The names there are.
        known: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    level: Vec<Draft>,
}

/// A level as it is written.
#[derive(Deserialize)]
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
}

/// A range with both ends.
type Range = (u32, u32);

/// A level, understood.
#[derive(Clone, Debug, PartialEq)]
struct Band {
    key: String,
    texts: Option<LevelTexts>,
    /// ER in tenths.
    er: Option<Range>,
    levels: Option<Vec<Level>>,
    score: Option<Range>,
    givens: Option<Range>,
    ladder: Option<Ladder>,
}

/// Levels, easiest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Levels(Vec<Band>);

impl Levels {
    /// The levels of the rater, which are HoDoKu's.
    pub fn hodoku() -> Levels {
        let band = |level: Level| Band {
            key: level.name().to_owned(),
            texts: None,
            er: None,
            levels: Some(vec![level]),
            score: None,
            givens: None,
            ladder: None,
        };
        Levels(Level::ALL.map(band).to_vec())
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

    /// What the levels are called in a language.
    pub fn texts(&self, language: &Language) -> Vec<LevelTexts> {
        let texts = |band: &Band| {
            let known = || language.level(&band.key).cloned();
            let plain = || LevelTexts { name: band.key.clone(), about: String::new() };
            band.texts.clone().or_else(known).unwrap_or_else(plain)
        };
        self.0.iter().map(texts).collect()
    }

    /// The level of a row: the first whose conditions it meets.
    pub fn of(&self, record: &Record) -> Option<usize> {
        self.0.iter().position(|band| band.holds(record))
    }

    /// A quota of puzzles of a level, by its name or key.
    ///
    /// # Errors
    /// [`LevelsError::Unknown`].
    pub fn quota(&self, name: &str, count: u64) -> Result<Quota, LevelsError> {
        let same = |other: &str| other.to_lowercase() == name.to_lowercase();
        let at = self
            .0
            .iter()
            .position(|band| same(&band.key) || band.texts.as_ref().is_some_and(|texts| same(&texts.name)));
        let at = at.ok_or_else(|| {
            let names: Vec<&str> = self.0.iter().map(|band| band.key.as_str()).collect();
            LevelsError::Unknown { name: name.to_owned(), known: names.join(", ") }
        })?;
        // Of levels that overlap the first one has the puzzle.
        let earlier = self.0[..at].iter().map(|band| format!(" AND ({}) IS NOT TRUE", band.sql()));
        let condition = format!("({}){}", self.0[at].sql(), earlier.collect::<String>());
        let condition = if *self == Levels::hodoku() { self.0[at].sql() } else { condition };
        Ok(Quota { name: self.0[at].key.clone(), condition, count })
    }

    /// Must every column of a row be read to tell its level?
    pub fn need_counts(&self) -> bool {
        self.0.iter().any(|band| band.ladder.is_some())
    }
}

impl Band {
    fn new(draft: Draft) -> Result<Band, String> {
        let key = draft.key.or_else(|| draft.name.clone()).ok_or("it has neither a name nor a key")?;
        let texts = draft.name.map(|name| LevelTexts { name, about: draft.about.unwrap_or_default() });
        let whole = |text: &str| text.parse::<u32>().ok();
        let tenths = |text: &str| {
            let value: f64 = text.parse().ok()?;
            ((0.0..=99.0).contains(&value)).then(|| (value * 10.0).round() as u32)
        };
        let band = Band {
            key,
            texts,
            er: draft.er.map(|text| range("er", &text, tenths)).transpose()?,
            levels: draft.level.map(|text| levels(&text)).transpose()?,
            score: draft.score.map(|text| range("score", &text, whole)).transpose()?,
            givens: draft.givens.map(|text| range("givens", &text, whole)).transpose()?,
            ladder: draft
                .techniques
                .map(|text| text.parse().map_err(|e: crate::rate::LadderError| e.to_string()))
                .transpose()?,
        };
        let free = Band {
            key: band.key.clone(),
            texts: band.texts.clone(),
            er: None,
            levels: None,
            score: None,
            givens: None,
            ladder: None,
        };
        if band == free {
            Err("it has no condition: er, level, score, givens or techniques".to_owned())
        } else {
            Ok(band)
        }
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
        hard && known && within(self.score, record.score) && within(self.givens, record.givens)
    }

    /// The same as an SQL condition.
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
        all.into_iter().flatten().collect::<Vec<_>>().join(" AND ")
    }
}

fn range(key: &str, text: &str, number: impl Fn(&str) -> Option<u32>) -> Result<Range, String> {
    let wrong = || format!("{key} is '{text}'; write a range such as 3..5");
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let ends = number(first.trim()).zip(number(last.trim().trim_start_matches('=')));
    ends.filter(|(first, last)| first <= last).ok_or_else(wrong)
}

fn levels(text: &str) -> Result<Vec<Level>, String> {
    text.split(',')
        .map(|name| name.trim().parse().map_err(|error: crate::rate::UnknownLevel| error.to_string()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Shape;

    fn row(er: Option<u32>, level: Option<Level>, givens: u32) -> Record {
        Record {
            se_er_tenths: er,
            level,
            givens: Some(givens),
            score: Some(givens * 10),
            ..Record::new(0, Shape::NINE)
        }
    }

    #[test]
    fn newspaper_levels_cover_every_rating_once() {
        let levels = Levels::parse(NEWSPAPER).unwrap();
        let of = |er, level| levels.of(&row(er, level, 25));
        let mut before = 0;
        for er in 10..=130 {
            let level = of(Some(er), None).unwrap_or_else(|| panic!("{er}"));
            assert!(level == before || level == before + 1, "{er}");
            before = level;
        }
        assert_eq!(before, 4);
        let unrated = Level::ALL.map(|level| of(None, Some(level)).unwrap());
        assert_eq!(unrated, [0, 1, 2, 3, 4, 4]);
        assert_eq!(of(Some(12), Some(Level::Extreme)), Some(0), "ER decides where it is known");
        assert_eq!(of(None, None), None);
        for tag in Language::tags() {
            let texts = levels.texts(&Language::named(tag).unwrap());
            assert!(texts.iter().all(|texts| !texts.name.is_empty() && texts.about.ends_with('.')), "{tag}");
        }
    }

    #[test]
    fn own_levels_are_read_and_wrong_ones_are_named() {
        let text = "[[level]]\nname = \"Teuflisch\"\ner = \"4.5..7.2\"\ngivens = \"22..26\"";
        let levels = Levels::parse(text).unwrap();
        assert_eq!(levels.of(&row(Some(45), None, 26)), Some(0));
        assert_eq!([levels.of(&row(Some(45), None, 27)), levels.of(&row(Some(73), None, 24))], [None, None]);
        assert_eq!(levels.texts(&Language::default())[0].name, "Teuflisch");
        let quota = levels.quota("teuflisch", 5).unwrap();
        assert_eq!(quota.condition, "(se_er_tenths BETWEEN 45 AND 72 AND givens BETWEEN 22 AND 26)");
        let told = |text: &str| Levels::parse(text).unwrap_err().to_string();
        assert!(told("").contains("names no level"));
        assert!(told("[[level]]\nname = \"x\"").contains("level 1: it has no condition"));
        assert!(told("[[level]]\nname = \"x\"\ner = \"7..3\"").contains("er is '7..3'"));
        assert!(told("[[level]]\nname = \"x\"\nlevel = \"esay\"").contains("easy"));
        assert!(told("[[level]]\nnmae = \"x\"").contains("nmae"));
        assert!(told("[[level]]\nname = \"x\"\ntechniques = \"x_wign\"").contains("x_wing"));
        assert!(levels.quota("hard", 1).unwrap_err().to_string().contains("known: Teuflisch"));
    }

    #[test]
    fn techniques_bound_a_level() {
        let levels = Levels::parse("[[level]]\nname = \"x\"\ntechniques = \"singles\"").unwrap();
        let mut counts = [0; Technique::COUNT];
        counts[Technique::FullHouse as usize] = 3;
        let record = Record { finished: Some(true), counts: Some(counts), ..row(None, None, 30) };
        assert_eq!(levels.of(&record), Some(0));
        counts[Technique::XWing as usize] = 1;
        assert_eq!(levels.of(&Record { counts: Some(counts), ..record }), None);
        assert!(levels.need_counts());
    }
}
