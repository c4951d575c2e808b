//! Checks every figure of `stats` against a complete enumeration: the 85,632 minimal puzzles of the 288 grids of 4x4.
//!
//! ```text
//!   all minimal puzzles  -->  true figures ------------------+
//!   many samples, each a file  -->  estimates, intervals ----+-->  is the mean error about 0? how often is the truth
//!                                                                  in the interval?
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::ask::ask;
use super::question::FiguresQuery;
use crate::corpus::tests::write_rows;
use crate::corpus::{Draft, Recipe};
use crate::study::Table;
use crate::study::estimates::{Estimate, Finding, Statistic};
use sudoku_corpus_core::board::{Grid, Shape, Solution};
use sudoku_corpus_core::solve::{Budget, solutions};

/// What the queries below ask of a minimal puzzle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct PuzzleKind {
    givens: usize,
    givens_of_first_row: usize,
    is_first_cell_blank: bool,
    is_last_cell_blank: bool,
}

/// How many minimal puzzles there are of each kind.
type Population = BTreeMap<PuzzleKind, f64>;

/// The minimal puzzles of all full grids of 4x4.
fn population() -> Population {
    let blank = Grid::blank(Shape::new(2, 2).unwrap()).try_into().unwrap();
    let grids = solutions(&blank, 1000, Budget::UNLIMITED).0;
    assert_eq!(grids.len(), 288);
    let mut population = Population::new();
    for grid in &grids {
        let differences = least_differences(grid, &grids);
        for givens in (0..=u16::MAX).filter(|&givens| is_minimal(givens, &differences)) {
            let kind = PuzzleKind {
                givens: givens.count_ones() as usize,
                givens_of_first_row: (givens & 15).count_ones() as usize,
                is_first_cell_blank: givens & 1 == 0,
                is_last_cell_blank: givens >> 15 == 0,
            };
            *population.entry(kind).or_default() += 1.0;
        }
    }
    population
}

/// The sets of cells, a bit for each, in which other grids differ from a grid, without those that contain another one.
fn least_differences(grid: &Solution, grids: &[Solution]) -> Vec<u16> {
    let mut differences: Vec<u16> = Vec::new();
    for other in grids {
        let different_cells = (0..16).filter(|&cell| other.values()[cell] != grid.values()[cell]);
        differences.push(different_cells.map(|cell| 1 << cell).sum());
    }
    differences.sort_by_key(|cells| cells.count_ones());
    let mut least: Vec<u16> = Vec::new();
    for cells in differences {
        if cells != 0 && least.iter().all(|small| small & cells != *small) {
            least.push(cells);
        }
    }
    least
}

/// True for givens that determine their grid, because they meet each set of cells in which another grid differs from it,
/// and of which none can be left out.
fn is_minimal(givens: u16, differences: &[u16]) -> bool {
    let determine = |cells: u16| differences.iter().all(|difference| difference & cells != 0);
    determine(givens) && (0..16).all(|cell| givens >> cell & 1 == 0 || !determine(givens & !(1 << cell)))
}

/// The true figures of some puzzles by the names that `stats` gives them.
fn true_figures(puzzles: &Population) -> BTreeMap<&'static str, f64> {
    let total: f64 = puzzles.values().sum();
    let mean = |value: &dyn Fn(&PuzzleKind) -> f64| {
        puzzles.iter().map(|(puzzle, count)| count * value(puzzle)).sum::<f64>() / total
    };
    let share = |has: &dyn Fn(&PuzzleKind) -> bool| mean(&|puzzle| f64::from(u8::from(has(puzzle))));
    let mean_givens = mean(&|puzzle| puzzle.givens as f64);
    let variance = mean(&|puzzle| (puzzle.givens as f64 - mean_givens).powi(2));
    let mut givens = puzzles.keys().map(|puzzle| puzzle.givens);
    let median = givens.find(|&most| share(&|puzzle| puzzle.givens <= most) >= 0.5).unwrap();
    BTreeMap::from([
        ("givens mean", mean_givens),
        ("givens sd", variance.sqrt()),
        ("givens q50", median as f64),
        ("givens share 5", share(&|puzzle| puzzle.givens == 5)),
        ("top mean", mean(&|puzzle| puzzle.givens_of_first_row as f64)),
        ("first share true", share(&|puzzle| puzzle.is_first_cell_blank)),
        ("size share many", share(&|puzzle| puzzle.givens > 4)),
    ])
}

