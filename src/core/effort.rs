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
use crate::board::{Candidates, Cell, CellSet, Digit, Digits, Narrow, Puzzle};
use crate::solve::{Budget, Verdict, verdict};

use crate::ladder::climb::find::find;
use crate::ladder::climb::rounds::{Watch, climb, rate};
use crate::ladder::position::Position;
use crate::ladder::words::choice::Instance;
use crate::ladder::words::list::{AnySink, Keep, StepList};
use crate::ladder::words::sink::{Conclusion, Pattern};
use crate::ladder::{Family, Ladder, Limit, Rating, Technique};

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
    /// fewest open steps in these rounds, up to the one that begins with half of the empty cells filled
    open_least, "steps";
    /// steps of the ladder above singles
    steps, "steps";
    /// sum of the scores of the steps above singles on HoDoKu's scale
    points, "points";
    /// share of the empty cells that are filled before the first step above singles; 100 if there is none
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
        let rating = climb::<S>(puzzle, ladder, &Limit::NONE, &mut log);
        let effort = RatedPuzzle { puzzle, ladder, rating: &rating, log: &log }.effort();
        (effort, rating)
    })
}

/// What effort needs to know of the ladder's way to the solution.
struct Log<S> {
    steps: Vec<LoggedStep>,
    passed: Vec<PassedPosition<S>>,
}

struct LoggedStep {
    round: u32,
    technique: Technique,
    places_digit: bool,
}

/// A position of the ladder without singles.
struct PassedPosition<S> {
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
        self.passed.push(PassedPosition { left: marks.of_digits().to_vec(), best });
    }

    fn take(&mut self, round: u32, step: &mut Instance<S>) {
        let places_digit = matches!(step.conclusion, Conclusion::Place(..));
        self.steps.push(LoggedStep { round, technique: step.technique, places_digit });
    }
}

fn is_single(technique: Technique) -> bool {
    technique.info().family == Family::Singles
}

/// `part` of `whole` in units of `1 / scale`, rounded.
fn scaled(part: u32, whole: u32, scale: u32) -> Option<u32> {
    (2 * part * scale + whole).checked_div(2 * whole)
}

/// A round that takes everything of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Round {
    /// Open cells before it.
    open: u32,
    /// Distinct conclusions.
    steps: u32,
}

struct RatedPuzzle<'w, S> {
    puzzle: &'w Puzzle,
    ladder: &'w Ladder,
    rating: &'w Rating,
    log: &'w Log<S>,
}

