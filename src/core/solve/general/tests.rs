//! Compares the general solver with an exact cover, its answers for isomorphs, and its answers with different budgets.

use std::collections::HashSet;

use super::agreement::Cover;
use super::*;
use crate::board::{Cell, CellSet, Digit, Freedom, Grid, Isomorphism, Layout, Narrow, Shape, Wide};
use crate::random::{Rng, Stage};
use crate::solve::{Answer, Candidate, Prover, Verdict};

fn rng(index: u64) -> Rng {
    Rng::new(7, index, Stage::Bench, 0)
}

fn verdict(puzzle: &Puzzle, budget: Budget) -> Verdict {
    let (solutions, count) = solutions(puzzle, 2, budget);
    Verdict::of(solutions, count)
}

fn shape(text: &str) -> Shape {
    text.parse().unwrap()
}

fn filled(shape: Shape, rng: &mut Rng) -> Solution {
    random_fill(shape, rng, Budget::UNLIMITED).unwrap()
}

fn fits(grid: &Grid, cell: Cell, digit: Digit) -> bool {
    Layout::of(grid.shape()).peers(cell).iter().all(|&peer| grid.get(peer) != Some(digit))
}

/// A random puzzle: part of a random grid. Every second puzzle has one digit added or changed, without a conflict.
fn random_puzzle(shape: Shape, keep: usize, rng: &mut Rng) -> Puzzle {
    let solution = filled(shape, rng);
    let mut grid = solution.masked(|_| rng.below(100) < keep).into_grid();
    let changes = if rng.below(2) == 0 { 10 } else { 0 };
    for _ in 0..changes {
        let cell = Cell::new(rng.below(shape.cells()));
        let digit = Digit::from_index(rng.below(shape.order()));
        if fits(&grid, cell, digit) {
            grid.set(cell, Some(digit));
            break;
        }
    }
    Puzzle::try_from(grid).unwrap()
}

#[test]
fn counts_and_solutions_are_those_of_an_exact_cover() {
    const LIMIT: usize = 40;
    let mut seen = [0; 3];
    for (text, least) in [("2x2", 5), ("2x3", 20), ("3x2", 20), ("2x4", 40), ("4x2", 40), ("3x3", 42)] {
        for index in 0..60 {
            let rng = &mut rng(index);
            let keep = least + rng.below(30);
            let puzzle = random_puzzle(shape(text), keep, rng);
            let expected = Cover::count(&puzzle, LIMIT);
            let (grids, count) = solutions(&puzzle, LIMIT, Budget::UNLIMITED);
            assert_eq!(grids.iter().collect::<HashSet<_>>().len(), expected, "{puzzle:?}");
            assert_eq!((count.found, count.exact), (grids.len() as u64, grids.len() < LIMIT), "{puzzle:?}");
            assert!(grids.iter().all(|solution| puzzle.is_part_of(solution)));
            seen[expected.min(2)] += 1;
        }
    }
    assert!(seen.iter().all(|&times| times > 30), "none, one, several: {seen:?}");
}

/// There are 288 grids of order 4, and 28,200,960 of order 6 (Pettersen, Jarvis; OEIS A107739). A fixed first box
/// leaves 1 in 6! of the latter.
#[test]
fn boards_have_as_many_grids_as_are_known() {
    let blank = |text| Puzzle::try_from(Grid::blank(shape(text))).unwrap();
    assert_eq!(count(&blank("2x2"), 1000, Budget::UNLIMITED), Count { found: 288, exact: true });
    assert_eq!(solutions(&blank("2x2"), 1000, Budget::UNLIMITED).0.into_iter().collect::<HashSet<_>>().len(), 288);
    for text in ["2x3", "3x2"] {
        let shape = shape(text);
        let first_box = |cell: usize| match Cell::new(cell).box_index(shape) {
            0 => (cell / 6 * shape.box_columns() + cell % 6 + 1) as u16,
            _ => 0,
        };
        let values = (0..36).map(first_box).collect();
        let puzzle = Puzzle::try_from(Grid::new(shape, values).unwrap()).unwrap();
        assert_eq!(count(&puzzle, u64::MAX, Budget::UNLIMITED), Count { found: 28_200_960 / 720, exact: true });
    }
}

