//! Gives each row of a recipe its goal: plan, symmetry and target, for all rows or by quotas.
//!
//! ```text
//!   [[quota]] easy 200     [[quota]] medium 300     [[quota]] hard 100
//!   rows 0 .. 199          200 .. 499               500 .. 599
//! ```
//!
//! The number of a row decides to which quota it belongs. The row is tried again until it meets the goal of its quota.
//! So every quota is met exactly, and parts can be made anywhere in any order. Making puzzles until every level has
//! enough would make a row depend on all rows before it, and throw puzzles of full levels away. A dig that knows its
//! level seldom misses it.
//!
//! A level gives a plan and a target that digging can aim at: a range of ER, or HoDoKu's level. Whether a puzzle has the
//! level is decided by the values of its row, as in queries and exports: levels may overlap, and then the first one
//! counts.
//!
//! `level`, `only` and `er` are also upper bounds. The plan `within` uses them while it digs: it removes a given only
//! if the puzzle stays easy enough. The plan `needed` looks for `needs` near a minimal puzzle. The other plans dig as
//! always. If the puzzle does not meet the target, the next grid is tried. The row records how many grids were tried.
//!
//! Ladders stop as soon as a puzzle is known to be too hard. This gives most of the speed.

use std::fmt::{self, Display, Formatter};

use super::draft::{Draft, GoalDraft};
use super::wanted::WantedLevel;
use crate::corpus::values::error::setting;
use crate::corpus::values::levels::{HIGHEST, Levels};
use crate::corpus::values::target::{ErRange, Judged, Techniques, explain, is_needed, named};
use sudoku_corpus_core::board::{Puzzle, Shape, Symmetry};
use sudoku_corpus_core::dig::{Bound, Nearness, Plan};
use sudoku_corpus_core::explainer::{self, Place};
use sudoku_corpus_core::ladder::{End, Family, Ladder, Level, Limit, rate, rate_towards, rate_until};
use sudoku_corpus_core::solve::Budget;
use sudoku_corpus_core::solve::probe::search_depth;

/// The goal of a row: how it is dug, and the target that its puzzle must meet.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Goal {
    /// How holes are dug.
    pub plan: Plan,
    pub symmetry: Symmetry,
    /// The level that the puzzle must have.
    pub level: Option<WantedLevel>,
    /// HoDoKu's level, which digging can aim at.
    pub hodoku_level: Option<Level>,
    /// Techniques that the puzzle needs, each of them.
    pub needs: Techniques,
    /// Techniques that the ladder uses, each at least once.
    pub uses: Techniques,
    /// Techniques that alone solve the puzzle.
    pub only: Option<Ladder>,
    pub er: Option<ErRange>,
}

/// From this ER on, in tenths, Sudoku Explainer needs forcing chains.
const CHAINS: u16 = 65;

/// A number of rows with a goal.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct RowQuota {
    pub count: u64,
    pub goal: Goal,
}

impl Goal {
    /// The goal of a draft. What the draft leaves open is decided here, and also written into the draft. The key `holes`
    /// decides the plan, or else the key `plan`, or else the givens of the level, or else the target.
    ///
    /// # Errors
    /// A name that no level has.
    pub(crate) fn new(draft: &mut GoalDraft, levels: &Levels, shape: Shape) -> Result<Goal, String> {
        let level = draft.level.as_deref().map(|name| WantedLevel::new(levels, name)).transpose()?;
        let range = level.as_ref().map(WantedLevel::range);
        let mut goal = Goal {
            plan: Plan::Minimal,
            symmetry: *draft.symmetry.get_or_insert_default(),
            level: None,
            hodoku_level: range.and_then(|range| range.only_level(shape)),
            needs: draft.needs.clone().unwrap_or_default(),
            uses: draft.uses.clone().unwrap_or_default(),
            only: draft.only.as_ref().map(with_singles).or_else(|| range?.ladder.clone()),
            er: draft.er.or_else(|| range?.er_range(shape)),
        };
        let draft_plan = draft.plan.take();
        goal.plan = match (draft.holes.take(), draft_plan, range.and_then(|range| range.givens)) {
            (Some((first, last)), ..) => Plan::holes(shape, first..=last),
            (None, Some(plan), _) => plan,
            (None, None, Some((first, last))) => Plan::Givens(first as usize..=last as usize),
            (None, None, None) => goal.usual_plan(shape),
        };
        let goal = Goal { level, ..goal };
        draft.plan = Some(goal.plan.clone());
        draft.level = goal.level_name().map(str::to_owned);
        draft.only.clone_from(&goal.only);
        draft.er = goal.er;
        Ok(goal)
    }

