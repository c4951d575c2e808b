//! Every figure of `stats` against complete enumerations: the 85,632 minimal puzzles of the 288 grids of 4x4, and those
//! of two grids of 6x6.

use std::collections::BTreeMap;
use std::path::Path;

use super::ask::{Figures, FiguresQuery, ask};
use crate::corpus::{Draft, Recipe, Record, RowSink};
use crate::study::Table;
use sudoku_corpus_core::board::{Grid, Shape, Solution};
use sudoku_corpus_core::solve::{Budget, solutions};

/// What the queries below ask of a minimal puzzle: givens, givens of the first row, and whether the first and the last
/// cell are blank.
type Asked = (usize, usize, bool, bool);

/// How many minimal puzzles there are of each kind.
type Population = BTreeMap<Asked, f64>;

/// A full grid.
struct Full {
    shape: Shape,
    values: Vec<u8>,
}

impl Full {
    fn new(solution: &Solution) -> Full {
        Full { shape: solution.shape(), values: solution.values().iter().map(|value| *value as u8).collect() }
    }

    /// The row, the column and the box of a cell.
    fn houses(&self, cell: usize) -> [usize; 3] {
        let (row, column) = (cell / self.shape.order(), cell % self.shape.order());
        [row, column, self.shape.box_of(row, column)]
    }

    /// The sets of cells in which other grids differ from this one, without those that contain another.
    fn sets(&self) -> Vec<u64> {
        let mut others = Others { grid: self, used: [[0; 6]; 3], found: vec![Vec::new(); self.values.len()] };
        others.search(0, 0);
        let mut all = others.found.concat();
        all.sort_by_key(|set| set.count_ones());
        let mut least: Vec<u64> = Vec::new();
        for set in all {
            if least.iter().all(|small| small & set != *small) {
                least.push(set);
            }
        }
        least
    }

    /// Counts its minimal puzzles. Givens determine the grid if they meet every set.
    fn count(&self, into: &mut Population) {
        let top = (1u64 << self.shape.order()) - 1;
        let last = self.values.len() - 1;
        meeting(0, u64::MAX >> (63 - last), &self.sets(), &[], &mut |cells| {
            let asked =
                (cells.count_ones() as usize, (cells & top).count_ones() as usize, cells & 1 == 0, cells >> last == 0);
            *into.entry(asked).or_default() += 1.0;
        });
    }
}

/// All full grids of 4x4.
fn grids() -> Vec<Full> {
    let blank = Grid::blank(Shape::new(2, 2).unwrap()).try_into().unwrap();
    solutions(&blank, 1000, Budget::UNLIMITED).0.iter().map(Full::new).collect()
}

/// The search for other grids, cell by cell. It does not go on where the cells that differ contain a set that is known.
struct Others<'a> {
    grid: &'a Full,
    used: [[u16; 6]; 3],
    /// Sets by their last cell.
    found: Vec<Vec<u64>>,
}

impl Others<'_> {
    /// Fills the cells from `cell` on. `differs` are the cells that differ from the grid so far.
    fn search(&mut self, cell: usize, differs: u64) {
        let Some(&own) = self.grid.values.get(cell) else {
            return if differs != 0 {
                self.found[differs.ilog2() as usize].push(differs)
            };
        };
        let houses = self.grid.houses(cell);
        for digit in std::iter::once(own).chain((1..=self.grid.shape.order() as u8).filter(|digit| *digit != own)) {
            let more = differs | u64::from(digit != own) << cell;
            let is_taken = (0..3).any(|kind| self.used[kind][houses[kind]] >> digit & 1 == 1);
            if is_taken || digit != own && self.found[..=cell].iter().flatten().any(|set| set & more == *set) {
                continue;
            }
            (0..3).for_each(|kind| self.used[kind][houses[kind]] |= 1 << digit);
            self.search(cell + 1, more);
            (0..3).for_each(|kind| self.used[kind][houses[kind]] &= !(1 << digit));
        }
    }
}

