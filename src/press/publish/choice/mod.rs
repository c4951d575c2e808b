//! Chooses puzzles: as many of each kind as are wanted, no two of them essentially the same.
//!
//! A file knows those above it in this table:
//!
//! | file | purpose | main type |
//! |---|---|---|
//! | `quota` | numbers of puzzles of different categories | [`Quota`](quota::Quota) |
//! | `order` | which puzzles come first | [`Pick`](order::Pick) |
//! | `request` | which puzzles are wanted | [`Request`](request::Request) |
//! | `pool` | the rows to choose from | [`Pool`](pool::Pool) |
//! | `levels` | quotas by the publisher's levels | |
//! | `chosen` | a chosen row in few bytes | [`Chosen`](chosen::Chosen) |
//! | `puzzles` | the chosen rows in their order | [`Puzzles`](puzzles::Puzzles) |
//! | `read` | reads and checks the chosen rows | |
//! | `select` | the choice | [`Choice`](select::Choice) |
//! | `split` | training, test and other parts | [`Splitter`](split::Splitter) |

pub(crate) mod chosen;
pub mod levels;
pub(crate) mod order;
pub(crate) mod pool;
pub(crate) mod puzzles;
pub(crate) mod quota;
pub(crate) mod read;
pub(crate) mod request;
pub(crate) mod select;
pub(crate) mod split;

#[cfg(test)]
mod tests;
