//! Fish: the places of a digit in some houses lie in as many others.
//!
//! | file | purpose | main item |
//! |---|---|---|
//! | `kinds` | the kinds of fish, and basic fish | `FishKind` |
//! | `search` | all fish, from the candidate that they remove | `Fish` |
//! | `kraken` | fish whose fins lead to the conclusion by chains | `kraken_fish_1` |

pub(in crate::ladder) mod kinds;
pub(in crate::ladder) mod kraken;
pub(in crate::ladder) mod search;
