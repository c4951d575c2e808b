//! Splits without leaks: which side of a split a puzzle belongs to.
//!
//! ```text
//!   puzzle -> key (by what sides are kept apart) -> hash with the seed -> number in 0..1 -> side
//!                                                  0 ......... train ......... 0.9 . test . 0.95 . validation . 1
//! ```
//!
//! A side depends only on the split and on the puzzle's own key. So a corpus can be split part by part, at different
//! times and on different computers, and if it grows, no row changes its side. The shares are met on average; exact
//! numbers depend on the hashes.
//!
//! Neighbours need another rule. A puzzle is a neighbour of another if removing k givens and adding k (k = 1 or 2) turns one
//! into an isomorph of the other. This relation is not transitive, so no key can express it. Sides are chosen by the grid,
//! and a puzzle with a neighbour on an *earlier* side is left out. So no puzzle changes its side, but the later sides
//! (test and validation in the example) lose puzzles. Two puzzles with the same number of givens are neighbours if and
//! only if they have isomorphic sub-puzzles with two givens fewer. So comparing the classes of all sub-puzzles finds
//! every pair.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use sudoku_corpus_core::board::{Cell, Grid, Puzzle, canonical};
use sudoku_corpus_store::corpus::{Record, solution_class};

/// What is never on two sides of a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Apart {
    /// The same puzzle, cell by cell.
    Exact,
    /// Puzzles that are essentially the same.
    Isomorph,
    /// Puzzles whose solutions are essentially the same grid.
    Grid,
    /// Like `Grid`, and also puzzles that differ by one or two exchanged givens.
    Neighbour,
}

impl Apart {
    /// Every choice, from the weakest to the strongest.
    pub const ALL: [Apart; 4] = [Apart::Exact, Apart::Isomorph, Apart::Grid, Apart::Neighbour];

    /// The word on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Apart::Exact => "exact",
            Apart::Isomorph => "isomorph",
            Apart::Grid => "grid",
            Apart::Neighbour => "neighbour",
        }
    }

    /// Its promise, as a sentence for a card.
    pub const fn promise(self) -> &'static str {
        match self {
            Apart::Exact => "No puzzle is in two splits.",
            Apart::Isomorph => "No two puzzles of different splits are essentially the same (isomorphic).",
            Apart::Grid => "No two puzzles of different splits have essentially the same solution grid.",
            Apart::Neighbour => {
                "No two puzzles of different splits have essentially the same solution grid, and none comes out of the \
                 other by exchanging one or two givens."
            }
        }
    }
}

impl FromStr for Apart {
    type Err = SplitError;

    fn from_str(text: &str) -> Result<Apart, SplitError> {
        let known = Apart::ALL.into_iter().find(|apart| apart.name() == text.trim());
        known.ok_or_else(|| {
            SplitError(format!("unknown way to keep sides apart '{text}'; known: exact, isomorph, grid, neighbour"))
        })
    }
}

/// A text that is not a split.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SplitError(String);

/// Named sides with shares that add up to 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sides {
    /// Names and shares in billionths, in order.
    sides: Vec<(String, u64)>,
}

/// The sum of all shares.
const WHOLE: u64 = 1_000_000_000;

impl Sides {
    /// The names in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.sides.iter().map(|(name, _)| name.as_str())
    }
}

impl fmt::Display for Sides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |share: u64| format!("{:.9}", share as f64 / WHOLE as f64);
        let one =
            |(name, own): &(String, u64)| format!("{name}={}", share(*own).trim_end_matches('0').trim_end_matches('.'));
        f.write_str(&self.sides.iter().map(one).collect::<Vec<_>>().join(","))
    }
}

impl FromStr for Sides {
    type Err = SplitError;

    /// Reads `train=0.9,test=0.05,validation=0.05`.
    fn from_str(text: &str) -> Result<Sides, SplitError> {
        let wrong = |reason: String| SplitError(format!("'{text}' is not a split: {reason}"));
        let mut sides: Vec<(String, u64)> = Vec::new();
        for item in text.split(',') {
            let example = || wrong("write names and shares, such as train=0.9,test=0.1".to_owned());
            let (name, share) = item.split_once('=').ok_or_else(example)?;
            let (name, share) = (name.trim(), share.trim());
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if name.is_empty() || !name.chars().all(plain) {
                return Err(wrong(format!("the name '{name}' must consist of letters, digits and underscores")));
            }
            if sides.iter().any(|(known, _)| known == name) {
                return Err(wrong(format!("{name} is given twice")));
            }
            let number: f64 = share.parse().map_err(|_| wrong(format!("'{share}' is not a number")))?;
            if !(number > 0.0 && number <= 1.0) {
                return Err(wrong(format!("the share of {name} must be above 0 and at most 1")));
            }
            sides.push((name.to_owned(), (number * WHOLE as f64).round() as u64));
        }
        let sum: u64 = sides.iter().map(|(_, share)| share).sum();
        if sum.abs_diff(WHOLE) > sides.len() as u64 {
            return Err(wrong(format!("the shares add up to {}, not to 1", sum as f64 / WHOLE as f64)));
        }
        Ok(Sides { sides })
    }
}

