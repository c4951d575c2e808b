//! The raters without corpora: CPU time of one thread, and a hash of all their results.
//!
//! ```text
//! cargo bench -p sudoku-corpus-core --bench rating -- RATER [--first N] SET ..
//!   RATER    ladder, all (the ladder of all techniques), basic (singles, intersections, subsets), se, whips,
//!            depth (te, bxb), effort, steps (each step of se); profile, profile-all, profile-se: the time of each
//!            rung or producer instead of a hash
//!   SET      random, symmetric, 2x3, 4x4 (made here, always the same), or a file with a puzzle at the start of each line
//! ```
//!
//! Two builds give the same ratings if they print the same hashes, so run this benchmark before and after a change. The
//! time is the CPU time of the thread on Linux, and the elapsed time on other systems.

mod clock;

use std::{env, fs, process};

use clock::clock;
use sudoku_corpus_core::board::text::parse_line;
use sudoku_corpus_core::board::{Puzzle, Shape, Symmetry};
use sudoku_corpus_core::dig::{DigOptions, Plan};
use sudoku_corpus_core::generate::Method;
use sudoku_corpus_core::random::{Rng, Stage};
use sudoku_corpus_core::rate::depth::te_depth_and_bxb;
use sudoku_corpus_core::rate::effort::{self, EFFORTS};
use sudoku_corpus_core::rate::label::mix;
use sudoku_corpus_core::rate::profile::Profile;
use sudoku_corpus_core::rate::{self, Ladder, explainer, whip};

/// Assumptions for W and B of one puzzle, as `analyze` allows.
const BUDGET: u64 = 100_000_000;

fn main() {
    if let Err(message) = run() {
        eprintln!("{message}");
        process::exit(2);
    }
}

fn run() -> Result<(), String> {
    let (mut rater, mut first, mut sets) = (None, usize::MAX, Vec::new());
    let mut words = env::args().skip(1).filter(|word| word != "--bench");
    while let Some(word) = words.next() {
        match word.as_str() {
            "--first" => first = words.next().and_then(|n| n.parse().ok()).ok_or("--first needs a number")?,
            _ if rater.is_none() => rater = Some(word),
            _ => sets.push(word),
        }
    }
    let rater =
        rater.ok_or("name a rater: ladder, all, basic, se, steps, whips, depth, effort, or one of the profiles")?;
    let figures = if rater.starts_with("profile") { figures("ladder")? } else { figures(&rater)? };
    println!("{:<8}{:>9}{:>10}{:>12}  {:<17} set", "rater", "puzzles", "seconds", "a second", "hash");
    for set in sets {
        let puzzles = puzzles(&set, first)?;
        if rater.starts_with("profile") {
            profile(&rater, &puzzles)?;
            continue;
        }
        let start = clock();
        let hash = puzzles
            .iter()
            .fold(0, |hash, puzzle| figures(puzzle).into_iter().fold(hash, |hash, figure| mix(hash ^ figure)));
        let seconds = clock() - start;
        let rate = puzzles.len() as f64 / seconds;
        println!("{rater:<8}{:>9}{seconds:>10.3}{rate:>12.1}  {hash:016x}  {set}", puzzles.len());
    }
    Ok(())
}

/// Prints the parts of the ladder or of se, the slowest first.
fn profile(rater: &str, puzzles: &[Puzzle]) -> Result<(), String> {
    let ladder: Ladder = if rater == "profile-all" { "all" } else { "default" }.parse().map_err(|_| "no ladder")?;
    let mut profile = Profile::default();
    for puzzle in puzzles {
        if rater == "profile-se" {
            explainer::profile(puzzle, &mut profile);
        } else {
            rate::profile(puzzle, &ladder, &mut profile);
        }
    }
    for part in profile.parts() {
        let [a_puzzle, a_call] = [puzzles.len() as u64, part.calls].map(|n| part.nanoseconds as f64 / n as f64);
        let (name, calls, hits) = (part.name, part.calls, part.hits);
        println!("  {name:<32}{calls:>10}{hits:>10}{a_call:>12.0} ns a call{a_puzzle:>12.0} ns a puzzle");
    }
    Ok(())
}

