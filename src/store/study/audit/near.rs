//! Finds which rows belong together: copies, puzzles with one solution grid, and neighbours, which are isomorphic once
//! at most k givens of each are taken away.
//!
//! ```text
//!   puzzle -> what is left without 0..=k givens -> a key each, equal if isomorphic -> 64 files by their first bits
//!   file   -> sorted -> boards of different rows with the same key -> canonical forms decide
//! ```
//!
//! Memory: 40 bytes a row, and one of the files at a time.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use rayon::slice::ParallelSliceMut as _;

use super::{is_unique, text_hash};
use crate::corpus::{Record, TempFolder};
use sudoku_corpus_core::board::Puzzle;
use sudoku_corpus_core::catalogue::canonical::{Without, class_of, keys_without};
use sudoku_corpus_core::names;

/// Files of keys.
const FILES: usize = 64;
/// Bytes of a key on disk: the key, the row, two cells.
const ENTRY: usize = 14;
/// Bytes of a row on disk: the board and its class.
const ROW: usize = 97;

/// What is left of a row without some givens: the row, what is left of its board, and the class of the whole board.
type Deletion = (u32, [u8; 81], [u8; 16]);

names! { "kind of leak":
    /// Why rows belong together, or what is wrong with one.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Kind {
        /// The same board, cell by cell.
        Copy = "copy",
        /// The same board up to isomorphism, but not cell by cell.
        Isomorphic = "isomorphic",
        /// A neighbour whose solution grid is the same up to isomorphism.
        Neighbour = "neighbour",
        /// A neighbour with another solution grid.
        NeighbourOfOtherSolution = "neighbour, other solution",
        /// Another puzzle of the same solution grid.
        SameSolution = "same solution",
        /// The file has a wrong solution for a puzzle that can be read.
        WrongSolution = "wrong solution",
        /// A puzzle without a solution.
        NoSolution = "no solution",
        /// A puzzle with several solutions.
        SeveralSolutions = "several solutions",
        /// A line without a board, or with contradictory givens.
        Unreadable = "unreadable",
    }
}

/// A row that leaks into another, or a row that is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Leak {
    /// The row among those of all files, from 0.
    pub row: u32,
    /// What it is.
    pub kind: Kind,
    /// Rows of one kind with the same group belong together: the first of them. None for wrong rows.
    pub group: Option<u32>,
    /// Its line in its file, from 1.
    pub line: u32,
}

/// The rows of all files of an audit.
pub struct Rows {
    /// Givens that are taken away at most.
    most: usize,
    folder: TempFolder,
    /// The files of keys, by the first six bits of a key.
    keys: Vec<BufWriter<File>>,
    /// For each row the board and its class: [`ROW`] bytes.
    boards: BufWriter<File>,
    /// For each row the upper 64 bits of three hashes, from fine to coarse: of the board cell by cell, of its class,
    /// and of the class of its solution; 0 where there is none.
    hashes: Vec<[u64; 3]>,
    /// For each row its line in its file.
    lines: Vec<u32>,
    wrong: Vec<Leak>,
}

impl Rows {
    /// Looks for neighbours with at most `most` givens moved, added or removed; 0 for copies only.
    ///
    /// # Errors
    /// The system cannot make temporary files.
    pub fn new(most: usize) -> io::Result<Rows> {
        let folder = TempFolder::new()?;
        let create = |name: String| File::create(folder.path().join(name)).map(BufWriter::new);
        let files = if most > 0 { FILES } else { 0 };
        let keys = (0..files).map(|at| create(at.to_string())).collect::<io::Result<_>>()?;
        let boards = create("boards".to_owned())?;
        Ok(Rows { most, folder, keys, boards, hashes: Vec::new(), lines: Vec::new(), wrong: Vec::new() })
    }

    /// The keys of a 9x9 board with empty cells; none for other boards, or if `most` is 0. This takes longest, and
    /// needs nothing of the other rows.
    pub fn keys_of(most: usize, puzzle: &Puzzle) -> Vec<Without> {
        let board = puzzle.grid().nine().filter(|_| most > 0 && puzzle.grid().holes() > 0);
        board.map_or_else(Vec::new, |board| keys_without(&board, most))
    }

