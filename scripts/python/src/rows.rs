//! The results for one puzzle: ratings, and steps as rows.

use pyo3::prelude::*;
use sudoku_corpus_core::board::{Puzzle, Shape};
use sudoku_corpus_core::random::{Rng, Stage};
use sudoku_corpus_core::rate::explainer::{self, Options, Scope, SeRating, Tenths};
use sudoku_corpus_core::rate::step_rows::wrong::wrong_rows;
use sudoku_corpus_core::rate::step_rows::{StepRow, rate_with_rows};
use sudoku_corpus_core::rate::whip::{WhipRating, whip_rating};
use sudoku_corpus_core::rate::{Ladder, Rating};
use sudoku_corpus_core::solve::{Count, solutions};

use super::table::{Table, small, small_lists, text_lists, texts};
use super::{Reason, budget_of, refused};

/// The largest number of assumptions in the search for whips and braids of a puzzle. It is the same as in the program.
const WHIP_BUDGET: u64 = 100_000_000;

/// The ratings to compute.
pub struct Wanted {
    ladder: Option<Ladder>,
    se: Option<Scope>,
    er_limit: Tenths,
    pub w: bool,
    pub b: bool,
}

impl Wanted {
    /// Reads the lists as the program does.
    pub fn new(techniques: &str, ratings: &str, er_limit: Tenths) -> PyResult<Wanted> {
        let ladder = match techniques.trim() {
            "none" => None,
            list => Some(list.parse().map_err(refused)?),
        };
        let (mut se, mut w, mut b) = (None, false, false);
        for word in ratings.split(',').map(str::trim).filter(|word| *word != "none") {
            match word {
                "se" | "er" | "ep" | "ed" => se = Some(Scope::All),
                "w" => w = true,
                "b" => b = true,
                "whips" => (w, b) = (true, true),
                "all" => (se, w, b) = (Some(Scope::All), true, true),
                _ => {
                    return Err(refused(format!(
                        "unknown rating '{word}'; known: none, er, ep, ed, w, b, se, whips, all"
                    )));
                }
            }
        }
        Ok(Wanted { ladder, se, er_limit, w, b })
    }
}

/// The ratings of a puzzle.
pub struct Rated {
    pub givens: u32,
    pub count: Count,
    pub rating: Option<Rating>,
    pub se: SeRating,
    pub whips: Option<WhipRating>,
}

impl Rated {
    /// Rates a puzzle. If it does not have exactly one solution, it gets no rating on published scales, and techniques
    /// of uniqueness are not used.
    pub fn new(puzzle: &Puzzle, wanted: &Wanted) -> Rated {
        let (_, count) = solutions(puzzle, 2, budget_of(puzzle.shape()));
        let unique = count == Count { found: 1, exact: true };
        let rate = |ladder: &Ladder| match unique {
            true => sudoku_corpus_core::rate::rate(puzzle, ladder),
            false => sudoku_corpus_core::rate::rate(puzzle, &ladder.clone().without_uniqueness()),
        };
        let scope = wanted.se.filter(|_| unique);
        Rated {
            givens: puzzle.grid().givens() as u32,
            count,
            rating: wanted.ladder.as_ref().filter(|_| count.found > 0).map(rate),
            se: scope.map_or(SeRating::default(), |scope| {
                explainer::rate(puzzle, &Options { scope, at_most: Some(wanted.er_limit.0) })
            }),
            whips: (unique && (wanted.w || wanted.b)).then(|| whip_rating(puzzle, WHIP_BUDGET)).flatten(),
        }
    }
}

/// A puzzle's steps, with its shape.
pub type Solved = (Shape, Vec<StepRow>);

/// The rows of the solution of a puzzle, followed by a number of wrong rows.
pub fn solution_rows(puzzle: &Puzzle, ladder: &Ladder, wrong: usize, seed: u64, index: u64) -> Result<Solved, Reason> {
    let (found, count) = solutions(puzzle, 2, budget_of(puzzle.shape()));
    let [solution] = found.as_slice() else {
        return Err(if count.found == 0 { "no solution" } else { "several solutions" }.to_owned());
    };
    if !count.exact {
        return Err("the budget was used up before the number of solutions was known".to_owned());
    }
    let (_, mut rows) = rate_with_rows(puzzle, ladder);
    if wrong > 0 {
        let mut rng = Rng::new(seed, index, Stage::Sample, 0);
        let more = wrong_rows(puzzle, solution, &rows, wrong, &mut rng);
        rows.extend(more);
    }
    Ok((puzzle.shape(), rows))
}

