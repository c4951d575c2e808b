//! Selects puzzles from a corpus: exactly as many as the quotas ask for, no two of them essentially the same.
//!
//! ```text
//!   every row    class, quotas that it fits, place in the order      a few columns, read in batches of 20,000 rows
//!     |          not in an earlier export?
//!   by class     one of each class and category                      sorted in temporary files, as all that follows;
//!     |                                                              now and then cut to the first N of each category
//!   by place     Filler: in order, as long as the quotas can be      all quotas full, or an error that names the short
//!     |          filled                                              ones
//!   by row       all columns, of the chosen rows only; solved again as a check
//!     |
//!   by place     the puzzles, in a temporary file
//! ```
//!
//! Memory hardly grows with the corpus: there are 8 bytes for each puzzle, and 16 more if copies of it were left out.
//! The result depends on the request and on the rows, but not on the number of threads. A random choice does not depend
//! on the order of the rows either, because a puzzle's place in the random order is a hash of its class. Of several
//! rows of a class, the first in the order is taken; ties are broken by the text of the cells.

use std::collections::BTreeSet;
use std::path::Path;

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::choice::candidate::{COPY_BYTES, Candidate, ORDER_BYTES};
use crate::choice::first_pass::{FirstPass, Taken};
use crate::choice::order::{self, MOST_COLUMNS, Pick, SortColumn};
use crate::choice::quota::Quota;
use crate::choice::request::{Request, SORTED_IN_MEMORY, UNSOLVABLE};
use crate::choice::rows::pool::{BATCH, Batch, Pool};
use crate::choice::rows::puzzles::Puzzles;
use crate::choice::rows::read::read;
use crate::choice::weights::Weights;
use crate::error::PublishError;
use crate::index::seen::{Seen, class_of};
use crate::tally::{RowCounts, Short, ShortQuota};
use sudoku_corpus_core::board::Shape;
use sudoku_corpus_store::corpus::sorter::{Sorted, Sorter, bytes_of, words_of};
use sudoku_corpus_store::corpus::{Answer, CorpusError, ItemSize, Job, Picked, ROW_NUMBER, count_rows, in_order};

/// The result of a selection.
#[derive(Debug)]
pub struct Choice {
    /// The puzzles, in the order wanted.
    pub chosen: Puzzles,
    /// Number of puzzles in each quota, and of those that only fill up the count, if there are any.
    pub filled: Vec<u64>,
    /// The counts of the rows to choose from.
    pub tally: RowCounts,
    /// Rows of files that were skipped, because they cannot be used.
    pub skipped: u64,
}

/// Chooses puzzles from a pool: none of them in `seen`, and all of them in `only`, if there is one.
///
/// # Errors
/// [`PublishError::Short`] if there are too few puzzles; conditions that cannot be used; a corpus that cannot be read
/// or whose rows are wrong.
pub fn choose(
    pool: &Pool,
    request: &Request,
    seen: &Seen,
    only: Option<&Seen>,
    job: &Job<'_>,
) -> Result<Choice, PublishError> {
    let quotas = request.all_quotas()?;
    let mut tally = RowCounts { rows: pool.rows(), ..RowCounts::default() };
    check_conditions(pool, request)?;
    check_columns(pool, request)?;
    let weights = match request.pick {
        Pick::Weighted(_) => Some(Weights::of(pool, request, &quotas)?),
        _ => None,
    };
    let question = Question::new(request, &quotas, weights);
    // First pass: a few columns of all rows decide which rows are taken. Then these rows are read whole.
    let mut first_pass = FirstPass::new(request, &quotas, &job.folder);
    job.progress.begin(Some(pool.rows()), 0);
    let read_batch = |batch: Batch| {
        let mut candidates = question.candidates(&batch)?;
        candidates.retain(|candidate| only.is_none_or(|only| only.has(candidate.class)));
        Ok::<_, PublishError>((candidates, batch.rows))
    };
    let ended = in_order(ItemSize::Large, pool.batches(BATCH), &job.stop, read_batch, |batches| {
        for batch in batches {
            let (candidates, rows) = batch?;
            tally.fit += candidates.len() as u64;
            tally.seen += first_pass.offer(candidates, seen)?;
            job.progress.rows(rows);
        }
        Ok::<_, PublishError>(())
    })?;
    if !ended {
        return Err(PublishError::Stopped);
    }
    let taken = match first_pass.fill(&quotas)? {
        Ok(taken) => taken,
        Err(short) => return Err(explained(short, tally, pool, request, &quotas)?.into()),
    };
    if request.is_all() {
        reasons(&mut tally, pool, request, "TRUE")?;
    }
    let filled = taken.filler.filled().to_vec();
    let picked = placed(taken, pool, &question, &job.folder)?;
    let chosen = read(pool, request, picked, job)?;
    Ok(Choice { chosen, filled, tally, skipped: pool.skipped })
}

