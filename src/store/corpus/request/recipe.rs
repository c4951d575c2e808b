//! Defines a checked recipe: everything that determines the rows of a corpus.
//!
//! Two recipes are equal if their canonical texts are equal. The canonical text is a recipe file with all keys; some
//! are left out if they have their defaults. Every corpus contains this text, so that the corpus can be made again:
//!
//! ```text
//!   file with gaps + command line -> Draft -> Recipe -> canonical text -> BLAKE3 = fingerprint
//! ```
//!
//! Threads, folders, comments and the order of keys do not belong to the canonical text. It names a file of bases by
//! the checksum of the contents. The fingerprint also depends on the version of the file format.

use std::path::Path;
use std::sync::OnceLock;

use super::bases::{self, BasesFile};
use super::contradiction::contradiction;
use super::draft::{AnalyzeDraft, Draft};
use super::goal::{Goal, RowQuota};
use super::layouts::JigsawLayouts;
use super::outline::Outline;
use super::part_rows::usual_part_rows;
use crate::corpus::files::format::PartFormat;
use crate::corpus::values::analyze::Analysis;
use crate::corpus::values::error::{RecipeError, setting};
use crate::corpus::values::levels::Levels;
use crate::corpus::values::steps::StepsWanted;
use sudoku_corpus_core::board::{Reason, Shape};
use sudoku_corpus_core::coverage::likelihood::MethodDistribution;
use sudoku_corpus_core::dig::{DigOptions, Plan};
use sudoku_corpus_core::generate::Method;
use sudoku_corpus_core::ladder::Ladder;
use sudoku_corpus_core::random::DEFAULT_SEED;
use sudoku_corpus_core::solve::Budget;

/// Everything that determines the rows of a corpus.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Recipe {
    /// Seed of all random numbers, below 2^63.
    pub seed: u64,
    pub count: u64,
    /// The number of rows of a part; the last part may have fewer.
    pub part_rows: u64,
    pub format: PartFormat,
    /// The shape of all rows; for jigsaws of several regions their kind, see [`Recipe::shape_of`].
    pub shape: Shape,
    /// The layouts, if the shape is any jigsaw.
    pub layouts: Option<JigsawLayouts>,
    /// The method that makes full grids.
    pub method: Method,
    /// The scale of the levels.
    pub levels: Levels,
    /// The goal of the rows, if there are no quotas.
    pub goal: Goal,
    /// Numbers of rows with goals of their own, in order. If there are any, they cover all rows.
    pub quotas: Vec<RowQuota>,
    /// New grids to try for a row that does not meet its goal.
    pub retries: u64,
    /// Budget, limit and weights of digging.
    pub dig: DigOptions,
    /// The analyses of each puzzle.
    pub analysis: Analysis,
    pub bases: Option<BasesFile>,
    /// The draft without gaps, in which some keys are left out if they have their defaults.
    full: Draft,
    /// The distribution of the method, computed when it is first needed.
    pub(crate) distribution: OnceLock<Option<MethodDistribution>>,
}

/// The number of rows of a recipe that names none.
const USUAL_COUNT: u64 = 10_000;

/// The most rows of a part.
const MOST_PART_ROWS: u64 = 100_000_000;

impl Recipe {
    /// Fills the gaps of a draft with defaults and checks the result.
    ///
    /// # Errors
    /// A value is wrong, values do not go together, or a file of bases cannot be used.
    pub fn new(draft: &Draft) -> Result<Recipe, RecipeError> {
        let recipe = Recipe::for_grids(draft)?;
        recipe.check_puzzles()?;
        Ok(recipe)
    }

