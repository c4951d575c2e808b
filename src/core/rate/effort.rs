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

use super::depth::views::{Row, Views};
use super::position::Position;
use crate::rate::climb::find::find;
use crate::rate::climb::rounds::{Watch, climb, rate};
use crate::rate::ladder::choice::Instance;
use crate::rate::ladder::list::{AnySink, Keep, StepList};
use crate::rate::ladder::sink::{Conclusion, Pattern};
use crate::rate::{Family, Ladder, Limit, Rating, Technique};

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
        let mut log = Log { steps: Vec::new(), passed: Vec::new() };
        let rating = climb::<S>(puzzle, ladder, &Limit::NONE, None, &mut log);
        let work = Work { puzzle, ladder, rating: &rating, log: &log };
        let (rounds, refutation) = match puzzle.shape() {
            Shape::NINE => work.of(Views::of_givens(puzzle)),
            _ => work.of(Candidates::<S>::new(puzzle)),
        };
        let numbers = rounds.map(|rounds| numbers(&rating, &log.steps, &rounds, puzzle.grid().holes() as u32));
        (Effort { refutation, ..numbers.unwrap_or_default() }, rating)
    })
}

/// What effort needs to know of the ladder.
struct Log<S> {
    /// For each step its round and its technique, and whether it places a digit.
    steps: Vec<(u32, Technique, bool)>,
    passed: Vec<Passed<S>>,
}

/// A position of the ladder without singles.
struct Passed<S> {
    /// The cells in which each digit is possible.
    left: Vec<S>,
    /// The instances of the best priority of the lowest rung that finds something.
    best: Vec<(Conclusion<S>, Pattern)>,
}

impl<S: CellSet> Watch<S> for Log<S> {
    fn wants_best(&self) -> bool {
        true
    }

    fn pass(&mut self, marks: &Candidates<S>, _: usize, best: Vec<(Conclusion<S>, Pattern)>) {
        self.passed.push(Passed { left: marks.of_digits().to_vec(), best });
    }

    fn take(&mut self, round: u32, step: &mut Instance<S>) {
        self.steps.push((round, step.technique, matches!(step.conclusion, Conclusion::Place(..))));
    }
}

/// `part` of `whole` in units of `1 / scale`, rounded.
fn scaled(part: u32, whole: u32, scale: u32) -> Option<u32> {
    (2 * part * scale + whole).checked_div(2 * whole)
}

