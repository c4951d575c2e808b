//! The first pass of a selection: reads a few columns of each row, keeps the best rows of each kind, and fills the quotas
//! from these.

use std::collections::{BTreeMap, HashSet};

use rayon::ThreadPool;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::PublishError;
use super::best::{Best, Candidate};
use super::order::{self, Key, MOST_COLUMNS, Pick, SortColumn};
use super::pool::Piece;
use super::quota::{Filler, Quota};
use super::seen::{Seen, class_of};
use super::tally::{RowCounts, Short, ShortQuota};
use super::wish::Wanted;
use sudoku_corpus_store::corpus::{CorpusError, Picked, ROW_NUMBER, Scan, count_rows};

/// The query for the rows of a pool, and the best rows so far.
pub(super) struct Asking<'a> {
    wanted: &'a Wanted,
    sql: String,
    /// The columns that determine the order. Each has a column in the answer, after the row number and the class.
    order: Vec<SortColumn>,
    /// Number of quotas. Each has a column in the answer, after those of the order.
    quotas: usize,
    /// The most candidates to keep of each kind: the sum of all quotas.
    limit: usize,
    /// The best candidates of each kind. A kind is the set of quotas that a row fits, one bit per quota.
    best: BTreeMap<u64, Best>,
    /// Rows of each kind: those that fit, and those of them that are in earlier exports.
    rows: BTreeMap<u64, (u64, u64)>,
}

impl<'a> Asking<'a> {
    pub fn new(wanted: &'a Wanted, quotas: &[Quota]) -> Asking<'a> {
        let order = if let Pick::Columns(columns) = &wanted.pick { columns.clone() } else { Vec::new() };
        let sorts = order.iter().enumerate().map(|(at, column)| format!("{} AS order_{at}", column.sql()));
        let fits = quotas.iter().enumerate().map(|(at, quota)| format!("({}) AS fits_{at}", quota.condition));
        let columns: Vec<String> =
            [ROW_NUMBER.to_owned(), "class".to_owned()].into_iter().chain(sorts).chain(fits).collect();
        let sql = format!("SELECT {} FROM puzzles WHERE {}", columns.join(", "), wanted.filter());
        let total = quotas.iter().fold(0u64, |sum, quota| sum.saturating_add(quota.count));
        let limit = usize::try_from(total).unwrap_or(usize::MAX);
        Asking { wanted, sql, order, quotas: quotas.len(), limit, best: BTreeMap::new(), rows: BTreeMap::new() }
    }

    /// Takes the rows of a piece into account.
    pub fn take(
        &mut self,
        piece: &Piece,
        seen: &Seen,
        workers: &ThreadPool,
        tally: &mut RowCounts,
    ) -> Result<(), PublishError> {
        let candidates = self.candidates(piece, workers)?;
        tally.fit += candidates.len() as u64;
        self.offer(candidates.into_iter(), seen, tally)
    }

    /// The rows of a piece that fit, each with the quotas that it fits.
    pub fn candidates(&self, piece: &Piece, workers: &ThreadPool) -> Result<Vec<(u64, Candidate)>, PublishError> {
        let wrong = |reason| CorpusError::File { path: piece.files[0].clone(), reason };
        let scan = Scan::numbered(&piece.files, piece.slice).map_err(wrong)?;
        let answer = scan.ask(&self.sql)?;
        let rows = answer.integers(0).map_err(wrong)?;
        let mut classes = Vec::with_capacity(rows.len());
        answer
            .texts(1, |class| classes.push(class.and_then(|class| u128::from_str_radix(class, 16).ok())))
            .map_err(wrong)?;
        let classes = workers.install(|| complete(piece, &rows, classes))?;
        let mut kinds = vec![0u64; rows.len()];
        for quota in 0..self.quotas {
            let fits = answer.flags(2 + self.order.len() + quota).map_err(wrong)?;
            kinds.iter_mut().zip(fits).for_each(|(kind, fits)| *kind |= u64::from(fits) << quota);
        }
        let mut words = vec![[0; MOST_COLUMNS]; rows.len()];
        for (at, column) in self.order.iter().enumerate() {
            let values = answer.reals(2 + at).map_err(wrong)?;
            words.iter_mut().zip(values).for_each(|(words, value)| words[at] = column.word(value));
        }
        if let Pick::Random(seed) = self.wanted.pick {
            words.iter_mut().zip(&classes).for_each(|(words, &class)| *words = order::random_words(seed, class));
        }
        let as_they_come = self.wanted.pick == Pick::Input;
        let candidate = |at: usize| {
            let class = if as_they_come { 0 } else { classes[at] };
            let key = Key { words: words[at], class, row: piece.first + rows[at] };
            (kinds[at], Candidate { class: classes[at], key })
        };
        Ok((0..rows.len()).map(candidate).collect())
    }

    /// Keeps the candidates that are among the best of their kind and that were not published before.
    fn offer(
        &mut self,
        candidates: impl Iterator<Item = (u64, Candidate)>,
        seen: &Seen,
        tally: &mut RowCounts,
    ) -> Result<(), PublishError> {
        let limit = self.limit;
        let (best, counts) = (&mut self.best, &mut self.rows);
        let mut good: Vec<(u64, Candidate)> = candidates
            .filter(|(kind, candidate)| {
                counts.entry(*kind).or_default().0 += 1;
                *kind != 0 && best.entry(*kind).or_insert_with(|| Best::new(limit)).wants(&candidate.key)
            })
            .collect();
        if !seen.is_empty() {
            good.sort_unstable_by_key(|(_, candidate)| (candidate.class, candidate.key));
            let classes: Vec<u128> = good.iter().map(|(_, candidate)| candidate.class).collect();
            let mut marks = seen.mark(&classes)?.into_iter();
            good.retain(|(kind, _)| {
                let seen = marks.next() == Some(true);
                counts.entry(*kind).or_default().1 += u64::from(seen);
                !seen
            });
            tally.seen += (classes.len() - good.len()) as u64;
        }
        for (kind, candidate) in good {
            if let Some(best) = best.get_mut(&kind) {
                best.push(candidate);
            }
        }
        Ok(())
    }

    /// Fills the quotas with the best candidates.
    pub fn fill(&mut self, quotas: &[Quota], tally: RowCounts) -> Result<Filled, PublishError> {
        let mut candidates: Vec<(u64, Candidate)> = Vec::new();
        let (mut copies, mut tied): (BTreeMap<u64, u64>, bool) = (BTreeMap::new(), false);
        for (kind, best) in std::mem::take(&mut self.best) {
            let kept = best.finish();
            candidates.extend(kept.candidates.into_iter().map(|candidate| (kind, candidate)));
            copies.insert(kind, kept.copies);
            tied |= kept.tied;
        }
        candidates.sort_unstable_by_key(|(kind, Candidate { key, .. })| (key.words, key.class, *kind, key.row));
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
                taken.push((kind, candidate));
            }
        }
        let everything = quotas.len() == 1 && quotas[0].count == u64::MAX;
        // A request for all puzzles is never short, unless there is none.
        if !filler.is_full() && (!everything || taken.is_empty()) {
            let wanted = |quota: &Quota| if everything { 1 } else { quota.count };
            let short = |(at, quota): (usize, &Quota)| {
                let of_quota = |kind: &u64| kind >> at & 1 == 1;
                let (fit, seen) = self
                    .rows
                    .iter()
                    .filter(|(kind, _)| of_quota(kind))
                    .fold((0, 0), |sum, (_, rows)| (sum.0 + rows.0, sum.1 + rows.1));
                let copies = copies.iter().filter(|(kind, _)| of_quota(kind)).map(|(_, copies)| copies).sum();
                ShortQuota {
                    name: quota.name.clone(),
                    found: filler.filled()[at],
                    wanted: wanted(quota),
                    fit,
                    seen,
                    copies,
                }
            };
            let quotas = quotas.iter().enumerate().map(short).collect();
            return Err(Short { quotas, tally, unknown: Vec::new() }.into());
        }
        let kinds = filler.hand_out(taken.iter().map(|(kind, _)| *kind));
        Ok(Filled { taken, quotas: kinds, copies: tied && self.wanted.pick != Pick::Input })
    }
}

