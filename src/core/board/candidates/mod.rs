//! The candidates (pencil marks) of a position, indexed by cell, by digit and by house.
//!
//! ```text
//!   of_cell[cell]          1 . 3          of_digit[7]   . . #         places(7, row 2) = 2
//!   digits still           . . .          cells still   # . #         how many cells a house
//!   possible there         7 . .          possible      . # .         still has for a digit
//! ```
//!
//! [`Candidates::eliminate`] keeps all three views up to date. It also keeps sets for singles: cells with one
//! candidate, houses with one open cell, houses with one place for a digit. So a single is found by reading one bit.
//! *Tried and lost*: a search of the 27 houses after every placement. It takes several times as long on easy puzzles.

mod sets;
mod views;

use std::cell::{self, OnceCell, RefCell};

pub(crate) use sets::at_width;
pub use sets::{Houses, Sets};

use super::{Cell, CellSet, Digit, Digits, House, Puzzle};

/// Is added to the number of places of a digit in a house when the digit is placed there. The sum is larger than any
/// number of places that a technique looks for, so no technique needs a separate test for placed digits.
const PLACED: u8 = 128;

/// The pencil marks of a position.
///
/// ```
/// use sudoku_corpus_core::board::{Candidates, Cell, CellSet, Digit, Digits, Narrow, Puzzle, Shape, text};
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let mut marks = Candidates::<Narrow>::new(&Puzzle::try_from(text::parse_line(line, None)?)?);
/// let (cell, five) = (Cell::at(Shape::NINE, 4, 4), Digit::new(5));
/// assert!(marks.with_candidates(1).contains(cell));
/// assert_eq!(marks.of_cell(cell), Digits::only(five));
/// marks.place(cell, five);
/// assert!(!marks.of_digit(five).meets(marks.peers(cell)) && !marks.is_broken());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Candidates<S: 'static> {
    /// The houses and peers of the board.
    sets: &'static Sets<S>,
    /// The cells that are givens of the puzzle.
    givens: S,
    /// The cells without a digit.
    open: S,
    /// The digit of each cell, 0 if it is empty.
    values: Vec<u16>,
    /// The candidates of each empty cell; no candidates where a digit is placed.
    of_cell: Vec<Digits>,
    /// Open cells in which each digit is still possible.
    of_digit: Vec<S>,
    /// `[digit][house]`: the number of places; [`PLACED`] or more once the digit is placed in the house.
    places: Vec<u8>,
    /// The number of open cells of each house. Its length is the number of houses.
    open_in: Vec<u8>,
    /// Open cells with one, two, three, four candidates.
    cells_by_count: [S; 4],
    /// The cells in which each digit is placed.
    placed: Vec<S>,
    /// Houses with one open cell.
    with_one_open: Houses,
    /// For each digit the houses that have one, two, three, four places for it.
    houses_by_count: Vec<[Houses; 4]>,
    /// `[digit][house]`: the round since which the house has only one place for the digit.
    hidden_since: Vec<u32>,
    /// Rounds so far; see [`Candidates::next_round`].
    round: u32,
    /// What follows from the candidates of each digit alone, until one of them goes; see [`Candidates::cached`].
    cached: Vec<OnceCell<S>>,
    /// See [`Candidates::places_when_fruitless`].
    fruitless: RefCell<Vec<FruitlessSearch<S>>>,
    /// Sets of cells of a digit that last longer; see [`Candidates::lasting`].
    lasting: RefCell<Vec<LastingCells<S>>>,
    /// The number of changes so far: eliminations and placements.
    clock: u32,
    /// For each house, the value of `clock` at its last change.
    changed: Vec<u32>,
    /// For each search by house, the value of `clock` when it last found nothing; see [`Candidates::is_news`].
    quiet: [cell::Cell<u32>; HOUSE_SEARCHES],
    /// True once a cell has lost its last candidate or a house its last place for a digit.
    broken: bool,
}

/// The number of searches by house whose negative results are kept. `Quiet` in the ladder numbers them from 0.
const HOUSE_SEARCHES: usize = 11;

/// A search for one digit that has found nothing.
#[derive(Clone, Debug)]
struct FruitlessSearch<S> {
    digit: Digit,
    /// The number of the search.
    search: usize,
    /// The places of the digit at that time.
    places: S,
}

/// Cells of a digit that a search for templates keeps while candidates go.
#[derive(Clone, Debug)]
pub(crate) struct LastingCells<S> {
    pub(crate) digit: Digit,
    /// True for the cells of a template, false for cells that are in none.
    pub(crate) is_template: bool,
    pub(crate) cells: S,
}

