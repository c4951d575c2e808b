//! Reads and checks a finished PDF file, as a printer does.
//!
//! | file | purpose | main type |
//! |---|---|---|
//! | `marks` | what is drawn on a page | [`PageMarks`](marks::PageMarks) |
//! | `check` | the rules of a printer, one by one | [`Finding`](check::Finding) |

pub(crate) mod check;
pub(crate) mod marks;
