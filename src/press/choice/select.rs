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
//! The *place* of a row is its position in the order in which puzzles are picked, or in the order of the result. Its
//! *category* is the set of the quotas that it fits. Two rows of one class are *copies* of each other.
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
use crate::choice::request::{Request, SORTED_IN_MEMORY};
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
        if let Some(only) = only {
            candidates.retain(|candidate| only.has(candidate.class));
        }
        Ok::<_, PublishError>((candidates, batch.rows))
    };
    let is_complete = in_order(ItemSize::Large, pool.batches(BATCH), &job.stop, read_batch, |results| {
        for result in results {
            let (candidates, batch_rows) = result?;
            tally.fit += candidates.len() as u64;
            tally.seen += first_pass.offer(candidates, seen)?;
            job.progress.rows(batch_rows);
        }
        Ok::<_, PublishError>(())
    })?;
    if !is_complete {
        return Err(PublishError::Stopped);
    }
    let taken = match first_pass.fill(&quotas)? {
        Ok(taken) => taken,
        Err(shortages) => return Err(explained(shortages, tally, pool, request, &quotas)?.into()),
    };
    if request.is_all() {
        reasons(&mut tally, pool, request, "TRUE")?;
    }
    let filled = taken.filler.filled().to_vec();
    let picked = placed(taken, pool, &question, &job.folder)?;
    let chosen = read(pool, request, picked, job)?;
    Ok(Choice { chosen, filled, tally })
}

/// The first cut comes when there are this many candidates more than twice the number that is wanted.
const SLACK: u64 = if cfg!(test) { 16 } else { 1 << 16 };

/// The words by which rows are ordered, compared from the first on: one for each column of an order.
type Keys = [u64; MOST_COLUMNS];

/// A row that may be chosen.
#[derive(Clone, Copy)]
struct Candidate {
    class: u128,
    /// The set of quotas that it fits, one bit per quota.
    category: u64,
    /// Its place in the order in which puzzles are picked: smaller numbers come first, then smaller classes.
    pick: Keys,
    /// Number of the row in the pool.
    row: u64,
    /// Its place in the order of the result.
    sort: Keys,
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
    fn place(&self) -> PickPlace {
        PickPlace { pick: self.pick, class: self.class }
    }
}

/// A place in the order in which puzzles are picked.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct PickPlace {
    pick: Keys,
    class: u128,
}

/// How many rows of a category fit the request, and how many of these are in earlier exports.
#[derive(Clone, Copy, Default)]
struct CategoryRows {
    fit: u64,
    seen: u64,
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
    bounds: BTreeMap<u64, PickPlace>,
    /// Candidates of each category that were left out because another one of their class was kept. For categories with
    /// a bound, some may not have been noticed.
    copies: BTreeMap<u64, u64>,
    folder: &'a Path,
    /// Rows of each category.
    rows: BTreeMap<u64, CategoryRows>,
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
        let pick_columns: &[SortColumn] = if let Pick::Columns(columns) = &request.pick { columns } else { &[] };
        let orders = [pick_columns, &request.sort];
        let mut columns = vec![ROW_NUMBER.to_owned(), "class".to_owned()];
        for (place, column) in orders.iter().flat_map(|columns| *columns).enumerate() {
            columns.push(format!("{} AS order_{place}", column.sql()));
        }
        for (place, quota) in quotas.iter().enumerate() {
            columns.push(format!("({}) AS fits_{place}", quota.condition));
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
        let rows = answer.integers(0).map_err(batch.wrong())?;
        let classes = complete(batch, &rows, batch.classes(&answer, 1)?)?;
        let [pick_columns, sort_columns] = self.orders;
        let first_quota = 2 + pick_columns.len() + sort_columns.len();
        let mut categories = vec![0u64; rows.len()];
        for quota in 0..self.quotas {
            let fits = answer.flags(first_quota + quota).map_err(batch.wrong())?;
            for (category, fits) in categories.iter_mut().zip(fits) {
                *category |= u64::from(fits) << quota;
            }
        }
        let mut picks = keys_of(batch, &answer, 2, pick_columns, rows.len())?;
        let sorts = keys_of(batch, &answer, 2 + pick_columns.len(), sort_columns, rows.len())?;
        match self.pick {
            Pick::Random(seed) => {
                for (pick, &class) in picks.iter_mut().zip(&classes) {
                    *pick = order::random_keys(*seed, class);
                }
            }
            Pick::Weighted(seed) => {
                let logs = answer.reals(first_quota + self.quotas).map_err(batch.wrong())?;
                for (place, pick) in picks.iter_mut().enumerate() {
                    pick[0] = self.weighted_key(*seed, classes[place], categories[place], logs[place]);
                }
            }
            Pick::Input => {
                for (pick, row) in picks.iter_mut().zip(&rows) {
                    pick[0] = batch.first + row;
                }
            }
            Pick::Columns(_) => {}
        }
        let mut candidates = Vec::with_capacity(rows.len());
        for (place, row) in rows.iter().enumerate() {
            candidates.push(Candidate {
                class: classes[place],
                category: categories[place],
                pick: picks[place],
                row: batch.first + row,
                sort: sorts[place],
                is_tied: false,
                is_shared: false,
            });
        }
        Ok(candidates)
    }

