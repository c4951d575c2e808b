//! The boards of the benchmarks: files of puzzles, and sets that are generated with a fixed seed.

use crate::peers::Board;
use std::io::Read;
use std::path::Path;
use sudoku_corpus_core::board::{Cell, Narrow};
use sudoku_corpus_core::random::{Rng, Stage};
use sudoku_corpus_core::solve::nine::{Prover9, random_fill};
use sudoku_corpus_core::solve::{Answer, Prover};

/// A named set of boards.
pub struct Set {
    pub name: &'static str,
    pub boards: Vec<Board>,
}

impl Set {
    /// The name of the benchmark with this set.
    pub fn work(&self) -> String {
        format!("uniqueness, {}", self.name)
    }
}

/// Gzipped files of puzzles, one on each line.
const FILES: [(&str, &str); 5] = [
    ("17 givens", "clue17_49158.txt.gz"),
    ("magictour 1465", "magictour_top1465.txt.gz"),
    ("hardest 11+", "forum_hardest_11plus_20000.txt.gz"),
    ("hardest 1106", "forum_hardest_1106.txt.gz"),
    ("several solutions", "multi_solution_10000.txt.gz"),
];

fn read(path: &Path) -> std::io::Result<Vec<Board>> {
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(std::fs::File::open(path)?).read_to_string(&mut text)?;
    let board = |line: &str| {
        let cells = line.as_bytes().get(..81)?;
        let value = |&byte: &u8| if byte.is_ascii_digit() { byte - b'0' } else { 0 };
        (!line.starts_with('#')).then(|| std::array::from_fn(|i| value(&cells[i])))
    };
    Ok(text.lines().filter_map(board).collect())
}

fn rng(index: u64) -> Rng {
    Rng::new(20_261_121, index, Stage::Bench, 0)
}

/// Digs a random grid in random order down to `least` givens, or until no given is redundant. Calls `tested` with every
/// position whose uniqueness is tested.
fn dig(index: u64, least: u32, tested: &mut dyn FnMut(&Board)) -> Board {
    let mut rng = rng(index);
    let solution = random_fill(&mut rng);
    let mut prover = Prover9::of(&solution);
    let mut order: [usize; 81] = std::array::from_fn(|i| i);
    rng.shuffle(&mut order);
    let board = |givens: u128| std::array::from_fn(|i| if givens >> i & 1 == 1 { solution[i] } else { 0 });
    let mut givens: u128 = (1 << 81) - 1;
    for cell in order {
        let without = givens & !(1 << cell);
        if givens.count_ones() > least {
            tested(&board(without));
            if prover.second_without(Narrow(without), Cell::new(cell)) == Answer::None {
                givens = without;
            }
        }
    }
    board(givens)
}

/// Random minimal puzzles.
pub fn minimal(count: u64) -> Vec<Board> {
    (0..count).map(|index| dig(index, 0, &mut |_| {})).collect()
}

/// All sets. Sets whose file is missing are skipped with a message on stderr.
pub fn all(data: &Path) -> Vec<Set> {
    let mut sets = Vec::new();
    for (name, file) in FILES {
        match read(&data.join(file)) {
            Ok(boards) => sets.push(Set { name, boards }),
            Err(error) => eprintln!("SKIPPED: {name}: {}: {error}", data.join(file).display()),
        }
    }
    sets.push(Set { name: "random minimal", boards: minimal(20_000) });
    let easy = (0..20_000).map(|index| dig(100_000 + index, 30 + (index % 8) as u32, &mut |_| {})).collect();
    sets.push(Set { name: "easy, 30-37 givens", boards: easy });
    let mut tested = Vec::new();
    for index in 0..500 {
        dig(200_000 + index, 0, &mut |board| tested.push(*board));
    }
    sets.push(Set { name: "digger's queries", boards: tested });
    sets
}
