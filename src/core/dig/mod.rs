//! Digging: turning a solution into a puzzle. This module does not depend on how the solution was made.
//!
//! ```text
//!   solution --Plan::dig--> minimal          remove cells in random order, if the puzzle stays unique
//!                           reveal           remove most cells, reveal where solutions differ, remove redundant givens
//!                           givens           as minimal, but stop at a number of givens
//!                           random-holes     remove a number of cells without any check
//!                           within           as minimal, but stay within a bound, such as a level
//!                           needed           from puzzle to puzzle of the grid, until one needs what is asked for
//!                           walk             from minimal puzzle to minimal puzzle, towards what is asked for
//!                           controlled-bias  remove random cells; fail if the puzzle is ambiguous before it is minimal
//!
//!   job          one dig: options, prover, result       plan          names of the plans, and what each accepts
//!   digging      the loop that the plans share          plans         what each of them does
//!   unavoidable  answers without a search               orbits        the units that go together
//!   mask         puzzles with givens on a pattern       is_minimal    for any unique puzzle
//! ```
//!
//! Puzzles of every plan except `random-holes` have exactly one solution. A cell is removed only after a proof. If the
//! budget of the proof is used up, the cell stays. With a symmetry, orbits are removed instead of single cells. Where a
//! plan makes minimal puzzles, the result is then minimal among patterns with that symmetry, and [`Dug::minimal`] says
//! whether it is also minimal cell by cell.
//!
//! ```
//! use sudoku_corpus_core::board::{Puzzle, Shape, Symmetry};
//! use sudoku_corpus_core::dig::{Bound, DigOptions, Plan, dig_within, is_minimal};
//! use sudoku_corpus_core::generate::Method;
//! use sudoku_corpus_core::random::{Rng, Stage};
//! use sudoku_corpus_core::ladder::{Ladder, rate};
//!
//! let grid = Method::Uniform.fill(Shape::NINE, &mut Rng::new(1, 0, Stage::Generate, 0))?;
//! let (options, mut rng) = (DigOptions::of(Shape::NINE), Rng::new(1, 0, Stage::Dig, 0));
//!
//! let plan: Plan = "givens=30".parse()?;
//! let dug = plan.dig(&grid, Symmetry::Rotate180, &options, &mut rng)?;
//! assert_eq!(dug.puzzle.grid().givens(), 30);
//!
//! let dug = Plan::Minimal.dig(&grid, Symmetry::None, &options, &mut rng)?;
//! assert_eq!(is_minimal(&dug.puzzle, &grid, options.budget), Some(true));
//!
//! // As few givens as possible, but singles alone solve the puzzle.
//! let singles: Ladder = "singles".parse()?;
//! let mut allows = |puzzle: &Puzzle| rate(puzzle, &singles).finished;
//! let mut bound = Bound { allows: &mut allows, proves: false };
//! let dug = dig_within(&grid, Symmetry::None, &options, &mut bound, &mut rng);
//! assert!(rate(&dug.puzzle, &singles).finished);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod digging;
mod job;
pub mod mask;
mod orbits;
mod plan;
mod plans;
#[cfg(test)]
pub(crate) mod testing;
mod unavoidable;

pub use job::{DigError, DigOptions, Dug};
pub use plan::{PLANS, Plan, PlanInfo};
pub use plans::{Bound, Nearness, dig_needed, dig_walk, dig_within, is_minimal};

#[cfg(test)]
mod tests {
    use super::testing::{givens_of, is_minimal, is_unique, rng, shapes, solution, symmetric_givens, variants};
    use super::*;
    use crate::board::{Cell, CellSet, Puzzle, Shape, Solution, Symmetry, Wide};
    use crate::solve::{Budget, Count};

    fn check(plan: &Plan, dug: &Dug, solution: &Solution, symmetry: Symmetry) {
        let context = format!("{plan} {symmetry} {:?}", dug.puzzle);
        let givens = symmetric_givens(&dug.puzzle, solution, symmetry);
        let is_puzzle = is_unique(solution, givens);
        assert_eq!(dug.minimal, is_puzzle.then(|| is_minimal(solution, givens)), "{context}");
        if let Plan::RandomHoles(holes) = plan {
            assert_eq!(dug.puzzle.grid().holes(), *holes, "{context}");
        } else {
            assert_eq!((is_puzzle, dug.solutions), (true, Count { found: 1, exact: true }), "{context}");
        }
        match plan {
            Plan::Givens(range) => assert!(range.contains(&givens.len()), "{context}"),
            Plan::Minimal | Plan::Reveal if symmetry == Symmetry::None => assert_eq!(dug.minimal, Some(true)),
            _ => {}
        }
        if is_puzzle {
            assert_eq!(super::is_minimal(&dug.puzzle, solution, Budget::UNLIMITED), dug.minimal, "{context}");
            let hole = dug.puzzle.grid().values().iter().position(|&value| value == 0).map(Cell::new);
            let more = solution.masked(|cell| givens.contains(cell) || Some(cell) == hole);
            assert_eq!(super::is_minimal(&more, solution, Budget::UNLIMITED), Some(false), "{context}");
        }
    }

