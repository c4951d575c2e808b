//! Defines a hint during the search: its kind, its rating, and what it removes or places.

use super::kind::HintKind;
use super::state::{CellsByDigit, State};
use super::tables::{HOUSE, HOUSE_SET, bits, cells, house_bits};

/// A hint as its producer finds it. Sets are bits: cell `9 * row + column`, digit 0..9, house 0..27.
#[derive(Clone)]
pub(super) struct FoundHint {
    pub(super) kind: HintKind,
    /// The rating in floating point, as the original compares it: there 6.5 + 0.2 is more than 6.6 + 0.1.
    pub(super) rating: f64,
    /// Cell and digit (0..9) that can be placed at once.
    pub(super) placed: Option<(u8, u8)>,
    pub(super) remove: CellsByDigit,
    /// The cells of the pattern, for the text of the hint and for the parents in a chain.
    pub(super) cells: u128,
    pub(super) digits: u16,
    /// The houses that define the pattern.
    pub(super) base: u32,
    /// The houses in which it removes candidates, as bits, if they are others.
    pub(super) cover: u32,
    /// The number of candidates that a chain rests on, each counted once per branch. 0 for other rules.
    pub(super) complexity: u32,
}

/// Stops a search: no more hints are wanted.
pub(super) struct Enough;

/// What a producer returns: an error when the taker has enough.
pub(super) type Taken = Result<(), Enough>;

/// Receives the hints of a producer, one after the other.
pub(super) type Taker<'t> = dyn FnMut(&FoundHint) -> Taken + 't;

impl FoundHint {
    pub(super) fn new(kind: HintKind) -> FoundHint {
        FoundHint {
            kind,
            rating: f64::from(kind.tenths()) / 10.0,
            placed: None,
            remove: [0; 9],
            cells: 0,
            digits: 0,
            base: 0,
            cover: 0,
            complexity: 0,
        }
    }

    /// A chain whose conclusion is that a candidate (9 * cell + digit) is true (false).
    pub(super) fn of_chain(kind: HintKind, state: &State, candidate: usize, on: bool, complexity: u32) -> FoundHint {
        let (cell, digit) = (candidate / 9, candidate % 9);
        let mut hint = FoundHint { complexity, cells: 1 << cell, digits: 1 << digit, ..FoundHint::new(kind) };
        hint.rating += added(complexity);
        if on {
            hint.placed = Some((cell as u8, digit as u8));
            bits(state.digits[cell] & !(1 << digit)).for_each(|rival| hint.remove[rival] |= 1 << cell);
        } else {
            hint.remove[digit] = 1 << cell;
        }
        hint
    }

    pub(super) fn removes_any(&self) -> bool {
        self.remove.iter().any(|&set| set != 0)
    }

    pub(super) fn offer(&self, take: &mut Taker) -> Taken {
        if self.removes_any() { take(self) } else { Ok(()) }
    }

    pub(super) fn tenths(&self) -> u16 {
        tenths(self.rating)
    }

    /// Calls `add` with the candidates (cell, digit) that had to be removed from `source` before the pattern could
    /// appear in `state`, in the order of the original. For locked candidates, pairs and X-Wings only.
    pub(super) fn parents(&self, source: &State, state: &State, mut add: impl FnMut(usize, usize)) {
        match self.kind {
            HintKind::NakedPair => {
                for cell in cells(self.cells) {
                    bits(source.digits[cell] & !self.digits).for_each(|digit| add(cell, digit));
                }
            }
            HintKind::HiddenPair => {
                let house = self.base.trailing_zeros() as usize;
                for cell in cells(HOUSE_SET[house] & !self.cells) {
                    bits(source.digits[cell] & self.digits).for_each(|digit| add(cell, digit));
                }
            }
            _ => {
                let digit = self.digits.trailing_zeros() as usize;
                let covered = house_bits(self.cover).fold(0, |set, house| set | HOUSE_SET[house]);
                let removed = source.cells[digit] & !state.cells[digit] & !covered;
                for house in house_bits(self.base) {
                    let removed_here = HOUSE[house].iter().filter(|&&cell| removed >> cell & 1 != 0);
                    removed_here.for_each(|&cell| add(cell as usize, digit));
                }
            }
        }
    }
}

/// A rating in tenths, rounded as the original prints it.
pub(super) fn tenths(rating: f64) -> u16 {
    ((rating + 0.05) * 10.0) as u16
}

/// 0.1 for each of the thresholds 4, 6, 8, 12, 16, 24, 32, ... that complexity - 2 exceeds. The tenths are added one by
/// one in floating point, as in the original, because the sum is compared before it is rounded.
pub(super) fn added(complexity: u32) -> f64 {
    let (mut sum, mut threshold, mut odd) = (0.0, 4, false);
    while complexity > threshold + 2 {
        sum += 0.1;
        threshold = if odd { threshold * 4 / 3 } else { threshold * 3 / 2 };
        odd = !odd;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::added;

    #[test]
    fn thresholds_are_4_6_8_12_16_24_32() {
        let steps: Vec<u32> = (2..70).filter(|&c| added(c + 1) > added(c)).map(|c| c - 2).collect();
        assert_eq!(steps, [4, 6, 8, 12, 16, 24, 32, 48, 64]);
    }
}
