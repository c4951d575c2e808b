//! Chooses hints: a cell in which a reader who is stuck can go on.

use sudoku_corpus_core::board::{Cell, Grid, Puzzle};
use sudoku_corpus_core::ladder::{Family, HintColour, Ladder, Step, TECHNIQUES, hint, trace};

/// Row and column, from 1, of the cell of a hint. None if the ladder places no digit.
///
/// A puzzle of singles has a cell from its narrowest place: the moment when the fewest cells can be filled. Any other
/// has the cell that can be filled once the hardest step is found; the last one of all if no cell can.
pub fn hint_cell(puzzle: &Puzzle, ladder: &Ladder) -> Option<(usize, usize)> {
    let trace = trace(puzzle, ladder);
    let hardness = |step: &Step| {
        let row = &TECHNIQUES[step.technique as usize];
        (row.level, row.order)
    };
    let cell = match trace.steps.iter().all(|step| step.technique.info().family == Family::Singles) {
        true => narrowest(puzzle, &trace.steps),
        false => {
            let hardest = trace.steps.iter().map(hardness).max()?;
            let from = trace.steps.iter().position(|step| hardness(step) == hardest)?;
            let placed = |step: &Step| step.placements.first().map(|(cell, _)| *cell);
            trace.steps[from..].iter().find_map(placed).or_else(|| trace.steps.iter().rev().find_map(placed))
        }
    }?;
    let n = puzzle.shape().order();
    Some((cell.index() / n + 1, cell.index() % n + 1))
}

/// A cell that can be filled at the moment when the fewest cells can be filled, and that cannot be filled from the
/// start. The second half of the solution counts only if there is no such moment in the first: near the end few cells
/// are left.
fn narrowest(puzzle: &Puzzle, steps: &[Step]) -> Option<Cell> {
    let mut values = puzzle.grid().values().to_vec();
    let open = |values: &[u16]| -> Vec<Cell> {
        let grid = Grid::new(puzzle.shape(), values.to_vec()).ok();
        let next_hint = grid.and_then(|grid| Puzzle::try_from(grid).ok()).and_then(|position| hint(&position, None));
        next_hint.filter(|hint| hint.colour == Some(HintColour::Red)).map_or(Vec::new(), |hint| hint.cells)
    };
    let from_start = open(&values);
    let mut best: Option<((bool, usize), Cell)> = None;
    let placed: Vec<_> = steps.iter().flat_map(|step| &step.placements).copied().collect();
    for (number, &(cell, digit)) in placed.iter().enumerate() {
        let now = open(&values);
        let later: Vec<Cell> = now.iter().filter(|cell| !from_start.contains(cell)).copied().collect();
        let merit = (2 * number >= placed.len(), now.len());
        if let Some(&first) = later.first().filter(|_| best.is_none_or(|(least, _)| merit < least)) {
            best = Some((merit, if later.contains(&cell) { cell } else { first }));
        }
        values[cell.index()] = digit.value();
    }
    best.map(|(_, cell)| cell).or_else(|| placed.last().map(|(cell, _)| *cell))
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