    #[test]
    fn every_plan_and_symmetry_keeps_its_promises() {
        let variants = variants(9).into_iter().step_by(3);
        for (index, shape) in shapes().chain([Shape::NINE; 12]).chain(variants).enumerate() {
            let (cells, holes) = (shape.cells(), shape.cells() / 2 - index % 4);
            let plans =
                [Plan::Minimal, Plan::Reveal, Plan::Givens(cells / 2..=cells * 2 / 3), Plan::RandomHoles(holes)];
            for symmetry in Symmetry::ALL {
                for plan in &plans {
                    let mut rng = rng(index as u64);
                    let solution = solution(shape, &mut rng);
                    let options = DigOptions { budget: Budget::UNLIMITED, ..DigOptions::of(shape) };
                    let dug = plan.dig(&solution, symmetry, &options, &mut rng);
                    match (plan.accepts(shape, symmetry), dug) {
                        (Ok(()), Ok(dug)) => check(plan, &dug, &solution, symmetry),
                        (Ok(()), Err(DigError::OutOfReach { best, most })) => assert!(best > most && *plan == plans[2]),
                        (Err(refusal), dug) => assert_eq!(dug, Err(DigError::Refused(refusal))),
                        (Ok(()), Err(other)) => panic!("{plan}: {other}"),
                    }
                }
            }
        }
    }

    /// The means of another program: 300 puzzles of each variant, dug by counting solutions.
    #[test]
    fn puzzles_of_variants_are_minimal_and_have_as_many_givens_as_those_of_another_program() {
        for (variants, mean) in
            [("x", 18.41), ("windoku", 16.89), ("disjoint", 18.56), ("anti-king", 19.25), ("anti-knight", 13.28)]
        {
            let shape = Shape::NINE.with(variants).unwrap();
            let mut givens = 0;
            for index in 0..100 {
                let mut rng = rng(index);
                let solution = solution(shape, &mut rng);
                let dug = Plan::Minimal.dig(&solution, Symmetry::None, &DigOptions::of(shape), &mut rng).unwrap();
                givens += dug.puzzle.grid().givens();
                if index < 5 {
                    check(&Plan::Minimal, &dug, &solution, Symmetry::None);
                }
            }
            assert!((f64::from(givens as u32) / 100.0 - mean).abs() < 0.5, "{variants}: {givens} givens");
        }
    }

    #[test]
    fn large_boards_are_dug_within_a_budget() {
        for (rows, columns) in [(3, 4), (4, 4)] {
            let shape = Shape::new(rows, columns).unwrap();
            let mut rng = rng(77);
            let solution = solution(shape, &mut rng);
            let options = DigOptions { budget: Budget(200), ..DigOptions::of(shape) };
            let half = shape.cells() / 2;
            for plan in [Plan::Minimal, Plan::Reveal, Plan::Givens(half + 8..=half + 9)] {
                let dug = plan.dig(&solution, Symmetry::Rotate180, &options, &mut rng).unwrap();
                assert!(is_unique::<Wide<4>>(&solution, givens_of(&dug.puzzle)), "{plan}");
                assert!(dug.puzzle.grid().givens() < shape.cells() * 2 / 3, "{plan}");
            }
        }
    }

    /// FNV-1a over the cells of puzzles.
    fn hash(puzzles: impl Iterator<Item = Puzzle>) -> u64 {
        let values = puzzles.flat_map(|puzzle| puzzle.grid().values().to_vec());
        values.fold(0xcbf2_9ce4_8422_2325, |hash, value| (hash ^ u64::from(value)).wrapping_mul(0x100_0000_01b3))
    }

    /// What is dug is part of the file format: a change here changes every corpus.
    #[test]
    fn the_first_puzzles_of_every_plan_are_pinned() {
        let found = PINNED.map(|(text, name, _)| {
            let (shape, plan): (Shape, Plan) = (text.parse().unwrap(), name.parse().unwrap());
            let puzzle = |index| {
                let mut rng = rng(index);
                let solution = crate::solve::general::random_fill(shape, &mut rng, Budget::UNLIMITED).unwrap();
                plan.dig(&solution, Symmetry::None, &DigOptions::of(shape), &mut rng).unwrap().puzzle
            };
            (text, name, hash((0..2).map(puzzle)))
        });
        assert_eq!(found, PINNED, "{found:#x?}");
    }

    const PINNED: [(&str, &str, u64); 11] = [
        ("2x3", "minimal", 0xf17b_07de_621a_d64c),
        ("3x3", "minimal", 0x9417_f571_e0e2_e4ef),
        ("3x3", "reveal", 0xb146_b21e_6a9b_48fc),
        ("3x3", "givens=28", 0x50ca_b8dc_92aa_243f),
        ("3x3", "random-holes=40", 0xf73a_a4b9_cb02_905b),
        ("3x4", "minimal", 0xf4d8_1fa1_7642_5560),
        ("4x4", "minimal", 0xbc44_9326_89a3_5d2b),
        ("4x4", "givens=109", 0x2621_347c_fd5e_66d3),
        ("4x4", "reveal", 0xed42_897f_1aed_446d),
        ("5x5", "minimal", 0x6bd5_4dc0_2797_9413),
        ("6x6", "givens=648", 0x05b9_91af_0441_716f),
    ];

    /// At most half of the cells are given, and naked and hidden singles do not solve it.
    #[test]
    fn puzzles_of_36x36_are_dug_that_singles_do_not_solve() {
        let shape = Shape::of_order(36).unwrap();
        let mut rng = rng(36);
        let solution = crate::solve::general::random_fill(shape, &mut rng, Budget::UNLIMITED).unwrap();
        let dug = Plan::Minimal.dig(&solution, Symmetry::None, &DigOptions::of(shape), &mut rng).unwrap();
        assert!(2 * dug.puzzle.grid().givens() <= shape.cells(), "{}", dug.puzzle.grid().givens());
        assert_eq!(crate::solve::verdict(&dug.puzzle, Budget(1)), crate::solve::Verdict::Unknown);
        let proved = crate::solve::verdict(&dug.puzzle, Budget(10_000_000));
        assert_eq!(proved, crate::solve::Verdict::Unique(solution));
    }
}
