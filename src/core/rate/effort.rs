//! How much effort a puzzle takes a person: numbers that a rating of the hardest step does not contain.
//!
//! Every number is the same for all isomorphs. None is calibrated: there is no open set of the times that people need.
//!
//! **Open steps.** R. Pelánek, "Difficulty Rating of Sudoku Puzzles: An Overview and Evaluation", 2014, calls it
//! dependency: a puzzle is harder where fewer cells can be filled at the same time. He counts naked and hidden singles,
//! above all in the first steps. Here a round without singles counts too, with the number of distinct conclusions of
//! the best priority of its rung.
//!
//! **Refutation.** The same author, "Difficulty Rating of Sudoku Puzzles by a Computational Model", 2011: a person who
//! sees no single refutes all candidates of a cell but one. The cost of a candidate is the least number of singles that
//! lead from it to a contradiction, and the person takes the cell with the least sum. Here all singles of a round are
//! placed together. The cost of a candidate is the number of rounds; the assumption is the first of them. All cells
//! with the least sum are filled. So the cost depends on no order and needs no search. Where no cell can be filled, the
//! candidates that are refuted in the fewest rounds are removed, at the cost of these rounds. So exactly the puzzles of
//! T&E depth 0 and 1 have a cost.

use crate::board::candidates::at_width;
use crate::board::{Candidates, Cell, CellSet, Digit, Digits, Puzzle, Shape};
use crate::solve::{Budget, Verdict, verdict};

use super::depth::views::{PLACED, Views};
use super::position::Position;
use crate::rate::climb::find::find;
use crate::rate::climb::rounds::{Passed, rate, rate_with_passed};
use crate::rate::ladder::list::{AnySink, Keep, StepList};
use crate::rate::ladder::sink::{Conclusion, Pattern};
use crate::rate::{Family, Ladder, Rating, Step, Technique};

/// What is known of a number of [`Effort`].
pub struct EffortInfo {
    /// Its name: the field.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// The meaning.
    pub about: &'static str,
    /// Reads the number.
    pub get: fn(&Effort) -> Option<u32>,
    /// Writes the number.
    pub set: fn(&mut Effort, Option<u32>),
}

