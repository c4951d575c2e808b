//! Defines the keys of recipes, with their meanings: `list keys`, the help of the options, and the nearest names of
//! unknown keys.

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

/// The help of an option: the meaning of its key, such as `grid.method`.
#[cfg(feature = "cli")]
pub(super) fn about(key: &str) -> String {
    let (table, name) = key.split_once('.').unwrap_or(("", key));
    let about = KEYS.iter().find(|key| (key.table, key.name) == (table, name)).map_or("", |key| key.about);
    let mut letters = about.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

/// The table of keys: a line for each, its name with its table, and its meaning.
const TEXT: &str = include_str!("keys.txt");
