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

use crate::board::{Candidates, Cell, CellSet, Digit, Digits};

use crate::ladder::words::sink::{Pattern, Sink, removals};

/// A digit with at most one place in a row and in a column outside the box of their crossing, and at least one.
struct Firework {
    digit: Digit,
    /// In the row and in the column.
    wings: [Option<Cell>; 2],
}

pub(crate) fn firework_triples<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    for cross in marks.open().cells() {
        let fireworks = fireworks(marks, cross);
        for (index, first) in fireworks.iter().enumerate() {
            for (second_index, second) in fireworks.iter().enumerate().skip(index + 1) {
                for third in &fireworks[second_index + 1..] {
                    let triple = [first, second, third];
                    if let [Some(p), Some(q)] = [0, 1].map(|side| common(triple.map(|firework| firework.wings[side]))) {
                        let digits: Digits = triple.map(|firework| firework.digit).into_iter().collect();
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
    let crosses: Vec<(Cell, Vec<Firework>)> = marks.open().cells().map(|cell| (cell, fireworks(marks, cell))).collect();
    for (index, (x, fireworks_of_x)) in crosses.iter().enumerate() {
        for (y, fireworks_of_y) in &crosses[index + 1..] {
            let (row, column) = (x.row(shape), x.column(shape));
            let (p, q) = (Cell::at(shape, row, y.column(shape)), Cell::at(shape, y.row(shape), column));
            let boxes = [*x, *y, p, q].map(|cell| cell.box_index(shape));
            if (0..4).any(|number| boxes[number + 1..].contains(&boxes[number])) {
                continue;
            }
            // The row of x holds p, the row of y holds q.
            let (pairs_of_x, pairs_of_y) = (pairs(fireworks_of_x, [p, q]), pairs(fireworks_of_y, [q, p]));
            for &in_x in &pairs_of_x {
                for &in_y in pairs_of_y.iter().filter(|&&in_y| (in_x & in_y).is_empty()) {
                    keep(marks, &[(*x, in_x), (*y, in_y), (p, in_x | in_y), (q, in_x | in_y)], sink);
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
    let mut fireworks = Vec::new();
    for digit in Digits::all(marks.order()) {
        let [in_row, in_column] =
            [row, column].map(|line| (marks.of_digit(digit) & marks.house(line)) - marks.house(of_box));
        let stands = [row, column, of_box].iter().any(|&house| marks.placed(digit).meets(marks.house(house)));
        let wings = [in_row.first(), in_column.first()];
        if !stands && in_row.is_at_most(1) && in_column.is_at_most(1) && wings != [None, None] {
            fireworks.push(Firework { digit, wings });
        }
    }
    fireworks
}

/// The only cell of some wings; none when there are two cells or no cell.
fn common(wings: [Option<Cell>; 3]) -> Option<Cell> {
    let cell = wings.into_iter().flatten().next()?;
    wings.into_iter().flatten().all(|wing| wing == cell).then_some(cell)
}

/// Every two digits that have no places in the row and column, outside the box, other than these cells.
fn pairs(fireworks: &[Firework], ends: [Cell; 2]) -> Vec<Digits> {
    let fitting = fireworks
        .iter()
        .filter(|firework| firework.wings.iter().zip(ends).all(|(wing, end)| wing.is_none_or(|wing| wing == end)));
    let digits: Vec<Digits> = fitting.map(|firework| Digits::only(firework.digit)).collect();
    let mut pairs = Vec::new();
    for (index, &first) in digits.iter().enumerate() {
        pairs.extend(digits[index + 1..].iter().map(|&second| first | second));
    }
    pairs
}

/// Offers what these cells lose when each keeps only its digits.
fn keep<S: CellSet>(marks: &Candidates<S>, cells: &[(Cell, Digits)], sink: &mut impl Sink<S>) {
    if cells.iter().any(|(cell, _)| !marks.open().contains(*cell)) {
        return;
    }
    let [row, column, _] = marks.sets().layout().plain_houses_of(cells[0].0);
    let digits = cells.iter().fold(Digits::EMPTY, |union, &(_, digits)| union | digits);
    let out = removals(marks, Digits::all(marks.order()), |digit| {
        S::of(cells.iter().filter(|(_, digits)| !digits.contains(digit)).map(|&(cell, _)| cell))
    });
    sink.eliminate(&out, || Pattern::of(digits, cells.iter().map(|&(cell, _)| cell)).in_houses([row, column]));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Grid, Narrow, Puzzle, Shape};
    use crate::ladder::Technique;
    use crate::ladder::tests::assert_sound;
    use crate::ladder::words::list::StepList;
    use crate::random::{Rng, Stage};
    use crate::solve::nine::random_fill;

    struct Cross {
        cell: Cell,
        wings: [Cell; 2],
        digits: Vec<Digit>,
    }

    /// Positions from full grids: the pattern's digits leave the lines of a cell, outside its box, except the wings.
    #[test]
    fn fireworks_in_positions_made_for_them_lose_no_true_candidate() {
        let (mut rng, mut counts) = (Rng::new(36, 0, Stage::Bench, 0), [0; 2]);
        for round in 0..6_000 {
            let full = random_fill(&mut rng).map(u16::from);
            let [row, column, far_row, far_column] = [0; 4].map(|_: usize| rng.below(9));
            if row / 3 == far_row / 3 || column / 3 == far_column / 3 {
                continue;
            }
            let [x, y, p, q] = [[row, column], [far_row, far_column], [row, far_column], [far_row, column]]
                .map(|[row, column]| Cell::at(Shape::NINE, row, column));
            let value = |cell: Cell| Digit::new(full[cell.index()]);
            let is_triple = round % 2 == 0;
            let crosses = match is_triple {
                true => vec![Cross { cell: x, wings: [p, q], digits: vec![value(x), value(p), value(q)] }],
                false => vec![
                    Cross { cell: x, wings: [p, q], digits: vec![value(x), value(p)] },
                    Cross { cell: y, wings: [p, q], digits: vec![value(y), value(q)] },
                ],
            };
            let layout = crate::board::Layout::of(Shape::NINE);
            let mut deleted = Vec::new();
            for Cross { cell, wings, digits } in &crosses {
                let [row, column, of_box] = layout.plain_houses_of(*cell);
                for &cell in layout.house(row).iter().chain(layout.house(column)) {
                    if layout.plain_houses_of(cell)[2] != of_box && !wings.contains(&cell) {
                        deleted.extend(digits.iter().map(|&digit| (cell, digit)));
                    }
                }
            }
            let digits: Digits = crosses.iter().flat_map(|cross| cross.digits.iter().copied()).collect();
            if digits.len() != if is_triple { 3 } else { 4 }
                || deleted.iter().any(|&(cell, digit)| value(cell) == digit)
            {
                continue;
            }
            let given =
                full.map(|value| if digits.contains(Digit::new(value)) || rng.below(5) > 0 { 0 } else { value });
            let position = Puzzle::try_from(Grid::new(Shape::NINE, given.to_vec()).unwrap()).unwrap();
            let marks = Candidates::<Narrow>::at(&position, Narrow::empty(), &deleted);
            let mut fireworks = StepList::all();
            match is_triple {
                true => firework_triples(&marks, &mut fireworks),
                false => firework_quadruples(&marks, &mut fireworks),
            }
            counts[usize::from(is_triple)] += usize::from(!fireworks.steps.is_empty());
            assert_sound(&fireworks.into_steps(Technique::FireworkTriple), &full, Shape::NINE);
        }
        assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
    }
}
