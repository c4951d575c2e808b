//! Techniques that follow chains of implications.
//!
//! | file | purpose | main item |
//! |---|---|---|
//! | `nice_loops` | loops and alternating inference chains | `chains` |
//! | `alternating` | the shortest alternating chains, from all starts | `Alternating` |
//! | `reach` | the shortest chains through any links | `Reach` |
//! | `forcing` | every choice leads to the same, or one to a contradiction | `contradictions` |

pub(in crate::ladder) mod alternating;
pub(in crate::ladder) mod forcing;
pub(in crate::ladder) mod nice_loops;
pub(in crate::ladder) mod reach;