    /// The goals of a recipe: that of `[dig]`, and the quotas. A plan, symmetry or target that a quota does not give is
    /// that of `[dig]`. Quotas without a number share evenly what the others leave of `count`, the number of rows; the
    /// first of them get the rows that remain.
    ///
    /// # Errors
    /// A quota without a number of rows, in a recipe without one; a name that no level has.
    pub(crate) fn all(
        base: &mut GoalDraft,
        drafts: &mut [GoalDraft],
        levels: &Levels,
        shape: Shape,
        count: Option<u64>,
    ) -> Result<(Goal, Vec<RowQuota>), String> {
        let counted_rows = drafts.iter().filter_map(|draft| draft.count).fold(0, u64::saturating_add);
        let mut rows_left = count.map(|count| count.saturating_sub(counted_rows));
        let mut quotas_left = drafts.iter().filter(|draft| draft.count.is_none()).count() as u64;
        let mut quotas = Vec::new();
        for (number, draft) in (1..).zip(drafts) {
            let count = match (draft.count, rows_left) {
                (Some(count), _) => count,
                (None, None) => {
                    return Err(format!("quota {number}: count is missing: write count = 50 below [[quota]]"));
                }
                (None, Some(rows)) => {
                    let share = rows.div_ceil(quotas_left);
                    rows_left = Some(rows - share);
                    quotas_left -= 1;
                    share
                }
            };
            let quota = draft.clone();
            let target = if quota.gives_target() { &quota } else { &*base };
            *draft = GoalDraft {
                count: Some(count),
                plan: quota.plan.clone().or_else(|| base.plan.clone()),
                holes: base.holes.filter(|_| quota.plan.is_none()),
                symmetry: quota.symmetry.or(base.symmetry),
                retries: None,
                budget: None,
                ..target.clone()
            };
            quotas.push(RowQuota { count, goal: Goal::new(draft, levels, shape)? });
        }
        Ok((Goal::new(base, levels, shape)?, quotas))
    }

    /// The plan for a target: `needed` if it can look for the target, `within` if the target is a bound, and else
    /// `minimal`. On boards up to 9x9, hardly any puzzle is above the level `extreme`, so a check during digging would
    /// only take time.
    fn usual_plan(&self, shape: Shape) -> Plan {
        if self.can_be_sought() {
            return Plan::Needed;
        }
        let is_only_extreme = self.hodoku_level == Some(Level::Extreme) && self.only.is_none() && self.er.is_none();
        let is_hardly_a_bound = is_only_extreme && shape.order() <= 9;
        if self.is_bound() && !is_hardly_a_bound { Plan::Within } else { Plan::Minimal }
    }

    /// True if it asks for more than a level whose values digging does not know.
    fn has_target(&self) -> bool {
        let techniques = !self.needs.0.is_empty() || !self.uses.0.is_empty() || self.only.is_some();
        techniques || self.hodoku_level.is_some() || self.er.is_some()
    }

    /// True if every puzzle of the plan will do.
    pub(crate) fn is_free(&self) -> bool {
        !self.has_target() && self.level.is_none()
    }

    /// True if a puzzle can be too hard for the goal, so that the plan `within` can use it.
    fn is_bound(&self) -> bool {
        // No ER is above the highest.
        let er_is_bound = self.er.is_some_and(|ErRange(_, highest)| u32::from(highest.0) < HIGHEST);
        self.only.is_some() || er_is_bound || self.hodoku_level.is_some_and(|level| level != Level::Beyond)
    }

    /// True if the plan `needed` can look for what the goal needs: no other part of the goal asks for puzzles that are
    /// harder or easier.
    fn can_be_sought(&self) -> bool {
        let hardest = self.needs.hardest();
        let level_fits = self.hodoku_level.is_none_or(|level| Some(level) == hardest);
        hardest.is_some() && level_fits && self.only.is_none() && self.er.is_none()
    }

