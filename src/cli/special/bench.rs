//! `bench`: measures the speed of this machine, and shows beside it what articles published for the same work.

use std::hint::black_box;
use std::io::{self, Write as _};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use serde::Serialize;

use crate::board::{Puzzle, Shape, Solution, Symmetry};
use crate::catalogue::{
    CLASSES, Canonical, NameKind, class_of_rank, class_rank, grid_number, grid_of_number, name_of, puzzle_of_name,
};
use crate::cli::line::options::Global;
use crate::cli::{Outcome, Usage};
use crate::corpus::{COLUMNS, Draft, MakeError, Recipe, Record, Value, solution_class};
use crate::dig::{DigOptions, Plan};
use crate::generate::{Bases, Jumps, Method, Strength};
use crate::ladder::{Ladder, rate};
use crate::page::numbers::grouped;
use crate::random::{Rng, Stage};
use crate::solve::{self, Budget, probe};
use crate::whip::{self, depth};
use crate::{effort, explainer};

/// Measure the speed of every method, plan and stage on this machine.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Every figure is the median of five rounds on one thread. The column published quotes the articles from which methods and plans \
come (`list methods`, `list plans`). Their authors used machines of 2008 and 2009, so the speed-up shows what a user gains, not \
which program is better.

Examples:
  sudoku-corpus bench
  sudoku-corpus bench --work row
      the parts of a row of a corpus, and whole rows
  sudoku-corpus bench --json --seconds 0.2 > bench.json")]
pub(in crate::cli) struct Args {
    /// Print lines of JSON on standard output, in place of the table.
    #[arg(long)]
    json: bool,
    /// Seconds for each of the five rounds of a line.
    #[arg(long, default_value_t = 0.1, value_name = "S")]
    seconds: f64,
    /// Measure only the lines of the table whose name contains this text, such as row or dig.
    #[arg(long, value_name = "TEXT")]
    work: Option<String>,
}

/// One line of the table: items a second, here and as an article published them for the same work.
#[derive(Debug, Serialize)]
struct Row {
    work: String,
    per_second: f64,
    published: Option<f64>,
    source: Option<&'static str>,
    speedup: Option<f64>,
}

struct Published {
    work: &'static str,
    per_second: f64,
    source: &'static str,
}

const fn published(work: &'static str, per_second: f64, source: &'static str) -> Published {
    Published { work, per_second, source }
}

const PUBLISHED: [Published; 6] = [
    published("generate row-major 3x3", 1.0 / 0.018, "The ANZAC: 0.018 s a grid"),
    published("generate jump-back 3x3", 53_000.0, "VB.NET article: over 53,000 9x9 a second"),
    published("generate jump-back 4x4", 310.0, "VB.NET article: over 310 16x16 a second"),
    published("generate permutation 20x20", 200.0, "J. Niedermann: 400x400 in a few milliseconds (taken as 5)"),
    published("generate permutation 6x6", 1.0 / 57_600.0, "J. Niedermann: 36x36 in about 16 hours by backtracking"),
    published("dig minimal 3x3", 1.0 / 60.0, "Whack: up to a minute a puzzle"),
];

/// The largest number of assumptions for W and B of one puzzle. It is smaller than for the rows of a corpus, so that no
/// single puzzle dominates.
const WHIP_BUDGET: u64 = 10_000_000;

/// Rounds for each line. The median is printed.
const ROUNDS: usize = 5;

/// One piece of work: its name, and the function that does item `index`.
struct Work {
    name: String,
    item: Box<dyn FnMut(u64)>,
}

impl Work {
    /// Some work, whose result is computed in full although nobody looks at it.
    fn new<T>(name: String, item: impl Fn(u64) -> T + 'static) -> Work {
        let item = move |index| {
            black_box(item(index));
        };
        Work { name, item: Box::new(item) }
    }

    /// Work on things that were made before the clock starts, in turn.
    fn on<A: 'static, T>(name: String, all: &Arc<Vec<A>>, item: impl Fn(&A, u64) -> T + 'static) -> Work {
        let all = Arc::clone(all);
        Work::new(name, move |index| item(&all[index as usize % all.len()], index))
    }
}

fn shape(text: &str) -> anyhow::Result<Shape> {
    Ok(text.parse()?)
}

