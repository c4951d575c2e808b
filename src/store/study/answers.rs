//! Counts what is asked of the rows with boards of one shape, in one pass.
//!
//! ```text
//!   a number                 how often each of its values occurs       Tally
//!   a pair of numbers        the same for each value of the first      Joint
//!   a number with weights    means, shares, quantiles with errors      Weighted
//! ```
//!
//! Every value may be missing. A missing value is not counted, and the total of a tally is the number of rows that have
//! the value.

use super::estimates::{Doubt, Weighted};
use super::gallery::Gallery;
use super::multiset::Multiset;
use super::numbers::{Number, PAIRS};
use super::tally::{Joint, Tally};
use crate::corpus::{Levels, Record};
use sudoku_corpus_core::board::{Cell, Grid, Shape, Symmetry};
use sudoku_corpus_core::ladder::TECHNIQUES;
use sudoku_corpus_core::random::finalise;

/// The number of origins that are counted separately; further ones are counted together. This bounds the memory, because
/// files from elsewhere may have any text there.
const ORIGINS: usize = 64;

/// Where a row comes from: method, plan and the symmetry that was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    pub method: Option<String>,
    pub plan: Option<String>,
    pub symmetry: Option<Symmetry>,
}

impl Origin {
    /// Method, plan and symmetry for tables, with at most this many characters: files from elsewhere may have any text.
    pub fn texts(&self, longest: usize) -> [String; 3] {
        let text = |text: &Option<String>| text.as_deref().unwrap_or("-").chars().take(longest).collect();
        let symmetry = self.symmetry.map_or("-".to_owned(), |symmetry| symmetry.to_string());
        [text(&self.method), text(&self.plan), symmetry]
    }
}

/// The rows of an origin, and how often each value of the numbers in [`Number::CROSSED`] occurs in them.
#[derive(Clone, Debug, Default)]
pub struct OriginRows {
    pub origin: Origin,
    pub rows: u64,
    pub crossed: [Tally; Number::CROSSED.len()],
}

impl OriginRows {
    /// Adds the rows of another count of the same origin.
    fn merge(&mut self, other: &OriginRows) {
        self.rows += other.rows;
        self.crossed.iter_mut().zip(&other.crossed).for_each(|(all, more)| all.merge(more));
    }
}

/// The answers about the rows with boards of one shape.
#[derive(Clone, Debug)]
pub struct Answers {
    pub rows: u64,
    /// The scale of the levels.
    pub scale: Levels,
    /// How often each value of a number occurred, by [`Number::place`].
    tallies: Vec<Tally>,
    /// In the order of [`PAIRS`].
    pairs: Vec<Joint>,
    /// For each technique of the rater's table its steps in each puzzle that the ladder rated with it.
    techniques: Vec<Tally>,
    /// The rows with weights, and for each number in [`Number::WEIGHTED`] its weighted figure.
    pub weighted: Weighted,
    /// The origins in the order in which they came, at most [`ORIGINS`] of them.
    pub origins: Vec<OriginRows>,
    /// The rows of all further origins; `origin` says nothing.
    pub other_origins: OriginRows,
    pub gallery: Gallery,
    pub classes: Multiset,
    /// For each symmetry, pairs of cells: a pattern of givens has the symmetry if both cells of each pair are given or
    /// both are empty.
    alike: Vec<Vec<CellPair>>,
    /// The values of the last row, by [`Number::place`].
    values: Vec<Option<u64>>,
}

#[derive(Clone, Copy, Debug)]
struct CellPair {
    first: Cell,
    second: Cell,
}

impl Default for Answers {
    fn default() -> Answers {
        let numbers = Number::all().count();
        Answers {
            rows: 0,
            scale: Levels::default(),
            tallies: vec![Tally::default(); numbers],
            pairs: vec![Joint::default(); PAIRS.len()],
            techniques: vec![Tally::default(); TECHNIQUES.len()],
            weighted: Weighted::new(Number::WEIGHTED.len()),
            origins: Vec::new(),
            other_origins: OriginRows::default(),
            gallery: Gallery::default(),
            classes: Multiset::default(),
            alike: Vec::new(),
            values: vec![None; numbers],
        }
    }
}

