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
use crate::board::{Cell, Digit, House, HouseKind, Puzzle, Shape};
use crate::rate::ladder::step::names;

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
    /// The hint as a step of a position.
    pub(super) fn new(puzzle: &Puzzle, state: &State, found: &FoundHint) -> SeStep {
        let digit = Digit::from_index;
        let gone = |cell: usize| {
            let gone = move |digit: &usize| found.remove[*digit] >> cell & 1 != 0 && state.has(cell, *digit);
            (0..9).filter(gone).map(move |at| (Cell::new(cell), digit(at)))
        };
        let shape = puzzle.shape();
        let house = |number: usize| {
            let kind = [HouseKind::Box, HouseKind::Row, HouseKind::Column][number / 9];
            House::of(shape, kind, number % 9)
        };
        let houses = |set: u32| house_bits(set).map(house).collect();
        SeStep {
            kind: found.kind,
            tenths: found.tenths(),
            placement: found.place.map(|(cell, at)| (Cell::new(cell.into()), digit(at.into()))),
            eliminations: if found.place.is_some() { Vec::new() } else { (0..81).flat_map(gone).collect() },
            cells: cells(found.cells).map(Cell::new).collect(),
            digits: bits(found.digits).map(digit).collect(),
            houses: [houses(found.base), houses(found.cover)],
            complexity: found.complexity,
        }
    }

    /// True for kinds whose cell and digit are the start of a chain.
    fn is_chain(&self) -> bool {
        use HintKind::{BidirectionalCycle, BidirectionalXCycle, BidirectionalYCycle};
        self.complexity > 0 && !matches!(self.kind, BidirectionalXCycle | BidirectionalYCycle | BidirectionalCycle)
    }
}

impl fmt::Display for SeStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{} {}", self.tenths / 10, self.tenths % 10, self.kind.name())?;
        if self.complexity > 0 {
            write!(f, " ({} candidates)", self.complexity)?;
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
        let mut rest = self.eliminations.as_slice();
        while let Some(&(cell, _)) = rest.first() {
            let (same, after) = rest.split_at(rest.iter().take_while(|(other, _)| *other == cell).count());
            let digits: String = same.iter().map(|(_, digit)| digit.value().to_string()).collect();
            write!(f, " {}<>{digits}", cell.name(Shape::NINE))?;
            rest = after;
        }
        Ok(())
    }
}

impl SeStep {
    /// Writes the houses in brackets, if there are any.
    fn write_houses(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lists = self.houses.each_ref().map(|houses| names(houses, Shape::NINE));
        let lists: Vec<String> = lists.into_iter().filter(|names| !names.is_empty()).collect();
        if lists.is_empty() { Ok(()) } else { write!(f, " ({})", lists.join("; ")) }
    }
}