/// Items a second in one round. A round has at least one item. `next_item` is the number of the next item.
fn round(work: &mut Work, next_item: &mut u64, length: Duration) -> f64 {
    let start = Instant::now();
    let mut items = 0u64;
    let mut batch = 1u64;
    loop {
        for _ in 0..batch {
            (work.item)(*next_item);
            *next_item += 1;
        }
        items += batch;
        let spent = start.elapsed();
        if spent >= length {
            return items as f64 / spent.as_secs_f64();
        }
        let items_that_fit = (length - spent).as_secs_f64() * items as f64 / spent.as_secs_f64().max(1e-9);
        // Half of what still fits, so that the clock is read seldom and the round ends in time.
        batch = (items_that_fit / 2.0).clamp(1.0, 1e6) as u64;
    }
}

/// Items a second: the median of several rounds, beside the published number for the same work.
fn measure(work: &mut Work, length: Duration) -> Row {
    let mut next_item = 0;
    // The first round warms up and is not counted.
    round(work, &mut next_item, length / 4);
    let mut rates: Vec<f64> = (0..ROUNDS).map(|_| round(work, &mut next_item, length)).collect();
    rates.sort_by(f64::total_cmp);
    let per_second = rates[ROUNDS / 2];
    let row = Row { work: work.name.clone(), per_second, published: None, source: None, speedup: None };
    match PUBLISHED.iter().find(|published| published.work == work.name) {
        Some(Published { per_second: rate, source, .. }) => {
            Row { published: Some(*rate), source: Some(source), speedup: Some(per_second / rate), ..row }
        }
        None => row,
    }
}

/// Full grids of one method and shape.
fn generating(method: Method, shape: Shape) -> Work {
    let name = format!("generate {} {shape}", method.name());
    Work::new(name, move |index| method.fill(shape, &mut Rng::new(1, index, Stage::Generate, 0)))
}

/// Grids to work on.
fn grids(shape: Shape, count: u64) -> anyhow::Result<Arc<Vec<Solution>>> {
    let fill = |index| Ok(Method::FewestCandidates.fill(shape, &mut Rng::new(2, index, Stage::Bench, 0))?);
    (0..count).map(fill).collect::<anyhow::Result<Vec<Solution>>>().map(Arc::new)
}

/// Digs grids that were made beforehand.
fn digging(plan: Plan, symmetry: Symmetry, shape: Shape) -> anyhow::Result<Work> {
    let symmetry_name = if symmetry == Symmetry::None { String::new() } else { format!(" {symmetry}") };
    let name = format!("dig {plan}{symmetry_name} {shape}");
    let grids = grids(shape, if shape.order() > 9 { 20 } else { 500 })?;
    let options = DigOptions::of(shape);
    Ok(Work::on(name, &grids, move |grid, index| {
        plan.dig(grid, symmetry, &options, &mut Rng::new(3, index, Stage::Dig, 0))
    }))
}

/// Makes puzzles: a random grid by the solver, then one plan.
fn making(plan: Plan, shape: Shape) -> Work {
    let options = DigOptions::of(shape);
    Work::new(format!("make {plan} {shape}"), move |index| {
        let grid = Method::FewestCandidates.fill(shape, &mut Rng::new(5, index, Stage::Generate, 0));
        let mut rng = Rng::new(5, index, Stage::Dig, 0);
        grid.map(|grid| plan.dig(&grid, Symmetry::None, &options, &mut rng))
    })
}

fn puzzles(shape: Shape, count: u64) -> anyhow::Result<Arc<Vec<Puzzle>>> {
    let mut puzzles = Vec::new();
    for (index, grid) in (0..).zip(grids(shape, count)?.iter()) {
        let mut rng = Rng::new(4, index, Stage::Bench, 0);
        puzzles.push(Plan::Minimal.dig(grid, Symmetry::None, &DigOptions::of(shape), &mut rng)?.puzzle);
    }
    Ok(Arc::new(puzzles))
}

/// One kind of analysis of minimal 9x9 puzzles.
fn analysing<T>(name: &str, puzzles: &Arc<Vec<Puzzle>>, analyse: impl Fn(&Puzzle) -> T + 'static) -> Work {
    Work::on(format!("{name} 3x3"), puzzles, move |puzzle, _| analyse(puzzle))
}

