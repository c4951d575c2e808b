//! Audits of any files of puzzles: do they have one solution, are there copies, how hard are they?
//!
//! ```text
//!   file A -> every row: solutions, minimal, singles?, class, class of the solution -> Facts
//!   file B -> the same                                                                   |
//!                                 multisets of hashes of both -> copies inside, copies between -> page, JSON
//! ```
//!
//! Everything is computed here; what a file says about its puzzles is only compared with it (`claims`). The memory does
//! not grow with the rows, but for 4 bytes a row (see `near`).

mod claims;
mod near;
mod page;

use std::io;
use std::path::Path;

use super::Summary;
use super::answers::Answers;
use super::numbers::Number;
use super::tally::Tally;
use crate::corpus::{
    Analysis, ColumnType, Copied, CorpusError, Input, ItemSize, Job, OnError, Outside, Ratings, Reading, Record,
    Result, RowError, SourceScales, Unread, Value, in_order, write_table,
};
use sudoku_corpus_core::board::Puzzle;
use sudoku_corpus_core::catalogue::canonical::{self, Without};
use sudoku_corpus_core::ladder::Ladder;
use sudoku_corpus_core::solve::Budget;

use claims::Claim;
use near::HashKind;
pub use near::{AuditRows, Kind, Leak};
pub use page::{Leaks, document, json};

/// What to compute besides the basic facts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AuditOptions {
    /// Rate puzzles: levels and ER, a thousandth of a second each.
    pub rate: bool,
    /// Neighbors that are listed as leaks have at most this number of givens moved, added or removed: 0 to 2.
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
    /// The boards. Minimality, difficulty and symmetries are counted for puzzles with one solution.
    summary: Summary,
    answers: Answers,
    /// Boards without blank cells.
    full: u64,
    /// The columns of other programs.
    claims: Vec<Claim>,
    /// Boards that have no class, or whose solution grid has none: they are compared cell by cell.
    without_class: u64,
    /// Copies among the rows of this file.
    copies: Copies,
    /// Essentially different solution grids.
    different_grids: u64,
    /// Rows of this file that are also among those of another.
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
    /// The number of those that a kind of hashes finds.
    fn of_kind(&mut self, kind: HashKind) -> &mut u64 {
        match kind {
            HashKind::Board => &mut self.exact,
            HashKind::Class => &mut self.isomorphic,
            HashKind::SolutionClass => &mut self.grids,
        }
    }
}

/// Boards by their number of solutions.
#[derive(Debug, PartialEq, Eq)]
struct SolutionCounts {
    none: u64,
    one: u64,
    several: u64,
    /// Boards for which the budget was used up.
    unsettled: u64,
}

/// The budget for each board: of counting solutions (in positions; on 9x9 in solutions), and of the reference search
/// (in positions).
const BUDGET: Budget = Budget(100_000);

/// Audits the folder of a corpus or a file of puzzles. Its rows are also added to `rows`; [`AuditRows::finish`] counts the
/// copies.
///
/// # Errors
/// A file that cannot be opened, or that is too damaged to be read; a temporary file that cannot be written or read;
/// the system lacks threads.
pub fn audit(source: &Path, options: AuditOptions, rows: &mut AuditRows, job: &Job<'_>) -> Result<Facts> {
    let levels = SourceScales::of(&[source.to_owned()])?.common().unwrap_or_default();
    let analysis = Analysis {
        ladder: options.rate.then(Ladder::default),
        ratings: if options.rate { Ratings::SE.and(levels.ratings()) } else { Ratings::NONE },
        levels: levels.clone(),
        count_limit: 2,
        budget: BUDGET,
        ..Analysis::default()
    };
    let work = |row: Unread| (row.line(), row.read().map(|record| AuditedRow::new(record, &analysis, options.near)));
    let input =
        Input::open(source, Reading { copy: Copied::TextsAndRatings, wrong_solutions: true, ..Reading::default() })?;
    let mut claims = Vec::new();
    for Outside { name, .. } in input.outside() {
        claims.push(Claim::new(name.strip_prefix("input_").map_or_else(|| name.clone(), str::to_owned)));
    }
    let mut facts = Facts { claims, summary: Summary::of(levels), ..Facts::default() };
    in_order(ItemSize::Small, input.unread(), &job.stop, work, |results| {
        job.progress.rows(results.len() as u64);
        for (line, row) in results {
            let row = OnError::Skip.sort(row, job.progress)?;
            let (record, keys) = match &row {
                Some(AuditedRow { record, keys }) => (Some(record), &keys[..]),
                None => (None, &[][..]),
            };
            rows.add(line, record, keys).map_err(CorpusError::io("compare the rows of", source))?;
            match row {
                Some(row) => {
                    if let Some(reason) = row.record.solution_fault.as_deref() {
                        let (file, reason) = (source.to_owned(), reason.to_owned());
                        job.progress.skipped(&RowError { file, line, column: None, reason }.into());
                    }
                    facts.add(row.record);
                }
                None => facts.unreadable += 1,
            }
        }
        Ok::<(), CorpusError>(())
    })?;
    facts.answers = facts.summary.together();
    job.progress.unsettled(facts.solutions().unsettled, BUDGET.0);
    rows.end_file();
    Ok(facts)
}

