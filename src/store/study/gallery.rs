//! Chooses puzzles to show: a typical one of each level, the hardest, that with fewest givens, the most symmetric.
//!
//! The choice does not depend on the order of the rows. Of each level, a random sample is kept: the puzzles with the
//! smallest hashes. The puzzle with the median score is typical. Of every other kind, the best puzzle is kept; ties are
//! broken by the values of the board.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::corpus::Record;
use sudoku_corpus_core::board::Grid;
use sudoku_corpus_core::ladder::Level;

/// Puzzles of a level that are kept. The number is odd, so that there is one in the middle.
const SAMPLE: usize = 41;
/// The largest order of a board that is drawn; on larger boards the digits would be too small to read.
const LARGEST: usize = 16;

/// A puzzle and the facts that are shown with it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Exhibit {
    pub grid: Grid,
    pub givens: usize,
    pub level: Option<Cow<'static, str>>,
    pub hodoku_level: Option<Level>,
    /// HoDoKu's score, of puzzles that the ladder solves.
    pub score: Option<u32>,
    /// Sudoku Explainer's ER in tenths.
    pub er: Option<u32>,
    /// True if ER is only a lower bound.
    pub er_is_bound: bool,
    /// Number of symmetries of the pattern of givens, without the identity.
    pub symmetries: usize,
    pub automorphisms: u32,
}

/// The boards that a report shows.
#[derive(Clone, Debug, Default)]
pub struct Gallery {
    /// By the place of the level in its scale, a sample by hash.
    levels: BTreeMap<u64, BTreeMap<u64, Exhibit>>,
    hardest: Option<Exhibit>,
    fewest: Option<Exhibit>,
    symmetric: Option<Exhibit>,
}

/// FNV-1a of the values of a board: the same on every machine.
fn hash(grid: &Grid) -> u64 {
    let step = |hash: u64, value: &u16| (hash ^ u64::from(*value)).wrapping_mul(0x100_0000_01b3);
    let hash = grid.values().iter().fold(0xcbf2_9ce4_8422_2325, step);
    // Without this step, the low bits would depend mostly on the last cells.
    hash ^ hash >> 29
}

/// Adds puzzles to a sample, and keeps those with the smallest hashes.
fn add_to_sample(sample: &mut BTreeMap<u64, Exhibit>, exhibits: impl IntoIterator<Item = (u64, Exhibit)>) {
    sample.extend(exhibits);
    while sample.len() > SAMPLE {
        sample.pop_last();
    }
}

/// How hard a puzzle is, as far as it is known: first its ER counts, then its level, then its score.
fn hardness(exhibit: &Exhibit) -> (Option<u32>, Option<u64>, Option<u32>) {
    (exhibit.er, exhibit.hodoku_level.map(|level| level as u64), exhibit.score)
}

/// Keeps the better one of two: the one with the larger key; ties are broken by the values of the board.
fn keep_better<K: PartialOrd>(best: &mut Option<Exhibit>, new: &Exhibit, key: impl Fn(&Exhibit) -> K) {
    let is_better = best.as_ref().is_none_or(|old| {
        let (new_key, old_key) = (key(new), key(old));
        new_key > old_key || new_key == old_key && new.grid.values() < old.grid.values()
    });
    if is_better {
        *best = Some(new.clone());
    }
}

impl Gallery {
    /// Adds a row; `level` is the place of its level, `symmetries` the number of symmetries of its pattern of givens.
    pub(super) fn add(&mut self, record: &Record, level: Option<usize>, symmetries: usize) {
        let is_proper = record.solutions.is_none_or(|solutions| solutions == 1);
        let Some(puzzle) = &record.puzzle else { return };
        if !is_proper || record.shape.order() > LARGEST {
            return;
        }
        let grid = puzzle.grid();
        let exhibit = Exhibit {
            givens: record.givens.map_or_else(|| grid.givens(), |givens| givens as usize),
            level: record.level.clone(),
            hodoku_level: record.hodoku_level,
            score: record.hodoku_score.filter(|_| record.finished == Some(true)),
            er: record.se_er_tenths,
            er_is_bound: record.se_exact == Some(false),
            symmetries,
            automorphisms: record.automorphisms.unwrap_or(1),
            grid: grid.clone(),
        };
        if let Some(level) = level {
            let sample = self.levels.entry(level as u64).or_default();
            let hash = hash(grid);
            if sample.len() < SAMPLE || sample.last_key_value().is_some_and(|(last, _)| hash < *last) {
                add_to_sample(sample, [(hash, exhibit.clone())]);
            }
        }
        self.consider(&exhibit);
    }

    /// Keeps a board if it is the hardest, has the fewest givens, or is the most symmetric.
    fn consider(&mut self, exhibit: &Exhibit) {
        if exhibit.hodoku_level.is_some() || exhibit.er.is_some() {
            keep_better(&mut self.hardest, exhibit, hardness);
        }
        keep_better(&mut self.fewest, exhibit, |exhibit| std::cmp::Reverse(exhibit.givens));
        if exhibit.symmetries > 0 || exhibit.automorphisms > 1 {
            keep_better(&mut self.symmetric, exhibit, |exhibit| (exhibit.symmetries, exhibit.automorphisms));
        }
    }

    pub(super) fn merge(&mut self, other: Gallery) {
        for (level, sample) in other.levels {
            add_to_sample(self.levels.entry(level).or_default(), sample);
        }
        for exhibit in [other.hardest, other.fewest, other.symmetric].iter().flatten() {
            self.consider(exhibit);
        }
    }

    /// The chosen puzzles with their titles. A puzzle that was chosen twice comes once, with both titles.
    pub(crate) fn exhibits(&self) -> Vec<(String, &Exhibit)> {
        let mut chosen: Vec<(String, &Exhibit)> = Vec::new();
        for sample in self.levels.values() {
            let mut sample: Vec<&Exhibit> = sample.values().collect();
            sample.sort_by_key(|exhibit| (exhibit.score, exhibit.er));
            if let Some(median) = sample.get(sample.len() / 2) {
                chosen.push((format!("typical of {}", median.level.as_deref().unwrap_or_default()), median));
            }
        }
        for (title, exhibit) in
            [("hardest", &self.hardest), ("fewest givens", &self.fewest), ("most symmetric", &self.symmetric)]
        {
            chosen.extend(exhibit.as_ref().map(|exhibit| (title.to_owned(), exhibit)));
        }
        let mut exhibits: Vec<(String, &Exhibit)> = Vec::new();
        for (title, exhibit) in chosen {
            match exhibits.iter_mut().find(|(_, earlier)| earlier.grid == exhibit.grid) {
                Some((titles, _)) => *titles += &format!(", {title}"),
                None => exhibits.push((title, exhibit)),
            }
        }
        exhibits
    }
}
