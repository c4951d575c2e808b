//! The way up the ladder.
//!
//! | file | purpose | main item |
//! |---|---|---|
//! | `find` | from a technique to the function that searches for it | [`find`](find::find) |
//! | `rounds` | the loop: rates, or solves step by step | [`rate`](rounds::rate) |
//! | `hint` | the digits of a cell, and the next step | [`Hint`](hint::Hint) |

pub(in crate::rate) mod find;
pub mod hint;
pub(in crate::rate) mod rounds;
