//! Fireworks: digits that a row and a column force into the same three cells, or into four.
//!
//! ```text
//!   x  #  # | .  p  . | .  .  .      firework of a digit: outside the box it has no place but p in the row of x, and
//!   #  .  . |                        none but q in the column of x. If it is neither in p nor in q, row and column
//!   #  .  . |                        have it inside the box, so it is in x: at least one of x, p, q takes the digit.
//!   --------+
//!   .                                triple: three such digits fill x, p and q, which lose all others.
//!   q                                quadruple: two digits of x, p, q and two of y, p, q, where y is opposite to x in
//!   .                                the rectangle: they fill the four cells; x keeps the first two, y the others.
//! ```
//!
//! In a triple each digit takes one of the three cells, in a quadruple each of the four digits takes one of the four.
//! Reference: shye, "Fireworks", forum of the New Sudoku Players, 2021. HoDoKu does not know this technique.

use crate::board::{Candidates, Cell, CellSet, Digit, Digits, House};

use crate::rate::ladder::sink::{Pattern, Sink, removals};

/// A digit with at most one place in a row and in a column outside the box of their crossing, and at least one.
struct Firework {
    digit: Digit,
    /// In the row and in the column.
    wings: [Option<Cell>; 2],
}

/// Offers every firework triple.
pub(crate) fn firework_triples<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    for cross in marks.open().cells() {
        let all = fireworks(marks, cross);
        for (at, first) in all.iter().enumerate() {
            for (after, second) in all.iter().enumerate().skip(at + 1) {
                for third in &all[after + 1..] {
                    let three = [first, second, third];
                    if let [Some(p), Some(q)] = [0, 1].map(|side| common(three.map(|firework| firework.wings[side]))) {
                        let digits: Digits = three.map(|firework| firework.digit).into_iter().collect();
                        keep(marks, &[(cross, digits), (p, digits), (q, digits)], sink);
                    }
                }
            }
        }
    }
}

/// Offers every quadruple of fireworks: two of a cell, two of the opposite cell of a rectangle in four boxes.
pub(crate) fn firework_quadruples<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    let shape = marks.shape();
    let all: Vec<(Cell, Vec<Firework>)> = marks.open().cells().map(|cell| (cell, fireworks(marks, cell))).collect();
    for (at, (x, of_x)) in all.iter().enumerate() {
        for (y, of_y) in &all[at + 1..] {
            let (row, column) = (x.row(shape), x.column(shape));
            let (p, q) = (Cell::at(shape, row, y.column(shape)), Cell::at(shape, y.row(shape), column));
            let boxes = [*x, *y, p, q].map(|cell| cell.box_index(shape));
            if (0..4).any(|at| boxes[at + 1..].contains(&boxes[at])) {
                continue;
            }
            // The row of x holds p, the row of y holds q.
            let (first, second) = (pairs(of_x, [p, q]), pairs(of_y, [q, p]));
            for &digits in &first {
                for &others in second.iter().filter(|&&others| (digits & others).is_empty()) {
                    keep(marks, &[(*x, digits), (*y, others), (p, digits | others), (q, digits | others)], sink);
                }
            }
        }
    }
}

/// The fireworks whose row and column cross in a cell.
fn fireworks<S: CellSet>(marks: &Candidates<S>, cross: Cell) -> Vec<Firework> {
    // The proof needs a box that a row and a column cross in one cell each or in whole rows and columns of the box.
    if marks.shape().regions().is_some() {
        return Vec::new();
    }
    let [row, column, of_box] = marks.sets().layout().plain_houses_of(cross);
    let wing = |digit, line: House| {
        let outside = (marks.of_digit(digit) & marks.house(line)) - marks.house(of_box);
        (outside.len() <= 1).then(|| outside.cells().next())
    };
    let firework = |digit| {
        let stands = [row, column, of_box].iter().any(|&house| marks.stands(digit).meets(marks.house(house)));
        let wings = if stands { return None } else { [wing(digit, row)?, wing(digit, column)?] };
        (wings != [None, None]).then_some(Firework { digit, wings })
    };
    Digits::all(marks.order()).iter().filter_map(firework).collect()
}

/// The only cell of some wings; none when there are two cells or no cell.
fn common(wings: [Option<Cell>; 3]) -> Option<Cell> {
    let cell = wings.into_iter().flatten().next()?;
    wings.into_iter().flatten().all(|other| other == cell).then_some(cell)
}

