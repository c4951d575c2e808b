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

use sudoku_corpus_core::board::{Puzzle, Shape};
use sudoku_corpus_core::dig::{Bound, Nearness};
use sudoku_corpus_core::rate::explainer::{self, Scope, SeRating, Tenths};
use sudoku_corpus_core::rate::{End, Family, Ladder, LadderError, Level, Limit, Rating, Technique, rate, rate_until};

/// The target of puzzles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// Their level.
    pub level: Option<Level>,
    /// Techniques that they need, each of them: see [`is_needed`].
    pub needs: Vec<Technique>,
    /// Techniques that the ladder uses, each at least once.
    pub uses: Vec<Technique>,
    /// Techniques that alone solve them.
    pub only: Option<Ladder>,
    /// The range of their ER.
    pub er: Option<ErRange>,
}

/// Techniques, separated by commas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Techniques(pub Vec<Technique>);

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

/// The ladder of `only`. Full houses and singles are added when it is read, because every ladder that solves a puzzle
/// needs them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Only(pub Ladder);

impl FromStr for Only {
    type Err = LadderError;

    fn from_str(text: &str) -> Result<Only, LadderError> {
        let named: Ladder = text.parse()?;
        let singles = Ladder::of_family(Family::Singles);
        // A single technique of the family of singles means only itself.
        if named.techniques().iter().all(|&technique| singles.has(technique)) {
            return Ok(Only(named));
        }
        Ok(Only(Ladder::of(named.techniques().iter().chain(singles.techniques()).copied())))
    }
}

impl Display for Only {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
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

/// Ratings of a puzzle that meets its target, so that they are not computed again.
#[derive(Clone, Debug, Default)]
pub struct Judged {
    /// The rating by the ladder of the recipe.
    pub rating: Option<Rating>,
    /// The rating on Sudoku Explainer's scale.
    pub explained: Option<SeRating>,
}

/// True if a puzzle needs a technique: the ladder solves the puzzle, but without the technique it must take a harder
/// one than all that it takes now, or gets stuck. `rating` is that of the ladder.
fn is_needed(technique: Technique, puzzle: &Puzzle, ladder: &Ladder, rating: &Rating) -> bool {
    let others = ladder.techniques().iter().copied().filter(|&other| other != technique);
    let no_harder = others.filter(|other| Some(other.rank()) <= rating.hardest.map(Technique::rank));
    rating.finished && rating.count(technique) > 0 && !rate(puzzle, &Ladder::of(no_harder)).finished
}

/// ER, EP and ED, up to a limit of ER.
pub(super) fn explain(puzzle: &Puzzle, limit: Tenths) -> SeRating {
    explainer::rate(puzzle, &explainer::Options { scope: Scope::All, at_most: Some(limit.0) })
}

impl Target {
    /// True if there is no target.
    pub fn is_empty(&self) -> bool {
        *self == Target::default()
    }

    /// True if a puzzle can be too hard for the target, so that the plan `within` can use it.
    pub fn is_bound(&self) -> bool {
        self.only.is_some() || self.er.is_some() || self.level.is_some_and(|level| level != Level::Beyond)
    }

    /// True if the plan `needed` can look for what the target needs: no other part of the target asks for puzzles that
    /// are harder or easier.
    pub fn can_be_sought(&self) -> bool {
        let hardest = self.needs.iter().map(|technique| technique.info().level).max();
        let level_fits = self.level.is_none_or(|level| Some(level) == hardest);
        hardest.is_some() && level_fits && self.only.is_none() && self.er.is_none()
    }

    /// Calls `dig` with a function that says how near a puzzle is to the target's `needs`. The function rates with the
    /// techniques of the ladder up to the hardest one of `needs`.
    pub fn seek<T>(&self, ladder: &Ladder, dig: impl FnOnce(&mut dyn FnMut(&Puzzle) -> Nearness) -> T) -> T {
        let hardest = self.needs.iter().map(|technique| technique.rank()).max();
        let up_to = Ladder::of(ladder.techniques().iter().copied().filter(|other| Some(other.rank()) <= hardest));
        dig(&mut |puzzle| {
            let rating = rate(puzzle, &up_to);
            if self.needs.iter().any(|&technique| rating.count(technique) == 0) {
                Nearness::Lacking
            } else if !rating.finished {
                Nearness::TooHard
            } else if self.needs.iter().all(|&technique| is_needed(technique, puzzle, &up_to, &rating)) {
                Nearness::Met
            } else {
                Nearness::Lacking
            }
        })
    }

