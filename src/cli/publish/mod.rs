//! Commands that publish: files, books, a new corpus each night.

pub(super) mod book;
pub(super) mod export;
pub(super) mod nightly;
pub(super) mod selection;
