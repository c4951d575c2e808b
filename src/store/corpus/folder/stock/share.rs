//! A search for a stock on several machines. Each takes a share of the rounds, and one joins what they saw.
//!
//! ```text
//!   share 0 of 3   rounds 0, 3, 6, ..    stock-0-of-3.jsonl  \
//!   share 1 of 3   rounds 1, 4, 7, ..    stock-1-of-3.jsonl   >  the search, with the sightings instead of the work
//!   share 2 of 3   rounds 2, 5, 8, ..    stock-2-of-3.jsonl  /
//! ```
//!
//! Which classes are open in a round depends on all rounds before it, which a share does not know. So it notes where
//! every puzzle of a grid stands among all classes, and the joined search finds in this what it would have found
//! itself. The result is the same, byte for byte. A share rates more puzzles of a grid than the search of one machine
//! does.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead as _, BufReader, ErrorKind, Lines, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::judge::Judge;
use super::{Hit, ROUND};
use crate::corpus::files::atomic::write_atomically;
use crate::corpus::files::progress::Job;
use crate::corpus::files::workers::Workers;
use crate::corpus::folder::corpus_folder::Folder;
use crate::corpus::request::draft::By;
use crate::corpus::request::find::{again, dug, put_back};
use crate::corpus::request::recipe::Recipe;
use crate::corpus::request::stock::{Class, Find, Stock};
use crate::corpus::values::error::{CorpusError, MakeError, RecipeError, Result};
use sudoku_corpus_core::catalogue::canonical;

/// The puzzles of a grid, from the minimal one on: each rank that differs from the one before, and the number of
/// givens, or orbits of givens, that were put back. The rank of class i is 2 i + 1; ranks between are of puzzles of no
/// class.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Sighting {
    grid: u64,
    ranks: Vec<(usize, u32)>,
}

/// The first line of the file of a share.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    /// The fingerprint of the recipe.
    search: String,
    /// The index of the share, and the number of shares.
    share: (u64, u64),
}

/// Searches one share of the grids of a stock. False if it was stopped; it continues next time.
///
/// # Errors
/// The recipe has no stock that is still to be searched; the stock has no limit of grids, or is by technique; the file
/// belongs to another search; the system reports an error.
pub fn find_share(recipe: &Recipe, folder: &Path, share: (u64, u64), job: &Job<'_>) -> Result<bool> {
    let (stock, grids) = divisible(recipe)?;
    let mut workers = Workers::new(job.threads)?;
    let _held = Folder::open(folder, false)?;
    let path = file_of(folder, share);
    let write = |path: &Path| CorpusError::io("write", path);
    let head = serde_json::to_string(&Head { search: recipe.fingerprint(), share }).unwrap_or_default() + "\n";
    let text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => head.clone(),
        text => text.map_err(CorpusError::io("read", &path))?,
    };
    if !text.starts_with(&head) {
        return Err(CorpusError::file(&path, "it belongs to another search; remove it".to_owned()));
    }
    // A kill may have left a part of a line.
    let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
    write_atomically(&path, whole.as_bytes()).map_err(write(&path))?;
    let mut file = OpenOptions::new().append(true).open(&path).map_err(write(&path))?;
    let ladder = recipe.analysis.ladder.clone().unwrap_or_default();
    let judge = Judge { ladder: &ladder, open: stock.classes.iter().copied().enumerate().collect() };
    let done = whole.lines().count() as u64 - 1;
    let rounds = (share.0..grids.div_ceil(ROUND)).step_by(share.1 as usize);
    job.progress.begin(Some(rounds.clone().count() as u64 * ROUND), done * ROUND);
    for round in rounds.skip(done as usize) {
        let grids = (round * ROUND..(round + 1) * ROUND).collect();
        let seen = workers.work(grids, &job.stop, |grid| sighting(recipe, &judge, grid));
        let Some(seen) = seen.into_iter().collect::<Option<Vec<_>>>() else { return Ok(false) };
        let seen = seen.into_iter().filter_map(Result::transpose).collect::<Result<Vec<_>, _>>()?;
        let line = serde_json::to_string(&seen).unwrap_or_default() + "\n";
        file.write_all(line.as_bytes()).and_then(|()| file.sync_data()).map_err(write(&path))?;
        job.progress.rows(ROUND);
    }
    Ok(true)
}

/// The stock of a recipe whose search can be divided, and the number of its grids.
fn divisible(recipe: &Recipe) -> Result<(&Stock, u64), RecipeError> {
    let stock = recipe.stock.as_ref().filter(|stock| stock.found.is_none());
    let stock = stock.ok_or("the recipe has no stock that is still to be searched")?;
    if stock.by == By::Technique {
        return Err("the search for a stock by technique cannot be divided".into());
    }
    Ok((stock, stock.grids.ok_or("a search can be divided if its stock has a limit: give grids in [stock]")?))
}

