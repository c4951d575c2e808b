//! Is the ER of a puzzle within a range? This is known sooner than ER.
//!
//! Hints below the range are applied together, as they come, if their producer is easy (up to 4.4): which of them the
//! original would take does not matter.

use super::found::FoundHint;
use super::state::{News, State};
use super::{Bounds, HintKind, LOCKING, NextHint, PRODUCERS, apply, first_hint};
use crate::board::Puzzle;

/// Where a puzzle stands to a range of ER.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Hints below the range solve it. The value is about the highest of them, in tenths.
    Below(u16),
    /// Its ER is within the range, except for puzzles whose ER depends on the order of hints.
    Within,
    /// Hints up to the end of the range leave this number of cells open.
    Above(u32),
}

/// The highest rating of forcing chains is above this.
const CHAINS: u16 = 65;

/// The place of the ER of a 9x9 puzzle with one solution. The range is in tenths, both ends included.
pub fn place(puzzle: &Puzzle, low: u16, high: u16) -> Place {
    // The highest rating below the range. Hints up to it may be applied in any order.
    let free = low.saturating_sub(1);
    let Some(mut state) = State::new(puzzle) else { return Place::Above(0) };
    // No puzzle is solved without hints of 1.0. Free singles and locked candidates are applied without a search.
    let mut hardest = if free >= LOCKING { LOCKING } else { 10 };
    let mut news = [News::ALL; PRODUCERS.len()];
    let mut hint = FoundHint::new(HintKind::LastValue);
    let mut bounds = Bounds { limit: high, free, tried: 0, direct: true };
    while state.holes > 0 {
        match first_hint(&mut state, &mut news, &mut bounds, &mut hint) {
            NextHint::Several(lowest) => hardest = hardest.max(lowest),
            NextHint::Found if hint.tenths() <= high && apply(&mut state, &hint) => {
                hardest = hardest.max(hint.tenths())
            }
            NextHint::Solved => break,
            // Forcing chains and easier hints solve the rest. The rating of the hardest was not computed.
            NextHint::NoHarder => return Place::Below(hardest.max(CHAINS.min(free))),
            NextHint::Found | NextHint::Nothing | NextHint::Above(_) => return Place::Above(state.holes.into()),
        }
    }
    if hardest > free { Place::Within } else { Place::Below(hardest) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explainer::{Options, rate};
    use crate::ladder::tests::published::random_puzzle;
    use crate::random::{Rng, Stage};

    #[test]
    fn the_place_agrees_with_the_rating() {
        let (mut rng, mut counts) = (Rng::new(15, 0, Stage::Bench, 0), [0; 3]);
        for _ in 0..300 {
            let (puzzle, _) = random_puzzle(&mut rng);
            let er = rate(&puzzle, &Options { at_most: Some(90), ..Options::default() }).er_tenths.unwrap();
            for range in [(10, 15), (20, 28), (29, 40), (50, 60), (66, 71), (72, 84)] {
                let expected = if er < range.0 { 0 } else { 1 + usize::from(er > range.1) };
                let side = match place(&puzzle, range.0, range.1) {
                    Place::Below(tenths) => {
                        assert!(tenths < range.0);
                        0
                    }
                    Place::Within => 1,
                    Place::Above(open) => {
                        assert!((1..=64).contains(&open));
                        2
                    }
                };
                assert_eq!(side, expected, "{er} {range:?} {puzzle:?}");
                counts[side] += 1;
            }
        }
        assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
    }
}
