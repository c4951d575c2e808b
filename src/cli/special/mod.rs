//! Commands for special purposes.

pub(super) mod bench;
pub(super) mod complete;
pub(super) mod coverage;
pub(super) mod number;
