//! The search for a stock. Grids are tried in order, some at a time. Each gives at most one puzzle.
//!
//! ```text
//!   grid -> minimal puzzle -> too hard? put a given back -> too hard? ... -> the first puzzle of an open class
//! ```
//!
//! Grids are tried in rounds of [`ROUND`]. The set of open classes changes only between two rounds, and finds are taken
//! in the order of their grids. So the result depends on the recipe alone. A journal beside the parts keeps the finds;
//! a search that was killed continues after its last line.
//!
//! A class is closed when it has enough puzzles, or when more than `retries` grids after its last find gave none for
//! it. All are closed when the search has tried as many grids as it may.

pub(crate) mod judge;
mod share;

use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};

pub use self::share::find_share;

use self::judge::{Judge, Placement};
use self::share::Shares;
use super::corpus_folder::Folder;
use crate::corpus::files::atomic::write_atomically;
use crate::corpus::files::names::STOCK_FILE;
use crate::corpus::files::progress::Job;
use crate::corpus::files::workers::Workers;
use crate::corpus::request::find::{dug, put_back};
use crate::corpus::request::recipe::Recipe;
use crate::corpus::request::stock::{ClassFinds, Find, Finds, Head, Stock};
use crate::corpus::values::error::{CorpusError, MakeError, Result};
use sudoku_corpus_core::catalogue::canonical;

/// Grids in a round. This number influences the rows.
const ROUND: u64 = 256;

/// The journal gets a line after each round with a find, and after each round whose number is a multiple of this.
const QUIET: u64 = 32;

/// The journal, from which a killed search continues.
const JOURNAL: &str = ".stock.journal";

/// A puzzle for an open class.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Hit {
    /// The place of its class in the stock.
    class: usize,
    grid: u64,
    /// How many givens (or orbits of givens) were put back.
    back: u32,
    /// The hash of its canonical form.
    form: u128,
}

/// A line of the journal: the hits of the last round, and the number of the grid after it.
#[derive(Serialize, Deserialize)]
struct Round {
    end: u64,
    hits: Vec<Hit>,
}

/// What is known of a class during the search.
#[derive(Clone, Default)]
struct Seeking {
    finds: Vec<Find>,
    /// The number of grids at the end of the round with its last find.
    last: u64,
    /// The number of grids when it was closed. None if it is open.
    closed: Option<u64>,
}

/// The state of a search.
struct StockSearch<'a> {
    recipe: &'a Recipe,
    stock: &'a Stock,
    classes: Vec<Seeking>,
    /// The hashes of the canonical forms of all finds.
    forms: HashSet<u128>,
    /// The first grid of the next round.
    next: u64,
}

/// Searches the puzzles of a stock, or reads those that an earlier search found in the folder. Returns the recipe with
/// them. A recipe without a stock, or one that has its finds already, is returned as it is. None if the search was
/// stopped; it continues next time.
///
/// # Errors
/// The folder is busy or has another search; a grid cannot be made; the system reports an error.
pub fn find_stock(recipe: &Recipe, folder: &Path, job: &Job<'_>) -> Result<Option<Recipe>> {
    let Some(stock) = recipe.stock.as_ref().filter(|stock| stock.found.is_none()) else {
        return Ok(Some(recipe.clone()));
    };
    let mut workers = Workers::new(job.threads)?;
    let _held = Folder::open(folder, true)?;
    let other =
        |difference: &str| Err(CorpusError::OtherRecipe { path: folder.to_owned(), difference: difference.to_owned() });
    let name = recipe.fingerprint();
    let (path, journal) = (folder.join(STOCK_FILE), folder.join(JOURNAL));
    if !path.exists() {
        let classes = vec![Seeking::default(); stock.classes.len()];
        let mut search = StockSearch { recipe, stock, classes, forms: HashSet::new(), next: 0 };
        search.close();
        if !search.replay(&journal, &name)? {
            return other("a search for another recipe was started in this folder");
        }
        if !search.run(&journal, Shares::open(recipe, folder)?, &mut workers, job)? {
            return Ok(None);
        }
        write_atomically(&path, search.text(name.clone()).as_bytes()).map_err(CorpusError::io("write", &path))?;
    }
    let found = Finds::read(&path, stock, None)?;
    if found.search != name {
        return other(&format!("{STOCK_FILE} belongs to another search"));
    }
    match fs::remove_file(&journal) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(CorpusError::io("remove", &journal)(error)),
        _ => share::remove(folder)?,
    }
    Ok(Some(recipe.with_finds(found)))
}

