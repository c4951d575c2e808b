//! Audits of any files of puzzles: do they have one solution, are there copies, which method may have made the grids?
//!
//! ```text
//!   file A -> every row: solutions, minimal, singles?, class, class of the solution -> Facts
//!   file B -> the same                                                                   |
//!                                    sorted hashes of both -> copies inside, copies between -> page, JSON
//! ```
//!
//! Everything is computed here; what a file says about its puzzles is not used. The memory is 48 bytes per row.

mod origin;
mod page;

use std::path::PathBuf;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::corpus::{Analysis, Input, Progress, Ratings, Record, Result, StopFlag, part_files, solution_class};
use sudoku_corpus_core::board::{Puzzle, Shape};
use sudoku_corpus_core::generate::{Method, Strength};
use sudoku_corpus_core::random::{Rng, Stage};
use sudoku_corpus_core::rate::{Ladder, Level};
use sudoku_corpus_core::solve::Budget;

pub use origin::{Origin, origin};
pub use page::{document, json};

/// What to compute besides the basic facts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AuditOptions {
    /// Rate puzzles: levels and ER, a thousandth of a second each.
    pub rate: bool,
}

/// The facts about one file, or about several files together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// Their name on the page.
    pub name: String,
    /// Boards that were read.
    pub rows: u64,
    /// Lines without a board, or whose givens contradict each other.
    pub unreadable: u64,
    /// Boards of each shape, in order of shapes.
    pub shapes: Vec<(Shape, u64)>,
    /// Boards without blank cells.
    pub full: u64,
    /// Boards with no, one and several solutions, and those for which the budget was used up.
    pub solutions: [u64; 4],
    /// Puzzles with one solution that are not minimal, and that are.
    pub minimal: [u64; 2],
    /// Puzzles with one solution that naked and hidden singles solve.
    pub singles: u64,
    /// Number of boards with each number of givens, which is the index.
    pub givens: Vec<u64>,
    /// Rated puzzles of each level; empty when nothing was rated.
    pub levels: Vec<u64>,
    /// Number of rated puzzles with each ER in tenths, which is the index.
    pub er: Vec<u64>,
    /// Puzzles with symmetries besides the identity (9x9).
    pub symmetric: u64,
    /// Figures of the solution grids of 9x9 puzzles with one solution.
    pub origin: Origin,
    /// Hashes of the boards cell by cell, of their classes, of the classes of their solutions; sorted.
    texts: Vec<u128>,
    classes: Vec<u128>,
    grids: Vec<u128>,
}

/// Copies among the rows of one file, or of two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copies {
    /// Boards that are identical to an earlier one.
    pub exact: u64,
    /// Boards that are isomorphic to an earlier one, including identical ones.
    pub isomorphic: u64,
    /// Puzzles whose solution grid is essentially the same as that of an earlier one, including isomorphic puzzles.
    pub grids: u64,
}

/// Rows worked on at once.
const CHUNK: usize = 8_192;

/// The budget of counting solutions and of the reference search.
const BUDGET: Budget = Budget(100_000);

/// Audits folders of corpora and files of puzzles, all together.
///
/// # Errors
/// A file that cannot be opened, or that is too damaged to be read.
pub fn audit(sources: &[PathBuf], options: AuditOptions, progress: &dyn Progress, stop: &StopFlag) -> Result<Facts> {
    let mut files = Vec::new();
    for source in sources {
        if source.is_dir() { files.extend(part_files(source)?) } else { files.push(source.clone()) }
    }
    let usual = Analysis::default();
    let analysis = Analysis {
        ladder: options.rate.then(Ladder::default),
        ratings: if options.rate { Ratings::SE } else { Ratings::NONE },
        count_limit: 2,
        budget: BUDGET,
        ..usual
    };
    let mut facts = Facts::default();
    for file in files {
        if stop.is_set() {
            break;
        }
        let mut input = Input::open(&file, None)?;
        loop {
            let chunk: Vec<Result<Record>> = input.by_ref().take(CHUNK).collect();
            if chunk.is_empty() || stop.is_set() {
                break;
            }
            let mut records = Vec::with_capacity(chunk.len());
            for row in chunk {
                match row {
                    Ok(record) => records.push(record),
                    Err(error) if error.is_about_a_row() => {
                        progress.skipped(&error);
                        facts.unreadable += 1;
                    }
                    Err(error) => return Err(error),
                }
            }
            let rows = records.len() as u64;
            let done: Vec<Record> = records.into_par_iter().map(|record| analysis.analyze(unsaid(record))).collect();
            done.iter().for_each(|record| facts.add(record));
            progress.rows(rows);
        }
    }
    for list in [&mut facts.texts, &mut facts.classes, &mut facts.grids] {
        list.sort_unstable();
    }
    Ok(facts)
}