/// The rows of all puzzles, in order. A puzzle that cannot be used has one row with its error.
pub fn step_table(puzzles: &[Result<Solved, Reason>]) -> PyResult<Table> {
    struct Line<'a> {
        puzzle: u32,
        error: Option<&'a str>,
        row: Option<(Shape, &'a StepRow)>,
    }
    let mut lines = Vec::new();
    for (at, puzzle) in puzzles.iter().enumerate() {
        match puzzle {
            Ok((shape, rows)) => {
                let line = |row| Line { puzzle: at as u32, error: None, row: Some((*shape, row)) };
                lines.extend(rows.iter().map(line));
            }
            Err(reason) => lines.push(Line { puzzle: at as u32, error: Some(reason), row: None }),
        }
    }
    let of = || lines.iter().map(|line| line.row);
    let step = || of().map(|row| row.and_then(|(shape, row)| Some((shape, row.step.as_ref()?))));
    let value = |digit: sudoku_corpus_core::board::Digit| u32::from(digit.value());
    let cell = |cell: &sudoku_corpus_core::board::Cell| cell.index() as u32;
    let placed = || step().map(|step| step.map_or(&[][..], |(_, step)| &step.placements));
    let removed = || step().map(|step| step.map_or(&[][..], |(_, step)| &step.eliminations));
    let names = |cover: bool| {
        step().map(move |step| {
            let houses =
                step.map(|(shape, step)| (shape, if cover { &step.pattern.cover } else { &step.pattern.base }));
            let names = houses.map(|(shape, houses)| houses.iter().map(move |house| house.name(shape).to_string()));
            names.into_iter().flatten()
        })
    };
    Table::new(vec![
        ("puzzle", small(lines.iter().map(|line| Some(line.puzzle)))),
        ("error", texts(lines.iter().map(|line| line.error))),
        ("shape", texts(of().map(|row| row.map(|(shape, _)| shape.to_string())))),
        ("kind", texts(of().map(|row| row.map(|(_, row)| row.kind.name())))),
        ("step", small(of().map(|row| row.map(|(_, row)| row.number)))),
        ("round", small(step().map(|step| step.map(|(_, step)| step.round)))),
        ("technique", texts(step().map(|step| step.map(|(_, step)| step.technique.code())))),
        (
            "digits",
            small_lists(step().map(|step| step.into_iter().flat_map(|(_, step)| step.pattern.digits.iter().map(value)))),
        ),
        (
            "cells",
            small_lists(step().map(|step| step.into_iter().flat_map(|(_, step)| step.pattern.cells.iter().map(cell)))),
        ),
        ("base", text_lists(names(false))),
        ("cover", text_lists(names(true))),
        ("place_cells", small_lists(placed().map(|list| list.iter().map(|(at, _)| cell(at))))),
        ("place_digits", small_lists(placed().map(|list| list.iter().map(|&(_, digit)| value(digit))))),
        ("remove_cells", small_lists(removed().map(|list| list.iter().map(|(at, _)| cell(at))))),
        ("remove_digits", small_lists(removed().map(|list| list.iter().map(|&(_, digit)| value(digit))))),
        ("board", texts(of().map(|row| row.map(|(shape, row)| row.board(shape))))),
        ("candidates", texts(of().map(|row| row.map(|(shape, row)| row.candidate_words(shape))))),
        ("score", small(of().map(|row| row.and_then(|(_, row)| row.score())))),
        ("se_tenths", small(of().map(|row| row.and_then(|(_, row)| row.se_tenths().map(u32::from))))),
        ("solutions", small(of().map(|row| row.map(|(_, row)| row.solutions)))),
        ("tokens", texts(of().map(|row| row.map(|(shape, row)| row.tokens(shape))))),
        ("sentence", texts(of().map(|row| row.map(|(shape, row)| row.sentence(shape))))),
    ])
}
