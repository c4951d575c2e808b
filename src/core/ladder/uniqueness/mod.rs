//! Techniques that conclude from the knowledge that a puzzle has one solution.
//!
//! | file | purpose | main item |
//! |---|---|---|
//! | `conclusions` | what follows from a pattern that would have two solutions | `UniquenessType` |
//! | `rectangles` | two digits in four cells of two boxes | `uniqueness_test` |
//! | `loops` | two digits in a loop of six or more cells | `unique_loops` |
//! | `bug` | each open cell has two candidates, except for a few | `bugs` |

pub(in crate::ladder) mod bug;
pub(in crate::ladder) mod conclusions;
pub(in crate::ladder) mod loops;
pub(in crate::ladder) mod rectangles;
