//! What is asked for: a recipe, and the rows that it describes.
//!
//! | file | about | main type |
//! |---|---|---|
//! | `draft/` | a recipe with gaps: a file, and options over it | [`Draft`](draft::Draft) |
//! | `bases` | grids that a method starts from | [`BasesFile`](bases::BasesFile) |
//! | `layouts` | the regions of a corpus of jigsaws | [`JigsawLayouts`](layouts::JigsawLayouts) |
//! | `goal` | what the puzzle of a row must be, and judging it | [`Goal`](goal::Goal) |
//! | `contradiction` | proofs that no puzzle meets a goal | |
//! | `outline` | what a corpus consists of: its text, its parts | [`Outline`](outline::Outline) |
//! | `part_rows` | how many rows a part has | |
//! | `recipe` | everything that determines the rows | [`Recipe`](recipe::Recipe) |
//! | `make` | making a row | |

pub(crate) mod bases;
mod contradiction;
pub(crate) mod draft;
pub(crate) mod goal;
pub(crate) mod layouts;
pub(crate) mod make;
pub(crate) mod outline;
mod part_rows;
pub(crate) mod recipe;
mod wanted;
