//! The rows to choose from, and those that were chosen.
//!
//! A file knows those above it in this table:
//!
//! | file | purpose | main type |
//! |---|---|---|
//! | `pool` | the rows to choose from | [`Pool`](pool::Pool) |
//! | `chosen` | a chosen row in few bytes | [`Chosen`](chosen::Chosen) |
//! | `puzzles` | the chosen rows in their order | [`Puzzles`](puzzles::Puzzles) |
//! | `read` | reads and checks the chosen rows | |

pub(crate) mod chosen;
pub(crate) mod pool;
pub(crate) mod puzzles;
pub(crate) mod read;
