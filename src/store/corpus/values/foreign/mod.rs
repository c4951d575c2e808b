//! Columns of other programs: which of them are ours, what those are that are copied, and what their texts mean.
//!
//! | file | about | main type |
//! |---|---|---|
//! | `column_names` | which names of columns are the same | [`FreeNames`](column_names::FreeNames) |
//! | `guess` | the type of a column of texts | [`Guess`](guess::Guess) |
//! | `json` | values of JSON, and boards inside of its objects | |
//! | `outside` | columns that are copied | [`Outside`](outside::Outside) |
//! | `mapping` | columns of any file as columns of rows | [`Mapping`](mapping::Mapping) |

pub(crate) mod column_names;
pub(crate) mod guess;
pub(crate) mod json;
pub(crate) mod mapping;
pub(crate) mod outside;
