//! Defines what a board demands beyond rows, columns and boxes: more houses, and pairs of cells that see each other
//! without being in one house. Here cells are numbers, row by row from 0. [`super::variants`] makes rules from names.

use std::fmt;
use std::hash::{Hash, Hasher};

/// The largest order of a board with rules.
pub(crate) const MAX_ORDER: usize = 16;
/// The most houses beyond row, column and box that one cell may be in.
pub(crate) const MOST_EXTRAS: usize = 4;

/// How a variant is drawn on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawnAs {
    /// A thin line through the cells of each house.
    Line,
    /// The cells of each drawn house are shaded.
    Shade,
    /// Thick lines between regions, where other boards have them between boxes.
    Borders,
    /// Nothing: the rule must be said in words.
    Nothing,
}

/// A house beyond rows, columns and boxes.
#[derive(Debug)]
pub struct Extra {
    /// Its name, with a number: "window 2".
    pub name: String,
    /// The name of its variant.
    pub variant: &'static str,
    /// Its n cells, ascending.
    pub cells: Vec<u16>,
    /// How it is drawn; [`DrawnAs::Nothing`] if other houses imply it.
    pub drawn: DrawnAs,
}

/// Two cells that see each other without being in one row, column or box.
#[derive(Debug)]
pub struct Pair {
    /// The two cells.
    pub cells: [u16; 2],
    /// The name of the variant that says so.
    pub variant: &'static str,
}

/// The rules of a board beyond rows, columns and boxes. Equal rules are one object, which lives as long as the program.
#[derive(Debug)]
pub struct Rules {
    /// The part of the name of the shape after its box: "x+windoku".
    pub(super) name: String,
    /// The region of each cell, in place of boxes.
    pub(super) regions: Option<&'static [u8]>,
    /// The rules that have the regions alone, if there are others.
    pub(super) regions_only: Option<&'static Rules>,
    /// The names of the variants; "jigsaw" is no name, but [`Shape::regions`](super::Shape::regions).
    pub variants: Vec<&'static str>,
    /// The houses beyond rows, columns and boxes.
    pub extras: Vec<Extra>,
    /// The pairs of cells that see each other by a move.
    pub pairs: Vec<Pair>,
}

/// Rules are interned: equal ones are one object.
impl PartialEq for Rules {
    fn eq(&self, other: &Rules) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Rules {}

impl Hash for Rules {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl PartialOrd for Rules {
    fn partial_cmp(&self, other: &Rules) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rules {
    fn cmp(&self, other: &Rules) -> std::cmp::Ordering {
        self.name.cmp(&other.name)
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// The regions of a jigsaw as a text, a letter for each cell.
pub(super) fn letters(regions: &[u8]) -> String {
    regions.iter().map(|&region| char::from(b'A' + region)).collect()
}

/// Two equal digits where the rules allow one.
pub(super) struct Conflict {
    pub(super) cells: [usize; 2],
    /// The rule that they break: "in window 2", "against anti-king".
    pub(super) rule: String,
}

impl Rules {
    /// The variants of a jigsaw beside its regions, as [`Shape::with`](super::Shape::with) reads them: "x+windoku". None if
    /// there are none, and for other boards.
    pub(super) fn without_regions(&self) -> Option<&str> {
        self.regions?;
        self.name.split_once('+').map(|(_, variants)| variants)
    }

    /// The first conflict among the values of a board that rows, columns and boxes do not show.
    pub(super) fn conflict(&self, values: &[u16]) -> Option<Conflict> {
        for extra in &self.extras {
            let mut seen = [None; MAX_ORDER + 1];
            for cell in extra.cells.iter().map(|&cell| usize::from(cell)).filter(|&cell| values[cell] != 0) {
                if let Some(first) = seen[usize::from(values[cell])].replace(cell) {
                    return Some(Conflict { cells: [first, cell], rule: format!("in {}", extra.name) });
                }
            }
        }
        for pair in &self.pairs {
            let cells = pair.cells.map(usize::from);
            if values[cells[0]] != 0 && values[cells[0]] == values[cells[1]] {
                return Some(Conflict { cells, rule: format!("against {}", pair.variant) });
            }
        }
        None
    }
}
