//! Every figure of `stats` against the complete enumeration of 4x4: 288 grids and 85,632 minimal puzzles.

use std::collections::BTreeMap;
use std::path::Path;

use rayon::prelude::*;

use super::ask::{Figures, FiguresQuery, ask};
use crate::corpus::{Draft, Recipe, RowSink};
use crate::study::Table;

/// A minimal puzzle, with what the queries below ask.
struct Minimal {
    givens: f64,
    top: usize,
    first_blank: bool,
    last_blank: bool,
}

/// All full grids, cell by cell.
fn grids() -> Vec<[u8; 16]> {
    let (mut found, mut open) = (Vec::new(), vec![([0; 16], 0)]);
    while let Some((grid, at)) = open.pop() {
        if at == 16 {
            found.push(grid);
            continue;
        }
        let sees = |other: usize| {
            let [a, b] = [at, other].map(|cell| (cell / 4, cell % 4, cell / 8 * 2 + cell % 4 / 2));
            a.0 == b.0 || a.1 == b.1 || a.2 == b.2
        };
        for digit in (1..=4).filter(|&digit| (0..at).all(|other| grid[other] != digit || !sees(other))) {
            let mut next = grid;
            next[at] = digit;
            open.push((next, at + 1));
        }
    }
    found
}

/// All minimal puzzles. Cells determine a grid if they meet every set of cells in which it differs from another grid.
fn minimal_puzzles() -> Vec<Minimal> {
    let grids = grids();
    assert_eq!(grids.len(), 288);
    let mut found = Vec::new();
    for grid in &grids {
        let difference =
            |other: &[u8; 16]| (0..16).filter(|&at| grid[at] != other[at]).fold(0u16, |set, at| set | 1 << at);
        let mut sets: Vec<u16> = grids.iter().filter(|other| *other != grid).map(difference).collect();
        sets.sort_by_key(|set| set.count_ones());
        let mut least: Vec<u16> = Vec::new();
        for set in sets {
            if least.iter().all(|small| small & set != *small) {
                least.push(set);
            }
        }
        let unique = |cells: u16| least.iter().all(|set| set & cells != 0);
        let minimal =
            |cells: &u16| unique(*cells) && (0..16).all(|at| cells >> at & 1 == 0 || !unique(cells & !(1 << at)));
        found.extend((0..=u16::MAX).filter(minimal).map(|cells| Minimal {
            givens: cells.count_ones().into(),
            top: (cells & 15).count_ones() as usize,
            first_blank: cells & 1 == 0,
            last_blank: cells >> 15 == 0,
        }));
    }
    found
}

/// The true figures of some puzzles by the names that `stats` gives them, without the differences between groups.
fn truth(puzzles: &[&Minimal]) -> BTreeMap<String, f64> {
    let n = puzzles.len() as f64;
    let mean = |of: &dyn Fn(&Minimal) -> f64| puzzles.iter().map(|puzzle| of(puzzle)).sum::<f64>() / n;
    let (givens, top) = (mean(&|p| p.givens), mean(&|p| p.top as f64));
    let [xx, yy, xy] = [(0, 0), (1, 1), (0, 1)].map(|(a, b)| {
        let of = |p: &Minimal, at| if at == 0 { p.top as f64 - top } else { p.givens - givens };
        mean(&|p| of(p, a) * of(p, b))
    });
    let mut all = BTreeMap::from([
        ("givens mean".to_owned(), givens),
        ("givens sd".to_owned(), yy.sqrt()),
        ("givens total".to_owned(), n / 288.0),
        ("top mean".to_owned(), top),
    ]);
    let mut values: Vec<f64> = puzzles.iter().map(|puzzle| puzzle.givens).collect();
    values.sort_by(f64::total_cmp);
    all.insert("givens q50".to_owned(), values[(values.len() - 1) / 2]);
    if xx > 0.0 && yy > 0.0 {
        all.insert("givens ~ top slope".to_owned(), xy / xx);
        all.insert("givens ~ top intercept".to_owned(), givens - xy / xx * top);
        all.insert("top and givens correlation".to_owned(), xy / (xx * yy).sqrt());
    }
    let mut share = |name: &str, of: &dyn Fn(&Minimal) -> bool| {
        let part = mean(&|p| f64::from(u8::from(of(p))));
        let (figure, value) = name.split_once(' ').unwrap();
        all.insert(format!("{figure} share {value}"), part);
        all.insert(format!("{figure} total {value}"), part * n / 288.0);
    };
    share("first true", &|p| p.first_blank);
    share("size many", &|p| p.givens > 4.0);
    share("givens 5", &|p| p.givens == 5.0);
    all
}