impl<S: CellSet> Candidates<S> {
    /// The candidates that the givens of a puzzle leave.
    ///
    /// # Panics
    /// The same as for [`Sets::of`].
    pub fn new(puzzle: &Puzzle) -> Candidates<S> {
        let sets = Sets::<S>::of(puzzle.shape());
        let n = puzzle.shape().order();
        let houses = sets.layout().house_count();
        let mut used = vec![Digits::EMPTY; houses];
        let mut open = S::of(sets.layout().cells());
        let mut blocked = vec![S::empty(); n];
        let mut placed = vec![S::empty(); n];
        for (cell, digit) in puzzle.grid().given_cells() {
            placed[digit.index()].insert(cell);
            open.remove(cell);
            blocked[digit.index()] = blocked[digit.index()] | sets.peers(cell);
            sets.houses_of(cell).for_each(|house| used[house.index()].insert(digit));
        }
        let mut marks = Candidates {
            sets,
            givens: S::of(sets.layout().cells()) - open,
            open,
            values: puzzle.grid().values().to_vec(),
            of_cell: vec![Digits::EMPTY; n * n],
            of_digit: blocked.into_iter().map(|blocked| open - blocked).collect(),
            places: vec![0; houses * n],
            open_in: vec![0; houses],
            cells_by_count: [S::empty(); 4],
            placed,
            with_one_open: Houses::default(),
            houses_by_count: vec![[Houses::default(); 4]; n],
            hidden_since: vec![0; houses * n],
            round: 0,
            cached: vec![OnceCell::new(); n],
            fruitless: RefCell::default(),
            lasting: RefCell::default(),
            // Every house is news at first, because `quiet` begins with 0.
            clock: 1,
            changed: vec![1; houses],
            quiet: Default::default(),
            broken: false,
        };
        marks.fill_cells(&used);
        marks.classify_houses(&used);
        marks
    }

    /// The candidates of a position. `position` holds the placed digits, `givens` the cells that are givens, `deleted`
    /// the candidates that were also eliminated.
    ///
    /// # Panics
    /// The same as for [`Sets::of`].
    pub fn at(position: &Puzzle, givens: S, deleted: &[(Cell, Digit)]) -> Candidates<S> {
        let mut marks = Candidates::<S>::new(position);
        marks.givens = marks.givens & givens;
        deleted.iter().for_each(|&(cell, digit)| marks.eliminate(cell, digit));
        marks
    }

    /// Computes the candidates of the empty cells from the digits that each house already has, and counts their places.
    fn fill_cells(&mut self, used: &[Digits]) {
        let (all, is_plain) = (Digits::all(self.order()), self.sets.shape().is_plain());
        for cell in self.open.cells() {
            let houses = self.sets.houses_of(cell).map(|house| house.index());
            let mut candidates = houses.clone().fold(all, |candidates, house| candidates - used[house]);
            if !is_plain {
                // Cells that see each other by a move share no house.
                candidates = candidates.iter().filter(|digit| self.of_digit[digit.index()].contains(cell)).collect();
            }
            self.of_cell[cell.index()] = candidates;
            houses.clone().for_each(|house| self.open_in[house] += 1);
            for digit in candidates {
                let places_of_digit = &mut self.places[digit.index() * used.len()..];
                houses.clone().for_each(|house| places_of_digit[house] += 1);
            }
            match candidates.len() {
                0 => self.broken = true,
                count @ 1..=4 => self.cells_by_count[count - 1].insert(cell),
                _ => {}
            }
        }
    }

    /// Notes which houses have few open cells, or few places for a digit that they still need, as `fill_cells` counted.
    fn classify_houses(&mut self, used: &[Digits]) {
        let (houses, all) = (self.sets.layout().houses(), Digits::all(self.order()));
        for house in houses {
            if self.open_in[house.index()] == 1 {
                self.with_one_open.insert(house);
            }
            for digit in used[house.index()] {
                self.places[digit.index() * used.len() + house.index()] = PLACED;
            }
            for digit in all - used[house.index()] {
                match self.places[digit.index() * used.len() + house.index()] {
                    0 => self.broken = true,
                    count @ 1..=4 => self.houses_by_count[digit.index()][usize::from(count) - 1].insert(house),
                    _ => {}
                }
            }
        }
    }

