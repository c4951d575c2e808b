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

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io;
use std::path::Path;

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::choice::order;
use crate::choice::order::{MOST_COLUMNS, Pick, SortColumn};
use crate::choice::quota::{Filler, Quota};
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
use sudoku_corpus_store::corpus::{
    Answer, CorpusError, ItemSize, Job, Picked, ROW_NUMBER, Record, count_rows, in_order,
};

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
    let candidates = |batch: Batch| {
        let mut candidates = question.candidates(&batch)?;
        candidates.retain(|candidate| only.is_none_or(|only| only.has(candidate.class)));
        Ok::<_, PublishError>((candidates, batch.rows))
    };
    let ended = in_order(ItemSize::Large, pool.batches(BATCH), &job.stop, candidates, |found| {
        found.into_iter().try_for_each(|found| {
            let (candidates, rows) = found?;
            tally.fit += candidates.len() as u64;
            tally.seen += first_pass.offer(candidates, seen)?;
            job.progress.rows(rows);
            Ok::<_, PublishError>(())
        })
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

/// The first cut comes when there are this many candidates more than twice the number that is wanted.
const SLACK: u64 = if cfg!(test) { 16 } else { 1 << 16 };

/// A row that may be chosen.
#[derive(Clone, Copy)]
struct Candidate {
    class: u128,
    /// The set of quotas that it fits, one bit per quota.
    category: u64,
    /// Its place in the order in which puzzles are picked: smaller numbers come first, then smaller classes.
    pick: [u64; MOST_COLUMNS],
    /// Number of the row in the pool.
    row: u64,
    /// Its place in the order of the result.
    sort: [u64; MOST_COLUMNS],
    /// Copies with the same place in the order were left out.
    is_tied: bool,
    /// The class has candidates of several categories.
    is_shared: bool,
}

/// A candidate in a file that is sorted. Numbers begin with their highest byte, so records sort as numbers.
///
/// ```text
///   slot      0 1 2    3 4 5         6    7 8 9   10
///   by class  C C K    P P P         row  S S S   flags     C class, K category
///   by order  P P P    C C K         row  S S S   flags     P pick, S sort
/// ```
type CandidateRecord = [u64; 11];

/// Bytes of pick, class and category at the beginning of a record by order.
const ORDER_BYTES: usize = 6 * 8;

/// Bytes of row and sort, which follow.
const COPY_BYTES: usize = 4 * 8;

impl Candidate {
    /// As a record that sorts by class.
    fn by_class(&self) -> CandidateRecord {
        let Candidate { class, category, pick: [a, b, c], row, sort: [x, y, z], is_tied, is_shared } = *self;
        let flags = u64::from(is_tied) | u64::from(is_shared) << 1;
        [(class >> 64) as u64, class as u64, category, a, b, c, row, x, y, z, flags]
    }

    /// As a record that sorts in the order in which puzzles are picked.
    fn by_order(&self) -> CandidateRecord {
        let [high, low, category, a, b, c, rest @ ..] = self.by_class();
        let [row, x, y, z, flags]: [u64; 5] = rest;
        [a, b, c, high, low, category, row, x, y, z, flags]
    }

    /// The candidate of the words of a record by class.
    fn of([high, low, category, a, b, c, row, x, y, z, flags]: CandidateRecord) -> Candidate {
        let class = u128::from(high) << 64 | u128::from(low);
        let (is_tied, is_shared) = (flags & 1 != 0, flags & 2 != 0);
        Candidate { class, category, pick: [a, b, c], row, sort: [x, y, z], is_tied, is_shared }
    }

    /// The candidate of a record by order.
    fn of_order(record: &[u8]) -> Candidate {
        let [a, b, c, high, low, category, row, x, y, z, flags]: CandidateRecord = words_of(record);
        Candidate::of([high, low, category, a, b, c, row, x, y, z, flags])
    }

    /// Its place in the order of all candidates, whatever their categories.
    fn place(&self) -> ([u64; MOST_COLUMNS], u128) {
        (self.pick, self.class)
    }
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

/// Keeps the best rows of each category, and fills the quotas from these.
struct FirstPass<'a> {
    pick: &'a Pick,
    /// The most candidates that are needed of each category: the sum of all quotas.
    limit: u64,
    /// The candidates, by class.
    by_class: Sorter,
    /// How many there are.
    kept: u64,
    /// If there are more than this number, they are cut.
    room: u64,
    /// The last candidate of each category, once there are `limit` of them: those beyond it are not needed.
    bounds: BTreeMap<u64, ([u64; MOST_COLUMNS], u128)>,
    /// Candidates of each category that were left out because another one of their class was kept. For categories with
    /// a bound, some may not have been noticed.
    copies: BTreeMap<u64, u64>,
    folder: &'a Path,
    /// Rows of each category: those that fit, and those of them that are in earlier exports.
    rows: BTreeMap<u64, (u64, u64)>,
}

/// The puzzles that fill the quotas.
struct Taken {
    filler: Filler,
    /// Records of candidates by place.
    by_place: Sorted,
    /// Classes with several rows that have the same words, in order. Which row represents the class is not decided yet.
    tied: Vec<u128>,
}

impl<'a> Question<'a> {
    /// The question of a request.
    fn new(request: &'a Request, quotas: &[Quota], weights: Option<Weights>) -> Question<'a> {
        let picked: &[SortColumn] = if let Pick::Columns(columns) = &request.pick { columns } else { &[] };
        let orders = [picked, &request.sort];
        let sorts = orders.iter().flat_map(|columns| *columns).enumerate();
        let sorts = sorts.map(|(at, column)| format!("{} AS order_{at}", column.sql()));
        let fits = quotas.iter().enumerate().map(|(at, quota)| format!("({}) AS fits_{at}", quota.condition));
        let log = weights.iter().map(|_| "log_weight".to_owned());
        let columns: Vec<String> =
            [ROW_NUMBER.to_owned(), "class".to_owned()].into_iter().chain(sorts).chain(fits).chain(log).collect();
        let sql = format!("SELECT {} FROM puzzles WHERE {}", columns.join(", "), request.filter());
        Question { pick: &request.pick, sql, orders, quotas: quotas.len(), weights }
    }

    /// The rows of a batch that fit.
    fn candidates(&self, batch: &Batch) -> Result<Vec<Candidate>, PublishError> {
        let answer = batch.ask(&self.sql)?;
        let rows = answer.integers(0).map_err(batch.wrong())?;
        let classes = batch.classes(&answer, 1)?;
        let classes = complete(batch, &rows, classes)?;
        let mut categories = vec![0u64; rows.len()];
        let [picked, sorted] = self.orders;
        for quota in 0..self.quotas {
            let fits = answer.flags(2 + picked.len() + sorted.len() + quota).map_err(batch.wrong())?;
            categories.iter_mut().zip(fits).for_each(|(category, fits)| *category |= u64::from(fits) << quota);
        }
        let mut picks = keys_of(batch, &answer, 2, picked, rows.len())?;
        let sort = keys_of(batch, &answer, 2 + picked.len(), sorted, rows.len())?;
        match self.pick {
            Pick::Random(seed) => {
                picks.iter_mut().zip(&classes).for_each(|(pick, &class)| *pick = order::random_keys(*seed, class));
            }
            Pick::Weighted(seed) => {
                let logs = answer.reals(2 + picked.len() + sorted.len() + self.quotas).map_err(batch.wrong())?;
                for (at, pick) in picks.iter_mut().enumerate().filter(|(at, _)| categories[*at] != 0) {
                    let uniform = order::uniform(order::random_keys(*seed, classes[at])[0]);
                    let quota = categories[at].trailing_zeros() as usize;
                    let weights = self.weights.as_ref().zip(logs[at]);
                    pick[0] = weights.map_or(u64::MAX, |(weights, log)| weights.key(quota, log, uniform));
                }
            }
            Pick::Input => picks.iter_mut().zip(&rows).for_each(|(pick, row)| pick[0] = batch.first + row),
            Pick::Columns(_) => {}
        }
        let candidate = |at: usize| Candidate {
            class: classes[at],
            category: categories[at],
            pick: picks[at],
            row: batch.first + rows[at],
            sort: sort[at],
            is_tied: false,
            is_shared: false,
        };
        Ok((0..rows.len()).map(candidate).collect())
    }
}

impl<'a> FirstPass<'a> {
    /// Without candidates. `folder` gets temporary files.
    fn new(request: &'a Request, quotas: &[Quota], folder: &'a Path) -> FirstPass<'a> {
        let total = quotas.iter().fold(0u64, |sum, quota| sum.saturating_add(quota.count));
        FirstPass {
            pick: &request.pick,
            limit: total,
            by_class: Sorter::new(folder, SORTED_IN_MEMORY),
            kept: 0,
            room: total.saturating_mul(2).saturating_add(SLACK),
            bounds: BTreeMap::new(),
            copies: BTreeMap::new(),
            folder,
            rows: BTreeMap::new(),
        }
    }

    /// Keeps the candidates that may be needed and that were not published before. Returns how many were.
    fn offer(&mut self, candidates: Vec<Candidate>, seen: &Seen) -> io::Result<u64> {
        let mut published = 0;
        for candidate in candidates.into_iter().filter(|candidate| candidate.category != 0) {
            let (fit, before) = self.rows.entry(candidate.category).or_default();
            *fit += 1;
            // A copy of the last candidate has to be noticed, so the numbers of the rows are not compared.
            let beyond = self.bounds.get(&candidate.category).is_some_and(|bound| candidate.place() > *bound);
            if beyond && *self.pick != Pick::Input {
                continue;
            }
            if seen.has(candidate.class) {
                *before += 1;
                published += 1;
            } else if !beyond {
                self.by_class.push(&[bytes_of(candidate.by_class()).as_flattened()])?;
                self.kept += 1;
                if self.kept > self.room {
                    self.cut()?;
                }
            }
        }
        Ok(published)
    }

    /// Keeps the first `limit` candidates of each category: no request needs more of them.
    fn cut(&mut self) -> io::Result<()> {
        let mut by_order = self.first_of_class()?;
        let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
        self.kept = 0;
        while let Some(record) = by_order.advance()? {
            let candidate = Candidate::of_order(record);
            let count = counts.entry(candidate.category).or_default();
            *count += 1;
            if *count == self.limit {
                self.bounds.insert(candidate.category, candidate.place());
            }
            if *count <= self.limit {
                self.by_class.push(&[bytes_of(candidate.by_class()).as_flattened()])?;
                self.kept += 1;
            }
        }
        self.room = 2 * self.kept + SLACK;
        Ok(())
    }

    /// Fills the quotas with the first candidates. If there are too few, the inner error says for each quota how many
    /// were found and why others were not.
    fn fill(&mut self, quotas: &[Quota]) -> io::Result<Result<Taken, Vec<ShortQuota>>> {
        let mut by_order = self.first_of_class()?;
        let mut filler = Filler::new(quotas.iter().map(|quota| quota.count).collect());
        let (mut by_place, mut place) = (Sorter::new(self.folder, SORTED_IN_MEMORY), 0u64);
        let (mut classes, mut tied) = (HashSet::new(), Vec::new());
        while !filler.is_full()
            && let Some(record) = by_order.advance()?
        {
            let Candidate { class, category, is_tied, is_shared, .. } = Candidate::of_order(record);
            // `classes` has the classes taken that also stand under another category.
            if classes.contains(&class) {
                *self.copies.entry(category).or_default() += 1;
            } else if filler.take(category) {
                classes.extend(is_shared.then_some(class));
                tied.extend(is_tied.then_some(class));
                by_place.push(&[&place.to_be_bytes(), record])?;
                place += 1;
            }
        }
        let everything = quotas.len() == 1 && quotas[0].count == u64::MAX;
        // A request for all puzzles is never short, unless there is none.
        if !filler.is_full() && (!everything || place == 0) {
            let short = |(at, quota): (usize, &Quota)| {
                let of_quota = |category: &u64| category >> at & 1 == 1;
                let rows = self.rows.iter().filter(|(category, _)| of_quota(category));
                let (fit, seen) = rows.fold((0, 0), |sum, (_, rows)| (sum.0 + rows.0, sum.1 + rows.1));
                let copies =
                    self.copies.iter().filter(|(category, _)| of_quota(category)).map(|(_, copies)| copies).sum();
                let (found, wanted) = (filler.filled()[at], if everything { 1 } else { quota.count });
                ShortQuota { name: quota.name.clone(), found, wanted, fit, seen, copies }
            };
            return Ok(Err(quotas.iter().enumerate().map(short).collect()));
        }
        tied.sort_unstable();
        Ok(Ok(Taken { filler, by_place: by_place.finish()?, tied }))
    }

    /// Takes all candidates, and returns the first of each class and category, in order.
    fn first_of_class(&mut self) -> io::Result<Sorted> {
        let mut by_class =
            std::mem::replace(&mut self.by_class, Sorter::new(self.folder, SORTED_IN_MEMORY)).finish()?;
        let mut by_order = Sorter::new(self.folder, SORTED_IN_MEMORY);
        let mut push = |candidate: Candidate| by_order.push(&[bytes_of(candidate.by_order()).as_flattened()]);
        let mut first: Option<Candidate> = None;
        while let Some(record) = by_class.advance()? {
            let mut next = Candidate::of(words_of(record));
            if let Some(first) = &mut first {
                if (first.class, first.category) == (next.class, next.category) {
                    *self.copies.entry(next.category).or_default() += 1;
                    first.is_tied |= first.pick == next.pick;
                    continue;
                }
                let is_shared = first.class == next.class;
                next.is_shared |= is_shared;
                first.is_shared |= is_shared;
                push(*first)?;
            }
            first = Some(next);
        }
        first.map_or(Ok(()), push)?;
        by_order.finish()
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
    let (mut in_order, mut by_row) = (in_order.finish()?, Sorter::new(folder, SORTED_IN_MEMORY));
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
    let mut words = vec![[0; MOST_COLUMNS]; rows];
    for (at, column) in columns.iter().enumerate() {
        let values = answer.reals(first + at).map_err(batch.wrong())?;
        words.iter_mut().zip(values).for_each(|(words, value)| words[at] = column.sort_key(value));
    }
    Ok(words)
}

/// The classes of rows. If a row has no class, it is computed from the canonical form.
fn complete(batch: &Batch, rows: &[u64], classes: Vec<Option<u128>>) -> Result<Vec<u128>, PublishError> {
    let places = rows.iter().zip(&classes).enumerate();
    let mut missing: Vec<(u64, usize)> =
        places.filter(|(_, (_, class))| class.is_none()).map(|(at, (&row, _))| (row, at)).collect();
    missing.sort_unstable();
    let mut classes: Vec<u128> = classes.into_iter().map(Option::unwrap_or_default).collect();
    let (mut start, mut first) = (0, 0);
    // A slice is part of one file, and its rows have the numbers that they have in the file.
    for file in &batch.files {
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

/// All candidates of some classes in the order of their words, classes and categories; those that agree in these, in
/// the order of their cells as a text. So the result does not depend on the order of the rows. A record ends with the
/// row and the words of the result.
fn copies_of(classes: &[u128], pool: &Pool, question: &Question<'_>, folder: &Path) -> Result<Sorted, PublishError> {
    let mut copies = Sorter::new(folder, SORTED_IN_MEMORY);
    for batch in pool.batches(BATCH).into_iter().filter(|_| !classes.is_empty()) {
        let mut here = question.candidates(&batch)?;
        here.retain(|candidate| classes.binary_search(&candidate.class).is_ok());
        here.sort_unstable_by_key(|candidate| candidate.row);
        for block in here.chunks(4096) {
            let rows: Vec<u64> = block.iter().map(|candidate| candidate.row).collect();
            let mut block = block.iter();
            for (file, numbers) in pool.by_file(&rows) {
                let push = |(record, candidate): (Record, &Candidate)| {
                    let text = record.puzzle.as_ref().map(ToString::to_string).unwrap_or_default();
                    let by_order = bytes_of(candidate.by_order());
                    let (order, rest) = by_order.as_flattened().split_at(ORDER_BYTES);
                    copies.push(&[order, text.as_bytes(), &[0], &rest[..COPY_BYTES]])
                };
                let picked = Picked::open(file, |column| column == "puzzle")?;
                let texts = picked.rows(&numbers, Ok::<_, PublishError>)?;
                texts.into_iter().zip(&mut block).try_for_each(push)?;
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
    let of_rating = named.remove("level") | named.remove("hodoku_level") | named.remove("hodoku_score");
    let level = if request.named().any(|name| name == "level") { "level" } else { "hodoku_level" };
    let missing: Vec<String> = short
        .iter()
        .zip(quotas)
        .filter(|(short, _)| short.found < short.wanted)
        .map(|(_, quota)| format!("({})", quota.condition))
        .collect();
    reasons(&mut tally, pool, request, &missing.join(" OR "))?;
    for batch in pool.batches(BATCH).into_iter().filter(|_| of_rating) {
        if batch.has(level)? {
            tally.unrated += batch.count(&format!("{level} IS NULL"))?;
        }
    }
    let unknown = unknown(named, pool)?;
    Ok(Short { quotas: short, tally, unknown })
}

/// Rows whose number of solutions is not known.
const UNSOLVED: &str = "holes > 0 AND (solutions IS NULL OR solutions < 2 AND solutions_exact IS NOT TRUE)";

/// Counts the rows that are no puzzles to choose, or do not fit because a value is not known, or, among those that meet a
/// condition, only because of techniques of uniqueness.
fn reasons(tally: &mut RowCounts, pool: &Pool, request: &Request, condition: &str) -> Result<(), PublishError> {
    let any = Request { no_uniqueness: false, ..request.clone() }.filter();
    let strict = format!("{any} AND ({condition}) AND ({}) IS NOT TRUE", request.filter());
    let count = |wanted: bool, condition: &str| -> Result<u64, PublishError> {
        let batches = if wanted { pool.batches(BATCH) } else { Vec::new() };
        batches.par_iter().map(|batch| batch.count(condition)).sum()
    };
    tally.unsolved += count(!request.any_solutions, UNSOLVED)?;
    tally.several += count(!request.any_solutions, "holes > 0 AND solutions > 1")?;
    tally.unsolvable += count(true, &format!("holes > 0 AND {UNSOLVABLE}"))?;
    tally.full += pool.batches(BATCH).par_iter().map(Batch::count_full).sum::<Result<u64, PublishError>>()?;
    tally.uniqueness += count(request.no_uniqueness, &strict)?;
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
