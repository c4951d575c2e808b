//! The methods that search: they reach every grid, but not with equal probability.

pub(super) mod digit_by_box;
pub(super) mod fewest_candidates;
mod filling;
pub(super) mod jump_back;
mod pick;
pub(super) mod row_major;
pub(super) mod seeded_cross;
