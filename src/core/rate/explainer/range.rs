//! Is the ER of a puzzle within a range? This is known sooner than ER.
//!
//! Hints below the range are applied together, as they come, if their producer is easy (up to 4.4): which of them the
//! original would take does not matter. If the range begins above 2.8, singles and locked candidates, which are rated
//! up to 2.8, are applied to the whole board at once before.

use super::found::FoundHint;
use super::state::{News, State};
use super::{Bounds, HintKind, NextHint, PRODUCERS, apply, first_hint};
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

/// The highest rating of singles and locked candidates.
const LOCKING: u16 = 28;

/// The highest rating of forcing chains is above this.
const CHAINS: u16 = 65;

/// The place of the ER of a 9x9 puzzle with one solution. The range is in tenths, both ends included.
pub fn place(puzzle: &Puzzle, (low, high): (u16, u16)) -> Place {
    // The highest rating below the range. Hints up to it may be applied in any order.
    let free = low.saturating_sub(1);
    // If all singles and locked candidates are below the range, they are applied without a search for each.
    let (state, mut hardest) = match free >= LOCKING && high >= LOCKING {
        true => (State::settled(puzzle), LOCKING),
        false => (State::new(puzzle), 0),
    };
    let Some(mut state) = state else { return Place::Above(0) };
    let mut news = [News::ALL; PRODUCERS.len()];
    let mut found = FoundHint::new(HintKind::LastValue);
    let mut bounds = Bounds { limit: high, free, tried: 0 };
    while state.holes > 0 {
        match first_hint(&mut state, &mut news, &mut bounds, &mut None, &mut found) {
            NextHint::Several(lowest) => hardest = hardest.max(lowest),
            NextHint::Found if found.tenths() <= high && apply(&mut state, &found) => {
                hardest = hardest.max(found.tenths())
            }
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
    use crate::random::{Rng, Stage};
    use crate::rate::explainer::{Options, rate};
    use crate::rate::tests::published::random_puzzle;

    #[test]
    fn the_place_agrees_with_the_rating() {
        let (mut rng, mut counts) = (Rng::new(15, 0, Stage::Bench, 0), [0; 3]);
        for _ in 0..300 {
            let (puzzle, _) = random_puzzle(&mut rng);
            let er = rate(&puzzle, &Options { at_most: Some(90), ..Options::default() }).er_tenths.unwrap();
            for range in [(10, 15), (20, 28), (29, 40), (50, 60), (66, 71), (72, 84)] {
                let expected = if er < range.0 { 0 } else { 1 + usize::from(er > range.1) };
                let found = match place(&puzzle, range) {
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
                assert_eq!(found, expected, "{er} {range:?} {puzzle:?}");
                counts[found] += 1;
            }
        }
        assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
    }
}