    /// Checks that plan, symmetry, target and ladder go together.
    pub(crate) fn check(&self, shape: Shape, ladder: Option<&Ladder>) -> Result<(), String> {
        self.plan.accepts(shape, self.symmetry).map_err(|refusal| refusal.to_string())?;
        self.check_er(shape)?;
        self.check_techniques(ladder)?;
        let plan = &self.plan;
        if *plan == Plan::Within && !self.is_bound() {
            return Err(format!(
                "the plan within needs level, only or er as a bound: add {}",
                setting("level", "hard")
            ));
        }
        if *plan == Plan::Walk && self.er.is_none() && self.hodoku_level.is_none() {
            return Err(format!("the plan walk needs level or er: add {}", setting("level", "expert")));
        }
        if *plan == Plan::Needed && !self.can_be_sought() {
            let reason = "the plan needed is for needs alone, or with the level of the hardest of these techniques: leave out `plan`";
            return Err(reason.to_owned());
        }
        if !plan.is_unique() && !self.is_free() {
            let aim = self.aim();
            return Err(format!(
                "{aim} needs puzzles with one solution, but the plan {plan} does not make them: leave out `plan`"
            ));
        }
        Ok(())
    }

    /// Checks the range of ER.
    fn check_er(&self, shape: Shape) -> Result<(), String> {
        match self.er {
            Some(_) if shape != Shape::NINE => {
                Err(format!("er is for the 9x9 board, 3x3 boxes; not for the {}: leave out `er`", shape.board()))
            }
            Some(range) if range.0 > range.1 => {
                let write = setting("er", ErRange(range.1, range.0));
                Err(format!("the range {range} of er is empty: write {write}"))
            }
            _ => Ok(()),
        }
    }

    /// Checks that the ladder has the techniques, and that they go together with the level.
    fn check_techniques(&self, ladder: Option<&Ladder>) -> Result<(), String> {
        let techniques = Techniques([&self.needs.0[..], &self.uses.0].concat());
        let (hardest, level) = (techniques.hardest(), self.hodoku_level);
        let Some(ladder) = ladder else {
            return match level.or(hardest) {
                Some(_) => {
                    Err("level, needs and uses require a rating, but techniques is \"none\": leave it out".to_owned())
                }
                None => Ok(()),
            };
        };
        if let Some(missing) = techniques.0.iter().find(|&&technique| !ladder.has(technique)) {
            let add = setting("techniques", format!("{},{}", named(ladder), missing.code()));
            let instead = if add.len() < 80 { format!("write {add}") } else { "leave out `techniques`".to_owned() };
            return Err(format!("{missing} is not among the techniques of the ladder: {instead}"));
        }
        if level == Some(Level::Beyond) && !self.needs.0.is_empty() {
            return Err("a puzzle of level beyond is not solved, so it needs no technique: ask for uses".to_owned());
        }
        Ok(())
    }

    /// True if every puzzle of this plan has a weight in means over all minimal puzzles.
    pub(crate) fn has_weight(&self, shape: Shape) -> bool {
        let weighted = matches!(self.plan, Plan::Minimal | Plan::ControlledBias);
        weighted && self.symmetry == Symmetry::None && self.is_free() && shape.order() <= 9 && shape.is_plain()
    }

    /// The default number of grids to try for a row. Controlled bias needs 63 grids of 9x9 on average, because it tries
    /// thousands of orders of deletion on each. It needs many more small grids, which get one order each.
    pub(crate) fn usual_retries(&self) -> u64 {
        let may_miss = self.has_target() || self.level.as_ref().is_some_and(WantedLevel::may_miss);
        match (&self.plan, may_miss) {
            (Plan::ControlledBias, _) => 100_000_000,
            (_, true) => 100_000,
            (_, false) => 1_000,
        }
    }

    /// What the puzzle must meet, for messages: `level = hard, needs = x_wing`.
    fn aim(&self) -> String {
        let mut parts = Vec::new();
        parts.extend(self.level.as_ref().map(|level| format!("level = {}", level.key())));
        for (key, techniques) in [("needs", &self.needs), ("uses", &self.uses)] {
            if !techniques.0.is_empty() {
                parts.push(format!("{key} = {}", techniques.names()));
            }
        }
        parts.extend(self.only.as_ref().map(|only| format!("only = {only}")));
        parts.extend(self.er.map(|range| format!("er = {range}")));
        parts.join(", ")
    }

