//! One row of a corpus. Every value except its number and shape may be missing.
//!
//! ```text
//!   a line of a text file      index shape puzzle
//!   after `generate`           index shape method                      solution
//!   after `dig`                index shape method plan symmetry puzzle solution givens .. solutions
//!   after `analyze`            all values
//! ```
//!
//! The columns of the files are in [`super::columns`].

use std::borrow::Cow;

use super::columns::Value;
use super::steps::StepText;
use sudoku_corpus_core::board::{Puzzle, Shape, Solution, Symmetry};
use sudoku_corpus_core::rate::effort::Effort;
use sudoku_corpus_core::rate::{Level, Rating, TECHNIQUES, Technique};
use sudoku_corpus_core::solve::probe::SearchCost;

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
    /// The symmetry of the plan.
    pub symmetry: Option<Symmetry>,
    /// Logarithm to base 2 of the probability that the method makes the solution.
    pub log2_probability: Option<f64>,
    /// The number of grids, or of orders of digging one grid, that were tried.
    pub tries: Option<u64>,
    /// The puzzle.
    pub puzzle: Option<Puzzle>,
    /// The solution from which the puzzle was dug, or its only solution.
    pub solution: Option<Solution>,
    /// Number of givens.
    pub givens: Option<u32>,
    /// Number of holes.
    pub holes: Option<u32>,
    /// True if no given can be removed.
    pub minimal: Option<bool>,
    /// Number of solutions found.
    pub solutions: Option<u64>,
    /// True if there are no other solutions.
    pub solutions_exact: Option<bool>,
    /// Hash of the canonical form of the puzzle. Isomorphic puzzles have the same hash.
    pub class: Option<u128>,
    /// Hash of the canonical form of the solution, for boards up to 9x9. Isomorphic grids have the same hash.
    pub solution_class: Option<u128>,
    /// The number of isomorphisms from the puzzle to itself, including the identity.
    pub automorphisms: Option<u32>,
    /// Number of the solution among all grids of its shape.
    pub grid_number: Option<u128>,
    /// Rank of the class of the solution among all classes, from 1.
    pub class_rank: Option<u64>,
    /// The name of the puzzle, the same for all isomorphs.
    pub name: Option<String>,
    /// The cost of the reference search.
    pub search: Option<SearchCost>,
    /// Level on the rater's scale.
    pub level: Option<Level>,
    /// Score on the rater's scale.
    pub score: Option<u32>,
    /// The hardest technique needed.
    pub hardest: Option<Technique>,
    /// True if the ladder solved the puzzle.
    pub finished: Option<bool>,
    /// The number of cells that the ladder left open.
    pub open_cells: Option<u32>,
    /// Sudoku Explainer's ER in tenths.
    pub se_er_tenths: Option<u32>,
    /// Sudoku Explainer's EP in tenths.
    pub se_ep_tenths: Option<u32>,
    /// Sudoku Explainer's ED in tenths.
    pub se_ed_tenths: Option<u32>,
    /// True if ER is exact, false if it is a lower bound.
    pub se_exact: Option<bool>,
    /// Berthier's W: the longest whip needed.
    pub w: Option<u32>,
    /// Berthier's B: the longest braid needed.
    pub b: Option<u32>,
    /// True if W and B are exact, false if the search was stopped and they are lower bounds.
    pub wb_exact: Option<bool>,
    /// T&E depth.
    pub te: Option<u32>,
    /// The length of the braids that T&E(1) needs after its assumptions. It tells puzzles of T&E depth 2 apart.
    pub bxb: Option<u32>,
    /// ER of the canonical form, in tenths.
    pub se_er_canonical_tenths: Option<u32>,
    /// The number of guardians of the tridagon that has the fewest.
    pub tridagon: Option<u32>,
    /// What the puzzle asks of a person.
    pub effort: Effort,
    /// How often each technique was used, in the order of the rater's table.
    pub counts: Option<[u32; TECHNIQUES.len()]>,
    /// Natural logarithm of the weight of the puzzle in an unbiased mean.
    pub log_weight: Option<f64>,
    /// The same for a mean over all classes of grids.
    pub log_class_weight: Option<f64>,
    /// The steps of the ladder, if they are wanted. They go to a file of their own.
    pub steps: Vec<StepText>,
    /// The values of columns of other programs, in the order of the [`Outside`](super::columns::Outside) columns of the
    /// input.
    pub outside: Vec<Value<'static>>,
}

impl Record {
    /// A row of which only the number and the shape are known.
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
            se_er_canonical_tenths: None,
            tridagon: None,
            effort: Effort::default(),
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

    /// The row with the results of the rater.
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
