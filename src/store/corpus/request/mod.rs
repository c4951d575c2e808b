//! What is asked for: a recipe, and the rows that it describes.
//!
//! | file | about | main type |
//! |---|---|---|
//! | `draft/` | a recipe with gaps: a file, and options over it | [`Draft`](draft::Draft) |
//! | `bases` | grids that a method starts from | [`BasesFile`](bases::BasesFile) |
//! | `stock/` | the same number of puzzles of every class | [`Stock`](stock::Stock) |
//! | `recipe` | everything that determines the rows | [`Recipe`](recipe::Recipe) |
//! | `make` | making a row | |

pub(crate) mod bases;
pub(crate) mod draft;
pub(crate) mod make;
pub(crate) mod recipe;
pub(crate) mod stock;