/// Reads a few columns of each row.
struct Question<'a> {
    pick: &'a Pick,
    /// The query: row number, class, the columns of the orders, a flag for each quota.
    sql: String,
    /// The columns that determine what is picked, and those that determine the order of the result. Each has a column
    /// in the answer, after the row number and the class.
    orders: [&'a [SortColumn]; 2],
    /// Number of quotas. Each has a column in the answer, after those of the orders.
    quotas: usize,
    /// The weights of the rows, if they decide the choice. Then log_weight is the last column of the answer.
    weights: Option<Weights>,
}

impl<'a> Question<'a> {
    /// The question of a request.
    fn new(request: &'a Request, quotas: &[Quota], weights: Option<Weights>) -> Question<'a> {
        let picked: &[SortColumn] = if let Pick::Columns(columns) = &request.pick { columns } else { &[] };
        let orders = [picked, &request.sort];
        let mut columns = vec![ROW_NUMBER.to_owned(), "class".to_owned()];
        for (number, column) in picked.iter().chain(&request.sort).enumerate() {
            columns.push(format!("{} AS order_{number}", column.sql()));
        }
        for (number, quota) in quotas.iter().enumerate() {
            columns.push(format!("({}) AS fits_{number}", quota.condition));
        }
        if weights.is_some() {
            columns.push("log_weight".to_owned());
        }
        let sql = format!("SELECT {} FROM puzzles WHERE {}", columns.join(", "), request.filter());
        Question { pick: &request.pick, sql, orders, quotas: quotas.len(), weights }
    }

    /// The rows of a batch that fit.
    fn candidates(&self, batch: &Batch) -> Result<Vec<Candidate>, PublishError> {
        let answer = batch.ask(&self.sql)?;
        let [picked, sorted] = self.orders;
        let first_sorted = 2 + picked.len();
        let first_quota = first_sorted + sorted.len();
        let log_weight = first_quota + self.quotas;
        let rows = answer.integers(0).map_err(batch.wrong())?;
        let classes = complete(batch, &rows, batch.classes(&answer, 1)?)?;
        let picks = keys_of(batch, &answer, 2, picked, rows.len())?;
        let sorts = keys_of(batch, &answer, first_sorted, sorted, rows.len())?;
        let mut candidates = Vec::new();
        for (place, row) in rows.into_iter().enumerate() {
            candidates.push(Candidate {
                class: classes[place],
                category: 0,
                pick: picks[place],
                row: batch.first + row,
                sort: sorts[place],
                is_tied: false,
                is_shared: false,
            });
        }
        for quota in 0..self.quotas {
            let fits = answer.flags(first_quota + quota).map_err(batch.wrong())?;
            for (candidate, fits) in candidates.iter_mut().zip(fits) {
                candidate.category |= u64::from(fits) << quota;
            }
        }
        let logs = match &self.weights {
            Some(_) => answer.reals(log_weight).map_err(batch.wrong())?,
            None => Vec::new(),
        };
        self.give_places(&mut candidates, &logs);
        Ok(candidates)
    }

    /// Gives candidates their places in the order in which puzzles are picked, unless columns have given them. `logs` are
    /// the logarithms of their weights, if they decide.
    fn give_places(&self, candidates: &mut [Candidate], logs: &[Option<f64>]) {
        match self.pick {
            Pick::Columns(_) => {}
            Pick::Input => candidates.iter_mut().for_each(|candidate| candidate.pick[0] = candidate.row),
            Pick::Random(seed) => {
                for candidate in candidates {
                    candidate.pick = order::random_keys(*seed, candidate.class);
                }
            }
            Pick::Weighted(seed) => {
                for (candidate, log) in candidates.iter_mut().zip(logs).filter(|(candidate, _)| candidate.category != 0)
                {
                    let uniform = order::uniform(order::random_keys(*seed, candidate.class)[0]);
                    let quota = candidate.category.trailing_zeros() as usize;
                    candidate.pick[0] = match (&self.weights, log) {
                        (Some(weights), Some(log)) => weights.key(quota, *log, uniform),
                        _ => u64::MAX,
                    };
                }
            }
        }
    }
}

/// The chosen rows by their numbers, each with its place in the result, its quota and its class.
fn placed(mut taken: Taken, pool: &Pool, question: &Question<'_>, folder: &Path) -> Result<Sorted, PublishError> {
    let mut copies = copies_of(&taken.tied, pool, question, folder)?;
    let mut quota_of = taken.filler.hand_out();
    let mut in_order = Sorter::new(folder, SORTED_IN_MEMORY);
    while let Some(record) = taken.by_place.advance()? {
        let ([place], by_order) = (words_of(record), &record[8..]);
        let Candidate { class, category, mut row, mut sort, is_tied, .. } = Candidate::of_order(by_order);
        if is_tied {
            // Copies have the same order, and the first by its cells represents the class.
            while let Some(copy) = copies.advance()? {
                if copy[..ORDER_BYTES] == by_order[..ORDER_BYTES] {
                    [row, sort[0], sort[1], sort[2]] = words_of(&copy[copy.len() - COPY_BYTES..]);
                    break;
                }
            }
        }
        let end = bytes_of([place, row, quota_of(category) as u64, (class >> 64) as u64, class as u64]);
        in_order.push(&[bytes_of(sort).as_flattened(), end.as_flattened()])?;
    }
    let mut in_order = in_order.finish()?;
    let mut by_row = Sorter::new(folder, SORTED_IN_MEMORY);
    for place in 0u64.. {
        let Some(record) = in_order.advance()? else { break };
        let [_, _, _, _, row, quota, high, low] = words_of(record);
        by_row.push(&[bytes_of([row, place, quota, high, low]).as_flattened()])?;
    }
    Ok(by_row.finish()?)
}

/// The keys of rows by columns, whose values begin at a column of an answer.
fn keys_of(
    batch: &Batch,
    answer: &Answer,
    first: usize,
    columns: &[SortColumn],
    rows: usize,
) -> Result<Vec<[u64; MOST_COLUMNS]>, PublishError> {
    let mut keys = vec![[0; MOST_COLUMNS]; rows];
    for (number, column) in columns.iter().enumerate() {
        let values = answer.reals(first + number).map_err(batch.wrong())?;
        for (key, value) in keys.iter_mut().zip(values) {
            key[number] = column.sort_key(value);
        }
    }
    Ok(keys)
}

/// The classes of rows. If a row has no class, it is computed from the canonical form.
fn complete(batch: &Batch, rows: &[u64], classes: Vec<Option<u128>>) -> Result<Vec<u128>, PublishError> {
    // The places of the rows without a class, in the order of their numbers.
    let mut missing: Vec<usize> = (0..rows.len()).filter(|&place| classes[place].is_none()).collect();
    missing.sort_unstable_by_key(|&place| rows[place]);
    let mut classes: Vec<u128> = classes.into_iter().map(Option::unwrap_or_default).collect();
    let mut missing = missing.as_slice();
    let mut first = 0;
    // A slice is part of one file, and its rows have the numbers that they have in the file.
    for file in &batch.files {
        if missing.is_empty() {
            break;
        }
        let end = first + count_rows(file)?;
        let (in_file, later) = missing.split_at(missing.partition_point(|&place| rows[place] < end));
        for places in in_file.chunks(4096) {
            let numbers: Vec<u64> = places.iter().map(|&place| rows[place] - first).collect();
            let records = Picked::open(file, |_| false)?.rows(&numbers, Ok::<_, PublishError>)?;
            let computed: Vec<Option<u128>> = records.par_iter().map(class_of).collect();
            for (&place, class) in places.iter().zip(computed) {
                classes[place] = class.unwrap_or_default();
            }
        }
        missing = later;
        first = end;
    }
    Ok(classes)
}

/// All candidates of some classes in the order of their words, classes and categories; those that agree in these, in
/// the order of their cells as a text. So the result does not depend on the order of the rows. A record ends with the
/// row and the words of the result.
fn copies_of(classes: &[u128], pool: &Pool, question: &Question<'_>, folder: &Path) -> Result<Sorted, PublishError> {
    let mut copies = Sorter::new(folder, SORTED_IN_MEMORY);
    if classes.is_empty() {
        return Ok(copies.finish()?);
    }
    for batch in pool.batches(BATCH) {
        let mut candidates = question.candidates(&batch)?;
        candidates.retain(|candidate| classes.binary_search(&candidate.class).is_ok());
        candidates.sort_unstable_by_key(|candidate| candidate.row);
        for block in candidates.chunks(4096) {
            let rows: Vec<u64> = block.iter().map(|candidate| candidate.row).collect();
            let mut candidates_of_block = block.iter();
            for (file, numbers) in pool.by_file(&rows) {
                let picked = Picked::open(file, |column| column == "puzzle")?;
                let records = picked.rows(&numbers, Ok::<_, PublishError>)?;
                for (record, candidate) in records.into_iter().zip(&mut candidates_of_block) {
                    let text = record.puzzle.as_ref().map(ToString::to_string).unwrap_or_default();
                    let by_order = bytes_of(candidate.by_order());
                    let (order, rest) = by_order.as_flattened().split_at(ORDER_BYTES);
                    copies.push(&[order, text.as_bytes(), &[0], &rest[..COPY_BYTES]])?;
                }
            }
        }
    }
    Ok(copies.finish()?)
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
    let names_rating = named.remove("level") | named.remove("hodoku_level") | named.remove("hodoku_score");
    let level = if request.named().any(|name| name == "level") { "level" } else { "hodoku_level" };
    let mut conditions = Vec::new();
    for (short, quota) in short.iter().zip(quotas) {
        if short.found < short.wanted {
            conditions.push(format!("({})", quota.condition));
        }
    }
    reasons(&mut tally, pool, request, &conditions.join(" OR "))?;
    if names_rating {
        for batch in pool.batches(BATCH) {
            if batch.has(level)? {
                tally.unrated += batch.count(&format!("{level} IS NULL"))?;
            }
        }
    }
    let unknown = unknown(named, pool)?;
    let instead = pool.instead(conditions, request, &short)?;
    Ok(Short { quotas: short, tally: tally.into(), unknown, instead })
}

/// Rows whose number of solutions is not known.
const UNSOLVED: &str = "holes > 0 AND (solutions IS NULL OR solutions < 2 AND solutions_exact IS NOT TRUE)";

/// Counts the rows that are no puzzles to choose, or do not fit because a value is not known, or, among those that meet a
/// condition, only because of techniques of uniqueness.
fn reasons(tally: &mut RowCounts, pool: &Pool, request: &Request, condition: &str) -> Result<(), PublishError> {
    let batches = pool.batches(BATCH);
    let count =
        |condition: &str| -> Result<u64, PublishError> { batches.par_iter().map(|batch| batch.count(condition)).sum() };
    if !request.any_solutions {
        tally.unsolved += count(UNSOLVED)?;
        tally.several += count("holes > 0 AND solutions > 1")?;
    }
    tally.unsolvable += count(&format!("holes > 0 AND {UNSOLVABLE}"))?;
    let full = batches.par_iter().map(|batch| batch.count_rows("givens IS NULL OR holes = 0"));
    tally.full += full.sum::<Result<u64, PublishError>>()?;
    if request.no_uniqueness {
        let any = Request { no_uniqueness: false, ..request.clone() }.filter();
        let strict = request.filter();
        tally.uniqueness += count(&format!("{any} AND ({condition}) AND ({strict}) IS NOT TRUE"))?;
    }
    Ok(())
}

/// The columns in which no row of the pool has a value.
fn unknown(mut columns: BTreeSet<String>, pool: &Pool) -> Result<BTreeSet<String>, PublishError> {
    for batch in pool.batches(BATCH) {
        for column in columns.clone() {
            if batch.has(&column)? {
                columns.remove(&column);
            }
        }
    }
    Ok(columns)
}

/// Refuses levels that no row can have because their columns are empty. The counts of techniques (`n_...`) are not
/// looked at: a row has all of them or none, and levels that need them also need `finished`, which is checked. Boards
/// other than 9x9 have no ER, so its column may be empty there.
fn check_columns(pool: &Pool, request: &Request) -> Result<(), PublishError> {
    let level = || unknown(BTreeSet::from(["level".to_owned()]), pool);
    if !request.with_levels || pool.rows() == 0 || !request.scale.by_ratings && level()?.is_empty() {
        return Ok(());
    }
    let scale = &request.scale.levels;
    let is_looked_at = |name: &String| name.starts_with("effort_") || ["finished", "se_er_tenths"].contains(&&**name);
    for column in unknown(scale.columns().into_iter().filter(is_looked_at).collect(), pool)? {
        let ratings = match column.as_str() {
            "se_er_tenths" if !pool.shapes()?.contains(&Shape::NINE) => continue,
            "se_er_tenths" => " --ratings se",
            "finished" => "",
            _ => " --ratings effort",
        };
        return Err(PublishError::Request(format!(
            "no row has a level: {} needs the column {column}, which is empty; run `analyze{ratings}` first, or choose other \
             --levels",
            scale.scale()
        )));
    }
    Ok(())
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
        answer
            .flags(0)
            .map_err(|_| PublishError::condition(text, "neither true nor false; compare, as in givens > 24"))?;
    }
    Ok(())
}
