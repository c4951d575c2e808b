//! The sheet of paper: margins, sizes of type, and the places of boards.
//!
//! | file | purpose | main type |
//! |---|---|---|
//! | `type_sizes` | sizes of type | [`TypeSizes`](type_sizes::TypeSizes) |
//! | `margins` | gutters and margins | [`Sheet`](margins::Sheet) |
//! | `arrangement` | the boards on a page | [`Arrangement`](arrangement::Arrangement) |

pub(crate) mod arrangement;
pub(crate) mod margins;
pub(crate) mod type_sizes;
