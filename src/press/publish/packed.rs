//! A row in few bytes: a tenth of a [`Record`]. Many rows wait in this form until they are written.
//!
//! ```text
//!   puzzle, solution     half a byte per cell up to order 15, two bytes per cell above
//!   counts               for each technique that was used: its number and its count
//!   every other value    number of the column, kind and length, bytes; missing values take no bytes
//! ```

use std::sync::LazyLock;

use sudoku_corpus_core::board::{Grid, Puzzle, Shape, Solution};
use sudoku_corpus_core::rate::TECHNIQUES;
use sudoku_corpus_store::corpus::{COLUMNS, Column, Record, Value};

/// A packed row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Packed(Box<[u8]>);

/// The columns that are packed by their values. The shape, the boards and the counts are packed before them.
static OTHERS: LazyLock<Vec<&Column>> = LazyLock::new(|| {
    let first = |name: &str| ["shape", "puzzle", "solution"].contains(&name) || name.starts_with("n_");
    COLUMNS.iter().filter(|column| !first(&column.name)).collect()
});

/// The first byte of a value is the number of bytes of an integer (0 to 8), or one of these: `FLAG` for false,
/// `FLAG + 1` for true, `REAL` for a real number, `TEXT` for a text.
const FLAG: u8 = 16;
const REAL: u8 = 18;
const TEXT: u8 = 19;

impl Packed {
    /// Packs a row. Steps and columns of other programs are left out.
    pub fn new(record: &Record) -> Packed {
        let mut bytes = Vec::with_capacity(512);
        for side in [record.shape.box_rows(), record.shape.box_columns()] {
            push(&mut bytes, side as u64);
        }
        push_cells(&mut bytes, record.puzzle.as_ref().map(Puzzle::grid));
        push_cells(&mut bytes, record.solution.as_ref().map(Solution::grid));
        let counts = record.counts.iter().flatten().enumerate();
        let used: Vec<(usize, u32)> = counts.map(|(at, &count)| (at, count)).filter(|(_, count)| *count > 0).collect();
        push(&mut bytes, record.counts.map_or(0, |_| used.len() as u64 + 1));
        for (technique, count) in used {
            bytes.push(technique as u8);
            push(&mut bytes, count.into());
        }
        for (number, column) in OTHERS.iter().enumerate() {
            let value = column.get(record);
            if value != Value::Null {
                bytes.push(number as u8);
                push_value(&mut bytes, &value);
            }
        }
        Packed(bytes.into())
    }

    /// The row.
    pub fn record(&self) -> Record {
        let mut bytes = Reader(&self.0);
        let shape = bytes.shape();
        let mut record = Record::new(0, shape);
        record.puzzle = bytes.cells(shape).and_then(|grid| Puzzle::try_from(grid).ok());
        record.solution = bytes.cells(shape).and_then(|grid| Solution::try_from(grid).ok());
        if let Some(used) = bytes.number().checked_sub(1) {
            let counts = record.counts.insert([0; TECHNIQUES.len()]);
            for _ in 0..used {
                let technique = usize::from(bytes.take(1)[0]);
                counts[technique] = bytes.number() as u32;
            }
        }
        while let [number, ..] = *bytes.0 {
            bytes.0 = &bytes.0[1..];
            let stored = OTHERS[usize::from(number)].set(&mut record, bytes.value());
            debug_assert!(stored.is_ok(), "a value of a record goes back into a record: {stored:?}");
        }
        record
    }

    /// The shape of its board.
    pub fn shape(&self) -> Shape {
        Reader(&self.0).shape()
    }

    /// Its puzzle.
    pub fn puzzle(&self) -> Option<Puzzle> {
        let mut bytes = Reader(&self.0);
        let shape = bytes.shape();
        bytes.cells(shape).and_then(|grid| Puzzle::try_from(grid).ok())
    }
}

/// Appends a number: its length in bytes, then its bytes, the lowest first.
fn push(bytes: &mut Vec<u8>, number: u64) {
    let length = 8 - number.leading_zeros() as usize / 8;
    bytes.push(length as u8);
    bytes.extend(&number.to_le_bytes()[..length]);
}

