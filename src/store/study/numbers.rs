//! The numbers of a row that are counted, and the pairs of them that are counted together.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::corpus::{COLUMNS, Record, Value};

/// A number of a row, by its place in the table of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Number(usize);

impl TryFrom<String> for Number {
    type Error = String;

    fn try_from(name: String) -> Result<Number, String> {
        Number::all().find(|number| number.name() == name).ok_or_else(|| format!("no number is called '{name}'"))
    }
}

/// A number in the table.
struct NumberInfo {
    /// For tables and axes.
    name: &'static str,
    of: fn(&Record) -> Option<u64>,
}

/// Defines the numbers that are no columns of effort: the table, and a constant for each.
macro_rules! numbers {
    ($($(#[$about:meta])* $visible:vis $number:ident = $name:literal: $of:expr;)*) => {
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "the names of the constants")]
        enum Place { $($number),* }

        impl Number {
            $($(#[$about])* $visible const $number: Number = Number(Place::$number as usize);)*
        }

        const PLAIN: &[NumberInfo] = &[$(NumberInfo { name: $name, of: $of }),*];
    };
}

numbers! {
    /// Cells with a digit.
    pub(crate) GIVENS = "givens": |row| row.givens.map(u64::from);
    /// Sudoku Explainer's ER, in tenths.
    pub ER = "ER": |row| row.se_er_tenths.map(u64::from);
    /// Berthier's W.
    pub(crate) W = "W": |row| row.w.map(u64::from);
    /// HoDoKu's score of puzzles that the ladder solves.
    pub(crate) SCORE = "hodoku_score": |row| row.hodoku_score.filter(|_| row.finished == Some(true)).map(u64::from);
    /// Guesses of the reference search.
    pub GUESSES = "guesses": |row| row.search_guesses;
    /// Cells without a given.
    pub(crate) HOLES = "holes": |row| row.holes.map(u64::from);
    /// The depth of the reference search.
    pub(crate) DEPTH = "search depth": |row| row.search().map(|search| search.depth.into());
    /// Sudoku Explainer's EP, in tenths.
    pub(crate) EP = "EP": |row| row.se_ep_tenths.map(u64::from);
    /// Sudoku Explainer's ED, in tenths.
    pub(crate) ED = "ED": |row| row.se_ed_tenths.map(u64::from);
    /// ER, of puzzles for which ER, EP and ED are only lower bounds.
    pub(crate) ER_BOUND = "lower bounds of ER":
        |row| row.se_er_tenths.filter(|_| row.se_exact == Some(false)).map(u64::from);
    /// W, of puzzles for which it is only a lower bound.
    pub(crate) W_BOUND = "lower bounds of W": |row| row.w.filter(|_| row.wb_exact == Some(false)).map(u64::from);
    /// B, of puzzles for which it is only a lower bound: no order of whips is known.
    pub(crate) B_BOUND = "lower bounds of B":
        |row| row.b.filter(|_| row.wb_exact == Some(false) && row.w_upper.is_none()).map(u64::from);
    /// Berthier's B.
    pub(crate) B = "B": |row| row.b.map(u64::from);
    /// The level on HoDoKu's scale, by its position.
    pub(crate) HODOKU_LEVEL = "hodoku_level": |row| row.hodoku_level.map(|level| level as u64);
    /// Cells that the ladder leaves open, of puzzles that it does not solve.
    pub(crate) OPEN_CELLS = "cells left empty":
        |row| row.open_cells.filter(|_| row.hodoku_level.is_some() && row.finished != Some(true)).map(u64::from);
    /// Different techniques that the ladder uses, of puzzles that it solves.
    pub(crate) KINDS = "techniques": kinds;
    /// The hardest technique that the ladder uses, by its place in the table of techniques.
    pub(crate) HARDEST = "hardest": |row| row.hardest.filter(|_| row.hodoku_level.is_some()).map(|hardest| hardest as u64);
    /// Full grids that were dug for it.
    pub TRIES = "tries": |row| row.tries;
    /// Maps of the board that turn a puzzle into a relabelling of itself.
    pub(crate) AUTOMORPHISMS = "automorphisms": |row| row.automorphisms.map(u64::from);
    /// 1 for minimal puzzles, 0 for others.
    pub(crate) MINIMAL = "minimal": |row| row.minimal.map(u64::from);
    /// Solutions: 0, 1, or 2 for several.
    pub(crate) SOLUTIONS = "solutions": solutions;
    /// The level on the scale of the rows, by its place; [`super::answers`] knows the scale.
    pub(crate) LEVEL = "level": |_| None;
    /// The symmetries of the pattern of givens, a bit for each; [`super::answers`] knows the shape.
    pub(crate) SYMMETRIES = "symmetries": |_| None;
    /// How many times the class of a puzzle occurs, once for each class; the report counts them.
    pub(crate) COPIES = "copies": |_| None;
}

fn kinds(row: &Record) -> Option<u64> {
    let counts = row.counts.as_ref().filter(|_| row.finished == Some(true))?;
    Some(counts.iter().filter(|&&count| count > 0).count() as u64)
}

fn solutions(row: &Record) -> Option<u64> {
    match (row.solutions, row.solutions_exact) {
        (Some(number @ (0 | 1)), Some(true)) => Some(number),
        (Some(2..), _) => Some(2),
        _ => None,
    }
}

impl Number {
    /// The numbers that are compared with each other.
    pub(crate) const CROSSED: [Number; 5] = [Number::GIVENS, Number::ER, Number::W, Number::SCORE, Number::GUESSES];
    /// The ratings that numbers of effort are compared with.
    pub(crate) const BESIDE_EFFORT: [Number; 3] = [Number::ER, Number::W, Number::SCORE];
    /// The numbers that have weighted figures.
    pub(crate) const WEIGHTED: [Number; 9] = [
        Number::GIVENS,
        Number::LEVEL,
        Number::DEPTH,
        Number::KINDS,
        Number::ER,
        Number::EP,
        Number::ED,
        Number::W,
        Number::B,
    ];

    /// All numbers, in the order of their places.
    pub(super) fn all() -> impl Iterator<Item = Number> {
        (0..PLAIN.len() + EFFORT.len()).map(Number)
    }

    pub(crate) fn efforts() -> impl Iterator<Item = Number> {
        Number::all().skip(PLAIN.len())
    }

    pub(super) fn place(self) -> usize {
        self.0
    }

    /// For tables and axes.
    pub(crate) fn name(self) -> &'static str {
        match PLAIN.get(self.0) {
            Some(plain) => plain.name,
            None => &COLUMNS[EFFORT[self.0 - PLAIN.len()]].name,
        }
    }

    /// The values of the number that are only lower bounds, if it may have any.
    pub(crate) fn bounds(self) -> Option<Number> {
        match self {
            Number::ER | Number::EP | Number::ED => Some(Number::ER_BOUND),
            Number::W => Some(Number::W_BOUND),
            Number::B => Some(Number::B_BOUND),
            _ => None,
        }
    }

    /// Its place among the weighted numbers, if it is one.
    pub(super) fn weighted(self) -> Option<usize> {
        Number::WEIGHTED.iter().position(|number| *number == self)
    }

    pub(crate) fn is_in_tenths(self) -> bool {
        [Number::ER, Number::EP, Number::ED].contains(&self)
    }

    /// The number of a row; None for those that depend on more than the row.
    pub(super) fn of(self, row: &Record) -> Option<u64> {
        match PLAIN.get(self.0) {
            Some(plain) => (plain.of)(row),
            None => match COLUMNS[EFFORT[self.0 - PLAIN.len()]].get(row) {
                Value::Unsigned(value) => Some(value),
                _ => None,
            },
        }
    }
}

/// The columns of effort, by their places in [`COLUMNS`].
static EFFORT: LazyLock<Vec<usize>> =
    LazyLock::new(|| (0..COLUMNS.len()).filter(|&place| COLUMNS[place].name.starts_with("effort_")).collect());

/// The pairs of numbers that are counted together: the second for each value of the first.
pub(super) static PAIRS: LazyLock<Vec<(Number, Number)>> = LazyLock::new(|| {
    let mut pairs = vec![
        (Number::HOLES, Number::DEPTH),
        (Number::HOLES, Number::GUESSES),
        (Number::HOLES, Number::SCORE),
        (Number::HODOKU_LEVEL, Number::SCORE),
    ];
    for (place, &second) in Number::CROSSED.iter().enumerate() {
        pairs.extend(Number::CROSSED[..place].iter().map(|&first| (first, second)));
    }
    pairs.extend(Number::efforts().flat_map(|effort| Number::BESIDE_EFFORT.map(|scale| (effort, scale))));
    pairs
});
