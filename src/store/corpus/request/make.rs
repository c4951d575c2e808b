//! Makes rows. A row depends only on the recipe and its index.
//!
//! ```text
//!   index, attempt -> grid -> puzzle --not as asked--> attempt + 1
//!                               |
//!                            analysis -> row
//! ```
//!
//! Every attempt has its own generators, one for the grid and one for digging: `(seed, index, stage, attempt)`.

use std::collections::BTreeMap;

use super::recipe::Recipe;
use crate::corpus::files::progress::{StageTimes, StopFlag, TimedStage};
use crate::corpus::values::error::{MakeError, Tries, setting};
use crate::corpus::values::record::Record;
use crate::corpus::values::target::Judged;
use sudoku_corpus_core::board::{Puzzle, Solution};
use sudoku_corpus_core::catalogue::canonical::canonical;
use sudoku_corpus_core::coverage::likelihood::{Chance, MethodDistribution, chance};
use sudoku_corpus_core::dig::{DigError, DigOptions, Dug, Plan, dig_needed, dig_walk, dig_within};
use sudoku_corpus_core::generate::{FillError, Method};
use sudoku_corpus_core::random::{Rng, Stage};

/// How many other puzzles are rated to say what there is instead of a goal that no try met.
const OTHERS: u64 = 20;

/// How many searches of a method may fail for one row. A search on a large board may have bad luck.
const FILLS: u64 = 8;

/// A grid, and what digging makes of it: no puzzle if none meets the goal of the row.
struct Attempt {
    solution: Solution,
    dug: Result<Option<(Dug, Judged)>, DigError>,
}

/// A puzzle that meets the goal of a row.
struct Sought {
    solution: Solution,
    tries: u64,
    dug: Dug,
    judged: Judged,
}

/// Logarithms of the weights of a full grid, as far as they are known.
#[derive(Debug, Default, PartialEq)]
struct GridWeights {
    in_means_over_grids: Option<f64>,
    in_means_over_classes: Option<f64>,
    /// The class of the grid, if the weights needed its canonical form.
    class: Option<u128>,
}

impl Recipe {
    /// Makes a row with everything that the recipe asks for.
    ///
    /// # Errors
    /// [`MakeError`] if no try meets the goal.
    pub fn make(&self, index: u64) -> Result<Record, MakeError> {
        self.make_watched(index, &StageTimes::default(), &StopFlag::new()).map(|record| *record)
    }

    /// Like [`Recipe::make`], but tries only grids that the caller keeps: for example those of one side of a split.
    /// With the same recipe, index and choice, the row is the same. Of the analyses, it has the ratings alone: classes,
    /// weights and searches would take as long as a puzzle. `stop` is looked at before each try.
    ///
    /// # Errors
    /// The same as for [`Recipe::make`], and [`MakeError::Stopped`].
    pub fn make_if(&self, index: u64, stop: &StopFlag, keep: impl Fn(&Solution) -> bool) -> Result<Record, MakeError> {
        let Sought { solution, tries, dug, judged } = self.sought(index, &StageTimes::default(), stop, keep)?;
        let mut record = Record { tries: Some(tries), ..self.grid_record(index, solution) };
        let puzzle = dug.puzzle.clone();
        self.add_dug(&mut record, dug);
        self.analysis.add_ratings(&mut record, &puzzle, judged);
        Ok(record)
    }

    /// Like [`Recipe::make`], but adds up the time of each stage, and can be stopped between two tries. The record is
    /// large, so it is filled in one place.
    pub(crate) fn make_watched(
        &self,
        index: u64,
        times: &StageTimes,
        stop: &StopFlag,
    ) -> Result<Box<Record>, MakeError> {
        let Sought { solution, tries, dug, judged } = self.sought(index, times, stop, |_| true)?;
        let mut record = Box::new(Record { tries: Some(tries), ..self.grid_record(index, solution) });
        let solution_class = self.add_chance(&mut record);
        self.add_dug(&mut record, dug);
        let judged = Judged { solution_class, ..judged };
        times.of(TimedStage::Analyze, || self.analysis.analyze_judged(&mut record, judged));
        Ok(record)
    }

    /// The first puzzle that meets the goal of a row, out of a grid that is kept.
    fn sought(
        &self,
        index: u64,
        times: &StageTimes,
        stop: &StopFlag,
        keep: impl Fn(&Solution) -> bool,
    ) -> Result<Sought, MakeError> {
        self.try_until(index, |attempt| {
            if stop.is_set() {
                return Err(MakeError::Stopped { index });
            }
            let solution = times.of(TimedStage::Generate, || self.fill(index, attempt))?;
            let dug = match keep(&solution) {
                true => times.of(TimedStage::Dig, || self.try_dig(&solution, index, attempt)),
                false => Ok(None),
            };
            Ok(Attempt { solution, dug })
        })
    }