/// All numbers but refutation. `steps` are those of the [`Log`], `rounds` those that take every open step; `blank` is
/// the number of cells without a given.
fn numbers(rating: &Rating, steps: &[(u32, Technique, bool)], rounds: &[Round], blank: u32) -> Effort {
    let is_single = |technique: Technique| technique.info().family == Family::Singles;
    let above = steps.iter().map(|step| step.1).filter(|&technique| !is_single(technique));
    let singles = steps.iter().take_while(|step| is_single(step.1)).count() as u32;
    let hardest = steps.iter().find(|step| Some(step.1) == rating.hardest).map_or(0, |step| step.0);
    // `since` is the round after the last one that placed a digit: a run without digits begins there.
    let (mut wait, mut since) = (0, 0);
    for &(round, _, places) in steps {
        since = if places { round + 1 } else { since };
        wait = wait.max(round + 1 - since);
    }
    // At least half of the blank cells are still to be filled when the round begins.
    let early = rounds.iter().filter(|round| 2 * round.blank >= blank);
    Effort {
        rounds: Some(rounds.len() as u32),
        open_tenths: scaled(rounds.iter().map(|round| round.steps).sum(), rounds.len() as u32, 10),
        open_least: early.map(|round| round.steps).min(),
        steps: Some(above.clone().count() as u32),
        points: Some(above.map(|technique| technique.info().score).sum()),
        singles_percent: scaled(singles, blank, 100),
        hardest_percent: scaled(hardest, steps.last().map_or(0, |last| last.0 + 1), 100),
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
    log: &'w Log<S>,
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
        // The ladder's positions after those that were met.
        let (mut later, mut marks) = (&self.log.passed[..], None);
        while at.blank() > 0 {
            let is_here = |passed: &Passed<S>| (0..).zip(&passed.left).all(|(digit, left)| at.left(digit) == *left);
            let found = match later.iter().position(is_here) {
                Some(here) => {
                    let passed = &later[here];
                    later = &later[here + 1..];
                    passed.best.clone()
                }
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
fn fill<S: CellSet, B: Board<S>>(at: &mut B, rounds: &mut Vec<Round>) -> bool {
    let mut found = at.place_all(&B::Singles::default());
    while let Some(singles) = found {
        if singles == B::Singles::default() {
            return true;
        }
        let blank = at.blank();
        found = at.place_all(&singles);
        rounds.push(Round { blank, steps: blank - at.blank() });
    }
    false
}

/// A position in which candidates are assumed and singles are placed.
trait Board<S: CellSet>: Clone {
    /// Candidates that are the last of a cell or of a digit in a house.
    type Singles: Default + PartialEq;

    /// Places singles together, and gives those that are left. None on a contradiction.
    fn place_all(&mut self, singles: &Self::Singles) -> Option<Self::Singles>;

    /// The position after a candidate is assumed, without singles that follow.
    fn assume(&self, cell: Cell, digit: Digit) -> Self {
        let mut assumed = self.clone();
        assumed.place(cell, digit);
        assumed
    }

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
    type Singles = Vec<(Cell, Digit)>;

    fn place_all(&mut self, singles: &Vec<(Cell, Digit)>) -> Option<Vec<(Cell, Digit)>> {
        for &(cell, digit) in singles {
            if self.value(cell) != Some(digit) {
                Candidates::place(self, cell, digit);
            }
        }
        let naked = self.with(1).cells().filter_map(|cell| Some((cell, self.of_cell(cell).single()?)));
        let mut found: Vec<(Cell, Digit)> = naked.collect();
        for digit in Digits::all(self.order()) {
            let places = |house| (self.of_digit(digit) & self.house(house)).first();
            found.extend(self.with_places(digit, 1).iter().filter_map(places).map(|cell| (cell, digit)));
        }
        (!self.is_broken()).then_some(found)
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
    type Singles = Row;

    fn place_all(&mut self, singles: &Row) -> Option<Row> {
        self.place_round(singles)
    }

    fn assume(&self, cell: Cell, digit: Digit) -> Self {
        self.after(9 * cell.index() + digit.index())
    }

    fn place(&mut self, cell: Cell, digit: Digit) {
        *self = Board::<S>::assume(self, cell, digit);
    }

    fn remove(&mut self, cell: Cell, digit: Digit) {
        Views::remove(self, 9 * cell.index() + digit.index());
    }

    fn blank(&self) -> u32 {
        81 - self.known()
    }

    fn left(&self, digit: usize) -> S {
        S::from_low(self.open_cells(digit))
    }

    fn stands(&self, digit: usize) -> S {
        S::from_low(self.settled_cells(digit))
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
        let open: Vec<(Cell, Digits)> = wrong.into_iter().enumerate().filter_map(of_open).collect();
        if let Some((cost, filled)) = cheapest(&position, open.iter().copied()) {
            total += cost;
            filled.into_iter().for_each(|(cell, _)| position.place(cell, solution.digit(cell)));
            continue;
        }
        // No cell can be filled: single candidates are refuted, and removed.
        let each = |&(cell, wrong): &(Cell, Digits)| wrong.iter().map(move |digit| (cell, Digits::only(digit)));
        let (cost, removed) = cheapest(&position, open.iter().flat_map(each))?;
        total += cost;
        let removed = removed.into_iter().flat_map(|(cell, digits)| digits.iter().map(move |digit| (cell, digit)));
        removed.for_each(|(cell, digit)| position.remove(cell, digit));
    }
    None
}

/// Candidates of a cell that are refuted one after the other.
struct Refuted<S: CellSet, B: Board<S>> {
    cell: Cell,
    digits: Digits,
    /// Those that are not refuted yet.
    left: Digits,
    /// The position after the first of them was assumed, with the singles to place next; None before.
    trial: Option<(B, B::Singles)>,
    /// The least that all of them may cost: each of those not assumed yet takes one round or more.
    cost: u32,
}

impl<S: CellSet, B: Board<S>> Refuted<S, B> {
    /// Goes on as long as the cost may be within a limit. False if a candidate cannot be refuted.
    fn go_on(&mut self, position: &B, limit: u32) -> bool {
        while self.cost <= limit {
            let Some(digit) = self.left.iter().next() else { return true };
            let assume = || (position.assume(self.cell, digit), B::Singles::default());
            let (board, singles) = self.trial.get_or_insert_with(assume);
            match board.place_all(singles) {
                None => {
                    self.left.remove(digit);
                    self.trial = None;
                }
                Some(none) if none == B::Singles::default() => return false,
                Some(next) => {
                    *singles = next;
                    self.cost += 1;
                }
            }
        }
        true
    }
}

/// The least cost of refuting all of some candidates of a cell, and all with that cost; None if none can be refuted. No
/// candidate is followed for more rounds than this cost makes necessary.
fn cheapest<S: CellSet, B: Board<S>>(
    position: &B,
    candidates: impl Iterator<Item = (Cell, Digits)>,
) -> Option<(u32, Vec<(Cell, Digits)>)> {
    let begin =
        |(cell, digits): (Cell, Digits)| Refuted { cell, digits, left: digits, trial: None, cost: digits.len() as u32 };
    let mut all: Vec<Refuted<S, B>> = candidates.map(begin).collect();
    let mut limit = 0;
    while !all.is_empty() {
        all.retain_mut(|refuted| refuted.go_on(position, limit));
        let done = all.iter().filter(|refuted| refuted.left.is_empty());
        let found: Vec<(Cell, Digits)> = done.map(|refuted| (refuted.cell, refuted.digits)).collect();
        if !found.is_empty() {
            return Some((limit, found));
        }
        limit += 1;
    }
    None
}

#[cfg(test)]
mod tests;
