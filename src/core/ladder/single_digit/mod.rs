//! Techniques with patterns of one digit.
//!
//! | file | purpose | main item |
//! |---|---|---|
//! | `turbot` | two strong links, connected by a weak one: Skyscraper, Turbot Fish | `turbot_fish` |
//! | `empty_rectangles` | a box whose places lie on a row and a column | `empty_rectangles` |
//! | `colours` | nets of strong links in two alternating colours | `traps` |
//! | `x_chains` | alternating links of one digit | `x_chains` |
//! | `templates` | all ways to place a digit on the board | `template_sets` |

pub(in crate::ladder) mod colours;
pub(in crate::ladder) mod empty_rectangles;
pub(in crate::ladder) mod templates;
pub(in crate::ladder) mod turbot;
pub(in crate::ladder) mod x_chains;
