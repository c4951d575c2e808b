//! What a corpus is like: counts over its rows, apart for each shape of boards, made in one pass and in parts that can
//! be added up.
//!
//! ```text
//!   Record, Record, ... -> Summary { 3x3: Counts, 4x4: Counts, .. } -> report
//! ```
//!
//! Every value may be missing: what is not known is not counted, and the totals of the tallies say of how many rows it
//! is known.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::classes::Classes;
use super::stats::{Joint, Tally};
use crate::board::{Cell, Grid, Shape, Symmetry};
use crate::corpus::{COLUMNS, Record, Value};
use crate::rate::{Level, TECHNIQUES};

/// Columns of ratings that a row may have besides level and score.
pub const RATINGS: [&str; 5] = ["se_er_tenths", "se_ep_tenths", "se_ed_tenths", "w", "b"];

/// So many origins are told apart; rows of others are counted together. Files of others may say anything there.
const ORIGINS: usize = 64;

/// Where a row comes from: method, plan and the symmetry that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// How the full grid was made.
    pub method: Option<Cow<'static, str>>,
    /// How it was dug.
    pub plan: Option<Cow<'static, str>>,
    /// The symmetry asked for.
    pub symmetry: Option<Symmetry>,
}

/// What has been seen of one technique.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Use {
    /// Puzzles that the ladder solves, or tries to solve, with it.
    pub puzzles: u64,
    /// Steps.
    pub steps: u64,
    /// Puzzles whose hardest technique it is.
    pub hardest: u64,
}

/// What has been seen of boards of one shape.
#[derive(Clone, Debug)]
pub struct Counts {
    /// Rows.
    pub rows: u64,
    /// Rows by where they come from, in the order in which they came.
    pub origins: Vec<(Origin, u64)>,
    /// Rows of further origins.
    pub other_origins: u64,
    /// Minimal: no, yes.
    pub minimal: [u64; 2],
    /// Solutions: none, one, several.
    pub solutions: [u64; 3],
    /// Cells with a digit.
    pub givens: Tally,
    /// Sums of weights by givens, for rows that have one.
    pub weights: Weights,
    /// Values tried by the reference search.
    pub guesses: Tally,
    /// Holes and search depth.
    pub depths: Joint,
    /// Holes and guesses.
    pub tries: Joint,
    /// Levels.
    pub levels: [u64; Level::ALL.len()],
    /// Level and score of puzzles that the ladder solves.
    pub scores: Joint,
    /// Holes and score of puzzles that the ladder solves.
    pub efforts: Joint,
    /// Cells left open in the others.
    pub open_cells: Tally,
    /// Different techniques a puzzle needs, of puzzles that the ladder solves.
    pub kinds: Tally,
    /// Uses of each technique, in the order of the rater's table.
    pub techniques: [Use; TECHNIQUES.len()],
    /// The columns of [`RATINGS`].
    pub ratings: [Tally; RATINGS.len()],
    /// Puzzles whose pattern of givens was looked at.
    pub patterns: u64,
    /// Patterns of givens that have each symmetry, in the order of [`Symmetry::ALL`]; a pattern may have several.
    pub symmetric: [u64; Symmetry::ALL.len()],
    /// Maps of the board that turn a puzzle into a relabelling of itself.
    pub automorphisms: Tally,
    /// Essentially equal puzzles.
    pub classes: Classes,
    /// For each symmetry, the cells that must be alike.
    alike: Vec<Vec<(Cell, Cell)>>,
}

impl Counts {
    fn new(shape: Shape) -> Counts {
        Counts {
            rows: 0,
            origins: Vec::new(),
            other_origins: 0,
            minimal: [0; 2],
            solutions: [0; 3],
            givens: Tally::default(),
            weights: Weights::default(),
            guesses: Tally::default(),
            depths: Joint::default(),
            tries: Joint::default(),
            levels: [0; Level::ALL.len()],
            scores: Joint::default(),
            efforts: Joint::default(),
            open_cells: Tally::default(),
            kinds: Tally::default(),
            techniques: [Use::default(); TECHNIQUES.len()],
            ratings: Default::default(),
            patterns: 0,
            symmetric: [0; Symmetry::ALL.len()],
            automorphisms: Tally::default(),
            classes: Classes::default(),
            alike: Symmetry::ALL.into_iter().map(|symmetry| alike(symmetry, shape)).collect(),
        }
    }

    fn add(&mut self, record: &Record) {
        self.rows += 1;
        self.add_origin(record);
        if let Some(minimal) = record.minimal {
            self.minimal[usize::from(minimal)] += 1;
        }
        match (record.solutions, record.solutions_exact) {
            (Some(0), Some(true)) => self.solutions[0] += 1,
            (Some(1), Some(true)) => self.solutions[1] += 1,
            (Some(2..), _) => self.solutions[2] += 1,
            _ => {}
        }
        if let Some(givens) = record.givens {
            self.givens.add(givens.into());
            self.weights.add(givens.into(), record.log_weight);
        }
        if let Some(puzzle) = &record.puzzle {
            self.add_pattern(puzzle.grid());
        }
        if let Some(search) = record.search {
            self.guesses.add(search.guesses);
            if let Some(holes) = record.holes {
                self.depths.add(holes.into(), search.depth.into());
                self.tries.add(holes.into(), search.guesses);
            }
        }
        self.add_rating(record);
        if let Some(automorphisms) = record.automorphisms {
            self.automorphisms.add(automorphisms.into());
        }
        if let Some(class) = record.class {
            self.classes.add(class);
        }
    }

