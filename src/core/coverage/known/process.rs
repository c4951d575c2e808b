//! The methods whose probabilities are known, as trees: the choices of each position.
//!
//! ```text
//!             position 0              A method walks down from the top. It tries the choices of a position in random
//!            /    |     \             order until one of them leads to a full grid. The next position depends only on
//!        choice  choice  choice       the choices made so far. So all choices that can be completed (all except X) are
//!          |       X       |          equally likely, and
//!         ...             ...           P(G) = product of 1/e over the positions on the way to G, where e is the
//!                                       number of choices that are not X.
//! ```
//!
//! Pruning, backtracking and restarts at unsolvable starts change the time but not the probabilities, if no solvable
//! position is ever given up. This holds for boards up to order 9. The four processes make the same choices as the
//! methods of [`generate`], in the same cells and in the same order. The tests replay searches to check this.
//!
//! [`generate`]: crate::generate

use crate::board::{Cell, House, Layout, Shape, Solution, digit};
use crate::generate::Method;

/// A method that can be described as a tree of choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Process {
    /// `row-major`: one cell after another.
    RowMajor,
    /// `digit-by-box`: for each digit, one box after another.
    DigitByBox,
    /// `seeded-cross`: a first row and column, then singles and the first cell with fewest candidates.
    SeededCross,
    /// `fewest-candidates` on 9x9: singles, locked candidates, and a cell with fewest candidates.
    FewestCandidates,
}

/// A position: the candidates of each cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessPosition {
    /// Number of steps done, for processes whose choices have a fixed order.
    step: usize,
    /// Candidates of each cell, bit d-1 for digit d. A decided cell has one bit.
    masks: Vec<u64>,
}

/// Where a process begins.
pub(super) struct ProcessStart {
    pub(super) position: ProcessPosition,
    /// The number of equally likely beginnings.
    pub(super) one_in: u128,
}

impl Process {
    /// The process of a method on boards of a shape, if it has one.
    pub fn of(method: &Method, shape: Shape) -> Option<Process> {
        match method {
            _ if shape.order() > 9 || !shape.is_plain() => None,
            Method::RowMajor => Some(Process::RowMajor),
            Method::DigitByBox => Some(Process::DigitByBox),
            Method::SeededCross => Some(Process::SeededCross),
            Method::FewestCandidates if shape == Shape::NINE => Some(Process::FewestCandidates),
            _ => None,
        }
    }

    /// Where the process begins on its way to a grid. None if that is contradictory, which does not happen with valid
    /// grids.
    pub(super) fn start(self, tree: &Tree, grid: &Solution) -> Option<ProcessStart> {
        if self != Process::SeededCross {
            return Some(ProcessStart { position: tree.begun(self, 0, &[])?, one_in: 1 });
        }
        let n = tree.shape.order();
        let cross = (0..n).chain((1..n).map(|row| row * n));
        let decided = cross.map(|cell| Decision { cell, digit: 1 << grid.digit(Cell::new(cell)).index() });
        let position = tree.begun(self, 0, &decided.collect::<Vec<Decision>>())?;
        Some(ProcessStart { position, one_in: crosses(tree.shape) })
    }
}

/// Number of valid pairs of first row and first column. There are n! rows. In the first column, the corner box gets
/// digits that the row has outside this box; the cells below get the other digits in any order.
pub(crate) fn crosses(shape: Shape) -> u128 {
    let (n, inside) = (shape.order() as u128, shape.box_rows() as u128 - 1);
    let outside = n - shape.box_columns() as u128;
    let rows: u128 = (1..=n).product();
    let corners: u128 = (outside - inside + 1..=outside).product();
    let columns: u128 = (1..=n - 1 - inside).product();
    rows * corners * columns
}

/// A digit of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decision {
    /// The cell, row by row from 0.
    pub cell: usize,
    /// The digit, as its bit.
    pub digit: u64,
}

impl ProcessPosition {
    fn with(&self, decision: Decision) -> ProcessPosition {
        let mut position = self.clone();
        position.masks[decision.cell] = decision.digit;
        position
    }