/// A row that was analyzed anew, and the keys by which its neighbors are found.
struct AuditedRow {
    record: Record,
    keys: Vec<Without>,
}

impl AuditedRow {
    /// Analyzes the board of a row. `near` is how many givens of neighbors may differ.
    fn new(mut row: Record, analysis: &Analysis, near: usize) -> AuditedRow {
        let (outside, solution_fault) = (std::mem::take(&mut row.outside), row.solution_fault.take());
        let mut record = Record { outside, solution_fault, ..analysis.analyze(unsaid(row)) };
        if let (None, Some(puzzle)) = (record.class, &record.puzzle)
            && record.shape.is_solvable()
        {
            // Puzzles without a solution are compared, too.
            record.class = Some(canonical::class(puzzle));
        }
        let keys = record.puzzle.as_ref().map_or_else(Vec::new, |puzzle| AuditRows::keys_of(near, puzzle));
        AuditedRow { record, keys }
    }
}

/// Writes leaks as Parquet: file, line (from 1; in Parquet and corpora the number of the row), kind, and group. `files`
/// are the audited files in the order in which they were audited.
///
/// # Errors
/// The file cannot be written.
pub fn write_leaks(path: &Path, files: &[Facts], leaks: &[Leak]) -> io::Result<()> {
    let (text, number) = (ColumnType::Text, ColumnType::Signed);
    let columns = [("file", text), ("line", number), ("kind", text), ("group", number)];
    let names: Vec<&str> = files.iter().map(|facts| facts.name.as_str()).collect();
    let value = |row: usize, column: usize| {
        let leak = &leaks[row];
        match columns[column].0 {
            "file" => names.get(leak.file).copied().unwrap_or_default().into(),
            "line" => Value::Signed(leak.line.into()),
            "kind" => leak.kind.name().into(),
            _ => leak.group.map_or(Value::Null, |group| Value::Signed(group.into())),
        }
    };
    write_table(path, columns, leaks.len(), value)
}

/// The board of a row, without anything that its file says about it.
fn unsaid(record: Record) -> Record {
    let board = record.puzzle.or_else(|| record.solution.map(Puzzle::from));
    match board {
        Some(board) => Record::of_puzzle(record.row, board),
        None => Record::new(record.row, record.shape),
    }
}

impl Facts {
    /// Counts an analyzed row. What puzzles without exactly one solution have besides their givens is left out.
    fn add(&mut self, record: Record) {
        let Some(puzzle) = &record.puzzle else {
            self.unreadable += 1;
            return;
        };
        self.wrong_solutions += u64::from(record.solution_fault.is_some());
        self.full += u64::from(puzzle.grid().holes() == 0);
        let lacks_class = record.class.is_none() || record.is_unique() && record.solution_class.is_none();
        self.without_class += u64::from(lacks_class);
        if !record.is_unique() {
            // What is known of an improper puzzle besides its givens says nothing about its difficulty.
            let Record { solutions, solutions_exact, .. } = record;
            return self.summary.add(&Record { solutions, solutions_exact, ..unsaid(record) });
        }
        for (claim, value) in self.claims.iter_mut().zip(&record.outside) {
            claim.add(value, &record);
        }
        // `near` counts copies, also between files, so the summary need not.
        self.summary.add(&Record { class: None, ..record });
    }

    /// The number of readable boards.
    pub fn rows(&self) -> u64 {
        self.summary.rows
    }

    fn solutions(&self) -> SolutionCounts {
        let [none, one, several] = self.answers.solutions();
        SolutionCounts { none, one, several, unsettled: self.rows() - none - one - several }
    }

