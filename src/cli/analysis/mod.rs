//! Commands that say what a corpus holds.

pub(super) mod analyze;
pub(super) mod audit;
pub(super) mod query;
pub(super) mod report;
pub(super) mod stats;
pub(super) mod table;
