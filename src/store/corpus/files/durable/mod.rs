//! Files and folders that are there whole or not at all.
//!
//! | file | about | main type |
//! |---|---|---|
//! | `temporary` | where what is made stands until it is complete | [`TempFolder`](temporary::TempFolder) |
//! | `inside` | where paths lead, and where an output of a recipe may write | |
//! | `atomic` | files and folders that get their names when they are complete | [`AtomicFile`](atomic::AtomicFile) |
//! | `output` | a file or the standard output | [`Output`](output::Output) |

pub(crate) mod atomic;
pub(crate) mod inside;
pub(crate) mod output;
pub(crate) mod temporary;