impl Answers {
    /// Answers without rows, for boards of a shape and levels of a scale.
    pub(super) fn of(shape: Shape, scale: &Levels) -> Answers {
        let alike = Symmetry::ALL.into_iter().map(|symmetry| alike_cells(symmetry, shape)).collect();
        Answers { alike, scale: scale.clone(), ..Answers::default() }
    }

    pub(super) fn add(&mut self, record: &Record) {
        self.rows += 1;
        for number in Number::all() {
            self.values[number.place()] = number.of(record);
        }
        let level = self.scale.of(record);
        let symmetries = record.puzzle.as_ref().map(|puzzle| self.symmetries(puzzle.grid()));
        // Two numbers that a row alone does not give.
        self.values[Number::LEVEL.place()] = level.map(|place| place as u64);
        self.values[Number::SYMMETRIES.place()] = symmetries;
        for (tally, value) in self.tallies.iter_mut().zip(&self.values) {
            if let Some(value) = value {
                tally.add(*value);
            }
        }
        for (joint, (first, second)) in self.pairs.iter_mut().zip(&*PAIRS) {
            if let (Some(x), Some(y)) = (self.values[first.place()], self.values[second.place()]) {
                joint.add(x, y);
            }
        }
        self.add_to_origin(record);
        if record.hodoku_level.is_some()
            && let Some(counts) = &record.counts
        {
            for (tally, &steps) in self.techniques.iter_mut().zip(counts.iter()) {
                if steps > 0 {
                    tally.add(u64::from(steps));
                }
            }
        }
        self.add_weighted(record);
        // The first symmetry is the identity, which every pattern has.
        let symmetry_count = symmetries.map_or(0, |set| (set.count_ones() as usize).saturating_sub(1));
        self.gallery.add(record, level, symmetry_count);
        if let Some(class) = record.class {
            self.classes.add(class);
        }
    }

    /// Counts the row among those of its origin.
    fn add_to_origin(&mut self, record: &Record) {
        let values = Number::CROSSED.map(|number| self.values[number.place()]);
        let origin = self.rows_of(record.method.as_deref(), record.plan.as_deref(), record.symmetry);
        origin.rows += 1;
        for (tally, value) in origin.crossed.iter_mut().zip(values) {
            if let Some(value) = value {
                tally.add(value);
            }
        }
    }

    /// Counts the row with its weight, if it has one.
    fn add_weighted(&mut self, record: &Record) {
        let Some(log) = record.log_weight.filter(|log| log.is_finite()) else { return };
        let numbers = Number::WEIGHTED.map(|number| self.values[number.place()]);
        self.weighted.add(log, grid_of(record), &numbers);
    }

    /// The rows of an origin, which is added if there is still room for one. Consecutive rows mostly have the same
    /// origin, so the last one is tried first.
    fn rows_of(&mut self, method: Option<&str>, plan: Option<&str>, symmetry: Option<Symmetry>) -> &mut OriginRows {
        let place = self.origins.iter().rposition(|OriginRows { origin, .. }| {
            origin.symmetry == symmetry && origin.method.as_deref() == method && origin.plan.as_deref() == plan
        });
        match place {
            Some(place) => &mut self.origins[place],
            None if self.origins.len() == ORIGINS => &mut self.other_origins,
            None => {
                let [method, plan] = [method, plan].map(|text| text.map(str::to_owned));
                let origin = Origin { method, plan, symmetry };
                self.origins.push_mut(OriginRows { origin, ..OriginRows::default() })
            }
        }
    }

    /// The symmetries of the pattern of givens of a board, a bit for each of [`Symmetry::ALL`].
    fn symmetries(&self, grid: &Grid) -> u64 {
        let values = grid.values();
        let is_empty = |cell: Cell| values[cell.index()] == 0;
        let is_alike = |pair: &CellPair| is_empty(pair.first) == is_empty(pair.second);
        let mut symmetries = 0;
        for (bit, pairs) in self.alike.iter().enumerate() {
            symmetries |= u64::from(pairs.iter().all(is_alike)) << bit;
        }
        symmetries
    }

