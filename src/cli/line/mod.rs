//! What all commands share: how a line is read, checked, explained and answered.

pub(super) mod call;
pub(super) mod help;
pub(super) mod options;
pub(super) mod page;
pub(super) mod paths;
pub(super) mod progress;
pub(super) mod refused;
pub(super) mod source;
