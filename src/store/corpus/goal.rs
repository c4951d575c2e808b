//! The goal of each row of a recipe: plan, symmetry and target, for all rows or by quotas.
//!
//! ```text
//!   [[quota]] easy 200     [[quota]] medium 300     [[quota]] hard 100
//!   rows 0 .. 199          200 .. 499               500 .. 599
//! ```
//!
//! The number of a row decides to which quota it belongs. The row is tried again until it meets the goal of its quota.
//! So every quota is met exactly, rows still depend on recipe and number only, and parts can be made anywhere in any
//! order.
//!
//! *Instead of* making puzzles until every level has enough: then a row would depend on all rows before it, and puzzles
//! of full levels would be thrown away. A dig that knows its level seldom misses it. Levels by effort or score are not
//! known before the last given is removed; there the row is tried until its puzzle has the level.

use super::draft::{GoalDraft, QuotaDraft};
use super::target::Target;
use sudoku_corpus_core::board::{Shape, Symmetry};
use sudoku_corpus_core::dig::Plan;
use sudoku_corpus_core::rate::{Ladder, Level, Technique};

/// The goal of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// How holes are dug.
    pub plan: Plan,
    /// Symmetry of the pattern of givens.
    pub symmetry: Symmetry,
    /// The target of the puzzle.
    pub target: Target,
    /// The user's level that gave this target.
    pub band: Option<String>,
    /// The target does not imply this level, so puzzles are tried until one has it.
    pub sought: bool,
}

/// A number of rows with a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quota {
    /// The number.
    pub count: u64,
    /// Their goal.
    pub goal: Goal,
}

impl Goal {
    /// Fills the gaps of a draft. The default plan is `needed` if it can look for the target, `within` if the target is
    /// a bound, otherwise `minimal`. On boards up to 9x9, hardly any puzzle is above `extreme`, so a check during digging
    /// would only take time.
    pub(super) fn new(draft: &GoalDraft, shape: Shape) -> Goal {
        let target = Target {
            level: draft.level,
            needs: draft.needs.clone().unwrap_or_default(),
            uses: draft.uses.clone().unwrap_or_default(),
            only: draft.only.clone(),
            er: draft.er,
        };
        let loose = target.level == Some(Level::Extreme) && target.only.is_none() && target.er.is_none();
        let along = target.is_bound() && !(loose && shape.order() <= 9);
        let usual = match along {
            _ if target.can_be_sought() => Plan::Needed,
            true => Plan::Within,
            false => Plan::Minimal,
        };
        let plan = draft.plan.clone().unwrap_or(usual);
        let (symmetry, band) = (draft.symmetry.unwrap_or_default(), draft.band.clone());
        Goal { plan, symmetry, target, band, sought: draft.sought }
    }

    /// True if every puzzle of the plan will do.
    pub(super) fn is_free(&self) -> bool {
        self.target.is_empty() && !self.sought
    }

    /// Checks that plan, symmetry, target and ladder go together.
    ///
    /// # Errors
    /// What does not go together.
    pub(super) fn check(&self, shape: Shape, ladder: Option<&Ladder>) -> Result<(), String> {
        self.plan.accepts(shape, self.symmetry).map_err(|refusal| refusal.to_string())?;
        self.target.check(shape, ladder)?;
        if self.plan == Plan::Within && !self.target.is_bound() {
            return Err("the plan within needs level, only or er as a bound".into());
        }
        if self.plan == Plan::Needed && !self.target.can_be_sought() {
            return Err(
                "the plan needed is for needs alone, or with the level of the hardest of these techniques".into()
            );
        }
        if !self.plan.is_unique() && !self.is_free() {
            let (aim, plan) = (self.aim(), &self.plan);
            return Err(format!("{aim} needs puzzles with one solution, but the plan {plan} does not make them"));
        }
        Ok(())
    }

    /// True if every puzzle of this plan has a weight in means over all minimal puzzles.
    pub(super) fn has_weight(&self, shape: Shape) -> bool {
        let weighted = matches!(self.plan, Plan::Minimal | Plan::ControlledBias);
        weighted && self.symmetry == Symmetry::None && self.is_free() && shape.order() <= 9
    }

    /// The default number of grids to try for a row. Controlled bias needs 63 grids of 9x9 on average, and many more
    /// small grids, which get one order each.
    pub(super) fn usual_retries(&self, in_stock: bool) -> u64 {
        match (&self.plan, self.is_free() && !in_stock) {
            (Plan::ControlledBias, _) => 100_000_000,
            (_, false) => 100_000,
            (_, true) => 1_000,
        }
    }

    /// The target and a level that is sought, for messages.
    fn aim(&self) -> String {
        let target = Some(self.target.to_string()).filter(|_| !self.target.is_empty());
        let sought = self.band.as_ref().filter(|_| self.sought).map(|band| format!("level = {band}"));
        [sought, target].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// The lines of a recipe.
    pub(super) fn lines(&self) -> Vec<String> {
        let target = &self.target;
        let codes = |techniques: &[Technique]| techniques.iter().map(|technique| technique.code()).collect::<Vec<_>>();
        let key =
            |name: &str, of: &[Technique]| (!of.is_empty()).then(|| format!("{name} = \"{}\"", codes(of).join(",")));
        let mut lines = vec![format!("plan = \"{}\"", self.plan), format!("symmetry = \"{}\"", self.symmetry)];
        let level = self.band.as_ref().map(|band| toml::Value::from(band.as_str()).to_string());
        let level = level.or_else(|| target.level.map(|level| format!("\"{level}\"")));
        lines.extend(level.map(|level| format!("level = {level}")));
        lines.extend(key("needs", &target.needs));
        lines.extend(key("uses", &target.uses));
        lines.extend(target.only.as_ref().map(|only| format!("only = \"{only}\"")));
        lines.extend(target.er.map(|(from, to)| format!("er = \"{from}..{to}\"")));
        lines
    }
}

/// The plan, and the target if there is one, for messages.
impl std::fmt::Display for Goal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.is_free() {
            true => write!(f, "{}", self.plan),
            false => write!(f, "{} ({})", self.aim(), self.plan),
        }
    }
}

