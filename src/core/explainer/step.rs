//! Turns hints into steps that can be printed.
//!
//! ```text
//!   2.6 Pointing: 5 in r4c7 r5c7 (box 6; column 7) => r8c7<>5
//!   7.1 Forcing Chain (8 candidates): r8c1<>8
//! ```

use std::fmt;

use super::SeRating;
use super::found::FoundHint;
use super::kind::HintKind;
use super::state::State;
use super::tables::{bits, cells, house_bits};
use crate::board::house::names;
use crate::board::{Cell, Digit, House, HouseKind, Puzzle, Shape};
use crate::page::numbers::counted;

/// One hint of Sudoku Explainer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeStep {
    /// The kind of hint.
    pub kind: HintKind,
    /// Its rating in tenths.
    pub tenths: u16,
    /// The digit that it places.
    pub placement: Option<(Cell, Digit)>,
    /// The candidates that it removes, cell by cell. Those that a placed digit removes are not listed.
    pub eliminations: Vec<(Cell, Digit)>,
    /// The cells of the pattern, or the start of a chain. Empty where this has no meaning.
    pub cells: Vec<Cell>,
    /// The digits of the pattern.
    pub digits: Vec<Digit>,
    /// The houses that define the pattern, and those in which it removes candidates, if they are others.
    pub houses: [Vec<House>; 2],
    /// The number of candidates on which a chain rests, counted in each branch. 0 if it is not a chain.
    pub complexity: u32,
}

/// The hints of Sudoku Explainer, one after the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeTrace {
    /// The hints in the order in which they are applied.
    pub steps: Vec<SeStep>,
    /// The resulting rating.
    pub rating: SeRating,
}

impl SeStep {
    pub(super) fn new(puzzle: &Puzzle, state: &State, hint: &FoundHint) -> SeStep {
        let mut eliminations = Vec::new();
        if hint.placed.is_none() {
            for (cell, &digits) in state.digits.iter().enumerate() {
                let removed = bits(digits).filter(|&digit| hint.remove[digit] >> cell & 1 != 0);
                eliminations.extend(removed.map(|digit| (Cell::new(cell), Digit::from_index(digit))));
            }
        }
        SeStep {
            kind: hint.kind,
            tenths: hint.tenths(),
            placement: hint.placed.map(|(cell, digit)| (Cell::new(cell.into()), Digit::from_index(digit.into()))),
            eliminations,
            cells: cells(hint.cells).map(Cell::new).collect(),
            digits: bits(hint.digits).map(Digit::from_index).collect(),
            houses: [hint.base, hint.cover].map(|set| house_bits(set).map(|house| house_of(puzzle, house)).collect()),
            complexity: hint.complexity,
        }
    }

    /// True for kinds whose cell and digit are the start of a chain.
    fn is_chain(&self) -> bool {
        use HintKind::{BidirectionalCycle, BidirectionalXCycle, BidirectionalYCycle};
        self.complexity > 0 && !matches!(self.kind, BidirectionalXCycle | BidirectionalYCycle | BidirectionalCycle)
    }

    /// Writes the houses in brackets, if there are any.
    fn write_houses(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lists = self.houses.each_ref().map(|houses| names(houses, Shape::NINE));
        let lists: Vec<String> = lists.into_iter().filter(|names| !names.is_empty()).collect();
        if lists.is_empty() { Ok(()) } else { write!(f, " ({})", lists.join("; ")) }
    }
}

/// A house by its number in the tables: boxes, rows, columns.
fn house_of(puzzle: &Puzzle, number: usize) -> House {
    let kind = [HouseKind::Box, HouseKind::Row, HouseKind::Column][number / 9];
    House::of(puzzle.shape(), kind, number % 9)
}

impl fmt::Display for SeStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{} {}", self.tenths / 10, self.tenths % 10, self.kind.name())?;
        if self.complexity > 0 {
            write!(f, " ({})", counted(self.complexity, "candidate"))?;
        }
        write!(f, ":")?;
        let digits: String = self.digits.iter().map(|digit| digit.value().to_string()).collect();
        if !self.is_chain() {
            if !(digits.is_empty() || self.cells.is_empty()) {
                write!(f, " {digits} in")?;
            }
            self.cells.iter().try_for_each(|cell| write!(f, " {}", cell.name(Shape::NINE)))?;
            self.write_houses(f)?;
            if !self.cells.is_empty() {
                write!(f, " =>")?;
            }
        }
        if let Some((cell, digit)) = self.placement {
            return write!(f, " {}={}", cell.name(Shape::NINE), digit.value());
        }
        for of_cell in self.eliminations.chunk_by(|(cell, _), (next_cell, _)| cell == next_cell) {
            let (cell, _) = of_cell[0];
            let digits: String = of_cell.iter().map(|(_, digit)| digit.value().to_string()).collect();
            write!(f, " {}<>{digits}", cell.name(Shape::NINE))?;
        }
        Ok(())
    }
}
