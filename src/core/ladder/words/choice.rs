//! Chooses which instance of a technique the ladder takes next.
//!
//! Among the instances of the best priority some leave a single. These are called **opening** here. A person who meets
//! m instances in random order, u of them opening, takes (m - u) / (u + 1) others before the first opening one, on
//! average. The ladder waits exactly as long, carries fractions over, and then takes an opening one. Among the opening
//! ones, and among the others, it takes the one with the smallest label. Equal labels are taken together.
//!
//! Of chains, colorings and almost locked sets (except Death Blossoms) the ladder takes those that remove the most
//! candidates, whatever their length, as HoDoKu does. Of others it takes those of the lowest priority.

use crate::board::{Candidates, Cell, CellSet, Digit};

use super::family::Family;
use super::label::StepLabels;
use super::sink::{Conclusion, Pattern};
use super::table::Technique;

/// An instance that may be taken.
#[derive(Debug)]
pub struct Instance<S> {
    pub technique: Technique,
    pub conclusion: Conclusion<S>,
    /// Where it was seen; empty unless patterns are recorded.
    pub pattern: Pattern,
}

/// The instances with the smallest label so far, of the opening ones or of the others.
#[derive(Debug)]
struct KeptInstances<S> {
    label: u64,
    instances: Vec<Instance<S>>,
}

/// How long the ladder has waited for an opening instance, and how long it has to wait.
///
/// With 2 opening instances and 3 others, a person meets (5 - 2) / (2 + 1) = 1 other on average: the ladder takes one
/// other, then an opening one. With 3 and 2 it is 2 / 4 = 0.5: the ladder takes an opening one at once and owes half a
/// step, so that the next wait of this length takes one other.
#[derive(Debug, Default)]
struct Patience {
    /// Rounds, with one step each, since a digit was last placed.
    waited: i64,
    /// What earlier waits were too short (or, below 0, too long), in units of 1 / [`UNIT`] steps.
    owed: i64,
}

/// One step, so that fractions of steps are whole numbers.
const UNIT: i64 = 1 << 20;

impl Patience {
    /// True when an opening instance is taken now, given the numbers of opening and other instances that are there.
    fn is_over(&mut self, opening: usize, others: usize) -> bool {
        // The steps of the wait were others too: the person chose among them and those that are left.
        let wait = UNIT * (others as i64 + self.waited) / (opening as i64 + 1) + self.owed;
        let is_over = UNIT * self.waited + UNIT / 2 >= wait;
        if is_over {
            self.owed = wait - UNIT * self.waited;
        }
        is_over
    }
}

/// Keeps the instances that the ladder takes next. Of several with the same conclusion the first gives the pattern.
#[derive(Debug)]
pub struct Choice<'a, S> {
    labels: &'a StepLabels,
    records: bool,
    /// The technique that is searched for.
    technique: Technique,
    /// True when the number of removed candidates decides, and not the priority that the search gives.
    takes_most: bool,
    /// The best (lowest) priority so far.
    priority: u32,
    /// The others, and the opening ones.
    kept: [KeptInstances<S>; 2],
    /// The labels of all instances of that priority that eliminate, made odd for opening ones and even for others.
    seen: Vec<u64>,
    /// What [`Choice::decide`] chose: the opening ones, or the others.
    takes_opening: bool,
    patience: Patience,
}

impl<'a, S: CellSet> Choice<'a, S> {
    /// A choice for a whole puzzle. `records`: the instances get their patterns.
    pub fn new(labels: &'a StepLabels, records: bool) -> Self {
        Choice {
            labels,
            records,
            technique: Technique::FullHouse,
            takes_most: false,
            priority: u32::MAX,
            kept: [0; 2].map(|_| KeptInstances { label: u64::MAX, instances: Vec::new() }),
            seen: Vec::new(),
            takes_opening: false,
            patience: Patience::default(),
        }
    }

    /// Forgets the instances of the last round. How long the ladder has waited stays.
    pub fn clear(&mut self) {
        self.priority = u32::MAX;
        self.seen.clear();
        for kept in &mut self.kept {
            kept.label = u64::MAX;
            kept.instances.clear();
        }
    }

    pub(crate) fn search_for(&mut self, technique: Technique) {
        self.technique = technique;
        let of_kind = matches!(technique.info().family, Family::Chains | Family::Coloring | Family::AlmostLocked);
        // Of Death Blossoms those without overlap come first.
        self.takes_most = of_kind && technique != Technique::DeathBlossom;
    }

    /// The worst priority that is still wanted; see [`Sink`](super::sink::Sink), which passes this call and those of
    /// `wants`, `place` and `eliminate` on.
    pub(crate) fn last_priority(&self) -> u32 {
        if self.takes_most { u32::MAX } else { self.priority }
    }

    pub(crate) fn wants(&self, removed: u32) -> bool {
        !self.takes_most || worth(removed) <= self.priority
    }

