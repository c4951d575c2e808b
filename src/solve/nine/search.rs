//! Depth-first search over positions: sweep until nothing moves, then branch.

use super::lanes::Lanes;
use super::sweep::sweep;
use super::words::{CELLS, Position, cell_at};

/// What a position is once no rule moves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Some cell or row has no candidate left.
    Dead,
    /// Each cell has one candidate and they form a solution.
    Solved,
    /// Several candidates are left somewhere.
    Open,
}

/// Applies the rules until nothing moves.
#[inline(always)]
pub(super) fn settle<L: Lanes<Words = [u32; 4]>>(position: &mut Position) -> State {
    let [a, b, c, d, e, f, g, h, i] = &position.0;
    let mut words = [a, b, c, d, e, f, g, h, i].map(L::load);
    let state = loop {
        let signs = sweep(&mut words);
        if signs.alive != 0b1111 {
            return State::Dead;
        }
        if signs.solved == 0b0111 {
            break State::Solved;
        }
        if signs.still == 0b1111 {
            break State::Open;
        }
    };
    for (to, from) in position.0.iter_mut().zip(words) {
        from.store(to);
    }
    if state == State::Solved && !is_solution(position) { State::Dead } else { state }
}

/// Sweeping can stop at a position whose last step emptied a box; so columns and boxes are looked at once more.
/// Each row is known to hold each digit once, and each cell one digit.
fn is_solution(position: &Position) -> bool {
    position.0.iter().all(|words| {
        let mut columns = 0;
        let mut boxes = true;
        for &word in &words[..3] {
            let band = (word | word >> 10 | word >> 20) & 0x1ff;
            columns |= band;
            boxes &= band & 0o7 != 0 && band & 0o70 != 0 && band & 0o700 != 0;
        }
        columns == 0x1ff && boxes
    })
}

/// A cell to branch on: lane, bit, candidates (digits 0..9 as bits).
#[derive(Clone, Copy, Debug)]
pub(super) struct Branch {
    pub(super) lane: usize,
    pub(super) bit: u32,
    pub(super) digits: u32,
}

/// The first cell with fewest candidates, two or more; None when every cell has one.
#[inline]
pub(super) fn fewest(position: &Position) -> Option<Branch> {
    let mut counts = [[0u32; 4]; 3];
    let [once, twice, thrice] = &mut counts;
    for words in &position.0 {
        for lane in 0..3 {
            let word = words[lane] & CELLS;
            thrice[lane] |= twice[lane] & word;
            twice[lane] |= once[lane] & word;
            once[lane] |= word;
        }
    }
    for lane in 0..3 {
        let pairs = twice[lane] & !thrice[lane];
        if pairs != 0 {
            let bit = pairs.trailing_zeros();
            return Some(Branch { lane, bit, digits: position.candidates(lane, bit) });
        }
    }
    let mut best: Option<Branch> = None;
    for (lane, &cells) in thrice.iter().enumerate().take(3) {
        let mut rest = cells;
        while rest != 0 {
            let bit = rest.trailing_zeros();
            rest &= rest - 1;
            let digits = position.candidates(lane, bit);
            if best.is_none_or(|best| digits.count_ones() < best.digits.count_ones()) {
                best = Some(Branch { lane, bit, digits });
            }
        }
    }
    best
}

/// Depth-first search from the positions on the stack, the last one first. `found` is told each solution and says
/// whether to go on. `first` names the digit (from 0) to be tried first in a cell, 9 for none.
#[inline(always)]
pub(super) fn explore<L: Lanes<Words = [u32; 4]>>(
    stack: &mut Vec<Position>,
    first: impl Fn(usize) -> u8,
    found: &mut dyn FnMut(&Position) -> bool,
) {
    while let Some(mut position) = stack.pop() {
        match settle::<L>(&mut position) {
            State::Dead => continue,
            State::Solved => {
                if !found(&position) {
                    stack.clear();
                }
                continue;
            }
            State::Open => {}
        }
        // A position that no rule moves has a cell with several candidates, or it is not a solution at all.
        let Some(branch) = fewest(&position) else { continue };
        let favourite = 1 << first(cell_at(branch.lane, branch.bit)) & branch.digits;
        let digit = if favourite != 0 { favourite } else { branch.digits }.trailing_zeros() as usize;
        let mut other = position;
        other.remove(digit, branch.lane, branch.bit);
        stack.push(other);
        position.place(digit, branch.lane, branch.bit);
        stack.push(position);
    }
}
