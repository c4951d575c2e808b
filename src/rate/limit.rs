//! When to leave a ladder early.
//!
//! ```text
//!   Limit::above(Level::Hard)                  leave as soon as the puzzle is known to be Unfair or more
//!   Limit::outside(singles and intersections)  leave as soon as any other technique is needed
//! ```
//!
//! Techniques beyond the limit that stand between others on the ladder are still searched for, because the puzzle is
//! beyond the limit when one of them comes first; those at the upper end are not. So being beyond the limit is the same
//! property of a puzzle as in its whole rating.

use super::Technique;
use super::ladder::Ladder;
use super::level::Level;
use super::rating::Rating;

/// What a puzzle may need at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    level: Level,
    within: [bool; Technique::COUNT],
}

impl Limit {
    /// Nothing is beyond it.
    pub const NONE: Limit = Limit { level: Level::Beyond, within: [true; Technique::COUNT] };

    /// Beyond it are puzzles above a level, be it by a step or by the sum of their scores.
    pub fn above(level: Level) -> Limit {
        let mut limit = Limit { level, ..Limit::NONE };
        for technique in Technique::all() {
            limit.within[technique as usize] = technique.info().level <= level;
        }
        limit
    }

    /// Beyond it are puzzles that need any other technique.
    pub fn outside(techniques: impl IntoIterator<Item = Technique>) -> Limit {
        let mut limit = Limit { within: [false; Technique::COUNT], ..Limit::NONE };
        techniques.into_iter().for_each(|technique| limit.within[technique as usize] = true);
        limit
    }

    /// Beyond either of two limits.
    pub fn or(mut self, other: Limit) -> Limit {
        self.level = self.level.min(other.level);
        self.within.iter_mut().zip(other.within).for_each(|(within, other)| *within &= other);
        self
    }

    /// True when a puzzle that was rated so far is beyond it.
    pub fn is_exceeded(&self, rating: &Rating) -> bool {
        rating.level > self.level || self.within.iter().zip(rating.counts).any(|(within, count)| !within && count > 0)
    }

    /// True when a step, the last of those rated so far, took the puzzle beyond it.
    #[inline]
    pub(super) fn is_exceeded_by(&self, technique: Technique, rating: &Rating) -> bool {
        !self.within[technique as usize] || rating.level > self.level
    }

    /// How many rungs of a ladder have to be searched, and whether these are all.
    pub(super) fn rungs(&self, ladder: &Ladder) -> (usize, bool) {
        let within = |rung: &[Technique]| rung.iter().any(|&technique| self.within[technique as usize]);
        let rungs: Vec<bool> = ladder.rungs().map(within).collect();
        let needed = rungs.iter().rposition(|&within| within).map_or(0, |last| last + 1);
        (needed, needed == rungs.len())
    }

    /// The lowest level that is beyond it; Easy where the level is not limited.
    pub(super) fn level_beyond(&self) -> Level {
        match self.level {
            Level::Beyond => Level::Easy,
            level => Level::ALL.into_iter().find(|&above| above > level).unwrap_or(Level::Beyond),
        }
    }
}
