//! A summary of corpora: counts over their rows for each shape, made in one pass. Summaries of parts can be added.
//!
//! ```text
//!   Record, Record, ... -> Summary { 3x3: Answers, 4x4: Answers, .. } -> report, audit, cards
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::answers::Answers;
use super::population::TargetPopulation;
use crate::corpus::{
    Analysis, CorpusError, Input, ItemSize, Levels, OnError, Progress, Record, Result, SourceScales, StopFlag, Unread,
    Want, files_of, in_order,
};
use sudoku_corpus_core::board::Shape;

/// The answers about a corpus.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Rows counted.
    pub rows: u64,
    /// Rows that could not be read.
    pub left_out: u64,
    /// The rows with each level of the other scale that was asked for; empty without one.
    pub other_levels: Vec<u64>,
    /// Whom weighted figures are about.
    pub population: TargetPopulation,
    /// The scale of the levels that are counted.
    scale: Levels,
    /// What the column `level` says may be of another scale, so the ratings of a row give its level.
    by_ratings: bool,
    /// The counts of each shape, small boards first.
    pub(super) shapes: BTreeMap<Shape, Answers>,
}

impl Summary {
    /// Without rows, for levels of a scale.
    pub fn of(scale: Levels) -> Summary {
        Summary { scale, ..Summary::default() }
    }

    /// Answers a row.
    pub fn add(&mut self, record: &Record) {
        self.rows += 1;
        let kind = record.shape.kind();
        self.shapes.entry(kind).or_insert_with(|| Answers::of(kind, &self.scale)).add(record);
    }

    /// Adds the rows of a file. With another scale, the levels on it are counted too.
    fn add_file(&mut self, file: &Path, other_scale: Option<&Levels>, progress: &dyn Progress) -> Result<()> {
        let scale_of_ratings = self.by_ratings.then(|| self.scale.clone());
        let rated = |row: Unread| {
            let mut record = row.read()?;
            if let Some(scale) = &scale_of_ratings {
                scale.fill_in(&mut record);
            }
            let level = other_scale.and_then(|levels| level_by_ratings(levels, &record));
            Ok((record, level))
        };
        let rows = Input::open(file, Want::Known)?.unread();
        in_order(ItemSize::Small, rows, &StopFlag::new(), rated, |rows| {
            progress.rows(rows.len() as u64);
            for row in rows {
                match OnError::Skip.sort(row, progress)? {
                    None => self.left_out += 1,
                    Some((record, level)) => {
                        self.add(&record);
                        if let Some(level) = level {
                            self.other_levels[level] += 1;
                        }
                    }
                }
            }
            Ok::<(), CorpusError>(())
        })?;
        Ok(())
    }

    /// Adds the counts of another summary.
    pub fn merge(&mut self, other: Summary) {
        self.rows += other.rows;
        self.left_out += other.left_out;
        for (rows, more) in self.other_levels.iter_mut().zip(&other.other_levels) {
            *rows += more;
        }
        for (shape, counts) in other.shapes {
            self.shapes.entry(shape).or_insert_with(|| Answers::of(shape, &counts.scale)).merge(counts);
        }
    }

    /// The counts of all shapes together.
    pub fn together(&self) -> Answers {
        let mut all = Answers::default();
        for counts in self.shapes.values() {
            all.merge(counts.clone());
        }
        all
    }
}

/// Reads folders of corpora, files of rows, and files of puzzles in any format. Wrong rows are reported and left out. If
/// there is another scale, its levels are counted too, by the ratings of the rows; rows that were never analysed are
/// rated for it.
///
/// # Errors
/// A source that cannot be read; sources whose levels have different scales.
pub fn summarize(sources: &[PathBuf], other_scale: Option<&Levels>, progress: &dyn Progress) -> Result<Summary> {
    let mut files = Vec::new();
    for source in sources {
        files.extend(files_of(source)?);
    }
    let scales = SourceScales::of(sources)?;
    let scale = scales.common().map_err(CorpusError::Query)?;
    let by_ratings = !scales.are_all(&scale);
    let population = TargetPopulation::of(sources.iter().map(PathBuf::as_path), None)?;
    progress.begin(None, 0);
    let other_levels = other_scale.map_or(0, |levels| levels.ranges().len());
    let no_rows =
        || Summary { other_levels: vec![0; other_levels], population, by_ratings, ..Summary::of(scale.clone()) };
    let mut summary = no_rows();
    if let [file] = &files[..] {
        summary.add_file(file, other_scale, progress)?;
        return Ok(summary);
    }
    // Several files at once, added up in their order.
    let summarize_file = |file: PathBuf| {
        let mut part = no_rows();
        part.add_file(&file, other_scale, progress)?;
        Ok(part)
    };
    in_order(ItemSize::Small, files, &StopFlag::new(), summarize_file, |parts: Vec<Result<Summary>>| {
        parts.into_iter().try_for_each(|part| part.map(|part| summary.merge(part)))
    })?;
    Ok(summary)
}

