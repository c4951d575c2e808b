//! Computes figures of a corpus: from SQL expressions, weights and groups to estimates with errors.
//!
//! ```text
//!   expression    a number           mean, standard deviation, quantiles; shares too when there are few values
//!                 a flag             share of the rows for which it is true
//!                 a text             share of every value
//!   cluster       the full grid      rows dug from one grid are not independent
//!   weight        exp(log_weight)    rows whose weights are not on one scale are refused, not pooled
//! ```

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::sync::Arc;

use super::expressions::expressions;
use super::fit::{Fit, Kept};
use super::sample::{Blocks, Pair, Place};
use super::shares::Shares;
use super::values::{Asked, Figure, Finding, hash_of_row, number_of, text_of};
use crate::corpus::{Answer, AskLimits, CorpusError, SqlValue, check_condition, columns_of_condition, is_condition};
use crate::study::Table;
use crate::study::resample::TargetShares;
use sudoku_corpus_core::generate::MethodName;
use sudoku_corpus_core::rate::Level;

/// The largest number of groups.
const GROUPS: usize = 1 << 12;
/// The points of a scatter plot.
const POINTS: usize = 2000;
/// The logarithm of a weight may be larger than that of the first weight by this much.
const SPAN: f64 = 300.0;

/// A query for figures of a table.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct FiguresQuery {
    /// Columns or SQL expressions, separated by commas; each may have a name: `score / 100.0 AS points`.
    pub figures: String,
    /// Columns or SQL expressions by which to group: the figures are computed for each of their values.
    #[cfg_attr(feature = "cli", arg(long, value_name = "EXPRESSIONS"))]
    pub by: Option<String>,
    /// Use only the rows that satisfy this SQL condition.
    #[cfg_attr(feature = "cli", arg(long = "where", value_name = "CONDITION"))]
    pub condition: Option<String>,
    /// Ignore weights: every row counts once.
    #[cfg_attr(feature = "cli", arg(long, conflicts_with = "log_weight"))]
    pub unweighted: bool,
    /// The natural logarithm of the weight, as an SQL expression; the column log_weight by default.
    #[cfg_attr(feature = "cli", arg(long, value_name = "EXPRESSION", allow_hyphen_values = true))]
    pub log_weight: Option<String>,
    /// Give each number of givens its published share of all minimal 9x9 puzzles. So puzzles of any plan that digs
    /// minimal puzzles stand for all of them.
    #[cfg_attr(feature = "cli", arg(long, value_name = "published", value_parser = published, conflicts_with_all = ["log_weight", "total"]))]
    pub shares: Option<TargetShares>,
    /// Join another table to each row: 'times USING (puzzle)'. See --table.
    #[cfg_attr(feature = "cli", arg(long, value_name = "TABLE USING (..)"))]
    pub join: Option<String>,
    /// An SQL expression that is equal for rows of the same grid. The default is the column solution, or the column
    /// puzzle.
    #[cfg_attr(feature = "cli", arg(long, value_name = "EXPRESSION"))]
    pub grid: Option<String>,
    /// Quantiles to compute, in per cent.
    #[cfg_attr(feature = "cli", arg(long, value_name = "PER CENT", value_delimiter = ',', default_value = "25,50,75"))]
    pub quantiles: Vec<f64>,
    /// Also estimate how many minimal puzzles a grid has, for each value of the figure.
    #[cfg_attr(feature = "cli", arg(long, conflicts_with = "unweighted"))]
    pub total: bool,
    /// Also estimate the share of classes of this width of each number: 0.5 gives 4 to 4.5, 4.5 to 5, and so on.
    #[cfg_attr(feature = "cli", arg(long, value_name = "WIDTH"))]
    pub classes: Option<f64>,
    /// Draw a panel of its own for each value of the last expression of --by, and within it what the others ask for.
    #[cfg_attr(feature = "cli", arg(long, requires_all = ["by", "plot"]))]
    pub facets: bool,
    /// For a plot: choose classes of numbers with many values for a histogram, and some rows for a scatter plot.
    #[cfg_attr(feature = "cli", arg(skip))]
    pub drawn: bool,
    /// Also compute the correlations of every two figures that are numbers or flags, Pearson's and Spearman's.
    #[cfg_attr(feature = "cli", arg(long))]
    pub correlations: bool,
    /// Also compute the difference and the ratio of each mean, or share of true, to that of the first group, and
    /// p-values.
    #[cfg_attr(feature = "cli", arg(long, requires = "by"))]
    pub compare: bool,
    /// Also fit a straight line of one figure on others: 'er ~ givens + score'; or the odds of a condition:
    /// 'logit(hard) ~ givens'.
    #[cfg_attr(feature = "cli", arg(long = "fit", value_name = "Y ~ X + ..."))]
    pub fits: Vec<String>,
}

