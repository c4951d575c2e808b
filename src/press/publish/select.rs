//! Selects puzzles from a corpus: exactly as many as the quotas ask for, no two of them essentially the same.
//!
//! ```text
//!   every row    class, quotas that it fits, place in the order      a few columns, read in pieces of 250,000 rows
//!     |          not in an earlier export?
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

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::PublishError;
use super::best::{Best, Candidate};
use super::chosen::{Chosen, read};
use super::order::{self, Key, MOST_COLUMNS, Pick, SortColumn};
use super::pool::{PIECE, Piece, Pool};
use super::published::{Seen, class_of};
use super::quota::{Filler, Quota};
use super::request::{Job, Request};
use super::tally::{RowCounts, Short, ShortQuota};
use sudoku_corpus_store::corpus::{Answer, CorpusError, Picked, ROW_NUMBER, Record, count_rows};

/// The result of a selection.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The puzzles, in the order wanted.
    pub chosen: Vec<Chosen>,
    /// The counts of the rows to choose from.
    pub tally: RowCounts,
}

/// Chooses puzzles from a pool: none of them in `seen`, and all of them in `only`, if there is one.
///
/// # Errors
/// [`PublishError::Short`] if there are too few puzzles; conditions that cannot be used; a corpus that cannot be read or
/// whose rows are wrong.
pub fn choose(
    pool: &Pool,
    request: &Request,
    seen: &Seen,
    only: Option<&Seen>,
    job: &Job<'_>,
) -> Result<Choice, PublishError> {
    let quotas = request.all_quotas()?;
    let threads = job.threads.unwrap_or(0);
    let workers = ThreadPoolBuilder::new().num_threads(threads).build();
    let workers = workers.map_err(|error| CorpusError::Threads { threads, reason: error.to_string() })?;
    let mut tally = RowCounts { rows: pool.rows(), ..RowCounts::default() };
    check_conditions(pool, request)?;
    check_columns(pool, request)?;
    let mut first_pass = FirstPass::new(request, &quotas, &workers);
    job.progress.begin(Some(pool.rows()), 0);
    for piece in pool.pieces(PIECE) {
        if job.stop.is_set() {
            return Err(PublishError::Stopped);
        }
        let mut candidates = first_pass.candidates(&piece)?;
        candidates.retain(|(_, candidate)| only.is_none_or(|only| only.has(candidate.class)));
        tally.fit += candidates.len() as u64;
        tally.seen += first_pass.offer(candidates, seen);
        job.progress.rows(piece.rows);
    }
    let mut filled = match first_pass.fill(&quotas) {
        Ok(filled) => filled,
        Err(short) => return Err(explained(short, tally, pool, request, &quotas)?.into()),
    };
    if filled.copies {
        represent(&mut filled.taken, pool, &first_pass)?;
    }
    if !request.sort.is_empty() {
        filled.taken.sort_by_key(|taken| taken.candidate.sort);
    }
    let picked: Vec<(u64, usize, u128)> =
        filled.taken.iter().map(|taken| (taken.candidate.key.row, taken.quota, taken.candidate.class)).collect();
    // These are half as large as the rows that are read next.
    drop(filled);
    let chosen = workers.install(|| read(pool, request, &picked))?;
    Ok(Choice { chosen, tally })
}

/// Reads a few columns of each row, keeps the best rows of each kind, and fills the quotas from these.
struct FirstPass<'a> {
    pick: &'a Pick,
    workers: &'a ThreadPool,
    sql: String,
    /// The columns that determine what is picked, and those that determine the order of the result. Each has a column in
    /// the answer, after the row number and the class.
    orders: [&'a [SortColumn]; 2],
    /// Number of quotas. Each has a column in the answer, after those of the orders.
    quotas: usize,
    /// The most candidates to keep of each kind: the sum of all quotas.
    limit: usize,
    /// The best candidates of each kind. A kind is the set of quotas that a row fits, one bit per quota.
    best: BTreeMap<u64, Best>,
    /// Rows of each kind: those that fit, and those of them that are in earlier exports.
    rows: BTreeMap<u64, (u64, u64)>,
}

/// The puzzles that fill the quotas.
struct Filled {
    /// The puzzles in order.
    taken: Vec<Taken>,
    /// Some rows of one class have the same sort keys, and it is not decided yet which of them represents the class.
    copies: bool,
}