    /// Puzzles that naked and hidden singles solve.
    fn singles(&self) -> u64 {
        self.answers.tally(Number::GUESSES).count(0)
    }

    /// Puzzles with symmetries besides the identity (9x9).
    fn symmetric(&self) -> u64 {
        let maps = self.answers.tally(Number::AUTOMORPHISMS);
        maps.total() - maps.count(1)
    }

    /// The number of puzzles with each ER in tenths.
    fn er(&self) -> &Tally {
        self.answers.tally(Number::ER)
    }

    fn mean_givens(&self) -> f64 {
        self.answers.tally(Number::GIVENS).sum() as f64 / self.rows().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::tests::puzzle;
    use crate::study::{Source, Table};
    use sudoku_corpus_core::board::{Freedom, Isomorphism, Shape, Solution, Symmetry, text};
    use sudoku_corpus_core::catalogue::canonical::class_of;
    use sudoku_corpus_core::dig::{DigOptions, Plan};
    use sudoku_corpus_core::generate::{Method, Strength};
    use sudoku_corpus_core::random::{Rng, Stage};

    const LINES: [&str; 3] = [
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
        "1............8.2......37.45.....197..3...5.2.8.1.42..........9..64..3....7851.6..",
        "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    ];

    /// The facts about files with these endings and contents.
    fn together(files: &[(&str, String)]) -> Vec<Facts> {
        let folder = tempfile::tempdir().unwrap();
        let mut rows = AuditRows::new(0, false).unwrap();
        let mut facts = Vec::new();
        for (format, text) in files {
            let path = folder.path().join(format!("puzzles.{format}"));
            std::fs::write(&path, text).unwrap();
            facts.push(audit(&path, AuditOptions::default(), &mut rows, &Job::default()).unwrap());
        }
        assert!(rows.finish(&mut facts).unwrap().is_empty());
        facts
    }

    fn image(line: &str, seed: u64) -> String {
        let mut rng = Rng::new(seed, 0, Stage::Bench, 0);
        Isomorphism::random(Shape::NINE, Freedom::ALL, &mut rng).apply_to_puzzle(&puzzle(line)).to_string()
    }

    #[test]
    fn copies_are_found_inside_and_between() {
        let a: Vec<String> = [LINES[0], LINES[0], LINES[1], "1234567"].map(str::to_owned).to_vec();
        let a = [a, vec![image(LINES[0], 1), ".".repeat(81), LINES[0].replacen('.', "4", 1)]].concat();
        let b = [image(LINES[1], 2), LINES[2].to_owned()];
        let [a, b] = &together(&[("txt", a.join("\n")), ("txt", b.join("\n"))])[..] else { panic!() };
        assert_eq!((a.rows(), a.unreadable), (6, 1));
        assert_eq!(a.solutions(), SolutionCounts { none: 0, one: 5, several: 1, unsettled: 0 });
        // The puzzle with one more given is another puzzle with the same solution grid.
        assert_eq!(a.copies, Copies { exact: 1, isomorphic: 2, grids: 3 });
        assert_eq!(a.different_grids, 2);
        assert_eq!([a.shared, b.shared], [Copies { exact: 0, isomorphic: 1, grids: 1 }; 2]);
        assert_eq!(b.copies, Copies::default());
    }

    /// A wrong solution beside a puzzle does not take the puzzle out of the comparison.
    #[test]
    fn puzzles_with_a_wrong_solution_are_compared() {
        let [right, wrong] = [0, 1].map(|seed| line(dug(seed, 0).1));
        let puzzle = dug(0, 0).0;
        for bad in [wrong, "1".repeat(81), "123".to_owned()] {
            let file = |solution: &str| ("csv", format!("puzzle,solution\n{puzzle},{solution}\n"));
            let [a, b] = &together(&[file(&right), file(&bad)])[..] else { panic!() };
            let found = [a.rows(), a.wrong_solutions, b.rows(), b.wrong_solutions, b.unreadable];
            assert_eq!(found, [1, 0, 1, 1, 0], "{bad}");
            assert_eq!([a.shared, b.shared], [Copies { exact: 1, isomorphic: 1, grids: 1 }; 2], "{bad}");
        }
    }

    /// Above 9x9, solution grids are compared cell by cell. Puzzles without a solution have classes, too.
    #[test]
    fn large_boards_and_puzzles_without_a_solution_are_compared() {
        let method = Method::Permutation(Strength::default());
        let grid = method.fill("4x4".parse().unwrap(), &mut Rng::new(31, 0, Stage::Generate, 0)).unwrap();
        let [first, second] = [0, 1].map(|blank| grid.masked(|cell| cell.index() > blank).to_string());
        let [a, b] = &together(&[("txt", first), ("txt", second)])[..] else { panic!() };
        assert_eq!([a.shared, b.shared], [Copies { exact: 0, isomorphic: 0, grids: 1 }; 2]);
        assert_eq!((a.different_grids, a.without_class), (1, 1));
        let page = document(a, Some(b), None).markdown();
        assert!(page.contains("the solution grids of 1 board"), "{page}");
        let impossible = LINES[0].replacen("53..7", "53.27", 1);
        assert_eq!(solutions(&puzzle(&impossible)), 0);
        let [a, b] = &together(&[("txt", image(&impossible, 3)), ("txt", impossible)])[..] else { panic!() };
        assert_eq!([a.shared, b.shared], [Copies { exact: 0, isomorphic: 1, grids: 0 }; 2]);
        assert_eq!(a.without_class, 0);
    }

    #[test]
    fn pages_and_json_agree() {
        let [a, b] = &together(&[("txt", LINES.join("\n")), ("txt", [LINES[0]; 2].join("\n"))])[..] else { panic!() };
        let page = document(a, Some(b), None).markdown();
        assert!(page.contains("3 of 3 boards have exactly one solution"), "{page}");
        let json = json(a, Some(b), None);
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
        let mut text = "name,puzzle,score,label,constant,level\n".to_owned();
        let mut easy_rows = 0;
        for seed in 0..60 {
            let puzzle = dug(seed, 0).0;
            let guesses = search(&puzzle);
            easy_rows += u64::from(guesses == 0);
            let label = if guesses > 0 { "hard" } else { "easy" };
            let score = 7.0 - 2.0 * (1.0 + guesses as f64).log2();
            text += &format!("name {seed},{puzzle},{score:.3},{label},-3,{label}\n");
        }
        let audit = together(&[("csv", text)]).remove(0);
        let columns = json(&audit, None, None)["a"]["columns"].clone();
        let column = |name: &str| columns.as_array().unwrap().iter().find(|column| column["column"] == name).unwrap();
        let score = column("score");
        assert!((score["guesses"]["rank_correlation"].as_f64().unwrap() + 1.0).abs() < 1e-9, "{score}");
        assert!(score["er"].is_null(), "nothing was rated");
        assert!(column("constant")["guesses"].is_null() && column("name")["texts"] == serde_json::json!([]));
        for (label, is_label) in [("label", true), ("level", true), ("constant", false)] {
            let texts = column(label)["texts"].as_array().unwrap();
            assert_eq!(texts.len(), if is_label { 2 } else { 0 }, "{label}");
            let easy = texts.iter().find(|text| text["text"] == "easy");
            assert!(easy.is_none_or(|easy| easy["mean_log2_guesses"] == 0.0 && easy["rows"] == easy_rows), "{label}");
        }
        let page = document(&audit, None, None).markdown();
        assert!(page.contains("| label = easy |") && page.contains("| score | 60 |"), "{page}");
    }

    /// Also in files of this program, whose columns have the meaning of ours.
    #[test]
    fn what_rows_of_this_program_say_of_difficulty_is_compared() {
        let mut text = "row,shape,puzzle,level,givens,hodoku_score,w\n".to_owned();
        for row in 0..40 {
            text += &format!("{row},3x3,{},easy,30,{},\n", dug(row, 0).0, 100 + row);
        }
        let audit = together(&[("csv", text)]).remove(0);
        let columns = json(&audit, None, None)["a"]["columns"].clone();
        let names: Vec<&str> =
            columns.as_array().unwrap().iter().filter_map(|column| column["column"].as_str()).collect();
        assert_eq!(names, ["level", "hodoku_score"]);
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

    #[test]
    fn copies_within_a_file_leak_only_if_it_is_audited_alone() {
        let [one, other] = [0, 1].map(|seed| dug(seed, 0).0.to_string());
        let folder = tempfile::tempdir().unwrap();
        let kinds = |texts: &[String]| -> Vec<(usize, Kind)> {
            let mut rows = AuditRows::new(1, true).unwrap();
            let options = AuditOptions { near: 1, ..AuditOptions::default() };
            let mut facts: Vec<Facts> = Vec::new();
            for text in texts {
                let path = folder.path().join("puzzles.txt");
                std::fs::write(&path, text).unwrap();
                facts.push(audit(&path, options, &mut rows, &Job::default()).unwrap());
            }
            rows.finish(&mut facts).unwrap().iter().map(|leak| (leak.file, leak.kind)).collect()
        };
        let twice = format!("{one}\n{one}\n");
        assert_eq!(kinds(std::slice::from_ref(&twice)), [(0, Kind::Copy); 2]);
        assert_eq!(kinds(&[twice.clone(), other]), []);
        assert_eq!(kinds(&[twice, one]), [(0, Kind::Copy), (0, Kind::Copy), (1, Kind::Copy)]);
    }

    /// A minimal puzzle from which leaks are made.
    struct Base {
        seed: u64,
        puzzle: Puzzle,
        solution: Solution,
        /// The digits of the solution.
        digits: [u8; 81],
        givens: Vec<usize>,
        blanks: Vec<usize>,
    }

    impl Base {
        fn of(seed: u64) -> Base {
            let (puzzle, solution) = dug(seed, 0);
            let values = puzzle.grid().nine().unwrap();
            let (givens, blanks) = (0..81).partition(|&cell| values[cell] != 0);
            let digits = Puzzle::from(solution.clone()).grid().nine().unwrap();
            Base { seed, puzzle, solution, digits, givens, blanks }
        }

        /// A puzzle that has to do with this one, and how. Only the first six of fifty have such a puzzle.
        fn kin(&self) -> Option<(Puzzle, &'static [Kind])> {
            Some(match self.seed % 50 {
                0 => (self.puzzle.clone(), &[Kind::Copy]),
                1 => (self.puzzle.clone(), &[Kind::Isomorphic]),
                2 => (dug(self.seed, 1).0, &[Kind::SameSolution]),
                3 => (self.with_given_moved()?, &[Kind::Neighbor, Kind::SameSolution]),
                4 => {
                    let cell = self.blanks[0];
                    let more = changed(&self.puzzle, &[(cell, self.digits[cell])])?;
                    (more, &[Kind::Neighbor, Kind::SameSolution])
                }
                5 => (self.with_given_changed()?, &[Kind::NeighborOfOtherSolution]),
                _ => return None,
            })
        }

        fn with_given_moved(&self) -> Option<Puzzle> {
            self.givens.iter().find_map(|&given| {
                let digits = &self.digits;
                let moved_to = |&cell: &usize| changed(&self.puzzle, &[(given, 0), (cell, digits[cell])]);
                self.blanks.iter().filter_map(moved_to).find(|puzzle| solutions(puzzle) == 1)
            })
        }

        /// Rarely, a changed given is the same puzzle with two digits exchanged: then another one is taken.
        fn with_given_changed(&self) -> Option<Puzzle> {
            let class_of = |puzzle: &Puzzle| class_of(&puzzle.grid().nine().unwrap());
            self.givens.iter().find_map(|&given| {
                let digits = (1..=9).filter(|&digit| digit != self.digits[given]);
                let mut changed = digits.filter_map(|digit| changed(&self.puzzle, &[(given, digit)]));
                changed.find(|puzzle| solutions(puzzle) == 1 && class_of(puzzle) != class_of(&self.puzzle))
            })
        }

        fn without_solution(&self) -> Puzzle {
            let added = self.blanks.iter().flat_map(|&cell| (1..=9).map(move |digit| (cell, digit)));
            added.filter_map(|given| changed(&self.puzzle, &[given])).find(|puzzle| solutions(puzzle) == 0).unwrap()
        }
    }

    #[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
    struct ListedLeak {
        file: usize,
        line: u32,
        kind: Kind,
    }

    /// The rows of two files, and the leaks in them.
    #[derive(Default)]
    struct Planted {
        rows: [Vec<String>; 2],
        leaks: Vec<ListedLeak>,
    }

    impl Planted {
        fn put(&mut self, file: usize, puzzle: impl std::fmt::Display, solution: &str, kinds: &[Kind]) {
            self.rows[file].push(format!("{puzzle},{solution}"));
            // A comment and the header stand before the rows, a blank line before each.
            let line = 2 + 2 * self.rows[file].len() as u32;
            self.leaks.extend(kinds.iter().map(|&kind| ListedLeak { file, line, kind }));
        }
    }

    /// Leaks of ten kinds, of which moved and added givens have one name, among puzzles that have nothing to do with
    /// each other: all that two files share are found, and nothing else.
    fn planted_leaks_are_found(puzzles: u64) {
        let mut planted = Planted::default();
        let mut rng = Rng::new(5, 0, Stage::Bench, 0);
        for seed in 0..puzzles {
            let base = Base::of(seed);
            let file = (seed / 50 % 2) as usize;
            match seed % 50 {
                6 => planted.put(0, &base.puzzle, &line(dug(seed + puzzles, 0).1), &[Kind::WrongSolution]),
                7 => {
                    let fewer = changed(&base.puzzle, &[(base.givens[0], 0)]).unwrap();
                    planted.put(file, &fewer, "", &[Kind::SeveralSolutions]);
                }
                8 => planted.put(file, base.without_solution(), "", &[Kind::NoSolution]),
                9 => planted.put(1, "53..75", "", &[Kind::Unreadable]),
                kind => {
                    let kin = base.kin();
                    let kinds = kin.as_ref().map_or(&[][..], |(_, kinds)| *kinds);
                    // What one of two files has twice does not leak.
                    let kinds = if file == 0 { &[] } else { kinds };
                    planted.put(0, &base.puzzle, &line(base.solution), kinds);
                    let Some((mut kin, _)) = kin else { continue };
                    if kind > 0 {
                        kin = Isomorphism::random(Shape::NINE, Freedom::ALL, &mut rng).apply_to_puzzle(&kin);
                    }
                    planted.put(file, &kin, "", kinds);
                }
            }
        }
        let Planted { rows: files, leaks: mut expected } = planted;
        let folder = tempfile::tempdir().unwrap();
        let mut rows = AuditRows::new(1, true).unwrap();
        let options = AuditOptions { near: 1, ..AuditOptions::default() };
        let mut facts = Vec::new();
        for (file, lines) in files.iter().enumerate() {
            let path = folder.path().join("puzzles.csv");
            std::fs::write(&path, format!("# leaks\npuzzle,solution\n\n{}\n", lines.join("\n\n"))).unwrap();
            let audited = audit(&path, options, &mut rows, &Job::default()).unwrap();
            facts.push(Facts { name: file.to_string(), ..audited });
        }
        let leaks = rows.finish(&mut facts).unwrap();
        let listed = leaks.iter().map(|leak| ListedLeak { file: leak.file, line: leak.line, kind: leak.kind });
        let mut listed: Vec<ListedLeak> = listed.collect();
        listed.sort_unstable();
        expected.sort_unstable();
        assert!(expected.len() as u64 > puzzles / 5, "{}", expected.len());
        for kind in [Kind::Neighbor, Kind::NeighborOfOtherSolution, Kind::WrongSolution] {
            assert!(expected.iter().any(|leak| leak.kind == kind), "{kind:?}");
        }
        let missing: Vec<_> = expected.iter().filter(|leak| !listed.contains(leak)).collect();
        let invented: Vec<_> = listed.iter().filter(|leak| !expected.contains(leak)).collect();
        assert!(missing.is_empty() && invented.is_empty(), "missing {missing:?}, invented {invented:?}");
        // Each group has its two rows.
        assert!(leaks.iter().filter_map(|leak| leak.group).all(|group| leaks.iter().any(|leak| leak.row == group)));
        let out = folder.path().join("leaks.parquet");
        write_leaks(&out, &facts, &leaks).unwrap();
        let near = leaks.iter().filter(|leak| leak.kind == Kind::Neighbor).count() as u64;
        let kinds = std::collections::BTreeMap::from([(Kind::Neighbor.name(), near)]);
        assert_eq!(json(&facts[0], Some(&facts[1]), Some(&kinds))["leaks"]["neighbor"], near);
        let page = document(&facts[0], Some(&facts[1]), Some(&kinds)).markdown();
        assert!(page.contains(&format!("| neighbor | {near} |")), "{page}");
        let source = Source::outside(&format!("l={}", out.display()).as_str().into()).unwrap();
        let answer = Table::of(&[source])
            .unwrap()
            .ask("SELECT count(*), count(DISTINCT kind), max(\"line\") > 1 FROM l")
            .unwrap();
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
}