/// The answer.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// The names of the expressions of `by`.
    pub by: Vec<String>,
    /// The figures, group by group.
    pub findings: Vec<Finding>,
    /// For a scatter plot: the names of x and y.
    pub scatter: Option<[String; 2]>,
    /// For a scatter plot: some rows of each group, in proportion to their weights.
    pub clouds: Vec<Cloud>,
    /// True if the last expression of `by` gives panels.
    pub facets: bool,
    /// Notes for the reader: which weights were used, which rows are missing.
    pub notes: Vec<String>,
    /// How the figures were made: names and texts.
    pub made: Vec<(&'static str, String)>,
}

/// Rows of a group, and the line through them.
#[derive(Clone, Debug, Default)]
pub struct Cloud {
    /// The values of the expressions of `by`.
    pub group: Vec<String>,
    /// Two numbers of each row.
    pub points: Vec<(f64, f64)>,
    /// Slope and intercept.
    pub line: Option<[f64; 2]>,
}

/// The value of --shares.
#[cfg(feature = "cli")]
fn published(text: &str) -> Result<TargetShares, String> {
    if text == "published" { Ok(TargetShares::Published) } else { Err("the only value is: published".to_owned()) }
}

/// Columns whose values may be lower bounds, and the flag that says so.
const BOUNDED: [(&str, &str); 4] =
    [("se_er_tenths", "se_exact"), ("w", "wb_exact"), ("b", "wb_exact"), ("solutions", "solutions_exact")];

/// One group of rows.
struct Group {
    /// The values of the expressions of `by`.
    name: Vec<String>,
    /// The place of the origin of its first row among the origins. With weights, all rows have this one.
    origin: usize,
    figures: Vec<Figure>,
    pairs: Vec<Pair>,
    /// The numbers of the rows, for fits and rank correlations.
    kept: Kept,
    /// Its rows.
    rows: u64,
}

/// Shape, method, plan and, where scales differ, the source; with the number of tries of all rows.
struct SampleOrigin {
    name: String,
    tries: Blocks,
}

/// What a query asks for, and what is known so far.
struct Reading<'a> {
    query: &'a FiguresQuery,
    /// The names of the figures.
    names: Vec<String>,
    /// The names of the expressions of `by`.
    by: Vec<String>,
    /// Whether each figure and each expression of `by` is a condition. SQLite has no type for its values.
    conditions: Vec<bool>,
    /// The figures of each correlation.
    pairs: Vec<(usize, usize)>,
    fits: Vec<Fit>,
    /// The figures whose numbers are kept.
    kept: Vec<usize>,
    /// How many numbers are kept.
    numbers: usize,
    /// For each figure whether another expression tells if its value is a bound.
    bounded: Vec<bool>,
    shares: Option<Shares>,
    /// True if the first row has a weight.
    weighted: Option<bool>,
    /// The logarithm of the unit of weights.
    unit: f64,
    /// Rows without a weight, and with one.
    rows: [u64; 2],
    origins: Vec<SampleOrigin>,
    groups: Vec<Group>,
    /// The place of each group, by [`key_of`] its values.
    places: HashMap<String, usize>,
}

/// The error of a query that cannot be answered.
fn wrong(reason: impl Into<String>) -> CorpusError {
    CorpusError::Query(reason.into())
}

