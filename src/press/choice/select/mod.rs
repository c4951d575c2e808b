//! Selects puzzles from a corpus: exactly as many as the quotas ask for, no two of them isomorphic.
//!
//! [`choose`] does it in these steps. A *class* has isomorphic puzzles, a *category* the rows that fit the same quotas;
//! *pick keys* say which rows are taken first, *sort keys* where they stand in the result (see `candidate`).
//!
//! ```text
//!   step                    file          what it does
//!   Question::candidates    here          reads class, category and keys of every row, in batches of 20,000 rows
//!   FirstPass::offer        first_pass    leaves out earlier exports, and now and then all but the first N of a category
//!   FirstPass::fill         first_pass    keeps one row of each class and category; takes rows in order for which quotas
//!                                         have room; ends with an error if quotas are short
//!   chosen_rows             here          finds the place of each chosen row in the result
//!   read                    rows/read     reads all columns of the chosen rows, solves them again as a check
//! ```
//!
//! Memory hardly grows with the corpus: there are 8 bytes for each puzzle, and 16 more if copies of it were left out.
//! The result depends on the request and on the rows, but not on the number of threads. A random choice does not depend
//! on the order of the rows either, because a puzzle's place in the random order is a hash of its class. Of several
//! rows of a class, the first in the order is taken; ties are broken by the text of the cells.

mod candidate;
mod first_pass;
mod weights;

use std::collections::BTreeSet;
use std::path::Path;

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use self::candidate::Candidate;
use self::first_pass::{FirstPass, Taken};
use self::weights::Weights;
use crate::choice::order::{self, Keys, Pick, SortColumn};
use crate::choice::quota::Quota;
use crate::choice::request::{Request, SORTED_IN_MEMORY, UNSOLVABLE};
use crate::choice::rows::pool::{BATCH, Batch, Pool};
use crate::choice::rows::puzzles::Puzzles;
use crate::choice::rows::read::{PickedRow, read};
use crate::error::PublishError;
use crate::index::seen::{Seen, class_of};
use crate::tally::{RowCounts, Short, ShortQuota};
use sudoku_corpus_core::board::Shape;
use sudoku_corpus_store::corpus::sorter::{Sorted, Sorter, bytes_of};
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
    let is_weighted = matches!(request.pick, Pick::Weighted(_));
    let weights = is_weighted.then(|| Weights::of(pool, request, &quotas)).transpose()?;
    let question = Question::new(request, &quotas, only, weights);
    let mut first_pass = FirstPass::new(request, &quotas, &job.folder);
    job.progress.begin(Some(pool.rows()), 0);
    let read_batch = |batch: Batch| Ok::<_, PublishError>((question.candidates(&batch)?, batch.rows));
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
        count_unfit(&mut tally, pool, request, "TRUE")?;
    }
    let filled = taken.filler.filled().to_vec();
    let chosen = read(pool, request, chosen_rows(taken, pool, &question, &job.folder)?, job)?;
    Ok(Choice { chosen, filled, tally, skipped: pool.skipped })
}

/// Reads a few columns of each row.
struct Question<'a> {
    pick: &'a Pick,
    /// The query. Its columns are: row number, class, one for each column of `pick_columns` and of `sort_columns`, a flag
    /// for each quota, and log_weight if there are weights.
    sql: String,
    /// The columns that give the pick keys: none if chance or the input decides.
    pick_columns: &'a [SortColumn],
    sort_columns: &'a [SortColumn],
    quotas: usize,
    /// Only these classes may be chosen. None for all.
    only: Option<&'a Seen>,
    /// The weights of the rows, if they decide the choice.
    weights: Option<Weights>,
}

/// The first columns of an answer to a question.
const ROW_COLUMN: usize = 0;
const CLASS_COLUMN: usize = 1;
const FIRST_PICK_COLUMN: usize = 2;