/// Every two digits that have no places in the row and column, outside the box, other than these cells.
fn pairs(fireworks: &[Firework], ends: [Cell; 2]) -> Vec<Digits> {
    let fits = |of: &&Firework| of.wings.iter().zip(ends).all(|(wing, end)| wing.is_none_or(|wing| wing == end));
    let digits: Vec<Digit> = fireworks.iter().filter(fits).map(|firework| firework.digit).collect();
    let others = |at: usize| digits[at + 1..].iter().map(move |&other| (at, other));
    let pair = |(at, other): (usize, Digit)| Digits::only(digits[at]) | Digits::only(other);
    (0..digits.len()).flat_map(others).map(pair).collect()
}

/// Offers what these cells lose when each keeps only its digits.
fn keep<S: CellSet>(marks: &Candidates<S>, cells: &[(Cell, Digits)], sink: &mut impl Sink<S>) {
    if cells.iter().any(|(cell, _)| !marks.open().contains(*cell)) {
        return;
    }
    let loses = |digit: Digit| S::of(cells.iter().filter(|(_, kept)| !kept.contains(digit)).map(|&(cell, _)| cell));
    let [row, column, _] = marks.sets().layout().plain_houses_of(cells[0].0);
    let digits = cells.iter().fold(Digits::EMPTY, |all, &(_, digits)| all | digits);
    sink.eliminate(&removals(marks, Digits::all(marks.order()), loses), || {
        Pattern::of(digits, cells.iter().map(|&(cell, _)| cell)).in_houses([row, column])
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Grid, Narrow, Puzzle, Shape};
    use crate::random::{Rng, Stage};
    use crate::rate::Technique;
    use crate::rate::ladder::list::StepList;
    use crate::rate::tests::assert_sound;
    use crate::solve::nine::random_fill;

    /// Positions from full grids: the pattern's digits leave the lines of a cell, outside its box, except the wings.
    #[test]
    fn fireworks_in_positions_made_for_them_lose_no_true_candidate() {
        let (mut rng, mut found) = (Rng::new(36, 0, Stage::Bench, 0), [0; 2]);
        for round in 0..6_000 {
            let full = random_fill(&mut rng).map(u16::from);
            let [row, column, far_row, far_column] = [0; 4].map(|_: usize| rng.below(9));
            if row / 3 == far_row / 3 || column / 3 == far_column / 3 {
                continue;
            }
            let at = |row, column| Cell::at(Shape::NINE, row, column);
            let [x, y, p, q] = [at(row, column), at(far_row, far_column), at(row, far_column), at(far_row, column)];
            let value = |cell: Cell| Digit::new(full[cell.index()]);
            let is_triple = round % 2 == 0;
            // A crossing cell, its wings, and its digits.
            let crosses = match is_triple {
                true => vec![(x, [p, q], vec![value(x), value(p), value(q)])],
                false => vec![(x, [p, q], vec![value(x), value(p)]), (y, [p, q], vec![value(y), value(q)])],
            };
            let layout = crate::board::Layout::of(Shape::NINE);
            let mut deleted = Vec::new();
            for (cross, wings, digits) in &crosses {
                let [row, column, of_box] = layout.plain_houses_of(*cross);
                for &cell in layout.house(row).iter().chain(layout.house(column)) {
                    if layout.plain_houses_of(cell)[2] != of_box && !wings.contains(&cell) {
                        deleted.extend(digits.iter().map(|&digit| (cell, digit)));
                    }
                }
            }
            let digits: Digits = crosses.iter().flat_map(|cross| cross.2.iter().copied()).collect();
            if digits.len() != if is_triple { 3 } else { 4 }
                || deleted.iter().any(|&(cell, digit)| value(cell) == digit)
            {
                continue;
            }
            let given =
                full.map(|value| if digits.contains(Digit::new(value)) || rng.below(5) > 0 { 0 } else { value });
            let position = Puzzle::try_from(Grid::new(Shape::NINE, given.to_vec()).unwrap()).unwrap();
            let (marks, mut all) = (Candidates::<Narrow>::at(&position, Narrow::empty(), &deleted), StepList::all());
            match is_triple {
                true => firework_triples(&marks, &mut all),
                false => firework_quadruples(&marks, &mut all),
            }
            found[usize::from(is_triple)] += usize::from(!all.steps.is_empty());
            assert_sound(&all.into_steps(Technique::FireworkTriple), &full, Shape::NINE);
        }
        assert!(found.iter().all(|&found| found > 20), "{found:?}");
    }
}
