//! `hint`: shows the step that a person would take next, and the candidates of cells.

use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use super::replace::Replace;
use super::source::{self, Source};
use super::{Outcome, Usage};
use crate::board::text::symbol;
use crate::board::{Cell, Digits, Puzzle, Shape};
use crate::publish::book::Typeface;
use crate::publish::{picture, save};
use crate::rate::{Colour, Hint, Ladder, digits_at, hint, next_step};
use crate::solve::{self, Budget, Count};

/// Positions that may be visited to find out whether the puzzle is unique.
const BUDGET: Budget = Budget(1_000_000);

/// Show the cells that a person would look at next, and the next step.
///
/// Cells with one candidate are red, cells with two are orange, cells with three are yellow. A cell with a hidden
/// single counts as a cell with one candidate ("Sudoku", Whack! My world of hacks). The next step of the ladder follows
/// in words. If the output is not a terminal, marks replace the colours: * one, + two, ' three candidates.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus hint 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
  sudoku-corpus hint puzzle.txt --cell r5c5      the digits that are possible there
  sudoku-corpus hint puzzle.txt --out hint.svg   a picture with coloured circles (.svg, .pdf, .png, .eps)")]
pub struct Args {
    #[command(flatten)]
    source: Source,
    /// Print only the candidates of one cell, such as r4c7 (row 4, column 7).
    #[arg(long, value_name = "rNcM", value_parser = cell_name)]
    cell: Option<(usize, usize)>,
    /// Draw the hint of the first puzzle into this file: .svg, .pdf, .png or .eps.
    #[arg(long, short, value_name = "FILE", conflicts_with = "cell")]
    out: Option<PathBuf>,
    #[command(flatten)]
    replace: Replace,
    /// Techniques of the ladder: default, modern, all, or a list; see `list techniques`.
    #[arg(long, value_name = "LIST", default_value = "default", allow_hyphen_values = true)]
    techniques: Ladder,
}

fn cell_name(text: &str) -> Result<(usize, usize), String> {
    let wrong = || format!("'{text}' is not a cell: write r4c7 for row 4, column 7");
    let lower = text.to_ascii_lowercase();
    let (row, column) = lower.strip_prefix('r').and_then(|rest| rest.split_once('c')).ok_or_else(wrong)?;
    let number = |text: &str| text.parse().ok().filter(|&number: &usize| number > 0).ok_or_else(wrong);
    Ok((number(row)?, number(column)?))
}

pub fn run(args: Args) -> anyhow::Result<Outcome> {
    let mut out = io::stdout().lock();
    for row in args.source.open()? {
        let record = row?;
        let Some(puzzle) = source::puzzle_of(&record) else { continue };
        if let Some(path) = &args.out {
            args.replace.may_write(path)?;
            picture_of(path, &puzzle, &args.techniques)?;
            break;
        }
        match args.cell {
            Some((row, column)) => one_cell(&mut out, &puzzle, row, column)?,
            None => board(&mut out, &puzzle, &args.techniques)?,
        }
    }
    Ok(Outcome::Done)
}

fn symbols(digits: Digits, shape: Shape) -> String {
    digits.iter().map(|digit| symbol(digit.value(), shape.order()).to_string()).collect::<Vec<_>>().join(" ")
}

fn one_cell(out: &mut impl Write, puzzle: &Puzzle, row: usize, column: usize) -> anyhow::Result<()> {
    let shape = puzzle.shape();
    if row > shape.order() || column > shape.order() {
        return Err(Usage(format!("there is no cell r{row}c{column} on the board ({})", shape.board())).into());
    }
    let cell = Cell::at(shape, row - 1, column - 1);
    let name = cell.name(shape);
    match (puzzle.grid().get(cell), digits_at(puzzle, cell)) {
        (Some(digit), _) => writeln!(out, "{name} holds {}", symbol(digit.value(), shape.order()))?,
        (None, Some(digits)) if digits.is_empty() => writeln!(out, "{name}: no candidate is left")?,
        (None, Some(digits)) => writeln!(out, "{name}: {}", symbols(digits, shape))?,
        (None, None) => return Err(Usage(format!("the board is too large for hints ({})", shape.board())).into()),
    }
    Ok(())
}

/// Draws the hint into a file.
fn picture_of(path: &Path, puzzle: &Puzzle, ladder: &Ladder) -> anyhow::Result<()> {
    let Some(hint) = hint(puzzle) else {
        return Err(Usage(format!("the board is too large for hints ({})", puzzle.shape().board())).into());
    };
    let typeface = Typeface::open()?;
    let style = picture::Style::default();
    let next = next_step(puzzle, &sound(puzzle, ladder));
    let drawing = picture::steps::hint(&typeface, puzzle, &hint, next.as_ref(), &style);
    let data = match path.extension().and_then(|end| end.to_str()) {
        Some("svg") => picture::svg(&typeface, &drawing).into_bytes(),
        Some("eps") => picture::eps(&typeface, &drawing).into_bytes(),
        Some("pdf") => picture::pdf(&typeface, &[drawing]),
        Some("png") => picture::png(&typeface, &drawing, style.dpi)?,
        _ => return Err(Usage(format!("{}: the name must end in .svg, .pdf, .png or .eps", path.display())).into()),
    };
    Ok(save(path, &data)?)
}

