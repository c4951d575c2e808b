//! Rating by human techniques: which techniques a puzzle needs, how often, and how hard it is.
//!
//! ```text
//!   full house -> naked single -> hidden single -> ... -> X-Wing -> ... -> XYZ-Wing        the ladder
//!      ^                                            |
//!      +--------- something found: take it ---------+       nothing found on any rung: beyond the ladder
//! ```
//!
//! **The rule.** Each round tries the rungs from the cheapest. The first rung that finds anything is searched
//! completely. Then one instance is taken, and the next round begins on the lowest rung.
//!
//! **Which instance is taken.** Every instance has the label of its conclusion. A label knows neither row numbers nor
//! digit names (see [`label`]). An instance either leaves a single or does not. The ladder takes one that leaves a
//! single as late as chance would, on average (see [`choice`]). Among hidden singles the oldest come first. Of the
//! remaining instances the ladder takes the one with the smallest label. Instances with equal labels are taken
//! together, and each distinct conclusion counts once. In practice equal labels occur where a symmetry of the puzzle
//! exchanges the instances.
//!
//! **Ratings are the same for every isomorph.** No part of the rule depends on the order of rows or digits. So level,
//! score, hardest technique and counts are properties of the puzzle, however it is turned or relabelled.
//!
//! Scores and levels are those of HoDoKu 2.2.0. Its own score depends on its scan order, so equal scores are not the
//! aim. The aim is to agree with HoDoKu in level, and in the rank of scores, as well as HoDoKu agrees with itself on
//! isomorphs.
//!
//! *Tried and lost*, on 1,000 random puzzles and 1,000 puzzles with 17 givens, rated by both programs. The columns give
//! the share of equal levels and the rank correlation of scores, as means of 6 ladders with different labels:
//!
//! | what is taken in a round | random | 17 givens |
//! |---|---|---|
//! | all instances of the cheapest technique (counts steps that nobody needs) | -, 0.990 | -, 0.943 |
//! | one instance, by label | -, 0.988 | -, 0.929 |
//! | one instance, by label, the oldest hidden single first | 98.5 %, 0.9953 | 98.7 %, 0.9637 |
//! | the third row, intersections with most candidates first | 98.5 %, 0.9946 | 98.6 %, 0.9579 |
//! | the third row, intersections with fewest candidates first | 98.5 %, 0.9951 | 98.7 %, 0.9690 |
//! | the third row, subsets of boxes before those of lines | 98.6 %, 0.9954 | 98.8 %, 0.9638 |
//! | the third row, waiting for instances that leave a single | 98.6 %, 0.9963 | 99.0 %, 0.9708 |
//! | the row above, with HoDoKu's preferences (**taken**, see below) | 99.5 %, 0.9965 | 99.3 %, 0.9709 |
//! | two ladders of the third row with different labels, compared with each other | -, 0.9953 | -, 0.9672 |
//! | mean score of 6 ladders of the third row, which is not the score of any solution | -, 0.9972 | -, 0.9778 |
//!
//! **HoDoKu's preferences** are the same for every isomorph, so the ladder has them. Of chains, colorings and almost
//! locked sets it takes those that remove the most candidates. Subsets of boxes come before those of rows and columns.
//! It searches what HoDoKu searches by default: almost locked sets do not overlap, and no digit is in all three parts
//! of a Sue de Coq. This table gives the share of equal levels on harder puzzles. Each row adds one part to the rows
//! above it:
//!
//! | | 1,000 controlled-bias | 765 of magictour's list |
//! |---|---|---|
//! | shortest chains first, sets may overlap | 96.2 % | 92.4 % |
//! | most candidates first | 97.7 % | 92.7 % |
//! | no overlap, Sue de Coq as HoDoKu's | 97.7 % | 93.9 % |
//! | subsets of boxes first (**taken**) | 97.7 % | 97.3 % |
//! | HoDoKu against itself, on random isomorphs | 98.1 % | 98.8 % (of 400) |
//!
//! For 800 controlled-bias puzzles that need chains, almost locked sets or harder techniques, 88.0 % of the levels were
//! equal before these preferences, and 95.3 % are equal with them. HoDoKu agrees with itself for 96.9 %. About as many
//! levels are too high as too low: 10 and 13 of the controlled-bias puzzles, 11 and 10 of magictour's list. Scores are
//! equal for 49 % of the controlled-bias puzzles and differ by more than a tenth for 16 %. HoDoKu's own scores on
//! isomorphs are equal for 56 % and differ by more than a tenth for 14 %.
//!
//! The last two rows of the first table show the limit. A score depends on the order of the steps, so it is like one
//! random draw. Two such draws agree no better than the row before the last. A score that is the same for all isomorphs
//! can agree with one draw of another program at best as well as the mean of all draws does, which is the last row.
//!
//! To add a technique, write a variant in [`technique`], a row in [`TECHNIQUES`], a function in the file of its family,
//! and an arm in [`find`].