#[derive(Clone, Copy, Debug)]
struct QueryOptions {
    /// Groups by the givens of the first row: `--by`.
    by: bool,
    /// Only puzzles whose last cell is empty: `--where`.
    condition: bool,
}

impl QueryOptions {
    fn query(self) -> FiguresQuery {
        let top = "length(replace(substr(puzzle, 1, 4), '.', '')) AS top";
        let size = "CASE WHEN givens > 4 THEN 'many' ELSE 'few' END AS size";
        FiguresQuery {
            figures: format!("givens, {top}, substr(puzzle, 1, 1) = '.' AS first, {size}"),
            by: self.by.then(|| top.to_owned()),
            condition: self.condition.then(|| "substr(puzzle, 16, 1) = '.'".to_owned()),
            // Each row has a grid of its own, also where two are equal.
            grid: Some("row".to_owned()),
            quantiles: vec![50.0],
            ..FiguresQuery::default()
        }
    }

    fn findings(self, sample: &PathBuf) -> Vec<Finding> {
        let table = Table::open(std::slice::from_ref(sample)).unwrap();
        let mut findings = ask(&table, &self.query()).unwrap().findings;
        if !self.by && !self.condition {
            // The number of minimal puzzles of a grid is a mean over tries. A row stands for all its tries, of which
            // one made the puzzle: so its weight is their number, and they share exp(log_weight).
            let query = FiguresQuery {
                figures: "exp(log_weight) / coalesce(tries, 1) AS puzzles".to_owned(),
                log_weight: Some("ln(coalesce(tries, 1))".to_owned()),
                grid: Some("row".to_owned()),
                ..FiguresQuery::default()
            };
            let puzzles = ask(&table, &query).unwrap().findings;
            findings.extend(puzzles.into_iter().filter(|finding| finding.statistic == Statistic::Mean));
        }
        findings
    }

    /// The true figures of each group.
    fn truths(self, population: &Population) -> BTreeMap<FigureKey, f64> {
        let groups: Vec<Option<usize>> = if self.by { (0..=4).map(Some).collect() } else { vec![None] };
        let mut truths = BTreeMap::new();
        for top in groups {
            let mut members = population.clone();
            members.retain(|puzzle, _| !self.condition || puzzle.is_last_cell_blank);
            members.retain(|puzzle, _| top.is_none_or(|top| puzzle.givens_of_first_row == top));
            if members.is_empty() {
                continue;
            }
            let mut figures = true_figures(&members);
            if !self.by && !self.condition {
                figures.insert("puzzles mean", members.values().sum::<f64>() / 288.0);
            }
            let group = top.map_or(String::new(), |top| top.to_string());
            for (name, truth) in figures {
                truths.insert(FigureKey { group: group.clone(), name: name.to_owned() }, truth);
            }
        }
        truths
    }
}

/// A figure of a group: its name is that of the column with the statistic.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct FigureKey {
    group: String,
    name: String,
}

/// The estimates of a figure, or of a statistic, in many samples.
#[derive(Default)]
struct Estimates {
    /// The sum of their differences from the true value, and of the squares of these.
    errors: f64,
    squares: f64,
    /// The intervals of reliable estimates, and those of them that hold the true value.
    intervals: u32,
    holding: u32,
}

impl Estimates {
    fn add(&mut self, estimate: &Estimate, truth: f64) {
        let error = estimate.value - truth;
        self.errors += error;
        self.squares += error * error;
        if estimate.doubt.is_none() {
            let (low, high) = estimate.interval;
            let rounding = 1e-9 * truth.abs();
            self.intervals += 1;
            self.holding += u32::from((low - rounding..=high + rounding).contains(&truth));
        }
    }

    /// The share of the intervals that hold the true value.
    fn share(&self) -> f64 {
        f64::from(self.holding) / f64::from(self.intervals)
    }

    /// Checks the mean error and the intervals of a figure that is reliable in three of four samples. False for others.
    fn check(&self, samples: u32, truth: f64, context: &str) -> bool {
        let Estimates { intervals, holding, .. } = self;
        if 4 * intervals < 3 * samples {
            return false;
        }
        let mean_error = self.errors / f64::from(samples);
        let standard_error = self.squares.sqrt() / f64::from(samples);
        // Chance alone exceeds 4.5 standard errors once in 150,000 figures. Ratios also have a bias of the order of 1/rows.
        let margin = 4.5 * standard_error + 0.01 * truth.abs();
        assert!(mean_error.abs() <= margin, "{context}: off by {mean_error} of {truth}, +- {standard_error}");
        let least_share = 0.95 - 4.5 * (0.95 * 0.05 / f64::from(*intervals)).sqrt();
        assert!(self.share() > least_share, "{context}: {holding} of {intervals} intervals hold {truth}");
        true
    }
}