    /// Tries until a puzzle meets the goal of the row.
    fn try_until(&self, index: u64, dig: impl Fn(u64) -> Result<Attempt, MakeError>) -> Result<Sought, MakeError> {
        let mut tried = Tries::default();
        for attempt in 0..=self.retries {
            tried.tries += 1;
            let Attempt { solution, dug } = dig(attempt)?;
            match dug {
                Ok(Some((dug, judged))) => {
                    // The attempt itself is counted; each further order of digging is a try too.
                    return Ok(Sought { solution, tries: tried.tries + dug.orders - 1, dug, judged });
                }
                Ok(None) => tried.missed += 1,
                Err(DigError::Ambiguous { orders }) => tried.tries += orders - 1,
                Err(DigError::OutOfReach { best, .. }) => tried.best = Some(tried.best.map_or(best, |b| b.min(best))),
                Err(error) => return Err(MakeError::Dig { index, error }),
            }
        }
        let advice = self.advice(index, tried);
        Err(MakeError::OutOfReach { index, goal: self.goal(index).to_string(), found: tried, advice })
    }

    /// What to ask for instead of a goal that no try met: the level that most puzzles of the plan have.
    fn advice(&self, index: u64, tried: Tries) -> String {
        let (goal, mut counts) = (self.goal(index), BTreeMap::new());
        if let (Some(best), 0) = (tried.best, tried.missed) {
            return format!("write {}", setting("plan", Plan::Givens(best..=best + 2)));
        }
        let (Plan::Givens(_) | Plan::Reveal) = goal.plan else {
            return format!("raise `retries`, which is {}, or ask for something easier", self.retries);
        };
        for attempt in 0..OTHERS {
            let mut rng = Rng::new(self.seed, index, Stage::Dig, attempt);
            let Ok(solution) = self.fill(index, attempt) else { continue };
            let Ok(dug) = goal.plan.dig(&solution, goal.symmetry, &self.dig, &mut rng) else { continue };
            let (mut record, puzzle) = (self.grid_record(index, solution), dug.puzzle.clone());
            self.add_dug(&mut record, dug);
            self.analysis.add_ratings(&mut record, &puzzle, Judged::default());
            *counts.entry(record.level.unwrap_or_default()).or_insert(0) += 1;
        }
        let usual =
            counts.into_iter().max_by_key(|(_, count)| *count).map_or_else(String::new, |(level, _)| level.into());
        match goal.level_name() {
            Some(level) if !["", level].contains(&&*usual) => {
                format!("most puzzles of this plan are {usual}: write {}", setting("level", &usual))
            }
            _ => "leave out `plan`".to_owned(),
        }
    }

    /// The first stage alone: a row with a full grid, which is also the first grid that [`Recipe::make`] tries.
    pub fn generate(&self, index: u64) -> Result<Record, MakeError> {
        let mut record = self.grid_record(index, self.fill(index, 0)?);
        self.add_chance(&mut record);
        Ok(record)
    }

    /// The second stage alone: digs the full grid of a row. Other grids cannot be tried, so other orders of digging are
    /// tried as often as the recipe allows.
    ///
    /// # Errors
    /// [`MakeError`] if the row has no full grid, or if no order meets the goal.
    pub fn dig(&self, mut record: Record) -> Result<Record, MakeError> {
        let index = record.row;
        let full = record.solution.clone().filter(|_| record.puzzle.as_ref().is_none_or(|p| p.grid().holes() == 0));
        let solution = full.ok_or(MakeError::NotFull { index })?;
        let Sought { tries, dug, .. } = self.try_until(index, |attempt| {
            Ok(Attempt { dug: self.try_dig(&solution, index, attempt), solution: solution.clone() })
        })?;
        record.tries = Some(tries);
        self.add_dug(&mut record, dug);
        Ok(record)
    }

