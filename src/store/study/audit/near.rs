//! Finds which rows of all files belong together: copies, puzzles with one solution grid, and neighbors. If there are
//! several files, only what two of them share is a leak.
//!
//! ```text
//!   puzzle -> hashes of the board, of its class, of the class of its solution -> sorted -> rows with the same hash
//! ```
//!
//! `add` takes the rows one by one. `finish` sorts the three kinds of hashes, counts the groups of equal ones (`count`),
//! and joins the neighbors that `study::neighbors` finds (`neighbors`). Memory: 4 bytes a row.

use std::collections::BTreeMap;
use std::io;

use super::Facts;
use crate::corpus::sorter::{Sorted, Sorter};
use crate::corpus::{Record, TempFolder, hash_of_board};
use crate::study::neighbors::{NearRow, Neighbors};
use sudoku_corpus_core::board::{Puzzle, Shape};
use sudoku_corpus_core::catalogue::canonical::Without;
use sudoku_corpus_core::names;

/// By what rows are compared, from fine to coarse: rows with one hash of a kind also have one of each coarser kind.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum HashKind {
    Board,
    /// The class of the board: isomorphic boards have one.
    Class,
    SolutionClass,
}

impl HashKind {
    const ALL: [HashKind; 3] = [HashKind::Board, HashKind::Class, HashKind::SolutionClass];
}

/// In groups of up to this many rows, each row is compared with all others.
const SMALL_GROUP: usize = 100;

/// Bytes of hashes in memory, of each kind.
const ROOM: usize = 8 << 20;

names! { "kind of leak":
    /// Why rows belong together, or what is wrong with one.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Kind {
        /// The same board, cell by cell.
        Copy = "copy",
        /// The same board up to isomorphism, but not cell by cell.
        Isomorphic = "isomorphic",
        /// A neighbor whose solution grid is the same up to isomorphism.
        Neighbor = "neighbor",
        /// A neighbor with another solution grid.
        NeighborOfOtherSolution = "neighbor, other solution",
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
    /// The place of its file among all files.
    pub file: usize,
}

/// The rows of all files of an audit.
pub struct AuditRows {
    lists_leaks: bool,
    folder: TempFolder,
    /// For each [`HashKind`]: a hash of 16 bytes, the row, and the first half of the next finer hash.
    hashes: [Sorter; 3],
    /// If they are looked for. The label of a row is the class of its solution; zeros if it has not exactly one.
    neighbors: Option<Neighbors>,
    /// For each row its line in its file.
    lines: Vec<u32>,
    /// For each file the number of rows up to its end.
    ends: Vec<usize>,
    wrong: Vec<Leak>,
}

#[derive(Default)]
struct Group {
    /// How many of each file.
    of_files: Vec<u64>,
    /// All of them, if leaks are listed.
    rows: Vec<u32>,
    /// The next finer hash of the first one, and if that of another differs.
    finer: Option<[u8; 8]>,
    differs: bool,
}

impl AuditRows {
    /// Looks for neighbors with at most `most` givens moved, added or removed; 0 for copies only. Without `lists_leaks`,
    /// rows that belong together are only counted.
    ///
    /// # Errors
    /// The system cannot make temporary files.
    pub fn new(most: usize, lists_leaks: bool) -> io::Result<AuditRows> {
        let folder = TempFolder::new()?;
        let hashes = [(); 3].map(|()| Sorter::new(folder.path(), ROOM));
        let neighbors = (most > 0).then(Neighbors::new).transpose()?;
        let (lines, ends, wrong) = Default::default();
        Ok(AuditRows { lists_leaks, folder, hashes, neighbors, lines, ends, wrong })
    }

    /// The keys of a 9x9 board with empty cells; none for other boards, or if `most` is 0.
    pub fn keys_of(most: usize, puzzle: &Puzzle) -> Vec<Without> {
        let is_compared = most > 0 && puzzle.grid().shape() == Shape::NINE && puzzle.grid().holes() > 0;
        if is_compared { Neighbors::keys_of(puzzle, most) } else { Vec::new() }
    }

