//! Functions on boards as arrays: one byte for each cell, row by row, 0 for an empty cell. Results are arrays of bytes,
//! which numpy uses without copying them.

use pyo3::buffer::{Element, PyBuffer};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use sudoku_corpus::board::{Cell, Freedom, Grid, Isomorphism, Layout, Puzzle, Shape};
use sudoku_corpus::corpus::Analysis;
use sudoku_corpus::ladder::{Ladder, TECHNIQUES, trace_to_placement};
use sudoku_corpus::publish::words::complete_rules;
use sudoku_corpus::random::{Rng, Stage};
use sudoku_corpus::solve::solutions;

use super::{refused, threads::each};

/// The numbers of an array. They are copied, because another thread may write to the array while the interpreter's lock
/// is released.
fn numbers_of<T: Element>(py: Python<'_>, array: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<T>> {
    let wrong = |_| refused(format!("{name} must be an array of type {}", std::any::type_name::<T>()));
    PyBuffer::<T>::get(array).map_err(wrong)?.to_vec(py)
}

/// The shape of boards and their bytes.
fn boards_of(py: Python<'_>, boards: &Bound<'_, PyAny>, shape: &str, name: &str) -> PyResult<(Shape, Vec<u8>)> {
    let shape: Shape = shape.parse().map_err(refused)?;
    if !shape.is_solvable() {
        return Err(refused(format!("order {} is too large to solve", shape.order())));
    }
    let bytes = numbers_of::<u8>(py, boards, name)?;
    if bytes.len() % shape.cells() != 0 {
        return Err(refused(format!("{name} has {} cells, not {} for each board", bytes.len(), shape.cells())));
    }
    Ok((shape, bytes))
}

/// A board as a puzzle. None if a digit is too large or stands twice in a row, column or box.
fn puzzle_of(shape: Shape, board: &[u8]) -> Option<Puzzle> {
    let grid = Grid::new(shape, board.iter().map(|&digit| digit.into()).collect()).ok()?;
    Puzzle::try_from(grid).ok()
}

/// The first solution of a board, and whether it has none (0), one (1) or more (2).
fn solved(shape: Shape, board: &[u8]) -> (Option<Vec<u8>>, u8) {
    let Some(puzzle) = puzzle_of(shape, board) else { return (None, 0) };
    let (found, count) = solutions(&puzzle, 2, Analysis::budget_of(shape));
    let first = found.first().map(|solution| solution.values().iter().map(|&digit| digit as u8).collect());
    // A search that its budget ended has not shown that the solution is the only one.
    (first, if count.found == 1 && !count.exact { 2 } else { count.found.min(2) as u8 })
}

/// The solutions of boards, 0 in every cell if there is none, and the number of solutions up to 2.
#[pyfunction]
#[pyo3(signature = (boards, shape, threads))]
pub(crate) fn solve_boards<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    shape: &str,
    threads: Option<usize>,
) -> PyResult<(Bound<'py, PyByteArray>, Bound<'py, PyByteArray>)> {
    let (shape, boards) = boards_of(py, boards, shape, "boards")?;
    let cells = shape.cells();
    let rows = each(py, threads, boards.len() / cells, |row, _| solved(shape, &boards[row * cells..][..cells]))?;
    let counts: Vec<u8> = rows.iter().map(|(_, count)| *count).collect();
    let first: Vec<u8> = rows.into_iter().flat_map(|(first, _)| first.unwrap_or_else(|| vec![0; cells])).collect();
    Ok((PyByteArray::new(py, &first), PyByteArray::new(py, &counts)))
}

/// What a move is worth. The numbers are those of `Move` in `boards.py`.
#[derive(Clone, Copy)]
enum Verdict {
    Right,
    Wrong,
    Conflict,
    Filled,
    Outside,
    NotUnique,
}

/// Judges a move on each board: a cell, numbered row by row from 0, and a digit from 1. If no solutions are given, each
/// board that needs its solution is solved.
#[pyfunction]
#[pyo3(signature = (boards, cells, digits, solutions, shape, threads))]
pub(crate) fn check_moves<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    cells: &Bound<'py, PyAny>,
    digits: &Bound<'py, PyAny>,
    solutions: Option<&Bound<'py, PyAny>>,
    shape: &str,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyByteArray>> {
    let (shape, boards) = boards_of(py, boards, shape, "boards")?;
    let solutions = solutions.map(|solutions| numbers_of::<u8>(py, solutions, "solutions")).transpose()?;
    let (cells, digits) = (numbers_of::<i64>(py, cells, "cells")?, numbers_of::<i64>(py, digits, "digits")?);
    let size = shape.cells();
    let rows = boards.len() / size;
    if cells.len() != rows || digits.len() != rows || solutions.as_ref().is_some_and(|all| all.len() != boards.len()) {
        return Err(refused("boards, cells, digits and solutions must have the same length"));
    }
    let layout = Layout::of(shape);
    let judge = |row: usize| {
        let board = &boards[row * size..][..size];
        let (Ok(cell), Ok(digit)) = (usize::try_from(cells[row]), u8::try_from(digits[row])) else {
            return Verdict::Outside;
        };
        if cell >= size || digit == 0 || usize::from(digit) > shape.order() {
            return Verdict::Outside;
        }
        if board[cell] != 0 {
            return Verdict::Filled;
        }
        if layout.peers(Cell::new(cell)).iter().any(|peer| board[peer.index()] == digit) {
            return Verdict::Conflict;
        }
        let right = |solution: &[u8]| if solution[cell] == digit { Verdict::Right } else { Verdict::Wrong };
        match &solutions {
            Some(all) => right(&all[row * size..][..size]),
            None => match solved(shape, board) {
                (Some(solution), 1) => right(&solution),
                _ => Verdict::NotUnique,
            },
        }
    };
    let verdicts = each(py, threads, rows, |row, _| judge(row) as u8)?;
    Ok(PyByteArray::new(py, &verdicts))
}

