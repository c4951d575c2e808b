//! Measures the works of the command `bench`, with its options: `cargo bench -- --work row --seconds 0.5`.

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    // Cargo adds `--bench`.
    let options = std::env::args_os().skip(1).filter(|word| word != "--bench");
    let command = ["sudoku-corpus", "bench"].map(OsString::from);
    ExitCode::from(sudoku_corpus::cli::run(command.into_iter().chain(options)))
}
