//! Defines the names of things that users can type: printing, reading, and what was meant by a wrong one.
//!
//! ```
//! use sudoku_corpus_core::names;
//!
//! names! { "fruit":
//!     #[derive(Clone, Copy, Debug, PartialEq)]
//!     pub enum Fruit {
//!         Apple = "apple",
//!         BlackCurrant = "black-currant",
//!     }
//! }
//!
//! assert_eq!("Black-Currant".parse(), Ok(Fruit::BlackCurrant));
//! assert_eq!(Fruit::ALL.map(Fruit::name), ["apple", "black-currant"]);
//! let wrong = "aple".parse::<Fruit>().unwrap_err();
//! assert_eq!(wrong.to_string(), "unknown fruit 'aple'; did you mean 'apple'? Known: apple, black-currant");
//! ```
//!
//! Names are read without regard to case and to blanks around them.

#[doc(hidden)]
pub use serde;

/// Makes an enum with `ALL`, `name`, `Display`, `FromStr` and the traits of serde. If the names stand in a table that
/// says more about each value, the enum has `ALL` and `name` already: `names!("fruit": Fruit)` adds the traits.
#[macro_export]
macro_rules! names {
    ($kind:literal : $(#[$about:meta])* $sight:vis enum $type:ident {
        $($(#[$of:meta])* $variant:ident = $name:literal),+ $(,)?
    }) => {
        $(#[$about])*
        $sight enum $type {
            $($(#[$of])* $variant),+
        }

        impl $type {
            /// Every value, in the order of the documentation.
            $sight const ALL: [$type; [$($name),+].len()] = [$($type::$variant),+];

            /// The name in recipes, rows and on the command line.
            $sight const fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name),+
                }
            }
        }

        $crate::names!($kind: $type);
    };
    ($kind:literal : $type:ident) => {
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::names::UnknownName;

            fn from_str(text: &str) -> Result<$type, $crate::names::UnknownName> {
                $crate::names::find($kind, text, $type::ALL.map(|value| (value.name(), value)))
            }
        }

        $crate::serde_by_text!($type);
    };
}

/// Gives a type with `Display` and `FromStr` the traits of serde: it is its text.
#[macro_export]
macro_rules! serde_by_text {
    ($type:ident) => {
        impl $crate::names::serde::Serialize for $type {
            fn serialize<S: $crate::names::serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> $crate::names::serde::Deserialize<'de> for $type {
            fn deserialize<D: $crate::names::serde::Deserializer<'de>>(from: D) -> Result<$type, D::Error> {
                let text = <String as $crate::names::serde::Deserialize>::deserialize(from)?;
                text.parse().map_err($crate::names::serde::de::Error::custom)
            }
        }
    };
}

/// Longer lists of known names are not in messages.
const MOST_LISTED: usize = 24;
/// Letters of a list of known names: beside a near name, and where `list` shows the names.
const MOST_BESIDE: usize = 60;
const MOST_LETTERS: usize = 100;

/// Kinds of names that the command `list` shows, in its table `{kind}s`.
const TABLES: [&str; 5] = ["column", "format", "method", "technique", "variant"];

/// Words that people use for a name of this program.
const OTHER_WORDS: &[(&str, &str)] = &[
    ("amazon", "kdp"),
    ("kindle", "kdp"),
    ("ingramspark", "ingram"),
    ("clues", "givens"),
    ("difficulty", "level"),
    ("rating", "se_er_tenths"),
    ("technique", "hardest"),
    ("average", "avg"),
    ("mean", "avg"),
    ("len", "length"),
    ("excel", "csv"),
    ("xlsx", "csv"),
    ("markdown", "md"),
];

/// A word that is not among the known names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown {kind} '{found}'{rest}")]
pub struct UnknownName {
    /// What was to be named: "level".
    pub kind: &'static str,
    /// The word.
    pub found: String,
    /// The nearest name if one is near, and the known names if they are few.
    rest: String,
}

