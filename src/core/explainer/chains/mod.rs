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

pub(crate) mod advanced;
pub(crate) mod cycles;
pub(crate) mod forcing;
pub(crate) mod graph;
pub(crate) mod multiple;
pub(crate) mod nested;
pub(crate) mod reach;
pub(crate) mod run;
pub(crate) mod templates;