    /// Adds the row of a line with its keys.
    pub(super) fn add(&mut self, line: u64, record: Option<&Record>, keys: &[Without]) -> io::Result<()> {
        let row = self.lines.len() as u32;
        self.lines.push(u32::try_from(line).unwrap_or(u32::MAX));
        // Rows without a puzzle count as unreadable.
        let record = record.filter(|record| record.puzzle.is_some());
        let fault = match record.map(|record| (record.solutions, record.solutions_exact)) {
            None => Some(Kind::Unreadable),
            Some((Some(0), Some(true))) => Some(Kind::NoSolution),
            Some((Some(2..), _)) => Some(Kind::SeveralSolutions),
            Some(_) => None,
        };
        let wrong = record.and_then(|record| record.solution_fault.as_ref()).map(|_| Kind::WrongSolution);
        for kind in fault.into_iter().chain(wrong) {
            let (line, file) = (self.lines[row as usize], self.ends.len());
            self.wrong.push(Leak { row, kind, group: None, line, file });
        }
        let puzzle = record.and_then(|record| record.puzzle.as_ref());
        let exact = puzzle.map(|puzzle| hash_of_board(puzzle.shape(), puzzle));
        // Without a class, boards and grids are compared cell by cell.
        let class = record.and_then(|record| record.class).or(exact);
        let solution_class = record.filter(|record| record.is_unique()).and_then(|record| {
            let grid = record.solution.clone().map(Puzzle::from);
            record.solution_class.or_else(|| grid.map(|grid| hash_of_board(record.shape, grid)))
        });
        // In the order of the kinds. The hash of the board is its own finer one.
        let hashes = [exact, class, solution_class].map(|hash| hash.map(u128::to_be_bytes));
        for (place, hash) in hashes.iter().enumerate() {
            let finer = hashes[place.saturating_sub(1)].unwrap_or_default();
            if let Some(hash) = hash {
                self.hashes[place].push(&[hash, &row.to_be_bytes(), &finer[..8]])?;
            }
        }
        let Some(neighbors) = &mut self.neighbors else { return Ok(()) };
        let label = (solution_class.unwrap_or_default() >> 64) as u64;
        neighbors.add(puzzle, class, keys, label.to_be_bytes())
    }

    /// Ends a file; the next row is the first one of the next file.
    pub(super) fn end_file(&mut self) {
        self.ends.push(self.lines.len());
    }

    fn file_of(&self, row: u32) -> usize {
        self.ends.partition_point(|&end| end <= row as usize)
    }

    /// True if rows that belong together leak: those of one file if it is audited alone, and otherwise those of which two
    /// files have some.
    fn is_leak(&self, rows: &[u32]) -> bool {
        let Some((&first_row, more_rows)) = rows.split_first() else { return false };
        if self.ends.len() == 1 {
            return !more_rows.is_empty();
        }
        let first_file = self.file_of(first_row);
        more_rows.iter().any(|&row| self.file_of(row) != first_file)
    }

    fn leak(&self, row: u32, kind: Kind, group: Option<u32>) -> Leak {
        Leak { row, kind, group, line: self.lines[row as usize], file: self.file_of(row) }
    }

    /// Counts for each file the copies in it and what it shares with the others, and returns all leaks by rows, if they
    /// are listed. `files` are those that were audited, in their order.
    ///
    /// # Errors
    /// A temporary file cannot be read.
    pub fn finish(mut self, files: &mut [Facts]) -> io::Result<Vec<Leak>> {
        let mut leaks = std::mem::take(&mut self.wrong);
        for kind in HashKind::ALL {
            let empty_sorter = Sorter::new(self.folder.path(), ROOM);
            let sorter = std::mem::replace(&mut self.hashes[kind as usize], empty_sorter);
            self.count(kind, &mut sorter.finish()?, files, &mut leaks)?;
        }
        leaks.extend(self.neighbors()?);
        leaks.sort_unstable();
        leaks.retain(|_| self.lists_leaks);
        Ok(leaks)
    }

    /// Counts the rows with the same hash of a kind.
    fn count(&self, kind: HashKind, hashes: &mut Sorted, files: &mut [Facts], leaks: &mut Vec<Leak>) -> io::Result<()> {
        let new_group = || Group { of_files: vec![0; self.ends.len()], ..Group::default() };
        let mut group_hash = [0; 16];
        let mut group = new_group();
        loop {
            let record = hashes.advance()?;
            if record.is_none_or(|record| record[..16] != group_hash) {
                self.end_group(kind, &group, files, leaks);
                group = new_group();
            }
            let Some((hash, row_and_finer)) = record.and_then(|record| record.split_first_chunk::<16>()) else {
                return Ok(());
            };
            let Some((row, finer)) = row_and_finer.split_first_chunk::<4>() else { return Ok(()) };
            group_hash = *hash;
            let row = u32::from_be_bytes(*row);
            group.of_files[self.file_of(row)] += 1;
            if self.lists_leaks {
                group.rows.push(row);
            }
            let first_finer = *group.finer.get_or_insert(finer.try_into().unwrap_or_default());
            group.differs |= first_finer != *finer;
        }
    }

