//! Defines the result of rating a puzzle: counts, hardest technique, score and level.

use super::level::Level;
use super::rungs::Ladder;
use super::table::Technique;

/// How the ladder ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum End {
    /// Every cell has its digit.
    Finished,
    /// No technique of the ladder finds anything.
    Stuck,
    /// The puzzle is known to be beyond a [`Limit`].
    Stopped,
    /// The puzzle has no solution: a cell without candidates, or a house without a place for a digit.
    Contradiction,
    /// The order of the board is above 36, so nothing was tried.
    TooLarge,
}

/// What the ladder needs to solve a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rating {
    /// Uses of each technique, in the order of [`TECHNIQUES`](super::table::TECHNIQUES).
    pub counts: [u32; Technique::COUNT],
    /// The hardest technique used, by level, then by solving order.
    pub hardest: Option<Technique>,
    /// The level. [`Level::Beyond`] if the ladder does not solve the puzzle. A lower bound if the ladder was stopped.
    pub level: Level,
    /// Sum of the scores of the steps.
    pub score: u32,
    /// True when the ladder solves the puzzle.
    pub finished: bool,
    /// How the ladder ended.
    pub end: End,
    /// Open cells at the end.
    pub open_cells: usize,
}

impl Rating {
    /// Before the first step.
    pub(crate) fn new(open_cells: usize) -> Rating {
        Rating {
            counts: [0; Technique::COUNT],
            hardest: None,
            level: Level::Easy,
            score: 0,
            finished: false,
            end: End::Stuck,
            open_cells,
        }
    }

    /// Uses of a technique.
    pub fn count(&self, technique: Technique) -> u32 {
        self.counts[technique as usize]
    }

    pub(crate) fn add(&mut self, technique: Technique, cells: usize) {
        self.counts[technique as usize] += 1;
        self.score = self.score.saturating_add(technique.info().score);
        if self.hardest.is_none_or(|hardest| hardest.rank() < technique.rank()) {
            self.hardest = Some(technique);
        }
        self.level = self.level.max(technique.info().level).max(Level::of_score(self.score, cells));
    }

    /// The rating at the end of a climb. What the ladder cannot solve is beyond it.
    pub(crate) fn ended(mut self, end: End, open_cells: usize) -> Rating {
        (self.end, self.open_cells, self.finished) = (end, open_cells, end == End::Finished);
        if !matches!(end, End::Finished | End::Stopped) {
            self.level = Level::Beyond;
        }
        self
    }
}

/// The most that a puzzle may need: when the ladder may stop early.
///
/// A technique beyond the limit may stand between allowed ones on the ladder. It is still searched for: if it is the
/// first to find something, the puzzle is beyond the limit. Techniques above all allowed ones are not searched. So the
/// early answer is always the one that the full rating would give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The hardest level.
    level: Level,
    /// For each technique, whether it may be used.
    within: [bool; Technique::COUNT],
    /// True if a puzzle is beyond it once a digit was placed.
    placement: bool,
}

impl Limit {
    /// No puzzle is beyond it.
    pub const NONE: Limit = Limit { level: Level::Beyond, within: [true; Technique::COUNT], placement: false };

    /// Puzzles of which a digit has been placed are beyond it.
    pub(crate) const FIRST_PLACEMENT: Limit = Limit { placement: true, ..Limit::NONE };

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
        self.placement |= other.placement;
        self
    }

    /// True when the last step took the puzzle beyond the limit.
    #[inline]
    pub(crate) fn is_exceeded_by(&self, technique: Technique, rating: &Rating) -> bool {
        !self.within[technique as usize] || rating.level > self.level
    }

    /// True when the placed digits took the puzzle beyond the limit: when fewer cells are open than at the start.
    #[inline]
    pub(crate) fn is_exceeded_by_placing(&self, open: usize, at_start: usize) -> bool {
        self.placement && open < at_start
    }

    /// How many rungs of a ladder have to be searched, and whether these are all its rungs.
    pub(crate) fn rungs(&self, ladder: &Ladder) -> (usize, bool) {
        let (mut rungs, mut needed) = (0, 0);
        for rung in ladder.rungs() {
            rungs += 1;
            if rung.iter().any(|&technique| self.within[technique as usize]) {
                needed = rungs;
            }
        }
        (needed, needed == rungs)
    }

    /// The lowest level beyond the limit. Easy if the level is not limited.
    pub(crate) fn level_beyond(&self) -> Level {
        match self.level {
            Level::Beyond => Level::Easy,
            level => Level::ALL.into_iter().find(|&above| above > level).unwrap_or(Level::Beyond),
        }
    }
}
