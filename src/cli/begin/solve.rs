//! `solve`: shows solutions, search depth, and the steps that a person would take.

use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::Path;

use anyhow::ensure;

use crate::board::{Puzzle, Shape, Solution, text};
use crate::cli::line::options::Global;
use crate::cli::line::source::{self, Source, UNIQUE};
use crate::cli::publish::book::picture_kind;
use crate::cli::{Outcome, Usage, counted, say};
use crate::corpus::{CorpusError, OutputPath, Record, write_file};
use crate::explainer;
use crate::ladder::{End, Ladder, Trace, rate, trace};
use crate::page::numbers::tenths;
use crate::publish::book::{Symbols, Typeface};
use crate::publish::picture::{
    self,
    PictureKind::{Html, Pdf},
    Told,
};
use crate::publish::words::{Language, rules_of};
use crate::solve::probe::{SearchCost, search_depth};
use crate::solve::{self, Budget, Count};

/// Solve puzzles: show solutions, search depth and steps.
///
/// A puzzle on the command line is printed as a page, and so are steps. The puzzles of a file are printed as lines of
/// CSV. The exit code is 3 if a puzzle has no solution, or if a row cannot be read, has no puzzle or is of a board above order 36.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Search depth: a reference solver places naked and hidden singles until there are none. Then it tries the candidates of the \
cell that has the fewest. Guesses is the number of candidates that it tries until it finds the solution. Depth is the \
largest number of guesses that are open at the same time. Nodes is the number of positions that it visits. These numbers \
depend on the order of the cells: an isomorph of the puzzle may have other numbers.

Examples:
  sudoku-corpus solve puzzle.txt
  sudoku-corpus solve --steps puzzle.txt
  sudoku-corpus solve --steps --out way.html puzzle.txt
      each step as a picture; .pdf to print
  sudoku-corpus solve --steps --rater se puzzle.txt
  sudoku-corpus solve puzzles.sdm > solutions.csv
  sudoku-corpus solve --solutions 100 several.txt
      up to 100 solutions of each puzzle")]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    source: Source,
    /// Write every step of the solutions, in words: those of the ladder of techniques, as a person takes them.
    #[arg(long)]
    steps: bool,
    /// The output: a file with the steps of the first puzzle as pictures, .html or .pdf.
    #[arg(long, short, value_name = "FILE", requires = "steps", conflicts_with = "rater")]
    out: Option<OutputPath>,
    /// Techniques of the ladder: default, modern, all, or a list; see `list techniques`.
    #[arg(long, value_name = "LIST", default_value = "default", allow_hyphen_values = true)]
    techniques: Ladder,
    /// The rater whose steps to print.
    #[arg(long, value_enum, default_value_t, requires = "steps")]
    rater: Rater,
    /// Print up to N solutions of each puzzle.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    solutions: u64,
    /// Limit of a search for one puzzle: positions that it may visit, or on 9x9 solutions that it may find. The
    /// reference search always ends after a million positions.
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    budget: u64,
}

/// The rater whose steps are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Rater {
    /// The ladder of this program, with HoDoKu 2.2.0's scores.
    #[default]
    Ladder,
    /// Sudoku Explainer 1.2.1, with its ratings; for 9x9 puzzles with one solution.
    Se,
}

/// Solutions of a puzzle are counted up to this number.
const COUNT_LIMIT: u64 = 1_000;

/// Positions that the reference search may visit. On large boards it would often not end.
const SEARCH: Budget = Budget(1_000_000);

struct Solved {
    puzzle: Puzzle,
    /// Those that are shown: at most `--solutions` of them.
    solutions: Vec<Solution>,
    /// How many there are, as far as they were counted.
    count: Count,
    /// What the reference search needs. None for positions, without a solution, or if its budget was used up.
    search: Option<SearchCost>,
    /// True for a position with candidates, which has no rating.
    is_position: bool,
}

impl Solved {
    /// Looks for solutions as far as they are shown, counts them, and searches as the reference search does.
    fn new(record: &Record, puzzle: Puzzle, args: &Args) -> Solved {
        let budget = Budget(args.budget);
        let shown = usize::try_from(args.solutions).unwrap_or(usize::MAX);
        let (mut solutions, mut count) = source::solutions_of(record, &puzzle, shown.max(2), budget);
        solutions.truncate(shown);
        if record.candidates.is_some() {
            return Solved { puzzle, solutions, count, search: None, is_position: true };
        }
        // There may be more than are shown. They are counted up to a limit of their own.
        if count.found > 1 && !count.exact {
            count = solve::count(&puzzle, COUNT_LIMIT.max(count.found), budget);
        }
        let search = if count.found > 0 { search_depth(&puzzle, budget.min(SEARCH)) } else { None };
        Solved { puzzle, solutions, count, search, is_position: false }
    }

