//! Exactly so many puzzles out of a corpus, by quotas, no two of them essentially the same.
//!
//! ```text
//!   every row    class, quotas that it fits, place in the order      a few columns, read in pieces of 250,000 rows
//!     |          not in an earlier export?                           sorted classes beside an index
//!   Best         the first N of each kind, one a class               at most 2 N in memory
//!     |
//!   Filler       in order, as long as the quotas can be filled       all quotas full, or an error that says what is short
//!     |
//!   the rows     whole, of the chosen ones alone; solved once more
//! ```
//!
//! Memory grows with the number of puzzles wanted, not with the corpus. The outcome depends on the wish and on the rows:
//! not on threads, and for a random choice not on the order of the rows either, because a puzzle's place in the
//! random order is a hash of its class. Of several rows of a class the first in the order stands for all.

use std::fmt;

use rayon::ThreadPoolBuilder;

use super::PublishError;
use super::asking::Asking;
use super::chosen::{Chosen, read};
use super::condition;
use super::order;
use super::pool::{PIECE, Pool};
use super::seen::Seen;
use super::wish::Wanted;
use crate::corpus::{CorpusError, OnError, Progress, Scan, Silent, StopFlag};

/// How the work is done.
pub struct Effort<'a> {
    /// Threads; none for one a core.
    pub threads: Option<usize>,
    /// What to do about rows of the input that are no puzzles.
    pub on_error: OnError,
    /// Told how far it is.
    pub progress: &'a dyn Progress,
    /// Looked at now and then.
    pub stop: StopFlag,
}

impl Default for Effort<'_> {
    fn default() -> Effort<'static> {
        Effort { threads: None, on_error: OnError::Skip, progress: &Silent, stop: StopFlag::new() }
    }
}

/// What came of a selection.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The puzzles, in the order wanted.
    pub chosen: Vec<Chosen>,
    /// What there was to choose from.
    pub tally: Tally,
}

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
        Ok(())
    }
}

/// Chooses puzzles from a pool; none of them in `seen`.
///
/// # Errors
/// [`PublishError::Short`] when there are too few; conditions that cannot be used; a corpus that cannot be read or
/// whose rows are untrue.
pub fn choose(pool: &Pool, wanted: &Wanted, seen: &Seen, effort: &Effort) -> Result<Choice, PublishError> {
    let quotas = wanted.all_quotas()?;
    let threads = effort.threads.unwrap_or(0);
    let workers = ThreadPoolBuilder::new().num_threads(threads).build();
    let workers = workers.map_err(|error| CorpusError::Threads { threads, reason: error.to_string() })?;
    let mut tally = Tally { rows: pool.rows(), ..Tally::default() };
    check_conditions(pool, wanted)?;
    let mut asking = Asking::new(wanted, &quotas);
    effort.progress.begin(Some(pool.rows()), 0);
    for piece in pool.pieces(PIECE) {
        if effort.stop.is_set() {
            return Err(PublishError::Stopped);
        }
        asking.take(&piece, seen, &workers, &mut tally)?;
        effort.progress.rows(piece.rows);
    }
    let (picked, kinds) = match asking.fill(&quotas, tally) {
        Err(PublishError::Short(short)) => return Err(explained(short, pool, wanted)?.into()),
        filled => filled?,
    };
    let mut chosen = workers.install(|| read(pool, wanted, &picked, &kinds))?;
    if !wanted.sort.is_empty() {
        chosen.sort_by_cached_key(|chosen| order::words(&wanted.sort, &chosen.record));
    }
    Ok(Choice { chosen, tally })
}

/// Counts the rows about which too little is known for the wish.
fn explained(mut short: Short, pool: &Pool, wanted: &Wanted) -> Result<Short, PublishError> {
    let asks = |name: &str| wanted.conditions().flat_map(condition::words).any(|word| word == name);
    let of_rating = asks("level") || asks("score");
    for piece in pool.pieces(PIECE) {
        let wrong = |reason| CorpusError::File { path: piece.files[0].clone(), reason };
        let scan = Scan::numbered(&piece.files, piece.slice).map_err(wrong)?;
        let count = |missing: &str| -> Result<u64, PublishError> {
            let sql = format!("SELECT count(*) AS n FROM puzzles WHERE givens IS NOT NULL AND {missing} IS NULL");
            Ok(scan.ask(&sql).and_then(|answer| answer.wholes(0)).map_err(wrong)?.first().copied().unwrap_or(0))
        };
        if !wanted.any_solutions {
            short.tally.unsolved += count("solutions")?;
        }
        if of_rating && scan.columns().iter().any(|column| column == "level") {
            short.tally.unrated += count("level")?;
        }
    }
    Ok(short)
}

/// Asks each condition of the first file, so that an error names the condition that is wrong.
fn check_conditions(pool: &Pool, wanted: &Wanted) -> Result<(), PublishError> {
    let Some(file) = pool.first_file() else { return Ok(()) };
    let wrong = |reason| CorpusError::File { path: file.clone(), reason };
    let scan = Scan::numbered(std::slice::from_ref(&file), Some((0, 1))).map_err(wrong)?;
    for text in wanted.conditions() {
        condition::check(text)?;
        let refused = |reason| PublishError::Condition { condition: text.to_owned(), reason };
        let answer = scan.ask(&format!("SELECT ({text}) AS fits FROM puzzles")).map_err(refused)?;
        answer.flags(0).map_err(|_| refused("neither true nor false".to_owned()))?;
    }
    Ok(())
}
