//! What all commands share: how a line is read, checked, explained and answered.

pub(super) mod effects;
pub(super) mod gone;
pub(super) mod help;
pub(super) mod mistakes;
pub(super) mod options;
pub(super) mod page;
pub(super) mod parsed;
pub(super) mod paths;
pub(super) mod placeholders;
pub(super) mod progress;
pub(super) mod source;
