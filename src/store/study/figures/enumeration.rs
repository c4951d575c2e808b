//! Every figure of `stats` against a complete enumeration: the 85,632 minimal puzzles of the 288 grids of 4x4.

use std::collections::BTreeMap;
use std::path::Path;

use super::ask::{Figures, ask};
use super::question::FiguresQuery;
use crate::corpus::{Draft, Recipe, RowSink};
use crate::study::Table;
use crate::study::estimates::Statistic;
use sudoku_corpus_core::board::{Grid, Shape};
use sudoku_corpus_core::solve::{Budget, solutions};

/// What the queries below ask of a minimal puzzle: givens, givens of the first row, and whether the first and the last
/// cell are blank.
type Asked = (usize, usize, bool, bool);

/// How many minimal puzzles there are of each kind.
type Population = BTreeMap<Asked, f64>;

/// The minimal puzzles of all full grids of 4x4. Givens determine a grid if they meet each set of cells in which another
/// grid differs from it, and they are minimal if all of them are needed for this.
fn population() -> Population {
    let blank = Grid::blank(Shape::new(2, 2).unwrap()).try_into().unwrap();
    let grids = solutions(&blank, 1000, Budget::UNLIMITED).0;
    assert_eq!(grids.len(), 288);
    let mut puzzles = Population::new();
    for grid in &grids {
        let differs = |other: &[u16]| {
            (0..16).filter(|&cell| other[cell] != grid.values()[cell]).fold(0u16, |set, cell| set | 1 << cell)
        };
        let mut sets: Vec<u16> = grids.iter().map(|other| differs(other.values())).filter(|set| *set != 0).collect();
        sets.sort_by_key(|set| set.count_ones());
        let mut least: Vec<u16> = Vec::new();
        for set in sets {
            if least.iter().all(|small| small & set != *small) {
                least.push(set);
            }
        }
        let determine = |cells: u16| least.iter().all(|set| set & cells != 0);
        for cells in (0..=u16::MAX).filter(|&cells| determine(cells)) {
            if (0..16).all(|cell| cells >> cell & 1 == 0 || !determine(cells & !(1 << cell))) {
                let of_row = (cells & 15).count_ones() as usize;
                let asked = (cells.count_ones() as usize, of_row, cells & 1 == 0, cells >> 15 == 0);
                *puzzles.entry(asked).or_default() += 1.0;
            }
        }
    }
    puzzles
}

/// Puzzles with more givens are "many".
const USUAL: usize = 4;

/// The true figures of some puzzles by the names that `stats` gives them.
fn truth(puzzles: &Population) -> BTreeMap<String, f64> {
    let n: f64 = puzzles.values().sum();
    let mean = |of: &dyn Fn(&Asked) -> f64| puzzles.iter().map(|(puzzle, times)| times * of(puzzle)).sum::<f64>() / n;
    let (givens, top) = (mean(&|p| p.0 as f64), mean(&|p| p.1 as f64));
    let squares = mean(&|p| (p.0 as f64 - givens).powi(2));
    let mut all = BTreeMap::from([
        ("givens mean".to_owned(), givens),
        ("givens sd".to_owned(), squares.sqrt()),
        ("top mean".to_owned(), top),
    ]);
    let median = puzzles.keys().find(|p| mean(&|other| f64::from(u8::from(other.0 <= p.0))) >= 0.5).unwrap().0;
    all.insert("givens q50".to_owned(), median as f64);
    let mut share = |name: &str, of: &dyn Fn(&Asked) -> bool| {
        let part = mean(&|p| f64::from(u8::from(of(p))));
        let (figure, value) = name.split_once(' ').unwrap();
        all.insert(format!("{figure} share {value}"), part);
    };
    share("first true", &|p| p.2);
    share("size many", &|p| p.0 > USUAL);
    share(&format!("givens {}", USUAL + 1), &|p| p.0 == USUAL + 1);
    all
}

