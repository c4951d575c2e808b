//! Tests of the rater that are too slow for the test suite. This program replays the library of technique cases,
//! compares levels and scores with HoDoKu's, rates isomorphs, checks every step against the solution, and measures the
//! speed. It writes the results as a score card.
//!
//! `cargo bench --bench conformity -- [--invariance N] [--soundness N] [--out FILE]`, or `scripts/rater.sh`. By default
//! 1,000 puzzles are rated for invariance and 10,000 for soundness. A file beside the score card lists the blocks of
//! puzzles that were tested. They are not tested again, so a long run can be stopped at any time. Delete the file after
//! a change of the rater.
//!
//! The environment variable SUDOKU_CORPUS_DATA names the folder of the data; the default is `../shared/data`. Missing
//! files are reported.

use std::fmt::Write as _;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use rayon::prelude::{IntoParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};
use sudoku_corpus::board::text::parse_line;
use sudoku_corpus::board::{Cell, Digit, Freedom, Isomorphism, Puzzle, Shape, Symmetry};
use sudoku_corpus::dig::{DigOptions, Plan};
use sudoku_corpus::generate::Method;
use sudoku_corpus::random::{Rng, Stage};
use sudoku_corpus::rate::library::{Scorecard, techniques_of};
use sudoku_corpus::rate::{Ladder, Level, Step, Technique, rate, replay, trace};

/// The options.
struct Args {
    invariance: usize,
    soundness: u64,
    out: PathBuf,
}

fn args() -> anyhow::Result<Args> {
    let mut args = Args { invariance: 1_000, soundness: 10_000, out: PathBuf::from("reports/rater.md") };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().with_context(|| format!("{word} needs a value"));
        match word.as_str() {
            "--invariance" => args.invariance = value()?.parse()?,
            "--soundness" => args.soundness = value()?.parse()?,
            "--out" => args.out = value()?.into(),
            "--bench" => {} // cargo adds it
            _ => anyhow::bail!("unknown argument {word}"),
        }
    }
    Ok(args)
}

fn data() -> PathBuf {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    std::env::var_os("SUDOKU_CORPUS_DATA").map_or(beside, PathBuf::from)
}

/// A puzzle with HoDoKu's level and score, if the file has them.
struct Row {
    puzzle: Puzzle,
    level: String,
    score: f64,
}

/// The puzzles of a compressed table, without comments and headings.
fn table(name: &str) -> anyhow::Result<Vec<Row>> {
    let path = data().join(name);
    let mut text = String::new();
    let file = fs::File::open(&path).with_context(|| path.display().to_string())?;
    flate2::read::GzDecoder::new(file).read_to_string(&mut text)?;
    let mut rows = Vec::new();
    for line in text.lines().filter(|line| line.starts_with(|c: char| c == '.' || c.is_ascii_digit())) {
        let fields: Vec<&str> = line.split('\t').collect();
        let puzzle = Puzzle::try_from(parse_line(fields[0], None)?)?;
        let level = fields.get(1).map_or(String::new(), |level| level.to_lowercase());
        rows.push(Row { puzzle, level, score: fields.get(2).and_then(|score| score.parse().ok()).unwrap_or(0.0) });
    }
    Ok(rows)
}

/// Ranks from 0. Equal values get the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut from = 0;
    for same in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let mean = from as f64 + (same.len() - 1) as f64 / 2.0;
        same.iter().for_each(|&at| ranks[at] = mean);
        from += same.len();
    }
    ranks
}

/// Spearman's rank correlation.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let (a, b) = (ranks(a), ranks(b));
    let mean = (a.len() as f64 - 1.0) / 2.0;
    let moment = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| (x - mean) * (y - mean)).sum::<f64>();
    moment(&a, &b) / (moment(&a, &a) * moment(&b, &b)).sqrt()
}

/// The library of cases, code by code.
fn library(card: &mut String) -> anyhow::Result<()> {
    let path = data().join("techniques/hodoku_reglib_dev.txt");
    let text = fs::read(&path).with_context(|| path.display().to_string())?;
    let scores = Scorecard::of(&String::from_utf8_lossy(&text));
    writeln!(card, "\n## Library of technique cases\n")?;
    writeln!(card, "| code | technique | passed | failed | skipped |\n|---|---|---|---|---|")?;
    for (code, tally) in &scores.codes {
        let name = techniques_of(code).next().map_or("", Technique::name);
        writeln!(card, "| {code} | {name} | {} | {} | {} |", tally.passed, tally.failed, tally.skipped)?;
    }
    let all = scores.total();
    writeln!(card, "| **all** | | **{}** | **{}** | **{}** |", all.passed, all.failed, all.skipped)?;
    for (number, line) in &scores.failures {
        writeln!(card, "\nfailed, line {number}: `{line}`")?;
    }
    Ok(())
}

