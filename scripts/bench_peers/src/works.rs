//! The benchmarks.

use crate::peers::{Board, Tdoku, line};
use crate::sets::{self, Set};
use crate::table::{Engine, Row, alternate};
use sudoku::Sudoku;
use sudoku_corpus_core::board::{Shape, Solution, Symmetry};
use sudoku_corpus_core::catalogue::canonical::canonical;
use sudoku_corpus_core::dig::{DigOptions, Plan};
use sudoku_corpus_core::random::{Rng, Stage};
use sudoku_corpus_core::solve::nine;

/// The options of all benchmarks.
pub struct Run {
    pub tdoku: Option<&'static Tdoku>,
    pub rounds: usize,
}

/// Work other than uniqueness: name and measurement.
pub const OTHERS: [(&str, fn(&Run, &str) -> Row); 5] = [
    ("full grids, random search", Run::full_grids),
    ("minimal puzzles, given grids", Run::minimal_of_given),
    ("minimal puzzles, end to end", Run::minimal_end_to_end),
    ("minlex, full grids", Run::minlex_grids),
    ("minlex, minimal puzzles", Run::minlex_puzzles),
];

fn rng(index: u64, attempt: u64) -> Rng {
    Rng::new(5, index, Stage::Bench, attempt)
}

fn grids(count: u64) -> Vec<Board> {
    (0..count).map(|index| nine::random_fill(&mut rng(index, 0))).collect()
}

fn parsed(board: &Board) -> Sudoku {
    Sudoku::from_bytes(*board).expect("boards have digits only")
}

fn dig(grid: &Board, rng: &mut Rng) -> Board {
    let solution = Solution::trusted(Shape::NINE, grid.map(u16::from).to_vec());
    let dug = Plan::Minimal.dig(&solution, Symmetry::None, &DigOptions::of(Shape::NINE), rng).expect("always possible");
    std::array::from_fn(|at| dug.puzzle.grid().values()[at] as u8)
}

fn from_line(line: &[u8; 82]) -> Board {
    std::array::from_fn(|at| line[at].saturating_sub(b'0'))
}

/// Checks that all puzzles are unique. Prints their mean number of givens, so that programs can be compared.
fn check_unique(engine: &str, boards: &[Board]) {
    assert!(boards.iter().all(|board| nine::count(board, 2) == 1), "{engine} made a puzzle that is not unique");
    let givens: usize = boards.iter().map(|board| board.iter().filter(|&&cell| cell != 0).count()).sum();
    println!("    {engine}: {:.2} givens", givens as f64 / boards.len() as f64);
}

