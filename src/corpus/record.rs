//! One row of a corpus, and how little or much of it may be known.
//!
//! ```text
//!   a line of a text file      index shape puzzle
//!   after `generate`           index shape method                      solution
//!   after `dig`                index shape method plan symmetry puzzle solution givens .. solutions
//!   after `analyze`            all of it
//! ```
//!
//! The columns of the files are in [`super::columns`].

use std::borrow::Cow;

use super::columns::Value;
use super::steps::StepText;
use crate::board::{Puzzle, Shape, Solution, Symmetry};
use crate::rate::{Level, Rating, TECHNIQUES, Technique};
use crate::solve::probe::Search;

/// One row: a puzzle, where it comes from and what is known about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Number of the row in its corpus or input, from 0.
    pub index: u64,
    /// Shape of the board.
    pub shape: Shape,
    /// How the full grid was made.
    pub method: Option<Cow<'static, str>>,
    /// How the holes were dug, as a recipe writes it.
    pub plan: Option<Cow<'static, str>>,
    /// The symmetry asked for.
    pub symmetry: Option<Symmetry>,
    /// Logarithm to base 2 of the chance that the method makes the solution.
    pub log2_probability: Option<f64>,
    /// Grids, or orders of digging one grid, tried until the puzzle came out as asked.
    pub tries: Option<u64>,
    /// The puzzle.
    pub puzzle: Option<Puzzle>,
    /// The solution from which it was dug, or its only one.
    pub solution: Option<Solution>,
    /// Number of givens.
    pub givens: Option<u32>,
    /// Number of blank cells.
    pub holes: Option<u32>,
    /// True when no given can be left out.
    pub minimal: Option<bool>,
    /// Number of solutions found.
    pub solutions: Option<u64>,
    /// True when there are no others.
    pub solutions_exact: Option<bool>,
    /// Hash of the canonical form of the puzzle: the same for all puzzles that are essentially the same.
    pub class: Option<u128>,
    /// Hash of the canonical form of the solution: the same for all grids that are essentially the same. To order 9.
    pub solution_class: Option<u128>,
    /// Maps of the board that turn the puzzle into a relabelling of itself, the identity among them.
    pub automorphisms: Option<u32>,
    /// Number of the solution among all grids of its shape.
    pub grid_number: Option<u128>,
    /// Rank of the class of the solution among all classes, from 1.
    pub class_rank: Option<u64>,
    /// The name of the puzzle, the same for all isomorphs.
    pub name: Option<String>,
    /// What the reference search needed.
    pub search: Option<Search>,
    /// Level on the rater's scale.
    pub level: Option<Level>,
    /// Score on the rater's scale.
    pub score: Option<u32>,
    /// The hardest technique needed.
    pub hardest: Option<Technique>,
    /// True when the ladder solved the puzzle.
    pub finished: Option<bool>,
    /// Cells that the ladder left open.
    pub open_cells: Option<u32>,
    /// Sudoku Explainer's ER in tenths.
    pub se_er_tenths: Option<u32>,
    /// Sudoku Explainer's EP in tenths.
    pub se_ep_tenths: Option<u32>,
    /// Sudoku Explainer's ED in tenths.
    pub se_ed_tenths: Option<u32>,
    /// True when ER is the original's, false when it is a lower bound.
    pub se_exact: Option<bool>,
    /// Berthier's W: the longest whip needed.
    pub w: Option<u32>,
    /// Berthier's B: the longest braid needed.
    pub b: Option<u32>,
    /// True when W and B are exact, false when the search was stopped and they are lower bounds.
    pub wb_exact: Option<bool>,
    /// T&E depth.
    pub te: Option<u32>,
    /// Length of the braids that T&E(1) needs after its assumptions: divides depth 2.
    pub bxb: Option<u32>,
    /// How often each technique was used, in the order of the rater's table.
    pub counts: Option<[u32; TECHNIQUES.len()]>,
    /// Natural logarithm of the weight of the puzzle in an unbiased mean.
    pub log_weight: Option<f64>,
    /// The same for a mean over all classes of essentially different grids.
    pub log_class_weight: Option<f64>,
    /// The steps of the ladder, where they were asked for; they go into a file of their own.
    pub steps: Vec<StepText>,
    /// What columns of another program say, in the order of the [`Outside`](super::columns::Outside) columns of the input.
    pub outside: Vec<Value<'static>>,
}

impl Record {
    /// A row about which nothing is known but its number and shape.
    pub fn new(index: u64, shape: Shape) -> Record {
        Record {
            index,
            shape,
            method: None,
            plan: None,
            symmetry: None,
            log2_probability: None,
            tries: None,
            puzzle: None,
            solution: None,
            givens: None,
            holes: None,
            minimal: None,
            solutions: None,
            solutions_exact: None,
            class: None,
            solution_class: None,
            automorphisms: None,
            grid_number: None,
            class_rank: None,
            name: None,
            search: None,
            level: None,
            score: None,
            hardest: None,
            finished: None,
            open_cells: None,
            se_er_tenths: None,
            se_ep_tenths: None,
            se_ed_tenths: None,
            se_exact: None,
            w: None,
            b: None,
            wb_exact: None,
            te: None,
            bxb: None,
            counts: None,
            log_weight: None,
            log_class_weight: None,
            steps: Vec::new(),
            outside: Vec::new(),
        }
    }

    /// A row with a puzzle and its numbers of givens and holes.
    pub fn of_puzzle(index: u64, puzzle: Puzzle) -> Record {
        Record::new(index, puzzle.shape()).with_puzzle(puzzle)
    }

    /// A row with a full grid.
    pub fn of_solution(index: u64, solution: Solution) -> Record {
        Record { solution: Some(solution.clone()), ..Record::new(index, solution.shape()) }
    }

    /// The row with a puzzle and its numbers of givens and holes.
    pub fn with_puzzle(self, puzzle: Puzzle) -> Record {
        let givens = puzzle.grid().givens();
        let holes = puzzle.grid().holes();
        Record { givens: Some(givens as u32), holes: Some(holes as u32), puzzle: Some(puzzle), ..self }
    }

    /// The row with what the rater found.
    pub fn with_rating(self, rating: &Rating) -> Record {
        Record {
            level: Some(rating.level),
            score: Some(rating.score),
            hardest: rating.hardest,
            finished: Some(rating.finished),
            open_cells: Some(rating.open_cells as u32),
            counts: Some(rating.counts),
            ..self
        }
    }
}
