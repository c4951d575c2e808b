//! What each row of a recipe is to be: plan, symmetry and target, the same for all rows or by quotas.
//!
//! ```text
//!   [[quota]] easy 200     [[quota]] medium 300     [[quota]] hard 100
//!   rows 0 .. 199          200 .. 499               500 .. 599
//! ```
//!
//! A row belongs to a quota by its number, and is tried again until it comes out as its quota asks. So every quota is met
//! exactly, and with quotas too a row depends on recipe and number alone: parts can be made anywhere, in any order.
//!
//! *Instead of* making puzzles until every level has its number: that row by row depends on all rows before it, and
//! throws away puzzles of levels that are full, while a dig that is told the level rarely misses it.

use super::draft::{GoalDraft, QuotaDraft};
use super::target::Target;
use crate::board::{Shape, Symmetry};
use crate::dig::Plan;
use crate::rate::{Ladder, Level};

/// What a row is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// How holes are dug.
    pub plan: Plan,
    /// Symmetry of the pattern of givens.
    pub symmetry: Symmetry,
    /// What the puzzle is to be like.
    pub target: Target,
    /// The level of one's own that says so.
    pub band: Option<String>,
}

/// So many rows with a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quota {
    /// How many.
    pub count: u64,
    /// What they are to be.
    pub goal: Goal,
}

impl Goal {
    /// Fills the gaps of a draft: without a plan, `within` where there is a bound to dig along, else `minimal`. Hardly
    /// any puzzle to order 9 is above `extreme`, so that asking on the way would only cost.
    pub(super) fn new(draft: &GoalDraft, shape: Shape) -> Goal {
        let target = Target {
            level: draft.level,
            needs: draft.needs.clone().unwrap_or_default(),
            only: draft.only.clone(),
            er: draft.er,
        };
        let loose = target.level == Some(Level::Extreme) && target.only.is_none() && target.er.is_none();
        let along = target.is_bound() && !(loose && shape.order() <= 9);
        let usual = if along { Plan::Within } else { Plan::Minimal };
        let plan = draft.plan.clone().unwrap_or(usual);
        Goal { plan, symmetry: draft.symmetry.unwrap_or_default(), target, band: draft.band.clone() }
    }

    /// Checks that plan, symmetry, target and ladder go together.
    ///
    /// # Errors
    /// What does not.
    pub(super) fn check(&self, shape: Shape, ladder: Option<&Ladder>) -> Result<(), String> {
        self.plan.accepts(shape, self.symmetry).map_err(|refusal| refusal.to_string())?;
        self.target.check(shape, ladder)?;
        if self.plan == Plan::Within && !self.target.is_bound() {
            return Err("the plan within needs a level, only or er: something for puzzles to stay within".into());
        }
        if !self.plan.is_unique() && !self.target.is_empty() {
            return Err(format!("{} asks for puzzles with one solution, the plan {} does not", self.target, self.plan));
        }
        Ok(())
    }

    /// True when every puzzle dug this way has a weight in means over all minimal puzzles.
    pub(super) fn has_weight(&self, shape: Shape) -> bool {
        let weighted = matches!(self.plan, Plan::Minimal | Plan::ControlledBias);
        weighted && self.symmetry == Symmetry::None && self.target.is_empty() && shape.order() <= 9
    }

    /// Grids that are tried for a row unless the recipe says otherwise. Controlled bias needs 63 of 9x9 on average, and
    /// many more small ones, which get one order each.
    pub(super) fn usual_retries(&self, in_stock: bool) -> u64 {
        match (&self.plan, self.target.is_empty() && !in_stock) {
            (Plan::ControlledBias, _) => 100_000_000,
            (_, false) => 100_000,
            (_, true) => 1_000,
        }
    }

    /// The lines of a recipe.
    pub(super) fn lines(&self) -> Vec<String> {
        let target = &self.target;
        let codes = target.needs.iter().map(|technique| technique.code()).collect::<Vec<_>>().join(",");
        let mut lines = vec![format!("plan = \"{}\"", self.plan), format!("symmetry = \"{}\"", self.symmetry)];
        let level = self.band.as_ref().map(|band| toml::Value::from(band.as_str()).to_string());
        let level = level.or_else(|| target.level.map(|level| format!("\"{level}\"")));
        lines.extend(level.map(|level| format!("level = {level}")));
        lines.extend((!codes.is_empty()).then(|| format!("needs = \"{codes}\"")));
        lines.extend(target.only.as_ref().map(|only| format!("only = \"{only}\"")));
        lines.extend(target.er.map(|(from, to)| format!("er = \"{from}..{to}\"")));
        lines
    }
}

/// For messages: the plan, and the target if there is one.
impl std::fmt::Display for Goal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.target.is_empty() {
            true => write!(f, "{}", self.plan),
            false => write!(f, "{} ({})", self.target, self.plan),
        }
    }
}

/// The quotas of a recipe; plan, symmetry and target that one leaves out are those of the recipe's own goal.
///
/// # Errors
/// A quota without a number of rows.
pub(super) fn quotas(drafts: &[QuotaDraft], base: &GoalDraft, shape: Shape) -> Result<Vec<Quota>, String> {
    let quota = |(at, draft): (usize, &QuotaDraft)| {
        let count = draft.count.ok_or_else(|| format!("quota {}: count is missing", at + 1))?;
        let own = draft.goal.clone();
        // A target of its own replaces the recipe's; plan and symmetry are filled in one by one.
        let aims = own.level.is_some() || own.needs.is_some() || own.only.is_some() || own.er.is_some();
        let aims = aims || own.band.is_some();
        let target = if aims { &own } else { base };
        let filled = GoalDraft {
            plan: own.plan.clone().or(base.plan.clone()),
            symmetry: own.symmetry.or(base.symmetry),
            band: target.band.clone(),
            level: target.level,
            needs: target.needs.clone(),
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
        let w_wing = crate::rate::Technique::WWing as usize;
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
    fn numbers_that_do_not_add_up_are_refused() {
        assert!(recipe("[[quota]]\nlevel = \"easy\"").unwrap_err().contains("quota 1: count is missing"));
        let error = recipe("count = 5\n[[quota]]\ncount = 4").unwrap_err();
        assert!(error.contains("count is 5, but the quotas add up to 4"), "{error}");
        assert_eq!(recipe("count = 4\n[[quota]]\ncount = 4").unwrap().count, 4);
        assert_eq!(recipe("[[quota]]\ncount = 0").unwrap().parts(), 0);
    }

    #[test]
    fn a_quota_is_checked_like_the_recipe_itself() {
        let error = recipe("[[quota]]\ncount = 1\nplan = \"givens=5\"").unwrap_err();
        assert!(error.contains("it takes at least 17"), "{error}");
    }
}