/// A row that was taken.
struct Taken {
    /// The quotas that it fits.
    kind: u64,
    candidate: Candidate,
    /// The quota that it fills.
    quota: usize,
}

impl<'a> FirstPass<'a> {
    fn new(request: &'a Request, quotas: &[Quota], workers: &'a ThreadPool) -> FirstPass<'a> {
        let picked: &[SortColumn] = if let Pick::Columns(columns) = &request.pick { columns } else { &[] };
        let orders = [picked, &request.sort];
        let sorts = orders.iter().flat_map(|columns| *columns).enumerate();
        let sorts = sorts.map(|(at, column)| format!("{} AS order_{at}", column.sql()));
        let fits = quotas.iter().enumerate().map(|(at, quota)| format!("({}) AS fits_{at}", quota.condition));
        let columns: Vec<String> =
            [ROW_NUMBER.to_owned(), "class".to_owned()].into_iter().chain(sorts).chain(fits).collect();
        let total = quotas.iter().fold(0u64, |sum, quota| sum.saturating_add(quota.count));
        FirstPass {
            pick: &request.pick,
            workers,
            sql: format!("SELECT {} FROM puzzles WHERE {}", columns.join(", "), request.filter()),
            orders,
            quotas: quotas.len(),
            limit: usize::try_from(total).unwrap_or(usize::MAX),
            best: BTreeMap::new(),
            rows: BTreeMap::new(),
        }
    }

    /// The rows of a piece that fit, each with the quotas that it fits.
    fn candidates(&self, piece: &Piece) -> Result<Vec<(u64, Candidate)>, PublishError> {
        let answer = piece.ask(&self.sql)?;
        let rows = answer.integers(0).map_err(piece.wrong())?;
        let classes = piece.classes(&answer, 1)?;
        let classes = self.workers.install(|| complete(piece, &rows, classes))?;
        let mut kinds = vec![0u64; rows.len()];
        let [picked, sorted] = self.orders;
        for quota in 0..self.quotas {
            let fits = answer.flags(2 + picked.len() + sorted.len() + quota).map_err(piece.wrong())?;
            kinds.iter_mut().zip(fits).for_each(|(kind, fits)| *kind |= u64::from(fits) << quota);
        }
        let mut words = words_of(piece, &answer, 2, picked, rows.len())?;
        let sort = words_of(piece, &answer, 2 + picked.len(), sorted, rows.len())?;
        if let Pick::Random(seed) = self.pick {
            words.iter_mut().zip(&classes).for_each(|(words, &class)| *words = order::random_words(*seed, class));
        }
        let as_they_come = *self.pick == Pick::Input;
        let candidate = |at: usize| {
            let class = if as_they_come { 0 } else { classes[at] };
            let key = Key { words: words[at], class, row: piece.first + rows[at] };
            (kinds[at], Candidate { class: classes[at], key, sort: sort[at] })
        };
        Ok((0..rows.len()).map(candidate).collect())
    }

    /// Keeps the candidates that are among the best of their kind and that were not published before. Returns how many
    /// were.
    fn offer(&mut self, candidates: Vec<(u64, Candidate)>, seen: &Seen) -> u64 {
        let mut published = 0;
        for (kind, candidate) in candidates {
            let (fit, before) = self.rows.entry(kind).or_default();
            *fit += 1;
            let best = self.best.entry(kind).or_insert_with(|| Best::new(self.limit));
            if kind == 0 || !best.wants(&candidate.key) {
                continue;
            }
            if seen.has(candidate.class) {
                *before += 1;
                published += 1;
            } else {
                best.push(candidate);
            }
        }
        published
    }

    /// Fills the quotas with the best candidates. The error has the numbers of each quota.
    fn fill(&mut self, quotas: &[Quota]) -> Result<Filled, Vec<ShortQuota>> {
        let mut candidates: Vec<(u64, Candidate)> = Vec::new();
        let (mut copies, mut tied): (BTreeMap<u64, u64>, bool) = (BTreeMap::new(), false);
        for (kind, best) in std::mem::take(&mut self.best) {
            let kept = best.finish();
            candidates.extend(kept.candidates.into_iter().map(|candidate| (kind, candidate)));
            copies.insert(kind, kept.copies);
            tied |= kept.tied;
        }
        // Copies of a puzzle go by their kinds. In the order of the input there is nothing before the row.
        let kinds = if *self.pick == Pick::Input { 0 } else { u64::MAX };
        candidates.sort_unstable_by_key(|(kind, Candidate { key, .. })| (key.words, key.class, kind & kinds, key.row));
        let mut filler = Filler::new(quotas.iter().map(|quota| quota.count).collect());
        let mut classes = HashSet::new();
        let mut taken = Vec::new();
        for (kind, candidate) in candidates {
            if filler.is_full() {
                break;
            }
            if classes.contains(&candidate.class) {
                *copies.entry(kind).or_default() += 1;
            } else if filler.take(kind) {
                classes.insert(candidate.class);
                taken.push(Taken { kind, candidate, quota: 0 });
            }
        }
        let everything = quotas.len() == 1 && quotas[0].count == u64::MAX;
        // A request for all puzzles is never short, unless there is none.
        if !filler.is_full() && (!everything || taken.is_empty()) {
            let short = |(at, quota): (usize, &Quota)| {
                let of_quota = |kind: &u64| kind >> at & 1 == 1;
                let rows = self.rows.iter().filter(|(kind, _)| of_quota(kind));
                let (fit, seen) = rows.fold((0, 0), |sum, (_, rows)| (sum.0 + rows.0, sum.1 + rows.1));
                let copies = copies.iter().filter(|(kind, _)| of_quota(kind)).map(|(_, copies)| copies).sum();
                let (found, wanted) = (filler.filled()[at], if everything { 1 } else { quota.count });
                ShortQuota { name: quota.name.clone(), found, wanted, fit, seen, copies }
            };
            return Err(quotas.iter().enumerate().map(short).collect());
        }
        let filled = filler.hand_out(taken.iter().map(|taken| taken.kind));
        taken.iter_mut().zip(filled).for_each(|(taken, quota)| taken.quota = quota);
        Ok(Filled { taken, copies: tied && *self.pick != Pick::Input })
    }
}

