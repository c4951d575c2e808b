//! Words beside a board that name its rules: `3x3+x`, `shape=2x3`, `windoku`. Whoever passed them over would read a board
//! with more solutions than its author meant.

use super::words::words;
use crate::board::Shape;

/// Names of rules, in small letters without hyphens, which no note about a plain board has.
const NAMES: [&str; 14] = [
    "windoku", "hypersudoku", "hyperdoku", "xsudoku", "sudokux", "jigsaw", "jigsawsudoku", "antiknight", "antiking",
    "nonconsecutive", "asterisk", "girandola", "centredot", "centerdot",
];

/// The shape that a word names, alone or after a key: `3x3+x`, `3x3+x:`, `shape=3x3+x`.
pub(super) fn shape_named(word: &str) -> Option<Shape> {
    if !word.contains(['+', 'x', 'X', '×']) {
        return None;
    }
    let word = word.trim_end_matches([':', '.']);
    let after_key = || word.split_once(['=', ':']).and_then(|(_, value)| value.parse().ok());
    word.parse().ok().or_else(after_key)
}

/// The words of a text that name rules: a shape with rules, or the name of a variant in one word or two. None if no word
/// names a rule.
pub fn rule_named(text: &str) -> Option<String> {
    let mut last = String::new();
    for (_, word) in words(text) {
        let name = word.split_once('=').map_or(word, |(_, value)| value);
        if names_variants(name) {
            return Some(word.to_owned());
        }
        let small = name.chars().filter(|sign| sign.is_alphanumeric()).collect::<String>().to_lowercase();
        let together = format!("{last}{small}");
        if [&small, &together].into_iter().any(|name| NAMES.contains(&name.as_str())) {
            return Some(if NAMES.contains(&small.as_str()) { name.to_owned() } else { together });
        }
        last = small;
    }
    None
}

/// True for the name of a shape with variants, whatever its size: `3x3+x`, `9x9+windoku`.
fn names_variants(name: &str) -> bool {
    let Some((boxes, variants)) = name.split_once('+') else { return false };
    let is_size = boxes.starts_with(|sign: char| sign.is_ascii_digit())
        && boxes.chars().all(|sign| sign.is_ascii_digit() || "xX×".contains(sign));
    is_size && variants.starts_with(|sign: char| sign.is_ascii_alphabetic())
}

/// What to do about words that name a rule.
pub(super) fn advice(rule: &str) -> String {
    format!("'{rule}' names a rule: give --shape, such as --shape 3x3+x, or --shape 3x3 for the usual rules")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_name_rules_are_known_in_every_spelling_and_notes_are_none() {
        for text in [
            "3x3+x", "3x3+x:", "shape=3x3+x", "9x9+x", "Windoku", "X-Sudoku", "Sudoku X", "anti-knight", "type=windoku",
        ] {
            assert!(rule_named(text).is_some(), "{text}");
        }
        for text in
            ["3x3", "9x9", "easy", "ED=1.2/1.2/1.2", "diagonal symmetry", "x", "1+2", "Sudoku 5", "king's table"]
        {
            assert_eq!(rule_named(text), None, "{text}");
        }
        assert_eq!(shape_named("shape=2x3"), "2x3".parse().ok());
        assert_eq!(shape_named("3x3+x:"), "3x3+x".parse().ok());
    }
}