    /// Decides which of the found instances are taken. False when nothing was found.
    pub fn decide(&mut self) -> bool {
        let [others, opening] = self.kept.each_ref().map(|kept| !kept.instances.is_empty());
        if !opening && !others {
            return false;
        }
        self.takes_opening = opening;
        if opening && others {
            self.seen.sort_unstable();
            self.seen.dedup();
            let opening = self.seen.iter().filter(|&label| label & 1 != 0).count();
            self.takes_opening = self.patience.is_over(opening, self.seen.len() - opening);
        }
        let places = self.taken().first().is_some_and(|first| matches!(first.conclusion, Conclusion::Place(..)));
        self.patience.waited = if places { 0 } else { self.patience.waited + 1 };
        true
    }

    /// The instances to take, one for each distinct conclusion. Either all of them place a digit, or none does.
    pub fn taken(&mut self) -> &mut [Instance<S>] {
        &mut self.kept[usize::from(self.takes_opening)].instances
    }

    /// True when an instance of this priority is wanted. A better priority drops the instances kept so far.
    #[inline]
    fn is_wanted(&mut self, priority: u32) -> bool {
        if priority < self.priority {
            self.clear();
            self.priority = priority;
        }
        priority == self.priority
    }

    /// Takes an instance that places a digit.
    #[inline]
    pub fn place(&mut self, cell: Cell, digit: Digit, priority: u32, pattern: impl FnOnce() -> Pattern) {
        if self.is_wanted(priority) {
            let label = self.labels.candidate(cell, digit);
            self.keep(
                false,
                label,
                |conclusion| *conclusion == Conclusion::Place(cell, digit),
                || Conclusion::Place(cell, digit),
                pattern,
            );
        }
    }

    /// Takes an instance that removes candidates of the position `marks`.
    pub(crate) fn eliminate(
        &mut self,
        marks: &Candidates<S>,
        priority: u32,
        candidates: &[(Digit, S)],
        pattern: impl FnOnce() -> Pattern,
    ) {
        let priority = match self.takes_most {
            true => worth(candidates.iter().map(|(_, cells)| cells.len() as u32).sum()),
            false => priority,
        };
        if candidates.is_empty() || !self.is_wanted(priority) {
            return;
        }
        let each = candidates.iter().flat_map(|&(digit, cells)| cells.cells().map(move |cell| (cell, digit)));
        let label = each.fold(0, |sum: u64, (cell, digit)| sum.wrapping_add(self.labels.candidate(cell, digit)));
        let is_opening = leaves_a_single(marks, candidates);
        self.seen.push(label & !1 | u64::from(is_opening));
        self.keep(
            is_opening,
            label,
            |conclusion| matches!(conclusion, Conclusion::Eliminate(out) if out == candidates),
            || Conclusion::Eliminate(candidates.to_vec()),
            pattern,
        );
    }

    /// Keeps an instance unless another has a smaller label or the same conclusion. Drops those with larger labels.
    #[inline]
    fn keep(
        &mut self,
        is_opening: bool,
        label: u64,
        is_same: impl Fn(&Conclusion<S>) -> bool,
        conclusion: impl FnOnce() -> Conclusion<S>,
        pattern: impl FnOnce() -> Pattern,
    ) {
        let KeptInstances { label: least, instances } = &mut self.kept[usize::from(is_opening)];
        if label < *least {
            instances.clear();
            *least = label;
        }
        if label == *least && !instances.iter().any(|instance| is_same(&instance.conclusion)) {
            let pattern = if self.records { pattern() } else { Pattern::default() };
            instances.push(Instance { technique: self.technique, conclusion: conclusion(), pattern });
        }
    }
}

/// The priority of an instance where the number of removed candidates decides.
fn worth(removed: u32) -> u32 {
    u32::MAX - 1 - removed
}

/// True when removing some candidates leaves a cell one candidate, or leaves a house one place for a removed digit.
fn leaves_a_single<S: CellSet>(marks: &Candidates<S>, candidates: &[(Digit, S)]) -> bool {
    candidates.iter().any(|&(digit, cells)| {
        cells.cells().any(|cell| {
            let removed = candidates.iter().filter(|(_, cells)| cells.contains(cell)).count();
            marks.of_cell(cell).len() == removed + 1
                || marks.sets().houses_of(cell).any(|house| {
                    let places = marks.places(digit, house);
                    places <= cells.len() + 1 && places == (cells & marks.house(house)).len() + 1
                })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Before the first of 2 opening instances and 3 others comes 1 other on average; of 3 and 2 it is 0.5.
    #[test]
    fn the_average_wait_equals_that_of_chance() {
        let mut patience = Patience::default();
        for (opening, others, expected) in [(2, 3, 100), (3, 2, 50)] {
            let mut taken = 0;
            for _ in 0..100 {
                patience.waited = 0;
                while !patience.is_over(opening, others - patience.waited as usize) {
                    patience.waited += 1;
                }
                taken += patience.waited;
            }
            assert_eq!(taken, expected, "{opening} opening ones, {others} others");
        }
    }
}
