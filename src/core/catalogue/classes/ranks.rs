//! The rank of every essentially different 9x9 grid: its place, from 1, among the 5,472,730,538 minlex grids in
//! lexicographic order.
//!
//! ```text
//!   rank  =  classes with a smaller first band                 from the table of counts
//!          + classes with this first band, smaller fourth row  "
//!          + grids of this start before the grid               enumerated: up to half of 2,000 bands 2, 8,000 grids
//! ```
//!
//! A rank or its grid takes about half a millisecond, because the start is enumerated from its nearer end. Grids with
//! consecutive ranks come from one enumeration of their start and take less than a microsecond each.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::rc::Rc;

use super::counts::{CLASSES, counts};
use super::frame::FirstBand;
use super::minlex::{Rows, cells_of, minlex};
use super::start::{GridStart, Middle};
use crate::board::{Shape, Solution};

thread_local! {
    /// The frame that was used last. Neighbouring ranks need the same frame.
    static FRAME: RefCell<Option<(usize, Rc<FirstBand>)>> = const { RefCell::new(None) };
    /// The start that was listed last.
    static LISTED: RefCell<Listed> = const { RefCell::new(Listed { next: 0, first: 0, grids: Vec::new() }) };
}

/// The grids of one start, for consecutive ranks.
struct Listed {
    /// The rank that follows the one asked for last.
    next: u64,
    /// The rank of the first of `grids`.
    first: u64,
    grids: Vec<[u8; 81]>,
}

impl Listed {
    /// The grid of a rank; None if it is not listed.
    fn grid(&self, rank: u64) -> Option<[u8; 81]> {
        self.grids.get(rank.checked_sub(self.first)? as usize).copied()
    }
}

/// The frame of a first band, from the last call if it was the same.
fn frame(band: usize) -> Rc<FirstBand> {
    FRAME.with_borrow_mut(|last| match last {
        Some((number, frame)) if *number == band => Rc::clone(frame),
        _ => {
            let frame = Rc::new(FirstBand::new(band));
            *last = Some((band, Rc::clone(&frame)));
            frame
        }
    })
}

/// The rank of the class of a grid, from 1; None if the grid is not 9x9.
pub fn class_rank(grid: &Solution) -> Option<u64> {
    let form = minlex(&grid.grid().nine()?);
    Some(rank_of_minlex(form.band_class, &form.cells))
}

/// The rank of a minlex grid with digits 1..=9, whose first band is of this class (an index).
pub(crate) fn rank_of_minlex(band: usize, cells: &[u8; 81]) -> u64 {
    let rows: Rows = std::array::from_fn(|row| std::array::from_fn(|column| cells[9 * row + column] - 1));
    let frame = frame(band);
    let fourths = frame.fourth_rows();
    let number = fourths.binary_search(&rows[3]).unwrap_or_else(|_| unreachable!("a fourth row that is not listed"));
    let starts = &counts().band(band).starts;
    let earlier = starts[..number].iter().map(|&count| u64::from(count)).sum::<u64>();
    let within = frame.start(&rows[3]).map_or(0, |start| rank_in_start(&start, &rows, starts[number].into()));
    counts().before(band) + earlier + within + 1
}

/// Number of minlex grids of a start before one of them; the start has `grid_count` in all. The grids before the second
/// band of this grid are counted, or those after it if there are fewer second bands after it.
fn rank_in_start(start: &GridStart, rows: &Rows, grid_count: u64) -> u64 {
    let (mut before, mut after) = (Vec::new(), Vec::new());
    // Grids with the second band of this grid: those before it, then itself and those after it.
    let [mut less, mut not_less] = [0, 0];
    for middle in start.middles() {
        match start.middle_rows(&middle)[..].cmp(&rows[3..6]) {
            Ordering::Less => before.push(middle),
            Ordering::Greater => after.push(middle),
            Ordering::Equal => start.lowers(&middle, |lower, _| {
                if start.lower_rows(&middle, &lower)[..] < rows[6..] {
                    less += 1;
                } else {
                    not_less += 1;
                }
            }),
        }
    }
    if before.len() < after.len() {
        grids_with(start, &before) + less
    } else {
        grid_count - grids_with(start, &after) - not_less
    }
}

/// Number of minlex grids of a start with these second bands.
fn grids_with(start: &GridStart, middles: &[Middle]) -> u64 {
    let mut grids = 0;
    for middle in middles {
        start.lowers(middle, |_, _| grids += 1);
    }
    grids
}

/// The minlex grid with a rank from 1 to [`CLASSES`]; None for other numbers.
pub fn class_of_rank(rank: u64) -> Option<Solution> {
    let cells = cells_of_rank(rank)?;
    Some(Solution::trusted(Shape::NINE, cells.iter().map(|&cell| cell.into()).collect()))
}

