//! The words of the ladder: techniques, rungs, ratings and steps, and the sinks that techniques fill.
//!
//! | file | purpose | main item |
//! |---|---|---|
//! | `family` | the families of techniques | [`Family`](family::Family) |
//! | `level` | levels of difficulty | [`Level`](level::Level) |
//! | `table` | the table of techniques | [`Technique`](table::Technique) |
//! | `technique` | names of techniques, boards and links that they need | `Technique` |
//! | `rungs` | which techniques may be used, cheapest first | [`Ladder`](rungs::Ladder) |
//! | `rating` | counts, hardest technique, score and level | [`Rating`](rating::Rating) |
//! | `step` | a step, a solution in steps, and its check | [`Step`](step::Step) |
//! | `sink` | what a technique finds, and where it puts it | [`Sink`](sink::Sink) |
//! | `choice` | which instance of a technique is taken next | `Choice` |
//! | `list` | the sinks: a list, or the choice of the ladder | [`StepList`](list::StepList) |
//! | `label` | numbers of cells and digits that are the same in every isomorph | [`StepLabels`](label::StepLabels) |

pub(crate) mod choice;
pub(crate) mod family;
pub mod label;
pub(crate) mod level;
pub(crate) mod list;
pub(crate) mod rating;
pub(crate) mod rungs;
pub mod sink;
pub(crate) mod step;
pub(crate) mod table;
pub(crate) mod technique;
