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

/// A puzzle that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Find {
    /// The number of its grid.
    pub grid: u64,
    /// The number of givens (or orbits of givens) that were put back.
    pub back: u32,
}

/// The finds, in the order of the rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finds {
    /// The text of the file. The folder of a corpus keeps it.
    pub lines: Arc<str>,
    /// BLAKE3 of this text, in hexadecimal.
    pub blake3: String,
    /// The finds, class by class.
    pub finds: Vec<Find>,
    /// Grids that were tried for each class while it was open.
    pub grids: Vec<u64>,
    /// Number of finds of each class.
    pub of_class: Vec<u64>,
    /// The recipe of the search.
    pub search: String,
}

#[derive(Serialize, Deserialize)]
struct Head {
    search: String,
    by: String,
    grids: u64,
}

#[derive(Serialize, Deserialize)]
struct Line {
    class: String,
    grids: u64,
    finds: Vec<(u64, u32)>,
}

impl Finds {
    /// The text of the file: for each class, the grids that were tried, and the finds.
    pub(super) fn text(search: &str, stock: &Stock, grids: u64, classes: &[(u64, Vec<Find>)]) -> String {
        let head = Head { search: search.to_owned(), by: stock.by.name().to_owned(), grids };
        let mut lines = vec![serde_json::to_string(&head)];
        for (class, (grids, finds)) in stock.classes.iter().zip(classes) {
            let finds = finds.iter().map(|find| (find.grid, find.back)).collect();
            lines.push(serde_json::to_string(&Line { class: class.to_string(), grids: *grids, finds }));
        }
        lines.into_iter().map(|line| line.unwrap_or_default() + "\n").collect()
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
        let classes: Vec<Line> = lines.map(serde_json::from_str).collect::<Result<_, _>>().ok()?;
        let named = classes.iter().map(|line| line.class.clone());
        let same = head.by == stock.by.name() && named.eq(stock.classes.iter().map(ToString::to_string));
        let pairs = classes.iter().flat_map(|line| &line.finds);
        same.then(|| Finds {
            blake3: blake3::hash(text.as_bytes()).to_hex().to_string(),
            lines: text.into(),
            finds: pairs.map(|&(grid, back)| Find { grid, back }).collect(),
            grids: classes.iter().map(|line| line.grids).collect(),
            of_class: classes.iter().map(|line| line.finds.len() as u64).collect(),
            search: head.search,
        })
    }

    /// A line about each class that has too few puzzles: its finds, the grids that were tried, and the rate.
    pub fn short(&self, stock: &Stock) -> Vec<String> {
        let each = stock.classes.iter().zip(self.of_class.iter().zip(&self.grids));
        let short = each.filter(|(_, (found, _))| **found < stock.count);
        short
            .map(|(class, (&found, &grids))| {
                let rate = match found {
                    0 => "none".to_owned(),
                    found => format!("one in {:.0}", grids as f64 / found as f64),
                };
                format!("{} {class}: {found} of {} in {grids} grids ({rate})", stock.by.name(), stock.count)
            })
            .collect()
    }
}
