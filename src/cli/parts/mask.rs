//! `mask`: makes puzzles whose givens form a pattern.

use std::path::Path;

use anyhow::{Context as _, bail};

use crate::cli::line::options::Global;
use crate::cli::parts::stage::{self, StageOutput};
use crate::cli::{Outcome, Usage, counted};
use crate::corpus::{Analysis, CorpusError, InputPath, OnError, Record, read_small_text};
use crate::dig::mask::Mask;
use crate::names::nearest;
use crate::random::{DEFAULT_SEED, Rng, Stage};

/// The patterns that come with the program. Each line has a name, a blank and the cells, or is a comment after `#`.
const LIBRARY: &str = include_str!("../../../data/masks/masks.txt");

/// Make puzzles whose givens form a pattern: a heart, a letter, or your own.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus mask heart
  sudoku-corpus mask letter-a --count 20 --out a.parquet
  sudoku-corpus mask pattern.txt --count 5 --out own.csv
      9 lines of 9 characters: x for a given, . for an empty cell
  sudoku-corpus list masks
      the patterns of the program

A search changes the digits on the pattern until the puzzle has one solution. Some patterns have no puzzle. If this can be \
proved, the message says why; otherwise it says how many tries found none. The puzzles are analyzed as in `run`.")]
pub(in crate::cli) struct Args {
    /// The name of a pattern (`list masks`), or a file with a pattern.
    pattern: InputPath,
    /// Number of puzzles.
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,
    /// Seed of all random numbers, from 0; default 20261120.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED, hide_default_value = true)]
    seed: u64,
    /// Number of tries for one puzzle. A try fills the pattern with digits and counts the solutions.
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1..))]
    tries: u64,
    #[command(flatten)]
    output: StageOutput,
}

pub(in crate::cli) fn library() -> impl Iterator<Item = (&'static str, Mask)> {
    let lines = LIBRARY.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(' ')).filter_map(|(name, cells)| Some((name, cells.parse().ok()?)))
}

/// Searches puzzles with the pattern, one for each row.
pub(in crate::cli) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let (name, mask) = pattern(&args.pattern)?;
    if let Some(obstacle) = mask.obstacle() {
        bail!(Usage(format!("{name} has no puzzle: {obstacle}")));
    }
    let (rows, analysis) = (args.count, Analysis::default());
    stage::run(global, &args.output, &["mask"], (0..rows).map(Ok), Some(rows), OnError::Fail, |index| {
        let search = mask.search(&mut Rng::new(args.seed, index, Stage::Dig, 0), args.tries);
        let tries = search.trials;
        let Some((puzzle, solution)) = search.puzzle else {
            let reason = format!("it may not exist; --tries {} looks longer", args.tries.saturating_mul(10));
            return Err(CorpusError::file(
                Path::new(&name),
                format!("no puzzle was found in {}; {reason}", counted(tries, "try")),
            ));
        };
        let plan = Some(format!("mask={name}").into());
        let record = Record { solution: Some(solution), plan, tries: Some(tries), ..Record::of_puzzle(index, puzzle) };
        Ok(analysis.analyze(record))
    })
}

/// A pattern by its name, or from a file.
fn pattern(given: &Path) -> anyhow::Result<(String, Mask)> {
    if let Some((name, mask)) = library().find(|(name, _)| Path::new(name) == given) {
        return Ok((name.to_owned(), mask));
    }
    let text = given.display();
    if !given.exists() {
        let stem = given.file_stem().unwrap_or_default().to_string_lossy();
        let word = if stem.chars().count() == 1 { format!("letter-{stem}") } else { stem.into_owned() };
        let near = nearest(&word, library().map(|(name, _)| name));
        let near = near.map_or(";".to_owned(), |near| format!("; did you mean '{near}'?"));
        bail!(Usage(format!("no file and no pattern is called '{text}'{near} `list masks` shows the patterns")));
    }
    let how = "a pattern is a file of x and . signs, or a name of `list masks`: mask heart";
    let file = read_small_text(given).with_context(|| format!("cannot read {text} ({how})"))?;
    let mask = file.parse().map_err(|error| Usage(format!("{text}: {error}; {how}")))?;
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
        for (number, (name, mask)) in all.iter().enumerate() {
            assert!((22..=40).contains(&mask.givens()), "{name}: {} givens", mask.givens());
            assert_eq!(mask.obstacle(), None, "{name}");
            assert!(all[..number].iter().all(|other| other.0 != *name && other.1 != *mask), "{name} comes twice");
        }
    }
}