impl<'a> Question<'a> {
    fn new(request: &'a Request, quotas: &[Quota], only: Option<&'a Seen>, weights: Option<Weights>) -> Question<'a> {
        let pick_columns: &[SortColumn] = if let Pick::Columns(columns) = &request.pick { columns } else { &[] };
        let mut columns = vec![ROW_NUMBER.to_owned(), "class".to_owned()];
        for (number, column) in pick_columns.iter().chain(&request.sort).enumerate() {
            columns.push(format!("{} AS order_{number}", column.sql()));
        }
        for (number, quota) in quotas.iter().enumerate() {
            columns.push(format!("({}) AS fits_{number}", quota.condition));
        }
        if weights.is_some() {
            columns.push("log_weight".to_owned());
        }
        let sql = format!("SELECT {} FROM puzzles WHERE {}", columns.join(", "), request.filter());
        let sort_columns = &request.sort;
        Question { pick: &request.pick, sql, pick_columns, sort_columns, quotas: quotas.len(), only, weights }
    }

    fn candidates(&self, batch: &Batch) -> Result<Vec<Candidate>, PublishError> {
        let answer = batch.ask(&self.sql)?;
        let first_sort_column = FIRST_PICK_COLUMN + self.pick_columns.len();
        let first_quota_column = first_sort_column + self.sort_columns.len();
        let weight_column = first_quota_column + self.quotas;
        let rows = answer.integers(ROW_COLUMN).map_err(batch.wrong())?;
        let classes = complete_classes(batch, &rows, batch.classes(&answer, CLASS_COLUMN)?)?;
        let picks = keys_of(batch, &answer, FIRST_PICK_COLUMN, self.pick_columns)?;
        let sorts = keys_of(batch, &answer, first_sort_column, self.sort_columns)?;
        let mut candidates = Vec::new();
        for (number, row) in rows.into_iter().enumerate() {
            let (class, pick, sort) = (classes[number], picks[number], sorts[number]);
            candidates.push(Candidate { class, pick, row: batch.first + row, sort, ..Candidate::default() });
        }
        for quota in 0..self.quotas {
            let fits = answer.flags(first_quota_column + quota).map_err(batch.wrong())?;
            for (candidate, fits) in candidates.iter_mut().zip(fits) {
                candidate.category |= u64::from(fits) << quota;
            }
        }
        let log_weights = match &self.weights {
            Some(_) => answer.reals(weight_column).map_err(batch.wrong())?,
            None => Vec::new(),
        };
        self.give_pick_keys(&mut candidates, &log_weights);
        candidates.retain(|candidate| self.only.is_none_or(|only| only.has(candidate.class)));
        Ok(candidates)
    }

    /// Gives candidates their pick keys, unless columns have given them. There is a logarithm for each candidate if
    /// weights decide.
    fn give_pick_keys(&self, candidates: &mut [Candidate], log_weights: &[Option<f64>]) {
        match self.pick {
            Pick::Columns(_) => {}
            Pick::Input => candidates.iter_mut().for_each(|candidate| candidate.pick[0] = candidate.row),
            Pick::Random(seed) => {
                for candidate in candidates {
                    candidate.pick = order::random_keys(*seed, candidate.class);
                }
            }
            Pick::Weighted(seed) => {
                for (candidate, log_weight) in candidates.iter_mut().zip(log_weights) {
                    if candidate.category == 0 {
                        continue;
                    }
                    let uniform = order::uniform(order::random_keys(*seed, candidate.class)[0]);
                    // A row fits one quota at most: `Weights::of` has refused others.
                    let quota = candidate.category.trailing_zeros() as usize;
                    candidate.pick[0] = match (&self.weights, log_weight) {
                        (Some(weights), Some(log_weight)) => weights.key(quota, *log_weight, uniform),
                        _ => u64::MAX,
                    };
                }
            }
        }
    }
}

