//! `hint`: shows the step that a person would take next, and the candidates of cells.

use std::io::{self, IsTerminal as _, Write};
use std::path::Path;

use anyhow::{Result, ensure};

use crate::board::text::symbol;
use crate::board::{Cell, Digits, Puzzle, Shape};
use crate::cli::line::options::Global;
use crate::cli::line::source::{self, Source};
use crate::cli::publish::book::picture_kind;
use crate::cli::{Outcome, Usage, counted};
use crate::corpus::{OutputPath, write_file};
use crate::ladder::{Hint, HintColour, Ladder, Step, digits_at, hint, next_step};
use crate::publish::book::Typeface;
use crate::publish::picture::{
    self,
    PictureKind::{Pdf, Png, Svg},
    Told,
};
use crate::solve::{Budget, Count};

/// Positions that may be visited to find out whether the puzzle is unique.
const BUDGET: Budget = Budget(1_000_000);

/// Show the cells that a person would look at next, and the next step.
///
/// Cells with one candidate are red, cells with two are orange, cells with three are yellow. A cell with a hidden
/// single counts as a cell with one candidate ("Sudoku", Whack! My world of hacks). The next step of the ladder follows
/// in words. If the output is not a terminal, marks replace the colors: * one, + two, ' three candidates.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sudoku-corpus hint puzzle.txt
  sudoku-corpus hint puzzle.txt --cell r5c5
      the digits that are possible there
  sudoku-corpus hint puzzle.txt --out hint.svg
      a picture with colored circles (.svg, .pdf, .png)")]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    source: Source,
    /// Print only the candidates of one cell, such as r4c7 (row 4, column 7).
    #[arg(long, value_name = "rNcM", value_parser = cell_name)]
    cell: Option<(usize, usize)>,
    /// The output: a file with a picture of the hint of the first puzzle, .svg, .pdf or .png.
    #[arg(long, short, value_name = "FILE", conflicts_with = "cell")]
    out: Option<OutputPath>,
    /// Techniques of the ladder: default, modern, all, or a list; see `list techniques`.
    #[arg(long, value_name = "LIST", default_value = "default", allow_hyphen_values = true)]
    techniques: Ladder,
}

/// Row and column of a name of a cell, from 1.
fn cell_name(text: &str) -> Result<(usize, usize), String> {
    let wrong = || format!("'{text}' is not a cell: write r4c7 for row 4, column 7");
    let lower = text.to_ascii_lowercase();
    let (row, column) = lower.strip_prefix('r').and_then(|rest| rest.split_once('c')).ok_or_else(wrong)?;
    let number = |text: &str| text.parse().ok().filter(|&number: &usize| number > 0).ok_or_else(wrong);
    Ok((number(row)?, number(column)?))
}

/// Shows the hint of each puzzle, or draws that of the first.
pub(in crate::cli) fn run(_: &Global, args: Args) -> Result<Outcome> {
    let mut out = io::stdout().lock();
    for row in args.source.open_positions()? {
        let row = row?;
        let Some(puzzle) = source::puzzle_of(&row) else { continue };
        let marks = row.candidates.as_deref();
        if let Some((row, column)) = args.cell {
            one_cell(&mut out, &puzzle, marks, row, column)?;
            continue;
        }
        let hint = hint(&puzzle, marks).ok_or_else(|| too_large(puzzle.shape()))?;
        let (_, count) = source::solutions_of(&row, &puzzle, 2, BUDGET);
        let ladder = source::sound(&args.techniques, count);
        let next = next_step(&puzzle, marks, &ladder).filter(|_| !is_unsolvable(count));
        if let Some(path) = &args.out {
            picture_of(path, &puzzle, &hint, next.as_ref())?;
            break;
        }
        board(&mut out, &puzzle, &hint, next.as_ref(), count)?;
    }
    Ok(Outcome::Done)
}

fn is_unsolvable(count: Count) -> bool {
    count == Count { found: 0, exact: true }
}

/// The error for boards without hints.
fn too_large(shape: Shape) -> Usage {
    Usage(format!("the board is too large for hints ({})", shape.board()))
}

/// Prints what a cell holds, or its candidates.
fn one_cell(out: &mut impl Write, puzzle: &Puzzle, marks: Option<&[Digits]>, row: usize, column: usize) -> Result<()> {
    let (shape, order) = (puzzle.shape(), puzzle.shape().order());
    let no_cell = format!("there is no cell r{row}c{column} on the board ({})", shape.board());
    ensure!(row <= order && column <= order, Usage(no_cell));
    let cell = Cell::at(shape, row - 1, column - 1);
    let name = cell.name(shape);
    if let Some(digit) = puzzle.grid().get(cell) {
        return Ok(writeln!(out, "{name} holds {}", symbol(digit.value(), order))?);
    }
    let plain = digits_at(puzzle, cell).ok_or_else(|| too_large(shape))?;
    let digits = marks.map_or(plain, |marks| plain & marks[cell.index()]);
    let symbols: Vec<String> = digits.iter().map(|digit| symbol(digit.value(), order).to_string()).collect();
    let text = if digits.is_empty() { "no candidate is left".to_owned() } else { symbols.join(" ") };
    Ok(writeln!(out, "{name}: {text}")?)
}

