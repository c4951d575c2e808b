//! Audits of any files of puzzles: do they have one solution, are there copies, which method may have made the grids?
//!
//! ```text
//!   file A -> every row: solutions, minimal, singles?, class, class of the solution -> Facts
//!   file B -> the same                                                                   |
//!                                 multisets of hashes of both -> copies inside, copies between -> page, JSON
//! ```
//!
//! Everything is computed here; what a file says about its puzzles is only compared with it (`claims`). The memory does
//! not grow with the rows, except where leaks are listed: then 40 bytes a row, and one of the temporary files of keys
//! at a time (see `near`).

mod claims;
mod near;
mod origin;
mod page;

use std::io;
use std::path::Path;

use super::Summary;
use super::counts::Counts;
use super::multiset::Multiset;
use super::stats::Tally;
use crate::corpus::{
    Analysis, ColumnType, Copied, CorpusError, Input, Job, OnError, Outside, Ratings, Reading, Record, Result, Unread,
    Value, Workers, solution_class, write_table,
};
use sudoku_corpus_core::board::{Puzzle, Shape};
use sudoku_corpus_core::catalogue::canonical::Without;
use sudoku_corpus_core::generate::{Method, Strength};
use sudoku_corpus_core::random::{Rng, Stage};
use sudoku_corpus_core::rate::Ladder;
use sudoku_corpus_core::solve::Budget;

use claims::Claim;
pub use near::{Kind, Leak, Rows};
pub use origin::{GridTraits, origin};
pub use page::{Leaks, document, json};

/// What to compute besides the basic facts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AuditOptions {
    /// Rate puzzles: levels and ER, a thousandth of a second each.
    pub rate: bool,
    /// Neighbours that are listed as leaks have at most this number of givens moved, added or removed: 0 to 2.
    pub near: usize,
}

/// The facts about one file, or about several files together.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Their name on the page.
    pub name: String,
    /// Lines without a board, or whose givens contradict each other.
    unreadable: u64,
    /// Readable puzzles for which the file has a wrong solution.
    wrong_solutions: u64,
    /// The number of its rows, where leaks are listed.
    rows_of_leaks: u32,
    /// The boards. Minimality, difficulty and symmetries are counted for puzzles with one solution.
    summary: Summary,
    /// The counts of all shapes together.
    counts: Counts,
    /// Boards without blank cells.
    full: u64,
    /// Figures of the solution grids of 9x9 puzzles with one solution.
    origin: GridTraits,
    /// The columns of other programs.
    claims: Vec<Claim>,
    /// Hashes of the boards cell by cell, of their classes, of the classes of their solutions.
    hashes: [Multiset; 3],
    /// Copies among the rows of this file.
    copies: Copies,
    /// Essentially different solution grids.
    different_grids: u64,
    /// Solution grids that are shuffles of the grid of the method permutation.
    permuted: u64,
    /// Rows of this file that are also among those of another, after [`compare`].
    shared: Copies,
}

/// Copies among the rows of one file, or of two. In one file they are copies of an earlier row; in two files (`shared`)
/// of any row of the other file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copies {
    /// Boards that are identical to that of such a row.
    pub exact: u64,
    /// Boards that are isomorphic to that of such a row, including identical ones.
    pub isomorphic: u64,
    /// Puzzles whose solution grid is essentially the same as that of such a row, including isomorphic puzzles.
    pub grids: u64,
}

impl Copies {
    /// From the numbers of repeated hashes: of boards, of classes, of classes of solutions.
    fn of([exact, isomorphic, grids]: [u64; 3]) -> Copies {
        Copies { exact, isomorphic, grids }
    }
}

/// The budget for each board: of counting solutions (in positions; on 9x9 in solutions), and of the reference search
/// (in positions).
const BUDGET: Budget = Budget(100_000);