    /// The key of a row in a weighted choice. Rows without a weight come last; rows that fit no quota need no key.
    fn weighted_key(&self, seed: u64, class: u128, category: u64, log_weight: Option<f64>) -> u64 {
        if category == 0 {
            return 0;
        }
        let (Some(weights), Some(log_weight)) = (&self.weights, log_weight) else { return u64::MAX };
        let uniform = order::uniform(order::random_keys(seed, class)[0]);
        let first_quota = category.trailing_zeros() as usize;
        weights.key(first_quota, log_weight, uniform)
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
            let rows = self.rows.entry(candidate.category).or_default();
            rows.fit += 1;
            // A copy of the last candidate has to be noticed, so the numbers of the rows are not compared.
            let bound = self.bounds.get(&candidate.category);
            let is_beyond_bound = bound.is_some_and(|bound| candidate.place() > *bound);
            if is_beyond_bound && *self.pick != Pick::Input {
                continue;
            }
            if seen.has(candidate.class) {
                rows.seen += 1;
                published += 1;
            } else if !is_beyond_bound {
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
        let mut by_place = Sorter::new(self.folder, SORTED_IN_MEMORY);
        let mut place = 0u64;
        // The classes taken that also stand under another category.
        let mut shared_classes = HashSet::new();
        let mut tied = Vec::new();
        while !filler.is_full()
            && let Some(record) = by_order.advance()?
        {
            let Candidate { class, category, is_tied, is_shared, .. } = Candidate::of_order(record);
            if shared_classes.contains(&class) {
                *self.copies.entry(category).or_default() += 1;
            } else if filler.take(category) {
                if is_shared {
                    shared_classes.insert(class);
                }
                if is_tied {
                    tied.push(class);
                }
                by_place.push(&[&place.to_be_bytes(), record])?;
                place += 1;
            }
        }
        let takes_all = quotas.len() == 1 && quotas[0].count == u64::MAX;
        // A request for all puzzles is never short, unless there is none.
        let is_short = if takes_all { place == 0 } else { !filler.is_full() };
        if is_short {
            return Ok(Err(self.shortages(quotas, filler.filled(), takes_all)));
        }
        tied.sort_unstable();
        Ok(Ok(Taken { filler, by_place: by_place.finish()?, tied }))
    }

    /// For each quota: how many puzzles were found, and why others were not. A row counts in every quota that it fits.
    fn shortages(&self, quotas: &[Quota], filled: &[u64], takes_all: bool) -> Vec<ShortQuota> {
        let mut shortages = Vec::new();
        for (number, quota) in quotas.iter().enumerate() {
            let wanted = if takes_all { 1 } else { quota.count };
            let name = quota.name.clone();
            let mut short = ShortQuota { name, found: filled[number], wanted, fit: 0, seen: 0, copies: 0 };
            for (category, rows) in &self.rows {
                if category >> number & 1 == 1 {
                    short.fit += rows.fit;
                    short.seen += rows.seen;
                }
            }
            for (category, copies) in &self.copies {
                if category >> number & 1 == 1 {
                    short.copies += copies;
                }
            }
            shortages.push(short);
        }
        shortages
    }

    /// Takes all candidates, and returns the first of each class and category, in order.
    fn first_of_class(&mut self) -> io::Result<Sorted> {
        let mut by_class =
            std::mem::replace(&mut self.by_class, Sorter::new(self.folder, SORTED_IN_MEMORY)).finish()?;
        let mut by_order = Sorter::new(self.folder, SORTED_IN_MEMORY);
        let mut push = |candidate: Candidate| by_order.push(&[bytes_of(candidate.by_order()).as_flattened()]);
        // The first candidate of the class and category that is being read.
        let mut current: Option<Candidate> = None;
        while let Some(record) = by_class.advance()? {
            let mut next = Candidate::of(words_of(record));
            if let Some(current) = &mut current {
                if (current.class, current.category) == (next.class, next.category) {
                    *self.copies.entry(next.category).or_default() += 1;
                    current.is_tied |= current.pick == next.pick;
                    continue;
                }
                let is_shared = current.class == next.class;
                next.is_shared |= is_shared;
                current.is_shared |= is_shared;
                push(*current)?;
            }
            current = Some(next);
        }
        if let Some(last) = current {
            push(last)?;
        }
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

/// The keys of rows by the columns of an order. In the answer, the values of these columns begin at `first_column`.
fn keys_of(
    batch: &Batch,
    answer: &Answer,
    first_column: usize,
    columns: &[SortColumn],
    rows: usize,
) -> Result<Vec<Keys>, PublishError> {
    let mut keys = vec![[0; MOST_COLUMNS]; rows];
    for (place, column) in columns.iter().enumerate() {
        let values = answer.reals(first_column + place).map_err(batch.wrong())?;
        for (row_keys, value) in keys.iter_mut().zip(values) {
            row_keys[place] = column.sort_key(value);
        }
    }
    Ok(keys)
}

/// The classes of rows. If a row has no class, it is computed from the canonical form.
fn complete(batch: &Batch, rows: &[u64], classes: Vec<Option<u128>>) -> Result<Vec<u128>, PublishError> {
    // Rows without a class: the number of the row, and its place in `rows`.
    let mut missing: Vec<(u64, usize)> = Vec::new();
    for (place, (&row, class)) in rows.iter().zip(&classes).enumerate() {
        if class.is_none() {
            missing.push((row, place));
        }
    }
    missing.sort_unstable();
    let mut classes: Vec<u128> = classes.into_iter().map(Option::unwrap_or_default).collect();
    // The first missing row of the next file, and the number of the first row of this file.
    let (mut start, mut file_start) = (0, 0);
    // A slice is part of one file, and its rows have the numbers that they have in the file.
    for file in &batch.files {
        if start == missing.len() {
            break;
        }
        let file_end = file_start + count_rows(file)?;
        let end = missing.partition_point(|(row, _)| *row < file_end);
        for block in missing[start..end].chunks(4096) {
            let numbers: Vec<u64> = block.iter().map(|(row, _)| row - file_start).collect();
            let records = Picked::open(file, |_| false)?.rows(&numbers, Ok::<_, PublishError>)?;
            let computed: Vec<Option<u128>> = records.par_iter().map(class_of).collect();
            for (&(_, place), class) in block.iter().zip(computed) {
                classes[place] = class.unwrap_or_default();
            }
        }
        (start, file_start) = (end, file_end);
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
            let mut block = block.iter();
            for (file, numbers) in pool.by_file(&rows) {
                let picked = Picked::open(file, |column| column == "puzzle")?;
                let records = picked.rows(&numbers, Ok::<_, PublishError>)?;
                for (record, candidate) in records.into_iter().zip(&mut block) {
                    let text = record.puzzle.as_ref().map(ToString::to_string).unwrap_or_default();
                    let by_order = bytes_of(candidate.by_order());
                    let (order, row_and_sort) = by_order.as_flattened().split_at(ORDER_BYTES);
                    copies.push(&[order, text.as_bytes(), &[0], &row_and_sort[..COPY_BYTES]])?;
                }
            }
        }
    }
    Ok(copies.finish()?)
}

/// Why there are too few puzzles: counts the rows that lack values which the request needs.
fn explained(
    shortages: Vec<ShortQuota>,
    mut tally: RowCounts,
    pool: &Pool,
    request: &Request,
    quotas: &[Quota],
) -> Result<Short, PublishError> {
    let mut missing = Vec::new();
    for (short, quota) in shortages.iter().zip(quotas) {
        if short.found < short.wanted {
            missing.push(format!("({})", quota.condition));
        }
    }
    reasons(&mut tally, pool, request, &missing.join(" OR "))?;
    // Rows without a rating are counted once, by the column of the level, whatever columns of ratings are named.
    let mut columns: BTreeSet<String> = request.condition_columns().collect();
    let level = if columns.contains("level") { "level" } else { "hodoku_level" };
    let needs_ratings = columns.remove("level") | columns.remove("hodoku_level") | columns.remove("hodoku_score");
    if needs_ratings {
        for batch in pool.batches(BATCH) {
            if batch.has(level)? {
                tally.unrated += batch.count(&format!("{level} IS NULL"))?;
            }
        }
    }
    let unknown = unknown(columns, pool)?;
    Ok(Short { quotas: shortages, tally, unknown })
}

/// Counts the rows that do not fit because a value is not known, or, among those that meet a condition, only because of
/// techniques of uniqueness.
fn reasons(tally: &mut RowCounts, pool: &Pool, request: &Request, condition: &str) -> Result<(), PublishError> {
    let count = |condition: &str| -> Result<u64, PublishError> {
        pool.batches(BATCH).par_iter().map(|batch| batch.count(condition)).sum()
    };
    if !request.any_solutions {
        tally.unsolved += count("solutions IS NULL")?;
        tally.several += count("solutions > 1")?;
    }
    if request.no_uniqueness {
        let lenient_filter = Request { no_uniqueness: false, ..request.clone() }.filter();
        let filter = request.filter();
        tally.uniqueness += count(&format!("{lenient_filter} AND ({condition}) AND ({filter}) IS NOT TRUE"))?;
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
    if !request.with_levels || pool.rows() == 0 {
        return Ok(());
    }
    // Rows that carry a level need no other column, unless the scale computes the levels from ratings.
    if !request.scale.by_ratings && unknown(BTreeSet::from(["level".to_owned()]), pool)?.is_empty() {
        return Ok(());
    }
    let scale = &request.scale.levels;
    let mut columns: BTreeSet<String> = scale.columns().into_iter().collect();
    columns.retain(|name| name.starts_with("effort_") || name == "finished" || name == "se_er_tenths");
    for column in unknown(columns, pool)? {
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
        answer.flags(0).map_err(|_| PublishError::condition(text, "neither true nor false"))?;
    }
    Ok(())
}