    /// Checks that the target fits the shape and the ladder.
    ///
    /// # Errors
    /// What does not go together.
    pub fn check(&self, shape: Shape, ladder: Option<&Ladder>) -> Result<(), String> {
        match self.er {
            Some(_) if shape != Shape::NINE => {
                return Err(format!("er is for the 9x9 board, 3x3 boxes; not for the {}", shape.board()));
            }
            Some(range) if range.0 > range.1 => return Err(format!("the range {range} of er is empty")),
            _ => {}
        }
        let techniques = [&self.needs[..], &self.uses].concat();
        let rated = self.level.is_some() || !techniques.is_empty();
        let Some(ladder) = ladder else {
            return if rated {
                Err("level, needs and uses require a rating, but techniques is \"none\"".into())
            } else {
                Ok(())
            };
        };
        if let Some(missing) = techniques.iter().find(|&&technique| !ladder.has(technique)) {
            return Err(format!("{missing} is not among the techniques of the ladder"));
        }
        if self.level == Some(Level::Beyond) && !self.needs.is_empty() {
            return Err("a puzzle of level beyond is not solved, so it needs no technique: ask for uses".into());
        }
        let hardest = techniques.iter().map(|technique| technique.info().level).max();
        if let (Some(level), Some(least)) = (self.level, hardest)
            && level < least
        {
            return Err(format!("a puzzle that uses {} is {least} at least, not {level}", names(&techniques)));
        }
        Ok(())
    }

    /// Judges a puzzle with one solution. If it meets the target, returns its ratings. `allowed` has the
    /// ratings that digging with the bound of this target found already.
    pub fn is_met(&self, puzzle: &Puzzle, ladder: &Ladder, allowed: Option<Judged>) -> Option<Judged> {
        let Judged { rating, explained } = match allowed {
            Some(allowed) => allowed,
            None if self.only.as_ref().is_some_and(|only| !rate(puzzle, only).finished) => return None,
            None => Judged { rating: None, explained: self.er.map(|range| explain(puzzle, range.1)) },
        };
        let lies_in = |explained: &SeRating, ErRange(from, to): ErRange| {
            explained.exact && explained.er_tenths.is_some_and(|er| (from.0..=to.0).contains(&er))
        };
        if self.er.is_some_and(|range| !explained.as_ref().is_some_and(|explained| lies_in(explained, range))) {
            return None;
        }
        if self.level.is_none() && self.needs.is_empty() && self.uses.is_empty() {
            return Some(Judged { rating, explained });
        }
        let rating = rating.unwrap_or_else(|| rate_until(puzzle, ladder, &self.limit()));
        let is_met = self.level.is_none_or(|level| rating.level == level && rating.end != End::Stopped)
            && self.uses.iter().all(|&technique| rating.count(technique) > 0)
            && self.needs.iter().all(|&technique| is_needed(technique, puzzle, ladder, &rating));
        is_met.then_some(Judged { rating: Some(rating), explained })
    }

    /// Returns the ratings of a puzzle if it is not too hard. If the puzzle is not known to have one solution, `ladder`
    /// and [`Target::only`] must not contain techniques of uniqueness.
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

    /// The limit that stops the ladder as soon as a puzzle is above the level of the target.
    fn limit(&self) -> Limit {
        self.level.map_or(Limit::NONE, Limit::above)
    }

