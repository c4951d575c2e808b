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
//! **Which instance is taken.** The ladder waits with instances that leave a single as long as a random order would on
//! average (see [`words::choice`]). Among hidden singles the oldest come first. Of the remaining instances the ladder
//! takes the one with the smallest label, which knows neither row numbers nor digit names (see [`label`]). Equal labels
//! occur where a symmetry of the puzzle exchanges the instances: all are taken, and each conclusion counts once.
//!
//! **Ratings are the same for every isomorph.** Level, score, hardest technique and counts belong to the puzzle.
//!
//! Scores and levels are those of HoDoKu 2.2.0. Its own score depends on its scan order, so equal scores are not the
//! aim. The aim is to agree with HoDoKu in level, and in the rank of scores, as well as HoDoKu agrees with itself on
//! isomorphs.
//!
//! **HoDoKu's preferences** are the same for every isomorph, so the ladder has them. Of chains, colorings and almost
//! locked sets it takes those that remove the most candidates. Subsets of boxes come before those of rows and columns.
//! It searches what HoDoKu searches by default: almost locked sets do not overlap, and no digit is in all three parts
//! of a Sue de Coq. `reports/ladder.md` has the figures, and what was tried and lost.
//!
//! **The rooms**, each with a table of its files. A room uses only rooms above it. The families know the sink of the
//! ladder and the shared data of a position, and never each other. Other raters stand beside this one:
//! [`explainer`](crate::explainer) and [`whip`](crate::whip).
//!
//! | room | purpose | main item |
//! |---|---|---|
//! | `words` | techniques, rungs, ratings, steps, and sinks for what is found | [`Ladder`], [`Sink`](sink::Sink) |
//! | [`position`] | data of a position that several families share | [`Position`](position::Position) |
//! | `basics`, `single_digit`, `fish`, `uniqueness`, `chains`, `als`, `exotic` | the families of techniques | |
//! | `climb` | from a technique to its search; the loop; hints | [`find`], [`rate`], [`hint`](hint()) |
//!
//! ```
//! use sudoku_corpus_core::board::{Puzzle, text};
//! use sudoku_corpus_core::explainer;
//! use sudoku_corpus_core::ladder::{Ladder, Level, next_step, rate, trace};
//! use sudoku_corpus_core::whip::whip_rating;
//!
//! let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
//! let puzzle = Puzzle::try_from(text::parse_line(line, None)?)?;
//! let rating = rate(&puzzle, &Ladder::default());
//! assert_eq!((rating.level, rating.score), (Level::Easy, 204));
//! assert_eq!(explainer::rate(&puzzle, &explainer::Options::default()).er_tenths, Some(12));
//! assert_eq!(whip_rating(&puzzle, 1_000_000).and_then(|rating| rating.w), Some(0));
//!
//! let singles: Ladder = "singles".parse()?;
//! assert_eq!(trace(&puzzle, &singles).open_cells, 0);
//! let step = next_step(&puzzle, None, &singles).map(|step| step.words(puzzle.shape()));
//! assert_eq!(step.as_deref(), Some("Naked Single: 5 in r5c5 => r5c5=5"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod als;
mod basics;
mod chains;
pub(crate) mod climb;
mod exotic;
mod fish;
pub mod position;
mod single_digit;
mod uniqueness;
pub(crate) mod words;

pub use crate::names::nearest;

pub use climb::find::find;
pub use climb::hint::{Hint, HintColour, digits_at, hint, next_step};
pub use climb::rounds::{rate, rate_towards, rate_until, trace, trace_to_placement};
pub use climb::tridagon;
pub use words::family::Family;
pub use words::level::Level;
pub use words::list::StepList;
pub use words::rating::{End, Limit, Rating};
pub use words::rungs::Ladder;
pub use words::step::{Step, Trace, replay};
pub use words::table::{TECHNIQUES, Technique, TechniqueInfo};
pub use words::technique::SPECIAL_NAMES;
pub use words::{label, sink};

#[cfg(test)]
pub(crate) mod tests;