/// The digits 1..=9 of the minlex grid of a rank.
pub(crate) fn cells_of_rank(rank: u64) -> Option<[u8; 81]> {
    if !(1..=CLASSES).contains(&rank) {
        return None;
    }
    LISTED.with_borrow_mut(|listed| {
        let in_turn = std::mem::replace(&mut listed.next, rank + 1) == rank;
        if let Some(cells) = listed.grid(rank) {
            return Some(cells);
        }
        let RankPlace { band, fourth_row, before } = RankPlace::of(rank);
        let frame = frame(band);
        let start = frame.start(frame.fourth_rows().get(fourth_row)?)?;
        if !in_turn {
            return grid_in_start(&start, before, counts().band(band).starts[fourth_row].into());
        }
        listed.first = rank - before;
        listed.grids = grids_of_start(&start);
        listed.grid(rank)
    })
}

/// Where a rank stands in the table of counts.
struct RankPlace {
    band: usize,
    /// The number of the fourth row.
    fourth_row: usize,
    /// The number of grids of this start before the rank.
    before: u64,
}

impl RankPlace {
    fn of(rank: u64) -> RankPlace {
        let band = counts().band_of(rank);
        let mut before = rank - 1 - counts().before(band);
        for (fourth_row, &count) in counts().band(band).starts.iter().enumerate() {
            if before < u64::from(count) {
                return RankPlace { band, fourth_row, before };
            }
            before -= u64::from(count);
        }
        unreachable!("a band has fewer classes than their sum")
    }
}

/// The second bands of a start in lexicographic order.
fn sorted_middles(start: &GridStart) -> Vec<Middle> {
    let mut middles = start.middles();
    middles.sort_by_cached_key(|middle| start.middle_rows(middle));
    middles
}

/// The minlex grid of a start that has `number` others before it; the start has `grid_count` in all. Starts at the nearer
/// end.
fn grid_in_start(start: &GridStart, number: u64, grid_count: u64) -> Option<[u8; 81]> {
    let mut middles = sorted_middles(start);
    let forward = number < grid_count / 2;
    let mut left = number;
    if !forward {
        left = grid_count - 1 - number;
        middles.reverse();
    }
    for middle in middles {
        let mut lowers = Vec::new();
        start.lowers(&middle, |lower, _| lowers.push(lower));
        if left < lowers.len() as u64 {
            let mut grids: Vec<Rows> = lowers.iter().map(|lower| start.grid(&middle, lower)).collect();
            grids.sort_unstable();
            let place = if forward { left as usize } else { grids.len() - 1 - left as usize };
            return Some(cells_of(&grids[place]));
        }
        left -= lowers.len() as u64;
    }
    None
}

/// All minlex grids of a start in order.
fn grids_of_start(start: &GridStart) -> Vec<[u8; 81]> {
    let mut grids = Vec::new();
    for middle in sorted_middles(start) {
        let begin = grids.len();
        start.lowers(&middle, |lower, _| grids.push(cells_of(&start.grid(&middle, &lower))));
        grids[begin..].sort_unstable();
    }
    grids
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Freedom, Isomorphism};
    use crate::catalogue::canonical;
    use crate::random::{Rng, Stage};

    /// The ends of the catalogue, as published by the players' forum.
    #[test]
    fn the_first_and_the_last_class_are_known() {
        let line = |rank: u64| cells_of_rank(rank).unwrap().iter().map(ToString::to_string).collect::<String>();
        assert_eq!(line(1), "123456789456789123789123456214365897365897214897214365531642978642978531978531642");
        assert_eq!(line(CLASSES), "123456789457893612986217354274538196531964827698721435342685971715349268869172543");
        assert_eq!((cells_of_rank(0), cells_of_rank(CLASSES + 1)), (None, None));
    }

    #[test]
    fn ranks_survive_a_round_trip() {
        for index in 0..100 {
            let mut rng = Rng::new(41, index, Stage::Bench, 0);
            let rank = 1 + rng.below(CLASSES as usize) as u64;
            let grid = class_of_rank(rank).unwrap();
            let values = grid.grid().nine().unwrap();
            assert_eq!(canonical::canonical(&values).cells, values, "{rank} is not minlex");
            let image = Isomorphism::random(Shape::NINE, Freedom::ALL, &mut rng).apply(&grid);
            assert_eq!(class_rank(&image), Some(rank));
        }
    }

    /// A stretch over the end of a start: ascending, minlex, and each with its rank.
    #[test]
    fn the_catalogue_is_walked_in_order() {
        let first = counts().before(200) - 20;
        let grids: Vec<[u8; 81]> = (first..first + 3_000).map(|rank| cells_of_rank(rank).unwrap()).collect();
        assert!(grids.is_sorted_by(|a, b| a < b));
        for (grid, rank) in grids.iter().zip(first..).step_by(149) {
            let solution = Solution::trusted(Shape::NINE, grid.iter().map(|&cell| cell.into()).collect());
            assert_eq!((canonical::canonical(grid).cells, class_rank(&solution)), (*grid, Some(rank)));
        }
    }
}
