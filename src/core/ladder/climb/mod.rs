//! Climbs the ladder: takes step after step until a puzzle is solved or nothing more is found.
//!
//! | file | purpose | main item |
//! |---|---|---|
//! | `find` | from a technique to the function that searches for it | [`find`](find::find) |
//! | `rounds` | the loop: rates, or solves step by step | [`rate`](rounds::rate) |
//! | `tridagon` | the guardians of tridagons after the basic techniques | [`fewest_guardians`](tridagon::fewest_guardians) |
//! | `hint` | the digits of a cell, and the next step | [`Hint`](hint::Hint) |

pub(crate) mod find;
pub(crate) mod hint;
pub(crate) mod rounds;
pub mod tridagon;
