//! Balanced stock: the same number of puzzles of every class, no two essentially the same.
//!
//! ```text
//!   [stock]                     search (search.rs)                       an ordinary corpus
//!   by = "er"            ->     grid 0, 1, 2, ...: which class?    ->    row i = the i-th find, made again
//!   classes = "1.2..8.5"        until every class has enough             with parts, as usual
//!   count = 1000                stock.jsonl: the finds
//! ```
//!
//! The recipe contains the checksum of the finds, as it does for a file of bases. So a row depends only on the recipe
//! and on its number. After the search, interrupted runs, several machines and `verify` work as for every corpus.
//!
//! *Instead of* quotas: they search for each row separately, so a puzzle of the wrong class is lost. Here it counts for
//! its own class.

mod finds;
pub(super) mod judge;
mod search;

use std::sync::Arc;

use super::analyze::Analysis;
use super::draft::{Draft, StockDraft};
use super::error::RecipeError;
use super::recipe::Recipe;
use super::target::ErRange;
use sudoku_corpus_core::dig::Plan;
use sudoku_corpus_core::names;
use sudoku_corpus_core::names::UnknownName;
use sudoku_corpus_core::rate::explainer::Tenths;
use sudoku_corpus_core::rate::{Ladder, Level, Technique};

pub use finds::{Finds, STOCK_FILE};
pub(super) use search::{again, search};

/// The kinds of classes of a stock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The level of the ladder.
    Level,
    /// Sudoku Explainer's ER, to the tenth.
    Er,
    /// The hardest technique: the ladder up to it solves the puzzle, and the ladder without it does not.
    Technique,
}

names!("kind of classes": By { Level = "level", Er = "er", Technique = "technique" });

/// A class of puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// A level.
    Level(Level),
    /// An ER.
    Er(Tenths),
    /// A technique.
    Technique(Technique),
}

impl std::fmt::Display for Class {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Class::Level(level) => f.write_str(level.name()),
            Class::Er(er) => write!(f, "{er}"),
            Class::Technique(technique) => f.write_str(technique.code()),
        }
    }
}

/// A stock: the same number of puzzles of every class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stock {
    /// The kind of the classes.
    pub by: By,
    /// The classes, easiest first.
    pub classes: Vec<Class>,
    /// Puzzles of each class.
    pub count: u64,
    /// The search ends after this number of grids; None for no limit.
    pub grids: Option<u64>,
    /// The finds. None before the search.
    pub found: Option<Arc<Finds>>,
}

impl Stock {
    /// The stock of a draft, if it has one.
    ///
    /// # Errors
    /// A key is missing or wrong; the file of finds cannot be used.
    pub(super) fn of(draft: &Draft, analysis: &Analysis) -> Result<Option<Stock>, RecipeError> {
        let Some(said) = &draft.stock else { return Ok(None) };
        let missing = |key: &str| RecipeError::of(format!("stock: {key} is missing"));
        let by = said.by.ok_or_else(|| missing("by"))?;
        let classes = classes(by, said.classes.as_deref(), analysis.ladder.as_ref()).map_err(RecipeError::of)?;
        let count = said.count.ok_or_else(|| missing("count"))?;
        let stock = Stock { by, classes, count, grids: said.grids, found: None };
        let found = said.found.as_deref().map(|path| Finds::read(path, &stock, said.found_blake3.as_deref()));
        Ok(Some(Stock { found: found.transpose()?.map(Arc::new), ..stock }))
    }

    /// Rows of the corpus: the number of finds; before the search, the wanted number.
    pub(super) fn rows(&self) -> Result<u64, RecipeError> {
        let wanted = || self.count.checked_mul(self.classes.len() as u64).filter(|&rows| rows < 1 << 32);
        match &self.found {
            Some(found) => Ok(found.count()),
            None => wanted().ok_or_else(|| RecipeError::of("stock: the number of rows is above 2^32")),
        }
    }

    /// Checks that classes, plan and ratings go together.
    pub(super) fn check(&self, recipe: &Recipe) -> Result<(), String> {
        let goal = &recipe.goal;
        if !recipe.quotas.is_empty() || !goal.is_free() {
            return Err(
                "[stock] cannot be used with [[quota]], or with level, needs, uses, only or er in [dig]".to_owned()
            );
        }
        if !goal.plan.is_unique() || matches!(goal.plan, Plan::Within | Plan::Needed | Plan::ControlledBias) {
            return Err(format!("stock: the plan must be minimal, not {}", goal.plan));
        }
        let hardest = self.classes.last();
        match hardest {
            Some(Class::Er(_)) if recipe.shape != sudoku_corpus_core::board::Shape::NINE => {
                Err(format!("er is for the 9x9 board, 3x3 boxes; not for the {}", recipe.shape.board()))
            }
            Some(Class::Er(_)) if !recipe.analysis.ratings.has(crate::corpus::RatingKind::Er) => {
                Err("stock by er: ratings must have er".to_owned())
            }
            Some(Class::Er(er)) if *er > recipe.analysis.er_limit => {
                Err(format!("stock: the class {er} is above er_limit, {}", recipe.analysis.er_limit))
            }
            Some(Class::Level(_) | Class::Technique(_)) if recipe.analysis.ladder.is_none() => {
                Err("stock needs a rating, but techniques is \"none\"".to_owned())
            }
            _ => Ok(()),
        }
    }

    /// The stock as a recipe has it, without gaps.
    pub(super) fn draft(&self) -> StockDraft {
        let classes: Vec<String> = self.classes.iter().map(Class::to_string).collect();
        StockDraft {
            by: Some(self.by),
            classes: Some(classes.join(",")),
            count: Some(self.count),
            grids: self.grids,
            found: self.found.as_ref().map(|_| STOCK_FILE.into()),
            found_blake3: self.found.as_ref().map(|found| found.blake3.clone()),
        }
    }
}

/// Reads the classes. Without a text, all possible classes.
pub(super) fn classes(by: By, text: Option<&str>, ladder: Option<&Ladder>) -> Result<Vec<Class>, String> {
    let mut classes: Vec<Class> = match by {
        By::Level => match text {
            None => Level::ALL.into_iter().filter(|&level| level != Level::Beyond).map(Class::Level).collect(),
            Some(text) => {
                let named = text.split(',').map(|name| name.trim().parse().map(Class::Level));
                named.collect::<Result<_, _>>().map_err(|error: UnknownName| error.to_string())?
            }
        },
        By::Er => {
            let mut all = Vec::new();
            for range in text.unwrap_or("1.0..10.4").split(',') {
                let ErRange(from, to) = range.parse()?;
                all.extend((from.0..=to.0).map(|tenths| Class::Er(Tenths(tenths))));
            }
            all
        }
        By::Technique => {
            let named: Option<Ladder> = text
                .map(|text| text.parse().map_err(|error: sudoku_corpus_core::board::Reason| error.0))
                .transpose()?;
            let ladder = ladder.ok_or("stock needs a rating, but techniques is \"none\"")?;
            let named = named.as_ref().unwrap_or(ladder);
            if let Some(missing) = named.techniques().iter().find(|&&technique| !ladder.has(technique)) {
                return Err(format!("stock: {missing} is not among the techniques of the ladder"));
            }
            named.techniques().iter().copied().map(Class::Technique).collect()
        }
    };
    classes.sort_unstable();
    classes.dedup();
    if classes.is_empty() { Err("stock: no classes".to_owned()) } else { Ok(classes) }
}
