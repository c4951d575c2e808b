//! The keys of recipes, with their meanings: `list keys`, and the nearest names of unknown keys.

use std::sync::LazyLock;

/// A key of a recipe.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The table of the key; empty for the top level.
    pub table: &'static str,
    /// The name.
    pub name: &'static str,
    /// The meaning and the default.
    pub about: &'static str,
}

/// Every key, in the order of the documentation.
pub static KEYS: LazyLock<Vec<Key>> = LazyLock::new(|| {
    let key = |line: &'static str| {
        let (key, about) = line.split_once(": ")?;
        let (table, name) = key.split_once('.').unwrap_or(("", key));
        Some(Key { table, name, about })
    };
    TEXT.lines().filter_map(key).collect()
});

const TEXT: &str = include_str!("keys.txt");