/// The quotas of a recipe. A plan, symmetry or target that a quota does not give is that of the recipe. Quotas without a
/// number share evenly what the others leave of `count`, the number of rows; the first of them get the rows that remain.
///
/// # Errors
/// A quota without a number of rows, in a recipe without one.
pub(super) fn quotas(
    drafts: &[QuotaDraft],
    base: &GoalDraft,
    shape: Shape,
    count: Option<u64>,
) -> Result<Vec<Quota>, String> {
    let given = drafts.iter().filter_map(|draft| draft.count).fold(0, u64::saturating_add);
    let mut rest = count.map(|count| count.saturating_sub(given));
    let mut sharing = drafts.iter().filter(|draft| draft.count.is_none()).count() as u64;
    let mut share = || {
        let rows = rest?.div_ceil(sharing);
        (rest, sharing) = (rest.map(|rest| rest - rows), sharing - 1);
        Some(rows)
    };
    let quota = |(at, draft): (usize, &QuotaDraft)| {
        let count = draft.count.or_else(&mut share);
        let count = count.ok_or_else(|| format!("quota {}: count is missing, and the recipe has none", at + 1))?;
        let own = draft.goal.clone();
        // A quota's own target replaces the recipe's; plan and symmetry are filled in separately.
        let aims =
            own.level.is_some() || own.needs.is_some() || own.uses.is_some() || own.only.is_some() || own.er.is_some();
        let aims = aims || own.band.is_some();
        let target = if aims { &own } else { base };
        let filled = GoalDraft {
            plan: own.plan.clone().or(base.plan.clone()),
            symmetry: own.symmetry.or(base.symmetry),
            band: target.band.clone(),
            sought: target.sought,
            level: target.level,
            needs: target.needs.clone(),
            uses: target.uses.clone(),
            only: target.only.clone(),
            er: target.er,
        };
        Ok(Quota { count, goal: Goal::new(&filled, shape) })
    };
    drafts.iter().enumerate().map(quota).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{Draft, Recipe};

    fn recipe(text: &str) -> Result<Recipe, String> {
        Draft::parse(text).and_then(|draft| Recipe::new(&draft)).map_err(|error| error.to_string())
    }

    const NIGHT: &str = "[dig]\nsymmetry = \"rotate-180\"\nlevel = \"medium\"\n\
        [[quota]]\ncount = 4\nlevel = \"easy\"\n[[quota]]\ncount = 3\n\
        [[quota]]\ncount = 2\nneeds = \"w_wing\"\nplan = \"minimal\"\nsymmetry = \"none\"";

    #[test]
    fn every_quota_is_met_exactly_and_in_order() {
        let recipe = recipe(NIGHT).unwrap();
        assert_eq!(recipe.count, 9);
        let rows: Vec<_> = (0..9).map(|index| recipe.make(index).unwrap()).collect();
        assert!(rows[..4].iter().all(|row| row.level == Some(Level::Easy)));
        assert!(rows[4..7].iter().all(|row| row.level == Some(Level::Medium)));
        let w_wing = sudoku_corpus_core::rate::Technique::WWing as usize;
        assert!(rows[7..].iter().all(|row| row.counts.unwrap()[w_wing] > 0 && row.minimal == Some(true)));
        assert!(rows[..7].iter().all(|row| row.symmetry == Some(Symmetry::Rotate180)));
        assert!(rows[7..].iter().all(|row| row.symmetry == Some(Symmetry::None)));
    }

    #[test]
    fn quotas_read_back_from_the_canonical_text() {
        let first = recipe(NIGHT).unwrap();
        let again = recipe(&first.canonical()).unwrap();
        assert_eq!((&again.quotas, again.fingerprint()), (&first.quotas, first.fingerprint()));
    }

    #[test]
    fn a_wrong_sum_of_quotas_is_refused() {
        assert!(recipe("[[quota]]\nlevel = \"easy\"").unwrap_err().contains("quota 1: count is missing"));
        let shared = recipe("count = 10\n[[quota]]\n[[quota]]\ncount = 3\n[[quota]]\n[[quota]]").unwrap();
        assert_eq!(shared.quotas.iter().map(|quota| quota.count).collect::<Vec<_>>(), [3, 3, 2, 2]);
        assert!(recipe("count = 2\n[[quota]]\n[[quota]]\ncount = 3").unwrap_err().contains("the quotas add up to 3"));
        let error = recipe("count = 5\n[[quota]]\ncount = 4").unwrap_err();
        assert!(error.contains("count is 5, but the quotas add up to 4"), "{error}");
        assert_eq!(recipe("count = 4\n[[quota]]\ncount = 4").unwrap().count, 4);
        assert_eq!(recipe("[[quota]]\ncount = 0").unwrap().parts(), 0);
    }

    #[test]
    fn a_quota_is_checked_like_the_recipe_itself() {
        let error = recipe("[[quota]]\ncount = 1\nplan = \"givens=5\"").unwrap_err();
        assert!(error.contains("at least 17 are needed"), "{error}");
    }
}