    /// The grid of a row at an attempt. A search that takes too long is tried again, with another generator.
    pub(crate) fn fill(&self, index: u64, attempt: u64) -> Result<Solution, MakeError> {
        let mut try_number = 0;
        let shape = self.shape_of(index).map_err(|reason| MakeError::Fill { index, error: reason.into() })?;
        loop {
            // After a failed search the next one has a generator that no attempt has.
            let mut rng = Rng::new(self.seed, index, Stage::Generate, attempt + (try_number << 48));
            match self.method.fill(shape, &mut rng) {
                Ok(solution) => return Ok(solution),
                Err(FillError::Exhausted { .. }) if try_number + 1 < FILLS => try_number += 1,
                Err(error) => return Err(MakeError::Fill { index, error }),
            }
        }
    }

    /// Digs once and judges the puzzle. None if the puzzle does not meet the goal.
    fn try_dig(&self, solution: &Solution, index: u64, attempt: u64) -> Result<Option<(Dug, Judged)>, DigError> {
        let goal = self.goal(index);
        let mut rng = Rng::new(self.seed, index, Stage::Dig, attempt);
        // Grids from a file may have another shape, which has another default budget.
        let usual = DigOptions { budget: DigOptions::of(solution.shape()).budget, ..self.dig };
        let options = if solution.shape().kind() == self.shape.kind() { &self.dig } else { &usual };
        if goal.is_free() {
            return goal.plan.dig(solution, goal.symmetry, options, &mut rng).map(|dug| Some((dug, Judged::default())));
        }
        // A target that needs a ladder is refused in recipes without one. For `only`, any ladder will do.
        let ladder = self.analysis.ladder.clone().unwrap_or_default();
        let (dug, last_judged) = match goal.plan {
            Plan::Within => goal.bounded(solution.shape(), &ladder, |bound| {
                dig_within(solution, goal.symmetry, options, bound, &mut rng)
            }),
            Plan::Needed => {
                let dug = goal.seek(&ladder, |judge| dig_needed(solution, goal.symmetry, options, judge, &mut rng))?;
                let Some(dug) = dug else { return Ok(None) };
                (dug, None)
            }
            Plan::Walk => {
                let mut distance = |puzzle: &Puzzle, _| goal.distance(puzzle, &ladder);
                match dig_walk(solution, goal.symmetry, options, &mut distance, &mut rng)? {
                    Some(dug) => (dug, None),
                    None => return Ok(None),
                }
            }
            _ => (goal.plan.dig(solution, goal.symmetry, options, &mut rng)?, None),
        };
        // What was judged last on the way may be another puzzle.
        let last_judged = last_judged.filter(|(puzzle, _)| *puzzle == dug.puzzle).map(|(_, judged)| judged);
        let judged = goal.is_met(&dug.puzzle, &ladder, last_judged);
        let judged = match &goal.level {
            Some(level) => judged.and_then(|judged| level.judge(&dug.puzzle, &self.analysis, judged)),
            None => judged,
        };
        Ok(judged.map(|judged| (dug, judged)))
    }

    fn grid_record(&self, index: u64, solution: Solution) -> Record {
        Record { method: Some(self.method.to_string().into()), ..Record::of_solution(index, solution) }
    }

    /// Adds the probability that the method makes the grid, if its distribution is known, and the weights of the grid.
    /// A probability that takes searches is computed only if the recipe asks for numbers, because it takes longer than
    /// making the grid. Also returns the class of the grid if the weights needed its canonical form.
    fn add_chance(&self, record: &mut Record) -> Option<u128> {
        let distribution = self.distribution.get_or_init(|| MethodDistribution::of(&self.method, self.shape));
        let is_wanted = self.analysis.numbers || matches!(distribution, Some(MethodDistribution::Even(_)));
        let distribution = distribution.as_ref().filter(|_| is_wanted);
        let grid = record.solution.as_ref();
        let log2_probability = distribution.zip(grid).and_then(|(distribution, grid)| distribution.log2(grid));
        let weights = grid.map(|grid| grid_weights(&self.method, grid, log2_probability)).unwrap_or_default();
        record.log_weight = weights.in_means_over_grids;
        record.log_class_weight = weights.in_means_over_classes;
        record.log2_probability = log2_probability;
        weights.class
    }

    /// Adds a puzzle that was dug from the grid of `record`.
    fn add_dug(&self, record: &mut Record, dug: Dug) {
        record.set_puzzle(dug.puzzle);
        let goal = self.goal(record.row);
        (record.plan, record.symmetry) = (Some(goal.plan.to_string().into()), Some(goal.symmetry));
        record.minimal = dug.minimal;
        (record.solutions, record.solutions_exact) = (Some(dug.solutions.found), Some(dug.solutions.exact));
        // The weight of a puzzle is the weight of its grid times the weight of digging. A grid of unknown weight is no
        // fair sample of all grids, so neither is its puzzle.
        for weight in [&mut record.log_weight, &mut record.log_class_weight] {
            *weight = dug.log_weight.zip(*weight).map(|(dug, grid)| dug + grid);
        }
    }
}

