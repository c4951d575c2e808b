//! Names the levels in a language.

use crate::publish::words::language::{Language, LevelTexts};
use sudoku_corpus_store::corpus::Levels;

/// The texts of levels in a language.
pub fn texts(levels: &Levels, language: &Language) -> Vec<LevelTexts> {
    let ranges = levels.ranges().iter();
    let texts = ranges.map(|level| match (&level.texts, language.level(&level.key)) {
        (Some((name, about)), _) => LevelTexts { name: name.clone(), about: about.clone() },
        (None, Some(known)) => known.clone(),
        (None, None) => LevelTexts { name: level.key.clone(), about: String::new() },
    });
    texts.collect()
}
