//! How much of the space of all grids each method reaches, and how evenly. Figures are exact where mathematics allows
//! it, and have standard errors elsewhere.
//!
//! | room | purpose | main item |
//! |---|---|---|
//! | [`numbers`] | means with standard errors, and p-values | [`Moments`](numbers::Moments) |
//! | `known` | what is known without drawing a grid | [`chance`](likelihood::chance) |
//! | `drawn` | what drawn grids tell | [`Even`](classes::Even) |
//! | `survey` | everything, for all boards and methods | [`survey()`] |
//! | [`report`] | Markdown, HTML, plots and data of a survey | `report` |
//! | `portrait` | one grid | [`portrait()`] |

mod drawn;
mod known;
pub mod numbers;
mod portrait;
pub mod report;
mod survey;

pub use drawn::classes;
pub use known::likelihood;
pub use portrait::portrait;
pub use survey::{Survey, SurveyOptions, survey};