/// A method that draws from all grids gives each the same weight. One that draws from all classes gives a grid one over
/// its automorphisms, because a class with k automorphisms has 1/k as many grids as others. Other methods give a grid the
/// inverse of its probability, if that is known and the method reaches all grids; the unit is the mean.
fn grid_weights(method: &Method, solution: &Solution, log2_probability: Option<f64>) -> GridWeights {
    if !matches!(method, Method::Uniform | Method::UniformClasses) {
        let log2_probability = log2_probability.filter(|_| method.name().can_be_weighed());
        let even = chance(&Method::Uniform, solution).map(Chance::log2);
        let weight = even.zip(log2_probability).map(|(even, log2)| std::f64::consts::LN_2 * (even - log2));
        return GridWeights { in_means_over_grids: weight, ..GridWeights::default() };
    }
    let form = solution.grid().nine().map(|cells| canonical(&cells));
    let log = form.map(|form| libm::log(form.automorphisms.into()));
    let class = form.map(|form| form.class());
    let (in_means_over_grids, in_means_over_classes) = match method {
        Method::Uniform => (Some(0.0), log),
        // `-log` would be -0 for one automorphism.
        _ => (log.map(|log| 0.0 - log), Some(0.0)),
    };
    GridWeights { in_means_over_grids, in_means_over_classes, class }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Draft;
    use crate::corpus::values::analyze::solution_class;
    use sudoku_corpus_core::catalogue;
    use sudoku_corpus_core::generate::Strength;

    #[test]
    fn a_row_with_ratings_alone_is_that_of_a_file() {
        let text = "[dig]\nlevel = \"medium\"\nplan = \"minimal\"\n[analyze]\nratings = \"er\"";
        let recipe = Recipe::new(&Draft::parse(text).unwrap()).unwrap();
        for index in 0..5 {
            let whole = recipe.make(index).unwrap();
            let alone = recipe.make_if(index, &StopFlag::new(), |_| true).unwrap();
            let compared = |row: &Record| {
                (
                    row.puzzle.clone(),
                    row.solution.clone(),
                    row.level.clone(),
                    row.hodoku_score,
                    row.se_er_tenths,
                    row.tries,
                )
            };
            assert_eq!(compared(&alone), compared(&whole));
            assert!(alone.se_er_tenths.is_some() && alone.class.is_none() && whole.class.is_some());
        }
    }

    /// The last class has 72 automorphisms. The logarithms of both weights are added.
    #[test]
    fn grids_weigh_by_their_automorphisms() {
        let symmetric = catalogue::class_of_rank(catalogue::CLASSES).unwrap();
        let log = libm::log(72.0);
        let class = solution_class(&symmetric);
        let weights = |in_means_over_grids, in_means_over_classes| GridWeights {
            in_means_over_grids: Some(in_means_over_grids),
            in_means_over_classes: Some(in_means_over_classes),
            class,
        };
        assert_eq!(grid_weights(&Method::Uniform, &symmetric, None), weights(0.0, log));
        assert_eq!(grid_weights(&Method::UniformClasses, &symmetric, None), weights(-log, 0.0));
        assert_eq!(grid_weights(&Method::RowMajor, &symmetric, None), GridWeights::default());
        let blocks = Method::Permutation(Strength::Blocks);
        assert_eq!(grid_weights(&blocks, &symmetric, Some(-50.0)), GridWeights::default());
        let draft = Draft::parse("count = 1\n[grid]\nmethod = \"uniform-classes\"").unwrap();
        let classes = Recipe::new(&draft).unwrap();
        let plain = Record::of_solution(0, symmetric);
        let grid = Record { log_weight: Some(-log), log_class_weight: Some(0.0), ..plain.clone() };
        let even = Record { log_weight: Some(0.0), ..plain.clone() };
        let [heavy, light, unknown] = [grid, even, plain].map(|record| classes.dig(record).unwrap());
        let dug = light.log_weight.unwrap();
        assert_eq!((heavy.log_weight, heavy.log_class_weight), (Some(dug - log), Some(dug)));
        assert_eq!([light.log_class_weight, unknown.log_weight, unknown.log_class_weight], [None; 3]);
        let made = classes.generate(0).unwrap();
        assert!(made.log_weight.unwrap() <= 0.0 && made.log_class_weight == Some(0.0));
    }
}