/// Level and score against HoDoKu's.
fn agreement(card: &mut String) -> anyhow::Result<()> {
    writeln!(card, "\n## Agreement with HoDoKu 2.2.0\n")?;
    writeln!(card, "| puzzles | level equal | rank correlation of the score |\n|---|---|---|")?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let mut equal = 0;
    let mut line = |name: &str, equal: usize, ours: &[f64], theirs: &[f64]| {
        let share = 100.0 * equal as f64 / ours.len() as f64;
        writeln!(card, "| {name} ({}) | {share:.1} % | {:.4} |", ours.len(), correlation(ours, theirs))
    };
    for name in ["qq1000", "s17_1000"] {
        let rows = table(&format!("ratings/{name}_hodoku_se.tsv.gz"))?;
        let ratings: Vec<_> = rows.par_iter().map(|row| rate(&row.puzzle, &Ladder::default())).collect();
        let same = ratings.iter().zip(&rows).filter(|(rating, row)| rating.level.name() == row.level).count();
        let from = ours.len();
        ours.extend(ratings.iter().map(|rating| f64::from(rating.score)));
        theirs.extend(rows.iter().map(|row| row.score));
        equal += same;
        line(name, same, &ours[from..], &theirs[from..])?;
    }
    line("both", equal, &ours, &theirs)?;
    Ok(())
}

/// Puzzles from all files, evenly spaced in each file.
fn mixture(count: usize) -> anyhow::Result<Vec<Puzzle>> {
    let mut all = Vec::new();
    for name in ["controlled_bias_dev.tsv.gz", "qq1000_hodoku_se.tsv.gz", "s17_1000_hodoku_se.tsv.gz"] {
        all.extend(table(&format!("ratings/{name}"))?.into_iter().map(|row| row.puzzle));
    }
    all.extend(table("puzzles/clue17_49158.txt.gz")?.into_iter().map(|row| row.puzzle));
    let step = (all.len() / count.max(1)).max(1);
    Ok(all.into_iter().step_by(step).take(count).collect())
}

/// Checks that random isomorphs have the same rating.
fn invariance(card: &mut String, count: usize) -> anyhow::Result<()> {
    const IMAGES: u64 = 5;
    let puzzles = mixture(count)?;
    let ladder = Ladder::default();
    let differs = |&at: &usize| {
        let puzzle = &puzzles[at];
        let rating = rate(puzzle, &ladder);
        let mut rng = Rng::new(1, at as u64, Stage::Bench, 0);
        (0..IMAGES).any(|_| {
            let map = Isomorphism::random(Shape::NINE, Freedom::ALL, &mut rng);
            rate(&map.apply_to_puzzle(puzzle), &ladder) != rating
        })
    };
    let different: Vec<usize> = (0..puzzles.len()).into_par_iter().filter(differs).collect();
    writeln!(card, "\n## Invariance\n")?;
    writeln!(
        card,
        "{} puzzles (controlled-bias, random, 17 givens), {IMAGES} random isomorphs of each: level, score, hardest \
         technique and all counts differ in **{}**.",
        puzzles.len(),
        different.len()
    )?;
    different.iter().try_for_each(|&at| writeln!(card, "\n`{}`", puzzles[at]))?;
    Ok(())
}

/// Puzzles of one block of the check for soundness.
const BLOCK: u64 = 10_000;

/// Counts steps and wrong steps in the full traces of the puzzles of a block.
fn block(number: u64) -> anyhow::Result<(u64, u64)> {
    let ladder = Ladder::default();
    let one = |index: u64| -> anyhow::Result<(u64, u64)> {
        let mut rng = Rng::new(2, index, Stage::Bench, 0);
        let grid = Method::Uniform.fill(Shape::NINE, &mut rng)?;
        let puzzle = Plan::Minimal.dig(&grid, Symmetry::None, &DigOptions::of(Shape::NINE), &mut rng)?.puzzle;
        let trace = trace(&puzzle, &ladder);
        let is = |&(cell, digit): &(Cell, Digit)| grid.grid().get(cell) == Some(digit);
        let wrong = |step: &&Step| !step.placements.iter().all(is) || step.eliminations.iter().any(is);
        let replayed = replay(&puzzle, &trace).is_ok();
        Ok((trace.steps.len() as u64, trace.steps.iter().filter(wrong).count() as u64 + u64::from(!replayed)))
    };
    let counts: Vec<(u64, u64)> =
        (number * BLOCK..(number + 1) * BLOCK).into_par_iter().map(one).collect::<anyhow::Result<_>>()?;
    Ok(counts.into_iter().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1)))
}

