//! The error of a wrong recipe.

use std::path::PathBuf;

/// Why a text is not a recipe, and where. Lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct RecipeError {
    /// The file, if the recipe came from one.
    pub file: Option<PathBuf>,
    /// Line and column, if known.
    pub place: Option<(usize, usize)>,
    /// The reason.
    pub reason: String,
}

impl RecipeError {
    /// An error about the complete recipe.
    pub(in crate::corpus) fn of(reason: impl ToString) -> RecipeError {
        RecipeError { file: None, place: None, reason: reason.to_string() }
    }
}

impl std::fmt::Display for RecipeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{}", file.display())?,
            None => f.write_str("recipe")?,
        }
        if let Some((line, column)) = self.place {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.reason)
    }
}
