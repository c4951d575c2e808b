//! `mask`: makes puzzles whose givens form a pattern.

use std::path::Path;

use anyhow::{Context as _, bail};

use super::options::Global;
use super::paths::Replace;
use super::stage::{self, StageOutput};
use super::{Outcome, Usage};
use crate::corpus::{Analysis, CorpusError, InputPath, OnError, Record};
use crate::dig::mask::Mask;
use crate::random::{Rng, Stage};

/// The patterns that come with the program. Each line has a name, a blank and the cells, or is a comment after `#`.
const LIBRARY: &str = include_str!("../../data/masks/masks.txt");

/// Make puzzles whose givens form a pattern: a heart, a letter, or your own.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus mask heart
  sudoku-corpus mask letter-a --count 20 --out a.parquet
  sudoku-corpus mask pattern.txt --count 5 --out own.csv      9 lines of 9 characters: x for a given, . for a hole
  sudoku-corpus list masks                                    the patterns that come with the program

A search changes the digits on the pattern until the puzzle has one solution. Some patterns have no puzzle. If this can be \
proved, the message says why; otherwise it says how many trials found none. The puzzles are analysed as in `run`.")]
pub(super) struct Args {
    /// The name of a pattern (`list masks`), or a file with a pattern.
    pattern: InputPath,
    /// Number of puzzles.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1)]
    count: u64,
    /// Seed of all random numbers. Another seed gives other puzzles.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Number of trials for one puzzle. A trial fills the pattern with digits and counts the solutions.
    #[arg(long, value_name = "N", default_value_t = 50_000)]
    budget: u64,
    #[command(flatten)]
    replace: Replace,
    #[command(flatten)]
    output: StageOutput,
}

/// The patterns of the program, by name.
pub(super) fn library() -> impl Iterator<Item = (&'static str, Mask)> {
    let lines = LIBRARY.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(' ')).filter_map(|(name, cells)| Some((name, cells.parse().ok()?)))
}

/// Searches puzzles with the pattern, one for each row.
pub(super) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let (name, mask) = pattern(&args.pattern)?;
    if let Some(obstacle) = mask.obstacle() {
        bail!(Usage(format!("{name} has no puzzle: {obstacle}")));
    }
    args.replace.may_write(&args.output.out)?;
    let (rows, analysis) = (args.count, Analysis::default());
    let work = |index: u64| {
        let found = mask.search(&mut Rng::new(args.seed, index, Stage::Dig, 0), args.budget);
        let trials = found.trials;
        let Some((puzzle, solution)) = found.puzzle else {
            let reason = "it may not exist; --budget allows more trials";
            return Err(CorpusError::file(
                Path::new(&name),
                format!("no puzzle was found in {trials} trials; {reason}"),
            ));
        };
        let plan = Some(format!("mask={name}").into());
        let found = Record { solution: Some(solution), plan, tries: Some(trials), ..Record::of_puzzle(index, puzzle) };
        Ok(analysis.analyze(found))
    };
    stage::run(global, &args.output, &["mask"], (0..rows).map(Ok), Some(rows), OnError::Fail, work)
}

/// A pattern by its name, or from a file.
fn pattern(given: &Path) -> anyhow::Result<(String, Mask)> {
    if let Some((name, mask)) = library().find(|(name, _)| Path::new(name) == given) {
        return Ok((name.to_owned(), mask));
    }
    let text = given.display();
    let file = std::fs::read_to_string(given);
    let file = file.with_context(|| format!("{text}: neither a pattern of `list masks` nor a file"))?;
    let mask = file.parse().map_err(|error| Usage(format!("{text}: {error}")))?;
    Ok((given.file_stem().unwrap_or_default().to_string_lossy().into_owned(), mask))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_has_sixty_patterns_that_may_have_puzzles() {
        let all: Vec<(&str, Mask)> = library().collect();
        assert_eq!(all.len(), LIBRARY.lines().filter(|line| !line.starts_with('#')).count());
        assert!(all.len() >= 60);
        for (at, (name, mask)) in all.iter().enumerate() {
            assert!((22..=40).contains(&mask.givens()), "{name}: {} givens", mask.givens());
            assert_eq!(mask.obstacle(), None, "{name}");
            assert!(all[..at].iter().all(|other| other.0 != *name && other.1 != *mask), "{name} comes twice");
        }
    }
}
