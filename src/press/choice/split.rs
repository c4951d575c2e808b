//! Splits without leaks: decides which split of a data set a puzzle belongs to.
//!
//! ```text
//!   puzzle -> key (by what splits are kept apart) -> hash with the seed -> number in 0..1 -> split
//!                                                  0 ......... train ......... 0.9 . test . 0.95 . validation . 1
//! ```
//!
//! The split of a puzzle depends only on the request and on the puzzle's own key. So a corpus can be split part by
//! part, at different times and on different computers, and if it grows, no row changes its split. The shares are met
//! on average; exact numbers depend on the hashes.
//!
//! Neighbors need another rule. A puzzle is a neighbor of another if removing at most two givens and adding at most
//! two turns one into an isomorph of the other. This relation is not transitive, so no key can express it. Splits are
//! chosen by the grid, and a puzzle with a neighbor in an *earlier* split is left out. So no puzzle changes its split,
//! but the later ones (test and validation in the example) lose puzzles.
//!
//! Two puzzles are neighbors, too, if they are isomorphic once at most two givens of each are taken away.

use std::str::FromStr;
use std::{fmt, io};

use crate::error::PublishError;
use sudoku_corpus_core::catalogue::canonical;
use sudoku_corpus_core::names;
use sudoku_corpus_core::page::numbers::counted;
use sudoku_corpus_store::corpus::{ItemSize, Record, StopFlag, hash_of_board, in_order, solution_class};
use sudoku_corpus_store::study::Neighbors;

names! { "way to keep splits apart":
    /// What is never in two splits, from the weakest to the strongest.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Apart {
        /// The same puzzle, cell by cell.
        Exact = "exact",
        /// Puzzles that are isomorphic.
        Isomorph = "isomorph",
        /// Puzzles whose solutions are isomorphic.
        #[default]
        Grid = "grid",
        /// Like `Grid`, and also puzzles that differ by one or two exchanged givens.
        Neighbor = "neighbor",
    }
}

impl Apart {
    /// Its promise, as a sentence for a card.
    pub(crate) const fn promise(self) -> &'static str {
        match self {
            Apart::Exact => "No puzzle is in two splits.",
            Apart::Isomorph => "No two puzzles of different splits are isomorphic.",
            Apart::Grid => "No two puzzles of different splits have isomorphic solution grids.",
            Apart::Neighbor => {
                "No two puzzles of different splits have isomorphic solution grids, and none comes out of the \
                 other by exchanging one or two givens."
            }
        }
    }
}

/// Names of splits with shares that add up to 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splits {
    shares: Vec<Share>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Share {
    name: String,
    billionths: u64,
}

/// The most splits: their numbers are kept as bytes.
const MOST: usize = 255;

/// The most givens that are exchanged between neighbors.
const MOST_EXCHANGED: usize = 2;

/// The sum of all shares.
const WHOLE: u64 = 1_000_000_000;

impl Splits {
    /// Refuses a split without a row. `split_of_rows` has the split of each row; None for rows that are left out.
    ///
    /// # Errors
    /// The first split that no row has.
    pub fn check_rows(&self, split_of_rows: &[Option<u8>]) -> Result<(), PublishError> {
        let mut numbered = (0..).zip(self.names());
        let Some((_, name)) = numbered.find(|(number, _)| !split_of_rows.contains(&Some(*number))) else {
            return Ok(());
        };
        let puzzles = counted(split_of_rows.iter().flatten().count(), "puzzle");
        let advice = "give it a larger share, or take more puzzles";
        Err(PublishError::Request(format!("the split '{name}' gets none of the {puzzles}: {advice}")))
    }

    /// The names in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.shares.iter().map(|share| share.name.as_str())
    }
}

impl fmt::Display for Splits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, Share { name, billionths }) in self.shares.iter().enumerate() {
            let separator = if number == 0 { "" } else { "," };
            let share = format!("{:.9}", *billionths as f64 / WHOLE as f64);
            write!(f, "{separator}{name}={}", share.trim_end_matches('0').trim_end_matches('.'))?;
        }
        Ok(())
    }
}

impl FromStr for Splits {
    type Err = PublishError;