/// The results of a rater for a puzzle, as numbers.
type Figures = Box<dyn Fn(&Puzzle) -> Vec<u64>>;

fn figures(rater: &str) -> Result<Figures, String> {
    let or_none = |number: Option<u64>| number.map_or(u64::MAX, |number| number);
    let ladder = match rater {
        "se" => {
            return Ok(Box::new(move |puzzle| {
                let rating = explainer::rate(puzzle, &explainer::Options::default());
                let tenths = [rating.er_tenths, rating.ep_tenths, rating.ed_tenths];
                tenths.map(|tenths| or_none(tenths.map(u64::from))).into_iter().chain([rating.exact.into()]).collect()
            }));
        }
        "steps" => {
            return Ok(Box::new(|puzzle| {
                let steps = explainer::trace(puzzle).steps.into_iter();
                steps.flat_map(|step| step.to_string().into_bytes()).map(u64::from).collect()
            }));
        }
        "whips" => {
            return Ok(Box::new(move |puzzle| {
                let rating = whip::whip_rating(puzzle, BUDGET);
                rating.map_or(vec![u64::MAX], |rating| {
                    let lengths = [rating.w, rating.w_upper, rating.b].map(|length| or_none(length.map(u64::from)));
                    lengths.into_iter().chain([rating.exact.into()]).collect()
                })
            }));
        }
        "depth" => {
            return Ok(Box::new(move |puzzle| {
                let depth = te_depth_and_bxb(puzzle, BUDGET);
                depth
                    .map_or(vec![u64::MAX], |depth| [depth.te, depth.bxb].map(|of| or_none(of.map(u64::from))).to_vec())
            }));
        }
        "effort" => {
            let ladder = Ladder::default();
            return Ok(Box::new(move |puzzle| {
                let (effort, rating) = effort::effort(puzzle, &ladder);
                let numbers = EFFORTS.iter().map(|number| or_none((number.get)(&effort).map(u64::from)));
                numbers.chain([rating.score.into()]).collect()
            }));
        }
        "ladder" => Ladder::default(),
        "all" | "basic" => {
            let text = if rater == "all" { "all" } else { "singles,intersections,subsets" };
            text.parse::<Ladder>().map_err(|error| error.to_string())?
        }
        _ => {
            return Err(format!(
                "no rater is called {rater}; there are ladder, all, basic, se, steps, whips, depth and effort"
            ));
        }
    };
    Ok(Box::new(move |puzzle| {
        let rating = rate::rate(puzzle, &ladder);
        let hardest = or_none(rating.hardest.map(|technique| technique as u64));
        let whole = [rating.score.into(), rating.level as u64, rating.end as u64, rating.open_cells as u64, hardest];
        rating.counts.iter().map(|&count| u64::from(count)).chain(whole).collect()
    }))
}

/// The first puzzles of a set.
fn puzzles(set: &str, first: usize) -> Result<Vec<Puzzle>, String> {
    let made = |shape: &str, symmetry, count: usize| {
        let shape: Shape = shape.parse().map_err(|_| format!("{shape} is no shape"))?;
        let options = DigOptions::of(shape);
        let method = if shape == Shape::NINE { Method::Uniform } else { Method::FewestCandidates };
        let make = |index| {
            let grid = method.fill(shape, &mut Rng::new(13, index, Stage::Generate, 0)).map_err(|e| e.to_string())?;
            let dug = Plan::Minimal.dig(&grid, symmetry, &options, &mut Rng::new(13, index, Stage::Dig, 0));
            dug.map(|dug| dug.puzzle).map_err(|error| error.to_string())
        };
        (0..count.min(first) as u64).map(make).collect()
    };
    match set {
        "random" => made("3x3", Symmetry::None, 20_000),
        "symmetric" => made("3x3", Symmetry::Rotate180, 20_000),
        "2x3" => made(set, Symmetry::None, 20_000),
        "4x4" => made(set, Symmetry::None, 100),
        path => {
            let text = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
            let lines = text.lines().map(|line| line.split_whitespace().next().unwrap_or(""));
            let read = |line| Puzzle::try_from(parse_line(line, None).ok()?).ok();
            Ok(lines.filter_map(read).take(first).collect())
        }
    }
}