/// The chosen rows as records by row ([`PickedRow`]). The sort keys give each its place in the result; if they agree, the
/// row that was picked earlier comes first.
fn chosen_rows(mut taken: Taken, pool: &Pool, question: &Question<'_>, folder: &Path) -> Result<Sorted, PublishError> {
    let mut copies = tied_copies(&taken.tied_classes, pool, question, folder)?;
    let mut quota_of = taken.filler.hand_out();
    // Its records: the sort keys, the number of the pick, the picked row.
    let mut by_place = Sorter::new(folder, SORTED_IN_MEMORY);
    for pick in 0u64.. {
        let Some(record) = taken.by_order.advance()? else { break };
        let mut candidate = Candidate::of_order_record(record);
        // Both files have the order of picking. Of tied copies, the first by its cells represents the class.
        let mut needs_copy = candidate.is_tied;
        while needs_copy && let Some(copy) = copies.advance()? {
            needs_copy = !candidate.take_row(copy);
        }
        let Candidate { class, category, row, sort, .. } = candidate;
        let picked = PickedRow { row, place: pick, quota: quota_of(category), class };
        by_place.push(&[bytes_of(sort).as_flattened(), &pick.to_be_bytes(), picked.by_row().as_flattened()])?;
    }
    let mut by_place = by_place.finish()?;
    let mut by_row = Sorter::new(folder, SORTED_IN_MEMORY);
    for place in 0u64.. {
        let Some(record) = by_place.advance()? else { break };
        let picked = PickedRow::of(&record[size_of::<Keys>() + size_of::<u64>()..]);
        by_row.push(&[PickedRow { place, ..picked }.by_row().as_flattened()])?;
    }
    Ok(by_row.finish()?)
}

/// The keys of rows by columns, whose values are in the columns of the answer from `first` on.
fn keys_of(batch: &Batch, answer: &Answer, first: usize, columns: &[SortColumn]) -> Result<Vec<Keys>, PublishError> {
    let mut keys = vec![Keys::default(); answer.len()];
    for (number, column) in columns.iter().enumerate() {
        let values = answer.reals(first + number).map_err(batch.wrong())?;
        for (key, value) in keys.iter_mut().zip(values) {
            key[number] = column.sort_key(value);
        }
    }
    Ok(keys)
}

/// The most records that are read at once.
const RECORDS: usize = 4096;

/// The classes of the rows of a batch, in the order of `rows`: the numbers of these rows, from 0 at the first row of
/// the first file. Missing classes are computed from the puzzles.
fn complete_classes(batch: &Batch, rows: &[u64], classes: Vec<Option<u128>>) -> Result<Vec<u128>, PublishError> {
    // The positions in `rows` of those without a class, by ascending row numbers.
    let mut missing: Vec<usize> = (0..rows.len()).filter(|&position| classes[position].is_none()).collect();
    missing.sort_unstable_by_key(|&position| rows[position]);
    let mut missing = missing.as_slice();
    let mut classes: Vec<u128> = classes.into_iter().map(Option::unwrap_or_default).collect();
    // The number of the first row of the file. (The rows of a slice, which is part of one file, count from there, too.)
    let mut first_row = 0;
    for file in &batch.files {
        if missing.is_empty() {
            break;
        }
        let end_row = first_row + count_rows(file)?;
        let (in_file, in_later_files) = missing.split_at(missing.partition_point(|&position| rows[position] < end_row));
        for positions in in_file.chunks(RECORDS) {
            let numbers: Vec<u64> = positions.iter().map(|&position| rows[position] - first_row).collect();
            let records = Picked::open(file, |_| false)?.rows(&numbers, Ok::<_, PublishError>)?;
            let computed: Vec<Option<u128>> = records.par_iter().map(class_of).collect();
            for (&position, class) in positions.iter().zip(computed) {
                classes[position] = class.unwrap_or_default();
            }
        }
        missing = in_later_files;
        first_row = end_row;
    }
    Ok(classes)
}