/// Calls `each` with every choice of cells that meets every set and has no needless cell (Murakami and Uno 2014).
/// `open` are the sets that no chosen cell meets, `own` are the sets that only one chosen cell meets, for each of them.
fn meeting(chosen: u64, mut free: u64, open: &[u64], own: &[Vec<u64>], each: &mut impl FnMut(u64)) {
    let Some(least) = open.iter().min_by_key(|set| (*set & free).count_ones()) else { return each(chosen) };
    let mut branch = least & free;
    free &= !branch;
    while branch != 0 {
        let cell = branch & branch.wrapping_neg();
        branch ^= cell;
        let without = |sets: &Vec<u64>| sets.iter().copied().filter(|set| set & cell == 0).collect::<Vec<u64>>();
        let mut all: Vec<Vec<u64>> = own.iter().map(without).take_while(|sets| !sets.is_empty()).collect();
        if all.len() == own.len() {
            let (met, rest) = open.iter().partition::<Vec<u64>, _>(|set| *set & cell != 0);
            all.push(met);
            meeting(chosen | cell, free, &rest, &all, each);
            free |= cell;
        }
    }
}

/// The true figures of some puzzles by the names that `stats` gives them, without the differences between groups.
fn truth(puzzles: &Population, grids: f64, usual: usize) -> BTreeMap<String, f64> {
    let n: f64 = puzzles.values().sum();
    let mean = |of: &dyn Fn(&Asked) -> f64| puzzles.iter().map(|(puzzle, times)| times * of(puzzle)).sum::<f64>() / n;
    let (givens, top) = (mean(&|p| p.0 as f64), mean(&|p| p.1 as f64));
    let [xx, yy, xy] = [(0, 0), (1, 1), (0, 1)].map(|(a, b)| {
        let of = |p: &Asked, at| if at == 0 { p.1 as f64 - top } else { p.0 as f64 - givens };
        mean(&|p| of(p, a) * of(p, b))
    });
    let mut all = BTreeMap::from([
        ("givens mean".to_owned(), givens),
        ("givens sd".to_owned(), yy.sqrt()),
        ("givens total".to_owned(), n / grids),
        ("top mean".to_owned(), top),
    ]);
    let median = puzzles.keys().find(|p| mean(&|other| f64::from(u8::from(other.0 <= p.0))) >= 0.5).unwrap().0;
    all.insert("givens q50".to_owned(), median as f64);
    if xx > 0.0 && yy > 0.0 {
        all.insert("givens ~ top slope".to_owned(), xy / xx);
        all.insert("givens ~ top intercept".to_owned(), givens - xy / xx * top);
        all.insert("top and givens correlation".to_owned(), xy / (xx * yy).sqrt());
    }
    let mut share = |name: &str, of: &dyn Fn(&Asked) -> bool| {
        let part = mean(&|p| f64::from(u8::from(of(p))));
        let (figure, value) = name.split_once(' ').unwrap();
        all.insert(format!("{figure} share {value}"), part);
        all.insert(format!("{figure} total {value}"), part * n / grids);
    };
    share("first true", &|p| p.2);
    share("size many", &|p| p.0 > usual);
    share(&format!("givens {}", usual + 1), &|p| p.0 == usual + 1);
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
    order: usize,
    puzzles: &'a Population,
    grids: f64,
    /// Puzzles with more givens are "many".
    usual: usize,
    /// The recipe of the rows.
    recipe: String,
    /// The grid that is dug again and again, if there is only one.
    grid: Option<&'a Record>,
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
            let made =
                self.grid.map_or_else(|| recipe.make(index), |grid| recipe.dig(Record { index, ..grid.clone() }));
            sink.write(made.unwrap()).unwrap();
        }
        sink.finish().unwrap();
        path
    }

    /// The true figures of each group, by the name of the group and of the figure.
    fn truths(&self, by: bool, filter: bool) -> BTreeMap<(String, String), f64> {
        let groups: Vec<Option<usize>> = if by { (0..=self.order).map(Some).collect() } else { vec![None] };
        let mut truths = BTreeMap::new();
        let mut first: Option<(usize, BTreeMap<String, f64>)> = None;
        for group in groups {
            let is_used = |p: &Asked| (!filter || p.3) && group.is_none_or(|group| p.1 == group);
            let members: Population =
                self.puzzles.iter().filter(|(p, _)| is_used(p)).map(|(p, times)| (*p, *times)).collect();
            if members.is_empty() {
                continue;
            }
            let mut known = truth(&members, self.grids, self.usual);
            if let Some((name, first)) = &first {
                for figure in ["givens mean", "first share true"] {
                    let (short, a, b) = (figure.split(' ').next().unwrap(), known[figure], first[figure]);
                    known.insert(format!("{short} difference from {name}"), a - b);
                    known.insert(format!("{short} ratio to {name}"), a / b);
                }
            } else {
                first = Some((group.unwrap_or_default(), known.clone()));
            }
            let name = group.map_or(String::new(), |group| group.to_string());
            truths.extend(known.into_iter().map(|(figure, value)| ((name.clone(), figure), value)));
        }
        truths
    }

    /// Compares every figure, with every combination of `--by` and `--where`. Adds up how many intervals of each
    /// statistic hold the truth.
    fn compare(&self, folder: &Path, covered: &mut BTreeMap<String, [u32; 2]>) {
        // One after the other: a thread of rayon that waits for the threads of polars takes the next sample on its
        // stack, and so on.
        let files: Vec<_> = (0..u64::from(self.samples)).map(|seed| self.sample(folder, seed)).collect();
        for (by, filter) in [(false, false), (false, true), (true, false), (true, true)] {
            let top = format!("length(replace(substr(puzzle, 1, {}), '.', '')) AS top", self.order);
            let query = FiguresQuery {
                figures: format!(
                    "givens, {top}, substr(puzzle, 1, 1) = '.' AS first, CASE WHEN givens > {} THEN 'many' ELSE 'few' END AS size",
                    self.usual
                ),
                by: by.then_some(top),
                condition: filter.then(|| format!("substr(puzzle, {}, 1) = '.'", self.order * self.order)),
                // Each row has a grid of its own, also where two are equal.
                grid: Some("index".to_owned()),
                quantiles: vec![50.0],
                total: true,
                compare: true,
                fits: vec!["givens ~ top".to_owned()],
                ..FiguresQuery::default()
            };
            let truths = self.truths(by, filter);
            let mut held: BTreeMap<(String, String), Held> = BTreeMap::new();
            let of_file = |file| ask(&Table::open(std::slice::from_ref(file)).unwrap(), &query).unwrap();
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
                    let sums =
                        covered.entry(if name.contains('~') { "fit".to_owned() } else { statistic }).or_default();
                    *sums = [sums[0] + held, sums[1] + of];
                }
            }
        }
    }
}