    /// Values of the decided cells, 0 for the others.
    pub fn values(&self) -> impl Iterator<Item = u16> + '_ {
        self.masks.iter().map(|&mask| if mask.is_power_of_two() { mask.trailing_zeros() as u16 + 1 } else { 0 })
    }

    /// True if the position still allows a grid.
    pub fn allows(&self, grid: &Solution) -> bool {
        self.masks.iter().zip(grid.values()).all(|(mask, value)| mask >> (value - 1) & 1 != 0)
    }
}

/// The boards of a shape, on which a process makes its choices.
#[derive(Clone, Debug)]
pub struct Tree {
    shape: Shape,
    layout: &'static Layout,
    /// Every line with every box that it crosses.
    crossings: Vec<Crossing>,
}

/// The cells of a line and of a box.
#[derive(Clone, Debug)]
struct Crossing {
    shared: Vec<Cell>,
    of_line: Vec<Cell>,
    of_box: Vec<Cell>,
}

impl Tree {
    /// The tree for grids of a shape.
    pub fn new(shape: Shape) -> Tree {
        let layout = Layout::of(shape);
        let n = shape.order();
        let mut crossings = Vec::new();
        for line in 0..2 * n {
            for square in 2 * n..3 * n {
                let box_cells = layout.house(House::new(square));
                let line_cells = layout.house(House::new(line)).iter().copied();
                let (shared, of_line): (Vec<Cell>, Vec<Cell>) = line_cells.partition(|cell| box_cells.contains(cell));
                let of_box = box_cells.iter().copied().filter(|cell| !shared.contains(cell)).collect();
                if !shared.is_empty() {
                    crossings.push(Crossing { shared, of_line, of_box });
                }
            }
        }
        Tree { shape, layout, crossings }
    }

    /// The shape of the grids.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The position without digits: every cell may hold every digit.
    fn blank(&self) -> ProcessPosition {
        ProcessPosition { step: 0, masks: vec![u64::MAX >> (64 - self.shape.order()); self.shape.cells()] }
    }

    /// A position with the digits of some cells decided, after `step` steps; None if that is contradictory.
    pub fn begun(&self, process: Process, step: usize, decided: &[Decision]) -> Option<ProcessPosition> {
        let blank = ProcessPosition { step, ..self.blank() };
        self.closed(process, decided.iter().fold(blank, |position, &decision| position.with(decision)))
    }

    /// The choices in a position, as positions, without those that are known to be contradictory. None if it is full.
    pub fn choices(&self, process: Process, position: &ProcessPosition) -> Option<Vec<ProcessPosition>> {
        let options = self.options(process, position)?.into_iter();
        Some(options.filter_map(|decision| self.taken(process, position, decision)).collect())
    }

    /// The decisions among which the process chooses, in their order. None if the grid is full.
    fn options(&self, process: Process, position: &ProcessPosition) -> Option<Vec<Decision>> {
        match process {
            Process::RowMajor => self.digits_of_next_cell(position),
            Process::DigitByBox => self.places_of_next_digit(position),
            Process::SeededCross | Process::FewestCandidates => {
                let cell = self.fewest(process, &position.masks)?;
                Some(bits(position.masks[cell]).map(|digit| Decision { cell, digit }).collect())
            }
        }
    }

    /// The position after a choice. None if it is known to be contradictory.
    fn taken(&self, process: Process, position: &ProcessPosition, decision: Decision) -> Option<ProcessPosition> {
        self.closed(process, ProcessPosition { step: position.step + 1, ..position.with(decision) })
    }

    /// The first cell with fewest candidates, two or more. Among cells with two candidates, the 9x9 solver prefers
    /// those that share a row and a digit with another cell with two candidates.
    fn fewest(&self, process: Process, masks: &[u64]) -> Option<usize> {
        let open = masks.iter().enumerate().filter(|(_, mask)| !mask.is_power_of_two());
        let (least, first) = open.map(|(cell, mask)| (mask.count_ones(), cell)).min()?;
        if process != Process::FewestCandidates || least > 2 {
            return Some(first);
        }
        let n = self.shape.order();
        for (cell, &mask) in masks.iter().enumerate().filter(|(_, mask)| mask.count_ones() == 2) {
            let row_start = cell / n * n;
            let mut peers = (row_start..row_start + n).filter(|&peer| peer != cell);
            if peers.any(|peer| masks[peer].count_ones() == 2 && masks[peer] & mask != 0) {
                return Some(cell);
            }
        }
        Some(first)
    }