/// Makes [`Effort`] and [`EFFORTS`]. An entry: the meaning, the name, the unit.
macro_rules! efforts {
    ($($(#[doc = $about:literal])+ $name:ident, $unit:literal;)+) => {
        /// Numbers about a puzzle. All but the last are None if the ladder does not solve it or no cell is blank.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Effort {
            $($(#[doc = $about])+ pub $name: Option<u32>,)+
        }

        /// Every number, in the order of the files.
        pub const EFFORTS: [EffortInfo; [$($unit),+].len()] = [$(EffortInfo {
            name: stringify!($name),
            unit: $unit,
            about: concat!($($about),+).trim_ascii_start(),
            get: |effort| effort.$name,
            set: |effort, number| effort.$name = number,
        }),+];
    };
}

efforts! {
    /// rounds to the solution if each takes every open step of the simplest kind, singles being one kind
    rounds, "rounds";
    /// mean number of open steps in these rounds, in tenths (Pelánek's dependency, 2014)
    open_tenths, "tenths";
    /// fewest open steps in these rounds, up to the one that begins with half of the blank cells filled
    open_least, "steps";
    /// steps of the ladder above singles
    steps, "steps";
    /// sum of the scores of the steps above singles on HoDoKu's scale
    points, "points";
    /// share of the blank cells that are filled before the first step above singles; 100 if there is none
    singles_percent, "percent";
    /// share of the ladder's rounds before the first step of the hardest technique
    hardest_percent, "percent";
    /// longest run of the ladder's rounds that place no digit
    wait, "rounds";
    /// different techniques that the ladder uses
    kinds, "techniques";
    /// cost of refuting all candidates but one of the cheapest cell wherever there is no single, in rounds of singles
    /// (after Pelánek, 2011); null above T&E depth 1; boards up to 9x9
    refutation, "rounds";
}

/// The numbers of a puzzle with one solution, and its rating by the ladder.
pub fn effort(puzzle: &Puzzle, ladder: &Ladder) -> (Effort, Rating) {
    if !puzzle.shape().is_solvable() {
        return (Effort::default(), rate(puzzle, ladder));
    }
    at_width!(puzzle.shape(), S => {
        let (rating, steps, passed) = rate_with_passed::<S>(puzzle, ladder);
        let work = Work { puzzle, ladder, rating: &rating, passed };
        let (rounds, refutation) = match puzzle.shape() {
            Shape::NINE => work.of(Views::of_givens(puzzle)),
            _ => work.of(Candidates::<S>::new(puzzle)),
        };
        let numbers = rounds.map(|rounds| numbers(&rating, &steps, &rounds, puzzle.grid().holes() as u32));
        (Effort { refutation, ..numbers.unwrap_or_default() }, rating)
    })
}

/// `part` of `whole` in units of `1 / scale`, rounded.
fn scaled(part: u32, whole: u32, scale: u32) -> Option<u32> {
    (2 * part * scale + whole).checked_div(2 * whole)
}

/// All numbers but refutation. `steps` are those of the ladder, `rounds` those that take every open step; `blank` is
/// the number of cells without a given.
fn numbers(rating: &Rating, steps: &[Step], rounds: &[Round], blank: u32) -> Effort {
    let is_single = |technique: Technique| technique.info().family == Family::Singles;
    let above = steps.iter().filter(|step| !is_single(step.technique));
    let singles = steps.iter().take_while(|step| is_single(step.technique)).count() as u32;
    let hardest = steps.iter().find(|step| Some(step.technique) == rating.hardest).map_or(0, |step| step.round);
    // `since` is the round after the last one that placed a digit: a run without digits begins there.
    let (mut wait, mut since) = (0, 0);
    for step in steps {
        since = if step.eliminations.is_empty() { step.round + 1 } else { since };
        wait = wait.max(step.round + 1 - since);
    }
    // At least half of the blank cells are still to be filled when the round begins.
    let early = rounds.iter().filter(|round| 2 * round.blank >= blank);
    Effort {
        rounds: Some(rounds.len() as u32),
        open_tenths: scaled(rounds.iter().map(|round| round.steps).sum(), rounds.len() as u32, 10),
        open_least: early.map(|round| round.steps).min(),
        steps: Some(above.clone().count() as u32),
        points: Some(above.map(|step| step.technique.info().score).sum()),
        singles_percent: scaled(singles, blank, 100),
        hardest_percent: scaled(hardest, steps.last().map_or(0, |last| last.round + 1), 100),
        wait: Some(wait),
        kinds: Some(rating.counts.iter().filter(|&&count| count > 0).count() as u32),
        refutation: None,
    }
}

/// A round that takes everything of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Round {
    /// Blank cells before it.
    blank: u32,
    /// Distinct conclusions.
    steps: u32,
}

/// What is known of a puzzle after the ladder.
struct Work<'w, S> {
    puzzle: &'w Puzzle,
    ladder: &'w Ladder,
    rating: &'w Rating,
    /// The positions of the ladder without singles.
    passed: Vec<Passed<S>>,
}

impl<S: CellSet> Work<'_, S> {
    /// The rounds up to the solution, None if the ladder does not reach it or no cell is blank; and the refutation.
    /// `at` is the position of the givens.
    fn of(&self, mut at: impl Board<S>) -> (Option<Vec<Round>>, Option<u32>) {
        const SINGLES: [Technique; 3] =
            [Technique::NakedSingle, Technique::HiddenSingleBox, Technique::HiddenSingleLine];
        let fills = SINGLES.iter().all(|&single| self.ladder.has(single));
        let mut rounds = Vec::new();
        let holds = !fills || fill(&mut at, &mut rounds);
        let refutation = if self.puzzle.shape().order() <= 9 { refutation(self.puzzle, at.clone()) } else { None };
        let wanted = holds && self.rating.finished && self.puzzle.grid().holes() > 0;
        (if wanted { self.rounds(at, rounds, fills) } else { None }, refutation)
    }

    /// The rounds up to the solution: some `rounds`, and those from a position on. With `fills`, singles need no search.
    fn rounds(&self, mut at: impl Board<S>, mut rounds: Vec<Round>, fills: bool) -> Option<Vec<Round>> {
        let mut marks = None;
        while at.blank() > 0 {
            let is_here = |passed: &&Passed<S>| (0..).zip(&passed.left).all(|(digit, left)| at.left(digit) == *left);
            let passed = self.passed.iter().find(is_here);
            let found = match passed {
                Some(passed) => passed.best.clone(),
                None => {
                    let marks = marks.get_or_insert_with(|| Candidates::new(self.puzzle));
                    at.bring(marks);
                    self.simplest(marks)?
                }
            };
            let mut distinct = Vec::new();
            for (step, _) in found {
                if !distinct.contains(&step) {
                    distinct.push(step);
                }
            }
            rounds.push(Round { blank: at.blank(), steps: distinct.len() as u32 });
            distinct.iter().for_each(|step| at.take(step));
            if fills && !fill(&mut at, &mut rounds) {
                return None;
            }
        }
        Some(rounds)
    }

    /// All singles of a position, or else the instances of the best priority of the lowest rung that finds any.
    fn simplest(&self, marks: &Candidates<S>) -> Option<Vec<(Conclusion<S>, Pattern)>> {
        let is_single = |technique: Technique| technique.info().family == Family::Singles;
        let techniques = self.ladder.techniques();
        let singles = &techniques[..techniques.partition_point(|&technique| is_single(technique))];
        let position = Position::new(marks);
        let search = |rung: &[Technique], keep: Keep| {
            let mut found = StepList::new(keep);
            find(rung, &position, &mut AnySink::List(&mut found));
            Some(found.steps).filter(|steps| !steps.is_empty())
        };
        let mut above = self.ladder.rungs().filter(|rung| !is_single(rung[0]));
        search(singles, Keep::Conclusions).or_else(|| above.find_map(|rung| search(rung, Keep::BEST)))
    }
}

