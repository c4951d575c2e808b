//! The ladder loop: rates, or solves step by step.

use crate::board::candidates::{AtWidth, at_width};
use crate::board::{Candidates, CellSet, Puzzle};

use super::choice::{Choice, Instance};
use super::label::Labels;
use super::ladder::Ladder;
use super::limit::Limit;
use super::position::Position;
use super::profile::{Meter, Off, Profile};
use super::rating::{End, Rating};
use super::search::find;
use super::sink::{AnySink, Conclusion};
use super::step::{Step, Trace};
use super::technique::Technique;

/// Rates a puzzle without building steps. [`trace`] runs the same code and keeps the steps.
pub fn rate(puzzle: &Puzzle, ladder: &Ladder) -> Rating {
    rate_until(puzzle, ladder, &Limit::NONE)
}

/// Rates a puzzle, but stops as soon as the puzzle is known to be beyond a limit. This is the fast test for searches
/// that discard most puzzles.
///
/// Within the limit the rating equals that of [`rate`]. Beyond it the end is [`End::Stopped`], or [`End::Stuck`] where
/// the ladder has no rung beyond the limit. Counts and score are then those up to that point, and the level is a lower
/// bound above the limit. If only the last step goes beyond the limit, the end is [`End::Finished`] and the rating is
/// complete. Rungs that can only exceed the limit are not searched.
pub fn rate_until(puzzle: &Puzzle, ladder: &Ladder, limit: &Limit) -> Rating {
    run(puzzle, ladder, limit, Recording::Nothing, &mut Off)
}

/// Rates a puzzle as [`rate`] does, and measures each rung. A rung has the code of its first technique.
pub fn profile(puzzle: &Puzzle, ladder: &Ladder, profile: &mut Profile) -> Rating {
    run(puzzle, ladder, &Limit::NONE, Recording::Nothing, profile)
}

/// Solves a puzzle step by step.
pub fn trace(puzzle: &Puzzle, ladder: &Ladder) -> Trace {
    let (rating, steps) = rate_with_steps(puzzle, ladder);
    Trace { steps, end: rating.end, open_cells: rating.open_cells }
}

/// The results of [`rate`] and [`trace`] from one run.
pub(super) fn rate_with_steps(puzzle: &Puzzle, ladder: &Ladder) -> (Rating, Vec<Step>) {
    let mut steps = Vec::new();
    let rating = run(puzzle, ladder, &Limit::NONE, Recording::Steps(&mut steps), &mut Off);
    (rating, steps)
}

/// A step without its conclusion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BriefStep {
    pub(super) round: u32,
    pub(super) technique: Technique,
    /// True when it places a digit.
    pub(super) places: bool,
}

/// Like [`rate_with_steps`], for callers that need no conclusions. It takes no longer than [`rate`].
pub(super) fn rate_with_brief_steps(puzzle: &Puzzle, ladder: &Ladder) -> (Rating, Vec<BriefStep>) {
    let mut steps = Vec::new();
    let rating = run(puzzle, ladder, &Limit::NONE, Recording::Brief(&mut steps), &mut Off);
    (rating, steps)
}

/// What is kept of the steps of a run.
enum Recording<'k> {
    Nothing,
    Brief(&'k mut Vec<BriefStep>),
    Steps(&'k mut Vec<Step>),
}

fn run<M: Meter>(puzzle: &Puzzle, ladder: &Ladder, limit: &Limit, recording: Recording<'_>, meter: &mut M) -> Rating {
    struct Climb<'a, M>(&'a Puzzle, &'a Ladder, &'a Limit, Recording<'a>, &'a mut M);
    impl<M: Meter> AtWidth for Climb<'_, M> {
        type Output = Rating;
        fn run<S: CellSet>(self) -> Rating {
            climb::<S>(self.0, self.1, self.2, self.3, self.4)
        }
    }
    match puzzle.shape().is_solvable() {
        true => at_width(puzzle.shape(), Climb(puzzle, ladder, limit, recording, meter)),
        false => Rating::new(0).ended(End::TooLarge, puzzle.grid().holes()),
    }
}

/// The ladder loop.
fn climb<S: CellSet>(
    puzzle: &Puzzle,
    ladder: &Ladder,
    limit: &Limit,
    mut recording: Recording<'_>,
    meter: &mut impl Meter,
) -> Rating {
    let mut marks = Candidates::<S>::new(puzzle);
    let labels = Labels::of(puzzle);
    let mut choice = Choice::<S>::new(&labels, matches!(recording, Recording::Steps(_)));
    let mut rating = Rating::new(marks.open().len());
    let mut open = rating.open_cells;
    let (rungs, is_whole) = limit.rungs(ladder);
    for round in 0.. {
        if marks.is_broken() {
            return rating.ended(End::Contradiction, open);
        }
        open = marks.open().len();
        if open == 0 {
            return rating.ended(End::Finished, 0);
        }
        if choice.taken().iter().any(|taken| limit.is_exceeded_by(taken.technique, &rating)) {
            return rating.ended(End::Stopped, open);
        }
        choice.clear();
        let position = Position::new(&marks);
        let is_found = ladder.rungs().take(rungs).any(|rung| {
            let search = || {
                find(rung, &position, &mut AnySink::Choice(&mut choice, &marks));
                choice.decide()
            };
            meter.search(rung[0].code(), search, |&found| found)
        });
        if !is_found {
            break;
        }
        marks.next_round();
        choice.taken().iter().for_each(|taken| taken.conclusion.take(&mut marks));
        if !marks.is_broken() {
            for Instance { technique, conclusion, pattern } in choice.taken_mut() {
                rating.add(*technique, puzzle.shape().cells());
                match &mut recording {
                    Recording::Nothing => {}
                    Recording::Brief(steps) => {
                        let places = matches!(conclusion, Conclusion::Place(..));
                        steps.push(BriefStep { round, technique: *technique, places });
                    }
                    Recording::Steps(steps) => {
                        steps.push(Step::new(round, *technique, conclusion, std::mem::take(pattern)));
                    }
                }
            }
        }
    }
    if is_whole {
        return rating.ended(End::Stuck, open);
    }
    rating.level = rating.level.max(limit.level_beyond());
    rating.ended(End::Stopped, open)
}