    /// Adds the row of a line with its keys; `wrong` is true if only the solution beside the puzzle could not be read.
    pub(super) fn add(&mut self, line: u64, record: Option<&Record>, wrong: bool, keys: &[Without]) -> io::Result<()> {
        let row = self.hashes.len() as u32;
        self.lines.push(u32::try_from(line).unwrap_or(u32::MAX));
        let known = record.and_then(|record| Some((record, record.puzzle.as_ref()?)));
        let kind = match known.map(|(record, _)| (record.solutions, record.solutions_exact)) {
            None if wrong => Some(Kind::WrongSolution),
            None => Some(Kind::Unreadable),
            Some((Some(0), Some(true))) => Some(Kind::NoSolution),
            Some((Some(2..), _)) => Some(Kind::SeveralSolutions),
            Some(_) => None,
        };
        let class = known.and_then(|(record, _)| record.class);
        let solution = known.filter(|(record, _)| is_unique(record)).and_then(|(record, _)| record.solution_class);
        let hashes = [known.map(|(_, puzzle)| text_hash(puzzle)), class, solution];
        self.hashes.push(hashes.map(|hash| hash.map_or(0, |hash| (hash >> 64) as u64)));
        self.wrong.extend(kind.map(|kind| self.leak(row, kind, None)));
        if self.most > 0 {
            let board = known.and_then(|(_, puzzle)| puzzle.grid().nine()).unwrap_or([0; 81]);
            self.boards.write_all(&board)?;
            self.boards.write_all(&class.unwrap_or(0).to_le_bytes())?;
        }
        for Without { key, cells } in keys {
            let file = &mut self.keys[(key >> 58) as usize];
            file.write_all(&key.to_be_bytes())?;
            file.write_all(&row.to_be_bytes())?;
            file.write_all(cells)?;
        }
        Ok(())
    }

    fn leak(&self, row: u32, kind: Kind, group: Option<u32>) -> Leak {
        Leak { row, kind, group, line: self.lines[row as usize] }
    }

    /// All leaks, by rows.
    ///
    /// # Errors
    /// A temporary file cannot be read.
    pub fn leaks(mut self) -> io::Result<Vec<Leak>> {
        let mut leaks = std::mem::take(&mut self.wrong);
        // Rows with the same hash belong together. If all of them also agree in the finer hash before it, they are
        // listed there: copies are not listed as isomorphic too.
        for (at, kind) in [(0, Kind::Copy), (1, Kind::Isomorphic), (2, Kind::SameSolution)] {
            let all = 0..self.hashes.len() as u32;
            let mut order: Vec<u32> = all.filter(|&row| self.hashes[row as usize][at] != 0).collect();
            order.par_sort_unstable_by_key(|&row| (self.hashes[row as usize][at], row));
            for group in order.chunk_by(|&a, &b| self.hashes[a as usize][at] == self.hashes[b as usize][at]) {
                let finer = |row: &u32| self.hashes[*row as usize][at - 1];
                if group.len() > 1 && (at == 0 || group.iter().any(|row| finer(row) != finer(&group[0]))) {
                    leaks.extend(group.iter().map(|&row| self.leak(row, kind, Some(group[0]))));
                }
            }
        }
        leaks.extend(self.neighbours()?);
        leaks.sort_unstable();
        Ok(leaks)
    }

