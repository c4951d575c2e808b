//! When the ladder may stop early.
//!
//! ```text
//!   Limit::above(Level::Hard)                  stop as soon as the puzzle is known to be Unfair or harder
//!   Limit::outside(singles and intersections)  stop as soon as the puzzle needs any other technique
//! ```
//!
//! A technique beyond the limit may stand between allowed ones on the ladder. It is still searched for: if it is the
//! first to find something, the puzzle is beyond the limit. Techniques above all allowed ones are not searched. So the
//! early answer is always the one that the full rating would give.

use super::Technique;
use super::ladder::Ladder;
use super::level::Level;
use super::rating::Rating;

/// The most that a puzzle may need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    level: Level,
    within: [bool; Technique::COUNT],
}

impl Limit {
    /// No puzzle is beyond it.
    pub const NONE: Limit = Limit { level: Level::Beyond, within: [true; Technique::COUNT] };

    /// Puzzles above a level are beyond it, either by one step or by their score.
    pub fn above(level: Level) -> Limit {
        let mut limit = Limit { level, ..Limit::NONE };
        for technique in Technique::all() {
            limit.within[technique as usize] = technique.info().level <= level;
        }
        limit
    }

    /// Puzzles that need any other technique are beyond it.
    pub fn outside(techniques: impl IntoIterator<Item = Technique>) -> Limit {
        let mut limit = Limit { within: [false; Technique::COUNT], ..Limit::NONE };
        techniques.into_iter().for_each(|technique| limit.within[technique as usize] = true);
        limit
    }

    /// Puzzles beyond either of two limits are beyond it.
    pub fn or(mut self, other: Limit) -> Limit {
        self.level = self.level.min(other.level);
        self.within.iter_mut().zip(other.within).for_each(|(within, other)| *within &= other);
        self
    }

    /// True when the rating so far is beyond the limit.
    pub fn is_exceeded(&self, rating: &Rating) -> bool {
        rating.level > self.level || self.within.iter().zip(rating.counts).any(|(within, count)| !within && count > 0)
    }

    /// True when the last step took the puzzle beyond the limit.
    #[inline]
    pub(super) fn is_exceeded_by(&self, technique: Technique, rating: &Rating) -> bool {
        !self.within[technique as usize] || rating.level > self.level
    }

    /// How many rungs of a ladder have to be searched, and whether these are all its rungs.
    pub(super) fn rungs(&self, ladder: &Ladder) -> (usize, bool) {
        let within = |rung: &[Technique]| rung.iter().any(|&technique| self.within[technique as usize]);
        let rungs: Vec<bool> = ladder.rungs().map(within).collect();
        let needed = rungs.iter().rposition(|&within| within).map_or(0, |last| last + 1);
        (needed, needed == rungs.len())
    }

    /// The lowest level beyond the limit. Easy if the level is not limited.
    pub(super) fn level_beyond(&self) -> Level {
        match self.level {
            Level::Beyond => Level::Easy,
            level => Level::ALL.into_iter().find(|&above| above > level).unwrap_or(Level::Beyond),
        }
    }
}
