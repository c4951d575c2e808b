//! Compares this program with other programs: `bench-peers DATA_DIR [LIBTDOKU.so] [ROUNDS] [ONLY]`.
//!
//! The programs take turns on the same boards in one run. A figure is the median of the rounds, in CPU time of one
//! thread. A ratio divides two medians of the same run. Answers that must be equal are compared; puzzles that a program
//! made are checked for uniqueness. The output ends with one JSON object for each benchmark.

mod clock;
mod peers;
mod sets;
mod table;
mod works;

use peers::Tdoku;
use std::path::Path;
use table::Row;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let argument = |at: usize| arguments.get(at).map_or("", String::as_str);
    let tdoku = Some(argument(2)).filter(|path| !path.is_empty()).and_then(|path| {
        let library = Tdoku::load(path);
        if library.is_none() {
            eprintln!("SKIPPED: tdoku: {path} is not a library with the functions of tdoku.h");
        }
        library
    });
    // The library is needed until the end of the program.
    let tdoku: Option<&'static Tdoku> = tdoku.map(|library| &*Box::leak(Box::new(library)));
    let run = works::Run { tdoku, rounds: argument(3).parse().unwrap_or(5) };
    let wanted = |work: &str| work.contains(argument(4));
    let mut rows: Vec<Row> = Vec::new();
    for set in sets::all(Path::new(argument(1))) {
        if wanted(&set.work()) {
            rows.push(run.uniqueness(&set));
        }
    }
    for (work, measure) in works::OTHERS {
        if wanted(work) {
            rows.push(measure(&run, work));
        }
    }
    table::summary(&rows);
}
