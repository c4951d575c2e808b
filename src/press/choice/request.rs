//! Defines the request for puzzles: how many, of which kinds, in which order, and the values that this needs.

use std::collections::HashSet;

use crate::choice::order::{Pick, SortColumn};
use crate::choice::quota::{MOST_QUOTAS, Quota};
use crate::choice::scale::Scale;
use crate::error::PublishError;
use sudoku_corpus_core::board::Shape;
use sudoku_corpus_core::ladder::{Ladder, Technique};
use sudoku_corpus_core::names::nearest;
use sudoku_corpus_core::page::numbers::counted;
use sudoku_corpus_store::corpus::{Analysis, COLUMNS, ROW_NUMBER, Ratings, check_condition, columns_of_condition};

/// Which puzzles are wanted.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// How many. None for the sum of the quotas, or for all puzzles if there are no quotas.
    pub count: Option<u64>,
    /// Numbers of puzzles of each kind. The rest of `count` is filled with any puzzles.
    pub quotas: Vec<Quota>,
    /// SQL conditions that all puzzles must fulfil.
    pub filters: Vec<String>,
    /// Only boards of this shape. Text that does not give its shape is read in this shape.
    pub shape: Option<Shape>,
    /// Which puzzles come first if there are more than are wanted.
    pub pick: Pick,
    /// The order of the result. If empty, the order in which puzzles were picked.
    pub sort: Vec<SortColumn>,
    /// Also take puzzles with several solutions, or with an unknown number of them. Those without a solution are left
    /// out always.
    pub any_solutions: bool,
    /// Leave out puzzles whose ladder takes techniques of uniqueness. A row that was not rated is taken anyway.
    pub no_uniqueness: bool,
    /// Rate puzzles of files that have no ratings, even if no condition asks for them.
    pub rate: bool,
    /// Read every column of the chosen rows, not only what most formats need.
    pub all_columns: bool,
    /// The scale of levels.
    pub scale: Scale,
    /// The level of each puzzle is needed. The request is refused if no row can have one.
    pub with_levels: bool,
}

/// Bytes of records that are sorted in memory; more are sorted in files.
pub(crate) const SORTED_IN_MEMORY: usize = 16 << 20;

/// The condition of a row whose puzzle has no solution.
pub(crate) const UNSOLVABLE: &str = "solutions = 0 AND solutions_exact";

impl Request {
    /// True if all puzzles are wanted that meet the conditions.
    pub fn is_all(&self) -> bool {
        self.count.is_none() && self.quotas.is_empty()
    }

    /// How many puzzles are wanted: the count, or the sum of the quotas. None for all.
    pub fn wanted(&self) -> Option<u64> {
        if self.count.is_some() || self.quotas.is_empty() {
            return self.count;
        }
        Some(self.quotas.iter().fold(0, |sum: u64, quota| sum.saturating_add(quota.count)))
    }

    /// The quotas, with one more for the rest of the count.
    pub(crate) fn all_quotas(&self) -> Result<Vec<Quota>, PublishError> {
        let sum = self.quotas.iter().try_fold(0u64, |sum, quota| sum.checked_add(quota.count));
        let sum = sum.ok_or_else(|| PublishError::Request("the quotas are too large".to_owned()))?;
        let rest = match self.count {
            None if self.quotas.is_empty() => u64::MAX,
            None => 0,
            Some(count) => count.checked_sub(sum).ok_or_else(|| {
                let asked = counted(sum, "puzzle");
                let reason =
                    format!("the quotas ask for {asked}, but --count for {count}: leave out --count, or raise it");
                PublishError::Request(reason)
            })?,
        };
        let mut quotas = self.quotas.clone();
        quotas.extend((rest > 0).then(|| Quota::any(rest)));
        if quotas.len() > MOST_QUOTAS {
            return Err(PublishError::Request(format!("{} quotas, at most {MOST_QUOTAS}", quotas.len())));
        }
        Ok(quotas)
    }

    /// Refuses conditions that are not about a single row, or that read levels of another scale than the request's.
    pub(crate) fn check(&self) -> Result<(), PublishError> {
        for text in self.conditions() {
            check_condition(text).map_err(|reason| PublishError::condition(text, reason))?;
            if self.scale.by_ratings && columns_of_condition(text).iter().any(|column| column == "level") {
                let scale = self.scale.levels.scale();
                let reason = format!(
                    "its column level is not on {scale}: choose with --level, or make the column anew with \
                     `analyze --levels`"
                );
                return Err(PublishError::condition(text, reason));
            }
        }
        Ok(())
    }

