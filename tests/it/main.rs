//! The tests of the program as its users call it, and those of the library that need no private item. They are one
//! program, because each test program links the whole of `sudoku-corpus`. One file:
//! `cargo test --release --test it export`.

mod book;
mod cli;
mod common;
mod damaged_input;
mod export;
mod generating;
mod guide;
mod inputs;
mod layers;
mod mistakes;
mod nightly;
mod query;
mod recipes;
mod report;
mod statistics;
mod targets;
