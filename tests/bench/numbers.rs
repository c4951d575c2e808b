//! Round trips through numbers of grids and ranks of classes. Measures the time of each direction and counts wrong
//! results.
//!
//! ```text
//! cargo bench -p sudoku-corpus-core --bench numbers -- [--labelled N] [--classes N] [--walk N] [--seed S]
//!   labelled   9x9 grids of random numbers, and the numbers of these grids
//!   classes    minlex grids of random ranks, and the ranks of random isomorphs of them
//!   walk       N minlex grids with consecutive ranks from a random one on, and their ranks
//! ```
//!
//! Uses one thread and measures its CPU time. The exit code is 1 if any round trip fails.

mod clock;

use std::{env, process};

use clock::clock;
use sudoku_corpus_core::board::{Freedom, Isomorphism, Shape};
use sudoku_corpus_core::catalogue::{CLASSES, GRIDS, class_of_rank, class_rank, grid_number, grid_of_number};
use sudoku_corpus_core::random::{Rng, Stage};

/// Numbers that are timed together, so that reading the clock takes no noticeable time.
const BLOCK: u64 = 1_000;

fn main() {
    let words: Vec<String> = env::args().skip(1).filter(|word| word != "--bench").collect();
    let number = |pair: &[String]| pair.get(1).and_then(|number| number.parse().ok());
    let (mut seed, mut wanted) = (1, Vec::new());
    for pair in words.chunks(2) {
        match (pair[0].as_str(), number(pair)) {
            ("--seed", Some(number)) => seed = number,
            (kind @ ("--labelled" | "--classes" | "--walk"), Some(count)) => wanted.push((kind.to_owned(), count)),
            _ => {
                eprintln!("the options are --labelled, --classes, --walk and --seed, each with a number");
                process::exit(2);
            }
        }
    }
    println!("{:<10}{:>14}{:>10}{:>16}{:>16}", "kind", "numbers", "faults", "there, us", "back, us");
    let faults: u64 = wanted.iter().map(|(kind, count)| report(kind, *count, seed)).sum();
    process::exit(i32::from(faults > 0));
}

/// Prints the line of a kind; returns the number of faults.
fn report(kind: &str, count: u64, seed: u64) -> u64 {
    let (faults, there, back) = match kind {
        "--labelled" => {
            let random = |rng: &mut Rng| (u128::from(rng.word()) << 64 | u128::from(rng.word())) % GRIDS;
            trips(
                count,
                seed,
                |_, rng| random(rng),
                |number| grid_of_number(Shape::NINE, number),
                |grid, _| grid_number(&grid),
            )
        }
        "--classes" => {
            let random = |_, rng: &mut Rng| 1 + rng.below(CLASSES as usize) as u64;
            trips(count, seed, random, class_of_rank, |grid, rng| {
                class_rank(&Isomorphism::random(Shape::NINE, Freedom::ALL, rng).apply(&grid))
            })
        }
        _ => {
            let first =
                1 + Rng::new(seed, 0, Stage::Bench, 1).below((CLASSES - count.min(CLASSES - 1)) as usize) as u64;
            trips(count, seed, |index, _| first + index, class_of_rank, |grid, _| class_rank(&grid))
        }
    };
    println!(
        "{:<10}{count:>14}{faults:>10}{:>16.2}{:>16.2}",
        &kind[2..],
        1e6 * there / count as f64,
        1e6 * back / count as f64
    );
    faults
}

/// The number of faults, and the seconds of each direction.
fn trips<T: Copy + PartialEq, G>(
    count: u64,
    seed: u64,
    number: impl Fn(u64, &mut Rng) -> T,
    there: impl Fn(T) -> Option<G>,
    back: impl Fn(G, &mut Rng) -> Option<T>,
) -> (u64, f64, f64) {
    let mut sums = (0, 0.0, 0.0);
    for block in 0..count.div_ceil(BLOCK) {
        let mut rng = Rng::new(seed, block, Stage::Bench, 0);
        let numbers: Vec<T> = (block * BLOCK..count.min((block + 1) * BLOCK)).map(|at| number(at, &mut rng)).collect();
        let begin = clock();
        let grids: Vec<Option<G>> = numbers.iter().map(|&number| there(number)).collect();
        let middle = clock();
        let returned: Vec<Option<T>> = grids.into_iter().map(|grid| back(grid?, &mut rng)).collect();
        sums.2 += clock() - middle;
        sums.1 += middle - begin;
        sums.0 += numbers.iter().zip(&returned).filter(|&(number, back)| *back != Some(*number)).count() as u64;
    }
    sums
}
