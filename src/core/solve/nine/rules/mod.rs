//! The rules of the search, and the words and vector operations in which they are written.

pub(super) mod lanes;
#[cfg(any(test, not(target_arch = "x86_64")))]
pub(super) mod portable;
pub(super) mod sweep;
pub(super) mod words;
