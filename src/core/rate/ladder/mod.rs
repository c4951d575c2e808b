//! The words of the ladder: techniques, rungs, ratings and steps, and the sinks that techniques fill.
//!
//! | file | purpose | main item |
//! |---|---|---|
//! | `table` | the table of techniques | [`Technique`](table::Technique) |
//! | `technique` | what the table says of each technique | [`TechniqueInfo`](technique::TechniqueInfo) |
//! | `rungs` | which techniques may be used, cheapest first | [`Ladder`](rungs::Ladder) |
//! | `rating` | counts, hardest technique, score and level | [`Rating`](rating::Rating) |
//! | `step` | a step, a solution in steps, and its check | [`Step`](step::Step) |
//! | `sink` | where the techniques put what they find | [`Sink`](sink::Sink) |
//! | `choice` | which instance of a technique is taken next | `Choice` |
//! | `label` | numbers of cells and digits that are the same in every isomorph | [`Labels`](label::Labels) |

pub(in crate::rate) mod choice;
pub mod label;
pub mod rating;
pub mod rungs;
pub mod sink;
pub mod step;
pub(in crate::rate) mod table;
pub mod technique;