/// The board of a row, without anything that its file says about it.
fn unsaid(record: Record) -> Record {
    let board = record.puzzle.or_else(|| record.solution.map(Puzzle::from));
    match board {
        Some(board) => Record::of_puzzle(record.index, board),
        None => Record::new(record.index, record.shape),
    }
}

impl Facts {
    fn add(&mut self, record: &Record) {
        let Some(puzzle) = &record.puzzle else {
            self.unreadable += 1;
            return;
        };
        self.rows += 1;
        match self.shapes.binary_search_by_key(&record.shape, |(shape, _)| *shape) {
            Ok(at) => self.shapes[at].1 += 1,
            Err(at) => self.shapes.insert(at, (record.shape, 1)),
        }
        let givens = puzzle.grid().givens();
        bump(&mut self.givens, givens);
        self.full += u64::from(puzzle.grid().holes() == 0);
        let unique = match (record.solutions, record.solutions_exact) {
            (Some(0), Some(true)) => 0,
            (Some(1), Some(true)) => 1,
            (Some(2..), _) => 2,
            _ => 3,
        };
        self.solutions[unique] += 1;
        self.texts.push(text_hash(puzzle));
        self.classes.extend(record.class);
        if unique != 1 {
            return;
        }
        if let Some(minimal) = record.minimal {
            self.minimal[usize::from(minimal)] += 1;
        }
        self.singles += u64::from(record.search_guesses == Some(0));
        self.symmetric += u64::from(record.automorphisms.is_some_and(|maps| maps > 1));
        if let Some(level) = record.level {
            bump(&mut self.levels, level as usize);
        }
        if let Some(er) = record.se_er_tenths {
            bump(&mut self.er, er as usize);
        }
        self.grids.extend(record.solution_class);
        if let Some(solution) = record.solution.as_ref().filter(|_| record.shape == Shape::NINE) {
            self.origin.add(solution);
        }
    }

    /// Copies among the rows of this file.
    pub fn copies(&self) -> Copies {
        let repeated = |list: &[u128]| list.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64;
        Copies { exact: repeated(&self.texts), isomorphic: repeated(&self.classes), grids: repeated(&self.grids) }
    }

    /// Rows of these facts that are also among other rows.
    pub fn shared_with(&self, other: &Facts) -> Copies {
        let shared = |own: &[u128], other: &[u128]| own.iter().filter(|hash| other.binary_search(hash).is_ok()).count();
        Copies {
            exact: shared(&self.texts, &other.texts) as u64,
            isomorphic: shared(&self.classes, &other.classes) as u64,
            grids: shared(&self.grids, &other.grids) as u64,
        }
    }

    /// Number of essentially different solution grids.
    pub fn different_grids(&self) -> u64 {
        self.grids.len() as u64 - self.copies().grids
    }

    /// Solution grids that are shuffles of the grid of the method permutation.
    pub fn permuted(&self) -> u64 {
        let mut rng = Rng::new(0, 0, Stage::Sample, 0);
        let grid = Method::Permutation(Strength::default()).fill(Shape::NINE, &mut rng).ok();
        grid.and_then(|grid| solution_class(&grid))
            .map_or(0, |class| self.grids.iter().filter(|&&known| known == class).count() as u64)
    }

    /// Puzzles that were rated.
    pub fn rated(&self) -> u64 {
        self.levels.iter().sum()
    }

    /// Mean number of givens.
    pub fn mean_givens(&self) -> f64 {
        let sum: u64 = self.givens.iter().zip(0u64..).map(|(count, givens)| count * givens).sum();
        sum as f64 / self.rows.max(1) as f64
    }
}