    /// The ladder without the techniques that are only sound if there is one solution, unless there is.
    fn ladder(&self, args: &Args) -> Ladder {
        source::sound(&args.techniques, self.count)
    }

    /// The number of solutions in words.
    fn verdict(&self) -> String {
        match self.count {
            Count { found: 0, exact: true } => "no solution".to_owned(),
            Count { found: 0, exact: false } => "unknown: the budget was used up".to_owned(),
            Count { found: 1, exact: true } => "unique".to_owned(),
            Count { found: 1, exact: false } => "at least one solution; the budget was used up".to_owned(),
            Count { found, exact: true } => counted(found, "solution"),
            Count { found, exact: false } => format!("at least {}", counted(found, "solution")),
        }
    }
}

/// Solves one puzzle after the other and shows what is asked for. The exit code is that of a failed check if a row
/// cannot be read, has no puzzle or is above order 36, or if a puzzle has no solution. The others are solved all the
/// same. With --out, the steps of the first puzzle are drawn.
pub(in crate::cli) fn run(_: &Global, args: Args) -> anyhow::Result<Outcome> {
    // A page for a puzzle on the command line and for steps; otherwise a line of CSV for each puzzle.
    let in_pages = args.source.is_literal() || args.steps;
    let mut out = BufWriter::new(io::stdout().lock());
    // The names of the columns come with the first row, so that an error stands alone.
    let mut names = "shape,puzzle,solution,solutions,search_guesses,search_depth,search_nodes\n";
    let mut outcome = Outcome::Done;
    for row in args.source.open_positions()? {
        let position = match row {
            Ok(record) => {
                let puzzle = source::puzzle_of(&record).filter(|puzzle| puzzle.shape().is_solvable());
                puzzle.map(|puzzle| (record, puzzle))
            }
            Err(error @ CorpusError::Row(_)) => {
                out.flush()?;
                say(error);
                None
            }
            Err(error) => return Err(error.into()),
        };
        let Some((record, puzzle)) = position else {
            outcome = Outcome::CheckFailed;
            continue;
        };
        let no_steps = "the steps of a position with candidates are not known; `hint` shows the next one";
        ensure!(record.candidates.is_none() || !args.steps, Usage(no_steps.to_owned()));
        let solved = Solved::new(&record, puzzle, &args);
        if let Some(path) = &args.out {
            draw_steps(path, &solved, &args)?;
            return Ok(Outcome::Done);
        }
        if solved.count == (Count { found: 0, exact: true }) {
            outcome = Outcome::CheckFailed;
        }
        match in_pages {
            true => page(&mut out, &solved, &args)?,
            false => {
                out.write_all(std::mem::take(&mut names).as_bytes())?;
                line(&mut out, &solved)?;
            }
        }
    }
    out.flush()?;
    Ok(outcome)
}

fn draw_steps(path: &Path, solved: &Solved, args: &Args) -> anyhow::Result<()> {
    let kind = picture_kind(path, &[Html, Pdf])?;
    let shape = solved.puzzle.shape();
    let content = if kind == Html { Told::DrawingAndWords } else { Told::Drawing };
    content.holds(shape).map_err(|reason| Usage::of(path, reason))?;
    let trace = trace(&solved.puzzle, &solved.ladder(args));
    let end = match trace.end {
        End::Finished => format!("Solved in {}.", counted(trace.steps.len(), "step")),
        _ => format!(
            "Left: {}; a harder technique than those of the ladder is needed.",
            counted(trace.open_cells, "empty cell")
        ),
    };
    let typeface = Typeface::open()?;
    let draw = |size: f64| {
        let style = picture::Style { size, ..picture::Style::default() };
        picture::steps::drawn(&typeface, &solved.puzzle, &trace.steps, &style)
    };
    let data = if kind == Pdf {
        picture::pdf(&typeface, &picture::steps::sheets(&typeface, &draw(picture::steps::SHEET_BOARD)))
    } else {
        let title = format!("Sudoku, step by step: {}", solved.puzzle);
        let rules = rules_of(shape, &Language::default(), Symbols::default());
        picture::steps::html(&typeface, &title, &rules, &draw(360.0), &end).into_bytes()
    };
    Ok(write_file(path, data)?)
}