    /// Reads `train=0.9,test=0.05,validation=0.05`.
    fn from_str(text: &str) -> Result<Splits, PublishError> {
        let wrong = |reason: String| PublishError::Request(format!("'{text}' is not a split: {reason}"));
        let mut shares: Vec<Share> = Vec::new();
        for item in text.split(',') {
            let example = || wrong("write names and shares, such as train=0.9,test=0.1".to_owned());
            let (name, share) = item.split_once('=').ok_or_else(example)?;
            let (name, share) = (name.trim(), share.trim());
            let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            if name.is_empty() || !is_plain {
                return Err(wrong(format!("the name '{name}' must consist of letters, digits and underscores")));
            }
            // Names of files: some systems do not distinguish capital letters.
            if let Some(Share { name: earlier, .. }) = shares.iter().find(|share| share.name.eq_ignore_ascii_case(name))
            {
                let other_case = if earlier == name { String::new() } else { format!(", also as {earlier}") };
                return Err(wrong(format!("{name} is given twice{other_case}")));
            }
            let number: f64 =
                share.parse().map_err(|_| wrong(format!("'{share}' is not a number, as 0.5 for 50 %")))?;
            if !(number > 0.0 && number <= 1.0) {
                return Err(wrong(format!("the share of {name} must be above 0 and at most 1, as 0.8 for 80 %")));
            }
            shares.push(Share { name: name.to_owned(), billionths: (number * WHOLE as f64).round() as u64 });
        }
        if shares.len() > MOST {
            return Err(wrong(format!("{} splits, at most {MOST}", shares.len())));
        }
        let sum: u64 = shares.iter().map(|share| share.billionths).sum();
        // Each share was rounded to a billionth.
        if sum.abs_diff(WHOLE) > shares.len() as u64 {
            return Err(wrong(format!("the shares add up to {}, not to 1", sum as f64 / WHOLE as f64)));
        }
        Ok(Splits { shares })
    }
}

/// Divides puzzles into splits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splitter {
    /// The splits.
    pub splits: Splits,
    /// What is never in two of them.
    pub apart: Apart,
    /// Another seed gives other splits.
    pub seed: u64,
}

/// The split of each row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Division {
    /// The split of each row, in order. None for rows that are left out.
    pub split: Vec<Option<u8>>,
    /// Rows without a key. For [`Apart::Grid`] and [`Apart::Neighbor`], these are rows without a solution, boards
    /// above 9x9, and variants with more than 1,000 maps; for the others, rows without a puzzle.
    pub unknown: u64,
    /// Rows with a neighbor in an earlier split.
    pub near: u64,
}

impl Splitter {
    /// The columns of a row that decide its split.
    pub const COLUMNS: [&str; 5] = ["shape", "puzzle", "solution", "class", "solution_class"];

    /// The key of a row. Rows with the same key are in the same split. None if the row has no key.
    pub fn key(&self, record: &Record) -> Option<u128> {
        let puzzle = record.puzzle.as_ref()?;
        match self.apart {
            Apart::Exact => Some(hash_of_board(record.shape, puzzle)),
            Apart::Isomorph => record.class.or_else(|| Some(canonical::class(puzzle))),
            Apart::Grid | Apart::Neighbor => {
                record.solution_class.or_else(|| record.solution.as_ref().and_then(solution_class))
            }
        }
    }

    /// The split of a key.
    pub fn split_of(&self, key: u128) -> usize {
        let mut hash = blake3::Hasher::new();
        hash.update(b"sudoku-corpus split 1");
        hash.update(&self.seed.to_le_bytes());
        hash.update(&key.to_le_bytes());
        let bytes = hash.finalize();
        let word = u64::from_le_bytes(bytes.as_bytes()[..8].try_into().unwrap_or_default());
        // The hash as a part of 2^64, in billionths.
        let part = ((u128::from(word) * u128::from(WHOLE)) >> 64) as u64;
        let mut end = 0;
        for (split, share) in self.splits.shares.iter().enumerate() {
            end += share.billionths;
            if part < end {
                return split;
            }
        }
        // Rounded shares may end just below 1.
        self.splits.shares.len() - 1
    }

