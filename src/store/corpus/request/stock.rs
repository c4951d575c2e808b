//! Balanced stock: the same number of puzzles of every class, no two essentially the same.
//!
//! ```text
//!   [stock]                     search (folder/stock)                     an ordinary corpus
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

use std::fmt::{self, Display, Formatter};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::draft::{By, StockDraft};
use super::goal::Goal;
use crate::corpus::files::names::STOCK_FILE;
use crate::corpus::values::analyze::Analysis;
use crate::corpus::values::error::RecipeError;
use crate::corpus::values::ratings::RatingKind;
use crate::corpus::values::target::ErRange;
use sudoku_corpus_core::board::{Reason, Shape};
use sudoku_corpus_core::dig::Plan;
use sudoku_corpus_core::names::UnknownName;
use sudoku_corpus_core::rate::explainer::Tenths;
use sudoku_corpus_core::rate::{Ladder, Level, Technique};

/// A class of puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Class {
    Level(Level),
    Er(Tenths),
    Technique(Technique),
}

impl Display for Class {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
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
    /// The stock of a draft, whose gaps are filled.
    ///
    /// # Errors
    /// A key is missing or wrong; the file of finds cannot be used.
    pub(crate) fn new(draft: &mut StockDraft, analysis: &Analysis) -> Result<Stock, RecipeError> {
        let by = draft.by.ok_or("stock: by is missing")?;
        let classes = classes(by, draft.classes.as_deref(), analysis.ladder.as_ref())?;
        draft.classes = Some(classes.iter().map(Class::to_string).collect::<Vec<_>>().join(","));
        let count = draft.count.ok_or("stock: count is missing")?;
        let mut stock = Stock { by, classes, count, grids: draft.grids, found: None };
        let wanted = draft.found_blake3.take();
        if let Some(path) = draft.found.take() {
            let found = Finds::read(&path, &stock, wanted.as_deref())?;
            stock.take(found, draft);
        }
        Ok(stock)
    }

    /// Takes what a search has found, and notes it in the draft.
    pub(crate) fn take(&mut self, found: Finds, draft: &mut StockDraft) {
        draft.found = Some(STOCK_FILE.into());
        draft.found_blake3 = Some(found.blake3.clone());
        self.found = Some(Arc::new(found));
    }

    /// Rows of the corpus: the number of finds; before the search, the wanted number.
    pub(crate) fn rows(&self) -> Result<u64, RecipeError> {
        let wanted = || self.count.checked_mul(self.classes.len() as u64).filter(|&rows| rows < 1 << 32);
        let rows = self.found.as_ref().map(|found| found.count()).or_else(wanted);
        Ok(rows.ok_or("stock: the number of rows is above 2^32")?)
    }

    /// Checks that classes, plan and ratings go together.
    pub(crate) fn check(&self, goal: &Goal, has_quotas: bool, analysis: &Analysis, shape: Shape) -> Result<(), String> {
        if has_quotas || !goal.is_free() {
            let reason = "[stock] cannot be used with [[quota]], or with level, needs, uses, only or er in [dig]";
            return Err(reason.to_owned());
        }
        if !goal.plan.is_unique()
            || matches!(goal.plan, Plan::Within | Plan::Needed | Plan::Walk | Plan::ControlledBias)
        {
            return Err(format!("stock: the plan must be minimal, not {}", goal.plan));
        }
        match self.classes.last() {
            Some(Class::Er(_)) if shape != Shape::NINE => {
                Err(format!("er is for the 9x9 board, 3x3 boxes; not for the {}", shape.board()))
            }
            Some(Class::Er(_)) if !analysis.ratings.has(RatingKind::Er) => {
                Err("stock by er: ratings must have er".to_owned())
            }
            Some(Class::Er(er)) if *er > analysis.er_limit => {
                Err(format!("stock: the class {er} is above er_limit, {}", analysis.er_limit))
            }
            Some(Class::Level(_) | Class::Technique(_)) if analysis.ladder.is_none() => Err(UNRATED.to_owned()),
            _ => Ok(()),
        }
    }
}

const UNRATED: &str = "stock needs a rating, but techniques is \"none\"";

