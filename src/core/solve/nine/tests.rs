//! Compares the 9x9 solver with a naive search, on boards of every kind.

use super::instructions::Instructions;
use super::{Prover9, count, fill_at, random_fill, solutions, solutions_at};
use crate::board::{Cell, Narrow};
use crate::random::{Rng, Stage};
use crate::solve::{Answer, Prover};

const LEVELS: [Instructions; 4] =
    [Instructions::Portable, Instructions::Sse42, Instructions::Avx2, Instructions::Avx512];

/// Digits that no peer of a blank cell holds, as bits 1..=9.
fn free(values: &[u8; 81], cell: usize) -> u16 {
    let (row, column) = (cell / 9, cell % 9);
    let corner = row / 3 * 27 + column / 3 * 3;
    let peers = (0..9).flat_map(|i| [9 * row + i, 9 * i + column, corner + i / 3 * 9 + i % 3]);
    0x3fe & !peers.fold(0u16, |seen, peer| seen | 1 << values[peer])
}

fn is_legal(values: &[u8; 81]) -> bool {
    (0..81).filter(|&cell| values[cell] != 0).all(|cell| {
        let mut rest = *values;
        rest[cell] = 0;
        values[cell] <= 9 && free(&rest, cell) >> values[cell] & 1 != 0
    })
}

/// All solutions up to a limit, one cell at a time.
fn naive(values: &mut [u8; 81], limit: usize, into: &mut Vec<[u8; 81]>) {
    let blank = (0..81).filter(|&cell| values[cell] == 0).min_by_key(|&cell| free(values, cell).count_ones());
    let Some(cell) = blank else {
        into.push(*values);
        return;
    };
    let digits = free(values, cell);
    for digit in 1..=9 {
        if digits >> digit & 1 != 0 && into.len() < limit {
            values[cell] = digit;
            naive(values, limit, into);
            values[cell] = 0;
        }
    }
}

fn naive_solutions(values: &[u8; 81], limit: usize) -> Vec<[u8; 81]> {
    let mut grids = Vec::new();
    if is_legal(values) {
        naive(&mut values.clone(), limit, &mut grids);
    }
    grids
}

fn rng(index: u64) -> Rng {
    Rng::new(9, index, Stage::Bench, 0)
}

/// A full grid with all but `givens` random cells blanked.
fn holed(rng: &mut Rng, givens: usize) -> [u8; 81] {
    let mut values = random_fill(rng);
    let mut cells: Vec<usize> = (0..81).collect();
    rng.shuffle(&mut cells);
    cells[givens..].iter().for_each(|&cell| values[cell] = 0);
    values
}

fn compare(values: &[u8; 81], limit: usize) {
    let mut expected = naive_solutions(values, limit);
    let mut grids = Vec::new();
    solutions(values, limit, &mut grids);
    assert_eq!(grids.len(), expected.len(), "{values:?}");
    assert_eq!(count(values, limit as u64), expected.len() as u64);
    grids.iter().for_each(|solution| assert!(is_legal(solution) && !solution.contains(&0)));
    if grids.len() < limit {
        expected.sort_unstable();
        grids.sort_unstable();
        assert_eq!(grids, expected, "{values:?}");
    }
}

#[test]
fn any_number_of_givens_is_counted_as_naive_search_counts() {
    for index in 0..1200 {
        let mut rng = rng(index);
        let givens = 24 + rng.below(58);
        let mut values = holed(&mut rng, givens);
        // None, one or two digits are wrong.
        for _ in 0..rng.below(3) * (index % 2) as usize {
            values[rng.below(81)] = 1 + rng.below(9) as u8;
        }
        compare(&values, 50);
    }
}

#[test]
fn random_digits_in_random_cells_are_counted_as_naive_search_counts() {
    for index in 0..600 {
        let mut rng = rng(2000 + index);
        let mut values = [0; 81];
        for _ in 0..22 + rng.below(12) {
            let cell = rng.below(81);
            let digits: Vec<u8> = (1..=9).filter(|&digit| free(&values, cell) >> digit & 1 != 0).collect();
            if values[cell] == 0 && !digits.is_empty() {
                values[cell] = rng.choose(&digits);
            }
        }
        compare(&values, 3);
    }
}