fn push_cells(bytes: &mut Vec<u8>, grid: Option<&Grid>) {
    let Some(grid) = grid else { return bytes.push(0) };
    bytes.push(1);
    match grid.shape().order() {
        ..16 => {
            for pair in grid.values().chunks(2) {
                bytes.push((pair[0] | pair.get(1).unwrap_or(&0) << 4) as u8);
            }
        }
        _ => grid.values().iter().for_each(|value| bytes.extend(value.to_le_bytes())),
    }
}

fn push_value(bytes: &mut Vec<u8>, value: &Value<'_>) {
    match value {
        // No column of ours is signed, and missing values are left out.
        Value::Null | Value::Signed(_) => bytes.push(0),
        Value::Flag(flag) => bytes.push(FLAG + u8::from(*flag)),
        Value::Unsigned(number) => push(bytes, *number),
        Value::Real(number) => {
            bytes.push(REAL);
            bytes.extend(number.to_le_bytes());
        }
        Value::Text(text) => {
            bytes.push(TEXT);
            push(bytes, text.len() as u64);
            bytes.extend(text.as_bytes());
        }
    }
}

/// The bytes of a packed row that are not read yet.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken
    }

    fn eight(&mut self, count: usize) -> [u8; 8] {
        let mut number = [0; 8];
        number[..count].copy_from_slice(self.take(count));
        number
    }

    fn number(&mut self) -> u64 {
        let length = usize::from(self.take(1)[0]);
        u64::from_le_bytes(self.eight(length))
    }

    fn shape(&mut self) -> Shape {
        let [rows, columns] = [self.number(), self.number()];
        Shape::new(rows as usize, columns as usize).unwrap_or(Shape::NINE)
    }

    fn cells(&mut self, shape: Shape) -> Option<Grid> {
        if self.take(1) == [0] {
            return None;
        }
        let cells = shape.cells();
        let mut values = Vec::with_capacity(cells + 1);
        match shape.order() {
            ..16 => {
                for pair in self.take(cells.div_ceil(2)) {
                    values.extend([u16::from(pair & 15), u16::from(pair >> 4)]);
                }
                values.truncate(cells);
            }
            _ => values.extend(self.take(2 * cells).chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]))),
        }
        Grid::new(shape, values).ok()
    }

    fn value(&mut self) -> Value<'a> {
        match self.take(1)[0] {
            kind if kind < FLAG => Value::Unsigned(u64::from_le_bytes(self.eight(kind.into()))),
            kind @ (FLAG..REAL) => Value::Flag(kind > FLAG),
            REAL => Value::Real(f64::from_le_bytes(self.eight(8))),
            _ => {
                let length = self.number() as usize;
                Value::Text(String::from_utf8_lossy(self.take(length)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudoku_corpus_core::generate::{Method, Strength};
    use sudoku_corpus_core::random::{Rng, Stage};
    use sudoku_corpus_store::corpus::{AnalyzeDraft, Draft, Recipe};

    #[test]
    fn rows_come_back_as_they_were() {
        assert!(OTHERS.len() <= 256 && TECHNIQUES.len() <= 256);
        let recipe = Recipe::new(&Draft {
            analyze: AnalyzeDraft { ratings: Some("er,w".parse().unwrap()), ..AnalyzeDraft::default() },
            ..Draft::default()
        })
        .unwrap();
        for index in 0..8 {
            let record = recipe.make(index).unwrap();
            let packed = Packed::new(&record);
            assert_eq!(packed.record(), record);
            assert_eq!((packed.puzzle(), packed.shape()), (record.puzzle.clone(), record.shape));
            assert!(packed.0.len() < 420, "{}", packed.0.len());
            let unrated = Record { counts: None, name: None, puzzle: None, ..record };
            assert_eq!(Packed::new(&unrated).record(), unrated);
        }
        for (rows, columns) in [(2, 2), (2, 3), (3, 5), (4, 4), (6, 6), (20, 20)] {
            let shape = Shape::new(rows, columns).unwrap();
            let mut rng = Rng::new(1, 0, Stage::Bench, 0);
            let solution = Method::Permutation(Strength::Blocks).fill(shape, &mut rng).unwrap();
            let puzzle = solution.masked(|_| rng.below(3) == 0);
            let record = Record { solution: Some(solution), ..Record::of_puzzle(u64::MAX, puzzle) };
            assert_eq!(Packed::new(&record).record(), record);
        }
    }
}
