//! What a corpus is like: statistics over its rows, and questions in SQL.

pub mod query;
pub mod stats;
pub mod summary;

pub use query::Table;
pub use summary::Summary;
