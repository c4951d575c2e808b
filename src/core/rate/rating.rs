//! The result of rating a puzzle: counts, hardest technique, level and score.

use super::Technique;
use super::level::Level;

/// How the ladder ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum End {
    /// Every cell has its digit.
    Finished,
    /// No technique of the ladder finds anything.
    Stuck,
    /// The puzzle is known to be beyond a [`Limit`](super::Limit).
    Stopped,
    /// The puzzle has no solution: a cell without candidates, or a house without a place for a digit.
    Contradiction,
    /// The order of the board is above 36, so nothing was tried.
    TooLarge,
}

/// What the ladder needs to solve a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rating {
    /// Uses of each technique, in the order of [`TECHNIQUES`](super::TECHNIQUES).
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
    pub(super) fn new(open_cells: usize) -> Rating {
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

    /// Adds a step, on a board with this many cells.
    pub(super) fn add(&mut self, technique: Technique, cells: usize) {
        self.counts[technique as usize] += 1;
        self.score = self.score.saturating_add(technique.info().score);
        if self.hardest.is_none_or(|hardest| hardest.rank() < technique.rank()) {
            self.hardest = Some(technique);
        }
        self.level = self.level.max(technique.info().level).max(Level::of_score(self.score, cells));
    }

    pub(super) fn ended(mut self, end: End, open_cells: usize) -> Rating {
        (self.end, self.open_cells, self.finished) = (end, open_cells, end == End::Finished);
        if !matches!(end, End::Finished | End::Stopped) {
            self.level = Level::Beyond;
        }
        self
    }
}