    /// Refuses conditions about columns that no corpus has, before there is one.
    ///
    /// # Errors
    /// [`PublishError::Request`] names the column, and one with a similar name.
    pub fn check_columns(&self) -> Result<(), PublishError> {
        let columns: Vec<&str> = COLUMNS.iter().map(|column| &*column.name).chain([ROW_NUMBER]).collect();
        for text in self.conditions() {
            if let Some(name) = columns_of_condition(text).iter().find(|name| !columns.contains(&name.as_str())) {
                let near = nearest(name, columns).map_or(String::new(), |near| format!("; did you mean '{near}'?"));
                let reason = format!("a corpus has no column '{name}'{near}");
                return Err(PublishError::condition(text, reason));
            }
        }
        Ok(())
    }

    pub(crate) fn conditions(&self) -> impl Iterator<Item = &str> {
        self.filters.iter().map(String::as_str).chain(self.quotas.iter().map(|quota| quota.condition.as_str()))
    }

    pub(crate) fn columns_named(&self) -> impl Iterator<Item = String> {
        self.conditions().flat_map(columns_of_condition)
    }

    /// The columns that its levels need, if it needs levels.
    pub(crate) fn level_columns(&self) -> Vec<String> {
        if self.with_levels { self.scale.columns() } else { Vec::new() }
    }

    /// The analysis that a file without our columns needs.
    pub(crate) fn analysis(&self) -> Analysis {
        let picked: &[SortColumn] = if let Pick::Columns(columns) = &self.pick { columns } else { &[] };
        let columns = picked.iter().chain(&self.sort).flat_map(SortColumn::columns);
        let names: HashSet<String> = self.columns_named().chain(columns).chain(self.level_columns()).collect();
        let of_ladder = ["level", "hodoku_level", "hodoku_score", "hardest", "finished", "open_cells"];
        let names_ladder = names.iter().any(|name| of_ladder.contains(&name.as_str()) || name.starts_with("n_"));
        let mut ratings = if self.rate { Ratings::SE } else { Ratings::NONE };
        if names.contains("level") {
            ratings = ratings.and(self.scale.levels.ratings());
        }
        for name in &names {
            ratings = ratings.and(Ratings::of_column(name));
        }
        let usual = Analysis::default();
        Analysis {
            ladder: usual.ladder.clone().filter(|_| self.rate || self.no_uniqueness || names_ladder),
            ratings,
            levels: self.scale.levels.clone(),
            minimal: self.rate || names.contains("minimal"),
            ..usual
        }
    }

    /// The condition that every row must fulfil, in SQL.
    pub(crate) fn filter(&self) -> String {
        // A row without a puzzle has no givens. A full grid is not a puzzle.
        let mut conditions = vec!["givens IS NOT NULL".to_owned(), "holes > 0".to_owned()];
        match self.any_solutions {
            true => conditions.push(format!("({UNSOLVABLE}) IS NOT TRUE")),
            false => conditions.extend(["solutions = 1".to_owned(), "solutions_exact".to_owned()]),
        }
        if let Some(shape) = self.shape {
            let name = shape.to_string();
            conditions.push(match name.split_once("+jigsaw").filter(|_| shape.is_any_jigsaw()) {
                Some((start, end)) => {
                    // A jigsaw has the name of its kind, a colon, and a letter for each cell.
                    let length = name.len() + 1 + shape.cells();
                    format!("shape LIKE '{start}+jigsaw:%{end}' AND length(shape) = {length}")
                }
                None => format!("shape = '{name}'"),
            });
        }
        conditions.extend(self.filters.iter().map(|filter| format!("({filter})")));
        if self.no_uniqueness {
            let (with, without) = (Ladder::default(), Ladder::default().without_uniqueness());
            let needed = Technique::all().filter(|technique| with.has(*technique) && !without.has(*technique));
            conditions.extend(needed.map(|technique| format!("(n_{0} = 0 OR n_{0} IS NULL)", technique.code())));
        }
        conditions.join(" AND ")
    }

    pub(crate) fn reads(&self, column: &str, level_columns: &[String]) -> bool {
        let usual = "row method plan symmetry solution givens holes class level hodoku_level \
                     hodoku_score hardest solutions se_er_tenths se_exact";
        self.all_columns
            || usual.split(' ').any(|name| name == column)
            || level_columns.iter().any(|name| name == column)
    }
}
