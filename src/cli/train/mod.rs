//! Commands for those who train models.

pub(super) mod release;
pub(super) mod score;
