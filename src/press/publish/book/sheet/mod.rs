//! The sheet of paper: margins, sizes of type, and the places of boards.
//!
//! | file | purpose | main type |
//! |---|---|---|
//! | `type_sizes` | sizes of type | [`TypeSizes`](type_sizes::TypeSizes) |
//! | `margins` | gutters and margins | [`Sheet`](margins::Sheet) |
//! | `arrangement` | the boards on a page | [`Arrangement`](arrangement::Arrangement) |

pub mod arrangement;
pub mod margins;
pub mod type_sizes;
