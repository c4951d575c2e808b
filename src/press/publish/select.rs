//! Selects puzzles from a corpus: exactly as many as the quotas ask for, no two of them essentially the same.
//!
//! ```text
//!   every row    class, quotas that it fits, place in the order      a few columns, read in pieces of 250,000 rows
//!     |          not in an earlier export?                           sorted classes are compared with each index
//!   Best         the first N of each kind, one per class             at most 2 N + 1024 of each kind in memory
//!     |
//!   Filler       in order, as long as the quotas can be filled       all quotas full, or an error that names the short ones
//!     |
//!   the rows     all columns, of the chosen rows only; solved again as a check
//! ```
//!
//! Memory grows with the number of puzzles wanted, not with the corpus. The result depends on the request and on the rows,
//! but not on the number of threads. A random choice does not depend on the order of the rows either, because a puzzle's
//! place in the random order is a hash of its class. Of several rows of a class, the first in the order is taken; ties are
//! broken by the text of the cells.

use std::collections::{BTreeSet, HashMap};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::PublishError;
use super::asking::Asking;
use super::best::Candidate;
use super::chosen::{Chosen, read};
use super::condition;
use super::effort::Effort;
use super::order;
use super::pool::{PIECE, Pool};
use super::seen::Seen;
use super::tally::{RowCounts, Short};
use super::wish::Wanted;
use sudoku_corpus_store::corpus::{AskError, CorpusError, Picked, Record, Scan};

/// The result of a selection.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The puzzles, in the order wanted.
    pub chosen: Vec<Chosen>,
    /// The counts of the rows to choose from.
    pub tally: RowCounts,
}

/// Chooses puzzles from a pool; none of them in `seen`.
///
/// # Errors
/// [`PublishError::Short`] if there are too few puzzles; conditions that cannot be used; a corpus that cannot be read or
/// whose rows are wrong.
pub fn choose(pool: &Pool, wanted: &Wanted, seen: &Seen, effort: &Effort) -> Result<Choice, PublishError> {
    let quotas = wanted.all_quotas()?;
    let threads = effort.threads.unwrap_or(0);
    let workers = ThreadPoolBuilder::new().num_threads(threads).build();
    let workers = workers.map_err(|error| CorpusError::Threads { threads, reason: error.to_string() })?;
    let mut tally = RowCounts { rows: pool.rows(), ..RowCounts::default() };
    check_conditions(pool, wanted)?;
    check_columns(pool, wanted)?;
    let mut asking = Asking::new(wanted, &quotas);
    effort.progress.begin(Some(pool.rows()), 0);
    for piece in pool.pieces(PIECE) {
        if effort.stop.is_set() {
            return Err(PublishError::Stopped);
        }
        asking.take(&piece, seen, &workers, &mut tally)?;
        effort.progress.rows(piece.rows);
    }
    let mut filled = match asking.fill(&quotas, tally) {
        Err(PublishError::Short(short)) => return Err(explained(short, pool, wanted)?.into()),
        filled => filled?,
    };
    if filled.copies {
        represent(&mut filled.taken, pool, &asking, &workers)?;
    }
    let picked: Vec<Candidate> = filled.taken.into_iter().map(|(_, candidate)| candidate).collect();
    let mut chosen = workers.install(|| read(pool, wanted, &picked, &filled.quotas))?;
    if !wanted.sort.is_empty() {
        chosen.sort_by_cached_key(|chosen| order::words(&wanted.sort, &chosen.record()));
    }
    Ok(Choice { chosen, tally })
}

/// Replaces each candidate by one of its copies with the same sort keys: the one whose cells come first as a text. So
/// the result does not depend on the order of the rows.
fn represent(
    taken: &mut [(u64, Candidate)],
    pool: &Pool,
    asking: &Asking<'_>,
    workers: &ThreadPool,
) -> Result<(), PublishError> {
    let places: HashMap<u128, usize> = taken.iter().enumerate().map(|(at, (_, taken))| (taken.class, at)).collect();
    let mut first: Vec<Option<(String, u64)>> = vec![None; taken.len()];
    for piece in pool.pieces(PIECE) {
        let place = |(kind, copy): &(u64, Candidate)| {
            let at = *places.get(&copy.class)?;
            (taken[at].0 == *kind && taken[at].1.key.words == copy.key.words).then_some((copy.key.row, at))
        };
        let mut copies: Vec<(u64, usize)> = asking.candidates(&piece, workers)?.iter().filter_map(place).collect();
        copies.sort_unstable();
        for block in copies.chunks(4096) {
            let rows: Vec<u64> = block.iter().map(|&(row, _)| row).collect();
            let text = |record: Record| record.puzzle.as_ref().map(ToString::to_string).unwrap_or_default();
            let mut texts = Vec::with_capacity(rows.len());
            for (file, numbers) in pool.by_file(&rows) {
                let picked = Picked::open(file, |column| column == "puzzle")?;
                texts.extend(picked.rows(&numbers, |record| Ok::<_, PublishError>(text(record)))?);
            }
            for (text, &(row, at)) in texts.into_iter().zip(block) {
                if first[at].as_ref().is_none_or(|known| (&text, row) < (&known.0, known.1)) {
                    first[at] = Some((text, row));
                }
            }
        }
    }
    for ((_, candidate), first) in taken.iter_mut().zip(first) {
        candidate.key.row = first.map_or(candidate.key.row, |(_, row)| row);
    }
    Ok(())
}