    /// Rows of one origin mostly come one behind the other, so that the last one is looked at first.
    fn add_origin(&mut self, record: &Record) {
        let same = |(origin, _): &(Origin, u64)| {
            origin.symmetry == record.symmetry && origin.method == record.method && origin.plan == record.plan
        };
        if let Some((_, count)) = self.origins.iter_mut().rev().find(|entry| same(entry)) {
            *count += 1;
        } else {
            let Record { method, plan, symmetry, .. } = record;
            self.put_origin(Origin { method: method.clone(), plan: plan.clone(), symmetry: *symmetry }, 1);
        }
    }

    fn put_origin(&mut self, origin: Origin, rows: u64) {
        let room = self.origins.len() < ORIGINS;
        match self.origins.iter_mut().find(|(known, _)| *known == origin) {
            Some((_, count)) => *count += rows,
            None if room => self.origins.push((origin, rows)),
            None => self.other_origins += rows,
        }
    }

    fn add_pattern(&mut self, grid: &Grid) {
        let values = grid.values();
        self.patterns += 1;
        for (count, alike) in self.symmetric.iter_mut().zip(&self.alike) {
            let symmetric = alike.iter().all(|&(a, b)| (values[a.index()] == 0) == (values[b.index()] == 0));
            *count += u64::from(symmetric);
        }
    }

    fn add_rating(&mut self, record: &Record) {
        for (tally, &column) in self.ratings.iter_mut().zip(&rating_columns()) {
            if let Some(Value::Whole(rating)) = column.map(|column| COLUMNS[column].get(record)) {
                tally.add(rating);
            }
        }
        let Some(level) = record.level else { return };
        self.levels[level as usize] += 1;
        let kinds = record.counts.map_or(0, |counts| counts.iter().filter(|&&count| count > 0).count());
        if record.finished == Some(true) {
            if let Some(score) = record.score {
                self.scores.add(level as u64, score.into());
                if let Some(holes) = record.holes {
                    self.efforts.add(holes.into(), score.into());
                }
            }
            if record.counts.is_some() {
                self.kinds.add(kinds as u64);
            }
        } else if let Some(open) = record.open_cells {
            self.open_cells.add(open.into());
        }
        for (seen, &count) in self.techniques.iter_mut().zip(record.counts.iter().flatten()) {
            seen.puzzles += u64::from(count > 0);
            seen.steps += u64::from(count);
        }
        if let Some(hardest) = record.hardest {
            self.techniques[hardest as usize].hardest += 1;
        }
    }

    fn merge(&mut self, other: Counts) {
        let sum = |all: &mut [u64], more: &[u64]| all.iter_mut().zip(more).for_each(|(count, more)| *count += more);
        self.rows += other.rows;
        self.other_origins += other.other_origins;
        other.origins.into_iter().for_each(|(origin, rows)| self.put_origin(origin, rows));
        sum(&mut self.minimal, &other.minimal);
        sum(&mut self.solutions, &other.solutions);
        sum(&mut self.levels, &other.levels);
        sum(&mut self.symmetric, &other.symmetric);
        self.patterns += other.patterns;
        self.weights.merge(&other.weights);
        for (all, more) in [
            (&mut self.givens, &other.givens),
            (&mut self.guesses, &other.guesses),
            (&mut self.open_cells, &other.open_cells),
            (&mut self.kinds, &other.kinds),
            (&mut self.automorphisms, &other.automorphisms),
        ] {
            all.merge(more);
        }
        self.ratings.iter_mut().zip(&other.ratings).for_each(|(all, more)| all.merge(more));
        for (all, more) in [
            (&mut self.depths, &other.depths),
            (&mut self.tries, &other.tries),
            (&mut self.scores, &other.scores),
            (&mut self.efforts, &other.efforts),
        ] {
            all.merge(more);
        }
        for (all, more) in self.techniques.iter_mut().zip(other.techniques) {
            *all = Use {
                puzzles: all.puzzles + more.puzzles,
                steps: all.steps + more.steps,
                hardest: all.hardest + more.hardest,
            };
        }
        self.classes.merge(other.classes);
    }

    /// Rows with a level.
    pub fn rated(&self) -> u64 {
        self.levels.iter().sum()
    }
}

/// Places of [`RATINGS`] in the schema, where it has them.
fn rating_columns() -> [Option<usize>; RATINGS.len()] {
    static PLACES: std::sync::LazyLock<[Option<usize>; RATINGS.len()]> =
        std::sync::LazyLock::new(|| RATINGS.map(|name| COLUMNS.iter().position(|column| column.name == name)));
    *PLACES
}

