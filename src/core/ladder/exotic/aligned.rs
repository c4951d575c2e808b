//! Aligned Pair and Triplet Exclusion: candidates that fit no combination of a few cells.
//!
//! ```text
//!   12 (A)   13 (B)   | 23 (seen by A and B)      A = 2, B = 3 leaves the third cell empty;
//!                     |                           if every digit of B makes A = 2 impossible, A is not 2
//! ```
//!
//! The pattern has two (three) cells. A combination of their candidates is impossible in two cases: two cells that see
//! each other take the same digit, or the combination takes all candidates of a small cell. A small cell has two (or
//! three) candidates and sees the cells that take them. A candidate in no possible combination is removed.
//!
//! Every two of the cells must see each other, or both must see the same small cell. Otherwise neither restricts the
//! other. Reference: Sudopedia, "Aligned Pair Exclusion", "Aligned Triple Exclusion".

use crate::board::{Candidates, Cell, CellSet, Digit, Digits};

use crate::ladder::words::sink::{Pattern, Sink, removals};

/// Offers what aligned pair (`size` 2) or triplet (3) exclusion removes.
pub(crate) fn aligned_exclusions<S: CellSet>(marks: &Candidates<S>, size: usize, sink: &mut impl Sink<S>) {
    let small = S::of(marks.open().cells().filter(|&cell| (2..=size).contains(&marks.of_cell(cell).len())));
    let mut cells = Vec::with_capacity(size);
    choose(marks, small, size, &mut cells, sink);
}

/// Adds cells to the pattern, in ascending order, until it is complete. `small` are the small cells of the board.
fn choose<S: CellSet>(marks: &Candidates<S>, small: S, size: usize, cells: &mut Vec<Cell>, sink: &mut impl Sink<S>) {
    if cells.len() == size {
        exclude(marks, small, cells, sink);
        return;
    }
    let from = cells.last().map_or(0, |cell| cell.index() + 1);
    for cell in marks.open().cells().filter(|cell| cell.index() >= from) {
        // A cell that shares no restriction with one of the others adds nothing.
        let peers = marks.peers(cell);
        if cells.iter().all(|&chosen| peers.contains(chosen) || (peers & marks.peers(chosen)).meets(small)) {
            cells.push(cell);
            choose(marks, small, size, cells, sink);
            cells.pop();
        }
    }
}

fn exclude<S: CellSet>(marks: &Candidates<S>, small: S, cells: &[Cell], sink: &mut impl Sink<S>) {
    let near = cells.iter().fold(S::empty(), |near, &cell| near | marks.peers(cell)) & small;
    let chosen = S::of(cells.iter().copied());
    let excluding: Vec<Cell> = (near - chosen).cells().collect();
    let mut possible = vec![Digits::EMPTY; cells.len()];
    combine(marks, cells, &excluding, &mut Vec::with_capacity(cells.len()), &mut possible);
    let digits = cells.iter().fold(Digits::EMPTY, |digits, &cell| digits | marks.of_cell(cell));
    let out = removals(marks, digits, |digit| {
        let lost = cells.iter().zip(&possible).filter(|(_, possible)| !possible.contains(digit));
        S::of(lost.map(|(&cell, _)| cell))
    });
    sink.eliminate(&out, || Pattern::of(digits, cells.iter().copied()));
}

/// Gives each cell in turn one of its candidates, `taken` those before it. A whole combination that leaves each cell of
/// `excluding` a candidate marks its digits as `possible` for their cells.
fn combine<S: CellSet>(
    marks: &Candidates<S>,
    cells: &[Cell],
    excluding: &[Cell],
    taken: &mut Vec<Digit>,
    possible: &mut [Digits],
) {
    let Some(&cell) = cells.get(taken.len()) else {
        let is_possible = excluding.iter().all(|&small_cell| {
            let seen = cells.iter().zip(taken.iter()).filter(|(cell, _)| marks.peers(**cell).contains(small_cell));
            !(marks.of_cell(small_cell) - seen.map(|(_, &digit)| digit).collect::<Digits>()).is_empty()
        });
        if is_possible {
            possible.iter_mut().zip(taken.iter()).for_each(|(possible, &digit)| possible.insert(digit));
        }
        return;
    };
    for digit in marks.of_cell(cell) {
        let mut seen = cells.iter().zip(taken.iter()).filter(|(chosen, _)| marks.peers(cell).contains(**chosen));
        if seen.all(|(_, &taken)| taken != digit) {
            taken.push(digit);
            combine(marks, cells, excluding, taken, possible);
            taken.pop();
        }
    }
}
