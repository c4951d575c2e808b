//! Computes hashes, which are the same on every machine.

use std::fmt::Display;

use sudoku_corpus_core::random::finalise;

/// A hash of a board, cell by cell, and of its shape. Both are given as texts.
pub fn hash_of_board(shape: impl Display, board: impl Display) -> u128 {
    let hash = blake3::hash(format!("{shape} {board}").as_bytes());
    u128::from_le_bytes(std::array::from_fn(|byte| hash.as_bytes()[byte]))
}

/// A hash of the name of a grid.
pub(crate) fn hash_of_text(name: &str) -> u64 {
    name.as_bytes().chunks(8).fold(name.len() as u64, |hash, part| {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        finalise(hash.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ u64::from_le_bytes(word))
    })
}