/// A split: sides, what is kept apart, and a seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The sides.
    pub sides: Sides,
    /// What is never on two of them.
    pub apart: Apart,
    /// Another seed gives another split.
    pub seed: u64,
}

/// The side of each row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Division {
    /// The side of each row, in order. None for rows that are left out.
    pub side: Vec<Option<usize>>,
    /// Rows without a key. For [`Apart::Grid`] and [`Apart::Neighbour`], these are rows without a solution and boards
    /// above 9x9; for the others, rows without a puzzle.
    pub unknown: u64,
    /// Rows with a neighbour on an earlier side.
    pub near: u64,
}

impl Split {
    /// The key of a row. Rows with the same key are on the same side. None if the row has no key.
    pub fn key(&self, record: &Record) -> Option<u128> {
        let puzzle = record.puzzle.as_ref()?;
        match self.apart {
            Apart::Exact => {
                let text = format!("{} {puzzle}", record.shape);
                Some(u128::from_le_bytes(blake3::hash(text.as_bytes()).as_bytes()[..16].try_into().unwrap_or_default()))
            }
            Apart::Isomorph => record.class.or_else(|| Some(canonical::class(puzzle))),
            Apart::Grid | Apart::Neighbour => {
                record.solution_class.or_else(|| record.solution.as_ref().and_then(solution_class))
            }
        }
    }

    /// The side of a key.
    pub fn side_of(&self, key: u128) -> usize {
        let mut hash = blake3::Hasher::new();
        hash.update(b"sudoku-corpus split 1");
        hash.update(&self.seed.to_le_bytes());
        hash.update(&key.to_le_bytes());
        let bytes = hash.finalize();
        let word = u64::from_le_bytes(bytes.as_bytes()[..8].try_into().unwrap_or_default());
        let place = ((u128::from(word) * u128::from(WHOLE)) >> 64) as u64;
        let mut end = 0;
        let side = self.sides.sides.iter().position(|(_, share)| {
            end += share;
            place < end
        });
        side.unwrap_or(self.sides.sides.len() - 1)
    }

    /// Divides rows. `record` returns the record of a row.
    pub fn divide<T: Sync>(&self, rows: &[T], record: impl Fn(&T) -> Cow<'_, Record> + Sync) -> Division {
        let side: Vec<Option<usize>> =
            rows.par_iter().map(|row| self.key(&record(row)).map(|key| self.side_of(key))).collect();
        let unknown = side.iter().filter(|side| side.is_none()).count() as u64;
        let mut division = Division { side, unknown, near: 0 };
        if self.apart == Apart::Neighbour {
            let subs = rows.par_iter().map(|row| record(row).puzzle.as_ref().map(sub_puzzles).unwrap_or_default());
            leave_out_neighbours(&subs.collect::<Vec<_>>(), &mut division);
        }
        division
    }
}

/// Leaves out rows that have a neighbour on an earlier side. `subs` are the sub-puzzles of each row.
fn leave_out_neighbours(subs: &[Vec<u64>], division: &mut Division) {
    // The earliest side on which each sub-puzzle occurs.
    let mut earliest: HashMap<u64, usize> = HashMap::new();
    for (subs, side) in subs.iter().zip(&division.side) {
        let Some(side) = *side else { continue };
        for &sub in subs {
            earliest.entry(sub).and_modify(|least| *least = side.min(*least)).or_insert(side);
        }
    }
    for (subs, place) in subs.iter().zip(&mut division.side) {
        if place.is_some_and(|side| subs.iter().any(|sub| earliest.get(sub).is_some_and(|&least| least < side))) {
            *place = None;
            division.near += 1;
        }
    }
}

