//! The target of puzzles: a level, techniques that they need, techniques that suffice, or a range of ER.
//!
//! ```text
//!   level = "hard"      the ladder of the recipe gives this level
//!   needs = "x_wing"    the ladder solves the puzzle, but not without this technique unless it takes a harder one
//!   uses  = "x_wing"    the ladder uses this technique; another one might do as well
//!   only  = "singles"   these techniques alone solve the puzzle
//!   er    = "3.0..4.5"  Sudoku Explainer gives this ER
//! ```
//!
//! `level`, `only` and `er` are also upper bounds. The plan `within` uses them while it digs: it removes a given only
//! if the puzzle stays easy enough. The plan `needed` looks for `needs` near a minimal puzzle. The other plans dig as
//! always. If the puzzle does not meet the target, the next grid is tried. The row records how many grids were tried.
//!
//! Ladders stop as soon as a puzzle is known to be too hard. This gives most of the speed.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use super::goal::Goal;
use sudoku_corpus_core::board::{Puzzle, Shape};
use sudoku_corpus_core::dig::{Bound, Nearness};
use sudoku_corpus_core::rate::explainer::{self, Scope, SeRating, Tenths};
use sudoku_corpus_core::rate::{End, Ladder, Level, Limit, Rating, Technique, rate, rate_until};

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

impl FromStr for Techniques {
    type Err = String;

    fn from_str(text: &str) -> Result<Techniques, String> {
        let techniques = text.split(',').map(|name| name.trim().parse::<Technique>());
        techniques.collect::<Result<_, _>>().map(Techniques).map_err(|error| error.to_string())
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
        let (from, to) = text.split_once("..").unwrap_or((text, text));
        Ok(ErRange(from.trim().parse()?, to.strip_prefix('=').unwrap_or(to).trim().parse()?))
    }
}

impl Display for ErRange {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.0, self.1)
    }
}

/// What making a puzzle has found out about it, so that it is not computed again.
#[derive(Clone, Debug, Default)]
pub struct Judged {
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

impl Goal {
    /// Calls `dig` with a function that says how near a puzzle is to its `needs`. The function rates with the
    /// techniques of the ladder up to the hardest one of `needs`.
    pub(crate) fn seek<T>(&self, ladder: &Ladder, dig: impl FnOnce(&mut dyn FnMut(&Puzzle) -> Nearness) -> T) -> T {
        let hardest = self.needs.0.iter().map(|technique| technique.rank()).max();
        let up_to = Ladder::of(ladder.techniques().iter().copied().filter(|other| Some(other.rank()) <= hardest));
        dig(&mut |puzzle| {
            let rating = rate(puzzle, &up_to);
            if self.needs.0.iter().any(|&technique| rating.count(technique) == 0) {
                Nearness::Lacking
            } else if !rating.finished {
                Nearness::TooHard
            } else if self.needs.0.iter().all(|&technique| is_needed(technique, puzzle, &up_to, &rating)) {
                Nearness::Met
            } else {
                Nearness::Lacking
            }
        })
    }

    /// Judges a puzzle with one solution. If it meets the goal, returns its ratings. `allowed` has the ratings that
    /// digging with the bound of this goal found already. An own level is judged by [`OwnLevel::judge`].
    ///
    /// [`OwnLevel::judge`]: super::levels::OwnLevel
    pub(crate) fn is_met(&self, puzzle: &Puzzle, ladder: &Ladder, allowed: Option<Judged>) -> Option<Judged> {
        let judged = allowed.or_else(|| self.allows(puzzle, ladder, self.only.as_ref()))?;
        let er = judged.explained.as_ref().and_then(|explained| explained.er_tenths);
        if self.er.is_some_and(|ErRange(from, _)| er.is_none_or(|er| er < from.0)) {
            return None;
        }
        if self.level.is_none() && self.needs.0.is_empty() && self.uses.0.is_empty() {
            return Some(judged);
        }
        let rating = judged.rating.unwrap_or_else(|| rate_until(puzzle, ladder, &self.limit()));
        let is_met = self.level.is_none_or(|level| rating.level == level && rating.end != End::Stopped)
            && self.uses.0.iter().all(|&technique| rating.count(technique) > 0)
            && self.needs.0.iter().all(|&technique| is_needed(technique, puzzle, ladder, &rating));
        is_met.then_some(Judged { rating: Some(rating), ..judged })
    }

    /// Returns the ratings of a puzzle if it is not too hard. If the puzzle is not known to have one solution, `ladder`
    /// and [`Goal::only`] must not contain techniques of uniqueness.
    fn allows(&self, puzzle: &Puzzle, ladder: &Ladder, only: Option<&Ladder>) -> Option<Judged> {
        let mut judged = Judged::default();
        if only.is_some_and(|only| !rate(puzzle, only).finished) {
            return None;
        }
        if let Some(ErRange(_, to)) = self.er {
            let explained = explain(puzzle, to);
            if !explained.exact || explained.er_tenths > Some(to.0) {
                return None;
            }
            judged.explained = Some(explained);
        }
        if let Some(level) = self.level.filter(|&level| level != Level::Beyond) {
            let rating = rate_until(puzzle, ladder, &self.limit());
            if !rating.finished || rating.level > level {
                return None;
            }
            judged.rating = Some(rating);
        }
        Some(judged)
    }

    /// The limit that stops the ladder as soon as a puzzle is above the level of the goal.
    fn limit(&self) -> Limit {
        self.level.map_or(Limit::NONE, Limit::above)
    }

    /// Calls `dig` with the bound of this goal. On boards up to 9x9, searches prove that puzzles have one solution.
    /// On larger boards, the ladder proves this, without techniques of uniqueness.
    ///
    /// On boards up to 9x9, also returns the last allowed puzzle with its ratings.
    pub(crate) fn bounded<T>(
        &self,
        shape: Shape,
        ladder: &Ladder,
        dig: impl FnOnce(&mut Bound<'_>) -> T,
    ) -> (T, Option<(Puzzle, Judged)>) {
        let proves = shape.order() > 9;
        let kept = |ladder: Ladder| if proves { ladder.without_uniqueness() } else { ladder };
        let only = self.only.clone().map(kept);
        let ladder = kept(ladder.clone());
        let mut last = None;
        let mut allows = |puzzle: &Puzzle| {
            let judged = self.allows(puzzle, &ladder, only.as_ref()).map(|judged| (puzzle.clone(), judged));
            let is_allowed = judged.is_some();
            last = judged.or(last.take());
            is_allowed
        };
        let dug = dig(&mut Bound { allows: &mut allows, proves });
        // The puzzle was dug without techniques of uniqueness; the ladder of its row may have them.
        (dug, last.filter(|_| !proves))
    }
}

/// Reads a range of numbers, both ends included: `N..M`, or `N` alone.
pub fn range(text: &str) -> Result<(usize, usize), String> {
    let number = |word: &str| word.trim().parse().map_err(|_| format!("'{text}' is neither N nor N..M"));
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    Ok((number(first)?, number(last.trim_start_matches('='))?))
}
