//! The fuzz targets under libFuzzer, which is guided by coverage.
//!
//! ```text
//! scripts/fuzz.sh [SECONDS [TARGET ..]]        builds, makes seeds, runs each target
//! FUZZ=corpora sudoku-corpus-fuzz FILE        repeats one input
//! ```
#![no_main]

mod targets;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use targets::{TARGETS, Target};

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("FUZZ").unwrap_or_default();
    let known = TARGETS.iter().find(|(known, _)| *known == name);
    let names: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
    known.unwrap_or_else(|| panic!("FUZZ={name}: one of {}", names.join(", "))).1
});

fuzz_target!(|data: &[u8]| TARGET(data));
