//! Chooses puzzles: as many of each kind as are wanted, no two of them essentially the same.
//!
//! A file knows those above it in this table:
//!
//! | file | purpose | main type |
//! |---|---|---|
//! | `quota` | numbers of puzzles of different categories | [`Quota`](quota::Quota) |
//! | `scale` | the scale of levels of a choice | [`Scale`](scale::Scale) |
//! | `order` | which puzzles come first | [`Pick`](order::Pick) |
//! | `request` | which puzzles are wanted | [`Request`](request::Request) |
//! | `rows/` | the rows to choose from, and those that were chosen | [`Pool`](rows::pool::Pool) |
//! | `select/` | the choice | [`Choice`](select::Choice) |
//! | `split` | training, test and other parts | [`Splitter`](split::Splitter) |

pub(crate) mod order;
pub(crate) mod quota;
pub(crate) mod request;
pub(crate) mod rows;
pub(crate) mod scale;
pub(crate) mod select;
pub(crate) mod split;

#[cfg(test)]
mod tests;