/// The numbers of grids up to the names of the digits that are published: X (Mathimagics, The New Sudoku Players'
/// Forum, t34959), windoku (t35002), disjoint groups (t34375). They are estimated by random descents: the product of
/// the numbers of choices on the way to a grid, 0 at a dead end, has the number of grids as its mean (Knuth,
/// "Estimating the efficiency of backtrack programs", 1975). With disjoint groups these products differ most.
#[test]
fn variants_have_as_many_grids_as_are_published() {
    for (variant, published, close) in
        [("x", 153_255_603_504.0, 0.05), ("windoku", 17_463_553_760.0, 0.05), ("disjoint", 554_191_840_696.0, 0.3)]
    {
        let tables = Tables::of(Shape::NINE.with(variant).unwrap());
        let descend = |index| {
            let mut rng = rng(index);
            let mut givens = Givens::none(tables);
            (0..9).for_each(|cell| givens.toggle(cell, cell));
            let mut position = SearchPosition::default();
            let mut ways = 1.0;
            let mut sound = position.start(&givens).and_then(|()| position.settle(tables));
            while sound.is_some() && position.open > 0 {
                let size = |&word: &usize| position.sizes[word].wrapping_sub(1);
                let word = (0..tables.words).min_by_key(size).unwrap();
                let count = usize::from(position.sizes[word]);
                let bit = position::bits(position.domains[word]).nth(rng.below(count)).unwrap();
                let Candidate { cell, digit } = tables.candidate(word, bit);
                ways *= count as f64;
                sound = position.place(tables, cell, digit).and_then(|()| position.settle(tables));
            }
            if sound.is_some() { ways } else { 0.0 }
        };
        let count = 40_000;
        let estimates: Vec<f64> = (0..count).map(descend).collect();
        let mean = estimates.iter().sum::<f64>() / count as f64;
        let variance = estimates.iter().map(|ways| (ways - mean).powi(2)).sum::<f64>() / (count - 1) as f64;
        let error = (variance / count as f64).sqrt();
        assert!((mean - published).abs() < 4.0 * error && error < close * published, "{variant}: {mean} +- {error}");
    }
}

#[test]
fn isomorphs_have_as_many_solutions() {
    for (text, keep) in [("2x3", 25), ("3x3", 33), ("2x5", 36), ("3x4", 40), ("4x4", 45)] {
        for index in 0..12 {
            let rng = &mut rng(index);
            let puzzle = random_puzzle(shape(text), keep, rng);
            let map =
                Isomorphism::random(shape(text), Freedom::ALL, rng).then(&Isomorphism::transposition(shape(text)));
            let image = map.apply_to_puzzle(&puzzle);
            let (here, there) = (count(&puzzle, 50, Budget::UNLIMITED), count(&image, 50, Budget::UNLIMITED));
            assert_eq!(here, there, "{puzzle:?}");
            if let Verdict::Unique(solution) = verdict(&puzzle, Budget::UNLIMITED) {
                assert_eq!(verdict(&image, Budget::UNLIMITED), Verdict::Unique(map.apply(&solution)));
            }
        }
    }
}

/// With a budget of 1, a given is removed only if naked and hidden singles prove it redundant. So singles solve the
/// puzzle.
#[test]
fn a_budget_of_one_is_logic_alone() {
    let solution = filled(shape("6x6"), &mut rng(2));
    let mut prover = ProverOf::<Wide<21>>::new(&solution, Budget(1));
    let mut givens = Wide::<21>::of(Layout::of(solution.shape()).cells());
    for cell in givens.cells() {
        givens.remove(cell);
        if prover.second_without(givens, cell) != Answer::None {
            givens.insert(cell);
        }
    }
    let puzzle = solution.masked(|cell| givens.contains(cell));
    assert_eq!(solutions(&puzzle, 2, Budget(1)), (vec![solution], Count { found: 1, exact: true }));
}