    /// Like [`Recipe::new`], for [`Recipe::generate`] alone: boards that are too large to be dug are accepted.
    ///
    /// The gaps are filled in the order of the steps of a row, because a default depends on what comes before it: the
    /// goals on the levels, the analysis on the shape, the weight on all of these. At last the draft is full.
    pub fn for_grids(draft: &Draft) -> Result<Recipe, RecipeError> {
        let levels = draft.scale()?;
        let mut full = Draft { output: Vec::new(), ..draft.clone() };
        let shape = *full.grid.shape.get_or_insert(Shape::NINE);
        let layouts = JigsawLayouts::new(&mut full.grid, shape)?;
        let (method, bases) = bases::method(&mut full.grid, shape)?;
        full.set_scale(&levels);
        let (goal, quotas) = Goal::all(&mut full.dig, &mut full.quota, &levels, shape, draft.count)?;
        let goals = || std::iter::once(&goal).chain(quotas.iter().map(|quota| &quota.goal));
        let usual_dig = DigOptions::of(shape);
        let count_limit = *full.analyze.count_limit.get_or_insert(usual_dig.count_limit);
        let analysis = analysis(&mut full.analyze, &levels, shape, count_limit)?;
        let has_weights = grids_have_weights(&method, analysis.numbers);
        // By default, weights are computed if they are known and cheap. Controlled bias knows them. For `minimal` they
        // take two thirds of the time of digging, so they are computed only if the puzzles are rated too.
        let weight = has_weights
            && goals().all(|goal| goal.has_weight(shape) && (goal.plan == Plan::ControlledBias || analysis.rates()));
        let dig = DigOptions {
            budget: draft.dig.budget.map_or(usual_dig.budget, Budget),
            count_limit,
            weight: *full.analyze.weight.get_or_insert(weight),
        };
        full.dig.budget = (dig.budget != Budget::UNLIMITED).then_some(dig.budget.0);
        let retries = goals().map(Goal::usual_retries).max().unwrap_or(0);
        let part_rows = usual_part_rows(shape, goals_of_rows(&goal, &quotas), &dig, &analysis);
        let recipe = Recipe {
            seed: *full.seed.get_or_insert(DEFAULT_SEED),
            count: count(&mut full.count, &quotas)?,
            part_rows: *full.part_rows.get_or_insert(part_rows),
            format: *full.format.get_or_insert(PartFormat::Parquet),
            shape,
            layouts,
            method,
            levels,
            goal,
            quotas,
            retries: *full.dig.retries.get_or_insert(retries),
            dig,
            analysis,
            bases,
            full,
            distribution: OnceLock::new(),
        };
        recipe.check_numbers()?;
        Ok(recipe)
    }

    /// Reads the recipe of a file.
    pub fn read(path: &Path) -> Result<Recipe, RecipeError> {
        Recipe::new(&Draft::read(path)?)
            .map_err(|error| RecipeError { file: error.file.or_else(|| Some(path.to_owned())), ..error })
    }

    /// Refuses steps, goals and weights that cannot be had.
    fn check_puzzles(&self) -> Result<(), String> {
        if self.analysis.steps.is_some() && self.analysis.ladder.is_none() {
            return Err("`steps` need the ladder of techniques, but `techniques` is none: leave it out".to_owned());
        }
        let goals: Vec<&Goal> = goals_of_rows(&self.goal, &self.quotas).collect();
        let usual = Ladder::default();
        for goal in &goals {
            goal.check(self.shape, self.analysis.ladder.as_ref())?;
            let ladder = self.analysis.ladder.as_ref().unwrap_or(&usual);
            contradiction(goal, self.shape, ladder).map_or(Ok(()), Err)?;
            goal.level.as_ref().map_or(Ok(()), |level| level.check(self.shape, &self.analysis))?;
            if let Some(er) = goal.er.filter(|er| er.0 > self.analysis.er_limit) {
                let (limit, raised) = (self.analysis.er_limit, setting("er_limit", er.1));
                return Err(format!(
                    "er is {er}, but er_limit is {limit}, the highest rating that is computed: ask for less, or write {raised}"
                ));
            }
        }
        if self.dig.weight && !goals.iter().all(|goal| goal.has_weight(self.shape)) {
            return Err("weight: weights are known for the plans minimal and controlled-bias only, without symmetry, \
                        without a goal, up to order 9; leave out `weight`"
                .to_owned());
        }
        if self.dig.weight && !grids_have_weights(&self.method, self.analysis.numbers) {
            let why = match self.method.name().can_be_weighed() {
                true => "and their probabilities are computed only with numbers = true",
                false => "and their probabilities are not known",
            };
            let method = &self.method;
            return Err(format!("weight: the grids of the method '{method}' are no fair sample of all grids, {why}"));
        }
        Ok(())
    }

    /// The shape of a row.
    ///
    /// # Errors
    /// If no layout with a grid was found for it.
    pub fn shape_of(&self, index: u64) -> Result<Shape, Reason> {
        self.layouts.as_ref().map_or(Ok(self.shape), |layouts| layouts.of_row(self.seed, index))
    }

    /// The goal of a row.
    pub fn goal(&self, index: u64) -> &Goal {
        let mut end = 0;
        for quota in &self.quotas {
            end += quota.count;
            if index < end {
                return &quota.goal;
            }
        }
        &self.goal
    }