/// Takes rounds of singles until there are none. False on a contradiction.
fn fill<S: CellSet>(at: &mut impl Board<S>, rounds: &mut Vec<Round>) -> bool {
    loop {
        let blank = at.blank();
        match at.place_singles() {
            Some(0) => return true,
            Some(steps) => rounds.push(Round { blank, steps }),
            None => return false,
        }
    }
}

/// A position in which candidates are assumed and singles are placed.
trait Board<S: CellSet>: Clone {
    /// Places all singles together and gives their number. None on a contradiction.
    fn place_singles(&mut self) -> Option<u32>;

    /// Rounds from the assumption of a candidate to a contradiction; None if there is none within `limit` rounds. The
    /// assumption is the first round; each further one places all singles together.
    fn cost(&self, cell: Cell, digit: Digit, limit: u32) -> Option<u32>;

    fn place(&mut self, cell: Cell, digit: Digit);

    fn remove(&mut self, cell: Cell, digit: Digit);

    /// The number of open cells.
    fn blank(&self) -> u32;

    /// The open cells that may have a digit, by its index.
    fn left(&self, digit: usize) -> S;

    /// The cells in which a digit was placed.
    fn stands(&self, digit: usize) -> S;

    fn take(&mut self, step: &Conclusion<S>) {
        match step {
            Conclusion::Place(cell, digit) => self.place(*cell, *digit),
            Conclusion::Eliminate(out) => {
                out.iter().for_each(|&(digit, cells)| cells.cells().for_each(|cell| self.remove(cell, digit)));
            }
        }
    }

    /// Makes an earlier position the same.
    fn bring(&self, marks: &mut Candidates<S>) {
        for digit in Digits::all(marks.order()) {
            (self.stands(digit.index()) & marks.open()).cells().for_each(|cell| marks.place(cell, digit));
        }
        for digit in Digits::all(marks.order()) {
            let gone = marks.of_digit(digit) - self.left(digit.index());
            gone.cells().for_each(|cell| marks.eliminate(cell, digit));
        }
    }
}

impl<S: CellSet> Board<S> for Candidates<S> {
    fn place_singles(&mut self) -> Option<u32> {
        let naked = self.with(1).cells().filter_map(|cell| Some((cell, self.of_cell(cell).single()?)));
        let mut found: Vec<(Cell, Digit)> = naked.collect();
        for digit in Digits::all(self.order()) {
            let places = |house| (self.of_digit(digit) & self.house(house)).first();
            found.extend(self.with_places(digit, 1).iter().filter_map(places).map(|cell| (cell, digit)));
        }
        let before = self.blank();
        for (cell, digit) in found {
            if self.value(cell) != Some(digit) {
                Candidates::place(self, cell, digit);
            }
        }
        (!self.is_broken()).then(|| before - self.blank())
    }

    fn cost(&self, cell: Cell, digit: Digit, limit: u32) -> Option<u32> {
        let mut marks = self.clone();
        Candidates::place(&mut marks, cell, digit);
        let mut rounds = 1;
        while !marks.is_broken() {
            if rounds >= limit || marks.place_singles() == Some(0) {
                return None;
            }
            rounds += 1;
        }
        (rounds <= limit).then_some(rounds)
    }

    fn place(&mut self, cell: Cell, digit: Digit) {
        Candidates::place(self, cell, digit);
    }

    fn remove(&mut self, cell: Cell, digit: Digit) {
        self.eliminate(cell, digit);
    }