    /// The next cell in row-major order and the digits that cause no conflict there.
    fn digits_of_next_cell(&self, position: &ProcessPosition) -> Option<Vec<Decision>> {
        let cell = position.step;
        let mask = *position.masks.get(cell)?;
        let peers = self.layout.peers(Cell::new(cell)).iter().filter(|peer| peer.index() < cell);
        let free = peers.fold(mask, |free, peer| free & !position.masks[peer.index()]);
        Some(bits(free).map(|digit| Decision { cell, digit }).collect())
    }

    /// The next pair of digit and box and the places that cause no conflict there.
    fn places_of_next_digit(&self, position: &ProcessPosition) -> Option<Vec<Decision>> {
        let n = self.shape.order();
        let (number, square) = (position.step / n, position.step % n);
        if number == n {
            return None;
        }
        let digit = 1 << number;
        let mut places = Vec::new();
        for cell in self.layout.house(House::new(2 * n + square)) {
            let is_open = !position.masks[cell.index()].is_power_of_two();
            if is_open && self.layout.peers(*cell).iter().all(|peer| position.masks[peer.index()] != digit) {
                places.push(Decision { cell: cell.index(), digit });
            }
        }
        Some(places)
    }

    /// Draws the conclusions that a process draws before it chooses; None at a contradiction.
    fn closed(&self, process: Process, mut position: ProcessPosition) -> Option<ProcessPosition> {
        let locked = match process {
            Process::RowMajor | Process::DigitByBox => return Some(position),
            Process::SeededCross => false,
            Process::FewestCandidates => true,
        };
        loop {
            let before = position.masks.clone();
            self.naked_singles(&mut position.masks);
            self.hidden_singles(&mut position.masks)?;
            if locked {
                self.locked_candidates(&mut position.masks);
            }
            if position.masks.contains(&0) {
                return None;
            }
            if position.masks == before {
                return Some(position);
            }
        }
    }

    /// Takes the digit of each decided cell from the cells that see it, once.
    fn naked_singles(&self, masks: &mut [u64]) {
        for cell in 0..masks.len() {
            let mask = masks[cell];
            if mask.is_power_of_two() {
                self.layout.peers(Cell::new(cell)).iter().for_each(|peer| masks[peer.index()] &= !mask);
            }
        }
    }

    /// Decides each cell that is the only place of a digit in a house. None at a contradiction.
    fn hidden_singles(&self, masks: &mut [u64]) -> Option<()> {
        let all = u64::MAX >> (64 - self.shape.order());
        for house in self.layout.houses() {
            let cells = self.layout.house(house);
            let (once, twice) = cells.iter().fold((0, 0), |(once, twice), cell| {
                let mask = masks[cell.index()];
                (once | mask, twice | once & mask)
            });
            if once != all {
                return None;
            }
            let hidden = once & !twice;
            for cell in cells.iter().filter(|cell| masks[cell.index()] & hidden != 0).collect::<Vec<_>>() {
                let single = masks[cell.index()] & hidden;
                if !single.is_power_of_two() {
                    return None;
                }
                masks[cell.index()] = single;
            }
        }
        Some(())
    }

    /// Removes locked candidates: if all places of a digit in a box are in one line, or the reverse, it has no other
    /// places in the line or in the box.
    fn locked_candidates(&self, masks: &mut [u64]) {
        for crossing in &self.crossings {
            let Crossing { shared, of_line, of_box } = crossing;
            let [shared, line, square] = [shared, of_line, of_box]
                .map(|cells| cells.iter().fold(0, |digits, cell| digits | masks[cell.index()]));
            of_line.iter().for_each(|cell| masks[cell.index()] &= !(shared & !square));
            of_box.iter().for_each(|cell| masks[cell.index()] &= !(shared & !line));
        }
    }
}