/// Computes figures of a table. One SQL query asks for all that is needed of each row. The rows are added up group by
/// group ([`Reading::take`]), and the figures are computed at the end ([`Reading::found`]).
///
/// # Errors
/// SQL that is not understood; weights that are missing or not on one scale; a file that cannot be read.
pub fn ask(table: &Table, query: &FiguresQuery) -> Result<Figures, CorpusError> {
    let figures = expressions(&query.figures);
    if figures.is_empty() {
        return Err(wrong("nothing to compute: name columns or SQL expressions, separated by commas"));
    }
    let by = query.by.as_deref().map(expressions).unwrap_or_default();
    let has = |column: &str| table.columns().iter().any(|known| known == column);
    let or_null = |column: &str| if has(column) { column.to_owned() } else { "NULL".to_owned() };
    // The expressions of the logarithm of the weight, and of what is equal for rows of one grid.
    let log = match &query.log_weight {
        _ if query.unweighted => "NULL".to_owned(),
        Some(expression) => expression.clone(),
        None => or_null("log_weight"),
    };
    let grid = query.grid.clone().unwrap_or_else(|| match (has("solution"), has("puzzle")) {
        (true, true) => "coalesce(puzzles.solution, puzzles.puzzle)".to_owned(),
        (false, true) => "puzzles.puzzle".to_owned(),
        (_, false) => or_null("solution"),
    });
    for (expression, _) in figures.iter().chain(&by) {
        if check_condition(expression).is_err_and(|reason| reason.contains("misuse of aggregate")) {
            return Err(wrong(format!(
                "'{expression}' is computed from several rows: name a column, or an expression of one row; its mean and its other \
                 figures are computed here"
            )));
        }
    }
    // Then the other expressions that the query needs, in the order in which `take` reads them.
    let shares = query.shares.map(|_| Shares::of(table, &log, &grid)).transpose()?;
    // True where one of the columns in an expression is only a bound; None if none of them ever is.
    let bound = |expression: &str| {
        let used = columns_of_condition(expression);
        let of = BOUNDED.iter().filter(|(column, exact)| used.iter().any(|name| name == column) && has(exact));
        let not: BTreeSet<String> = of.map(|(_, exact)| format!("{exact} IS FALSE")).collect();
        (!not.is_empty()).then(|| not.into_iter().collect::<Vec<_>>().join(" OR "))
    };
    let bounds: Vec<Option<String>> = figures.iter().map(|(expression, _)| bound(expression)).collect();
    let source = if table.differing_scales().is_some() { "source" } else { "NULL" };
    let mut fixed: Vec<String> = bounds.iter().flatten().cloned().collect();
    fixed.extend([log, grid, or_null("shape"), or_null("method"), or_null("plan"), source.to_owned()]);
    fixed.push(if shares.is_some() { "givens".to_owned() } else { "NULL".to_owned() });
    let mut condition = query.condition.as_ref().map_or(String::new(), |text| format!(" WHERE {text}"));
    if query.total {
        // Rows that are not used count as tries too.
        fixed.push(or_null("tries"));
        fixed.extend(query.condition.as_ref().map(|text| format!("({text})")));
        condition.clear();
    }
    let all = figures.iter().chain(&by).map(|(expression, _)| expression).chain(&fixed);
    let listed: Vec<String> = all.enumerate().map(|(at, expression)| format!("{expression} AS stats_{at}")).collect();
    let sql = format!("SELECT {} FROM puzzles{}{condition}", listed.join(", "), joined(query));
    let conditions = figures.iter().chain(&by).map(|(expression, _)| is_condition(expression)).collect();
    let [names, by] = [figures, by].map(|list| list.into_iter().map(|(_, name)| name).collect::<Vec<_>>());
    let fits: Vec<Fit> =
        query.fits.iter().map(|text| Fit::of(text, &names)).collect::<Result<_, String>>().map_err(wrong)?;
    // The pairs of figures for correlations: all of them, or those of simple fits. Fits and rank correlations need the
    // numbers of all rows, which are kept.
    let every = 0..if query.correlations { names.len() } else { 0 };
    let alone = fits
        .iter()
        .filter(|_| !query.correlations)
        .filter(|fit| fit.xs.len() == 1 && !fit.logit)
        .map(|fit| (fit.xs[0], fit.y));
    let pairs: Vec<(usize, usize)> = alone.chain(every.flat_map(|b| (0..b).map(move |a| (a, b)))).collect();
    let kept: BTreeSet<usize> = fits.iter().flat_map(|fit| fit.xs.iter().chain([&fit.y]).copied()).collect();
    let kept = kept.into_iter().chain(pairs.iter().flat_map(|&(a, b)| [a, b])).collect::<BTreeSet<usize>>();
    let mut reading = Reading {
        query,
        by,
        conditions,
        pairs,
        fits,
        kept: kept.into_iter().collect(),
        numbers: 0,
        bounded: bounds.iter().map(Option::is_some).collect(),
        shares,
        names,
        weighted: None,
        unit: 0.0,
        rows: [0; 2],
        origins: Vec::new(),
        groups: Vec::new(),
        places: HashMap::new(),
    };
    table.ask_in_batches(&sql, &AskLimits::default(), |answer| reading.take(&answer).map_err(wrong))??;
    reading.found(table)
}