/// One puzzle as lines of CSV, one for each solution that is shown.
fn line(out: &mut impl Write, Solved { puzzle, solutions, count, search, .. }: &Solved) -> io::Result<()> {
    let search = search.as_ref().map(|search| format!("{},{},{}", search.guesses, search.depth, search.nodes));
    let (search, plus) = (search.unwrap_or(",,".to_owned()), if count.exact { "" } else { "+" });
    let (shape, none) = (puzzle.shape(), solutions.is_empty().then(String::new));
    let mut shown = solutions.iter().map(Solution::to_string).chain(none);
    shown.try_for_each(|solution| writeln!(out, "{shape},{puzzle},{solution},{}{plus},{search}", count.found))
}

/// One puzzle as a page for people.
fn page(out: &mut impl Write, solved: &Solved, args: &Args) -> io::Result<()> {
    let Solved { puzzle, solutions, search, is_position, .. } = solved;
    let (bold, plain) = if io::stdout().is_terminal() { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
    writeln!(out, "{bold}{}\n{plain}", text::block(puzzle.grid()).trim_end())?;
    let (givens, cells) = (puzzle.grid().givens(), puzzle.shape().cells());
    writeln!(out, "{}{givens} of {} given, {}", board_named(puzzle.shape()), counted(cells, "cell"), solved.verdict())?;
    if let Some(SearchCost { guesses, depth, nodes, .. }) = search {
        writeln!(out, "search: {}, depth {depth}, {}", counted(guesses, "guess"), counted(nodes, "position"))?;
    }
    let ladder = solved.ladder(args);
    if solved.count.found > 0 && givens < cells && !is_position {
        let rating = rate(puzzle, &ladder);
        let hardest = rating.hardest.map_or("nothing", |technique| technique.name());
        let reach = if rating.finished { "" } else { "; these techniques do not finish the puzzle" };
        writeln!(out, "HoDoKu's level: {}, score {}, hardest step: {hardest}{reach}", rating.level, rating.score)?;
    }
    for solution in solutions {
        writeln!(out, "\n{}", text::block(solution.grid()).trim_end())?;
    }
    if args.steps {
        match args.rater {
            Rater::Ladder => steps(out, puzzle, &ladder)?,
            Rater::Se => explained(out, solved)?,
        }
    }
    writeln!(out)
}

/// The board and its rules before a line about its puzzle. Nothing for the plain 9x9 board.
fn board_named(shape: Shape) -> String {
    if shape == Shape::NINE { String::new() } else { format!("{}: ", shape.board()) }
}

/// The steps of the ladder, numbered by round.
fn steps(out: &mut impl Write, puzzle: &Puzzle, ladder: &Ladder) -> io::Result<()> {
    let Trace { steps, end, open_cells, .. } = trace(puzzle, ladder);
    writeln!(out)?;
    for step in &steps {
        writeln!(out, "{:>3}. {}", step.round + 1, step.words(puzzle.shape()))?;
    }
    match end {
        End::Finished => writeln!(out, "solved in {}", counted(steps.len(), "step")),
        End::Stuck => writeln!(out, "beyond the ladder: {} left", counted(open_cells, "empty cell")),
        End::Stopped => writeln!(out, "stopped: {} left", counted(open_cells, "empty cell")),
        End::Contradiction => writeln!(out, "contradiction: the puzzle has no solution"),
        End::TooLarge => writeln!(out, "the board is too large for the ladder"),
    }
}

/// The hints of Sudoku Explainer in its order, and the rating.
fn explained(out: &mut impl Write, solved: &Solved) -> io::Result<()> {
    if solved.puzzle.shape() != Shape::NINE || solved.count != UNIQUE {
        return writeln!(out, "\nSudoku Explainer rates 9x9 puzzles with one solution only");
    }
    let trace = explainer::trace(&solved.puzzle);
    writeln!(out)?;
    for (number, step) in (1..).zip(&trace.steps) {
        writeln!(out, "{number:>3}. {step}")?;
    }
    let rating = trace.rating;
    let bound = if rating.exact { "" } else { " at least" };
    let [er, ep, ed] =
        [rating.er_tenths, rating.ep_tenths, rating.ed_tenths].map(|value| value.map_or("-".to_owned(), tenths));
    writeln!(out, "Sudoku Explainer 1.2.1: ER / EP / ED{bound} {er} / {ep} / {ed}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_named_unless_they_are_plain_and_9x9() {
        for (shape, name) in
            [("3x3", ""), ("2x3", "6x6 board, 2x3 boxes: "), ("3x3+anti-knight", "9x9 board, 3x3 boxes, anti-knight: ")]
        {
            assert_eq!(board_named(shape.parse().unwrap()), name);
        }
    }
}
