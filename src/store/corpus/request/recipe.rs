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
use super::draft::{AnalyzeDraft, Draft};
use super::goal::{Goal, RowQuota};
use super::layouts::JigsawLayouts;
use super::stock::{Finds, Stock};
use crate::corpus::files::format::PartFormat;
use crate::corpus::files::metadata::{FORMAT_VERSION, Metadata, PartPlace};
use crate::corpus::values::analyze::Analysis;
use crate::corpus::values::error::RecipeError;
use crate::corpus::values::levels::Levels;
use crate::corpus::values::steps::StepsWanted;
use sudoku_corpus_core::board::{Reason, Shape};
use sudoku_corpus_core::coverage::likelihood::MethodDistribution;
use sudoku_corpus_core::dig::{DigOptions, Plan};
use sudoku_corpus_core::generate::Method;
use sudoku_corpus_core::rate::Ladder;
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
    /// The meaning of the names of levels, if it is not HoDoKu's.
    pub levels: Option<Levels>,
    /// The goal of the rows, if there are no quotas.
    pub goal: Goal,
    /// Numbers of rows with goals of their own, in order. If there are any, they cover all rows.
    pub quotas: Vec<RowQuota>,
    /// The same number of puzzles of every class, instead of rows with goals.
    pub stock: Option<Stock>,
    /// New grids to try for a row that does not meet its goal. For a stock: a class is closed after more grids than
    /// this without a puzzle for it.
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
    pub fn for_grids(draft: &Draft) -> Result<Recipe, RecipeError> {
        let mut full = Draft { levels: None, output: Vec::new(), ..draft.clone() };
        let shape = *full.grid.shape.get_or_insert(Shape::NINE);
        let layouts = JigsawLayouts::new(&mut full.grid, shape)?;
        let (method, bases) = bases::method(&mut full.grid, shape)?;
        let levels = draft.own_levels()?;
        full.level = levels.as_ref().map(Levels::drafts).unwrap_or_default();
        let (goal, quotas) = Goal::all(&mut full.dig, &mut full.quota, levels.as_ref(), shape, draft.count)?;
        let goals = || std::iter::once(&goal).chain(quotas.iter().map(|quota| &quota.goal));
        let dig = DigOptions::of(shape);
        let count_limit = *full.analyze.count_limit.get_or_insert(dig.count_limit);
        let analysis = analysis(&mut full.analyze, shape, count_limit)?;
        let known = draft.stock.is_none() && grids_have_weights(&method, analysis.numbers);
        // By default, weights are computed if they are known and cheap. Controlled bias knows them. For `minimal` they
        // take two thirds of the time of digging, so they are computed only if the puzzles are rated too.
        let cheap = |goal: &Goal| goal.plan == Plan::ControlledBias || analysis.rates();
        let weight = || known && goals().all(|goal| goal.has_weight(shape) && cheap(goal));
        let dig = DigOptions {
            budget: draft.dig.budget.map_or(dig.budget, Budget),
            count_limit,
            weight: *full.analyze.weight.get_or_insert_with(weight),
        };
        full.dig.budget = Some(dig.budget.0).filter(|_| dig.budget != Budget::UNLIMITED);
        let stock = full.stock.as_mut().map(|draft| Stock::new(draft, &analysis)).transpose()?;
        let retries = goals().map(|goal| goal.usual_retries(stock.is_some())).max().unwrap_or(0);
        let recipe = Recipe {
            seed: *full.seed.get_or_insert(20_261_120),
            count: count(&mut full.count, &quotas, stock.as_ref())?,
            part_rows: *full.part_rows.get_or_insert(10_000),
            format: *full.format.get_or_insert(PartFormat::Parquet),
            shape,
            layouts,
            method,
            levels,
            goal,
            quotas,
            stock,
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

    /// The recipe with what the search for its stock has found.
    pub(crate) fn with_finds(&self, found: Finds) -> Recipe {
        let mut recipe = self.clone();
        recipe.count = *recipe.full.count.insert(found.count());
        if let (Some(stock), Some(draft)) = (&mut recipe.stock, &mut recipe.full.stock) {
            stock.take(found, draft);
        }
        recipe
    }

    /// Reads the recipe of a file.
    pub fn read(path: &Path) -> Result<Recipe, RecipeError> {
        Recipe::new(&Draft::read(path)?)
            .map_err(|error| RecipeError { file: error.file.or_else(|| Some(path.to_owned())), ..error })
    }

    /// Refuses steps, goals, a stock and weights that cannot be had, and numbers that a recipe file cannot hold.
    fn check_puzzles(&self) -> Result<(), String> {
        toml::to_string(&self.full).map_err(|error| format!("a number is too large: {error}"))?;
        if self.analysis.steps.is_some() && self.analysis.ladder.is_none() {
            return Err("steps need the ladder of techniques, but techniques is \"none\"".to_owned());
        }
        let quotas = self.quotas.iter().map(|quota| &quota.goal);
        let goals: Vec<&Goal> = if self.quotas.is_empty() { vec![&self.goal] } else { quotas.collect() };
        for goal in &goals {
            goal.check(self.shape, self.analysis.ladder.as_ref())?;
            goal.own_level.as_ref().map_or(Ok(()), |level| level.check(&self.analysis))?;
        }
        self.stock
            .as_ref()
            .map_or(Ok(()), |stock| stock.check(&self.goal, !self.quotas.is_empty(), &self.analysis, self.shape))?;
        if self.dig.weight && !goals.iter().all(|goal| goal.has_weight(self.shape) && self.stock.is_none()) {
            return Err("weight: weights are known for the plans minimal and controlled-bias only, without symmetry, \
                        without a target, up to order 9"
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
        let quota = self.quotas.iter().find(|quota| {
            end += quota.count;
            index < end
        });
        quota.map_or(&self.goal, |quota| &quota.goal)
    }

    /// Refuses numbers out of range.
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
        self.method.accepts(self.shape).map_err(|refusal| refusal.to_string())
    }

    /// The number of parts of the corpus.
    pub fn parts(&self) -> u64 {
        self.count.div_ceil(self.part_rows)
    }

    /// The rows of a part. A part after the last one has none.
    pub fn place(&self, part: u64) -> PartPlace {
        let first_row = part.saturating_mul(self.part_rows).min(self.count);
        PartPlace { part, first_row, rows: self.part_rows.min(self.count - first_row) }
    }

    /// The text that identifies the corpus: a recipe file.
    pub fn canonical(&self) -> String {
        // `check_puzzles` has written it once.
        toml::to_string(&self.full).unwrap_or_default()
    }

    /// BLAKE3 of the format version and the canonical text, in hexadecimal.
    pub fn fingerprint(&self) -> String {
        let named = format!("sudoku-corpus format {FORMAT_VERSION}\n{}", self.canonical());
        blake3::hash(named.as_bytes()).to_hex().to_string()
    }

    /// The metadata of a part.
    pub fn metadata(&self, place: PartPlace) -> Metadata {
        Metadata {
            recipe: Some(self.canonical()),
            fingerprint: Some(self.fingerprint()),
            part: Some(place),
            ..Metadata::plain()
        }
    }

    /// The file name of a part.
    pub(crate) fn part_name(&self, part: u64) -> String {
        format!("part-{part:06}{}", self.format.file_format().suffix())
    }
}

/// The number of rows: the sum of the quotas; for a stock, the number of puzzles found, or wanted before the search.
fn count(count: &mut Option<u64>, quotas: &[RowQuota], stock: Option<&Stock>) -> Result<u64, RecipeError> {
    let (rows, reason) = if let Some(stock) = stock {
        // The recipe that the search leaves in its folder has both `count` and `[stock]`.
        (stock.rows()?, "count: [stock] gives the number of puzzles of each class; remove count".to_owned())
    } else if quotas.is_empty() {
        return Ok(*count.get_or_insert(10_000));
    } else {
        let sum = quotas.iter().try_fold(0u64, |sum, quota| sum.checked_add(quota.count));
        let sum = sum.ok_or("the sum of the quotas is too large")?;
        let said = count.unwrap_or(sum);
        (sum, format!("count is {said}, but the quotas add up to {sum}; remove count"))
    };
    if *count.get_or_insert(rows) != rows { Err(reason.into()) } else { Ok(rows) }
}

/// True if each grid of a method has a weight in means over all grids. `numbers` says if probabilities are computed
/// that take searches.
fn grids_have_weights(method: &Method, numbers: bool) -> bool {
    matches!(method, Method::Uniform | Method::UniformClasses) || numbers && method.name().can_be_weighed()
}

/// The analysis of a draft, whose gaps are filled.
fn analysis(draft: &mut AnalyzeDraft, shape: Shape, count_limit: u64) -> Result<Analysis, RecipeError> {
    let usual = Analysis::default();
    let ladder = match draft.techniques.as_deref() {
        None => usual.ladder,
        Some("none") => None,
        Some(text) => Some(text.parse::<Ladder>().map_err(|error| format!("techniques: {error}"))?),
    };
    draft.techniques = Some(ladder.as_ref().map_or("none".to_owned(), Ladder::to_string));
    draft.numbers = draft.numbers.filter(|wanted| *wanted);
    draft.steps = draft.steps.filter(|wanted| *wanted);
    Ok(Analysis {
        ladder,
        ratings: *draft.ratings.get_or_insert(usual.ratings),
        er_limit: *draft.er_limit.get_or_insert(usual.er_limit),
        minimal: *draft.minimal.get_or_insert(usual.minimal),
        numbers: draft.numbers.is_some(),
        count_limit,
        steps: draft.steps.map(|_| StepsWanted::default()),
        budget: Budget(*draft.budget.get_or_insert(Analysis::budget_of(shape).0)),
    })
}

/// The first line in which two canonical texts differ: "seed = 2 in the folder, seed = 1 now".
pub(crate) fn difference(here: &str, there: &str) -> String {
    let pairs = here.lines().zip(there.lines());
    let differing = pairs.filter(|(a, b)| a != b).map(|(a, b)| format!("{b} in the folder, {a} now")).next();
    differing.unwrap_or_else(|| "written by another version".to_owned())
}
