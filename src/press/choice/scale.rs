//! The scale of a choice: the levels of the rows ([`Levels`]), or others that the publisher names.

use std::path::PathBuf;

use crate::choice::quota::Quota;
use crate::error::PublishError;
use sudoku_corpus_store::corpus::{Levels, Record, SourceScales};

/// The scale of the levels of a choice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scale {
    /// The levels.
    pub levels: Levels,
    /// True if the column `level` of some rows has levels of another scale, or may have. Then the ratings of each row
    /// give its level.
    pub by_ratings: bool,
}

impl Scale {
    /// The scale of some sources: `named`, if the publisher names one, or else the scale of the rows.
    ///
    /// # Errors
    /// The sources have different scales, and none is named: the command says what to do. A source that cannot be read.
    pub fn of(named: Option<Levels>, sources: &[PathBuf]) -> Result<Scale, PublishError> {
        let of_rows = SourceScales::of(sources)?;
        let levels = named.map_or_else(|| of_rows.common().map_err(PublishError::Request), Ok)?;
        Ok(Scale { by_ratings: !of_rows.are_all(&levels), levels })
    }

    /// The SQL condition of the rows of a level, by its number on the scale.
    pub(crate) fn condition(&self, level: usize) -> String {
        if self.by_ratings { self.levels.condition(level) } else { self.levels.is_level(level) }
    }

    /// The number of the level whose condition this is. None for other conditions.
    pub(crate) fn level_of(&self, condition: &str) -> Option<usize> {
        (0..self.levels.ranges().len()).find(|&level| self.condition(level) == condition)
    }

    /// The columns that say the level of a row.
    pub(crate) fn columns(&self) -> Vec<String> {
        if self.by_ratings { self.levels.columns() } else { vec!["level".to_owned()] }
    }

    pub(crate) fn fill_in(&self, record: &mut Record) {
        if self.by_ratings {
            self.levels.fill_in(record);
        }
    }

    /// A quota of puzzles of a level, by its name or key.
    ///
    /// # Errors
    /// A name that no level has, with the names of the scale.
    pub fn quota(&self, name: &str, count: u64) -> Result<Quota, PublishError> {
        let level = self.levels.place(name).map_err(PublishError::Request)?;
        Ok(Quota { name: self.levels.ranges()[level].key.clone(), condition: self.condition(level), count })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::request::Request;

    #[test]
    fn a_quota_names_a_level_of_the_scale() {
        let own = Levels::parse("[[level]]\nname = \"Teuf'lisch\"\ner = \"4.5..7.2\"").unwrap();
        let quota = |levels: &Levels, by_ratings, name: &str| {
            let quota = Scale { levels: levels.clone(), by_ratings }.quota(name, 5);
            quota.map(|quota| quota.condition).map_err(|error| error.to_string())
        };
        assert_eq!(quota(&own, false, "teuf'lisch"), Ok("level = 'Teuf''lisch'".to_owned()));
        let by_ratings = "(se_er_tenths BETWEEN 45 AND 72 AND se_exact IS NOT FALSE)";
        assert_eq!(quota(&own, true, "Teuf'lisch"), Ok(by_ratings.replace("(se", "((se") + ")"));
        for by_ratings in [false, true] {
            let scale = Scale { levels: own.clone(), by_ratings };
            assert_eq!((scale.level_of(&scale.condition(0)), scale.level_of("minimal")), (Some(0), None));
        }
        let message = |levels: &Levels, name: &str| quota(levels, false, name).unwrap_err();
        assert_eq!(message(&own, "tuesday"), "no level 'tuesday': your own scale has Teuf'lisch");
        let newspaper = "the newspaper's scale has easy, medium, hard, expert, extreme";
        assert_eq!(
            message(&Levels::default(), "unfair"),
            format!("no level 'unfair': {newspaper}; HoDoKu's scale has it: add --levels hodoku")
        );
        assert_eq!(message(&Levels::default(), "esay"), format!("no level 'esay': {newspaper}; did you mean 'easy'?"));
        assert!(message(&Levels::hodoku(), "expert").ends_with("the newspaper's scale has it: add --levels newspaper"));
    }

    /// The column has the levels of the rows' own scale.
    #[test]
    fn conditions_about_levels_of_another_scale_are_refused() {
        let check = |by_ratings, condition: &str| {
            let scale = Scale { levels: Levels::hodoku(), by_ratings };
            Request { scale, filters: vec![condition.to_owned()], ..Request::default() }.check()
        };
        for condition in ["level = 'medium'", "givens > 25 AND \"LEVEL\" IN ('hard')"] {
            assert!(check(false, condition).is_ok());
            let error = check(true, condition).unwrap_err();
            assert!(error.to_string().contains("its column level is not on HoDoKu's scale"), "{error}");
        }
        assert!(check(true, "hodoku_level = 'medium'").is_ok());
    }
}