/// The puzzles that fill the quotas.
pub(super) struct Filled {
    /// The candidates in order, with the quotas that each fits.
    pub taken: Vec<(u64, Candidate)>,
    /// The quota that each fills.
    pub quotas: Vec<usize>,
    /// Some rows of one class have the same sort keys, and it is not decided yet which of them represents the class.
    pub copies: bool,
}

/// The classes of rows. If a row has no class, it is computed from the canonical form.
fn complete(piece: &Piece, rows: &[u64], classes: Vec<Option<u128>>) -> Result<Vec<u128>, PublishError> {
    let mut missing: Vec<(u64, usize)> = rows
        .iter()
        .zip(&classes)
        .enumerate()
        .filter(|(_, (_, class))| class.is_none())
        .map(|(at, (&row, _))| (row, at))
        .collect();
    missing.sort_unstable();
    let mut classes: Vec<u128> = classes.into_iter().map(Option::unwrap_or_default).collect();
    if missing.is_empty() {
        return Ok(classes);
    }
    let mut start = 0;
    let mut first = 0;
    // A slice is part of one file, and its rows have the numbers that they have in the file.
    for file in &piece.files {
        let end = first + count_rows(file)?;
        let until = missing.partition_point(|(row, _)| *row < end);
        let (mine, from) = (&missing[start..until], first);
        for block in mine.chunks(4096) {
            let numbers: Vec<u64> = block.iter().map(|(row, _)| row - from).collect();
            let records = Picked::open(file, |_| false)?.rows(&numbers, Ok::<_, PublishError>)?;
            let found: Vec<Option<u128>> = records.par_iter().map(class_of).collect();
            for (&(_, at), class) in block.iter().zip(found) {
                classes[at] = class.unwrap_or_default();
            }
        }
        start = until;
        first = end;
    }
    Ok(classes)
}
