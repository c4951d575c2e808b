//! What is asked for: a recipe, and the rows that it describes.
//!
//! | file | about | main type |
//! |---|---|---|
//! | `draft/` | a recipe with gaps: a file, and options over it | [`Draft`](draft::Draft) |
//! | `bases` | grids that a method starts from | [`BasesFile`](bases::BasesFile) |
//! | `layouts` | the regions of a corpus of jigsaws | [`JigsawLayouts`](layouts::JigsawLayouts) |
//! | `goal` | what the puzzle of a row must be, and judging it | [`Goal`](goal::Goal) |
//! | `stock` | the same number of puzzles of every class | [`Stock`](stock::Stock) |
//! | `recipe` | everything that determines the rows | [`Recipe`](recipe::Recipe) |
//! | `find` | making what the search for a stock tries and finds | [`Find`](stock::Find) |
//! | `make` | making a row | |

pub(crate) mod bases;
pub(crate) mod draft;
pub(crate) mod find;
pub(crate) mod goal;
pub(crate) mod layouts;
pub(crate) mod make;
pub(crate) mod recipe;
pub(crate) mod stock;