    pub(super) fn merge(&mut self, other: Answers) {
        if self.rows == 0 {
            self.scale = other.scale;
        }
        self.rows += other.rows;
        for rows in &other.origins {
            let Origin { method, plan, symmetry } = &rows.origin;
            self.rows_of(method.as_deref(), plan.as_deref(), *symmetry).merge(rows);
        }
        self.other_origins.merge(&other.other_origins);
        let other_tallies = other.tallies.iter().chain(&other.techniques);
        for (tally, other_tally) in self.tallies.iter_mut().chain(&mut self.techniques).zip(other_tallies) {
            tally.merge(other_tally);
        }
        for (joint, other_joint) in self.pairs.iter_mut().zip(&other.pairs) {
            joint.merge(other_joint);
        }
        self.weighted.merge(other.weighted);
        self.gallery.merge(other.gallery);
        self.classes.merge(other.classes);
    }

    /// The levels of the scale with their rows, easiest first.
    pub fn by_level(&self) -> impl Iterator<Item = (&str, u64)> {
        (0..).zip(self.scale.keys()).map(|(place, key)| (key, self.tally(Number::LEVEL).count(place)))
    }

    /// Rows that are not minimal, and rows that are.
    pub fn minimal(&self) -> [u64; 2] {
        [0, 1].map(|value| self.tally(Number::MINIMAL).count(value))
    }

    /// Rows with no, with one and with several solutions.
    pub(crate) fn solutions(&self) -> [u64; 3] {
        [0, 1, 2].map(|value| self.tally(Number::SOLUTIONS).count(value))
    }

    /// How often each value of a number occurred.
    pub fn tally(&self, number: Number) -> &Tally {
        &self.tallies[number.place()]
    }

    /// The joint counts of two numbers, for each value of the first.
    ///
    /// # Panics
    /// If this pair is not counted.
    pub fn pair(&self, first: Number, second: Number) -> &Joint {
        let place = PAIRS.iter().position(|pair| *pair == (first, second));
        &self.pairs[place.unwrap_or_else(|| panic!("{} and {} are not counted", first.name(), second.name()))]
    }

    /// The steps of each technique of the rater's table, over the puzzles that need it.
    pub(crate) fn techniques(&self) -> &[Tally] {
        &self.techniques
    }

    /// The number of rows that the ladder has rated.
    pub fn rated(&self) -> u64 {
        self.tally(Number::HODOKU_LEVEL).total()
    }

    /// Why weighted figures cannot be shown, in words. None if they can be shown, or if no row has a weight.
    pub(crate) fn weights_doubt(&self) -> Option<String> {
        let weighted = self.weighted.rows();
        if weighted == 0 {
            return None;
        }
        let mut kinds = self.origins.iter().map(|OriginRows { origin: Origin { method, plan, .. }, .. }| {
            (method.as_deref().unwrap_or_default(), plan.as_deref().unwrap_or_default())
        });
        let first = kinds.next();
        if kinds.any(|kind| Some(kind) != first) || self.other_origins.rows > 0 {
            return Some("the weights come from several methods or plans and cannot be compared".to_owned());
        }
        if weighted < self.rows {
            return Some(format!("{} of the rows have no weight", self.rows - weighted));
        }
        self.weighted.doubt().map(|doubt| match doubt {
            Doubt::HeavyTail { .. } | Doubt::Uneven { .. } => {
                "the weights are so uneven that a few rows would decide every figure".to_owned()
            }
            _ => "there are too few rows".to_owned(),
        })
    }
}

/// A hash of the full grid of a row. A puzzle without one stands for itself.
fn grid_of(record: &Record) -> u64 {
    if let Some(hash) = record.grid_hash {
        return hash;
    }
    let grid = record.solution.as_ref().map(|solution| solution.values());
    let grid = grid.or(record.puzzle.as_ref().map(|puzzle| puzzle.grid().values())).unwrap_or_default();
    grid.iter().fold(grid.len() as u64, |hash, &value| finalise(hash << 5 ^ hash ^ u64::from(value)))
}

/// The cells that a symmetry maps to each other, each with the next one of its orbit.
fn alike_cells(symmetry: Symmetry, shape: Shape) -> Vec<CellPair> {
    let orbits = symmetry.orbits(shape);
    let pairs = orbits.iter().flat_map(|orbit| orbit.windows(2));
    pairs.map(|pair| CellPair { first: pair[0], second: pair[1] }).collect()
}
