//! Counts the rows with boards of one shape.
//!
//! Every value may be missing. A missing value is not counted, and the total of a tally is the number of rows that have
//! the value.

use std::borrow::Cow;

use super::crossed::CROSSED;
use super::efforts::Efforts;
use super::gallery::Gallery;
use super::multiset::Multiset;
use super::stats::{Joint, Tally};
use super::weighted::Doubt;
use super::weights::{Quantity, Weights};
use crate::corpus::Record;
use sudoku_corpus_core::board::{Cell, Grid, Shape, Symmetry};
use sudoku_corpus_core::rate::{Level, TECHNIQUES};

/// Columns of ratings that a row may have besides level and score.
pub(super) const RATINGS: [&str; 5] = ["se_er_tenths", "se_ep_tenths", "se_ed_tenths", "w", "b"];

/// The number of origins that are counted separately; further ones are counted together. This bounds the memory,
/// because files from elsewhere may have any text there.
pub(super) const ORIGINS: usize = 64;

/// Where a row comes from: method, plan and the symmetry that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    pub method: Option<Cow<'static, str>>,
    pub plan: Option<Cow<'static, str>>,
    pub symmetry: Option<Symmetry>,
}

impl Origin {
    /// For tables; from elsewhere, any text may be there.
    pub fn texts(&self, longest: usize) -> [String; 3] {
        let text = |text: &Option<Cow<'static, str>>| text.as_deref().unwrap_or("-").chars().take(longest).collect();
        let symmetry = self.symmetry.map_or("-".to_owned(), |symmetry| symmetry.to_string());
        [text(&self.method), text(&self.plan), symmetry]
    }
}

/// How puzzles use a technique.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Use {
    /// Puzzles that the ladder solves, or tries to solve, with it.
    pub puzzles: u64,
    pub steps: u64,
    /// Puzzles whose hardest technique it is.
    pub hardest: u64,
}

/// What is counted of the rows with boards of one shape. "Holes" are the cells without a given.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    pub rows: u64,
    /// Rows by where they come from, in the order in which they came; at most [`ORIGINS`] of them.
    pub origins: Vec<(Origin, u64)>,
    /// Rows of further origins.
    pub other_origins: u64,
    /// Minimal: no, yes.
    pub minimal: [u64; 2],
    /// Solutions: none, one, several.
    pub solutions: [u64; 3],
    pub givens: Tally,
    pub weights: Weights,
    /// Values tried by the reference search.
    pub guesses: Tally,
    /// Holes and search depth.
    pub holes_depth: Joint,
    /// Holes and guesses.
    pub holes_guesses: Joint,
    /// Every two of [`CROSSED`]: `crossed[b * (b - 1) / 2 + a]` counts the pairs of the numbers at `a < b`.
    pub crossed: [Joint; CROSSED.len() * (CROSSED.len() - 1) / 2],
    pub effort: Efforts,
    /// The numbers in [`CROSSED`] for each origin, in the order of `origins`.
    pub apart: Vec<[Tally; CROSSED.len()]>,
    pub gallery: Gallery,
    pub levels: [u64; Level::ALL.len()],
    /// Level and score of puzzles that the ladder solves.
    pub level_score: Joint,
    /// Holes and score of puzzles that the ladder solves.
    pub holes_score: Joint,
    /// Cells that the ladder leaves open, of puzzles that it does not solve.
    pub open_cells: Tally,
    /// Different techniques a puzzle needs, of puzzles that the ladder solves.
    pub kinds: Tally,
    /// Uses of each technique, in the order of the rater's table.
    pub techniques: Vec<Use>,
    pub ratings: [Tally; RATINGS.len()],
    /// Puzzles whose pattern of givens was looked at.
    pub patterns: u64,
    /// Patterns of givens that have each symmetry, in the order of [`Symmetry::ALL`]; a pattern may have several.
    pub symmetric: [u64; Symmetry::ALL.len()],
    /// Maps of the board that turn a puzzle into a relabelling of itself.
    pub automorphisms: Tally,
    pub classes: Multiset,
    /// For each symmetry, the cells that must be alike.
    alike: Vec<Vec<(Cell, Cell)>>,
}

impl Counts {
    /// Counts without rows, for boards of a shape.
    pub(super) fn of(shape: Shape) -> Counts {
        let alike = Symmetry::ALL.into_iter().map(|symmetry| alike(symmetry, shape)).collect();
        Counts { alike, ..Counts::default() }
    }