pub mod aligned;
pub mod als;
pub mod als_chains;
mod alternating;
pub mod blossom;
pub mod bug;
mod choice;
mod climb;
mod closure;
pub mod colours;
pub mod depth;
pub mod effort;
pub mod empty_rectangles;
pub mod exocet;
pub mod explainer;
pub mod fireworks;
pub mod fish;
mod fish_search;
pub mod forcing;
pub mod hint;
pub mod intersections;
pub mod kraken;
pub mod label;
pub mod ladder;
pub mod level;
pub mod library;
pub mod limit;
mod links;
mod locked_sets;
pub mod loops;
pub mod multi_sector;
pub mod nice_loops;
mod other_names;
pub mod position;
pub mod profile;
#[cfg(test)]
mod published;
pub mod rating;
mod reach;
pub mod rectangles;
mod restricted_commons;
pub mod scorecard;
mod search;
pub mod single_digit;
pub mod singles;
pub mod sink;
pub mod step;
pub mod step_rows;
pub mod subsets;
pub mod sue_de_coq;
mod table;
pub mod technique;
mod template_places;
pub mod templates;
pub mod tridagon;
pub mod uniqueness;
pub mod whip;
pub mod wings;
pub mod x_chains;

use crate::board::{Candidates, CellSet};
pub use crate::names::nearest;

pub use climb::{profile, rate, rate_until, trace};
pub use hint::{Colour, Hint, digits_at, hint, next_step};
pub use ladder::{Ladder, LadderError};
pub use level::Level;
pub use limit::Limit;
pub use other_names::SPECIAL_NAMES;
pub use rating::{End, Rating};
pub use search::{MOST_CANDIDATES, find};
pub use step::{ReplayError, Step, Trace, replay};
pub use table::TECHNIQUES;
pub use technique::{Family, Technique, TechniqueInfo, UnknownTechnique};

use position::Position;
use sink::AnySink;
use sink::StepList;

/// Every instance of a technique in a position, as steps of round 0, in the order of the search.
pub fn find_all<S: CellSet>(technique: Technique, marks: &Candidates<S>) -> Vec<Step> {
    let mut found = StepList::<S>::all();
    find(&[technique], &Position::new(marks), &mut AnySink::List(&mut found));
    found.into_steps(technique)
}

/// The simplest instance of the cheapest rung that finds anything.
fn simplest_step<S: CellSet>(marks: &Candidates<S>, ladder: &Ladder) -> Option<Step> {
    let position = Position::new(marks);
    let simplest = |&technique: &Technique| {
        let mut found = StepList::<S>::simplest();
        find(&[technique], &position, &mut AnySink::List(&mut found));
        found.into_simplest().map(|(effort, conclusion, pattern)| (effort, technique, conclusion, pattern))
    };
    ladder.rungs().find_map(|rung| {
        let found = rung.iter().filter_map(simplest).min_by_key(|&(effort, ..)| effort);
        found.map(|(_, technique, conclusion, pattern)| Step::new(0, technique, &conclusion, pattern))
    })
}

#[cfg(test)]
mod cases;
#[cfg(test)]
mod definitions;
#[cfg(test)]
mod gates;
#[cfg(test)]
mod hodoku;
#[cfg(test)]
mod tests;
