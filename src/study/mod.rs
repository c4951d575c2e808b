//! What a corpus is like: statistics over its rows.

pub mod stats;
pub mod summary;

pub use summary::Summary;
