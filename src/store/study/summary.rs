//! A summary of a corpus: counts over its rows for each shape, made in one pass. Summaries of parts can be added.
//!
//! ```text
//!   Record, Record, ... -> Summary { 3x3: Counts, 4x4: Counts, .. } -> report
//! ```

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::counts::Counts;
use crate::corpus::Record;
use sudoku_corpus_core::board::Shape;

/// The counts for a corpus.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Rows counted.
    pub rows: u64,
    /// Rows that could not be read.
    pub left_out: u64,
    /// The counts of each shape, small boards first.
    pub(super) shapes: BTreeMap<Shape, Counts>,
}

impl Summary {
    /// Counts a row.
    pub fn add(&mut self, record: &Record) {
        self.rows += 1;
        let kind = record.shape.kind();
        self.shapes.entry(kind).or_insert_with(|| Counts::of(kind)).add(record);
    }

    /// Adds the counts of another summary.
    pub fn merge(&mut self, other: Summary) {
        self.rows += other.rows;
        self.left_out += other.left_out;
        for (shape, counts) in other.shapes {
            match self.shapes.entry(shape) {
                Entry::Occupied(known) => known.into_mut().merge(counts),
                Entry::Vacant(place) => drop(place.insert(counts)),
            }
        }
    }

    /// The counts of all shapes together.
    pub fn together(&self) -> Counts {
        let mut all = Counts::default();
        self.shapes.values().for_each(|counts| all.merge(counts.clone()));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::counts::ORIGINS;
    use sudoku_corpus_core::board::{Puzzle, Symmetry, text};
    use sudoku_corpus_core::rate::Level;

    const LINE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn record(line: &str) -> Record {
        Record::of_puzzle(0, Puzzle::try_from(text::parse_line(line, None).unwrap()).unwrap())
    }

    fn nine(summary: &Summary) -> &Counts {
        &summary.shapes[&Shape::NINE]
    }

    #[test]
    fn rows_are_counted_as_they_come_or_in_parts() {
        let (mut whole, mut left, mut right) = (Summary::default(), Summary::default(), Summary::default());
        for at in 0..100u32 {
            let record = Record {
                minimal: (at % 3 > 0).then_some(at % 3 == 1),
                level: Some(Level::ALL[at as usize % 5]),
                score: Some(at),
                finished: Some(at % 4 > 0),
                open_cells: Some(at % 7),
                method: Some(format!("method {}", at % 80).into()),
                class: Some(u128::from(at % 10) << 64),
                log_weight: Some(f64::from(at)),
                ..record(if at % 2 == 0 { LINE } else { "1...............0".get(..16).unwrap() })
            };
            whole.add(&record);
            if at < 37 { left.add(&record) } else { right.add(&record) }
        }
        left.left_out += 1;
        left.merge(right);
        assert_eq!((left.rows, left.left_out, left.shapes.len()), (100, 1, 2));
        let (parts, whole) = (nine(&left), nine(&whole));
        assert_eq!(parts.rows, 50);
        assert_eq!((parts.minimal, parts.levels, parts.rated()), (whole.minimal, whole.levels, 50));
        assert_eq!(
            (&parts.level_score, &parts.holes_score, &parts.open_cells),
            (&whole.level_score, &whole.holes_score, &whole.open_cells)
        );
        assert_eq!(parts.classes.times().unwrap(), whole.classes.times().unwrap());
        assert!((parts.weights.effective_rows() / whole.weights.effective_rows() - 1.0).abs() < 1e-9);
        let origins: u64 = parts.origins.iter().map(|(_, rows)| rows).sum();
        assert!(origins + parts.other_origins == 50 && parts.origins.len() <= ORIGINS);
    }

    #[test]
    fn symmetries_are_seen_in_patterns_and_not_asked_for() {
        let mut summary = Summary::default();
        summary.add(&record(LINE));
        summary.add(&record(&format!("1{}", ".".repeat(80))));
        summary.add(&record(&".".repeat(81)));
        let counts = nine(&summary);
        let seen: Vec<_> = Symmetry::ALL.into_iter().zip(counts.symmetric).map(|(s, n)| format!("{s} {n}")).collect();
        assert_eq!(
            seen.join(", "),
            "none 3, rotate-180 2, rotate-90 1, mirror-horizontal 1, mirror-vertical 1, diagonal 2, anti-diagonal 1, full 1"
        );
    }
}