/// Checks that no step contradicts the solution. Skips the blocks that the file `notes` lists.
fn soundness(card: &mut String, puzzles: u64, notes: &Path) -> anyhow::Result<()> {
    let known = fs::read_to_string(notes).unwrap_or_else(|_| "block,steps,wrong\n".to_owned());
    let mut known: Vec<String> = known.lines().map(str::to_owned).collect();
    for number in 0..puzzles.div_ceil(BLOCK) {
        if known.iter().any(|line| line.starts_with(&format!("{number},"))) {
            continue;
        }
        let (steps, wrong) = block(number)?;
        known.push(format!("{number},{steps},{wrong}"));
        fs::write(notes, known.join("\n") + "\n")?;
    }
    let sum = |field: usize| -> u64 {
        known.iter().skip(1).filter_map(|line| line.split(',').nth(field)?.parse::<u64>().ok()).sum()
    };
    writeln!(card, "\n## Soundness\n")?;
    writeln!(
        card,
        "{} random minimal puzzles, whole default ladder, {} steps: **{}** contradict the solution or do not replay.",
        (known.len() as u64 - 1) * BLOCK,
        sum(1),
        sum(2)
    )?;
    Ok(())
}

/// The CPU seconds of this thread; elapsed seconds where the system does not count them.
fn worked(since: Instant) -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = text.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or(since.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// Complete records per second on one core, the median of five rounds.
fn speed(card: &mut String) -> anyhow::Result<()> {
    let start = Instant::now();
    let ladder = Ladder::default();
    let [random, short] = ["qq1000", "s17_1000"].map(|name| table(&format!("ratings/{name}_hodoku_se.tsv.gz")));
    let (random, short) = (random?, short?);
    let of = |rows: &[Row], fits: fn(Level) -> bool| -> Vec<Puzzle> {
        let puzzles = rows.iter().map(|row| row.puzzle.clone());
        puzzles.filter(|puzzle| fits(rate(puzzle, &ladder).level)).collect()
    };
    let biased = table("ratings/controlled_bias_dev.tsv.gz")?.into_iter().step_by(100).map(|row| row.puzzle).collect();
    let basic = [of(&random, |level| level <= Level::Medium), of(&short, |level| level <= Level::Medium)].concat();
    writeln!(card, "\n## Speed\n\nComplete records per second of CPU time, on one core, median of five rounds.\n")?;
    writeln!(card, "| puzzles | records per second |\n|---|---|")?;
    let every = |_| true;
    let kinds: [(&str, Vec<Puzzle>); 4] = [
        ("random minimal (qq1000)", of(&random, every)),
        ("17 givens (s17_1000)", of(&short, every)),
        ("controlled-bias minimal (each hundredth)", biased),
        ("those of the first two that singles, intersections and subsets solve", basic),
    ];
    for (name, puzzles) in kinds {
        let mut rates: Vec<f64> = (0..5)
            .map(|_| {
                let from = worked(start);
                for puzzle in puzzles.iter() {
                    std::hint::black_box(rate(puzzle, &ladder));
                }
                puzzles.len() as f64 / (worked(start) - from)
            })
            .collect();
        rates.sort_by(f64::total_cmp);
        writeln!(card, "| {name}: {} | {:.0} |", puzzles.len(), rates[2])?;
    }
    Ok(())
}

fn main() -> anyhow::Result<()> {
    let args = args()?;
    if !data().is_dir() {
        eprintln!("SKIPPED: {} is not there; set SUDOKU_CORPUS_DATA", data().display());
        return Ok(());
    }
    let mut card = format!(
        "# The rater's score card\n\nWritten by `scripts/rater.sh` with sudoku-corpus {}; the options of the script set the \
         numbers of puzzles.\n",
        env!("CARGO_PKG_VERSION")
    );
    speed(&mut card)?;
    library(&mut card)?;
    agreement(&mut card)?;
    invariance(&mut card, args.invariance)?;
    soundness(&mut card, args.soundness, &args.out.with_extension("soundness.csv"))?;
    fs::write(&args.out, &card)?;
    print!("{card}");
    Ok(())
}
