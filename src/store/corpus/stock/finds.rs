//! The finds of a search for a stock. They are in a file beside the recipe.
//!
//! ```text
//!   {"search":"9c..","by":"er","grids":31232}
//!   {"class":"1.2","grids":512,"finds":[[3,22],[9,25], ...]}       grid 3 with 22 givens put back, and so on
//!   {"class":"5.3","grids":31232,"finds":[]}
//! ```
//!
//! `grids` of a class counts the grids that were tried while the class was open, so finds / grids is its rate.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Stock;
use crate::corpus::error::RecipeError;

/// The name of the file in the folder of a corpus.
pub const STOCK_FILE: &str = "stock.jsonl";

/// A puzzle that was found: the number of its grid, and how many givens (or orbits of givens) were put back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Find(pub u64, pub u32);

/// The finds of a class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ClassFinds {
    pub class: String,
    /// Grids that were tried while the class was open.
    pub grids: u64,
    pub finds: Vec<Find>,
}

/// The finds, class by class. This is the order of the rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finds {
    /// The text of the file. The folder of a corpus keeps it.
    pub lines: Arc<str>,
    /// BLAKE3 of this text, in hexadecimal.
    pub blake3: String,
    classes: Vec<ClassFinds>,
    /// The recipe of the search.
    pub(super) search: String,
}

#[derive(Serialize, Deserialize)]
struct Head {
    search: String,
    by: String,
    grids: u64,
}

impl Finds {
    /// The text of the file: for each class, the grids that were tried, and the finds.
    pub(super) fn text(search: &str, stock: &Stock, grids: u64, classes: &[ClassFinds]) -> String {
        let head = Head { search: search.to_owned(), by: stock.by.to_string(), grids };
        let lines = std::iter::once(serde_json::to_string(&head)).chain(classes.iter().map(serde_json::to_string));
        lines.map(|line| line.unwrap_or_default() + "\n").collect()
    }

    /// Reads the file.
    pub(super) fn read(path: &Path, stock: &Stock, blake3: Option<&str>) -> Result<Finds, RecipeError> {
        let wrong = |reason: String| RecipeError::of(format!("stock: {}: {reason}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        let found = Finds::parse(&text, stock)
            .ok_or_else(|| wrong("the file is not the result of a search for these classes".into()))?;
        match blake3 {
            Some(wanted) if wanted != found.blake3 => {
                Err(wrong(format!("the finds have the checksum {}, but the recipe gives {wanted}", found.blake3)))
            }
            _ => Ok(found),
        }
    }

    fn parse(text: &str, stock: &Stock) -> Option<Finds> {
        let mut lines = text.lines();
        let head: Head = serde_json::from_str(lines.next()?).ok()?;
        let classes: Vec<ClassFinds> = lines.map(serde_json::from_str).collect::<Result<_, _>>().ok()?;
        let named = classes.iter().map(|line| line.class.clone());
        let same = head.by == stock.by.name() && named.eq(stock.classes.iter().map(ToString::to_string));
        let blake3 = blake3::hash(text.as_bytes()).to_hex().to_string();
        same.then(|| Finds { blake3, lines: text.into(), classes, search: head.search })
    }

    /// Their number.
    pub(super) fn count(&self) -> u64 {
        self.classes.iter().map(|class| class.finds.len() as u64).sum()
    }

    pub(in crate::corpus) fn of_row(&self, index: u64) -> Option<Find> {
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