/// The raters that a corpus can have besides the default one.
fn rating(puzzles: &Arc<Vec<Puzzle>>) -> anyhow::Result<Vec<Work>> {
    let (all, default): (Ladder, Ladder) = ("all".parse()?, Ladder::default());
    let options = explainer::Options::default();
    Ok(vec![
        analysing("rate all techniques", puzzles, move |puzzle| rate(puzzle, &all)),
        analysing("rate se", puzzles, move |puzzle| explainer::rate(puzzle, &options)),
        analysing("rate whips", puzzles, |puzzle| whip::whip_rating(puzzle, WHIP_BUDGET)),
        analysing("rate te", puzzles, depth::te_depth),
        analysing("rate effort", puzzles, move |puzzle| effort::effort(puzzle, &default)),
    ])
}

/// Numbers of grids, ranks of classes and names of puzzles, in both directions.
fn numbering(puzzles: &Arc<Vec<Puzzle>>) -> anyhow::Result<Vec<Work>> {
    let grids = grids(Shape::NINE, 500)?;
    let mut names = Vec::new();
    for puzzle in puzzles.iter().take(500) {
        let (solutions, _) = solve::solutions(puzzle, 1, Budget::UNLIMITED);
        let solution = solutions.first().context("a minimal puzzle has a solution")?;
        names.push(name_of(NameKind::Class, puzzle, solution)?);
    }
    // Multiplication by an odd number spreads the indices over all numbers.
    let spread = |index: u64| index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Ok(vec![
        Work::on("number of a grid".to_owned(), &grids, |grid, _| grid_number(grid)),
        Work::on("rank of a class".to_owned(), &grids, |grid, _| class_rank(grid)),
        Work::new("grid of a number".to_owned(), move |index| {
            grid_of_number(Shape::NINE, u128::from(spread(index)) << 8)
        }),
        Work::new("class of a rank".to_owned(), move |index| class_of_rank(1 + spread(index) % CLASSES)),
        Work::on("puzzle of a name".to_owned(), &Arc::new(names), |name, _| puzzle_of_name(name)),
    ])
}

/// What a row of a corpus takes, by stages and by columns that are computed for themselves; then whole rows. A new
/// column that takes time gets a line here.
fn rows(puzzles: &Arc<Vec<Puzzle>>) -> anyhow::Result<Vec<Work>> {
    let recipe = |analyze: &str| -> anyhow::Result<Arc<Recipe>> {
        let text = format!("count = 1000000000\n[grid]\nmethod = \"uniform\"\n[analyze]\n{analyze}");
        Ok(Arc::new(Recipe::new(&Draft::parse(&text)?)?))
    };
    let unrated = recipe("techniques = \"none\"\nratings = \"none\"")?;
    let work = |name: &str, recipe: &Arc<Recipe>, make: fn(&Recipe, u64) -> Result<Record, MakeError>| {
        let recipe = Arc::clone(recipe);
        Work::new(format!("row: {name}"), move |index| make(&recipe, index))
    };
    let mut lines = vec![work("grid with weight", &unrated, Recipe::generate)];
    let grids = grids(Shape::NINE, 500)?;
    for (name, weight) in [("digging", false), ("digging with weight", true)] {
        let options = DigOptions { weight, ..DigOptions::of(Shape::NINE) };
        lines.push(Work::on(format!("row: {name}"), &grids, move |grid, index| {
            Plan::Minimal.dig(grid, Symmetry::None, &options, &mut Rng::new(3, index, Stage::Dig, 0))
        }));
    }
    lines.push(Work::on("row: solution_class".to_owned(), &grids, |grid, _| solution_class(grid)));
    lines
        .push(analysing("row: class, automorphisms", puzzles, |puzzle| Canonical::of(puzzle).map(|form| form.class())));
    lines.push(analysing("row: search_depth", puzzles, |puzzle| probe::search_depth(puzzle, Budget::UNLIMITED)));
    let made = unrated.make(0)?;
    lines.push(Work::new("row: values of all columns".to_owned(), move |_| {
        COLUMNS.iter().filter(|column| column.get(&made) != Value::Null).count()
    }));
    lines.push(work("whole, without ratings", &unrated, Recipe::make));
    lines.push(work("whole, default", &recipe("")?, Recipe::make));
    Ok(lines)
}