/// Of the samples in which a figure was reliable: how often its interval held the true value, and their number. Then
/// the sum and the sum of squares of its distance from the true value.
#[derive(Default)]
struct Held {
    held: u32,
    of: u32,
    off: [f64; 2],
}

/// A population, and what samples of it are made of.
struct Case<'a> {
    puzzles: &'a Population,
    /// The recipe of the rows.
    recipe: String,
    samples: u32,
    rows: u64,
}

impl Case<'_> {
    /// A sample in a file.
    fn sample(&self, folder: &Path, seed: u64) -> std::path::PathBuf {
        let text = format!("seed = {seed}\n{}\n", self.recipe);
        let text = if text.contains("[analyze]") { text } else { text + "[analyze]\n" };
        let text = text + "techniques = \"none\"\nratings = \"none\"\nweight = true\n";
        let recipe = Recipe::new(&Draft::parse(&text).unwrap()).unwrap();
        let path = folder.join(format!("{seed}.parquet"));
        let mut sink = RowSink::create(&path, None).unwrap();
        for index in 0..self.rows {
            sink.write(recipe.make(index).unwrap()).unwrap();
        }
        sink.finish().unwrap();
        path
    }

    /// The true figures of each group, by the name of the group and of the figure.
    fn truths(&self, by: bool, filter: bool) -> BTreeMap<(String, String), f64> {
        let groups: Vec<Option<usize>> = if by { (0..=4).map(Some).collect() } else { vec![None] };
        let mut truths = BTreeMap::new();
        for group in groups {
            let is_used = |p: &Asked| (!filter || p.3) && group.is_none_or(|group| p.1 == group);
            let members: Population =
                self.puzzles.iter().filter(|(p, _)| is_used(p)).map(|(p, times)| (*p, *times)).collect();
            if members.is_empty() {
                continue;
            }
            let mut known = truth(&members);
            if !by && !filter {
                known.insert("puzzles mean".to_owned(), members.values().sum::<f64>() / 288.0);
            }
            let name = group.map_or(String::new(), |group| group.to_string());
            truths.extend(known.into_iter().map(|(figure, value)| ((name.clone(), figure), value)));
        }
        truths
    }

    /// Compares every figure, with every combination of `--by` and `--where`. Adds up how many intervals of each
    /// statistic hold the truth.
    fn compare(&self, folder: &Path, covered: &mut BTreeMap<String, [u32; 2]>) {
        // One after the other: a thread of rayon that waits takes the next sample on its stack, and so on.
        let files: Vec<_> = (0..u64::from(self.samples)).map(|seed| self.sample(folder, seed)).collect();
        for (by, filter) in [(false, false), (false, true), (true, false), (true, true)] {
            let top = "length(replace(substr(puzzle, 1, 4), '.', '')) AS top";
            let query = FiguresQuery {
                figures: format!(
                    "givens, {top}, substr(puzzle, 1, 1) = '.' AS first, CASE WHEN givens > {USUAL} THEN 'many' ELSE 'few' END AS size"
                ),
                by: by.then(|| top.to_owned()),
                condition: filter.then(|| "substr(puzzle, 16, 1) = '.'".to_owned()),
                // Each row has a grid of its own, also where two are equal.
                grid: Some("row".to_owned()),
                quantiles: vec![50.0],
                ..FiguresQuery::default()
            };
            let truths = self.truths(by, filter);
            let mut held: BTreeMap<(String, String), Held> = BTreeMap::new();
            // The number of minimal puzzles of a grid is a mean over tries.
            let of_grids = FiguresQuery {
                figures: "exp(log_weight) / coalesce(tries, 1) AS puzzles".to_owned(),
                log_weight: Some("ln(coalesce(tries, 1))".to_owned()),
                grid: Some("row".to_owned()),
                ..FiguresQuery::default()
            };
            let of_file = |file| {
                let table = Table::open(std::slice::from_ref(file)).unwrap();
                let mut figures = ask(&table, &query).unwrap();
                let puzzles = ask(&table, &of_grids).unwrap().findings.into_iter();
                figures
                    .findings
                    .extend(puzzles.filter(|finding| !by && !filter && finding.statistic == Statistic::Mean));
                figures
            };
            let found: Vec<Figures> = files.iter().map(of_file).collect();
            for found in found {
                for finding in found.findings {
                    let key = (finding.group.join(""), format!("{} {}", finding.figure, finding.statistic));
                    let Some(truth) = truths.get(&key) else { continue };
                    let entry = held.entry(key).or_default();
                    let off = finding.estimate.value - truth;
                    entry.off = [entry.off[0] + off, entry.off[1] + off * off];
                    if finding.estimate.doubt.is_none() {
                        entry.of += 1;
                        let (low, high) = finding.estimate.interval;
                        let nearly = 1e-9 * truth.abs();
                        entry.held += u32::from((low - nearly..=high + nearly).contains(truth));
                    }
                }
            }
            assert!(held.len() * 10 > truths.len() * 8, "{} of {} figures were found", held.len(), truths.len());
            for ((group, name), Held { held, of, off: [sum, squares] }) in held {
                let context = format!("{} {by} {filter}: {name} in '{group}'", self.recipe);
                let n = f64::from(self.samples);
                let error = (squares / n).sqrt() / n.sqrt();
                let truth = truths[&(group, name.clone())];
                // Figures that are ratios have a bias of the order of 1/rows.
                let margin = 4.5 * error + 0.01 * truth.abs();
                assert!(
                    4 * of < 3 * self.samples || (sum / n).abs() <= margin,
                    "{context}: off by {} of {truth}, +- {error}",
                    sum / n
                );
                if 4 * of >= 3 * self.samples {
                    let share = f64::from(held) / f64::from(of);
                    assert!(
                        share > 0.95 - 4.5 * (0.0475 / f64::from(of)).sqrt(),
                        "{context}: {held} of {of} intervals hold {truth}"
                    );
                    let statistic = name.split(' ').nth(1).unwrap_or("").trim_end_matches(char::is_numeric).to_owned();
                    let sums = covered.entry(statistic).or_default();
                    *sums = [sums[0] + held, sums[1] + of];
                }
            }
        }
    }
}

