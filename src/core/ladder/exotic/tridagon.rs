//! Tridagon (Thor's hammer): three digits in twelve cells of four boxes, in which they cannot all stand.
//!
//! ```text
//!   *  .  . | *  .  .       four boxes in two bands and two stacks; in each box three cells, one in every row and
//!   .  *  . | .  *  .       column of the box: a permutation. Three of the permutations are even and one is odd,
//!   .  .  * | .  .  *       or the reverse.
//!   --------+--------
//!   *  .  . | .  .  *       If the digits a, b, c filled all twelve cells, their orders by rows in the two boxes of a
//!   .  *  . | .  *  .       band would differ in every row, and so by an even permutation. By columns the same is true
//!   .  .  * | *  .  .       of a stack. So the product of all four permutations would be even.
//! ```
//!
//! The other candidates of the twelve cells are the **guardians** of the pattern. At least one of them is true.
//!
//! * **Tridagon**: a single guardian is placed. Every candidate that conflicts with all of several is removed.
//! * **Tridagon chain**: every candidate is removed that each guardian makes false, directly or by a chain.
//! * **Tridagon net**: a candidate is removed that nets refute only because one of the guardians must be true.
//!
//! The search takes a pattern if each of its cells has at least two of the three digits, if none of the digits stands
//! in one of the boxes, and if it has at most [`MOST_GUARDIANS`] guardians. Fewer guardians come first.
//!
//! Reference: D. Berthier, "Hierarchical Classifications in Constraint Satisfaction", "Tridagons"; forum of the New
//! Sudoku Players, "The hardest sudokus (new thread)" and "Chromatic patterns". HoDoKu does not know this technique.

use crate::board::{Candidates, Cell, CellSet, Digit, Digits, House, HouseKind, Narrow};

use crate::bits::has;
use crate::ladder::position::Position;
use crate::ladder::position::closure::{Closure, Implications};
use crate::ladder::words::sink::{Pattern, Sink, removals};

/// The most guardians. Among published puzzles of T&E depth 3 none needed more than 8 after singles, intersections and
/// subsets. Patterns with more than 8 occur by chance.
const MOST_GUARDIANS: usize = 8;

/// The permutations of three: the even ones, then the odd ones.
const PERMUTATIONS: [[[usize; 3]; 3]; 2] = [[[0, 1, 2], [1, 2, 0], [2, 0, 1]], [[0, 2, 1], [2, 1, 0], [1, 0, 2]]];

struct Tridagon<S> {
    digits: Digits,
    cells: S,
    boxes: [House; 4],
    guardians: Vec<(Cell, Digit)>,
}

impl<S: CellSet> Tridagon<S> {
    fn pattern(&self) -> Pattern {
        Pattern::of(self.digits, self.cells.cells()).in_houses(self.boxes)
    }
}

/// Offers what follows from the guardians alone.
pub(crate) fn tridagons<S: CellSet>(marks: &Candidates<S>, sink: &mut impl Sink<S>) {
    each(marks, |tridagon| match tridagon.guardians[..] {
        [(cell, digit)] => sink.place(cell, digit, 1, || tridagon.pattern()),
        _ => conclude(marks, tridagon, sink, |(cell, digit), (guardian_cell, guardian_digit)| {
            let sees = marks.peers(guardian_cell).contains(cell);
            if digit == guardian_digit { sees } else { cell == guardian_cell }
        }),
    });
}

/// Offers what each guardian removes, by chains or directly.
pub(crate) fn tridagon_chains<S: CellSet>(position: &Position<'_, S>, sink: &mut impl Sink<S>) {
    each(position.marks, |tridagon| {
        let closure = position.closure(Implications::Chain);
        conclude(position.marks, tridagon, sink, |(cell, digit), (guardian_cell, guardian_digit)| {
            closure.refutes(closure.node(guardian_cell, guardian_digit), closure.node(cell, digit))
        });
    });
}

/// Offers what nets remove only with the choice between the guardians.
pub(crate) fn tridagon_nets<S: CellSet>(position: &Position<'_, S>, sink: &mut impl Sink<S>) {
    let marks = position.marks;
    each(marks, |tridagon| {
        let closure = Closure::of_nets_with_choice(marks, &tridagon.guardians);
        let without_choice = &position.closure(Implications::Net).refuted;
        for cell in marks.open().cells() {
            for digit in marks.of_cell(cell) {
                let node = closure.node(cell, digit);
                if has(&closure.refuted, node) && !has(without_choice, node) {
                    let priority = tridagon.guardians.len() as u32;
                    sink.eliminate_at(priority, &[(digit, S::only(cell))], || tridagon.pattern());
                }
            }
        }
    });
}

/// The smallest number of guardians of a tridagon in a position. None when no tridagon has 8 or fewer guardians.
pub(crate) fn fewest_guardians_at(marks: &Candidates<Narrow>) -> Option<usize> {
    let mut fewest: Option<usize> = None;
    each(marks, |tridagon| {
        let guardians = tridagon.guardians.len();
        fewest = Some(fewest.map_or(guardians, |fewest| fewest.min(guardians)));
    });
    fewest
}

/// Offers the candidates that every guardian makes false.
fn conclude<S: CellSet>(
    marks: &Candidates<S>,
    tridagon: &Tridagon<S>,
    sink: &mut impl Sink<S>,
    falsifies: impl Fn((Cell, Digit), (Cell, Digit)) -> bool,
) {
    let out = removals(marks, Digits::all(marks.order()), |digit| {
        S::of(
            marks
                .of_digit(digit)
                .cells()
                .filter(|&cell| tridagon.guardians.iter().all(|&guardian| falsifies((cell, digit), guardian))),
        )
    });
    sink.eliminate_at(tridagon.guardians.len() as u32, &out, || tridagon.pattern());
}

