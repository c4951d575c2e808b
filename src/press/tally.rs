//! Counts the rows to choose from, and what is missing.

use std::collections::BTreeSet;
use std::fmt;
use sudoku_corpus_core::page::numbers::counted;

/// Counts of the rows to choose from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowCounts {
    /// All rows.
    pub rows: u64,
    /// Rows that fulfil the request, apart from quotas.
    pub fit: u64,
    /// Rows among the candidates that are in earlier exports.
    pub seen: u64,
    /// Rows whose number of solutions is not known; counted only if there are too few puzzles or all are taken.
    pub unsolved: u64,
    /// Rows with several solutions; counted as `unsolved` is.
    pub several: u64,
    /// Rows without a solution; counted as `unsolved` is.
    pub unsolvable: u64,
    /// Rows with a full grid, which is no puzzle; counted as `unsolved` is.
    pub full: u64,
    /// Rows without a level; counted only if there are too few puzzles and a level or a score was asked for.
    pub unrated: u64,
    /// Rows that fit a short quota except for techniques of uniqueness; counted only if there are too few puzzles or
    /// all are taken.
    pub uniqueness: u64,
}

impl RowCounts {
    /// Where the rows are that were not chosen, though all were asked for. None if there are none.
    pub fn left_out(&self, chosen: u64) -> Option<String> {
        let RowCounts { rows, fit, seen, unsolved, several, unsolvable, full, uniqueness, .. } = *self;
        let told = fit + unsolved + several + unsolvable + full + uniqueness;
        let counts = [
            (full, "have no empty cell (a full grid is no puzzle)"),
            (unsolvable, "have no solution"),
            (uniqueness, "need techniques of uniqueness (--uniqueness takes them)"),
            (unsolved, "have an unknown number of solutions (`analyze` finds out)"),
            (several, "have several solutions (`export --any-solutions` takes them)"),
            (rows.saturating_sub(told), "do not meet the conditions"),
            (seen, "are in earlier exports"),
            (fit.saturating_sub(seen + chosen), "are isomorphic to another puzzle"),
        ];
        let reasons = counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
        let reasons: Vec<String> = reasons.collect();
        (!reasons.is_empty()).then(|| format!("left out: {}", reasons.join(", ")))
    }
}

/// A quota with counts of the rows that fit it. Several quotas may count the same row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShortQuota {
    pub name: String,
    /// Puzzles.
    pub found: u64,
    pub wanted: u64,
    /// Rows.
    pub fit: u64,
    /// Rows of these that are in earlier exports.
    pub seen: u64,
    /// Rows of these that are isomorphic to another one that was counted.
    pub copies: u64,
}

/// There are fewer puzzles than wanted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Short {
    pub(crate) quotas: Vec<ShortQuota>,
    pub(crate) tally: RowCounts,
    /// Columns that the request names and that no row has.
    pub(crate) unknown: BTreeSet<String>,
}

impl ShortQuota {
    /// How many of all rows fit, and why some of these were left out, as text.
    fn reasons(&self, rows: u64) -> String {
        let mut text = format!("rows that fit: {} of {rows}", self.fit);
        for (count, what) in [
            (self.copies, "isomorphic to another puzzle"),
            (self.seen, "in earlier exports"),
            (self.fit.saturating_sub(self.copies + self.seen + self.found), "taken for other quotas"),
        ] {
            if count > 0 {
                text += &format!(", {count} {what}");
            }
        }
        text
    }
}

impl fmt::Display for Short {
    /// What is missing and why; one line for each quota if there are several.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found: u64 = self.quotas.iter().map(|quota| quota.found).sum();
        let wanted: u64 = self.quotas.iter().map(|quota| quota.wanted).sum();
        write!(f, "too few puzzles: {found} of {wanted}")?;
        self.write_quotas(f)?;
        self.write_rows(f)?;
        if !self.unknown.is_empty() {
            let columns: Vec<&str> = self.unknown.iter().map(String::as_str).collect();
            write!(f, "\n  no row says its {}", columns.join(", "))?;
        }
        write!(f, "\nask for fewer puzzles, or make a larger corpus: run --count N --out larger")
    }
}