/// Neighbours in the orbits of a symmetry: a pattern has it when all of these are both given or both blank.
fn alike(symmetry: Symmetry, shape: Shape) -> Vec<(Cell, Cell)> {
    let orbits = symmetry.orbits(shape);
    orbits.iter().flat_map(|orbit| orbit.windows(2).map(|pair| (pair[0], pair[1]))).collect()
}

/// Sums of weights, for each number of givens, that are known by their logarithms. They are kept as multiples of the
/// largest one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weights {
    rows: u64,
    largest: f64,
    sums: BTreeMap<u64, f64>,
    squares: f64,
}

impl Weights {
    fn add(&mut self, givens: u64, log: Option<f64>) {
        let Some(log) = log.filter(|log| log.is_finite()) else { return };
        if self.rows == 0 || log > self.largest {
            self.scale(log);
        }
        let weight = (log - self.largest).exp();
        self.rows += 1;
        *self.sums.entry(givens).or_default() += weight;
        self.squares += weight * weight;
    }

    /// Makes another weight the unit.
    fn scale(&mut self, largest: f64) {
        let factor = if self.rows == 0 { 1.0 } else { (self.largest - largest).exp() };
        self.sums.values_mut().for_each(|sum| *sum *= factor);
        self.squares *= factor * factor;
        self.largest = largest;
    }

    fn merge(&mut self, other: &Weights) {
        if other.rows == 0 {
            return;
        }
        if self.rows == 0 || other.largest > self.largest {
            self.scale(other.largest);
        }
        let factor = (other.largest - self.largest).exp();
        other.sums.iter().for_each(|(&givens, sum)| *self.sums.entry(givens).or_default() += sum * factor);
        self.squares += other.squares * factor * factor;
        self.rows += other.rows;
    }

    /// The weighted share of each number of givens; none without weights.
    pub fn shares(&self) -> Option<BTreeMap<u64, f64>> {
        let all: f64 = self.sums.values().sum();
        (all > 0.0).then(|| self.sums.iter().map(|(&givens, sum)| (givens, sum / all)).collect())
    }

    /// Rows of equal weight that would say as much: (sum of weights)^2 / sum of squares (Kish).
    pub fn effective_rows(&self) -> f64 {
        self.sums.values().sum::<f64>().powi(2) / self.squares
    }
}

/// What has been seen of a corpus.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    rows: u64,
    left_out: u64,
    shapes: BTreeMap<Shape, Counts>,
}

impl Summary {
    /// Takes a row in.
    pub fn add(&mut self, record: &Record) {
        self.rows += 1;
        self.shapes.entry(record.shape).or_insert_with(|| Counts::new(record.shape)).add(record);
    }

    /// Counts a row that could not be read.
    pub fn leave_out(&mut self) {
        self.left_out += 1;
    }

    /// Adds everything that another summary has seen.
    pub fn merge(&mut self, other: Summary) {
        self.rows += other.rows;
        self.left_out += other.left_out;
        for (shape, counts) in other.shapes {
            match self.shapes.get_mut(&shape) {
                Some(known) => known.merge(counts),
                None => {
                    self.shapes.insert(shape, counts);
                }
            }
        }
    }

    /// Number of rows taken in.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Number of rows that could not be read.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The shapes and what was counted of them, small boards first.
    pub fn shapes(&self) -> impl Iterator<Item = (Shape, &Counts)> + '_ {
        self.shapes.iter().map(|(&shape, counts)| (shape, counts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Puzzle, text};

    const LINE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn record(line: &str) -> Record {
        Record::of_puzzle(0, Puzzle::try_from(text::parse_line(line, None).unwrap()).unwrap())
    }

    fn nine(summary: &Summary) -> &Counts {
        summary.shapes().find(|(shape, _)| *shape == Shape::NINE).unwrap().1
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
        left.leave_out();
        left.merge(right);
        assert_eq!((left.rows(), left.left_out(), left.shapes().count()), (100, 1, 2));
        let (parts, whole) = (nine(&left), nine(&whole));
        assert_eq!(parts.rows, 50);
        assert_eq!((parts.minimal, parts.levels, parts.rated()), (whole.minimal, whole.levels, 50));
        assert_eq!(
            (&parts.scores, &parts.efforts, &parts.open_cells),
            (&whole.scores, &whole.efforts, &whole.open_cells)
        );
        assert_eq!(parts.classes.clone().found(), whole.classes.clone().found());
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

    #[test]
    fn weights_of_any_size_give_shares() {
        let mut weights = Weights::default();
        for (givens, log) in
            [(24, Some(-5000.0)), (24, Some(1000.0)), (25, Some(1000.0)), (26, None), (27, Some(f64::NAN))]
        {
            weights.add(givens, log);
        }
        let shares = weights.shares().unwrap();
        assert!(shares.len() == 2 && (shares[&24] - 0.5).abs() < 1e-12 && (shares[&25] - 0.5).abs() < 1e-12);
        assert!((weights.effective_rows() - 2.0).abs() < 1e-9);
        assert_eq!(Weights::default().shares(), None);
    }
}
