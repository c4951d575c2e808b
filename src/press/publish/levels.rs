//! The publisher's own levels ([`sudoku_corpus_store::corpus::Levels`]) in print and in quotas.

use super::PublishError;
use super::effort::Effort;
use super::pool::{PIECE, Pool};
use super::quota::Quota;
use super::wish::Wanted;
use super::words::{Language, LevelTexts};
use sudoku_corpus_store::corpus::{CorpusError, Scan};
pub use sudoku_corpus_store::corpus::{LevelBand, Levels, LevelsError};

/// The texts of levels in a language.
pub fn texts(levels: &Levels, language: &Language) -> Vec<LevelTexts> {
    let texts = |band: &LevelBand| {
        let own = band.texts.clone().map(|(name, about)| LevelTexts { name, about });
        let known = || language.level(&band.key).cloned();
        let plain = || LevelTexts { name: band.key.clone(), about: String::new() };
        own.or_else(known).unwrap_or_else(plain)
    };
    levels.bands().iter().map(texts).collect()
}

/// A quota of puzzles of a level, by its name or key.
///
/// # Errors
/// A name that no level has.
pub fn quota(levels: &Levels, name: &str, count: u64) -> Result<Quota, LevelsError> {
    let at = levels.place(name)?;
    Ok(Quota { name: levels.bands()[at].key.clone(), condition: levels.condition(at), count })
}

/// How many rows of corpora and files each level has, and how many rows there are.
///
/// # Errors
/// A source that cannot be read.
pub fn count(
    levels: &Levels,
    sources: &[std::path::PathBuf],
    effort: &Effort<'_>,
) -> Result<(Vec<u64>, u64), PublishError> {
    let conditions: Vec<String> = (0..levels.bands().len()).map(|at| levels.condition(at)).collect();
    let wanted = Wanted { filters: conditions.clone(), ..Wanted::default() };
    let pool = Pool::open(sources, &wanted, effort)?;
    let mut counts = vec![0; conditions.len()];
    for piece in pool.pieces(PIECE) {
        let wrong = |reason| CorpusError::File { path: piece.files[0].clone(), reason };
        let scan = Scan::numbered(&piece.files, piece.slice).map_err(wrong)?;
        for (count, condition) in counts.iter_mut().zip(&conditions) {
            let answer = scan.ask(&format!("SELECT count(*) AS n FROM puzzles WHERE {condition}"))?;
            *count += answer.integers(0).map_err(wrong)?.first().copied().unwrap_or(0);
        }
    }
    Ok((counts, pool.rows()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_have_names_in_every_language() {
        let newspaper = Levels::open("newspaper", "".as_ref()).unwrap();
        for levels in [newspaper, Levels::hodoku()] {
            for tag in Language::tags() {
                let texts = texts(&levels, &Language::named(tag).unwrap());
                assert!(texts.iter().all(|texts| !texts.name.is_empty() && texts.about.ends_with('.')), "{tag}");
            }
        }
        let own = Levels::parse("[[level]]\nname = \"Teuflisch\"\ner = \"4.5..7.2\"").unwrap();
        assert_eq!(texts(&own, &Language::default())[0].name, "Teuflisch");
        let quota = quota(&own, "teuflisch", 5).unwrap();
        assert_eq!((quota.condition.as_str(), quota.count), ("(se_er_tenths BETWEEN 45 AND 72)", 5));
    }
}