    /// The name of the level of the puzzles, if they have one.
    pub fn level_name(&self) -> Option<&str> {
        self.level.as_ref().map(WantedLevel::key)
    }

    /// Calls `dig` with a function that says how near a puzzle is to its `needs`. A puzzle that needs a harder
    /// technique than these is too hard.
    pub(crate) fn seek<T>(
        &self,
        ladder: &Ladder,
        dig: impl FnOnce(&mut dyn FnMut(&Puzzle, u32) -> Nearness) -> T,
    ) -> T {
        let needs = &self.needs.0;
        let hardest = needs.iter().map(|technique| technique.rank()).max();
        let no_harder = ladder.techniques().iter().copied().filter(|technique| Some(technique.rank()) <= hardest);
        let limit = Limit::outside(no_harder).or(self.limit());
        dig(&mut |puzzle, far| {
            let (rating, distance) = rate_towards(puzzle, ladder, &limit, needs, far);
            if distance > 0 {
                return Nearness::Lacking(distance);
            }
            if !rating.finished {
                return Nearness::TooHard;
            }
            let needs_all = needs.iter().all(|&technique| is_needed(technique, puzzle, ladder, &rating));
            if needs_all { Nearness::Met } else { Nearness::Lacking(1) }
        })
    }

    /// How far a puzzle with one solution is from the ER and the level of the goal: 0 if it seems to meet them. Too
    /// hard counts as farther than too easy, and by the cells that hints up to the bound leave open.
    pub(crate) fn distance(&self, puzzle: &Puzzle, ladder: &Ladder) -> u32 {
        const TOO_HARD: u32 = 1_000;
        if let Some(ErRange(least, most)) = self.er {
            match explainer::place(puzzle, least.0, most.0) {
                Place::Within => {}
                Place::Below(tenths) => return u32::from(least.0.saturating_sub(tenths)).max(1),
                Place::Above(open_cells) => return TOO_HARD + open_cells,
            }
        }
        let Some(level) = self.hodoku_level else { return 0 };
        if is_easy(puzzle, ladder) {
            return level as u32 - Level::Easy as u32;
        }
        let rating = rate_until(puzzle, ladder, &self.limit());
        if rating.end == End::Stopped || rating.level > level {
            return TOO_HARD;
        }
        level as u32 - rating.level as u32
    }

    /// Judges a puzzle with one solution. If it meets the goal, returns its ratings. `allowed` has the ratings that
    /// digging with the bound of this goal found already. The level itself is judged by [`WantedLevel::judge`].
    ///
    /// [`WantedLevel::judge`]: super::wanted::WantedLevel
    pub(crate) fn is_met(&self, puzzle: &Puzzle, ladder: &Ladder, allowed: Option<Judged>) -> Option<Judged> {
        if allowed.is_none() && self.is_soon_missed(puzzle, ladder) {
            return None;
        }
        let judged = allowed.or_else(|| self.allows(puzzle, ladder, self.only.as_ref()))?;
        let er = judged.explained.as_ref().and_then(|explained| explained.er_tenths);
        // `allows` has checked the upper end.
        if self.er.is_some_and(|ErRange(least, _)| er.is_none_or(|er| er < least.0)) {
            return None;
        }
        if self.hodoku_level.is_none() && self.needs.0.is_empty() && self.uses.0.is_empty() {
            return Some(judged);
        }
        let rating = judged.rating.unwrap_or_else(|| rate_until(puzzle, ladder, &self.limit()));
        let is_met = self.hodoku_level.is_none_or(|level| rating.level == level && rating.end != End::Stopped)
            && self.uses.0.iter().all(|&technique| rating.count(technique) > 0)
            && self.needs.0.iter().all(|&technique| is_needed(technique, puzzle, ladder, &rating));
        is_met.then_some(Judged { rating: Some(rating), ..judged })
    }

    /// True if a puzzle is known to miss the range of ER or the level. Most puzzles do, and below forcing chains this is
    /// known sooner than a rating.
    fn is_soon_missed(&self, puzzle: &Puzzle, ladder: &Ladder) -> bool {
        if let Some(ErRange(least, most)) = self.er
            && most.0 < CHAINS
            && explainer::place(puzzle, least.0, most.0) != Place::Within
        {
            return true;
        }
        self.hodoku_level.is_some_and(|level| level > Level::Easy && is_easy(puzzle, ladder))
    }

