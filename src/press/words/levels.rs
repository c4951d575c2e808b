//! Names the levels in a language.

use crate::words::language::{Language, LevelTexts};
use sudoku_corpus_store::corpus::Levels;

/// The texts of levels in a language.
pub fn texts(levels: &Levels, language: &Language) -> Vec<LevelTexts> {
    let ranges = levels.ranges().iter();
    let texts = ranges.map(|level| match (&level.texts, language.level(&level.key)) {
        (Some((name, about)), _) => LevelTexts { name: name.clone(), about: about.clone() },
        (None, Some(texts)) => texts,
        (None, None) => LevelTexts { name: level.key.clone(), about: String::new() },
    });
    texts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_have_names_in_every_language() {
        for levels in [Levels::default(), Levels::hodoku()] {
            for tag in Language::tags() {
                let texts = texts(&levels, &Language::named(tag).unwrap());
                assert!(texts.iter().all(|texts| !texts.name.is_empty() && texts.about.ends_with('.')), "{tag}");
            }
        }
        let own = Levels::parse("[[level]]\nname = \"Teuflisch\"\ner = \"4.5..7.2\"").unwrap();
        assert_eq!(texts(&own, &Language::default())[0].name, "Teuflisch");
    }
}