    /// Refuses numbers out of range, and those that a recipe file cannot hold.
    fn check_numbers(&self) -> Result<(), String> {
        if self.seed > i64::MAX as u64 || self.count > i64::MAX as u64 {
            return Err(format!("seed and count are at most {}", i64::MAX));
        }
        if !(1..=MOST_PART_ROWS).contains(&self.part_rows) {
            return Err(format!("part_rows is {}: it must be 1 to {MOST_PART_ROWS}", self.part_rows));
        }
        if self.retries > 1 << 40 {
            return Err(format!("retries is {}: at most 2^40", self.retries));
        }
        if self.dig.count_limit < 2 {
            return Err("count_limit must be at least 2, because a smaller limit cannot prove uniqueness".to_owned());
        }
        self.method.accepts(self.shape).map_err(|refusal| refusal.to_string())?;
        toml::to_string(&self.full).map_err(|error| format!("a number is too large: {error}"))?;
        Ok(())
    }

    /// The number of parts of the corpus.
    pub fn parts(&self) -> u64 {
        self.count.div_ceil(self.part_rows)
    }

    /// The text that identifies the corpus: a recipe file.
    pub fn canonical(&self) -> String {
        // `check_numbers` has written it once.
        toml::to_string(&self.full).unwrap_or_default()
    }

    /// The part of the canonical text that says how puzzles are analysed.
    pub fn analyze_table(&self) -> String {
        format!("[analyze]\n{}", toml::to_string(&self.full.analyze).unwrap_or_default())
    }

    /// BLAKE3 of the format version and the canonical text, in hexadecimal.
    pub fn fingerprint(&self) -> String {
        self.outline().fingerprint()
    }

    /// What its corpus consists of.
    pub fn outline(&self) -> Outline {
        Outline {
            text: self.canonical(),
            count: self.count,
            part_rows: self.part_rows,
            format: self.format,
            has_steps: self.analysis.steps.is_some(),
            command: None,
            levels: self.levels.clone(),
        }
    }
}

/// The goals of the rows: those of the quotas, if there are any.
fn goals_of_rows<'a>(goal: &'a Goal, quotas: &'a [RowQuota]) -> impl Iterator<Item = &'a Goal> {
    let single = quotas.is_empty().then_some(goal);
    single.into_iter().chain(quotas.iter().map(|quota| &quota.goal))
}

/// The number of rows: the sum of the quotas, if there are any.
fn count(count: &mut Option<u64>, quotas: &[RowQuota]) -> Result<u64, RecipeError> {
    if quotas.is_empty() {
        return Ok(*count.get_or_insert(USUAL_COUNT));
    }
    let sum = quotas.iter().try_fold(0u64, |sum, quota| sum.checked_add(quota.count));
    let sum = sum.ok_or("the sum of the quotas is too large")?;
    let said = *count.get_or_insert(sum);
    if said == sum {
        Ok(sum)
    } else {
        Err(format!("count is {said}, but the quotas add up to {sum}; leave out count, or --count").into())
    }
}

/// True if each grid of a method has a weight in means over all grids. `numbers` says if probabilities are computed
/// that take searches.
fn grids_have_weights(method: &Method, numbers: bool) -> bool {
    matches!(method, Method::Uniform | Method::UniformClasses) || numbers && method.name().can_be_weighed()
}

/// The analysis of a draft, whose gaps are filled. By default, what the levels need is rated too.
fn analysis(
    draft: &mut AnalyzeDraft,
    levels: &Levels,
    shape: Shape,
    count_limit: u64,
) -> Result<Analysis, RecipeError> {
    let usual = Analysis::with_levels(levels);
    let ladder = match draft.techniques.as_deref() {
        None => usual.ladder,
        Some("none") => None,
        Some(text) => Some(text.parse::<Ladder>().map_err(|error| format!("`techniques`: {error}"))?),
    };
    draft.techniques = Some(ladder.as_ref().map_or("none".to_owned(), Ladder::to_string));
    if draft.budget == Some(0) {
        return Err("budget is 0: it is a number of positions, at least 1".to_owned().into());
    }
    draft.numbers = draft.numbers.filter(|wanted| *wanted);
    draft.steps = draft.steps.filter(|wanted| *wanted);
    Ok(Analysis {
        ladder,
        ratings: *draft.ratings.get_or_insert(usual.ratings),
        levels: usual.levels,
        er_limit: *draft.er_limit.get_or_insert(usual.er_limit),
        minimal: *draft.minimal.get_or_insert(usual.minimal),
        numbers: draft.numbers.is_some(),
        count_limit,
        steps: draft.steps.map(|_| StepsWanted::default()),
        budget: Budget(*draft.budget.get_or_insert(Analysis::budget_of(shape).0)),
    })
}