/// The ladder without techniques of uniqueness unless the puzzle is known to have one solution.
fn sound(puzzle: &Puzzle, ladder: &Ladder) -> Ladder {
    let unique = solve::count(puzzle, 2, BUDGET) == Count { found: 1, exact: true };
    if unique { ladder.clone() } else { ladder.clone().without_uniqueness() }
}

fn board(out: &mut impl Write, puzzle: &Puzzle, ladder: &Ladder) -> anyhow::Result<()> {
    let shape = puzzle.shape();
    let Some(hint) = hint(puzzle) else {
        return Err(Usage(format!("the board is too large for hints ({})", shape.board())).into());
    };
    draw(out, puzzle, &hint, io::stdout().is_terminal())?;
    match hint.fewest {
        None => writeln!(out, "Every cell is filled.")?,
        Some(0) => writeln!(out, "No candidate is left in {}: the puzzle has no solution.", names(&hint, shape))?,
        Some(fewest) => {
            let plural = if fewest == 1 { "" } else { "s" };
            writeln!(out, "Fewest candidates: {fewest} candidate{plural} in {}", names(&hint, shape))?;
        }
    }
    match next_step(puzzle, &sound(puzzle, ladder)) {
        Some(step) => writeln!(out, "Next step: {}", step.words(shape))?,
        None if hint.fewest.is_some_and(|fewest| fewest > 0) => {
            writeln!(out, "Next step: none of these techniques applies; the puzzle needs a harder one")?;
        }
        None => {}
    }
    Ok(())
}

/// The first nine cells of a hint.
fn names(hint: &Hint, shape: Shape) -> String {
    let shown: Vec<String> = hint.cells.iter().take(9).map(|cell| cell.name(shape).to_string()).collect();
    let more = if hint.cells.len() > 9 { format!(" and {} more", hint.cells.len() - 9) } else { String::new() };
    shown.join(" ") + &more
}

/// The board with the candidates of each open cell, coloured or marked by their number.
fn draw(out: &mut impl Write, puzzle: &Puzzle, hint: &Hint, colours: bool) -> io::Result<()> {
    let shape = puzzle.shape();
    let n = shape.order();
    let content = |at: usize| match puzzle.grid().get(Cell::new(at)) {
        Some(digit) => (symbol(digit.value(), n).to_string(), None),
        None => (candidates(hint.candidates[at], n), Colour::of(hint.candidates[at].len())),
    };
    let width = (0..n * n).map(|at| content(at).0.len()).max().unwrap_or(1) + 1;
    let rule = vec!["-".repeat((width + 1) * shape.box_columns()); shape.stacks()].join("+-");
    for row in 0..n {
        if row > 0 && row % shape.box_rows() == 0 {
            writeln!(out, "{rule}")?;
        }
        for column in 0..n {
            if column > 0 && column % shape.box_columns() == 0 {
                write!(out, "| ")?;
            }
            let (text, colour) = content(row * n + column);
            write!(out, "{} ", painted(&text, colour, width, colours))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Up to four candidates; a point stands for more.
fn candidates(digits: Digits, order: usize) -> String {
    match digits.len() {
        0 => "!".to_owned(),
        1..=4 => digits.iter().map(|digit| symbol(digit.value(), order)).collect(),
        _ => ".".to_owned(),
    }
}

/// A cell padded to its width, in its colour or with its mark.
fn painted(text: &str, colour: Option<Colour>, width: usize, colours: bool) -> String {
    let (code, mark) = match colour {
        Some(Colour::Red) => ("\x1b[1;31m", "*"),
        Some(Colour::Orange) => ("\x1b[38;5;208m", "+"),
        Some(Colour::Yellow) => ("\x1b[33m", "'"),
        None => return format!("{text:<width$}"),
    };
    if colours {
        return format!("{code}{text:<width$}\x1b[0m");
    }
    format!("{:<width$}", format!("{text}{mark}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_named_from_one() {
        assert_eq!(cell_name("r4c7"), Ok((4, 7)));
        assert_eq!(cell_name("R12C3"), Ok((12, 3)));
        assert!(["", "r0c1", "4,7", "rc", "r1", "r1c"].iter().all(|text| cell_name(text).is_err()));
    }
}