    /// Counts a row.
    pub(super) fn add(&mut self, record: &Record) {
        self.rows += 1;
        let origin = self.add_origin(record);
        self.cross(record, origin);
        self.effort.add(record);
        record.minimal.into_iter().for_each(|minimal| self.minimal[usize::from(minimal)] += 1);
        match (record.solutions, record.solutions_exact) {
            (Some(0), Some(true)) => self.solutions[0] += 1,
            (Some(1), Some(true)) => self.solutions[1] += 1,
            (Some(2..), _) => self.solutions[2] += 1,
            _ => {}
        }
        record.givens.into_iter().for_each(|givens| self.givens.add(givens.into()));
        let symmetries = record.puzzle.as_ref().map_or(0, |puzzle| self.add_pattern(puzzle.grid()));
        self.gallery.add(record, symmetries);
        if let Some(search) = record.search() {
            self.guesses.add(search.guesses);
            if let Some(holes) = record.holes {
                self.holes_depth.add(holes.into(), search.depth.into());
                self.holes_guesses.add(holes.into(), search.guesses);
            }
        }
        self.add_rating(record);
        self.add_weight(record);
        record.automorphisms.into_iter().for_each(|automorphisms| self.automorphisms.add(automorphisms.into()));
        record.class.into_iter().for_each(|class| self.classes.add(class));
    }

    /// Adds the weight of a row, for every quantity that has a plot.
    fn add_weight(&mut self, record: &Record) {
        if record.log_weight.is_none() {
            return;
        }
        let mut known = Vec::with_capacity(9);
        known.extend(record.givens.map(|givens| (Quantity::Givens, givens.into())));
        known.extend(record.level.map(|level| (Quantity::Level, level as u64)));
        known.extend(record.search_depth.map(|depth| (Quantity::Depth, depth.into())));
        if let (Some(true), Some(counts)) = (record.finished, &record.counts) {
            known.push((Quantity::Kinds, counts.iter().filter(|&&count| count > 0).count() as u64));
        }
        let ratings = ratings(record).into_iter().enumerate();
        known.extend(ratings.filter_map(|(at, rating)| Some((Quantity::Rating(at), rating?))));
        self.weights.add(record.log_weight, known);
    }

    /// Why weighted figures cannot be shown, in words. None if they can be shown, or if no row has a weight.
    pub(crate) fn weights_doubt(&self) -> Option<String> {
        if self.weights.rows() == 0 {
            return None;
        }
        let mut kinds: Vec<(&str, &str)> = self
            .origins
            .iter()
            .map(|(origin, _)| (origin.method.as_deref().unwrap_or(""), origin.plan.as_deref().unwrap_or("")))
            .collect();
        kinds.sort_unstable();
        kinds.dedup();
        if kinds.len() > 1 || self.other_origins > 0 {
            return Some("the weights come from several methods or plans and cannot be compared".to_owned());
        }
        if self.weights.rows() < self.rows {
            return Some(format!("{} of the rows have no weight", self.rows - self.weights.rows()));
        }
        self.weights.doubt().map(|doubt| match doubt {
            Doubt::HeavyTail { .. } | Doubt::Uneven { .. } => {
                "the weights are so uneven that a few rows would decide every figure".to_owned()
            }
            _ => "there are too few rows".to_owned(),
        })
    }

    /// Counts the origin of a row, and gives its place among the origins, if it has one. Consecutive rows mostly have
    /// the same origin, so the last one is tried first.
    fn add_origin(&mut self, record: &Record) -> Option<usize> {
        let same = |(origin, _): &(Origin, u64)| {
            origin.symmetry == record.symmetry && origin.method == record.method && origin.plan == record.plan
        };
        if let Some(at) = self.origins.iter().rposition(same) {
            self.origins[at].1 += 1;
            return Some(at);
        }
        let Record { method, plan, symmetry, .. } = record;
        self.put_origin(Origin { method: method.clone(), plan: plan.clone(), symmetry: *symmetry }, 1)
    }

    /// Counts rows of an origin. Gives its place, if there is still room for one.
    fn put_origin(&mut self, origin: Origin, rows: u64) -> Option<usize> {
        match self.origins.iter().position(|(known, _)| *known == origin) {
            Some(at) => {
                self.origins[at].1 += rows;
                Some(at)
            }
            None if self.origins.len() < ORIGINS => {
                self.origins.push((origin, rows));
                self.apart.push(Default::default());
                Some(self.origins.len() - 1)
            }
            None => {
                self.other_origins += rows;
                None
            }
        }
    }

    /// Counts the pairs of numbers of a row.
    fn cross(&mut self, record: &Record, origin: Option<usize>) {
        let values = CROSSED.map(|number| number.of(record));
        for (b, y) in values.iter().enumerate() {
            let Some(y) = *y else { continue };
            if let Some(apart) = origin.and_then(|at| self.apart.get_mut(at)) {
                apart[b].add(y);
            }
            for (a, x) in values[..b].iter().enumerate() {
                if let Some(x) = *x {
                    self.crossed[b * (b - 1) / 2 + a].add(x, y);
                }
            }
        }
    }

    /// The joint counts of two of [`CROSSED`], for each value of the first; `a` must be less than `b`.
    pub fn pair(&self, a: usize, b: usize) -> &Joint {
        &self.crossed[b * (b - 1) / 2 + a]
    }

