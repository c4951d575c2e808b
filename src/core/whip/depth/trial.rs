//! Trial and error of a given depth, T&E(depth), until it refutes no more candidates.
//!
//! For each candidate, the position that it implies is computed once. An assumption inside another one starts from the
//! intersection of both positions, so most of its singles are already placed. Those that imply most come first.

use super::views::{PLACED, Views};
use crate::stop;
use crate::whip::tables::CANDIDATES;

/// What a position is when trial and error refutes no more candidates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TrialEnd {
    Solved,
    Contradiction,
    Stuck,
}

/// What assuming the candidates of a position one after the other has shown.
enum PassEnd {
    /// Candidates were refuted and removed.
    Refuted,
    NoneRefuted,
    Contradiction,
}

/// The candidates to assume, and what they imply.
#[derive(Clone, Copy)]
struct Implications<'a> {
    /// For each candidate, the position that follows from it and an earlier position.
    implied: &'a [Views],
    /// The candidates in the order in which they are assumed.
    order: &'a [usize],
}

/// Memory for the [`Implications`] of one position.
struct ImplicationBuffer {
    implied: Vec<Views>,
    order: Vec<usize>,
}

/// Trial and error, with the memory for nested assumptions, which is used again.
#[derive(Default)]
pub(super) struct Trial {
    free_buffers: Vec<ImplicationBuffer>,
}

impl Trial {
    /// Applies T&E(`depth`) to a position, assuming the candidates of a list.
    pub(super) fn exhaust_among(&mut self, views: &mut Views, depth: u8, order: &[usize]) -> TrialEnd {
        if !views.place_singles(&PLACED) {
            return TrialEnd::Contradiction;
        }
        self.exhaust(views, depth, Implications { implied: &PLACED, order })
    }

    /// True if T&E(1) refutes a candidate, assuming the candidates of a list.
    pub(super) fn refutes(&mut self, views: &Views, candidate: usize, order: &[usize]) -> bool {
        self.is_refuted(views, candidate, 1, Implications { implied: &PLACED, order })
    }

    /// Applies T&E(`depth`) to a position without singles.
    fn exhaust(&mut self, views: &mut Views, depth: u8, earlier: Implications<'_>) -> TrialEnd {
        loop {
            if views.is_solved() {
                return TrialEnd::Solved;
            }
            if depth == 0 {
                return TrialEnd::Stuck;
            }
            match self.exhaust(views, depth - 1, earlier) {
                TrialEnd::Stuck => {}
                end => return end,
            }
            let pass = if depth == 1 { assume_all(views, earlier) } else { self.assume_nested(views, depth, earlier) };
            match pass {
                PassEnd::Contradiction => return TrialEnd::Contradiction,
                PassEnd::NoneRefuted => return TrialEnd::Stuck,
                PassEnd::Refuted => {}
            }
        }
    }

    /// Assumes each candidate at most once, and applies T&E(`depth` - 1) to the position that follows.
    fn assume_nested(&mut self, views: &mut Views, depth: u8, earlier: Implications<'_>) -> PassEnd {
        let mut buffer =
            self.free_buffers.pop().unwrap_or_else(|| ImplicationBuffer { implied: PLACED.clone(), order: Vec::new() });
        buffer.fill(views, earlier);
        let mut is_to_assume = [false; CANDIDATES];
        earlier.order.iter().for_each(|&candidate| is_to_assume[candidate] = true);
        let present = Implications { implied: &buffer.implied, order: &buffer.order };
        let mut end = PassEnd::NoneRefuted;
        for &candidate in present.order.iter().filter(|&&candidate| is_to_assume[candidate]) {
            if !views.is_open(candidate) || !self.is_refuted(views, candidate, depth - 1, present) {
                continue;
            }
            end = PassEnd::Refuted;
            views.remove(candidate);
            if !views.place_singles(earlier.implied) {
                end = PassEnd::Contradiction;
                break;
            }
            // Deep refutations are slow, and after one of them a lower depth often suffices.
            if depth > 2 || views.is_solved() {
                break;
            }
        }
        self.free_buffers.push(buffer);
        end
    }

    /// True if T&E(`depth`) finds a contradiction after a candidate is assumed.
    fn is_refuted(&mut self, views: &Views, candidate: usize, depth: u8, earlier: Implications<'_>) -> bool {
        stop::ask();
        let mut assumed = views.clone();
        !assumed.assume(candidate, earlier.implied)
            || self.exhaust(&mut assumed, depth, earlier) == TrialEnd::Contradiction
    }
}

impl ImplicationBuffer {
    /// Computes what each open candidate implies. Inside other assumptions those of the solution are assumed too.
    fn fill(&mut self, views: &Views, earlier: Implications<'_>) {
        self.order.clear();
        for candidate in (0..CANDIDATES).filter(|&candidate| views.is_open(candidate)) {
            let implied = &mut self.implied[candidate];
            implied.clone_from(views);
            if implied.assume(candidate, earlier.implied) {
                self.order.push(candidate);
            }
        }
        self.order.sort_by_key(|&candidate| std::cmp::Reverse(self.implied[candidate].settled_cells()));
    }
}

/// Assumes each candidate and places singles, again and again, until no more candidates are refuted.
fn assume_all(views: &mut Views, earlier: Implications<'_>) -> PassEnd {
    let mut end = PassEnd::NoneRefuted;
    let mut since_refuted = 0;
    for &candidate in earlier.order.iter().cycle() {
        if since_refuted == earlier.order.len() {
            break;
        }
        since_refuted += 1;
        if !views.is_open(candidate) {
            continue;
        }
        let mut assumed = views.clone();
        if !assumed.assume(candidate, earlier.implied) {
            end = PassEnd::Refuted;
            since_refuted = 0;
            views.remove(candidate);
            if !views.place_singles(earlier.implied) {
                return PassEnd::Contradiction;
            }
        }
    }
    end
}
