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

/// Puzzles of a level that are kept.
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

/// Adds puzzles, and keeps those with the smallest hashes.
fn sample(known: &mut BTreeMap<u64, Exhibit>, more: impl IntoIterator<Item = (u64, Exhibit)>) {
    known.extend(more);
    while known.len() > SAMPLE {
        known.pop_last();
    }
}

/// How hard a puzzle is, as far as it is known.
fn hardness(exhibit: &Exhibit) -> (Option<u32>, Option<u64>, Option<u32>) {
    (exhibit.er, exhibit.hodoku_level.map(|level| level as u64), exhibit.score)
}

/// Keeps the better one of two: the one with the larger key; ties are broken by the values of the board.
fn keep<K: PartialOrd>(place: &mut Option<Exhibit>, new: &Exhibit, key: impl Fn(&Exhibit) -> K) {
    let better = place.as_ref().is_none_or(|old| {
        let (a, b) = (key(new), key(old));
        a > b || a == b && new.grid.values() < old.grid.values()
    });
    if better {
        *place = Some(new.clone());
    }
}

impl Gallery {
    /// Adds a row; `level` is the place of its level, `symmetries` the number of symmetries of its pattern of givens.
    pub(super) fn add(&mut self, record: &Record, level: Option<usize>, symmetries: usize) {
        let proper = record.solutions.is_none_or(|solutions| solutions == 1);
        let Some(puzzle) = record.puzzle.as_ref().filter(|_| proper && record.shape.order() <= LARGEST) else { return };
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
            let (known, hash) = (self.levels.entry(level as u64).or_default(), hash(grid));
            if known.len() < SAMPLE || known.last_key_value().is_some_and(|(last, _)| hash < *last) {
                sample(known, [(hash, exhibit.clone())]);
            }
        }
        self.consider(&exhibit);
    }

    /// Keeps a board if it is the hardest, has the fewest givens, or is the most symmetric.
    fn consider(&mut self, exhibit: &Exhibit) {
        if exhibit.hodoku_level.is_some() || exhibit.er.is_some() {
            keep(&mut self.hardest, exhibit, hardness);
        }
        keep(&mut self.fewest, exhibit, |exhibit| std::cmp::Reverse(exhibit.givens));
        if exhibit.symmetries > 0 || exhibit.automorphisms > 1 {
            keep(&mut self.symmetric, exhibit, |exhibit| (exhibit.symmetries, exhibit.automorphisms));
        }
    }

    /// Adds the boards of other rows.
    pub(super) fn merge(&mut self, other: Gallery) {
        for (level, more) in other.levels {
            sample(self.levels.entry(level).or_default(), more);
        }
        [other.hardest, other.fewest, other.symmetric].iter().flatten().for_each(|exhibit| self.consider(exhibit));
    }

    /// The chosen puzzles with their titles. A puzzle that was chosen twice comes once, with both titles.
    pub(crate) fn exhibits(&self) -> Vec<(String, &Exhibit)> {
        let typical = self.levels.values().filter_map(|known| {
            let mut known: Vec<&Exhibit> = known.values().collect();
            known.sort_by_key(|exhibit| (exhibit.score, exhibit.er));
            known.get(known.len() / 2).copied()
        });
        let named = |exhibit: &Exhibit| format!("typical of {}", exhibit.level.as_deref().unwrap_or_default());
        let typical = typical.map(|exhibit| (named(exhibit), exhibit));
        let special =
            [("hardest", &self.hardest), ("fewest givens", &self.fewest), ("most symmetric", &self.symmetric)];
        let special = special.into_iter().filter_map(|(title, exhibit)| Some((title.to_owned(), exhibit.as_ref()?)));
        let mut shown: Vec<(String, &Exhibit)> = Vec::new();
        for (title, exhibit) in typical.chain(special) {
            match shown.iter_mut().find(|(_, other)| other.grid == exhibit.grid) {
                Some((titles, _)) => *titles += &format!(", {title}"),
                None => shown.push((title, exhibit)),
            }
        }
        shown
    }
}
