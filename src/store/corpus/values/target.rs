//! Defines the target of puzzles: a level, techniques that they need, techniques that suffice, or a range of ER.
//!
//! ```text
//!   level = "hard"      the ladder of the recipe gives this level
//!   needs = "x_wing"    the ladder solves the puzzle, but not without this technique unless it takes a harder one
//!   uses  = "x_wing"    the ladder uses this technique; another one might do as well
//!   only  = "singles"   these techniques alone solve the puzzle
//!   er    = "3.0..4.5"  Sudoku Explainer gives this ER
//! ```

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use sudoku_corpus_core::board::Puzzle;
use sudoku_corpus_core::explainer::{self, Scope, SeRating, Tenths};
use sudoku_corpus_core::ladder::{Family, Ladder, Level, Rating, Technique, rate};
use sudoku_corpus_core::names::{self, UnknownName};

/// Techniques, separated by commas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Techniques(pub Vec<Technique>);

impl Techniques {
    pub(crate) fn hardest(&self) -> Option<Level> {
        self.0.iter().map(|technique| technique.info().level).max()
    }

    pub(crate) fn names(&self) -> String {
        self.0.iter().map(|technique| technique.name()).collect::<Vec<_>>().join(", ")
    }
}

/// A ladder as a user writes it: the singles as their family.
pub(crate) fn named(ladder: &Ladder) -> String {
    ladder.to_string().replace(&Ladder::of_family(Family::Singles).to_string(), Family::Singles.name())
}

impl FromStr for Techniques {
    type Err = String;

    fn from_str(text: &str) -> Result<Techniques, String> {
        text.split(',').map(|name| single_technique(name.trim())).collect::<Result<_, _>>().map(Techniques)
    }
}

/// A technique of a list. A family is none.
fn single_technique(name: &str) -> Result<Technique, String> {
    if let Some(family) = Family::ALL.into_iter().find(|family| family.name() == name) {
        let example = Ladder::of_family(family).techniques()[0].code();
        return Err(format!("'{family}' is a family: write single techniques, such as {example}"));
    }
    match name {
        "" => Err("a technique is missing: the list has a comma too many".to_owned()),
        _ => name.parse().map_err(|error: UnknownName| error.to_string()),
    }
}

impl Display for Techniques {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.iter().map(|technique| technique.code()).collect::<Vec<_>>().join(","))
    }
}

/// A range of ER, both ends included: `1.5..4.5`, or `4.5` alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErRange(pub Tenths, pub Tenths);

impl FromStr for ErRange {
    type Err = String;

    fn from_str(text: &str) -> Result<ErRange, String> {
        names::ends(text, str::parse).map(|(from, to)| ErRange(from, to))
    }
}

impl Display for ErRange {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.0, self.1)
    }
}

/// What making a puzzle has found out about it, so that it is not computed again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Judged {
    /// The rating by the ladder of the recipe.
    pub rating: Option<Rating>,
    /// The rating on Sudoku Explainer's scale.
    pub explained: Option<SeRating>,
    /// The class of its solution.
    pub solution_class: Option<u128>,
}

/// True if a puzzle needs a technique: the ladder solves the puzzle, but without the technique it must take a harder
/// one than all that it takes now, or gets stuck. `rating` is that of the ladder.
pub(crate) fn is_needed(technique: Technique, puzzle: &Puzzle, ladder: &Ladder, rating: &Rating) -> bool {
    let others = ladder.techniques().iter().copied().filter(|&other| other != technique);
    let no_harder = others.filter(|other| Some(other.rank()) <= rating.hardest.map(Technique::rank));
    rating.finished && rating.count(technique) > 0 && !rate(puzzle, &Ladder::of(no_harder)).finished
}

/// ER, EP and ED, up to a limit of ER.
pub(crate) fn explain(puzzle: &Puzzle, limit: Tenths) -> SeRating {
    explainer::rate(puzzle, &explainer::Options { scope: Scope::All, at_most: Some(limit.0) })
}

/// Reads a range of numbers, both ends included: `N..M`, or `N` alone.
pub fn range(text: &str) -> Result<(usize, usize), String> {
    names::ends(text, |word| {
        word.parse().map_err(|_| format!("'{text}' is neither a number nor a range, such as 24 or 24..30"))
    })
}