/// The names of levels, in the order of [`Facts::levels`].
fn level_names() -> impl Iterator<Item = &'static str> {
    Level::ALL.into_iter().map(Level::name)
}

fn bump(counts: &mut Vec<u64>, at: usize) {
    if counts.len() <= at {
        counts.resize(at + 1, 0);
    }
    counts[at] += 1;
}

fn text_hash(puzzle: &Puzzle) -> u128 {
    let hash = blake3::hash(format!("{} {puzzle}", puzzle.shape()).as_bytes());
    u128::from_le_bytes(hash.as_bytes()[..16].try_into().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Silent;
    use sudoku_corpus_core::board::{Freedom, Isomorphism, text};

    const LINES: [&str; 3] = [
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
        "1............8.2......37.45.....197..3...5.2.8.1.42..........9..64..3....7851.6..",
        "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    ];

    fn audited(lines: &[String]) -> Facts {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("puzzles.txt");
        std::fs::write(&path, lines.join("\n")).unwrap();
        audit(&[path], AuditOptions::default(), &Silent, &StopFlag::new()).unwrap()
    }

    fn image(line: &str, seed: u64) -> String {
        let puzzle = Puzzle::try_from(text::parse_line(line, None).unwrap()).unwrap();
        let mut rng = Rng::new(seed, 0, Stage::Bench, 0);
        Isomorphism::random(Shape::NINE, Freedom::ALL, &mut rng).apply_to_puzzle(&puzzle).to_string()
    }

    #[test]
    fn copies_are_found_inside_and_between() {
        let a: Vec<String> = [LINES[0], LINES[0], LINES[1], "bad line"].map(str::to_owned).to_vec();
        let a = audited(&[a, vec![image(LINES[0], 1), ".".repeat(81), LINES[0].replacen('.', "4", 1)]].concat());
        assert_eq!((a.rows, a.unreadable), (6, 1));
        assert_eq!(a.solutions, [0, 5, 1, 0]);
        // The puzzle with one more given is another puzzle with the same solution grid.
        assert_eq!(a.copies(), Copies { exact: 1, isomorphic: 2, grids: 3 });
        assert_eq!(a.different_grids(), 2);
        let b = audited(&[image(LINES[1], 2), LINES[2].to_owned()]);
        assert_eq!(a.shared_with(&b), Copies { exact: 0, isomorphic: 1, grids: 1 });
        assert_eq!(b.copies(), Copies::default());
    }

    #[test]
    fn pages_and_json_agree() {
        let a = audited(&LINES.map(str::to_owned));
        let b = audited(&[LINES[0].to_owned()]);
        let page = document(&a, Some(&b)).markdown();
        assert!(page.contains("3 of 3 boards have exactly one solution"), "{page}");
        let json = json(&a, Some(&b));
        assert_eq!(json["a"]["solutions"]["one"], 3);
        assert_eq!(json["shared"]["exact"], 1);
        assert_eq!(json["a"]["singles_solve"].as_u64(), Some(a.singles));
    }

    #[test]
    fn the_permutation_method_is_recognised() {
        let grids = |method: &Method| -> Vec<String> {
            (0..300)
                .map(|index| {
                    let mut rng = Rng::new(9, index, Stage::Bench, 0);
                    let solution = method.fill(Shape::NINE, &mut rng).unwrap();
                    // One blank cell: a puzzle with one solution.
                    solution.masked(|cell| cell.index() != 40).to_string()
                })
                .collect()
        };
        let facts = audited(&grids(&Method::Permutation(Strength::Blocks)));
        assert_eq!((facts.different_grids(), facts.permuted()), (1, 300));
        assert_eq!(origin(&facts.origin)[0].0.to_string(), "permutation");
        let facts = audited(&grids(&Method::Uniform));
        assert_eq!((facts.different_grids(), facts.permuted()), (300, 0));
        let distance = origin(&facts.origin).into_iter().find(|(method, _)| *method == Method::Uniform).unwrap().1;
        assert!(distance < 4.0, "{distance}");
    }
}
