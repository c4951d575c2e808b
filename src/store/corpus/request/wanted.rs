//! The level that digging aims at, and whether a puzzle has it.

use crate::corpus::values::analyze::Analysis;
use crate::corpus::values::levels::{LevelRange, Levels};
use crate::corpus::values::ratings::{RatingKind, Ratings};
use crate::corpus::values::record::Record;
use crate::corpus::values::target::{Judged, explain};
use sudoku_corpus_core::board::{Puzzle, Shape};
use sudoku_corpus_core::effort::effort;
use sudoku_corpus_core::ladder::{End, rate};

/// A level as a goal. The values of the row decide, because levels may overlap and the ladder may use other techniques
/// than those that would suffice.
#[derive(Clone, Debug, PartialEq)]
pub struct WantedLevel {
    /// All levels; a puzzle that has several belongs to the first.
    levels: Levels,
    /// The place of the level that is wanted.
    place: usize,
}

impl WantedLevel {
    /// A level by its name; an error if there is none.
    pub(crate) fn new(levels: &Levels, name: &str) -> Result<WantedLevel, String> {
        Ok(WantedLevel { levels: levels.clone(), place: levels.place(name)? })
    }

    /// The scale to which it belongs.
    pub(super) fn scale(&self) -> &Levels {
        &self.levels
    }

    pub(crate) fn range(&self) -> &LevelRange {
        &self.levels.ranges()[self.place]
    }

    /// Its name on the command line.
    pub fn key(&self) -> &str {
        &self.range().key
    }

    /// True if digging cannot aim at a part of its conditions.
    pub(crate) fn may_miss(&self) -> bool {
        let LevelRange { hodoku_levels, draft, .. } = self.range();
        let several = hodoku_levels.as_ref().is_some_and(|levels| levels.len() != 1);
        several || draft.hodoku_score.is_some() || draft.effort.is_some()
    }

    /// Checks that the rows have the values that decide about the level.
    pub(crate) fn check(&self, shape: Shape, analysis: &Analysis) -> Result<(), String> {
        let LevelRange { key, er, hodoku_levels, ladder, draft, .. } = self.range();
        if draft.effort.is_some() && !analysis.ratings.has(RatingKind::Effort) {
            return Err(format!("the level '{key}' needs the columns of effort: add effort to ratings"));
        }
        let has_er = shape == Shape::NINE;
        if er.is_some() && has_er && !analysis.ratings.has(RatingKind::Er) {
            return Err(format!("the level '{key}' needs ER: add er to ratings"));
        }
        if er.is_some() && !has_er && hodoku_levels.is_none() {
            return Err(format!("the level '{key}' needs ER, which the {} does not have", shape.board()));
        }
        let by_hodoku = hodoku_levels.is_some() && !(er.is_some() && has_er);
        if (draft.hodoku_score.is_some() || ladder.is_some() || by_hodoku) && analysis.ladder.is_none() {
            return Err(format!("the level '{key}' needs a rating, but techniques is \"none\""));
        }
        Ok(())
    }

    /// Judges a puzzle with one solution by the values that its row will have, as far as they decide. `earlier` has
    /// ratings that were made before. Returns all ratings if the puzzle has the level.
    pub(crate) fn judge(&self, puzzle: &Puzzle, analysis: &Analysis, earlier: Judged) -> Option<Judged> {
        let ranges = &self.levels.ranges()[..=self.place];
        let er = analysis.ratings.has(RatingKind::Er) && ranges.iter().any(|range| range.er.is_some());
        let explained = earlier.explained.or_else(|| er.then(|| explain(puzzle, analysis.er_limit)));
        let mut record = Record::of_puzzle(0, puzzle.clone());
        let ratings = if er { Ratings::of(&[RatingKind::Er]) } else { Ratings::NONE };
        ratings.rate(&mut record, puzzle, analysis.er_limit, explained);
        // A rating that was stopped early does not say the level.
        let mut rating = earlier.rating.filter(|rating| rating.end != End::Stopped);
        if analysis.ratings.has(RatingKind::Effort) && ranges.iter().any(|range| range.draft.effort.is_some()) {
            let ladder = analysis.ladder.clone().unwrap_or_default();
            let (effort, whole) = effort(puzzle, &ladder);
            (record.effort, rating) = (effort, Some(whole));
        }
        if let Some(ladder) = &analysis.ladder {
            record.set_rating(rating.get_or_insert_with(|| rate(puzzle, ladder)));
        }
        (self.levels.rated(&record) == Some(self.place)).then_some(Judged { rating, explained, ..earlier })
    }
}