impl<S: CellSet> RatedPuzzle<'_, S> {
    fn effort(&self) -> Effort {
        const SINGLES: [Technique; 3] =
            [Technique::NakedSingle, Technique::HiddenSingleBox, Technique::HiddenSingleLine];
        // If the ladder has all singles, they are found without a search.
        let fills = SINGLES.iter().all(|&single| self.ladder.has(single));
        let mut marks = Candidates::new(self.puzzle);
        let mut rounds = Vec::new();
        let is_sound = !fills || fill(&mut marks, &mut rounds);
        let mut effort = Effort::default();
        // The width is asked first, so that it is not compiled for the sets of larger boards.
        if const { size_of::<S>() <= size_of::<Narrow>() } && self.puzzle.shape().order() <= 9 {
            effort.refutation = refutation(self.puzzle, marks.clone());
        }
        let is_rated = is_sound && self.rating.finished && self.puzzle.grid().holes() > 0;
        if is_rated && self.finish(marks, &mut rounds, fills) {
            self.set_numbers(&rounds, &mut effort);
        }
        effort
    }

    /// Sets all numbers but refutation. The `rounds` take every open step.
    fn set_numbers(&self, rounds: &[Round], effort: &mut Effort) {
        let steps = &self.log.steps;
        let holes = self.puzzle.grid().holes() as u32;
        let above_singles = steps.iter().map(|step| step.technique).filter(|&technique| !is_single(technique));
        let first_singles = steps.iter().take_while(|step| is_single(step.technique)).count() as u32;
        let hardest = steps.iter().find(|step| Some(step.technique) == self.rating.hardest);
        let count = rounds.len() as u32;
        effort.rounds = Some(count);
        effort.open_tenths = scaled(rounds.iter().map(|round| round.steps).sum(), count, 10);
        let early_rounds = rounds.iter().filter(|round| 2 * round.open >= holes);
        effort.open_least = early_rounds.map(|round| round.steps).min();
        effort.steps = Some(above_singles.clone().count() as u32);
        effort.points = Some(above_singles.map(|technique| technique.info().score).sum());
        effort.singles_percent = scaled(first_singles, holes, 100);
        let ladder_rounds = steps.last().map_or(0, |last| last.round + 1);
        effort.hardest_percent = scaled(hardest.map_or(0, |step| step.round), ladder_rounds, 100);
        effort.wait = Some(longest_wait(steps));
        effort.kinds = Some(self.rating.counts.iter().filter(|&&count| count > 0).count() as u32);
    }

    /// Adds the rounds from a position to the solution. With `fills`, it has no singles. False if the ladder is stuck.
    fn finish(&self, mut marks: Candidates<S>, rounds: &mut Vec<Round>, fills: bool) -> bool {
        // The ladder's positions after those that were met.
        let mut later = &self.log.passed[..];
        while !marks.open().is_empty() {
            let met = later.iter().position(|passed| passed.left == marks.of_digits());
            let steps = match met {
                Some(index) => later[index].best.clone(),
                None => self.simplest(&marks),
            };
            if steps.is_empty() {
                return false;
            }
            later = &later[met.map_or(0, |index| index + 1)..];
            let mut distinct = Vec::new();
            for (step, _) in steps {
                if !distinct.contains(&step) {
                    distinct.push(step);
                }
            }
            rounds.push(Round { open: open_cells(&marks), steps: distinct.len() as u32 });
            distinct.iter().for_each(|step| step.take(&mut marks));
            if fills && !fill(&mut marks, rounds) {
                return false;
            }
        }
        true
    }

    /// All singles of a position, or else the instances of the best priority of the lowest rung that finds any.
    fn simplest(&self, marks: &Candidates<S>) -> Vec<(Conclusion<S>, Pattern)> {
        let techniques = self.ladder.techniques();
        let singles = &techniques[..techniques.partition_point(|&technique| is_single(technique))];
        let position = Position::new(marks);
        let mut simplest = instances(singles, &position, Keep::Conclusions);
        for rung in self.ladder.rungs().filter(|rung| !is_single(rung[0])) {
            if !simplest.is_empty() {
                break;
            }
            simplest = instances(rung, &position, Keep::BEST);
        }
        simplest
    }
}

/// The longest run of rounds that place no digit.
fn longest_wait(steps: &[LoggedStep]) -> u32 {
    let (mut longest, mut run_start) = (0, 0);
    for step in steps {
        if step.places_digit {
            run_start = step.round + 1;
        }
        longest = longest.max(step.round + 1 - run_start);
    }
    longest
}

fn instances<S: CellSet>(
    techniques: &[Technique],
    position: &Position<'_, S>,
    keep: Keep,
) -> Vec<(Conclusion<S>, Pattern)> {
    let mut instances = StepList::new(keep);
    find(techniques, position, &mut AnySink::List(&mut instances));
    instances.steps
}

fn open_cells<S: CellSet>(marks: &Candidates<S>) -> u32 {
    marks.open().len() as u32
}

/// Takes rounds of singles until there are none. False on a contradiction.
fn fill<S: CellSet>(marks: &mut Candidates<S>, rounds: &mut Vec<Round>) -> bool {
    let mut singles = place_all(marks, &[]);
    while let Some(round) = singles {
        if round.is_empty() {
            return true;
        }
        let open_before = open_cells(marks);
        singles = place_all(marks, &round);
        rounds.push(Round { open: open_before, steps: open_before - open_cells(marks) });
    }
    false
}

