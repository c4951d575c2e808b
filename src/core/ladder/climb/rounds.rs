//! Runs the ladder: rates a puzzle, or solves it step by step.

use std::cmp::Reverse;

use crate::board::candidates::at_width;
use crate::board::{Candidates, CellSet, Puzzle};

use super::find::find;
use crate::ladder::position::{Earlier, Position};
use crate::ladder::words::choice::{Choice, Instance};
use crate::ladder::words::family::Family;
use crate::ladder::words::label::StepLabels;
use crate::ladder::words::list::{AnySink, Keep, StepList};
use crate::ladder::words::rating::{End, Limit, Rating};
use crate::ladder::words::rungs::Ladder;
use crate::ladder::words::sink::{Conclusion, Pattern};
use crate::ladder::words::step::{Step, Trace};
use crate::ladder::words::table::Technique;
use crate::stop;

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
    run(puzzle, ladder, limit, None)
}

/// Solves a puzzle step by step.
pub fn trace(puzzle: &Puzzle, ladder: &Ladder) -> Trace {
    let mut steps = Vec::new();
    let rating = rate_with_steps(puzzle, ladder, &mut |step| steps.push(step));
    Trace { steps, end: rating.end, open_cells: rating.open_cells }
}

/// The steps of [`trace`] up to the round that places the first digit, if any does, without their patterns.
pub fn trace_to_placement(puzzle: &Puzzle, ladder: &Ladder) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut watch = Steps { see: &mut |step| steps.push(step), have_patterns: false };
    run(puzzle, ladder, &Limit::FIRST_PLACEMENT, Some(&mut watch));
    steps
}

/// Rates a puzzle as [`rate`] does, and passes on each step of [`trace`].
pub(crate) fn rate_with_steps(puzzle: &Puzzle, ladder: &Ladder, see: &mut dyn FnMut(Step)) -> Rating {
    run(puzzle, ladder, &Limit::NONE, Some(&mut Steps { see, have_patterns: true }))
}

/// What looks on during a run.
pub(crate) trait Watch<S> {
    /// True if the steps get their patterns. These take time; otherwise they are empty.
    fn wants_patterns(&self) -> bool {
        false
    }

    /// True if [`Watch::pass`] gets instances. The ladder itself keeps only those that it may take.
    fn wants_best(&self) -> bool {
        false
    }

    /// Gets each position without singles, the lowest rung that finds something, and its best instances, if wanted.
    fn pass(&mut self, _marks: &Candidates<S>, _rung: usize, _best: Vec<(Conclusion<S>, Pattern)>) {}

    /// Gets each step, with its round.
    fn take(&mut self, _round: u32, _step: &mut Instance<S>) {}
}

impl<S> Watch<S> for () {}

struct Steps<'s> {
    see: &'s mut dyn FnMut(Step),
    have_patterns: bool,
}

impl<S: CellSet> Watch<S> for Steps<'_> {
    fn wants_patterns(&self) -> bool {
        self.have_patterns
    }

    fn take(&mut self, round: u32, Instance { technique, conclusion, pattern }: &mut Instance<S>) {
        (self.see)(Step::new(round, *technique, conclusion, std::mem::take(pattern)));
    }
}

/// Rates a puzzle as [`rate_until`] does, and says how far it is from using each of some techniques of the ladder: 0 if
/// it uses all of them. A technique that is not used counts the rungs between its own and the highest one whose step
/// was taken where the technique finds something too. What is farther than `far` may count as any number above.
pub fn rate_towards(
    puzzle: &Puzzle,
    ladder: &Ladder,
    limit: &Limit,
    techniques: &[Technique],
    far: u32,
) -> (Rating, u32) {
    match puzzle.shape().is_solvable() {
        true => at_width!(puzzle.shape(), S => towards::<S>(puzzle, ladder, limit, techniques, far)),
        false => (rate_until(puzzle, ladder, limit), far),
    }
}

/// [`rate_towards`] at the width of the board. The distances of all techniques are added.
fn towards<S: CellSet>(
    puzzle: &Puzzle,
    ladder: &Ladder,
    limit: &Limit,
    techniques: &[Technique],
    far: u32,
) -> (Rating, u32) {
    let mut passed = Passed(Vec::new());
    let watch: &mut dyn Watch<S> = if far > 0 { &mut passed } else { &mut () };
    let rating = climb(puzzle, ladder, limit, watch);
    passed.0.sort_by_key(|position| Reverse(position.rung));
    let unused = techniques.iter().filter(|&&technique| rating.count(technique) == 0);
    let distance = unused.map(|&technique| passed.distance(ladder, technique, far)).sum();
    (rating, distance)
}

