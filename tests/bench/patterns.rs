//! In how many puzzles the techniques that only the ladder `modern` has are used and needed. `scripts/patterns.sh` writes the table from it.
//!
//! `cargo bench -p sudoku-corpus-core --bench patterns -- [[--first N] FILE] ..`
//!
//! Each file has a puzzle at the start of each line. N puzzles are taken, evenly spaced, and rated with the ladder `modern`: 1,000,
//! or the number before the file. A puzzle *uses* a technique if a step of its solution is one. It *needs* it if the ladder without it must
//! take a technique that is harder than all those of the solution, or gets stuck; for a puzzle that the ladder does not solve, if
//! more cells stay open without it. A number in brackets counts those that the ladder without it does not solve.

use std::{env, fs, path::Path, process};

use rayon::prelude::{IntoParallelRefIterator as _, ParallelIterator as _};
use sudoku_corpus_core::board::Puzzle;
use sudoku_corpus_core::board::text::parse_line;
use sudoku_corpus_core::rate::{Ladder, Rating, Technique, rate};

fn main() {
    if let Err(message) = run() {
        eprintln!("{message}");
        process::exit(2);
    }
}

/// Puzzles that use a technique, that need it, and that are not solved without it.
#[derive(Clone, Copy, Default)]
struct Count {
    uses: usize,
    needs: usize,
    stuck: usize,
}

fn run() -> Result<(), String> {
    let (mut first, mut files) = (1_000, Vec::new());
    let mut words = env::args().skip(1).filter(|word| word != "--bench");
    while let Some(word) = words.next() {
        match word.as_str() {
            "--first" => first = words.next().and_then(|n| n.parse().ok()).ok_or("--first needs a number")?,
            _ => files.push((word, first)),
        }
    }
    let (modern, default) = (Ladder::modern(), Ladder::default());
    let added = Ladder::of(modern.techniques().iter().copied().filter(|&technique| !default.has(technique)));
    println!(
        "| puzzles | rated | solved |{}",
        added.techniques().iter().map(|of| format!(" {} |", of.name())).collect::<String>()
    );
    println!("|---|---|---|{}", "---|".repeat(added.techniques().len()));
    for (file, first) in files {
        let puzzles = puzzles(&file, first)?;
        let counts: Vec<(bool, Vec<Count>)> = puzzles.par_iter().map(|puzzle| counts(puzzle, &added)).collect();
        let sum = |at: usize, of: fn(Count) -> usize| counts.iter().map(|(_, counts)| of(counts[at])).sum::<usize>();
        let cell = |at| {
            let [uses, needs, stuck] = [sum(at, |of| of.uses), sum(at, |of| of.needs), sum(at, |of| of.stuck)];
            if uses == 0 { " 0 |".to_owned() } else { format!(" {uses}, {needs} ({stuck}) |") }
        };
        let name = Path::new(&file).file_name().unwrap_or_default().to_string_lossy();
        let solved = counts.iter().filter(|(solved, _)| *solved).count();
        let cells: String = (0..added.techniques().len()).map(cell).collect();
        println!("| {name} | {} | {solved} |{cells}", puzzles.len());
    }
    Ok(())
}

fn puzzles(file: &str, first: usize) -> Result<Vec<Puzzle>, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let lines: Vec<&str> =
        text.lines().filter(|line| line.starts_with(|c: char| c == '.' || c.is_ascii_digit())).collect();
    let puzzle = |line: &&str| {
        let cells = line.split_whitespace().next().unwrap_or_default();
        let grid = parse_line(cells, None).map_err(|error| format!("{file}: {error}"))?;
        Puzzle::try_from(grid).map_err(|error| format!("{file}: {error}"))
    };
    lines.iter().step_by((lines.len() / first.max(1)).max(1)).take(first).map(puzzle).collect()
}

/// If the ladder solves a puzzle, and what it uses and needs of some techniques.
fn counts(puzzle: &Puzzle, added: &Ladder) -> (bool, Vec<Count>) {
    let modern = Ladder::modern();
    let rating = rate(puzzle, &modern);
    let rank = |rating: &Rating| rating.hardest.map(Technique::rank);
    let count = |&technique: &Technique| {
        if rating.count(technique) == 0 {
            return Count::default();
        }
        let without = modern.techniques().iter().copied().filter(|&other| other != technique);
        let less = rate(puzzle, &Ladder::of(without));
        let harder = rating.finished && less.finished && rank(&less) > rank(&rating);
        let needs = harder || less.open_cells > rating.open_cells;
        let stuck = rating.finished && !less.finished;
        Count { uses: 1, needs: needs.into(), stuck: stuck.into() }
    };
    (rating.finished, added.techniques().iter().map(count).collect())
}
