//! Finds neighbors: puzzles that are isomorphic once at most two givens of each are taken away.
//!
//! ```text
//!   puzzle -> what is left without 0, 1 or 2 givens -> a key each, equal if isomorphic -> sorted
//!          -> boards of different rows with the same key -> canonical forms decide
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::corpus::TempFolder;
use crate::corpus::sorter::Sorter;
use sudoku_corpus_core::board::{Cell, Puzzle};
use sudoku_corpus_core::catalogue::canonical::{self, Without, class_of, keys_without};

/// Bytes of keys in memory.
const ROOM: usize = 8 << 20;
/// Bytes of an entry of [`Neighbors::keys`]: the key, the number of the row, and the two cells that were taken away.
const KEY: Range<usize> = 0..8;
const ROW_NUMBER: Range<usize> = 8..12;
const CELLS: Range<usize> = 12..14;
/// Bytes of an entry of [`Neighbors::boards`]: the board, its class, and the label of the row.
const BOARD: Range<usize> = 0..81;
const CLASS: Range<usize> = 81..97;
const LABEL: Range<usize> = 97..105;
/// Boards with one key that are compared at the same time.
const BATCH: usize = 1 << 14;
/// In place of a cell: nothing was taken away.
const NO_CELL: u8 = 81;
/// In place of the first cell of a board that is not 9x9: its key is the hash of a class, and needs no comparison.
const OTHER_SHAPE: u8 = u8::MAX;

/// Rows among which neighbors are looked for.
pub struct Neighbors {
    folder: TempFolder,
    keys: Sorter,
    boards: BufWriter<File>,
    rows: u32,
}

/// A row that has a board in common with others once some givens are taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NearRow {
    /// Its number, from 0, in the order in which rows were added.
    pub row: u32,
    /// Its class: rows of one class are isomorphic, and no neighbors of each other.
    pub class: [u8; 16],
    /// What the caller said of it.
    pub label: [u8; 8],
}

/// What is left of the board of a row.
struct Deletion {
    near: NearRow,
    board: [u8; 81],
}

impl Neighbors {
    /// No rows yet.
    ///
    /// # Errors
    /// The system cannot make temporary files.
    pub fn new() -> io::Result<Neighbors> {
        let folder = TempFolder::new()?;
        let boards = BufWriter::new(File::create(folder.path().join("boards"))?);
        Ok(Neighbors { keys: Sorter::new(folder.path(), ROOM), boards, rows: 0, folder })
    }

    /// The keys of a puzzle without at most `most` of its givens. This takes longest, and needs nothing of other rows.
    pub fn keys_of(puzzle: &Puzzle, most: usize) -> Vec<Without> {
        if let Some(board) = puzzle.grid().nine() {
            return keys_without(&board, most);
        }
        let givens: Vec<Cell> = puzzle.grid().given_cells().map(|(cell, _)| cell).collect();
        let mut keys = vec![key_without(puzzle, &[])];
        for (place, &first_cell) in givens.iter().enumerate() {
            if most > 0 {
                keys.push(key_without(puzzle, &[first_cell]));
            }
            if most > 1 {
                let second_cells = givens[place + 1..].iter();
                keys.extend(second_cells.map(|&second_cell| key_without(puzzle, &[first_cell, second_cell])));
            }
        }
        keys.into_iter().flatten().map(|key| Without { key, cells: [NO_CELL; 2] }).collect()
    }

    /// Adds the next row: its puzzle, the class of this puzzle, its keys, and a label. A row without keys has no
    /// neighbors.
    ///
    /// # Errors
    /// A temporary file cannot be written.
    pub fn add(
        &mut self,
        puzzle: Option<&Puzzle>,
        class: Option<u128>,
        keys: &[Without],
        label: [u8; 8],
    ) -> io::Result<()> {
        let board = puzzle.and_then(|puzzle| puzzle.grid().nine()).unwrap_or([OTHER_SHAPE; 81]);
        self.boards.write_all(&board)?;
        self.boards.write_all(&class.unwrap_or_default().to_be_bytes())?;
        self.boards.write_all(&label)?;
        let row = self.rows.to_be_bytes();
        self.rows += 1;
        keys.iter().try_for_each(|Without { key, cells }| self.keys.push(&[&key.to_be_bytes(), &row, cells]))
    }