    /// Counts the symmetries of the pattern of givens of a board. Returns their number, without the identity.
    fn add_pattern(&mut self, grid: &Grid) -> usize {
        let values = grid.values();
        self.patterns += 1;
        let mut all = 0;
        for (count, alike) in self.symmetric.iter_mut().zip(&self.alike) {
            let symmetric = alike.iter().all(|&(a, b)| (values[a.index()] == 0) == (values[b.index()] == 0));
            *count += u64::from(symmetric);
            all += usize::from(symmetric);
        }
        all.saturating_sub(1)
    }

    /// Counts ratings, level, score and techniques of a row, as far as it has them.
    fn add_rating(&mut self, record: &Record) {
        for (tally, rating) in self.ratings.iter_mut().zip(ratings(record)) {
            rating.into_iter().for_each(|rating| tally.add(rating));
        }
        let Some(level) = record.level else { return };
        self.levels[level as usize] += 1;
        let kinds = record.counts.as_ref().map_or(0, |counts| counts.iter().filter(|&&count| count > 0).count());
        if record.finished == Some(true) {
            if let Some(score) = record.score {
                self.level_score.add(level as u64, score.into());
                if let Some(holes) = record.holes {
                    self.holes_score.add(holes.into(), score.into());
                }
            }
            if record.counts.is_some() {
                self.kinds.add(kinds as u64);
            }
        } else if let Some(open) = record.open_cells {
            self.open_cells.add(open.into());
        }
        self.techniques.resize(TECHNIQUES.len(), Use::default());
        for (seen, &count) in self.techniques.iter_mut().zip(record.counts.as_deref().into_iter().flatten()) {
            seen.puzzles += u64::from(count > 0);
            seen.steps += u64::from(count);
        }
        if let Some(hardest) = record.hardest {
            self.techniques[hardest as usize].hardest += 1;
        }
    }

    /// Adds the counts of other rows.
    pub(super) fn merge(&mut self, other: Counts) {
        let sum = |all: &mut [u64], more: &[u64]| all.iter_mut().zip(more).for_each(|(count, more)| *count += more);
        self.rows += other.rows;
        self.other_origins += other.other_origins;
        for ((origin, rows), more) in other.origins.into_iter().zip(other.apart) {
            if let Some(at) = self.put_origin(origin, rows) {
                self.apart[at].iter_mut().zip(&more).for_each(|(all, more)| all.merge(more));
            }
        }
        self.crossed.iter_mut().zip(&other.crossed).for_each(|(all, more)| all.merge(more));
        self.effort.merge(&other.effort);
        self.gallery.merge(other.gallery);
        sum(&mut self.minimal, &other.minimal);
        sum(&mut self.solutions, &other.solutions);
        sum(&mut self.levels, &other.levels);
        sum(&mut self.symmetric, &other.symmetric);
        self.patterns += other.patterns;
        self.weights.merge(&other.weights);
        for (all, more) in [
            (&mut self.givens, &other.givens),
            (&mut self.guesses, &other.guesses),
            (&mut self.open_cells, &other.open_cells),
            (&mut self.kinds, &other.kinds),
            (&mut self.automorphisms, &other.automorphisms),
        ] {
            all.merge(more);
        }
        self.ratings.iter_mut().zip(&other.ratings).for_each(|(all, more)| all.merge(more));
        for (all, more) in [
            (&mut self.holes_depth, &other.holes_depth),
            (&mut self.holes_guesses, &other.holes_guesses),
            (&mut self.level_score, &other.level_score),
            (&mut self.holes_score, &other.holes_score),
        ] {
            all.merge(more);
        }
        self.techniques.resize(TECHNIQUES.len(), Use::default());
        for (all, more) in self.techniques.iter_mut().zip(other.techniques) {
            *all = Use {
                puzzles: all.puzzles + more.puzzles,
                steps: all.steps + more.steps,
                hardest: all.hardest + more.hardest,
            };
        }
        self.classes.merge(other.classes);
    }

    /// The number of rows with a level.
    pub fn rated(&self) -> u64 {
        self.levels.iter().sum()
    }
}

/// The values of the columns [`RATINGS`].
fn ratings(record: &Record) -> [Option<u64>; RATINGS.len()] {
    let Record { se_er_tenths, se_ep_tenths, se_ed_tenths, w, b, .. } = *record;
    [se_er_tenths, se_ep_tenths, se_ed_tenths, w, b].map(|rating| rating.map(u64::from))
}

/// Neighbours in the orbits of a symmetry: a pattern has it when all of these are both given or both blank.
fn alike(symmetry: Symmetry, shape: Shape) -> Vec<(Cell, Cell)> {
    let orbits = symmetry.orbits(shape);
    orbits.iter().flat_map(|orbit| orbit.windows(2).map(|pair| (pair[0], pair[1]))).collect()
}
