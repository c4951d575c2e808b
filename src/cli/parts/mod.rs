//! The steps of `run`, a command each.

pub(super) mod dig;
pub(super) mod generate;
pub(super) mod mask;
pub(super) mod stage;
pub(super) mod verify;
