//! Counts the rows to choose from, and what is missing.

use std::collections::BTreeSet;
use std::fmt;

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
        let explained = fit + unsolved + several + unsolvable + full + uniqueness;
        let counts = [
            (full, "have no empty cell (a full grid is no puzzle)"),
            (unsolvable, "have no solution"),
            (uniqueness, "need techniques of uniqueness (--uniqueness takes them)"),
            (unsolved, "have an unknown number of solutions (`analyze` finds out)"),
            (several, "have several solutions (`export --any-solutions` takes them)"),
            (rows.saturating_sub(explained), "do not meet the conditions"),
            (seen, "are in earlier exports"),
            (fit.saturating_sub(seen + chosen), "are isomorphic to another puzzle"),
        ];
        let reasons = counted_reasons(&counts);
        (!reasons.is_empty()).then(|| format!("left out: {}", reasons.join(", ")))
    }
}

/// Reasons with the number of their rows, without those that no row has.
pub(crate) fn counted_reasons(counts: &[(u64, &str)]) -> Vec<String> {
    let some = counts.iter().filter(|(rows, _)| *rows > 0);
    some.map(|(rows, reason)| format!("{rows} {reason}")).collect()
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
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
pub struct Short {
    pub(crate) quotas: Vec<ShortQuota>,
    pub(crate) tally: Box<RowCounts>,
    /// Columns that the request names and that no row has.
    pub(crate) unknown: BTreeSet<String>,
    /// What the rows have where something else was asked for, and a command that makes what is missing. May be empty.
    pub(crate) instead: String,
}

/// Names of short quotas that a message has.
const MOST_NAMED: usize = 3;

impl Short {
    /// How many rows fit, and why others do not.
    fn reasons(&self, short: &[&ShortQuota]) -> Vec<String> {
        let sum = |count: fn(&ShortQuota) -> u64| short.iter().map(|quota| count(quota)).sum::<u64>();
        let RowCounts { rows, fit, unsolved, several, unsolvable, full, unrated, uniqueness, .. } = *self.tally;
        let fit = if let [only] = short { only.fit } else { fit };
        let counts = [
            (sum(|quota| quota.copies), "isomorphic to another puzzle"),
            (sum(|quota| quota.seen), "in earlier exports"),
            (sum(|quota| quota.fit.saturating_sub(quota.copies + quota.seen + quota.found)), "taken for other quotas"),
            (unsolvable, "without a solution"),
            (full, "without an empty cell (`dig` makes puzzles of grids)"),
            (unsolved, "with an unknown number of solutions (`analyze` finds out)"),
            (unrated, "without a level (`analyze` rates them)"),
            (several, "with several solutions (`export --any-solutions` takes them)"),
            (uniqueness, "with techniques of uniqueness (--uniqueness takes them)"),
        ];
        let mut reasons = vec![format!("rows that fit: {fit} of {rows}")];
        reasons.extend(counted_reasons(&counts));
        if !self.unknown.is_empty() {
            let columns = self.unknown.iter().map(String::as_str).collect::<Vec<_>>();
            reasons.push(format!("no row says its {}", columns.join(", ")));
        }
        reasons
    }
}

impl fmt::Display for Short {
    /// What is missing, and in a second line why, and what to do.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sum = |count: fn(&ShortQuota) -> u64| self.quotas.iter().map(count).sum::<u64>();
        let (puzzles, wanted) = (sum(|quota| quota.found), sum(|quota| quota.wanted));
        write!(f, "too few puzzles: {puzzles} of {wanted}")?;
        let short: Vec<&ShortQuota> = self.quotas.iter().filter(|quota| quota.found < quota.wanted).collect();
        match (self.quotas.as_slice(), short.len()) {
            ([only], _) if only.name == "any" => {}
            ([only], _) => write!(f, " ({})", only.name)?,
            (_, count) => {
                for ShortQuota { name, found, wanted, .. } in short.iter().take(MOST_NAMED) {
                    write!(f, "; {name}: {found} of {wanted}")?;
                }
                write!(f, "{}", if count > MOST_NAMED { "; .." } else { "" })?;
            }
        }
        let RowCounts { rows, unsolved, several, full, unrated, uniqueness, .. } = *self.tally;
        let reasons = self.reasons(&short);
        if short.iter().all(|quota| quota.fit == 0) && reasons.len() == 1 {
            return write!(f, "\nno row of {rows} meets the conditions; ask for other puzzles{}", self.instead);
        }
        write!(f, "\n{}", reasons.join(", "))?;
        // What helps stands beside these rows.
        if puzzles + unsolved + several + full + unrated + uniqueness >= wanted {
            return Ok(());
        }
        if !self.instead.is_empty() {
            return write!(f, "; ask for fewer{}", self.instead);
        }
        let enough = (2.0 * rows as f64 * wanted as f64 / puzzles.max(1) as f64).clamp(2e4, 1e9);
        let thousands = (enough / 1000.0).ceil();
        write!(f, "; ask for fewer, or make a larger corpus: run --count {thousands}000 --out larger")
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
        let short = Short { quotas: vec![easy.clone(), hard], tally: tally.into(), ..Short::default() };
        let more = "; ask for fewer, or make a larger corpus: run --count 20000 --out larger";
        let why = "\nrows that fit: 60 of 200, 15 isomorphic to another puzzle, 5 in earlier exports";
        assert_eq!(short.to_string(), format!("too few puzzles: 49 of 59; easy: 40 of 50{why}{more}"));
        let one = Short { quotas: vec![easy], tally: tally.into(), ..Short::default() }.to_string();
        assert_eq!(one, format!("too few puzzles: 40 of 50 (easy){why}{more}"));
        let tally = RowCounts { rows: 9, several: 9, ..RowCounts::default() };
        let none = Short { tally: tally.into(), ..Short::default() }.to_string();
        assert!(none.contains("9 with several solutions (`export --any-solutions` takes them)"), "{none}");
    }
}
