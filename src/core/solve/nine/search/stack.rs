//! The positions that are left to try, which [`super::explore_with`] takes back one by one.

use std::cell::Cell;

use super::changes::{put, remove};
use super::{load, store};
use crate::solve::nine::rules::lanes::Lanes;
use crate::solve::nine::rules::words::{DigitWords, NO_CELLS, PackedCandidates};

/// A cell that was branched at, its candidates (digits from 0, as bits), and the digit that was tried there.
#[derive(Clone, Copy)]
pub(super) struct Tried {
    pub(super) cell: usize,
    pub(super) digits: u32,
    pub(super) digit: usize,
}

impl Tried {
    /// Removes the tried candidate from its cell. If only one is left, it is removed from the peers.
    #[inline(always)]
    fn take_back<L: Lanes>(self, words: &mut [L; 3]) {
        let rest = self.digits & !(1 << self.digit);
        if rest & (rest - 1) == 0 {
            put(words, rest.trailing_zeros() as usize, self.cell);
        } else {
            remove(words, self.digit, self.cell);
        }
    }
}

/// What is left to try at a branch.
#[derive(Clone, Copy)]
struct Branch {
    /// The candidates when the branch was made.
    position: PackedCandidates,
    /// Nothing, or in each band the cell that was given the known solution's digit: see
    /// [`guess_around`](super::cells::guess_around). Then one position is left for each of these bands.
    agreeing: DigitWords,
    /// What is to be removed from the position. It waits: if there are several solutions, few branches are taken back.
    tried: Option<Tried>,
}

impl Branch {
    /// The position for the last band that is left: the cells of the bands above have the known solution's digit there,
    /// and the cell of the band has another one.
    #[inline(always)]
    fn next_of_around<L: Lanes>(&mut self, band: usize, solution: &PackedCandidates) -> [L; 3] {
        let mut words = load::<L>(&self.position);
        let mut differing = [0; 4];
        differing[band] = std::mem::take(&mut self.agreeing[band]);
        let (differing, agreeing) = (L::repeat(&differing), L::repeat(&self.agreeing));
        for (word, digits) in words.iter_mut().zip(load::<L>(solution)) {
            *word = word.without(differing.and(digits)).without(agreeing.without(digits));
        }
        words
    }
}

/// The branches with something left to try, the newest last.
#[derive(Default)]
pub(super) struct Stack {
    /// Places above the height are free. They stay, because a new place would have to be filled first.
    branches: Vec<Branch>,
    height: usize,
}

thread_local! {
    /// The empty stack of this thread, which is reused, so that few searches allocate one.
    pub(super) static STACK: Cell<Stack> = const { Cell::new(Stack { branches: Vec::new(), height: 0 }) };
}

impl Stack {
    #[inline(always)]
    pub(super) fn give_back(mut self) {
        self.height = 0;
        STACK.set(self);
    }

    #[inline(always)]
    pub(super) fn push<L: Lanes>(&mut self, words: &[L; 3], agreeing: DigitWords, tried: Option<Tried>) {
        if self.height == self.branches.len() {
            self.branches.push(Branch { position: PackedCandidates::BLANK, agreeing, tried });
        }
        let top = &mut self.branches[self.height];
        store(*words, &mut top.position);
        top.agreeing = agreeing;
        top.tried = tried;
        self.height += 1;
    }

    /// The newest position that was not tried. `solution` is the known one, if there is one.
    #[inline(always)]
    pub(super) fn pop<L: Lanes>(&mut self, solution: Option<&PackedCandidates>) -> Option<[L; 3]> {
        let top = &mut self.branches[self.height.checked_sub(1)?];
        let mut words = match (top.agreeing.iter().rposition(|&word| word != 0), solution) {
            (Some(band), Some(solution)) => top.next_of_around(band, solution),
            _ => load(&top.position),
        };
        if let Some(tried) = top.tried {
            tried.take_back(&mut words);
        }
        self.height -= usize::from(top.agreeing == NO_CELLS);
        Some(words)
    }
}
