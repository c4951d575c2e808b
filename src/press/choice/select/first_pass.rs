//! Keeps the best candidates of each category while the rows are read, and fills the quotas with them.
//!
//! [`FirstPass::offer`] gets the candidates of all rows, batch by batch, then [`FirstPass::fill`] takes puzzles.
//! `candidate` defines the words.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::Path;

use super::candidate::Candidate;
use crate::choice::order::Pick;
use crate::choice::quota::{Filler, Quota};
use crate::choice::request::{Request, SORTED_IN_MEMORY};
use crate::index::seen::Seen;
use crate::tally::ShortQuota;
use sudoku_corpus_store::corpus::sorter::{Sorted, Sorter};

/// The first cut comes when there are this many candidates more than twice the number that is wanted.
const SLACK: u64 = if cfg!(test) { 16 } else { 1 << 16 };

/// The candidates among the rows that were read so far.
pub(super) struct FirstPass<'a> {
    pick: &'a Pick,
    /// The most candidates that are needed of each category: the sum of all quotas.
    limit: u64,
    /// The candidates, by class.
    by_class: Sorter,
    /// How many candidates are in `by_class`.
    kept: u64,
    /// If more than this number are kept, they are cut.
    room: u64,
    /// By category, the last candidate that is needed. There is none before a cut has found `limit` of them.
    bounds: BTreeMap<u64, Candidate>,
    /// By category.
    counts: BTreeMap<u64, CategoryCounts>,
    folder: &'a Path,
}

/// The rows of a category.
#[derive(Default)]
struct CategoryCounts {
    fit: u64,
    /// Those of them that are in earlier exports.
    seen: u64,
    /// Candidates that were left out because a copy was kept. Those beyond the bound of the category are not counted.
    copies: u64,
}

/// The puzzles that fill the quotas.
pub(super) struct Taken {
    pub filler: Filler,
    /// The candidates that were taken, as records by order.
    pub by_order: Sorted,
    /// The classes of tied candidates among these, ascending. Which row represents such a class is not decided yet.
    pub tied_classes: Vec<u128>,
}

