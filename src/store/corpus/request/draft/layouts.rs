//! The jigsaws of a corpus: how many layouts are drawn, or which ones there are.

use std::fmt;
use std::str::FromStr;

use sudoku_corpus_core::board::Shape;

/// The most layouts of one corpus. The tables of each take some ten kilobytes as long as the program runs.
pub(crate) const MOST_LAYOUTS: u64 = 10_000;

/// The key `layouts`: a number, or regions, a letter for each cell. Row i has layout i modulo their number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layouts {
    /// So many layouts are drawn from the seed.
    Drawn(u64),
    /// The regions of each layout, as [`Shape::of_regions`] reads them.
    Listed(Vec<String>),
}

impl Layouts {
    /// The number of layouts.
    pub fn count(&self) -> u64 {
        match self {
            Layouts::Drawn(count) => *count,
            Layouts::Listed(list) => list.len() as u64,
        }
    }
}

impl FromStr for Layouts {
    type Err = String;

    fn from_str(text: &str) -> Result<Layouts, String> {
        let layouts = match text.trim().parse() {
            Ok(count) => Layouts::Drawn(count),
            Err(_) => {
                let list: Vec<String> = text.split(',').map(|regions| regions.trim().to_owned()).collect();
                list.iter().try_for_each(|regions| Shape::of_regions(regions).map(drop).map_err(|reason| reason.0))?;
                Layouts::Listed(list)
            }
        };
        let fits = (1..=MOST_LAYOUTS).contains(&layouts.count());
        if fits { Ok(layouts) } else { Err(format!("a corpus has 1 to {MOST_LAYOUTS} layouts of jigsaws")) }
    }
}

impl fmt::Display for Layouts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Layouts::Drawn(count) => count.fmt(f),
            Layouts::Listed(list) => f.write_str(&list.join(",")),
        }
    }
}