    /// The rows that are neighbours of another one, with the groups that neighbours of neighbours form.
    fn neighbours(&mut self) -> io::Result<Vec<Leak>> {
        self.boards.flush()?;
        self.keys.iter_mut().try_for_each(BufWriter::flush)?;
        self.keys.clear();
        let mut boards = File::open(self.folder.path().join("boards"))?;
        // Union-find: for each kind, an earlier row of its group that a row points to. The first row points to itself.
        let mut joined: BTreeMap<Kind, BTreeMap<u32, u32>> = BTreeMap::new();
        for at in 0..if self.most > 0 { FILES } else { 0 } {
            for group in same_boards(&self.folder.path().join(at.to_string()), &mut boards)? {
                // Isomorphic rows have all boards in common, and are no neighbours.
                let class = |row: u32| self.hashes[row as usize][1];
                let first = group[0];
                // The first row that is not isomorphic to the first row of all.
                let second = group.iter().copied().find(|&row| class(row) != class(first));
                for (at, &a) in group.iter().enumerate() {
                    // Usually `a` is compared with all rows after it. There may be thousands of copies, so in a large
                    // group it is compared with one row that is not isomorphic: `first`, or `second` if it is of the
                    // class of `first`.
                    let near = if class(a) == class(first) { second } else { Some(first) };
                    let (near, rest) = if group.len() > 100 { (near, &[][..]) } else { (None, &group[at + 1..]) };
                    for b in near.into_iter().chain(rest.iter().copied().filter(|&b| class(b) != class(a))) {
                        let [x, y] = [a, b].map(|row| self.hashes[row as usize][2]);
                        let kind = if x == y && x != 0 { Kind::Neighbour } else { Kind::NeighbourOfOtherSolution };
                        join(joined.entry(kind).or_default(), a, b);
                    }
                }
            }
        }
        let of_kind = |(kind, to): (&Kind, &BTreeMap<u32, u32>)| -> Vec<Leak> {
            to.keys().map(|&row| self.leak(row, *kind, Some(root(to, row)))).collect()
        };
        Ok(joined.iter().flat_map(of_kind).collect())
    }
}

/// The first row of the group of a row.
fn root(to: &BTreeMap<u32, u32>, mut row: u32) -> u32 {
    while let Some(&next) = to.get(&row).filter(|next| **next != row) {
        row = next;
    }
    row
}

/// Puts two rows and their groups into one group.
fn join(to: &mut BTreeMap<u32, u32>, a: u32, b: u32) {
    let [a_root, b_root] = [a, b].map(|row| root(to, row));
    let first = a_root.min(b_root);
    for row in [a, b, a_root, b_root] {
        to.insert(row, first);
    }
}

/// The rows of a file of keys that have a board in common, group by group, ascending. A group may have several rows of
/// one class. Boards with different keys are not isomorphic. Where keys agree, canonical forms decide.
fn same_boards(path: &Path, boards: &mut File) -> io::Result<Vec<Vec<u32>>> {
    let mut bytes = Vec::new();
    BufReader::new(File::open(path)?).read_to_end(&mut bytes)?;
    let mut entries: Vec<[u8; ENTRY]> =
        bytes.chunks_exact(ENTRY).map(|entry| entry.try_into().unwrap_or([0; ENTRY])).collect();
    drop(bytes);
    entries.par_sort_unstable();
    let row_of = |entry: &[u8; ENTRY]| u32::from_be_bytes([entry[8], entry[9], entry[10], entry[11]]);
    let mut found: Vec<Deletion> = Vec::new();
    let mut begins = Vec::new();
    for group in entries.chunk_by(|a, b| a[..8] == b[..8]) {
        if group.iter().all(|entry| row_of(entry) == row_of(&group[0])) {
            continue;
        }
        begins.push(found.len());
        for entry in group {
            let row = row_of(entry);
            let mut bytes = [0; ROW];
            boards.seek(SeekFrom::Start(u64::from(row) * ROW as u64))?;
            boards.read_exact(&mut bytes)?;
            let mut board: [u8; 81] = bytes[..81].try_into().unwrap_or([0; 81]);
            entry[12..].iter().filter(|cell| **cell < 81).for_each(|&cell| board[usize::from(cell)] = 0);
            found.push((row, board, bytes[81..].try_into().unwrap_or([0; 16])));
        }
    }
    drop(entries);
    begins.push(found.len());
    let groups: Vec<&[Deletion]> = begins.windows(2).map(|pair| &found[pair[0]..pair[1]]).collect();
    // Rows of a single class are isomorphic, and no neighbours.
    let decided =
        groups.par_iter().filter(|group| group.iter().any(|one| one.2 != group[0].2)).flat_map_iter(|group| {
            // A board may be what is left of a row in several ways.
            let mut classes: BTreeMap<u128, BTreeSet<u32>> = BTreeMap::new();
            group.iter().for_each(|(row, board, _)| _ = classes.entry(class_of(board)).or_default().insert(*row));
            classes.into_values().map(|rows| rows.into_iter().collect::<Vec<u32>>()).filter(|rows| rows.len() > 1)
        });
    let mut decided: Vec<Vec<u32>> = decided.collect();
    decided.sort_unstable();
    Ok(decided)
}
