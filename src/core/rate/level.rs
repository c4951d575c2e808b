//! Difficulty levels on HoDoKu 2.2.0's scale.
//!
//! A puzzle's level is the higher of two: the level of its hardest step, and the lowest level whose cap is not below
//! the score (Easy 800, Medium 1000, Hard 1600, Unfair 1800, Extreme without a cap). Reference: HoDoKu 2.2.0, default
//! settings.
//!
//! HoDoKu only knows 9x9 boards. A larger board needs more steps for the same difficulty, so its caps grow with the
//! number of cells: a 16x16 puzzle is Easy up to 2528 points. This rule is ours. It has no source, and there is nothing
//! to validate it with; the scale of the column `level` says so. Smaller boards keep the caps of 9x9.

use crate::names;

/// How hard a puzzle is for a person; ordered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Level {
    /// Singles only.
    Easy,
    /// Intersections and small subsets.
    Medium,
    /// Fish, wings, single-digit patterns.
    Hard,
    /// Chains, almost locked sets, larger fish.
    Unfair,
    /// Forcing chains and nets, or a very long solution.
    Extreme,
    /// The ladder does not solve the puzzle, so its level is unknown.
    Beyond,
}

names!("level": Level {
    Easy = "easy",
    Medium = "medium",
    Hard = "hard",
    Unfair = "unfair",
    Extreme = "extreme",
    Beyond = "beyond",
});

/// The number of cells of the board that the caps are made for.
const NINE: u64 = 81;

impl Level {
    /// The highest score of the level on a 9x9 board. None where there is no limit.
    pub const fn cap(self) -> Option<u32> {
        match self {
            Level::Easy => Some(800),
            Level::Medium => Some(1000),
            Level::Hard => Some(1600),
            Level::Unfair => Some(1800),
            Level::Extreme | Level::Beyond => None,
        }
    }

    /// The lowest level whose cap, on a board with this many cells, is not below the score.
    pub fn of_score(score: u32, cells: usize) -> Level {
        let score = (u64::from(score) * NINE / NINE.max(cells as u64)) as u32;
        Level::ALL.into_iter().find(|level| level.cap().is_none_or(|cap| score <= cap)).unwrap_or(Level::Extreme)
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

    #[test]
    fn names_parse_and_wrong_ones_get_the_nearest() {
        for level in Level::ALL {
            assert_eq!(level.to_string().to_uppercase().parse(), Ok(level));
        }
        assert!("hrad".parse::<Level>().unwrap_err().to_string().contains("did you mean 'hard'?"));
    }
}
