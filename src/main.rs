//! The program. All of it is in [`sudoku_corpus::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    sudoku_corpus::cli::main()
}