/// The table that is joined.
fn joined(query: &FiguresQuery) -> String {
    query.join.as_ref().map_or(String::new(), |join| format!(" JOIN {join}"))
}

/// Some values as one text, which is written into `key`.
fn key_of<'a>(key: &'a mut String, values: &[SqlValue]) -> &'a str {
    key.clear();
    for value in values {
        match value {
            SqlValue::Text(text) => key.push_str(text),
            SqlValue::Integer(number) => _ = write!(key, "{number}"),
            SqlValue::Real(number) => _ = write!(key, "{number}"),
            SqlValue::Null | SqlValue::Blob(_) => key.push('\u{1}'),
        }
        key.push('\0');
    }
    key
}

impl Reading<'_> {
    /// Adds a batch of rows. [`ask`] put their columns into this order: the figures, `by`, whether a value is a bound,
    /// the weight, the grid, the origin (four columns), givens; with --total the tries and the condition.
    fn take(&mut self, answer: &Answer) -> Result<(), String> {
        for (at, flag) in self.conditions.iter_mut().enumerate() {
            *flag |= answer.is_flag(at);
        }
        let (figures, by) = (self.names.len(), self.by.len());
        let bounds = self.bounded.iter().filter(|bounded| **bounded).count();
        let mut key = String::new();
        // Consecutive rows mostly have the same origin and often the same group: then nothing is looked up.
        let mut last: Option<(&[SqlValue], usize)> = None;
        let mut last_group: Option<(&[SqlValue], usize)> = None;
        for row in answer.rows() {
            let (figures, rest) = row.split_at(figures);
            let (group, rest) = rest.split_at(by);
            let (bounds, rest) = rest.split_at(bounds);
            let [log, grid, rest @ ..] = rest else {
                return Err("a column is missing".to_owned());
            };
            let (from, rest) = rest.split_at(rest.len().min(4));
            let [givens, rest @ ..] = rest else {
                return Err("a column is missing".to_owned());
            };
            let origin = match last {
                Some((same, origin)) if same == from => origin,
                _ => self.origin(key_of(&mut key, from)),
            };
            last = Some((from, origin));
            // Rows of one grid are not independent: errors are computed from blocks of grids.
            let grid = hash_of_row(grid, self.rows[0] + self.rows[1]);
            if let Some(tries) = rest.first() {
                let block = grid as usize % super::sample::BLOCKS;
                self.origins[origin].tries.add(block, number_of(tries).unwrap_or(1.0));
                // The condition of the rows that are used, if there is one.
                if rest.get(1).is_some_and(|used| number_of(used).unwrap_or(0.0) == 0.0) {
                    continue;
                }
            }
            // With --shares, each number of givens has a factor. Rows with a number that has no share are left out.
            let (mut log, mut stratum) = (number_of(log), 0);
            if let Some(shares) = &self.shares {
                let found = shares.stratum(number_of(givens).unwrap_or(0.0) as i64);
                let Some((at, factor)) = found else { continue };
                (log, stratum) = (Some(log.unwrap_or(0.0) + factor), at);
            }
            self.rows[usize::from(log.is_some())] += 1;
            let weighted = *self.weighted.get_or_insert(log.is_some());
            // The first weight is the unit: all weights are stored as multiples of it.
            if weighted && self.rows[1] == 1 && self.rows[0] == 0 {
                self.unit = log.unwrap_or(0.0);
            }
            if weighted != log.is_some() {
                // The missing weights are counted to the end, for the message.
                continue;
            }
            let over = log.unwrap_or(0.0) - self.unit;
            if over > SPAN {
                return Err(format!("two weights differ by a factor of more than e^{SPAN}"));
            }
            let at = match last_group {
                Some((same, at)) if same == group => at,
                _ => self.group(key_of(&mut key, group), group, origin)?,
            };
            last_group = Some((group, at));
            let group = &mut self.groups[at];
            if weighted && group.origin != origin {
                return Err(one_scale(&group.name, &self.origins[group.origin].name, &self.origins[origin].name));
            }
            let weight = if weighted { over.exp() } else { 1.0 };
            let place = Place { grid, stratum };
            let mut bounds = bounds.iter();
            group.rows += 1;
            for (at, (figure, value)) in group.figures.iter_mut().zip(figures).enumerate() {
                figure.add(value, self.conditions[at], place, weight)?;
                if self.bounded[at] {
                    let is_bound = bounds.next().and_then(number_of).is_some_and(|bound| bound != 0.0);
                    figure.bounds += u64::from(is_bound && !matches!(value, SqlValue::Null));
                }
            }
            for (pair, &(x, y)) in group.pairs.iter_mut().zip(&self.pairs) {
                if let (Some(x), Some(y)) = (number_of(&figures[x]), number_of(&figures[y])) {
                    pair.add(place, weight, x, y);
                }
            }
            if !self.kept.is_empty() {
                let numbers = self.kept.iter().map(|&at| number_of(&figures[at]).unwrap_or(f64::NAN));
                let block = grid as usize % super::sample::BLOCKS;
                if !group.kept.add(block, weight, numbers, &mut self.numbers) {
                    return Err("too many rows for --fit and --correlations: choose some with --where".to_owned());
                }
            }
        }
        Ok(())
    }

    /// The place of an origin, which is added if it is new.
    fn origin(&mut self, key: &str) -> usize {
        self.origins.iter().rposition(|origin| origin.name == key).unwrap_or_else(|| {
            self.origins.push(SampleOrigin { name: key.to_owned(), tries: Blocks::default() });
            self.origins.len() - 1
        })
    }

    /// The place of a group, which is added if it is new.
    ///
    /// # Errors
    /// There are too many groups.
    fn group(&mut self, key: &str, values: &[SqlValue], origin: usize) -> Result<usize, String> {
        if let Some(&at) = self.places.get(key) {
            return Ok(at);
        }
        if self.groups.len() == GROUPS {
            return Err(format!("--by gives more than {GROUPS} groups"));
        }
        let weighted = self.weighted == Some(true);
        let flags = &self.conditions[self.names.len()..];
        self.groups.push(Group {
            name: values.iter().zip(flags).map(|(value, flag)| text_of(value, *flag)).collect(),
            origin,
            figures: self.names.iter().map(|_| Figure::new(weighted)).collect(),
            pairs: self.pairs.iter().map(|_| Pair::new(weighted)).collect(),
            kept: Kept::default(),
            rows: 0,
        });
        if let (Some(shares), Some(group)) = (&self.shares, self.groups.last_mut()) {
            let samples = group.figures.iter_mut().map(|figure| &mut figure.sample);
            let samples = samples.chain(group.pairs.iter_mut().map(|pair| &mut pair.sample));
            samples.for_each(|sample| sample.strata = Some(Arc::clone(&shares.strata)));
        }
        self.places.insert(key.to_owned(), self.groups.len() - 1);
        Ok(self.groups.len() - 1)
    }

    /// The figures of all groups, after the last row.
    ///
    /// # Errors
    /// Some of the rows have no weight.
    fn found(mut self, table: &Table) -> Result<Figures, CorpusError> {
        let [without, with] = self.rows;
        if without > 0 && (with > 0 || self.query.log_weight.is_some()) {
            return Err(wrong(format!(
                "{without} of {} rows have no weight: exclude them with --where 'log_weight IS NOT NULL', or ignore the weights with \
                 --unweighted",
                with + without
            )));
        }
        let weighted = with > 0;
        // Groups in the order of their values: numbers by size, levels by difficulty, then texts.
        let key = |text: &String| text.parse::<f64>().ok().or(level_of(text)).unwrap_or(f64::INFINITY);
        self.groups.sort_by(|Group { name: a, .. }, Group { name: b, .. }| {
            let numbers = a.iter().map(key).partial_cmp(b.iter().map(key));
            numbers.unwrap_or(std::cmp::Ordering::Equal).then_with(|| a.cmp(b))
        });
        let (by, facets) = (self.by.clone(), self.query.facets);
        let mut found = Figures { by, notes: self.notes(table, weighted), facets, ..Figures::default() };
        let histogram = self.query.drawn && self.by.len() == usize::from(facets);
        let scatter = self.fits.first().filter(|fit| self.query.drawn && fit.xs.len() == 1 && !fit.logit);
        found.scatter = scatter.map(|fit| [fit.xs[0], fit.y].map(|at| self.names[at].clone()));
        found.made = self.made(table, &found.notes[0]);
        // For each group: what each figure gives, its difference from the first group, then fits and correlations.
        for group in &self.groups {
            let tries = Some((&self.origins[group.origin].tries, self.unit)).filter(|_| self.query.total && weighted);
            for (at, figure) in group.figures.iter().enumerate().filter(|(_, figure)| figure.is_known()) {
                let about = figure.about(&group.name, &self.names[at]);
                let of = |statistic, estimate| Finding { statistic, estimate, ..about.clone() };
                let asked = Asked { quantiles: &self.query.quantiles, classes: self.query.classes, histogram, tries };
                let estimates = figure.estimates(&asked);
                found.findings.extend(estimates.into_iter().map(|(statistic, estimate)| of(statistic, estimate)));
                let first = &self.groups[0];
                if let Some(estimates) =
                    figure.compared(&first.figures[at]).filter(|_| self.query.compare && first.name != group.name)
                {
                    let named = ["difference from", "ratio to"].map(|word| format!("{word} {}", first.name.join(", ")));
                    let [difference, ratio] = estimates;
                    let [first, second] = named;
                    found.findings.extend([of(first, difference).tested(), of(second, ratio)]);
                }
            }
            let fits = self.of_fits(group);
            // For a scatter plot: some rows, and the line of the first fit.
            if let Some(fit) = scatter {
                let value = |statistic: &str| {
                    let own = fits.iter().find(|one| one.figure == fit.name && one.statistic == statistic);
                    own.map(|one| one.estimate.value)
                };
                let line = value("slope").zip(value("intercept")).map(|(slope, intercept)| [slope, intercept]);
                let points = group.kept.some([fit.xs[0], fit.y].map(|at| self.place(at)), POINTS / self.groups.len());
                found.clouds.push(Cloud { group: group.name.clone(), points, line });
            }
            found.findings.extend(fits);
            found.findings.extend(self.of_pairs(group));
        }
        corrected(&mut found.findings);
        Ok(found)
    }

    /// The place of a figure among the numbers that are kept.
    fn place(&self, figure: usize) -> usize {
        self.kept.iter().position(|known| *known == figure).unwrap_or(0)
    }

    /// The coefficients of the fits in a group. A fit of a figure that is a text, or is never known, has none.
    fn of_fits(&self, group: &Group) -> Vec<Finding> {
        let mut found = Vec::new();
        for fit in &self.fits {
            let all: Vec<usize> = fit.xs.iter().copied().chain([fit.y]).collect();
            if all.iter().any(|&at| group.figures[at].is_text() || !group.figures[at].is_known()) {
                continue;
            }
            let sample = &group.figures[fit.y].sample;
            let places: Vec<usize> = all.iter().map(|&at| self.place(at)).collect();
            let doubt = all.iter().find_map(|&at| group.figures[at].doubts()[1]);
            for (statistic, mut estimate) in fit
                .statistics(&self.names)
                .into_iter()
                .zip(group.kept.fitted(sample, &places, fit.logit).unwrap_or_default())
            {
                estimate.doubt = estimate.doubt.or(doubt);
                found.push(Finding { statistic, estimate, ..Finding::of(sample, &group.name, &fit.name) }.tested());
            }
        }
        found
    }

    /// Correlations of the rows that know both figures.
    fn of_pairs(&self, group: &Group) -> Vec<Finding> {
        let mut found = Vec::new();
        for (&(x, y), pair) in self.pairs.iter().zip(&group.pairs) {
            let both = [&group.figures[x], &group.figures[y]];
            if pair.sample.rows == 0 || both.iter().any(|figure| figure.is_text()) {
                continue;
            }
            let reach = both.map(|figure| figure.reach());
            let mut correlation = pair.sample.with_reach(pair.correlation(), reach.map(|reach| reach[0]));
            // There is no correlation if one of the figures never varies.
            if !correlation.value.is_finite() {
                continue;
            }
            correlation.doubt = correlation.doubt.or(both[0].doubts()[1]).or(both[1].doubts()[1]);
            let places = [x, y].map(|at| self.place(at));
            let ranks = group.kept.rank_correlation(&pair.sample, places);
            let mut ranks = pair.sample.with_reach(ranks, reach.map(|reach| reach[1]));
            let bounds = both[0].bounds + both[1].bounds;
            ranks.doubt = ranks.doubt.or((bounds > 0).then_some(super::Doubt::Bounds(bounds)));
            let name = format!("{} and {}", self.names[x], self.names[y]);
            for (statistic, estimate) in [("correlation", correlation), ("rank correlation", ranks)] {
                let about = Finding::of(&pair.sample, &group.name, &name);
                found.push(Finding { statistic: statistic.to_owned(), estimate, ..about }.tested());
            }
        }
        found
    }

    /// The notes for the reader. The first says which weights were used.
    fn notes(&self, table: &Table, weighted: bool) -> Vec<String> {
        let fair = |origin: &SampleOrigin| {
            let method = origin.name.split('\0').nth(1).unwrap_or("").split(':').next().unwrap_or("");
            method.parse().ok().is_none_or(MethodName::can_be_weighed)
        };
        let unfair = self.origins.iter().find(|origin| !fair(origin)).map(|origin| readable(&origin.name));
        let by_shares = "weighted by the published shares of givens, and within each number of givens by";
        let mut notes = vec![match (weighted, &self.query.log_weight, unfair) {
            _ if self.shares.is_some()
                && (self.query.unweighted || !table.columns().iter().any(|name| name == "log_weight")) =>
            {
                format!(
                    "{by_shares} nothing: the figures estimate all minimal puzzles as far as those of one number of givens are alike"
                )
            }
            _ if self.shares.is_some() => {
                format!("{by_shares} exp(log_weight): the figures estimate all minimal puzzles")
            }
            (true, None, Some(origin)) => format!(
                "weighted by exp(log_weight), which undoes the bias of digging only: the grids of '{origin}' are no fair sample of \
                 all grids, and neither are these puzzles of all minimal puzzles"
            ),
            (true, Some(expression), _) => format!("weighted by exp({expression})"),
            (true, ..) => "weighted by exp(log_weight): the figures estimate all minimal puzzles".to_owned(),
            (false, ..) if self.query.unweighted => "unweighted: the figures describe only these rows".to_owned(),
            (false, ..) => "these rows have no weights: the figures describe only these rows".to_owned(),
        }];
        if self.origins.len() > 1 {
            let shown: Vec<String> = self.origins.iter().take(6).map(|origin| readable(&origin.name)).collect();
            let more = if self.origins.len() > 6 { ", ..." } else { "" };
            notes.push(format!(
                "the figures mix rows of {} kinds (shape, method, plan): {}{more}; --by separates them",
                self.origins.len(),
                shown.join(", ")
            ));
        }
        notes.extend(table.differing_scales().map(str::to_owned));
        notes.extend(self.shares.iter().filter_map(|shares| shares.note.clone()));
        let rows: u64 = self.groups.iter().map(|group| group.rows).sum();
        for (at, name) in self.names.iter().enumerate() {
            let known: u64 = self.groups.iter().map(|group| group.figures[at].sample.rows).sum();
            if (1..rows).contains(&known) {
                notes.push(format!(
                    "'{name}' is NULL in {} of {rows} rows: its figures are those of the others",
                    rows - known
                ));
            }
        }
        if !table.columns().iter().any(|name| name == "solution") && self.query.grid.is_none() {
            let grids: u64 = self.groups.iter().map(|group| group.figures[0].sample.grids()).sum();
            if grids < rows && table.columns().iter().any(|name| name == "puzzle") {
                notes.push("rows of one puzzle do not count as independent; --grid names another column".to_owned());
            }
        }
        if self.groups.is_empty() {
            notes.push("no rows are used".to_owned());
        }
        for (at, name) in self.names.iter().enumerate().filter(|_| !self.groups.is_empty()) {
            if self.groups.iter().all(|group| !group.figures[at].is_known()) {
                notes.push(format!("'{name}' is NULL in all {} rows that are used", self.rows[0] + self.rows[1]));
            }
        }
        notes
    }

    /// How the figures are made.
    fn made(&self, table: &Table, weights: &str) -> Vec<(&'static str, String)> {
        let made = table.made();
        let origins: Vec<String> = self.origins.iter().map(|origin| readable(&origin.name)).collect();
        let mut all = vec![
            ("figures", self.query.figures.clone()),
            ("by", self.query.by.clone().unwrap_or_default()),
            ("where", self.query.condition.clone().unwrap_or_default()),
            ("weights", weights.to_owned()),
            ("rows", (self.rows[0] + self.rows[1]).to_string()),
            ("plans", origins.join("; ")),
            ("sources", made.sources.join("; ")),
            ("seeds", made.seeds.join("; ")),
            ("versions", made.versions.join("; ")),
        ];
        all.retain(|(_, text)| !text.is_empty());
        all
    }
}