/// The level of a puzzle on a scale, by its ratings. A row that was never analysed is rated first.
fn level_by_ratings(levels: &Levels, record: &Record) -> Option<usize> {
    record.puzzle.as_ref()?;
    if record.solutions.is_some() {
        return levels.rated(record);
    }
    let analysis = Analysis { ratings: levels.ratings(), levels: levels.clone(), ..Analysis::default() };
    levels.rated(&analysis.analyze(record.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::tests::{PUZZLE, puzzle, write_rows};
    use crate::corpus::{RowSink, Silent};
    use crate::study::numbers::{Number, PAIRS};
    use sudoku_corpus_core::board::{Grid, Solution, Symmetry};
    use sudoku_corpus_core::ladder::Level;

    fn record(line: &str) -> Record {
        Record::of_puzzle(0, puzzle(line))
    }

    fn nine(summary: &Summary) -> &Answers {
        &summary.shapes[&Shape::NINE]
    }

    #[test]
    fn rows_are_counted_as_they_come_or_in_parts() {
        let (mut whole, mut left, mut right) = (Summary::default(), Summary::default(), Summary::default());
        for row in 0..100u32 {
            let record = Record {
                minimal: (row % 3 > 0).then_some(row % 3 == 1),
                level: Some(["easy", "medium", "hard", "expert", "extreme"][row as usize % 5].into()),
                hodoku_level: Some(Level::ALL[row as usize % 5]),
                hodoku_score: Some(row),
                finished: Some(row % 4 > 0),
                open_cells: Some(row % 7),
                method: Some(format!("method {}", row % 80).into()),
                class: Some(u128::from(row % 10) << 64),
                log_weight: Some(f64::from(row)),
                ..record(if row % 2 == 0 { PUZZLE } else { "1...............0".get(..16).unwrap() })
            };
            whole.add(&record);
            if row < 37 { left.add(&record) } else { right.add(&record) }
        }
        left.left_out += 1;
        left.merge(right);
        assert_eq!((left.rows, left.left_out, left.shapes.len()), (100, 1, 2));
        let (parts, whole) = (nine(&left), nine(&whole));
        assert_eq!(parts.rows, 50);
        assert!(parts.by_level().eq(whole.by_level()) && parts.by_level().count() == 5);
        assert_eq!((parts.minimal(), parts.rated()), (whole.minimal(), 50));
        for number in Number::all() {
            assert_eq!(parts.tally(number), whole.tally(number), "{}", number.name());
        }
        for &(first, second) in PAIRS.iter() {
            assert_eq!(parts.pair(first, second), whole.pair(first, second), "{} {}", first.name(), second.name());
        }
        assert_eq!(parts.classes.times().unwrap(), whole.classes.times().unwrap());
        assert!((parts.weighted.effective_rows() / whole.weighted.effective_rows() - 1.0).abs() < 1e-9);
        let givens = Number::GIVENS.weighted().unwrap();
        let means = [parts, whole].map(|counts| counts.weighted.mean(givens).unwrap());
        assert!((means[0].value - means[1].value).abs() < 1e-9);
        assert_eq!((parts.origins.len(), parts.origins.iter().map(|origin| origin.rows).sum::<u64>()), (40, 50));
    }

    /// Of a file, the solutions are not read, but they tell the grids apart.
    #[test]
    fn puzzles_of_one_grid_do_not_count_as_independent_in_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.parquet");
        let mut sink = RowSink::create(&path, None).unwrap();
        let mut rows = Summary::default();
        let grid = Analysis::default().analyze(record(PUZZLE)).solution.unwrap();
        let shifted: Vec<Solution> = (0..9).map(|shift| shifted(&grid, shift)).collect();
        for row in 0..450u64 {
            let solution = shifted[row as usize % 9].clone();
            // All puzzles of a grid have the same number of givens.
            let puzzle = solution.masked(|cell| cell.index() < 40 + row as usize % 9 || cell.index() == 60);
            let record = Record { solution: Some(solution), log_weight: Some(0.0), ..Record::of_puzzle(row, puzzle) };
            rows.add(&record);
            sink.write(record).unwrap();
        }
        sink.finish().unwrap();
        let file = summarize(&[path], None, &Silent).unwrap();
        let givens = Number::GIVENS.weighted().unwrap();
        let errors = [&file, &rows].map(|summary| nine(summary).weighted.mean(givens).unwrap().error);
        // The grids have 41 to 49 givens: a standard deviation of 2.7, and nine grids.
        assert!(errors.iter().all(|error| (0.6..1.3).contains(error)), "{errors:?}");
    }

    /// A file that does not say its scale may have levels of any.
    #[test]
    fn levels_of_files_that_name_no_scale_follow_from_the_ratings() {
        let folder = tempfile::tempdir().unwrap();
        let rated = Record { level: Some("extreme".into()), ..Analysis::default().analyze(record(PUZZLE)) };
        for (name, levels) in [("rows.csv", ["easy"]), ("rows.csv.zst", ["extreme"])] {
            let path = folder.path().join(name);
            write_rows(&path, [rated.clone()]);
            let summary = summarize(&[path], None, &Silent).unwrap();
            let counted = nine(&summary).by_level().filter(|(_, rows)| *rows > 0).map(|(level, _)| level.to_owned());
            assert_eq!(counted.collect::<Vec<_>>(), levels, "{name}");
        }
    }

    /// The grid with its digits moved on.
    fn shifted(grid: &Solution, shift: u16) -> Solution {
        let values = grid.values().iter().map(|&value| (value - 1 + shift) % 9 + 1).collect();
        Grid::new(Shape::NINE, values).unwrap().try_into().unwrap()
    }

    #[test]
    fn symmetries_are_seen_in_patterns_and_not_asked_for() {
        let mut summary = Summary::default();
        summary.add(&record(PUZZLE));
        summary.add(&record(&format!("1{}", ".".repeat(80))));
        summary.add(&record(&".".repeat(81)));
        let masks = nine(&summary).tally(Number::SYMMETRIES);
        let having =
            |bit: usize| masks.iter().filter(|(mask, _)| mask >> bit & 1 == 1).map(|(_, rows)| rows).sum::<u64>();
        let seen: Vec<_> = (0..).zip(Symmetry::ALL).map(|(bit, s)| format!("{s} {}", having(bit))).collect();
        assert_eq!(
            seen.join(", "),
            "none 3, rotate-180 2, rotate-90 1, mirror-horizontal 1, mirror-vertical 1, diagonal 2, anti-diagonal 1, full 1"
        );
    }
}