/// Each figure, with every combination of `--by` and `--where` and three ways of making rows.
#[test]
fn figures_agree_with_the_enumeration_of_4x4() {
    let mut puzzles = Population::new();
    let grids = grids();
    grids.iter().for_each(|grid| grid.count(&mut puzzles));
    assert_eq!((grids.len(), puzzles.values().sum::<f64>()), (288, 85_632.0));
    let mut covered = BTreeMap::new();
    for (samples, plan) in [
        (200u32, "method = \"uniform\"\n[dig]\nplan = \"controlled-bias\""),
        (60, "method = \"uniform\"\n[dig]\nplan = \"minimal\""),
        (60, "method = \"row-major\"\n[dig]\nplan = \"minimal\"\n[analyze]\nnumbers = true"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let recipe = format!("[grid]\nshape = \"2x2\"\n{plan}");
        let case = Case { order: 4, puzzles: &puzzles, grids: 288.0, usual: 4, recipe, grid: None, samples, rows: 600 };
        case.compare(folder.path(), &mut covered);
    }
    check(covered);
}

/// Compares with the two million minimal puzzles of each of two random grids of 6x6.
#[test]
fn figures_agree_with_the_enumeration_of_grids_of_6x6() {
    let recipe = "[grid]\nshape = \"2x3\"\n[dig]\nplan = \"controlled-bias\"".to_owned();
    let generator = Recipe::new(&Draft::parse(&recipe).unwrap()).unwrap();
    let mut covered = BTreeMap::new();
    for index in 0..2 {
        let grid = generator.generate(index).unwrap();
        let mut puzzles = Population::new();
        Full::new(grid.solution.as_ref().unwrap()).count(&mut puzzles);
        let (recipe, grid, folder) = (recipe.clone(), Some(&grid), tempfile::tempdir().unwrap());
        let case = Case { order: 6, puzzles: &puzzles, grids: 1.0, usual: 11, recipe, grid, samples: 30, rows: 150 };
        case.compare(folder.path(), &mut covered);
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