/// Counts the rows that lack values which the request needs.
fn explained(mut short: Short, pool: &Pool, wanted: &Wanted) -> Result<Short, PublishError> {
    let named: BTreeSet<String> = wanted.conditions().flat_map(condition::columns).collect();
    let of_rating = named.contains("level") || named.contains("score");
    for piece in pool.pieces(PIECE) {
        let wrong = |reason| CorpusError::File { path: piece.files[0].clone(), reason };
        let scan = Scan::numbered(&piece.files, piece.slice).map_err(wrong)?;
        let count = |condition: String| -> Result<u64, PublishError> {
            let sql = format!("SELECT count(*) AS n FROM puzzles WHERE givens IS NOT NULL AND {condition}");
            let counts = scan.ask(&sql)?.integers(0).map_err(wrong)?;
            Ok(counts.first().copied().unwrap_or(0))
        };
        if !wanted.any_solutions {
            short.tally.unsolved += count("solutions IS NULL".to_owned())?;
        }
        let there = scan.columns();
        if of_rating && there.iter().any(|column| column == "level") {
            short.tally.unrated += count("level IS NULL".to_owned())?;
        }
    }
    short.unknown =
        unknown(named, pool)?.into_iter().filter(|name| !of_rating || (name != "level" && name != "score")).collect();
    Ok(short)
}

/// The columns in which no row of the pool has a value.
fn unknown(mut columns: BTreeSet<String>, pool: &Pool) -> Result<BTreeSet<String>, PublishError> {
    for piece in pool.pieces(PIECE) {
        let wrong = |reason| CorpusError::File { path: piece.files[0].clone(), reason };
        let scan = Scan::numbered(&piece.files, piece.slice).map_err(wrong)?;
        let there = scan.columns();
        for column in columns.clone().iter().filter(|name| there.contains(name)) {
            let sql = format!("SELECT count(*) AS n FROM puzzles WHERE givens IS NOT NULL AND {column} IS NOT NULL");
            if scan.ask(&sql)?.integers(0).map_err(wrong)?.first() > Some(&0) {
                columns.remove(column);
            }
        }
    }
    Ok(columns)
}

/// Refuses levels that no row can have because their columns are empty. The counts of techniques (`n_...`) are not
/// looked at: a row has all of them or none, and levels that need them also need `finished`, which is checked.
fn check_columns(pool: &Pool, wanted: &Wanted) -> Result<(), PublishError> {
    let needed = wanted.columns.iter().filter(|name| !name.starts_with("n_")).cloned().collect();
    let Some(column) = unknown(needed, pool)?.into_iter().next().filter(|_| pool.rows() > 0) else { return Ok(()) };
    let ratings = if column.starts_with("effort_") { " --ratings effort" } else { "" };
    Err(PublishError::Wish(format!(
        "the levels need the column {column}, but no row has it: run `analyze{ratings}` first, or choose other --levels"
    )))
}

/// Tries each condition on the first file, so that an error names the wrong condition.
fn check_conditions(pool: &Pool, wanted: &Wanted) -> Result<(), PublishError> {
    let Some(file) = pool.first_file() else { return Ok(()) };
    let wrong = |reason| CorpusError::File { path: file.clone(), reason };
    let scan = Scan::numbered(std::slice::from_ref(&file), Some((0, 1))).map_err(wrong)?;
    for text in wanted.conditions() {
        condition::check(text)?;
        let refused = |reason| PublishError::Condition { condition: text.to_owned(), reason };
        let answer = scan.ask(&format!("SELECT ({text}) AS fits FROM puzzles")).map_err(|error| match error {
            AskError::Query(reason) => refused(reason),
            error => error.into(),
        })?;
        answer.flags(0).map_err(|_| refused("neither true nor false".to_owned()))?;
    }
    Ok(())
}