/// The keys of rows by columns, whose values begin at a column of an answer.
fn words_of(
    piece: &Piece,
    answer: &Answer,
    first: usize,
    columns: &[SortColumn],
    rows: usize,
) -> Result<Vec<[u64; MOST_COLUMNS]>, PublishError> {
    let mut words = vec![[0; MOST_COLUMNS]; rows];
    for (at, column) in columns.iter().enumerate() {
        let values = answer.reals(first + at).map_err(piece.wrong())?;
        words.iter_mut().zip(values).for_each(|(words, value)| words[at] = column.word(value));
    }
    Ok(words)
}

/// The classes of rows. If a row has no class, it is computed from the canonical form.
fn complete(piece: &Piece, rows: &[u64], classes: Vec<Option<u128>>) -> Result<Vec<u128>, PublishError> {
    let places = rows.iter().zip(&classes).enumerate();
    let mut missing: Vec<(u64, usize)> =
        places.filter(|(_, (_, class))| class.is_none()).map(|(at, (&row, _))| (row, at)).collect();
    missing.sort_unstable();
    let mut classes: Vec<u128> = classes.into_iter().map(Option::unwrap_or_default).collect();
    let (mut start, mut first) = (0, 0);
    // A slice is part of one file, and its rows have the numbers that they have in the file.
    for file in &piece.files {
        if start == missing.len() {
            break;
        }
        let end = first + count_rows(file)?;
        let until = missing.partition_point(|(row, _)| *row < end);
        for block in missing[start..until].chunks(4096) {
            let numbers: Vec<u64> = block.iter().map(|(row, _)| row - first).collect();
            let records = Picked::open(file, |_| false)?.rows(&numbers, Ok::<_, PublishError>)?;
            let found: Vec<Option<u128>> = records.par_iter().map(class_of).collect();
            for (&(_, at), class) in block.iter().zip(found) {
                classes[at] = class.unwrap_or_default();
            }
        }
        (start, first) = (until, end);
    }
    Ok(classes)
}

