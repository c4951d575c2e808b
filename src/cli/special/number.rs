//! `number`: the number of a grid, the rank of its class and the names of a puzzle; from one of them, the others.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, BufWriter, Cursor, Read, Write as _};
use std::path::Path;

use anyhow::Context as _;

use crate::board::{Puzzle, Reason, Shape, Solution};
use crate::catalogue::{self, CLASSES, NameKind, name_of, puzzle_of_name, ranked_name};
use crate::cli::line::options::Global;
use crate::cli::line::source::{Source, numbered_rows, only_solution};
use crate::cli::{Outcome, Usage, cannot_read};
use crate::corpus::InputPath;

/// Print the numbers and names of grids and puzzles, or find the grid or puzzle that has one.
///
/// All grids of a shape are numbered from 0 (4x4, 6x6, 8x8 and 9x9 boards). The rank of a 9x9 grid is that of its class
/// among the 5,472,730,538 minlex grids in lexicographic order, from 1. All isomorphs of a 9x9 puzzle have the same name
/// of 20 characters, and other puzzles have other names. A label of 27 characters stands for the puzzle exactly as it
/// is. For a puzzle, number and rank are those of its solution. A puzzle without exactly one solution has none of these.
///
/// What is given as an argument is shown in lines; the boards of a file are shown as CSV.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus number puzzle.txt
  sudoku-corpus number --number 361144234539379590
  sudoku-corpus number --rank 5472730538
  sudoku-corpus number --name tfoRqNmVkj1bTkcJkqd9
  sudoku-corpus number fifty.sdm | cut -d , -f 3 | sort | uniq --repeated
      the names of isomorphic puzzles

`sudoku-corpus guide numbers` says how numbers and names are defined.")]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    source: Source,
    /// The grid that has this number. It is a 9x9 grid unless --shape is given.
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["rank", "name", "puzzles", "digits", "empty", "column"])]
    number: Option<u128>,
    /// The minlex grid that has this rank, 1 to 5472730538.
    #[arg(long, value_name = "RANK", value_parser = rank,
        conflicts_with_all = ["name", "puzzles", "shape", "digits", "empty", "column"])]
    rank: Option<u64>,
    /// The puzzle that has this name or label. Also a file of names, a line for each, or - for standard input.
    #[arg(long, value_name = "NAME or FILE", conflicts_with_all = ["puzzles", "shape", "digits", "empty", "column"])]
    name: Option<InputPath>,
}

/// The columns of CSV. Corpora have the first three under the same names.
const COLUMNS: [&str; 6] = ["grid_number", "class_rank", "name", "label", "puzzle", "solution"];

pub(in crate::cli) fn run(global: &Global, args: Args) -> anyhow::Result<Outcome> {
    let mut out = BufWriter::new(io::stdout());
    let solution = match (args.number, args.rank, &args.name) {
        (Some(number), ..) => grid_of(args.source.shape().unwrap_or(Shape::NINE), number)?,
        (_, Some(rank), _) => catalogue::class_of_rank(rank).context("every class has a grid")?,
        (_, _, Some(names)) => return named(global, names),
        _ => {
            let is_one = args.source.is_literal();
            let head = if is_one { String::new() } else { COLUMNS.join(",") + "\n" };
            return numbered_rows(global, &args.source, &head, |puzzle, solution| {
                values(puzzle, solution).map(|values| shown(&values, is_one))
            });
        }
    };
    let values = values(&solution.clone().into(), &solution).map_err(Usage)?;
    writeln!(out, "{}", shown(&values, true))?;
    out.flush()?;
    Ok(Outcome::Done)
}

/// The grid of a shape that has a number.
fn grid_of(shape: Shape, number: u128) -> Result<Solution, Usage> {
    let last = catalogue::grids(shape).ok_or_else(|| Usage(not_numbered(shape)))? - 1;
    catalogue::grid_of_number(shape, number)
        .ok_or_else(|| Usage(format!("there is no grid {number}: the last one is {last} ({})", shape.board())))
}

/// Why the grids of a shape have no numbers.
fn not_numbered(shape: Shape) -> String {
    match shape.only_plain("numbers") {
        Err(Reason(why)) => why,
        Ok(()) => format!("only 4x4, 6x6, 8x8 and 9x9 grids have numbers, not those of the {}", shape.board()),
    }
}