    /// Divides rows. `record` returns the record of a row.
    ///
    /// # Errors
    /// The error of a row; a temporary file cannot be written or read.
    pub fn divide<T: Send, E: Send + From<io::Error>>(
        &self,
        rows: impl Iterator<Item = Result<T, E>>,
        record: impl Fn(T) -> Record + Sync + Send,
    ) -> Result<Division, E> {
        let looks_for_neighbors = self.apart == Apart::Neighbor;
        let mut neighbors = looks_for_neighbors.then(Neighbors::new).transpose()?;
        let split_row = |row: Result<T, E>| {
            let record = record(row?);
            let split = self.key(&record).map(|key| self.split_of(key) as u8);
            // A row that is in no split keeps no other out.
            let compared = match record.puzzle {
                Some(puzzle) if looks_for_neighbors && split.is_some() => {
                    let class = record.class.unwrap_or_else(|| canonical::class(&puzzle));
                    let keys = Neighbors::keys_of(&puzzle, MOST_EXCHANGED);
                    Some((puzzle, class, keys))
                }
                _ => None,
            };
            Ok::<_, E>((split, compared))
        };
        let mut split = Vec::new();
        in_order(ItemSize::Small, rows, &StopFlag::new(), split_row, |results| -> Result<(), E> {
            for result in results {
                let (row_split, compared) = result?;
                split.push(row_split);
                let Some(neighbors) = &mut neighbors else { continue };
                let no_label = [0; 8];
                match compared {
                    Some((puzzle, class, keys)) => neighbors.add(Some(&puzzle), Some(class), &keys, no_label)?,
                    None => neighbors.add(None, None, &[], no_label)?,
                }
            }
            Ok(())
        })?;
        let unknown = split.iter().filter(|split| split.is_none()).count() as u64;
        let mut division = Division { split, unknown, near: 0 };
        if let Some(neighbors) = neighbors {
            division.leave_out(neighbors)?;
        }
        Ok(division)
    }
}

