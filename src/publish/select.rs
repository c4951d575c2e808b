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

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::path::Path;

use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::PublishError;
use super::best::{Best, Candidate};
use super::condition;
use super::order::{self, Key, MOST_COLUMNS, Pick, SortColumn};
use super::pool::{PIECE, Piece, Pool};
use super::quota::{Filler, Quota};
use super::seen::{Seen, class_of};
use super::wish::Wanted;
use crate::board::Puzzle;
use crate::corpus::{CorpusError, OnError, Picked, Progress, ROW_NUMBER, Record, Scan, Silent, StopFlag};
use crate::solve::{Budget, Verdict, verdict};

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

/// A puzzle that was chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// Its row; it has a puzzle. Columns that no format needs are missing, unless all were asked for.
    pub record: Record,
    /// Which quota it fills: its place in [`Wanted::quotas`], or their number for those that fill up the count.
    pub quota: usize,
    /// Its class.
    pub class: u128,
}

impl Chosen {
    /// The puzzle.
    pub fn puzzle(&self) -> Option<&Puzzle> {
        self.record.puzzle.as_ref()
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

/// The first pass: what stands in each row, and the best rows so far.
struct Asking<'a> {
    wanted: &'a Wanted,
    sql: String,
    /// Columns of the answer with words of the order, and with quotas.
    order: Vec<SortColumn>,
    quotas: usize,
    limit: usize,
    best: BTreeMap<u64, Best>,
}

impl<'a> Asking<'a> {
    fn new(wanted: &'a Wanted, quotas: &[Quota]) -> Asking<'a> {
        let order = if let Pick::Columns(columns) = &wanted.pick { columns.clone() } else { Vec::new() };
        let sorts = order.iter().enumerate().map(|(at, column)| format!("{} AS order_{at}", column.sql()));
        let fits = quotas.iter().enumerate().map(|(at, quota)| format!("({}) AS fits_{at}", quota.condition));
        let columns: Vec<String> =
            [ROW_NUMBER.to_owned(), "class".to_owned()].into_iter().chain(sorts).chain(fits).collect();
        let sql = format!("SELECT {} FROM puzzles WHERE {}", columns.join(", "), wanted.filter());
        let total = quotas.iter().fold(0u64, |sum, quota| sum.saturating_add(quota.count));
        let limit = usize::try_from(total).unwrap_or(usize::MAX);
        Asking { wanted, sql, order, quotas: quotas.len(), limit, best: BTreeMap::new() }
    }

    /// Looks at the rows of a piece.
    fn take(
        &mut self,
        piece: &Piece,
        seen: &Seen,
        workers: &ThreadPool,
        tally: &mut Tally,
    ) -> Result<(), PublishError> {
        let wrong = |reason| CorpusError::File { path: piece.files[0].clone(), reason };
        let scan = Scan::numbered(&piece.files, piece.slice).map_err(wrong)?;
        let answer = scan.ask(&self.sql).map_err(wrong)?;
        let rows = answer.wholes(0).map_err(wrong)?;
        tally.fit += rows.len() as u64;
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
        let candidates = (0..rows.len()).map(|at| {
            let key = Key { words: words[at], row: piece.first + rows[at] };
            (kinds[at], Candidate { class: classes[at], key })
        });
        self.offer(candidates, seen, tally)
    }

    /// Keeps those candidates that are among the best of their kind and were not seen.
    fn offer(
        &mut self,
        candidates: impl Iterator<Item = (u64, Candidate)>,
        seen: &Seen,
        tally: &mut Tally,
    ) -> Result<(), PublishError> {
        let limit = self.limit;
        let best = &mut self.best;
        let mut good: Vec<(u64, Candidate)> = candidates
            .filter(|(kind, candidate)| {
                *kind != 0 && best.entry(*kind).or_insert_with(|| Best::new(limit)).wants(&candidate.key)
            })
            .collect();
        if !seen.is_empty() {
            good.sort_unstable_by_key(|(_, candidate)| (candidate.class, candidate.key));
            let classes: Vec<u128> = good.iter().map(|(_, candidate)| candidate.class).collect();
            let mut marks = seen.mark(&classes)?.into_iter();
            good.retain(|_| marks.next() != Some(true));
            tally.seen += (classes.len() - good.len()) as u64;
        }
        for (kind, candidate) in good {
            if let Some(best) = best.get_mut(&kind) {
                best.push(candidate);
            }
        }
        Ok(())
    }

    /// Fills the quotas with the best candidates. Gives those taken, in order, and the quota of each.
    fn fill(self, quotas: &[Quota], tally: Tally) -> Result<(Vec<Candidate>, Vec<usize>), PublishError> {
        let mut candidates: Vec<(u64, Candidate)> = self
            .best
            .into_iter()
            .flat_map(|(kind, best)| best.finish().into_iter().map(move |candidate| (kind, candidate)))
            .collect();
        candidates.sort_unstable_by_key(|(_, candidate)| candidate.key);
        let mut filler = Filler::new(quotas.iter().map(|quota| quota.count).collect());
        let mut classes = HashSet::new();
        let mut taken = Vec::new();
        for (kind, candidate) in candidates {
            if filler.is_full() {
                break;
            }
            if !classes.contains(&candidate.class) && filler.take(kind) {
                classes.insert(candidate.class);
                taken.push((kind, candidate));
            }
        }
        let everything = quotas.len() == 1 && quotas[0].count == u64::MAX;
        // All that there are is never short, if there are any.
        if !filler.is_full() && (!everything || taken.is_empty()) {
            let wanted = |quota: &Quota| if everything { 1 } else { quota.count };
            let rows = quotas.iter().zip(filler.filled());
            let quotas = rows.map(|(quota, &found)| (quota.name.clone(), found, wanted(quota))).collect();
            return Err(Short { quotas, tally }.into());
        }
        let kinds = filler.hand_out(taken.iter().map(|(kind, _)| *kind));
        Ok((taken.into_iter().map(|(_, candidate)| candidate).collect(), kinds))
    }
}

/// The classes of rows; where a row has none, that of its canonical form.
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
    // A slice has one file, and its rows are numbered as the file's are.
    for file in &piece.files {
        let end = first + crate::corpus::count_rows(file)?;
        let until = missing.partition_point(|(row, _)| *row < end);
        let (mine, from) = (&missing[start..until], first);
        for block in mine.chunks(4096) {
            let numbers: Vec<u64> = block.iter().map(|(row, _)| row - from).collect();
            let records = Picked::open(file, |_| false)?.rows(&numbers)?;
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

/// The second pass: reads the chosen rows and checks them.
fn read(pool: &Pool, wanted: &Wanted, picked: &[Candidate], quotas: &[usize]) -> Result<Vec<Chosen>, PublishError> {
    let mut places: Vec<(u64, usize)> =
        picked.iter().enumerate().map(|(at, candidate)| (candidate.key.row, at)).collect();
    places.sort_unstable();
    let numbers: Vec<u64> = places.iter().map(|&(row, _)| row).collect();
    let files = pool.by_file(&numbers);
    let read = |(path, rows): (&Path, Vec<u64>)| {
        let records = Picked::open(path, |column| wanted.reads(column))?.rows(&rows)?;
        records.into_iter().map(|record| checked(record, wanted)).collect::<Result<Vec<Record>, PublishError>>()
    };
    let records: Vec<Vec<Record>> = files.into_par_iter().map(read).collect::<Result<_, _>>()?;
    // Filled from the front while the rows of each file are given back: there is never a second copy.
    let mut chosen = Vec::with_capacity(picked.len());
    for (record, &(_, at)) in records.into_iter().flatten().zip(&places) {
        chosen.push(Chosen { record, quota: quotas[at], class: picked[at].class });
    }
    put_in_place(&mut chosen, places.into_iter().map(|(_, at)| at).collect());
    Ok(chosen)
}

/// Moves each item to its place, by as many exchanges as there are items at most.
fn put_in_place<T>(items: &mut [T], mut places: Vec<usize>) {
    for from in 0..items.len() {
        while let Some(to) = places.get(from).copied().filter(|&to| to != from && to < items.len()) {
            items.swap(from, to);
            places.swap(from, to);
        }
    }
}

/// Search positions that solving a chosen puzzle once more may take: boards of order 9 need a few hundred at most.
const CHECK: Budget = Budget(100_000);

/// A row whose puzzle has the one solution that the row says. Large boards are not solved again.
fn checked(record: Record, wanted: &Wanted) -> Result<Record, PublishError> {
    let Some(puzzle) = &record.puzzle else { return Ok(record) };
    let untrue = |reason| PublishError::Untrue { puzzle: puzzle.to_string(), reason };
    if wanted.any_solutions || puzzle.shape().order() > 9 {
        return Ok(record);
    }
    match (verdict(puzzle, CHECK), &record.solution) {
        (Verdict::Several(..), _) => Err(untrue("its row says that it has one solution, but it has several")),
        (Verdict::Unsolvable, _) => Err(untrue("its row says that it has one solution, but it has none")),
        (Verdict::Unique(found), Some(said)) if found != *said => Err(untrue("its solution is another one")),
        (Verdict::Unique(found), None) => Ok(Record { solution: Some(found), ..record }),
        _ => Ok(record),
    }
}

#[cfg(test)]
mod tests {
    use crate::random::{Rng, Stage};

    #[test]
    fn items_are_put_in_their_places() {
        for index in 0..200 {
            let mut rng = Rng::new(1, index, Stage::Bench, 0);
            let mut places: Vec<usize> = (0..rng.below(30)).collect();
            rng.shuffle(&mut places);
            let mut items = places.clone();
            super::put_in_place(&mut items, places);
            assert!(items.iter().copied().eq(0..items.len()), "{items:?}");
        }
    }
}
