//! Classes of 9x9 bands and grids, and the rank of a class.
//!
//! | file | purpose | main item |
//! |---|---|---|
//! | `plain` | representatives of bands | `SplitNumbers` |
//! | `chutes` | the 416 classes of bands, by their standard numbers | `BandClasses` |
//! | `boxes` | the class of a band from its boxes | `Boxes` |
//! | `minlex` | the smallest form of a grid, with the maps that lead to it | `minlex` |
//! | `automorphisms` | the automorphisms of a minlex grid | `automorphisms` |
//! | `frame` | what a first band determines | `FirstBand` |
//! | `start` | all minlex grids with a given first band and fourth row | `Start` |
//! | `counts` | how many minlex grids each start has: 5,472,730,538 in all | `counts` |
//! | `ranks` | the place of a class among them, and back | `class_rank` |

pub(crate) mod automorphisms;
pub(crate) mod boxes;
pub(crate) mod chutes;
pub(crate) mod counts;
pub(crate) mod frame;
pub(crate) mod minlex;
pub(crate) mod plain;
pub(crate) mod ranks;
pub(crate) mod start;