/// Audits the folder of a corpus or a file of puzzles. Its rows are also added to `leaks`, if leaks are to be listed.
///
/// # Errors
/// A file that cannot be opened, or that is too damaged to be read; a temporary file that cannot be written or read;
/// the system lacks threads.
pub fn audit(source: &Path, options: AuditOptions, mut leaks: Option<&mut Rows>, job: &Job<'_>) -> Result<Facts> {
    let analysis = Analysis {
        ladder: options.rate.then(Ladder::default),
        ratings: if options.rate { Ratings::SE } else { Ratings::NONE },
        count_limit: 2,
        budget: BUDGET,
        ..Analysis::default()
    };
    let near = if leaks.is_some() { options.near } else { 0 };
    let work = |row: Unread| {
        let line = row.line();
        let analyzed = |mut row: Record| -> (Record, Vec<Without>) {
            let outside = std::mem::take(&mut row.outside);
            let record = Record { outside, ..analysis.analyze(unsaid(row)) };
            let keys = record.puzzle.as_ref().map_or_else(Vec::new, |puzzle| Rows::keys_of(near, puzzle));
            (record, keys)
        };
        (line, row.read().map(analyzed))
    };
    let input = Input::open(source, Reading { copy: Copied::Texts, ..Reading::default() })?;
    let name = |column: Outside| column.name.strip_prefix("input_").map_or(column.name.clone(), str::to_owned);
    let claims = input.outside().into_iter().map(|column| Claim::new(name(column))).collect();
    let mut facts = Facts { claims, ..Facts::default() };
    Workers::new(job.threads)?.run(input.unread(), &job.stop, work, |done| {
        job.progress.rows(done.len() as u64);
        for (line, row) in done {
            let wrong = is_wrong_solution(&row);
            let row = OnError::Skip.sort(row, job.progress)?;
            if let Some(leaks) = &mut leaks {
                facts.rows_of_leaks += 1;
                let (record, keys) = row.as_ref().map_or((None, &[][..]), |(record, keys)| (Some(record), &keys[..]));
                leaks.add(line, record, wrong, keys).map_err(CorpusError::io("list the leaks of", source))?;
            }
            match row {
                Some((record, _)) => facts.add(record),
                None if wrong => facts.wrong_solutions += 1,
                None => facts.unreadable += 1,
            }
        }
        Ok::<(), CorpusError>(())
    })?;
    facts.counts = facts.summary.together();
    job.progress.unsettled(facts.solutions()[3], BUDGET.0);
    facts.count_copies().map_err(CorpusError::io("count the copies in", source))?;
    Ok(facts)
}

/// Counts what two files share, for [`document`] and [`json`].
///
/// # Errors
/// The temporary files of hashes cannot be read.
pub fn compare(a: &mut Facts, b: &mut Facts) -> io::Result<()> {
    let (mut of_a, mut of_b) = ([0; 3], [0; 3]);
    for kind in 0..3 {
        let mut others = b.hashes[kind].groups()?.peekable();
        for group in a.hashes[kind].groups()? {
            let (hash, times) = group?;
            while let Some(smaller) = others.next_if(|other| other.as_ref().map_or(true, |other| other.0 < hash)) {
                smaller?;
            }
            if let Some(same) = others.next_if(|other| other.as_ref().is_ok_and(|other| other.0 == hash)) {
                of_a[kind] += times;
                of_b[kind] += same?.1;
            }
        }
    }
    (a.shared, b.shared) = (Copies::of(of_a), Copies::of(of_b));
    Ok(())
}

/// True if the puzzle of a row could be read, but the solution beside it could not, or is that of another puzzle.
fn is_wrong_solution<T>(row: &Result<T>) -> bool {
    let Err(CorpusError::Row(error)) = row else { return false };
    error.reason == crate::corpus::NOT_PART || error.reason.starts_with("solution: ")
}

/// True if a puzzle has exactly one solution.
fn is_unique(record: &Record) -> bool {
    (record.solutions, record.solutions_exact) == (Some(1), Some(true))
}