#[test]
fn any_second_solution_is_found_and_the_known_solution_is_not_one() {
    for index in 0..200 {
        let rng = &mut rng(index);
        let text = ["2x2", "2x3", "3x3", "2x4"][index as usize % 4];
        let solution = filled(shape(text), rng);
        let mut prover = ProverOf::<Narrow>::new(&solution, Budget::UNLIMITED);
        for keep in [90, 70, 50, 45, 40, 35, 30, 60] {
            let givens = Narrow::of(Layout::of(solution.shape()).cells().filter(|_| rng.below(100) < keep));
            let puzzle = solution.masked(|cell| givens.contains(cell));
            let known = count(&puzzle, 2, Budget::UNLIMITED).found;
            match prover.second(givens) {
                Answer::None => assert_eq!(known, 1),
                Answer::Unknown => panic!("unknown without a budget"),
                Answer::Differs(cells) => {
                    assert!(known == 2 && !cells.meets(givens) && !cells.is_empty());
                    let others = solution.masked(|cell| !cells.contains(cell));
                    assert!(count(&others, 2, Budget::UNLIMITED).found > 1);
                }
            }
        }
    }
}

#[test]
fn a_budget_changes_nothing_but_unknown() {
    let mut unknown = 0;
    for index in 0..40 {
        let puzzle = random_puzzle(shape("4x4"), 38 + index as usize / 4, &mut rng(index));
        let settled = verdict(&puzzle, Budget::UNLIMITED);
        for budget in [0, 1, 2, 5, 10, 30, 100, 1000, 10_000] {
            let answer = verdict(&puzzle, Budget(budget));
            if answer == Verdict::Unknown {
                unknown += 1;
            } else {
                assert_eq!(answer, settled);
            }
        }
    }
    assert!(unknown > 50, "{unknown}");
}

#[test]
fn nearly_blank_boards_have_two_solutions_soon() {
    for text in ["2x2", "3x3", "4x4", "3x6", "5x5", "2x18", "6x6"] {
        let blank = Puzzle::try_from(Grid::blank(shape(text))).unwrap();
        assert!(matches!(verdict(&blank, Budget(200_000)), Verdict::Several(..)), "{text}");
        let solution = solutions(&blank, 1, Budget(200_000)).0.pop().unwrap();
        assert!(Solution::try_from(solution.into_grid()).is_ok());
    }
}

/// In the first row, 3 and 4 are left for r1c3 and r1c4, but column 3 already has both.
#[test]
fn a_cell_without_candidates_makes_a_puzzle_unsolvable() {
    let values = vec![1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 4, 0];
    let puzzle = Puzzle::try_from(Grid::new(shape("2x2"), values).unwrap()).unwrap();
    assert_eq!(verdict(&puzzle, Budget(1)), Verdict::Unsolvable);
}

#[test]
fn boards_above_order_36_are_not_searched() {
    let blank = Puzzle::try_from(Grid::blank(shape("2x19"))).unwrap();
    assert_eq!(verdict(&blank, Budget::UNLIMITED), Verdict::Unknown);
    assert_eq!(count(&blank, 5, Budget::UNLIMITED), Count { found: 0, exact: false });
    assert_eq!(random_fill(shape("2x19"), &mut rng(0), Budget::UNLIMITED), None);
}

#[test]
fn a_limit_of_zero_finds_nothing() {
    let blank = Puzzle::try_from(Grid::blank(shape("2x2"))).unwrap();
    assert_eq!(count(&blank, 0, Budget::UNLIMITED), Count { found: 0, exact: false });
    assert_eq!(count(&blank, 288, Budget::UNLIMITED).found, 288);
}
