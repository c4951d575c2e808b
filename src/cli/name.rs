//! `name`: turns 9x9 puzzles into permanent names, and names into puzzles.

use std::io::{self, BufRead as _, BufReader, BufWriter, Read, Write as _};
use std::path::Path;

use anyhow::Context as _;

use super::Outcome;
use super::options::Global;
use super::source::{Source, numbered_rows};
use crate::catalogue::{NameKind, name_of, puzzle_of_name};

/// Print the permanent names of 9x9 puzzles, or the puzzles that have given names.
///
/// A name has 20 characters. All isomorphs of a puzzle have the same name: puzzles that differ only by rotation,
/// reflection, exchange of rows, columns, bands or stacks, or relabelling of the digits. Other puzzles have other
/// names. The puzzle can be rebuilt from its name. Only puzzles with one solution have a name.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus name 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
  sudoku-corpus name puzzles.txt | sort | uniq --repeated           puzzles that are isomorphic to another one
  sudoku-corpus name --label puzzles.txt > labels.txt
  sudoku-corpus name --read labels.txt                              the puzzles again

`sudoku-corpus guide numbers` says how names are made.")]
pub(super) struct Args {
    #[command(flatten)]
    source: Source,
    /// Name the puzzle exactly as it is, not up to isomorphism. Such a name has 27 characters.
    #[arg(long, conflicts_with = "read")]
    label: bool,
    /// Read names and print their puzzles. The argument is a name, a file of names, or - for standard input.
    #[arg(long)]
    read: bool,
    /// With --read, print the solutions instead of the puzzles.
    #[arg(long, requires = "read")]
    solution: bool,
}

/// Prints the name of each puzzle, or the puzzle of each name.
pub(super) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    if args.read {
        return puzzles(global, &args);
    }
    let kind = if args.label { NameKind::Label } else { NameKind::Class };
    numbered_rows(global, &args.source, |puzzle, solution| {
        name_of(kind, puzzle, solution).map_err(|error| error.to_string())
    })
}

/// Prints the puzzle of each name.
fn puzzles(global: &Global, args: &Args) -> anyhow::Result<Outcome> {
    let given = args.source.given();
    let cannot_read = || format!("cannot read {}", given.display());
    let lines: Box<dyn Read> = match given {
        standard if standard == Path::new("-") => Box::new(io::stdin()),
        path if path.exists() => Box::new(std::fs::File::open(path).with_context(cannot_read)?),
        name => Box::new(io::Cursor::new(name.to_string_lossy().into_owned())),
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let mut outcome = Outcome::Done;
    for (at, line) in BufReader::new(lines).lines().enumerate() {
        let line = line.with_context(cannot_read)?;
        if line.trim().is_empty() {
            continue;
        }
        match puzzle_of_name(&line) {
            Ok((_, solution)) if args.solution => writeln!(out, "{solution}")?,
            Ok((puzzle, _)) => writeln!(out, "{puzzle}")?,
            Err(error) => {
                outcome = Outcome::CheckFailed;
                global.say(format_args!("line {}: {error}", at + 1));
            }
        }
    }
    out.flush()?;
    Ok(outcome)
}