impl Short {
    /// Says how many puzzles of each quota there are, and why there are no more.
    fn write_quotas(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for quota in &self.quotas {
            let ShortQuota { name, found, wanted, .. } = quota;
            let reasons = quota.reasons(self.tally.rows);
            match (found < wanted, self.quotas.len() > 1) {
                (true, true) => write!(f, "\n  {name}: {found} of {wanted}, {} short: {reasons}", wanted - found)?,
                (true, false) if name == "any" => write!(f, "\n  {reasons}")?,
                (true, false) => write!(f, "\n  {name}: {reasons}")?,
                (false, true) => write!(f, "\n  {name}: {found} of {wanted}")?,
                (false, false) => {}
            }
        }
        Ok(())
    }

    /// Says why rows were not counted for any quota.
    fn write_rows(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RowCounts { rows, fit, seen, unsolved, several, unsolvable, full, unrated, uniqueness } = self.tally;
        let is_told = self.quotas.iter().all(|quota| quota.fit == fit);
        if fit < rows && !is_told || seen > 0 {
            write!(f, "\n  rows that meet all other conditions: {fit} of {rows}")?;
        }
        if seen > 0 {
            write!(f, ", {seen} of them are in earlier exports")?;
        }
        if fit == 0 && rows > 0 && unsolved + several + unrated + uniqueness == 0 {
            let conditions = "--level, --givens, --where and --shape";
            write!(f, "\n  no row meets the conditions (see {conditions}), or the rows are full grids and no puzzles")?;
        }
        if unsolved > 0 {
            let rows = counted(unsolved, "row");
            write!(f, "\n  of {rows} it is not known how many solutions they have: `analyze` finds out")?;
        }
        if unrated > 0 {
            let rows = counted(unrated, "row");
            write!(f, "\n  {rows} without a level: `analyze` rates them, unless no level of the scale fits")?;
        }
        if several > 0 {
            write!(f, "\n  {} with several solutions: `export --any-solutions` takes them", counted(several, "row"))?;
        }
        if unsolvable > 0 {
            write!(f, "\n  {} without a solution", counted(unsolvable, "row"))?;
        }
        if full > 0 {
            write!(f, "\n  {} without an empty cell: a full grid is no puzzle", counted(full, "row"))?;
        }
        if uniqueness > 0 {
            write!(f, "\n  {uniqueness} more fit but need techniques of uniqueness: --uniqueness takes them")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers add up to the rows.
    #[test]
    fn what_is_left_out_of_all_rows_is_told() {
        let tally = RowCounts {
            rows: 100,
            fit: 70,
            seen: 9,
            unsolved: 5,
            several: 3,
            unsolvable: 4,
            full: 1,
            unrated: 0,
            uniqueness: 8,
        };
        assert_eq!(
            tally.left_out(50).unwrap(),
            "left out: 1 have no empty cell (a full grid is no puzzle), 4 have no solution, 8 need techniques of uniqueness (--uniqueness takes them), 5 have an unknown number of solutions \
             (`analyze` finds out), 3 have several solutions (`export --any-solutions` takes them), 9 do not meet the \
             conditions, 9 are in earlier exports, 11 are isomorphic \
             to another puzzle"
        );
        assert_eq!(RowCounts { rows: 5, fit: 5, ..RowCounts::default() }.left_out(5), None);
    }

    #[test]
    fn what_is_short_says_why_by_quota() {
        let easy = ShortQuota { name: "easy".into(), found: 40, wanted: 50, fit: 60, seen: 5, copies: 15 };
        let hard = ShortQuota { name: "hard".into(), found: 9, wanted: 9, fit: 99, seen: 0, copies: 0 };
        let tally = RowCounts { rows: 200, fit: 159, seen: 5, ..RowCounts::default() };
        let short = Short { quotas: vec![easy.clone(), hard], tally, unknown: BTreeSet::new() };
        assert_eq!(
            short.to_string(),
            "too few puzzles: 49 of 59\n  easy: 40 of 50, 10 short: rows that fit: 60 of 200, 15 isomorphic to \
             another puzzle, 5 in earlier exports\n  hard: 9 of 9\n  rows that meet all other conditions: 159 of 200, 5 of \
             them are in earlier exports\nask for fewer puzzles, or make a larger corpus: run --count N --out larger"
        );
        let one = Short { quotas: vec![easy], tally, unknown: BTreeSet::new() }.to_string();
        assert!(one.starts_with("too few puzzles: 40 of 50\n  easy: rows that fit: 60 of 200, 15 isomorphic"), "{one}");
        let tally = RowCounts { rows: 9, several: 9, ..RowCounts::default() };
        let none = Short { quotas: Vec::new(), tally, unknown: BTreeSet::new() }.to_string();
        assert!(none.contains("9 rows with several solutions: `export --any-solutions` takes them"), "{none}");
    }
}
