//! Defines the numbers that are compared with each other.

use crate::corpus::Record;

/// The numbers that are correlated with each other.
pub(super) const CROSSED: [Crossed; 5] = [Crossed::Givens, Crossed::Er, Crossed::W, Crossed::Score, Crossed::Guesses];

/// A number that says how hard a puzzle may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Crossed {
    Givens,
    Er,
    W,
    /// Score of puzzles that the ladder solves.
    Score,
    Guesses,
}

impl Crossed {
    /// For tables and axes.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Crossed::Givens => "givens",
            Crossed::Er => "ER",
            Crossed::W => "W",
            Crossed::Score => "score",
            Crossed::Guesses => "guesses",
        }
    }

    /// The number of a row.
    pub(super) fn of(self, record: &Record) -> Option<u64> {
        match self {
            Crossed::Givens => record.givens.map(u64::from),
            Crossed::Er => record.se_er_tenths.map(u64::from),
            Crossed::W => record.w.map(u64::from),
            Crossed::Score => record.score.filter(|_| record.finished == Some(true)).map(u64::from),
            Crossed::Guesses => record.search_guesses,
        }
    }
}