    /// Calls `dig` with the bound of this target. On boards up to 9x9, searches prove that puzzles have one solution.
    /// On larger boards, the ladder proves this, without techniques of uniqueness.
    ///
    /// On boards up to 9x9, also returns the last allowed puzzle with its ratings.
    pub fn bounded<T>(
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

/// The target for messages: `level = hard, needs = x_wing`.
impl Display for Target {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let level = self.level.map(|level| format!("level = {level}"));
        let needs = (!self.needs.is_empty()).then(|| format!("needs = {}", names(&self.needs)));
        let uses = (!self.uses.is_empty()).then(|| format!("uses = {}", names(&self.uses)));
        let only = self.only.as_ref().map(|only| format!("only = {only}"));
        let er = self.er.map(|range| format!("er = {range}"));
        f.write_str(&[level, needs, uses, only, er].into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

/// Techniques for messages.
fn names(techniques: &[Technique]) -> String {
    techniques.iter().map(|technique| technique.name()).collect::<Vec<_>>().join(", ")
}

/// Reads a range of numbers, both ends included: `N..M`, or `N` alone.
///
/// # Errors
/// The text is not such a range.
pub fn range(text: &str) -> Result<(usize, usize), String> {
    let number = |word: &str| word.trim().parse().map_err(|_| format!("'{text}' is neither N nor N..M"));
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    Ok((number(first)?, number(last.trim_start_matches('='))?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{Draft, Recipe, Record};
    use sudoku_corpus_core::solve::{Budget, count};

    fn recipe(text: &str) -> Result<Recipe, String> {
        Draft::parse(text).and_then(|draft| Recipe::new(&draft)).map_err(|error| error.to_string())
    }

    fn rows(text: &str, rows: u64) -> Vec<Record> {
        let recipe = recipe(text).unwrap();
        (0..rows).map(|index| recipe.make(index).unwrap()).collect()
    }

    #[test]
    fn puzzles_have_the_requested_level() {
        for plan in ["", "plan = \"minimal\"\n", "plan = \"givens=30..34\"\n"] {
            for level in ["easy", "medium", "hard", "unfair"] {
                for row in rows(&format!("[dig]\n{plan}level = \"{level}\""), 3) {
                    assert_eq!(row.level.unwrap().name(), level);
                    assert_eq!((row.solutions, row.solutions_exact), (Some(1), Some(true)));
                    assert!(row.tries.is_some_and(|tries| tries >= 1));
                    assert_eq!(row.plan.as_deref() == Some("within"), plan.is_empty());
                }
            }
        }
    }

    #[test]
    fn targets_for_techniques_are_met() {
        for row in rows("[dig]\nneeds = \"naked_pair\"", 3) {
            let puzzle = row.puzzle.as_ref().unwrap();
            let rating = rate(puzzle, &Ladder::default());
            let hardest = rating.hardest.map(Technique::rank);
            let others = Technique::all().filter(|&other| Some(other.rank()) <= hardest);
            let others = others.filter(|&other| other != Technique::NakedPair && Ladder::default().has(other));
            assert!(rating.finished && !rate(puzzle, &Ladder::of(others)).finished);
        }
        for row in rows("[dig]\nuses = \"x_wing,naked_pair\"", 2) {
            let counts = row.counts.unwrap();
            assert!(counts[Technique::XWing as usize] > 0 && counts[Technique::NakedPair as usize] > 0);
            assert_eq!(row.plan.as_deref(), Some("minimal"));
        }
        let seeking = "[dig]\nneeds = \"naked_triple,hidden_pair\"";
        for text in [seeking, &format!("{seeking}\nsymmetry = \"rotate-180\"")] {
            for row in rows(text, 2) {
                let (ladder, puzzle) = (Ladder::default(), row.puzzle.unwrap());
                let is_needed = |technique| is_needed(technique, &puzzle, &ladder, &rate(&puzzle, &ladder));
                assert!([Technique::NakedTriple, Technique::HiddenPair].into_iter().all(is_needed));
                assert_eq!(row.plan.as_deref(), Some("needed"));
                assert!(row.symmetry.unwrap().orbits(Shape::NINE).iter().all(|orbit| {
                    let given = |cell| puzzle.grid().get(cell).is_some();
                    orbit.iter().all(|&cell| given(cell)) || !orbit.iter().any(|&cell| given(cell))
                }));
            }
        }
        for row in rows("[dig]\nonly = \"singles\"\n[analyze]\ntechniques = \"none\"", 5) {
            assert!(rate(row.puzzle.as_ref().unwrap(), &Ladder::of_family(Family::Singles)).finished);
            assert!(row.givens.unwrap() < 40 && row.level.is_none());
        }
        for row in rows("[dig]\ner = \"3.0..4.5\"", 3) {
            assert!((30..=45).contains(&row.se_er_tenths.unwrap()) && row.plan.as_deref() == Some("within"));
        }
        for row in rows("[dig]\nonly = \"naked_single\"", 3) {
            assert!(rate(row.puzzle.as_ref().unwrap(), &"naked_single".parse().unwrap()).finished);
        }
    }

    /// The ratings found while digging go into the row, so they must equal the ratings of the puzzle alone.
    #[test]
    fn rows_have_the_ratings_of_their_puzzles_alone() {
        let quotas = "[[quota]]\nlevel = \"easy\"\ncount = 2\n[[quota]]\nneeds = \"x_wing\"\ncount = 2\n\
                      [[quota]]\ner = \"2.0..4.5\"\ncount = 2";
        for text in [
            "[dig]\ner = \"2.6..4.5\"",
            "[dig]\nplan = \"minimal\"\ner = \"1.5..7.0\"\n[analyze]\nratings = \"er,ed\"",
            "[dig]\ner = \"3.0..7.0\"\nlevel = \"hard\"\n[analyze]\ner_limit = \"4.0\"",
            "[dig]\nlevel = \"unfair\"\nplan = \"minimal\"",
            "[dig]\nlevel = \"hard\"\nneeds = \"naked_pair\"",
            "[dig]\nonly = \"intersections\"",
            "[grid]\nshape = \"4x4\"\n[dig]\nlevel = \"easy\"",
            &format!("count = 6\n{quotas}"),
        ] {
            let recipe = recipe(text).unwrap();
            for index in 0..6 {
                let row = recipe.make(index).unwrap();
                let alone = recipe.analysis.analyze(Record::of_puzzle(index, row.puzzle.clone().unwrap()));
                let explained = |row: &Record| (row.se_er_tenths, row.se_ep_tenths, row.se_ed_tenths, row.se_exact);
                let rated = |row: &Record| (row.level, row.score, row.hardest, row.counts);
                assert_eq!((explained(&row), rated(&row)), (explained(&alone), rated(&alone)), "{text}, row {index}");
            }
        }
    }

    /// A puzzle that is dug along a target and accepted has all ratings that its row needs.
    #[test]
    fn ratings_found_while_digging_are_not_computed_again() {
        let target =
            Target { level: Some(Level::Hard), er: Some(ErRange(Tenths(10), Tenths(70))), ..Target::default() };
        let row = rows("[dig]\nlevel = \"hard\"\ner = \"1.0..7.0\"", 1).swap_remove(0);
        let puzzle = row.puzzle.unwrap();
        let ladder = Ladder::default();
        let is_allowed = |puzzle: &Puzzle| target.bounded(Shape::NINE, &ladder, |bound| (bound.allows)(puzzle));
        let (true, Some((last, allowed))) = is_allowed(&puzzle) else { panic!("it is as asked") };
        assert_eq!((&last, allowed.rating.as_ref()), (&puzzle, Some(&rate(&puzzle, &ladder))));
        assert_eq!(allowed.explained, Some(explain(&puzzle, Tenths(104))));
        let judged = target.is_met(&puzzle, &ladder, Some(allowed.clone())).expect("it is as asked");
        assert_eq!((judged.rating, judged.explained), (allowed.rating, allowed.explained));
        let easier = Target { level: Some(Level::Easy), ..target.clone() };
        assert!(!easier.bounded(Shape::NINE, &ladder, |bound| (bound.allows)(&puzzle)).0);
        assert!(easier.is_met(&puzzle, &ladder, None).is_none());
    }

    #[test]
    fn the_ladder_proves_uniqueness_above_order_nine() {
        for row in rows("[grid]\nshape = \"4x4\"\n[dig]\nlevel = \"easy\"\nsymmetry = \"rotate-180\"", 2) {
            assert_eq!(row.level, Some(Level::Easy));
            assert!(row.givens.unwrap() < 140, "{:?}", row.givens);
            let counted = count(row.puzzle.as_ref().unwrap(), 2, Budget(1_000_000));
            assert!(counted.found == 1 && counted.exact);
        }
    }

    #[test]
    fn an_impossible_row_is_an_error_with_the_number_of_tries() {
        let recipe =
            recipe("[dig]\nneeds = \"jellyfish\"\nlevel = \"unfair\"\nplan = \"givens=60\"\nretries = 20").unwrap();
        let error = recipe.make(0).unwrap_err().to_string();
        assert!(error.contains("none of 21 tries, 21 puzzles did not meet the goal"), "{error}");
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        for (text, message) in [
            ("level = \"easy\"\nneeds = \"x_wing\"", "a puzzle that uses X-Wing is hard at least, not easy"),
            ("level = \"beyond\"\nneeds = \"x_wing\"", "it needs no technique: ask for uses"),
            ("plan = \"within\"", "the plan within needs level, only or er"),
            ("plan = \"needed\"", "the plan needed is for needs alone"),
            ("plan = \"needed\"\nneeds = \"x_wing\"\ner = \"4.5\"", "the plan needed is for needs alone"),
            ("plan = \"within\"\nlevel = \"beyond\"", "the plan within needs level, only or er"),
            (
                "plan = \"random-holes=50\"\nlevel = \"easy\"",
                "puzzles with one solution, but the plan random-holes=50 does not",
            ),
            ("level = \"easy\"\n[analyze]\ntechniques = \"none\"", "but techniques is \"none\""),
            ("needs = \"x_wing\"\n[analyze]\ntechniques = \"singles\"", "X-Wing is not among the techniques"),
            ("er = \"4.5..3.0\"", "the range 4.5..3.0 of er is empty"),
            (
                "er = \"1.5\"\n[grid]\nshape = \"2x3\"",
                "er is for the 9x9 board, 3x3 boxes; not for the 6x6 board, 2x3 boxes",
            ),
            ("needs = \"xwnig\"", "did you mean"),
            ("only = \"sniglse\"", "did you mean 'singles'"),
            ("level = \"hrad\"", "did you mean 'hard'"),
        ] {
            let error = recipe(&format!("[dig]\n{text}")).unwrap_err();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
