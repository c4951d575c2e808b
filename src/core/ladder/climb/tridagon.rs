//! Computes the column `tridagon`: how many guardians the tridagons of a puzzle have after the basic techniques.

use crate::board::{Candidates, Narrow, Puzzle, Shape};

use super::rounds::trace;
use crate::ladder::exotic::tridagon::fewest_guardians_at;
use crate::ladder::words::family::Family;
use crate::ladder::words::rungs::Ladder;
use crate::ladder::words::table::Technique;

/// The smallest number of guardians of a tridagon in the position that singles, intersections and subsets leave. None
/// when no tridagon has 8 or fewer guardians, and on boards other than 9x9.
pub fn fewest_guardians(puzzle: &Puzzle) -> Option<usize> {
    if puzzle.shape() != Shape::NINE {
        return None;
    }
    let basics = Technique::all().filter(|technique| {
        matches!(technique.info().family, Family::Singles | Family::Intersections | Family::Subsets)
    });
    let mut marks = Candidates::<Narrow>::new(puzzle);
    for step in trace(puzzle, &Ladder::of(basics)).steps {
        step.take(&mut marks);
    }
    fewest_guardians_at(&marks)
}
