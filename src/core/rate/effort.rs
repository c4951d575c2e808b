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

use std::collections::BTreeSet;

use crate::board::candidates::at_width;
use crate::board::{Candidates, Cell, CellSet, Digit, Digits, Puzzle, Shape};

use super::climb::rate_with_steps;
use super::depth::views::{PLACED, Views};
use super::position::Position;
use super::search::find;
use super::sink::{AnySink, Conclusion, Keep, StepList};
use super::{Family, Ladder, Rating, Step, Technique};

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
    let (rating, steps) = rate_with_steps(puzzle, ladder, false);
    if !puzzle.shape().is_solvable() {
        return (Effort::default(), rating);
    }
    let blank = puzzle.grid().holes() as u32;
    let (rounds, refutation) = at_width!(puzzle.shape(), S => {
        let marks = Candidates::<S>::new(puzzle);
        let refutation = match puzzle.shape() {
            Shape::NINE => refutation(Views::of_givens(puzzle)),
            shape if shape.order() <= 9 => refutation(marks.clone()),
            _ => None,
        };
        (if rating.finished && blank > 0 { rounds(marks, ladder) } else { None }, refutation)
    });
    let numbers = rounds.map(|rounds| numbers(&rating, &steps, &rounds, blank)).unwrap_or_default();
    (Effort { refutation, ..numbers }, rating)
}

/// `part` of `whole` in units of `1 / scale`, rounded.
fn scaled(part: u32, whole: u32, scale: u32) -> Option<u32> {
    (2 * part * scale + whole).checked_div(2 * whole)
}

fn numbers(rating: &Rating, steps: &[Step], rounds: &[Round], blank: u32) -> Effort {
    let is_single = |technique: Technique| technique.info().family == Family::Singles;
    let above = steps.iter().filter(|step| !is_single(step.technique));
    let singles = steps.iter().take_while(|step| is_single(step.technique)).count() as u32;
    let hardest = steps.iter().find(|step| Some(step.technique) == rating.hardest).map_or(0, |step| step.round);
    let (mut wait, mut since) = (0, 0);
    for step in steps {
        since = if step.eliminations.is_empty() { step.round + 1 } else { since };
        wait = wait.max(step.round + 1 - since);
    }
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

/// The rounds up to the solution; None if the ladder does not reach it.
fn rounds<S: CellSet>(mut marks: Candidates<S>, ladder: &Ladder) -> Option<Vec<Round>> {
    let singles = ladder.techniques().iter().take_while(|technique| technique.info().family == Family::Singles).count();
    let mut rounds = Vec::new();
    while !marks.open().is_empty() {
        let position = Position::new(&marks);
        let mut placed = StepList::new(Keep::Conclusions);
        find(&ladder.techniques()[..singles], &position, &mut AnySink::List(&mut placed));
        let kinds = ladder.rungs().filter(|rung| rung[0].info().family != Family::Singles);
        let found = std::iter::once(placed).chain(kinds.map(|rung| {
            let mut found = StepList::new(Keep::BEST);
            find(rung, &position, &mut AnySink::List(&mut found));
            found
        }));
        let found = found.map(|found| found.steps).find(|steps| !steps.is_empty())?;
        let distinct: BTreeSet<Vec<(Cell, Digit)>> = found.iter().map(|(step, _)| candidates(step)).collect();
        rounds.push(Round { blank: marks.open().len() as u32, steps: distinct.len() as u32 });
        marks.next_round();
        for (step, _) in found {
            if !matches!(step, Conclusion::Place(cell, _) if !marks.open().contains(cell)) {
                step.take(&mut marks);
            }
        }
        if marks.is_broken() {
            return None;
        }
    }
    Some(rounds)
}

fn candidates<S: CellSet>(conclusion: &Conclusion<S>) -> Vec<(Cell, Digit)> {
    match conclusion {
        Conclusion::Place(cell, digit) => vec![(*cell, *digit)],
        Conclusion::Eliminate(out) => {
            out.iter().flat_map(|&(digit, cells)| cells.cells().map(move |cell| (cell, digit))).collect()
        }
    }
}

/// A position in which candidates are assumed and singles are placed.
trait Refutable {
    /// Places singles until there are none. False on a contradiction.
    fn settle(&mut self) -> bool;

    /// The candidates of the open cells.
    fn open(&self) -> Vec<(Cell, Digits)>;

    /// Rounds from an assumption to a contradiction, at most `limit`. A round places all singles together.
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
        let digits = |cell| Digits::all(9).iter().filter(|digit| self.is_open(9 * cell + digit.index())).collect();
        let cells = (0..81).map(|cell| (Cell::new(cell), digits(cell)));
        cells.filter(|(_, digits): &(Cell, Digits)| !digits.is_empty()).collect()
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

/// The cost of refutation. None if the puzzle is not solved when no more candidates can be refuted.
fn refutation(mut position: impl Refutable) -> Option<u32> {
    let mut total = 0;
    loop {
        if !position.settle() {
            return None;
        }
        let open = position.open();
        if open.is_empty() {
            return Some(total);
        }
        let of_cell = |(cell, digits), limit| {
            let (cost, digit) = cost_of_cell(&position, cell, digits, limit)?;
            Some((cost, (cell, digit)))
        };
        if let Some((cost, filled)) = cheapest(open.iter().copied(), of_cell) {
            total += cost;
            filled.into_iter().for_each(|(cell, digit)| position.place(cell, digit));
            continue;
        }
        let all = open.iter().flat_map(|&(cell, digits)| digits.iter().map(move |digit| (cell, digit)));
        let rounds = |(cell, digit), limit| Some((position.cost(cell, digit, limit)?, (cell, digit)));
        let (cost, removed) = cheapest(all, rounds)?;
        total += cost;
        removed.into_iter().for_each(|(cell, digit)| position.remove(cell, digit));
    }
}

/// The least cost of some things, and the results of all with that cost. `cost` gets the least so far as a limit.
fn cheapest<T>(
    things: impl Iterator<Item = T>,
    cost: impl Fn(T, u32) -> Option<(u32, (Cell, Digit))>,
) -> Option<(u32, Vec<(Cell, Digit)>)> {
    let (mut least, mut all) = (u32::MAX, Vec::new());
    for thing in things {
        let Some((cost, result)) = cost(thing, least) else { continue };
        if cost < least {
            all.clear();
        }
        least = cost;
        all.push(result);
    }
    (!all.is_empty()).then_some((least, all))
}

/// The cost of refuting all candidates of a cell but one, and the candidate that is left. None if the cost is above a
/// limit, or if several candidates are left.
fn cost_of_cell(position: &impl Refutable, cell: Cell, digits: Digits, limit: u32) -> Option<(u32, Digit)> {
    let (mut cost, mut left) = (0, None);
    for digit in digits {
        match position.cost(cell, digit, limit - cost) {
            Some(rounds) => cost += rounds,
            None if left.is_some() => return None,
            None => left = Some(digit),
        }
    }
    left.map(|digit| (cost, digit))
}

/// Places all singles of a position together; those that exclude each other break it. False if there is none.
fn place_singles<S: CellSet>(marks: &mut Candidates<S>) -> bool {
    let naked = marks.with_one().cells().filter_map(|cell| Some((cell, marks.of_cell(cell).single()?)));
    let mut found: Vec<(Cell, Digit)> = naked.collect();
    for digit in Digits::all(marks.order()) {
        let places = |house| (marks.of_digit(digit) & marks.house(house)).first();
        found.extend(marks.with_one_place(digit).iter().filter_map(places).map(|cell| (cell, digit)));
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