    fn blank(&self) -> u32 {
        Candidates::open(self).len() as u32
    }

    fn left(&self, digit: usize) -> S {
        self.of_digits()[digit]
    }

    fn stands(&self, digit: usize) -> S {
        Candidates::stands(self, Digit::new(digit as u16 + 1))
    }
}

/// 9x9 boards, five times as fast.
impl<S: CellSet> Board<S> for Views {
    fn place_singles(&mut self) -> Option<u32> {
        self.place_round()
    }

    fn cost(&self, cell: Cell, digit: Digit, limit: u32) -> Option<u32> {
        self.rounds_to_contradiction(9 * cell.index() + digit.index(), limit)
    }

    fn place(&mut self, cell: Cell, digit: Digit) {
        self.meet(&PLACED[9 * cell.index() + digit.index()]);
    }

    fn remove(&mut self, cell: Cell, digit: Digit) {
        Views::remove(self, 9 * cell.index() + digit.index());
    }

    fn blank(&self) -> u32 {
        81 - self.known()
    }

    fn left(&self, digit: usize) -> S {
        S::from_low(self.cells_of(digit)[0])
    }

    fn stands(&self, digit: usize) -> S {
        S::from_low(self.cells_of(digit)[1])
    }
}

/// The cost of refutation. None if the puzzle is not solved when no more candidates can be refuted. Candidates of the
/// solution are never refuted, so they are not assumed.
fn refutation<S: CellSet>(puzzle: &Puzzle, mut position: impl Board<S>) -> Option<u32> {
    if fill(&mut position, &mut Vec::new()) && position.blank() == 0 {
        return Some(0);
    }
    let Verdict::Unique(solution) = verdict(puzzle, Budget::UNLIMITED) else { return None };
    let mut total = 0;
    while fill(&mut position, &mut Vec::new()) {
        if position.blank() == 0 {
            return Some(total);
        }
        let mut wrong = vec![Digits::EMPTY; puzzle.shape().cells()];
        for digit in Digits::all(puzzle.shape().order()) {
            position.left(digit.index()).cells().for_each(|cell| wrong[cell.index()].insert(digit));
        }
        let of_open = |(cell, digits): (usize, Digits)| {
            let cell = Cell::new(cell);
            (!digits.is_empty()).then(|| (cell, digits - Digits::only(solution.digit(cell))))
        };
        let mut open: Vec<(Cell, Digits)> = wrong.into_iter().enumerate().filter_map(of_open).collect();
        // Cells with few candidates are cheap. Then the limit is low for the others.
        open.sort_unstable_by_key(|(_, wrong)| wrong.len());
        if let Some((cost, filled)) = cheapest(&open, |(cell, wrong), limit| of_all(&position, cell, wrong, limit)) {
            total += cost;
            filled.into_iter().for_each(|(cell, _)| position.place(cell, solution.digit(cell)));
            continue;
        }
        // No cell can be filled: single candidates are refuted, and removed.
        let each = |&(cell, wrong): &(Cell, Digits)| wrong.iter().map(move |digit| (cell, digit));
        let all: Vec<(Cell, Digit)> = open.iter().flat_map(each).collect();
        let (cost, removed) = cheapest(&all, |(cell, digit), limit| position.cost(cell, digit, limit))?;
        total += cost;
        removed.into_iter().for_each(|(cell, digit)| position.remove(cell, digit));
    }
    None
}

/// The least cost of some things, and all things with that cost; None if none has a cost. `cost` gets a thing and the
/// least cost so far, and returns None for what costs more.
fn cheapest<T: Copy>(things: &[T], cost: impl Fn(T, u32) -> Option<u32>) -> Option<(u32, Vec<T>)> {
    let (mut least, mut all) = (u32::MAX, Vec::new());
    for &thing in things {
        let Some(cost) = cost(thing, least) else { continue };
        if cost < least {
            all.clear();
        }
        least = cost;
        all.push(thing);
    }
    (!all.is_empty()).then_some((least, all))
}

/// The cost of refuting some candidates of a cell, at most `limit`.
fn of_all<S: CellSet>(position: &impl Board<S>, cell: Cell, digits: Digits, limit: u32) -> Option<u32> {
    let mut cost = 0;
    for (digit, others) in digits.iter().zip((0..digits.len() as u32).rev()) {
        // Each of the others costs one round or more.
        cost += position.cost(cell, digit, limit.checked_sub(cost + others)?)?;
    }
    Some(cost)
}

#[cfg(test)]
mod tests;
