//! Chooses hints: a cell in which a reader who is stuck can go on.

use sudoku_corpus_core::board::{Cell, Grid, Puzzle};
use sudoku_corpus_core::ladder::{Family, HintColour, Ladder, Step, TECHNIQUES, hint, trace};

/// Row and column, from 1, of the cell of a hint. None if the ladder places no digit.
///
/// A puzzle of singles has a cell from its narrowest place: the moment when the fewest cells can be filled. Any other
/// has the cell that can be filled once the hardest step is found; the last one of all if no cell can.
pub fn hint_cell(puzzle: &Puzzle, ladder: &Ladder) -> Option<(usize, usize)> {
    let steps = trace(puzzle, ladder).steps;
    let needs_only_singles = steps.iter().all(|step| step.technique.info().family == Family::Singles);
    let cell = if needs_only_singles { narrowest(puzzle, &steps) } else { behind_hardest(&steps) }?;
    let n = puzzle.shape().order();
    Some((cell.index() / n + 1, cell.index() % n + 1))
}

/// The first cell that is filled at or behind the hardest step; the last cell of all if there is none.
fn behind_hardest(steps: &[Step]) -> Option<Cell> {
    let hardness = |step: &Step| {
        let info = &TECHNIQUES[step.technique as usize];
        (info.level, info.order)
    };
    let hardest = steps.iter().map(hardness).max()?;
    let position = steps.iter().position(|step| hardness(step) == hardest)?;
    let filled_cell = |step: &Step| step.placements.first().map(|(cell, _)| *cell);
    steps[position..].iter().find_map(filled_cell).or_else(|| steps.iter().rev().find_map(filled_cell))
}

/// The cells of a position that singles can fill.
fn fillable_cells(puzzle: &Puzzle, values: &[u16]) -> Vec<Cell> {
    let Ok(grid) = Grid::new(puzzle.shape(), values.to_vec()) else { return Vec::new() };
    let Ok(position) = Puzzle::try_from(grid) else { return Vec::new() };
    match hint(&position, None) {
        Some(hint) if hint.colour == Some(HintColour::Red) => hint.cells,
        _ => Vec::new(),
    }
}

/// A cell that can be filled at the moment when the fewest cells can be filled, and that cannot be filled from the
/// start. The second half of the solution counts only if there is no such moment in the first: near the end few cells
/// are left.
fn narrowest(puzzle: &Puzzle, steps: &[Step]) -> Option<Cell> {
    let mut values = puzzle.grid().values().to_vec();
    let cells_at_start = fillable_cells(puzzle, &values);
    let mut best: Option<Moment> = None;
    let placements: Vec<_> = steps.iter().flat_map(|step| &step.placements).copied().collect();
    for (number, &(cell, digit)) in placements.iter().enumerate() {
        let cells = fillable_cells(puzzle, &values);
        let fillable = cells.len();
        let new_cells: Vec<Cell> = cells.into_iter().filter(|cell| !cells_at_start.contains(cell)).collect();
        if let Some(&first) = new_cells.first() {
            // Of several cells, the one that the ladder fills next.
            let new_cell = if new_cells.contains(&cell) { cell } else { first };
            let moment = Moment { is_in_second_half: 2 * number >= placements.len(), fillable, new_cell };
            if best.is_none_or(|best| moment.rank() < best.rank()) {
                best = Some(moment);
            }
        }
        values[cell.index()] = digit.value();
    }
    match best {
        Some(moment) => Some(moment.new_cell),
        None => placements.last().map(|(cell, _)| *cell),
    }
}

/// A moment of a solution.
#[derive(Clone, Copy)]
struct Moment {
    is_in_second_half: bool,
    /// The number of cells that can be filled.
    fillable: usize,
    /// One of them that cannot be filled from the start.
    new_cell: Cell,
}

impl Moment {
    /// Smaller for better moments.
    fn rank(self) -> (bool, usize) {
        (self.is_in_second_half, self.fillable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudoku_corpus_core::board::text::parse_line;

    fn puzzle(line: &str) -> Puzzle {
        Puzzle::try_from(parse_line(line, None).unwrap()).unwrap()
    }

    #[test]
    fn an_easy_puzzle_has_a_hint_that_does_not_stand_open_from_the_start() {
        let easy = puzzle("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79");
        let (row, column) = hint_cell(&easy, &Ladder::default()).unwrap();
        let cell = Cell::new((row - 1) * 9 + column - 1);
        assert!(easy.grid().get(cell).is_none());
        assert!(!hint(&easy, None).unwrap().cells.contains(&cell), "row {row}, column {column}");
    }

    #[test]
    fn a_hard_puzzle_has_a_hint_for_its_hardest_step() {
        let hard = puzzle("1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..");
        let (row, column) = hint_cell(&hard, &Ladder::default()).unwrap();
        assert!(hard.grid().get(Cell::new((row - 1) * 9 + column - 1)).is_none());
        assert_eq!(hint_cell(&puzzle(&".".repeat(81)), &Ladder::default()), None);
    }
}