/// The place of a level of difficulty in the order of levels.
pub(super) fn level_of(text: &str) -> Option<f64> {
    text.parse::<Level>().ok().map(|level| f64::from(level as u8))
}

/// Corrects the p-values of each kind of figure for their number (Holm 1979).
fn corrected(findings: &mut [Finding]) {
    let kind = |finding: &Finding| finding.statistic.split(' ').next().unwrap_or_default().to_owned();
    let kinds: BTreeSet<String> = findings.iter().filter(|finding| finding.p_value.is_some()).map(kind).collect();
    for one in kinds {
        let mut all: Vec<&mut [f64; 2]> = findings
            .iter_mut()
            .filter(|finding| kind(finding) == one)
            .filter_map(|finding| finding.p_value.as_mut())
            .collect();
        all.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let (count, mut most) = (all.len(), 0f64);
        for (at, p) in all.into_iter().enumerate() {
            most = most.max(p[0] * (count - at) as f64).min(1.0);
            p[1] = most;
        }
    }
}

/// An origin in words.
fn readable(origin: &str) -> String {
    origin.split('\0').filter(|part| !part.is_empty() && *part != "\u{1}").collect::<Vec<_>>().join(" ")
}

/// The refusal of rows of different plans, methods or shapes, whose weights cannot be compared.
fn one_scale(group: &[String], first: &str, other: &str) -> String {
    let place = if group.is_empty() { String::new() } else { format!(" (in {})", group.join(", ")) };
    let by = if first.ends_with("\u{1}\0") { "" } else { ",source" };
    format!(
        "weights of '{}' and of '{}' cannot be compared{place}: separate them with --by shape,method,plan{by}, select with \
         --where, or ignore the weights with --unweighted",
        readable(first),
        readable(other)
    )
}