    fn end_group(&self, kind: HashKind, group: &Group, files: &mut [Facts], leaks: &mut Vec<Leak>) {
        let total: u64 = group.of_files.iter().sum();
        for (facts, &rows) in files.iter_mut().zip(&group.of_files).filter(|(_, rows)| **rows > 0) {
            *facts.copies.of_kind(kind) += rows - 1;
            if total > rows {
                *facts.shared.of_kind(kind) += rows;
            }
            if kind == HashKind::SolutionClass {
                facts.different_grids += 1;
            }
        }
        // If all rows also agree in the finer hash, they are listed there: copies are not listed as isomorphic too.
        if self.is_leak(&group.rows) && (kind == HashKind::Board || group.differs) {
            let leak_kind = match kind {
                HashKind::Board => Kind::Copy,
                HashKind::Class => Kind::Isomorphic,
                HashKind::SolutionClass => Kind::SameSolution,
            };
            for &row in &group.rows {
                leaks.push(self.leak(row, leak_kind, group.rows.first().copied()));
            }
        }
    }

    /// The rows that are neighbors of another one, with the groups that neighbors of neighbors form.
    fn neighbors(&mut self) -> io::Result<Vec<Leak>> {
        let mut joined: BTreeMap<Kind, Pointers> = BTreeMap::new();
        let Some(neighbors) = self.neighbors.take() else { return Ok(Vec::new()) };
        neighbors.each_group(|rows| join_group(&mut joined, rows))?;
        let mut leaks = Vec::new();
        for (&kind, pointers) in &joined {
            let mut groups: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
            for &row in pointers.keys() {
                groups.entry(root(pointers, row)).or_default().push(row);
            }
            groups.retain(|_, rows| self.is_leak(rows));
            for (&first_row, rows) in &groups {
                leaks.extend(rows.iter().map(|&row| self.leak(row, kind, Some(first_row))));
            }
        }
        Ok(leaks)
    }
}

/// Groups of rows as a union-find structure: each row points to an earlier row of its group, the first row to itself.
type Pointers = BTreeMap<u32, u32>;

/// Joins the rows that have a board in common. Isomorphic rows have all boards in common, and are no neighbors.
fn join_group(joined: &mut BTreeMap<Kind, Pointers>, group: &[NearRow]) {
    if group.len() <= SMALL_GROUP {
        for (place, a) in group.iter().enumerate() {
            for b in group[place + 1..].iter().filter(|b| b.class != a.class) {
                join_neighbors(joined, a, b);
            }
        }
        return;
    }
    // There may be thousands of copies. So in a large group, each row is compared with one row that is not isomorphic:
    // the first row of all, or the first one of another class.
    let first = &group[0];
    let first_of_other_class = group.iter().find(|row| row.class != first.class);
    for row in group {
        let neighbor = if row.class == first.class { first_of_other_class } else { Some(first) };
        if let Some(neighbor) = neighbor {
            join_neighbors(joined, row, neighbor);
        }
    }
}

fn join_neighbors(joined: &mut BTreeMap<Kind, Pointers>, a: &NearRow, b: &NearRow) {
    let has_same_solution = a.label == b.label && a.label != [0; 8];
    let kind = if has_same_solution { Kind::Neighbor } else { Kind::NeighborOfOtherSolution };
    join(joined.entry(kind).or_default(), a.row, b.row);
}

/// The first row of the group of a row.
fn root(pointers: &Pointers, mut row: u32) -> u32 {
    while let Some(&next) = pointers.get(&row).filter(|next| **next != row) {
        row = next;
    }
    row
}

/// Puts two rows and their groups into one group.
fn join(pointers: &mut Pointers, a: u32, b: u32) {
    let [a_root, b_root] = [a, b].map(|row| root(pointers, row));
    let first = a_root.min(b_root);
    for row in [a, b, a_root, b_root] {
        pointers.insert(row, first);
    }
}