    /// Eliminates a candidate from a cell. Does nothing if the digit is not a candidate there.
    #[inline]
    pub(crate) fn eliminate(&mut self, cell: Cell, digit: Digit) {
        let candidates = &mut self.of_cell[cell.index()];
        if !candidates.contains(digit) {
            return;
        }
        candidates.remove(digit);
        match candidates.len() {
            0 => self.broken = true,
            fewer @ 1..=4 => {
                self.cells_by_count[fewer - 1].insert(cell);
                if fewer < 4 {
                    self.cells_by_count[fewer].remove(cell);
                }
            }
            _ => {}
        }
        self.of_digit[digit.index()].remove(cell);
        self.cached[digit.index()] = OnceCell::new();
        let first_house = digit.index() * self.open_in.len();
        let (places, hidden_since) = (&mut self.places[first_house..], &mut self.hidden_since[first_house..]);
        let houses_by_count = &mut self.houses_by_count[digit.index()];
        self.clock += 1;
        self.sets.each_house_of(cell, |house| {
            self.changed[house.index()] = self.clock;
            let places = &mut places[house.index()];
            *places -= 1;
            match *places {
                0 => self.broken = true,
                fewer @ 1..=4 => {
                    houses_by_count[usize::from(fewer) - 1].insert(house);
                    if fewer < 4 {
                        houses_by_count[usize::from(fewer)].remove(house);
                    }
                    if fewer == 1 {
                        hidden_since[house.index()] = self.round;
                    }
                }
                _ => {}
            }
        });
    }

    /// A set of cells that follows from the candidates of one digit alone. It is computed at the first call and cached
    /// until a candidate of the digit is eliminated. There is one cached set per digit.
    #[inline]
    pub(crate) fn cached(&self, digit: Digit, compute: impl FnOnce() -> S) -> S {
        *self.cached[digit.index()].get_or_init(compute)
    }

    /// The places that a digit had when a search, by its number, last found nothing for it.
    pub(crate) fn places_when_fruitless(&self, digit: Digit, search: usize) -> Option<S> {
        let fruitless = self.fruitless.borrow();
        fruitless.iter().find(|noted| noted.digit == digit && noted.search == search).map(|noted| noted.places)
    }

    /// Notes that a search has found nothing for a digit.
    pub(crate) fn note_fruitless(&self, digit: Digit, search: usize) {
        let mut fruitless = self.fruitless.borrow_mut();
        fruitless.retain(|noted| noted.digit != digit || noted.search != search);
        fruitless.push(FruitlessSearch { digit, search, places: self.of_digit(digit) });
    }

    /// What a search for templates keeps. The search itself drops the templates that have lost a cell.
    pub(crate) fn lasting(&self) -> &RefCell<Vec<LastingCells<S>>> {
        &self.lasting
    }

    /// True if a house has changed since a search last found nothing in the whole position. A search that depends only
    /// on the cells of one house finds nothing in houses that have not changed.
    #[inline]
    pub(crate) fn is_news(&self, house_search: usize, house: House) -> bool {
        self.changed[house.index()] > self.quiet[house_search].get()
    }

    /// Notes that a search has found nothing in the houses for which [`Candidates::is_news`] is true.
    #[inline]
    pub(crate) fn found_nothing(&self, house_search: usize) {
        self.quiet[house_search].set(self.clock);
    }

    /// Starts the next round. Singles that appear from now on count as newer than those that appeared before.
    #[inline]
    pub(crate) fn next_round(&mut self) {
        self.round += 1;
    }

    /// The round since which a house has only one place for a digit.
    #[inline]
    pub(crate) fn one_place_since(&self, digit: Digit, house: House) -> u32 {
        self.hidden_since[digit.index() * self.open_in.len() + house.index()]
    }