/// A sample of 600 rows in a file.
fn sample(folder: &Path, plan: &str, seed: u64) -> std::path::PathBuf {
    let text = format!("seed = {seed}\ncount = 600\n[grid]\nshape = \"2x2\"\n{plan}\n");
    let text = if text.contains("[analyze]") { text } else { text + "[analyze]\n" };
    let text = text + "techniques = \"none\"\nratings = \"none\"\n";
    let recipe = Recipe::new(&Draft::parse(&text).unwrap()).unwrap();
    let path = folder.join(format!("{seed}.parquet"));
    let mut sink = RowSink::create(&path, None).unwrap();
    (0..600).for_each(|index| sink.write(recipe.make(index).unwrap()).unwrap());
    sink.finish().unwrap();
    path
}

/// How often the interval of a figure held the true value, of how many samples in which the figure was reliable; the sum and
/// the sum of squares of its distance from the true value.
#[derive(Default)]
struct Held {
    held: u32,
    of: u32,
    off: [f64; 2],
}

/// Each figure, with every combination of `--by`, `--where` and three ways of making rows, in up to 200 samples.
#[test]
fn figures_agree_with_the_enumeration_of_4x4() {
    let all = minimal_puzzles();
    assert_eq!(all.len(), 85_632);
    let folder = tempfile::tempdir().unwrap();
    let mut covered: BTreeMap<String, [u32; 2]> = BTreeMap::new();
    for (samples, plan) in [
        (200u32, "method = \"uniform\"\n[dig]\nplan = \"controlled-bias\""),
        (60, "method = \"uniform\"\n[dig]\nplan = \"minimal\""),
        (60, "method = \"row-major\"\n[dig]\nplan = \"minimal\"\n[analyze]\nnumbers = true"),
    ] {
        let files: Vec<_> =
            (0..u64::from(samples)).into_par_iter().map(|seed| sample(folder.path(), plan, seed)).collect();
        for (by, filter) in [(false, false), (false, true), (true, false), (true, true)] {
            let query = FiguresQuery {
                figures: "givens, length(replace(substr(puzzle, 1, 4), '.', '')) AS top, substr(puzzle, 1, 1) = '.' AS first, \
                          CASE WHEN givens > 4 THEN 'many' ELSE 'few' END AS size"
                    .to_owned(),
                by: by.then(|| "length(replace(substr(puzzle, 1, 4), '.', '')) AS top".to_owned()),
                condition: filter.then(|| "substr(puzzle, 16, 1) = '.'".to_owned()),
                // Each row has a grid of its own, also where two of the 288 are equal.
                grid: Some("index".to_owned()),
                quantiles: vec![0.5],
                total: true,
                compare: true,
                fits: vec!["givens ~ top".to_owned()],
                ..FiguresQuery::default()
            };
            let mut truths: BTreeMap<(String, String), f64> = BTreeMap::new();
            let used = || all.iter().filter(|puzzle| !filter || puzzle.last_blank);
            let groups: Vec<usize> = if by { (0..=4).collect() } else { vec![9] };
            let mut first: Option<(usize, BTreeMap<String, f64>)> = None;
            for group in groups {
                let members: Vec<&Minimal> = used().filter(|puzzle| group == 9 || puzzle.top == group).collect();
                if members.is_empty() {
                    continue;
                }
                let mut known = truth(&members);
                if let Some((name, first)) = &first {
                    for figure in ["givens mean", "first share true"] {
                        let (short, a, b) = (figure.split(' ').next().unwrap(), known[figure], first[figure]);
                        known.insert(format!("{short} difference from {name}"), a - b);
                        known.insert(format!("{short} ratio to {name}"), a / b);
                    }
                } else {
                    first = Some((group, known.clone()));
                }
                let group = if by { group.to_string() } else { String::new() };
                truths.extend(known.into_iter().map(|(name, value)| ((group.clone(), name), value)));
            }
            let mut held: BTreeMap<(String, String), Held> = BTreeMap::new();
            let of_file = |file| ask(&Table::open(std::slice::from_ref(file)).unwrap(), &query).unwrap();
            let found: Vec<Figures> = files.par_iter().map(of_file).collect();
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
                let context = format!("{plan} {by} {filter}: {name} in '{group}'");
                let n = f64::from(samples);
                let error = (squares / n).sqrt() / n.sqrt();
                let truth = truths[&(group, name.clone())];
                // Figures that are ratios have a bias of the order of 1/rows.
                let margin = 4.5 * error + 0.01 * truth.abs();
                assert!(
                    4 * of < 3 * samples || (sum / n).abs() <= margin,
                    "{context}: off by {} of {truth}, +- {error}",
                    sum / n
                );
                if 4 * of >= 3 * samples {
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
    for (statistic, [held, of]) in covered {
        let share = f64::from(held) / f64::from(of);
        println!("{statistic}: {held} of {of} intervals, {share:.4}");
        // A quantile of few different values is mostly exact, so its interval is wide. A standard deviation rests on the rare puzzles
        // of six givens, of which some samples have too few: its intervals hold the truth in 92 of 100 samples of this size.
        let (least, most) = match statistic.as_str() {
            "q" => (0.93, 1.0),
            "sd" => (0.90, 0.98),
            _ => (0.93, 0.98),
        };
        assert!((least..=most).contains(&share), "{statistic}: {held} of {of}");
    }
}
