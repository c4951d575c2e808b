//! The ladder loop: rates, or solves step by step.

use crate::board::candidates::at_width;
use crate::board::{Candidates, CellSet, Puzzle};

use super::choice::{Choice, Instance};
use super::label::Labels;
use super::ladder::Ladder;
use super::position::Position;
use super::profile::{Profile, measured};
use super::rating::{End, Limit, Rating};
use super::search::find;
use super::sink::AnySink;
use super::step::{Step, Trace};

/// Rates a puzzle without building steps. [`trace`] runs the same code and keeps the steps.
pub fn rate(puzzle: &Puzzle, ladder: &Ladder) -> Rating {
    rate_until(puzzle, ladder, &Limit::NONE)
}

/// Rates a puzzle, but stops as soon as it is known to be beyond a limit: for searches that discard most puzzles.
///
/// Within the limit the rating equals that of [`rate`]. Beyond it the end is [`End::Stopped`], or [`End::Stuck`] where
/// the ladder has no rung beyond the limit. Counts and score are then those up to that point, and the level is a lower
/// bound above the limit. If only the last step goes beyond the limit, the end is [`End::Finished`] and the rating is
/// complete. Rungs that can only exceed the limit are not searched.
pub fn rate_until(puzzle: &Puzzle, ladder: &Ladder, limit: &Limit) -> Rating {
    run(puzzle, ladder, limit, None, None)
}

/// Rates a puzzle as [`rate`] does, and measures each rung. A rung has the code of its first technique.
pub fn profile(puzzle: &Puzzle, ladder: &Ladder, profile: &mut Profile) -> Rating {
    run(puzzle, ladder, &Limit::NONE, None, Some(profile))
}

/// Solves a puzzle step by step.
pub fn trace(puzzle: &Puzzle, ladder: &Ladder) -> Trace {
    let (rating, steps) = rate_with_steps(puzzle, ladder, true);
    Trace { steps, end: rating.end, open_cells: rating.open_cells }
}

/// The results of [`rate`] and [`trace`] from one run. Patterns take time; without them they stay empty.
pub(super) fn rate_with_steps(puzzle: &Puzzle, ladder: &Ladder, patterns: bool) -> (Rating, Vec<Step>) {
    let mut steps = Vec::new();
    let rating = run(puzzle, ladder, &Limit::NONE, Some((&mut steps, patterns)), None);
    (rating, steps)
}

/// The steps of a run, and whether they have patterns.
type Record<'k> = Option<(&'k mut Vec<Step>, bool)>;

fn run(puzzle: &Puzzle, ladder: &Ladder, limit: &Limit, record: Record<'_>, profile: Option<&mut Profile>) -> Rating {
    match puzzle.shape().is_solvable() {
        true => at_width!(puzzle.shape(), S => climb::<S>(puzzle, ladder, limit, record, profile)),
        false => Rating::new(0).ended(End::TooLarge, puzzle.grid().holes()),
    }
}

fn climb<S: CellSet>(
    puzzle: &Puzzle,
    ladder: &Ladder,
    limit: &Limit,
    mut record: Record<'_>,
    mut profile: Option<&mut Profile>,
) -> Rating {
    let mut marks = Candidates::<S>::new(puzzle);
    let labels = Labels::of(puzzle);
    let mut choice = Choice::<S>::new(&labels, record.as_ref().is_some_and(|&(_, patterns)| patterns));
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
            measured(&mut profile, rung[0].code(), search, |&found| found)
        });
        if !is_found {
            break;
        }
        marks.next_round();
        choice.taken().iter().for_each(|taken| taken.conclusion.take(&mut marks));
        if !marks.is_broken() {
            for Instance { technique, conclusion, pattern } in choice.taken() {
                rating.add(*technique, puzzle.shape().cells());
                if let Some((steps, _)) = &mut record {
                    steps.push(Step::new(round, *technique, conclusion, std::mem::take(pattern)));
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
