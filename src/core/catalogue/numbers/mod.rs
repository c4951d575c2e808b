//! How many grids there are, and a number for each.
//!
//! | file | purpose | main item |
//! |---|---|---|
//! | `partition` | the 280 partitions of nine digits into triples | `Partitions` |
//! | `bands` | 9x9 grids by the columns of their bands: 6,670,903,752,021,072,936,960 | `Bands` |
//! | `two_rows` | boards whose boxes have two rows: 4x4, 6x6, 8x8 | `TwoRows` |
//! | `two_row_numbers` | a number for each grid of 4x4, 6x6 and 8x8 | `TwoRows` |
//! | `grids` | a number for every labelled grid, and back | `grid_number` |

pub(crate) mod bands;
pub(crate) mod grids;
pub(crate) mod partition;
pub(crate) mod two_row_numbers;
pub(crate) mod two_rows;
