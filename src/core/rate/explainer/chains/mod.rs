//! The producers of hints from implications.
//!
//! | file | purpose | main item |
//! |---|---|---|
//! | `graph` | implications between candidates, and cycles | `Graph` |
//! | `reach` | which candidates follow from which | `Reach` |
//! | `cycles` | the chains and cycles of one start | `from_start` |
//! | `forcing` | cycles and forcing chains | `forcing` |
//! | `run` | what follows from one assumption | `Run` |
//! | `multiple` | multiple and dynamic chains | `multiple` |
//! | `advanced` | rules that extend a run: Dynamic Plus | `advanced` |
//! | `nested` | chains within chains | `producers` |
//! | `templates` | what chains along one digit may prove | `Limits` |

pub(in crate::rate) mod advanced;
pub(in crate::rate) mod cycles;
pub(in crate::rate) mod forcing;
pub(in crate::rate) mod graph;
pub(in crate::rate) mod multiple;
pub(in crate::rate) mod nested;
pub(in crate::rate) mod reach;
pub(in crate::rate) mod run;
pub(in crate::rate) mod templates;
