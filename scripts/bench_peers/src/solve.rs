//! Stand-in.
#[path = "../../../src/solve/nine/mod.rs"]
pub mod nine;
use crate::board::{Cell, CellSet};
pub trait Rivals<S: CellSet> {
    fn rival(&mut self, givens: S) -> Answer<S>;
    fn rival_at(&mut self, givens: S, cell: Cell) -> Answer<S>;
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer<S> {
    None,
    Differs(S),
    Unknown,
}
