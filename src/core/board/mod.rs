//! The basic types of the field, one per file: shape, rules, digit, cell, house, grid, candidates, symmetry.
//!
//! ```
//! use sudoku_corpus_core::board::{Puzzle, Shape, Solution, text};
//!
//! let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
//! let grid = text::parse_line(line, None)?; // any digits in any cells
//! let puzzle = Puzzle::try_from(grid)?; // no digit stands twice in a house
//! assert_eq!((puzzle.shape(), puzzle.grid().givens()), (Shape::NINE, 30));
//! let error = Solution::try_from(puzzle.into_grid()).unwrap_err();
//! assert_eq!(error.to_string(), "r1c3 is empty");
//! let error = Puzzle::try_from(text::parse_line(&line.replacen('.', "5", 1), None)?).unwrap_err();
//! assert_eq!(error.to_string(), "digit 5 stands twice in row 1: r1c1 and r1c3");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

/// The operators of a type of sets: `&` intersection, `|` union, `-` difference; and how it is printed, by its members.
/// The expression makes a set of two sets `a` and `b`, if `apply` makes a word of two words.
macro_rules! set_operators {
    ([$($generics:tt)*] $set:ty: $word:ty, |$a:ident, $b:ident, $apply:ident| $make:expr, $members:ident) => {
        $crate::board::set_operators!(@ [$($generics)*] $set, |$a, $b, $apply| $make, BitAnd bitand (|x: $word, y: $word| x & y));
        $crate::board::set_operators!(@ [$($generics)*] $set, |$a, $b, $apply| $make, BitOr bitor (|x: $word, y: $word| x | y));
        $crate::board::set_operators!(@ [$($generics)*] $set, |$a, $b, $apply| $make, Sub sub (|x: $word, y: $word| x & !y));

        impl<$($generics)*> std::fmt::Debug for $set {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_set().entries(self.$members()).finish()
            }
        }
    };
    (@ [$($generics:tt)*] $set:ty, |$a:ident, $b:ident, $apply:ident| $make:expr, $name:ident $method:ident ($each:expr)) => {
        impl<$($generics)*> std::ops::$name for $set {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                let ($a, $b, $apply) = (self, other, $each);
                $make
            }
        }
    };
}
use set_operators;

pub mod candidates;
pub mod cell;
pub mod digit;
pub mod grid;
pub mod house;
pub(crate) mod kept;
pub mod maps;
pub(crate) mod nine;
pub mod rules;
pub mod shape;
pub(crate) mod templates;
pub mod text;
pub mod variants;

pub use candidates::Candidates;
pub(crate) use cell::Wide;
pub use cell::{Cell, CellSet, Narrow};
pub use digit::{Digit, Digits};
pub use grid::{Grid, Puzzle, Solution};
pub use house::{House, HouseKind, Layout};
pub use maps::{Freedom, Isomorphism, Symmetry};
pub use rules::Rules;
pub use shape::Shape;
pub use variants::{VARIANTS, VariantInfo};

/// Why something cannot be, in words for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Reason(pub String);