    /// Places a digit in a cell and eliminates the candidates that it excludes. A digit that is not a candidate of the
    /// cell is not placed; the position is then marked as broken.
    pub fn place(&mut self, cell: Cell, digit: Digit) {
        if !self.of_cell[cell.index()].contains(digit) {
            self.broken = true;
            return;
        }
        for excluded in self.of_cell[cell.index()] - Digits::only(digit) {
            self.eliminate(cell, excluded);
        }
        self.values[cell.index()] = digit.value();
        self.of_cell[cell.index()] = Digits::EMPTY;
        self.of_digit[digit.index()].remove(cell);
        self.cached[digit.index()] = OnceCell::new();
        self.placed[digit.index()].insert(cell);
        self.open.remove(cell);
        self.cells_by_count.iter_mut().for_each(|cells| cells.remove(cell));
        self.clock += 1;
        self.sets.each_house_of(cell, |house| {
            self.changed[house.index()] = self.clock;
            // The cell itself is no longer one of the places.
            self.places[digit.index() * self.open_in.len() + house.index()] += PLACED - 1;
            self.houses_by_count[digit.index()].iter_mut().for_each(|houses| houses.remove(house));
            let open_in = &mut self.open_in[house.index()];
            *open_in -= 1;
            match *open_in {
                0 => self.with_one_open.remove(house),
                1 => self.with_one_open.insert(house),
                _ => {}
            }
        });
        for peer in (self.of_digit[digit.index()] & self.sets.peers(cell)).cells() {
            self.eliminate(peer, digit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Grid, Layout, Narrow, Shape, Wide};
    use super::*;
    use crate::random::{Rng, Stage};

    /// Recomputes everything from the digits and the candidates of the cells.
    fn check<S: CellSet>(marks: &Candidates<S>) {
        let layout = Layout::of(marks.shape());
        let digits = || Digits::all(marks.order());
        let mut dead = marks.open().cells().any(|cell| marks.of_cell(cell).is_empty());
        for digit in digits() {
            let holders = layout.cells().filter(|&cell| marks.of_cell(cell).contains(digit));
            assert_eq!(marks.of_digit(digit), S::of(holders));
            let stands = layout.cells().filter(|&cell| marks.value(cell) == Some(digit));
            assert_eq!(marks.placed(digit), S::of(stands));
            let mut few = [Houses::default(); 4];
            for house in layout.houses() {
                let cells = layout.house(house);
                if cells.iter().any(|&cell| marks.value(cell) == Some(digit)) {
                    assert!(marks.places(digit, house) >= usize::from(PLACED));
                    continue;
                }
                let places = cells.iter().filter(|&&cell| marks.of_cell(cell).contains(digit)).count();
                assert_eq!(marks.places(digit, house), places);
                dead |= places == 0;
                if (1..=4).contains(&places) {
                    few[places - 1].insert(house);
                }
            }
            if !marks.is_broken() {
                let views: [Houses; 4] = std::array::from_fn(|index| marks.with_places(digit, index + 1));
                assert_eq!(views, few);
            }
        }
        assert_eq!(marks.is_broken(), dead);
        if !marks.is_broken() {
            for count in 1..=4 {
                let cells = layout.cells().filter(|&cell| marks.of_cell(cell).len() == count);
                assert_eq!(marks.with_candidates(count), S::of(cells));
            }
        }
        for house in layout.houses() {
            let open = layout.house(house).iter().filter(|&&cell| marks.value(cell).is_none()).count();
            assert_eq!(marks.open_in(house), open);
            assert_eq!(marks.nearly_full().iter().any(|other| other == house), open == 1);
        }
    }

    fn random_play<S: CellSet>(shape: &str) {
        let shape: Shape = shape.parse().unwrap();
        let mut rng = Rng::new(1, shape.cells() as u64, Stage::Bench, 0);
        let mut marks = Candidates::<S>::new(&Puzzle::try_from(Grid::blank(shape)).unwrap());
        check(&marks);
        while !marks.is_broken() && !marks.open().is_empty() {
            let cells: Vec<Cell> = marks.open().cells().collect();
            let cell = rng.choose(&cells);
            let digits: Vec<Digit> = marks.of_cell(cell).iter().collect();
            let digit = rng.choose(&digits);
            match rng.below(3) {
                0 => marks.place(cell, digit),
                _ => marks.eliminate(cell, digit),
            }
            check(&marks);
        }
    }

    #[test]
    fn every_view_stays_true_at_every_width() {
        for shape in ["2x2", "2x3", "3x2", "3x3", "2x5"] {
            random_play::<Narrow>(shape);
        }
        random_play::<Wide<4>>("3x3");
        random_play::<Wide<4>>("3x4");
    }

    #[test]
    fn givens_give_the_same_marks_at_once_or_one_by_one() {
        let shape = Shape::NINE;
        let mut grid = Grid::blank(shape);
        let mut grown = Candidates::<Narrow>::new(&Puzzle::try_from(grid.clone()).unwrap());
        for (cell, digit) in [(0, 5), (10, 7), (40, 5), (44, 9), (80, 1), (72, 9)] {
            grid.set(Cell::new(cell), Some(Digit::new(digit)));
            grown.place(Cell::new(cell), Digit::new(digit));
        }
        let at_once = Candidates::<Narrow>::new(&Puzzle::try_from(grid).unwrap());
        check(&at_once);
        assert_eq!((at_once.of_cell, at_once.of_digit), (grown.of_cell, grown.of_digit));
    }

    #[test]
    fn a_digit_that_is_not_a_candidate_breaks_the_position() {
        let mut marks = Candidates::<Narrow>::new(&Puzzle::try_from(Grid::blank(Shape::NINE)).unwrap());
        marks.place(Cell::new(0), Digit::new(1));
        assert!(!marks.is_broken());
        marks.place(Cell::new(1), Digit::new(1));
        assert!(marks.is_broken() && marks.value(Cell::new(1)).is_none());
    }
}