impl UnknownName {
    /// The error for a word that is none of these names.
    pub fn new<'a>(kind: &'static str, word: &str, names: impl IntoIterator<Item = &'a str>) -> UnknownName {
        let names: Vec<&str> = names.into_iter().collect();
        let word = word.trim();
        let list = if names.len() <= MOST_LISTED { names.join(", ") } else { String::new() };
        let has_table = TABLES.contains(&kind) && (list.is_empty() || list.len() > MOST_LETTERS);
        let rest = match (nearest(word, names), list.as_str()) {
            (Some(near), list) if list.is_empty() || list.len() > MOST_BESIDE => format!("; did you mean '{near}'?"),
            (Some(near), list) => format!("; did you mean '{near}'? Known: {list}"),
            (None, _) if has_table => format!("; `list {kind}s` has the names"),
            (None, "") => String::new(),
            (None, list) => format!("; known: {list}"),
        };
        UnknownName { kind, found: word.to_owned(), rest }
    }
}

/// The value that a word names.
///
/// # Errors
/// [`UnknownName`], which suggests the nearest name.
pub fn find<'a, T>(
    kind: &'static str,
    word: &str,
    named: impl IntoIterator<Item = (&'a str, T)>,
) -> Result<T, UnknownName> {
    let mut names = Vec::new();
    for (name, value) in named {
        if name.eq_ignore_ascii_case(word.trim()) {
            return Ok(value);
        }
        names.push(name);
    }
    Err(UnknownName::new(kind, word, names))
}

/// The name that takes the fewest edits (insert, drop, change, swap neighbours), if these are fewer than half of its
/// letters; the first of several. What is missing around a part of a name counts as one edit, and around one of the words
/// between its underscores as none. A word that people use for one of the names is near to it.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.trim().to_lowercase();
    let names: Vec<&str> = names.into_iter().collect();
    let other = OTHER_WORDS.iter().filter(|(other, _)| *other == word).map(|(_, name)| *name);
    if let Some(name) = other.into_iter().find_map(|meant| names.iter().find(|name| **name == meant)) {
        return Some(name);
    }
    let edits = names.into_iter().map(|name| {
        let lower = name.to_lowercase();
        let edits = match word.len() > 1 {
            true if lower.split('_').any(|part| part == word) => 0,
            true if lower.contains(&word) => 1,
            _ => strsim::osa_distance(&word, &lower),
        };
        (edits, name)
    });
    let (least, name) = edits.min_by_key(|&(edits, _)| edits)?;
    (2 * least < name.chars().count()).then_some(name)
}

/// Reads a range with both ends included, `1..5` or `1..=5`, or one value for both.
///
/// # Errors
/// That of `value` for an end.
pub fn ends<T, E>(text: &str, value: impl Fn(&str) -> Result<T, E>) -> Result<(T, T), E> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let last = last.trim();
    Ok((value(first.trim())?, value(last.strip_prefix('=').unwrap_or(last).trim())?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_the_one_with_the_fewest_edits() {
        assert_eq!(nearest("xwing", ["xy_wing", "x_wing", "w_wing"]), Some("x_wing"));
        assert_eq!(nearest("Scroe", ["solutions", "score"]), Some("score"));
        assert_eq!(nearest("er", ["holes", "grid_number", "se_er_tenths"]), Some("se_er_tenths"));
        assert_eq!(nearest("xls", ["parquet", "csv.zst"]), None);
        assert_eq!(nearest("x", []), None);
        assert_eq!(nearest("Difficulty", ["givens", "level"]), Some("level"));
    }

    #[test]
    fn messages_list_few_names_and_no_long_lists() {
        let many: Vec<String> = (0..=MOST_LISTED).map(|number| format!("name-{number}")).collect();
        let message = |found: &str, known: &[String]| {
            UnknownName::new("thing", found, known.iter().map(String::as_str)).to_string()
        };
        assert_eq!(message(" nmae-3", &many), "unknown thing 'nmae-3'; did you mean 'name-3'?");
        assert_eq!(message("zzz", &many), "unknown thing 'zzz'");
        assert_eq!(message("zzz", &many[..2]), "unknown thing 'zzz'; known: name-0, name-1");
    }
}
