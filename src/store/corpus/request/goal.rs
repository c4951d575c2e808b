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
//! A publisher's own level gives a plan and a target that digging can aim at. Whether a puzzle has the level is decided
//! by the values of its row, as in queries and exports: levels may overlap, and then the first one counts.
//!
//! `level`, `only` and `er` are also upper bounds. The plan `within` uses them while it digs: it removes a given only
//! if the puzzle stays easy enough. The plan `needed` looks for `needs` near a minimal puzzle. The other plans dig as
//! always. If the puzzle does not meet the target, the next grid is tried. The row records how many grids were tried.
//!
//! Ladders stop as soon as a puzzle is known to be too hard. This gives most of the speed.

use std::cmp::Ordering;
use std::fmt::{self, Display, Formatter};

use super::draft::{Draft, GoalDraft};
use crate::corpus::values::levels::{LevelRange, Levels, OwnLevel};
use crate::corpus::values::target::{ErRange, Judged, Techniques, explain, is_needed};
use sudoku_corpus_core::board::{Puzzle, Shape, Symmetry};
use sudoku_corpus_core::dig::{Bound, Nearness, Plan};
use sudoku_corpus_core::names::UnknownName;
use sudoku_corpus_core::rate::explainer::{self, Place};
use sudoku_corpus_core::rate::{End, Family, Ladder, Level, Limit, Technique, rate, rate_towards, rate_until};
use sudoku_corpus_core::solve::Budget;
use sudoku_corpus_core::solve::probe::search_depth;