/// Each figure, with every combination of `--by` and `--where` and three ways of making rows.
#[test]
fn figures_agree_with_the_enumeration_of_4x4() {
    let puzzles = population();
    assert_eq!(puzzles.values().sum::<f64>(), 85_632.0);
    let mut covered = BTreeMap::new();
    for (samples, plan) in [
        (200u32, "method = \"uniform\"\n[dig]\nplan = \"controlled-bias\""),
        (60, "method = \"uniform\"\n[dig]\nplan = \"minimal\""),
        (60, "method = \"row-major\"\n[dig]\nplan = \"minimal\"\n[analyze]\nnumbers = true"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let recipe = format!("[grid]\nshape = \"2x2\"\n{plan}");
        Case { puzzles: &puzzles, recipe, samples, rows: 600 }.compare(folder.path(), &mut covered);
    }
    check(covered);
}

/// Intervals of 95 % hold the truth in 93 to 98 of 100 samples; those of quantiles and standard deviations may hold it
/// in more, the latter also in 91.
fn check(covered: BTreeMap<String, [u32; 2]>) {
    for (statistic, [held, of]) in covered {
        let share = f64::from(held) / f64::from(of);
        println!("{statistic}: {held} of {of} intervals, {share:.4}");
        // A quantile of few different values is mostly exact, so its interval is wide. A standard deviation rests on
        // the rare puzzles of six givens, of which some samples have none: its interval allows for values that no row
        // has, and is wide. Few intervals are checked for each figure alone.
        if of < 300 {
            continue;
        }
        let (least, most) = match statistic.as_str() {
            "q" => (0.93, 1.0),
            "sd" => (0.91, 1.0),
            _ => (0.93, 0.98),
        };
        assert!((least..=most).contains(&share), "{statistic}: {held} of {of}");
    }
}
