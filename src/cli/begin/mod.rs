//! Commands to begin with: make a corpus, solve, learn.

pub(super) mod check;
pub(super) mod guide;
pub(super) mod hint;
pub(super) mod list;
pub(super) mod outputs;
pub(super) mod run;
pub(super) mod solve;
