//! The publisher's own levels ([`sudoku_corpus_store::corpus::Levels`]) in print and in quotas.

use crate::publish::choice::pool::{BATCH, Pool};
use crate::publish::choice::quota::Quota;
use crate::publish::choice::request::Request;
use crate::publish::error::PublishError;
use sudoku_corpus_core::rate::Level;
use sudoku_corpus_store::corpus::Job;

pub use sudoku_corpus_store::corpus::Levels;

/// A quota of puzzles of a level, by its name or key.
///
/// # Errors
/// A name that no level has, with the names that there are.
pub fn quota(levels: &Levels, name: &str, count: u64) -> Result<Quota, PublishError> {
    let unknown = |error: &dyn ToString| PublishError::Request(error.to_string());
    let at = levels.place(name).map_err(|error| match name.parse::<Level>() {
        // HoDoKu's levels suggest the nearest name.
        Err(near) if *levels == Levels::hodoku() => unknown(&near),
        Err(_) => unknown(&error),
        // The name is one of HoDoKu's levels, but the publisher has other levels.
        Ok(_) => unknown(&format!("{error}; with --levels hodoku: {}", Level::ALL.map(Level::name).join(", "))),
    })?;
    Ok(Quota { name: levels.ranges()[at].key.clone(), condition: levels.condition(at), count })
}

/// How many rows of corpora and files each level has, and how many rows there are.
///
/// # Errors
/// A source that cannot be read.
pub fn count(levels: &Levels, sources: &[std::path::PathBuf], job: &Job<'_>) -> Result<(Vec<u64>, u64), PublishError> {
    let conditions: Vec<String> = (0..levels.ranges().len()).map(|at| levels.condition(at)).collect();
    // The conditions tell the pool which ratings are needed. They leave no row out.
    let pool = Pool::open(sources, &Request { filters: conditions.clone(), ..Request::default() }, job)?;
    let mut counts = vec![0; conditions.len()];
    for batch in pool.batches(BATCH) {
        for (count, condition) in counts.iter_mut().zip(&conditions) {
            *count += batch.count(condition)?;
        }
    }
    Ok((counts, pool.rows()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::publish::words::{Language, level_texts as texts};

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
        let message = |name: &str| super::quota(&own, name, 5).unwrap_err().to_string();
        assert_eq!(message("tuesday"), "no level is called 'tuesday'; known: Teuflisch");
        let both = "known: Teuflisch; with --levels hodoku: easy, medium, hard, unfair, extreme, beyond";
        assert!(message("hard").ends_with(both));
    }
}
