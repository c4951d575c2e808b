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
        let rating = climb::<S>(puzzle, ladder, &Limit::NONE, None, &mut log);
        let work = MeasuredPuzzle { puzzle, ladder, rating: &rating, log: &log };
        let (rounds, refutation) = work.rounds_and_refutation(Candidates::new(puzzle));
        let numbers = rounds.map(|rounds| numbers(&rating, &log.steps, &rounds, puzzle.grid().holes() as u32));
        (Effort { refutation, ..numbers.unwrap_or_default() }, rating)
    })
}

/// What effort needs to know of the ladder.
struct Log<S> {
    /// For each step its round and its technique, and whether it places a digit.
    steps: Vec<(u32, Technique, bool)>,
    passed: Vec<PassedPosition<S>>,
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
        self.steps.push((round, step.technique, matches!(step.conclusion, Conclusion::Place(..))));
    }
}

fn is_single(technique: Technique) -> bool {
    technique.info().family == Family::Singles
}

/// `part` of `whole` in units of `1 / scale`, rounded.
fn scaled(part: u32, whole: u32, scale: u32) -> Option<u32> {
    (2 * part * scale + whole).checked_div(2 * whole)
}

/// All numbers but refutation. `steps` are those of the [`Log`], `rounds` those that take every open step; `blank` is
/// the number of cells without a given.
fn numbers(rating: &Rating, steps: &[(u32, Technique, bool)], rounds: &[Round], blank: u32) -> Effort {
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
struct MeasuredPuzzle<'w, S> {
    puzzle: &'w Puzzle,
    ladder: &'w Ladder,
    rating: &'w Rating,
    log: &'w Log<S>,
}

impl<S: CellSet> MeasuredPuzzle<'_, S> {
    /// The rounds up to the solution, None if the ladder does not reach it or no cell is blank; and the refutation.
    fn rounds_and_refutation(&self, mut givens: Candidates<S>) -> (Option<Vec<Round>>, Option<u32>) {
        const SINGLES: [Technique; 3] =
            [Technique::NakedSingle, Technique::HiddenSingleBox, Technique::HiddenSingleLine];
        let fills = SINGLES.iter().all(|&single| self.ladder.has(single));
        let mut rounds = Vec::new();
        let is_sound = !fills || fill(&mut givens, &mut rounds);
        let mut cost = None;
        // The width is asked first, so that it is not compiled for the sets of larger boards.
        if const { size_of::<S>() <= size_of::<Narrow>() } && self.puzzle.shape().order() <= 9 {
            cost = refutation(self.puzzle, givens.clone());
        }
        let is_rated = is_sound && self.rating.finished && self.puzzle.grid().holes() > 0;
        (is_rated.then(|| self.rounds(givens, rounds, fills)).flatten(), cost)
    }

    /// The rounds up to the solution: some `rounds`, and those from a position on. With `fills`, singles need no search.
    fn rounds(&self, mut marks: Candidates<S>, mut rounds: Vec<Round>, fills: bool) -> Option<Vec<Round>> {
        // The ladder's positions after those that were met.
        let mut later = &self.log.passed[..];
        while !marks.open().is_empty() {
            let steps = match later.iter().position(|passed| passed.left == marks.of_digits()) {
                Some(index) => {
                    let passed = &later[index];
                    later = &later[index + 1..];
                    passed.best.clone()
                }
                None => self.simplest(&marks)?,
            };
            let mut distinct = Vec::new();
            for (step, _) in steps {
                if !distinct.contains(&step) {
                    distinct.push(step);
                }
            }
            rounds.push(Round { blank: blank(&marks), steps: distinct.len() as u32 });
            distinct.iter().for_each(|step| step.take(&mut marks));
            if fills && !fill(&mut marks, &mut rounds) {
                return None;
            }
        }
        Some(rounds)
    }

    /// All singles of a position, or else the instances of the best priority of the lowest rung that finds any.
    fn simplest(&self, marks: &Candidates<S>) -> Option<Vec<(Conclusion<S>, Pattern)>> {
        let techniques = self.ladder.techniques();
        let singles = &techniques[..techniques.partition_point(|&technique| is_single(technique))];
        let position = Position::new(marks);
        let found_singles = instances(singles, &position, Keep::Conclusions);
        if !found_singles.is_empty() {
            return Some(found_singles);
        }
        let rungs = self.ladder.rungs().filter(|rung| !is_single(rung[0]));
        rungs.map(|rung| instances(rung, &position, Keep::BEST)).find(|instances| !instances.is_empty())
    }
}

