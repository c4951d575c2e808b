//! Decides which page holds what, and draws the pages.
//!
//! | file | purpose | main type |
//! |---|---|---|
//! | `plan` | the contents of each page | [`PagePlan`](plan::PagePlan) |
//! | `front` | title, imprint, the page that opens a section, notes | |
//! | `contents` | the table of contents | [`ContentsPage`](plan::ContentsPage) |
//! | `hint_table` | pages of hints | [`HintTable`](plan::HintTable) |
//! | `leaves` | pages of puzzles and of solutions, feet and heads | |
//! | `planner` | makes the plan | |

pub(crate) mod contents;
pub(crate) mod front;
pub(crate) mod hint_table;
pub(crate) mod leaves;
pub(crate) mod plan;
pub(crate) mod planner;