    /// Returns the ratings of a puzzle if it is not too hard. If the puzzle is not known to have one solution, `ladder`
    /// and [`Goal::only`] must not contain techniques of uniqueness.
    fn allows(&self, puzzle: &Puzzle, ladder: &Ladder, only: Option<&Ladder>) -> Option<Judged> {
        let mut judged = Judged::default();
        if only.is_some_and(|only| !rate(puzzle, only).finished) {
            return None;
        }
        if let Some(ErRange(_, most)) = self.er {
            let explained = explain(puzzle, most);
            if !explained.exact || explained.er_tenths > Some(most.0) {
                return None;
            }
            judged.explained = Some(explained);
        }
        if let Some(level) = self.hodoku_level.filter(|&level| level != Level::Beyond) {
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
        self.hodoku_level.map_or(Limit::NONE, Limit::above)
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
        let (mut only, mut ladder) = (self.only.clone(), ladder.clone());
        if proves {
            only = only.map(|only| only.without_uniqueness());
            ladder = ladder.without_uniqueness();
        }
        let mut last_allowed = None;
        let mut allows = |puzzle: &Puzzle| match self.allows(puzzle, &ladder, only.as_ref()) {
            Some(judged) => {
                last_allowed = Some((puzzle.clone(), judged));
                true
            }
            None => false,
        };
        let dug = dig(&mut Bound { allows: &mut allows, proves });
        // A large puzzle was rated without techniques of uniqueness; the ladder of its row may have them.
        (dug, if proves { None } else { last_allowed })
    }
}

impl Draft {
    /// Removes the scale, and the plan, ladder and ER that follow from the level. Another scale is to take its place.
    pub fn forget_scale(&mut self) {
        let level = self.dig.level.clone();
        self.forget_level();
        self.dig.level = level;
        (self.levels, self.level) = (None, Vec::new());
    }

    /// Removes the level, and the plan, ladder and ER that follow from it. Another level is to take its place.
    pub fn forget_level(&mut self) {
        // What follows from the level depends on `needs` too.
        let mut old = GoalDraft { level: self.dig.level.take(), needs: self.dig.needs.clone(), ..GoalDraft::default() };
        let Ok(levels) = self.scale() else { return };
        let shape = self.grid.shape.unwrap_or(Shape::NINE);
        if old.level.is_none() || Goal::new(&mut old, &levels, shape).is_err() {
            return;
        }
        let dig = &mut self.dig;
        if dig.plan == old.plan {
            dig.plan = None;
        }
        if dig.only == old.only {
            dig.only = None;
        }
        if dig.er == old.er {
            dig.er = None;
        }
    }
}

impl GoalDraft {
    /// True if it gives a target of its own.
    pub fn gives_target(&self) -> bool {
        let gives_techniques = self.needs.is_some() || self.uses.is_some() || self.only.is_some();
        gives_techniques || self.level.is_some() || self.er.is_some()
    }
}

/// True if singles alone solve a 9x9 puzzle, in so few cells that their score is that of an easy one. A puzzle may be
/// easy although this is false.
fn is_easy(puzzle: &Puzzle, ladder: &Ladder) -> bool {
    let singles = Ladder::of_family(Family::Singles);
    let most = singles.techniques().iter().map(|single| single.info().score).max().unwrap_or(0);
    puzzle.shape() == Shape::NINE
        && singles.techniques().iter().all(|&single| ladder.has(single))
        && Some(most * puzzle.grid().holes() as u32) <= Level::Easy.cap()
        && search_depth(puzzle, Budget(1)).is_some()
}

/// The ladder of `only`, with full houses and singles, because every ladder that solves a puzzle needs them. A single
/// technique of their family means only itself.
fn with_singles(only: &Ladder) -> Ladder {
    let singles = Ladder::of_family(Family::Singles);
    match only.techniques().iter().all(|&technique| singles.has(technique)) {
        true => only.clone(),
        false => Ladder::of(only.techniques().iter().chain(singles.techniques()).copied()),
    }
}

/// The plan, and the target if there is one, for messages.
impl Display for Goal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.is_free() { write!(f, "{}", self.plan) } else { write!(f, "{} ({})", self.aim(), self.plan) }
    }
}