/// Calls `visit` with every tridagon of a board with boxes of three rows and three columns.
fn each<S: CellSet>(marks: &Candidates<S>, mut visit: impl FnMut(&Tridagon<S>)) {
    let shape = marks.shape();
    if (shape.box_rows(), shape.box_columns()) != (3, 3) {
        return;
    }
    for a in Digits::all(9) {
        for b in Digits::all(9).iter().filter(|&b| b > a) {
            for c in Digits::all(9).iter().filter(|&c| c > b) {
                let [in_a, in_b, in_c] = [a, b, c].map(|digit| marks.of_digit(digit));
                let cells = (in_a & in_b) | (in_a & in_c) | (in_b & in_c);
                if cells.len() >= 12 {
                    each_of(marks, [a, b, c].into_iter().collect(), cells, &mut visit);
                }
            }
        }
    }
}

/// Calls `visit` with the tridagons of three digits, in the cells that have at least two of them.
fn each_of<S: CellSet>(marks: &Candidates<S>, digits: Digits, cells: S, visit: &mut impl FnMut(&Tridagon<S>)) {
    let shape = marks.shape();
    let standing = digits.iter().fold(S::empty(), |standing, digit| standing | marks.placed(digit));
    // For each box the choices of three cells: the even permutations, then the odd ones.
    let choices: [[Vec<S>; 2]; 9] = std::array::from_fn(|number| {
        let is_free = !standing.meets(marks.house(House::of(shape, HouseKind::Box, number)));
        let (top, left) = (number / 3 * 3, number % 3 * 3);
        PERMUTATIONS.map(|permutations| {
            let choices =
                permutations.map(|columns| S::of([0, 1, 2].map(|row| Cell::at(shape, top + row, left + columns[row]))));
            choices.into_iter().filter(|choice| is_free && choice.within(cells)).collect()
        })
    });
    // Four boxes, and for each whether its permutation is even (0) or odd (1): an odd number of them is odd.
    for corners in rectangles() {
        let boxes = corners.map(|number| House::of(shape, HouseKind::Box, number));
        for parities in (0..16_usize).filter(|parities| parities.count_ones() % 2 == 1) {
            let choices = [0, 1, 2, 3].map(|corner| &choices[corners[corner]][parities >> corner & 1]);
            for &first in choices[0] {
                for &second in choices[1] {
                    for &third in choices[2] {
                        for &last in choices[3] {
                            let cells = first | second | third | last;
                            let guardians = guardians(marks, digits, cells);
                            if (1..=MOST_GUARDIANS).contains(&guardians.len()) {
                                visit(&Tridagon { digits, cells, boxes, guardians });
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The other candidates of some cells, up to one more than a pattern may have.
fn guardians<S: CellSet>(marks: &Candidates<S>, digits: Digits, cells: S) -> Vec<(Cell, Digit)> {
    let extras = cells.cells().flat_map(|cell| (marks.of_cell(cell) - digits).iter().map(move |digit| (cell, digit)));
    extras.take(MOST_GUARDIANS + 1).collect()
}

/// The four boxes of every two bands and two stacks.
fn rectangles() -> impl Iterator<Item = [usize; 4]> {
    let pairs = [[0, 1], [0, 2], [1, 2]];
    pairs.into_iter().flat_map(move |[a, b]| pairs.map(|[c, d]| [3 * a + c, 3 * a + d, 3 * b + c, 3 * b + d]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Layout, Shape};
    use crate::random::{Rng, Stage};

    #[test]
    fn isomorphs_have_tridagons_with_as_many_guardians() {
        use crate::ladder::tests::cases::{LEVELS, TRIDAGONS};
        use crate::ladder::tests::{isomorphs, puzzle};
        use crate::ladder::tridagon::fewest_guardians;
        let mut rng = Rng::new(32, 0, Stage::Bench, 0);
        for line in TRIDAGONS.into_iter().chain(LEVELS.map(|(line, _)| line)) {
            let puzzle = puzzle(line);
            let guardians = fewest_guardians(&puzzle);
            assert_eq!(guardians.is_some(), TRIDAGONS.contains(&line), "{line}");
            assert_eq!(fewest_guardians(&isomorphs(&puzzle, &mut rng)[0]), guardians, "{line}");
        }
    }

    /// By search: three digits fill twelve such cells exactly when the product of the permutations is even.
    #[test]
    fn three_digits_never_fill_an_odd_pattern() {
        let (mut rng, layout, orders) =
            (Rng::new(31, 0, Stage::Bench, 0), Layout::of(Shape::NINE), PERMUTATIONS.concat());
        for corners in rectangles().chain(rectangles()).chain(rectangles()) {
            let mut is_odd = false;
            let cells = corners.map(|number| {
                let parity = rng.below(2);
                let columns = PERMUTATIONS[parity][rng.below(3)];
                is_odd ^= parity == 1;
                [0, 1, 2].map(|row| Cell::at(Shape::NINE, number / 3 * 3 + row, number % 3 * 3 + columns[row]))
            });
            // Each of the four boxes takes the digits in one of six orders.
            let can_fill = (0..6_usize.pow(4)).any(|choice| {
                let order = |corner: u32| orders[choice / 6_usize.pow(corner) % 6];
                let filled = (0..4).zip(cells).flat_map(|(corner, cells)| cells.into_iter().zip(order(corner)));
                let filled: Vec<(Cell, usize)> = filled.collect();
                let is_alone = |&(cell, digit): &(Cell, usize)| {
                    let peers = layout.peers(cell);
                    !filled.iter().any(|&(peer, peer_digit)| peer_digit == digit && peers.contains(&peer))
                };
                filled.iter().all(is_alone)
            });
            assert_eq!(can_fill, !is_odd);
        }
    }
}