/// Counting and listing take different ways through a long search.
#[test]
fn hard_puzzles_with_a_given_less_are_counted_as_they_are_listed() {
    let hard = [
        "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
        "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
        "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    ];
    for line in hard {
        let values: [u8; 81] = std::array::from_fn(|cell| line.as_bytes()[cell].saturating_sub(b'0'));
        assert!(count(&values, 2) == 1);
        for cell in (0..81).filter(|&cell| values[cell] != 0) {
            let mut reduced = values;
            reduced[cell] = 0;
            let mut grids = Vec::new();
            solutions(&reduced, 300, &mut grids);
            assert!(grids.len() > 1 && grids.iter().all(is_legal));
            assert_eq!(count(&reduced, 300), grids.len() as u64);
        }
    }
}

#[test]
fn every_pair_of_equal_givens_in_a_house_is_unsolvable() {
    let solution = random_fill(&mut rng(1));
    for cell in 0..81 {
        for second_cell in 0..81 {
            for full in [false, true] {
                let mut values = if full { solution } else { [0; 81] };
                values[cell] = 5;
                values[second_cell] = 5;
                let is_allowed = is_legal(&values);
                if full || !is_allowed {
                    assert_eq!(count(&values, 2), u64::from(is_allowed), "cells {cell} and {second_cell}");
                }
            }
        }
    }
}

#[test]
fn blank_full_and_illegible_boards_are_answered() {
    assert_eq!(count(&[0; 81], 1000), 1000);
    assert_eq!(count(&[0; 81], 0), 0);
    assert_eq!(count(&[10; 81], 2), 0);
    assert_eq!(count(&[1; 81], 2), 0);
    let full = random_fill(&mut rng(2));
    assert!(count(&full, 2) == 1 && is_legal(&full));
    let mut grids = vec![full];
    solutions(&full, 7, &mut grids);
    assert_eq!(grids, [full, full]);
    solutions(&full, 0, &mut grids);
    assert_eq!(grids.len(), 2);
}

#[test]
fn fills_are_solutions_and_follow_the_generator() {
    for index in 0..200 {
        let filled = random_fill(&mut rng(index));
        assert!(is_legal(&filled) && !filled.contains(&0));
        assert_eq!(filled, random_fill(&mut rng(index)));
        assert_ne!(filled, random_fill(&mut rng(index + 1)));
    }
}

#[test]
fn second_solutions_are_what_counting_says() {
    for index in 0..300 {
        let mut rng = rng(4000 + index);
        let solution = random_fill(&mut rng);
        let mut prover = Prover9::of(&solution);
        let mut givens = Narrow((1 << 81) - 1);
        let mut puzzle = solution;
        let mut cells: Vec<usize> = (0..81).collect();
        rng.shuffle(&mut cells);
        for &cell in &cells {
            let without = Narrow(givens.0 & !(1 << cell));
            puzzle[cell] = 0;
            let unique = count(&puzzle, 2) == 1;
            for answer in [prover.second_without(without, Cell::new(cell)), prover.second(without)] {
                match answer {
                    Answer::None => assert!(unique),
                    Answer::Differs(set) => {
                        assert!(!unique && set.0 >> cell & 1 == 1 && set.0 & without.0 == 0);
                        let rest: [u8; 81] = std::array::from_fn(|i| if set.0 >> i & 1 == 1 { 0 } else { solution[i] });
                        assert!(count(&rest, 2) == 2);
                    }
                    Answer::Unknown => panic!("there is no budget"),
                }
            }
            if unique { givens = without } else { puzzle[cell] = solution[cell] }
        }
        assert!(givens.0.count_ones() < 32 && count(&puzzle, 2) == 1);
    }
}

#[test]
fn every_level_of_instructions_gives_the_same_answers_in_the_same_order() {
    for index in 0..400 {
        let mut rng = rng(5000 + index);
        let givens = rng.below(40);
        let mut values = holed(&mut rng, givens);
        if index % 4 == 0 {
            values[rng.below(81)] = 1 + rng.below(10) as u8;
        }
        let [portable, vectors @ ..] = LEVELS.map(|level| {
            let mut grids = Vec::new();
            solutions_at(level, &values, 20, &mut grids);
            grids
        });
        vectors.iter().for_each(|grids| assert_eq!(portable, *grids, "{values:?}"));
    }
}

#[test]
fn every_level_of_instructions_fills_and_finds_second_solutions_alike() {
    for index in 0..100 {
        let [portable, vectors @ ..] = LEVELS.map(|level| fill_at(level, &mut rng(index)));
        vectors.iter().for_each(|grid| assert_eq!(portable, *grid));
        let mut prover = LEVELS.map(|level| Prover9::at(level, &portable));
        let mut rng = rng(6000 + index);
        for _ in 0..30 {
            let mut givens = Narrow(0);
            (0..81).for_each(|cell| givens.0 |= u128::from(rng.below(100) < 35) << cell);
            let cell = Cell::new(rng.below(81));
            let givens = Narrow(givens.0 & !(1 << cell.index()));
            let answers = prover.each_mut().map(|prover| (prover.second(givens), prover.second_without(givens, cell)));
            answers[1..].iter().for_each(|answer| assert_eq!(answers[0], *answer));
        }
    }
}
