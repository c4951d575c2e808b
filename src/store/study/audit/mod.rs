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

use super::Summary;
use super::counts::Counts;
use super::stats::Tally;
use crate::corpus::{
    Analysis, CorpusError, Input, OnError, Progress, Ratings, Record, Result, StopFlag, Workers, solution_class,
};
use sudoku_corpus_core::board::{Puzzle, Shape};
use sudoku_corpus_core::generate::{Method, Strength};
use sudoku_corpus_core::random::{Rng, Stage};
use sudoku_corpus_core::rate::Ladder;
use sudoku_corpus_core::solve::Budget;

pub use origin::{Origin, origin};
pub use page::{document, json};

/// What to compute besides the basic facts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AuditOptions {
    /// Rate puzzles: levels and ER, a thousandth of a second each.
    pub rate: bool,
    /// The number of threads. None means one thread for each core.
    pub threads: Option<usize>,
}

/// The facts about one file, or about several files together.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Their name on the page.
    pub name: String,
    /// Lines without a board, or whose givens contradict each other.
    unreadable: u64,
    /// The boards. Minimality, difficulty and symmetries are counted for puzzles with one solution.
    summary: Summary,
    /// The counts of all shapes together.
    counts: Counts,
    /// Boards without blank cells.
    full: u64,
    /// Figures of the solution grids of 9x9 puzzles with one solution.
    origin: Origin,
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

/// The budget of counting solutions and of the reference search.
const BUDGET: Budget = Budget(100_000);

/// Audits folders of corpora and files of puzzles, all together.
///
/// # Errors
/// A file that cannot be opened, or that is too damaged to be read.
pub fn audit(sources: &[PathBuf], options: AuditOptions, progress: &dyn Progress, stop: &StopFlag) -> Result<Facts> {
    let usual = Analysis::default();
    let analysis = Analysis {
        ladder: options.rate.then(Ladder::default),
        ratings: if options.rate { Ratings::SE } else { Ratings::NONE },
        count_limit: 2,
        budget: BUDGET,
        ..usual
    };
    let mut facts = Facts::default();
    let mut workers = Workers::new(options.threads)?;
    for source in sources {
        let work = |row: Result<Record>| row.map(|record| analysis.analyze(unsaid(record)));
        workers.run(Input::open(source, None)?, stop, work, |done| {
            progress.rows(done.len() as u64);
            for row in done {
                match OnError::Skip.sort(row, progress)? {
                    Some(record) => facts.add(record),
                    None => facts.unreadable += 1,
                }
            }
            Ok::<(), CorpusError>(())
        })?;
    }
    facts.counts = facts.summary.together();
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
    fn add(&mut self, record: Record) {
        let Some(puzzle) = &record.puzzle else {
            self.unreadable += 1;
            return;
        };
        self.full += u64::from(puzzle.grid().holes() == 0);
        self.texts.push(text_hash(puzzle));
        self.classes.extend(record.class);
        if (record.solutions, record.solutions_exact) != (Some(1), Some(true)) {
            // What is known of an improper puzzle besides its givens says nothing about its difficulty.
            let Record { index, solutions, solutions_exact, .. } = record;
            let board = record.puzzle.map_or_else(|| Record::new(index, record.shape), |p| Record::of_puzzle(index, p));
            return self.summary.add(&Record { solutions, solutions_exact, ..board });
        }
        self.grids.extend(record.solution_class);
        if let Some(solution) = record.solution.as_ref().filter(|_| record.shape == Shape::NINE) {
            self.origin.add(solution);
        }
        // Copies are counted exactly here.
        self.summary.add(&Record { class: None, ..record });
    }

    fn rows(&self) -> u64 {
        self.summary.rows()
    }

    /// Boards with no, one and several solutions, and those for which the budget was used up.
    fn solutions(&self) -> [u64; 4] {
        let [none, one, several] = self.counts.solutions;
        [none, one, several, self.rows() - none - one - several]
    }

    /// Puzzles that naked and hidden singles solve.
    fn singles(&self) -> u64 {
        self.counts.guesses.count(0)
    }

    /// Puzzles with symmetries besides the identity (9x9).
    fn symmetric(&self) -> u64 {
        let maps = &self.counts.automorphisms;
        maps.total() - maps.count(1)
    }

    /// The number of puzzles with each ER in tenths.
    fn er(&self) -> &Tally {
        &self.counts.ratings[0]
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

    fn mean_givens(&self) -> f64 {
        self.counts.givens.sum() as f64 / self.rows().max(1) as f64
    }
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
        assert_eq!((a.rows(), a.unreadable), (6, 1));
        assert_eq!(a.solutions(), [0, 5, 1, 0]);
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
        assert_eq!(json["a"]["singles_solve"].as_u64(), Some(a.singles()));
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