/// The bits of a mask, lowest first.
fn bits(mask: u64) -> impl Iterator<Item = u64> {
    digit::bits(mask).map(|digit| 1 << digit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Grid, Puzzle};
    use crate::generate::cross;
    use crate::random::{Rng, Stage};
    use crate::solve::{Budget, count};

    /// Depth-first search over a process with choices in the random order of the method, which also draws choices that
    /// turn out to be contradictory.
    fn search(tree: &Tree, process: Process, position: &ProcessPosition, rng: &mut Rng) -> Option<ProcessPosition> {
        let Some(mut open) = tree.options(process, position) else { return Some(position.clone()) };
        while !open.is_empty() {
            let decision = open.remove(rng.below(open.len()));
            let next = tree.taken(process, position, decision);
            if let Some(end) = next.and_then(|next| search(tree, process, &next, rng)) {
                return Some(end);
            }
        }
        None
    }

    /// The same random numbers must lead the method and the process to the same grid. The seeded cross draws its cross
    /// first, with three shuffles.
    #[test]
    fn processes_replay_the_searches_of_their_methods() {
        let methods = [Method::RowMajor, Method::DigitByBox, Method::FewestCandidates, Method::SeededCross];
        for shape in ["2x2", "2x3", "3x2", "2x4", "3x3"].map(|text| text.parse::<Shape>().unwrap()) {
            let tree = Tree::new(shape);
            for (method, index) in methods.iter().flat_map(|method| (0..40).map(move |index| (method, index))) {
                let Some(process) = Process::of(method, shape) else { continue };
                let mut rng = Rng::new(7, index, Stage::Bench, 0);
                let drawn = method.fill(shape, &mut rng.clone()).unwrap();
                let mut grids = (0..100).filter_map(|_| {
                    let is_crossed = process == Process::SeededCross;
                    let decided = if is_crossed { cross(shape, &mut rng) } else { Vec::new() };
                    let decided: Vec<Decision> =
                        decided.iter().map(|placed| Decision { cell: placed.cell, digit: 1 << placed.digit }).collect();
                    search(&tree, process, &tree.begun(process, 0, &decided)?, &mut rng)
                });
                let values: Vec<u16> = grids.next().unwrap().values().collect();
                assert_eq!(values, drawn.values(), "{method} {shape} {index}");
            }
        }
    }

    /// If some cross had no completion, the others would be more likely than 1 / crosses. Digits can be relabelled, and
    /// lines inside bands and stacks can be exchanged, so only the sets of digits in each part of the column matter.
    #[test]
    fn every_cross_can_be_completed() {
        for shape in ["2x2", "2x3", "3x2", "2x4", "4x2", "3x3"].map(|text| text.parse::<Shape>().unwrap()) {
            let (n, rows) = (shape.order(), shape.box_rows());
            for column in columns(n, rows, shape.box_columns()) {
                let mut values = vec![0; n * n];
                (0..n).for_each(|column| values[column] = column as u16 + 1);
                column.iter().enumerate().for_each(|(row, &digit)| values[row * n] = digit as u16 + 1);
                let puzzle = Puzzle::try_from(Grid::new(shape, values).unwrap()).unwrap();
                assert_eq!(count(&puzzle, 1, Budget::UNLIMITED).found, 1, "{shape} {column:?}");
            }
        }
    }

    /// First columns below r1c1 = digit 0, each part of `rows` cells ascending, valid beside the row 0, 1, 2, ...
    fn columns(n: usize, rows: usize, width: usize) -> Vec<Vec<usize>> {
        let mut partial = vec![vec![0]];
        for at in 1..n {
            let fits = |column: &Vec<usize>, digit: usize| {
                !column.contains(&digit)
                    && (at >= rows || digit >= width)
                    && (at % rows == 0 || at == 1 || column[at - 1] < digit)
            };
            let extended = partial.iter().flat_map(|column| {
                (0..n).filter(|&digit| fits(column, digit)).map(|digit| [column.as_slice(), &[digit]].concat())
            });
            partial = extended.collect();
        }
        partial
    }
}
