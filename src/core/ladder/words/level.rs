//! Defines the levels of difficulty, on HoDoKu 2.2.0's scale.
//!
//! A puzzle's level is the higher of two: the level of its hardest step, and the lowest level whose cap is not below
//! the score. The caps are 800 (Easy), 1000 (Medium), 1600 (Hard) and 1800 (Unfair); Extreme has none. Reference:
//! HoDoKu 2.2.0.
//!
//! HoDoKu only knows 9x9 boards. A larger board needs more steps for the same difficulty, so its caps grow with the
//! number of cells: a 16x16 puzzle is Easy up to 2531 points. This rule is ours and has no source; the scale of the
//! column `level` says so. Smaller boards keep the caps of 9x9.

use crate::names;

names! { "level":
    /// How hard a puzzle is for a person; ordered.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
    pub enum Level {
        /// Singles only.
        Easy = "easy",
        /// Intersections and small subsets.
        Medium = "medium",
        /// Fish, wings, single-digit patterns.
        Hard = "hard",
        /// Chains, almost locked sets, larger fish.
        Unfair = "unfair",
        /// Forcing chains and nets, or a very long solution.
        Extreme = "extreme",
        /// The ladder does not solve the puzzle, so its level is unknown.
        Beyond = "beyond",
    }
}

/// The number of cells of the board that the caps are made for.
const NINE: u64 = 81;

impl Level {
    /// The highest score of the level on a 9x9 board. None where there is no limit.
    pub const fn cap(self) -> Option<u32> {
        [Some(800), Some(1000), Some(1600), Some(1800), None, None][self as usize]
    }

    /// The lowest level whose cap is not below the score. The score of a board with more cells is first divided by
    /// `cells / 81` and rounded down.
    pub(crate) fn of_score(score: u32, cells: usize) -> Level {
        let (score, unit) = (u64::from(score) * NINE, NINE.max(cells as u64));
        let mut levels = Level::ALL.into_iter();
        let lowest = levels.find(|level| level.cap().is_none_or(|cap| score < u64::from(cap + 1) * unit));
        lowest.unwrap_or(Level::Extreme)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_at_the_cap_is_not_over_it() {
        let levels =
            [0, 800, 801, 1000, 1001, 1600, 1601, 1800, 1801, u32::MAX].map(|score| Level::of_score(score, 81));
        use Level::{Easy, Extreme, Hard, Medium, Unfair};
        assert_eq!(levels, [Easy, Easy, Medium, Medium, Hard, Hard, Unfair, Unfair, Extreme, Extreme]);
        assert_eq!([2_528, 2_534, u32::MAX].map(|score| Level::of_score(score, 256)), [Easy, Medium, Extreme]);
        assert_eq!([800, 801].map(|score| Level::of_score(score, 16)), [Easy, Medium]);
    }
}
