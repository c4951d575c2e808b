//! SQL conditions about one row; [`check_condition`] defines what they may contain.

use super::PublishError;
use sudoku_corpus_store::corpus::check_condition;

pub use sudoku_corpus_store::corpus::columns_of_condition as columns;

/// Refuses a condition that is not about a single row.
///
/// # Errors
/// [`PublishError::Condition`].
pub fn check(text: &str) -> Result<(), PublishError> {
    check_condition(text).map_err(|reason| PublishError::Condition { condition: text.to_owned(), reason })
}