impl<'a> FirstPass<'a> {
    /// Without candidates. `folder` gets temporary files.
    pub(super) fn new(request: &'a Request, quotas: &[Quota], folder: &'a Path) -> FirstPass<'a> {
        let total = quotas.iter().fold(0u64, |sum, quota| sum.saturating_add(quota.count));
        FirstPass {
            pick: &request.pick,
            limit: total,
            by_class: Sorter::new(folder, SORTED_IN_MEMORY),
            kept: 0,
            room: total.saturating_mul(2).saturating_add(SLACK),
            bounds: BTreeMap::new(),
            counts: BTreeMap::new(),
            folder,
        }
    }

    /// Keeps the candidates that may be needed, unless they are in earlier exports. Returns how many are.
    pub(super) fn offer(&mut self, candidates: Vec<Candidate>, seen: &Seen) -> io::Result<u64> {
        let mut published = 0;
        for candidate in candidates {
            if candidate.category == 0 {
                continue;
            }
            let counts = self.counts.entry(candidate.category).or_default();
            counts.fit += 1;
            // Tied copies of the last candidate are not after it: they are kept, too.
            let is_beyond = self.bounds.get(&candidate.category).is_some_and(|bound| candidate.is_after(bound));
            // In the order of the input, rows of earlier exports are counted even beyond the bound.
            if is_beyond && *self.pick != Pick::Input {
                continue;
            }
            if seen.has(candidate.class) {
                counts.seen += 1;
                published += 1;
            } else if !is_beyond {
                self.keep(candidate)?;
                if self.kept > self.room {
                    self.cut()?;
                }
            }
        }
        Ok(published)
    }

    fn keep(&mut self, candidate: Candidate) -> io::Result<()> {
        self.kept += 1;
        self.by_class.push(&[candidate.by_class().as_flattened()])
    }

    /// Keeps the first `limit` candidates of each category: no request needs more of them.
    fn cut(&mut self) -> io::Result<()> {
        let mut by_order = self.first_of_class()?;
        let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
        self.kept = 0;
        while let Some(record) = by_order.advance()? {
            let candidate = Candidate::of_order_record(record);
            let count = counts.entry(candidate.category).or_default();
            *count += 1;
            if *count == self.limit {
                self.bounds.insert(candidate.category, candidate);
            }
            if *count <= self.limit {
                self.keep(candidate)?;
            }
        }
        self.room = 2 * self.kept + SLACK;
        Ok(())
    }

    /// Fills the quotas with the first candidates. If there are too few, the inner error says for each quota how many
    /// were found and why others were not.
    pub(super) fn fill(&mut self, quotas: &[Quota]) -> io::Result<Result<Taken, Vec<ShortQuota>>> {
        let mut by_order = self.first_of_class()?;
        let mut filler = Filler::new(quotas.iter().map(|quota| quota.count).collect());
        let mut taken = Sorter::new(self.folder, SORTED_IN_MEMORY);
        let mut taken_count = 0;
        // The classes taken that have copies of another category.
        let mut shared_classes = HashSet::new();
        let mut tied_classes = Vec::new();
        while !filler.is_full()
            && let Some(record) = by_order.advance()?
        {
            let Candidate { class, category, is_tied, is_shared, .. } = Candidate::of_order_record(record);
            if shared_classes.contains(&class) {
                self.counts.entry(category).or_default().copies += 1;
            } else if filler.take(category) {
                shared_classes.extend(is_shared.then_some(class));
                tied_classes.extend(is_tied.then_some(class));
                taken.push(&[record])?;
                taken_count += 1;
            }
        }
        let takes_all = quotas.len() == 1 && quotas[0].count == u64::MAX;
        // A request for all puzzles is never short, unless there is none.
        let is_enough = if takes_all { taken_count > 0 } else { filler.is_full() };
        if !is_enough {
            return Ok(Err(self.short_quotas(quotas, &filler, takes_all)));
        }
        tied_classes.sort_unstable();
        Ok(Ok(Taken { filler, by_order: taken.finish()?, tied_classes }))
    }

    /// The quotas with the numbers of rows that fit them.
    fn short_quotas(&self, quotas: &[Quota], filler: &Filler, takes_all: bool) -> Vec<ShortQuota> {
        let mut short = Vec::new();
        for (number, quota) in quotas.iter().enumerate() {
            let (found, wanted) = (filler.filled()[number], if takes_all { 1 } else { quota.count });
            let mut of_quota = ShortQuota { name: quota.name.clone(), found, wanted, fit: 0, seen: 0, copies: 0 };
            for (category, counts) in &self.counts {
                if category >> number & 1 == 1 {
                    of_quota.fit += counts.fit;
                    of_quota.seen += counts.seen;
                    of_quota.copies += counts.copies;
                }
            }
            short.push(of_quota);
        }
        short
    }

    /// Removes all candidates. Returns the first of each class and category, as records by order.
    fn first_of_class(&mut self) -> io::Result<Sorted> {
        let no_candidates = Sorter::new(self.folder, SORTED_IN_MEMORY);
        let mut by_class = std::mem::replace(&mut self.by_class, no_candidates).finish()?;
        let mut by_order = Sorter::new(self.folder, SORTED_IN_MEMORY);
        let mut push = |candidate: Candidate| by_order.push(&[candidate.by_order().as_flattened()]);
        // The records of a class stand together, those of a category next to each other, the smallest pick keys first.
        let mut first: Option<Candidate> = None;
        while let Some(record) = by_class.advance()? {
            let mut next = Candidate::of_class_record(record);
            if let Some(first) = &mut first {
                if (first.class, first.category) == (next.class, next.category) {
                    self.counts.entry(next.category).or_default().copies += 1;
                    first.is_tied |= first.pick == next.pick;
                    continue;
                }
                let is_shared = first.class == next.class;
                next.is_shared |= is_shared;
                first.is_shared |= is_shared;
                push(*first)?;
            }
            first = Some(next);
        }
        first.map_or(Ok(()), push)?;
        by_order.finish()
    }
}