fn picture_of(path: &Path, puzzle: &Puzzle, hint: &Hint, next: Option<&Step>) -> Result<()> {
    let kind = picture_kind(path, &[Svg, Pdf, Png])?;
    Told::Drawing.holds(puzzle.shape()).map_err(|reason| Usage::of(path, reason))?;
    let typeface = Typeface::open()?;
    let style = picture::Style::default();
    let drawing = picture::steps::hint(&typeface, puzzle, hint, next, &style);
    Ok(write_file(path, picture::picture(kind, &typeface, drawing, style.dpi)?)?)
}

/// Draws the board and says the next step.
fn board(out: &mut impl Write, puzzle: &Puzzle, hint: &Hint, next: Option<&Step>, count: Count) -> Result<()> {
    let shape = puzzle.shape();
    draw(out, puzzle, hint, io::stdout().is_terminal())?;
    let cells = names(hint, shape);
    match hint.fewest {
        None => writeln!(out, "Every cell is filled.")?,
        Some(0) => writeln!(out, "No candidate is left in {cells}: the puzzle has no solution.")?,
        Some(_) if is_unsolvable(count) => writeln!(out, "The puzzle has no solution: no step leads to one.")?,
        Some(fewest) => writeln!(out, "Fewest candidates: {} in {cells}", counted(fewest as u64, "candidate"))?,
    }
    match next {
        Some(step) => writeln!(out, "Next step: {}", step.words(shape))?,
        None if hint.fewest.is_none_or(|fewest| fewest == 0) || is_unsolvable(count) => {}
        None if count.found > 1 => {
            writeln!(out, "Next step: none of these techniques applies; the puzzle has several solutions")?;
        }
        None => {
            writeln!(out, "Next step: none of these techniques applies; the puzzle needs a harder one")?;
        }
    }
    Ok(())
}

/// The first nine cells of a hint.
fn names(hint: &Hint, shape: Shape) -> String {
    let shown: Vec<String> = hint.cells.iter().take(9).map(|cell| cell.name(shape).to_string()).collect();
    let rest = hint.cells.len() - shown.len();
    shown.join(" ") + &if rest > 0 { format!(" and {rest} more") } else { String::new() }
}

/// The board with the candidates of each open cell, coloured or marked by their number.
fn draw(out: &mut impl Write, puzzle: &Puzzle, hint: &Hint, colours: bool) -> io::Result<()> {
    let shape = puzzle.shape();
    let n = shape.order();
    let content = |cell: usize| match puzzle.grid().get(Cell::new(cell)) {
        Some(digit) => (symbol(digit.value(), n).to_string(), None),
        None => (candidates(hint.candidates[cell], n), HintColour::of(hint.candidates[cell].len())),
    };
    let width = (0..n * n).map(|cell| content(cell).0.len()).max().unwrap_or(1) + 1;
    let rule = vec!["-".repeat((width + 1) * shape.box_columns()); shape.stacks()].join("+-");
    for row in 0..n {
        if row > 0 && row % shape.box_rows() == 0 && shape.regions().is_none() {
            writeln!(out, "{rule}")?;
        }
        for column in 0..n {
            let is_next = column > 0 && shape.box_of(row, column) != shape.box_of(row, column - 1);
            if is_next || shape.regions().is_some() {
                write!(out, "{}", if is_next { "| " } else { "  " })?;
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
fn painted(text: &str, colour: Option<HintColour>, width: usize, colours: bool) -> String {
    let (code, mark) = match colour {
        Some(HintColour::Red) => ("\x1b[1;31m", "*"),
        Some(HintColour::Orange) => ("\x1b[38;5;208m", "+"),
        Some(HintColour::Yellow) => ("\x1b[33m", "'"),
        None => return format!("{text:<width$}"),
    };
    if colours { format!("{code}{text:<width$}\x1b[0m") } else { format!("{:<width$}", format!("{text}{mark}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_named_from_one() {
        assert_eq!(["r4c7", "R12C3"].map(cell_name), [Ok((4, 7)), Ok((12, 3))]);
        assert!(["", "r0c1", "4,7", "rc", "r1", "r1c"].iter().all(|text| cell_name(text).is_err()));
    }
}
