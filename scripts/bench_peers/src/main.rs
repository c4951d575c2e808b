//! Ours and the peers side by side: `bench-peers DATA_DIR [LIBTDOKU.so] [ROUNDS]`.
//!
//! Engines take turns on the same boards in one run; a figure is the median of the rounds, in CPU time of one thread,
//! and a ratio is between medians of the same run. Every answer is compared. The last lines of output are one
//! JSON object a piece of work.

mod clock;
mod peers;
mod sets;

#[path = "../../../src/board/mod.rs"]
#[allow(dead_code, unused_imports)]
mod board;
#[path = "../../../src/random.rs"]
#[allow(dead_code, unused_imports)]
mod random;
#[allow(dead_code, unused_imports)]
mod solve;

use peers::{Tdoku, line};
use random::{Rng, Stage};
use solve::nine;
use std::path::Path;
use sudoku::Sudoku;

/// Items a CPU second of one engine on one piece of work.
struct Figure {
    engine: &'static str,
    rate: f64,
}

/// One piece of work and the figures of all engines, ours first.
struct Row {
    work: String,
    figures: Vec<Figure>,
}

impl Row {
    fn best_peer(&self) -> Option<&Figure> {
        self.figures[1..].iter().max_by(|a, b| a.rate.total_cmp(&b.rate))
    }

    fn ratio(&self) -> Option<f64> {
        self.best_peer().map(|peer| self.figures[0].rate / peer.rate)
    }
}

type Engine<'a, R> = (&'static str, Box<dyn FnMut() -> R + 'a>);

/// Runs the engines in turn, `rounds` times. Returns the median rates and the answers of the last round.
fn alternate<R>(work: &str, items: usize, rounds: usize, mut engines: Vec<Engine<'_, R>>) -> (Row, Vec<R>) {
    let mut seconds = vec![Vec::new(); engines.len()];
    let mut answers = Vec::new();
    for _ in 0..rounds {
        answers.clear();
        for ((_, engine), seconds) in engines.iter_mut().zip(&mut seconds) {
            let (answer, time) = clock::timed(engine);
            seconds.push(time);
            answers.push(answer);
        }
    }
    let figures = engines.iter().zip(&mut seconds).map(|((engine, _), seconds)| {
        seconds.sort_unstable_by(f64::total_cmp);
        Figure { engine, rate: items as f64 / seconds[seconds.len() / 2] }
    });
    let row = Row { work: work.to_string(), figures: figures.collect() };
    print!("{:<28}", row.work);
    row.figures.iter().for_each(|figure| print!(" {:>14} {:>11.0}", figure.engine, figure.rate));
    println!("  {:>6.2}", row.ratio().unwrap_or(f64::NAN));
    (row, answers)
}

fn uniqueness(set: &sets::Set, tdoku: Option<&Tdoku>, rounds: usize) -> Row {
    let boards = &set.boards;
    let parsed: Vec<Sudoku> = boards.iter().map(|board| Sudoku::from_bytes(*board).expect("digits")).collect();
    let lines: Vec<[u8; 82]> = boards.iter().map(line).collect();
    let mut engines: Vec<Engine<'_, Vec<u8>>> = vec![
        ("ours", Box::new(|| boards.iter().map(|board| nine::count(board, 2) as u8).collect())),
        ("sudoku", Box::new(|| parsed.iter().map(|board| board.solutions_count_up_to(2) as u8).collect())),
    ];
    if let Some(tdoku) = tdoku {
        engines.push(("tdoku", Box::new(|| lines.iter().map(|line| tdoku.count(line)).collect())));
    }
    let (row, answers) = alternate(&format!("uniqueness, {}", set.name), boards.len(), rounds, engines);
    for answer in &answers[1..] {
        assert!(*answer == answers[0], "{}: answers differ", set.name);
    }
    row
}

fn full_grids(tdoku: Option<&Tdoku>, rounds: usize) -> Row {
    let mut next = 0;
    let mut engines: Vec<Engine<'_, usize>> = vec![
        (
            "ours",
            Box::new(move || {
                next += 1000;
                (0..1000).filter(|i| nine::random_fill(&mut Rng::new(1, next + i, Stage::Bench, 0))[80] != 0).count()
            }),
        ),
        ("sudoku", Box::new(|| (0..1000).filter(|_| Sudoku::generate_solved().is_solved()).count())),
    ];
    if let Some(tdoku) = tdoku {
        engines.push(("tdoku", Box::new(|| (0..1000).filter(|_| tdoku.full_grid()[80] != 0).count())));
    }
    let (row, answers) = alternate("full grids, random search", 1000, rounds, engines);
    assert!(answers.iter().all(|&made| made == 1000));
    row
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let data = arguments.get(1).map_or("", String::as_str);
    let tdoku = arguments.get(2).filter(|path| !path.is_empty()).and_then(|path| {
        let library = Tdoku::load(path);
        if library.is_none() {
            eprintln!("SKIPPED: tdoku: no library at {path}");
        }
        library
    });
    let rounds = arguments.get(3).and_then(|text| text.parse().ok()).unwrap_or(5);
    let only = arguments.get(4).map_or("", String::as_str);
    let mut rows: Vec<Row> = Vec::new();
    for set in sets::all(Path::new(data)).iter().filter(|set| set.name.contains(only)) {
        rows.push(uniqueness(set, tdoku.as_ref(), rounds));
    }
    rows.push(full_grids(tdoku.as_ref(), rounds));
    for row in &rows {
        if let (Some(peer), Some(ratio)) = (row.best_peer(), row.ratio()) {
            println!(
                "{{\"work\":\"{}\",\"ours\":{:.0},\"best_peer\":{:.0},\"peer\":\"{}\",\"ratio\":{ratio:.2}}}",
                row.work, row.figures[0].rate, peer.rate, peer.engine
            );
        }
    }
}
