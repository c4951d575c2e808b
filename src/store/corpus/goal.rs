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
//!
//! A level of one's own gives a plan and a target that digging can aim at. Whether a puzzle has the level is decided by
//! the values of its row, as in queries and exports: levels may overlap, and then the first one counts.

use super::draft::GoalDraft;
use super::levels::{Levels, OwnLevel};
use super::target::{Only, Target, Techniques};
use sudoku_corpus_core::board::{Shape, Symmetry};
use sudoku_corpus_core::dig::Plan;
use sudoku_corpus_core::rate::{Ladder, Level};

/// The goal of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// How holes are dug.
    pub plan: Plan,
    /// Symmetry of the pattern of givens.
    pub symmetry: Symmetry,
    /// The target of the puzzle.
    pub target: Target,
    /// The level of one's own that the puzzle must have.
    pub own_level: Option<OwnLevel>,
}

/// A number of rows with a goal.
#[derive(Clone, Debug, PartialEq)]
pub struct RowQuota {
    /// The number.
    pub count: u64,
    /// Their goal.
    pub goal: Goal,
}

impl Goal {
    /// Fills the gaps of a draft. The default plan is that of the level; otherwise `needed` if it can look for the
    /// target, `within` if the target is a bound, and else `minimal`. On boards up to 9x9, hardly any puzzle is above
    /// `extreme`, so a check during digging would only take time.
    ///
    /// # Errors
    /// A name that no level has.
    pub(super) fn new(draft: &GoalDraft, levels: Option<&Levels>, shape: Shape) -> Result<Goal, String> {
        let aim = Levels::aim(levels, draft.level.as_deref())?;
        let of = |techniques: &Option<Techniques>| techniques.clone().unwrap_or_default().0;
        let target = Target {
            level: aim.level,
            needs: of(&draft.needs),
            uses: of(&draft.uses),
            only: draft.only.clone().map(|only| only.0).or(aim.only),
            er: draft.er.or(aim.er),
        };
        let loose = target.level == Some(Level::Extreme) && target.only.is_none() && target.er.is_none();
        let along = target.is_bound() && !(loose && shape.order() <= 9);
        let usual = match along {
            _ if target.can_be_sought() => Plan::Needed,
            true => Plan::Within,
            false => Plan::Minimal,
        };
        let holes = draft.holes.map(|(first, last)| Plan::holes(shape, first..=last));
        let plan = holes.or_else(|| draft.plan.clone()).or(aim.plan).unwrap_or(usual);
        Ok(Goal { plan, symmetry: draft.symmetry.unwrap_or_default(), target, own_level: aim.own_level })
    }

    /// The goals of a recipe: that of `[dig]`, and the quotas. A plan, symmetry or target that a quota does not give is
    /// that of `[dig]`. Quotas without a number share evenly what the others leave of `count`, the number of rows; the
    /// first of them get the rows that remain.
    ///
    /// # Errors
    /// A quota without a number of rows, in a recipe without one; a name that no level has.
    pub(super) fn all(
        base: &GoalDraft,
        drafts: &[GoalDraft],
        levels: Option<&Levels>,
        shape: Shape,
        count: Option<u64>,
    ) -> Result<(Goal, Vec<RowQuota>), String> {
        let given = drafts.iter().filter_map(|draft| draft.count).fold(0, u64::saturating_add);
        let mut rest = count.map(|count| count.saturating_sub(given));
        let mut sharing = drafts.iter().filter(|draft| draft.count.is_none()).count() as u64;
        let mut share = || {
            let rows = rest?.div_ceil(sharing);
            (rest, sharing) = (rest.map(|rest| rest - rows), sharing - 1);
            Some(rows)
        };
        let quota = |(at, own): (usize, &GoalDraft)| {
            let count = own.count.or_else(&mut share);
            let count = count.ok_or_else(|| format!("quota {}: count is missing, and the recipe has none", at + 1))?;
            let target = if own.has_target() { own } else { base };
            let filled = GoalDraft {
                plan: own.plan.clone().or_else(|| base.plan.clone()),
                holes: base.holes.filter(|_| own.plan.is_none()),
                symmetry: own.symmetry.or(base.symmetry),
                ..target.clone()
            };
            Ok(RowQuota { count, goal: Goal::new(&filled, levels, shape)? })
        };
        Ok((Goal::new(base, levels, shape)?, drafts.iter().enumerate().map(quota).collect::<Result<_, String>>()?))
    }

    /// True if every puzzle of the plan will do.
    pub(super) fn is_free(&self) -> bool {
        self.target.is_empty() && self.own_level.is_none()
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
        let may_miss = in_stock || !self.target.is_empty() || self.own_level.as_ref().is_some_and(OwnLevel::may_miss);
        match (&self.plan, may_miss) {
            (Plan::ControlledBias, _) => 100_000_000,
            (_, true) => 100_000,
            (_, false) => 1_000,
        }
    }

    /// The target and the level of one's own, for messages.
    fn aim(&self) -> String {
        let target = Some(self.target.to_string()).filter(|_| !self.target.is_empty());
        let level = self.own_level.as_ref().map(|level| format!("level = {}", level.key()));
        [level, target].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// The name of the level of the puzzles, if they have one.
    pub fn level(&self) -> Option<&str> {
        self.own_level.as_ref().map(OwnLevel::key).or_else(|| self.target.level.map(Level::name))
    }

    /// The goal as a recipe has it, without gaps.
    pub(super) fn draft(&self) -> GoalDraft {
        let target = &self.target;
        let named = |list: &Vec<_>| Some(Techniques(list.clone())).filter(|list| !list.0.is_empty());
        GoalDraft {
            plan: Some(self.plan.clone()),
            symmetry: Some(self.symmetry),
            level: self.level().map(str::to_owned),
            needs: named(&target.needs),
            uses: named(&target.uses),
            only: target.only.clone().map(Only),
            er: target.er,
            ..GoalDraft::default()
        }
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
