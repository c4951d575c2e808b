//! Makes the blocks of the report that several parts use, and words about a method.

use crate::coverage::survey::SurveyRow;
use crate::generate::Method;
use crate::page::{Block, Figure, Table};

pub(super) fn heading(text: &str) -> Block {
    Block::Heading(text.to_owned())
}

pub(super) fn paragraph(text: impl Into<String>) -> Block {
    Block::Text(text.into())
}

/// A table with these heads, separated by bars.
pub(super) fn table(heads: &str, rows: impl IntoIterator<Item = Vec<String>>) -> Block {
    let head = heads.split(" | ").map(str::to_owned).collect();
    Block::Table(Table { head, rows: rows.into_iter().collect() })
}

pub(super) fn plots(figures: impl IntoIterator<Item = Option<Figure>>) -> Vec<Block> {
    figures.into_iter().flatten().map(|figure| Block::Figure(Box::new(figure))).collect()
}

pub(super) fn name(row: &SurveyRow) -> String {
    format!("`{}`", row.method)
}

/// True if a method searches, so that it can reach every grid but not evenly.
pub(super) fn searches(method: &Method) -> bool {
    !matches!(method, Method::Permutation(_) | Method::BaseShuffle(_) | Method::Uniform | Method::UniformClasses)
}
