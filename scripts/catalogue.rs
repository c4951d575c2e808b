//! Counts the table of classes, `src/core/catalogue/classes/classes.counts`, again, and compares it with the one of the program:
//!
//! ```text
//!   cargo run --release --example catalogue                  all 416 bands: a quarter of an hour on one core
//!   cargo run --release --example catalogue -- 400 416       these bands only
//! ```
//!
//! It prints a line for each band, so its work can be shared, and an exit code of 1 if a band is different. With all bands,
//! it writes the table to `classes.counts`.

use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::{IntoParallelIterator as _, ParallelIterator as _};
use sudoku_corpus::catalogue::{BANDS, BandCounts, CLASSES, count_band, counts};

fn main() -> ExitCode {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|number| number.parse().ok()).collect();
    let (first, last) = match numbers[..] {
        [] => (1, BANDS),
        [first, last] if 1 <= first && first <= last && last <= BANDS => (first, last),
        _ => {
            eprintln!("write the numbers of the first and the last band, 1 to {BANDS}");
            return ExitCode::from(2);
        }
    };
    let different = AtomicU64::new(0);
    let count = |band: usize| {
        let found = count_band(band - 1);
        let same = found == *counts().band(band - 1);
        let verdict = if same { "" } else { ": different from the table of the program" };
        println!("band {band}: {} classes{verdict}", found.classes());
        different.fetch_add(u64::from(!same), Ordering::Relaxed);
        found
    };
    let bands: Vec<BandCounts> = (first..=last).into_par_iter().map(count).collect();
    let classes: u64 = bands.iter().map(BandCounts::classes).sum();
    println!("{} of {BANDS} bands: {classes} classes of essentially different grids", bands.len());
    let is_whole = bands.len() == BANDS;
    if is_whole
        && let Err(error) =
            std::fs::write("classes.counts", bands.iter().flat_map(BandCounts::to_bytes).collect::<Vec<u8>>())
    {
        eprintln!("cannot write classes.counts: {error}");
        return ExitCode::FAILURE;
    }
    let right = different.into_inner() == 0 && (!is_whole || classes == CLASSES);
    if right { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