struct Samples {
    recipe: String,
    count: u32,
    rows: u64,
}

impl Samples {
    fn make(&self, folder: &Path, seed: u64) -> PathBuf {
        let table = if self.recipe.contains("[analyze]") { "" } else { "[analyze]\n" };
        let options = "techniques = \"none\"\nratings = \"none\"\nweight = true\n";
        let text = format!("seed = {seed}\n{}\n{table}{options}", self.recipe);
        let recipe = Recipe::new(&Draft::parse(&text).unwrap()).unwrap();
        let path = folder.join(format!("{seed}.parquet"));
        write_rows(&path, (0..self.rows).map(|index| recipe.make(index).unwrap()));
        path
    }

    /// Compares every figure with the truth, with every combination of options. Adds up the intervals of each statistic.
    fn compare(&self, population: &Population, by_statistic: &mut BTreeMap<String, Estimates>) {
        let folder = tempfile::tempdir().unwrap();
        // One after the other: a thread of rayon that waits takes the next sample on its stack, and so on.
        let files: Vec<PathBuf> = (0..u64::from(self.count)).map(|seed| self.make(folder.path(), seed)).collect();
        for (by, condition) in [(false, false), (false, true), (true, false), (true, true)] {
            let options = QueryOptions { by, condition };
            let truths = options.truths(population);
            let mut estimates: BTreeMap<FigureKey, Estimates> = BTreeMap::new();
            for finding in files.iter().flat_map(|file| options.findings(file)) {
                let name = format!("{} {}", finding.figure, finding.statistic);
                let key = FigureKey { group: finding.group.join(""), name };
                if let Some(truth) = truths.get(&key) {
                    estimates.entry(key).or_default().add(&finding.estimate, *truth);
                }
            }
            assert!(estimates.len() * 10 > truths.len() * 8, "{} of {} figures", estimates.len(), truths.len());
            for (key, estimates) in estimates {
                let context = format!("{} {options:?} {key:?}", self.recipe);
                if estimates.check(self.count, truths[&key], &context) {
                    let statistic = key.name.split(' ').nth(1).unwrap_or("").trim_end_matches(char::is_numeric);
                    let sums = by_statistic.entry(statistic.to_owned()).or_default();
                    sums.intervals += estimates.intervals;
                    sums.holding += estimates.holding;
                }
            }
        }
    }
}

/// Each figure, with every combination of `--by` and `--where` and three ways of making rows.
///
/// Intervals of 95 % hold the truth in 93 to 98 of 100 samples; those of quantiles and standard deviations may hold it
/// in more, the latter also in 91.
#[test]
fn figures_agree_with_the_enumeration_of_4x4() {
    let population = population();
    assert_eq!(population.values().sum::<f64>(), 85_632.0);
    let mut by_statistic = BTreeMap::new();
    for (count, plan) in [
        (200u32, "method = \"uniform\"\n[dig]\nplan = \"controlled-bias\""),
        (60, "method = \"uniform\"\n[dig]\nplan = \"minimal\""),
        (60, "method = \"row-major\"\n[dig]\nplan = \"minimal\"\n[analyze]\nnumbers = true"),
    ] {
        let recipe = format!("[grid]\nshape = \"2x2\"\n{plan}");
        Samples { recipe, count, rows: 600 }.compare(&population, &mut by_statistic);
    }
    for (statistic, estimates) in by_statistic {
        let share = estimates.share();
        println!("{statistic}: {} of {} intervals, {share:.4}", estimates.holding, estimates.intervals);
        // A quantile of few different values is mostly exact, so its interval is wide. A standard deviation rests on
        // the rare puzzles of six givens, of which some samples have none: its interval allows for values that no row
        // has, and is wide. Few intervals are checked for each figure alone.
        if estimates.intervals < 300 {
            continue;
        }
        let (least, most) = match statistic.as_str() {
            "q" => (0.93, 1.0),
            "sd" => (0.91, 1.0),
            _ => (0.93, 0.98),
        };
        assert!((least..=most).contains(&share), "{statistic}: {share}");
    }
}