/// Replaces each row by one of its copies with the same sort keys: the one whose cells come first as a text. So the
/// result does not depend on the order of the rows.
fn represent(taken: &mut [Taken], pool: &Pool, first_pass: &FirstPass<'_>) -> Result<(), PublishError> {
    let places: HashMap<u128, usize> =
        taken.iter().enumerate().map(|(at, taken)| (taken.candidate.class, at)).collect();
    let mut first: Vec<Option<(String, Candidate)>> = vec![None; taken.len()];
    for piece in pool.pieces(PIECE) {
        let place = |(kind, copy): (u64, Candidate)| {
            let at = *places.get(&copy.class)?;
            let same = taken[at].kind == kind && taken[at].candidate.key.words == copy.key.words;
            same.then_some((copy.key.row, at, copy))
        };
        let mut copies: Vec<(u64, usize, Candidate)> =
            first_pass.candidates(&piece)?.into_iter().filter_map(place).collect();
        copies.sort_unstable_by_key(|(row, at, _)| (*row, *at));
        for block in copies.chunks(4096) {
            let rows: Vec<u64> = block.iter().map(|(row, ..)| *row).collect();
            let text = |record: Record| record.puzzle.as_ref().map(ToString::to_string).unwrap_or_default();
            let mut texts = Vec::with_capacity(rows.len());
            for (file, numbers) in pool.by_file(&rows) {
                let picked = Picked::open(file, |column| column == "puzzle")?;
                texts.extend(picked.rows(&numbers, |record| Ok::<_, PublishError>(text(record)))?);
            }
            for (text, &(row, at, copy)) in texts.into_iter().zip(block) {
                if first[at].as_ref().is_none_or(|(known, one)| (&text, row) < (known, one.key.row)) {
                    first[at] = Some((text, copy));
                }
            }
        }
    }
    for (taken, first) in taken.iter_mut().zip(first) {
        taken.candidate = first.map_or(taken.candidate, |(_, copy)| copy);
    }
    Ok(())
}

/// Why there are too few puzzles: counts the rows that lack values which the request needs.
fn explained(
    short: Vec<ShortQuota>,
    mut tally: RowCounts,
    pool: &Pool,
    request: &Request,
    quotas: &[Quota],
) -> Result<Short, PublishError> {
    let mut named: BTreeSet<String> = request.named().collect();
    let of_rating = named.remove("level") | named.remove("score");
    let missing: Vec<String> = short
        .iter()
        .zip(quotas)
        .filter(|(short, _)| short.found < short.wanted)
        .map(|(_, quota)| format!("({})", quota.condition))
        .collect();
    let any = Request { uniqueness: true, ..request.clone() }.filter();
    let strict = format!("{any} AND ({}) AND ({}) IS NOT TRUE", missing.join(" OR "), request.filter());
    for piece in pool.pieces(PIECE) {
        if !request.any_solutions {
            tally.unsolved += piece.count("solutions IS NULL")?;
        }
        if of_rating && piece.has("level")? {
            tally.unrated += piece.count("level IS NULL")?;
        }
        if !request.uniqueness {
            tally.uniqueness += piece.count(&strict)?;
        }
    }
    let unknown = unknown(named, pool)?;
    Ok(Short { quotas: short, tally, unknown })
}

/// The columns in which no row of the pool has a value.
fn unknown(mut columns: BTreeSet<String>, pool: &Pool) -> Result<BTreeSet<String>, PublishError> {
    for piece in pool.pieces(PIECE) {
        for column in columns.clone() {
            if piece.has(&column)? {
                columns.remove(&column);
            }
        }
    }
    Ok(columns)
}

/// Refuses levels that no row can have because their columns are empty. The counts of techniques (`n_...`) are not
/// looked at: a row has all of them or none, and levels that need them also need `finished`, which is checked.
fn check_columns(pool: &Pool, request: &Request) -> Result<(), PublishError> {
    let needed = request.of_levels().into_iter().filter(|name| !name.starts_with("n_")).collect();
    let Some(column) = unknown(needed, pool)?.into_iter().next().filter(|_| pool.rows() > 0) else { return Ok(()) };
    let ratings = if column.starts_with("effort_") { " --ratings effort" } else { "" };
    Err(PublishError::Request(format!(
        "the levels need the column {column}, but no row has it: run `analyze{ratings}` first, or choose other --levels"
    )))
}

/// Tries each condition on the first row, so that an error names the wrong condition.
fn check_conditions(pool: &Pool, request: &Request) -> Result<(), PublishError> {
    request.check()?;
    let Some(first) = pool.first_row() else { return Ok(()) };
    for text in request.conditions() {
        let answer = first.ask(&format!("SELECT ({text}) AS fits FROM puzzles")).map_err(|error| match error {
            PublishError::Corpus(CorpusError::Query(reason)) => PublishError::condition(text, reason),
            error => error,
        })?;
        answer.flags(0).map_err(|_| PublishError::condition(text, "neither true nor false"))?;
    }
    Ok(())
}