impl Division {
    /// Leaves out the rows that have a neighbor in an earlier split.
    fn leave_out(&mut self, neighbors: Neighbors) -> io::Result<()> {
        let split = self.split.clone();
        neighbors.each_group(|rows| {
            let earliest = rows.iter().filter_map(|near| split[near.row as usize]).min();
            for near in rows {
                let row = near.row as usize;
                // A row may be in several groups, but it is left out once.
                if split[row] > earliest && self.split[row].is_some() {
                    self.split[row] = None;
                    self.near += 1;
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::rows::chosen::Chosen;
    use sudoku_corpus_core::board::{Cell, Digit, Freedom, Isomorphism, Puzzle, Shape};
    use sudoku_corpus_core::random::{Rng, Stage};
    use sudoku_corpus_core::solve::{Budget, Verdict, verdict};
    use sudoku_corpus_store::corpus::{Draft, Recipe};

    fn splitter(shares: &str, apart: Apart) -> Splitter {
        Splitter { splits: shares.parse().unwrap(), apart, seed: 1 }
    }

    fn divide(splitter: &Splitter, rows: &[Record]) -> Division {
        splitter.divide(rows.iter().map(Ok::<_, PublishError>), Record::clone).unwrap()
    }

    fn records(number: u64) -> Vec<Record> {
        let draft = Draft::parse("[analyze]\ntechniques = \"none\"\nratings = \"none\"").unwrap();
        let recipe = Recipe::new(&draft).unwrap();
        (0..number).map(|index| recipe.make(index).unwrap()).collect()
    }

    #[test]
    fn splits_are_read_and_written() {
        let splits: Splits = "train=0.9, test=0.05,validation=0.05".parse().unwrap();
        assert_eq!(splits.to_string(), "train=0.9,test=0.05,validation=0.05");
        assert!("a=0.333333333,b=0.333333333,c=0.333333333".parse::<Splits>().is_ok());
        for wrong in [
            "", "train", "train=0.9", "train=1,test=0.1", "a=0.5,a=0.5", "a=0.5,A=0.5", "a=nan,b=0.5", "a/b=0.5,c=0.5",
            "a=0,b=1",
        ] {
            assert!(wrong.parse::<Splits>().is_err(), "{wrong}");
        }
        let even = |count: usize| {
            let share = |at: usize| format!("s{at}={:.9}", 1.0 / count as f64);
            (0..count).map(share).collect::<Vec<_>>().join(",").parse::<Splits>()
        };
        assert_eq!(even(MOST).unwrap().names().count(), MOST);
        assert!(even(MOST + 1).unwrap_err().to_string().contains("256 splits, at most 255"));
    }

    #[test]
    fn a_split_without_a_puzzle_is_refused() {
        let splits: Splits = "train=0.9,test=0.1".parse().unwrap();
        assert!(splits.check_rows(&[Some(1), None, Some(0)]).is_ok());
        let reason = splits.check_rows(&[Some(0), None, Some(0)]).unwrap_err().to_string();
        assert!(reason.starts_with("the split 'test' gets none of the 2 puzzles"), "{reason}");
    }

    #[test]
    fn shares_are_met_and_more_rows_change_nothing() {
        let splitter = splitter("train=0.8,test=0.2", Apart::Grid);
        let splits: Vec<usize> = (0..20_000u128).map(|key| splitter.split_of(key << 64 | key)).collect();
        let test = splits.iter().filter(|&&split| split == 1).count();
        // Mean 4000, standard deviation 57.
        assert!((3_750..4_250).contains(&test), "{test}");
        let rows = records(60);
        let (few, many) = (divide(&splitter, &rows[..20]), divide(&splitter, &rows));
        assert_eq!(few.split[..], many.split[..20]);
        assert!(many.split.contains(&Some(0)) && many.split.contains(&Some(1)) && many.unknown == 0);
    }

    #[test]
    fn the_columns_of_a_split_decide_it() {
        for row in records(5) {
            let few = Chosen::new(&row, 0, 0).record_of(&Splitter::COLUMNS);
            assert_eq!(few.puzzle, row.puzzle);
            // Also without the classes that a row has: then the puzzle and the solution decide.
            let bare = |row: &Record| Record { class: None, solution_class: None, ..row.clone() };
            for apart in [Apart::Exact, Apart::Isomorph, Apart::Grid, Apart::Neighbor] {
                let splitter = splitter("a=1", apart);
                assert!(splitter.key(&row).is_some());
                assert_eq!(splitter.key(&few), splitter.key(&row), "{apart:?}");
                assert_eq!(splitter.key(&bare(&few)), splitter.key(&bare(&row)), "{apart:?}");
            }
        }
    }

    #[test]
    fn isomorphs_and_puzzles_of_a_grid_are_in_one_split() {
        let rows = records(30);
        for (index, row) in rows.iter().enumerate() {
            let mut rng = Rng::new(3, index as u64, Stage::Bench, 0);
            let map = Isomorphism::random(Shape::NINE, Freedom::ALL, &mut rng);
            let image = map.apply_to_puzzle(row.puzzle.as_ref().unwrap());
            let Verdict::Unique(solution) = verdict(&image, Budget::UNLIMITED) else { panic!("{image}") };
            let image = Record { solution: Some(solution), ..Record::of_puzzle(0, image) };
            for apart in [Apart::Isomorph, Apart::Grid] {
                let splitter = splitter("a=0.5,b=0.5", apart);
                assert!(splitter.key(row).is_some());
                assert_eq!(splitter.key(row), splitter.key(&image), "{apart:?}");
            }
            assert_ne!(splitter("a=1", Apart::Exact).key(row), splitter("a=1", Apart::Exact).key(&image));
        }
    }

    /// Exchanges one given of a unique puzzle, and finds a neighbor by brute force.
    fn neighbor(puzzle: &Puzzle, rng: &mut Rng) -> Option<(Puzzle, sudoku_corpus_core::board::Solution)> {
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
    fn neighbors_in_an_earlier_split_are_left_out() {
        let splitter = splitter("train=0.5,test=0.5", Apart::Neighbor);
        let mut crossed = 0;
        for (index, row) in records(12).into_iter().enumerate() {
            let mut rng = Rng::new(5, index as u64, Stage::Bench, 0);
            let Some((other, solution)) = neighbor(row.puzzle.as_ref().unwrap(), &mut rng) else { continue };
            let other = Record { solution: Some(solution), ..Record::of_puzzle(1, other) };
            let splits = [&row, &other].map(|record| splitter.split_of(splitter.key(record).unwrap()));
            let division = divide(&splitter, &[row, other]);
            if splits[0] == splits[1] {
                assert_eq!(division.near, 0);
            } else {
                crossed += 1;
                assert_eq!(division.near, 1, "{index}");
                let later = usize::from(splits[1] == 1);
                assert_eq!(division.split[later], None);
            }
        }
        assert!(crossed > 0, "no neighbor crossed the split");
    }
}