/// Reads the classes. Without a text, all possible classes.
pub(crate) fn classes(by: By, text: Option<&str>, ladder: Option<&Ladder>) -> Result<Vec<Class>, String> {
    let mut classes: Vec<Class> = match (by, text) {
        (By::Level, None) => Level::ALL.into_iter().filter(|&level| level != Level::Beyond).map(Class::Level).collect(),
        (By::Level, Some(text)) => {
            let named = text.split(',').map(|name| name.trim().parse().map(Class::Level));
            named.collect::<Result<_, _>>().map_err(|error: UnknownName| error.to_string())?
        }
        (By::Er, text) => {
            let ranges = text.unwrap_or("1.0..10.4").split(',').map(str::parse).collect::<Result<Vec<ErRange>, _>>()?;
            let tenths = ranges.into_iter().flat_map(|ErRange(from, to)| from.0..=to.0);
            tenths.map(|tenths| Class::Er(Tenths(tenths))).collect()
        }
        (By::Technique, text) => {
            let named: Option<Ladder> = text.map(str::parse).transpose().map_err(|error: Reason| error.0)?;
            let ladder = ladder.ok_or(UNRATED)?;
            let named = named.as_ref().unwrap_or(ladder).techniques();
            if let Some(missing) = named.iter().find(|&&technique| !ladder.has(technique)) {
                return Err(format!("stock: {missing} is not among the techniques of the ladder"));
            }
            named.iter().copied().map(Class::Technique).collect()
        }
    };
    classes.sort_unstable();
    classes.dedup();
    if classes.is_empty() { Err("stock: no classes".to_owned()) } else { Ok(classes) }
}

/// A puzzle that was found: the number of its grid, and how many givens (or orbits of givens) were put back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Find(pub u64, pub u32);

/// A line of the file: the finds of a class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ClassFinds {
    pub class: String,
    /// Grids that were tried while the class was open, so finds / grids is its rate.
    pub grids: u64,
    pub finds: Vec<Find>,
}

/// The finds of a search, class by class. This is the order of the rows. They are in a file beside the recipe.
///
/// ```text
///   {"search":"9c..","by":"er","grids":31232}
///   {"class":"1.2","grids":512,"finds":[[3,22],[9,25], ...]}       grid 3 with 22 givens put back, and so on
///   {"class":"5.3","grids":31232,"finds":[]}
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finds {
    /// The text of the file. The folder of a corpus keeps it.
    pub lines: Arc<str>,
    /// BLAKE3 of this text, in hexadecimal.
    pub blake3: String,
    classes: Vec<ClassFinds>,
    /// The recipe of the search.
    pub(crate) search: String,
}

/// The first line of the file.
#[derive(Serialize, Deserialize)]
pub(crate) struct Head {
    pub search: String,
    pub by: By,
    pub grids: u64,
}

impl Finds {
    /// Reads the finds of a search for these classes. With a checksum, they must have it.
    pub(crate) fn read(path: &Path, stock: &Stock, blake3: Option<&str>) -> Result<Finds, RecipeError> {
        let wrong = |reason: String| RecipeError::from(format!("stock: {}: {reason}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        let found = Finds::parse(&text, stock);
        let found = found.ok_or_else(|| wrong("the file is not the result of a search for these classes".into()))?;
        match blake3 {
            Some(wanted) if wanted != found.blake3 => {
                Err(wrong(format!("the finds have the checksum {}, but the recipe gives {wanted}", found.blake3)))
            }
            _ => Ok(found),
        }
    }

    /// Reads the finds of a search. None if they are damaged, or not those of this stock.
    fn parse(text: &str, stock: &Stock) -> Option<Finds> {
        let mut lines = text.lines();
        let head: Head = serde_json::from_str(lines.next()?).ok()?;
        let classes: Vec<ClassFinds> = lines.map(serde_json::from_str).collect::<Result<_, _>>().ok()?;
        let named = classes.iter().map(|line| line.class.clone());
        let same = head.by == stock.by && named.eq(stock.classes.iter().map(ToString::to_string));
        let blake3 = blake3::hash(text.as_bytes()).to_hex().to_string();
        same.then(|| Finds { blake3, lines: text.into(), classes, search: head.search })
    }

    pub(crate) fn count(&self) -> u64 {
        self.classes.iter().map(|class| class.finds.len() as u64).sum()
    }

    /// The find of a row, by its number from 0.
    pub(crate) fn of_row(&self, index: u64) -> Option<Find> {
        self.classes.iter().flat_map(|class| &class.finds).nth(index as usize).copied()
    }

    /// A line about each class that has too few puzzles: its finds, the grids that were tried, and the rate.
    pub fn short(&self, stock: &Stock) -> Vec<String> {
        let short = self.classes.iter().filter(|class| (class.finds.len() as u64) < stock.count);
        let line = |ClassFinds { class, grids, finds }: &ClassFinds| {
            let rate = match finds.len() {
                0 => "none".to_owned(),
                found => format!("one in {:.0}", *grids as f64 / found as f64),
            };
            format!("{} {class}: {} of {} in {grids} grids ({rate})", stock.by, finds.len(), stock.count)
        };
        short.map(line).collect()
    }
}