    /// Passes on the rows that have a board in common, group by group. A group has rows of several classes, and may
    /// have several of one.
    ///
    /// # Errors
    /// A temporary file cannot be written or read.
    pub fn each_group(mut self, mut take: impl FnMut(&[NearRow])) -> io::Result<()> {
        self.boards.flush()?;
        let mut boards = File::open(self.folder.path().join("boards"))?;
        let mut keys = self.keys.finish()?;
        let (mut batch, mut group): (Vec<Vec<Deletion>>, Vec<u8>) = (Vec::new(), Vec::new());
        loop {
            let entry = keys.advance()?;
            if entry.is_none_or(|entry| group.get(KEY) != Some(&entry[KEY])) {
                let entries = group.chunks_exact(CELLS.end);
                if entries.clone().any(|entry| entry[ROW_NUMBER] != group[ROW_NUMBER]) {
                    batch.push(entries.map(|entry| deletion(entry, &mut boards)).collect::<io::Result<_>>()?);
                }
                group.clear();
            }
            if entry.is_none() || batch.len() == BATCH {
                same_boards(&batch).iter().for_each(|rows| take(rows));
                batch.clear();
            }
            let Some(entry) = entry else { return Ok(()) };
            group.extend_from_slice(entry);
        }
    }
}

/// The hash of the class of what is left of a puzzle. Without some of its givens, a valid puzzle is still valid.
fn key_without(puzzle: &Puzzle, cells: &[Cell]) -> Option<u64> {
    let mut grid = puzzle.grid().clone();
    cells.iter().for_each(|&cell| grid.set(cell, None));
    let rest = Puzzle::try_from(grid).ok()?;
    Some((canonical::class(&rest) >> 64) as u64)
}

/// What is left of the row of an entry.
fn deletion(entry: &[u8], boards: &mut File) -> io::Result<Deletion> {
    let row = u32::from_be_bytes(entry[ROW_NUMBER].try_into().unwrap_or_default());
    let mut bytes = [0; LABEL.end];
    boards.seek(SeekFrom::Start(u64::from(row) * LABEL.end as u64))?;
    boards.read_exact(&mut bytes)?;
    let mut board: [u8; 81] = bytes[BOARD].try_into().unwrap_or([0; 81]);
    for &cell in entry[CELLS].iter().filter(|cell| **cell < NO_CELL) {
        board[usize::from(cell)] = 0;
    }
    let class = bytes[CLASS].try_into().unwrap_or_default();
    Ok(Deletion { near: NearRow { row, class, label: bytes[LABEL].try_into().unwrap_or_default() }, board })
}

/// The rows that have a board in common, group by group. Boards with different keys are not isomorphic. Where keys
/// agree, canonical forms decide.
fn same_boards(groups: &[Vec<Deletion>]) -> Vec<Vec<NearRow>> {
    // Rows of a single class are isomorphic, and no neighbors.
    let groups_of_classes =
        groups.par_iter().filter(|group| group.iter().any(|deletion| deletion.near.class != group[0].near.class));
    let rows_in_common = groups_of_classes.flat_map_iter(|group| {
        // A board may be what is left of a row in several ways.
        let mut classes: BTreeMap<u128, BTreeSet<NearRow>> = BTreeMap::new();
        for Deletion { near, board } in group {
            let class = if board[0] == OTHER_SHAPE { 0 } else { class_of(board) };
            classes.entry(class).or_default().insert(*near);
        }
        classes.into_values().map(|rows| rows.into_iter().collect::<Vec<NearRow>>()).filter(|rows| rows.len() > 1)
    });
    rows_in_common.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::tests::puzzle;

    /// The groups among lines, without labels and classes.
    fn groups(lines: &[&str], most: usize) -> Vec<Vec<u32>> {
        let mut neighbors = Neighbors::new().unwrap();
        for line in lines {
            let puzzle = puzzle(line);
            let class = canonical::class(&puzzle);
            neighbors.add(Some(&puzzle), Some(class), &Neighbors::keys_of(&puzzle, most), [0; 8]).unwrap();
        }
        let mut groups = Vec::new();
        neighbors.each_group(|rows| groups.push(rows.iter().map(|near| near.row).collect())).unwrap();
        groups
    }

    /// A puzzle with a given more and one without another are neighbors, on boards of any shape.
    #[test]
    fn puzzles_that_differ_by_two_givens_are_neighbors() {
        const NINE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        const FOUR: &str = "1.....2.....3...";
        for line in [NINE, FOUR] {
            let fewer = line.replacen(|sign: char| sign.is_ascii_digit(), ".", 1);
            let fewest = fewer.replacen(|sign: char| sign.is_ascii_digit(), ".", 1);
            let lines = [line, &fewer, line, &fewest];
            let near = |most, pair: [u32; 2]| {
                groups(&lines, most).iter().any(|rows| pair.iter().all(|row| rows.contains(row)))
            };
            assert!(near(1, [0, 1]) && near(1, [1, 2]) && near(2, [0, 3]), "{line}");
            assert!(!near(1, [0, 3]) && groups(&lines[..1], 2).is_empty(), "{line}");
            assert!(groups(&[line, line], 2).is_empty(), "copies are no neighbors");
        }
    }
}
