//! Pages of text, tables and plots: one document, written as Markdown, as one HTML file that needs nothing else, and as
//! the files of its plots.
//!
//! ```text
//!   Document                                 -> Markdown, HTML (light, dark, paper)
//!     Text, Table, Facts, ...
//!     Figure: headline, plot, caption, data  -> NAME.svg, NAME.csv
//!               Plot: two axes, layers
//! ```
//!
//! | file | about |
//! |---|---|
//! | `document`, `figure`, `table`, `text` | what is on a page, and how it is written |
//! | `plot`, `axis`, `kinds` | what is in a plot |
//! | `drawing`, `frame` | how it is drawn |
//! | `colour`, `svg`, `numbers` | colours, markup, numbers as readers like them |
//!
//! Reports of the layers above are made of this; it knows nothing of Sudoku.

mod axis;
mod colour;
mod document;
mod drawing;
mod figure;
mod frame;
pub mod kinds;
mod lattice;
pub mod numbers;
mod plot;
mod svg;
mod table;
mod text;

pub use axis::Axis;
pub use colour::Colour;
pub use document::{Block, Document};
pub use figure::Figure;
pub use lattice::Lattice;
pub use plot::{Area, Layer, Marks, Plot, Side, Word};
pub use table::Table;