/// All candidates of some classes, as the records of tied copies: the text of the cells decides which copy comes first,
/// so the order of the rows does not matter.
fn tied_copies(classes: &[u128], pool: &Pool, question: &Question<'_>, folder: &Path) -> Result<Sorted, PublishError> {
    let mut copies = Sorter::new(folder, SORTED_IN_MEMORY);
    if classes.is_empty() {
        return Ok(copies.finish()?);
    }
    for batch in pool.batches(BATCH) {
        let mut candidates = question.candidates(&batch)?;
        candidates.retain(|candidate| classes.binary_search(&candidate.class).is_ok());
        // In ascending order, because `by_file` divides them so, and the records come in the order of the rows.
        candidates.sort_unstable_by_key(|candidate| candidate.row);
        for block in candidates.chunks(RECORDS) {
            let rows: Vec<u64> = block.iter().map(|candidate| candidate.row).collect();
            let mut candidates_of_block = block.iter();
            for (file, numbers) in pool.by_file(&rows) {
                let picked = Picked::open(file, |column| column == "puzzle")?;
                let records = picked.rows(&numbers, Ok::<_, PublishError>)?;
                for (record, candidate) in records.into_iter().zip(&mut candidates_of_block) {
                    let text = record.puzzle.as_ref().map(ToString::to_string).unwrap_or_default();
                    copies.push(&[&candidate.tied_record(&text)])?;
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
    let mut named: BTreeSet<String> = request.columns_named().collect();
    let level = if named.contains("level") { "level" } else { "hodoku_level" };
    // Each of them is removed (so `|`, not `||`): rows without a rating have a count of their own.
    let names_rating = named.remove("level") | named.remove("hodoku_level") | named.remove("hodoku_score");
    let not_filled = short.iter().zip(quotas).filter(|(short, _)| short.found < short.wanted);
    let conditions: Vec<String> = not_filled.map(|(_, quota)| format!("({})", quota.condition)).collect();
    count_unfit(&mut tally, pool, request, &conditions.join(" OR "))?;
    if names_rating {
        for batch in pool.batches(BATCH) {
            if batch.has(level)? {
                tally.unrated += batch.count(&format!("{level} IS NULL"))?;
            }
        }
    }
    let unknown = empty_columns(named, pool)?;
    let instead = pool.instead(conditions, request, &short)?;
    Ok(Short { quotas: short, tally: tally.into(), unknown, instead })
}

/// Rows whose number of solutions is not known.
const UNSOLVED: &str = "holes > 0 AND (solutions IS NULL OR solutions < 2 AND solutions_exact IS NOT TRUE)";

/// Counts the rows that are no puzzles to choose, or do not fit because a value is not known. Also counts the rows that
/// meet `condition` but need techniques of uniqueness, if these are not allowed.
fn count_unfit(tally: &mut RowCounts, pool: &Pool, request: &Request, condition: &str) -> Result<(), PublishError> {
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
        let with_uniqueness = Request { no_uniqueness: false, ..request.clone() }.filter();
        let without = request.filter();
        tally.uniqueness += count(&format!("{with_uniqueness} AND ({condition}) AND ({without}) IS NOT TRUE"))?;
    }
    Ok(())
}

/// Those of some columns in which no row of the pool has a value.
fn empty_columns(mut columns: BTreeSet<String>, pool: &Pool) -> Result<BTreeSet<String>, PublishError> {
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
    // The column of the levels is used as it is, and some row has one.
    if !request.scale.by_ratings && empty_columns(BTreeSet::from(["level".to_owned()]), pool)?.is_empty() {
        return Ok(());
    }
    let scale = &request.scale.levels;
    let mut columns = scale.columns();
    columns.retain(|name| name.starts_with("effort_") || ["finished", "se_er_tenths"].contains(&name.as_str()));
    for column in empty_columns(columns.into_iter().collect(), pool)? {
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
        answer.flags(0).map_err(|_| {
            PublishError::condition(text, "neither true nor false; compare, in quotes, as in 'givens > 24'")
        })?;
    }
    Ok(())
}