impl StockSearch<'_> {
    /// Tries grids until all classes are closed, or looks up what shares of the search saw. False if it was stopped.
    fn run(
        &mut self,
        journal: &Path,
        mut shares: Option<Shares>,
        workers: &mut Workers,
        job: &Job<'_>,
    ) -> Result<bool> {
        let StockSearch { recipe, stock, .. } = *self;
        let mut file = OpenOptions::new().append(true).open(journal).map_err(CorpusError::io("write", journal))?;
        job.progress.begin(Some(recipe.count), self.classes.iter().map(|class| class.finds.len() as u64).sum());
        let ladder = recipe.analysis.ladder.clone().unwrap_or_default();
        // Shares are read round by round. So the rounds that the journal has are read once more and passed over.
        for round in 0..self.next / ROUND {
            shares.as_mut().map(|shares| shares.round(round)).transpose()?;
        }
        loop {
            let open = stock.classes.iter().copied().enumerate().filter(|&(at, _)| self.classes[at].closed.is_none());
            let judge = Judge { ladder: &ladder, open: open.collect() };
            if judge.open.is_empty() {
                return Ok(true);
            }
            let hits = match &mut shares {
                Some(shares) => {
                    workers.work(shares.round(self.next / ROUND)?, &job.stop, |seen| seen.hit(recipe, &judge.open))
                }
                None => {
                    let grids = (self.next..self.next + ROUND).collect();
                    workers.work(grids, &job.stop, |grid| candidate(recipe, &judge, grid))
                }
            };
            let Some(hits) = hits.into_iter().collect::<Option<Vec<_>>>() else { return Ok(false) };
            let hits = hits.into_iter().filter_map(Result::transpose).collect::<Result<_, _>>()?;
            let hits = self.take(hits);
            job.progress.rows(hits.len() as u64);
            if !hits.is_empty() || (self.next / ROUND).is_multiple_of(QUIET) {
                let line = serde_json::to_string(&Round { end: self.next, hits }).unwrap_or_default() + "\n";
                let written = file.write_all(line.as_bytes()).and_then(|()| file.sync_data());
                written.map_err(CorpusError::io("write", journal))?;
            }
        }
    }

    /// Takes the hits of a round, and returns those that were taken. Left out are hits for a class that has enough, and
    /// isomorphs of earlier finds.
    fn take(&mut self, mut hits: Vec<Hit>) -> Vec<Hit> {
        self.next += ROUND;
        hits.retain(|hit| {
            let class = &mut self.classes[hit.class];
            let taken = (class.finds.len() as u64) < self.stock.count && self.forms.insert(hit.form);
            if taken {
                class.finds.push(Find(hit.grid, hit.back));
                class.last = self.next;
            }
            taken
        });
        self.close();
        hits
    }

    /// Closes classes that are full, dry, or at the end of the search.
    fn close(&mut self) {
        for class in self.classes.iter_mut().filter(|class| class.closed.is_none()) {
            let full = class.finds.len() as u64 >= self.stock.count;
            let dry = self.next - class.last > self.recipe.retries;
            let ended = self.stock.grids.is_some_and(|grids| self.next >= grids);
            class.closed = (full || dry || ended).then_some(self.next);
        }
    }

    /// Replays the rounds of a journal, or begins one. An incomplete last line is removed. False if the journal is that
    /// of another search.
    fn replay(&mut self, path: &Path, name: &str) -> Result<bool> {
        let failed = || CorpusError::io("write", path);
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            text => text.map_err(CorpusError::io("read", path))?,
        };
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let Some((head, rounds)) = whole.split_once('\n') else {
            return write_atomically(path, format!("{name}\n").as_bytes()).map(|_| true).map_err(failed());
        };
        if head != name {
            return Ok(false);
        }
        for (at, line) in rounds.lines().enumerate() {
            let round = serde_json::from_str(line).ok();
            let round = round.filter(|Round { end, hits }| {
                *end > self.next && hits.iter().all(|hit| hit.class < self.classes.len())
            });
            let damaged = || CorpusError::file(path, format!("line {} is damaged; remove the file", at + 2));
            let round = round.ok_or_else(damaged)?;
            while self.next + ROUND < round.end {
                self.take(Vec::new());
            }
            self.take(round.hits);
        }
        if whole.len() < text.len() {
            write_atomically(path, whole.as_bytes()).map_err(failed())?;
        }
        Ok(true)
    }

    /// The text of the file of finds. `search` is the recipe of the search.
    fn text(self, search: String) -> String {
        let head = serde_json::to_string(&Head { search, by: self.stock.by, grids: self.next });
        let classes = self.stock.classes.iter().zip(self.classes).map(|(class, sought)| {
            let (class, grids) = (class.to_string(), sought.closed.unwrap_or(self.next));
            serde_json::to_string(&ClassFinds { class, grids, finds: sought.finds })
        });
        std::iter::once(head).chain(classes).map(|line| line.unwrap_or_default() + "\n").collect()
    }
}

/// The first puzzle of a grid that belongs to an open class.
fn candidate(recipe: &Recipe, judge: &Judge<'_>, grid: u64) -> Result<Option<Hit>, MakeError> {
    let Some((solution, dug)) = dug(recipe, grid)? else { return Ok(None) };
    for (back, puzzle) in (0..).zip(put_back(recipe, grid, &solution, &dug.puzzle)) {
        match judge.of(&puzzle) {
            Placement::Fits(class) => {
                return Ok(Some(Hit { class, grid, back, form: canonical::class(&puzzle) }));
            }
            Placement::Other => {}
            Placement::TooEasy => break,
        }
    }
    Ok(None)
}