/// The values of a puzzle with one solution, in the order of [`COLUMNS`]. Only 9x9 boards have ranks and names.
fn values(puzzle: &Puzzle, solution: &Solution) -> Result<[String; 6], String> {
    let shape = solution.shape();
    let number = catalogue::grid_number(solution).ok_or_else(|| not_numbered(shape))?;
    let (mut rank, mut name, mut label) = (String::new(), String::new(), String::new());
    if shape == Shape::NINE {
        let (class_rank, class_name) = ranked_name(puzzle, solution).map_err(|Reason(why)| why)?;
        (rank, name) = (class_rank.to_string(), class_name);
        label = name_of(NameKind::Label, puzzle, solution).map_err(|Reason(why)| why)?;
    }
    Ok([number.to_string(), rank, name, label, puzzle.to_string(), solution.to_string()])
}

/// Values as a line of CSV; or with `in_lines`, each that is not empty in a line with its name.
fn shown(values: &[String; 6], in_lines: bool) -> String {
    if !in_lines {
        return values.join(",");
    }
    let mut lines = Vec::new();
    for (column, value) in COLUMNS.iter().zip(values) {
        if !value.is_empty() {
            lines.push(format!("{column:<12} {value}"));
        }
    }
    lines.join("\n")
}

fn named(global: &Global, names: &Path) -> anyhow::Result<Outcome> {
    let cannot_read = || cannot_read(names);
    let (lines, is_one): (Box<dyn Read>, bool) = match names {
        standard if standard == Path::new("-") => (Box::new(io::stdin()), false),
        path if path.exists() => (Box::new(File::open(path).with_context(cannot_read)?), false),
        name => (Box::new(Cursor::new(name.to_string_lossy().into_owned())), true),
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let mut outcome = Outcome::Done;
    let mut head = if is_one { String::new() } else { COLUMNS.join(",") + "\n" };
    for (index, line) in BufReader::new(lines).lines().enumerate() {
        let line = line.with_context(cannot_read)?;
        if line.trim().is_empty() {
            continue;
        }
        match values_of_name(&line) {
            Ok(values) => writeln!(out, "{}{}", std::mem::take(&mut head), shown(&values, is_one))?,
            Err(error) => {
                outcome = Outcome::CheckFailed;
                global.say(format_args!("line {}: {error}", index + 1));
            }
        }
    }
    out.flush()?;
    Ok(outcome)
}

/// The values of the puzzle of a name.
///
/// # Errors
/// The text is not a name, or that of a board with several solutions.
fn values_of_name(name: &str) -> Result<[String; 6], String> {
    let (puzzle, _) = puzzle_of_name(name).map_err(|Reason(why)| why)?;
    let only = only_solution(&puzzle);
    let solution = only.map_err(|problem| format!("no puzzle has this name: its board has {problem}"))?;
    values(&puzzle, &solution)
}

/// A rank on the command line.
fn rank(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(rank @ 1..=CLASSES) => Ok(rank),
        _ => Err(format!("a rank must be 1 to {CLASSES}")),
    }
}

#[cfg(test)]
mod tests {
    use clap::{Args as _, Command};

    use super::*;

    #[test]
    fn options_without_effect_are_refused() {
        let accepts = |words: &str| {
            let command = Args::augment_args(Command::new("number"));
            command.try_get_matches_from(["number"].into_iter().chain(words.split(' '))).is_ok()
        };
        for words in ["--number 5", "--number 5 --shape 2x3", "--rank 1", "--name N", "f.txt --shape 2x3 --column p"] {
            assert!(accepts(words), "{words}");
        }
        for words in [
            "--rank 1 --shape 2x3", "f.txt --rank 1", "f.txt --number 5", "f.txt --name N", "--name N --empty n",
            "--number 5 --digits abcd", "--number 5 --rank 1",
        ] {
            assert!(!accepts(words), "{words}");
        }
    }

    #[test]
    fn names_of_boards_with_several_solutions_are_refused() {
        let reason = values_of_name("11111111111111111111").unwrap_err();
        assert_eq!(reason, "no puzzle has this name: its board has more than one solution");
    }
}
