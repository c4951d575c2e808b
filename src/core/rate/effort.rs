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
use crate::rate::climb::rounds::{LowestRungs, rate, rate_with_rungs};
use crate::rate::ladder::list::{AnySink, Keep, StepList};
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
    let blank = puzzle.grid().holes() as u32;
    let (rating, steps, rounds, refutation) = at_width!(puzzle.shape(), S => {
        let (rating, steps, lowest) = rate_with_rungs::<S>(puzzle, ladder);
        let marks = Candidates::<S>::new(puzzle);
        let refutation = match puzzle.shape() {
            shape if shape == Shape::NINE => refutation(puzzle, Views::of_givens(puzzle)),
            shape if shape.order() <= 9 => refutation(puzzle, marks.clone()),
            _ => None,
        };
        let rounds = if rating.finished && blank > 0 { rounds(marks, ladder, &lowest) } else { None };
        (rating, steps, rounds, refutation)
    });
    let numbers = rounds.map(|rounds| numbers(&rating, &steps, &rounds, blank)).unwrap_or_default();
    (Effort { refutation, ..numbers }, rating)
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

/// The rounds up to the solution if each takes every open step of the simplest kind; None if the ladder does not reach
/// it. `lowest`: the lowest rung with a step, as the ladder has found it in some positions.
fn rounds<S: CellSet>(mut marks: Candidates<S>, ladder: &Ladder, lowest: &LowestRungs<S>) -> Option<Vec<Round>> {
    let is_single = |technique: Technique| technique.info().family == Family::Singles;
    let singles = &ladder.techniques()[..ladder.techniques().partition_point(|&technique| is_single(technique))];
    let mut rounds = Vec::new();
    while !marks.open().is_empty() {
        let position = Position::new(&marks);
        // The steps of a rung; None if it has none here.
        let search = |rung: &[Technique], keep: Keep| {
            let mut found = StepList::new(keep);
            find(rung, &position, &mut AnySink::List(&mut found));
            Some(found.steps).filter(|steps| !steps.is_empty())
        };
        let above = || {
            // Where the ladder was in this position, rungs below the one that it used find nothing.
            let known = lowest.iter().find(|(left, _)| left == marks.of_digits());
            let rungs = ladder.rungs().skip(known.map_or(0, |&(_, rung)| rung));
            rungs.filter(|rung| !is_single(rung[0])).find_map(|rung| search(rung, Keep::BEST))
        };
        // Several patterns may lead to one conclusion, which counts once.
        let mut distinct = Vec::new();
        for (step, _) in search(singles, Keep::Conclusions).or_else(above)? {
            if !distinct.contains(&step) {
                distinct.push(step);
            }
        }
        rounds.push(Round { blank: marks.open().len() as u32, steps: distinct.len() as u32 });
        distinct.iter().for_each(|step| step.take(&mut marks));
        if marks.is_broken() {
            return None;
        }
    }
    Some(rounds)
}

/// A position in which candidates are assumed and singles are placed.
trait Refutable {
    /// Places singles until there are none. False on a contradiction.
    fn settle(&mut self) -> bool;

    /// The candidates of the open cells.
    fn open(&self) -> Vec<(Cell, Digits)>;

    /// Rounds from the assumption of a candidate to a contradiction; None if there is none within `limit` rounds. The
    /// assumption is the first round; each further one places all singles together.
    fn cost(&self, cell: Cell, digit: Digit, limit: u32) -> Option<u32>;

    fn place(&mut self, cell: Cell, digit: Digit);

    fn remove(&mut self, cell: Cell, digit: Digit);
}

impl<S: CellSet> Refutable for Candidates<S> {
    fn settle(&mut self) -> bool {
        while place_singles(self) {}
        !self.is_broken()
    }

    fn open(&self) -> Vec<(Cell, Digits)> {
        Candidates::open(self).cells().map(|cell| (cell, self.of_cell(cell))).collect()
    }

    fn cost(&self, cell: Cell, digit: Digit, limit: u32) -> Option<u32> {
        let mut marks = self.clone();
        Candidates::place(&mut marks, cell, digit);
        let mut rounds = 1;
        while !marks.is_broken() {
            if rounds >= limit || !place_singles(&mut marks) {
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
}

/// 9x9 boards, five times as fast.
impl Refutable for Views {
    fn settle(&mut self) -> bool {
        self.place_singles(&PLACED)
    }

    fn open(&self) -> Vec<(Cell, Digits)> {
        let cells = (0..81).map(|cell| (Cell::new(cell), Digits(self.open_values(cell).into())));
        cells.filter(|(_, digits)| !digits.is_empty()).collect()
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
}

/// The cost of refutation of a puzzle, in rounds; see the head of this file. None if it has not one solution, or is not
/// solved when no more candidates can be refuted. Candidates of the solution are never refuted, so they are not
/// assumed.
fn refutation(puzzle: &Puzzle, mut position: impl Refutable) -> Option<u32> {
    let Verdict::Unique(solution) = verdict(puzzle, Budget::UNLIMITED) else { return None };
    let mut total = 0;
    while position.settle() {
        // The open cells with their wrong candidates.
        let is_wrong = |(cell, digits)| (cell, digits - Digits::only(solution.digit(cell)));
        let mut open: Vec<(Cell, Digits)> = position.open().into_iter().map(is_wrong).collect();
        if open.is_empty() {
            return Some(total);
        }
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

/// The sum of the costs of refuting some candidates of a cell; None if one is not refuted, or if the sum is more than
/// `limit`.
fn of_all(position: &impl Refutable, cell: Cell, digits: Digits, limit: u32) -> Option<u32> {
    let mut cost = 0;
    for (digit, others) in digits.iter().zip((0..digits.len() as u32).rev()) {
        // Each of the others costs one round or more.
        cost += position.cost(cell, digit, limit.checked_sub(cost + others)?)?;
    }
    Some(cost)
}

/// Places all singles of a position together; those that exclude each other break it. False if there is none.
fn place_singles<S: CellSet>(marks: &mut Candidates<S>) -> bool {
    let naked = marks.with(1).cells().filter_map(|cell| Some((cell, marks.of_cell(cell).single()?)));
    let mut found: Vec<(Cell, Digit)> = naked.collect();
    for digit in Digits::all(marks.order()) {
        let places = |house| (marks.of_digit(digit) & marks.house(house)).first();
        found.extend(marks.with_places(digit, 1).iter().filter_map(places).map(|cell| (cell, digit)));
    }
    for &(cell, digit) in &found {
        if marks.value(cell) != Some(digit) {
            marks.place(cell, digit);
        }
    }
    !found.is_empty()
}

#[cfg(test)]
mod tests;