/// The instances of some techniques.
fn instances<S: CellSet>(
    techniques: &[Technique],
    position: &Position<'_, S>,
    keep: Keep,
) -> Vec<(Conclusion<S>, Pattern)> {
    let mut instances = StepList::new(keep);
    find(techniques, position, &mut AnySink::List(&mut instances));
    instances.steps
}

/// The number of open cells.
fn blank<S: CellSet>(marks: &Candidates<S>) -> u32 {
    marks.open().len() as u32
}

/// Takes rounds of singles until there are none. False on a contradiction.
fn fill<S: CellSet>(marks: &mut Candidates<S>, rounds: &mut Vec<Round>) -> bool {
    let mut singles = place_all(marks, &[]);
    while let Some(round) = singles {
        if round.is_empty() {
            return true;
        }
        let blank_before = blank(marks);
        singles = place_all(marks, &round);
        rounds.push(Round { blank: blank_before, steps: blank_before - blank(marks) });
    }
    false
}

/// Places singles together, and gives those that are left: candidates that are the last of a cell or of a digit in a
/// house. None on a contradiction.
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
        let mut wrong: Vec<(Cell, Digits)> = Vec::new();
        for cell in position.open().cells() {
            wrong.push((cell, position.of_cell(cell) - Digits::only(solution.digit(cell))));
        }
        if let Some((cost, filled)) = cheapest(&position, wrong.iter().copied()) {
            total += cost;
            filled.into_iter().for_each(|(cell, _)| position.place(cell, solution.digit(cell)));
            continue;
        }
        // No cell can be filled: single candidates are refuted, and removed.
        let single =
            wrong.iter().flat_map(|&(cell, digits)| digits.iter().map(move |digit| (cell, Digits::only(digit))));
        let (cost, removed) = cheapest(&position, single)?;
        total += cost;
        for (cell, digits) in removed {
            digits.iter().for_each(|digit| position.eliminate(cell, digit));
        }
    }
    None
}

/// The position after an assumption, and the singles to place next.
type Trial<S> = (Candidates<S>, Vec<(Cell, Digit)>);

/// Candidates of a cell that are refuted one after the other.
struct Refuted<S: 'static> {
    cell: Cell,
    digits: Digits,
    /// Those that are not refuted yet.
    left: Digits,
    /// The position after the first of them was assumed, with the singles to place next; None before.
    trial: Option<Trial<S>>,
    /// The least that all of them may cost: each of those not assumed yet takes one round or more.
    cost: u32,
}

impl<S: CellSet> Refuted<S> {
    /// Goes on as long as the cost may be within a limit. False if a candidate cannot be refuted.
    fn go_on(&mut self, position: &Candidates<S>, limit: u32) -> bool {
        while self.cost <= limit {
            let Some(digit) = self.left.iter().next() else { return true };
            let (marks, singles) = self.trial.get_or_insert_with(|| (position.clone(), vec![(self.cell, digit)]));
            match place_all(marks, singles) {
                None => {
                    self.left.remove(digit);
                    self.trial = None;
                }
                Some(none) if none.is_empty() => return false,
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
fn cheapest<S: CellSet>(
    position: &Candidates<S>,
    candidates: impl Iterator<Item = (Cell, Digits)>,
) -> Option<(u32, Vec<(Cell, Digits)>)> {
    let mut open: Vec<Refuted<S>> = Vec::new();
    for (cell, digits) in candidates {
        open.push(Refuted { cell, digits, left: digits, trial: None, cost: digits.len() as u32 });
    }
    let mut limit = 0;
    while !open.is_empty() {
        open.retain_mut(|refuted| refuted.go_on(position, limit));
        let done = open.iter().filter(|refuted| refuted.left.is_empty());
        let cheapest: Vec<(Cell, Digits)> = done.map(|refuted| (refuted.cell, refuted.digits)).collect();
        if !cheapest.is_empty() {
            return Some((limit, cheapest));
        }
        limit += 1;
    }
    None
}

#[cfg(test)]
mod tests;