impl Run {
    /// Searches for up to two solutions. All answers must agree.
    pub fn uniqueness(&self, set: &Set) -> Row {
        let boards = &set.boards;
        let theirs: Vec<Sudoku> = boards.iter().map(parsed).collect();
        let lines: Vec<[u8; 82]> = boards.iter().map(line).collect();
        let mut engines: Vec<Engine<'_, Vec<u8>>> = vec![
            ("ours", Box::new(|| boards.iter().map(|board| nine::count(board, 2) as u8).collect())),
            ("sudoku", Box::new(|| theirs.iter().map(|board| board.solutions_count_up_to(2) as u8).collect())),
        ];
        if let Some(tdoku) = self.tdoku {
            engines.push(("tdoku", Box::new(|| lines.iter().map(|line| tdoku.count(line)).collect())));
        }
        let (row, answers) = alternate(&set.work(), boards.len(), self.rounds, engines);
        assert!(answers[1..].iter().all(|answer| *answer == answers[0]), "{}: answers differ", set.work());
        row
    }

    fn full_grids(&self, work: &str) -> Row {
        let mut round = 0;
        let mut engines: Vec<Engine<'_, usize>> = vec![
            (
                "ours",
                Box::new(move || {
                    round += 1;
                    (0..2000).filter(|&index| nine::random_fill(&mut rng(index, round))[80] != 0).count()
                }),
            ),
            ("sudoku", Box::new(|| (0..2000).filter(|_| Sudoku::generate_solved().is_solved()).count())),
        ];
        if let Some(tdoku) = self.tdoku {
            engines.push(("tdoku", Box::new(|| (0..2000).filter(|_| tdoku.full_grid()[80] != 0).count())));
        }
        let (row, answers) = alternate(work, 2000, self.rounds, engines);
        assert!(answers.iter().all(|&made| made == 2000));
        row
    }

    /// Removes givens in random order until no given is redundant.
    fn minimal_of_given(&self, work: &str) -> Row {
        let grids = grids(1000);
        let theirs: Vec<Sudoku> = grids.iter().map(parsed).collect();
        let mut engines: Vec<Engine<'_, Vec<Board>>> = vec![
            ("ours", Box::new(|| (0..).zip(&grids).map(|(index, grid)| dig(grid, &mut rng(index, 1))).collect())),
            ("sudoku", Box::new(|| theirs.iter().map(|&grid| Sudoku::generate_from(grid).to_bytes()).collect())),
        ];
        if let Some(tdoku) = self.tdoku {
            let minimal = move |grid: &Board| {
                let mut line = line(grid);
                tdoku.minimize(&mut line);
                from_line(&line)
            };
            let grids = &grids;
            engines.push(("tdoku", Box::new(move || grids.iter().map(minimal).collect())));
        }
        self.puzzles(work, engines)
    }

    /// Makes a random grid by search, then removes givens in random order until no given is redundant.
    fn minimal_end_to_end(&self, work: &str) -> Row {
        let ours = |index: u64| {
            let mut rng = rng(index, 2);
            dig(&nine::random_fill(&mut rng), &mut rng)
        };
        let mut engines: Vec<Engine<'_, Vec<Board>>> = vec![
            ("ours", Box::new(move || (0..1000).map(ours).collect())),
            (
                "sudoku",
                Box::new(|| {
                    (0..1000).map(|_| Sudoku::generate_with_symmetry(sudoku::Symmetry::None).to_bytes()).collect()
                }),
            ),
        ];
        if let Some(tdoku) = self.tdoku {
            let puzzle = move |_| {
                let mut line = tdoku.full_grid();
                tdoku.minimize(&mut line);
                from_line(&line)
            };
            engines.push(("tdoku", Box::new(move || (0..1000).map(puzzle).collect())));
        }
        self.puzzles(work, engines)
    }

    fn puzzles(&self, work: &str, engines: Vec<Engine<'_, Vec<Board>>>) -> Row {
        let names: Vec<&str> = engines.iter().map(|(name, _)| *name).collect();
        let (row, answers) = alternate(work, 1000, self.rounds, engines);
        names.iter().zip(&answers).for_each(|(name, boards)| check_unique(name, boards));
        row
    }

    /// Forms and numbers of automorphisms must agree.
    fn minlex_grids(&self, work: &str) -> Row {
        let grids = grids(5000);
        let theirs: Vec<Sudoku> = grids.iter().map(parsed).collect();
        let ours = |grid: &Board| {
            let form = canonical(grid);
            (form.cells, form.automorphisms as usize)
        };
        let peer = |grid: &Sudoku| grid.canonicalized().map_or(([0; 81], 0), |(form, maps)| (form.to_bytes(), maps));
        let engines: Vec<Engine<'_, Vec<(Board, usize)>>> = vec![
            ("ours", Box::new(|| grids.iter().map(ours).collect())),
            ("sudoku", Box::new(|| theirs.iter().map(peer).collect())),
        ];
        let (row, answers) = alternate(work, grids.len(), self.rounds, engines);
        assert!(answers[0] == answers[1], "{work}: forms differ");
        row
    }

    /// No other crate computes the smallest string of a puzzle. The `sudoku` crate takes the form of the solution, with
    /// holes.
    fn minlex_puzzles(&self, work: &str) -> Row {
        let boards = sets::minimal(5000);
        let engines: Vec<Engine<'_, Vec<Board>>> =
            vec![("ours", Box::new(|| boards.iter().map(|board| canonical(board).cells).collect()))];
        alternate(work, boards.len(), self.rounds, engines).0
    }
}