/// The goal of a row: how it is dug, and the target that its puzzle must meet.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Goal {
    /// How holes are dug.
    pub plan: Plan,
    pub symmetry: Symmetry,
    pub level: Option<Level>,
    /// The publisher's own level that the puzzle must have.
    pub own_level: Option<OwnLevel>,
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
    /// The goal of a draft, whose gaps are filled. The key `holes` decides the plan, or else the key `plan`, or else
    /// the givens of the level. The default is `needed` if it can look for the target, `within` if the target is a
    /// bound, and else `minimal`. On boards up to 9x9, hardly any puzzle is above `extreme`, so a check during digging
    /// would only take time.
    ///
    /// # Errors
    /// A name that no level has.
    pub(crate) fn new(draft: &mut GoalDraft, levels: Option<&Levels>, shape: Shape) -> Result<Goal, String> {
        let name = draft.level.as_deref();
        let own_level = levels.zip(name).map(|(levels, name)| OwnLevel::new(levels, name)).transpose()?;
        let own = own_level.as_ref().map(OwnLevel::range);
        let named = name.filter(|_| own.is_none()).map(str::parse::<Level>).transpose();
        let named = named.map_err(|error: UnknownName| error.to_string())?;
        let mut goal = Goal {
            plan: Plan::Minimal,
            symmetry: *draft.symmetry.get_or_insert_default(),
            level: named.or(own.and_then(LevelRange::only_level)),
            needs: draft.needs.clone().unwrap_or_default(),
            uses: draft.uses.clone().unwrap_or_default(),
            only: draft.only.as_ref().map(with_singles).or_else(|| own?.ladder.clone()),
            er: draft.er.or_else(|| own?.er_range()),
            own_level: None,
        };
        let loose = goal.level == Some(Level::Extreme) && goal.only.is_none() && goal.er.is_none();
        let usual = match goal.is_bound() && !(loose && shape.order() <= 9) {
            _ if goal.can_be_sought() => Plan::Needed,
            true => Plan::Within,
            false => Plan::Minimal,
        };
        let givens = || own?.givens.map(|(from, to)| Plan::Givens(from as usize..=to as usize));
        let holes = draft.holes.take().map(|(first, last)| Plan::holes(shape, first..=last));
        goal.plan = holes.or_else(|| draft.plan.take()).or_else(givens).unwrap_or(usual);
        let goal = Goal { own_level, ..goal };
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
        let mut quotas = Vec::new();
        for (at, draft) in drafts.iter_mut().enumerate() {
            let count = draft.count.or_else(&mut share);
            let count = count.ok_or_else(|| format!("quota {}: count is missing, and the recipe has none", at + 1))?;
            let own = draft.clone();
            let lists = own.needs.is_some() || own.uses.is_some() || own.only.is_some();
            let target = if lists || own.level.is_some() || own.er.is_some() { &own } else { &*base };
            *draft = GoalDraft {
                count: Some(count),
                plan: own.plan.clone().or_else(|| base.plan.clone()),
                holes: base.holes.filter(|_| own.plan.is_none()),
                symmetry: own.symmetry.or(base.symmetry),
                retries: None,
                budget: None,
                ..target.clone()
            };
            quotas.push(RowQuota { count, goal: Goal::new(draft, levels, shape)? });
        }
        Ok((Goal::new(base, levels, shape)?, quotas))
    }

    /// True if it asks for more than an own level.
    fn has_target(&self) -> bool {
        let techniques = !self.needs.0.is_empty() || !self.uses.0.is_empty() || self.only.is_some();
        techniques || self.level.is_some() || self.er.is_some()
    }

    /// True if every puzzle of the plan will do.
    pub(crate) fn is_free(&self) -> bool {
        !self.has_target() && self.own_level.is_none()
    }

    /// True if a puzzle can be too hard for the goal, so that the plan `within` can use it.
    fn is_bound(&self) -> bool {
        self.only.is_some() || self.er.is_some() || self.level.is_some_and(|level| level != Level::Beyond)
    }

    /// True if the plan `needed` can look for what the goal needs: no other part of the goal asks for puzzles that are
    /// harder or easier.
    fn can_be_sought(&self) -> bool {
        let hardest = self.needs.hardest();
        let level_fits = self.level.is_none_or(|level| Some(level) == hardest);
        hardest.is_some() && level_fits && self.only.is_none() && self.er.is_none()
    }

    /// Checks that plan, symmetry, target and ladder go together.
    pub(crate) fn check(&self, shape: Shape, ladder: Option<&Ladder>) -> Result<(), String> {
        let Goal { plan, level, er, needs, uses, .. } = self;
        plan.accepts(shape, self.symmetry).map_err(|refusal| refusal.to_string())?;
        let techniques = Techniques([&needs.0[..], &uses.0].concat());
        let hardest = techniques.hardest();
        let missing = techniques.0.iter().find(|&&technique| ladder.is_some_and(|ladder| !ladder.has(technique)));
        let missing = missing.map_or(String::new(), ToString::to_string);
        let name = |level: Option<Level>| level.map_or("", Level::name);
        let (used, least, said) = (techniques.names(), name(hardest), name(*level));
        let range = er.map_or(String::new(), |range| range.to_string());
        let refusals = [
            (
                er.is_some() && shape != Shape::NINE,
                format!("er is for the 9x9 board, 3x3 boxes; not for the {}", shape.board()),
            ),
            (er.is_some_and(|range| range.0 > range.1), format!("the range {range} of er is empty")),
            (
                ladder.is_none() && (level.is_some() || hardest.is_some()),
                "level, needs and uses require a rating, but techniques is \"none\"".to_owned(),
            ),
            (!missing.is_empty(), format!("{missing} is not among the techniques of the ladder")),
            (
                *level == Some(Level::Beyond) && !needs.0.is_empty(),
                "a puzzle of level beyond is not solved, so it needs no technique: ask for uses".to_owned(),
            ),
            (
                level.is_some_and(|level| Some(level) < hardest),
                format!("a puzzle that uses {used} is {least} at least, not {said}"),
            ),
            (
                *plan == Plan::Within && !self.is_bound(),
                "the plan within needs level, only or er as a bound".to_owned(),
            ),
            (*plan == Plan::Walk && er.is_none() && level.is_none(), "the plan walk needs level or er".to_owned()),
            (
                *plan == Plan::Needed && !self.can_be_sought(),
                "the plan needed is for needs alone, or with the level of the hardest of these techniques".to_owned(),
            ),
            (
                !plan.is_unique() && !self.is_free(),
                format!("{} needs puzzles with one solution, but the plan {plan} does not make them", self.aim()),
            ),
        ];
        let refused = refusals.into_iter().find(|&(is_refused, _)| is_refused);
        refused.map_or(Ok(()), |(_, reason)| Err(reason))
    }

    /// True if every puzzle of this plan has a weight in means over all minimal puzzles.
    pub(crate) fn has_weight(&self, shape: Shape) -> bool {
        let weighted = matches!(self.plan, Plan::Minimal | Plan::ControlledBias);
        weighted && self.symmetry == Symmetry::None && self.is_free() && shape.order() <= 9 && shape.is_plain()
    }

    /// The default number of grids to try for a row; `in_stock` says that the recipe has a stock. Controlled bias needs
    /// 63 grids of 9x9 on average, because it tries thousands of orders of deletion on each. It needs many more small
    /// grids, which get one order each.
    pub(crate) fn usual_retries(&self, in_stock: bool) -> u64 {
        let may_miss = in_stock || self.has_target() || self.own_level.as_ref().is_some_and(OwnLevel::may_miss);
        match (&self.plan, may_miss) {
            (Plan::ControlledBias, _) => 100_000_000,
            (_, true) => 100_000,
            (_, false) => 1_000,
        }
    }

    /// What the puzzle must meet, for messages: `level = hard, needs = x_wing`.
    fn aim(&self) -> String {
        let techniques =
            |key: &str, list: &Techniques| (!list.0.is_empty()).then(|| format!("{key} = {}", list.names()));
        let parts = [
            self.own_level.as_ref().map(|level| format!("level = {}", level.key())),
            self.level.map(|level| format!("level = {level}")),
            techniques("needs", &self.needs),
            techniques("uses", &self.uses),
            self.only.as_ref().map(|only| format!("only = {only}")),
            self.er.map(|range| format!("er = {range}")),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// The name of the level of the puzzles, if they have one.
    pub fn level_name(&self) -> Option<&str> {
        self.own_level.as_ref().map(OwnLevel::key).or_else(|| self.level.map(Level::name))
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
        let no_harder = ladder.techniques().iter().copied().filter(|other| Some(other.rank()) <= hardest);
        let limit = Limit::outside(no_harder).or(self.limit());
        dig(&mut |puzzle, far| {
            let (rating, distance) = rate_towards(puzzle, ladder, &limit, needs, far);
            let is_needed = |&technique: &Technique| is_needed(technique, puzzle, ladder, &rating);
            match rating.finished {
                _ if distance > 0 => Nearness::Lacking(distance),
                true if needs.iter().all(is_needed) => Nearness::Met,
                true => Nearness::Lacking(1),
                false => Nearness::TooHard,
            }
        })
    }

    /// How far a puzzle with one solution is from the ER and the level of the goal: 0 if it seems to meet them. Too
    /// hard counts as farther than too easy, and by the cells that hints up to the bound leave open.
    pub(crate) fn distance(&self, puzzle: &Puzzle, ladder: &Ladder) -> u32 {
        const TOO_HARD: u32 = 1_000;
        let of_er = self.er.map_or(0, |ErRange(from, to)| match explainer::place(puzzle, (from.0, to.0)) {
            Place::Within => 0,
            Place::Below(tenths) => u32::from(from.0.saturating_sub(tenths)).max(1),
            Place::Above(open_cells) => TOO_HARD + open_cells,
        });
        let Some(level) = self.level.filter(|_| of_er == 0) else { return of_er };
        if is_easy(puzzle, ladder) {
            return level as u32 - Level::Easy as u32;
        }
        let rating = rate_until(puzzle, ladder, &self.limit());
        match rating.level.cmp(&level) {
            _ if rating.end == End::Stopped => TOO_HARD,
            Ordering::Less => level as u32 - rating.level as u32,
            Ordering::Equal => 0,
            Ordering::Greater => TOO_HARD,
        }
    }

    /// Judges a puzzle with one solution. If it meets the goal, returns its ratings. `allowed` has the ratings that
    /// digging with the bound of this goal found already. An own level is judged by [`OwnLevel::judge`].
    ///
    /// [`OwnLevel::judge`]: crate::corpus::values::levels::OwnLevel
    pub(crate) fn is_met(&self, puzzle: &Puzzle, ladder: &Ladder, allowed: Option<Judged>) -> Option<Judged> {
        // Most puzzles miss a range or a level. Below forcing chains this is known sooner than a rating.
        let misses = || {
            let place = |ErRange(from, to)| explainer::place(puzzle, (from.0, to.0));
            self.er.is_some_and(|range| range.1.0 < CHAINS && place(range) != Place::Within)
                || self.level.is_some_and(|level| level > Level::Easy && is_easy(puzzle, ladder))
        };
        if allowed.is_none() && misses() {
            return None;
        }
        let judged = allowed.or_else(|| self.allows(puzzle, ladder, self.only.as_ref()))?;
        let er = judged.explained.as_ref().and_then(|explained| explained.er_tenths);
        // `allows` has checked the upper end.
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

impl Draft {
    /// Removes the level, and the plan, ladder and ER that follow from it. Another level is to take its place.
    pub fn forget_level(&mut self) {
        // What follows from the level depends on `needs` too.
        let mut gone =
            GoalDraft { level: self.dig.level.take(), needs: self.dig.needs.clone(), ..GoalDraft::default() };
        let Ok(levels) = self.own_levels() else { return };
        let shape = self.grid.shape.unwrap_or(Shape::NINE);
        if gone.level.is_none() || Goal::new(&mut gone, levels.as_ref(), shape).is_err() {
            return;
        }
        let dig = &mut self.dig;
        dig.plan = dig.plan.take().filter(|plan| gone.plan.as_ref() != Some(plan));
        dig.only = dig.only.take().filter(|only| gone.only.as_ref() != Some(only));
        dig.er = dig.er.take().filter(|er| gone.er.as_ref() != Some(er));
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