/// Everything that is measured, in the order of the table. Grids and puzzles to work on are made here.
fn all_work() -> anyhow::Result<Vec<Work>> {
    let nine = Shape::NINE;
    let minimal = puzzles(nine, 2000)?;
    let bases = Bases::new(minimal[..10].to_vec(), Budget::UNLIMITED)?;
    let mut work = Vec::new();
    for text in ["3x3", "4x4", "6x6", "20x20"] {
        work.push(generating(Method::Permutation(Strength::default()), shape(text)?));
    }
    let methods = Method::searching_and_uniform().into_iter().chain([Method::BaseShuffle(Arc::new(bases))]);
    work.extend(methods.map(|method| generating(method, nine)));
    work.push(generating(Method::JumpBack(Jumps::default()), shape("4x4")?));
    for text in ["4x4", "5x5", "6x6"] {
        work.push(generating(Method::FewestCandidates, shape(text)?));
    }
    for plan in [Plan::Minimal, Plan::Reveal, Plan::Givens(28..=32), Plan::RandomHoles(50)] {
        work.push(digging(plan, Symmetry::None, nine)?);
    }
    work.push(digging(Plan::Minimal, Symmetry::Rotate180, nine)?);
    for text in ["3x3+x", "3x3+windoku", "3x3+disjoint", "3x3+anti-king", "3x3+anti-knight"] {
        work.push(digging(Plan::Minimal, Symmetry::None, shape(text)?)?);
    }
    work.push(digging(Plan::Givens(28..=28), Symmetry::Rotate180, shape("3x3+x")?)?);
    for text in ["2x3", "2x4", "2x5", "3x4", "4x4", "5x5", "6x6"] {
        work.push(making(Plan::Minimal, shape(text)?));
    }
    // The average numbers of givens of Simon Tatham's solo; for 36x36, half of all cells.
    for (text, givens) in [("4x4", 109), ("5x5", 297), ("6x6", 648)] {
        work.push(making(Plan::Givens(givens..=givens), shape(text)?));
    }
    let ladder = Ladder::default();
    work.push(analysing("prove unique", &minimal, |puzzle| solve::count(puzzle, 2, Budget::UNLIMITED)));
    work.push(analysing("search depth", &minimal, |puzzle| probe::search_depth(puzzle, Budget::UNLIMITED)));
    work.push(analysing("rate", &minimal, move |puzzle| rate(puzzle, &ladder)));
    work.extend(rating(&minimal)?);
    work.extend(numbering(&minimal)?);
    work.extend(rows(&minimal)?);
    Ok(work)
}

/// A number with thousands separators, or with decimals if it is small.
fn shown(value: f64) -> String {
    match value {
        ..0.01 => format!("{value:.1e}"),
        ..100.0 => format!("{value:.3}"),
        _ => grouped(value.round() as u128),
    }
}

/// Measures and prints, line by line.
pub(in crate::cli) fn run(_: &Global, args: Args) -> anyhow::Result<Outcome> {
    ensure!(!args.seconds.is_nan(), Usage("--seconds is a number of seconds, such as 0.5".to_owned()));
    let length = Duration::from_secs_f64(args.seconds.clamp(0.001, 60.0));
    let mut out = io::stdout().lock();
    let mut wanted = all_work()?;
    if let Some(text) = &args.work {
        wanted.retain(|work| work.name.contains(text.as_str()));
        ensure!(
            !wanted.is_empty(),
            Usage(format!("no line of the table has '{text}' in its name; `bench` prints all"))
        );
    }
    if !args.json {
        writeln!(out, "{:<34}{:>14}{:>14}{:>16}  published by", "work", "per second", "published", "speed-up")?;
    }
    for mut work in wanted {
        let row = measure(&mut work, length);
        if args.json {
            writeln!(out, "{}", serde_json::to_string(&row)?)?;
            continue;
        }
        let speedup = row.speedup.map_or(String::new(), |ratio| format!("{}x", shown(ratio)));
        let (published, source) = (row.published.map_or(String::new(), shown), row.source.unwrap_or(""));
        let line = format!("{:<34}{:>14}{published:>14}{speedup:>16}  {source}", row.work, shown(row.per_second));
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(Outcome::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(shown(1.0 / 57_600.0), "1.7e-5");
        assert_eq!(shown(0.0167), "0.017");
        assert_eq!(shown(310.0), "310");
        assert_eq!(shown(53_000.4), "53,000");
        assert_eq!(shown(1_234_567.0), "1,234,567");
    }

    #[test]
    fn every_published_figure_has_its_line() {
        let names: Vec<String> = all_work().unwrap().into_iter().map(|work| work.name).collect();
        for Published { work, .. } in PUBLISHED {
            assert!(names.iter().any(|name| name == work), "{work} is not measured");
        }
    }
}