/// A position without singles, and the lowest rung that finds something there.
struct PassedPosition<S: 'static> {
    rung: usize,
    marks: Candidates<S>,
}

/// The positions without singles of a run.
struct Passed<S: 'static>(Vec<PassedPosition<S>>);

impl<S: CellSet> Passed<S> {
    /// How far the run is from using a technique that it does not use. The positions are sorted, highest rung first.
    fn distance(&self, ladder: &Ladder, technique: Technique, far: u32) -> u32 {
        let target_rung = ladder.rungs().take_while(|rung| rung[0].info().order < technique.info().order).count();
        for PassedPosition { rung, marks } in
            self.0.iter().take_while(|passed| passed.rung + far as usize >= target_rung)
        {
            let mut instances = StepList::new(Keep::Conclusions);
            find(&[technique], &Position::new(marks), &mut AnySink::List(&mut instances));
            if !instances.steps.is_empty() {
                return target_rung.saturating_sub(*rung).max(1) as u32;
            }
        }
        target_rung as u32 + 1
    }
}

impl<S: CellSet> Watch<S> for Passed<S> {
    fn pass(&mut self, marks: &Candidates<S>, rung: usize, _: Vec<(Conclusion<S>, Pattern)>) {
        self.0.push(PassedPosition { rung, marks: marks.clone() });
    }
}

/// The climb at the width of the board, or a rating without steps where the board is too large for the ladder.
fn run(puzzle: &Puzzle, ladder: &Ladder, limit: &Limit, steps: Option<&mut Steps<'_>>) -> Rating {
    if !puzzle.shape().is_solvable() {
        return Rating::new(0).ended(End::TooLarge, puzzle.grid().holes());
    }
    at_width!(puzzle.shape(), S => match steps {
        Some(steps) => climb::<S>(puzzle, ladder, limit, steps),
        None => climb::<S>(puzzle, ladder, limit, &mut ()),
    })
}

/// The loop.
pub(crate) fn climb<S: CellSet>(puzzle: &Puzzle, ladder: &Ladder, limit: &Limit, watch: &mut dyn Watch<S>) -> Rating {
    let mut marks = Candidates::<S>::new(puzzle);
    let labels = StepLabels::of(puzzle);
    let mut choice = Choice::<S>::new(&labels, watch.wants_patterns());
    let earlier = Earlier::default();
    let mut rating = Rating::new(marks.open().len());
    let mut open = rating.open_cells;
    let (rungs, is_whole) = limit.rungs(ladder);
    // Listed once, because a round asks for each of them.
    let rungs: Vec<&[Technique]> = ladder.rungs().take(rungs).collect();
    for round in 0.. {
        stop::ask();
        if marks.is_broken() {
            return rating.ended(End::Contradiction, open);
        }
        open = marks.open().len();
        if open == 0 {
            return rating.ended(End::Finished, 0);
        }
        if limit.is_exceeded_by_placing(open, rating.open_cells)
            || choice.taken().iter().any(|taken| limit.is_exceeded_by(taken.technique, &rating))
        {
            return rating.ended(End::Stopped, open);
        }
        choice.clear();
        if !search(&Position::after(&marks, &earlier), &rungs, &mut choice, watch) {
            break;
        }
        marks.next_round();
        choice.taken().iter().for_each(|taken| taken.conclusion.take(&mut marks));
        if !marks.is_broken() {
            for step in choice.taken() {
                rating.add(step.technique, puzzle.shape().cells());
                watch.take(round, step);
            }
        }
    }
    if is_whole {
        return rating.ended(End::Stuck, open);
    }
    // What the rungs within the limit do not finish needs a level beyond it.
    rating.level = rating.level.max(limit.level_beyond());
    rating.ended(End::Stopped, open)
}

/// Searches rung by rung until one finds something. False if none does.
fn search<S: CellSet>(
    position: &Position<'_, S>,
    rungs: &[&[Technique]],
    choice: &mut Choice<S>,
    watch: &mut dyn Watch<S>,
) -> bool {
    let marks = position.marks;
    let mut best = StepList::new(Keep::BEST);
    let is_single = |technique: Technique| technique.info().family == Family::Singles;
    let first_rung = rungs.iter().position(|rung| {
        let best = (watch.wants_best() && !is_single(rung[0])).then_some(&mut best);
        find(rung, position, &mut AnySink::Choice(choice, marks, best));
        choice.decide()
    });
    let Some(rung) = first_rung else { return false };
    if !is_single(choice.taken()[0].technique) {
        watch.pass(marks, rung, best.steps);
    }
    true
}