/// Places singles together, and gives those that follow, of cells and of digits in houses. None on a contradiction.
fn place_all<S: CellSet>(marks: &mut Candidates<S>, singles: &[(Cell, Digit)]) -> Option<Vec<(Cell, Digit)>> {
    for &(cell, digit) in singles {
        if marks.value(cell) != Some(digit) {
            marks.place(cell, digit);
        }
    }
    if marks.is_broken() {
        return None;
    }
    let naked = marks.with_candidates(1).cells().filter_map(|cell| Some((cell, marks.of_cell(cell).single()?)));
    let mut singles: Vec<(Cell, Digit)> = naked.collect();
    for digit in Digits::all(marks.order()) {
        for house in marks.with_places(digit, 1).iter() {
            singles.extend((marks.of_digit(digit) & marks.house(house)).first().map(|cell| (cell, digit)));
        }
    }
    Some(singles)
}

/// The cost of refutation. None if the puzzle is not solved when no more candidates can be refuted. Candidates of the
/// solution are never refuted, so they are not assumed.
fn refutation<S: CellSet>(puzzle: &Puzzle, mut position: Candidates<S>) -> Option<u32> {
    if fill(&mut position, &mut Vec::new()) && position.open().is_empty() {
        return Some(0);
    }
    let Verdict::Unique(solution) = verdict(puzzle, Budget::UNLIMITED) else { return None };
    let mut total = 0;
    while fill(&mut position, &mut Vec::new()) {
        if position.open().is_empty() {
            return Some(total);
        }
        let wrong = |cell| position.of_cell(cell) - Digits::only(solution.digit(cell));
        let cells = position.open().cells().map(|cell| Refutation::new(cell, wrong(cell))).collect();
        let filled = cheapest(&position, cells);
        if let Some(first) = filled.first() {
            total += first.cost;
            filled.iter().for_each(|refuted| position.place(refuted.cell, solution.digit(refuted.cell)));
            continue;
        }
        // No cell can be filled: single candidates are refuted, and removed.
        let mut candidates = Vec::new();
        for cell in position.open().cells() {
            candidates.extend(wrong(cell).iter().map(|digit| Refutation::new(cell, Digits::only(digit))));
        }
        let removed = cheapest(&position, candidates);
        total += removed.first()?.cost;
        for refuted in removed {
            refuted.digits.iter().for_each(|digit| position.eliminate(refuted.cell, digit));
        }
    }
    None
}

/// Candidates of a cell that are refuted one after the other.
struct Refutation<S: 'static> {
    cell: Cell,
    digits: Digits,
    /// Those that are not refuted yet.
    left: Digits,
    /// The position after the first of them was assumed; None before.
    assumed: Option<AssumedPosition<S>>,
    /// The least that all of them may cost: each of those not assumed yet takes one round or more.
    cost: u32,
}

/// The position after an assumption.
struct AssumedPosition<S: 'static> {
    marks: Candidates<S>,
    /// The singles to place next.
    singles: Vec<(Cell, Digit)>,
}

impl<S: CellSet> Refutation<S> {
    fn new(cell: Cell, digits: Digits) -> Refutation<S> {
        Refutation { cell, digits, left: digits, assumed: None, cost: digits.len() as u32 }
    }

    /// Goes on as long as the cost may be within a limit. False if a candidate cannot be refuted.
    fn go_on(&mut self, position: &Candidates<S>, limit: u32) -> bool {
        while self.cost <= limit {
            let Some(digit) = self.left.iter().next() else { return true };
            let assumption = || AssumedPosition { marks: position.clone(), singles: vec![(self.cell, digit)] };
            let assumed = self.assumed.get_or_insert_with(assumption);
            match place_all(&mut assumed.marks, &assumed.singles) {
                None => {
                    self.left.remove(digit);
                    self.assumed = None;
                }
                Some(singles) if singles.is_empty() => return false,
                Some(singles) => {
                    assumed.singles = singles;
                    self.cost += 1;
                }
            }
        }
        true
    }
}

/// The refutations that succeed at the least cost, if any. No candidate is followed for more rounds than needed.
fn cheapest<S: CellSet>(position: &Candidates<S>, mut open: Vec<Refutation<S>>) -> Vec<Refutation<S>> {
    let mut limit = 0;
    while !open.is_empty() {
        open.retain_mut(|refutation| refutation.go_on(position, limit));
        if open.iter().any(|refutation| refutation.left.is_empty()) {
            open.retain(|refutation| refutation.left.is_empty());
            break;
        }
        limit += 1;
    }
    open
}

#[cfg(test)]
mod tests;
