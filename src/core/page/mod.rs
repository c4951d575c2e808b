//! Pages of text, tables and plots. A document becomes Markdown, one self-contained HTML file, and files of its plots.
//!
//! ```text
//!   Document                                 -> Markdown, HTML (light, dark, paper)
//!     Text, Table, Facts, ...
//!     Figure: headline, plot, caption, data  -> NAME.svg, NAME.csv
//!               Plot: two axes, layers
//! ```
//!
//! The reports of the layers above use this module. It does not depend on Sudoku.
//!
//! | file | about |
//! |---|---|
//! | `document`, `figure`, `table`, `text` | the contents of a page, and how they are written |
//! | `plot` | the contents of a plot, and its drawing |
//! | `shapes` | the display list: what is drawn, as data |
//! | `board_picture` | the drawing of a board |
//! | `colour`, `svg`, `numbers` | colours, markup, formatted numbers |

mod board_picture;
mod colour;
mod document;
mod figure;
pub mod numbers;
mod plot;
pub mod shapes;
mod svg;
mod table;
mod text;

pub use board_picture::BoardPicture;
pub use colour::{Colour, Paint};
pub use document::{Block, Document};
pub use figure::Figure;
pub use plot::{Area, Axis, Layer, Marks, Plot, Side, Word, kinds, nice_step};
pub use table::Table;