/// The next digit that the ladder places on each board: its cell, the digit, and the technique with the highest score
/// that the way to it needs, as a row of `techniques()`: three numbers of 8 bytes for each board. They are -1 if the
/// ladder places none.
#[pyfunction]
#[pyo3(signature = (boards, techniques, shape, threads))]
pub(crate) fn next_placements<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    techniques: &str,
    shape: &str,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyByteArray>> {
    let ladder: Ladder = techniques.parse().map_err(refused)?;
    let (shape, boards) = boards_of(py, boards, shape, "boards")?;
    let next = |board: &[u8]| -> Option<[usize; 3]> {
        let steps = trace_to_placement(&puzzle_of(shape, board)?, &ladder);
        let at = steps.iter().position(|step| !step.placements.is_empty())?;
        let hardest = steps[..=at].iter().map(|step| step.technique.info()).max_by_key(|info| info.score)?;
        let technique = TECHNIQUES.iter().position(|info| info.code == hardest.code)?;
        let &(cell, digit) = steps[at].placements.first()?;
        Some([cell.index(), digit.value().into(), technique])
    };
    let cells = shape.cells();
    let rows = each(py, threads, boards.len() / cells, |row, _| next(&boards[row * cells..][..cells]))?;
    let numbers = rows.into_iter().flat_map(|row| row.map_or([-1; 3], |row| row.map(|number| number as i64)));
    Ok(PyByteArray::new(py, &numbers.flat_map(i64::to_ne_bytes).collect::<Vec<u8>>()))
}

/// The number of digits of boards of a shape.
#[pyfunction]
pub(crate) fn order_of(shape: &str) -> PyResult<usize> {
    shape.parse().map(|shape: Shape| shape.order()).map_err(refused)
}

/// The rules of a board in words, with the cells of its regions and of its further houses.
#[pyfunction]
pub(crate) fn rules_of(shape: &str) -> PyResult<String> {
    Ok(complete_rules(shape.parse().map_err(refused)?))
}

/// Random equivalent boards: `n` for each board, and the solutions under the same maps if there are solutions.
#[pyfunction]
#[pyo3(signature = (boards, solutions, n, seed, shape, threads))]
pub(crate) fn random_isomorphs<'py>(
    py: Python<'py>,
    boards: &Bound<'py, PyAny>,
    solutions: Option<&Bound<'py, PyAny>>,
    n: usize,
    seed: u64,
    shape: &str,
    threads: Option<usize>,
) -> PyResult<Vec<Bound<'py, PyByteArray>>> {
    let (shape, boards) = boards_of(py, boards, shape, "boards")?;
    let solutions = solutions.map(|solutions| numbers_of::<u8>(py, solutions, "solutions")).transpose()?;
    let sources: Vec<Vec<u8>> = [Some(boards), solutions].into_iter().flatten().collect();
    let cells = shape.cells();
    let rows = (sources[0].len() / cells).checked_mul(n).ok_or_else(|| refused("too many boards"))?;
    let image = |row: usize, _: &_| -> Result<Vec<Vec<u8>>, String> {
        let map = Isomorphism::random(shape, Freedom::ALL, &mut Rng::new(seed, row as u64, Stage::Sample, 0));
        let one = |source: &Vec<u8>| {
            let board = source[row / n * cells..][..cells].iter().map(|&digit| digit.into()).collect();
            let grid = Grid::new(shape, board).map_err(|error| error.to_string())?;
            Ok(map.apply_to_grid(&grid).values().iter().map(|&digit| digit as u8).collect())
        };
        sources.iter().map(one).collect()
    };
    let mut images = vec![Vec::new(); sources.len()];
    for row in each(py, threads, rows, image)? {
        images.iter_mut().zip(row.map_err(refused)?).for_each(|(images, image)| images.extend(image));
    }
    Ok(images.iter().map(|bytes| PyByteArray::new(py, bytes)).collect())
}