/// Where the puzzles of a grid stand among the classes. None if the grid gives no puzzle, or if all its puzzles are
/// harder than the hardest class.
fn sighting(recipe: &Recipe, judge: &Judge<'_>, grid: u64) -> Result<Option<Sighting>, MakeError> {
    let Some((solution, dug)) = dug(recipe, grid)? else { return Ok(None) };
    let mut ranks: Vec<(usize, u32)> = Vec::new();
    for (back, puzzle) in (0..).zip(put_back(recipe, grid, &solution, &dug.puzzle)) {
        let Some(rank) = judge.class(&puzzle).map(|class| rank(&judge.open, class)) else { continue };
        if ranks.last().is_none_or(|&(last, _)| last != rank) {
            ranks.push((rank, back));
        }
        // It is easier than the easiest class.
        if rank == 0 {
            break;
        }
    }
    Ok((!ranks.is_empty()).then_some(Sighting { grid, ranks }))
}

/// The rank of a class among the classes of the stock, see [`Sighting`].
fn rank(classes: &[(usize, Class)], class: Class) -> usize {
    match classes.binary_search_by_key(&class, |&(_, class)| class) {
        Ok(at) => 2 * at + 1,
        Err(at) => 2 * at,
    }
}

impl Sighting {
    /// What the search finds in the grid while some classes, given by their places, are open.
    pub(super) fn hit(&self, recipe: &Recipe, open: &[(usize, Class)]) -> Result<Option<Hit>, MakeError> {
        let easiest = open.first().map_or(usize::MAX, |&(at, _)| 2 * at + 1);
        let is_open = |rank: usize| rank % 2 == 1 && open.binary_search_by_key(&(rank / 2), |&(at, _)| at).is_ok();
        let Some(&(rank, back)) = self.ranks.iter().find(|&&(rank, _)| rank < easiest || is_open(rank)) else {
            return Ok(None);
        };
        // From a puzzle that is easier than all open classes on, the search looks no further in this grid.
        if rank < easiest {
            return Ok(None);
        }
        let made = again(recipe, Find(self.grid, back))?;
        let hit = |form| Hit { class: rank / 2, grid: self.grid, back, form };
        Ok(made.map(|(_, dug)| hit(canonical::class(&dug.puzzle))))
    }
}

/// The sightings of all shares, round by round.
pub(super) struct Shares(Vec<(PathBuf, Lines<BufReader<File>>)>);

impl Shares {
    /// The shares in a folder. None if there are none, or if the recipe has no search that can be divided.
    ///
    /// # Errors
    /// Some are there, but not all, or not to their ends; one belongs to another search.
    pub(super) fn open(recipe: &Recipe, folder: &Path) -> Result<Option<Shares>> {
        let Ok((_, grids)) = divisible(recipe) else { return Ok(None) };
        let Some(count) = shares_in(folder)?.first().map(|&(_, count)| count) else { return Ok(None) };
        let open = |index: u64| {
            let path = file_of(folder, (index, count));
            let read = |path: &Path| CorpusError::io("read", path);
            let lines = || File::open(&path).map(|file| BufReader::new(file).lines());
            let head = serde_json::to_string(&Head { search: recipe.fingerprint(), share: (index, count) })
                .unwrap_or_default();
            let mut all = lines().map_err(read(&path))?;
            if all.next().transpose().map_err(read(&path))?.as_ref() != Some(&head) {
                return Err(CorpusError::file(&path, "it belongs to another search; remove it".to_owned()));
            }
            let wanted = (index..grids.div_ceil(ROUND)).step_by(count as usize).count();
            let there = all.count();
            if there < wanted {
                let reason = format!("it has {there} of {wanted} rounds: run --share {index}/{count} to its end");
                return Err(CorpusError::file(&path, reason));
            }
            let mut lines = lines().map_err(read(&path))?;
            _ = lines.next();
            Ok((path, lines))
        };
        (0..count).map(open).collect::<Result<_>>().map(|shares| Some(Shares(shares)))
    }

    /// The sightings of the next round. Rounds must be asked for in their order.
    pub(super) fn round(&mut self, round: u64) -> Result<Vec<Sighting>> {
        let at = round as usize % self.0.len();
        let (path, lines) = &mut self.0[at];
        let line = lines.next().transpose().map_err(CorpusError::io("read", path))?;
        let seen = line.and_then(|line| serde_json::from_str(&line).ok());
        seen.ok_or_else(|| CorpusError::file(path, "it is damaged; remove it, and search this share again".to_owned()))
    }
}

/// Removes the files of the shares, when the search is done.
pub(super) fn remove(folder: &Path) -> Result<()> {
    for share in shares_in(folder)? {
        let path = file_of(folder, share);
        fs::remove_file(&path).map_err(CorpusError::io("remove", &path))?;
    }
    Ok(())
}

/// The file of a share, given by its index and the number of shares.
fn file_of(folder: &Path, (index, count): (u64, u64)) -> PathBuf {
    folder.join(format!("stock-{index}-of-{count}.jsonl"))
}

/// The shares that have a file in a folder.
fn shares_in(folder: &Path) -> Result<Vec<(u64, u64)>> {
    let failed = CorpusError::io("read the folder", folder);
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries.collect::<Result<Vec<_>, _>>().map_err(failed)?,
        Err(error) => return Err(failed(error)),
    };
    let share = |name: &str| {
        let (index, count) = name.strip_prefix("stock-")?.strip_suffix(".jsonl")?.split_once("-of-")?;
        Some((index.parse().ok()?, count.parse().ok()?))
    };
    Ok(entries.iter().filter_map(|entry| share(entry.file_name().to_str()?)).collect())
}