/// Hashes of the classes of all sub-puzzles with two givens fewer.
fn sub_puzzles(puzzle: &Puzzle) -> Vec<u64> {
    let givens: Vec<Cell> = puzzle.grid().given_cells().map(|(cell, _)| cell).collect();
    let without = |a: Cell, b: Cell| {
        let mut grid: Grid = puzzle.grid().clone();
        grid.set(a, None);
        grid.set(b, None);
        // Without some of its givens, a valid puzzle is still valid.
        Puzzle::try_from(grid).map(|fewer| (canonical::class(&fewer) >> 64) as u64).ok()
    };
    let mut subs: Vec<u64> = (0..givens.len())
        .flat_map(|at| givens[at + 1..].iter().map(move |&other| (at, other)))
        .filter_map(|(at, other)| without(givens[at], other))
        .collect();
    subs.sort_unstable();
    subs.dedup();
    subs
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudoku_corpus_core::board::{Digit, Freedom, Isomorphism, Shape, text};
    use sudoku_corpus_core::random::{Rng, Stage};
    use sudoku_corpus_core::solve::{Budget, Verdict, verdict};
    use sudoku_corpus_store::corpus::{AnalyzeDraft, Draft};

    fn split(sides: &str, apart: Apart) -> Split {
        Split { sides: sides.parse().unwrap(), apart, seed: 1 }
    }

    fn records(number: u64) -> Vec<Record> {
        let draft = Draft {
            analyze: AnalyzeDraft {
                techniques: Some("none".to_owned()),
                ratings: Some("none".parse().unwrap()),
                ..AnalyzeDraft::default()
            },
            ..Draft::default()
        };
        let recipe = sudoku_corpus_store::corpus::Recipe::new(&draft).unwrap();
        (0..number).map(|index| recipe.make(index).unwrap()).collect()
    }

    #[test]
    fn sides_are_read_and_written() {
        let sides: Sides = "train=0.9, test=0.05,validation=0.05".parse().unwrap();
        assert_eq!(sides.to_string(), "train=0.9,test=0.05,validation=0.05");
        assert!("a=0.333333333,b=0.333333333,c=0.333333333".parse::<Sides>().is_ok());
        for wrong in
            ["", "train", "train=0.9", "train=1,test=0.1", "a=0.5,a=0.5", "a=nan,b=0.5", "a/b=0.5,c=0.5", "a=0,b=1"]
        {
            assert!(wrong.parse::<Sides>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn shares_are_met_and_more_rows_change_nothing() {
        let split = split("train=0.8,test=0.2", Apart::Grid);
        let sides: Vec<usize> = (0..20_000u128).map(|key| split.side_of(key << 64 | key)).collect();
        let test = sides.iter().filter(|&&side| side == 1).count();
        // Mean 4000, standard deviation 57.
        assert!((3_750..4_250).contains(&test), "{test}");
        let rows = records(60);
        let (few, many) =
            (split.divide(&rows[..20], |row| Cow::Borrowed(row)), split.divide(&rows, |row| Cow::Borrowed(row)));
        assert_eq!(few.side[..], many.side[..20]);
        assert!(many.side.contains(&Some(0)) && many.side.contains(&Some(1)) && many.unknown == 0);
    }

    #[test]
    fn isomorphs_and_puzzles_of_a_grid_are_on_one_side() {
        let rows = records(30);
        for (index, row) in rows.iter().enumerate() {
            let mut rng = Rng::new(3, index as u64, Stage::Bench, 0);
            let map = Isomorphism::random(Shape::NINE, Freedom::ALL, &mut rng);
            let image = map.apply_to_puzzle(row.puzzle.as_ref().unwrap());
            let Verdict::Unique(solution) = verdict(&image, Budget::UNLIMITED) else { panic!("{image}") };
            let image = Record { solution: Some(solution), ..Record::of_puzzle(0, image) };
            for apart in [Apart::Isomorph, Apart::Grid] {
                let split = split("a=0.5,b=0.5", apart);
                assert!(split.key(row).is_some());
                assert_eq!(split.key(row), split.key(&image), "{apart:?}");
            }
            assert_ne!(split("a=1", Apart::Exact).key(row), split("a=1", Apart::Exact).key(&image));
        }
    }

    /// Exchanges one given of a unique puzzle, and finds a neighbour by brute force.
    fn neighbour(puzzle: &Puzzle, rng: &mut Rng) -> Option<(Puzzle, sudoku_corpus_core::board::Solution)> {
        let givens: Vec<Cell> = puzzle.grid().given_cells().map(|(cell, _)| cell).collect();
        (0..2_000).find_map(|_| {
            let mut grid = puzzle.grid().clone();
            grid.set(rng.choose(&givens), None);
            let open: Vec<Cell> = (0..81).map(Cell::new).filter(|&cell| grid.get(cell).is_none()).collect();
            grid.set(rng.choose(&open), Some(Digit::from_index(rng.below(9))));
            let other = Puzzle::try_from(grid).ok().filter(|other| other != puzzle)?;
            match verdict(&other, Budget::UNLIMITED) {
                Verdict::Unique(solution) => Some((other, solution)),
                _ => None,
            }
        })
    }

    #[test]
    fn neighbours_on_an_earlier_side_are_left_out() {
        let split = split("train=0.5,test=0.5", Apart::Neighbour);
        let mut crossed = 0;
        for (index, row) in records(12).into_iter().enumerate() {
            let mut rng = Rng::new(5, index as u64, Stage::Bench, 0);
            let Some((other, solution)) = neighbour(row.puzzle.as_ref().unwrap(), &mut rng) else { continue };
            let other = Record { solution: Some(solution), ..Record::of_puzzle(1, other) };
            let sides = [&row, &other].map(|record| split.side_of(split.key(record).unwrap()));
            let division = split.divide(&[row, other], |row| Cow::Borrowed(row));
            if sides[0] == sides[1] {
                assert_eq!(division.near, 0);
            } else {
                crossed += 1;
                assert_eq!(division.near, 1, "{index}");
                let later = usize::from(sides[1] == 1);
                assert_eq!(division.side[later], None);
            }
        }
        assert!(crossed > 0, "no neighbour crossed the split");
        let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        let puzzle = Puzzle::try_from(text::parse_line(line, None).unwrap()).unwrap();
        assert!(sub_puzzles(&puzzle).len() > 400, "30 givens have 435 pairs");
    }
}
