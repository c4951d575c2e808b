//! The program: parse, run, print the error, exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    sudoku_corpus::cli::main()
}
