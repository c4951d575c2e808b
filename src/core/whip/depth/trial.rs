//! Trial and error of a given depth, until it finds nothing more.
//!
//! What each candidate implies in a position is computed once. An assumption inside another one starts from the
//! intersection of both implications, so most of its singles are already placed. Those that imply most come first.

use super::views::{PLACED, Views};
use crate::stop;
use crate::whip::tables::CANDIDATES;

/// What a position is when trial and error finds nothing more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TrialEnd {
    Solved,
    Contradiction,
    Stuck,
}

/// What candidates imply in a position, and the candidates in the order in which they are assumed.
#[derive(Clone, Copy)]
struct Facts<'a> {
    implied: &'a [Views],
    order: &'a [usize],
}

/// Memory for one level of nesting; [`Facts`] refers to it.
struct NestingLevel {
    implied: Vec<Views>,
    order: Vec<usize>,
}

/// Memory of nested assumptions, which is used again.
#[derive(Default)]
pub(super) struct Trial {
    free: Vec<NestingLevel>,
}

impl Trial {
    /// Applies T&E(`depth`) to a position until it finds nothing more, assuming the candidates of a list.
    pub(super) fn exhaust_among(&mut self, views: &mut Views, depth: u8, order: &[usize]) -> TrialEnd {
        let facts = Facts { implied: &PLACED, order };
        if views.place_singles(&PLACED) { self.exhaust(views, depth, facts) } else { TrialEnd::Contradiction }
    }

    /// True when T&E(1) refutes a candidate, assuming the candidates of a list.
    pub(super) fn refutes(&mut self, views: &Views, candidate: usize, order: &[usize]) -> bool {
        self.refuted(views, candidate, 1, Facts { implied: &PLACED, order })
    }

    /// T&E(`depth`) on a position without singles. `facts` holds what candidates imply in an earlier position.
    fn exhaust(&mut self, views: &mut Views, depth: u8, facts: Facts<'_>) -> TrialEnd {
        loop {
            if views.is_solved() {
                return TrialEnd::Solved;
            }
            if depth == 0 {
                return TrialEnd::Stuck;
            }
            match self.exhaust(views, depth - 1, facts) {
                TrialEnd::Stuck => {}
                end => return end,
            }
            let refutes = if depth == 1 { pass(views, facts) } else { self.nested_pass(views, depth, facts) };
            match refutes {
                None => return TrialEnd::Contradiction,
                Some(false) => return TrialEnd::Stuck,
                Some(true) => {}
            }
        }
    }

    /// Assumes each candidate at most once, at a lower depth. True when some went, `None` on a contradiction.
    fn nested_pass(&mut self, views: &mut Views, depth: u8, facts: Facts<'_>) -> Option<bool> {
        let mut level = self.free.pop().unwrap_or_else(|| NestingLevel { implied: PLACED.clone(), order: Vec::new() });
        level.fill(views, facts);
        let mut assumed = [false; CANDIDATES];
        facts.order.iter().for_each(|&candidate| assumed[candidate] = true);
        let nested = Facts { implied: &level.implied, order: &level.order };
        let mut refutes = Some(false);
        for &candidate in nested.order.iter().filter(|&&candidate| assumed[candidate]) {
            if !views.is_open(candidate) || !self.refuted(views, candidate, depth - 1, nested) {
                continue;
            }
            refutes = Some(true);
            views.remove(candidate);
            if !views.place_singles(facts.implied) {
                refutes = None;
                break;
            }
            // Deep refutations are slow, and after one of them a lower depth often suffices.
            if depth > 2 || views.is_solved() {
                break;
            }
        }
        self.free.push(level);
        refutes
    }

    /// True if a candidate is refuted by T&E up to a depth.
    fn refuted(&mut self, views: &Views, candidate: usize, depth: u8, facts: Facts<'_>) -> bool {
        stop::ask();
        let mut inner = views.clone();
        !inner.assume(candidate, facts.implied) || self.exhaust(&mut inner, depth, facts) == TrialEnd::Contradiction
    }
}

impl NestingLevel {
    /// Computes what each open candidate implies. Inside other assumptions those of the solution are assumed too.
    fn fill(&mut self, views: &Views, facts: Facts<'_>) {
        self.order.clear();
        for candidate in (0..CANDIDATES).filter(|&candidate| views.is_open(candidate)) {
            let implied = &mut self.implied[candidate];
            implied.clone_from(views);
            if implied.assume(candidate, facts.implied) {
                self.order.push(candidate);
            }
        }
        self.order.sort_by_key(|&candidate| std::cmp::Reverse(self.implied[candidate].known()));
    }
}

/// Assumes candidates and places singles until no more are refuted. True when some were, `None` on a contradiction.
fn pass(views: &mut Views, facts: Facts<'_>) -> Option<bool> {
    let mut refutes = false;
    let mut quiet = 0;
    for &candidate in facts.order.iter().cycle() {
        if quiet == facts.order.len() {
            break;
        }
        quiet += 1;
        if !views.is_open(candidate) {
            continue;
        }
        let mut inner = views.clone();
        if !inner.assume(candidate, facts.implied) {
            refutes = true;
            quiet = 0;
            views.remove(candidate);
            if !views.place_singles(facts.implied) {
                return None;
            }
        }
    }
    Some(refutes)
}
