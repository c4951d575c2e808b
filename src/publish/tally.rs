//! What there was to choose from, and what is short.

use std::fmt;

/// What there was to choose from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Rows looked at.
    pub rows: u64,
    /// Rows that are puzzles as wanted, whatever their quota.
    pub fit: u64,
    /// Rows that stand in earlier exports, among those that came into question.
    pub seen: u64,
    /// Rows of which it is not known whether they have one solution; counted only when puzzles are short.
    pub unsolved: u64,
    /// Rows without a level; counted only when puzzles are short and a level or a score was asked for.
    pub unrated: u64,
}

/// There are not as many puzzles as are wanted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Short {
    /// Name of each quota, puzzles found for it, puzzles wanted.
    pub quotas: Vec<(String, u64, u64)>,
    /// What there was to choose from.
    pub tally: Tally,
    /// Columns that the wish names and that no row has.
    pub unknown: Vec<String>,
}

impl fmt::Display for Short {
    /// What is short, a line for each quota when there are several.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sum = |of: fn(&(String, u64, u64)) -> u64| self.quotas.iter().map(of).sum::<u64>();
        write!(f, "too few puzzles: {} of {}", sum(|quota| quota.1), sum(|quota| quota.2))?;
        if self.quotas.len() > 1 {
            for (name, found, wanted) in &self.quotas {
                let missing = if found < wanted { format!(", {} short", wanted - found) } else { String::new() };
                write!(f, "\n  {name}: {found} of {wanted}{missing}")?;
            }
        }
        let Tally { rows, fit, seen, unsolved, unrated } = self.tally;
        write!(f, "\n  of {rows} rows {fit} fit the wish")?;
        if seen > 0 {
            write!(f, ", {seen} of them stand in earlier exports")?;
        }
        for (count, what) in [(unsolved, "how many solutions they have"), (unrated, "which level they have")] {
            if count > 0 {
                write!(f, "\n  of {count} rows it is not known {what}: `analyze` finds out")?;
            }
        }
        if !self.unknown.is_empty() {
            write!(f, "\n  no row says its {}", self.unknown.join(", "))?;
        }
        Ok(())
    }
}