/// Writes leaks as Parquet: file, line (from 1; in Parquet and corpora the number of the row), kind, and group. `files`
/// are the audited files in the order in which they were audited.
///
/// # Errors
/// The file cannot be written.
pub fn write_leaks(path: &Path, files: &[&Facts], leaks: &[Leak]) -> std::io::Result<()> {
    let name = |row: u32| {
        let mut end = 0;
        let found = files.iter().find(|facts| {
            end += facts.rows_of_leaks;
            row < end
        });
        found.map_or("", |facts| facts.name.as_str())
    };
    let value = |row: usize, column| match (&leaks[row], column) {
        (leak, 0) => name(leak.row).into(),
        (leak, 1) => Value::Signed(leak.line.into()),
        (leak, 2) => leak.kind.name().into(),
        (leak, _) => leak.group.map_or(Value::Null, |group| Value::Signed(group.into())),
    };
    let (text, number) = (ColumnType::Text, ColumnType::Signed);
    write_table(path, [("file", text), ("line", number), ("kind", text), ("group", number)], leaks.len(), value)
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
    /// Counts an analysed row. What puzzles without exactly one solution have besides their givens is left out.
    fn add(&mut self, record: Record) {
        let Some(puzzle) = &record.puzzle else {
            self.unreadable += 1;
            return;
        };
        self.full += u64::from(puzzle.grid().holes() == 0);
        self.hashes[0].add(text_hash(puzzle));
        record.class.into_iter().for_each(|class| self.hashes[1].add(class));
        if !is_unique(&record) {
            // What is known of an improper puzzle besides its givens says nothing about its difficulty.
            let Record { solutions, solutions_exact, .. } = record;
            return self.summary.add(&Record { solutions, solutions_exact, ..unsaid(record) });
        }
        record.solution_class.into_iter().for_each(|class| self.hashes[2].add(class));
        self.claims.iter_mut().zip(&record.outside).for_each(|(claim, value)| claim.add(value, &record));
        if let Some(solution) = record.solution.as_ref().filter(|_| record.shape == Shape::NINE) {
            self.origin.add(solution);
        }
        // Copies are counted exactly here.
        self.summary.add(&Record { class: None, ..record });
    }

    /// The number of readable boards.
    fn rows(&self) -> u64 {
        self.summary.rows
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

    /// Counts the copies by their hashes, and the solution grids that the method `permutation` makes, which are all of
    /// one class.
    fn count_copies(&mut self) -> io::Result<()> {
        let mut rng = Rng::new(0, 0, Stage::Sample, 0);
        let grid = Method::Permutation(Strength::default()).fill(Shape::NINE, &mut rng).ok();
        let permuted = grid.and_then(|grid| solution_class(&grid));
        let mut repeated = [0; 3];
        for (kind, hashes) in self.hashes.iter().enumerate() {
            for group in hashes.groups()? {
                let (hash, times) = group?;
                repeated[kind] += times - 1;
                if kind == 2 && Some(hash) == permuted {
                    self.permuted = times;
                }
            }
        }
        self.copies = Copies::of(repeated);
        self.different_grids = self.hashes[2].len() - repeated[2];
        Ok(())
    }

    /// The mean number of givens.
    fn mean_givens(&self) -> f64 {
        self.counts.givens.sum() as f64 / self.rows().max(1) as f64
    }
}

/// A hash of a board, cell by cell, and of its shape.
fn text_hash(puzzle: &Puzzle) -> u128 {
    let hash = blake3::hash(format!("{} {puzzle}", puzzle.shape()).as_bytes());
    u128::from_le_bytes(hash.as_bytes()[..16].try_into().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudoku_corpus_core::board::{Freedom, Isomorphism, Solution, Symmetry, text};
    use sudoku_corpus_core::catalogue::canonical::class_of;
    use sudoku_corpus_core::dig::{DigOptions, Plan};

    const LINES: [&str; 3] = [
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
        "1............8.2......37.45.....197..3...5.2.8.1.42..........9..64..3....7851.6..",
        "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    ];

    fn audited(lines: &[String]) -> Facts {
        audited_as("txt", &lines.join("\n"))
    }

    fn audited_as(format: &str, text: &str) -> Facts {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(format!("puzzles.{format}"));
        std::fs::write(&path, text).unwrap();
        audit(&path, AuditOptions::default(), None, &Job::default()).unwrap()
    }

    fn image(line: &str, seed: u64) -> String {
        let puzzle = Puzzle::try_from(text::parse_line(line, None).unwrap()).unwrap();
        let mut rng = Rng::new(seed, 0, Stage::Bench, 0);
        Isomorphism::random(Shape::NINE, Freedom::ALL, &mut rng).apply_to_puzzle(&puzzle).to_string()
    }

    #[test]
    fn copies_are_found_inside_and_between() {
        let a: Vec<String> = [LINES[0], LINES[0], LINES[1], "1234567"].map(str::to_owned).to_vec();
        let mut a = audited(&[a, vec![image(LINES[0], 1), ".".repeat(81), LINES[0].replacen('.', "4", 1)]].concat());
        assert_eq!((a.rows(), a.unreadable), (6, 1));
        assert_eq!(a.solutions(), [0, 5, 1, 0]);
        // The puzzle with one more given is another puzzle with the same solution grid.
        assert_eq!(a.copies, Copies { exact: 1, isomorphic: 2, grids: 3 });
        assert_eq!(a.different_grids, 2);
        let mut b = audited(&[image(LINES[1], 2), LINES[2].to_owned()]);
        compare(&mut a, &mut b).unwrap();
        assert_eq!([a.shared, b.shared], [Copies { exact: 0, isomorphic: 1, grids: 1 }; 2]);
        assert_eq!(b.copies, Copies::default());
    }

    #[test]
    fn pages_and_json_agree() {
        let mut a = audited(&LINES.map(str::to_owned));
        let mut b = audited(&[LINES[0].to_owned(), LINES[0].to_owned()]);
        compare(&mut a, &mut b).unwrap();
        let page = document(&a, Some(&b), None).markdown();
        assert!(page.contains("3 of 3 boards have exactly one solution"), "{page}");
        let json = json(&a, Some(&b), None);
        assert_eq!(json["a"]["solutions"]["one"], 3);
        assert_eq!((&json["shared"]["exact"], &json["shared_of_b"]["exact"]), (&1.into(), &2.into()));
        assert_eq!(json["a"]["singles_solve"].as_u64(), Some(a.singles()));
    }

    /// Columns of numbers are correlated with search; columns of few texts have means; other columns say nothing.
    #[test]
    fn columns_of_difficulty_are_compared_with_search() {
        let search = |puzzle: &Puzzle| {
            let options = Analysis { ladder: None, ratings: Ratings::NONE, ..Analysis::default() };
            options.analyze(Record::of_puzzle(0, puzzle.clone())).search_guesses.unwrap()
        };
        let puzzles: Vec<(Puzzle, u64)> = (0..60).map(|seed| dug(seed, 0).0).map(|p| (p.clone(), search(&p))).collect();
        let line = |(at, (puzzle, guesses)): (usize, &(Puzzle, u64))| {
            let label = if *guesses > 0 { "hard" } else { "easy" };
            format!("name {at},{puzzle},{:.3},{label},-3,{label}", 7.0 - 2.0 * (1.0 + *guesses as f64).log2())
        };
        let lines: Vec<String> = puzzles.iter().enumerate().map(line).collect();
        let audit = audited_as("csv", &format!("name,puzzle,score,label,constant,level\n{}", lines.join("\n")));
        let found = json(&audit, None, None)["a"]["columns"].clone();
        let of = |name: &str| found.as_array().unwrap().iter().find(|one| one["column"] == name).unwrap().clone();
        let score = of("score");
        assert!((score["log2_guesses"]["correlation"].as_f64().unwrap() + 1.0).abs() < 1e-3, "{score}");
        assert!(score["er"].is_null(), "nothing was rated");
        assert!(of("constant")["log2_guesses"].is_null() && of("name")["texts"] == serde_json::json!([]));
        for (label, is_label) in [("label", true), ("level", true), ("constant", false)] {
            let texts = of(label)["texts"].as_array().unwrap().clone();
            assert_eq!(texts.len(), if is_label { 2 } else { 0 }, "{label}");
            let easy = texts.iter().find(|one| one["text"] == "easy");
            let rows = puzzles.iter().filter(|(_, guesses)| *guesses == 0).count();
            assert!(easy.is_none_or(|easy| easy["mean_log2_guesses"] == 0.0 && easy["rows"] == rows), "{label}");
        }
        let page = document(&audit, None, None).markdown();
        assert!(page.contains("| label = easy |") && page.contains("| score | 60 |"), "{page}");
    }

    /// A minimal puzzle of a random grid.
    fn dug(seed: u64, attempt: u64) -> (Puzzle, Solution) {
        let grid = Method::Uniform.fill(Shape::NINE, &mut Rng::new(31, seed, Stage::Generate, 0)).unwrap();
        let mut rng = Rng::new(31, seed, Stage::Dig, attempt);
        let dug = Plan::Minimal.dig(&grid, Symmetry::None, &DigOptions::of(Shape::NINE), &mut rng).unwrap();
        (dug.puzzle, grid)
    }

    /// The puzzle with the values of some cells replaced, or None if the givens contradict each other.
    fn changed(puzzle: &Puzzle, cells: &[(usize, u8)]) -> Option<Puzzle> {
        let mut values = puzzle.grid().nine().unwrap();
        cells.iter().for_each(|&(cell, value)| values[cell] = value);
        let line: String = values.iter().map(|value| char::from(b'0' + value)).collect();
        Puzzle::try_from(text::parse_line(&line, None).ok()?).ok()
    }

    fn line(solution: Solution) -> String {
        Puzzle::from(solution).to_string()
    }

    fn solutions(puzzle: &Puzzle) -> u64 {
        let options = Analysis { count_limit: 2, ladder: None, ratings: Ratings::NONE, ..Analysis::default() };
        options.analyze(Record::of_puzzle(0, puzzle.clone())).solutions.unwrap()
    }

    /// Leaks of ten kinds, of which moved and added givens have one name, among puzzles that have nothing to do with
    /// each other: all are found, and nothing else.
    fn planted_leaks_are_found(puzzles: u64) {
        let mut lines: [Vec<(String, String)>; 2] = Default::default();
        let mut expected: Vec<(usize, u32, Kind)> = Vec::new();
        // A comment and the header stand before the rows, a blank line before each.
        let line_of = |lines: &Vec<(String, String)>| 2 + 2 * lines.len() as u32;
        let mut rng = Rng::new(5, 0, Stage::Bench, 0);
        for seed in 0..puzzles {
            let (puzzle, grid) = dug(seed, 0);
            let givens: Vec<usize> = (0..81).filter(|&cell| puzzle.grid().nine().unwrap()[cell] != 0).collect();
            let blanks: Vec<usize> = (0..81).filter(|cell| !givens.contains(cell)).collect();
            let full = Puzzle::from(grid.clone()).grid().nine().unwrap();
            let mut image =
                |puzzle: &Puzzle| Isomorphism::random(Shape::NINE, Freedom::ALL, &mut rng).apply_to_puzzle(puzzle);
            let mut put = |file: usize, puzzle: &Puzzle, solution: String, kinds: &[Kind]| {
                lines[file].push((puzzle.to_string(), solution));
                let line = line_of(&lines[file]);
                expected.extend(kinds.iter().map(|&kind| (file, line, kind)));
            };
            let of_all = |of: &mut dyn FnMut(usize) -> Option<Puzzle>| givens.iter().find_map(|&given| of(given));
            let one = (seed / 50 % 2) as usize;
            let (other, kinds): (Option<Puzzle>, &[Kind]) = match seed % 50 {
                0 => (Some(puzzle.clone()), &[Kind::Copy]),
                1 => (Some(image(&puzzle)), &[Kind::Isomorphic]),
                2 => (Some(image(&dug(seed, 1).0)), &[Kind::SameSolution]),
                // A given is moved to another cell.
                3 => {
                    let moved = of_all(&mut |given| {
                        let mut all =
                            blanks.iter().filter_map(|&cell| changed(&puzzle, &[(given, 0), (cell, full[cell])]));
                        all.find(|puzzle| solutions(puzzle) == 1)
                    });
                    (moved.map(|puzzle| image(&puzzle)), &[Kind::Neighbour, Kind::SameSolution])
                }
                // A given is added.
                4 => {
                    let more = changed(&puzzle, &[(blanks[0], full[blanks[0]])]).unwrap();
                    (Some(image(&more)), &[Kind::Neighbour, Kind::SameSolution])
                }
                // A given is changed, and with it the solution. Rarely, this gives the same puzzle with two digits
                // exchanged.
                5 => {
                    let class = class_of(&puzzle.grid().nine().unwrap());
                    let others = of_all(&mut |given| {
                        let digits = (1..=9).filter(|&digit| digit != full[given]);
                        let mut all = digits.filter_map(|digit| changed(&puzzle, &[(given, digit)]));
                        all.find(|puzzle| solutions(puzzle) == 1 && class_of(&puzzle.grid().nine().unwrap()) != class)
                    });
                    (others.map(|puzzle| image(&puzzle)), &[Kind::NeighbourOfOtherSolution])
                }
                _ => (None, &[]),
            };
            match seed % 50 {
                6 => put(0, &puzzle, line(dug(seed + puzzles, 0).1), &[Kind::WrongSolution]),
                7 => put(one, &changed(&puzzle, &[(givens[0], 0)]).unwrap(), String::new(), &[Kind::SeveralSolutions]),
                8 => {
                    let wrong = blanks.iter().flat_map(|&cell| (1..=9).map(move |digit| (cell, digit)));
                    let mut all = wrong.filter_map(|one| changed(&puzzle, &[one]));
                    let none = all.find(|puzzle| solutions(puzzle) == 0);
                    put(one, &none.unwrap(), String::new(), &[Kind::NoSolution]);
                }
                9 => {
                    lines[1].push(("53..75".to_owned(), String::new()));
                    expected.push((1, line_of(&lines[1]), Kind::Unreadable));
                }
                _ => put(0, &puzzle, line(grid), if other.is_some() { kinds } else { &[] }),
            }
            if let Some(other) = other {
                lines[one].push((other.to_string(), String::new()));
                let line = line_of(&lines[one]);
                expected.extend(kinds.iter().map(|&kind| (one, line, kind)));
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let mut rows = Rows::new(1).unwrap();
        let options = AuditOptions { near: 1, ..AuditOptions::default() };
        let facts: Vec<Facts> = lines
            .iter()
            .enumerate()
            .map(|(at, lines)| {
                let path = folder.path().join(format!("{at}.csv"));
                let text: String = lines.iter().map(|(puzzle, solution)| format!("\n{puzzle},{solution}\n")).collect();
                std::fs::write(&path, format!("# leaks\npuzzle,solution\n{text}")).unwrap();
                let facts = audit(&path, options, Some(&mut rows), &Job::default()).unwrap();
                Facts { name: at.to_string(), ..facts }
            })
            .collect();
        let leaks = rows.leaks().unwrap();
        let first = facts[0].rows_of_leaks;
        let mut found: Vec<(usize, u32, Kind)> =
            leaks.iter().map(|leak| (usize::from(leak.row >= first), leak.line, leak.kind)).collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert!(expected.len() as u64 > puzzles / 5, "{}", expected.len());
        for kind in [Kind::Neighbour, Kind::NeighbourOfOtherSolution, Kind::WrongSolution] {
            assert!(expected.iter().any(|leak| leak.2 == kind), "{kind:?}");
        }
        let missing: Vec<_> = expected.iter().filter(|leak| !found.contains(leak)).collect();
        let invented: Vec<_> = found.iter().filter(|leak| !expected.contains(leak)).collect();
        assert!(missing.is_empty() && invented.is_empty(), "missing {missing:?}, invented {invented:?}");
        // Each group has its two rows.
        assert!(leaks.iter().filter_map(|leak| leak.group).all(|group| leaks.iter().any(|leak| leak.row == group)));
        let out = folder.path().join("leaks.parquet");
        write_leaks(&out, &facts.iter().collect::<Vec<_>>(), &leaks).unwrap();
        let near = leaks.iter().filter(|leak| leak.kind == Kind::Neighbour).count() as u64;
        let kinds = std::collections::BTreeMap::from([(Kind::Neighbour.name(), near)]);
        assert_eq!(json(&facts[0], Some(&facts[1]), Some(&kinds))["leaks"]["neighbour"], near);
        let page = document(&facts[0], Some(&facts[1]), Some(&kinds)).markdown();
        assert!(page.contains(&format!("| neighbour | {near} |")), "{page}");
        let table =
            crate::study::Table::of(&[
                crate::study::Source::outside(&format!("l={}", out.display()).as_str().into()).unwrap()
            ]);
        let answer = table.unwrap().ask("SELECT count(*), count(DISTINCT kind), max(\"line\") > 1 FROM l").unwrap();
        assert_eq!(answer.row(0).unwrap()[0], leaks.len());
        assert_eq!(answer.row(0).unwrap()[1], 9);
    }

    #[test]
    fn planted_leaks_are_found_and_none_invented() {
        planted_leaks_are_found(600);
    }

    /// 100,000 rows.
    #[test]
    #[ignore = "takes minutes; scripts/test_on_demand.sh runs it"]
    fn planted_leaks_among_many_rows_are_found_and_none_invented() {
        planted_leaks_are_found(90_000);
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
        assert_eq!((facts.different_grids, facts.permuted), (1, 300));
        assert_eq!(origin(&facts.origin)[0].0.to_string(), "permutation");
        let facts = audited(&grids(&Method::Uniform));
        assert_eq!((facts.different_grids, facts.permuted), (300, 0));
        let distance = origin(&facts.origin).into_iter().find(|(method, _)| *method == Method::Uniform).unwrap().1;
        assert!(distance < 4.0, "{distance}");
    }
}
